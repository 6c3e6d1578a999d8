/* SPDX-License-Identifier: MIT */
/* One generator for each family: a row of semantics.md, or of a section, with the products that matter to it. */
#include <stddef.h>
#include <string.h>

#include "differential/generate.h"

const uint32_t generate_wraps[GENERATE_WRAPS] = {
    GL_CLAMP,
    GL_MIRROR_CLAMP_EXT,
    GL_MIRROR_CLAMP_TO_BORDER_EXT,
    GL_MIRROR_CLAMP_TO_EDGE,
    GL_CLAMP_TO_EDGE,
    GL_REPEAT,
    GL_MIRRORED_REPEAT,
    GL_CLAMP_TO_BORDER,
};

/* The first eight do not mix linear and nearest. */
#define UNMIXED_FILTERS 6
const uint32_t generate_filters[GENERATE_FILTERS][2] = {
    {GL_NEAREST, GL_NEAREST},
    {GL_LINEAR, GL_LINEAR},
    {GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST},
    {GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR},
    {GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST},
    {GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR},
    {GL_NEAREST, GL_LINEAR},
    {GL_LINEAR, GL_NEAREST},
    {GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR},
    {GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST},
    {GL_NEAREST_MIPMAP_LINEAR, GL_LINEAR},
    {GL_LINEAR_MIPMAP_LINEAR, GL_NEAREST},
};

const uint32_t generate_sizes[GENERATE_SIZES][3] = {{13, 7, 5}, {16, 8, 4}, {1, 1, 1}, {32, 5, 3}, {2, 3, 2}};

/*
 * Software renderers compile a shader anew for each kind of size (powers of two or not, one level or more), so the
 * families keep to one kind within a row; PAIRS and RANDOM mix them.
 */
#define ROW_SIZES 5
static const uint32_t row_sizes[2][ROW_SIZES][3] = {
    {{13, 7, 5}, {31, 5, 3}, {6, 9, 7}, {3, 3, 3}, {23, 11, 6}},
    {{16, 8, 4}, {2, 2, 2}, {8, 8, 8}, {32, 16, 2}, {4, 16, 8}},
};

/* Multiples of 1/255: some drivers round the border colour to the texture's format. */
#define BYTE(value) ((float)(value) / 255.0f)
const float generate_borders[GENERATE_BORDERS][4] = {
    {1, BYTE(128), 0, BYTE(64)}, {0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}, {BYTE(32), 0, BYTE(223), 1}};

/* Bounds exactly between two levels are left out: which one is nearest is the implementation's choice. */
const float generate_ranges[GENERATE_RANGES][2] = {{-1000, 1000}, {1, 2},     {1.625f, 1000},
                                                   {-1000, 0},    {0, 0.75f}, {2.5f, 1}};

const float generate_biases[GENERATE_BIASES][2] = {{0, 0}, {0.75f, 0}, {-1.25f, 0}, {0.5f, 1}, {3, 0.5f}};

const float generate_views[GENERATE_VIEWS][4] = {{0.7f, 1, 0, 0.5f}, {1.1f, 1, 0, 0.5f}, {2, 1, 0, 0.4f},
                                                 {4, 1, 0, 0.5f},    {3, 1, 0.6f, 0.6f}, {2, 4, 0, 0.5f},
                                                 {1.5f, 3, 1, 0.5f}};

VkSamplerGLStateCreateInfoCLAMPLER generate_state(uint32_t wrap, uint32_t min_filter, uint32_t mag_filter)
{
    VkSamplerGLStateCreateInfoCLAMPLER state = {.wrapS = wrap,
                                                .wrapT = wrap,
                                                .wrapR = wrap,
                                                .minFilter = min_filter,
                                                .magFilter = mag_filter,
                                                .minLod = -1000,
                                                .maxLod = 1000};
    memcpy(state.borderColor.float32, generate_borders[0], sizeof(generate_borders[0]));
    return state;
}

/* Vulkan's own texel coordinates: one level, equal filters, clamping modes (VkSamplerCreateInfo's rules). */
static bool possible_unnormalized(const struct diff_case *one)
{
    bool clamps = !case_mirrors(one) && !case_has_wrap(one, GL_REPEAT) && !case_has_wrap(one, GL_MIRRORED_REPEAT) &&
                  !case_has_wrap(one, GL_MIRROR_CLAMP_TO_EDGE);
    return one->lookup.operation == LOOKUP_LOD && one->lookup.kind == LOOKUP_FLOAT && clamps &&
           one->state.minFilter == one->state.magFilter && one->texture.levels == 1 &&
           one->form == LOOKUP_SAMPLER_PRIVATE && one->state.lodBias == 0 && one->state.unitLodBias == 0 &&
           one->state.minLod <= 0 && one->state.maxLod > 0;
}

