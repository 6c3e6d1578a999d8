/* SPDX-License-Identifier: MIT */
/*
 * Blending with an attachment that has no alpha: a table that says what becomes of every factor, and every equation
 * evaluated on both sides: GL's, whose destination has alpha 1, and the rewritten one, whose destination has any.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "blend/blend.h"
#include "gl/gl_tokens.h"
#include "locale_of_user.h"

#define F(NAME) VK_BLEND_FACTOR_##NAME
#define RGBA (VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT)
#define RGB (VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT)

/* clang-format off */
static const struct {
    VkBlendFactor factor, color; /* what it becomes in the colour channels */
} factors[] = {
    {F(ZERO),                     F(ZERO)},
    {F(ONE),                      F(ONE)},
    {F(SRC_COLOR),                F(SRC_COLOR)},
    {F(ONE_MINUS_SRC_COLOR),      F(ONE_MINUS_SRC_COLOR)},
    {F(DST_COLOR),                F(DST_COLOR)},
    {F(ONE_MINUS_DST_COLOR),      F(ONE_MINUS_DST_COLOR)},
    {F(SRC_ALPHA),                F(SRC_ALPHA)},
    {F(ONE_MINUS_SRC_ALPHA),      F(ONE_MINUS_SRC_ALPHA)},
    {F(DST_ALPHA),                F(ONE)},
    {F(ONE_MINUS_DST_ALPHA),      F(ZERO)},
    {F(CONSTANT_COLOR),           F(CONSTANT_COLOR)},
    {F(ONE_MINUS_CONSTANT_COLOR), F(ONE_MINUS_CONSTANT_COLOR)},
    {F(CONSTANT_ALPHA),           F(CONSTANT_ALPHA)},
    {F(ONE_MINUS_CONSTANT_ALPHA), F(ONE_MINUS_CONSTANT_ALPHA)},
    {F(SRC_ALPHA_SATURATE),       F(ZERO)},
    {F(SRC1_COLOR),               F(SRC1_COLOR)},
    {F(ONE_MINUS_SRC1_COLOR),     F(ONE_MINUS_SRC1_COLOR)},
    {F(SRC1_ALPHA),               F(SRC1_ALPHA)},
    {F(ONE_MINUS_SRC1_ALPHA),     F(ONE_MINUS_SRC1_ALPHA)},
};
/* clang-format on */
#define FACTORS (sizeof(factors) / sizeof(factors[0]))

static void every_factor_becomes_what_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < FACTORS; i++)
        assert_int_equal(blend_color_factor(factors[i].factor, false), factors[i].color);
}

/* ---- Blending as the specification has it (section "Blending") ---- */

struct inputs {
    float source[4], second[4], constant[4], destination[4];
};

static float factor_value(VkBlendFactor factor, const struct inputs *in, unsigned channel)
{
    switch (factor) {
    case F(ZERO):
        return 0;
    case F(ONE):
        return 1;
    case F(SRC_COLOR):
        return in->source[channel];
    case F(ONE_MINUS_SRC_COLOR):
        return 1 - in->source[channel];
    case F(DST_COLOR):
        return in->destination[channel];
    case F(ONE_MINUS_DST_COLOR):
        return 1 - in->destination[channel];
    case F(SRC_ALPHA):
        return in->source[3];
    case F(ONE_MINUS_SRC_ALPHA):
        return 1 - in->source[3];
    case F(DST_ALPHA):
        return in->destination[3];
    case F(ONE_MINUS_DST_ALPHA):
        return 1 - in->destination[3];
    case F(CONSTANT_COLOR):
        return in->constant[channel];
    case F(ONE_MINUS_CONSTANT_COLOR):
        return 1 - in->constant[channel];
    case F(CONSTANT_ALPHA):
        return in->constant[3];
    case F(ONE_MINUS_CONSTANT_ALPHA):
        return 1 - in->constant[3];
    case F(SRC_ALPHA_SATURATE):
        return channel == 3 ? 1 : fminf(in->source[3], 1 - in->destination[3]);
    case F(SRC1_COLOR):
        return in->second[channel];
    case F(ONE_MINUS_SRC1_COLOR):
        return 1 - in->second[channel];
    case F(SRC1_ALPHA):
        return in->second[3];
    default:
        return 1 - in->second[3];
    }
}

