/* SPDX-License-Identifier: MIT */
/* Which tier must draw a case: the table of tiers (design, section 3) and the semantics, written a second time. */
#include <math.h>

#include "differential/standard.h"

/* A sampler as the layer must see it: filters after the view had its say, levels after the range had. */
struct acting {
    bool mag_linear, min_linear, between;
    bool one_level; /* known to sample only the base level */
    bool separate;
};

/* Vulkan's samplers are the driver's but where an address mode is private. */
static bool wraps_privately(const VkSamplerGLStateCreateInfoCLAMPLER *state)
{
    const uint32_t wraps[3] = {state->wrapS, state->wrapT, state->wrapR};
    for (int axis = 0; axis < 3; axis++)
        if (wraps[axis] == GL_CLAMP || wraps[axis] == GL_MIRROR_CLAMP_EXT ||
            wraps[axis] == GL_MIRROR_CLAMP_TO_BORDER_EXT)
            return true;
    return false;
}

static struct acting acting_of(const struct facts *facts, const struct diff_case *one)
{
    /* A separate sampler does not know that its image changes the filters. */
    const VkSamplerGLStateCreateInfoCLAMPLER effective = facts_effective(facts, one);
    const VkSamplerGLStateCreateInfoCLAMPLER *state = one->lookup.separate ? &one->state : &effective;
    bool gl = one->form == LOOKUP_SAMPLER_GL;
    struct acting acting = {.mag_linear = case_filter_linear(state->magFilter),
                            .min_linear = case_filter_linear(state->minFilter),
                            .separate = one->lookup.separate};
    bool unnormalized = one->lookup.dimension == LOOKUP_RECTANGLE && !one->viewed;
    bool mipmapped = case_filter_mipmapped(state->minFilter) && !unnormalized;
    bool between = state->minFilter == GL_NEAREST_MIPMAP_LINEAR || state->minFilter == GL_LINEAR_MIPMAP_LINEAR;
    float low = fminf(state->minLod, state->maxLod), high = fmaxf(state->minLod, state->maxLod);
    const bool ranged = gl || (wraps_privately(&one->state) && !unnormalized);
    if (ranged && high <= 0) {
        acting.min_linear = acting.mag_linear;
        mipmapped &= !gl || state->maxAnisotropy > 1;
    } else if (ranged && low > 0) {
        acting.mag_linear = acting.min_linear;
    }
    if (unnormalized)
        acting.min_linear = acting.mag_linear;
    acting.one_level = !mipmapped || (between ? high <= 0 : high < 0.5f);
    /* Alone, samplers without the GL structure blend levels whatever their range: the layer does not look at it. */
    acting.between = between && (!acting.one_level || (acting.separate && !gl));
    return acting;
}

enum { MOVES = 1, FILTERS = 2, FILTERS_IF_MIPS = 4, GATHERS = 8, READS_BORDER = 16 };

static unsigned axis_needs(uint32_t wrap, const struct acting *acting, bool mirror_native)
{
    bool mixed = acting->mag_linear != acting->min_linear, nearest = !acting->mag_linear && !acting->min_linear;
    switch (wrap) {
    case GL_CLAMP:
        return nearest ? GATHERS : mixed ? MOVES | FILTERS : MOVES | READS_BORDER;
    case GL_MIRROR_CLAMP_EXT:
        return nearest ? GATHERS | (mirror_native ? 0u : MOVES)
               : mixed ? MOVES | FILTERS
                       : MOVES | FILTERS_IF_MIPS | READS_BORDER;
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return MOVES | READS_BORDER | (acting->min_linear ? FILTERS_IF_MIPS : 0u);
    case GL_MIRROR_CLAMP_TO_EDGE: /* whose gathers have the texels of the mirrored side in the footprint's order */
        return mirror_native ? 0 : MOVES | GATHERS;
    case GL_CLAMP_TO_BORDER:
        return READS_BORDER;
    default:
        return 0;
    }
}