/* OpenGL's: no mipmaps, no repeating modes, and those of EXT_texture_mirror_clamp are not for them. */
static bool possible_rectangle(const struct diff_case *one)
{
    bool clamps = !case_mirrors(one) && !case_has_wrap(one, GL_REPEAT) && !case_has_wrap(one, GL_MIRRORED_REPEAT) &&
                  !case_has_wrap(one, GL_MIRROR_CLAMP_TO_EDGE);
    return clamps && !case_filter_mipmapped(one->state.minFilter) && one->texture.levels == 1 &&
           one->form == LOOKUP_SAMPLER_GL;
}

/* Formats that a dimension has on both sides. */
static bool possible_format(const struct diff_case *one)
{
    const enum lookup_dimension dimension = one->lookup.dimension;
    bool depth = format_is_depth(one->texture.format);
    if (format_of(one->texture.format)->class == FORMAT_COMPRESSED)
        return dimension == LOOKUP_2D || dimension == LOOKUP_2D_ARRAY;
    if (one->lookup.kind == LOOKUP_SHADOW && !depth)
        return false;
    if (one->viewed && one->view.stencilSampling && one->texture.format != LOOKUP_DEPTH32F_STENCIL8)
        return false;
    return !depth || dimension != LOOKUP_3D;
}

bool generate_possible(const struct diff_case *one)
{
    static const enum reference_kind kinds[] = {[LOOKUP_UINT] = REFERENCE_UINT, [LOOKUP_INT] = REFERENCE_INT};
    const enum lookup_kind kind = one->lookup.kind;
    if (!lookup_exists(&one->lookup) || !possible_format(one))
        return false;
    if (one->lookup.dimension == LOOKUP_RECTANGLE &&
        !(one->viewed ? possible_rectangle(one) : possible_unnormalized(one)))
        return false;
    if (case_is_integer(one) != (kind == LOOKUP_UINT || kind == LOOKUP_INT) ||
        (case_is_integer(one) && case_kind(one) != kinds[kind]))
        return false;
    /* Integer textures with linear filters are incomplete in OpenGL: a family of their own. */
    if (case_is_integer(one) && case_filters(one) && one->family != FAMILY_INCOMPLETE &&
        one->family != FAMILY_COMBINATIONS)
        return false;
    /* Vulkan's LOD range must be in order; the GL structure may have it the other way round. */
    return one->form == LOOKUP_SAMPLER_GL || one->state.minLod <= one->state.maxLod;
}

void generate_finish(struct diff_case *one, uint32_t detail)
{
    static const uint32_t functions[] = {GL_LESS, GL_LEQUAL, GL_GEQUAL, GL_GREATER, GL_EQUAL, GL_NOTEQUAL};
    if (case_compares(one) && !one->state.compareMode) {
        one->state.compareMode = GL_COMPARE_REF_TO_TEXTURE;
        one->state.compareFunc = functions[detail % 6];
    }
    if (case_is_integer(one)) /* the families about borders set theirs afterwards */
        memset(&one->state.borderColor, 0, sizeof(one->state.borderColor));
    one->pattern.seed = detail;
    /* The form is about implicit levels of detail, and about loops: those of filters beside lookups with gradients. */
    one->gpu_form = (case_implicit(one) && detail % 2) || one->family == FAMILY_GRADIENTS;
    if (case_implicit(one) && one->pattern.kind == PATTERN_SWEEP) {
        const float *view = generate_views[detail % GENERATE_VIEWS];
        one->pattern = (struct case_pattern){PATTERN_AFFINE, detail, view[0], view[1], view[2], view[3]};
    }
    if (one->lookup.dimension == LOOKUP_RECTANGLE) {
        one->form = one->viewed ? LOOKUP_SAMPLER_GL : LOOKUP_SAMPLER_PRIVATE;
        one->texture.levels = 1;
        one->state.wrapR = GL_CLAMP_TO_EDGE;
    }
}