static float blended(const VkColorBlendEquationEXT *equation, const struct inputs *in, unsigned channel)
{
    const bool alpha = channel == 3;
    const float s = in->source[channel], d = in->destination[channel];
    const float sf = factor_value(alpha ? equation->srcAlphaBlendFactor : equation->srcColorBlendFactor, in, channel);
    const float df = factor_value(alpha ? equation->dstAlphaBlendFactor : equation->dstColorBlendFactor, in, channel);
    switch (alpha ? equation->alphaBlendOp : equation->colorBlendOp) {
    case VK_BLEND_OP_ADD:
        return s * sf + d * df;
    case VK_BLEND_OP_SUBTRACT:
        return s * sf - d * df;
    case VK_BLEND_OP_REVERSE_SUBTRACT:
        return d * df - s * sf;
    case VK_BLEND_OP_MIN:
        return fminf(s, d);
    default:
        return fmaxf(s, d);
    }
}

static const VkBlendOp ops[] = {VK_BLEND_OP_ADD, VK_BLEND_OP_SUBTRACT, VK_BLEND_OP_REVERSE_SUBTRACT, VK_BLEND_OP_MIN,
                                VK_BLEND_OP_MAX};

/* What a channel holds after a draw. */
static float drawn(const VkPipelineColorBlendAttachmentState *state, const struct inputs *in, unsigned channel)
{
    const VkColorBlendEquationEXT equation = blend_equation_of(state);
    if (!(state->colorWriteMask >> channel & 1))
        return in->destination[channel];
    return state->blendEnable ? blended(&equation, in, channel) : in->source[channel];
}

/*
 * Colours do not depend on what memory holds for alpha, which stays what it is: for every pair of factors under every
 * operation, every write mask, with blending and without, kept and masked.
 */
static void colors_are_as_if_alpha_were_one_and_alpha_stays(void **state)
{
    (void)state;
    static const struct inputs in = {.source = {0.1f, 0.7f, 0.4f, 0.3f},
                                     .second = {0.9f, 0.2f, 0.55f, 0.8f},
                                     .constant = {0.35f, 0.6f, 0.15f, 0.45f},
                                     .destination = {0.25f, 0.5f, 0.85f, 1.0f}};
    static const float garbage[] = {0.0f, 0.4f, 1.0f};
    enum { OPS = sizeof(ops) / sizeof(ops[0]), KINDS = 2 * 2 * 3 };
    for (size_t i = 0; i < FACTORS * FACTORS * OPS * (RGBA + 1) * KINDS; i++) {
        const VkBlendFactor s = factors[i % FACTORS].factor, d = factors[i / FACTORS % FACTORS].factor;
        const size_t rest = i / FACTORS / FACTORS, kind = rest / OPS / (RGBA + 1);
        const VkBlendOp op = ops[rest % OPS];
        const bool keep = kind & 1;
        const VkPipelineColorBlendAttachmentState program = {
            .blendEnable = kind >> 1 & 1,
            .srcColorBlendFactor = s,
            .dstColorBlendFactor = d,
            .colorBlendOp = op,
            .srcAlphaBlendFactor = d,
            .dstAlphaBlendFactor = s,
            .alphaBlendOp = op,
            .colorWriteMask = (VkColorComponentFlags)(rest / OPS % (RGBA + 1)),
        };
        const VkPipelineColorBlendAttachmentState for_driver =
            blend_state(&program, keep ? BLEND_KEPT : BLEND_MASKED, false, false);
        struct inputs memory = in;
        memory.destination[3] = garbage[kind / 4];
        for (unsigned c = 0; c < 3; c++)
            assert_float_equal(drawn(&for_driver, &memory, c), drawn(&program, &in, c), 0);
        assert_float_equal(drawn(&for_driver, &memory, 3), memory.destination[3], 0);
        assert_int_equal(for_driver.colorWriteMask,
                         keep && (program.colorWriteMask & RGB) == RGB ? (unsigned)RGBA : program.colorWriteMask & RGB);
    }
}

/* ---- What changes ---- */

static VkPipelineColorBlendAttachmentState state_with(VkBlendFactor source, VkBlendFactor destination, VkBlendOp op)
{
    return (VkPipelineColorBlendAttachmentState){VK_TRUE, source, destination, op, F(ONE), F(ONE), op, RGBA};
}

