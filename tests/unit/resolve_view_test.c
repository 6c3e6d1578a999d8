/* SPDX-License-Identifier: MIT */
/*
 * Reading image views: GL tokens, what base format, depth mode and swizzle show, what border colours are clamped to;
 * and the key: facts with equal keys resolve equally with any state on any device. Random facts, every field.
 */
#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "gl/gl_tokens.h"
#include "need/need.h"
#include "resolve/classify.h"
#include "resolve/resolve.h"
#include "resolve_pair.h"

typedef VkImageViewGLStateCreateInfoCLAMPLER gl_view;

static VkImageViewCreateInfo info_of(VkFormat format, VkImageViewType type, VkImageAspectFlags aspect)
{
    return (VkImageViewCreateInfo){.viewType = type, .format = format, .subresourceRange.aspectMask = aspect};
}

static VkImageViewCreateInfo color_info(VkFormat format)
{
    return info_of(format, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
}

/* ---- Tokens ---- */

static const struct token_field {
    const char *name;
    size_t offset;
    VkFormat format;
    VkImageAspectFlags aspect;
    uint32_t allowed[16]; /* ends with 0, which is allowed as well */
    uint32_t refused[10];
} token_fields[] = {
    {"target",
     offsetof(gl_view, target),
     VK_FORMAT_R8G8B8A8_UNORM,
     VK_IMAGE_ASPECT_COLOR_BIT,
     {TOKEN_TEXTURE_2D, TOKEN_TEXTURE_1D, TOKEN_TEXTURE_RECTANGLE, TOKEN_TEXTURE_2D_MULTISAMPLE},
     {1, TOKEN_TEXTURE_3D, TOKEN_TEXTURE_CUBE_MAP, TOKEN_TEXTURE_2D_ARRAY, TOKEN_TEXTURE_1D_ARRAY,
      TOKEN_TEXTURE_CUBE_MAP_ARRAY, 0x8C2A /* TEXTURE_BUFFER */, 0xFFFFFFFF}},
    {"internalFormat",
     offsetof(gl_view, internalFormat),
     VK_FORMAT_R8G8B8A8_UNORM,
     VK_IMAGE_ASPECT_COLOR_BIT,
     {0x8058, 0x8051, TOKEN_RGBA, 0x8040, 0x8C43, 0x8F97, 0x881A, 0x8229, 0x83F1, 0x93B0, 1, 4, 0x80E1 /* BGRA */},
     {5, 0x80E0 /* BGR */, 0x8D7C /* RGBA8UI */, 0x81A6 /* DEPTH_COMPONENT24 */, 0x88F0, 0x8D48, TOKEN_DEPTH_COMPONENT,
      TOKEN_LINEAR, 0xFFFFFFFF}},
    {"internalFormat",
     offsetof(gl_view, internalFormat),
     VK_FORMAT_R8G8B8A8_UINT,
     VK_IMAGE_ASPECT_COLOR_BIT,
     {0x8D7C, 0x8D8E, 0x8D93, 0x906F, 0x8231, TOKEN_RGBA},
     {0x8058, 0x881A, 0x8F97, 0x81A5}},
    {"internalFormat",
     offsetof(gl_view, internalFormat),
     VK_FORMAT_D32_SFLOAT,
     VK_IMAGE_ASPECT_DEPTH_BIT,
     {0x81A5, 0x81A6, 0x81A7, 0x8CAC, TOKEN_DEPTH_COMPONENT},
     {0x8058, 0x8D7C, TOKEN_RGBA}},
    {"baseFormat",
     offsetof(gl_view, baseFormat),
     VK_FORMAT_R8G8B8A8_UNORM,
     VK_IMAGE_ASPECT_COLOR_BIT,
     {TOKEN_RED, TOKEN_RG, TOKEN_RGB, TOKEN_RGBA, TOKEN_ALPHA, TOKEN_LUMINANCE, TOKEN_LUMINANCE_ALPHA, TOKEN_INTENSITY},
     {1, TOKEN_GREEN, TOKEN_BLUE, TOKEN_DEPTH_COMPONENT, TOKEN_DEPTH_STENCIL, TOKEN_STENCIL_INDEX, 0x8058,
      0x80E1 /* BGRA */, 0xFFFFFFFF}},
    {"baseFormat",
     offsetof(gl_view, baseFormat),
     VK_FORMAT_R8_UNORM,
     VK_IMAGE_ASPECT_COLOR_BIT,
     {TOKEN_RED, TOKEN_ALPHA, TOKEN_LUMINANCE, TOKEN_INTENSITY},
     {TOKEN_LUMINANCE_ALPHA}},
    {"baseFormat",
     offsetof(gl_view, baseFormat),
     VK_FORMAT_D24_UNORM_S8_UINT,
     VK_IMAGE_ASPECT_DEPTH_BIT,
     {TOKEN_DEPTH_COMPONENT, TOKEN_DEPTH_STENCIL, TOKEN_STENCIL_INDEX},
     {TOKEN_RED, TOKEN_RGBA, TOKEN_LUMINANCE}},
    {"baseFormat",
     offsetof(gl_view, baseFormat),
     VK_FORMAT_S8_UINT,
     VK_IMAGE_ASPECT_STENCIL_BIT,
     {TOKEN_STENCIL_INDEX},
     {TOKEN_DEPTH_COMPONENT, TOKEN_DEPTH_STENCIL, TOKEN_RED}},
    {"swizzle",
     offsetof(gl_view, swizzle),
     VK_FORMAT_R8G8B8A8_UNORM,
     VK_IMAGE_ASPECT_COLOR_BIT,
     {1, TOKEN_RED, TOKEN_GREEN, TOKEN_BLUE, TOKEN_ALPHA},
     {2, TOKEN_DEPTH_COMPONENT, TOKEN_RGB, TOKEN_RGBA, TOKEN_LUMINANCE, 0xFFFFFFFF}},
    {"swizzle",
     offsetof(gl_view, swizzle[3]),
     VK_FORMAT_R8G8B8A8_UNORM,
     VK_IMAGE_ASPECT_COLOR_BIT,
     {1, TOKEN_RED, TOKEN_GREEN, TOKEN_BLUE, TOKEN_ALPHA},
     {2, TOKEN_DEPTH_COMPONENT, TOKEN_RGB, 0x80000000}},
    {"depthMode",
     offsetof(gl_view, depthMode),
     VK_FORMAT_D16_UNORM,
     VK_IMAGE_ASPECT_DEPTH_BIT,
     {TOKEN_LUMINANCE, TOKEN_INTENSITY, TOKEN_ALPHA, TOKEN_RED},
     {1, TOKEN_GREEN, TOKEN_RGB, TOKEN_LUMINANCE_ALPHA, TOKEN_RG, 0xFFFFFFFF}},
};

static bool read_with(const struct token_field *field, uint32_t token, struct view_facts *facts, const char **why)
{
    VkImageViewCreateInfo info = info_of(field->format, VK_IMAGE_VIEW_TYPE_2D, field->aspect);
    VkComponentMapping mapping;
    gl_view gl = {0};
    memcpy((char *)&gl + field->offset, &token, sizeof(token));
    memset(facts, 0xAA, sizeof(*facts));
    return view_facts_from_gl(&gl, &info, facts, &mapping, why);
}

static void tokens_are_taken_or_refused_by_name(void **unused)
{
    (void)unused;
    static const struct view_facts zero;
    for (size_t i = 0; i < sizeof(token_fields) / sizeof(*token_fields); i++) {
        const struct token_field *field = &token_fields[i];
        struct view_facts facts;
        const char *why = NULL;
        for (size_t j = 0; j == 0 || field->allowed[j - 1]; j++) {
            if (!read_with(field, field->allowed[j], &facts, &why))
                fail_msg("%s 0x%04X: %s", field->name, (unsigned)field->allowed[j], why);
            assert_null(why);
        }
        for (size_t j = 0; field->refused[j]; j++) {
            why = NULL;
            if (read_with(field, field->refused[j], &facts, &why))
                fail_msg("%s 0x%04X is taken", field->name, (unsigned)field->refused[j]);
            assert_non_null(why);
            assert_int_equal(strncmp(why, field->name, strlen(field->name)), 0);
            assert_int_equal(why[strlen(field->name)], ' ');
            assert_non_null(strstr(why, "GL_"));
            assert_memory_equal(&facts, &zero, sizeof(zero));
        }
    }
}

static void targets_fit_the_type_of_the_view(void **unused)
{
    (void)unused;
    enum { TYPES = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY + 1 };
    static const struct {
        uint32_t target;
        uint8_t fits; /* a bit for each VkImageViewType */
    } rows[] = {
        {TOKEN_TEXTURE_1D, 1 << VK_IMAGE_VIEW_TYPE_1D | 1 << VK_IMAGE_VIEW_TYPE_2D},
        {TOKEN_TEXTURE_2D, 1 << VK_IMAGE_VIEW_TYPE_2D},
        {TOKEN_TEXTURE_3D, 1 << VK_IMAGE_VIEW_TYPE_3D},
        {TOKEN_TEXTURE_RECTANGLE, 1 << VK_IMAGE_VIEW_TYPE_2D},
        {TOKEN_TEXTURE_CUBE_MAP, 1 << VK_IMAGE_VIEW_TYPE_CUBE},
        {TOKEN_TEXTURE_1D_ARRAY, 1 << VK_IMAGE_VIEW_TYPE_1D_ARRAY | 1 << VK_IMAGE_VIEW_TYPE_2D_ARRAY},
        {TOKEN_TEXTURE_2D_ARRAY, 1 << VK_IMAGE_VIEW_TYPE_2D_ARRAY},
        {TOKEN_TEXTURE_CUBE_MAP_ARRAY, 1 << VK_IMAGE_VIEW_TYPE_CUBE_ARRAY},
        {TOKEN_TEXTURE_2D_MULTISAMPLE, 1 << VK_IMAGE_VIEW_TYPE_2D},
        {TOKEN_TEXTURE_2D_MULTISAMPLE_ARRAY, 1 << VK_IMAGE_VIEW_TYPE_2D_ARRAY},
        {0, (1 << TYPES) - 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (int type = 0; type < TYPES; type++) {
            VkImageViewCreateInfo info =
                info_of(VK_FORMAT_R8G8B8A8_UNORM, (VkImageViewType)type, VK_IMAGE_ASPECT_COLOR_BIT);
            gl_view gl = {.target = rows[i].target};
            struct view_facts facts;
            VkComponentMapping mapping;
            const char *why;
            bool taken = view_facts_from_gl(&gl, &info, &facts, &mapping, &why);
            assert_int_equal(taken, rows[i].fits >> type & 1);
            assert_int_equal(facts.rectangle, rows[i].target == TOKEN_TEXTURE_RECTANGLE && taken);
        }
}

/* ---- What a view shows ---- */

/* "R001": of border colours; "000R": of the texels, as the view's component mapping says. "====": identity. */
static void letters_of(const struct view_facts *facts, const VkComponentMapping *mapping, char border[5],
                       char texels[5])
{
    const VkComponentSwizzle components[4] = {mapping->r, mapping->g, mapping->b, mapping->a};
    for (int i = 0; i < 4; i++) {
        border[i] = "01RGBA"[facts->swizzle[i]];
        texels[i] = "=01RGBA"[components[i]];
    }
    border[4] = texels[4] = '\0';
}

enum { RED = TOKEN_RED, GREEN, BLUE, ALPHA };

static void base_format_depth_mode_and_swizzle_compose(void **unused)
{
    (void)unused;
    enum {
        RGBA8 = VK_FORMAT_R8G8B8A8_UNORM,
        RG8 = VK_FORMAT_R8G8_UNORM,
        R8 = VK_FORMAT_R8_UNORM,
        RGB = VK_FORMAT_R5G6B5_UNORM_PACK16,
        A8 = 1000470001,
        D16 = VK_FORMAT_D16_UNORM,
        D24S8 = VK_FORMAT_D24_UNORM_S8_UINT,
    };
    static const struct {
        uint32_t format, internal, base, depth_mode;
        uint32_t swizzle[4];
        const char *border, *texels;
    } rows[] = {
        /* Base formats on formats that have all their channels. */
        {RGBA8, 0, 0, 0, {0}, "RGBA", "===="},
        {RGBA8, 0, TOKEN_RED, 0, {0}, "R001", "R001"},
        {RGBA8, 0, TOKEN_RG, 0, {0}, "RG01", "RG01"},
        {RGBA8, 0, TOKEN_RGB, 0, {0}, "RGB1", "RGB1"},
        {RGBA8, 0, TOKEN_RGBA, 0, {0}, "RGBA", "===="},
        {RGBA8, 0, TOKEN_ALPHA, 0, {0}, "000A", "000A"},
        {RGBA8, 0, TOKEN_LUMINANCE, 0, {0}, "RRR1", "RRR1"},
        {RGBA8, 0, TOKEN_LUMINANCE_ALPHA, 0, {0}, "RRRA", "RRRA"},
        {RGBA8, 0, TOKEN_INTENSITY, 0, {0}, "RRRR", "RRRR"},
        /* ... and where they live in smaller ones. */
        {R8, 0, 0, 0, {0}, "R001", "===="},
        {R8, 0, TOKEN_RED, 0, {0}, "R001", "===="},
        {R8, 0, TOKEN_ALPHA, 0, {0}, "000A", "000R"},
        {R8, 0, TOKEN_LUMINANCE, 0, {0}, "RRR1", "RRR1"},
        {R8, 0, TOKEN_INTENSITY, 0, {0}, "RRRR", "RRRR"},
        {R8, 0, TOKEN_RGBA, 0, {0}, "R001", "===="},
        {RG8, 0, 0, 0, {0}, "RG01", "===="},
        {RG8, 0, TOKEN_LUMINANCE_ALPHA, 0, {0}, "RRRA", "RRRG"},
        {RG8, 0, TOKEN_LUMINANCE, 0, {0}, "RRR1", "RRR1"},
        {RG8, 0, TOKEN_RG, 0, {0}, "RG01", "===="},
        {RGB, 0, TOKEN_RGB, 0, {0}, "RGB1", "===="},
        {A8, 0, TOKEN_ALPHA, 0, {0}, "000A", "===="},
        /* The internal format says the base format where nothing else does. */
        {R8, 0x8040, 0, 0, {0}, "RRR1", "RRR1"},
        {RG8, 0x8045, 0, 0, {0}, "RRRA", "RRRG"},
        {R8, 0x803C, 0, 0, {0}, "000A", "000R"},
        {RGBA8, 0x8051, 0, 0, {0}, "RGB1", "RGB1"},
        {RGBA8, 0x8051, TOKEN_RGBA, 0, {0}, "RGBA", "===="},
        {R8, 1, 0, 0, {0}, "RRR1", "RRR1"}, /* OpenGL 1.0's numbers of components */
        {RG8, 2, 0, 0, {0}, "RRRA", "RRRG"},
        {RGBA8, 3, 0, 0, {0}, "RGB1", "RGB1"},
        {RGBA8, 4, 0, 0, {0}, "RGBA", "===="},
        {RGBA8, 0x80E1, 0, 0, {0}, "RGBA", "===="}, /* GL_BGRA_EXT */
        /* Compressed ones and palettes, which translators keep in other formats. */
        {RGBA8, 0x83A1, 0, 0, {0}, "RGB1", "RGB1"},
        {RGBA8, 0x83A2, 0, 0, {0}, "RGBA", "===="},
        {RGBA8, 0x86B0, 0, 0, {0}, "RGB1", "RGB1"},
        {RGBA8, 0x86B1, 0, 0, {0}, "RGBA", "===="},
        {RGBA8, 0x87EE, 0, 0, {0}, "RGBA", "===="},
        {RG8, 0x8837, 0, 0, {0}, "RRRA", "RRRG"}, /* LUMINANCE_ALPHA_3DC_ATI */
        {RGBA8, 0x88EE, 0, 0, {0}, "RGB1", "RGB1"},
        {RGBA8, 0x8B92, 0, 0, {0}, "RGB1", "RGB1"},
        {RGBA8, 0x8B99, 0, 0, {0}, "RGBA", "===="},
        {RGBA8, 0x8C92, 0, 0, {0}, "RGB1", "RGB1"},
        {RGBA8, 0x8C93, 0, 0, {0}, "RGBA", "===="},
        {RGBA8, 0x9138, 0, 0, {0}, "RGBA", "===="},
        {RGBA8, 0x93C9, 0, 0, {0}, "RGBA", "===="},
        {RGBA8, 0x93E9, 0, 0, {0}, "RGBA", "===="},
        {RGBA8, 0x93F1, 0, 0, {0}, "RGBA", "===="},
        /* The swizzle picks from what the base format shows. */
        {RGBA8, 0, 0, 0, {BLUE, GREEN, RED, ALPHA}, "BGRA", "BGRA"},
        {RGBA8, 0, 0, 0, {RED, GREEN, BLUE, ALPHA}, "RGBA", "===="},
        {RGBA8, 0, 0, 0, {0, 1, RED, 0}, "01R0", "01R0"},
        {RGBA8, 0, 0, 0, {0, 0, 0, 1}, "0001", "0001"},
        {RGBA8, 0, TOKEN_LUMINANCE, 0, {ALPHA, BLUE, 0, RED}, "1R0R", "1R0R"},
        {RGBA8, 0, TOKEN_ALPHA, 0, {ALPHA, ALPHA, ALPHA, RED}, "AAA0", "AAA0"},
        {R8, 0, TOKEN_ALPHA, 0, {ALPHA, ALPHA, ALPHA, ALPHA}, "AAAA", "RRRR"},
        {RG8, 0, TOKEN_LUMINANCE_ALPHA, 0, {ALPHA, RED, 1, 0}, "AR10", "GR10"},
        {R8, 0, 0, 0, {GREEN, BLUE, RED, ALPHA}, "00R1", "00R1"},
        /* Depth is the first channel, of borders too. */
        {D16, 0, 0, 0, {0}, "R001", "===="},
        {D16, 0, TOKEN_DEPTH_COMPONENT, TOKEN_RED, {0}, "R001", "===="},
        {D16, 0, TOKEN_DEPTH_COMPONENT, TOKEN_LUMINANCE, {0}, "RRR1", "RRR1"},
        {D16, 0, TOKEN_DEPTH_COMPONENT, TOKEN_INTENSITY, {0}, "RRRR", "RRRR"},
        {D16, 0, TOKEN_DEPTH_COMPONENT, TOKEN_ALPHA, {0}, "000R", "000R"},
        {D24S8, 0x88F0, 0, TOKEN_LUMINANCE, {0}, "RRR1", "RRR1"},
        {D16, 0, 0, TOKEN_ALPHA, {ALPHA, 0, 1, RED}, "R010", "R010"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkFormat format = (VkFormat)rows[i].format;
        bool depth = rows[i].format == D16 || rows[i].format == D24S8;
        VkImageViewCreateInfo info =
            info_of(format, VK_IMAGE_VIEW_TYPE_2D, depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT);
        gl_view gl = {.internalFormat = rows[i].internal, .baseFormat = rows[i].base, .depthMode = rows[i].depth_mode};
        struct view_facts facts;
        VkComponentMapping mapping;
        const char *why;
        char border[5], texels[5];
        memcpy(gl.swizzle, rows[i].swizzle, sizeof(gl.swizzle));
        if (!view_facts_from_gl(&gl, &info, &facts, &mapping, &why))
            fail_msg("row %zu: %s", i, why);
        letters_of(&facts, &mapping, border, texels);
        assert_string_equal(border, rows[i].border);
        assert_string_equal(texels, rows[i].texels);
        assert_int_equal(facts.mapping == VIEW_MAPPING_IDENTITY, strcmp(texels, "====") == 0);
        assert_int_equal(facts.depth_aspect, depth);
    }
}

/* Four zeros of the swizzle are the identity, whatever the components; beside four zeros there they are GL_ZERO. */
static void a_swizzle_of_zeros_is_the_identity(void **unused)
{
    (void)unused;
    static const struct {
        VkFormat format;
        uint32_t base, depth_mode, swizzle[4];
        const char *components, *border, *texels;
    } rows[] = {
        {VK_FORMAT_R8G8B8A8_UNORM, 0, 0, {0}, "====", "RGBA", "===="},
        {VK_FORMAT_R8G8B8A8_UNORM, 0, 0, {0}, "0000", "0000", "0000"},
        {VK_FORMAT_R8G8B8A8_UNORM, 0, 0, {0}, "=RA1", "RGBA", "===="},
        {VK_FORMAT_R8G8B8A8_UNORM, 0, 0, {RED, 0, 0, 0}, "1111", "R000", "R000"},
        {VK_FORMAT_R8_UNORM, TOKEN_ALPHA, 0, {0}, "A0=G", "000A", "000R"},
        {VK_FORMAT_R8G8_UNORM, TOKEN_LUMINANCE_ALPHA, 0, {0}, "000R", "RRRA", "RRRG"},
        {VK_FORMAT_D16_UNORM, TOKEN_DEPTH_COMPONENT, TOKEN_LUMINANCE, {0}, "0G=1", "RRR1", "RRR1"},
        {VK_FORMAT_D16_UNORM, 0, 0, {0}, "0000", "0000", "0000"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const bool depth = rows[i].format == VK_FORMAT_D16_UNORM;
        VkImageViewCreateInfo info = info_of(rows[i].format, VK_IMAGE_VIEW_TYPE_2D,
                                             depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT);
        gl_view gl = {.baseFormat = rows[i].base, .depthMode = rows[i].depth_mode};
        VkComponentSwizzle components[4];
        struct view_facts facts;
        VkComponentMapping mapping;
        const char *why;
        char border[5], texels[5];
        for (int c = 0; c < 4; c++)
            components[c] = (VkComponentSwizzle)(strchr("=01RGBA", rows[i].components[c]) - "=01RGBA");
        info.components = (VkComponentMapping){components[0], components[1], components[2], components[3]};
        memcpy(gl.swizzle, rows[i].swizzle, sizeof(gl.swizzle));
        assert_true(view_facts_from_gl(&gl, &info, &facts, &mapping, &why));
        letters_of(&facts, &mapping, border, texels);
        assert_string_equal(border, rows[i].border);
        assert_string_equal(texels, rows[i].texels);
    }
}

/* The letters of a view, for borders and texels. Four times GL_ZERO are said by the components. */
static void letters_of_view(VkImageAspectFlags aspect, uint32_t depth_mode, const uint32_t swizzle[4], char border[5],
                            char texels[5])
{
    VkImageViewCreateInfo info = info_of(VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_VIEW_TYPE_2D, aspect);
    gl_view gl = {.depthMode = depth_mode};
    struct view_facts facts;
    VkComponentMapping mapping;
    const char *why;
    memcpy(gl.swizzle, swizzle, sizeof(gl.swizzle));
    if (!swizzle[0] && !swizzle[1] && !swizzle[2] && !swizzle[3])
        info.components = (VkComponentMapping){VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO,
                                               VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO};
    assert_true(view_facts_from_gl(&gl, &info, &facts, &mapping, &why));
    letters_of(&facts, &mapping, border, texels);
}

/* The stencil index has no depth mode. Issue 13 of the extension: the swizzles that show it as the modes show depth. */
static void swizzles_say_depth_modes_of_stencil(void **unused)
{
    (void)unused;
    static const uint32_t tokens[6] = {RED, GREEN, BLUE, ALPHA, 0, 1};
    static const struct {
        uint32_t mode, said[4];
    } modes[] = {{0, {RED, GREEN, BLUE, ALPHA}},
                 {TOKEN_RED, {RED, GREEN, BLUE, ALPHA}},
                 {TOKEN_LUMINANCE, {RED, RED, RED, 1}},
                 {TOKEN_INTENSITY, {RED, RED, RED, RED}},
                 {TOKEN_ALPHA, {0, 0, 0, RED}}};
    for (uint32_t i = 0; i < 6 * 6 * 6 * 6 * 5; i++) {
        const uint32_t picked[4] = {i % 6, i / 6 % 6, i / 36 % 6, i / 216 % 6}, m = i / 1296;
        uint32_t swizzle[4], said[4];
        char border[5], texels[5], seen_border[5], seen_texels[5];
        for (int c = 0; c < 4; c++) {
            swizzle[c] = tokens[picked[c]];
            said[c] = picked[c] < 4 ? modes[m].said[picked[c]] : swizzle[c];
        }
        letters_of_view(VK_IMAGE_ASPECT_STENCIL_BIT, 0, swizzle, border, texels);
        letters_of_view(VK_IMAGE_ASPECT_STENCIL_BIT, modes[m].mode, swizzle, seen_border, seen_texels);
        assert_string_equal(seen_border, border);
        assert_string_equal(seen_texels, texels);
        letters_of_view(VK_IMAGE_ASPECT_DEPTH_BIT, modes[m].mode, swizzle, border, texels);
        letters_of_view(VK_IMAGE_ASPECT_STENCIL_BIT, 0, said, seen_border, seen_texels);
        assert_string_equal(seen_border, border);
        assert_string_equal(seen_texels, texels);
    }
}

static void stencil_is_sampled_where_it_is_there(void **unused)
{
    (void)unused;
    static const struct {
        VkFormat format;
        VkImageAspectFlags aspect;
        uint32_t base;
        VkBool32 stencil_sampling;
        bool stencil;
    } rows[] = {
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT, 0, VK_FALSE, false},
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT, 0, VK_TRUE, true},
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, VK_FALSE, false},
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, VK_TRUE, true},
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT, 0, VK_FALSE, true},
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT, TOKEN_STENCIL_INDEX, VK_FALSE, true},
        {VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT, 0, VK_TRUE, false}, /* no stencil: the mode is ignored */
        {VK_FORMAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT, 0, VK_FALSE, true},
        {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_TRUE, false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkImageViewCreateInfo info = info_of(rows[i].format, VK_IMAGE_VIEW_TYPE_2D, rows[i].aspect);
        gl_view gl = {.baseFormat = rows[i].base, .stencilSampling = rows[i].stencil_sampling};
        struct view_facts facts;
        VkComponentMapping mapping;
        const char *why;
        assert_true(view_facts_from_gl(&gl, &info, &facts, &mapping, &why));
        assert_int_equal(facts.stencil, rows[i].stencil);
        assert_int_equal(facts.integer, rows[i].stencil);
        assert_int_equal(facts.depth_aspect, rows[i].format != VK_FORMAT_R8G8B8A8_UNORM && !rows[i].stencil);
    }
}

