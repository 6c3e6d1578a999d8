/* SPDX-License-Identifier: MIT */
/*
 * Commands that take any object, or a sampler, by its handle alone. The driver does not know those of surplus samplers:
 * what a program attaches to them is kept here, or is nobody's to use, and handles of image views name another sampler.
 */
#include <stdlib.h>

#include "device/device.h"
#include "newer_vulkan.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampling.h"
#include "sampling/surplus.h"

/* ---- Private data ---- */

struct private_slot {
    struct private_slot *next;
    VkPrivateDataSlot handle;
    struct table values; /* uint64_t by sampler */
};

bool private_data_init(struct private_data *data)
{
    return pthread_mutex_init(&data->lock, NULL) == 0;
}

static void free_value(void *value, void *user)
{
    (void)user;
    free(value);
}

static void slot_free(struct private_slot *slot)
{
    table_visit(&slot->values, free_value, NULL);
    table_finish(&slot->values);
    free(slot);
}

void private_data_finish(struct private_data *data)
{
    for (struct private_slot *slot = data->slots, *next; slot; slot = next) {
        next = slot->next;
        slot_free(slot);
    }
    pthread_mutex_destroy(&data->lock);
}

void private_data_forget(struct track *track, uint64_t sampler)
{
    struct private_data *data = &track->sampling->private_data;
    if (!atomic_load_explicit(&data->any, memory_order_relaxed))
        return;
    pthread_mutex_lock(&data->lock);
    for (struct private_slot *slot = data->slots; slot; slot = slot->next)
        free(table_remove(&slot->values, sampler));
    pthread_mutex_unlock(&data->lock);
}

/* Under the lock. */
static struct private_slot *slot_find(const struct private_data *data, VkPrivateDataSlot handle)
{
    struct private_slot *slot = data->slots;
    while (slot && slot->handle != handle)
        slot = slot->next;
    return slot;
}

/* Under the lock. NULL: out of memory. */
static struct private_slot *slot_of(struct private_data *data, VkPrivateDataSlot handle)
{
    struct private_slot *slot = slot_find(data, handle);
    if (slot || !(slot = calloc(1, sizeof(*slot))))
        return slot;
    if (!table_init(&slot->values)) {
        free(slot);
        return NULL;
    }
    slot->handle = handle;
    slot->next = data->slots;
    data->slots = slot;
    atomic_store_explicit(&data->any, true, memory_order_relaxed);
    return slot;
}

/* Under the lock. False: out of memory. */
static bool set_value(struct private_slot *slot, uint64_t sampler, uint64_t value)
{
    uint64_t *known = table_find(&slot->values, sampler);
    if (!known) {
        known = malloc(sizeof(*known));
        if (!known || !table_insert(&slot->values, sampler, known)) {
            free(known);
            return false;
        }
    }
    *known = value;
    return true;
}

static bool is_ours(const struct device *device, VkObjectType type, uint64_t handle)
{
    return type == VK_OBJECT_TYPE_SAMPLER && device_has_surplus(device, handle) &&
           is_surplus(sampler_find(device->track, HANDLE_OF(VkSampler, handle)));
}

