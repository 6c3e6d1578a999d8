/* SPDX-License-Identifier: MIT */
/*
 * Placed descriptors while commands are recorded: which descriptor buffers are bound and where in them sets lie, and
 * the root that tells shaders so (record/root.h). A root is written and its address pushed before draws whose shaders
 * follow records, and only then. One thread at a time, as command buffers are recorded.
 *
 * bound.c; descriptors themselves are written by descriptor.c.
 */
#ifndef CLAMPLER_PLACED_PLACED_H
#define CLAMPLER_PLACED_PLACED_H

#include "commands/command_buffer.h"

/* Of one bind point. */
struct placed_point {
    VkDeviceAddress *sets; /* the command's set_limit of them; 0: none is bound */
    VkDeviceAddress root;  /* the newest; 0: none */
    bool stale;            /* sets were bound since */
};

struct placed_state {
    VkDeviceAddress *buffers; /* the bound descriptor buffers */
    uint32_t buffer_count;
    VkDeviceAddress pushed; /* the root in the push constants; 0: not known */
    struct placed_point points[POINT_COUNT];
};

/* False: out of memory. Devices whose programs place no descriptors have none of it. */
bool placed_init(struct command *command);
void placed_reset(struct command *command);
void placed_finish(struct command *command);

/* Other commands may have changed the push constants. */
static inline void placed_forget_pushed(struct command *command)
{
    if (command->placed)
        command->placed->pushed = 0;
}

/*
 * Makes the root of a bind point current, before a draw whose shaders read records by number. False, with
 * command->error set: there was no memory for it.
 */
bool placed_flush(struct command *command, struct bind_point *point);

#endif
