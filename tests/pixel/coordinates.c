/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "pixel/pixel.h"

/* The radical inverse of n: scattered, but the same in every run. */
static float scattered(uint32_t n, uint32_t base)
{
    float value = 0, digit = 1;
    for (; n; n /= base) {
        digit /= (float)base;
        value += digit * (float)(n % base);
    }
    return value;
}

static float between(float low, float high, float t)
{
    return low + (high - low) * t;
}

static uint32_t extent_of(const struct lookup_texture *texture, int axis)
{
    uint32_t extents[3] = {texture->width, texture->height, texture->depth};
    return extents[axis] ? extents[axis] : 1;
}

/* A coordinate where some mode bends: a multiple of 1 with none, half or one and a half texels beside it. */
static float bend(uint32_t n, uint32_t extent)
{
    static const float whole[] = {0, 1, -1, 2}, beside[] = {0, -0.5f, 0.5f, -1.5f, 1.5f, -0.02f, 0.02f};
    return whole[n % 4] + beside[(n / 4) % 7] / (float)extent;
}

/* `block` numbers the 2 x 2 block: software renderers take one gradient for all four of its pixels. */
static void scatter_one(const struct pixel_texture *texture, const struct lookup *lookup, uint32_t n, uint32_t block,
                        struct lookup_input *input)
{
    static const uint32_t bases[3] = {2, 3, 5};
    const struct lookup_texture *about = &texture->texture;
    const float levels = about->levels ? (float)about->levels : 1;
    *input = (struct lookup_input){
        .extra = {between(-1, levels, scattered(n, 7)), between(-0.1f, 1.1f, scattered(n, 11)),
                  floorf(between(-8, 7.999f, scattered(n, 13))), floorf(between(-8, 7.999f, scattered(n, 17)))}};
    for (int axis = 0; axis < 3; axis++) {
        uint32_t extent = extent_of(about, axis);
        float coordinate =
            n % 5 == (uint32_t)axis ? bend(n / 5, extent) : between(-2.3f, 3.1f, scattered(n + 1, bases[axis]));
        input->p[axis] = lookup->dimension == LOOKUP_RECTANGLE ? coordinate * (float)extent : coordinate;
        /* Gradients along one screen axis each, so that their lengths give the level of detail. */
        float texels = exp2f(between(-1, levels, scattered(block, 7))) / (float)extent;
        input->dx[axis] = axis == 0 ? texels : 0;
        input->dy[axis] = axis == 1 ? texels * 0.7f : 0;
    }
    bool array = lookup->dimension == LOOKUP_1D_ARRAY || lookup->dimension == LOOKUP_2D_ARRAY;
    bool projective = lookup->operation == LOOKUP_PROJ || lookup->operation == LOOKUP_PROJ_LOD ||
                      lookup->operation == LOOKUP_PROJ_GRAD || lookup->operation == LOOKUP_PROJ_OFFSET ||
                      lookup->operation == LOOKUP_PROJ_GRAD_OFFSET;
    if (array)
        input->p[3] = floorf(between(-2, (float)about->layers + 2, scattered(n, 19)));
    if (projective) {
        input->p[3] = between(0.5f, 2, scattered(n, 19));
        for (int axis = 0; axis < 3; axis++)
            input->p[axis] *= input->p[3];
        input->extra[1] *= input->p[3];
    }
}

void pixel_scatter(struct pixel *pixel, const struct pixel_texture *texture, const struct lookup *lookup)
{
    const uint32_t width = pixel->grid.width;
    for (uint32_t i = 0; i < width * pixel->grid.height; i++) {
        uint32_t block = i / width / 2 * (width / 2) + i % width / 2;
        scatter_one(texture, lookup, i, block, &pixel->inputs[i]);
    }
}

void pixel_affine(struct pixel *pixel, const struct pixel_texture *texture, const struct lookup *lookup, float texels,
                  float stretch, float turn, float middle)
{
    const float c = cosf(turn) * texels, s = sinf(turn) * texels;
    const float per_x[3] = {c, s * stretch, 0}, per_y[3] = {-s, c * stretch, 0};
    bool projective = lookup->operation == LOOKUP_PROJ || lookup->operation == LOOKUP_PROJ_OFFSET;
    bool array = lookup->dimension == LOOKUP_1D_ARRAY || lookup->dimension == LOOKUP_2D_ARRAY;
    for (uint32_t i = 0; i < pixel->grid.width * pixel->grid.height; i++) {
        struct lookup_input *input = &pixel->inputs[i];
        float x = (float)(i % pixel->grid.width) - (float)pixel->grid.width / 2,
              y = (float)(i / pixel->grid.width) - (float)pixel->grid.height / 2;
        *input = (struct lookup_input){.extra = {0.5f, 0.5f, 0, 0}};
        for (int axis = 0; axis < 3; axis++) {
            float extent = (float)extent_of(&texture->texture, axis);
            float along = axis == 2 ? 0.3f * x : per_x[axis] * x + per_y[axis] * y;
            /* 3/64 of a texel keeps the coordinates off the edges of texels and their middles. */
            input->p[axis] = middle + (along + 0.046875f) / extent;
            input->dx[axis] = (axis == 2 ? 0.3f : per_x[axis]) / extent;
            input->dy[axis] = (axis == 2 ? 0 : per_y[axis]) / extent;
        }
        if (array)
            input->p[3] = 1;
        if (projective) {
            input->p[3] = 2;
            for (int axis = 0; axis < 3; axis++)
                input->p[axis] *= 2;
        }
    }
}

/* Multiples of 1/255: some drivers round the border colour to the texture's format. */
VkSamplerGLStateCreateInfoCLAMPLER pixel_state(uint32_t wrap, uint32_t min_filter, uint32_t mag_filter)
{
    return (VkSamplerGLStateCreateInfoCLAMPLER){.wrapS = wrap,
                                                .wrapT = wrap,
                                                .wrapR = wrap,
                                                .minFilter = min_filter,
                                                .magFilter = mag_filter,
                                                .minLod = -1000,
                                                .maxLod = 1000,
                                                .borderColor = {.float32 = {1.0f, 128 / 255.0f, 0.0f, 64 / 255.0f}}};
}