static void fixed_point_depth_in_floats_is_known(void **unused)
{
    (void)unused;
    static const struct {
        VkFormat format;
        uint32_t internal;
        bool fixed, promoted;
        uint8_t range;
    } rows[] = {
        {VK_FORMAT_D16_UNORM, 0, true, false, VIEW_RANGE_UNORM},
        {VK_FORMAT_D24_UNORM_S8_UINT, 0x88F0, true, false, VIEW_RANGE_UNORM},
        {VK_FORMAT_D32_SFLOAT, 0, false, false, VIEW_RANGE_NONE},
        {VK_FORMAT_D32_SFLOAT, 0x81A5, true, true, VIEW_RANGE_UNORM},
        {VK_FORMAT_D32_SFLOAT, 0x81A7, true, true, VIEW_RANGE_UNORM},
        {VK_FORMAT_D32_SFLOAT, TOKEN_DEPTH_COMPONENT, false, false, VIEW_RANGE_NONE}, /* unsized: what the format is */
        {VK_FORMAT_D32_SFLOAT, 0x8CAC, false, false, VIEW_RANGE_NONE},
        {VK_FORMAT_D32_SFLOAT_S8_UINT, 0x88F0, true, true, VIEW_RANGE_UNORM},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkImageViewCreateInfo info = info_of(rows[i].format, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_DEPTH_BIT);
        gl_view gl = {.internalFormat = rows[i].internal};
        struct view_facts facts;
        VkComponentMapping mapping;
        const char *why;
        assert_true(view_facts_from_gl(&gl, &info, &facts, &mapping, &why));
        assert_int_equal(facts.depth_fixed, rows[i].fixed);
        assert_int_equal(facts.depth_promoted, rows[i].promoted);
        assert_int_equal(facts.range, rows[i].range);
    }
}

