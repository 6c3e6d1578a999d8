/* SPDX-License-Identifier: MIT */
/*
 * What may be compiled before a draw needs it: pipelines and shader objects that live, the tiers that the high-water
 * device needs ask of each, and which of them is next. Pure but for the moments of draws, which draws write without a
 * lock; whoever owns the queue calls the rest under a lock of his own.
 */
#ifndef CLAMPLER_AHEAD_QUEUE_H
#define CLAMPLER_AHEAD_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One pipeline or shader object; a member of it, all zero until it is added. */
struct ahead_item {
    struct ahead_item *previous, *next; /* in the list of those that wait, or of the others */
    uint32_t follows;                   /* RECORD_NEED_* that its shaders act on */
    uint32_t waiting;                   /* tiers to compile, 1 << tier */
    uint32_t taken;                     /* tiers that were taken, or are not wanted: never again */
    uint32_t workers;                   /* who compile tiers of it now */
    bool listed;                        /* it is in a list */
    bool gone;                          /* removed while somebody compiled: the last of `workers` frees it */
    _Atomic(uint32_t) drawn;            /* the moment of its last draw; 0: none */
};

/* All zero is an empty queue. */
struct ahead_queue {
    struct ahead_item *first_waiting, *last_waiting; /* added first comes first */
    struct ahead_item *first_idle, *last_idle;
    uint32_t mark; /* RECORD_NEED_* that descriptors may have by now */
};

/*
 * The tiers that draws may take while descriptors have some of these needs, 1 << tier; those that take several needs of
 * different descriptors together are left to the draws.
 */
uint32_t ahead_tiers(uint32_t needs);

/* True: something waits now that did not. */
bool ahead_queue_add(struct ahead_queue *queue, struct ahead_item *item, uint32_t follows);
bool ahead_queue_raise(struct ahead_queue *queue, uint32_t needs);

/* Also of items that were not added. False: somebody compiles a tier of it, and ahead_queue_done() will say when. */
bool ahead_queue_remove(struct ahead_queue *queue, struct ahead_item *item);

/*
 * The tier to compile next: of the item that was drawn last, or of those that were never drawn the one that was added
 * first; its lowest. NULL: there is nothing.
 */
struct ahead_item *ahead_queue_pop(struct ahead_queue *queue, uint32_t *tier);

/* What was taken is compiled. True: the item was removed meanwhile, and is the caller's to free. */
bool ahead_queue_done(struct ahead_item *item);

/* Nothing waits any more. */
void ahead_queue_cancel(struct ahead_queue *queue);

#endif
