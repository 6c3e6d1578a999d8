/*
 * The record: the semantic word that travels beside every descriptor (see ARCHITECTURE in README.md).
 *
 * 32 bytes in a uniform or storage buffer, read by rewritten shaders as two uvec4. shaders/record.glsl mirrors this
 * layout; tests/spirv holds the two together.
 *
 * A zero `flags` word asks the shader for nothing. A combined image sampler's record is complete. For separate
 * descriptors the sampler's record fills only the parts marked S, the image's only those marked I, and the shader ORs
 * the two: no bit is filled by both.
 */
#ifndef CLAMPLER_RECORD_H
#define CLAMPLER_RECORD_H

#include <stdint.h>

struct record {
    uint32_t flags;          /* RECORD_* below */
    uint32_t size;           /* I: width of level 0 of the view in texels | height << 16 */
    uint32_t depth_bias;     /* I: depth of level 0, or array layers (cubes: faces) | S: LOD bias, signed 1/256, << 16 */
    uint32_t lod_range;      /* S: IEEE half minLod | half maxLod << 16 (packHalf2x16) */
    uint32_t border[4];      /* S: border colour as sampled (float, int or uint bits by the image's type) */
};

/*
 * Wrap modes, 3 bits an axis. The first five are VkSamplerAddressMode's values, so that they need no table. Only modes
 * from MIRROR_CLAMP_TO_EDGE on move a coordinate in tier 1; all of them are followed by tier 2.
 */
enum record_wrap {
    RECORD_WRAP_REPEAT = 0,
    RECORD_WRAP_MIRRORED_REPEAT = 1,
    RECORD_WRAP_CLAMP_TO_EDGE = 2,
    RECORD_WRAP_CLAMP_TO_BORDER = 3,
    RECORD_WRAP_MIRROR_CLAMP_TO_EDGE = 4,
    RECORD_WRAP_CLAMP = 5,
    RECORD_WRAP_MIRROR_CLAMP = 6,
    RECORD_WRAP_MIRROR_CLAMP_TO_BORDER = 7,
};

#define RECORD_WRAP_S_SHIFT 0u                   /* S: bits 0..2 */
#define RECORD_WRAP_T_SHIFT 3u                   /* S: bits 3..5 */
#define RECORD_WRAP_R_SHIFT 6u                   /* S: bits 6..8 */
#define RECORD_WRAP_MASK 7u
#define RECORD_MAG_LINEAR (1u << 9)              /* S */
#define RECORD_MIN_LINEAR (1u << 10)             /* S */
#define RECORD_MIP_NEAREST (1u << 11)            /* S: neither MIP bit: only the base level is sampled */
#define RECORD_MIP_LINEAR (1u << 12)             /* S */
#define RECORD_UNNORMALIZED (1u << 13)           /* S: the driver's sampler takes texel coordinates: bounds are N, not 1 */
#define RECORD_COORDS (1u << 14)                 /* S: tier 1 and 2: move the coordinate as the wrap modes say */
#define RECORD_FILTER (1u << 15)                 /* S: tier 2: filter in the shader, whatever the image */
#define RECORD_FILTER_IF_MIPS (1u << 16)         /* S: tier 2: filter in the shader if the image has more than one level */
#define RECORD_FILTER_IF_OFFSET (1u << 17)       /* S: tier 2: filter in the shader if the lookup has a texel offset
                                                    and the image has more than one level */
#define RECORD_COMPARE_SHIFT 18u                 /* S: bits 18..21: 0 no compare, else VkCompareOp + 1 */
#define RECORD_COMPARE_MASK 15u
#define RECORD_LEVELS_SHIFT 22u                  /* I: bits 22..26: mip levels of the view (1..31; 0: not known) */
#define RECORD_LEVELS_MASK 31u
#define RECORD_BORDER_INTEGER (1u << 27)         /* I: the view's format is an integer format */
#define RECORD_FILTER_IF_GATHER (1u << 28)       /* S: tier 2: filter gathers in the shader: their footprint is linear and
                                                    reaches the border, while the nearest filters get the edge below */
#define RECORD_DEPTH_FIXED (1u << 29)            /* I: fixed-point depth: Dref is clamped to [0, 1] */
/*
 * Records of descriptors that are neither samplers nor sampled images have bit 31, and their other bits mean something
 * else: bit 30 says what kind they are.
 */
#define RECORD_OTHER (1u << 31)
#define RECORD_OTHER_INPUT (1u << 30) /* beside RECORD_OTHER: an input attachment; else a texel buffer */

/*
 * What a record asks of the pipeline that reads it; kept on the host, counted per set, never sent to the GPU. A set's
 * needs and a pipeline's facts (spirv_facts) together decide the tier of a draw.
 */
enum record_need {
    RECORD_NEED_COORDS = 1u << 0,           /* tier 1 at least */
    RECORD_NEED_FILTER = 1u << 1,           /* tier 2 */
    RECORD_NEED_FILTER_IF_OFFSET = 1u << 2, /* tier 2 if a shader of the pipeline samples with texel offsets */
    RECORD_NEED_FILTER_IF_MIPS = 1u << 3,   /* separate sampler: tier 2 if some bound image has RECORD_NEED_MIPS */
    RECORD_NEED_MIPS = 1u << 4,             /* separate image with more than one level: asks for nothing by itself */
    RECORD_NEED_FILTER_IF_GATHER = 1u << 5, /* tier 2 if a shader of the pipeline gathers */
    RECORD_NEED_TEXEL_BUFFER = 1u << 6,     /* tier 1 if a shader of the pipeline fetches from texel buffers */
    RECORD_NEED_INPUT = 1u << 7,            /* tier 1 if a shader of the pipeline reads input attachments */
};
#define RECORD_NEED_KINDS 8

_Static_assert(sizeof(struct record) == 32, "two uvec4 in shaders/record.glsl");

#endif
