/* SPDX-License-Identifier: MIT */
/*
 * vkRegisterCustomBorderColorEXT and its counterpart, where the layer offers custom border colours to a program with
 * descriptor heaps. The driver may have neither command, and its indices are fewer than the program may use. A sampler
 * names its colour beside the index, and records have that, so an index is nothing but taken or free.
 */
#include "device/device.h"
#include "device/message.h"
#include "objects/track.h"
#include "objects/units.h"
#include "sampling/sampling.h"

VKAPI_ATTR VkResult VKAPI_CALL
hook_RegisterCustomBorderColorEXT(VkDevice handle, const VkSamplerCustomBorderColorCreateInfoEXT *pBorderColor,
                                  VkBool32 requestIndex, uint32_t *pIndex)
{
    struct sampling *s = device_of(handle)->track->sampling;
    uint32_t index = UNITS_NONE;
    (void)pBorderColor;
    pthread_mutex_lock(&s->border_index_lock);
    if (!requestIndex)
        index = units_acquire(&s->border_indices, 1);
    else if (units_claim(&s->border_indices, *pIndex))
        index = *pIndex;
    pthread_mutex_unlock(&s->border_index_lock);
    if (index == UNITS_NONE)
        return requestIndex ? VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS : VK_ERROR_TOO_MANY_OBJECTS;
    *pIndex = index;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_UnregisterCustomBorderColorEXT(VkDevice handle, uint32_t index)
{
    const struct device *device = device_of(handle);
    struct sampling *s = device->track->sampling;
    pthread_mutex_lock(&s->border_index_lock);
    const bool registered = units_are_taken(&s->border_indices, index);
    if (registered)
        units_release(&s->border_indices, index, 1);
    pthread_mutex_unlock(&s->border_index_lock);
    if (!registered)
        message_about(device, LOG_WARN, NULL, "vkUnregisterCustomBorderColorEXT: index %u is not registered", index);
}
