/* SPDX-License-Identifier: MIT */
/* Cases about filters and levels of detail that the driver may lack: cubes, fallbacks, biases, texel coordinates. */
#include <math.h>
#include <string.h>

#include "differential/generate.h"

static void cubes(struct case_list *list)
{
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GRAD, LOOKUP_GATHER,
                                                       LOOKUP_BIAS};
    static const uint32_t sizes[] = {8, 13, 4, 32};
    for (uint32_t i = 0; i < 2 * 2 * GENERATE_WRAPS * 6 * 5; i++) {
        const uint32_t *filters = generate_filters[i / 32 % 6];
        struct diff_case one =
            generate_case(FAMILY_CUBES, i % 2 ? LOOKUP_CUBE_ARRAY : LOOKUP_CUBE, operations[i / 192 % 5]);
        one.texture.size[0] = one.texture.size[1] = sizes[i / 5 % 4];
        one.texture.size[2] = 3;
        one.lookup.separate = i % 7 == 3;
        one.state = generate_state(generate_wraps[i / 4 % GENERATE_WRAPS], filters[0], filters[1]);
        one.state.cubeMapSeamless = i / 2 % 2;
        if (one.lookup.operation == LOOKUP_GATHER && i % 3 == 1) /* of the base level all the same */
            one.state.minLod = 1.5f, one.state.lodBias = 0.75f;
        one.lookup.component = one.lookup.operation == LOOKUP_GATHER ? i % 4 : 0;
        if (i % 11 == 5) {
            one.lookup.kind = LOOKUP_SHADOW;
            one.lookup.component = 0;
            one.texture.format = LOOKUP_DEPTH32F;
        }
        one.form = LOOKUP_SAMPLER_GL;
        generate_add(list, one, 3 * i);
    }
}

/* Formats that some device cannot filter; on one that can, the same cases are drawn as they are. */
static void fallbacks(struct case_list *list)
{
    static const enum lookup_format formats[] = {LOOKUP_RGBA32F, LOOKUP_R32F,   LOOKUP_DEPTH32F,
                                                 LOOKUP_DEPTH16, LOOKUP_RGBA16, LOOKUP_RG32F};
    static const enum lookup_dimension dimensions[] = {LOOKUP_1D,       LOOKUP_1D_ARRAY, LOOKUP_2D,
                                                       LOOKUP_2D_ARRAY, LOOKUP_3D,       LOOKUP_CUBE};
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_LOD_OFFSET, LOOKUP_GATHER,
                                                       LOOKUP_GRAD};
    for (uint32_t i = 0; i < 2 * 6 * 6 * GENERATE_WRAPS * 3; i++) {
        const uint32_t *filters = generate_filters[1 + i / 5 % (GENERATE_FILTERS - 1)];
        struct diff_case one =
            generate_case(FAMILY_FALLBACK, dimensions[i / 12 % 6], operations[(i / 3 + i / 576) % 5]);
        one.texture.format = formats[i / 2 % 6];
        one.shader_fallback = i % 2;
        one.lookup.separate = i / 7 % 2;
        if (one.lookup.operation != LOOKUP_IMPLICIT)
            one.lookup.stage = (enum lookup_stage)(i % 9 == 4 ? LOOKUP_COMPUTE : i % 9 == 7 ? LOOKUP_VERTEX : 0);
        one.state = generate_state(generate_wraps[i / 72 % GENERATE_WRAPS], filters[0], filters[1]);
        one.state.cubeMapSeamless = VK_TRUE;
        generate_add(list, one, i);
        /* Comparison makes filters of depth the device's own. */
        if (!format_is_depth(one.texture.format) || one.lookup.dimension == LOOKUP_CUBE)
            continue;
        one.lookup.kind = LOOKUP_SHADOW;
        generate_add(list, one, i + 1);
    }
}

/*
 * Every function that takes gradients, and those whose gradients the layer gives where coordinates move, in shaders of
 * tier 2 where the record at hand asks for nothing, for another coordinate or for a filter: compilers may take such
 * lookups apart for the pixels of a quad, which goes wrong where the rewriter puts them behind a branch.
 */
