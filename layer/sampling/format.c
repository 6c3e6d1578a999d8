/* What formats can do, asked of the driver once each, and the sizes of their blocks and planes. */
#include <stdlib.h>

#include "sampling/format.h"
#include "device/device.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampling.h"

#define FILTERABLE                                                                                                     \
    (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT |                     \
     VK_FORMAT_FEATURE_2_BLIT_SRC_BIT)

/* Two threads may ask at once: the one that finds the other's answer in place keeps that. */
static const struct format_features *remember(struct track *track, VkFormat format)
{
    const uint64_t key = (uint64_t)(uint32_t)format + 1;
    struct format_features *features = calloc(1, sizeof(*features));
    if (!features)
        return NULL;
    *features = device_format_features(track->device, format);
    pthread_mutex_lock(&track->sampling->formats_lock);
    const struct format_features *there = table_find(&track->sampling->formats, key);
    if (!there && table_insert(&track->sampling->formats, key, features)) {
        there = features;
        features = NULL;
    }
    pthread_mutex_unlock(&track->sampling->formats_lock);
    free(features);
    return there;
}

VkFormatFeatureFlags2 format_features(struct track *track, VkFormat format, VkImageTiling tiling)
{
    const struct format_features *features = table_find(&track->sampling->formats, (uint64_t)(uint32_t)format + 1);
    if (!features)
        features = remember(track, format);
    if (!features || (tiling != VK_IMAGE_TILING_OPTIMAL && tiling != VK_IMAGE_TILING_LINEAR))
        return FILTERABLE;
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

/* ASTC's footprints, in the order of its formats (two or one of each). */
static const VkExtent2D astc[] = {{4, 4}, {5, 4},  {5, 5},  {6, 5},  {6, 6},   {8, 5},   {8, 6},
                                  {8, 8}, {10, 5}, {10, 6}, {10, 8}, {10, 10}, {12, 10}, {12, 12}};

VkExtent2D format_block(VkFormat format)
{
    const uint32_t number = (uint32_t)format;
    if (format >= VK_FORMAT_BC1_RGB_UNORM_BLOCK && format <= VK_FORMAT_EAC_R11G11_SNORM_BLOCK)
        return (VkExtent2D){4, 4};
    if (format >= VK_FORMAT_ASTC_4x4_UNORM_BLOCK && format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK)
        return astc[(number - VK_FORMAT_ASTC_4x4_UNORM_BLOCK) / 2];
    if (format >= VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK && format <= VK_FORMAT_ASTC_12x12_SFLOAT_BLOCK)
        return astc[number - VK_FORMAT_ASTC_4x4_SFLOAT_BLOCK];
    if (format >= VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG && format <= VK_FORMAT_PVRTC2_4BPP_SRGB_BLOCK_IMG)
        return (number - VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG) % 2 ? (VkExtent2D){4, 4} : (VkExtent2D){8, 4};
    return (VkExtent2D){1, 1};
}

VkExtent2D format_plane_divisor(VkFormat format, VkImageAspectFlags plane)
{
    if (!(plane & (VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT)))
        return (VkExtent2D){1, 1};
    switch (format) {
    case VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM:
    case VK_FORMAT_G8_B8R8_2PLANE_420_UNORM:
    case VK_FORMAT_G10X6_B10X6_R10X6_3PLANE_420_UNORM_3PACK16:
    case VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16:
    case VK_FORMAT_G12X4_B12X4_R12X4_3PLANE_420_UNORM_3PACK16:
    case VK_FORMAT_G12X4_B12X4R12X4_2PLANE_420_UNORM_3PACK16:
    case VK_FORMAT_G16_B16_R16_3PLANE_420_UNORM:
    case VK_FORMAT_G16_B16R16_2PLANE_420_UNORM:
        return (VkExtent2D){2, 2};
    case VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM:
    case VK_FORMAT_G8_B8R8_2PLANE_422_UNORM:
    case VK_FORMAT_G10X6_B10X6_R10X6_3PLANE_422_UNORM_3PACK16:
    case VK_FORMAT_G10X6_B10X6R10X6_2PLANE_422_UNORM_3PACK16:
    case VK_FORMAT_G12X4_B12X4_R12X4_3PLANE_422_UNORM_3PACK16:
    case VK_FORMAT_G12X4_B12X4R12X4_2PLANE_422_UNORM_3PACK16:
    case VK_FORMAT_G16_B16_R16_3PLANE_422_UNORM:
    case VK_FORMAT_G16_B16R16_2PLANE_422_UNORM:
        return (VkExtent2D){2, 1};
    default:
        return (VkExtent2D){1, 1};
    }
}
