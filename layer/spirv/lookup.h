/*
 * Lookup: one sampling or gathering instruction taken apart, and the code that takes its place.
 */
#ifndef CLAMPLER_SPIRV_LOOKUP_H
#define CLAMPLER_SPIRV_LOOKUP_H

#include "spirv/bounds.h"
#include "spirv/opcodes.h"
#include "spirv/plan.h"
#include "spirv/writer.h"

/* Image operands in the order of the mask's bits; Grad alone has two words. */
#define IMAGE_OPERAND_BITS 17u

extern const uint8_t lookup_operand_words[IMAGE_OPERAND_BITS]; /* how many words follow for each bit of the mask */

struct image_operands {
    uint32_t mask;
    uint32_t value[IMAGE_OPERAND_BITS]; /* by bit */
    uint32_t grad_y;
};

struct lookup {
    const uint32_t *words;
    uint32_t first; /* LOOKUP_FIRST or LOOKUP_SPARSE_FIRST: where its kind of opcodes begins */
    bool implicit;
    bool dref;
    bool projective;
    bool gather;
    uint32_t result_type;
    uint32_t result;
    uint32_t sampled_image;
    uint32_t coordinate;
    uint32_t extra; /* Dref or gathered component; 0: none */
    struct image_operands operands;

    uint32_t image_type;
    uint32_t axes; /* that wrap: 1 to 3; cubes: 2, on a face */
    bool cube;     /* the coordinate is a direction */
    bool arrayed;  /* a layer follows the axes or the direction in the coordinate */
    enum scalar texels;
    uint32_t coordinate_size; /* components */
};

enum lookup_kind {
    LOOKUP_TAKEN,   /* *lookup is filled in */
    LOOKUP_UNMOVED, /* multisampled images and the like have no wrap modes: nothing to say */
    LOOKUP_STRANGE, /* valid perhaps, but not something that this rewriter knows */
};

enum lookup_kind lookup_read(const struct module *m, uint32_t offset, struct lookup *lookup);

/* Components of a scalar or vector of 32-bit floats (or ints); 0 for any other type. */
uint32_t lookup_components_of(const struct module *m, uint32_t type, uint32_t scalar_opcode);

static inline bool lookup_has_offset(const struct lookup *l)
{
    return (l->operands.mask & (8u | 16u)) != 0; /* ConstOffset, Offset */
}

static inline bool lookup_has_four_offsets(const struct lookup *l)
{
    return (l->operands.mask & (32u | 0x10000u)) != 0; /* ConstOffsets, Offsets */
}

/* Components of the coordinate without the layer. */
static inline uint32_t lookup_place_components(const struct lookup *l)
{
    return l->cube ? 3 : l->axes;
}

/* Numbers of the bits of masks of image operands. */
enum {
    OPERAND_BIAS = 0,
    OPERAND_LOD = 1,
    OPERAND_GRAD = 2,
    OPERAND_CONST_OFFSET = 3,
    OPERAND_OFFSET = 4,
    OPERAND_CONST_OFFSETS = 5,
    OPERAND_MIN_LOD = 7,
    OPERAND_OFFSETS = 16,
};

/* An image operand by the number of its bit; 0 if the lookup does not have it. */
static inline uint32_t lookup_operand(const struct lookup *l, uint32_t bit)
{
    return l->operands.mask >> bit & 1u ? l->operands.value[bit] : 0;
}

/* Does tier 1 do anything for this lookup? Of cubes it knows biases, least levels of detail and comparisons only. */
bool lookup_tier1_acts(const struct rewriter *r, const struct lookup *l);

/* Does this lookup make up for the driver's limit of biases, where a record asks for it? */
bool lookup_makes_up_bias(const struct rewriter *r, const struct lookup *l);

/* ... or for what its own bias makes of a sampler's that is beyond all limits? */
static inline bool lookup_minds_bias(const struct rewriter *r, const struct lookup *l)
{
    return lookup_makes_up_bias(r, l) || (!l->gather && lookup_operand(l, OPERAND_BIAS) != 0);
}

/* Float constants: what the driver's sampler has at most of a bias, and the bound of the sum of all. */
uint32_t lookup_bias_limit(struct rewriter *r);
uint32_t lookup_most_bias(struct rewriter *r);

/* Writes what takes the instruction's place. */
void lookup_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

/*
 * Pieces shared with the filter. Vectors of three stand for every image: unused axes are zero.
 */
