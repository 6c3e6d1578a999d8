/* SPDX-License-Identifier: MIT */
/*
 * The high-water mark, from sampler states and classes of views. Views of one key ask for the same with every state, so
 * a state is resolved once with each class, when the later of the two appears. There are few of either: programs have
 * tens of states, and views differ in format and type alone.
 */
#include <stdlib.h>

#include "sampling/mark.h"
#include "device/held.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "record/record.h"
#include "resolve/resolve.h"
#include "sampling/image.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"

/* Beyond this many classes of views, the mark asks for everything. */
enum { CLASSES_MOST = 4096 };

/* Views of one key, but for their sizes. */
struct view_class {
    struct view_class *next;
    struct view_facts facts;
    struct record part;
    bool odd;
};

static uint32_t needs_together(const struct track *track, const struct interned *state, const struct view_class *class)
{
    struct resolve_result result;
    struct record record;
    resolve_pair(&state->state, &class->facts, &track->device->caps, &result);
    resolve_join(&result.decision, &class->part, &record);
    return record_needs(&record);
}

/* Those that ask for something: plain states never do, ordinary ones with odd views only. */
static uint32_t needs_met(const struct track *track, const struct interned *state, const struct view_class *class)
{
    return state->plain || (state->ordinary && !class->odd) ? 0 : needs_together(track, state, class);
}

void mark_state(struct track *track, const struct interned *state)
{
    struct resolve_result alone;
    if (state->plain)
        return;
    resolve_pair(&state->state, NULL, &track->device->caps, &alone);
    uint32_t needs = record_needs(&alone.decision);
    for (const struct view_class *class = track->sampling->mark.classes; class; class = class->next)
        needs |= needs_met(track, state, class);
    mark_raise(track, needs);
}

/* Found only after the mark has risen, because whoever finds it leaves the mark as it is. */
static void add_class(struct track *track, const struct view *view)
{
    struct sampling *s = track->sampling;
    struct mark *mark = &s->mark;
    const struct view_class class = {mark->classes, view->facts, view->part, view->odd};
    struct view_class *kept = mark->class_count < CLASSES_MOST ? calloc(1, sizeof(*kept)) : NULL;
    uint32_t needs = 0;
    for (uint32_t b = 0; b < STATE_BUCKETS; b++) {
        for (const struct interned *state = s->states.buckets[b]; state; state = state->next)
            needs |= needs_met(track, state, &class);
    }
    mark_raise(track, needs);
    if (kept)
        *kept = class;
    if (!kept || !table_insert(&mark->by_key, view->key, kept)) {
        mark_raise(track, UINT32_MAX);
        free(kept);
        return;
    }
    mark->classes = kept;
    mark->class_count++;
}

void mark_view(struct track *track, const struct view *view)
{
    struct sampling *s = track->sampling;
    mark_raise(track, view->alone_needs);
    if (table_find(&s->mark.by_key, view->key))
        return;
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&s->states.lock);
    if (!table_find(&s->mark.by_key, view->key))
        add_class(track, view);
    pthread_mutex_unlock(&s->states.lock);
    messages_release(&held);
}

bool mark_init(struct mark *mark)
{
    return table_init(&mark->by_key);
}

void mark_finish(struct mark *mark)
{
    for (struct view_class *class = mark->classes, *next; class; class = next) {
        next = class->next;
        free(class);
    }
    table_finish(&mark->by_key);
}