void generate_add(struct case_list *list, struct diff_case one, uint32_t detail)
{
    if (!one.texture.size[0]) {
        uint32_t kind = (one.state.wrapS + one.state.minFilter / 2 + (uint32_t)one.lookup.operation) % 2;
        memcpy(one.texture.size, row_sizes[kind][detail % ROW_SIZES], sizeof(one.texture.size));
    }
    if (detail && !case_is_integer(&one))
        memcpy(one.state.borderColor.float32, generate_borders[detail % GENERATE_BORDERS], sizeof(generate_borders[0]));
    one.form = one.form == LOOKUP_SAMPLER_PRIVATE || (detail % 3 == 1 && !one.viewed) ? LOOKUP_SAMPLER_PRIVATE
                                                                                      : LOOKUP_SAMPLER_GL;
    generate_finish(&one, detail);
    if (!generate_possible(&one)) {
        one.form = LOOKUP_SAMPLER_GL;
        if (!generate_possible(&one))
            return;
    }
    case_add(list, &one);
}

struct diff_case generate_case(enum family family, enum lookup_dimension dimension, enum lookup_operation operation)
{
    return (struct diff_case){.family = family,
                              .lookup = {dimension, operation, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0},
                              .texture = {.format = LOOKUP_RGBA8}};
}

/* Section 1 by rows: modes [from, to) in every dimension with every filter of [first, last). */
static void wraps(struct case_list *list, enum family family, int from, int to, int first, int last, uint32_t details)
{
    static const enum lookup_format formats[] = {LOOKUP_RGBA8, LOOKUP_RGBA32F};
    for (int dimension = LOOKUP_1D; dimension <= LOOKUP_3D; dimension++)
        for (int wrap = from; wrap < to; wrap++)
            for (int filter = first; filter < last; filter++)
                for (int format = 0; format < 2; format++)
                    for (uint32_t detail = 0; detail < details; detail++) {
                        struct diff_case one = generate_case(family, (enum lookup_dimension)dimension, LOOKUP_LOD);
                        one.texture.format = formats[format];
                        one.state = generate_state(generate_wraps[wrap], generate_filters[filter][0],
                                                   generate_filters[filter][1]);
                        generate_add(list, one, detail);
                    }
}

/*
 * The mirror line where levels are small, so that the lower bound 1/(2N) is a large part of the texture: minified
 * lookups, and gathers, of textures that are GL_RGB8 and others in OpenGL.
 */
static void mirror_lines(struct case_list *list)
{
    static const uint32_t modes[] = {GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_TO_BORDER_EXT}, bases[] = {GL_RGB, GL_RED, 0};
    static const enum lookup_dimension dimensions[] = {LOOKUP_1D, LOOKUP_2D, LOOKUP_3D};
    static const enum lookup_operation operations[] = {LOOKUP_IMPLICIT, LOOKUP_GRAD, LOOKUP_GATHER};
    static const float texels[] = {2.3f, 4.7f, 9, 19}; /* from pixel to pixel */
    for (uint32_t i = 0; i < 2 * 3 * 3 * 4 * 4 * 3; i++) {
        const uint32_t *filters = generate_filters[2 + i / 18 % 4], detail = i / 72 % 4;
        struct diff_case one = generate_case(FAMILY_MIRROR, dimensions[i / 288], operations[i / 6 % 3]);
        one.texture.size[0] = 64, one.texture.size[1] = 32, one.texture.size[2] = 16;
        one.state = generate_state(modes[i % 2], filters[0], filters[1]);
        one.viewed = bases[i / 2 % 3] != 0;
        one.view.baseFormat = bases[i / 2 % 3];
        one.pattern = (struct case_pattern){PATTERN_AFFINE, 0, texels[detail], 1, 0.3f * (float)detail, 0.01f};
        generate_add(list, one, detail);
    }
}

static void axes(struct case_list *list)
{
    for (uint32_t i = 0; i < GENERATE_WRAPS * GENERATE_WRAPS * 12; i++) {
        const uint32_t *filters = generate_filters[i / 64 % GENERATE_FILTERS];
        struct diff_case one = generate_case(FAMILY_AXES, i % 3 ? LOOKUP_2D : LOOKUP_3D, LOOKUP_LOD);
        one.state = generate_state(generate_wraps[i % GENERATE_WRAPS], filters[0], filters[1]);
        one.state.wrapT = generate_wraps[i / GENERATE_WRAPS % GENERATE_WRAPS];
        one.state.wrapR = generate_wraps[(i * 5 + 2 + i / GENERATE_WRAPS) % GENERATE_WRAPS];
        for (uint32_t detail = 0; detail < 4; detail++)
            generate_add(list, one, detail + i);
    }
}