struct rewriting {
    struct rewriter *r;
    const struct site *site;
    const struct site_plan *plan;
    struct lookup l;
    uint32_t record;                   /* first quarter; in tier 2 decided (lookup_decided_record) */
    uint32_t s;                        /* coordinate along the axes, divided if projective; cubes: the direction */
    uint32_t dx, dy;                   /* its derivatives, implicit LOD only; 0: not taken yet */
    uint32_t reference;                /* Dref, divided if projective and clamped as the record says; 0: none */
    struct bounds bounds;              /* tier 1's; in tier 2 only while it looks up elsewhere */
    bool normalized;                   /* coordinate and gradients are as the driver takes them, not the program's */
    uint32_t texels;                   /* ... and this is the program's, whose derivatives count: the pixels of a quad
                                          may have other factors each; 0: they have one */
    uint32_t rectangle;                /* beside texels, bool: there is a factor */
    uint32_t offset3;                  /* texel offset as ivec3; 0: none */
    uint32_t places[2];                /* of the sources' records (record_place); 0: read from the plan */
    const struct batch_images *images; /* the code serves several lookups (batch.h); NULL: the site's own */
};

/* Writes the load of a quarter of the record of one of the lookup's sources. */
uint32_t lookup_record(struct rewriting *w, uint32_t source, uint32_t quarter);

/* The record as it was loaded -> as tier 2 follows it: what sampler and image need together where they are a pair. */
uint32_t lookup_decided_record(struct rewriting *w, uint32_t record);

/* Reads the site and writes what every form of it needs: record, coordinate, derivatives, offset. */
void lookup_open(struct rewriter *r, const struct site *site, const struct site_plan *plan, struct rewriting *w);

/*
 * The parts of a lookup whose filter a batch writes. `lookup_unfiltered`: the lookup in its place, as a new value; all
 * of tier 1 but for implicit lookups that branch. `lookup_branches`: those, but for cubes of which tier 1 moves
 * nothing; `lookup_acts` says in a bool whether such a record may do something, `lookup_filter_or_move` gives the value
 * that it asks for: `plain` if nothing moved, where that is known (0: not). `lookup_take_derivatives` is for plans with
 * late derivatives, and comes before the last. `lookup_unguarded` is lookup_unfiltered on a path where the record does
 * not filter.
 */
uint32_t lookup_unfiltered(struct rewriting *w);
uint32_t lookup_unguarded(struct rewriting *w);
static inline bool lookup_branches(const struct rewriting *w)
{
    return w->plan->form == SITE_BRANCH && (!w->l.cube || lookup_minds_bias(w->r, &w->l));
}
void lookup_take_derivatives(struct rewriting *w);
uint32_t lookup_filters(struct rewriting *w);
uint32_t lookup_acts(struct rewriting *w);
uint32_t lookup_filter_or_move(struct rewriting *w, uint32_t plain);

uint32_t pad_axes(struct rewriter *r, uint32_t vector, uint32_t axes);
uint32_t unpad_axes(struct rewriter *r, uint32_t vector, uint32_t axes);
uint32_t coordinate_component(struct rewriter *r, const struct lookup *l, uint32_t component);
uint32_t padded_offset(struct rewriter *r, uint32_t offset);

/* The coordinate operand again, from what lies along the axes, or the direction. */
uint32_t whole_coordinate(struct rewriter *r, const struct lookup *l, uint32_t s);

/*
 * The sampled image, or what was loaded, as an operand in the current block: OpSampledImage must be, and the loads that
 * feed it had better be, in the block of the lookup, so they are repeated where the block that they were written in has
 * ended.
 */
uint32_t opaque_here(struct rewriter *r, uint32_t id);
uint32_t sampled_image_here(struct rewriter *r, uint32_t id);

/* Is its residency made of its texels', because the lookup itself is not executed? */
static inline bool lookup_gathers_residency(const struct rewriting *w)
{
    return w->plan->guarded && w->l.first == LOOKUP_SPARSE_FIRST;
}

/* Texel, or struct of residency code and texel: `plain` with another texel if the lookup is sparse. */
uint32_t with_texel(struct rewriter *r, const struct lookup *l, uint32_t texel, uint32_t plain);

/*
 * A comparison's result (four of a gather) -> what the view of a separate image shows of it. Combined records have
 * decided that.
 */
uint32_t lookup_seen(struct rewriting *w, uint32_t result);

/* Tier 2: writes the filter into the current block and those that it opens; returns the lookup's result. */
uint32_t filter_write(struct rewriting *w, uint32_t plain);

#endif
