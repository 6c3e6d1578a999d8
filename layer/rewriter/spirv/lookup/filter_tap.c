/* SPDX-License-Identifier: MIT */
/*
 * Reads one tap of tier 2: fetches a texel by its position, without a sampler. Cubes cannot be fetched from; their
 * texels are sampled in the direction of the texel's centre, or gathered, because only a gather reads level 0 whatever
 * the sampler's bias and least level of detail. Texels of all images are sampled where the driver's fetches are wrong
 * (texels_sampled) and there is a nearest sampler.
 */
#include "spirv/lookup/filter.h"

#include <spirv/unified1/spirv.h>
#include "spirv/lookup/bounds.h"
#include "spirv/operands/images.h"
#include "spirv/operands/operands.h"
#include "spirv/sites/records.h"
#include "spirv/write/library.h"
#include "spirv/write/opaque.h"

#define ONE_FLOAT 0x3f800000u

void filter_tap_prepare(struct filter *f)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t first = lookup_record(w, 0, 1);
    f->border = first;
    if (w->plan->source_count > 1) {
        uint32_t colour = lookup_record(w, 1, 1);
        uint32_t one = constant_uint(r, w->l.texels == SCALAR_FLOAT ? ONE_FLOAT : 1u);
        uint32_t compared = constant_bool(r, w->l.dref);
        f->border = library_call(r, LIBRARY_PAIR_BORDER, OPERANDS(colour, first, one, compared));
    }
    if (r->options->extras && w->l.texels == SCALAR_FLOAT && !w->l.dref) {
        f->encoding = w->plan->source_count > 1 ? library_call(r, LIBRARY_SRGB_PLAIN_OF_PAIR, OPERANDS(first))
                                                : library_call(r, LIBRARY_SRGB_PLAIN, OPERANDS(w->record));
    }
    if (lookup_view_decides(w))
        f->view = lookup_view(w);
    if (f->edges) {
        uint32_t limit = lookup_bias_limit(r, w->record);
        f->tap_bias = library_call(r, LIBRARY_DRIVER_BIAS, OPERANDS(w->record, limit));
        return;
    }
    if (r->options->texels_sampled && !w->l.cube)
        f->nearest = nearest_sampler(r, w->plan);
    if (w->l.cube) {
        /* The sampler of a combined descriptor is made for this and has no bias. */
        if (w->plan->source_count > 1)
            f->nearest = nearest_sampler(r, w->plan);
        uint32_t limit = lookup_bias_limit(r, w->record);
        f->tap_bias = w->plan->source_count > 1 && f->nearest.count == 0 && !w->l.gather
                          ? library_call(r, LIBRARY_DRIVER_BIAS, OPERANDS(w->record, limit))
                          : constant_float(r, 0.0f);
    } else if (w->l.arrayed && f->nearest.count == 0) {
        uint32_t layer = coordinate_component(r, &w->l, w->l.axes);
        f->layer = library_call(r, LIBRARY_FILTER_LAYER, OPERANDS(layer, w->record));
    }
}

static uint32_t write_image(struct rewriting *w)
{
    struct rewriter *r = w->r;
    const uint32_t *inst = module_definition(r->m, w->l.sampled_image);
    if (inst_opcode(inst) == SpvOpSampledImage)
        return opaque_here(r, inst[3]);
    uint32_t sampled_image = sampled_image_here(r, w->l.sampled_image);
    uint32_t image = VALUE(r, SpvOpImage, w->l.image_type, sampled_image);
    decorate_like(r, image, module_id(r->m, w->l.sampled_image)->marks & MARK_NON_UNIFORM);
    return image;
}

/* Image operands that do not change the texel's position. */
static uint32_t kept_operands(const struct lookup *l)
{
    return l->operands.mask &
           (SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask | SpvImageOperandsNontemporalMask);
}

/* Texel position of the tap (ivec3) for the fetch: the image's axes, then the layer. */
static uint32_t fetch_coordinate(struct filter *f, uint32_t tap)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t axes = w->l.axes;
    if (axes == 1) {
        uint32_t x = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_INT, 1), tap, 0, 0);
        return f->layer == 0 ? x : VALUE(r, SpvOpCompositeConstruct, type_vector(r, SCALAR_INT, 2), x, f->layer);
    }
    uint32_t texel = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_INT, 3), tap, 0);
    if (f->layer != 0)
        return VALUE(r, SpvOpCompositeInsert, type_vector(r, SCALAR_INT, 3), f->layer, texel, 2);
    return axes == 3 ? texel : VALUE(r, SpvOpVectorShuffle, type_vector(r, SCALAR_INT, 2), texel, texel, 0, 1);
}

