/* SPDX-License-Identifier: MIT */
/*
 * Applies the table of layer/semantics/filled to images: changes their alpha states while commands are recorded, and
 * decides whether a view must be filled. Every hook that changes or loads an image calls this.
 */
#ifndef CLAMPLER_ALPHA_CHANGE_H
#define CLAMPLER_ALPHA_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "filled/filled.h"
#include "filled/ways.h"

struct track;
struct command;
struct image;
struct attachment_view;

/* ---- Subresources ---- */

/* Of barriers and clears. Where barriers count slices of a 3D image, `barrier` says that it is one. */
struct filled_range change_range(const struct track *track, const struct image *image,
                                 const VkImageSubresourceRange *range, bool barrier);

/* Of one region of a copy. Slices of a 3D image are from `z` on; `depth` may be negative. */
struct filled_range change_layers(const struct image *image, const VkImageSubresourceLayers *layers, int32_t z,
                                  int32_t depth);

/* ---- Changes ---- */

/* `command` and `image` may be NULL where the layer does not know them. */
void change_image(struct command *command, struct image *image, enum filled_way way, struct filled_range range,
                  uint32_t kind);

/* The part of the image that a view shows. */
void change_view(struct command *command, const struct attachment_view *attachment, enum filled_effect effect);

/* All images of the recording. */
void change_all(struct command *command, enum filled_way way);

/* At its beginning, and where it executes another. */
void change_begin(struct command *command);
void change_execute(struct command *command, const struct command *secondary);

/* vkCmdPipelineBarrier2, and vkCmdWaitEvents2 (layouts.c). */
void change_barriers(struct command *command, const VkDependencyInfo *info);
void change_waits(struct command *command, uint32_t count, const VkDependencyInfo *infos);

/* True: the view's alpha may differ from 1 in memory, and can be filled. */
bool change_needs_fill(const struct command *command, const struct attachment_view *attachment);

#endif
