/* SPDX-License-Identifier: MIT */
/* Formats of textures: what OpenGL calls them, and where a translator keeps them in Vulkan. */
#ifndef RANDOM_FORMAT_H
#define RANDOM_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum sample_type { SAMPLE_FLOAT, SAMPLE_INT, SAMPLE_UINT };

/* What the codes of random texels are. */
enum texel_kind {
    TEXEL_BITS,    /* any bits: normalised numbers and integers */
    TEXEL_HALF,    /* halves between -2 and 2 */
    TEXEL_FLOAT,   /* floats between -2 and 2 */
    TEXEL_F11,     /* packed floats without a sign, up to 2 */
    TEXEL_E5,      /* a shared exponent, up to 2 */
    TEXEL_DEPTH,   /* floats between 0 and 1 */
    TEXEL_DEPTH24, /* the same, in steps of 1 / (2^24 - 1) */
    TEXEL_STENCIL, /* depth, and stencil as second channel */
    TEXEL_BLOCK,   /* any bits: a block of 4 x 4 texels is the texel, and its words are the channels */
};

enum { BLOCK_SIDE = 4 };

/*
 * A texel is up to four codes of `bits` bits, one for each of OpenGL's channels in its order; or, packed, one code of
 * `bits`, which is the same for both.
 */
struct format {
    const char *name;
    uint32_t internal, format, type; /* of glTexImage */
    uint32_t base;                   /* OpenGL's base format */
    VkFormat vulkan;
    enum sample_type sample;
    enum texel_kind texels;
    int channels, bits;
    int vulkan_channels; /* of memory; 0: packed */
    int8_t place[4];     /* where in memory OpenGL's channels are */
    bool ordered;        /* `order` is chained to views */
    bool alpha_zero;     /* alpha is 0 and stays so: OpenGL's texture is drawn to without it */
    VkComponentMapping order;
    float step; /* of one code as a number, for tolerances; 0: integers, floats */
    bool attachment, buffer, depth, srgb;
};

extern const struct format random_formats[];
extern const int random_format_count;

/* Are channels kept elsewhere than blending has them, so that the layer must find a blend state that means the same? */
bool format_moves(const struct format *format);

static inline bool format_is_integer(const struct format *format)
{
    return format->sample != SAMPLE_FLOAT;
}

#endif
