/*
 * Attachments without alpha in formats that have it. What is drawn to them is compared with the same draw to an
 * attachment with alpha whose memory holds 1 and whose alpha is not written: the driver's own blending, which nothing
 * of the layer touches. Run with dynamic blend state and, under the limited driver, with pipeline variants.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/blending.h"
#include "integration_blend_1.h"
#include "integration_blend_3.h"
#include "integration_blend_integer.h"

enum { SIZE = 16, PIXELS = SIZE * SIZE, GL_RGB = 0x1907, GL_RGBA = 0x1908, GL_ALPHA = 0x1906, GL_RED = 0x1903 };

#define RGB (VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT)
#define RGBA (RGB | VK_COLOR_COMPONENT_A_BIT)
#define F(NAME) VK_BLEND_FACTOR_##NAME

static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
static const VkPipelineColorBlendAttachmentState reads_alpha = {
    VK_TRUE, F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA), VK_BLEND_OP_ADD, F(DST_ALPHA), F(ONE), VK_BLEND_OP_ADD, RGBA};
static const VkPipelineColorBlendAttachmentState saturates = {
    VK_TRUE, F(SRC_ALPHA_SATURATE), F(DST_COLOR), VK_BLEND_OP_ADD, F(ZERO), F(ONE), VK_BLEND_OP_ADD, RGBA};
static const VkPipelineColorBlendAttachmentState replaces = {.colorWriteMask = RGBA};

struct fixture {
    struct harness_vulkan vk;
    VkPipelineLayout layout;
    bool dynamic; /* the driver has dynamic blend state, so that there is one variant for all masks */
};

static const char *layers_of_test(void)
{
    const char *layers = getenv("CLAMPLER_TEST_LAYERS");
    return layers ? layers : "clampler:validation";
}

static void open_with(struct fixture *f, struct harness_vulkan_params params)
{
    harness_messages_reset();
    if (!params.layers)
        params.layers = layers_of_test();
    harness_vulkan_open(&f->vk, &params);
    f->layout = harness_pipeline_layout(&f->vk, NULL, 0, 0);
    f->dynamic = harness_has_extension(&f->vk, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME);
}

static void open_fixture(struct fixture *f)
{
    static const VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
    static const VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = (void *)(uintptr_t)&features13,
        .imagelessFramebuffer = VK_TRUE};
    static const VkPhysicalDeviceVulkan11Features features11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .pNext = (void *)(uintptr_t)&features12,
        .multiview = VK_TRUE};
    static const VkPhysicalDeviceFeatures core = {.logicOp = VK_TRUE, .independentBlend = VK_TRUE};
    open_with(f, (struct harness_vulkan_params){
                     .gl_sampler = true, .alpha_to_one = true, .device_next = &features11, .features = &core});
}

static void close_fixture(struct fixture *f)
{
    vkDestroyPipelineLayout(f->vk.device, f->layout, NULL);
    harness_vulkan_close(&f->vk);
    assert_int_equal(harness_messages(), 0);
}

/* ---- Targets: colour noise, with garbage or 1 in alpha ---- */

static void fill_texels(uint8_t texels[PIXELS][4], bool ones)
{
    uint32_t state = 1;
    for (unsigned i = 0; i < PIXELS; i++) {
        for (unsigned c = 0; c < 4; c++) {
            state = state * 1664525u + 1013904223u;
            texels[i][c] = (uint8_t)(state >> 24);
        }
        if (ones)
            texels[i][3] = 255;
    }
}

static void noise_target(struct fixture *f, struct harness_image *image, uint32_t base_format, bool ones)
{
    uint8_t texels[PIXELS][4];
    fill_texels(texels, ones);
    blending_image_create(
        &f->vk, image,
        &(struct blending_image_params){.format = format, .width = SIZE, .height = SIZE, .base_format = base_format},
        texels);
}

