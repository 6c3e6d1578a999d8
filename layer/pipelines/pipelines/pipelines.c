/* SPDX-License-Identifier: MIT */
/*
 * Makes and frees the table of pipelines, and makes each tier once: the first thread that needs it compiles it, without
 * a lock, and others wait.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ahead/helper.h"
#include "device/device.h"
#include "device/message.h"
#include "modules/shader_module.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipelines.h"
#include "platform/threads.h"
#include "text/text.h"

enum { TIER_LOCKS = sizeof(((struct pipelines *)0)->tier_locks) / sizeof(struct tier_lock) };

static bool lock_init(struct tier_lock *lock)
{
    return !pthread_mutex_init(&lock->mutex, NULL) && thread_condition_init(&lock->made);
}

bool pipelines_init(struct track *track)
{
    struct pipelines *p = track->pipelines;
    bool done = table_init(&p->pipelines) && table_init(&p->binaries) && order_variants_init(&p->orders);
    for (size_t i = 0; i < TIER_LOCKS; i++)
        done &= lock_init(&p->tier_locks[i]);
    return done;
}

void pipelines_finish(struct track *track)
{
    struct pipelines *p = track->pipelines;
    table_finish(&p->pipelines);
    table_finish(&p->binaries);
    order_variants_finish(&p->orders);
    for (size_t i = 0; i < TIER_LOCKS; i++) {
        pthread_cond_destroy(&p->tier_locks[i].made);
        pthread_mutex_destroy(&p->tier_locks[i].mutex);
    }
}

/* Objects are far enough apart that neighbours have different locks. */
static struct tier_lock *lock_of(struct track *track, const void *object)
{
    return &track->pipelines->tier_locks[(uintptr_t)object / 64 % TIER_LOCKS];
}

pthread_mutex_t *tier_lock(struct track *track, const void *object)
{
    return &lock_of(track, object)->mutex;
}

/* ---- Waiting ---- */

enum { PATIENCE = 50 * 1000 * 1000 }; /* nanoseconds */

/*
 * Waits for the thread that makes a tier. False: that thread gets less than half of a processor, so the caller should
 * make the tier itself. A worker has the lowest priority, which cannot be raised again, so on a busy machine a draw
 * could wait for minutes.
 */
static bool wait_for_maker(struct tier_lock *lock, struct tier_slot *slot)
{
    const int64_t begin = thread_time(), worked = thread_worked(slot->clock);
    const bool over = slot->cause == TIER_AHEAD && slot->makers == 1
                          ? !thread_wait_until(&lock->made, &lock->mutex, begin + PATIENCE)
                          : pthread_cond_wait(&lock->made, &lock->mutex) != 0;
    if (!over || slot->makers != 1 || slot->cause != TIER_AHEAD)
        return true;
    return 2 * (thread_worked(slot->clock) - worked) >= thread_time() - begin;
}

/* ---- Making ---- */

static bool is_settled(const struct tier_slot *slot)
{
    return atomic_load_explicit(&slot->made, memory_order_relaxed) ||
           atomic_load_explicit(&slot->failed, memory_order_relaxed) != VK_SUCCESS;
}

#define ABOUT_OWNER(owner) ABOUT({(owner)->type, atomic_load_explicit((owner)->handle, memory_order_relaxed)})

static const char *purpose_of(uint32_t key)
{
    return key_is_order(key) ? " for attachments in another order of channels"
           : key             ? " for attachments without alpha"
                             : "";
}

