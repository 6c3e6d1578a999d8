/* SPDX-License-Identifier: MIT */
/* Converts Vulkan's ranges to ranges of alpha states, and applies the effects of ways. */
#include "alpha/change.h"

#include "blend/blend.h"
#include "commands/command_buffer.h"
#include "commands/commands.h"
#include "device/device.h"
#include "filled/filled.h"
#include "filled/ways.h"
#include "objects/track.h"
#include "sampling/image.h"

/* ---- Subresources ---- */

struct filled_range change_range(const struct track *track, const struct image *image,
                                 const VkImageSubresourceRange *range, bool barrier)
{
    struct filled_range result = {range->baseMipLevel, range->levelCount, range->baseArrayLayer, range->layerCount};
    if (image && image->type == VK_IMAGE_TYPE_3D && !(barrier && image_slice_barriers(track->device, image)))
        result.layer = 0, result.layer_count = UINT32_MAX;
    return result; /* VK_REMAINING_* are the greatest numbers */
}

struct filled_range change_layers(const struct image *image, const VkImageSubresourceLayers *layers, int32_t z,
                                  int32_t depth)
{
    if (!image || image->type != VK_IMAGE_TYPE_3D)
        return (struct filled_range){layers->mipLevel, 1, layers->baseArrayLayer, layers->layerCount};
    const int32_t first = depth < 0 ? z + depth : z;
    return (struct filled_range){layers->mipLevel, 1, first < 0 ? 0 : (uint32_t)first,
                                 (uint32_t)(depth < 0 ? -depth : depth)};
}

/* ---- Changes ---- */

static uint64_t new_number(const struct command *command)
{
    return atomic_fetch_add_explicit(&command->track->commands->recordings, 1, memory_order_relaxed) + 1;
}

void change_image(struct command *command, struct image *image, enum filled_way way, struct filled_range range,
                  uint32_t kind)
{
    if (command)
        filled_apply(image_filled(image), range, &command->filled, filled_effect(way), kind);
}

void change_view(struct command *command, const struct attachment_view *attachment, enum filled_effect effect)
{
    filled_apply(image_filled(attachment->image), attachment->range, &command->filled, effect,
                 attachment->format ? blend_format_kind(attachment->format) : 0);
}

void change_all(struct command *command, enum filled_way way)
{
    if (filled_effect(way) != FILLED_LEAVES)
        filled_forget(&command->filled, new_number(command));
}

void change_begin(struct command *command)
{
    filled_begin(&command->filled, new_number(command));
}

void change_execute(struct command *command, const struct command *secondary)
{
    if (filled_execute(&command->filled, secondary ? &secondary->filled : NULL))
        change_all(command, FILLED_SECONDARY);
}

/* Of a group's devices only those of the mask that counts then write: another pass may be for others. */
bool change_needs_fill(const struct command *command, const struct attachment_view *attachment)
{
    struct image *image = attachment->image;
    return attachment->fill && image &&
           (command->device->group || atomic_load_explicit(&image->unseen, memory_order_relaxed) ||
            filled_state(image_filled(image), attachment->range, &command->filled,
                         blend_format_kind(attachment->format)) != FILLED_ONE);
}
