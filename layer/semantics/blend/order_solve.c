/* SPDX-License-Identifier: MIT */
/*
 * Blending in an order of channels. OpenGL's equation of a channel is op(S * source factor, D * destination factor).
 * The driver has one operation and two factors for red, green and blue together, and others for alpha. So for each
 * channel of the format, and the equation of GL's channel that is kept there, a choice of the driver's factors is
 * searched that mean the same there:
 *
 * - a factor of the driver's whose operand holds what GL's factor reads: the shader's own channel, its alpha, the
 *   destination's channel or alpha, a constant, the second source. The shader and the constants can be moved, so an
 *   operand is free until some channel needs it;
 * - a source factor that does not read the destination can be multiplied in by the shader, if the driver's is 1;
 * - a destination factor that does not read the destination can be written by the shader as the second source.
 *
 * The first choice of the least means counts: moved channels, products, moved constants, a second source.
 */
#include "blend/order.h"

#include <string.h>

#include "blend/blend.h"
#include "format/format.h"
#include "spirv/outputs.h"

enum { A = 3, COLORS = 3 };

/* Factors: enum spirv_term, and those that shaders cannot make. */
enum {
    TERM_CONSTANT = SPIRV_TERMS,            /* and three more */
    TERM_CONSTANT_REST = TERM_CONSTANT + 4, /* likewise */
    TERM_OWN = TERM_CONSTANT_REST + 4,      /* the destination's own channel */
    TERM_OWN_REST,                          /* 1 - that */
    TERM_STORED_ALPHA,                      /* the format's alpha, in colours */
    TERM_STORED_ALPHA_REST,                 /* 1 - that */
    TERM_SATURATE,                          /* min(source alpha, 1 - the format's alpha) */
    TERM_ELSEWHERE,                         /* of another channel of the destination */
};

/* ---- What is wanted ---- */

/* A channel of the format. */
struct wanted {
    bool written;
    uint8_t select;              /* enum spirv_select: the source */
    uint8_t source, destination; /* factors */
    VkBlendOp op;
};

struct problem {
    const struct channel_order *order;
    const struct order_draw *draw;
    enum order_number number;
    uint32_t channels; /* of the format */
    struct wanted wanted[4];
};

static bool is_source_only(uint32_t term)
{
    return term < TERM_CONSTANT;
}

static uint8_t rest_of(uint32_t term)
{
    switch (term) {
    case SPIRV_TERM_ZERO:
        return SPIRV_TERM_ONE;
    case SPIRV_TERM_ONE:
        return SPIRV_TERM_ZERO;
    case TERM_OWN:
        return TERM_OWN_REST;
    case TERM_STORED_ALPHA:
        return TERM_STORED_ALPHA_REST;
    case TERM_ELSEWHERE:
        return TERM_ELSEWHERE;
    default: /* those of four channels */
        return (uint8_t)(term + 4);
    }
}

static uint8_t source_term(const struct problem *p, uint32_t channel)
{
    return (uint8_t)(channel == A && p->draw->one ? SPIRV_TERM_ONE : SPIRV_TERM_SOURCE + channel);
}

static uint8_t second_term(const struct problem *p, uint32_t channel)
{
    return (uint8_t)(channel == A && p->draw->one ? SPIRV_TERM_ONE : SPIRV_TERM_SECOND + channel);
}

/* GL's channel of the destination, as the channel `stored` of the format sees it. */
static uint8_t destination_term(const struct problem *p, uint32_t channel, uint32_t stored)
{
    const uint32_t at = p->order->at[channel];
    return at == ORDER_ZERO  ? SPIRV_TERM_ZERO
           : at == ORDER_ONE ? SPIRV_TERM_ONE
           : at == stored    ? TERM_OWN
           : at == A         ? TERM_STORED_ALPHA
                             : TERM_ELSEWHERE;
}

