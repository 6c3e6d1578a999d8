#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/case.h"

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
        [FAMILY_COMPARE] = "compare",
        [FAMILY_ARRAYS] = "arrays",
        [FAMILY_RECTANGLE] = "rectangle",
        [FAMILY_BORDER] = "border",
        [FAMILY_INTEGER] = "integer",
        [FAMILY_ANISOTROPY] = "anisotropy",
        [FAMILY_PAIRS] = "pairs",
        [FAMILY_RANDOM] = "random",
    };
    return names[family];
}

void case_add(struct case_list *list, const struct diff_case *one)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 1024;
        struct diff_case *grown = realloc(list->cases, list->capacity * sizeof *grown);
        if (!grown)
            harness_fail("out of memory for %zu cases", list->capacity);
        list->cases = grown;
    }
    list->cases[list->count++] = *one;
}

/* ---- What a case is ---- */

int case_axes(const struct diff_case *one)
{
    static const int axes[LOOKUP_DIMENSIONS] = {1, 1, 2, 2, 3, 2, 0};
    return axes[one->lookup.dimension];
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
        return true;
    default:
        return false;
    }
}

bool case_computes_lod(const struct diff_case *one)
{
    return case_implicit(one) || one->lookup.operation == LOOKUP_GRAD || one->lookup.operation == LOOKUP_PROJ_GRAD ||
           one->lookup.operation == LOOKUP_GRAD_OFFSET;
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
    return filter == GL_LINEAR || filter == GL_LINEAR_MIPMAP_NEAREST || filter == GL_LINEAR_MIPMAP_LINEAR;
}

bool case_filter_mipmapped(uint32_t filter)
{
    return filter != GL_LINEAR && filter != GL_NEAREST;
}

static uint32_t extent_of(const struct diff_case *one, int axis)
{
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
           one->lookup.operation == LOOKUP_PROJ_GRAD || one->lookup.operation == LOOKUP_PROJ_OFFSET;
}

/* Layer or q, and the compare value: powers of two as q keep both divisions exact. */
static void finish_input(const struct diff_case *one, uint32_t n, float layer, struct lookup_input *input)
{
    static const float divisors[3] = {0.5f, 1, 2};
    if (one->lookup.dimension == LOOKUP_1D_ARRAY || one->lookup.dimension == LOOKUP_2D_ARRAY)
        input->p[3] = layer;
    if (!is_projective(one))
        return;
    /* One q for each 2 x 2 block: derivatives of the quotient are then differences of quotients. */
    input->p[3] = divisors[case_implicit(one) ? one->pattern.seed % 3 : n % 3];
    for (int axis = 0; axis < 3; axis++)
        input->p[axis] *= input->p[3];
    input->extra[1] *= input->p[3];
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
        float texels = exp2f(between(-1, levels, scattered(tile, salt + 8))) / (float)extent;
        input->dx[axis] = axis == 0 ? texels : 0;
        input->dy[axis] = axis == 1 ? texels * 0.7f : 0;
    }
    finish_input(one, n, floorf(between(-2, (float)one->texture.size[2] + 2, scattered(n, salt + 9))), input);
}

static void affine_one(const struct diff_case *one, uint32_t x, uint32_t y, struct lookup_input *input)
{
    const struct case_pattern *pattern = &one->pattern;
    const float c = cosf(pattern->turn) * pattern->texels, s = sinf(pattern->turn) * pattern->texels;
    const float per_x[3] = {c, s * pattern->stretch, 0.3f}, per_y[3] = {-s, c * pattern->stretch, 0};
    const float dx = (float)x - (float)CASE_GRID / 2, dy = (float)y - (float)CASE_GRID / 2;
    bool bias = one->lookup.operation == LOOKUP_BIAS || one->lookup.operation == LOOKUP_BIAS_OFFSET;
    *input = (struct lookup_input){.extra = {bias ? 0.55f - (float)(pattern->seed % 4) * 0.5f : 0.5f, 0.5f, 0, 0}};
    for (int axis = 0; axis < 3; axis++) {
        float extent = (float)extent_of(one, axis);
        /* 3/64 of a texel keeps the coordinates off the edges of texels and their middles. */
        input->p[axis] = pattern->middle + (per_x[axis] * dx + per_y[axis] * dy + 0.046875f) / extent;
        input->dx[axis] = per_x[axis] / extent;
        input->dy[axis] = per_y[axis] / extent;
    }
    finish_input(one, y * CASE_GRID + x, (float)(pattern->seed % one->texture.size[2]), input);
}

