/* SPDX-License-Identifier: MIT */
/* Samplers: GL state and private address modes become driver samplers; records have the rest. */
#include <stdlib.h>
#include <string.h>

#include "device/object_names.h"
#include "device/held.h"
#include "sampling/sampler.h"
#include "sampling/sampler_request.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "objects/hold.h"
#include "objects/pnext.h"
#include "objects/table.h"
#include "objects/track.h"
#include "resolve/classify.h"
#include "resolve/resolve.h"
#include "sampling/device_needs.h"
#include "sampling/saved_writes.h"
#include "sampling/pair.h"
#include "sampling/sampling.h"
#include "sampling/surplus.h"
#include "vulkan_clampler.h"

_Static_assert(_Alignof(max_align_t) > SAMPLER_BITS, "bits of a sampler stand below the address of its state");

static void *pack(struct sampler sampler)
{
    if (sampler.bits & SAMPLER_OPAQUE)
        return (void *)(uintptr_t)(SAMPLER_NEVER_EMULATED | (sampler.bits & SAMPLER_BORDER_SLOT));
    return (void *)((uintptr_t)sampler.state | sampler.bits);
}

/*
 * True: with some view that does not require emulation itself, the sampler has a record, or the driver gets another
 * sampler.
 */
static bool requires_emulation(struct sampler sampler)
{
    return sampler.state && !sampler_is_native(sampler, true);
}

/* The driver's sampler of the program's with a custom border colour is gone. */
static void release_program_border(struct track *track)
{
    border_slot_release(track);
    atomic_fetch_sub_explicit(&track->sampling->program_borders, 1, memory_order_relaxed);
}

static void sampler_forget(struct track *track, struct sampler sampler)
{
    if (requires_emulation(sampler))
        atomic_fetch_sub_explicit(&track->requires_emulation, EMULATED_SAMPLER, memory_order_relaxed);
    if (sampler.bits & SAMPLER_BORDER_SLOT)
        release_program_border(track);
    sampler_state_unref(track, sampler.state);
}

/* Counts a program's own custom border colour; the driver may refuse it. */
static bool take_program_border(struct track *track, const VkSamplerCreateInfo *info)
{
    bool custom =
        info->borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || info->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
    if (custom) {
        atomic_fetch_add(&track->sampling->border_samplers, 1);
        atomic_fetch_add(&track->sampling->program_borders, 1);
    }
    return custom;
}

/* The driver's sampler for GL state or private address modes: the one that suits most views. */
static VkResult create_emulated(const struct device *device, const struct sampler_request *request,
                                const VkAllocationCallbacks *callbacks, VkSampler *handle)
{
    static const VkStructureType replaced[] = {
        VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM,
    };
    void *rest = NULL, *memory = NULL;
    if (request->chain.others &&
        !pnext_copy_without(request->info->pNext, replaced, sizeof(replaced) / sizeof(replaced[0]), &rest, &memory))
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    struct driver_sampler driver;
    struct driver_sampler_chain chain;
    resolve_program_sampler(&request->state, &device->caps.resolve, &driver);
    VkSamplerCreateInfo for_driver = *resolve_driver_info(&driver, &chain);
    if (request->opaque)
        resolve_keep_unknown_modes(request->info, &for_driver);

    /* The resolver's own structures first, then the rest of the program's chain. */
    VkBaseOutStructure *last = (VkBaseOutStructure *)(void *)&for_driver;
    while (last->pNext)
        last = last->pNext;
    last->pNext = rest;
    VkResult result = device->next.CreateSampler(device->handle, &for_driver, callbacks, handle);
    free(memory);
    return result;
}

/* The sampler behind the program's own handle. */
static VkResult driver_sampler_create(const struct device *device, const struct sampler_request *request,
                                      const VkAllocationCallbacks *callbacks, VkSampler *handle)
{
    return request->emulated ? create_emulated(device, request, callbacks, handle)
                             : device->next.CreateSampler(device->handle, request->info, callbacks, handle);
}

/* ---- Samplers that are no objects ---- */

/* A border colour that is registered with the driver until the device is destroyed. */
struct bare_border {
    struct bare_border *next;
    VkClearColorValue color;
    VkFormat format;
    uint32_t index;
};