static void masking_changes_equations_that_read_alpha_and_no_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < FACTORS; i++) {
        const bool reads = factors[i].color != factors[i].factor;
        VkPipelineColorBlendAttachmentState as_source = state_with(factors[i].factor, F(ONE), VK_BLEND_OP_ADD);
        VkPipelineColorBlendAttachmentState as_destination = state_with(F(ONE), factors[i].factor, VK_BLEND_OP_ADD);
        assert_int_equal(blend_changes(&as_source, 0, false, false, false),
                         BLEND_WRITE_MASK | (reads ? BLEND_EQUATION : 0));
        assert_int_equal(blend_changes(&as_destination, 0, false, false, false),
                         BLEND_WRITE_MASK | (reads ? BLEND_EQUATION : 0));
        as_source.colorWriteMask = RGB;
        assert_int_equal(blend_changes(&as_source, 0, false, false, false), reads ? BLEND_EQUATION : 0);
    }
    const VkPipelineColorBlendAttachmentState min = state_with(F(DST_ALPHA), F(DST_ALPHA), VK_BLEND_OP_MIN);
    assert_int_equal(blend_changes(&min, 0, false, false, false), BLEND_WRITE_MASK); /* it has no factors */
}

static void keeping_changes_what_it_needs_and_no_more(void **state)
{
    (void)state;
    VkPipelineColorBlendAttachmentState from = state_with(F(SRC_ALPHA), F(ONE), VK_BLEND_OP_ADD);
    assert_int_equal(blend_changes(&from, 0, true, false, false), BLEND_EQUATION);
    from.colorWriteMask = RGB;
    assert_int_equal(blend_changes(&from, 0, true, false, false), BLEND_EQUATION | BLEND_WRITE_MASK);
    from.blendEnable = VK_FALSE;
    assert_int_equal(blend_changes(&from, 0, true, false, false), BLEND_EQUATION | BLEND_WRITE_MASK | BLEND_ENABLE);
    from.colorWriteMask = VK_COLOR_COMPONENT_R_BIT; /* nothing to do */
    assert_int_equal(blend_changes(&from, 0, true, false, false), 0);
    const VkPipelineColorBlendAttachmentState done = blend_state(&from, BLEND_KEPT, false, false);
    assert_memory_equal(&done, &from, sizeof(done));
    from = state_with(F(ONE), F(ZERO), VK_BLEND_OP_ADD);
    const VkPipelineColorBlendAttachmentState kept = blend_state(&from, BLEND_KEPT, false, false);
    assert_int_equal(blend_changes(&kept, 0, true, false, false), 0);
}

/* What is dynamic may take any value: what is static must be ready for it, and what is dynamic is not static. */
static void what_is_static_changes_for_every_value_of_what_is_dynamic(void **state)
{
    (void)state;
    VkPipelineColorBlendAttachmentState from = state_with(F(DST_ALPHA), F(SRC_ALPHA_SATURATE), VK_BLEND_OP_ADD);
    from.blendEnable = VK_FALSE;
    assert_int_equal(blend_changes(&from, 0, false, false, false), BLEND_WRITE_MASK);
    assert_int_equal(blend_changes(&from, BLEND_ENABLE, false, false, false), BLEND_WRITE_MASK | BLEND_EQUATION);
    from.colorWriteMask = 0;
    assert_int_equal(blend_changes(&from, BLEND_ENABLE, true, false, false), BLEND_EQUATION);
    assert_int_equal(blend_changes(&from, BLEND_WRITE_MASK, true, false, false), BLEND_EQUATION | BLEND_ENABLE);
    assert_int_equal(blend_changes(&from, BLEND_WRITE_MASK, false, false, false), 0);
    from.colorWriteMask = RGBA;
    assert_int_equal(blend_changes(&from, 0, true, true, false), BLEND_WRITE_MASK);
    assert_int_equal(blend_changes(&from, BLEND_LOGIC, true, true, false), BLEND_PARTS);
    assert_int_equal(blend_changes(&from, BLEND_PARTS, true, false, false), 0);
    assert_int_equal(blend_changes(&from, BLEND_PARTS | BLEND_LOGIC, true, false, false), 0);
}

