/* SPDX-License-Identifier: MIT */
/*
 * Sizes of application-managed descriptors as programs see them. Where settings make the layer active all programs see
 * sizes with room for the record index. A program that enables the extension chains
 * VkPhysicalDeviceGLSamplerPropertiesCLAMPLER to the same query to see them, so that programs for which the layer is
 * inert see the driver's.
 */
#include "device/device.h"
#include "device/instance.h"
#include "device/message.h"
#include "device/app_descriptors.h"
#include "device/structure_chain.h"
#include "queries/queries.h"
#include "settings/settings.h"

/* The offset of the root table's address: behind the program's push constants or push data, aligned. */
static uint32_t root_behind(uint64_t push_bytes)
{
    const uint32_t address = sizeof(uint64_t);
    return push_bytes < address ? 0 : (uint32_t)(push_bytes / address) * address - address;
}

static VkPhysicalDeviceDescriptorBufferPropertiesEXT ask(const struct instance *instance, VkPhysicalDevice physical)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &properties};
    const PFN_vkGetPhysicalDeviceProperties2 query = instance_properties2(instance, physical);
    if (query)
        query(physical, &all);
    return properties;
}

/* The sizes that programs see; the largest of them. */
static size_t lift(size_t *size, size_t largest, uint32_t scale)
{
    *size *= scale;
    return *size > largest ? *size : largest;
}

static size_t show_buffers(VkPhysicalDeviceDescriptorBufferPropertiesEXT *shown)
{
    size_t *const sizes[] = {&shown->combinedImageSamplerDescriptorSize, &shown->sampledImageDescriptorSize,
                             &shown->uniformTexelBufferDescriptorSize, &shown->robustUniformTexelBufferDescriptorSize,
                             &shown->inputAttachmentDescriptorSize};
    size_t largest = lift(&shown->samplerDescriptorSize, 0, app_sampler_size(shown->samplerDescriptorSize).scale);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        largest = lift(sizes[i], largest, app_descriptor_size(*sizes[i]).scale);
    return largest;
}

bool app_descriptors_supported(const struct instance *instance, VkPhysicalDevice physical)
{
    enum { MOST_BYTES = 256 }; /* of any type (specification, "Required Limits") */
    VkPhysicalDeviceDescriptorBufferPropertiesEXT properties = ask(instance, physical);
    const bool single = properties.combinedImageSamplerDescriptorSingleArray;
    return single && (!acts_unasked(instance, physical) || show_buffers(&properties) <= MOST_BYTES);
}

void app_descriptors_read(const struct instance *instance, VkPhysicalDevice physical,
                          const VkPhysicalDeviceLimits *limits, struct app_descriptors *app_descriptors)
{
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT properties = ask(instance, physical);
    app_descriptors->buffers = true;
    app_descriptors->sizes[APP_SAMPLER] = app_sampler_size(properties.samplerDescriptorSize);
    app_descriptors->sizes[APP_COMBINED] = app_descriptor_size(properties.combinedImageSamplerDescriptorSize);
    app_descriptors->sizes[APP_IMAGE] = app_descriptor_size(properties.sampledImageDescriptorSize);
    app_descriptors->sizes[APP_TEXEL_BUFFER] = app_descriptor_size(properties.uniformTexelBufferDescriptorSize);
    app_descriptors->sizes[APP_INPUT] = app_descriptor_size(properties.inputAttachmentDescriptorSize);
    app_descriptors->robust_texel_buffer = (uint32_t)properties.robustUniformTexelBufferDescriptorSize;
    app_descriptors->root_at = root_behind(limits->maxPushConstantsSize);
    app_descriptors->push_bytes = app_descriptors->root_at + (uint32_t)sizeof(uint64_t);
}

static VkPhysicalDeviceDescriptorHeapPropertiesEXT query_heaps(const struct instance *instance,
                                                               VkPhysicalDevice physical)
{
    VkPhysicalDeviceDescriptorHeapPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &properties};
    const PFN_vkGetPhysicalDeviceProperties2 query = instance_properties2(instance, physical);
    if (query)
        query(physical, &all);
    return properties;
}

static void raise_heap(VkDeviceSize *size)
{
    *size *= app_descriptor_size((size_t)*size).scale;
}