/* False: the driver's limit is reached, or memory ran out. */
static bool register_border(struct track *track, const struct driver_sampler *driver, uint32_t *index)
{
    const struct device *device = track->device;
    struct sampling *s = track->sampling;
    const VkSamplerCustomBorderColorCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor = driver->border,
        .format = driver->border_format};
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&s->pair_lock);
    struct bare_border *border = s->bare_borders;
    while (border && (border->format != info.format ||
                      memcmp(&border->color, &info.customBorderColor, sizeof(border->color)) != 0))
        border = border->next;
    if (!border && border_slot_acquire(track)) {
        border = calloc(1, sizeof(*border));
        if (border &&
            device->next.RegisterCustomBorderColorEXT(device->handle, &info, VK_FALSE, &border->index) == VK_SUCCESS) {
            border->color = info.customBorderColor;
            border->format = info.format;
            border->next = s->bare_borders;
            s->bare_borders = border;
        } else {
            border_slot_release(track);
            free(border);
            border = NULL;
        }
    }
    pthread_mutex_unlock(&s->pair_lock);
    messages_release(&held);
    if (border)
        *index = border->index;
    return border;
}

void bare_borders_finish(struct track *track)
{
    const struct device *device = track->device;
    while (track->sampling->bare_borders) {
        struct bare_border *border = track->sampling->bare_borders;
        track->sampling->bare_borders = border->next;
        device->next.UnregisterCustomBorderColorEXT(device->handle, border->index);
        free(border);
    }
}

/* The driver's info of a sampler with its border colour's index. False: the colour has no place. */
static bool bare_info(struct track *track, const struct driver_sampler *driver, struct bare_sampler *bare)
{
    bare->index = (VkSamplerCustomBorderColorIndexCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT};
    if (driver->custom_border && !register_border(track, driver, &bare->index.index))
        return false;
    bare->driver = resolve_driver_info(driver, &bare->chain);
    if (driver->custom_border) {
        bare->index.pNext = bare->chain.info.pNext;
        bare->chain.info.pNext = &bare->index;
    }
    return true;
}

/* With the driver's custom border colours, or without. False: they have no place. */
static bool make_bare(struct track *track, const struct sampler_request *asked, struct sampler_state_object *state,
                      bool without_border, struct bare_sampler *bare)
{
    const struct pair *pair = without_border ? pair_embedded(track, state) : pair_of(track, state, NULL);
    const struct resolve_caps *caps =
        without_border ? &track->sampling->caps_without_border : &track->device->caps.resolve;
    struct driver_sampler driver;
    if (pair_driver(pair))
        driver = *pair_driver(pair);
    else if (asked->emulated)
        resolve_program_sampler(&asked->state, caps, &driver);
    if ((pair_driver(pair) || asked->emulated) && !bare_info(track, &driver, bare))
        return false;
    bare->record_index =
        without_border ? embedded_record_index(track, state, pair) : state_record_index(track, state, pair);
    return true;
}

/* The driver must not see what the layer offers, though it alone filters. */
static void make_opaque(struct track *track, const struct sampler_request *asked, bool embedded,
                        struct bare_sampler *bare)
{
    struct driver_sampler driver;
    resolve_program_sampler(&asked->state,
                            embedded ? &track->sampling->caps_without_border : &track->device->caps.resolve, &driver);
    if (!bare_info(track, &driver, bare)) {
        resolve_program_sampler(&asked->state, &track->sampling->caps_without_border, &driver);
        bare->driver = resolve_driver_info(&driver, &bare->chain);
    }
    resolve_keep_unknown_modes(asked->info, &bare->chain.info);
    if (asked->chain.conversion) {
        bare->conversion = *asked->chain.conversion;
        bare->conversion.pNext = bare->chain.info.pNext;
        bare->chain.info.pNext = &bare->conversion;
    }
}

VkResult sampler_make_bare(struct track *track, const VkSamplerCreateInfo *info, bool embedded,
                           struct bare_sampler *bare)
{
    struct sampler_request asked;
    VkResult result =
        sampler_request_parse(track, embedded ? "pEmbeddedSampler" : "vkWriteSamplerDescriptorsEXT", info, &asked);
    *bare = (struct bare_sampler){.driver = info, .opaque = result == VK_SUCCESS && asked.opaque};
    if (result == VK_SUCCESS && asked.opaque && asked.emulated)
        make_opaque(track, &asked, embedded, bare);
    if (result != VK_SUCCESS || asked.opaque)
        return result;
    struct sampler_state_object *state = sampler_state_of_device(track, &asked.state);
    if (!state)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (asked.info != info) {
        bare->clamped = *asked.info;
        bare->driver = &bare->clamped;
    }
    if (embedded || !make_bare(track, &asked, state, false, bare))
        make_bare(track, &asked, state, true, bare);
    return VK_SUCCESS;
}

/* ---- Held samplers ---- */

/* Of one sampler. */
struct conversion {
    VkSamplerYcbcrConversion handle;
};

