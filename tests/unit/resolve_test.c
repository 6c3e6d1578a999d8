/* SPDX-License-Identifier: MIT */
/*
 * The truth table of resolve: wrap mode x filters x view x device -> the driver's address mode, what the record asks of
 * the shader, and the tier. Rules: OpenGL 4.6 compatibility section 8.14.2 and EXT_texture_mirror_clamp.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "need/need.h"
#include "resolve/resolve.h"
#include "resolve_pair.h"

/* OpenGL's numbers for the wrap modes. */
enum {
    REPEAT = TOKEN_REPEAT,
    MIRRORED_REPEAT = TOKEN_MIRRORED_REPEAT,
    CLAMP_TO_EDGE = TOKEN_CLAMP_TO_EDGE,
    CLAMP_TO_BORDER = TOKEN_CLAMP_TO_BORDER,
    MIRROR_CLAMP_TO_EDGE = TOKEN_MIRROR_CLAMP_TO_EDGE,
    CLAMP = TOKEN_CLAMP,
    MIRROR_CLAMP = TOKEN_MIRROR_CLAMP,
    MIRROR_CLAMP_TO_BORDER = TOKEN_MIRROR_CLAMP_TO_BORDER,
};

enum filters { NEAREST, LINEAR, MAG_LINEAR /* minification nearest */, MIN_LINEAR /* magnification nearest */ };

/* What the sampler meets, and whether its minification filter names mipmaps. */
enum meets {
    ONE_LEVEL,  /* mipmap filter; a 2D view with one level */
    BASE_ONLY,  /* filter without mipmaps; a 2D view with four levels */
    BASE_ALONE, /* filter without mipmaps; a separate sampler, its view unknown */
    MIPS,       /* mipmap filter; a 2D view with four levels */
    ALONE,      /* mipmap filter; a separate sampler */
};

/* Does the device have MIRROR_CLAMP_TO_EDGE? EITHER: the row holds for both. */
enum mirror { WITHOUT, WITH, EITHER };

#define DRIVER_REPEAT VK_SAMPLER_ADDRESS_MODE_REPEAT
#define DRIVER_MIRRORED_REPEAT VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT
#define EDGE VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
#define BORDER VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
#define MIRROR_EDGE VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE

#define ZERO 0u /* the record is zero from end to end */
#define COORDS RECORD_COORDS
#define FILTER RECORD_FILTER
#define IF_MIPS RECORD_FILTER_IF_MIPS
#define IF_OFFSET RECORD_FILTER_IF_OFFSET
#define IF_GATHER RECORD_FILTER_IF_GATHER
#define ASKING_BITS (COORDS | FILTER | IF_MIPS | IF_OFFSET | IF_GATHER)

struct row {
    uint32_t wrap;
    enum filters filters;
    enum meets meets;
    enum mirror mirror;
    VkSamplerAddressMode driver;
    uint32_t bits;
    uint32_t tier;
    const char *text; /* the row as written: the test's name */
};

#define ROW(...)                                                                                                       \
    {                                                                                                                  \
        __VA_ARGS__, #__VA_ARGS__                                                                                      \
    }

