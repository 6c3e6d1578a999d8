/* SPDX-License-Identifier: MIT */
/*
 * The chain of a layer of the tests that knows one instance and one device at a time: state and functions of the one
 * source that includes this. It defines find(), wraps layer_create_instance and layer_create_device, and ends with
 * LAYER_EXPORTS.
 */
#ifndef CLAMPLER_HARNESS_ONE_DEVICE_LAYER_H
#define CLAMPLER_HARNESS_ONE_DEVICE_LAYER_H

#include "harness/device/test_layer.h"

#define LAYER_EXPORT __attribute__((visibility("default")))

static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;
static VkInstance the_instance;

/* The next layer's functions, each in a variable of its own: declared, and found once what they belong to is created.
 */
#define NEXT(NAME) next_##NAME
#define NEXT_DECLARE(NAME) static PFN_vk##NAME NEXT(NAME);
#define NEXT_OF_INSTANCE(NAME) NEXT(NAME) = (PFN_vk##NAME)next_instance_proc(the_instance, "vk" #NAME);
#define NEXT_OF_DEVICE(NAME) NEXT(NAME) = (PFN_vk##NAME)next_device_proc(*device, "vk" #NAME);

/* The layer's own function of that name, or NULL. */
static PFN_vkVoidFunction find(const char *name);

static inline VKAPI_ATTR VkResult VKAPI_CALL layer_create_instance(const VkInstanceCreateInfo *info,
                                                                   const VkAllocationCallbacks *allocator,
                                                                   VkInstance *instance)
{
    PFN_vkCreateInstance create;
    if (!layer_next_instance(info, &next_instance_proc, &create))
        return VK_ERROR_INITIALIZATION_FAILED;
    const VkResult result = create(info, allocator, instance);
    if (result == VK_SUCCESS)
        the_instance = *instance;
    return result;
}

/* `changed` is what goes down: a copy of `info`. */
static inline VkResult layer_create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                           const VkDeviceCreateInfo *changed, const VkAllocationCallbacks *allocator,
                                           VkDevice *device)
{
    PFN_vkCreateDevice create;
    if (!layer_next_device(info, the_instance, &next_device_proc, &create))
        return VK_ERROR_INITIALIZATION_FAILED;
    return create(physical, changed, allocator, device);
}

/* The own one where the next layer has that function as well. */
static inline VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL layer_GetDeviceProcAddr(VkDevice device, const char *name)
{
    PFN_vkVoidFunction next = next_device_proc(device, name), own = find(name);
    return next && own ? own : next;
}

static inline VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL layer_GetInstanceProcAddr(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction own = find(name);
    return own || !instance || !next_instance_proc ? own : next_instance_proc(instance, name);
}

/* In the layer's table of commands. */
#define LAYER_LOOK_UP(GET_DEVICE)                                                                                      \
    LAYER_COMMAND("vkGetInstanceProcAddr", layer_GetInstanceProcAddr), LAYER_COMMAND("vkGetDeviceProcAddr", GET_DEVICE)

#define LAYER_EXPORTS(GET_DEVICE)                                                                                      \
    LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(                                \
        VkNegotiateLayerInterface *negotiate)                                                                          \
    {                                                                                                                  \
        return layer_negotiate(negotiate, layer_GetInstanceProcAddr, GET_DEVICE, NULL);                                \
    }

#endif