/* min(As, 1 - Ad). Numbers without sign are clamped before. */
static uint8_t saturate_term(const struct problem *p)
{
    const uint32_t at = p->order->at[A];
    const bool one = p->draw->one;
    if (at == ORDER_ONE)
        return one || p->number == ORDER_UNORM ? SPIRV_TERM_ZERO : SPIRV_TERM_MIN_ZERO;
    if (at == ORDER_ZERO)
        return one || p->number != ORDER_FLOAT ? source_term(p, A) : SPIRV_TERM_MIN_ONE;
    return at == A ? TERM_SATURATE : TERM_ELSEWHERE;
}

/* The factor of GL's channel, which is kept in the channel `stored`; of four channels, the alpha equation's is 3. */
static uint8_t term_of(const struct problem *p, VkBlendFactor factor, uint32_t channel, uint32_t stored)
{
    switch (factor) {
    case VK_BLEND_FACTOR_ONE:
        return SPIRV_TERM_ONE;
    case VK_BLEND_FACTOR_SRC_COLOR:
        return source_term(p, channel);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
        return rest_of(source_term(p, channel));
    case VK_BLEND_FACTOR_DST_COLOR:
        return destination_term(p, channel, stored);
    case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
        return rest_of(destination_term(p, channel, stored));
    case VK_BLEND_FACTOR_SRC_ALPHA:
        return source_term(p, A);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
        return rest_of(source_term(p, A));
    case VK_BLEND_FACTOR_DST_ALPHA:
        return destination_term(p, A, stored);
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
        return rest_of(destination_term(p, A, stored));
    case VK_BLEND_FACTOR_CONSTANT_COLOR:
        return (uint8_t)(TERM_CONSTANT + channel);
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
        return (uint8_t)(TERM_CONSTANT_REST + channel);
    case VK_BLEND_FACTOR_CONSTANT_ALPHA:
        return TERM_CONSTANT + A;
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
        return TERM_CONSTANT_REST + A;
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return channel == A ? SPIRV_TERM_ONE : saturate_term(p);
    case VK_BLEND_FACTOR_SRC1_COLOR:
        return second_term(p, channel);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
        return rest_of(second_term(p, channel));
    case VK_BLEND_FACTOR_SRC1_ALPHA:
        return second_term(p, A);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
        return rest_of(second_term(p, A));
    default:
        return SPIRV_TERM_ZERO;
    }
}

static bool is_extreme(VkBlendOp op)
{
    return op == VK_BLEND_OP_MIN || op == VK_BLEND_OP_MAX;
}

static void want(struct problem *p, const VkPipelineColorBlendAttachmentState *state, bool blends)
{
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t channel = p->order->from[i];
        struct wanted *wanted = &p->wanted[i];
        wanted->written = channel != ORDER_NONE && (state->colorWriteMask >> channel & 1);
        if (!wanted->written)
            continue;
        wanted->select =
            (uint8_t)(channel == A && p->draw->one ? (uint32_t)SPIRV_SELECT_ONE : SPIRV_SELECT_R + channel);
        if (!blends)
            continue;
        wanted->op = channel == A ? state->alphaBlendOp : state->colorBlendOp;
        wanted->source = term_of(p, channel == A ? state->srcAlphaBlendFactor : state->srcColorBlendFactor, channel, i);
        wanted->destination =
            term_of(p, channel == A ? state->dstAlphaBlendFactor : state->dstColorBlendFactor, channel, i);
    }
}

/* ---- What is chosen ---- */

/* Operands of the driver's factors; UNSET: free. */
enum { UNSET = 0xff };
struct operands {
    uint8_t select[4];   /* enum spirv_select: the first source, without its factor */
    uint8_t factor[4];   /* enum spirv_term */
    uint8_t constant[4]; /* as order_solution.constants */
    uint8_t second[4];   /* enum spirv_term */
};

struct means {
    bool products, constants, second;
};

struct group {
    VkBlendFactor source, destination;
    VkBlendOp op;
};

struct choice {
    struct operands operands;
    struct group groups[2]; /* colours, alpha */
};

static bool set(uint8_t *operand, uint32_t value)
{
    if (*operand == UNSET)
        *operand = (uint8_t)value;
    return *operand == value;
}

/* The first source of a channel: a selected channel times a factor. */
static bool set_source(struct operands *o, uint32_t channel, uint32_t select, uint32_t factor)
{
    return set(&o->select[channel], select) && set(&o->factor[channel], factor);
}

