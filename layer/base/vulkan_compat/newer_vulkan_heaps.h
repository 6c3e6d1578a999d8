/* SPDX-License-Identifier: MIT */
/*
 * What is newer than 1.3.239 of descriptor heaps. Part of newer_vulkan.h, which says how. Descriptors of tensors and
 * the capture of images are left out.
 */
#ifndef CLAMPLER_NEWER_VULKAN_HEAPS_H
#define CLAMPLER_NEWER_VULKAN_HEAPS_H

#include <vulkan/vulkan_core.h>

#include "newer_vulkan_addresses.h"

#ifndef VK_EXT_descriptor_heap
#define VK_EXT_descriptor_heap 1
#define VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME "VK_EXT_descriptor_heap"
#define VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT ((VkStructureType)1000135000)
#define VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT ((VkStructureType)1000135001)
#define VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT ((VkStructureType)1000135002)
#define VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT ((VkStructureType)1000135003)
#define VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT ((VkStructureType)1000135004)
#define VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT ((VkStructureType)1000135005)
#define VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT ((VkStructureType)1000135006)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT ((VkStructureType)1000135008)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT ((VkStructureType)1000135009)
#define VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT ((VkStructureType)1000135010)
#define VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT ((VkStructureType)1000135011)
#define VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT ((VkBufferUsageFlagBits)0x10000000)
#define VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT UINT64_C(0x1000000000)
#define VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT ((VkFlags)0x00000400)
#define VK_ACCESS_2_SAMPLER_HEAP_READ_BIT_EXT UINT64_C(0x200000000000000)
#define VK_ACCESS_2_RESOURCE_HEAP_READ_BIT_EXT UINT64_C(0x400000000000000)

typedef enum VkDescriptorMappingSourceEXT {
    VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT = 0,
    VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT = 1,
    VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT = 2,
    VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT = 3,
    VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT = 4,
    VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT = 5,
    VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT = 6,
    VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT = 7,
    VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT = 8,
    VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_DATA_EXT = 9,
    VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_ADDRESS_EXT = 10
} VkDescriptorMappingSourceEXT;
typedef enum VkSpirvResourceTypeFlagBitsEXT {
    VK_SPIRV_RESOURCE_TYPE_ALL_EXT = 0x7FFFFFFF,
    VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT = 0x00000001,
    VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT = 0x00000002,
    VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT = 0x00000004,
    VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT = 0x00000008,
    VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT = 0x00000010,
    VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT = 0x00000020,
    VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT = 0x00000040,
    VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT = 0x00000080,
    VK_SPIRV_RESOURCE_TYPE_ACCELERATION_STRUCTURE_BIT_EXT = 0x00000100
} VkSpirvResourceTypeFlagBitsEXT;
typedef VkFlags VkSpirvResourceTypeFlagsEXT;
typedef VkDeviceAddressRangeKHR VkDeviceAddressRangeEXT;