static bool remember_conversion(struct track *track, VkSamplerYcbcrConversion handle, VkSampler sampler)
{
    if (!handle)
        return true;
    struct conversion *conversion = object_alloc(track, NULL, sizeof(*conversion));
    if (!conversion)
        return false;
    conversion->handle = handle;
    if (table_insert(&track->sampling->conversions, HANDLE_KEY(sampler), conversion))
        return true;
    object_free(track, NULL, conversion, sizeof(*conversion));
    return false;
}

static void forget_conversion(struct track *track, VkSampler sampler)
{
    object_free(track, NULL, table_remove(&track->sampling->conversions, HANDLE_KEY(sampler)),
                sizeof(struct conversion));
}

static void free_conversion(void *conversion, void *user)
{
    object_free(user, NULL, conversion, sizeof(struct conversion));
}

void conversions_finish(struct track *track)
{
    table_visit(&track->sampling->conversions, free_conversion, track);
    table_finish(&track->sampling->conversions);
}

bool sampler_hold(struct track *track, VkSampler sampler, struct held_sampler *held)
{
    struct sampling *s = track->sampling;
    const struct conversion *conversion = table_find(&s->conversions, HANDLE_KEY(sampler));
    *held = (struct held_sampler){sampler, conversion ? conversion->handle : VK_NULL_HANDLE,
                                  sampler_find(track, sampler).bits & SAMPLER_BORDER_SLOT};
    if (held->conversion && !hold_take(&s->held_conversions, HANDLE_KEY(held->conversion)))
        return false;
    if (hold_take(&s->held_samplers, HANDLE_KEY(sampler)))
        return true;
    if (held->conversion)
        hold_drop(&s->held_conversions, HANDLE_KEY(held->conversion));
    return false;
}

bool sampler_hold_bare(struct track *track, const VkSamplerCreateInfo *info, struct held_sampler *held)
{
    const VkSamplerYcbcrConversionInfo *chained =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
    const VkSamplerYcbcrConversion conversion = chained ? chained->conversion : VK_NULL_HANDLE;
    *held = (struct held_sampler){.conversion = VK_NULL_HANDLE};
    if (conversion && !hold_take(&track->sampling->held_conversions, HANDLE_KEY(conversion)))
        return false;
    held->conversion = conversion;
    return true;
}

static void driver_sampler_destroy(struct track *track, VkSampler handle, const VkAllocationCallbacks *callbacks)
{
    track->device->next.DestroySampler(track->device->handle, handle, callbacks);
    driver_sampler_release(track, SAMPLER_OF_PROGRAM);
}

void sampler_release(struct track *track, const struct held_sampler *held)
{
    const struct device *device = track->device;
    struct sampling *s = track->sampling;
    for (uint32_t i = held->sampler ? hold_drop(&s->held_samplers, HANDLE_KEY(held->sampler)) : 0; i; i--) {
        driver_sampler_destroy(track, held->sampler, NULL);
        if (held->border_slot)
            release_program_border(track);
    }
    for (uint32_t i = held->conversion ? hold_drop(&s->held_conversions, HANDLE_KEY(held->conversion)) : 0; i; i--)
        device->next.DestroySamplerYcbcrConversion(device->handle, held->conversion, NULL);
}

