/* SPDX-License-Identifier: MIT */
/*
 * The rewriter's entry point: index the module, plan the sites, write functions anew, link the library, assemble. It
 * holds the state of all parts.
 */
#include "spirv/spirv.h"

#include <stdio.h>
#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/assemble.h"
#include "spirv/embedded/embedded.h"
#include "spirv/embedded/identity.h"
#include "spirv/embedded/inputs.h"
#include "spirv/lookup/bounds.h"
#include "spirv/plan_sites.h"
#include "spirv/reshape/bindings.h"
#include "spirv/reshape/reshape.h"
#include "spirv/sites/records.h"
#include "spirv/sites/texel_buffer.h"
#include "spirv/walk.h"
#include "spirv/write/library.h"
#include "spirv/write/memory.h"

static void drop_sections(struct rewriter *r)
{
    words_drop(r, &r->names);
    words_drop(r, &r->annotations);
    words_drop(r, &r->globals);
    words_drop(r, &r->body);
    words_drop(r, &r->variables);
    words_drop(r, &r->embedded->passed);
    words_drop(r, &r->records->nearest);
    types_drop(r);
    input_drop(r);
}

static enum spirv_result rewrite_lookups(struct rewriter *r, struct spirv_output *output)
{
    uint32_t rewritten = plan_sites(r);
    if (r->plans->left_alone != 0) {
        snprintf(output->message, sizeof(output->message), "%u of %u lookups left alone: %s", r->plans->left_alone,
                 r->m->site_count, r->plans->left_alone_why);
    } else if (r->plans->remark) {
        snprintf(output->message, sizeof(output->message), "%s", r->plans->remark);
    }
    if (rewritten == 0 && *r->m->steps != 0) /* else searches ended early, so that nothing may not be true */
        return assemble_renumbered(r->m, r->layout, r->allocator, output);
    /* The usual growth, so that the body is allocated once: linked functions, and the code in each lookup's place. */
    uint32_t linked = r->options->tier < 2 ? 900 : 3600;
    uint32_t each = r->options->tier < 2 ? 120 : 320;
    words_grow(r, &r->body, r->m->word_count - r->m->functions_at + linked + rewritten * each);
    r->body.count = 0;
    walk_functions(r);
    write_record_function(r);
    identity_write_function(r);
    input_write_heads(r);
    texel_memory_write_function(r);
    library_link(r);
    enum spirv_result result = r->exceeds         ? SPIRV_UNSUPPORTED
                               : r->out_of_memory ? SPIRV_OUT_OF_MEMORY
                                                  : assemble(r, output);
    if (r->exceeds)
        snprintf(output->message, sizeof(output->message),
                 "all lookups left alone: rewriting them takes more %s than a module of its size may", r->exceeds);
    if (result == SPIRV_REWRITTEN) {
        output->rewritten_lookups = rewritten - r->plans->reads;
        output->rewritten_reads = r->plans->reads;
    }
    return result;
}

/* May words change in modules that follow no record? */
static bool changes_words(const struct spirv_layout *layout, const struct spirv_facts *facts)
{
    if (facts->descriptor_sizes && layout->heaps.image_size != 0)
        return true;
    for (uint32_t i = 0; i < layout->set_count; i++) {
        for (uint32_t j = 0; j < layout->sets[i].binding_count; j++) {
            if (layout->sets[i].bindings[j].binding != layout->sets[i].bindings[j].new_binding)
                return true;
        }
    }
    return false;
}

/* Votes are a capability of the whole module, which other stages may lack. */
static bool has_fragments_only(const struct module *m)
{
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at)) {
        if (m->words[at + 1] != SpvExecutionModelFragment)
            return false;
    }
    return true;
}

/* The private state of the rewriter's parts. */
struct parts {
    struct types types;
    struct constants constants;
    struct library library;
    struct plans plans;
    struct record_loads records;
    struct known_records known;
    struct early_records texel_buffers;
    struct texel_memory texel_memory;
    struct memory memory;
    struct embedded embedded;
};

static void give_parts(struct rewriter *r, struct parts *parts)
{
    memset(parts, 0, sizeof(*parts));
    r->types = &parts->types;
    r->constants = &parts->constants;
    r->library = &parts->library;
    r->plans = &parts->plans;
    r->records = &parts->records;
    r->known = &parts->known;
    r->texel_buffers = &parts->texel_buffers;
    r->texel_memory = &parts->texel_memory;
    r->memory = &parts->memory;
    r->embedded = &parts->embedded;
}

/* The caller drops `members`, which the result needs in the program's push constants. */
static enum spirv_result rewrite_module(struct module *m, const struct spirv_layout *layout,
                                        const struct spirv_options *options, const struct spirv_allocator *allocator,
                                        struct spirv_output *output, struct words *members)
{
    struct parts parts;
    struct rewriter r = {
        .m = m,
        .layout = layout,
        .options = options,
        .allocator = allocator,
        .next_id = m->free_id,
        .most_words = spirv_most_words(m->word_count),
        .votes = options->votes && options->form == SPIRV_FORM_GPU && has_fragments_only(m),
    };
    give_parts(&r, &parts);
    size_t plans = m->site_count * sizeof(*r.plans->list);
    size_t buffers = layout->set_count * sizeof(*r.records->buffers);
    /* One byte more, so that modules without sites have some under layouts without sets. */
    char *memory = allocator->reallocate(allocator->user, NULL, plans + buffers + 1);
    if (!memory)
        return SPIRV_OUT_OF_MEMORY;
    memset(memory, 0, plans + buffers);
    r.plans->list = (struct site_plan *)(void *)memory;
    r.records->buffers = (struct record_buffer *)(void *)(memory + plans);
    enum spirv_result result = rewrite_lookups(&r, output);
    *members = r.embedded->inputs.members;
    r.embedded->inputs.members = (struct words){0};
    drop_sections(&r);
    allocator->reallocate(allocator->user, memory, 0);
    return result;
}

