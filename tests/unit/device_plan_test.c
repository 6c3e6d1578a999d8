/* SPDX-License-Identifier: MIT */
/*
 * What goes down in vkCreateDevice (layer/entry/device_plan) where a structure that nobody knows is in the chain: what
 * stands before it is copied and changed, what stands behind it is read. The driver of these tests has every feature.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device/instance.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "device_plan/device_plan.h"
#include "queries/queries.h"
#include "vulkan_clampler.h"

#define TYPE(NAME) VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##NAME

/* ---- What layer/device/device and layer/entry/queries say: everything is there ---- */

void message(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object, const char *format,
             ...)
{
    (void)instance, (void)level, (void)type, (void)object;
    fail_msg("unexpected message: %s", format);
}

uint32_t instance_version_with(const struct instance *instance, const VkPhysicalDeviceProperties *properties)
{
    (void)instance;
    return properties->apiVersion;
}

static VKAPI_ATTR void VKAPI_CALL give_core_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures *features)
{
    (void)physical;
    *features = (VkPhysicalDeviceFeatures){.independentBlend = VK_TRUE};
}

static VKAPI_ATTR void VKAPI_CALL give_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features)
{
    give_core_features(physical, &features->features);
    for (VkBaseOutStructure *s = features->pNext; s; s = s->pNext) {
        switch ((uint32_t)s->sType) {
        case TYPE(VULKAN_1_2_FEATURES):
            ((VkPhysicalDeviceVulkan12Features *)s)->samplerMirrorClampToEdge = VK_TRUE;
            ((VkPhysicalDeviceVulkan12Features *)s)->samplerFilterMinmax = VK_TRUE;
            break;
        case TYPE(PRIVATE_DATA_FEATURES):
            ((VkPhysicalDevicePrivateDataFeatures *)s)->privateData = VK_TRUE;
            break;
        case TYPE(BUFFER_DEVICE_ADDRESS_FEATURES):
            ((VkPhysicalDeviceBufferDeviceAddressFeatures *)s)->bufferDeviceAddress = VK_TRUE;
            break;
        case TYPE(CUSTOM_BORDER_COLOR_FEATURES_EXT):
            ((VkPhysicalDeviceCustomBorderColorFeaturesEXT *)s)->customBorderColors = VK_TRUE;
            ((VkPhysicalDeviceCustomBorderColorFeaturesEXT *)s)->customBorderColorWithoutFormat = VK_TRUE;
            break;
        case TYPE(BORDER_COLOR_SWIZZLE_FEATURES_EXT):
            ((VkPhysicalDeviceBorderColorSwizzleFeaturesEXT *)s)->borderColorSwizzle = VK_TRUE;
            ((VkPhysicalDeviceBorderColorSwizzleFeaturesEXT *)s)->borderColorSwizzleFromImage = VK_TRUE;
            break;
        case TYPE(NON_SEAMLESS_CUBE_MAP_FEATURES_EXT):
            ((VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT *)s)->nonSeamlessCubeMap = VK_TRUE;
            break;
        case TYPE(EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT): {
            VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *dynamic = (void *)s;
            dynamic->extendedDynamicState3ColorBlendEquation = VK_TRUE;
            dynamic->extendedDynamicState3ColorWriteMask = VK_TRUE;
            dynamic->extendedDynamicState3ColorBlendEnable = VK_TRUE;
            break;
        }
        default:
            fail_msg("unexpected query of %u", (unsigned)s->sType);
        }
    }
}

static VKAPI_ATTR void VKAPI_CALL give_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *properties)
{
    (void)physical, (void)properties;
}

PFN_vkGetPhysicalDeviceFeatures2 instance_features2(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance, (void)physical;
    return give_features;
}

bool app_heaps_supported(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance;
    (void)physical;
    return true;
}

bool app_descriptors_supported(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance;
    (void)physical;
    return true;
}

PFN_vkGetPhysicalDeviceProperties2 instance_properties2(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance, (void)physical;
    return give_properties;
}

