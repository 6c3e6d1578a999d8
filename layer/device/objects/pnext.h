/* SPDX-License-Identifier: MIT */
/* Copies of chains without some structures: the program's own chains are const. */
#ifndef CLAMPLER_OBJECTS_PNEXT_H
#define CLAMPLER_OBJECTS_PNEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

/*
 * Copies a chain without the structures of the given types, each structure shallowly. *first gets the new chain and
 * *memory the block to free() after use; both may be NULL. A structure of unknown size ends the copying: it and what
 * follows stay the program's own. False if memory runs out.
 */
bool pnext_copy_without(const void *chain, const VkStructureType *types, uint32_t type_count, void **first,
                        void **memory);

/* A structure of the part of such a chain that was copied, which may be changed; NULL if there is none. */
void *pnext_copied(void *chain, VkStructureType type);

/*
 * The name of the first structure of VK_CLAMPLER_gl_sampler in the chain that is not the one that belongs there (0:
 * none does), or NULL.
 */
const char *pnext_misplaced(const void *chain, VkStructureType belongs);

#endif
