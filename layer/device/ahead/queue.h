/* SPDX-License-Identifier: MIT */
/*
 * The queue of compilations ahead of draws: live pipelines and shader objects, the tiers of each that the device's
 * needs require, and which one is next. Tiers that only gathers or offsets require wait for the item's first draw.
 * Pure but for the moments of draws, which draws write without a lock; the owner of the queue calls the other functions
 * under its lock.
 */
#ifndef CLAMPLER_AHEAD_QUEUE_H
#define CLAMPLER_AHEAD_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One pipeline or shader object; a member of it, all zero until it is added. */
struct ahead_item {
    struct ahead_item *previous, *next; /* in the list of those that wait, or of the others */
    uint32_t follows;                   /* RECORD_NEED_* that its shaders act on, and NEEDS_OF_INTEGERS */
    uint32_t waiting;                   /* tiers to compile, 1 << tier */
    uint32_t taken;                     /* tiers that a worker has taken, or that are not wanted: never again */
    uint32_t workers;                   /* workers that compile tiers of it */
    bool listed;                        /* it is in a list */
    bool used;                          /* ahead_queue_drawn() has found it drawn */
    bool gone;                          /* removed while a worker compiled it: the last of `workers` frees it */
    _Atomic(uint32_t) drawn;            /* the moment of its last draw; 0: none */
};

/* All zero is an empty queue. */
struct ahead_queue {
    struct ahead_item *first_waiting, *last_waiting; /* added first comes first */
    struct ahead_item *first_idle, *last_idle;
    uint32_t needs, floats; /* the device's needs (RECORD_NEED_*): all, and those but of views of integers */
};

/*
 * The tiers that draws may take while descriptors have some of these needs, 1 << tier; tiers that several needs of
 * different descriptors require together are left to the draws.
 */
uint32_t ahead_tiers(uint32_t needs);

/* True: a tier waits that did not before. */
bool ahead_queue_add(struct ahead_queue *queue, struct ahead_item *item, uint32_t follows);
bool ahead_queue_raise(struct ahead_queue *queue, uint32_t needs, uint32_t floats);

/* Looks for items that were drawn for the first time. True: a tier waits that did not before. */
bool ahead_queue_drawn(struct ahead_queue *queue);

/* Also of items that were not added. False: a worker compiles a tier of it, and ahead_queue_done() will return true. */
bool ahead_queue_remove(struct ahead_queue *queue, struct ahead_item *item);

/*
 * The tier to compile next: of the item that was drawn last, or of those that were never drawn the one that was added
 * first; its lowest. NULL: there is nothing.
 */
struct ahead_item *ahead_queue_pop(struct ahead_queue *queue, uint32_t *tier);

/* A worker has compiled the tier. True: the item was removed meanwhile, and the caller frees it. */
bool ahead_queue_done(struct ahead_item *item);

/* Nothing waits any more. */
void ahead_queue_cancel(struct ahead_queue *queue);

#endif
