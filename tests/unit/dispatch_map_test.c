/* SPDX-License-Identifier: MIT */
/* Look-ups of instances and devices by their dispatch keys (layer/device/dispatch_map/dispatch_map.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dispatch_map/dispatch_map.h"

enum { MANY = 1000, THREADS = 8, ROUNDS = 2000 };

static int keys[MANY], objects[MANY];

static void many_more_than_a_chunk_are_found_again(void **state)
{
    static struct dispatch_map map = DISPATCH_MAP_INITIALIZER;
    (void)state;
    for (int i = 0; i < MANY; i++)
        assert_true(dispatch_map_insert(&map, &keys[i], &objects[i]));
    for (int i = 0; i < MANY; i++)
        assert_ptr_equal(dispatch_map_find(&map, &keys[i]), &objects[i]);
    for (int i = 0; i < MANY; i += 2)
        assert_ptr_equal(dispatch_map_remove(&map, &keys[i]), &objects[i]);
    for (int i = 0; i < MANY; i++)
        assert_ptr_equal(dispatch_map_find(&map, &keys[i]), i % 2 ? &objects[i] : NULL);
}

static void unknown_and_null_keys_are_not_found(void **state)
{
    static struct dispatch_map map = DISPATCH_MAP_INITIALIZER;
    (void)state;
    assert_null(dispatch_map_find(&map, &keys[0]));
    assert_null(dispatch_map_find(&map, NULL));
    assert_null(dispatch_map_remove(&map, &keys[0]));
    assert_null(dispatch_map_remove(&map, NULL));
}

static void a_removed_key_can_come_back_with_another_object(void **state)
{
    static struct dispatch_map map = DISPATCH_MAP_INITIALIZER;
    (void)state;
    assert_true(dispatch_map_insert(&map, &keys[3], &objects[3]));
    assert_ptr_equal(dispatch_map_remove(&map, &keys[3]), &objects[3]);
    assert_true(dispatch_map_insert(&map, &keys[3], &objects[4]));
    assert_ptr_equal(dispatch_map_find(&map, &keys[3]), &objects[4]);
}

static struct dispatch_map shared = DISPATCH_MAP_INITIALIZER;

/* Each thread sees its own keys come and go while the others do the same around them. */
static void *come_and_go(void *user)
{
    const size_t first = (size_t)(uintptr_t)user * 100;
    for (size_t round = 0; round < ROUNDS; round++) {
        const size_t i = first + round % 100;
        if (!dispatch_map_insert(&shared, &keys[i], &objects[i]) ||
            dispatch_map_find(&shared, &keys[i]) != &objects[i] ||
            dispatch_map_remove(&shared, &keys[i]) != &objects[i] || dispatch_map_find(&shared, &keys[i]))
            return &shared;
    }
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    pthread_t threads[THREADS];
    (void)state;
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)(uintptr_t)i), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_more_than_a_chunk_are_found_again),
        cmocka_unit_test(unknown_and_null_keys_are_not_found),
        cmocka_unit_test(a_removed_key_can_come_back_with_another_object),
        cmocka_unit_test(threads_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
