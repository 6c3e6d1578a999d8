/*
 * Attachments that have no alpha: which views and images are such, the pass that is being recorded (attachment.c),
 * framebuffers (framebuffer.c), and blend state (blend.c).
 */
#ifndef CLAMPLER_ALPHA_ATTACHMENT_H
#define CLAMPLER_ALPHA_ATTACHMENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "alpha/alpha.h"
#include "blend/blend.h"

struct track;
struct device;
struct command;
struct pipeline;
struct render_pass;
struct view;
struct image;
struct bind_point;
struct graphics_state;

enum {
    COLOR_ATTACHMENTS = 8, /* of a subpass; those beyond, which no device has, are not followed */
    PASS_ATTACHMENTS = 64, /* of a render pass; those beyond are not followed */
};

/* ---- What is an attachment without alpha (attachment.c) ---- */

/* Reads the setting `alpha_to_one`, with messages about what is wrong with it. */
void alpha_setting_read(struct track *track);

/* Fills track->alpha->kept_formats (bit blend_format_index()): where alpha_keeps() is true. */
void alpha_formats_read(struct track *track);

/* Whether an attachment of that format may be alpha-to-one at all on this device; without a view nobody knows more. */
bool alpha_possible(const struct track *track, VkFormat format);

/* Whether draws to an alpha-to-one attachment of that format keep alpha by blending; else the write mask does
 * (blend.h).
 */
bool alpha_keeps(const struct track *track, const struct blend_format *format);

/* Whether the setting alone says that attachments of that format are alpha-to-one. */
bool alpha_by_format(const struct track *track, VkFormat format);

/* What a view is as a colour attachment. Filled by attachment_view() at vkCreateImageView. */
struct attachment_view {
    const struct blend_format *format; /* NULL: nothing of this concerns the view */
    struct image *image;
    struct fill *fill;       /* owned; NULL: its alpha cannot be filled, or need not be */
    _Atomic(uint64_t) clean; /* in which recording alpha was last made 1 in all of the view (fill.c) */
    bool one;                /* alpha-to-one */
    bool refused;            /* ALPHA in red: cannot be an attachment */
};

/*
 * Fills *attachment for a view that is being created; `base_format` is GL's base format or 0. Returns whether the view
 * is alpha-to-one, so that sampling through it must give alpha 1.
 */
bool attachment_view(struct track *track, struct image *image, VkFormat format, uint32_t base_format,
                     struct attachment_view *attachment);

/* ---- The pass that is being recorded ---- */

struct pass_state {
    const struct render_pass *pass; /* NULL: dynamic rendering, a secondary command buffer, or none */
    uint32_t subpass;
    uint64_t alpha;  /* bit i: attachment i of the render pass is alpha-to-one */
    uint32_t mask;   /* bit i: colour attachment i is, and its blend state can be changed */
    uint32_t keep;   /* of `mask`: alpha_keeps() */
    uint32_t clears; /* bit i: colour attachment i is, for vkCmdClearAttachments */
    const struct blend_format *formats[COLOR_ATTACHMENTS]; /* of the colour attachments; NULL: without alpha */
    struct {
        struct view *view;
        VkImageLayout layout;
    } after[COLOR_ATTACHMENTS]; /* resolved into by attachments with alpha: to fill when the pass has ended */
    uint32_t after_count;
};

/* Nothing is being rendered. */
void pass_reset(struct command *command);

/* The colour attachments that are alpha-to-one, of those in `used`, from now on. */
void pass_set_mask(struct command *command, uint32_t alpha_to_one, uint32_t used);

/* vkBeginCommandBuffer of a secondary command buffer that continues a pass. */
void pass_inherit(struct command *command, const VkCommandBufferInheritanceInfo *info);

/* ---- Framebuffers (framebuffer.c) ---- */

struct framebuffer {
    uint32_t count;
    uint32_t layers;
    uint64_t alpha;       /* attachments that are alpha-to-one */
    struct view *views[]; /* NULL: imageless, or not known */
};

/* ---- Blend state of pipelines (blend.c) ---- */

/* What a graphics pipeline has of blend state. All zero: alpha-to-one attachments make no difference to it. */
struct pipeline_blend {
    uint32_t count;         /* colour attachments */
    uint32_t affected;      /* those on which something changes if they are alpha-to-one */
    uint32_t keep;          /* those whose alpha is kept by blending then */
    uint32_t parts;         /* BLEND_* that change and that the program left static */
    uint32_t dynamic;       /* BLEND_* that are dynamic in the program's pipeline */
    uint32_t layer_dynamic; /* of `parts`: those that the layer makes dynamic in the pipelines it makes */
    bool logic;             /* logic operations are on, if that is not dynamic */
    bool independent;       /* attachments may have different states (the feature independentBlend) */
    bool own;               /* the program's handle is already such a pipeline */
    VkPipelineColorBlendAttachmentState states[COLOR_ATTACHMENTS];
};

/* Which variant of a pipeline serves a mask: 0 is the plain one. */
#define VARIANT_DYNAMIC UINT32_MAX /* the one variant whose blend state the layer sets while recording */

struct variant {
    struct variant *next;
    uint32_t tier, key;
    VkPipeline handle;
    VkResult failed; /* not VK_SUCCESS: `handle` is none, and it is not tried again */
};

/* Reads the blend state of a pipeline that is being created. */
void pipeline_blend_read(const struct track *track, const struct graphics_state *graphics,
                         struct pipeline_blend *blend);

static inline uint32_t pipeline_blend_key(const struct pipeline_blend *blend, uint32_t mask)
{
    if (!mask || !(mask & blend->affected) || blend->own || !blend->parts)
        return 0;
    mask &= blend->affected;
    return blend->parts == blend->layer_dynamic ? VARIANT_DYNAMIC : mask;
}

/*
 * The states that a variant has, in memory to free() with *memory once the pipeline is made: dynamic ones added,
 * static ones rewritten for `mask`. False if memory runs out.
 */
bool pipeline_blend_apply(const struct pipeline_blend *blend, uint32_t mask, VkGraphicsPipelineCreateInfo *info,
                          void **memory);

/* ---- Blend state of command buffers (blend.c) ---- */

struct command_blend {
    bool stale;           /* a pipeline was bound below, or states set, since the layer set states for its draws */
    uint32_t layer_key;   /* for which it set those that it made dynamic itself (key_of in blend.c) */
    uint32_t program_key; /* for which it set those that are dynamic in the program's pipeline; 0: as the program did */
    /* What the program set; bit i: that of attachment i. The last two take the place of each other. */
    uint32_t enables_set, masks_set, equations_set, advanced_set;
    VkBool32 enables[COLOR_ATTACHMENTS];
    VkColorComponentFlags masks[COLOR_ATTACHMENTS];
    VkColorBlendEquationEXT equations[COLOR_ATTACHMENTS];
    VkColorBlendAdvancedEXT advanced[COLOR_ATTACHMENTS];
};

/* Nothing is set or known to be bound. */
void blend_reset(struct command *command);

/* Before a draw, where something was bound or set, or the pass changed: sets what is dynamic for its attachments. */
void blend_flush(struct command *command, const struct bind_point *point);

/* After draws of the layer's own: sets what the program had set. */
void blend_restore(struct command *command);

/* The program has set something that decides how alpha is written. */
void blend_note(struct command *command);

#endif
