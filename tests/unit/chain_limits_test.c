/* SPDX-License-Identifier: MIT */
/*
 * Every property of every structure of the registry, on the driver and on each profile of the limited driver: the
 * driver's own where the layer is inert, and where it is active no poorer than Vulkan requires ("Required Limits") or,
 * if that is less, than the driver's.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/device/environment.h"
#include "chain_limits_solid.h"
#include "newer_vulkan.h"
#include "loader_fixture.h"
#include "registry.h"

#include "limited_driver.h"

#define LIMITED "VK_LAYER_CLAMPLER_TEST_limited_driver"

/*
 * The specification's table, of what the layer may change: what Vulkan requires, and what Vulkan 1.4 does. Limits of
 * how many are at least that, sizes of descriptors at most. In maxDescriptorSet* n is 6 stages.
 */
static const struct {
    const char *structure, *name;
    uint64_t required, newer;
} rows[] = {
    {"VkPhysicalDeviceLimits", "maxTexelBufferElements", 65536, 65536},
    /* 256 in Vulkan 1.4; who asks is told of the root's 8 bytes, which others must not know of
       (queries/app_descriptors.c). */
    {"VkPhysicalDeviceLimits", "maxPushConstantsSize", 128, 248},
    {"VkPhysicalDeviceLimits", "maxSamplerAllocationCount", 4000, 4000},
    {"VkPhysicalDeviceLimits", "maxPerStageDescriptorSamplers", 16, 16},
    {"VkPhysicalDeviceLimits", "maxPerStageDescriptorUniformBuffers", 12, 15},
    {"VkPhysicalDeviceLimits", "maxPerStageDescriptorStorageBuffers", 4, 4},
    {"VkPhysicalDeviceLimits", "maxPerStageResources", 128, 200},
    {"VkPhysicalDeviceLimits", "maxDescriptorSetSamplers", 96, 96},
    {"VkPhysicalDeviceLimits", "maxDescriptorSetUniformBuffers", 72, 90},
    {"VkPhysicalDeviceLimits", "maxDescriptorSetStorageBuffers", 24, 96},
    {NULL, "maxPerSetDescriptors", 1024, 1024},
    {NULL, "maxUpdateAfterBindDescriptorsInAllPools", 500000, 500000},
    {NULL, "maxPerStageDescriptorUpdateAfterBindSamplers", 500000, 500000},
    {NULL, "maxPerStageDescriptorUpdateAfterBindUniformBuffers", 12, 15},
    {NULL, "maxPerStageDescriptorUpdateAfterBindStorageBuffers", 500000, 500000},
    {NULL, "maxPerStageUpdateAfterBindResources", 500000, 500000},
    {NULL, "maxDescriptorSetUpdateAfterBindSamplers", 500000, 500000},
    {NULL, "maxDescriptorSetUpdateAfterBindUniformBuffers", 72, 90},
    {NULL, "maxDescriptorSetUpdateAfterBindStorageBuffers", 500000, 500000},
    {"VkPhysicalDeviceDescriptorBufferPropertiesEXT", "samplerDescriptorSize", 256, 256},
    {"VkPhysicalDeviceDescriptorBufferPropertiesEXT", "combinedImageSamplerDescriptorSize", 256, 256},
    {"VkPhysicalDeviceDescriptorBufferPropertiesEXT", "sampledImageDescriptorSize", 256, 256},
    {"VkPhysicalDeviceDescriptorBufferPropertiesEXT", "uniformTexelBufferDescriptorSize", 256, 256},
    {"VkPhysicalDeviceDescriptorBufferPropertiesEXT", "robustUniformTexelBufferDescriptorSize", 256, 256},
    {"VkPhysicalDeviceDescriptorBufferPropertiesEXT", "inputAttachmentDescriptorSize", 256, 256},
    {"VkPhysicalDeviceDescriptorHeapPropertiesEXT", "samplerDescriptorSize", 32, 32},
    {"VkPhysicalDeviceDescriptorHeapPropertiesEXT", "imageDescriptorSize", 64, 64},
    {"VkPhysicalDeviceDescriptorHeapPropertiesEXT", "minSamplerHeapReservedRange", UINT64_MAX, UINT64_MAX},
    {"VkPhysicalDeviceDescriptorHeapPropertiesEXT", "maxDescriptorHeapEmbeddedSamplers", 0, 0},
    {"VkPhysicalDeviceDescriptorHeapPropertiesEXT", "maxPushDataSize", 0, 0},
    {"VkPhysicalDeviceShaderObjectPropertiesEXT", "shaderBinaryUUID", 0, 0}, /* which is no limit */
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* A maximum: descriptors must not be larger, though the registry calls the sizes so that smaller is poorer. */
static bool is_size(const char *name)
{
    return strstr(name, "DescriptorSize") != NULL || !strcmp(name, "minSamplerHeapReservedRange");
}

static int row_of(const struct registry_structure *structure, const char *name)
{
    for (int i = 0; i < ROWS; i++) {
        if (!strcmp(rows[i].name, name) && (!rows[i].structure || !strcmp(rows[i].structure, structure->name)))
            return i;
    }
    return -1;
}

/* ---- All properties of a device ---- */

enum { STRUCTURES_MOST = 512, STRUCTURE_BYTES = 4096 };

struct device {
    uint32_t version;
    bool has[STRUCTURES_MOST];
    struct {
        _Alignas(16) unsigned char bytes[STRUCTURE_BYTES];
    } of[STRUCTURES_MOST];
};

static VkExtensionProperties listed[1024];
static uint32_t listed_count;

/* `extensions`: names with one space between them. */
static bool lists_one_of(const char *extensions)
{
    char all[1024];
    snprintf(all, sizeof(all), "%s", extensions);
    for (char *rest = NULL, *name = strtok_r(all, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        for (uint32_t i = 0; i < listed_count; i++) {
            if (!strcmp(listed[i].extensionName, name))
                return true;
        }
    }
    return false;
}

static bool is_there(const struct registry_structure *s, uint32_t version)
{
    return !s->feature && s->type != VK_STRUCTURE_TYPE_MAX_ENUM &&
           ((s->core && s->core <= version) || lists_one_of(s->extensions));
}

/* One structure at a time: some must not stand beside others. What it says beside the core properties must agree. */
static void ask(const struct fixture *fixture, bool asks, uint32_t index, struct device *device)
{
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER ours = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    VkBaseOutStructure *own = (void *)device->of[index].bytes;
    if (index != REGISTRY_LIMITS) {
        own->sType = registry_structures[index].type;
        properties.pNext = own;
    }
    if (asks) {
        ours.pNext = properties.pNext;
        properties.pNext = &ours;
    }
    vkGetPhysicalDeviceProperties2(fixture->physical, &properties);
    if (index == REGISTRY_LIMITS)
        memcpy(device->of[index].bytes, &properties.properties.limits, sizeof(properties.properties.limits));
    else
        own->pNext = NULL;
    device->has[index] = true;
}

static void ask_all(uint32_t version, const char *const *layers, bool asks, struct device *device)
{
    struct fixture fixture;
    VkPhysicalDeviceProperties core;
    memset(device, 0, sizeof(*device));
    assert_int_equal(fixture_open(&fixture, version, layers, NULL), VK_SUCCESS);
    listed_count = 1024;
    assert_int_equal(vkEnumerateDeviceExtensionProperties(fixture.physical, NULL, &listed_count, listed), VK_SUCCESS);
    vkGetPhysicalDeviceProperties(fixture.physical, &core);
    device->version = core.apiVersion < version ? core.apiVersion & ~0xfffu : version;
    assert_true(registry_structure_count <= STRUCTURES_MOST);
    ask(&fixture, asks, REGISTRY_LIMITS, device);
    for (uint32_t i = 0; device->version >= VK_API_VERSION_1_1 && i < registry_structure_count; i++) {
        if (is_there(&registry_structures[i], device->version))
            ask(&fixture, asks, i, device);
    }
    /* Without a chain nobody asks. */
    if (!asks)
        assert_int_equal(
            core.limits.maxPerStageResources,
            ((const VkPhysicalDeviceLimits *)(const void *)device->of[REGISTRY_LIMITS].bytes)->maxPerStageResources);
    fixture_close(&fixture);
}

/* ---- Comparing ---- */

static uint64_t value_of(const struct device *device, const struct registry_member *m)
{
    const unsigned char *at = device->of[m->structure].bytes + m->offset;
    uint32_t narrow;
    uint64_t wide;
    memcpy(&narrow, at, sizeof(narrow));
    if (m->size < sizeof(wide))
        return narrow;
    memcpy(&wide, at, sizeof(wide));
    return wide;
}

static bool same(const struct device *a, const struct device *b, const struct registry_member *m)
{
    return !memcmp(a->of[m->structure].bytes + m->offset, b->of[m->structure].bytes + m->offset, m->size);
}

static uint32_t compared, changed, wrong;

static void compare(const struct device *driver, const struct device *seen, bool inert, bool asks, const char *about)
{
    for (uint32_t i = 0; i < registry_member_count; i++) {
        const struct registry_member *m = &registry_members[i];
        const struct registry_structure *s = &registry_structures[m->structure];
        const int row = row_of(s, m->name);
        if (!driver->has[m->structure] || !seen->has[m->structure])
            continue;
        compared++;
        if (same(driver, seen, m))
            continue;
        changed++;
        bool right = !inert && row >= 0;
        const uint64_t was = value_of(driver, m), is = value_of(seen, m);
        const uint64_t required = row < 0                                              ? 0
                                  : driver->version >= VK_MAKE_API_VERSION(0, 1, 4, 0) ? rows[row].newer
                                                                                       : rows[row].required;
        if (right && is_size(m->name))
            right = asks || is <= (was > required ? was : required); /* who asks sees larger ones */
        else if (right && m->limit == LIMIT_MAX)
            right = is >= (was < required ? was : required);
        if (!right) {
            print_message("%s: %s::%s is %llu, the driver's is %llu\n", about, s->name, m->name, (unsigned long long)is,
                          (unsigned long long)was);
            wrong++;
        }
    }
}

/* ---- Tests ---- */

static const uint32_t versions[] = {VK_API_VERSION_1_1, VK_API_VERSION_1_2, VK_API_VERSION_1_3,
                                    VK_MAKE_API_VERSION(0, 1, 4, 0)};

static void check_profile(const char *profile)
{
    static const char *const with[] = {CLAMPLER, LIMITED, NULL}, *const without[] = {LIMITED, NULL};
    static const char *const settings[] = {"VK_CLAMPLER_FORCE_ACTIVE=true", "VK_CLAMPLER_TEXEL_BUFFERS=emulate",
                                           "VK_CLAMPLER_GL_CLAMP=edge"};
    static struct device driver, seen;
    char about[256];
    setenv("LIMITED_DRIVER_PROFILE", profile, 1);
    for (size_t v = 0; v < sizeof(versions) / sizeof(*versions); v++) {
        ask_all(versions[v], without, false, &driver);
        for (unsigned asks = 0; asks < 2; asks++) {
            snprintf(about, sizeof(about), "%s, Vulkan 1.%zu, %s", profile, v + 1, asks ? "asks" : "inert");
            ask_all(versions[v], with, asks, &seen);
            compare(&driver, &seen, !asks, asks, about);
        }
        for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
            char name[64], *value;
            snprintf(name, sizeof(name), "%s", settings[i]);
            value = strchr(name, '=');
            *value++ = '\0';
            setenv(name, value, 1);
            snprintf(about, sizeof(about), "%s, Vulkan 1.%zu, %s", profile, v + 1, settings[i]);
            ask_all(versions[v], with, false, &seen);
            compare(&driver, &seen, false, false, about);
            unsetenv(name);
        }
    }
    unsetenv("LIMITED_DRIVER_PROFILE");
}

static const char *profiles_path;

static void no_limit_is_below_what_vulkan_requires_on_any_device(void **state)
{
    (void)state;
    DIR *folder = opendir(profiles_path);
    uint32_t profiles = 0;
    assert_non_null(folder);
    check_profile("");
    assert_true(compared > 1000 && changed > 20);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *end = strstr(entry->d_name, ".txt");
        char profile[64];
        if (!end)
            continue;
        snprintf(profile, sizeof(profile), "%.*s", (int)(end - entry->d_name), entry->d_name);
        check_profile(profile);
        profiles++;
    }
    closedir(folder);
    assert_true(profiles > 10);
    print_message("%u values compared, %u changed\n", compared, changed);
    assert_int_equal(wrong, 0);
}

