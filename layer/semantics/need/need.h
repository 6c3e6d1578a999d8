/* SPDX-License-Identifier: MIT */
/*
 * Needs: the requirements of a record (record_needs), those that a shader follows (needs_followed), and the lowest tier
 * that fulfils both (needs_tier). Pure. The needs of all bound sets and the facts of a pipeline's shaders decide the
 * tier of each draw.
 */
#ifndef CLAMPLER_NEED_NEED_H
#define CLAMPLER_NEED_NEED_H

#include "record/layout.h"
#include "record/record.h"
#include "spirv/spirv.h"

/*
 * The requirements of a record to the pipeline that reads it; kept on the host, counted per set, never uploaded. Some
 * needs of separate samplers (S) and images (I) require nothing alone, but do so in pairs.
 */
enum record_need {
    RECORD_NEED_COORDS = 1u << 0,                 /* tier 1 at least */
    RECORD_NEED_FILTER = 1u << 1,                 /* tier 2 */
    RECORD_NEED_FILTER_IF_OFFSET = 1u << 2,       /* tier 2 if a shader of the pipeline samples with texel offsets */
    RECORD_NEED_FILTER_IF_MIPS = 1u << 3,         /* S: tier 2 with MIPS */
    RECORD_NEED_MIPS = 1u << 4,                   /* I: more than one level */
    RECORD_NEED_FILTER_IF_GATHER = 1u << 5,       /* tier 2 if a shader of the pipeline gathers */
    RECORD_NEED_TEXEL_BUFFER = 1u << 6,           /* tier 1 if a shader of the pipeline fetches from texel buffers */
    RECORD_NEED_INPUT = 1u << 7,                  /* tier 1 if a shader of the pipeline reads input attachments */
    RECORD_NEED_COORDS_IF_BIAS = 1u << 8,         /* tier 1 if a shader of the pipeline samples with a bias */
    RECORD_NEED_COORDS_IF_DREF = 1u << 9,         /* tier 1 if a shader of the pipeline compares */
    RECORD_NEED_COORDS_IF_QUERY = 1u << 23,       /* tier 1 if a shader of the pipeline queries levels of detail */
    RECORD_NEED_COORDS_IF_FETCH = 1u << 25,       /* tier 1 if they fetch texels of images, or query their sizes */
    RECORD_NEED_COORDS_IF_LEAST_LOD = 1u << 21,   /* tier 1 if a shader of the pipeline gives a least level of detail */
    RECORD_NEED_FILTER_IF_BIAS_OFFSET = 1u << 18, /* tier 2 if they sample with offsets, and with biases */
    RECORD_NEED_FILTER_IF_CUBE = 1u << 10,        /* S: tier 2 if a shader of the pipeline samples cubes */
    RECORD_NEED_FILTER_IF_CUBE_GATHER = 1u << 17, /* S: tier 2 if they also gather: nearest filters see no faces */
    RECORD_NEED_LINEAR = 1u << 11,                /* S: some filter blends texels: tier 2 with UNFILTERABLE */
    RECORD_NEED_UNFILTERABLE = 1u << 12,   /* I: cannot be filtered by the driver, or is incomplete if filtered */
    RECORD_NEED_BORDER = 1u << 13,         /* S: tier 2 with BORDER_OTHER */
    RECORD_NEED_BORDER_OTHER = 1u << 14,   /* I */
    RECORD_NEED_SRGB_SKIP = 1u << 15,      /* S: tier 2 and its extras with SRGB */
    RECORD_NEED_SRGB = 1u << 16,           /* I */
    RECORD_NEED_REDUCTION = 1u << 19,      /* S: a minimum or maximum: tier 2 with NO_MINMAX, and extras in tier 2 */
    RECORD_NEED_NO_MINMAX = 1u << 20,      /* I: of some samplers at least */
    RECORD_NEED_FILTER_IF_DREF = 1u << 24, /* I: tier 2 if a shader of the pipeline compares */
    RECORD_NEED_VIEW_EXTRAS = 1u << 26,    /* I: a least level of detail, or a border: extras in tier 2; tier 2 with
                                              COORDS, and with COORDS_IF_FETCH */
    RECORD_NEED_PAIR_REDUCTION = 1u << 22, /* of both in one: extras in tier 2; FILTER where the driver has none */
    RECORD_NEED_TEXELS = 1u << 27,         /* in tier 2 texel by texel: the driver's own filter does not serve */
    RECORD_NEED_PROBES = 1u << 28,         /* S: in tier 2 an anisotropic filter */
    RECORD_NEED_BOUNDS = 1u << 29,         /* in tier 1 by the record: mask words do not say what it moves */
    /* S: tier 2, texel by texel, if a shader of the pipeline looks up through it without comparing (spirv_pairing) */
    RECORD_NEED_FILTER_IF_UNCOMPARED = 1u << 30,
};
#define RECORD_NEED_KINDS 31

