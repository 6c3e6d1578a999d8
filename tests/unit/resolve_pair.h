/* SPDX-License-Identifier: MIT */
/* What the layer decides of a sampler with a view, and the words for it, in one: for tests that look at both. */
#ifndef CLAMPLER_TESTS_RESOLVE_PAIR_H
#define CLAMPLER_TESTS_RESOLVE_PAIR_H

#include "resolve/resolve.h"

struct resolved {
    struct driver_sampler driver;
    struct record record;
    struct sampler_terms terms;
    uint32_t needs, tier;
    enum resolve_view view;
    bool program_suffices;
    char reason[RESOLVE_REASON];
};

/* The state of a plain create-info with its chain. */
static inline void state_of_vk(const VkSamplerCreateInfo *info, struct sampler_state *state)
{
    struct sampler_chain chain;
    resolve_chain(info->pNext, &chain);
    resolve_vk_state(info, &chain, state);
}

static inline void resolve_pair(const struct sampler_state *state, const struct view_facts *view,
                                const struct resolve_caps *caps, struct resolved *resolved)
{
    struct resolve_result result;
    resolve_decide(state, view, caps, &result);
    resolved->driver = result.driver;
    resolved->record = result.record;
    resolved->terms = result.terms;
    resolved->needs = result.needs;
    resolved->tier = result.tier;
    resolved->view = result.view;
    resolved->program_suffices = result.program_suffices;
    resolve_explain(state, view, caps, resolved->reason, sizeof(resolved->reason));
}

#endif
