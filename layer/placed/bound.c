/* SPDX-License-Identifier: MIT */
/*
 * vkCmdBindDescriptorBuffersEXT, vkCmdSetDescriptorBufferOffsets{,2}EXT and vkCmdPushConstants{,2}: all pipeline
 * layouts have one range of push constants for all stages (layouts/pipeline_layout.c), so that what is pushed is for
 * all.
 */
#include "placed/placed.h"

#include <string.h>

#include "commands/ring.h"
#include "device/device.h"
#include "layouts/layouts.h"
#include "layouts/pipeline_layout.h"
#include "objects/track.h"
#include "record/root.h"
#include "record_table/record_table.h"
#include "commands/command_buffer.h"

/* ---- State ---- */

enum { BUFFERS_MOST = 256 };

static size_t addresses(const struct command *command)
{
    return BUFFERS_MOST + (size_t)POINT_COUNT * command->set_limit;
}

static size_t state_bytes(const struct command *command)
{
    return sizeof(struct placed_state) + addresses(command) * sizeof(VkDeviceAddress);
}

bool placed_init(struct command *command)
{
    if (!command->device->placed.buffers)
        return true;
    command->placed = object_alloc(command->track, NULL, state_bytes(command));
    if (!command->placed)
        return false;
    command->placed->buffers = (VkDeviceAddress *)(command->placed + 1);
    for (uint32_t p = 0; p < POINT_COUNT; p++)
        command->placed->points[p].sets = command->placed->buffers + BUFFERS_MOST + p * command->set_limit;
    return true;
}

void placed_reset(struct command *command)
{
    struct placed_state *placed = command->placed;
    if (!placed)
        return;
    memset(placed->buffers, 0, addresses(command) * sizeof(VkDeviceAddress));
    placed->buffer_count = 0;
    placed->pushed = 0;
    for (uint32_t p = 0; p < POINT_COUNT; p++) {
        placed->points[p].root = 0;
        placed->points[p].stale = false;
    }
}

void placed_finish(struct command *command)
{
    object_free(command->track, NULL, command->placed, state_bytes(command));
}

/* ---- Roots ---- */

static bool write_root(struct command *command, struct placed_point *point)
{
    const size_t bases = command->set_limit * sizeof(uint64_t);
    struct ring_piece piece;
    if (!ring_take(command, (uint32_t)(sizeof(struct root) + bases), &piece))
        return false;
    struct root *root = piece.mapped;
    root->directory = record_table_address(command->track->record_table);
    memcpy(root->bases, point->sets, bases);
    point->root = piece.address;
    point->stale = false;
    return true;
}

bool placed_flush(struct command *command, struct bind_point *point)
{
    struct placed_state *placed = command->placed;
    const uint32_t index = (uint32_t)(point - command->points);
    struct placed_point *own = &placed->points[index];
    if ((own->stale || !own->root) && !write_root(command, own))
        return false;
    if (placed->pushed == own->root)
        return true;
    command->device->next.CmdPushConstants(command->handle, command->track->layouts->push_layout, VK_SHADER_STAGE_ALL,
                                           command->device->placed.root_at, sizeof(own->root), &own->root);
    placed->pushed = own->root;
    /* The push constants are everybody's: draws of the others look again. */
    for (uint32_t p = 0; p < POINT_COUNT; p++) {
        if (p != index)
            command->points[p].dirty = BIND_CHANGED;
    }
    return true;
}

/* ---- Hooks ---- */

VKAPI_ATTR void VKAPI_CALL hook_CmdBindDescriptorBuffersEXT(VkCommandBuffer commandBuffer, uint32_t bufferCount,
                                                            const VkDescriptorBufferBindingInfoEXT *pBindingInfos)
{
    struct command *command = command_of(commandBuffer);
    if (command && command->placed) {
        command->placed->buffer_count = bufferCount < BUFFERS_MOST ? bufferCount : BUFFERS_MOST;
        for (uint32_t i = 0; i < command->placed->buffer_count; i++)
            command->placed->buffers[i] = pBindingInfos[i].address;
    }
    device_of(commandBuffer)->next.CmdBindDescriptorBuffersEXT(commandBuffer, bufferCount, pBindingInfos);
}

