/* SPDX-License-Identifier: MIT */
/*
 * Reads the setting `alpha_to_one` and the formats that the driver can blend, once a device. Creation of views, passes
 * and pipelines finds here whether a format may be one without alpha.
 */
#include "attachments/attachments.h"

#include <string.h>

#include "attachments/fill_view.h"
#include "blend/blend.h"
#include "device/device.h"
#include "device/message.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/format.h"

bool attachments_init(struct track *track)
{
    struct attachments *a = track->attachments;
    return pthread_mutex_init(&a->fill_lock, NULL) == 0 && table_init(&a->render_passes) && table_init(&a->fills) &&
           table_init(&a->framebuffers);
}

void attachments_finish(struct track *track)
{
    struct attachments *a = track->attachments;
    fill_finish(track);
    table_finish(&a->fills);
    table_finish(&a->framebuffers);
    table_finish(&a->render_passes);
    pthread_mutex_destroy(&a->fill_lock);
}

static void bad_name(struct track *track, const char *name, size_t length)
{
    message_about(track->device, LOG_WARN, NULL,
                  "setting alpha_to_one: \"%.*s\" is neither a VkFormat with alpha nor the word swapchain", (int)length,
                  name);
}

static void read_setting(struct track *track)
{
    static const char blanks[] = " \t";
    for (const char *at = track->device->instance->settings.alpha_to_one; *at;) {
        size_t length = strcspn(at, ",");
        const char *next = at + length + (at[length] == ',');
        size_t skip = strspn(at, blanks);
        const char *name = at + (skip < length ? skip : length);
        length -= (size_t)(name - at);
        while (length && strchr(blanks, name[length - 1]))
            length--;
        const struct blend_format *format = blend_format_named(name, (uint32_t)length);
        if (format)
            track->attachments->alpha_setting.formats |= UINT64_C(1) << blend_format_index(format);
        else if (length == 9 && !strncmp(name, "swapchain", length))
            track->attachments->alpha_setting.swapchain = true;
        else if (length)
            bad_name(track, name, length);
        at = next;
    }
}

bool alpha_by_format(const struct track *track, VkFormat format)
{
    const struct blend_format *known = track->attachments->alpha_setting.formats ? blend_format(format) : NULL;
    return known && (track->attachments->alpha_setting.formats >> blend_format_index(known) & 1);
}

bool alpha_possible(const struct track *track, VkFormat format)
{
    if (!track->device->caps.rgbx_attachments)
        return false;
    return track->device->caps.enabled.alphaToOneAttachments || track->attachments->alpha_setting.swapchain
               ? blend_format(format) != NULL
               : alpha_by_format(track, format);
}

/* Not every format that is rendered to can be blended; the tiling of an attachment is not known to a pipeline. */
static bool can_blend(VkFormatFeatureFlags2 tiling)
{
    return !(tiling & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT) ||
           (tiling & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT);
}

static void read_formats(struct track *track)
{
    const struct device *device = track->device;
    for (uint32_t i = 0; i < BLEND_FORMATS && device->caps.rgbx_attachments && device->caps.alpha_kept; i++) {
        const struct blend_format *format = blend_format_at(i);
        if (format->keeps < BLEND_KEEPS_VALUES) /* newer ones are not asked for where the driver may not know them */
            continue;
        const struct format_features features = device_format_features(device, format->format);
        if (can_blend(features.optimal) && can_blend(features.linear))
            track->attachments->kept_formats |= UINT64_C(1) << i;
    }
}

bool alpha_keeps(const struct track *track, const struct blend_format *format)
{
    return format && (track->attachments->kept_formats >> blend_format_index(format) & 1);
}

bool alpha_writes(const struct track *track, const struct blend_format *format)
{
    return format && track->device->caps.alpha_written && format->keeps == BLEND_SHADER_WRITES;
}

bool alpha_is_negative(const struct track *track, const struct blend_format *format)
{
    return format && blend_is_signed(format) &&
           !(track->device->instance->settings.assume_missing & MISSING_ALPHA_FILL);
}

bool alpha_writes_floats(const struct track *track)
{
    uint64_t seen = atomic_load_explicit(&track->attachments->formats_seen, memory_order_relaxed);
    for (uint32_t i = 0; seen; i++, seen >>= 1) {
        const struct blend_format *format = blend_format_at(i);
        if ((seen & 1) && format->number == BLEND_FLOAT && alpha_writes(track, format))
            return true;
    }
    return false;
}

void attachments_open(struct track *track)
{
    read_setting(track);
    read_formats(track);
}
