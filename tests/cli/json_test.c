/* SPDX-License-Identifier: MIT */
/* The reader of manifests (cli/json.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "json.h"

static void values_of_all_kinds_are_read(void **state)
{
    char why[100];
    (void)state;
    struct json *json =
        json_read(" {\"a\": [1, -2.5e3, true, null, \"x\\\"\\u00e9\\n\"], \"b\": {}, \"c\": []}\n", why, sizeof(why));
    assert_non_null(json);
    const struct json *a = json_member(json, "a");
    assert_int_equal(a->kind, JSON_ARRAY);
    assert_string_equal(a->first->text, "1");
    assert_string_equal(a->first->next->text, "-2.5e3");
    assert_int_equal(a->first->next->next->kind, JSON_BOOL);
    assert_int_equal(a->first->next->next->next->kind, JSON_NULL);
    assert_string_equal(a->first->next->next->next->next->text, "x\"\xc3\xa9\n");
    assert_int_equal(json_member(json, "b")->kind, JSON_OBJECT);
    assert_null(json_member(json, "b")->first);
    assert_null(json_member(json, "c")->first);
    assert_null(json_member(json, "d"));
    assert_null(json_member(NULL, "d"));
    assert_string_equal(json_text(json, "a", "no text"), "no text");
    json_free(json);
}

static void what_is_not_json_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "line 1: a value is expected"},
        {"{\n\"a\": 1\n\"b\": 2}", "line 3: a comma or } is expected"},
        {"{\"a\" 1}", "line 1: a colon is expected"},
        {"{1: 2}", "line 1: a member's name is expected"},
        {"[1, 2", "line 1: a comma or ] is expected"},
        {"[1,]", "line 1: a value is expected"},
        {"[\"a\n\"]", "line 1: a string without its end"},
        {"[\"\\x\"]", "line 1: bad escape in a string"},
        {"[\"\\u12g4\"]", "line 1: bad escape in a string"},
        {"[\"", "line 1: a string without its end"},
        {"[\"\\", "line 1: bad escape in a string"},
        {"{\"a\"", "line 1: a colon is expected"},
        {"nothing", "line 1: a value is expected"},
        {"{} {}", "line 1: something follows after the end"},
    };
    char why[100], deep[200];
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_null(json_read(cases[i].text, why, sizeof(why)));
        assert_string_equal(why, cases[i].why);
    }
    memset(deep, '[', sizeof(deep) - 1);
    deep[sizeof(deep) - 1] = '\0';
    assert_null(json_read(deep, why, sizeof(why)));
    assert_string_equal(why, "line 1: nested too deeply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_kinds_are_read),
        cmocka_unit_test(what_is_not_json_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
