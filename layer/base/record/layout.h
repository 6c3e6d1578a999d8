/* SPDX-License-Identifier: MIT */
/*
 * Layout: every bit, shift, mask and constant of a record, once, for C and GLSL alike. layer/base/record/record.h has
 * the structures, shaders/record.glsl and shaders/texel_buffer.glsl what shaders do with them. Only #defines of
 * integers stand here, because both preprocessors read this file. Shift counts have no suffix where GLSL shifts by int.
 *
 * S: fields of a sampler's record. I: fields of an image's record. A combined record has both.
 */
#ifndef CLAMPLER_RECORD_LAYOUT_H
#define CLAMPLER_RECORD_LAYOUT_H

/* ---- flags ---- */

/*
 * Wrap modes, 3 bits an axis, each of which says one thing so that shaders need not compare: bit 0 that the coordinate
 * is mirrored, bit 2 that the border may be read, bits 1 and 2 together the kind. The first five are Vulkan's own
 * (layer/semantics/resolve/wrap.c). All of them are followed by tier 2.
 */
#define RECORD_WRAP_REPEAT 0u
#define RECORD_WRAP_MIRRORED_REPEAT 1u
#define RECORD_WRAP_CLAMP_TO_EDGE 2u
#define RECORD_WRAP_MIRROR_CLAMP_TO_EDGE 3u
#define RECORD_WRAP_CLAMP_TO_BORDER 4u
#define RECORD_WRAP_MIRROR_CLAMP_TO_BORDER 5u
#define RECORD_WRAP_CLAMP 6u
#define RECORD_WRAP_MIRROR_CLAMP 7u
#define RECORD_WRAP_MIRROR 1u
#define RECORD_WRAP_BORDER 4u
#define RECORD_WRAP_KIND 6u /* REPEAT, CLAMP_TO_EDGE, CLAMP_TO_BORDER, CLAMP */

#define RECORD_WRAP_S_SHIFT 0u /* S: bits 0..2 */
#define RECORD_WRAP_T_SHIFT 3u /* S: bits 3..5 */
#define RECORD_WRAP_R_SHIFT 6u /* S: bits 6..8 */
#define RECORD_WRAP_MASK 7u
#define RECORD_MAG_LINEAR (1u << 9)    /* S */
#define RECORD_MIN_LINEAR (1u << 10)   /* S */
#define RECORD_MIP_NEAREST (1u << 11)  /* S: neither MIP bit: only the base level is sampled */
#define RECORD_MIP_LINEAR (1u << 12)   /* S */
#define RECORD_UNNORMALIZED (1u << 13) /* S: the driver's sampler takes texel coordinates: bounds are N, not 1 */
#define RECORD_COORDS (1u << 14)       /* S: tier 1 and 2: move the coordinate as the wrap modes say */
/* S: tier 2: filter in the shader, whatever the image. I, beside MORE_BORDERED: whatever the sampler */
#define RECORD_FILTER (1u << 15)
/*
 * S, not in combined: tier 2: likewise if there is more than one level. Beside FILTER, in combined as well: the
 * driver's sampler is a common one, which has nothing of the state (resolve/driver.c): queries of levels make up for
 * that.
 */
#define RECORD_FILTER_IF_MIPS (1u << 16)
/* S: tier 2: filter lookups with texel offsets, of a sampler alone if there are levels */
#define RECORD_FILTER_IF_OFFSET (1u << 17)
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

/* ---- size: texels of the view's level 0 ---- */

#define RECORD_WIDTH_MASK 0xffffu
#define RECORD_HEIGHT_SHIFT 16

/* ---- depth_bias ---- */

#define RECORD_DEPTH_MASK 0x7fffu
/* I: fixed-point depth that is kept in a float format, so that tier 1 clamps Dref as well. */
#define RECORD_DEPTH_PROMOTED (1u << 15)
#define RECORD_BIAS_SHIFT 16 /* S: signed, in steps */

/* ---- lod ---- */

/* Biases and levels of detail are kept in steps of so many levels. */
#define RECORD_STEP 0.00390625f

/*
 * Bounds of the level of detail: unsigned, in steps. The greatest means: no bound that matters. A bound between 0 and
 * one step is one step, so that it excludes the same filter.
 */
#define RECORD_MIN_LOD_SHIFT 0u
#define RECORD_MAX_LOD_SHIFT 12u
#define RECORD_LOD_MASK 0xfffu

/*
 * Pair flags. Where sampler and image are separate descriptors, the shader filters if two of these flags are set
 * together: see record_of_pair in shaders/record.glsl.
 */
#define RECORD_PAIR_BORDER (1u << 24)       /* S: GL state whose wrap modes can read the border */
#define RECORD_PAIR_BORDER_OTHER (1u << 25) /* I: shows another border than a float view without GL state */
#define RECORD_PAIR_UNFILTERABLE (1u << 26) /* I: the format has no linear filters, and a fallback is on */
#define RECORD_PAIR_TO_NEAREST (1u << 27)   /* I: beside UNFILTERABLE: the fallback is nearest filters */
#define RECORD_PAIR_NON_SEAMLESS (1u << 28) /* S: cube faces are filtered one by one, which the driver does not */
#define RECORD_PAIR_SRGB_SKIP (1u << 29)    /* S: texels are not decoded from sRGB */
#define RECORD_PAIR_SRGB (1u << 30)       /* I: texels are decoded from sRGB; with SRGB_SKIP the shader encodes them */
#define RECORD_PAIR_INCOMPLETE (1u << 31) /* I: integers that any linear filter samples as (0, 0, 0, 1) */