/* An operand of a factor "x" of the driver's becomes the term. */
static bool source_is(struct operands *o, uint32_t channel, uint32_t term)
{
    if (term == SPIRV_TERM_ZERO)
        return set_source(o, channel, SPIRV_SELECT_ZERO, SPIRV_TERM_NONE);
    if (term == SPIRV_TERM_ONE)
        return set_source(o, channel, SPIRV_SELECT_ONE, SPIRV_TERM_NONE);
    return term >= SPIRV_TERM_SOURCE && term < SPIRV_TERM_REST &&
           set_source(o, channel, SPIRV_SELECT_R + (term - SPIRV_TERM_SOURCE), SPIRV_TERM_NONE);
}

static bool constant_is(struct operands *o, uint32_t channel, uint32_t term)
{
    if (term == SPIRV_TERM_ZERO || term == SPIRV_TERM_ONE)
        return set(&o->constant[channel], term == SPIRV_TERM_ONE ? ORDER_ONE : ORDER_ZERO);
    if (term >= TERM_CONSTANT && term < TERM_CONSTANT_REST)
        return set(&o->constant[channel], term - TERM_CONSTANT);
    return term >= TERM_CONSTANT_REST && term < TERM_OWN &&
           set(&o->constant[channel], ORDER_REST + (term - TERM_CONSTANT_REST));
}

static bool is_moved_only(uint32_t term)
{
    return term == SPIRV_TERM_ZERO || term == SPIRV_TERM_ONE || (term >= SPIRV_TERM_SOURCE && term < SPIRV_TERM_REST) ||
           (term >= SPIRV_TERM_SECOND && term < SPIRV_TERM_SECOND_REST);
}

static bool second_is(const struct problem *p, struct operands *o, uint32_t channel, uint32_t term)
{
    return is_source_only(term) && (p->draw->products || is_moved_only(term)) && set(&o->second[channel], term);
}

/* The term whose rest is `term`, or TERM_ELSEWHERE. */
static uint32_t unrest(uint32_t term)
{
    switch (term) {
    case SPIRV_TERM_ZERO:
        return SPIRV_TERM_ONE;
    case SPIRV_TERM_ONE:
        return SPIRV_TERM_ZERO;
    default:
        break;
    }
    if ((term >= SPIRV_TERM_REST && term < SPIRV_TERM_SECOND) ||
        (term >= SPIRV_TERM_SECOND_REST && term < SPIRV_TERM_MIN_ZERO) ||
        (term >= TERM_CONSTANT_REST && term < TERM_OWN))
        return term - 4;
    return TERM_ELSEWHERE;
}

/* Whether the driver's factor can be `term` in a channel; sets the operand that this takes. */
static bool factor_is(const struct problem *p, VkBlendFactor factor, uint32_t channel, uint32_t term,
                      struct operands *o)
{
    const bool alpha = p->channels >> A & 1; /* what the format lacks blends as 1 */
    switch (factor) {
    case VK_BLEND_FACTOR_ZERO:
        return term == SPIRV_TERM_ZERO;
    case VK_BLEND_FACTOR_ONE:
        return term == SPIRV_TERM_ONE;
    case VK_BLEND_FACTOR_SRC_COLOR:
        return source_is(o, channel, term);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
        return source_is(o, channel, unrest(term));
    case VK_BLEND_FACTOR_SRC_ALPHA:
        return source_is(o, A, term);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
        return source_is(o, A, unrest(term));
    case VK_BLEND_FACTOR_DST_COLOR:
        return term == TERM_OWN;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
        return term == TERM_OWN_REST;
    case VK_BLEND_FACTOR_DST_ALPHA:
        return term == (uint32_t)(channel == A ? TERM_OWN : alpha ? TERM_STORED_ALPHA : SPIRV_TERM_ONE);
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
        return term == (uint32_t)(channel == A ? TERM_OWN_REST : alpha ? TERM_STORED_ALPHA_REST : SPIRV_TERM_ZERO);
    case VK_BLEND_FACTOR_CONSTANT_COLOR:
        return constant_is(o, channel, term);
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
        return constant_is(o, channel, unrest(term));
    case VK_BLEND_FACTOR_CONSTANT_ALPHA:
        return constant_is(o, A, term);
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
        return constant_is(o, A, unrest(term));
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        if (channel == A)
            return term == SPIRV_TERM_ONE;
        return term == (uint32_t)(alpha ? TERM_SATURATE : SPIRV_TERM_MIN_ZERO) && source_is(o, A, source_term(p, A));
    case VK_BLEND_FACTOR_SRC1_COLOR:
        return second_is(p, o, channel, term);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
        return second_is(p, o, channel, unrest(term));
    case VK_BLEND_FACTOR_SRC1_ALPHA:
        return second_is(p, o, A, term);
    case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
        return second_is(p, o, A, unrest(term));
    default:
        return false;
    }
}

