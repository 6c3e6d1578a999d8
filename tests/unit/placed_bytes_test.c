/* SPDX-License-Identifier: MIT */
/* Application-managed descriptors that were asked for before: what is the same, how long it is, and threads that meet
 * at a place. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_driver.h"
#include "app_descriptors/bytes.h"

struct device device;

enum { TYPE = 1, LAYOUT = 5, ROOM = (DESCRIPTOR_CACHE_WORDS + 1) * sizeof(uint64_t) };

/* A key of its own for each `seed`, in the present. */
static struct descriptor_key key_of(uint64_t seed, size_t size)
{
    struct descriptor_key key = {
        .device = 0x1000, .gone = gone_count(GONE_HANDLES), .how = bytes_how(BYTES_GET, TYPE, size, LAYOUT)};
    for (uint32_t i = 0; i < DESCRIPTOR_KEY_MOST; i++)
        key.words[i] = (seed + i) * UINT64_C(0x9e3779b97f4a7c15) | 1;
    return key;
}

static void fill(unsigned char *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(seed * 31 + i);
}

static bool found(const struct descriptor_key *key, uint32_t count)
{
    char bytes[ROOM];
    return bytes_find(key, count, bytes);
}

static void bytes_of_every_size_come_back_with_the_number_behind_them(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= DESCRIPTOR_KEY_MOST; count++) {
        for (size_t size = 4; size <= (DESCRIPTOR_CACHE_WORDS - count) * sizeof(uint64_t); size += 4) {
            const struct descriptor_key key = key_of(size, size);
            unsigned char bytes[ROOM], got[ROOM];
            uint32_t number;
            fill(bytes, size, count);
            memset(got, 0xee, sizeof(got));
            assert_false(bytes_wanted(&key, count, size)); /* nobody has asked for it before */
            assert_true(bytes_wanted(&key, count, size));
            bytes_insert(&key, count, bytes, size, 0xabcde);
            assert_true(bytes_find(&key, count, (char *)got + 1)); /* aligned to nothing */
            assert_memory_equal(got + 1, bytes, size);
            memcpy(&number, got + 1 + size, sizeof(number));
            assert_int_equal(number, 0xabcde);
            assert_int_equal(got[0], 0xee);
            assert_int_equal(got[1 + size + sizeof(number)], 0xee);
        }
    }
}

/* Zeros as far as the program's size goes, and no further. */
static void nothing_is_left_behind_the_number(void **state)
{
    (void)state;
    enum { DRIVER = 24, MOST = 140 };
    for (size_t size = DRIVER + 4; size < MOST; size += 4) {
        const struct descriptor_key key = key_of(1000 + size, size);
        unsigned char bytes[DRIVER], got[ROOM];
        uint32_t number;
        fill(bytes, sizeof(bytes), 5);
        memset(got, 0xee, sizeof(got));
        bytes_insert(&key, 3, bytes, sizeof(bytes), 0xabcde);
        assert_true(bytes_find(&key, 3, (char *)got));
        assert_memory_equal(got, bytes, sizeof(bytes));
        memcpy(&number, got + DRIVER, sizeof(number));
        assert_int_equal(number, 0xabcde);
        for (size_t at = DRIVER + sizeof(number); at < ROOM; at++)
            assert_int_equal(got[at], at < size ? 0 : 0xee);
    }
}

static void what_has_no_room_is_not_wanted(void **state)
{
    (void)state;
    const struct descriptor_key key = key_of(77, 16);
    for (unsigned i = 0; i < 3; i++) {
        assert_false(bytes_wanted(&key, 2, (DESCRIPTOR_CACHE_WORDS - 2) * sizeof(uint64_t) + 4));
        assert_false(bytes_wanted(&key, 2, 17));
    }
}

static void whatever_differs_is_another_descriptor(void **state)
{
    (void)state;
    const unsigned char bytes[16] = {1};
    const struct descriptor_key key = key_of(3, sizeof(bytes));
    bytes_insert(&key, 4, bytes, sizeof(bytes), 1);
    assert_true(found(&key, 4));
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t bit = 0; bit < 64; bit++) {
            struct descriptor_key other = key;
            other.words[i] ^= UINT64_C(1) << bit;
            assert_false(found(&other, 4));
        }
    }
    struct descriptor_key other = key;
    other.device += 16;
    assert_false(found(&other, 4));
    const uint64_t hows[] = {bytes_how(BYTES_WRITE, TYPE, 16, LAYOUT), bytes_how(BYTES_GET, 2, 16, LAYOUT),
                             bytes_how(BYTES_GET, TYPE, 32, LAYOUT), bytes_how(BYTES_GET, TYPE, 16, LAYOUT + 1),
                             bytes_how(BYTES_GET, TYPE, 16, 1000001002)};
    for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++) {
        other = key;
        other.how = hows[i];
        assert_false(found(&other, 4));
    }
    assert_true(found(&key, 4));
}

