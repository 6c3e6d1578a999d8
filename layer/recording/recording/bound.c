/* SPDX-License-Identifier: MIT */
/*
 * Bindings of application-managed descriptors, and root tables. vkCmdBindDescriptorBuffersEXT,
 * vkCmdSetDescriptorBufferOffsets{,2}EXT and vkCmdPushConstants{,2}: all pipeline layouts have one range of push
 * constants for all stages (layouts/pipeline_layout.c), so that what is pushed is for all.
 */
#include "recording/bound.h"

#include <string.h>

#include "commands/ring.h"
#include "device/device.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "newer_vulkan.h"
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
    return sizeof(struct bound_state) + addresses(command) * sizeof(VkDeviceAddress);
}

bool bound_init(struct command *command)
{
    if (!command->device->caps.app_descriptors.buffers && !command->device->caps.app_descriptors.heaps)
        return true;
    command->app_descriptors = object_alloc(command->track, NULL, state_bytes(command));
    if (!command->app_descriptors)
        return false;
    command->app_descriptors->buffers = (VkDeviceAddress *)(command->app_descriptors + 1);
    for (uint32_t p = 0; p < POINT_COUNT; p++)
        command->app_descriptors->points[p].sets =
            command->app_descriptors->buffers + BUFFERS_MOST + p * command->set_limit;
    return true;
}

void bound_reset(struct command *command)
{
    struct bound_state *app_descriptors = command->app_descriptors;
    if (!app_descriptors)
        return;
    memset(app_descriptors->buffers, 0, addresses(command) * sizeof(VkDeviceAddress));
    memset(app_descriptors->heaps, 0, sizeof(app_descriptors->heaps));
    memset(app_descriptors->pushes_behind, 0, sizeof(app_descriptors->pushes_behind));
    app_descriptors->buffer_count = 0;
    app_descriptors->heap_root = 0;
    app_descriptors->pushed_data = 0;
    app_descriptors->filled = false;
    bound_forget_pushed(command);
    for (uint32_t p = 0; p < POINT_COUNT; p++) {
        app_descriptors->points[p].root = 0;
        app_descriptors->points[p].stale = false;
    }
}

void bound_finish(struct command *command)
{
    object_free(command->track, NULL, command->app_descriptors, state_bytes(command));
}

/*
 * Shaders load whole words. Descriptors that are not aligned to words are not valid; their record indices are read from
 * the words that they begin in.
 */
static VkDeviceAddress whole_word(const struct command *command, VkDeviceAddress address, const char *what)
{
    static struct message_place said;
    if (address % sizeof(uint32_t) == 0)
        return address;
    message_about_once(
        &said, command->device, LOG_ERROR, ABOUT({VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle)}),
        "%s at 0x%llx is not aligned: records of its descriptors are not found, and samplers do what the "
        "driver's do",
        what, (unsigned long long)address);
    return address - address % sizeof(uint32_t);
}

/* The pushed address of the root table was overwritten: draws push it again. */
static void pushed_over(struct command *command, enum bound_way way)
{
    if (!command->app_descriptors->pushed[way])
        return;
    command->app_descriptors->pushed[way] = 0;
    for (uint32_t p = 0; p < POINT_COUNT; p++)
        command->points[p].dirty = BIND_CHANGED;
}