/* The operands of a tap: coordinate, level, sampler. */
struct tap_read {
    uint32_t coordinate, level;    /* of cubes: the level of detail */
    const struct nearest *nearest; /* as in struct filter */
    uint32_t type;                 /* of the result: the texel, or the comparison; with its residency if sparse */
    bool sparse;
};

static uint32_t fetch_image(struct rewriting *w, const void *user)
{
    struct rewriter *r = w->r;
    const struct tap_read *how = user;
    uint32_t image = write_image(w);
    uint32_t texel = VALUE(r, how->sparse ? SpvOpImageSparseFetch : SpvOpImageFetch, how->type, image, how->coordinate,
                           SpvImageOperandsLodMask | kept_operands(&w->l), how->level);
    decorate_like(r, texel, module_id(r->m, w->l.result)->marks & MARK_NON_UNIFORM);
    return texel;
}

/* The lookup's image with the nearest sampler. */
static uint32_t through_nearest(struct rewriting *w, const struct nearest_place *nearest)
{
    struct rewriter *r = w->r;
    uint32_t image = write_image(w);
    uint32_t sampler = nearest_load(r, nearest);
    uint32_t sampled = VALUE(r, SpvOpSampledImage, module_type_of(r->m, w->l.sampled_image), image, sampler);
    uint32_t marks = module_id(r->m, w->l.sampled_image)->marks | (nearest->non_uniform ? MARK_NON_UNIFORM : 0);
    decorate_like(r, sampled, marks & MARK_NON_UNIFORM);
    return sampled;
}

/* Does the driver compare? Only a sampler of the lookup's can. */
static bool sampler_compares(const struct lookup *l, const struct nearest *nearest)
{
    return l->cube && l->dref && nearest->count == 0;
}

static uint32_t sample_through(struct rewriting *w, const struct tap_read *how, uint32_t sampled_image)
{
    struct rewriter *r = w->r;
    bool compares = sampler_compares(&w->l, how->nearest);
    uint32_t mask = SpvImageOperandsLodMask | kept_operands(&w->l);
    uint32_t opcode = compares ? SpvOpImageSampleDrefExplicitLod : SpvOpImageSampleExplicitLod;
    opcode = how->sparse ? opcode - LOOKUP_FIRST + LOOKUP_SPARSE_FIRST : opcode;
    uint32_t texel = compares
                         ? VALUE(r, opcode, how->type, sampled_image, how->coordinate, w->reference, mask, how->level)
                         : VALUE(r, opcode, how->type, sampled_image, how->coordinate, mask, how->level);
    decorate_like(r, texel, module_id(r->m, w->l.result)->marks & MARK_NON_UNIFORM);
    return texel;
}

