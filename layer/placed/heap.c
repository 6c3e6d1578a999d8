/* SPDX-License-Identifier: MIT */
/*
 * vkWriteSamplerDescriptorsEXT and vkWriteResourceDescriptorsEXT: descriptors in heaps are made of create-infos. The
 * driver gets those that the layer makes of them, and behind its bytes stands the number of the record. Samplers and
 * images meet in the shader only.
 */
#include <string.h>

#include "device/device.h"
#include "device/message.h"
#include "device/placed.h"
#include "hash.h"
#include "need/need.h"
#include "newer_vulkan.h"
#include "objects/track.h"
#include "record/layout.h"
#include "record/record.h"
#include "record_table/record_table.h"
#include "resolve/resolve.h"
#include "sampling/image.h"
#include "sampling/mark.h"
#include "sampling/sampler.h"
#include "texel_buffers/placed_texels.h"
#include "views/view.h"

static VkHostAddressRangeEXT range_below(const struct placed_size *size, const VkHostAddressRangeEXT *range)
{
    const size_t shown = (size_t)size->size * size->scale; /* nearly all have that size: nothing is divided for them */
    return (VkHostAddressRangeEXT){range->address, range->size == shown ? size->size : range->size / size->scale};
}

/* Puts the number behind the driver's bytes; what the program gave no room for is said. */
static void put_number(const struct device *device, const struct placed_size *size, const VkHostAddressRangeEXT *range,
                       const char *call, uint32_t number)
{
    static bool said;
    if (range->size >= size->size + sizeof(number)) {
        memcpy((char *)range->address + size->size, &number, sizeof(number));
        return;
    }
    message_once(&said, device->instance, LOG_ERROR, VK_OBJECT_TYPE_DEVICE, HANDLE_KEY(device->handle),
                 "%s: a descriptor has %zu bytes and needs %u (as VkPhysicalDeviceDescriptorHeapPropertiesEXT says "
                 "beside VkPhysicalDeviceGLSamplerPropertiesCLAMPLER): its record is left out",
                 call, range->size, size->size * size->scale);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_WriteSamplerDescriptorsEXT(VkDevice handle, uint32_t samplerCount,
                                                               const VkSamplerCreateInfo *pSamplers,
                                                               const VkHostAddressRangeEXT *pDescriptors)
{
    struct device *device = device_of(handle);
    const struct placed_size *size = &device->placed.heap_sampler;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < samplerCount && result == VK_SUCCESS; i++) {
        const VkHostAddressRangeEXT below_range = range_below(size, &pDescriptors[i]);
        struct bare_sampler bare;
        result = sampler_make_bare(device->track, &pSamplers[i], false, &bare);
        if (result == VK_SUCCESS)
            result = device->next.WriteSamplerDescriptorsEXT(handle, 1, bare.below, &below_range);
        if (result == VK_SUCCESS)
            put_number(device, size, &pDescriptors[i], "vkWriteSamplerDescriptorsEXT", bare.number);
    }
    return result;
}

/* ---- Resources ---- */

/* The number of a record that is owned by its image; of images that the layer does not know it stays taken. */
static uint32_t number_of(struct track *track, struct image *image, const struct record *record)
{
    uint32_t words[sizeof(*record) / sizeof(uint32_t)];
    memcpy(words, record, sizeof(words));
    uint64_t key = hash_words(0, words, sizeof(words) / sizeof(words[0])) | 1; /* never 0 */
    uint32_t number;
    if (!image)
        return record_table_take(track, record, 1);
    while (number_find(&image->numbers, key, &number)) {
        if (record_table_is(track->record_table, number, record))
            return number;
        key += 2; /* another record with this hash */
    }
    return number_add(track, &image->numbers, key, record, 1);
}

/* One descriptor in the making. It must not move. */
struct resource {
    VkResourceDescriptorInfoEXT below;
    VkImageDescriptorInfoEXT image;
    struct view_description view;
    VkTexelBufferDescriptorInfoEXT texels;
    uint32_t number;
};

static VkResult take_image(struct track *track, const VkImageDescriptorInfoEXT *info, bool input,
                           struct resource *resource)
{
    const struct record reads = {.flags = RECORD_OTHER | RECORD_OTHER_INPUT};
    struct view_description *d = &resource->view;
    const VkResult result = view_describe(track, info->pView, d);
    if (result != VK_SUCCESS)
        return result;
    if (input) {
        if (d->view.alpha_to_one) {
            mark_raise(track, RECORD_NEED_INPUT);
            resource->number = number_of(track, d->image, &reads);
        }
        return VK_SUCCESS;
    }
    resource->image = *info;
    resource->image.pView = &d->below;
    resource->below.data.pImage = &resource->image;
    if (d->sampled)
        resource->number = number_of(track, d->image, &d->view.alone);
    return VK_SUCCESS;
}

static void take_texels(struct track *track, const VkTexelBufferDescriptorInfoEXT *info, struct resource *resource)
{
    const VkDescriptorAddressInfoEXT program = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                                .pNext = (void *)(uintptr_t)info->pNext,
                                                .address = info->addressRange.address,
                                                .range = info->addressRange.size,
                                                .format = info->format};
    VkDescriptorAddressInfoEXT made;
    const VkDescriptorAddressInfoEXT *below = placed_texels(track, &program, &made, &resource->number);
    resource->texels = *info;
    resource->texels.pNext = below->pNext;
    resource->texels.format = below->format;
    resource->texels.addressRange.address = below->address;
    resource->texels.addressRange.size = below->range;
    resource->below.data.pTexelBuffer = &resource->texels;
}

static VkResult take(struct track *track, const VkResourceDescriptorInfoEXT *info, struct resource *resource)
{
    const struct device *device = track->device;
    resource->below = *info;
    switch (info->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return info->data.pImage ? take_image(track, info->data.pImage, false, resource) : VK_SUCCESS;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return info->data.pImage && device->alpha_to_one ? take_image(track, info->data.pImage, true, resource)
                                                         : VK_SUCCESS;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        if (info->data.pTexelBuffer && device->texel_buffers)
            take_texels(track, info->data.pTexelBuffer, resource);
        return VK_SUCCESS;
    default:
        return VK_SUCCESS;
    }
}

VKAPI_ATTR VkResult VKAPI_CALL hook_WriteResourceDescriptorsEXT(VkDevice handle, uint32_t resourceCount,
                                                                const VkResourceDescriptorInfoEXT *pResources,
                                                                const VkHostAddressRangeEXT *pDescriptors)
{
    struct device *device = device_of(handle);
    const struct placed_size *size = &device->placed.heap_image;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < resourceCount && result == VK_SUCCESS; i++) {
        if (!placed_as_image(pResources[i].type)) {
            result = device->next.WriteResourceDescriptorsEXT(handle, 1, &pResources[i], &pDescriptors[i]);
            continue;
        }
        const VkHostAddressRangeEXT below = range_below(size, &pDescriptors[i]);
        struct resource resource = {.number = 0};
        result = take(device->track, &pResources[i], &resource);
        if (result == VK_SUCCESS)
            result = device->next.WriteResourceDescriptorsEXT(handle, 1, &resource.below, &below);
        if (result == VK_SUCCESS)
            put_number(device, size, &pDescriptors[i], "vkWriteResourceDescriptorsEXT", resource.number);
        view_description_finish(&resource.view);
    }
    return result;
}
