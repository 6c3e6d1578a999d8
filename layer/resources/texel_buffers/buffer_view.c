/* SPDX-License-Identifier: MIT */
/* Buffer views, with the records of uniform texel buffers. */
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "need/need.h"
#include "objects/pnext.h"
#include "objects/resource_flags.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/device_needs.h"
#include "texel_view/texel_view.h"
#include "texel_buffers/buffer.h"
#include "texel_buffers/app_texels.h"
#include "texel_buffers/texel_buffers.h"
#include "vulkan_clampler.h"

/* Of a view of a buffer that is one. */
static bool is_uniform(const VkBufferViewCreateInfo *info)
{
    return buffer_view_usage(info, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT) & VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
}

/* The driver's create-info; VK_ERROR_VALIDATION_FAILED_EXT with a message if the GL state is refused. */
static VkResult resolve_view(struct track *track, const VkBufferViewCreateInfo *info,
                             const VkBufferViewGLStateCreateInfoCLAMPLER *gl, struct texel_view_result *result)
{
    const struct message_object *about = ABOUT({VK_OBJECT_TYPE_BUFFER, HANDLE_KEY(info->buffer)});
    struct device *device = track->device;
    const struct buffer *buffer = table_find(&track->texel_buffers->buffers, HANDLE_KEY(info->buffer));
    *result = (struct texel_view_result){.kind = TEXEL_VIEW_AS_IS};
    if (!buffer || !is_uniform(info)) /* no uniform texel buffer */
        return gl ? refuse_about(
                        track, about, "vkCreateBufferView",
                        "VkBufferViewGLStateCreateInfoCLAMPLER needs a buffer with the usage UNIFORM_TEXEL_BUFFER")
                  : VK_SUCCESS;
    const VkBufferDeviceAddressInfo address_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                    .buffer = info->buffer};
    const struct texel_view_request request = {
        .format = info->format,
        .offset = info->offset,
        .range = info->range,
        .size = buffer->size,
        .driver_size = buffer->driver_size,
        .address = buffer->address ? device->next.GetBufferDeviceAddress(device->handle, &address_info) : 0,
        .native = device_format_features(device, info->format).buffer & VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT,
        .gl = gl != NULL,
        .internal_format = gl ? gl->internalFormat : 0,
        .base = gl ? gl->baseFormat : 0,
    };
    texel_view_resolve(&request, &device->caps.texel, result);
    if (result->kind == TEXEL_VIEW_REFUSED)
        return refuse_about(track, about, "vkCreateBufferView", result->reason);
    if (result->reason[0])
        message_about(device, LOG_DEBUG, about, "buffer view: %s", result->reason);
    return VK_SUCCESS;
}

static VkResult create_driver_view(struct device *device, const VkBufferViewCreateInfo *info,
                                   const struct texel_view_result *resolved, const VkAllocationCallbacks *callbacks,
                                   VkBufferView *created)
{
    static const VkStructureType left_out[] = {VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    VkBufferViewCreateInfo for_driver = *info;
    void *rest, *memory;
    if (!pnext_copy_without(info->pNext, left_out, 1, &rest, &memory))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for_driver.pNext = rest;
    if (resolved->kind == TEXEL_VIEW_REPLACED) {
        for_driver.format = resolved->format;
        for_driver.offset = resolved->offset;
        for_driver.range = resolved->range;
    }
    VkResult result = device->next.CreateBufferView(device->handle, &for_driver, callbacks, created);
    free(memory);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateBufferView(VkDevice handle, const VkBufferViewCreateInfo *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator, VkBufferView *pView)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    const VkStructureType belongs = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER;
    const VkBufferViewGLStateCreateInfoCLAMPLER *gl = pnext_find(pCreateInfo->pNext, belongs);
    if (refuse_misplaced(track, "vkCreateBufferView", pCreateInfo->pNext, belongs) != VK_SUCCESS)
        return VK_ERROR_VALIDATION_FAILED_EXT;
    if (gl && !device->caps.enabled.glBufferView)
        return refuse(track, "vkCreateBufferView", BUFFER_VIEW_NEEDS_FEATURE);
    if (!device->caps.texel_buffers)
        return device->next.CreateBufferView(handle, pCreateInfo, pAllocator, pView);

    struct texel_view_result resolved;
    VkResult result = resolve_view(track, pCreateInfo, gl, &resolved);
    if (result != VK_SUCCESS)
        return result;
    struct buffer_view *view = NULL; /* views that need nothing are not remembered: their records are zero */
    if (resolved.record.flags && !(view = object_alloc(track, pAllocator, sizeof(*view))))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkBufferView created = VK_NULL_HANDLE;
    result = create_driver_view(device, pCreateInfo, &resolved, pAllocator, &created);
    if (result == VK_SUCCESS && view) {
        device_needs_raise(track, RECORD_NEED_TEXEL_BUFFER);
        memcpy(&view->record, &resolved.record, sizeof(view->record));
        result = TRACKED_INSERT(result, track, &track->texel_buffers->views, BufferView, created, view, pAllocator);
    }
    if (result != VK_SUCCESS) {
        object_free(track, pAllocator, view, sizeof(*view));
        return result;
    }
    *pView = created;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyBufferView(VkDevice handle, VkBufferView view,
                                                  const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct buffer_view *known = table_remove(&device->track->texel_buffers->views, HANDLE_KEY(view));
    device->next.DestroyBufferView(handle, view, pAllocator);
    object_free(device->track, pAllocator, known, sizeof(*known));
}
