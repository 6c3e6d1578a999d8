/* SPDX-License-Identifier: MIT */
/* What stands between loader and driver (layer/entry/chain), through the real loader, with validation below where it
 * can. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "chain/entry_points.h"
#include "counters.h"
#include "harness/device/limits.h"
#include "harness/device/vulkan.h"
#include "loader_fixture.h"
#include "newer_vulkan.h"
#include "vulkan_commands.h"

static const char *const nothing[] = {NULL};
static const char *const ours[] = {CLAMPLER, NULL};
static const char *const checked[] = {CLAMPLER, VALIDATION, NULL};
static const char *const extension[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME, NULL};

static const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl_sampler = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER, .glSampler = VK_TRUE};

static void open_with(struct fixture *fixture, const char *const *layers)
{
    assert_int_equal(fixture_open(fixture, VK_API_VERSION_1_3, layers, NULL), VK_SUCCESS);
    fixture_clear_messages();
}

static void assert_said(const char *text)
{
    assert_int_equal(fixture_messages.count, 1);
    assert_non_null(strstr(fixture_messages.last, text));
}

static void assert_silent(void)
{
    if (fixture_messages.count)
        fail_msg("%u messages, the last: %s", fixture_messages.count, fixture_messages.last);
}

/* ---- Enumeration ---- */

static uint32_t times_listed(VkPhysicalDevice physical, const char *layer, uint32_t *total)
{
    VkExtensionProperties list[512];
    uint32_t listed = 0;
    *total = 512;
    assert_int_equal(vkEnumerateDeviceExtensionProperties(physical, layer, total, list), VK_SUCCESS);
    for (uint32_t i = 0; i < *total; i++)
        listed += !strcmp(list[i].extensionName, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME);
    return listed;
}

static void the_extension_is_listed_once(void **state)
{
    struct fixture fixture;
    uint32_t total, counted;
    (void)state;
    open_with(&fixture, ours);
    assert_int_equal(times_listed(fixture.physical, NULL, &total), 1);
    assert_int_equal(vkEnumerateDeviceExtensionProperties(fixture.physical, NULL, &counted, NULL), VK_SUCCESS);
    assert_int_equal(counted, total);
    assert_int_equal(times_listed(fixture.physical, "", &total), 1);
    assert_int_equal(counted, total);
    assert_int_equal(times_listed(fixture.physical, CLAMPLER, &total), 1);
    assert_int_equal(total, 1);
    fixture_close(&fixture);
}

static void a_short_array_is_filled_and_called_incomplete(void **state)
{
    struct fixture fixture;
    uint32_t total, count;
    (void)state;
    open_with(&fixture, ours);
    times_listed(fixture.physical, NULL, &total);
    VkExtensionProperties *list = calloc(total, sizeof(*list));
    count = total - 1;
    assert_int_equal(vkEnumerateDeviceExtensionProperties(fixture.physical, NULL, &count, list), VK_INCOMPLETE);
    assert_int_equal(count, total - 1);
    assert_int_equal(list[total - 1].specVersion, 0);
    free(list);
    fixture_close(&fixture);
}

/* ---- Queries ---- */

static void features_are_answered_in_the_middle_of_a_chain(void **state)
{
    struct fixture fixture;
    VkPhysicalDeviceVulkan12Features after = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER, .pNext = &after, .glImageView = 7};
    VkPhysicalDeviceVulkan11Features before = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                               .pNext = &gl};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &before};
    (void)state;
    open_with(&fixture, checked);
    vkGetPhysicalDeviceFeatures2(fixture.physical, &features);
    assert_true(gl.glSampler);
    assert_true(gl.glImageView == VK_TRUE || gl.glImageView == VK_FALSE);
    assert_true(after.samplerMirrorClampToEdge);
    assert_ptr_equal(features.pNext, &before);
    assert_ptr_equal(before.pNext, &gl);
    assert_ptr_equal(gl.pNext, &after);
    assert_silent();
    fixture_close(&fixture);
}

