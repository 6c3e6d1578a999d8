/* SPDX-License-Identifier: MIT */
/*
 * Widens barriers that name only sampled reads (barrier.h), and dependencies between subpasses that write a colour
 * attachment, which the layer may blend where the program only writes.
 */
#include <stdlib.h>
#include <string.h>

#include "barriers/barrier.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "objects/pnext.h"

/* Does the mask have sampled reads, and nothing that covers storage reads as well? */
static bool misses_storage(VkAccessFlags2 access)
{
    const VkAccessFlags2 covers =
        VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_MEMORY_READ_BIT;
    return (access & VK_ACCESS_2_SHADER_SAMPLED_READ_BIT) && !(access & covers);
}

/* ---- Commands ---- */

enum transfer { TRANSFER_NONE, TRANSFER_RELEASE, TRANSFER_ACQUIRE };

/* Section "Queue Family Ownership Transfer". */
static enum transfer transfer_of(uint32_t family, uint32_t from, uint32_t to)
{
    if (from == to)
        return TRANSFER_NONE;
    return to == family || (from != family && from >= VK_QUEUE_FAMILY_FOREIGN_EXT) ? TRANSFER_ACQUIRE
                                                                                   : TRANSFER_RELEASE;
}
_Static_assert(VK_QUEUE_FAMILY_FOREIGN_EXT < VK_QUEUE_FAMILY_EXTERNAL &&
                   VK_QUEUE_FAMILY_EXTERNAL < VK_QUEUE_FAMILY_IGNORED,
               "what is no family of the device is above all that are");

/* `ENTRY`: a barrier of any structure. */
#define TAKE(ADDED, ENTRY, TRANSFER)                                                                                   \
    take(ADDED, (ENTRY)->srcStageMask, (ENTRY)->srcAccessMask, (ENTRY)->dstStageMask, (ENTRY)->dstAccessMask, TRANSFER)

static void take(struct barrier_added *added, VkPipelineStageFlags2 src_stage, VkAccessFlags2 src_access,
                 VkPipelineStageFlags2 dst_stage, VkAccessFlags2 dst_access, enum transfer transfer)
{
    if (transfer == TRANSFER_RELEASE || !misses_storage(dst_access))
        return;
    const bool acquires = transfer == TRANSFER_ACQUIRE;
    added->needed = true;
    added->acquires |= acquires;
    added->barrier.srcStageMask |= acquires ? dst_stage : src_stage;
    added->barrier.srcAccessMask |= acquires ? VK_ACCESS_2_NONE : src_access; /* the release made it available */
    added->barrier.dstStageMask |= dst_stage;
    added->barrier.dstAccessMask |= VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
}

struct barrier_added barrier_added(const struct device *device, const VkDependencyInfo *info, uint32_t family)
{
    struct barrier_added added = {.barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2}};
    if (!device->caps.texel.addresses)
        return added;
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
        TAKE(&added, &info->pMemoryBarriers[i], TRANSFER_NONE);
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        TAKE(&added, b, transfer_of(family, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex));
    }
    const VkMemoryRangeBarriersInfoKHR *ranges =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
    for (uint32_t i = 0; ranges && i < ranges->memoryRangeBarrierCount; i++) {
        const VkMemoryRangeBarrierKHR *b = &ranges->pMemoryRangeBarriers[i];
        TAKE(&added, b, transfer_of(family, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex));
    }
    return added;
}

/* ---- Render passes ---- */

static bool misses_blending(VkAccessFlags2 access)
{
    const VkAccessFlags2 covers = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_MEMORY_READ_BIT;
    return (access & VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT) && !(access & covers);
}

/* Takes the place of the dependency's own masks. */
static const VkMemoryBarrier2 *barrier_of(const VkSubpassDependency2 *dependency)
{
    return pnext_find(dependency->pNext, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
}

/* The accesses that a dependency must name besides. */
static VkAccessFlags2 missing(const struct device *device, const VkSubpassDependency2 *dependency, bool keeps)
{
    const VkMemoryBarrier2 *barrier = barrier_of(dependency);
    const VkAccessFlags2 access = barrier ? barrier->dstAccessMask : dependency->dstAccessMask;
    VkAccessFlags2 result = 0;
    if (device->caps.texel.addresses && misses_storage(access))
        result |= VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
    if (keeps && misses_blending(access))
        result |= VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT;
    return result;
}

static bool widen_dependency(struct barrier_pass *pass, uint32_t index, const VkMemoryBarrier2 *barrier,
                             VkAccessFlags2 added)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    void *rest;
    if (!pnext_copy_without(pass->dependencies[index].pNext, replaced, 1, &rest, &pass->chains[index]))
        return false;
    pass->barriers[index] = *barrier;
    pass->barriers[index].pNext = rest;
    pass->barriers[index].dstAccessMask |= added;
    pass->dependencies[index].pNext = &pass->barriers[index];
    return true;
}

bool barrier_pass_open(const struct device *device, const VkRenderPassCreateInfo2 *info, bool keeps,
                       struct barrier_pass *pass)
{
    *pass = (struct barrier_pass){.info = *info};
    bool needed = false;
    for (uint32_t i = 0; i < info->dependencyCount; i++)
        needed |= missing(device, &info->pDependencies[i], keeps) != 0;
    if (!needed)
        return true;
    pass->dependencies = malloc(info->dependencyCount * sizeof(*pass->dependencies));
    pass->barriers = calloc(info->dependencyCount, sizeof(*pass->barriers));
    pass->chains = calloc(info->dependencyCount, sizeof(*pass->chains));
    if (!pass->dependencies || !pass->barriers || !pass->chains)
        return false;
    memcpy(pass->dependencies, info->pDependencies, info->dependencyCount * sizeof(*pass->dependencies));
    pass->info.pDependencies = pass->dependencies;
    for (uint32_t i = 0; i < info->dependencyCount; i++) {
        const VkMemoryBarrier2 *barrier = barrier_of(&info->pDependencies[i]);
        const VkAccessFlags2 added = missing(device, &info->pDependencies[i], keeps);
        if (!barrier)
            pass->dependencies[i].dstAccessMask |= (VkAccessFlags)added;
        else if (added && !widen_dependency(pass, i, barrier, added))
            return false;
    }
    return true;
}

bool barrier_pass1_open(const VkRenderPassCreateInfo *info, bool keeps, struct barrier_pass1 *pass)
{
    *pass = (struct barrier_pass1){.info = *info};
    bool needed = false;
    for (uint32_t i = 0; keeps && i < info->dependencyCount; i++)
        needed |= misses_blending(info->pDependencies[i].dstAccessMask);
    if (!needed)
        return true;
    pass->dependencies = malloc(info->dependencyCount * sizeof(*pass->dependencies));
    if (!pass->dependencies)
        return false;
    memcpy(pass->dependencies, info->pDependencies, info->dependencyCount * sizeof(*pass->dependencies));
    pass->info.pDependencies = pass->dependencies;
    for (uint32_t i = 0; i < info->dependencyCount; i++) {
        if (misses_blending(info->pDependencies[i].dstAccessMask))
            pass->dependencies[i].dstAccessMask |= VK_ACCESS_COLOR_ATTACHMENT_READ_BIT;
    }
    return true;
}

void barrier_pass_close(struct barrier_pass *pass)
{
    for (uint32_t i = 0; pass->chains && i < pass->info.dependencyCount; i++)
        free(pass->chains[i]);
    free(pass->chains);
    free(pass->barriers);
    free(pass->dependencies);
}
