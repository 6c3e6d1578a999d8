/* SPDX-License-Identifier: MIT */
/*
 * What is newer than 1.3.239 of commands that take device addresses in the place of buffers. Part of newer_vulkan.h,
 * which says how. Structures that the layer only hands on are declared without their members.
 */
#ifndef CLAMPLER_NEWER_VULKAN_ADDRESSES_H
#define CLAMPLER_NEWER_VULKAN_ADDRESSES_H

#include <vulkan/vulkan_core.h>

#if !defined(VK_KHR_copy_memory_indirect) && !defined(VK_KHR_device_address_commands)
typedef struct VkStridedDeviceAddressRangeKHR {
    VkDeviceAddress address;
    VkDeviceSize size;
    VkDeviceSize stride;
} VkStridedDeviceAddressRangeKHR;
#endif

#ifndef VK_NV_copy_memory_indirect
#define VK_NV_copy_memory_indirect 1
typedef void(VKAPI_PTR *PFN_vkCmdCopyMemoryToImageIndirectNV)(VkCommandBuffer commandBuffer,
                                                              VkDeviceAddress copyBufferAddress, uint32_t copyCount,
                                                              uint32_t stride, VkImage dstImage,
                                                              VkImageLayout dstImageLayout,
                                                              const VkImageSubresourceLayers *pImageSubresources);
#endif

#ifndef VK_KHR_copy_memory_indirect
#define VK_KHR_copy_memory_indirect 1
typedef struct VkCopyMemoryToImageIndirectInfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkFlags srcCopyFlags;
    uint32_t copyCount;
    VkStridedDeviceAddressRangeKHR copyAddressRange;
    VkImage dstImage;
    VkImageLayout dstImageLayout;
    const VkImageSubresourceLayers *pImageSubresources;
} VkCopyMemoryToImageIndirectInfoKHR;
typedef void(VKAPI_PTR *PFN_vkCmdCopyMemoryToImageIndirectKHR)(
    VkCommandBuffer commandBuffer, const VkCopyMemoryToImageIndirectInfoKHR *pCopyMemoryToImageIndirectInfo);
#endif

