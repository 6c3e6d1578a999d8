/* SPDX-License-Identifier: MIT */
/*
 * Descriptor heaps: vkCmdBind{Sampler,Resource}HeapEXT and vkCmdPushDataEXT. One root table, with both heaps, is that
 * of all bind points. Its address lies in push data.
 */
#include <string.h>

#include "commands/command_buffer.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "layouts/pipeline_layout.h"
#include "newer_vulkan.h"
#include "record/root.h"
#include "recording/bound_model.h"

/* Parts of push data: bound_state.pushed_data has a bit for each. */
enum { PUSHED_DATA_BITS = 64 };

static uint32_t heaps_root_at(const struct device *device)
{
    return device->caps.app_descriptors.heap_root_at;
}

static VkDeviceAddress heaps_root(struct command *command, uint32_t index)
{
    struct bound_state *bound = command->app_descriptors;
    (void)index;
    if (!bound->heap_root)
        bound->heap_root = bound_write_root(command, bound->heaps, ROOT_HEAPS, ROOT_RESOURCE_WORDS);
    return bound->heap_root;
}

/* Push data is `pushed_data` bits of so many bytes. */
static uint32_t bytes_of_bit(const struct device *device)
{
    return (heaps_root_at(device) / PUSHED_DATA_BITS / 4 + 1) * 4;
}

/* Of the bytes that lie in front of the root. */
static uint64_t pushed_data_bits(const struct device *device, uint32_t offset, size_t size)
{
    const uint32_t unit = bytes_of_bit(device), end_of_data = heaps_root_at(device);
    const size_t end = offset + size < end_of_data ? offset + size : end_of_data;
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
    struct bound_state *bound = command->app_descriptors;
    const uint32_t unit = bytes_of_bit(command->device), end_of_data = heaps_root_at(command->device);
    for (uint32_t at = 0; at < end_of_data;) {
        uint32_t end = at;
        while (end < end_of_data && end - at + unit <= sizeof(zeros) && !(bound->pushed_data >> end / unit & 1))
            end += unit;
        end = end < end_of_data ? end : end_of_data;
        if (end > at)
            push_data(command, at, zeros, end - at);
        at = end > at ? end : at + unit;
    }
    bound->filled = true;
}

static void heaps_push(struct command *command, const void *bytes)
{
    if (!command->app_descriptors->filled)
        fill_push_data(command);
    push_data(command, heaps_root_at(command->device), bytes, sizeof(VkDeviceAddress));
}

static void heaps_reset(struct command *command)
{
    struct bound_state *bound = command->app_descriptors;
    memset(bound->heaps, 0, sizeof(bound->heaps));
    bound->heap_root = 0;
    bound->pushed_data = 0;
    bound->filled = false;
}

static void bind_heap(struct command *command, uint32_t which, const VkBindHeapInfoEXT *info)
{
    struct bound_state *bound = command ? command->app_descriptors : NULL;
    const VkDeviceSize words = info->heapRange.size / sizeof(uint32_t);
    const VkDeviceSize reachable = words < UINT32_MAX ? words : UINT32_MAX;
    if (!bound)
        return;
    /*
     * Commands of sets, descriptor buffers and push constants invalidate heaps and push data, and the other way round.
     * The program binds and pushes again what it needs, and so does the layer.
     */
    bound_pushed_over_others(command, BINDING_MODELS);
    bound->filled = false;
    const VkDeviceAddress address = bound_whole_word(command, info->heapRange.address, "a descriptor heap");
    if (bound->heaps[which] == address && bound->heaps[ROOT_WORDS_OF(which)] == reachable)
        return;
    bound->heaps[which] = address;
    bound->heaps[ROOT_WORDS_OF(which)] = reachable;
    bound->heap_root = 0;
    bound_changed(command, POINT_COUNT);
}

static void heaps_inherit(struct command *command, const void *chain)
{
    const VkCommandBufferInheritanceDescriptorHeapInfoEXT *heaps =
        pnext_find(chain, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT);
    if (heaps && heaps->pSamplerHeapBindInfo)
        bind_heap(command, ROOT_SAMPLER_HEAP, heaps->pSamplerHeapBindInfo);
    if (heaps && heaps->pResourceHeapBindInfo)
        bind_heap(command, ROOT_RESOURCE_HEAP, heaps->pResourceHeapBindInfo);
}

const struct bound_model bound_in_heaps = {
    .root = heaps_root, .root_at = heaps_root_at, .push = heaps_push, .reset = heaps_reset, .inherit = heaps_inherit};

/* ---- Hooks ---- */

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
        bound_pushed_over_others(command, BINDING_HEAPS);
        command->app_descriptors->pushed_data |=
            pushed_data_bits(device, pPushDataInfo->offset, pPushDataInfo->data.size);
        bound_keep_behind(command, BINDING_HEAPS, pPushDataInfo->offset, (uint32_t)pPushDataInfo->data.size,
                          pPushDataInfo->data.address);
    }
    device->next.CmdPushDataEXT(commandBuffer, pPushDataInfo);
}
