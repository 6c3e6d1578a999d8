/* SPDX-License-Identifier: MIT */
/*
 * Queries of physical devices: extensions, features, formats and limits. The plan of a device (layer/entry/device_plan)
 * uses the same results.
 */
#ifndef CLAMPLER_QUERIES_QUERIES_H
#define CLAMPLER_QUERIES_QUERIES_H

#include "device/device.h"
#include "queries/offers.h"
#include "settings/settings.h"

/* True: the layer acts on programs that know nothing of it, by a setting, or because it offers what the device lacks.
 */
static inline bool acts_unasked(const struct instance *instance, VkPhysicalDevice physical)
{
    return settings_activate(&instance->settings) || offers_of(instance, physical).offered;
}

/* ---- enumerate.c ---- */

/*
 * All device extensions that the next layer lists, in memory to free() with room for the layer's own and those it
 * offers. VK_ERROR_OUT_OF_HOST_MEMORY, or the next layer's error; then *list is NULL.
 */
VkResult device_extensions(const struct instance *instance, VkPhysicalDevice physical, uint32_t *count,
                           VkExtensionProperties **list);

bool extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name);

/* ---- opaque.c ---- */

/*
 * Where settings make the layer active: removes descriptor buffers and heaps from a list if their descriptors leave no
 * room for a record index, and returns how many extensions are left. The log says so once.
 */
uint32_t opaque_hide_extensions(struct instance *instance, VkPhysicalDevice physical, VkExtensionProperties *list,
                                uint32_t count);

/* The same for the features in a chain that the next layer has filled. */
void opaque_hide_features(const struct instance *instance, VkPhysicalDevice physical, void *chain);

/* Warns of enabled extensions that leave no place for records; for active devices. */
void opaque_warn(struct device *device, const VkDeviceCreateInfo *program);

/* ---- app_descriptors.c ---- */

/*
 * Can record indices stand behind the driver's descriptors on this device, in descriptor buffers and in heaps? For
 * programs that settings make the layer active for, descriptors with them must be no larger than Vulkan allows;
 * programs that enable the extension may see larger ones.
 */
bool app_descriptors_supported(const struct instance *instance, VkPhysicalDevice physical);
bool app_heaps_supported(const struct instance *instance, VkPhysicalDevice physical);

/* Sizes of descriptors in descriptor buffers, for a device whose program has enabled them. */
void app_descriptors_read(const struct instance *instance, VkPhysicalDevice physical,
                          const VkPhysicalDeviceLimits *limits, struct app_descriptors *app_descriptors);

/* The same for descriptor heaps. */
void app_heaps_read(const struct instance *instance, VkPhysicalDevice physical,
                    struct app_descriptors *app_descriptors);

/*
 * Puts the sizes that programs see into a chain of properties that the next layer has filled. `asked`: the program
 * chained VkPhysicalDeviceGLSamplerPropertiesCLAMPLER.
 */
void app_descriptors_show(const struct instance *instance, VkPhysicalDevice physical, bool asked, void *chain);

/* Subtracts the bytes behind the program's push constants from the driver's limit, for the same programs. */
void app_descriptors_lower(const struct instance *instance, VkPhysicalDevice physical, bool asked,
                           VkPhysicalDeviceLimits *limits);

/* ---- features.c ---- */

/* The features of the extension on this device; sType and pNext are not changed. */
void features_offered(const struct instance *instance, VkPhysicalDevice physical,
                      VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *features);

/* The native and the emulated semantics; sType and pNext are not changed. */
void semantics_offered(const struct instance *instance, VkPhysicalDevice physical,
                       VkPhysicalDeviceGLSamplerPropertiesCLAMPLER *properties);

/* ---- texel_buffer.c ---- */

/* True: the layer may use buffer device addresses. `list`: the driver's extensions, needed below Vulkan 1.2 alone. */
bool lists_addresses(const struct instance *instance, VkPhysicalDevice physical,
                     const VkPhysicalDeviceProperties *properties, const VkExtensionProperties *list, uint32_t count);

/* The ways to emulate uniform texel buffers on this device, by its properties. */
void texel_caps_of(const struct instance *instance, VkPhysicalDevice physical,
                   const VkPhysicalDeviceProperties *properties, struct texel_caps *caps);

/* The semantics of texel buffers in the two words, and maxTexelBufferElements. */
void texel_semantics(const struct instance *instance, VkPhysicalDevice physical,
                     const VkPhysicalDeviceProperties *properties,
                     VkPhysicalDeviceGLSamplerPropertiesCLAMPLER *semantics);

/* With the setting, programs see the limit that the emulation reaches; `properties` are the driver's own. */
void texel_raise_limit(const struct instance *instance, VkPhysicalDevice physical,
                       VkPhysicalDeviceProperties *properties);

/* True: programs that know nothing of the layer get emulated uniform texel buffers, by a setting. */
bool texel_emulates(const struct instance *instance, VkPhysicalDevice physical);

/*
 * True: the driver lacks a format of OpenGL's buffer textures, or its maxTexelBufferElements is below 2^27, or
 * assume_missing says so: with offer=texel_buffers the layer then emulates them.
 */
bool texel_lacks(const struct instance *instance, VkPhysicalDevice physical,
                 const VkPhysicalDeviceProperties *properties);

/* ---- formats.c ---- */

/* True: Vulkan 1.0 has a format that the device samples as floats and does not filter linearly. */
bool formats_lack_linear(const struct instance *instance, VkPhysicalDevice physical);

/* The features of images of a format that programs see; none of other tilings than optimal and linear. */
VkFormatFeatureFlags2 format_features_shown(const struct instance *instance, VkPhysicalDevice physical, VkFormat format,
                                            VkImageTiling tiling);

/* The setting linear_fallback, or what is offered in its place. */
enum setting_linear_fallback linear_fallback_unasked(const struct instance *instance, VkPhysicalDevice physical);

/* ---- limits.c ---- */

/* True: records of a device with these limits live in storage buffers. Pure. */
bool limits_put_records_in_storage(const VkPhysicalDeviceLimits *limits);
/* True: by the driver's limits, every set may have a sampler of the layer's beside Vulkan's required limits. */
bool limits_have_room_for_sampler(const VkPhysicalDeviceLimits *limits);

/* Required limits (specification, "Required Limits"); limits.c has more of them. */
#define REQUIRED_UNIFORM_BUFFERS 12u /* a stage */
#define REQUIRED_STORAGE_BUFFERS 4u
#define REQUIRED_PUSH_CONSTANTS 128u /* bytes */

/*
 * Subtracts the layer's use from the limits, for programs that the layer is active for: by settings, or because the
 * program `asked` by a chained VkPhysicalDeviceGLSamplerPropertiesCLAMPLER.
 */
void limits_lower(const struct instance *instance, VkPhysicalDevice physical, bool asked,
                  VkPhysicalDeviceProperties *properties, VkBaseOutStructure *chain);

/*
 * True: programs see so much of the driver's limits that records may exceed them. By the driver's own properties; those
 * of update-after-bind are all zero where it has none.
 */
bool limits_are_tight(const struct instance *instance, const VkPhysicalDeviceProperties *properties,
                      const VkPhysicalDeviceDescriptorIndexingProperties *indexing);

#endif
