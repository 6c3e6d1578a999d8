/* SPDX-License-Identifier: MIT */
/*
 * Attachments of floats without alpha: where nothing is blended and alpha is not masked, the shader writes 1
 * (spirv_write_alpha_one). Colours must be those of the driver's own draw with a write mask, bit by bit, among them
 * infinities, what is no number, and zeros with a sign; the same pipeline's alpha on attachments that have some is the
 * program's. Where the shader cannot, and where the program's alpha is read, the write mask keeps alpha.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "newer_vulkan.h"
#include "harness/images/format.h"
#include "harness/drawing/shader_objects.h"
#include "integration/attachments/alpha_scene.h"
#include "fullscreen_captured.h"
#include "special_source.h"
#include "special_source_2.h"
#include "special_source_dual.h"
#include "special_source_rgb.h"

#define F(NAME) VK_BLEND_FACTOR_##NAME
#define FLOATS VK_FORMAT_R16G16B16A16_SFLOAT

enum { HALF_ONE = 0x3c00, HALF_OTHER = 0x3555, HALF_NONE = 0x7c00, HALF_GREATEST = 65504, TARGETS = 2 };

typedef uint16_t half_pixels[ALPHA_PIXELS][4];

static const VkPipelineColorBlendAttachmentState replaces = {.colorWriteMask = ALPHA_RGBA},
                                                 over = {VK_TRUE, F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), VK_BLEND_OP_ADD,
                                                         F(ONE),  F(ZERO),      VK_BLEND_OP_ADD,        ALPHA_RGBA};

static VkPipelineColorBlendAttachmentState blended(VkBlendFactor source, VkBlendFactor destination, VkBlendOp op)
{
    return (VkPipelineColorBlendAttachmentState){VK_TRUE, source,  destination,     op,
                                                 F(ONE),  F(ZERO), VK_BLEND_OP_ADD, ALPHA_RGBA};
}

/* ---- One pass and its draws ---- */

struct drawing {
    uint32_t bases[TARGETS]; /* base formats of the targets; 0: no state of GL's, alpha is 1 in memory before */
    uint32_t count;          /* of targets; 0: 1 */
    struct harness_spirv fragment;
    VkPipelineColorBlendAttachmentState state; /* of all targets */
    bool coverage;                             /* alpha makes coverage */
    bool to_one;                               /* the program's alpha becomes 1 before blending */
    const VkDynamicState *dynamic;
    uint32_t dynamic_count;
    bool captured;       /* by transform feedback, which begins behind the first equation */
    uint32_t draws;      /* 2, else 1 without a dynamic state */
    VkBool32 enables[2]; /* with a dynamic state: what is set before each of two draws */
    const VkPipelineColorBlendAttachmentState *equations[2]; /* likewise */
    bool masks; /* write masks are the second dynamic state: those of the target are set */
    enum blending_style style;
    bool unfilled; /* alpha of targets without it is not 1 in memory before: nothing but the shader can make it so */
};

/* What is there before: colours, and an alpha of 1, or another that nobody fills. */
static void target_texels(half_pixels texels, bool one)
{
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        for (unsigned c = 0; c < 3; c++)
            texels[i][c] = (uint16_t)(0x3400 + i * 7 + c);
        texels[i][3] = one ? HALF_ONE : HALF_OTHER;
    }
}

static VkColorBlendEquationEXT blend_equation(const VkPipelineColorBlendAttachmentState *state)
{
    return (VkColorBlendEquationEXT){state->srcColorBlendFactor, state->dstColorBlendFactor, state->colorBlendOp,
                                     state->srcAlphaBlendFactor, state->dstAlphaBlendFactor, state->alphaBlendOp};
}

