/* SPDX-License-Identifier: MIT */
#include "differential/order_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

const uint32_t order_clear_integers[4] = {70, 150, 50, 66};

static bool has_sign(enum order_kind kind)
{
    return order_info(kind)->number == ORDER_FLOAT || order_info(kind)->number == ORDER_SNORM;
}

const float *order_clear_color(enum order_kind kind)
{
    static const float plain[4] = {0.31f, 0.6f, 0.2f, 0.75f}, negative[4] = {0.31f, -0.6f, -0.2f, 0.75f};
    return has_sign(kind) ? negative : plain;
}

const float *order_constants(const struct order_draw *draw)
{
    static const float plain[4] = {0.35f, 0.6f, 0.15f, 0.45f}, negative[4] = {0.35f, -0.6f, 0.85f, -0.45f};
    return draw->negative ? negative : plain;
}

/* ---- Kinds ---- */

#define IN(r, g, b, a)                                                                                                 \
    {                                                                                                                  \
        SWIZZLE_##r, SWIZZLE_##g, SWIZZLE_##b, SWIZZLE_##a                                                             \
    }
#define SWIZZLE_R VK_COMPONENT_SWIZZLE_R
#define SWIZZLE_G VK_COMPONENT_SWIZZLE_G
#define SWIZZLE_B VK_COMPONENT_SWIZZLE_B
#define SWIZZLE_A VK_COMPONENT_SWIZZLE_A
#define SWIZZLE_ZERO VK_COMPONENT_SWIZZLE_ZERO
#define SWIZZLE_ONE VK_COMPONENT_SWIZZLE_ONE
#define SWIZZLE_I VK_COMPONENT_SWIZZLE_IDENTITY
#define AT(r, g, b, a)                                                                                                 \
    {                                                                                                                  \
        ORDER_##r, ORDER_##g, ORDER_##b, ORDER_##a                                                                     \
    }
#define R8 VK_FORMAT_R8_UNORM
#define RG8 VK_FORMAT_R8G8_UNORM
#define RGBA8 VK_FORMAT_R8G8B8A8_UNORM
#define IN_R8                                                                                                          \
    1, {0},                                                                                                            \
    {                                                                                                                  \
        8                                                                                                              \
    }
#define IN_RG8                                                                                                         \
    2, {0, 8},                                                                                                         \
    {                                                                                                                  \
        8, 8                                                                                                           \
    }
#define RGBA8S VK_FORMAT_R8G8B8A8_SNORM
#define RGBA16F VK_FORMAT_R16G16B16A16_SFLOAT
#define RGBA8_SRGB VK_FORMAT_R8G8B8A8_SRGB
#define IN_RGBA8                                                                                                       \
    4, {0, 8, 16, 24},                                                                                                 \
    {                                                                                                                  \
        8, 8, 8, 8                                                                                                     \
    }
#define IN_BGRA8                                                                                                       \
    4, {16, 8, 0, 24},                                                                                                 \
    {                                                                                                                  \
        8, 8, 8, 8                                                                                                     \
    }
#define IN_RGBA16                                                                                                      \
    8, {0, 16, 32, 48},                                                                                                \
    {                                                                                                                  \
        16, 16, 16, 16                                                                                                 \
    }

