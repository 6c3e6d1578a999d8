/* SPDX-License-Identifier: MIT */
/*
 * vkGetDescriptorEXT: the driver's bytes of what the layer puts in the place of the program's views and samplers, and
 * behind them the number of the record. Between the two, samplers have nearest ones. Takes no lock and allocates
 * nothing but where a view and a sampler state meet for the first time.
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
#include "sampling/mark.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "texel_buffers/placed_texels.h"
#include "device/placed.h"

/* What the driver is asked for, and the record of it. */
struct placed_descriptor {
    VkDescriptorGetInfoEXT below;
    VkDescriptorImageInfo image;
    VkSampler sampler;
    VkDescriptorAddressInfoEXT address;
    uint32_t number;
};

static void take_sampler(struct track *track, const VkSampler *sampler, struct placed_descriptor *to)
{
    const struct sampler known = sampler_find(track, *sampler);
    to->sampler = *sampler;
    if (known.state) {
        const struct pair *pair = pair_of(track, known.state, NULL);
        if (pair->sampler)
            to->sampler = pair->sampler;
        to->number = state_number(track, known.state, pair);
    }
    to->below.data.pSampler = &to->sampler;
}

static void take_combined(struct track *track, const VkDescriptorImageInfo *info, struct placed_descriptor *to)
{
    struct view *view = view_find(track, info->imageView);
    struct record record;
    descriptor_resolve(track, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, info, NULL, false, &to->image, &record);
    if (view && !view->opaque)
        to->number = pair_number(track, sampler_find(track, info->sampler).state, view, &record);
    to->below.data.pCombinedImageSampler = &to->image;
}

static void take_image(struct track *track, const VkDescriptorImageInfo *info, struct placed_descriptor *to)
{
    struct view *view = info ? view_find(track, info->imageView) : NULL;
    if (!info)
        return; /* a null descriptor */
    descriptor_resolve(track, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, info, NULL, false, &to->image, NULL);
    if (view && !view->opaque)
        to->number = view_number(track, view);
    to->below.data.pSampledImage = &to->image;
}

/* The key of the record of a view as an input attachment; no sampler state has it. */
#define NUMBER_INPUT UINT64_MAX

static uint32_t input_number(struct track *track, struct view *view)
{
    static const struct record input = {.flags = RECORD_OTHER | RECORD_OTHER_INPUT};
    uint32_t number;
    return number_find(&view->numbers, NUMBER_INPUT, &number)
               ? number
               : number_add(track, &view->numbers, NUMBER_INPUT, &input, 1);
}

static void take_input(struct track *track, const VkDescriptorImageInfo *info, struct placed_descriptor *to)
{
    struct view *view = info ? view_find(track, info->imageView) : NULL;
    if (view && view->alpha_to_one)
        to->number = input_number(track, view);
}

static void take(struct track *track, const VkDescriptorGetInfoEXT *info, struct placed_descriptor *to)
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
        if (info->data.pUniformTexelBuffer && track->device->texel_buffers)
            to->below.data.pUniformTexelBuffer =
                placed_texels(track, info->data.pUniformTexelBuffer, &to->address, &to->number);
        break;
    default:
        break;
    }
}

/* The driver's bytes of a descriptor for which the program has room for `size` of them; 0: that is no such size. */
static size_t size_below(const struct device *device, enum placed_kind kind, size_t size)
{
    const struct placed_size *known = &device->placed.sizes[kind];
    if (size == (size_t)known->size * known->scale) /* as nearly all are: nothing is divided for them */
        return known->size;
    const size_t driver = size / known->scale;
    const bool robust = kind == PLACED_TEXEL_BUFFER && driver == device->placed.robust_texel_buffer;
    /* A YCbCr conversion may take several combined image samplers. */
    const bool several = kind == PLACED_COMBINED && driver % known->size == 0;
    return size % known->scale == 0 && (driver == known->size || robust || several) ? driver : 0;
}

/* What shaders read texels of cubes with: in front of the sampler's number. */
static void put_nearest(const struct track *track, const struct placed_size *size, void *descriptor)
{
    const void *bytes = track->layouts->nearest_bytes;
    for (uint32_t at = size->size; bytes && at < size->number; at += size->size)
        memcpy((char *)descriptor + at, bytes, size->size);
}

VKAPI_ATTR void VKAPI_CALL hook_GetDescriptorEXT(VkDevice handle, const VkDescriptorGetInfoEXT *pDescriptorInfo,
                                                 size_t dataSize, void *pDescriptor)
{
    static bool said;
    struct device *device = device_of(handle);
    const enum placed_kind kind = placed_kind_of(pDescriptorInfo->type);
    if (!device->placed.buffers || kind == PLACED_KINDS || device->placed.sizes[kind].scale < 2) {
        device->next.GetDescriptorEXT(handle, pDescriptorInfo, dataSize, pDescriptor);
        return;
    }
    const size_t driver = size_below(device, kind, dataSize);
    struct placed_descriptor descriptor = {.below = *pDescriptorInfo};
    take(device->track, pDescriptorInfo, &descriptor);
    if (!driver) {
        const struct placed_size *known = &device->placed.sizes[kind];
        message_once(&said, device->instance, LOG_ERROR, VK_OBJECT_TYPE_DEVICE, HANDLE_KEY(handle),
                     "vkGetDescriptorEXT: dataSize is %zu for a descriptor of %u bytes (VkDescriptorType %d, as "
                     "VkPhysicalDeviceDescriptorBufferPropertiesEXT says beside "
                     "VkPhysicalDeviceGLSamplerPropertiesCLAMPLER): its record is left out",
                     dataSize, known->size * known->scale, (int)pDescriptorInfo->type);
        if (dataSize >= known->size)
            device->next.GetDescriptorEXT(handle, &descriptor.below, known->size, pDescriptor);
        return;
    }
    device->next.GetDescriptorEXT(handle, &descriptor.below, driver, pDescriptor);
    if (kind == PLACED_SAMPLER)
        put_nearest(device->track, &device->placed.sizes[kind], pDescriptor);
    const size_t at = kind == PLACED_SAMPLER ? device->placed.sizes[kind].number : driver;
    memcpy((char *)pDescriptor + at, &descriptor.number, sizeof(descriptor.number));
}
