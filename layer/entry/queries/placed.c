/* SPDX-License-Identifier: MIT */
/*
 * Sizes of placed descriptors as programs see them. Where settings make the layer active all programs see sizes with
 * room for the numbers of records. A program that enables the extension asks for them beside
 * VkPhysicalDeviceGLSamplerPropertiesCLAMPLER, so that programs for which the layer is inert see the driver's.
 */
#include "device/device.h"
#include "device/instance.h"
#include "device/message.h"
#include "device/placed.h"
#include "device/structure_chain.h"
#include "queries/queries.h"
#include "settings/settings.h"

/* Where the address of the root lies behind the program's push constants or push data: at their end, aligned. */
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
    size_t largest = lift(&shown->samplerDescriptorSize, 0, placed_sampler_size(shown->samplerDescriptorSize).scale);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        largest = lift(sizes[i], largest, placed_size(*sizes[i]).scale);
    return largest;
}

bool placed_serves(const struct instance *instance, VkPhysicalDevice physical)
{
    enum { MOST_BYTES = 256 }; /* of any type (specification, "Required Limits") */
    VkPhysicalDeviceDescriptorBufferPropertiesEXT properties = ask(instance, physical);
    const bool single = properties.combinedImageSamplerDescriptorSingleArray;
    return single && (!settings_activate(&instance->settings) || show_buffers(&properties) <= MOST_BYTES);
}

void placed_read(const struct instance *instance, VkPhysicalDevice physical, const VkPhysicalDeviceLimits *limits,
                 struct placed *placed)
{
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT properties = ask(instance, physical);
    placed->buffers = true;
    placed->sizes[PLACED_SAMPLER] = placed_sampler_size(properties.samplerDescriptorSize);
    placed->sizes[PLACED_COMBINED] = placed_size(properties.combinedImageSamplerDescriptorSize);
    placed->sizes[PLACED_IMAGE] = placed_size(properties.sampledImageDescriptorSize);
    placed->sizes[PLACED_TEXEL_BUFFER] = placed_size(properties.uniformTexelBufferDescriptorSize);
    placed->sizes[PLACED_INPUT] = placed_size(properties.inputAttachmentDescriptorSize);
    placed->robust_texel_buffer = (uint32_t)properties.robustUniformTexelBufferDescriptorSize;
    placed->root_at = root_behind(limits->maxPushConstantsSize);
    placed->push_bytes = placed->root_at + (uint32_t)sizeof(uint64_t);
}

static VkPhysicalDeviceDescriptorHeapPropertiesEXT ask_heaps(const struct instance *instance, VkPhysicalDevice physical)
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
    *size *= placed_size(*size).scale;
}

bool placed_serves_heaps(const struct instance *instance, VkPhysicalDevice physical)
{
    enum { MOST_SAMPLER_BYTES = 32, MOST_IMAGE_BYTES = 64 }; /* specification, "Required Limits" */
    VkPhysicalDeviceDescriptorHeapPropertiesEXT properties = ask_heaps(instance, physical);
    raise_heap(&properties.samplerDescriptorSize);
    raise_heap(&properties.imageDescriptorSize);
    return !settings_activate(&instance->settings) || (properties.samplerDescriptorSize <= MOST_SAMPLER_BYTES &&
                                                       properties.imageDescriptorSize <= MOST_IMAGE_BYTES);
}

void placed_read_heaps(const struct instance *instance, VkPhysicalDevice physical, struct placed *placed)
{
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT properties = ask_heaps(instance, physical);
    placed->heaps = true;
    placed->heap_sampler = placed_size(properties.samplerDescriptorSize);
    placed->heap_image = placed_size(properties.imageDescriptorSize);
    placed->heap_buffer = (uint32_t)properties.bufferDescriptorSize;
    placed->heap_embeds = properties.maxDescriptorHeapEmbeddedSamplers > 0;
    placed->heap_root_at = root_behind(properties.maxPushDataSize);
}

/* ---- What programs see ---- */

static void show_heaps(VkPhysicalDeviceDescriptorHeapPropertiesEXT *shown)
{
    raise_heap(&shown->samplerDescriptorSize);
    raise_heap(&shown->imageDescriptorSize);
    /* Any pipeline may embed the layer's nearest sampler. */
    shown->minSamplerHeapReservedRange = shown->minSamplerHeapReservedRangeWithEmbedded;
    shown->maxDescriptorHeapEmbeddedSamplers -= shown->maxDescriptorHeapEmbeddedSamplers > 0;
}

/* The sizes of one type; without a chain that could tell who asks, so that settings alone decide. */
VKAPI_ATTR VkDeviceSize VKAPI_CALL hook_GetPhysicalDeviceDescriptorSizeEXT(VkPhysicalDevice physicalDevice,
                                                                           VkDescriptorType descriptorType)
{
    const struct instance *instance = instance_of(physicalDevice);
    const VkDeviceSize size = instance->next.GetPhysicalDeviceDescriptorSizeEXT(physicalDevice, descriptorType);
    const bool sampler = descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER;
    if (!settings_activate(&instance->settings) || !(sampler || placed_as_image(descriptorType)) ||
        !placed_serves_heaps(instance, physicalDevice))
        return size;
    VkPhysicalDeviceDescriptorHeapPropertiesEXT properties = ask_heaps(instance, physicalDevice);
    show_heaps(&properties);
    return sampler ? properties.samplerDescriptorSize : properties.imageDescriptorSize;
}

void placed_show(const struct instance *instance, VkPhysicalDevice physical, bool asked, void *chain)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT *buffers =
        (void *)(uintptr_t)pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT);
    VkPhysicalDeviceDescriptorHeapPropertiesEXT *heaps =
        (void *)(uintptr_t)pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT);
    if (!asked && !settings_activate(&instance->settings))
        return;
    if (buffers && placed_serves(instance, physical))
        show_buffers(buffers);
    if (!heaps || !placed_serves_heaps(instance, physical))
        return;
    show_heaps(heaps);
    if (asked)
        heaps->maxPushDataSize = root_behind(heaps->maxPushDataSize);
}

/*
 * Programs that know nothing of the layer see the driver's limit: some ask for all of the 256 bytes that Vulkan 1.4
 * requires, whether they use them or not.
 */
void placed_lower(const struct instance *instance, VkPhysicalDevice physical, bool asked,
                  VkPhysicalDeviceLimits *limits)
{
    const uint32_t left = root_behind(limits->maxPushConstantsSize);
    if (asked && left >= REQUIRED_PUSH_CONSTANTS && placed_serves(instance, physical))
        limits->maxPushConstantsSize = left;
}
