/* SPDX-License-Identifier: MIT */
/*
 * Copies to images, and resolves, with their effect on alpha by the table of layer/semantics/filled. Blits are in
 * layer/recording/blits/blit.c.
 */
#include "alpha/change.h"
#include "commands/command_buffer.h"
#include "device/device.h"
#include "objects/track.h"
#include "sampling/image.h"

static struct image *image_of(VkCommandBuffer commands, VkImage image)
{
    return image_find(device_of(commands)->track, image);
}

/* One region, in the members that all regions have. */
static void change(VkCommandBuffer commands, struct image *image, enum filled_way way,
                   const VkImageSubresourceLayers *layers, int32_t z, int32_t depth)
{
    change_image(command_of(commands), image, way, change_layers(image, layers, z, depth), 0);
}

/* The regions of a command: LAYERS, OFFSET and EXTENT name their members. */
#define CHANGE(WAY, IMAGE, COUNT, REGIONS, LAYERS, OFFSET, EXTENT)                                                     \
    do {                                                                                                               \
        struct image *changed = image_of(commandBuffer, (IMAGE));                                                      \
        for (uint32_t i = 0; i < (COUNT); i++)                                                                         \
            change(commandBuffer, changed, FILLED_##WAY, &(REGIONS)[i].LAYERS, (REGIONS)[i].OFFSET.z,                  \
                   (int32_t)(REGIONS)[i].EXTENT.depth);                                                                \
    } while (0)

/* The regions are in memory of the device, so any slice may be written. */
static void change_indirect(VkCommandBuffer commands, enum filled_way way, VkImage handle, uint32_t count,
                            const VkImageSubresourceLayers *layers)
{
    struct image *image = image_of(commands, handle);
    for (uint32_t i = 0; i < count; i++)
        change(commands, image, way, &layers[i], 0, INT32_MAX);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyBufferToImage(VkCommandBuffer commandBuffer, VkBuffer srcBuffer,
                                                     VkImage dstImage, VkImageLayout dstImageLayout,
                                                     uint32_t regionCount, const VkBufferImageCopy *pRegions)
{
    const struct device *device = device_of(commandBuffer);
    CHANGE(CmdCopyBufferToImage, dstImage, regionCount, pRegions, imageSubresource, imageOffset, imageExtent);
    device->next.CmdCopyBufferToImage(commandBuffer, srcBuffer, dstImage, dstImageLayout, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyBufferToImage2(VkCommandBuffer commandBuffer,
                                                      const VkCopyBufferToImageInfo2 *pCopyBufferToImageInfo)
{
    const struct device *device = device_of(commandBuffer);
    CHANGE(CmdCopyBufferToImage2, pCopyBufferToImageInfo->dstImage, pCopyBufferToImageInfo->regionCount,
           pCopyBufferToImageInfo->pRegions, imageSubresource, imageOffset, imageExtent);
    device->next.CmdCopyBufferToImage2(commandBuffer, pCopyBufferToImageInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyMemoryToImageKHR(VkCommandBuffer commandBuffer,
                                                        const VkCopyDeviceMemoryImageInfoKHR *pCopyMemoryInfo)
{
    const struct device *device = device_of(commandBuffer);
    /* Older headers do not declare regions: all of the image. */
    change_image(command_of(commandBuffer), image_of(commandBuffer, pCopyMemoryInfo->image),
                 FILLED_CmdCopyMemoryToImageKHR, (struct filled_range){0, UINT32_MAX, 0, UINT32_MAX}, 0);
    device->next.CmdCopyMemoryToImageKHR(commandBuffer, pCopyMemoryInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyMemoryToImageIndirectKHR(
    VkCommandBuffer commandBuffer, const VkCopyMemoryToImageIndirectInfoKHR *pCopyMemoryToImageIndirectInfo)
{
    const struct device *device = device_of(commandBuffer);
    change_indirect(commandBuffer, FILLED_CmdCopyMemoryToImageIndirectKHR, pCopyMemoryToImageIndirectInfo->dstImage,
                    pCopyMemoryToImageIndirectInfo->copyCount, pCopyMemoryToImageIndirectInfo->pImageSubresources);
    device->next.CmdCopyMemoryToImageIndirectKHR(commandBuffer, pCopyMemoryToImageIndirectInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyMemoryToImageIndirectNV(VkCommandBuffer commandBuffer,
                                                               VkDeviceAddress copyBufferAddress, uint32_t copyCount,
                                                               uint32_t stride, VkImage dstImage,
                                                               VkImageLayout dstImageLayout,
                                                               const VkImageSubresourceLayers *pImageSubresources)
{
    const struct device *device = device_of(commandBuffer);
    change_indirect(commandBuffer, FILLED_CmdCopyMemoryToImageIndirectNV, dstImage, copyCount, pImageSubresources);
    device->next.CmdCopyMemoryToImageIndirectNV(commandBuffer, copyBufferAddress, copyCount, stride, dstImage,
                                                dstImageLayout, pImageSubresources);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                             VkImageLayout srcImageLayout, VkImage dstImage,
                                             VkImageLayout dstImageLayout, uint32_t regionCount,
                                             const VkImageCopy *pRegions)
{
    const struct device *device = device_of(commandBuffer);
    CHANGE(CmdCopyImage, dstImage, regionCount, pRegions, dstSubresource, dstOffset, extent);
    device->next.CmdCopyImage(commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdCopyImage2(VkCommandBuffer commandBuffer, const VkCopyImageInfo2 *pCopyImageInfo)
{
    const struct device *device = device_of(commandBuffer);
    CHANGE(CmdCopyImage2, pCopyImageInfo->dstImage, pCopyImageInfo->regionCount, pCopyImageInfo->pRegions,
           dstSubresource, dstOffset, extent);
    device->next.CmdCopyImage2(commandBuffer, pCopyImageInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdResolveImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                                VkImageLayout srcImageLayout, VkImage dstImage,
                                                VkImageLayout dstImageLayout, uint32_t regionCount,
                                                const VkImageResolve *pRegions)
{
    const struct device *device = device_of(commandBuffer);
    CHANGE(CmdResolveImage, dstImage, regionCount, pRegions, dstSubresource, dstOffset, extent);
    device->next.CmdResolveImage(commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount,
                                 pRegions);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdResolveImage2(VkCommandBuffer commandBuffer,
                                                 const VkResolveImageInfo2 *pResolveImageInfo)
{
    const struct device *device = device_of(commandBuffer);
    CHANGE(CmdResolveImage2, pResolveImageInfo->dstImage, pResolveImageInfo->regionCount, pResolveImageInfo->pRegions,
           dstSubresource, dstOffset, extent);
    device->next.CmdResolveImage2(commandBuffer, pResolveImageInfo);
}
