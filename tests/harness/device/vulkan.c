/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "newer_vulkan.h"
#include "harness/device/environment.h"
#include "harness/resources/heap.h"
#include "harness/device/messages.h"
#include "harness/device/needs.h"
#include "harness/device/variation.h"
#include "harness/device/vulkan.h"

#define NAMES_MAX 32
#define LAYER_NAME_MAX 64
#define LOG_LEVEL "VK_CLAMPLER_GL_SAMPLER_LOG_LEVEL"

enum { SKIPPED = 77 }; /* the status that CMakeLists.txt takes for a test that could not be tried */

struct layer_names {
    char storage[NAMES_MAX][LAYER_NAME_MAX];
    const char *names[NAMES_MAX];
    uint32_t count;
    bool validation, clampler;
};

static const char *full_layer_name(const char *name)
{
    static const char *const table[][2] = {{"clampler", "VK_LAYER_CLAMPLER_gl_sampler"},
                                           {"validation", "VK_LAYER_KHRONOS_validation"},
                                           {"limited", "VK_LAYER_CLAMPLER_TEST_limited_driver"}};
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (strcmp(name, table[i][0]) == 0)
            return table[i][1];
    return name;
}

/* "clampler:validation" -> full names in the same order, which is the loader's: the first is nearest the program. */
static void parse_layers(struct layer_names *layers, const char *text)
{
    if (!text || strcmp(text, "none") == 0)
        return;
    while (*text) {
        size_t length = strcspn(text, ":");
        char name[LAYER_NAME_MAX];
        if (layers->count == NAMES_MAX || length >= sizeof(name))
            harness_fail("too many or too long layer names at \"%s\"", text);
        memcpy(name, text, length);
        name[length] = '\0';
        text += length;
        text += *text == ':';
        if (!length)
            continue;
        snprintf(layers->storage[layers->count], LAYER_NAME_MAX, "%s", full_layer_name(name));
        layers->names[layers->count] = layers->storage[layers->count];
        layers->validation |= strcmp(layers->names[layers->count], "VK_LAYER_KHRONOS_validation") == 0;
        layers->clampler |= strcmp(layers->names[layers->count], "VK_LAYER_CLAMPLER_gl_sampler") == 0;
        layers->count++;
    }
}

static void add_name(const char **names, uint32_t *count, const char *name)
{
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    if (*count == NAMES_MAX)
        harness_fail("more than %d extensions", NAMES_MAX);
    names[(*count)++] = name;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(void)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = harness_message,
    };
}

static void create_messenger(struct harness_vulkan *vk)
{
    VkDebugUtilsMessengerCreateInfoEXT info = messenger_info();
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(vk->instance, "vkCreateDebugUtilsMessengerEXT");
    if (!create)
        harness_fail("the loader has no VK_EXT_debug_utils");
    HARNESS_VK(create(vk->instance, &info, NULL, &vk->messenger));
}

static void destroy_instance(struct harness_vulkan *vk)
{
    PFN_vkDestroyDebugUtilsMessengerEXT destroy =
        (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(vk->instance, "vkDestroyDebugUtilsMessengerEXT");
    if (destroy && vk->messenger)
        destroy(vk->instance, vk->messenger, NULL);
    vkDestroyInstance(vk->instance, NULL);
}

static void create_instance(struct harness_vulkan *vk, const struct harness_vulkan_params *params,
                            const struct layer_names *layers)
{
    const char *extensions[NAMES_MAX];
    uint32_t extension_count = 0;
    add_name(extensions, &extension_count, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    for (uint32_t i = 0; i < params->instance_extension_count; i++)
        add_name(extensions, &extension_count, params->instance_extensions[i]);
    bool sync = params->sync_validation && layers->validation;
    if (sync)
        add_name(extensions, &extension_count, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);

    const VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info();
    messenger.pNext = params->instance_next;
    VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                        .pNext = &messenger,
                                        .enabledValidationFeatureCount = 1,
                                        .pEnabledValidationFeatures = enables};
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pApplicationName = "clampler tests",
                                     .apiVersion = params->api_version ? params->api_version : VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = sync ? (const void *)&features : (const void *)&messenger,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = layers->count,
                                 .ppEnabledLayerNames = layers->names,
                                 .enabledExtensionCount = extension_count,
                                 .ppEnabledExtensionNames = extensions};
    if (layers->validation)
        harness_messages_ask_validation();
    VkResult result = vkCreateInstance(&info, NULL, &vk->instance);
    if (result == VK_ERROR_LAYER_NOT_PRESENT)
        harness_fail("vkCreateInstance: one of the layers \"%s\" is not found; layer folders: %s", params->layers,
                     getenv("VK_LAYER_PATH")       ? getenv("VK_LAYER_PATH")
                     : getenv("VK_ADD_LAYER_PATH") ? getenv("VK_ADD_LAYER_PATH")
                                                   : "none beside the system's");
    HARNESS_VK(result);
}