/* They read alpha from memory, which is filled with 1; there is no factor to change, and one operation for all. */
static void advanced_operations_are_masked(void **state)
{
    (void)state;
    static const VkBlendOp advanced[] = {VK_BLEND_OP_ZERO_EXT, VK_BLEND_OP_SRC_OVER_EXT, VK_BLEND_OP_MULTIPLY_EXT,
                                         VK_BLEND_OP_HSL_LUMINOSITY_EXT, VK_BLEND_OP_BLUE_EXT};
    for (size_t i = 0; i < sizeof(advanced) / sizeof(advanced[0]); i++) {
        for (unsigned keep = 0; keep < 2; keep++) {
            const VkPipelineColorBlendAttachmentState from = state_with(F(DST_ALPHA), F(ONE), advanced[i]);
            VkPipelineColorBlendAttachmentState expected = from;
            expected.colorWriteMask = RGB;
            const VkPipelineColorBlendAttachmentState found =
                blend_state(&from, keep ? BLEND_KEPT : BLEND_MASKED, false, false);
            assert_memory_equal(&found, &expected, sizeof(found));
            assert_true(blend_is_advanced(advanced[i]));
            assert_int_equal(blend_changes(&from, 0, keep, false, false), BLEND_WRITE_MASK);
        }
    }
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
        assert_false(blend_is_advanced(ops[i]));
}

/* Logic operations take the place of blending, and act on alpha as well. */
static void logic_operations_are_masked(void **state)
{
    (void)state;
    for (unsigned keep = 0; keep < 2; keep++) {
        VkPipelineColorBlendAttachmentState from = state_with(F(ONE), F(ONE), VK_BLEND_OP_ADD);
        for (from.blendEnable = 0; from.blendEnable < 2; from.blendEnable++) {
            VkPipelineColorBlendAttachmentState expected = from;
            expected.colorWriteMask = RGB;
            const VkPipelineColorBlendAttachmentState found =
                blend_state(&from, keep ? BLEND_KEPT : BLEND_MASKED, true, false);
            assert_memory_equal(&found, &expected, sizeof(found));
        }
    }
}

/* Where the shader's alpha is 1, whole texels are written as they are; but not where something is blended with what is
 * there. */
static void shaders_write_alpha_where_nothing_is_blended(void **state)
{
    (void)state;
    for (unsigned at = 0; at < 4 * (RGBA + 1); at++) {
        VkPipelineColorBlendAttachmentState from = state_with(F(SRC_ALPHA), F(ONE), VK_BLEND_OP_ADD);
        const bool logic = at & 2;
        from.blendEnable = at & 1;
        from.colorWriteMask = at >> 2;
        VkPipelineColorBlendAttachmentState expected = from;
        const bool whole = (from.colorWriteMask & RGB) == RGB && !from.blendEnable && !logic;
        expected.colorWriteMask = whole ? (unsigned)RGBA : from.colorWriteMask & RGB;
        const VkPipelineColorBlendAttachmentState found = blend_state(&from, BLEND_WRITTEN, logic, false);
        assert_memory_equal(&found, &expected, sizeof(found));
    }
}

