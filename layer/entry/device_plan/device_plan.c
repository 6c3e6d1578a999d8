/* SPDX-License-Identifier: MIT */
/*
 * Makes the plan: checks the program's features, copies the chain as far as its structures are known, and calls the
 * want_*.c files for features that the layer enables for itself. Where the driver lacks one, the device works without
 * it.
 */
#include "device_plan/device_plan.h"

#include <stdlib.h>
#include <string.h>

#include "copy.h"
#include "deviations/deviations.h"
#include "device/instance.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "queries/offers.h"
#include "queries/queries.h"
#include "settings/settings.h"
#include "spirv/spirv.h"
#include "vulkan_clampler.h"

static bool enables(const VkDeviceCreateInfo *info, const char *name)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (!strcmp(info->ppEnabledExtensionNames[i], name))
            return true;
    }
    return false;
}

bool device_plan_enables(const struct device_plan *plan, const char *name)
{
    return enables(&plan->info, name);
}

bool device_plan_available(const struct device_plan *plan, enum wanted_extension extension)
{
    return extension_listed(plan->available, plan->available_count, wanted_extensions[extension]);
}

/* copy_names() has left room for every one of them. */
void device_plan_add(struct device_plan *plan, enum wanted_extension extension)
{
    const char *name = wanted_extensions[extension];
    if (enables(&plan->info, name))
        return;
    plan->names[plan->info.enabledExtensionCount++] = name;
    plan->caps.added_extensions |= 1u << extension;
}

/* ---- The program's extension and features ---- */

static VkBool32 *first_feature(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *features)
{
    return &features->glSampler;
}

#define FEATURE_COUNT 5
_Static_assert(offsetof(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER, linearFilterEmulation) -
                       offsetof(VkPhysicalDeviceGLSamplerFeaturesCLAMPLER, glSampler) ==
                   (FEATURE_COUNT - 1) * sizeof(VkBool32),
               "five features in a row");

static VkResult check_features(struct device_plan *plan, const struct device *device,
                               const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *wanted)
{
    static const char *const names[FEATURE_COUNT] = {"glSampler", "glImageView", "glBufferView",
                                                     "alphaToOneAttachments", "linearFilterEmulation"};
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER asked = *wanted, offered = {.glSampler = VK_FALSE};
    const uint64_t object = (uint64_t)(uintptr_t)device->physical;

    features_offered(device->instance, device->physical, &offered);
    for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
        if (!first_feature(&asked)[i])
            continue;
        if (!plan->extension) {
            message(device->instance, LOG_ERROR, VK_OBJECT_TYPE_PHYSICAL_DEVICE, object,
                    "vkCreateDevice: VkPhysicalDeviceGLSamplerFeaturesCLAMPLER::%s is VK_TRUE, but "
                    "ppEnabledExtensionNames does not name " VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME,
                    names[i]);
            return VK_ERROR_VALIDATION_FAILED_EXT;
        }
        if (!first_feature(&offered)[i]) {
            message(device->instance, LOG_ERROR, VK_OBJECT_TYPE_PHYSICAL_DEVICE, object,
                    "vkCreateDevice: VkPhysicalDeviceGLSamplerFeaturesCLAMPLER::%s is VK_TRUE, but this layer does not "
                    "offer it (vkGetPhysicalDeviceFeatures2)",
                    names[i]);
            return VK_ERROR_FEATURE_NOT_PRESENT;
        }
    }
    if (plan->extension)
        plan->caps.enabled = asked;
    plan->caps.enabled.pNext = NULL;
    return VK_SUCCESS;
}

/* ---- The copies ---- */

/* Room for a node, so that the next one is aligned for any structure. */
static size_t room(size_t size)
{
    const size_t align = _Alignof(max_align_t);
    return (size + align - 1) / align * align;
}

/* Copies the known beginning of the chain, without the extension's own structure. */
static VkResult copy_chain(struct device_plan *plan)
{
    const VkBaseInStructure *node, *end;
    size_t size = 0, used = 0;
    for (end = plan->info.pNext; end && pnext_size(end->sType); end = end->pNext)
        size += room(pnext_size(end->sType));
    if (!size)
        return VK_SUCCESS;
    plan->chain = malloc(size);
    if (!plan->chain)
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    VkBaseOutStructure head = {.pNext = NULL}, *last = &head;
    for (node = plan->info.pNext; node != end; node = node->pNext) {
        if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER)
            continue;
        last->pNext = memcpy((char *)plan->chain + used, node, pnext_size(node->sType));
        last = last->pNext;
        used += room(pnext_size(node->sType));
    }
    last->pNext = (VkBaseOutStructure *)(uintptr_t)end;
    plan->info.pNext = head.pNext;
    return VK_SUCCESS;
}

