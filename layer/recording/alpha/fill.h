/* SPDX-License-Identifier: MIT */
/*
 * Records fills: draws alpha 1 into attachments without alpha whose memory may hold another alpha, after uploads and
 * where nothing was written. Fills stand before the program's pass, because other programs and advanced blending read
 * the alpha in memory. resources/attachments/fill_view.h has the objects for a view.
 */
#ifndef CLAMPLER_ALPHA_FILL_H
#define CLAMPLER_ALPHA_FILL_H

#include <vulkan/vulkan_core.h>

struct command;
struct fill;

/*
 * Fills the view, outside of any pass, from one layout of its image to another. The program's bindings are restored. If
 * memory runs out nothing is filled, and command->error is set. In command buffers of every level: on devices with
 * dynamic rendering, which secondaries may begin, fills are made by it.
 */
void fill_record(struct command *command, struct fill *fill, VkImageLayout before, VkImageLayout after);

/* Moves the part of the image that a view shows from one layout to another, with a full barrier. */
void fill_move(const struct command *command, VkImage image, const VkImageSubresourceRange *range, VkImageLayout before,
               VkImageLayout after);

#endif