/* Samplers that were made with the program's callbacks are destroyed with them, which cannot be delayed. */
static void remember_callbacks(struct track *track, const VkAllocationCallbacks *callbacks)
{
    if (callbacks)
        atomic_store_explicit(&track->sampling->foreign, true, memory_order_relaxed);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateSamplerYcbcrConversion(VkDevice handle,
                                                                 const VkSamplerYcbcrConversionCreateInfo *pCreateInfo,
                                                                 const VkAllocationCallbacks *pAllocator,
                                                                 VkSamplerYcbcrConversion *pYcbcrConversion)
{
    struct device *device = device_of(handle);
    remember_callbacks(device->track, pAllocator);
    return device->next.CreateSamplerYcbcrConversion(handle, pCreateInfo, pAllocator, pYcbcrConversion);
}

VKAPI_ATTR void VKAPI_CALL hook_DestroySamplerYcbcrConversion(VkDevice handle, VkSamplerYcbcrConversion conversion,
                                                              const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    if (pAllocator || !hold_postpone(&device->track->sampling->held_conversions, HANDLE_KEY(conversion)))
        device->next.DestroySamplerYcbcrConversion(handle, conversion, pAllocator);
}

/* ---- Samplers ---- */

/* Acquires the parts that sampler_forget() releases. False: out of memory. */
static bool sampler_open(struct track *track, const struct sampler_request *request, struct sampler *sampler)
{
    *sampler = (struct sampler){.bits = request->opaque ? SAMPLER_OPAQUE : 0};
    if (!request->opaque) {
        sampler->state = sampler_state_intern(track, &request->state, NULL);
        if (!sampler->state)
            return false;
        const enum sampler_emulation emulation = sampler->state->emulation;
        sampler->bits = (emulation == SAMPLER_EMULATED_NEVER ? SAMPLER_NEVER_EMULATED : 0u) |
                        (emulation != SAMPLER_EMULATED_ALWAYS ? SAMPLER_NOT_ALWAYS_EMULATED : 0u);
    }
    if (requires_emulation(*sampler))
        atomic_fetch_add_explicit(&track->requires_emulation, EMULATED_SAMPLER, memory_order_relaxed);
    if (!request->emulated && take_program_border(track, request->info))
        sampler->bits |= SAMPLER_BORDER_SLOT;
    device_needs_of_room(track);
    return true;
}

/* False: out of memory, or a surplus sampler has the handle; the driver's sampler is destroyed. */
static bool sampler_insert(struct track *track, const struct sampler_request *request, struct sampler sampler,
                           const VkAllocationCallbacks *callbacks, VkSampler created)
{
    const struct device *device = track->device;
    const bool taken = is_surplus(sampler_find(track, created));
    if (taken || !remember_conversion(track, sampler_request_conversion(request), created) ||
        !table_insert(&track->sampling->samplers, HANDLE_KEY(created), pack(sampler))) {
        if (!taken)
            forget_conversion(track, created);
        device->next.DestroySampler(device->handle, created, callbacks);
        return false;
    }
    remember_callbacks(track, callbacks);
    if (sampler.state)
        atomic_store_explicit(&sampler.state->sampler, HANDLE_KEY(created), memory_order_relaxed);
    count(&track->counters.live_objects, 1);
    return true;
}

/* With a sampler of the driver's. VK_ERROR_TOO_MANY_OBJECTS: it takes no more. */
static VkResult sampler_create(struct track *track, const struct sampler_request *request,
                               const VkAllocationCallbacks *callbacks, VkSampler *created)
{
    struct sampler sampler;
    if (!driver_sampler_acquire(track, sampler_use_of(request)))
        return VK_ERROR_TOO_MANY_OBJECTS;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    const bool open = sampler_open(track, request, &sampler);
    if (open)
        result = driver_sampler_create(track->device, request, callbacks, created);
    if (result == VK_SUCCESS && !sampler_insert(track, request, sampler, callbacks, *created))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        driver_sampler_release(track, SAMPLER_OF_PROGRAM);
        if (open)
            sampler_forget(track, sampler);
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateSampler(VkDevice handle, const VkSamplerCreateInfo *pCreateInfo,
                                                  const VkAllocationCallbacks *pAllocator, VkSampler *pSampler)
{
    struct track *track = device_of(handle)->track;
    struct sampler_request request;
    VkSampler created = VK_NULL_HANDLE;
    VkResult result = sampler_request_parse(track, "vkCreateSampler", pCreateInfo, &request);
    if (result == VK_SUCCESS)
        result = sampler_create(track, &request, pAllocator, &created);
    if (result == VK_ERROR_TOO_MANY_OBJECTS)
        result = surplus_create(track, &request, &created);
    if (result == VK_SUCCESS)
        *pSampler = created;
    return result;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroySampler(VkDevice handle, VkSampler sampler,
                                               const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct sampler known = sampler_find(track, sampler);
    if (!sampler)
        return;
    if (table_remove(&track->sampling->samplers, HANDLE_KEY(sampler)))
        count(&track->counters.live_objects, (uint64_t)-1);
    uint64_t newest = HANDLE_KEY(sampler);
    if (known.state)
        atomic_compare_exchange_strong_explicit(&known.state->sampler, &newest, 0, memory_order_relaxed,
                                                memory_order_relaxed);
    object_gone(&device->names, VK_OBJECT_TYPE_SAMPLER, HANDLE_KEY(sampler));
    saved_writes_forget(track);
    if (is_surplus(known)) {
        surplus_release(track, sampler);
    } else {
        forget_conversion(track, sampler);
        if (pAllocator || !hold_postpone(&track->sampling->held_samplers, HANDLE_KEY(sampler)))
            driver_sampler_destroy(track, sampler, pAllocator);
        else
            known.bits &= ~(uint32_t)SAMPLER_BORDER_SLOT; /* the driver still has it (sampler_release) */
    }
    sampler_forget(track, known);
}