/* Rewrites sites, and numbers of bindings. */
static enum spirv_result rewrite_records(const uint32_t *words, size_t word_count, bool reads,
                                         const struct spirv_layout *layout, const struct spirv_options *options,
                                         const struct spirv_allocator *allocator, struct spirv_output *output,
                                         struct words *members)
{
    struct module m;
    enum spirv_result result = module_index(&m, words, word_count, allocator, output->message);
    if (result != SPIRV_REWRITTEN)
        return result;
    if (reads && m.kernel && m.site_count != 0)
        snprintf(output->message, sizeof(output->message), "all lookups left alone: the module has kernels");
    result = reads && !m.kernel ? rewrite_module(&m, layout, options, allocator, output, members)
                                : assemble_renumbered(&m, layout, allocator, output);
    module_drop(&m, allocator);
    return result;
}

/* Reshapes the rewritten words, or the program's own, for the layout. */
static enum spirv_result reshape_result(const uint32_t *words, size_t word_count, enum spirv_result result,
                                        const struct spirv_layout *layout, const struct words *members,
                                        const struct spirv_allocator *allocator, struct spirv_output *output)
{
    uint32_t *written = output->words;
    const size_t written_count = output->word_count;
    enum spirv_result reshaped = written ? reshape(written, written_count, layout, members, allocator, output)
                                         : reshape(words, word_count, layout, members, allocator, output);
    if (reshaped == SPIRV_UNCHANGED)
        return result;
    if (written)
        allocator->reallocate(allocator->user, written, 0);
    if (reshaped != SPIRV_REWRITTEN) {
        output->words = NULL;
        output->word_count = 0;
        output->rewritten_lookups = output->rewritten_reads = 0;
    }
    return reshaped == SPIRV_MALFORMED ? SPIRV_UNSUPPORTED : reshaped;
}

/* Rewrites lookups as `reads` says, and reshapes. */
static enum spirv_result rewrite_and_reshape(const uint32_t *words, size_t word_count, bool reads, bool reshapes,
                                             const struct spirv_layout *layout, const struct spirv_options *options,
                                             const struct spirv_allocator *allocator, struct spirv_output *output)
{
    struct words members = {0};
    enum spirv_result result = rewrite_records(words, word_count, reads, layout, options, allocator, output, &members);
    const bool stands = result == SPIRV_REWRITTEN || result == SPIRV_UNCHANGED;
    if (stands && (reshapes || members.count != 0))
        result = reshape_result(words, word_count, result, layout, &members, allocator, output);
    if (members.data)
        allocator->reallocate(allocator->user, members.data, 0);
    return result;
}

/* A module that cannot be indexed: gets the driver's bindings all the same, else no module fits the layout. */
static enum spirv_result renumber_unread(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                         const struct spirv_facts *facts, const struct spirv_allocator *allocator,
                                         struct spirv_output *output)
{
    char why[sizeof(output->message)];
    memcpy(why, output->message, sizeof(why));
    const bool sizes = facts->descriptor_sizes && layout->heaps.image_size != 0;
    const enum spirv_result result =
        sizes ? SPIRV_UNSUPPORTED : bindings_renumber(words, word_count, layout, allocator, output);
    if (result == SPIRV_REWRITTEN)
        snprintf(output->message, sizeof(output->message), "all lookups left alone: %.135s", why);
    return result == SPIRV_UNCHANGED ? SPIRV_MALFORMED : result;
}

enum spirv_result spirv_rewrite(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                const struct spirv_options *options, const struct spirv_allocator *allocator,
                                struct spirv_output *output)
{
    memset(output, 0, sizeof(*output));
    allocator = allocator ? allocator : &module_c_allocator;
    struct spirv_facts facts;
    const bool parses = spirv_scan(words, word_count, &facts) != SPIRV_MALFORMED;
    const bool reads = options->tier != 0 && spirv_follows_records(&facts), reshapes = reshape_needed(layout);
    if (parses && !reads && !reshapes && !changes_words(layout, &facts))
        return SPIRV_UNCHANGED;
    enum spirv_result result =
        rewrite_and_reshape(words, word_count, reads, reshapes, layout, options, allocator, output);
    /* Lookups may stay unchanged, but bindings and types must fit the layout. */
    if (result == SPIRV_UNSUPPORTED && reads)
        result = rewrite_and_reshape(words, word_count, false, reshapes, layout, options, allocator, output);
    if (result == SPIRV_MALFORMED && parses)
        result = renumber_unread(words, word_count, layout, &facts, allocator, output);
    return result;
}
