/* SPDX-License-Identifier: MIT */
#include "guests/nv2a.h"

#include <math.h>
#include <string.h>

static uint32_t field(uint32_t word, uint32_t shift, uint32_t mask)
{
    return word >> shift & mask;
}

static uint32_t texel_bytes(enum nv2a_color color)
{
    switch (color) {
    case NV2A_SZ_Y8:
    case NV2A_SZ_AY8:
    case NV2A_SZ_A8:
        return 1;
    case NV2A_SZ_A8R8G8B8:
    case NV2A_SZ_X8R8G8B8:
    case NV2A_SZ_A8B8G8R8:
        return 4;
    default:
        return 2;
    }
}

struct nv2a_shape nv2a_shape_of(const struct nv2a_stage *stage)
{
    static const uint32_t sizes[3] = {NV2A_TEXFMT_BASE_SIZE_U_SHIFT, NV2A_TEXFMT_BASE_SIZE_V_SHIFT,
                                      NV2A_TEXFMT_BASE_SIZE_P_SHIFT};
    struct nv2a_shape shape = {
        .color = (enum nv2a_color)field(stage->texfmt, NV2A_TEXFMT_COLOR_SHIFT, NV2A_TEXFMT_COLOR_MASK),
        .axes = field(stage->texfmt, NV2A_TEXFMT_DIMENSIONALITY_SHIFT, NV2A_TEXFMT_DIMENSIONALITY_MASK),
        .levels = field(stage->texfmt, NV2A_TEXFMT_MIPMAP_LEVELS_SHIFT, NV2A_TEXFMT_NUMBER_MASK),
        .margin = stage->texfmt & NV2A_TEXFMT_BORDER_SOURCE_COLOR ? 0 : 4,
    };
    if (!shape.levels)
        shape.levels = 1;
    for (uint32_t axis = 0; axis < 3; axis++) {
        shape.size[axis] = shape.stored[axis] = 1;
        if (axis >= shape.axes)
            continue;
        shape.size[axis] = 1u << field(stage->texfmt, sizes[axis], NV2A_TEXFMT_NUMBER_MASK);
        shape.stored[axis] = shape.margin ? 2 * shape.size[axis] : shape.size[axis];
        if (shape.margin && shape.stored[axis] < 16)
            shape.stored[axis] = 16;
    }
    shape.texel = texel_bytes(shape.color);
    shape.depth = shape.color == NV2A_SZ_DEPTH_Y16_FIXED;
    return shape;
}

uint32_t nv2a_level_size(uint32_t base, uint32_t level)
{
    return base >> level ? base >> level : 1;
}

static size_t level_texels(const struct nv2a_shape *shape, uint32_t level)
{
    size_t texels = 1;
    for (uint32_t axis = 0; axis < 3; axis++)
        texels *= nv2a_level_size(shape->stored[axis], level);
    return texels;
}

size_t nv2a_memory_size(const struct nv2a_shape *shape)
{
    size_t texels = 0;
    for (uint32_t level = 0; level < shape->levels; level++)
        texels += level_texels(shape, level);
    return texels * shape->texel;
}

/* Morton order: a bit of each axis by turns, the lowest first, of those axes that have bits left. */
size_t nv2a_texel_place(const struct nv2a_shape *shape, uint32_t level, const uint32_t at[3])
{
    size_t begin = 0, place = 0;
    for (uint32_t before = 0; before < level; before++)
        begin += level_texels(shape, before);
    uint32_t to = 0;
    for (uint32_t bit = 0; bit < 16; bit++)
        for (uint32_t axis = 0; axis < 3; axis++)
            if (nv2a_level_size(shape->stored[axis], level) >> (bit + 1))
                place |= (size_t)(at[axis] >> bit & 1) << to++;
    return (begin + place) * shape->texel;
}

float nv2a_lod_bias(const struct nv2a_stage *stage)
{
    const int32_t bias = (int32_t)(stage->texfilter & NV2A_TEXFILTER_LOD_BIAS_MASK);
    return (float)(bias & (int32_t)NV2A_TEXFILTER_LOD_BIAS_SIGN ? bias - 0x2000 : bias) / (float)NV2A_LOD_ONE;
}

float nv2a_lod_bound(const struct nv2a_stage *stage, uint32_t shift)
{
    return (float)field(stage->texctl0, shift, NV2A_TEXCTL0_LOD_MASK) / (float)NV2A_LOD_ONE;
}

enum nv2a_address nv2a_address_of(const struct nv2a_stage *stage, uint32_t axis)
{
    return (enum nv2a_address)field(stage->texaddress, 8 * axis, NV2A_TEXADDRESS_ADDR_MASK);
}

