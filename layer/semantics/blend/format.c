/* SPDX-License-Identifier: MIT */
/* Formats with alpha that can be colour attachments. */
#include <string.h>

#include "blend/blend.h"
#include "gl/gl_tokens.h"
#include "text/text.h"

/*
 * Where alpha lies in a texel, and the bits of its 1: kinds (blend_format_kind). 1 of two bits, 01, is that of signed
 * values and of integers; 1 of integers is the same with a sign and without.
 */
enum kind {
    KIND_LOW_4 = 1,
    KIND_HIGH_4,
    KIND_LOW_1,
    KIND_HIGH_1,
    KIND_UNORM_8,
    KIND_SNORM_8,
    KIND_ONE_8,
    KIND_UNORM_2,
    KIND_ONE_2,
    KIND_UNORM_16,
    KIND_SNORM_16,
    KIND_ONE_16,
    KIND_SFLOAT_16,
    KIND_ONE_32,
    KIND_SFLOAT_32,
};

#define FORMAT(NAME, NUMBER, KEEPS, ONE)                                                                               \
    {                                                                                                                  \
        VK_FORMAT_##NAME, BLEND_##NUMBER, BLEND_##KEEPS, KIND_##ONE, "VK_FORMAT_" #NAME                                \
    }

static const struct blend_format formats[] = {
    FORMAT(R4G4B4A4_UNORM_PACK16, FLOAT, KEEPS_NOTHING, LOW_4),
    FORMAT(B4G4R4A4_UNORM_PACK16, FLOAT, KEEPS_NOTHING, LOW_4),
    FORMAT(A4R4G4B4_UNORM_PACK16, FLOAT, KEEPS_NOTHING, HIGH_4),
    FORMAT(A4B4G4R4_UNORM_PACK16, FLOAT, KEEPS_NOTHING, HIGH_4),
    FORMAT(R5G5B5A1_UNORM_PACK16, FLOAT, KEEPS_NOTHING, LOW_1),
    FORMAT(B5G5R5A1_UNORM_PACK16, FLOAT, KEEPS_NOTHING, LOW_1),
    FORMAT(A1R5G5B5_UNORM_PACK16, FLOAT, KEEPS_NOTHING, HIGH_1),
    FORMAT(R8G8B8A8_UNORM, FLOAT, KEEPS_BITS, UNORM_8),
    FORMAT(R8G8B8A8_SNORM, FLOAT, KEEPS_VALUES, SNORM_8),
    FORMAT(R8G8B8A8_UINT, UINT, SHADER_WRITES, ONE_8),
    FORMAT(R8G8B8A8_SINT, SINT, SHADER_WRITES, ONE_8),
    FORMAT(R8G8B8A8_SRGB, FLOAT, KEEPS_BITS, UNORM_8),
    FORMAT(B8G8R8A8_UNORM, FLOAT, KEEPS_BITS, UNORM_8),
    FORMAT(B8G8R8A8_SNORM, FLOAT, KEEPS_VALUES, SNORM_8),
    FORMAT(B8G8R8A8_UINT, UINT, SHADER_WRITES, ONE_8),
    FORMAT(B8G8R8A8_SINT, SINT, SHADER_WRITES, ONE_8),
    FORMAT(B8G8R8A8_SRGB, FLOAT, KEEPS_BITS, UNORM_8),
    FORMAT(A8B8G8R8_UNORM_PACK32, FLOAT, KEEPS_BITS, UNORM_8),
    FORMAT(A8B8G8R8_SNORM_PACK32, FLOAT, KEEPS_VALUES, SNORM_8),
    FORMAT(A8B8G8R8_UINT_PACK32, UINT, SHADER_WRITES, ONE_8),
    FORMAT(A8B8G8R8_SINT_PACK32, SINT, SHADER_WRITES, ONE_8),
    FORMAT(A8B8G8R8_SRGB_PACK32, FLOAT, KEEPS_BITS, UNORM_8),
    FORMAT(A2R10G10B10_UNORM_PACK32, FLOAT, KEEPS_NOTHING, UNORM_2),
    FORMAT(A2R10G10B10_SNORM_PACK32, FLOAT, KEEPS_NOTHING, ONE_2),
    FORMAT(A2R10G10B10_UINT_PACK32, UINT, KEEPS_NOTHING, ONE_2),
    FORMAT(A2R10G10B10_SINT_PACK32, SINT, KEEPS_NOTHING, ONE_2),
    FORMAT(A2B10G10R10_UNORM_PACK32, FLOAT, KEEPS_NOTHING, UNORM_2),
    FORMAT(A2B10G10R10_SNORM_PACK32, FLOAT, KEEPS_NOTHING, ONE_2),
    FORMAT(A2B10G10R10_UINT_PACK32, UINT, KEEPS_NOTHING, ONE_2),
    FORMAT(A2B10G10R10_SINT_PACK32, SINT, KEEPS_NOTHING, ONE_2),
    FORMAT(R16G16B16A16_UNORM, FLOAT, KEEPS_BITS, UNORM_16),
    FORMAT(R16G16B16A16_SNORM, FLOAT, KEEPS_VALUES, SNORM_16),
    FORMAT(R16G16B16A16_UINT, UINT, SHADER_WRITES, ONE_16),
    FORMAT(R16G16B16A16_SINT, SINT, SHADER_WRITES, ONE_16),
    FORMAT(R16G16B16A16_SFLOAT, FLOAT, SHADER_WRITES, SFLOAT_16),
    FORMAT(R32G32B32A32_UINT, UINT, SHADER_WRITES, ONE_32),
    FORMAT(R32G32B32A32_SINT, SINT, SHADER_WRITES, ONE_32),
    FORMAT(R32G32B32A32_SFLOAT, FLOAT, SHADER_WRITES, SFLOAT_32),
    {(VkFormat)1000470000, BLEND_FLOAT, BLEND_KEEPS_NOTHING, KIND_HIGH_1,
     "VK_FORMAT_A1B5G5R5_UNORM_PACK16"}, /* newer */
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))
_Static_assert(FORMAT_COUNT == BLEND_FORMATS && FORMAT_COUNT <= 64, "a format is a bit of 64");
#define PREFIX "VK_FORMAT_"

