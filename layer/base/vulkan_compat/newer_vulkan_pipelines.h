/* SPDX-License-Identifier: MIT */
/*
 * What is newer than 1.3.239 of pipelines and shader objects: how they are made, and what they are made of. Part of
 * newer_vulkan.h, which says how.
 */
#ifndef CLAMPLER_NEWER_VULKAN_PIPELINES_H
#define CLAMPLER_NEWER_VULKAN_PIPELINES_H

#include <vulkan/vulkan_core.h>

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
#define VK_OBJECT_TYPE_SHADER_EXT ((VkObjectType)1000482000)
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
#define VK_KHR_PIPELINE_BINARY_EXTENSION_NAME "VK_KHR_pipeline_binary"
#define VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR 32U
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR ((VkStructureType)1000483000)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR ((VkStructureType)1000483001)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR ((VkStructureType)1000483002)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR ((VkStructureType)1000483003)
#define VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR ((VkStructureType)1000483005)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR ((VkStructureType)1000483006)
#define VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR ((VkStructureType)1000483007)
#define VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR ((VkStructureType)1000483009)
#define VK_PIPELINE_BINARY_MISSING_KHR ((VkResult)1000483000)
#define VK_ERROR_NOT_ENOUGH_SPACE_KHR ((VkResult)-1000483000)
VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkPipelineBinaryKHR)
typedef struct VkPhysicalDevicePipelineBinaryFeaturesKHR {
    VkStructureType sType;
    void *pNext;
    VkBool32 pipelineBinaries;
} VkPhysicalDevicePipelineBinaryFeaturesKHR;
typedef struct VkPipelineBinaryInfoKHR {
    VkStructureType sType;
    const void *pNext;
    uint32_t binaryCount;
    const VkPipelineBinaryKHR *pPipelineBinaries;
} VkPipelineBinaryInfoKHR;
typedef struct VkPipelineBinaryDataKHR {
    size_t dataSize;
    void *pData;
} VkPipelineBinaryDataKHR;
typedef struct VkPipelineBinaryKeyKHR {
    VkStructureType sType;
    void *pNext;
    uint32_t keySize;
    uint8_t key[VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR];
} VkPipelineBinaryKeyKHR;
typedef struct VkPipelineBinaryKeysAndDataKHR {
    uint32_t binaryCount;
    const VkPipelineBinaryKeyKHR *pPipelineBinaryKeys;
    const VkPipelineBinaryDataKHR *pPipelineBinaryData;
} VkPipelineBinaryKeysAndDataKHR;
typedef struct VkPipelineCreateInfoKHR {
    VkStructureType sType;
    void *pNext;
} VkPipelineCreateInfoKHR;
typedef struct VkPipelineBinaryCreateInfoKHR {
    VkStructureType sType;
    const void *pNext;
    const VkPipelineBinaryKeysAndDataKHR *pKeysAndDataInfo;
    VkPipeline pipeline;
    const VkPipelineCreateInfoKHR *pPipelineCreateInfo;
} VkPipelineBinaryCreateInfoKHR;
typedef struct VkPipelineBinaryHandlesInfoKHR {
    VkStructureType sType;
    const void *pNext;
    uint32_t pipelineBinaryCount;
    VkPipelineBinaryKHR *pPipelineBinaries;
} VkPipelineBinaryHandlesInfoKHR;
typedef struct VkPipelineBinaryDataInfoKHR {
    VkStructureType sType;
    void *pNext;
    VkPipelineBinaryKHR pipelineBinary;
} VkPipelineBinaryDataInfoKHR;
typedef struct VkReleaseCapturedPipelineDataInfoKHR {
    VkStructureType sType;
    void *pNext;
    VkPipeline pipeline;
} VkReleaseCapturedPipelineDataInfoKHR;
typedef VkResult(VKAPI_PTR *PFN_vkCreatePipelineBinariesKHR)(VkDevice device,
                                                             const VkPipelineBinaryCreateInfoKHR *pCreateInfo,
                                                             const VkAllocationCallbacks *pAllocator,
                                                             VkPipelineBinaryHandlesInfoKHR *pBinaries);
typedef void(VKAPI_PTR *PFN_vkDestroyPipelineBinaryKHR)(VkDevice device, VkPipelineBinaryKHR pipelineBinary,
                                                        const VkAllocationCallbacks *pAllocator);
typedef VkResult(VKAPI_PTR *PFN_vkGetPipelineKeyKHR)(VkDevice device,
                                                     const VkPipelineCreateInfoKHR *pPipelineCreateInfo,
                                                     VkPipelineBinaryKeyKHR *pPipelineKey);
typedef VkResult(VKAPI_PTR *PFN_vkGetPipelineBinaryDataKHR)(VkDevice device, const VkPipelineBinaryDataInfoKHR *pInfo,
                                                            VkPipelineBinaryKeyKHR *pPipelineBinaryKey,
                                                            size_t *pPipelineBinaryDataSize, void *pPipelineBinaryData);
typedef VkResult(VKAPI_PTR *PFN_vkReleaseCapturedPipelineDataKHR)(VkDevice device,
                                                                  const VkReleaseCapturedPipelineDataInfoKHR *pInfo,
                                                                  const VkAllocationCallbacks *pAllocator);
#endif

#endif
