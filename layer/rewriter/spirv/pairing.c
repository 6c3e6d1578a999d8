/* SPDX-License-Identifier: MIT */
/*
 * Which images and samplers does a module put together? Asked when a pipeline is created. Only where half of a combined
 * image sampler is put together with something else must sets hold records of split samplers. And only lookups that do
 * not compare mind that a sampler compares.
 */
#include "spirv/spirv.h"

#include "spirv/passes.h"

static void mark_uncompared(const struct record_source *sampler, struct spirv_pairing *pairing)
{
    if (sampler->origin == ORIGIN_UNKNOWN)
        spirv_pairing_unknown(pairing);
    else if (sampler->origin == ORIGIN_SET)
        pairing->uncompared[sampler->set % SPIRV_PAIRED_SETS] |= spirv_pairing_bit(sampler->binding->binding);
}

/* Does some argument of a call lead to one half's record? Whether the function looks at it is not asked. */
static void find_in_call(const struct module *m, const struct spirv_layout *layout, const struct call *call, bool plain,
                         struct spirv_pairing *pairing)
{
    const uint32_t *inst = m->words + call->offset;
    for (uint32_t i = 4; i < inst_length(inst); i++) {
        struct record_source source;
        trace_descriptor(m, layout, inst[i], &source);
        pairing->splits |= trace_is_half(m, &source);
        if (plain &&
            (source.half == HALF_SAMPLER || module_opcode(m, module_type_of(m, inst[i])) == OP_TYPE_UNTYPED_POINTER))
            mark_uncompared(&source, pairing);
    }
}

static bool compares(const struct module *m, const struct site *site)
{
    const int lookup = opcode_lookup(inst_opcode(m->words + site->offset));
    return lookup == (int)LOOKUP_DREF_GATHER || (lookup < (int)LOOKUP_FETCH && ((uint32_t)lookup & LOOKUP_DREF));
}

/* True: its sampler is a parameter, and it does not compare. */
static bool find_in_lookup(const struct module *m, const struct spirv_layout *layout, const struct site *site,
                           struct spirv_pairing *pairing)
{
    struct record_source sources[2];
    const uint32_t count = trace_sampled_image(m, layout, m->words[site->offset + 3], sources);
    for (uint32_t i = 0; i < count; i++)
        pairing->splits |= trace_is_half(m, &sources[i]);
    if (count != 2 || site->kind != SITE_LOOKUP || compares(m, site))
        return false;
    mark_uncompared(&sources[1], pairing);
    return sources[1].origin == ORIGIN_PARAMETER;
}

enum spirv_result spirv_find_pairs(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                   const struct spirv_allocator *allocator, struct spirv_pairing *pairing)
{
    struct module m;
    char message[MODULE_MESSAGE];
    bool plain = false; /* lookups of some function's sampler */
    allocator = allocator ? allocator : &module_c_allocator;
    enum spirv_result result = module_index(&m, words, word_count, allocator, message);
    if (result != SPIRV_REWRITTEN)
        return result;
    for (uint32_t i = 0; i < m.site_count; i++)
        plain |= passes[m.sites[i].kind].samples && find_in_lookup(&m, layout, &m.sites[i], pairing);
    for (uint32_t i = 0; i < m.call_count; i++)
        find_in_call(&m, layout, &m.calls[i], plain, pairing);
    module_drop(&m, allocator);
    return SPIRV_UNCHANGED;
}
