/* SPDX-License-Identifier: MIT */
/* Cases about view state and border colours: what a texture shows of its texels, and of the border. */
#include <string.h>

#include "differential/generate.h"

#define SWIZZLES 6
static const uint32_t swizzles[SWIZZLES][4] = {
    {0, 0, 0, 0}, /* identity */
    {GL_BLUE, GL_GREEN, GL_RED, GL_ALPHA},
    {GL_ALPHA, GL_ALPHA, GL_ALPHA, GL_ONE},
    {GL_ZERO, GL_ONE, GL_RED, GL_GREEN},
    {GL_RED, GL_RED, GL_RED, GL_GREEN},
    {GL_GREEN, GL_ALPHA, GL_ZERO, GL_BLUE},
};

/* Base formats for what a format has: 0 is the format's own. */
#define BASES 8
static const uint32_t bases_of_one[BASES] = {0, GL_RED, GL_ALPHA, GL_LUMINANCE, GL_INTENSITY},
                      bases_of_two[BASES] = {0, GL_RG, GL_LUMINANCE_ALPHA, GL_RED},
                      bases_of_four[BASES] = {
                          0, GL_RGB, GL_RG, GL_RED, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_INTENSITY};

static const enum lookup_format color_formats[] = {
    LOOKUP_RGBA8,   LOOKUP_R8,     LOOKUP_RG8,      LOOKUP_RGBA8_SNORM, LOOKUP_SRGB8_ALPHA8, LOOKUP_R16,
    LOOKUP_RGBA16,  LOOKUP_R16F,   LOOKUP_RG16F,    LOOKUP_RGBA16F,     LOOKUP_R32F,         LOOKUP_RG32F,
    LOOKUP_RGBA32F, LOOKUP_BC1,    LOOKUP_BC1_SRGB, LOOKUP_BC3,         LOOKUP_BC4,          LOOKUP_RGBA8UI,
    LOOKUP_R8UI,    LOOKUP_RGBA8I, LOOKUP_RGBA32UI, LOOKUP_RG32I,
};
#define COLOR_FORMATS (sizeof(color_formats) / sizeof(color_formats[0]))

static const uint32_t *bases_of(enum lookup_format format)
{
    static const uint32_t own[BASES] = {0};
    const struct format *about = format_of(format);
    if (about->class == FORMAT_COMPRESSED)
        return own;
    return about->channels == 1 ? bases_of_one : about->channels == 2 ? bases_of_two : bases_of_four;
}

static enum lookup_kind kind_of(enum lookup_format format)
{
    switch (format_of(format)->class) {
    case FORMAT_UINT:
        return LOOKUP_UINT;
    case FORMAT_INT:
        return LOOKUP_INT;
    default:
        return LOOKUP_FLOAT;
    }
}

static void set_view(struct diff_case *one, uint32_t base, uint32_t swizzle)
{
    one->viewed = true;
    one->view.baseFormat = base;
    memcpy(one->view.swizzle, swizzles[swizzle], sizeof(swizzles[0]));
}

/* A border colour that the format holds, every channel its own; beyond the range in some cases of normalised ones. */
static void set_border(struct diff_case *one, uint32_t variant)
{
    static const float normal[4][4] = {
        {1, 128 / 255.0f, 0, 64 / 255.0f}, {1.5f, 51 / 255.0f, -0.5f, 1}, {0, 0, 0, 1}, {204 / 255.0f, 1, 1, 0}};
    static const float wide[4][4] = {{4, -2, 0.5f, 0.25f}, {0.25f, 0.75f, 8, -1}, {0, 0, 0, 1}, {1, 0.5f, 1, 0}};
    static const int32_t whole[4][4] = {{100, 7, 33, 2}, {1, 0, 0, 1}, {0, 0, 0, 1}, {5, 120, 1, 90}};
    const enum format_class class = format_of(one->texture.format)->class;
    float *border = one->state.borderColor.float32;
    if (case_is_integer(one)) {
        memcpy(one->state.borderColor.int32, whole[variant % 4], sizeof(whole[0]));
        if (class == FORMAT_INT && variant % 2)
            one->state.borderColor.int32[1] = -one->state.borderColor.int32[1];
    } else if (class == FORMAT_FLOAT || class == FORMAT_DEPTH_FLOAT) {
        memcpy(border, wide[variant % 4], sizeof(wide[0]));
    } else {
        memcpy(border, normal[variant % 4], sizeof(normal[0]));
    }
}

