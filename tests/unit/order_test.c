/* SPDX-License-Identifier: MIT */
/*
 * Orders of an attachment's channels. Every equation is evaluated on both sides: OpenGL's on the channels of the base
 * format (OpenGL 4.6 compatibility, section 17.3.6), and Vulkan's on the channels of the format, with what the fragment
 * shader's variant makes of its outputs. The number of equations that can be expressed is asserted for each order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blend/order.h"
#include "gl/gl_tokens.h"

#define S(NAME) VK_COMPONENT_SWIZZLE_##NAME
#define MAPPING(RED, GREEN, BLUE, ALPHA)                                                                               \
    {                                                                                                                  \
        S(RED), S(GREEN), S(BLUE), S(ALPHA)                                                                            \
    }
#define WITHOUT MAPPING(IDENTITY, IDENTITY, IDENTITY, IDENTITY)
#define FACTOR(NAME) VK_BLEND_FACTOR_##NAME
enum { FACTORS = VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA + 1, RGBA = 0xf };
#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* ---- Making orders ---- */

enum { ZERO = ORDER_ZERO, ONE = ORDER_ONE, NONE = ORDER_NONE };

/* clang-format off */
static const struct {
    uint32_t base;
    VkComponentMapping channels;
    VkFormat format;
    struct channel_order order;
    bool natural;
} made[] = {
    {TOKEN_RGBA, WITHOUT, VK_FORMAT_R8G8B8A8_UNORM, {{0, 1, 2, 3}, {0, 1, 2, 3}}, true},
    {0, WITHOUT, VK_FORMAT_R5G6B5_UNORM_PACK16, {{0, 1, 2, ONE}, {0, 1, 2, NONE}}, true},
    {TOKEN_RGB, WITHOUT, VK_FORMAT_R8G8B8A8_UNORM, {{0, 1, 2, ONE}, {0, 1, 2, NONE}}, true},
    {TOKEN_RED, WITHOUT, VK_FORMAT_R8_UNORM, {{0, ZERO, ZERO, ONE}, {0, NONE, NONE, NONE}}, true},
    {TOKEN_RED, MAPPING(A, IDENTITY, IDENTITY, IDENTITY), VK_FORMAT_R8G8B8A8_UNORM,
     {{3, ZERO, ZERO, ONE}, {NONE, NONE, NONE, 0}}, false},
    {TOKEN_ALPHA, WITHOUT, VK_FORMAT_R8_UNORM, {{ZERO, ZERO, ZERO, 0}, {3, NONE, NONE, NONE}}, false},
    {TOKEN_ALPHA, WITHOUT, VK_FORMAT_R8G8B8A8_UNORM, {{ZERO, ZERO, ZERO, 3}, {NONE, NONE, NONE, 3}}, true},
    {TOKEN_LUMINANCE, WITHOUT, VK_FORMAT_R8_UNORM, {{0, ZERO, ZERO, ONE}, {0, NONE, NONE, NONE}}, true},
    {TOKEN_LUMINANCE, MAPPING(G, IDENTITY, IDENTITY, IDENTITY), VK_FORMAT_R8G8_UNORM,
     {{1, ZERO, ZERO, ONE}, {NONE, 0, NONE, NONE}}, false},
    {TOKEN_LUMINANCE_ALPHA, WITHOUT, VK_FORMAT_R8G8_UNORM, {{0, ZERO, ZERO, 1}, {0, 3, NONE, NONE}}, false},
    {TOKEN_LUMINANCE_ALPHA, MAPPING(G, IDENTITY, IDENTITY, R), VK_FORMAT_R8G8_UNORM,
     {{1, ZERO, ZERO, 0}, {3, 0, NONE, NONE}}, false},
    {TOKEN_LUMINANCE_ALPHA, WITHOUT, VK_FORMAT_R8G8B8A8_UNORM, {{0, ZERO, ZERO, 3}, {0, NONE, NONE, 3}}, true},
    {TOKEN_INTENSITY, WITHOUT, VK_FORMAT_R8_UNORM, {{0, ZERO, ZERO, ONE}, {0, NONE, NONE, NONE}}, true},
    {TOKEN_RGB, MAPPING(G, B, A, IDENTITY), VK_FORMAT_R8G8B8A8_UNORM, {{1, 2, 3, ONE}, {NONE, 0, 1, 2}}, false},
    {TOKEN_RGBA, MAPPING(B, G, R, A), VK_FORMAT_A1R5G5B5_UNORM_PACK16, {{2, 1, 0, 3}, {2, 1, 0, 3}}, false},
    {TOKEN_RGBA, MAPPING(IDENTITY, IDENTITY, IDENTITY, ZERO), VK_FORMAT_R8G8B8A8_UNORM,
     {{0, 1, 2, ZERO}, {0, 1, 2, NONE}}, false},
    {TOKEN_RGBA, MAPPING(IDENTITY, IDENTITY, IDENTITY, ONE), VK_FORMAT_R8G8B8A8_UNORM,
     {{0, 1, 2, ONE}, {0, 1, 2, NONE}}, true},
};

