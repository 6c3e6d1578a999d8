/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lookups/lookup_reference.h"

static int32_t level_extent(uint32_t base, uint32_t level)
{
    return base >> level ? (int32_t)(base >> level) : 1;
}

static enum format_reading other_reading(enum lookup_format format)
{
    return format == LOOKUP_DEPTH32F_STENCIL8 ? FORMAT_STENCIL
           : format_of(format)->srgb          ? FORMAT_UNDECODED
                                              : FORMAT_AS_IT_IS;
}

static uint32_t at_least_one(uint32_t value)
{
    return value ? value : 1;
}

/* Decodes every level into `texels`. */
static void decode(const struct lookup_texture *texture, enum format_reading reading, union reference_color *texels)
{
    const uint8_t *bytes = texture->texels;
    for (uint32_t level = 0; level < at_least_one(texture->levels); level++) {
        const uint32_t layers = at_least_one(texture->layers);
        uint32_t size[3];
        lookup_level_memory(texture, level, size);
        format_decode(texture->format, reading, size[0], size[1], size[2] * layers, bytes, texels);
        bytes += format_level_size(texture->format, size[0], size[1], size[2], layers);
        texels += (size_t)size[0] * size[1] * size[2] * layers;
    }
}

/* Points the levels at their texels. */
static void set_texels(struct reference_texture *texture, const union reference_color *texels)
{
    const bool planar = texture->target != REFERENCE_1D && texture->target != REFERENCE_1D_ARRAY,
               solid = texture->target == REFERENCE_3D;
    const size_t border = texture->bordered ? 2 : 0;
    for (int32_t i = 0; i < texture->levels; i++) {
        struct reference_level *level = &texture->level[i];
        level->texels = texels;
        texels += ((size_t)level->width + border) * ((size_t)level->height + (planar ? border : 0)) *
                  ((size_t)level->depth + (solid ? border : 0)) * (size_t)texture->layers;
    }
}

void lookup_reference_open(struct lookup_reference *reference, const struct lookup_texture *texture)
{
    static const enum reference_target targets[LOOKUP_DIMENSIONS] = {
        [LOOKUP_1D] = REFERENCE_1D,     [LOOKUP_1D_ARRAY] = REFERENCE_1D_ARRAY,
        [LOOKUP_2D] = REFERENCE_2D,     [LOOKUP_2D_ARRAY] = REFERENCE_2D_ARRAY,
        [LOOKUP_3D] = REFERENCE_3D,     [LOOKUP_RECTANGLE] = REFERENCE_RECTANGLE,
        [LOOKUP_CUBE] = REFERENCE_CUBE, [LOOKUP_CUBE_ARRAY] = REFERENCE_CUBE_ARRAY,
    };
    const enum format_reading other = other_reading(texture->format);
    size_t count = lookup_texel_count(texture);
    *reference = (struct lookup_reference){.format = texture->format,
                                           .texture = {.target = targets[texture->dimension],
                                                       .kind = format_kind(texture->format, FORMAT_AS_IT_IS),
                                                       .levels = (int32_t)at_least_one(texture->levels),
                                                       .layers = (int32_t)at_least_one(texture->layers),
                                                       .bordered = texture->bordered},
                                           .texels = harness_alloc(count, sizeof(*reference->texels))};
    decode(texture, FORMAT_AS_IT_IS, reference->texels);
    if (other != FORMAT_AS_IT_IS) {
        reference->other = harness_alloc(count, sizeof(*reference->other));
        decode(texture, other, reference->other);
    }
    for (int32_t i = 0; i < reference->texture.levels; i++)
        reference->texture.level[i] = (struct reference_level){level_extent(texture->width, (uint32_t)i),
                                                               level_extent(texture->height, (uint32_t)i),
                                                               level_extent(texture->depth, (uint32_t)i), NULL};
    set_texels(&reference->texture, reference->texels);
}

void lookup_reference_close(struct lookup_reference *reference)
{
    free(reference->texels);
    free(reference->other);
    *reference = (struct lookup_reference){.texels = NULL};
}

/* ---- Views ---- */

#define Z REFERENCE_SELECT_ZERO
#define O REFERENCE_SELECT_ONE
#define R REFERENCE_SELECT_R
#define G REFERENCE_SELECT_G
#define B REFERENCE_SELECT_B
#define A REFERENCE_SELECT_A