/*
 * Beside them in the word of what a shader follows: some lookup may read a view of integers. Vulkan leaves undefined
 * what others read there (VUID-vkCmdDraw-format-07753), so the needs of these views are none of theirs.
 */
#define NEEDS_OF_INTEGERS (1u << 31)

/* `need` if the word has one of the bits. */
static inline uint32_t record_need_if(uint32_t word, uint32_t bits, uint32_t need)
{
    return word & bits ? need : 0u;
}

/*
 * Of different filters, the one for minification is the driver's at level 0 only through a sampler that does not blend
 * levels: the driver's has that where every lookup is filtered (resolve/driver.c).
 */
static inline bool record_mixes_at_base(const struct record *record)
{
    const bool mag = record->flags & RECORD_MAG_LINEAR, min = record->flags & RECORD_MIN_LINEAR;
    return mag != min && record->flags & RECORD_MIP_LINEAR;
}

/* A driver's sampler that blends levels gives those alone that its range of levels of detail does not exclude. */
static inline bool record_bounds_between_levels(const struct record *record)
{
    const uint32_t level = (uint32_t)(1.0f / RECORD_STEP) - 1u;
    const uint32_t least = record->lod >> RECORD_MIN_LOD_SHIFT & RECORD_LOD_MASK,
                   most = record->lod >> RECORD_MAX_LOD_SHIFT & RECORD_LOD_MASK;
    return record->flags & RECORD_MIP_LINEAR && (least & level || (most != RECORD_LOD_MASK && most & level));
}

/*
 * Does tier 1 do more for a record of a combined image sampler than its bits in the mask words say, or multiply
 * coordinates? Records that know no levels are those of samplers alone, which have no bits.
 */
static inline bool record_needs_bounds(const struct record *record)
{
    if (!(record->flags >> RECORD_LEVELS_SHIFT & RECORD_LEVELS_MASK))
        return false;
    return (record->flags & RECORD_RECTANGLE) || (record->more & RECORD_MORE_ALWAYS) ||
           (record->flags & RECORD_COORDS && (record->flags & RECORD_UNNORMALIZED || !record_bounds_fit_masks(record)));
}

