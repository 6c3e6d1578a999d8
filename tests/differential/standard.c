/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "differential/standard.h"

void standard_read_offers(struct facts *facts, const struct facts *below)
{
    facts->standard = true;
    facts->offered = (struct facts_offered){
        .custom_border = facts->custom_border && !below->custom_border,
        .more_borders = facts->custom_borders > below->custom_borders,
        .border_swizzle = facts->border_swizzle && !below->border_swizzle,
        .mirror = facts->own_mirror && !below->own_mirror,
        .faces = facts->non_seamless && !below->non_seamless,
        .anisotropy = facts->anisotropy && !below->anisotropy,
        .bias = facts->lod_bias > below->lod_bias,
        .cubic = facts->cubic && !below->cubic,
        .held_bias = below->lod_bias,
    };
    for (int i = 0; i < LOOKUP_FORMATS; i++) {
        facts->offered.linear[i] = facts->linear[i] && !below->linear[i];
        facts->offered.minmax[i] = facts->minmax[i] && !below->minmax[i];
    }
}

/* ---- Which cases can be said ---- */

static bool wraps_as_gl_alone(const struct diff_case *one)
{
    /* Axes that the texture lacks are in the sampler all the same. */
    const uint32_t wraps[3] = {one->state.wrapS, one->state.wrapT, one->state.wrapR};
    for (int axis = 0; axis < 3; axis++)
        if (wraps[axis] == GL_CLAMP || wraps[axis] == GL_MIRROR_CLAMP_EXT ||
            wraps[axis] == GL_MIRROR_CLAMP_TO_BORDER_EXT)
            return true;
    return false;
}

/* Values of a custom colour that the format does not hold are not said to be clamped. */
static bool border_is_held(const struct diff_case *one)
{
    const struct format *format = format_of(one->texture.format);
    const bool normal = format->class == FORMAT_UNORM || format->class == FORMAT_SNORM ||
                        format->class == FORMAT_COMPRESSED || case_kind(one) == REFERENCE_DEPTH_UNORM;
    const float least = format->class == FORMAT_SNORM ? -1 : 0;
    for (int c = 0; c < 4 && normal; c++)
        if (one->state.borderColor.float32[c] < least || one->state.borderColor.float32[c] > 1)
            return false;
    return true;
}

const char *standard_lacks(const struct facts *facts, const struct diff_case *one)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    const VkImageViewGLStateCreateInfoCLAMPLER *view = &one->view;
    const bool unnormalized = one->lookup.dimension == LOOKUP_RECTANGLE;
    const float bias = state->lodBias + state->unitLodBias;
    if (wraps_as_gl_alone(one))
        return "CLAMP, MIRROR_CLAMP or MIRROR_CLAMP_TO_BORDER";
    if (unnormalized && (one->viewed || one->form != LOOKUP_SAMPLER_PRIVATE))
        return "texel coordinates beyond Vulkan's";
    if (case_is_cubic(one) && !facts->offered.cubic)
        return "cubic filters that nobody offers";
    if (case_is_cubic(one) && (case_is_cube(one) || case_compares(one) || format_is_depth(one->texture.format)))
        return "cubic filters of cubes and depth";
    if (case_is_cubic(one) && state->maxAnisotropy > 1)
        return "anisotropic cubic filters";
    if (one->texture_incomplete || one->compare_fail > 0 || one->texture.border)
        return "state of textures";
    if (one->viewed && format_is_depth(one->texture.format) &&
        (view->depthMode || view->internalFormat || view->swizzle[0] || view->swizzle[1] || view->swizzle[2] ||
         view->swizzle[3]))
        return "depth modes, and swizzles of depth";
    if (case_is_integer(one) && case_filters(one))
        return "linear filters of integers";
    if (format_of(one->texture.format)->srgb && state->srgbDecode == GL_SKIP_DECODE_EXT &&
        one->lookup.operation != LOOKUP_FETCH)
        return "decoding that the sampler leaves out";
    if (state->compareMode && !case_compares(one))
        return "comparisons that textures without depth ignore";
    if (state->reductionMode && case_compares(one))
        return "minima and maxima of comparisons";
    if (state->reductionMode && !facts->minmax[one->texture.format])
        return "minima and maxima that nobody offers";
    if (one->beside_filter && !facts->offered.custom_border)
        return "filters of other lookups, which need a border colour that is offered";
    if (state->minLod > state->maxLod)
        return "ranges of levels in the wrong order";
    if (fabsf(bias) > facts->lod_bias)
        return "biases beyond the limit";
    if (!border_is_held(one))
        return "border colours that the format does not hold";
    if (facts_unfilterable(facts, one) && case_filters(one))
        return "linear filters that the layer does not offer";
    return NULL;
}