static void bind_heap(struct command *command, uint32_t which, const VkBindHeapInfoEXT *info)
{
    struct bound_state *app_descriptors = command ? command->app_descriptors : NULL;
    const VkDeviceSize words = info->heapRange.size / sizeof(uint32_t);
    const VkDeviceSize reachable = words < UINT32_MAX ? words : UINT32_MAX;
    if (!app_descriptors)
        return;
    /*
     * Commands of sets, descriptor buffers and push constants invalidate heaps and push data, and the other way round.
     * The program binds and pushes again what it needs, and so does the layer.
     */
    pushed_over(command, APP_IN_HEAPS);
    pushed_over(command, APP_IN_BUFFERS);
    app_descriptors->filled = false;
    const VkDeviceAddress address = whole_word(command, info->heapRange.address, "a descriptor heap");
    if (app_descriptors->heaps[which] == address && app_descriptors->heaps[ROOT_WORDS_OF(which)] == reachable)
        return;
    app_descriptors->heaps[which] = address;
    app_descriptors->heaps[ROOT_WORDS_OF(which)] = reachable;
    app_descriptors->heap_root = 0;
    for (uint32_t p = 0; p < POINT_COUNT; p++)
        command->points[p].dirty = BIND_CHANGED;
}

void bound_inherit(struct command *command, const void *chain)
{
    const VkCommandBufferInheritanceDescriptorHeapInfoEXT *heaps =
        pnext_find(chain, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT);
    if (heaps && heaps->pSamplerHeapBindInfo)
        bind_heap(command, ROOT_SAMPLER_HEAP, heaps->pSamplerHeapBindInfo);
    if (heaps && heaps->pResourceHeapBindInfo)
        bind_heap(command, ROOT_RESOURCE_HEAP, heaps->pResourceHeapBindInfo);
}

/* ---- Roots ---- */

/*
 * Writes a root table with these bases, of which the first `places` are addresses; 0, with command->error set: out of
 * memory. Shaders may also read bases that are not bound, without using the value, so those get the address of zeros.
 */
static VkDeviceAddress write_root(struct command *command, const VkDeviceAddress *bases, uint32_t count,
                                  uint32_t places)
{
    struct ring_piece piece;
    const size_t bytes = count * sizeof(*bases);
    if (!ring_acquire(command, (uint32_t)(sizeof(struct root) + bytes), &piece))
        return 0;
    struct root *root = piece.mapped;
    const struct record_table *table = command->track->record_table;
    root->table = record_table_address(table);
    for (uint32_t i = 0; i < count; i++)
        root->bases[i] = i < places && !bases[i] ? record_table_zeros(table) : bases[i];
    return piece.address;
}

/* All bind points share the push constants: the other way's address, and other bind points' draws, must push again. */
static void pushed_root(struct command *command, uint32_t index, enum bound_way way, VkDeviceAddress root)
{
    bound_forget_pushed(command);
    command->app_descriptors->pushed[way] = root;
    for (uint32_t p = 0; p < POINT_COUNT; p++) {
        if (p != index)
            command->points[p].dirty = BIND_CHANGED;
    }
}

static bool flush_buffers(struct command *command, uint32_t index)
{
    struct bound_state *app_descriptors = command->app_descriptors;
    struct bound_point *point = &app_descriptors->points[index];
    if (point->stale || !point->root) {
        point->root = write_root(command, point->sets, command->set_limit, command->set_limit);
        point->stale = !point->root;
    }
    if (!point->root || app_descriptors->pushed[APP_IN_BUFFERS] == point->root)
        return point->root;
    command->device->next.CmdPushConstants(command->handle, command->track->layouts->push_layout, VK_SHADER_STAGE_ALL,
                                           command->device->caps.app_descriptors.root_at, sizeof(point->root),
                                           &point->root);
    pushed_root(command, index, APP_IN_BUFFERS, point->root);
    return true;
}

/* Push data is `pushed_data` bits of so many bytes. */
static uint32_t bytes_of_bit(const struct device *device)
{
    return (device->caps.app_descriptors.heap_root_at / PUSHED_DATA_BITS / 4 + 1) * 4;
}

/* Of the bytes that lie in front of the root. */
static uint64_t pushed_data_bits(const struct device *device, uint32_t offset, size_t size)
{
    const uint32_t unit = bytes_of_bit(device), root_at = device->caps.app_descriptors.heap_root_at;
    const size_t end = offset + size < root_at ? offset + size : root_at;
    uint64_t bits = 0;
    for (size_t bit = offset / unit; bit * unit < end; bit++)
        bits |= UINT64_C(1) << bit;
    return bits;
}