/* Section 1, "Implicit LOD": the level comes from the unclamped coordinate. */
static void levels_of_detail(struct case_list *list)
{
    static const enum lookup_dimension dimensions[] = {LOOKUP_1D, LOOKUP_2D, LOOKUP_2D_ARRAY, LOOKUP_3D};
    for (int dimension = 0; dimension < 4; dimension++)
        for (int wrap = 0; wrap < GENERATE_WRAPS; wrap++)
            for (int filter = 0; filter < UNMIXED_FILTERS; filter++)
                for (uint32_t view = 0; view < 2 * GENERATE_VIEWS; view++) {
                    const float *shape = generate_views[view % GENERATE_VIEWS];
                    struct diff_case one = generate_case(FAMILY_LOD, dimensions[dimension], LOOKUP_IMPLICIT);
                    one.texture.size[0] = 64, one.texture.size[1] = 32, one.texture.size[2] = 16;
                    one.state =
                        generate_state(generate_wraps[wrap], generate_filters[filter][0], generate_filters[filter][1]);
                    one.pattern = (struct case_pattern){PATTERN_AFFINE, 0, shape[0], shape[1], shape[2], shape[3]};
                    generate_add(list, one, view);
                }
}

static void ranges(struct case_list *list)
{
    static const enum lookup_operation operations[] = {LOOKUP_IMPLICIT, LOOKUP_BIAS, LOOKUP_LOD, LOOKUP_GRAD};
    for (int operation = 0; operation < 4; operation++)
        for (int wrap = 0; wrap < GENERATE_WRAPS; wrap++)
            for (uint32_t i = 0; i < GENERATE_RANGES * GENERATE_BIASES; i++) {
                const uint32_t *filters = generate_filters[(i + (uint32_t)wrap) % GENERATE_FILTERS];
                struct diff_case one = generate_case(FAMILY_LOD_RANGE, LOOKUP_2D, operations[operation]);
                one.texture.size[0] = 32, one.texture.size[1] = 32, one.texture.size[2] = 1;
                one.state = generate_state(generate_wraps[wrap], filters[0], filters[1]);
                one.state.minLod = generate_ranges[i % GENERATE_RANGES][0];
                one.state.maxLod = generate_ranges[i % GENERATE_RANGES][1];
                one.state.lodBias = generate_biases[i / GENERATE_RANGES][0];
                one.state.unitLodBias = generate_biases[i / GENERATE_RANGES][1];
                generate_add(list, one, i);
            }
}

/* Modes and filters that reach each tier, and one that the driver does alone. */
#define STATES 6
static const uint32_t states[STATES][3] = {
    {GL_CLAMP_TO_BORDER, GL_LINEAR, GL_LINEAR},
    {GL_CLAMP, GL_LINEAR, GL_LINEAR},
    {GL_CLAMP, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR},
    {GL_CLAMP, GL_NEAREST, GL_LINEAR},
    {GL_MIRROR_CLAMP_EXT, GL_LINEAR, GL_LINEAR},
    {GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR},
};

static void functions(struct case_list *list, enum family family, enum lookup_operation first,
                      enum lookup_operation last, uint32_t details)
{
    for (int dimension = LOOKUP_1D; dimension <= LOOKUP_3D; dimension++)
        for (int operation = (int)first; operation <= (int)last; operation++)
            for (int state = 0; state < STATES; state++)
                for (uint32_t detail = 0; detail < details; detail++) {
                    struct diff_case one =
                        generate_case(family, (enum lookup_dimension)dimension, (enum lookup_operation)operation);
                    one.state = generate_state(states[state][0], states[state][1], states[state][2]);
                    generate_add(list, one, detail + (uint32_t)(state + operation));
                }
}

static void stages(struct case_list *list)
{
    for (uint32_t i = 0; i < 2 * 3 * LOOKUP_RECTANGLE * GENERATE_LOOKUPS * STATES; i++) {
        struct diff_case one = generate_case(FAMILY_STAGES, (enum lookup_dimension)(i / 6 % LOOKUP_RECTANGLE),
                                             generate_operation(i / 6 / LOOKUP_RECTANGLE % GENERATE_LOOKUPS));
        const uint32_t *state = states[i / (6 * LOOKUP_RECTANGLE * GENERATE_LOOKUPS)];
        one.lookup.stage = (enum lookup_stage)(i % 3);
        one.lookup.separate = i / 3 % 2;
        if (one.lookup.stage == LOOKUP_FRAGMENT && !one.lookup.separate)
            continue; /* OPERATIONS' */
        one.state = generate_state(state[0], state[1], state[2]);
        generate_add(list, one, i);
    }
}