static VkResult copy_names(struct device_plan *plan, const VkDeviceCreateInfo *program)
{
    uint32_t count = 0;
    plan->names = calloc((size_t)program->enabledExtensionCount + WANTED_EXTENSIONS, sizeof(*plan->names));
    if (!plan->names)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < program->enabledExtensionCount; i++) {
        const char *name = program->ppEnabledExtensionNames[i];
        if (strcmp(name, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME))
            plan->names[count++] = name;
    }
    plan->info.ppEnabledExtensionNames = plan->names;
    plan->info.enabledExtensionCount = count;
    for (uint32_t i = 0; i < WANTED_OTHERS; i++)
        plan->caps.other_extensions |= enables(program, wanted_others[i]) ? 1u << i : 0;
    return VK_SUCCESS;
}

/* A structure of the chain in the copied part, which may be changed; NULL if it is not there. */
void *device_plan_copied(const struct device_plan *plan, VkStructureType type)
{
    const VkBaseInStructure *node = plan->info.pNext;
    while (node && node->sType != type && pnext_size(node->sType))
        node = node->pNext;
    return node && node->sType == type ? (void *)(uintptr_t)node : NULL;
}

const void *device_plan_chained(const struct device_plan *plan, VkStructureType type)
{
    return pnext_find(plan->info.pNext, type);
}

void device_plan_prepend(struct device_plan *plan, void *structure)
{
    ((VkBaseInStructure *)structure)->pNext = plan->info.pNext;
    plan->info.pNext = structure;
}

/* ---- Features of the program's that the layer uses ---- */

/* VkPhysicalDeviceMaintenance9FeaturesKHR, which older headers lack. */
#define MAINTENANCE_9_FEATURES ((VkStructureType)1000584000)
struct maintenance_9 {
    VkBaseInStructure base;
    VkBool32 maintenance9;
};