enum nv2a_filter nv2a_min_filter(const struct nv2a_stage *stage)
{
    return (enum nv2a_filter)field(stage->texfilter, NV2A_TEXFILTER_MIN_SHIFT, NV2A_TEXFILTER_MIN_MASK);
}

enum nv2a_filter nv2a_mag_filter(const struct nv2a_stage *stage)
{
    return (enum nv2a_filter)field(stage->texfilter, NV2A_TEXFILTER_MAG_SHIFT, NV2A_TEXFILTER_MAG_MASK);
}

static float part(uint32_t word, uint32_t shift, uint32_t bits)
{
    const uint32_t most = (1u << bits) - 1;
    return (float)(word >> shift & most) / (float)most;
}

/* What stands in the place of the channels that a format lacks, for texels and for the border's colour alike. */
static void show(enum nv2a_color color, float rgba[4])
{
    switch (color) {
    case NV2A_SZ_Y8: /* luminance is kept as red */
        rgba[1] = rgba[2] = rgba[0];
        rgba[3] = 1;
        break;
    case NV2A_SZ_AY8:
        rgba[1] = rgba[2] = rgba[3] = rgba[0];
        break;
    case NV2A_SZ_A8Y8:
        rgba[1] = rgba[2] = rgba[0];
        break;
    case NV2A_SZ_A8:
        rgba[0] = rgba[1] = rgba[2] = 1;
        break;
    case NV2A_SZ_G8B8: /* green and blue, each shown twice */
        rgba[0] = rgba[2];
        rgba[3] = rgba[1];
        break;
    case NV2A_SZ_X1R5G5B5:
    case NV2A_SZ_R5G6B5:
    case NV2A_SZ_X8R8G8B8:
        rgba[3] = 1;
        break;
    default:
        break;
    }
}

static void decode(enum nv2a_color color, uint32_t word, float rgba[4])
{
    /* Shift and bits of red, green, blue and alpha. */
    static const struct {
        enum nv2a_color color;
        uint8_t shift[4], bits[4];
    } layouts[] = {
        {NV2A_SZ_Y8, {0}, {8}},
        {NV2A_SZ_AY8, {0}, {8}},
        {NV2A_SZ_A8, {[3] = 0}, {[3] = 8}},
        {NV2A_SZ_A8Y8, {[3] = 8}, {8, 0, 0, 8}},
        {NV2A_SZ_G8B8, {0, 8, 0, 0}, {0, 8, 8, 0}},
        {NV2A_SZ_DEPTH_Y16_FIXED, {0}, {16}},
        {NV2A_SZ_A1R5G5B5, {10, 5, 0, 15}, {5, 5, 5, 1}},
        {NV2A_SZ_X1R5G5B5, {10, 5, 0, 15}, {5, 5, 5, 0}},
        {NV2A_SZ_A4R4G4B4, {8, 4, 0, 12}, {4, 4, 4, 4}},
        {NV2A_SZ_R5G6B5, {11, 5, 0, 0}, {5, 6, 5, 0}},
        {NV2A_SZ_A8R8G8B8, {16, 8, 0, 24}, {8, 8, 8, 8}},
        {NV2A_SZ_X8R8G8B8, {16, 8, 0, 24}, {8, 8, 8, 0}},
        {NV2A_SZ_A8B8G8R8, {0, 8, 16, 24}, {8, 8, 8, 8}},
    };
    memset(rgba, 0, 4 * sizeof(*rgba));
    for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
        for (unsigned c = 0; layouts[i].color == color && c < 4; c++)
            if (layouts[i].bits[c])
                rgba[c] = part(word, layouts[i].shift[c], layouts[i].bits[c]);
    show(color, rgba);
}

/* `at`: from the first texel of the texture on, so that border texels have -1 and the size. */
static void read_texel(const struct nv2a_stage *stage, const struct nv2a_shape *shape, uint32_t level,
                       const int32_t at[3], float rgba[4])
{
    uint32_t place[3], word = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t size = (int32_t)nv2a_level_size(shape->size[axis], level);
        if (axis < shape->axes && !shape->margin && (at[axis] < 0 || at[axis] >= size)) {
            decode(NV2A_SZ_A8R8G8B8, stage->bordercolor, rgba);
            show(shape->color, rgba);
            return;
        }
        place[axis] = axis < shape->axes ? (uint32_t)(at[axis] + (int32_t)shape->margin) : 0;
    }
    const uint8_t *bytes = stage->memory + nv2a_texel_place(shape, level, place);
    for (uint32_t i = 0; i < shape->texel; i++)
        word |= (uint32_t)bytes[i] << 8 * i;
    decode(shape->color, word, rgba);
}