VkResult device_extensions(const struct instance *instance, VkPhysicalDevice physical, uint32_t *count,
                           VkExtensionProperties **list)
{
    (void)instance, (void)physical;
    *count = 0;
    *list = NULL;
    return VK_SUCCESS;
}

bool extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    (void)list, (void)count, (void)name;
    return true;
}

void features_offered(const struct instance *instance, VkPhysicalDevice physical,
                      VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *features)
{
    (void)instance, (void)physical;
    features->glSampler = features->glBufferView = VK_TRUE;
    features->alphaToOneAttachments = features->linearFilterEmulation = VK_TRUE;
}

static struct offers offered;

struct offers offers_of(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)instance, (void)physical;
    return offered;
}

bool texel_emulates(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)physical;
    return instance->settings.texel_buffers == TEXEL_BUFFERS_EMULATE;
}

enum setting_linear_fallback linear_fallback_unasked(const struct instance *instance, VkPhysicalDevice physical)
{
    (void)physical;
    return instance->settings.linear_fallback;
}

void texel_caps_of(const struct instance *instance, VkPhysicalDevice physical,
                   const VkPhysicalDeviceProperties *properties, struct texel_caps *caps)
{
    (void)instance, (void)physical, (void)properties;
    *caps = (struct texel_caps){.addresses = true};
}

/* ---- What a structure says, and what the plan makes of it ---- */

union features {
    VkBaseOutStructure base;
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan12Features core12;
    VkPhysicalDeviceVulkan13Features core13;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic;
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border;
};

#define ROW(NAME, STRUCTURE, MEMBER, FACT)                                                                             \
    {                                                                                                                  \
        TYPE(NAME), offsetof(STRUCTURE, MEMBER), offsetof(struct device_plan, caps.FACT), #STRUCTURE "::" #MEMBER      \
    }
static const struct {
    VkStructureType type;
    size_t feature; /* where the VkBool32 is */
    size_t fact;    /* where the plan says whether it may be used */
    const char *name;
} rows[] = {
    ROW(VULKAN_1_3_FEATURES, VkPhysicalDeviceVulkan13Features, privateData, private_data),
    ROW(PRIVATE_DATA_FEATURES, VkPhysicalDevicePrivateDataFeatures, privateData, private_data),
    ROW(VULKAN_1_2_FEATURES, VkPhysicalDeviceVulkan12Features, samplerMirrorClampToEdge, resolve.mirror_clamp_to_edge),
    ROW(VULKAN_1_2_FEATURES, VkPhysicalDeviceVulkan12Features, samplerFilterMinmax, resolve.sampler_filter_minmax),
    ROW(VULKAN_1_2_FEATURES, VkPhysicalDeviceVulkan12Features, bufferDeviceAddress, buffer_address),
    ROW(BUFFER_DEVICE_ADDRESS_FEATURES, VkPhysicalDeviceBufferDeviceAddressFeatures, bufferDeviceAddress,
        buffer_address),
    ROW(CUSTOM_BORDER_COLOR_FEATURES_EXT, VkPhysicalDeviceCustomBorderColorFeaturesEXT, customBorderColors,
        resolve.custom_border_color),
    ROW(BORDER_COLOR_SWIZZLE_FEATURES_EXT, VkPhysicalDeviceBorderColorSwizzleFeaturesEXT, borderColorSwizzle,
        resolve.border_swizzle),
    ROW(NON_SEAMLESS_CUBE_MAP_FEATURES_EXT, VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT, nonSeamlessCubeMap,
        resolve.non_seamless_cube),
    ROW(EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
        extendedDynamicState3ColorBlendEquation, blend.equation),
    ROW(EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
        extendedDynamicState3ColorWriteMask, blend.write_mask),
    ROW(EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
        extendedDynamicState3ColorBlendEnable, blend.enable),
    ROW(FEATURES_2, VkPhysicalDeviceFeatures2, features.independentBlend, blend.independent),
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static VkBool32 *feature_of(const void *structure, unsigned row)
{
    return (VkBool32 *)(uintptr_t)((const char *)structure + rows[row].feature);
}

static bool fact_of(const struct device_plan *plan, unsigned row)
{
    return *(const bool *)((const char *)plan + rows[row].fact);
}

static struct instance instance = {.next.GetPhysicalDeviceFeatures = give_core_features};
static const struct device device = {.instance = &instance, .properties.apiVersion = VK_API_VERSION_1_3};
static const char *const extension = VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME;

static uint32_t times_chained(const void *chain, VkStructureType type)
{
    uint32_t times = 0;
    for (const VkBaseInStructure *s = chain; s; s = s->pNext)
        times += s->sType == type;
    return times;
}

static void make_plan(const void *chain, struct device_plan *plan)
{
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = chain,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = &extension};
    assert_int_equal(device_plan_make(plan, &device, &info), VK_SUCCESS);
}