static const struct row truth[] = {
    /* REPEAT: Vulkan has it. */
    ROW(REPEAT, NEAREST, ONE_LEVEL, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, NEAREST, BASE_ONLY, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, NEAREST, BASE_ALONE, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, NEAREST, MIPS, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, NEAREST, ALONE, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, LINEAR, ONE_LEVEL, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, LINEAR, BASE_ONLY, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, LINEAR, BASE_ALONE, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, LINEAR, MIPS, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, LINEAR, ALONE, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MAG_LINEAR, ONE_LEVEL, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MAG_LINEAR, BASE_ONLY, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MAG_LINEAR, BASE_ALONE, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MAG_LINEAR, MIPS, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MAG_LINEAR, ALONE, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MIN_LINEAR, ONE_LEVEL, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MIN_LINEAR, BASE_ONLY, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MIN_LINEAR, BASE_ALONE, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MIN_LINEAR, MIPS, EITHER, DRIVER_REPEAT, ZERO, 0),
    ROW(REPEAT, MIN_LINEAR, ALONE, EITHER, DRIVER_REPEAT, ZERO, 0),

    /* MIRRORED_REPEAT: Vulkan has it. */
    ROW(MIRRORED_REPEAT, NEAREST, ONE_LEVEL, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, NEAREST, BASE_ONLY, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, NEAREST, BASE_ALONE, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, NEAREST, MIPS, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, NEAREST, ALONE, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, LINEAR, ONE_LEVEL, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, LINEAR, BASE_ONLY, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, LINEAR, BASE_ALONE, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, LINEAR, MIPS, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, LINEAR, ALONE, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MAG_LINEAR, ONE_LEVEL, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MAG_LINEAR, BASE_ONLY, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MAG_LINEAR, BASE_ALONE, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MAG_LINEAR, MIPS, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MAG_LINEAR, ALONE, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MIN_LINEAR, ONE_LEVEL, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MIN_LINEAR, BASE_ONLY, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MIN_LINEAR, BASE_ALONE, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MIN_LINEAR, MIPS, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),
    ROW(MIRRORED_REPEAT, MIN_LINEAR, ALONE, EITHER, DRIVER_MIRRORED_REPEAT, ZERO, 0),

    /* CLAMP_TO_EDGE: Vulkan has it. */
    ROW(CLAMP_TO_EDGE, NEAREST, ONE_LEVEL, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, NEAREST, BASE_ONLY, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, NEAREST, BASE_ALONE, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, NEAREST, MIPS, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, NEAREST, ALONE, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, LINEAR, ONE_LEVEL, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, LINEAR, BASE_ONLY, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, LINEAR, BASE_ALONE, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, LINEAR, MIPS, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, LINEAR, ALONE, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MAG_LINEAR, ONE_LEVEL, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MAG_LINEAR, BASE_ONLY, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MAG_LINEAR, BASE_ALONE, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MAG_LINEAR, MIPS, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MAG_LINEAR, ALONE, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MIN_LINEAR, ONE_LEVEL, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MIN_LINEAR, BASE_ONLY, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MIN_LINEAR, BASE_ALONE, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MIN_LINEAR, MIPS, EITHER, EDGE, ZERO, 0),
    ROW(CLAMP_TO_EDGE, MIN_LINEAR, ALONE, EITHER, EDGE, ZERO, 0),

    /* CLAMP_TO_BORDER: Vulkan has it. */
    ROW(CLAMP_TO_BORDER, NEAREST, ONE_LEVEL, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, NEAREST, BASE_ONLY, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, NEAREST, BASE_ALONE, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, NEAREST, MIPS, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, NEAREST, ALONE, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, LINEAR, ONE_LEVEL, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, LINEAR, BASE_ONLY, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, LINEAR, BASE_ALONE, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, LINEAR, MIPS, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, LINEAR, ALONE, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MAG_LINEAR, ONE_LEVEL, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MAG_LINEAR, BASE_ONLY, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MAG_LINEAR, BASE_ALONE, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MAG_LINEAR, MIPS, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MAG_LINEAR, ALONE, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MIN_LINEAR, ONE_LEVEL, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MIN_LINEAR, BASE_ONLY, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MIN_LINEAR, BASE_ALONE, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MIN_LINEAR, MIPS, EITHER, BORDER, ZERO, 0),
    ROW(CLAMP_TO_BORDER, MIN_LINEAR, ALONE, EITHER, BORDER, ZERO, 0),

    /* MIRROR_CLAMP_TO_EDGE: native where the device has it. */
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, ONE_LEVEL, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, BASE_ONLY, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, BASE_ALONE, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, MIPS, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, ALONE, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, ONE_LEVEL, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, BASE_ONLY, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, BASE_ALONE, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, MIPS, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, ALONE, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, ONE_LEVEL, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, BASE_ONLY, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, BASE_ALONE, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, MIPS, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, ALONE, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, ONE_LEVEL, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, BASE_ONLY, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, BASE_ALONE, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, MIPS, WITH, MIRROR_EDGE, ZERO, 0),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, ALONE, WITH, MIRROR_EDGE, ZERO, 0),

    /* MIRROR_CLAMP_TO_EDGE without it: abs() and CLAMP_TO_EDGE are exact at every level, but for a gather's order. */
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, ONE_LEVEL, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, BASE_ONLY, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, BASE_ALONE, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, MIPS, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, NEAREST, ALONE, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, ONE_LEVEL, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, BASE_ONLY, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, BASE_ALONE, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, MIPS, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, LINEAR, ALONE, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, ONE_LEVEL, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, BASE_ONLY, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, BASE_ALONE, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, MIPS, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MAG_LINEAR, ALONE, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, ONE_LEVEL, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, BASE_ONLY, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, BASE_ALONE, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, MIPS, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP_TO_EDGE, MIN_LINEAR, ALONE, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),

    /* CLAMP, nearest: the edge, never the border. */
    ROW(CLAMP, NEAREST, ONE_LEVEL, EITHER, EDGE, IF_GATHER, 0),
    ROW(CLAMP, NEAREST, BASE_ONLY, EITHER, EDGE, IF_GATHER, 0),
    ROW(CLAMP, NEAREST, BASE_ALONE, EITHER, EDGE, IF_GATHER, 0),
    ROW(CLAMP, NEAREST, MIPS, EITHER, EDGE, IF_GATHER, 0),
    ROW(CLAMP, NEAREST, ALONE, EITHER, EDGE, IF_GATHER, 0),

    /* CLAMP, linear: saturated coordinate and border, exact at every level; an offset folded into it is not. */
    ROW(CLAMP, LINEAR, ONE_LEVEL, EITHER, BORDER, COORDS, 1),
    ROW(CLAMP, LINEAR, BASE_ONLY, EITHER, BORDER, COORDS, 1),
    ROW(CLAMP, LINEAR, BASE_ALONE, EITHER, BORDER, COORDS, 1),
    ROW(CLAMP, LINEAR, MIPS, EITHER, BORDER, COORDS | IF_OFFSET, 1),
    ROW(CLAMP, LINEAR, ALONE, EITHER, BORDER, COORDS | IF_OFFSET, 1),

    /* CLAMP, mixed: border for the one filter, edge for the other. */
    ROW(CLAMP, MAG_LINEAR, ONE_LEVEL, EITHER, EDGE, COORDS | FILTER, 2),
    ROW(CLAMP, MAG_LINEAR, BASE_ONLY, EITHER, EDGE, COORDS | FILTER, 2),
    ROW(CLAMP, MAG_LINEAR, BASE_ALONE, EITHER, EDGE, COORDS | FILTER, 2),
    ROW(CLAMP, MAG_LINEAR, MIPS, EITHER, EDGE, COORDS | FILTER, 2),
    ROW(CLAMP, MAG_LINEAR, ALONE, EITHER, EDGE, COORDS | FILTER, 2),
    ROW(CLAMP, MIN_LINEAR, ONE_LEVEL, EITHER, EDGE, COORDS | FILTER, 2),
    ROW(CLAMP, MIN_LINEAR, BASE_ONLY, EITHER, EDGE, COORDS | FILTER, 2),
    ROW(CLAMP, MIN_LINEAR, BASE_ALONE, EITHER, EDGE, COORDS | FILTER, 2),
    ROW(CLAMP, MIN_LINEAR, MIPS, EITHER, EDGE, COORDS | FILTER, 2),
    ROW(CLAMP, MIN_LINEAR, ALONE, EITHER, EDGE, COORDS | FILTER, 2),

    /* MIRROR_CLAMP, nearest: MIRROR_CLAMP_TO_EDGE by another name. */
    ROW(MIRROR_CLAMP, NEAREST, ONE_LEVEL, WITH, MIRROR_EDGE, IF_GATHER, 0),
    ROW(MIRROR_CLAMP, NEAREST, BASE_ONLY, WITH, MIRROR_EDGE, IF_GATHER, 0),
    ROW(MIRROR_CLAMP, NEAREST, BASE_ALONE, WITH, MIRROR_EDGE, IF_GATHER, 0),
    ROW(MIRROR_CLAMP, NEAREST, MIPS, WITH, MIRROR_EDGE, IF_GATHER, 0),
    ROW(MIRROR_CLAMP, NEAREST, ALONE, WITH, MIRROR_EDGE, IF_GATHER, 0),
    ROW(MIRROR_CLAMP, NEAREST, ONE_LEVEL, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP, NEAREST, BASE_ONLY, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP, NEAREST, BASE_ALONE, WITHOUT, EDGE, COORDS | IF_GATHER, 1),
    ROW(MIRROR_CLAMP, NEAREST, MIPS, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP, NEAREST, ALONE, WITHOUT, EDGE, COORDS | IF_GATHER | IF_OFFSET, 1),

    /* MIRROR_CLAMP, linear: half a texel of the sampled level away from the mirror line. */
    ROW(MIRROR_CLAMP, LINEAR, ONE_LEVEL, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP, LINEAR, BASE_ONLY, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP, LINEAR, BASE_ALONE, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP, LINEAR, MIPS, EITHER, BORDER, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, LINEAR, ALONE, EITHER, BORDER, COORDS | IF_MIPS, 1),

    /* MIRROR_CLAMP, mixed: as CLAMP. */
    ROW(MIRROR_CLAMP, MAG_LINEAR, ONE_LEVEL, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MAG_LINEAR, BASE_ONLY, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MAG_LINEAR, BASE_ALONE, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MAG_LINEAR, MIPS, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MAG_LINEAR, ALONE, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, ONE_LEVEL, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, BASE_ONLY, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, BASE_ALONE, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, MIPS, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, ALONE, WITH, MIRROR_EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MAG_LINEAR, ONE_LEVEL, WITHOUT, EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MAG_LINEAR, BASE_ONLY, WITHOUT, EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MAG_LINEAR, BASE_ALONE, WITHOUT, EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MAG_LINEAR, MIPS, WITHOUT, EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MAG_LINEAR, ALONE, WITHOUT, EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, ONE_LEVEL, WITHOUT, EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, BASE_ONLY, WITHOUT, EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, BASE_ALONE, WITHOUT, EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, MIPS, WITHOUT, EDGE, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP, MIN_LINEAR, ALONE, WITHOUT, EDGE, COORDS | FILTER, 2),

    /* MIRROR_CLAMP_TO_BORDER, nearest: the lower bound does not show, so every level is exact. */
    ROW(MIRROR_CLAMP_TO_BORDER, NEAREST, ONE_LEVEL, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, NEAREST, BASE_ONLY, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, NEAREST, BASE_ALONE, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, NEAREST, MIPS, EITHER, BORDER, COORDS | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, NEAREST, ALONE, EITHER, BORDER, COORDS | IF_OFFSET, 1),

    /* MIRROR_CLAMP_TO_BORDER, minification linear: the lower bound is the sampled level's. */
    ROW(MIRROR_CLAMP_TO_BORDER, LINEAR, ONE_LEVEL, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, LINEAR, BASE_ONLY, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, LINEAR, BASE_ALONE, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, LINEAR, MIPS, EITHER, BORDER, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP_TO_BORDER, LINEAR, ALONE, EITHER, BORDER, COORDS | IF_MIPS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, MIN_LINEAR, ONE_LEVEL, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, MIN_LINEAR, BASE_ONLY, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, MIN_LINEAR, BASE_ALONE, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, MIN_LINEAR, MIPS, EITHER, BORDER, COORDS | FILTER, 2),
    ROW(MIRROR_CLAMP_TO_BORDER, MIN_LINEAR, ALONE, EITHER, BORDER, COORDS | IF_MIPS, 1),

    /* MIRROR_CLAMP_TO_BORDER, only magnification linear: that reads the first level alone, so its bound is known. */
    ROW(MIRROR_CLAMP_TO_BORDER, MAG_LINEAR, ONE_LEVEL, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, MAG_LINEAR, BASE_ONLY, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, MAG_LINEAR, BASE_ALONE, EITHER, BORDER, COORDS, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, MAG_LINEAR, MIPS, EITHER, BORDER, COORDS | IF_OFFSET, 1),
    ROW(MIRROR_CLAMP_TO_BORDER, MAG_LINEAR, ALONE, EITHER, BORDER, COORDS | IF_OFFSET, 1),
};