/* One of several samplers, by a switch whose default is the first. */
static uint32_t sample_through_one(struct rewriting *w, const struct tap_read *how)
{
    struct rewriter *r = w->r;
    const struct nearest *nearest = how->nearest;
    uint32_t operands[2 * NEAREST_MOST], phi[2 * NEAREST_MOST];
    operands[0] = nearest->selector;
    operands[1] = new_id(r);
    for (uint32_t i = 1; i < nearest->count; i++) {
        operands[2 * i] = i;
        operands[2 * i + 1] = new_id(r);
    }
    uint32_t merge = new_id(r);
    WRITE(r, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    write_to(r, &r->body, SpvOpSwitch, operands, 2 * nearest->count);
    for (uint32_t i = 0; i < nearest->count; i++) {
        begin_block(r, operands[2 * i + 1]);
        phi[2 * i] = sample_through(w, how, through_nearest(w, &nearest->places[i]));
        phi[2 * i + 1] = r->label;
        write_branch(r, merge);
    }
    begin_block(r, merge);
    return write_value(r, SpvOpPhi, how->type, phi, 2 * nearest->count);
}

static uint32_t sample_image(struct rewriting *w, const void *user)
{
    const struct tap_read *how = user;
    switch (how->nearest->count) {
    case 0:
        return sample_through(w, how, sampled_image_here(w->r, w->l.sampled_image));
    case 1:
        return sample_through(w, how, through_nearest(w, &how->nearest->places[0]));
    default:
        return sample_through_one(w, how);
    }
}

/* Taps of a gather that have no sampler but the lookup's own are gathers. */
static bool tap_gathers(const struct filter *f)
{
    return f->w->l.cube && f->w->l.gather && f->nearest.count == 0;
}

/* Adds the residency of a sparse texel to the filter's, and returns the texel. */
static uint32_t take_residency(struct filter *f, uint32_t tap, uint32_t read, uint32_t texel_type)
{
    struct rewriter *r = f->w->r;
    uint32_t code_type = module_definition(r->m, f->w->l.result_type)[2];
    uint32_t none = constant_float(r, 0.0f);
    uint32_t code = VALUE(r, SpvOpCompositeExtract, code_type, read, 0);
    uint32_t weight = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_FLOAT, 1), tap, 2);
    uint32_t outside = VALUE(r, SpvOpCompositeExtract, type_bool(r), tap, 3);
    /* Shares of a cubic filter may be negative. */
    uint32_t weighs = VALUE(r, f->probes != 0 ? SpvOpFOrdNotEqual : SpvOpFOrdGreaterThan, type_bool(r), weight, none);
    uint32_t inside = VALUE(r, SpvOpLogicalNot, type_bool(r), outside);
    uint32_t counts = VALUE(r, SpvOpLogicalAnd, type_bool(r), weighs, inside);
    if (f->residency == 0) {
        f->residency = code;
        f->resided = counts;
    } else {
        uint32_t resident = VALUE(r, SpvOpImageSparseTexelsResident, type_bool(r), code);
        uint32_t adds_nothing = VALUE(r, SpvOpLogicalAnd, type_bool(r), resident, f->resided);
        uint32_t adds = VALUE(r, SpvOpLogicalNot, type_bool(r), adds_nothing);
        uint32_t takes = VALUE(r, SpvOpLogicalAnd, type_bool(r), counts, adds);
        if (f->first != 0)
            takes = VALUE(r, SpvOpLogicalOr, type_bool(r), takes, f->first);
        f->first = 0;
        f->residency = VALUE(r, SpvOpSelect, code_type, takes, code, f->residency);
        f->resided = VALUE(r, SpvOpLogicalOr, type_bool(r), f->resided, counts);
    }
    return VALUE(r, SpvOpCompositeExtract, texel_type, read, 1);
}

static uint32_t read_at(struct filter *f, uint32_t tap, struct tap_read *how)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t type =
        sampler_compares(&w->l, &f->nearest) ? type_vector(r, SCALAR_FLOAT, 1) : type_vector(r, w->l.texels, 4);
    how->sparse = lookup_gathers_residency(w);
    how->nearest = &f->nearest;
    how->type = type;
    if (how->sparse) {
        uint32_t code_type = module_definition(r->m, w->l.result_type)[2];
        f->sparse_type = f->sparse_type != 0 ? f->sparse_type : TYPE(r, SpvOpTypeStruct, code_type, type);
        how->type = f->sparse_type;
    }
    uint32_t read = images_each(w, how->type, w->l.cube || f->nearest.count != 0 ? sample_image : fetch_image, how);
    return how->sparse ? take_residency(f, tap, read, type) : read;
}

/*
 * The last of the four texels, in every channel: the lookup gathers one channel. A comparison is one number. Batches
 * have no gathers.
 */
static uint32_t read_gathered(struct filter *f, uint32_t tap)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    bool sparse = lookup_gathers_residency(w);
    uint32_t vec4 = type_vector(r, w->l.texels, 4);
    uint32_t direction = f->stored != 0
                             ? library_call(r, LIBRARY_BORDERED_CUBE_FOOTPRINT_DIRECTION,
                                            OPERANDS(tap, f->face, w->record, f->rest, f->stored))
                             : library_call(r, LIBRARY_CUBE_FOOTPRINT_DIRECTION, OPERANDS(tap, f->face, w->record));
    uint32_t coordinate = whole_coordinate(r, &w->l, direction);
    uint32_t sampled_image = sampled_image_here(r, w->l.sampled_image);
    uint32_t extra = w->l.dref ? w->reference : w->l.extra;
    uint32_t opcode = inst_opcode(w->l.words) - w->l.first + (sparse ? LOOKUP_SPARSE_FIRST : LOOKUP_FIRST);
    uint32_t type = sparse ? w->l.result_type : vec4;
    uint32_t operands[] = {sampled_image, coordinate, extra, kept_operands(&w->l)};
    uint32_t texels = write_value(r, opcode, type, operands, operands[3] != 0 ? 4 : 3);
    decorate_like(r, texels, module_id(r->m, w->l.result)->marks & MARK_NON_UNIFORM);
    texels = sparse ? take_residency(f, tap, texels, vec4) : texels;
    uint32_t texel = VALUE(r, SpvOpCompositeExtract, type_vector(r, w->l.texels, 1), texels, 3);
    return w->l.dref ? texel : VALUE(r, SpvOpCompositeConstruct, vec4, texel, texel, texel, texel);
}

