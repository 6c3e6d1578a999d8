/* SPDX-License-Identifier: MIT */
/*
 * What is newer than 1.3.239 of commands that are recorded: the state that they set and the sets that they bind. Part
 * of newer_vulkan.h, which says how.
 */
#ifndef CLAMPLER_NEWER_VULKAN_COMMANDS_H
#define CLAMPLER_NEWER_VULKAN_COMMANDS_H

#include <vulkan/vulkan_core.h>

#ifndef VK_KHR_dynamic_rendering_local_read
#define VK_KHR_dynamic_rendering_local_read 1
#define VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME "VK_KHR_dynamic_rendering_local_read"
#define VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR ((VkStructureType)1000232001)
#define VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR ((VkStructureType)1000232002)
typedef struct VkRenderingAttachmentLocationInfoKHR {
    VkStructureType sType;
    const void *pNext;
    uint32_t colorAttachmentCount;
    const uint32_t *pColorAttachmentLocations;
} VkRenderingAttachmentLocationInfoKHR;
typedef struct VkRenderingInputAttachmentIndexInfoKHR {
    VkStructureType sType;
    const void *pNext;
    uint32_t colorAttachmentCount;
    const uint32_t *pColorAttachmentInputIndices;
    const uint32_t *pDepthInputAttachmentIndex;
    const uint32_t *pStencilInputAttachmentIndex;
} VkRenderingInputAttachmentIndexInfoKHR;
typedef void(VKAPI_PTR *PFN_vkCmdSetRenderingAttachmentLocationsKHR)(
    VkCommandBuffer commandBuffer, const VkRenderingAttachmentLocationInfoKHR *pLocationInfo);
#endif

#ifndef VK_EXT_depth_bias_control
#define VK_EXT_depth_bias_control 1
#define VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT ((VkStructureType)1000283001)
#define VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT ((VkStructureType)1000283002)
typedef enum VkDepthBiasRepresentationEXT {
    VK_DEPTH_BIAS_REPRESENTATION_LEAST_REPRESENTABLE_VALUE_FORMAT_EXT = 0,
    VK_DEPTH_BIAS_REPRESENTATION_LEAST_REPRESENTABLE_VALUE_FORCE_UNORM_EXT = 1,
    VK_DEPTH_BIAS_REPRESENTATION_FLOAT_EXT = 2,
    VK_DEPTH_BIAS_REPRESENTATION_MAX_ENUM_EXT = 0x7FFFFFFF
} VkDepthBiasRepresentationEXT;
typedef struct VkDepthBiasInfoEXT {
    VkStructureType sType;
    const void *pNext;
    float depthBiasConstantFactor;
    float depthBiasClamp;
    float depthBiasSlopeFactor;
} VkDepthBiasInfoEXT;
typedef struct VkDepthBiasRepresentationInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkDepthBiasRepresentationEXT depthBiasRepresentation;
    VkBool32 depthBiasExact;
} VkDepthBiasRepresentationInfoEXT;
typedef void(VKAPI_PTR *PFN_vkCmdSetDepthBias2EXT)(VkCommandBuffer commandBuffer,
                                                   const VkDepthBiasInfoEXT *pDepthBiasInfo);
#endif

#ifndef VK_EXT_depth_clamp_control
#define VK_EXT_depth_clamp_control 1
#define VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT ((VkStructureType)1000582001)
#define VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT ((VkDynamicState)1000582000)
typedef enum VkDepthClampModeEXT {
    VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT = 0,
    VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT = 1,
    VK_DEPTH_CLAMP_MODE_MAX_ENUM_EXT = 0x7FFFFFFF
} VkDepthClampModeEXT;
typedef struct VkDepthClampRangeEXT {
    float minDepthClamp;
    float maxDepthClamp;
} VkDepthClampRangeEXT;
typedef struct VkPipelineViewportDepthClampControlCreateInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkDepthClampModeEXT depthClampMode;
    const VkDepthClampRangeEXT *pDepthClampRange;
} VkPipelineViewportDepthClampControlCreateInfoEXT;
typedef void(VKAPI_PTR *PFN_vkCmdSetDepthClampRangeEXT)(VkCommandBuffer commandBuffer,
                                                        VkDepthClampModeEXT depthClampMode,
                                                        const VkDepthClampRangeEXT *pDepthClampRange);