static void choose_device(struct harness_vulkan *vk)
{
    enum { DEVICES_MAX = 16 };
    VkPhysicalDevice devices[DEVICES_MAX];
    uint32_t count = DEVICES_MAX;
    const uint32_t wanted_device = harness_environment_gpu();
    VkResult result = vkEnumeratePhysicalDevices(vk->instance, &count, devices);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        HARNESS_VK(result);
    if (count <= wanted_device)
        harness_fail("Vulkan has %u devices, number %u is wanted; VK_DRIVER_FILES is %s", count, wanted_device,
                     getenv("VK_DRIVER_FILES") ? getenv("VK_DRIVER_FILES") : "not set");
    vk->physical = devices[wanted_device];
    vkGetPhysicalDeviceProperties(vk->physical, &vk->properties);
    vkGetPhysicalDeviceMemoryProperties(vk->physical, &vk->memory);

    VkQueueFamilyProperties families[16];
    uint32_t family_count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(vk->physical, &family_count, families);
    const VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (vk->family = 0; vk->family < family_count; vk->family++)
        if ((families[vk->family].queueFlags & wanted) == wanted)
            return;
    harness_fail("%s has no queue family with graphics and compute", vk->properties.deviceName);
}

bool harness_has_extension(const struct harness_vulkan *vk, const char *name)
{
    uint32_t count = 0;
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(vk->physical, NULL, &count, NULL));
    VkExtensionProperties *extensions = harness_alloc(count, sizeof(*extensions));
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(vk->physical, NULL, &count, extensions));
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++)
        found = strcmp(extensions[i].extensionName, name) == 0;
    free(extensions);
    return found;
}

bool harness_driver_has(const char *extension)
{
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    const bool has = harness_has_extension(&vk, extension);
    harness_vulkan_close(&vk);
    return has;
}

/* The chain behind sampling_features; lives as long as vkCreateDevice needs it. */
struct sampling_features {
    VkPhysicalDeviceFeatures2 base;
    VkPhysicalDeviceVulkan12Features vulkan12;
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border;
    VkPhysicalDeviceImageViewMinLodFeaturesEXT view_min_lod;
};

