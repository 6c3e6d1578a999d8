/* SPDX-License-Identifier: MIT */
/*
 * What programs are promised of formats, in every form of the query (layer/entry/queries/formats.c), above a driver
 * that answers in all of them, VkFormatProperties4KHR too: each says the same, and keeps what else the driver says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/device.h"
#include "device/instance.h"
#include "newer_vulkan.h"
#include "queries/queries.h"
#include "texel_view/texel_view.h"
#include "vulkan_clampler.h"

#define SAMPLED VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT
#define FILTER VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT
#define TEXELS VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT
#define STORAGE VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT
#define VERTEX VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT
#define ABOVE (UINT64_C(1) << 40) /* of forms of 64 bits alone */

/* ---- A driver that answers ---- */

struct features {
    VkFlags64 linear, optimal, buffer;
};

static struct features driver;

static VKAPI_ATTR void VKAPI_CALL answer(VkPhysicalDevice physical, VkFormat format, VkFormatProperties *properties)
{
    (void)physical, (void)format;
    *properties = (VkFormatProperties){(VkFormatFeatureFlags)driver.linear, (VkFormatFeatureFlags)driver.optimal,
                                       (VkFormatFeatureFlags)driver.buffer};
}

static VKAPI_ATTR void VKAPI_CALL answer2(VkPhysicalDevice physical, VkFormat format, VkFormatProperties2 *properties)
{
    answer(physical, format, &properties->formatProperties);
    for (VkBaseOutStructure *node = properties->pNext; node; node = node->pNext) {
        void *structure = node;
        if (node->sType == VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3)
            *(VkFormatProperties3 *)structure =
                (VkFormatProperties3){node->sType, node->pNext, driver.linear, driver.optimal, driver.buffer};
        else if (node->sType == VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_4_KHR)
            *(VkFormatProperties4KHR *)structure =
                (VkFormatProperties4KHR){node->sType, node->pNext, driver.linear, driver.optimal, driver.buffer};
        else
            fail(); /* the layer's own is not for drivers */
    }
}

static struct instance instance = {.next = {.GetPhysicalDeviceFormatProperties = answer,
                                            .GetPhysicalDeviceFormatProperties2 = answer2,
                                            .GetPhysicalDeviceFormatProperties2KHR = answer2}};

/* The rest of layer/device/device and layer/entry/queries that formats.c asks. */
struct instance *instance_of(const void *dispatchable)
{
    (void)dispatchable;
    return &instance;
}

bool texel_emulates(const struct instance *of, VkPhysicalDevice physical)
{
    (void)physical;
    return of->settings.texel_buffers == TEXEL_BUFFERS_EMULATE;
}

static struct offers offers;

struct offers offers_of(const struct instance *of, VkPhysicalDevice physical)
{
    (void)of, (void)physical;
    return offers;
}

struct format_features format_features_missing(const struct settings *settings, VkFormat format)
{
    (void)settings, (void)format;
    return (struct format_features){.optimal = 0};
}

/* ---- The question, in all forms ---- */

static void expect_narrow(const VkFormatProperties *said, const struct features *expected)
{
    assert_int_equal(said->linearTilingFeatures, (VkFlags)expected->linear);
    assert_int_equal(said->optimalTilingFeatures, (VkFlags)expected->optimal);
    assert_int_equal(said->bufferFeatures, (VkFlags)expected->buffer);
}

#define EXPECT(said, expected)                                                                                         \
    do {                                                                                                               \
        assert_true((said)->linearTilingFeatures == (expected)->linear);                                               \
        assert_true((said)->optimalTilingFeatures == (expected)->optimal);                                             \
        assert_true((said)->bufferFeatures == (expected)->buffer);                                                     \
    } while (0)

static void expect_said(VkFormat format, const struct features *expected)
{
    const PFN_vkGetPhysicalDeviceFormatProperties2 queries[] = {hook_GetPhysicalDeviceFormatProperties2,
                                                                hook_GetPhysicalDeviceFormatProperties2KHR};
    VkFormatProperties plain;
    hook_GetPhysicalDeviceFormatProperties(NULL, format, &plain);
    expect_narrow(&plain, expected);
    /* In the chain: neither, one of the two, both in either order. */
    for (unsigned order = 0; order < 5; order++) {
        VkGLSamplerFormatPropertiesCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER};
        VkFormatProperties3 three = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
        VkFormatProperties4KHR four = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_4_KHR};
        VkFormatProperties2 two = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2};
        if (order == 4)
            four.pNext = &three;
        if (order == 3)
            three.pNext = &four;
        gl.pNext = order == 0 ? NULL : order == 1 || order == 3 ? (void *)&three : (void *)&four;
        two.pNext = &gl;
        queries[order & 1](NULL, format, &two);
        assert_ptr_equal(two.pNext, &gl);
        expect_narrow(&two.formatProperties, expected);
        if (order & 1 || order == 4)
            EXPECT(&three, expected);
        if (order >= 2)
            EXPECT(&four, expected);
    }
}