/* generate_add chooses a border for each detail: these families have their own. */
static void add_with_border(struct case_list *list, struct diff_case one, uint32_t detail, uint32_t border)
{
    size_t before = list->count;
    generate_add(list, one, detail);
    if (list->count == before)
        return;
    struct diff_case *added = &list->cases[before];
    added->form = LOOKUP_SAMPLER_GL;
    set_border(added, border);
}

/* Base formats and swizzles where no border shows, in every dimension and through most lookups. */
static void views(struct case_list *list)
{
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GATHER, LOOKUP_GRAD};
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D, LOOKUP_2D_ARRAY, LOOKUP_3D, LOOKUP_1D, LOOKUP_CUBE};
    static const uint32_t modes[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT, GL_MIRROR_CLAMP_TO_EDGE};
    uint32_t n = 0;
    for (size_t format = 0; format < COLOR_FORMATS; format++)
        for (int base = 0; base < BASES && (base == 0 || bases_of(color_formats[format])[base]); base++)
            for (uint32_t swizzle = 0; swizzle < SWIZZLES; swizzle++, n++) {
                const enum lookup_kind kind = kind_of(color_formats[format]);
                struct diff_case one = generate_case(FAMILY_VIEWS, dimensions[n % 5], operations[n / 3 % 4]);
                const uint32_t *filters = generate_filters[kind == LOOKUP_FLOAT ? n / 2 % 6 : n % 2 * 2];
                one.lookup.kind = kind;
                one.lookup.separate = n % 4 == 1;
                one.lookup.component = one.lookup.operation == LOOKUP_GATHER ? n / 5 % 4 : 0;
                one.texture.format = color_formats[format];
                one.state = generate_state(modes[n / 7 % 4], filters[0], filters[1]);
                one.state.cubeMapSeamless = VK_TRUE;
                set_view(&one, bases_of(color_formats[format])[base], swizzle);
                generate_add(list, one, n);
                if (one.lookup.dimension == LOOKUP_2D)
                    continue;
                one.lookup.dimension = LOOKUP_2D; /* what compressed formats and gathers have */
                generate_add(list, one, n + 1);
            }
}

/* The same where the border shows: natively, moved and filtered, combined and separate. */
static void border_views(struct case_list *list)
{
    static const uint32_t modes[] = {GL_CLAMP_TO_BORDER, GL_CLAMP, GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_CLAMP_TO_BORDER};
    uint32_t n = 0;
    for (size_t format = 0; format < COLOR_FORMATS; format++)
        for (int base = 0; base < BASES && (base == 0 || bases_of(color_formats[format])[base]); base++)
            for (uint32_t swizzle = 0; swizzle < SWIZZLES; swizzle++)
                for (uint32_t variant = 0; variant < 4; variant++, n++) {
                    const enum lookup_kind kind = kind_of(color_formats[format]);
                    struct diff_case one = generate_case(FAMILY_BORDER_VIEWS, n % 5 == 3 ? LOOKUP_2D_ARRAY : LOOKUP_2D,
                                                         n % 7 == 5 ? LOOKUP_GATHER : LOOKUP_LOD);
                    const uint32_t *filters = generate_filters[kind == LOOKUP_FLOAT ? (n / 3 % 3) * 2 + n % 2 : 0];
                    if (kind == LOOKUP_FLOAT && n % 11 == 7)
                        filters = generate_filters[6 + n % 2]; /* mixed */
                    one.lookup.kind = kind;
                    one.lookup.separate = variant % 2;
                    one.lookup.component = one.lookup.operation == LOOKUP_GATHER ? n / 7 % 4 : 0;
                    one.texture.format = color_formats[format];
                    one.crowded = n % 13 == 4;
                    one.state = generate_state(modes[variant], filters[0], filters[1]);
                    set_view(&one, bases_of(color_formats[format])[base], swizzle);
                    one.viewed = base || swizzle || variant == 3;
                    add_with_border(list, one, n, n / 2);
                }
}

