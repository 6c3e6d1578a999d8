/* SPDX-License-Identifier: MIT */
/*
 * Layouts of device-generated commands (VK_EXT_device_generated_commands): the push constants of an execution set's
 * shader objects, and the pipeline layout in the chain of an indirect commands layout. Both must match the driver's
 * shaders and layouts, whose push constants the layer has widened for the root table (layouts_rooted).
 */
#include "device/device.h"
#include "layouts/layouts.h"
#include "layouts/pipeline_layout.h"
#include "newer_vulkan.h"
#include "objects/track.h"
#include "shader_objects/shader_objects.h"

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateIndirectExecutionSetEXT(
    VkDevice handle, const VkIndirectExecutionSetCreateInfoEXT *pCreateInfo, const VkAllocationCallbacks *pAllocator,
    VkIndirectExecutionSetEXT *pIndirectExecutionSet)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    VkIndirectExecutionSetCreateInfoEXT info = *pCreateInfo;
    VkIndirectExecutionSetShaderInfoEXT shaders;
    if (info.type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT) {
        bool rooted = false;
        shaders = *info.info.pShaderInfo;
        for (uint32_t i = 0; i < shaders.shaderCount; i++) {
            const struct shader_object *object = shader_object_find(track, shaders.pInitialShaders[i]);
            rooted |= object && object->rooted;
        }
        if (rooted) {
            shaders.pushConstantRangeCount = 1;
            shaders.pPushConstantRanges = &track->layouts->pushes;
        }
        info.info.pShaderInfo = &shaders;
    }
    return device->next.CreateIndirectExecutionSetEXT(handle, &info, pAllocator, pIndirectExecutionSet);
}

/* Nothing else is known to be in such chains; a layout behind an unknown structure is not changed. */
VKAPI_ATTR VkResult VKAPI_CALL hook_CreateIndirectCommandsLayoutEXT(
    VkDevice handle, const VkIndirectCommandsLayoutCreateInfoEXT *pCreateInfo, const VkAllocationCallbacks *pAllocator,
    VkIndirectCommandsLayoutEXT *pIndirectCommandsLayout)
{
    struct device *device = device_of(handle);
    VkIndirectCommandsLayoutCreateInfoEXT info = *pCreateInfo;
    const VkBaseInStructure *first = info.pNext;
    VkPipelineLayoutCreateInfo layout;
    if (!info.pipelineLayout && first && first->sType == VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO) {
        layout = pipeline_layout_driver(device->track, info.pNext, layouts_rooted(device->track));
        info.pNext = &layout;
    }
    return device->next.CreateIndirectCommandsLayoutEXT(handle, &info, pAllocator, pIndirectCommandsLayout);
}