/* RECORD_NEED_* of a record as it lies in memory. */
static inline uint32_t record_needs(const struct record *record)
{
    uint32_t flags = record->flags;
    uint32_t lod = record->lod;
    uint32_t levels = flags >> RECORD_LEVELS_SHIFT & RECORD_LEVELS_MASK;
    /* Comparisons may be filtered whatever the format can do. */
    bool compares = flags & RECORD_COMPARE_MASK << RECORD_COMPARE_SHIFT;
    const uint32_t linear = RECORD_MAG_LINEAR | RECORD_MIN_LINEAR | RECORD_MIP_LINEAR;
    /* If the record only makes up for biases, lookups without a bias are unchanged, with their offsets. */
    const uint32_t if_offset = (flags & (RECORD_BIAS | RECORD_COORDS)) == RECORD_BIAS
                                   ? RECORD_NEED_FILTER_IF_BIAS_OFFSET
                                   : RECORD_NEED_FILTER_IF_OFFSET;
    const uint32_t shown = RECORD_MORE_COMPARED_ZERO | RECORD_MORE_COMPARED_ONE;
    const bool combined = record->more & RECORD_MORE_COMBINED_LEAST; /* bits of images mean something else there */
    const uint32_t of_image = combined ? 0u : record->more;
    if (flags & RECORD_OTHER)
        return flags & RECORD_OTHER_INPUT ? RECORD_NEED_INPUT : RECORD_NEED_TEXEL_BUFFER;
    uint32_t needs =
        record_need_if(flags, RECORD_COORDS | RECORD_RECTANGLE, RECORD_NEED_COORDS) |
        record_need_if(flags, RECORD_FILTER, RECORD_NEED_FILTER) |
        record_need_if(flags, RECORD_FILTER_IF_OFFSET, if_offset) |
        record_need_if(flags, RECORD_FILTER_IF_MIPS, RECORD_NEED_FILTER_IF_MIPS) |
        record_need_if(flags, RECORD_FILTER_IF_GATHER, RECORD_NEED_FILTER_IF_GATHER) |
        record_need_if(flags, RECORD_BIAS, RECORD_NEED_COORDS_IF_BIAS) |
        record_need_if(record->depth_bias, RECORD_DEPTH_PROMOTED, RECORD_NEED_COORDS_IF_DREF) |
        record_need_if(of_image, shown, RECORD_NEED_COORDS_IF_DREF) |
        record_need_if(levels && compares ? record->border[1] : 0u, ~0u, RECORD_NEED_COORDS_IF_DREF) |
        record_need_if(of_image, RECORD_MORE_DEPTH_IN_MASK << RECORD_MORE_DEPTH_IN_SHIFT, RECORD_NEED_FILTER_IF_DREF) |
        record_need_if(record->more, RECORD_MORE_ALWAYS, RECORD_NEED_COORDS_IF_QUERY) |
        record_need_if(record->more, RECORD_MORE_BASE_LEVEL, RECORD_NEED_COORDS_IF_LEAST_LOD) |
        record_need_if(record->more, RECORD_MORE_VIEW_LEAST | RECORD_MORE_COMBINED_LEAST, RECORD_NEED_VIEW_EXTRAS) |
        record_need_if(record->more, RECORD_MORE_BORDERED, RECORD_NEED_VIEW_EXTRAS | RECORD_NEED_COORDS_IF_FETCH) |
        (levels > 1 ? (uint32_t)RECORD_NEED_MIPS : 0u) |
        (record_needs_bounds(record) ? (uint32_t)RECORD_NEED_BOUNDS : 0u) |
        record_need_if(record->more, RECORD_MORE_TEXELS, RECORD_NEED_TEXELS) |
        record_need_if(record->more, RECORD_MORE_PROBES_MASK << RECORD_MORE_PROBES_SHIFT, RECORD_NEED_PROBES) |
        record_need_if(levels ? 0u : record->more, RECORD_MORE_NOT_COMPARED, RECORD_NEED_FILTER_IF_UNCOMPARED);
    const uint32_t filters = RECORD_FILTER | RECORD_FILTER_IF_MIPS | RECORD_FILTER_IF_OFFSET | RECORD_FILTER_IF_GATHER;
    if (levels == 0 || (levels > 1 && flags & filters)) {
        if (!compares && record_bounds_between_levels(record))
            needs |= RECORD_NEED_TEXELS;
        if (record_mixes_at_base(record))
            needs |= flags & RECORD_FILTER ? RECORD_NEED_COORDS_IF_QUERY : RECORD_NEED_TEXELS;
    }
    /* Of a sampler that compares only what is not compared has minima and maxima. */
    needs |= record_need_if(record->more, RECORD_MORE_REDUCTION_MASK << RECORD_MORE_REDUCTION_SHIFT,
                            levels || compares ? RECORD_NEED_PAIR_REDUCTION : RECORD_NEED_REDUCTION);
    const bool skips = lod & RECORD_PAIR_SRGB_SKIP, together = skips && levels != 0;
    if (together && !(lod & RECORD_PAIR_SRGB)) /* its other pair flags have another meaning */
        return needs | RECORD_NEED_COORDS_IF_FETCH;
    /* A record that knows no levels is a sampler's alone. */
    const bool reduces = record->more & RECORD_MORE_REDUCTION_MASK << RECORD_MORE_REDUCTION_SHIFT;
    if (flags & RECORD_FILTER) /* tier 2 with every image */
        return needs | (skips ? RECORD_NEED_SRGB_SKIP | RECORD_NEED_SRGB : 0u) |
               record_need_if(flags, levels || compares || reduces ? 0 : linear, RECORD_NEED_LINEAR);
    if (levels == 0)
        return needs | record_need_if(flags, compares || reduces ? 0 : linear, RECORD_NEED_LINEAR) |
               record_need_if(lod, RECORD_PAIR_BORDER, RECORD_NEED_BORDER) |
               record_need_if(lod, RECORD_PAIR_NON_SEAMLESS,
                              flags & (RECORD_MAG_LINEAR | RECORD_MIN_LINEAR) ? RECORD_NEED_FILTER_IF_CUBE
                                                                              : RECORD_NEED_FILTER_IF_CUBE_GATHER) |
               record_need_if(lod, RECORD_PAIR_SRGB_SKIP, RECORD_NEED_SRGB_SKIP);
    const uint32_t reduced = RECORD_MORE_REDUCES_FOR_GL | RECORD_MORE_REDUCES_FOR_VULKAN;
    return needs | record_need_if(lod, RECORD_PAIR_BORDER_OTHER, RECORD_NEED_BORDER_OTHER) |
           record_need_if(lod, RECORD_PAIR_UNFILTERABLE | RECORD_PAIR_INCOMPLETE, RECORD_NEED_UNFILTERABLE) |
           record_need_if(lod, RECORD_PAIR_UNFILTERABLE | RECORD_PAIR_INCOMPLETE,
                          (record->more & reduced) == reduced ? 0 : RECORD_NEED_NO_MINMAX) |
           record_need_if(lod, RECORD_PAIR_SRGB, RECORD_NEED_SRGB) |
           record_need_if(record->more, RECORD_MORE_NO_MINMAX, RECORD_NEED_NO_MINMAX);
}