static void push_data(const struct command *command, uint32_t offset, const void *data, size_t size)
{
    const VkPushDataInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .offset = offset, .data = {data, size}};
    command->device->next.CmdPushDataEXT(command->handle, &info);
}

/*
 * Pushes zeros for the bytes between the program's push data and the root table's address, before that address is
 * pushed for the first time after a binding of heaps. No shader reads it, but validation layers take blocks for read
 * from their first to their last member (VUID-vkCmdDraw-None-11376), and the root is one.
 */
static void fill_push_data(struct command *command)
{
    static const unsigned char zeros[PUSHED_DATA_BITS * sizeof(uint32_t)];
    struct bound_state *app_descriptors = command->app_descriptors;
    const uint32_t unit = bytes_of_bit(command->device), root_at = command->device->caps.app_descriptors.heap_root_at;
    for (uint32_t at = 0; at < root_at;) {
        uint32_t end = at;
        while (end < root_at && end - at + unit <= sizeof(zeros) && !(app_descriptors->pushed_data >> end / unit & 1))
            end += unit;
        end = end < root_at ? end : root_at;
        if (end > at)
            push_data(command, at, zeros, end - at);
        at = end > at ? end : at + unit;
    }
    app_descriptors->filled = true;
}

static bool flush_heaps(struct command *command, uint32_t index)
{
    struct bound_state *app_descriptors = command->app_descriptors;
    if (!app_descriptors->heap_root)
        app_descriptors->heap_root = write_root(command, app_descriptors->heaps, ROOT_HEAPS, ROOT_RESOURCE_WORDS);
    if (!app_descriptors->heap_root || app_descriptors->pushed[APP_IN_HEAPS] == app_descriptors->heap_root)
        return app_descriptors->heap_root;
    if (!app_descriptors->filled)
        fill_push_data(command);
    push_data(command, command->device->caps.app_descriptors.heap_root_at, &app_descriptors->heap_root,
              sizeof(app_descriptors->heap_root));
    pushed_root(command, index, APP_IN_HEAPS, app_descriptors->heap_root);
    return true;
}

void bound_restore(struct command *command)
{
    struct bound_state *app_descriptors = command->app_descriptors;
    const struct device *device = command->device;
    if (app_descriptors->pushed[APP_IN_BUFFERS] && app_descriptors->pushes_behind[APP_IN_BUFFERS]) {
        device->next.CmdPushConstants(command->handle, command->track->layouts->push_layout, VK_SHADER_STAGE_ALL,
                                      device->caps.app_descriptors.root_at, sizeof(app_descriptors->behind[0]),
                                      &app_descriptors->behind[APP_IN_BUFFERS]);
        pushed_over(command, APP_IN_BUFFERS);
    }
    if (app_descriptors->pushed[APP_IN_HEAPS] && app_descriptors->pushes_behind[APP_IN_HEAPS]) {
        push_data(command, device->caps.app_descriptors.heap_root_at, &app_descriptors->behind[APP_IN_HEAPS],
                  sizeof(app_descriptors->behind[0]));
        pushed_over(command, APP_IN_HEAPS);
    }
}

bool bound_flush(struct command *command, struct bind_point *point, enum bound_way way)
{
    const uint32_t index = (uint32_t)(point - command->points);
    if (!command->app_descriptors)
        return true;
    return way == APP_IN_HEAPS ? flush_heaps(command, index) : flush_buffers(command, index);
}

/* ---- Hooks ---- */