static const VkBlendFactor factors[] = {
    VK_BLEND_FACTOR_ZERO,
    VK_BLEND_FACTOR_ONE,
    VK_BLEND_FACTOR_SRC_COLOR,
    VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR,
    VK_BLEND_FACTOR_SRC_ALPHA,
    VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
    VK_BLEND_FACTOR_DST_COLOR,
    VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR,
    VK_BLEND_FACTOR_DST_ALPHA,
    VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA,
    VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR, /* before the one that takes 1 - a constant from the processor */
    VK_BLEND_FACTOR_CONSTANT_COLOR,
    VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA,
    VK_BLEND_FACTOR_CONSTANT_ALPHA,
    VK_BLEND_FACTOR_SRC_ALPHA_SATURATE,
    VK_BLEND_FACTOR_SRC1_COLOR,
    VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
    VK_BLEND_FACTOR_SRC1_ALPHA,
    VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA,
};
enum { FACTORS = sizeof(factors) / sizeof(factors[0]) };

/* ---- The search ---- */

struct search {
    const struct problem *problem;
    const struct means *means;
    struct choice *choice;
    uint32_t sources[2], destinations[2]; /* of each group: bit i, factors[i] may fit all its channels */
};

static bool search_channel(const struct search *s, uint32_t group, uint32_t channel, const struct operands *operands);

static bool reads_destination(VkBlendFactor factor)
{
    return (factor >= VK_BLEND_FACTOR_DST_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR) ||
           (factor >= VK_BLEND_FACTOR_DST_ALPHA && factor <= VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA) ||
           factor == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
}

/* The source itself as a factor. */
static uint32_t itself(const struct wanted *wanted)
{
    return wanted->select == SPIRV_SELECT_ONE ? (uint32_t)SPIRV_TERM_ONE
                                              : SPIRV_TERM_SOURCE + ((uint32_t)wanted->select - SPIRV_SELECT_R);
}

/* S * D + D * 0 is S * 0 + D * S. */
static bool turns(const struct wanted *wanted, VkBlendOp op, uint32_t *source, uint32_t *destination)
{
    if (wanted->op != VK_BLEND_OP_ADD || op != VK_BLEND_OP_ADD)
        return false;
    if (wanted->source == TERM_OWN && wanted->destination == SPIRV_TERM_ZERO) {
        *source = SPIRV_TERM_ZERO;
        *destination = itself(wanted);
        return true;
    }
    *source = TERM_OWN;
    *destination = SPIRV_TERM_ZERO;
    return wanted->source == SPIRV_TERM_ZERO && wanted->destination == itself(wanted);
}

/*
 * The ways to a channel's terms with the factors of its group; then the next channel. A float's 0 is not multiplied by
 * what the destination has, which may be infinite.
 */
