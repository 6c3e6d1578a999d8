/* SPDX-License-Identifier: MIT */
/*
 * Attachments whose channels are kept elsewhere than the VkFormat has them: alpha in red, XRGB, XBGR, alpha that is
 * always 0. Every draw is compared with the arithmetic of OpenGL's blending, channel by channel in their places in
 * memory, and the counters say that outputs were moved. What cannot be expressed is refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blend/order.h"
#include "harness/drawing/passes.h"
#include "harness/drawing/shader_objects.h"
#include "integration/attachments/alpha_scene.h"
#include "integration_orders_1.h"
#include "integration_orders_2.h"
#include "integration_orders_input.h"
#include "integration_orders_turned.h"
#include "integration/recording/generated_memory.h"
#include "integration/recording/newer_generated.h"
#include "newer_vulkan.h"

enum { SIZE = ALPHA_SIZE, PIXELS = ALPHA_PIXELS, CHANNELS = 4, NOWHERE = -1 };

#define RGBA8 VK_FORMAT_R8G8B8A8_UNORM
#define RG8 VK_FORMAT_R8G8_UNORM
#define R8 VK_FORMAT_R8_UNORM
#define SWIZZLE(NAME) VK_COMPONENT_SWIZZLE_##NAME
#define ORDER(A, B, C, D)                                                                                              \
    {                                                                                                                  \
        SWIZZLE(A), SWIZZLE(B), SWIZZLE(C), SWIZZLE(D)                                                                 \
    }
#define NATURAL ORDER(IDENTITY, IDENTITY, IDENTITY, IDENTITY)

/* kept[]: the channel of memory that keeps GL's red, green, blue and alpha; reads[]: what blending reads else. */
static const struct target {
    const char *name;
    VkFormat format;
    uint32_t base;
    VkComponentMapping channels;
    int kept[CHANNELS];
    float reads[CHANNELS];
    bool moved;
} targets[] = {
    {"A8 in R8", R8, TOKEN_ALPHA, NATURAL, {NOWHERE, NOWHERE, NOWHERE, 0}, {0, 0, 0, 0}, true},
    {"L8 in R8", R8, TOKEN_LUMINANCE, NATURAL, {0, NOWHERE, NOWHERE, NOWHERE}, {0, 0, 0, 1}, false},
    {"LA8 in RG8", RG8, TOKEN_LUMINANCE_ALPHA, NATURAL, {0, NOWHERE, NOWHERE, 1}, {0, 0, 0, 0}, true},
    {"AL8 in RG8",
     RG8,
     TOKEN_LUMINANCE_ALPHA,
     ORDER(G, IDENTITY, IDENTITY, R),
     {1, NOWHERE, NOWHERE, 0},
     {0, 0, 0, 0},
     true},
    {"I8 in R8", R8, TOKEN_INTENSITY, NATURAL, {0, NOWHERE, NOWHERE, NOWHERE}, {0, 0, 0, 1}, false},
    {"XRGB8", RGBA8, TOKEN_RGB, ORDER(G, B, A, IDENTITY), {1, 2, 3, NOWHERE}, {0, 0, 0, 1}, true},
    {"XBGR8", RGBA8, TOKEN_RGB, ORDER(A, B, G, IDENTITY), {3, 2, 1, NOWHERE}, {0, 0, 0, 1}, true},
    {"ABGR8", RGBA8, TOKEN_RGBA, ORDER(A, B, G, R), {3, 2, 1, 0}, {0, 0, 0, 0}, true},
    {"BGRA8", RGBA8, TOKEN_RGBA, ORDER(B, G, R, A), {2, 1, 0, 3}, {0, 0, 0, 0}, true},
    {"RGB8 with alpha 0", RGBA8, TOKEN_RGBA, ORDER(R, G, B, ZERO), {0, 1, 2, NOWHERE}, {0, 0, 0, 0}, true},
};
enum { TARGETS = sizeof(targets) / sizeof(targets[0]) };

static uint32_t bytes_of(const struct target *target)
{
    return target->format == RGBA8 ? 4 : target->format == RG8 ? 2 : 1;
}

#define F(NAME) VK_BLEND_FACTOR_##NAME
#define OP(NAME) VK_BLEND_OP_##NAME
#define STATE(SRC, DST, COLOR_OP, SRC_ALPHA, DST_ALPHA, ALPHA_OP, MASK)                                                \
    {                                                                                                                  \
        VK_TRUE, F(SRC), F(DST), OP(COLOR_OP), F(SRC_ALPHA), F(DST_ALPHA), OP(ALPHA_OP), MASK                          \
    }
static const VkPipelineColorBlendAttachmentState states[] = {
    {.colorWriteMask = ALPHA_RGBA},
    {.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_A_BIT},
    STATE(ONE, ONE, ADD, ONE, ONE, ADD, ALPHA_RGBA),
    STATE(SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, ONE, ONE_MINUS_SRC_ALPHA, ADD, ALPHA_RGBA),
    STATE(SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ADD, ONE, ONE_MINUS_SRC_ALPHA, ADD,
          VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_A_BIT),
    STATE(DST_COLOR, ZERO, ADD, DST_ALPHA, ZERO, ADD, ALPHA_RGBA),
    STATE(ONE_MINUS_DST_COLOR, SRC_COLOR, ADD, ONE_MINUS_DST_ALPHA, SRC_ALPHA, ADD, ALPHA_RGBA),
    STATE(DST_ALPHA, ONE_MINUS_DST_ALPHA, ADD, ONE, ZERO, ADD, ALPHA_RGBA),
    STATE(SRC_ALPHA_SATURATE, ONE, ADD, SRC_ALPHA_SATURATE, ZERO, ADD, ALPHA_RGBA),
    STATE(CONSTANT_COLOR, CONSTANT_ALPHA, ADD, CONSTANT_ALPHA, ONE_MINUS_CONSTANT_ALPHA, ADD, ALPHA_RGBA),
    STATE(ONE, SRC_COLOR, REVERSE_SUBTRACT, SRC_ALPHA, ONE, SUBTRACT, ALPHA_RGBA),
    STATE(ONE, ONE, MAX, ONE, ONE, MIN, ALPHA_RGBA),
    STATE(ZERO, ONE_MINUS_SRC_COLOR, ADD, ZERO, ONE, ADD, ALPHA_RGBA),
};
enum { STATES = sizeof(states) / sizeof(states[0]) };

static const float constants[CHANNELS] = {0.2f, 0.4f, 0.6f, 0.8f};

/* ---- OpenGL's arithmetic (section 17.3.6) ---- */

static float factor_of(VkBlendFactor factor, const float source[], const float destination[], uint32_t channel)
{
    const float left = 1 - destination[3], alpha = source[3];
    switch (factor) {
    case F(ZERO):
        return 0;
    case F(SRC_COLOR):
        return source[channel];
    case F(ONE_MINUS_SRC_COLOR):
        return 1 - source[channel];
    case F(DST_COLOR):
        return destination[channel];
    case F(ONE_MINUS_DST_COLOR):
        return 1 - destination[channel];
    case F(SRC_ALPHA):
        return alpha;
    case F(ONE_MINUS_SRC_ALPHA):
        return 1 - alpha;
    case F(DST_ALPHA):
        return destination[3];
    case F(ONE_MINUS_DST_ALPHA):
        return left;
    case F(CONSTANT_COLOR):
        return constants[channel];
    case F(CONSTANT_ALPHA):
        return constants[3];
    case F(ONE_MINUS_CONSTANT_ALPHA):
        return 1 - constants[3];
    case F(SRC_ALPHA_SATURATE):
        return channel == 3 ? 1 : alpha < left ? alpha : left;
    default:
        return 1;
    }
}

static float blended(const VkPipelineColorBlendAttachmentState *state, const float source[], const float destination[],
                     uint32_t channel)
{
    const bool alpha = channel == 3;
    const float s = source[channel], d = destination[channel];
    if (!state->blendEnable)
        return s;
    const float fs =
        factor_of(alpha ? state->srcAlphaBlendFactor : state->srcColorBlendFactor, source, destination, channel);
    const float fd =
        factor_of(alpha ? state->dstAlphaBlendFactor : state->dstColorBlendFactor, source, destination, channel);
    switch (alpha ? state->alphaBlendOp : state->colorBlendOp) {
    case OP(SUBTRACT):
        return s * fs - d * fd;
    case OP(REVERSE_SUBTRACT):
        return d * fd - s * fs;
    case OP(MIN):
        return s < d ? s : d;
    case OP(MAX):
        return s > d ? s : d;
    default:
        return s * fs + d * fd;
    }
}

/* What blend_source.frag writes. */
static void source_of(unsigned pixel, float source[CHANNELS])
{
    const unsigned x = pixel % SIZE, y = pixel / SIZE;
    source[0] = (float)x / 15;
    source[1] = (float)y / 15;
    source[2] = (float)(15 - x) / 15;
    source[3] = (float)((x * 7 + y * 3) % 16) / 15;
}

static void destination_of(const struct target *target, const uint8_t *texel, float destination[CHANNELS])
{
    for (unsigned i = 0; i < CHANNELS; i++)
        destination[i] = target->kept[i] == NOWHERE ? target->reads[i] : (float)texel[target->kept[i]] / 255;
}

typedef uint8_t bytes[PIXELS * 4];

static void expect_drawn(const struct target *target, const char *how, size_t state, const bytes before,
                         const bytes after)
{
    const uint32_t size = bytes_of(target);
    for (unsigned i = 0; i < PIXELS; i++) {
        float source[CHANNELS], destination[CHANNELS];
        source_of(i, source);
        destination_of(target, before + i * size, destination);
        for (unsigned c = 0; c < CHANNELS; c++) {
            if (target->kept[c] == NOWHERE)
                continue;
            const int found = after[i * size + (unsigned)target->kept[c]];
            const float exact = states[state].colorWriteMask >> c & 1 ? blended(&states[state], source, destination, c)
                                                                      : destination[c];
            const float wanted = exact < 0 ? 0 : exact > 1 ? 255 : exact * 255;
            if (fabsf((float)found - wanted) > 1.5f)
                fail_msg("%s, %s, state %zu, pixel %u, channel %u: %d, not %g (source %g %g %g %g, destination %g %g "
                         "%g %g)",
                         target->name, how, state, i, c, found, (double)wanted, (double)source[0], (double)source[1],
                         (double)source[2], (double)source[3], (double)destination[0], (double)destination[1],
                         (double)destination[2], (double)destination[3]);
        }
    }
}