bool app_heaps_supported(const struct instance *instance, VkPhysicalDevice physical)
{
    enum { MOST_SAMPLER_BYTES = 32, MOST_IMAGE_BYTES = 64 }; /* specification, "Required Limits" */
    VkPhysicalDeviceDescriptorHeapPropertiesEXT properties = query_heaps(instance, physical);
    raise_heap(&properties.samplerDescriptorSize);
    raise_heap(&properties.imageDescriptorSize);
    return !acts_unasked(instance, physical) || (properties.samplerDescriptorSize <= MOST_SAMPLER_BYTES &&
                                                 properties.imageDescriptorSize <= MOST_IMAGE_BYTES);
}

void app_heaps_read(const struct instance *instance, VkPhysicalDevice physical, struct app_descriptors *app_descriptors)
{
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT properties = query_heaps(instance, physical);
    app_descriptors->heaps = true;
    app_descriptors->heap_sampler = app_descriptor_size((size_t)properties.samplerDescriptorSize);
    app_descriptors->heap_image = app_descriptor_size((size_t)properties.imageDescriptorSize);
    app_descriptors->heap_buffer = (uint32_t)properties.bufferDescriptorSize;
    app_descriptors->heap_embeds = properties.maxDescriptorHeapEmbeddedSamplers > 0;
    app_descriptors->heap_root_at = root_behind(properties.maxPushDataSize);
}

/* ---- Sizes for programs ---- */

static void show_heaps(VkPhysicalDeviceDescriptorHeapPropertiesEXT *shown)
{
    raise_heap(&shown->samplerDescriptorSize);
    raise_heap(&shown->imageDescriptorSize);
    /* Any pipeline may embed the layer's nearest sampler. */
    shown->minSamplerHeapReservedRange = shown->minSamplerHeapReservedRangeWithEmbedded;
    shown->maxDescriptorHeapEmbeddedSamplers -= shown->maxDescriptorHeapEmbeddedSamplers > 0;
}

/*
 * The size of one type; the query has no chain to put VkPhysicalDeviceGLSamplerPropertiesCLAMPLER into, so settings
 * alone decide.
 */
VKAPI_ATTR VkDeviceSize VKAPI_CALL hook_GetPhysicalDeviceDescriptorSizeEXT(VkPhysicalDevice physicalDevice,
                                                                           VkDescriptorType descriptorType)
{
    const struct instance *instance = instance_of(physicalDevice);
    const VkDeviceSize size = instance->next.GetPhysicalDeviceDescriptorSizeEXT(physicalDevice, descriptorType);
    const bool sampler = descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER;
    if (!acts_unasked(instance, physicalDevice) || !(sampler || app_descriptor_as_image(descriptorType)) ||
        !app_heaps_supported(instance, physicalDevice))
        return size;
    VkPhysicalDeviceDescriptorHeapPropertiesEXT properties = query_heaps(instance, physicalDevice);
    show_heaps(&properties);
    return sampler ? properties.samplerDescriptorSize : properties.imageDescriptorSize;
}

void app_descriptors_show(const struct instance *instance, VkPhysicalDevice physical, bool asked, void *chain)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT *buffers =
        (void *)(uintptr_t)pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT);
    VkPhysicalDeviceDescriptorHeapPropertiesEXT *heaps =
        (void *)(uintptr_t)pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT);
    if (!asked && !acts_unasked(instance, physical))
        return;
    if (buffers && app_descriptors_supported(instance, physical))
        show_buffers(buffers);
    if (!heaps || !app_heaps_supported(instance, physical))
        return;
    show_heaps(heaps);
    if (asked)
        heaps->maxPushDataSize = root_behind(heaps->maxPushDataSize);
}

/*
 * Programs that know nothing of the layer see the driver's limit: some declare all of the 256 bytes that Vulkan 1.4
 * requires, even if they do not use them.
 */
void app_descriptors_lower(const struct instance *instance, VkPhysicalDevice physical, bool asked,
                           VkPhysicalDeviceLimits *limits)
{
    const uint32_t left = root_behind(limits->maxPushConstantsSize);
    if (asked && left >= REQUIRED_PUSH_CONSTANTS && app_descriptors_supported(instance, physical))
        limits->maxPushConstantsSize = left;
}
