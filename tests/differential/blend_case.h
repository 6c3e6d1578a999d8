/* SPDX-License-Identifier: MIT */
/*
 * Blending to attachments with and without alpha: what is compared. A case is plain data; the list is every pair of
 * factors under every equation, for every format, both kinds of attachment, and everything that memory may hold before.
 */
#ifndef CLAMPLER_DIFFERENTIAL_BLEND_CASE_H
#define CLAMPLER_DIFFERENTIAL_BLEND_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum { BLEND_SIZE = 16, BLEND_PIXELS = BLEND_SIZE * BLEND_SIZE, BLEND_FACTORS = 19 };

/* BLEND_SPECIAL16: what halves cannot hold, infinities and what is no number are drawn, and nothing is blended. */
enum blend_family {
    BLEND_UNORM8,
    BLEND_SRGB8,
    BLEND_RGB10,
    BLEND_FLOAT16,
    BLEND_UINT8,
    BLEND_SPECIAL16,
    BLEND_FAMILIES
};
enum blend_contents { BLEND_UPLOADED, BLEND_CLEARED, BLEND_DRAWN, BLEND_CONTENTS };

/* Blend state, drawn to every kind of attachment in turn with one pipeline. */
struct blend_draw {
    enum blend_family family;
    bool blends;
    VkBlendFactor source, destination; /* of colours; of alpha the other way round */
    VkBlendOp op;
    VkColorComponentFlags mask;
    bool logic;
    VkLogicOp logic_op;
};

struct blend_case {
    struct blend_draw draw;
    bool alpha; /* the attachment has alpha (GL_RGBA) */
    enum blend_contents contents;
};

struct blend_family_info {
    const char *name;
    VkFormat format;
    size_t texel_size;
    uint32_t gl_rgb, gl_rgba;    /* GL's sized internal formats */
    uint32_t gl_format, gl_type; /* of texels in memory, the same as Vulkan's */
    float steps;                 /* of the whole range that a colour may differ by, as 1/steps; 0: equal */
};

const struct blend_family_info *blend_family(enum blend_family family);

/* Whether it is blended at all, and what blending makes of it is known as a number. */
bool blend_has_numbers(enum blend_family family);

/* The draws of a family, `count` of them; `full`: all, else a share of them. To free(). */
struct blend_draw *blend_draws(enum blend_family family, bool full, size_t *count);

/* Whether the second source of the fragment shader is read. */
bool blend_reads_second(const struct blend_draw *draw);

/* The texels that are uploaded, alpha being noise as well: BLEND_PIXELS of them. */
void blend_texels(enum blend_family family, void *texels);

/* A pixel in memory as numbers; colours of sRGB stay as they are encoded. */
void blend_decode(enum blend_family family, const void *pixels, uint32_t index, float rgba[4]);

/* Puts 1 into the alpha of every pixel. */
void blend_set_alpha_one(enum blend_family family, void *pixels);

/* The source alpha of a pixel, as the fragment shader gives it. */
float blend_source_alpha(uint32_t index);

/* The colour of vkCmdClear… and glClearBuffer; alpha is not 1. */
extern const float blend_clear_color[4];
extern const uint32_t blend_clear_integers[4];
extern const float blend_constants[4];

/*
 * What the specification makes of a pixel: linear colours in memory before, and after. Alpha of the attachment is 1 if
 * it has none. Only for cases that blend or replace.
 */
void blend_reference(const struct blend_case *one, uint32_t index, const float before[4], float after[4]);

/* A colour that is encoded as sRGB, as the number that is blended. */
float blend_linear(float encoded);

/* In words. */
void blend_describe(const struct blend_case *one, char *text, size_t size);

#endif