static void every_semantic_is_native_or_emulated_or_neither(void **state)
{
    struct fixture fixture;
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &gl};
    const VkGLSemanticFlagsCLAMPLER modes = VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER |
                                            VK_GL_SEMANTIC_MIRROR_CLAMP_BIT_CLAMPLER |
                                            VK_GL_SEMANTIC_MIRROR_CLAMP_TO_BORDER_BIT_CLAMPLER;
    (void)state;
    open_with(&fixture, checked);
    vkGetPhysicalDeviceProperties2(fixture.physical, &properties);
    assert_int_equal(gl.nativeSemantics & gl.emulatedSemantics, 0);
    assert_int_equal(gl.emulatedSemantics & modes, modes);
    assert_true(gl.maxTexelBufferElements > 0);
    const float limit = properties.properties.limits.maxSamplerLodBias;
    assert_int_equal(gl.nativeSemantics & VK_GL_SEMANTIC_LOD_BIAS_BIT_CLAMPLER,
                     limit >= 15.0f ? VK_GL_SEMANTIC_LOD_BIAS_BIT_CLAMPLER : 0);
    assert_true(gl.maxTextureLodBias == (limit >= 15.0f && limit < 16.0f ? limit : 16.0f));
    assert_silent();
    fixture_close(&fixture);
}

struct limits {
    VkPhysicalDeviceLimits core;
    VkPhysicalDeviceVulkan11Properties v11;
    VkPhysicalDeviceVulkan12Properties v12;
    VkPhysicalDeviceMaintenance3Properties maintenance3;
    VkPhysicalDeviceDescriptorIndexingProperties indexing;
};

static struct limits query_limits(const char *const *layers)
{
    struct fixture fixture;
    struct limits limits = {
        .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, .pNext = &limits.v11},
        .maintenance3 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES},
        .indexing = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES,
                     .pNext = &limits.maintenance3},
    };
    VkPhysicalDeviceProperties2 by_version = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &limits.v12};
    VkPhysicalDeviceProperties2 by_extension = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                                .pNext = &limits.indexing};
    VkPhysicalDeviceProperties first;
    open_with(&fixture, layers);
    vkGetPhysicalDeviceProperties(fixture.physical, &first);
    vkGetPhysicalDeviceProperties2(fixture.physical, &by_version);
    vkGetPhysicalDeviceProperties2(fixture.physical, &by_extension);
    limits.core = first.limits;
    assert_true(harness_same_limits(&first.limits, &by_version.properties.limits));
    assert_true(harness_same_limits(&first.limits, &by_extension.properties.limits));
    fixture_close(&fixture);
    return limits;
}

/* What is left of a limit: no less than Vulkan requires, where the driver has that much. */
static uint32_t less(uint32_t driver, uint32_t by, uint32_t required)
{
    const uint32_t least = driver < required ? driver : required;
    return driver >= by && driver - by > least ? driver - by : least;
}

static void limits_are_lowered_by_what_records_take_under_every_name(void **state)
{
    (void)state;
    const struct limits driver = query_limits(nothing), inert = query_limits(ours);
    assert_true(harness_same_limits(&driver.core, &inert.core));
    assert_int_equal(driver.v11.maxPerSetDescriptors, inert.v11.maxPerSetDescriptors);
    setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1);
    const struct limits seen = query_limits(ours);
    unsetenv("VK_CLAMPLER_FORCE_ACTIVE");
    const uint32_t sets = driver.core.maxBoundDescriptorSets;
    const uint32_t uniform = driver.core.maxPerStageDescriptorUniformBuffers >= sets + 12 ? sets : 0;
    const uint32_t storage = sets; /* of large sets, where the others have uniform buffers */
    const bool samplers = driver.core.maxPerStageDescriptorSamplers >= sets + 16;
    const uint32_t sampler = samplers ? sets : 0, after_bind = 500000;