/* Enables what the device has of it, `alone`: without glSampler; returns the head of a chain that ends in `next`. */
static const void *want_sampling_features(struct harness_vulkan *vk, struct sampling_features *wanted, bool alone,
                                          const char **extensions, uint32_t *extension_count, const void *next)
{
    struct sampling_features has = {
        .base = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has.vulkan12},
        .vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &has.border},
        .border = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT}};
    bool has_vulkan12 = vk->properties.apiVersion >= VK_API_VERSION_1_2;
    bool has_border = harness_has_extension(vk, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
    has.vulkan12.pNext = has_border ? &has.border : NULL;
    has.base.pNext = has_vulkan12 ? (void *)&has.vulkan12 : has.vulkan12.pNext;
    if (vk->properties.apiVersion >= VK_API_VERSION_1_1)
        vkGetPhysicalDeviceFeatures2(vk->physical, &has.base);
    else
        vkGetPhysicalDeviceFeatures(vk->physical, &has.base.features);

    vk->anisotropy = has.base.features.samplerAnisotropy;
    vk->gather_extended = has.base.features.shaderImageGatherExtended;
    vk->cube_array = has.base.features.imageCubeArray;
    vk->min_lod = has.base.features.shaderResourceMinLod;
    vk->bc = has.base.features.textureCompressionBC;
    vk->minmax = alone && has.vulkan12.samplerFilterMinmax;
    vk->mirror_clamp_to_edge = has.vulkan12.samplerMirrorClampToEdge;
    vk->custom_border_color = has.border.customBorderColors && has.border.customBorderColorWithoutFormat;
    *wanted = (struct sampling_features){
        .base = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                 .features = {.samplerAnisotropy = vk->anisotropy,
                              .shaderImageGatherExtended = vk->gather_extended,
                              .imageCubeArray = vk->cube_array,
                              .shaderResourceMinLod = vk->min_lod,
                              .textureCompressionBC = vk->bc}},
        .vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                     .samplerFilterMinmax = vk->minmax,
                     .samplerMirrorClampToEdge = vk->mirror_clamp_to_edge,
                     .bufferDeviceAddress =
                         vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER || harness_sets_are_heaps(vk->sets),
                     .descriptorBindingSampledImageUpdateAfterBind = vk->sets == HARNESS_SETS_AFTER_BIND},
        .border = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
                   .customBorderColors = VK_TRUE,
                   .customBorderColorWithoutFormat = VK_TRUE},
        .view_min_lod = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_MIN_LOD_FEATURES_EXT,
                         .minLod = VK_TRUE}};
    vk->view_min_lod = harness_has_extension(vk, VK_EXT_IMAGE_VIEW_MIN_LOD_EXTENSION_NAME);
    if (vk->view_min_lod) {
        add_name(extensions, extension_count, VK_EXT_IMAGE_VIEW_MIN_LOD_EXTENSION_NAME);
        wanted->view_min_lod.pNext = (void *)(uintptr_t)next;
        next = &wanted->view_min_lod;
    }
    if (vk->custom_border_color) {
        add_name(extensions, extension_count, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
        wanted->border.pNext = (void *)(uintptr_t)next;
        next = &wanted->border;
    }
    /*
     * Chained even where nothing of it is enabled: validation layers of 1.3.239 take reduction modes for disabled where
     * the layer below enables VK_EXT_sampler_filter_minmax by its name alone, which the specification allows.
     */
    if (has_vulkan12) {
        wanted->vulkan12.pNext = (void *)(uintptr_t)next;
        next = &wanted->vulkan12;
    }
    wanted->base.pNext = (void *)(uintptr_t)next;
    return &wanted->base;
}

static bool has_border_swizzle(const struct harness_vulkan *vk)
{
    VkPhysicalDeviceBorderColorSwizzleFeaturesEXT has = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
    if (harness_has_extension(vk, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME))
        vkGetPhysicalDeviceFeatures2(vk->physical, &features);
    return has.borderColorSwizzle && has.borderColorSwizzleFromImage;
}

/* What kinds of pipelines and sets need; lives as long as vkCreateDevice needs it. */
struct kind_features {
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries;
    VkPhysicalDeviceShaderObjectFeaturesEXT objects;
    VkPhysicalDeviceDynamicRenderingFeatures rendering;
    VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_types;
    VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffers;
    VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps;
    struct harness_features maintenance5, untyped_pointers;
};

static VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer_features(const struct harness_vulkan *vk)
{
    VkPhysicalDeviceDescriptorBufferFeaturesEXT has = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
    if (harness_has_extension(vk, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME))
        vkGetPhysicalDeviceFeatures2(vk->physical, &features);
    return has;
}

static bool has_heaps(const struct harness_vulkan *vk)
{
    VkPhysicalDeviceDescriptorHeapFeaturesEXT has = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
    if (harness_has_extension(vk, VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME))
        vkGetPhysicalDeviceFeatures2(vk->physical, &features);
    return has.descriptorHeap;
}

/* Heaps, flags of pipelines of more than 32 bits, and pointers without a type. */
static const void *want_heaps(struct kind_features *wanted, const char **extensions, uint32_t *extension_count,
                              const void *next)
{
    add_name(extensions, extension_count, VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME);
    add_name(extensions, extension_count, VK_KHR_MAINTENANCE_5_EXTENSION_NAME);
    add_name(extensions, extension_count, "VK_KHR_shader_untyped_pointers");
    wanted->untyped_pointers =
        (struct harness_features){(VkStructureType)1000387000, (void *)(uintptr_t)next, {VK_TRUE}};
    wanted->maintenance5 = (struct harness_features){(VkStructureType)1000470000, &wanted->untyped_pointers, {VK_TRUE}};
    wanted->heaps = (VkPhysicalDeviceDescriptorHeapFeaturesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
        .pNext = &wanted->maintenance5,
        .descriptorHeap = VK_TRUE};
    return &wanted->heaps;
}