typedef struct VkHostAddressRangeEXT {
    void *address;
    size_t size;
} VkHostAddressRangeEXT;
typedef struct VkHostAddressRangeConstEXT {
    const void *address;
    size_t size;
} VkHostAddressRangeConstEXT;
typedef struct VkTexelBufferDescriptorInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkFormat format;
    VkDeviceAddressRangeEXT addressRange;
} VkTexelBufferDescriptorInfoEXT;
typedef struct VkImageDescriptorInfoEXT {
    VkStructureType sType;
    const void *pNext;
    const VkImageViewCreateInfo *pView;
    VkImageLayout layout;
} VkImageDescriptorInfoEXT;
typedef union VkResourceDescriptorDataEXT {
    const VkImageDescriptorInfoEXT *pImage;
    const VkTexelBufferDescriptorInfoEXT *pTexelBuffer;
    const VkDeviceAddressRangeEXT *pAddressRange;
} VkResourceDescriptorDataEXT;
typedef struct VkResourceDescriptorInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkDescriptorType type;
    VkResourceDescriptorDataEXT data;
} VkResourceDescriptorInfoEXT;
typedef struct VkBindHeapInfoEXT {
    VkStructureType sType;
    const void *pNext;
    VkDeviceAddressRangeEXT heapRange;
    VkDeviceSize reservedRangeOffset;
    VkDeviceSize reservedRangeSize;
} VkBindHeapInfoEXT;
typedef struct VkPushDataInfoEXT {
    VkStructureType sType;
    const void *pNext;
    uint32_t offset;
    VkHostAddressRangeConstEXT data;
} VkPushDataInfoEXT;
typedef struct VkDescriptorMappingSourceConstantOffsetEXT {
    uint32_t heapOffset;
    uint32_t heapArrayStride;
    const VkSamplerCreateInfo *pEmbeddedSampler;
    uint32_t samplerHeapOffset;
    uint32_t samplerHeapArrayStride;
} VkDescriptorMappingSourceConstantOffsetEXT;
typedef struct VkDescriptorMappingSourcePushIndexEXT {
    uint32_t heapOffset;
    uint32_t pushOffset;
    uint32_t heapIndexStride;
    uint32_t heapArrayStride;
    const VkSamplerCreateInfo *pEmbeddedSampler;
    VkBool32 useCombinedImageSamplerIndex;
    uint32_t samplerHeapOffset;
    uint32_t samplerPushOffset;
    uint32_t samplerHeapIndexStride;
    uint32_t samplerHeapArrayStride;
} VkDescriptorMappingSourcePushIndexEXT;
typedef struct VkDescriptorMappingSourceIndirectIndexEXT {
    uint32_t heapOffset;
    uint32_t pushOffset;
    uint32_t addressOffset;
    uint32_t heapIndexStride;
    uint32_t heapArrayStride;
    const VkSamplerCreateInfo *pEmbeddedSampler;
    VkBool32 useCombinedImageSamplerIndex;
    uint32_t samplerHeapOffset;
    uint32_t samplerPushOffset;
    uint32_t samplerAddressOffset;
    uint32_t samplerHeapIndexStride;
    uint32_t samplerHeapArrayStride;
} VkDescriptorMappingSourceIndirectIndexEXT;
typedef struct VkDescriptorMappingSourceHeapDataEXT {
    uint32_t heapOffset;
    uint32_t pushOffset;
} VkDescriptorMappingSourceHeapDataEXT;
typedef struct VkDescriptorMappingSourceIndirectAddressEXT {
    uint32_t pushOffset;
    uint32_t addressOffset;
} VkDescriptorMappingSourceIndirectAddressEXT;
typedef struct VkDescriptorMappingSourceShaderRecordIndexEXT {
    uint32_t heapOffset;
    uint32_t shaderRecordOffset;
    uint32_t heapIndexStride;
    uint32_t heapArrayStride;
    const VkSamplerCreateInfo *pEmbeddedSampler;
    VkBool32 useCombinedImageSamplerIndex;
    uint32_t samplerHeapOffset;
    uint32_t samplerShaderRecordOffset;
    uint32_t samplerHeapIndexStride;
    uint32_t samplerHeapArrayStride;
} VkDescriptorMappingSourceShaderRecordIndexEXT;
typedef struct VkDescriptorMappingSourceIndirectIndexArrayEXT {
    uint32_t heapOffset;
    uint32_t pushOffset;
    uint32_t addressOffset;
    uint32_t heapIndexStride;
    const VkSamplerCreateInfo *pEmbeddedSampler;
    VkBool32 useCombinedImageSamplerIndex;
    uint32_t samplerHeapOffset;
    uint32_t samplerPushOffset;
    uint32_t samplerAddressOffset;
    uint32_t samplerHeapIndexStride;
} VkDescriptorMappingSourceIndirectIndexArrayEXT;
typedef union VkDescriptorMappingSourceDataEXT {
    VkDescriptorMappingSourceConstantOffsetEXT constantOffset;
    VkDescriptorMappingSourcePushIndexEXT pushIndex;
    VkDescriptorMappingSourceIndirectIndexEXT indirectIndex;
    VkDescriptorMappingSourceIndirectIndexArrayEXT indirectIndexArray;
    VkDescriptorMappingSourceHeapDataEXT heapData;
    uint32_t pushDataOffset;
    uint32_t pushAddressOffset;
    VkDescriptorMappingSourceIndirectAddressEXT indirectAddress;
    VkDescriptorMappingSourceShaderRecordIndexEXT shaderRecordIndex;
    uint32_t shaderRecordDataOffset;
    uint32_t shaderRecordAddressOffset;
} VkDescriptorMappingSourceDataEXT;
typedef struct VkDescriptorSetAndBindingMappingEXT {
    VkStructureType sType;
    const void *pNext;
    uint32_t descriptorSet;
    uint32_t firstBinding;
    uint32_t bindingCount;
    VkSpirvResourceTypeFlagsEXT resourceMask;
    VkDescriptorMappingSourceEXT source;
    VkDescriptorMappingSourceDataEXT sourceData;
} VkDescriptorSetAndBindingMappingEXT;
typedef struct VkShaderDescriptorSetAndBindingMappingInfoEXT {
    VkStructureType sType;
    const void *pNext;
    uint32_t mappingCount;
    const VkDescriptorSetAndBindingMappingEXT *pMappings;
} VkShaderDescriptorSetAndBindingMappingInfoEXT;
typedef struct VkPhysicalDeviceDescriptorHeapFeaturesEXT {
    VkStructureType sType;
    void *pNext;
    VkBool32 descriptorHeap;
    VkBool32 descriptorHeapCaptureReplay;
} VkPhysicalDeviceDescriptorHeapFeaturesEXT;
typedef struct VkPhysicalDeviceDescriptorHeapPropertiesEXT {
    VkStructureType sType;
    void *pNext;
    VkDeviceSize samplerHeapAlignment;
    VkDeviceSize resourceHeapAlignment;
    VkDeviceSize maxSamplerHeapSize;
    VkDeviceSize maxResourceHeapSize;
    VkDeviceSize minSamplerHeapReservedRange;
    VkDeviceSize minSamplerHeapReservedRangeWithEmbedded;
    VkDeviceSize minResourceHeapReservedRange;
    VkDeviceSize samplerDescriptorSize;
    VkDeviceSize imageDescriptorSize;
    VkDeviceSize bufferDescriptorSize;
    VkDeviceSize samplerDescriptorAlignment;
    VkDeviceSize imageDescriptorAlignment;
    VkDeviceSize bufferDescriptorAlignment;
    VkDeviceSize maxPushDataSize;
    size_t imageCaptureReplayOpaqueDataSize;
    uint32_t maxDescriptorHeapEmbeddedSamplers;
    uint32_t samplerYcbcrConversionCount;
    VkBool32 sparseDescriptorHeaps;
    VkBool32 protectedDescriptorHeaps;
} VkPhysicalDeviceDescriptorHeapPropertiesEXT;
typedef struct VkCommandBufferInheritanceDescriptorHeapInfoEXT {
    VkStructureType sType;
    const void *pNext;
    const VkBindHeapInfoEXT *pSamplerHeapBindInfo;
    const VkBindHeapInfoEXT *pResourceHeapBindInfo;
} VkCommandBufferInheritanceDescriptorHeapInfoEXT;
typedef struct VkSamplerCustomBorderColorIndexCreateInfoEXT {
    VkStructureType sType;
    const void *pNext;
    uint32_t index;
} VkSamplerCustomBorderColorIndexCreateInfoEXT;
typedef VkResult(VKAPI_PTR *PFN_vkWriteSamplerDescriptorsEXT)(VkDevice device, uint32_t samplerCount,
                                                              const VkSamplerCreateInfo *pSamplers,
                                                              const VkHostAddressRangeEXT *pDescriptors);
