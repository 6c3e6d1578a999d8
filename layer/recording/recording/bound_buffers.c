/* SPDX-License-Identifier: MIT */
/*
 * Descriptor buffers: vkCmdBindDescriptorBuffersEXT, vkCmdSetDescriptorBufferOffsets{,2}EXT and vkCmdPushConstants{,2}.
 * The root table of a bind point has the addresses of its sets. Its address lies in the push constants: all pipeline
 * layouts have one range of them for all stages (layouts/pipeline_layout.c), so that what is pushed is for all.
 */
#include <string.h>

#include "commands/command_buffer.h"
#include "device/device.h"
#include "layouts/layouts.h"
#include "layouts/pipeline_layout.h"
#include "newer_vulkan.h"
#include "objects/track.h"
#include "recording/bound_model.h"

static VkDeviceAddress buffers_root(struct command *command, uint32_t index)
{
    struct bound_point *point = &command->app_descriptors->points[index];
    if (point->stale || !point->root) {
        point->root = bound_write_root(command, point->sets, command->set_limit, command->set_limit);
        point->stale = !point->root;
    }
    return point->root;
}

static uint32_t buffers_root_at(const struct device *device)
{
    return device->caps.app_descriptors.root_at;
}

static void buffers_push(struct command *command, const void *bytes)
{
    command->device->next.CmdPushConstants(command->handle, command->track->layouts->push_layout, VK_SHADER_STAGE_ALL,
                                           buffers_root_at(command->device), sizeof(VkDeviceAddress), bytes);
}

static void buffers_reset(struct command *command)
{
    struct bound_state *bound = command->app_descriptors;
    memset(bound->buffers, 0, BOUND_BUFFERS_MOST * sizeof(*bound->buffers));
    bound->buffer_count = 0;
    for (uint32_t p = 0; p < POINT_COUNT; p++) {
        memset(bound->points[p].sets, 0, command->set_limit * sizeof(*bound->points[p].sets));
        bound->points[p].root = 0;
        bound->points[p].stale = false;
    }
}

const struct bound_model bound_in_buffers = {
    .root = buffers_root, .root_at = buffers_root_at, .push = buffers_push, .reset = buffers_reset};

/* ---- Hooks ---- */

VKAPI_ATTR void VKAPI_CALL hook_CmdBindDescriptorBuffersEXT(VkCommandBuffer commandBuffer, uint32_t bufferCount,
                                                            const VkDescriptorBufferBindingInfoEXT *pBindingInfos)
{
    struct command *command = command_of(commandBuffer);
    if (command && command->app_descriptors) {
        command->app_descriptors->buffer_count = bufferCount < BOUND_BUFFERS_MOST ? bufferCount : BOUND_BUFFERS_MOST;
        for (uint32_t i = 0; i < command->app_descriptors->buffer_count; i++)
            command->app_descriptors->buffers[i] = pBindingInfos[i].address;
    }
    device_of(commandBuffer)->next.CmdBindDescriptorBuffersEXT(commandBuffer, bufferCount, pBindingInfos);
}

static void set_offsets(struct command *command, uint32_t point_index, uint32_t first, uint32_t count,
                        const uint32_t *buffers, const VkDeviceSize *offsets)
{
    struct bound_state *bound = command->app_descriptors;
    struct bound_point *point = &bound->points[point_index];
    const uint32_t end = first < command->set_limit ? command->set_limit - first : 0;
    for (uint32_t i = 0; i < count && i < end; i++) {
        const VkDeviceAddress base = buffers[i] < bound->buffer_count ? bound->buffers[buffers[i]] : 0;
        const VkDeviceAddress at =
            base ? bound_whole_word(command, base + offsets[i], "a set in a descriptor buffer") : 0;
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
    if (command && command->app_descriptors)
        set_offsets(command, point_of(pipelineBindPoint), firstSet, setCount, pBufferIndices, pOffsets);
    device_of(commandBuffer)
        ->next.CmdSetDescriptorBufferOffsetsEXT(commandBuffer, pipelineBindPoint, layout, firstSet, setCount,
                                                pBufferIndices, pOffsets);
}

/* Layouts in chains become the driver's as those with handles do. */
static VkPipelineLayout driver_layout(struct command *command, VkPipelineLayout layout, const void *chain)
{
    return dynamic_layout(command->track, layout, chain, DYNAMIC_LAYOUT_ANY, &command->error);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetDescriptorBufferOffsets2EXT(
    VkCommandBuffer commandBuffer, const VkSetDescriptorBufferOffsetsInfoEXT *pSetDescriptorBufferOffsetsInfo)
{
    struct command *command = command_of(commandBuffer);
    VkSetDescriptorBufferOffsetsInfoEXT info = *pSetDescriptorBufferOffsetsInfo;
    if (command && command->app_descriptors) {
        for (uint32_t p = 0; p < POINT_COUNT; p++) {
            if (info.stageFlags & point_stages(p))
                set_offsets(command, p, info.firstSet, info.setCount, info.pBufferIndices, info.pOffsets);
        }
        info.layout = driver_layout(command, info.layout, info.pNext);
        if (info.layout)
            info.pNext = NULL; /* a layout is all that it may have */
    }
    device_of(commandBuffer)->next.CmdSetDescriptorBufferOffsets2EXT(commandBuffer, &info);
}

static void pushed(struct command *command, uint32_t offset, uint32_t size, const void *values)
{
    if (!command || !command->app_descriptors)
        return;
    bound_pushed_over_others(command, BINDING_BUFFERS);
    if (command->device->caps.app_descriptors.buffers)
        bound_keep_behind(command, BINDING_BUFFERS, offset, size, values);
}

/* The driver's stages for those that the program names: all, where the driver's layout has one range for all. */
static VkShaderStageFlags driver_stages(const struct device *device, VkPipelineLayout layout, VkShaderStageFlags stages)
{
    if (!device->caps.app_descriptors.buffers)
        return stages;
    const struct pipeline_layout *known =
        device->caps.app_descriptors.late_root ? pipeline_layout_find(device->track, layout) : NULL;
    return known && !known->rooted ? stages : VK_SHADER_STAGE_ALL;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                                 VkShaderStageFlags stageFlags, uint32_t offset, uint32_t size,
                                                 const void *pValues)
{
    struct command *command = command_of(commandBuffer);
    const struct device *device = device_of(commandBuffer);
    pushed(command, offset, size, pValues);
    device->next.CmdPushConstants(commandBuffer, layout, driver_stages(device, layout, stageFlags), offset, size,
                                  pValues);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPushConstants2KHR(VkCommandBuffer commandBuffer,
                                                     const VkPushConstantsInfoKHR *pPushConstantsInfo)
{
    struct command *command = command_of(commandBuffer);
    const struct device *device = device_of(commandBuffer);
    VkPushConstantsInfoKHR info = *pPushConstantsInfo;
    pushed(command, info.offset, info.size, info.pValues);
    if (command && command->app_descriptors) {
        info.layout = driver_layout(command, info.layout, info.pNext);
        if (info.layout)
            info.pNext = NULL;
    }
    info.stageFlags = driver_stages(device, info.layout, info.stageFlags);
    device->next.CmdPushConstants2KHR(commandBuffer, &info);
}
