#include "gl_format.h"

#include <stddef.h>

#include "gl_tokens.h"

/*
 * Internal formats by runs of numbers: the registry gave them out in groups. Each run is `count` tokens from `first` on
 * of one kind and range, whose base formats are `bases` over and over again.
 */
struct run {
    uint32_t first;
    uint8_t count;
    uint8_t kind;  /* enum gl_format_kind */
    uint8_t range; /* enum view_range */
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

#define ANY GL_FORMAT_ANY, VIEW_RANGE_NONE
#define STENCIL GL_FORMAT_STENCIL, VIEW_RANGE_NONE
#define UNORM GL_FORMAT_UNORM, VIEW_RANGE_UNORM
#define SNORM GL_FORMAT_SNORM, VIEW_RANGE_SNORM
#define FLOAT(RANGE) GL_FORMAT_FLOAT, VIEW_RANGE_##RANGE
#define INTEGER(RANGE) GL_FORMAT_INTEGER, VIEW_RANGE_##RANGE

/* clang-format off */
static const struct run runs[] = { /* ascending */
    {0x1901, 1, STENCIL, {S}},               /* STENCIL_INDEX */
    {0x1902, 1, ANY, {D}},                   /* DEPTH_COMPONENT */
    {0x1903, 1, ANY, {R}},                   /* RED */
    {0x1906, 3, ANY, {A, RGB, RGBA}},
    {0x1909, 2, ANY, {L, LA}},
    {0x2A10, 1, UNORM, {RGB}},               /* R3_G3_B2 */
    {0x803B, 4, UNORM, {A}},                 /* ALPHA4, 8, 12, 16 */
    {0x803F, 4, UNORM, {L}},                 /* LUMINANCE4, 8, 12, 16 */
    {0x8043, 6, UNORM, {LA}},                /* LUMINANCE4_ALPHA4, 6_2, 8_8, 12_4, 12_12, 16_16 */
    {0x8049, 1, ANY, {I}},                   /* INTENSITY */
    {0x804A, 4, UNORM, {I}},                 /* INTENSITY4, 8, 12, 16 */
    {0x804F, 6, UNORM, {RGB}},               /* RGB4, 5, 8, 10, 12, 16 */
    {0x8055, 7, UNORM, {RGBA}},              /* RGBA2, 4, RGB5_A1, RGBA8, RGB10_A2, RGBA12, 16 */
    {0x81A5, 3, UNORM, {D}},                 /* DEPTH_COMPONENT16, 24, 32 */
    {0x8225, 2, ANY, {R, RG}},               /* COMPRESSED_RED, COMPRESSED_RG */
    {0x8227, 1, ANY, {RG}},                  /* RG */
    {0x8229, 2, UNORM, {R}},                 /* R8, R16 */
    {0x822B, 2, UNORM, {RG}},                /* RG8, RG16 */
    {0x822D, 1, FLOAT(HALF), {R}},           /* R16F */
    {0x822E, 1, FLOAT(NONE), {R}},           /* R32F */
    {0x822F, 1, FLOAT(HALF), {RG}},          /* RG16F */
    {0x8230, 1, FLOAT(NONE), {RG}},          /* RG32F */
    {0x8231, 1, INTEGER(SINT8), {R}},        /* R8I */
    {0x8232, 1, INTEGER(UINT8), {R}},        /* R8UI */
    {0x8233, 1, INTEGER(SINT16), {R}},       /* R16I */
    {0x8234, 1, INTEGER(UINT16), {R}},       /* R16UI */
    {0x8235, 1, INTEGER(SINT32), {R}},       /* R32I */
    {0x8236, 1, INTEGER(UINT32), {R}},       /* R32UI */
    {0x8237, 1, INTEGER(SINT8), {RG}},       /* RG8I */
    {0x8238, 1, INTEGER(UINT8), {RG}},       /* RG8UI */
    {0x8239, 1, INTEGER(SINT16), {RG}},      /* RG16I */
    {0x823A, 1, INTEGER(UINT16), {RG}},      /* RG16UI */
    {0x823B, 1, INTEGER(SINT32), {RG}},      /* RG32I */
    {0x823C, 1, INTEGER(UINT32), {RG}},      /* RG32UI */
    {0x83F0, 1, UNORM, {RGB}},               /* COMPRESSED_RGB_S3TC_DXT1 */
    {0x83F1, 3, UNORM, {RGBA}},              /* COMPRESSED_RGBA_S3TC_DXT1, 3, 5 */
    {0x84E9, 1, ANY, {A}},                   /* COMPRESSED_ALPHA */
    {0x84EA, 5, ANY, {L, LA, I, RGB, RGBA}}, /* COMPRESSED_LUMINANCE .. COMPRESSED_RGBA */
    {0x84F9, 1, ANY, {DS}},                  /* DEPTH_STENCIL */
    {0x8814, 6, FLOAT(NONE), {RGBA, RGB, A, I, L, LA}}, /* RGBA32F .. LUMINANCE_ALPHA32F */
    {0x881A, 6, FLOAT(HALF), {RGBA, RGB, A, I, L, LA}}, /* RGBA16F .. LUMINANCE_ALPHA16F */
    {0x88F0, 1, UNORM, {DS}},                /* DEPTH24_STENCIL8 */
    {0x8A54, 2, UNORM, {RGB}},               /* COMPRESSED_SRGB_PVRTC_2BPPV1, 4BPPV1 */
    {0x8A56, 2, UNORM, {RGBA}},              /* COMPRESSED_SRGB_ALPHA_PVRTC_2BPPV1, 4BPPV1 */
    {0x8C00, 2, UNORM, {RGB}},               /* COMPRESSED_RGB_PVRTC_4BPPV1, 2BPPV1 */
    {0x8C02, 2, UNORM, {RGBA}},              /* COMPRESSED_RGBA_PVRTC_4BPPV1, 2BPPV1 */
    {0x8C3A, 1, FLOAT(UF11), {RGB}},         /* R11F_G11F_B10F */
    {0x8C3D, 1, FLOAT(E5B9), {RGB}},         /* RGB9_E5 */
    {0x8C40, 2, UNORM, {RGB}},               /* SRGB, SRGB8 */
    {0x8C42, 2, UNORM, {RGBA}},              /* SRGB_ALPHA, SRGB8_ALPHA8 */
    {0x8C44, 2, UNORM, {LA}},                /* SLUMINANCE_ALPHA, SLUMINANCE8_ALPHA8 */
    {0x8C46, 2, UNORM, {L}},                 /* SLUMINANCE, SLUMINANCE8 */
    {0x8C48, 4, UNORM, {RGB, RGBA, L, LA}}, /* COMPRESSED_SRGB .. COMPRESSED_SLUMINANCE_ALPHA */
    {0x8C4C, 1, UNORM, {RGB}},               /* COMPRESSED_SRGB_S3TC_DXT1 */
    {0x8C4D, 3, UNORM, {RGBA}},              /* COMPRESSED_SRGB_ALPHA_S3TC_DXT1, 3, 5 */
    {0x8C70, 1, UNORM, {L}},                 /* COMPRESSED_LUMINANCE_LATC1 */
    {0x8C71, 1, SNORM, {L}},
    {0x8C72, 1, UNORM, {LA}},                /* COMPRESSED_LUMINANCE_ALPHA_LATC2 */
    {0x8C73, 1, SNORM, {LA}},
    {0x8CAC, 1, FLOAT(NONE), {D}},           /* DEPTH_COMPONENT32F */
    {0x8CAD, 1, FLOAT(NONE), {DS}},          /* DEPTH32F_STENCIL8 */
    {0x8D46, 4, STENCIL, {S}},               /* STENCIL_INDEX1, 4, 8, 16 */
    {0x8D62, 1, UNORM, {RGB}},               /* RGB565 */
    {0x8D64, 1, UNORM, {RGB}},               /* ETC1_RGB8 */
    {0x8D70, 6, INTEGER(UINT32), {RGBA, RGB, A, I, L, LA}}, /* RGBA32UI .. LUMINANCE_ALPHA32UI */
    {0x8D76, 6, INTEGER(UINT16), {RGBA, RGB, A, I, L, LA}}, /* RGBA16UI .. LUMINANCE_ALPHA16UI */
    {0x8D7C, 6, INTEGER(UINT8), {RGBA, RGB, A, I, L, LA}},  /* RGBA8UI .. LUMINANCE_ALPHA8UI */
    {0x8D82, 6, INTEGER(SINT32), {RGBA, RGB, A, I, L, LA}}, /* RGBA32I .. LUMINANCE_ALPHA32I */
    {0x8D88, 6, INTEGER(SINT16), {RGBA, RGB, A, I, L, LA}}, /* RGBA16I .. LUMINANCE_ALPHA16I */
    {0x8D8E, 6, INTEGER(SINT8), {RGBA, RGB, A, I, L, LA}},  /* RGBA8I .. LUMINANCE_ALPHA8I */
    {0x8DBB, 1, UNORM, {R}},                 /* COMPRESSED_RED_RGTC1 */
    {0x8DBC, 1, SNORM, {R}},
    {0x8DBD, 1, UNORM, {RG}},                /* COMPRESSED_RG_RGTC2 */
    {0x8DBE, 1, SNORM, {RG}},
    {0x8E8C, 2, UNORM, {RGBA}},              /* COMPRESSED_RGBA_BPTC_UNORM, COMPRESSED_SRGB_ALPHA_BPTC_UNORM */
    {0x8E8E, 1, FLOAT(HALF), {RGB}},         /* COMPRESSED_RGB_BPTC_SIGNED_FLOAT */
    {0x8E8F, 1, FLOAT(UHALF), {RGB}},        /* COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT */
    {0x8F90, 4, SNORM, {R, RG, RGB, RGBA}}, /* RED_SNORM .. RGBA_SNORM */
    {0x8F94, 4, SNORM, {R, RG, RGB, RGBA}}, /* R8_SNORM .. RGBA8_SNORM */
    {0x8F98, 4, SNORM, {R, RG, RGB, RGBA}}, /* R16_SNORM .. RGBA16_SNORM */
    {0x8FBD, 2, UNORM, {R, RG}},             /* SR8, SRG8 */
    {0x9010, 4, SNORM, {A, L, LA, I}}, /* ALPHA_SNORM .. INTENSITY_SNORM */
    {0x9014, 4, SNORM, {A, L, LA, I}}, /* ALPHA8_SNORM .. INTENSITY8_SNORM */
    {0x9018, 4, SNORM, {A, L, LA, I}}, /* ALPHA16_SNORM .. INTENSITY16_SNORM */
    {0x906F, 1, INTEGER(UINT10), {RGBA}},    /* RGB10_A2UI */
    {0x9270, 1, UNORM, {R}},                 /* COMPRESSED_R11_EAC */
    {0x9271, 1, SNORM, {R}},
    {0x9272, 1, UNORM, {RG}},                /* COMPRESSED_RG11_EAC */
    {0x9273, 1, SNORM, {RG}},
    {0x9274, 2, UNORM, {RGB}},               /* COMPRESSED_RGB8_ETC2, SRGB8 */
    {0x9276, 4, UNORM, {RGBA}},              /* COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2 .. SRGB8_ALPHA8_ETC2_EAC */
    {0x93B0, 14, ANY, {RGBA}},               /* COMPRESSED_RGBA_ASTC_4x4 .. 12x12: LDR or HDR */
    {0x93D0, 14, UNORM, {RGBA}},             /* COMPRESSED_SRGB8_ALPHA8_ASTC_4x4 .. 12x12 */
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
                                     .kind = (enum gl_format_kind)runs[i].kind,
                                     .range = (enum view_range)runs[i].range};
        return true;
    }
    return false;
}