/* Enables it; returns the head of a chain that ends in `next`. */
static const void *want_kinds(const struct harness_vulkan *vk, struct kind_features *wanted, const char **extensions,
                              uint32_t *extension_count, const void *next)
{
    *wanted = (struct kind_features){
        .libraries = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
                      .pNext = (void *)(uintptr_t)next,
                      .graphicsPipelineLibrary = VK_TRUE},
        .objects = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
                    .pNext = &wanted->rendering,
                    .shaderObject = VK_TRUE},
        .rendering = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
                      .pNext = (void *)(uintptr_t)next,
                      .dynamicRendering = VK_TRUE},
        .mutable_types = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
                          .mutableDescriptorType = VK_TRUE},
        .descriptor_buffers = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
                               .descriptorBuffer = VK_TRUE}};
    if (vk->linking == HARNESS_LIBRARY || vk->linking == HARNESS_FAST_LINKED) {
        add_name(extensions, extension_count, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME);
        add_name(extensions, extension_count, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME);
        next = &wanted->libraries;
    } else if (vk->linking == HARNESS_OBJECTS) {
        add_name(extensions, extension_count, VK_EXT_SHADER_OBJECT_EXTENSION_NAME);
        next = &wanted->objects;
    }
    if (vk->sets == HARNESS_SETS_PUSH) {
        add_name(extensions, extension_count, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
    } else if (vk->sets == HARNESS_SETS_MUTABLE) {
        const bool ext = harness_has_extension(vk, VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME);
        add_name(extensions, extension_count,
                 ext ? VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME : VK_VALVE_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME);
        wanted->mutable_types.pNext = (void *)(uintptr_t)next;
        next = &wanted->mutable_types;
    } else if (vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER) {
        const VkPhysicalDeviceDescriptorBufferFeaturesEXT has = descriptor_buffer_features(vk);
        add_name(extensions, extension_count, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME);
        wanted->descriptor_buffers.descriptorBufferPushDescriptors = has.descriptorBufferPushDescriptors;
        wanted->descriptor_buffers.pNext = (void *)(uintptr_t)next;
        next = &wanted->descriptor_buffers;
    } else if (harness_sets_are_heaps(vk->sets)) {
        next = want_heaps(wanted, extensions, extension_count, next);
    }
    return next;
}

