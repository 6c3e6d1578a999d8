/* SPDX-License-Identifier: MIT */
/*
 * Effects of barriers and waits for events on alpha in memory: layout transitions, transfers between queue families and
 * waits for the host. layer/resources/barriers widens barriers.
 */
#include "alpha/change.h"
#include "commands/command_buffer.h"
#include "device/device.h"
#include "filled/filled.h"
#include "filled/ways.h"
#include "objects/track.h"
#include "sampling/image.h"

/* Most barriers have no effect, and look nothing up. */
static void layout_changed(struct command *command, VkImage image, const VkImageSubresourceRange *range,
                           VkImageLayout before, VkImageLayout after, uint32_t from, uint32_t to)
{
    const enum filled_way way = filled_barrier(before, after, from, to);
    if (!command || filled_effect(way) == FILLED_LEAVES)
        return;
    struct image *known = image_find(command->track, image);
    change_image(command, known, way, change_range(command->track, known, range, true), 0);
}

static void remember_barriers(struct command *command, uint32_t count, const VkImageMemoryBarrier *barriers)
{
    for (uint32_t i = 0; i < count; i++)
        layout_changed(command, barriers[i].image, &barriers[i].subresourceRange, barriers[i].oldLayout,
                       barriers[i].newLayout, barriers[i].srcQueueFamilyIndex, barriers[i].dstQueueFamilyIndex);
}

void change_barriers(struct command *command, const VkDependencyInfo *info)
{
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *barrier = &info->pImageMemoryBarriers[i];
        layout_changed(command, barrier->image, &barrier->subresourceRange, barrier->oldLayout, barrier->newLayout,
                       barrier->srcQueueFamilyIndex, barrier->dstQueueFamilyIndex);
    }
}

/* True: the host may set these events. */
static bool waits_for_host(const VkDependencyInfo *info)
{
    VkPipelineStageFlags2 stages = 0;
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
        stages |= info->pMemoryBarriers[i].srcStageMask;
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++)
        stages |= info->pBufferMemoryBarriers[i].srcStageMask;
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
        stages |= info->pImageMemoryBarriers[i].srcStageMask;
    return stages & VK_PIPELINE_STAGE_2_HOST_BIT;
}

void change_waits(struct command *command, uint32_t count, const VkDependencyInfo *infos)
{
    for (uint32_t i = 0; i < count; i++) {
        if (waits_for_host(&infos[i]))
            change_all(command, FILLED_HOST_WAIT);
        change_barriers(command, &infos[i]);
    }
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPipelineBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags srcStageMask,
                                                   VkPipelineStageFlags dstStageMask, VkDependencyFlags dependencyFlags,
                                                   uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
                                                   uint32_t bufferMemoryBarrierCount,
                                                   const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                                   uint32_t imageMemoryBarrierCount,
                                                   const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    const struct device *device = device_of(commandBuffer);
    remember_barriers(command_of(commandBuffer), imageMemoryBarrierCount, pImageMemoryBarriers);
    device->next.CmdPipelineBarrier(commandBuffer, srcStageMask, dstStageMask, dependencyFlags, memoryBarrierCount,
                                    pMemoryBarriers, bufferMemoryBarrierCount, pBufferMemoryBarriers,
                                    imageMemoryBarrierCount, pImageMemoryBarriers);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdWaitEvents(VkCommandBuffer commandBuffer, uint32_t eventCount,
                                              const VkEvent *pEvents, VkPipelineStageFlags srcStageMask,
                                              VkPipelineStageFlags dstStageMask, uint32_t memoryBarrierCount,
                                              const VkMemoryBarrier *pMemoryBarriers, uint32_t bufferMemoryBarrierCount,
                                              const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                              uint32_t imageMemoryBarrierCount,
                                              const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    const struct device *device = device_of(commandBuffer);
    struct command *command = command_of(commandBuffer);
    if (command && (srcStageMask & VK_PIPELINE_STAGE_HOST_BIT))
        change_all(command, FILLED_HOST_WAIT);
    remember_barriers(command, imageMemoryBarrierCount, pImageMemoryBarriers);
    device->next.CmdWaitEvents(commandBuffer, eventCount, pEvents, srcStageMask, dstStageMask, memoryBarrierCount,
                               pMemoryBarriers, bufferMemoryBarrierCount, pBufferMemoryBarriers,
                               imageMemoryBarrierCount, pImageMemoryBarriers);
}