/* ---- Targets ---- */

static void noise(bytes texels)
{
    uint32_t state = 7;
    for (unsigned i = 0; i < sizeof(bytes); i++) {
        state = state * 1664525u + 1013904223u;
        texels[i] = (uint8_t)(state >> 24);
    }
}

static void create_target(struct alpha_scene *scene, struct harness_image *image, const struct target *target,
                          VkImageUsageFlags usage, const bytes texels)
{
    blending_image_create(&scene->vk, image,
                          &(struct blending_image_params){.format = target->format,
                                                          .width = SIZE,
                                                          .height = SIZE,
                                                          .base_format = target->base,
                                                          .channels = target->channels,
                                                          .usage = usage},
                          texels);
}

static struct blending_pass_params pass_over(const struct harness_image *image, enum blending_style style,
                                             VkAttachmentLoadOp load)
{
    return (struct blending_pass_params){.style = style,
                                         .count = 1,
                                         .views = {image->view},
                                         .formats = {image->params.format},
                                         .width = SIZE,
                                         .height = SIZE,
                                         .load = load,
                                         .image_usage = image->params.usage};
}

/* Whether the driver can blend so (unit_order has what the solver says). */
static bool is_expressible(const struct alpha_scene *scene, const struct target *target, size_t state)
{
    struct channel_order order;
    struct order_solution solution;
    const char *why;
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(scene->vk.physical, &features);
    assert_int_equal(order_make(target->base, &target->channels, target->format, true, &order, &why), ORDER_MADE);
    const struct order_draw draw = {
        .format = target->format, .shader = true, .products = true, .second = features.dualSrcBlend, .constants = true};
    return !target->moved || !order_solve(&order, &draw, &states[state], &solution);
}

/* ---- One draw ---- */

/* How a pipeline has its blend state. */
enum how { STATIC, DYNAMIC, DYNAMIC_UNCOUNTED, DYNAMIC_CONSTANTS, HOWS };
static const char *const hows[] = {"static", "dynamic", "dynamic, without a count of attachments", "dynamic constants"};

static void set_dynamic(struct harness_vulkan *vk, VkCommandBuffer commands,
                        const VkPipelineColorBlendAttachmentState *state)
{
    const VkColorBlendEquationEXT equation = {state->srcColorBlendFactor, state->dstColorBlendFactor,
                                              state->colorBlendOp,        state->srcAlphaBlendFactor,
                                              state->dstAlphaBlendFactor, state->alphaBlendOp};
    HARNESS_PROC(vk, vkCmdSetColorBlendEquationEXT)(commands, 0, 1, &equation);
    HARNESS_PROC(vk, vkCmdSetColorBlendEnableEXT)(commands, 0, 1, &state->blendEnable);
    HARNESS_PROC(vk, vkCmdSetColorWriteMaskEXT)(commands, 0, 1, &state->colorWriteMask);
}

static VkPipeline make_pipeline(struct alpha_scene *scene, const struct blending_pass *pass, size_t state, enum how how)
{
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                                             VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                             VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
    static const VkDynamicState dynamic_constants[] = {VK_DYNAMIC_STATE_BLEND_CONSTANTS};
    struct blending_pipeline_params params = {.fragment = HARNESS_SPIRV(integration_orders_1), .layout = scene->layout};
    params.states[0] = states[state];
    if (how == DYNAMIC || how == DYNAMIC_UNCOUNTED) {
        params.dynamic = dynamic;
        params.dynamic_count = 3;
        params.uncounted = how == DYNAMIC_UNCOUNTED;
    }
    if (how == DYNAMIC_CONSTANTS) {
        params.dynamic = dynamic_constants;
        params.dynamic_count = 1;
    } else {
        memcpy(params.constants, constants, sizeof(constants));
    }
    return blending_pipeline(&scene->vk, pass, &params);
}

static void draw_once(struct alpha_scene *scene, const struct target *target, enum blending_style style, size_t state,
                      enum how how)
{
    struct harness_image image;
    struct blending_pass pass;
    bytes before, after;
    noise(before);
    create_target(scene, &image, target, 0, before);
    const struct blending_pass_params params = pass_over(&image, style, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&scene->vk, &pass, &params);
    if (how == DYNAMIC_UNCOUNTED)
        harness_messages_reset();
    VkPipeline pipeline = make_pipeline(scene, &pass, state, how);
    if (how == DYNAMIC_UNCOUNTED) /* older validation layers know nothing of that */
        harness_messages_provoked();
    const struct clampler_counters counted = harness_counters(&scene->vk);
    VkCommandBuffer commands = harness_begin(&scene->vk);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (how == DYNAMIC || how == DYNAMIC_UNCOUNTED)
        set_dynamic(&scene->vk, commands, &states[state]);
    if (how == DYNAMIC_CONSTANTS)
        vkCmdSetBlendConstants(commands, constants);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    if (is_expressible(scene, target, state)) {
        harness_submit(&scene->vk, commands);
        blending_image_read(&scene->vk, &image, after);
        expect_drawn(target, hows[how], state, before, after);
        if (target->moved && target->format == R8)
            assert_int_equal(harness_counters(&scene->vk).outputs_moved, counted.outputs_moved + 1);
    } else {
        harness_messages_reset();
        assert_int_equal(harness_try_submit(&scene->vk, commands), VK_ERROR_VALIDATION_FAILED_EXT);
        assert_int_equal(harness_counters(&scene->vk).outputs_moved, counted.outputs_moved);
    }
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    blending_pass_destroy(&scene->vk, &pass);
    harness_image_destroy(&scene->vk, &image);
}

static void draws_blend_as_opengl_does(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_open_dynamic(&scene);
    unsigned drawn = 0;
    for (unsigned i = 0; i < TARGETS * STATES; i++) {
        const struct target *target = &targets[i / STATES];
        for (enum how how = STATIC; how < HOWS; how++) {
            if ((how == DYNAMIC || how == DYNAMIC_UNCOUNTED) && !scene.dynamic)
                continue;
            /* Lavapipe of Mesa 22.3 does not ignore the count: targets all of whose draws have variants. */
            if (how == DYNAMIC_UNCOUNTED && target->base != TOKEN_ALPHA)
                continue;
            draw_once(&scene, target, (enum blending_style)((i + how) % BLENDING_STYLES), i % STATES, how);
        }
        drawn += is_expressible(&scene, target, i % STATES);
    }
    assert_true(drawn > TARGETS * STATES * 3 / 4);
    assert_true(harness_counters(&scene.vk).outputs_moved > TARGETS);
    alpha_close(&scene);
}

/* ---- Two attachments ---- */

/* Blends with states[3] and states[2]. */
static VkPipeline make_pipeline_of_two(struct alpha_scene *scene, const struct blending_pass *pass)
{
    return blending_pipeline(&scene->vk, pass,
                             &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_orders_2),
                                                                .layout = scene->layout,
                                                                .states = {states[3], states[2]}});
}

/* The second has alpha 0, or an order of its own format. Variants are made for both together. */
static void attachments_of_one_pass_have_orders_of_their_own(void **state)
{
    (void)state;
    static const struct target natural = {"RGBA8", RGBA8, TOKEN_RGBA, NATURAL, {0, 1, 2, 3}, {0, 0, 0, 0}, false};
    struct alpha_scene scene;
    alpha_open(&scene);
    for (unsigned i = 0; i < 2; i++) {
        const struct target *const used[2] = {&targets[8], i ? &natural : &targets[9]};
        struct harness_image images[2];
        struct blending_pass pass;
        bytes before, after;
        noise(before);
        struct blending_pass_params params = {.style = i ? BLENDING_PASS : BLENDING_DYNAMIC,
                                              .count = 2,
                                              .width = SIZE,
                                              .height = SIZE,
                                              .load = VK_ATTACHMENT_LOAD_OP_LOAD};
        for (unsigned j = 0; j < 2; j++) {
            create_target(&scene, &images[j], used[j], 0, before);
            params.views[j] = images[j].view;
            params.formats[j] = used[j]->format;
        }
        blending_pass_create(&scene.vk, &pass, &params);
        VkPipeline pipeline = make_pipeline_of_two(&scene, &pass);
        blending_draw(&scene.vk, &pass, NULL, pipeline);
        for (unsigned j = 0; j < 2; j++) {
            blending_image_read(&scene.vk, &images[j], after);
            expect_drawn(used[j], "of two", 3 - j, before, after);
        }
        vkDestroyPipeline(scene.vk.device, pipeline, NULL);
        blending_pass_destroy(&scene.vk, &pass);
        for (unsigned j = 0; j < 2; j++)
            harness_image_destroy(&scene.vk, &images[j]);
    }
    assert_true(harness_counters(&scene.vk).outputs_moved >= 2);
    alpha_close(&scene);
}

