/* SPDX-License-Identifier: MIT */
#include "auto_layout.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "record/record.h"
#include "spirv/module/module.h"
#include "spirv/module/opcodes.h"

#define UNKNOWN_LENGTH 64u

/* What a binding's variables are. */
enum { IMAGES = 1, SAMPLERS = 2 };

/*
 * Descriptors of a variable of this pointee type; 0 if it holds no sampler, sampled image or uniform texel buffer.
 * Which of them in *kinds.
 */
static uint32_t descriptors(const struct module *m, uint32_t type, uint32_t *kinds)
{
    uint32_t total = 1;
    for (int depth = 0; depth < 4; depth++) {
        const uint32_t *inst = module_definition(m, type);
        uint32_t opcode = inst_opcode(inst);
        if (opcode == SpvOpTypeArray || opcode == SpvOpTypeRuntimeArray) {
            uint32_t length = 0;
            bool known = opcode == SpvOpTypeArray && module_constant(m, inst[3], &length) && length > 0;
            total *= known && length < 65536 ? length : UNKNOWN_LENGTH;
            total = total < 65536 ? total : 65536;
            type = inst[2];
            continue;
        }
        bool sampled =
            opcode == SpvOpTypeImage && inst[IMAGE_SAMPLED] != IMAGE_IS_STORAGE && inst[IMAGE_DIM] != SpvDimSubpassData;
        *kinds = opcode == SpvOpTypeSampledImage ? IMAGES | SAMPLERS
                 : opcode == SpvOpTypeSampler    ? SAMPLERS
                 : sampled                       ? IMAGES
                                                 : 0;
        return *kinds != 0 ? total : 0;
    }
    return 0;
}

struct found {
    uint32_t set, binding, count;
    uint32_t kinds;
};

/* `beyond`: variables that would have records, but for the limits of struct auto_layout. */
static uint32_t find_all(const struct module *m, struct found *all, uint32_t *beyond)
{
    uint32_t total = 0;
    for (size_t at = m->annotations_end; at < m->functions_at; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const bool untyped = inst_opcode(inst) == OP_UNTYPED_VARIABLE;
        if (inst_opcode(inst) != SpvOpVariable && !untyped)
            continue;
        const struct id_entry *variable = module_id(m, inst[2]);
        if (variable->set == 0) /* whatever has a set has a binding */
            continue;
        struct found f = {.set = variable->set - 1, .binding = variable->binding - 1};
        const uint32_t *pointer = module_definition(m, inst[1]);
        if (inst_opcode(pointer) == SpvOpTypePointer)
            f.count = descriptors(m, pointer[3], &f.kinds);
        else if (untyped && inst_length(inst) > 4)
            f.count = descriptors(m, inst[4], &f.kinds);
        if (f.set >= AUTO_LAYOUT_SETS || total == AUTO_LAYOUT_BINDINGS) {
            *beyond += f.count != 0;
            continue;
        }
        /* Kept in order of set and binding. */
        uint32_t place = total;
        while (place > 0 &&
               (all[place - 1].set > f.set || (all[place - 1].set == f.set && all[place - 1].binding > f.binding)))
            place--;
        memmove(all + place + 1, all + place, (total - place) * sizeof(*all));
        all[place] = f;
        total++;
    }
    return total;
}

/* Behind the set's last binding, or the highest number below it that none has where there is no higher one. */
static uint32_t record_binding(const struct spirv_set *set)
{
    uint32_t at = set->binding_count - 1, number = set->bindings[at].binding;
    if (number < SPIRV_NO_RECORD - 1)
        return number + 1;
    for (number--; at > 0 && set->bindings[at - 1].binding == number; at--)
        number--;
    return number;
}

/* One binding may be declared by several variables: the largest counts. `halves` holds their kinds until the end. */
static void add_binding(struct auto_layout *result, const struct found *f)
{
    struct spirv_set *set = &result->sets[f->set];
    struct spirv_binding *last = set->binding_count != 0 ? &result->bindings[result->binding_total - 1] : NULL;
    if (last && last->binding == f->binding) {
        last->split |= f->kinds;
        if (f->count > last->count) {
            set->record_count += f->count - last->count;
            last->first_record = last->count == 0 ? set->record_count - f->count : last->first_record;
            last->count = f->count;
        }
        return;
    }
    struct spirv_binding *binding = &result->bindings[result->binding_total++];
    set->bindings = set->binding_count == 0 ? binding : set->bindings;
    set->binding_count++;
    binding->binding = binding->new_binding = f->binding;
    binding->count = f->count;
    binding->split = f->kinds;
    binding->first_record = f->count != 0 ? set->record_count : SPIRV_NO_RECORD;
    set->record_count += f->count;
    set->record_binding = record_binding(set);
}