const char *harness_lacks(const struct harness_vulkan *vk, enum harness_linking linking, enum harness_sets sets)
{
    VkPhysicalDeviceVulkan12Features vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &vulkan12};
    if (vk->properties.apiVersion >= VK_API_VERSION_1_2)
        vkGetPhysicalDeviceFeatures2(vk->physical, &features);
    if ((linking == HARNESS_LIBRARY || linking == HARNESS_FAST_LINKED) &&
        !harness_has_extension(vk, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
        return VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME;
    if (linking == HARNESS_OBJECTS && !harness_has_extension(vk, VK_EXT_SHADER_OBJECT_EXTENSION_NAME))
        return VK_EXT_SHADER_OBJECT_EXTENSION_NAME;
    if (sets == HARNESS_SETS_AFTER_BIND && !vulkan12.descriptorBindingSampledImageUpdateAfterBind)
        return "descriptorBindingSampledImageUpdateAfterBind";
    if (sets == HARNESS_SETS_MUTABLE && !harness_has_extension(vk, VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME) &&
        !harness_has_extension(vk, VK_VALVE_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME))
        return VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME;
    if (sets == HARNESS_SETS_PUSH && !harness_has_extension(vk, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME))
        return VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME;
    if (sets == HARNESS_SETS_DESCRIPTOR_BUFFER &&
        (!vulkan12.bufferDeviceAddress || !descriptor_buffer_features(vk).descriptorBuffer))
        return VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME;
    if (harness_sets_are_heaps(sets) && (!vulkan12.bufferDeviceAddress || !has_heaps(vk)))
        return VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME;
    if (harness_sets_are_heaps(sets) && !harness_has_extension(vk, "VK_KHR_shader_untyped_pointers"))
        return "VK_KHR_shader_untyped_pointers";
    return NULL;
}

/*
 * What the driver lacks of what is asked for, without the layers that stand above it: the limited driver is part of it.
 * The string is static.
 */
static const char *driver_lacks(const struct harness_vulkan_params *params, const VkDeviceCreateInfo *info)
{
    static char name[VK_MAX_EXTENSION_NAME_SIZE];
    const bool limited = params->layers && strstr(params->layers, "limited");
    struct layer_names layers = {.count = 0};
    struct harness_vulkan driver = {0};
    parse_layers(&layers, limited ? "limited" : "none");
    create_instance(&driver, &(struct harness_vulkan_params){.api_version = params->api_version}, &layers);
    choose_device(&driver);
    const char *missing = harness_missing(driver.physical, info);
    snprintf(name, sizeof(name), "%s", missing ? missing : "");
    destroy_instance(&driver);
    return missing ? name : NULL;
}

/* Those of `features`, and those of `wanted` that the device has. */
static void choose_features(struct harness_vulkan *vk, const struct harness_vulkan_params *params)
{
    enum { COUNT = sizeof(VkPhysicalDeviceFeatures) / sizeof(VkBool32) };
    VkBool32 has[COUNT], needed[COUNT] = {0}, wanted[COUNT] = {0};
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(vk->physical, &features);
    memcpy(has, &features, sizeof(has));
    if (params->features)
        memcpy(needed, params->features, sizeof(needed));
    if (params->wanted)
        memcpy(wanted, params->wanted, sizeof(wanted));
    for (unsigned i = 0; i < COUNT; i++)
        needed[i] |= wanted[i] & has[i];
    memcpy(&vk->features, needed, sizeof(needed));
}

/* `lacks`: where it is not NULL, what the driver lacks if that is why there is no device. */
static VkResult create_device(struct harness_vulkan *vk, const struct harness_vulkan_params *params, const char **lacks)
{
    const char *extensions[NAMES_MAX];
    uint32_t extension_count = 0;
    for (uint32_t i = 0; i < params->device_extension_count; i++)
        add_name(extensions, &extension_count, params->device_extensions[i]);
    struct sampling_features sampling;
    const void *next = params->device_next;
    vk->linking = params->linking;
    vk->sets = params->sets;
    choose_features(vk, params);
    vk->has_wanted = params->wanted_extension && harness_has_extension(vk, params->wanted_extension);
    if (vk->has_wanted)
        add_name(extensions, &extension_count, params->wanted_extension);
    if (params->gl_sampler)
        add_name(extensions, &extension_count, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME);
    if (params->sampling_features)
        next = want_sampling_features(vk, &sampling, !params->gl_sampler, extensions, &extension_count, next);

    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT cube = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT,
        .pNext = (void *)(uintptr_t)next,
        .nonSeamlessCubeMap = VK_TRUE};
    vk->non_seamless_cube =
        params->non_seamless_cube && harness_has_extension(vk, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME);
    if (vk->non_seamless_cube) {
        add_name(extensions, &extension_count, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME);
        next = &cube;
    }
    VkPhysicalDeviceBorderColorSwizzleFeaturesEXT swizzle = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT,
        .pNext = (void *)(uintptr_t)next,
        .borderColorSwizzle = VK_TRUE,
        .borderColorSwizzleFromImage = VK_TRUE};
    vk->border_color_swizzle = params->border_color_swizzle && has_border_swizzle(vk);
    if (vk->border_color_swizzle) {
        add_name(extensions, &extension_count, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME);
        next = &swizzle;
    }
    VkPhysicalDeviceCubicWeightsFeaturesQCOM weights = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUBIC_WEIGHTS_FEATURES_QCOM,
        .pNext = (void *)(uintptr_t)next,
        .selectableCubicWeights = VK_TRUE};
    vk->filter_cubic = params->filter_cubic && harness_has_extension(vk, VK_EXT_FILTER_CUBIC_EXTENSION_NAME);
    vk->cubic_weights = vk->filter_cubic && params->cubic_weights &&
                        harness_has_extension(vk, VK_QCOM_FILTER_CUBIC_WEIGHTS_EXTENSION_NAME);
    if (vk->filter_cubic)
        add_name(extensions, &extension_count, VK_EXT_FILTER_CUBIC_EXTENSION_NAME);
    if (vk->cubic_weights) {
        add_name(extensions, &extension_count, VK_QCOM_FILTER_CUBIC_WEIGHTS_EXTENSION_NAME);
        next = &weights;
    }
    struct kind_features kinds;
    next = want_kinds(vk, &kinds, extensions, &extension_count, next);
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
        .pNext = (void *)(uintptr_t)next,
        .glSampler = VK_TRUE,
        .glImageView = params->gl_image_view || params->alpha_to_one,
        .alphaToOneAttachments = params->alpha_to_one,
        .linearFilterEmulation = params->filter_emulation,
    };
    vk->gl_sampler = params->gl_sampler;
    vk->gl_image_view = gl.glImageView;
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = vk->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = params->gl_sampler ? &gl : next,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = extension_count,
                               .ppEnabledExtensionNames = extensions,
                               .pEnabledFeatures = params->features || params->wanted ? &vk->features : NULL};
    const VkResult result = vkCreateDevice(vk->physical, &info, NULL, &vk->device);
    if (lacks && (result == VK_ERROR_EXTENSION_NOT_PRESENT || result == VK_ERROR_FEATURE_NOT_PRESENT))
        *lacks = driver_lacks(params, &info);
    return result;
}

