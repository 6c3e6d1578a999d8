/* SPDX-License-Identifier: MIT */
/*
 * Application-managed descriptors while commands are recorded: what is bound in each binding model, and the root table,
 * by which shaders find records (record/root.h). A root table is written and its address pushed only before draws whose
 * shaders follow records. One thread at a time, as command buffers are recorded.
 *
 * resources/app_descriptors writes the descriptors, and resources/layouts makes the layouts.
 */
#ifndef CLAMPLER_RECORDING_BOUND_H
#define CLAMPLER_RECORDING_BOUND_H

#include "commands/command_buffer.h"
#include "layouts/pipeline_layout.h"
#include "record/root.h"

/* Of one bind point. */
struct bound_point {
    VkDeviceAddress *sets; /* the command's set_limit of them; 0: none is bound */
    VkDeviceAddress root;  /* the newest; 0: none */
    bool stale;            /* sets were bound since */
};

struct bound_state {
    /* Of each binding model. */
    VkDeviceAddress pushed[BINDING_MODELS]; /* the root table's address, which the layer has pushed; 0: not known */
    uint64_t behind[BINDING_MODELS];        /* the bytes that the program pushed at the place of that address */
    bool pushes_behind[BINDING_MODELS];     /* it has pushed something there */
    /* Descriptor buffers. */
    VkDeviceAddress *buffers; /* the bound ones */
    uint32_t buffer_count;
    struct bound_point points[POINT_COUNT];
    /* Heaps. */
    VkDeviceAddress heaps[ROOT_HEAPS]; /* bound, and their lengths; 0: none is */
    VkDeviceAddress heap_root;         /* of all bind points; 0: none, or heaps were bound since */
    uint64_t pushed_data;              /* a bit for each part of push data that the program has pushed */
    bool filled;                       /* the layer has pushed all others since heaps were bound */
};

/* False: out of memory. Only on devices with application-managed descriptors. */
bool bound_init(struct command *command);
void bound_reset(struct command *command);
/* A secondary command buffer begins: reads the chain of its inheritance info. */
void bound_inherit(struct command *command, const void *chain);
void bound_finish(struct command *command);

/* Other commands may have changed the push constants. */
void bound_forget_pushed(struct command *command);

/*
 * Pushes the program's bytes at the place of the root table's address again, before a draw whose shaders read no
 * records by record index and may read those bytes.
 */
void bound_restore(struct command *command);

/*
 * Writes and pushes the root table of a bind point, before a draw whose shaders read records by record index. False,
 * with command->error set: out of memory.
 */
bool bound_flush(struct command *command, struct bind_point *point, enum binding_model model);

#endif
