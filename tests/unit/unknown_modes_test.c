/* SPDX-License-Identifier: MIT */
/*
 * Address modes that Vulkan does not know (an extension's to come, or a number that one driver is known to take for
 * GL_CLAMP) reach the driver as they came, whatever is offered, unless a setting says what they mean. No program may
 * use them above the validation layer, so that only a made-up driver shows it. What is offered does not reach it, not
 * even beside them, nor beside a YCbCr conversion: where there are samplers without objects, lavapipe has no heaps
 * beside offers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "newer_vulkan.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"
#include "settings/settings.h"

enum { UNKNOWN = 0xcafe };

static struct instance instance;
struct device device;
static VkSamplerCreateInfo got;

static void (*check)(const VkSamplerCreateInfo *info); /* while its chain lives; NULL: none */

static VKAPI_ATTR VkResult VKAPI_CALL take_sampler(VkDevice handle, const VkSamplerCreateInfo *info,
                                                   const VkAllocationCallbacks *callbacks, VkSampler *sampler)
{
    (void)handle, (void)callbacks;
    got = *info;
    if (check)
        check(info);
    *sampler = HANDLE(VkSampler, 0x1000);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_sampler(VkDevice handle, VkSampler sampler,
                                               const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)sampler, (void)callbacks;
}

static void open_track(uint32_t offered, bool gl_sampler)
{
    fake_track_begin();
    device =
        (struct device){.next = {.CreateSampler = take_sampler, .DestroySampler = drop_sampler},
                        .instance = &instance,
                        .properties.limits.maxSamplerAllocationCount = 4000,
                        .caps = {.resolve = {.max_lod_bias = 16, .offered = offered}, .enabled.glSampler = gl_sampler},
                        .track = &track};
    assert_true(sampling_init(&track));
    sampling_read_limits(&track);
}

static void expect_as_it_came(uint32_t offered, bool gl_sampler)
{
    open_track(offered, gl_sampler);
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = VK_FILTER_LINEAR,
                                      .addressModeU = (VkSamplerAddressMode)UNKNOWN,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeW = (VkSamplerAddressMode)UNKNOWN,
                                      .maxLod = VK_LOD_CLAMP_NONE};
    VkSampler sampler;
    memset(&got, 0, sizeof(got));
    assert_int_equal(hook_CreateSampler(NULL, &info, NULL, &sampler), VK_SUCCESS);
    assert_int_equal(got.addressModeU, UNKNOWN);
    assert_int_equal(got.addressModeV, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
    assert_int_equal(got.addressModeW, UNKNOWN);
    hook_DestroySampler(NULL, sampler, NULL);
    sampling_finish(&track);
}

static void unknown_modes_reach_the_driver(void **state)
{
    (void)state;
    expect_as_it_came(0, false);
    expect_as_it_came(0, true);
    expect_as_it_came(~0u, false);
    expect_as_it_came(~0u, true);
}

static void expect_nothing_offered(const VkSamplerCreateInfo *info)
{
    uint32_t conversions = 0;
    assert_int_equal(info->addressModeU, UNKNOWN);
    assert_int_equal(info->magFilter, VK_FILTER_LINEAR);
    assert_int_equal(info->minFilter, VK_FILTER_NEAREST);
    assert_true(info->borderColor <= VK_BORDER_COLOR_INT_OPAQUE_WHITE);
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext) {
        assert_int_equal(s->sType, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
        assert_true(((const VkSamplerYcbcrConversionInfo *)(const void *)s)->conversion ==
                    HANDLE(VkSamplerYcbcrConversion, 0x2000));
        conversions++;
    }
    assert_int_equal(conversions, 1);
}

/* As objects, written into a heap, and embedded in code. */
static void what_is_offered_does_not_reach_the_driver_beside_them(void **state)
{
    (void)state;
    const VkSamplerYcbcrConversionInfo conversion = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                                     .conversion = HANDLE(VkSamplerYcbcrConversion, 0x2000)};
    const VkSamplerReductionModeCreateInfo average = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                      .pNext = &conversion};
    const VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, .pNext = &average};
    const VkSamplerCubicWeightsCreateInfoQCOM weights = {.sType =
                                                             VK_STRUCTURE_TYPE_SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM,
                                                         .pNext = &color,
                                                         .cubicWeights = VK_CUBIC_FILTER_WEIGHTS_B_SPLINE_QCOM};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = &weights,
                                      .magFilter = VK_FILTER_CUBIC_EXT,
                                      .addressModeU = (VkSamplerAddressMode)UNKNOWN,
                                      .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT};
    struct bare_sampler bare;
    VkSampler sampler;
    open_track(~0u, false);
    check = expect_nothing_offered;
    assert_int_equal(hook_CreateSampler(NULL, &info, NULL, &sampler), VK_SUCCESS);
    check = NULL;
    hook_DestroySampler(NULL, sampler, NULL);
    for (int embedded = 0; embedded < 2; embedded++) {
        assert_int_equal(sampler_make_bare(&track, &info, embedded, &bare), VK_SUCCESS);
        assert_true(bare.opaque);
        expect_nothing_offered(bare.driver);
    }
    sampling_finish(&track);
    open_track(0, false); /* what is not offered is the driver's own */
    assert_int_equal(sampler_make_bare(&track, &info, true, &bare), VK_SUCCESS);
    assert_ptr_equal(bare.driver, &info);
    sampling_finish(&track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(unknown_modes_reach_the_driver),
                                       cmocka_unit_test(what_is_offered_does_not_reach_the_driver_beside_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
