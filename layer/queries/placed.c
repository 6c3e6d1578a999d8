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

bool placed_serves(const struct instance *instance, VkPhysicalDevice physical)
{
    return ask(instance, physical).combinedImageSamplerDescriptorSingleArray;
}

void placed_read(const struct instance *instance, VkPhysicalDevice physical, const VkPhysicalDeviceLimits *limits,
                 struct placed *placed)
{
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT properties = ask(instance, physical);
    placed->buffers = true;
    placed->sizes[PLACED_SAMPLER] = placed_size(properties.samplerDescriptorSize);
    placed->sizes[PLACED_COMBINED] = placed_size(properties.combinedImageSamplerDescriptorSize);
    placed->sizes[PLACED_IMAGE] = placed_size(properties.sampledImageDescriptorSize);
    placed->sizes[PLACED_TEXEL_BUFFER] = placed_size(properties.uniformTexelBufferDescriptorSize);
    placed->sizes[PLACED_INPUT] = placed_size(properties.inputAttachmentDescriptorSize);
    placed->robust_texel_buffer = (uint32_t)properties.robustUniformTexelBufferDescriptorSize;
    placed->push_bytes = limits->maxPushConstantsSize / 8 * 8;
    placed->root_at = placed->push_bytes - 8;
}

static void raise(size_t *size)
{
    *size *= placed_size(*size).scale;
}

void placed_show(const struct instance *instance, bool asked, void *chain)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT *shown =
        (void *)(uintptr_t)pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT);
    if (!shown || !(asked || settings_activate(&instance->settings)))
        return;
    raise(&shown->samplerDescriptorSize);
    raise(&shown->combinedImageSamplerDescriptorSize);
    raise(&shown->sampledImageDescriptorSize);
    raise(&shown->uniformTexelBufferDescriptorSize);
    raise(&shown->robustUniformTexelBufferDescriptorSize);
    raise(&shown->inputAttachmentDescriptorSize);
}