static const struct order_info kinds[ORDER_KINDS] = {
    [ORDER_A8] = {"A8 in R8", R8, GL_ALPHA, false, {0}, AT(ZERO, ZERO, ZERO, R), GL_ALPHA8, ORDER_UNORM, IN_R8},
    [ORDER_L8] = {"L8 in R8", R8, GL_LUMINANCE, false, {0}, AT(R, ZERO, ZERO, ONE), GL_LUMINANCE8, ORDER_UNORM, IN_R8},
    [ORDER_LA8] = {"LA8 in RG8",
                   RG8,
                   GL_LUMINANCE_ALPHA,
                   false,
                   {0},
                   AT(R, ZERO, ZERO, G),
                   GL_LUMINANCE8_ALPHA8,
                   ORDER_UNORM,
                   IN_RG8},
    /* OpenGL writes intensity from red, by red's equation, and reads destination alpha as 1. */
    [ORDER_I8] = {"I8 in R8", R8, GL_INTENSITY, false, {0}, AT(R, ZERO, ZERO, ONE), GL_INTENSITY8, ORDER_UNORM, IN_R8},
    [ORDER_A16F] = {"A16F in R16F",
                    VK_FORMAT_R16_SFLOAT,
                    GL_ALPHA,
                    false,
                    {0},
                    AT(ZERO, ZERO, ZERO, R),
                    GL_ALPHA16F_ARB,
                    ORDER_FLOAT,
                    2,
                    {0},
                    {16}},
    [ORDER_LA16F] = {"LA16F in RG16F",
                     VK_FORMAT_R16G16_SFLOAT,
                     GL_LUMINANCE_ALPHA,
                     false,
                     {0},
                     AT(R, ZERO, ZERO, G),
                     GL_LUMINANCE_ALPHA16F_ARB,
                     ORDER_FLOAT,
                     4,
                     {0, 16},
                     {16, 16}},
    [ORDER_A8UI] = {"A8UI in R8UI",
                    VK_FORMAT_R8_UINT,
                    GL_ALPHA,
                    false,
                    {0},
                    AT(ZERO, ZERO, ZERO, R),
                    GL_ALPHA8UI_EXT,
                    ORDER_UINT,
                    IN_R8},
    [ORDER_A8S] = {"A8 SNORM in R8",
                   VK_FORMAT_R8_SNORM,
                   GL_ALPHA,
                   false,
                   {0},
                   AT(ZERO, ZERO, ZERO, R),
                   GL_ALPHA8_SNORM,
                   ORDER_SNORM,
                   IN_R8},
    [ORDER_LA8S] = {"LA8 SNORM in RG8",
                    VK_FORMAT_R8G8_SNORM,
                    GL_LUMINANCE_ALPHA,
                    false,
                    {0},
                    AT(R, ZERO, ZERO, G),
                    GL_LUMINANCE8_ALPHA8_SNORM,
                    ORDER_SNORM,
                    IN_RG8},
    [ORDER_IDENTITY8] = {"RGBA8", RGBA8, GL_RGBA, true, IN(I, I, I, I), AT(R, G, B, A), GL_RGBA8, ORDER_UNORM,
                         IN_RGBA8},
    [ORDER_AL8] = {"LA8 in RG8, alpha in red", RG8, GL_LUMINANCE_ALPHA, true, IN(G, I, I, R), AT(G, ZERO, ZERO, R),
                   GL_LUMINANCE8_ALPHA8, ORDER_UNORM, IN_RG8},
    [ORDER_GR8] = {"RG8 the other way round", RG8, GL_RG, true, IN(G, R, I, I), AT(G, R, ZERO, ONE), GL_RG8,
                   ORDER_UNORM, IN_RG8},
    [ORDER_A8_IN_RGBA8] = {"A8 in RGBA8's red", RGBA8, GL_ALPHA, true, IN(I, I, I, R), AT(ZERO, ZERO, ZERO, R),
                           GL_ALPHA8, ORDER_UNORM, IN_RGBA8},
    [ORDER_L8_IN_ALPHA] = {"L8 in RGBA8's alpha", RGBA8, GL_LUMINANCE, true, IN(A, I, I, I), AT(A, ZERO, ZERO, ONE),
                           GL_LUMINANCE8, ORDER_UNORM, IN_RGBA8},
    [ORDER_XRGB8] = {"XRGB8 in RGBA8", RGBA8, GL_RGB, true, IN(G, B, A, I), AT(G, B, A, ONE), GL_RGB8, ORDER_UNORM,
                     IN_RGBA8},
    [ORDER_XBGR8] = {"XBGR8 in RGBA8", RGBA8, GL_RGB, true, IN(A, B, G, I), AT(A, B, G, ONE), GL_RGB8, ORDER_UNORM,
                     IN_RGBA8},
    [ORDER_BGRX8] = {"BGRX8 in RGBA8", RGBA8, GL_RGB, true, IN(B, G, R, I), AT(B, G, R, ONE), GL_RGB8, ORDER_UNORM,
                     IN_RGBA8},
    [ORDER_XRGB8_IN_BGRA8] = {"XRGB8 in BGRA8", VK_FORMAT_B8G8R8A8_UNORM, GL_RGB, true, IN(G, R, A, I),
                              AT(G, R, A, ONE), GL_RGB8, ORDER_UNORM, IN_BGRA8},
    [ORDER_ABGR8] = {"ABGR8 in RGBA8", RGBA8, GL_RGBA, true, IN(A, B, G, R), AT(A, B, G, R), GL_RGBA8, ORDER_UNORM,
                     IN_RGBA8},
    [ORDER_ARGB8] = {"ARGB8 in RGBA8", RGBA8, GL_RGBA, true, IN(G, B, A, R), AT(G, B, A, R), GL_RGBA8, ORDER_UNORM,
                     IN_RGBA8},
    [ORDER_A1B5G5R5] = {"A1B5G5R5 in A1R5G5B5",
                        VK_FORMAT_A1R5G5B5_UNORM_PACK16,
                        GL_RGBA,
                        true,
                        IN(B, G, R, I),
                        AT(B, G, R, A),
                        GL_RGB5_A1,
                        ORDER_UNORM,
                        2,
                        {10, 5, 0, 15},
                        {5, 5, 5, 1}},
    [ORDER_ABGR4] = {"ABGR4 in RGBA4",
                     VK_FORMAT_R4G4B4A4_UNORM_PACK16,
                     GL_RGBA,
                     true,
                     IN(A, B, G, R),
                     AT(A, B, G, R),
                     GL_RGBA4,
                     ORDER_UNORM,
                     2,
                     {12, 8, 4, 0},
                     {4, 4, 4, 4}},
    [ORDER_RGBA0] = {"RGBA8, alpha 0", RGBA8, GL_RGBA, true, IN(I, I, I, ZERO), AT(R, G, B, ZERO), GL_RGB8, ORDER_UNORM,
                     IN_RGBA8},
    [ORDER_BGRA0] = {"BGRA8 in RGBA8, alpha 0", RGBA8, GL_RGBA, true, IN(B, G, R, ZERO), AT(B, G, R, ZERO), GL_RGB8,
                     ORDER_UNORM, IN_RGBA8},
    [ORDER_BGRA1] = {"BGRA8 in RGBA8, alpha 1", RGBA8, GL_RGBA, true, IN(B, G, R, ONE), AT(B, G, R, ONE), GL_RGB8,
                     ORDER_UNORM, IN_RGBA8},
    [ORDER_BGRX_SRGB] = {"sRGB BGRX8 in RGBA8", RGBA8_SRGB, GL_RGB, true, IN(B, G, R, I), AT(B, G, R, ONE), GL_SRGB8,
                         ORDER_SRGB, IN_RGBA8},
    [ORDER_GRB0_SRGB] = {"sRGB GRB8 in RGBA8, alpha 0", RGBA8_SRGB, GL_RGBA, true, IN(G, R, B, ZERO), AT(G, R, B, ZERO),
                         GL_SRGB8, ORDER_SRGB, IN_RGBA8},
    [ORDER_BGRA_SRGB] = {"sRGB BGRA8 in RGBA8", RGBA8_SRGB, GL_RGBA, true, IN(B, G, R, A), AT(B, G, R, A),
                         GL_SRGB8_ALPHA8, ORDER_SRGB, IN_RGBA8},
    [ORDER_ABGR16F] = {"ABGR16F in RGBA16F", RGBA16F, GL_RGBA, true, IN(A, B, G, R), AT(A, B, G, R), GL_RGBA16F,
                       ORDER_FLOAT, IN_RGBA16},
    [ORDER_XBGR16F] = {"XBGR16F in RGBA16F", RGBA16F, GL_RGB, true, IN(A, B, G, I), AT(A, B, G, ONE), GL_RGB16F,
                       ORDER_FLOAT, IN_RGBA16},
    [ORDER_BGRA0_16F] = {"BGRA16F in RGBA16F, alpha 0", RGBA16F, GL_RGBA, true, IN(B, G, R, ZERO), AT(B, G, R, ZERO),
                         GL_RGB16F, ORDER_FLOAT, IN_RGBA16},
    [ORDER_ABGR8S] = {"ABGR8 SNORM in RGBA8", RGBA8S, GL_RGBA, true, IN(A, B, G, R), AT(A, B, G, R), GL_RGBA8_SNORM,
                      ORDER_SNORM, IN_RGBA8},
    [ORDER_BGRX8S] = {"BGRX8 SNORM in RGBA8", RGBA8S, GL_RGB, true, IN(B, G, R, I), AT(B, G, R, ONE), GL_RGB8_SNORM,
                      ORDER_SNORM, IN_RGBA8},
    [ORDER_BGRA0_8S] = {"BGRA8 SNORM in RGBA8, alpha 0", RGBA8S, GL_RGBA, true, IN(B, G, R, ZERO), AT(B, G, R, ZERO),
                        GL_RGB8_SNORM, ORDER_SNORM, IN_RGBA8},
    [ORDER_ABGR8UI] = {"ABGR8UI in RGBA8UI", VK_FORMAT_R8G8B8A8_UINT, GL_RGBA, true, IN(A, B, G, R), AT(A, B, G, R),
                       GL_RGBA8UI, ORDER_UINT, IN_RGBA8},
};