static bool search_terms(const struct search *s, uint32_t group, uint32_t channel, uint32_t source,
                         uint32_t destination, const struct operands *operands)
{
    const struct group *chosen = &s->choice->groups[group];
    const struct wanted *wanted = &s->problem->wanted[channel];
    struct operands base = *operands;
    if (!factor_is(s->problem, chosen->destination, channel, destination, &base))
        return false;
    struct operands o = base;
    if (source == SPIRV_TERM_ZERO && chosen->source == VK_BLEND_FACTOR_ZERO)
        return search_channel(s, group, channel + 1, &o);
    if (factor_is(s->problem, chosen->source, channel, source, &o) &&
        set_source(&o, channel, wanted->select, SPIRV_TERM_NONE) && search_channel(s, group, channel + 1, &o))
        return true;
    o = base;
    if (source == SPIRV_TERM_ZERO && (s->problem->number != ORDER_FLOAT || !reads_destination(chosen->source)) &&
        set_source(&o, channel, SPIRV_SELECT_ZERO, SPIRV_TERM_NONE) && search_channel(s, group, channel + 1, &o))
        return true;
    o = base;
    return s->means->products && is_source_only(source) && source != SPIRV_TERM_ZERO && source != SPIRV_TERM_ONE &&
           factor_is(s->problem, chosen->source, channel, SPIRV_TERM_ONE, &o) &&
           set_source(&o, channel, wanted->select, source) && search_channel(s, group, channel + 1, &o);
}

static bool search_blended(const struct search *s, uint32_t group, uint32_t channel, const struct operands *o)
{
    const struct wanted *wanted = &s->problem->wanted[channel];
    uint32_t source, destination;
    return search_terms(s, group, channel, wanted->source, wanted->destination, o) ||
           (turns(wanted, s->choice->groups[group].op, &source, &destination) &&
            search_terms(s, group, channel, source, destination, o));
}

static bool is_in(uint32_t channel, uint32_t group)
{
    return group == 0 ? channel < COLORS : channel == A;
}

static bool search_group(const struct search *s, uint32_t group, const struct operands *operands);

/* Channels from `channel` on, then the next group. */
static bool search_channel(const struct search *s, uint32_t group, uint32_t channel, const struct operands *operands)
{
    while (channel < 4 && (!is_in(channel, group) || !s->problem->wanted[channel].written))
        channel++;
    if (channel == 4)
        return search_group(s, group + 1, operands);
    if (!is_extreme(s->choice->groups[group].op))
        return search_blended(s, group, channel, operands);
    struct operands o = *operands;
    return set_source(&o, channel, s->problem->wanted[channel].select, SPIRV_TERM_NONE) &&
           search_channel(s, group, channel + 1, &o);
}

static bool search_factors(const struct search *s, uint32_t group, VkBlendFactor source,
                           const struct operands *operands)
{
    const VkBlendFactor program = s->choice->groups[group].destination;
    s->choice->groups[group].source = source;
    if (search_channel(s, group, 0, operands))
        return true;
    for (uint32_t i = 0; i < FACTORS; i++) {
        s->choice->groups[group].destination = factors[i];
        if ((s->destinations[group] >> i & 1) && factors[i] != program && search_channel(s, group, 0, operands))
            return true;
    }
    s->choice->groups[group].destination = program;
    return false;
}

/* The program's factors first. A group of which nothing is written has them anyway. */
static bool search_group(const struct search *s, uint32_t group, const struct operands *operands)
{
    if (group == 2) {
        s->choice->operands = *operands;
        return true;
    }
    bool written = false;
    for (uint32_t i = 0; i < 4; i++)
        written |= is_in(i, group) && s->problem->wanted[i].written;
    const VkBlendFactor program = s->choice->groups[group].source;
    if (!written || is_extreme(s->choice->groups[group].op))
        return search_channel(s, group, 0, operands);
    if (search_factors(s, group, program, operands))
        return true;
    for (uint32_t i = 0; i < FACTORS; i++) {
        if ((s->sources[group] >> i & 1) && factors[i] != program && search_factors(s, group, factors[i], operands))
            return true;
    }
    s->choice->groups[group].source = program;
    return false;
}

/* ---- Operations ---- */