static void gradients(struct case_list *list)
{
    static const enum lookup_operation operations[] = {
        LOOKUP_GRAD,         LOOKUP_PROJ_GRAD, LOOKUP_GRAD_OFFSET, LOOKUP_PROJ_GRAD_OFFSET,
        LOOKUP_MIN_LOD_GRAD, LOOKUP_IMPLICIT,  LOOKUP_BIAS,        LOOKUP_OFFSET,
        LOOKUP_PROJ};
    enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };
    static const enum lookup_stage stages[] = {LOOKUP_FRAGMENT, LOOKUP_COMPUTE};
    static const uint32_t states[][3] = {{GL_CLAMP_TO_EDGE, GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST},
                                         {GL_REPEAT, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR},
                                         {GL_CLAMP, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR},
                                         {GL_CLAMP, GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR}};
    for (uint32_t i = 0; i < 2 * 2 * 2 * LOOKUP_DIMENSIONS * OPERATIONS * 4 * 2; i++) {
        const uint32_t *state = states[i / 8 % 4];
        struct diff_case one = generate_case(FAMILY_GRADIENTS, (enum lookup_dimension)(i / 32 % LOOKUP_DIMENSIONS),
                                             operations[i / 32 / LOOKUP_DIMENSIONS % OPERATIONS]);
        one.lookup.stage = stages[i % 2];
        one.lookup.separate = i / 2 % 2;
        one.lookup.kind = i / 4 % 2 ? LOOKUP_SHADOW : LOOKUP_FLOAT;
        one.texture.format = i / 4 % 2 ? LOOKUP_DEPTH32F : LOOKUP_RGBA8;
        one.viewed = one.lookup.dimension == LOOKUP_RECTANGLE;
        one.view.target = one.viewed ? GL_TEXTURE_RECTANGLE : 0;
        one.state = one.viewed ? generate_state(state[0] == GL_REPEAT ? GL_CLAMP_TO_BORDER : state[0],
                                                state[1] == GL_NEAREST_MIPMAP_LINEAR ? GL_NEAREST : GL_LINEAR, state[2])
                               : generate_state(state[0], state[1], state[2]);
        one.state.cubeMapSeamless = VK_TRUE;
        /* Of one level: drivers compute levels by approximation, and what is excused for that could hide such a fault.
         */
        one.texture.levels = i / 8 % 4 == 2 ? 0 : 1;
        one.beside_filter = i / 32 / LOOKUP_DIMENSIONS / OPERATIONS % 2 == 0;
        generate_add(list, one, 3 * (i / 8));
    }
}

static void integer_filters(struct case_list *list)
{
    static const enum lookup_format formats[] = {LOOKUP_RGBA8UI, LOOKUP_R8UI, LOOKUP_RGBA8I, LOOKUP_RG32I};
    static const enum lookup_kind kinds[] = {LOOKUP_UINT, LOOKUP_UINT, LOOKUP_INT, LOOKUP_INT};
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GATHER};
    for (uint32_t i = 0; i < 2 * 4 * GENERATE_WRAPS * GENERATE_FILTERS; i++) {
        const uint32_t *filters = generate_filters[i / 64 % GENERATE_FILTERS];
        struct diff_case one =
            generate_case(FAMILY_INCOMPLETE, (enum lookup_dimension)(i / 3 % 5), operations[i / 5 % 3]);
        one.texture.format = formats[i / 2 % 4];
        one.lookup.kind = kinds[i / 2 % 4];
        one.lookup.separate = i / 11 % 2;
        one.lookup.component = one.lookup.operation == LOOKUP_GATHER ? i / 7 % 4 : 0;
        one.incomplete = i % 2;
        one.state = generate_state(generate_wraps[i / 8 % GENERATE_WRAPS], filters[0], filters[1]);
        one.form = LOOKUP_SAMPLER_GL;
        generate_add(list, one, i * 3);
    }
}

