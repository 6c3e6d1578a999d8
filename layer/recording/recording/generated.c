/* SPDX-License-Identifier: MIT */
/*
 * Commands that the device generates (VK_EXT_device_generated_commands, VK_NV_device_generated_commands). Pipelines and
 * shaders in execution sets, and those with shader groups, were created in their fixed tier, so their handles are
 * passed on. Other pipelines and shaders are bound in the fixed tier when the commands are executed, and structures
 * that name them get the bound handles, because memory requirements, preprocessing and execution must name the same
 * pipeline.
 */
#include "commands/command_buffer.h"
#include "device/device.h"
#include "newer_vulkan.h"
#include "objects/track.h"
#include "pipelines/pipelines.h"
#include "pipelines/tiers.h"
#include "recording/recording.h"
#include "shader_objects/shader_objects.h"

/*
 * The driver's pipeline that generated commands use; the program's where it cannot be made; the draw sets
 * command->error.
 */
static VkPipeline driver_pipeline(struct track *track, VkPipeline handle)
{
    struct pipeline *pipeline = handle ? pipeline_find(track, handle) : NULL;
    VkResult ignored;
    if (!pipeline || pipeline->fixed)
        return handle;
    const VkPipeline for_driver =
        pipeline_tier(track, pipeline, fixed_tier(track, pipeline->follows), 0, TIER_AT_DRAW, &ignored);
    return for_driver ? for_driver : handle;
}

/* Structures that may be in the chains of VK_EXT_device_generated_commands, with the driver's handles. */
struct generated_chain {
    VkGeneratedCommandsPipelineInfoEXT pipeline;
    VkGeneratedCommandsShaderInfoEXT shaders;
    VkShaderEXT handles[BOUND_SHADERS];
};

/* As draws bind them: all in the highest tier that one of them has (draw.c). */
static void driver_shaders(struct track *track, VkGeneratedCommandsShaderInfoEXT *info, VkShaderEXT *handles)
{
    uint32_t follows = 0, tier = 0;
    if (info->shaderCount > BOUND_SHADERS)
        return; /* more than there are stages */
    for (uint32_t i = 0; i < info->shaderCount; i++) {
        const struct shader_object *object = shader_object_find(track, info->pShaders[i]);
        if (object)
            shader_object_requires(object, &follows, &tier);
    }
    const uint32_t chosen = fixed_tier(track, follows);
    if (chosen > tier)
        tier = chosen;
    for (uint32_t i = 0; i < info->shaderCount; i++) {
        struct shader_object *object = shader_object_find(track, info->pShaders[i]);
        VkResult ignored;
        handles[i] = object ? shader_object_bound(track, object, tier, &ignored) : info->pShaders[i];
    }
    info->pShaders = handles;
}

/*
 * A chain with the driver's handles in the place of the program's. `bound`, if not VK_NULL_HANDLE, is the driver's
 * pipeline of the handle `program`. No other structures may be in such chains; a structure behind an unknown one is not
 * changed.
 */
static const void *driver_chain(struct track *track, const void *chain, VkPipeline program, VkPipeline bound,
                                struct generated_chain *copy)
{
    const void *first = chain;
    const VkBaseInStructure *node = chain;
    void **link = NULL;
    while (node) {
        void *copied, **next;
        if (node->sType == VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT) {
            copy->pipeline = *(const VkGeneratedCommandsPipelineInfoEXT *)(const void *)node;
            copy->pipeline.pipeline =
                bound && copy->pipeline.pipeline == program ? bound : driver_pipeline(track, copy->pipeline.pipeline);
            copied = &copy->pipeline;
            next = &copy->pipeline.pNext;
        } else if (node->sType == VK_STRUCTURE_TYPE_GENERATED_COMMANDS_SHADER_INFO_EXT) {
            copy->shaders = *(const VkGeneratedCommandsShaderInfoEXT *)(const void *)node;
            driver_shaders(track, &copy->shaders, copy->handles);
            copied = &copy->shaders;
            next = &copy->shaders.pNext;
        } else {
            break;
        }
        if (link)
            *link = copied;
        else
            first = copied;
        link = next;
        node = node->pNext;
    }
    return first;
}

VKAPI_ATTR void VKAPI_CALL hook_GetGeneratedCommandsMemoryRequirementsEXT(
    VkDevice handle, const VkGeneratedCommandsMemoryRequirementsInfoEXT *pInfo,
    VkMemoryRequirements2 *pMemoryRequirements)
{
    struct device *device = device_of(handle);
    struct generated_chain chain;
    VkGeneratedCommandsMemoryRequirementsInfoEXT info = *pInfo;
    info.pNext = driver_chain(device->track, pInfo->pNext, VK_NULL_HANDLE, VK_NULL_HANDLE, &chain);
    device->next.GetGeneratedCommandsMemoryRequirementsEXT(handle, &info, pMemoryRequirements);
}

