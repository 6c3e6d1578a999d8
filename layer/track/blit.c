/*
 * Linear blits from formats that the driver cannot filter (shared semantics of linear fallbacks): nearest ones, or
 * filtered by the layer. Everything else goes down as it came.
 */
#include "track/track.h"

/* Whether a blit must not reach the driver as it is. What the layer has not seen, it cannot judge. */
static bool needs_fallback(struct device *device, VkImage source, VkFilter filter)
{
    if (filter != VK_FILTER_LINEAR || device->linear_fallback == FALLBACK_OFF)
        return false;
    const struct image *image = image_find(device->track, source);
    return image && !image->linear;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBlitImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                             VkImageLayout srcImageLayout, VkImage dstImage,
                                             VkImageLayout dstImageLayout, uint32_t regionCount,
                                             const VkImageBlit *pRegions, VkFilter filter)
{
    struct device *device = device_of(commandBuffer);
    if (needs_fallback(device, srcImage, filter)) {
        filter = VK_FILTER_NEAREST;
        count(&device->track->counters.blits_nearest, 1);
    }
    device->next.CmdBlitImage(commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount, pRegions,
                              filter);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBlitImage2(VkCommandBuffer commandBuffer, const VkBlitImageInfo2 *pBlitImageInfo)
{
    struct device *device = device_of(commandBuffer);
    VkBlitImageInfo2 info = *pBlitImageInfo;
    if (needs_fallback(device, info.srcImage, info.filter)) {
        info.filter = VK_FILTER_NEAREST;
        count(&device->track->counters.blits_nearest, 1);
    }
    device->next.CmdBlitImage2(commandBuffer, &info);
}
