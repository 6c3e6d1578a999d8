/* SPDX-License-Identifier: MIT */
/*
 * The map from dispatch keys to instances, and the driver's queries that an instance may use, by the program's version
 * and extensions.
 */
#include "device/instance.h"

#include <stdatomic.h>

#include "device/device.h"
#include "dispatch_map/dispatch_map.h"
#include "platform/threads.h"

static struct dispatch_map instances = DISPATCH_MAP_INITIALIZER;

struct instance *instance_of(const void *dispatchable)
{
    return dispatch_map_find(&instances, dispatch_key(dispatchable));
}

/* In a fork: makes the lock anew, which another thread may have held. */
static void reset_messenger_lock(void *instance)
{
    pthread_mutex_init(&((struct instance *)instance)->messenger_lock, NULL);
}

static void forked(void)
{
    dispatch_map_forked(&instances);
    dispatch_map_forked(&device_map);
    dispatch_map_visit(&instances, reset_messenger_lock);
}

bool instance_publish(struct instance *instance)
{
    static atomic_flag known = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&known))
        thread_at_fork(forked);
    return dispatch_map_insert(&instances, dispatch_key(instance->handle), instance);
}

struct instance *instance_withdraw(VkInstance handle)
{
    return dispatch_map_remove(&instances, dispatch_key(handle));
}

uint32_t instance_version_with(const struct instance *instance, const VkPhysicalDeviceProperties *properties)
{
    const uint32_t asked = VK_MAKE_API_VERSION(0, VK_API_VERSION_MAJOR(instance->api_version),
                                               VK_API_VERSION_MINOR(instance->api_version), 0);
    const uint32_t offered = VK_MAKE_API_VERSION(0, VK_API_VERSION_MAJOR(properties->apiVersion),
                                                 VK_API_VERSION_MINOR(properties->apiVersion), 0);
    return asked < offered ? asked : offered;
}

/* Before 1.1 the extension's name is the only one that may be called, and the core one may be there all the same. */
static bool has_core_queries2(const struct instance *instance, VkPhysicalDevice physical)
{
    VkPhysicalDeviceProperties properties;
    instance->next.GetPhysicalDeviceProperties(physical, &properties);
    return instance_version_with(instance, &properties) >= VK_API_VERSION_1_1;
}

PFN_vkGetPhysicalDeviceFeatures2 instance_features2(const struct instance *instance, VkPhysicalDevice physical)
{
    if (has_core_queries2(instance, physical))
        return instance->next.GetPhysicalDeviceFeatures2;
    return instance->queries2 ? instance->next.GetPhysicalDeviceFeatures2KHR : NULL;
}

PFN_vkGetPhysicalDeviceProperties2 instance_properties2(const struct instance *instance, VkPhysicalDevice physical)
{
    if (has_core_queries2(instance, physical))
        return instance->next.GetPhysicalDeviceProperties2;
    return instance->queries2 ? instance->next.GetPhysicalDeviceProperties2KHR : NULL;
}

PFN_vkGetPhysicalDeviceMemoryProperties2 instance_memory2(const struct instance *instance, VkPhysicalDevice physical)
{
    if (has_core_queries2(instance, physical))
        return instance->next.GetPhysicalDeviceMemoryProperties2;
    return instance->queries2 ? instance->next.GetPhysicalDeviceMemoryProperties2KHR : NULL;
}