static void draw(struct alpha_scene *scene, const struct drawing *drawing, half_pixels pixels[TARGETS])
{
    struct harness_vulkan *vk = &scene->vk;
    struct harness_image images[TARGETS];
    struct blending_pass pass;
    struct harness_buffer captured;
    half_pixels texels;
    const uint32_t count = drawing->count ? drawing->count : 1;
    struct blending_pass_params target = alpha_pass(drawing->style, VK_NULL_HANDLE, VK_ATTACHMENT_LOAD_OP_LOAD);
    struct blending_pipeline_params params = {.fragment = drawing->fragment,
                                              .layout = scene->layout,
                                              .vertex = drawing->captured ? HARNESS_SPIRV(fullscreen_captured)
                                                                          : (struct harness_spirv){0},
                                              .alpha_to_coverage = drawing->coverage,
                                              .alpha_to_one = drawing->to_one,
                                              .dynamic = drawing->dynamic,
                                              .dynamic_count = drawing->dynamic_count};
    target.count = count;
    for (uint32_t i = 0; i < count; i++) {
        target_texels(texels, drawing->bases[i] != GL_RGB_BASE || !drawing->unfilled);
        const struct blending_image_params image = {
            .format = FLOATS, .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = drawing->bases[i]};
        blending_image_create(vk, &images[i], &image, texels);
        target.views[i] = images[i].view;
        target.formats[i] = FLOATS;
        params.states[i] = drawing->state;
    }
    harness_buffer_create(vk, &captured,
                          drawing->captured ? VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT
                                            : VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                          1024, NULL);
    blending_pass_create(vk, &pass, &target);
    VkPipeline pipeline = blending_pipeline(vk, &pass, &params);
    VkCommandBuffer commands = harness_begin(vk);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    for (uint32_t i = 0; i < (drawing->dynamic || drawing->draws == 2 ? 2 : 1); i++) {
        const VkBool32 enables[TARGETS] = {drawing->enables[i], drawing->enables[i]};
        if (drawing->equations[i]) {
            const VkColorBlendEquationEXT one = blend_equation(drawing->equations[i]), equations[TARGETS] = {one, one};
            HARNESS_PROC(vk, vkCmdSetColorBlendEquationEXT)(commands, 0, count, equations);
        } else if (drawing->dynamic && drawing->dynamic[0] == VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT)
            HARNESS_PROC(vk, vkCmdSetColorBlendEnableEXT)(commands, 0, count, enables);
        else if (drawing->dynamic)
            HARNESS_PROC(vk, vkCmdSetAlphaToCoverageEnableEXT)(commands, drawing->enables[i]);
        const VkColorComponentFlags mask = drawing->bases[0] ? ALPHA_RGBA : ALPHA_RGB, masks[TARGETS] = {mask, mask};
        if (drawing->masks)
            HARNESS_PROC(vk, vkCmdSetColorWriteMaskEXT)(commands, 0, count, masks);
        if (drawing->captured && i == 0) {
            const VkDeviceSize none = 0;
            HARNESS_PROC(vk, vkCmdBindTransformFeedbackBuffersEXT)(commands, 0, 1, &captured.buffer, &none, NULL);
            HARNESS_PROC(vk, vkCmdBeginTransformFeedbackEXT)(commands, 0, 0, NULL, NULL);
        }
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    if (drawing->captured)
        HARNESS_PROC(vk, vkCmdEndTransformFeedbackEXT)(commands, 0, 0, NULL, NULL);
    blending_pass_end(&pass, commands);
    harness_submit(vk, commands);
    for (uint32_t i = 0; i < count; i++) {
        blending_image_read(vk, &images[i], pixels[i]);
        harness_image_destroy(vk, &images[i]);
    }
    vkDestroyPipeline(vk->device, pipeline, NULL);
    harness_buffer_destroy(vk, &captured);
    blending_pass_destroy(vk, &pass);
}

/* What is no number has many encodings. */
static bool is_none(uint16_t half)
{
    return (half & 0x7fff) > HALF_NONE;
}

/* What tests/special_source.frag gives a channel of a pixel. */
static float source_of(unsigned pixel, unsigned channel)
{
    static const uint32_t bits[16] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                      0x7fc00000, 0x33800000, 0xb7803000, 0x477fe000, 0x477ff000, 0x7149f2ca,
                                      0x0da24260, 0x3f000000, 0x3dcccccd, 0x40490fdb};
    const unsigned x = pixel % ALPHA_SIZE, y = pixel / ALPHA_SIZE;
    const unsigned number[4] = {x, x + y, x * 3 + y * 5, y};
    float value;
    memcpy(&value, &bits[number[channel] % 16], sizeof(value));
    return value;
}

/* With a sign or not, within two steps of halves, and all alike that is more than they hold. */
static bool is_near(uint16_t half, float value)
{
    const double found = fmin(fabs((double)format_from_half(half)), HALF_GREATEST),
                 wanted = fmin(fabs((double)value), HALF_GREATEST);
    return !is_none(half) && fabs(found - wanted) <= fmax(wanted / 512, 0x2p-24);
}

/* The source's color times its alpha, or times 1 less its alpha, as a shader multiplies: in 32 bits. */
static bool is_product(uint16_t half, unsigned pixel, unsigned channel)
{
    const float color = source_of(pixel, channel), alpha = source_of(pixel, 3);
    return is_near(half, color * alpha) || is_near(half, color * (1.0f - alpha));
}

/*
 * Products with a factor of the source. A shader's are IEEE's, of 32 bits, where the blending of some drivers
 * (NVIDIA's) rounds what it multiplies to 16 bits first, makes 0 of any product with 0, and the greatest number of
 * infinity: there what is infinite or no number may be found, and the shader's product.
 */
static bool multiplied, rounded; /* for this draw; the driver's blending does that */

static bool same(uint16_t found, uint16_t expected, unsigned pixel, unsigned channel)
{
    return found == expected || (is_none(found) && is_none(expected)) ||
           (rounded && multiplied && ((found & 0x7fff) >= HALF_NONE || is_product(found, pixel, channel)));
}

static bool multiplies(const VkPipelineColorBlendAttachmentState *state)
{
    return state && state->blendEnable &&
           (state->srcColorBlendFactor == F(SRC_ALPHA) || state->srcColorBlendFactor == F(ONE_MINUS_SRC_ALPHA));
}

