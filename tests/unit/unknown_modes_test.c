/* SPDX-License-Identifier: MIT */
/*
 * Address modes that Vulkan does not know (an extension's to come, or a number that one driver is known to take for
 * GL_CLAMP) reach the driver as they came, whatever is offered, unless a setting says what they mean. No program may
 * use them above the validation layer, so that only a made-up driver shows it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"
#include "settings/settings.h"
#include "track/subsystems.h"

enum { UNKNOWN = 0xcafe };

static struct subsystems subsystems;
static struct track track;
static struct instance instance;
struct device device;
static VkSamplerCreateInfo got;

static VKAPI_ATTR VkResult VKAPI_CALL take_sampler(VkDevice handle, const VkSamplerCreateInfo *info,
                                                   const VkAllocationCallbacks *callbacks, VkSampler *sampler)
{
    (void)handle, (void)callbacks;
    got = *info;
    *sampler = HANDLE(VkSampler, 0x1000);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_sampler(VkDevice handle, VkSampler sampler,
                                               const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)sampler, (void)callbacks;
}

static void expect_as_it_came(uint32_t offered, bool gl_sampler)
{
    memset(&subsystems, 0, sizeof(subsystems));
    track = (struct track){.device = &device, SUBSYSTEMS_OF(subsystems)};
    device =
        (struct device){.next = {.CreateSampler = take_sampler, .DestroySampler = drop_sampler},
                        .instance = &instance,
                        .properties.limits.maxSamplerAllocationCount = 4000,
                        .caps = {.resolve = {.max_lod_bias = 16, .offered = offered}, .enabled.glSampler = gl_sampler},
                        .track = &track};
    assert_true(sampling_init(&track));
    sampling_read_limits(&track);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(unknown_modes_reach_the_driver)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
