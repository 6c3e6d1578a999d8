/* SPDX-License-Identifier: MIT */
/*
 * vkGetDescriptorEXT: writes the driver's bytes for the layer's views and samplers in the place of the program's, and
 * behind them the record index. Between the two, samplers have nearest ones. Takes no lock and allocates nothing,
 * except for a new pair of view and sampler state. Descriptors are cached (bytes.h).
 */
#include <string.h>

#include "descriptors/update.h"
#include "device/device.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "layouts/layouts.h"
#include "need/need.h"
#include "objects/track.h"
#include "record/layout.h"
#include "record_table/record_table.h"
#include "sampling/image.h"
#include "sampling/descriptor_cache.h"
#include "sampling/device_needs.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "sampling/surplus.h"
#include "texel_buffers/app_texels.h"
#include "dispatch_map/dispatch_map.h"
#include "device/app_descriptors.h"
#include "app_descriptors/bytes.h"
#include "sampling/saved_writes.h"

/* The driver's VkDescriptorGetInfoEXT, and the record index. */
struct app_descriptor {
    VkDescriptorGetInfoEXT driver;
    VkDescriptorImageInfo image;
    VkSampler sampler;
    VkDescriptorAddressInfoEXT address;
    uint32_t record_index;
};

static void take_sampler(struct track *track, const VkSampler *sampler, struct app_descriptor *to)
{
    const struct sampler known = sampler_find(track, *sampler);
    to->sampler = *sampler;
    if (known.state) {
        const struct pair *pair = pair_of(track, known.state, NULL);
        to->sampler = pair_sampler(pair, known.state, to->sampler);
        to->record_index = state_record_index(track, known.state, pair);
    }
    to->driver.data.pSampler = &to->sampler;
}

static void take_combined(struct track *track, const VkDescriptorImageInfo *info, struct app_descriptor *to)
{
    struct view *view = view_find(track, info->imageView);
    struct record record;
    descriptor_resolve(track, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, info, NULL, false, &to->image, &record);
    if (view && !view->opaque)
        to->record_index = pair_record_index(track, sampler_find(track, info->sampler).state, view, &record);
    to->driver.data.pCombinedImageSampler = &to->image;
}

static void take_image(struct track *track, const VkDescriptorImageInfo *info, struct app_descriptor *to)
{
    struct view *view = info ? view_find(track, info->imageView) : NULL;
    if (!info)
        return; /* a null descriptor */
    descriptor_resolve(track, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, info, NULL, false, &to->image, NULL);
    if (view && !view->opaque)
        to->record_index = view_record_index(track, view);
    to->driver.data.pSampledImage = &to->image;
}

/* The key of the record of a view as an input attachment; no sampler state has it. */
#define INDEX_INPUT UINT64_MAX

static uint32_t input_record_index(struct track *track, struct view *view)
{
    static const struct record input = {.flags = RECORD_OTHER | RECORD_OTHER_INPUT};
    uint32_t record_index;
    return index_find(&view->record_indices, INDEX_INPUT, &record_index)
               ? record_index
               : index_add(track, &view->record_indices, INDEX_INPUT, &input, 1);
}

static void take_input(struct track *track, const VkDescriptorImageInfo *info, struct app_descriptor *to)
{
    struct view *view = info ? view_find(track, info->imageView) : NULL;
    if (view && view->rgbx_attachment)
        to->record_index = input_record_index(track, view);
}

static void take_texels(struct track *track, const VkDescriptorAddressInfoEXT *info, struct app_descriptor *to)
{
    if (!info)
        return;                                                                     /* a null descriptor */
    app_texels(track, "vkGetDescriptorEXT", info, &to->address, &to->record_index); /* the call has no VkResult */
    to->driver.data.pUniformTexelBuffer = &to->address;
}

static void take(struct track *track, const VkDescriptorGetInfoEXT *info, struct app_descriptor *to)
{
    switch (info->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        take_sampler(track, info->data.pSampler, to);
        break;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        take_combined(track, info->data.pCombinedImageSampler, to);
        break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        take_image(track, info->data.pSampledImage, to);
        break;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        take_input(track, info->data.pInputAttachmentImage, to);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        take_texels(track, info->data.pUniformTexelBuffer, to);
        break;
    default:
        break;
    }
}

/* The driver's bytes of a descriptor for which the program has room for `size` of them; 0: that is no such size. */
static size_t driver_size(const struct device *device, enum app_descriptor_kind kind, size_t size)
{
    const struct app_descriptor_size *known = &device->caps.app_descriptors.sizes[kind];
    if (size == (size_t)known->size * known->scale) /* as nearly all are: nothing is divided for them */
        return known->size;
    const size_t driver = size / known->scale;
    const bool robust = kind == APP_TEXEL_BUFFER && driver == device->caps.app_descriptors.robust_texel_buffer;
    /* A YCbCr conversion may take several combined image samplers. */
    const bool several = kind == APP_COMBINED && driver % known->size == 0;
    return size % known->scale == 0 && (driver == known->size || robust || several) ? driver : 0;
}

/* Writes the nearest samplers, with which shaders read texels of cubes, in front of the sampler's record index. */
static void put_nearest(const struct track *track, const struct app_descriptor_size *size, char *descriptor)
{
    const void *bytes = track->layouts->nearest_bytes;
    for (uint32_t at = size->size; at < size->index_offset; at += size->size) {
        if (bytes)
            memcpy(descriptor + at, bytes, size->size);
        else
            memset(descriptor + at, 0, size->size);
    }
}

