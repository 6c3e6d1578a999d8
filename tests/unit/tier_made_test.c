/* SPDX-License-Identifier: MIT */
/* How a tier is made once, whoever needs it (layer/pipelines/pipelines/pipelines.c): who waits, who gives up, what is
 * kept. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "device/device.h"
#include "device/message.h"
#include "need/need.h"
#include "objects/track.h"
#include "pipelines/pipelines.h"
#include "track/subsystems.h"

/* What failed is said; to nobody here. */
void message_about(const struct device *about, enum log_level level, const struct message_object *objects,
                   const char *format, ...)
{
    (void)about, (void)level, (void)objects, (void)format;
}

static struct instance instance;
static struct device device = {.instance = &instance};
static struct subsystems subsystems;
static struct track track = {.device = &device, SUBSYSTEMS_OF(subsystems)};

/* What stands for a pipeline: whoever makes a tier of it says so, and stands still while `halted` says so. */
static struct {
    atomic_uint making, made, destroyed;
    _Atomic(uint64_t) lost; /* destroyed last */
    atomic_bool halted;
    _Atomic(VkResult) result;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} driver = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local bool halts; /* this thread stands still where it may */

static void report_all(void)
{
    pthread_mutex_lock(&driver.lock);
    pthread_cond_broadcast(&driver.changed);
    pthread_mutex_unlock(&driver.lock);
}

static VkResult make(struct track *of, void *object, uint32_t tier, uint32_t key, enum tier_cause cause,
                     struct tier_slot *made)
{
    (void)of, (void)object, (void)tier, (void)key, (void)cause;
    const VkResult result = atomic_load(&driver.result);
    atomic_fetch_add(&driver.making, 1);
    report_all();
    pthread_mutex_lock(&driver.lock);
    while (halts && atomic_load(&driver.halted))
        pthread_cond_wait(&driver.changed, &driver.lock);
    pthread_mutex_unlock(&driver.lock);
    if (result == VK_SUCCESS)
        atomic_store(&made->made, 100 + atomic_fetch_add(&driver.made, 1));
    return result;
}

static void destroy(struct track *of, uint64_t made)
{
    (void)of;
    atomic_fetch_add(&driver.destroyed, 1);
    atomic_store(&driver.lost, made);
}

static void report(const void *object, char *text, size_t size)
{
    (void)object, (void)size;
    text[0] = 0;
}

static struct tier_slot slot;
static const _Atomic(uint64_t) handle = 1;
static const struct tier_owner owner = {&slot, VK_OBJECT_TYPE_PIPELINE, &handle, make, destroy, report};

struct maker {
    enum tier_cause cause;
    uint64_t made;
    VkResult error;
};

static void *halting(void *user)
{
    struct maker *maker = user;
    halts = true;
    maker->made = tier_made(&track, &slot, &owner, TIER_FILTER, 0, maker->cause, &maker->error);
    return NULL;
}

/* Another thread is making the tier, and stands still. */
static pthread_t begin(struct maker *maker)
{
    pthread_t thread;
    atomic_store(&driver.halted, true);
    assert_int_equal(pthread_create(&thread, NULL, halting, maker), 0);
    pthread_mutex_lock(&driver.lock);
    while (!atomic_load(&driver.making))
        pthread_cond_wait(&driver.changed, &driver.lock);
    pthread_mutex_unlock(&driver.lock);
    return thread;
}

static void go_on(void)
{
    atomic_store(&driver.halted, false);
    report_all();
}

static int setup(void **state)
{
    (void)state;
    slot = (struct tier_slot){.makers = 0};
    atomic_store(&driver.making, 0);
    atomic_store(&driver.made, 0);
    atomic_store(&driver.destroyed, 0);
    atomic_store(&driver.result, VK_SUCCESS);
    memset(&track.counters, 0, sizeof(track.counters));
    return 0;
}

