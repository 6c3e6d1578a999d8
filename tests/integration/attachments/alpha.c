/* SPDX-License-Identifier: MIT */
/*
 * Attachments without alpha in formats that have it. What is drawn to them is compared with the same draw to an
 * attachment with alpha whose memory holds 1 and whose alpha is not written: the driver's own blending, which nothing
 * of the layer touches. Run with dynamic blend state and, under the limited driver, with pipeline variants.
 */
#include <stdlib.h>
#include <string.h>

#include "integration/attachments/alpha_scene.h"
#include "integration_blend_refused.h"
#include "integration_blend_3.h"
#include "integration_blend_integer.h"
#include "integration_pushed.h"

#define F(NAME) VK_BLEND_FACTOR_##NAME

/* ---- Blending ---- */

static void factors_see_alpha_one_in_every_kind_of_pass(void **state)
{
    (void)state;
    static const VkPipelineColorBlendAttachmentState *const states[] = {&alpha_reads_alpha, &alpha_saturates};
    struct alpha_scene f;
    alpha_open(&f);
    for (unsigned s = 0; s < 2; s++) {
        alpha_pixels expected, found;
        alpha_native(&f, states[s], expected);
        for (enum blending_style style = BLENDING_PASS; style < BLENDING_STYLES; style++) {
            struct harness_image image;
            struct blending_pass pass;
            alpha_attach(&f, &image, &pass, style, GL_RGB_BASE, false, VK_ATTACHMENT_LOAD_OP_LOAD);
            VkPipeline pipeline = alpha_pipeline(&f, &pass, states[s]);
            blending_draw(&f.vk, &pass, NULL, pipeline);
            blending_image_read(&f.vk, &image, found);
            alpha_expect_colors(found, expected);
            alpha_expect_alpha(found, 255); /* noise was uploaded */
            vkDestroyPipeline(f.vk.device, pipeline, NULL);
            alpha_detach(&f, &image, &pass);
        }
    }
    const struct clampler_counters counters = harness_counters(&f.vk);
    assert_true(f.dynamic ? counters.blend_updates >= 8 : counters.blend_variants >= 8);
    alpha_close(&f);
}

/* ---- Alpha in memory ---- */

struct memory_row {
    enum blending_style style;
    VkAttachmentLoadOp load;
    bool clear_inside; /* vkCmdClearAttachments instead of a draw */
};

static void memory_holds_one_after_every_way_to_write(void **state)
{
    (void)state;
    static const struct memory_row rows[] = {
        {BLENDING_PASS, VK_ATTACHMENT_LOAD_OP_CLEAR, false},
        {BLENDING_PASS2, VK_ATTACHMENT_LOAD_OP_CLEAR, true},
        {BLENDING_IMAGELESS, VK_ATTACHMENT_LOAD_OP_CLEAR, false},
        {BLENDING_DYNAMIC, VK_ATTACHMENT_LOAD_OP_CLEAR, false},
        {BLENDING_PASS, VK_ATTACHMENT_LOAD_OP_DONT_CARE, false},
        {BLENDING_PASS2, VK_ATTACHMENT_LOAD_OP_DONT_CARE, false},
        {BLENDING_IMAGELESS, VK_ATTACHMENT_LOAD_OP_DONT_CARE, false},
        {BLENDING_DYNAMIC, VK_ATTACHMENT_LOAD_OP_DONT_CARE, true},
    };
    static const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0.0f}};
    struct alpha_scene f;
    alpha_open(&f);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct harness_image image;
        struct blending_pass pass;
        alpha_pixels found;
        alpha_attach(&f, &image, &pass, rows[i].style, GL_RGB_BASE, false, rows[i].load);
        VkPipeline pipeline = alpha_pipeline(&f, &pass, &alpha_replaces);
        VkCommandBuffer commands = harness_begin(&f.vk);
        blending_pass_begin(&pass, commands, rows[i].load == VK_ATTACHMENT_LOAD_OP_CLEAR ? &color : NULL,
                            VK_SUBPASS_CONTENTS_INLINE);
        if (rows[i].clear_inside) {
            const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = color}};
            const VkClearRect rect = {{{0, 0}, {ALPHA_SIZE, ALPHA_SIZE}}, 0, 1};
            vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
        } else {
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        blending_pass_end(&pass, commands);
        harness_submit(&f.vk, commands);
        blending_image_read(&f.vk, &image, found);
        alpha_expect_alpha(found, 255);
        if (rows[i].clear_inside) {
            assert_int_equal(found[0][0], 51);
            assert_int_equal(found[ALPHA_PIXELS - 1][2], 153);
        } else {
            assert_int_equal(found[ALPHA_SIZE - 1][0], 255);
            assert_int_equal(found[0][0], 0);
        }
        vkDestroyPipeline(f.vk.device, pipeline, NULL);
        alpha_detach(&f, &image, &pass);
    }
    alpha_close(&f);
}

