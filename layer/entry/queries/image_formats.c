/* SPDX-License-Identifier: MIT */
/*
 * Image formats with what the driver does not see: GL state of views, whether a view with that state may be made of
 * such an image and be an attachment of it, and cubic filters that the layer offers, by kinds of views.
 */
#include <stdlib.h>

#include "device/instance.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "format/format.h"
#include "objects/pnext.h"
#include "objects/resource_flags.h"
#include "queries/offers.h"
#include "queries/queries.h"
#include "settings/settings.h"
#include "view_facts/view_facts.h"
#include "vulkan_clampler.h"

/* The last one belongs to VK_EXT_filter_cubic. */
static const VkStructureType own[] = {VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                      VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER,
                                      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT};

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

/* Without the first `count` structures above. VK_ERROR_OUT_OF_HOST_MEMORY if there is none for a copy of the chain. */
static VkResult query_without(PFN_vkGetPhysicalDeviceImageFormatProperties2 next, VkPhysicalDevice physical,
                              const VkPhysicalDeviceImageFormatInfo2 *info, uint32_t count,
                              VkImageFormatProperties2 *properties)
{
    VkPhysicalDeviceImageFormatInfo2 for_driver = *info;
    void *rest = NULL, *memory = NULL;
    bool known = true;
    for (uint32_t i = 0; i < count; i++)
        known &= !pnext_find(info->pNext, own[i]);
    if (known)
        return next(physical, info, properties);
    if (!pnext_copy_without(info->pNext, own, count, &rest, &memory))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for_driver.pNext = rest;
    const VkResult result = next(physical, &for_driver, properties);
    free(memory);
    return result;
}

/* The layer's own filter, whatever the driver has: cubes have none (docs/semantics.md, "Cubic filters"). */
static void show_cubic(const struct instance *instance, VkPhysicalDevice physical,
                       const VkPhysicalDeviceImageFormatInfo2 *info, VkResult result,
                       VkFilterCubicImageViewImageFormatPropertiesEXT *properties)
{
    const VkPhysicalDeviceImageViewImageFormatInfoEXT *view =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT);
    const VkFormatFeatureFlags2 features = format_features_shown(instance, physical, info->format, info->tiling);
    const bool cube = view && view_type_is_cube(view->imageViewType);
    properties->filterCubic =
        result == VK_SUCCESS && features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT && !cube;
    properties->filterCubicMinmax =
        properties->filterCubic && features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
}

static VkResult query(PFN_vkGetPhysicalDeviceImageFormatProperties2 next, VkPhysicalDevice physical,
                      const VkPhysicalDeviceImageFormatInfo2 *info, VkImageFormatProperties2 *properties)
{
    struct instance *instance = instance_of(physical);
    const struct offers offers = offers_of(instance, physical);
    const bool unknown = offers_unknown_cubic(&offers);
    const char *why = pnext_find(info->pNext, own[0]) || pnext_find(info->pNext, own[1]) ? refused(info) : NULL;
    if (why) {
        properties->imageFormatProperties = (VkImageFormatProperties){.maxMipLevels = 0};
        if (view_order_is_unsupported(why))
            return VK_ERROR_FORMAT_NOT_SUPPORTED;
        message(instance, LOG_ERROR, VK_OBJECT_TYPE_PHYSICAL_DEVICE, (uint64_t)(uintptr_t)physical,
                "vkGetPhysicalDeviceImageFormatProperties2: %s", why);
        return VK_ERROR_VALIDATION_FAILED_EXT;
    }
    const VkStructureType cubic = VK_STRUCTURE_TYPE_FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT;
    void *shown = (void *)(uintptr_t)pnext_find(properties->pNext, cubic);
    const struct chain_cut cut = unknown ? chain_cut(properties, cubic) : (struct chain_cut){.node = NULL};
    const VkResult result = query_without(next, physical, info, unknown ? 3 : 2, properties);
    chain_restore(cut);
    if (shown && offers.offered & OFFER_FILTER_CUBIC)
        show_cubic(instance, physical, info, result, shown);
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
