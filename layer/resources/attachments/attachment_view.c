/* SPDX-License-Identifier: MIT */
/* Views as colour attachments, and the alpha states of their images. */
#include "attachments/attachment_view.h"

#include "attachments/attachments.h"
#include "blend/blend.h"
#include "blend/order.h"
#include "device/device.h"
#include "filled/filled.h"
#include "objects/track.h"
#include "sampling/image.h"

struct filled_range attachment_range(const struct image *image, const VkImageViewCreateInfo *info)
{
    const VkImageSubresourceRange *range = &info->subresourceRange;
    struct filled_range result = {range->baseMipLevel, range->levelCount, range->baseArrayLayer, range->layerCount};
    if (image && image->type == VK_IMAGE_TYPE_3D && info->viewType == VK_IMAGE_VIEW_TYPE_3D)
        result.layer = 0, result.layer_count = UINT32_MAX;
    return result;
}

/* Layers of views of a 3D image are slices of its one layer, unless barriers count them. */
VkImageSubresourceRange attachment_shown(const struct track *track, const struct image *image,
                                         const VkImageViewCreateInfo *info)
{
    VkImageSubresourceRange range = info->subresourceRange;
    if (!image || image->type != VK_IMAGE_TYPE_3D)
        return range;
    if (info->viewType == VK_IMAGE_VIEW_TYPE_3D || !image_slice_barriers(track->device, image))
        range.baseArrayLayer = 0, range.layerCount = VK_REMAINING_ARRAY_LAYERS;
    return range;
}

/* The order of a view's channels. One that was refused is the format's own. */
static struct channel_order order_of(const struct track *track, const VkImageViewCreateInfo *info, uint32_t base_format,
                                     const VkComponentMapping *channels, bool drawn)
{
    struct channel_order order;
    const char *why;
    const bool by_view = track->device->caps.enabled.alphaToOneAttachments;
    order_make(by_view ? base_format : 0, by_view ? channels : NULL, info->format, drawn, &order, &why);
    return order;
}

/* Remembers whether all views of an image have one order. */
static void remember_order(struct image *image, const struct channel_order *order)
{
    uint32_t before = 0;
    const uint32_t key = order_key(order);
    if (!atomic_compare_exchange_strong_explicit(&image->order, &before, key, memory_order_relaxed,
                                                 memory_order_relaxed) &&
        before != key)
        atomic_store_explicit(&image->order, IMAGE_ORDERS, memory_order_relaxed);
}

bool attachment_view(struct track *track, struct image *image, const VkImageViewCreateInfo *info, uint32_t base_format,
                     const VkComponentMapping *channels, bool drawn, struct attachment_view *attachment)
{
    const VkFormat format = info->format;
    *attachment = (struct attachment_view){.image = image,
                                           .handle = info->image,
                                           .range = attachment_range(image, info),
                                           .shown = attachment_shown(track, image, info)};
    if (!track->device->caps.rgbx_attachments)
        return false;
    const bool by_view = track->device->caps.enabled.alphaToOneAttachments;
    attachment->format = blend_format(format);
    const struct channel_order order = order_of(track, info, base_format, channels, drawn);
    const bool natural = order_is_natural(&order);
    attachment->order = natural ? 0 : order_key(&order);
    if (image)
        remember_order(image, &order);
    if (!attachment->format)
        return false;
    attachment->one =
        natural && ((by_view && base_format && order.at[3] == ORDER_ONE) || alpha_by_format(track, format) ||
                    (track->attachments->alpha_setting.swapchain && image && image->swapchain));
    if (attachment->one) {
        atomic_store(&track->attachments->alpha_seen, true);
        atomic_fetch_or_explicit(&track->attachments->formats_seen,
                                 UINT64_C(1) << blend_format_index(attachment->format), memory_order_relaxed);
    }
    if (image && image->shared && attachment->one)
        image_say_shared(track, VK_OBJECT_TYPE_IMAGE, HANDLE_KEY(info->image));
    if (image)
        atomic_store_explicit(attachment->one ? &image->alpha_views : &image->other_views, true, memory_order_relaxed);
    return attachment->one;
}

/* Alpha states of a 3D image are those of its slices, as many on every level as on the first. */
static uint32_t all_layers(const struct image *image)
{
    return image->type == VK_IMAGE_TYPE_3D ? image->extent.depth : image->layers;
}

bool attachment_watch(struct track *track, struct image *image)
{
    struct filled *known = NULL;
    const uint32_t layers = all_layers(image);
    const size_t bytes = filled_bytes(image->levels, layers);
    if (image_filled(image))
        return true;
    struct filled *made = object_alloc(track, NULL, bytes);
    if (!made)
        return false;
    filled_init(made, image->levels, layers);
    if (!atomic_compare_exchange_strong_explicit(&image->filled, &known, made, memory_order_acq_rel,
                                                 memory_order_acquire))
        object_free(track, NULL, made, bytes); /* another thread was faster */
    return true;
}
