/* SPDX-License-Identifier: MIT */
/*
 * Cases in which many parameters meet at random: views, border colours, cubes, comparison, decoding, reduction, biases
 * and fallbacks at once, in every format. The other families turn one or two of them at a time.
 */
#include <string.h>

#include "differential/generate.h"

/* True in one of `count` calls. */
static bool one_in(uint32_t *random, uint32_t count)
{
    return generate_number(random, count) == 0;
}

static void draw_kind(struct diff_case *one, uint32_t *random)
{
    const enum format_class class = format_of(one->texture.format)->class;
    one->lookup.kind = class == FORMAT_UINT ? LOOKUP_UINT : class == FORMAT_INT ? LOOKUP_INT : LOOKUP_FLOAT;
    if (!format_is_depth(one->texture.format))
        return;
    if (one->texture.format == LOOKUP_DEPTH24) { /* Vulkan knows by the view alone that it is */
        one->viewed = true;
        one->view.internalFormat = GL_DEPTH_COMPONENT24;
    }
    if (one->texture.format == LOOKUP_DEPTH32F_STENCIL8 && one_in(random, 2)) {
        one->viewed = true;
        one->view.stencilSampling = VK_TRUE;
        one->lookup.kind = LOOKUP_UINT;
    } else if (!one_in(random, 3)) {
        one->lookup.kind = LOOKUP_SHADOW;
    }
}

static void draw_lookup(struct diff_case *one, uint32_t *random)
{
    struct lookup *lookup = &one->lookup;
    lookup->dimension = (enum lookup_dimension)generate_number(random, LOOKUP_DIMENSIONS);
    lookup->operation = generate_operation(generate_number(random, GENERATE_LOOKUPS));
    lookup->stage = (enum lookup_stage)(one_in(random, 2) ? generate_number(random, 3) : LOOKUP_FRAGMENT);
    lookup->separate = one_in(random, 3);
    lookup->component = case_gathers(one) && lookup->kind != LOOKUP_SHADOW ? generate_number(random, 4) : 0;
}

static void draw_view(struct diff_case *one, uint32_t *random)
{
    static const uint32_t bases[3][8] = {
        {0, GL_RED, GL_ALPHA, GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_LUMINANCE, 0},
        {0, GL_RG, GL_LUMINANCE_ALPHA, GL_RED, GL_LUMINANCE_ALPHA, 0, 0, GL_LUMINANCE_ALPHA},
        {0, GL_RGB, GL_RG, GL_RED, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_INTENSITY},
    };
    static const uint32_t depth_modes[] = {0, GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_RED};
    static const uint32_t channels[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA, GL_ZERO, GL_ONE};
    const struct format *format = format_of(one->texture.format);
    if (one->lookup.dimension == LOOKUP_RECTANGLE) {
        one->viewed = true;
        one->view.target = GL_TEXTURE_RECTANGLE;
    }
    if (one_in(random, 3))
        return;
    one->viewed = true;
    if (format_is_depth(one->texture.format))
        one->view.depthMode = depth_modes[generate_number(random, 5)];
    else if (format->class != FORMAT_COMPRESSED)
        one->view.baseFormat = bases[format->channels > 2 ? 2 : format->channels - 1][generate_number(random, 8)];
    /* A sampler and an image of their own: comparisons do not know of the view. */
    const bool swizzled = one_in(random, 2);
    for (int c = 0; c < 4 && swizzled; c++)
        one->view.swizzle[c] = channels[generate_number(random, 6)];
}

/* Colours that formats of 8 bits hold, now and then beyond what normalised formats have. */
static void draw_border(struct diff_case *one, uint32_t *random)
{
    const enum format_class class = format_of(one->texture.format)->class;
    bool wide = class == FORMAT_FLOAT || class == FORMAT_DEPTH_FLOAT, beyond = one_in(random, 4);
    VkClearColorValue *border = &one->state.borderColor;
    if (one_in(random, 4)) {
        memcpy(border->float32, generate_borders[generate_number(random, GENERATE_BORDERS)], sizeof(border->float32));
        if (case_is_integer(one))
            memset(border, 0, sizeof(*border));
        return;
    }
    for (int c = 0; c < 4; c++) {
        const uint32_t value = generate_number(random, 128);
        if (case_is_integer(one))
            border->int32[c] = class == FORMAT_INT && one_in(random, 2) ? -(int32_t)value : (int32_t)value;
        else if (wide)
            border->float32[c] = (float)value / 32 - (beyond ? 1 : 0);
        else
            border->float32[c] = (float)value * 2 / 255 + (beyond && c == 1 ? 0.5f : 0) - (beyond && c == 2 ? 1 : 0);
    }
}