const struct blend_format *blend_format(VkFormat format)
{
    for (uint32_t i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i].format == format)
            return &formats[i];
    }
    return NULL;
}

bool blend_is_signed(const struct blend_format *format)
{
    return format->number == BLEND_FLOAT && (strstr(format->name, "SFLOAT") || strstr(format->name, "SNORM"));
}

uint32_t blend_format_kind(const struct blend_format *format)
{
    return format->kind;
}

uint32_t blend_format_index(const struct blend_format *format)
{
    return (uint32_t)(format - formats);
}

const struct blend_format *blend_format_at(uint32_t index)
{
    return &formats[index];
}

VkPipelineColorBlendAttachmentState blend_fill_state(const struct blend_format *format, bool keep)
{
    if (!keep || format->keeps != BLEND_KEEPS_BITS)
        return (VkPipelineColorBlendAttachmentState){.colorWriteMask = VK_COLOR_COMPONENT_A_BIT};
    return (VkPipelineColorBlendAttachmentState){
        .blendEnable = VK_TRUE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_ZERO,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .colorBlendOp = VK_BLEND_OP_ADD,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
        .alphaBlendOp = VK_BLEND_OP_ADD,
        .colorWriteMask =
            VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT,
    };
}

const struct blend_format *blend_format_named(const char *name, uint32_t length)
{
    const uint32_t prefix = sizeof(PREFIX) - 1;
    if (length > prefix && text_same_start(name, PREFIX, prefix)) {
        name += prefix;
        length -= prefix;
    }
    for (uint32_t i = 0; i < FORMAT_COUNT; i++) {
        const char *known = formats[i].name + prefix;
        if (strlen(known) == length && text_same_start(known, name, length))
            return &formats[i];
    }
    return NULL;
}

/* OpenGL 4.6 compatibility, table 8.11. Intensity is not here: its alpha is what it is. */
bool blend_base_without_alpha(uint32_t base_format)
{
    switch (base_format) {
    case TOKEN_RED:
    case TOKEN_RG:
    case TOKEN_RGB:
    case TOKEN_LUMINANCE:
        return true;
    default:
        return false;
    }
}

void blend_clear_alpha(const struct blend_format *format, VkClearColorValue *color)
{
    switch (format->number) {
    case BLEND_UINT:
        color->uint32[3] = 1;
        break;
    case BLEND_SINT:
        color->int32[3] = 1;
        break;
    default:
        color->float32[3] = 1.0f;
        break;
    }
}
