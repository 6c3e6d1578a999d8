/* SPDX-License-Identifier: MIT */
/*
 * Linear blits from formats that the driver cannot filter: nearest ones, or filtered by the layer, as the device's
 * linear fallback says; and cubic blits where the layer offers cubic filters. Other blits are passed on.
 */
#include "blits/blit.h"
#include "alpha/change.h"
#include "commands/command_buffer.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "newer_vulkan.h"
#include "objects/track.h"
#include "resolve/resolve.h"
#include "sampling/format.h"
#include "sampling/image.h"

static bool offers_cubic(const struct device *device)
{
    return device->caps.resolve.offered & RESOLVE_OFFER_CUBIC;
}

/* True: the driver may not get this filter, by the source's format or at all. */
static bool needs_fallback(const struct device *device, VkFilter filter)
{
    return filter == VK_FILTER_LINEAR ? device->caps.linear_fallback != FALLBACK_OFF
                                      : filter == VK_FILTER_CUBIC_EXT && offers_cubic(device);
}

/* The filter that is left to the driver. Images that the layer does not know count as filtered linearly. */
static VkFilter driver_filter(const struct device *device, VkImage source)
{
    const struct image *image = image_find(device->track, source);
    return !image || format_filters_linear(device->track, image->format, image->tiling) ? VK_FILTER_LINEAR
                                                                                        : VK_FILTER_NEAREST;
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

/* Once for each obstacle. `filter`: the driver's. */
static void say_obstacle(struct device *device, const struct blit *blit, enum obstacle obstacle, VkFilter filter)
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
        "a %s blit from VkFormat %d to VkFormat %d is %s, because %s", blit->cubic ? "cubic" : "linear",
        blit->source_image ? (int)blit->source_image->format : 0,
        blit->target_image ? (int)blit->target_image->format : 0, filter == VK_FILTER_LINEAR ? "linear" : "nearest",
        reasons[obstacle]);
}

/* ---- Hooks ---- */

/* Fills in the images. True if the layer has recorded the blit; else it must be one of the driver's `filter`. */
static bool filtered(struct device *device, VkCommandBuffer handle, struct blit *blit, VkFilter filter)
{
    struct command *command = command_of(handle);
    if (!blit->cubic && device->caps.linear_fallback != FALLBACK_SHADER)
        return false;
    blit->source_image = image_find(device->track, blit->source);
    blit->target_image = image_find(device->track, blit->target);
    blit->source_texels = blit->source_image ? texel_layout_of(blit->source_image->format) : NULL;
    blit->target_texels = blit->target_image ? texel_layout_of(blit->target_image->format) : NULL;
    enum obstacle obstacle = find_obstacle(command, blit);
    if (obstacle != OBSTACLE_NONE) {
        say_obstacle(device, blit, obstacle, filter);
        return false;
    }
    return blit_record(command, blit);
}

/* True: the layer has recorded the blit. Else *filter is the driver's. */
static bool fall_back(struct device *device, VkCommandBuffer handle, struct blit *blit, VkFilter *filter)
{
    const VkFilter driver = driver_filter(device, blit->source);
    if (driver == *filter)
        return false;
    bool done = filtered(device, handle, blit, driver);
    if (done || driver == VK_FILTER_NEAREST)
        count(done ? &device->track->counters.blits_shader : &device->track->counters.blits_nearest, 1);
    *filter = driver;
    return done;
}

/* A blit's weights, as in struct blit_parameters. */
static uint32_t cubic_of(VkFilter filter, const VkBlitImageCubicWeightsInfoQCOM *weights)
{
    if (filter != VK_FILTER_CUBIC_EXT)
        return 0;
    return 1 +
           (weights && (uint32_t)weights->cubicWeights < SAMPLER_CUBIC_WEIGHTS ? (uint32_t)weights->cubicWeights : 0);
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
    struct blit blit = {
        .source = srcImage,
        .target = dstImage,
        .source_layout = srcImageLayout,
        .target_layout = dstImageLayout,
        .cubic = cubic_of(filter, NULL),
        .region_count = regionCount,
        .regions = pRegions,
    };
    if (needs_fallback(device, filter) && fall_back(device, commandBuffer, &blit, &filter))
        return;
    device->next.CmdBlitImage(commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount, pRegions,
                              filter);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBlitImage2(VkCommandBuffer commandBuffer, const VkBlitImageInfo2 *pBlitImageInfo)
{
    struct device *device = device_of(commandBuffer);
    VkBlitImageInfo2 info = *pBlitImageInfo;
    CHANGE_TARGET(CmdBlitImage2, info.dstImage, info.regionCount, info.pRegions);
    const VkBlitImageCubicWeightsInfoQCOM *weights =
        pnext_find(info.pNext, VK_STRUCTURE_TYPE_BLIT_IMAGE_CUBIC_WEIGHTS_INFO_QCOM);
    struct blit blit = {
        .source = info.srcImage,
        .target = info.dstImage,
        .source_layout = info.srcImageLayout,
        .target_layout = info.dstImageLayout,
        .cubic = cubic_of(info.filter, weights),
        .region_count = info.regionCount,
        .regions_2 = info.pRegions,
    };
    if (needs_fallback(device, info.filter) && fall_back(device, commandBuffer, &blit, &info.filter))
        return;
    if (weights == info.pNext && offers_cubic(device)) /* no other structure is known there */
        info.pNext = weights ? weights->pNext : NULL;
    device->next.CmdBlitImage2(commandBuffer, &info);
}
