/*
 * The record: the semantic word that travels beside every descriptor (see docs/architecture.md).
 *
 * 64 bytes in a uniform or storage buffer, read by rewritten shaders as four uvec4. shaders/record.glsl mirrors this
 * layout; tests/spirv holds the two together.
 *
 * A zero record asks the shader for nothing. A combined image sampler's record is complete: the layer has decided what
 * is to be done, and pair flags stand in it only where the shader acts on them. For separate descriptors the sampler's
 * record fills only the parts marked S, the image's only those marked I; the shader ORs the first four words of the
 * two, no bit of which is filled by both, decides what the pair needs, and makes its border and its bounds of both
 * records' other words.
 *
 * In the buffer a combined image sampler's record is followed by two more, which are its image's and its sampler's
 * alone, for shaders that put one of them together with another's: layer/descriptors/halves.c.
 */
#ifndef CLAMPLER_RECORD_H
#define CLAMPLER_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct record {
    uint32_t flags;      /* RECORD_* below */
    uint32_t size;       /* I: width of level 0 of the view in texels | height << 16 */
    uint32_t depth_bias; /* I: bits 0..14: depth of level 0, or array layers (cubes: faces) | S: LOD bias, signed 1/256,
                            << 16 */
    uint32_t lod;        /* S: minLod in bits 0..11, maxLod in 12..23, below; pair flags in 24..31 */
    uint32_t border[4];  /* combined: the border colour as lookups return it, depth for comparisons in [0] (float,
                            int or uint bits by the image's type) | S: as the program gave it
                            | I: [0]: the border translation below, then what each of its channels is clamped to: [1]
                            least and [2] greatest; [3] is the greatest of blue (floats) or alpha (integers) */
    /*
     * Bounds: tier 1 gives the driver min(far, max(near, s)) in the place of a coordinate s, of its absolute value
     * where near has no sign bit (-0.0 is a bound as well). A lookup needs no other coordinate exactly where that is s.
     * They are kept as record_near and record_far give them: what is zero is beyond all coordinates.
     */
    uint32_t near[2];  /* combined: in the driver's coordinates | S: in texels | I: 1 / size, bits of floats */
    uint32_t far[2];   /* combined: likewise | S: 1 is the far edge | I: size, bits of floats */
    uint32_t third[2]; /* volumes: near and far of the third axis (S likewise; I: 1 / depth, bits of a float) | else,
                          combined: what coordinates are multiplied with before all else, as record_scale gives it */
    float bias_rest;   /* S: what the driver's sampler lacks of the sampler's bias, in levels; 0 without RECORD_BIAS */
    uint32_t more;     /* RECORD_MORE_*; the other bits are reserved, and zero */
};

/* 1.0e30: no coordinate that means anything reaches it, nor does its product with a size overflow. */
#define RECORD_NO_NEAR 0xf149f2cau /* bits of -1.0e30f */
#define RECORD_NO_FAR 0x7149f2cau  /* bits of 1.0e30f */

/* The float that has these bits, and a float's bits. */
static inline float record_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint32_t record_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* A bound as records keep it, and back. */
static inline uint32_t record_near(float bound)
{
    return record_bits(bound) ^ RECORD_NO_NEAR;
}

static inline uint32_t record_far(float bound)
{
    return record_bits(bound) ^ RECORD_NO_FAR;
}

/* A factor of coordinates as records keep it: 1 / size for rectangles; zero for all others means 1. */
#define RECORD_NO_SCALE 0x3f800000u /* bits of 1.0f */
static inline uint32_t record_scale(float factor)
{
    return record_bits(factor) ^ RECORD_NO_SCALE;
}

/* A little more than half a texel: exactly there a footprint begins, and what is rounded down would show the border. */
#define RECORD_HALF_TEXEL 0.5000005f

/* In `more`. */
#define RECORD_MORE_ALWAYS (1u << 0)   /* S: there is a bias_rest: tier 1 looks up again whatever the coordinate */
#define RECORD_MORE_REDUCTION_SHIFT 1u /* S: bits 1..2: VkSamplerReductionMode, for tier 2 */
#define RECORD_MORE_REDUCTION_MASK 3u
#define RECORD_MORE_NO_MINMAX (1u << 3)   /* I: the driver has no minima and maxima of it: reductions take tier 2 */
#define RECORD_MORE_BASE_LEVEL (1u << 4)  /* S: no mipmaps: a shader's least level of detail is no level to sample */
#define RECORD_MORE_FACES_ALONE (1u << 5) /* S: cube faces are filtered one by one, by the driver or in tier 2 */
/*
 * S: a minimum or maximum is asked for, by GL's rules or by Vulkan's own. I: the driver has it, by these rules. Where
 * the two share a bit the driver filters, be there linear filters of the format or not.
 */