const struct order_info *order_info(enum order_kind kind)
{
    return &kinds[kind];
}

/* ---- Draws ---- */

enum { EVERYTHING = 0xf, OPS = 5, SHORT_STRIDE = 113 };
static const VkBlendOp ops[OPS] = {VK_BLEND_OP_ADD, VK_BLEND_OP_SUBTRACT, VK_BLEND_OP_REVERSE_SUBTRACT, VK_BLEND_OP_MIN,
                                   VK_BLEND_OP_MAX};

uint32_t order_shape_channels(enum order_shape shape)
{
    return shape == ORDER_THREE ? 3 : shape == ORDER_SCALAR ? 1 : 4;
}

static bool second(VkBlendFactor factor)
{
    return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

bool order_reads_second(const struct order_draw *draw)
{
    const VkPipelineColorBlendAttachmentState *blend = &draw->attachments[0].blend;
    return blend->blendEnable && (second(blend->srcColorBlendFactor) || second(blend->dstColorBlendFactor) ||
                                  second(blend->srcAlphaBlendFactor) || second(blend->dstAlphaBlendFactor));
}

bool order_must_move(const struct order_draw *draw)
{
    for (uint32_t i = 0; i < draw->count; i++) {
        const struct order_info *info = order_info(draw->attachments[i].kind);
        const VkPipelineColorBlendAttachmentState *blend = &draw->attachments[i].blend;
        for (uint32_t c = 0; c < 4; c++) {
            const VkBlendOp op = c == 3 ? blend->alphaBlendOp : blend->colorBlendOp;
            const VkBlendFactor source = c == 3 ? blend->srcAlphaBlendFactor : blend->srcColorBlendFactor;
            const bool source_counts = !blend->blendEnable || draw->logic || source != VK_BLEND_FACTOR_ZERO ||
                                       op == VK_BLEND_OP_MIN || op == VK_BLEND_OP_MAX;
            if (order_keeps(info, c) && (uint32_t)info->at[c] != c && (blend->colorWriteMask >> c & 1) && source_counts)
                return true;
        }
    }
    return false;
}

struct list {
    struct order_case *cases;
    size_t count, room;
    unsigned turn; /* the content that is next */
};

static void add_case(struct list *list, const struct order_draw *draw, enum order_contents contents)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 256;
        list->cases = realloc(list->cases, list->room * sizeof(*list->cases));
        if (!list->cases)
            abort();
    }
    list->cases[list->count++] = (struct order_case){*draw, contents};
}

/* A third of the draws of numbers goes beyond 0 and 1. */
static void add_turn(struct list *list, const struct order_draw *draw)
{
    struct order_draw turned = *draw;
    turned.negative = list->turn % 3 == 1 && draw->shape == ORDER_VECTOR && !draw->logic &&
                      !order_is_integer(draw->attachments[0].kind);
    add_case(list, &turned, (enum order_contents)(list->turn++ % ORDER_CONTENTS));
}

/* Over every content; in the short form, over the next one. */
static void add_all(struct list *list, const struct order_draw *draw, bool full)
{
    if (!full) {
        add_turn(list, draw);
        return;
    }
    for (enum order_contents contents = ORDER_UPLOADED; contents < ORDER_CONTENTS; contents++)
        add_case(list, draw, contents);
}

static VkPipelineColorBlendAttachmentState blending(uint32_t sc, uint32_t dc, VkBlendOp oc, uint32_t sa, uint32_t da,
                                                    VkBlendOp oa)
{
    return (VkPipelineColorBlendAttachmentState){
        VK_TRUE, (VkBlendFactor)sc, (VkBlendFactor)dc, oc, (VkBlendFactor)sa, (VkBlendFactor)da, oa, EVERYTHING};
}

/* Factors of alpha are those of colours the other way round, and the same. */
static void add_factors(struct list *list, struct order_draw *draw, bool full)
{
    size_t seen = 0;
    for (unsigned op = 0; op < 3; op++) {
        for (uint32_t s = 0; s < ORDER_FACTORS; s++) {
            for (uint32_t d = 0; d < ORDER_FACTORS; d++) {
                for (unsigned same = 0; same < 2; same++) {
                    if (!full && seen++ % SHORT_STRIDE)
                        continue;
                    draw->attachments[0].blend = blending(s, d, ops[op], same ? s : d, same ? d : s, ops[op]);
                    add_turn(list, draw);
                }
            }
        }
    }
}

/* Each equation of colours with each of alpha. */
static void add_equations(struct list *list, struct order_draw *draw, bool full)
{
    static const uint32_t factors[][2] = {{VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA},
                                          {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE},
                                          {VK_BLEND_FACTOR_DST_COLOR, VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA},
                                          {VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA}};
    for (unsigned c = 0; c < OPS; c++) {
        for (unsigned a = 0; a < OPS; a++) {
            for (unsigned f = 0; f < 4; f++) {
                if (!full && (c + 2 * a + 3 * f) % 9)
                    continue;
                draw->attachments[0].blend =
                    blending(factors[f][0], factors[f][1], ops[c], factors[f][0], factors[f][1], ops[a]);
                add_turn(list, draw);
            }
        }
    }
}

static void add_masks(struct list *list, struct order_draw *draw, bool full)
{
    for (VkColorComponentFlags mask = 0; mask <= EVERYTHING; mask++) {
        draw->attachments[0].blend = (VkPipelineColorBlendAttachmentState){.colorWriteMask = mask};
        if (full || mask % 3 == 0)
            add_all(list, draw, full);
        if (order_is_integer(draw->attachments[0].kind) || (!full && mask % 5))
            continue;
        draw->attachments[0].blend = blending(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
                                              VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD);
        draw->attachments[0].blend.colorWriteMask = mask;
        add_turn(list, draw);
    }
}

/* Logic operations are for numbers that are no floats, and not for sRGB (OpenGL 4.6, section 17.3.9). */
static bool has_logic(enum order_number number)
{
    return number != ORDER_FLOAT && number != ORDER_SRGB;
}

