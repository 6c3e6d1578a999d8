/* SPDX-License-Identifier: MIT */
/* Counts the driver's samplers, and makes samplers of the program's that have none. */
#include "sampling/surplus.h"

#include "device/device.h"
#include "device/message.h"
#include "objects/table.h"
#include "objects/track.h"
#include "resolve/resolve.h"
#include "sampling/pair.h"
#include "sampling/sampling.h"
#include "settings/settings.h"

/* The nearest sampler of layouts, and one for each VkCompareOp, and one without (make_common in resolve/driver.c). */
enum { COMMON_KINDS = 10, PART_OF_PAIRS = 8 };

/* ---- The driver's samplers ---- */

void driver_samplers_init(struct track *track)
{
    struct driver_samplers *known = &track->sampling->driver_samplers;
    const uint32_t missing = track->device->instance->settings.assume_missing;
    const uint32_t limit = track->device->properties.limits.maxSamplerAllocationCount, part = limit / PART_OF_PAIRS;
    known->most_common = part < COMMON_KINDS ? part : COMMON_KINDS;
    known->most = limit - known->most_common;
    known->most_with_pairs = missing & MISSING_PAIR_SAMPLERS ? 0 : known->most;
    known->most_of_program = missing & (MISSING_SAMPLERS | MISSING_PAIR_SAMPLERS) ? 0 : limit - part;
}

/* False: there are that many. */
static bool count_up(_Atomic(uint32_t) *count, uint32_t most)
{
    uint32_t known = atomic_load_explicit(count, memory_order_relaxed);
    do {
        if (known >= most)
            return false;
    } while (!atomic_compare_exchange_weak(count, &known, known + 1)); /* device_needs.c looks at it afterwards */
    return true;
}

static void count_down(_Atomic(uint32_t) *count)
{
    atomic_fetch_sub_explicit(count, 1, memory_order_relaxed);
}

bool driver_sampler_acquire(struct track *track, enum sampler_use use)
{
    struct driver_samplers *known = &track->sampling->driver_samplers;
    switch (use) {
    case SAMPLER_COMMON:
        return count_up(&known->common, known->most_common);
    case SAMPLER_OF_PAIR:
        return count_up(&known->others, known->most_with_pairs);
    default:
        if (!count_up(&known->of_program, use == SAMPLER_OF_PROGRAM ? known->most_of_program : UINT32_MAX))
            return false;
        if (count_up(&known->others, known->most))
            return true;
        count_down(&known->of_program);
        return false;
    }
}

void driver_sampler_release(struct track *track, enum sampler_use use)
{
    struct driver_samplers *known = &track->sampling->driver_samplers;
    count_down(use == SAMPLER_COMMON ? &known->common : &known->others);
    if (use == SAMPLER_OF_PROGRAM || use == SAMPLER_NOT_SURPLUS)
        count_down(&known->of_program);
}

/* ---- Surplus samplers ---- */

/* More samplers than these are refused: memory has to end somewhere. */
enum { SURPLUS_MOST = 1 << 20 };

/*
 * The structures of others, and flags that are not known, may say anything. A sampler that is captured for replay is
 * the driver's own.
 */
enum sampler_use sampler_use_of(const struct sampler_request *request)
{
    const VkSamplerCreateFlags known = VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
    return request->opaque || request->chain.others || (request->info->flags & ~known) ? SAMPLER_NOT_SURPLUS
                                                                                       : SAMPLER_OF_PROGRAM;
}

static VkResult say_full(struct track *track, VkResult result)
{
    const struct sampling *s = track->sampling;
    if (result == VK_ERROR_TOO_MANY_OBJECTS)
        message_about(track->device, LOG_ERROR, NULL,
                      "vkCreateSampler: the driver takes no more samplers than %u, of which %u are the program's, and "
                      "%u that it has none for are alive, of at most %u",
                      track->device->properties.limits.maxSamplerAllocationCount,
                      atomic_load_explicit(&s->driver_samplers.of_program, memory_order_relaxed),
                      atomic_load_explicit(&s->surplus, memory_order_relaxed), (unsigned)SURPLUS_MOST);
    return result;
}

/* VK_NULL_HANDLE: out of memory. */
static VkSampler surplus_insert(struct track *track, struct sampler_state_object *state)
{
    uint64_t key;
    do {
        key = SURPLUS_FIRST + atomic_fetch_add_explicit(&track->device->surplus_handles, 1, memory_order_relaxed);
    } while (table_find(&track->sampling->samplers, key));
    return table_insert(&track->sampling->samplers, key, state) ? HANDLE_OF(VkSampler, key) : VK_NULL_HANDLE;
}

VkResult surplus_create(struct track *track, const struct sampler_request *request, VkSampler *handle)
{
    struct sampling *s = track->sampling;
    VkResult result = VK_ERROR_TOO_MANY_OBJECTS;
    if (sampler_use_of(request) != SAMPLER_OF_PROGRAM || !count_up(&s->surplus, SURPLUS_MOST))
        return say_full(track, result);
    struct shared_sampler *common = common_acquire(track, &request->state, &result);
    struct sampler_state_object *state = common ? sampler_state_intern(track, &request->state, common) : NULL;
    if (common)
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    /* Before a thread finds it: writes of descriptors look closer from then on. */
    atomic_fetch_add_explicit(&track->requires_emulation, EMULATED_SAMPLER, memory_order_relaxed);
    if (state)
        pair_of(track, state, NULL); /* the device has its needs before it is used */
    const VkSampler created = state ? surplus_insert(track, state) : VK_NULL_HANDLE;
    if (!created) {
        atomic_fetch_sub_explicit(&track->requires_emulation, EMULATED_SAMPLER, memory_order_relaxed);
        sampler_state_unref(track, state);
        count_down(&s->surplus);
        return say_full(track, result);
    }
    atomic_store_explicit(&state->sampler, HANDLE_KEY(created), memory_order_relaxed);
    count(&track->counters.live_objects, 1);
    count(&track->counters.samplers_surplus, 1);
    *handle = created;
    return VK_SUCCESS;
}

void surplus_release(struct track *track, VkSampler handle)
{
    private_data_forget(track, HANDLE_KEY(handle));
    count_down(&track->sampling->surplus);
}

VkSampler sampler_unresolved(struct track *track, VkSampler handle)
{
    if (!device_has_surplus(track->device, HANDLE_KEY(handle)))
        return handle;
    const struct sampler sampler = sampler_find(track, handle);
    if (!is_surplus(sampler))
        return sampler.state || sampler.bits ? handle : VK_NULL_HANDLE;
    return pair_sampler(pair_of(track, sampler.state, NULL), sampler.state, handle);
}