static struct resolve_caps device(bool mirror_clamp_to_edge)
{
    return (struct resolve_caps){.mirror_clamp_to_edge = mirror_clamp_to_edge,
                                 .anisotropy = true,
                                 .custom_border_color = true,
                                 .custom_border_color_without_format = true,
                                 .sampler_filter_minmax = true,
                                 .gl_fallback = RESOLVE_FALLBACK_NEAREST,
                                 .max_lod_bias = 16.0f,
                                 .max_anisotropy = 16.0f};
}

static struct view_facts view_of(VkImageViewType type, uint8_t levels)
{
    const VkImageViewCreateInfo info = {
        .viewType = type, .format = VK_FORMAT_R8G8B8A8_UNORM, .subresourceRange.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    struct view_facts view;
    view_facts_from_vk(&info, &view);
    view.width = 64;
    view.height = 32;
    view.depth = 1;
    view.levels = levels;
    view.linear = view.minmax = true;
    return view;
}

static VkSamplerGLStateCreateInfoCLAMPLER gl_sampler(uint32_t wrap, enum filters filters, bool mipmaps)
{
    bool mag = filters == LINEAR || filters == MAG_LINEAR;
    bool min = filters == LINEAR || filters == MIN_LINEAR;
    return (VkSamplerGLStateCreateInfoCLAMPLER){.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                .wrapS = wrap,
                                                .wrapT = wrap,
                                                .wrapR = wrap,
                                                .cubeMapSeamless = VK_TRUE,
                                                .minFilter = (mipmaps ? 0x2702u : 0x2600u) + min,
                                                .magFilter = 0x2600u + mag,
                                                .minLod = -1000.0f,
                                                .maxLod = 1000.0f,
                                                .borderColor = {.float32 = {0.25f, 0.5f, 0.75f, 1.0f}}};
}

static struct sampler_state state_of(const VkSamplerGLStateCreateInfoCLAMPLER *gl, const struct resolve_caps *caps)
{
    struct sampler_state state;
    const char *why = NULL;
    assert_true(resolve_gl_state(gl, 0, caps, &state, &why));
    assert_null(why);
    return state;
}

static uint32_t needs_of_bits(uint32_t bits)
{
    return (bits & COORDS ? RECORD_NEED_COORDS : 0u) | (bits & FILTER ? RECORD_NEED_FILTER : 0u) |
           (bits & IF_OFFSET ? RECORD_NEED_FILTER_IF_OFFSET : 0u) | (bits & IF_MIPS ? RECORD_NEED_FILTER_IF_MIPS : 0u) |
           (bits & IF_GATHER ? RECORD_NEED_FILTER_IF_GATHER : 0u);
}

/* What a combined record or a sampler's asks for by itself. */
#define OWN_NEEDS                                                                                                      \
    (RECORD_NEED_COORDS | RECORD_NEED_FILTER | RECORD_NEED_FILTER_IF_OFFSET | RECORD_NEED_FILTER_IF_MIPS |             \
     RECORD_NEED_FILTER_IF_GATHER)

static void assert_zero_record(const struct record *record)
{
    static const struct record zero;
    assert_memory_equal(record, &zero, sizeof(zero));
}

/* The pair's record, needs and tier are `bits` and `tier`, and the record is put together of what is cached. */
static void assert_asks(const struct view_facts *view, const struct resolved *result, uint32_t bits, uint32_t tier)
{
    assert_int_equal(result->record.flags & ASKING_BITS, bits);
    assert_int_equal(result->needs & OWN_NEEDS, needs_of_bits(bits));
    assert_int_equal(result->tier, tier);
    if (bits == ZERO && view) /* a sampler alone says what it is */
        assert_zero_record(&result->record);
    if (view) {
        struct view_terms terms;
        struct record combined;
        resolve_view_terms(view, &terms);
        resolve_combine(&result->terms, &terms, &combined);
        assert_memory_equal(&combined, &result->record, sizeof(combined));
    }
    assert_int_equal(result->needs, record_needs(&result->record));
}

static void check_row(const struct row *row, bool mirror_clamp_to_edge)
{
    struct resolve_caps caps = device(mirror_clamp_to_edge);
    bool mipmaps = row->meets == ONE_LEVEL || row->meets == MIPS || row->meets == ALONE;
    VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(row->wrap, row->filters, mipmaps);
    struct sampler_state state = state_of(&gl, &caps);
    struct view_facts facts = view_of(VK_IMAGE_VIEW_TYPE_2D, row->meets == ONE_LEVEL ? 1 : 4);
    const struct view_facts *view = row->meets == ALONE || row->meets == BASE_ALONE ? NULL : &facts;
    struct resolved result;
    resolve_pair(&state, view, &caps, &result);
    assert_int_equal(result.driver.info.addressModeU, row->driver);
    assert_int_equal(result.driver.info.addressModeV, row->driver);
    assert_int_equal(result.driver.info.addressModeW, row->driver);
    assert_asks(view, &result, row->bits, row->tier);
    assert_int_equal(result.driver.info.magFilter, row->filters == LINEAR || row->filters == MAG_LINEAR);
    assert_int_equal(result.driver.info.minFilter, row->filters == LINEAR || row->filters == MIN_LINEAR);
    assert_true(strlen(result.reason) > 0 && strlen(result.reason) < sizeof(result.reason));
    assert_int_equal(row->bits == ZERO, strcmp(result.reason, "native") == 0);
}

static void row_holds(void **initial)
{
    const struct row *row = *initial;
    if (row->mirror != WITHOUT)
        check_row(row, true);
    if (row->mirror != WITH)
        check_row(row, false);
}

/*
 * Needs are those of the first view of a key, and records those of each view: where the one says that mask words have
 * all bounds, they have those of views of every size.
 */
static void bounds_that_mask_words_have_hang_on_no_size(void **unused)
{
    (void)unused;
    static const uint32_t wraps[] = {REPEAT, MIRRORED_REPEAT, CLAMP_TO_EDGE,          CLAMP_TO_BORDER,
                                     CLAMP,  MIRROR_CLAMP,    MIRROR_CLAMP_TO_BORDER, MIRROR_CLAMP_TO_EDGE};
    static const uint32_t sizes[] = {1, 2, 64, 16384};
    enum { WRAPS = sizeof(wraps) / sizeof(wraps[0]), SIZES = sizeof(sizes) / sizeof(sizes[0]) };
    unsigned fitting = 0, other = 0;
    for (uint32_t i = 0; i < WRAPS * WRAPS * WRAPS * 4 * 2 * 2 * 2; i++) {
        const struct resolve_caps caps = device(i & 1);
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(wraps[i / 32 % WRAPS], (enum filters)(i / 8 % 4), i & 2);
        gl.wrapT = wraps[i / 32 / WRAPS % WRAPS];
        gl.wrapR = wraps[i / 32 / WRAPS / WRAPS];
        const struct sampler_state state = state_of(&gl, &caps);
        struct view_facts view = view_of(i & 4 ? VK_IMAGE_VIEW_TYPE_3D : VK_IMAGE_VIEW_TYPE_2D, 1);
        struct resolved first;
        resolve_pair(&state, &view, &caps, &first);
        for (uint32_t size = 0; size < SIZES * SIZES * SIZES; size++) {
            struct view_terms terms;
            struct record record;
            view.width = sizes[size % SIZES];
            view.height = sizes[size / SIZES % SIZES];
            view.depth = i & 4 ? sizes[size / SIZES / SIZES] : 1;
            resolve_view_terms(&view, &terms);
            resolve_combine(&first.terms, &terms, &record);
            assert_int_equal(record_needs(&record) & RECORD_NEED_BOUNDS, first.needs & RECORD_NEED_BOUNDS);
            if (!(first.needs & RECORD_NEED_BOUNDS))
                assert_true(record_bounds_fit_masks(&record));
        }
        *(first.needs & RECORD_NEED_BOUNDS ? &other : &fitting) += first.needs & RECORD_NEED_COORDS ? 1 : 0;
    }
    assert_true(fitting > 100 && other > 100);
}

/* Wrap modes of the three axes, linear filters, one level: the bits for each type of view. */
static void only_the_axes_of_the_view_count(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t wrap[3];
        VkImageViewType type;
        uint32_t bits;
    } rows[] = {
        {{CLAMP, REPEAT, REPEAT}, VK_IMAGE_VIEW_TYPE_1D, COORDS},
        {{REPEAT, CLAMP, CLAMP}, VK_IMAGE_VIEW_TYPE_1D, ZERO},
        {{CLAMP, REPEAT, REPEAT}, VK_IMAGE_VIEW_TYPE_1D_ARRAY, COORDS},
        {{REPEAT, CLAMP, CLAMP}, VK_IMAGE_VIEW_TYPE_1D_ARRAY, ZERO}, /* t is the layer there */
        {{CLAMP, REPEAT, REPEAT}, VK_IMAGE_VIEW_TYPE_2D, COORDS},
        {{REPEAT, CLAMP, REPEAT}, VK_IMAGE_VIEW_TYPE_2D, COORDS},
        {{REPEAT, REPEAT, CLAMP}, VK_IMAGE_VIEW_TYPE_2D, ZERO},
        {{REPEAT, CLAMP, REPEAT}, VK_IMAGE_VIEW_TYPE_2D_ARRAY, COORDS},
        {{REPEAT, REPEAT, CLAMP}, VK_IMAGE_VIEW_TYPE_2D_ARRAY, ZERO},
        {{CLAMP, REPEAT, REPEAT}, VK_IMAGE_VIEW_TYPE_3D, COORDS},
        {{REPEAT, CLAMP, REPEAT}, VK_IMAGE_VIEW_TYPE_3D, COORDS},
        {{REPEAT, REPEAT, CLAMP}, VK_IMAGE_VIEW_TYPE_3D, COORDS},
        {{REPEAT, MIRRORED_REPEAT, CLAMP_TO_BORDER}, VK_IMAGE_VIEW_TYPE_3D, ZERO},
        {{CLAMP, CLAMP, CLAMP}, VK_IMAGE_VIEW_TYPE_CUBE, ZERO}, /* filtered across the faces */
        {{MIRROR_CLAMP, MIRROR_CLAMP, CLAMP}, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, ZERO},
    };
    struct resolve_caps caps = device(true);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(REPEAT, LINEAR, true);
        gl.wrapS = rows[i].wrap[0];
        gl.wrapT = rows[i].wrap[1];
        gl.wrapR = rows[i].wrap[2];
        struct sampler_state state = state_of(&gl, &caps);
        struct view_facts view = view_of(rows[i].type, 1);
        struct resolved result;
        resolve_pair(&state, &view, &caps, &result);
        assert_asks(&view, &result, rows[i].bits, rows[i].bits == ZERO ? 0 : 1);
    }
}

