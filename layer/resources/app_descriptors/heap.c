/* SPDX-License-Identifier: MIT */
/*
 * vkWriteSamplerDescriptorsEXT and vkWriteResourceDescriptorsEXT: descriptors in heaps are made from create-infos. The
 * driver gets the layer's create-infos, and behind its bytes stands the record index. Shaders combine samplers and
 * images, so there is no pair here. Descriptors are cached (bytes.h).
 */
#include <string.h>

#include "device/device.h"
#include "dispatch_map/dispatch_map.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "device/app_descriptors.h"
#include "hash.h"
#include "need/need.h"
#include "newer_vulkan.h"
#include "objects/track.h"
#include "app_descriptors/bytes.h"
#include "record/layout.h"
#include "record/record.h"
#include "record_table/record_table.h"
#include "resolve/resolve.h"
#include "sampling/image.h"
#include "sampling/descriptor_cache.h"
#include "sampling/device_needs.h"
#include "sampling/saved_writes.h"
#include "sampling/sampler.h"
#include "texel_buffers/app_texels.h"
#include "views/view.h"

/*
 * The part of a descriptor's bytes that is the driver's. False, with a message: the program gave no room for that, and
 * nothing is written.
 */
static bool driver_range(const struct device *device, const struct app_descriptor_size *size,
                         const VkHostAddressRangeEXT *range, const char *call, VkHostAddressRangeEXT *for_driver)
{
    static struct message_place said;
    const size_t shown = (size_t)size->size * size->scale; /* nearly all have that size: nothing is divided for them */
    *for_driver = (VkHostAddressRangeEXT){range->address, size->size};
    if (range->size > shown)
        for_driver->size = range->size / size->scale;
    if (range->size < shown)
        message_about_once(
            &said, device, LOG_ERROR, NULL,
            "%s: a descriptor has %zu bytes and needs %zu (as VkPhysicalDeviceDescriptorHeapPropertiesEXT says "
            "beside VkPhysicalDeviceGLSamplerPropertiesCLAMPLER): %s",
            call, range->size, shown, range->size < size->size ? "it is not written" : "its record is left out");
    return range->size >= size->size;
}

/* Puts the record index behind the driver's bytes, where there is room; what is beyond the size that is shown stays. */
static void put_record_index(const struct app_descriptor_size *size, const VkHostAddressRangeEXT *range,
                             uint32_t record_index)
{
    const size_t shown = (size_t)size->size * size->scale;
    if (range->size >= size->size + sizeof(record_index))
        bytes_end((char *)range->address + size->size, record_index,
                  (range->size < shown ? range->size : shown) - size->size);
}

/*
 * The memory that the driver writes a descriptor to: the program's, or a copy for the cache (bytes.h), since the
 * program's memory may be slow to read. It must not move.
 */
struct target {
    VkHostAddressRangeEXT driver;
    uint32_t words; /* of the key; 0: nothing is kept */
    struct descriptor_key key;
    _Alignas(64) char copy[BYTES_MOST];
};

/* After target->key and target->words. False, with a message: nothing is to be written. */
static bool target_open(const struct device *device, struct target *target, const struct app_descriptor_size *size,
                        const VkHostAddressRangeEXT *range, const char *call)
{
    if (!driver_range(device, size, range, call, &target->driver))
        return false;
    if (range->size != (size_t)size->size * size->scale ||
        !(target->words && bytes_wanted(&target->key, target->words, size->size)))
        target->words = 0;
    else
        target->driver.address = memset(target->copy, 0, sizeof(target->copy)); /* drivers leave holes */
    return true;
}

/* Afterwards. */
static void target_close(const struct target *target, const struct app_descriptor_size *size,
                         const VkHostAddressRangeEXT *range, uint32_t record_index)
{
    if (target->words) {
        bytes_insert(&target->key, target->words, target->copy, size->size, record_index);
        memcpy(range->address, target->copy, size->size);
    }
    put_record_index(size, range, record_index);
}

/* ---- Samplers ---- */

enum { SAMPLER_WORDS = 8 };

