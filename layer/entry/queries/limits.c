/* SPDX-License-Identifier: MIT */
/*
 * Limits that the program sees: the driver's, less the layer's own use, but never less than Vulkan requires. Each bound
 * set may have a record buffer, which every stage reads. So maxBoundDescriptorSets is subtracted from each limit on
 * uniform or storage buffers, by the class of record buffers, and one descriptor from the size of a set. A set may also
 * have no more descriptors than there can be records. Samplers are not subtracted: the program's own are replaced where
 * the layer's leave the driver no room (sampling/surplus.h).
 *
 * Programs for which the layer is inert see the driver's. Settings make it active for all programs. Programs that
 * enable the extension chain VkPhysicalDeviceGLSamplerPropertiesCLAMPLER to the same query.
 */
#include <string.h>

#include "blend/blend.h"
#include "device/instance.h"
#include "queries/queries.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "hash.h"
#include "settings/settings.h"
#include "vulkan_clampler.h"

/* The limits that Vulkan requires, and those that Vulkan 1.4 requires (specification, "Required Limits"). */
static const struct {
    struct required {
        uint32_t always, newer;
    } maxPerStageDescriptorUniformBuffers, maxPerStageDescriptorStorageBuffers, maxPerStageDescriptorSamplers,
        maxPerStageResources, maxDescriptorSetUniformBuffers, maxDescriptorSetStorageBuffers, maxDescriptorSetSamplers,
        maxPerSetDescriptors, after_bind; /* required of descriptor indexing */
} vulkan_requires = {
    .maxPerStageDescriptorUniformBuffers = {REQUIRED_UNIFORM_BUFFERS, 15},
    .maxPerStageDescriptorStorageBuffers = {REQUIRED_STORAGE_BUFFERS, REQUIRED_STORAGE_BUFFERS},
    .maxPerStageDescriptorSamplers = {16, 16},
    .maxPerStageResources = {128, 200},
    .maxDescriptorSetUniformBuffers = {72, 90},
    .maxDescriptorSetStorageBuffers = {24, 96},
    .maxDescriptorSetSamplers = {96, 96},
    .maxPerSetDescriptors = {1024, 1024},
    .after_bind = {500000, 500000},
};

bool limits_put_records_in_storage(const VkPhysicalDeviceLimits *limits)
{
    const uint32_t sets = limits->maxBoundDescriptorSets;
    const uint32_t uniform = limits->maxPerStageDescriptorUniformBuffers;
    const uint32_t storage = limits->maxPerStageDescriptorStorageBuffers;
    if (uniform >= (uint64_t)sets + REQUIRED_UNIFORM_BUFFERS)
        return false;
    if (storage >= (uint64_t)sets + REQUIRED_STORAGE_BUFFERS)
        return true;
    /* Both would fall below Vulkan's required limits: take the class that has more left. */
    return storage > uniform;
}

bool limits_have_room_for_sampler(const VkPhysicalDeviceLimits *limits)
{
    const uint64_t sets = limits->maxBoundDescriptorSets;
    return limits->maxPerStageDescriptorSamplers >= sets + vulkan_requires.maxPerStageDescriptorSamplers.always &&
           limits->maxDescriptorSetSamplers >= sets + vulkan_requires.maxDescriptorSetSamplers.always;
}

/* The layer's own use of limits. */
struct taken {
    uint32_t sets;        /* each with a record buffer ... */
    bool uniform;         /* in uniform buffers, but for large sets; else in storage buffers */
    bool samplers;        /* ... and a sampler */
    uint32_t descriptors; /* whose records a shader can reach: the most of a set */
    bool newer;           /* Vulkan 1.4, which requires more */
};

/* Lowers a limit, but not below the required one, where the driver has that much. */
static void lower_to(uint32_t *limit, uint32_t by, const struct required *required, const struct taken *taken)
{
    const uint32_t most = taken->newer ? required->newer : required->always;
    const uint32_t left = *limit - (*limit < by ? *limit : by);
    const uint32_t least = *limit < most ? *limit : most;
    *limit = left > least ? left : least;
}
#define LOWER(limits, LIMIT, by, taken) lower_to(&(limits)->LIMIT, by, &vulkan_requires.LIMIT, taken)

/* A set that outgrows a uniform buffer has a storage buffer (layouts/layout_plan.c). */
static void lower_core(VkPhysicalDeviceLimits *limits, const struct taken *taken)
{
    const uint32_t sets = taken->sets;
    if (taken->samplers) {
        LOWER(limits, maxPerStageDescriptorSamplers, sets, taken);
        LOWER(limits, maxDescriptorSetSamplers, sets, taken);
    }
    if (taken->uniform) {
        LOWER(limits, maxPerStageDescriptorUniformBuffers, sets, taken);
        LOWER(limits, maxDescriptorSetUniformBuffers, sets, taken);
    }
    LOWER(limits, maxPerStageDescriptorStorageBuffers, sets, taken);
    LOWER(limits, maxDescriptorSetStorageBuffers, sets, taken);
    LOWER(limits, maxPerStageResources, sets, taken);
}

