/* SPDX-License-Identifier: MIT */
#include <GL/gl.h>
#include <GL/glext.h>

#include "format.h"

#define R VK_COMPONENT_SWIZZLE_R
#define G VK_COMPONENT_SWIZZLE_G
#define B VK_COMPONENT_SWIZZLE_B
#define A VK_COMPONENT_SWIZZLE_A
#define I VK_COMPONENT_SWIZZLE_IDENTITY
#define PLACE(...)                                                                                                     \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define ATTACHED .attachment = true
#define BUFFER .attachment = true, .buffer = true
#define ORDER(...) .ordered = true, .order = {__VA_ARGS__}

#define UB GL_UNSIGNED_BYTE
#define US GL_UNSIGNED_SHORT
#define UNORM8(name, internal, gl, base, vulkan, channels, memory, ...)                                                \
    {                                                                                                                  \
        name, internal, gl, UB, base, VK_FORMAT_##vulkan, SAMPLE_FLOAT, TEXEL_BITS, channels, 8, memory,               \
            .step = 1 / 255.0f, __VA_ARGS__                                                                            \
    }
#define UNORM16(name, internal, gl, base, vulkan, channels, memory, ...)                                               \
    {                                                                                                                  \
        name, internal, gl, US, base, VK_FORMAT_##vulkan, SAMPLE_FLOAT, TEXEL_BITS, channels, 16, memory,              \
            .step = 1 / 65535.0f, __VA_ARGS__                                                                          \
    }
#define HALF(name, internal, gl, base, vulkan, channels, memory, ...)                                                  \
    {                                                                                                                  \
        name, internal, gl, GL_HALF_FLOAT, base, VK_FORMAT_##vulkan, SAMPLE_FLOAT, TEXEL_HALF, channels, 16, memory,   \
            __VA_ARGS__                                                                                                \
    }
#define FLOAT(name, internal, gl, base, vulkan, channels, memory, ...)                                                 \
    {                                                                                                                  \
        name, internal, gl, GL_FLOAT, base, VK_FORMAT_##vulkan, SAMPLE_FLOAT, TEXEL_FLOAT, channels, 32, memory,       \
            __VA_ARGS__                                                                                                \
    }
#define PACKED(name, internal, gl, type, base, vulkan, texels, bits, ...)                                              \
    {                                                                                                                  \
        name, internal, gl, type, base, VK_FORMAT_##vulkan, SAMPLE_FLOAT, texels, 1, bits, 0, __VA_ARGS__              \
    }
#define INTEGER(name, internal, gl, type, base, vulkan, sample, channels, bits, memory, ...)                           \
    {                                                                                                                  \
        name, internal, gl, type, base, VK_FORMAT_##vulkan, sample, TEXEL_BITS, channels, bits, memory, __VA_ARGS__    \
    }
#define BLOCKS(name, internal, base, vulkan, words)                                                                    \
    {                                                                                                                  \
        name, internal, base, GL_UNSIGNED_INT, base, VK_FORMAT_##vulkan, SAMPLE_FLOAT, TEXEL_BLOCK, words, 32, 0,      \
            .step = 1 / 255.0f                                                                                         \
    }
#define IN_ORDER .place = {0, 1, 2, 3}