static void report_made(struct track *track, const struct tier_owner *owner, uint32_t tier, uint32_t key,
                        enum tier_cause cause, int64_t took, int64_t waited)
{
    static const char *const causes[] = {"at a draw", "with its creation", "ahead of draws",
                                         "with its creation, out of a cache"};
    enum { PARTS = 512 }; /* not on the stack of a draw */
    char wait[80] = "", took_ms[TEXT_NUMBER], waited_ms[TEXT_NUMBER];
    char *parts = track->device->instance->settings.log_level < LOG_INFO ? NULL : malloc(PARTS);
    if (!parts)
        return;
    owner->report(owner->object, parts, PARTS);
    if (waited) /* as draws_waited counts */
        snprintf(wait, sizeof(wait), ", a draw waited %s ms for another thread",
                 text_number((double)waited / 1e6, waited_ms));
    else if (cause == TIER_AHEAD)
        snprintf(wait, sizeof(wait), ", no draw waited");
    message_about(track->device, LOG_INFO, ABOUT_OWNER(owner), "compiled tier %u%s%s of a %s in %s ms %s%s: %s",
                  tier_reported(tier),
                  tier == TIER_FILTER_EXTRAS   ? " with extras"
                  : tier == TIER_FILTER_TEXELS ? " texel by texel"
                  : tier == TIER_FILTER_PROBES ? " with probes"
                  : tier == TIER_FILTER_LEVELS ? " between levels"
                                               : "",
                  purpose_of(key), owner->type == VK_OBJECT_TYPE_PIPELINE ? "pipeline" : "shader object",
                  text_number((double)took / 1e6, took_ms), causes[cause], wait, parts);
    free(parts);
}

static void report_failed(struct track *track, const struct tier_owner *owner, uint32_t tier, uint32_t key,
                          VkResult error)
{
    message_about(track->device, LOG_ERROR, ABOUT_OWNER(owner),
                  "compiling tier %u%s of a %s failed (VkResult %d): its draws keep the one they have",
                  tier_reported(tier), purpose_of(key),
                  owner->type == VK_OBJECT_TYPE_PIPELINE ? "pipeline" : "shader object", (int)error);
}

static void count_made(struct track *track, uint32_t tier, enum tier_cause cause, int64_t took)
{
    struct counters *counters = &track->counters;
    count(&counters->pipelines[tier_reported(tier)], 1);
    if (cause == TIER_AHEAD) {
        count(&counters->compiled_ahead, 1);
        count(&counters->ahead_ns, (uint64_t)took);
    } else if (cause == TIER_AT_DRAW) {
        count(&counters->compiled_at_draws, 1);
        count(&counters->at_draws_ns, (uint64_t)took);
    }
}

/* The arguments for a helper. */
struct making {
    struct track *track;
    const struct tier_owner *owner;
    uint32_t tier, key;
    enum tier_cause cause;
    struct tier_slot *made;
    VkResult result;
};

static void run_making(void *user)
{
    struct making *making = user;
    making->result = making->owner->make(making->track, making->owner->object, making->tier, making->key, making->cause,
                                         making->made);
}

/*
 * Draws compile on a helper's stack, because the program's may be too small for a compiler; creation of pipelines uses
 * the program's.
 */
static VkResult make_where_it_fits(struct making *making)
{
    if (making->cause == TIER_AT_DRAW)
        helper_run(making->track, run_making, making);
    else
        run_making(making);
    return making->result;
}

/* Under the object's tier lock, which is released meanwhile. */
static void make(struct track *track, struct tier_lock *lock, struct tier_slot *slot, const struct tier_owner *owner,
                 uint32_t tier, uint32_t key, enum tier_cause cause, VkResult *error)
{
    struct tier_slot made = {.borrowed = false};
    const int64_t begin = thread_time();
    if (slot->makers++ == 0) {
        slot->cause = cause;
        slot->clock = thread_own_clock();
    }
    pthread_mutex_unlock(&lock->mutex);
    *error = make_where_it_fits(&(struct making){track, owner, tier, key, cause, &made, VK_SUCCESS});
    const int64_t end = thread_time();
    uint64_t object = atomic_load_explicit(&made.made, memory_order_relaxed);

    pthread_mutex_lock(&lock->mutex);
    slot->makers--;
    const bool first = !is_settled(slot);
    const bool again = cause == TIER_AHEAD || *error == VK_PIPELINE_COMPILE_REQUIRED; /* a draw tries */
    const int64_t waited = slot->waited_since ? end - slot->waited_since : 0;
    if (first && *error == VK_SUCCESS) {
        slot->borrowed = made.borrowed;
        if (!made.borrowed)
            count_made(track, tier, cause, end - begin);
        atomic_store_explicit(&slot->made, object, memory_order_release);
    } else if (first && !again) {
        atomic_store_explicit(&slot->failed, *error, memory_order_relaxed);
    }
    pthread_cond_broadcast(&lock->made);
    pthread_mutex_unlock(&lock->mutex);

    if (first && *error == VK_SUCCESS && !made.borrowed)
        report_made(track, owner, tier, key, cause, end - begin, waited);
    else if (first && *error != VK_SUCCESS && !again)
        report_failed(track, owner, tier, key, *error);
    else if (!first && object && !made.borrowed)
        owner->destroy(track, object); /* another thread was faster */
    pthread_mutex_lock(&lock->mutex);
}