static VkPhysicalDeviceGLSamplerFeaturesCLAMPLER all_of_ours(void *next)
{
    return (VkPhysicalDeviceGLSamplerFeaturesCLAMPLER){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
        .pNext = next,
        .glSampler = VK_TRUE,
        .glBufferView = VK_TRUE,
        .alphaToOneAttachments = VK_TRUE,
        .linearFilterEmulation = VK_TRUE};
}

/* ---- Tests ---- */

static void what_stands_before_is_changed_in_a_copy(void **state)
{
    (void)state;
    for (unsigned row = 0; row < ROWS; row++) {
        for (VkBool32 on = VK_FALSE; on <= VK_TRUE; on++) {
            VkBaseInStructure unknown = {.sType = (VkStructureType)1999999123};
            union features given = {.base = {.sType = rows[row].type, .pNext = (void *)&unknown}}, before;
            VkPhysicalDeviceGLSamplerFeaturesCLAMPLER ours = all_of_ours(&given);
            struct device_plan plan;
            *feature_of(&given, row) = on;
            memcpy(&before, &given, sizeof(given));
            make_plan(&ours, &plan);
            const void *down = pnext_find(plan.info.pNext, rows[row].type);
            if (!fact_of(&plan, row) || !*feature_of(down, row) || down == &given)
                fail_msg("%s, %u", rows[row].name, on);
            assert_memory_equal(&before, &given, sizeof(given));
            assert_int_equal(times_chained(plan.info.pNext, rows[row].type), 1);
            assert_int_equal(times_chained(plan.info.pNext, ours.sType), 0);
            device_plan_free(&plan);
        }
    }
}

static void what_stands_behind_is_read_and_stays(void **state)
{
    (void)state;
    for (unsigned row = 0; row < ROWS; row++) {
        for (VkBool32 on = VK_FALSE; on <= VK_TRUE; on++) {
            union features given = {.base = {.sType = rows[row].type}}, before;
            VkBaseInStructure unknown = {.sType = (VkStructureType)1999999123, .pNext = (const void *)&given};
            VkPhysicalDeviceGLSamplerFeaturesCLAMPLER ours = all_of_ours(&unknown);
            struct device_plan plan;
            *feature_of(&given, row) = on;
            memcpy(&before, &given, sizeof(given));
            make_plan(&ours, &plan);
            if (fact_of(&plan, row) != (on != 0) || pnext_find(plan.info.pNext, rows[row].type) != &given)
                fail_msg("%s, %u", rows[row].name, on);
            assert_memory_equal(&before, &given, sizeof(given));
            assert_int_equal(times_chained(plan.info.pNext, rows[row].type), 1);
            assert_int_equal(times_chained(plan.info.pNext, unknown.sType), 1);
            device_plan_free(&plan);
        }
    }
}

