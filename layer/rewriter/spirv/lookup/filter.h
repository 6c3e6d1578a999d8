/* SPDX-License-Identifier: MIT */
/*
 * Filter: shared by the parts of tier 2's filter. filter.c arranges levels, corners and sums, filter_tap.c reads
 * texels.
 */
#ifndef CLAMPLER_SPIRV_FILTER_H
#define CLAMPLER_SPIRV_FILTER_H

#include "spirv/operands/rewriting.h"
#include "spirv/sites/nearest.h"

struct filter {
    struct rewriting *w;
    bool edges;         /* the driver filters: spirv_options.filter, and it can filter this lookup */
    bool flat;          /* one of those that have functions of their own in filter.glsl */
    uint32_t integer;   /* bool constant: texels are never blended */
    uint32_t axes;      /* int constant */
    uint32_t position;  /* vec3: coordinate along the axes; of a cube on its face. Flat: vec2 */
    uint32_t offset;    /* ivec3 */
    uint32_t offsets_x; /* ivec4 each: four offsets of a gather, else 0 */
    uint32_t offsets_y;
    uint32_t has_offset;    /* bool constant */
    uint32_t plan;          /* vec3; 0 for gathers */
    uint32_t rest;          /* uvec4: fourth quarter of the image's record, or of both's in one; 0: without extras */
    uint32_t stored;        /* uvec4: second quarter of the image's record, where it may have a border, beside `rest`;
                               else 0 */
    uint32_t level;         /* int: the level that gathers read */
    uint32_t layer;         /* int, 0: not arrayed, or a cube */
    uint32_t border;        /* uvec4 */
    uint32_t encoding;      /* uint: channels that sRGB leaves alone; 0: no texel is ever encoded */
    uint32_t view;          /* uint: the comparison bits of the image's record; 0: the depth is in red */
    uint32_t face;          /* int, cubes only */
    struct nearest nearest; /* the sampler that texels are read with; none: the lookup's own of cubes, else fetches */
    uint32_t sparse_type;   /* struct of residency and texel, 0: not declared yet */
    uint32_t tap_bias;      /* float, cubes only: the bias of the driver's sampler on a tap's level of detail */
    uint32_t sum_type;
    uint32_t residency;  /* int: of a texel that has a share and is not resident, else of any; sparse lookups only */
    uint32_t resided;    /* bool: some texel had a share */
    uint32_t first;      /* bool: the next texel is the first of all; 0: known */
    uint32_t reduction;  /* uint, VkSamplerReductionMode; 0: texels are blended as average, or not at all */
    uint32_t of_sampler; /* uvec4: fourth quarter of the sampler's record, or of both's in one; beside `probes` */
    uint32_t probes;     /* a library's Probes; 0: the lookup has no anisotropic filter */
    uint32_t share;      /* float: of each probe; beside `probes` */
};

/* Tier 2: writes the filter into the current block and those that it opens; returns the lookup's result. */
uint32_t filter_write(struct rewriting *w, uint32_t plain);

/* Loads the border colour and prepares fetches. Called first. */
void filter_tap_prepare(struct filter *f);

/* Writes the driver's lookup of a library's Edge, mixed with the border by its share: a vec4 of floats. */
uint32_t filter_edge_read(struct filter *f, uint32_t edge);

/* The same of two, whose lookups stand beside each other: in a batch, in one switch over its images. */
void filter_edges_read(struct filter *f, const uint32_t edges[2], uint32_t texels[2]);

/*
 * Reads the texel of a tap (`tap` is a library's Tap), or the border: a vec4 of the lookup's texels, or a float between
 * 0 and 1 for comparisons.
 */
uint32_t filter_tap_read(struct filter *f, uint32_t tap);

#endif
