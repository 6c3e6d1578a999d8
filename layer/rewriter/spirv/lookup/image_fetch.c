/* SPDX-License-Identifier: MIT */
/*
 * Fetches from sampled images, and queries of the size of their levels.
 *
 * Where a combined image sampler's texels are not decoded from sRGB lookups return the stored values, so the driver's
 * view does not decode; but fetches must decode (EXT_texture_sRGB_decode). Where an image has border texels around its
 * texture positions are counted from the texture's first texel, and sizes are the texture's (OpenGL 2.1, 3.8.8).
 */
#include "spirv/lookup/image_fetch.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/operands/operands.h"
#include "spirv/sites/records.h"
#include "spirv/sites/texel_buffer.h"
#include "spirv/write/library.h"
#include "spirv/write/opaque.h"

enum { MOST_OPERANDS = 12 };

/* The image of a fetch or a query. */
struct image {
    uint32_t axes; /* 0: one that has no border */
    bool arrayed;
};

static struct image image_of(const struct module *m, uint32_t id)
{
    const uint32_t *image = module_definition(m, module_type_of(m, id));
    const bool plain = image[IMAGE_DIM] <= SpvDim3D && image[IMAGE_MULTISAMPLED] == 0;
    const bool cube = image[IMAGE_DIM] == SpvDimCube;
    return (struct image){cube ? 2 : plain ? image[IMAGE_DIM] + 1 : 0, image[IMAGE_ARRAYED] == 1};
}

struct fetch {
    const uint32_t *words;
    uint32_t texel_type, sparse_type; /* 0: not sparse */
    struct image image;
    struct image_operands operands;
    uint32_t components; /* of the coordinate */
    bool decodes;        /* of four floats of 32 bits */
    bool moves;          /* its image may have a border */
};

static bool is_vector_of_floats(const struct module *m, uint32_t type)
{
    const uint32_t *texel = module_definition(m, type);
    enum scalar scalar;
    return inst_opcode(texel) == SpvOpTypeVector && texel[3] == 4 && texel_scalar(m, texel[2], &scalar) &&
           scalar == SCALAR_FLOAT;
}

/* Is an operand of the fetch left out, or of so many integers of 32 bits? */
static bool has_plain_operand(const struct module *m, const struct fetch *f, uint32_t bit, uint32_t components)
{
    return !(f->operands.mask >> bit & 1u) ||
           lookup_components_of(m, module_type_of(m, f->operands.value[bit]), SpvOpTypeInt) == components;
}

/* `whole`: of a combined image sampler. False: it is unknown. */
static bool fetch_read(const struct rewriter *r, const struct site *site, bool whole, struct fetch *f)
{
    const struct module *m = r->m;
    *f = (struct fetch){.words = m->words + site->offset};
    if (!fetched_type(m, f->words, &f->texel_type, &f->sparse_type) || inst_length(f->words) > MOST_OPERANDS)
        return false;
    f->image = image_of(m, f->words[3]);
    f->decodes = whole && is_vector_of_floats(m, f->texel_type);
    f->moves = plan_knows_borders(r) && f->image.axes != 0;
    if (!f->moves)
        return f->decodes;
    f->components = lookup_components_of(m, module_type_of(m, f->words[4]), SpvOpTypeInt);
    const uint32_t needed = f->image.axes + (f->image.arrayed ? 1u : 0u);
    return f->components >= needed && f->components <= 3 && image_operands_read(f->words, 5, &f->operands) &&
           has_plain_operand(m, f, SpvImageOperandsLodShift, 1) &&
           has_plain_operand(m, f, SpvImageOperandsConstOffsetShift, f->image.axes) &&
           has_plain_operand(m, f, SpvImageOperandsOffsetShift, f->image.axes);
}

/*
 * Takes the record of the whole descriptor, because only that has the chosen view. False: the image is not of a
 * combined image sampler; in heaps images and samplers are apart.
 */