/* Depth modes, with comparison swizzles as well; promoted depth; the stencil of textures that have both. */
static void depths(struct case_list *list)
{
    static const enum lookup_format formats[] = {LOOKUP_DEPTH32F, LOOKUP_DEPTH16, LOOKUP_DEPTH24,
                                                 LOOKUP_DEPTH32F_STENCIL8};
    static const uint32_t depth_modes[] = {0, GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_RED};
    static const uint32_t modes[] = {GL_CLAMP_TO_BORDER, GL_CLAMP, GL_REPEAT, GL_MIRROR_CLAMP_TO_BORDER_EXT};
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GATHER};
    for (uint32_t i = 0; i < 4 * 5 * 4 * 3 * 4; i++) {
        const uint32_t *filters = generate_filters[i / 20 % 2 + i / 240 % 3 * 2];
        struct diff_case one =
            generate_case(FAMILY_DEPTH, i % 7 == 3 ? LOOKUP_2D_ARRAY : LOOKUP_2D, operations[i / 80 % 3]);
        const uint32_t what = i / 240 % 4; /* colour, comparison, comparison, stencil */
        one.texture.format = what == 3 ? LOOKUP_DEPTH32F_STENCIL8 : formats[i % 4];
        one.lookup.kind = what == 0 ? LOOKUP_FLOAT : what < 3 ? LOOKUP_SHADOW : LOOKUP_UINT;
        one.lookup.separate = i / 3 % 2;
        if (what == 3)
            filters = generate_filters[i / 20 % 2 * 2];
        one.state = generate_state(modes[i / 20 % 4], filters[0], filters[1]);
        one.viewed = true;
        one.view.depthMode = what < 2 ? depth_modes[i / 4 % 5] : 0;
        if (what == 2)
            memcpy(one.view.swizzle, swizzles[i / 5 % SWIZZLES], sizeof(swizzles[0]));
        one.view.stencilSampling = what == 3;
        if (one.texture.format == LOOKUP_DEPTH24)
            one.view.internalFormat = GL_DEPTH_COMPONENT24;
        add_with_border(list, one, i, i / 5);
    }
}

static void decodings(struct case_list *list)
{
    static const enum lookup_format formats[] = {LOOKUP_SRGB8_ALPHA8, LOOKUP_BC1_SRGB, LOOKUP_RGBA8};
    static const uint32_t modes[] = {GL_REPEAT, GL_CLAMP, GL_CLAMP_TO_BORDER, GL_MIRROR_CLAMP_TO_BORDER_EXT};
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GATHER};
    for (uint32_t i = 0; i < 3 * 4 * 6 * 3 * 2; i++) {
        const uint32_t *filters = generate_filters[i / 12 % 6];
        struct diff_case one =
            generate_case(FAMILY_SRGB, i % 5 == 2 ? LOOKUP_2D_ARRAY : LOOKUP_2D, operations[i / 72 % 3]);
        one.texture.format = formats[i % 3];
        one.lookup.separate = i / 216 % 2;
        one.state = generate_state(modes[i / 3 % 4], filters[0], filters[1]);
        one.state.srgbDecode = i % 7 == 3 ? GL_DECODE_EXT : GL_SKIP_DECODE_EXT;
        one.texture.size[0] = 16, one.texture.size[1] = 16, one.texture.size[2] = 2;
        add_with_border(list, one, i, i / 3);
    }
}

