/* SPDX-License-Identifier: MIT */
/*
 * Buffers and their views (buffer.c, buffer_view.c), only where texel buffers are emulated. Owned by the tables of
 * `struct track`, constant after creation, looked up without a lock between creation and destruction.
 */
#ifndef CLAMPLER_TEXEL_BUFFERS_BUFFER_H
#define CLAMPLER_TEXEL_BUFFERS_BUFFER_H

#include "objects/table.h"
#include "objects/track.h"
#include "record/record.h"
#include "texel_buffers/texel_buffers.h"

struct buffer {
    VkDeviceSize size;        /* as the program created it */
    VkDeviceSize driver_size; /* of the driver's buffer */
    bool address;             /* it was created with an address that the layer may load from */
};

struct buffer_view {
    VkBufferView handle;
    struct record record; /* zero: the driver's view is used */
};

static inline struct buffer_view *buffer_view_find(struct track *track, VkBufferView handle)
{
    return table_find(&track->texel_buffers->views, HANDLE_KEY(handle));
}

#endif