static void a_draw_gives_up_on_a_worker_that_gets_nowhere(void **state)
{
    (void)state;
    struct maker worker = {.cause = TIER_AHEAD};
    VkResult error;
    pthread_t thread = begin(&worker);
    assert_int_equal(tier_made(&track, &slot, &owner, TIER_FILTER, 0, TIER_AT_DRAW, &error), 100);
    assert_int_equal(error, VK_SUCCESS);
    go_on();
    pthread_join(thread, NULL);
    assert_int_equal(worker.made, 100);
    assert_int_equal(driver.making, 2);
    assert_int_equal(driver.destroyed, 1);
    assert_int_equal(driver.lost, 101);
    assert_int_equal(track.counters.compiled_at_draws, 1);
    assert_int_equal(track.counters.compiled_ahead, 0);
    assert_int_equal(track.counters.draws_waited, 1);
    assert_int_equal(track.counters.pipelines[2], 1);
}

static void *draw(void *user)
{
    struct maker *maker = user;
    maker->made = tier_made(&track, &slot, &owner, TIER_FILTER, 0, maker->cause, &maker->error);
    return NULL;
}

/* However long: both have the same priority. */
static void draws_wait_for_another_draw(void **state)
{
    (void)state;
    struct maker first = {.cause = TIER_AT_DRAW},
                 others[3] = {{.cause = TIER_AT_DRAW}, {.cause = TIER_AT_DRAW}, {.cause = TIER_AT_DRAW}};
    pthread_t thread = begin(&first), threads[3];
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, draw, &others[i]), 0);
    VkResult error;
    assert_int_equal(tier_made(&track, &slot, &owner, TIER_FILTER, 0, TIER_AHEAD, &error), 0); /* waits for nobody */
    go_on();
    pthread_join(thread, NULL);
    for (unsigned i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(others[i].made, 100);
    }
    assert_int_equal(driver.making, 1);
    assert_int_equal(driver.destroyed, 0);
    assert_int_equal(track.counters.compiled_at_draws, 1);
}

static void what_a_worker_failed_to_make_is_tried_by_a_draw_and_by_no_other(void **state)
{
    (void)state;
    VkResult error;
    atomic_store(&driver.result, VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_int_equal(tier_made(&track, &slot, &owner, TIER_FILTER, 0, TIER_AHEAD, &error), 0);
    atomic_store(&driver.result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(tier_made(&track, &slot, &owner, TIER_FILTER, 0, TIER_AT_DRAW, &error), 0);
    assert_int_equal(error, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    atomic_store(&driver.result, VK_SUCCESS);
    assert_int_equal(tier_made(&track, &slot, &owner, TIER_FILTER, 0, TIER_AT_DRAW, &error), 0);
    assert_int_equal(error, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(driver.making, 2);
    assert_int_equal(track.counters.pipelines[2], 0);
}

static void a_draw_waiting_for_a_worker_that_fails_makes_it_itself(void **state)
{
    (void)state;
    struct maker worker = {.cause = TIER_AHEAD}, drawn = {.cause = TIER_AT_DRAW};
    atomic_store(&driver.result, VK_ERROR_OUT_OF_HOST_MEMORY);
    pthread_t thread = begin(&worker), drawing;
    atomic_store(&driver.result, VK_SUCCESS);
    assert_int_equal(pthread_create(&drawing, NULL, draw, &drawn), 0);
    go_on();
    pthread_join(thread, NULL);
    pthread_join(drawing, NULL);
    assert_int_equal(drawn.made, 100);
    assert_int_equal(drawn.error, VK_SUCCESS);
    assert_int_equal(driver.making, 2);
    assert_int_equal(driver.destroyed, 0);
}

static int open_room(void **state)
{
    (void)state;
    return pipelines_init(&track) ? 0 : -1;
}

static int close_room(void **state)
{
    (void)state;
    pipelines_finish(&track);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_draw_gives_up_on_a_worker_that_gets_nowhere, setup),
        cmocka_unit_test_setup(draws_wait_for_another_draw, setup),
        cmocka_unit_test_setup(what_a_worker_failed_to_make_is_tried_by_a_draw_and_by_no_other, setup),
        cmocka_unit_test_setup(a_draw_waiting_for_a_worker_that_fails_makes_it_itself, setup),
    };
    return cmocka_run_group_tests_name("tier_made", tests, open_room, close_room);
}