static void say_size(const struct device *device, VkDescriptorType type, size_t size)
{
    static struct message_place said;
    const struct app_descriptor_size *known = &device->caps.app_descriptors.sizes[app_descriptor_kind_of(type)];
    message_about_once(&said, device, LOG_ERROR, NULL,
                       "vkGetDescriptorEXT: dataSize is %zu for a descriptor of %u bytes (VkDescriptorType %d, as "
                       "VkPhysicalDeviceDescriptorBufferPropertiesEXT says beside "
                       "VkPhysicalDeviceGLSamplerPropertiesCLAMPLER): its record is left out",
                       size, known->size * known->scale, (int)type);
}

/* ---- The cache ---- */

/* The words of the key; 0: it is none of those that are remembered. */
CACHE_INLINE uint32_t key_of(VkDevice handle, VkDescriptorType type, const VkDescriptorGetInfoEXT *info, size_t size,
                             struct descriptor_key *key)
{
    uint32_t layout = 0, count = 1;
    key->gone = gone_count(GONE_HANDLES);
    key->device = (uintptr_t)dispatch_key(handle);
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        key->words[0] = HANDLE_KEY(*info->data.pSampler);
        break;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        key->words[0] = HANDLE_KEY(info->data.pCombinedImageSampler->imageView);
        key->words[1] = HANDLE_KEY(info->data.pCombinedImageSampler->sampler);
        layout = (uint32_t)info->data.pCombinedImageSampler->imageLayout;
        count = 2;
        break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        if (!info->data.pSampledImage)
            return 0;
        key->words[0] = HANDLE_KEY(info->data.pSampledImage->imageView);
        layout = (uint32_t)info->data.pSampledImage->imageLayout;
        break;
    default:
        return 0;
    }
    key->how = bytes_how(BYTES_GET, (uint32_t)type, size, layout);
    return info->pNext || size >= UINT16_MAX ? 0 : count;
}

/* A descriptor without a record: with the driver's own sampler. */
static void get_unresolved(struct device *device, const VkDescriptorGetInfoEXT *info, size_t size, void *bytes)
{
    struct app_descriptor descriptor = {.driver = *info};
    if (info->type == VK_DESCRIPTOR_TYPE_SAMPLER) {
        descriptor.sampler = sampler_unresolved(device->track, *info->data.pSampler);
        descriptor.driver.data.pSampler = &descriptor.sampler;
    } else if (info->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
        descriptor.image = *info->data.pCombinedImageSampler;
        descriptor.image.sampler = sampler_unresolved(device->track, descriptor.image.sampler);
        descriptor.driver.data.pCombinedImageSampler = &descriptor.image;
    }
    device->next.GetDescriptorEXT(device->handle, &descriptor.driver, size, bytes);
}

static __attribute__((noinline)) void get_descriptor(VkDevice handle, const VkDescriptorGetInfoEXT *info, size_t size,
                                                     char *bytes)
{
    struct device *device = device_of(handle);
    const enum app_descriptor_kind kind = app_descriptor_kind_of(info->type);
    if (!device->caps.app_descriptors.buffers || kind == APP_DESCRIPTOR_KINDS ||
        device->caps.app_descriptors.sizes[kind].scale < 2) {
        get_unresolved(device, info, size, bytes);
        return;
    }
    struct descriptor_key key;
    const struct app_descriptor_size *known = &device->caps.app_descriptors.sizes[kind];
    const size_t driver = driver_size(device, kind, size);
    const size_t end = kind == APP_SAMPLER ? known->index_offset : driver; /* of what is in front of the record index */
    const uint32_t count = key_of(handle, info->type, info, size, &key);
    const bool wanted = count && driver == known->size && bytes_wanted(&key, count, end);
    struct app_descriptor descriptor = {.driver = *info};
    take(device->track, info, &descriptor);
    if (!driver) {
        say_size(device, info->type, size);
        if (size >= known->size)
            device->next.GetDescriptorEXT(handle, &descriptor.driver, known->size, bytes);
        return;
    }
    _Alignas(64) char copy[BYTES_MOST];
    char *to = wanted ? memset(copy, 0, sizeof(copy)) : bytes; /* drivers leave holes */
    device->next.GetDescriptorEXT(handle, &descriptor.driver, driver, to);
    if (kind == APP_SAMPLER)
        put_nearest(device->track, known, to);
    if (wanted) { /* the program's memory may be slow to read */
        bytes_insert(&key, count, copy, end, descriptor.record_index);
        memcpy(bytes, copy, end);
    }
    bytes_end(bytes + end, descriptor.record_index, size - end);
}

VKAPI_ATTR void VKAPI_CALL hook_GetDescriptorEXT(VkDevice handle, const VkDescriptorGetInfoEXT *pDescriptorInfo,
                                                 size_t dataSize, void *pDescriptor)
{
    struct descriptor_key key;
    switch (pDescriptorInfo->type) { /* each has code of its own */
#define FIND(TYPE, COUNT)                                                                                              \
    case TYPE:                                                                                                         \
        if (key_of(handle, TYPE, pDescriptorInfo, dataSize, &key) && bytes_find(&key, COUNT, pDescriptor))             \
            return;                                                                                                    \
        break;
        FIND(VK_DESCRIPTOR_TYPE_SAMPLER, 1)
        FIND(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2)
        FIND(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1)
#undef FIND
    default:
        break;
    }
    get_descriptor(handle, pDescriptorInfo, dataSize, pDescriptor);
}