static void set_offsets(struct command *command, uint32_t point_index, uint32_t first, uint32_t count,
                        const uint32_t *buffers, const VkDeviceSize *offsets)
{
    struct placed_state *placed = command->placed;
    struct placed_point *point = &placed->points[point_index];
    const uint32_t end = first < command->set_limit ? command->set_limit - first : 0;
    for (uint32_t i = 0; i < count && i < end; i++) {
        const VkDeviceAddress base = buffers[i] < placed->buffer_count ? placed->buffers[buffers[i]] : 0;
        const VkDeviceAddress at = base ? base + offsets[i] : 0;
        point->stale |= point->sets[first + i] != at;
        point->sets[first + i] = at;
    }
    if (point->stale)
        command->points[point_index].dirty = BIND_CHANGED;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetDescriptorBufferOffsetsEXT(VkCommandBuffer commandBuffer,
                                                                 VkPipelineBindPoint pipelineBindPoint,
                                                                 VkPipelineLayout layout, uint32_t firstSet,
                                                                 uint32_t setCount, const uint32_t *pBufferIndices,
                                                                 const VkDeviceSize *pOffsets)
{
    struct command *command = command_of(commandBuffer);
    if (command && command->placed)
        set_offsets(command, point_of(pipelineBindPoint), firstSet, setCount, pBufferIndices, pOffsets);
    device_of(commandBuffer)
        ->next.CmdSetDescriptorBufferOffsetsEXT(commandBuffer, pipelineBindPoint, layout, firstSet, setCount,
                                                pBufferIndices, pOffsets);
}

/* Layouts in chains become the driver's as those with handles do. */
static VkPipelineLayout layout_below(struct command *command, VkPipelineLayout layout, const void *chain)
{
    return dynamic_layout(command->track, layout, chain, DYNAMIC_LAYOUT_ANY, &command->error);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetDescriptorBufferOffsets2EXT(
    VkCommandBuffer commandBuffer, const VkSetDescriptorBufferOffsetsInfoEXT *pSetDescriptorBufferOffsetsInfo)
{
    struct command *command = command_of(commandBuffer);
    VkSetDescriptorBufferOffsetsInfoEXT info = *pSetDescriptorBufferOffsetsInfo;
    if (command && command->placed) {
        for (uint32_t p = 0; p < POINT_COUNT; p++) {
            if (info.stageFlags & point_stages(p))
                set_offsets(command, p, info.firstSet, info.setCount, info.pBufferIndices, info.pOffsets);
        }
        info.layout = layout_below(command, info.layout, info.pNext);
        if (info.layout)
            info.pNext = NULL; /* a layout is all that it may have */
    }
    device_of(commandBuffer)->next.CmdSetDescriptorBufferOffsets2EXT(commandBuffer, &info);
}

/* What the program writes at the root's place is its own; whoever reads records then finds none (docs/limits.md). */
static void pushed(struct command *command, uint32_t offset, uint32_t size)
{
    if (command && command->placed && offset + size > command->device->placed.root_at)
        command->placed->pushed = 0;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                                 VkShaderStageFlags stageFlags, uint32_t offset, uint32_t size,
                                                 const void *pValues)
{
    struct command *command = command_of(commandBuffer);
    const struct device *device = device_of(commandBuffer);
    pushed(command, offset, size);
    if (device->placed.buffers)
        stageFlags = VK_SHADER_STAGE_ALL;
    device->next.CmdPushConstants(commandBuffer, layout, stageFlags, offset, size, pValues);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPushConstants2KHR(VkCommandBuffer commandBuffer,
                                                     const VkPushConstantsInfoKHR *pPushConstantsInfo)
{
    struct command *command = command_of(commandBuffer);
    const struct device *device = device_of(commandBuffer);
    VkPushConstantsInfoKHR info = *pPushConstantsInfo;
    pushed(command, info.offset, info.size);
    if (device->placed.buffers)
        info.stageFlags = VK_SHADER_STAGE_ALL;
    if (command && command->placed) {
        info.layout = layout_below(command, info.layout, info.pNext);
        if (info.layout)
            info.pNext = NULL;
    }
    device->next.CmdPushConstants2KHR(commandBuffer, &info);
}
