/* SPDX-License-Identifier: MIT */
/*
 * Border colours beyond what a texture can hold: clamped to the range of the GL format that a view stands for, or of
 * its own format, whoever places the border and however sampler and image reach the shader.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/lookups/lookup.h"

#define GRID 4u
#define NO_TOKEN 0u

/* `whole` is the colour of integers, `real` that of floats. */
struct row {
    VkFormat format;
    uint32_t internal, base;
    enum lookup_kind kind;
    int32_t whole[4];
    float real[4], shown[4];
};

static const struct row rows[] = {
    {VK_FORMAT_R16G16_UINT, 0x8232 /* R8UI */, GL_RED, LOOKUP_UINT, {65535, 7, 7, 7}, {0}, {255, 0, 0, 1}},
    {VK_FORMAT_R32G32B32A32_UINT,
     0x8D7C /* RGBA8UI */,
     GL_RGBA,
     LOOKUP_UINT,
     {-1, 256, 255, 3},
     {0},
     {255, 255, 255, 3}},
    {VK_FORMAT_R32G32B32A32_UINT,
     0x8D76 /* RGBA16UI */,
     GL_RGBA,
     LOOKUP_UINT,
     {-1, 256, 65536, 3},
     {0},
     {65535, 256, 65535, 3}},
    {VK_FORMAT_R16G16B16A16_UINT,
     0x906F /* RGB10_A2UI */,
     GL_RGBA,
     LOOKUP_UINT,
     {2000, 7, 1023, 4},
     {0},
     {1023, 7, 1023, 3}},
    {VK_FORMAT_R8G8_UINT, NO_TOKEN, GL_LUMINANCE_ALPHA, LOOKUP_UINT, {300, 0, 0, 1000}, {0}, {255, 255, 255, 255}},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, NO_TOKEN, 0, LOOKUP_UINT, {2000, 7, 1023, 4}, {0}, {1023, 7, 1023, 3}},
    {VK_FORMAT_R32G32B32A32_SINT,
     0x8D8E /* RGBA8I */,
     GL_RGBA,
     LOOKUP_INT,
     {128, -129, 127, -5},
     {0},
     {127, -128, 127, -5}},
    {VK_FORMAT_R32G32B32A32_SINT,
     0x8D88 /* RGBA16I */,
     GL_RGBA,
     LOOKUP_INT,
     {32768, -40000, 127, -5},
     {0},
     {32767, -32768, 127, -5}},
    {VK_FORMAT_R8G8B8A8_SINT, NO_TOKEN, GL_RGB, LOOKUP_INT, {200, -200, 1, 9}, {0}, {127, -128, 1, 1}},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, NO_TOKEN, 0, LOOKUP_FLOAT, {0}, {-1, 1e6f, 1e6f, 0.5f}, {0, 65024, 64512, 1}},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, NO_TOKEN, 0, LOOKUP_FLOAT, {0}, {-1, 1e6f, 0.5f, 0.5f}, {0, 65408, 0.5f, 1}},
    {VK_FORMAT_R16G16B16A16_SFLOAT,
     0x8C3A /* R11F_G11F_B10F */,
     GL_RGB,
     LOOKUP_FLOAT,
     {0},
     {-2, 4, 65100, 0.5f},
     {0, 4, 64512, 1}},
    {VK_FORMAT_R16G16B16A16_SFLOAT, NO_TOKEN, 0, LOOKUP_FLOAT, {0}, {-2, 4, -1e6f, 0.5f}, {-2, 4, -65504, 0.5f}},
    {VK_FORMAT_R32G32B32A32_SFLOAT,
     0x881A /* RGBA16F */,
     GL_RGBA,
     LOOKUP_FLOAT,
     {0},
     {-2, NAN, -1e6f, 2},
     {-2, 0, -65504, 2}},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

struct view_borders {
    struct harness_vulkan vk;
    struct lookup_vulkan lookups;
    struct lookup_input inputs[GRID * GRID];
    float drawn[GRID * GRID * 4];
};

