/* SPDX-License-Identifier: MIT */
/*
 * Several devices at once, each with descriptors that were written before it had GL state (noted_scene.h). The layer
 * finds one of the devices without a look-up (layer/device/device/device.h).
 */
#include <pthread.h>
#include <stdatomic.h>

#include "integration/descriptors/noted_ways.h"

/*
 * Devices in turn, of which the layer finds one at once (layer/device/device/device.h): the first, then another one
 * when that is destroyed, and one that may get its memory.
 */
static void devices_in_turn_keep_their_own_images(void **state)
{
    (void)state;
    enum { DEVICES = 3 };
    static struct noted devices[DEVICES];
    VkDescriptorSet sets[DEVICES][2];
    for (unsigned d = 0; d < DEVICES; d++)
        noted_open(&devices[d], &(struct noted_params){0});
    for (unsigned round = 0; round < 2 * DEVICES; round++) {
        for (unsigned d = 0; d < DEVICES; d++) {
            sets[d][0] = harness_set(&devices[d].scene.vk, devices[d].images);
            sets[d][1] = harness_set(&devices[d].scene.vk, devices[d].samplers);
        }
        for (unsigned way = 0; way < NOTED_WAYS; way++) {
            for (unsigned d = 0; d < DEVICES; d++)
                noted_write_in(&devices[d], sets[d][0], (enum noted_way)((way + d) % NOTED_WAYS));
        }
        struct noted *last = &devices[round % DEVICES];
        noted_samplers_come_later(last, false, round & 1, sets[round % DEVICES]);
        noted_close(last);
        noted_open(last, &(struct noted_params){0});
    }
    for (unsigned d = 0; d < DEVICES; d++)
        noted_close(&devices[d]);
}

struct writer {
    struct noted *noted;
    VkDescriptorSet set;
    atomic_bool *done;
};

static void *write_on(void *user)
{
    const struct writer *writer = user;
    do {
        noted_write_in(writer->noted, writer->set, NOTED_WAY_TEMPLATES);
        noted_write_in(writer->noted, writer->set, NOTED_WAY_COPIED_SINGLY);
        noted_write_in(writer->noted, writer->set, NOTED_WAY_SINGLE);
    } while (!atomic_load(writer->done));
    return NULL;
}

/* Threads write, each to its device, while a further device comes, is the one that is found at once or not, and goes.
 */
static void threads_write_while_devices_come_and_go(void **state)
{
    (void)state;
    enum { WRITERS = 2, ROUNDS = 4 };
    static struct noted first, devices[WRITERS];
    struct writer writers[WRITERS];
    pthread_t threads[WRITERS];
    atomic_bool done = false;
    noted_open(&first, &(struct noted_params){0});
    for (unsigned i = 0; i < WRITERS; i++) {
        noted_open(&devices[i], &(struct noted_params){0});
        writers[i] = (struct writer){&devices[i], harness_set(&devices[i].scene.vk, devices[i].images), &done};
    }
    for (unsigned i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_on, &writers[i]), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        noted_close(&first);
        noted_open(&first, &(struct noted_params){0});
    }
    atomic_store(&done, true);
    for (unsigned i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        const VkDescriptorSet sets[] = {writers[i].set, harness_set(&devices[i].scene.vk, devices[i].samplers)};
        noted_samplers_come_later(&devices[i], false, true, sets);
        noted_close(&devices[i]);
    }
    noted_close(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_in_turn_keep_their_own_images),
        cmocka_unit_test(threads_write_while_devices_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