static void add_logic(struct list *list, struct order_draw *draw, bool full)
{
    const enum order_number number = order_info(draw->attachments[0].kind)->number;
    if (!has_logic(number))
        return;
    draw->logic = true;
    for (uint32_t op = 0; op < 16; op += full ? 1 : 3) {
        draw->attachments[0].blend =
            (VkPipelineColorBlendAttachmentState){.colorWriteMask = op % 4 == 1 ? 0x9 : EVERYTHING};
        draw->logic_op = (VkLogicOp)op;
        add_turn(list, draw);
    }
    draw->logic = false;
}

/* The channels that the outputs lack are read by nothing. */
static void add_shapes(struct list *list, struct order_draw *draw, bool full)
{
    const struct order_info *info = order_info(draw->attachments[0].kind);
    if (info->number == ORDER_UINT)
        return;
    for (draw->shape = ORDER_THREE; draw->shape <= ORDER_SPLIT; draw->shape++) {
        bool written = true;
        for (uint32_t c = order_shape_channels(draw->shape); c < 4; c++)
            written &= !order_keeps(info, c);
        if (!written)
            continue;
        draw->attachments[0].blend = (VkPipelineColorBlendAttachmentState){.colorWriteMask = EVERYTHING};
        add_all(list, draw, full);
        draw->attachments[0].blend =
            blending(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
                     VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR, VK_BLEND_OP_ADD);
        add_all(list, draw, full);
    }
    draw->shape = ORDER_VECTOR;
}

/* One logic operation for attachments of different kinds; floats and sRGB take the source as it is. */
static void add_many_logic(struct list *list, enum order_kind kind, bool full)
{
    static const VkColorComponentFlags masks[] = {EVERYTHING, 0x9, EVERYTHING, 0x6};
    const bool integer = order_is_integer(kind);
    if (!has_logic(order_info(kind)->number))
        return;
    for (uint32_t op = kind % 3; op < 16; op += full ? 1 : 7) {
        const uint32_t wanted = integer ? 2 : 2 + op % 2; /* there are two kinds of integers */
        struct order_draw draw = {.count = 1, .logic = true, .logic_op = (VkLogicOp)op};
        draw.attachments[0] = (struct order_attachment){kind, {.colorWriteMask = masks[op % 4]}};
        for (unsigned step = 0; step < ORDER_KINDS && draw.count < wanted; step++) {
            const enum order_kind other = (enum order_kind)((kind + op + step) % ORDER_KINDS);
            if (order_is_integer(other) != integer || other == kind)
                continue;
            draw.attachments[draw.count] = (struct order_attachment){other, {.colorWriteMask = masks[(op + 1) % 4]}};
            draw.count++;
        }
        add_turn(list, &draw);
    }
}

/* Two and three attachments of different kinds, each with blend state of its own. */
static void add_many(struct list *list, enum order_kind kind, bool full)
{
    const VkPipelineColorBlendAttachmentState states[] = {
        {.colorWriteMask = EVERYTHING},
        {.colorWriteMask = 0x5},
        {.colorWriteMask = 0xa},
        blending(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE,
                 VK_BLEND_OP_ADD),
        blending(VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
                 VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD),
        blending(VK_BLEND_FACTOR_DST_COLOR, VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA, VK_BLEND_OP_REVERSE_SUBTRACT,
                 VK_BLEND_FACTOR_DST_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA, VK_BLEND_OP_REVERSE_SUBTRACT),
        blending(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_MAX, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE,
                 VK_BLEND_OP_MIN),
        blending(VK_BLEND_FACTOR_CONSTANT_ALPHA, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_CONSTANT_ALPHA,
                 VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD),
    };
    enum { STATES = sizeof(states) / sizeof(states[0]) };
    unsigned state = kind;
    for (unsigned step = 1; step < ORDER_KINDS; step += full ? 1 : 11) {
        const enum order_kind others[] = {(enum order_kind)((kind + step) % ORDER_KINDS),
                                          (enum order_kind)((kind + 3 * step + 1) % ORDER_KINDS)};
        if (order_is_integer(kind) || order_is_integer(others[0]) || order_is_integer(others[1]) || others[1] == kind ||
            others[1] == others[0])
            continue;
        for (unsigned way = 0; way < (full ? STATES : 2); way++, state++) {
            const struct order_draw draw = {.count = 2 + (way & 1),
                                            .attachments = {{kind, states[state % STATES]},
                                                            {others[0], states[(state + 3) % STATES]},
                                                            {others[1], states[(state * 5 + 1) % STATES]}},
                                            .shape = way % 4 == 3 ? ORDER_ARRAY : ORDER_VECTOR};
            add_turn(list, &draw);
        }
    }
}

struct order_case *order_cases(enum order_kind kind, bool full, size_t *count)
{
    struct list list = {.turn = kind};
    struct order_draw draw = {.count = 1, .attachments = {{.kind = kind}}};
    if (!order_is_integer(kind)) {
        add_factors(&list, &draw, full);
        add_equations(&list, &draw, full);
    }
    add_masks(&list, &draw, full);
    add_logic(&list, &draw, full);
    add_shapes(&list, &draw, full);
    add_many(&list, kind, full);
    add_many_logic(&list, kind, full);
    *count = list.count;
    return list.cases;
}

/* ---- Memory ---- */

static uint16_t half_of(float value)
{
    int exponent;
    const float fraction = frexpf(value, &exponent); /* 0.5 … 1, or below 0 */
    if (value == 0.0f)
        return 0;
    return (uint16_t)((value < 0.0f ? 0x8000u : 0u) | (uint32_t)(exponent + 14) << 10 |
                      ((uint32_t)(fabsf(fraction) * 2048.0f) & 1023u));
}

static float float_of(uint32_t half)
{
    const uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
    const float sign = half & 0x8000u ? -1.0f : 1.0f;
    if (exponent == 31)
        return fraction ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexpf((float)(fraction | 1024u), (int)exponent - 25) : ldexpf((float)fraction, -24));
}

/* All bits of a channel. */
static uint32_t greatest(const struct order_info *info, uint32_t channel)
{
    return (1u << info->bits[info->at[channel]]) - 1;
}

/* The integer that stands for 1. */
static uint32_t steps(const struct order_info *info, uint32_t channel)
{
    return info->number == ORDER_SNORM ? greatest(info, channel) >> 1 : greatest(info, channel);
}

