/* SPDX-License-Identifier: MIT */
/*
 * Colour attachments without alpha ("RGBX"), by their view (a GL base format without alpha on a format with alpha), or
 * by the setting `alpha_to_one`, which names VkFormats or the swapchain. This is not
 * VkPipelineMultisampleStateCreateInfo::alphaToOneEnable, which replaces the shader's alpha. This header has the
 * formats that may be such attachments on the device.
 *
 *   attachment_view.h   their views
 *   fill_view.h         objects that fill their alpha with 1
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
    pthread_mutex_t fill_lock; /* to insert one; the driver is not called while it is locked */
};

/* False: out of memory. `attachments_open` reads the setting and what the device lets attachments be. */
bool attachments_init(struct track *track);
void attachments_open(struct track *track);
void attachments_finish(struct track *track);

/* True: an attachment of that format may have no alpha on this device; its view decides. */
bool alpha_possible(const struct track *track, VkFormat format);

/*
 * True: draws to an attachment without alpha of that format keep alpha by blending; else by the write mask (blend.h).
 */
bool alpha_keeps(const struct track *track, const struct blend_format *format);

/* True: there was an attachment without alpha in a format of floats whose alpha shaders may write. */
bool alpha_writes_floats(const struct track *track);

/*
 * True: shaders may write the alpha of an attachment of that format instead, where blending does not read the
 * destination.
 */
bool alpha_writes(const struct track *track, const struct blend_format *format);

/* Whether blending must ask an attachment of that format for min(As, 0): memory has alpha 1 to take it with (blend.h).
 */
bool alpha_is_negative(const struct track *track, const struct blend_format *format);

/* True: by the setting, all attachments of that format have no alpha. */
bool alpha_by_format(const struct track *track, VkFormat format);

#endif