static struct blending_pass_params pass_of(enum blending_style style, VkImageView view, VkAttachmentLoadOp load)
{
    return (struct blending_pass_params){
        .style = style, .count = 1, .views = {view}, .formats = {format}, .width = SIZE, .height = SIZE, .load = load};
}

static VkPipeline pipeline_of(struct fixture *f, const struct blending_pass *pass,
                              const VkPipelineColorBlendAttachmentState *state)
{
    return blending_pipeline(&f->vk, pass,
                             &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_1),
                                                                .layout = f->layout,
                                                                .states = {*state}});
}

/* What the driver blends where alpha is 1 in memory and not written. */
static void native_result(struct fixture *f, const VkPipelineColorBlendAttachmentState *state,
                          uint8_t pixels[PIXELS][4])
{
    struct harness_image image;
    struct blending_pass pass;
    VkPipelineColorBlendAttachmentState control = *state;
    control.colorWriteMask &= RGB;
    noise_target(f, &image, 0, true);
    const struct blending_pass_params params = pass_of(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&f->vk, &pass, &params);
    VkPipeline pipeline = pipeline_of(f, &pass, &control);
    blending_draw(&f->vk, &pass, NULL, pipeline);
    blending_image_read(&f->vk, &image, pixels);
    vkDestroyPipeline(f->vk.device, pipeline, NULL);
    blending_pass_destroy(&f->vk, &pass);
    harness_image_destroy(&f->vk, &image);
}

static void expect_colors_at(uint8_t found[PIXELS][4], uint8_t expected[PIXELS][4], const char *file, int line)
{
    for (unsigned i = 0; i < PIXELS; i++) {
        if (memcmp(found[i], expected[i], 3) == 0)
            continue;
        print_error("%s:%d: pixel %u,%u is %u %u %u, not %u %u %u\n", file, line, i % SIZE, i / SIZE, found[i][0],
                    found[i][1], found[i][2], expected[i][0], expected[i][1], expected[i][2]);
        _fail(file, line);
    }
}
#define expect_colors(found, expected) expect_colors_at((found), (expected), __FILE__, __LINE__)

static void expect_alpha_at(uint8_t found[PIXELS][4], uint8_t alpha, const char *file, int line)
{
    for (unsigned i = 0; i < PIXELS; i++) {
        if (found[i][3] == alpha)
            continue;
        print_error("%s:%d: alpha of pixel %u,%u is %u, not %u\n", file, line, i % SIZE, i / SIZE, found[i][3], alpha);
        _fail(file, line);
    }
}
#define expect_alpha(found, alpha) expect_alpha_at((found), (alpha), __FILE__, __LINE__)

/* ---- Blending ---- */