/* ---- What is said ---- */

enum channel { CHANNEL_ZERO, CHANNEL_ONE, CHANNEL_RED };

/* What a base format shows: table 8.18, of textures whose channels lie in one, two, or four of the format's. */
static void base_format(const struct diff_case *one, int shown[4])
{
    const uint8_t channels = format_of(one->texture.format)->channels;
    const int red = CHANNEL_RED, alpha = red + (channels == 1 ? 0 : channels == 2 ? 1 : 3);
    const int only = red + (channels == 1 ? 0 : 3), zero = CHANNEL_ZERO, whole = CHANNEL_ONE;
    const struct {
        uint32_t base;
        int shown[4];
    } rows[] = {
        {GL_RED, {red, zero, zero, whole}},           {GL_RG, {red, red + 1, zero, whole}},
        {GL_RGB, {red, red + 1, red + 2, whole}},     {GL_RGBA, {red, red + 1, red + 2, red + 3}},
        {GL_ALPHA, {zero, zero, zero, only}},         {GL_LUMINANCE, {red, red, red, whole}},
        {GL_LUMINANCE_ALPHA, {red, red, red, alpha}}, {GL_INTENSITY, {red, red, red, red}},
    };
    for (int c = 0; c < 4; c++)
        shown[c] = red + c;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && one->viewed; i++)
        if (rows[i].base == one->view.baseFormat)
            memcpy(shown, rows[i].shown, sizeof(rows[i].shown));
}

static int swizzled(uint32_t swizzle, const int inner[4])
{
    switch (swizzle) {
    case GL_ZERO:
        return CHANNEL_ZERO;
    case GL_ONE:
        return CHANNEL_ONE;
    case GL_GREEN:
        return inner[1];
    case GL_BLUE:
        return inner[2];
    case GL_ALPHA:
        return inner[3];
    default:
        return inner[0];
    }
}

static void shown_channels(const struct diff_case *one, int shown[4])
{
    const uint32_t *swizzle = one->view.swizzle;
    int inner[4];
    base_format(one, inner);
    memcpy(shown, inner, sizeof(inner));
    for (int c = 0; c < 4 && one->viewed && (swizzle[0] | swizzle[1] | swizzle[2] | swizzle[3]); c++)
        shown[c] = swizzled(swizzle[c], inner);
}

VkComponentMapping standard_mapping(const struct diff_case *one)
{
    VkComponentSwizzle names[4];
    int shown[4];
    shown_channels(one, shown);
    for (int c = 0; c < 4; c++)
        names[c] = shown[c] == CHANNEL_RED + c ? VK_COMPONENT_SWIZZLE_IDENTITY
                                               : (VkComponentSwizzle)(VK_COMPONENT_SWIZZLE_ZERO + shown[c]);
    return (VkComponentMapping){names[0], names[1], names[2], names[3]};
}

