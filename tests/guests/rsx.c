/* SPDX-License-Identifier: MIT */
#include "guests/rsx.h"

#include <string.h>

static uint32_t texel_bytes(enum rsx_color color)
{
    switch (color) {
    case RSX_B8:
        return 1;
    case RSX_A8R8G8B8:
    case RSX_D8R8G8B8:
        return 4;
    default:
        return 2;
    }
}

struct rsx_shape rsx_shape_of(const struct rsx_unit *unit)
{
    struct rsx_shape shape = {
        .color = (enum rsx_color)nvidia_field(unit->format, RSX_FORMAT_COLOR_SHIFT, RSX_FORMAT_COLOR_MASK),
        .axes = nvidia_field(unit->format, RSX_FORMAT_DIMENSION_SHIFT, RSX_FORMAT_DIMENSION_MASK),
        .levels = nvidia_field(unit->format, RSX_FORMAT_MIPMAP_SHIFT, RSX_FORMAT_MIPMAP_MASK),
        .size = {nvidia_field(unit->image_rect, RSX_IMAGE_RECT_WIDTH_SHIFT, RSX_IMAGE_RECT_MASK), 1, 1},
    };
    if (!shape.levels)
        shape.levels = 1;
    if (shape.axes > 1)
        shape.size[1] = unit->image_rect & RSX_IMAGE_RECT_MASK;
    if (shape.axes > 2)
        shape.size[2] = unit->control3 >> RSX_CONTROL3_DEPTH_SHIFT;
    if (!(unit->format & RSX_FORMAT_BORDER_COLOR))
        shape.margin = unit->format & RSX_FORMAT_LN ? 1 : 4;
    shape.texel = texel_bytes(shape.color);
    if (unit->format & RSX_FORMAT_LN)
        shape.pitch = unit->control3 & RSX_CONTROL3_PITCH_MASK;
    return shape;
}

/* Texels of a level in memory along each axis. */
static void stored_size(const struct rsx_shape *shape, uint32_t level, uint32_t size[3])
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        size[axis] = nvidia_level_size(shape->size[axis], level);
        if (axis < 2)
            size[axis] += 2 * shape->margin;
        while (!shape->pitch && size[axis] & (size[axis] - 1)) /* to the next power of two */
            size[axis] += size[axis] & ~(size[axis] - 1);
    }
}

static size_t level_bytes(const struct rsx_shape *shape, uint32_t level)
{
    uint32_t size[3];
    stored_size(shape, level, size);
    return (size_t)size[2] * size[1] * (shape->pitch ? shape->pitch : size[0] * shape->texel);
}

size_t rsx_memory_size(const struct rsx_shape *shape)
{
    size_t bytes = 0;
    for (uint32_t level = 0; level < shape->levels; level++)
        bytes += level_bytes(shape, level);
    return bytes;
}

uint32_t rsx_texel_word(const struct rsx_unit *unit, const struct rsx_shape *shape, uint32_t level, const int32_t at[3])
{
    uint32_t size[3], place[3], word = 0;
    size_t begin = 0, texel = 0;
    for (uint32_t before = 0; before < level; before++)
        begin += level_bytes(shape, before);
    stored_size(shape, level, size);
    for (uint32_t axis = 0; axis < 3; axis++)
        place[axis] = (uint32_t)(at[axis] + (axis < 2 ? (int32_t)shape->margin : 0));
    if (shape->pitch) {
        begin += (size_t)(place[2] * size[1] + place[1]) * shape->pitch + (size_t)place[0] * shape->texel;
    } else { /* a bit of each axis by turns, the lowest first, of those axes that have bits left */
        uint32_t to = 0;
        for (uint32_t bit = 0; bit < 16; bit++)
            for (uint32_t axis = 0; axis < 3; axis++)
                if (size[axis] >> (bit + 1))
                    texel |= (size_t)(place[axis] >> bit & 1) << to++;
        begin += texel * shape->texel;
    }
    for (uint32_t i = 0; i < shape->texel; i++)
        word = word << 8 | unit->memory[begin + i];
    return word;
}

enum rsx_source rsx_crossbar(const struct rsx_unit *unit, enum rsx_channel channel)
{
    switch (nvidia_field(unit->control1, RSX_CONTROL1_REMAP_SHIFT(channel), RSX_CONTROL1_MASK)) {
    case RSX_REMAP_ZERO:
        return RSX_IS_ZERO;
    case RSX_REMAP_ONE:
        return RSX_IS_ONE;
    default:
        return (enum rsx_source)nvidia_field(unit->control1, RSX_CONTROL1_FROM_SHIFT(channel), RSX_CONTROL1_MASK);
    }
}

static float part(uint32_t word, uint32_t shift, uint32_t bits)
{
    const uint32_t most = (1u << bits) - 1;
    return (float)(word >> shift & most) / (float)most;
}