/* Blending that takes nothing of what is there: by the shader's own alpha, it is the shader that multiplies. */
static void what_takes_nothing_is_multiplied_by_the_shader(void **state)
{
    (void)state;
    static const struct {
        VkBlendFactor source, destination;
        VkBlendOp op;
        enum blend_source expected;
        VkBlendFactor factor; /* of the source's colours below, where the shader writes alpha */
    } rows[] = {
        {F(ONE), F(ZERO), VK_BLEND_OP_ADD, BLEND_SOURCE_LEFT, F(ONE)},
        {F(ZERO), F(ZERO), VK_BLEND_OP_REVERSE_SUBTRACT, BLEND_SOURCE_LEFT, F(ZERO)},
        {F(SRC_COLOR), F(ONE_MINUS_DST_ALPHA), VK_BLEND_OP_SUBTRACT, BLEND_SOURCE_LEFT, F(SRC_COLOR)},
        {F(CONSTANT_ALPHA), F(SRC_ALPHA_SATURATE), VK_BLEND_OP_ADD, BLEND_SOURCE_LEFT, F(CONSTANT_ALPHA)},
        {F(SRC1_ALPHA), F(ZERO), VK_BLEND_OP_ADD, BLEND_SOURCE_LEFT, F(SRC1_ALPHA)},
        {F(DST_ALPHA), F(ZERO), VK_BLEND_OP_ADD, BLEND_SOURCE_LEFT, F(ONE)},
        {F(SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD, BLEND_SOURCE_TIMES_ALPHA, F(ONE)},
        {F(SRC_ALPHA), F(ONE_MINUS_DST_ALPHA), VK_BLEND_OP_REVERSE_SUBTRACT, BLEND_SOURCE_TIMES_ALPHA, F(ONE)},
        {F(ONE_MINUS_SRC_ALPHA), F(ZERO), VK_BLEND_OP_ADD, BLEND_SOURCE_TIMES_REST, F(ONE)},
        {F(DST_COLOR), F(ZERO), VK_BLEND_OP_ADD, BLEND_SOURCE_NONE, 0},
        {F(ONE_MINUS_DST_COLOR), F(ZERO), VK_BLEND_OP_ADD, BLEND_SOURCE_NONE, 0},
        {F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), VK_BLEND_OP_ADD, BLEND_SOURCE_NONE, 0},
        {F(ONE), F(DST_ALPHA), VK_BLEND_OP_ADD, BLEND_SOURCE_NONE, 0},
        {F(ONE), F(ZERO), VK_BLEND_OP_MAX, BLEND_SOURCE_NONE, 0},
        {F(ONE), F(ZERO), VK_BLEND_OP_SRC_OVER_EXT, BLEND_SOURCE_NONE, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        VkPipelineColorBlendAttachmentState from = state_with(rows[i].source, rows[i].destination, rows[i].op);
        assert_int_equal(blend_source(&from, false), rows[i].expected);
        const VkPipelineColorBlendAttachmentState found = blend_state(&from, BLEND_WRITTEN, false, false);
        if (rows[i].expected == BLEND_SOURCE_NONE) {
            const VkPipelineColorBlendAttachmentState masked = blend_state(&from, BLEND_MASKED, false, false);
            assert_memory_equal(&found, &masked, sizeof(found));
            continue;
        }
        const VkPipelineColorBlendAttachmentState expected = {VK_TRUE, rows[i].factor, F(ZERO),         rows[i].op,
                                                              F(ONE),  F(ZERO),        VK_BLEND_OP_ADD, RGBA};
        assert_memory_equal(&found, &expected, sizeof(found));
        from.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_A_BIT;
        assert_int_equal(blend_source(&from, false), BLEND_SOURCE_NONE);
        from.blendEnable = VK_FALSE;
        assert_int_equal(blend_source(&from, false), BLEND_SOURCE_LEFT);
    }
}

static void equations_are_read_and_set(void **state)
{
    (void)state;
    const VkColorBlendEquationEXT equation = {F(SRC1_COLOR), F(ONE),       VK_BLEND_OP_MAX,
                                              F(DST_COLOR),  F(DST_ALPHA), VK_BLEND_OP_SUBTRACT};
    VkPipelineColorBlendAttachmentState one = {.blendEnable = VK_TRUE, .colorWriteMask = RGB};
    blend_set_equation(&one, &equation);
    const VkColorBlendEquationEXT found = blend_equation_of(&one);
    assert_memory_equal(&found, &equation, sizeof(found));
    assert_int_equal(one.colorWriteMask, RGB);
    assert_int_equal(one.blendEnable, VK_TRUE);
}

/* ---- Independent blending ---- */

static void without_independent_blending_attachments_must_agree(void **state)
{
    (void)state;
    static const struct {
        uint32_t without_alpha, used;
        bool independent;
        uint32_t mask;
        bool disagree;
    } rows[] = {
        {0, 7, true, 0, false},  {5, 7, true, 5, false},  {7, 7, true, 7, false},  {0, 7, false, 0, false},
        {5, 7, false, 0, true},  {7, 7, false, 7, false}, {5, 5, false, 5, false}, /* attachment 1 is not used: it does
                                                                                      not count */
        {7, 5, false, 5, false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool disagree;
        assert_int_equal(blend_mask(rows[i].without_alpha, rows[i].used, rows[i].independent, &disagree), rows[i].mask);
        assert_int_equal(disagree, rows[i].disagree);
    }
}

/* ---- Formats and clears ---- */

static void formats_are_found_by_number_and_by_name(void **state)
{
    (void)state;
    assert_string_equal(blend_format(VK_FORMAT_B8G8R8A8_SRGB)->name, "VK_FORMAT_B8G8R8A8_SRGB");
    assert_ptr_equal(blend_format_named("VK_FORMAT_R8G8B8A8_UNORM", 24), blend_format(VK_FORMAT_R8G8B8A8_UNORM));
    assert_ptr_equal(blend_format_named("r8g8b8a8_unorm, more", 14), blend_format(VK_FORMAT_R8G8B8A8_UNORM));
    assert_ptr_equal(blend_format_named("vk_format_r8g8b8a8_unorm", 24), blend_format(VK_FORMAT_R8G8B8A8_UNORM));
    assert_ptr_equal(blend_format_named("r16g16b16a16_sint", 17), blend_format(VK_FORMAT_R16G16B16A16_SINT));
    assert_null(blend_format_named("R8G8B8A8", 8));
    assert_null(blend_format_named("", 0));
    static const VkFormat without[] = {
        VK_FORMAT_UNDEFINED,           VK_FORMAT_R8G8B8_UNORM, VK_FORMAT_R8_UNORM, VK_FORMAT_B10G11R11_UFLOAT_PACK32,
        VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_D32_SFLOAT};
    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
        assert_null(blend_format(without[i]));
    for (uint32_t i = 0; i < BLEND_FORMATS; i++)
        assert_int_equal(blend_format_index(blend_format_at(i)), i);
}

static void alpha_is_kept_where_blending_is_exact(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        enum blend_keeps keeps;
    } rows[] = {
        {VK_FORMAT_R8G8B8A8_UNORM, BLEND_KEEPS_BITS},
        {VK_FORMAT_A8B8G8R8_SRGB_PACK32, BLEND_KEEPS_BITS},
        {VK_FORMAT_R16G16B16A16_UNORM, BLEND_KEEPS_BITS},
        {VK_FORMAT_R16G16B16A16_SNORM, BLEND_KEEPS_VALUES},
        {VK_FORMAT_B8G8R8A8_SNORM, BLEND_KEEPS_VALUES},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, BLEND_KEEPS_NOTHING},
        {VK_FORMAT_A1R5G5B5_UNORM_PACK16, BLEND_KEEPS_NOTHING},
        {(VkFormat)1000470000 /* A1B5G5R5_UNORM_PACK16 */, BLEND_KEEPS_NOTHING},
        {VK_FORMAT_R16G16B16A16_SFLOAT, BLEND_SHADER_WRITES},
        {VK_FORMAT_R8G8B8A8_UINT, BLEND_SHADER_WRITES},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct blend_format *format = blend_format(rows[i].format);
        assert_int_equal(format->keeps, rows[i].keeps);
        for (unsigned keep = 0; keep < 2; keep++) {
            const struct inputs in = {.source = {0.5f, 0.5f, 0.5f, 1.0f}, .destination = {0.1f, 0.2f, 0.3f, 0.4f}};
            const VkPipelineColorBlendAttachmentState fill = blend_fill_state(format, keep);
            assert_int_equal(fill.colorWriteMask, keep && rows[i].keeps == BLEND_KEEPS_BITS
                                                      ? (unsigned)RGBA
                                                      : (unsigned)VK_COLOR_COMPONENT_A_BIT);
            for (unsigned c = 0; c < 4; c++)
                assert_float_equal(drawn(&fill, &in, c), c == 3 ? 1.0f : in.destination[c], 0);
        }
    }
}

