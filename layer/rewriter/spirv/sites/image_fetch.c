/* SPDX-License-Identifier: MIT */
/*
 * Fetches from combined image samplers whose texels are not decoded from sRGB: lookups return the stored values, so the
 * driver's view does not decode; but fetches must decode (EXT_texture_sRGB_decode).
 */
#include "spirv/sites/image_fetch.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/sites/records.h"
#include "spirv/sites/texel_buffer.h"
#include "spirv/write/library.h"
#include "spirv/write/opaque.h"

enum { MOST_OPERANDS = 12 };

struct fetch {
    const uint32_t *words;
    uint32_t texel_type, sparse_type; /* 0: not sparse */
};

/* A fetch of four floats of 32 bits. */
static bool fetch_read(const struct module *m, const struct site *site, struct fetch *f)
{
    *f = (struct fetch){.words = m->words + site->offset};
    if (!fetched_type(m, f->words, &f->texel_type, &f->sparse_type))
        return false;
    const uint32_t *texel = module_definition(m, f->texel_type);
    enum scalar scalar;
    return inst_length(f->words) <= MOST_OPERANDS && inst_opcode(texel) == SpvOpTypeVector && texel[3] == 4 &&
           texel_scalar(m, texel[2], &scalar) && scalar == SCALAR_FLOAT;
}

/*
 * Takes the record of the whole descriptor, because only that has the chosen view. False: the image is not of a
 * combined image sampler.
 */
static bool source_is_whole(struct record_source *source)
{
    const bool whole = source->declared == HALF_BOTH || (source->origin == ORIGIN_SET && source->split);
    if (whole)
        trace_take_whole(source);
    return whole;
}

bool image_fetch_plan(struct rewriter *r, const struct site *site, struct site_plan *plan)
{
    struct fetch f;
    if (trace_is_in_heaps(r->layout)) /* images and samplers are apart there */
        return false;
    trace_descriptor(r->m, r->layout, r->m->words[site->offset + 3], &plan->sources[0]);
    if (!source_is_whole(&plan->sources[0]))
        return false;
    if (!fetch_read(r->m, site, &f)) {
        plan_leave_alone(r, "its operands or types are not known here");
        return false;
    }
    plan->source_count = 1;
    plan->form = SITE_STRAIGHT;
    return plan_sources_usable(r, plan);
}

/*
 *     r = fetch(image, at)       texel = fetch(image, at)
 *                                r = fetched_seen(texel, record)
 */
void image_fetch_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    struct fetch f;
    uint32_t operands[MOST_OPERANDS];
    if (!fetch_read(r->m, site, &f))
        return;
    const uint32_t count = inst_length(f.words) - 1, result_type = f.words[1], result = f.words[2];
    const uint32_t fetched = new_id(r);
    memcpy(operands, f.words + 1, count * sizeof(*operands));
    operands[1] = fetched;
    operands[2] = opaque_here(r, operands[2]);
    decorate_like(r, fetched, module_id(r->m, result)->marks);
    write_to(r, &r->body, inst_opcode(f.words), operands, count);
    const uint32_t texel = f.sparse_type ? VALUE(r, SpvOpCompositeExtract, f.texel_type, fetched, 1) : fetched;
    const uint32_t record = load_record(r, plan);
    const uint32_t seen = library_call(r, LIBRARY_FETCHED_SEEN, OPERANDS(texel, record));
    if (f.sparse_type)
        WRITE(r, SpvOpCompositeInsert, result_type, result, seen, fetched, 1);
    else
        WRITE(r, SpvOpCopyObject, result_type, result, seen);
}
