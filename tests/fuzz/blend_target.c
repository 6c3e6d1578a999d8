/* SPDX-License-Identifier: MIT */
/*
 * Blend against a model of its own: what OpenGL draws to an attachment without alpha, whose alpha it reads as 1, and
 * what Vulkan draws with the state that blend.c gives, over memory with any alpha. Written from the specifications'
 * sections on blending, not from blend.c.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <vulkan/vulkan_core.h>

#include "blend/blend.h"
#include "target.h"

enum { RGB = 7, RGBA = 15, FACTORS = VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA + 1, OPS = 5, TEXT_AT = 24, MOST = 64 };

static unsigned drawn_states, dynamic_states, names;

/* ---- An input ---- */

/* Mostly what there is, sometimes numbers that no enumeration has. */
static uint32_t choose(uint8_t byte, uint32_t count)
{
    return byte < 250 ? byte % count : byte == 250 ? 0x7fffffffu : byte == 251 ? 1000u : count + byte;
}

static VkBlendOp op_of(uint8_t byte)
{
    if (byte >= 200 && byte < 246)
        return (VkBlendOp)(VK_BLEND_OP_ZERO_EXT + (byte - 200));
    return (VkBlendOp)choose(byte, OPS);
}

static VkPipelineColorBlendAttachmentState state_of(const uint8_t *in)
{
    return (VkPipelineColorBlendAttachmentState){
        .blendEnable = in[0] % 2 ? (in[0] == 255 ? 7 : VK_TRUE) : VK_FALSE,
        .srcColorBlendFactor = (VkBlendFactor)choose(in[1], FACTORS),
        .dstColorBlendFactor = (VkBlendFactor)choose(in[2], FACTORS),
        .colorBlendOp = op_of(in[3]),
        .srcAlphaBlendFactor = (VkBlendFactor)choose(in[4], FACTORS),
        .dstAlphaBlendFactor = (VkBlendFactor)choose(in[5], FACTORS),
        .alphaBlendOp = op_of(in[6]),
        .colorWriteMask = in[7] % 16,
    };
}

/* ---- The model ---- */

struct pixel {
    double source[4], second[4], constant[4], memory[4];
};

static bool is_known(const VkPipelineColorBlendAttachmentState *s)
{
    return s->colorBlendOp <= VK_BLEND_OP_MAX && s->alphaBlendOp <= VK_BLEND_OP_MAX &&
           (uint32_t)s->srcColorBlendFactor < FACTORS && (uint32_t)s->dstColorBlendFactor < FACTORS &&
           (uint32_t)s->srcAlphaBlendFactor < FACTORS && (uint32_t)s->dstAlphaBlendFactor < FACTORS;
}

static double factor(VkBlendFactor f, const struct pixel *p, int channel)
{
    const double *const colors[] = {p->source, p->memory, p->constant, p->second};
    switch (f) {
    case VK_BLEND_FACTOR_ZERO:
        return 0;
    case VK_BLEND_FACTOR_ONE:
        return 1;
    case VK_BLEND_FACTOR_SRC_COLOR:
        return colors[0][channel];
    case VK_BLEND_FACTOR_DST_COLOR:
        return colors[1][channel];
    case VK_BLEND_FACTOR_CONSTANT_COLOR:
        return colors[2][channel];
    case VK_BLEND_FACTOR_SRC1_COLOR:
        return colors[3][channel];
    case VK_BLEND_FACTOR_SRC_ALPHA:
        return colors[0][3];
    case VK_BLEND_FACTOR_DST_ALPHA:
        return colors[1][3];
    case VK_BLEND_FACTOR_CONSTANT_ALPHA:
        return colors[2][3];
    case VK_BLEND_FACTOR_SRC1_ALPHA:
        return colors[3][3];
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
        return 1 - colors[0][channel];
    case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
        return 1 - colors[1][channel];
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
        return 1 - colors[2][channel];
    case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
        return 1 - colors[3][channel];
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
        return 1 - colors[0][3];
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
        return 1 - colors[1][3];
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
        return 1 - colors[2][3];
    case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
        return 1 - colors[3][3];
    default: /* SRC_ALPHA_SATURATE */
        return channel == 3 ? 1 : fmin(colors[0][3], 1 - colors[1][3]);
    }
}

/* What memory holds behind a draw. */
static double draw(const VkPipelineColorBlendAttachmentState *s, const struct pixel *p, int channel)
{
    const bool alpha = channel == 3;
    if (!(s->colorWriteMask >> channel & 1))
        return p->memory[channel];
    if (!s->blendEnable)
        return p->source[channel];
    const double from = p->source[channel], to = p->memory[channel];
    const double a = from * factor(alpha ? s->srcAlphaBlendFactor : s->srcColorBlendFactor, p, channel);
    const double b = to * factor(alpha ? s->dstAlphaBlendFactor : s->dstColorBlendFactor, p, channel);
    switch (alpha ? s->alphaBlendOp : s->colorBlendOp) {
    case VK_BLEND_OP_ADD:
        return a + b;
    case VK_BLEND_OP_SUBTRACT:
        return a - b;
    case VK_BLEND_OP_REVERSE_SUBTRACT:
        return b - a;
    case VK_BLEND_OP_MIN:
        return fmin(from, to);
    default:
        return fmax(from, to);
    }
}

