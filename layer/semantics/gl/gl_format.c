/* SPDX-License-Identifier: MIT */
/* The table of OpenGL's internal formats, as runs of the registry's numbers, and how one is found in it. */
#include "gl/gl_format.h"

#include <stddef.h>

#include "format/range.h"
#include "gl/gl_tokens.h"

/*
 * Internal formats by runs of numbers: the registry gave them out in groups. Each run is `count` tokens from `first` on
 * of one kind and range, whose base formats are `bases` over and over again. Buffer textures have only those whose bit
 * is in `in_buffers` (OpenGL 4.6 compatibility, table 8.18).
 */
struct run {
    uint32_t first;
    uint8_t count;
    uint8_t kind;  /* enum gl_format_kind */
    uint8_t range; /* enum view_range */
    uint16_t bases[6];
    uint8_t in_buffers; /* bit n: the token first + n */
};

#define S TOKEN_STENCIL_INDEX
#define D TOKEN_DEPTH_COMPONENT
#define DS TOKEN_DEPTH_STENCIL
#define R TOKEN_RED
#define RG TOKEN_RG
#define RGB TOKEN_RGB
#define RGBA TOKEN_RGBA
#define A TOKEN_ALPHA
#define L TOKEN_LUMINANCE
#define LA TOKEN_LUMINANCE_ALPHA
#define I TOKEN_INTENSITY

#define ANY GL_FORMAT_ANY, VIEW_RANGE_NONE
#define STENCIL GL_FORMAT_STENCIL, VIEW_RANGE_NONE
#define UNORM GL_FORMAT_UNORM, VIEW_RANGE_UNORM
#define SNORM GL_FORMAT_SNORM, VIEW_RANGE_SNORM
#define FLOAT(RANGE) GL_FORMAT_FLOAT, VIEW_RANGE_##RANGE
#define INTEGER(RANGE) GL_FORMAT_INTEGER, VIEW_RANGE_##RANGE

