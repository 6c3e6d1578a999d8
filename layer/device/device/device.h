/* SPDX-License-Identifier: MIT */
/*
 * One device: the properties that its creation decided, and the next layer's functions. The subsystems and
 * layer/entry/chain include this header.
 */
#ifndef CLAMPLER_DEVICE_DEVICE_H
#define CLAMPLER_DEVICE_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "dispatch_map/dispatch_map.h"
#include "device/instance.h"
#include "device/message.h"
#include "device/object_names.h"
#include "device/app_descriptors.h"
#include "record/record.h"
#include "resolve/resolve.h"
#include "texel_view/texel_view.h"
#include "settings/settings.h"
#include "spirv/spirv.h"
#include "vulkan_clampler.h"
#include "vulkan_dispatch.h"

struct track;

/* Of variables that hot paths read: they are found without the table of symbols of other objects. */
#ifdef __ELF__
#define DEVICE_LOCAL __attribute__((visibility("hidden")))
#else
#define DEVICE_LOCAL
#endif

/* Blend state that may be dynamic, or differ between the attachments of a pass. All false where nothing needs it. */
struct blend_caps {
    bool dual;        /* dualSrcBlend */
    bool equation;    /* VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT */
    bool write_mask;  /* VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT */
    bool enable;      /* VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT */
    bool independent; /* the feature independentBlend */
};

/* A device's capabilities and the layer's decisions for it. vkCreateDevice assigns all at once; later only read. */
struct device_caps {
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER
        enabled;               /* what the program enabled; all VK_FALSE without the extension */
    uint32_t api_version;      /* the lower of the instance's and the device's version; no variant, no patch */
    uint32_t added_extensions; /* enabled by the layer alone: a bit for each of enum wanted_extension */
    uint32_t other_extensions; /* enabled by the program: a bit for each of wanted_others */

    /* Features and extensions. */
    bool image_format_list;       /* the next layer knows VkImageFormatListCreateInfo */
    bool imageless_framebuffers;  /* the program enabled them */
    bool dynamic_rendering;       /* the program enabled it */
    bool shared_presentable;      /* the program enabled VK_KHR_shared_presentable_image */
    bool slice_barriers;          /* the program enabled maintenance9: layers of barriers may be slices (image.h) */
    bool shader_objects;          /* the program enabled them */
    bool module_identifiers;      /* the program enabled them */
    bool coherent_advanced_blend; /* the program enabled advancedBlendCoherentOperations */
    bool memory_budget;           /* the program enabled VK_EXT_memory_budget */
    bool memory_priority;         /* the program enabled memoryPriority */
    bool private_data;            /* the driver's device has the feature, for the program or for the layer */
    bool buffer_address;          /* the driver's device has bufferDeviceAddress, for the program or for the layer */
    bool votes;                   /* GPU form: the driver's device has VK_EXT_shader_subgroup_vote */

    /* The driver's limits. */
    VkPhysicalDeviceDescriptorIndexingProperties indexing; /* not lowered; all zero: no set is update-after-bind */
    uint32_t max_push_descriptors;                         /* 0: no push descriptors */
    uint32_t max_per_set;                                  /* maxPerSetDescriptors; 0: not known */
    bool tight;            /* they leave no room for records beside Vulkan's required limits */
    bool room_for_sampler; /* they let every set have a sampler of the layer's */

    /* How the layer emulates. */
    bool record_storage;     /* records live in storage buffers, not uniform buffers (one rule per device) */
    enum spirv_form form;    /* CPU form for VK_PHYSICAL_DEVICE_TYPE_CPU, or by setting */
    bool gradients_in_front; /* spirv_options.gradients_in_front */
    bool texels_sampled;     /* spirv_options.texels_sampled */
    enum setting_linear_fallback linear_fallback; /* of samplers without GL state and blits; never FALLBACK_AUTO */
    struct resolve_caps resolve;
    uint32_t border_indices; /* that vkRegisterCustomBorderColorEXT has, where it is the layer's; else 0 */
    bool rgbx_attachments;   /* colour attachments may have no alpha, by the feature or the setting alpha_to_one */
    struct blend_caps blend; /* the ways to change their blend state */
    bool alpha_written;      /* shaders may write alpha 1 where blending does not read the destination (blend.h) */
    bool alpha_kept;         /* draws to them keep alpha by blending where the format allows it (blend.h) */
    bool texel_buffers;      /* uniform texel buffers are emulated, by the feature glBufferView or a setting */
    struct texel_caps texel; /* how they are emulated; all false where they are not */
    struct app_descriptors app_descriptors; /* descriptor buffers and heaps */
};

