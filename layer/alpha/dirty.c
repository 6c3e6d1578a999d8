/* SPDX-License-Identifier: MIT */
/* Writes to images that know nothing of their alpha: copies, and resolves. Blits are in layer/blits/blit.c. */
#include "alpha/fill.h"
#include "commands/command_buffer.h"
#include "device/device.h"
#include "objects/track.h"
#include "sampling/image.h"

static void dirty(const struct device *device, VkCommandBuffer commands, VkImage image)
{
    fill_dirty(command_of(commands), image_find(device->track, image));
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyBufferToImage(VkCommandBuffer commandBuffer, VkBuffer srcBuffer,
                                                     VkImage dstImage, VkImageLayout dstImageLayout,
                                                     uint32_t regionCount, const VkBufferImageCopy *pRegions)
{
    const struct device *device = device_of(commandBuffer);
    dirty(device, commandBuffer, dstImage);
    device->next.CmdCopyBufferToImage(commandBuffer, srcBuffer, dstImage, dstImageLayout, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyBufferToImage2(VkCommandBuffer commandBuffer,
                                                      const VkCopyBufferToImageInfo2 *pCopyBufferToImageInfo)
{
    const struct device *device = device_of(commandBuffer);
    dirty(device, commandBuffer, pCopyBufferToImageInfo->dstImage);
    device->next.CmdCopyBufferToImage2(commandBuffer, pCopyBufferToImageInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyMemoryToImageKHR(VkCommandBuffer commandBuffer,
                                                        const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
    const struct device *device = device_of(commandBuffer);
    dirty(device, commandBuffer, pCopyMemoryInfo->image);
    device->next.CmdCopyMemoryToImageKHR(commandBuffer, pCopyMemoryInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyMemoryToImageIndirectKHR(
    VkCommandBuffer commandBuffer, const VkCopyMemoryToImageIndirectInfoKHR *pCopyMemoryToImageIndirectInfo)
{
    const struct device *device = device_of(commandBuffer);
    dirty(device, commandBuffer, pCopyMemoryToImageIndirectInfo->dstImage);
    device->next.CmdCopyMemoryToImageIndirectKHR(commandBuffer, pCopyMemoryToImageIndirectInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyMemoryToImageIndirectNV(VkCommandBuffer commandBuffer,
                                                               VkDeviceAddress copyBufferAddress, uint32_t copyCount,
                                                               uint32_t stride, VkImage dstImage,
                                                               VkImageLayout dstImageLayout,
                                                               const VkImageSubresourceLayers *pImageSubresources)
{
    const struct device *device = device_of(commandBuffer);
    dirty(device, commandBuffer, dstImage);
    device->next.CmdCopyMemoryToImageIndirectNV(commandBuffer, copyBufferAddress, copyCount, stride, dstImage,
                                                dstImageLayout, pImageSubresources);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                             VkImageLayout srcImageLayout, VkImage dstImage,
                                             VkImageLayout dstImageLayout, uint32_t regionCount,
                                             const VkImageCopy *pRegions)
{
    const struct device *device = device_of(commandBuffer);
    dirty(device, commandBuffer, dstImage);
    device->next.CmdCopyImage(commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyImage2(VkCommandBuffer commandBuffer, const VkCopyImageInfo2 *pCopyImageInfo)
{
    const struct device *device = device_of(commandBuffer);
    dirty(device, commandBuffer, pCopyImageInfo->dstImage);
    device->next.CmdCopyImage2(commandBuffer, pCopyImageInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdResolveImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                                VkImageLayout srcImageLayout, VkImage dstImage,
                                                VkImageLayout dstImageLayout, uint32_t regionCount,
                                                const VkImageResolve *pRegions)
{
    const struct device *device = device_of(commandBuffer);
    dirty(device, commandBuffer, dstImage);
    device->next.CmdResolveImage(commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount,
                                 pRegions);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdResolveImage2(VkCommandBuffer commandBuffer,
                                                 const VkResolveImageInfo2 *pResolveImageInfo)
{
    const struct device *device = device_of(commandBuffer);
    dirty(device, commandBuffer, pResolveImageInfo->dstImage);
    device->next.CmdResolveImage2(commandBuffer, pResolveImageInfo);
}