#ifndef VK_KHR_device_address_commands
#define VK_KHR_device_address_commands 1
#define VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME "VK_KHR_device_address_commands"
#define VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR ((VkStructureType)1000318004)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR ((VkStructureType)1000318006)
#define VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR ((VkStructureType)1000318009)
#define VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR ((VkStructureType)1000318010)
#define VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR ((VkStructureType)1000318011)
#define VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT ((VkStructureType)1000318012)
typedef VkFlags VkAddressCommandFlagsKHR;
typedef struct VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR {
    VkStructureType sType;
    void *pNext;
    VkBool32 deviceAddressCommands;
} VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR;
typedef struct VkDeviceAddressRangeKHR {
    VkDeviceAddress address;
    VkDeviceSize size;
} VkDeviceAddressRangeKHR;
typedef struct VkDeviceMemoryImageCopyKHR VkDeviceMemoryImageCopyKHR;
typedef struct VkCopyDeviceMemoryImageInfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkImage image;
    uint32_t regionCount;
    const VkDeviceMemoryImageCopyKHR *pRegions;
} VkCopyDeviceMemoryImageInfoKHR;
typedef struct VkMemoryRangeBarrierKHR {
    VkStructureType sType;
    const void *pNext;
    VkPipelineStageFlags2 srcStageMask;
    VkAccessFlags2 srcAccessMask;
    VkPipelineStageFlags2 dstStageMask;
    VkAccessFlags2 dstAccessMask;
    uint32_t srcQueueFamilyIndex;
    uint32_t dstQueueFamilyIndex;
    VkDeviceAddressRangeKHR addressRange;
    VkAddressCommandFlagsKHR addressFlags;
} VkMemoryRangeBarrierKHR;
typedef struct VkMemoryRangeBarriersInfoKHR {
    VkStructureType sType;
    const void *pNext;
    uint32_t memoryRangeBarrierCount;
    const VkMemoryRangeBarrierKHR *pMemoryRangeBarriers;
} VkMemoryRangeBarriersInfoKHR;
typedef struct VkDrawIndirect2InfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkStridedDeviceAddressRangeKHR addressRange;
    VkAddressCommandFlagsKHR addressFlags;
    uint32_t drawCount;
} VkDrawIndirect2InfoKHR;
typedef struct VkDrawIndirectCount2InfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkStridedDeviceAddressRangeKHR addressRange;
    VkAddressCommandFlagsKHR addressFlags;
    VkDeviceAddressRangeKHR countAddressRange;
    VkAddressCommandFlagsKHR countAddressFlags;
    uint32_t maxDrawCount;
} VkDrawIndirectCount2InfoKHR;
typedef struct VkDispatchIndirect2InfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkDeviceAddressRangeKHR addressRange;
    VkAddressCommandFlagsKHR addressFlags;
} VkDispatchIndirect2InfoKHR;
typedef struct VkConditionalRenderingBeginInfo2EXT {
    VkStructureType sType;
    const void *pNext;
    VkDeviceAddressRangeKHR addressRange;
    VkAddressCommandFlagsKHR addressFlags;
    VkConditionalRenderingFlagsEXT flags;
} VkConditionalRenderingBeginInfo2EXT;
typedef struct VkBindVertexBuffer3InfoKHR {
    VkStructureType sType;
    const void *pNext;
    VkBool32 setStride;
    VkStridedDeviceAddressRangeKHR addressRange;
    VkAddressCommandFlagsKHR addressFlags;
} VkBindVertexBuffer3InfoKHR;
typedef struct VkBindTransformFeedbackBuffer2InfoEXT VkBindTransformFeedbackBuffer2InfoEXT;
typedef void(VKAPI_PTR *PFN_vkCmdDrawIndirect2KHR)(VkCommandBuffer commandBuffer, const VkDrawIndirect2InfoKHR *pInfo);
typedef PFN_vkCmdDrawIndirect2KHR PFN_vkCmdDrawIndexedIndirect2KHR;
typedef PFN_vkCmdDrawIndirect2KHR PFN_vkCmdDrawMeshTasksIndirect2EXT;
typedef void(VKAPI_PTR *PFN_vkCmdDrawIndirectCount2KHR)(VkCommandBuffer commandBuffer,
                                                        const VkDrawIndirectCount2InfoKHR *pInfo);
typedef PFN_vkCmdDrawIndirectCount2KHR PFN_vkCmdDrawIndexedIndirectCount2KHR;
typedef PFN_vkCmdDrawIndirectCount2KHR PFN_vkCmdDrawMeshTasksIndirectCount2EXT;
typedef void(VKAPI_PTR *PFN_vkCmdDrawIndirectByteCount2EXT)(VkCommandBuffer commandBuffer, uint32_t instanceCount,
                                                            uint32_t firstInstance,
                                                            const VkBindTransformFeedbackBuffer2InfoEXT *pCounterInfo,
                                                            uint32_t counterOffset, uint32_t vertexStride);
typedef void(VKAPI_PTR *PFN_vkCmdDispatchIndirect2KHR)(VkCommandBuffer commandBuffer,
                                                       const VkDispatchIndirect2InfoKHR *pInfo);
typedef void(VKAPI_PTR *PFN_vkCmdBindVertexBuffers3KHR)(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                        uint32_t bindingCount,
                                                        const VkBindVertexBuffer3InfoKHR *pBindingInfos);
typedef void(VKAPI_PTR *PFN_vkCmdCopyMemoryToImageKHR)(VkCommandBuffer commandBuffer,
                                                       const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo);
typedef void(VKAPI_PTR *PFN_vkCmdBeginConditionalRendering2EXT)(
    VkCommandBuffer commandBuffer, const VkConditionalRenderingBeginInfo2EXT *pConditionalRenderingBegin);
typedef void(VKAPI_PTR *PFN_vkCmdBeginTransformFeedback2EXT)(
    VkCommandBuffer commandBuffer, uint32_t firstCounterRange, uint32_t counterRangeCount,
    const VkBindTransformFeedbackBuffer2InfoEXT *pCounterInfos);
typedef PFN_vkCmdBeginTransformFeedback2EXT PFN_vkCmdEndTransformFeedback2EXT;
#endif

#endif