static void every_srgb_format_has_a_unorm_twin(void **unused)
{
    (void)unused;
    static const struct {
        VkFormat srgb, unorm;
    } rows[] = {
        {VK_FORMAT_R8_SRGB, VK_FORMAT_R8_UNORM},
        {VK_FORMAT_R8G8_SRGB, VK_FORMAT_R8G8_UNORM},
        {VK_FORMAT_R8G8B8_SRGB, VK_FORMAT_R8G8B8_UNORM},
        {VK_FORMAT_B8G8R8_SRGB, VK_FORMAT_B8G8R8_UNORM},
        {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM},
        {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM},
        {VK_FORMAT_A8B8G8R8_SRGB_PACK32, VK_FORMAT_A8B8G8R8_UNORM_PACK32},
        {VK_FORMAT_BC1_RGB_SRGB_BLOCK, VK_FORMAT_BC1_RGB_UNORM_BLOCK},
        {VK_FORMAT_BC1_RGBA_SRGB_BLOCK, VK_FORMAT_BC1_RGBA_UNORM_BLOCK},
        {VK_FORMAT_BC2_SRGB_BLOCK, VK_FORMAT_BC2_UNORM_BLOCK},
        {VK_FORMAT_BC3_SRGB_BLOCK, VK_FORMAT_BC3_UNORM_BLOCK},
        {VK_FORMAT_BC7_SRGB_BLOCK, VK_FORMAT_BC7_UNORM_BLOCK},
        {VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK, VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK},
        {VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK},
        {VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK, VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK},
        {VK_FORMAT_ASTC_4x4_SRGB_BLOCK, VK_FORMAT_ASTC_4x4_UNORM_BLOCK},
        {VK_FORMAT_ASTC_12x12_SRGB_BLOCK, VK_FORMAT_ASTC_12x12_UNORM_BLOCK},
        {VK_FORMAT_PVRTC1_2BPP_SRGB_BLOCK_IMG, VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG},
        {VK_FORMAT_PVRTC2_4BPP_SRGB_BLOCK_IMG, VK_FORMAT_PVRTC2_4BPP_UNORM_BLOCK_IMG},
        {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED},
        {VK_FORMAT_BC6H_SFLOAT_BLOCK, VK_FORMAT_UNDEFINED},
        {VK_FORMAT_UNDEFINED, VK_FORMAT_UNDEFINED},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkImageViewCreateInfo info = color_info(rows[i].srgb);
        struct view_facts facts;
        assert_int_equal(format_unorm(rows[i].srgb), rows[i].unorm);
        view_facts_from_vk(&info, &facts);
        assert_int_equal(facts.srgb, rows[i].unorm != VK_FORMAT_UNDEFINED);
    }
}