#define LESS(member, by, required) assert_int_equal(seen.member, less(driver.member, by, required))
    LESS(core.maxPerStageDescriptorUniformBuffers, uniform, 12);
    LESS(core.maxPerStageDescriptorStorageBuffers, storage, 4);
    LESS(core.maxDescriptorSetUniformBuffers, uniform, 72);
    LESS(core.maxDescriptorSetStorageBuffers, storage, 24);
    LESS(core.maxPerStageResources, sets, 128);
    LESS(core.maxPerStageDescriptorSamplers, sampler, 16);
    LESS(core.maxDescriptorSetSamplers, sampler, 96);
    LESS(v11.maxPerSetDescriptors, samplers ? 2 : 1, 1024);
    LESS(v12.maxDescriptorSetUpdateAfterBindSamplers, sampler, after_bind);
    LESS(v12.maxPerStageDescriptorUpdateAfterBindUniformBuffers, uniform, 12);
    LESS(v12.maxPerStageDescriptorUpdateAfterBindStorageBuffers, storage, after_bind);
    LESS(v12.maxDescriptorSetUpdateAfterBindUniformBuffers, uniform, 72);
    LESS(v12.maxDescriptorSetUpdateAfterBindStorageBuffers, storage, after_bind);
    LESS(v12.maxPerStageUpdateAfterBindResources, sets, after_bind);
    LESS(v12.maxUpdateAfterBindDescriptorsInAllPools, driver.v12.maxUpdateAfterBindDescriptorsInAllPools / 4 * 3,
         after_bind);
    assert_int_equal(seen.maintenance3.maxPerSetDescriptors, seen.v11.maxPerSetDescriptors);

#define SAME(member) assert_int_equal(seen.indexing.member, seen.v12.member)
    SAME(maxPerStageDescriptorUpdateAfterBindUniformBuffers);
    SAME(maxPerStageDescriptorUpdateAfterBindStorageBuffers);
    SAME(maxDescriptorSetUpdateAfterBindUniformBuffers);
    SAME(maxDescriptorSetUpdateAfterBindStorageBuffers);
    SAME(maxPerStageUpdateAfterBindResources);
    SAME(maxPerStageDescriptorUpdateAfterBindSamplers);
    SAME(maxDescriptorSetUpdateAfterBindSamplers);
}

/* ---- Devices ---- */

#define NAME(name) "vk" #name,
#define ALIAS(alias, name) "vk" #alias,
#define NAMES(name) NAME(name) ALIASES_##name(ALIAS)
static const char *const active_names[] = {ACTIVE_HOOKS(NAMES)};
#define ACTIVE_NAMES (sizeof(active_names) / sizeof(*active_names))

static void an_inert_device_has_the_drivers_own_pointers(void **state)
{
    struct fixture plain, layered;
    VkDevice for_driver, device;
    uint32_t compared = 0;
    (void)state;
    open_with(&plain, nothing);
    open_with(&layered, ours);
    assert_int_equal(fixture_device(&plain, NULL, NULL, NULL, &for_driver), VK_SUCCESS);
    assert_int_equal(fixture_device(&layered, NULL, NULL, NULL, &device), VK_SUCCESS);
    for (size_t i = 0; i < ACTIVE_NAMES; i++) {
        /* Of an instance's extension: the loader answers from its table, which every device shares. */
        if (!strcmp(active_names[i], "vkSetDebugUtilsObjectNameEXT") ||
            !strcmp(active_names[i], "vkSetDebugUtilsObjectTagEXT"))
            continue;
        const PFN_vkVoidFunction function = vkGetDeviceProcAddr(device, active_names[i]);
        assert_ptr_equal(function, vkGetDeviceProcAddr(for_driver, active_names[i]));
        compared += function != NULL;
    }
    assert_true(compared > 40);
    assert_null(vkGetDeviceProcAddr(device, CLAMPLER_GET_COUNTERS));
    assert_null(vkGetDeviceProcAddr(device, "vkNoSuchCommand"));
    vkDestroyDevice(device, NULL);
    vkDestroyDevice(for_driver, NULL);
    fixture_close(&layered);
    fixture_close(&plain);
}