/* The first is none: outputs of the second are moved by its location. */
static void unused_attachments_stand_in_front_of_moved_ones(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_open(&scene);
    for (unsigned i = 0; i < TARGETS; i++) {
        const struct target *target = &targets[i];
        struct harness_image image;
        struct blending_pass pass;
        bytes before, after;
        noise(before);
        create_target(&scene, &image, target, 0, before);
        const struct blending_pass_params params = {.style = BLENDING_DYNAMIC,
                                                    .count = 2,
                                                    .views = {VK_NULL_HANDLE, image.view},
                                                    .formats = {VK_FORMAT_UNDEFINED, target->format},
                                                    .width = SIZE,
                                                    .height = SIZE,
                                                    .load = VK_ATTACHMENT_LOAD_OP_LOAD};
        blending_pass_create(&scene.vk, &pass, &params);
        VkPipeline pipeline = make_pipeline_of_two(&scene, &pass);
        blending_draw(&scene.vk, &pass, NULL, pipeline);
        blending_image_read(&scene.vk, &image, after);
        expect_drawn(target, "behind none", 2, before, after);
        vkDestroyPipeline(scene.vk.device, pipeline, NULL);
        blending_pass_destroy(&scene.vk, &pass);
        harness_image_destroy(&scene.vk, &image);
    }
    assert_true(harness_counters(&scene.vk).outputs_moved > 0);
    harness_messages_provoked(); /* of the output that nothing takes */
    alpha_close(&scene);
}

/*
 * One pipeline draws to attachments of several orders; a second round compiles nothing. Where alpha is always 0, what
 * is added to colours is the program's own.
 */
static void variants_are_compiled_once(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct harness_image images[TARGETS];
    struct blending_pass passes[TARGETS];
    VkPipeline pipeline = VK_NULL_HANDLE;
    struct clampler_counters first = {0};
    bytes before, after;
    alpha_open(&scene);
    noise(before);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 5; i < TARGETS; i++) {
            create_target(&scene, &images[i], &targets[i], 0, before);
            const struct blending_pass_params params =
                pass_over(&images[i], BLENDING_DYNAMIC, VK_ATTACHMENT_LOAD_OP_LOAD);
            blending_pass_create(&scene.vk, &passes[i], &params);
            if (!pipeline)
                pipeline = make_pipeline(&scene, &passes[i], 2, STATIC);
            blending_draw(&scene.vk, &passes[i], NULL, pipeline);
            blending_image_read(&scene.vk, &images[i], after);
            expect_drawn(&targets[i], round ? "again" : "first", 2, before, after);
            blending_pass_destroy(&scene.vk, &passes[i]);
            harness_image_destroy(&scene.vk, &images[i]);
        }
        const struct clampler_counters now = harness_counters(&scene.vk);
        if (round)
            assert_int_equal(now.blend_variants, first.blend_variants);
        else
            assert_int_equal(now.blend_variants, TARGETS - 6);
        first = now;
    }
    vkDestroyPipeline(scene.vk.device, pipeline, NULL);
    alpha_close(&scene);
}

/* ---- Clears ---- */

static void expect_cleared(const struct target *target, const float color[CHANNELS], const bytes found)
{
    const uint32_t size = bytes_of(target);
    for (unsigned i = 0; i < PIXELS; i++) {
        for (unsigned c = 0; c < CHANNELS; c++) {
            if (target->kept[c] != NOWHERE &&
                fabsf((float)found[i * size + (unsigned)target->kept[c]] - color[c] * 255) > 0.75f)
                fail_msg("%s, pixel %u, channel %u: %d, not %g", target->name, i, c,
                         found[i * size + (unsigned)target->kept[c]], (double)color[c] * 255);
        }
    }
}

static void clears_go_where_channels_are(void **state)
{
    (void)state;
    static const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0.8f}};
    struct alpha_scene scene;
    bytes before, found;
    alpha_open(&scene);
    noise(before);
    for (unsigned i = 0; i < TARGETS; i++) {
        for (unsigned way = 0; way < BLENDING_STYLES + 2; way++) {
            struct harness_image image;
            create_target(&scene, &image, &targets[i], 0, before);
            if (way == BLENDING_STYLES) {
                const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
                VkCommandBuffer commands = harness_begin(&scene.vk);
                vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
                harness_submit(&scene.vk, commands);
            } else {
                const bool inside = way == BLENDING_STYLES + 1;
                struct blending_pass pass;
                const struct blending_pass_params params =
                    pass_over(&image, inside ? BLENDING_DYNAMIC : (enum blending_style)way,
                              inside ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR);
                const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                                 .clearValue = {.color = color}};
                const VkClearRect rect = {{{0, 0}, {SIZE, SIZE}}, 0, 1};
                blending_pass_create(&scene.vk, &pass, &params);
                VkCommandBuffer commands = harness_begin(&scene.vk);
                blending_pass_begin(&pass, commands, &color, VK_SUBPASS_CONTENTS_INLINE);
                if (inside)
                    vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
                blending_pass_end(&pass, commands);
                harness_submit(&scene.vk, commands);
                blending_pass_destroy(&scene.vk, &pass);
            }
            blending_image_read(&scene.vk, &image, found);
            expect_cleared(&targets[i], color.float32, found);
            harness_image_destroy(&scene.vk, &image);
        }
    }
    alpha_close(&scene);
}

/* An image with views of two orders is cleared as it is stored. */
static void images_of_several_orders_are_cleared_as_they_are(void **state)
{
    (void)state;
    static const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0.8f}};
    static const struct target stored = {"RGBA8", RGBA8, TOKEN_RGBA, NATURAL, {0, 1, 2, 3}, {0, 0, 0, 0}, false};
    struct alpha_scene scene;
    struct harness_image image;
    bytes found;
    alpha_open(&scene);
    noise(found);
    create_target(&scene, &image, &targets[6], 0, found);
    VkImageView other = blending_view(&scene.vk, &image, TOKEN_RGBA);
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkCommandBuffer commands = harness_begin(&scene.vk);
    vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    harness_submit(&scene.vk, commands);
    blending_image_read(&scene.vk, &image, found);
    expect_cleared(&stored, color.float32, found);
    vkDestroyImageView(scene.vk.device, other, NULL);
    harness_image_destroy(&scene.vk, &image);
    alpha_close(&scene);
}

/* ---- Secondary command buffers ---- */

enum inherits { BY_FRAMEBUFFER, BY_STRUCTURE, IN_RENDERING, BY_NOTHING, IN_ANOTHER_ORDER, INHERITS };

static VkResult draw_in_secondary(struct alpha_scene *scene, const struct target *target, enum inherits inherits)
{
    struct harness_vulkan *vk = &scene->vk;
    struct harness_image image;
    struct blending_pass pass;
    bytes before, after;
    noise(before);
    create_target(scene, &image, target, 0, before);
    const struct blending_pass_params params =
        pass_over(&image, inherits == IN_RENDERING ? BLENDING_DYNAMIC : BLENDING_PASS, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(vk, &pass, &params);
    VkPipeline pipeline = make_pipeline(scene, &pass, 3, STATIC);
    const VkGLAttachmentChannelsCLAMPLER channels = {
        target->base, inherits == IN_ANOTHER_ORDER ? (VkComponentMapping)ORDER(R, B, G, A) : target->channels};
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &target->format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkCommandBufferInheritanceGLChannelOrderCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER,
        .pNext = inherits == IN_RENDERING ? &rendering : NULL,
        .colorAttachmentCount = 1,
        .pColorAttachments = &channels};
    const bool given = inherits == BY_STRUCTURE || inherits == IN_RENDERING || inherits == IN_ANOTHER_ORDER;
    const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                        .pNext = given ? (const void *)&gl : NULL,
                                                        .renderPass = pass.pass,
                                                        .framebuffer = inherits == BY_FRAMEBUFFER ? pass.framebuffer
                                                                                                  : VK_NULL_HANDLE};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                            .pInheritanceInfo = &inheritance};
    VkCommandBuffer secondary;
    harness_commands(vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &secondary);
    HARNESS_VK(vkBeginCommandBuffer(secondary, &begin));
    vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(secondary, 3, 1, 0, 0);
    HARNESS_VK(vkEndCommandBuffer(secondary));
    VkCommandBuffer commands = harness_begin(vk);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(commands, 1, &secondary);
    blending_pass_end(&pass, commands);
    const VkResult result = harness_try_submit(vk, commands);
    if (result == VK_SUCCESS) {
        blending_image_read(vk, &image, after);
        expect_drawn(target, "in a secondary", 3, before, after);
    }
    vkFreeCommandBuffers(vk->device, vk->pool, 1, &secondary);
    vkDestroyPipeline(vk->device, pipeline, NULL);
    blending_pass_destroy(vk, &pass);
    harness_image_destroy(vk, &image);
    return result;
}

static void secondaries_know_orders_or_are_refused(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_open(&scene);
    for (enum inherits inherits = BY_FRAMEBUFFER; inherits < INHERITS; inherits++) {
        const bool right = inherits < BY_NOTHING;
        const VkResult result = draw_in_secondary(&scene, &targets[8], inherits);
        assert_int_equal(result, right ? VK_SUCCESS : VK_ERROR_VALIDATION_FAILED_EXT);
        harness_messages_reset();
    }
    assert_int_equal(draw_in_secondary(&scene, &targets[0], BY_STRUCTURE), VK_SUCCESS);
    assert_true(harness_counters(&scene.vk).outputs_moved > 0);
    alpha_close(&scene);
}

/* ---- Shader objects ---- */

static void open_objects(struct alpha_scene *scene, struct harness_objects *objects, bool linked)
{
    struct harness_features feature = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
                                       .enabled = {VK_TRUE}};
    alpha_open_extension(scene, VK_EXT_SHADER_OBJECT_EXTENSION_NAME, VK_MAKE_API_VERSION(0, 1, 3, 246), &feature);
    harness_objects_create(
        &scene->vk, objects,
        &(struct harness_objects_params){.fragment = HARNESS_SPIRV(integration_orders_1), .linked = linked});
}