/* False: it is none of those that are remembered. They live as long as the device, unlike what is made of images. */
CACHE_INLINE bool sampler_key(VkDevice handle, const VkSamplerCreateInfo *info, const VkHostAddressRangeEXT *range,
                              struct descriptor_key *key)
{
    const uint32_t words[2 * SAMPLER_WORDS] = {
        info->flags,
        (uint32_t)info->magFilter,
        (uint32_t)info->minFilter,
        (uint32_t)info->mipmapMode,
        (uint32_t)info->addressModeU,
        (uint32_t)info->addressModeV,
        (uint32_t)info->addressModeW,
        record_bits(info->mipLodBias),
        info->anisotropyEnable,
        record_bits(info->maxAnisotropy),
        info->compareEnable,
        (uint32_t)info->compareOp,
        record_bits(info->minLod),
        record_bits(info->maxLod),
        (uint32_t)info->borderColor,
        info->unnormalizedCoordinates,
    };
    key->gone = gone_count(GONE_IMAGES);
    key->device = (uintptr_t)dispatch_key(handle);
    key->how = bytes_how(BYTES_WRITE, VK_DESCRIPTOR_TYPE_SAMPLER, range->size, 0);
    bytes_join(words, SAMPLER_WORDS, key->words);
    return !info->pNext && range->size < UINT16_MAX;
}

static __attribute__((noinline)) VkResult write_sampler(VkDevice handle, const VkSamplerCreateInfo *info,
                                                        const VkHostAddressRangeEXT *range)
{
    const struct device *device = device_of(handle);
    const struct app_descriptor_size *size = &device->caps.app_descriptors.heap_sampler;
    struct target target;
    struct bare_sampler bare;
    target.words = sampler_key(handle, info, range, &target.key) ? SAMPLER_WORDS : 0;
    VkResult result = sampler_make_bare(device->track, info, false, &bare);
    if (result != VK_SUCCESS || !target_open(device, &target, size, range, "vkWriteSamplerDescriptorsEXT"))
        return result;
    result = device->next.WriteSamplerDescriptorsEXT(handle, 1, bare.driver, &target.driver);
    if (result == VK_SUCCESS)
        target_close(&target, size, range, bare.record_index);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_WriteSamplerDescriptorsEXT(VkDevice handle, uint32_t samplerCount,
                                                               const VkSamplerCreateInfo *pSamplers,
                                                               const VkHostAddressRangeEXT *pDescriptors)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < samplerCount && result == VK_SUCCESS; i++) {
        struct descriptor_key key;
        if (!sampler_key(handle, &pSamplers[i], &pDescriptors[i], &key) ||
            !bytes_find(&key, SAMPLER_WORDS, pDescriptors[i].address))
            result = write_sampler(handle, &pSamplers[i], &pDescriptors[i]);
    }
    return result;
}

/* ---- Resources ---- */

/* The record index of a record that is owned by its image; of images that the layer does not know it stays taken. */
static uint32_t image_record_index(struct track *track, struct image *image, const struct record *record)
{
    uint32_t words[sizeof(*record) / sizeof(uint32_t)];
    memcpy(words, record, sizeof(words));
    uint64_t key = hash_words(0, words, sizeof(words) / sizeof(words[0])) | 1; /* never 0 */
    uint32_t record_index;
    if (!image)
        return record_table_acquire(track, record, 1);
    while (index_find(&image->record_indices, key, &record_index)) {
        if (record_table_is(track->record_table, record_index, record))
            return record_index;
        key += 2; /* another record with this hash */
    }
    return index_add(track, &image->record_indices, key, record, 1);
}

/* One descriptor in the making. It must not move. */
struct resource {
    VkResourceDescriptorInfoEXT driver;
    VkImageDescriptorInfoEXT image;
    struct view_description view;
    VkTexelBufferDescriptorInfoEXT texels;
    uint32_t record_index;
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
        if (d->view.rgbx_attachment) {
            device_needs_raise(track, RECORD_NEED_INPUT);
            resource->record_index = image_record_index(track, d->image, &reads);
        }
        return VK_SUCCESS;
    }
    resource->image = *info;
    resource->image.pView = &d->driver;
    resource->driver.data.pImage = &resource->image;
    if (d->sampled)
        resource->record_index = image_record_index(track, d->image, &d->view.alone);
    return VK_SUCCESS;
}

static VkResult take_texels(struct track *track, const VkTexelBufferDescriptorInfoEXT *info, struct resource *resource)
{
    const VkDescriptorAddressInfoEXT program = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                                .pNext = (void *)(uintptr_t)info->pNext,
                                                .address = info->addressRange.address,
                                                .range = info->addressRange.size,
                                                .format = info->format};
    VkDescriptorAddressInfoEXT for_driver;
    const VkResult result =
        app_texels(track, "vkWriteResourceDescriptorsEXT", &program, &for_driver, &resource->record_index);
    resource->texels = *info;
    resource->texels.pNext = for_driver.pNext;
    resource->texels.format = for_driver.format;
    resource->texels.addressRange.address = for_driver.address;
    resource->texels.addressRange.size = for_driver.range;
    resource->driver.data.pTexelBuffer = &resource->texels;
    return result;
}

