/* SPDX-License-Identifier: MIT */
/*
 * What linear and cubic blits must give: section "Image Copies with Scaling" of the specification in plain C, in double
 * precision, with formats described anew, so that nothing is shared with the layer.
 */
#ifndef CLAMPLER_INTEGRATION_BLIT_REFERENCE_H
#define CLAMPLER_INTEGRATION_BLIT_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum blit_numbers { NUMBERS_UNORM, NUMBERS_SNORM, NUMBERS_FLOAT, NUMBERS_SRGB, NUMBERS_SHARED };

struct blit_format {
    VkFormat format;
    const char *name;
    uint32_t bytes; /* of a texel */
    enum blit_numbers numbers;
    uint32_t bits[4], shift[4]; /* of R, G, B, A in the texel, read as a little-endian number */
};

extern const struct blit_format blit_formats[];
extern const uint32_t blit_format_count;
const struct blit_format *blit_format(VkFormat format); /* NULL: not in the list */

/* A level of an image, or all its layers: texels tightly packed, z over slices or layers. */
struct blit_texture {
    const struct blit_format *format;
    int32_t size[3];
    bool layers; /* z counts layers: never filtered across */
    uint8_t *texels;
};

/* Fills it with numbers that its format can hold: floats between -4 and 4, all values of fixed-point formats. */
void blit_texture_fill(struct blit_texture *texture, uint32_t seed);

/* One region; z of a texture with layers counts from its first layer. */
struct blit_offsets {
    int32_t source[2][3], target[2][3];
    uint32_t cubic; /* 0: linear, else 1 + VkCubicFilterWeightsQCOM */
};

/*
 * What texel `at` of the target must be, before it is converted to the target's format. Coordinates are clamped to the
 * image, or with `region_edge` to the region: implementations may do either.
 */
void blit_expected(const struct blit_texture *source, const struct blit_offsets *offsets, const int32_t at[3],
                   bool region_edge, double expected[4]);

/*
 * Whether the texel in memory is that value in this format: correctly rounded, give or take 32-bit arithmetic, and
 * `slack` more in the value itself. Says in *channel which one is not, and in *found what is there.
 */
bool blit_agrees(const struct blit_format *format, const uint8_t *texel, const double expected[4], double slack,
                 unsigned *channel, double *found);

#endif
