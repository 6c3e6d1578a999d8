#include "resolve.h"

#include <string.h>

#include "border.h"
#include "wrap.h"

/* A bound of the level of detail in 1/256. What lies between none and the first step keeps its meaning: not zero. */
static uint32_t lod_bits(float lod)
{
    if (!(lod > 0.0f)) /* NaN as well: no bound is better than one that nothing compares with */
        return 0;
    if (lod >= 15.99f)
        return RECORD_LOD_MASK;
    uint32_t steps = (uint32_t)(lod * 256.0f + 0.5f);
    return steps ? steps : 1;
}

static uint32_t bias_bits(float bias)
{
    if (!(bias > -128.0f)) /* NaN as well: no bias */
        return bias <= -128.0f ? 0x8000u : 0;
    if (bias > 127.99f)
        return 0x7FFFu;
    float scaled = bias * 256.0f;
    return (uint32_t)(int32_t)(scaled + (scaled < 0 ? -0.5f : 0.5f)) & 0xFFFFu;
}

/* Everything that tier 2 wants to know of a sampler, whatever tier serves it in the end. */
static void fill_sampler_parts(const struct sampler_state *state, uint32_t flags, struct record *record)
{
    flags |= (uint32_t)state->wrap[0] << RECORD_WRAP_S_SHIFT | (uint32_t)state->wrap[1] << RECORD_WRAP_T_SHIFT |
             (uint32_t)state->wrap[2] << RECORD_WRAP_R_SHIFT | (uint32_t)state->compare << RECORD_COMPARE_SHIFT;
    if (state->mag_linear)
        flags |= RECORD_MAG_LINEAR;
    if (state->min_linear)
        flags |= RECORD_MIN_LINEAR;
    if (state->mip_mode)
        flags |= state->mip_mode == 1 ? RECORD_MIP_NEAREST : RECORD_MIP_LINEAR;
    if (state->unnormalized)
        flags |= RECORD_UNNORMALIZED;
    record->flags |= flags;
    record->depth_bias |= bias_bits(state->lod_bias) << 16;
    record->lod |= lod_bits(state->min_lod) << RECORD_MIN_LOD_SHIFT | lod_bits(state->max_lod) << RECORD_MAX_LOD_SHIFT;
    memcpy(record->border, state->border, sizeof record->border);
}

static uint32_t texels(uint32_t size)
{
    return size < 0xFFFFu ? size : 0xFFFFu;
}

static void fill_image_parts(const struct view_facts *view, struct record *record)
{
    uint32_t levels = view->levels < RECORD_LEVELS_MASK ? view->levels : RECORD_LEVELS_MASK;
    record->flags |= levels << RECORD_LEVELS_SHIFT | (view->depth_fixed ? RECORD_DEPTH_FIXED : 0);
    record->size = texels(view->width) | texels(view->height) << 16;
    record->depth_bias |= view->depth < RECORD_DEPTH_MASK ? view->depth : RECORD_DEPTH_MASK;
}

uint32_t record_decision(const struct sampler_state *state, const struct view_facts *view,
                         const struct resolve_caps *caps, struct record *record)
{
    memset(record, 0, sizeof *record);
    /* Vulkan's first four modes need nothing, and a program's own Vulkan sampler is the driver's business. */
    bool lacks_border = border_driver_lacks(state, view, caps);
    if (!wrap_may_move(state) && !lacks_border)
        return 0;
    struct sampler_state storage;
    state = wrap_state_on_view(state, view, &storage);
    enum filter_pair filters = wrap_filters(state);
    bool mirror_is_native = wrap_mirror_is_native(state, caps);
    uint32_t axes = wrap_axes(view);
    bool moves = false;
    bool gathers = false;
    bool reads_border = false;
    uint32_t filter = WRAP_FILTER_NEVER;
    for (uint32_t axis = 0; axis < axes; axis++) {
        const struct wrap_rule *rule = wrap_rule(state->wrap[axis], filters, mirror_is_native);
        moves |= rule->moves;
        reads_border |= rule->driver == RECORD_WRAP_CLAMP_TO_BORDER;
        gathers |= axis < 2 && wrap_gather_differs((enum record_wrap)state->wrap[axis], rule);
        if (rule->filter > filter)
            filter = rule->filter;
    }
    if (lacks_border && reads_border)
        filter = WRAP_FILTER_ALWAYS;
    /* Only two-dimensional images can be gathered from; where tier 2 filters anyway, nothing is left to ask for. */
    gathers &= (!view || axes == 2) && filter != WRAP_FILTER_ALWAYS;
    if (!moves && !gathers && filter == WRAP_FILTER_NEVER)
        return 0;

    uint32_t flags = (moves ? RECORD_COORDS : 0u) | (gathers ? RECORD_FILTER_IF_GATHER : 0u);
    uint32_t needs = (moves ? RECORD_NEED_COORDS : 0u) | (gathers ? RECORD_NEED_FILTER_IF_GATHER : 0u);
    bool one_level = wrap_one_level(state, view);
    if (filter == WRAP_FILTER_ALWAYS || (filter == WRAP_FILTER_IF_MIPS && !one_level && view)) {
        flags |= RECORD_FILTER;
        needs |= RECORD_NEED_FILTER;
    } else if (filter == WRAP_FILTER_IF_MIPS && !one_level) {
        flags |= RECORD_FILTER_IF_MIPS; /* says more than FILTER_IF_OFFSET would */
        needs |= RECORD_NEED_FILTER_IF_MIPS;
    } else if (moves && !one_level) {
        flags |= RECORD_FILTER_IF_OFFSET;
        needs |= RECORD_NEED_FILTER_IF_OFFSET;
    }
    fill_sampler_parts(state, flags, record);
    return needs;
}

uint32_t resolve_record(const struct sampler_state *state, const struct view_facts *view,
                        const struct resolve_caps *caps, struct record *record)
{
    struct record decision;
    uint32_t needs = record_decision(state, view, caps, &decision);
    *record = decision;
    if (view && decision.flags)
        fill_image_parts(view, record);
    return needs;
}

void resolve_image_part(const struct view_facts *view, struct record *part)
{
    memset(part, 0, sizeof *part);
    fill_image_parts(view, part);
}

uint32_t resolve_image_record(const struct view_facts *view, const struct resolve_caps *caps, struct record *record)
{
    (void)caps;
    resolve_image_part(view, record);
    record->border[0] = RECORD_BORDER_R | RECORD_BORDER_G << 3 | RECORD_BORDER_B << 6 | RECORD_BORDER_A << 9;
    /* Lookups in cubes are left alone, so their levels ask for nothing. */
    return view->levels > 1 && wrap_axes(view) ? RECORD_NEED_MIPS : 0;
}