/* Gathers have a linear footprint whatever the filters: every mode, also with nearest ones. */
static void gathers(struct case_list *list)
{
    for (uint32_t i = 0; i < 2 * 3 * GENERATE_WRAPS * GENERATE_FILTERS * 2; i++) {
        const uint32_t *filters = generate_filters[i / 6 % GENERATE_FILTERS];
        struct diff_case one = generate_case(FAMILY_GATHER, i % 2 ? LOOKUP_2D_ARRAY : LOOKUP_2D,
                                             (enum lookup_operation)(LOOKUP_GATHER + i / 2 % 3));
        uint32_t wrap = i / 6 / GENERATE_FILTERS;
        one.lookup.separate = wrap / GENERATE_WRAPS;
        one.state = generate_state(generate_wraps[wrap % GENERATE_WRAPS], filters[0], filters[1]);
        generate_add(list, one, i % 7);
    }
}

/*
 * A gather shows whether the coordinate is mirrored or the texel's number: beside an axis that moves the coordinate
 * (linear filters), or has the shader filter (nearest ones).
 */
static void mirrored_gathers(struct case_list *list)
{
    static const uint32_t mirrors[] = {GL_MIRROR_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT, GL_MIRROR_CLAMP_EXT,
                                       GL_MIRROR_CLAMP_TO_BORDER_EXT};
    static const enum lookup_kind kinds[] = {LOOKUP_FLOAT, LOOKUP_UINT, LOOKUP_SHADOW};
    for (uint32_t i = 0; i < 144; i++) {
        const uint32_t axis = i / 8 % 2, kind = i / 16 % 3, filter = i / 4 % 2 && kinds[kind] != LOOKUP_UINT;
        const uint32_t *filters = generate_filters[filter ? 1 : 0];
        struct diff_case one = generate_case(FAMILY_MIRRORED_GATHERS, i / 4 % 3 == 1 ? LOOKUP_2D_ARRAY : LOOKUP_2D,
                                             (enum lookup_operation)(LOOKUP_GATHER + i / 48));
        one.lookup.kind = kinds[kind];
        one.lookup.separate = i / 8 % 3 == 1;
        one.state = generate_state(axis ? GL_CLAMP : mirrors[i % 4], filters[0], filters[1]);
        one.state.wrapT = axis ? mirrors[i % 4] : GL_CLAMP;
        if (kinds[kind] == LOOKUP_UINT)
            one.texture.format = LOOKUP_RGBA8UI;
        if (kinds[kind] == LOOKUP_SHADOW) {
            one.texture.format = LOOKUP_DEPTH32F;
            one.state.compareMode = GL_COMPARE_REF_TO_TEXTURE;
            one.state.compareFunc = GL_LEQUAL;
        }
        generate_add(list, one, i % 7);
    }
}

static void compares(struct case_list *list)
{
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GATHER};
    for (uint32_t i = 0; i < 4 * 4 * GENERATE_WRAPS * 4 * 3; i++) {
        const uint32_t detail = i % 4, variant = i / 4, wrap = variant / 4 % GENERATE_WRAPS;
        const uint32_t *filters = generate_filters[(variant / 4 / GENERATE_WRAPS % 4) * 2 + 1];
        struct diff_case one = generate_case(FAMILY_COMPARE, (enum lookup_dimension)(variant % 4),
                                             operations[variant / (16 * GENERATE_WRAPS)]);
        one.lookup.kind = LOOKUP_SHADOW;
        one.texture.format = variant % 3 ? LOOKUP_DEPTH32F : LOOKUP_DEPTH16;
        one.state = generate_state(generate_wraps[wrap], filters[0], filters[1]);
        one.state.compareMode = GL_COMPARE_REF_TO_TEXTURE;
        one.state.compareFunc = GL_NEVER + (variant + variant / 8) % 8;
        generate_add(list, one, detail + variant);
    }
}

