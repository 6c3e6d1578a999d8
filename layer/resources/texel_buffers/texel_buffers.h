/* SPDX-License-Identifier: MIT */
/*
 * Texel buffers that the driver lacks, only where they are emulated. Buffers and views are owned by the tables,
 * constant after creation, looked up without a lock between creation and destruction.
 *
 *   buffer.h    buffers and their views (buffer.c, buffer_view.c)
 */
#ifndef CLAMPLER_TEXEL_BUFFERS_TEXEL_BUFFERS_H
#define CLAMPLER_TEXEL_BUFFERS_TEXEL_BUFFERS_H

#include "objects/table.h"
#include "objects/track.h"

/* This subsystem's state of one device. */
struct texel_buffers {
    struct table buffers, views;
};

/* False: out of memory. */
bool texel_buffers_init(struct track *track);
void texel_buffers_finish(struct track *track);

#endif
