/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a sampler state and a class of views, and the driver samplers that they share.
 *
 * They are found in a table without a lock, and resolved under one. Descriptor writes look into the combination cache
 * first (descriptors/combination_cache.h).
 *
 * A pair lives as long as its state, so a thread that may write a descriptor with a sampler may read its pairs.
 */
#include <stdlib.h>
#include <string.h>

#include "sampling/pair.h"
#include "device/held.h"
#include "device/message.h"
#include "hash.h"
#include "need/need.h"
#include "objects/table.h"
#include "thread_memory/thread_memory.h"
#include "objects/track.h"
#include "resolve/classify.h"
#include "resolve/resolve.h"
#include "sampling/image.h"
#include "sampling/device_needs.h"
#include "sampling/saved_writes.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"
#include "sampling/surplus.h"
#include "spirv/spirv.h"
#include "view_facts/view_facts.h"
#include "record/layout.h"
#include "record_table/record_table.h"

THREAD_LOCAL uint32_t own_shard;

/* With this many pairs, new ones are not kept, but resolved for each write. */
enum { PAIR_LIMIT = 1 << 18 };

uint64_t new_serial(void)
{
    static _Atomic(uint64_t) serials;
    return atomic_fetch_add_explicit(&serials, 1, memory_order_relaxed) + 1;
}

uint32_t thread_shard_acquire(void)
{
    static _Atomic(uint32_t) threads;
    own_shard = 1 + atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % (COUNT_SHARDS - 1);
    return own_shard;
}

/* ---- Driver samplers by content ---- */

struct shared_sampler {
    struct shared_sampler *next;
    uint32_t references; /* pairs */
    VkSampler handle;
    enum sampler_use use; /* of a pair, or common */
    bool border_slot;
    struct driver_sampler driver;
};

uint64_t driver_sampler_hash(const struct driver_sampler *driver)
{
    uint32_t words[sizeof(*driver) / sizeof(uint32_t)];
    memcpy(words, driver, sizeof(words));
    return hash_words(0, words, sizeof(words) / sizeof(words[0]));
}

static struct shared_sampler **shared_bucket(struct track *track, const struct driver_sampler *driver)
{
    return &track->sampling->shared[driver_sampler_hash(driver) >> 32 & (SHARED_BUCKETS - 1)];
}

static struct shared_sampler *shared_find(struct track *track, const struct driver_sampler *driver)
{
    struct shared_sampler *shared = *shared_bucket(track, driver);
    while (shared && memcmp(&shared->driver, driver, sizeof(*driver)) != 0)
        shared = shared->next;
    return shared;
}

static void shared_unref(struct track *track, struct shared_sampler *shared)
{
    if (!shared || --shared->references)
        return;
    struct shared_sampler **link = shared_bucket(track, &shared->driver);
    while (*link != shared)
        link = &(*link)->next;
    *link = shared->next;
    gone_add(GONE_HANDLES);
    track->device->next.DestroySampler(track->device->handle, shared->handle, NULL);
    driver_sampler_release(track, shared->use);
    if (shared->border_slot)
        border_slot_release(track);
    free(shared);
}

/* The driver takes a limited number of samplers with custom border colours (24 on some). */
bool border_slot_acquire(struct track *track)
{
    if (atomic_fetch_add(&track->sampling->border_samplers, 1) < track->sampling->border_limit)
        return true;
    atomic_fetch_sub(&track->sampling->border_samplers, 1);
    return false;
}

void border_slot_release(struct track *track)
{
    atomic_fetch_sub(&track->sampling->border_samplers, 1);
}

/*
 * One more driver sampler, for a pair or in common. `slot`: it has a slot of custom border colours, which is released
 * with it. NULL with *error set.
 */
static struct shared_sampler *shared_create(struct track *track, const struct driver_sampler *driver,
                                            enum sampler_use use, bool slot, VkResult *error)
{
    const VkSamplerCreateFlags capture = 0x8; /* DESCRIPTOR_BUFFER_CAPTURE_REPLAY: the program's own handle has it */
    struct driver_sampler_chain chain;
    struct shared_sampler *shared = calloc(1, sizeof(*shared));
    *error = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!shared)
        return NULL;
    VkSamplerCreateInfo info = *resolve_driver_info(driver, &chain);
    info.flags &= ~capture;
    const bool room = driver_sampler_acquire(track, use);
    *error = room ? track->device->next.CreateSampler(track->device->handle, &info, NULL, &shared->handle)
                  : VK_ERROR_TOO_MANY_OBJECTS;
    if (*error != VK_SUCCESS) {
        if (room)
            driver_sampler_release(track, use);
        free(shared);
        return NULL;
    }
    shared->driver = *driver;
    shared->use = use;
    shared->border_slot = slot;
    struct shared_sampler **bucket = shared_bucket(track, driver);
    shared->next = *bucket;
    *bucket = shared;
    count(&track->counters.driver_samplers, 1);
    return shared;
}