/* ---- Anything at all ---- */

static uint64_t random_state = 88172645463325252u;

static uint32_t below(uint32_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % bound;
}

#define PICK(ARRAY) ARRAY[below(sizeof(ARRAY) / sizeof(*(ARRAY)))]

static VkFormat any_format(void)
{
    static const uint32_t extension[] = {1000054000, 1000054006, 1000066003, 1000340000, 1000470000,
                                         1000470001, 1000156003, 1000999999, 0x7FFFFFFF};
    return (VkFormat)(below(8) ? 1 + below(VK_FORMAT_ASTC_12x12_SRGB_BLOCK) : PICK(extension));
}

static struct view_facts any_view(void)
{
    static const uint32_t bases[] = {0,
                                     0,
                                     TOKEN_RED,
                                     TOKEN_RG,
                                     TOKEN_RGB,
                                     TOKEN_RGBA,
                                     TOKEN_ALPHA,
                                     TOKEN_LUMINANCE,
                                     TOKEN_LUMINANCE_ALPHA,
                                     TOKEN_INTENSITY,
                                     TOKEN_DEPTH_COMPONENT,
                                     TOKEN_STENCIL_INDEX};
    static const uint32_t internals[] = {0,      0,      0x8058, 0x8F97, 0x81A6, 0x8D7C, 0x88F0, 0x8D76,
                                         0x8D88, 0x8D8E, 0x906F, 0x881A, 0x8C3A, 0x8C3D, 0x8E8F, 0x8236};
    static const uint32_t swizzles[] = {0, 1, TOKEN_RED, TOKEN_GREEN, TOKEN_BLUE, TOKEN_ALPHA};
    static const uint32_t modes[] = {0, TOKEN_LUMINANCE, TOKEN_INTENSITY, TOKEN_ALPHA};
    static const VkImageAspectFlags aspects[] = {VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT,
                                                 VK_IMAGE_ASPECT_COLOR_BIT};
    struct view_facts view;
    for (;;) {
        VkImageViewCreateInfo info = info_of(any_format(), (VkImageViewType)below(7), PICK(aspects));
        gl_view gl = {.target = below(4) ? 0 : TOKEN_TEXTURE_RECTANGLE,
                      .internalFormat = PICK(internals),
                      .baseFormat = PICK(bases),
                      .swizzle = {PICK(swizzles), PICK(swizzles), PICK(swizzles), PICK(swizzles)},
                      .depthMode = PICK(modes),
                      .stencilSampling = below(4) == 0};
        VkComponentMapping mapping;
        const char *why;
        if (below(2))
            memset(gl.swizzle, 0, sizeof(gl.swizzle));
        if (below(8) == 0)
            info.components.r = (VkComponentSwizzle)below(7);
        if (below(4) == 0) {
            info.components = (VkComponentMapping){(VkComponentSwizzle)below(7), (VkComponentSwizzle)below(7),
                                                   (VkComponentSwizzle)below(7), (VkComponentSwizzle)below(7)};
            view_facts_from_vk(&info, &view);
            break;
        }
        const VkComponentMapping channels = {(VkComponentSwizzle)below(7), (VkComponentSwizzle)below(7),
                                             (VkComponentSwizzle)below(7), (VkComponentSwizzle)below(7)};
        if (view_facts_from_gl_order(&gl, below(2) ? &channels : NULL, &info, &view, &mapping, &why))
            break;
        assert_non_null(why);
    }
    view.width = 1 + below(16384);
    view.height = 1 + below(16384);
    view.depth = 1 + below(2048);
    view.levels = (uint8_t)(below(3) ? 1 : 1 + below(15));
    view.linear = below(2);
    view.minmax = below(2);
    view.unorm_auxiliary = below(2);
    return view;
}

static struct sampler_state any_state(const struct resolve_caps *caps)
{
    static const uint32_t wraps[] = {
        TOKEN_REPEAT,          TOKEN_CLAMP,        TOKEN_CLAMP_TO_BORDER,      TOKEN_CLAMP_TO_EDGE,
        TOKEN_MIRRORED_REPEAT, TOKEN_MIRROR_CLAMP, TOKEN_MIRROR_CLAMP_TO_EDGE, TOKEN_MIRROR_CLAMP_TO_BORDER};
    static const uint32_t min_filters[] = {TOKEN_NEAREST,
                                           TOKEN_LINEAR,
                                           TOKEN_NEAREST_MIPMAP_NEAREST,
                                           TOKEN_LINEAR_MIPMAP_NEAREST,
                                           TOKEN_NEAREST_MIPMAP_LINEAR,
                                           TOKEN_LINEAR_MIPMAP_LINEAR};
    static const uint32_t reductions[] = {0, TOKEN_MIN, TOKEN_MAX};
    static const float numbers[] = {-1000, -1, 0, 0.125f, 0.5f, 1, 3.3f, 14, 1000, 1e30f};
    static const uint32_t colors[] = {0, 0x3F800000, 0x3F000000, 1, 7, 300, 0x40000000, 0xBF800000, 0x7FC00000};
    VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .wrapS = PICK(wraps),
        .wrapT = PICK(wraps),
        .wrapR = PICK(wraps),
        .minFilter = PICK(min_filters),
        .magFilter = TOKEN_NEAREST + below(2),
        .minLod = PICK(numbers),
        .maxLod = PICK(numbers),
        .lodBias = PICK(numbers),
        .maxAnisotropy = PICK(numbers),
        .compareMode = below(4) ? 0 : TOKEN_COMPARE_REF_TO_TEXTURE,
        .compareFunc = 0x0200 + below(8),
        .borderColor.uint32 = {PICK(colors), PICK(colors), PICK(colors), PICK(colors)},
        .cubeMapSeamless = below(2),
        .srgbDecode = TOKEN_DECODE + below(2),
        .reductionMode = PICK(reductions)};
    struct sampler_state state;
    const char *why;
    if (below(4)) {
        assert_true(resolve_gl_state(&gl, 0, caps, &state, &why));
        return state;
    }
    VkSamplerCreateInfo info = {.magFilter = (VkFilter)below(2),
                                .minFilter = (VkFilter)below(2),
                                .mipmapMode = (VkSamplerMipmapMode)below(2),
                                .addressModeU = (VkSamplerAddressMode)(below(2) ? below(5) : 1000999006 + below(3)),
                                .addressModeV = (VkSamplerAddressMode)below(5),
                                .addressModeW = (VkSamplerAddressMode)below(5),
                                .mipLodBias = PICK(numbers),
                                .compareEnable = below(4) == 0,
                                .compareOp = (VkCompareOp)below(8),
                                .maxLod = PICK(numbers),
                                .borderColor = (VkBorderColor)below(6),
                                .unnormalizedCoordinates = below(4) == 0};
    state_of_vk(&info, &state);
    return state;
}