#endif

#ifndef VK_EXT_fragment_density_map_offset
#define VK_EXT_fragment_density_map_offset 1
typedef struct VkRenderingEndInfoEXT {
    VkStructureType sType;
    const void *pNext;
} VkRenderingEndInfoEXT;
typedef void(VKAPI_PTR *PFN_vkCmdEndRendering2EXT)(VkCommandBuffer commandBuffer,
                                                   const VkRenderingEndInfoEXT *pRenderingEndInfo);
#endif

#ifndef VK_EXT_custom_resolve /* not defined: the generator declares the rest */
typedef struct VkBeginCustomResolveInfoEXT {
    VkStructureType sType;
    void *pNext;
} VkBeginCustomResolveInfoEXT;
typedef void(VKAPI_PTR *PFN_vkCmdBeginCustomResolveEXT)(VkCommandBuffer commandBuffer,
                                                        const VkBeginCustomResolveInfoEXT *pBeginCustomResolveInfo);
#endif

#ifndef VK_KHR_maintenance10
#define VK_KHR_maintenance10 1
typedef PFN_vkCmdEndRendering2EXT PFN_vkCmdEndRendering2KHR;
#endif

#ifndef VK_EXT_attachment_feedback_loop_dynamic_state
#define VK_EXT_attachment_feedback_loop_dynamic_state 1
typedef void(VKAPI_PTR *PFN_vkCmdSetAttachmentFeedbackLoopEnableEXT)(VkCommandBuffer commandBuffer,
                                                                     VkImageAspectFlags aspectMask);
#endif

#ifndef VK_QCOM_tile_shading
#define VK_QCOM_tile_shading 1
typedef struct VkDispatchTileInfoQCOM VkDispatchTileInfoQCOM;
typedef void(VKAPI_PTR *PFN_vkCmdDispatchTileQCOM)(VkCommandBuffer commandBuffer,
                                                   const VkDispatchTileInfoQCOM *pDispatchTileInfo);
#endif

#if VK_EXT_DISCARD_RECTANGLES_SPEC_VERSION < 2
typedef void(VKAPI_PTR *PFN_vkCmdSetDiscardRectangleEnableEXT)(VkCommandBuffer commandBuffer,
                                                               VkBool32 discardRectangleEnable);
typedef void(VKAPI_PTR *PFN_vkCmdSetDiscardRectangleModeEXT)(VkCommandBuffer commandBuffer,
                                                             VkDiscardRectangleModeEXT discardRectangleMode);
#endif

#if VK_NV_SCISSOR_EXCLUSIVE_SPEC_VERSION < 2
typedef void(VKAPI_PTR *PFN_vkCmdSetExclusiveScissorEnableNV)(VkCommandBuffer commandBuffer,
                                                              uint32_t firstExclusiveScissor,
                                                              uint32_t exclusiveScissorCount,
                                                              const VkBool32 *pExclusiveScissorEnables);
#endif

