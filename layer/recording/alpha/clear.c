/* SPDX-License-Identifier: MIT */
/* Clears of attachments and images that have no alpha: they store alpha 1. */
#include "alpha/change.h"
#include "alpha/pass.h"

#include "attachments/attachments.h"
#include "blend/blend.h"
#include "blend/order.h"
#include "commands/command_buffer.h"
#include "device/device.h"
#include "objects/track.h"
#include "sampling/image.h"

/* The value for channels that are elsewhere. */
static void clear_in_order(uint32_t key, VkClearColorValue *color)
{
    const struct channel_order order = order_of_key(key);
    if (key)
        order_clear_value(&order, color);
}

enum { CLEAR_CHUNK = 16 }; /* clears copied to the stack at a time */

VKAPI_ATTR void VKAPI_CALL hook_CmdClearAttachments(VkCommandBuffer commandBuffer, uint32_t attachmentCount,
                                                    const VkClearAttachment *pAttachments, uint32_t rectCount,
                                                    const VkClearRect *pRects)
{
    const struct command *command = command_of(commandBuffer);
    const struct device *device = device_of(commandBuffer);
    if (!command || !(command->pass.clears | command->orders.moved)) {
        device->next.CmdClearAttachments(commandBuffer, attachmentCount, pAttachments, rectCount, pRects);
        return;
    }
    for (uint32_t first = 0; first < attachmentCount; first += CLEAR_CHUNK) {
        VkClearAttachment clears[CLEAR_CHUNK];
        const uint32_t rest = attachmentCount - first, count = rest < CLEAR_CHUNK ? rest : CLEAR_CHUNK;
        for (uint32_t i = 0; i < count; i++) {
            clears[i] = pAttachments[first + i];
            const uint32_t color = clears[i].colorAttachment;
            if (!(clears[i].aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) || color >= COLOR_ATTACHMENTS)
                continue;
            clear_in_order(command->orders.orders[color], &clears[i].clearValue.color);
            if ((command->pass.clears >> color & 1) && command->pass.formats[color])
                blend_clear_alpha(command->pass.formats[color], &clears[i].clearValue.color);
        }
        device->next.CmdClearAttachments(commandBuffer, count, clears, rectCount, pRects);
    }
}

/*
 * An image that is seen with and without alpha keeps the alpha that the program gives; one that has no views yet goes
 * by the setting.
 */
static bool clears_to_one(const struct track *track, const struct image *image)
{
    const bool alpha = atomic_load_explicit(&image->alpha_views, memory_order_relaxed);
    const bool others = atomic_load_explicit(&image->other_views, memory_order_relaxed);
    if (alpha || others)
        return alpha && !others;
    return alpha_by_format(track, image->format) || (track->attachments->alpha_setting.swapchain && image->swapchain);
}

/* The order of an image all of whose views have the same, where channels are elsewhere in that; else 0. */
static uint32_t common_order(const struct image *image)
{
    const uint32_t key = atomic_load_explicit(&image->order, memory_order_relaxed);
    const struct channel_order order = order_of_key(key);
    return key && key != IMAGE_ORDERS && !order_is_natural(&order) ? key : 0;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdClearColorImage(VkCommandBuffer commandBuffer, VkImage image,
                                                   VkImageLayout imageLayout, const VkClearColorValue *pColor,
                                                   uint32_t rangeCount, const VkImageSubresourceRange *pRanges)
{
    struct command *command = command_of(commandBuffer);
    const struct device *device = device_of(commandBuffer);
    struct image *known = image_find(device->track, image);
    const struct blend_format *format = known ? blend_format(known->format) : NULL;
    VkClearColorValue color = *pColor;
    const bool to_one = format && clears_to_one(device->track, known);
    if (to_one)
        blend_clear_alpha(format, &color);
    else if (known)
        clear_in_order(common_order(known), &color);
    for (uint32_t i = 0; i < rangeCount; i++)
        change_image(command, known, to_one ? FILLED_CLEAR_TO_ONE : FILLED_CmdClearColorImage,
                     change_range(device->track, known, &pRanges[i], false), to_one ? blend_format_kind(format) : 0);
    device->next.CmdClearColorImage(commandBuffer, image, imageLayout, &color, rangeCount, pRanges);
}