/* Load operations are no draws: what the layer fills for them must be filled whatever the program's condition. */
static void conditions_do_not_hold_for_load_operations(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME};
    VkPhysicalDeviceConditionalRenderingFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, .conditionalRendering = VK_TRUE};
    static const uint32_t zero = 0;
    struct alpha_scene f;
    struct harness_image image;
    struct harness_buffer condition;
    struct blending_pass pass;
    alpha_pixels found, expected;
    alpha_open_with(&f, (struct harness_vulkan_params){.gl_sampler = true,
                                                       .alpha_to_one = true,
                                                       .device_extensions = extensions,
                                                       .device_extension_count = 1,
                                                       .device_next = &features});
    alpha_attach(&f, &image, &pass, BLENDING_PASS, GL_RGB_BASE, false, VK_ATTACHMENT_LOAD_OP_LOAD);
    harness_buffer_create(&f.vk, &condition, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, sizeof(zero), &zero);
    VkPipeline pipeline = alpha_pipeline(&f, &pass, &alpha_replaces);
    const VkConditionalRenderingBeginInfoEXT begin = {.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                      .buffer = condition.buffer};
    VkCommandBuffer commands = harness_begin(&f.vk);
    HARNESS_PROC(&f.vk, vkCmdBeginConditionalRenderingEXT)(commands, &begin);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0); /* discarded: the condition holds again */
    blending_pass_end(&pass, commands);
    HARNESS_PROC(&f.vk, vkCmdEndConditionalRenderingEXT)(commands);
    harness_submit(&f.vk, commands);
    alpha_noise(expected, true);
    blending_image_read(&f.vk, &image, found);
    alpha_expect_colors(found, expected);
    alpha_expect_alpha(found, 255);
    assert_true(harness_counters(&f.vk).alpha_fills > 0);
    vkDestroyPipeline(f.vk.device, pipeline, NULL);
    blending_pass_destroy(&f.vk, &pass);
    harness_buffer_destroy(&f.vk, &condition);
    harness_image_destroy(&f.vk, &image);
    alpha_close(&f);
}

/* What is drawn to fill alpha at the beginning of a pass binds another layout between the push and the draw. */
static void push_constants_of_before_the_pass_stay(void **state)
{
    (void)state;
    static const float color[4] = {1.0f, 0.2f, 0.4f, 0.0f};
    struct alpha_scene f;
    struct harness_image image;
    struct blending_pass pass;
    alpha_pixels found;
    alpha_open(&f);
    alpha_attach(&f, &image, &pass, BLENDING_PASS, GL_RGB_BASE, false, VK_ATTACHMENT_LOAD_OP_LOAD);
    VkPipelineLayout layout = harness_pipeline_layout(&f.vk, NULL, 0, sizeof(color));
    VkPipeline pipeline = blending_pipeline(
        &f.vk, &pass,
        &(struct blending_pipeline_params){
            .fragment = HARNESS_SPIRV(integration_pushed), .layout = layout, .states = {alpha_replaces}});
    VkCommandBuffer commands = harness_begin(&f.vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, sizeof(color), color);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    harness_submit(&f.vk, commands);
    blending_image_read(&f.vk, &image, found);
    assert_true(harness_counters(&f.vk).alpha_fills > 0);
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        static const uint8_t wanted[4] = {255, 51, 102, 255};
        assert_memory_equal(found[i], wanted, 4);
    }
    vkDestroyPipeline(f.vk.device, pipeline, NULL);
    vkDestroyPipelineLayout(f.vk.device, layout, NULL);
    alpha_detach(&f, &image, &pass);
    alpha_close(&f);
}

