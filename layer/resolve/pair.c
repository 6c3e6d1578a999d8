#include "pair.h"

#include <string.h>

#include "border.h"
#include "wrap.h"

static void resolve(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps,
                    struct pair *pair, struct driver_sampler *driver, struct record *decision)
{
    uint32_t border[4];
    *pair = (struct pair){.state = state,
                          .view = view,
                          .caps = caps,
                          .wanted = *state,
                          .emulated = state->gl || wrap_is_private(state),
                          .variant = RESOLVE_VIEW_SAMPLED};
    filter_on_view(pair);
    wrap_on_view(pair);
    lod_on_view(pair);
    memset(driver, 0, sizeof *driver);
    border_on_view(pair, driver, border);
    driver_on_view(pair, driver);
    record_of_pair(pair, border, decision);
}

void resolve_own_sampler(const struct sampler_state *state, const struct resolve_caps *caps,
                         struct driver_sampler *driver)
{
    struct resolve_caps without = *caps;
    struct pair pair;
    struct record record;
    without.custom_border_color &= !state->gl;
    resolve(state, NULL, &without, &pair, driver, &record);
}

static uint32_t tier_of(const struct record *record)
{
    if (record->flags & RECORD_FILTER)
        return 2;
    return record->flags & (RECORD_COORDS | RECORD_RECTANGLE) ? 1 : 0;
}

static void join_view(const struct record *decision, const struct view_facts *view, struct record *record)
{
    struct record part = {0};
    if (view)
        resolve_image_part(view, &part);
    resolve_join(decision, &part, record);
}

void resolve_pair(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps,
                  struct resolve_result *result)
{
    struct pair pair;
    struct driver_sampler own;
    resolve(state, view, caps, &pair, &result->driver, &result->decision);
    join_view(&result->decision, view, &result->record);
    resolve_own_sampler(state, caps, &own);
    result->needs = record_needs(&result->record);
    result->tier = tier_of(&result->record);
    result->view = pair.variant;
    result->own = memcmp(&own, &result->driver, sizeof own) == 0;
    reason_of_pair(&pair, result->reason, sizeof result->reason);
}

/* The border of one driver sampler is not the other's. */
static bool borders_differ(const struct driver_sampler *a, const struct driver_sampler *b)
{
    if (a->info.borderColor == VK_BORDER_COLOR_INT_TRANSPARENT_BLACK &&
        b->info.borderColor == VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK)
        return false;
    return a->info.borderColor != b->info.borderColor || a->custom_border != b->custom_border ||
           a->border_mapping != b->border_mapping || memcmp(&a->border, &b->border, sizeof a->border) != 0;
}

uint32_t resolve_record(const struct sampler_state *state, const struct view_facts *view,
                        const struct resolve_caps *caps, struct record *record)
{
    struct pair pair, alone;
    struct driver_sampler driver, alone_driver;
    struct record decision, unused;
    uint32_t border[4];
    resolve(state, view, caps, &pair, &driver, &decision);
    resolve(state, NULL, caps, &alone, &alone_driver, &unused);
    if (view && state->gl && border_is_read(&pair) && borders_differ(&driver, &alone_driver)) {
        pair.filtered = true;
        border_on_view(&pair, &driver, border);
        record_of_pair(&pair, border, &decision);
    }
    join_view(&decision, view, record);
    return record_needs(record);
}