/*
 * Combined records with SRGB_SKIP. With SRGB as well the shader encodes texels that the driver's view decodes; without
 * it that view does not, and the shader decodes what it fetches. Which channels of a texel are not decoded from sRGB,
 * one bit each from red on, stands in the place of pair flags that such records do not have. Without a swizzle alpha
 * alone.
 */
#define RECORD_SRGB_PLAIN_SHIFT 24u

/* ---- border ---- */

/*
 * Border translation of an image (base format, depth mode and swizzle in one): a selector of 3 bits for each channel,
 * red in bits 0..2. The colour is clamped first; comparisons take its first channel, whatever the selectors.
 */
#define RECORD_BORDER_ZERO 0u
#define RECORD_BORDER_ONE 1u /* 1.0, or integer 1 */
#define RECORD_BORDER_R 2u
#define RECORD_BORDER_G 3u
#define RECORD_BORDER_B 4u
#define RECORD_BORDER_A 5u
#define RECORD_BORDER_SELECTOR_BITS 3
#define RECORD_BORDER_SELECTOR_MASK 7u
/* Of what type the bounds of the colour's channels are: bits 12..13. What is not a number counts as 0. */
#define RECORD_BORDER_KIND_SHIFT 12u
#define RECORD_BORDER_KIND_MASK 3u
#define RECORD_BORDER_KIND_FLOAT 0u
#define RECORD_BORDER_KIND_UINT 1u
#define RECORD_BORDER_KIND_SINT 2u /* the least value is the complement of the greatest */
/* Alpha is kept in red or green, which is decoded from sRGB if they are. */
#define RECORD_BORDER_ALPHA_IN_COLOR (1u << 14)

/* ---- near, far, third ---- */

/* 1.0e30: no coordinate that means anything reaches it, nor does its product with a size overflow. */
#define RECORD_NO_NEAR 0xf149f2cau /* bits of -1.0e30f */
#define RECORD_NO_FAR 0x7149f2cau  /* bits of 1.0e30f */

/* A factor of coordinates is kept with these bits turned over, so that zero means 1. */
#define RECORD_NO_SCALE 0x3f800000u /* bits of 1.0f */

/* A little more than half a texel: exactly there a footprint begins, and what is rounded down would show the border. */
#define RECORD_HALF_TEXEL 0.5000005f

/* ---- more: what has no name is reserved, and zero ---- */

#define RECORD_MORE_ALWAYS (1u << 0)   /* S: there is a bias_rest: tier 1 looks up again whatever the coordinate */
#define RECORD_MORE_REDUCTION_SHIFT 1u /* S: bits 1..2: VkSamplerReductionMode, for tier 2 */
#define RECORD_MORE_REDUCTION_MASK 3u
/* S: in the place of a mode: some filter is cubic, and the bits of PROBES and REDUCES_* say which, and how. */
#define RECORD_MORE_REDUCTION_CUBIC 3u
#define RECORD_MORE_NO_MINMAX (1u << 3)   /* I: the driver has no minima and maxima of it: reductions take tier 2 */
#define RECORD_MORE_BASE_LEVEL (1u << 4)  /* S: no mipmaps: a shader's least level of detail is no level to sample */
#define RECORD_MORE_FACES_ALONE (1u << 5) /* S: cube faces are filtered one by one, by the driver or in tier 2 */
/*
 * S: a minimum or maximum is asked for, by GL's rules or by Vulkan's own. I: the driver has it, by these rules. Where
 * the two share a bit the driver filters, be there linear filters of the format or not. I, both beside NO_MINMAX: the
 * layer offers it, so that the shader filters, be linear filters of the format replaced by nearest ones or not.
 */
#define RECORD_MORE_REDUCES_FOR_GL (1u << 6)
#define RECORD_MORE_REDUCES_FOR_VULKAN (1u << 7)
#define RECORD_MORE_COMPARED_ZERO (1u << 8) /* I: comparisons give 0, whatever is compared: what red shows */
#define RECORD_MORE_COMPARED_ONE (1u << 9)  /* I: likewise 1 */
/* I: both: comparisons that fail give another number than 0: the second word of the fourth quarter, bits of a float. */
#define RECORD_MORE_COMPARED_FAIL (RECORD_MORE_COMPARED_ZERO | RECORD_MORE_COMPARED_ONE)
/* I: where the driver's view shows the depth that is compared: 0 red, 1 green, 2 blue, 3 alpha: bits 10..11. */
#define RECORD_MORE_DEPTH_IN_SHIFT 10u
#define RECORD_MORE_DEPTH_IN_MASK 3u
#define RECORD_MORE_VIEW_LEAST (1u << 12) /* I: the view has a least level of detail, bias_rest is that */
/*
 * Combined: the view has a least level of detail, and minLod is the greater one of the sampler's and that. Gathers know
 * of the view's alone, rounded down: bits 8..11.
 */