/* Table 8.18 and 16.1: what a texture of a base format shows of its components, and of the border colour. */
static void base_format_selects(uint32_t base, uint8_t channels, enum reference_select texel[4],
                                enum reference_select border[4])
{
    /* Where the components are in formats with one and two channels, and in others. */
    const enum reference_select alpha = channels == 1 ? R : channels == 2 ? G : A, only = channels == 1 ? R : A;
    const struct {
        uint32_t base;
        enum reference_select texel[4], border[4];
    } table[] = {
        {GL_RED, {R, Z, Z, O}, {R, Z, Z, O}},
        {GL_RG, {R, G, Z, O}, {R, G, Z, O}},
        {GL_RGB, {R, G, B, O}, {R, G, B, O}},
        {GL_RGBA, {R, G, B, A}, {R, G, B, A}},
        {GL_ALPHA, {Z, Z, Z, only}, {Z, Z, Z, A}},
        {GL_LUMINANCE, {R, R, R, O}, {R, R, R, O}},
        {GL_LUMINANCE_ALPHA, {R, R, R, alpha}, {R, R, R, A}},
        {GL_INTENSITY, {R, R, R, R}, {R, R, R, R}},
        {GL_DEPTH_COMPONENT, {R, Z, Z, O}, {R, Z, Z, O}},
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (table[i].base == base) {
            memcpy(texel, table[i].texel, sizeof(table[i].texel));
            memcpy(border, table[i].border, sizeof(table[i].border));
            return;
        }
    harness_fail("base format 0x%04x is not among those that the tests use", base);
}

static void compose(const enum reference_select outer[4], enum reference_select select[4])
{
    enum reference_select inner[4];
    memcpy(inner, select, sizeof(inner));
    for (int c = 0; c < 4; c++)
        select[c] = outer[c] >= REFERENCE_SELECT_R ? inner[outer[c] - REFERENCE_SELECT_R] : outer[c];
}

static enum reference_select select_of(uint32_t swizzle)
{
    switch (swizzle) {
    case GL_ZERO:
        return Z;
    case GL_ONE:
        return O;
    case GL_GREEN:
        return G;
    case GL_BLUE:
        return B;
    case GL_ALPHA:
        return A;
    default:
        return R;
    }
}

static uint32_t own_base(enum lookup_format format)
{
    static const uint32_t bases[] = {0, GL_RED, GL_RG, GL_RGB, GL_RGBA};
    return bases[format_of(format)->channels];
}

/* Lookups that compare take GL_ALPHA for GL_INTENSITY (docs/semantics.md). */
static void set_selects(struct reference_texture *texture, enum lookup_format format, bool compares,
                        const VkImageViewGLStateCreateInfoCLAMPLER *view)
{
    static const struct {
        uint32_t mode;
        enum reference_select select[4];
    } modes[] = {{GL_LUMINANCE, {R, R, R, O}}, {GL_INTENSITY, {R, R, R, R}}, {GL_ALPHA, {Z, Z, Z, R}}};
    const uint32_t asked = view ? view->depthMode : 0, mode = compares && asked == GL_ALPHA ? GL_INTENSITY : asked;
    bool colors = !format_is_depth(format), swizzled = false;
    uint32_t base = view && view->baseFormat && colors ? view->baseFormat : own_base(format);
    base_format_selects(base, format_of(format)->channels, texture->select, texture->border_select);
    enum reference_select swizzle[4];
    for (int c = 0; c < 4 && view; c++) {
        swizzle[c] = select_of(view->swizzle[c]);
        swizzled |= view->swizzle[c] != 0;
    }
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]) && view && !colors && !view->stencilSampling; i++)
        if (modes[i].mode == mode) {
            compose(modes[i].select, texture->select);
            compose(modes[i].select, texture->border_select);
        }
    if (swizzled) {
        compose(swizzle, texture->select);
        compose(swizzle, texture->border_select);
    }
}

#undef Z
#undef O
#undef R
#undef G
#undef B
#undef A

static void clamp_border(union reference_color *border, float low)
{
    for (int c = 0; c < 4; c++)
        border->f[c] = border->f[c] < low ? low : border->f[c] > 1 ? 1 : border->f[c];
}

/* The texture as the view shows it, under a sampler's choice of decoding, which means nothing to fetches. */
static struct reference_texture texture_of(const struct lookup_reference *reference, const struct lookup *lookup,
                                           const VkImageViewGLStateCreateInfoCLAMPLER *view,
                                           const VkSamplerGLStateCreateInfoCLAMPLER *state)
{
    const bool fetches = lookup->operation == LOOKUP_FETCH;
    struct reference_texture texture = reference->texture;
    bool stencil = view && view->stencilSampling;
    set_selects(&texture, reference->format, lookup->kind == LOOKUP_SHADOW, view);
    if (stencil)
        texture.kind = REFERENCE_UINT;
    if (reference->other &&
        (stencil || (format_of(reference->format)->srgb && state->srgbDecode == GL_SKIP_DECODE_EXT && !fetches)))
        set_texels(&texture, reference->other);
    if (view && view->internalFormat == GL_DEPTH_COMPONENT24)
        texture.kind = REFERENCE_DEPTH_UNORM;
    return texture;
}

