/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/case.h"
#include "harness/text/names.h"

const char *family_name(enum family family)
{
    static const char *const names[FAMILIES] = {
        [FAMILY_CLAMP] = "clamp",
        [FAMILY_MIRROR] = "mirror",
        [FAMILY_NATIVE_WRAPS] = "native wraps",
        [FAMILY_MIXED_FILTERS] = "mixed filters",
        [FAMILY_AXES] = "axes",
        [FAMILY_LOD] = "level of detail",
        [FAMILY_LOD_RANGE] = "bias and range",
        [FAMILY_OPERATIONS] = "operations",
        [FAMILY_STAGES] = "stages and descriptors",
        [FAMILY_OFFSETS] = "offsets",
        [FAMILY_GATHER] = "gather",
        [FAMILY_MIRRORED_GATHERS] = "mirrored gathers",
        [FAMILY_COMPARE] = "compare",
        [FAMILY_ARRAYS] = "arrays",
        [FAMILY_RECTANGLE] = "rectangle",
        [FAMILY_BORDER] = "border",
        [FAMILY_INTEGER] = "integer",
        [FAMILY_ANISOTROPY] = "anisotropy",
        [FAMILY_COMPONENTS] = "gathered components",
        [FAMILY_CUBES] = "cubes",
        [FAMILY_VIEWS] = "views",
        [FAMILY_BORDER_VIEWS] = "borders of views",
        [FAMILY_FALLBACK] = "linear fallback",
        [FAMILY_DEPTH] = "depth and stencil",
        [FAMILY_INCOMPLETE] = "integer filters",
        [FAMILY_BASE_LEVEL] = "without mipmaps",
        [FAMILY_BIAS] = "biases",
        [FAMILY_TEXELS] = "texel coordinates",
        [FAMILY_SRGB] = "sRGB",
        [FAMILY_REDUCTION] = "reduction",
        [FAMILY_LOD_QUERY] = "queried levels",
        [FAMILY_FETCH] = "fetches",
        [FAMILY_VIEW_LEVELS] = "least levels of views",
        [FAMILY_COMPANY] = "several lookups",
        [FAMILY_FIRST_LEVELS] = "first levels of views",
        [FAMILY_GRADIENTS] = "gradients",
        [FAMILY_FAIL_VALUES] = "fail values",
        [FAMILY_UNFINISHED] = "incomplete textures",
        [FAMILY_CUBIC] = "cubic",
        [FAMILY_TEXTURE_BORDERS] = "texture borders",
        [FAMILY_PAIRS] = "pairs",
        [FAMILY_RANDOM] = "random",
        [FAMILY_COMBINATIONS] = "combinations",
    };
    return names[family];
}

void case_add(struct case_list *list, const struct diff_case *one)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 1024;
        struct diff_case *grown = realloc(list->cases, list->capacity * sizeof(*grown));
        if (!grown)
            harness_fail("out of memory for %zu cases", list->capacity);
        list->cases = grown;
    }
    list->cases[list->count++] = *one;
}

/* ---- What a case is ---- */

int case_axes(const struct diff_case *one)
{
    static const int axes[LOOKUP_DIMENSIONS] = {1, 1, 2, 2, 3, 2, 2, 2};
    return axes[one->lookup.dimension];
}

bool case_is_cube(const struct diff_case *one)
{
    return one->lookup.dimension == LOOKUP_CUBE || one->lookup.dimension == LOOKUP_CUBE_ARRAY;
}

enum reference_kind case_kind(const struct diff_case *one)
{
    if (one->viewed && one->view.internalFormat == GL_DEPTH_COMPONENT24)
        return REFERENCE_DEPTH_UNORM;
    return format_kind(one->texture.format,
                       one->viewed && one->view.stencilSampling ? FORMAT_STENCIL : FORMAT_AS_IT_IS);
}