/* What is offered goes no further, but for what stands behind a structure that nobody knows; the rest of it stays. */
static void what_is_offered_is_taken_out_of_the_copy(void **state)
{
    (void)state;
    static const char *const names[] = {VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME, VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                                        VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME};
    offered = (struct offers){OFFER_CUSTOM_BORDER_COLOR | OFFER_ANISOTROPY, OFFER_CUSTOM_BORDER_COLOR, VK_SUCCESS};
    for (int behind = 0; behind < 2; behind++) {
        VkPhysicalDeviceCustomBorderColorFeaturesEXT border = {.sType = TYPE(CUSTOM_BORDER_COLOR_FEATURES_EXT),
                                                               .customBorderColors = VK_TRUE};
        VkPhysicalDeviceFeatures2 core = {.sType = TYPE(FEATURES_2),
                                          .pNext = &border,
                                          .features = {.samplerAnisotropy = VK_TRUE, .geometryShader = VK_TRUE}};
        VkBaseInStructure unknown = {.sType = (VkStructureType)1999999123, .pNext = behind ? (void *)&border : NULL};
        core.pNext = behind ? (void *)&unknown : &border;
        border.pNext = behind ? NULL : &unknown;
        const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                         .pNext = &core,
                                         .enabledExtensionCount = 3,
                                         .ppEnabledExtensionNames = names};
        struct device_plan plan;
        assert_int_equal(device_plan_make(&plan, &device, &info), VK_SUCCESS);
        const VkPhysicalDeviceFeatures2 *down = pnext_find(plan.info.pNext, TYPE(FEATURES_2));
        assert_true(plan.active);
        assert_int_equal(plan.caps.resolve.offered, RESOLVE_OFFER_BORDER_COLOR | RESOLVE_OFFER_ANISOTROPY);
        assert_true(plan.caps.resolve.anisotropy);
        assert_true(plan.caps.resolve.max_anisotropy == OFFERED_ANISOTROPY);
        assert_false(down->features.samplerAnisotropy || !down->features.geometryShader);
        assert_true(core.features.samplerAnisotropy && border.customBorderColors);
        const VkPhysicalDeviceCustomBorderColorFeaturesEXT *left =
            pnext_find(plan.info.pNext, TYPE(CUSTOM_BORDER_COLOR_FEATURES_EXT));
        assert_true(left != &border || behind);
        assert_int_equal(times_chained(plan.info.pNext, TYPE(CUSTOM_BORDER_COLOR_FEATURES_EXT)), 1);
        assert_int_equal(times_chained(plan.info.pNext, unknown.sType), 1);
        assert_true(device_plan_enables(&plan, VK_KHR_SWAPCHAIN_EXTENSION_NAME));
        device_plan_free(&plan);
    }
    offered = (struct offers){.result = VK_SUCCESS};
}

/* Devices of a group have the same extensions and features: what is offered goes, and the group stays. */
static void what_is_offered_is_taken_from_groups_of_devices(void **state)
{
    (void)state;
    static const char *const names[] = {VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME};
    const VkPhysicalDevice devices[] = {(VkPhysicalDevice)16, (VkPhysicalDevice)32};
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border = {.sType = TYPE(CUSTOM_BORDER_COLOR_FEATURES_EXT),
                                                           .customBorderColors = VK_TRUE};
    const VkDeviceGroupDeviceCreateInfo group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
                                                 .pNext = &border,
                                                 .physicalDeviceCount = 2,
                                                 .pPhysicalDevices = devices};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &group,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = names};
    struct device_plan plan;
    offered = (struct offers){OFFER_CUSTOM_BORDER_COLOR, OFFER_CUSTOM_BORDER_COLOR, VK_SUCCESS};
    assert_int_equal(device_plan_make(&plan, &device, &info), VK_SUCCESS);
    const VkDeviceGroupDeviceCreateInfo *down =
        pnext_find(plan.info.pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO);
    assert_non_null(down);
    assert_int_equal(down->physicalDeviceCount, 2);
    assert_ptr_equal(down->pPhysicalDevices, devices);
    assert_int_equal(times_chained(plan.info.pNext, TYPE(CUSTOM_BORDER_COLOR_FEATURES_EXT)), 1); /* the layer's own */
    assert_ptr_not_equal(pnext_find(plan.info.pNext, TYPE(CUSTOM_BORDER_COLOR_FEATURES_EXT)), &border);
    assert_int_equal(plan.caps.resolve.offered, RESOLVE_OFFER_BORDER_COLOR);
    device_plan_free(&plan);
    offered = (struct offers){.result = VK_SUCCESS};
}