/* `alpha`: of all pixels; 0: as expected. */
#define expect_pixels(found, expected, alpha) expect_pixels_at((found), (expected), (alpha), __FILE__, __LINE__)
static void expect_pixels_at(half_pixels found, half_pixels expected, uint16_t alpha, const char *file, int line)
{
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        for (unsigned c = 0; c < 4; c++) {
            const uint16_t wanted = c == 3 && alpha ? alpha : expected[i][c];
            if (same(found[i][c], wanted, i, c))
                continue;
            print_error("%s:%d: channel %u of pixel %u,%u is %04x, not %04x\n", file, line, c, i % ALPHA_SIZE,
                        i / ALPHA_SIZE, found[i][c], wanted);
            _fail(file, line);
        }
    }
}

/* The driver's own draw: alpha of targets without it is 1, and masked. */
static void draw_natively(struct alpha_scene *scene, const struct drawing *drawing, half_pixels pixels[TARGETS])
{
    struct drawing native = *drawing;
    for (uint32_t i = 0; i < TARGETS; i++)
        native.bases[i] = 0;
    native.state.colorWriteMask &= ALPHA_RGB;
    native.state.dstAlphaBlendFactor = F(ZERO); /* as where a shader writes it: lavapipe tells other signs of zeros */
    draw(scene, &native, pixels);
}

/*
 * Draws to a target without alpha and compares; how many variants write alpha then. Where all state is static, alpha in
 * memory is another than 1 before and is not filled (open_unfilled): it becomes 1 where shaders write it, and stays
 * where it is masked.
 */
static uint64_t check(struct alpha_scene *scene, struct drawing drawing)
{
    half_pixels found[TARGETS], expected[TARGETS];
    drawing.bases[0] = drawing.bases[1] = GL_RGB_BASE;
    drawing.unfilled = !drawing.dynamic;
    multiplied =
        multiplies(drawing.equations[0] ? drawing.equations[0] : &drawing.state) || multiplies(drawing.equations[1]);
    draw_natively(scene, &drawing, expected);
    const uint64_t before = harness_counters(&scene->vk).alpha_written;
    draw(scene, &drawing, found);
    /* What is blended with unlike products may be anything. */
    const bool unlike = rounded && multiplies(drawing.equations[0]) && drawing.equations[1] == &over;
    const uint64_t written = harness_counters(&scene->vk).alpha_written - before;
    const bool masked = !written || (drawing.state.colorWriteMask & ALPHA_RGB) != ALPHA_RGB; /* some are not stored */
    for (uint32_t i = 0; i < (drawing.count ? drawing.count : 1) && !unlike; i++)
        expect_pixels(found[i], expected[i], drawing.unfilled && masked ? HALF_OTHER : HALF_ONE);
    return written;
}

static const VkPhysicalDeviceFeatures features = {.independentBlend = VK_TRUE},
                                      wanted = {.dualSrcBlend = VK_TRUE, .alphaToOne = VK_TRUE};

/* Nothing is filled: what makes alpha 1 is the shader. */
static void open_unfilled(struct alpha_scene *scene, struct harness_vulkan_params params)
{
    setenv("VK_CLAMPLER_ASSUME_MISSING", "alpha_fill", 1);
    alpha_open_with(scene, params);
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
}

static void open_scene(struct alpha_scene *scene)
{
    static const VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
    static const VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = (void *)(uintptr_t)&features13,
        .imagelessFramebuffer = VK_TRUE};
    open_unfilled(scene, (struct harness_vulkan_params){.gl_sampler = true,
                                                        .alpha_to_one = true,
                                                        .device_next = &features12,
                                                        .features = &features,
                                                        .wanted = &wanted});
}

/* Whether the driver's blending is as `rounded` says: a product that halves hold is another number. */
static int see_rounding(void **state)
{
    (void)state;
    struct alpha_scene scene;
    half_pixels found[TARGETS];
    const struct drawing drawing = {.fragment = HARNESS_SPIRV(special_source),
                                    .state = blended(F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD)};
    open_scene(&scene);
    draw_natively(&scene, &drawing, found);
    for (unsigned i = 0; i < ALPHA_PIXELS; i++)
        for (unsigned c = 0; c < 3; c++)
            rounded |= isfinite(source_of(i, c) * source_of(i, 3)) && !is_product(found[0][i][c], i, c);
    alpha_close(&scene);
    print_message("blending rounds what it multiplies: %s\n", rounded ? "yes" : "no");
    return 0;
}

/* ---- Tests ---- */

static void replace_in_every_kind_of_pass(void)
{
    struct alpha_scene scene;
    open_scene(&scene);
    for (enum blending_style style = BLENDING_PASS; style < BLENDING_STYLES; style++) {
        const struct drawing drawing = {.fragment = HARNESS_SPIRV(special_source), .state = replaces, .style = style};
        assert_int_equal(check(&scene, drawing), alpha_is_written());
    }
    alpha_close(&scene);
}