/*
 * VkPhysicalDeviceVulkan12Properties and VkPhysicalDeviceDescriptorIndexingProperties name the same limits. None is
 * less than the same limit without update-after-bind. Pools: a set with descriptors of the layer's has at least one of
 * the program's, and the layer's are a buffer of each class, of which it uses one, and a sampler (descriptors/pool.c).
 */
#define LOWER_AFTER_BIND(node, LIMIT, by, taken) lower_to(&(node)->LIMIT, by, &vulkan_requires.after_bind, taken)
#define LOWER_UPDATE_AFTER_BIND(node, taken)                                                                           \
    do {                                                                                                               \
        const uint32_t sets = (taken)->sets;                                                                           \
        if ((taken)->uniform) {                                                                                        \
            lower_to(&(node)->maxPerStageDescriptorUpdateAfterBindUniformBuffers, sets,                                \
                     &vulkan_requires.maxPerStageDescriptorUniformBuffers, taken);                                     \
            lower_to(&(node)->maxDescriptorSetUpdateAfterBindUniformBuffers, sets,                                     \
                     &vulkan_requires.maxDescriptorSetUniformBuffers, taken);                                          \
        }                                                                                                              \
        LOWER_AFTER_BIND(node, maxPerStageDescriptorUpdateAfterBindStorageBuffers, sets, taken);                       \
        LOWER_AFTER_BIND(node, maxDescriptorSetUpdateAfterBindStorageBuffers, sets, taken);                            \
        if ((taken)->samplers) {                                                                                       \
            LOWER_AFTER_BIND(node, maxPerStageDescriptorUpdateAfterBindSamplers, sets, taken);                         \
            LOWER_AFTER_BIND(node, maxDescriptorSetUpdateAfterBindSamplers, sets, taken);                              \
        }                                                                                                              \
        LOWER_AFTER_BIND(node, maxPerStageUpdateAfterBindResources, sets, taken);                                      \
        LOWER_AFTER_BIND(node, maxUpdateAfterBindDescriptorsInAllPools,                                                \
                         (node)->maxUpdateAfterBindDescriptorsInAllPools / 4 * 3, taken);                              \
    } while (0)

static void lower_set(uint32_t *limit, const struct taken *taken)
{
    lower_to(limit, taken->samplers ? 2 : 1, &vulkan_requires.maxPerSetDescriptors, taken);
    if (*limit > taken->descriptors)
        *limit = taken->descriptors;
}

static void lower_chain(VkBaseOutStructure *chain, const struct taken *taken)
{
    for (VkBaseOutStructure *node = chain; node; node = node->pNext) {
        switch ((uint32_t)node->sType) {
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES:
            lower_set(&((VkPhysicalDeviceVulkan11Properties *)node)->maxPerSetDescriptors, taken);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES:
            lower_set(&((VkPhysicalDeviceMaintenance3Properties *)node)->maxPerSetDescriptors, taken);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES:
            LOWER_UPDATE_AFTER_BIND((VkPhysicalDeviceVulkan12Properties *)node, taken);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES:
            LOWER_UPDATE_AFTER_BIND((VkPhysicalDeviceDescriptorIndexingProperties *)node, taken);
            break;
        default:
            break;
        }
    }
}

static struct taken taken_of(const struct instance *instance, const VkPhysicalDeviceProperties *properties)
{
    const bool forced = instance->settings.assume_missing & MISSING_UNIFORM_RECORDS;
    return (struct taken){
        .sets = properties->limits.maxBoundDescriptorSets,
        .uniform = !forced && !limits_put_records_in_storage(&properties->limits),
        .samplers = limits_have_room_for_sampler(&properties->limits),
        .descriptors = reachable_records(&properties->limits),
        .newer = properties->apiVersion >= VK_MAKE_API_VERSION(0, 1, 4, 0),
    };
}

void limits_lower(const struct instance *instance, VkPhysicalDevice physical, bool asked,
                  VkPhysicalDeviceProperties *properties, VkBaseOutStructure *chain)
{
    const struct taken taken = taken_of(instance, properties);
    if (!asked && !acts_unasked(instance, physical))
        return;
    lower_core(&properties->limits, &taken);
    if (asked)
        offers_show_samplers(&properties->limits);
    if (properties->limits.maxColorAttachments > BLEND_ATTACHMENTS)
        properties->limits.maxColorAttachments = BLEND_ATTACHMENTS;
    lower_chain(chain, &taken);
}

/*
 * Checks limits on buffers and resources alone: samplers of the layer's are in sets only where limits leave room for
 * them.
 */