/* As place_halves, which comes next; the bits are those of the layer's layouts (resources/layouts/layout_plan.c). */
static void place_masks(struct auto_layout *result)
{
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        struct spirv_set *set = &result->sets[i];
        uint32_t bits = 0;
        for (uint32_t j = 0; j < set->binding_count && bits < RECORD_MASK_BITS; j++) {
            struct spirv_binding *binding = (struct spirv_binding *)&set->bindings[j];
            if (binding->split != (IMAGES | SAMPLERS) || binding->first_record == SPIRV_NO_RECORD)
                continue;
            binding->mask_bit = bits + 1;
            bits = binding->count < RECORD_MASK_BITS - bits ? bits + binding->count : RECORD_MASK_BITS;
        }
        for (uint32_t j = 0; j < set->binding_count && bits != 0; j++) {
            struct spirv_binding *binding = (struct spirv_binding *)&set->bindings[j];
            binding->first_record += binding->first_record != SPIRV_NO_RECORD;
        }
        set->record_count += bits != 0;
    }
}

static bool has_masks(const struct spirv_set *set)
{
    bool has = false;
    for (uint32_t j = 0; j < set->binding_count; j++)
        has |= set->bindings[j].mask_bit != 0;
    return has;
}

/* An image and a sampler in one binding are a combined image sampler. */
static void place_halves(struct auto_layout *result, bool wanted)
{
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        struct spirv_set *set = &result->sets[i];
        uint32_t records = has_masks(set);
        for (uint32_t j = 0; j < set->binding_count; j++) {
            struct spirv_binding *binding = (struct spirv_binding *)&set->bindings[j];
            binding->split = wanted && binding->split == (IMAGES | SAMPLERS);
            if (binding->first_record != SPIRV_NO_RECORD && wanted) {
                binding->first_record = records;
                records += binding->count * (binding->split != 0 ? SPIRV_RECORDS_OF_SPLIT : 1);
            }
        }
        set->record_count = wanted ? records : set->record_count;
    }
}

/* Each set lies at its own address, binding behind binding; a descriptor has 32 bytes, its number stands in the middle.
 */
static void place_numbers(struct auto_layout *result, uint32_t scale)
{
    enum { DESCRIPTOR_BYTES = 32, NUMBER_AT = 16 };
    result->layout.root_at = AUTO_LAYOUT_ROOT_AT;
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        struct spirv_set *set = &result->sets[i];
        uint32_t end = 0;
        for (uint32_t j = 0; j < set->binding_count; j++) {
            struct spirv_binding *binding = (struct spirv_binding *)&set->bindings[j];
            for (uint32_t half = 0; half < HALF_KINDS; half++)
                binding->embedded.offset[half] = end + NUMBER_AT;
            binding->embedded.stride = DESCRIPTOR_BYTES * scale;
            end += binding->count * DESCRIPTOR_BYTES * scale;
        }
        set->embedded = set->record_count != 0;
        set->record_binding = SPIRV_NO_RECORD;
    }
}

enum {
    HEAP_IMAGE_BYTES = 128,
    HEAP_SAMPLER_BYTES = 32,
    HEAP_BUFFER_BYTES = 16,
    HEAP_IMAGE_INDEX_AT = 64,
    HEAP_SAMPLER_INDEX_AT = 16,
    HEAP_INDEX_AT = AUTO_LAYOUT_ROOT_AT - 8,
};

/* Descriptors from `at` on, of each binding by another kind of index than of the one before. */
static struct spirv_embedded in_heap(uint32_t base, uint32_t at, uint32_t stride, uint32_t number)
{
    const enum spirv_index_from from = (enum spirv_index_from)(number % SPIRV_INDEX_SHADER_RECORD);
    return (struct spirv_embedded){.base = base,
                                   .offset = {at, at, at},
                                   .stride = stride,
                                   .index_from = from,
                                   .push_offset = HEAP_INDEX_AT,
                                   .address_offset = 4 * (number % 8),
                                   .index_stride = from != SPIRV_INDEX_NONE ? stride : 0,
                                   .index_shift = number % 2 * 20};
}

