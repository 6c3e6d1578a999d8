/* SPDX-License-Identifier: MIT */
/*
 * Blend state of attachments without alpha where the program sets any part of it while recording: every choice of what
 * is dynamic, from one state to another, on targets without and with alpha in turn. What comes out must be what the
 * driver blends by itself with all of the state static.
 */
#include <string.h>

#include "integration/attachments/alpha_scene.h"
#include "integration_blend_dynamic.h"

#define F(NAME) VK_BLEND_FACTOR_##NAME

enum { ENABLE = 1, EQUATION = 2, MASK = 4, LOGIC = 8, CHOICES = 16 };

struct wanted {
    VkPipelineColorBlendAttachmentState blend;
    bool logic; /* exclusive or, in the place of blending */
};

#define READS_ALPHA F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA), VK_BLEND_OP_ADD, F(DST_ALPHA), F(ONE), VK_BLEND_OP_ADD
#define OVER F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), VK_BLEND_OP_ADD, F(ONE), F(ZERO), VK_BLEND_OP_ADD
#define MINIMUM F(ONE), F(ONE), VK_BLEND_OP_MIN, F(ONE), F(ONE), VK_BLEND_OP_MIN

static const struct wanted states[] = {
    {{VK_TRUE, READS_ALPHA, ALPHA_RGBA}, false},  {{VK_FALSE, OVER, ALPHA_RGBA}, false},
    {{VK_TRUE, OVER, ALPHA_RGB}, false},          {{VK_FALSE, READS_ALPHA, ALPHA_RGB}, false},
    {{VK_TRUE, MINIMUM, ALPHA_RGBA}, false},      {{VK_FALSE, OVER, ALPHA_RGBA}, true},
    {{VK_TRUE, READS_ALPHA, 0x9 /* RA */}, true}, {{VK_TRUE, READS_ALPHA, 0xa /* GA */}, false},
};
enum { STATES = sizeof(states) / sizeof(states[0]) };

/* The second state, but for what is static and therefore the first's. */
static struct wanted with_dynamic_of(const struct wanted *first, const struct wanted *second, unsigned dynamic)
{
    struct wanted result = dynamic & EQUATION ? *second : *first;
    result.blend.blendEnable = (dynamic & ENABLE ? second : first)->blend.blendEnable;
    result.blend.colorWriteMask = (dynamic & MASK ? second : first)->blend.colorWriteMask;
    result.logic = (dynamic & LOGIC ? second : first)->logic;
    return result;
}

static VkPipeline create_pipeline(struct alpha_scene *scene, const struct blending_pass *pass,
                                  const struct wanted *wanted, unsigned dynamic)
{
    VkDynamicState list[4];
    uint32_t count = 0;
    if (dynamic & ENABLE)
        list[count++] = VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT;
    if (dynamic & EQUATION)
        list[count++] = VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT;
    if (dynamic & MASK)
        list[count++] = VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT;
    if (dynamic & LOGIC)
        list[count++] = VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT;
    return blending_pipeline(&scene->vk, pass,
                             &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_dynamic),
                                                                .layout = scene->layout,
                                                                .states = {wanted->blend},
                                                                .logic = wanted->logic,
                                                                .logic_op = VK_LOGIC_OP_XOR,
                                                                .dynamic = list,
                                                                .dynamic_count = count});
}

static void set_dynamic(struct alpha_scene *scene, VkCommandBuffer commands, const struct wanted *wanted,
                        unsigned dynamic)
{
    const VkPipelineColorBlendAttachmentState *b = &wanted->blend;
    const VkColorBlendEquationEXT equation = {b->srcColorBlendFactor, b->dstColorBlendFactor, b->colorBlendOp,
                                              b->srcAlphaBlendFactor, b->dstAlphaBlendFactor, b->alphaBlendOp};
    if (dynamic & MASK)
        HARNESS_PROC(&scene->vk, vkCmdSetColorWriteMaskEXT)(commands, 0, 1, &b->colorWriteMask);
    if (dynamic & EQUATION)
        HARNESS_PROC(&scene->vk, vkCmdSetColorBlendEquationEXT)(commands, 0, 1, &equation);
    if (dynamic & ENABLE)
        HARNESS_PROC(&scene->vk, vkCmdSetColorBlendEnableEXT)(commands, 0, 1, &b->blendEnable);
    if (dynamic & LOGIC)
        HARNESS_PROC(&scene->vk, vkCmdSetLogicOpEnableEXT)(commands, wanted->logic);
}

/* ---- Targets: without alpha, but for one ---- */

enum { TARGETS = 3, TWICE = 1, WITH_ALPHA = 2 };

struct dynamic_scene {
    struct alpha_scene base;
    struct harness_image images[TARGETS], native;
    struct blending_pass passes[TARGETS], native_pass;
    struct harness_buffer noise, ones;
};

static void open_target(struct dynamic_scene *f, uint32_t base_format, struct harness_image *image,
                        struct blending_pass *pass)
{
    alpha_target(&f->base, image, base_format, false);
    const struct blending_pass_params params = alpha_pass(BLENDING_PASS, image->view, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&f->base.vk, pass, &params);
}

static void upload(VkCommandBuffer commands, const struct harness_buffer *texels, const struct harness_image *image)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {ALPHA_SIZE, ALPHA_SIZE, 1}};
    vkCmdCopyBufferToImage(commands, texels->buffer, image->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    harness_barrier(commands);
}

static void bind_and_draw(VkCommandBuffer commands, VkPipeline pipeline)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

/*
 * What the driver makes of states that are all static, one after the other (the first may be NULL); without alpha: over
 * memory whose alpha is 1 and stays.
 */
