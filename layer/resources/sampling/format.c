/* SPDX-License-Identifier: MIT */
/* Features of formats, queried from the driver once each, and the sizes of their blocks and planes. */
#include <stdlib.h>

#include "sampling/format.h"
#include "device/device.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampling.h"
#include "vulkan_formats.h"

#define FILTERABLE                                                                                                     \
    (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT |                     \
     VK_FORMAT_FEATURE_2_BLIT_SRC_BIT)

/*
 * Two threads may query at once: the one that finds the other's entry uses that. If memory runs out the result is not
 * cached.
 */
static const struct format_features *remember(struct track *track, VkFormat format, struct format_features *asked)
{
    const uint64_t key = (uint64_t)(uint32_t)format + 1;
    struct format_features *features = malloc(sizeof(*features));
    *asked = device_format_features(track->device, format);
    if (!features)
        return asked;
    *features = *asked;
    pthread_mutex_lock(&track->sampling->formats_lock);
    const struct format_features *there = table_find(&track->sampling->formats, key);
    if (!there && table_insert(&track->sampling->formats, key, features)) {
        there = features;
        features = NULL;
    }
    pthread_mutex_unlock(&track->sampling->formats_lock);
    free(features);
    return there ? there : asked;
}

VkFormatFeatureFlags2 format_features(struct track *track, VkFormat format, VkImageTiling tiling)
{
    struct format_features asked;
    const struct format_features *features = table_find(&track->sampling->formats, (uint64_t)(uint32_t)format + 1);
    if (tiling != VK_IMAGE_TILING_OPTIMAL && tiling != VK_IMAGE_TILING_LINEAR)
        return FILTERABLE;
    if (!features)
        features = remember(track, format, &asked);
    return tiling == VK_IMAGE_TILING_LINEAR ? features->linear : features->optimal;
}

bool format_filters_linear(struct track *track, VkFormat format, VkImageTiling tiling)
{
    return format_features(track, format, tiling) & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
}

static void forget(void *value, void *user)
{
    (void)user;
    free(value);
}

void formats_finish(struct track *track)
{
    table_visit(&track->sampling->formats, forget, NULL);
}

/* ---- Blocks and planes ---- */

VkExtent2D format_block(VkFormat format)
{
    const struct vulkan_format *known = vulkan_format(format);
    return known->compressed ? (VkExtent2D){known->block[0], known->block[1]} : (VkExtent2D){1, 1};
}

VkExtent2D format_plane_divisor(VkFormat format, VkImageAspectFlags plane)
{
    if (!(plane & (VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT)))
        return (VkExtent2D){1, 1};
    const struct vulkan_format *known = vulkan_format(format);
    return (VkExtent2D){known->divisor[0], known->divisor[1]};
}
