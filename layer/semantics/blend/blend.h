/* SPDX-License-Identifier: MIT */
/*
 * Blend: the blend state of a colour attachment that has no alpha (GL_RGB) but lives in a format that has. GL reads its
 * alpha as 1, and nothing may change it. There are three ways to keep alpha 1 in memory:
 *
 * - masked: the write mask has red, green and blue only.
 *
 * - kept: all four channels are written, and blending puts back the alpha that is there: factors ZERO and ONE. Draws
 *   without blending blend with ONE and ZERO in the colours. On GPUs that write whole texels faster than parts of them
 * this is faster by far: 0.84 times an unmasked draw on an NVIDIA H200, a masked one 13 times. It needs fixed-point
 * numbers: there 1 stays 1 exactly, and a source alpha that is no number, or infinite, is clamped before it is
 * multiplied by 0. In formats of packed numbers (A2R10G10B10) masking is the faster way there, too.
 *
 * - written: all four channels are written, and the shader's own alpha is 1, in a variant of the pipeline. For floats
 *   and integers where blending takes nothing of what is there: 1.0 and 13 times. Masks cost nothing where floats are
 *   blended with what is there.
 *
 * Pure: no Vulkan call, no global, no lock. Thread-safe.
 */
#ifndef CLAMPLER_BLEND_BLEND_H
#define CLAMPLER_BLEND_BLEND_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

/* Parts of the state of an attachment that may be dynamic. */
enum blend_part {
    BLEND_EQUATION = 1u << 0,
    BLEND_WRITE_MASK = 1u << 1,
    BLEND_ENABLE = 1u << 2,
    BLEND_PARTS = BLEND_EQUATION | BLEND_WRITE_MASK | BLEND_ENABLE, /* what attachments without alpha change */
    BLEND_LOGIC = 1u << 3,                                          /* whether logic operations are on */
};

/*
 * A factor of the colour channels where the destination's alpha is 1 (OpenGL 4.6, table 17.2): DST_ALPHA is ONE,
 * ONE_MINUS_DST_ALPHA is ZERO, and SRC_ALPHA_SATURATE, min(As, 1 - Ad), is ZERO, unless the source's alpha may be
 * `negative`: then it stays, and takes the 1 that is in memory. All others stay, those of a second source and of
 * constants too.
 */
VkBlendFactor blend_color_factor(VkBlendFactor factor, bool negative);

/* An advanced operation: it has no factors, and reads the destination's alpha from memory. */
bool blend_is_advanced(VkBlendOp op);

/* The equation of an attachment's state, and the other way round. */
VkColorBlendEquationEXT blend_equation_of(const VkPipelineColorBlendAttachmentState *state);
void blend_set_equation(VkPipelineColorBlendAttachmentState *state, const VkColorBlendEquationEXT *equation);

/* How memory may keep its alpha: KEPT, the attachment's format can be blended so; WRITTEN, the shader's alpha is 1. */
enum blend_way { BLEND_MASKED, BLEND_KEPT, BLEND_WRITTEN };

/*
 * How a shader that writes 1 as alpha multiplies the colours first, so that they are blended as with the program's
 * alpha. NONE: it must not write alpha, because blending reads the destination (a mask costs nothing then), or because
 * some colours alone are written.
 */
enum blend_source { BLEND_SOURCE_NONE, BLEND_SOURCE_LEFT, BLEND_SOURCE_TIMES_ALPHA, BLEND_SOURCE_TIMES_REST };

/* For one attachment's state. REST is 1 - alpha. */
enum blend_source blend_source(const VkPipelineColorBlendAttachmentState *state, bool negative);

/*
 * The state of an attachment without alpha, for the program's. Red, green and blue are what the program wants. Alpha is
 * kept or written if `way` says that it may be and all colours are written; it is masked where some are not (the driver
 * writes parts of texels then anyway), under advanced operations, which have one equation for all channels, where
 * `logic` operations take the place of blending, and where the shader must not write it. BLEND_WRITTEN needs a shader
 * that multiplies the colours as blend_source() says.
 */
VkPipelineColorBlendAttachmentState blend_state(const VkPipelineColorBlendAttachmentState *state, enum blend_way way,
                                                bool logic, bool negative);

/*
 * The BLEND_PARTS that the program left static and that differ between its state and blend_state() of it, whatever the
 * values of what is `dynamic` (BLEND_*) will be. What is dynamic is not read from `state` and `logic`.
 */
uint32_t blend_changes(const VkPipelineColorBlendAttachmentState *state, uint32_t dynamic, bool keep, bool logic,
                       bool negative);

/*
 * The attachments whose blend state is changed. `used` are the attachments of the pass, `without_alpha` those of them
 * without alpha. A device without independent blending has one state for all: there all attachments must have alpha or
 * none, else the result is 0 and *disagree is true.
 */
uint32_t blend_mask(uint32_t without_alpha, uint32_t used, bool independent, bool *disagree);

/* The most colour attachments: a pipeline's key has four masks of 8 bits in 32. Programs see no more (limits.c). */
enum { BLEND_ATTACHMENTS = 8 };

/* ---- Formats (format.c) ---- */

enum blend_number {
    BLEND_FLOAT,
    BLEND_UINT,
    BLEND_SINT
}; /* the component type that shaders and clears have for such a format */

enum { BLEND_FORMATS = 39 };

/* The part of the destination that blending with factors ZERO and ONE preserves. */
enum blend_keeps {
    BLEND_KEEPS_NOTHING, /* packed formats, which are masked */
    BLEND_SHADER_WRITES, /* floats and integers: nothing, but shaders may write 1 */
    BLEND_KEEPS_VALUES,  /* SNORM: -1 has two encodings */
    BLEND_KEEPS_BITS,    /* UNORM and sRGB */
};

/* A format with an alpha channel that can be a colour attachment. */
struct blend_format {
    VkFormat format;
    enum blend_number number;
    enum blend_keeps keeps;
    uint8_t kind;     /* blend_format_kind() */
    const char *name; /* "VK_FORMAT_…" */
};

/* Whether the source's alpha may be negative: floats and SNORM. */
bool blend_is_signed(const struct blend_format *format);

/* NULL: the format has no alpha. */
const struct blend_format *blend_format(VkFormat format);

/*
 * From 1 to 31. Formats are of one kind where texels have the same size, alpha in the same bits, and the same value
 * there for alpha 1: memory that has alpha 1 in one of them has it in all.
 */
uint32_t blend_format_kind(const struct blend_format *format);

/* The index of a format, less than BLEND_FORMATS, and the format of an index. */
uint32_t blend_format_index(const struct blend_format *format);
const struct blend_format *blend_format_at(uint32_t index);

/*
 * The state of a draw that fills alpha and leaves the colours alone; `keep`: the format can be blended and whole texels
 * are the faster way.
 */
VkPipelineColorBlendAttachmentState blend_fill_state(const struct blend_format *format, bool keep);

/* By name, with or without "VK_FORMAT_", in any case; `length` characters. NULL: no such format has alpha. */
const struct blend_format *blend_format_named(const char *name, uint32_t length);

/* Whether images of GL's base format have no alpha although the format that holds them does. 0 is no base format. */
bool blend_base_without_alpha(uint32_t base_format);

/* Sets the alpha of a clear colour to 1, in the component type of the format. */
void blend_clear_alpha(const struct blend_format *format, VkClearColorValue *color);

#endif
