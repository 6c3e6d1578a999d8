/* SPDX-License-Identifier: MIT */
/*
 * Records fills: the alpha of attachments without alpha becomes 1 where memory may hold another, after uploads and
 * where nothing was ever written. Drawn by the layer before the program's pass, because the images' alpha is seen from
 * outside and by advanced blending. What fills a view is in resources/attachments/fill_view.h.
 */
#ifndef CLAMPLER_ALPHA_FILL_H
#define CLAMPLER_ALPHA_FILL_H

#include <vulkan/vulkan_core.h>

struct command;
struct fill;

/*
 * Fills the view, outside of any pass, from one layout of its image to another. What was bound is bound again. If
 * memory runs out nothing is filled, and command->error is set. In command buffers of every level: on devices with
 * dynamic rendering, which secondaries may begin, fills are made by it.
 */
void fill_record(struct command *command, struct fill *fill, VkImageLayout before, VkImageLayout after);

/* Moves what a view shows from one layout to another, and waits for everything. */
void fill_move(const struct command *command, VkImage image, const VkImageSubresourceRange *range, VkImageLayout before,
               VkImageLayout after);

#endif