/* Their results as attachments, and for lookups alone. */
static const struct {
    uint32_t base;
    VkComponentMapping channels;
    VkFormat format;
    enum order_result attachment, read;
} refused[] = {
    {TOKEN_RGBA, MAPPING(R, R, B, A), VK_FORMAT_R8G8B8A8_UNORM, ORDER_UNSUPPORTED, ORDER_MADE},
    {TOKEN_RGBA, MAPPING(A, IDENTITY, IDENTITY, IDENTITY), VK_FORMAT_R8G8B8A8_UNORM, ORDER_UNSUPPORTED, ORDER_MADE},
    {TOKEN_RGBA, MAPPING(A, G, B, R), VK_FORMAT_R8G8B8A8_SRGB, ORDER_UNSUPPORTED, ORDER_UNSUPPORTED},
    {TOKEN_ALPHA, MAPPING(IDENTITY, IDENTITY, IDENTITY, A), VK_FORMAT_R8_UNORM, ORDER_UNSUPPORTED, ORDER_UNSUPPORTED},
    {TOKEN_DEPTH_COMPONENT, MAPPING(R, IDENTITY, IDENTITY, IDENTITY), VK_FORMAT_D16_UNORM, ORDER_INVALID, ORDER_INVALID},
    {TOKEN_RGB, MAPPING(R, G, B, A), VK_FORMAT_R8G8B8A8_UNORM, ORDER_INVALID, ORDER_INVALID},
    {TOKEN_LUMINANCE, MAPPING(R, R, R, IDENTITY), VK_FORMAT_R8G8B8A8_UNORM, ORDER_INVALID, ORDER_INVALID},
    {TOKEN_RGBA, {(VkComponentSwizzle)7, S(G), S(B), S(A)}, VK_FORMAT_R8G8B8A8_UNORM, ORDER_INVALID, ORDER_INVALID},
    {TOKEN_RGBA, {(VkComponentSwizzle)-1, S(G), S(B), S(A)}, VK_FORMAT_R8G8B8A8_UNORM, ORDER_INVALID, ORDER_INVALID},
};
/* clang-format on */

static void orders_are_made_of_base_formats_and_channels(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(made); i++) {
        struct channel_order order, other;
        const char *why;
        assert_int_equal(order_make(made[i].base, &made[i].channels, made[i].format, true, &order, &why), ORDER_MADE);
        assert_null(why);
        assert_memory_equal(&order, &made[i].order, sizeof(order));
        assert_int_equal(order_is_natural(&order), made[i].natural);
        other = order_of_key(order_key(&order));
        assert_memory_equal(&order, &other, sizeof(order));
        for (size_t j = 0; j < i; j++)
            assert_int_equal(order_key(&made[j].order) == order_key(&order),
                             memcmp(&made[j].order, &order, sizeof(order)) == 0);
        if (memcmp(&made[i].channels, &(VkComponentMapping)WITHOUT, sizeof(made[i].channels)) != 0)
            continue;
        assert_int_equal(order_make(made[i].base, NULL, made[i].format, true, &other, &why), ORDER_MADE);
        assert_memory_equal(&order, &other, sizeof(order));
    }
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct channel_order order, own;
        const char *why;
        order_make(0, NULL, refused[i].format, true, &own, &why);
        assert_int_equal(order_make(refused[i].base, &refused[i].channels, refused[i].format, true, &order, &why),
                         refused[i].attachment);
        assert_non_null(why);
        assert_memory_equal(&order, &own, sizeof(order));
        assert_int_equal(order_make(refused[i].base, &refused[i].channels, refused[i].format, false, &order, &why),
                         refused[i].read);
        assert_int_equal(why == NULL, refused[i].read == ORDER_MADE);
    }
}

static struct channel_order make(uint32_t base, VkComponentMapping channels, VkFormat format)
{
    struct channel_order order;
    const char *why;
    assert_int_equal(order_make(base, &channels, format, true, &order, &why), ORDER_MADE);
    return order;
}

