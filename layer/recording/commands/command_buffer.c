/* SPDX-License-Identifier: MIT */
/*
 * Finds the state of a command buffer. Each thread caches the last command buffer that it recorded into; others are
 * looked up in the table of their device.
 */
#include "commands/command_buffer.h"
#include "commands/commands.h"
#include "device/device.h"
#include "objects/table.h"
#include "objects/track.h"
#include "shader_objects/shader_objects.h"

_Atomic(uint64_t) command_epoch = 1;
THREAD_LOCAL struct last_command last_command;

struct command *command_find(VkCommandBuffer handle)
{
    struct command *command = table_find(&device_of(handle)->track->commands->buffers, HANDLE_KEY(handle));
    if (command)
        last_command =
            (struct last_command){handle, command, atomic_load_explicit(&command_epoch, memory_order_relaxed)};
    return command;
}

VkPipelineBindPoint bind_point_of(uint32_t point)
{
    static const VkPipelineBindPoint points[POINT_COUNT] = {
        [POINT_GRAPHICS] = VK_PIPELINE_BIND_POINT_GRAPHICS,
        [POINT_COMPUTE] = VK_PIPELINE_BIND_POINT_COMPUTE,
        [POINT_RAY_TRACING] = VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
        [POINT_SUBPASS_SHADING] = VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI,
        [POINT_OTHER] = VK_PIPELINE_BIND_POINT_MAX_ENUM,
    };
    return points[point];
}

VkShaderStageFlags point_stages(uint32_t point)
{
    static const VkShaderStageFlags stages[POINT_COUNT] = {
        [POINT_GRAPHICS] = VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_NV | VK_SHADER_STAGE_MESH_BIT_NV |
                           VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI,
        [POINT_COMPUTE] = VK_SHADER_STAGE_COMPUTE_BIT,
        [POINT_RAY_TRACING] = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
                              VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                              VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR,
        [POINT_SUBPASS_SHADING] = VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI,
    };
    return stages[point];
}

/* ---- Shader objects ---- */

void shaders_bound(struct command *command, uint32_t count, const VkShaderStageFlagBits *stages,
                   const VkShaderEXT *shaders)
{
    for (uint32_t i = 0; i < count; i++) {
        const VkShaderEXT shader = shaders ? shaders[i] : VK_NULL_HANDLE;
        uint32_t at = 0;
        while (at < command->shader_count && command->shaders[at].stage != stages[i])
            at++;
        if (at == BOUND_SHADERS)
            continue; /* more stages than there are bits */
        command->shader_count += at == command->shader_count;
        command->shaders[at] = (struct bound_shader){
            stages[i], shader, shader ? shader_object_find(command->track, shader) : NULL, shader};
    }
}

void shaders_unbind(struct command *command, VkShaderStageFlags stages)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < command->shader_count; i++) {
        if (!(command->shaders[i].stage & stages))
            command->shaders[kept++] = command->shaders[i];
    }
    command->shader_count = kept;
}

void shaders_rebind(const struct command *command, VkShaderStageFlags stages)
{
    VkShaderStageFlagBits bits[BOUND_SHADERS];
    VkShaderEXT shaders[BOUND_SHADERS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < command->shader_count; i++) {
        if (!(command->shaders[i].stage & stages))
            continue;
        bits[count] = command->shaders[i].stage;
        shaders[count++] = command->shaders[i].bound;
    }
    if (count)
        command->device->next.CmdBindShadersEXT(command->handle, count, bits, shaders);
}