/* ---- Common samplers ---- */

/* The same with one more reference, found or made. Under pair_lock. */
static struct shared_sampler *common_of(struct track *track, const struct driver_sampler *driver, VkResult *error)
{
    struct shared_sampler *common = shared_find(track, driver);
    if (!common)
        common = shared_create(track, driver, SAMPLER_COMMON, false, error);
    if (common)
        common->references++;
    return common;
}

struct shared_sampler *common_acquire(struct track *track, const struct sampler_state *content, VkResult *error)
{
    struct driver_sampler driver;
    struct held_messages held;
    resolve_program_sampler(content, &track->sampling->caps_of_common, &driver);
    messages_hold(&held);
    pthread_mutex_lock(&track->sampling->pair_lock);
    struct shared_sampler *common = common_of(track, &driver, error);
    pthread_mutex_unlock(&track->sampling->pair_lock);
    messages_release(&held);
    return common;
}

void common_release(struct track *track, struct shared_sampler *common)
{
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&track->sampling->pair_lock);
    shared_unref(track, common);
    pthread_mutex_unlock(&track->sampling->pair_lock);
    messages_release(&held);
}

VkSampler common_handle(const struct shared_sampler *common)
{
    return common->handle;
}

/* ---- Pairs ---- */

/* The sampler is one of those with the state, as the view is one of those with the key. */
#define ABOUT_PAIR(state, view)                                                                                        \
    ABOUT({VK_OBJECT_TYPE_SAMPLER, atomic_load_explicit(&(state)->sampler, memory_order_relaxed)},                     \
          {VK_OBJECT_TYPE_IMAGE_VIEW, (view) ? HANDLE_KEY((view)->handle) : 0})

static const struct resolve_caps *caps_of(const struct track *track, const struct pair *pair)
{
    if (pair->common)
        return &track->sampling->caps_of_common;
    return pair->without_border ? &track->sampling->caps_without_border : &track->device->caps.resolve;
}

static void say_reason(struct track *track, const struct sampler_state_object *state, const struct view *view,
                       const struct pair *pair)
{
    const struct device *device = track->device;
    char reason[RESOLVE_REASON];
    if (device->instance->settings.log_level < LOG_INFO)
        return;
    resolve_explain(&state->state, view ? &view->facts : NULL, caps_of(track, pair), reason, sizeof(reason));
    if (view)
        message_about(device, LOG_INFO, ABOUT_PAIR(state, view),
                      "sampler state %u with views like %08x (VkFormat %d): %s", state->id, (unsigned)view->key,
                      (int)view->facts.format, reason);
    else
        message_about(device, LOG_INFO, ABOUT_PAIR(state, view), "sampler state %u alone: %s", state->id, reason);
}

static void say_failure(struct track *track, const struct sampler_state_object *state, const struct view *view,
                        VkResult error)
{
    static struct message_place said;
    message_about_once(
        &said, track->device, LOG_ERROR, ABOUT_PAIR(state, view),
        "vkCreateSampler returned %d for a sampler that a view needs: the program's own sampler is used with it",
        (int)error);
}

static uint32_t needs_of(const struct sampler_terms *terms, const struct view *view)
{
    struct record record;
    if (!view)
        return record_needs(&terms->record);
    resolve_combine(terms, &view->terms, &record);
    return record_needs(&record) & ~(uint32_t)RECORD_NEED_MIPS;
}

/*
 * The pair's driver sampler, with one more reference, where one is there or the driver takes one more. If its limit of
 * custom border colours is reached, the pair is resolved without one.
 */
static struct shared_sampler *own_sampler(struct track *track, const struct sampler_state_object *state,
                                          const struct view_facts *facts, struct pair *pair,
                                          struct resolve_result *result, VkResult *error)
{
    struct shared_sampler *shared = shared_find(track, &result->driver);
    bool slot = false;
    if (!shared && result->driver.custom_border && !(slot = border_slot_acquire(track))) {
        pair->without_border = true;
        resolve_decide(&state->state, facts, caps_of(track, pair), result);
        if (!pair_needs_sampler(state, result))
            return NULL;
        shared = shared_find(track, &result->driver);
    }
    if (!shared) {
        shared = shared_create(track, &result->driver, SAMPLER_OF_PAIR, slot, error);
        if (!shared && slot)
            border_slot_release(track);
    }
    if (shared)
        shared->references++;
    return shared;
}

