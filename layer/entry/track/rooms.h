/* SPDX-License-Identifier: MIT */
/*
 * The states of all rooms of one device, for whoever owns them: the tracker, and tests of single rooms.
 */
#ifndef CLAMPLER_TRACK_ROOMS_H
#define CLAMPLER_TRACK_ROOMS_H

#include "ahead/ahead.h"
#include "attachments/attachments.h"
#include "blits/blit.h"
#include "commands/commands.h"
#include "descriptors/descriptors.h"
#include "layouts/layouts.h"
#include "modules/modules.h"
#include "pipelines/pipelines.h"
#include "record_table/record_table.h"
#include "sampling/sampling.h"
#include "shader_objects/shader_objects.h"
#include "texel_buffers/texel_buffers.h"

struct rooms {
    struct ahead ahead;
    struct record_table record_table;
    struct sampling sampling;
    struct texel_buffers texel_buffers;
    struct layouts layouts;
    struct descriptors descriptors;
    struct attachments attachments;
    struct modules modules;
    struct pipelines pipelines;
    struct shader_objects shader_objects;
    struct commands commands;
    struct blits blits;
};

/* Initializers of the members of `struct track` that point to rooms. */
#define ROOMS_OF(rooms)                                                                                                \
    .ahead = &(rooms).ahead, .record_table = &(rooms).record_table, .sampling = &(rooms).sampling,                     \
    .texel_buffers = &(rooms).texel_buffers, .layouts = &(rooms).layouts, .descriptors = &(rooms).descriptors,         \
    .attachments = &(rooms).attachments, .modules = &(rooms).modules, .pipelines = &(rooms).pipelines,                 \
    .shader_objects = &(rooms).shader_objects, .commands = &(rooms).commands, .blits = &(rooms).blits

#endif