/*
 * Tiers for which modules are rewritten and pipelines compiled, the lowest first. Moving coordinates has two forms,
 * reported as tier 1, and the filter five, reported as tier 2; each can do what those before it do, but where one says
 * so. Forms that take more code, or more time, are compiled only where a record needs them.
 */
enum tier_kind {
    TIER_PASSTHROUGH,   /* 0: the program's own code */
    TIER_CLAMP,         /* 1: moves coordinates, by mask words where there are some */
    TIER_CLAMP_BOUNDS,  /* 1: the same by the bounds of each record */
    TIER_FILTER,        /* 2: the driver filters views of one level, and the shader places the border */
    TIER_FILTER_LEVELS, /* 2: the same of each level */
    TIER_FILTER_PROBES, /* 2: the same of each level and of each probe of an anisotropic filter */
    TIER_FILTER_TEXELS, /* 2: the shader filters texel by texel; no probes */
    TIER_FILTER_EXTRAS, /* 2, likewise, with probes, minima and maxima, and texels as sRGB stores them */
    TIER_COUNT
};

/* The tier's number, as logs, counters and documents have it. */
static inline uint32_t tier_reported(uint32_t tier)
{
    return tier >= TIER_FILTER ? 2 : tier != TIER_PASSTHROUGH;
}

/* Needs that require the filter tier: all of a row together. */
#define NEEDS_OF_FILTER(ROW)                                                                                           \
    ROW(RECORD_NEED_FILTER)                                                                                            \
    ROW(RECORD_NEED_FILTER_IF_OFFSET)                                                                                  \
    ROW(RECORD_NEED_FILTER_IF_GATHER)                                                                                  \
    ROW(RECORD_NEED_FILTER_IF_BIAS_OFFSET)                                                                             \
    ROW(RECORD_NEED_FILTER_IF_DREF)                                                                                    \
    ROW(RECORD_NEED_FILTER_IF_CUBE)                                                                                    \
    ROW(RECORD_NEED_FILTER_IF_CUBE_GATHER)                                                                             \
    ROW(RECORD_NEED_FILTER_IF_UNCOMPARED)                                                                              \
    ROW(RECORD_NEED_FILTER_IF_MIPS | RECORD_NEED_MIPS)                                                                 \
    ROW(RECORD_NEED_LINEAR | RECORD_NEED_UNFILTERABLE)                                                                 \
    ROW(RECORD_NEED_BORDER | RECORD_NEED_BORDER_OTHER)                                                                 \
    ROW(RECORD_NEED_SRGB_SKIP | RECORD_NEED_SRGB)                                                                      \
    ROW(RECORD_NEED_REDUCTION | RECORD_NEED_NO_MINMAX)                                                                 \
    ROW(RECORD_NEED_COORDS | RECORD_NEED_VIEW_EXTRAS)                                                                  \
    ROW(RECORD_NEED_COORDS_IF_FETCH | RECORD_NEED_VIEW_EXTRAS)