static void create_pools(struct harness_vulkan *vk)
{
    VkCommandPoolCreateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                        .queueFamilyIndex = vk->family};
    HARNESS_VK(vkCreateCommandPool(vk->device, &commands, NULL, &vk->pool));

    VkDescriptorPoolSize sizes[VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 1];
    for (uint32_t i = 0; i <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT; i++)
        sizes[i] = (VkDescriptorPoolSize){(VkDescriptorType)i, 4096};
    VkDescriptorPoolCreateInfo descriptors = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                              .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                              .maxSets = 1024,
                                              .poolSizeCount = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 1,
                                              .pPoolSizes = sizes};
    HARNESS_VK(vkCreateDescriptorPool(vk->device, &descriptors, NULL, &vk->descriptors));
}

static VkResult try_to_open(struct harness_vulkan *vk, const struct harness_vulkan_params *params, const char **lacks)
{
    struct layer_names layers = {.count = 0};
    *vk = (struct harness_vulkan){0};
    harness_environment_vulkan();
    parse_layers(&layers, params->layers);
    if (params->gl_sampler && !layers.clampler)
        harness_fail("gl_sampler needs the layer clampler among \"%s\"", params->layers ? params->layers : "");
    create_instance(vk, params, &layers);
    create_messenger(vk);
    choose_device(vk);
    harness_environment_pin_libraries();
    VkResult result = create_device(vk, params, lacks);
    if (result != VK_SUCCESS) {
        destroy_instance(vk);
        *vk = (struct harness_vulkan){0};
        return result;
    }
    vkGetDeviceQueue(vk->device, vk->family, 0, &vk->queue);
    create_pools(vk);
    vk->counters = (PFN_clamplerGetCounters)vkGetDeviceProcAddr(vk->device, CLAMPLER_GET_COUNTERS);
    return VK_SUCCESS;
}

VkResult harness_vulkan_try(struct harness_vulkan *vk, const struct harness_vulkan_params *params)
{
    const VkResult result = try_to_open(vk, params, NULL);
    if (result == VK_SUCCESS)
        harness_variation_device(params->layers);
    return result;
}

void harness_vulkan_open(struct harness_vulkan *vk, const struct harness_vulkan_params *params)
{
    const char *lacks = NULL;
    VkResult result = try_to_open(vk, params, &lacks);
    if (lacks)
        harness_lacking("%s", lacks);
    if (result != VK_SUCCESS)
        harness_fail("%s from vkCreateDevice with layers \"%s\"", harness_result_name(result),
                     params->layers ? params->layers : "none");
    harness_variation_device(params->layers);
}

