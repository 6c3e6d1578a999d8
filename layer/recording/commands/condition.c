/* SPDX-License-Identifier: MIT */
/*
 * Conditional rendering. Draws and dispatches of the layer's own must not obey the program's condition, because the
 * blits and load operations that they replace do not.
 */
#include "commands/command_buffer.h"
#include "device/device.h"
#include "objects/track.h"

void condition_suspend(const struct command *command)
{
    if (command->condition.begun)
        command->device->next.CmdEndConditionalRenderingEXT(command->handle);
}

void condition_resume(const struct command *command)
{
    const struct condition *condition = &command->condition;
    if (condition->begun == CONDITION_IN_BUFFER)
        command->device->next.CmdBeginConditionalRenderingEXT(command->handle, &condition->buffer);
    else if (condition->begun == CONDITION_AT_ADDRESS)
        command->device->next.CmdBeginConditionalRendering2EXT(command->handle, &condition->address);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginConditionalRenderingEXT(
    VkCommandBuffer commandBuffer, const VkConditionalRenderingBeginInfoEXT *pConditionalRenderingBegin)
{
    struct command *command = command_of(commandBuffer);
    if (command) {
        command->condition.begun = CONDITION_IN_BUFFER;
        command->condition.buffer = *pConditionalRenderingBegin;
        command->condition.buffer.pNext = NULL;
    }
    device_of(commandBuffer)->next.CmdBeginConditionalRenderingEXT(commandBuffer, pConditionalRenderingBegin);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginConditionalRendering2EXT(
    VkCommandBuffer commandBuffer, const VkConditionalRenderingBeginInfo2EXT *pConditionalRenderingBegin)
{
    struct command *command = command_of(commandBuffer);
    if (command) {
        command->condition.begun = CONDITION_AT_ADDRESS;
        command->condition.address = *pConditionalRenderingBegin;
        command->condition.address.pNext = NULL;
    }
    device_of(commandBuffer)->next.CmdBeginConditionalRendering2EXT(commandBuffer, pConditionalRenderingBegin);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdEndConditionalRenderingEXT(VkCommandBuffer commandBuffer)
{
    struct command *command = command_of(commandBuffer);
    if (command)
        command->condition.begun = CONDITION_NONE;
    device_of(commandBuffer)->next.CmdEndConditionalRenderingEXT(commandBuffer);
}
