/* SPDX-License-Identifier: MIT */
/* The table from handles to objects, beside a plain array that says what it must hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "objects/table.h"

static void an_empty_table_finds_nothing(void **state)
{
    (void)state;
    struct table table;
    assert_true(table_init(&table));
    assert_null(table_find(&table, 1));
    assert_null(table_find(&table, TABLE_EMPTY));
    assert_null(table_remove(&table, 1));
    assert_null(table_remove(&table, TABLE_EMPTY));
    table_finish(&table);
}

static void a_key_that_is_there_gets_the_new_value(void **state)
{
    (void)state;
    int first, second;
    struct table table;
    assert_true(table_init(&table));
    assert_true(table_insert(&table, 7, &first));
    assert_true(table_insert(&table, 7, &second));
    assert_ptr_equal(table_find(&table, 7), &second);
    assert_ptr_equal(table_remove(&table, 7), &second);
    assert_null(table_find(&table, 7));
    assert_null(table_remove(&table, 7));
    table_finish(&table);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Keys as drivers make them: addresses, multiples of a power of two, small numbers, and ones that collide. */
static uint64_t key_of(unsigned kind, uint64_t index)
{
    switch (kind) {
    case 0:
        return 0x7f0000000000u + index * 64;
    case 1:
        return (index + 1) << 48;
    case 2:
        return index + 1;
    default:
        return ((index & 3) << 62) | (index + 1);
    }
}

static void count_value(void *value, void *user)
{
    size_t *seen = user;
    (void)value;
    ++*seen;
}

static void any_order_of_inserts_and_removals_keeps_every_key(void **state)
{
    (void)state;
    enum { KEYS = 700, STEPS = 60000 };
    static char values[KEYS];
    static void *expected[KEYS];
    for (unsigned kind = 0; kind < 4; kind++) {
        struct table table;
        uint64_t random = 0x9e3779b97f4a7c15u + kind;
        size_t live = 0;
        memset(expected, 0, sizeof(expected));
        assert_true(table_init(&table));
        for (unsigned step = 0; step < STEPS; step++) {
            uint64_t index = next_random(&random) % KEYS;
            bool fuller = step / 8000 % 2 == 0; /* grows, shrinks, grows … */
            bool insert = next_random(&random) % 8 < (fuller ? 6 : 2);
            uint64_t key = key_of(kind, index);
            if (insert) {
                assert_true(table_insert(&table, key, &values[index]));
                live += !expected[index];
                expected[index] = &values[index];
            } else {
                assert_ptr_equal(table_remove(&table, key), expected[index]);
                live -= expected[index] != NULL;
                expected[index] = NULL;
            }
            index = next_random(&random) % KEYS;
            assert_ptr_equal(table_find(&table, key_of(kind, index)), expected[index]);
        }
        size_t seen = 0;
        table_visit(&table, count_value, &seen);
        assert_int_equal(seen, live);
        for (uint64_t index = 0; index < KEYS; index++)
            assert_ptr_equal(table_find(&table, key_of(kind, index)), expected[index]);
        table_finish(&table);
    }
}

/* One key that comes and goes under ever new names: the arrays must not grow for it. */
static void keys_that_come_and_go_do_not_fill_the_table(void **state)
{
    (void)state;
    int value;
    struct table table;
    assert_true(table_init(&table));
    for (uint64_t key = 1; key < 200000; key++) {
        assert_true(table_insert(&table, key, &value));
        assert_ptr_equal(table_remove(&table, key), &value);
    }
    assert_true(atomic_load(&table.slots)->mask < 256);
    assert_int_equal(table.live, 0);
    table_finish(&table);
}

/* ---- Look-ups while others write ---- */

enum { READERS = 3, STANDING = 50 };

struct shared {
    struct table table;
    char standing[STANDING];
    atomic_bool done;
    atomic_uint wrong;
};

static void *read_standing(void *user)
{
    struct shared *s = user;
    while (!atomic_load(&s->done)) {
        for (uint64_t i = 0; i < STANDING; i++) {
            if (table_find(&s->table, 1000000 + i) != &s->standing[i])
                atomic_fetch_add(&s->wrong, 1);
        }
    }
    return NULL;
}

/* Keys that stay are found whatever other threads insert and remove, also while the table grows. */
static void readers_find_standing_keys_while_others_come_and_go(void **state)
{
    (void)state;
    static struct shared s;
    pthread_t readers[READERS];
    assert_true(table_init(&s.table));
    for (uint64_t i = 0; i < STANDING; i++)
        assert_true(table_insert(&s.table, 1000000 + i, &s.standing[i]));
    for (unsigned i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&readers[i], NULL, read_standing, &s), 0);
    uint64_t random = 88172645463325252u;
    for (unsigned step = 0; step < 100000; step++) {
        uint64_t key = 1 + next_random(&random) % (step < 50000 ? 100 : 5000);
        if (next_random(&random) % 2)
            assert_true(table_insert(&s.table, key, &s));
        else
            table_remove(&s.table, key);
    }
    atomic_store(&s.done, true);
    for (unsigned i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    assert_int_equal(atomic_load(&s.wrong), 0);
    table_finish(&s.table);
}

/* Slots that the searches for all keys pass before their own. */
static uint64_t passed_slots(const struct table *table, const uint64_t *keys, uint32_t count)
{
    const struct table_slots *slots = atomic_load(&table->slots);
    uint64_t passed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = table_start(slots, keys[i]);
        while (atomic_load(&slots->slot[at].key) != keys[i]) {
            assert_int_not_equal(atomic_load(&slots->slot[at].key), TABLE_EMPTY);
            at = (at + 1) & slots->mask;
            passed++;
        }
    }
    return passed;
}

/* What an allocator gives for objects of one size. */
static void addresses_at_equal_distances_lie_apart(void **state)
{
    (void)state;
    static uint64_t keys[1000];
    static const uint64_t bases[] = {0x5555557de860, 0x7f3a10000000, 0x40};
    for (uint64_t distance = 16; distance <= 16384; distance += 16) {
        for (unsigned i = 0; i < 2 * sizeof(bases) / sizeof(bases[0]); i++) {
            const uint32_t count = i % 2 ? 1000 : 32;
            struct table table;
            assert_true(table_init(&table));
            for (uint32_t k = 0; k < count; k++) {
                keys[k] = bases[i / 2] + k * distance;
                assert_true(table_insert(&table, keys[k], &table));
            }
            assert_true(passed_slots(&table, keys, count) <= count);
            table_finish(&table);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_finds_nothing),
        cmocka_unit_test(a_key_that_is_there_gets_the_new_value),
        cmocka_unit_test(any_order_of_inserts_and_removals_keeps_every_key),
        cmocka_unit_test(keys_that_come_and_go_do_not_fill_the_table),
        cmocka_unit_test(addresses_at_equal_distances_lie_apart),
        cmocka_unit_test(readers_find_standing_keys_while_others_come_and_go),
    };
    return cmocka_run_group_tests_name("track_table", tests, NULL, NULL);
}
