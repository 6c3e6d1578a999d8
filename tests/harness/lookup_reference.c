#include <stdlib.h>
#include <string.h>

#include "harness/lookup_reference.h"

static union reference_color decode(enum lookup_format format, const uint8_t *texel)
{
    union reference_color color = {.f = {0, 0, 0, 1}};
    uint16_t depth;
    switch (format) {
    case LOOKUP_RGBA8:
        for (int i = 0; i < 4; i++)
            color.f[i] = (float)texel[i] / 255.0f;
        break;
    case LOOKUP_RGBA8UI:
        for (int i = 0; i < 4; i++)
            color.u[i] = texel[i];
        break;
    case LOOKUP_RGBA32F:
        memcpy(color.f, texel, sizeof color.f);
        break;
    case LOOKUP_DEPTH32F:
        memcpy(color.f, texel, sizeof color.f[0]);
        break;
    case LOOKUP_DEPTH16:
        memcpy(&depth, texel, sizeof depth);
        color.f[0] = (float)depth / 65535.0f;
        break;
    }
    return color;
}

static enum reference_kind kind_of(enum lookup_format format)
{
    switch (format) {
    case LOOKUP_RGBA8UI:
        return REFERENCE_UINT;
    case LOOKUP_DEPTH32F:
        return REFERENCE_DEPTH_FLOAT;
    case LOOKUP_DEPTH16:
        return REFERENCE_DEPTH_UNORM;
    default:
        return REFERENCE_FLOAT;
    }
}

static int32_t level_extent(uint32_t base, uint32_t level)
{
    return base >> level ? (int32_t)(base >> level) : 1;
}

void lookup_reference_open(struct lookup_reference *reference, const struct lookup_texture *texture)
{
    static const enum reference_target targets[] = {
        [LOOKUP_1D] = REFERENCE_1D, [LOOKUP_1D_ARRAY] = REFERENCE_1D_ARRAY,
        [LOOKUP_2D] = REFERENCE_2D, [LOOKUP_2D_ARRAY] = REFERENCE_2D_ARRAY,
        [LOOKUP_3D] = REFERENCE_3D, [LOOKUP_RECTANGLE] = REFERENCE_RECTANGLE,
    };
    if (texture->dimension >= LOOKUP_CUBE)
        harness_fail("the reference sampler has no dimension %d", texture->dimension);
    size_t count = lookup_texel_count(texture), texel_size = lookup_texel_size(texture->format);
    *reference = (struct lookup_reference){.texture = {.target = targets[texture->dimension],
                                                       .kind = kind_of(texture->format),
                                                       .levels = texture->levels ? (int32_t)texture->levels : 1,
                                                       .layers = texture->layers ? (int32_t)texture->layers : 1},
                                           .texels = harness_alloc(count, sizeof *reference->texels)};
    for (size_t i = 0; i < count; i++)
        reference->texels[i] = decode(texture->format, (const uint8_t *)texture->texels + i * texel_size);
    const union reference_color *texels = reference->texels;
    for (int32_t i = 0; i < reference->texture.levels; i++) {
        struct reference_level *level = &reference->texture.level[i];
        *level = (struct reference_level){level_extent(texture->width, (uint32_t)i),
                                          level_extent(texture->height, (uint32_t)i),
                                          level_extent(texture->depth, (uint32_t)i), texels};
        texels +=
            (size_t)level->width * (size_t)level->height * (size_t)level->depth * (size_t)reference->texture.layers;
    }
}

void lookup_reference_close(struct lookup_reference *reference)
{
    free(reference->texels);
    *reference = (struct lookup_reference){.texels = NULL};
}

static bool is_projective(const struct lookup *lookup)
{
    return lookup->operation == LOOKUP_PROJ || lookup->operation == LOOKUP_PROJ_LOD ||
           lookup->operation == LOOKUP_PROJ_GRAD || lookup->operation == LOOKUP_PROJ_OFFSET;
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
        return REFERENCE_GRAD;
    case LOOKUP_GATHER:
    case LOOKUP_GATHER_OFFSET:
    case LOOKUP_GATHER_OFFSETS:
        return REFERENCE_GATHER;
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
        memcpy(out->offset, constant, sizeof constant);
        break;
    case LOOKUP_GATHER_OFFSET:
        out->offset[0] = (int32_t)input->extra[2];
        out->offset[1] = (int32_t)input->extra[3];
        break;
    case LOOKUP_GATHER_OFFSETS:
        out->has_offsets = true;
        memcpy(out->offsets, four, sizeof four);
        break;
    default:
        break;
    }
}

static struct reference_lookup lookup_of(const struct lookup *lookup, struct lookup_grid grid,
                                         const struct lookup_input *inputs, uint32_t index)
{
    const struct lookup_input *input = &inputs[index];
    struct reference_lookup out = {.operation = operation_of(lookup->operation), .layer = input->p[3]};
    coordinate_of(lookup, input, out.coordinate);
    out.reference = is_projective(lookup) ? input->extra[1] / input->p[3] : input->extra[1];
    out.lod = input->extra[0];
    if (lookup->operation == LOOKUP_BIAS || lookup->operation == LOOKUP_BIAS_OFFSET)
        out.bias = input->extra[0];
    if (out.operation == REFERENCE_IMPLICIT) {
        implicit_derivatives(lookup, grid, inputs, index, &out);
    } else {
        memcpy(out.ddx, input->dx, sizeof out.ddx);
        memcpy(out.ddy, input->dy, sizeof out.ddy);
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
        .compare_func = state->compareFunc ? state->compareFunc : GL_LEQUAL,
    };
    memcpy(&sampler.border, &state->borderColor, sizeof sampler.border);
    return sampler;
}

void lookup_reference_run(const struct lookup_reference *reference, const struct lookup *lookup,
                          const VkSamplerGLStateCreateInfoCLAMPLER *state, struct lookup_grid grid,
                          const struct lookup_input *inputs, const struct reference_precision *precision,
                          struct reference_result *results)
{
    const struct reference_sampler sampler = sampler_of(state);
    for (uint32_t i = 0; i < grid.width * grid.height; i++) {
        const struct reference_lookup one = lookup_of(lookup, grid, inputs, i);
        reference_sample(&reference->texture, &sampler, &one, precision, &results[i]);
    }
}

uint32_t lookup_reference_channels(const struct lookup *lookup)
{
    bool gathers = operation_of(lookup->operation) == REFERENCE_GATHER;
    return lookup->kind == LOOKUP_SHADOW && !gathers ? 1u : 15u;
}