static void open_device(struct view_borders *b, const char *setting)
{
    if (setting)
        setenv("VK_CLAMPLER_BORDER_COLOR", setting, 1);
    harness_vulkan_open(&b->vk, &(struct harness_vulkan_params){.layers = "clampler:validation",
                                                                .gl_sampler = true,
                                                                .gl_image_view = true,
                                                                .sampling_features = true});
    unsetenv("VK_CLAMPLER_BORDER_COLOR");
    lookup_vulkan_open(&b->lookups, &b->vk, (struct lookup_grid){GRID, GRID});
    for (uint32_t i = 0; i < GRID * GRID; i++)
        b->inputs[i] = (struct lookup_input){.p = {1.5f + (float)i, -1, 0, 0}};
}

static void close_device(struct view_borders *b)
{
    lookup_vulkan_close(&b->lookups);
    harness_vulkan_close(&b->vk);
}

static VkSampler border_sampler(struct view_borders *b, const struct row *row)
{
    VkSamplerGLStateCreateInfoCLAMPLER state = {
        .wrapS = GL_CLAMP_TO_BORDER, .wrapT = GL_CLAMP_TO_BORDER, .minFilter = GL_NEAREST, .magFilter = GL_NEAREST};
    if (row->kind == LOOKUP_FLOAT)
        memcpy(state.borderColor.float32, row->real, sizeof(row->real));
    else
        memcpy(state.borderColor.int32, row->whole, sizeof(row->whole));
    return lookup_vulkan_sampler(&b->vk, &state, LOOKUP_SAMPLER_GL, false);
}

/* The least tier that may draw it: a sampler of its own cannot know the view's range. */
static unsigned least_tier(bool separate, bool shader)
{
    return separate || shader ? 2 : 0;
}

static void draw_row(struct view_borders *b, const struct row *row, bool separate, bool shader)
{
    const struct lookup lookup = {LOOKUP_2D, LOOKUP_LOD, row->kind, LOOKUP_FRAGMENT, separate, 0, LOOKUP_ALONE};
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                         VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                     .internalFormat = row->internal,
                                                     .baseFormat = row->base};
    const struct harness_image_params params = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                                .format = row->format,
                                                .width = 4,
                                                .height = 4,
                                                .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                                                .view_next = &gl};
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(b->vk.physical, row->format, &properties);
    if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
        return;
    struct harness_image image;
    harness_image_create(&b->vk, &image, &params, NULL);
    VkSampler sampler = border_sampler(b, row);
    const struct clampler_counters before = harness_counters(&b->vk);
    lookup_vulkan_run(&b->lookups, &lookup, image.view, sampler, b->inputs, b->drawn);
    const struct clampler_counters after = harness_counters(&b->vk);
    uint64_t drew = 0;
    for (unsigned tier = least_tier(separate, shader); tier < 3; tier++)
        drew += after.draws[tier] - before.draws[tier];
    assert_int_equal(drew, 1);
    for (uint32_t value = 0; value < GRID * GRID * 4; value++) {
        const float right = row->shown[value % 4];
        if (!(fabsf(b->drawn[value] - right) <= 1e-3f * fabsf(right)))
            fail_msg("row %d, %s, %s: channel %u is %f, not %f", (int)(row - rows), separate ? "separate" : "combined",
                     shader ? "shader" : "driver", value % 4, (double)b->drawn[value], (double)right);
    }
    vkDestroySampler(b->vk.device, sampler, NULL);
    harness_image_destroy(&b->vk, &image);
}

static void borders_are_clamped_to_the_textures_range(void **state)
{
    (void)state;
    for (int shader = 0; shader < 2; shader++) {
        struct view_borders *b = harness_alloc(1, sizeof(*b));
        harness_messages_reset();
        open_device(b, shader ? "shader" : NULL);
        for (size_t i = 0; i < ROWS; i++)
            for (int separate = 0; separate < 2; separate++)
                draw_row(b, &rows[i], separate, shader);
        close_device(b);
        assert_int_equal(harness_messages(), 0);
        free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(borders_are_clamped_to_the_textures_range)};
    harness_vulkan_hold_driver();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
