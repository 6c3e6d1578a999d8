#include "gl_format.h"

#include <stddef.h>

#include "gl_tokens.h"

/*
 * Internal formats by runs of numbers: the registry gave them out in groups. Each run is `count` tokens from `first` on
 * of one kind, whose base formats are `bases` over and over again.
 */
struct run {
    uint32_t first;
    uint8_t count;
    uint8_t kind; /* enum gl_format_kind */
    uint16_t bases[6];
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

/* clang-format off */
static const struct run runs[] = { /* ascending */
    {0x1901, 1, GL_FORMAT_STENCIL, {S}},     /* STENCIL_INDEX */
    {0x1902, 1, GL_FORMAT_ANY, {D}},         /* DEPTH_COMPONENT */
    {0x1903, 1, GL_FORMAT_ANY, {R}},         /* RED */
    {0x1906, 3, GL_FORMAT_ANY, {A, RGB, RGBA}},
    {0x1909, 2, GL_FORMAT_ANY, {L, LA}},
    {0x2A10, 1, GL_FORMAT_UNORM, {RGB}},     /* R3_G3_B2 */
    {0x803B, 4, GL_FORMAT_UNORM, {A}},       /* ALPHA4, 8, 12, 16 */
    {0x803F, 4, GL_FORMAT_UNORM, {L}},       /* LUMINANCE4, 8, 12, 16 */
    {0x8043, 6, GL_FORMAT_UNORM, {LA}},      /* LUMINANCE4_ALPHA4, 6_2, 8_8, 12_4, 12_12, 16_16 */
    {0x8049, 1, GL_FORMAT_ANY, {I}},         /* INTENSITY */
    {0x804A, 4, GL_FORMAT_UNORM, {I}},       /* INTENSITY4, 8, 12, 16 */
    {0x804F, 6, GL_FORMAT_UNORM, {RGB}},     /* RGB4, 5, 8, 10, 12, 16 */
    {0x8055, 7, GL_FORMAT_UNORM, {RGBA}},    /* RGBA2, 4, RGB5_A1, RGBA8, RGB10_A2, RGBA12, 16 */
    {0x81A5, 3, GL_FORMAT_UNORM, {D}},       /* DEPTH_COMPONENT16, 24, 32 */
    {0x8225, 2, GL_FORMAT_ANY, {R, RG}},     /* COMPRESSED_RED, COMPRESSED_RG */
    {0x8227, 1, GL_FORMAT_ANY, {RG}},        /* RG */
    {0x8229, 2, GL_FORMAT_UNORM, {R}},       /* R8, R16 */
    {0x822B, 2, GL_FORMAT_UNORM, {RG}},      /* RG8, RG16 */
    {0x822D, 2, GL_FORMAT_FLOAT, {R}},       /* R16F, R32F */
    {0x822F, 2, GL_FORMAT_FLOAT, {RG}},      /* RG16F, RG32F */
    {0x8231, 6, GL_FORMAT_INTEGER, {R}},     /* R8I, R8UI, R16I, R16UI, R32I, R32UI */
    {0x8237, 6, GL_FORMAT_INTEGER, {RG}},    /* RG8I .. RG32UI */
    {0x83F0, 1, GL_FORMAT_UNORM, {RGB}},     /* COMPRESSED_RGB_S3TC_DXT1 */
    {0x83F1, 3, GL_FORMAT_UNORM, {RGBA}},    /* COMPRESSED_RGBA_S3TC_DXT1, 3, 5 */
    {0x84E9, 1, GL_FORMAT_ANY, {A}},         /* COMPRESSED_ALPHA */
    {0x84EA, 5, GL_FORMAT_ANY, {L, LA, I, RGB, RGBA}}, /* COMPRESSED_LUMINANCE .. COMPRESSED_RGBA */
    {0x84F9, 1, GL_FORMAT_ANY, {DS}},        /* DEPTH_STENCIL */
    {0x8814, 6, GL_FORMAT_FLOAT, {RGBA, RGB, A, I, L, LA}}, /* RGBA32F .. LUMINANCE_ALPHA32F */
    {0x881A, 6, GL_FORMAT_FLOAT, {RGBA, RGB, A, I, L, LA}}, /* RGBA16F .. LUMINANCE_ALPHA16F */
    {0x88F0, 1, GL_FORMAT_UNORM, {DS}},      /* DEPTH24_STENCIL8 */
    {0x8A54, 2, GL_FORMAT_UNORM, {RGB}},     /* COMPRESSED_SRGB_PVRTC_2BPPV1, 4BPPV1 */
    {0x8A56, 2, GL_FORMAT_UNORM, {RGBA}},    /* COMPRESSED_SRGB_ALPHA_PVRTC_2BPPV1, 4BPPV1 */
    {0x8C00, 2, GL_FORMAT_UNORM, {RGB}},     /* COMPRESSED_RGB_PVRTC_4BPPV1, 2BPPV1 */
    {0x8C02, 2, GL_FORMAT_UNORM, {RGBA}},    /* COMPRESSED_RGBA_PVRTC_4BPPV1, 2BPPV1 */
    {0x8C3A, 1, GL_FORMAT_FLOAT, {RGB}},     /* R11F_G11F_B10F */
    {0x8C3D, 1, GL_FORMAT_FLOAT, {RGB}},     /* RGB9_E5 */
    {0x8C40, 2, GL_FORMAT_UNORM, {RGB}},     /* SRGB, SRGB8 */
    {0x8C42, 2, GL_FORMAT_UNORM, {RGBA}},    /* SRGB_ALPHA, SRGB8_ALPHA8 */
    {0x8C44, 2, GL_FORMAT_UNORM, {LA}},      /* SLUMINANCE_ALPHA, SLUMINANCE8_ALPHA8 */
    {0x8C46, 2, GL_FORMAT_UNORM, {L}},       /* SLUMINANCE, SLUMINANCE8 */
    {0x8C48, 4, GL_FORMAT_UNORM, {RGB, RGBA, L, LA}}, /* COMPRESSED_SRGB .. COMPRESSED_SLUMINANCE_ALPHA */
    {0x8C4C, 1, GL_FORMAT_UNORM, {RGB}},     /* COMPRESSED_SRGB_S3TC_DXT1 */
    {0x8C4D, 3, GL_FORMAT_UNORM, {RGBA}},    /* COMPRESSED_SRGB_ALPHA_S3TC_DXT1, 3, 5 */
    {0x8C70, 1, GL_FORMAT_UNORM, {L}},       /* COMPRESSED_LUMINANCE_LATC1 */
    {0x8C71, 1, GL_FORMAT_SNORM, {L}},
    {0x8C72, 1, GL_FORMAT_UNORM, {LA}},      /* COMPRESSED_LUMINANCE_ALPHA_LATC2 */
    {0x8C73, 1, GL_FORMAT_SNORM, {LA}},
    {0x8CAC, 1, GL_FORMAT_FLOAT, {D}},       /* DEPTH_COMPONENT32F */
    {0x8CAD, 1, GL_FORMAT_FLOAT, {DS}},      /* DEPTH32F_STENCIL8 */
    {0x8D46, 4, GL_FORMAT_STENCIL, {S}},     /* STENCIL_INDEX1, 4, 8, 16 */
    {0x8D62, 1, GL_FORMAT_UNORM, {RGB}},     /* RGB565 */
    {0x8D64, 1, GL_FORMAT_UNORM, {RGB}},     /* ETC1_RGB8 */
    {0x8D70, 36, GL_FORMAT_INTEGER, {RGBA, RGB, A, I, L, LA}}, /* RGBA32UI .. LUMINANCE_ALPHA8I */
    {0x8DBB, 1, GL_FORMAT_UNORM, {R}},       /* COMPRESSED_RED_RGTC1 */
    {0x8DBC, 1, GL_FORMAT_SNORM, {R}},
    {0x8DBD, 1, GL_FORMAT_UNORM, {RG}},      /* COMPRESSED_RG_RGTC2 */
    {0x8DBE, 1, GL_FORMAT_SNORM, {RG}},
    {0x8E8C, 2, GL_FORMAT_UNORM, {RGBA}},    /* COMPRESSED_RGBA_BPTC_UNORM, COMPRESSED_SRGB_ALPHA_BPTC_UNORM */
    {0x8E8E, 2, GL_FORMAT_FLOAT, {RGB}},     /* COMPRESSED_RGB_BPTC_SIGNED_FLOAT, UNSIGNED_FLOAT */
    {0x8F90, 4, GL_FORMAT_SNORM, {R, RG, RGB, RGBA}}, /* RED_SNORM .. RGBA_SNORM */
    {0x8F94, 4, GL_FORMAT_SNORM, {R, RG, RGB, RGBA}}, /* R8_SNORM .. RGBA8_SNORM */
    {0x8F98, 4, GL_FORMAT_SNORM, {R, RG, RGB, RGBA}}, /* R16_SNORM .. RGBA16_SNORM */
    {0x8FBD, 2, GL_FORMAT_UNORM, {R, RG}},   /* SR8, SRG8 */
    {0x9010, 4, GL_FORMAT_SNORM, {A, L, LA, I}}, /* ALPHA_SNORM .. INTENSITY_SNORM */
    {0x9014, 4, GL_FORMAT_SNORM, {A, L, LA, I}}, /* ALPHA8_SNORM .. INTENSITY8_SNORM */
    {0x9018, 4, GL_FORMAT_SNORM, {A, L, LA, I}}, /* ALPHA16_SNORM .. INTENSITY16_SNORM */
    {0x906F, 1, GL_FORMAT_INTEGER, {RGBA}},  /* RGB10_A2UI */
    {0x9270, 1, GL_FORMAT_UNORM, {R}},       /* COMPRESSED_R11_EAC */
    {0x9271, 1, GL_FORMAT_SNORM, {R}},
    {0x9272, 1, GL_FORMAT_UNORM, {RG}},      /* COMPRESSED_RG11_EAC */
    {0x9273, 1, GL_FORMAT_SNORM, {RG}},
    {0x9274, 2, GL_FORMAT_UNORM, {RGB}},     /* COMPRESSED_RGB8_ETC2, SRGB8 */
    {0x9276, 4, GL_FORMAT_UNORM, {RGBA}},    /* COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2 .. SRGB8_ALPHA8_ETC2_EAC */
    {0x93B0, 14, GL_FORMAT_ANY, {RGBA}},     /* COMPRESSED_RGBA_ASTC_4x4 .. 12x12: LDR or HDR */
    {0x93D0, 14, GL_FORMAT_UNORM, {RGBA}},   /* COMPRESSED_SRGB8_ALPHA8_ASTC_4x4 .. 12x12 */
};
/* clang-format on */

bool gl_format_find(uint32_t token, struct gl_format *format)
{
    for (size_t i = 0; i < sizeof runs / sizeof *runs && runs[i].first <= token; i++) {
        if (token - runs[i].first >= runs[i].count)
            continue;
        uint32_t bases = 1;
        while (bases < 6 && runs[i].bases[bases])
            bases++;
        *format = (struct gl_format){.token = token,
                                     .base = runs[i].bases[(token - runs[i].first) % bases],
                                     .kind = (enum gl_format_kind)runs[i].kind};
        return true;
    }
    return false;
}
