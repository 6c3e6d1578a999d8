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
    VkRenderPass pass;       /* none where fills are made by dynamic rendering */
    VkRenderPass shared;     /* the same in the layout of shared presentable images, where there may be such */
    VkPipeline pipeline;
};

/* What fills one layer of a view. */
struct fill_layer {
    VkImageView view;
    VkFramebuffer framebuffer; /* none where fills are made by dynamic rendering */
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
VkResult fill_create(struct track *track, const VkImageViewCreateInfo *info, struct image *image,
                     const struct blend_format *format, VkExtent2D extent, struct fill **fill);
void fill_destroy(struct track *track, struct fill *fill); /* may be NULL */

/*
 * Fills the view, outside of any pass, from one layout of its image to another. What was bound is bound again. If
 * memory runs out nothing is filled, and command->error is set. In command buffers of every level: on devices with
 * dynamic rendering, which secondaries may begin, fills are made by it.
 */
void fill_record(struct command *command, struct fill *fill, VkImageLayout before, VkImageLayout after);

/* Moves what a view shows from one layout to another, and waits for everything. */
void fill_move(const struct command *command, VkImage image, const VkImageSubresourceRange *range, VkImageLayout before,
               VkImageLayout after);

/* At the end of the device. */
void fill_finish(struct track *track);

#endif