/* Names and features that may be offered are not for the driver, which would say that they are not present. */
static void offers_that_cannot_be_found_make_no_device(void **state)
{
    (void)state;
    static const VkResult results[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    for (int i = 0; i < 2; i++) {
        struct device_plan plan;
        offered = (struct offers){.result = results[i]};
        assert_int_equal(device_plan_make(&plan, &device, &info), results[i]);
        device_plan_free(&plan);
    }
    offered = (struct offers){.result = VK_SUCCESS};
}

/* What the program says nothing of is enabled in front. */
static void what_is_not_chained_is_enabled_all_the_same(void **state)
{
    (void)state;
    VkPhysicalDeviceSynchronization2Features other = {.sType = TYPE(SYNCHRONIZATION_2_FEATURES)};
    VkBaseInStructure unknown = {.sType = (VkStructureType)1999999123, .pNext = (const void *)&other};
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER ours = all_of_ours(&unknown);
    struct device_plan plan;
    make_plan(&ours, &plan);
    for (unsigned row = 0; row < ROWS; row++) {
        if (!fact_of(&plan, row))
            fail_msg("%s", rows[row].name);
    }
    assert_ptr_equal(pnext_find(plan.info.pNext, other.sType), &other);
    device_plan_free(&plan);
}

/* The second half of what custom border colours can be: by the program's word, too. */
static void border_colors_without_a_format_are_the_programs_to_enable(void **state)
{
    (void)state;
    for (VkBool32 on = VK_FALSE; on <= VK_TRUE; on++) {
        VkPhysicalDeviceCustomBorderColorFeaturesEXT border = {.sType = TYPE(CUSTOM_BORDER_COLOR_FEATURES_EXT),
                                                               .customBorderColors = VK_TRUE,
                                                               .customBorderColorWithoutFormat = on};
        VkBaseInStructure unknown = {.sType = (VkStructureType)1999999123, .pNext = (const void *)&border};
        VkPhysicalDeviceGLSamplerFeaturesCLAMPLER ours = all_of_ours(&unknown);
        struct device_plan plan;
        make_plan(&ours, &plan);
        assert_true(plan.caps.resolve.custom_border_color);
        assert_int_equal(plan.caps.resolve.custom_border_color_without_format, on);
        device_plan_free(&plan);
    }
}

/* Each takes away what it names, and nothing else. */
static void what_is_assumed_missing_is_not_used(void **state)
{
    (void)state;
    enum { MIRROR = 1, BORDER = 2, SWIZZLE = 4, SEAMS = 8, BIAS = 16, ALL = 31 };
    static const struct {
        uint32_t missing;
        unsigned left;
    } cases[] = {
        {0, ALL},
        {MISSING_MIRROR_CLAMP_TO_EDGE, ALL & ~MIRROR},
        {MISSING_CUSTOM_BORDER_COLOR, ALL & ~BORDER},
        {MISSING_BORDER_COLOR_SWIZZLE, ALL & ~SWIZZLE},
        {MISSING_NON_SEAMLESS_CUBE, ALL & ~SEAMS},
        {MISSING_LOD_BIAS, ALL & ~BIAS},
        {MISSING_BORDER_COLOR_SWIZZLE | MISSING_LOD_BIAS, ALL & ~(SWIZZLE | BIAS)},
    };
    struct device large = device;
    large.properties.limits.maxSamplerLodBias = 16.0f;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER ours = all_of_ours(NULL);
        const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                         .pNext = &ours,
                                         .enabledExtensionCount = 1,
                                         .ppEnabledExtensionNames = &extension};
        struct device_plan plan;
        instance.settings.assume_missing = cases[i].missing;
        assert_int_equal(device_plan_make(&plan, &large, &info), VK_SUCCESS);
        const struct resolve_caps *caps = &plan.caps.resolve;
        assert_int_equal(caps->custom_border_color, caps->custom_border_color_without_format);
        assert_int_equal(caps->border_swizzle, caps->border_swizzle_from_image);
        assert_int_equal(caps->max_lod_bias_assumed, caps->max_lod_bias < 16.0f);
        assert_int_equal((caps->mirror_clamp_to_edge ? MIRROR : 0) | (caps->custom_border_color ? BORDER : 0) |
                             (caps->border_swizzle ? SWIZZLE : 0) | (caps->non_seamless_cube ? SEAMS : 0) |
                             (caps->max_lod_bias_assumed ? 0 : BIAS),
                         cases[i].left);
        device_plan_free(&plan);
    }
    instance.settings.assume_missing = 0;
}

