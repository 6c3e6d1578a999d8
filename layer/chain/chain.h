/*
 * Chain: loader negotiation, the instance and the device, their dispatch tables, and what physical-device queries
 * answer. The feature itself is in the rooms that layer/track opens; they see devices through this header.
 */
#ifndef CLAMPLER_CHAIN_H
#define CLAMPLER_CHAIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "counters.h"
#include "resolve/resolve.h"
#include "resolve/texel_view.h"
#include "settings/settings.h"
#include "spirv/spirv.h"
#include "vulkan_clampler.h"
#include "vulkan_dispatch.h" /* generated: struct instance_dispatch, struct device_dispatch, prototypes of all hook_* */

struct track;

struct instance {
    VkInstance handle;
    struct instance_dispatch next; /* the next layer's entry points; a member is NULL where there is none */
    uint32_t api_version;          /* what the program asked for, at least 1.0 */
    bool debug_utils;              /* the program enabled VK_EXT_debug_utils */
    bool queries2;                 /* the program enabled VK_KHR_get_physical_device_properties2 */
    struct settings settings;      /* read once, at instance creation */
    char settings_source[320];     /* where they came from, in words */
    FILE *log;                     /* where messages go; NULL: standard error */
    const void *creating;          /* chain of the VkInstanceCreateInfo, during vkCreateInstance only: its messengers */
    struct messenger *messengers;  /* the program's debug-utils messengers (message.c) */
    pthread_mutex_t messenger_lock;
    PFN_GetPhysicalDeviceProcAddr next_physical_device_proc_addr; /* NULL: the next layer has none */
};

/* Blend state that may be dynamic, or differ between the attachments of a pass. All false where nothing needs it. */
struct blend_caps {
    bool equation;    /* VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT */
    bool write_mask;  /* VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT */
    bool enable;      /* VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT */
    bool independent; /* the feature independentBlend */
};

struct device {
    VkDevice handle;
    struct instance *instance; /* outlives the device */
    VkPhysicalDevice physical;
    struct device_dispatch next;               /* the next layer's entry points; a member is NULL where there is none */
    PFN_vkSetDeviceLoaderData set_loader_data; /* for dispatchable objects that the layer creates itself */

    /*
     * False: inert. The program did not enable the extension and no setting asks for anything; only DEVICE_HOOKs are
     * answered and `track` is NULL.
     */
    bool active;
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER
        enabled; /* what the program enabled; all VK_FALSE without the extension */

    uint32_t api_version;   /* the lower of what the program asked for and what the device has; no variant, no patch */
    bool image_format_list; /* VkImageFormatListCreateInfo is known below */
    bool imageless_framebuffers;  /* the program enabled them */
    bool coherent_advanced_blend; /* the program enabled advancedBlendCoherentOperations */

    VkPhysicalDeviceProperties properties; /* the driver's own, limits not lowered */
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t max_push_descriptors; /* 0: no push descriptors */
    bool private_data;             /* the feature is enabled below, by the program or by the layer */
    bool buffer_address;     /* the feature bufferDeviceAddress is enabled below, by the program or by the layer */
    bool room_for_sampler;   /* every set may have a sampler of the layer's */
    bool record_storage;     /* records live in storage buffers, not uniform buffers (one rule per device) */
    enum spirv_form form;    /* CPU form for VK_PHYSICAL_DEVICE_TYPE_CPU, or by setting */
    bool votes;              /* GPU form: VK_EXT_shader_subgroup_vote is enabled below */
    bool gradients_in_front; /* spirv_options.gradients_in_front */
    enum setting_linear_fallback linear_fallback; /* of plain Vulkan samplers and blits; never FALLBACK_AUTO */
    struct resolve_caps caps;
    bool alpha_to_one;       /* colour attachments may have no alpha: the feature or a setting asks for it */
    struct blend_caps blend; /* what can be done about their blend state */
    bool alpha_kept;         /* draws to them keep alpha by blending where the format allows it (blend.h) */
    bool texel_buffers;      /* uniform texel buffers are emulated: the feature glBufferView or a setting asks for it */
    struct texel_caps texel; /* how; all false where they are not */
    struct track *track;     /* owned by layer/track; NULL where inert */
};

/*
 * The device that a dispatchable handle (VkDevice, VkQueue, VkCommandBuffer) belongs to. Takes no lock. The handle must
 * be alive.
 */
struct device *device_of(const void *dispatchable);

/*
 * The …2 queries below, or NULL where the program enabled neither Vulkan 1.1 nor the extension, or the device is 1.0.
 */
PFN_vkGetPhysicalDeviceFeatures2 instance_features2(const struct instance *instance, VkPhysicalDevice physical);
PFN_vkGetPhysicalDeviceProperties2 instance_properties2(const struct instance *instance, VkPhysicalDevice physical);

/* Whether records of a device with these limits live in storage buffers. Pure. */
bool chain_records_in_storage(const VkPhysicalDeviceLimits *limits);
/* May every set have a sampler of the layer's, so that the program is left what Vulkan requires? The driver's limits.
 */
bool chain_has_room_for_sampler(const VkPhysicalDeviceLimits *limits);

/* What a format can do by tiling, and in buffers. */
struct format_features {
    VkFormatFeatureFlags2 linear, optimal, buffer;
};

/* As the driver says it, less what the setting assume_missing hides from the layer. Asks the driver each time. */
struct format_features chain_format_features(const struct device *device, VkFormat format);

/* ---- What layer/track implements for chain ---- */

/*
 * Called at the end of vkCreateDevice for active devices, all other members of `device` filled. Sets device->track, or
 * returns the error that vkCreateDevice returns (chain then destroys the driver's device).
 */
VkResult track_create(struct device *device);

/* Called in vkDestroyDevice before the driver's device goes; device->track may be NULL. */
void track_destroy(struct device *device);

/* What the device did so far, for CLAMPLER_GET_COUNTERS. Overwrites *counters. Thread-safe. */
void track_counters(struct track *track, struct clampler_counters *counters);

/* For CLAMPLER_GET_PAIR_REASON; see counters.h. Thread-safe as a descriptor write is. */
VkResult pair_reason(struct track *track, VkSampler sampler, VkImageView view, char *text, size_t size);

/* ---- Messages (chain/message.c) ---- */

/*
 * One message, to the log (by settings.log_level) and, for warnings and errors, to the program's debug-utils
 * messengers. `object` is 0 or the handle that the message is about. Thread-safe; may be called from any hook.
 */
void message(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object, const char *format,
             ...) __attribute__((format(printf, 5, 6)));

/* The same, once per process for each place: `once` is a static flag at the place of the call. */
#define message_once(once, ...)                                                                                        \
    do {                                                                                                               \
        if (!__atomic_exchange_n((once), true, __ATOMIC_RELAXED))                                                      \
            message(__VA_ARGS__);                                                                                      \
    } while (0)

#endif
