/* SPDX-License-Identifier: MIT */
/*
 * vkCreateInstance and vkDestroyInstance: reads the settings, opens the log, and saves what look-ups of the instance
 * need. The create-info is passed on unchanged, but the driver gets functions of the layer's in the place of the
 * program's allocation callbacks.
 */
#include <string.h>

#include "ahead/program_allocator.h"
#include "device/allocate.h"
#include "device/device.h"
#include "device/instance.h"
#include "device/message.h"
#include "platform/library.h"
#include "settings/settings.h"

static VkLayerInstanceCreateInfo *find_link(const VkInstanceCreateInfo *info)
{
    /* The loader's own structure in the chain is meant to be written to. */
    VkLayerInstanceCreateInfo *link = (void *)(uintptr_t)info->pNext;
    while (link &&
           (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO))
        link = (void *)(uintptr_t)link->pNext;
    return link && link->u.pLayerInfo ? link : NULL;
}

static bool enables(const VkInstanceCreateInfo *info, const char *name)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (!strcmp(info->ppEnabledExtensionNames[i], name))
            return true;
    }
    return false;
}

static void report_setting(void *user, enum log_level level, const char *text)
{
    message(user, level, VK_OBJECT_TYPE_UNKNOWN, 0, "%s", text);
}

/* Reads the program's create-info; messages may be given from here on. */
static void read_create_info(struct instance *instance, const VkInstanceCreateInfo *info)
{
    const uint32_t version = info->pApplicationInfo ? info->pApplicationInfo->apiVersion : 0;
    instance->api_version = version ? version : VK_API_VERSION_1_0;
    instance->debug_utils = enables(info, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    instance->queries2 = enables(info, VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME);
    instance->creating = instance->debug_utils ? info->pNext : NULL;

    /* Reads twice: the first time for log_level and log_file, by which errors of the second time are reported. */
    settings_read(&instance->settings, info->pNext, instance->settings_source, sizeof(instance->settings_source), NULL,
                  NULL);
    message_open_log(instance);
    settings_read(&instance->settings, info->pNext, instance->settings_source, sizeof(instance->settings_source),
                  report_setting, instance);
}

static void free_instance(struct instance *instance, const VkAllocationCallbacks *allocator)
{
    message_close(instance);
    release(allocator, instance);
}

static VkResult finish_instance(struct instance *instance, VkInstance handle, PFN_vkGetInstanceProcAddr get_proc_addr)
{
    instance->handle = handle;
    instance->creating = NULL;
    instance_dispatch_load(&instance->next, handle, get_proc_addr);
    return instance_publish(instance) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateInstance(const VkInstanceCreateInfo *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
    VkLayerInstanceCreateInfo *link = find_link(pCreateInfo);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr get_proc_addr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const PFN_GetPhysicalDeviceProcAddr get_physical = link->u.pLayerInfo->pfnNextGetPhysicalDeviceProcAddr;
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)get_proc_addr(NULL, "vkCreateInstance");
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;

    struct instance *instance = allocate(pAllocator, sizeof(*instance), VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);
    if (!instance)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    instance->next_physical_device_proc_addr = get_physical;
    library_keep_own();
    message_init(instance);
    read_create_info(instance, pCreateInfo);

    /* The loader gives its own unfinished handle in *pInstance, and expects it at the end of the chain. */
    const VkInstance unfinished = *pInstance;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = create(pCreateInfo, program_allocator_init(&instance->allocator, pAllocator), pInstance);
    if (result == VK_SUCCESS) {
        result = finish_instance(instance, *pInstance, get_proc_addr);
        if (result == VK_SUCCESS)
            return VK_SUCCESS;
        instance->next.DestroyInstance(*pInstance, program_allocator_driver(&instance->allocator));
        *pInstance = unfinished;
    }
    free_instance(instance, pAllocator);
    return result;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyInstance(VkInstance instance, const VkAllocationCallbacks *pAllocator)
{
    if (!instance)
        return;
    struct instance *known = instance_withdraw(instance);
    if (!known)
        return;
    known->next.DestroyInstance(instance, program_allocator_driver(&known->allocator));
    free_instance(known, pAllocator);
}
