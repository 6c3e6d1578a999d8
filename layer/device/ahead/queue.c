/* SPDX-License-Identifier: MIT */
/*
 * Two lists: items of which some tier waits, and the others. The item that was drawn last is searched when a worker
 * takes one, so that draws write to no list: a compilation takes thousands of times longer than the search.
 */
#include <stddef.h>

#include "ahead/queue.h"
#include "need/need.h"

uint32_t ahead_tiers(uint32_t needs)
{
    uint32_t tiers = 0;
    /*
     * Records with a row's needs may have one level or several, texels may have to be filtered one by one, and filters
     * may be anisotropic, or both. Bounds that are not in mask words choose the variant of tier 1 for the whole device.
     */
    const uint32_t levels = needs & RECORD_NEED_MIPS, texels = needs & RECORD_NEED_TEXELS,
                   probes = needs & RECORD_NEED_PROBES, bounds = needs & RECORD_NEED_BOUNDS;
#define TIER_OF(ROW)                                                                                                   \
    if ((needs & (uint32_t)(ROW)) == (uint32_t)(ROW))                                                                  \
        tiers |= 1u << needs_tier((uint32_t)(ROW) | bounds) | 1u << needs_tier((uint32_t)(ROW) | bounds | levels) |    \
                 1u << needs_tier((uint32_t)(ROW) | bounds | texels) |                                                 \
                 1u << needs_tier((uint32_t)(ROW) | bounds | probes) |                                                 \
                 1u << needs_tier((uint32_t)(ROW) | bounds | (texels && probes ? texels | probes : 0u));
    NEEDS_OF_COORDS(TIER_OF)
    NEEDS_OF_FILTER(TIER_OF)
#undef TIER_OF
    return tiers;
}

/* ---- Lists ---- */

static void append(struct ahead_queue *queue, struct ahead_item *item)
{
    struct ahead_item **first = item->waiting ? &queue->first_waiting : &queue->first_idle;
    struct ahead_item **last = item->waiting ? &queue->last_waiting : &queue->last_idle;
    item->previous = *last;
    item->next = NULL;
    *(*last ? &(*last)->next : first) = item;
    *last = item;
    item->listed = true;
}

static void unlink_item(struct ahead_queue *queue, struct ahead_item *item)
{
    struct ahead_item **first = item->waiting ? &queue->first_waiting : &queue->first_idle;
    struct ahead_item **last = item->waiting ? &queue->last_waiting : &queue->last_idle;
    *(item->previous ? &item->previous->next : first) = item->next;
    *(item->next ? &item->next->previous : last) = item->previous;
    item->listed = false;
}

/*
 * Every GL_CLAMP with a linear filter has these needs, and shaders that gather or sample with offsets seldom do so
 * through it.
 */
static const uint32_t needs_of_drawn =
    RECORD_NEED_FILTER_IF_OFFSET | RECORD_NEED_FILTER_IF_GATHER | RECORD_NEED_FILTER_IF_BIAS_OFFSET;

static uint32_t wanted(const struct ahead_queue *queue, const struct ahead_item *item)
{
    uint32_t needs = item->follows & NEEDS_OF_INTEGERS ? queue->needs : queue->floats;
    if (!item->used)
        needs &= ~needs_of_drawn;
    /* Whether a pipeline takes part in this one depends on its bindings: draws alone know. */
    return ahead_tiers(needs & item->follows & ~(uint32_t)RECORD_NEED_FILTER_IF_UNCOMPARED) & ~item->taken;
}

/* ---- What happens ---- */

bool ahead_queue_add(struct ahead_queue *queue, struct ahead_item *item, uint32_t follows)
{
    item->follows = follows;
    item->waiting = wanted(queue, item);
    append(queue, item);
    return item->waiting != 0;
}

/* Finds again what waits, after needs or draws have come. */
static bool look_again(struct ahead_queue *queue)
{
    bool more = false;
    for (struct ahead_item *item = queue->first_waiting; item; item = item->next) {
        const uint32_t waiting = wanted(queue, item);
        more |= waiting != item->waiting;
        item->waiting = waiting;
    }
    for (struct ahead_item *item = queue->first_idle, *next; item; item = next) {
        next = item->next;
        const uint32_t waiting = wanted(queue, item);
        if (!waiting)
            continue;
        unlink_item(queue, item);
        item->waiting = waiting;
        append(queue, item);
        more = true;
    }
    return more;
}

bool ahead_queue_raise(struct ahead_queue *queue, uint32_t needs, uint32_t floats)
{
    if (!(needs & ~queue->needs) && !(floats & ~queue->floats))
        return false;
    queue->needs |= needs;
    queue->floats |= floats;
    return look_again(queue);
}

static bool find_used(struct ahead_item *item)
{
    bool found = false;
    for (; item; item = item->next) {
        if (item->used || !atomic_load_explicit(&item->drawn, memory_order_relaxed))
            continue;
        found = item->used = true;
    }
    return found;
}

bool ahead_queue_drawn(struct ahead_queue *queue)
{
    const bool waiting = find_used(queue->first_waiting), idle = find_used(queue->first_idle);
    return (waiting || idle) && look_again(queue);
}

bool ahead_queue_remove(struct ahead_queue *queue, struct ahead_item *item)
{
    if (item->listed)
        unlink_item(queue, item);
    item->gone = true;
    return item->workers == 0;
}

struct ahead_item *ahead_queue_pop(struct ahead_queue *queue, uint32_t *tier)
{
    struct ahead_item *best = NULL;
    uint32_t latest = 0;
    for (struct ahead_item *item = queue->first_waiting; item; item = item->next) {
        const uint32_t drawn = atomic_load_explicit(&item->drawn, memory_order_relaxed);
        if (best && drawn <= latest)
            continue;
        best = item;
        latest = drawn;
    }
    if (!best)
        return NULL;
    *tier = 0;
    while (!(best->waiting & 1u << *tier))
        ++*tier;
    unlink_item(queue, best);
    best->waiting &= ~(1u << *tier);
    best->taken |= 1u << *tier;
    best->workers++;
    append(queue, best);
    return best;
}

bool ahead_queue_done(struct ahead_item *item)
{
    return --item->workers == 0 && item->gone;
}

void ahead_queue_cancel(struct ahead_queue *queue)
{
    while (queue->first_waiting) {
        struct ahead_item *item = queue->first_waiting;
        unlink_item(queue, item);
        item->taken |= item->waiting;
        item->waiting = 0;
        append(queue, item);
    }
    queue->needs = queue->floats = 0;
}