/* The least value of SNORM has two names, of which OpenGL writes one. */
static float snorm_of(uint32_t bits, uint32_t most)
{
    const int32_t value = bits > most ? (int32_t)bits - 2 * (int32_t)(most + 1) : (int32_t)bits;
    return fmaxf((float)value / (float)most, -1.0f);
}

void order_texels(enum order_kind kind, struct order_pixels *texels)
{
    const struct order_info *info = order_info(kind);
    uint32_t state = 7 + kind;
    for (uint32_t i = 0; i < ORDER_PIXELS; i++) {
        uint64_t word = 0;
        for (uint32_t c = 0; c < 4; c++) {
            state = state * 1664525u + 1013904223u;
            uint64_t bits = state >> 16;
            if (info->number == ORDER_FLOAT) /* beyond 0 and 1, too */
                bits = half_of((float)(state >> 22) / 512.0f - 0.5f);
            if (info->number == ORDER_SNORM && (bits & 0xff) == 0x80)
                bits = 0x81;
            word |= (bits & ((1u << info->bits[c]) - 1)) << info->first_bit[c];
        }
        memcpy((char *)texels + i * info->texel_size, &word, info->texel_size);
    }
}

void order_decode(enum order_kind kind, const struct order_pixels *pixels, uint32_t index, float rgba[4])
{
    const struct order_info *info = order_info(kind);
    uint64_t word = 0;
    memcpy(&word, (const char *)pixels + index * info->texel_size, info->texel_size);
    for (uint32_t c = 0; c < 4; c++) {
        rgba[c] = info->at[c] == ORDER_ONE ? 1.0f : 0.0f;
        if (!order_keeps(info, c))
            continue;
        const uint32_t bits = (uint32_t)(word >> info->first_bit[info->at[c]]) & greatest(info, c);
        rgba[c] = info->number == ORDER_FLOAT   ? float_of(bits)
                  : info->number == ORDER_UINT  ? (float)bits
                  : info->number == ORDER_SNORM ? snorm_of(bits, steps(info, c))
                                                : (float)bits / (float)greatest(info, c);
    }
}

/* OpenGL 4.6, compatibility profile, table 8.20 ("Correspondence of filtered texture components to base formats"). */
void order_looked(enum order_kind kind, const float rgba[4], float looked[4])
{
    const struct order_info *info = order_info(kind);
    memcpy(looked, rgba, 4 * sizeof(*looked));
    if (info->base == GL_LUMINANCE || info->base == GL_LUMINANCE_ALPHA || info->base == GL_INTENSITY)
        looked[1] = looked[2] = looked[0];
    if (info->base == GL_INTENSITY)
        looked[3] = looked[0];
    for (uint32_t c = 0; c < 3 && info->number == ORDER_SRGB; c++)
        looked[c] = looked[c] <= 0.04045f ? looked[c] / 12.92f : powf((looked[c] + 0.055f) / 1.055f, 2.4f);
}

/* ---- Lookups (section 8.14) ---- */

enum { PLAIN_WRAPS = 5 };
static const uint32_t wraps[PLAIN_WRAPS] = {GL_CLAMP, GL_CLAMP_TO_BORDER, GL_CLAMP_TO_EDGE, GL_REPEAT,
                                            GL_MIRRORED_REPEAT};
static const float plain_border[4] = {0.15f, 0.35f, 0.55f, 0.75f}, negative_border[4] = {0.15f, -0.35f, 0.55f, -0.75f};
static const uint32_t integer_border[4] = {7, 30, 55, 75};

enum order_border order_border_of(enum order_kind kind)
{
    return order_is_integer(kind) ? ORDER_BORDER_INTEGER : has_sign(kind) ? ORDER_BORDER_NEGATIVE : ORDER_BORDER_PLAIN;
}

uint32_t order_lookup_way(enum order_kind kind, uint32_t turn, bool full)
{
    return full ? turn % ORDER_LOOKUPS : (2 * (uint32_t)kind + turn % 2 * 7) % ORDER_LOOKUPS;
}

VkSamplerGLStateCreateInfoCLAMPLER order_lookup_state(uint32_t way, enum order_border border)
{
    const bool integer = border == ORDER_BORDER_INTEGER;
    VkSamplerGLStateCreateInfoCLAMPLER state = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                .wrapS = wraps[way % PLAIN_WRAPS],
                                                .wrapT = wraps[(way + way / PLAIN_WRAPS) % PLAIN_WRAPS],
                                                .wrapR = GL_CLAMP_TO_EDGE,
                                                .minFilter = way & 1 && !integer ? GL_LINEAR : GL_NEAREST,
                                                .magFilter = way & 2 && !integer ? GL_LINEAR : GL_NEAREST,
                                                .maxLod = 1000,
                                                .minLod = -1000};
    if (integer)
        memcpy(state.borderColor.uint32, integer_border, sizeof(integer_border));
    else
        memcpy(state.borderColor.float32, border == ORDER_BORDER_NEGATIVE ? negative_border : plain_border,
               sizeof(plain_border));
    return state;
}

/* A border shows as texels do, but is linear as it is. */
static void border_looked(enum order_kind kind, float rgba[4])
{
    const struct order_info *info = order_info(kind);
    const bool colors = info->base != GL_LUMINANCE && info->base != GL_LUMINANCE_ALPHA && info->base != GL_INTENSITY;
    const float *border = has_sign(kind) ? negative_border : plain_border;
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t from = colors || c == 3 ? c : 0;
        rgba[c] = info->at[from] == ORDER_ONE ? 1.0f : 0.0f;
        if (order_keeps(info, from))
            rgba[c] = order_is_integer(kind) ? (float)integer_border[from] : border[from];
    }
    if (info->base == GL_INTENSITY)
        rgba[3] = rgba[0];
}

/* The texel of a direction for an unclamped number; -1: the border. */
static int wrapped(uint32_t wrap, int at)
{
    const int size = ORDER_SIZE;
    if (wrap == GL_REPEAT)
        return (at + 4 * size) % size;
    if (wrap == GL_MIRRORED_REPEAT)
        return (at + 4 * size) % (2 * size) < size ? (at + 4 * size) % size : size - 1 - (at + 4 * size) % size;
    if (wrap == GL_CLAMP_TO_EDGE)
        return at < 0 ? 0 : at >= size ? size - 1 : at;
    return at < 0 || at >= size ? -1 : at;
}