static void draw_native(struct dynamic_scene *f, const struct wanted *first, const struct wanted *second, bool alpha,
                        alpha_pixels pixels)
{
    const VkColorComponentFlags written = alpha ? ALPHA_RGBA : ALPHA_RGB;
    struct wanted controls[2] = {first ? *first : *second, *second};
    VkPipeline pipelines[2];
    for (unsigned i = 0; i < 2; i++) {
        controls[i].blend.colorWriteMask &= written;
        pipelines[i] = create_pipeline(&f->base, &f->native_pass, &controls[i], 0);
    }
    VkCommandBuffer commands = harness_begin(&f->base.vk);
    upload(commands, alpha ? &f->noise : &f->ones, &f->native);
    blending_pass_begin(&f->native_pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    if (first)
        bind_and_draw(commands, pipelines[0]);
    bind_and_draw(commands, pipelines[1]);
    blending_pass_end(&f->native_pass, commands);
    harness_submit(&f->base.vk, commands);
    blending_image_read(&f->base.vk, &f->native, pixels);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPipeline(f->base.vk.device, pipelines[i], NULL);
}

/*
 * The first state on the first target, and on the next one, where the second follows in the same pass. Nothing is set
 * for the others: one with alpha, and the first one again, which is filled by then. `early`: the first state is set
 * before the pass, which begins with a fill.
 */
static void draw(struct dynamic_scene *f, VkPipeline pipeline, const struct wanted *first, const struct wanted *second,
                 unsigned dynamic, bool early)
{
    static const unsigned steps[] = {0, TWICE, WITH_ALPHA, 0};
    VkCommandBuffer commands = harness_begin(&f->base.vk);
    for (unsigned t = 0; t < TARGETS; t++)
        upload(commands, &f->noise, &f->images[t]);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (early)
        set_dynamic(&f->base, commands, first, dynamic);
    for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        const struct blending_pass *pass = &f->passes[steps[i]];
        blending_pass_begin(pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        if (!early && i == 0)
            set_dynamic(&f->base, commands, first, dynamic);
        vkCmdDraw(commands, 3, 1, 0, 0);
        if (steps[i] == TWICE) {
            set_dynamic(&f->base, commands, second, dynamic);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        blending_pass_end(pass, commands);
    }
    harness_submit(&f->base.vk, commands);
}

static void check_pair(struct dynamic_scene *f, const struct wanted *first, const struct wanted *second,
                       unsigned dynamic)
{
    const struct wanted then = with_dynamic_of(first, second, dynamic);
    alpha_pixels found[TARGETS], expected;
    VkPipeline pipeline = create_pipeline(&f->base, &f->passes[0], first, dynamic);
    for (unsigned early = 0; early < 2; early++) {
        draw(f, pipeline, first, &then, dynamic, early);
        for (unsigned t = 0; t < TARGETS; t++) {
            blending_image_read(&f->base.vk, &f->images[t], found[t]);
            draw_native(f, t == WITH_ALPHA ? NULL : first, &then, t == WITH_ALPHA, expected);
            assert_memory_equal(found[t], expected, sizeof(expected));
        }
    }
    vkDestroyPipeline(f->base.vk.device, pipeline, NULL);
}

static void any_part_may_be_dynamic(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};
    static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3LogicOpEnable = VK_TRUE,
        .extendedDynamicState3ColorBlendEnable = VK_TRUE,
        .extendedDynamicState3ColorBlendEquation = VK_TRUE,
        .extendedDynamicState3ColorWriteMask = VK_TRUE};
    static const VkPhysicalDeviceFeatures core = {.logicOp = VK_TRUE};
    static struct dynamic_scene f;
    alpha_open(&f.base);
    const bool dynamic = f.base.dynamic;
    alpha_close(&f.base);
    struct harness_vulkan_params params = {.gl_sampler = true, .alpha_to_one = true, .wanted = &core};
    if (dynamic) {
        params.device_extensions = extensions;
        params.device_extension_count = 1;
        params.device_next = &features;
    }
    alpha_open_with(&f.base, params);
    alpha_pixels noise, ones;
    alpha_noise(noise, false);
    alpha_noise(ones, true);
    harness_buffer_create(&f.base.vk, &f.noise, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, sizeof(noise), noise);
    harness_buffer_create(&f.base.vk, &f.ones, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, sizeof(ones), ones);
    for (unsigned t = 0; t < TARGETS; t++)
        open_target(&f, t == WITH_ALPHA ? GL_RGBA_BASE : GL_RGB_BASE, &f.images[t], &f.passes[t]);
    open_target(&f, 0, &f.native, &f.native_pass);

    unsigned left_out = 0;
    for (unsigned choice = 0; choice < (dynamic ? CHOICES : 1); choice++) {
        for (unsigned i = 0; i < STATES; i++) {
            const struct wanted *first = &states[i], *second = &states[(i * 3 + choice + 1) % STATES];
            if (f.base.vk.features.logicOp || !(first->logic || second->logic))
                check_pair(&f, first, second, choice);
            else
                left_out += 2;
        }
    }
    const struct clampler_counters counters = harness_counters(&f.base.vk);
    if (dynamic)
        assert_true(counters.blend_updates >= CHOICES * STATES * 2 - left_out);
    else
        assert_true(counters.blend_variants >= (left_out ? 1 : STATES - 2));

    for (unsigned t = 0; t < TARGETS; t++) {
        blending_pass_destroy(&f.base.vk, &f.passes[t]);
        harness_image_destroy(&f.base.vk, &f.images[t]);
    }
    blending_pass_destroy(&f.base.vk, &f.native_pass);
    harness_image_destroy(&f.base.vk, &f.native);
    harness_buffer_destroy(&f.base.vk, &f.noise);
    harness_buffer_destroy(&f.base.vk, &f.ones);
    alpha_close(&f.base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_part_may_be_dynamic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