bool limits_are_tight(const struct instance *instance, const VkPhysicalDeviceProperties *properties,
                      const VkPhysicalDeviceDescriptorIndexingProperties *indexing)
{
    const struct taken taken = taken_of(instance, properties);
    const VkPhysicalDeviceLimits *driver = &properties->limits;
    VkPhysicalDeviceLimits shown = *driver;
    VkPhysicalDeviceDescriptorIndexingProperties shown_indexing = *indexing;
    bool tight = false;
    lower_core(&shown, &taken);
    LOWER_UPDATE_AFTER_BIND(&shown_indexing, &taken);
#define NO_ROOM(LIMIT) (shown.LIMIT + (uint64_t)taken.sets > driver->LIMIT)
    tight |= taken.uniform && (NO_ROOM(maxPerStageDescriptorUniformBuffers) || NO_ROOM(maxDescriptorSetUniformBuffers));
    tight |= NO_ROOM(maxPerStageDescriptorStorageBuffers) || NO_ROOM(maxDescriptorSetStorageBuffers);
    tight |= NO_ROOM(maxPerStageResources);
#undef NO_ROOM
    if (!indexing->maxPerStageUpdateAfterBindResources)
        return tight;
#define NO_ROOM(LIMIT) (shown_indexing.LIMIT + (uint64_t)taken.sets > indexing->LIMIT)
    tight |= taken.uniform && (NO_ROOM(maxPerStageDescriptorUpdateAfterBindUniformBuffers) ||
                               NO_ROOM(maxDescriptorSetUpdateAfterBindUniformBuffers));
    tight |= NO_ROOM(maxPerStageDescriptorUpdateAfterBindStorageBuffers) ||
             NO_ROOM(maxDescriptorSetUpdateAfterBindStorageBuffers);
    return tight || NO_ROOM(maxPerStageUpdateAfterBindResources);
#undef NO_ROOM
}

/*
 * Binaries of shader objects have SPIR-V beside the driver's code where the layer is active
 * (shader_objects/shader_binary.c). Programs store binaries by shaderBinaryUUID. So it differs from the driver's, and
 * between versions of the layer and settings that lay sets out differently. Features that the program enables, which
 * change the code too, are in the binaries (modules/code_key.h). Equal for equal devices, drivers and settings.
 */
static void name_shader_binaries(const struct instance *instance, VkPhysicalDeviceProperties2 *properties)
{
    static const char version[] = "clampler " CLAMPLER_VERSION;
    VkPhysicalDeviceShaderObjectPropertiesEXT *objects = (void *)(uintptr_t)pnext_find(
        properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT);
    const uint64_t settings = settings_of_code(&instance->settings);
    uint32_t words[sizeof(version) / sizeof(uint32_t) + 3] = {(uint32_t)settings, (uint32_t)(settings >> 32)};
    memcpy(words + 2, version, sizeof(version));
    uint64_t hash = 0;
    for (uint32_t i = 0; objects && i < VK_UUID_SIZE; i++) {
        hash = hash_words(hash, words, sizeof(words) / sizeof(words[0]));
        objects->shaderBinaryUUID[i] ^= (uint8_t)(hash >> 56);
    }
}

static void query_properties2(PFN_vkGetPhysicalDeviceProperties2 query, VkPhysicalDevice physical,
                              VkPhysicalDeviceProperties2 *properties)
{
    const struct instance *instance = instance_of(physical);
    const struct offers offers = offers_of(instance, physical);
    struct offers_cut unknown;
    const struct chain_cut cut =
        chain_cut(properties, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER);
    offers_cut(&offers, properties, &unknown);
    query(physical, properties);
    offers_restore(&unknown);
    chain_restore(cut);
    if (cut.node)
        semantics_offered(instance, physical, (void *)cut.node);
    texel_raise_limit(instance, physical, &properties->properties);
    limits_lower(instance, physical, cut.node, &properties->properties, properties->pNext);
    offers_show_properties(&offers, &properties->properties.limits, properties->pNext);
    name_shader_binaries(instance, properties);
    app_descriptors_show(instance, physical, cut.node, properties->pNext);
    app_descriptors_lower(instance, physical, cut.node, &properties->properties.limits);
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice,
                                                            VkPhysicalDeviceProperties *pProperties)
{
    const struct instance *instance = instance_of(physicalDevice);
    const struct offers offers = offers_of(instance, physicalDevice);
    instance->next.GetPhysicalDeviceProperties(physicalDevice, pProperties);
    texel_raise_limit(instance, physicalDevice, pProperties);
    limits_lower(instance, physicalDevice, false, pProperties, NULL);
    offers_show_properties(&offers, &pProperties->limits, NULL);
    app_descriptors_lower(instance, physicalDevice, false, &pProperties->limits);
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
                                                             VkPhysicalDeviceProperties2 *pProperties)
{
    query_properties2(instance_of(physicalDevice)->next.GetPhysicalDeviceProperties2, physicalDevice, pProperties);
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceProperties2KHR(VkPhysicalDevice physicalDevice,
                                                                VkPhysicalDeviceProperties2 *pProperties)
{
    query_properties2(instance_of(physicalDevice)->next.GetPhysicalDeviceProperties2KHR, physicalDevice, pProperties);
}
