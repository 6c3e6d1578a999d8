/* SPDX-License-Identifier: MIT */
/* Format: the properties of a VkFormat that sampling depends on. Pure, and constant. */
#ifndef CLAMPLER_FORMAT_H
#define CLAMPLER_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

enum {
    FORMAT_R = 1u << 0,
    FORMAT_G = 1u << 1,
    FORMAT_B = 1u << 2,
    FORMAT_A = 1u << 3,
    FORMAT_INTEGER = 1u << 4, /* without stencil, which is one always */
    FORMAT_SRGB = 1u << 5,
    FORMAT_DEPTH = 1u << 6, /* FORMAT_R is then depth */
    FORMAT_STENCIL = 1u << 7,
};

struct format_info {
    uint8_t bits;  /* FORMAT_*: channels and kind */
    uint8_t range; /* enum view_range; depth and stencil: depth's */
    uint8_t is_known;
};

/*
 * The facts of a format. Formats that are not known, which have planes or padding or are newer than the layer, are
 * floats with four channels.
 */
struct format_info format_info(VkFormat format);

/* An index below FORMAT_COUNT: one for each known format, and one for all that are not known. */
uint32_t format_index(VkFormat format);
enum { FORMAT_COUNT = 400 };

/* The UNORM format of an sRGB format, for views that skip decoding; VK_FORMAT_UNDEFINED if the format is not sRGB. */
VkFormat format_unorm(VkFormat format);

/* True: border colours of this format must name it even where customBorderColorWithoutFormat is enabled. */
bool format_must_be_named(VkFormat format);

#endif