VKAPI_ATTR void VKAPI_CALL hook_CmdBindDescriptorBuffersEXT(VkCommandBuffer commandBuffer, uint32_t bufferCount,
                                                            const VkDescriptorBufferBindingInfoEXT *pBindingInfos)
{
    struct command *command = command_of(commandBuffer);
    if (command && command->app_descriptors) {
        command->app_descriptors->buffer_count = bufferCount < BUFFERS_MOST ? bufferCount : BUFFERS_MOST;
        for (uint32_t i = 0; i < command->app_descriptors->buffer_count; i++)
            command->app_descriptors->buffers[i] = pBindingInfos[i].address;
    }
    device_of(commandBuffer)->next.CmdBindDescriptorBuffersEXT(commandBuffer, bufferCount, pBindingInfos);
}

static void set_offsets(struct command *command, uint32_t point_index, uint32_t first, uint32_t count,
                        const uint32_t *buffers, const VkDeviceSize *offsets)
{
    struct bound_state *app_descriptors = command->app_descriptors;
    struct bound_point *point = &app_descriptors->points[point_index];
    const uint32_t end = first < command->set_limit ? command->set_limit - first : 0;
    for (uint32_t i = 0; i < count && i < end; i++) {
        const VkDeviceAddress base =
            buffers[i] < app_descriptors->buffer_count ? app_descriptors->buffers[buffers[i]] : 0;
        const VkDeviceAddress at = base ? whole_word(command, base + offsets[i], "a set in a descriptor buffer") : 0;
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

/*
 * Saves what the program pushes at the place of the root table's address, for draws that read no records
 * (docs/limits.md).
 */
static void keep_behind(struct command *command, enum bound_way way, uint32_t root_at, uint32_t offset, uint32_t size,
                        const void *values)
{
    struct bound_state *app_descriptors = command->app_descriptors;
    const uint32_t root_end = root_at + (uint32_t)sizeof(app_descriptors->behind[0]);
    const uint32_t first = offset > root_at ? offset : root_at;
    const uint32_t end = offset + size < root_end ? offset + size : root_end;
    if (first >= end)
        return;
    memcpy((char *)&app_descriptors->behind[way] + (first - root_at), (const char *)values + (first - offset),
           end - first);
    app_descriptors->pushes_behind[way] = true;
    pushed_over(command, way);
}

static void pushed(struct command *command, uint32_t offset, uint32_t size, const void *values)
{
    if (!command || !command->app_descriptors)
        return;
    pushed_over(command, APP_IN_HEAPS);
    if (command->device->caps.app_descriptors.buffers)
        keep_behind(command, APP_IN_BUFFERS, command->device->caps.app_descriptors.root_at, offset, size, values);
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

VKAPI_ATTR void VKAPI_CALL hook_CmdBindSamplerHeapEXT(VkCommandBuffer commandBuffer, const VkBindHeapInfoEXT *pBindInfo)
{
    bind_heap(command_of(commandBuffer), ROOT_SAMPLER_HEAP, pBindInfo);
    device_of(commandBuffer)->next.CmdBindSamplerHeapEXT(commandBuffer, pBindInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBindResourceHeapEXT(VkCommandBuffer commandBuffer,
                                                       const VkBindHeapInfoEXT *pBindInfo)
{
    bind_heap(command_of(commandBuffer), ROOT_RESOURCE_HEAP, pBindInfo);
    device_of(commandBuffer)->next.CmdBindResourceHeapEXT(commandBuffer, pBindInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPushDataEXT(VkCommandBuffer commandBuffer, const VkPushDataInfoEXT *pPushDataInfo)
{
    struct command *command = command_of(commandBuffer);
    const struct device *device = device_of(commandBuffer);
    if (command && command->app_descriptors) {
        pushed_over(command, APP_IN_BUFFERS);
        command->app_descriptors->pushed_data |=
            pushed_data_bits(device, pPushDataInfo->offset, pPushDataInfo->data.size);
        keep_behind(command, APP_IN_HEAPS, device->caps.app_descriptors.heap_root_at, pPushDataInfo->offset,
                    (uint32_t)pPushDataInfo->data.size, pPushDataInfo->data.address);
    }
    device->next.CmdPushDataEXT(commandBuffer, pPushDataInfo);
}