static void draws_that_replace_keep_every_colour(void **state)
{
    (void)state;
    const char *setting = getenv("VK_CLAMPLER_ALPHA_WRITE");
    replace_in_every_kind_of_pass();
    setenv("VK_CLAMPLER_ALPHA_WRITE", "mask", 1);
    replace_in_every_kind_of_pass();
    if (setting)
        setenv("VK_CLAMPLER_ALPHA_WRITE", setting, 1);
    else
        unsetenv("VK_CLAMPLER_ALPHA_WRITE");
}

static void attachments_with_alpha_get_the_programs(void **state)
{
    (void)state;
    struct alpha_scene scene;
    half_pixels found[TARGETS], expected[TARGETS];
    open_scene(&scene);
    struct drawing drawing = {.bases = {GL_RGB_BASE, GL_RGBA_BASE},
                              .count = 2,
                              .fragment = HARNESS_SPIRV(special_source_2),
                              .state = replaces};
    draw(&scene, &drawing, found);
    assert_int_equal(harness_counters(&scene.vk).alpha_written, alpha_is_written());
    drawing.bases[0] = drawing.bases[1] = 0;
    draw(&scene, &drawing, expected);
    expect_pixels(found[0], expected[0], HALF_ONE);
    expect_pixels(found[1], expected[1], 0);
    assert_int_equal(check(&scene, drawing), alpha_is_written()); /* both without */
    alpha_close(&scene);
}