bool case_is_integer(const struct diff_case *one)
{
    enum reference_kind kind = case_kind(one);
    return kind == REFERENCE_UINT || kind == REFERENCE_INT;
}

bool case_has_wrap(const struct diff_case *one, uint32_t wrap)
{
    const uint32_t wraps[3] = {one->state.wrapS, one->state.wrapT, one->state.wrapR};
    for (int axis = 0; axis < case_axes(one); axis++)
        if (wraps[axis] == wrap)
            return true;
    return false;
}

bool case_mirrors(const struct diff_case *one)
{
    return case_has_wrap(one, GL_MIRROR_CLAMP_EXT) || case_has_wrap(one, GL_MIRROR_CLAMP_TO_BORDER_EXT);
}

bool case_implicit(const struct diff_case *one)
{
    switch (one->lookup.operation) {
    case LOOKUP_IMPLICIT:
    case LOOKUP_BIAS:
    case LOOKUP_PROJ:
    case LOOKUP_OFFSET:
    case LOOKUP_BIAS_OFFSET:
    case LOOKUP_PROJ_OFFSET:
    case LOOKUP_MIN_LOD:
    case LOOKUP_MIN_LOD_BIAS:
    case LOOKUP_MIN_LOD_OFFSET:
    case LOOKUP_QUERY_LOD:
        return true;
    default:
        return false;
    }
}

bool case_computes_lod(const struct diff_case *one)
{
    return case_implicit(one) || one->lookup.operation == LOOKUP_GRAD || one->lookup.operation == LOOKUP_PROJ_GRAD ||
           one->lookup.operation == LOOKUP_GRAD_OFFSET || one->lookup.operation == LOOKUP_PROJ_GRAD_OFFSET ||
           one->lookup.operation == LOOKUP_MIN_LOD_GRAD;
}

bool case_gathers(const struct diff_case *one)
{
    return one->lookup.operation >= LOOKUP_GATHER;
}

bool case_has_offset(const struct diff_case *one)
{
    return one->lookup.operation >= LOOKUP_OFFSET && !case_gathers(one);
}

bool case_compares(const struct diff_case *one)
{
    return one->lookup.kind == LOOKUP_SHADOW;
}

bool case_filter_linear(uint32_t filter)
{
    return filter == GL_LINEAR || filter == GL_LINEAR_MIPMAP_NEAREST || filter == GL_LINEAR_MIPMAP_LINEAR ||
           case_filter_cubic(filter);
}

bool case_filter_cubic(uint32_t filter)
{
    return filter >= CASE_CUBIC && filter <= CASE_CUBIC_MIPMAP_LINEAR;
}

bool case_is_cubic(const struct diff_case *one)
{
    return case_filter_cubic(one->state.minFilter) || case_filter_cubic(one->state.magFilter);
}

bool case_filter_mipmapped(uint32_t filter)
{
    return filter != GL_LINEAR && filter != GL_NEAREST && filter != CASE_CUBIC;
}

bool case_filters(const struct diff_case *one)
{
    return one->lookup.operation != LOOKUP_FETCH &&
           (case_filter_linear(one->state.magFilter) || case_filter_linear(one->state.minFilter) ||
            one->state.minFilter == GL_NEAREST_MIPMAP_LINEAR);
}

uint32_t case_base(const struct diff_case *one)
{
    return one->viewed ? one->view.baseFormat : 0;
}

float case_shader_bias(const struct diff_case *one)
{
    bool biased = one->lookup.operation == LOOKUP_BIAS || one->lookup.operation == LOOKUP_BIAS_OFFSET ||
                  one->lookup.operation == LOOKUP_MIN_LOD_BIAS;
    return biased ? 0.55f - (float)(one->pattern.seed % 4) * 0.5f : 0;
}

static uint32_t extent_of(const struct diff_case *one, int axis)
{
    if (case_is_cube(one))
        return axis < 2 ? one->texture.size[0] : 1; /* faces are square */
    return axis < case_axes(one) ? one->texture.size[axis] : 1;
}