/* The most demanding axis decides for the lookup: the shader filters all axes or none. */
static void the_most_demanding_axis_decides(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t wrap_s, wrap_t;
        enum filters filters;
        enum meets meets;
        uint32_t bits, tier;
    } rows[] = {
        {REPEAT, CLAMP, LINEAR, MIPS, COORDS | IF_OFFSET, 1},
        {MIRROR_CLAMP, CLAMP, LINEAR, ONE_LEVEL, COORDS, 1},
        {MIRROR_CLAMP, CLAMP, LINEAR, MIPS, COORDS | FILTER, 2},
        {CLAMP, MIRROR_CLAMP, LINEAR, MIPS, COORDS | FILTER, 2},
        {MIRROR_CLAMP, CLAMP, LINEAR, ALONE, COORDS | IF_MIPS, 1},
        {MIRROR_CLAMP, REPEAT, LINEAR, ALONE, COORDS | IF_MIPS, 1},
        {MIRROR_CLAMP_TO_BORDER, MIRROR_CLAMP_TO_BORDER, NEAREST, MIPS, COORDS | IF_OFFSET, 1},
        {MIRROR_CLAMP_TO_BORDER, CLAMP, NEAREST, MIPS, COORDS | IF_OFFSET | IF_GATHER, 1},
        {MIRROR_CLAMP_TO_BORDER, CLAMP, MIN_LINEAR, ONE_LEVEL, COORDS | FILTER, 2},
        {REPEAT, CLAMP, MAG_LINEAR, ONE_LEVEL, COORDS | FILTER, 2},
        {MIRROR_CLAMP_TO_EDGE, CLAMP, NEAREST, MIPS, IF_GATHER, 0},
        {MIRROR_CLAMP_TO_EDGE, MIRROR_CLAMP, NEAREST, ALONE, IF_GATHER, 0},
    };
    struct resolve_caps caps = device(true);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(rows[i].wrap_s, rows[i].filters, true);
        gl.wrapT = rows[i].wrap_t;
        gl.wrapR = REPEAT;
        struct sampler_state state = state_of(&gl, &caps);
        struct view_facts facts = view_of(VK_IMAGE_VIEW_TYPE_2D, rows[i].meets == ONE_LEVEL ? 1 : 4);
        const struct view_facts *view = rows[i].meets == ALONE ? NULL : &facts;
        struct resolved result;
        resolve_pair(&state, view, &caps, &result);
        assert_asks(view, &result, rows[i].bits, rows[i].tier);
    }
}