/* Samplers that compare, with textures that are no depth: nothing is compared (section 8.23.1). */
static void uncompared(struct case_list *list)
{
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D,       LOOKUP_1D,   LOOKUP_3D,
                                                       LOOKUP_2D_ARRAY, LOOKUP_CUBE, LOOKUP_CUBE_ARRAY};
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GRAD, LOOKUP_GATHER,
                                                       LOOKUP_LOD_OFFSET};
    static const enum lookup_format formats[] = {LOOKUP_RGBA8, LOOKUP_RGBA32F, LOOKUP_SRGB8_ALPHA8, LOOKUP_RGBA8UI};
    for (uint32_t i = 0; i < 6 * 5 * 4 * GENERATE_WRAPS * 2; i++) {
        const uint32_t wrap = i / 120 % GENERATE_WRAPS, format = (i + i / 30) % 4;
        const uint32_t *filters = generate_filters[format == 3 ? 0 : (i / 7 + wrap) % GENERATE_FILTERS];
        struct diff_case one = generate_case(FAMILY_COMPARE, dimensions[i % 6], operations[i / 6 % 5]);
        one.lookup.separate = i / (120 * GENERATE_WRAPS);
        one.lookup.stage = (enum lookup_stage)(i / 11 % 3);
        one.texture.format = formats[format];
        if (format == 3)
            one.lookup.kind = LOOKUP_UINT;
        one.state = generate_state(generate_wraps[wrap], filters[0], filters[1]);
        one.state.compareMode = GL_COMPARE_REF_TO_TEXTURE;
        one.state.compareFunc = GL_NEVER + i % 8;
        one.state.cubeMapSeamless = i / 3 % 2;
        if (format == 2 && i % 5 < 2)
            one.state.srgbDecode = GL_SKIP_DECODE_EXT;
        if (format < 2 && i % 11 == 3)
            one.state.reductionMode = i % 2 ? GL_MIN : GL_MAX;
        one.shader_fallback = i % 3 == 1;
        generate_add(list, one,
                     3 * i); /* with GL's structure alone: Vulkan's samplers compare what they are used for */
    }
}

static void arrays(struct case_list *list)
{
    for (uint32_t i = 0; i < 2 * GENERATE_WRAPS * GENERATE_FILTERS * 3; i++) {
        static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_GRAD, LOOKUP_LOD_OFFSET};
        const uint32_t *filters = generate_filters[i / 2 % GENERATE_FILTERS];
        struct diff_case one = generate_case(FAMILY_ARRAYS, i % 2 ? LOOKUP_1D_ARRAY : LOOKUP_2D_ARRAY,
                                             operations[i / (2 * GENERATE_WRAPS * GENERATE_FILTERS)]);
        one.texture.size[0] = 9, one.texture.size[1] = 12, one.texture.size[2] = 6;
        one.state = generate_state(generate_wraps[i / (2 * GENERATE_FILTERS) % GENERATE_WRAPS], filters[0], filters[1]);
        generate_add(list, one, i);
    }
}

static void rectangles(struct case_list *list)
{
    static const uint32_t modes[] = {GL_CLAMP, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER},
                          filters[] = {GL_NEAREST, GL_LINEAR};
    for (uint32_t i = 0; i < 3 * 3 * 2 * 20; i++) {
        struct diff_case one = generate_case(FAMILY_RECTANGLE, LOOKUP_RECTANGLE, LOOKUP_LOD);
        one.state = generate_state(modes[i % 3], filters[i / 9 % 2], filters[i / 9 % 2]);
        one.state.wrapT = modes[i / 3 % 3];
        one.lookup.stage = (enum lookup_stage)(i / 18 % 3);
        one.texture.format = i / 18 % 2 ? LOOKUP_RGBA32F : LOOKUP_RGBA8;
        one.form = LOOKUP_SAMPLER_PRIVATE;
        generate_add(list, one, i / 18);
    }
}

