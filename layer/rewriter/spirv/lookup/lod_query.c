/* SPDX-License-Identifier: MIT */
/*
 * Queries of levels of detail. The driver gives the level of the coordinate; the record has the parts that its sampler
 * may lack: the mode between levels, the range, the bias; and the size of the texture, where its image is larger.
 */
#include "spirv/lookup/lod_query.h"

#include <spirv/unified1/spirv.h>
#include "spirv/operands/operands.h"
#include "spirv/operands/rewriting.h"
#include "spirv/sites/records.h"
#include "spirv/write/library.h"
#include "spirv/write/opaque.h"

/* The operands of a query. */
struct query {
    uint32_t type, result, sampled_image, coordinate;
    bool cube, integer;
};

static bool query_read(const struct module *m, const struct site *site, struct query *query)
{
    const uint32_t *inst = m->words + site->offset;
    const uint32_t *sampled = module_definition(m, module_type_of(m, inst[3]));
    const uint32_t *image = module_definition(m, inst_opcode(sampled) == SpvOpTypeSampledImage ? sampled[2] : 0);
    *query = (struct query){.type = inst[1], .result = inst[2], .sampled_image = inst[3], .coordinate = inst[4]};
    if (inst_opcode(image) != SpvOpTypeImage || lookup_components_of(m, query->type, SpvOpTypeFloat) != 2)
        return false;
    query->cube = image[IMAGE_DIM] == SpvDimCube;
    query->integer = inst_opcode(module_definition(m, image[IMAGE_SAMPLED_TYPE])) == SpvOpTypeInt;
    return true;
}

/* Components of the coordinate; 0: they are no floats of 32 bits. */
static uint32_t components_of(const struct module *m, const struct query *query)
{
    return lookup_components_of(m, module_type_of(m, query->coordinate), SpvOpTypeFloat);
}

/* Tier 1's samplers lack nothing but biases. */
static bool tier_acts(const struct rewriter *r)
{
    const struct lookup any = {.gather = false};
    return r->options->tier >= 2 || lookup_makes_up_bias(r, &any);
}

bool lod_query_plan(struct rewriter *r, const struct site *site, struct site_plan *plan)
{
    struct query query;
    if (!tier_acts(r))
        return false;
    const bool read = query_read(r->m, site, &query), moves = plan_knows_borders(r) && !query.cube;
    if (!read || (moves && (components_of(r->m, &query) == 0 || components_of(r->m, &query) > 4))) {
        plan_leave_alone(r, "its operands or types are not known here");
        return false;
    }
    plan->source_count = trace_sampled_image(r->m, r->layout, query.sampled_image, plan->sources);
    plan->form = SITE_STRAIGHT;
    return plan_sources_usable(r, plan);
}

/* The coordinate for an image that may have a border. It may be a longer vector than the image needs. */
static uint32_t write_place(struct rewriter *r, const struct query *query, uint32_t record, uint32_t rest,
                            uint32_t stored)
{
    const uint32_t components = components_of(r->m, query), padded = components < 3 ? components : 3;
    if (query->cube)
        return query->coordinate;
    const uint32_t vec3 = type_vector(r, SCALAR_FLOAT, 3);
    const uint32_t s = components > 3
                           ? VALUE(r, SpvOpVectorShuffle, vec3, query->coordinate, query->coordinate, 0, 1, 2)
                           : pad_axes(r, query->coordinate, components);
    const uint32_t place = library_call(r, LIBRARY_BORDERED_QUERY_PLACE, OPERANDS(s, record, rest, stored));
    return unpad_axes(r, place, padded);
}

/*
 *     r = query(image, s)        queried = query(image, s)
 *                                r = queried_levels(queried, record)
 */
void lod_query_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    struct query query;
    if (!query_read(r->m, site, &query))
        return;
    const bool borders = plan_knows_borders(r);
    const uint32_t known = borders ? load_record(r, plan) : 0;
    const uint32_t known_rest = borders ? load_quarter(r, plan, 0, 3) : 0;
    const uint32_t stored = borders ? load_quarter(r, plan, 0, 1) : 0;
    const uint32_t own = borders && plan->source_count > 1 ? load_quarter(r, plan, 1, 0) : known;
    const uint32_t at = borders ? write_place(r, &query, known, known_rest, stored) : query.coordinate;
    const uint32_t sampled_image = sampled_image_here(r, query.sampled_image);
    const uint32_t queried = new_id(r);
    decorate_like(r, queried, module_id(r->m, query.result)->marks & MARK_NON_UNIFORM);
    write_to(r, &r->body, SpvOpImageQueryLod, OPERANDS(query.type, queried, sampled_image, at));
    const uint32_t record = borders ? known : load_record(r, plan);
    const uint32_t limit = lookup_bias_limit(r, record);
    const uint32_t most = lookup_most_bias(r);
    const uint32_t rest = borders ? known_rest : load_quarter(r, plan, 0, 3);
    const uint32_t of_sampler = plan->source_count > 1 ? load_quarter(r, plan, 1, 3) : rest;
    const uint32_t alone = constant_bool(r, plan->source_count > 1);
    const uint32_t cube = constant_bool(r, query.cube);
    const uint32_t integer = constant_bool(r, query.integer);
    const uint32_t levels =
        borders
            ? library_call(r, LIBRARY_BORDERED_QUERIED_LEVELS,
                           OPERANDS(queried, limit, most, record, rest, of_sampler, alone, cube, integer, stored, own))
            : library_call(r, LIBRARY_QUERIED_LEVELS,
                           OPERANDS(queried, limit, most, record, rest, of_sampler, alone, cube, integer));
    WRITE(r, SpvOpCopyObject, query.type, query.result, levels);
}
