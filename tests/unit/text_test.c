/* SPDX-License-Identifier: MIT */
/* Text in every locale: letters, UTF-8 in lines and in JSON, numbers (layer/base/text). */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "locale_of_user.h"
#include "text/text.h"

static void letters_are_asciis(void **state)
{
    (void)state;
    for (int c = 1; c < 256; c++) {
        const int lower = c >= 'A' && c <= 'Z' ? c + 32 : c, upper = c >= 'a' && c <= 'z' ? c - 32 : c;
        assert_int_equal((unsigned char)text_lower((char)c), lower);
        assert_int_equal((unsigned char)text_upper((char)c), upper);
        assert_int_equal(text_is_space((char)c), c != 0 && strchr(" \t\n\v\f\r", c) != NULL);
    }
    assert_true(text_same("GL_LINEAR_fallback", "gl_linear_FALLBACK"));
    assert_true(text_same("", ""));
    assert_false(text_same("edge", "edges"));
    assert_false(text_same("edges", "edge"));
    assert_false(text_same("[", "{")); /* as far from each other as capitals from small letters */
    assert_true(text_same_start("EDGES", "edge", 4));
    assert_false(text_same_start("EDGE", "edgy", 4));
    assert_true(text_same_start("ab", "AB", 5)); /* which end before */
    assert_false(text_same_start("ab", "abc", 3));
}

static const struct {
    const char *from, *shown, *cleaned, *json;
} cases[] = {
    {"", "", "", ""},
    {"sky", "sky", "sky", "sky"},
    {"na\xc3\xafve \xe2\x82\xac \xf0\x9f\x8e\xae", "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x8e\xae",
     "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x8e\xae", "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x8e\xae"},
    {"a \"quoted\" one", "a 'quoted' one", "a \"quoted\" one", "a \\\"quoted\\\" one"},
    {"C:\\x", "C:\\x", "C:\\x", "C:\\\\x"},
    {"two\nlines\r\ttab\x7f", "two?lines??tab?", "two?lines??tab?", "two\\u000alines\\u000d\\u0009tab\x7f"},
    {"\x1b[31mred", "?[31mred", "?[31mred", "\\u001b[31mred"},
    {"\xc2\x85next", "?next", "?next", "\xc2\x85next"}, /* a control character of two bytes */
    {"\xe2\x80\xa8line\xe2\x80\xaeturned", "?line?turned", "?line?turned",
     "\xe2\x80\xa8line\xe2\x80\xaeturned"},                                                       /* U+2028, U+202E */
    {"\xe2\x81\xa6isolated\xd8\x9c", "?isolated?", "?isolated?", "\xe2\x81\xa6isolated\xd8\x9c"}, /* U+2066, U+061C */
    {"\xff\xfe", "??", "??", "\xEF\xBF\xBD\xEF\xBF\xBD"},                                         /* no UTF-8 at all */
    {"caf\xe9 x", "caf? x", "caf? x", "caf\xEF\xBF\xBD x"},                                       /* Latin 1 */
    {"sky\xe2\x82", "sky??", "sky", "sky\xEF\xBF\xBD\xEF\xBF\xBD"},                               /* cut short */
    {"\xe2\x82x", "??x", "??x", "\xEF\xBF\xBD\xEF\xBF\xBDx"}, /* the same, with more behind it */
    {"\xc0\xaf\xe0\x80\xaf", "?????", "?????", NULL},         /* longer than they need be */
    {"\xed\xa0\x80", "???", "???", NULL},                     /* a surrogate */
    {"\xf4\x90\x80\x80", "????", "????", NULL},               /* beyond the last */
    {"\xf8\x88\x80\x80\x80", "?????", "?????", NULL},
};

static void lines_show_what_cannot_harm_them(void **state)
{
    char text[256];
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_int_equal(text_show(cases[i].from, text, sizeof(text)), strlen(cases[i].shown));
        assert_string_equal(text, cases[i].shown);
        strcpy(text, cases[i].from);
        text_clean(text);
        assert_string_equal(text, cases[i].cleaned);
    }
    /* Cut between characters. */
    assert_int_equal(text_show("\xe2\x82\xac\xe2\x82\xac", text, 6), 3);
    assert_string_equal(text, "\xe2\x82\xac");
    assert_int_equal(text_show("sky", text, 1), 0);
    assert_string_equal(text, "");
}

static void json_has_every_text_as_utf_8(void **state)
{
    char text[256];
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        text_json(cases[i].from, text, sizeof(text));
        if (cases[i].json) {
            assert_string_equal(text, cases[i].json);
            continue;
        }
        assert_int_equal(strlen(text), 3 * strlen(cases[i].cleaned)); /* U+FFFD for each byte */
        for (const char *at = text; *at; at += 3)
            assert_memory_equal(at, "\xEF\xBF\xBD", 3);
    }
    strcpy(text, "sky\xf0\x9f\x8e");
    text_cut(text);
    assert_string_equal(text, "sky");
    strcpy(text, "sky\xf0\x9f\x8e\xae");
    text_cut(text); /* is whole */
    assert_string_equal(text, "sky\xf0\x9f\x8e\xae");
    text_cut(strcpy(text, ""));
    text_json("ab\ncd", text, 8); /* "ab" and six bytes have no place */
    assert_string_equal(text, "ab");
    text_json("ab\ncd", text, 9);
    assert_string_equal(text, "ab\\u000a");
    text_json("\xe2\x82\xac\xe2\x82\xac", text, 6);
    assert_string_equal(text, "\xe2\x82\xac");
}

static void numbers_have_a_point(void **state)
{
    static const struct {
        double value;
        const char *text;
    } numbers[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1.0, "1"},
        {15.998046875, "15.998"},
        {2.5, "2.5"},
        {-2.25, "-2.25"},
        {0.0004, "0"},
        {-0.0004, "0"},
        {0.0006, "0.001"},
        {1200.0, "1200"},
        {0.1, "0.1"},
        {99.9999, "100"},
        {1e12, "1000000000000"},
        {1e300, "inf"},
        {-1e300, "-inf"},
    };
    char text[TEXT_NUMBER];
    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        assert_string_equal(text_number(numbers[i].value, text), numbers[i].text);
    assert_string_equal(text_number((double)NAN, text), "nan");
    assert_string_equal(text_number((double)INFINITY, text), "inf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_asciis),
        cmocka_unit_test(lines_show_what_cannot_harm_them),
        cmocka_unit_test(json_has_every_text_as_utf_8),
        cmocka_unit_test(numbers_have_a_point),
    };
    locale_of_user();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