uint32_t case_level_count(const struct diff_case *one)
{
    uint32_t longest = extent_of(one, 0) | extent_of(one, 1) | extent_of(one, 2), all = 0;
    for (; longest; longest /= 2)
        all++;
    return one->texture.levels && one->texture.levels < all ? one->texture.levels : all;
}

/* ---- Inputs ---- */

/* A number in [0, 1) for each (n, salt). */
static float scattered(uint32_t n, uint32_t salt)
{
    uint32_t x = n * 0x9e3779b9u + salt * 0x85ebca6bu + 1;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return (float)((x ^ (x >> 16)) >> 8) / 16777216.0f;
}

static float between(float low, float high, float t)
{
    return low + (high - low) * t;
}

/* A coordinate where some mode bends: 0, 1, -1 or 2, or half texels and a little beside it. */
static float bend(uint32_t n, uint32_t extent)
{
    static const float whole[] = {0, 1, -1, 2}, beside[] = {0, -0.5f, 0.5f, -1.5f, 1.5f, -0.02f, 0.02f};
    return whole[n % 4] + beside[(n / 4) % 7] / (float)extent;
}

static bool is_projective(const struct diff_case *one)
{
    return one->lookup.operation == LOOKUP_PROJ || one->lookup.operation == LOOKUP_PROJ_LOD ||
           one->lookup.operation == LOOKUP_PROJ_GRAD || one->lookup.operation == LOOKUP_PROJ_OFFSET ||
           one->lookup.operation == LOOKUP_PROJ_GRAD_OFFSET;
}

/* Layer or q, and the compare value: powers of two as q keep both divisions exact. */
static void finish_input(const struct diff_case *one, uint32_t n, float layer, struct lookup_input *input)
{
    static const float divisors[3] = {0.5f, 1, 2};
    if (one->lookup.dimension == LOOKUP_1D_ARRAY || one->lookup.dimension == LOOKUP_2D_ARRAY ||
        one->lookup.dimension == LOOKUP_CUBE_ARRAY)
        input->p[3] = layer;
    if (!is_projective(one))
        return;
    /* One q for each 2 x 2 block: derivatives of the quotient are then differences of quotients. */
    input->p[3] = divisors[case_implicit(one) ? one->pattern.seed % 3 : n % 3];
    for (int axis = 0; axis < 3; axis++)
        input->p[axis] *= input->p[3];
    input->extra[1] *= input->p[3];
}

/*
 * Turns s and t in p, from -1 to 1 on a face, into a direction. Faces come in turn, block by block; the direction's
 * length does not matter, and is a power of two to keep quotients exact. Derivatives stay on the face.
 */
static void point_at_face(uint32_t face, uint32_t n, struct lookup_input *input)
{
    /* Table 8.19 of OpenGL 4.6: axes of s, t and the face with their signs. */
    static const int axes[6][3] = {{2, 1, 0}, {2, 1, 0}, {0, 2, 1}, {0, 2, 1}, {0, 1, 2}, {0, 1, 2}};
    static const float signs[6][3] = {{-1, -1, 1}, {1, -1, -1}, {1, 1, 1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, -1}};
    const float length = exp2f((float)(n % 3) - 1), place[3] = {input->p[0], input->p[1], 1};
    const float dx[3] = {input->dx[0], input->dx[1], 0}, dy[3] = {input->dy[0], input->dy[1], 0};
    for (int i = 0; i < 3; i++) {
        int axis = axes[face][i];
        input->p[axis] = signs[face][i] * place[i] * length;
        input->dx[axis] = signs[face][i] * dx[i] * length;
        input->dy[axis] = signs[face][i] * dy[i] * length;
    }
}