static void every_form_says_the_same_beside_what_the_driver_says(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 16; i++) {
        const bool filters = i & 1, texels = i & 2, sampled = i & 4, had = i & 8;
        const VkFlags64 images = (sampled ? SAMPLED : 0) | (had ? FILTER : 0);
        instance.settings.linear_fallback = filters ? FALLBACK_SHADER : FALLBACK_OFF;
        instance.settings.texel_buffers = texels ? TEXEL_BUFFERS_EMULATE : TEXEL_BUFFERS_NATIVE;
        driver = (struct features){images, STORAGE | images | ABOVE, VERTEX | ABOVE | (had ? TEXELS : 0)};
        struct features expected = driver;
        if (filters && sampled) {
            expected.linear |= FILTER;
            expected.optimal |= FILTER;
        }
        if (texels)
            expected.buffer |= TEXELS;
        expect_said(VK_FORMAT_R32G32B32_SFLOAT, &expected);
    }
}

/* Minima and maxima wherever the layer can filter. */
static void offered_filters_are_promised_of_what_can_be_filtered(void **state)
{
    (void)state;
    instance.settings.linear_fallback = FALLBACK_AUTO;
    instance.settings.texel_buffers = TEXEL_BUFFERS_NATIVE;
    driver = (struct features){0, SAMPLED | ABOVE, VERTEX};
    for (uint32_t i = 0; i < 4; i++) {
        struct features expected = driver;
        offers.offered = (i & 1 ? OFFER_LINEAR_FILTER : 0u) | (i & 2 ? OFFER_FILTER_MINMAX : 0u);
        expected.optimal |= (i & 1 ? FILTER : 0) | (i & 2 ? VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT : 0);
        expect_said(VK_FORMAT_R32_SFLOAT, &expected);
        expect_said(VK_FORMAT_D16_UNORM, &expected);
        expect_said(VK_FORMAT_R32_UINT, &driver);
    }
    offers.offered = 0;
}

/*
 * Of colours that the layer's blits read and that have linear filters. A driver may have cubic filters of others, by
 * VK_IMG_filter_cubic alone, in whose place the layer's are.
 */
static void offered_cubic_filters_are_the_layers(void **state)
{
    (void)state;
    const VkFlags64 cubic = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT;
    const VkImageTiling optimal = VK_IMAGE_TILING_OPTIMAL;
    instance.settings.linear_fallback = FALLBACK_AUTO;
    instance.settings.texel_buffers = TEXEL_BUFFERS_NATIVE;
    for (uint32_t i = 0; i < 8; i++) {
        const bool offered = i & 1, had = i & 2, linear = i & 4;
        const VkFlags64 others = SAMPLED | (linear ? FILTER : 0);
        driver = (struct features){others | (had ? cubic : 0), others | ABOVE | (had ? cubic : 0), VERTEX};
        const struct features none = {others, others | ABOVE, VERTEX};
        struct features added = driver;
        added.linear |= linear && offered ? cubic : 0;
        added.optimal |= linear && offered ? cubic : 0;
        offers.offered = offered ? OFFER_FILTER_CUBIC : 0;
        expect_said(VK_FORMAT_R8G8B8A8_UNORM, &added);
        expect_said(VK_FORMAT_BC1_RGB_UNORM_BLOCK, offered ? &none : &driver);
        expect_said(VK_FORMAT_D16_UNORM, offered ? &none : &driver);
        expect_said(VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, offered ? &none : &driver);
        assert_int_equal((format_features_shown(&instance, NULL, VK_FORMAT_BC1_RGB_UNORM_BLOCK, optimal) & cubic) != 0,
                         had && !offered);
    }
    offers.offered = 0;
}

/* Integers have no linear filter, and not every format is one of GL's buffer textures. */
static void nothing_is_promised_of_other_formats(void **state)
{
    (void)state;
    instance.settings.linear_fallback = FALLBACK_SHADER;
    instance.settings.texel_buffers = TEXEL_BUFFERS_EMULATE;
    driver = (struct features){SAMPLED, SAMPLED | ABOVE, VERTEX};
    expect_said(VK_FORMAT_R64_UINT, &driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_says_the_same_beside_what_the_driver_says),
        cmocka_unit_test(offered_filters_are_promised_of_what_can_be_filtered),
        cmocka_unit_test(offered_cubic_filters_are_the_layers),
        cmocka_unit_test(nothing_is_promised_of_other_formats),
    };
    return cmocka_run_group_tests_name("formats", tests, NULL, NULL);
}
