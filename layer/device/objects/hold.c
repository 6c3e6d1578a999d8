/* SPDX-License-Identifier: MIT */
/* Counts of holders. A driver may give out one handle twice for objects that are alike: each destruction counts. */
#include "objects/hold.h"

#include <stdlib.h>

struct held {
    uint32_t holders, destroyed;
};

bool holds_init(struct holds *holds)
{
    return pthread_mutex_init(&holds->lock, NULL) == 0 && table_init(&holds->held);
}

static void free_held(void *held, void *user)
{
    (void)user;
    free(held);
}

void holds_finish(struct holds *holds)
{
    table_visit(&holds->held, free_held, NULL);
    table_finish(&holds->held);
    pthread_mutex_destroy(&holds->lock);
}

bool hold_take(struct holds *holds, uint64_t handle)
{
    pthread_mutex_lock(&holds->lock);
    struct held *held = table_find(&holds->held, handle);
    if (held) {
        held->holders++;
    } else if ((held = calloc(1, sizeof(*held)))) {
        held->holders = 1;
        if (!table_insert(&holds->held, handle, held)) {
            free(held);
            held = NULL;
        }
    }
    pthread_mutex_unlock(&holds->lock);
    return held;
}

uint32_t hold_drop(struct holds *holds, uint64_t handle)
{
    uint32_t destroyed = 0;
    pthread_mutex_lock(&holds->lock);
    struct held *held = table_find(&holds->held, handle);
    if (held && --held->holders == 0) {
        destroyed = held->destroyed;
        free(table_remove(&holds->held, handle));
    }
    pthread_mutex_unlock(&holds->lock);
    return destroyed;
}

bool hold_postpone(struct holds *holds, uint64_t handle)
{
    pthread_mutex_lock(&holds->lock);
    struct held *held = table_find(&holds->held, handle);
    if (held)
        held->destroyed++;
    pthread_mutex_unlock(&holds->lock);
    return held;
}