/* Two texels of a direction, and the share of the second. */
static float footprint(uint32_t wrap, bool linear, uint32_t pixel, int at[2])
{
    const float size = (float)ORDER_SIZE;
    float place = ((float)pixel + 0.5f) * 1.5f - 0.25f * size;
    if (wrap == GL_CLAMP)
        place = fminf(fmaxf(place, 0.0f), linear ? size : size - 0.5f);
    if (linear)
        place -= 0.5f;
    const float first = floorf(place);
    at[0] = wrapped(wrap, (int)first);
    at[1] = wrapped(wrap, (int)first + 1);
    return linear ? place - first : 0.0f;
}

void order_expect_sampled(enum order_kind kind, uint32_t way, float texels[ORDER_PIXELS][4], uint32_t index,
                          float rgba[4])
{
    const VkSamplerGLStateCreateInfoCLAMPLER state = order_lookup_state(way, order_border_of(kind));
    const bool linear = state.minFilter == GL_LINEAR;
    int x[2], y[2];
    float border[4];
    const float right = footprint(state.wrapS, linear, index % ORDER_SIZE, x),
                above = footprint(state.wrapT, linear, index / ORDER_SIZE, y);
    border_looked(kind, border);
    memset(rgba, 0, 4 * sizeof(*rgba));
    for (uint32_t i = 0; i < 4; i++) {
        const float share = (i & 1 ? right : 1.0f - right) * (i & 2 ? above : 1.0f - above);
        const int column = x[i & 1], row = y[i >> 1];
        const float *texel = column < 0 || row < 0 ? border : texels[row * ORDER_SIZE + column];
        for (uint32_t c = 0; c < 4; c++)
            rgba[c] += share * texel[c];
    }
}

/* ---- The specification (sections 17.3.6 to 17.3.9 of OpenGL 4.6) ---- */

/* To what blending and memory have of such numbers. */
static float clamped(enum order_number number, float value)
{
    if (number == ORDER_FLOAT || number == ORDER_UINT)
        return value;
    return fminf(fmaxf(value, number == ORDER_SNORM ? -1.0f : 0.0f), 1.0f);
}

static float encoded(float value)
{
    return value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1.0f / 2.4f) - 0.055f;
}

