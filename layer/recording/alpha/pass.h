/* SPDX-License-Identifier: MIT */
/*
 * Attachments that have no alpha while they are recorded: passes (pass.c), and blend state (blend.c).
 */
#ifndef CLAMPLER_ALPHA_PASS_H
#define CLAMPLER_ALPHA_PASS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "blend/blend.h"
#include "commands/command_buffer.h"
#include "sampling/image.h"

struct track;
struct device;
struct command;
struct pipeline;
struct render_pass;
struct view;
struct image;
struct bind_point;
struct graphics_state;
struct pipeline_blend;

/* ---- The pass that is being recorded ---- */

/* Memory for the usual number of attachments. False: out of memory. */
bool pass_init(struct command *command);
void pass_finish(struct command *command);

/* Nothing is being rendered. */
void pass_reset(struct command *command);

/* The colour attachments that have no alpha, of those in `used`, from now on. */
void pass_set_mask(struct command *command, uint32_t without_alpha, uint32_t used);

/* vkBeginCommandBuffer of a secondary command buffer that continues a pass. */
void pass_inherit(struct command *command, const VkCommandBufferInheritanceInfo *info);

/* The view of an attachment of the render pass, or NULL; also of VK_ATTACHMENT_UNUSED. */
static inline struct view *pass_view(const struct command *command, uint32_t attachment)
{
    return attachment < command->pass.target_count ? command->pass_memory.targets[attachment].view : NULL;
}

static inline bool pass_view_is_one(const struct command *command, uint32_t attachment)
{
    const struct view *view = pass_view(command, attachment);
    return view && view->attachment.one;
}

/* ---- Blend state of command buffers (blend.c) ---- */

/* Nothing is set or known to be bound. */
void blend_reset(struct command *command);

/* The variant of a pipeline that draws to the attachments of the pass, with what is set now. */
uint32_t blend_key(const struct command *command, const struct pipeline_blend *blend);

/* The program's state of an attachment: a pipeline's (NULL: none), and dynamic state as it was set. */
VkPipelineColorBlendAttachmentState blend_wanted(const struct command *command, const struct pipeline_blend *blend,
                                                 uint32_t dynamic, uint32_t attachment);

/* Sets one part (BLEND_*) of the state of the attachments in `set`. */
void blend_set_states(const struct command *command, uint32_t part, uint32_t set,
                      const VkPipelineColorBlendAttachmentState *states);

/* The variant of a shader object for fragments (written_alpha_key), likewise. */
struct writable_alpha;
uint32_t blend_shader_key(const struct command *command, const struct writable_alpha *writable);

/* Before a draw, where something was bound or set, or the pass changed: sets what is dynamic for its attachments. */
void blend_flush(struct command *command, const struct bind_point *point);

/* After draws of the layer's own: sets what the program had set. */
void blend_restore(struct command *command);

#endif