static unsigned needs_of(const struct facts *facts, const struct diff_case *one, const struct acting *acting)
{
    const uint32_t wraps[3] = {one->state.wrapS, one->state.wrapT, one->state.wrapR};
    bool mirror_native = facts->mirror_clamp_to_edge && one->lookup.dimension != LOOKUP_RECTANGLE;
    /* A separate sampler does not know its image: all of its axes count. */
    int axes = acting->separate ? 3 : case_axes(one);
    unsigned needs = 0;
    for (int axis = 0; axis < axes; axis++) {
        unsigned all = axis_needs(wraps[axis], acting, mirror_native);
        needs |= axis < 2 ? all : all & ~(unsigned)GATHERS; /* only two-dimensional images can be gathered from */
    }
    return needs;
}

static bool view_is_plain(const struct diff_case *one)
{
    const VkImageViewGLStateCreateInfoCLAMPLER *view = &one->view;
    return !one->viewed || !(view->baseFormat | view->depthMode | view->swizzle[0] | view->swizzle[1] |
                             view->swizzle[2] | view->swizzle[3]);
}

/* One of Vulkan's colours has the first `channels` channels of the border, clamped to what the format holds. */
static bool standard_shows(const struct diff_case *one, int channels)
{
    static const float standard[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    const enum format_class class = format_of(one->texture.format)->class;
    const float low = class == FORMAT_SNORM ? -1 : 0;
    bool clamped = class == FORMAT_UNORM || class == FORMAT_SNORM || class == FORMAT_COMPRESSED ||
                   case_kind(one) == REFERENCE_DEPTH_UNORM;
    for (int i = 0; i < 3; i++) {
        int same = 0;
        for (int c = 0; c < channels; c++) {
            float value = one->state.borderColor.float32[c];
            value = clamped ? fminf(fmaxf(value, low), 1) : value;
            same += value >= standard[i][c] && value <= standard[i][c];
        }
        if (same == channels)
            return true;
    }
    return false;
}

/* Whether a wrap mode may read the border. A separate sampler does not know its image: all of its axes count. */
static bool may_read_border(const struct diff_case *one)
{
    const uint32_t wraps[3] = {one->state.wrapS, one->state.wrapT, one->state.wrapR};
    const int axes = one->lookup.separate ? 3 : case_axes(one);
    for (int axis = 0; axis < axes; axis++)
        if (wraps[axis] == GL_CLAMP || wraps[axis] == GL_CLAMP_TO_BORDER || wraps[axis] == GL_MIRROR_CLAMP_EXT ||
            wraps[axis] == GL_MIRROR_CLAMP_TO_BORDER_EXT)
            return true;
    return false;
}

/* Whether the border must, or may, be placed by the layer. */
static struct tier_range border_tier(const struct facts *facts, const struct diff_case *one, unsigned needs)
{
    const uint32_t *bits = one->state.borderColor.uint32;
    const uint8_t channels = format_of(one->texture.format)->channels;
    bool custom = facts->custom_border && !(one->crowded && facts->custom_borders <= CASE_CROWD);
    /* A sampler alone cannot know whether a view clamps its colour. */
    bool inside = true;
    for (int c = 0; c < 4; c++)
        inside &= one->state.borderColor.float32[c] >= 0 && one->state.borderColor.float32[c] <= 1;
    bool simple = channels == 4 && inside && format_of(one->texture.format)->class != FORMAT_SNORM &&
                  !format_of(one->texture.format)->srgb && !case_is_integer(one) && view_is_plain(one);
    bool reaches = may_read_border(one);
    if (one->form != LOOKUP_SAMPLER_GL || (facts_incomplete(one) && !one->lookup.separate))
        return (struct tier_range){0, 0};
    /* A separate sampler's colour is that of a simple view. */
    if (one->lookup.separate && !simple)
        return (struct tier_range){0, reaches ? 2 : 0};
    if (!(needs & READS_BORDER))
        return (struct tier_range){0, 0};
    if (!case_is_integer(one) && view_is_plain(one) && (channels == 4 || case_compares(one))) {
        bool lacks = !custom && !standard_shows(one, case_compares(one) ? 1 : 4);
        return lacks ? (struct tier_range){2, 2} : (struct tier_range){0, 0};
    }
    /* What a standard colour, or one that no swizzle changes, gives is the layer's business. */
    bool zero = !(bits[0] | bits[1] | bits[2] | bits[3]);
    if (!custom || !facts->border_swizzle)
        return (struct tier_range){0, zero && view_is_plain(one) ? 0 : 2};
    return (struct tier_range){0, 0};
}

static struct tier_range cube_tier(const struct facts *facts, const struct diff_case *one, const struct acting *acting)
{
    const unsigned needs = needs_of(facts, one, acting);
    bool footprint = acting->mag_linear || acting->min_linear || case_gathers(one);
    struct tier_range border = border_tier(facts, one, needs | READS_BORDER);
    int moved = acting->separate && (needs & MOVES) ? 1 : 0; /* by a sampler that does not know its image */
    if (one->state.cubeMapSeamless)
        return (struct tier_range){0, acting->separate ? 2 : moved};
    /* A nearest filter reads no border on a face, but the layer may place one that the driver cannot show. */
    if (!footprint)
        return (struct tier_range){0, acting->separate || border.most > moved ? 2 : moved};
    if (!facts->non_seamless)
        return (struct tier_range){2, 2};
    /* Each face under the wrap modes: some are the driver's, some not. */
    return (struct tier_range){0, (needs & ~(unsigned)READS_BORDER) || acting->separate ? 2 : border.most};
}

static int bias_tier(const struct facts *facts, const struct diff_case *one, const struct acting *acting, int *least)
{
    float bias = fabsf(one->state.lodBias + one->state.unitLodBias);
    bool given = one->lookup.operation == LOOKUP_BIAS || one->lookup.operation == LOOKUP_BIAS_OFFSET ||
                 one->lookup.operation == LOOKUP_MIN_LOD_BIAS;
    bool levels = case_level_count(one) > 1 && !acting->one_level;
    *least = 0;
    bool native = facts->most_bias <= facts->held_bias;
    /* What the sampler has beyond the bound counts where a shader adds to it. */
    if (one->form != LOOKUP_SAMPLER_GL ||
        (native ? !(bias > facts->most_bias && given) : bias <= facts->held_bias && !given))
        return 0;
    const bool queries = one->lookup.operation == LOOKUP_QUERY_LOD; /* which show every bias */
    *least = (levels || queries) && bias > facts->held_bias;
    return case_has_offset(one) ? 2 : 1; /* a made-up bias changes the level, whose size an offset hangs on */
}

static struct tier_range join(struct tier_range a, struct tier_range b)
{
    return (struct tier_range){a.least > b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
}

/* Comparisons show a constant: what red is of (result, 0, 0, 1) behind depth mode and swizzle. */
static bool compares_in_vain(const struct diff_case *one)
{
    const VkImageViewGLStateCreateInfoCLAMPLER *view = &one->view;
    const bool swizzled = view->swizzle[0] | view->swizzle[1] | view->swizzle[2] | view->swizzle[3];
    const uint32_t red = swizzled ? view->swizzle[0] : GL_RED;
    if (!one->viewed || !case_compares(one))
        return false;
    const bool everywhere = view->depthMode == GL_ALPHA || view->depthMode == GL_INTENSITY;
    if (red == GL_ALPHA)
        return !everywhere;
    const bool spread = everywhere || view->depthMode == GL_LUMINANCE;
    return !(red == GL_RED || (spread && (red == GL_GREEN || red == GL_BLUE)));
}

/* The view shows the depth that is compared in another channel than red, where only the shader finds it. */
static bool compares_elsewhere(const struct diff_case *one)
{
    const uint32_t *swizzle = one->view.swizzle;
    const bool swizzled = swizzle[0] | swizzle[1] | swizzle[2] | swizzle[3];
    return one->viewed && case_compares(one) && one->view.depthMode == GL_ALPHA &&
           (!swizzled ||
            (swizzle[0] != GL_ALPHA && (swizzle[1] == GL_ALPHA || swizzle[2] == GL_ALPHA || swizzle[3] == GL_ALPHA)));
}

/* What a format lacks, or a view changes, and the shader makes up for. */
static struct tier_range view_tier(const struct facts *facts, const struct diff_case *one, const struct acting *acting)
{
    bool filters = acting->mag_linear || acting->min_linear || acting->between;
    struct tier_range range = {0, 0};
    if (facts_unfilterable(facts, one) && filters && (one->shader_fallback || one->lookup.separate))
        range = (struct tier_range){2, 2};
    if (case_is_integer(one) && filters && one->lookup.separate)
        range = (struct tier_range){2, 2};
    const bool undecoded = format_of(one->texture.format)->srgb && one->state.srgbDecode == GL_SKIP_DECODE_EXT;
    if (undecoded && (one->lookup.separate || (facts->decodes_blocks && one->texture.format == LOOKUP_BC1_SRGB)))
        range = (struct tier_range){2, 2};
    const bool levels = acting->between && (acting->separate || case_level_count(one) > 1);
    const bool blended = facts->blends_reductions && (acting->mag_linear != acting->min_linear || levels);
    const bool nearest = facts_unfilterable(facts, one) && !one->shader_fallback && !one->lookup.separate;
    if (case_is_cubic(one) && !case_is_cube(one) && !case_compares(one) && !case_is_integer(one) && !nearest)
        range = (struct tier_range){2, 2};
    if (one->state.reductionMode && filters && !case_compares(one) &&
        (!facts->minmax[one->texture.format] || (blended && one->form == LOOKUP_SAMPLER_GL)))
        range = (struct tier_range){2, 2};
    if (one->viewed && one->lookup.dimension == LOOKUP_RECTANGLE)
        range = join(range, (struct tier_range){1, 1});
    if (one->viewed && one->view.internalFormat == GL_DEPTH_COMPONENT24 && case_compares(one))
        range = join(range, (struct tier_range){1, 1});
    if (one->compare_fail > 0 && case_compares(one) && !compares_in_vain(one))
        range = join(range, (struct tier_range){1, 1});
    if (one->lookup.separate && compares_in_vain(one))
        range = join(range, (struct tier_range){1, 1});
    else if (one->lookup.separate && compares_elsewhere(one))
        range = join(range, (struct tier_range){2, 2});
    return range;
}

static struct tier_range tiers_of(const struct facts *facts, const struct diff_case *one)
{
    if (one->texture.border) /* fetches too: the driver's view is of the whole image */
        return (struct tier_range){2, 2};
    /* The view of such samplers does not decode, and fetches do. */
    if (one->lookup.operation == LOOKUP_FETCH) {
        const bool encoded = format_of(one->texture.format)->srgb && one->state.srgbDecode == GL_SKIP_DECODE_EXT &&
                             one->form == LOOKUP_SAMPLER_GL && !one->lookup.separate;
        return (struct tier_range){encoded, encoded};
    }
    if (one->beside_filter)
        return (struct tier_range){2, 2};
    const struct acting acting = acting_of(facts, one);
    const unsigned needs = needs_of(facts, one, &acting);
    struct tier_range range = view_tier(facts, one, &acting);
    int least_bias, most_bias = bias_tier(facts, one, &acting, &least_bias);
    range = join(range, (struct tier_range){least_bias, most_bias});
    if (facts_incomplete(one) && !one->lookup.separate)
        return (struct tier_range){0, needs & MOVES ? 1 : 0};
    /* Without mipmaps a least level of detail chooses none. */
    if (lookup_has_min_lod(one->lookup.operation) && one->form == LOOKUP_SAMPLER_GL &&
        (acting.separate || case_level_count(one) > 1)) {
        bool mipmapped = case_filter_mipmapped(one->state.minFilter);
        range = join(range, (struct tier_range){!mipmapped, !mipmapped || acting.one_level});
    }
    if (case_is_cube(one))
        return join(range, cube_tier(facts, one, &acting));
    range = join(range, border_tier(facts, one, needs));
    bool levels = case_level_count(one) > 1 && one->lookup.dimension != LOOKUP_RECTANGLE;
    bool one_level = acting.one_level || !levels;
    /* Offsets are known to the sampler alone, too. */
    bool offset = case_has_offset(one) && (needs & MOVES) && !(acting.separate ? acting.one_level : one_level);
    if (acting.separate && (needs & FILTERS_IF_MIPS) && !acting.one_level)
        offset = false;
    if ((needs & FILTERS) || ((needs & FILTERS_IF_MIPS) && !one_level) || offset ||
        ((needs & GATHERS) && case_gathers(one)))
        return (struct tier_range){2, 2};
    return join(range, needs & MOVES ? (struct tier_range){1, 1} : (struct tier_range){0, 0});
}

/* A separate sampler that compares does not know that its image is no depth. */
bool facts_uncompared(const struct diff_case *one)
{
    return one->lookup.separate && one->form == LOOKUP_SAMPLER_GL && one->state.compareMode && !case_compares(one) &&
           one->lookup.operation != LOOKUP_FETCH && one->lookup.operation != LOOKUP_QUERY_LOD;
}

/* Beside a least level of the view what tier 1, or the driver, does by the base level's size may be the shader's. */
struct tier_range facts_tiers_but_uncompared(const struct facts *facts, const struct diff_case *one)
{
    if (one->form == LOOKUP_SAMPLER_STANDARD)
        return standard_tiers(facts, one);
    struct tier_range range = tiers_of(facts, one);
    if (one->view_least > 0)
        range.most = 2;
    if (one->texture_incomplete && !one->texture.border) /* what is filtered of constants is the layer's business */
        range = (struct tier_range){0, 2};
    return range;
}

struct tier_range facts_tiers(const struct facts *facts, const struct diff_case *one)
{
    const struct tier_range range = facts_tiers_but_uncompared(facts, one);
    return facts_uncompared(one) ? join(range, (struct tier_range){2, 2}) : range;
}

int facts_tier(const struct facts *facts, const struct diff_case *one)
{
    return facts_tiers(facts, one).most;
}

/* ---- How tier 2 filters ---- */

bool facts_by_texels(const struct facts *facts, const struct diff_case *one)
{
    if (one->texture.border)
        return true;
    return one->shader_fallback && facts_unfilterable(facts, one) && case_filters(one) && one->state.minLod <= 0 &&
           one->state.maxLod >= 1 && !case_compares(one) && !case_is_integer(one) && !one->state.reductionMode &&
           !one->lookup.separate && !case_gathers(one);
}

static bool whole(float lod)
{
    return lod <= 0 || lod >= 16 || rintf(lod) == lod;
}

/*
 * Levels are blended by a range that begins and ends with one. Different filters that blend levels are the driver's
 * where all lookups are filtered: some axis has CLAMP or MIRROR_CLAMP. Of separate samplers the mark of others may
 * count.
 */
bool facts_by_driver(const struct facts *facts, const struct diff_case *one)
{
    const bool mixed = case_filter_linear(one->state.minFilter) != case_filter_linear(one->state.magFilter);
    const uint32_t wraps[3] = {one->state.wrapS, one->state.wrapT, one->state.wrapR};
    bool always = !mixed;
    for (int axis = 0; axis < case_axes(one); axis++)
        always |= wraps[axis] == GL_CLAMP || wraps[axis] == GL_MIRROR_CLAMP_EXT;
    return always && !case_is_cubic(one) && !one->texture.border && !one->lookup.separate &&
           !facts_unfilterable(facts, one) && !one->state.reductionMode &&
           one->state.srgbDecode != GL_SKIP_DECODE_EXT && one->view_least <= 0 && one->form == LOOKUP_SAMPLER_GL &&
           whole(one->state.minLod) && whole(one->state.maxLod);
}

bool facts_probes(const struct facts *facts, const struct diff_case *one)
{
    if (one->form == LOOKUP_SAMPLER_STANDARD)
        return standard_probes(facts, one);
    return one->state.maxAnisotropy >= 2 && facts->anisotropy && case_filter_linear(one->state.minFilter) &&
           case_computes_lod(one) && !case_is_cube(one) && !case_is_integer(one) && !one->state.reductionMode &&
           facts_effective(facts, one).maxAnisotropy >= 2 && facts_tiers(facts, one).least == 2;
}