static float decoded(float value)
{
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

/* As shaders/tests/order_source.frag gives them: output `shift` is turned by so many channels. */
static void source_of(const struct order_draw *draw, uint32_t index, uint32_t shift, float source[4])
{
    const uint32_t x = index % ORDER_SIZE, y = index / ORDER_SIZE;
    const float plain[4] = {(float)x / 15.0f, (float)y / 15.0f, (float)(15 - x) / 15.0f,
                            (float)((7 * x + 3 * y) % 16) / 15.0f};
    for (uint32_t c = 0; c < 4; c++)
        source[c] = draw->negative ? plain[(c + shift) % 4] * 3.0f - 1.25f : plain[(c + shift) % 4];
}

struct operands {
    float source[4], second[4], before[4], constants[4];
    enum order_number number;
};

/* The weight of channel `c`. Odd factors beyond ONE are 1 minus the one before, but for SRC_ALPHA_SATURATE. */
static float plain_weight(VkBlendFactor factor, const struct operands *with, uint32_t c)
{
    switch (factor) {
    case VK_BLEND_FACTOR_ZERO:
        return 0.0f;
    case VK_BLEND_FACTOR_ONE:
        return 1.0f;
    case VK_BLEND_FACTOR_SRC_COLOR:
        return with->source[c];
    case VK_BLEND_FACTOR_DST_COLOR:
        return with->before[c];
    case VK_BLEND_FACTOR_SRC_ALPHA:
        return with->source[3];
    case VK_BLEND_FACTOR_DST_ALPHA:
        return with->before[3];
    case VK_BLEND_FACTOR_CONSTANT_COLOR:
        return with->constants[c];
    case VK_BLEND_FACTOR_CONSTANT_ALPHA:
        return with->constants[3];
    case VK_BLEND_FACTOR_SRC1_COLOR:
        return with->second[c];
    case VK_BLEND_FACTOR_SRC1_ALPHA:
        return with->second[3];
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return c == 3 ? 1.0f : fminf(with->source[3], 1.0f - with->before[3]);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
        return 1.0f - plain_weight(VK_BLEND_FACTOR_SRC_COLOR, with, c);
    case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
        return 1.0f - plain_weight(VK_BLEND_FACTOR_DST_COLOR, with, c);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
        return 1.0f - plain_weight(VK_BLEND_FACTOR_SRC_ALPHA, with, c);
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
        return 1.0f - plain_weight(VK_BLEND_FACTOR_DST_ALPHA, with, c);
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
        return 1.0f - plain_weight(VK_BLEND_FACTOR_CONSTANT_COLOR, with, c);
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
        return 1.0f - plain_weight(VK_BLEND_FACTOR_CONSTANT_ALPHA, with, c);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
        return 1.0f - plain_weight(VK_BLEND_FACTOR_SRC1_COLOR, with, c);
    default:
        return 1.0f - plain_weight(VK_BLEND_FACTOR_SRC1_ALPHA, with, c);
    }
}

/* Factors are clamped as sources are. */
static float weight(VkBlendFactor factor, const struct operands *with, uint32_t c, bool *clamps)
{
    const float plain = plain_weight(factor, with, c), weight = clamped(with->number, plain);
    *clamps |= weight != plain;
    return weight;
}

static float blended(const VkPipelineColorBlendAttachmentState *blend, const struct operands *with, uint32_t c,
                     bool *clamps)
{
    const bool alpha = c == 3;
    const float s = with->source[c], d = with->before[c];
    const float fs = weight(alpha ? blend->srcAlphaBlendFactor : blend->srcColorBlendFactor, with, c, clamps);
    const float fd = weight(alpha ? blend->dstAlphaBlendFactor : blend->dstColorBlendFactor, with, c, clamps);
    switch (alpha ? blend->alphaBlendOp : blend->colorBlendOp) {
    case VK_BLEND_OP_ADD:
        return s * fs + d * fd;
    case VK_BLEND_OP_SUBTRACT:
        return s * fs - d * fd;
    case VK_BLEND_OP_REVERSE_SUBTRACT:
        return d * fd - s * fs;
    case VK_BLEND_OP_MIN:
        return fminf(s, d);
    default:
        return fmaxf(s, d);
    }
}

static uint32_t logic(VkLogicOp op, uint32_t s, uint32_t d)
{
    uint32_t result = 0;
    /* Vulkan numbers the operations by their truth tables, CLEAR and SET being 0 and 15. */
    static const uint8_t tables[16] = {/* bit 2s + d */
                                       [VK_LOGIC_OP_CLEAR] = 0x0,         [VK_LOGIC_OP_AND] = 0x8,
                                       [VK_LOGIC_OP_AND_REVERSE] = 0x4,   [VK_LOGIC_OP_COPY] = 0xc,
                                       [VK_LOGIC_OP_AND_INVERTED] = 0x2,  [VK_LOGIC_OP_NO_OP] = 0xa,
                                       [VK_LOGIC_OP_XOR] = 0x6,           [VK_LOGIC_OP_OR] = 0xe,
                                       [VK_LOGIC_OP_NOR] = 0x1,           [VK_LOGIC_OP_EQUIVALENT] = 0x9,
                                       [VK_LOGIC_OP_INVERT] = 0x5,        [VK_LOGIC_OP_OR_REVERSE] = 0xd,
                                       [VK_LOGIC_OP_COPY_INVERTED] = 0x3, [VK_LOGIC_OP_OR_INVERTED] = 0xb,
                                       [VK_LOGIC_OP_NAND] = 0x7,          [VK_LOGIC_OP_SET] = 0xf};
    for (uint32_t bit = 0; bit < 16; bit++)
        result |= (uint32_t)(tables[op] >> (2 * (s >> bit & 1) + (d >> bit & 1)) & 1) << bit;
    return result;
}

static float logic_value(const struct order_case *one, const struct order_info *info, uint32_t c, float source,
                         float before)
{
    const bool integer = info->number == ORDER_UINT;
    const uint32_t most = greatest(info, c);
    const float scale = integer ? 1.0f : (float)steps(info, c);
    const uint32_t s = (uint32_t)lrintf(source * scale), d = (uint32_t)lrintf(before * scale);
    const uint32_t result = logic(one->draw.logic_op, s, d) & most;
    return info->number == ORDER_SNORM ? snorm_of(result, steps(info, c)) : (float)result / scale;
}

void order_expect_contents(const struct order_case *one, uint32_t attachment, uint32_t index, float rgba[4])
{
    const struct order_info *info = order_info(one->draw.attachments[attachment].kind);
    struct order_pixels texels;
    const bool draws = one->contents == ORDER_DRAWN, integer = info->number == ORDER_UINT;
    if (one->contents == ORDER_UPLOADED) {
        order_texels(one->draw.attachments[attachment].kind, &texels);
        order_decode(one->draw.attachments[attachment].kind, &texels, index, rgba);
        return;
    }
    source_of(&one->draw, index, attachment, rgba);
    for (uint32_t c = 0; c < 4; c++) {
        if (!draws)
            rgba[c] =
                integer ? (float)order_clear_integers[c] : order_clear_color(one->draw.attachments[attachment].kind)[c];
        else if (integer)
            rgba[c] = floorf(rgba[c] * 15.0f + 0.5f);
        if (draws && c == 3 && one->draw.one)
            rgba[c] = 1.0f;
        rgba[c] = clamped(info->number, rgba[c]);
        if (info->number == ORDER_SRGB && c < 3)
            rgba[c] = encoded(rgba[c]);
        if (!order_keeps(info, c))
            rgba[c] = info->at[c] == ORDER_ONE ? 1.0f : 0.0f;
    }
}

void order_expect(const struct order_case *one, uint32_t attachment, uint32_t index, const float before[4],
                  float after[4], bool clamps[4])
{
    const struct order_attachment *of = &one->draw.attachments[attachment];
    const struct order_info *info = order_info(of->kind);
    const bool srgb = info->number == ORDER_SRGB;
    struct operands with = {.number = info->number};
    source_of(&one->draw, index, attachment, with.source);
    for (uint32_t c = 0; c < 4; c++)
        with.second[c] = clamped(info->number, 1.0f - with.source[(c + 3) % 4]);
    for (uint32_t c = 0; c < 4; c++) {
        with.source[c] = clamped(info->number, with.source[c]);
        with.constants[c] = clamped(info->number, order_constants(&one->draw)[c]);
        if (c == 3 && one->draw.one)
            with.source[c] = with.second[c] = 1.0f;
        with.before[c] = srgb && c < 3 ? decoded(before[c]) : before[c];
    }
    for (uint32_t c = 0; c < 4; c++) {
        after[c] = before[c];
        clamps[c] = false;
        if (!order_keeps(info, c) || !(of->blend.colorWriteMask >> c & 1))
            continue;
        if (info->number == ORDER_UINT)
            with.source[c] = floorf(with.source[c] * 15.0f + 0.5f);
        const float value = clamped(info->number, one->draw.logic && has_logic(info->number)
                                                      ? logic_value(one, info, c, with.source[c], before[c])
                                                  : !one->draw.logic && of->blend.blendEnable
                                                      ? blended(&of->blend, &with, c, &clamps[c])
                                                      : with.source[c]);
        clamps[c] |= with.source[c] == -1.0f || with.source[3] == -1.0f;
        after[c] = srgb && c < 3 ? encoded(value) : value;
    }
}

void order_round(enum order_kind kind, float rgba[4])
{
    const struct order_info *info = order_info(kind);
    for (uint32_t c = 0; c < 4; c++) {
        if (!order_keeps(info, c) || info->number == ORDER_UINT)
            continue;
        const float most = (float)steps(info, c);
        rgba[c] = info->number == ORDER_FLOAT ? float_of(half_of(rgba[c])) : rintf(rgba[c] * most) / most;
    }
}

bool order_near(enum order_kind kind, uint32_t channel, float found, float expected, float apart)
{
    const struct order_info *info = order_info(kind);
    if (info->number == ORDER_UINT)
        return found == expected;
    if (info->number == ORDER_FLOAT)
        return fabsf(found - expected) <= 2.01f / 1024.0f * fmaxf(1.0f, fmaxf(fabsf(found), fabsf(expected)));
    /* What has few bits is blended and converted with as few; one bit does not become the other value. */
    const float most = (float)steps(info, channel);
    const float few = most >= 127.0f ? 0.0f : fminf(2.0f / most, 0.1f);
    return fabsf(found - expected) <= 0.501f / most + fmaxf(apart, few);
}

bool order_step(enum order_kind kind, uint32_t channel, float a, float b)
{
    const struct order_info *info = order_info(kind);
    if (info->number == ORDER_UINT)
        return a == b;
    const float scale = info->number == ORDER_FLOAT ? fmaxf(1.0f, fmaxf(fabsf(a), fabsf(b))) / 1024.0f
                                                    : 1.0f / (float)steps(info, channel);
    return fabsf(a - b) <= 1.01f * scale;
}

/* ---- What must be drawn ---- */

/* A factor of channel `c` as one number if it is a constant, its own source or its own destination; else -1. */
static int simple_factor(const struct order_info *info, VkBlendFactor factor, uint32_t c)
{
    enum { ZERO, ONE, SOURCE, MINUS_SOURCE, DESTINATION, MINUS_DESTINATION };
    const bool alpha = c == 3, one = info->at[3] == ORDER_ONE;
    const bool constant = !order_keeps(info, 3);
    switch (factor) {
    case VK_BLEND_FACTOR_ZERO:
        return ZERO;
    case VK_BLEND_FACTOR_ONE:
        return ONE;
    case VK_BLEND_FACTOR_SRC_COLOR:
        return SOURCE;
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
        return MINUS_SOURCE;
    case VK_BLEND_FACTOR_DST_COLOR:
        return DESTINATION;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
        return MINUS_DESTINATION;
    case VK_BLEND_FACTOR_SRC_ALPHA:
        return alpha ? SOURCE : -1;
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
        return alpha ? MINUS_SOURCE : -1;
    case VK_BLEND_FACTOR_DST_ALPHA:
        return alpha ? DESTINATION : constant ? (one ? ONE : ZERO) : -1;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
        return alpha ? MINUS_DESTINATION : constant ? (one ? ZERO : ONE) : -1;
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return alpha ? ONE : -1;
    default:
        return -1;
    }
}

/* The equation of a channel as one number, -1 if it is more than that. */
static int simple_equation(const struct order_info *info, const VkPipelineColorBlendAttachmentState *blend, uint32_t c)
{
    const VkBlendOp op = c == 3 ? blend->alphaBlendOp : blend->colorBlendOp;
    const int s = simple_factor(info, c == 3 ? blend->srcAlphaBlendFactor : blend->srcColorBlendFactor, c);
    const int d = simple_factor(info, c == 3 ? blend->dstAlphaBlendFactor : blend->dstColorBlendFactor, c);
    if (op == VK_BLEND_OP_MIN || op == VK_BLEND_OP_MAX)
        return 1000 * (int)op;
    return s < 0 || d < 0 ? -1 : 1000 * (int)op + 10 * s + d;
}

static bool groups_agree(const struct order_info *info, const VkPipelineColorBlendAttachmentState *blend)
{
    int found[2] = {-2, -2}; /* of the format's colours and of its alpha */
    for (uint32_t c = 0; c < 4; c++) {
        if (!order_keeps(info, c))
            continue;
        int *group = &found[info->at[c] == ORDER_A];
        const int equation = simple_equation(info, blend, c);
        if (equation < 0 || (*group != -2 && *group != equation))
            return false;
        *group = equation;
    }
    return true;
}

/* Colours among colours, and alpha in alpha or nowhere; or alpha alone. */
static bool is_plain(const struct order_info *info)
{
    bool colors = false, plain = info->at[3] != ORDER_R && info->at[3] != ORDER_G && info->at[3] != ORDER_B;
    for (uint32_t c = 0; c < 3; c++) {
        colors |= order_keeps(info, c);
        plain &= info->at[c] != ORDER_A;
    }
    return plain || !colors;
}

static bool reads_constants(const VkPipelineColorBlendAttachmentState *blend)
{
    const VkBlendFactor factors[] = {blend->srcColorBlendFactor, blend->dstColorBlendFactor, blend->srcAlphaBlendFactor,
                                     blend->dstAlphaBlendFactor};
    bool reads = false;
    for (unsigned i = 0; i < 4; i++)
        reads |= factors[i] >= VK_BLEND_FACTOR_CONSTANT_COLOR && factors[i] <= VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
    return reads;
}

bool order_must_draw(const struct order_draw *draw)
{
    bool must = true;
    for (uint32_t i = 0; i < draw->count && !draw->logic; i++) {
        const struct order_info *info = order_info(draw->attachments[i].kind);
        const VkPipelineColorBlendAttachmentState *blend = &draw->attachments[i].blend;
        if (!blend->blendEnable)
            continue;
        must &= groups_agree(info, blend) || (is_plain(info) && (draw->count == 1 || !reads_constants(blend)));
    }
    return must;
}

/* ---- Words ---- */

static const char *factor_name(VkBlendFactor factor)
{
    static const char *const names[ORDER_FACTORS] = {"0",        "1",   "SC",    "1-SC", "DC",   "1-DC", "SA",
                                                     "1-SA",     "DA",  "1-DA",  "CC",   "1-CC", "CA",   "1-CA",
                                                     "SATURATE", "S1C", "1-S1C", "S1A",  "1-S1A"};
    return names[factor];
}

static int describe_attachment(const struct order_attachment *of, char *text, size_t size)
{
    static const char *const equations[] = {"ADD", "SUBTRACT", "REVERSE_SUBTRACT", "MIN", "MAX"};
    const VkPipelineColorBlendAttachmentState *blend = &of->blend;
    if (!blend->blendEnable)
        return snprintf(text, size, "%s, mask %x; ", order_info(of->kind)->name, (unsigned)blend->colorWriteMask);
    return snprintf(text, size, "%s, %s %s(%s, %s), alpha %s(%s, %s), mask %x; ", order_info(of->kind)->name, "colors",
                    equations[blend->colorBlendOp], factor_name(blend->srcColorBlendFactor),
                    factor_name(blend->dstColorBlendFactor), equations[blend->alphaBlendOp],
                    factor_name(blend->srcAlphaBlendFactor), factor_name(blend->dstAlphaBlendFactor),
                    (unsigned)blend->colorWriteMask);
}

void order_describe(const struct order_case *one, char *text, size_t size)
{
    static const char *const contents[ORDER_CONTENTS] = {"uploaded", "cleared by the pass", "cleared in the pass",
                                                         "cleared as an image", "drawn"};
    static const char *const shapes[ORDER_SHAPES] = {"", ", outputs of 3", ", outputs of 1", ", outputs in two",
                                                     ", outputs in an array"};
    size_t used = 0;
    for (uint32_t i = 0; i < one->draw.count && used < size; i++)
        used += (size_t)describe_attachment(&one->draw.attachments[i], text + used, size - used);
    if (used < size && one->draw.logic)
        used += (size_t)snprintf(text + used, size - used, "logic operation %d; ", (int)one->draw.logic_op);
    if (used < size)
        snprintf(text + used, size - used, "%s%s%s", contents[one->contents], shapes[one->draw.shape],
                 one->draw.negative ? ", beyond 0 and 1" : "");
}