/* Whether a channel's result is the same with another operation: x + 0 is x - 0, and 0 + y is y - 0. */
static bool op_fits(const struct wanted *wanted, VkBlendOp op)
{
    if (wanted->op == op)
        return true;
    if (is_extreme(wanted->op) || is_extreme(op))
        return false;
    const bool no_source = wanted->source == SPIRV_TERM_ZERO, no_destination = wanted->destination == SPIRV_TERM_ZERO;
    if (no_source && no_destination)
        return true;
    const VkBlendOp other = no_destination ? VK_BLEND_OP_SUBTRACT : VK_BLEND_OP_REVERSE_SUBTRACT;
    return (no_source || no_destination) && (op == VK_BLEND_OP_ADD || op == other) &&
           (wanted->op == VK_BLEND_OP_ADD || wanted->op == other);
}

static bool find_op(const struct problem *p, uint32_t group, VkBlendOp *op)
{
    bool written = false;
    for (uint32_t i = 0; i < 4; i++) {
        if (!is_in(i, group) || !p->wanted[i].written)
            continue;
        bool fits = true;
        written = true;
        for (uint32_t j = 0; j < 4; j++)
            fits &= !is_in(j, group) || !p->wanted[j].written || op_fits(&p->wanted[j], p->wanted[i].op);
        *op = p->wanted[i].op;
        if (fits)
            return true;
    }
    return !written;
}

/* ---- The solution ---- */

/* Operands that may not be moved are what the program has there. */
static struct operands start(const struct problem *p, const struct means *means)
{
    struct operands o;
    memset(&o, UNSET, sizeof(o));
    for (uint32_t i = 0; i < 4; i++) {
        if (!p->draw->shader)
            set_source(&o, i, SPIRV_SELECT_R + i, SPIRV_TERM_NONE);
        if (!means->constants)
            set(&o.constant[i], i);
        if (!means->second)
            set(&o.second[i], SPIRV_TERM_SECOND + i);
    }
    if (p->draw->coverage)
        set_source(&o, A, SPIRV_SELECT_A, SPIRV_TERM_NONE);
    return o;
}

static bool may_be_source(const struct search *s, VkBlendFactor factor, uint32_t channel, uint32_t term,
                          const struct operands *operands)
{
    struct operands o = *operands, other = *operands;
    return term == SPIRV_TERM_ZERO || factor_is(s->problem, factor, channel, term, &o) ||
           (is_source_only(term) && factor_is(s->problem, factor, channel, SPIRV_TERM_ONE, &other));
}

static bool may_be_destination(const struct search *s, VkBlendFactor factor, uint32_t channel, uint32_t term,
                               const struct operands *operands)
{
    struct operands o = *operands;
    return factor_is(s->problem, factor, channel, term, &o);
}

/* Leaves the factors that fit each channel of a group by itself. False: there are none. */
static bool find_factors(struct search *s, uint32_t group, const struct operands *o)
{
    s->sources[group] = s->destinations[group] = (1u << FACTORS) - 1;
    for (uint32_t i = 0; i < 4; i++) {
        const struct wanted *wanted = &s->problem->wanted[i];
        uint32_t source = 0, destination = 0;
        if (!is_in(i, group) || !wanted->written || is_extreme(s->choice->groups[group].op))
            continue;
        const bool two = turns(wanted, s->choice->groups[group].op, &source, &destination);
        for (uint32_t j = 0; j < FACTORS; j++) {
            if (!may_be_source(s, factors[j], i, wanted->source, o) &&
                !(two && may_be_source(s, factors[j], i, source, o)))
                s->sources[group] &= ~(1u << j);
            if (!may_be_destination(s, factors[j], i, wanted->destination, o) &&
                !(two && may_be_destination(s, factors[j], i, destination, o)))
                s->destinations[group] &= ~(1u << j);
        }
    }
    return s->sources[group] && s->destinations[group];
}

static bool search(const struct problem *p, const struct means *means, const struct choice *program,
                   struct choice *choice)
{
    struct search s = {.problem = p, .means = means, .choice = choice};
    const struct operands o = start(p, means);
    *choice = *program;
    return find_op(p, 0, &choice->groups[0].op) && find_op(p, 1, &choice->groups[1].op) && find_factors(&s, 0, &o) &&
           find_factors(&s, 1, &o) && search_group(&s, 0, &o);
}

