/* SPDX-License-Identifier: MIT */
/*
 * Load operations, resolves and store operations of passes: clears write alpha 1, attachments with undefined contents
 * are cleared to alpha 1, and others are filled before or after the pass, by the table of passes (filled/ways.h).
 */
#ifndef CLAMPLER_ALPHA_LOAD_H
#define CLAMPLER_ALPHA_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

struct command;
struct view;

/* VK_RESOLVE_MODE_CUSTOM_BIT_EXT (VK_EXT_custom_resolve): draws write the target. */
#define RESOLVE_MODE_CUSTOM ((VkResolveModeFlagBits)0x20)

/*
 * Before vkCmdBeginRenderPass: the command buffer's targets are those of the pass. `layers` are the framebuffer's.
 * Returns *begin for the next layer, or `info` where nothing changes.
 */
const VkRenderPassBeginInfo *load_pass(struct command *command, uint32_t layers, const VkRenderPassBeginInfo *info,
                                       VkRenderPassBeginInfo *begin);

/* Before vkCmdBeginRendering: a colour attachment with a view, and its target, which may be NULL; *color is a copy. */
void load_color(struct command *command, const VkRenderingInfo *info, uint32_t index, struct view *view,
                struct view *target, VkRenderingAttachmentInfo *color);

/* After the pass: fills targets that attachments with alpha were resolved into. */
void load_end(struct command *command);

#endif