static void fill(double color[4], const uint8_t *in)
{
    for (int i = 0; i < 4; i++)
        color[i] = in[i] / 255.0;
}

/* What the layer's shader does with a colour. */
static void write_alpha(double color[4], enum blend_source source)
{
    const double factor = source == BLEND_SOURCE_TIMES_ALPHA  ? color[3]
                          : source == BLEND_SOURCE_TIMES_REST ? 1 - color[3]
                                                              : 1;
    for (int c = 0; c < 3; c++)
        color[c] *= factor;
    color[3] = 1;
}

/* ---- What must hold ---- */

static void check_draw(const VkPipelineColorBlendAttachmentState *program, enum blend_way way, bool logic,
                       const uint8_t *in)
{
    const VkPipelineColorBlendAttachmentState below = blend_state(program, way, logic, false);
    struct pixel gl, vulkan;
    fill(gl.source, in);
    fill(gl.second, in + 4);
    fill(gl.constant, in + 8);
    fill(gl.memory, in + 10);
    if (below.colorWriteMask & ~(uint32_t)RGBA)
        fuzz_broken("blend", "a write mask of no channels");
    if ((below.colorWriteMask & RGB) != (program->colorWriteMask & RGB))
        fuzz_broken("blend", "other colours are written");
    if (logic || (program->blendEnable && blend_is_advanced(program->colorBlendOp))) {
        if (below.colorWriteMask >> 3 & 1)
            fuzz_broken("blend", "alpha is written where it cannot be kept");
        return;
    }
    if (!is_known(program) || !is_known(&below))
        return;
    drawn_states++;
    vulkan = gl;
    gl.memory[3] = 1;
    if (way == BLEND_WRITTEN && blend_source(program, false) != BLEND_SOURCE_NONE)
        write_alpha(vulkan.source, blend_source(program, false));
    for (int c = 0; c < 3; c++) {
        if (!(fabs(draw(program, &gl, c) - draw(&below, &vulkan, c)) < 1e-12))
            fuzz_broken("blend", "a colour is not OpenGL's");
    }
    const double alpha = draw(&below, &vulkan, 3);
    if (!(fabs(alpha - vulkan.memory[3]) < 1e-12) && !(way == BLEND_WRITTEN && fabs(alpha - 1) < 1e-12))
        fuzz_broken("blend", "alpha in memory becomes another than it was or 1");
}

/* All values that dynamic state may have, as far as the answer depends on them: which static parts ever differ? */
static uint32_t changes(const VkPipelineColorBlendAttachmentState *state, uint32_t dynamic, bool keep, bool logic)
{
    static const VkBlendOp ops[] = {VK_BLEND_OP_ADD, VK_BLEND_OP_SUBTRACT, VK_BLEND_OP_REVERSE_SUBTRACT,
                                    VK_BLEND_OP_MIN, VK_BLEND_OP_MAX,      VK_BLEND_OP_MULTIPLY_EXT};
    uint32_t found = 0;
    for (uint32_t enable = 0; enable < (dynamic & BLEND_ENABLE ? 2 : 1); enable++) {
        for (uint32_t mask = 0; mask < (dynamic & BLEND_WRITE_MASK ? 16 : 1); mask++) {
            for (uint32_t op = 0; op < (dynamic & BLEND_EQUATION ? 6 : 1); op++) {
                for (uint32_t on = 0; on < (dynamic & BLEND_LOGIC ? 2 : 1); on++) {
                    VkPipelineColorBlendAttachmentState one = *state;
                    one.blendEnable = dynamic & BLEND_ENABLE ? enable : state->blendEnable;
                    one.colorWriteMask = dynamic & BLEND_WRITE_MASK ? mask : state->colorWriteMask;
                    one.colorBlendOp = dynamic & BLEND_EQUATION ? ops[op] : state->colorBlendOp;
                    const VkPipelineColorBlendAttachmentState made =
                        blend_state(&one, keep ? BLEND_KEPT : BLEND_MASKED, dynamic & BLEND_LOGIC ? on : logic, false);
                    const VkColorBlendEquationEXT a = blend_equation_of(&one), b = blend_equation_of(&made);
                    found |= memcmp(&a, &b, sizeof(a)) ? BLEND_EQUATION : 0u;
                    found |= made.colorWriteMask != one.colorWriteMask ? BLEND_WRITE_MASK : 0u;
                    found |= !made.blendEnable != !one.blendEnable ? BLEND_ENABLE : 0u;
                }
            }
        }
    }
    return found & ~dynamic;
}