static void base_levels(struct case_list *list)
{
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GRAD, LOOKUP_BIAS};
    static const uint32_t filters[4][2] = {
        {GL_NEAREST, GL_NEAREST}, {GL_LINEAR, GL_LINEAR}, {GL_NEAREST, GL_LINEAR}, {GL_LINEAR, GL_NEAREST}};
    for (uint32_t i = 0; i < 4 * GENERATE_RANGES * GENERATE_WRAPS * 4; i++) {
        struct diff_case one =
            generate_case(FAMILY_BASE_LEVEL, (enum lookup_dimension)(LOOKUP_2D + i / 5 % 3), operations[i / 192]);
        const float *range = generate_ranges[i / 4 % GENERATE_RANGES], *bias = generate_biases[i / 7 % GENERATE_BIASES];
        one.lookup.separate = i / 9 % 2;
        one.state = generate_state(generate_wraps[i / 24 % GENERATE_WRAPS], filters[i % 4][0], filters[i % 4][1]);
        one.state.minLod = range[0], one.state.maxLod = range[1];
        one.state.lodBias = bias[0], one.state.unitLodBias = bias[1];
        one.form = LOOKUP_SAMPLER_GL;
        generate_add(list, one, i * 3);
    }
}

static void biases(struct case_list *list)
{
    static const float values[][2] = {{0, 0},    {1.25f, 0.5f}, {3.5f, 1},  {-3.25f, -1},
                                      {7, 2.5f}, {-9.5f, 0},    {11, 3.5f}, {-15, -0.5f}};
    static const enum lookup_operation operations[] = {LOOKUP_IMPLICIT, LOOKUP_BIAS, LOOKUP_LOD, LOOKUP_GRAD,
                                                       LOOKUP_BIAS_OFFSET};
    for (uint32_t i = 0; i < 8 * 5 * GENERATE_WRAPS * 3; i++) {
        const uint32_t *filters = generate_filters[2 + i / 40 % 4];
        struct diff_case one =
            generate_case(FAMILY_BIAS, (enum lookup_dimension)(i / 320 ? LOOKUP_2D : LOOKUP_3D), operations[i / 8 % 5]);
        one.lookup.separate = i / 13 % 2;
        one.texture.size[0] = 64, one.texture.size[1] = 32, one.texture.size[2] = 8;
        one.state = generate_state(generate_wraps[i / 40 % GENERATE_WRAPS], filters[0], filters[1]);
        one.state.lodBias = values[i % 8][0], one.state.unitLodBias = values[i % 8][1];
        one.form = LOOKUP_SAMPLER_GL;
        generate_add(list, one, i * 3);
    }
}

