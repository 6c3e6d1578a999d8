/* SPDX-License-Identifier: MIT */
/*
 * A texture sampler in plain C, written from the OpenGL 4.6 compatibility specification (sections 8.14 to 8.16, 8.23)
 * and EXT_texture_mirror_clamp: the third voice when a GL driver and a Vulkan driver disagree.
 *
 * It is exact where the specification is, and says by how much a conforming implementation may differ where it is not:
 * `low` and `high` of a result are the range of values that the lookup can give when the coordinate is off by the
 * precision of texture hardware, and the level of detail by a small amount.
 *
 * Not modelled: sRGB and format decoding (texels come decoded), projection (the caller divides, coordinates and
 * derivatives). Anisotropy is that of EXT_texture_filter_anisotropic's example, which other implementations need not
 * follow, of images other than cubes.
 *
 * Pure: no global state, no allocation; any thread may call any function at any time. All pointers are borrowed for the
 * call.
 */
#ifndef CLAMPLER_REFERENCE_H
#define CLAMPLER_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Wrap modes, filters and comparisons have OpenGL's numbers; these are the names of the wrap modes. */
#define REFERENCE_CLAMP 0x2900u
#define REFERENCE_REPEAT 0x2901u
#define REFERENCE_CLAMP_TO_BORDER 0x812Du
#define REFERENCE_CLAMP_TO_EDGE 0x812Fu
#define REFERENCE_MIRRORED_REPEAT 0x8370u
#define REFERENCE_MIRROR_CLAMP 0x8742u
#define REFERENCE_MIRROR_CLAMP_TO_EDGE 0x8743u
#define REFERENCE_MIRROR_CLAMP_TO_BORDER 0x8912u

/*
 * What some drivers make of two of them: the lower bound 1/(2N) is left out, so that the border is blended in at the
 * mirror line. No modes of OpenGL's.
 */
#define REFERENCE_MIRROR_CLAMP_TO_LINE 0x18742u
#define REFERENCE_MIRROR_CLAMP_TO_BORDER_AND_LINE 0x18912u

#define REFERENCE_NEAREST 0x2600u
#define REFERENCE_LINEAR 0x2601u
#define REFERENCE_NEAREST_MIPMAP_NEAREST 0x2700u
#define REFERENCE_LINEAR_MIPMAP_NEAREST 0x2701u
#define REFERENCE_NEAREST_MIPMAP_LINEAR 0x2702u
#define REFERENCE_LINEAR_MIPMAP_LINEAR 0x2703u
#define REFERENCE_CUBIC 0x9139u /* GL_IMG_texture_filter_cubic */
#define REFERENCE_CUBIC_MIPMAP_NEAREST 0x913au
#define REFERENCE_CUBIC_MIPMAP_LINEAR 0x913bu

enum reference_target {
    REFERENCE_1D,
    REFERENCE_1D_ARRAY,
    REFERENCE_2D,
    REFERENCE_2D_ARRAY,
    REFERENCE_3D,
    REFERENCE_RECTANGLE,  /* coordinates and derivatives in texels */
    REFERENCE_CUBE,       /* coordinates are a direction; layers are faces in OpenGL's order */
    REFERENCE_CUBE_ARRAY, /* six layers for each cube; `layer` counts cubes */
};

enum reference_kind {
    REFERENCE_FLOAT,       /* also normalised formats, decoded */
    REFERENCE_INT,         /* never filtered: linear filters count as nearest, between levels too */
    REFERENCE_UINT,        /* likewise */
    REFERENCE_DEPTH_UNORM, /* depth in f[0]; the value to compare with is clamped to [0, 1] */
    REFERENCE_DEPTH_FLOAT, /* depth in f[0] */
};

union reference_color {
    float f[4];
    int32_t i[4];
    uint32_t u[4];
};

/* What a channel of a lookup shows: of the texel, or of the border colour. */
enum reference_select {
    REFERENCE_SELECT_SAME, /* its own */
    REFERENCE_SELECT_ZERO,
    REFERENCE_SELECT_ONE, /* 1.0, or the integer 1 */
    REFERENCE_SELECT_R,
    REFERENCE_SELECT_G,
    REFERENCE_SELECT_B,
    REFERENCE_SELECT_A,
};

#define REFERENCE_MAX_LEVELS 16

struct reference_level {
    int32_t width, height, depth;        /* texels, at least 1; axes that the target lacks: 1 */
    const union reference_color *texels; /* x fastest, then y, z, layer; with those of the border, where there are some
                                          */
};

struct reference_texture {
    enum reference_target target;
    enum reference_kind kind;
    int32_t levels; /* 1..REFERENCE_MAX_LEVELS; level[0] is the base level */
    int32_t layers; /* arrays: at least 1; else 1 */
    struct reference_level level[REFERENCE_MAX_LEVELS];
    bool bordered; /* one more texel at each end of each axis, which is border (OpenGL 2.1, 3.8.8); of each face */
    /* View state, composed: base format, depth mode, swizzle. Comparison results go through `select` too. */
    enum reference_select select[4], border_select[4];
    /*
     * Of a Vulkan view (VkImageViewMinLodCreateInfoEXT): no lower level of detail is sampled. For samplers with mipmaps
     * whose filters of texels are one alone: whether such lookups magnify is the driver's.
     */
    float least_level;
    float compare_fail; /* GL_TEXTURE_COMPARE_FAIL_VALUE_ARB: ARB_shadow_ambient */
};