static void factors_see_alpha_one_in_every_kind_of_pass(void **state)
{
    (void)state;
    static const VkPipelineColorBlendAttachmentState *const states[] = {&reads_alpha, &saturates};
    struct fixture f;
    open_fixture(&f);
    for (unsigned s = 0; s < 2; s++) {
        uint8_t expected[PIXELS][4], found[PIXELS][4];
        native_result(&f, states[s], expected);
        for (enum blending_style style = BLENDING_PASS; style < BLENDING_STYLES; style++) {
            struct harness_image image;
            struct blending_pass pass;
            noise_target(&f, &image, GL_RGB, false);
            const struct blending_pass_params params = pass_of(style, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
            blending_pass_create(&f.vk, &pass, &params);
            VkPipeline pipeline = pipeline_of(&f, &pass, states[s]);
            blending_draw(&f.vk, &pass, NULL, pipeline);
            blending_image_read(&f.vk, &image, found);
            expect_colors(found, expected);
            expect_alpha(found, 255); /* noise was uploaded */
            vkDestroyPipeline(f.vk.device, pipeline, NULL);
            blending_pass_destroy(&f.vk, &pass);
            harness_image_destroy(&f.vk, &image);
        }
    }
    const struct clampler_counters counters = harness_counters(&f.vk);
    assert_true(f.dynamic ? counters.blend_updates >= 8 : counters.blend_variants >= 8);
    close_fixture(&f);
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
    struct fixture f;
    open_fixture(&f);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct harness_image image;
        struct blending_pass pass;
        uint8_t found[PIXELS][4];
        noise_target(&f, &image, GL_RGB, false);
        const struct blending_pass_params params = pass_of(rows[i].style, image.view, rows[i].load);
        blending_pass_create(&f.vk, &pass, &params);
        VkPipeline pipeline = pipeline_of(&f, &pass, &replaces);
        VkCommandBuffer commands = harness_begin(&f.vk);
        blending_pass_begin(&pass, commands, rows[i].load == VK_ATTACHMENT_LOAD_OP_CLEAR ? &color : NULL,
                            VK_SUBPASS_CONTENTS_INLINE);
        if (rows[i].clear_inside) {
            const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = color}};
            const VkClearRect rect = {{{0, 0}, {SIZE, SIZE}}, 0, 1};
            vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
        } else {
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        blending_pass_end(&pass, commands);
        harness_submit(&f.vk, commands);
        blending_image_read(&f.vk, &image, found);
        expect_alpha(found, 255);
        if (rows[i].clear_inside) {
            assert_int_equal(found[0][0], 51);
            assert_int_equal(found[PIXELS - 1][2], 153);
        } else {
            assert_int_equal(found[SIZE - 1][0], 255);
            assert_int_equal(found[0][0], 0);
        }
        vkDestroyPipeline(f.vk.device, pipeline, NULL);
        blending_pass_destroy(&f.vk, &pass);
        harness_image_destroy(&f.vk, &image);
    }
    close_fixture(&f);
}

/* Load operations are no draws: what the layer fills for them must be filled whatever the program's condition. */
static void conditions_do_not_hold_for_load_operations(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME};
    VkPhysicalDeviceConditionalRenderingFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, .conditionalRendering = VK_TRUE};
    static const uint32_t zero = 0;
    struct fixture f;
    struct harness_image image;
    struct harness_buffer condition;
    struct blending_pass pass;
    uint8_t found[PIXELS][4], expected[PIXELS][4];
    open_with(&f, (struct harness_vulkan_params){.gl_sampler = true,
                                                 .alpha_to_one = true,
                                                 .device_extensions = extensions,
                                                 .device_extension_count = 1,
                                                 .device_next = &features});
    noise_target(&f, &image, GL_RGB, false);
    harness_buffer_create(&f.vk, &condition, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, sizeof(zero), &zero);
    const struct blending_pass_params params = pass_of(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&f.vk, &pass, &params);
    VkPipeline pipeline = pipeline_of(&f, &pass, &replaces);
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
    fill_texels(expected, true);
    blending_image_read(&f.vk, &image, found);
    expect_colors(found, expected);
    expect_alpha(found, 255);
    assert_true(harness_counters(&f.vk).alpha_fills > 0);
    vkDestroyPipeline(f.vk.device, pipeline, NULL);
    blending_pass_destroy(&f.vk, &pass);
    harness_buffer_destroy(&f.vk, &condition);
    harness_image_destroy(&f.vk, &image);
    close_fixture(&f);
}

static void clear_image(struct fixture *f, const struct harness_image *image, const VkClearColorValue *color)
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
    struct fixture f;
    uint8_t found[PIXELS][4];
    open_fixture(&f);
    for (unsigned i = 0; i < 3; i++) {
        static const struct {
            uint32_t first, second; /* base formats of the views */
            uint8_t alpha;
        } rows[] = {{GL_RGB, GL_RGB, 255}, {GL_RGB, GL_RGBA, 0}, {GL_RGBA, 0, 0}};
        struct harness_image image;
        noise_target(&f, &image, rows[i].first, false);
        VkImageView view = blending_view(&f.vk, &image, rows[i].second);
        clear_image(&f, &image, &color);
        blending_image_read(&f.vk, &image, found);
        expect_alpha(found, rows[i].alpha);
        assert_int_equal(found[0][1], 102);
        vkDestroyImageView(f.vk.device, view, NULL);
        harness_image_destroy(&f.vk, &image);
    }
    close_fixture(&f);
}

