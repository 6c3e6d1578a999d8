/* SPDX-License-Identifier: MIT */
/*
 * Colour attachments that have no alpha: those whose view says so (base format without alpha on a format that has it)
 * or whose VkFormat, or swapchain, the setting `alpha_to_one` names. Which formats may be such on the device is here.
 *
 *   attachment_view.h   which views are such
 *   fill_view.h         what fills their alpha with 1
 *   framebuffer.h       framebuffers
 *   render_pass.h       render passes
 */
#ifndef CLAMPLER_ATTACHMENTS_ATTACHMENTS_H
#define CLAMPLER_ATTACHMENTS_ATTACHMENTS_H

#include "objects/table.h"
#include "objects/track.h"
#include "blend/blend.h"

enum { COLOR_ATTACHMENTS = BLEND_ATTACHMENTS }; /* of a subpass, or in dynamic rendering */

/* The setting `alpha_to_one`, read once a device. */
struct alpha_setting {
    bool swapchain;
    uint64_t formats; /* bit blend_format_index() */
};

/* This subsystem's state of one device. */
struct attachments {
    struct alpha_setting alpha_setting;
    uint64_t kept_formats;          /* bit blend_format_index(): where alpha_keeps() is true */
    _Atomic(bool) alpha_seen;       /* some view had no alpha */
    _Atomic(uint64_t) formats_seen; /* bit blend_format_index(): in that format */
    struct table render_passes;
    struct table framebuffers;
    struct table fills;        /* by format and samples: struct fill_kind */
    pthread_mutex_t fill_lock; /* to insert one; nobody calls down while it is held */
};

/* False: out of memory. `attachments_open` reads the setting and what the device lets attachments be. */
bool attachments_init(struct track *track);
void attachments_open(struct track *track);
void attachments_finish(struct track *track);

/* Whether an attachment of that format may have no alpha at all on this device; without a view nobody knows more. */
bool alpha_possible(const struct track *track, VkFormat format);

/*
 * Whether draws to an attachment without alpha of that format keep alpha by blending; else the write mask does
 * (blend.h).
 */
bool alpha_keeps(const struct track *track, const struct blend_format *format);

/* Whether some attachment without alpha was seen in a format of floats whose alpha shaders may write. */
bool alpha_writes_floats(const struct track *track);

/* Whether shaders may write the alpha of an attachment of that format instead, where blending takes nothing. */
bool alpha_writes(const struct track *track, const struct blend_format *format);

/* Whether blending must ask an attachment of that format for min(As, 0): memory has alpha 1 to take it with (blend.h).
 */
bool alpha_is_negative(const struct track *track, const struct blend_format *format);

/* Whether the setting alone says that attachments of that format have no alpha. */
bool alpha_by_format(const struct track *track, VkFormat format);

#endif
