/* SPDX-License-Identifier: MIT */
/*
 * Calls the stages of resolving a pair in their order, and makes the driver's sampler and the record from their
 * results. The reason in words is made separately, only for logs, dumps and tools.
 */
#include "need/need.h"
#include "resolve/pair.h"

#include <string.h>

#include "record/layout.h"
#include "record/record.h"
#include "resolve/wrap.h"

static void resolve(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps,
                    struct resolved_pair *pair, struct driver_sampler *driver, struct sampler_terms *terms)
{
    uint32_t border[4];
    *pair = (struct resolved_pair){.state = state,
                                   .view = view,
                                   .caps = caps,
                                   .wanted = *state,
                                   .emulated = resolve_is_emulated(state, caps),
                                   .variant = RESOLVE_VIEW_SAMPLED};
    filter_on_view(pair);
    wrap_on_view(pair);
    lod_on_view(pair);
    memset(driver, 0, sizeof(*driver));
    border_on_view(pair, driver, border);
    driver_on_view(pair, driver);
    terms_of_pair(pair, border, terms);
}

void resolve_program_sampler(const struct sampler_state *state, const struct resolve_caps *caps,
                             struct driver_sampler *driver)
{
    struct resolve_caps without = *caps;
    struct resolved_pair pair;
    struct sampler_terms terms;
    without.custom_border_color &= !resolve_is_emulated(state, caps);
    resolve(state, NULL, &without, &pair, driver, &terms);
}

static uint32_t tier_of(const struct record *record)
{
    if (record->flags & RECORD_FILTER)
        return 2;
    return record->flags & (RECORD_COORDS | RECORD_RECTANGLE) ? 1 : 0;
}

void resolve_decide(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps,
                    struct resolve_result *result)
{
    struct resolved_pair pair;
    struct driver_sampler own;
    resolve(state, view, caps, &pair, &result->driver, &result->terms);
    result->record = result->terms.record;
    if (view) {
        struct view_terms terms;
        resolve_view_terms(view, &terms);
        resolve_combine(&result->terms, &terms, &result->record);
    }
    resolve_program_sampler(state, caps, &own);
    result->needs = record_needs(&result->record);
    result->tier = tier_of(&result->record);
    result->view = pair.variant;
    result->program_suffices = memcmp(&own, &result->driver, sizeof(own)) == 0;
}

void resolve_explain(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps,
                     char *text, size_t size)
{
    struct resolved_pair pair;
    struct driver_sampler driver;
    struct sampler_terms terms;
    resolve(state, view, caps, &pair, &driver, &terms);
    reason_of_pair(&pair, text, size);
}