/* The same in common with others, where the driver takes no more: the pair is filtered in tier 2. */
static struct shared_sampler *common_sampler(struct track *track, const struct sampler_state_object *state,
                                             const struct view_facts *facts, struct pair *pair,
                                             struct resolve_result *result, VkResult *error)
{
    pair->common = true;
    resolve_decide(&state->state, facts, caps_of(track, pair), result);
    *error = VK_SUCCESS;
    struct shared_sampler *common = common_of(track, &result->driver, error);
    if (!common && state->common) {
        common = state->common;
        common->references++;
        *error = VK_SUCCESS;
    }
    if (common)
        count(&track->counters.pairs_common, 1);
    return common;
}

/*
 * Resolves a pair and finds its driver sampler, under pair_lock. *error says that one could not be made. `kept`: false
 * where the pair is not: then no sampler is made that would go with it.
 */
static void resolve(struct track *track, const struct sampler_state_object *state, const struct view *view, bool kept,
                    struct pair *pair, struct resolve_result *result, VkResult *error)
{
    const struct view_facts *facts = view ? &view->facts : NULL;
    struct shared_sampler *shared = NULL;
    *error = VK_SUCCESS;
    pair->without_border = (uint32_t)pair->key == VIEW_FACTS_NO_KEY;
    resolve_decide(&state->state, facts, caps_of(track, pair), result);
    if (pair_needs_sampler(state, result) && (kept || !state->common))
        shared = own_sampler(track, state, facts, pair, result, error);
    if (!shared && pair_needs_sampler(state, result) && (state->common || *error == VK_ERROR_TOO_MANY_OBJECTS))
        shared = common_sampler(track, state, facts, pair, result, error);
    pair->shared = shared;
    pair->sampler = shared ? shared->handle : VK_NULL_HANDLE;
    pair->view = result->view;
    pair->terms = result->terms;
    pair->nothing = record_is_zero(&result->terms.record);
    pair->needs = needs_of(&result->terms, view);
    /* Of what is not foreseen: memory ran out, or the driver took fewer. */
    device_needs_raise_word(track, device_needs_in_word(pair->needs, facts && facts->integer));
}

static void pair_forget(struct track *track, struct pair *pair)
{
    shared_unref(track, pair->shared);
    free(pair);
}

/* Used if a thread has no memory for a pair that is not kept: the program's own sampler, and a zero record. */
static const struct pair no_pair = {.nothing = true};

/* Under pair_lock: a new pair in the table, or the thread's scratch pair, which is valid until its next one. */
static const struct pair *pair_create(struct track *track, struct sampler_state_object *state, const struct view *view,
                                      uint64_t key)
{
    struct resolve_result result;
    VkResult error;
    struct pair *pair = track->sampling->pair_count < PAIR_LIMIT ? calloc(1, sizeof(*pair)) : NULL;
    struct pair found = {.key = key};
    resolve(track, state, view, pair != NULL, &found, &result, &error);
    if (pair && error == VK_SUCCESS) {
        *pair = found;
        if (table_insert(&track->sampling->pairs, key, pair)) {
            pair->next = state->pairs;
            state->pairs = pair;
            track->sampling->pair_count++;
            say_reason(track, state, view, pair);
            return pair;
        }
    }
    /* Not kept: its driver sampler is destroyed unless another pair uses it. */
    struct pair *scratch = thread_memory(THREAD_PAIR, sizeof(*scratch));
    free(pair);
    if (scratch) {
        *scratch = found;
        scratch->shared = NULL;
        if (found.shared && found.shared->references == 1)
            scratch->sampler = VK_NULL_HANDLE;
    }
    if (!scratch || (pair_needs_sampler(state, &result) && !scratch->sampler))
        say_failure(track, state, view, error != VK_SUCCESS ? error : VK_ERROR_OUT_OF_HOST_MEMORY);
    shared_unref(track, found.shared);
    return scratch ? scratch : &no_pair;
}

static __attribute__((noinline)) const struct pair *pair_made(struct track *track, struct sampler_state_object *state,
                                                              const struct view *view, uint64_t key)
{
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&track->sampling->pair_lock);
    const struct pair *pair = table_find(&track->sampling->pairs, key); /* another thread may have been faster */
    if (!pair)
        pair = pair_create(track, state, view, key);
    pthread_mutex_unlock(&track->sampling->pair_lock);
    messages_release(&held);
    return pair;
}

const struct pair *pair_look_up(struct track *track, struct sampler_state_object *state, const struct view *view,
                                uint64_t key)
{
    const struct pair *pair = table_find(&track->sampling->pairs, key);
    count_in_shard(&track->shards[thread_shard()].pair_hits[pair ? 1 : 2]);
    return pair ? pair : pair_made(track, state, view, key);
}

