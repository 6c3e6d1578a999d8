/* SPDX-License-Identifier: MIT */
/*
 * The create-info for the next layer's vkCreateDevice in the place of the program's: without the extension and its
 * features, with the features that the layer needs.
 *
 * The program's structures are const and may be in read-only memory. So the beginning of the chain, as far as its
 * structures are known, is copied node by node and changed there. A structure that not even vk.xml knows has no known
 * size: it and what follows it stay the program's own memory. That part is read and not changed. The layer uses
 * features that the program has enabled there. It cannot enable others of such a structure, because no second structure
 * of the type may be in the chain; it then emulates as if the driver lacked them. Features whose structure the program
 * does not chain are enabled in front of the chain.
 */
#ifndef CLAMPLER_DEVICE_PLAN_DEVICE_PLAN_H
#define CLAMPLER_DEVICE_PLAN_DEVICE_PLAN_H

#include "device/device.h"
#include "queries/queries.h"
#include "spirv/spirv.h"
#include "vulkan_wanted.h" /* generated: enum wanted_extension */

/* Features that have a structure of their own, and that the layer enables for itself (want_feature.c). */
enum feature_kind {
    FEATURE_PRIVATE_DATA, /* with it no driver gives one handle to two objects (specification, "Private Data") */
    FEATURE_ADDRESS,
    FEATURE_BORDER_COLOR,
    FEATURE_BORDER_SWIZZLE,
    FEATURE_CUBE_FACES,
    FEATURE_DYNAMIC_BLEND,
    FEATURE_KINDS
};
union feature_structure {
    VkBaseOutStructure base;
    VkPhysicalDevicePrivateDataFeatures private_data;
    VkPhysicalDeviceBufferDeviceAddressFeatures address;
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border_color;
    VkPhysicalDeviceBorderColorSwizzleFeaturesEXT border_swizzle;
    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT cube_faces;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic_blend;
};

struct device_plan {
    VkDeviceCreateInfo info; /* what the next layer gets */

    bool extension; /* the program enabled VK_CLAMPLER_gl_sampler */
    bool active;
    bool push_descriptors, descriptor_buffers, descriptor_heaps; /* the program enabled them */
    bool border_commands;    /* the program enabled VK_EXT_custom_border_color, which the layer offers */
    struct offers offers;    /* the layer's on this device ... */
    uint32_t asked;          /* ... of which the program enabled these */
    struct device_caps caps; /* as far as the create-infos decide it; the rest is decided when the device is there */

    /* Storage behind `info`. */
    const char **names;
    void *chain;
    union feature_structure features[FEATURE_KINDS];
    VkPhysicalDeviceVulkan12Features core12_features;
    VkPhysicalDeviceFeatures core_features;
    VkExtensionProperties *available;
    uint32_t available_count;
};

/*
 * Makes the plan from the program's create-info. Of `device`, instance, physical and properties are filled in.
 * VK_ERROR_FEATURE_NOT_PRESENT, VK_ERROR_VALIDATION_FAILED_EXT (both with a message), VK_ERROR_OUT_OF_HOST_MEMORY, or
 * the result of the driver's extension enumeration. Free it with device_plan_free() in every case.
 */
VkResult device_plan_make(struct device_plan *plan, const struct device *device, const VkDeviceCreateInfo *program);

/* The fallback for linear filters that the driver lacks: by the setting, else by the program's features. */
static inline enum setting_linear_fallback linear_fallback_of(const struct device *device,
                                                              const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *enabled)
{
    const enum setting_linear_fallback unasked = linear_fallback_unasked(device->instance, device->physical);
    if (unasked != FALLBACK_AUTO)
        return unasked;
    if (enabled->linearFilterEmulation)
        return FALLBACK_SHADER;
    return enabled->glSampler ? FALLBACK_NEAREST : FALLBACK_OFF;
}

/* The form of rewritten lookups on this device, by its properties. */
static inline enum spirv_form form_of(const struct device *device)
{
    const enum setting_form setting = device->instance->settings.form;
    if (setting != FORM_AUTO)
        return setting == FORM_CPU ? SPIRV_FORM_CPU : SPIRV_FORM_GPU;
    return device->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? SPIRV_FORM_CPU : SPIRV_FORM_GPU;
}

/* ---- Changing the plan, for want_*.c ---- */

/* True: the plan enables the extension. */
bool device_plan_enables(const struct device_plan *plan, const char *name);

/* True: the driver lists the extension. Enables it if the program has not. */
bool device_plan_available(const struct device_plan *plan, enum wanted_extension extension);
void device_plan_add(struct device_plan *plan, enum wanted_extension extension);

/* A structure of the chain that may be changed; NULL if there is none in the part of the chain that was copied. */
void *device_plan_copied(const struct device_plan *plan, VkStructureType type);

/* Such a structure anywhere in the chain, or NULL. If it was not copied it must not be changed. */
const void *device_plan_chained(const struct device_plan *plan, VkStructureType type);

/* Puts a structure that lives as long as the plan in front of the chain. */
void device_plan_prepend(struct device_plan *plan, void *structure);

/*
 * Enables a feature where the driver has it: in the program's own structure where that may be changed, else in front of
 * a chain that says nothing of it. The plan says what is in force afterwards, be it by the program's word alone; false:
 * the layer has none of it.
 */
bool want_feature(struct device_plan *plan, const struct device *device, enum feature_kind kind);

/* Takes what the layer offers out of the copies, and saves what the program asked for of it (want_offers.c). */
void want_offers(struct device_plan *plan, const VkDeviceCreateInfo *program);

/* Keeps the part of the offers that is the layer's to do, once the driver's features are known. */
void keep_offers(struct device_plan *plan);

/* Buffer device addresses, for several users. False: the driver has none (want_address.c). */
bool want_address(struct device_plan *plan, const struct device *device);

/* Dynamic and independent blend state, for attachments without alpha (want_blend.c). */
void want_blend(struct device_plan *plan, const struct device *device);

/* Buffer device addresses, for texel buffers (want_texel_buffer.c). */
void want_texel_buffer(struct device_plan *plan, const struct device *device);

/* Votes of subgroups, for the GPU form of lookups (want_vote.c). */
void want_vote(struct device_plan *plan, const struct device *device);

void device_plan_free(struct device_plan *plan);

/*
 * want_sampler.c: address modes, border colours, cubes, minimum and maximum filters; `version` is that of the
 * device.
 */
void want_sampler(struct device_plan *plan, const struct device *device, uint32_t version);

/* The least maxSamplerLodBias that Vulkan allows, in levels. */
#define REQUIRED_LOD_BIAS 2.0f

#endif
