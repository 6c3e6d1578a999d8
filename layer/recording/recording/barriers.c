/* SPDX-License-Identifier: MIT */
/*
 * Barriers that name only sampled reads get one more memory barrier (barriers/barrier.h): in the same command if
 * possible; in a command behind it after a queue family acquire, which must be over first, or where there are more
 * barriers than are copied to the stack. Only events with many barriers allocate, because their dependencies must be in
 * one structure.
 */
#include <stdlib.h>
#include <string.h>

#include "alpha/change.h"
#include "barriers/barrier.h"
#include "commands/command_buffer.h"
#include "device/device.h"

enum { FEW = 16 };

/* Memory barriers with one more in front of them. */
struct widened {
    VkDependencyInfo info;
    VkMemoryBarrier2 few[FEW], *many; /* `many`: more than fit, to be freed */
};

static struct barrier_added added_to(const struct device *device, const struct command *command,
                                     const VkDependencyInfo *info)
{
    return barrier_added(device, info, command && command->pool ? command->pool->family : VK_QUEUE_FAMILY_IGNORED);
}

static const VkDependencyInfo *put_together(const VkDependencyInfo *info, const VkMemoryBarrier2 *added,
                                            VkMemoryBarrier2 *barriers, struct widened *for_driver)
{
    const uint32_t count = info->memoryBarrierCount;
    barriers[0] = *added;
    if (count)
        memcpy(barriers + 1, info->pMemoryBarriers, count * sizeof(*barriers));
    for_driver->info = *info;
    for_driver->info.memoryBarrierCount = count + 1;
    for_driver->info.pMemoryBarriers = barriers;
    return &for_driver->info;
}

/* The added barrier as a command of its own, behind one with the program's dependency. */
static void emit_behind(const struct device *device, VkCommandBuffer commands, const VkDependencyInfo *info,
                        const VkMemoryBarrier2 *added)
{
    const VkDependencyFlags flags = VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_DEVICE_GROUP_BIT |
                                    VK_DEPENDENCY_VIEW_LOCAL_BIT | VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT;
    const VkDependencyInfo behind = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                     .dependencyFlags = info->dependencyFlags & flags,
                                     .memoryBarrierCount = 1,
                                     .pMemoryBarriers = added};
    device->next.CmdPipelineBarrier2(commands, &behind);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPipelineBarrier2(VkCommandBuffer commandBuffer, const VkDependencyInfo *pInfo)
{
    const struct device *device = device_of(commandBuffer);
    struct command *command = command_of(commandBuffer);
    struct barrier_added added = {.needed = false};
    struct widened for_driver;
    if (command && device->caps.rgbx_attachments)
        change_barriers(command, pInfo);
    if (device->caps.texel.addresses)
        added = added_to(device, command, pInfo);
    if (added.needed && !added.acquires && pInfo->memoryBarrierCount < FEW)
        pInfo = put_together(pInfo, &added.barrier, for_driver.few, &for_driver);
    device->next.CmdPipelineBarrier2(commandBuffer, pInfo);
    if (added.needed && pInfo != &for_driver.info)
        emit_behind(device, commandBuffer, pInfo, &added.barrier);
}

/*
 * The dependency of an event: `info` itself, or the widened *for_driver; the caller frees `many` after the call.
 * Setting and waiting must have the same dependency, so this function makes both. One with an acquire stays as it is:
 * what is added waits for the acquire, in a barrier behind the waiting, because the source stages of an asymmetric
 * event (VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR), or of one that the host sets, can get no further ones.
 */
static const VkDependencyInfo *widen(const struct device *device, struct command *command, const VkDependencyInfo *info,
                                     struct barrier_added *added, struct widened *for_driver)
{
    *added = added_to(device, command, info);
    const uint32_t count = info->memoryBarrierCount;
    for_driver->many = NULL;
    if (!added->needed || added->acquires)
        return info;
    if (count >= FEW)
        for_driver->many = malloc(((size_t)count + 1) * sizeof(*for_driver->many));
    if (count >= FEW && !for_driver->many) {
        if (command)
            command->error = VK_ERROR_OUT_OF_HOST_MEMORY; /* vkEndCommandBuffer returns it */
        return info;
    }
    return put_together(info, &added->barrier, for_driver->many ? for_driver->many : for_driver->few, for_driver);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                             const VkDependencyInfo *pInfo)
{
    const struct device *device = device_of(commandBuffer);
    struct barrier_added added;
    struct widened for_driver;
    pInfo = widen(device, command_of(commandBuffer), pInfo, &added, &for_driver);
    device->next.CmdSetEvent2(commandBuffer, event, pInfo);
    free(for_driver.many);
}

/* Events are waited for one by one where they must be changed: each has its own dependencies. */
VKAPI_ATTR void VKAPI_CALL hook_CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t eventCount,
                                               const VkEvent *pEvents, const VkDependencyInfo *pInfos)
{
    const struct device *device = device_of(commandBuffer);
    struct command *command = command_of(commandBuffer);
    struct barrier_added added;
    struct widened for_driver;
    bool any = false;
    if (command && device->caps.rgbx_attachments)
        change_waits(command, eventCount, pInfos);
    for (uint32_t i = 0; i < eventCount; i++)
        any |= added_to(device, command, &pInfos[i]).needed;
    if (!any) {
        device->next.CmdWaitEvents2(commandBuffer, eventCount, pEvents, pInfos);
        return;
    }
    for (uint32_t i = 0; i < eventCount; i++) {
        const VkDependencyInfo *info = widen(device, command, &pInfos[i], &added, &for_driver);
        device->next.CmdWaitEvents2(commandBuffer, 1, &pEvents[i], info);
        free(for_driver.many);
        if (added.acquires)
            emit_behind(device, commandBuffer, &pInfos[i], &added.barrier);
    }
}
