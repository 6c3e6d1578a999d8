/* SPDX-License-Identifier: MIT */
/* The one active device that its handles find by a comparison (layer/device/device/device.h), beside the map of all. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "device/device.h"

enum { DEVICES = 4, ROUNDS = 20000 };

/* A device and the loader's handle, whose first word is its key. */
struct made {
    void *handle; /* what the handle points to */
    struct device device;
    char table; /* the loader's table, by its address */
};

static void make(struct made *made, bool active)
{
    memset(made, 0, sizeof(*made));
    made->handle = &made->table;
    made->device.handle = (VkDevice)(void *)&made->handle;
    made->device.active = active;
    assert_true(device_publish(&made->device));
}

/* As a hook finds it. */
static struct device *found(const struct made *made)
{
    return device_is_known(&made->handle) ? known_device.device : device_of(&made->handle);
}

static void drop(struct made *made)
{
    device_withdraw(made->device.handle);
}

static void the_first_active_device_is_known(void **state)
{
    (void)state;
    struct made inert, first, second;
    make(&inert, false);
    make(&first, true);
    make(&second, true);
    assert_false(device_is_known(&inert.handle));
    assert_true(device_is_known(&first.handle));
    assert_false(device_is_known(&second.handle));
    assert_ptr_equal(found(&inert), &inert.device);
    assert_ptr_equal(found(&first), &first.device);
    assert_ptr_equal(found(&second), &second.device);
    drop(&second);
    drop(&first);
    drop(&inert);
}

static void another_active_device_follows_one_that_is_destroyed(void **state)
{
    (void)state;
    struct made inert, first, second, third;
    make(&first, true);
    make(&inert, false);
    make(&second, true);
    drop(&first);
    assert_true(device_is_known(&second.handle));
    assert_ptr_equal(found(&second), &second.device);
    assert_ptr_equal(found(&inert), &inert.device);
    drop(&second);
    assert_null(atomic_load(&known_device.key));
    assert_ptr_equal(found(&inert), &inert.device);
    make(&third, true);
    assert_true(device_is_known(&third.handle));
    drop(&third);
    drop(&inert);
}

/* The loader and malloc() give a new device the memory of the last one. */
static void a_device_at_the_same_address_is_not_taken_for_the_old_one(void **state)
{
    (void)state;
    struct made place, other;
    make(&place, true);
    make(&other, true);
    drop(&place);
    assert_false(device_is_known(&place.handle));
    make(&place, true);
    assert_true(device_is_known(&other.handle));
    assert_ptr_equal(found(&place), &place.device);
    assert_ptr_equal(found(&other), &other.device);
    drop(&other);
    assert_true(device_is_known(&place.handle));
    assert_ptr_equal(found(&place), &place.device);
    drop(&place);
}

/* Each thread makes and destroys a device of its own, while those of the others come, are known, and go. */
static void *come_and_go(void *user)
{
    struct made made;
    uintptr_t wrong = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        make(&made, user || round % 2);
        for (unsigned i = 0; i < 4; i++)
            wrong += found(&made) != &made.device;
        drop(&made);
    }
    return (void *)wrong;
}

static void threads_find_their_own_devices(void **state)
{
    (void)state;
    pthread_t threads[DEVICES];
    for (uintptr_t i = 0; i < DEVICES; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)i), 0);
    for (unsigned i = 0; i < DEVICES; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    assert_null(atomic_load(&known_device.key));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_active_device_is_known),
        cmocka_unit_test(another_active_device_follows_one_that_is_destroyed),
        cmocka_unit_test(a_device_at_the_same_address_is_not_taken_for_the_old_one),
        cmocka_unit_test(threads_find_their_own_devices),
    };
    return cmocka_run_group_tests_name("known_device", tests, NULL, NULL);
}
