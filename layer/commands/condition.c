/* SPDX-License-Identifier: MIT */
/*
 * Conditional rendering. What the layer draws and dispatches by itself must not obey the program's condition: blits and
 * load operations, which it stands for, do not.
 */
#include "commands/command_buffer.h"
#include "device/device.h"
#include "objects/track.h"

void condition_suspend(const struct command *command)
{
    if (command->conditional.buffer)
        command->device->next.CmdEndConditionalRenderingEXT(command->handle);
}

void condition_resume(const struct command *command)
{
    if (command->conditional.buffer)
        command->device->next.CmdBeginConditionalRenderingEXT(command->handle, &command->conditional);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginConditionalRenderingEXT(
    VkCommandBuffer commandBuffer, const VkConditionalRenderingBeginInfoEXT *pConditionalRenderingBegin)
{
    struct command *command = command_of(commandBuffer);
    if (command) {
        command->conditional = *pConditionalRenderingBegin;
        command->conditional.pNext = NULL;
    }
    device_of(commandBuffer)->next.CmdBeginConditionalRenderingEXT(commandBuffer, pConditionalRenderingBegin);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdEndConditionalRenderingEXT(VkCommandBuffer commandBuffer)
{
    struct command *command = command_of(commandBuffer);
    if (command)
        command->conditional.buffer = VK_NULL_HANDLE;
    device_of(commandBuffer)->next.CmdEndConditionalRenderingEXT(commandBuffer);
}