static bool uses_second(VkBlendFactor factor)
{
    return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

/* From the least means on. A program with a second source of its own has paid for it. */
static bool search_means(const struct problem *p, const struct choice *program, struct choice *choice)
{
    const struct order_draw *draw = p->draw;
    const bool products = draw->shader && draw->products, second = draw->shader && draw->second;
    bool used = false;
    for (uint32_t i = 0; i < 2; i++)
        used |= uses_second(program->groups[i].source) || uses_second(program->groups[i].destination);
    for (uint32_t i = 0; i < 8; i++) {
        const struct means means = {i & 1, i & 2, i & 4};
        if ((means.products && !products) || (means.constants && !draw->constants) || (means.second && !second))
            continue;
        if (second && used && !means.second)
            continue;
        if (search(p, &means, program, choice))
            return true;
    }
    return false;
}

static bool is_arithmetic(uint32_t term)
{
    return term != SPIRV_TERM_NONE && !is_moved_only(term);
}

/* Channels that are where the program has them are left there. */
static void pack(const struct problem *p, const struct operands *o, struct order_solution *solution)
{
    static const enum spirv_clamp clamps[] = {
        [ORDER_FLOAT] = SPIRV_CLAMP_NONE, [ORDER_UNORM] = SPIRV_CLAMP_UNORM, [ORDER_SNORM] = SPIRV_CLAMP_SNORM};
    struct spirv_moves *moves = &solution->moves;
    bool arithmetic = false;
    *moves = (struct spirv_moves){0};
    for (uint32_t i = 0; i < 4; i++) {
        solution->constants[i] = (uint8_t)(o->constant[i] == UNSET ? i : o->constant[i]);
        if (o->second[i] != UNSET && o->second[i] != SPIRV_TERM_SECOND + i) {
            moves->second |= (uint32_t)o->second[i] << 5 * i;
            arithmetic |= is_arithmetic(o->second[i]);
        }
        if (o->select[i] == UNSET || (o->select[i] == SPIRV_SELECT_R + i && o->factor[i] == SPIRV_TERM_NONE))
            continue;
        moves->channels |= (uint32_t)o->select[i] << 3 * i;
        moves->factors |= (uint32_t)o->factor[i] << 5 * i;
        arithmetic |= o->factor[i] != SPIRV_TERM_NONE;
    }
    if (arithmetic)
        moves->channels |= (uint32_t)clamps[p->number] << 12;
}

/* Without blending: outputs move, and nothing else. */
static bool move_only(const struct problem *p, struct order_solution *solution)
{
    const struct means none = {false, false, false};
    struct operands o = start(p, &none);
    bool moved = true;
    for (uint32_t i = 0; i < 4; i++)
        moved &= !p->wanted[i].written || set_source(&o, i, p->wanted[i].select, SPIRV_TERM_NONE);
    pack(p, &o, solution);
    return moved;
}

/* ---- Reasons ---- */

static const char no_shader[] = "the fragment shader's outputs cannot be moved to where the channels are kept";
static const char no_coverage[] = "alpha-to-coverage reads the shader's alpha, in whose place another channel is kept";

static const char *reason_of(const struct problem *p, const struct choice *program)
{
    VkBlendOp op;
    struct choice choice;
    struct order_draw draw = *p->draw;
    struct problem more = *p;
    if (!find_op(p, 0, &op))
        return "the blend operations of colours and alpha differ, and both are kept in red, green and blue";
    for (uint32_t i = 0; i < 4; i++) {
        if (p->wanted[i].written && !is_extreme(p->wanted[i].op) &&
            (p->wanted[i].source == TERM_ELSEWHERE || p->wanted[i].destination == TERM_ELSEWHERE))
            return "a blend factor reads the destination's alpha, which is kept where factors cannot read it";
    }
    more.draw = &draw;
    draw.shader = true;
    if (search_means(&more, program, &choice))
        return no_shader;
    draw.products = true;
    if (search_means(&more, program, &choice))
        return "blend factors of this order need an output of 32 bits a channel";
    draw.coverage = false;
    if (p->draw->coverage && search_means(&more, program, &choice))
        return no_coverage;
    draw.constants = true;
    if (search_means(&more, program, &choice))
        return "blend factors of this order need other blend constants, which another attachment reads";
    draw.second = true;
    if (search_means(&more, program, &choice))
        return "blend factors of this order need dualSrcBlend, and no other attachment";
    return "the blend factors of channels that are kept in red, green and blue differ, and no second source can stand "
           "for them";
}

const char *order_solve(const struct channel_order *order, const struct order_draw *draw,
                        const VkPipelineColorBlendAttachmentState *state, struct order_solution *solution)
{
    struct problem p = {.order = order,
                        .draw = draw,
                        .number = order_number(draw->format),
                        .channels = format_info(draw->format).bits & 0xf};
    const bool blends = state->blendEnable && !draw->logic && p.number != ORDER_INTEGER;
    *solution = (struct order_solution){.state = *state};
    solution->state.colorWriteMask = order_write_mask(order, state->colorWriteMask);
    want(&p, state, blends);
    if (!blends)
        return move_only(&p, solution) ? NULL : draw->shader ? no_coverage : no_shader;
    const char *why = NULL;
    const struct choice program = {
        .groups = {{state->srcColorBlendFactor, state->dstColorBlendFactor, state->colorBlendOp},
                   {state->srcAlphaBlendFactor, state->dstAlphaBlendFactor, state->alphaBlendOp}}};
    struct choice choice;
    if (blend_is_advanced(state->colorBlendOp)) {
        if (order_is_natural(order) && order->at[A] == A)
            return NULL;
        why = "advanced blend operations read all channels, and some are kept elsewhere";
    } else if (!search_means(&p, &program, &choice)) {
        why = reason_of(&p, &program);
    }
    if (why) {
        solution->state.blendEnable = VK_FALSE;
        move_only(&p, solution);
        return why;
    }
    pack(&p, &choice.operands, solution);
    solution->state.srcColorBlendFactor = choice.groups[0].source;
    solution->state.dstColorBlendFactor = choice.groups[0].destination;
    solution->state.colorBlendOp = choice.groups[0].op;
    solution->state.srcAlphaBlendFactor = choice.groups[1].source;
    solution->state.dstAlphaBlendFactor = choice.groups[1].destination;
    solution->state.alphaBlendOp = choice.groups[1].op;
    return NULL;
}

/* ---- Constants ---- */

bool order_constants_same(const struct order_solution *solution)
{
    for (uint32_t i = 0; i < 4; i++) {
        if (solution->constants[i] != i)
            return false;
    }
    return true;
}

void order_constants(const struct order_solution *solution, const float program[4], float driver[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t code = solution->constants[i];
        driver[i] = code == ORDER_ZERO   ? 0.0f
                    : code == ORDER_ONE  ? 1.0f
                    : code >= ORDER_REST ? 1.0f - program[code - ORDER_REST]
                                         : program[code];
    }
}

uint32_t order_reads(const VkPipelineColorBlendAttachmentState *state)
{
    const struct {
        VkBlendFactor source, destination;
        VkBlendOp op;
    } equations[2] = {{state->srcColorBlendFactor, state->dstColorBlendFactor, state->colorBlendOp},
                      {state->srcAlphaBlendFactor, state->dstAlphaBlendFactor, state->alphaBlendOp}};
    uint32_t reads = 0;
    for (uint32_t i = 0; i < 2 && state->blendEnable; i++) {
        const uint32_t written = state->colorWriteMask & (i == 0 ? 7u : 8u);
        if (!written)
            continue;
        if (blend_is_advanced(equations[i].op))
            return 0xf;
        if (is_extreme(equations[i].op)) {
            reads |= written;
            continue;
        }
        const bool source = reads_destination(equations[i].source) &&
                            !(i == 1 && equations[i].source == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE);
        reads |= source || equations[i].destination != VK_BLEND_FACTOR_ZERO ? written : 0;
        const VkBlendFactor both[2] = {equations[i].source, equations[i].destination};
        for (uint32_t j = 0; j < 2; j++)
            reads |= reads_destination(both[j]) && both[j] != VK_BLEND_FACTOR_DST_COLOR &&
                             both[j] != VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR
                         ? written == 8 ? 0u : 8u
                         : 0u;
    }
    return reads;
}
