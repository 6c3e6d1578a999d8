/* SPDX-License-Identifier: MIT */
/*
 * Hides extensions and features that leave no place for records, from programs that a setting makes the layer active
 * for:
 *
 * - descriptor buffers, on drivers that keep the images and samplers of combined image samplers in separate arrays
 * - descriptor buffers and heaps whose descriptors would be larger with a record index than Vulkan allows
 * - capture and replay of descriptors
 * - sets that the host writes by VK_VALVE_descriptor_set_host_mapping, and sets that are bound by stage
 *
 * Programs that enable such an extension get a message. So do programs that use image-view handles, whose descriptors
 * the layer cannot extend, and execution graphs, whose shaders it does not rewrite.
 */
#include <string.h>

#include "device/message.h"
#include "device/structure_chain.h"
#include "newer_vulkan.h"
#include "queries/hidden.h"
#include "queries/queries.h"
#include "settings/settings.h"

/* The beginning that the features' structures share; their booleans follow. */
struct features {
    VkStructureType type;
    void *next;
    VkBool32 flags[];
};

/* VkPhysicalDevicePerStageDescriptorSetFeaturesNV, which headers of 2023 lack; its first flag is perStageDescriptorSet.
 */
#define PER_STAGE_FEATURES ((VkStructureType)1000516000)

/*
 * Index in VkPhysicalDeviceDescriptorBufferFeaturesEXT and similar structures: descriptorBuffer is first, then its
 * capture and replay.
 */
enum { FLAG_CAPTURE_REPLAY = 1 };

enum { BUFFER_FLAGS = 4, HEAP_FLAGS = 2 };

static bool hides(const struct instance *instance, VkPhysicalDevice physical)
{
    return acts_unasked(instance, physical);
}

#define HEAPS "VK_EXT_descriptor_heap" /* older headers have no name for it */

static bool supports(const struct instance *instance, VkPhysicalDevice physical, const char *extension)
{
    if (!strcmp(extension, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME))
        return app_descriptors_supported(instance, physical);
    return strcmp(extension, HEAPS) || app_heaps_supported(instance, physical);
}

uint32_t opaque_hide_extensions(struct instance *instance, VkPhysicalDevice physical, VkExtensionProperties *list,
                                uint32_t count)
{
    static struct message_place said[3]; /* buffers, heaps, mapping */
    uint32_t kept = 0;
    if (!hides(instance, physical))
        return count;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = list[i].extensionName;
        const bool mapping = !strcmp(name, VK_VALVE_DESCRIPTOR_SET_HOST_MAPPING_EXTENSION_NAME);
        if (!mapping && supports(instance, physical, name)) {
            list[kept++] = list[i];
            continue;
        }
        message_once(&said[mapping ? 2 : !strcmp(name, HEAPS)], instance, LOG_INFO, VK_OBJECT_TYPE_UNKNOWN, 0,
                     "%s is hidden, because a setting acts on programs that know nothing of the layer, and %s", name,
                     hidden_reason(name));
    }
    return kept;
}

/*
 * Capture and replay would need the same bytes for the views and samplers that the layer makes, which it cannot
 * guarantee.
 */
void opaque_hide_features(const struct instance *instance, VkPhysicalDevice physical, void *chain)
{
    if (!hides(instance, physical))
        return;
    for (VkBaseOutStructure *node = chain; node; node = node->pNext) {
        VkBool32 *flags = ((struct features *)(void *)node)->flags;
        const bool heaps = node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT;
        const bool buffers = node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT;
        if (heaps || buffers)
            flags[FLAG_CAPTURE_REPLAY] = VK_FALSE;
        if (node->sType == PER_STAGE_FEATURES ||
            node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_SET_HOST_MAPPING_FEATURES_VALVE)
            flags[0] = VK_FALSE;
        if (buffers && flags[0] && !app_descriptors_supported(instance, physical))
            memset(flags, 0, BUFFER_FLAGS * sizeof(*flags));
        if (heaps && flags[0] && !app_heaps_supported(instance, physical))
            memset(flags, 0, HEAP_FLAGS * sizeof(*flags));
    }
}

static bool has_no_place(const struct device *device, const char *name)
{
    static const char *const names[] = {"VK_NVX_image_view_handle", "VK_AMDX_shader_enqueue",
                                        VK_VALVE_DESCRIPTOR_SET_HOST_MAPPING_EXTENSION_NAME};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (!strcmp(name, names[i]))
            return true;
    }
    return !supports(device->instance, device->physical, name);
}

void opaque_warn(struct device *device, const VkDeviceCreateInfo *program)
{
    const VkPhysicalDeviceDescriptorBufferFeaturesEXT *buffers =
        pnext_find(program->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT);
    const VkPhysicalDeviceDescriptorHeapFeaturesEXT *heaps =
        pnext_find(program->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT);
    if ((buffers && buffers->descriptorBufferCaptureReplay) || (heaps && heaps->descriptorHeapCaptureReplay))
        message_about(device, LOG_WARN, NULL,
                      "capture and replay of descriptors is enabled: descriptors of views and samplers that the layer "
                      "replaces differ when they are replayed");
    for (uint32_t i = 0; i < program->enabledExtensionCount; i++) {
        if (has_no_place(device, program->ppEnabledExtensionNames[i]))
            message_about(device, LOG_WARN, NULL,
                          "%s is enabled: its lookups have no place for a record, so what is sampled by them has the "
                          "driver's own semantics",
                          program->ppEnabledExtensionNames[i]);
    }
}
