/* SPDX-License-Identifier: MIT */
/*
 * Linear blits from formats that the driver cannot filter: nearest ones, or filtered by the layer, as the device's
 * linear fallback says. Other blits are passed on.
 */
#include "blits/blit.h"
#include "alpha/change.h"
#include "commands/command_buffer.h"
#include "device/device.h"
#include "objects/track.h"
#include "sampling/format.h"
#include "sampling/image.h"

/* True: the driver must not get this blit. False for images that the layer does not know. */
static bool needs_fallback(struct device *device, VkImage source, VkFilter filter)
{
    if (filter != VK_FILTER_LINEAR || device->caps.linear_fallback == FALLBACK_OFF)
        return false;
    const struct image *image = image_find(device->track, source);
    return image && !format_filters_linear(device->track, image->format, image->tiling);
}

/* ---- Blits that the layer cannot filter ---- */

enum obstacle {
    OBSTACLE_NONE,
    OBSTACLE_UNKNOWN,
    OBSTACLE_ADDRESS,
    OBSTACLE_QUEUE,
    OBSTACLE_FORMAT,
    OBSTACLE_PROTECTED,
    OBSTACLE_OPAQUE,
    OBSTACLE_CONDITION,
    OBSTACLE_CHAIN,
    OBSTACLES,
};

static enum obstacle find_obstacle(const struct command *command, const struct blit *blit)
{
    if (!command || !blit->source_image || !blit->target_image)
        return OBSTACLE_UNKNOWN;
    if (!command->device->caps.buffer_address)
        return OBSTACLE_ADDRESS;
    if (!command->pool->compute)
        return OBSTACLE_QUEUE;
    if (!blit->source_texels || !blit->target_texels)
        return OBSTACLE_FORMAT;
    if ((blit->source_image->flags | blit->target_image->flags) & VK_IMAGE_CREATE_PROTECTED_BIT)
        return OBSTACLE_PROTECTED;
    if (image_is_opaque(blit->source_image) || image_is_opaque(blit->target_image))
        return OBSTACLE_OPAQUE;
    if (command->inherits_condition)
        return OBSTACLE_CONDITION;
    for (uint32_t i = 0; !blit->regions && i < blit->region_count; i++) {
        if (blit->regions_2[i].pNext)
            return OBSTACLE_CHAIN;
    }
    return OBSTACLE_NONE;
}

/* Once for each obstacle. */
static void say_nearest(struct device *device, const struct blit *blit, enum obstacle obstacle)
{
    static const char *const reasons[OBSTACLES] = {
        [OBSTACLE_UNKNOWN] = "an image or the command buffer is not known to the layer",
        [OBSTACLE_ADDRESS] = "the device has no buffer device addresses",
        [OBSTACLE_QUEUE] = "the queue has no compute",
        [OBSTACLE_FORMAT] = "one of them is no format that the layer can filter",
        [OBSTACLE_PROTECTED] = "an image is protected",
        [OBSTACLE_OPAQUE] = "only the driver finds the texels of an image, which is subsampled or corner-sampled",
        [OBSTACLE_CONDITION] = "the command buffer inherits conditional rendering",
        [OBSTACLE_CHAIN] = "a region has a structure in its chain",
    };
    static struct message_place said[OBSTACLES];
    message_about_once(
        &said[obstacle], device, LOG_WARN,
        ABOUT({VK_OBJECT_TYPE_IMAGE, HANDLE_KEY(blit->source)}, {VK_OBJECT_TYPE_IMAGE, HANDLE_KEY(blit->target)}),
        "a linear blit from VkFormat %d to VkFormat %d is nearest, because %s",
        blit->source_image ? (int)blit->source_image->format : 0,
        blit->target_image ? (int)blit->target_image->format : 0, reasons[obstacle]);
}

/* ---- Hooks ---- */

/* Fills in the images. True if the layer has recorded the blit; else it must be a nearest one. */
static bool filtered(struct device *device, VkCommandBuffer handle, struct blit *blit)
{
    struct command *command = command_of(handle);
    if (device->caps.linear_fallback != FALLBACK_SHADER)
        return false;
    blit->source_image = image_find(device->track, blit->source);
    blit->target_image = image_find(device->track, blit->target);
    blit->source_texels = blit->source_image ? texel_layout_of(blit->source_image->format) : NULL;
    blit->target_texels = blit->target_image ? texel_layout_of(blit->target_image->format) : NULL;
    enum obstacle obstacle = find_obstacle(command, blit);
    if (obstacle != OBSTACLE_NONE) {
        say_nearest(device, blit, obstacle);
        return false;
    }
    return blit_record(command, blit);
}

static bool fall_back(struct device *device, VkCommandBuffer handle, struct blit *blit)
{
    bool done = filtered(device, handle, blit);
    count(done ? &device->track->counters.blits_shader : &device->track->counters.blits_nearest, 1);
    return done;
}

/* The effect of a blit on the alpha of its target. */
#define CHANGE_TARGET(WAY, IMAGE, COUNT, REGIONS)                                                                      \
    do {                                                                                                               \
        struct image *image = image_find(device->track, (IMAGE));                                                      \
        for (uint32_t i = 0; i < (COUNT); i++) {                                                                       \
            const VkOffset3D *offsets = (REGIONS)[i].dstOffsets;                                                       \
            change_image(                                                                                              \
                command_of(commandBuffer), image, FILLED_##WAY,                                                        \
                change_layers(image, &(REGIONS)[i].dstSubresource, offsets[0].z, offsets[1].z - offsets[0].z), 0);     \
        }                                                                                                              \
    } while (0)

VKAPI_ATTR void VKAPI_CALL hook_CmdBlitImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                             VkImageLayout srcImageLayout, VkImage dstImage,
                                             VkImageLayout dstImageLayout, uint32_t regionCount,
                                             const VkImageBlit *pRegions, VkFilter filter)
{
    struct device *device = device_of(commandBuffer);
    CHANGE_TARGET(CmdBlitImage, dstImage, regionCount, pRegions);
    if (needs_fallback(device, srcImage, filter)) {
        struct blit blit = {
            .source = srcImage,
            .target = dstImage,
            .source_layout = srcImageLayout,
            .target_layout = dstImageLayout,
            .region_count = regionCount,
            .regions = pRegions,
        };
        if (fall_back(device, commandBuffer, &blit))
            return;
        filter = VK_FILTER_NEAREST;
    }
    device->next.CmdBlitImage(commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount, pRegions,
                              filter);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBlitImage2(VkCommandBuffer commandBuffer, const VkBlitImageInfo2 *pBlitImageInfo)
{
    struct device *device = device_of(commandBuffer);
    VkBlitImageInfo2 info = *pBlitImageInfo;
    CHANGE_TARGET(CmdBlitImage2, info.dstImage, info.regionCount, info.pRegions);
    if (needs_fallback(device, info.srcImage, info.filter)) {
        struct blit blit = {
            .source = info.srcImage,
            .target = info.dstImage,
            .source_layout = info.srcImageLayout,
            .target_layout = info.dstImageLayout,
            .region_count = info.regionCount,
            .regions_2 = info.pRegions,
        };
        if (fall_back(device, commandBuffer, &blit))
            return;
        info.filter = VK_FILTER_NEAREST;
    }
    device->next.CmdBlitImage2(commandBuffer, &info);
}