/* min(As, 1 - Ad): a source's alpha below 0 is taken by the driver from what is there, which is 1. */
static void saturation_of_negative_alpha_stays(void **state)
{
    (void)state;
    static const VkFormat negative[] = {VK_FORMAT_R8G8B8A8_SNORM,      VK_FORMAT_A2B10G10R10_SNORM_PACK32,
                                        VK_FORMAT_R16G16B16A16_SNORM,  VK_FORMAT_R16G16B16A16_SFLOAT,
                                        VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_B8G8R8A8_SNORM};
    static const VkFormat positive[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_SINT,
                                        VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R32G32B32A32_SINT};
    for (size_t i = 0; i < sizeof(negative) / sizeof(negative[0]); i++)
        assert_true(blend_is_signed(blend_format(negative[i])));
    for (size_t i = 0; i < sizeof(positive) / sizeof(positive[0]); i++)
        assert_false(blend_is_signed(blend_format(positive[i])));
    VkPipelineColorBlendAttachmentState from = state_with(F(SRC_ALPHA_SATURATE), F(ONE), VK_BLEND_OP_ADD);
    assert_int_equal(blend_state(&from, BLEND_MASKED, false, false).srcColorBlendFactor, F(ZERO));
    assert_int_equal(blend_state(&from, BLEND_MASKED, false, true).srcColorBlendFactor, F(SRC_ALPHA_SATURATE));
    assert_int_equal(blend_changes(&from, 0, false, false, true) & BLEND_EQUATION, 0);
    from.dstColorBlendFactor = F(ZERO);
    assert_int_equal(blend_source(&from, false), BLEND_SOURCE_LEFT); /* nothing of it is left */
    assert_int_equal(blend_source(&from, true), BLEND_SOURCE_NONE);  /* a shader's alpha of 1 would not do */
    const VkPipelineColorBlendAttachmentState written = blend_state(&from, BLEND_WRITTEN, false, true);
    assert_int_equal(written.colorWriteMask & VK_COLOR_COMPONENT_A_BIT, 0);
    from = state_with(F(ONE), F(SRC_ALPHA_SATURATE), VK_BLEND_OP_ADD);
    assert_int_equal(blend_state(&from, BLEND_KEPT, false, true).dstColorBlendFactor, F(SRC_ALPHA_SATURATE));
    for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) { /* the others are as they were */
        if (factors[i].factor != F(SRC_ALPHA_SATURATE))
            assert_int_equal(blend_color_factor(factors[i].factor, true), factors[i].color);
    }
}