static void integers_are_cleared_to_one(void **state)
{
    (void)state;
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_SINT};
    static const VkClearColorValue color = {.uint32 = {7, 8, 9, 77}};
    struct fixture f;
    uint8_t found[PIXELS][4];
    open_fixture(&f);
    for (unsigned i = 0; i < 2; i++) {
        struct harness_image image;
        struct blending_pass pass;
        blending_image_create(
            &f.vk, &image,
            &(struct blending_image_params){.format = formats[i], .width = SIZE, .height = SIZE, .base_format = GL_RGB},
            NULL);
        struct blending_pass_params params = pass_of(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_CLEAR);
        params.formats[0] = formats[i];
        blending_pass_create(&f.vk, &pass, &params);
        VkCommandBuffer commands = harness_begin(&f.vk);
        blending_pass_begin(&pass, commands, &color, VK_SUBPASS_CONTENTS_INLINE);
        VkPipeline pipeline = VK_NULL_HANDLE;
        if (i == 0) { /* and drawn to */
            pipeline = blending_pipeline(
                &f.vk, &pass,
                &(struct blending_pipeline_params){
                    .fragment = HARNESS_SPIRV(integration_blend_integer), .layout = f.layout, .states = {replaces}});
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        blending_pass_end(&pass, commands);
        harness_submit(&f.vk, commands);
        blending_image_read(&f.vk, &image, found);
        expect_alpha(found, 1);
        assert_int_equal(found[3][0], i == 0 ? 3 : 7);
        vkDestroyPipeline(f.vk.device, pipeline, NULL);
        blending_pass_destroy(&f.vk, &pass);
        harness_image_destroy(&f.vk, &image);
    }
    close_fixture(&f);
}

static void the_programs_own_write_mask_still_works(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    uint8_t expected[PIXELS][4], found[PIXELS][4];
    for (VkColorComponentFlags mask = 0; mask <= RGBA; mask += 3) {
        VkPipelineColorBlendAttachmentState masked = reads_alpha;
        masked.colorWriteMask = mask;
        native_result(&f, &masked, expected);
        struct harness_image image;
        struct blending_pass pass;
        noise_target(&f, &image, GL_RGB, false);
        const struct blending_pass_params params = pass_of(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
        blending_pass_create(&f.vk, &pass, &params);
        VkPipeline pipeline = pipeline_of(&f, &pass, &masked);
        blending_draw(&f.vk, &pass, NULL, pipeline);
        blending_image_read(&f.vk, &image, found);
        expect_colors(found, expected);
        vkDestroyPipeline(f.vk.device, pipeline, NULL);
        blending_pass_destroy(&f.vk, &pass);
        harness_image_destroy(&f.vk, &image);
    }
    close_fixture(&f);
}

/* ---- Mixed passes and switching ---- */

static void attachments_of_a_pass_differ(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    uint8_t one[PIXELS][4], found[PIXELS][4];
    native_result(&f, &reads_alpha, one);
    for (enum blending_style style = BLENDING_PASS; style < BLENDING_STYLES; style++) {
        struct harness_image images[3];
        struct blending_pass pass;
        for (unsigned i = 0; i < 3; i++)
            noise_target(&f, &images[i], i == 1 ? GL_RGBA : GL_RGB, i == 1);
        const struct blending_pass_params params = {.style = style,
                                                    .count = 3,
                                                    .views = {images[0].view, images[1].view, images[2].view},
                                                    .formats = {format, format, format},
                                                    .width = SIZE,
                                                    .height = SIZE,
                                                    .load = VK_ATTACHMENT_LOAD_OP_LOAD};
        blending_pass_create(&f.vk, &pass, &params);
        VkPipeline pipeline =
            blending_pipeline(&f.vk, &pass,
                              &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_3),
                                                                 .layout = f.layout,
                                                                 .states = {reads_alpha, reads_alpha, reads_alpha}});
        blending_draw(&f.vk, &pass, NULL, pipeline);
        for (unsigned i = 0; i < 3; i++) {
            blending_image_read(&f.vk, &images[i], found);
            expect_colors(found, one);
            expect_alpha(found, 255); /* of the second: As x 1 + 1 x 1, saturated */
            harness_image_destroy(&f.vk, &images[i]);
        }
        vkDestroyPipeline(f.vk.device, pipeline, NULL);
        blending_pass_destroy(&f.vk, &pass);
    }
    close_fixture(&f);
}

