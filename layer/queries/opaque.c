/* SPDX-License-Identifier: MIT */
/*
 * Extensions whose lookups cannot have records: image-view handles put descriptors where the layer cannot put one, and
 * execution graphs are of shaders that it does not see. So do descriptor buffers on drivers that keep the halves of
 * combined image samplers in arrays of their own. Where a setting makes the layer act on programs that know nothing of
 * it, they are not listed, so that such programs take descriptor sets and pipelines of other kinds. A program that
 * enables the extension itself is told.
 */
#include <string.h>

#include "device/message.h"
#include "device/structure_chain.h"
#include "newer_vulkan.h"
#include "queries/queries.h"
#include "settings/settings.h"

static const char *const names[] = {"VK_NVX_image_view_handle", "VK_AMDX_shader_enqueue",
                                    VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME};

#define NAMES (sizeof(names) / sizeof(*names))

/* The beginning that the features' structures share; their booleans follow. */
struct features {
    VkStructureType type;
    void *next;
    VkBool32 flags[];
};

/* Of VkPhysicalDeviceDescriptorBufferFeaturesEXT and its like: descriptorBuffer, then its capture and replay. */
enum { FLAG_CAPTURE_REPLAY = 1 };

/* How many booleans a structure of these extensions has; 0 for all others. */
static size_t flags_of(VkStructureType type)
{
    switch ((uint32_t)type) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT:
        return 4;
    case 1000134000: /* VkPhysicalDeviceShaderEnqueueFeaturesAMDX */
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT:
        return 2;
    default:
        return 0;
    }
}

static bool hidden(const struct instance *instance)
{
    return settings_activate(&instance->settings) && !instance->settings.expose_opaque_descriptors;
}

static bool is_opaque(const struct instance *instance, VkPhysicalDevice physical, const char *name)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (!strcmp(name, names[i]))
            return strcmp(name, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME) || !placed_serves(instance, physical);
    }
    return false;
}

uint32_t opaque_hide_extensions(struct instance *instance, VkPhysicalDevice physical, VkExtensionProperties *list,
                                uint32_t count)
{
    static bool said;
    char hides[NAMES * (VK_MAX_EXTENSION_NAME_SIZE + 2)] = "";
    size_t used = 0;
    uint32_t kept = 0;
    if (!hidden(instance))
        return count;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_opaque(instance, physical, list[i].extensionName))
            list[kept++] = list[i];
        else if (used < sizeof(hides))
            used +=
                (size_t)snprintf(hides + used, sizeof(hides) - used, "%s%s", used ? ", " : "", list[i].extensionName);
    }
    if (used)
        message_once(&said, instance, LOG_INFO, VK_OBJECT_TYPE_UNKNOWN, 0,
                     "hidden, because a setting acts on programs that know nothing of the layer and their lookups "
                     "have no place for a record: %s (expose_opaque_descriptors shows them)",
                     hides);
    return kept;
}

/*
 * Capture and replay of descriptors would have to give the same bytes for the views and samplers that the layer puts in
 * the place of the program's.
 */
void opaque_hide_features(const struct instance *instance, VkPhysicalDevice physical, void *chain)
{
    if (!hidden(instance))
        return;
    for (VkBaseOutStructure *node = chain; node; node = node->pNext) {
        const size_t count = flags_of(node->sType);
        VkBool32 *flags = ((struct features *)(void *)node)->flags;
        const bool heaps = node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT;
        const bool buffers = node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT;
        if (heaps || (buffers && flags[0] && placed_serves(instance, physical)))
            flags[FLAG_CAPTURE_REPLAY] = VK_FALSE;
        else if (count)
            memset(flags, 0, count * sizeof(VkBool32));
    }
}

void opaque_warn(struct device *device, const VkDeviceCreateInfo *program)
{
    const VkPhysicalDeviceDescriptorBufferFeaturesEXT *buffers =
        pnext_find(program->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT);
    const VkPhysicalDeviceDescriptorHeapFeaturesEXT *heaps =
        pnext_find(program->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT);
    if ((buffers && buffers->descriptorBufferCaptureReplay) || (heaps && heaps->descriptorHeapCaptureReplay))
        message(device->instance, LOG_WARN, VK_OBJECT_TYPE_DEVICE, (uint64_t)(uintptr_t)device->handle,
                "capture and replay of descriptors is enabled: descriptors of what the layer puts in the place of the "
                "program's views and samplers differ when they are replayed");
    for (uint32_t i = 0; i < program->enabledExtensionCount; i++) {
        if (is_opaque(device->instance, device->physical, program->ppEnabledExtensionNames[i]))
            message(device->instance, LOG_WARN, VK_OBJECT_TYPE_DEVICE, (uint64_t)(uintptr_t)device->handle,
                    "%s is enabled: its lookups have no place for a record, so what is sampled by them has the "
                    "driver's own semantics",
                    program->ppEnabledExtensionNames[i]);
    }
}