/* Under the lock. */
static void await(struct track *track, struct tier_lock *lock, struct tier_slot *slot)
{
    const int64_t begin = thread_time();
    if (!slot->waited_since)
        slot->waited_since = begin;
    while (!is_settled(slot) && slot->makers && wait_for_maker(lock, slot))
        ;
    count(&track->counters.draws_waited, 1);
    count(&track->counters.waited_ns, (uint64_t)(thread_time() - begin));
}

uint64_t tier_made(struct track *track, struct tier_slot *slot, const struct tier_owner *owner, uint32_t tier,
                   uint32_t key, enum tier_cause cause, VkResult *error)
{
    const uint64_t made = atomic_load_explicit(&slot->made, memory_order_acquire);
    *error = VK_SUCCESS;
    if (made)
        return made;
    struct tier_lock *lock = lock_of(track, owner->object);
    const int cancel = thread_uncancelled();
    pthread_mutex_lock(&lock->mutex);
    if (slot->makers && cause != TIER_AHEAD && !is_settled(slot))
        await(track, lock, slot);
    if (!is_settled(slot) && (cause != TIER_AHEAD || !slot->makers))
        make(track, lock, slot, owner, tier, key, cause, error);
    const uint64_t object = atomic_load_explicit(&slot->made, memory_order_relaxed);
    const VkResult failed = atomic_load_explicit(&slot->failed, memory_order_relaxed);
    pthread_mutex_unlock(&lock->mutex);
    thread_cancelled_again(cancel);
    *error = object ? VK_SUCCESS : failed;
    return object;
}

/* ---- Variants ---- */

struct variant *variant_find(const _Atomic(struct variant *) *variants, uint32_t tier, uint32_t key)
{
    struct variant *variant = atomic_load_explicit(variants, memory_order_acquire);
    while (variant && (variant->tier != tier || variant->key != key))
        variant = variant->next;
    return variant;
}

struct tier_slot *variant_slot(struct track *track, const void *owner, _Atomic(struct variant *) *variants,
                               uint32_t tier, uint32_t key)
{
    struct variant *known = variant_find(variants, tier, key);
    if (known)
        return &known->slot;
    pthread_mutex_t *lock = tier_lock(track, owner);
    pthread_mutex_lock(lock);
    known = variant_find(variants, tier, key);
    if (!known && (known = object_alloc(track, NULL, sizeof(*known)))) {
        known->tier = tier;
        known->key = key;
        known->next = atomic_load_explicit(variants, memory_order_relaxed);
        atomic_store_explicit(variants, known, memory_order_release);
    }
    pthread_mutex_unlock(lock);
    return known ? &known->slot : NULL;
}

void variants_free(struct track *track, _Atomic(struct variant *) *variants,
                   void (*destroy)(struct track *track, uint64_t made))
{
    for (struct variant *variant = atomic_load_explicit(variants, memory_order_relaxed), *next; variant;
         variant = next) {
        const uint64_t made = atomic_load_explicit(&variant->slot.made, memory_order_relaxed);
        next = variant->next;
        if (made)
            destroy(track, made);
        object_free(track, NULL, variant, sizeof(*variant));
    }
}