#define RECORD_MORE_COMBINED_LEAST (1u << 13)
#define RECORD_MORE_SAMPLER_LEAST (1u << 14) /* beside COMBINED_LEAST: the sampler has one that is greater than 0 */
/* S: compares depth alone, as GL does. I: is no depth. Not in combined; where both say so nothing is compared. */
#define RECORD_MORE_NOT_COMPARED (1u << 14)
#define RECORD_MORE_GATHERED_SHIFT 8u
#define RECORD_MORE_GATHERED_MASK 15u
/*
 * The shader has to filter texel by texel where it filters. Combined, beside FILTER: the driver cannot filter the view
 * so. S: the driver's sampler is anisotropic even for lookups that name a level.
 */
#define RECORD_MORE_TEXELS (1u << 15)
/*
 * The upper half of a float whose lower half is the other bits. Lookups in two dimensions are certain to be magnified
 * where half the coordinate differs by less from each pixel to the next, the sum of both axes. A negative one: whatever
 * magnifies, gradients show.
 */
#define RECORD_MORE_MAGNIFIED 0x7ff00000u /* I */
#define RECORD_MORE_GRADIENTS                                                                                          \
    0x80000000u /* S, beside COORDS: for anisotropy, or a bias that is positive or too great */

/*
 * I, in the place of MAGNIFIED, whose floats are less than 2: the texture has border texels in its image, and sizes of
 * the record are without them. Bits 20..29: so many texels of the image are in front of the texture along each axis.
 * Tier 2 with its extras alone knows of borders.
 */
#define RECORD_MORE_BORDERED (1u << 30)
#define RECORD_MORE_BORDER_SHIFT 20u
#define RECORD_MORE_BORDER_MASK 0x3ffu

/*
 * S: the greatest number of probes of an anisotropic filter in the shader, less one: bits 16..19. They are the float's
 * last bits, which say nothing where GRADIENTS makes it negative.
 */
#define RECORD_MORE_PROBES_SHIFT 16u
#define RECORD_MORE_PROBES_MASK 15u
/* S, beside REDUCTION_CUBIC: which filter is, VkCubicFilterWeightsQCOM, and a VkSamplerReductionMode in REDUCES_*. */
#define RECORD_MORE_CUBIC_MAG (1u << 16)
#define RECORD_MORE_CUBIC_MIN (1u << 17)
#define RECORD_MORE_CUBIC_WEIGHTS_SHIFT 18u
#define RECORD_MORE_CUBIC_WEIGHTS_MASK 3u
#define RECORD_MORE_CUBIC_REDUCTION_SHIFT 6u
#define RECORD_MORE_CUBIC_REDUCTION_MASK 3u

/* Of a texel: half of sqrt(1/2), and room for the bits of the lower half. */
#define RECORD_MAGNIFIED_TEXELS 0.35f

/* ---- flags of texel buffers ---- */

/* How texels are read: bits 0 and 1. */
#define TEXEL_PATH_NATIVE 0u  /* the driver's view has the format; the shader swizzles */
#define TEXEL_PATH_WORDS 1u   /* it has one 32-bit component: a texel is 1 to 3 fetches */
#define TEXEL_PATH_BLOCKS 2u  /* it has four 32-bit components: the same in fewer elements */
#define TEXEL_PATH_ADDRESS 3u /* loads from memory; it holds any element */
#define TEXEL_PATH_MASK 3u
#define TEXEL_COMPONENTS_SHIFT 2u /* bits 2, 3: components - 1 */
#define TEXEL_COMPONENTS_MASK 3u
#define TEXEL_WIDTH_SHIFT 4u /* bits 4, 5 */
#define TEXEL_WIDTH_MASK 3u
#define TEXEL_WIDTH_8 0u /* bits of each component */
#define TEXEL_WIDTH_16 1u
#define TEXEL_WIDTH_32 2u
#define TEXEL_WIDTH_PACKED 3u /* one word: 10, 10, 10, 2 bits from the lowest on; of FLOAT 11, 11, 10 */
#define TEXEL_TYPE_SHIFT 6u   /* bits 6 to 8 */
#define TEXEL_TYPE_MASK 7u
#define TEXEL_TYPE_UNORM 0u
#define TEXEL_TYPE_SNORM 1u
#define TEXEL_TYPE_UINT 2u
#define TEXEL_TYPE_SINT 3u
#define TEXEL_TYPE_FLOAT 4u
#define TEXEL_SWIZZLE_SHIFT 9u /* bits 9 to 20: four selectors: 0 zero, 1 one, 2 to 5 component */
#define TEXEL_SELECTOR_BITS 3u
#define TEXEL_SELECTOR_MASK 7u
/*
 * By address, which is a multiple of 4, and at least one texel: its three words are red, green and blue. What drivers
 * lack most often: rewritten code that may branch loads them without looking at the fields above.
 */
#define TEXEL_RGB (1u << 21)

#endif