/* A, R, G and B of a texel, and 0 and 1 behind them. */
static void decode(enum rsx_color color, uint32_t word, float sources[6])
{
    /* Shift and bits of each; none: 1. */
    static const struct {
        enum rsx_color color;
        uint8_t shift[4], bits[4];
    } layouts[] = {
        {RSX_B8, {0, 0, 0, 0}, {0, 8, 8, 8}},          {RSX_G8B8, {8, 0, 8, 0}, {8, 8, 8, 8}},
        {RSX_A1R5G5B5, {15, 10, 5, 0}, {1, 5, 5, 5}},  {RSX_D1R5G5B5, {15, 10, 5, 0}, {0, 5, 5, 5}},
        {RSX_A4R4G4B4, {12, 8, 4, 0}, {4, 4, 4, 4}},   {RSX_R5G6B5, {0, 11, 5, 0}, {0, 5, 6, 5}},
        {RSX_A8R8G8B8, {24, 16, 8, 0}, {8, 8, 8, 8}},  {RSX_D8R8G8B8, {24, 16, 8, 0}, {0, 8, 8, 8}},
        {RSX_DEPTH16, {0, 0, 0, 0}, {16, 16, 16, 16}},
    };
    for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
        for (unsigned c = 0; layouts[i].color == color && c < 4; c++)
            sources[c] = layouts[i].bits[c] ? part(word, layouts[i].shift[c], layouts[i].bits[c]) : 1;
}

/* The same of the border's colour. */
static void decode_border(enum rsx_color color, uint32_t word, float sources[6])
{
    float rgba[4];
    nvidia_color(word, rgba);
    switch (color) {
    case RSX_B8:
        sources[RSX_IS_A] = 1;
        sources[RSX_IS_R] = sources[RSX_IS_G] = sources[RSX_IS_B] = rgba[0];
        break;
    case RSX_G8B8:
        sources[RSX_IS_R] = sources[RSX_IS_B] = rgba[0];
        sources[RSX_IS_A] = sources[RSX_IS_G] = rgba[1];
        break;
    case RSX_DEPTH16:
        sources[RSX_IS_A] = sources[RSX_IS_R] = sources[RSX_IS_G] = sources[RSX_IS_B] = rgba[0];
        break;
    default:
        decode(RSX_A8R8G8B8, word, sources);
        if (color == RSX_R5G6B5 || color == RSX_D1R5G5B5 || color == RSX_D8R8G8B8)
            sources[RSX_IS_A] = 1;
        break;
    }
}

static void read_texel(const struct nvidia_stage *decoded, uint32_t level, const int32_t at[3], float rgba[4])
{
    static const enum rsx_channel order[4] = {RSX_FROM_R, RSX_FROM_G, RSX_FROM_B, RSX_FROM_A};
    const struct rsx_unit *unit = decoded->registers;
    const struct rsx_shape shape = rsx_shape_of(unit);
    float sources[6] = {[RSX_IS_ONE] = 1};
    bool border = false;
    for (uint32_t axis = 0; axis < shape.axes; axis++)
        if (at[axis] < 0 || at[axis] >= (int32_t)nvidia_level_size(shape.size[axis], level))
            border = !shape.margin;
    if (border)
        decode_border(shape.color, unit->border_color, sources);
    else
        decode(shape.color, rsx_texel_word(unit, &shape, level, at), sources);
    for (unsigned c = 0; c < 4; c++)
        rgba[c] = sources[rsx_crossbar(unit, order[c])];
}

struct nvidia_stage rsx_decode(const struct rsx_unit *unit)
{
    const struct rsx_shape shape = rsx_shape_of(unit);
    struct nvidia_stage decoded = {
        .axes = shape.axes,
        .levels = shape.levels,
        .depth = shape.color == RSX_DEPTH16,
        .min = (enum nvidia_filter)nvidia_field(unit->filter, RSX_FILTER_MIN_SHIFT, RSX_FILTER_MASK),
        .mag = (enum nvidia_filter)nvidia_field(unit->filter, RSX_FILTER_MAG_SHIFT, RSX_FILTER_MASK),
        .min_lod = nvidia_lod(nvidia_field(unit->control0, RSX_CONTROL0_MIN_LOD_SHIFT, RSX_CONTROL0_LOD_MASK)),
        .max_lod = nvidia_lod(nvidia_field(unit->control0, RSX_CONTROL0_MAX_LOD_SHIFT, RSX_CONTROL0_LOD_MASK)),
        .lod_bias = nvidia_lod_bias(unit->filter & RSX_FILTER_LOD_BIAS_MASK),
        .zfunc = nvidia_field(unit->address, RSX_ADDRESS_ZFUNC_SHIFT, RSX_ADDRESS_MASK),
        .texel = read_texel,
        .registers = unit,
    };
    memcpy(decoded.size, shape.size, sizeof(decoded.size));
    for (uint32_t axis = 0; axis < 3; axis++)
        decoded.address[axis] =
            (enum nvidia_address)nvidia_field(unit->address, RSX_ADDRESS_WRAP_S_SHIFT + 8 * axis, RSX_ADDRESS_MASK);
    return decoded;
}
