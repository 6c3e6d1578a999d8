/* SPDX-License-Identifier: MIT */
/*
 * Samplers that the program has destroyed, and that a layout holds (sampling/sampler.h): the driver still has them, so
 * they still count among those with custom border colours, of which it takes few.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"

static struct instance instance;
struct device device;

/* With room for one custom border colour. */
static void open_track(void)
{
    fake_driver = (struct fake_driver){.last = 0x1000};
    fake_track_begin();
    device = (struct device){.next = {.CreateSampler = fake_sampler, .DestroySampler = fake_sampler_drop},
                             .instance = &instance,
                             .properties.limits.maxSamplerAllocationCount = 4000,
                             .caps = {.resolve = {.max_lod_bias = 16, .custom_border_color = true}},
                             .track = &track};
    assert_true(sampling_init(&track));
    sampling_read_limits(&track);
    subsystems.sampling.border_limit = 1;
}

static VkSampler create(VkBorderColor border)
{
    const VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, .customBorderColor.float32 = {1, 0, 1}};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = border == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT ? &color : NULL,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                      .borderColor = border};
    VkSampler sampler;
    assert_int_equal(hook_CreateSampler(NULL, &info, NULL, &sampler), VK_SUCCESS);
    return sampler;
}

/* Is there room for one of a pair? It is left as it was. */
static bool has_room(void)
{
    const bool room = border_slot_acquire(&track);
    if (room)
        border_slot_release(&track);
    return room;
}

static void custom_borders_count_as_long_as_the_driver_has_them(void **state)
{
    (void)state;
    for (unsigned holders = 0; holders <= 2; holders++) {
        struct held_sampler held[2];
        open_track();
        assert_true(has_room());
        const VkSampler sampler = create(VK_BORDER_COLOR_FLOAT_CUSTOM_EXT);
        for (unsigned i = 0; i < holders; i++)
            assert_true(sampler_hold(&track, sampler, &held[i]));
        assert_false(has_room());
        hook_DestroySampler(NULL, sampler, NULL);
        for (unsigned i = 0; i < holders; i++) {
            assert_int_equal(fake_driver.samplers, 1);
            assert_false(has_room());
            sampler_release(&track, &held[i]);
        }
        assert_int_equal(fake_driver.samplers, 0);
        assert_true(has_room());
        assert_int_equal(subsystems.sampling.program_borders, 0);
        sampling_finish(&track);
    }
}

/* Nor do others give room that they never took. */
static void others_count_for_nothing(void **state)
{
    struct held_sampler held;
    (void)state;
    open_track();
    const VkSampler custom = create(VK_BORDER_COLOR_FLOAT_CUSTOM_EXT);
    const VkSampler plain = create(VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
    assert_true(sampler_hold(&track, plain, &held));
    hook_DestroySampler(NULL, plain, NULL);
    sampler_release(&track, &held);
    assert_int_equal(fake_driver.samplers, 1);
    assert_false(has_room());
    hook_DestroySampler(NULL, custom, NULL);
    assert_true(has_room());
    sampling_finish(&track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(custom_borders_count_as_long_as_the_driver_has_them),
        cmocka_unit_test(others_count_for_nothing),
    };
    return cmocka_run_group_tests_name("held_sampler", tests, NULL, NULL);
}
