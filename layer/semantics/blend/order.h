/* SPDX-License-Identifier: MIT */
/*
 * Channel orders: colour attachments whose channels are not where OpenGL's base format has them: alpha in red (ALPHA in
 * R8), red in blue (BGRA in RGBA), alpha that is always 0. From the order, and the program's blend state in GL's
 * channels, come the driver's state, what the fragment shader does with its outputs, and the blend constants; or the
 * reason why no state of the driver blends so.
 *
 * Pure: no Vulkan call, no global, no lock, no allocation. Thread-safe.
 */
#ifndef CLAMPLER_BLEND_ORDER_H
#define CLAMPLER_BLEND_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "spirv/outputs.h"

/* Beside the channels 0 to 3. */
enum { ORDER_ZERO = 4, ORDER_ONE = 5, ORDER_NONE = 6 };

struct channel_order {
    uint8_t at[4]; /* what lookups and blending read as red, green, blue and alpha: a channel of the format, ORDER_ZERO,
                      ORDER_ONE */
    uint8_t from[4]; /* for each channel of the format: GL's channel that is written there, ORDER_NONE: any number */
};

enum order_result {
    ORDER_MADE,
    ORDER_INVALID,     /* VK_ERROR_VALIDATION_FAILED_EXT */
    ORDER_UNSUPPORTED, /* VK_ERROR_FORMAT_NOT_SUPPORTED */
};

/*
 * The order of a view's channels, as view_order_read() reads it. `base`: GL's base format, 0: GL_RGBA. `channels`:
 * VkImageViewGLChannelOrderCreateInfoCLAMPLER's, NULL: without. `attachment`: the view may be a colour attachment, so
 * no two channels may be kept in one. If the result is not ORDER_MADE, *why is a static string, and *order the format's
 * own.
 */
enum order_result order_make(uint32_t base, const VkComponentMapping *channels, VkFormat format, bool attachment,
                             struct channel_order *order, const char **why);

/* True: channels are where the format has them; at most alpha is not kept and reads as 1 (blend.h). */
bool order_is_natural(const struct channel_order *order);

/* 24 bits that differ where orders differ; never 0. order_of_key() is the way back. */
uint32_t order_key(const struct channel_order *order);
struct channel_order order_of_key(uint32_t key);

/* The write mask, and a clear value of any component type, of the format's channels, for GL's. */
VkColorComponentFlags order_write_mask(const struct channel_order *order, VkColorComponentFlags mask);
void order_clear_value(const struct channel_order *order, VkClearColorValue *color);

/* Channels of an input attachment's variant (spirv_outputs.inputs); 0: nothing. */
uint32_t order_input(const struct channel_order *order);

/* ---- Blending ---- */

enum order_number { ORDER_FLOAT, ORDER_UNORM, ORDER_SNORM, ORDER_INTEGER };

enum order_number order_number(VkFormat format);

/* The means that draws to an attachment have. */
struct order_draw {
    VkFormat format;
    bool shader;    /* outputs of the fragment shader can be moved (spirv_find_outputs) */
    bool products;  /* and multiplied: they have 32 bits a channel */
    bool second;    /* the shader may write a second source: feature dualSrcBlend, and this is the only attachment */
    bool constants; /* blend constants may be moved: no other attachment uses them as they are */
    bool logic;     /* a logic operation takes the place of blending */
    bool coverage;  /* alpha-to-coverage reads this attachment's alpha: it is location 0 */
    bool one;       /* the program's alphaToOneEnable, which is off in the driver's state: the shader writes 1 */
};

struct order_solution {
    VkPipelineColorBlendAttachmentState state; /* the driver's */
    struct spirv_moves moves;                  /* all zero: the shader stays as it is */
    /* The driver's blend constants: the program's 0 to 3, ORDER_ZERO, ORDER_ONE, or ORDER_REST + 0 to 3 for 1 - that.
     */
    uint8_t constants[4];
};
enum { ORDER_REST = 8 };

/*
 * Fills *solution for the program's blend state in GL's channels. NULL: done; else a static string that says what
 * cannot be expressed, and *solution writes GL's channels without blending, as far as the shader can be changed.
 */
const char *order_solve(const struct channel_order *order, const struct order_draw *draw,
                        const VkPipelineColorBlendAttachmentState *state, struct order_solution *solution);

/* True: the solution's constants are the program's own. */
bool order_constants_same(const struct order_solution *solution);
void order_constants(const struct order_solution *solution, const float program[4], float driver[4]);

/* Bit i: blending with that state reads GL's channel i of the destination, but for channels that read their own. */
uint32_t order_reads(const VkPipelineColorBlendAttachmentState *state);

#endif