/* The bind point of commands with these stages. */
static uint32_t point_of_commands(VkShaderStageFlags stages)
{
    for (uint32_t point = POINT_COMPUTE; point < POINT_COUNT; point++) {
        if (stages & point_stages(point))
            return point;
    }
    return POINT_GRAPHICS;
}

/* Binds the tier of generated commands, and names the bound pipeline in *info. False: nothing can be recorded. */
static bool bind_generated(struct command *state, VkGeneratedCommandsInfoEXT *info, struct generated_chain *chain)
{
    struct bind_point *point = &state->points[point_of_commands(info->shaderStages)];
    if (!draw_prepare(state, point, true))
        return false;
    info->pNext = driver_chain(state->track, info->pNext, point->pipeline ? point->pipeline->handle : VK_NULL_HANDLE,
                               point->driver.pipeline, chain);
    return true;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdExecuteGeneratedCommandsEXT(VkCommandBuffer commandBuffer, VkBool32 isPreprocessed,
                                                               const VkGeneratedCommandsInfoEXT *pInfo)
{
    struct command *command = command_of(commandBuffer);
    struct generated_chain chain;
    VkGeneratedCommandsInfoEXT info = *pInfo;
    if (command && !bind_generated(command, &info, &chain))
        return; /* vkEndCommandBuffer returns it */
    if (command)
        command->draws[command->points[point_of_commands(info.shaderStages)].driver.tier]++;
    device_of(commandBuffer)->next.CmdExecuteGeneratedCommandsEXT(commandBuffer, isPreprocessed, &info);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPreprocessGeneratedCommandsEXT(VkCommandBuffer commandBuffer,
                                                                  const VkGeneratedCommandsInfoEXT *pInfo,
                                                                  VkCommandBuffer stateCommandBuffer)
{
    struct command *state = command_of(stateCommandBuffer);
    struct generated_chain chain;
    VkGeneratedCommandsInfoEXT info = *pInfo;
    if (state && !bind_generated(state, &info, &chain))
        return;
    device_of(commandBuffer)->next.CmdPreprocessGeneratedCommandsEXT(commandBuffer, &info, stateCommandBuffer);
}

/* ---- NVIDIA's own extension ---- */

VKAPI_ATTR void VKAPI_CALL
hook_GetGeneratedCommandsMemoryRequirementsNV(VkDevice handle, const VkGeneratedCommandsMemoryRequirementsInfoNV *pInfo,
                                              VkMemoryRequirements2 *pMemoryRequirements)
{
    struct device *device = device_of(handle);
    VkGeneratedCommandsMemoryRequirementsInfoNV info = *pInfo;
    info.pipeline = driver_pipeline(device->track, pInfo->pipeline);
    device->next.GetGeneratedCommandsMemoryRequirementsNV(handle, &info, pMemoryRequirements);
}

/* The same as bind_generated. The pipeline need not be bound yet where commands are preprocessed. */
static bool bind_generated_nv(struct command *command, VkGeneratedCommandsInfoNV *info)
{
    struct bind_point *point = &command->points[point_of(info->pipelineBindPoint)];
    if (!draw_prepare(command, point, true))
        return false;
    const bool is_bound = point->pipeline && point->pipeline->handle == info->pipeline;
    info->pipeline = is_bound ? point->driver.pipeline : driver_pipeline(command->track, info->pipeline);
    return true;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdExecuteGeneratedCommandsNV(VkCommandBuffer commandBuffer, VkBool32 isPreprocessed,
                                                              const VkGeneratedCommandsInfoNV *pInfo)
{
    struct command *command = command_of(commandBuffer);
    VkGeneratedCommandsInfoNV info = *pInfo;
    if (command && !bind_generated_nv(command, &info))
        return; /* vkEndCommandBuffer returns it */
    /* info->pipeline is VK_NULL_HANDLE where the GPU binds pipelines by their addresses: those have a fixed tier. */
    if (command)
        command->draws[info.pipeline ? command->points[point_of(info.pipelineBindPoint)].driver.tier
                                     : fixed_tier(command->track, UINT32_MAX)]++;
    device_of(commandBuffer)->next.CmdExecuteGeneratedCommandsNV(commandBuffer, isPreprocessed, &info);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdPreprocessGeneratedCommandsNV(VkCommandBuffer commandBuffer,
                                                                 const VkGeneratedCommandsInfoNV *pInfo)
{
    struct command *command = command_of(commandBuffer);
    VkGeneratedCommandsInfoNV info = *pInfo;
    if (command && !bind_generated_nv(command, &info))
        return;
    device_of(commandBuffer)->next.CmdPreprocessGeneratedCommandsNV(commandBuffer, &info);
}