/* Through samplers of all kinds, none of which acts on them. */
static void fetches(struct case_list *list)
{
    static const enum lookup_dimension dimensions[] = {LOOKUP_1D, LOOKUP_1D_ARRAY, LOOKUP_2D, LOOKUP_2D_ARRAY,
                                                       LOOKUP_3D};
    static const enum lookup_format formats[] = {LOOKUP_SRGB8_ALPHA8, LOOKUP_SRGB8_ALPHA8, LOOKUP_BC1_SRGB,
                                                 LOOKUP_RGBA8};
    static const uint32_t bases[] = {0, GL_RGB, GL_LUMINANCE, GL_ALPHA, GL_RED};
    static const uint32_t swizzles[][4] = {
        {0}, {GL_BLUE, GL_ALPHA, GL_RED, GL_GREEN}, {GL_ALPHA, GL_ONE, GL_ZERO, GL_RED}};
    for (uint32_t i = 0; i < 5 * 4 * GENERATE_WRAPS * 3; i++) {
        const uint32_t *filters = generate_filters[i / 5 % GENERATE_FILTERS];
        struct diff_case one = generate_case(FAMILY_FETCH, dimensions[i % 5], LOOKUP_FETCH);
        one.texture.format = formats[i / 5 % 4];
        one.texture.size[0] = 16, one.texture.size[1] = 16, one.texture.size[2] = 3;
        one.lookup.stage = (enum lookup_stage)(i / 7 % 3);
        one.lookup.separate = i / 3 % 4 == 1;
        one.state = generate_state(generate_wraps[i / 20 % GENERATE_WRAPS], filters[0], filters[1]);
        one.state.srgbDecode = i % 6 == 3 ? GL_DECODE_EXT : GL_SKIP_DECODE_EXT;
        one.form = LOOKUP_SAMPLER_GL;
        one.viewed = i / 2 % 3 == 1 && one.texture.format != LOOKUP_BC1_SRGB;
        one.view.baseFormat = one.viewed ? bases[i / 11 % 5] : 0;
        memcpy(one.view.swizzle, swizzles[one.viewed ? i / 13 % 3 : 0], sizeof(one.view.swizzle));
        generate_add(list, one, i);
    }
}

static void components(struct case_list *list)
{
    for (uint32_t i = 0; i < 3 * 2 * GENERATE_WRAPS * 4 * 2; i++) {
        const uint32_t *filters = generate_filters[i / 192 % 2];
        struct diff_case one = generate_case(FAMILY_COMPONENTS, i / 3 % 2 ? LOOKUP_2D : LOOKUP_2D_ARRAY,
                                             (enum lookup_operation)(LOOKUP_GATHER + i % 3));
        one.lookup.component = i / 48 % 4;
        one.lookup.separate = i % 5 == 2;
        one.state = generate_state(generate_wraps[i / 6 % GENERATE_WRAPS], filters[0], filters[1]);
        generate_add(list, one, i + i / 6);
    }
}

/* Comparisons that fail give a value (ARB_shadow_ambient), through every filter, depth mode and swizzle. */
static void fail_values(struct case_list *list)
{
    static const enum lookup_format formats[] = {LOOKUP_DEPTH32F, LOOKUP_DEPTH16, LOOKUP_DEPTH24,
                                                 LOOKUP_DEPTH32F_STENCIL8};
    static const uint32_t depth_modes[] = {0, GL_LUMINANCE, GL_INTENSITY, GL_ALPHA};
    static const float values[] = {0.25f, 1, 0.625f, 0.0625f};
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D, LOOKUP_2D_ARRAY, LOOKUP_1D, LOOKUP_CUBE};
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GATHER, LOOKUP_GRAD,
                                                       LOOKUP_GATHER_OFFSETS};
    for (uint32_t i = 0; i < 5 * 4 * GENERATE_WRAPS * GENERATE_FILTERS; i++) {
        const uint32_t *filters = generate_filters[i / 160];
        struct diff_case one =
            generate_case(FAMILY_FAIL_VALUES, dimensions[i % 5 < 2 ? i / 5 % 4 : i / 3 % 2], operations[i % 5]);
        one.texture.format = formats[i / 7 % 4];
        one.lookup.kind = LOOKUP_SHADOW;
        one.lookup.separate = i / 2 % 3 == 1;
        one.state = generate_state(generate_wraps[i / 20 % GENERATE_WRAPS], filters[0], filters[1]);
        one.state.cubeMapSeamless = i / 11 % 2;
        one.viewed = true;
        one.compare_fail = values[i / 3 % 4];
        one.view.depthMode = depth_modes[i / 5 % 4];
        if (i % 7 == 4 && one.view.depthMode != GL_ALPHA) /* docs/limits.md */
            memcpy(one.view.swizzle, swizzles[i / 7 % SWIZZLES], sizeof(swizzles[0]));
        if (one.texture.format == LOOKUP_DEPTH24)
            one.view.internalFormat = GL_DEPTH_COMPONENT24;
        add_with_border(list, one, i, i / 5);
    }
}