static void the_extension_without_any_feature_is_warned_of(void **state)
{
    static const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER none = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER};
    struct fixture fixture;
    VkDevice device;
    (void)state;
    for (unsigned chained = 0; chained < 2; chained++) {
        open_with(&fixture, ours);
        assert_int_equal(fixture_device(&fixture, extension, chained ? &none : NULL, NULL, &device), VK_SUCCESS);
        assert_said("is enabled and none of its features");
        assert_said("its setting custom_stype_list");
        vkDestroyDevice(device, NULL);
        fixture_clear_messages();
        assert_int_equal(fixture_device(&fixture, extension, &gl_sampler, NULL, &device), VK_SUCCESS);
        assert_silent();
        vkDestroyDevice(device, NULL);
        fixture_close(&fixture);
    }
}

static void an_active_device_has_hooks_for_what_exists_below(void **state)
{
    struct fixture plain, layered;
    VkDevice for_driver, device;
    uint32_t hooked = 0;
    (void)state;
    open_with(&plain, nothing);
    open_with(&layered, ours);
    assert_int_equal(fixture_device(&plain, NULL, NULL, NULL, &for_driver), VK_SUCCESS);
    assert_int_equal(fixture_device(&layered, extension, &gl_sampler, NULL, &device), VK_SUCCESS);
    for (size_t i = 0; i < ACTIVE_NAMES; i++) {
        const PFN_vkVoidFunction function = vkGetDeviceProcAddr(device, active_names[i]);
        const PFN_vkVoidFunction driver = vkGetDeviceProcAddr(for_driver, active_names[i]);
        assert_int_equal(function == NULL, driver == NULL);
        /* These the loader answers itself, whatever is below. */
        const bool loaders = !strcmp(active_names[i], "vkAllocateCommandBuffers") ||
                             !strcmp(active_names[i], "vkSetDebugUtilsObjectNameEXT") ||
                             !strcmp(active_names[i], "vkSetDebugUtilsObjectTagEXT");
        if (function && function == driver && !loaders)
            fail_msg("%s is not hooked", active_names[i]);
        hooked += function != NULL;
    }
    assert_true(hooked > 40);
    assert_null(vkGetDeviceProcAddr(device, "vkNoSuchCommand"));
    assert_null(vkGetDeviceProcAddr(device, ""));
    assert_ptr_equal(vkGetDeviceProcAddr(device, "vkCmdCopyBuffer"),
                     vkGetDeviceProcAddr(for_driver, "vkCmdCopyBuffer"));

    const PFN_clamplerGetCounters get = (PFN_clamplerGetCounters)vkGetDeviceProcAddr(device, CLAMPLER_GET_COUNTERS);
    struct clampler_counters counters = {.draws = {77}};
    assert_non_null(get);
    get(device, &counters);
    assert_int_equal(counters.draws[0], 0);
    vkDestroyDevice(device, NULL);
    vkDestroyDevice(for_driver, NULL);
    fixture_close(&layered);
    fixture_close(&plain);
}

/* ---- What goes down at device creation ---- */

/* Creates and destroys a device with validation below, which must find nothing to say. */
static void assert_device_is_clean(uint32_t version, const char *const *extensions, const void *next)
{
    struct fixture fixture;
    VkDevice device;
    assert_int_equal(fixture_open(&fixture, version, checked, NULL), VK_SUCCESS);
    fixture_clear_messages();
    assert_int_equal(fixture_device(&fixture, extensions, next, NULL, &device), VK_SUCCESS);
    vkDestroyDevice(device, NULL);
    assert_silent();
    fixture_close(&fixture);
}

static void what_goes_down_is_valid_under_every_version(void **state)
{
    (void)state;
    assert_device_is_clean(VK_API_VERSION_1_3, extension, &gl_sampler);
    assert_device_is_clean(VK_API_VERSION_1_2, extension, &gl_sampler);
    assert_device_is_clean(VK_API_VERSION_1_1, extension, &gl_sampler);
    assert_device_is_clean(VK_API_VERSION_1_0, extension, &gl_sampler);
    assert_device_is_clean(VK_API_VERSION_1_3, NULL, NULL);
}