/* The texel itself; of cubes that compare, its comparison. */
static uint32_t read_texel(struct filter *f, uint32_t tap)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    struct tap_read how;
    if (!w->l.cube && f->nearest.count != 0) {
        uint32_t centre = f->stored != 0 ? library_call(r, LIBRARY_BORDERED_TEXEL_CENTRE,
                                                        OPERANDS(tap, w->record, f->rest, f->stored))
                                         : library_call(r, LIBRARY_FILTER_TEXEL_CENTRE, OPERANDS(tap, w->record));
        uint32_t s = unpad_axes(r, centre, w->l.axes);
        how.level = library_call(r, LIBRARY_FILTER_TEXEL_LOD, OPERANDS(tap));
        how.coordinate = whole_coordinate(r, &w->l, s);
        return read_at(f, tap, &how);
    }
    if (!w->l.cube) {
        how.level = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_INT, 1), tap, 1);
        how.coordinate = fetch_coordinate(f, tap);
        return read_at(f, tap, &how);
    }
    if (tap_gathers(f))
        return read_gathered(f, tap);
    uint32_t direction = f->stored != 0
                             ? library_call(r, LIBRARY_BORDERED_CUBE_TEXEL_DIRECTION,
                                            OPERANDS(tap, f->face, w->record, f->rest, f->stored))
                             : library_call(r, LIBRARY_CUBE_TEXEL_DIRECTION, OPERANDS(tap, f->face, w->record));
    how.level = library_call(r, LIBRARY_CUBE_TAP_LOD, OPERANDS(tap, f->tap_bias));
    how.coordinate = whole_coordinate(r, &w->l, direction);
    return read_at(f, tap, &how);
}

/* Encodes texels of formats that decode sRGB, for samplers that skip decoding. Rare, so it is in a branch. */
static uint32_t encoded(struct filter *f, uint32_t texel)
{
    struct rewriter *r = f->w->r;
    uint32_t skips = library_call(r, LIBRARY_RECORD_ENCODES, OPERANDS(f->w->record));
    uint32_t before = r->label;
    uint32_t encode = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, skips, encode, merge, merge);
    begin_block(r, encode);
    uint32_t stored = library_call(r, LIBRARY_SKIP_DECODING, OPERANDS(texel, f->encoding));
    write_branch(r, merge);
    begin_block(r, merge);
    return VALUE(r, SpvOpPhi, type_vector(r, SCALAR_FLOAT, 4), texel, before, stored, encode);
}

uint32_t filter_tap_read(struct filter *f, uint32_t tap)
{
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t texel = read_texel(f, tap);
    uint32_t outside = VALUE(r, SpvOpCompositeExtract, type_bool(r), tap, 3);
    if (sampler_compares(&w->l, &f->nearest))
        return library_call(r, LIBRARY_CUBE_COMPARED, OPERANDS(texel, f->border, outside, w->reference, w->record));
    if (w->l.texels != SCALAR_FLOAT) {
        return library_call(r, w->l.texels == SCALAR_INT ? LIBRARY_FILTER_TEXEL_INT : LIBRARY_FILTER_TEXEL_UINT,
                            OPERANDS(texel, f->border, outside, w->record));
    }
    if (f->encoding != 0)
        texel = encoded(f, texel);
    if (f->view != 0)
        texel = library_call(r, LIBRARY_TEXEL_DEPTH, OPERANDS(texel, f->view));
    texel = library_call(r, LIBRARY_FILTER_TEXEL_FLOAT, OPERANDS(texel, f->border, outside));
    if (!w->l.dref)
        return texel;
    uint32_t depth = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_FLOAT, 1), texel, 0);
    return library_call(r, LIBRARY_FILTER_COMPARE, OPERANDS(depth, w->reference, w->record));
}

