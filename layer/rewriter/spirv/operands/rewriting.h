/* SPDX-License-Identifier: MIT */
/* Rewriting: a lookup while its code is written, with the properties that all parts of that code use. */
#ifndef CLAMPLER_SPIRV_REWRITING_H
#define CLAMPLER_SPIRV_REWRITING_H

#include "spirv/operands/lookup_read.h"
#include "spirv/sites/plan.h"
#include "spirv/write/writer.h"

struct images;

/* Ids; 0: not known. */
struct bounds {
    uint32_t box;    /* uvec4: near and far of two axes; beyond all coordinates where the record moves nothing */
    uint32_t third;  /* uvec2: near and far of the third axis, for images that have one */
    uint32_t scale;  /* vec2: the factor of coordinates, for images that can be rectangles */
    uint32_t rest;   /* float: the part of the sampler's bias that the driver's sampler lacks, where it can lack one */
    uint32_t always; /* bool: there is such a rest */
    uint32_t
        saturated; /* bool or vector of bools, an axis each, by mask words: nothing else moves; the other ids are 0 */
    uint32_t quarter; /* uvec4: the record's fourth, of both for a pair, where one of these was taken from there */
};

struct rewriting {
    struct rewriter *r;
    const struct site *site;
    const struct site_plan *plan;
    struct lookup l;
    uint32_t record;             /* first quarter; in tier 2 decided (lookup_decided_record); by masks 0 */
    uint32_t s;                  /* coordinate along the axes, divided if projective; cubes: the direction */
    uint32_t dx, dy;             /* its derivatives, implicit LOD only; 0: not taken yet */
    uint32_t reference;          /* Dref, divided if projective and clamped as the record says; 0: none */
    struct bounds bounds;        /* tier 1's; in tier 2 only while it looks up elsewhere */
    bool normalized;             /* coordinate and gradients are as the driver takes them, not the program's */
    uint32_t unscaled;           /* the program's coordinate, where `s` was multiplied and the pixels of a quad may
                                    follow different records: derivatives are taken of this one. Else 0 */
    uint32_t rectangle;          /* beside unscaled, bool: the record has a factor */
    uint32_t offset3;            /* texel offset as ivec3; 0: none */
    uint32_t places[2];          /* of the sources' records (record_place); 0: read from the plan */
    const struct images *images; /* the code is that of several lookups (images.h); NULL: of one */
};

/* True: this lookup adds the bias beyond the driver's limit, where the record has one. */
bool lookup_makes_up_bias(const struct rewriter *r, const struct lookup *l);

/* Does it do that, or does it bring a bias, whose sum with the sampler's may be beyond all limits? */
static inline bool lookup_minds_bias(const struct rewriter *r, const struct lookup *l)
{
    return lookup_makes_up_bias(r, l) || (!l->gather && lookup_operand(l, SpvImageOperandsBiasShift) != 0);
}

/* Floats: the greatest bias of the driver's sampler, by its record, and the bound of the sum of all biases. */
uint32_t lookup_bias_limit(struct rewriter *r, uint32_t record);
uint32_t lookup_most_bias(struct rewriter *r);

/*
 * May the driver make another sum of biases than the program asked for, because this lookup brings a bias itself? The
 * record says so.
 */
static inline bool lookup_has_own_bias(const struct rewriting *w)
{
    return !w->l.gather && lookup_operand(&w->l, SpvImageOperandsBiasShift) != 0;
}

/* Does tier 1 do anything for this lookup? Of cubes it knows biases, least levels of detail and comparisons only. */
bool lookup_tier1_acts(const struct rewriter *r, const struct lookup *l);

/* Writes the load of a quarter of the record of one of the lookup's sources. */
uint32_t lookup_record(struct rewriting *w, uint32_t source, uint32_t quarter);

/* The loaded record -> the record that tier 2 follows: for separate descriptors, that of the pair. */
uint32_t lookup_decided_record(struct rewriting *w, uint32_t record);

/* Is the lookup not executed, so that its residency is made of that of the texels? */
static inline bool lookup_gathers_residency(const struct rewriting *w)
{
    return w->plan->guarded && w->l.first == LOOKUP_SPARSE_FIRST;
}

/* Texel, or struct of residency code and texel: `plain` with another texel if the lookup is sparse. */
uint32_t with_texel(struct rewriter *r, const struct lookup *l, uint32_t texel, uint32_t plain);

/* The word `more` of the image's record (uint). */
uint32_t lookup_view(struct rewriting *w);

/* True: the record of a separate image has the comparison bits. Combined records have them themselves. */
bool lookup_view_decides(const struct rewriting *w);

/* True: what the lookup gives passes through lookup_seen(). */
bool lookup_is_seen(const struct rewriting *w);

/* A comparison's result (four of a gather) -> what the view makes of it: the channel that a separate image shows, and
 * the texture's value where comparisons fail. */
uint32_t lookup_seen(struct rewriting *w, uint32_t result);

/* The label of the block behind the lookup's last branch. */
uint32_t lookup_merge_label(struct rewriting *w);

/*
 * Branches to `merge` and begins it. There `result` is `plain` where the block `before` was the last one, and `other`
 * where it was the current block.
 */
void lookup_merge(struct rewriting *w, uint32_t merge, uint32_t result, uint32_t plain, uint32_t before,
                  uint32_t other);

#endif
