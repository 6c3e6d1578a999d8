/* SPDX-License-Identifier: MIT */
#include "chaos/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Texel buffers ---- */

const struct texel_format texel_formats[TEXEL_FORMATS] = {
    {VK_FORMAT_R32_SFLOAT, 0, 4, false},           {VK_FORMAT_R32G32B32A32_SFLOAT, 0, 16, false},
    {VK_FORMAT_R32G32B32_SFLOAT, 0, 12, true},     {VK_FORMAT_R32_SFLOAT, GL_LUMINANCE, 4, true},
    {VK_FORMAT_R32_SFLOAT, GL_INTENSITY, 4, true},
};

/* Emulated ones give zeros behind their end; of others nothing is known there. */
static void texel_of(const struct model_lookup *lookup, uint32_t index, float texel[4])
{
    const struct texel_view *view = lookup->texels;
    const struct texel_format *format = &texel_formats[view->kind];
    const unsigned channels = format->size / 4u;
    const unsigned char *bytes = (const unsigned char *)lookup->device->texels.map + view->offset;
    float all[4] = {0, 0, 0, 1};
    if (index < view->count)
        memcpy(all, bytes + index * format->size, channels * sizeof(float));
    memcpy(texel, all, sizeof(all));
    if (format->base_format == GL_LUMINANCE)
        texel[1] = texel[2] = all[0];
    if (format->base_format == GL_INTENSITY)
        texel[1] = texel[2] = texel[3] = all[0];
}

static bool accepts_texels(const struct model_lookup *lookup, const float seen[COORDINATES][4], char *text, size_t size)
{
    for (uint32_t i = 0; i < COORDINATES; i++) {
        float wanted[4];
        texel_of(lookup, (uint32_t)lookup->pushed->texel + i, wanted);
        if ((uint32_t)lookup->pushed->texel + i >= lookup->texels->count)
            continue;
        if (memcmp(wanted, seen[i], sizeof(wanted)) == 0)
            continue;
        snprintf(text, size,
                 "texel %u of a buffer (format %d, base format 0x%x, from byte %u) is %g %g %g %g, not %g %g %g %g",
                 (unsigned)lookup->pushed->texel + i, (int)texel_formats[lookup->texels->kind].vulkan,
                 texel_formats[lookup->texels->kind].base_format, lookup->texels->offset, (double)seen[i][0],
                 (double)seen[i][1], (double)seen[i][2], (double)seen[i][3], (double)wanted[0], (double)wanted[1],
                 (double)wanted[2], (double)wanted[3]);
        return false;
    }
    return true;
}

/* ---- Images ---- */

/* As tests/differential/judge.c has them. */
static const struct reference_precision ideal = {1.0f / 512, 1.0f / 64, 1.0f / 128, 1.0f / 256, false, true};
static const struct reference_precision loose = {1.0f / 512, 0.1f, 1.0f / 128, 1.0f / 256, true, true};

static bool state_is_cubic(const VkSamplerGLStateCreateInfoCLAMPLER *state)
{
    return state->minFilter >= REFERENCE_CUBIC && state->minFilter <= REFERENCE_CUBIC_MIPMAP_LINEAR;
}

bool model_is_cubic(const struct sampler *sampler)
{
    return state_is_cubic(&sampler->state);
}

bool model_computes_levels(const struct model_lookup *lookup)
{
    return lookup->operation == LOOKUP_IMPLICIT || lookup->operation == LOOKUP_GRAD;
}

static float tolerance_of(const struct model_lookup *lookup, const struct format *format)
{
    float most = 1;
    if (lookup->operation == LOOKUP_QUERY_LOD) /* levels, whatever the format */
        return 1.0f / 256;
    for (int c = 0; c < 4; c++)
        most = fmaxf(most, fabsf(lookup->sampler->state.borderColor.float32[c]));
    if (format->class == FORMAT_FLOAT || format->class == FORMAT_DEPTH_FLOAT)
        return most / 256;
    const bool wide = format->class == FORMAT_SNORM || format->srgb;
    if (state_is_cubic(&lookup->sampler->state)) /* weights add up to one, and to more without their signs */
        return 3.0f / 255;
    /* llvmpipe blends of three directions are half of 1/255 further off (tests/README.md). */
    const bool levels = lookup->sampler->state.minFilter == GL_LINEAR_MIPMAP_LINEAR;
    return (wide ? 2.0f : 1.0f) * (levels ? 1.5f : 1.0f) / 255 + 1e-6f;
}