/* ---- What the layer takes is within what the driver has ---- */

static VkDescriptorSetLayout make_set(VkDevice device, VkDescriptorType type, uint32_t count, uint32_t samplers,
                                      VkDescriptorSetLayoutCreateFlags flags)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, samplers, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
        {1, type, count, VK_SHADER_STAGE_FRAGMENT_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .flags = flags,
                                                  .bindingCount = count ? 2 : 1,
                                                  .pBindings = bindings};
    VkDescriptorSetLayout layout;
    assert_int_equal(vkCreateDescriptorSetLayout(device, &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

static uint32_t made, refused, objects_made, objects_refused;

/* Shader objects name set layouts, too. The shader reads nothing. */
static void make_object(VkDevice device, const VkDescriptorSetLayout *layouts, uint32_t count, VkResult expected)
{
    const PFN_vkCreateShadersEXT create = (PFN_vkCreateShadersEXT)vkGetDeviceProcAddr(device, "vkCreateShadersEXT");
    const PFN_vkDestroyShaderEXT destroy = (PFN_vkDestroyShaderEXT)vkGetDeviceProcAddr(device, "vkDestroyShaderEXT");
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = sizeof(chain_limits_solid),
                                        .pCode = chain_limits_solid,
                                        .pName = "main",
                                        .setLayoutCount = count,
                                        .pSetLayouts = layouts};
    VkShaderEXT shader = (VkShaderEXT)(uintptr_t)1;
    if (!create)
        return;
    fixture_clear_messages();
    assert_int_equal(create(device, 1, &info, NULL, &shader), expected);
    assert_int_equal(fixture_messages.count, expected != VK_SUCCESS);
    assert_true(expected == VK_SUCCESS || shader == VK_NULL_HANDLE);
    if (expected != VK_SUCCESS)
        assert_non_null(strstr(fixture_messages.last, "vkCreateShadersEXT"));
    *(expected == VK_SUCCESS ? &objects_made : &objects_refused) += 1;
    destroy(device, shader, NULL);
}

/* `count` descriptors of a type in one stage, in the first of some sets with a sampler each. */
static void make_layout_of(VkDevice device, const VkPhysicalDeviceLimits *shown, uint32_t sets, VkDescriptorType type,
                           uint32_t count, uint32_t samplers, VkDescriptorSetLayoutCreateFlags flags)
{
    VkDescriptorSetLayout layouts[32];
    VkPipelineLayout layout;
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = sets, .pSetLayouts = layouts};
    if (samplers + sets - 1 > shown->maxPerStageDescriptorSamplers || samplers > 500)
        return;
    for (uint32_t i = 0; i < sets; i++)
        layouts[i] = make_set(device, type, i ? 0 : count, i ? 1 : samplers, flags);
    fixture_clear_messages();
    const VkResult result = vkCreatePipelineLayout(device, &info, NULL, &layout);
    if (result == VK_SUCCESS) {
        vkDestroyPipelineLayout(device, layout, NULL);
        if (fixture_messages.count)
            fail_msg("%u of type %u in %u sets: %s", count, type, sets, fixture_messages.last);
        made++;
    } else {
        assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_int_equal(fixture_messages.count, 1);
        assert_non_null(strstr(fixture_messages.last, "none is left for the records"));
        refused++;
    }
    make_object(device, layouts, sets, result);
    for (uint32_t i = 0; i < sets; i++)
        vkDestroyDescriptorSetLayout(device, layouts[i], NULL);
}