static void shader_objects_move_their_outputs(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct harness_objects objects;
    open_objects(&scene, &objects, false);
    struct harness_vulkan *vk = &scene.vk;
    for (unsigned i = 0; i < TARGETS; i++) {
        static const size_t drawn[] = {0, 3, 9};
        for (unsigned j = 0; j < 3; j++) {
            struct harness_image image;
            struct blending_pass pass;
            bytes before, after;
            noise(before);
            create_target(&scene, &image, &targets[i], 0, before);
            const struct blending_pass_params params = pass_over(&image, BLENDING_DYNAMIC, VK_ATTACHMENT_LOAD_OP_LOAD);
            const struct harness_target size = {.width = SIZE, .height = SIZE};
            blending_pass_create(vk, &pass, &params);
            VkCommandBuffer commands = harness_begin(vk);
            blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
            harness_objects_bind(vk, &objects, &size, commands);
            set_dynamic(vk, commands, &states[drawn[j]]);
            vkCmdSetBlendConstants(commands, constants);
            vkCmdDraw(commands, 3, 1, 0, 0);
            blending_pass_end(&pass, commands);
            if (is_expressible(&scene, &targets[i], drawn[j])) {
                harness_submit(vk, commands);
                blending_image_read(vk, &image, after);
                expect_drawn(&targets[i], "shader objects", drawn[j], before, after);
            } else {
                assert_int_equal(harness_try_submit(vk, commands), VK_ERROR_VALIDATION_FAILED_EXT);
            }
            blending_pass_destroy(vk, &pass);
            harness_image_destroy(vk, &image);
        }
    }
    assert_true(harness_counters(vk).outputs_moved > 0);
    harness_objects_destroy(vk, &objects);
    alpha_close(&scene);
}

/* ---- Input attachments ---- */

enum reads { READS_INLINE, READS_ONE, READS_IN_SECONDARY, READS };

static void draw_with(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

/* One that is told the colour attachment's order, which is Vulkan's, and knows the input's by the framebuffer alone. */
static VkCommandBuffer begin_reading_secondary(struct harness_vulkan *vk, const struct blending_pass *pass)
{
    static const VkGLAttachmentChannelsCLAMPLER channels = {TOKEN_RGBA, NATURAL};
    static const VkCommandBufferInheritanceGLChannelOrderCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER,
        .colorAttachmentCount = 1,
        .pColorAttachments = &channels};
    const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                        .pNext = &gl,
                                                        .renderPass = pass->pass,
                                                        .framebuffer = pass->framebuffer};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                            .pInheritanceInfo = &inheritance};
    VkCommandBuffer secondary;
    harness_commands(vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &secondary);
    HARNESS_VK(vkBeginCommandBuffer(secondary, &begin));
    return secondary;
}

/* The second subpass shows what it reads of an attachment in another order. */
static void input_attachments_read_channels_where_they_are(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                                         .descriptorCount = 1,
                                                         .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    static const VkPhysicalDeviceFeatures wanted = {.alphaToOne = VK_TRUE};
    struct alpha_scene scene;
    alpha_open_with(&scene,
                    (struct harness_vulkan_params){.gl_sampler = true, .alpha_to_one = true, .wanted = &wanted});
    struct harness_vulkan *vk = &scene.vk;
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(vk->physical, &features);
    VkDescriptorSetLayout set_layout = harness_set_layout(vk, &binding, 1);
    VkPipelineLayout layout = harness_pipeline_layout(vk, &set_layout, 1, 0);
    for (unsigned i = 0; i < TARGETS * READS; i++) {
        const struct target *target = &targets[i / READS];
        const bool one = i % READS == READS_ONE; /* alphaToOneEnable, of an attachment in its own order */
        const bool executes = i % READS == READS_IN_SECONDARY;
        if (!target->moved || (one && !features.alphaToOne))
            continue; /* they read what Vulkan has there, alpha 1 (alpha_parts.c) */
        struct harness_image images[2];
        bytes before, found;
        noise(before);
        create_target(&scene, &images[0], target, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, before);
        blending_image_create(vk, &images[1],
                              &(struct blending_image_params){.format = RGBA8, .width = SIZE, .height = SIZE}, NULL);
        const VkAttachmentDescription attachments[2] = {harness_attachment(target->format, VK_ATTACHMENT_LOAD_OP_LOAD),
                                                        harness_attachment(RGBA8, VK_ATTACHMENT_LOAD_OP_CLEAR)};
        const VkAttachmentReference input = {0, VK_IMAGE_LAYOUT_GENERAL}, output = {1, VK_IMAGE_LAYOUT_GENERAL};
        const VkSubpassDescription subpass = {.inputAttachmentCount = 1,
                                              .pInputAttachments = &input,
                                              .colorAttachmentCount = 1,
                                              .pColorAttachments = &output};
        struct blending_pass pass = {
            .params = {.style = BLENDING_PASS, .count = 1, .formats = {RGBA8}, .width = SIZE, .height = SIZE}};
        const VkImageView views[2] = {images[0].view, images[1].view};
        pass.pass = harness_pass(vk, attachments, 2, &subpass, 1);
        pass.framebuffer = harness_framebuffer(vk, pass.pass, views, 2, SIZE, SIZE);
        VkPipeline pipeline =
            blending_pipeline(vk, &pass,
                              &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_orders_input),
                                                                 .layout = layout,
                                                                 .states = {alpha_replaces},
                                                                 .alpha_to_one = one});
        VkDescriptorSet set = harness_set(vk, set_layout);
        const VkDescriptorImageInfo image = {VK_NULL_HANDLE, images[0].view, VK_IMAGE_LAYOUT_GENERAL};
        harness_write_images(vk, set, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1, &image);
        const VkClearValue clears[2] = {{{{0}}}, {{{0}}}};
        const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                             .renderPass = pass.pass,
                                             .framebuffer = pass.framebuffer,
                                             .renderArea = {{0, 0}, {SIZE, SIZE}},
                                             .clearValueCount = 2,
                                             .pClearValues = clears};
        VkCommandBuffer secondary = executes ? begin_reading_secondary(vk, &pass) : VK_NULL_HANDLE;
        if (executes) {
            draw_with(secondary, pipeline, layout, set);
            HARNESS_VK(vkEndCommandBuffer(secondary));
        }
        VkCommandBuffer commands = harness_begin(vk);
        vkCmdBeginRenderPass(commands, &begin,
                             executes ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
        if (executes)
            vkCmdExecuteCommands(commands, 1, &secondary);
        else
            draw_with(commands, pipeline, layout, set);
        vkCmdEndRenderPass(commands);
        harness_submit(vk, commands);
        if (executes)
            vkFreeCommandBuffers(vk->device, vk->pool, 1, &secondary);
        blending_image_read(vk, &images[1], found);
        for (unsigned p = 0; p < PIXELS; p++) {
            float read[CHANNELS];
            destination_of(target, before + p * bytes_of(target), read);
            read[3] = one ? 1 : read[3];
            /* Luminance is red, green and blue of what is read. */
            for (unsigned c = 1; c < 3 && target->base == TOKEN_LUMINANCE_ALPHA; c++)
                read[c] = (float)found[p * 4 + c] / 255;
            for (unsigned c = 0; c < CHANNELS; c++) {
                if (fabsf((float)found[p * 4 + c] - read[c] * 255) > 0.75f)
                    fail_msg("%s, pixel %u, channel %u: %d, not %g", target->name, p, c, found[p * 4 + c],
                             (double)read[c] * 255);
            }
        }
        vkDestroyPipeline(vk->device, pipeline, NULL);
        vkDestroyFramebuffer(vk->device, pass.framebuffer, NULL);
        vkDestroyRenderPass(vk->device, pass.pass, NULL);
        for (unsigned j = 0; j < 2; j++)
            harness_image_destroy(vk, &images[j]);
    }
    assert_true(harness_counters(vk).outputs_moved > 0);
    vkDestroyPipelineLayout(vk->device, layout, NULL);
    vkDestroyDescriptorSetLayout(vk->device, set_layout, NULL);
    alpha_close(&scene);
}

/* ---- Multiview, suspended rendering, coverage ---- */

/* Both layers have the same noise. */
static void views_of_a_multiview_pass_are_in_order(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_open(&scene);
    for (unsigned i = 0; i < TARGETS; i++) {
        const uint32_t size = bytes_of(&targets[i]);
        uint8_t texels[2 * sizeof(bytes)];
        struct harness_image image;
        struct blending_pass pass;
        bytes before, after;
        noise(before);
        for (unsigned layer = 0; layer < 2; layer++)
            memcpy(texels + layer * PIXELS * size, before, PIXELS * size);
        blending_image_create(&scene.vk, &image,
                              &(struct blending_image_params){.format = targets[i].format,
                                                              .width = SIZE,
                                                              .height = SIZE,
                                                              .layers = 2,
                                                              .base_format = targets[i].base,
                                                              .channels = targets[i].channels},
                              texels);
        struct blending_pass_params params =
            pass_over(&image, i % 2 ? BLENDING_PASS2 : BLENDING_DYNAMIC, VK_ATTACHMENT_LOAD_OP_LOAD);
        params.view_mask = 3;
        blending_pass_create(&scene.vk, &pass, &params);
        VkPipeline pipeline = make_pipeline(&scene, &pass, 2, STATIC);
        const uint64_t ordered = harness_counters(&scene.vk).ordered_draws;
        blending_draw(&scene.vk, &pass, NULL, pipeline);
        assert_int_equal(harness_counters(&scene.vk).ordered_draws - ordered, targets[i].moved && i != 9);
        for (uint32_t layer = 0; layer < 2; layer++) {
            harness_image_read(&scene.vk, &image, VK_IMAGE_LAYOUT_GENERAL, 0, layer, after);
            expect_drawn(&targets[i], layer ? "second view" : "first view", 2, before, after);
        }
        vkDestroyPipeline(scene.vk.device, pipeline, NULL);
        blending_pass_destroy(&scene.vk, &pass);
        harness_image_destroy(&scene.vk, &image);
    }
    alpha_close(&scene);
}

