/* What the files of this folder share and nobody else sees. */
#ifndef CLAMPLER_CHAIN_PRIVATE_H
#define CLAMPLER_CHAIN_PRIVATE_H

#include "chain.h"
#include "dispatch_map.h"

#define LAYER_NAME "VK_LAYER_CLAMPLER_gl_sampler"
#define LAYER_DESCRIPTION "OpenGL's sampler semantics for Vulkan programs"

/* As in the manifests: the newest core version whose commands pass through or are hooked. */
#define LAYER_API_VERSION VK_MAKE_API_VERSION(0, 1, 4, 304)
#define LAYER_IMPLEMENTATION_VERSION 1

/* ---- instance.c ---- */

/* The instance that a VkInstance or VkPhysicalDevice belongs to; NULL for handles that are not finished. No lock. */
struct instance *instance_of(const void *dispatchable);

/* The lower of what the program asked for and what the device has, without variant and patch. */
uint32_t instance_version_with(const struct instance *instance, const VkPhysicalDeviceProperties *properties);

/* ---- enumerate.c ---- */

/*
 * All device extensions that the next layer lists, in memory to free() with room for one more.
 * VK_ERROR_OUT_OF_HOST_MEMORY, or what the next layer returned; then *list is NULL.
 */
VkResult device_extensions(const struct instance *instance, VkPhysicalDevice physical, uint32_t *count,
                           VkExtensionProperties **list);

bool extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name);

/* ---- opaque.c ---- */

/*
 * Takes descriptor buffers and their like out of a list where settings make the layer active; returns what is left. The
 * log says once which were there.
 */
uint32_t opaque_hide_extensions(struct instance *instance, VkExtensionProperties *list, uint32_t count);

/* The same for the features in a chain that the next layer has filled. */
void opaque_hide_features(const struct instance *instance, void *chain);

/* Says which of them the program has enabled; for active devices. */
void opaque_warn(struct device *device, const VkDeviceCreateInfo *program);

/* ---- stats.c ---- */

/* Appends what the device did to the file that the setting stats_file names. Before track_destroy(). */
void stats_write(struct device *device);

/* ---- features.c ---- */

/* What the layer can emulate on this device; sType and pNext are left alone. */
void features_offered(const struct instance *instance, VkPhysicalDevice physical,
                      VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *features);

/* Which semantics are native and which emulated; sType and pNext are left alone. */
void semantics_offered(const struct instance *instance, VkPhysicalDevice physical,
                       VkPhysicalDeviceGLSamplerPropertiesCLAMPLER *properties);

/* What becomes of linear filters that the driver lacks: what the setting says, or else what the program enabled. */
static inline enum setting_linear_fallback linear_fallback_of(const struct settings *settings,
                                                              const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *enabled)
{
    if (settings->linear_fallback != FALLBACK_AUTO)
        return settings->linear_fallback;
    if (enabled->linearFilterEmulation)
        return FALLBACK_SHADER;
    return enabled->glSampler ? FALLBACK_NEAREST : FALLBACK_OFF;
}

/* Which shape rewritten lookups have on this device, its properties given. */
static inline enum spirv_form form_of(const struct device *device)
{
    const enum setting_form setting = device->instance->settings.form;
    if (setting != FORM_AUTO)
        return setting == FORM_CPU ? SPIRV_FORM_CPU : SPIRV_FORM_GPU;
    return device->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? SPIRV_FORM_CPU : SPIRV_FORM_GPU;
}

/* ---- texel_buffer.c ---- */

/* How uniform texel buffers can be emulated on this device, its properties given. */
void texel_caps_of(const struct instance *instance, VkPhysicalDevice physical,
                   const VkPhysicalDeviceProperties *properties, struct texel_caps *caps);

/* The semantics of texel buffers in the two words, and maxTexelBufferElements. */
void texel_semantics(const struct instance *instance, VkPhysicalDevice physical,
                     const VkPhysicalDeviceProperties *properties,
                     VkPhysicalDeviceGLSamplerPropertiesCLAMPLER *semantics);

/* With the setting, programs see the limit that the emulation reaches; `properties` are the driver's own. */
void texel_raise_limit(const struct instance *instance, VkPhysicalDevice physical,
                       VkPhysicalDeviceProperties *properties);

/* With the setting, programs see uniform texel buffers of every format of GL's table. */
bool texel_promises_format(const struct instance *instance, VkFormat format);

/* ---- limits.c ---- */

/* What programs are promised at least, a stage (specification, "Required Limits"). */
#define REQUIRED_UNIFORM_BUFFERS 12u
#define REQUIRED_STORAGE_BUFFERS 4u
#define REQUIRED_SAMPLERS 16u
#define REQUIRED_SET_SAMPLERS 96u
#define REQUIRED_SAMPLER_ALLOCATIONS 4000u /* a device */

/* What records take from the limits that the program sees. */
void limits_lower(const struct instance *instance, VkPhysicalDeviceProperties *properties, VkBaseOutStructure *chain);

/* ---- negotiate.c ---- */

/* How many names vkGetDeviceProcAddr answers with the layer's own function on this device. */
uint32_t hooked_entry_points(const struct device *device);

/* ---- message.c ---- */

/* Before the first message, and after the last. The settings are read between the two steps of opening. */
void message_init(struct instance *instance);
void message_open_log(struct instance *instance);
void message_close(struct instance *instance);

/* ---- chains ---- */

/* The first structure of a chain with this sType, or NULL. */
static inline const void *find_in_chain(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *node = chain;
    while (node && node->sType != type)
        node = node->pNext;
    return node;
}

/*
 * Takes the first structure with this sType out of a chain of output that hangs on `head`, so that a layer below which
 * checks what it is given does not stumble over it. NULL if there is none. Put it back with chain_restore() before
 * returning: such chains are the program's to read and the callee's to write, nobody else uses them meanwhile.
 */
struct chain_cut {
    VkBaseOutStructure *before;
    VkBaseOutStructure *node;
};

static inline struct chain_cut chain_cut(void *head, VkStructureType type)
{
    struct chain_cut cut = {.before = head};
    while (cut.before->pNext && cut.before->pNext->sType != type)
        cut.before = cut.before->pNext;
    cut.node = cut.before->pNext;
    if (cut.node)
        cut.before->pNext = cut.node->pNext;
    return cut;
}

static inline void chain_restore(struct chain_cut cut)
{
    if (cut.node)
        cut.before->pNext = cut.node;
}

#endif