static void clear_image(struct alpha_scene *f, const struct harness_image *image, const VkClearColorValue *color)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkCommandBuffer commands = harness_begin(&f->vk);
    vkCmdClearColorImage(commands, image->image, VK_IMAGE_LAYOUT_GENERAL, color, 1, &range);
    harness_submit(&f->vk, commands);
}

/* An image that is seen with alpha as well keeps what the program gives. */
static void image_clears_write_one_unless_alpha_is_seen(void **state)
{
    (void)state;
    static const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0.0f}};
    struct alpha_scene f;
    alpha_pixels found;
    alpha_open(&f);
    for (unsigned i = 0; i < 3; i++) {
        static const struct {
            uint32_t first, second; /* base formats of the views */
            uint8_t alpha;
        } rows[] = {{GL_RGB_BASE, GL_RGB_BASE, 255}, {GL_RGB_BASE, GL_RGBA_BASE, 0}, {GL_RGBA_BASE, 0, 0}};
        struct harness_image image;
        alpha_target(&f, &image, rows[i].first, false);
        VkImageView view = blending_view(&f.vk, &image, rows[i].second);
        clear_image(&f, &image, &color);
        blending_image_read(&f.vk, &image, found);
        alpha_expect_alpha(found, rows[i].alpha);
        assert_int_equal(found[0][1], 102);
        vkDestroyImageView(f.vk.device, view, NULL);
        harness_image_destroy(&f.vk, &image);
    }
    alpha_close(&f);
}

static void integers_are_cleared_to_one(void **state)
{
    (void)state;
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_SINT};
    static const VkClearColorValue color = {.uint32 = {7, 8, 9, 77}};
    struct alpha_scene f;
    alpha_pixels found;
    alpha_open(&f);
    for (unsigned i = 0; i < 2; i++) {
        struct harness_image image;
        struct blending_pass pass;
        blending_image_create(
            &f.vk, &image,
            &(struct blending_image_params){
                .format = formats[i], .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = GL_RGB_BASE},
            NULL);
        struct blending_pass_params params = alpha_pass(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_CLEAR);
        params.formats[0] = formats[i];
        blending_pass_create(&f.vk, &pass, &params);
        VkCommandBuffer commands = harness_begin(&f.vk);
        blending_pass_begin(&pass, commands, &color, VK_SUBPASS_CONTENTS_INLINE);
        VkPipeline pipeline = VK_NULL_HANDLE;
        if (i == 0) { /* and drawn to */
            pipeline = blending_pipeline(
                &f.vk, &pass,
                &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_integer),
                                                   .layout = f.layout,
                                                   .states = {alpha_replaces}});
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        blending_pass_end(&pass, commands);
        harness_submit(&f.vk, commands);
        blending_image_read(&f.vk, &image, found);
        alpha_expect_alpha(found, 1);
        assert_int_equal(found[3][0], i == 0 ? 3 : 7);
        vkDestroyPipeline(f.vk.device, pipeline, NULL);
        alpha_detach(&f, &image, &pass);
    }
    alpha_close(&f);
}

static void the_programs_own_write_mask_still_works(void **state)
{
    (void)state;
    struct alpha_scene f;
    alpha_open(&f);
    alpha_pixels expected, found;
    for (VkColorComponentFlags mask = 0; mask <= ALPHA_RGBA; mask += 3) {
        VkPipelineColorBlendAttachmentState masked = alpha_reads_alpha;
        masked.colorWriteMask = mask;
        alpha_native(&f, &masked, expected);
        struct harness_image image;
        struct blending_pass pass;
        alpha_attach(&f, &image, &pass, BLENDING_PASS, GL_RGB_BASE, false, VK_ATTACHMENT_LOAD_OP_LOAD);
        VkPipeline pipeline = alpha_pipeline(&f, &pass, &masked);
        blending_draw(&f.vk, &pass, NULL, pipeline);
        blending_image_read(&f.vk, &image, found);
        alpha_expect_colors(found, expected);
        vkDestroyPipeline(f.vk.device, pipeline, NULL);
        alpha_detach(&f, &image, &pass);
    }
    alpha_close(&f);
}

