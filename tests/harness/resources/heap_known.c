/* SPDX-License-Identifier: MIT */
/*
 * What samplers and views of a device were created with, so that tests which know their handles can write descriptors
 * of them into heaps. Handles come again when their objects are gone: then what they are now counts.
 */
#include <stdlib.h>

#include "harness/resources/heap.h"

struct harness_known {
    struct harness_known *next;
    VkSampler sampler;
    VkImageView view; /* one of the two */
    union {
        VkSamplerCreateInfo sampler;
        VkImageViewCreateInfo view;
    } info; /* its chain leads to the members below */
    VkSamplerGLStateCreateInfoCLAMPLER sampler_state;
    VkSamplerReductionModeCreateInfo reduction;
    VkSamplerCustomBorderColorCreateInfoEXT border;
    VkSamplerCustomBorderColorIndexCreateInfoEXT border_index;
    VkImageViewGLStateCreateInfoCLAMPLER view_state;
    VkImageViewGLTextureStateCreateInfoCLAMPLER texture_state;
    VkImageViewGLChannelOrderCreateInfoCLAMPLER order;
    VkImageViewMinLodCreateInfoEXT view_least;
    bool registered; /* the border's colour, under the index */
};

static void unregister(const struct harness_vulkan *vk, struct harness_known *known)
{
    if (known->registered)
        HARNESS_PROC(vk, vkUnregisterCustomBorderColorEXT)(vk->device, known->border_index.index);
    known->registered = false;
}

static struct harness_known *find(struct harness_vulkan *vk, VkSampler sampler, VkImageView view)
{
    struct harness_known *known = vk->known;
    while (known && (known->sampler != sampler || known->view != view))
        known = known->next;
    return known;
}

/* An entry without a chain. */
static struct harness_known *renew(struct harness_vulkan *vk, VkSampler sampler, VkImageView view)
{
    struct harness_known *known = find(vk, sampler, view);
    if (!known) {
        known = harness_alloc(1, sizeof(*known));
        *known = (struct harness_known){.next = vk->known, .sampler = sampler, .view = view};
        vk->known = known;
    }
    unregister(vk, known);
    return known;
}

/* Heaps have custom border colours that are registered, under an index. */
static void chain_border(struct harness_vulkan *vk, struct harness_known *known, const void *border)
{
    known->border = *(const VkSamplerCustomBorderColorCreateInfoEXT *)border;
    known->border.pNext = NULL;
    known->border_index = (VkSamplerCustomBorderColorIndexCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT};
    HARNESS_VK(HARNESS_PROC(vk, vkRegisterCustomBorderColorEXT)(vk->device, &known->border, VK_FALSE,
                                                                &known->border_index.index));
    known->registered = true;
}

void harness_known_sampler(struct harness_vulkan *vk, VkSampler sampler, const VkSamplerCreateInfo *info)
{
    if (!harness_sets_are_heaps(vk->sets))
        return;
    struct harness_known *known = renew(vk, sampler, VK_NULL_HANDLE);
    known->info.sampler = *info;
    known->info.sampler.pNext = NULL;
#define CHAIN(MEMBER) (known->MEMBER.pNext = known->info.sampler.pNext, known->info.sampler.pNext = &known->MEMBER)
    for (const VkBaseInStructure *next = info->pNext; next; next = next->pNext) {
        switch ((int)next->sType) {
        case VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER:
            known->sampler_state = *(const VkSamplerGLStateCreateInfoCLAMPLER *)(const void *)next;
            CHAIN(sampler_state);
            break;
        case VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO:
            known->reduction = *(const VkSamplerReductionModeCreateInfo *)(const void *)next;
            CHAIN(reduction);
            break;
        case VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT:
            chain_border(vk, known, next);
            CHAIN(border_index);
            CHAIN(border);
            break;
        default:
            harness_fail("structure %d of a sampler is not among those that the tests write into heaps", next->sType);
        }
    }
#undef CHAIN
}

void harness_known_view(struct harness_vulkan *vk, VkImageView view, const VkImageViewCreateInfo *info)
{
    if (!harness_sets_are_heaps(vk->sets))
        return;
    struct harness_known *known = renew(vk, VK_NULL_HANDLE, view);
    known->info.view = *info;
    known->info.view.pNext = NULL;
#define CHAIN(MEMBER) (known->MEMBER.pNext = known->info.view.pNext, known->info.view.pNext = &known->MEMBER)
    for (const VkBaseInStructure *next = info->pNext; next; next = next->pNext) {
        switch ((int)next->sType) {
        case VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER:
            known->view_state = *(const VkImageViewGLStateCreateInfoCLAMPLER *)(const void *)next;
            CHAIN(view_state);
            break;
        case VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER:
            known->texture_state = *(const VkImageViewGLTextureStateCreateInfoCLAMPLER *)(const void *)next;
            CHAIN(texture_state);
            break;
        case VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER:
            known->order = *(const VkImageViewGLChannelOrderCreateInfoCLAMPLER *)(const void *)next;
            CHAIN(order);
            break;
        case VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT:
            known->view_least = *(const VkImageViewMinLodCreateInfoEXT *)(const void *)next;
            CHAIN(view_least);
            break;
        default:
            harness_fail("structure %d of a view is not among those that the tests write into heaps", next->sType);
        }
    }
#undef CHAIN
}

void harness_known_forget(struct harness_vulkan *vk)
{
    while (vk->known) {
        struct harness_known *known = vk->known;
        vk->known = known->next;
        unregister(vk, known);
        free(known);
    }
}

const VkSamplerCreateInfo *harness_known_sampler_info(struct harness_vulkan *vk, VkSampler sampler)
{
    const struct harness_known *known = find(vk, sampler, VK_NULL_HANDLE);
    if (!known)
        harness_fail("a sampler of which nothing is known");
    return &known->info.sampler;
}

void harness_heap_put_known_sampler(const struct harness_heaps *heaps, uint32_t offset, VkSampler sampler)
{
    harness_heap_put_sampler(heaps, offset, harness_known_sampler_info(heaps->vk, sampler));
}

const VkImageViewCreateInfo *harness_known_view_info(struct harness_vulkan *vk, VkImageView view)
{
    const struct harness_known *known = find(vk, VK_NULL_HANDLE, view);
    if (!known)
        harness_fail("a view of which nothing is known");
    return &known->info.view;
}

void harness_heap_put_known_view(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                                 VkImageView view)
{
    harness_heap_put_view(heaps, offset, type, harness_known_view_info(heaps->vk, view));
}
