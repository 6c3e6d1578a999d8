/* SPDX-License-Identifier: MIT */
/* Makes and frees the tables of buffers and buffer views. */
#include "texel_buffers/texel_buffers.h"

#include "objects/table.h"

bool texel_buffers_init(struct track *track)
{
    return table_init(&track->texel_buffers->buffers) && table_init(&track->texel_buffers->views);
}

void texel_buffers_finish(struct track *track)
{
    table_finish(&track->texel_buffers->buffers);
    table_finish(&track->texel_buffers->views);
}
