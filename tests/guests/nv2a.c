/* SPDX-License-Identifier: MIT */
#include "guests/nv2a.h"

#include <string.h>

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
        .color = (enum nv2a_color)nvidia_field(stage->texfmt, NV2A_TEXFMT_COLOR_SHIFT, NV2A_TEXFMT_COLOR_MASK),
        .axes = nvidia_field(stage->texfmt, NV2A_TEXFMT_DIMENSIONALITY_SHIFT, NV2A_TEXFMT_DIMENSIONALITY_MASK),
        .levels = nvidia_field(stage->texfmt, NV2A_TEXFMT_MIPMAP_LEVELS_SHIFT, NV2A_TEXFMT_NUMBER_MASK),
        .margin = stage->texfmt & NV2A_TEXFMT_BORDER_SOURCE_COLOR ? 0 : 4,
    };
    if (!shape.levels)
        shape.levels = 1;
    for (uint32_t axis = 0; axis < 3; axis++) {
        shape.size[axis] = shape.stored[axis] = 1;
        if (axis >= shape.axes)
            continue;
        shape.size[axis] = 1u << nvidia_field(stage->texfmt, sizes[axis], NV2A_TEXFMT_NUMBER_MASK);
        shape.stored[axis] = shape.margin ? 2 * shape.size[axis] : shape.size[axis];
        if (shape.margin && shape.stored[axis] < 16)
            shape.stored[axis] = 16;
    }
    shape.texel = texel_bytes(shape.color);
    return shape;
}

static size_t level_texels(const struct nv2a_shape *shape, uint32_t level)
{
    size_t texels = 1;
    for (uint32_t axis = 0; axis < 3; axis++)
        texels *= nvidia_level_size(shape->stored[axis], level);
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
            if (nvidia_level_size(shape->stored[axis], level) >> (bit + 1))
                place |= (size_t)(at[axis] >> bit & 1) << to++;
    return (begin + place) * shape->texel;
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

static void read_texel(const struct nvidia_stage *decoded, uint32_t level, const int32_t at[3], float rgba[4])
{
    const struct nv2a_stage *stage = decoded->registers;
    const struct nv2a_shape shape = nv2a_shape_of(stage);
    uint32_t place[3], word = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t size = (int32_t)nvidia_level_size(shape.size[axis], level);
        if (axis < shape.axes && !shape.margin && (at[axis] < 0 || at[axis] >= size)) {
            nvidia_color(stage->bordercolor, rgba);
            show(shape.color, rgba);
            return;
        }
        place[axis] = axis < shape.axes ? (uint32_t)(at[axis] + (int32_t)shape.margin) : 0;
    }
    const uint8_t *bytes = stage->memory + nv2a_texel_place(&shape, level, place);
    for (uint32_t i = 0; i < shape.texel; i++)
        word |= (uint32_t)bytes[i] << 8 * i;
    decode(shape.color, word, rgba);
}

struct nvidia_stage nv2a_decode(const struct nv2a_stage *stage)
{
    const struct nv2a_shape shape = nv2a_shape_of(stage);
    struct nvidia_stage decoded = {
        .axes = shape.axes,
        .levels = shape.levels,
        .size = {shape.size[0], shape.size[1], shape.size[2]},
        .depth = shape.color == NV2A_SZ_DEPTH_Y16_FIXED,
        .min = (enum nvidia_filter)nvidia_field(stage->texfilter, NV2A_TEXFILTER_MIN_SHIFT, NV2A_TEXFILTER_MIN_MASK),
        .mag = (enum nvidia_filter)nvidia_field(stage->texfilter, NV2A_TEXFILTER_MAG_SHIFT, NV2A_TEXFILTER_MAG_MASK),
        .min_lod = nvidia_lod(nvidia_field(stage->texctl0, NV2A_TEXCTL0_MIN_LOD_SHIFT, NV2A_TEXCTL0_LOD_MASK)),
        .max_lod = nvidia_lod(nvidia_field(stage->texctl0, NV2A_TEXCTL0_MAX_LOD_SHIFT, NV2A_TEXCTL0_LOD_MASK)),
        .lod_bias = nvidia_lod_bias(stage->texfilter & NV2A_TEXFILTER_LOD_BIAS_MASK),
        .zfunc = stage->shadowctl & NV2A_SHADOWCTL_SHADOW_ZFUNC_MASK,
        .texel = read_texel,
        .registers = stage,
    };
    for (uint32_t axis = 0; axis < 3; axis++)
        decoded.address[axis] =
            (enum nvidia_address)nvidia_field(stage->texaddress, 8 * axis, NV2A_TEXADDRESS_ADDR_MASK);
    return decoded;
}