/* A filter or a level that the LOD range excludes asks for nothing. All rows: a 2D view with four levels. */
static void the_lod_range_excludes_filters_and_levels(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t wrap, min_filter, mag_filter;
        float min_lod, max_lod;
        VkSamplerAddressMode driver;
        uint32_t bits, tier;
    } rows[] = {
        /* Always minified: only the minification filter counts. */
        {CLAMP, TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_NEAREST, 0.5f, 8.0f, BORDER, COORDS | IF_OFFSET, 1},
        {CLAMP, TOKEN_NEAREST_MIPMAP_LINEAR, TOKEN_LINEAR, 0.5f, 8.0f, EDGE, IF_GATHER, 0},
        {CLAMP, TOKEN_LINEAR, TOKEN_NEAREST, 1.0f, 8.0f, BORDER, COORDS, 1},
        {CLAMP, TOKEN_NEAREST, TOKEN_LINEAR, 1.0f, 8.0f, EDGE, IF_GATHER, 0},
        /* Always magnified: only the magnification filter, and only the first level. */
        {CLAMP, TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_NEAREST, -4.0f, 0.0f, EDGE, IF_GATHER, 0},
        {CLAMP, TOKEN_NEAREST_MIPMAP_LINEAR, TOKEN_LINEAR, -4.0f, 0.0f, BORDER, COORDS, 1},
        {CLAMP, TOKEN_NEAREST, TOKEN_LINEAR, -4.0f, -1.0f, BORDER, COORDS, 1},
        {MIRROR_CLAMP, TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, -4.0f, 0.0f, BORDER, COORDS, 1},
        /* Both, in spite of a narrow range. */
        {CLAMP, TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_NEAREST, 0.0f, 0.25f, EDGE, COORDS | FILTER, 2},
        /* The nearest level is the first one up to 1/2; between levels, every one above 0 takes part. */
        {MIRROR_CLAMP, TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR, 0.0f, 0.49f, BORDER, COORDS, 1},
        {MIRROR_CLAMP, TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR, 0.0f, 0.5f, BORDER, COORDS | FILTER, 2},
        {MIRROR_CLAMP, TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, 0.0f, 0.01f, BORDER, COORDS | FILTER, 2},
        {MIRROR_CLAMP, TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR, 0.1f, 0.3f, BORDER, COORDS, 1},
        /* One level, but not the first, whose size the record knows. */
        {MIRROR_CLAMP, TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR, 3.0f, 3.0f, BORDER, COORDS | FILTER, 2},
    };
    struct resolve_caps caps = device(true);
    struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_2D, 4);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(rows[i].wrap, LINEAR, true);
        gl.minFilter = rows[i].min_filter;
        gl.magFilter = rows[i].mag_filter;
        gl.minLod = rows[i].min_lod;
        gl.maxLod = rows[i].max_lod;
        struct sampler_state state = state_of(&gl, &caps);
        struct resolved result;
        resolve_pair(&state, &view, &caps, &result);
        assert_int_equal(result.driver.info.addressModeU, rows[i].driver);
        assert_asks(&view, &result, rows[i].bits, rows[i].tier);
    }
}

/* GL samplers: what cannot be filtered is sampled nearest, mipmaps too; comparison may filter depth all the same. */
static void what_cannot_be_filtered_is_sampled_nearest(void **unused)
{
    (void)unused;
    static const struct {
        bool linear, integer, depth, compare;
        VkFilter driver_filter;
        VkBool32 driver_compare;
        VkSamplerAddressMode driver;
        uint32_t bits, tier;
    } rows[] = {
        {true, false, false, false, VK_FILTER_LINEAR, VK_FALSE, BORDER, COORDS, 1},
        {false, false, false, false, VK_FILTER_NEAREST, VK_FALSE, EDGE, IF_GATHER, 0},
        {false, true, false, false, VK_FILTER_NEAREST, VK_FALSE, EDGE, IF_GATHER, 0},
        {true, true, false, false, VK_FILTER_NEAREST, VK_FALSE, EDGE, IF_GATHER, 0},
        {true, false, true, false, VK_FILTER_LINEAR, VK_FALSE, BORDER, COORDS, 1},
        {true, false, true, true, VK_FILTER_LINEAR, VK_TRUE, BORDER, COORDS, 1},
        {false, false, true, false, VK_FILTER_NEAREST, VK_FALSE, EDGE, IF_GATHER, 0},
        {false, false, true, true, VK_FILTER_LINEAR, VK_TRUE, BORDER, COORDS, 1},
        {true, false, false, true, VK_FILTER_LINEAR, VK_FALSE, BORDER, COORDS, 1},   /* only depth is compared */
        {false, true, false, true, VK_FILTER_NEAREST, VK_FALSE, EDGE, IF_GATHER, 0}, /* stencil */
    };
    struct resolve_caps caps = device(true);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(CLAMP, LINEAR, true);
        gl.minFilter = TOKEN_LINEAR_MIPMAP_LINEAR;
        gl.compareMode = rows[i].compare ? TOKEN_COMPARE_REF_TO_TEXTURE : 0;
        struct sampler_state state = state_of(&gl, &caps);
        struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_2D, 1);
        view.linear = rows[i].linear;
        view.integer = rows[i].integer;
        view.depth_aspect = rows[i].depth;
        struct resolved result;
        resolve_pair(&state, &view, &caps, &result);
        const VkSamplerCreateInfo *info = &result.driver.info;
        assert_int_equal(info->magFilter, rows[i].driver_filter);
        assert_int_equal(info->minFilter, rows[i].driver_filter);
        assert_int_equal(info->mipmapMode, rows[i].driver_filter == VK_FILTER_LINEAR ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                                                     : VK_SAMPLER_MIPMAP_MODE_NEAREST);
        assert_int_equal(info->compareEnable, rows[i].driver_compare);
        assert_int_equal(info->addressModeU, rows[i].driver);
        assert_asks(&view, &result, rows[i].bits, rows[i].tier);
        assert_int_equal(result.record.flags >> RECORD_COMPARE_SHIFT & RECORD_COMPARE_MASK,
                         rows[i].driver_compare ? VK_COMPARE_OP_LESS_OR_EQUAL + 1 : 0);
    }
}

