/* SPDX-License-Identifier: MIT */
/*
 * The device's needs, from sampler states and classes of views. Views of one key have the same needs with every state,
 * so a state is resolved once with each class of views, when the later of the two appears. There are few of either:
 * programs have tens of states, and views differ in format and type alone.
 */
#include <stdlib.h>

#include "sampling/device_needs.h"
#include "device/held.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "record/record.h"
#include "resolve/classify.h"
#include "resolve/resolve.h"
#include "sampling/image.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"

/* With more classes of views than this, the device has all needs. */
enum { CLASSES_MOST = 4096 };

/* Views of one key, but for their sizes. */
struct view_class {
    struct view_class *next;
    struct view_facts facts;
    struct view_terms terms;
    bool requires_emulation;
};

/* Class NULL: of the state alone. */
static uint32_t needs_by(const struct sampler_state_object *state, const struct view_class *class,
                         const struct resolve_caps *caps, struct resolve_result *result)
{
    struct record record;
    resolve_decide(&state->state, class ? &class->facts : NULL, caps, result);
    if (!class)
        return record_needs(&result->terms.record);
    resolve_combine(&result->terms, &class->terms, &record);
    return record_needs(&record);
}

/* ---- Room in the driver ---- */

static void set(atomic_bool *is)
{
    atomic_store_explicit(is, true, memory_order_relaxed);
}

static bool is_set(const atomic_bool *is)
{
    return atomic_load_explicit(is, memory_order_relaxed);
}

/*
 * Threads count the program's samplers up without the lock: each counts first and then looks at what all have counted,
 * so that one of two sees both (sequentially consistent).
 */
static uint32_t count_of(const _Atomic(uint32_t) *count)
{
    return atomic_load(count);
}

/* Of both, so that nothing is counted. */
static bool is_short(const struct device_needs *device_needs)
{
    return is_set(&device_needs->short_of_samplers) && is_set(&device_needs->short_of_borders);
}

/* Memory ran out, or there are too many classes: the device has all needs. */
static void become_short(struct track *track)
{
    set(&track->sampling->device_needs.short_of_samplers);
    set(&track->sampling->device_needs.short_of_borders);
    device_needs_raise(track, UINT32_MAX);
}

/* No key that tables do not take. */
static uint64_t content_key(const struct driver_sampler *driver)
{
    return driver_sampler_hash(driver) >> 2 | UINT64_C(1) << 62;
}

/* The table has how many pairs of states and classes would have that sampler; each content counts once. */
static void content_comes(struct track *track, const struct driver_sampler *driver)
{
    struct device_needs *device_needs = &track->sampling->device_needs;
    const uint64_t key = content_key(driver);
    const uintptr_t users = (uintptr_t)table_find(&device_needs->contents, key);
    if (is_short(device_needs))
        return;
    if (!table_insert(&device_needs->contents, key, (void *)(users + 1))) {
        become_short(track);
        return;
    }
    if (users)
        return;
    atomic_fetch_add(&device_needs->samplers, 1);
    if (driver->custom_border)
        atomic_fetch_add(&device_needs->borders, 1);
}

static void content_goes(struct track *track, const struct driver_sampler *driver)
{
    struct device_needs *device_needs = &track->sampling->device_needs;
    const uint64_t key = content_key(driver);
    const uintptr_t users = (uintptr_t)table_find(&device_needs->contents, key);
    if (users > 1)
        table_insert(&device_needs->contents, key, (void *)(users - 1)); /* which is there */
    if (users != 1)
        return;
    table_remove(&device_needs->contents, key);
    atomic_fetch_sub_explicit(&device_needs->samplers, 1, memory_order_relaxed);
    if (driver->custom_border)
        atomic_fetch_sub_explicit(&device_needs->borders, 1, memory_order_relaxed);
}

static bool fills_samplers(const struct sampling *s)
{
    const struct device_needs *d = &s->device_needs;
    const uint64_t without_border = is_set(&d->short_of_borders) ? count_of(&d->borders) : 0;
    const uint64_t pairs = count_of(&d->samplers) + without_border;
    return pairs && pairs + count_of(&s->driver_samplers.of_program) > s->driver_samplers.most_with_pairs;
}

static bool fills_borders(const struct sampling *s)
{
    const uint32_t pairs = count_of(&s->device_needs.borders);
    return pairs && (uint64_t)pairs + count_of(&s->program_borders) > s->border_limit;
}

/* Is there room no longer? */
static bool room_ends(const struct sampling *s)
{
    return (!is_set(&s->device_needs.short_of_samplers) && fills_samplers(s)) ||
           (!is_set(&s->device_needs.short_of_borders) && fills_borders(s));
}

/* Called with the driver's sampler of a state and a class, where their pair has one. NULL: nothing is counted. */
typedef void count_content(struct track *track, const struct driver_sampler *driver);