/* s and t of a face: all over it, and beside its edges, but not within a hair of them, where either face will do. */
static float on_face(uint32_t n, uint32_t extent, float random)
{
    static const float beside[] = {0.02f, 0.25f, 0.48f, 0.52f, 0.9f};
    float s = 2 * random - 1;
    if (n % 3 == 0) {
        s = 1 - 2 * beside[n / 3 % 5] / (float)extent;
        s = n / 15 % 2 ? -s : s;
    }
    return s > 0.999f ? 0.999f : s < -0.999f ? -0.999f : s;
}

static void finish_cube(const struct diff_case *one, uint32_t x, uint32_t y, float layer, struct lookup_input *input)
{
    const uint32_t n = y * CASE_GRID + x, extent = one->texture.size[0], block = y / 2 * (CASE_GRID / 2) + x / 2;
    const uint32_t salt = one->pattern.seed * 16;
    for (int axis = 0; axis < 2; axis++) {
        const float random = scattered(one->pattern.kind == PATTERN_AFFINE ? block : n, salt + 11 + (uint32_t)axis);
        input->dx[axis] *= 2, input->dy[axis] *= 2;
        if (one->pattern.kind == PATTERN_SWEEP) {
            input->p[axis] = on_face(n + (uint32_t)axis * 7, extent, random);
            continue;
        }
        /* A block of pixels whose lookups stay on the face, apart by the pattern's derivatives, or by what fits. */
        const float wide = fabsf(input->dx[axis]) + fabsf(input->dy[axis]), fit = wide > 0.9f ? 0.9f / wide : 1;
        input->dx[axis] *= fit, input->dy[axis] *= fit;
        const float room = 0.99f - wide * fit;
        input->p[axis] = (2 * random - 1) * room + (float)(x % 2) * input->dx[axis] + (float)(y % 2) * input->dy[axis];
    }
    point_at_face((block + one->pattern.seed) % 6, one->pattern.kind == PATTERN_AFFINE ? block : n, input);
    if (one->lookup.dimension == LOOKUP_CUBE_ARRAY)
        input->p[3] = layer;
}

static void sweep_one(const struct diff_case *one, uint32_t x, uint32_t y, struct lookup_input *input)
{
    const uint32_t n = y * CASE_GRID + x, salt = one->pattern.seed * 16;
    /* One level of detail for 8 x 4 pixels: software renderers choose one filter for the pixels they compute together.
     */
    const uint32_t tile = y / 4 * (CASE_GRID / 8) + x / 8;
    const float levels = (float)case_level_count(one);
    const uint32_t place[3] = {x, y, x + y};
    *input = (struct lookup_input){.extra = {between(-1, levels, scattered(tile, salt + 1)),
                                             floorf(between(-4, 69, scattered(n, salt + 2))) / 64.0f,
                                             floorf(between(-8, 7.999f, scattered(n, salt + 3))),
                                             floorf(between(-8, 7.999f, scattered(n, salt + 4)))}};
    if (one->lookup.dimension == LOOKUP_RECTANGLE)
        input->extra[0] = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t extent = extent_of(one, axis);
        float along = ((float)(place[axis] % CASE_GRID) + scattered(n, salt + 5 + (uint32_t)axis)) / (float)CASE_GRID;
        float coordinate =
            n % 5 == (uint32_t)axis ? bend(n / 5 + one->pattern.seed, extent) : between(-2.3f, 3.1f, along);
        input->p[axis] = one->lookup.dimension == LOOKUP_RECTANGLE ? coordinate * (float)extent : coordinate;
        /* Gradients along one screen axis each, so that their lengths give the level of detail. */
        const float unit = one->lookup.dimension == LOOKUP_RECTANGLE ? 1 : (float)extent;
        float texels = exp2f(between(-1, levels, scattered(tile, salt + 8))) / unit;
        input->dx[axis] = axis == 0 ? texels : 0;
        input->dy[axis] = axis == 1 ? texels * 0.7f : 0;
    }
    input->dx[3] = between(-0.5f, levels, scattered(tile, salt + 10));
    /* Rounded to the nearest layer, so that a third of one makes no difference. */
    const float third = (float)(n % 3) / 3 - 1.0f / 3;
    const float layer = floorf(between(-2, (float)one->texture.size[2] + 2, scattered(n, salt + 9))) + third;
    if (case_is_cube(one))
        finish_cube(one, x, y, layer, input);
    else
        finish_input(one, n, layer, input);
}