typedef VkResult(VKAPI_PTR *PFN_vkWriteResourceDescriptorsEXT)(VkDevice device, uint32_t resourceCount,
                                                               const VkResourceDescriptorInfoEXT *pResources,
                                                               const VkHostAddressRangeEXT *pDescriptors);
typedef void(VKAPI_PTR *PFN_vkCmdBindSamplerHeapEXT)(VkCommandBuffer commandBuffer, const VkBindHeapInfoEXT *pBindInfo);
typedef void(VKAPI_PTR *PFN_vkCmdBindResourceHeapEXT)(VkCommandBuffer commandBuffer,
                                                      const VkBindHeapInfoEXT *pBindInfo);
typedef void(VKAPI_PTR *PFN_vkCmdPushDataEXT)(VkCommandBuffer commandBuffer, const VkPushDataInfoEXT *pPushDataInfo);
typedef VkDeviceSize(VKAPI_PTR *PFN_vkGetPhysicalDeviceDescriptorSizeEXT)(VkPhysicalDevice physicalDevice,
                                                                          VkDescriptorType descriptorType);
typedef VkResult(VKAPI_PTR *PFN_vkRegisterCustomBorderColorEXT)(
    VkDevice device, const VkSamplerCustomBorderColorCreateInfoEXT *pBorderColor, VkBool32 requestIndex,
    uint32_t *pIndex);
typedef void(VKAPI_PTR *PFN_vkUnregisterCustomBorderColorEXT)(VkDevice device, uint32_t index);
#endif

#endif