static struct resolve_caps any_caps(void)
{
    static const float limits[] = {2, 15, 16, 31};
    return (struct resolve_caps){.mirror_clamp_to_edge = below(2),
                                 .anisotropy = below(2),
                                 .anisotropy_ignores_gradients = below(2),
                                 .custom_border_color = below(2),
                                 .custom_border_color_without_format = below(2),
                                 .border_swizzle = below(2),
                                 .border_swizzle_from_image = below(2),
                                 .border_in_shader = below(4) == 0,
                                 .non_seamless_cube = below(2),
                                 .sampler_filter_minmax = below(2),
                                 .minmax_swizzle = below(2),
                                 .minmax_blends = below(2),
                                 .integer_incomplete = below(2),
                                 .gl_fallback = (uint8_t)below(3),
                                 .vk_fallback = (uint8_t)below(3),
                                 .max_lod_bias = PICK(limits),
                                 .max_anisotropy = 16.0f};
}

/* Views that share a key are looked for by chance among a few thousand of a few formats, and made by changing sizes. */
static void equal_keys_give_equal_results(void **unused)
{
    (void)unused;
    enum { VIEWS = 3000 };
    struct view_facts *views = calloc(VIEWS, sizeof(*views));
    uint32_t *keys = calloc(VIEWS, sizeof(*keys));
    long pairs = 0;
    assert_true(views && keys);
    for (int i = 0; i < VIEWS; i++) {
        views[i] = any_view();
        keys[i] = view_facts_key(&views[i]);
        assert_int_not_equal(keys[i], 0);
        assert_int_not_equal(keys[i], VIEW_FACTS_NO_KEY);
        assert_true(keys[i] < VIEW_FACTS_KEYS);
    }
    for (int i = 0; i < VIEWS; i++)
        for (int j = 0; j < i + 1; j++) {
            struct view_facts other = views[j];
            if (keys[i] != keys[j] || view_order(&views[i]) != view_order(&other))
                continue;
            if (i == j) { /* another size, and another number of levels beyond one */
                other.width = 1 + below(100);
                other.depth += 1;
                other.levels = (uint8_t)(other.levels > 1 ? 2 + below(14) : 1);
                assert_int_equal(view_facts_key(&other), keys[i]);
            }
            struct resolve_caps caps = any_caps();
            struct sampler_state state = any_state(&caps);
            struct resolved a, b;
            resolve_pair(&state, &views[i], &caps, &a);
            resolve_pair(&state, &other, &caps, &b);
            assert_memory_equal(&a.driver, &b.driver, sizeof(a.driver));
            assert_memory_equal(&a.terms, &b.terms, sizeof(a.terms));
            assert_int_equal(a.needs, b.needs);
            assert_int_equal(a.tier, b.tier);
            assert_int_equal(a.view, b.view);
            assert_int_equal(a.program_suffices, b.program_suffices);
            assert_string_equal(a.reason, b.reason);
            pairs++;
        }
    assert_true(pairs > VIEWS);
    free(views);
    free(keys);
}

/* The key alone tells those views apart whose order it has. */
#define RGBA8 VK_FORMAT_R8G8B8A8_UNORM
#define RG8 VK_FORMAT_R8G8_UNORM
#define R8 VK_FORMAT_R8_UNORM
#define SRGB VK_FORMAT_R8G8B8A8_SRGB
#define ORDER(A, B, C, D)                                                                                              \
    {                                                                                                                  \
        VK_COMPONENT_SWIZZLE_##A, VK_COMPONENT_SWIZZLE_##B, VK_COMPONENT_SWIZZLE_##C, VK_COMPONENT_SWIZZLE_##D         \
    }

/* Base formats whose channels are elsewhere than in the VkFormat that has them. */
static void channels_are_shown_wherever_they_are_kept(void **unused)
{
    (void)unused;
    static const struct {
        VkFormat format;
        uint32_t base;
        VkComponentMapping channels;
        uint32_t swizzle[4];
        const char *border, *texels;
        uint32_t order;
    } rows[] = {
        {RGBA8, TOKEN_RGB, ORDER(G, B, A, IDENTITY), {0}, "RGB1", "GBA1", 02 | 03 << 3 | 04 << 6}, /* XRGB */
        {RGBA8, TOKEN_RGB, ORDER(A, B, G, IDENTITY), {0}, "RGB1", "ABG1", 04 | 03 << 3 | 02 << 6}, /* XBGR */
        {RGBA8, TOKEN_RGB, ORDER(B, IDENTITY, R, IDENTITY), {0}, "RGB1", "BGR1", 03 | 01 << 6},    /* BGRX */
        {RGBA8, TOKEN_RGBA, ORDER(A, B, G, R), {0}, "RGBA", "ABGR", 04 | 03 << 3 | 02 << 6 | 01 << 9},
        {RGBA8, 0, ORDER(A, B, G, R), {0}, "RGBA", "ABGR", 04 | 03 << 3 | 02 << 6 | 01 << 9},
        {RGBA8, TOKEN_RGBA, ORDER(R, G, B, A), {0}, "RGBA", "====", 0},
        {RGBA8, TOKEN_RGBA, ORDER(IDENTITY, IDENTITY, IDENTITY, ZERO), {0}, "RGB0", "RGB0", 0},
        {RGBA8, TOKEN_RGBA, ORDER(IDENTITY, IDENTITY, IDENTITY, ONE), {0}, "RGB1", "RGB1", 0},
        {RGBA8, TOKEN_RGBA, ORDER(A, A, A, A), {0}, "RGBA", "AAAA", 04 | 04 << 3 | 04 << 6},
        {RGBA8, TOKEN_LUMINANCE_ALPHA, ORDER(A, IDENTITY, IDENTITY, R), {0}, "RRRA", "AAAR", 04 | 01 << 9},
        {RG8, TOKEN_LUMINANCE_ALPHA, ORDER(G, IDENTITY, IDENTITY, R), {0}, "RRRA", "GGGR", 02 | 01 << 9},
        {RG8, TOKEN_LUMINANCE_ALPHA, ORDER(IDENTITY, IDENTITY, IDENTITY, IDENTITY), {0}, "RRRA", "RRRG", 02 << 9},
        {RG8, TOKEN_ALPHA, ORDER(IDENTITY, IDENTITY, IDENTITY, G), {0}, "000A", "000G", 02 << 9},
        {RG8, TOKEN_INTENSITY, ORDER(G, IDENTITY, IDENTITY, IDENTITY), {0}, "RRRR", "GGGG", 02},
        {R8, TOKEN_ALPHA, ORDER(IDENTITY, IDENTITY, IDENTITY, ONE), {0}, "0001", "0001", 0},
        /* The swizzle picks from what is shown; places of what it leaves out are forgotten. */
        {RGBA8, TOKEN_RGBA, ORDER(A, B, G, R), {ALPHA, RED, 1, 0}, "AR10", "RA10", 04 | 01 << 9},
        {RGBA8, TOKEN_RGBA, ORDER(A, B, G, R), {GREEN, GREEN, GREEN, 1}, "GGG1", "BBB1", 03 << 3},
        {RGBA8,
         TOKEN_RGBA,
         ORDER(A, B, G, R),
         {ALPHA, BLUE, GREEN, RED},
         "ABGR",
         "====",
         04 | 03 << 3 | 02 << 6 | 01 << 9},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkImageViewCreateInfo info = info_of(rows[i].format, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
        gl_view gl = {.baseFormat = rows[i].base};
        struct view_facts facts;
        VkComponentMapping mapping;
        const char *why;
        char border[5], texels[5];
        memcpy(gl.swizzle, rows[i].swizzle, sizeof(gl.swizzle));
        if (!view_facts_from_gl_order(&gl, &rows[i].channels, &info, &facts, &mapping, &why))
            fail_msg("row %zu: %s", i, why);
        letters_of(&facts, &mapping, border, texels);
        assert_string_equal(border, rows[i].border);
        assert_string_equal(texels, rows[i].texels);
        assert_int_equal(view_order(&facts), rows[i].order);
        assert_int_equal(facts.mapping, strcmp(texels, "====") ? VIEW_MAPPING_EXACT : VIEW_MAPPING_IDENTITY);
    }
}

static void orders_are_refused_by_name(void **unused)
{
    (void)unused;
    static const struct {
        VkFormat format;
        uint32_t base;
        VkComponentMapping channels;
        bool unsupported, of_attachment; /* of_attachment: others may have it */
        const char *word;
    } rows[] = {
        {RGBA8, TOKEN_RGBA, {.r = (VkComponentSwizzle)7}, false, false, "no VkComponentSwizzle"},
        {RGBA8, TOKEN_RGBA, {.r = (VkComponentSwizzle)-1}, false, false, "no VkComponentSwizzle"},
        {RGBA8, TOKEN_RGB, ORDER(R, G, B, A), false, false, "lacks"},
        {RGBA8, TOKEN_RED, ORDER(R, ZERO, IDENTITY, IDENTITY), false, false, "lacks"},
        {VK_FORMAT_D16_UNORM, 0, ORDER(R, IDENTITY, IDENTITY, IDENTITY), false, false, "depth"},
        {RG8, TOKEN_RGBA, ORDER(R, G, B, IDENTITY), true, false, "format lacks"},
        {RG8, TOKEN_ALPHA, ORDER(IDENTITY, IDENTITY, IDENTITY, A), true, false, "format lacks"},
        {SRGB, TOKEN_RGB, ORDER(G, B, A, IDENTITY), true, false, "sRGB"},
        {SRGB, TOKEN_ALPHA, ORDER(IDENTITY, IDENTITY, IDENTITY, R), true, false, "sRGB"},
        {VK_FORMAT_A2B10G10R10_UINT_PACK32, TOKEN_RGBA, ORDER(A, B, G, R), true, false, "several sizes"},
        {RGBA8, TOKEN_RGBA, ORDER(R, R, B, A), true, true, "two channels in one"},
        {RGBA8, TOKEN_RGBA, ORDER(IDENTITY, IDENTITY, IDENTITY, B), true, true, "two channels in one"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        uint8_t at[4];
        const char *why;
        assert_int_equal(
            view_order_read(&rows[i].channels, rows[i].base ? rows[i].base : TOKEN_RGBA, rows[i].format, at, &why),
            rows[i].of_attachment);
        if (view_order_of_attachment(&rows[i].channels, rows[i].base ? rows[i].base : TOKEN_RGBA, rows[i].format, at,
                                     &why))
            fail_msg("row %zu is taken", i);
        assert_non_null(strstr(why, rows[i].word));
        assert_int_equal(view_order_is_unsupported(why), rows[i].unsupported);
    }
}

static void whole_keys_have_the_order(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        struct view_facts a = any_view(), b = a;
        memset(b.kept_in, 0, sizeof(b.kept_in));
        if (!view_facts_key_is_whole(&a) || !view_order(&a))
            continue;
        assert_int_not_equal(view_facts_key(&a), view_facts_key(&b));
    }
}

static void different_facts_have_different_keys(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        struct view_facts a = any_view(), b = a;
        switch (below(7)) {
        case 0:
            b.linear = !b.linear;
            break;
        case 1:
            b.minmax = !b.minmax;
            break;
        case 2: /* nothing else is decoded */
            b.srgb ? (b.unorm_auxiliary = !b.unorm_auxiliary) : (b.linear = !b.linear);
            break;
        case 3:
            b.levels = a.levels > 1 ? 1 : 2;
            break;
        case 4:
            b.type = (uint8_t)((a.type + 1) % 7);
            b.rectangle = false;
            break;
        case 5:
            b.swizzle[below(4)] ^= 1;
            break;
        default:
            b.format = a.format == VK_FORMAT_R8G8B8A8_UNORM ? VK_FORMAT_D16_UNORM : VK_FORMAT_R8G8B8A8_UNORM;
        }
        assert_int_not_equal(view_facts_key(&a), view_facts_key(&b));
    }
}

