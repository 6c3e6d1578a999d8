/* SPDX-License-Identifier: MIT */
/*
 * Barriers that name only sampled reads: VK_ACCESS_2_SHADER_SAMPLED_READ_BIT covers fetches from uniform texel buffers,
 * but not the loads by address that the layer may make of them, which are storage reads. One memory barrier more, over
 * the same stages, covers those. VK_ACCESS_SHADER_READ_BIT, all that older barriers can say, has both in it.
 *
 * And dependencies between subpasses that write a colour attachment, which may be blended where the program only
 * writes.
 */
#include <stdlib.h>
#include <string.h>

#include "barriers/barrier.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "objects/pnext.h"
#include "objects/track.h"

/* What a command gets in the place of the program's: memory barriers with one more behind them. */
struct widened {
    VkDependencyInfo info;
    VkMemoryBarrier2 few[16], *many; /* `many`: more than fit, to be freed */
};

/* Does the mask have sampled reads, and nothing that covers storage reads as well? */
static bool misses_storage(VkAccessFlags2 access)
{
    const VkAccessFlags2 covers =
        VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_MEMORY_READ_BIT;
    return (access & VK_ACCESS_2_SHADER_SAMPLED_READ_BIT) && !(access & covers);
}

struct widening {
    VkMemoryBarrier2 added; /* srcStageMask and so on: the union of what needs it */
    bool needed;
};

static void take(struct widening *w, VkPipelineStageFlags2 src_stage, VkAccessFlags2 src_access,
                 VkPipelineStageFlags2 dst_stage, VkAccessFlags2 dst_access)
{
    if (!misses_storage(dst_access))
        return;
    w->needed = true;
    w->added.srcStageMask |= src_stage;
    w->added.srcAccessMask |= src_access;
    w->added.dstStageMask |= dst_stage;
    w->added.dstAccessMask |= VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
}

static struct widening widening_of(const VkDependencyInfo *info)
{
    struct widening w = {.added = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2}};
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        take(&w, b->srcStageMask, b->srcAccessMask, b->dstStageMask, b->dstAccessMask);
    }
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        take(&w, b->srcStageMask, b->srcAccessMask, b->dstStageMask, b->dstAccessMask);
    }
    const VkMemoryRangeBarriersInfoKHR *ranges =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
    for (uint32_t i = 0; ranges && i < ranges->memoryRangeBarrierCount; i++) {
        const VkMemoryRangeBarrierKHR *b = &ranges->pMemoryRangeBarriers[i];
        take(&w, b->srcStageMask, b->srcAccessMask, b->dstStageMask, b->dstAccessMask);
    }
    return w;
}

/* One barrier for all, where there is no memory for them: it covers more than they do, but for what chains say. */
static uint32_t unite(const VkDependencyInfo *info, VkMemoryBarrier2 *barrier)
{
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        barrier->srcStageMask |= info->pMemoryBarriers[i].srcStageMask;
        barrier->srcAccessMask |= info->pMemoryBarriers[i].srcAccessMask;
        barrier->dstStageMask |= info->pMemoryBarriers[i].dstStageMask;
        barrier->dstAccessMask |= info->pMemoryBarriers[i].dstAccessMask;
    }
    return 1;
}

/* `info` itself, or *below with more in it; after the call `many` is freed. */
static const VkDependencyInfo *widen(const struct device *device, const VkDependencyInfo *info, struct widened *below)
{
    enum { FEW = sizeof(below->few) / sizeof(below->few[0]) };
    const struct widening w = device->texel.addresses ? widening_of(info) : (struct widening){0};
    below->many = NULL;
    if (!w.needed)
        return info;
    const uint32_t count = info->memoryBarrierCount;
    if (count >= FEW)
        below->many = malloc(((size_t)count + 1) * sizeof(*below->many));
    VkMemoryBarrier2 *barriers = below->many ? below->many : below->few;
    barriers[0] = w.added;
    below->info = *info;
    below->info.pMemoryBarriers = barriers;
    if (count && (count < FEW || below->many))
        memcpy(barriers + 1, info->pMemoryBarriers, count * sizeof(*barriers));
    below->info.memoryBarrierCount = count < FEW || below->many ? count + 1 : unite(info, barriers);
    return &below->info;
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

/* What a dependency must name besides. */
static VkAccessFlags2 missing(const struct device *device, const VkSubpassDependency2 *dependency, bool keeps)
{
    const VkMemoryBarrier2 *barrier = barrier_of(dependency);
    const VkAccessFlags2 access = barrier ? barrier->dstAccessMask : dependency->dstAccessMask;
    VkAccessFlags2 result = 0;
    if (device->texel.addresses && misses_storage(access))
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

/* ---- Commands ---- */

VKAPI_ATTR void VKAPI_CALL hook_CmdPipelineBarrier2(VkCommandBuffer commandBuffer, const VkDependencyInfo *pInfo)
{
    const struct device *device = device_of(commandBuffer);
    struct widened below;
    device->next.CmdPipelineBarrier2(commandBuffer, widen(device, pInfo, &below));
    free(below.many);
}

/* What is set and what is waited for must be the same, and are: the same function makes both. */
VKAPI_ATTR void VKAPI_CALL hook_CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                             const VkDependencyInfo *pInfo)
{
    const struct device *device = device_of(commandBuffer);
    struct widened below;
    device->next.CmdSetEvent2(commandBuffer, event, widen(device, pInfo, &below));
    free(below.many);
}

/* Events are waited for one by one where they must be changed: each has its own dependencies. */
VKAPI_ATTR void VKAPI_CALL hook_CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t eventCount,
                                               const VkEvent *pEvents, const VkDependencyInfo *pInfos)
{
    const struct device *device = device_of(commandBuffer);
    struct widened below;
    bool any = false;
    for (uint32_t i = 0; i < eventCount && device->texel.addresses; i++)
        any |= widening_of(&pInfos[i]).needed;
    if (!any) {
        device->next.CmdWaitEvents2(commandBuffer, eventCount, pEvents, pInfos);
        return;
    }
    for (uint32_t i = 0; i < eventCount; i++) {
        device->next.CmdWaitEvents2(commandBuffer, 1, &pEvents[i], widen(device, &pInfos[i], &below));
        free(below.many);
    }
}