static void masks_clears_and_reads_move(void **state)
{
    (void)state;
    const struct channel_order xrgb =
        make(TOKEN_RGB, (VkComponentMapping)MAPPING(G, B, A, IDENTITY), VK_FORMAT_R8G8B8A8_UNORM);
    const struct channel_order alpha = make(TOKEN_ALPHA, (VkComponentMapping)WITHOUT, VK_FORMAT_R8_UNORM);
    assert_int_equal(order_write_mask(&xrgb, 0x7), 0xf); /* the channel that keeps nothing as well */
    assert_int_equal(order_write_mask(&xrgb, 0xf), 0xf);
    assert_int_equal(order_write_mask(&xrgb, 0x5), 0xa);
    assert_int_equal(order_write_mask(&xrgb, 0x8), 0x0);
    assert_int_equal(order_write_mask(&alpha, 0x8), 0xf);
    assert_int_equal(order_write_mask(&alpha, 0x7), 0x0);
    VkClearColorValue color = {.float32 = {0.25f, 0.5f, 0.75f, 2.0f}};
    order_clear_value(&xrgb, &color);
    assert_memory_equal(color.float32, ((float[]){0.0f, 0.25f, 0.5f, 0.75f}), sizeof(color));
    color = (VkClearColorValue){.int32 = {-1, 2, 3, INT32_MIN}};
    order_clear_value(&alpha, &color);
    assert_memory_equal(color.int32, ((int32_t[]){INT32_MIN, 0, 0, 0}), sizeof(color));
    color = (VkClearColorValue){.uint32 = {1, 2, 3, UINT32_MAX}};
    order_clear_value(&xrgb, &color);
    assert_memory_equal(color.uint32, ((uint32_t[]){0, 1, 2, 3}), sizeof(color));
    assert_int_equal(order_input(&xrgb),
                     SPIRV_SELECT_G | SPIRV_SELECT_B << 3 | SPIRV_SELECT_A << 6 | SPIRV_SELECT_ONE << 9);
    assert_int_equal(order_input(&alpha),
                     SPIRV_SELECT_ZERO | SPIRV_SELECT_ZERO << 3 | SPIRV_SELECT_ZERO << 6 | SPIRV_SELECT_R << 9);
    const struct channel_order own = make(TOKEN_RGBA, (VkComponentMapping)WITHOUT, VK_FORMAT_R8G8B8A8_UNORM);
    assert_int_equal(order_input(&own), 0);
}

/* ---- Blending as the specifications have it ---- */

/* A fragment and what it is blended with. Second sources and constants are those of the factors. */
struct values {
    double source[4], second[4], constant[4], stored[4];
};

static double clamped(double value, enum order_number number)
{
    const double least = number == ORDER_UNORM ? 0.0 : -1.0;
    return number == ORDER_FLOAT ? value : value < least ? least : value > 1.0 ? 1.0 : value;
}

/* Sources and destinations are clamped, then factors; constants are no sources. */
static double rest(double value, enum order_number number)
{
    return clamped(1.0 - value, number);
}

