/* SPDX-License-Identifier: MIT */
/*
 * What the layer uses of Vulkan headers newer than 1.3.239, declared for headers that are older, each part guarded by
 * the header's own macro. newer_vulkan.xml says the same to scripts/generate_vulkan.py; the two change together.
 *
 * Names are those of the extension that brought them, so that they exist under every header: newer ones keep them as
 * other names of the core's.
 */
#ifndef CLAMPLER_NEWER_VULKAN_H
#define CLAMPLER_NEWER_VULKAN_H

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

#ifndef VK_KHR_maintenance10
#define VK_KHR_maintenance10 1
typedef PFN_vkCmdEndRendering2EXT PFN_vkCmdEndRendering2KHR;
#endif

#ifndef VK_EXT_attachment_feedback_loop_dynamic_state
#define VK_EXT_attachment_feedback_loop_dynamic_state 1
typedef void(VKAPI_PTR *PFN_vkCmdSetAttachmentFeedbackLoopEnableEXT)(VkCommandBuffer commandBuffer,
                                                                     VkImageAspectFlags aspectMask);
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

#ifndef VK_EXT_image_sliced_view_of_3d
#define VK_EXT_image_sliced_view_of_3d 1
#define VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT ((VkStructureType)1000418001)
typedef struct VkImageViewSlicedCreateInfoEXT {
    VkStructureType sType;
    const void *pNext;
    uint32_t sliceOffset;
    uint32_t sliceCount;
} VkImageViewSlicedCreateInfoEXT;
#endif

#ifndef VK_KHR_maintenance5
#define VK_KHR_maintenance5 1
#define VK_KHR_MAINTENANCE_5_EXTENSION_NAME "VK_KHR_maintenance5"
#define VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR ((VkStructureType)1000470005)
#define VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR ((VkStructureType)1000470006)
typedef VkFlags64 VkBufferUsageFlags2KHR;
typedef struct VkBufferUsageFlags2CreateInfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkBufferUsageFlags2KHR usage; /* the low 32 bits are VkBufferUsageFlagBits' */
} VkBufferUsageFlags2CreateInfoKHR;
typedef VkFlags64 VkPipelineCreateFlags2KHR;
typedef struct VkPipelineCreateFlags2CreateInfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkPipelineCreateFlags2KHR flags; /* the low 31 bits are VkPipelineCreateFlagBits' */
} VkPipelineCreateFlags2CreateInfoKHR;
#endif

#ifndef VK_EXT_shader_object
#define VK_EXT_shader_object 1
#define VK_EXT_SHADER_OBJECT_EXTENSION_NAME "VK_EXT_shader_object"
#define VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT ((VkStructureType)1000482002)
VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkShaderEXT)
typedef enum VkShaderCodeTypeEXT {
    VK_SHADER_CODE_TYPE_BINARY_EXT = 0,
    VK_SHADER_CODE_TYPE_SPIRV_EXT = 1,
    VK_SHADER_CODE_TYPE_MAX_ENUM_EXT = 0x7FFFFFFF
} VkShaderCodeTypeEXT;
typedef VkFlags VkShaderCreateFlagsEXT;
typedef struct VkShaderCreateInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkShaderCreateFlagsEXT flags;
    VkShaderStageFlagBits stage;
    VkShaderStageFlags nextStage;
    VkShaderCodeTypeEXT codeType;
    size_t codeSize;
    const void *pCode;
    const char *pName;
    uint32_t setLayoutCount;
    const VkDescriptorSetLayout *pSetLayouts;
    uint32_t pushConstantRangeCount;
    const VkPushConstantRange *pPushConstantRanges;
    const VkSpecializationInfo *pSpecializationInfo;
} VkShaderCreateInfoEXT;
typedef VkResult(VKAPI_PTR *PFN_vkCreateShadersEXT)(VkDevice device, uint32_t createInfoCount,
                                                    const VkShaderCreateInfoEXT *pCreateInfos,
                                                    const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders);
typedef void(VKAPI_PTR *PFN_vkDestroyShaderEXT)(VkDevice device, VkShaderEXT shader,
                                                const VkAllocationCallbacks *pAllocator);