static uint32_t needs_together(struct track *track, const struct sampler_state_object *state,
                               const struct view_class *class, count_content *counts)
{
    struct sampling *s = track->sampling;
    struct resolve_result result, other;
    uint32_t needs = needs_by(state, class, &track->device->caps.resolve, &result);
    if (!pair_needs_sampler(state, &result))
        return needs;
    if (counts)
        counts(track, &result.driver);
    if (result.driver.custom_border && is_set(&s->device_needs.short_of_borders))
        needs |= needs_by(state, class, &s->caps_without_border, &other);
    if (is_set(&s->device_needs.short_of_samplers))
        needs |= needs_by(state, class, &s->caps_of_common, &other);
    return needs;
}

/* Words as device_needs_word() has them. 0 where the state requires no emulation with such views. */
static uint64_t needs_of_class(struct track *track, const struct sampler_state_object *state,
                               const struct view_class *class, count_content *counts)
{
    return state->emulation == SAMPLER_EMULATED_ALWAYS ||
                   (state->emulation == SAMPLER_EMULATED_WITH_SOME_VIEWS && class->requires_emulation)
               ? device_needs_in_word(needs_together(track, state, class, counts), class->facts.integer)
               : 0;
}

static uint64_t needs_of_state(struct track *track, const struct sampler_state_object *state, count_content *counts)
{
    if (state->emulation == SAMPLER_EMULATED_NEVER)
        return 0;
    uint64_t needs = device_needs_in_word(needs_together(track, state, NULL, counts), false);
    for (const struct view_class *class = track->sampling->device_needs.classes; class; class = class->next)
        needs |= needs_of_class(track, state, class, counts);
    return needs;
}

/* The needs of all states where room has ended; else 0. */
static uint64_t needs_without_room(struct track *track)
{
    struct sampling *s = track->sampling;
    uint64_t needs = 0;
    if (!room_ends(s))
        return 0;
    if (fills_samplers(s))
        set(&s->device_needs.short_of_samplers);
    if (fills_borders(s))
        set(&s->device_needs.short_of_borders);
    for (uint32_t b = 0; b < STATE_BUCKETS; b++) {
        for (const struct sampler_state_object *state = s->states.buckets[b]; state; state = state->next)
            needs |= needs_of_state(track, state, NULL);
    }
    return needs;
}

void device_needs_of_state(struct track *track, const struct sampler_state_object *state)
{
    const uint64_t needs = needs_of_state(track, state, content_comes);
    device_needs_raise_word(track, needs | needs_without_room(track));
}

void device_needs_forget_state(struct track *track, const struct sampler_state_object *state)
{
    if (!is_short(&track->sampling->device_needs))
        needs_of_state(track, state, content_goes);
}

void device_needs_of_room(struct track *track)
{
    struct held_messages held;
    if (!room_ends(track->sampling))
        return;
    messages_hold(&held);
    pthread_mutex_lock(&track->sampling->states.lock);
    device_needs_raise_word(track, needs_without_room(track));
    pthread_mutex_unlock(&track->sampling->states.lock);
    messages_release(&held);
}

static uint64_t needs_with_class(struct track *track, const struct view_class *class, count_content *counts)
{
    uint64_t needs = 0;
    for (uint32_t b = 0; b < STATE_BUCKETS; b++) {
        for (const struct sampler_state_object *state = track->sampling->states.buckets[b]; state; state = state->next)
            needs |= needs_of_class(track, state, class, counts);
    }
    return needs;
}

/* Inserted only after the needs have risen, because a thread that finds it leaves them as they are. */
static void add_class(struct track *track, const struct view *view)
{
    struct device_needs *device_needs = &track->sampling->device_needs;
    const struct view_class class = {device_needs->classes, view->facts, view->terms, view->requires_emulation};
    struct view_class *kept = device_needs->class_count < CLASSES_MOST ? calloc(1, sizeof(*kept)) : NULL;
    uint64_t needs = needs_with_class(track, &class, content_comes);
    if (room_ends(track->sampling))
        needs |= needs_without_room(track) | needs_with_class(track, &class, NULL);
    device_needs_raise_word(track, needs);
    if (kept)
        *kept = class;
    if (!kept || !table_insert(&device_needs->by_key, view->key, kept)) {
        become_short(track);
        free(kept);
        return;
    }
    device_needs->classes = kept;
    device_needs->class_count++;
}

void device_needs_of_view(struct track *track, const struct view *view)
{
    struct sampling *s = track->sampling;
    device_needs_raise_word(track, device_needs_in_word(view->alone_needs, view->facts.integer));
    if (table_find(&s->device_needs.by_key, view->key))
        return;
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&s->states.lock);
    if (!table_find(&s->device_needs.by_key, view->key))
        add_class(track, view);
    pthread_mutex_unlock(&s->states.lock);
    messages_release(&held);
}

bool device_needs_init(struct device_needs *device_needs)
{
    return table_init(&device_needs->by_key) && table_init(&device_needs->contents);
}

void device_needs_finish(struct device_needs *device_needs)
{
    for (struct view_class *class = device_needs->classes, *next; class; class = next) {
        next = class->next;
        free(class);
    }
    table_finish(&device_needs->by_key);
    table_finish(&device_needs->contents);
}