/* Textures that lack levels, of every type, through samplers that would read their borders. */
static void incomplete_textures(struct case_list *list)
{
    static const enum lookup_operation operations[] = {LOOKUP_LOD,  LOOKUP_IMPLICIT,   LOOKUP_GATHER,
                                                       LOOKUP_GRAD, LOOKUP_LOD_OFFSET, LOOKUP_GATHER_OFFSETS};
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D, LOOKUP_2D_ARRAY, LOOKUP_3D, LOOKUP_1D, LOOKUP_CUBE};
    static const enum lookup_format depths[] = {LOOKUP_DEPTH32F, LOOKUP_DEPTH16};
    for (uint32_t i = 0; i < 6 * 5 * GENERATE_WRAPS * 6; i++) {
        const uint32_t *filters = generate_filters[i / 30 / GENERATE_WRAPS];
        const bool depth = i % 4 == 3;
        struct diff_case one = generate_case(FAMILY_UNFINISHED, dimensions[i / 6 % 5], operations[i % 6]);
        one.texture.format = depth ? depths[i / 4 % 2] : color_formats[i / 3 % COLOR_FORMATS];
        one.lookup.kind = depth ? i / 8 % 2 ? LOOKUP_SHADOW : LOOKUP_FLOAT : kind_of(one.texture.format);
        if (one.lookup.kind == LOOKUP_UINT || one.lookup.kind == LOOKUP_INT)
            filters = generate_filters[i / 5 % 2 * 2];
        one.lookup.separate = i / 5 % 2;
        one.lookup.component = one.lookup.operation == LOOKUP_GATHER ? i / 7 % 4 : 0;
        one.state = generate_state(generate_wraps[i / 30 % GENERATE_WRAPS], filters[0], filters[1]);
        one.state.cubeMapSeamless = i / 13 % 2;
        one.state.srgbDecode = i % 5 == 2 ? GL_SKIP_DECODE_EXT : 0;
        one.viewed = true;
        one.texture_incomplete = true;
        if (!depth && i % 9 == 2)
            memcpy(one.view.swizzle, swizzles[i / 9 % SWIZZLES], sizeof(swizzles[0]));
        add_with_border(list, one, i, i / 2);
    }
}

/*
 * Textures with border texels, in every dimension, through every wrap mode and filter and most lookups: of OpenGL (one
 * texel in front) and of consoles (four). Faces of cubes have a border each.
 */
