/* SPDX-License-Identifier: MIT */
/*
 * Puts the written sections together: of each section first the program's words, then the new ones. Functions are all
 * new. Of the program's own words five things change: the header's bound, the addressing model where texels are read by
 * address, the interfaces of entry points, which must name new variables, the numbers of bindings, and the sizes of
 * descriptors in heaps.
 */
#include "spirv/assemble.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/embedded/inputs.h"
#include "spirv/module/heap.h"
#include "spirv/module/renumber.h"
#include "spirv/sites/nearest.h"
#include "spirv/sites/records.h"
#include "spirv/write/library.h"
#include "spirv/write/memory.h"

#define VERSION_1_4 0x00010400u
#define LONGEST_INSTRUCTION 0xffffu

/*
 * From SPIR-V 1.4 on the interface of an entry point lists every global variable that it uses. New variables of sets
 * are added to all entry points, used or not: that is allowed, so uses need not be traced.
 */
static uint32_t interface_growth(const struct rewriter *r, uint32_t entry_point)
{
    uint32_t variables = 0;
    if (r->m->version < VERSION_1_4)
        return 0;
    for (uint32_t i = 0; i < r->layout->set_count; i++)
        variables += r->records->buffers[i].variable != 0;
    return variables + nearest_interface(r, NULL) + input_interface(r, entry_point, NULL);
}

static uint64_t all_interfaces_growth(struct rewriter *r)
{
    uint64_t variables = 0;
    uint32_t entry_point = 0;
    for (uint32_t at = r->m->entry_points_at; at < r->m->entry_points_end; at += inst_length(r->m->words + at)) {
        const uint32_t growth = interface_growth(r, entry_point++);
        if (growth > LONGEST_INSTRUCTION - inst_length(r->m->words + at))
            words_exceed(r, "variables of entry points");
        if (!module_search(r->m, growth))
            break; /* the caller reports the error */
        variables += growth;
    }
    return variables;
}

static uint32_t *put(uint32_t *to, const uint32_t *from, uint32_t count)
{
    if (count != 0)
        memcpy(to, from, count * sizeof(uint32_t));
    return to + count;
}

static uint32_t *put_entry_points(const struct rewriter *r, uint32_t *to)
{
    const struct module *m = r->m;
    uint32_t entry_point = 0;
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at), entry_point++) {
        const uint32_t count = inst_length(m->words + at), added = interface_growth(r, entry_point);
        uint32_t *head = to;
        to = put(to, m->words + at, count);
        *head = inst_word0(SpvOpEntryPoint, count + added);
        for (uint32_t i = 0; added != 0 && i < r->layout->set_count; i++) {
            if (r->records->buffers[i].variable != 0)
                *to++ = r->records->buffers[i].variable;
        }
        if (added != 0) {
            to += nearest_interface(r, to);
            to += input_interface(r, entry_point, to);
        }
    }
    return to;
}

#define CAPABILITY_PHYSICAL_ADDRESSES 5347u
#define ADDRESSING_PHYSICAL_STORAGE_64 5348u
#define VERSION_1_5 0x00010500u
#define EXTENSION_WORDS 9u

struct capability {
    uint32_t number;
    uint32_t core; /* version from which on it needs no extension; 0: always */
    uint32_t extension[EXTENSION_WORDS];
};

/* Capabilities and extensions that rewritten code may need, each declared at most once. */
enum { CAPABILITY_ADDRESSES, CAPABILITY_VOTE, CAPABILITY_KINDS };
static const struct capability capabilities[CAPABILITY_KINDS] = {
    /* SPV_KHR_physical_storage_buffer: loads from memory by address */
    [CAPABILITY_ADDRESSES] = {CAPABILITY_PHYSICAL_ADDRESSES,
                              VERSION_1_5,
                              {INST_WORD0(SpvOpExtension, 9), 0x5f565053u, 0x5f52484bu, 0x73796870u, 0x6c616369u,
                               0x6f74735fu, 0x65676172u, 0x6675625fu, 0x00726566u}},
    /* SPV_KHR_subgroup_vote: allowed in modules of any version */
    [CAPABILITY_VOTE] = {SpvCapabilitySubgroupVoteKHR,
                         UINT32_MAX,
                         {INST_WORD0(SpvOpExtension, 7), 0x5f565053u, 0x5f52484bu, 0x67627573u, 0x70756f72u,
                          0x746f765fu, 0x00000065u}},
};
enum { CAPABILITY_WORDS = 2 }; /* of its instruction */

struct preamble {
    uint32_t capabilities_end; /* offset behind the last capability of the module */
    bool addresses;            /* the module's addressing model becomes that of addresses */
    uint32_t capability_words, extension_words;
    uint32_t capabilities[CAPABILITY_KINDS * CAPABILITY_WORDS];
    uint32_t extensions[CAPABILITY_KINDS * EXTENSION_WORDS];
};

static bool has_capability(const struct module *m, uint32_t end, uint32_t number)
{
    for (uint32_t at = HEADER_WORDS; at < end; at += inst_length(m->words + at)) {
        if (m->words[at + 1] == number)
            return true;
    }
    return false;
}

static bool has_extension(const struct module *m, uint32_t from, const uint32_t *extension)
{
    const uint32_t count = inst_length(extension);
    for (uint32_t at = from; at < m->memory_model_at; at += inst_length(m->words + at)) {
        if (m->words[at] == extension[0] && !memcmp(m->words + at, extension, count * sizeof(uint32_t)))
            return true;
    }
    return false;
}

/*
 * A module may have the capability by another extension: with SPV_EXT_physical_storage_buffer, OpBitcast makes no
 * pointer of two words.
 */
