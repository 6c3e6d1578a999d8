/* SPDX-License-Identifier: MIT */
/*
 * The high-water mark of a device, from the table of tiers.
 *
 * A sampler and a view that are alive together may be written into one combined descriptor. Separate descriptors say
 * what they need each for itself, so there any sampler counts with any view that the device has ever had.
 */
#include <stdlib.h>
#include <string.h>

#include "differential/mark.h"

/* States from one number to another meet views likewise. */
struct mark_meeting {
    size_t states[2], views[2];
    bool separate;
};

struct mark_question {
    struct lookup lookup; /* its function and its kind count, and whether it is a cube's */
    bool shader_fallback, incomplete;
    size_t meetings; /* that are in `range` */
    struct tier_range range;
};

static void *grown(void *items, size_t count, size_t size)
{
    void *more = realloc(items, (count + 1) * size);
    if (!more)
        harness_fail("out of memory for %zu things that a device had", count + 1);
    return more;
}

/* ---- What a device had ---- */

static bool same_state(const struct diff_case *a, const struct diff_case *b)
{
    const bool texels[2] = {a->lookup.dimension == LOOKUP_RECTANGLE && !a->viewed,
                            b->lookup.dimension == LOOKUP_RECTANGLE && !b->viewed};
    return a->form == b->form && texels[0] == texels[1] && memcmp(&a->state, &b->state, sizeof(a->state)) == 0;
}

static bool same_view(const struct diff_case *a, const struct diff_case *b)
{
    return a->lookup.dimension == b->lookup.dimension && a->viewed == b->viewed && a->view_least == b->view_least &&
           a->view_first == b->view_first && a->texture_incomplete == b->texture_incomplete &&
           memcmp(&a->compare_fail, &b->compare_fail, sizeof(a->compare_fail)) == 0 &&
           memcmp(&a->texture, &b->texture, sizeof(a->texture)) == 0 &&
           (!a->viewed || memcmp(&a->view, &b->view, sizeof(a->view)) == 0);
}

static void add_view(struct mark *mark, const struct diff_case *one, bool viewed, float least)
{
    struct diff_case view = *one;
    view.viewed = viewed;
    view.view_least = least;
    view.texture_incomplete &= viewed;
    view.compare_fail = viewed ? view.compare_fail : 0;
    view.texture.border = viewed ? view.texture.border : 0;
    for (size_t i = 0; i < mark->view_count; i++)
        if (same_view(&mark->views[i], &view))
            return;
    mark->views = grown(mark->views, mark->view_count, sizeof(*mark->views));
    mark->views[mark->view_count++] = view;
}

/* The number of the case's state among those of the device; the list's end: it is new. */
static size_t find_state(const struct mark *mark, const struct diff_case *one)
{
    size_t i = 0;
    while (i < mark->state_count && !same_state(&mark->states[i], one))
        i++;
    return i;
}

static void meet(struct mark *mark, size_t state, size_t end, size_t view, size_t views, bool separate)
{
    if (state == end || view == views)
        return;
    mark->meetings = grown(mark->meetings, mark->meeting_count, sizeof(*mark->meetings));
    mark->meetings[mark->meeting_count++] = (struct mark_meeting){{state, end}, {view, views}, separate};
}

/* What every device has before its first case: the texture of the descriptor that no lookup reads. */
static void add_neighbour(struct mark *mark)
{
    const struct diff_case one = {.lookup = {.dimension = LOOKUP_2D},
                                  .texture = {.format = LOOKUP_RGBA8, .size = {2, 2, 1}, .levels = 1}};
    add_view(mark, &one, false, 0);
}

void mark_take(struct mark *mark, const struct diff_case *one)
{
    if (mark->view_count == 0)
        add_neighbour(mark);
    const size_t state = find_state(mark, one), before = mark->view_count;
    const bool is_new = state == mark->state_count;
    if (mark->raised)
        return;
    if (is_new) {
        mark->states = grown(mark->states, mark->state_count, sizeof(*mark->states));
        mark->states[mark->state_count++] = *one;
    }
    /* The plain view of the texture is there in any case. */
    add_view(mark, one, false, 0);
    if (one->viewed || one->view_least > 0)
        add_view(mark, one, one->viewed, one->view_least);
    /* A sampler that was there before comes again, and meets what was created since. */
    meet(mark, state, state + 1, 0, mark->view_count, false);
    meet(mark, 0, mark->state_count, before, mark->view_count, true);
    if (is_new)
        meet(mark, state, state + 1, 0, before, true);
}

void mark_free(struct mark *mark)
{
    free(mark->states);
    free(mark->views);
    free(mark->meetings);
    free(mark->questions);
    *mark = (struct mark){0};
}

/* ---- What that asks of a lookup ---- */

static enum lookup_kind kind_of(const struct diff_case *one, bool compares)
{
    const enum reference_kind kind = case_kind(one);
    const bool depth = format_is_depth(one->texture.format) && !case_is_integer(one);
    return kind == REFERENCE_UINT  ? LOOKUP_UINT
           : kind == REFERENCE_INT ? LOOKUP_INT
           : depth && compares     ? LOOKUP_SHADOW
                                   : LOOKUP_FLOAT;
}

