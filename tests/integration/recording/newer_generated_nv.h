/* SPDX-License-Identifier: MIT */
/* VK_NV_device_generated_commands_compute for headers that are older: what programs use, beside what the layer
 * declares. */
#ifndef CLAMPLER_INTEGRATION_NEWER_GENERATED_NV_H
#define CLAMPLER_INTEGRATION_NEWER_GENERATED_NV_H

#include "newer_vulkan.h"

#ifndef VK_NV_DEVICE_GENERATED_COMMANDS_COMPUTE_SPEC_VERSION
#define VK_NV_DEVICE_GENERATED_COMMANDS_COMPUTE_EXTENSION_NAME "VK_NV_device_generated_commands_compute"
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_COMPUTE_FEATURES_NV ((VkStructureType)1000428000)
#define VK_STRUCTURE_TYPE_PIPELINE_INDIRECT_DEVICE_ADDRESS_INFO_NV ((VkStructureType)1000428002)
#define VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV ((VkIndirectCommandsTokenTypeNV)1000428003)
#define VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_NV ((VkIndirectCommandsTokenTypeNV)1000428004)
typedef struct VkPipelineIndirectDeviceAddressInfoNV {
    VkStructureType sType;
    const void *pNext;
    VkPipelineBindPoint pipelineBindPoint;
    VkPipeline pipeline;
} VkPipelineIndirectDeviceAddressInfoNV;
typedef void(VKAPI_PTR *PFN_vkCmdUpdatePipelineIndirectBufferNV)(VkCommandBuffer commandBuffer,
                                                                 VkPipelineBindPoint pipelineBindPoint,
                                                                 VkPipeline pipeline);
typedef VkDeviceAddress(VKAPI_PTR *PFN_vkGetPipelineIndirectDeviceAddressNV)(
    VkDevice device, const VkPipelineIndirectDeviceAddressInfoNV *pInfo);
#endif

#endif