static VkResult take(struct track *track, const VkResourceDescriptorInfoEXT *info, struct resource *resource)
{
    const struct device *device = track->device;
    resource->driver = *info;
    switch (info->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return info->data.pImage ? take_image(track, info->data.pImage, false, resource) : VK_SUCCESS;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return info->data.pImage && device->caps.rgbx_attachments ? take_image(track, info->data.pImage, true, resource)
                                                                  : VK_SUCCESS;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return info->data.pTexelBuffer && (device->caps.texel_buffers || info->data.pTexelBuffer->pNext)
                   ? take_texels(track, info->data.pTexelBuffer, resource)
                   : VK_SUCCESS;
    default:
        return VK_SUCCESS;
    }
}

enum { IMAGE_WORDS = 7 };

/* The words of the key; 0: it is none of those that are remembered. */
CACHE_INLINE uint32_t image_key(VkDevice handle, const VkResourceDescriptorInfoEXT *info,
                                const VkHostAddressRangeEXT *range, struct descriptor_key *key)
{
    const VkImageDescriptorInfoEXT *image = info->data.pImage;
    if (info->type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || info->pNext || !image || image->pNext ||
        image->pView->pNext || range->size >= UINT16_MAX)
        return 0;
    const VkImageViewCreateInfo *view = image->pView;
    const VkImageSubresourceRange *part = &view->subresourceRange;
    const uint32_t words[2 * (IMAGE_WORDS - 1)] = {
        (uint32_t)view->viewType,
        (uint32_t)view->format,
        (uint32_t)view->components.r,
        (uint32_t)view->components.g,
        (uint32_t)view->components.b,
        (uint32_t)view->components.a,
        part->aspectMask,
        part->baseMipLevel,
        part->levelCount,
        part->baseArrayLayer,
        part->layerCount,
        view->flags,
    };
    key->gone = gone_count(GONE_IMAGES);
    key->device = (uintptr_t)dispatch_key(handle);
    key->how = bytes_how(BYTES_WRITE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, range->size, (uint32_t)image->layout);
    key->words[0] = HANDLE_KEY(view->image);
    bytes_join(words, IMAGE_WORDS - 1, key->words + 1);
    return IMAGE_WORDS;
}

/* Of a YCbCr conversion the driver has a descriptor for each plane, one behind the other, and no record. */
static bool has_planes(const struct resource *resource)
{
    return resource->view.view.opaque &&
           pnext_find(resource->view.driver.pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
}

static __attribute__((noinline)) VkResult write_resource(VkDevice handle, const VkResourceDescriptorInfoEXT *info,
                                                         const VkHostAddressRangeEXT *range)
{
    struct device *device = device_of(handle);
    const struct app_descriptor_size *size = &device->caps.app_descriptors.heap_image;
    if (!app_descriptor_as_image(info->type))
        return device->next.WriteResourceDescriptorsEXT(handle, 1, info, range);
    struct target target;
    struct resource resource;
    resource.record_index = 0;
    resource.view.memory = NULL;
    resource.view.view.opaque = false;
    target.words = image_key(handle, info, range, &target.key);
    VkResult result = take(device->track, info, &resource);
    if (result == VK_SUCCESS && target_open(device, &target, size, range, "vkWriteResourceDescriptorsEXT")) {
        result = device->next.WriteResourceDescriptorsEXT(handle, 1, &resource.driver, &target.driver);
        if (result == VK_SUCCESS && !has_planes(&resource))
            target_close(&target, size, range, resource.record_index);
    }
    view_description_finish(&resource.view);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_WriteResourceDescriptorsEXT(VkDevice handle, uint32_t resourceCount,
                                                                const VkResourceDescriptorInfoEXT *pResources,
                                                                const VkHostAddressRangeEXT *pDescriptors)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < resourceCount && result == VK_SUCCESS; i++) {
        struct descriptor_key key;
        if (!image_key(handle, &pResources[i], &pDescriptors[i], &key) ||
            !bytes_find(&key, IMAGE_WORDS, pDescriptors[i].address))
            result = write_resource(handle, &pResources[i], &pDescriptors[i]);
    }
    return result;
}
