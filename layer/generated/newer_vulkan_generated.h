/* SPDX-License-Identifier: MIT */
/*
 * What is newer than 1.3.239 of commands that the device generates. Part of newer_vulkan.h, which says how.
 */
#ifndef CLAMPLER_NEWER_VULKAN_GENERATED_H
#define CLAMPLER_NEWER_VULKAN_GENERATED_H

#include <vulkan/vulkan_core.h>

#include "newer_vulkan_pipelines.h"

#ifndef VK_NV_device_generated_commands_compute /* whose structure vulkan_copy.h declares, by the same macro */
typedef void(VKAPI_PTR *PFN_vkGetPipelineIndirectMemoryRequirementsNV)(VkDevice device,
                                                                       const VkComputePipelineCreateInfo *pCreateInfo,
                                                                       VkMemoryRequirements2 *pMemoryRequirements);
#endif

#ifndef VK_EXT_device_generated_commands
#define VK_EXT_device_generated_commands 1
#define VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT ((VkStructureType)1000572004)
#define VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT ((VkStructureType)1000572002)
#define VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT ((VkStructureType)1000572013)
#define VK_STRUCTURE_TYPE_GENERATED_COMMANDS_SHADER_INFO_EXT ((VkStructureType)1000572014)
#define VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT 0x00000080
VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkIndirectExecutionSetEXT)
VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkIndirectCommandsLayoutEXT)
typedef struct VkGeneratedCommandsInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkShaderStageFlags shaderStages;
    VkIndirectExecutionSetEXT indirectExecutionSet;
    VkIndirectCommandsLayoutEXT indirectCommandsLayout;
    VkDeviceAddress indirectAddress;
    VkDeviceSize indirectAddressSize;
    VkDeviceAddress preprocessAddress;
    VkDeviceSize preprocessSize;
    uint32_t maxSequenceCount;
    VkDeviceAddress sequenceCountAddress;
    uint32_t maxDrawCount;
} VkGeneratedCommandsInfoEXT;
typedef struct VkGeneratedCommandsMemoryRequirementsInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkIndirectExecutionSetEXT indirectExecutionSet;
    VkIndirectCommandsLayoutEXT indirectCommandsLayout;
    uint32_t maxSequenceCount;
    uint32_t maxDrawCount;
} VkGeneratedCommandsMemoryRequirementsInfoEXT;
typedef struct VkGeneratedCommandsPipelineInfoEXT {
    VkStructureType sType;
    void *pNext;
    VkPipeline pipeline;
} VkGeneratedCommandsPipelineInfoEXT;
typedef struct VkGeneratedCommandsShaderInfoEXT {
    VkStructureType sType;
    void *pNext;
    uint32_t shaderCount;
    const VkShaderEXT *pShaders;
} VkGeneratedCommandsShaderInfoEXT;
typedef void(VKAPI_PTR *PFN_vkGetGeneratedCommandsMemoryRequirementsEXT)(
    VkDevice device, const VkGeneratedCommandsMemoryRequirementsInfoEXT *pInfo,
    VkMemoryRequirements2 *pMemoryRequirements);
typedef void(VKAPI_PTR *PFN_vkCmdPreprocessGeneratedCommandsEXT)(
    VkCommandBuffer commandBuffer, const VkGeneratedCommandsInfoEXT *pGeneratedCommandsInfo,
    VkCommandBuffer stateCommandBuffer);
typedef void(VKAPI_PTR *PFN_vkCmdExecuteGeneratedCommandsEXT)(VkCommandBuffer commandBuffer, VkBool32 isPreprocessed,
                                                              const VkGeneratedCommandsInfoEXT *pGeneratedCommandsInfo);
#endif

#endif