static bool is_projective(const struct lookup *lookup)
{
    return lookup->operation == LOOKUP_PROJ || lookup->operation == LOOKUP_PROJ_LOD ||
           lookup->operation == LOOKUP_PROJ_GRAD || lookup->operation == LOOKUP_PROJ_OFFSET ||
           lookup->operation == LOOKUP_PROJ_GRAD_OFFSET;
}

static enum reference_operation operation_of(enum lookup_operation operation)
{
    switch (operation) {
    case LOOKUP_LOD:
    case LOOKUP_LOD_OFFSET:
    case LOOKUP_PROJ_LOD:
        return REFERENCE_LOD;
    case LOOKUP_GRAD:
    case LOOKUP_GRAD_OFFSET:
    case LOOKUP_PROJ_GRAD:
    case LOOKUP_PROJ_GRAD_OFFSET:
    case LOOKUP_MIN_LOD_GRAD:
        return REFERENCE_GRAD;
    case LOOKUP_GATHER:
    case LOOKUP_GATHER_OFFSET:
    case LOOKUP_GATHER_OFFSETS:
        return REFERENCE_GATHER;
    case LOOKUP_QUERY_LOD:
        return REFERENCE_QUERY_LOD;
    default:
        return REFERENCE_IMPLICIT;
    }
}

/* s, t, r as they are sampled: divided by q where the lookup is projective. */
static void coordinate_of(const struct lookup *lookup, const struct lookup_input *input, float coordinate[3])
{
    float q = is_projective(lookup) ? input->p[3] : 1.0f;
    for (int i = 0; i < 3; i++)
        coordinate[i] = input->p[i] / q;
}

/* Differences in the 2 x 2 block, as a fragment shader sees them. */
static void implicit_derivatives(const struct lookup *lookup, struct lookup_grid grid,
                                 const struct lookup_input *inputs, uint32_t index, struct reference_lookup *out)
{
    uint32_t x = index % grid.width, y = index / grid.width;
    float corners[4][3];
    const uint32_t places[4] = {y * grid.width + (x & ~1u), y * grid.width + (x | 1u), (y & ~1u) * grid.width + x,
                                (y | 1u) * grid.width + x};
    for (int i = 0; i < 4; i++)
        coordinate_of(lookup, &inputs[places[i]], corners[i]);
    for (int i = 0; i < 3; i++) {
        out->ddx[i] = corners[1][i] - corners[0][i];
        out->ddy[i] = corners[3][i] - corners[2][i];
    }
}

static void set_offsets(const struct lookup *lookup, const struct lookup_input *input, struct reference_lookup *out)
{
    static const int32_t constant[3] = {2, -3, 1};
    static const int32_t four[4][2] = {{0, 0}, {3, -2}, {-4, 1}, {1, 5}};
    switch (lookup->operation) {
    case LOOKUP_OFFSET:
    case LOOKUP_BIAS_OFFSET:
    case LOOKUP_LOD_OFFSET:
    case LOOKUP_GRAD_OFFSET:
    case LOOKUP_PROJ_OFFSET:
    case LOOKUP_PROJ_GRAD_OFFSET:
    case LOOKUP_MIN_LOD_OFFSET:
        memcpy(out->offset, constant, sizeof(constant));
        break;
    case LOOKUP_GATHER_OFFSET:
        out->offset[0] = (int32_t)input->extra[2];
        out->offset[1] = (int32_t)input->extra[3];
        break;
    case LOOKUP_GATHER_OFFSETS:
        out->has_offsets = true;
        memcpy(out->offsets, four, sizeof(four));
        break;
    default:
        break;
    }
}

static struct reference_lookup lookup_of(const struct lookup *lookup, struct lookup_grid grid,
                                         const struct lookup_input *inputs, uint32_t index)
{
    const struct lookup_input *input = &inputs[index];
    struct reference_lookup out = {
        .operation = operation_of(lookup->operation), .layer = input->p[3], .component = lookup->component};
    coordinate_of(lookup, input, out.coordinate);
    out.reference = is_projective(lookup) ? input->extra[1] / input->p[3] : input->extra[1];
    out.lod = input->extra[0];
    if (lookup_has_min_lod(lookup->operation))
        out.min_lod = input->dx[3];
    if (lookup->operation == LOOKUP_BIAS || lookup->operation == LOOKUP_BIAS_OFFSET ||
        lookup->operation == LOOKUP_MIN_LOD_BIAS)
        out.bias = input->extra[0];
    if (out.operation == REFERENCE_IMPLICIT || out.operation == REFERENCE_QUERY_LOD) {
        implicit_derivatives(lookup, grid, inputs, index, &out);
    } else {
        memcpy(out.ddx, input->dx, sizeof(out.ddx));
        memcpy(out.ddy, input->dy, sizeof(out.ddy));
    }
    set_offsets(lookup, input, &out);
    return out;
}

