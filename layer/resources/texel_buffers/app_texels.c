/* SPDX-License-Identifier: MIT */
/*
 * Texel buffers of application-managed descriptors. They have no object whose destruction the layer would see, so their
 * records stay until the device is destroyed. Fetches through the driver's view are preferred, because their records
 * have no address, so that there are few different ones.
 */
#include "texel_buffers/app_texels.h"

#include <string.h>

#include "device/device.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "need/need.h"
#include "record_table/record_table.h"
#include "sampling/device_needs.h"
#include "texel_view/texel_view.h"
#include "vulkan_clampler.h"
#include "objects/track.h"

/* Views start at multiples of this, far beyond any driver's alignment: offsets are counted from there. */
#define VIEW_BASE UINT64_C(0x10000)

static struct texel_view_request request_of(const struct device *device, const VkDescriptorAddressInfoEXT *info,
                                            const VkBufferViewGLStateCreateInfoCLAMPLER *gl)
{
    const VkDeviceAddress base = info->address / VIEW_BASE * VIEW_BASE;
    const VkDeviceSize end = info->address - base + info->range;
    return (struct texel_view_request){
        .format = info->format,
        .offset = info->address - base,
        .range = info->range,
        .size = end,
        .driver_size = end,
        .address = base,
        .native = device_format_features(device, info->format).buffer & VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT,
        .gl = gl != NULL,
        .internal_format = gl ? gl->internalFormat : 0,
        .base = gl ? gl->baseFormat : 0,
    };
}

VkResult app_texels(struct track *track, const char *call, const VkDescriptorAddressInfoEXT *program,
                    VkDescriptorAddressInfoEXT *for_driver, uint32_t *record_index)
{
    const struct device *device = track->device;
    const bool allowed = device->caps.enabled.glBufferView;
    const VkBufferViewGLStateCreateInfoCLAMPLER *gl =
        pnext_find(program->pNext, VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER);
    const VkResult result = gl && !allowed ? refuse(track, call, BUFFER_VIEW_NEEDS_FEATURE) : VK_SUCCESS;
    *for_driver = *program;
    if (gl && program->pNext == gl)
        for_driver->pNext = (void *)(uintptr_t)gl->pNext;
    if (!device->caps.texel_buffers)
        return result;
    const struct texel_view_request request = request_of(device, program, allowed ? gl : NULL);
    struct texel_caps caps = device->caps.texel;
    struct texel_view_result resolved;
    caps.addresses_first = false;
    texel_view_resolve(&request, &caps, &resolved);
    if (resolved.kind == TEXEL_VIEW_REFUSED)
        return refuse(track, call, resolved.reason);
    if (resolved.kind == TEXEL_VIEW_REPLACED) {
        for_driver->format = resolved.format;
        for_driver->address = request.address + resolved.offset;
        for_driver->range = resolved.range;
    }
    if (resolved.record.flags) {
        struct record record;
        memcpy(&record, &resolved.record, sizeof(record));
        *record_index = record_table_acquire(track, &record, 1);
        device_needs_raise(track, RECORD_NEED_TEXEL_BUFFER);
    }
    return result;
}