static bool source_is_whole(const struct rewriter *r, struct record_source *source)
{
    const bool whole = !trace_is_in_heaps(r->layout) &&
                       (source->declared == HALF_BOTH || (source->origin == ORIGIN_SET && source->split));
    if (whole)
        trace_take_whole(source);
    return whole;
}

bool image_fetch_plan(struct rewriter *r, const struct site *site, struct site_plan *plan)
{
    struct fetch f;
    trace_descriptor(r->m, r->layout, r->m->words[site->offset + 3], &plan->sources[0]);
    const bool whole = source_is_whole(r, &plan->sources[0]);
    const struct image image = image_of(r->m, r->m->words[site->offset + 3]);
    const uint32_t *type = module_definition(r->m, module_type_of(r->m, r->m->words[site->offset + 3]));
    const bool floats = module_opcode(r->m, type[IMAGE_SAMPLED_TYPE]) == SpvOpTypeFloat;
    if (!(whole && floats) && !(plan_knows_borders(r) && image.axes != 0))
        return false;
    if (!fetch_read(r, site, whole, &f)) {
        plan_leave_alone(r, "its operands or types are not known here");
        return false;
    }
    plan->source_count = 1;
    plan->form = SITE_STRAIGHT;
    return plan_sources_usable(r, plan);
}

static uint32_t level_of(struct rewriter *r, uint32_t level)
{
    const uint32_t int_type = type_vector(r, SCALAR_INT, 1);
    if (level == 0)
        return constant_int(r, 0);
    return module_type_of(r->m, level) == int_type ? level : VALUE(r, SpvOpBitcast, int_type, level);
}

/* The first components of an ivec3 as a value of another type of integers. */
static uint32_t unpadded(struct rewriter *r, uint32_t vector, uint32_t components, uint32_t type)
{
    const uint32_t own = type_vector(r, SCALAR_INT, components);
    const uint32_t part = components == 3   ? vector
                          : components == 2 ? VALUE(r, SpvOpVectorShuffle, own, vector, vector, 0, 1)
                                            : VALUE(r, SpvOpCompositeExtract, own, vector, 0);
    return own == type ? part : VALUE(r, SpvOpBitcast, type, part);
}

/* The image's coordinate of a fetch that has no texel offset. */
static uint32_t write_place(struct rewriter *r, const struct fetch *f, const struct site_plan *plan, uint32_t record)
{
    const uint32_t ivec3 = type_vector(r, SCALAR_INT, 3);
    const uint32_t offset =
        f->operands.mask & SpvImageOperandsConstOffsetMask ? f->operands.value[SpvImageOperandsConstOffsetShift]
        : f->operands.mask & SpvImageOperandsOffsetMask    ? f->operands.value[SpvImageOperandsOffsetShift]
                                                           : 0;
    uint32_t at = padded_offset(r, f->words[4]);
    if (offset != 0) {
        const uint32_t more = padded_offset(r, offset);
        at = VALUE(r, SpvOpIAdd, ivec3, at, more);
    }
    const uint32_t level = level_of(r, f->operands.value[SpvImageOperandsLodShift]);
    const uint32_t rest = load_quarter(r, plan, 0, 3);
    const uint32_t axes = constant_int(r, (int32_t)f->image.axes);
    const uint32_t place = library_call(r, LIBRARY_BORDERED_FETCH_PLACE, OPERANDS(at, level, record, rest, axes));
    return unpadded(r, place, f->components, module_type_of(r->m, f->words[4]));
}

/* The words of the fetch, at the place in the image; returns how many. */
static uint32_t place_operands(const struct fetch *f, uint32_t place, uint32_t operands[MOST_OPERANDS])
{
    const uint32_t mask = f->operands.mask & ~LOOKUP_OFFSET_MASK;
    uint32_t count = 4;
    operands[3] = place;
    if (mask != 0)
        operands[count++] = mask;
    for (uint32_t bit = 0; bit < IMAGE_OPERAND_BITS; bit++) {
        if (mask >> bit & 1u && lookup_operand_words[bit] != 0)
            operands[count++] = f->operands.value[bit];
    }
    return count;
}

