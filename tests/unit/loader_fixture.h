/* SPDX-License-Identifier: MIT */
/*
 * Instances and devices through the real loader, for tests of the chain: no layer but those a test names, every result
 * handed back instead of checked.
 */
#ifndef CLAMPLER_UNIT_LOADER_FIXTURE_H
#define CLAMPLER_UNIT_LOADER_FIXTURE_H

#include <stdint.h>

#include <vulkan/vulkan.h>

#include "vulkan_clampler.h"

#define CLAMPLER "VK_LAYER_CLAMPLER_gl_sampler"
#define VALIDATION "VK_LAYER_KHRONOS_validation"

struct fixture {
    VkInstance instance;
    VkPhysicalDevice physical; /* the first one */
    VkDebugUtilsMessengerEXT messenger;
};

struct fixture_messages {
    uint32_t count; /* warnings and errors, of the layer or of validation */
    char last[1024];
};

/* Those since the last fixture_clear_messages(), of the whole process. */
extern struct fixture_messages fixture_messages;
void fixture_clear_messages(void);

/*
 * Opens an instance of Vulkan `version` with the named layers (nearest the program first, NULL at the end) and a
 * messenger, which is also chained to the instance's creation. `next` is chained too.
 */
VkResult fixture_open(struct fixture *fixture, uint32_t version, const char *const *layers, const void *next);
void fixture_close(struct fixture *fixture);

/* A device with one queue. `extensions` ends with NULL. */
VkResult fixture_device(const struct fixture *fixture, const char *const *extensions, const void *next,
                        const VkAllocationCallbacks *allocator, VkDevice *device);

#endif