/* The pass is cleared, suspended before anything is drawn, and resumed for the draw. */
static void resumed_rendering_is_in_order(void **state)
{
    (void)state;
    static const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0.8f}};
    struct alpha_scene scene;
    alpha_open(&scene);
    for (unsigned i = 0; i < TARGETS; i++) {
        struct harness_image image;
        struct blending_pass pass;
        bytes before, after;
        noise(before);
        create_target(&scene, &image, &targets[i], 0, before);
        const struct blending_pass_params params = pass_over(&image, BLENDING_DYNAMIC, VK_ATTACHMENT_LOAD_OP_LOAD);
        blending_pass_create(&scene.vk, &pass, &params);
        VkPipeline pipeline = make_pipeline(&scene, &pass, 2, STATIC);
        const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                      .imageView = image.view,
                                                      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                      .clearValue = {.color = color}};
        VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                     .flags = VK_RENDERING_SUSPENDING_BIT,
                                     .renderArea = {{0, 0}, {SIZE, SIZE}},
                                     .layerCount = 1,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &attachment};
        VkCommandBuffer commands = harness_begin(&scene.vk);
        vkCmdBeginRendering(commands, &rendering);
        vkCmdEndRendering(commands);
        rendering.flags = VK_RENDERING_RESUMING_BIT;
        vkCmdBeginRendering(commands, &rendering);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdDraw(commands, 3, 1, 0, 0);
        vkCmdEndRendering(commands);
        harness_submit(&scene.vk, commands);
        blending_image_read(&scene.vk, &image, after);
        for (unsigned j = 0; j < PIXELS * bytes_of(&targets[i]); j++) {
            for (unsigned c = 0; c < CHANNELS; c++) {
                if (targets[i].kept[c] == (int)(j % bytes_of(&targets[i])))
                    before[j] = (uint8_t)(color.float32[c] * 255 + 0.5f);
            }
        }
        expect_drawn(&targets[i], "resumed", 2, before, after);
        vkDestroyPipeline(scene.vk.device, pipeline, NULL);
        blending_pass_destroy(&scene.vk, &pass);
        harness_image_destroy(&scene.vk, &image);
    }
    assert_true(harness_counters(&scene.vk).outputs_moved > 0);
    alpha_close(&scene);
}

/* Draws with alphaToCoverageEnable over 4 samples of 0, resolved. False: refused. */
static bool draw_coverage(struct alpha_scene *scene, const struct target *target, bytes found)
{
    static const VkClearColorValue nothing = {.float32 = {0, 0, 0, 0}};
    struct harness_image images[2];
    struct blending_pass pass;
    for (unsigned i = 0; i < 2; i++)
        blending_image_create(&scene->vk, &images[i],
                              &(struct blending_image_params){.format = target->format,
                                                              .width = SIZE,
                                                              .height = SIZE,
                                                              .base_format = target->base,
                                                              .channels = target->channels,
                                                              .samples = i ? 0 : VK_SAMPLE_COUNT_4_BIT},
                              NULL);
    struct blending_pass_params params = pass_over(&images[0], BLENDING_PASS, VK_ATTACHMENT_LOAD_OP_CLEAR);
    params.samples = VK_SAMPLE_COUNT_4_BIT;
    params.resolves[0] = images[1].view;
    blending_pass_create(&scene->vk, &pass, &params);
    VkPipeline pipeline =
        blending_pipeline(&scene->vk, &pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_orders_1),
                                                             .layout = scene->layout,
                                                             .states = {alpha_replaces},
                                                             .alpha_to_coverage = true});
    harness_messages_reset();
    VkCommandBuffer commands = harness_begin(&scene->vk);
    blending_pass_begin(&pass, commands, &nothing, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    const VkResult result = harness_try_submit(&scene->vk, commands);
    if (result == VK_SUCCESS) {
        blending_image_read(&scene->vk, &images[1], found);
    } else {
        assert_int_equal(result, VK_ERROR_VALIDATION_FAILED_EXT);
        assert_non_null(strstr(harness_layer_message(0), "alpha-to-coverage"));
        harness_messages_reset();
    }
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    blending_pass_destroy(&scene->vk, &pass);
    for (unsigned i = 0; i < 2; i++)
        harness_image_destroy(&scene->vk, &images[i]);
    return result == VK_SUCCESS;
}

/* The samples that are covered are those of the same draw in the format's own order, or the draw is refused. */
static void coverage_comes_from_gls_alpha(void **state)
{
    (void)state;
    static const struct target natural = {"RGBA8", RGBA8, TOKEN_RGBA, NATURAL, {0, 1, 2, 3}, {0, 0, 0, 0}, false};
    struct alpha_scene scene;
    bytes own, found;
    unsigned drawn = 0;
    alpha_open(&scene);
    assert_true(draw_coverage(&scene, &natural, own));
    for (unsigned i = 0; i < TARGETS; i++) {
        const struct target *target = &targets[i];
        const uint32_t size = bytes_of(target);
        /* Alpha of the output cannot be both what is stored in alpha and what coverage reads. */
        const bool possible = target->kept[0] != 3 && target->kept[1] != 3 && target->kept[2] != 3;
        assert_int_equal(draw_coverage(&scene, target, found), possible);
        drawn += possible;
        for (unsigned j = 0; possible && j < PIXELS; j++) {
            for (unsigned c = 0; c < CHANNELS; c++) {
                if (target->kept[c] != NOWHERE)
                    assert_true(abs(found[j * size + (unsigned)target->kept[c]] - own[j * 4 + c]) <= 1);
            }
        }
    }
    assert_true(drawn >= 5 && harness_counters(&scene.vk).outputs_moved > 0);
    alpha_close(&scene);
}

/* ---- Attachments that are read in the pass that draws to them ---- */

typedef void(VKAPI_PTR *PFN_set_locations)(VkCommandBuffer commands, const VkRenderingAttachmentLocationInfoKHR *info);
typedef void(VKAPI_PTR *PFN_set_inputs)(VkCommandBuffer commands, const VkRenderingInputAttachmentIndexInfoKHR *info);

/* Output 0 goes to attachment 1, in BGRA; then attachment 1 is read as an input attachment and goes to attachment 0. */
static void local_reads_are_in_order(void **state)
{
    (void)state;
    static const uint32_t first[2] = {VK_ATTACHMENT_UNUSED, 0}, second[2] = {0, VK_ATTACHMENT_UNUSED};
    static const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                                         .descriptorCount = 1,
                                                         .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    static const struct target *const used[2] = {&targets[7], &targets[8]};
    struct harness_features local_read = {.sType = (VkStructureType)1000232000, .enabled = {VK_TRUE}};
    struct alpha_scene scene;
    alpha_open_extension(&scene, VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME, VK_MAKE_API_VERSION(0, 1, 3, 276),
                         &local_read);
    struct harness_vulkan *vk = &scene.vk;
    if (strstr(vk->properties.deviceName, "SwiftShader")) { /* it dies of local reads by itself (alpha_local.c) */
        alpha_close(&scene);
        skip();
    }
    struct harness_image images[2];
    struct blending_pass pass;
    bytes before, drawn, found;
    struct blending_pass_params params = {
        .style = BLENDING_DYNAMIC, .count = 2, .width = SIZE, .height = SIZE, .load = VK_ATTACHMENT_LOAD_OP_LOAD};
    noise(before);
    for (unsigned i = 0; i < 2; i++) {
        create_target(&scene, &images[i], used[i], VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, before);
        params.views[i] = images[i].view;
        params.formats[i] = used[i]->format;
    }
    VkDescriptorSetLayout set_layout = harness_set_layout(vk, &binding, 1);
    VkPipelineLayout layout = harness_pipeline_layout(vk, &set_layout, 1, 0);
    VkDescriptorSet set = harness_set(vk, set_layout);
    const VkDescriptorImageInfo image = {VK_NULL_HANDLE, images[1].view, VK_IMAGE_LAYOUT_GENERAL};
    harness_write_images(vk, set, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1, &image);
    blending_pass_create(vk, &pass, &params);
    VkPipeline pipelines[2];
    VkRenderingAttachmentLocationInfoKHR locations[2];
    VkRenderingInputAttachmentIndexInfoKHR inputs[2];
    static const uint32_t indices[2] = {VK_ATTACHMENT_UNUSED, 0};
    for (unsigned i = 0; i < 2; i++) {
        inputs[i] = (VkRenderingInputAttachmentIndexInfoKHR){
            .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR,
            .colorAttachmentCount = 2,
            .pColorAttachmentInputIndices = indices};
        locations[i] =
            (VkRenderingAttachmentLocationInfoKHR){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
                                                   .pNext = &inputs[i],
                                                   .colorAttachmentCount = 2,
                                                   .pColorAttachmentLocations = i ? second : first};
        pipelines[i] =
            blending_pipeline(vk, &pass,
                              &(struct blending_pipeline_params){.fragment = i ? HARNESS_SPIRV(integration_orders_input)
                                                                               : HARNESS_SPIRV(integration_orders_1),
                                                                 .layout = i ? layout : scene.layout,
                                                                 .states = {states[0], states[i ? 0 : 2]},
                                                                 .next = &locations[i]});
        locations[i].pNext = NULL; /* while recording, the two are commands of their own */
    }
    PFN_vkVoidFunction set_locations = harness_proc(vk, "vkCmdSetRenderingAttachmentLocationsKHR"),
                       set_inputs = harness_proc(vk, "vkCmdSetRenderingInputAttachmentIndicesKHR");
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
    VkCommandBuffer commands = harness_begin(vk);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    for (unsigned i = 0; i < 2; i++) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
        ((PFN_set_locations)set_locations)(commands, &locations[i]);
        ((PFN_set_inputs)set_inputs)(commands, &inputs[i]);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                             VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, NULL,
                             0, NULL);
    }
    blending_pass_end(&pass, commands);
    harness_submit(vk, commands);
    blending_image_read(vk, &images[1], drawn);
    expect_drawn(used[1], "drawn before it is read", 2, before, drawn);
    blending_image_read(vk, &images[0], found);
    for (unsigned i = 0; i < PIXELS * CHANNELS; i++)
        assert_int_equal(found[i / 4 * 4 + (unsigned)used[0]->kept[i % 4]],
                         drawn[i / 4 * 4 + (unsigned)used[1]->kept[i % 4]]);
    assert_true(harness_counters(vk).outputs_moved >= 2);
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyPipeline(vk->device, pipelines[i], NULL);
        harness_image_destroy(vk, &images[i]);
    }
    blending_pass_destroy(vk, &pass);
    harness_layouts_destroy(vk, layout, set_layout);
    alpha_close(&scene);
}