static void what_goes_down_is_valid_beside_the_programs_features(void **state)
{
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = gl_sampler;
    VkPhysicalDeviceVulkan13Features v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .pNext = &v13};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v12};
    VkPhysicalDeviceDescriptorIndexingFeatures indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
    VkPhysicalDevicePrivateDataFeatures private_data = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, .pNext = &indexing};
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
        .pNext = &private_data,
        .customBorderColors = VK_TRUE};
    const char *const both[] = {VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME, NULL};
    (void)state;
    gl.pNext = &features;
    assert_device_is_clean(VK_API_VERSION_1_3, extension, &gl);
    gl.pNext = &border;
    assert_device_is_clean(VK_API_VERSION_1_3, both, &gl);
    gl.pNext = NULL;
    v13.pNext = &gl;
    assert_device_is_clean(VK_API_VERSION_1_3, extension, &features);
}

/* Debian 13's validation hands on what is first in the chain, and drops what is behind VkPhysicalDeviceFeatures2. */
static bool structures_arrive_behind_features(const char *const *layers)
{
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = gl_sampler;
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &gl};
    static const char *const none[] = {NULL};
    struct fixture fixture;
    VkDevice device;
    open_with(&fixture, layers);
    const bool dropped = fixture_device(&fixture, none, &features, NULL, &device) == VK_SUCCESS;
    if (dropped)
        vkDestroyDevice(device, NULL);
    fixture_close(&fixture);
    fixture_clear_messages();
    return !dropped;
}

static void a_program_that_uses_the_extension_is_valid_in_the_eyes_of_validation(void **state)
{
    static const char *const above[] = {VALIDATION, CLAMPLER, NULL};
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER semantics = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &semantics};
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = {.sType = gl_sampler.sType};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &gl};
    struct fixture fixture;
    VkDevice device;
    (void)state;
    if (!harness_structures_arrive("validation:clampler") || !structures_arrive_behind_features(above)) {
        print_message("skipped: %s\n", HARNESS_DROPPED);
        skip();
    }
    open_with(&fixture, above);
    vkGetPhysicalDeviceFeatures2(fixture.physical, &features);
    vkGetPhysicalDeviceProperties2(fixture.physical, &properties);
    assert_true(gl.glSampler);
    assert_true(semantics.emulatedSemantics & VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER);
    assert_int_equal(fixture_device(&fixture, extension, &features, NULL, &device), VK_SUCCESS);
    assert_non_null(vkGetDeviceProcAddr(device, CLAMPLER_GET_COUNTERS));
    vkDestroyDevice(device, NULL);
    assert_silent();
    fixture_close(&fixture);
}

static void the_programs_structures_may_be_in_read_only_memory(void **state)
{
    struct page {
        VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl;
        VkPhysicalDeviceVulkan12Features v12;
        VkPhysicalDeviceVulkan13Features v13;
        VkPhysicalDeviceCustomBorderColorFeaturesEXT border;
        char name[64];
        const char *names[2];
    };
    struct page *page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct fixture fixture;
    VkDevice device;
    (void)state;
    assert_ptr_not_equal(page, MAP_FAILED);
    page->v12 = (VkPhysicalDeviceVulkan12Features){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .pNext = &page->v13};
    page->v13 = (VkPhysicalDeviceVulkan13Features){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                   .pNext = &page->gl};
    page->gl = gl_sampler;
    page->gl.pNext = &page->border;
    page->border = (VkPhysicalDeviceCustomBorderColorFeaturesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT};
    strcpy(page->name, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME);
    page->names[0] = page->name;
    assert_int_equal(mprotect(page, sizeof(*page), PROT_READ), 0);

    open_with(&fixture, ours);
    assert_int_equal(fixture_device(&fixture, page->names, &page->v12, NULL, &device), VK_SUCCESS);
    vkDestroyDevice(device, NULL);
    fixture_close(&fixture);
    assert_int_equal(munmap(page, sizeof(*page)), 0);
}