/* ---- Mixed passes and switching ---- */

static void attachments_of_a_pass_differ(void **state)
{
    (void)state;
    struct alpha_scene f;
    alpha_open(&f);
    alpha_pixels one, other, found;
    alpha_native(&f, &alpha_reads_alpha, one);
    alpha_drawn(&f, GL_RGBA_BASE, false, &alpha_reads_alpha, other);
    assert_memory_not_equal(one, other, sizeof(one)); /* alpha that is there tells the two apart */
    for (enum blending_style style = BLENDING_PASS; style < BLENDING_STYLES; style++) {
        struct harness_image images[3];
        struct blending_pass pass;
        for (unsigned i = 0; i < 3; i++)
            alpha_target(&f, &images[i], i == 1 ? GL_RGBA_BASE : GL_RGB_BASE, false);
        const struct blending_pass_params params = {.style = style,
                                                    .count = 3,
                                                    .views = {images[0].view, images[1].view, images[2].view},
                                                    .formats = {ALPHA_FORMAT, ALPHA_FORMAT, ALPHA_FORMAT},
                                                    .width = ALPHA_SIZE,
                                                    .height = ALPHA_SIZE,
                                                    .load = VK_ATTACHMENT_LOAD_OP_LOAD};
        blending_pass_create(&f.vk, &pass, &params);
        VkPipeline pipeline = blending_pipeline(
            &f.vk, &pass,
            &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_3),
                                               .layout = f.layout,
                                               .states = {alpha_reads_alpha, alpha_reads_alpha, alpha_reads_alpha}});
        blending_draw(&f.vk, &pass, NULL, pipeline);
        for (unsigned i = 0; i < 3; i++) {
            blending_image_read(&f.vk, &images[i], found);
            if (i == 1) {
                assert_memory_equal(found, other, sizeof(found));
            } else {
                alpha_expect_colors(found, one);
                alpha_expect_alpha(found, 255);
            }
            harness_image_destroy(&f.vk, &images[i]);
        }
        vkDestroyPipeline(f.vk.device, pipeline, NULL);
        blending_pass_destroy(&f.vk, &pass);
    }
    alpha_close(&f);
}

/* One pipeline, first with and then without alpha, over and over: after the first round nothing is compiled. */
static void switching_targets_compiles_nothing_after_the_first_round(void **state)
{
    (void)state;
    struct alpha_scene f;
    alpha_open(&f);
    alpha_pixels one, other, found;
    static const VkPipelineColorBlendAttachmentState plain = {
        VK_TRUE, F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA), VK_BLEND_OP_ADD, F(ZERO), F(ONE), VK_BLEND_OP_ADD, ALPHA_RGBA};
    alpha_native(&f, &plain, one);
    struct clampler_counters warm = {.draws = {0}};
    for (unsigned round = 0; round < 4; round++) {
        static VkPipeline pipeline;
        static struct blending_pass first;
        static struct harness_image keeper;
        if (round == 0) {
            alpha_target(&f, &keeper, GL_RGB_BASE, false);
            const struct blending_pass_params params =
                alpha_pass(BLENDING_PASS, keeper.view, VK_ATTACHMENT_LOAD_OP_LOAD);
            blending_pass_create(&f.vk, &first, &params);
            pipeline = alpha_pipeline(&f, &first, &plain);
        }
        for (unsigned with = 0; with < 2; with++) {
            struct harness_image image;
            struct blending_pass pass;
            alpha_attach(&f, &image, &pass, BLENDING_PASS, with ? GL_RGBA_BASE : GL_RGB_BASE, false,
                         VK_ATTACHMENT_LOAD_OP_LOAD);
            blending_draw(&f.vk, &pass, NULL, pipeline);
            blending_image_read(&f.vk, &image, found);
            if (with && round == 0)
                memcpy(other, found, sizeof(other));
            alpha_expect_colors(found, with ? other : one);
            alpha_detach(&f, &image, &pass);
        }
        if (round == 0)
            warm = harness_counters(&f.vk);
        if (round == 3) {
            vkDestroyPipeline(f.vk.device, pipeline, NULL);
            alpha_detach(&f, &keeper, &first);
        }
    }
    assert_true(memcmp(one, other, sizeof(one)) != 0);
    const struct clampler_counters after = harness_counters(&f.vk);
    assert_memory_equal(after.pipelines, warm.pipelines, sizeof(after.pipelines));
    assert_int_equal(after.blend_variants, warm.blend_variants);
    assert_int_equal(warm.blend_variants, f.dynamic ? 0 : 1);
    alpha_close(&f);
}

