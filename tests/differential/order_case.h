/* SPDX-License-Identifier: MIT */
/*
 * Attachments whose channels lie elsewhere than Vulkan's: what is compared. A kind is a base format in a VkFormat with
 * an order of its channels; a draw is blend state for one to three attachments; a case is a draw over what memory may
 * hold before. All is plain data, and written from the extension's contract and OpenGL's specification alone: nothing
 * here includes the layer's code.
 */
#ifndef CLAMPLER_DIFFERENTIAL_ORDER_CASE_H
#define CLAMPLER_DIFFERENTIAL_ORDER_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "vulkan_clampler.h"

enum { ORDER_SIZE = 16, ORDER_PIXELS = ORDER_SIZE * ORDER_SIZE, ORDER_ATTACHMENTS = 3, ORDER_FACTORS = 19 };

enum order_kind {
    /* The order follows from the base format: no structure says it. */
    ORDER_A8,
    ORDER_L8,
    ORDER_LA8,
    ORDER_I8,
    ORDER_A16F,
    ORDER_LA16F,
    ORDER_A8UI,
    ORDER_A8S,
    ORDER_LA8S,
    /* The structure says it. */
    ORDER_IDENTITY8,
    ORDER_AL8,
    ORDER_GR8,
    ORDER_A8_IN_RGBA8,
    ORDER_L8_IN_ALPHA,
    ORDER_XRGB8,
    ORDER_XBGR8,
    ORDER_BGRX8,
    ORDER_XRGB8_IN_BGRA8,
    ORDER_ABGR8,
    ORDER_ARGB8,
    ORDER_A1B5G5R5,
    ORDER_ABGR4,
    ORDER_RGBA0,
    ORDER_BGRA0,
    ORDER_BGRA1,
    ORDER_BGRA_SRGB,
    ORDER_BGRX_SRGB,
    ORDER_GRB0_SRGB,
    ORDER_ABGR16F,
    ORDER_XBGR16F,
    ORDER_BGRA0_16F,
    ORDER_ABGR8S,
    ORDER_BGRX8S,
    ORDER_BGRA0_8S,
    ORDER_ABGR8UI,
    ORDER_KINDS
};

enum order_number { ORDER_UNORM, ORDER_SRGB, ORDER_FLOAT, ORDER_UINT, ORDER_SNORM };

/* Where GL's channel is: in one of the format's, or a constant. */
enum order_place { ORDER_R, ORDER_G, ORDER_B, ORDER_A, ORDER_ZERO, ORDER_ONE };

struct order_info {
    const char *name;
    VkFormat format;
    uint32_t base;               /* GL's base format */
    bool chained;                /* `channels` is chained to the view */
    VkComponentMapping channels; /* as the structure says it */
    enum order_place at[4];      /* what blending sees as red, green, blue and alpha; constants are never written */
    uint32_t gl_internal;        /* OpenGL's format of the same meaning */
    enum order_number number;
    uint32_t texel_size;           /* bytes */
    uint8_t first_bit[4], bits[4]; /* of the VkFormat's channels; 0 bits: it has no such channel */
};

const struct order_info *order_info(enum order_kind kind);
static inline bool order_keeps(const struct order_info *info, uint32_t channel)
{
    return info->at[channel] <= ORDER_A;
}
static inline bool order_is_integer(enum order_kind kind)
{
    return order_info(kind)->number == ORDER_UINT;
}

/* What the fragment shader's outputs look like (shaders/tests/order_source.frag). */
enum order_shape { ORDER_VECTOR, ORDER_THREE, ORDER_SCALAR, ORDER_SPLIT, ORDER_ARRAY, ORDER_SHAPES };
/* How many of GL's channels the shader writes. */
uint32_t order_shape_channels(enum order_shape shape);

struct order_attachment {
    enum order_kind kind;
    VkPipelineColorBlendAttachmentState blend; /* GL's */
};

