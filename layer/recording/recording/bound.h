/* SPDX-License-Identifier: MIT */
/*
 * Application-managed descriptors while commands are recorded: which descriptor buffers are bound and where in them
 * sets lie, and the root that tells shaders so (record/root.h). A root is written and its address pushed before draws
 * whose shaders follow records, and only then. One thread at a time, as command buffers are recorded.
 *
 * Descriptors themselves are written by resources/app_descriptors.
 */
#ifndef CLAMPLER_RECORDING_BOUND_H
#define CLAMPLER_RECORDING_BOUND_H

#include "commands/command_buffer.h"
#include "record/root.h"

/* Where the descriptors are that a draw reads records of. */
enum bound_way { APP_IN_BUFFERS, APP_IN_HEAPS, APP_WAYS };

enum { PUSHED_DATA_BITS = 64 };

/* Of one bind point. */
struct bound_point {
    VkDeviceAddress *sets; /* the command's set_limit of them; 0: none is bound */
    VkDeviceAddress root;  /* the newest; 0: none */
    bool stale;            /* sets were bound since */
};

struct bound_state {
    VkDeviceAddress *buffers; /* the bound descriptor buffers */
    uint32_t buffer_count;
    VkDeviceAddress pushed[APP_WAYS]; /* the root in the push constants, in push data; 0: not known */
    uint64_t behind[APP_WAYS];        /* what the program pushed at the root's place */
    bool pushes_behind[APP_WAYS];     /* it has pushed something there */
    struct bound_point points[POINT_COUNT];
    VkDeviceAddress heaps[ROOT_HEAPS]; /* bound, and their lengths; 0: none is */
    VkDeviceAddress heap_root;         /* of all bind points; 0: none, or heaps were bound since */
    uint64_t pushed_data;              /* which parts of push data the program has pushed */
    bool filled;                       /* and the layer all others, since heaps were bound */
};

/* False: out of memory. Devices whose programs place no descriptors have none of it. */
bool bound_init(struct command *command);
void bound_reset(struct command *command);
/* A secondary command buffer begins, and inherits what the chain of its inheritance info says. */
void bound_inherit(struct command *command, const void *chain);
void bound_finish(struct command *command);

/* Other commands may have changed the push constants. */
static inline void bound_forget_pushed(struct command *command)
{
    if (command->app_descriptors)
        command->app_descriptors->pushed[APP_IN_BUFFERS] = command->app_descriptors->pushed[APP_IN_HEAPS] = 0;
}

/*
 * Gives the program what it pushed at the root's place, before a draw whose shaders read no records by number and may
 * read that.
 */
void bound_restore(struct command *command);

/*
 * Makes the root of a bind point current, before a draw whose shaders read records by number. False, with
 * command->error set: there was no memory for it.
 */
bool bound_flush(struct command *command, struct bind_point *point, enum bound_way way);

#endif