/* A shader fetches the texel that it then replaces, with its channels turned. */
static void feedback_loops_are_in_order(void **state)
{
    (void)state;
    static const VkImageLayout loop = (VkImageLayout)1000339000; /* ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT */
    static const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                         .descriptorCount = 1,
                                                         .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    struct harness_features feature = {.sType = (VkStructureType)1000339000, .enabled = {VK_TRUE}};
    struct alpha_scene scene;
    alpha_open_extension(&scene, VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME,
                         VK_MAKE_API_VERSION(0, 1, 3, 215), &feature);
    struct harness_vulkan *vk = &scene.vk;
    const VkSamplerCreateInfo nearest = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler sampler = harness_sampler(vk, &nearest);
    VkDescriptorSetLayout set_layout = harness_set_layout(vk, &binding, 1);
    VkPipelineLayout layout = harness_pipeline_layout(vk, &set_layout, 1, 0);
    for (unsigned i = 0; i < TARGETS; i++) {
        const struct target *target = &targets[i];
        const uint32_t size = bytes_of(target);
        struct harness_image image;
        struct blending_pass pass;
        bytes before, after;
        noise(before);
        create_target(&scene, &image, target, (VkImageUsageFlags)0x00080000 /* ATTACHMENT_FEEDBACK_LOOP */, before);
        const struct blending_pass_params params = pass_over(&image, BLENDING_DYNAMIC, VK_ATTACHMENT_LOAD_OP_LOAD);
        blending_pass_create(vk, &pass, &params);
        VkPipeline pipeline =
            blending_pipeline(vk, &pass,
                              &(struct blending_pipeline_params){
                                  .fragment = HARNESS_SPIRV(integration_orders_turned),
                                  .layout = layout,
                                  .states = {alpha_replaces},
                                  .flags = (VkPipelineCreateFlags)0x02000000 /* COLOR_ATTACHMENT_FEED… */});
        VkDescriptorSet set = harness_set(vk, set_layout);
        const VkDescriptorImageInfo read = {sampler, image.view, loop};
        harness_write_images(vk, set, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, &read);
        const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                      .imageView = image.view,
                                                      .imageLayout = loop,
                                                      .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
        const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                           .renderArea = {{0, 0}, {SIZE, SIZE}},
                                           .layerCount = 1,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &attachment};
        VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                        .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                                        .newLayout = loop,
                                        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .image = image.image,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        VkCommandBuffer commands = harness_begin(vk);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                             NULL, 0, NULL, 1, &barrier);
        vkCmdBeginRendering(commands, &rendering);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
        vkCmdEndRendering(commands);
        barrier.oldLayout = loop;
        barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                             NULL, 0, NULL, 1, &barrier);
        harness_submit(vk, commands);
        blending_image_read(vk, &image, after);
        for (unsigned j = 0; j < PIXELS; j++) {
            float texel[CHANNELS];
            destination_of(target, before + j * size, texel);
            if (target->base == TOKEN_LUMINANCE || target->base == TOKEN_LUMINANCE_ALPHA ||
                target->base == TOKEN_INTENSITY)
                texel[1] = texel[2] = texel[0];
            if (target->base == TOKEN_INTENSITY)
                texel[3] = texel[0];
            for (unsigned c = 0; c < CHANNELS; c++) {
                const float wanted = 1 - texel[(c + 1) % CHANNELS]; /* turned_texel.frag */
                if (target->kept[c] != NOWHERE &&
                    fabsf((float)after[j * size + (unsigned)target->kept[c]] - wanted * 255) > 0.75f)
                    fail_msg("%s, pixel %u, channel %u: %d, not %g", target->name, j, c,
                             after[j * size + (unsigned)target->kept[c]], (double)wanted * 255);
            }
        }
        vkDestroyPipeline(vk->device, pipeline, NULL);
        blending_pass_destroy(vk, &pass);
        harness_image_destroy(vk, &image);
    }
    assert_true(harness_counters(vk).outputs_moved > 0);
    vkDestroySampler(vk->device, sampler, NULL);
    harness_layouts_destroy(vk, layout, set_layout);
    alpha_close(&scene);
}

/* ---- Generated commands ---- */

/* The device draws with the bound pipeline, whose variant the layer names in its place. */
static void generated_draws_are_in_order(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME,
                                             VK_KHR_MAINTENANCE_5_EXTENSION_NAME};
    static const VkDrawIndirectCommand draw = {3, 1, 0, 0};
    static const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    struct harness_features maintenance5 = {(VkStructureType)1000470000, NULL, {VK_TRUE}};
    VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
        .pNext = &maintenance5,
        .deviceGeneratedCommands = VK_TRUE};
    VkPhysicalDeviceVulkan13Features rendering = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                  .pNext = &generated,
                                                  .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &rendering,
                                                 .bufferDeviceAddress = VK_TRUE};
    struct alpha_scene scene;
    if (!harness_driver_has(extensions[0]) || !harness_driver_has(extensions[1]))
        harness_lacking("%s", extensions[0]);
    alpha_open_with(&scene, (struct harness_vulkan_params){.layers = "clampler",
                                                           .gl_sampler = true,
                                                           .alpha_to_one = true,
                                                           .device_extensions = extensions,
                                                           .device_extension_count = 2,
                                                           .device_next = &features});
    struct harness_vulkan *vk = &scene.vk;
    struct harness_buffer sequence;
    harness_buffer_create(vk, &sequence,
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, sizeof(draw),
                          &draw);
    const VkIndirectCommandsLayoutTokenEXT token = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                    .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT};
    const VkIndirectCommandsLayoutCreateInfoEXT info = {.sType =
                                                            VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
                                                        .shaderStages = stages,
                                                        .indirectStride = sizeof(draw),
                                                        .pipelineLayout = scene.layout,
                                                        .tokenCount = 1,
                                                        .pTokens = &token};
    VkIndirectCommandsLayoutEXT layout;
    HARNESS_VK(HARNESS_PROC(vk, vkCreateIndirectCommandsLayoutEXT)(vk->device, &info, NULL, &layout));
    for (unsigned i = 0; i < TARGETS; i++) {
        struct harness_image image;
        struct blending_pass pass;
        struct generated_memory memory;
        bytes before, after;
        noise(before);
        create_target(&scene, &image, &targets[i], 0, before);
        const struct blending_pass_params params = pass_over(&image, BLENDING_DYNAMIC, VK_ATTACHMENT_LOAD_OP_LOAD);
        blending_pass_create(vk, &pass, &params);
        VkPipeline pipeline = make_pipeline(&scene, &pass, 2, STATIC);
        VkGeneratedCommandsPipelineInfoEXT named = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, NULL,
                                                    pipeline};
        const VkGeneratedCommandsMemoryRequirementsInfoEXT needed = {
            .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
            .pNext = &named,
            .indirectCommandsLayout = layout,
            .maxSequenceCount = 1};
        VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        HARNESS_PROC(vk, vkGetGeneratedCommandsMemoryRequirementsEXT)(vk->device, &needed, &needs);
        generated_memory_open(vk, &memory, &needs.memoryRequirements, GENERATED_PREPROCESS_EXT);
        const VkGeneratedCommandsInfoEXT commands_info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                                          .pNext = &named,
                                                          .shaderStages = stages,
                                                          .indirectCommandsLayout = layout,
                                                          .indirectAddress = harness_buffer_address(vk, &sequence),
                                                          .indirectAddressSize = sequence.size,
                                                          .preprocessAddress = memory.address,
                                                          .preprocessSize = memory.size,
                                                          .maxSequenceCount = 1};
        const uint64_t moved = harness_counters(vk).outputs_moved;
        VkCommandBuffer commands = harness_begin(vk);
        blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        HARNESS_PROC(vk, vkCmdExecuteGeneratedCommandsEXT)(commands, VK_FALSE, &commands_info);
        blending_pass_end(&pass, commands);
        harness_submit(vk, commands);
        blending_image_read(vk, &image, after);
        expect_drawn(&targets[i], "generated", 2, before, after);
        /* Alpha 0 in its own order takes no more than blend state. */
        assert_true(harness_counters(vk).outputs_moved > moved || !targets[i].moved || i == 9);
        generated_memory_close(vk, &memory);
        vkDestroyPipeline(vk->device, pipeline, NULL);
        blending_pass_destroy(vk, &pass);
        harness_image_destroy(vk, &image);
    }
    HARNESS_PROC(vk, vkDestroyIndirectCommandsLayoutEXT)(vk->device, layout, NULL);
    harness_buffer_destroy(vk, &sequence);
    alpha_close(&scene);
}

/* ---- What is refused ---- */