typedef VkResult(VKAPI_PTR *PFN_vkGetShaderBinaryDataEXT)(VkDevice device, VkShaderEXT shader, size_t *pDataSize,
                                                          void *pData);
typedef struct VkPhysicalDeviceShaderObjectFeaturesEXT {
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderObject;
} VkPhysicalDeviceShaderObjectFeaturesEXT;
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT ((VkStructureType)1000482000)
typedef struct VkPhysicalDeviceShaderObjectPropertiesEXT {
    VkStructureType sType;
    void *pNext;
    uint8_t shaderBinaryUUID[VK_UUID_SIZE];
    uint32_t shaderBinaryVersion;
} VkPhysicalDeviceShaderObjectPropertiesEXT;
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT ((VkStructureType)1000482001)
#define VK_SHADER_CREATE_LINK_STAGE_BIT_EXT 0x00000001
#define VK_INCOMPATIBLE_SHADER_BINARY_EXT ((VkResult)1000482000)
typedef void(VKAPI_PTR *PFN_vkCmdBindShadersEXT)(VkCommandBuffer commandBuffer, uint32_t stageCount,
                                                 const VkShaderStageFlagBits *pStages, const VkShaderEXT *pShaders);
#endif

#ifndef VK_KHR_pipeline_binary
#define VK_KHR_pipeline_binary 1
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR ((VkStructureType)1000483002)
VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkPipelineBinaryKHR)
typedef struct VkPipelineBinaryInfoKHR {
    VkStructureType sType;
    const void *pNext;
    uint32_t binaryCount;
    const VkPipelineBinaryKHR *pPipelineBinaries;
} VkPipelineBinaryInfoKHR;
#endif

#ifndef VK_EXT_layer_settings
#define VK_EXT_layer_settings 1
#define VK_EXT_LAYER_SETTINGS_SPEC_VERSION 2
#define VK_EXT_LAYER_SETTINGS_EXTENSION_NAME "VK_EXT_layer_settings"
#define VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT ((VkStructureType)1000496000)
typedef enum VkLayerSettingTypeEXT {
    VK_LAYER_SETTING_TYPE_BOOL32_EXT = 0,
    VK_LAYER_SETTING_TYPE_INT32_EXT = 1,
    VK_LAYER_SETTING_TYPE_INT64_EXT = 2,
    VK_LAYER_SETTING_TYPE_UINT32_EXT = 3,
    VK_LAYER_SETTING_TYPE_UINT64_EXT = 4,
    VK_LAYER_SETTING_TYPE_FLOAT32_EXT = 5,
    VK_LAYER_SETTING_TYPE_FLOAT64_EXT = 6,
    VK_LAYER_SETTING_TYPE_STRING_EXT = 7,
    VK_LAYER_SETTING_TYPE_MAX_ENUM_EXT = 0x7FFFFFFF
} VkLayerSettingTypeEXT;
typedef struct VkLayerSettingEXT {
    const char *pLayerName;
    const char *pSettingName;
    VkLayerSettingTypeEXT type;
    uint32_t valueCount;
    const void *pValues;
} VkLayerSettingEXT;
typedef struct VkLayerSettingsCreateInfoEXT {
    VkStructureType sType;
    const void *pNext;
    uint32_t settingCount;
    const VkLayerSettingEXT *pSettings;
} VkLayerSettingsCreateInfoEXT;
#endif

#ifndef VK_KHR_maintenance6
#define VK_KHR_maintenance6 1
#define VK_KHR_MAINTENANCE_6_EXTENSION_NAME "VK_KHR_maintenance6"
#define VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO_KHR ((VkStructureType)1000545003)
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
typedef PFN_vkCmdBindDescriptorSets2KHR PFN_vkCmdBindDescriptorSets2;
typedef PFN_vkCmdPushDescriptorSet2KHR PFN_vkCmdPushDescriptorSet2;
typedef PFN_vkCmdPushDescriptorSetWithTemplate2KHR PFN_vkCmdPushDescriptorSetWithTemplate2;
#endif

#endif