void case_inputs(const struct diff_case *one, struct lookup_input *inputs)
{
    for (uint32_t y = 0; y < CASE_GRID; y++)
        for (uint32_t x = 0; x < CASE_GRID; x++) {
            if (one->pattern.kind == PATTERN_SWEEP)
                sweep_one(one, x, y, &inputs[y * CASE_GRID + x]);
            else
                affine_one(one, x, y, &inputs[y * CASE_GRID + x]);
        }
}

/* ---- Words ---- */

static const char *wrap_name(uint32_t wrap)
{
    switch (wrap) {
    case GL_CLAMP:
        return "CLAMP";
    case GL_MIRROR_CLAMP_EXT:
        return "MIRROR_CLAMP";
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return "MIRROR_CLAMP_TO_BORDER";
    case GL_CLAMP_TO_EDGE:
        return "CLAMP_TO_EDGE";
    case GL_CLAMP_TO_BORDER:
        return "CLAMP_TO_BORDER";
    case GL_MIRRORED_REPEAT:
        return "MIRRORED_REPEAT";
    case GL_MIRROR_CLAMP_TO_EDGE:
        return "MIRROR_CLAMP_TO_EDGE";
    default:
        return "REPEAT";
    }
}

static const char *filter_name(uint32_t filter)
{
    switch (filter) {
    case GL_NEAREST:
        return "NEAREST";
    case GL_LINEAR:
        return "LINEAR";
    case GL_NEAREST_MIPMAP_NEAREST:
        return "NEAREST_MIPMAP_NEAREST";
    case GL_LINEAR_MIPMAP_NEAREST:
        return "LINEAR_MIPMAP_NEAREST";
    case GL_LINEAR_MIPMAP_LINEAR:
        return "LINEAR_MIPMAP_LINEAR";
    default:
        return "NEAREST_MIPMAP_LINEAR";
    }
}

static void describe_lookup(const struct diff_case *one, char *text, size_t size)
{
    static const char *const dimensions[] = {"1D", "1D array", "2D", "2D array", "3D", "rectangle", "cube"},
                             *const operations[] =
                                 {"texture",          "texture with bias",   "textureLod",
                                  "textureGrad",      "textureProj",         "textureProjLod",
                                  "textureProjGrad",  "textureOffset",       "textureOffset with bias",
                                  "textureLodOffset", "textureGradOffset",   "textureProjOffset",
                                  "textureGather",    "textureGatherOffset", "textureGatherOffsets"},
                             *const stages[] = {"fragment", "vertex", "compute"},
                             *const formats[] = {"RGBA8", "RGBA32F", "RGBA8UI", "DEPTH32F", "DEPTH16"};
    const struct lookup *lookup = &one->lookup;
    snprintf(text, size, "%s %s, %s%s, %s %ux%ux%u, %u levels", dimensions[lookup->dimension],
             operations[lookup->operation], stages[lookup->stage], lookup->separate ? ", separate" : "",
             formats[one->texture.format], extent_of(one, 0), extent_of(one, 1), one->texture.size[2],
             case_level_count(one));
}

void case_describe(const struct diff_case *one, char *text, size_t size)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    const float *border = state->borderColor.float32;
    const uint32_t wraps[3] = {state->wrapS, state->wrapT, state->wrapR};
    char modes[80] = "", lookup[200], compare[32] = "";
    for (int axis = 0; axis < case_axes(one); axis++)
        snprintf(modes + strlen(modes), sizeof modes - strlen(modes), "%s%s", axis ? "/" : "", wrap_name(wraps[axis]));
    describe_lookup(one, lookup, sizeof lookup);
    if (case_compares(one))
        snprintf(compare, sizeof compare, ", compare %#x", state->compareFunc);
    snprintf(text, size,
             "%s; %s, min %s, mag %s, border %g %g %g %g, LOD %g to %g, bias %g + %g, anisotropy %g%s; %s, form %s%s; "
             "%s %u, %g %g %g %g",
             lookup, modes, filter_name(state->minFilter), filter_name(state->magFilter), (double)border[0],
             (double)border[1], (double)border[2], (double)border[3], (double)state->minLod, (double)state->maxLod,
             (double)state->lodBias, (double)state->unitLodBias, (double)state->maxAnisotropy, compare,
             one->form == LOOKUP_SAMPLER_GL ? "GL structure" : "private modes", one->gpu_form ? "gpu" : "cpu",
             one->crowded ? ", crowded" : "", one->pattern.kind == PATTERN_SWEEP ? "sweep" : "affine",
             one->pattern.seed, (double)one->pattern.texels, (double)one->pattern.stretch, (double)one->pattern.turn,
             (double)one->pattern.middle);
}
