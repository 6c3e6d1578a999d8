/* SPDX-License-Identifier: MIT */
/*
 * The layer's own state: instances, devices, and what it remembers of the objects whose use it judges. Handles are not
 * wrapped.
 */
#ifndef LIMITED_DRIVER_LAYER_H
#define LIMITED_DRIVER_LAYER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "entry_points.h"
#include "limited_driver.h"
#include "newer.h"
#include "object.h"
#include "profile.h"

#define LIMITED_DRIVER_NAME "VK_LAYER_CLAMPLER_TEST_limited_driver"

#define MEMBER(name) PFN_vk##name name;
#define NOTHING(alias, name)
struct instance_dispatch {
    INSTANCE_HOOKS(MEMBER, NOTHING)
};
struct device_dispatch {
    DEVICE_HOOKS(MEMBER, NOTHING)
};
#undef MEMBER

#define DECLARE(name) VKAPI_ATTR __typeof__(vk##name) hook_##name;
INSTANCE_HOOKS(DECLARE, NOTHING)
DEVICE_HOOKS(DECLARE, NOTHING)
#undef DECLARE
#undef NOTHING

/* Limits whose excess is found when objects are made or descriptors written; validation above the layer knows more. */
#define ENFORCED_LIMITS(LIMIT)                                                                                         \
    LIMIT(maxMemoryAllocationCount)                                                                                    \
    LIMIT(maxTexelBufferElements)                                                                                      \
    LIMIT(maxImageDimension1D)                                                                                         \
    LIMIT(maxImageDimension2D)                                                                                         \
    LIMIT(maxImageDimension3D)                                                                                         \
    LIMIT(maxImageDimensionCube)                                                                                       \
    LIMIT(maxImageArrayLayers)                                                                                         \
    LIMIT(maxSamplerAllocationCount)                                                                                   \
    LIMIT(maxCustomBorderColorSamplers)                                                                                \
    LIMIT(maxSamplerLodBias)                                                                                           \
    LIMIT(maxSamplerAnisotropy)                                                                                        \
    LIMIT(maxUniformBufferRange)                                                                                       \
    LIMIT(maxStorageBufferRange)                                                                                       \
    LIMIT(minUniformBufferOffsetAlignment)                                                                             \
    LIMIT(minStorageBufferOffsetAlignment)                                                                             \
    LIMIT(maxPushConstantsSize)                                                                                        \
    LIMIT(maxBoundDescriptorSets)                                                                                      \
    LIMIT(maxPerSetDescriptors)                                                                                        \
    LIMIT(maxPushDescriptors)                                                                                          \
    /* In the order of enum layout_count (layout.c), twice. */                                                         \
    LIMIT(maxPerStageDescriptorSamplers)                                                                               \
    LIMIT(maxPerStageDescriptorUniformBuffers)                                                                         \
    LIMIT(maxPerStageDescriptorStorageBuffers)                                                                         \
    LIMIT(maxPerStageDescriptorSampledImages)                                                                          \
    LIMIT(maxPerStageDescriptorStorageImages)                                                                          \
    LIMIT(maxPerStageDescriptorInputAttachments)                                                                       \
    LIMIT(maxPerStageResources)                                                                                        \
    LIMIT(maxDescriptorSetSamplers)                                                                                    \
    LIMIT(maxDescriptorSetUniformBuffers)                                                                              \
    LIMIT(maxDescriptorSetUniformBuffersDynamic)                                                                       \
    LIMIT(maxDescriptorSetStorageBuffers)                                                                              \
    LIMIT(maxDescriptorSetStorageBuffersDynamic)                                                                       \
    LIMIT(maxDescriptorSetSampledImages)                                                                               \
    LIMIT(maxDescriptorSetStorageImages)                                                                               \
    LIMIT(maxDescriptorSetInputAttachments)                                                                            \
    LIMIT(maxPerStageDescriptorUpdateAfterBindSamplers)                                                                \
    LIMIT(maxPerStageDescriptorUpdateAfterBindUniformBuffers)                                                          \
    LIMIT(maxPerStageDescriptorUpdateAfterBindStorageBuffers)                                                          \
    LIMIT(maxPerStageDescriptorUpdateAfterBindSampledImages)                                                           \
    LIMIT(maxPerStageDescriptorUpdateAfterBindStorageImages)                                                           \
    LIMIT(maxPerStageDescriptorUpdateAfterBindInputAttachments)                                                        \
    LIMIT(maxPerStageUpdateAfterBindResources)                                                                         \
    LIMIT(maxDescriptorSetUpdateAfterBindSamplers)                                                                     \
    LIMIT(maxDescriptorSetUpdateAfterBindUniformBuffers)                                                               \
    LIMIT(maxDescriptorSetUpdateAfterBindUniformBuffersDynamic)                                                        \
    LIMIT(maxDescriptorSetUpdateAfterBindStorageBuffers)                                                               \
    LIMIT(maxDescriptorSetUpdateAfterBindStorageBuffersDynamic)                                                        \
    LIMIT(maxDescriptorSetUpdateAfterBindSampledImages)                                                                \
    LIMIT(maxDescriptorSetUpdateAfterBindStorageImages)                                                                \
    LIMIT(maxDescriptorSetUpdateAfterBindInputAttachments)