#ifndef VK_KHR_maintenance6
#define VK_KHR_maintenance6 1
#define VK_KHR_MAINTENANCE_6_EXTENSION_NAME "VK_KHR_maintenance6"
#define VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO_KHR ((VkStructureType)1000545003)
#define VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO_KHR ((VkStructureType)1000545004)
#define VK_STRUCTURE_TYPE_SET_DESCRIPTOR_BUFFER_OFFSETS_INFO_EXT ((VkStructureType)1000545007)
#define VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_BUFFER_EMBEDDED_SAMPLERS_INFO_EXT ((VkStructureType)1000545008)
#define VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO_KHR ((VkStructureType)1000545005)
#define VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO_KHR ((VkStructureType)1000545006)
typedef struct VkBindDescriptorSetsInfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkShaderStageFlags stageFlags;
    VkPipelineLayout layout;
    uint32_t firstSet;
    uint32_t descriptorSetCount;
    const VkDescriptorSet *pDescriptorSets;
    uint32_t dynamicOffsetCount;
    const uint32_t *pDynamicOffsets;
} VkBindDescriptorSetsInfoKHR;
typedef struct VkPushDescriptorSetInfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkShaderStageFlags stageFlags;
    VkPipelineLayout layout;
    uint32_t set;
    uint32_t descriptorWriteCount;
    const VkWriteDescriptorSet *pDescriptorWrites;
} VkPushDescriptorSetInfoKHR;
typedef struct VkPushDescriptorSetWithTemplateInfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkDescriptorUpdateTemplate descriptorUpdateTemplate;
    VkPipelineLayout layout;
    uint32_t set;
    const void *pData;
} VkPushDescriptorSetWithTemplateInfoKHR;
typedef struct VkPushConstantsInfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkPipelineLayout layout;
    VkShaderStageFlags stageFlags;
    uint32_t offset;
    uint32_t size;
    const void *pValues;
} VkPushConstantsInfoKHR;
typedef struct VkSetDescriptorBufferOffsetsInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkShaderStageFlags stageFlags;
    VkPipelineLayout layout;
    uint32_t firstSet;
    uint32_t setCount;
    const uint32_t *pBufferIndices;
    const VkDeviceSize *pOffsets;
} VkSetDescriptorBufferOffsetsInfoEXT;
typedef struct VkBindDescriptorBufferEmbeddedSamplersInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkShaderStageFlags stageFlags;
    VkPipelineLayout layout;
    uint32_t set;
} VkBindDescriptorBufferEmbeddedSamplersInfoEXT;
typedef void(VKAPI_PTR *PFN_vkCmdPushConstants2KHR)(VkCommandBuffer commandBuffer,
                                                    const VkPushConstantsInfoKHR *pPushConstantsInfo);
typedef void(VKAPI_PTR *PFN_vkCmdSetDescriptorBufferOffsets2EXT)(
    VkCommandBuffer commandBuffer, const VkSetDescriptorBufferOffsetsInfoEXT *pSetDescriptorBufferOffsetsInfo);
typedef void(VKAPI_PTR *PFN_vkCmdBindDescriptorBufferEmbeddedSamplers2EXT)(
    VkCommandBuffer commandBuffer,
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *pBindDescriptorBufferEmbeddedSamplersInfo);
typedef void(VKAPI_PTR *PFN_vkCmdBindDescriptorSets2KHR)(VkCommandBuffer commandBuffer,
                                                         const VkBindDescriptorSetsInfoKHR *pBindDescriptorSetsInfo);
typedef void(VKAPI_PTR *PFN_vkCmdPushDescriptorSet2KHR)(VkCommandBuffer commandBuffer,
                                                        const VkPushDescriptorSetInfoKHR *pPushDescriptorSetInfo);
typedef void(VKAPI_PTR *PFN_vkCmdPushDescriptorSetWithTemplate2KHR)(
    VkCommandBuffer commandBuffer, const VkPushDescriptorSetWithTemplateInfoKHR *pPushDescriptorSetWithTemplateInfo);
#endif

#ifndef VK_VERSION_1_4
#define VK_API_VERSION_1_4 VK_MAKE_API_VERSION(0, 1, 4, 0)
typedef PFN_vkCmdPushDescriptorSetKHR PFN_vkCmdPushDescriptorSet;
typedef PFN_vkCmdPushDescriptorSetWithTemplateKHR PFN_vkCmdPushDescriptorSetWithTemplate;
typedef PFN_vkCmdSetRenderingAttachmentLocationsKHR PFN_vkCmdSetRenderingAttachmentLocations;
typedef PFN_vkCmdBindDescriptorSets2KHR PFN_vkCmdBindDescriptorSets2;
typedef PFN_vkCmdPushConstants2KHR PFN_vkCmdPushConstants2;
typedef PFN_vkCmdPushDescriptorSet2KHR PFN_vkCmdPushDescriptorSet2;
typedef PFN_vkCmdPushDescriptorSetWithTemplate2KHR PFN_vkCmdPushDescriptorSetWithTemplate2;
#endif

#endif