const struct pair *pair_embedded(struct track *track, struct sampler_state_object *state)
{
    return pair_look_up(track, state, NULL, (uint64_t)state->id << 32 | VIEW_FACTS_NO_KEY);
}

const struct driver_sampler *pair_driver(const struct pair *pair)
{
    return pair->shared ? &pair->shared->driver : NULL;
}

uint32_t embedded_record_index(struct track *track, struct sampler_state_object *state, const struct pair *pair)
{
    uint32_t record_index;
    return index_find(&state->record_indices, INDEX_EMBEDDED, &record_index)
               ? record_index
               : index_add(track, &state->record_indices, INDEX_EMBEDDED, &pair->terms.record, 1);
}

uint32_t state_record_index(struct track *track, struct sampler_state_object *state, const struct pair *alone)
{
    uint32_t record_index;
    return index_find(&state->record_indices, INDEX_ALONE, &record_index)
               ? record_index
               : index_add(track, &state->record_indices, INDEX_ALONE, &alone->terms.record, 1);
}

void pair_split(struct track *track, struct sampler_state_object *state, const struct view *view, struct record *image,
                struct record *sampler)
{
    VkSampler for_driver = VK_NULL_HANDLE;
    bool common = false; /* is that one that has nothing of the state? */
    memset(image, 0, sizeof(*image));
    memset(sampler, 0, sizeof(*sampler));
    if (view && view->opaque)
        view = NULL;
    if (view)
        *image = view->alone;
    if (view && state && state->emulation != SAMPLER_EMULATED_NEVER) {
        const struct pair *pair = pair_of(track, state, view);
        for_driver = pair->sampler;
        common = pair->common;
        if (pair->view == RESOLVE_VIEW_UNORM)
            image->lod &= ~RECORD_PAIR_SRGB;
        if (pair->view == RESOLVE_VIEW_UNMAPPED) /* depth is in red there */
            image->more &= ~(RECORD_MORE_DEPTH_IN_MASK << RECORD_MORE_DEPTH_IN_SHIFT);
    }
    const struct pair *alone = state ? pair_of(track, state, NULL) : NULL;
    if (alone && !alone->nothing) {
        const bool other = alone->sampler != for_driver;
        *sampler = alone->terms.record;
        if (other) { /* the driver's sampler is made for the view that it stands beside */
            sampler->flags =
                (sampler->flags & ~RECORD_FILTER_IF_MIPS) | RECORD_FILTER | (common ? RECORD_FILTER_IF_MIPS : 0u);
            sampler->more |= RECORD_MORE_TEXELS;
            device_needs_raise(track, DEVICE_NEEDS_SPLIT_FILTER);
        }
    }
}

uint32_t pair_record_index(struct track *track, struct sampler_state_object *state, struct view *view,
                           const struct record *record)
{
    const uint64_t key = state ? state->key : INDEX_EMBEDDED;
    uint32_t record_index;
    if (index_find(&view->record_indices, key, &record_index) &&
        record_table_is(track->record_table, record_index, record))
        return record_index;
    struct record run[RECORD_RUN_MOST] = {*record};
    pair_split(track, state, view, &run[HALF_IMAGE], &run[HALF_SAMPLER]);
    return index_add(track, &view->record_indices, key, run, RECORD_RUN_MOST);
}

void pairs_forget(struct track *track, struct sampler_state_object *state)
{
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&track->sampling->pair_lock);
    while (state->pairs) {
        struct pair *pair = state->pairs;
        state->pairs = pair->next;
        table_remove(&track->sampling->pairs, pair->key);
        track->sampling->pair_count--;
        pair_forget(track, pair);
    }
    pthread_mutex_unlock(&track->sampling->pair_lock);
    messages_release(&held);
}

/* ---- Reasons ---- */

VkResult pair_reason(struct track *track, VkSampler handle, VkImageView view_handle, char *text, size_t size)
{
    const struct sampler sampler = sampler_find(track, handle);
    const struct view *view = view_handle ? view_find(track, view_handle) : NULL;
    if (!sampler.state || (view_handle && !view)) {
        if (sampler.bits & SAMPLER_OPAQUE)
            snprintf(text, size, "untouched: a YCbCr conversion, or a sampler that must stay as it is");
        return sampler.bits & SAMPLER_OPAQUE ? VK_SUCCESS : VK_ERROR_UNKNOWN;
    }
    const struct pair *pair = pair_of(track, sampler.state, view);
    resolve_explain(&sampler.state->state, view ? &view->facts : NULL, caps_of(track, pair), text, size);
    return VK_SUCCESS;
}