VKAPI_ATTR VkResult VKAPI_CALL hook_SetPrivateData(VkDevice handle, VkObjectType objectType, uint64_t objectHandle,
                                                   VkPrivateDataSlot privateDataSlot, uint64_t data)
{
    struct device *device = device_of(handle);
    if (!is_ours(device, objectType, objectHandle))
        return device->next.SetPrivateData(handle, objectType, objectHandle, privateDataSlot, data);
    struct private_data *known = &device->track->sampling->private_data;
    pthread_mutex_lock(&known->lock);
    struct private_slot *slot = slot_of(known, privateDataSlot);
    const bool set = slot && set_value(slot, objectHandle, data);
    pthread_mutex_unlock(&known->lock);
    return set ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL hook_GetPrivateData(VkDevice handle, VkObjectType objectType, uint64_t objectHandle,
                                               VkPrivateDataSlot privateDataSlot, uint64_t *pData)
{
    struct device *device = device_of(handle);
    if (!is_ours(device, objectType, objectHandle)) {
        device->next.GetPrivateData(handle, objectType, objectHandle, privateDataSlot, pData);
        return;
    }
    struct private_data *known = &device->track->sampling->private_data;
    pthread_mutex_lock(&known->lock);
    const struct private_slot *slot = slot_find(known, privateDataSlot);
    const uint64_t *value = slot ? table_find(&slot->values, objectHandle) : NULL;
    *pData = value ? *value : 0;
    pthread_mutex_unlock(&known->lock);
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyPrivateDataSlot(VkDevice handle, VkPrivateDataSlot privateDataSlot,
                                                       const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct private_data *known = &device->track->sampling->private_data;
    struct private_slot *gone = NULL;
    pthread_mutex_lock(&known->lock);
    for (struct private_slot **link = &known->slots; *link && !gone;) {
        if ((*link)->handle == privateDataSlot) {
            gone = *link;
            *link = gone->next;
        } else {
            link = &(*link)->next;
        }
    }
    pthread_mutex_unlock(&known->lock);
    if (gone)
        slot_free(gone);
    device->next.DestroyPrivateDataSlot(handle, privateDataSlot, pAllocator);
}

/* ---- Tags and names: for tools below, which do not see these samplers (device/object_names.c keeps names) ---- */

VKAPI_ATTR VkResult VKAPI_CALL hook_SetDebugUtilsObjectTagEXT(VkDevice handle,
                                                              const VkDebugUtilsObjectTagInfoEXT *pTagInfo)
{
    struct device *device = device_of(handle);
    const PFN_vkSetDebugUtilsObjectTagEXT next = device->next.SetDebugUtilsObjectTagEXT;
    return next && !is_ours(device, pTagInfo->objectType, pTagInfo->objectHandle) ? next(handle, pTagInfo) : VK_SUCCESS;
}

static bool is_marked(const struct device *device, VkDebugReportObjectTypeEXT type, uint64_t handle)
{
    return type == VK_DEBUG_REPORT_OBJECT_TYPE_SAMPLER_EXT && is_ours(device, VK_OBJECT_TYPE_SAMPLER, handle);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_DebugMarkerSetObjectTagEXT(VkDevice handle,
                                                               const VkDebugMarkerObjectTagInfoEXT *pTagInfo)
{
    struct device *device = device_of(handle);
    return is_marked(device, pTagInfo->objectType, pTagInfo->object)
               ? VK_SUCCESS
               : device->next.DebugMarkerSetObjectTagEXT(handle, pTagInfo);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_DebugMarkerSetObjectNameEXT(VkDevice handle,
                                                                const VkDebugMarkerObjectNameInfoEXT *pNameInfo)
{
    struct device *device = device_of(handle);
    return is_marked(device, pNameInfo->objectType, pNameInfo->object)
               ? VK_SUCCESS
               : device->next.DebugMarkerSetObjectNameEXT(handle, pNameInfo);
}

/* ---- Handles of image views ---- */

static VkImageViewHandleInfoNVX with_sampler(struct device *device, const VkImageViewHandleInfoNVX *info)
{
    VkImageViewHandleInfoNVX for_driver = *info;
    for_driver.sampler = sampler_unresolved(device->track, info->sampler);
    return for_driver;
}

VKAPI_ATTR uint32_t VKAPI_CALL hook_GetImageViewHandleNVX(VkDevice handle, const VkImageViewHandleInfoNVX *pInfo)
{
    struct device *device = device_of(handle);
    const VkImageViewHandleInfoNVX for_driver = with_sampler(device, pInfo);
    return device->next.GetImageViewHandleNVX(handle, &for_driver);
}

VKAPI_ATTR uint64_t VKAPI_CALL hook_GetImageViewHandle64NVX(VkDevice handle, const VkImageViewHandleInfoNVX *pInfo)
{
    struct device *device = device_of(handle);
    const VkImageViewHandleInfoNVX for_driver = with_sampler(device, pInfo);
    return device->next.GetImageViewHandle64NVX(handle, &for_driver);
}