/* Section 3: colours of the format's range, standard and not, and more at a time than some drivers take. */
static void borders(struct case_list *list)
{
    static const uint32_t reaching[] = {GL_CLAMP, GL_CLAMP_TO_BORDER, GL_MIRROR_CLAMP_EXT,
                                        GL_MIRROR_CLAMP_TO_BORDER_EXT};
    static const float floats[3][4] = {{-2, 3, 100, 0.5f}, {0.001f, 1, 1, 1}, {-0.5f, 0, 0, 7}};
    for (uint32_t i = 0; i < 4 * 4 * 10 * 8; i++) {
        const uint32_t *filters = generate_filters[i / 4 % 4];
        const uint32_t color = i / 16 % 10;
        struct diff_case one = generate_case(FAMILY_BORDER, i / 160 % 3 ? LOOKUP_2D : LOOKUP_3D, LOOKUP_LOD);
        one.state = generate_state(reaching[i % 4], filters[0], filters[1]);
        one.crowded = i / 160 % 2;
        one.texture.format = color >= 7 ? LOOKUP_RGBA32F : LOOKUP_RGBA8;
        generate_add(list, one, i / 160);
        float *border = list->cases[list->count - 1].state.borderColor.float32;
        if (color < GENERATE_BORDERS)
            memcpy(border, generate_borders[color], sizeof(generate_borders[0]));
        else if (color >= 7)
            memcpy(border, floats[color - 7], sizeof(floats[0]));
        else
            for (int c = 0; c < 4; c++)
                border[c] = (float)((i * 37 + (uint32_t)c * 91) % 256) / 255.0f;
    }
}

static void integers(struct case_list *list)
{
    for (uint32_t i = 0; i < LOOKUP_RECTANGLE * GENERATE_WRAPS * 2 * 4; i++) {
        static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_OFFSET, LOOKUP_GATHER};
        struct diff_case one = generate_case(FAMILY_INTEGER, (enum lookup_dimension)(i % LOOKUP_RECTANGLE),
                                             operations[i / (LOOKUP_RECTANGLE * GENERATE_WRAPS * 2)]);
        one.lookup.kind = LOOKUP_UINT;
        one.texture.format = LOOKUP_RGBA8UI;
        one.state = generate_state(generate_wraps[i / LOOKUP_RECTANGLE % GENERATE_WRAPS],
                                   i / LOOKUP_RECTANGLE / GENERATE_WRAPS % 2 ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST,
                                   GL_NEAREST);
        generate_add(list, one, i);
    }
}

static void anisotropies(struct case_list *list)
{
    static const float degrees[] = {2, 8, 16};
    for (uint32_t i = 0; i < GENERATE_WRAPS * GENERATE_VIEWS * 3; i++) {
        const float *view = generate_views[i / GENERATE_WRAPS % GENERATE_VIEWS];
        struct diff_case one = generate_case(FAMILY_ANISOTROPY, LOOKUP_2D, LOOKUP_IMPLICIT);
        one.texture = (struct case_texture){LOOKUP_RGBA32F, CONTENTS_LEVELS, {64, 64, 1}, 0, 0};
        one.state = generate_state(generate_wraps[i % GENERATE_WRAPS], GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
        one.state.maxAnisotropy = degrees[i / (GENERATE_WRAPS * GENERATE_VIEWS)];
        one.pattern = (struct case_pattern){PATTERN_AFFINE, 0, view[0], view[1], view[2], view[3]};
        generate_add(list, one, 0);
        static const float green[4] = {0, 1, 0, 0};
        struct diff_case *added = &list->cases[list->count - 1];
        memcpy(added->state.borderColor.float32, green, sizeof(green));
        added->gpu_form = i % 2;
    }
}

/* The same by values, of states that the shader filters on every driver: there the reference sampler knows the probes.
 */
static void probes(struct case_list *list)
{
    static const enum lookup_operation operations[] = {
        LOOKUP_IMPLICIT, LOOKUP_GRAD, LOOKUP_BIAS, LOOKUP_OFFSET, LOOKUP_PROJ, LOOKUP_PROJ_GRAD, LOOKUP_GRAD_OFFSET};
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D, LOOKUP_3D, LOOKUP_2D_ARRAY, LOOKUP_1D};
    static const uint32_t modes[] = {GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_CLAMP, GL_MIRROR_CLAMP_EXT};
    static const float degrees[] = {16, 4, 2.5f, 8};
    for (uint32_t i = 0; i < 7 * 4 * 3 * 4 * GENERATE_VIEWS; i++) {
        const float *view = generate_views[i / 4 % GENERATE_VIEWS];
        struct diff_case one = generate_case(FAMILY_ANISOTROPY, dimensions[i / 28 % 4], operations[i / 28 / 4 % 7]);
        one.state = generate_state(modes[i % 3], i % 5 ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_NEAREST,
                                   i % 2 ? GL_NEAREST : GL_LINEAR);
        one.state.maxAnisotropy = degrees[i % 4];
        one.pattern = (struct case_pattern){PATTERN_AFFINE, i, view[0], view[1], view[2], view[3]};
        one.lookup.separate = i % 6 == 1;
        if (one.lookup.operation == LOOKUP_IMPLICIT && i % 4 < 2)
            one.lookup.company = i % 4 ? LOOKUP_DEPENDENT : LOOKUP_BEHIND;
        if (i % 5 == 2) {
            one.texture.format = LOOKUP_RGBA32F;
            one.shader_fallback = true;
        }
        if (i % 7 == 3) {
            one.lookup.kind = LOOKUP_SHADOW;
            one.texture.format = LOOKUP_DEPTH32F;
            one.state.compareMode = GL_COMPARE_REF_TO_TEXTURE;
            one.state.compareFunc = GL_LEQUAL;
        }
        generate_add(list, one, i);
    }
}