/* The factor of a channel, alpha's if it is 3, where the destination is `destination`. */
static double factor_of(VkBlendFactor factor, uint32_t channel, const struct values *v, const double destination[4],
                        enum order_number number)
{
#define CASES(NAME, VALUES, NUMBER)                                                                                    \
    case FACTOR(NAME##_COLOR):                                                                                         \
        return clamped((VALUES)[channel], number);                                                                     \
    case FACTOR(ONE_MINUS_##NAME##_COLOR):                                                                             \
        return rest(clamped((VALUES)[channel], NUMBER), number);                                                       \
    case FACTOR(NAME##_ALPHA):                                                                                         \
        return clamped((VALUES)[3], number);                                                                           \
    case FACTOR(ONE_MINUS_##NAME##_ALPHA):                                                                             \
        return rest(clamped((VALUES)[3], NUMBER), number)
    switch (factor) {
    case FACTOR(ONE):
        return 1.0;
    case FACTOR(SRC_ALPHA_SATURATE):
        return channel == 3
                   ? 1.0
                   : clamped(fmin(clamped(v->source[3], number), 1.0 - clamped(destination[3], number)), number);
        CASES(SRC, v->source, number);
        CASES(DST, destination, number);
        CASES(CONSTANT, v->constant, ORDER_FLOAT);
        CASES(SRC1, v->second, number);
    default:
        return 0.0;
    }
#undef CASES
}

static double equation(VkBlendOp op, double source, double source_factor, double destination, double destination_factor)
{
    switch (op) {
    case VK_BLEND_OP_ADD:
        return source * source_factor + destination * destination_factor;
    case VK_BLEND_OP_SUBTRACT:
        return source * source_factor - destination * destination_factor;
    case VK_BLEND_OP_REVERSE_SUBTRACT:
        return destination * destination_factor - source * source_factor;
    case VK_BLEND_OP_MIN:
        return fmin(source, destination);
    default:
        return fmax(source, destination);
    }
}

static double blended(const VkPipelineColorBlendAttachmentState *state, uint32_t channel, const struct values *v,
                      const double destination[4], enum order_number number)
{
    if (!state->blendEnable)
        return clamped(v->source[channel], number);
    const bool alpha = channel == 3;
    const double source =
        factor_of(alpha ? state->srcAlphaBlendFactor : state->srcColorBlendFactor, channel, v, destination, number);
    const double factor =
        factor_of(alpha ? state->dstAlphaBlendFactor : state->dstColorBlendFactor, channel, v, destination, number);
    return clamped(equation(alpha ? state->alphaBlendOp : state->colorBlendOp, clamped(v->source[channel], number),
                            source, clamped(destination[channel], number), factor),
                   number);
}

/* What memory has after OpenGL's draw. */
static void draw_gl(const struct channel_order *order, const VkPipelineColorBlendAttachmentState *state, bool one,
                    const struct values *given, enum order_number number, double memory[4])
{
    struct values v = *given;
    double destination[4];
    if (one)
        v.source[3] = v.second[3] = 1.0;
    for (uint32_t i = 0; i < 4; i++)
        destination[i] = order->at[i] == ORDER_ZERO  ? 0.0
                         : order->at[i] == ORDER_ONE ? 1.0
                                                     : given->stored[order->at[i]];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t channel = order->from[i];
        memory[i] = given->stored[i];
        if (channel != ORDER_NONE && (state->colorWriteMask >> channel & 1))
            memory[i] = blended(state, channel, &v, destination, number);
    }
}

/* A number that the shader makes, of numbers that are clamped as blending would. */
static double made_term(enum spirv_term term, const struct values *v, enum order_number number, double none)
{
    if (term == SPIRV_TERM_NONE)
        return none;
    if (term <= SPIRV_TERM_ONE)
        return term == SPIRV_TERM_ONE ? 1.0 : 0.0;
    if (term == SPIRV_TERM_MIN_ZERO || term == SPIRV_TERM_MIN_ONE)
        return fmin(clamped(v->source[3], number), term == SPIRV_TERM_MIN_ONE ? 1.0 : 0.0);
    const uint32_t at = term - SPIRV_TERM_SOURCE;
    const double value = clamped(at < 8 ? v->source[at % 4] : v->second[at % 4], number);
    return at / 4 % 2 ? clamped(1.0 - value, number) : value;
}

static enum order_number number_of_clamp(enum spirv_clamp clamp)
{
    return clamp == SPIRV_CLAMP_UNORM ? ORDER_UNORM : clamp == SPIRV_CLAMP_SNORM ? ORDER_SNORM : ORDER_FLOAT;
}

static void run_shader(const struct spirv_moves *moves, const struct values *given, struct values *v)
{
    const enum order_number clamp = number_of_clamp(spirv_moves_clamp(moves));
    *v = *given;
    for (uint32_t i = 0; i < 4; i++) {
        const enum spirv_select select = spirv_moves_select(moves, i);
        const enum spirv_term factor = spirv_moves_factor(moves, i);
        double value = select == SPIRV_SELECT_LEFT   ? given->source[i]
                       : select == SPIRV_SELECT_ZERO ? 0.0
                       : select == SPIRV_SELECT_ONE  ? 1.0
                                                     : given->source[select - SPIRV_SELECT_R];
        if (factor != SPIRV_TERM_NONE)
            value = clamped(value, clamp) * made_term(factor, given, clamp, 1.0);
        v->source[i] = value;
        v->second[i] = made_term(spirv_moves_second(moves, i), given, clamp, given->second[i]);
    }
}

/* What memory has after the driver's draw. What the format lacks is 0, alpha 1. */
static void draw_vulkan(const struct order_solution *solution, VkFormat format, uint32_t channels,
                        const struct values *given, enum order_number number, double memory[4])
{
    struct values v;
    double destination[4];
    float constant[4], moved[4];
    (void)format;
    run_shader(&solution->moves, given, &v);
    for (uint32_t i = 0; i < 4; i++) {
        constant[i] = (float)given->constant[i];
        destination[i] = channels >> i & 1 ? given->stored[i] : i == 3 ? 1.0 : 0.0;
    }
    order_constants(solution, constant, moved);
    for (uint32_t i = 0; i < 4; i++)
        v.constant[i] = moved[i];
    for (uint32_t i = 0; i < 4; i++) {
        memory[i] = given->stored[i];
        if ((channels >> i & 1) && (solution->state.colorWriteMask >> i & 1))
            memory[i] = blended(&solution->state, i, &v, destination, number);
    }
}

/* ---- Classes of orders ---- */

static const struct values samples[] = {
    {{0.5, 0.25, 0.75, 0.375}, {0.625, 0.125, 0.875, 0.5}, {0.25, 0.5, 0.125, 0.75}, {0.8125, 0.1875, 0.4375, 0.625}},
    {{-0.5, 1.5, 0.25, -0.75}, {1.25, -0.25, 0.5, -0.5}, {1.5, -0.5, 0.25, 2.0}, {0.0625, 0.9375, 0.5625, 0.25}},
    {{2.0, -1.5, 1.0, 1.75}, {0.0, 1.0, -2.0, 1.5}, {0.0, 1.0, 0.75, -0.25}, {1.0, 0.0, 0.3125, 0.6875}},
    {{0.0, 1.0, -1.0, 1.0}, {-1.0, 0.75, 0.25, 0.0}, {1.0, 0.25, -1.0, 0.5}, {0.5, -0.6875, 1.0, -0.3125}},
};

struct class
{
    const char *name;
    uint32_t base;
    VkComponentMapping channels;
    VkFormat format;
    uint32_t bits;           /* of the format: its channels */
    bool second;             /* dualSrcBlend and one attachment */
    uint32_t expressible[3]; /* equations, by number: floats, UNORM, SNORM */
};

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(1.0, fmax(fabs(a), fabs(b)));
}

static bool same_result(const struct channel_order *order, const VkPipelineColorBlendAttachmentState *state,
                        const struct order_draw *draw, uint32_t bits, const struct order_solution *solution,
                        enum order_number number)
{
    for (size_t i = 0; i < COUNT(samples); i++) {
        double gl[4], vulkan[4];
        draw_gl(order, state, draw->one, &samples[i], number, gl);
        draw_vulkan(solution, draw->format, bits, &samples[i], number, vulkan);
        for (uint32_t j = 0; j < 4; j++) {
            if (order->from[j] != ORDER_NONE && !near(gl[j], vulkan[j])) {
                print_error("sample %u, channel %u: OpenGL %g, Vulkan %g; factors %d %d %d %d, operations %d %d\n",
                            (unsigned)i, (unsigned)j, gl[j], vulkan[j], (int)state->srcColorBlendFactor,
                            (int)state->dstColorBlendFactor, (int)state->srcAlphaBlendFactor,
                            (int)state->dstAlphaBlendFactor, (int)state->colorBlendOp, (int)state->alphaBlendOp);
                return false;
            }
        }
    }
    return true;
}

/* The driver's state needs no second source that it was not given. */
static bool uses_second(const VkPipelineColorBlendAttachmentState *state)
{
    return state->srcColorBlendFactor >= FACTOR(SRC1_COLOR) || state->dstColorBlendFactor >= FACTOR(SRC1_COLOR) ||
           state->srcAlphaBlendFactor >= FACTOR(SRC1_COLOR) || state->dstAlphaBlendFactor >= FACTOR(SRC1_COLOR);
}

static const VkBlendFactor few[] = {FACTOR(ZERO),      FACTOR(ONE),       FACTOR(ONE_MINUS_SRC_ALPHA),
                                    FACTOR(DST_COLOR), FACTOR(DST_ALPHA), FACTOR(CONSTANT_ALPHA),
                                    FACTOR(SRC1_COLOR)};

/* Those of which a class has counts: all factors where both operations are ADD, or where one equation is all there is.
 */
struct equations {
    bool colors, alpha;
    uint32_t at, all, few; /* the index, how many with all factors, and with a few */
};

static struct equations equations_of(const struct channel_order *order)
{
    struct equations e = {.colors = false};
    for (uint32_t i = 0; i < 4; i++) {
        e.alpha |= order->from[i] == 3;
        e.colors |= order->from[i] < 3;
    }
    const bool both = e.colors && e.alpha;
    e.all = both ? FACTORS * FACTORS * FACTORS * FACTORS : FACTORS * FACTORS * 5;
    e.few = both ? COUNT(few) * COUNT(few) * COUNT(few) * COUNT(few) * 25 : 0;
    return e;
}

static uint32_t digit(uint32_t *number, uint32_t base)
{
    const uint32_t result = *number % base;
    *number /= base;
    return result;
}

static bool next_equation(struct equations *e, VkPipelineColorBlendAttachmentState *state)
{
    if (e->at == e->all + e->few)
        return false;
    uint32_t at = e->at < e->all ? e->at : e->at - e->all;
    *state = (VkPipelineColorBlendAttachmentState){.blendEnable = VK_TRUE,
                                                   .srcColorBlendFactor = FACTOR(ONE),
                                                   .srcAlphaBlendFactor = FACTOR(ONE),
                                                   .colorWriteMask = RGBA};
    VkBlendFactor *factors[4] = {&state->srcColorBlendFactor, &state->dstColorBlendFactor, &state->srcAlphaBlendFactor,
                                 &state->dstAlphaBlendFactor};
    for (uint32_t i = 0; i < 4; i++) {
        if (!(i < 2 ? e->colors : e->alpha))
            continue;
        *factors[i] = e->at < e->all ? (VkBlendFactor)digit(&at, FACTORS) : few[digit(&at, COUNT(few))];
    }
    if (e->at >= e->all || !e->colors || !e->alpha) {
        if (e->colors)
            state->colorBlendOp = (VkBlendOp)digit(&at, 5);
        if (e->alpha)
            state->alphaBlendOp = (VkBlendOp)digit(&at, 5);
    }
    e->at++;
    return true;
}

#define XRGB MAPPING(G, B, A, IDENTITY)
#define XBGR MAPPING(A, B, G, IDENTITY)
#define BGRA MAPPING(B, G, R, A)
#define ARGB MAPPING(G, B, A, R)
#define ABGR MAPPING(A, B, G, R)
static const struct class classes[] = {
    {"ALPHA in R", TOKEN_ALPHA, WITHOUT, VK_FORMAT_R8_UNORM, 1, false, {1125, 1125, 1125}},
    {"LUMINANCE in R", TOKEN_LUMINANCE, WITHOUT, VK_FORMAT_R8_UNORM, 1, false, {1125, 1125, 1125}},
    {"LUMINANCE in G of RG",
     TOKEN_LUMINANCE,
     MAPPING(G, IDENTITY, IDENTITY, IDENTITY),
     VK_FORMAT_R8G8_UNORM,
     3,
     false,
     {1125, 1125, 1125}},
    {"INTENSITY in R", TOKEN_INTENSITY, WITHOUT, VK_FORMAT_R8_UNORM, 1, false, {1125, 1125, 1125}},
    {"INTENSITY in A of RGBA",
     TOKEN_INTENSITY,
     MAPPING(A, IDENTITY, IDENTITY, IDENTITY),
     VK_FORMAT_R8G8B8A8_UNORM,
     15,
     false,
     {960, 1017, 960}},
    {"LUMINANCE_ALPHA in RG", TOKEN_LUMINANCE_ALPHA, WITHOUT, VK_FORMAT_R8G8_UNORM, 3, false, {1554, 8456, 1665}},
    {"LUMINANCE_ALPHA in RG", TOKEN_LUMINANCE_ALPHA, WITHOUT, VK_FORMAT_R8G8_UNORM, 3, true, {7552, 39030, 7797}},
    {"RGB as XRGB", TOKEN_RGB, XRGB, VK_FORMAT_R8G8B8A8_UNORM, 15, false, {960, 1017, 960}},
    {"RGB as XRGB", TOKEN_RGB, XRGB, VK_FORMAT_R8G8B8A8_UNORM, 15, true, {1781, 1781, 1781}},
    {"RGB as XBGR", TOKEN_RGB, XBGR, VK_FORMAT_R8G8B8A8_UNORM, 15, false, {960, 1017, 960}},
    {"RGB as BGR", TOKEN_RGB, MAPPING(B, G, R, IDENTITY), VK_FORMAT_R8G8B8A8_UNORM, 15, false, {1074, 1125, 1074}},
    {"RGBA as BGRA", TOKEN_RGBA, BGRA, VK_FORMAT_R8G8B8A8_UNORM, 15, false, {16605, 83025, 16605}},
    {"RGBA, alpha 0",
     TOKEN_RGBA,
     MAPPING(IDENTITY, IDENTITY, IDENTITY, ZERO),
     VK_FORMAT_R8G8B8A8_UNORM,
     15,
     false,
     {1074, 1125, 1125}},
    {"RGBA, alpha 0 in RGB",
     TOKEN_RGBA,
     MAPPING(IDENTITY, IDENTITY, IDENTITY, ZERO),
     VK_FORMAT_R5G6B5_UNORM_PACK16,
     7,
     false,
     {1074, 1125, 1125}},
    {"RGBA as ARGB", TOKEN_RGBA, ARGB, VK_FORMAT_R8G8B8A8_UNORM, 15, false, {1401, 7695, 1509}},
    {"RGBA as ARGB", TOKEN_RGBA, ARGB, VK_FORMAT_R8G8B8A8_UNORM, 15, true, {7500, 38764, 7745}},
    {"RGBA as ABGR", TOKEN_RGBA, ABGR, VK_FORMAT_R8G8B8A8_UNORM, 15, true, {7500, 38764, 7745}},
};

/* The formats of the same channels whose numbers are floats, UNORM and SNORM. */
static VkFormat format_of(const struct class *class, enum order_number number)
{
    static const VkFormat formats[][3] = {
        {VK_FORMAT_R16_SFLOAT, VK_FORMAT_R8_UNORM, VK_FORMAT_R8_SNORM},
        {VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8_SNORM},
        {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_R8G8B8_SNORM},
        {VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SNORM},
    };
    return formats[class->bits == 1 ? 0 : class->bits == 3 ? 1 : class->bits == 7 ? 2 : 3][number];
}

struct reasons {
    const char *reason[16];
    uint32_t count[16];
};

static void count_reason(struct reasons *reasons, const char *why)
{
    uint32_t i = 0;
    while (reasons->reason[i] && reasons->reason[i] != why)
        i++;
    assert_true(i <= 15);
    reasons->reason[i] = why;
    reasons->count[i]++;
}

/* Of classes with two equations, every fifth for floats and SNORM. */
static uint32_t expressible(const struct class *class, const struct channel_order *order, enum order_number number,
                            struct reasons *reasons)
{
    const struct order_draw draw = {.format = format_of(class, number),
                                    .shader = true,
                                    .products = true,
                                    .second = class->second,
                                    .constants = true};
    struct equations e = equations_of(order);
    VkPipelineColorBlendAttachmentState gl;
    uint32_t count = 0;
    assert_int_equal(order_number(draw.format), number);
    while (next_equation(&e, &gl)) {
        struct order_solution solution;
        if (number != ORDER_UNORM && e.few && e.at % 5)
            continue;
        if (!class->second && uses_second(&gl)) /* the device does not have it */
            continue;
        const char *why = order_solve(order, &draw, &gl, &solution);
        if (why) {
            assert_false(solution.state.blendEnable);
            count_reason(reasons, why);
            continue;
        }
        assert_true(class->second || !uses_second(&solution.state));
        assert_true(class->second || !solution.moves.second);
        assert_true(same_result(order, &gl, &draw, class->bits, &solution, number));
        count++;
    }
    return count;
}

static void every_equation_that_is_expressed_is_opengls(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(classes); i++) {
        for (uint32_t j = 0; j < 3; j++) {
            const struct class *class = &classes[i];
            struct reasons reasons = {.count = {0}};
            const struct channel_order order = make(class->base, class->channels, class->format);
            const uint32_t count = expressible(class, &order, j, &reasons);
            uint32_t others = 0;
            for (uint32_t k = 0; k < 16; k++)
                others += reasons.count[k];
            print_message("%s%s, %s: %u of %u\n", class->name, class->second ? ", two sources" : "",
                          j == ORDER_FLOAT   ? "floats"
                          : j == ORDER_UNORM ? "UNORM"
                                             : "SNORM",
                          count, count + others);
            for (uint32_t k = 0; reasons.reason[k]; k++)
                print_message("  %u: %s\n", reasons.count[k], reasons.reason[k]);
            assert_int_equal(count, class->expressible[j]);
        }
    }
}

/* Classes and equations at random, with less than all means, and partial write masks. */
static void no_means_are_used_that_a_draw_does_not_have(void **state)
{
    (void)state;
    uint32_t random = 1, solved = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        random = random * 1664525u + 1013904223u;
        uint32_t at = random >> 4;
        const struct class *class = &classes[digit(&at, COUNT(classes))];
        const enum order_number number = (enum order_number)digit(&at, 3);
        const struct channel_order order = make(class->base, class->channels, class->format);
        struct equations e = equations_of(&order);
        VkPipelineColorBlendAttachmentState gl;
        struct order_solution solution;
        random = random * 1664525u + 1013904223u;
        e.at = random % (e.all + e.few);
        next_equation(&e, &gl);
        random = random * 1664525u + 1013904223u;
        const uint32_t bits = random >> 8;
        gl.colorWriteMask = bits & 1 ? RGBA : bits >> 1 & 15;
        gl.blendEnable = (bits >> 5 & 7) != 0;
        const struct order_draw draw = {.format = format_of(class, number),
                                        .shader = (bits >> 8 & 3) != 0,
                                        .products = bits & 1 << 10,
                                        .second = bits & 1 << 11,
                                        .constants = bits & 1 << 12,
                                        .logic = (bits >> 13 & 7) == 0,
                                        .coverage = (bits >> 16 & 3) == 0,
                                        .one = (bits >> 18 & 3) == 0};
        if (!draw.second && uses_second(&gl))
            continue;
        const char *why = order_solve(&order, &draw, &gl, &solution);
        const struct spirv_moves *moves = &solution.moves;
        assert_true(draw.shader || !spirv_moves_any(moves));
        assert_true(draw.products || (!moves->factors && spirv_moves_clamp(moves) == SPIRV_CLAMP_NONE));
        assert_true(draw.second || (!moves->second && !uses_second(&solution.state)));
        assert_true(draw.constants || order_constants_same(&solution));
        assert_true(!draw.coverage ||
                    (spirv_moves_select(moves, 3) == SPIRV_SELECT_LEFT && spirv_moves_factor(moves, 3) == 0));
        if (why)
            continue;
        if (draw.logic)
            gl.blendEnable = solution.state.blendEnable = VK_FALSE; /* operations are on the sources */
        assert_true(same_result(&order, &gl, &draw, class->bits, &solution, number));
        solved++;
    }
    assert_true(solved > 50000);
    print_message("%u solved\n", solved);
}