/* ---- Lookups of the driver's ---- */

/* A library's Edge on its way: members of the struct in shaders/filter.glsl, and of Beyond. */
struct edge_read {
    uint32_t is_beyond; /* bool */
    uint32_t inside;    /* float: the share that is not border */
    struct tap_read how;
};

/* Bounds the coordinate where the footprint reaches beyond the edge. */
static void open_edge(struct filter *f, uint32_t edge, struct edge_read *read)
{
    enum { PLACE, SIZE, LOD, WEIGHT, BEYOND };
    struct rewriting *w = f->w;
    struct rewriter *r = w->r;
    uint32_t float_type = type_vector(r, SCALAR_FLOAT, 1);
    uint32_t vec3 = type_vector(r, SCALAR_FLOAT, 3);
    uint32_t place = VALUE(r, SpvOpCompositeExtract, vec3, edge, PLACE);
    uint32_t size = VALUE(r, SpvOpCompositeExtract, vec3, edge, SIZE);
    uint32_t whole = constant_float(r, 1.0f);
    uint32_t before = r->label;
    uint32_t bounds = new_id(r);
    uint32_t look = new_id(r);
    read->is_beyond = VALUE(r, SpvOpCompositeExtract, type_bool(r), edge, BEYOND);
    write_selection(r, read->is_beyond, bounds, look, look);
    begin_block(r, bounds);
    uint32_t beyond = library_call(r, LIBRARY_FILTER_EDGE_BEYOND, OPERANDS(place, size, f->plan, w->record, f->axes));
    uint32_t bounded = VALUE(r, SpvOpCompositeExtract, vec3, beyond, 0);
    uint32_t share = VALUE(r, SpvOpCompositeExtract, float_type, beyond, 1);
    write_branch(r, look);
    begin_block(r, look);
    uint32_t s = VALUE(r, SpvOpPhi, vec3, place, before, bounded, bounds);
    read->inside = VALUE(r, SpvOpPhi, float_type, whole, before, share, bounds);
    read->how = (struct tap_read){.coordinate = whole_coordinate(r, &w->l, unpad_axes(r, s, w->l.axes)),
                                  .level = VALUE(r, SpvOpCompositeExtract, float_type, edge, LOD),
                                  .nearest = &f->nearest,
                                  .type = type_vector(r, SCALAR_FLOAT, 4)};
}

/* Mixes the edge's texel with the border. */
static uint32_t close_edge(struct filter *f, const struct edge_read *read, uint32_t texel)
{
    struct rewriter *r = f->w->r;
    uint32_t before = r->label;
    uint32_t blend = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, read->is_beyond, blend, merge, merge);
    begin_block(r, blend);
    uint32_t blended = library_call(r, LIBRARY_FILTER_EDGE_TEXEL, OPERANDS(texel, f->border, read->inside));
    write_branch(r, merge);
    begin_block(r, merge);
    return VALUE(r, SpvOpPhi, type_vector(r, SCALAR_FLOAT, 4), texel, before, blended, blend);
}

uint32_t filter_edge_read(struct filter *f, uint32_t edge)
{
    struct edge_read read;
    open_edge(f, edge, &read);
    return close_edge(f, &read, images_each(f->w, read.how.type, sample_image, &read.how));
}

/* Two lookups of one image. */
struct sample_pair {
    const struct tap_read *how[2];
    uint32_t type; /* of both */
};

static uint32_t sample_twice(struct rewriting *w, const void *user)
{
    const struct sample_pair *both = user;
    uint32_t lower = sample_image(w, both->how[0]);
    uint32_t upper = sample_image(w, both->how[1]);
    return VALUE(w->r, SpvOpCompositeConstruct, both->type, lower, upper);
}

void filter_edges_read(struct filter *f, const uint32_t edges[2], uint32_t texels[2])
{
    struct rewriter *r = f->w->r;
    struct edge_read reads[2];
    for (uint32_t i = 0; i < 2; i++)
        open_edge(f, edges[i], &reads[i]);
    uint32_t type = reads[0].how.type;
    const struct sample_pair both = {{&reads[0].how, &reads[1].how}, TYPE(r, SpvOpTypeStruct, type, type)};
    uint32_t samples = images_each(f->w, both.type, sample_twice, &both);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t texel = VALUE(r, SpvOpCompositeExtract, type, samples, i);
        texels[i] = close_edge(f, &reads[i], texel);
    }
}
