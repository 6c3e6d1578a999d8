/* SPDX-License-Identifier: MIT */
/*
 * Creates the program's messengers and report callbacks: the next layer gets functions of the layer's in the place of
 * the program's, which hold back messages on threads of the layer's. Those that are chained to VkInstanceCreateInfo are
 * passed on unchanged: they are called in vkCreateInstance and vkDestroyInstance, when there are no such threads.
 */
#include "ahead/ahead.h"
#include "device/allocate.h"
#include "device/held.h"
#include "device/instance.h"

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    return messenger_call(user, severity, types, data);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_report(VkDebugReportFlagsEXT flags, VkDebugReportObjectTypeEXT type,
                                                uint64_t object, size_t location, int32_t code, const char *prefix,
                                                const char *text, void *user)
{
    return messenger_call_report(user, &(struct message_report){flags, type, object, location, code, prefix, text});
}

static void list(struct instance *instance, struct messenger *messenger)
{
    messenger->instance = instance;
    pthread_mutex_lock(&instance->messenger_lock);
    messenger->number = ++instance->messenger_number;
    messenger->next = instance->messengers;
    instance->messengers = messenger;
    pthread_mutex_unlock(&instance->messenger_lock);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateDebugUtilsMessengerEXT(VkInstance instance,
                                                                 const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
                                                                 const VkAllocationCallbacks *pAllocator,
                                                                 VkDebugUtilsMessengerEXT *pMessenger)
{
    struct instance *known = instance_of(instance);
    struct messenger *messenger = allocate(pAllocator, sizeof(*messenger), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    VkDebugUtilsMessengerCreateInfoEXT info = *pCreateInfo;
    if (!messenger)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *messenger = messenger_from(pCreateInfo);
    messenger->instance = known;
    info.pfnUserCallback = on_message;
    info.pUserData = messenger;
    const VkResult result = known->next.CreateDebugUtilsMessengerEXT(instance, &info, pAllocator, pMessenger);
    if (result != VK_SUCCESS) {
        release(pAllocator, messenger);
        return result;
    }
    messenger->handle = (uint64_t)*pMessenger;
    list(known, messenger);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateDebugReportCallbackEXT(VkInstance instance,
                                                                 const VkDebugReportCallbackCreateInfoEXT *pCreateInfo,
                                                                 const VkAllocationCallbacks *pAllocator,
                                                                 VkDebugReportCallbackEXT *pCallback)
{
    struct instance *known = instance_of(instance);
    struct messenger *messenger = allocate(pAllocator, sizeof(*messenger), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    VkDebugReportCallbackCreateInfoEXT info = *pCreateInfo;
    if (!messenger)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *messenger =
        (struct messenger){.instance = known, .report = pCreateInfo->pfnCallback, .user = pCreateInfo->pUserData};
    info.pfnCallback = on_report;
    info.pUserData = messenger;
    const VkResult result = known->next.CreateDebugReportCallbackEXT(instance, &info, pAllocator, pCallback);
    if (result != VK_SUCCESS) {
        release(pAllocator, messenger);
        return result;
    }
    messenger->handle = (uint64_t)*pCallback;
    list(known, messenger);
    return VK_SUCCESS;
}

static struct messenger *take(struct instance *instance, uint64_t handle, bool reports)
{
    struct messenger **link = &instance->messengers, *found;
    pthread_mutex_lock(&instance->messenger_lock);
    while (*link && ((*link)->handle != handle || ((*link)->report != NULL) != reports))
        link = &(*link)->next;
    found = *link;
    if (found)
        *link = found->next;
    pthread_mutex_unlock(&instance->messenger_lock);
    return found;
}

/* ---- Their end: while no command of the instance and its devices runs, as Vulkan says, and no worker compiles ---- */

VKAPI_ATTR void VKAPI_CALL hook_DestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT messenger,
                                                              const VkAllocationCallbacks *pAllocator)
{
    struct instance *known = instance_of(instance);
    const int cancel = ahead_pause(known);
    messages_report_left(known);
    known->next.DestroyDebugUtilsMessengerEXT(instance, messenger, pAllocator);
    if (messenger)
        release(pAllocator, take(known, (uint64_t)messenger, false));
    ahead_resume(known, cancel);
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyDebugReportCallbackEXT(VkInstance instance, VkDebugReportCallbackEXT callback,
                                                              const VkAllocationCallbacks *pAllocator)
{
    struct instance *known = instance_of(instance);
    const int cancel = ahead_pause(known);
    messages_report_left(known);
    known->next.DestroyDebugReportCallbackEXT(instance, callback, pAllocator);
    if (callback)
        release(pAllocator, take(known, (uint64_t)callback, true));
    ahead_resume(known, cancel);
}