static void a_combined_record_tells_tier_2_everything(void **unused)
{
    (void)unused;
    struct resolve_caps caps = device(true);
    VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(CLAMP, MIN_LINEAR, true);
    gl.minFilter = TOKEN_LINEAR_MIPMAP_LINEAR;
    gl.wrapT = REPEAT;
    gl.wrapR = MIRRORED_REPEAT;
    gl.minLod = 0.0f;
    gl.maxLod = 5.5f;
    gl.lodBias = -1.5f;
    gl.compareMode = TOKEN_COMPARE_REF_TO_TEXTURE;
    gl.compareFunc = 0x0204; /* GL_GREATER */
    struct sampler_state state = state_of(&gl, &caps);
    struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_3D, 7);
    view.depth = 9;
    view.depth_aspect = true;
    struct record record;
    struct resolved result;
    resolve_pair(&state, &view, &caps, &result);
    record = result.record;
    assert_int_equal(result.needs,
                     RECORD_NEED_COORDS | RECORD_NEED_FILTER | RECORD_NEED_MIPS | RECORD_NEED_COORDS_IF_QUERY);
    assert_int_equal(record.flags, RECORD_WRAP_CLAMP << RECORD_WRAP_S_SHIFT |
                                       RECORD_WRAP_REPEAT << RECORD_WRAP_T_SHIFT |
                                       RECORD_WRAP_MIRRORED_REPEAT << RECORD_WRAP_R_SHIFT | RECORD_MIN_LINEAR |
                                       RECORD_MIP_LINEAR | RECORD_COORDS | RECORD_FILTER |
                                       (VK_COMPARE_OP_GREATER + 1) << RECORD_COMPARE_SHIFT | 7u << RECORD_LEVELS_SHIFT);
    assert_int_equal(record.size, 64 | 32 << 16);
    assert_int_equal(record.depth_bias, 9u | 0xFE80u << 16);        /* -1.5 = -384/256 */
    assert_int_equal(record.lod, 1408u << RECORD_MAX_LOD_SHIFT);    /* 5.5 = 1408/256 */
    const float compared[4] = {gl.borderColor.float32[0], 0, 0, 1}; /* depth */
    assert_memory_equal(record.border, compared, sizeof(record.border));
}

/* What the shader ORs together is what a combined descriptor would have had, but for what only the pair can know. */
static void sampler_and_image_records_share_no_bit(void **unused)
{
    (void)unused;
    struct resolve_caps caps = device(true);
    VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(CLAMP, LINEAR, true);
    gl.lodBias = 2.0f;
    struct sampler_state state = state_of(&gl, &caps);
    struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_2D, 4);
    struct record combined, sampler, image;
    struct resolved result;
    resolve_pair(&state, &view, &caps, &result);
    combined = result.record;
    resolve_pair(&state, NULL, &caps, &result);
    sampler = result.record;
    assert_int_equal(sampler.lod & RECORD_PAIR_BORDER, RECORD_PAIR_BORDER);
    sampler.lod &= ~RECORD_PAIR_BORDER; /* only pairs of descriptors of their own ask */
    assert_int_equal(resolve_image_record(&view, &caps, &image), RECORD_NEED_MIPS);
    const uint32_t *s = (const uint32_t *)&sampler, *i = (const uint32_t *)&image, *c = (const uint32_t *)&combined;
    for (size_t word = 0; word < 4; word++) {
        assert_int_equal(s[word] & i[word], 0);
        assert_int_equal(s[word] | i[word], c[word]);
    }
}

static void an_image_record_says_size_levels_and_kind(void **unused)
{
    (void)unused;
    struct resolve_caps caps = device(true);
    struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_2D_ARRAY, 1);
    view.depth = 12;
    struct record record;
    assert_int_equal(resolve_image_record(&view, &caps, &record), 0);
    assert_int_equal(record.flags, 1u << RECORD_LEVELS_SHIFT);
    assert_int_equal(record.size, 64 | 32 << 16);
    assert_int_equal(record.depth_bias, 12);
    assert_int_equal(record.lod, 0);
    assert_int_equal(record.border[0], RECORD_BORDER_R | RECORD_BORDER_G << 3 | RECORD_BORDER_B << 6 |
                                           RECORD_BORDER_A << 9 | RECORD_BORDER_KIND_FLOAT << RECORD_BORDER_KIND_SHIFT);
    assert_int_equal(record.border[1], 0);
    assert_int_equal(record.border[2], record_bits(1.0f));
    assert_int_equal(record.border[3], record_bits(1.0f));
    view.levels = 4;
    assert_int_equal(resolve_image_record(&view, &caps, &record), RECORD_NEED_MIPS);
}

/* A driver that mirrors the texels' numbers gets the coordinate of that axis as it is, whatever moves along another. */
static void what_the_driver_mirrors_has_no_bounds(void **unused)
{
    (void)unused;
    for (int native = 0; native < 2; native++) {
        const struct resolve_caps caps = device(native);
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(MIRROR_CLAMP_TO_EDGE, LINEAR, false);
        gl.wrapT = CLAMP;
        const struct sampler_state state = state_of(&gl, &caps);
        const struct view_facts flat = view_of(VK_IMAGE_VIEW_TYPE_2D, 1);
        for (int alone = 0; alone < 2; alone++) {
            struct resolved result;
            resolve_pair(&state, alone ? NULL : &flat, &caps, &result);
            assert_int_equal(result.record.flags & COORDS, COORDS);
            assert_int_equal(record_moves_nothing(result.record.near[0], result.record.far[0]), native);
            if (!native)
                assert_int_equal(result.record.near[0], record_near(0.0f));
            assert_int_equal(result.record.near[1], record_near(-0.0f));
            assert_int_equal(result.record.flags & IF_GATHER, native ? 0 : IF_GATHER);
        }
    }
}