static void affine_one(const struct diff_case *one, uint32_t x, uint32_t y, struct lookup_input *input)
{
    const struct case_pattern *pattern = &one->pattern;
    const float c = cosf(pattern->turn) * pattern->texels, s = sinf(pattern->turn) * pattern->texels;
    const float per_x[3] = {c, s * pattern->stretch, 0.3f}, per_y[3] = {-s, c * pattern->stretch, 0};
    const float dx = (float)x - (float)CASE_GRID / 2, dy = (float)y - (float)CASE_GRID / 2;
    const float bias = case_shader_bias(one);
    *input = (struct lookup_input){.extra = {bias != 0 ? bias : 0.5f, 0.5f, 0, 0}};
    for (int axis = 0; axis < 3; axis++) {
        float extent = (float)extent_of(one, axis);
        /* 3/64 of a texel keeps the coordinates off the edges of texels and their middles. */
        const float unit = one->lookup.dimension == LOOKUP_RECTANGLE ? 1 : extent;
        input->p[axis] = (pattern->middle * extent + (per_x[axis] * dx + per_y[axis] * dy + 0.046875f)) / unit;
        if (unit == extent)
            input->p[axis] = pattern->middle + (per_x[axis] * dx + per_y[axis] * dy + 0.046875f) / extent;
        input->dx[axis] = per_x[axis] / unit;
        input->dy[axis] = per_y[axis] / unit;
    }
    input->dx[3] = 0.25f * (float)(y / 4 % 8);
    const float layer = (float)(pattern->seed % one->texture.size[2]);
    if (case_is_cube(one))
        finish_cube(one, x, y, layer, input);
    else
        finish_input(one, y * CASE_GRID + x, layer, input);
}

/* A least level of detail beyond the sampler's greatest is undefined; Vulkan's greatest is 1/4 without mipmaps. */
static float greatest_least_lod(const struct diff_case *one)
{
    const float greatest = fmaxf(one->state.minLod, one->state.maxLod);
    if (!lookup_has_min_lod(one->lookup.operation))
        return INFINITY;
    return one->form != LOOKUP_SAMPLER_GL && !case_filter_mipmapped(one->state.minFilter) ? fminf(greatest, 0.25f)
                                                                                          : greatest;
}

void case_inputs(const struct diff_case *one, struct lookup_input *inputs)
{
    const float greatest = greatest_least_lod(one);
    for (uint32_t y = 0; y < CASE_GRID; y++)
        for (uint32_t x = 0; x < CASE_GRID; x++) {
            struct lookup_input *input = &inputs[y * CASE_GRID + x];
            if (one->pattern.kind == PATTERN_SWEEP)
                sweep_one(one, x, y, input);
            else
                affine_one(one, x, y, input);
            input->dx[3] = fminf(input->dx[3], greatest);
        }
}

/* ---- Words ---- */