static void structures_that_nobody_knows_pass_through(void **state)
{
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = gl_sampler;
    VkPhysicalDeviceVulkan13Features v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    const VkBaseInStructure unknown = {.sType = (VkStructureType)1999999123, .pNext = (const void *)&gl};
    struct fixture fixture;
    VkDevice device;
    (void)state;
    gl.pNext = &v13;
    open_with(&fixture, ours);
    assert_int_equal(fixture_device(&fixture, extension, &unknown, NULL, &device), VK_SUCCESS);
    assert_non_null(vkGetDeviceProcAddr(device, CLAMPLER_GET_COUNTERS));
    assert_int_equal(v13.privateData, VK_FALSE);
    vkDestroyDevice(device, NULL);
    fixture_close(&fixture);
}

/* ---- Refusals ---- */

static void a_feature_without_the_extension_is_refused_with_a_message(void **state)
{
    struct fixture fixture;
    VkDevice device;
    (void)state;
    open_with(&fixture, ours);
    assert_int_equal(fixture_device(&fixture, NULL, &gl_sampler, NULL, &device), VK_ERROR_VALIDATION_FAILED_EXT);
    assert_null(device);
    assert_non_null(strstr(fixture_messages.last, "glSampler"));
    assert_non_null(strstr(fixture_messages.last, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME));
    fixture_close(&fixture);
}

static void a_feature_that_is_not_offered_is_refused_with_a_message(void **state)
{
    static const char *const names[] = {"glSampler", "glImageView", "glBufferView", "alphaToOneAttachments",
                                        "linearFilterEmulation"};
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER offered = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &offered};
    struct fixture fixture;
    (void)state;
    open_with(&fixture, ours);
    vkGetPhysicalDeviceFeatures2(fixture.physical, &features);
    for (uint32_t i = 0; i < 5; i++) {
        VkPhysicalDeviceGLSamplerFeaturesCLAMPLER one = {.sType = offered.sType};
        const VkBool32 is_offered = (&offered.glSampler)[i];
        VkDevice device;
        (&one.glSampler)[i] = VK_TRUE;
        fixture_clear_messages();
        const VkResult result = fixture_device(&fixture, extension, &one, NULL, &device);
        assert_int_equal(result, is_offered ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
        if (result == VK_SUCCESS)
            vkDestroyDevice(device, NULL);
        else
            assert_non_null(strstr(fixture_messages.last, names[i]));
    }
    fixture_close(&fixture);
}

static void bad_settings_reach_the_messenger_that_is_chained_to_the_instance(void **state)
{
    const char *value = "sometimes";
    const VkLayerSettingEXT setting = {CLAMPLER, "tiers", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &value};
    const VkLayerSettingsCreateInfoEXT settings = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, .settingCount = 1, .pSettings = &setting};
    struct fixture fixture;
    (void)state;
    fixture_clear_messages();
    assert_int_equal(fixture_open(&fixture, VK_API_VERSION_1_3, ours, &settings), VK_SUCCESS);
    assert_non_null(strstr(fixture_messages.last, "\"sometimes\""));
    fixture_close(&fixture);
}

/* ---- Failures and many at once ---- */

struct counting {
    atomic_int left; /* allocations until they fail */
    atomic_int live;
};

static void *VKAPI_CALL counting_allocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    struct counting *counting = user;
    (void)scope;
    if (atomic_fetch_sub(&counting->left, 1) <= 0)
        return NULL;
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    counting->live += memory != NULL;
    return memory;
}

static void VKAPI_CALL counting_free(void *user, void *memory)
{
    struct counting *counting = user;
    counting->live -= memory != NULL;
    free(memory);
}