struct lookup_border standard_border(const struct facts *facts, const struct diff_case *one)
{
    const struct format *format = format_of(one->texture.format);
    struct lookup_border border = {.color = one->state.borderColor,
                                   .integer = case_is_integer(one),
                                   .format = one->pattern.seed % 2 ? format->vulkan : VK_FORMAT_UNDEFINED,
                                   .mapping = standard_mapping(one),
                                   .named = facts->border_swizzle && one->pattern.seed / 2 % 2,
                                   .srgb = format->srgb};
    /* GL's border colour has an alpha, which lies in the format's first or second channel. */
    const bool alpha = one->viewed && (one->view.baseFormat == GL_ALPHA || one->view.baseFormat == GL_LUMINANCE_ALPHA);
    if (alpha && format->channels < 4)
        border.color.uint32[format->channels - 1] = one->state.borderColor.uint32[3];
    return border;
}

/* ---- Which tier ---- */

/* A Vulkan sampler as it filters. */
struct filters {
    bool linear, mixed, between, levels;
};

static struct filters filters_of(const struct diff_case *one)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    const bool unnormalized = one->lookup.dimension == LOOKUP_RECTANGLE;
    const bool mag = case_filter_linear(state->magFilter), min = case_filter_linear(state->minFilter);
    const bool mipmapped = case_filter_mipmapped(state->minFilter) && !unnormalized;
    const bool several = one->lookup.separate || case_level_count(one) > 1;
    const bool blends = state->minFilter == GL_NEAREST_MIPMAP_LINEAR || state->minFilter == GL_LINEAR_MIPMAP_LINEAR;
    return (struct filters){mag || min, mag != min && !unnormalized, blends && mipmapped && state->maxLod > 0,
                            several && mipmapped};
}

static bool has_wrap(const struct diff_case *one, uint32_t wrap)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    return one->lookup.separate ? state->wrapS == wrap || state->wrapT == wrap || state->wrapR == wrap
                                : case_has_wrap(one, wrap);
}

static bool is_standard_color(const VkClearColorValue *color, bool integer)
{
    for (int i = 0; i < 3; i++) {
        bool same = true;
        for (int c = 0; c < 4; c++) {
            const bool whole = i == 2 || (i == 1 && c == 3);
            same &= integer ? color->uint32[c] == (whole ? 1u : 0u)
                            : color->float32[c] >= (float)whole && color->float32[c] <= (float)whole;
        }
        if (same)
            return true;
    }
    return false;
}

/* The border as the view shows it is one of Vulkan's three colours; of comparisons its first channel counts. */
static bool shows_standard(const struct facts *facts, const struct diff_case *one)
{
    const struct lookup_border border = standard_border(facts, one);
    const uint8_t channels = format_of(one->texture.format)->channels;
    const float unit = 1;
    VkClearColorValue shown = {.uint32 = {0, 0, 0, 0}};
    uint32_t whole = 1;
    int from[4];
    if (!border.integer)
        memcpy(&whole, &unit, sizeof(whole));
    if (case_compares(one)) {
        const float depth = one->state.borderColor.float32[0];
        return depth <= 0 || depth >= 1;
    }
    shown_channels(one, from);
    for (int c = 0; c < 4; c++) {
        const int channel = from[c] - CHANNEL_RED;
        const bool lacking = channel >= channels; /* such are 0, and alpha 1 */
        shown.uint32[c] = from[c] == CHANNEL_ZERO || (lacking && channel < 3) ? 0
                          : from[c] == CHANNEL_ONE || lacking                 ? whole
                                                                              : border.color.uint32[channel];
    }
    return is_standard_color(&shown, border.integer);
}

