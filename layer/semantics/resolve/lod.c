/* SPDX-License-Identifier: MIT */
/* Biases and bounds of the level of detail that the driver's sampler cannot hold. Tier 1 adds what is missing. */
#include "resolve/pair.h"

#include "record/layout.h"
#include "resolve/wrap.h"

/*
 * Without mipmaps the base level is sampled, whatever the level of detail. The driver's sampler has a greatest level of
 * 1/4 for that, beyond which Vulkan leaves a shader's least level undefined.
 */
static void keep_base_level(struct resolved_pair *pair)
{
    const struct sampler_state *wanted = &pair->wanted;
    if (!wanted->gl || wanted->mip_mode != 0 || !pair->caps->least_lods || pair->filtered ||
        pair->variant == RESOLVE_VIEW_INCOMPLETE || (pair->view && pair->view->levels <= 1))
        return;
    pair->more |= RECORD_MORE_BASE_LEVEL;
    pair_says(pair, WHY_LEAST_LOD);
}

void lod_on_view(struct resolved_pair *pair)
{
    const struct sampler_state *wanted = &pair->wanted;
    keep_base_level(pair);
    float limit = pair->caps->max_lod_bias, bias = resolve_bounded_lod_bias(wanted->lod_bias, limit);
    bool beyond = wanted->lod_bias != bias; /* of all samplers: a shader's own bias is added to more than they have */
    /* Where one level and one filter are all that can be sampled, no bias shows. */
    bool shows = wanted->mag_linear != wanted->min_linear || !wrap_one_level(wanted, pair->view);
    /* Plain samplers keep the bias that their driver sampler holds, but in tier 2, which makes the sum itself. */
    const bool bounded = biases_as_gl(wanted, pair->caps) || (pair->caps->max_lod_bias_assumed && pair->filtered);
    const bool cut = bias > limit || bias < -limit;
    if (!bounded || (resolve_lod_bias_is_native(limit) && !beyond) || (!shows && !cut))
        return;
    pair->flags |= RECORD_BIAS;
    if (!shows) /* but in queries of levels */
        return;
    /* Tier 1 moves coordinates with offsets by one level's size, whatever level the bias leads to. */
    if (!(pair->flags & RECORD_FILTER_IF_MIPS) && !wrap_one_level(wanted, pair->view))
        pair->flags |= RECORD_FILTER_IF_OFFSET;
    if (cut) {
        pair->flags |= RECORD_COORDS;
        pair_says(pair, WHY_BIAS_CUT);
    } else {
        pair_says(pair, WHY_BIAS_SUM); /* the shader's own bias may exceed the limit */
    }
}
