/* SPDX-License-Identifier: MIT */
#include "one_device.h"

struct dispatch_map device_map; /* empty: nobody is found at once */

struct device *device_of(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

struct format_features device_format_features(const struct device *known, VkFormat format)
{
    (void)known, (void)format;
    return (struct format_features){0};
}

PFN_vkGetPhysicalDeviceProperties2 instance_properties2(const struct instance *known, VkPhysicalDevice physical)
{
    (void)known, (void)physical;
    return NULL;
}

PFN_vkGetPhysicalDeviceMemoryProperties2 instance_memory2(const struct instance *known, VkPhysicalDevice physical)
{
    (void)known, (void)physical;
    return NULL;
}

void message_about(const struct device *about, enum log_level level, const struct message_object *objects,
                   const char *format, ...)
{
    (void)about, (void)level, (void)objects, (void)format;
}

void object_names_forget(struct object_names *names, VkObjectType type, uint64_t handle)
{
    (void)names, (void)type, (void)handle;
}