static void integers_and_operations_that_read_all_channels(void **state)
{
    (void)state;
    const struct channel_order alpha = make(TOKEN_ALPHA, (VkComponentMapping)WITHOUT, VK_FORMAT_R8_UINT);
    const struct channel_order bgra = make(TOKEN_RGBA, (VkComponentMapping)BGRA, VK_FORMAT_R8G8B8A8_UNORM);
    const struct channel_order own = make(TOKEN_RGBA, (VkComponentMapping)WITHOUT, VK_FORMAT_R8G8B8A8_UNORM);
    struct order_draw draw = {.format = VK_FORMAT_R8_UINT, .shader = true};
    VkPipelineColorBlendAttachmentState gl = {.colorWriteMask = RGBA};
    struct order_solution solution;
    assert_null(order_solve(&alpha, &draw, &gl, &solution));
    assert_int_equal(solution.moves.channels, SPIRV_SELECT_A);
    draw.shader = false;
    assert_non_null(order_solve(&alpha, &draw, &gl, &solution));
    draw = (struct order_draw){.format = VK_FORMAT_R8G8B8A8_UNORM, .shader = true};
    gl.blendEnable = VK_TRUE;
    gl.colorBlendOp = gl.alphaBlendOp = VK_BLEND_OP_MULTIPLY_EXT;
    assert_null(order_solve(&own, &draw, &gl, &solution));
    assert_memory_equal(&solution.state, &gl, sizeof(gl));
    assert_false(spirv_moves_any(&solution.moves));
    assert_non_null(order_solve(&bgra, &draw, &gl, &solution));
    assert_false(solution.state.blendEnable);
}

