/* SPDX-License-Identifier: MIT */
/*
 * SRC_ALPHA_SATURATE on attachments without alpha where the source's alpha is negative: min(As, 1 - 1) is As, not 0
 * (OpenGL 4.6, table 17.2). In floats and SNORM, and in UNORM, where it is clamped to 0 first; with static and dynamic
 * blend state, whichever way alpha is kept.
 */
#include <math.h>
#include <string.h>

#include "harness/images/format.h"
#include "integration/attachments/alpha_scene.h"
#include "integration_saturate.h"

#define F(NAME) VK_BLEND_FACTOR_##NAME

static const struct {
    VkBlendFactor source, destination;
} rows[] = {{F(SRC_ALPHA_SATURATE), F(ONE)},
            {F(ONE), F(SRC_ALPHA_SATURATE)},
            {F(SRC_ALPHA_SATURATE), F(SRC_ALPHA_SATURATE)},
            {F(SRC_ALPHA_SATURATE), F(ZERO)}};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

enum kind { FLOATS, SIGNED, UNSIGNED, KINDS };
static const VkFormat formats[KINDS] = {VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R8G8B8A8_SNORM,
                                        VK_FORMAT_R8G8B8A8_UNORM};
static const float steps[KINDS] = {127, 127, 255}; /* between 0 and 1, of what is filled in */

typedef union {
    uint16_t halves[ALPHA_PIXELS][4];
    int8_t bytes[ALPHA_PIXELS][4];
} texels;

static float value_of(const texels *all, enum kind kind, unsigned pixel, unsigned channel)
{
    const int8_t byte = all->bytes[pixel][channel];
    return kind == FLOATS   ? format_from_half(all->halves[pixel][channel])
           : kind == SIGNED ? (float)byte / steps[kind]
                            : (float)(uint8_t)byte / steps[kind];
}

/* Alpha is 0.5 in memory before: whoever reads it there without filling it gets another result. */
static void fill(texels *all, enum kind kind)
{
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        for (unsigned c = 0; c < 4; c++) {
            const int byte = c == 3 ? 64 : (int)((i * 5 + c * 31) % 128);
            if (kind == FLOATS)
                all->halves[i][c] = format_half((float)byte / steps[kind]);
            else
                all->bytes[i][c] = (int8_t)byte;
        }
    }
}

static float factor_of(VkBlendFactor factor, float alpha)
{
    return factor == F(ONE) ? 1 : factor == F(ZERO) ? 0 : alpha < 0 ? alpha : 0;
}

static void draw(struct alpha_scene *scene, enum kind kind, size_t row, bool dynamic)
{
    static const VkDynamicState dynamic_state[] = {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT};
    const VkFormat format = formats[kind];
    const float least = kind == SIGNED ? -1 : 0;
    struct harness_image image;
    struct blending_pass pass;
    texels before, after;
    fill(&before, kind);
    blending_image_create(&scene->vk, &image,
                          &(struct blending_image_params){
                              .format = format, .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = GL_RGB_BASE},
                          &before);
    struct blending_pass_params params = alpha_pass(BLENDING_DYNAMIC, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    params.formats[0] = format;
    blending_pass_create(&scene->vk, &pass, &params);
    const VkPipelineColorBlendAttachmentState state = {VK_TRUE,         rows[row].source, rows[row].destination,
                                                       VK_BLEND_OP_ADD, F(ONE),           F(ZERO),
                                                       VK_BLEND_OP_ADD, ALPHA_RGBA};
    const VkColorBlendEquationEXT equation = {rows[row].source, rows[row].destination, VK_BLEND_OP_ADD, F(ONE),
                                              F(ZERO),          VK_BLEND_OP_ADD};
    VkPipeline pipeline =
        blending_pipeline(&scene->vk, &pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_saturate),
                                                             .layout = scene->layout,
                                                             .states = {state},
                                                             .dynamic = dynamic ? dynamic_state : NULL,
                                                             .dynamic_count = dynamic});
    const uint64_t fills = harness_counters(&scene->vk).alpha_fills;
    VkCommandBuffer commands = harness_begin(&scene->vk);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (dynamic)
        HARNESS_PROC(&scene->vk, vkCmdSetColorBlendEquationEXT)(commands, 0, 1, &equation);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    harness_submit(&scene->vk, commands);
    assert_int_equal(harness_counters(&scene->vk).alpha_fills, fills + 1);
    blending_image_read(&scene->vk, &image, &after);
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        const float x = (float)(i % ALPHA_SIZE), y = (float)(i / ALPHA_SIZE);
        const float source[3] = {x / 15, y / 15, (15 - x) / 15}, given = fmodf(x * 7 + y * 3, 16) / 15 - 1;
        const float alpha = kind == UNSIGNED ? 0 : given;
        for (unsigned c = 0; c < 3; c++) {
            const float found = value_of(&after, kind, i, c);
            float wanted = source[c] * factor_of(rows[row].source, alpha) +
                           value_of(&before, kind, i, c) * factor_of(rows[row].destination, alpha);
            if (kind != FLOATS)
                wanted = wanted < least ? least : wanted > 1 ? 1 : wanted;
            if (fabsf(found - wanted) > (kind == FLOATS ? 0.004f : 1.6f / steps[kind]))
                fail_msg("format %d, row %zu, pixel %u, channel %u: %g, not %g (alpha %g)", format, row, i, c,
                         (double)found, (double)wanted, (double)alpha);
        }
        assert_true(fabsf(value_of(&after, kind, i, 3) - 1) < 1e-6f);
    }
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    blending_pass_destroy(&scene->vk, &pass);
    harness_image_destroy(&scene->vk, &image);
}

static bool can_blend(const struct alpha_scene *scene, VkFormat format)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(scene->vk.physical, format, &properties);
    return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
}

static void negative_alpha_saturates_to_itself(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_open_dynamic(&scene);
    for (unsigned i = 0; i < KINDS * ROWS; i++) {
        const enum kind kind = (enum kind)(i / ROWS);
        if (!can_blend(&scene, formats[kind])) /* Vulkan requires it of the last */
            continue;
        draw(&scene, kind, i % ROWS, false);
        if (scene.dynamic)
            draw(&scene, kind, i % ROWS, true);
    }
    alpha_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(negative_alpha_saturates_to_itself)};
    return cmocka_run_group_tests_name("integration_alpha_saturate", tests, NULL, NULL);
}