/* The bound of the sum of all biases, the shader's among them: levels of detail beyond it are left above 0. */
static void bounded_biases(struct case_list *list)
{
    for (uint32_t i = 0; i < GENERATE_WRAPS * 4; i++) {
        const bool beyond = i / GENERATE_WRAPS % 2; /* the sampler's alone */
        struct diff_case one = generate_case(FAMILY_BIAS, LOOKUP_2D, LOOKUP_BIAS);
        one.lookup.separate = i % 3 == 1;
        one.texture = (struct case_texture){LOOKUP_RGBA32F, CONTENTS_LEVELS, {64, 64, 1}, 0, 0};
        one.state = generate_state(generate_wraps[i % GENERATE_WRAPS], GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
        one.state.lodBias = -15, one.state.unitLodBias = beyond ? -1.5f : -0.5f;
        one.form = LOOKUP_SAMPLER_GL;
        /* Half a level more than the bound of 16. */
        one.pattern = (struct case_pattern){PATTERN_AFFINE, 0, 92682, 1, 0, 0.5f};
        generate_add(list, one, i * 3);
        list->cases[list->count - 1].pattern.seed = beyond ? 0 : 3; /* the shader's bias: 0.55, or -0.95 */
    }
}

/* Of samplers without GL state, which the driver's own limit bounds, in shaders that filter for others. */
static void plain_biases(struct case_list *list)
{
    static const enum lookup_operation operations[] = {LOOKUP_IMPLICIT, LOOKUP_LOD, LOOKUP_BIAS, LOOKUP_GRAD};
    for (uint32_t i = 0; i < GENERATE_WRAPS * 8; i++) {
        struct diff_case one = generate_case(FAMILY_BIAS, LOOKUP_2D, operations[i / 2 % 4]);
        one.lookup.separate = i % 2;
        one.texture = (struct case_texture){LOOKUP_RGBA32F, CONTENTS_LEVELS, {64, 64, 1}, 0, 0};
        one.state = generate_state(generate_wraps[i / 8], GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
        one.state.lodBias = i % 3 ? 3.5f : -4.25f;
        one.beside_filter = i / 4 % 3 != 0;
        generate_add(list, one, i);
        list->cases[list->count - 1].form = LOOKUP_SAMPLER_PRIVATE;
    }
}

/* Rectangle textures under GL state: everything that Vulkan forbids for texel coordinates of its own. */
static void texel_coordinates(struct case_list *list)
{
    static const enum lookup_operation operations[] = {
        LOOKUP_LOD,    LOOKUP_IMPLICIT,    LOOKUP_GRAD,          LOOKUP_PROJ,        LOOKUP_PROJ_GRAD, LOOKUP_OFFSET,
        LOOKUP_GATHER, LOOKUP_GRAD_OFFSET, LOOKUP_GATHER_OFFSET, LOOKUP_PROJ_OFFSET, LOOKUP_LOD_OFFSET};
    static const uint32_t modes[] = {GL_CLAMP, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER};
    static const uint32_t filters[4][2] = {
        {GL_NEAREST, GL_NEAREST}, {GL_LINEAR, GL_LINEAR}, {GL_NEAREST, GL_LINEAR}, {GL_LINEAR, GL_NEAREST}};
    for (uint32_t i = 0; i < 11 * 3 * 3 * 4 * 2; i++) {
        struct diff_case one = generate_case(FAMILY_TEXELS, LOOKUP_RECTANGLE, operations[i % 11]);
        one.viewed = true;
        one.view.target = GL_TEXTURE_RECTANGLE;
        one.lookup.separate = i / 396 % 2;
        one.state = generate_state(modes[i / 11 % 3], filters[i / 99 % 4][0], filters[i / 99 % 4][1]);
        one.state.wrapT = modes[i / 33 % 3];
        /* OpenGL has no function that gives the level: derivatives choose between its filters. */
        if (one.lookup.operation == LOOKUP_LOD || one.lookup.operation == LOOKUP_LOD_OFFSET)
            one.state.minFilter = one.state.magFilter;
        if (i % 7 == 3) {
            one.lookup.kind = LOOKUP_SHADOW;
            one.texture.format = LOOKUP_DEPTH32F;
        } else if (i % 7 == 5 && i / 99 % 4 == 0) {
            one.lookup.kind = LOOKUP_UINT;
            one.texture.format = LOOKUP_RGBA8UI;
        }
        generate_add(list, one, i);
    }
}

static void reductions(struct case_list *list)
{
    static const uint32_t reduction_modes[] = {GL_MIN, GL_MAX};
    static const enum lookup_format formats[] = {LOOKUP_R8, LOOKUP_RGBA8, LOOKUP_R32F};
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT};
    for (uint32_t i = 0; i < 2 * 3 * GENERATE_WRAPS * 3 * 2; i++) {
        const uint32_t *filters = generate_filters[1 + i / 48 % 3 * 2];
        struct diff_case one =
            generate_case(FAMILY_REDUCTION, i % 5 == 3 ? LOOKUP_1D : LOOKUP_2D, operations[i / 144 % 2]);
        one.texture.format = i % 13 == 7 ? LOOKUP_DEPTH32F : formats[i / 2 % 3];
        one.texture.levels = 1;
        one.lookup.separate = i / 7 % 2;
        one.state = generate_state(generate_wraps[i / 6 % GENERATE_WRAPS], filters[0], filters[1]);
        one.state.reductionMode = reduction_modes[i % 2];
        one.form = LOOKUP_SAMPLER_GL;
        generate_add(list, one, i * 3);
    }
}

/* Of filters that differ, and between levels, where the format has them and where it has none. */
static void mixed_reductions(struct case_list *list)
{
    static const uint32_t reduction_modes[] = {GL_MIN, GL_MAX};
    static const enum lookup_format formats[] = {LOOKUP_R32F, LOOKUP_R8, LOOKUP_RGBA8};
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GRAD};
    for (uint32_t i = 0; i < 2 * 3 * GENERATE_FILTERS * 3 * 2; i++) {
        const uint32_t *filters = generate_filters[i / 6 % GENERATE_FILTERS];
        struct diff_case one = generate_case(FAMILY_REDUCTION, i % 7 == 3 ? LOOKUP_3D : LOOKUP_2D,
                                             operations[i / 6 / GENERATE_FILTERS % 3]);
        one.texture.format = formats[i / 2 % 3];
        one.texture.levels = 1 + 3 * (i / 5 % 2);
        one.lookup.separate = i / 4 % 2;
        one.state = generate_state(i / 11 % 2 ? GL_REPEAT : GL_CLAMP, filters[0], filters[1]);
        one.state.reductionMode = reduction_modes[i % 2];
        one.form = LOOKUP_SAMPLER_GL;
        generate_add(list, one, i * 3);
    }
}