static void texture_borders(struct case_list *list)
{
    static const enum lookup_operation operations[] = {
        LOOKUP_LOD,  LOOKUP_IMPLICIT,  LOOKUP_GATHER, LOOKUP_GRAD,      LOOKUP_LOD_OFFSET, LOOKUP_GATHER_OFFSETS,
        LOOKUP_PROJ, LOOKUP_QUERY_LOD, LOOKUP_FETCH,  LOOKUP_PROJ_GRAD, LOOKUP_BIAS};
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D, LOOKUP_2D,        LOOKUP_3D,       LOOKUP_1D,
                                                       LOOKUP_2D, LOOKUP_2D_ARRAY,  LOOKUP_1D_ARRAY, LOOKUP_CUBE,
                                                       LOOKUP_2D, LOOKUP_CUBE_ARRAY};
    static const enum lookup_format depths[] = {LOOKUP_DEPTH32F, LOOKUP_DEPTH16};
    static const uint32_t cubic[][2] = {{CASE_CUBIC, CASE_CUBIC}, {CASE_CUBIC_MIPMAP_LINEAR, CASE_CUBIC}};
    enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };
    for (uint32_t i = 0; i < OPERATIONS * 10 * GENERATE_WRAPS * 4; i++) {
        const uint32_t n = i / (OPERATIONS * 10);
        const uint32_t *filters = i % 13 == 6 ? cubic[i / 13 % 2] : generate_filters[(i / 3 + n) % GENERATE_FILTERS];
        const bool depth = i % 5 == 3;
        struct diff_case one =
            generate_case(FAMILY_TEXTURE_BORDERS, dimensions[i / OPERATIONS % 10], operations[i % OPERATIONS]);
        one.texture.format = depth        ? depths[i / 5 % 2]
                             : i % 4 == 1 ? color_formats[i / 4 % COLOR_FORMATS]
                                          : (i % 4 == 2 ? LOOKUP_RGBA32F : LOOKUP_RGBA8);
        if (format_of(one.texture.format)->class == FORMAT_COMPRESSED)
            one.texture.format = LOOKUP_RGBA16;
        one.texture.border = i / 7 % 3 == 2 ? 4 : 1;
        one.lookup.kind = depth ? i / 9 % 2 ? LOOKUP_SHADOW : LOOKUP_FLOAT : kind_of(one.texture.format);
        if (one.lookup.kind == LOOKUP_UINT || one.lookup.kind == LOOKUP_INT)
            filters = generate_filters[i / 5 % 2 * 2];
        if (one.lookup.operation == LOOKUP_QUERY_LOD) /* no OpenGL has cubic ones to say what the driver's levels are */
            filters = generate_filters[(i / 3 + n) % GENERATE_FILTERS];
        if (one.lookup.kind ==
            LOOKUP_SHADOW) { /* equal depths are a matter of bits; cubic comparisons there are none */
            filters = generate_filters[(i / 3 + n) % GENERATE_FILTERS];
            one.texture.format = LOOKUP_DEPTH32F;
        }
        one.lookup.separate = i / 2 % 2;
        one.lookup.stage = i % 6 == 1 ? (enum lookup_stage)(i / 6 % 3) : LOOKUP_FRAGMENT;
        one.lookup.component = one.lookup.operation == LOOKUP_GATHER ? i / 11 % 4 : 0;
        one.state = generate_state(generate_wraps[n % GENERATE_WRAPS], filters[0], filters[1]);
        if (i % 3 == 1)
            one.state.wrapT = generate_wraps[i / 3 % GENERATE_WRAPS];
        if (i % 7 == 2)
            one.state.wrapR = generate_wraps[i / 7 % GENERATE_WRAPS];
        one.state.cubeMapSeamless = i / 11 % 3 == 0;
        one.state.srgbDecode = i % 8 == 5 ? GL_SKIP_DECODE_EXT : 0;
        if (i % 9 == 4 && !depth && one.lookup.kind == LOOKUP_FLOAT && !case_is_cubic(&one))
            one.state.reductionMode = i % 2 ? GL_MIN : GL_MAX;
        one.viewed = true;
        one.compare_fail = one.lookup.kind == LOOKUP_SHADOW && i % 2 ? 0.25f : 0;
        if (!depth && i % 4 != 2)
            memcpy(one.view.swizzle, swizzles[i / 4 % SWIZZLES], sizeof(swizzles[0]));
        add_with_border(list, one, i, i / 2);
    }
}

void generate_view_families(struct case_list *list)
{
    components(list);
    views(list);
    border_views(list);
    depths(list);
    decodings(list);
    fetches(list);
    fail_values(list);
    incomplete_textures(list);
    texture_borders(list);
}
