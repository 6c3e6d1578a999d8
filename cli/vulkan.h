/* SPDX-License-Identifier: MIT */
/*
 * Vulkan as a program of this environment gets it: the loader opened at run time, so that a machine without one can be
 * told about, and what the layer says of each device. What loader, layers and drivers write meanwhile is kept from
 * standard output and standard error.
 */
#ifndef CLAMPLER_CLI_VULKAN_H
#define CLAMPLER_CLI_VULKAN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "vulkan_clampler.h"

struct vulkan {
    void *library;
    PFN_vkGetInstanceProcAddr get;
    VkInstance instance;
    char said[65536]; /* what the loader and the layers wrote while the instance was made */
};

/* What is known of one device under the layer. */
struct device_facts {
    VkPhysicalDevice handle;
    VkPhysicalDeviceProperties properties;
    bool extension; /* VK_CLAMPLER_gl_sampler is listed: the layer is there */
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER semantics;
};

/* One semantic of the extension, in the order of its bits. */
struct semantic {
    VkFlags64 bit;
    const char *name;
    const char *what;
};

extern const struct semantic semantics[]; /* ends with a name of NULL */

/* "native", "emulated" or "unavailable". */
const char *semantic_state(const struct device_facts *facts, VkFlags64 bit);

/* Opens the loader; `path` NULL means libvulkan.so.1. False with the reason in `why`. */
bool vulkan_open(struct vulkan *vk, const char *path, char *why, size_t size);

/* The loader's own version, as VK_MAKE_API_VERSION has it. */
uint32_t vulkan_version(const struct vulkan *vk);

/* Whether the loader lists a layer of this name; *properties, unless NULL, are what it says of it. */
bool vulkan_find_layer(const struct vulkan *vk, const char *layer, VkLayerProperties *properties);

/* Creates an instance, with `layer` named by the program or, if NULL, with what the environment asks for alone. */
VkResult vulkan_start(struct vulkan *vk, const char *layer);

/*
 * Whether a program gets an instance that enables every extension that the loader lists, as some do. If not, `refused`
 * receives the first one that is refused by itself, or "" if there is none. Does not touch vk->instance.
 */
bool vulkan_takes_every_extension(const struct vulkan *vk, char refused[VK_MAX_EXTENSION_NAME_SIZE]);

/* Destroys the instance; the loader stays open. */
void vulkan_stop(struct vulkan *vk);

void vulkan_close(struct vulkan *vk);

/* Devices of the instance, at most `most`; the rest is left out. */
unsigned vulkan_devices(const struct vulkan *vk, struct device_facts *devices, unsigned most);

/* Extensions of a device, to free(); NULL if there is no list. */
VkExtensionProperties *vulkan_extensions(const struct vulkan *vk, VkPhysicalDevice device, uint32_t *count);

/* What Vulkan says of a format on one device, and what the extension adds: *gl. */
VkFormatProperties vulkan_format_properties(const struct vulkan *vk, const struct device_facts *facts, VkFormat format,
                                            VkGLSamplerFormatPropertiesCLAMPLER *gl);

/* Whether a library whose path ends so is in this process, and its path. */
bool vulkan_loaded(const char *library, char path[PATH_MAX]);

/* VkResult's name. */
const char *vulkan_result(VkResult result);

#endif
