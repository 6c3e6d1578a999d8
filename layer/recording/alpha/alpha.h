/* SPDX-License-Identifier: MIT */
/*
 * Attachments that have no alpha: colour attachments whose view says so (base format without alpha on a format that has
 * it) or whose VkFormat, or swapchain, the setting `alpha_to_one` names.
 *
 *   pass.h   passes, framebuffers, clears, blend state of command buffers (pass.c, framebuffer.c, clear.c, blend.c)
 *   fill.h   making the alpha in memory 1 (fill.c)
 *   change.h where it is 1 already: what commands do to it, by the table of layer/semantics/filled (change.c, dirty.c, layouts.c)
 *   load.h   what the load operations and resolves of passes do to it, and what is filled for them (load.c)
 */
#ifndef CLAMPLER_ALPHA_ALPHA_H
#define CLAMPLER_ALPHA_ALPHA_H

#include "objects/table.h"
#include "objects/track.h"

/* The room's state of one device. */
struct alpha {
    _Atomic(uint64_t) recordings; /* of command buffers, begun so far, and forgotten (change.h) */
    struct table fills;           /* by format and samples: struct fill_kind */
    pthread_mutex_t fill_lock;    /* to insert one; nobody calls down while it is held */
    struct table framebuffers;
};

/* False: out of memory. */
bool alpha_init(struct track *track);
void alpha_finish(struct track *track);

#endif