/* What blending reads: itself, and alpha in colours. */
static void equations_read_the_destination(void **state)
{
    (void)state;
    VkPipelineColorBlendAttachmentState gl = {.colorWriteMask = RGBA};
    assert_int_equal(order_reads(&gl), 0);
    gl.blendEnable = VK_TRUE;
    gl.srcColorBlendFactor = gl.srcAlphaBlendFactor = FACTOR(ONE);
    assert_int_equal(order_reads(&gl), 0);
    gl.dstColorBlendFactor = FACTOR(ONE_MINUS_SRC_ALPHA);
    assert_int_equal(order_reads(&gl), 7);
    gl.srcColorBlendFactor = FACTOR(DST_ALPHA);
    assert_int_equal(order_reads(&gl), 15);
    gl.colorWriteMask = 8;
    assert_int_equal(order_reads(&gl), 0);
    gl.srcAlphaBlendFactor = FACTOR(SRC_ALPHA_SATURATE);
    assert_int_equal(order_reads(&gl), 0);
    gl.srcAlphaBlendFactor = FACTOR(DST_COLOR);
    assert_int_equal(order_reads(&gl), 8);
    gl.alphaBlendOp = VK_BLEND_OP_MAX;
    gl.srcAlphaBlendFactor = FACTOR(ZERO);
    assert_int_equal(order_reads(&gl), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_made_of_base_formats_and_channels),
        cmocka_unit_test(masks_clears_and_reads_move),
        cmocka_unit_test(every_equation_that_is_expressed_is_opengls),
        cmocka_unit_test(no_means_are_used_that_a_draw_does_not_have),
        cmocka_unit_test(integers_and_operations_that_read_all_channels),
        cmocka_unit_test(equations_read_the_destination),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
