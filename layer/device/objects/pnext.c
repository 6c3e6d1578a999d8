/* SPDX-License-Identifier: MIT */
/*
 * Walks over chains of structures of unknown origin: their sizes are generated from vk.xml, and a structure that is not
 * listed there cannot be copied.
 */
#include "objects/pnext.h"

#include <stdlib.h>
#include <string.h>

#include "vulkan_clampler.h"
#include "vulkan_copy.h"

static bool is_left_out(VkStructureType type, const VkStructureType *types, uint32_t type_count)
{
    for (uint32_t i = 0; i < type_count; i++) {
        if (types[i] == type)
            return true;
    }
    return false;
}

static size_t aligned(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

bool pnext_copy_without(const void *chain, const VkStructureType *types, uint32_t type_count, void **first,
                        void **memory)
{
    *first = NULL;
    *memory = NULL;
    size_t size = 0;
    for (const VkBaseInStructure *s = chain; s && pnext_size(s->sType); s = s->pNext) {
        if (!is_left_out(s->sType, types, type_count))
            size += aligned(pnext_size(s->sType));
    }
    char *block = NULL;
    if (size && !(block = malloc(size)))
        return false;
    *memory = block;

    void **link = first;
    for (const VkBaseInStructure *s = chain; s; s = s->pNext) {
        size_t bytes = pnext_size(s->sType);
        if (!bytes) {
            *link = (void *)(uintptr_t)s;
            return true;
        }
        if (is_left_out(s->sType, types, type_count))
            continue;
        VkBaseOutStructure *copy = (VkBaseOutStructure *)(void *)block;
        memcpy(copy, s, bytes);
        copy->pNext = NULL;
        *link = copy;
        link = (void **)&copy->pNext;
        block += aligned(bytes);
    }
    return true;
}

void *pnext_copied(void *chain, VkStructureType type)
{
    VkBaseOutStructure *s = chain;
    while (s && s->sType != type && pnext_size(s->sType))
        s = s->pNext;
    return s && s->sType == type ? s : NULL;
}

const char *pnext_misplaced(const void *chain, VkStructureType belongs)
{
    static const char *const names[] = {
        "VkPhysicalDeviceGLSamplerFeaturesCLAMPLER",
        "VkPhysicalDeviceGLSamplerPropertiesCLAMPLER",
        "VkSamplerGLStateCreateInfoCLAMPLER",
        "VkImageViewGLStateCreateInfoCLAMPLER",
        "VkBufferViewGLStateCreateInfoCLAMPLER",
        "VkCommandBufferInheritanceGLStateCLAMPLER",
        [9] = "VkGLSamplerFormatPropertiesCLAMPLER",
        [10] = "VkImageViewGLChannelOrderCreateInfoCLAMPLER",
        [11] = "VkCommandBufferInheritanceGLChannelOrderCLAMPLER",
        [12] = "VkImageViewGLTextureStateCreateInfoCLAMPLER",
    };
    const uint32_t first = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER;
    const bool view = belongs == VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
    for (const VkBaseInStructure *s = chain; s; s = s->pNext) {
        uint32_t number = (uint32_t)s->sType - first;
        if (view && (s->sType == VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER ||
                     s->sType == VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER))
            continue;
        if (number < sizeof(names) / sizeof(names[0]) && names[number] && s->sType != belongs)
            return names[number];
    }
    return NULL;
}
