/* SPDX-License-Identifier: MIT */
/* Marks that are found without a look at all that could have one (layer/device/objects/bitmap.h), beside a plain array.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "objects/bitmap.h"

static const uint32_t counts[] = {1, 2, 63, 64, 65, 127, 128, 129, 4096, 4097, 16284, 16384, 16385, 100000};
enum { COUNTS = sizeof(counts) / sizeof(counts[0]), GUARD = 4 };

static uint32_t below(uint32_t end)
{
    return (uint32_t)rand() % end;
}

struct fixture {
    uint32_t count;
    uint64_t *memory; /* with words behind the bitmap's that nobody may touch */
    struct bitmap bitmap;
    bool *plain;
};

static void open_fixture(struct fixture *f, uint32_t count)
{
    const size_t bytes = bitmap_bytes(count);
    *f = (struct fixture){.count = count,
                          .memory = calloc(1, bytes + GUARD * sizeof(uint64_t)),
                          .plain = calloc(count, sizeof(*f->plain))};
    assert_true(f->memory && f->plain);
    memset(f->memory + bytes / sizeof(uint64_t), 0xaa, GUARD * sizeof(uint64_t));
    f->bitmap = bitmap_of(count, f->memory);
}

static void close_fixture(struct fixture *f)
{
    for (uint32_t i = 0; i < GUARD; i++)
        assert_true(f->memory[bitmap_bytes(f->count) / sizeof(uint64_t) + i] == UINT64_C(0xaaaaaaaaaaaaaaaa));
    free(f->memory);
    free(f->plain);
}

static uint32_t plain_next(const struct fixture *f, uint32_t from, uint32_t end)
{
    while (from < end && !f->plain[from])
        from++;
    return from < end ? from : end;
}

static void expect_same(const struct fixture *f)
{
    uint32_t from = 0;
    do {
        const uint32_t next = bitmap_next(&f->bitmap, from, f->count);
        assert_int_equal(next, plain_next(f, from, f->count));
        from = next + 1;
    } while (from < f->count);
    for (unsigned i = 0; i < 50; i++) { /* and in parts */
        const uint32_t first = below(f->count), end = first + below(f->count - first + 1);
        assert_int_equal(bitmap_next(&f->bitmap, first, end), plain_next(f, first, end));
    }
}

static void marks_are_found_in_their_order(void **state)
{
    (void)state;
    srand(1);
    for (unsigned c = 0; c < COUNTS; c++) {
        struct fixture f;
        open_fixture(&f, counts[c]);
        for (unsigned round = 0; round < 20; round++) {
            for (uint32_t marks = below(8); marks; marks--) {
                const uint32_t index = round & 1 ? below(f.count) : below(2) ? 0 : f.count - 1;
                bitmap_set(&f.bitmap, index);
                f.plain[index] = true;
            }
            for (uint32_t runs = below(3); runs; runs--) {
                const uint32_t first = below(f.count), most = f.count - first + 1,
                               run = below(most < 300 || below(4) == 0 ? most : 300);
                bitmap_set_run(&f.bitmap, first, run);
                memset(f.plain + first, true, run);
            }
            expect_same(&f);
            bitmap_clear(&f.bitmap);
            memset(f.plain, false, f.count);
            expect_same(&f);
            assert_true(f.bitmap.blocks == 0);
            for (size_t i = 0; i < bitmap_bytes(f.count) / sizeof(uint64_t); i++)
                assert_true(f.memory[i] == 0);
        }
        close_fixture(&f);
    }
}

static void all_may_be_marked(void **state)
{
    (void)state;
    for (unsigned c = 0; c < COUNTS; c++) {
        struct fixture f;
        open_fixture(&f, counts[c]);
        bitmap_set_run(&f.bitmap, 0, f.count);
        memset(f.plain, true, f.count);
        expect_same(&f);
        close_fixture(&f);
    }
}

/* A mark costs its block to be found: no more than a 64th of all, or a word. */
static void blocks_are_small(void **state)
{
    (void)state;
    for (unsigned c = 0; c < COUNTS; c++) {
        const struct bitmap bitmap = bitmap_of(counts[c], NULL);
        const uint32_t block = 1u << bitmap.shift;
        assert_true((counts[c] - 1) / block < 64);
        assert_true(block <= 64 || block < 2 * ((counts[c] + 63) / 64));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_found_in_their_order),
        cmocka_unit_test(all_may_be_marked),
        cmocka_unit_test(blocks_are_small),
    };
    return cmocka_run_group_tests_name("bitmap", tests, NULL, NULL);
}
