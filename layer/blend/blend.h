/*
 * Blend: the blend state of a colour attachment that has no alpha (GL_RGB) but lives in a format that has. GL reads its
 * alpha as 1, whatever the memory says, and nothing may write another one there.
 *
 * Pure: no Vulkan call, no global, no lock. Thread-safe.
 */
#ifndef CLAMPLER_BLEND_BLEND_H
#define CLAMPLER_BLEND_BLEND_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

/* Which parts of the state of an attachment change where it is alpha-to-one. */
enum blend_part {
    BLEND_EQUATION = 1u << 0,
    BLEND_WRITE_MASK = 1u << 1,
};

/*
 * A factor of the colour channels where the destination's alpha is 1 (OpenGL 4.6, table 17.2): DST_ALPHA is ONE,
 * ONE_MINUS_DST_ALPHA is ZERO, and SRC_ALPHA_SATURATE, min(As, 1 - Ad), is ZERO. All others stay, those of a second
 * source and of constants too.
 */
VkBlendFactor blend_color_factor(VkBlendFactor factor);

/* The same for a factor of the alpha channel, where SRC_ALPHA_SATURATE is ONE by definition. */
VkBlendFactor blend_alpha_factor(VkBlendFactor factor);

/* An advanced operation: it has no factors, and reads the destination's alpha from memory. */
bool blend_is_advanced(VkBlendOp op);

/*
 * The equation of an alpha-to-one attachment. The destination contributes nothing to alpha. Operations stay: minimum,
 * maximum and the advanced ones know no factors, and of advanced equations nothing changes.
 */
VkColorBlendEquationEXT blend_equation(const VkColorBlendEquationEXT *equation);

/* The write mask of an alpha-to-one attachment: red, green and blue as the program wants them, never alpha. */
VkColorComponentFlags blend_write_mask(VkColorComponentFlags mask);

/* The equation of an attachment's state. */
VkColorBlendEquationEXT blend_equation_of(const VkPipelineColorBlendAttachmentState *state);

/*
 * BLEND_* that differ between this state and that of an alpha-to-one attachment. `enable_dynamic`: blendEnable is
 * dynamic state, so the equation counts whatever the state says.
 */
uint32_t blend_changes(const VkPipelineColorBlendAttachmentState *state, bool enable_dynamic);

/* The states of `count` attachments (32 at most), those whose bit is in `mask` being alpha-to-one. May work in place.
 */
void blend_states(const VkPipelineColorBlendAttachmentState *from, uint32_t count, uint32_t mask,
                  VkPipelineColorBlendAttachmentState *to);

/*
 * The mask that can be acted on. `used` are the attachments of the pass, `alpha_to_one` those of them without alpha.
 * A device without independent blending has one state for all: there the attachments must agree, else the result is 0
 * and *disagree is true.
 */
uint32_t blend_mask(uint32_t alpha_to_one, uint32_t used, bool independent, bool *disagree);

/* ---- Formats (format.c) ---- */

enum blend_number { BLEND_FLOAT, BLEND_UINT, BLEND_SINT }; /* what shaders and clears give such a format */

/* A format with an alpha channel that can be a colour attachment. */
struct blend_format {
    VkFormat format;
    enum blend_number number;
    const char *name; /* "VK_FORMAT_…" */
};

/* NULL: the format has no alpha. */
const struct blend_format *blend_format(VkFormat format);

/* A number below 64 for each of them. */
uint32_t blend_format_index(const struct blend_format *format);

/* By name, with or without "VK_FORMAT_", in any case; `length` characters. NULL: no such format has alpha. */
const struct blend_format *blend_format_named(const char *name, uint32_t length);

/* Whether images of GL's base format have no alpha although the format that holds them does. 0 is no base format. */
bool blend_base_without_alpha(uint32_t base_format);

/* A clear colour with alpha 1, in the numbers of the format. */
void blend_clear_alpha(const struct blend_format *format, VkClearColorValue *color);

#endif
