/* SPDX-License-Identifier: MIT */
/*
 * Objects that fill the alpha of a view with 1: a pipeline for its format and sample count, and an attachment for each
 * of its layers. recording/alpha decides when a view is filled, and records it.
 */
#ifndef CLAMPLER_ATTACHMENTS_FILL_VIEW_H
#define CLAMPLER_ATTACHMENTS_FILL_VIEW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "blend/blend.h"

struct track;
struct image;

/* The pipeline for views of one format and sample count; lives as long as the device. */
struct fill_kind {
    VkPipelineLayout layout; /* no sets */
    VkRenderPass pass;       /* none where fills are made by dynamic rendering */
    VkRenderPass shared;     /* the same in the layout of shared presentable images, where there may be such */
    VkPipeline pipeline;
};

/* The attachment for one layer of a view. */
struct fill_layer {
    VkImageView view;
    VkFramebuffer framebuffer; /* none where fills are made by dynamic rendering */
};

/* The objects of one view. Constant but for its layers, which are made when the view is first filled. */
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
 * For a view that has no alpha, whose level has `extent` in texels of the view. VK_SUCCESS with *fill NULL: the view
 * cannot be an attachment, or not be filled. The caller destroys it before the image.
 */
VkResult fill_create(struct track *track, const VkImageViewCreateInfo *info, struct image *image,
                     const struct blend_format *format, VkExtent2D extent, struct fill **fill);
void fill_destroy(struct track *track, struct fill *fill); /* may be NULL */

/*
 * The view's layers, made when it is first filled: most views are sampled only, or cleared whenever they are rendered
 * to. Any thread. On failure nothing is kept.
 */
VkResult fill_layers(struct track *track, struct fill *fill, const struct fill_layer **layers);

/* At the end of the device. */
void fill_finish(struct track *track);

#endif