/* Sizes of old blocks are not known to this allocator, and no device creation here asks for that. */
static void *VKAPI_CALL counting_reallocate(void *user, void *memory, size_t size, size_t alignment,
                                            VkSystemAllocationScope scope)
{
    return memory ? NULL : counting_allocate(user, size, alignment, scope);
}

static void a_device_that_runs_out_of_memory_leaves_nothing_behind(void **state)
{
    struct fixture fixture;
    struct counting counting = {.left = 0};
    const VkAllocationCallbacks callbacks = {.pUserData = &counting,
                                             .pfnAllocation = counting_allocate,
                                             .pfnReallocation = counting_reallocate,
                                             .pfnFree = counting_free};
    VkDevice device;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    int limit;
    (void)state;
    open_with(&fixture, ours);
    for (limit = 0; limit < 200 && result != VK_SUCCESS; limit++) {
        counting.left = limit;
        result = fixture_device(&fixture, extension, &gl_sampler, &callbacks, &device);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        if (result != VK_SUCCESS)
            assert_int_equal(counting.live, 0);
    }
    assert_int_equal(result, VK_SUCCESS);
    assert_true(limit > 1);
    vkDestroyDevice(device, &callbacks);
    assert_int_equal(counting.live, 0);
    fixture_close(&fixture);
}

static void *make_devices(void *user)
{
    const struct fixture *fixture = user;
    for (int i = 0; i < 10; i++) {
        VkDevice active, inert;
        VkQueue queue;
        if (fixture_device(fixture, extension, &gl_sampler, NULL, &active) != VK_SUCCESS)
            return "no active device";
        if (fixture_device(fixture, NULL, NULL, NULL, &inert) != VK_SUCCESS)
            return "no inert device";
        vkGetDeviceQueue(active, 0, 0, &queue);
        if (!vkGetDeviceProcAddr(active, CLAMPLER_GET_COUNTERS) || vkGetDeviceProcAddr(inert, CLAMPLER_GET_COUNTERS))
            return "devices taken for each other";
        vkDestroyDevice(active, NULL);
        vkDestroyDevice(inert, NULL);
    }
    return NULL;
}

static void threads_make_devices_of_several_instances_at_once(void **state)
{
    enum { THREADS = 8 };
    struct fixture fixtures[2];
    pthread_t threads[THREADS];
    (void)state;
    open_with(&fixtures[0], ours);
    open_with(&fixtures[1], ours);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_devices, &fixtures[i % 2]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        if (wrong)
            fail_msg("%s", (const char *)wrong);
    }
    fixture_close(&fixtures[0]);
    fixture_close(&fixtures[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_extension_is_listed_once),
        cmocka_unit_test(a_short_array_is_filled_and_called_incomplete),
        cmocka_unit_test(features_are_answered_in_the_middle_of_a_chain),
        cmocka_unit_test(every_semantic_is_native_or_emulated_or_neither),
        cmocka_unit_test(limits_are_lowered_by_what_records_take_under_every_name),
        cmocka_unit_test(an_inert_device_has_the_drivers_own_pointers),
        cmocka_unit_test(an_active_device_has_hooks_for_what_exists_below),
        cmocka_unit_test(the_extension_without_any_feature_is_warned_of),
        cmocka_unit_test(what_goes_down_is_valid_under_every_version),
        cmocka_unit_test(what_goes_down_is_valid_beside_the_programs_features),
        cmocka_unit_test(a_program_that_uses_the_extension_is_valid_in_the_eyes_of_validation),
        cmocka_unit_test(the_programs_structures_may_be_in_read_only_memory),
        cmocka_unit_test(structures_that_nobody_knows_pass_through),
        cmocka_unit_test(a_feature_without_the_extension_is_refused_with_a_message),
        cmocka_unit_test(a_feature_that_is_not_offered_is_refused_with_a_message),
        cmocka_unit_test(bad_settings_reach_the_messenger_that_is_chained_to_the_instance),
        cmocka_unit_test(a_device_that_runs_out_of_memory_leaves_nothing_behind),
        cmocka_unit_test(threads_make_devices_of_several_instances_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