static void draw_levels(struct diff_case *one, uint32_t *random)
{
    static const float beyond[][2] = {{7, 2.5f}, {-9.5f, 0}, {11, 3.5f}, {-15, -0.5f}};
    VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    if (one_in(random, 2)) {
        const float *range = generate_ranges[generate_number(random, GENERATE_RANGES)];
        state->minLod = range[0], state->maxLod = range[1];
    }
    if (one_in(random, 3)) {
        const float *bias = one_in(random, 2) ? beyond[generate_number(random, 4)]
                                              : generate_biases[generate_number(random, GENERATE_BIASES)];
        state->lodBias = bias[0], state->unitLodBias = bias[1];
    }
}

static void draw_state(struct diff_case *one, uint32_t *random)
{
    static const uint32_t rectangle_modes[] = {GL_CLAMP, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER};
    const bool rectangle = one->lookup.dimension == LOOKUP_RECTANGLE;
    const uint32_t *filters = generate_filters[generate_number(random, GENERATE_FILTERS)];
    VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    *state = generate_state(GL_REPEAT, filters[0], filters[1]);
    uint32_t *const wraps[3] = {&state->wrapS, &state->wrapT, &state->wrapR};
    for (int axis = 0; axis < 3; axis++)
        *wraps[axis] = rectangle ? rectangle_modes[generate_number(random, 3)]
                                 : generate_wraps[generate_number(random, GENERATE_WRAPS)];
    draw_border(one, random);
    draw_levels(one, random);
    /* Comparison is for depth alone: of colours, and of the stencil, it is nothing. Separate samplers do not know. */
    const bool ignored =
        one_in(random, 6) && !one->lookup.separate && (!format_is_depth(one->texture.format) || case_is_integer(one));
    if (case_compares(one) || ignored) {
        state->compareMode = GL_COMPARE_REF_TO_TEXTURE;
        state->compareFunc = GL_NEVER + generate_number(random, 8);
    }
    state->cubeMapSeamless = one_in(random, 2);
    if (one_in(random, 2))
        state->srgbDecode = one_in(random, 3) ? GL_DECODE_EXT : GL_SKIP_DECODE_EXT;
    /* Minima and maxima of comparisons are averages here; those of cubes lack texels across edges on llvmpipe. */
    if (one_in(random, 6) && !case_compares(one) && !case_is_cube(one))
        state->reductionMode = one_in(random, 2) ? GL_MIN : GL_MAX;
}

/*
 * A sampler of the program's own in the place of GL state: without what Vulkan has no name for, and without borders,
 * which Vulkan does not send through views.
 */
static void make_plain(struct diff_case *one)
{
    static const uint32_t modes[] = {GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE};
    VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    uint32_t *const wraps[3] = {&state->wrapS, &state->wrapT, &state->wrapR};
    for (int axis = 0; axis < 3; axis++)
        *wraps[axis] = modes[*wraps[axis] % 3];
    one->form = LOOKUP_SAMPLER_PRIVATE;
    if (!case_compares(one))
        state->compareMode = 0;
    state->srgbDecode = state->reductionMode = 0;
    state->cubeMapSeamless = VK_TRUE;
    memset(&state->borderColor, 0, sizeof(state->borderColor));
    one->crowded = false;
}

static struct diff_case draw_case(uint32_t *random)
{
    struct diff_case one = {.family = FAMILY_COMBINATIONS, .form = LOOKUP_SAMPLER_GL};
    one.texture.format = (enum lookup_format)generate_number(random, LOOKUP_FORMATS);
    draw_kind(&one, random);
    draw_lookup(&one, random);
    draw_view(&one, random);
    draw_state(&one, random);
    memcpy(one.texture.size, generate_sizes[generate_number(random, GENERATE_SIZES)], sizeof(one.texture.size));
    one.texture.levels = one.lookup.dimension == LOOKUP_RECTANGLE || one_in(random, 3) ? 1 : 0;
    one.shader_fallback = one_in(random, 2);
    one.incomplete = one_in(random, 4) && !one.lookup.separate;
    one.crowded = one_in(random, 8);
    const uint32_t detail = generate_number(random, 1u << 16);
    const float *view = generate_views[generate_number(random, GENERATE_VIEWS)];
    one.pattern = (struct case_pattern){PATTERN_SWEEP, detail, 0, 0, 0, 0};
    if (case_implicit(&one))
        one.pattern = (struct case_pattern){PATTERN_AFFINE, detail, view[0], view[1], view[2], view[3]};
    one.gpu_form = one_in(random, 3);
    if (one_in(random, 5) && one.lookup.dimension != LOOKUP_RECTANGLE && !case_is_integer(&one))
        make_plain(&one);
    return one;
}

void generate_combinations(struct case_list *list, uint32_t seed, uint32_t count)
{
    uint32_t random = seed * 2246822519u + 3;
    random = random ? random : 1;
    while (count) {
        struct diff_case one = draw_case(&random);
        if (!generate_possible(&one))
            continue;
        case_add(list, &one);
        count--;
    }
}
