/* SPDX-License-Identifier: MIT */
/*
 * Image formats with GL state of views: whether a view with that state may be made of such an image, and be an
 * attachment of it. The driver does not see the state.
 */
#include <stdlib.h>

#include "device/instance.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "format/format.h"
#include "objects/pnext.h"
#include "objects/resource_flags.h"
#include "view_facts/view_facts.h"
#include "vulkan_clampler.h"

static const VkStructureType own[] = {VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                      VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER};

/* NULL: such a view can be made. */
static const char *refused(const VkPhysicalDeviceImageFormatInfo2 *info)
{
    const VkImageViewGLStateCreateInfoCLAMPLER *given = pnext_find(info->pNext, own[0]);
    const VkImageViewGLChannelOrderCreateInfoCLAMPLER *order = pnext_find(info->pNext, own[1]);
    const VkComponentMapping *channels = order ? &order->channels : NULL;
    const struct format_info format = format_info(info->format);
    const char *why = NULL;
    if (!given)
        return order
                   ? "VkImageViewGLChannelOrderCreateInfoCLAMPLER needs VkImageViewGLStateCreateInfoCLAMPLER beside it"
                   : NULL;
    VkImageViewGLStateCreateInfoCLAMPLER gl = *given;
    gl.target = 0; /* the type of the view is not known */
    const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = info->format,
                                        .subresourceRange.aspectMask =
                                            format.bits & FORMAT_DEPTH     ? VK_IMAGE_ASPECT_DEPTH_BIT
                                            : format.bits & FORMAT_STENCIL ? VK_IMAGE_ASPECT_STENCIL_BIT
                                                                           : VK_IMAGE_ASPECT_COLOR_BIT};
    struct view_facts facts;
    VkComponentMapping mapping;
    uint8_t at[4];
    if (!view_facts_from_gl_order(&gl, channels, &view, &facts, &mapping, &why))
        return why;
    if (channels && (image_format_usage(info) & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT))
        view_order_of_attachment(channels, view_base_format(gl.baseFormat, gl.internalFormat), info->format, at, &why);
    return why;
}

static VkResult query(PFN_vkGetPhysicalDeviceImageFormatProperties2 next, VkPhysicalDevice physical,
                      const VkPhysicalDeviceImageFormatInfo2 *info, VkImageFormatProperties2 *properties)
{
    if (!pnext_find(info->pNext, own[0]) && !pnext_find(info->pNext, own[1]))
        return next(physical, info, properties);
    const char *why = refused(info);
    VkPhysicalDeviceImageFormatInfo2 for_driver = *info;
    void *rest = NULL, *memory = NULL;
    if (why) {
        properties->imageFormatProperties = (VkImageFormatProperties){.maxMipLevels = 0};
        if (view_order_is_unsupported(why))
            return VK_ERROR_FORMAT_NOT_SUPPORTED;
        message(instance_of(physical), LOG_ERROR, VK_OBJECT_TYPE_PHYSICAL_DEVICE, (uint64_t)(uintptr_t)physical,
                "vkGetPhysicalDeviceImageFormatProperties2: %s", why);
        return VK_ERROR_VALIDATION_FAILED_EXT;
    }
    if (!pnext_copy_without(info->pNext, own, 2, &rest, &memory))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for_driver.pNext = rest;
    const VkResult result = next(physical, &for_driver, properties);
    free(memory);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_GetPhysicalDeviceImageFormatProperties2(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceImageFormatInfo2 *pImageFormatInfo,
    VkImageFormatProperties2 *pImageFormatProperties)
{
    return query(instance_of(physicalDevice)->next.GetPhysicalDeviceImageFormatProperties2, physicalDevice,
                 pImageFormatInfo, pImageFormatProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_GetPhysicalDeviceImageFormatProperties2KHR(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceImageFormatInfo2 *pImageFormatInfo,
    VkImageFormatProperties2 *pImageFormatProperties)
{
    return query(instance_of(physicalDevice)->next.GetPhysicalDeviceImageFormatProperties2KHR, physicalDevice,
                 pImageFormatInfo, pImageFormatProperties);
}
