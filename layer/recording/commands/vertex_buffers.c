/* SPDX-License-Identifier: MIT */
/*
 * Strides of vertex buffers, as vkCmdBindVertexBuffers2 and …3KHR set them: dynamic state that only comes with a buffer
 * (VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE). A pipeline of the layer's own cannot have this state dynamic: its
 * draws would need strides that the program may not have set (VUID-vkCmdDraw-pStrides-04913). So the bindings are
 * saved, and those with a stride are bound again afterwards.
 */
#include "commands/command_buffer.h"
#include "commands/dynamic_state.h"
#include "device/device.h"
#include "objects/track.h"

/* Places for `count` buffers from `first` on, or NULL. */
static struct bound_vertices *places(VkCommandBuffer handle, uint32_t first, uint32_t count)
{
    struct command *command = command_of(handle);
    struct dynamic_values *array = command && command->dynamic && count
                                       ? dynamic_values(command, VALUES_VERTEX_BUFFERS, (uint64_t)first + count)
                                       : NULL;
    if (!array)
        return NULL;
    array->end = array->end > first + count ? array->end : first + count;
    return (struct bound_vertices *)array->values + first;
}

/* The stride stays what it is. */
VKAPI_ATTR void VKAPI_CALL hook_CmdBindVertexBuffers(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                     uint32_t bindingCount, const VkBuffer *pBuffers,
                                                     const VkDeviceSize *pOffsets)
{
    struct bound_vertices *bound = places(commandBuffer, firstBinding, bindingCount);
    for (uint32_t i = 0; bound && i < bindingCount; i++) {
        bound[i].by_address = false;
        bound[i].buffer = pBuffers[i];
        bound[i].offset = pOffsets[i];
        bound[i].size = VK_WHOLE_SIZE;
    }
    device_of(commandBuffer)->next.CmdBindVertexBuffers(commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBindVertexBuffers2(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                      uint32_t bindingCount, const VkBuffer *pBuffers,
                                                      const VkDeviceSize *pOffsets, const VkDeviceSize *pSizes,
                                                      const VkDeviceSize *pStrides)
{
    struct bound_vertices *bound = places(commandBuffer, firstBinding, bindingCount);
    for (uint32_t i = 0; bound && i < bindingCount; i++) {
        bound[i].by_address = false;
        bound[i].buffer = pBuffers[i];
        bound[i].offset = pOffsets[i];
        bound[i].size = pSizes ? pSizes[i] : VK_WHOLE_SIZE;
        if (pStrides) {
            bound[i].strided = true;
            bound[i].stride = pStrides[i];
        }
    }
    device_of(commandBuffer)
        ->next.CmdBindVertexBuffers2(commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets, pSizes, pStrides);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBindVertexBuffers3KHR(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                         uint32_t bindingCount,
                                                         const VkBindVertexBuffer3InfoKHR *pBindingInfos)
{
    struct bound_vertices *bound = places(commandBuffer, firstBinding, bindingCount);
    for (uint32_t i = 0; bound && i < bindingCount; i++) {
        bound[i].by_address = true;
        bound[i].info = pBindingInfos[i];
        bound[i].info.pNext = NULL;
        if (pBindingInfos[i].setStride) {
            bound[i].strided = true;
            bound[i].stride = pBindingInfos[i].addressRange.stride;
        }
    }
    device_of(commandBuffer)->next.CmdBindVertexBuffers3KHR(commandBuffer, firstBinding, bindingCount, pBindingInfos);
}

void vertex_buffers_forget_strides(struct dynamic_state *state)
{
    struct dynamic_values *array = &state->arrays[VALUES_VERTEX_BUFFERS];
    for (uint32_t i = 0; i < array->end; i++)
        ((struct bound_vertices *)array->values)[i].strided = false;
}

void vertex_buffers_restore(struct command *command)
{
    const struct dynamic_values *array = &command->dynamic->arrays[VALUES_VERTEX_BUFFERS];
    const struct device_dispatch *next = &command->device->next;
    for (uint32_t i = 0; i < array->end; i++) {
        const struct bound_vertices *bound = (const struct bound_vertices *)array->values + i;
        VkBindVertexBuffer3InfoKHR info = bound->info;
        info.setStride = VK_TRUE;
        info.addressRange.stride = bound->stride;
        if (!bound->strided)
            continue;
        if (bound->by_address)
            next->CmdBindVertexBuffers3KHR(command->handle, i, 1, &info);
        else
            next->CmdBindVertexBuffers2(command->handle, i, 1, &bound->buffer, &bound->offset,
                                        bound->size == VK_WHOLE_SIZE ? NULL : &bound->size, &bound->stride);
    }
}
