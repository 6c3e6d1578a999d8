/* SPDX-License-Identifier: MIT */
/*
 * clampler_rewrite() of the embeddable library (embed/clampler.h): what it takes out of the program's structures, and
 * its memory, by an allocator that fails when it is told to and finds writes in front of and behind what it gave.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <clampler/clampler.h>

#include "embedded_combined.h"
#include "embedded_two_sets.h"

/* ---- An allocator ---- */

enum { ROOM = 4096, PATTERN = 0xa5 }; /* bytes in front and behind */

struct memory {
    uint32_t blocks; /* alive */
    uint32_t calls, fails_at;
};

struct block {
    size_t size;
    unsigned char front[ROOM], bytes[];
};

static void check(const struct block *block)
{
    for (size_t i = 0; i < ROOM; i++) {
        assert_int_equal(block->front[i], PATTERN);
        assert_int_equal(block->bytes[block->size + i], PATTERN);
    }
}

static void *reallocate(void *user, void *memory, size_t size)
{
    struct memory *all = user;
    struct block *old = memory ? (struct block *)(void *)((char *)memory - offsetof(struct block, bytes)) : NULL;
    struct block *made = NULL;
    if (old)
        check(old);
    if (size) {
        if (++all->calls == all->fails_at)
            return NULL;
        made = malloc(sizeof(*made) + size + ROOM);
        assert_non_null(made);
        made->size = size;
        memset(made->front, PATTERN, ROOM);
        memset(made->bytes, PATTERN, size + ROOM);
        all->blocks++;
    }
    if (old) {
        if (made)
            memcpy(made->bytes, old->bytes, old->size < size ? old->size : size);
        all->blocks--;
        free(old);
    }
    return made ? made->bytes : NULL;
}

/* ---- Layouts ---- */

static const struct clampler_binding first[] = {{0, 0, 1}, {1, 1, 2}}, second[] = {{0, 3, 1}};

static struct clampler_rewrite_info info_of(const struct clampler_set *sets, uint32_t count, struct memory *memory)
{
    return (struct clampler_rewrite_info){.words = embedded_two_sets,
                                          .word_count = sizeof(embedded_two_sets) / sizeof(uint32_t),
                                          .sets = sets,
                                          .set_count = count,
                                          .tier = 1,
                                          .max_lod_bias = 16.0f,
                                          .reallocate = reallocate,
                                          .user = memory};
}

static enum clampler_result rewrite(const struct clampler_rewrite_info *info, struct clampler_rewritten *rewritten)
{
    struct memory *memory = info->user;
    memory->calls = 0;
    const enum clampler_result result = clampler_rewrite(info, rewritten);
    assert_int_equal(memory->blocks, result == CLAMPLER_SUCCESS ? 1 : 0);
    assert_int_equal(rewritten->words != NULL, result == CLAMPLER_SUCCESS);
    return result;
}

static void drop(struct memory *memory, struct clampler_rewritten *rewritten)
{
    reallocate(memory, rewritten->words, 0);
    assert_int_equal(memory->blocks, 0);
}

/* Do these two make other words of a module? The first rewrites so many lookups. */
static bool differ(const struct clampler_rewrite_info *info, uint32_t lookups,
                   const struct clampler_rewrite_info *other)
{
    struct memory memory = {0};
    struct clampler_rewrite_info copy = *other;
    struct clampler_rewritten expected, made;
    copy.user = &memory;
    assert_int_equal(rewrite(&copy, &expected), CLAMPLER_SUCCESS);
    assert_int_equal(rewrite(info, &made), CLAMPLER_SUCCESS);
    assert_int_equal(made.lookups, lookups);
    const bool same = made.word_count == expected.word_count &&
                      !memcmp(made.words, expected.words, made.word_count * sizeof(uint32_t));
    drop(info->user, &made);
    drop(&memory, &expected);
    return !same;
}

/* Does this layout make other words of the module than the plain one? */
static bool differs(const struct clampler_rewrite_info *info, uint32_t lookups)
{
    static const struct clampler_set plain[] = {{first, 2, 7, 4, false}, {second, 1, 7, 4, false}};
    const struct clampler_rewrite_info other = info_of(plain, 2, NULL);
    return differ(info, lookups, &other);
}

/* ---- Tests ---- */

static void every_member_of_a_layout_counts(void **state)
{
    (void)state;
    static const struct clampler_binding elsewhere[] = {{0, 2, 1}, {1, 0, 2}}, behind[] = {{1, 0, 2}};
    const struct clampler_set same[] = {{first, 2, 7, 4, false}, {second, 1, 7, 4, false}};
    const struct clampler_set records[] = {{elsewhere, 2, 7, 4, false}, {second, 1, 7, 4, false}};
    const struct clampler_set binding[] = {{first, 2, 7, 4, false}, {second, 1, 8, 4, false}};
    const struct clampler_set storage[] = {{first, 2, 7, 4, false}, {second, 1, 7, 4, true}};
    const struct clampler_set count[] = {{first, 2, 7, 9, false}, {second, 1, 7, 4, false}};
    const struct clampler_set none[] = {{first, 2, 7, 4, false}, {second, 1, UINT32_MAX, 0, false}};
    const struct clampler_set without[] = {{behind, 1, 7, 4, false}, {second, 1, 7, 4, false}};
    const struct clampler_set empty[] = {{NULL, 0, UINT32_MAX, 0, false}, {second, 1, 7, 4, false}};
    struct memory memory = {0};
    struct clampler_rewrite_info info = info_of(same, 2, &memory);
    assert_false(differs(&info, 2));
    const struct clampler_set *const others[] = {records, binding, storage, count};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        info = info_of(others[i], 2, &memory);
        assert_true(differs(&info, 2));
    }
    const struct clampler_set *const fewer[] = {none, without, empty};
    for (size_t i = 0; i < sizeof(fewer) / sizeof(fewer[0]); i++) {
        info = info_of(fewer[i], 2, &memory);
        assert_true(differs(&info, 1));
    }
    info = info_of(same, 2, &memory);
    for (uint32_t tier = 1; tier <= 2; tier++) {
        info.tier = tier;
        assert_int_equal(differs(&info, 2), tier == 2);
        struct clampler_rewrite_info cpu = info;
        cpu.cpu = true;
        assert_true(differ(&info, 2, &cpu));
    }
    info = info_of(same, 1, &memory); /* the second set is not in the layout */
    assert_true(differs(&info, 1));
}

