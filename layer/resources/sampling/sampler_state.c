/* SPDX-License-Identifier: MIT */
/*
 * Sampler states as identities: equal states are one object with one number and a reference count, whatever the program
 * creates. Pairs (pair.c) hang on them.
 */
#include <string.h>

#include "hash.h"
#include "device/held.h"
#include "thread_memory/thread_memory.h"
#include "objects/track.h"
#include "record/layout.h"
#include "resolve/resolve.h"
#include "sampling/device_needs.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"
#include "view_facts/view_facts.h"
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

/* None of the keys that are not of states (INDEX_ALONE and others): bit 62 is set, and bit 63 is not. */
static uint64_t number_key(const struct sampler_state *state)
{
    return hash_of(state) >> 2 | UINT64_C(1) << 62;
}

/* ---- What a state asks for ---- */

static bool requires_nothing(const struct track *track, const struct sampler_state *state,
                             const struct view_facts *view)
{
    struct resolve_result result;
    resolve_decide(state, view, &track->device->caps, &result);
    return result.program_suffices && result.needs == 0 && !resolve_terms_any(&result.terms) &&
           result.terms.record.lod == 0 && result.view <= RESOLVE_VIEW_SAMPLED;
}

static struct view_facts probe(VkImageViewType type, VkFormat format, VkImageAspectFlags aspect)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .viewType = type,
        .format = format,
        .subresourceRange = {.aspectMask = aspect, .levelCount = 2, .layerCount = 1},
    };
    struct view_facts facts;
    view_facts_from_vk(&info, &facts);
    facts.width = facts.height = facts.depth = 2;
    facts.levels = 2;
    facts.linear = facts.minmax = facts.unorm_auxiliary = true;
    return facts;
}

/* Whether the state gives zero records for all views that do not require emulation (view_requires_emulation in
 * layer/resources/views/view.c). */
static bool is_not_always_emulated(const struct track *track, const struct sampler_state *state)
{
    static const VkImageViewType types[] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_3D,
                                            VK_IMAGE_VIEW_TYPE_CUBE};
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8_UNORM,
                                       VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_SNORM};
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
        for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
            struct view_facts view = probe(types[t], formats[f], VK_IMAGE_ASPECT_COLOR_BIT);
            if (!requires_nothing(track, state, &view))
                return false;
            view.minmax = false;
            if (state->reduction && !requires_nothing(track, state, &view))
                return false;
        }
    }
    static const VkFormat depths[] = {VK_FORMAT_D32_SFLOAT, VK_FORMAT_D16_UNORM};
    for (size_t f = 0; f < sizeof(depths) / sizeof(depths[0]); f++) {
        const struct view_facts view = probe(VK_IMAGE_VIEW_TYPE_2D, depths[f], VK_IMAGE_ASPECT_DEPTH_BIT);
        if (!requires_nothing(track, state, &view))
            return false;
    }
    return true;
}

static bool is_native_alone(const struct track *track, const struct sampler_state *state)
{
    struct resolve_result result;
    resolve_decide(state, NULL, &track->device->caps, &result);
    return result.program_suffices;
}

/* Nothing for views that require emulation either. */
static bool is_plain(const struct track *track, const struct sampler_state *state)
{
    struct view_facts view = probe(VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_UINT, VK_IMAGE_ASPECT_COLOR_BIT);
    if (!requires_nothing(track, state, &view))
        return false;
    view = probe(VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT);
    if (!requires_nothing(track, state, &view))
        return false;
    view = probe(VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32G32B32A32_SFLOAT, VK_IMAGE_ASPECT_COLOR_BIT);
    view.linear = view.minmax = false;
    if (!requires_nothing(track, state, &view))
        return false;
    view.linear = view.minmax = true;
    view.rectangle = true;
    if (track->device->enabled.glImageView && !requires_nothing(track, state, &view))
        return false;
    view.rectangle = false;
    view.mapping = VIEW_MAPPING_OTHER;
    for (uint32_t i = 0; i < 4; i++)
        view.swizzle[i] = (uint8_t)(RECORD_BORDER_A - i);
    if (!requires_nothing(track, state, &view))
        return false;
    /* What swizzles make of comparisons; of Vulkan's own samplers and views it is the driver's business. */
    view = probe(VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT);
    view.mapping = VIEW_MAPPING_OTHER;
    view.swizzle[0] = RECORD_BORDER_ZERO;
    view.compared = VIEW_COMPARED_ZERO;
    const bool gl = state->gl || track->device->enabled.glImageView;
    return !gl || requires_nothing(track, state, &view);
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

/* Under the lock. Numbers come again only after all 2^32 were used; then what threads remember of them is void. */
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

struct sampler_state_object *sampler_state_intern(struct track *track, const struct sampler_state *content)
{
    struct states *states = &track->sampling->states;
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&states->lock);
    struct sampler_state_object **bucket = bucket_of(states, content);
    struct sampler_state_object *state = *bucket;
    while (state && memcmp(&state->state, content, sizeof(*content)) != 0)
        state = state->next;
    if (state) {
        state->references++;
    } else if ((state = object_alloc(track, NULL, sizeof(*state)))) {
        state->references = 1;
        state->id = new_id(track);
        state->key = number_key(content);
        state->state = *content;
        state->not_always_emulated = is_not_always_emulated(track, content);
        state->never_emulated = state->not_always_emulated && is_plain(track, content);
        state->native_alone = is_native_alone(track, content);
        state->next = *bucket;
        *bucket = state;
        device_needs_of_state(track, state);
    }
    pthread_mutex_unlock(&states->lock);
    messages_release(&held);
    return state;
}

/* States that the device keeps, as this thread found them last. They are good as long as the serial is. */
struct combination_state {
    uint64_t serial;
    struct sampler_state content;
    struct sampler_state_object *state;
};
enum { COMBINATION_STATES_SHIFT = 61, COMBINATION_STATES = 8 };

/* NULL: the thread cannot remember any. */
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
    struct sampler_state_object *state = sampler_state_intern(track, content);
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
    }
    pthread_mutex_unlock(&states->lock);
    if (!last)
        return;
    pairs_forget(track, state);
    indices_release(track, &state->numbers);
    object_free(track, NULL, state, sizeof(*state));
}