/*
 * textureQueryLod under every filter, range and bias: what the driver's sampler behind the program's has of them
 * depends on what the layer does itself.
 */
static void queried_levels(struct case_list *list)
{
    static const enum lookup_dimension dimensions[] = {LOOKUP_1D, LOOKUP_1D_ARRAY, LOOKUP_2D,        LOOKUP_2D_ARRAY,
                                                       LOOKUP_3D, LOOKUP_CUBE,     LOOKUP_CUBE_ARRAY};
    static const float biases[][2] = {{0, 0}, {0.75f, 0}, {-1.25f, 0}, {0.5f, 1}, {3.5f, 1}, {-9.5f, -1}, {11, 3.5f}};
    enum { DIMENSIONS = 7, BIASES = 7 };
    for (uint32_t i = 0; i < DIMENSIONS * GENERATE_FILTERS * GENERATE_WRAPS; i++) {
        const uint32_t *filters = generate_filters[i / DIMENSIONS % GENERATE_FILTERS];
        const float *range = generate_ranges[i / 5 % GENERATE_RANGES], *bias = biases[i / 3 % BIASES];
        struct diff_case one = generate_case(FAMILY_LOD_QUERY, dimensions[i % DIMENSIONS], LOOKUP_QUERY_LOD);
        one.shader_fallback = i / 2 % 3 == 1;
        one.texture.format = one.shader_fallback ? LOOKUP_RGBA32F : LOOKUP_RGBA8;
        one.texture.size[0] = 64, one.texture.size[1] = case_is_cube(&one) ? 64 : 32;
        one.texture.size[2] = one.lookup.dimension == LOOKUP_3D ? 16 : 2;
        one.lookup.separate = i / 4 % 3 == 1;
        one.state = generate_state(generate_wraps[i / DIMENSIONS / GENERATE_FILTERS], filters[0], filters[1]);
        one.state.minLod = range[0], one.state.maxLod = range[1];
        one.state.lodBias = bias[0], one.state.unitLodBias = bias[1];
        one.state.cubeMapSeamless = i / 11 % 2;
        one.form = LOOKUP_SAMPLER_GL;
        one.beside_filter = i % 4 == 1;
        generate_add(list, one, 3 * i);
    }
}

/*
 * Of one filter of texels each, and where the sampler's range does not end below the view's least level: drivers differ
 * in whether such lookups magnify, and in which of the two bounds wins.
 */
