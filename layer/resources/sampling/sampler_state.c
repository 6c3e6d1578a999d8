/* SPDX-License-Identifier: MIT */
/*
 * Sampler states as identities: equal states are one object with one id and a reference count, whatever the program
 * creates. Pairs (pair.c) hang on them.
 */
#include <string.h>

#include "hash.h"
#include "device/held.h"
#include "thread_memory/thread_memory.h"
#include "objects/track.h"
#include "resolve/classify.h"
#include "resolve/resolve.h"
#include "sampling/device_needs.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"
#include "record_table/record_table.h"

static uint64_t hash_of(const struct sampler_state *state)
{
    uint32_t words[sizeof(*state) / sizeof(uint32_t)];
    memcpy(words, state, sizeof(words));
    return hash_words(0, words, sizeof(words) / sizeof(words[0]));
}

static struct sampler_state_object **bucket_of(struct states *states, const struct sampler_state *state)
{
    return &states->buckets[hash_of(state) >> 32 & (STATE_BUCKETS - 1)];
}

/*
 * The key of a state's list. Bit 62 is set and bit 63 is not, so that it differs from the keys that are not states'
 * (INDEX_ALONE and others).
 */
static uint64_t list_key(const struct sampler_state *state)
{
    return hash_of(state) >> 2 | UINT64_C(1) << 62;
}

/* ---- References ---- */

bool sampler_states_init(struct states *states)
{
    return pthread_mutex_init(&states->lock, NULL) == 0;
}

void sampler_states_finish(struct states *states)
{
    pthread_mutex_destroy(&states->lock);
}

/* Under the lock. Ids are reused only after all 2^32 were; then the threads' caches are invalidated. */
static uint32_t new_id(struct track *track)
{
    struct states *states = &track->sampling->states;
    for (;;) {
        if (++states->last_id >= UINT32_MAX) {
            states->last_id = 1;
            atomic_store_explicit(&track->serial, new_serial(), memory_order_relaxed);
            states->wrapped = true;
        }
        bool taken = false;
        for (uint32_t b = 0; states->wrapped && b < STATE_BUCKETS; b++) {
            for (const struct sampler_state_object *at = states->buckets[b]; at; at = at->next)
                taken |= at->id == states->last_id;
        }
        if (!taken)
            return states->last_id;
    }
}

struct sampler_state_object *sampler_state_intern(struct track *track, const struct sampler_state *content,
                                                  struct shared_sampler *common)
{
    struct states *states = &track->sampling->states;
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&states->lock);
    struct sampler_state_object **bucket = bucket_of(states, content);
    struct sampler_state_object *state = *bucket;
    while (state && (!state->common != !common || memcmp(&state->state, content, sizeof(*content)) != 0))
        state = state->next;
    if (state) {
        state->references++;
    } else if ((state = object_alloc(track, NULL, sizeof(*state)))) {
        state->references = 1;
        state->id = new_id(track);
        state->key = list_key(content) ^ (common ? 1u : 0u);
        state->state = *content;
        state->common = common;
        common = NULL;
        state->emulation =
            state->common ? SAMPLER_EMULATED_ALWAYS : sampler_state_classify(content, &track->device->caps.resolve);
        state->native_alone = !state->common && sampler_state_is_native_alone(content, &track->device->caps.resolve);
        state->next = *bucket;
        *bucket = state;
        device_needs_of_state(track, state);
    }
    pthread_mutex_unlock(&states->lock);
    messages_release(&held);
    if (common)
        common_release(track, common);
    return state;
}

/* This thread's cache of states that the device keeps. Valid while the serial is the same. */
struct combination_state {
    uint64_t serial;
    struct sampler_state content;
    struct sampler_state_object *state;
};
enum { COMBINATION_STATES_SHIFT = 61, COMBINATION_STATES = 8 };

/* NULL: out of memory for the cache. */
static struct combination_state *combination_state_of(const struct sampler_state *content)
{
    struct combination_state *combination =
        thread_memory(THREAD_SAMPLER_STATES, COMBINATION_STATES * sizeof(*combination));
    uint64_t words[2]; /* wrap modes, filters, what the border is */
    memcpy(words, content, sizeof(words));
    return combination ? &combination[(words[0] ^ words[1]) * UINT64_C(0x9e3779b97f4a7c15) >> COMBINATION_STATES_SHIFT]
                       : NULL;
}

struct sampler_state_object *sampler_state_of_device(struct track *track, const struct sampler_state *content)
{
    struct states *states = &track->sampling->states;
    const uint64_t serial = atomic_load_explicit(&track->serial, memory_order_relaxed);
    struct combination_state *combination = combination_state_of(content);
    if (combination && combination->serial == serial && memcmp(&combination->content, content, sizeof(*content)) == 0)
        return combination->state;
    struct sampler_state_object *state = sampler_state_intern(track, content, NULL);
    if (!state)
        return NULL;
    pthread_mutex_lock(&states->lock);
    if (state->of_device) {
        state->references--;
    } else {
        state->of_device = true;
        state->next_of_device = states->of_device;
        states->of_device = state;
    }
    pthread_mutex_unlock(&states->lock);
    if (combination)
        *combination = (struct combination_state){serial, *content, state};
    return state;
}

void sampler_states_release(struct track *track)
{
    struct states *states = &track->sampling->states;
    while (states->of_device) {
        struct sampler_state_object *state = states->of_device;
        states->of_device = state->next_of_device;
        sampler_state_unref(track, state);
    }
}

void sampler_state_ref(struct track *track, struct sampler_state_object *state)
{
    if (!state)
        return;
    pthread_mutex_lock(&track->sampling->states.lock);
    state->references++;
    pthread_mutex_unlock(&track->sampling->states.lock);
}

void sampler_state_unref(struct track *track, struct sampler_state_object *state)
{
    struct states *states = &track->sampling->states;
    if (!state)
        return;
    pthread_mutex_lock(&states->lock);
    bool last = --state->references == 0;
    if (last) {
        struct sampler_state_object **link = bucket_of(states, &state->state);
        while (*link != state)
            link = &(*link)->next;
        *link = state->next;
        device_needs_forget_state(track, state);
    }
    pthread_mutex_unlock(&states->lock);
    if (!last)
        return;
    pairs_forget(track, state);
    if (state->common)
        common_release(track, state->common);
    indices_release(track, &state->record_indices);
    object_free(track, NULL, state, sizeof(*state));
}