/* Binding behind binding in both heaps. */
static void place_in_heaps(struct auto_layout *result)
{
    uint32_t images = HEAP_IMAGE_INDEX_AT, samplers = HEAP_SAMPLER_INDEX_AT;
    result->layout.root_at = AUTO_LAYOUT_ROOT_AT;
    result->layout.heaps = (struct spirv_heaps){.image_size = HEAP_IMAGE_BYTES,
                                                .sampler_size = HEAP_SAMPLER_BYTES,
                                                .buffer_size = HEAP_BUFFER_BYTES,
                                                .image_index_offset = HEAP_IMAGE_INDEX_AT,
                                                .sampler_index_offset = HEAP_SAMPLER_INDEX_AT,
                                                .image_base = 0,
                                                .sampler_base = 1};
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        struct spirv_set *set = &result->sets[i];
        for (uint32_t j = 0; j < set->binding_count; j++) {
            const struct spirv_binding *binding = &set->bindings[j];
            const uint32_t number = result->layout.mapping_count++;
            result->mappings[number] =
                (struct spirv_mapping){.set = i,
                                       .first_binding = binding->binding,
                                       .binding_count = 1,
                                       .resources = UINT32_MAX,
                                       .followed = binding->first_record != SPIRV_NO_RECORD,
                                       .image = in_heap(0, images, HEAP_IMAGE_BYTES, number),
                                       .sampler = in_heap(1, samplers, HEAP_SAMPLER_BYTES, number),
                                       .combined_sampler = in_heap(1, samplers, HEAP_SAMPLER_BYTES, number + 1)};
            images += binding->count * HEAP_IMAGE_BYTES;
            samplers += binding->count * HEAP_SAMPLER_BYTES;
        }
        set->record_binding = SPIRV_NO_RECORD;
    }
    result->layout.mappings = result->mappings;
}

void auto_layout(const uint32_t *words, size_t word_count, unsigned options, struct auto_layout *result)
{
    memset(result, 0, sizeof(*result));
    result->layout.sets = result->sets;
    result->layout.set_count = AUTO_LAYOUT_SETS;
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        result->sets[i].record_binding = SPIRV_NO_RECORD;
        result->sets[i].storage = (options & AUTO_LAYOUT_STORAGE) != 0;
    }
    struct found all[AUTO_LAYOUT_BINDINGS + 1];
    struct module m;
    char message[MODULE_MESSAGE];
    uint32_t total = 0;
    if (module_index(&m, words, word_count, &module_c_allocator, message) == SPIRV_REWRITTEN) {
        total = find_all(&m, all, &result->beyond);
        options |= m.heaps ? (unsigned)AUTO_LAYOUT_HEAPS : 0;
        module_drop(&m, &module_c_allocator);
    }
    for (uint32_t i = 0; i < total; i++)
        add_binding(result, &all[i]);
    if ((options & AUTO_LAYOUT_MASKS) && !(options & (AUTO_LAYOUT_EMBEDDED | AUTO_LAYOUT_HEAPS)))
        place_masks(result);
    place_halves(result, (options & AUTO_LAYOUT_HALVES) != 0);
    const bool scaled = (options & AUTO_LAYOUT_SCALED) && !(options & AUTO_LAYOUT_HEAPS);
    for (uint32_t i = 0; i < result->binding_total && scaled; i++)
        result->bindings[i].scale = result->bindings[i].first_record != SPIRV_NO_RECORD ? 2 : 1;
    if (options & AUTO_LAYOUT_HEAPS) {
        place_in_heaps(result);
        return;
    }
    if (options & AUTO_LAYOUT_EMBEDDED) {
        place_numbers(result, options & AUTO_LAYOUT_SCALED ? 2 : 1);
        return;
    }
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        struct spirv_set *set = &result->sets[i];
        if (set->record_count != 0 && (options & AUTO_LAYOUT_NEAREST))
            set->nearest = set->record_binding + 2 + 1;
        if (set->record_count == 0) {
            set->record_binding = SPIRV_NO_RECORD;
        } else if (options & AUTO_LAYOUT_RENUMBER) {
            struct spirv_binding *last = (struct spirv_binding *)&set->bindings[set->binding_count - 1];
            set->record_binding = last->binding;
            last->new_binding = last->binding + 1;
        }
    }
}
