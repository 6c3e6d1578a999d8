/* SPDX-License-Identifier: MIT */
/*
 * Filling the alpha of attachments without alpha with 1, where memory may hold another: after uploads, and where
 * nothing was ever written. Drawn by the layer before the program's pass, because the images' alpha is seen from
 * outside and by advanced blending.
 */
#ifndef CLAMPLER_ALPHA_FILL_H
#define CLAMPLER_ALPHA_FILL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "blend/blend.h"

struct track;
struct command;
struct image;
struct attachment_view;

/* What fills views of one format and sample count: interned in the device, gone with it. */
struct fill_kind {
    VkPipelineLayout layout; /* no sets */
    VkRenderPass pass;
    VkPipeline pipeline;
};

/* What fills one layer of a view. */
struct fill_layer {
    VkImageView view;
    VkFramebuffer framebuffer;
};

/* What fills one view. Constant but for its layers, which are made when the view is first filled. */
struct fill {
    const struct fill_kind *kind;
    VkImageViewCreateInfo view;    /* of the first layer; no chain */
    VkImageSubresourceRange range; /* of the view, as barriers take it */
    VkExtent2D extent;             /* of the view's level */
    uint32_t layer_count;
    bool takes_usage;                    /* views of layers may have a usage of their own */
    _Atomic(struct fill_layer *) layers; /* NULL: not made yet */
};

/*
 * For a view that is alpha-to-one, whose level has `extent` in texels of the view. VK_SUCCESS with *fill NULL: the view
 * cannot be an attachment, or not be filled. The caller destroys it before the image.
 */
VkResult fill_create(struct track *track, const VkImageViewCreateInfo *info, const struct image *image,
                     const struct blend_format *format, VkExtent2D extent, struct fill **fill);
void fill_destroy(struct track *track, struct fill *fill); /* may be NULL */

/*
 * Fills the view, outside of any pass. The image is in that layout before and after. What was bound is bound again. If
 * memory runs out nothing is filled, and command->error is set.
 */
void fill_record(struct command *command, struct fill *fill, VkImageLayout layout);

/* At the end of the device. */
void fill_finish(struct track *track);

/*
 * A view is clean within one recording of a command buffer at most: nothing is known of what else is executed before
 * it, in which order, how often, or ever. `fill_new_recording` forgets what was clean in the command buffer: at its
 * beginning, and where it executes others that are `dirties`.
 */
void fill_new_recording(struct command *command);

/* Whether the view's alpha may not be 1; `fill_done` says that it has been made 1. */
bool fill_needed(const struct command *command, const struct attachment_view *attachment);
void fill_done(const struct command *command, struct attachment_view *attachment);

/* Something recorded there writes the image and knows nothing of its alpha. Either may be NULL. */
void fill_dirty(struct command *command, struct image *image);

#endif