static void append(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void describe_lookup(const struct diff_case *one, char *text, size_t size)
{
    static const char *const stages[] = {"fragment", "vertex", "compute"};
    const struct lookup *lookup = &one->lookup;
    append(text, size, "%s %s", name_of_dimension(lookup->dimension), name_of_operation(lookup->operation));
    if (lookup->component)
        append(text, size, " of component %u", lookup->component);
    if (lookup->company != LOOKUP_ALONE)
        append(text, size, lookup->company == LOOKUP_BEHIND ? " behind others" : " dependent on others");
    append(text, size, ", %s%s, %s %ux%ux%u, %u levels", stages[lookup->stage], lookup->separate ? ", separate" : "",
           format_of(one->texture.format)->name, extent_of(one, 0), extent_of(one, 1), one->texture.size[2],
           case_level_count(one));
}

static void describe_view(const struct diff_case *one, char *text, size_t size)
{
    const VkImageViewGLStateCreateInfoCLAMPLER *view = &one->view;
    if (!one->viewed)
        return;
    append(text, size, "; view");
    if (view->baseFormat)
        append(text, size, " base %s", name_of_token(view->baseFormat));
    if (view->internalFormat)
        append(text, size, " internal %s", name_of_token(view->internalFormat));
    if (view->depthMode)
        append(text, size, " depth mode %s", name_of_token(view->depthMode));
    if (view->stencilSampling)
        append(text, size, " stencil");
    if (view->swizzle[0] | view->swizzle[1] | view->swizzle[2] | view->swizzle[3])
        for (int c = 0; c < 4; c++)
            append(text, size, "%s%s", c ? "," : " swizzle ", name_of_token(view->swizzle[c]));
}

void case_describe(const struct diff_case *one, char *text, size_t size)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    const float *border = state->borderColor.float32;
    const uint32_t wraps[3] = {state->wrapS, state->wrapT, state->wrapR};
    text[0] = '\0';
    describe_lookup(one, text, size);
    for (int axis = 0; axis < case_axes(one); axis++)
        append(text, size, "%s%s", axis ? "/" : "; ", name_of_wrap(wraps[axis]));
    append(text, size, ", min %s, mag %s, border ", name_of_filter(state->minFilter), name_of_filter(state->magFilter));
    if (case_is_integer(one))
        append(text, size, "%d %d %d %d", state->borderColor.int32[0], state->borderColor.int32[1],
               state->borderColor.int32[2], state->borderColor.int32[3]);
    else
        append(text, size, "%g %g %g %g", (double)border[0], (double)border[1], (double)border[2], (double)border[3]);
    append(text, size, ", LOD %g to %g, bias %g + %g, anisotropy %g", (double)state->minLod, (double)state->maxLod,
           (double)state->lodBias, (double)state->unitLodBias, (double)state->maxAnisotropy);
    if (state->compareMode)
        append(text, size, ", compare %#x", state->compareFunc);
    if (case_is_cube(one))
        append(text, size, ", %s", state->cubeMapSeamless ? "seamless" : "not seamless");
    if (state->srgbDecode)
        append(text, size, ", sRGB decode %#x", state->srgbDecode);
    if (state->reductionMode)
        append(text, size, ", reduction %#x", state->reductionMode);
    describe_view(one, text, size);
    if (one->texture_incomplete)
        append(text, size, "; incomplete texture");
    if (one->texture.border)
        append(text, size, "; border texels, %u in front", one->texture.border);
    if (one->compare_fail > 0)
        append(text, size, "; fail value %g", (double)one->compare_fail);
    if (one->view_least > 0)
        append(text, size, "; least level of the view %g", (double)one->view_least);
    if (one->view_first)
        append(text, size, "; view from level %u of the image on", one->view_first);
    append(text, size, "; %s, form %s%s%s%s; %s %u, %g %g %g %g",
           one->form == LOOKUP_SAMPLER_GL         ? "GL structure"
           : one->form == LOOKUP_SAMPLER_STANDARD ? "standard structures"
                                                  : "private modes",
           one->gpu_form ? "gpu" : "cpu",
           one->crowded         ? ", crowded"
           : one->beside_filter ? ", beside a filter"
                                : "",
           one->shader_fallback ? ", fallback shader" : "", one->incomplete ? ", integers incomplete" : "",
           one->pattern.kind == PATTERN_SWEEP ? "sweep" : "affine", one->pattern.seed, (double)one->pattern.texels,
           (double)one->pattern.stretch, (double)one->pattern.turn, (double)one->pattern.middle);
}