/* An incomplete texture shows the same whatever the view's swizzle and format are, and comparisons fail without value.
 */
static void incomplete_textures_show_constants(void **unused)
{
    (void)unused;
    const struct resolve_caps full = {.gl_views = true, .custom_border_color = true, .max_lod_bias = 16.0f};
    static const struct {
        VkFormat format;
        VkImageAspectFlags aspect;
    } rows[] = {{VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT},
                {VK_FORMAT_R8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT},
                {VK_FORMAT_R32_SINT, VK_IMAGE_ASPECT_COLOR_BIT},
                {VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT}};
    const VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {.incomplete = VK_TRUE, .compareFailValue = 0.5f};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const VkImageViewCreateInfo info = info_of(rows[i].format, VK_IMAGE_VIEW_TYPE_2D, rows[i].aspect);
        const bool depth = rows[i].aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
        const gl_view gl = {.baseFormat = depth ? 0 : TOKEN_ALPHA, .swizzle = {TOKEN_ALPHA, TOKEN_RED, 1, TOKEN_ALPHA}};
        struct view_facts facts;
        VkComponentMapping mapping;
        const char *why;
        struct record image;
        assert_true(view_facts_from_gl(&gl, &info, &facts, &mapping, &why));
        view_facts_add_texture(&texture, &facts, &mapping);
        const uint32_t needs = resolve_image_record(&facts, &full, &image);
        assert_memory_equal(facts.swizzle, ((uint8_t[]){0, 0, 0, 1}), 4);
        assert_int_equal(view_order(&facts), 0);
        assert_int_equal(mapping.r, VK_COMPONENT_SWIZZLE_ZERO);
        assert_int_equal(mapping.a, VK_COMPONENT_SWIZZLE_ONE);
        assert_int_equal(facts.compared, depth ? VIEW_COMPARED_ZERO : VIEW_COMPARED_RESULT);
        assert_true(facts.compare_fail == 0.0f);
        assert_int_equal((needs & RECORD_NEED_COORDS_IF_DREF) != 0, depth);
    }
}

/*
 * Sizes are those of the texture, and the image's own stand where no colour shows: of images and of pairs, whatever the
 * sampler is, one that requires nothing among them.
 */
static void borders_are_in_records(void **unused)
{
    (void)unused;
    const struct resolve_caps full = {.gl_views = true, .custom_border_color = true, .max_lod_bias = 16.0f};
    static const uint8_t types[] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_VIEW_TYPE_CUBE};
    for (uint32_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        const VkImageViewCreateInfo info =
            info_of(VK_FORMAT_R8G8B8A8_UNORM, (VkImageViewType)types[i], VK_IMAGE_ASPECT_COLOR_BIT);
        struct view_facts facts;
        VkComponentMapping mapping;
        const char *why;
        struct record image;
        assert_true(view_facts_from_gl(&(gl_view){0}, &info, &facts, &mapping, &why));
        facts.linear = facts.minmax = true;
        facts.levels = 3;
        facts.width = facts.height = facts.depth = 6;
        assert_true(view_facts_key_is_whole(&facts));
        assert_false(view_facts_require_emulation(&facts));
        const uint32_t rest = view_facts_rest(&facts);
        facts.border = (uint16_t)(i ? 4 : 1);
        memcpy(facts.stored, ((uint32_t[]){20, 24, 28}), sizeof(facts.stored));
        assert_false(view_facts_key_is_whole(&facts));
        assert_true(view_facts_require_emulation(&facts));
        assert_int_not_equal(view_facts_rest(&facts), rest);
        const uint32_t needs = resolve_image_record(&facts, &full, &image);
        const uint32_t bits = RECORD_MORE_BORDERED | (uint32_t)facts.border << RECORD_MORE_BORDER_SHIFT;
        assert_int_equal(image.more & (RECORD_MORE_MAGNIFIED | RECORD_MORE_BORDERED), bits);
        assert_int_equal(image.size, 6u | 6u << RECORD_HEIGHT_SHIFT);
        assert_int_equal(image.border[2], 20u | 24u << RECORD_HEIGHT_SHIFT);
        assert_int_equal(image.border[3], 28);
        assert_int_equal(needs_tier(needs), TIER_FILTER_EXTRAS);
        for (uint8_t gl = 0; gl < 2; gl++) {
            const struct sampler_state state = {.gl = gl, .seamless = 1, .mag_linear = 1, .max_lod = 0.25f};
            struct resolve_result result;
            resolve_decide(&state, &facts, &full, &result);
            assert_int_not_equal(sampler_state_classify(&state, &full), SAMPLER_EMULATED_NEVER);
            assert_int_equal(result.record.more & (RECORD_MORE_MAGNIFIED | RECORD_MORE_BORDERED), bits);
            assert_int_equal(result.record.size, 6u | 6u << RECORD_HEIGHT_SHIFT);
            assert_int_equal(result.record.border[2], 20u | 24u << RECORD_HEIGHT_SHIFT);
            assert_int_equal(result.record.border[3], 28);
            assert_int_equal(result.tier, 2);
            assert_int_equal(needs_tier(result.needs), TIER_FILTER_EXTRAS);
        }
    }
}

/* In records of images and of pairs; nowhere where nothing is compared, or a constant is shown. */
static void comparisons_that_fail_have_a_value(void **unused)
{
    (void)unused;
    const struct resolve_caps full = {.gl_views = true, .custom_border_color = true, .max_lod_bias = 16.0f};
    static const struct {
        float value, kept;
        VkFormat format;
        uint32_t swizzle[4];
    } rows[] = {{0.25f, 0.25f, VK_FORMAT_D16_UNORM, {0}},
                {7.0f, 1.0f, VK_FORMAT_D32_SFLOAT, {0}},
                {-1.0f, 0.0f, VK_FORMAT_D32_SFLOAT, {0}},
                {NAN, 0.0f, VK_FORMAT_D32_SFLOAT, {0}},
                {0.25f, 0.0f, VK_FORMAT_D16_UNORM, {1, TOKEN_RED, 0, 0}},
                {0.25f, 0.0f, VK_FORMAT_R8G8B8A8_UNORM, {0}}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const bool depth = rows[i].format != VK_FORMAT_R8G8B8A8_UNORM;
        const VkImageViewCreateInfo info = info_of(rows[i].format, VK_IMAGE_VIEW_TYPE_2D,
                                                   depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT);
        const VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {.compareFailValue = rows[i].value};
        gl_view gl = {0};
        memcpy(gl.swizzle, rows[i].swizzle, sizeof(gl.swizzle));
        struct view_facts facts;
        VkComponentMapping mapping;
        const char *why;
        struct record image;
        assert_true(view_facts_from_gl(&gl, &info, &facts, &mapping, &why));
        const uint32_t before = view_facts_key(&facts);
        view_facts_add_texture(&texture, &facts, &mapping);
        facts.linear = true;
        facts.levels = 1;
        assert_true(record_bits(facts.compare_fail) == record_bits(rows[i].kept));
        resolve_image_record(&facts, &full, &image);
        const bool has = rows[i].kept > 0.0f;
        assert_int_equal((image.more & RECORD_MORE_COMPARED_FAIL) == RECORD_MORE_COMPARED_FAIL, has);
        assert_int_equal(image.third[1], has ? record_bits(rows[i].kept) : 0);
        for (uint8_t compare = 0; compare < 4; compare += 3) {
            struct sampler_state state = {.compare = compare, .gl = 1, .seamless = 1, .max_lod = 0.25f};
            struct resolve_result result;
            resolve_decide(&state, &facts, &full, &result);
            assert_int_equal(result.record.border[1], has && compare ? record_bits(rows[i].kept) : 0);
            assert_int_equal((result.needs & RECORD_NEED_COORDS_IF_DREF) != 0, has && compare);
            assert_int_equal(result.record.more & RECORD_MORE_COMPARED_FAIL, 0);
        }
        facts.linear = false;
        facts.levels = 0;
        assert_int_equal(view_facts_key(&facts) != before, has);
    }
}

