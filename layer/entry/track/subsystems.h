/* SPDX-License-Identifier: MIT */
/* The states of all subsystems of one device. The tracker owns them, or a test of single subsystems. */
#ifndef CLAMPLER_TRACK_SUBSYSTEMS_H
#define CLAMPLER_TRACK_SUBSYSTEMS_H

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

struct subsystems {
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

/* Initializers of the members of `struct track` that point to subsystems. */
#define SUBSYSTEMS_OF(subsystems)                                                                                      \
    .ahead = &(subsystems).ahead, .record_table = &(subsystems).record_table, .sampling = &(subsystems).sampling,      \
    .texel_buffers = &(subsystems).texel_buffers, .layouts = &(subsystems).layouts,                                    \
    .descriptors = &(subsystems).descriptors, .attachments = &(subsystems).attachments,                                \
    .modules = &(subsystems).modules, .pipelines = &(subsystems).pipelines,                                            \
    .shader_objects = &(subsystems).shader_objects, .commands = &(subsystems).commands, .blits = &(subsystems).blits

#endif
