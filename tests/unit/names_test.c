/* SPDX-License-Identifier: MIT */
/* The table of objects' names: what is found under which type and handle, where long names end, how a line shows them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/object_names.h"
#include "names/names.h"

enum { IMAGE = 10, SAMPLER = 21 };

static void put(struct names *names, uint32_t type, uint64_t handle, const char *text)
{
    struct name *name = name_create(type, handle, text);
    assert_non_null(name);
    names_put(names, name);
}

static void names_are_of_a_type_and_a_handle(void **state)
{
    struct names names = {0};
    (void)state;
    assert_null(names_find(&names, IMAGE, 7));
    assert_false(names_remove(&names, IMAGE, 7));
    put(&names, IMAGE, 7, "image");
    put(&names, SAMPLER, 7, "sampler");
    assert_string_equal(names_find(&names, IMAGE, 7), "image");
    assert_string_equal(names_find(&names, SAMPLER, 7), "sampler");
    assert_null(names_find(&names, IMAGE, 8));
    put(&names, IMAGE, 7, "renamed");
    assert_string_equal(names_find(&names, IMAGE, 7), "renamed");
    assert_int_equal(names.count, 2);
    assert_true(names_remove(&names, IMAGE, 7));
    assert_null(names_find(&names, IMAGE, 7));
    assert_string_equal(names_find(&names, SAMPLER, 7), "sampler");
    names_finish(&names);
    assert_int_equal(names.count, 0);
}

static void a_table_grows_and_finds_all(void **state)
{
    enum { COUNT = 5000 };
    struct names names = {0};
    char text[32];
    (void)state;
    for (uint64_t i = 0; i < COUNT; i++) {
        snprintf(text, sizeof(text), "object %u", (unsigned)i);
        put(&names, i % 3 ? IMAGE : SAMPLER, i << (i % 2 ? 4 : 40), text);
    }
    assert_int_equal(names.count, COUNT);
    assert_true(names.bucket_count > NAME_BUCKETS && names.bucket_count <= 4 * COUNT);
    for (uint64_t i = 0; i < COUNT; i++) {
        snprintf(text, sizeof(text), "object %u", (unsigned)i);
        const char *found = names_find(&names, i % 3 ? IMAGE : SAMPLER, i << (i % 2 ? 4 : 40));
        assert_non_null(found);
        assert_string_equal(found, text);
    }
    for (uint64_t i = 0; i < COUNT; i++)
        assert_true(names_remove(&names, i % 3 ? IMAGE : SAMPLER, i << (i % 2 ? 4 : 40)));
    assert_int_equal(names.count, 0);
    names_finish(&names);
}

static void long_names_end_between_characters(void **state)
{
    char text[600], expected[NAME_MOST];
    (void)state;
    for (unsigned before = 0; before < 4; before++) { /* where the characters of three bytes begin */
        memset(text, 'x', before);
        for (unsigned i = before; i + 3 < sizeof(text); i += 3)
            memcpy(text + i, "\xe2\x82\xac", 4);
        struct name *name = name_create(IMAGE, 1, text);
        assert_non_null(name);
        const size_t kept = before + (NAME_MOST - 4 - before) / 3 * 3;
        snprintf(expected, sizeof(expected), "%.*s...", (int)kept, text);
        assert_string_equal(name->text, expected);
        free(name);
    }
    memset(text, 'y', NAME_MOST);
    text[NAME_MOST - 1] = 0; /* what just fits is whole */
    struct name *name = name_create(IMAGE, 1, text);
    assert_non_null(name);
    assert_string_equal(name->text, text);
    free(name);
}

/* Where pointers have 32 bits, some programs' casts bring their sign along. Handles that are no pointers have 64. */
static void handles_of_dispatchable_objects_have_no_sign(void **state)
{
    const uint64_t cast = UINT64_C(0xffffffffdeadbee0);
    const uint64_t pointer = sizeof(void *) == 8 ? cast : 0xdeadbee0;
    (void)state;
    assert_int_equal(object_names_key(VK_OBJECT_TYPE_COMMAND_BUFFER, cast), pointer);
    assert_int_equal(object_names_key(VK_OBJECT_TYPE_DEVICE, cast), pointer);
    assert_int_equal(object_names_key(VK_OBJECT_TYPE_SAMPLER, cast), cast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_of_a_type_and_a_handle),
        cmocka_unit_test(a_table_grows_and_finds_all),
        cmocka_unit_test(long_names_end_between_characters),
        cmocka_unit_test(handles_of_dispatchable_objects_have_no_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
