/* SPDX-License-Identifier: MIT */
/* Lookups, fetches and questions for sizes, as functions of what they are given. */
#include <math.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "interpreter.h"

enum { MOST_AXES = 4 };

#define MOST_BIAS 16.0f /* VkPhysicalDeviceLimits::maxSamplerLodBias, of lavapipe for one */

struct looked {
    uint32_t image, sampler; /* who they are */
    float at[MOST_AXES];     /* coordinate and layer */
    float level, offset, extra;
    uint32_t which;
    bool fetches; /* texel offsets are then added to the coordinate, as the specification of OpImageFetch's operands
                     says */
};

/* A number between -1 and 1. Infinity is as far as any bound of coordinates. */
static float squeezed(float value)
{
    return isinf(value) ? copysignf(1, value) : value / (1 + fabsf(value));
}

/* A number between -1 and 1 that changes little where its input does. */
static float wave(const struct looked *l, uint32_t channel)
{
    float phase = (float)(in_hash(l->image, 77) % 1000) * 0.01f + (float)(in_hash(l->sampler, 78) % 1000) * 0.013f;
    for (uint32_t i = 0; i < MOST_AXES; i++)
        phase += squeezed(l->at[i]) * (1.5f + 0.7f * (float)i + 0.3f * (float)channel);
    phase += squeezed(l->level) + 0.31f * l->offset + 0.17f * squeezed(l->extra);
    return sinf(phase + (float)l->which);
}

static const uint32_t *image_type(struct interpreter *in, uint32_t value)
{
    const uint32_t *type = in_definition(in, in_type(in, value));
    if ((type[0] & 0xffffu) == SpvOpTypeSampledImage)
        type = in_definition(in, type[2]);
    return type;
}

/* Written as the type of the texel has it. */
static void write_texel(struct interpreter *in, const uint32_t *image, const struct looked *l, uint32_t *to,
                        uint32_t size)
{
    const bool integer = (in_definition(in, image[2])[0] & 0xffffu) == SpvOpTypeInt;
    for (uint32_t i = 0; i < size; i++) {
        const float value = wave(l, i);
        to[i] = integer ? (uint32_t)(int32_t)floorf(value * 8) : in_bits(value);
    }
}

static float longest(const uint32_t *dx, const uint32_t *dy, uint32_t count)
{
    float most = 1e-9f;
    for (uint32_t i = 0; i < count; i++)
        most = fmaxf(most, fmaxf(fabsf(in_float(dx[i])), fabsf(in_float(dy[i]))));
    return log2f(most);
}

/* Operands behind the mask; false if there is one that is not known. */
static bool read_operands(struct interpreter *in, const uint32_t *inst, uint32_t at, uint32_t axes, struct looked *l)
{
    const uint32_t length = inst[0] >> 16, mask = at < length ? inst[at++] : 0;
    float bias = 0, least = -100;
    for (uint32_t bit = 0; bit < 17; bit++) {
        if (!(mask >> bit & 1) || (bit >= 10 && bit <= 15))
            continue;
        if (at >= length)
            return false;
        const uint32_t *value = in_value(in, inst[at]);
        const uint32_t size = in_size(in, inst[at++]);
        switch (1u << bit) {
        case SpvImageOperandsBiasMask:
            bias = in_float(value[0]);
            break;
        case SpvImageOperandsLodMask:
            l->level = in_float(value[0]);
            break;
        case SpvImageOperandsGradMask:
            if (at >= length)
                return false;
            l->level = longest(value, in_value(in, inst[at++]), size < axes ? size : axes);
            break;
        case SpvImageOperandsConstOffsetMask:
        case SpvImageOperandsOffsetMask:
        case SpvImageOperandsConstOffsetsMask:
        case SpvImageOperandsOffsetsMask:
            for (uint32_t i = 0; i < size; i++)
                if (l->fetches && i < MOST_AXES)
                    l->at[i] += (float)(int32_t)value[i];
                else
                    l->offset += (float)(int32_t)value[i] * (float)(i + 1);
            break;
        case SpvImageOperandsMinLodMask:
            least = in_float(value[0]);
            break;
        case SpvImageOperandsSampleMask:
            l->extra = (float)value[0];
            break;
        default:
            return false;
        }
    }
    bias = fminf(fmaxf(bias, -MOST_BIAS), MOST_BIAS);
    l->level = fmaxf(l->level + bias, least);
    return true;
}

