/* SPDX-License-Identifier: MIT */
/*
 * A binding model of application-managed descriptors is a struct of functions, a source file of its own with the hooks
 * of its commands, and a row of bound.c's table. (The other parts of a model: docs/testing.md, "A binding model".)
 * Functions are called on the thread that records, with command->app_descriptors.
 */
#ifndef CLAMPLER_RECORDING_BOUND_MODEL_H
#define CLAMPLER_RECORDING_BOUND_MODEL_H

#include "commands/command_buffer.h"
#include "recording/bound.h"

struct bound_model {
    /*
     * The address of the root table of what is bound to a bind point; writes one if something was bound since. 0, with
     * command->error set: out of memory.
     */
    VkDeviceAddress (*root)(struct command *command, uint32_t point);
    /* Where that address belongs among what the program pushes, in bytes. */
    uint32_t (*root_at)(const struct device *device);
    /* Pushes the eight bytes that belong there. */
    void (*push)(struct command *command, const void *bytes);
    /* Nothing is bound. */
    void (*reset)(struct command *command);
    /* Binds what a secondary command buffer inherits by the chain of its inheritance info; NULL: nothing. */
    void (*inherit)(struct command *command, const void *chain);
};

extern const struct bound_model bound_in_buffers, bound_in_heaps;

/* Addresses behind the struct bound_state of a command: those of bound buffers, then those of sets by bind point. */
enum { BOUND_BUFFERS_MOST = 256 };

/*
 * Writes a root table with these bases, of which the first `places` are addresses; 0, with command->error set: out of
 * memory. Shaders may also read bases that are not bound, without using the value, so those get the address of zeros.
 */
VkDeviceAddress bound_write_root(struct command *command, const VkDeviceAddress *bases, uint32_t count,
                                 uint32_t places);

/*
 * Shaders load whole words. Descriptors that are not aligned to words are not valid; their record indices are read from
 * the words that they begin in, after a message in which `what` is the subject.
 */
VkDeviceAddress bound_whole_word(const struct command *command, VkDeviceAddress address, const char *what);

/* The pushed address of a model's root table was overwritten: draws push it again. */
void bound_pushed_over(struct command *command, enum binding_model model);
/* The same for all models but one; BINDING_MODELS: for all. */
void bound_pushed_over_others(struct command *command, enum binding_model model);

/*
 * The program pushes `size` bytes at `offset`: saves what lies at the place of the root table's address, for draws that
 * read no records (docs/limits.md).
 */
void bound_keep_behind(struct command *command, enum binding_model model, uint32_t offset, uint32_t size,
                       const void *values);

/* Draws of these bind points look again at what is bound. */
static inline void bound_changed(struct command *command, uint32_t but)
{
    for (uint32_t p = 0; p < POINT_COUNT; p++) {
        if (p != but)
            command->points[p].dirty = BIND_CHANGED;
    }
}

#endif