/* Features whose use without them is found likewise. */
#define ENFORCED_FEATURES(FEATURE)                                                                                     \
    FEATURE(imageCubeArray)                                                                                            \
    FEATURE(independentBlend)                                                                                          \
    FEATURE(dualSrcBlend)                                                                                              \
    FEATURE(logicOp)                                                                                                   \
    FEATURE(samplerAnisotropy)                                                                                         \
    FEATURE(samplerMirrorClampToEdge)                                                                                  \
    FEATURE(customBorderColors)                                                                                        \
    FEATURE(customBorderColorWithoutFormat)                                                                            \
    FEATURE(borderColorSwizzle)                                                                                        \
    FEATURE(borderColorSwizzleFromImage)                                                                               \
    FEATURE(nonSeamlessCubeMap)                                                                                        \
    FEATURE(extendedDynamicState3ColorBlendEnable)                                                                     \
    FEATURE(extendedDynamicState3ColorBlendEquation)                                                                   \
    FEATURE(extendedDynamicState3ColorBlendAdvanced)                                                                   \
    FEATURE(extendedDynamicState3ColorWriteMask)

#define INDEX(name) ENFORCED_##name,
enum enforced_limit { ENFORCED_LIMITS(INDEX) ENFORCED_LIMIT_COUNT };
enum enforced_feature { ENFORCED_FEATURES(INDEX) ENFORCED_FEATURE_COUNT };
#undef INDEX

struct violations {
    pthread_mutex_t lock;
    uint32_t total;
    uint32_t kept; /* in list */
    struct limited_driver_violation *list;
};

struct instance {
    struct instance *next_instance; /* in chain.c's list */
    VkInstance handle;
    struct instance_dispatch next;
    PFN_GetPhysicalDeviceProcAddr next_physical; /* NULL: none */
    struct profile *profile;
    struct violations violations;
    _Atomic(uint64_t) window_used; /* bytes of the window that are allocated (memory.c) */
};

struct device {
    struct device *next_device; /* in chain.c's list */
    VkDevice handle;
    struct instance *instance;
    VkPhysicalDevice physical;
    struct device_dispatch next;
    const struct profile *profile; /* the instance's */
    struct {
        bool set; /* the profile sets it */
        union profile_value value;
    } limits[ENFORCED_LIMIT_COUNT];
    bool hidden[ENFORCED_FEATURE_COUNT];

    /* The rest under the lock. */
    pthread_mutex_t lock;
    struct object_table objects;
    uint64_t memory_count, sampler_count, custom_border_count; /* alive */
};

/* The instance or device of a dispatchable handle; the handle must be alive. */
struct instance *instance_of(const void *dispatchable);
struct device *device_of(const void *dispatchable);

/* Records a violation. Thread-safe; `device->lock` may be held. */
void violation(struct instance *instance, enum limited_driver_kind kind, const char *name, const char *command,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
void violations_open(struct violations *violations);
void violations_close(struct violations *violations);
uint32_t violations_read(struct violations *violations, uint32_t capacity, struct limited_driver_violation *out);

/* Records the use of a hidden feature, or a count above a limit, if it is one. */
void use_feature(struct device *device, enum enforced_feature feature, const char *command);
void use_limit(struct device *device, enum enforced_limit limit, uint64_t count, const char *command);

/* Records the lack of format features: of `needed` bits, those that are hidden. */
void use_format(struct device *device, VkFormat format, VkImageTiling tiling, uint64_t needed, const char *command);

/* The format features that an image or view of that usage needs. */
uint64_t format_features_of_usage(VkImageUsageFlags usage);
enum profile_tiling profile_tiling(VkImageTiling tiling);

/* A structure of a chain, NULL where there is none. */
const void *chained(const void *next, VkStructureType type);

#endif