static void what_reads_the_programs_alpha_is_masked(void **state)
{
    (void)state;
    struct alpha_scene scene;
    open_scene(&scene);
    const VkPipelineColorBlendAttachmentState red = {.colorWriteMask =
                                                         VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_A_BIT};
    const struct drawing rows[] = {
        {.fragment = HARNESS_SPIRV(special_source), .state = over},
        {.fragment = HARNESS_SPIRV(special_source), .state = replaces, .coverage = true},
        {.fragment = HARNESS_SPIRV(special_source_rgb), .state = replaces},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(check(&scene, rows[i]), 0);
    /* Nothing reads the second source here, and a shader that writes 1 is none the worse where red alone is stored. */
    if (scene.vk.features.dualSrcBlend)
        assert_int_equal(
            check(&scene, (struct drawing){.fragment = HARNESS_SPIRV(special_source_dual), .state = replaces}),
            alpha_is_written());
    check(&scene, (struct drawing){.fragment = HARNESS_SPIRV(special_source), .state = red});
    /* What is blended by an alpha that becomes 1 behind the shader, the shader cannot multiply. */
    if (scene.vk.features.alphaToOne) {
        check(&scene, (struct drawing){.fragment = HARNESS_SPIRV(special_source), .state = replaces, .to_one = true});
        assert_int_equal(check(&scene, (struct drawing){.fragment = HARNESS_SPIRV(special_source),
                                                        .state = blended(F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD),
                                                        .to_one = true}),
                         0);
    }
    alpha_close(&scene);
}

/* Blending that takes nothing of what is there: the shader multiplies by its own alpha where the equation does. */
static void blends_that_take_nothing_keep_every_colour(void **state)
{
    (void)state;
    struct alpha_scene scene;
    open_scene(&scene);
    const struct {
        VkPipelineColorBlendAttachmentState state;
        bool dual, written;
    } rows[] = {
        {blended(F(ONE), F(ZERO), VK_BLEND_OP_ADD), false, true},
        {blended(F(ZERO), F(ZERO), VK_BLEND_OP_ADD), false, true},
        {blended(F(SRC_COLOR), F(ZERO), VK_BLEND_OP_SUBTRACT), false, true},
        {blended(F(ONE_MINUS_SRC_COLOR), F(ZERO), VK_BLEND_OP_REVERSE_SUBTRACT), false, true},
        {blended(F(CONSTANT_COLOR), F(ZERO), VK_BLEND_OP_ADD), false, true},
        {blended(F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD), false, true},
        {blended(F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_REVERSE_SUBTRACT), false, true},
        {blended(F(ONE_MINUS_SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD), false, true},
        {blended(F(SRC1_COLOR), F(ZERO), VK_BLEND_OP_ADD), true, true},
        {blended(F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD), true, true},
        {blended(F(SRC_ALPHA), F(ONE), VK_BLEND_OP_ADD), false, false},
        {blended(F(DST_COLOR), F(ZERO), VK_BLEND_OP_ADD), false, false},
        {blended(F(ONE), F(ZERO), VK_BLEND_OP_MIN), false, false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct drawing drawing = {.fragment = rows[i].dual ? HARNESS_SPIRV(special_source_dual)
                                                                 : HARNESS_SPIRV(special_source),
                                        .state = rows[i].state};
        print_message("row %zu\n", i);
        if (rows[i].dual && !scene.vk.features.dualSrcBlend)
            continue;
        assert_int_equal(check(&scene, drawing), alpha_is_written() && rows[i].written);
    }
    alpha_close(&scene);
}

/* From one to the other within a pass, with one pipeline. */
static void dynamic_state_chooses_the_variant(void **state)
{
    (void)state;
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                             VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
                                             VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT};
    static const char *const extensions[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT enabled = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3ColorBlendEnable = VK_TRUE,
        .extendedDynamicState3ColorBlendEquation = VK_TRUE,
        .extendedDynamicState3ColorWriteMask = VK_TRUE,
        .extendedDynamicState3AlphaToCoverageEnable = VK_TRUE};
    struct alpha_scene scene;
    open_scene(&scene);
    const bool has = scene.dynamic;
    alpha_close(&scene);
    if (!has)
        skip();
    open_unfilled(&scene, (struct harness_vulkan_params){.gl_sampler = true,
                                                         .alpha_to_one = true,
                                                         .device_extensions = extensions,
                                                         .device_extension_count = 1,
                                                         .device_next = &enabled,
                                                         .features = &features,
                                                         .wanted = &wanted});
    for (unsigned d = 0; d < 2; d++) {
        for (unsigned i = 0; i < 4; i++) {
            struct drawing drawing = {.fragment = HARNESS_SPIRV(special_source),
                                      .state = d ? replaces : over,
                                      .dynamic = &dynamic[d],
                                      .dynamic_count = 1,
                                      .enables = {i & 1, i >> 1}};
            assert_int_equal(check(&scene, drawing), alpha_is_written() && i != 3);
        }
    }
    /* Products, none, and what is blended with what is there, each before each other. */
    const VkPipelineColorBlendAttachmentState times = blended(F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD),
                                              rest = blended(F(ONE_MINUS_SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD),
                                              one = blended(F(ONE), F(ZERO), VK_BLEND_OP_ADD),
                                              *const equations[] = {&times, &rest, &one, &over};
    for (unsigned i = 0; i < 16; i++) {
        const struct drawing drawing = {.fragment = HARNESS_SPIRV(special_source),
                                        .state = over,
                                        .dynamic = &dynamic[2],
                                        .dynamic_count = 1,
                                        .equations = {equations[i & 3], equations[i >> 2]}};
        const unsigned written = ((i & 3) != 3 ? 1u : 0u) + (i >> 2 != 3 && i >> 2 != (i & 3) ? 1u : 0u);
        assert_int_equal(check(&scene, drawing), alpha_is_written() ? written : 0);
    }
    /* A write mask that is dynamic is not read from the static state, where it may be anything. */
    static const VkDynamicState masks[] = {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                           VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
    const VkBlendFactor factors[] = {F(ONE), F(SRC_ALPHA)};
    for (unsigned i = 0; i < 2; i++) {
        VkPipelineColorBlendAttachmentState twice = blended(factors[i], F(ZERO), VK_BLEND_OP_ADD);
        twice.dstAlphaBlendFactor = F(ONE);
        twice.colorWriteMask = 0;
        const struct drawing drawing = {.fragment = HARNESS_SPIRV(special_source),
                                        .state = twice,
                                        .dynamic = masks,
                                        .dynamic_count = 2,
                                        .enables = {VK_TRUE, VK_TRUE},
                                        .masks = true};
        assert_int_equal(check(&scene, drawing), alpha_is_written());
    }
    alpha_close(&scene);
}

/* The shader stays from the beginning of transform feedback to its end, whatever equations come in between. */
static void equations_change_while_feedback_captures(void **state)
{
    (void)state;
    static const VkDynamicState dynamic = VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT;
    static const char *const extensions[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
                                             VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT enabled = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .pNext = &feedback,
        .extendedDynamicState3ColorBlendEquation = VK_TRUE};
    const VkPipelineColorBlendAttachmentState times = blended(F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD),
                                              one = blended(F(ONE), F(ZERO), VK_BLEND_OP_ADD),
                                              *const equations[] = {&times, &one, &over};
    struct alpha_scene scene;
    open_scene(&scene);
    const bool has = scene.dynamic && harness_has_extension(&scene.vk, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME);
    alpha_close(&scene);
    if (!has)
        skip();
    open_unfilled(&scene, (struct harness_vulkan_params){.gl_sampler = true,
                                                         .alpha_to_one = true,
                                                         .device_extensions = extensions,
                                                         .device_extension_count = 2,
                                                         .device_next = &enabled,
                                                         .features = &features,
                                                         .wanted = &wanted});
    for (unsigned i = 0; i < 9; i++) {
        struct drawing drawing = {.fragment = HARNESS_SPIRV(special_source),
                                  .state = over,
                                  .dynamic = &dynamic,
                                  .dynamic_count = 1,
                                  .captured = true,
                                  .equations = {equations[i % 3], equations[i / 3]}};
        check(&scene, drawing);
    }
    alpha_close(&scene);
}

/* ---- Shader objects ---- */

/* VkPhysicalDeviceShaderObjectFeaturesEXT, for headers without it. */
struct shader_object_features {
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderObject;
};

struct object_drawing {
    VkPipelineColorBlendAttachmentState state;
    bool coverage, to_one, located; /* located: outputs are said to go where their locations say */
    uint64_t written;               /* variants that are made */
};

static void attach_floats(struct harness_vulkan *vk, struct harness_image *image, struct blending_pass *pass)
{
    struct blending_pass_params target = alpha_pass(BLENDING_DYNAMIC, VK_NULL_HANDLE, VK_ATTACHMENT_LOAD_OP_LOAD);
    half_pixels texels;
    target_texels(texels, true);
    blending_image_create(vk, image,
                          &(struct blending_image_params){
                              .format = FLOATS, .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = GL_RGB_BASE},
                          texels);
    target.views[0] = image->view;
    target.formats[0] = FLOATS;
    blending_pass_create(vk, pass, &target);
}

/* Two draws; the fragment shader may be bound `again` between them, by the handle that the program has of it. */
static void draw_objects(struct alpha_scene *scene, const struct harness_objects *shaders,
                         const struct object_drawing *drawing, bool again, half_pixels pixels)
{
    static const VkShaderStageFlagBits fragment = VK_SHADER_STAGE_FRAGMENT_BIT;
    struct harness_vulkan *vk = &scene->vk;
    const struct harness_target size = {.width = ALPHA_SIZE, .height = ALPHA_SIZE};
    const VkColorBlendEquationEXT equation = blend_equation(&drawing->state);
    struct harness_image image;
    struct blending_pass pass;
    attach_floats(vk, &image, &pass);
    VkCommandBuffer commands = harness_begin(vk);
    harness_objects_bind(vk, shaders, &size, commands);
    HARNESS_PROC(vk, vkCmdSetColorBlendEnableEXT)(commands, 0, 1, &drawing->state.blendEnable);
    HARNESS_PROC(vk, vkCmdSetColorBlendEquationEXT)(commands, 0, 1, &equation);
    HARNESS_PROC(vk, vkCmdSetColorWriteMaskEXT)(commands, 0, 1, &drawing->state.colorWriteMask);
    HARNESS_PROC(vk, vkCmdSetAlphaToCoverageEnableEXT)(commands, drawing->coverage);
    HARNESS_PROC(vk, vkCmdSetAlphaToOneEnableEXT)(commands, drawing->to_one);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    if (drawing->located) {
        const uint32_t location = 0;
        const VkRenderingAttachmentLocationInfoKHR locations = {
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
            .colorAttachmentCount = 1,
            .pColorAttachmentLocations = &location};
        HARNESS_PROC(vk, vkCmdSetRenderingAttachmentLocationsKHR)(commands, &locations);
    }
    vkCmdDraw(commands, 3, 1, 0, 0);
    if (again)
        HARNESS_PROC(vk, vkCmdBindShadersEXT)(commands, 1, &fragment, &shaders->shaders[1]);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    harness_submit(vk, commands);
    blending_image_read(vk, &image, pixels);
    harness_image_destroy(vk, &image);
    blending_pass_destroy(vk, &pass);
}

/* A fragment shader without descriptors is packed with nothing of the layer's: its binary is the driver's. */
static void round_trip(struct alpha_scene *scene, VkShaderEXT fragment)
{
    struct harness_vulkan *vk = &scene->vk;
    size_t size = 0;
    VkShaderEXT again = VK_NULL_HANDLE;
    assert_int_equal(HARNESS_PROC(vk, vkGetShaderBinaryDataEXT)(vk->device, fragment, &size, NULL), VK_SUCCESS);
    void *data = aligned_alloc(16, (size + 15) / 16 * 16);
    assert_non_null(data);
    assert_int_equal(HARNESS_PROC(vk, vkGetShaderBinaryDataEXT)(vk->device, fragment, &size, data), VK_SUCCESS);
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_BINARY_EXT,
                                        .codeSize = size,
                                        .pCode = data,
                                        .pName = "main"};
    assert_int_equal(HARNESS_PROC(vk, vkCreateShadersEXT)(vk->device, 1, &info, NULL, &again), VK_SUCCESS);
    HARNESS_PROC(vk, vkDestroyShaderEXT)(vk->device, again, NULL);
    free(data);
}

/* A pipeline takes the place of all shaders: of those that are bound afterwards the fragment shader is none. */
static void pipelines_unbind(struct alpha_scene *scene, const struct harness_objects *shaders)
{
    static const VkShaderStageFlagBits vertex = VK_SHADER_STAGE_VERTEX_BIT;
    struct harness_vulkan *vk = &scene->vk;
    const struct harness_target size = {.width = ALPHA_SIZE, .height = ALPHA_SIZE};
    const VkColorBlendEquationEXT equation = {F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD, F(ONE), F(ZERO), VK_BLEND_OP_ADD};
    const VkBool32 yes = VK_TRUE;
    struct harness_image image;
    struct blending_pass pass;
    attach_floats(vk, &image, &pass);
    VkPipeline pipeline = blending_pipeline(
        vk, &pass,
        &(struct blending_pipeline_params){
            .fragment = HARNESS_SPIRV(special_source), .layout = scene->layout, .states = {replaces}});
    const uint64_t before = harness_counters(vk).alpha_written;
    VkCommandBuffer commands = harness_begin(vk);
    harness_objects_bind(vk, shaders, &size, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    HARNESS_PROC(vk, vkCmdBindShadersEXT)(commands, 1, &vertex, shaders->shaders);
    harness_objects_set_state(vk, &size, 2, shaders->topology, commands);
    HARNESS_PROC(vk, vkCmdSetColorBlendEnableEXT)(commands, 0, 1, &yes);
    HARNESS_PROC(vk, vkCmdSetColorBlendEquationEXT)(commands, 0, 1, &equation);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    harness_submit(vk, commands);
    assert_int_equal(harness_counters(vk).alpha_written, before);
    vkDestroyPipeline(vk->device, pipeline, NULL);
    harness_image_destroy(vk, &image);
    blending_pass_destroy(vk, &pass);
}

/* Linked, and with a chain that the layer cannot copy: made once, and packed all the same. */
static void linked_round_trip(struct alpha_scene *scene)
{
    const VkBaseInStructure unknown = {.sType = (VkStructureType)1000999999};
    struct harness_vulkan *vk = &scene->vk;
    struct harness_objects shaders;
    VkShaderCreateInfoEXT infos[2];
    VkShaderEXT again[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    void *data[2];
    harness_objects_create(vk, &shaders,
                           &(struct harness_objects_params){.fragment = HARNESS_SPIRV(special_source),
                                                            .mapping = (const void *)&unknown,
                                                            .linked = true});
    for (unsigned i = 0; i < 2; i++) {
        size_t size = 0;
        HARNESS_VK(HARNESS_PROC(vk, vkGetShaderBinaryDataEXT)(vk->device, shaders.shaders[i], &size, NULL));
        data[i] = aligned_alloc(16, (size + 15) / 16 * 16);
        assert_non_null(data[i]);
        HARNESS_VK(HARNESS_PROC(vk, vkGetShaderBinaryDataEXT)(vk->device, shaders.shaders[i], &size, data[i]));
        infos[i] = (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                           .pNext = &unknown,
                                           .flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT,
                                           .stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
                                           .nextStage = i ? 0 : (VkShaderStageFlags)VK_SHADER_STAGE_FRAGMENT_BIT,
                                           .codeType = VK_SHADER_CODE_TYPE_BINARY_EXT,
                                           .codeSize = size,
                                           .pCode = data[i],
                                           .pName = "main"};
    }
    assert_int_equal(HARNESS_PROC(vk, vkCreateShadersEXT)(vk->device, 2, infos, NULL, again), VK_SUCCESS);
    for (unsigned i = 0; i < 2; i++) {
        HARNESS_PROC(vk, vkDestroyShaderEXT)(vk->device, again[i], NULL);
        free(data[i]);
    }
    harness_objects_destroy(vk, &shaders);
}

static void shader_objects_write_alpha(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                             VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME};
    struct local_read_features {
        VkStructureType sType;
        void *pNext;
        VkBool32 dynamicRenderingLocalRead;
    } local = {.sType = (VkStructureType)1000232000, .dynamicRenderingLocalRead = VK_TRUE};
    struct shader_object_features objects = {
        .sType = (VkStructureType)1000482000, .pNext = &local, .shaderObject = VK_TRUE};
    const VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &objects, .dynamicRendering = VK_TRUE};
    const struct object_drawing rows[] = {
        {.state = replaces, .written = 1},
        {.state = blended(F(ONE), F(ZERO), VK_BLEND_OP_ADD)}, /* the same variant again */
        {.state = blended(F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD), .written = 1},
        {.state = blended(F(ONE_MINUS_SRC_ALPHA), F(ZERO), VK_BLEND_OP_REVERSE_SUBTRACT), .written = 1},
        {.state = over},
        {.state = replaces, .coverage = true},
        {.state = blended(F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD), .to_one = true},
        {.state = replaces, .located = true},
    };
    struct alpha_scene scene;
    struct harness_objects shaders;
    half_pixels found, expected[TARGETS];
    for (unsigned i = 0; i < 2; i++) {
        if (!harness_driver_has(extensions[i])) {
            print_message("the driver lacks %s\n", extensions[i]);
            skip();
        }
    }
    setenv("VK_CLAMPLER_TIERS", "ahead", 1);
    alpha_open_with(&scene, (struct harness_vulkan_params){.layers = "clampler",
                                                           .gl_sampler = true,
                                                           .alpha_to_one = true,
                                                           .device_extensions = extensions,
                                                           .device_extension_count = 2,
                                                           .device_next = &features13,
                                                           .features = &features,
                                                           .wanted = &wanted});
    unsetenv("VK_CLAMPLER_TIERS");
    for (unsigned each = 0; each < 2; each++) {
        harness_objects_create(
            &scene.vk, &shaders,
            &(struct harness_objects_params){.fragment = HARNESS_SPIRV(special_source), .linked = each});
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            if (rows[i].to_one && !scene.vk.features.alphaToOne)
                continue;
            const uint64_t before = harness_counters(&scene.vk).alpha_written;
            draw_objects(&scene, &shaders, &rows[i], false, found);
            print_message("row %zu%s\n", i, each ? ", linked" : "");
            /* Linked ones stay as they are. */
            assert_int_equal(harness_counters(&scene.vk).alpha_written - before,
                             alpha_is_written() && !each ? rows[i].written : 0);
            const struct drawing native = {.fragment = HARNESS_SPIRV(special_source),
                                           .state = rows[i].state,
                                           .coverage = rows[i].coverage,
                                           .to_one = rows[i].to_one,
                                           .draws = 2,
                                           .style = BLENDING_DYNAMIC};
            draw_natively(&scene, &native, expected);
            multiplied = multiplies(&rows[i].state);
            expect_pixels(found, expected[0], HALF_ONE);
            draw_objects(&scene, &shaders, &rows[i], true, found);
            expect_pixels(found, expected[0], HALF_ONE);
        }
        harness_objects_destroy(&scene.vk, &shaders);
    }
    /* Such attachments were seen: the variant comes with the shader. */
    const uint64_t before = harness_counters(&scene.vk).alpha_written;
    harness_objects_create(&scene.vk, &shaders,
                           &(struct harness_objects_params){.fragment = HARNESS_SPIRV(special_source)});
    assert_int_equal(harness_counters(&scene.vk).alpha_written - before, alpha_is_written());
    round_trip(&scene, shaders.shaders[1]);
    linked_round_trip(&scene);
    pipelines_unbind(&scene, &shaders);
    harness_objects_destroy(&scene.vk, &shaders);
    alpha_close(&scene);
}

/* Once such attachments were seen, variants for them come with the pipelines, unless all is to be lazy. */
static void draws_wait_for_no_variant(void **state)
{
    (void)state;
    struct alpha_scene scene;
    const struct drawing drawing = {.fragment = HARNESS_SPIRV(special_source), .state = replaces};
    setenv("VK_CLAMPLER_TIERS", "ahead", 1);
    open_scene(&scene);
    unsetenv("VK_CLAMPLER_TIERS");
    assert_int_equal(check(&scene, drawing), alpha_is_written());
    if (scene.dynamic)
        assert_int_equal(harness_counters(&scene.vk).compiled_at_draws, 0);
    alpha_close(&scene);
}

/* min(As, 1 - Ad), where the source's alpha is negative, infinite or no number: as the driver's own draw over alpha 1.
 */
static void saturation_follows_negative_alpha(void **state)
{
    (void)state;
    static const VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
    static const VkBlendFactor others[] = {F(ZERO), F(ONE), F(DST_COLOR), F(ONE_MINUS_DST_ALPHA)};
    struct alpha_scene scene;
    alpha_open_with(&scene,
                    (struct harness_vulkan_params){
                        .gl_sampler = true, .alpha_to_one = true, .device_next = &features13, .features = &features});
    for (size_t i = 0; i < 2 * sizeof(others) / sizeof(others[0]); i++) {
        const VkBlendFactor other = others[i / 2], saturated = F(SRC_ALPHA_SATURATE);
        struct drawing drawing = {.bases = {GL_RGB_BASE, GL_RGB_BASE},
                                  .fragment = HARNESS_SPIRV(special_source),
                                  .state = i % 2 ? blended(other, saturated, VK_BLEND_OP_ADD)
                                                 : blended(saturated, other, VK_BLEND_OP_ADD)};
        half_pixels found[TARGETS], expected[TARGETS];
        multiplied = true; /* where drivers round */
        draw_natively(&scene, &drawing, expected);
        draw(&scene, &drawing, found);
        for (unsigned p = 0; p < ALPHA_PIXELS * 4; p++) { /* 1 - 1 and the factor ZERO may differ in its sign */
            uint16_t *both[2] = {&found[0][p / 4][p % 4], &expected[0][p / 4][p % 4]};
            for (unsigned j = 0; j < 2; j++)
                *both[j] = *both[j] == 0x8000 ? 0 : *both[j];
        }
        expect_pixels(found[0], expected[0], HALF_ONE);
    }
    alpha_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_that_replace_keep_every_colour),
        cmocka_unit_test(attachments_with_alpha_get_the_programs),
        cmocka_unit_test(what_reads_the_programs_alpha_is_masked),
        cmocka_unit_test(blends_that_take_nothing_keep_every_colour),
        cmocka_unit_test(saturation_follows_negative_alpha),
        cmocka_unit_test(dynamic_state_chooses_the_variant),
        cmocka_unit_test(equations_change_while_feedback_captures),
        cmocka_unit_test(shader_objects_write_alpha),
        cmocka_unit_test(draws_wait_for_no_variant),
    };
    return cmocka_run_group_tests(tests, see_rounding, NULL);
}