static void view_levels(struct case_list *list)
{
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D, LOOKUP_1D, LOOKUP_3D, LOOKUP_2D_ARRAY};
    static const enum lookup_operation operations[] = {LOOKUP_LOD, LOOKUP_IMPLICIT, LOOKUP_GRAD, LOOKUP_LOD_OFFSET,
                                                       LOOKUP_BIAS};
    static const uint32_t filters[][2] = {{GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR},
                                          {GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR},
                                          {GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST},
                                          {GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST}};
    static const float levels[] = {0.5f, 1, 1.25f, 2, 2.75f, 4};
    for (uint32_t i = 0; i < 4 * 4 * GENERATE_WRAPS * 6; i++) {
        const uint32_t *filter = filters[i / 4 % 4];
        const float *range = generate_ranges[i / 3 % GENERATE_RANGES];
        struct diff_case one = generate_case(FAMILY_VIEW_LEVELS, dimensions[i % 4], operations[i / 7 % 5]);
        one.texture.size[0] = 64, one.texture.size[1] = 32, one.texture.size[2] = i % 4 == 2 ? 16 : 3;
        one.lookup.separate = i / 5 % 3 == 1;
        one.state = generate_state(generate_wraps[i / 16 % GENERATE_WRAPS], filter[0], filter[1]);
        one.state.minLod = range[0], one.state.maxLod = range[1];
        one.view_least = levels[i / 11 % 6];
        if (fmaxf(range[0], range[1]) < one.view_least)
            one.state.maxLod = 1000;
        one.beside_filter = i % 6 == 1;
        generate_add(list, one, i);
    }
}

/*
 * Several lookups in one shader: the levels of the last one are those that it has alone, and they show. Most are
 * filtered in the shader, some are the driver's beside others that are not.
 */
static void companies(struct case_list *list)
{
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D, LOOKUP_1D, LOOKUP_3D, LOOKUP_2D_ARRAY};
    static const uint32_t wraps[] = {GL_CLAMP, GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_REPEAT};
    enum { FIRST = 4, FILTERS = GENERATE_FILTERS - FIRST }; /* most differ where magnified */
    for (uint32_t i = 0; i < 2 * 4 * FILTERS * 4 * 2; i++) {
        const uint32_t *filters = generate_filters[FIRST + i / 8 % FILTERS];
        struct diff_case one = generate_case(FAMILY_COMPANY, dimensions[i / 2 % 4], LOOKUP_IMPLICIT);
        one.lookup.company = i % 2 ? LOOKUP_DEPENDENT : LOOKUP_BEHIND;
        one.lookup.separate = i / 8 % 3 == 1;
        one.texture.size[0] = 64, one.texture.size[1] = 32;
        one.texture.size[2] = one.lookup.dimension == LOOKUP_3D ? 16 : 3;
        if (one.lookup.dimension == LOOKUP_2D && i / 7 % 4 == 1) {
            one.lookup.kind = LOOKUP_SHADOW;
            one.texture.format = LOOKUP_DEPTH32F;
        }
        one.state = generate_state(wraps[i / 8 / FILTERS % 4], filters[0], filters[1]);
        one.beside_filter = i / 2 % 3 != 0;
        const size_t count = list->count;
        generate_add(list, one, i / 2);
        if (list->count != count)
            list->cases[count].gpu_form = i / 3 % 4 != 0;
    }
}