static void inputs_of(const struct pushed *pushed, struct lookup_input inputs[COORDINATES])
{
    for (unsigned i = 0; i < COORDINATES; i++)
        inputs[i] = (struct lookup_input){.p = {pushed->base[0] + pushed->step[0] * (float)(i % 8),
                                                pushed->base[1] + pushed->step[1] * (float)(i / 8), 0, 0},
                                          .extra = {pushed->lod},
                                          .dx = {pushed->gradient[0]},
                                          .dy = {0, pushed->gradient[1]}};
}

/* Texels of levels in front of this one, of textures of 4 x 4; with those of the border, if there are some. */
static size_t texels_before(unsigned level, bool bordered)
{
    return level == 0 ? 0 : level == 1 ? (bordered ? 36 : 16) : bordered ? 52 : 20;
}

/* The levels of a view: `first` and what is above it, with the least level of detail counted from there. */
static struct lookup_reference part_of(const struct texture *texture, unsigned first, float least)
{
    struct lookup_reference part = texture->reference;
    part.texture.levels -= (int32_t)first;
    memmove(part.texture.level, part.texture.level + first, (IMAGE_LEVELS - first) * sizeof(part.texture.level[0]));
    if (part.other)
        part.other += texels_before(first, part.texture.bordered);
    part.texture.least_level = fmaxf(least - (float)first, 0);
    return part;
}

/* Fetches and gathers below the view's least level of detail. */
static bool is_undefined(const struct model_lookup *lookup)
{
    const unsigned first = lookup->view->first, last = IMAGE_LEVELS - 1 - first;
    const float given = truncf(fminf(fmaxf(lookup->pushed->lod, 0), (float)last)),
                level = lookup->operation == LOOKUP_FETCH ? given : 0;
    return (lookup->operation == LOOKUP_FETCH || lookup->operation == LOOKUP_GATHER) &&
           level + (float)first < floorf(lookup->view->least.minLod);
}

/* What queries say of the level that is sampled is the view's least one at least; without blends between two: rounded.
 */
static void bound_queried(const struct model_lookup *lookup, float least, struct reference_result *result)
{
    const uint32_t filter = lookup->sampler->state.minFilter;
    const bool between = filter == GL_LINEAR_MIPMAP_LINEAR || filter == GL_NEAREST_MIPMAP_LINEAR;
    if (!least)
        return;
    result->rgba.f[0] = fmaxf(result->rgba.f[0], least);
    result->low.f[0] = fmaxf(result->low.f[0], between ? least : ceilf(least - 0.5f));
    result->high.f[0] = fmaxf(result->high.f[0], between ? least : floorf(least + 0.5f));
}

static size_t describe(const struct model_lookup *lookup, char *text, size_t size)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *s = &lookup->sampler->state;
    const VkImageViewGLStateCreateInfoCLAMPLER *v = &lookup->view->state;
    const int length = snprintf(
        text, size,
        "operation %d, format %s, margin %u, %s view: first %u, least %g, base 0x%x, depth 0x%x, swizzle %x %x %x %x, "
        "%s sampler: "
        "wrap 0x%x 0x%x, "
        "filters 0x%x 0x%x, levels %g to %g, bias %g, decode 0x%x, reduction 0x%x, border %g %g %g %g, level %g, steps "
        "%g %g",
        (int)lookup->operation, format_of(lookup->device->textures[lookup->view->image].format)->name,
        lookup->view->texture.borderWidth, lookup->view->gl ? "GL" : "plain", lookup->view->first,
        (double)lookup->view->least.minLod, v->baseFormat, v->depthMode, v->swizzle[0], v->swizzle[1], v->swizzle[2],
        v->swizzle[3],
        lookup->sampler->gl        ? "GL"
        : lookup->sampler->offered ? "offered"
                                   : "plain",
        s->wrapS, s->wrapT, s->minFilter, s->magFilter, (double)s->minLod, (double)s->maxLod, (double)s->lodBias,
        s->srgbDecode, s->reductionMode, (double)s->borderColor.float32[0], (double)s->borderColor.float32[1],
        (double)s->borderColor.float32[2], (double)s->borderColor.float32[3], (double)lookup->pushed->lod,
        (double)lookup->pushed->step[0], (double)lookup->pushed->step[1]);
    return length > 0 && (size_t)length < size ? (size_t)length : size;
}