/*
 *     r = fetch(image, at)       texel = fetch(image, place(at, record))      (place: of images with a border)
 *                                r = fetched_seen(texel, record)              (of combined image samplers, floats)
 */
void image_fetch_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    struct fetch f;
    uint32_t operands[MOST_OPERANDS];
    if (!fetch_read(r, site, plan->sources[0].half == HALF_BOTH, &f))
        return;
    uint32_t count = inst_length(f.words) - 1;
    const uint32_t result_type = f.words[1], result = f.words[2];
    const uint32_t record = f.moves ? load_record(r, plan) : 0;
    memcpy(operands, f.words + 1, count * sizeof(*operands));
    if (f.moves)
        count = place_operands(&f, write_place(r, &f, plan, record), operands);
    const uint32_t fetched = f.decodes ? new_id(r) : result;
    operands[1] = fetched;
    operands[2] = opaque_here(r, operands[2]);
    if (f.decodes)
        decorate_like(r, fetched, module_id(r->m, result)->marks & MARK_NON_UNIFORM);
    write_to(r, &r->body, inst_opcode(f.words), operands, count);
    if (!f.decodes)
        return;
    const uint32_t texel = f.sparse_type ? VALUE(r, SpvOpCompositeExtract, f.texel_type, fetched, 1) : fetched;
    const uint32_t decided = record != 0 ? record : load_record(r, plan);
    const uint32_t seen = library_call(r, LIBRARY_FETCHED_SEEN, OPERANDS(texel, decided));
    if (f.sparse_type)
        WRITE(r, SpvOpCompositeInsert, result_type, result, seen, fetched, 1);
    else
        WRITE(r, SpvOpCopyObject, result_type, result, seen);
}

/* ---- Sizes ---- */

bool level_size_plan(struct rewriter *r, const struct site *site, struct site_plan *plan)
{
    const uint32_t *inst = r->m->words + site->offset;
    const struct image image = image_of(r->m, inst[3]);
    const uint32_t components = lookup_components_of(r->m, inst[1], SpvOpTypeInt);
    if (!plan_knows_borders(r) || image.axes == 0)
        return false;
    if (components < image.axes || components > 3 ||
        lookup_components_of(r->m, module_type_of(r->m, inst[4]), SpvOpTypeInt) != 1) {
        plan_leave_alone(r, "its operands or types are not known here");
        return false;
    }
    trace_descriptor(r->m, r->layout, inst[3], &plan->sources[0]);
    source_is_whole(r, &plan->sources[0]);
    plan->source_count = 1;
    plan->form = SITE_STRAIGHT;
    return plan_sources_usable(r, plan);
}

/*
 *     r = size(image, level)     size = size(image, level)
 *                                r = level_size(size, level, record)
 */
void level_size_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    const uint32_t *inst = r->m->words + site->offset;
    const uint32_t type = inst[1], result = inst[2];
    const uint32_t components = lookup_components_of(r->m, type, SpvOpTypeInt);
    const uint32_t image = opaque_here(r, inst[3]);
    const uint32_t own = type_vector(r, SCALAR_INT, components);
    const uint32_t of_image = VALUE(r, SpvOpImageQuerySizeLod, own, image, inst[4]);
    const uint32_t size = padded_ints(r, of_image, components);
    const uint32_t level = level_of(r, inst[4]);
    const uint32_t record = load_record(r, plan);
    const uint32_t rest = load_quarter(r, plan, 0, 3);
    const uint32_t axes = constant_int(r, (int32_t)image_of(r->m, inst[3]).axes);
    const uint32_t seen = library_call(r, LIBRARY_BORDERED_LEVEL_SIZE, OPERANDS(size, level, record, rest, axes));
    const uint32_t value = unpadded(r, seen, components, type);
    WRITE(r, SpvOpCopyObject, type, result, value);
}