/* GL_TEXTURE_BASE_LEVEL, which Vulkan has in the view: whatever reads texels counts levels from there. */
static void first_levels(struct case_list *list)
{
    static const enum lookup_dimension dimensions[] = {LOOKUP_1D,       LOOKUP_1D_ARRAY, LOOKUP_2D,
                                                       LOOKUP_2D_ARRAY, LOOKUP_3D,       LOOKUP_CUBE};
    static const enum lookup_operation operations[] = {LOOKUP_LOD,        LOOKUP_IMPLICIT, LOOKUP_PROJ_LOD,
                                                       LOOKUP_BIAS,       LOOKUP_PROJ,     LOOKUP_GATHER,
                                                       LOOKUP_LOD_OFFSET, LOOKUP_OFFSET,   LOOKUP_FETCH};
    enum { KINDS = 6 * 9, EACH = GENERATE_FILTERS / 2 };
    for (uint32_t i = 0; i < KINDS * EACH * GENERATE_WRAPS; i++) {
        const uint32_t *filters = generate_filters[i / KINDS % GENERATE_FILTERS];
        const float *range = generate_ranges[i / 7 % GENERATE_RANGES];
        struct diff_case one = generate_case(FAMILY_FIRST_LEVELS, dimensions[i % 6], operations[i / 6 % 9]);
        one.texture.size[0] = 16, one.texture.size[1] = case_is_cube(&one) ? 16 : 8;
        one.texture.size[2] = one.lookup.dimension == LOOKUP_3D ? 8 : 3;
        one.view_first = 1 + i / 5 % 2;
        one.lookup.separate = i / 11 % 3 == 1;
        one.state = generate_state(generate_wraps[i / KINDS / EACH], filters[0], filters[1]);
        one.state.minLod = range[0], one.state.maxLod = range[1];
        one.state.cubeMapSeamless = i / 13 % 2;
        one.form = LOOKUP_SAMPLER_GL;
        one.beside_filter = i % 5 == 1 && one.lookup.operation != LOOKUP_FETCH && !case_is_cube(&one);
        generate_add(list, one, 3 * i);
    }
}

/* Cubic filters beside others, with every mode; no OpenGL at hand has them. */
static void cubics(struct case_list *list)
{
    static const uint32_t filters[][2] = {{CASE_CUBIC, CASE_CUBIC},
                                          {GL_LINEAR, CASE_CUBIC},
                                          {CASE_CUBIC_MIPMAP_LINEAR, CASE_CUBIC},
                                          {CASE_CUBIC_MIPMAP_NEAREST, GL_LINEAR},
                                          {GL_NEAREST_MIPMAP_NEAREST, CASE_CUBIC},
                                          {CASE_CUBIC_MIPMAP_LINEAR, GL_NEAREST}};
    static const enum lookup_operation operations[] = {LOOKUP_LOD,  LOOKUP_IMPLICIT,   LOOKUP_GRAD,
                                                       LOOKUP_BIAS, LOOKUP_LOD_OFFSET, LOOKUP_PROJ};
    static const enum lookup_dimension dimensions[] = {LOOKUP_2D, LOOKUP_1D, LOOKUP_2D_ARRAY, LOOKUP_3D};
    static const enum lookup_format formats[] = {LOOKUP_RGBA8, LOOKUP_RGBA32F, LOOKUP_R16, LOOKUP_RGBA8_SNORM};
    for (uint32_t i = 0; i < 6 * 6 * GENERATE_WRAPS * 4; i++) {
        const uint32_t *two = filters[i % 6];
        struct diff_case one = generate_case(FAMILY_CUBIC, dimensions[i / 48 % 4], operations[i / 6 % 6]);
        one.texture.format = formats[i / 5 % 4];
        one.lookup.separate = i / 7 % 3 == 1;
        one.state = generate_state(generate_wraps[i / 36 % GENERATE_WRAPS], two[0], two[1]);
        one.state.reductionMode = i / 13 % 5 == 1 ? GL_MIN : i / 13 % 5 == 3 ? GL_MAX : 0;
        one.form = LOOKUP_SAMPLER_GL;
        one.viewed = i / 11 % 4 == 1;
        const size_t count = list->count;
        generate_add(list, one, 3 * i);
        if (list->count != count)
            list->cases[count].gpu_form = i / 3 % 2;
    }
}

void generate_filter_families(struct case_list *list)
{
    cubes(list);
    fallbacks(list);
    gradients(list);
    integer_filters(list);
    base_levels(list);
    biases(list);
    bounded_biases(list);
    plain_biases(list);
    texel_coordinates(list);
    reductions(list);
    mixed_reductions(list);
    queried_levels(list);
    view_levels(list);
    companies(list);
    first_levels(list);
    cubics(list);
}
