/* SPDX-License-Identifier: MIT */
/*
 * The program's allocation callbacks as the next layer gets them. Vulkan calls them on the thread of the command that
 * allocates (specification, "Host Memory"). A helper compiles for a draw, so its allocations are made on the draw's
 * thread, which waits; everywhere else the program's functions are called directly. Any thread may call these
 * functions.
 */
#ifndef CLAMPLER_AHEAD_PROGRAM_ALLOCATOR_H
#define CLAMPLER_AHEAD_PROGRAM_ALLOCATOR_H

#include "device/instance.h"

/*
 * The callbacks for the next layer in the place of the program's, valid until the allocator's object is destroyed; NULL
 * where it has none.
 */
const VkAllocationCallbacks *program_allocator_init(struct program_allocator *allocator,
                                                    const VkAllocationCallbacks *program);

/* The same later. */
static inline const VkAllocationCallbacks *program_allocator_driver(const struct program_allocator *allocator)
{
    return allocator->program.pfnAllocation ? &allocator->driver : NULL;
}

#endif
