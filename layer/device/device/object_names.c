/* SPDX-License-Identifier: MIT */
/*
 * Keeps the names that the program gives to objects. Names by VK_EXT_debug_marker, the older extension of capture
 * tools, are not kept.
 */
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/object_names.h"
#include "names/names.h"

bool object_names_init(struct object_names *names)
{
    atomic_init(&names->any, false);
    names->names = (struct names){0};
    return pthread_mutex_init(&names->lock, NULL) == 0;
}

void object_names_finish(struct object_names *names)
{
    names_finish(&names->names);
    pthread_mutex_destroy(&names->lock);
}

void object_names_copy(struct object_names *names, VkObjectType type, uint64_t handle, char name[NAME_MOST])
{
    name[0] = 0;
    if (!atomic_load_explicit(&names->any, memory_order_relaxed))
        return;
    pthread_mutex_lock(&names->lock);
    const char *found = names_find(&names->names, (uint32_t)type, handle);
    if (found)
        memcpy(name, found, strlen(found) + 1);
    pthread_mutex_unlock(&names->lock);
}

void object_names_forget(struct object_names *names, VkObjectType type, uint64_t handle)
{
    pthread_mutex_lock(&names->lock);
    names_remove(&names->names, (uint32_t)type, handle);
    pthread_mutex_unlock(&names->lock);
}

/* True: messages may be about such objects, and the layer sees their destruction (object_gone). */
static bool is_kept(const struct device *device, VkObjectType type)
{
    switch ((uint32_t)type) { /* older headers lack some */
    case VK_OBJECT_TYPE_DEVICE:
    case VK_OBJECT_TYPE_COMMAND_BUFFER:
    case VK_OBJECT_TYPE_IMAGE:
    case VK_OBJECT_TYPE_IMAGE_VIEW:
    case VK_OBJECT_TYPE_SHADER_MODULE:
    case VK_OBJECT_TYPE_PIPELINE:
    case VK_OBJECT_TYPE_SAMPLER:
    case VK_OBJECT_TYPE_SHADER_EXT:
        return true;
    case VK_OBJECT_TYPE_BUFFER:
        return device->caps.texel_buffers;
    default:
        return false;
    }
}

static void set(struct object_names *names, VkObjectType type, uint64_t key, struct name *name)
{
    pthread_mutex_lock(&names->lock);
    if (name) {
        names_put(&names->names, name);
        atomic_store_explicit(&names->any, true, memory_order_relaxed);
    } else {
        names_remove(&names->names, (uint32_t)type, key);
    }
    pthread_mutex_unlock(&names->lock);
}

/*
 * Handles are the driver's own (objects/track.h), so the call is passed on unchanged, but for surplus samplers, which
 * the driver does not know. If the call fails the object keeps its old name, but removing a name always works: Mesa
 * 22.3 returns out-of-memory for NULL. Inert devices get here as well, through the loader (hook_GetInstanceProcAddr);
 * they have no messages about objects.
 */
VKAPI_ATTR VkResult VKAPI_CALL hook_SetDebugUtilsObjectNameEXT(VkDevice handle,
                                                               const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
    struct device *device = device_of(handle);
    const PFN_vkSetDebugUtilsObjectNameEXT next = device->next.SetDebugUtilsObjectNameEXT;
    const bool kept = device->active && is_kept(device, pNameInfo->objectType);
    const uint64_t key = object_names_key(pNameInfo->objectType, pNameInfo->objectHandle);
    struct name *name = NULL;
    if (kept && pNameInfo->pObjectName && pNameInfo->pObjectName[0]) {
        name = name_create((uint32_t)pNameInfo->objectType, key, pNameInfo->pObjectName);
        if (!name)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    const bool surplus = pNameInfo->objectType == VK_OBJECT_TYPE_SAMPLER && device_has_surplus(device, key);
    const VkResult result = next && !surplus ? next(handle, pNameInfo) : VK_SUCCESS;
    if (kept && (result == VK_SUCCESS || !name))
        set(&device->names, pNameInfo->objectType, key, name);
    else
        free(name);
    return result;
}
