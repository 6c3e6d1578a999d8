/* SPDX-License-Identifier: MIT */
/* Framebuffers: which of their attachments have no alpha. */
#include "attachments/framebuffer.h"

#include "attachments/attachments.h"
#include "device/device.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/image.h"

struct framebuffer *framebuffer_find(struct track *track, VkFramebuffer handle)
{
    return table_find(&track->attachments->framebuffers, HANDLE_KEY(handle));
}

static size_t framebuffer_bytes(uint32_t count)
{
    return sizeof(struct framebuffer) + count * sizeof(struct view *);
}

static void read_views(struct track *track, const VkFramebufferCreateInfo *info, struct framebuffer *framebuffer)
{
    for (uint32_t i = 0; i < framebuffer->count; i++)
        framebuffer->views[i] = view_find(track, info->pAttachments[i]);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateFramebuffer(VkDevice handle, const VkFramebufferCreateInfo *pCreateInfo,
                                                      const VkAllocationCallbacks *pAllocator,
                                                      VkFramebuffer *pFramebuffer)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    const uint32_t count = pCreateInfo->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT ? 0 : pCreateInfo->attachmentCount;
    struct framebuffer *framebuffer = object_alloc(track, pAllocator, framebuffer_bytes(count));
    if (!framebuffer)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    framebuffer->count = count;
    framebuffer->layers = pCreateInfo->layers;
    VkFramebuffer created = VK_NULL_HANDLE;
    read_views(track, pCreateInfo, framebuffer);
    VkResult result = device->next.CreateFramebuffer(handle, pCreateInfo, pAllocator, &created);
    result =
        TRACKED_INSERT(result, track, &track->attachments->framebuffers, Framebuffer, created, framebuffer, pAllocator);
    if (result != VK_SUCCESS) {
        object_free(track, pAllocator, framebuffer, framebuffer_bytes(count));
        return result;
    }
    *pFramebuffer = created;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyFramebuffer(VkDevice handle, VkFramebuffer framebuffer,
                                                   const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct framebuffer *known = table_remove(&device->track->attachments->framebuffers, HANDLE_KEY(framebuffer));
    device->next.DestroyFramebuffer(handle, framebuffer, pAllocator);
    if (known)
        object_free(device->track, pAllocator, known, framebuffer_bytes(known->count));
}