struct order_draw {
    uint32_t count;
    struct order_attachment attachments[ORDER_ATTACHMENTS];
    bool logic;
    VkLogicOp logic_op;
    enum order_shape shape;
    bool negative; /* sources, second sources and constants are from below 0 to above 1 */
    bool one;      /* alphaToOneEnable */
};

/* What memory holds before: texels (noise also in channels that nothing is kept in), a clear, or a draw. */
enum order_contents {
    ORDER_UPLOADED,
    ORDER_LOAD_CLEARED,
    ORDER_ATTACHMENTS_CLEARED,
    ORDER_IMAGE_CLEARED,
    ORDER_DRAWN,
    ORDER_CONTENTS
};

struct order_case {
    struct order_draw draw;
    enum order_contents contents;
};

/*
 * The cases that begin with a kind, `count` of them; `full`: all, else a share of them. Each draw stands once with each
 * content in turn. To free().
 */
struct order_case *order_cases(enum order_kind kind, bool full, size_t *count);

bool order_reads_second(const struct order_draw *draw);

/* Whether some channel that is written lies elsewhere than Vulkan has it: no driver draws that alone. */
bool order_must_move(const struct order_draw *draw);

/* Memory of one attachment, tightly packed. */
struct order_pixels {
    uint64_t data[ORDER_PIXELS];
};
void order_texels(enum order_kind kind, struct order_pixels *texels);

/* GL's channels of a pixel in memory, by the kind's place of each; colours of sRGB stay encoded. */
void order_decode(enum order_kind kind, const struct order_pixels *pixels, uint32_t index, float rgba[4]);

/* What a lookup shows of these channels. */
void order_looked(enum order_kind kind, const float rgba[4], float looked[4]);

/* Below 0, too, where the kind can hold that. */
const float *order_clear_color(enum order_kind kind);
extern const uint32_t order_clear_integers[4];
const float *order_constants(const struct order_draw *draw);

/*
 * What the specification makes of a content by itself, and of a draw over what was in memory. `clamps`: a factor was
 * clamped, or the source is -1.
 */
void order_expect_contents(const struct order_case *one, uint32_t attachment, uint32_t index, float rgba[4]);
void order_expect(const struct order_case *one, uint32_t attachment, uint32_t index, const float before[4],
                  float after[4], bool clamps[4]);

/*
 * How an attachment is sampled afterwards: one of ORDER_LOOKUPS ways of wrap modes and filters, at coordinates from
 * -0.25 to 1.25 in both directions, so that lookups are minified by 1.5. The state is OpenGL's and the extension's.
 */
enum { ORDER_LOOKUPS = 20 };
/* One for each turn: all of them for every kind, or with `full` off two, because drivers compile each by itself. */
uint32_t order_lookup_way(enum order_kind kind, uint32_t turn, bool full);
enum order_border { ORDER_BORDER_PLAIN, ORDER_BORDER_NEGATIVE, ORDER_BORDER_INTEGER, ORDER_BORDERS };
enum order_border order_border_of(enum order_kind kind);
VkSamplerGLStateCreateInfoCLAMPLER order_lookup_state(uint32_t way, enum order_border border);

/* What that shows at pixel `index`, by what fetches of all texels show. */
void order_expect_sampled(enum order_kind kind, uint32_t way, float texels[ORDER_PIXELS][4], uint32_t index,
                          float rgba[4]);

/* Rounds them to what memory can hold. */
void order_round(enum order_kind kind, float rgba[4]);

/*
 * Whether two values of a channel may be the same: `apart` in numbers beyond the rounding to the channel's bits, or
 * with `rounded` both in memory and at most one step apart.
 */
bool order_near(enum order_kind kind, uint32_t channel, float found, float expected, float apart);
bool order_step(enum order_kind kind, uint32_t channel, float a, float b);

/*
 * Whether the equation must be drawn whatever the device: each group of channels that share factors in Vulkan (colours,
 * alpha) gets the same equation from all GL channels that are kept there, of constants, their own source and their own
 * destination alone.
 */
bool order_must_draw(const struct order_draw *draw);

void order_describe(const struct order_case *one, char *text, size_t size);

#endif