/* ---- What is added to the program's names ---- */

static uint32_t times_named(const VkDeviceCreateInfo *info, const char *name)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
        times += !strcmp(info->ppEnabledExtensionNames[i], name);
    return times;
}

static void expect_names(const struct device_plan *plan, const char *const *names, uint32_t count, uint32_t named)
{
    uint32_t added = 0;
    for (uint32_t i = 0; i < WANTED_EXTENSIONS; i++) {
        const uint32_t times = times_named(&plan->info, wanted_extensions[i]);
        const bool is_added = plan->caps.added_extensions >> i & 1;
        assert_int_equal(times, is_added || (named >> i & 1));
        assert_false(is_added && (named >> i & 1));
        added += is_added;
    }
    for (uint32_t i = 0; i < count; i++)
        assert_ptr_equal(plan->info.ppEnabledExtensionNames[i], names[i]);
    assert_int_equal(plan->info.enabledExtensionCount, count + added);
}

/*
 * Under every combination of what decides what the layer wants, each extension is named once, and what the layer has
 * named itself is known. All ten are wanted by some.
 */
static void every_name_is_there_once_and_known_as_the_layers(void **state)
{
    static const uint32_t versions[] = {VK_API_VERSION_1_0, VK_API_VERSION_1_1, VK_API_VERSION_1_2, VK_API_VERSION_1_3};
    const struct settings before = instance.settings;
    uint32_t wanted = 0, most = 0;
    (void)state;
    for (uint32_t named = 0; named < 1u << WANTED_EXTENSIONS; named++) {
        const char *names[WANTED_EXTENSIONS];
        uint32_t count = 0;
        for (uint32_t i = 0; i < WANTED_EXTENSIONS; i++) {
            if (named >> i & 1)
                names[count++] = wanted_extensions[i];
        }
        for (uint32_t bits = 0; bits < 1u << 5; bits++) {
            struct device other = device;
            struct device_plan plan;
            const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                             .enabledExtensionCount = count,
                                             .ppEnabledExtensionNames = names};
            other.properties.apiVersion = versions[bits & 3];
            instance.settings.force_active = true;
            instance.settings.form = bits & 4 ? FORM_GPU : FORM_CPU;
            instance.settings.linear_fallback = bits & 8 ? FALLBACK_SHADER : FALLBACK_OFF;
            instance.settings.alpha_to_one[0] = bits & 16 ? 1 : 0;
            assert_int_equal(device_plan_make(&plan, &other, &info), VK_SUCCESS);
            expect_names(&plan, names, count, named);
            wanted |= plan.caps.added_extensions;
            most = plan.info.enabledExtensionCount > most ? plan.info.enabledExtensionCount : most;
            device_plan_free(&plan);
        }
    }
    instance.settings = before;
    assert_int_equal(wanted, (1u << WANTED_EXTENSIONS) - 1);
    assert_int_equal(most, WANTED_EXTENSIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_before_is_changed_in_a_copy),
        cmocka_unit_test(what_stands_behind_is_read_and_stays),
        cmocka_unit_test(what_is_offered_is_taken_out_of_the_copy),
        cmocka_unit_test(what_is_offered_is_taken_from_groups_of_devices),
        cmocka_unit_test(offers_that_cannot_be_found_make_no_device),
        cmocka_unit_test(what_is_not_chained_is_enabled_all_the_same),
        cmocka_unit_test(border_colors_without_a_format_are_the_programs_to_enable),
        cmocka_unit_test(what_is_assumed_missing_is_not_used),
        cmocka_unit_test(every_name_is_there_once_and_known_as_the_layers),
    };
    return cmocka_run_group_tests_name("device_plan", tests, NULL, NULL);
}
