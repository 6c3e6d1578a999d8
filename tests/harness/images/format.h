/* SPDX-License-Identifier: MIT */
/*
 * Texture formats that the tests sample: what they are called on both sides, and what their bytes mean to the reference
 * sampler.
 */
#ifndef CLAMPLER_HARNESS_FORMAT_H
#define CLAMPLER_HARNESS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <GL/gl.h>
#include <GL/glext.h>
#include <vulkan/vulkan.h>

#include "reference/reference.h"

enum lookup_format {
    LOOKUP_RGBA8,
    LOOKUP_RGBA32F,
    LOOKUP_RGBA8UI,
    LOOKUP_DEPTH32F,
    LOOKUP_DEPTH16,
    LOOKUP_DEPTH24, /* OpenGL's 24 bits, which Vulkan keeps in D32_SFLOAT */
    LOOKUP_DEPTH32F_STENCIL8,
    LOOKUP_R8,
    LOOKUP_RG8,
    LOOKUP_RGBA8_SNORM,
    LOOKUP_SRGB8_ALPHA8,
    LOOKUP_R16,
    LOOKUP_RGBA16,
    LOOKUP_R16F,
    LOOKUP_RG16F,
    LOOKUP_RGBA16F,
    LOOKUP_R32F,
    LOOKUP_RG32F,
    LOOKUP_R8UI,
    LOOKUP_RGBA8I,
    LOOKUP_RGBA32UI,
    LOOKUP_RG32I,
    LOOKUP_BC1,
    LOOKUP_BC1_SRGB,
    LOOKUP_BC3,
    LOOKUP_BC4,
    LOOKUP_FORMATS,
};

enum format_class {
    FORMAT_UNORM,
    FORMAT_SNORM,
    FORMAT_FLOAT,
    FORMAT_UINT,
    FORMAT_INT,
    FORMAT_DEPTH_UNORM,
    FORMAT_DEPTH_FLOAT,
    FORMAT_COMPRESSED, /* decodes to what is between 0 and 1 */
};

struct format {
    const char *name;
    VkFormat vulkan;
    GLenum gl_internal, gl_format, gl_type; /* as in glTexImage2D; gl_format 0: compressed */
    enum format_class class;
    uint8_t size;     /* bytes of a texel, or of a block */
    uint8_t side;     /* texels along a block's side: 1 or 4 */
    uint8_t channels; /* red first */
    uint8_t bits;     /* of a channel */
    bool srgb;        /* red, green and blue are decoded */
};

/* A static entry. */
const struct format *format_of(enum lookup_format format);

bool format_is_depth(enum lookup_format format);   /* depth can be sampled from it, and compared */
bool format_is_integer(enum lookup_format format); /* as a colour */

/* Bytes of a level of `width` x `height` x `depth` texels and `layers`, tightly packed. */
size_t format_level_size(enum lookup_format format, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers);

/* How the same bytes are to be read. */
enum format_reading {
    FORMAT_AS_IT_IS,
    FORMAT_UNDECODED, /* sRGB formats: without the decoding */
    FORMAT_STENCIL,   /* the stencil of a depth and stencil format */
};

enum reference_kind format_kind(enum lookup_format format, enum format_reading reading);

/*
 * The texels of one such level, x fastest, then y, z, layer. Channels that the format lacks: 0, 0, 0 and 1 (integer
 * formats: the integer).
 */
void format_decode(enum lookup_format format, enum format_reading reading, uint32_t width, uint32_t height,
                   uint32_t depth_and_layers, const void *bytes, union reference_color *texels);

/*
 * Fills one texel, or one block, with contents that depend on `random` and the level: neighbours differ by at most a
 * third of the range, levels by more. Compressed blocks hold their two end colours, nothing between.
 */
void format_fill(enum lookup_format format, uint32_t random, uint32_t level, void *bytes);

/* IEEE half and back; finite numbers in the half's range. */
uint16_t format_half(float value);
float format_from_half(uint16_t half);

#endif