static void widen(struct tier_range *range, struct tier_range other)
{
    range->least = other.least < range->least ? other.least : range->least;
    range->most = other.most > range->most ? other.most : range->most;
}

/* The tiers that a state and a view may ask of the question's lookup; a range where the table does not tell. */
static struct tier_range asked(const struct facts *facts, const struct mark_question *question,
                               const struct diff_case *state, const struct diff_case *view, bool separate)
{
    const bool texels = state->lookup.dimension == LOOKUP_RECTANGLE && !state->viewed;
    const bool cube = question->lookup.dimension == LOOKUP_CUBE || question->lookup.dimension == LOOKUP_CUBE_ARRAY;
    struct diff_case one = {.lookup = question->lookup,
                            .texture = view->texture,
                            .state = state->state,
                            .form = state->form,
                            .viewed = view->viewed,
                            .view = view->view,
                            .view_least = view->view_least,
                            .texture_incomplete = view->texture_incomplete,
                            .compare_fail = view->compare_fail,
                            .shader_fallback = question->shader_fallback,
                            .incomplete = question->incomplete};
    one.lookup.separate = separate;
    one.lookup.dimension = view->lookup.dimension;
    if (texels) {
        one.lookup.dimension = LOOKUP_RECTANGLE;
        one.viewed = false;
    } else if (one.lookup.dimension == LOOKUP_RECTANGLE && !one.viewed) {
        one.lookup.dimension = LOOKUP_2D; /* texel coordinates are the sampler's business */
    } else if (separate && !cube && case_is_cube(&one)) {
        one.lookup.dimension = LOOKUP_2D; /* what a sampler needs of cubes, shaders need that sample cubes */
    }
    /* The sampler may compare, and the lookup: what hangs on one of the two is open. */
    one.lookup.kind = kind_of(&one, state->state.compareMode);
    struct tier_range range = facts_tiers_but_uncompared(facts, &one);
    one.lookup.kind = kind_of(&one, question->lookup.kind == LOOKUP_SHADOW);
    widen(&range, facts_tiers_but_uncompared(facts, &one));
    if (case_gathers(&one) && one.lookup.dimension != LOOKUP_2D && one.lookup.dimension != LOOKUP_2D_ARRAY) {
        one.lookup.operation = LOOKUP_LOD; /* such images are not gathered from */
        widen(&range, facts_tiers_but_uncompared(facts, &one));
    }
    /* Lookups that do not compare, through a separate sampler, take tier 2 if any sampler compares. */
    const struct diff_case plain = {.lookup = question->lookup, .form = state->form, .state = state->state};
    return separate && facts_uncompared(&plain) ? (struct tier_range){2, 2} : range;
}

static void add_meeting(const struct mark *mark, const struct facts *facts, const struct mark_meeting *meeting,
                        struct mark_question *question)
{
    struct tier_range *sum = &question->range;
    for (size_t s = meeting->states[0]; s < meeting->states[1]; s++) {
        for (size_t v = meeting->views[0]; v < meeting->views[1] && sum->least < 2; v++) {
            const struct tier_range range =
                asked(facts, question, &mark->states[s], &mark->views[v], meeting->separate);
            sum->least = range.least > sum->least ? range.least : sum->least;
            sum->most = range.most > sum->most ? range.most : sum->most;
        }
    }
}

static void bring_up_to_date(const struct mark *mark, const struct facts *facts, struct mark_question *question)
{
    for (; question->meetings < mark->meeting_count; question->meetings++)
        add_meeting(mark, facts, &mark->meetings[question->meetings], question);
}

static struct mark_question *question_of(struct mark *mark, const struct diff_case *one)
{
    const bool cube = case_is_cube(one), shadow = case_compares(one);
    for (size_t i = 0; i < mark->question_count; i++) {
        struct mark_question *question = &mark->questions[i];
        const struct diff_case asked_before = {.lookup = question->lookup};
        if (question->lookup.operation == one->lookup.operation && case_is_cube(&asked_before) == cube &&
            case_compares(&asked_before) == shadow && question->lookup.separate == one->lookup.separate &&
            question->shader_fallback == one->shader_fallback && question->incomplete == one->incomplete)
            return question;
    }
    mark->questions = grown(mark->questions, mark->question_count, sizeof(*mark->questions));
    mark->questions[mark->question_count] = (struct mark_question){
        .lookup = one->lookup, .shader_fallback = one->shader_fallback, .incomplete = one->incomplete};
    return &mark->questions[mark->question_count++];
}

struct tier_range mark_tiers(struct mark *mark, const struct facts *facts, const struct diff_case *one)
{
    if (mark->raised)
        return (struct tier_range){2, 2};
    struct mark_question *question = question_of(mark, one);
    bring_up_to_date(mark, facts, question);
    /* As if it were there already. */
    const size_t states = mark->state_count, views = mark->view_count, meetings = mark->meeting_count;
    mark_take(mark, one);
    struct mark_question then = *question;
    bring_up_to_date(mark, facts, &then);
    mark->state_count = states;
    mark->view_count = views;
    mark->meeting_count = meetings;
    return then.range;
}
