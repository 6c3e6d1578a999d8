/* SPDX-License-Identifier: MIT */
/*
 * The state of attachments without alpha and of blending while a command buffer is recorded. layer/recording/alpha
 * changes it.
 */
#ifndef CLAMPLER_COMMANDS_PASS_H
#define CLAMPLER_COMMANDS_PASS_H

#include "attachments/attachments.h"
#include "pipelines/pipeline_order.h"

struct render_pass;
struct view;

/* An attachment of the render pass, or the target of a resolve in dynamic rendering. */
struct pass_target {
    struct view *view; /* NULL: unused, or not known */
    VkImageLayout layout;
    bool resolved; /* attachments with alpha resolve into it: it is filled when the pass has ended */
    struct view *
        drawn; /* the resolve target that draws write after vkCmdBeginCustomResolveEXT, by colour attachment; or NULL */
};

/*
 * Memory for the attachments of one pass at a time, of which a render pass may have any number. It grows where a pass
 * has more than any before, and is kept.
 */
struct pass_memory {
    uint32_t capacity; /* attachments */
    struct pass_target *targets;
    VkClearValue *clears;
};

/* The pass that is being recorded. */
struct pass_state {
    const struct render_pass *pass; /* NULL: dynamic rendering, a secondary command buffer, or none */
    uint32_t subpass;
    uint32_t target_count; /* of the command buffer's targets */
    uint32_t mask;         /* bit i: colour attachment i has no alpha, and its blend state can be changed */
    uint32_t keep;         /* of `mask`: alpha_keeps() */
    uint32_t negative;     /* likewise alpha_is_negative(), of all attachments where they have one state */
    bool numbered;         /* the program has set `numbers`, for shader objects */
    struct order_numbers numbers;
    bool remapped;   /* outputs of shaders go to other attachments than that of their location */
    uint32_t clears; /* bit i: vkCmdClearAttachments must clear alpha of colour attachment i to 1 */
    const struct blend_format *formats[COLOR_ATTACHMENTS]; /* of the colour attachments; NULL: without alpha */
};

struct command_blend {
    struct order_solved solved; /* of the last draw to attachments in other orders (alpha/order.c) */
    struct order_solved set;    /* that was set for it */
    const void *solved_for;     /* the pipeline or shader object that `solved` is right for; NULL: none */
    bool order_active;          /* the draw takes `solved` */
    bool constants_moved;       /* the driver's blend constants are not the program's */
    bool stale;                 /* a pipeline was bound or state was set since the layer set the states for its draws */
    uint32_t layer_key;   /* for which it set those that it made dynamic itself (struct drawing in alpha/blend.c) */
    uint32_t program_key; /* for which it set those that are dynamic in the program's pipeline; 0: as the program did */
    /* Bit i: the program has set the state of attachment i. The last two replace each other. */
    uint32_t enables_set, masks_set, equations_set, advanced_set;
    VkBool32 enables[COLOR_ATTACHMENTS];
    VkColorComponentFlags masks[COLOR_ATTACHMENTS];
    VkColorBlendEquationEXT equations[COLOR_ATTACHMENTS];
    VkColorBlendAdvancedEXT advanced[COLOR_ATTACHMENTS];
};

#endif