static void base_formats_without_alpha(void **state)
{
    (void)state;
    static const uint32_t without[] = {TOKEN_RED, TOKEN_RG, TOKEN_RGB, TOKEN_LUMINANCE};
    static const uint32_t with[] = {
        0, TOKEN_ALPHA, TOKEN_RGBA, TOKEN_LUMINANCE_ALPHA, TOKEN_INTENSITY, TOKEN_DEPTH_COMPONENT};
    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
        assert_true(blend_base_without_alpha(without[i]));
    for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++)
        assert_false(blend_base_without_alpha(with[i]));
}

static void clears_write_one_in_the_numbers_of_the_format(void **state)
{
    (void)state;
    VkClearColorValue color = {.float32 = {0.5f, 0.25f, 0.125f, 0.0f}};
    blend_clear_alpha(blend_format(VK_FORMAT_R16G16B16A16_SFLOAT), &color);
    assert_float_equal(color.float32[3], 1.0f, 0);
    assert_float_equal(color.float32[0], 0.5f, 0);
    color = (VkClearColorValue){.uint32 = {7, 8, 9, 200}};
    blend_clear_alpha(blend_format(VK_FORMAT_R8G8B8A8_UINT), &color);
    assert_int_equal(color.uint32[3], 1);
    assert_int_equal(color.uint32[2], 9);
    color = (VkClearColorValue){.int32 = {-7, -8, -9, -100}};
    blend_clear_alpha(blend_format(VK_FORMAT_R32G32B32A32_SINT), &color);
    assert_int_equal(color.int32[3], 1);
    assert_int_equal(color.int32[0], -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_factor_becomes_what_the_table_says),
        cmocka_unit_test(colors_are_as_if_alpha_were_one_and_alpha_stays),
        cmocka_unit_test(masking_changes_equations_that_read_alpha_and_no_others),
        cmocka_unit_test(keeping_changes_what_it_needs_and_no_more),
        cmocka_unit_test(what_is_static_changes_for_every_value_of_what_is_dynamic),
        cmocka_unit_test(advanced_operations_are_masked),
        cmocka_unit_test(logic_operations_are_masked),
        cmocka_unit_test(shaders_write_alpha_where_nothing_is_blended),
        cmocka_unit_test(what_takes_nothing_is_multiplied_by_the_shader),
        cmocka_unit_test(equations_are_read_and_set),
        cmocka_unit_test(without_independent_blending_attachments_must_agree),
        cmocka_unit_test(formats_are_found_by_number_and_by_name),
        cmocka_unit_test(alpha_is_kept_where_blending_is_exact),
        cmocka_unit_test(saturation_of_negative_alpha_stays),
        cmocka_unit_test(base_formats_without_alpha),
        cmocka_unit_test(clears_write_one_in_the_numbers_of_the_format),
    };
    locale_of_user();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
