/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan instance and device with the layers a test asks for, and the few objects every test needs.
 *
 * Every Vulkan result is checked: a failure prints the call and its result and ends the process with status 1. A
 * machine without a Vulkan driver ends it with status 1 too: a test that did not run is not a test that passed. Where
 * the driver lacks an extension or a feature that a device is asked for, the test is skipped (harness_lacking).
 *
 * One struct harness_vulkan belongs to one thread at a time; messages are counted for the whole process and may be
 * read from any thread.
 */
#ifndef CLAMPLER_HARNESS_VULKAN_H
#define CLAMPLER_HARNESS_VULKAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "counters.h"
#include "vulkan_clampler.h"

/*
 * How the harness's graphics pipelines come about: whole, or linked from four libraries, with optimisation or fast; or
 * not at all, because tests draw and dispatch with shader objects (shader_objects.h).
 */
enum harness_linking { HARNESS_MONOLITHIC, HARNESS_LIBRARY, HARNESS_FAST_LINKED, HARNESS_OBJECTS };

/*
 * What descriptors come from: sets, sets that are written after they are bound, mutable descriptors, pushes, buffers of
 * descriptors (descriptor_buffer.h), heaps that bindings are mapped to, heaps that shaders look into themselves
 * (heap.h). With the last three, the harness's pipelines are for those.
 */
enum harness_sets {
    HARNESS_SETS_PLAIN,
    HARNESS_SETS_AFTER_BIND,
    HARNESS_SETS_MUTABLE,
    HARNESS_SETS_PUSH,
    HARNESS_SETS_DESCRIPTOR_BUFFER,
    HARNESS_SETS_HEAP,
    HARNESS_SETS_HEAP_UNTYPED,
};

static inline bool harness_sets_are_heaps(enum harness_sets sets)
{
    return sets == HARNESS_SETS_HEAP || sets == HARNESS_SETS_HEAP_UNTYPED;
}

/* A structure of features that the headers may be too old for, for harness_vulkan_params::device_next. */
struct harness_features {
    VkStructureType sType;
    void *pNext;
    VkBool32 enabled[4];
};

/*
 * What to open. Zero is a device of the first driver with no layer and no feature.
 *
 * Layers are found in the build folder: the first folder upwards from the test's executable that has a `json` folder,
 * so a build folder may be moved; environment CLAMPLER_LAYER_PATH (a list of folders, ':' between them) wins.
 * CLAMPLER_TEST_FAULT names a fault of tests/faults that the layer shall have. The driver is the one in VK_DRIVER_FILES
 * or VK_ICD_FILENAMES, else lavapipe; of several devices it is the one that CLAMPLER_TEST_GPU numbers, else the first.
 */
struct harness_vulkan_params {
    const char *layers;   /* ':' between names, nearest the program first: "clampler:validation" checks what the layer
                             emits, "validation:clampler" what the program sends. Short names: clampler, validation,
                             limited (tests/limited_driver); others are taken as they are; NULL, "" and "none": none */
    uint32_t api_version; /* VK_API_VERSION_1_x; 0: 1.3 */
    const char *const *instance_extensions; /* beyond VK_EXT_debug_utils, which is always enabled */
    uint32_t instance_extension_count;
    const char *const *device_extensions; /* enabled as they are; a missing one fails */
    uint32_t device_extension_count;
    const char *wanted_extension;             /* enabled where the device has it, which `has_wanted` says */
    const void *instance_next;                /* chained to VkInstanceCreateInfo, in front of the harness's own */
    const void *device_next;                  /* chained to VkDeviceCreateInfo; may hold VkPhysicalDeviceFeatures2 */
    const VkPhysicalDeviceFeatures *features; /* must be NULL where device_next has VkPhysicalDeviceFeatures2 */
    const VkPhysicalDeviceFeatures *wanted;   /* enabled beside `features` where the device has them; likewise */
    bool gl_sampler;              /* enable VK_CLAMPLER_gl_sampler with its feature glSampler; needs the layer */
    bool alpha_to_one;            /* with gl_sampler: enable alphaToOneAttachments and glImageView */
    bool gl_image_view;           /* with gl_sampler: enable glImageView as well */
    bool filter_emulation;        /* with gl_sampler: enable linearFilterEmulation as well */
    bool sampling_features;       /* enable what sampling can use where the device has it: samplerAnisotropy,
                                     shaderImageGatherExtended, imageCubeArray, shaderResourceMinLod, textureCompressionBC,
                                     samplerMirrorClampToEdge, VK_EXT_custom_border_color, VK_EXT_image_view_min_lod;
                                     then `features` must be NULL and
                                     device_next free of the structures behind them */
    bool non_seamless_cube;       /* enable VK_EXT_non_seamless_cube_map where the device has it */
    bool filter_cubic;            /* likewise VK_EXT_filter_cubic */
    bool cubic_weights;           /* beside it VK_QCOM_filter_cubic_weights */
    bool border_color_swizzle;    /* likewise VK_EXT_border_color_swizzle, with both of its features */
    bool sync_validation;         /* the validation layer also checks synchronisation */
    enum harness_linking linking; /* enable what it needs, which must be there (harness_lacks) */
    enum harness_sets sets;       /* likewise; HARNESS_SETS_AFTER_BIND goes with sampling_features only, and
                                     those from HARNESS_SETS_DESCRIPTOR_BUFFER on with them or with
                                     bufferDeviceAddress in device_next */
};

