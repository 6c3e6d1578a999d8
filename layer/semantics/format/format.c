/* SPDX-License-Identifier: MIT */
/*
 * The table of formats: channels, their range and how they are encoded. Vulkan 1.0's formats are indexed by number,
 * later ones are runs of numbers.
 */
#include "format/format.h"

#include "format/range.h"
#include "vulkan_formats.h"

_Static_assert(FORMAT_R == 1u << VULKAN_R && FORMAT_G == 1u << VULKAN_G && FORMAT_B == 1u << VULKAN_B &&
                   FORMAT_A == 1u << VULKAN_A,
               "a bit for each component");

/* Components of more than 32 bits have the range of 32, as border colours have. */
static enum view_range range_of_integers(const struct vulkan_format *format)
{
    const bool sign = format->number == VULKAN_NUMBER_SINT;
    switch (format->bits[VULKAN_R]) {
    case 8:
        return sign ? VIEW_RANGE_SINT8 : VIEW_RANGE_UINT8;
    case 10:
        return sign ? VIEW_RANGE_SINT10 : VIEW_RANGE_UINT10;
    case 16:
        return sign ? VIEW_RANGE_SINT16 : VIEW_RANGE_UINT16;
    default:
        return sign ? VIEW_RANGE_SINT32 : VIEW_RANGE_UINT32;
    }
}

static enum view_range range_of_floats(const struct vulkan_format *format)
{
    const uint8_t bits = format->bits[VULKAN_R];
    if (format->number == VULKAN_NUMBER_SFLOAT)
        return bits == 16 || bits == VULKAN_BITS_COMPRESSED ? VIEW_RANGE_HALF : VIEW_RANGE_NONE;
    return bits == VULKAN_BITS_COMPRESSED ? VIEW_RANGE_UHALF : bits == 9 ? VIEW_RANGE_E5B9 : VIEW_RANGE_UF11;
}

static enum view_range range_of(const struct vulkan_format *format)
{
    switch (format->number) {
    case VULKAN_NUMBER_UNORM:
    case VULKAN_NUMBER_SRGB:
        return VIEW_RANGE_UNORM;
    case VULKAN_NUMBER_SNORM:
        return VIEW_RANGE_SNORM;
    case VULKAN_NUMBER_UINT:
    case VULKAN_NUMBER_SINT:
        return format->bits[VULKAN_STENCIL] ? VIEW_RANGE_UINT8 : range_of_integers(format);
    case VULKAN_NUMBER_SFLOAT:
    case VULKAN_NUMBER_UFLOAT:
        return range_of_floats(format);
    default: /* SCALED is float to a sampler */
        return VIEW_RANGE_NONE;
    }
}

struct format_info format_info(VkFormat name)
{
    const struct vulkan_format *format = vulkan_format(name);
    if (!format->index)
        return (struct format_info){FORMAT_R | FORMAT_G | FORMAT_B | FORMAT_A, VIEW_RANGE_NONE, 0};
    const bool depth = format->bits[VULKAN_DEPTH], stencil = format->bits[VULKAN_STENCIL];
    uint32_t bits = 0;
    for (uint32_t i = VULKAN_R; i <= VULKAN_A; i++)
        bits |= format->bits[i] ? 1u << i : 0u;
    if (depth || stencil)
        bits |= FORMAT_R | (depth ? FORMAT_DEPTH : 0u) | (stencil ? FORMAT_STENCIL : 0u);
    else if (format->number == VULKAN_NUMBER_UINT || format->number == VULKAN_NUMBER_SINT)
        bits |= FORMAT_INTEGER;
    else if (format->number == VULKAN_NUMBER_SRGB)
        bits |= FORMAT_SRGB;
    return (struct format_info){(uint8_t)bits, (uint8_t)range_of(format), 1};
}

_Static_assert((uint32_t)VULKAN_INDEXED_FORMATS < (uint32_t)FORMAT_COUNT, "an index for every known format");

uint32_t format_index(VkFormat format)
{
    return vulkan_format(format)->index;
}

bool format_must_be_named(VkFormat format)
{
    return format == VK_FORMAT_B4G4R4A4_UNORM_PACK16 || format == VK_FORMAT_B5G6R5_UNORM_PACK16 ||
           format == VK_FORMAT_B5G5R5A1_UNORM_PACK16 || format == (VkFormat)1000470000 /* A1B5G5R5_UNORM_PACK16 */;
}

VkFormat format_unorm(VkFormat format)
{
    return vulkan_format(format)->unorm;
}