static struct reference_sampler sampler_of(const VkSamplerGLStateCreateInfoCLAMPLER *state)
{
    struct reference_sampler sampler = {
        .wrap = {state->wrapS ? state->wrapS : GL_REPEAT, state->wrapT ? state->wrapT : GL_REPEAT,
                 state->wrapR ? state->wrapR : GL_REPEAT},
        .min_filter = state->minFilter ? state->minFilter : GL_NEAREST_MIPMAP_LINEAR,
        .mag_filter = state->magFilter ? state->magFilter : GL_LINEAR,
        .min_lod = state->minLod,
        .max_lod = state->maxLod,
        .lod_bias = state->lodBias + state->unitLodBias,
        .compare = state->compareMode == GL_COMPARE_REF_TO_TEXTURE,
        .seamless = state->cubeMapSeamless,
        .reduction = state->reductionMode == GL_MIN   ? REFERENCE_MINIMUM
                     : state->reductionMode == GL_MAX ? REFERENCE_MAXIMUM
                                                      : REFERENCE_AVERAGE,
        .max_anisotropy = state->maxAnisotropy,
        .compare_func = state->compareFunc ? state->compareFunc : GL_LEQUAL,
    };
    memcpy(&sampler.border, &state->borderColor, sizeof(sampler.border));
    return sampler;
}

/* The sampler that a fetch is like, at the middle of its texel. */
#define FETCHING                                                                                                       \
    {                                                                                                                  \
        .wrap = {GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE}, .min_filter = GL_NEAREST_MIPMAP_NEAREST,       \
        .mag_filter = GL_NEAREST, .max_lod = 1000                                                                      \
    }

/* As shaders/tests/lookup.glsl finds it (tests/harness/compile/compile_lookups.py). */
static struct reference_lookup fetch_of(const struct reference_texture *texture, const struct lookup_input *input)
{
    const float last = (float)(texture->levels - 1);
    struct reference_lookup out = {.operation = REFERENCE_LOD};
    out.lod = truncf(fminf(fmaxf(input->extra[0], 0.0f), last));
    out.layer = truncf(input->p[3]);
    const struct reference_level *level = &texture->level[(int)out.lod];
    const float sizes[3] = {(float)level->width, (float)level->height, (float)level->depth};
    for (int axis = 0; axis < 3; axis++) {
        const float size = sizes[axis];
        const float place = floorf((input->p[axis] - floorf(input->p[axis])) * size);
        out.coordinate[axis] = (fminf(place, size - 1) + 0.5f) / size;
    }
    return out;
}

void lookup_reference_run(const struct lookup_reference *reference, const struct lookup *lookup,
                          const VkSamplerGLStateCreateInfoCLAMPLER *state,
                          const VkImageViewGLStateCreateInfoCLAMPLER *view, struct lookup_grid grid,
                          const struct lookup_input *inputs, const struct reference_precision *precision,
                          struct reference_result *results)
{
    struct reference_sampler sampler =
        lookup->operation == LOOKUP_FETCH ? (struct reference_sampler)FETCHING : sampler_of(state);
    sampler.most_bias = reference->most_bias;
    const struct reference_texture texture = texture_of(reference, lookup, view, state);
    const enum format_class class = format_of(reference->format)->class;
    if (class == FORMAT_SNORM)
        clamp_border(&sampler.border, -1);
    else if (class == FORMAT_UNORM || class == FORMAT_COMPRESSED || texture.kind == REFERENCE_DEPTH_UNORM)
        clamp_border(&sampler.border, 0);
    for (uint32_t i = 0; i < grid.width * grid.height; i++) {
        const struct reference_lookup one =
            lookup->operation == LOOKUP_FETCH ? fetch_of(&texture, &inputs[i]) : lookup_of(lookup, grid, inputs, i);
        reference_sample(&texture, &sampler, &one, precision, &results[i]);
    }
}

uint32_t lookup_reference_channels(const struct lookup *lookup)
{
    bool gathers = operation_of(lookup->operation) == REFERENCE_GATHER;
    return lookup->kind == LOOKUP_SHADOW && !gathers ? 1u : 15u;
}