/* (0, 0, 0, 1), of which gathers see the first; what level is asked for, is not said. */
static bool accepts_incomplete(const struct model_lookup *lookup, const float seen[COORDINATES][4], char *text,
                               size_t size)
{
    const float wanted[4] = {0, 0, 0, lookup->operation == LOOKUP_GATHER ? 0 : 1};
    for (unsigned i = 0; i < COORDINATES && lookup->operation != LOOKUP_QUERY_LOD; i++) {
        float most = 0;
        for (int c = 0; c < 4; c++)
            most = fmaxf(most, fabsf(seen[i][c] - wanted[c]));
        if (most <= 1e-6f) /* cubic filters add up weights to 1 */
            continue;
        const size_t used = describe(lookup, text, size);
        snprintf(text + used, size - used, "; incomplete, and is %g %g %g %g", (double)seen[i][0], (double)seen[i][1],
                 (double)seen[i][2], (double)seen[i][3]);
        return false;
    }
    return true;
}

static bool accepts_image(const struct model_lookup *lookup, const float seen[COORDINATES][4], char *text, size_t size)
{
    const struct texture *texture = &lookup->device->textures[lookup->view->image];
    const struct lookup_reference part = part_of(texture, lookup->view->first, lookup->view->least.minLod);
    const struct lookup one = {.dimension = LOOKUP_2D, .operation = lookup->operation};
    const bool computed = model_computes_levels(lookup) || lookup->operation == LOOKUP_QUERY_LOD;
    const float tolerance = tolerance_of(lookup, format_of(texture->format));
    struct lookup_input inputs[COORDINATES];
    struct reference_result results[COORDINATES];
    if (is_undefined(lookup))
        return true;
    if (lookup->view->texture.incomplete)
        return accepts_incomplete(lookup, seen, text, size);
    inputs_of(lookup->pushed, inputs);
    lookup_reference_run(&part, &one, &lookup->sampler->state, &lookup->view->state, (struct lookup_grid){8, 2}, inputs,
                         computed ? &loose : &ideal, results);
    for (unsigned i = 0; i < COORDINATES; i++) {
        union reference_color value;
        if (lookup->operation == LOOKUP_QUERY_LOD)
            bound_queried(lookup, part.texture.least_level, &results[i]);
        memcpy(value.f, seen[i], sizeof(value.f));
        if (reference_accepts(&results[i], REFERENCE_FLOAT, &value, tolerance, 15))
            continue;
        const size_t used = describe(lookup, text, size);
        snprintf(text + used, size - used, "; at %g %g is %g %g %g %g, not %g %g %g %g (%g %g %g %g to %g %g %g %g)",
                 (double)inputs[i].p[0], (double)inputs[i].p[1], (double)seen[i][0], (double)seen[i][1],
                 (double)seen[i][2], (double)seen[i][3], (double)results[i].rgba.f[0], (double)results[i].rgba.f[1],
                 (double)results[i].rgba.f[2], (double)results[i].rgba.f[3], (double)results[i].low.f[0],
                 (double)results[i].low.f[1], (double)results[i].low.f[2], (double)results[i].low.f[3],
                 (double)results[i].high.f[0], (double)results[i].high.f[1], (double)results[i].high.f[2],
                 (double)results[i].high.f[3]);
        return false;
    }
    return true;
}

bool model_accepts(const struct model_lookup *lookup, const float seen[COORDINATES][4], char *text, size_t size)
{
    return lookup->texels ? accepts_texels(lookup, seen, text, size) : accepts_image(lookup, seen, text, size);
}