static void make_layout(VkDevice device, const VkPhysicalDeviceLimits *shown, uint32_t sets, VkDescriptorType type,
                        uint32_t count, uint32_t samplers)
{
    make_layout_of(device, shown, sets, type, count, samplers, 0);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void make_layouts(VkDevice device, const VkPhysicalDeviceLimits *l)
{
    const uint32_t uniform = least(l->maxPerStageDescriptorUniformBuffers, l->maxDescriptorSetUniformBuffers);
    const uint32_t storage = least(l->maxPerStageDescriptorStorageBuffers, l->maxDescriptorSetStorageBuffers);
    const uint32_t images = least(l->maxPerStageDescriptorSampledImages, l->maxDescriptorSetSampledImages);
    for (uint32_t sets = 1; sets <= least(l->maxBoundDescriptorSets, 8); sets++) {
        const uint32_t most = least(l->maxPerStageResources, 4000) - sets;
        make_layout(device, l, sets, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, least(uniform, most), 1);
        make_layout(device, l, sets, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, least(storage, most), 1);
        make_layout(device, l, sets, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, least(images - sets, most), 1);
        /* Whose records outgrow the smallest uniform buffer. */
        if (images >= 300 + sets && l->maxPerStageResources >= storage + sets + 300)
            make_layout(device, l, sets, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, storage, 300);
    }
}

static void layouts_at_every_limit_go_beyond_none_of_the_drivers(void **state)
{
    static const char *const profiles[] = {"",       "required-limits", "vulkan-1.0-minimum",
                                           "mobile", "uniform-records", "storage-records"};
    static const char *const layers[] = {CLAMPLER, VALIDATION, LIMITED, NULL};
    (void)state;
    setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1);
    for (size_t i = 0; i < sizeof(profiles) / sizeof(*profiles); i++) {
        struct fixture fixture;
        VkPhysicalDeviceProperties properties;
        VkDevice device;
        setenv("LIMITED_DRIVER_PROFILE", profiles[i], 1);
        if (fixture_open(&fixture, VK_API_VERSION_1_0, layers, NULL) == VK_ERROR_LAYER_NOT_PRESENT)
            skip();
        vkGetPhysicalDeviceProperties(fixture.physical, &properties);
        assert_int_equal(fixture_device(&fixture, NULL, NULL, NULL, &device), VK_SUCCESS);
        made = refused = 0;
        make_layouts(device, &properties.limits);
        const PFN_limitedDriverGetViolations violations =
            (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(device, "vkGetViolationsLIMITED");
        assert_non_null(violations);
        print_message("%s: %u layouts made, %u refused\n", profiles[i], made, refused);
        assert_int_equal(violations(device, 0, NULL), 0);
        assert_true(made + refused >= 9);
        /* Where the driver has nothing to spare some are, and only there. */
        assert_true(refused == 0 || made != 0);
        if (!strcmp(profiles[i], "required-limits"))
            assert_true(refused != 0);
        vkDestroyDevice(device, NULL);
        fixture_close(&fixture);
    }
    unsetenv("LIMITED_DRIVER_PROFILE");
    unsetenv("VK_CLAMPLER_FORCE_ACTIVE");
}

/* The layouts at the limits of sets that change after they are bound, on a driver that has what Vulkan requires of
 * them. */
static void layouts_that_change_after_binding_go_beyond_none_either(void **state)
{
    static const char *const layers[] = {CLAMPLER, VALIDATION, LIMITED, NULL};
    static const char *const objects[] = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME, NULL};
    struct fixture fixture;
    VkDevice device;
    (void)state;
    setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1);
    setenv("LIMITED_DRIVER_PROFILE", "required-after-bind", 1);
    if (fixture_open(&fixture, VK_API_VERSION_1_3, layers, NULL) == VK_ERROR_LAYER_NOT_PRESENT)
        skip();
    VkPhysicalDeviceVulkan12Properties shown = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &shown};
    VkPhysicalDeviceShaderObjectFeaturesEXT object = {.sType =
                                                          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
    VkPhysicalDeviceVulkan12Features has = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .pNext = &object};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
    vkGetPhysicalDeviceProperties2(fixture.physical, &properties);
    vkGetPhysicalDeviceFeatures2(fixture.physical, &features);
    const bool there = has.descriptorIndexing && shown.maxPerStageUpdateAfterBindResources;
    if (there) {
        const VkPhysicalDeviceShaderObjectFeaturesEXT wanted = {.sType = object.sType,
                                                                .shaderObject = object.shaderObject};
        const VkPhysicalDeviceLimits *l = &properties.properties.limits;
        const uint32_t uniform = least(shown.maxPerStageDescriptorUpdateAfterBindUniformBuffers,
                                       shown.maxDescriptorSetUpdateAfterBindUniformBuffers);
        assert_int_equal(fixture_device(&fixture, object.shaderObject ? objects : NULL,
                                        object.shaderObject ? &wanted : NULL, NULL, &device),
                         VK_SUCCESS);
        const PFN_limitedDriverGetViolations violations =
            (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(device, "vkGetViolationsLIMITED");
        made = refused = objects_made = objects_refused = 0;
        for (uint32_t sets = 1; sets <= least(l->maxBoundDescriptorSets, 4); sets++) {
            for (uint32_t less = 0; less <= sets; less++)
                make_layout_of(device, l, sets, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, uniform - less, 1,
                               VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT);
        }
        print_message("%u uniform buffers: %u layouts made, %u refused; %u shader objects made, %u refused\n", uniform,
                      made, refused, objects_made, objects_refused);
        assert_int_equal(violations(device, 0, NULL), 0);
        assert_true(made && refused);
        assert_true(!object.shaderObject || (objects_made == made && objects_refused == refused));
        vkDestroyDevice(device, NULL);
    }
    fixture_close(&fixture);
    unsetenv("LIMITED_DRIVER_PROFILE");
    unsetenv("VK_CLAMPLER_FORCE_ACTIVE");
    if (!there) {
        print_message("the driver has no descriptor indexing\n");
        skip();
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_limit_is_below_what_vulkan_requires_on_any_device),
        cmocka_unit_test(layouts_at_every_limit_go_beyond_none_of_the_drivers),
        cmocka_unit_test(layouts_that_change_after_binding_go_beyond_none_either),
    };
    if (argc != 2)
        return 2;
    profiles_path = argv[1];
    harness_environment_vulkan();
    return cmocka_run_group_tests_name("chain_limits", tests, NULL, NULL);
}