static void read_program_features(struct device_plan *plan, const struct device *device, uint32_t version)
{
    const void *chain = plan->info.pNext;
    const VkPhysicalDeviceFeatures2 *all = pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    const VkPhysicalDeviceFeatures *core = all ? &all->features : plan->info.pEnabledFeatures;
    const VkPhysicalDeviceVulkan12Features *core12 =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    const VkPhysicalDeviceImagelessFramebufferFeatures *imageless =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES);
    const VkPhysicalDeviceShaderObjectFeaturesEXT *objects =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT);
    const VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT *identifiers =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT);
    const VkPhysicalDeviceDescriptorBufferFeaturesEXT *buffers =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT);
    const VkPhysicalDeviceBlendOperationAdvancedFeaturesEXT *blend =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_FEATURES_EXT);

    plan->caps.imageless_framebuffers =
        (core12 && core12->imagelessFramebuffer) || (imageless && imageless->imagelessFramebuffer);
    const VkPhysicalDeviceVulkan13Features *core13 =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    const VkPhysicalDeviceDynamicRenderingFeatures *rendering =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES);
    const struct maintenance_9 *slices = pnext_find(chain, MAINTENANCE_9_FEATURES);
    plan->caps.dynamic_rendering = (core13 && core13->dynamicRendering) || (rendering && rendering->dynamicRendering);
    plan->caps.shared_presentable = enables(&plan->info, VK_KHR_SHARED_PRESENTABLE_IMAGE_EXTENSION_NAME);
    plan->caps.slice_barriers = slices && slices->maintenance9;
    plan->caps.shader_objects = objects && objects->shaderObject;
    plan->caps.module_identifiers = identifiers && identifiers->shaderModuleIdentifier;
    const VkPhysicalDeviceDescriptorHeapFeaturesEXT *heaps =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT);
    plan->descriptor_heaps = heaps && heaps->descriptorHeap && app_heaps_supported(device->instance, device->physical);
    plan->descriptor_buffers =
        buffers && buffers->descriptorBuffer && app_descriptors_supported(device->instance, device->physical);
    const VkPhysicalDeviceMemoryPriorityFeaturesEXT *priority =
        pnext_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PRIORITY_FEATURES_EXT);
    plan->caps.memory_priority = priority && priority->memoryPriority;
    plan->caps.memory_budget = enables(&plan->info, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    plan->caps.coherent_advanced_blend = blend && blend->advancedBlendCoherentOperations;
    plan->caps.resolve.anisotropy = core && core->samplerAnisotropy;
    plan->caps.resolve.minmax_blends = device->deviations & DEVIATION_MIXED_REDUCTIONS;
    plan->caps.resolve.least_lods = core && core->shaderResourceMinLod;
    plan->caps.resolve.anisotropy_ignores_gradients = device->deviations & DEVIATION_ANISOTROPIC_GRADIENTS;
    plan->caps.resolve.max_lod_bias = device->properties.limits.maxSamplerLodBias;
    plan->caps.resolve.max_anisotropy = device->properties.limits.maxSamplerAnisotropy;
    plan->push_descriptors =
        version >= VK_API_VERSION_1_4 || enables(&plan->info, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
}

static void hide_assumed_missing(struct device_plan *plan, const struct settings *settings)
{
    if (settings->assume_missing & MISSING_MIRROR_CLAMP_TO_EDGE)
        plan->caps.resolve.mirror_clamp_to_edge = false;
    if (settings->assume_missing & MISSING_CUSTOM_BORDER_COLOR)
        plan->caps.resolve.custom_border_color = plan->caps.resolve.custom_border_color_without_format = false;
    if (settings->assume_missing & MISSING_BORDER_COLOR_SWIZZLE)
        plan->caps.resolve.border_swizzle = plan->caps.resolve.border_swizzle_from_image = false;
    if (settings->assume_missing & MISSING_NON_SEAMLESS_CUBE)
        plan->caps.resolve.non_seamless_cube = false;
    if ((settings->assume_missing & MISSING_LOD_BIAS) && plan->caps.resolve.max_lod_bias > REQUIRED_LOD_BIAS) {
        plan->caps.resolve.max_lod_bias = REQUIRED_LOD_BIAS;
        plan->caps.resolve.max_lod_bias_assumed = true;
    }
}

VkResult device_plan_make(struct device_plan *plan, const struct device *device, const VkDeviceCreateInfo *program)
{
    const uint32_t version = instance_version_with(device->instance, &device->properties);
    const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *wanted =
        pnext_find(program->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER);

    memset(plan, 0, sizeof(*plan));
    plan->info = *program;
    plan->caps.enabled.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER;
    plan->extension = enables(program, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME);
    const struct settings *settings = &device->instance->settings;
    plan->offers = offers_of(device->instance, device->physical);
    if (plan->offers.result != VK_SUCCESS) /* what the program enables may be offered, which the driver refuses */
        return plan->offers.result;
    plan->active = plan->extension || settings_activate(settings) || plan->offers.offered;
    VkResult result = wanted ? check_features(plan, device, wanted) : VK_SUCCESS;
    plan->caps.rgbx_attachments = plan->caps.enabled.alphaToOneAttachments || settings->alpha_to_one[0];
    if (result != VK_SUCCESS || (!plan->active && !wanted))
        return result;

    result = copy_chain(plan);
    if (result == VK_SUCCESS)
        result = copy_names(plan, program);
    if (result == VK_SUCCESS && plan->active)
        result = device_extensions(device->instance, device->physical, &plan->available_count, &plan->available);
    if (result != VK_SUCCESS || !plan->active)
        return result;

    want_offers(plan, program);
    read_program_features(plan, device, version);
    want_feature(plan, device, FEATURE_PRIVATE_DATA);
    want_sampler(plan, device, version);
    if (plan->caps.rgbx_attachments)
        want_blend(plan, device);
    want_texel_buffer(plan, device);
    want_vote(plan, device);
    if (linear_fallback_of(device, &plan->caps.enabled) == FALLBACK_SHADER || plan->asked & OFFER_FILTER_CUBIC)
        want_address(plan, device);
    plan->descriptor_buffers = plan->descriptor_buffers && want_address(plan, device);
    plan->descriptor_heaps = plan->descriptor_heaps && want_address(plan, device);
    hide_assumed_missing(plan, &device->instance->settings);
    keep_offers(plan);
    return VK_SUCCESS;
}

void device_plan_free(struct device_plan *plan)
{
    free(plan->names);
    free(plan->chain);
    free(plan->available);
}
