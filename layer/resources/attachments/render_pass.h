/* SPDX-License-Identifier: MIT */
/*
 * Render passes (render_pass.c). Counted: pipelines keep them when the program destroys its own. Constant after
 * creation but for the count.
 */
#ifndef CLAMPLER_ATTACHMENTS_RENDER_PASS_H
#define CLAMPLER_ATTACHMENTS_RENDER_PASS_H

#include <stdatomic.h>

#include "attachments/attachments.h"
#include "filled/ways.h"
#include "objects/table.h"
#include "objects/track.h"

struct pass_attachment {
    VkFormat format;
    uint32_t with_alpha;     /* blend_format_index() + 1 of the format if it has alpha, else 0 */
    VkAttachmentLoadOp load; /* NONE where contents are undefined and may not be cleared (is_read_first) */
    VkAttachmentStoreOp store;
    VkImageLayout initial, final;
    bool used; /* by a subpass: else its load and store operations are ignored */
};

/* Its contents are undefined when the pass begins. */
static inline bool pass_attachment_undefined(const struct pass_attachment *attachment)
{
    return attachment->used &&
           (attachment->load == VK_ATTACHMENT_LOAD_OP_DONT_CARE ||
            (attachment->load == VK_ATTACHMENT_LOAD_OP_LOAD && attachment->initial == VK_IMAGE_LAYOUT_UNDEFINED));
}

struct subpass_facts {
    bool color, depth;                  /* it uses such attachments */
    uint32_t color_count;               /* COLOR_ATTACHMENTS at most */
    uint32_t colors[COLOR_ATTACHMENTS]; /* attachments, or VK_ATTACHMENT_UNUSED */
    uint32_t resolves[COLOR_ATTACHMENTS];
    uint32_t input_count;
    uint32_t *inputs; /* of the pass */
};

/*
 * Its initial layout is PREINITIALIZED or ZERO_INITIALIZED, which no barrier can transition to. Where it must be filled
 * it is in GENERAL afterwards, so the prepared pass begins in GENERAL.
 */
static inline bool pass_attachment_moved(const struct pass_attachment *attachment)
{
    return attachment->used && filled_layout(attachment->initial) == FILLED_LAYOUT_INITIAL;
}

struct render_pass {
    atomic_uint references;
    VkRenderPass duplicate; /* the layer's duplicate */
    VkRenderPass prepared;  /* the same for attachments without alpha (pass_attachment_undefined, _moved), or none */
    uint32_t views;         /* multiview: those that all subpasses render; 0 without */
    uint32_t attachment_count;
    struct pass_attachment *attachments;
    uint32_t input_count; /* of all subpasses */
    uint32_t subpass_count;
    struct subpass_facts subpasses[];
};

static inline struct render_pass *render_pass_find(struct track *track, VkRenderPass handle)
{
    return table_find(&track->attachments->render_passes, HANDLE_KEY(handle));
}

struct render_pass *render_pass_ref(struct render_pass *pass); /* NULL gives NULL */
void render_pass_unref(struct track *track, struct render_pass *pass);

#endif