/* A variant whose shader the validator of rewrites refuses: draws keep the program's, and vkEndCommandBuffer tells. */
static void a_variant_that_is_refused_is_told(void **state)
{
    (void)state;
    enum { MODE = 3u << 16 | 16, HEADER = 5, ORIGIN_UPPER_LEFT = 7, ORIGIN_LOWER_LEFT = 8 };
    static uint32_t words[sizeof(integration_blend_refused) / sizeof(integration_blend_refused[0])];
    static const VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
    static const struct blending_image_params floats = {
        .format = VK_FORMAT_R16G16B16A16_SFLOAT, .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = GL_RGB_BASE};
    static const uint16_t texels[ALPHA_PIXELS][4];
    memcpy(words, integration_blend_refused, sizeof(words));
    for (size_t at = HEADER; at < sizeof(words) / sizeof(words[0]); at += words[at] >> 16) {
        if (words[at] == MODE && words[at + 2] == ORIGIN_UPPER_LEFT)
            words[at + 2] = ORIGIN_LOWER_LEFT; /* which drivers know, and Vulkan forbids */
    }
    for (unsigned valid = 0; valid < 2; valid++) {
        struct alpha_scene f;
        struct harness_image image;
        struct blending_pass pass;
        setenv("VK_CLAMPLER_VALIDATE_REWRITES", "true", 1);
        setenv("VK_CLAMPLER_TIERS", "lazy", 1);
        alpha_open_with(&f,
                        (struct harness_vulkan_params){
                            .layers = "clampler", .gl_sampler = true, .alpha_to_one = true, .device_next = &features});
        unsetenv("VK_CLAMPLER_TIERS");
        unsetenv("VK_CLAMPLER_VALIDATE_REWRITES");
        harness_messages_reset();
        blending_image_create(&f.vk, &image, &floats, texels);
        struct blending_pass_params params = alpha_pass(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
        params.formats[0] = floats.format;
        blending_pass_create(&f.vk, &pass, &params);
        const struct harness_spirv code = {valid ? integration_blend_refused : words, sizeof(words)};
        VkPipeline pipeline = blending_pipeline(
            &f.vk, &pass,
            &(struct blending_pipeline_params){.fragment = code, .layout = f.layout, .states = {alpha_replaces}});
        VkCommandBuffer commands = harness_begin(&f.vk);
        blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdDraw(commands, 3, 1, 0, 0);
        blending_pass_end(&pass, commands);
        const bool written = harness_counters(&f.vk).alpha_written > 0;
        const VkResult result = vkEndCommandBuffer(commands);
        if (valid) {
            assert_int_equal(result, VK_SUCCESS);
            assert_true(written);
        } else {
            assert_int_equal(result, VK_ERROR_UNKNOWN);
            assert_false(written);
            assert_non_null(strstr(harness_layer_message(0), "is not valid and not used"));
        }
        vkFreeCommandBuffers(f.vk.device, f.vk.pool, 1, &commands);
        vkDestroyPipeline(f.vk.device, pipeline, NULL);
        alpha_detach(&f, &image, &pass);
        harness_messages_reset();
        alpha_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_see_alpha_one_in_every_kind_of_pass),
        cmocka_unit_test(memory_holds_one_after_every_way_to_write),
        cmocka_unit_test(conditions_do_not_hold_for_load_operations),
        cmocka_unit_test(push_constants_of_before_the_pass_stay),
        cmocka_unit_test(image_clears_write_one_unless_alpha_is_seen),
        cmocka_unit_test(integers_are_cleared_to_one),
        cmocka_unit_test(the_programs_own_write_mask_still_works),
        cmocka_unit_test(attachments_of_a_pass_differ),
        cmocka_unit_test(switching_targets_compiles_nothing_after_the_first_round),
        cmocka_unit_test(a_variant_that_is_refused_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