/* Needs that require levels, if other needs require the filter tier. */
#define NEEDS_OF_LEVELS(ROW) ROW(RECORD_NEED_MIPS)

/* Needs that require probes, if other needs require the filter tier. */
#define NEEDS_OF_PROBES(ROW) ROW(RECORD_NEED_PROBES)

/* Needs that require texels, if other needs require the filter tier. */
#define NEEDS_OF_TEXELS(ROW)                                                                                           \
    ROW(RECORD_NEED_TEXELS)                                                                                            \
    ROW(RECORD_NEED_FILTER_IF_UNCOMPARED)                                                                              \
    ROW(RECORD_NEED_LINEAR | RECORD_NEED_UNFILTERABLE)

/* Needs that require the extras of the filter tier, if other needs require that tier. */
#define NEEDS_OF_EXTRAS(ROW)                                                                                           \
    ROW(RECORD_NEED_REDUCTION)                                                                                         \
    ROW(RECORD_NEED_PAIR_REDUCTION)                                                                                    \
    ROW(RECORD_NEED_VIEW_EXTRAS)                                                                                       \
    ROW(RECORD_NEED_SRGB_SKIP | RECORD_NEED_SRGB)                                                                      \
    ROW(RECORD_NEED_PROBES | RECORD_NEED_TEXELS)                                                                       \
    ROW(RECORD_NEED_PROBES | RECORD_NEED_FILTER_IF_UNCOMPARED)                                                         \
    ROW(RECORD_NEED_PROBES | RECORD_NEED_LINEAR | RECORD_NEED_UNFILTERABLE)

/* Needs that require the clamp tier. */
#define NEEDS_OF_COORDS(ROW)                                                                                           \
    ROW(RECORD_NEED_COORDS)                                                                                            \
    ROW(RECORD_NEED_COORDS_IF_BIAS)                                                                                    \
    ROW(RECORD_NEED_COORDS_IF_DREF)                                                                                    \
    ROW(RECORD_NEED_COORDS_IF_QUERY)                                                                                   \
    ROW(RECORD_NEED_COORDS_IF_FETCH)                                                                                   \
    ROW(RECORD_NEED_COORDS_IF_LEAST_LOD)                                                                               \
    ROW(RECORD_NEED_TEXEL_BUFFER)                                                                                      \
    ROW(RECORD_NEED_INPUT)

/* Needs that require bounds, if other needs require the clamp tier. */
#define NEEDS_OF_BOUNDS(ROW) ROW(RECORD_NEED_BOUNDS)

/* The needs that a shader with these facts can act on; 0: no record changes what it does. */
uint32_t needs_followed(const struct spirv_facts *facts);

/* The lowest tier that fulfils those of these needs that the shaders follow. */
static inline enum tier_kind needs_tier(uint32_t needs)
{
#define NEEDS_ALL(ROW) || ((needs & (uint32_t)(ROW)) == (uint32_t)(ROW))
    const bool filter = false NEEDS_OF_FILTER(NEEDS_ALL);
    if (filter)
        return (false NEEDS_OF_EXTRAS(NEEDS_ALL))   ? TIER_FILTER_EXTRAS
               : (false NEEDS_OF_TEXELS(NEEDS_ALL)) ? TIER_FILTER_TEXELS
               : (false NEEDS_OF_PROBES(NEEDS_ALL)) ? TIER_FILTER_PROBES
               : (false NEEDS_OF_LEVELS(NEEDS_ALL)) ? TIER_FILTER_LEVELS
                                                    : TIER_FILTER;
    if (false NEEDS_OF_COORDS(NEEDS_ALL))
        return (false NEEDS_OF_BOUNDS(NEEDS_ALL)) ? TIER_CLAMP_BOUNDS : TIER_CLAMP;
    return TIER_PASSTHROUGH;
#undef NEEDS_ALL
}

#endif