static void declare_capability(const struct module *m, const struct capability *capability, struct preamble *p)
{
    if (!has_capability(m, p->capabilities_end, capability->number)) {
        p->capabilities[p->capability_words++] = inst_word0(SpvOpCapability, CAPABILITY_WORDS);
        p->capabilities[p->capability_words++] = capability->number;
    }
    if (m->version < capability->core && !has_extension(m, p->capabilities_end, capability->extension)) {
        uint32_t count = inst_length(capability->extension);
        memcpy(p->extensions + p->extension_words, capability->extension, count * sizeof(uint32_t));
        p->extension_words += count;
    }
}

static struct preamble preamble_growth(const struct rewriter *r)
{
    const struct module *m = r->m;
    struct preamble p = {.capabilities_end = HEADER_WORDS};
    while (p.capabilities_end < m->memory_model_at && inst_opcode(m->words + p.capabilities_end) == SpvOpCapability)
        p.capabilities_end += inst_length(m->words + p.capabilities_end);
    p.addresses = memory_is_used(r);
    if (p.addresses)
        declare_capability(m, &capabilities[CAPABILITY_ADDRESSES], &p);
    if (r->voted)
        declare_capability(m, &capabilities[CAPABILITY_VOTE], &p);
    return p;
}

static const uint32_t glsl_import[] = {INST_WORD0(SpvOpExtInstImport, 6), 0, 0x4c534c47u, 0x6474732eu, 0x3035342eu, 0};

enum spirv_result assemble(struct rewriter *r, struct spirv_output *output)
{
    const struct module *m = r->m;
    uint32_t import = r->library->import != 0 && r->library->import != m->glsl_import ? 6 : 0;
    const struct preamble preamble = preamble_growth(r);
    const struct renumbering renumbering = renumber_plan(r->m, r->layout);
    uint32_t declared = preamble.capability_words + preamble.extension_words;
    const struct heap_sizes sizes = heap_sizes_plan(m, r->layout);
    size_t total = (size_t)m->functions_at + declared + import + (size_t)all_interfaces_growth(r) + r->names.count +
                   renumbering.behind + r->annotations.count + sizes.growth + r->globals.count + r->body.count +
                   m->word_count - m->functions_end;
    if (r->next_id > m->free_end)
        words_exceed(r, "ids");
    if (*m->steps == 0)
        words_exceed(r, "steps");
    if (r->exceeds)
        return SPIRV_UNSUPPORTED;
    uint32_t *words = r->allocator->reallocate(r->allocator->user, NULL, total * sizeof(uint32_t));
    if (!words)
        return SPIRV_OUT_OF_MEMORY;
    uint32_t *to = put(words, m->words, preamble.capabilities_end);
    words[HEADER_BOUND] = module_bound_with(m, r->next_id);
    to = put(to, preamble.capabilities, preamble.capability_words);
    to = put(to, preamble.extensions, preamble.extension_words);
    to = put(to, m->words + preamble.capabilities_end, m->memory_model_at - preamble.capabilities_end);
    if (import != 0) {
        to = put(to, glsl_import, 6);
        to[-5] = r->library->import;
    }
    uint32_t entry_points_at = m->entry_points_end != 0 ? m->entry_points_at : m->memory_model_at;
    uint32_t entry_points_end = m->entry_points_end != 0 ? m->entry_points_end : m->memory_model_at;
    uint32_t *memory_model = to;
    to = put(to, m->words + m->memory_model_at, entry_points_at - m->memory_model_at);
    if (m->entry_points_end != 0)
        to = put_entry_points(r, to);
    to = put(to, m->words + entry_points_end, m->names_end - entry_points_end);
    if (preamble.addresses && inst_opcode(memory_model) == SpvOpMemoryModel)
        memory_model[1] = ADDRESSING_PHYSICAL_STORAGE_64;
    to = put(to, r->names.data, r->names.count);
    uint32_t *annotations = to;
    to = put(to, m->words + m->names_end, m->annotations_end - m->names_end);
    renumber_write(m, r->layout, annotations, to);
    to += renumbering.behind;
    to = put(to, r->annotations.data, r->annotations.count);
    to = heap_sizes_write(m, r->layout, to);
    to = put(to, r->globals.data, r->globals.count);
    to = put(to, r->body.data, r->body.count);
    put(to, m->words + m->functions_end, m->word_count - m->functions_end); /* graphs */
    output->words = words;
    output->word_count = total;
    return SPIRV_REWRITTEN;
}

enum spirv_result assemble_renumbered(struct module *m, const struct spirv_layout *layout,
                                      const struct spirv_allocator *allocator, struct spirv_output *output)
{
    const struct renumbering renumbering = renumber_plan(m, layout);
    const struct heap_sizes sizes = heap_sizes_plan(m, layout);
    if (!renumbering.any && sizes.count == 0)
        return SPIRV_UNCHANGED;
    size_t total = (size_t)m->word_count + renumbering.behind + sizes.growth;
    uint32_t *words = allocator->reallocate(allocator->user, NULL, total * sizeof(uint32_t));
    if (!words)
        return SPIRV_OUT_OF_MEMORY;
    uint32_t *behind = put(words, m->words, m->annotations_end);
    renumber_write(m, layout, words + m->names_end, behind);
    uint32_t *functions = heap_sizes_write(m, layout, behind + renumbering.behind);
    put(functions, m->words + m->functions_at, m->word_count - m->functions_at);
    output->words = words;
    output->word_count = total;
    return SPIRV_REWRITTEN;
}