/* Of several bindings each has its own records. */
static void every_binding_has_its_own_records(void **state)
{
    (void)state;
    static const struct clampler_binding three[] = {{0, 0, 2}, {2, 2, 1}, {5, 3, 3}};
    struct memory memory = {0};
    const struct clampler_set sets[] = {{three, 3, 7, 9, false}};
    struct clampler_rewrite_info info = info_of(sets, 1, &memory);
    info.words = embedded_combined;
    info.word_count = sizeof(embedded_combined) / sizeof(uint32_t);
    struct clampler_rewritten rewritten;
    assert_int_equal(rewrite(&info, &rewritten), CLAMPLER_SUCCESS);
    const uint32_t lookups = rewritten.lookups;
    drop(&memory, &rewritten);
    for (uint32_t i = 0; i < 3; i++) {
        struct clampler_binding other[] = {three[0], three[1], three[2]};
        other[i].first_record = 6;
        const struct clampler_set moved[] = {{other, 3, 7, 9, false}};
        struct clampler_rewrite_info as_moved = info;
        as_moved.sets = moved;
        assert_true(differ(&as_moved, lookups, &info));
    }
}

static void memory_that_runs_out_leaves_nothing_behind(void **state)
{
    (void)state;
    const struct clampler_set sets[] = {{first, 2, 7, 4, false}, {second, 1, 7, 4, false}};
    struct memory memory = {0};
    struct clampler_rewrite_info info = info_of(sets, 2, &memory);
    struct clampler_rewritten rewritten;
    assert_int_equal(rewrite(&info, &rewritten), CLAMPLER_SUCCESS);
    const uint32_t calls = memory.calls;
    drop(&memory, &rewritten);
    assert_true(calls > 2);
    for (memory.fails_at = 1; memory.fails_at <= calls; memory.fails_at++) {
        assert_int_equal(rewrite(&info, &rewritten), CLAMPLER_OUT_OF_MEMORY);
        assert_int_equal(memory.calls, memory.fails_at);
    }
    /* More descriptors than memory can hold are told from few. */
    const struct clampler_set many[] = {{first, 2, 7, 4, false}, {second, UINT32_MAX, 7, 4, false}};
    info = info_of(many, 2, &memory);
    memory.fails_at = 1;
    assert_int_equal(rewrite(&info, &rewritten), CLAMPLER_OUT_OF_MEMORY);
}

static void the_c_librarys_memory_serves_where_there_is_no_other(void **state)
{
    (void)state;
    const struct clampler_set sets[] = {{first, 2, 7, 4, false}, {second, 1, 7, 4, false}};
    struct memory memory = {0};
    struct clampler_rewrite_info info = info_of(sets, 2, &memory);
    struct clampler_rewritten expected, made;
    assert_int_equal(rewrite(&info, &expected), CLAMPLER_SUCCESS);
    info.reallocate = NULL;
    assert_int_equal(clampler_rewrite(&info, &made), CLAMPLER_SUCCESS);
    assert_int_equal(made.word_count, expected.word_count);
    assert_memory_equal(made.words, expected.words, made.word_count * sizeof(uint32_t));
    free(made.words);
    drop(&memory, &expected);
}

static void what_cannot_be_rewritten_says_why(void **state)
{
    (void)state;
    const struct clampler_set sets[] = {{first, 2, 7, 4, false}, {second, 1, 7, 4, false}};
    static const uint32_t garbage[] = {1, 2, 3, 4, 5, 6};
    struct memory memory = {0};
    struct clampler_rewrite_info info = info_of(sets, 2, &memory);
    struct clampler_rewritten rewritten;
    info.set_count = 0;
    assert_int_equal(rewrite(&info, &rewritten), CLAMPLER_UNCHANGED);
    assert_int_equal(rewritten.lookups, 0);
    info.set_count = 2;
    info.word_count--;
    assert_int_equal(rewrite(&info, &rewritten), CLAMPLER_BAD_INPUT);
    assert_true(rewritten.message[0] != '\0');
    info.words = garbage;
    info.word_count = sizeof(garbage) / sizeof(garbage[0]);
    assert_int_equal(rewrite(&info, &rewritten), CLAMPLER_BAD_INPUT);
    assert_true(rewritten.message[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_of_a_layout_counts),
        cmocka_unit_test(every_binding_has_its_own_records),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing_behind),
        cmocka_unit_test(the_c_librarys_memory_serves_where_there_is_no_other),
        cmocka_unit_test(what_cannot_be_rewritten_says_why),
    };
    return cmocka_run_group_tests_name("embedded", tests, NULL, NULL);
}
