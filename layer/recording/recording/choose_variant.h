/* SPDX-License-Identifier: MIT */
/*
 * Which variant of what is bound a draw takes. Pure: a function of facts, which draw.c collects.
 */
#ifndef CLAMPLER_RECORDING_CHOOSE_VARIANT_H
#define CLAMPLER_RECORDING_CHOOSE_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

#include "need/need.h"

/* All zero: nothing of the layer's is bound. */
struct variant_facts {
    uint32_t follows;        /* RECORD_NEED_* that shaders act on whose tier may change */
    uint32_t least_tier;     /* the highest of shaders that have one tier for good */
    uint32_t generated_tier; /* that of shaders which the device may choose (fixed_tier); only for generated commands */
    uint32_t key;            /* for the attachments of the pass (pipeline_blend_key, written_alpha_key) */
    uint32_t bound_tier, bound_key; /* of the driver's objects that are bound */
    bool stays;                     /* they stay bound: transform feedback is active */
};

struct variant_choice {
    uint32_t tier, key;
    bool binds;    /* another variant than the bound one */
    bool too_late; /* a higher tier, or form of one, is needed, and what is bound stays */
};

/* `needs`: RECORD_NEED_* of all that the draw reads. `generated`: the device may choose the shaders. */
static inline struct variant_choice choose_variant(const struct variant_facts *facts, uint32_t needs, bool generated)
{
    const uint32_t followed = needs & facts->follows;
    const uint32_t chosen = generated  ? facts->generated_tier
                            : followed ? (uint32_t)needs_tier(followed)
                                       : (uint32_t)TIER_PASSTHROUGH;
    const uint32_t tier = chosen > facts->least_tier ? chosen : facts->least_tier;
    const bool same = tier == facts->bound_tier && facts->key == facts->bound_key;
    return (struct variant_choice){.tier = tier,
                                   .key = facts->key,
                                   .binds = !same && !facts->stays,
                                   .too_late = facts->stays &&
                                               (tier_reported(tier) > tier_reported(facts->bound_tier) ||
                                                (tier == TIER_CLAMP_BOUNDS && facts->bound_tier == TIER_CLAMP))};
}

#endif