/* The coordinate in texels of a level. */
static float bounded(enum nv2a_address address, float coordinate, float size)
{
    const float u = coordinate * size;
    switch (address) {
    case NV2A_ADDR_CLAMP_TO_EDGE:
        return fminf(fmaxf(u, 0.5f), size - 0.5f);
    case NV2A_ADDR_BORDER:
        return fminf(fmaxf(u, -0.5f), size + 0.5f);
    case NV2A_ADDR_CLAMP_OGL:
        return fminf(fmaxf(u, 0), size);
    default:
        return u;
    }
}

/* A texel's number after WRAP and MIRROR; the others reach the border by -1 and the size. */
static int32_t wrapped(enum nv2a_address address, int32_t number, int32_t size)
{
    const int32_t once = ((number % size) + size) % size, twice = ((number % (2 * size)) + 2 * size) % (2 * size);
    if (address == NV2A_ADDR_WRAP)
        return once;
    return address == NV2A_ADDR_MIRROR ? twice < size ? twice : 2 * size - 1 - twice : number;
}

static bool passes(uint32_t zfunc, float depth, float r)
{
    return (zfunc & 1 && depth < r) || (zfunc & 2 && depth == r) || (zfunc & 4 && depth > r);
}

/* BOX and TENT in one level. */
static void filter(const struct nv2a_stage *stage, const struct nv2a_shape *shape, bool tent, uint32_t level,
                   const float p[3], float r, float rgba[4])
{
    int32_t first[3] = {0};
    float share[3] = {0};
    for (uint32_t axis = 0; axis < shape->axes; axis++) {
        const float size = (float)nv2a_level_size(shape->size[axis], level);
        const enum nv2a_address address = nv2a_address_of(stage, axis);
        float u = bounded(address, p[axis], size) - (tent ? 0.5f : 0);
        if (!tent && address == NV2A_ADDR_CLAMP_OGL)
            u = fminf(u, size - 0.5f); /* a single texel is never the border */
        first[axis] = (int32_t)floorf(u);
        share[axis] = tent ? u - floorf(u) : 0;
    }
    memset(rgba, 0, 4 * sizeof(*rgba));
    for (uint32_t corner = 0; corner < 1u << shape->axes; corner++) {
        int32_t at[3] = {0};
        float weight = 1, texel[4];
        for (uint32_t axis = 0; axis < shape->axes; axis++) {
            const bool second = corner >> axis & 1;
            weight *= second ? share[axis] : 1 - share[axis];
            at[axis] = wrapped(nv2a_address_of(stage, axis), first[axis] + second,
                               (int32_t)nv2a_level_size(shape->size[axis], level));
        }
        if (weight == 0)
            continue;
        read_texel(stage, shape, level, at, texel);
        if (shape->depth)
            texel[0] = texel[1] = texel[2] = texel[3] =
                passes(stage->shadowctl & NV2A_SHADOWCTL_SHADOW_ZFUNC_MASK, texel[0], fminf(fmaxf(r, 0), 1));
        for (unsigned c = 0; c < 4; c++)
            rgba[c] += weight * texel[c];
    }
}

void nv2a_lookup(const struct nv2a_stage *stage, const float p[3], float r, float level, float rgba[4])
{
    const struct nv2a_shape shape = nv2a_shape_of(stage);
    const float least = nv2a_lod_bound(stage, NV2A_TEXCTL0_MIN_LOD_SHIFT);
    const float most = nv2a_lod_bound(stage, NV2A_TEXCTL0_MAX_LOD_SHIFT);
    const float lod = fminf(fmaxf(level + nv2a_lod_bias(stage), least), most);
    const enum nv2a_filter mag = nv2a_mag_filter(stage), min = nv2a_min_filter(stage);
    const float last = (float)(shape.levels - 1), of_levels = fminf(lod, last);
    if (lod <= 0) {
        filter(stage, &shape, mag == NV2A_FILTER_TENT_LOD0, 0, p, r, rgba);
        return;
    }
    const bool tent =
        min == NV2A_FILTER_TENT_LOD0 || min == NV2A_FILTER_TENT_NEARESTLOD || min == NV2A_FILTER_TENT_TENT_LOD;
    if (min <= NV2A_FILTER_TENT_LOD0) {
        filter(stage, &shape, tent, 0, p, r, rgba);
    } else if (min <= NV2A_FILTER_TENT_NEARESTLOD) {
        filter(stage, &shape, tent, (uint32_t)ceilf(of_levels + 0.5f) - 1, p, r, rgba);
    } else {
        const uint32_t level0 = (uint32_t)of_levels;
        const float share = of_levels - (float)level0;
        float other[4];
        filter(stage, &shape, tent, level0, p, r, rgba);
        if (share == 0)
            return;
        filter(stage, &shape, tent, level0 + 1, p, r, other);
        for (unsigned c = 0; c < 4; c++)
            rgba[c] += share * (other[c] - rgba[c]);
    }
}
