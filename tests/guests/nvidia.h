/* SPDX-License-Identifier: MIT */
/*
 * What texture stages of NVIDIA's guests have alike: the numbers of address modes, filters and comparisons, and the
 * arithmetic that makes a colour of texels. Pure: no Vulkan, no OpenGL.
 *
 * Each guest reads its registers into a struct nvidia_stage (nv2a.h, rsx.h).
 */
#ifndef CLAMPLER_GUESTS_NVIDIA_H
#define CLAMPLER_GUESTS_NVIDIA_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How coordinates reach texels:
 *
 *   - CLAMP bounds the coordinate to [0, 1]: at the edge a linear filter takes half of the edge's texel and half of the
 *     border. BORDER does not bound it.
 *   - The MIRROR_ONCE modes take the coordinate without its sign, and then do as CLAMP_TO_EDGE, BORDER and CLAMP.
 * Around 0 there is no border: no texel is in front of the first.
 */
enum nvidia_address {
    NVIDIA_WRAP = 1,
    NVIDIA_MIRROR,
    NVIDIA_CLAMP_TO_EDGE,
    NVIDIA_BORDER,
    NVIDIA_CLAMP, /* NV2A's last */
    NVIDIA_MIRROR_ONCE_CLAMP_TO_EDGE,
    NVIDIA_MIRROR_ONCE_BORDER,
    NVIDIA_MIRROR_ONCE_CLAMP,
};

/* Between texels, and between levels; the first two for magnification as well. */
enum nvidia_filter {
    NVIDIA_NEAREST = 1,
    NVIDIA_LINEAR,
    NVIDIA_NEAREST_NEAREST,
    NVIDIA_LINEAR_NEAREST,
    NVIDIA_NEAREST_LINEAR,
    NVIDIA_LINEAR_LINEAR,
};

struct nvidia_stage;
/* The colour of a texel by its place; -1 and the size are the border. */
typedef void nvidia_texel(const struct nvidia_stage *stage, uint32_t level, const int32_t at[3], float rgba[4]);

/* What a stage's registers say, in numbers. */
struct nvidia_stage {
    uint32_t axes;    /* 1 to 3 */
    uint32_t levels;  /* 1 at least */
    uint32_t size[3]; /* texels of the base level without border; 1 beyond `axes` */
    bool depth;       /* the texel is compared with r: 0 or 1 */
    enum nvidia_address address[3];
    enum nvidia_filter min, mag;
    float min_lod, max_lod, lod_bias;
    /* The depth in the texture stands in front of the comparison, r behind it. Bits: less, equal, greater. */
    uint32_t zfunc;
    nvidia_texel *texel;
    const void *registers; /* for `texel` */
};

/* Texels of a level along an axis. */
uint32_t nvidia_level_size(uint32_t base, uint32_t level);

/* Bits of a register. */
uint32_t nvidia_field(uint32_t word, uint32_t shift, uint32_t mask);
/* Levels of detail in 1/256: four bits in front of the point, and a bias's sign in front of these. */
float nvidia_lod(uint32_t bits);
float nvidia_lod_bias(uint32_t bits);
/* A8R8G8B8 to red, green, blue, alpha. */
void nvidia_color(uint32_t word, float rgba[4]);

/*
 * What the stage gives for a coordinate and a level of detail (before the bias): red, green, blue, alpha. r is compared
 * where the texture is depth, and all four are the result of that; p[2] is the coordinate of 3D textures.
 */
void nvidia_lookup(const struct nvidia_stage *stage, const float p[3], float r, float level, float rgba[4]);

#endif