/* Four samples of R8 whose alpha is in red, resolved into R8 where red is in red. */
static void resolves_between_orders_are_refused(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct harness_image image;
    bytes texels;
    alpha_open(&scene);
    noise(texels);
    for (unsigned i = 0; i < 2; i++) {
        create_target(&scene, &image, i ? &targets[0] : &targets[1], 0, texels);
        const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                        .imageType = VK_IMAGE_TYPE_2D,
                                        .format = R8,
                                        .extent = {SIZE, SIZE, 1},
                                        .mipLevels = 1,
                                        .arrayLayers = 1,
                                        .samples = VK_SAMPLE_COUNT_4_BIT,
                                        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
        struct harness_image samples = {.params = image.params};
        HARNESS_VK(vkCreateImage(scene.vk.device, &info, NULL, &samples.image));
        VkMemoryRequirements needs;
        vkGetImageMemoryRequirements(scene.vk.device, samples.image, &needs);
        const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .allocationSize = needs.size,
                                             .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
        HARNESS_VK(vkAllocateMemory(scene.vk.device, &memory, NULL, &samples.memory));
        HARNESS_VK(vkBindImageMemory(scene.vk.device, samples.image, samples.memory, 0));
        samples.view = blending_view(&scene.vk, &samples, TOKEN_ALPHA);
        const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                      .imageView = samples.view,
                                                      .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                      .resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT,
                                                      .resolveImageView = image.view,
                                                      .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                      .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                      .clearValue = {.color = {.float32 = {0, 0, 0, 0.8f}}}};
        const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                           .renderArea = {{0, 0}, {SIZE, SIZE}},
                                           .layerCount = 1,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &attachment};
        const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                              .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                              .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                              .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                              .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                              .image = samples.image,
                                              .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        VkCommandBuffer commands = harness_begin(&scene.vk);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                             0, 0, NULL, 0, NULL, 1, &barrier);
        harness_messages_reset();
        vkCmdBeginRendering(commands, &rendering);
        vkCmdEndRendering(commands);
        assert_int_equal(harness_try_submit(&scene.vk, commands), i ? VK_SUCCESS : VK_ERROR_VALIDATION_FAILED_EXT);
        assert_int_equal(harness_layer_messages(), i ? 0 : 1);
        assert_int_equal(harness_messages(), 0);
        if (i) {
            blending_image_read(&scene.vk, &image, texels);
            assert_int_equal(texels[0], 204);
        } else {
            assert_non_null(strstr(harness_layer_message(0), "resolve"));
        }
        harness_messages_reset();
        harness_image_destroy(&scene.vk, &samples);
        harness_image_destroy(&scene.vk, &image);
    }
    alpha_close(&scene);
}

/* ---- Outputs without attachments ---- */

/* The shader writes a location that the pass does not have: beside a second source that is left out. */
static void second_sources_take_the_place_of_other_outputs(void **state)
{
    (void)state;
    struct alpha_scene scene;
    unsigned drawn = 0;
    alpha_open(&scene);
    for (unsigned i = 0; i < TARGETS * STATES; i++) {
        const struct target *target = &targets[i / STATES];
        struct harness_image image;
        struct blending_pass pass;
        bytes before, after;
        if (!is_expressible(&scene, target, i % STATES))
            continue;
        noise(before);
        create_target(&scene, &image, target, 0, before);
        const struct blending_pass_params params =
            pass_over(&image, (enum blending_style)(i % BLENDING_STYLES), VK_ATTACHMENT_LOAD_OP_LOAD);
        blending_pass_create(&scene.vk, &pass, &params);
        struct blending_pipeline_params made = {
            .fragment = HARNESS_SPIRV(integration_orders_2), .layout = scene.layout, .states = {states[i % STATES]}};
        memcpy(made.constants, constants, sizeof(constants));
        VkPipeline pipeline = blending_pipeline(&scene.vk, &pass, &made);
        blending_draw(&scene.vk, &pass, NULL, pipeline);
        blending_image_read(&scene.vk, &image, after);
        expect_drawn(target, "of a shader with two outputs", i % STATES, before, after);
        drawn++;
        harness_messages_provoked(); /* of the output that nothing takes */
        vkDestroyPipeline(scene.vk.device, pipeline, NULL);
        blending_pass_destroy(&scene.vk, &pass);
        harness_image_destroy(&scene.vk, &image);
    }
    assert_true(drawn > TARGETS * STATES / 2);
    alpha_close(&scene);
}

/* ---- Where nothing must change ---- */

static const VkPipelineColorBlendAttachmentState unwritten = {.colorWriteMask = 0};

/* A pipeline that writes nothing to an attachment, and reads none, is its own in passes of every kind. */
static void what_writes_nothing_has_no_variant(void **state)
{
    (void)state;
    struct alpha_scene scene;
    bytes before, after;
    alpha_open(&scene);
    noise(before);
    for (unsigned i = 0; i < TARGETS * BLENDING_STYLES; i++) {
        const struct target *target = &targets[i / BLENDING_STYLES];
        struct harness_image image;
        struct blending_pass pass;
        create_target(&scene, &image, target, 0, before);
        const struct blending_pass_params params =
            pass_over(&image, (enum blending_style)(i % BLENDING_STYLES), VK_ATTACHMENT_LOAD_OP_LOAD);
        blending_pass_create(&scene.vk, &pass, &params);
        VkPipeline pipeline = blending_pipeline(
            &scene.vk, &pass,
            &(struct blending_pipeline_params){
                .fragment = HARNESS_SPIRV(integration_orders_1), .layout = scene.layout, .states = {unwritten}});
        blending_draw(&scene.vk, &pass, NULL, pipeline);
        blending_image_read(&scene.vk, &image, after);
        assert_memory_equal(before, after, (size_t)PIXELS * bytes_of(target));
        vkDestroyPipeline(scene.vk.device, pipeline, NULL);
        blending_pass_destroy(&scene.vk, &pass);
        harness_image_destroy(&scene.vk, &image);
    }
    assert_int_equal(harness_counters(&scene.vk).outputs_moved, 0);
    alpha_close(&scene);
}

/* Linked shader objects have no variants: draws that need one are refused, others are drawn. */
static void linked_shader_objects_are_refused_where_outputs_move(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct harness_objects objects;
    open_objects(&scene, &objects, true);
    struct harness_vulkan *vk = &scene.vk;
    for (unsigned i = 0; i < TARGETS * 2; i++) {
        const struct target *target = &targets[i / 2];
        struct harness_image image;
        struct blending_pass pass;
        bytes before, after;
        noise(before);
        create_target(&scene, &image, target, 0, before);
        const struct blending_pass_params params = pass_over(&image, BLENDING_DYNAMIC, VK_ATTACHMENT_LOAD_OP_LOAD);
        const struct harness_target size = {.width = SIZE, .height = SIZE};
        blending_pass_create(vk, &pass, &params);
        VkCommandBuffer commands = harness_begin(vk);
        blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        harness_objects_bind(vk, &objects, &size, commands);
        set_dynamic(vk, commands, i % 2 ? &states[0] : &unwritten);
        vkCmdSetBlendConstants(commands, constants);
        harness_messages_reset();
        vkCmdDraw(commands, 3, 1, 0, 0);
        blending_pass_end(&pass, commands);
        bool moves = false; /* without blending a channel that is kept nowhere needs no more than a mask */
        for (int c = 0; c < CHANNELS && i % 2; c++)
            moves |= target->kept[c] != NOWHERE && target->kept[c] != c;
        assert_int_equal(harness_try_submit(vk, commands), moves ? VK_ERROR_VALIDATION_FAILED_EXT : VK_SUCCESS);
        assert_int_equal(harness_layer_messages(), moves ? 1 : 0);
        harness_messages_reset();
        blending_image_read(vk, &image, after);
        if (!moves && i % 2)
            expect_drawn(target, "linked", 0, before, after);
        else
            assert_memory_equal(before, after, (size_t)PIXELS * bytes_of(target));
        blending_pass_destroy(vk, &pass);
        harness_image_destroy(vk, &image);
    }
    harness_objects_destroy(vk, &objects);
    alpha_close(&scene);
}

/* ---- Advanced equations ---- */

static const VkPipelineColorBlendAttachmentState *const plain = &states[0];

static void open_advanced(struct alpha_scene *scene)
{
    static const char *const extensions[] = {VK_EXT_BLEND_OPERATION_ADVANCED_EXTENSION_NAME,
                                             VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};
    static const VkPhysicalDeviceFeatures features = {.independentBlend = VK_TRUE};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &dynamic};
    for (unsigned i = 0; i < 2; i++)
        if (!harness_driver_has(extensions[i])) {
            print_message("the driver lacks %s\n", extensions[i]);
            skip();
        }
    alpha_open(scene);
    vkGetPhysicalDeviceFeatures2(scene->vk.physical, &query);
    alpha_close(scene);
    if (!dynamic.extendedDynamicState3ColorBlendAdvanced) {
        print_message("the driver lacks extendedDynamicState3ColorBlendAdvanced\n");
        skip();
    }
    dynamic = (VkPhysicalDeviceExtendedDynamicState3FeaturesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3ColorBlendEnable = VK_TRUE,
        .extendedDynamicState3ColorBlendEquation = VK_TRUE,
        .extendedDynamicState3ColorWriteMask = VK_TRUE,
        .extendedDynamicState3ColorBlendAdvanced = VK_TRUE};
    alpha_open_with(scene, (struct harness_vulkan_params){.gl_sampler = true,
                                                          .alpha_to_one = true,
                                                          .features = &features,
                                                          .device_extensions = extensions,
                                                          .device_extension_count = 2,
                                                          .device_next = &dynamic});
}

/* Blending is off for the first of two attachments; an advanced equation is set for the second, or for both. */
static void set_advanced(struct harness_vulkan *vk, VkCommandBuffer commands, uint32_t first, bool enable)
{
    static const VkColorBlendAdvancedEXT multiply = {VK_BLEND_OP_MULTIPLY_EXT, VK_TRUE, VK_TRUE,
                                                     VK_BLEND_OVERLAP_UNCORRELATED_EXT, VK_FALSE};
    const VkBool32 enables[] = {enable, VK_TRUE};
    const VkColorComponentFlags masks[] = {ALPHA_RGBA, ALPHA_RGBA};
    set_dynamic(vk, commands, plain);
    HARNESS_PROC(vk, vkCmdSetColorBlendEnableEXT)(commands, 0, 2, enables);
    HARNESS_PROC(vk, vkCmdSetColorWriteMaskEXT)(commands, 0, 2, masks);
    for (uint32_t i = first; i < 2; i++)
        HARNESS_PROC(vk, vkCmdSetColorBlendAdvancedEXT)(commands, i, 1, &multiply);
}

struct advanced_pass {
    struct harness_image images[2];
    struct blending_pass pass;
};

static const struct target whole = {"RGBA8", RGBA8, TOKEN_RGBA, NATURAL, {0, 1, 2, 3}, {0, 0, 0, 0}, false};
static const struct target opaque = {"RGB8", RGBA8, TOKEN_RGB, NATURAL, {0, 1, 2, NOWHERE}, {0, 0, 0, 1}, false};

