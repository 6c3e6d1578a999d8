/* SPDX-License-Identifier: MIT */
/*
 * Flags and usages of images, swapchains, buffers and their views, which have two forms: members of create-infos, and
 * structures of 64 bits in their chains, which take the others' place (VK_KHR_maintenance5, VK_KHR_extended_flags).
 * Nothing else in the layer reads or writes either (tests/packaging/create_infos_test.py). Low bits are the same in
 * both.
 */
#ifndef CLAMPLER_OBJECTS_RESOURCE_FLAGS_H
#define CLAMPLER_OBJECTS_RESOURCE_FLAGS_H

#include <stdbool.h>
#include <stdlib.h>

#include <vulkan/vulkan_core.h>

#include "device/structure_chain.h"
#include "newer_vulkan.h"
#include "objects/pnext.h"

/* ---- What create-infos say ---- */

static inline VkFlags64 image_create_flags(const VkImageCreateInfo *info)
{
    const VkImageCreateFlags2CreateInfoKHR *wide =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    return wide ? wide->flags : info->flags;
}

/* Of images and of those of swapchains. */
static inline VkFlags64 image_usage_in(const void *chain, VkImageUsageFlags narrow)
{
    const VkImageUsageFlags2CreateInfoKHR *wide =
        pnext_find(chain, VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR);
    return wide ? wide->usage : narrow;
}

static inline VkFlags64 image_create_usage(const VkImageCreateInfo *info)
{
    return image_usage_in(info->pNext, info->usage);
}

static inline VkFlags64 image_format_usage(const VkPhysicalDeviceImageFormatInfo2 *info)
{
    return image_usage_in(info->pNext, info->usage);
}

static inline VkFlags64 swapchain_usage(const VkSwapchainCreateInfoKHR *info)
{
    return image_usage_in(info->pNext, info->imageUsage);
}

/* That of stencil may be another one (VK_EXT_separate_stencil_usage). */
static inline VkFlags64 image_create_stencil_usage(const VkImageCreateInfo *info)
{
    const VkImageStencilUsage2CreateInfoKHR *wide =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR);
    const VkImageStencilUsageCreateInfo *narrow =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
    return wide ? wide->stencilUsage : narrow ? narrow->stencilUsage : image_create_usage(info);
}

/* A view may be for less than its image. */
static inline bool image_view_has_usage(const VkImageViewCreateInfo *info)
{
    return pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR) ||
           pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
}

static inline VkFlags64 image_view_usage(const VkImageViewCreateInfo *info, VkFlags64 of_image)
{
    const VkImageViewUsage2CreateInfoKHR *wide =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR);
    const VkImageViewUsageCreateInfo *narrow = pnext_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
    return wide ? wide->usage : narrow ? narrow->usage : of_image;
}

/* The structures of either form, for chains that get a usage of the layer's in their place. */
#define IMAGE_VIEW_USAGE_TYPES                                                                                         \
    VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR

/* May the structure be part of an image whose driver's image differs? It says no more than flags and usages. */
static inline bool is_image_flags(VkStructureType type)
{
    return type == VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO ||
           type == VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR ||
           type == VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR ||
           type == VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR;
}

static inline VkFlags64 buffer_usage_in(const void *chain, VkFlags64 otherwise)
{
    const VkBufferUsageFlags2CreateInfoKHR *wide =
        pnext_find(chain, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
    return wide ? wide->usage : otherwise;
}

static inline VkFlags64 buffer_create_usage(const VkBufferCreateInfo *info)
{
    return buffer_usage_in(info->pNext, info->usage);
}

/* A view may be for less than its buffer. */
static inline VkFlags64 buffer_view_usage(const VkBufferViewCreateInfo *info, VkFlags64 of_buffer)
{
    return buffer_usage_in(info->pNext, of_buffer);
}

/* ---- Others for copies of create-infos ---- */

/* Storage for the flags of a copy. All zero: none. It must not move while the copy is used. */
struct other_image_flags {
    VkImageCreateFlags2CreateInfoKHR wide;
    void *chain;
};

struct other_buffer_usage {
    VkBufferUsageFlags2CreateInfoKHR wide;
    void *chain;
};

/*
 * Adds flags to a copy, in the form that it has; its chain, which may be the program's, is replaced for that, not
 * changed. False if memory runs out.
 */
static inline bool image_flags_add(VkImageCreateInfo *info, VkImageCreateFlags added, struct other_image_flags *other)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR};
    void *rest;
    if (!pnext_find(info->pNext, replaced[0])) {
        info->flags |= added;
        return true;
    }
    const VkFlags64 flags = image_create_flags(info) | added;
    if (!pnext_copy_without(info->pNext, replaced, 1, &rest, &other->chain))
        return false;
    other->wide = (VkImageCreateFlags2CreateInfoKHR){.sType = replaced[0], .pNext = rest, .flags = flags};
    info->pNext = &other->wide;
    return true;
}

static inline bool buffer_usage_add(VkBufferCreateInfo *info, VkBufferUsageFlags added,
                                    struct other_buffer_usage *other)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR};
    void *rest;
    if (!pnext_find(info->pNext, replaced[0])) {
        info->usage |= added;
        return true;
    }
    const VkFlags64 usage = buffer_create_usage(info) | added;
    if (!pnext_copy_without(info->pNext, replaced, 1, &rest, &other->chain))
        return false;
    other->wide = (VkBufferUsageFlags2CreateInfoKHR){.sType = replaced[0], .pNext = rest, .usage = usage};
    info->pNext = &other->wide;
    return true;
}

#endif
