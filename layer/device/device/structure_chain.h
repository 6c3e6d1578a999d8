/* SPDX-License-Identifier: MIT */
/* Chains of structures that the program gives, by their types. */
#ifndef CLAMPLER_DEVICE_STRUCTURE_CHAIN_H
#define CLAMPLER_DEVICE_STRUCTURE_CHAIN_H

#include <vulkan/vulkan_core.h>

/* The first structure of a chain with this sType, or NULL. */
static inline const void *pnext_find(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *node = chain;
    while (node && node->sType != type)
        node = node->pNext;
    return node;
}

/*
 * Takes the first structure with this sType out of a chain of output that hangs on `head`, because a next layer may
 * check chains for unknown structures. NULL if there is none. Put it back with chain_restore(), several in reverse
 * order, before returning: output chains belong to the call, so no other thread uses them meanwhile.
 */
struct chain_cut {
    VkBaseOutStructure *before;
    VkBaseOutStructure *node;
};

static inline struct chain_cut chain_cut(void *head, VkStructureType type)
{
    struct chain_cut cut = {.before = head};
    while (cut.before->pNext && cut.before->pNext->sType != type)
        cut.before = cut.before->pNext;
    cut.node = cut.before->pNext;
    if (cut.node)
        cut.before->pNext = cut.node->pNext;
    return cut;
}

static inline void chain_restore(struct chain_cut cut)
{
    if (cut.node)
        cut.before->pNext = cut.node;
}

#endif
