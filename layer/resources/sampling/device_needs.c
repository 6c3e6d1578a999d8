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

static uint32_t needs_together(const struct track *track, const struct sampler_state_object *state,
                               const struct view_class *class)
{
    struct resolve_result result;
    struct record record;
    resolve_decide(&state->state, &class->facts, &track->device->caps.resolve, &result);
    resolve_combine(&result.terms, &class->terms, &record);
    return record_needs(&record);
}

/* 0 where the state never requires emulation, or only with some views, of which this is none. */
static uint32_t needs_of_class(const struct track *track, const struct sampler_state_object *state,
                               const struct view_class *class)
{
    return state->emulation == SAMPLER_EMULATED_ALWAYS ||
                   (state->emulation == SAMPLER_EMULATED_WITH_SOME_VIEWS && class->requires_emulation)
               ? needs_together(track, state, class)
               : 0;
}

void device_needs_of_state(struct track *track, const struct sampler_state_object *state)
{
    struct resolve_result alone;
    if (state->emulation == SAMPLER_EMULATED_NEVER)
        return;
    resolve_decide(&state->state, NULL, &track->device->caps.resolve, &alone);
    uint32_t needs = record_needs(&alone.terms.record);
    for (const struct view_class *class = track->sampling->device_needs.classes; class; class = class->next)
        needs |= needs_of_class(track, state, class);
    device_needs_raise(track, needs);
}

/* Inserted only after the needs have risen, because a thread that finds it leaves them as they are. */
static void add_class(struct track *track, const struct view *view)
{
    struct sampling *s = track->sampling;
    struct device_needs *device_needs = &s->device_needs;
    const struct view_class class = {device_needs->classes, view->facts, view->terms, view->requires_emulation};
    struct view_class *kept = device_needs->class_count < CLASSES_MOST ? calloc(1, sizeof(*kept)) : NULL;
    uint32_t needs = 0;
    for (uint32_t b = 0; b < STATE_BUCKETS; b++) {
        for (const struct sampler_state_object *state = s->states.buckets[b]; state; state = state->next)
            needs |= needs_of_class(track, state, &class);
    }
    device_needs_raise(track, needs);
    if (kept)
        *kept = class;
    if (!kept || !table_insert(&device_needs->by_key, view->key, kept)) {
        device_needs_raise(track, UINT32_MAX);
        free(kept);
        return;
    }
    device_needs->classes = kept;
    device_needs->class_count++;
}

void device_needs_of_view(struct track *track, const struct view *view)
{
    struct sampling *s = track->sampling;
    device_needs_raise(track, view->alone_needs);
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
    return table_init(&device_needs->by_key);
}

void device_needs_finish(struct device_needs *device_needs)
{
    for (struct view_class *class = device_needs->classes, *next; class; class = next) {
        next = class->next;
        free(class);
    }
    table_finish(&device_needs->by_key);
}