/*
 * Bounds of combined records, 64 x 32 x 16 texels: in the driver's coordinates. -0.0 and 0.0 differ: where the near
 * bound has no sign, the absolute value is taken.
 */
static void bounds_are_those_of_the_wrap_mode(void **unused)
{
    (void)unused;
    enum { NORMAL, RECTANGLE, UNNORMALIZED };
    const float none = record_float(RECORD_NO_FAR), half = RECORD_HALF_TEXEL;
    const struct {
        uint32_t wrap, kind;
        float near[3], far[3];
    } rows[] = {
        {CLAMP, NORMAL, {-0.0f, -0.0f, -0.0f}, {1, 1, 1}},
        {MIRROR_CLAMP_TO_EDGE, NORMAL, {0.0f, 0.0f, 0.0f}, {none, none, none}},
        {MIRROR_CLAMP, NORMAL, {half / 64, half / 32, half / 16}, {1, 1, 1}},
        {MIRROR_CLAMP_TO_BORDER, NORMAL, {half / 64, half / 32, half / 16}, {none, none, none}},
        {CLAMP, RECTANGLE, {-0.0f, -0.0f}, {1, 1}},
        {CLAMP_TO_EDGE, RECTANGLE, {-none / 64, -none / 32}, {none, none}},
        {CLAMP, UNNORMALIZED, {-0.0f, -0.0f}, {64, 32}},
        {MIRROR_CLAMP, UNNORMALIZED, {half, half}, {64, 32}},
    };
    struct resolve_caps caps = device(false);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(rows[i].wrap, LINEAR, false);
        struct sampler_state state = state_of(&gl, &caps);
        state.unnormalized = rows[i].kind == UNNORMALIZED;
        bool volume = rows[i].kind == NORMAL;
        struct view_facts view = view_of(volume ? VK_IMAGE_VIEW_TYPE_3D : VK_IMAGE_VIEW_TYPE_2D, 1);
        view.depth = volume ? 16 : 1;
        view.rectangle = rows[i].kind == RECTANGLE;
        struct resolved result;
        resolve_pair(&state, &view, &caps, &result);
        const struct record record = result.record;
        for (int axis = 0; axis < 2; axis++) {
            assert_int_equal(record.near[axis], record_near(rows[i].near[axis]));
            assert_int_equal(record.far[axis], record_far(rows[i].far[axis]));
        }
        assert_int_equal(record.third[0], volume           ? record_near(rows[i].near[2])
                                          : view.rectangle ? record_scale(1.0f / 64)
                                                           : 0);
        assert_int_equal(record.third[1], volume           ? record_far(rows[i].far[2])
                                          : view.rectangle ? record_scale(1.0f / 32)
                                                           : 0);
        assert_int_equal(record.more & ~RECORD_MORE_MAGNIFIED, 0);
        assert_true(record.bias_rest == 0.0f);

        /* The two records of a pair have the same bounds, once multiplied. */
        struct record image, sampler;
        resolve_image_record(&view, &caps, &image);
        resolve_pair(&state, NULL, &caps, &result);
        sampler = result.record;
        for (int axis = 0; axis < 2; axis++) {
            float near = record_float(sampler.near[axis] ^ RECORD_NO_NEAR);
            float far = record_float(sampler.far[axis] ^ RECORD_NO_FAR);
            near *= state.unnormalized ? 1.0f : record_float(image.near[axis]);
            far *= state.unnormalized ? record_float(image.far[axis]) : 1.0f;
            assert_int_equal(record.near[axis], record_near(near));
            assert_int_equal(record.far[axis], record_far(far));
        }
        /* What the device has. */
        assert_int_equal(image.more & ~RECORD_MORE_MAGNIFIED,
                         RECORD_MORE_REDUCES_FOR_GL | RECORD_MORE_REDUCES_FOR_VULKAN | RECORD_MORE_NOT_COMPARED);
        assert_int_equal(sampler.more | (image.more & RECORD_MORE_MAGNIFIED), record.more);
    }
}

/* Without mipmaps a shader's least level of detail chooses none; only where shaders may give one. */
static void records_without_mipmaps_keep_the_base_level(void **unused)
{
    (void)unused;
    static const struct {
        bool least_lods, mipmapped, levels, keeps, alone_keeps;
    } rows[] = {{true, false, true, true, true},
                {true, false, false, false, true},
                {true, true, true, false, false},
                {false, false, true, false, false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct resolve_caps caps = device(true);
        caps.least_lods = rows[i].least_lods;
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(REPEAT, NEAREST, rows[i].mipmapped);
        struct sampler_state state = state_of(&gl, &caps);
        struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_2D, rows[i].levels ? 4 : 1);
        struct resolved result;
        resolve_pair(&state, &view, &caps, &result);
        assert_int_equal(result.record.more & ~RECORD_MORE_MAGNIFIED, rows[i].keeps ? RECORD_MORE_BASE_LEVEL : 0);
        assert_int_equal(result.record.flags >> RECORD_LEVELS_SHIFT & RECORD_LEVELS_MASK, rows[i].keeps ? 4 : 0);
        assert_int_equal(result.needs & RECORD_NEED_COORDS_IF_LEAST_LOD,
                         rows[i].keeps ? RECORD_NEED_COORDS_IF_LEAST_LOD : 0);
        resolve_pair(&state, NULL, &caps, &result);
        assert_int_equal(result.record.more, rows[i].alone_keeps ? RECORD_MORE_BASE_LEVEL : 0);
    }
}

/* Only where the driver's limit is lower than GL's; what is left is made up for whatever the coordinate. */
static void the_rest_of_a_bias_is_in_the_record(void **unused)
{
    (void)unused;
    static const struct {
        float bias, limit, rest;
    } rows[] = {{3, 2, 1},      {-3, 2, -1}, {2, 2, 0},    {-1, 2, 0}, {4.5f, 4, 0.5f},
                {15.5f, 15, 0}, {16, 16, 0}, {-47, 16, 0}, {47, 2, 14}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct resolve_caps caps = device(true);
        caps.max_lod_bias = rows[i].limit;
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(REPEAT, LINEAR, true);
        gl.lodBias = rows[i].bias;
        struct sampler_state state = state_of(&gl, &caps);
        struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_2D, 4);
        struct resolved result;
        const uint32_t more = rows[i].rest != 0 ? RECORD_MORE_ALWAYS | RECORD_MORE_GRADIENTS : 0;
        resolve_pair(&state, &view, &caps, &result);
        assert_true(result.record.bias_rest == rows[i].rest);
        assert_int_equal(result.record.more & ~RECORD_MORE_MAGNIFIED, more);
        resolve_pair(&state, NULL, &caps, &result);
        assert_true(result.record.bias_rest == rows[i].rest);
        assert_int_equal(result.record.more, more);
    }
}