struct device {
    VkDevice handle;
    const void *key;           /* its dispatch key, from device_publish() on */
    struct instance *instance; /* outlives the device */
    struct object_names names; /* that the program gave */
    VkPhysicalDevice physical;
    struct device_dispatch next;               /* the next layer's entry points; a member is NULL where there is none */
    PFN_vkSetDeviceLoaderData set_loader_data; /* for dispatchable objects that the layer creates itself */

    /*
     * False: inert. The program did not enable the extension and no setting requires emulation; only DEVICE_HOOKs are
     * answered and `track` is NULL.
     */
    bool active;
    struct program_allocator allocator;
    bool program_allocates; /* the driver allocates with the program's VkAllocationCallbacks */
    uint32_t *families;     /* of the device's queues, each once; NULL: one */
    uint32_t family_count;
    bool group;                            /* of more than one physical device */
    VkPhysicalDeviceProperties properties; /* the driver's own, limits not lowered */
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t deviations; /* of the driver, bits of enum deviation */
    struct device_caps caps;
    _Atomic(uint64_t) surplus_handles; /* handles of the layer's own for samplers that there were */
    struct track *track;               /* owned by layer/entry/track; NULL where inert */
};

/*
 * Samplers beyond the driver's number have handles of the layer's own (sampling/surplus.h): numbers from this one on.
 * No driver whose handles are addresses has one of them.
 */
#define SURPLUS_FIRST UINT64_C(0x5a3e000000000000)

/* True: it is one of these numbers, which the table of samplers knows better if the driver's are no addresses. */
static inline bool device_has_surplus(const struct device *device, uint64_t handle)
{
    return handle - SURPLUS_FIRST < atomic_load_explicit(&device->surplus_handles, memory_order_relaxed);
}

/*
 * The device that a dispatchable handle (VkDevice, VkQueue, VkCommandBuffer) belongs to. Takes no lock. The handle must
 * be alive.
 */
struct device *device_of(const void *dispatchable);

extern struct dispatch_map device_map;

/*
 * One active device, which its handles find by a single comparison: most programs have no other. `device` is written
 * while `key` is NULL, and `key` is a device's only between its creation and its destruction. So a thread that finds
 * the key of its own handle here reads that handle's device, and no thread reads `device` while it changes.
 */
struct known_device {
    _Atomic(const void *) key;
    struct device *device;
};
extern DEVICE_LOCAL struct known_device known_device;

/* True: device_of() of the handle is known_device.device. For the hottest paths. */
static inline bool device_is_known(const void *dispatchable)
{
    return atomic_load_explicit(&known_device.key, memory_order_acquire) == dispatch_key(dispatchable);
}

/* Lets device_of() find it; its handle and `active` are set. False if memory ran out. */
bool device_publish(struct device *device);

/* Ends that. No thread may look the handle up at the same time. */
void device_withdraw(VkDevice handle);

/*
 * The most descriptors of a set whose records a shader can reach: no larger set is supported
 * (layer/entry/queries/limits.c, layer/resources/layouts/set_layout.c).
 */
static inline uint32_t reachable_records(const VkPhysicalDeviceLimits *limits)
{
    const uint32_t range = limits->maxStorageBufferRange / (uint32_t)sizeof(struct record);
    return range < SPIRV_RECORDS_MOST ? range : SPIRV_RECORDS_MOST;
}

/* The features of a format by tiling, and in buffers. */
struct format_features {
    VkFormatFeatureFlags2 linear, optimal, buffer;
};

/* The features of a format that the setting assume_missing hides. */
struct format_features format_features_missing(const struct settings *settings, VkFormat format);

/* The driver's features, without those that the setting assume_missing hides. Calls the driver each time. */
struct format_features device_format_features(const struct device *device, VkFormat format);

#endif