static void open_advanced_pass(struct alpha_scene *scene, const struct target *first, struct advanced_pass *advanced)
{
    bytes before;
    struct blending_pass_params params = {
        .style = BLENDING_PASS, .count = 2, .width = SIZE, .height = SIZE, .load = VK_ATTACHMENT_LOAD_OP_LOAD};
    noise(before);
    for (unsigned i = 0; i < 2; i++) {
        create_target(scene, &advanced->images[i], i ? &whole : first, 0, before);
        params.views[i] = advanced->images[i].view;
        params.formats[i] = advanced->images[i].params.format;
    }
    blending_pass_create(&scene->vk, &advanced->pass, &params);
}

static void close_advanced_pass(struct alpha_scene *scene, struct advanced_pass *advanced)
{
    blending_pass_destroy(&scene->vk, &advanced->pass);
    harness_image_destroy(&scene->vk, &advanced->images[0]);
    harness_image_destroy(&scene->vk, &advanced->images[1]);
}

/*
 * Draws to two attachments of which the first is `first`, and then to others, of which that is `own`, with the state
 * that was set before. `drawn`: the second attachments. NULL: the first is blended by an advanced equation as well, and
 * refused.
 */
static void draw_advanced(struct alpha_scene *scene, const struct target *first, const struct target *own, bytes *drawn)
{
    static const VkDynamicState dynamic[] = {
        VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT,
        VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
    struct advanced_pass passes[2];
    bytes before;
    noise(before);
    for (unsigned i = 0; i < 2; i++)
        open_advanced_pass(scene, i ? own : first, &passes[i]);
    VkPipeline pipeline =
        blending_pipeline(&scene->vk, &passes[0].pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_orders_2),
                                                             .layout = scene->layout,
                                                             .states = {*plain, *plain},
                                                             .dynamic = dynamic,
                                                             .dynamic_count = 4});
    VkCommandBuffer commands = harness_begin(&scene->vk);
    for (unsigned i = 0; i < 2; i++) {
        blending_pass_begin(&passes[i].pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        if (i == 0) {
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
            set_advanced(&scene->vk, commands, drawn ? 1 : 0, !drawn);
        }
        vkCmdDraw(commands, 3, 1, 0, 0);
        blending_pass_end(&passes[i].pass, commands);
    }
    assert_int_equal(harness_try_submit(&scene->vk, commands), drawn ? VK_SUCCESS : VK_ERROR_VALIDATION_FAILED_EXT);
    for (unsigned i = 0; i < 2; i++) {
        if (drawn) {
            blending_image_read(&scene->vk, &passes[i].images[1], drawn[i]);
            assert_memory_not_equal(before, drawn[i], (size_t)PIXELS * 4);
        }
        close_advanced_pass(scene, &passes[i]);
    }
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
}

/* An attachment in its own order keeps it, beside one in another, and so does the next pass. Channels that are
 * elsewhere cannot have one. */
static void advanced_equations_stay_beside_moved_channels(void **state)
{
    (void)state;
    static const struct {
        const struct target *own, *other;
    } rows[] = {{&targets[1], &targets[0]}, {&whole, &targets[8]}, {&whole, &opaque}};
    struct alpha_scene scene;
    open_advanced(&scene);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bytes own[2], beside[2];
        draw_advanced(&scene, rows[i].own, rows[i].own, own);
        const uint64_t moved = harness_counters(&scene.vk).outputs_moved;
        draw_advanced(&scene, rows[i].other, rows[i].own, beside);
        assert_int_equal(harness_counters(&scene.vk).outputs_moved - moved, rows[i].other->moved);
        for (unsigned j = 0; j < 2; j++)
            assert_memory_equal(own[j], beside[j], (size_t)PIXELS * 4);
    }
    harness_messages_reset();
    draw_advanced(&scene, &targets[0], &targets[1], NULL);
    assert_int_equal(harness_layer_messages(), 1);
    assert_non_null(strstr(harness_layer_message(0), "advanced"));
    harness_messages_reset();
    alpha_close(&scene);
}

/* ---- Many input attachments ---- */

/* The seventeenth of a subpass, behind sixteen that are not used. */
static void late_input_attachments_are_refused(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_open(&scene);
    struct harness_vulkan *vk = &scene.vk;
    for (unsigned i = 0; i < 2; i++) {
        const struct target *target = &targets[i ? 0 : 1];
        struct harness_image image;
        bytes texels;
        noise(texels);
        create_target(&scene, &image, target, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, texels);
        const VkAttachmentDescription attachment = harness_attachment(target->format, VK_ATTACHMENT_LOAD_OP_LOAD);
        VkAttachmentReference inputs[17];
        for (unsigned j = 0; j < 17; j++)
            inputs[j] = (VkAttachmentReference){j < 16 ? VK_ATTACHMENT_UNUSED : 0,
                                                j < 16 ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL};
        const VkSubpassDescription subpass = {.inputAttachmentCount = 17, .pInputAttachments = inputs};
        struct blending_pass pass = {.params = {.style = BLENDING_PASS, .width = SIZE, .height = SIZE}};
        pass.pass = harness_pass(vk, &attachment, 1, &subpass, 1);
        pass.framebuffer = harness_framebuffer(vk, pass.pass, &image.view, 1, SIZE, SIZE);
        const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                             .renderPass = pass.pass,
                                             .framebuffer = pass.framebuffer,
                                             .renderArea = {{0, 0}, {SIZE, SIZE}}};
        VkCommandBuffer commands = harness_begin(vk);
        harness_messages_reset();
        vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdEndRenderPass(commands);
        assert_int_equal(harness_try_submit(vk, commands), i ? VK_ERROR_VALIDATION_FAILED_EXT : VK_SUCCESS);
        assert_int_equal(harness_layer_messages(), i ? 1 : 0);
        if (i)
            assert_non_null(strstr(harness_layer_message(0), "input attachment behind the eighth"));
        harness_messages_reset();
        vkDestroyFramebuffer(vk->device, pass.framebuffer, NULL);
        vkDestroyRenderPass(vk->device, pass.pass, NULL);
        harness_image_destroy(vk, &image);
    }
    alpha_close(&scene);
}

/* ---- Base formats ---- */

/* GL_RGB8 as internalFormat, and no baseFormat: alpha is 1 to blending. */
static void an_internal_format_alone_has_its_base_format(void **state)
{
    (void)state;
    static const struct target rgb = {"RGB8", RGBA8, TOKEN_RGB, NATURAL, {0, 1, 2, NOWHERE}, {0, 0, 0, 1}, false};
    static const struct target stored = {"RGBA8", RGBA8, TOKEN_RGBA, NATURAL, {0, 1, 2, 3}, {0, 0, 0, 0}, false};
    static const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .internalFormat = 0x8051};
    struct alpha_scene scene;
    alpha_open(&scene);
    for (unsigned i = 0; i < BLENDING_STYLES * 2; i++) {
        const size_t drawn = i % 2 ? 7 : 5; /* factors of the destination's alpha */
        struct harness_image image;
        struct blending_pass pass;
        bytes before, after;
        noise(before);
        create_target(&scene, &image, &stored, 0, before);
        const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .pNext = &gl,
                                            .image = image.image,
                                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                            .format = RGBA8,
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        VkImageView view;
        HARNESS_VK(vkCreateImageView(scene.vk.device, &info, NULL, &view));
        struct blending_pass_params params =
            pass_over(&image, (enum blending_style)(i / 2), VK_ATTACHMENT_LOAD_OP_LOAD);
        params.views[0] = view;
        blending_pass_create(&scene.vk, &pass, &params);
        VkPipeline pipeline = make_pipeline(&scene, &pass, drawn, STATIC);
        blending_draw(&scene.vk, &pass, NULL, pipeline);
        blending_image_read(&scene.vk, &image, after);
        expect_drawn(&rgb, "by its internal format", drawn, before, after);
        for (unsigned p = 0; p < PIXELS; p++)
            assert_int_equal(after[p * 4 + 3], 255);
        vkDestroyPipeline(scene.vk.device, pipeline, NULL);
        blending_pass_destroy(&scene.vk, &pass);
        vkDestroyImageView(scene.vk.device, view, NULL);
        harness_image_destroy(&scene.vk, &image);
    }
    alpha_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_writes_nothing_has_no_variant),
        cmocka_unit_test(linked_shader_objects_are_refused_where_outputs_move),
        cmocka_unit_test(advanced_equations_stay_beside_moved_channels),
        cmocka_unit_test(late_input_attachments_are_refused),
        cmocka_unit_test(an_internal_format_alone_has_its_base_format),
        cmocka_unit_test(draws_blend_as_opengl_does),
        cmocka_unit_test(attachments_of_one_pass_have_orders_of_their_own),
        cmocka_unit_test(unused_attachments_stand_in_front_of_moved_ones),
        cmocka_unit_test(variants_are_compiled_once),
        cmocka_unit_test(clears_go_where_channels_are),
        cmocka_unit_test(images_of_several_orders_are_cleared_as_they_are),
        cmocka_unit_test(secondaries_know_orders_or_are_refused),
        cmocka_unit_test(shader_objects_move_their_outputs),
        cmocka_unit_test(input_attachments_read_channels_where_they_are),
        cmocka_unit_test(views_of_a_multiview_pass_are_in_order),
        cmocka_unit_test(resumed_rendering_is_in_order),
        cmocka_unit_test(coverage_comes_from_gls_alpha),
        cmocka_unit_test(local_reads_are_in_order),
        cmocka_unit_test(feedback_loops_are_in_order),
        cmocka_unit_test(generated_draws_are_in_order),
        cmocka_unit_test(resolves_between_orders_are_refused),
        cmocka_unit_test(second_sources_take_the_place_of_other_outputs),
    };
    return cmocka_run_group_tests_name("integration_orders", tests, NULL, NULL);
}