struct harness_vulkan {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;   /* graphics and compute */
    uint32_t family; /* its queue family */
    enum harness_linking linking;
    enum harness_sets sets;
    struct linked *linked;        /* pipelines with their libraries (pipeline.c) */
    struct harness_known *known;  /* where sets are heaps: what handles were created with (heap_known.c) */
    VkCommandPool pool;           /* command buffers of it can be reset one by one */
    VkDescriptorPool descriptors; /* 1,024 sets of every kind of descriptor, sets can be freed */
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDeviceFeatures features; /* that `features` and `wanted` enabled */
    bool has_wanted;
    bool gl_sampler;           /* glSampler is enabled */
    bool gl_image_view;        /* glImageView is enabled */
    bool non_seamless_cube;    /* VK_EXT_non_seamless_cube_map is enabled */
    bool filter_cubic;         /* VK_EXT_filter_cubic is */
    bool cubic_weights;        /* VK_QCOM_filter_cubic_weights is */
    bool border_color_swizzle; /* VK_EXT_border_color_swizzle is enabled, mappings of views included */
    /* Enabled by sampling_features. */
    bool minmax; /* reduction modes; not beside gl_sampler, which brings its own */
    bool custom_border_color, mirror_clamp_to_edge, anisotropy, gather_extended, cube_array, min_lod, bc;
    bool view_min_lod;                /* VK_EXT_image_view_min_lod is enabled */
    PFN_clamplerGetCounters counters; /* NULL where the layer is not there or inert */
};

/*
 * Fills *vk; the caller owns it and closes it. Never returns on failure. What the params ask for and the driver lacks,
 * the limited driver among the layers included, skips the test; what the driver has and the layer refuses fails it.
 */
void harness_vulkan_open(struct harness_vulkan *vk, const struct harness_vulkan_params *params);

/*
 * Like harness_vulkan_open up to vkCreateDevice, whose result it returns; on failure nothing is left open. For tests
 * of what the layer refuses.
 */
VkResult harness_vulkan_try(struct harness_vulkan *vk, const struct harness_vulkan_params *params);

/*
 * Whether the extension's structures reach the layer where these layers stand. Newer validation layers make copies of
 * the chains that they hand on, from which they drop what they do not know. Asked by a device that the layer must
 * refuse; the messages counted so far are lost.
 */
bool harness_structures_arrive(const char *layers);
#define HARNESS_DROPPED "the validation layer above drops the extension's structures"

/*
 * Where the layers begin with the validation layer and the structures do not arrive, the process ends as a test that is
 * skipped. Call it before the test opens anything.
 */
void harness_skip_where_dropped(const char *layers);

/* The layers in CLAMPLER_TEST_LAYERS, for which harness_skip_where_dropped is called, else `otherwise`. */
const char *harness_test_layers(const char *otherwise);

/* Does validation stand above these layers? */
bool harness_validation_above(const char *layers);

/* The name of the next layer but validation, of *length characters; "" behind the last. */
const char *harness_next_layer(const char *layers, size_t *length);

/* These layers without the validation layer, for what it does not know. Valid until the next call. */
const char *harness_without_validation(const char *layers);

/*
 * Whether the machine's validation layer is of this version of Vulkan or a newer one; true where there is none. An
 * older one refuses an extension's structures, and hands on its own handles of images in commands that it does not
 * know.
 */
bool harness_validation_is(uint32_t version);