#define RECORD_MORE_REDUCES_FOR_GL (1u << 6)
#define RECORD_MORE_REDUCES_FOR_VULKAN (1u << 7)
#define RECORD_MORE_COMPARED_ZERO (1u << 16) /* I: comparisons give 0, whatever is compared: what red shows */
#define RECORD_MORE_COMPARED_ONE (1u << 17)  /* I: likewise 1 */

/*
 * Wrap modes, 3 bits an axis, each of which says one thing so that shaders need not compare: bit 0 that the coordinate
 * is mirrored, bit 2 that the border may be read, bits 1 and 2 together the kind. The first five are Vulkan's own
 * (layer/resolve/wrap.c). All of them are followed by tier 2.
 */
enum record_wrap {
    RECORD_WRAP_REPEAT = 0,
    RECORD_WRAP_MIRRORED_REPEAT = 1,
    RECORD_WRAP_CLAMP_TO_EDGE = 2,
    RECORD_WRAP_MIRROR_CLAMP_TO_EDGE = 3,
    RECORD_WRAP_CLAMP_TO_BORDER = 4,
    RECORD_WRAP_MIRROR_CLAMP_TO_BORDER = 5,
    RECORD_WRAP_CLAMP = 6,
    RECORD_WRAP_MIRROR_CLAMP = 7,
};
#define RECORD_WRAP_MIRROR 1u
#define RECORD_WRAP_BORDER 4u
#define RECORD_WRAP_KIND 6u /* REPEAT, CLAMP_TO_EDGE, CLAMP_TO_BORDER, CLAMP */

#define RECORD_WRAP_S_SHIFT 0u /* S: bits 0..2 */
#define RECORD_WRAP_T_SHIFT 3u /* S: bits 3..5 */
#define RECORD_WRAP_R_SHIFT 6u /* S: bits 6..8 */
#define RECORD_WRAP_MASK 7u
#define RECORD_MAG_LINEAR (1u << 9)      /* S */
#define RECORD_MIN_LINEAR (1u << 10)     /* S */
#define RECORD_MIP_NEAREST (1u << 11)    /* S: neither MIP bit: only the base level is sampled */
#define RECORD_MIP_LINEAR (1u << 12)     /* S */
#define RECORD_UNNORMALIZED (1u << 13)   /* S: the driver's sampler takes texel coordinates: bounds are N, not 1 */
#define RECORD_COORDS (1u << 14)         /* S: tier 1 and 2: move the coordinate as the wrap modes say */
#define RECORD_FILTER (1u << 15)         /* S: tier 2: filter in the shader, whatever the image */
#define RECORD_FILTER_IF_MIPS (1u << 16) /* S, not in combined: tier 2: likewise if there is more than one level */
#define RECORD_FILTER_IF_OFFSET                                                                                        \
    (1u << 17) /* S: tier 2: filter lookups with texel offsets, of a sampler alone if there are levels */
#define RECORD_COMPARE_SHIFT 18u /* S: bits 18..21: 0 no compare, else VkCompareOp + 1 */
#define RECORD_COMPARE_MASK 15u
#define RECORD_LEVELS_SHIFT 22u /* I: bits 22..26: mip levels of the view (1..31; 0: not known) */
#define RECORD_LEVELS_MASK 31u
#define RECORD_RECTANGLE (1u << 27)        /* I: coordinates are texels, and the driver's are not: tier 1 divides */
#define RECORD_FILTER_IF_GATHER (1u << 28) /* S: tier 2: filter gathers, whose footprint reaches the border */
#define RECORD_DEPTH_FIXED (1u << 29)      /* I: fixed-point depth: Dref is clamped to [0, 1] */
#define RECORD_BIAS (1u << 30)             /* S: the driver's limit cannot hold all biases: tier 1 adds the rest */
/*
 * Records of descriptors that are neither samplers nor sampled images have bit 31, and their other bits mean something
 * else: bit 30 says what kind they are.
 */
#define RECORD_OTHER (1u << 31)
#define RECORD_OTHER_INPUT (1u << 30) /* beside RECORD_OTHER: an input attachment; else a texel buffer */

/* In depth_bias, I: fixed-point depth that is kept in a float format, so that tier 1 clamps Dref as well. */
#define RECORD_DEPTH_PROMOTED (1u << 15)
#define RECORD_DEPTH_MASK 0x7fffu

/*
 * Bounds of the level of detail: unsigned 1/256. The greatest means: no bound that matters. A bound between 0 and 1/256
 * is 1/256, so that it excludes the same filter.
 */
#define RECORD_MIN_LOD_SHIFT 0u
#define RECORD_MAX_LOD_SHIFT 12u
#define RECORD_LOD_MASK 0xfffu

/*
 * Pair flags, in `lod`. Where sampler and image are descriptors of their own the shader filters if two of them meet:
 * see record_of_pair in shaders/record.glsl.
 */