/* One pipeline, first with and then without alpha, over and over: after the first round nothing is compiled. */
static void switching_targets_compiles_nothing_after_the_first_round(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    uint8_t one[PIXELS][4], other[PIXELS][4], found[PIXELS][4];
    static const VkPipelineColorBlendAttachmentState plain = {
        VK_TRUE, F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA), VK_BLEND_OP_ADD, F(ZERO), F(ONE), VK_BLEND_OP_ADD, RGBA};
    native_result(&f, &plain, one);
    struct clampler_counters warm = {.draws = {0}};
    for (unsigned round = 0; round < 4; round++) {
        static VkPipeline pipeline;
        static struct blending_pass first;
        static struct harness_image keeper;
        if (round == 0) {
            noise_target(&f, &keeper, GL_RGB, false);
            const struct blending_pass_params params = pass_of(BLENDING_PASS, keeper.view, VK_ATTACHMENT_LOAD_OP_LOAD);
            blending_pass_create(&f.vk, &first, &params);
            pipeline = pipeline_of(&f, &first, &plain);
        }
        for (unsigned with = 0; with < 2; with++) {
            struct harness_image image;
            struct blending_pass pass;
            noise_target(&f, &image, with ? GL_RGBA : GL_RGB, false);
            const struct blending_pass_params params = pass_of(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
            blending_pass_create(&f.vk, &pass, &params);
            blending_draw(&f.vk, &pass, NULL, pipeline);
            blending_image_read(&f.vk, &image, found);
            if (with && round == 0)
                memcpy(other, found, sizeof(other));
            expect_colors(found, with ? other : one);
            blending_pass_destroy(&f.vk, &pass);
            harness_image_destroy(&f.vk, &image);
        }
        if (round == 0)
            warm = harness_counters(&f.vk);
        if (round == 3) {
            vkDestroyPipeline(f.vk.device, pipeline, NULL);
            blending_pass_destroy(&f.vk, &first);
            harness_image_destroy(&f.vk, &keeper);
        }
    }
    assert_true(memcmp(one, other, sizeof(one)) != 0);
    const struct clampler_counters after = harness_counters(&f.vk);
    assert_memory_equal(after.pipelines, warm.pipelines, sizeof(after.pipelines));
    assert_int_equal(after.blend_variants, warm.blend_variants);
    assert_int_equal(warm.blend_variants, f.dynamic ? 0 : 1);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_see_alpha_one_in_every_kind_of_pass),
        cmocka_unit_test(memory_holds_one_after_every_way_to_write),
        cmocka_unit_test(conditions_do_not_hold_for_load_operations),
        cmocka_unit_test(image_clears_write_one_unless_alpha_is_seen),
        cmocka_unit_test(integers_are_cleared_to_one),
        cmocka_unit_test(the_programs_own_write_mask_still_works),
        cmocka_unit_test(attachments_of_a_pass_differ),
        cmocka_unit_test(switching_targets_compiles_nothing_after_the_first_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
