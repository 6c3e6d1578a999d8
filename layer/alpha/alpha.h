/*
 * Attachments that have no alpha: colour attachments whose view says so (base format without alpha on a format that has
 * it) or whose VkFormat, or swapchain, the setting `alpha_to_one` names.
 *
 *   attachment.h   which those are, passes, framebuffers, blend state (attachment.c, framebuffer.c, clear.c, blend.c)
 *   fill.h         making the alpha in memory 1 (fill.c, dirty.c)
 */
#ifndef CLAMPLER_ALPHA_ALPHA_H
#define CLAMPLER_ALPHA_ALPHA_H

#include "objects/table.h"
#include "objects/track.h"

/* The setting `alpha_to_one`, read once a device. */
struct alpha_setting {
    bool swapchain;
    uint64_t formats; /* bit blend_format_index() */
};

/* The room's state of one device. */
struct alpha {
    struct alpha_setting setting;
    uint64_t kept_formats;        /* alpha_formats_read */
    _Atomic(bool) seen;           /* some view was alpha-to-one */
    _Atomic(uint64_t) recordings; /* of command buffers, begun so far (fill_new_recording) */
    struct table fills;           /* by format and samples: struct fill_kind */
    pthread_mutex_t fill_lock;
    VkPipelineLayout fill_layout;
    struct table framebuffers;
};

/* False: out of memory. `alpha_open` reads what the device lets attachments be. */
bool alpha_init(struct track *track);
void alpha_open(struct track *track);
void alpha_finish(struct track *track);

#endif
