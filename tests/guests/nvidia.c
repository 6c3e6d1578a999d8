/* SPDX-License-Identifier: MIT */
#include "guests/nvidia.h"

#include <math.h>
#include <string.h>

uint32_t nvidia_level_size(uint32_t base, uint32_t level)
{
    return base >> level ? base >> level : 1;
}

uint32_t nvidia_field(uint32_t word, uint32_t shift, uint32_t mask)
{
    return word >> shift & mask;
}

float nvidia_lod(uint32_t bits)
{
    return (float)(bits & 0xfff) / 256.0f;
}

float nvidia_lod_bias(uint32_t bits)
{
    return nvidia_lod(bits) - (bits & 0x1000 ? 16.0f : 0);
}

void nvidia_color(uint32_t word, float rgba[4])
{
    static const uint32_t shifts[4] = {16, 8, 0, 24};
    for (unsigned c = 0; c < 4; c++)
        rgba[c] = (float)(word >> shifts[c] & 0xff) / 255.0f;
}

/* The coordinate in texels of a level. */
static float bounded(enum nvidia_address address, float coordinate, float size)
{
    const float u = coordinate * size, mirrored = fmaxf(fabsf(u), 0.5f);
    switch (address) {
    case NVIDIA_CLAMP_TO_EDGE:
        return fminf(fmaxf(u, 0.5f), size - 0.5f);
    case NVIDIA_BORDER:
        return fminf(fmaxf(u, -0.5f), size + 0.5f);
    case NVIDIA_CLAMP:
        return fminf(fmaxf(u, 0), size);
    case NVIDIA_MIRROR_ONCE_CLAMP_TO_EDGE:
        return fminf(mirrored, size - 0.5f);
    case NVIDIA_MIRROR_ONCE_BORDER:
        return fminf(mirrored, size + 0.5f);
    case NVIDIA_MIRROR_ONCE_CLAMP:
        return fminf(mirrored, size);
    default:
        return u;
    }
}

/* A texel's number after WRAP and MIRROR; the others reach the border by -1 and the size. */
static int32_t wrapped(enum nvidia_address address, int32_t number, int32_t size)
{
    const int32_t once = ((number % size) + size) % size, twice = ((number % (2 * size)) + 2 * size) % (2 * size);
    if (address == NVIDIA_WRAP)
        return once;
    return address == NVIDIA_MIRROR ? twice < size ? twice : 2 * size - 1 - twice : number;
}

static bool passes(uint32_t zfunc, float depth, float r)
{
    return (zfunc & 1 && depth < r) || (zfunc & 2 && depth == r) || (zfunc & 4 && depth > r);
}

/* Between texels of one level. */
static void filter(const struct nvidia_stage *stage, bool linear, uint32_t level, const float p[3], float r,
                   float rgba[4])
{
    int32_t first[3] = {0};
    float share[3] = {0};
    for (uint32_t axis = 0; axis < stage->axes; axis++) {
        const float size = (float)nvidia_level_size(stage->size[axis], level);
        const enum nvidia_address address = stage->address[axis];
        float u = bounded(address, p[axis], size) - (linear ? 0.5f : 0);
        if (!linear && (address == NVIDIA_CLAMP || address == NVIDIA_MIRROR_ONCE_CLAMP))
            u = fminf(u, size - 0.5f); /* a single texel is never the border */
        first[axis] = (int32_t)floorf(u);
        share[axis] = linear ? u - floorf(u) : 0;
    }
    memset(rgba, 0, 4 * sizeof(*rgba));
    for (uint32_t corner = 0; corner < 1u << stage->axes; corner++) {
        int32_t at[3] = {0};
        float weight = 1, texel[4];
        for (uint32_t axis = 0; axis < stage->axes; axis++) {
            const bool second = corner >> axis & 1;
            weight *= second ? share[axis] : 1 - share[axis];
            at[axis] = wrapped(stage->address[axis], first[axis] + second,
                               (int32_t)nvidia_level_size(stage->size[axis], level));
        }
        if (weight == 0)
            continue;
        stage->texel(stage, level, at, texel);
        if (stage->depth)
            texel[0] = texel[1] = texel[2] = texel[3] = passes(stage->zfunc, texel[0], fminf(fmaxf(r, 0), 1));
        for (unsigned c = 0; c < 4; c++)
            rgba[c] += weight * texel[c];
    }
}

void nvidia_lookup(const struct nvidia_stage *stage, const float p[3], float r, float level, float rgba[4])
{
    const float lod = fminf(fmaxf(level + stage->lod_bias, stage->min_lod), stage->max_lod);
    const float last = (float)(stage->levels - 1), of_levels = fminf(lod, last);
    if (lod <= 0) {
        filter(stage, stage->mag == NVIDIA_LINEAR, 0, p, r, rgba);
        return;
    }
    const bool linear =
        stage->min == NVIDIA_LINEAR || stage->min == NVIDIA_LINEAR_NEAREST || stage->min == NVIDIA_LINEAR_LINEAR;
    if (stage->min <= NVIDIA_LINEAR) {
        filter(stage, linear, 0, p, r, rgba);
    } else if (stage->min <= NVIDIA_LINEAR_NEAREST) {
        filter(stage, linear, (uint32_t)ceilf(of_levels + 0.5f) - 1, p, r, rgba);
    } else {
        const uint32_t level0 = (uint32_t)of_levels;
        const float share = of_levels - (float)level0;
        float other[4];
        filter(stage, linear, level0, p, r, rgba);
        if (share == 0)
            return;
        filter(stage, linear, level0 + 1, p, r, other);
        for (unsigned c = 0; c < 4; c++)
            rgba[c] += share * (other[c] - rgba[c]);
    }
}