const struct format random_formats[] = {
    UNORM8("R8", GL_R8, GL_RED, GL_RED, R8_UNORM, 1, 1, IN_ORDER, BUFFER),
    UNORM8("RG8", GL_RG8, GL_RG, GL_RG, R8G8_UNORM, 2, 2, IN_ORDER, BUFFER),
    UNORM8("RGBA8", GL_RGBA8, GL_RGBA, GL_RGBA, R8G8B8A8_UNORM, 4, 4, IN_ORDER, BUFFER),
    UNORM8("RGBA8_as_BGRA", GL_RGBA8, GL_RGBA, GL_RGBA, B8G8R8A8_UNORM, 4, 4, .place = PLACE(2, 1, 0, 3), ATTACHED),
    UNORM8("RGB8_in_RGBA", GL_RGB8, GL_RGB, GL_RGB, R8G8B8A8_UNORM, 3, 4, IN_ORDER, ATTACHED),
    UNORM8("RGB8_in_BGRA", GL_RGB8, GL_RGB, GL_RGB, B8G8R8A8_UNORM, 3, 4, .place = PLACE(2, 1, 0), ATTACHED),
    UNORM8("RG8_in_RGBA", GL_RG8, GL_RG, GL_RG, R8G8B8A8_UNORM, 2, 4, IN_ORDER, ATTACHED),
    UNORM8("R8_in_RGBA", GL_R8, GL_RED, GL_RED, R8G8B8A8_UNORM, 1, 4, IN_ORDER, ATTACHED),
    UNORM8("RGB8_as_XRGB", GL_RGB8, GL_RGB, GL_RGB, R8G8B8A8_UNORM, 3, 4, .place = PLACE(1, 2, 3), ATTACHED,
           ORDER(G, B, A, I)),
    UNORM8("RGB8_as_XBGR", GL_RGB8, GL_RGB, GL_RGB, R8G8B8A8_UNORM, 3, 4, .place = PLACE(3, 2, 1), ATTACHED,
           ORDER(A, B, G, I)),
    UNORM8("RGBA8_as_ABGR", GL_RGBA8, GL_RGBA, GL_RGBA, R8G8B8A8_UNORM, 4, 4, .place = PLACE(3, 2, 1, 0), ATTACHED,
           ORDER(A, B, G, R)),
    UNORM8("RGB8_as_BGRX", GL_RGB8, GL_RGB, GL_RGB, R8G8B8A8_UNORM, 3, 4, .place = PLACE(2, 1, 0), ATTACHED,
           ORDER(B, G, R, I)),
    UNORM8("RGBA8_as_ABG0", GL_RGBA8, GL_RGBA, GL_RGBA, R8G8B8A8_UNORM, 4, 4, .place = PLACE(3, 2, 1, -1), ATTACHED,
           ORDER(A, B, G, VK_COMPONENT_SWIZZLE_ZERO), .alpha_zero = true),
    UNORM8("RG8_as_GR", GL_RG8, GL_RG, GL_RG, R8G8_UNORM, 2, 2, .place = PLACE(1, 0), ATTACHED, ORDER(G, R, I, I)),
    UNORM8("ALPHA8_in_R", GL_ALPHA8, GL_ALPHA, GL_ALPHA, R8_UNORM, 1, 1, IN_ORDER, BUFFER),
    UNORM8("ALPHA8_in_RGBA", GL_ALPHA8, GL_ALPHA, GL_ALPHA, R8G8B8A8_UNORM, 1, 4, .place = PLACE(3), ATTACHED),
    UNORM8("ALPHA8_in_G", GL_ALPHA8, GL_ALPHA, GL_ALPHA, R8G8_UNORM, 1, 2, .place = PLACE(1), ATTACHED,
           ORDER(I, I, I, G)),
    UNORM8("LUMINANCE8_in_R", GL_LUMINANCE8, GL_LUMINANCE, GL_LUMINANCE, R8_UNORM, 1, 1, IN_ORDER, BUFFER),
    UNORM8("LUMINANCE8_in_RGBA", GL_LUMINANCE8, GL_LUMINANCE, GL_LUMINANCE, R8G8B8A8_UNORM, 1, 4, IN_ORDER, ATTACHED),
    UNORM8("LUMINANCE8_ALPHA8_in_RG", GL_LUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, R8G8_UNORM, 2, 2,
           IN_ORDER, BUFFER),
    UNORM8("LUMINANCE8_ALPHA8_in_RGBA", GL_LUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, R8G8B8A8_UNORM, 2,
           4, .place = PLACE(0, 3), ATTACHED),
    UNORM8("INTENSITY8_in_R", GL_INTENSITY8, GL_RED, GL_INTENSITY, R8_UNORM, 1, 1, IN_ORDER, ATTACHED),
    UNORM8("SRGB8_ALPHA8", GL_SRGB8_ALPHA8, GL_RGBA, GL_RGBA, R8G8B8A8_SRGB, 4, 4, IN_ORDER, .srgb = true),
    UNORM8("SRGB8_in_RGBA", GL_SRGB8, GL_RGB, GL_RGB, R8G8B8A8_SRGB, 3, 4, IN_ORDER, .srgb = true),
    {"R8_SNORM", GL_R8_SNORM, GL_RED, GL_BYTE, GL_RED, VK_FORMAT_R8_SNORM, SAMPLE_FLOAT, TEXEL_BITS, 1, 8, 1, IN_ORDER,
     .step = 1 / 127.0f},
    {"RGBA8_SNORM", GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, GL_RGBA, VK_FORMAT_R8G8B8A8_SNORM, SAMPLE_FLOAT, TEXEL_BITS, 4, 8,
     4, IN_ORDER, .step = 1 / 127.0f},
    UNORM16("R16", GL_R16, GL_RED, GL_RED, R16_UNORM, 1, 1, IN_ORDER, BUFFER),
    UNORM16("RGBA16", GL_RGBA16, GL_RGBA, GL_RGBA, R16G16B16A16_UNORM, 4, 4, IN_ORDER, BUFFER),
    UNORM16("RGB16_in_RGBA", GL_RGB16, GL_RGB, GL_RGB, R16G16B16A16_UNORM, 3, 4, IN_ORDER, ATTACHED),
    UNORM16("ALPHA16_in_R", GL_ALPHA16, GL_ALPHA, GL_ALPHA, R16_UNORM, 1, 1, IN_ORDER, ATTACHED),
    HALF("R16F", GL_R16F, GL_RED, GL_RED, R16_SFLOAT, 1, 1, IN_ORDER, BUFFER),
    HALF("RGBA16F", GL_RGBA16F, GL_RGBA, GL_RGBA, R16G16B16A16_SFLOAT, 4, 4, IN_ORDER, BUFFER),
    HALF("RGB16F_in_RGBA", GL_RGB16F, GL_RGB, GL_RGB, R16G16B16A16_SFLOAT, 3, 4, IN_ORDER, ATTACHED),
    HALF("RGBA16F_as_GBAR", GL_RGBA16F, GL_RGBA, GL_RGBA, R16G16B16A16_SFLOAT, 4, 4, .place = PLACE(1, 2, 3, 0),
         ATTACHED, ORDER(G, B, A, R)),
    HALF("LUMINANCE_ALPHA16F_in_RG", GL_LUMINANCE_ALPHA16F_ARB, GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, R16G16_SFLOAT,
         2, 2, IN_ORDER, ATTACHED),
    FLOAT("R32F", GL_R32F, GL_RED, GL_RED, R32_SFLOAT, 1, 1, IN_ORDER, BUFFER),
    FLOAT("RG32F", GL_RG32F, GL_RG, GL_RG, R32G32_SFLOAT, 2, 2, IN_ORDER, BUFFER),
    FLOAT("RGBA32F", GL_RGBA32F, GL_RGBA, GL_RGBA, R32G32B32A32_SFLOAT, 4, 4, IN_ORDER, BUFFER),
    FLOAT("RGB32F_in_RGBA", GL_RGB32F, GL_RGB, GL_RGB, R32G32B32A32_SFLOAT, 3, 4, IN_ORDER, ATTACHED),
    FLOAT("INTENSITY32F_in_R", GL_INTENSITY32F_ARB, GL_RED, GL_INTENSITY, R32_SFLOAT, 1, 1, IN_ORDER, ATTACHED),
    PACKED("RGB565", GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, GL_RGB, R5G6B5_UNORM_PACK16, TEXEL_BITS, 16,
           .step = 1 / 31.0f, ATTACHED),
    PACKED("RGB5_A1", GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, GL_RGBA, R5G5B5A1_UNORM_PACK16, TEXEL_BITS, 16,
           .step = 1 / 31.0f),
    PACKED("RGBA4", GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, GL_RGBA, R4G4B4A4_UNORM_PACK16, TEXEL_BITS, 16,
           .step = 1 / 15.0f),
    PACKED("RGB10_A2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, GL_RGBA, A2B10G10R10_UNORM_PACK32,
           TEXEL_BITS, 32, .step = 1 / 1023.0f),
    PACKED("R11F_G11F_B10F", GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, GL_RGB,
           B10G11R11_UFLOAT_PACK32, TEXEL_F11, 32, .step = 0),
    PACKED("RGB9_E5", GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, GL_RGB, E5B9G9R9_UFLOAT_PACK32, TEXEL_E5, 32,
           .step = 0),
    BLOCKS("BC1_RGB", GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_RGB, BC1_RGB_UNORM_BLOCK, 2),
    BLOCKS("BC1_RGBA", GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, GL_RGBA, BC1_RGBA_UNORM_BLOCK, 2),
    BLOCKS("BC2", GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, GL_RGBA, BC2_UNORM_BLOCK, 4),
    BLOCKS("BC3", GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_RGBA, BC3_UNORM_BLOCK, 4),
    BLOCKS("BC4", GL_COMPRESSED_RED_RGTC1, GL_RED, BC4_UNORM_BLOCK, 2),
    BLOCKS("BC5", GL_COMPRESSED_RG_RGTC2, GL_RG, BC5_UNORM_BLOCK, 4),
    BLOCKS("ETC2_RGB", GL_COMPRESSED_RGB8_ETC2, GL_RGB, ETC2_R8G8B8_UNORM_BLOCK, 2),
    BLOCKS("ETC2_RGBA", GL_COMPRESSED_RGBA8_ETC2_EAC, GL_RGBA, ETC2_R8G8B8A8_UNORM_BLOCK, 4),
    INTEGER("R8I", GL_R8I, GL_RED_INTEGER, GL_BYTE, GL_RED, R8_SINT, SAMPLE_INT, 1, 8, 1, IN_ORDER, BUFFER),
    INTEGER("RGBA8I", GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, GL_RGBA, R8G8B8A8_SINT, SAMPLE_INT, 4, 8, 4, IN_ORDER,
            BUFFER),
    INTEGER("RGBA8UI", GL_RGBA8UI, GL_RGBA_INTEGER, UB, GL_RGBA, R8G8B8A8_UINT, SAMPLE_UINT, 4, 8, 4, IN_ORDER, BUFFER),
    INTEGER("RGB8UI_in_RGBA", GL_RGB8UI, GL_RGB_INTEGER, UB, GL_RGB, R8G8B8A8_UINT, SAMPLE_UINT, 3, 8, 4, IN_ORDER,
            ATTACHED),
    INTEGER("R16UI", GL_R16UI, GL_RED_INTEGER, US, GL_RED, R16_UINT, SAMPLE_UINT, 1, 16, 1, IN_ORDER, BUFFER),
    INTEGER("RG16I", GL_RG16I, GL_RG_INTEGER, GL_SHORT, GL_RG, R16G16_SINT, SAMPLE_INT, 2, 16, 2, IN_ORDER, BUFFER),
    INTEGER("RGBA32UI", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, GL_RGBA, R32G32B32A32_UINT, SAMPLE_UINT, 4, 32,
            4, IN_ORDER, BUFFER),
    INTEGER("R32I", GL_R32I, GL_RED_INTEGER, GL_INT, GL_RED, R32_SINT, SAMPLE_INT, 1, 32, 1, IN_ORDER, BUFFER),
    {"DEPTH16", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, US, GL_DEPTH_COMPONENT, VK_FORMAT_D16_UNORM, SAMPLE_FLOAT,
     TEXEL_BITS, 1, 16, 1, .depth = true, .step = 1 / 65535.0f},
    {"DEPTH24_in_D32F", GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_FLOAT, GL_DEPTH_COMPONENT, VK_FORMAT_D32_SFLOAT,
     SAMPLE_FLOAT, TEXEL_DEPTH24, 1, 32, 1, .depth = true},
    {"DEPTH32F", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, GL_DEPTH_COMPONENT, VK_FORMAT_D32_SFLOAT,
     SAMPLE_FLOAT, TEXEL_DEPTH, 1, 32, 1, .depth = true},
    {"DEPTH32F_STENCIL8", GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, GL_DEPTH_STENCIL,
     VK_FORMAT_D32_SFLOAT_S8_UINT, SAMPLE_FLOAT, TEXEL_STENCIL, 2, 32, 1, .depth = true},
};
const int random_format_count = sizeof(random_formats) / sizeof(random_formats[0]);

bool format_moves(const struct format *f)
{
    return f->ordered || (f->base == GL_ALPHA && f->place[0] != 3) ||
           (f->base == GL_LUMINANCE_ALPHA && f->place[1] != 3);
}
