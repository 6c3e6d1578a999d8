/* SPDX-License-Identifier: MIT */
/* The walk of deep copies (layer/base/vulkan_compat/copy.c) over tables of this test's own: kinds of members that are
 * rare. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "copy.h"

struct leaf {
    const char *name;
};

struct tree {
    uint32_t leaf_count, name_count, selector;
    const struct leaf *const *leaves; /* pointers to one each */
    const char *const *names;
    struct leaf held[2];
    union {
        struct leaf leaf;
        uintptr_t number;
    } chosen; /* a leaf if selector is 7 or 8 */
};

static const struct copy_field leaf_fields[] = {{.kind = FIELD_STRING, .offset = offsetof(struct leaf, name)}};
static const struct copy_field tree_fields[] = {
    {.kind = FIELD_POINTERS,
     .offset = offsetof(struct tree, leaves),
     .element_size = sizeof(struct leaf),
     .element = 1,
     .count = offsetof(struct tree, leaf_count),
     .count_size = sizeof(uint32_t)},
    {.kind = FIELD_STRINGS,
     .offset = offsetof(struct tree, names),
     .count = offsetof(struct tree, name_count),
     .count_size = sizeof(uint32_t)},
    {.kind = FIELD_HELD,
     .offset = offsetof(struct tree, held),
     .element = 1,
     .element_size = sizeof(struct leaf),
     .fixed_count = 2},
    {.kind = FIELD_HELD,
     .offset = offsetof(struct tree, chosen),
     .element = 1,
     .element_size = sizeof(struct leaf),
     .fixed_count = 1,
     .condition = true,
     .selector = offsetof(struct tree, selector),
     .first = 7,
     .last = 8},
};
const struct copy_type copy_types[] = {
    {.fields = tree_fields, .field_count = 4, .size = sizeof(struct tree)},
    {.fields = leaf_fields, .field_count = 1, .size = sizeof(struct leaf)},
};

int copy_type_of(VkStructureType type)
{
    (void)type;
    return -1;
}

static void arrays_of_pointers_and_held_structures_are_followed(void **state)
{
    char first[] = "first", second[] = "second", last[] = "last";
    const struct leaf one = {first}, two = {second};
    const struct leaf *leaves[] = {&one, NULL, &two};
    const char *names[] = {last, NULL};
    const struct tree tree = {.leaf_count = 3,
                              .leaves = leaves,
                              .name_count = 2,
                              .names = names,
                              .held = {{second}, {NULL}},
                              .selector = 8,
                              .chosen = {.leaf = {last}}};
    enum copy_result result;
    (void)state;
    struct tree *copy = copy_structure(0, &tree, &result);
    memset(first, 'x', 5);
    memset(second, 'x', 6);
    memset(last, 'x', 4);
    assert_int_equal(result, COPY_OK);
    assert_string_equal(copy->leaves[0]->name, "first");
    assert_null(copy->leaves[1]);
    assert_string_equal(copy->leaves[2]->name, "second");
    assert_string_equal(copy->names[0], "last");
    assert_null(copy->names[1]);
    assert_string_equal(copy->held[0].name, "second");
    assert_null(copy->held[1].name);
    assert_string_equal(copy->chosen.leaf.name, "last");
    free(copy);
}

static void a_union_that_holds_something_else_is_left_alone(void **state)
{
    const struct tree tree = {.selector = 9, .chosen = {.number = 16}};
    enum copy_result result;
    (void)state;
    struct tree *copy = copy_structure(0, &tree, &result);
    assert_int_equal(result, COPY_OK);
    assert_int_equal(copy->chosen.number, 16);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_pointers_and_held_structures_are_followed),
        cmocka_unit_test(a_union_that_holds_something_else_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