/*
 * Of 64 x 32 texels: half coordinates that differ by less than this are magnified whatever the driver takes for the
 * level, which may be sqrt(2) of what both axes make together. Where gradients show all the same none differ by less.
 */
static void what_is_certain_to_be_magnified_is_in_the_record(void **unused)
{
    (void)unused;
    static const struct {
        float bias, anisotropy;
        bool gradients;
    } rows[] = {{0, 0, false}, {-1, 0, false}, {0.5f, 0, true}, {0, 4, true}, {-1, 4, true}, {-47, 0, true}};
    const float most = 0.5f * 0.70710678f / 64;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct resolve_caps caps = device(true);
        caps.anisotropy = true;
        caps.max_anisotropy = 16;
        caps.max_lod_bias = 4;
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(CLAMP, LINEAR, true);
        gl.lodBias = rows[i].bias;
        gl.maxAnisotropy = rows[i].anisotropy;
        struct sampler_state state = state_of(&gl, &caps);
        struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_2D, 4);
        struct resolved result;
        struct record image;
        resolve_pair(&state, &view, &caps, &result);
        resolve_image_record(&view, &caps, &image);
        const float together = record_float(result.record.more);
        resolve_pair(&state, NULL, &caps, &result);
        const float apart = record_float(result.record.more | image.more);
        assert_true(rows[i].gradients ? together < 0 : together > 0.87f * most && together < most);
        assert_true(rows[i].gradients ? apart < 0 : apart > 0.87f * most && apart < most);
    }
}

/*
 * Programs see the driver's limit beside one that is assumed: plain samplers keep what they were promised. In tier 2
 * the shader adds what the driver's sampler lacks.
 */
static void assumed_limits_do_not_bound_plain_biases(void **unused)
{
    (void)unused;
    const VkSamplerCreateInfo info = {.magFilter = VK_FILTER_LINEAR,
                                      .minFilter = VK_FILTER_LINEAR,
                                      .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                      .mipLodBias = 3.75f,
                                      .maxLod = 8};
    struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_2D, 4);
    struct sampler_state state;
    state_of_vk(&info, &state);
    for (unsigned fetched = 0; fetched < 2; fetched++) {
        for (unsigned assumed = 0; assumed < 2; assumed++) {
            struct resolve_caps caps = device(true);
            struct resolved result;
            caps.vk_fallback = RESOLVE_FALLBACK_SHADER;
            caps.max_lod_bias = 2;
            caps.max_lod_bias_assumed = assumed;
            view.linear = !fetched;
            resolve_pair(&state, &view, &caps, &result);
            assert_int_equal(result.record.flags & RECORD_FILTER ? 1 : 0, fetched);
            assert_int_equal(result.record.flags & RECORD_BIAS ? 1 : 0, fetched && assumed);
            assert_float_equal(result.driver.info.mipLodBias, fetched && assumed ? 2.0f : 3.75f, 0);
        }
    }
}

static void lod_ranges_become_256ths(void **unused)
{
    (void)unused;
    static const struct {
        float max_lod;
        uint32_t bits;
    } rows[] = {{1000.0f, 4095}, {1.0f, 256},    {0.5f, 128},     {3.3f, 845}, {0.00001f, 1},
                {14.0f, 3584},   {15.98f, 4091}, {15.995f, 4095}, {0.25f, 64}};
    struct resolve_caps caps = device(true);
    struct view_facts view = view_of(VK_IMAGE_VIEW_TYPE_2D, 4);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl = gl_sampler(CLAMP, LINEAR, true);
        gl.maxLod = rows[i].max_lod;
        struct sampler_state state = state_of(&gl, &caps);
        struct record record;
        struct resolved result;
        resolve_pair(&state, &view, &caps, &result);
        record = result.record;
        assert_int_equal(record.lod, rows[i].bits << RECORD_MAX_LOD_SHIFT);
    }
}

/* Whatever a Vulkan program gives, within the record's 16 bits: 1/256 level, from -128 to just below 128. */
static void biases_become_256ths(void **unused)
{
    (void)unused;
    static const struct {
        float bias;
        uint32_t bits;
    } rows[] = {{0.3f, 77},        {-0.3f, 0xFFB3},   {127.9f, 0x7FE6}, {128.0f, 0x7FFF},
                {-127.5f, 0x8080}, {-128.0f, 0x8000}, {-1e30f, 0x8000}, {1e30f, 0x7FFF}};
    struct resolve_caps caps = device(true);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkSamplerCreateInfo info = {.addressModeU = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER,
                                    .magFilter = VK_FILTER_LINEAR,
                                    .minFilter = VK_FILTER_LINEAR,
                                    .mipLodBias = rows[i].bias};
        struct sampler_state state;
        struct record record;
        state_of_vk(&info, &state);
        struct resolved result;
        resolve_pair(&state, NULL, &caps, &result);
        record = result.record;
        assert_int_equal(result.needs, RECORD_NEED_COORDS | RECORD_NEED_LINEAR);
        assert_int_equal(record.depth_bias, rows[i].bits << 16);
    }
}

int main(void)
{
    enum { ROWS = sizeof(truth) / sizeof(*truth) };
    static const struct CMUnitTest named[] = {
        cmocka_unit_test(bounds_that_mask_words_have_hang_on_no_size),
        cmocka_unit_test(only_the_axes_of_the_view_count),
        cmocka_unit_test(the_most_demanding_axis_decides),
        cmocka_unit_test(the_lod_range_excludes_filters_and_levels),
        cmocka_unit_test(what_cannot_be_filtered_is_sampled_nearest),
        cmocka_unit_test(a_combined_record_tells_tier_2_everything),
        cmocka_unit_test(sampler_and_image_records_share_no_bit),
        cmocka_unit_test(an_image_record_says_size_levels_and_kind),
        cmocka_unit_test(bounds_are_those_of_the_wrap_mode),
        cmocka_unit_test(what_the_driver_mirrors_has_no_bounds),
        cmocka_unit_test(the_rest_of_a_bias_is_in_the_record),
        cmocka_unit_test(what_is_certain_to_be_magnified_is_in_the_record),
        cmocka_unit_test(assumed_limits_do_not_bound_plain_biases),
        cmocka_unit_test(records_without_mipmaps_keep_the_base_level),
        cmocka_unit_test(lod_ranges_become_256ths),
        cmocka_unit_test(biases_become_256ths),
    };
    enum { NAMED = sizeof(named) / sizeof(*named) };
    static struct CMUnitTest tests[ROWS + NAMED];
    for (size_t i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){truth[i].text, row_holds, NULL, NULL, (void *)(uintptr_t)&truth[i]};
    memcpy(tests + ROWS, named, sizeof(named));
    return _cmocka_run_group_tests("resolve", tests, ROWS + NAMED, NULL, NULL);
}
