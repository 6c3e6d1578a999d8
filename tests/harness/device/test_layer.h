/* SPDX-License-Identifier: MIT */
/* What layers of the tests have in common: the step to the next layer, look-up by name, negotiation with the loader. */
#ifndef CLAMPLER_HARNESS_TEST_LAYER_H
#define CLAMPLER_HARNESS_TEST_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

/*
 * The next layer's functions, and the loader's link steps on in it, so that *create is the next thing to be called with
 * this chain. False: no link is there, or no such function.
 */
static inline bool layer_next_instance(const VkInstanceCreateInfo *info, PFN_vkGetInstanceProcAddr *get,
                                       PFN_vkCreateInstance *create)
{
    VkLayerInstanceCreateInfo *link = (void *)(uintptr_t)info->pNext;
    while (link &&
           (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO))
        link = (void *)(uintptr_t)link->pNext;
    if (!link || !link->u.pLayerInfo)
        return false;
    *get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    *create = (PFN_vkCreateInstance)(*get)(VK_NULL_HANDLE, "vkCreateInstance");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    return *create != NULL;
}

/* The same for a device of that instance. */
static inline bool layer_next_device(const VkDeviceCreateInfo *info, VkInstance instance, PFN_vkGetDeviceProcAddr *get,
                                     PFN_vkCreateDevice *create)
{
    VkLayerDeviceCreateInfo *link = (void *)(uintptr_t)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO))
        link = (void *)(uintptr_t)link->pNext;
    if (!link || !link->u.pLayerInfo)
        return false;
    *get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    *create = (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(instance, "vkCreateDevice");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    return *create != NULL;
}

/* A function of a layer, and the name that programs ask for it by. */
struct layer_command {
    const char *name;
    PFN_vkVoidFunction function;
};

#define LAYER_COMMAND(NAME, FUNCTION)                                                                                  \
    {                                                                                                                  \
        NAME, (PFN_vkVoidFunction)(FUNCTION)                                                                           \
    }

/* NULL: the layer has none of that name. */
static inline PFN_vkVoidFunction layer_command_find(const struct layer_command *commands, size_t count,
                                                    const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(commands[i].name, name))
            return commands[i].function;
    return NULL;
}

/* Of an array, not of a pointer. */
#define LAYER_COMMAND_FIND(commands, name) layer_command_find(commands, sizeof(commands) / sizeof(*(commands)), name)

/* What vkNegotiateLoaderLayerInterfaceVersion does, which each layer exports under its own name. */
static inline VkResult layer_negotiate(VkNegotiateLayerInterface *negotiate, PFN_vkGetInstanceProcAddr get_instance,
                                       PFN_vkGetDeviceProcAddr get_device, PFN_GetPhysicalDeviceProcAddr get_physical)
{
    if (!negotiate || negotiate->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
        negotiate->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    negotiate->loaderLayerInterfaceVersion = 2;
    negotiate->pfnGetInstanceProcAddr = get_instance;
    negotiate->pfnGetDeviceProcAddr = get_device;
    negotiate->pfnGetPhysicalDeviceProcAddr = get_physical;
    return VK_SUCCESS;
}

#endif
