/* SPDX-License-Identifier: MIT */
/* The extension's structures as the validation layer's custom_stype_list wants them: number, size, and so on. */
#ifndef CLAMPLER_CLI_STYPE_LIST_H
#define CLAMPLER_CLI_STYPE_LIST_H

#include <stddef.h>
#include <stdio.h>

#include <vulkan_clampler.h>

enum { STYPE_LIST_SIZE = 256 };

#define STYPE_ROW(NUMBER, TYPE)                                                                                        \
    {                                                                                                                  \
        NUMBER, sizeof(TYPE)                                                                                           \
    }

/* For programs of as many bits as this one. */
static inline void stype_list(char text[STYPE_LIST_SIZE])
{
    static const struct {
        VkStructureType number;
        size_t size;
    } rows[] = {
        STYPE_ROW(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
                  VkPhysicalDeviceGLSamplerFeaturesCLAMPLER),
        STYPE_ROW(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER,
                  VkPhysicalDeviceGLSamplerPropertiesCLAMPLER),
        STYPE_ROW(VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER, VkSamplerGLStateCreateInfoCLAMPLER),
        STYPE_ROW(VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, VkImageViewGLStateCreateInfoCLAMPLER),
        STYPE_ROW(VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, VkBufferViewGLStateCreateInfoCLAMPLER),
        STYPE_ROW(VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER,
                  VkCommandBufferInheritanceGLStateCLAMPLER),
        STYPE_ROW(VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER, VkGLSamplerFormatPropertiesCLAMPLER),
        STYPE_ROW(VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER,
                  VkImageViewGLChannelOrderCreateInfoCLAMPLER),
        STYPE_ROW(VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER,
                  VkCommandBufferInheritanceGLChannelOrderCLAMPLER),
        STYPE_ROW(VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
                  VkImageViewGLTextureStateCreateInfoCLAMPLER),
    };
    size_t used = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && used < STYPE_LIST_SIZE; i++)
        used += (size_t)snprintf(text + used, STYPE_LIST_SIZE - used, "%s%u:%zu", i ? ":" : "",
                                 (unsigned)rows[i].number, rows[i].size);
}

#endif