/* GL_TEXTURE_REDUCTION_MODE_ARB: what becomes of the texels that have a share. */
enum reference_reduction { REFERENCE_AVERAGE, REFERENCE_MINIMUM, REFERENCE_MAXIMUM };

struct reference_sampler {
    uint32_t wrap[3]; /* s, t, r; axes that the target lacks are ignored */
    uint32_t min_filter, mag_filter;
    float min_lod, max_lod;       /* levels; swapped if in the wrong order; below 0 counts as 0 */
    float lod_bias;               /* levels: texture object and texture unit together */
    float most_bias;              /* bound of the sum of all biases: GL_MAX_TEXTURE_LOD_BIAS. 0: 16 */
    bool compare;                 /* compare depth textures: GL_COMPARE_REF_TO_TEXTURE */
    uint32_t compare_func;        /* GL_NEVER (0x0200) .. GL_ALWAYS (0x0207) */
    union reference_color border; /* depth: f[0]; for normalised formats already clamped to their range */
    bool seamless;                /* cubes: filter across edges; else each face by itself, under the wrap modes */
    enum reference_reduction reduction;
    float max_anisotropy; /* below 2: isotropic */
};

enum reference_operation {
    REFERENCE_IMPLICIT,  /* level of detail from ddx and ddy, as a fragment shader's texture() computes it */
    REFERENCE_GRAD,      /* level of detail from ddx and ddy */
    REFERENCE_LOD,       /* level of detail given; biases are added to it */
    REFERENCE_GATHER,    /* four texels of the base level, x y z w = (0,1) (1,1) (1,0) (0,0); filters are ignored */
    REFERENCE_QUERY_LOD, /* what is sampled, of the level of detail from ddx and ddy: the level, or a place between two,
                            then the level of detail before it is clamped, 0, 1 */
};

struct reference_lookup {
    enum reference_operation operation;
    float coordinate[3];  /* s, t, r, without the layer; normalised but for REFERENCE_RECTANGLE */
    float layer;          /* arrays: rounded to the nearest layer and clamped */
    float ddx[3], ddy[3]; /* change of `coordinate` from pixel to pixel (IMPLICIT, GRAD) */
    float lod;            /* LOD */
    float bias;           /* IMPLICIT: the shader's */
    float min_lod;        /* IMPLICIT and GRAD: the least level of detail that the shader allows; 0: any */
    int32_t offset[3];    /* texels of the sampled level */
    bool has_offsets;     /* GATHER: `offsets` instead: each texel is the (0,0) one of its own offset */
    int32_t offsets[4][2];
    uint32_t component; /* GATHER: 0..3 */
    float reference;    /* the value to compare with */
};

/* How far an implementation may be from the ideal. */
struct reference_precision {
    float texel;          /* of the coordinate: texels each way. Hardware keeps 8 fractional bits: 1/512 */
    float lod;            /* of a computed level of detail, each way */
    float lod_fraction;   /* of a given level of detail, where it blends or rounds between levels */
    float lod_bit;        /* a given level of detail may count as one that is less by this much where filters switch
                             over: hardware keeps 8 fractional bits (VkPhysicalDeviceLimits::mipmapPrecisionBits) */
    bool approximate_rho; /* accept any level of detail that section 8.14.1 allows for scale factors, not the ideal
                             alone */
    bool switch_over;     /* accept 0 and 1/2 as the switch-over point for the filters for which 8.15 allows both */
};

extern const struct reference_precision reference_hardware; /* 1/512, 1/64, 1/128, 1/256, false, false */

struct reference_result {
    union reference_color rgba; /* the specification's value. Comparison: f[0], then 0, 0, 1; gather: see above */
    union reference_color low;  /* the range in which a conforming implementation stays, channel by channel */
    union reference_color high;
    float lod;      /* the level of detail, clamped to the sampler's range; GATHER: 0 */
    bool undefined; /* the coordinate is not a number, or too large to tell texels apart: any texel will do */
};

/* precision NULL: reference_hardware. */
void reference_sample(const struct reference_texture *texture, const struct reference_sampler *sampler,
                      const struct reference_lookup *lookup, const struct reference_precision *precision,
                      struct reference_result *result);

/*
 * True if `value` is in the result's range, widened by `tolerance` each way (floats and depth only; integers are
 * exact), in every channel of `channels` (bit 0: red). NaN is never accepted, unless the result is undefined.
 */
bool reference_accepts(const struct reference_result *result, enum reference_kind kind,
                       const union reference_color *value, float tolerance, uint32_t channels);

#endif