/* What border colours are clamped to is part of a view's class: textures of any range in formats that hold them all. */
static void ranges_have_keys_of_their_own(void **unused)
{
    (void)unused;
    static const struct {
        VkFormat format;
        uint32_t internals[8];
    } rows[] = {
        {VK_FORMAT_R32G32B32A32_SFLOAT, {0x8814, 0x881A, 0x8E8F, 0x8C3A, 0x8C3D, 0x8058, 0x8F97}},
        {VK_FORMAT_R32G32B32A32_UINT, {0x8D70, 0x8D76, 0x906F, 0x8D7C}},
        {VK_FORMAT_R32G32B32A32_SINT, {0x8D82, 0x8D88, 0x8D8E}},
    };
    for (size_t row = 0; row < sizeof(rows) / sizeof(*rows); row++) {
        uint32_t keys[8];
        for (uint32_t i = 0; rows[row].internals[i]; i++) {
            const VkImageViewCreateInfo info =
                info_of(rows[row].format, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
            const gl_view gl = {.internalFormat = rows[row].internals[i], .baseFormat = TOKEN_RGBA};
            struct view_facts facts;
            VkComponentMapping mapping;
            const char *why;
            assert_true(view_facts_from_gl(&gl, &info, &facts, &mapping, &why));
            keys[i] = view_facts_key(&facts);
            for (uint32_t j = 0; j < i; j++)
                assert_int_not_equal(keys[i], keys[j]);
        }
    }
}

/*
 * Comparisons give what the swizzle's first component, or that of a Vulkan view's components, picks of the depth mode,
 * of which GL_ALPHA is taken for GL_INTENSITY. `depth_in`: where a separate image shows the depth.
 */
static void comparisons_follow_depth_modes_and_swizzles(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t depth_mode, swizzle[4];
        const char *components;
        enum view_compared compared;
        uint32_t depth_in;
    } rows[] = {
        {0, {0}, "====", VIEW_COMPARED_RESULT, 0},
        {TOKEN_LUMINANCE, {0}, "====", VIEW_COMPARED_RESULT, 0},
        {TOKEN_INTENSITY, {0}, "====", VIEW_COMPARED_RESULT, 0},
        {TOKEN_ALPHA, {0}, "====", VIEW_COMPARED_RESULT, 3},
        {TOKEN_ALPHA, {RED, GREEN, BLUE, ALPHA}, "====", VIEW_COMPARED_RESULT, 3},
        {TOKEN_ALPHA, {RED, ALPHA, 0, 0}, "====", VIEW_COMPARED_RESULT, 1},
        {TOKEN_ALPHA, {GREEN, 0, ALPHA, 0}, "====", VIEW_COMPARED_RESULT, 2},
        {TOKEN_ALPHA, {ALPHA, 0, 0, 0}, "====", VIEW_COMPARED_RESULT, 0},
        {TOKEN_ALPHA, {1, RED, 0, ALPHA}, "====", VIEW_COMPARED_ONE, 0},
        {TOKEN_ALPHA, {0, RED, 0, ALPHA}, "====", VIEW_COMPARED_ZERO, 0},
        {TOKEN_ALPHA, {0}, "A===", VIEW_COMPARED_RESULT, 3}, /* components say nothing here */
        {TOKEN_ALPHA, {0}, "000R", VIEW_COMPARED_RESULT, 3},
        {TOKEN_ALPHA, {0}, "0000", VIEW_COMPARED_ZERO, 0}, /* but that all is GL_ZERO */
        {0, {0, 0, 0, RED}, "====", VIEW_COMPARED_ZERO, 0},
        {0, {1, RED, 0, 0}, "====", VIEW_COMPARED_ONE, 0},
        {0, {GREEN, RED, 0, 0}, "====", VIEW_COMPARED_ZERO, 0},
        {0, {ALPHA, RED, 0, 0}, "====", VIEW_COMPARED_ONE, 0},
        {TOKEN_LUMINANCE, {GREEN, 0, 0, 0}, "====", VIEW_COMPARED_RESULT, 0},
        {TOKEN_LUMINANCE, {ALPHA, RED, 0, 0}, "====", VIEW_COMPARED_ONE, 0},
        {TOKEN_INTENSITY, {ALPHA, 0, 0, 0}, "====", VIEW_COMPARED_RESULT, 0},
        {0, {0}, "0000", VIEW_COMPARED_ZERO, 0},
        {0, {0}, "1===", VIEW_COMPARED_RESULT, 0},
        {0, {0}, "RRR0", VIEW_COMPARED_RESULT, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkImageViewCreateInfo info = info_of(VK_FORMAT_D16_UNORM, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_DEPTH_BIT);
        const char *letters = rows[i].components;
        VkComponentSwizzle components[4];
        for (int c = 0; c < 4; c++)
            components[c] = (VkComponentSwizzle)(strchr("=01RGBA", letters[c]) - "=01RGBA");
        info.components = (VkComponentMapping){components[0], components[1], components[2], components[3]};
        gl_view gl = {.depthMode = rows[i].depth_mode};
        memcpy(gl.swizzle, rows[i].swizzle, sizeof(gl.swizzle));
        struct view_facts facts;
        VkComponentMapping mapping;
        struct record image;
        const struct resolve_caps caps = {0};
        const char *why;
        assert_true(view_facts_from_gl(&gl, &info, &facts, &mapping, &why));
        assert_int_equal(facts.compared, rows[i].compared);
        facts.width = facts.height = facts.depth = 1;
        const uint32_t needs = resolve_image_record(&facts, &caps, &image);
        assert_int_equal((image.more & RECORD_MORE_COMPARED_ZERO) != 0, rows[i].compared == VIEW_COMPARED_ZERO);
        assert_int_equal((image.more & RECORD_MORE_COMPARED_ONE) != 0, rows[i].compared == VIEW_COMPARED_ONE);
        assert_int_equal((needs & RECORD_NEED_COORDS_IF_DREF) != 0, rows[i].compared != VIEW_COMPARED_RESULT);
        assert_int_equal(image.more >> RECORD_MORE_DEPTH_IN_SHIFT & RECORD_MORE_DEPTH_IN_MASK, rows[i].depth_in);
        assert_int_equal((needs & RECORD_NEED_FILTER_IF_DREF) != 0, rows[i].depth_in != 0);
    }
}

/* Depth that the swizzle shows nowhere is out of a separate image's reach; in one descriptor the view is another. */
static void depth_that_is_nowhere_is_said(void **unused)
{
    (void)unused;
    const VkImageViewCreateInfo info = info_of(VK_FORMAT_D16_UNORM, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_DEPTH_BIT);
    const gl_view gl = {.depthMode = TOKEN_ALPHA, .swizzle = {RED, 0, 0, 1}};
    const struct resolve_caps caps = {0};
    struct view_facts facts;
    VkComponentMapping mapping;
    struct record image;
    const char *why;
    assert_true(view_facts_from_gl(&gl, &info, &facts, &mapping, &why));
    assert_int_equal(facts.compared, VIEW_COMPARED_RESULT);
    resolve_image_record(&facts, &caps, &image);
    assert_int_equal(image.more & (RECORD_MORE_COMPARED_ZERO | RECORD_MORE_COMPARED_ONE), RECORD_MORE_COMPARED_ZERO);
}

/* A Vulkan view's components say it by themselves, of (D, 0, 0, 1). */
static void comparisons_follow_components(void **unused)
{
    (void)unused;
    static const struct {
        VkComponentSwizzle red;
        enum view_compared compared;
    } rows[] = {
        {VK_COMPONENT_SWIZZLE_IDENTITY, VIEW_COMPARED_RESULT}, {VK_COMPONENT_SWIZZLE_R, VIEW_COMPARED_RESULT},
        {VK_COMPONENT_SWIZZLE_ZERO, VIEW_COMPARED_ZERO},       {VK_COMPONENT_SWIZZLE_ONE, VIEW_COMPARED_ONE},
        {VK_COMPONENT_SWIZZLE_G, VIEW_COMPARED_ZERO},          {VK_COMPONENT_SWIZZLE_A, VIEW_COMPARED_ONE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        VkImageViewCreateInfo info = info_of(VK_FORMAT_D16_UNORM, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_DEPTH_BIT);
        struct view_facts facts;
        info.components.r = rows[i].red;
        view_facts_from_vk(&info, &facts);
        assert_int_equal(facts.compared, rows[i].compared);
    }
}

/* Nothing that the device or the settings lack, and nothing that Vulkan forbids. */
static void assert_within(const struct resolved *result, const struct sampler_state *state,
                          const struct view_facts *view, const struct resolve_caps *caps)
{
    const struct driver_sampler *driver = &result->driver;
    const VkSamplerCreateInfo *info = &driver->info;
    bool gl = state->gl, linear = info->magFilter || info->minFilter || info->mipmapMode;
    VkSamplerAddressMode last = caps->mirror_clamp_to_edge ? VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE
                                                           : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    if (!gl)
        return; /* the program's own business */
    assert_true(info->addressModeU <= last && info->addressModeV <= last && info->addressModeW <= last);
    assert_true(info->mipLodBias <= caps->max_lod_bias && info->mipLodBias >= -caps->max_lod_bias);
    assert_true(info->maxLod >= info->minLod && info->minLod >= 0.0f);
    assert_true(!info->anisotropyEnable || (caps->anisotropy && info->maxAnisotropy <= caps->max_anisotropy));
    assert_true(!(info->flags & 4) || caps->non_seamless_cube);
    assert_true(!driver->custom_border || (caps->custom_border_color && !caps->border_in_shader));
    assert_true(!driver->border_mapping || (caps->border_swizzle && !caps->border_swizzle_from_image));
    if (driver->custom_border && !caps->custom_border_color_without_format)
        assert_int_not_equal(driver->border_format, VK_FORMAT_UNDEFINED);
    if (driver->reduction != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        assert_true(caps->sampler_filter_minmax && !info->compareEnable && (!view || view->minmax));
    if (view && linear && !info->compareEnable && caps->gl_fallback != RESOLVE_FALLBACK_OFF)
        assert_true(view->linear || result->view == RESOLVE_VIEW_INCOMPLETE ||
                    driver->reduction != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE);
    if (view && view->integer)
        assert_false(linear);
    assert_true(!view || !info->compareEnable || view->depth_aspect);
    assert_true(result->view != RESOLVE_VIEW_UNORM || (view->srgb && view->unorm_auxiliary));
    assert_true(result->view != RESOLVE_VIEW_INCOMPLETE || caps->integer_incomplete);
}

static void assert_record_fits(const struct resolved *result, const struct view_facts *view)
{
    const struct record *record = &result->record;
    static const struct record zero;
    struct view_terms terms;
    struct record combined;
    if (!view)
        return;
    resolve_view_terms(view, &terms);
    resolve_combine(&result->terms, &terms, &combined);
    assert_memory_equal(&combined, record, sizeof(combined));
    /* No bit is in both. */
    assert_int_equal(result->terms.record.flags & terms.record.flags, 0);
    assert_int_equal(result->terms.record.size & terms.record.size, 0);
    assert_int_equal(result->terms.record.depth_bias & terms.record.depth_bias, 0);
    assert_int_equal(result->terms.record.lod & terms.record.lod, 0);
    if (result->tier == 0 && result->needs == 0)
        assert_memory_equal(record, &zero, sizeof(zero));
    else {
        assert_int_equal(record->flags >> RECORD_LEVELS_SHIFT & RECORD_LEVELS_MASK, view->levels);
        assert_int_equal(record->size & 0xFFFF, view->width);
        assert_int_equal(record->size >> 16, view->height);
        assert_int_equal(record->depth_bias & RECORD_DEPTH_MASK, view->depth);
    }
    assert_int_equal(record->flags & RECORD_OTHER, 0);
}

static void random_pairs_stay_within_the_device(void **unused)
{
    (void)unused;
    for (int i = 0; i < 200000; i++) {
        struct resolve_caps caps = any_caps();
        struct sampler_state state = any_state(&caps);
        struct view_facts facts = any_view();
        const struct view_facts *view = below(5) ? &facts : NULL;
        struct resolved result;
        struct driver_sampler own;
        memset(&result, 0xAA, sizeof(result));
        resolve_pair(&state, view, &caps, &result);
        assert_within(&result, &state, view, &caps);
        assert_record_fits(&result, view);
        assert_int_equal(result.needs, record_needs(&result.record));
        assert_true(*result.reason && strlen(result.reason) < sizeof(result.reason));
        resolve_program_sampler(&state, &caps, &own);
        assert_true(!own.custom_border || !state.gl);
        assert_int_equal(result.program_suffices, memcmp(&own, &result.driver, sizeof(own)) == 0);
    }
}

/* Sampler and image records of descriptors of their own share no bit of their first halves: the shader ORs them. */
static void separate_records_share_no_bit(void **unused)
{
    (void)unused;
    for (int i = 0; i < 50000; i++) {
        struct resolve_caps caps = any_caps();
        struct sampler_state state = any_state(&caps);
        struct view_facts facts = any_view();
        struct resolved sampler;
        struct record image;
        resolve_pair(&state, NULL, &caps, &sampler);
        uint32_t needs = resolve_image_record(&facts, &caps, &image);
        assert_int_equal(needs, record_needs(&image));
        assert_int_equal(sampler.record.flags & image.flags, 0);
        assert_int_equal(sampler.record.size & image.size, 0);
        assert_int_equal(sampler.record.depth_bias & image.depth_bias, 0);
        assert_int_equal(sampler.record.lod & image.lod, 0);
        for (int place = 0; place < 4; place++)
            assert_int_equal(image.border[0] >> 3 * place & RECORD_BORDER_SELECTOR_MASK, facts.swizzle[place]);
        assert_int_equal((image.border[0] & RECORD_BORDER_ALPHA_IN_COLOR) != 0, facts.kept_in[3] != 0);
    }
}

static void random_bytes_do_no_harm(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        union {
            uint32_t words[(sizeof(VkSamplerGLStateCreateInfoCLAMPLER) + sizeof(gl_view)) / 4 + 2];
            struct {
                VkSamplerGLStateCreateInfoCLAMPLER sampler;
                gl_view view;
            } gl;
        } any;
        for (size_t word = 0; word < sizeof(any.words) / sizeof(*any.words); word++)
            any.words[word] = below(3) ? below(0x10000) : below(UINT32_MAX);
        any.gl.sampler.pNext = any.gl.view.pNext = NULL;
        struct resolve_caps caps = any_caps();
        struct sampler_state state;
        struct view_facts view = any_view();
        VkImageViewCreateInfo info = info_of((VkFormat)below(UINT32_MAX), (VkImageViewType)below(UINT32_MAX), below(8));
        VkComponentMapping mapping;
        struct resolved result;
        const char *why;
        if (below(2)) { /* numbers of all kinds, tokens that are right */
            any.gl.sampler.wrapS = TOKEN_CLAMP;
            any.gl.sampler.wrapT = TOKEN_CLAMP_TO_BORDER;
            any.gl.sampler.wrapR = TOKEN_MIRROR_CLAMP;
            any.gl.sampler.minFilter = TOKEN_LINEAR_MIPMAP_LINEAR;
            any.gl.sampler.magFilter = TOKEN_LINEAR;
            any.gl.sampler.compareMode = any.gl.sampler.compareFunc = 0;
            any.gl.sampler.srgbDecode = any.gl.sampler.reductionMode = 0;
        }
        if (!resolve_gl_state(&any.gl.sampler, below(8), &caps, &state, &why))
            state = any_state(&caps);
        resolve_pair(&state, &view, &caps, &result);
        if (view_facts_from_gl(&any.gl.view, &info, &view, &mapping, &why)) {
            view.levels = (uint8_t)below(256);
            resolve_pair(&state, &view, &caps, &result);
        }
        view_facts_from_vk(&info, &view);
        view.width = view.height = view.depth = below(UINT32_MAX);
        view.levels = (uint8_t)below(256);
        resolve_pair(&state, &view, &caps, &result);
        view_facts_key(&view);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_taken_or_refused_by_name),
        cmocka_unit_test(targets_fit_the_type_of_the_view),
        cmocka_unit_test(base_format_depth_mode_and_swizzle_compose),
        cmocka_unit_test(a_swizzle_of_zeros_is_the_identity),
        cmocka_unit_test(stencil_is_sampled_where_it_is_there),
        cmocka_unit_test(swizzles_say_depth_modes_of_stencil),
        cmocka_unit_test(fixed_point_depth_in_floats_is_known),
        cmocka_unit_test(every_srgb_format_has_a_unorm_twin),
        cmocka_unit_test(equal_keys_give_equal_results),
        cmocka_unit_test(channels_are_shown_wherever_they_are_kept),
        cmocka_unit_test(orders_are_refused_by_name),
        cmocka_unit_test(whole_keys_have_the_order),
        cmocka_unit_test(different_facts_have_different_keys),
        cmocka_unit_test(ranges_have_keys_of_their_own),
        cmocka_unit_test(incomplete_textures_show_constants),
        cmocka_unit_test(borders_are_in_records),
        cmocka_unit_test(comparisons_that_fail_have_a_value),
        cmocka_unit_test(comparisons_follow_depth_modes_and_swizzles),
        cmocka_unit_test(depth_that_is_nowhere_is_said),
        cmocka_unit_test(comparisons_follow_components),
        cmocka_unit_test(random_pairs_stay_within_the_device),
        cmocka_unit_test(separate_records_share_no_bit),
        cmocka_unit_test(random_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