bool harness_structures_arrive(const char *layers)
{
    const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER, .glSampler = VK_TRUE};
    const char *level = getenv(LOG_LEVEL);
    struct harness_vulkan vk;
    harness_messages_reset();
    if (!level)
        setenv(LOG_LEVEL, "off", 1);
    const VkResult result =
        try_to_open(&vk, &(struct harness_vulkan_params){.layers = layers, .device_next = &features}, NULL);
    if (!level)
        unsetenv(LOG_LEVEL);
    if (result == VK_SUCCESS)
        harness_vulkan_close(&vk);
    harness_messages_provoked();
    return result != VK_SUCCESS;
}

void harness_skip_where_dropped(const char *layers)
{
    static bool arrive; /* once they do, nobody asks again */
    if (arrive || !harness_validation_above(layers))
        return;
    arrive = harness_structures_arrive(layers);
    if (arrive)
        return;
    printf("skipped: %s\n", HARNESS_DROPPED);
    exit(SKIPPED);
}

const char *harness_test_layers(const char *otherwise)
{
    const char *layers = getenv("CLAMPLER_TEST_LAYERS");
    if (!layers || !layers[0])
        return otherwise;
    harness_skip_where_dropped(layers);
    return layers;
}

bool harness_validation_above(const char *layers)
{
    return strncmp(layers, "validation:", 11) == 0;
}

const char *harness_next_layer(const char *layers, size_t *length)
{
    static const char validation[] = "validation";
    for (;; layers += *length) {
        layers += strspn(layers, ":");
        *length = strcspn(layers, ":");
        if (*length != strlen(validation) || strncmp(layers, validation, *length) != 0)
            return layers;
    }
}

const char *harness_without_validation(const char *layers)
{
    static char text[128];
    size_t size = 0, length;
    layers = harness_next_layer(layers, &length);
    while (length && size + length + 2 < sizeof(text)) {
        size += (size_t)snprintf(text + size, sizeof(text) - size, "%s%.*s", size ? ":" : "", (int)length, layers);
        layers = harness_next_layer(layers + length, &length);
    }
    text[size] = '\0';
    return text;
}

bool harness_validation_is(uint32_t version)
{
    uint32_t count = 0;
    bool is = true;
    HARNESS_VK(vkEnumerateInstanceLayerProperties(&count, NULL));
    VkLayerProperties *layers = harness_alloc(count, sizeof(*layers));
    HARNESS_VK(vkEnumerateInstanceLayerProperties(&count, layers));
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(layers[i].layerName, "VK_LAYER_KHRONOS_validation") == 0)
            is = layers[i].specVersion >= version;
    free(layers);
    return is;
}

void harness_vulkan_hold_driver(void)
{
    static struct harness_vulkan held;
    if (!held.instance)
        harness_vulkan_open(&held, &(struct harness_vulkan_params){.layers = "none"});
}

void harness_vulkan_close(struct harness_vulkan *vk)
{
    HARNESS_VK(vkDeviceWaitIdle(vk->device));
    harness_known_forget(vk);
    vkDestroyDescriptorPool(vk->device, vk->descriptors, NULL);
    vkDestroyCommandPool(vk->device, vk->pool, NULL);
    vkDestroyDevice(vk->device, NULL);
    destroy_instance(vk);
    *vk = (struct harness_vulkan){0};
}

void harness_driver_info(const struct harness_vulkan *vk, char *text, size_t size)
{
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &driver};
    if (vk->properties.apiVersion >= VK_API_VERSION_1_2)
        vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    snprintf(text, size, "%s", driver.driverInfo);
}

bool harness_ends_by_plain_lookups(const struct harness_vulkan *vk)
{
    char info[VK_MAX_DRIVER_INFO_SIZE];
    harness_driver_info(vk, info, sizeof(info));
    /* Where a profile hides the driver's version it may be that one. */
    return strstr(vk->properties.deviceName, "llvmpipe") && (!info[0] || strstr(info, "Mesa 22."));
}

struct clampler_counters harness_counters(const struct harness_vulkan *vk)
{
    struct clampler_counters counters;
    memset(&counters, 0, sizeof(counters));
    if (vk->counters)
        vk->counters(vk->device, &counters);
    return counters;
}

PFN_vkVoidFunction harness_proc(const struct harness_vulkan *vk, const char *name)
{
    PFN_vkVoidFunction proc = vkGetDeviceProcAddr(vk->device, name);
    if (!proc)
        harness_fail("vkGetDeviceProcAddr knows no %s", name);
    return proc;
}