#define RECORD_PAIR_BORDER (1u << 24)       /* S: GL state whose wrap modes can read the border */
#define RECORD_PAIR_BORDER_OTHER (1u << 25) /* I: shows another border than plain float views would */
#define RECORD_PAIR_UNFILTERABLE (1u << 26) /* I: the format has no linear filters, and a fallback is on */
#define RECORD_PAIR_TO_NEAREST (1u << 27)   /* I: beside UNFILTERABLE: the fallback is nearest filters */
#define RECORD_PAIR_NON_SEAMLESS (1u << 28) /* S: cube faces are filtered one by one, which the driver does not */
#define RECORD_PAIR_SRGB_SKIP (1u << 29)    /* S: texels are not decoded from sRGB */
#define RECORD_PAIR_SRGB (1u << 30)       /* I: texels are decoded from sRGB; with SRGB_SKIP the shader encodes them */
#define RECORD_PAIR_INCOMPLETE (1u << 31) /* I: integers that any linear filter samples as (0, 0, 0, 1) */

/*
 * Combined records with SRGB_SKIP and SRGB: which channels of a texel are not decoded from sRGB, one bit each from red
 * on, in the place of pair flags that such records do not have. Without a swizzle alpha alone.
 */
#define RECORD_SRGB_PLAIN_SHIFT 24u

/*
 * Border translation of an image (base format, depth mode and swizzle in one): a selector of 3 bits for each channel,
 * red in bits 0..2. The colour is clamped first; comparisons take its first channel, whatever the selectors.
 */
enum record_border_selector {
    RECORD_BORDER_ZERO = 0,
    RECORD_BORDER_ONE = 1, /* 1.0, or integer 1 */
    RECORD_BORDER_R = 2,
    RECORD_BORDER_G = 3,
    RECORD_BORDER_B = 4,
    RECORD_BORDER_A = 5,
};
#define RECORD_BORDER_SELECTOR_MASK 7u
/* Of what type the bounds of the colour's channels are: bits 12..13. What is not a number counts as 0. */
#define RECORD_BORDER_KIND_SHIFT 12u
#define RECORD_BORDER_KIND_MASK 3u
#define RECORD_BORDER_KIND_FLOAT 0u
#define RECORD_BORDER_KIND_UINT 1u
#define RECORD_BORDER_KIND_SINT 2u /* the least value is the complement of the greatest */
/* Alpha is kept in red or green, which is decoded from sRGB if they are. */
#define RECORD_BORDER_ALPHA_IN_COLOR (1u << 14)

_Static_assert(sizeof(struct record) == 64, "four uvec4 in shaders/record.glsl");

/*
 * The record of a uniform texel buffer whose view the driver cannot give as it is; shaders/texel_buffer.glsl mirrors
 * it. A view that needs nothing has a record of zeros.
 */
struct texel_record {
    uint32_t flags;    /* RECORD_OTHER and TEXEL_* below */
    uint32_t elements; /* texels of the program's view; indices from here on read as zero */
    uint32_t place[2]; /* by address: device address of texel 0, low word first; else: [0] bytes from the driver's
                          view's first to texel 0's */
    uint32_t unused[12];
};
_Static_assert(sizeof(struct texel_record) == sizeof(struct record), "records lie in one array");

/* How texels are read: bits 0 and 1. */
enum texel_path {
    TEXEL_PATH_NATIVE = 0,  /* the driver's view has the format; the shader swizzles */
    TEXEL_PATH_WORDS = 1,   /* it has one 32-bit component: a texel is 1 to 3 fetches */
    TEXEL_PATH_BLOCKS = 2,  /* it has four 32-bit components: the same in fewer elements */
    TEXEL_PATH_ADDRESS = 3, /* loads from memory; it holds any element */
};
#define TEXEL_PATH_MASK 3u
#define TEXEL_COMPONENTS_SHIFT 2u /* bits 2, 3: components - 1 */
#define TEXEL_COMPONENTS_MASK 3u
#define TEXEL_WIDTH_SHIFT 4u /* bits 4, 5 */
#define TEXEL_WIDTH_MASK 3u
enum texel_width {
    TEXEL_WIDTH_8 = 0, /* bits of each component */
    TEXEL_WIDTH_16 = 1,
    TEXEL_WIDTH_32 = 2,
    TEXEL_WIDTH_PACKED = 3, /* one word: 10, 10, 10, 2 bits from the lowest on; of FLOAT 11, 11, 10 */
};
#define TEXEL_TYPE_SHIFT 6u /* bits 6 to 8 */
#define TEXEL_TYPE_MASK 7u
enum texel_type {
    TEXEL_TYPE_UNORM = 0,
    TEXEL_TYPE_SNORM = 1,
    TEXEL_TYPE_UINT = 2,
    TEXEL_TYPE_SINT = 3,
    TEXEL_TYPE_FLOAT = 4,
};
#define TEXEL_SWIZZLE_SHIFT 9u /* bits 9 to 20: four selectors: 0 zero, 1 one, 2 to 5 component */
/*
 * By address, which is a multiple of 4, and at least one texel: its three words are red, green and blue. What drivers
 * lack most often: rewritten code that may branch loads them without looking at the fields above.
 */
#define TEXEL_RGB (1u << 21)

#endif