/*
 * Keeps the driver's library in the process, by an instance that is never destroyed. NVIDIA's driver 580.159 can be
 * loaded and unloaded 30 times only, with or without layers, and takes OpenGL's contexts and EGL's displays along when
 * it goes: for tests that open more than a few devices one after the other, and before OpenGL is opened.
 */
void harness_vulkan_hold_driver(void);

/* Waits for the device and destroys what harness_vulkan_open made. Objects of the test must be gone. */
void harness_vulkan_close(struct harness_vulkan *vk);

/* Whether the physical device lists a device extension. */
bool harness_has_extension(const struct harness_vulkan *vk, const char *name);

/* What the physical device lacks for such pipelines and sets, or NULL: a static string. */
const char *harness_lacks(const struct harness_vulkan *vk, enum harness_linking linking, enum harness_sets sets);

/* Whether the first driver lists it, without any layer; opens a device to see. */
bool harness_driver_has(const char *extension);

/* VkPhysicalDeviceDriverProperties::driverInfo; empty where the device is older than Vulkan 1.2. */
void harness_driver_info(const struct harness_vulkan *vk, char *text, size_t size);

/*
 * Code that looks up without comparing through a sampler that compares, be it never executed, ends the process in
 * lavapipe's compiler (Mesa 22.3). It counts as such a one where the device says no version.
 */
bool harness_ends_by_plain_lookups(const struct harness_vulkan *vk);

/* The layer's counters, zero where there are none. */
struct clampler_counters harness_counters(const struct harness_vulkan *vk);

/* ---- Messages ---- */

/*
 * Warnings and errors of the validation layer (and of anything that is neither the loader nor Clampler) since the start
 * or the last reset. Each is printed as it comes, the first 20 of a kind. The process ends with status 1 if one of them
 * was in no count that this returned: a reset does not excuse what nobody has asked about.
 */
uint32_t harness_messages(void);

/*
 * Messages of one kind count apart until EXCUSE_NOTHING:
 *
 * EXCUSE_FILTERS: linear filters of formats that cannot be filtered, or have no minima and maxima. For lookups through
 * separate descriptors: the driver is told of a sampler that filters and of an image that cannot be filtered, and only
 * the shader, which validation does not run, knows that the two are never used together so. And for minima and maxima,
 * of which older validation layers believe that they need linear filters of the format. And for border colours without
 * a format beside images whose format must be named, which are never sampled through such samplers. EXCUSE_POOLS: sets
 * of more than their pool's sizes name, which Vulkan 1.1 allows; newer validation layers warn that the pool may be
 * empty. EXCUSE_SET_LAYOUTS: pipeline layouts whose set layouts are destroyed, which may be used on: nothing but sets'
 * updates looks at those again (VkDescriptorSetLayout). Newer validation layers call it an error of compute pipelines.
 */
enum harness_excuse { EXCUSE_NOTHING, EXCUSE_FILTERS, EXCUSE_POOLS, EXCUSE_SET_LAYOUTS };
void harness_messages_excuse(enum harness_excuse kind);
uint32_t harness_messages_excused(void);

/* Warnings and errors of Clampler itself; the texts live until the reset. */
uint32_t harness_layer_messages(void);
const char *harness_layer_message(uint32_t index);

void harness_messages_reset(void);

/* The reset after calls that validation must object to: what it said so far was asked for. */
void harness_messages_provoked(void);

/* ---- Results ---- */

/* Checks a VkResult: anything but VK_SUCCESS ends the process, naming the call. */
#define HARNESS_VK(call) harness_check_result((call), #call, __FILE__, __LINE__)
void harness_check_result(VkResult result, const char *call, const char *file, int line);

/* Ends the process with status 1 and a message in the manner of printf, without a newline at its end. */
_Noreturn void harness_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The driver lacks something, which is printed. In a test of cmocka's that test is skipped, and the call does not
 * return; elsewhere the process ends with status 77, which ctest counts as skipped.
 */
_Noreturn void harness_lacking(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* malloc'ed zeroed memory that is never NULL; free() it. */
void *harness_alloc(size_t count, size_t size);

/* A VkResult's name, "VK_ERROR_…"; a static string. */
const char *harness_result_name(VkResult result);

/* A device command by name, never NULL: HARNESS_PROC(vk, vkCmdPushDescriptorSetKHR)(…). */
#define HARNESS_PROC(vk, name) ((PFN_##name)harness_proc((vk), #name))
PFN_vkVoidFunction harness_proc(const struct harness_vulkan *vk, const char *name);

#endif