/* Those that come to the place of the one that is kept there differ in one word each. */
static void what_comes_to_the_same_place_is_another_descriptor(void **state)
{
    (void)state;
    const unsigned char bytes[16] = {1};
    const struct descriptor_key key = key_of(5, sizeof(bytes));
    for (uint32_t count = 1; count <= DESCRIPTOR_KEY_MOST; count++) {
        bytes_insert(&key, count, bytes, sizeof(bytes), 1);
        assert_true(found(&key, count));
        for (uint32_t i = 0; i < count; i++) {
            unsigned met = 0;
            for (uint64_t n = 1; met < 3 && n < UINT64_C(100) << DESCRIPTOR_CACHE_LOG2; n++) {
                struct descriptor_key other = key;
                other.words[i] += n * UINT64_C(0x2545f4914f6cdd1d);
                if ((descriptor_hash(&other, count) ^ descriptor_hash(&key, count)) >> (64 - DESCRIPTOR_CACHE_LOG2))
                    continue;
                assert_false(found(&other, count));
                met++;
            }
            assert_int_equal(met, 3);
        }
    }
}

static void nothing_outlives_a_handle_that_is_gone(void **state)
{
    (void)state;
    const unsigned char bytes[16] = {1};
    struct descriptor_key key = key_of(4, sizeof(bytes));
    bytes_insert(&key, 2, bytes, sizeof(bytes), 1);
    assert_true(found(&key, 2));
    gone_add(GONE_IMAGES); /* of which this knows nothing */
    key.gone = gone_count(GONE_HANDLES);
    assert_true(found(&key, 2));
    gone_add(GONE_HANDLES);
    key.gone = gone_count(GONE_HANDLES);
    assert_false(found(&key, 2));
    bytes_insert(&key, 2, bytes, sizeof(bytes), 2);
    assert_true(found(&key, 2));
}

/* ---- Threads ---- */

enum { THREADS = 4, TURNS = 400000, SIZE = 96, RIVALS = 3 };

/* Keys that share one place. */
static struct descriptor_key rivals[RIVALS];

static void find_rivals(void)
{
    rivals[0] = key_of(1, SIZE);
    uint32_t count = 1;
    for (uint64_t seed = 2; count < RIVALS; seed++) {
        const struct descriptor_key key = key_of(seed * 1000, SIZE);
        if (descriptor_hash(&key, 2) >> (64 - DESCRIPTOR_CACHE_LOG2) ==
            descriptor_hash(&rivals[0], 2) >> (64 - DESCRIPTOR_CACHE_LOG2))
            rivals[count++] = key;
    }
}

struct worker {
    pthread_t thread;
    uint32_t first, hits, wrong;
    bool keeps; /* all the time; else only what it does not find */
};

/* Those that have not found enough. */
static atomic_uint searching;

/* What is found is whole, and is what was kept for this key. Whoever keeps all the time does it until all have found
   enough: one that stops in the middle of it leaves nothing to be found for as long as it does not run. */
static void *work(void *user)
{
    struct worker *worker = user;
    bool enough = false;
    for (uint32_t turn = 0; worker->keeps ? turn < TURNS || searching : !enough; turn++) {
        const uint32_t r = (worker->first + turn / 7) % RIVALS;
        unsigned char bytes[SIZE], got[ROOM];
        uint32_t number;
        fill(bytes, SIZE, r);
        const bool hit = !worker->keeps && bytes_find(&rivals[r], 2, (char *)got);
        if (!hit && (worker->keeps || turn % 64 == 0))
            bytes_insert(&rivals[r], 2, bytes, SIZE, r + 1);
        if (hit) {
            memcpy(&number, got + SIZE, sizeof(number));
            worker->hits++;
            worker->wrong += memcmp(got, bytes, SIZE) != 0 || number != r + 1;
        }
        enough = turn >= TURNS && worker->hits >= TURNS / 100;
    }
    if (!worker->keeps)
        searching--;
    return NULL;
}

static void threads_that_meet_at_a_place_never_see_halves(void **state)
{
    (void)state;
    struct worker workers[THREADS] = {0};
    find_rivals();
    searching = THREADS / 2;
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i].first = i;
        workers[i].keeps = i % 2;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].wrong, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_every_size_come_back_with_the_number_behind_them),
        cmocka_unit_test(nothing_is_left_behind_the_number),
        cmocka_unit_test(what_has_no_room_is_not_wanted),
        cmocka_unit_test(whatever_differs_is_another_descriptor),
        cmocka_unit_test(what_comes_to_the_same_place_is_another_descriptor),
        cmocka_unit_test(nothing_outlives_a_handle_that_is_gone),
        cmocka_unit_test(threads_that_meet_at_a_place_never_see_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