static struct tier_range join(struct tier_range a, struct tier_range b)
{
    return (struct tier_range){a.least > b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
}

static struct tier_range border_tiers(const struct facts *facts, const struct diff_case *one)
{
    const struct lookup_border border = standard_border(facts, one);
    const bool custom = !is_standard_color(&border.color, border.integer);
    const VkComponentMapping *map = &border.mapping;
    const bool mapped = map->r || map->g || map->b || map->a;
    const bool reaches = has_wrap(one, GL_CLAMP_TO_BORDER) &&
                         !(case_is_cube(one) && one->state.cubeMapSeamless && !one->lookup.separate);
    const bool acts = (facts->offered.more_borders && custom) || (facts->offered.border_swizzle && mapped);
    if (!reaches || !(acts || (facts->offered.border_swizzle && one->lookup.separate)))
        return (struct tier_range){0, 0};
    /* A sampler alone does not know the view, nor a view of a cube whether the wrap modes count. */
    const bool certain = !one->lookup.separate && !case_is_cube(one) && !shows_standard(facts, one);
    /* Vulkan defines transparent black and opaque white under a mapping without the extension: they are the driver's.
     */
    const bool black = border.color.uint32[0] == 0 && border.color.uint32[3] != 0;
    const bool shown = (facts->offered.custom_border && custom) || (facts->offered.border_swizzle && mapped && black);
    return (struct tier_range){certain && shown ? 2 : 0, 2};
}

/* Minification that is nearest among levels counts where magnification is linear. */
static bool may_probe(const struct diff_case *one)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    const bool levels = case_filter_mipmapped(state->minFilter) && case_filter_linear(state->magFilter) &&
                        state->maxLod >= 1 && one->lookup.dimension != LOOKUP_RECTANGLE;
    return state->maxAnisotropy >= 2 && (case_filter_linear(state->minFilter) || levels) && case_computes_lod(one) &&
           !case_is_cube(one) && !case_is_integer(one) && !state->reductionMode;
}

static struct tier_range filter_tiers(const struct facts *facts, const struct diff_case *one,
                                      const struct filters *filters)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    const struct facts_offered *offered = &facts->offered;
    const enum lookup_format format = one->texture.format;
    const bool filtered = (filters->linear || filters->between) && !case_is_integer(one) && !case_compares(one);
    struct tier_range range = {0, 0};
    if (state->reductionMode && offered->minmax[format])
        range = join(range, (struct tier_range){filtered ? 2 : 0, 2});
    /* Minima and maxima of the driver's own need no linear filters of the format. */
    const bool reduces = state->reductionMode && !offered->minmax[format];
    if (filtered && offered->linear[format])
        range = join(range, (struct tier_range){reduces ? 0 : 2, 2});
    if (case_is_cubic(one) && filtered)
        range = (struct tier_range){2, 2};
    if (state->maxAnisotropy > 1 && offered->anisotropy)
        range = join(range, (struct tier_range){may_probe(one) ? 2 : 0, 2});
    return range;
}

bool standard_probes(const struct facts *facts, const struct diff_case *one)
{
    return facts->anisotropy && may_probe(one) && standard_tiers(facts, one).least == 2 &&
           (facts->offered.anisotropy || case_filter_linear(one->state.minFilter));
}

struct tier_range standard_tiers(const struct facts *facts, const struct diff_case *one)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    const struct facts_offered *offered = &facts->offered;
    const struct filters filters = filters_of(one);
    const bool offset = case_has_offset(one);
    if (one->lookup.operation == LOOKUP_FETCH)
        return (struct tier_range){0, 0};
    if (one->beside_filter)
        return (struct tier_range){2, 2};
    struct tier_range range = join(filter_tiers(facts, one, &filters), border_tiers(facts, one));
    const bool alone = case_is_cube(one) && !state->cubeMapSeamless;
    if (alone && offered->faces)
        range = join(range, (struct tier_range){filters.linear || case_gathers(one) ? 2 : 0, 2});
    if (offered->mirror && has_wrap(one, GL_MIRROR_CLAMP_TO_EDGE))
        range = join(range, (struct tier_range){!case_is_cube(one), offset || case_gathers(one) ? 2 : 1});
    const bool beyond = fabsf(state->lodBias + state->unitLodBias) > offered->held_bias;
    if (offered->bias && (filters.mixed || filters.levels || beyond)) {
        const bool shows = (filters.levels && state->maxLod > 0) || one->lookup.operation == LOOKUP_QUERY_LOD;
        range = join(range, (struct tier_range){beyond && shows, offset ? 2 : 1});
    }
    if (one->view_least > 0 && range.most > 0)
        range.most = 2;
    return range;
}