static void check_names(const char *text, uint32_t length)
{
    const struct blend_format *known = NULL;
    for (uint32_t i = 0; i < BLEND_FORMATS && !known; i++) {
        const struct blend_format *one = blend_format_at(i);
        const char *shorter = one->name + strlen("VK_FORMAT_");
        if ((strlen(one->name) == length && !strncasecmp(one->name, text, length)) ||
            (strlen(shorter) == length && !strncasecmp(shorter, text, length)))
            known = one;
        if (blend_format(one->format) != one || blend_format_index(one) != i)
            fuzz_broken("blend", "a format is not found by its number");
    }
    if (blend_format_named(text, length) != known)
        fuzz_broken("blend", "a name is not that of the format");
    names += known != NULL;
}

static void check_fill(uint32_t number, bool keep, const uint8_t *in)
{
    const struct blend_format *format = blend_format_at(number % BLEND_FORMATS);
    const VkPipelineColorBlendAttachmentState state = blend_fill_state(format, keep);
    struct pixel p;
    fill(p.source, in);
    fill(p.second, in);
    fill(p.constant, in);
    fill(p.memory, in + 4);
    p.source[3] = 1; /* what is drawn to fill */
    for (int c = 0; c < 4; c++) {
        if (!(fabs(draw(&state, &p, c) - (c == 3 ? 1 : p.memory[c])) < 1e-12))
            fuzz_broken("blend", "filling alpha changes a colour, or does not fill");
    }
}

static void check_mask(const uint8_t *in)
{
    const uint32_t to_one = in[0], used = in[1];
    bool disagree, all = true, any = false;
    const uint32_t mask = blend_mask(to_one, used, in[2] % 2, &disagree);
    for (int i = 0; i < 8; i++) {
        if (used >> i & 1)
            all &= to_one >> i & 1, any |= to_one >> i & 1;
    }
    const bool expected = in[2] % 2 == 0 && any && !all;
    if (disagree != expected || mask != (expected ? 0 : to_one & used))
        fuzz_broken("blend", "the mask of attachments");
}

static void check(const uint8_t *data, size_t size, enum fuzz_depth depth)
{
    uint8_t in[MOST] = {0};
    memcpy(in, data, size < sizeof(in) ? size : sizeof(in));
    const VkPipelineColorBlendAttachmentState program = state_of(in);
    const bool logic = in[8] & 4, keep = in[8] & 8;
    const uint32_t dynamic = in[9] % 16;
    check_draw(&program, (enum blend_way)(in[8] % 3), logic, in + 10);
    check_mask(in + 3);
    check_fill(in[1], keep, in + 10);
    if (depth == FUZZ_DEEP || dynamic == 0 || in[2] % 8 == 0) {
        dynamic_states++;
        if (blend_changes(&program, dynamic, keep, logic, false) != changes(&program, dynamic, keep, logic))
            fuzz_broken("blend", "what of the static state changes");
    }
    if (size > TEXT_AT)
        check_names((const char *)in + TEXT_AT, (uint32_t)(size < MOST ? size : MOST) - TEXT_AT);
}

static int seeds(const char *file, fuzz_take take, void *user)
{
    (void)file;
    for (uint32_t i = 0; i < BLEND_FORMATS; i++) {
        uint8_t in[MOST] = {(uint8_t)i, (uint8_t)i, (uint8_t)(i / 2), (uint8_t)(i % 7), 6, 7, (uint8_t)(i / 7), 15};
        const char *name = blend_format_at(i)->name;
        in[8] = (uint8_t)i;
        in[9] = (uint8_t)i;
        memset(in + 10, (int)(i * 6), TEXT_AT - 10);
        memcpy(in + TEXT_AT, name, strlen(name));
        take(user, in, TEXT_AT + strlen(name));
    }
    return 1;
}

static size_t mutate(uint8_t *data, size_t size, size_t most, uint64_t *random)
{
    if (fuzz_random(random) % 4 == 0)
        return fuzz_mutate_bytes(data, size, most, random);
    const uint32_t changed = 1 + fuzz_random(random) % 4;
    for (uint32_t i = 0; i < changed && size; i++)
        data[fuzz_random(random) % (size < TEXT_AT ? size : TEXT_AT)] = (uint8_t)fuzz_random(random);
    return size;
}

static void report(char *text, size_t size)
{
    snprintf(text, size, "drawn=%u dynamic=%u names=%u", drawn_states, dynamic_states, names);
}

const struct fuzz_target fuzz_target = {
    .name = "blend",
    .most = MOST,
    .deep_share = 16,
    .seeds = seeds,
    .mutate = mutate,
    .check = check,
    .report = report,
};