/* Of states that Vulkan has words for: where the layer offers anisotropy, nearest minification has probes, too. */
static void native_probes(struct case_list *list)
{
    static const enum lookup_operation operations[] = {LOOKUP_IMPLICIT, LOOKUP_GRAD, LOOKUP_BIAS, LOOKUP_OFFSET};
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D, LOOKUP_3D, LOOKUP_2D_ARRAY, LOOKUP_1D};
    static const float degrees[] = {16, 4, 2.5f};
    for (uint32_t i = 0; i < 4 * 4 * 3 * GENERATE_FILTERS; i++) {
        const float *view = generate_views[i / 4 % GENERATE_VIEWS];
        const uint32_t *filters = generate_filters[i % GENERATE_FILTERS];
        struct diff_case one = generate_case(FAMILY_ANISOTROPY, dimensions[i / 5 % 4], operations[i / 48 % 4]);
        one.state = generate_state(generate_wraps[3 + i / 7 % (GENERATE_WRAPS - 3)], filters[0], filters[1]);
        one.state.maxAnisotropy = degrees[i / GENERATE_FILTERS % 3];
        one.pattern = (struct case_pattern){PATTERN_AFFINE, i, view[0], view[1], view[2], view[3]};
        one.lookup.separate = i % 7 == 1;
        generate_add(list, one, i);
    }
}

void generate_families(struct case_list *list)
{
    wraps(list, FAMILY_CLAMP, 0, 1, 0, UNMIXED_FILTERS, 16);
    wraps(list, FAMILY_MIRROR, 1, 4, 0, UNMIXED_FILTERS, 16);
    mirror_lines(list);
    wraps(list, FAMILY_NATIVE_WRAPS, 4, 8, 0, UNMIXED_FILTERS, 8);
    wraps(list, FAMILY_MIXED_FILTERS, 0, 4, UNMIXED_FILTERS, GENERATE_FILTERS, 8);
    wraps(list, FAMILY_MIXED_FILTERS, 7, 8, UNMIXED_FILTERS, GENERATE_FILTERS, 5);
    axes(list);
    levels_of_detail(list);
    ranges(list);
    functions(list, FAMILY_OPERATIONS, LOOKUP_IMPLICIT, LOOKUP_MIN_LOD_GRAD, 8);
    stages(list);
    functions(list, FAMILY_OFFSETS, LOOKUP_OFFSET, LOOKUP_MIN_LOD_OFFSET, 8);
    gathers(list);
    mirrored_gathers(list);
    compares(list);
    uncompared(list);
    arrays(list);
    rectangles(list);
    borders(list);
    integers(list);
    anisotropies(list);
    probes(list);
    native_probes(list);
    generate_view_families(list);
    generate_filter_families(list);
}

/* ---- The short form ---- */

void generate_thin(struct case_list *list, uint32_t stride, uint32_t least)
{
    uint32_t totals[FAMILIES] = {0}, seen[FAMILIES] = {0};
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        totals[list->cases[i].family]++;
    for (size_t i = 0; i < list->count; i++) {
        enum family family = list->cases[i].family;
        uint32_t wanted = totals[family] / stride > least ? totals[family] / stride : least;
        wanted = wanted > totals[family] ? totals[family] : wanted;
        /* At random: a regular stride would meet the same few values of the parameters again and again. */
        uint32_t random = 0x9e3779b9u * (seen[family]++ + 1);
        if (generate_number(&random, totals[family]) < wanted)
            list->cases[kept++] = list->cases[i];
    }
    list->count = kept;
}
