/* SPDX-License-Identifier: MIT */
/*
 * Does a module put half of a combined image sampler together with something else? Asked when a pipeline is created;
 * only then must sets hold records of split samplers.
 */
#include "spirv/spirv.h"

#include "spirv/passes.h"

/* Does some argument of a call lead to one half's record? Whether the function looks at it is not asked. */
static bool passes_split(const struct module *m, const struct spirv_layout *layout, const struct call *call)
{
    const uint32_t *inst = m->words + call->offset;
    bool takes = false;
    for (uint32_t i = 4; i < inst_length(inst) && !takes; i++) {
        struct record_source source;
        trace_descriptor(m, layout, inst[i], &source);
        takes = trace_is_half(m, &source);
    }
    return takes;
}

static bool looks_up_split(const struct module *m, const struct spirv_layout *layout, const struct site *site)
{
    struct record_source sources[2];
    uint32_t count = trace_sampled_image(m, layout, m->words[site->offset + 3], sources);
    bool takes = false;
    for (uint32_t i = 0; i < count; i++)
        takes |= trace_is_half(m, &sources[i]);
    return takes;
}

enum spirv_result spirv_splits_samplers(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                        const struct spirv_allocator *allocator, bool *takes)
{
    struct module m;
    char message[MODULE_MESSAGE];
    allocator = allocator ? allocator : &module_c_allocator;
    *takes = false;
    enum spirv_result result = module_index(&m, words, word_count, allocator, message);
    if (result != SPIRV_REWRITTEN)
        return result;
    for (uint32_t i = 0; i < m.site_count && !*takes; i++)
        *takes = passes[m.sites[i].kind].samples && looks_up_split(&m, layout, &m.sites[i]);
    for (uint32_t i = 0; i < m.call_count && !*takes; i++)
        *takes = passes_split(&m, layout, &m.calls[i]);
    module_drop(&m, allocator);
    return SPIRV_UNCHANGED;
}