/* clang-format off */
static const struct run runs[] = { /* ascending */
    {0x0001, 4, ANY, {L, LA, RGB, RGBA}, 0}, /* 1, 2, 3, 4 */
    {0x1901, 1, STENCIL, {S}, 0},            /* STENCIL_INDEX */
    {0x1902, 1, ANY, {D}, 0},                /* DEPTH_COMPONENT */
    {0x1903, 1, ANY, {R}, 0},                /* RED */
    {0x1906, 3, ANY, {A, RGB, RGBA}, 0},
    {0x1909, 2, ANY, {L, LA}, 0},
    {0x2A10, 1, UNORM, {RGB}, 0},            /* R3_G3_B2 */
    {0x803B, 4, UNORM, {A}, 0xA},            /* ALPHA4, 8, 12, 16 */
    {0x803F, 4, UNORM, {L}, 0xA},            /* LUMINANCE4, 8, 12, 16 */
    {0x8043, 6, UNORM, {LA}, 0x24},          /* LUMINANCE4_ALPHA4, 6_2, 8_8, 12_4, 12_12, 16_16 */
    {0x8049, 1, ANY, {I}, 0},                /* INTENSITY */
    {0x804A, 4, UNORM, {I}, 0xA},            /* INTENSITY4, 8, 12, 16 */
    {0x804F, 6, UNORM, {RGB}, 0},            /* RGB4, 5, 8, 10, 12, 16 */
    {0x8055, 7, UNORM, {RGBA}, 0x48},        /* RGBA2, 4, RGB5_A1, RGBA8, RGB10_A2, RGBA12, 16 */
    {0x80E1, 1, ANY, {RGBA}, 0},             /* BGRA */
    {0x81A5, 3, UNORM, {D}, 0},              /* DEPTH_COMPONENT16, 24, 32 */
    {0x8225, 2, ANY, {R, RG}, 0},            /* COMPRESSED_RED, COMPRESSED_RG */
    {0x8227, 1, ANY, {RG}, 0},               /* RG */
    {0x8229, 2, UNORM, {R}, 0x3},            /* R8, R16 */
    {0x822B, 2, UNORM, {RG}, 0x3},           /* RG8, RG16 */
    {0x822D, 1, FLOAT(HALF), {R}, 0x1},      /* R16F */
    {0x822E, 1, FLOAT(NONE), {R}, 0x1},      /* R32F */
    {0x822F, 1, FLOAT(HALF), {RG}, 0x1},     /* RG16F */
    {0x8230, 1, FLOAT(NONE), {RG}, 0x1},     /* RG32F */
    {0x8231, 1, INTEGER(SINT8), {R}, 0x1},   /* R8I */
    {0x8232, 1, INTEGER(UINT8), {R}, 0x1},   /* R8UI */
    {0x8233, 1, INTEGER(SINT16), {R}, 0x1},  /* R16I */
    {0x8234, 1, INTEGER(UINT16), {R}, 0x1},  /* R16UI */
    {0x8235, 1, INTEGER(SINT32), {R}, 0x1},  /* R32I */
    {0x8236, 1, INTEGER(UINT32), {R}, 0x1},  /* R32UI */
    {0x8237, 1, INTEGER(SINT8), {RG}, 0x1},  /* RG8I */
    {0x8238, 1, INTEGER(UINT8), {RG}, 0x1},  /* RG8UI */
    {0x8239, 1, INTEGER(SINT16), {RG}, 0x1}, /* RG16I */
    {0x823A, 1, INTEGER(UINT16), {RG}, 0x1}, /* RG16UI */
    {0x823B, 1, INTEGER(SINT32), {RG}, 0x1}, /* RG32I */
    {0x823C, 1, INTEGER(UINT32), {RG}, 0x1}, /* RG32UI */
    {0x83A0, 4, UNORM, {RGB, RGB, RGBA, RGBA}, 0}, /* RGB_S3TC, RGB4_S3TC, RGBA_S3TC, RGBA4_S3TC */
    {0x83F0, 1, UNORM, {RGB}, 0},            /* COMPRESSED_RGB_S3TC_DXT1 */
    {0x83F1, 3, UNORM, {RGBA}, 0},           /* COMPRESSED_RGBA_S3TC_DXT1, 3, 5 */
    {0x84E9, 1, ANY, {A}, 0},                /* COMPRESSED_ALPHA */
    {0x84EA, 5, ANY, {L, LA, I, RGB, RGBA}, 0}, /* COMPRESSED_LUMINANCE .. COMPRESSED_RGBA */
    {0x84F9, 1, ANY, {DS}, 0},               /* DEPTH_STENCIL */
    {0x86B0, 2, UNORM, {RGB, RGBA}, 0},      /* COMPRESSED_RGB_FXT1, COMPRESSED_RGBA_FXT1 */
    {0x87EE, 1, UNORM, {RGBA}, 0},           /* ATC_RGBA_INTERPOLATED_ALPHA */
    {0x8814, 6, FLOAT(NONE), {RGBA, RGB, A, I, L, LA}, 0x3F}, /* RGBA32F .. LUMINANCE_ALPHA32F */
    {0x881A, 6, FLOAT(HALF), {RGBA, RGB, A, I, L, LA}, 0x3D}, /* RGBA16F .. LUMINANCE_ALPHA16F */
    {0x8837, 1, UNORM, {LA}, 0},             /* COMPRESSED_LUMINANCE_ALPHA_3DC */
    {0x88EE, 1, UNORM, {RGB}, 0},            /* ETC1_SRGB8 */
    {0x88F0, 1, UNORM, {DS}, 0},             /* DEPTH24_STENCIL8 */
    {0x8A54, 2, UNORM, {RGB}, 0},            /* COMPRESSED_SRGB_PVRTC_2BPPV1, 4BPPV1 */
    {0x8A56, 2, UNORM, {RGBA}, 0},           /* COMPRESSED_SRGB_ALPHA_PVRTC_2BPPV1, 4BPPV1 */
    {0x8B90, 5, UNORM, {RGB, RGBA, RGB, RGBA, RGBA}, 0}, /* PALETTE4_RGB8 .. PALETTE4_RGB5_A1 */
    {0x8B95, 5, UNORM, {RGB, RGBA, RGB, RGBA, RGBA}, 0}, /* PALETTE8_RGB8 .. PALETTE8_RGB5_A1 */
    {0x8C00, 2, UNORM, {RGB}, 0},            /* COMPRESSED_RGB_PVRTC_4BPPV1, 2BPPV1 */
    {0x8C02, 2, UNORM, {RGBA}, 0},           /* COMPRESSED_RGBA_PVRTC_4BPPV1, 2BPPV1 */
    {0x8C3A, 1, FLOAT(UF11), {RGB}, 0},      /* R11F_G11F_B10F */
    {0x8C3D, 1, FLOAT(E5B9), {RGB}, 0},      /* RGB9_E5 */
    {0x8C40, 2, UNORM, {RGB}, 0},            /* SRGB, SRGB8 */
    {0x8C42, 2, UNORM, {RGBA}, 0},           /* SRGB_ALPHA, SRGB8_ALPHA8 */
    {0x8C44, 2, UNORM, {LA}, 0},             /* SLUMINANCE_ALPHA, SLUMINANCE8_ALPHA8 */
    {0x8C46, 2, UNORM, {L}, 0},              /* SLUMINANCE, SLUMINANCE8 */
    {0x8C48, 4, UNORM, {RGB, RGBA, L, LA}, 0}, /* COMPRESSED_SRGB .. COMPRESSED_SLUMINANCE_ALPHA */
    {0x8C4C, 1, UNORM, {RGB}, 0},            /* COMPRESSED_SRGB_S3TC_DXT1 */
    {0x8C4D, 3, UNORM, {RGBA}, 0},           /* COMPRESSED_SRGB_ALPHA_S3TC_DXT1, 3, 5 */
    {0x8C70, 1, UNORM, {L}, 0},              /* COMPRESSED_LUMINANCE_LATC1 */
    {0x8C71, 1, SNORM, {L}, 0},
    {0x8C72, 1, UNORM, {LA}, 0},             /* COMPRESSED_LUMINANCE_ALPHA_LATC2 */
    {0x8C73, 1, SNORM, {LA}, 0},
    {0x8C92, 2, UNORM, {RGB, RGBA}, 0},      /* ATC_RGB, ATC_RGBA_EXPLICIT_ALPHA */
    {0x8CAC, 1, FLOAT(NONE), {D}, 0},        /* DEPTH_COMPONENT32F */
    {0x8CAD, 1, FLOAT(NONE), {DS}, 0},       /* DEPTH32F_STENCIL8 */
    {0x8D46, 4, STENCIL, {S}, 0},            /* STENCIL_INDEX1, 4, 8, 16 */
    {0x8D62, 1, UNORM, {RGB}, 0},            /* RGB565 */
    {0x8D64, 1, UNORM, {RGB}, 0},            /* ETC1_RGB8 */
    {0x8D70, 6, INTEGER(UINT32), {RGBA, RGB, A, I, L, LA}, 0x3F}, /* RGBA32UI .. LUMINANCE_ALPHA32UI */
    {0x8D76, 6, INTEGER(UINT16), {RGBA, RGB, A, I, L, LA}, 0x3D}, /* RGBA16UI .. LUMINANCE_ALPHA16UI */
    {0x8D7C, 6, INTEGER(UINT8), {RGBA, RGB, A, I, L, LA}, 0x3D}, /* RGBA8UI .. LUMINANCE_ALPHA8UI */
    {0x8D82, 6, INTEGER(SINT32), {RGBA, RGB, A, I, L, LA}, 0x3F}, /* RGBA32I .. LUMINANCE_ALPHA32I */
    {0x8D88, 6, INTEGER(SINT16), {RGBA, RGB, A, I, L, LA}, 0x3D}, /* RGBA16I .. LUMINANCE_ALPHA16I */
    {0x8D8E, 6, INTEGER(SINT8), {RGBA, RGB, A, I, L, LA}, 0x3D}, /* RGBA8I .. LUMINANCE_ALPHA8I */
    {0x8DBB, 1, UNORM, {R}, 0},              /* COMPRESSED_RED_RGTC1 */
    {0x8DBC, 1, SNORM, {R}, 0},
    {0x8DBD, 1, UNORM, {RG}, 0},             /* COMPRESSED_RG_RGTC2 */
    {0x8DBE, 1, SNORM, {RG}, 0},
    {0x8E8C, 2, UNORM, {RGBA}, 0},           /* COMPRESSED_RGBA_BPTC_UNORM, COMPRESSED_SRGB_ALPHA_BPTC_UNORM */
    {0x8E8E, 1, FLOAT(HALF), {RGB}, 0},      /* COMPRESSED_RGB_BPTC_SIGNED_FLOAT */
    {0x8E8F, 1, FLOAT(UHALF), {RGB}, 0},     /* COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT */
    {0x8F90, 4, SNORM, {R, RG, RGB, RGBA}, 0}, /* RED_SNORM .. RGBA_SNORM */
    {0x8F94, 4, SNORM, {R, RG, RGB, RGBA}, 0}, /* R8_SNORM .. RGBA8_SNORM */
    {0x8F98, 4, SNORM, {R, RG, RGB, RGBA}, 0}, /* R16_SNORM .. RGBA16_SNORM */
    {0x8FBD, 2, UNORM, {R, RG}, 0},          /* SR8, SRG8 */
    {0x9010, 4, SNORM, {A, L, LA, I}, 0}, /* ALPHA_SNORM .. INTENSITY_SNORM */
    {0x9014, 4, SNORM, {A, L, LA, I}, 0}, /* ALPHA8_SNORM .. INTENSITY8_SNORM */
    {0x9018, 4, SNORM, {A, L, LA, I}, 0}, /* ALPHA16_SNORM .. INTENSITY16_SNORM */
    {0x906F, 1, INTEGER(UINT10), {RGBA}, 0}, /* RGB10_A2UI */
    {0x9137, 2, UNORM, {RGBA}, 0},           /* COMPRESSED_RGBA_PVRTC_2BPPV2, 4BPPV2 */
    {0x9270, 1, UNORM, {R}, 0},              /* COMPRESSED_R11_EAC */
    {0x9271, 1, SNORM, {R}, 0},
    {0x9272, 1, UNORM, {RG}, 0},             /* COMPRESSED_RG11_EAC */
    {0x9273, 1, SNORM, {RG}, 0},
    {0x9274, 2, UNORM, {RGB}, 0},            /* COMPRESSED_RGB8_ETC2, COMPRESSED_SRGB8_ETC2 */
    {0x9276, 4, UNORM, {RGBA}, 0},           /* COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2 .. SRGB8_ALPHA8_ETC2_EAC */
    {0x93B0, 14, ANY, {RGBA}, 0},            /* COMPRESSED_RGBA_ASTC_4x4 .. 12x12: LDR or HDR */
    {0x93C0, 10, ANY, {RGBA}, 0},            /* COMPRESSED_RGBA_ASTC_3x3x3 .. 6x6x6 */
    {0x93D0, 14, UNORM, {RGBA}, 0},          /* COMPRESSED_SRGB8_ALPHA8_ASTC_4x4 .. 12x12 */
    {0x93E0, 10, UNORM, {RGBA}, 0},          /* COMPRESSED_SRGB8_ALPHA8_ASTC_3x3x3 .. 6x6x6 */
    {0x93F0, 2, UNORM, {RGBA}, 0},           /* COMPRESSED_SRGB_ALPHA_PVRTC_2BPPV2, 4BPPV2 */
};
/* clang-format on */

bool gl_format_find(uint32_t token, struct gl_format *format)
{
    for (size_t i = 0; i < sizeof(runs) / sizeof(*runs) && runs[i].first <= token; i++) {
        if (token - runs[i].first >= runs[i].count)
            continue;
        uint32_t bases = 1;
        while (bases < 6 && runs[i].bases[bases])
            bases++;
        *format = (struct gl_format){.token = token,
                                     .base = runs[i].bases[(token - runs[i].first) % bases],
                                     .kind = (enum gl_format_kind)runs[i].kind,
                                     .range = (enum view_range)runs[i].range,
                                     .in_buffers = runs[i].in_buffers >> (token - runs[i].first) & 1};
        return true;
    }
    return false;
}
