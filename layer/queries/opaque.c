/* SPDX-License-Identifier: MIT */
/*
 * Extensions whose lookups cannot have records: descriptor buffers, descriptor heaps and image-view handles put
 * descriptors where the layer cannot put one, and execution graphs are of shaders that it does not see. Where a setting
 * makes the layer act on programs that know nothing of it, they are not listed, so that such programs take descriptor
 * sets and pipelines of other kinds. A program that enables the extension itself is told.
 */
#include <string.h>

#include "device/message.h"
#include "queries/queries.h"
#include "settings/settings.h"

static const char *const names[] = {"VK_EXT_descriptor_buffer", "VK_EXT_descriptor_heap", "VK_NVX_image_view_handle",
                                    "VK_AMDX_shader_enqueue"};

#define NAMES (sizeof(names) / sizeof(*names))

/* The beginning that the features' structures share; their booleans follow. */
struct features {
    VkStructureType type;
    void *next;
    VkBool32 flags[];
};

/* How many booleans a structure of these extensions has; 0 for all others. */
static size_t flags_of(VkStructureType type)
{
    switch ((uint32_t)type) {
    case 1000316002: /* VkPhysicalDeviceDescriptorBufferFeaturesEXT */
        return 4;
    case 1000134000: /* VkPhysicalDeviceShaderEnqueueFeaturesAMDX */
    case 1000135009: /* VkPhysicalDeviceDescriptorHeapFeaturesEXT */
        return 2;
    default:
        return 0;
    }
}

static bool hidden(const struct instance *instance)
{
    return settings_activate(&instance->settings) && !instance->settings.expose_opaque_descriptors;
}

static bool is_opaque(const char *name)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (!strcmp(name, names[i]))
            return true;
    }
    return false;
}

uint32_t opaque_hide_extensions(struct instance *instance, VkExtensionProperties *list, uint32_t count)
{
    static bool said;
    char hides[NAMES * (VK_MAX_EXTENSION_NAME_SIZE + 2)] = "";
    size_t used = 0;
    uint32_t kept = 0;
    if (!hidden(instance))
        return count;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_opaque(list[i].extensionName))
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

void opaque_hide_features(const struct instance *instance, void *chain)
{
    if (!hidden(instance))
        return;
    for (VkBaseOutStructure *node = chain; node; node = node->pNext) {
        const size_t count = flags_of(node->sType);
        if (count)
            memset(((struct features *)(void *)node)->flags, 0, count * sizeof(VkBool32));
    }
}

void opaque_warn(struct device *device, const VkDeviceCreateInfo *program)
{
    for (uint32_t i = 0; i < program->enabledExtensionCount; i++) {
        if (is_opaque(program->ppEnabledExtensionNames[i]))
            message(device->instance, LOG_WARN, VK_OBJECT_TYPE_DEVICE, (uint64_t)(uintptr_t)device->handle,
                    "%s is enabled: its lookups have no place for a record, so what is sampled by them has the "
                    "driver's own semantics",
                    program->ppEnabledExtensionNames[i]);
    }
}
