/* SPDX-License-Identifier: MIT */
/*
 * The program's allocation callbacks as the next layer gets them. Vulkan calls them on the thread of the command that
 * allocates (specification, "Host Memory"). What helpers compile for a draw is that draw's, so what it allocates on a
 * helper's thread is asked of the program on the thread that waits; everywhere else the program's functions are called
 * as they come. All of it for any thread.
 */
#ifndef CLAMPLER_AHEAD_PROGRAM_ALLOCATOR_H
#define CLAMPLER_AHEAD_PROGRAM_ALLOCATOR_H

#include "device/instance.h"

/* What goes down in the place of the program's, from now until the allocator's object is gone; NULL where it has none.
 */
const VkAllocationCallbacks *program_allocator_init(struct program_allocator *allocator,
                                                    const VkAllocationCallbacks *program);

/* The same later. */
static inline const VkAllocationCallbacks *program_allocator_driver(const struct program_allocator *allocator)
{
    return allocator->program.pfnAllocation ? &allocator->driver : NULL;
}

#endif