static uint32_t axes_of(const uint32_t *image)
{
    switch (image[3]) {
    case SpvDim1D:
    case SpvDimBuffer:
        return 1;
    case SpvDim3D:
    case SpvDimCube:
        return 3;
    default:
        return 2;
    }
}

/* The texel of a lookup or a fetch, without the residency of sparse ones. */
static bool look_up(struct interpreter *in, const uint32_t *inst, uint32_t opcode, uint32_t *to, uint32_t size)
{
    const uint32_t *image = image_type(in, inst[3]), *who = in_value(in, inst[3]), *at = in_value(in, inst[4]);
    const bool fetch = opcode == SpvOpImageFetch || opcode == SpvOpImageRead;
    const bool gather = opcode == SpvOpImageGather || opcode == SpvOpImageDrefGather;
    const uint32_t number = opcode - SpvOpImageSampleImplicitLod;
    const bool samples = number < 8, dref = opcode == SpvOpImageDrefGather || (samples && (number & 2));
    const bool projects = samples && (number & 4), implicit = samples && !(number & 1);
    const uint32_t axes = axes_of(image), given = in_size(in, inst[4]);
    struct looked l = {.image = who[0], .sampler = fetch ? 0 : who[1], .which = gather, .fetches = fetch};
    if ((image[0] & 0xffffu) != SpvOpTypeImage || (in_size(in, inst[3]) < 2 && !fetch))
        return false;
    const uint32_t count = axes + (image[5] == 1);
    for (uint32_t i = 0; i < count && i < given; i++) {
        l.at[i] = fetch ? (float)(int32_t)at[i] : in_float(at[i]);
        if (projects && axes < given)
            l.at[i] /= in_float(at[axes]);
    }
    uint32_t dx[3], dy[3];
    for (uint32_t i = 0; i < axes; i++) {
        dx[i] = in_bits(l.at[i] * 0.0625f);
        dy[i] = in_bits(l.at[i] * 0.03125f);
    }
    l.level = implicit ? longest(dx, dy, axes) : 0;
    if (!read_operands(in, inst, dref || gather ? 6 : 5, axes, &l))
        return false;
    if (gather && !dref)
        l.which += in_value(in, inst[5])[0] & 3;
    else if (dref)
        l.extra = in_float(in_value(in, inst[5])[0]) / (projects && axes < given ? in_float(at[axes]) : 1);
    for (uint32_t i = 0; i < MOST_AXES; i++)
        if (isnan(l.at[i]) || isnan(l.level) || isnan(l.extra))
            in_stuck(in, "a lookup at what is no number");
    write_texel(in, image, &l, to, size);
    in->lookups++;
    return true;
}

bool in_image(struct interpreter *in, const uint32_t *inst, uint32_t *to, uint32_t size)
{
    const uint32_t opcode = inst[0] & 0xffffu;
    const uint32_t *who = in_value(in, inst[3]);
    if ((opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageDrefGather) || opcode == SpvOpImageRead)
        return look_up(in, inst, opcode, to, size);
    if (opcode >= SpvOpImageSparseSampleImplicitLod && opcode <= SpvOpImageSparseDrefGather && size > 1) {
        to[0] = in_hash(who[0], 5);
        return look_up(in, inst, opcode - SpvOpImageSparseSampleImplicitLod + SpvOpImageSampleImplicitLod, to + 1,
                       size - 1);
    }
    switch (opcode) {
    case SpvOpSampledImage:
        to[0] = who[0];
        to[1] = in_value(in, inst[4])[0];
        return size == 2;
    case SpvOpImage:
        to[0] = who[0];
        return true;
    case SpvOpImageQuerySizeLod:
    case SpvOpImageQuerySize:
    case SpvOpImageQueryLevels:
    case SpvOpImageQuerySamples:
        for (uint32_t i = 0; i < size; i++)
            to[i] = 4 + in_hash(who[0], i) % 28;
        return true;
    case SpvOpImageQueryLod:
        for (uint32_t i = 0; i < size; i++)
            to[i] = in_bits(0.25f * in_float(in_value(in, inst[4])[0]));
        return true;
    case SpvOpImageSparseTexelsResident:
        to[0] = who[0] & 1;
        return true;
    default:
        return false;
    }
}
