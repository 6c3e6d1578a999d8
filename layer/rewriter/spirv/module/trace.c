/* SPDX-License-Identifier: MIT */
/*
 * Follows a sampled image back through loads, access chains, parameters and split samplers to the variable and element
 * that it comes from, which name its record.
 */
#include "spirv/module/trace.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/equal.h"
#include "spirv/module/heap.h"
#include "spirv/module/opcodes.h"

#define DEEPEST_CHAIN 64u

const struct spirv_binding *trace_binding(const struct spirv_layout *layout, uint32_t set, uint32_t binding)
{
    if (set >= layout->set_count)
        return NULL;
    const struct spirv_binding *bindings = layout->sets[set].bindings;
    uint32_t low = 0;
    uint32_t high = layout->sets[set].binding_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (bindings[middle].binding < binding)
            low = middle + 1;
        else
            high = middle;
    }
    return low < layout->sets[set].binding_count && bindings[low].binding == binding ? &bindings[low] : NULL;
}

/* True: the set has a record buffer, or record indices that can be loaded. */
static bool has_followed(const struct spirv_layout *layout, uint32_t set)
{
    return layout->sets[set].embedded ? layout->root_at != 0 : layout->sets[set].record_binding != SPIRV_NO_RECORD;
}

bool trace_has_records(const struct spirv_layout *layout, uint32_t set)
{
    return set < layout->set_count && has_followed(layout, set) && layout->sets[set].record_count != 0 &&
           layout->sets[set].record_count <= SPIRV_RECORDS_MOST;
}

/* Descriptors in one element of this type; 0 if that cannot be known. */
static uint32_t descriptor_count(const struct module *m, uint32_t type)
{
    uint64_t count = 1;
    for (uint32_t depth = 0; depth < RECORD_STEPS; depth++) {
        const uint32_t *inst = module_definition(m, type);
        uint32_t length;
        if (inst_opcode(inst) != SpvOpTypeArray)
            return (uint32_t)count;
        if (!module_constant(m, inst[3], &length))
            return 0;
        count *= length;
        if (count == 0 || count > UINT32_MAX / 4)
            return 0;
        type = inst[2];
    }
    return 0;
}

/* The type that a chain's indices walk down, and the first of them; false if it cannot be followed. */
static bool chain_begins(const struct module *m, const uint32_t *chain, uint32_t *type, uint32_t *index)
{
    uint32_t opcode = inst_opcode(chain);
    if (opcode == OP_UNTYPED_ACCESS_CHAIN || opcode == OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN) {
        *type = chain[3];
        *index = 5;
        return true;
    }
    const uint32_t *pointer = module_definition(m, module_type_of(m, chain[3]));
    *type = inst_opcode(pointer) == SpvOpTypePointer ? pointer[3] : 0;
    *index = 4;
    return *type != 0 && !opcode_is_untyped_chain(opcode);
}

/* Adds the indices of an access chain to the source; false if they cannot be followed. */
static bool trace_chain(const struct module *m, const uint32_t *chain, struct record_source *source)
{
    uint32_t type, first_index;
    if (!chain_begins(m, chain, &type, &first_index))
        return false;
    for (uint32_t i = first_index; i < inst_length(chain); i++) {
        const uint32_t *array = module_definition(m, type);
        uint32_t opcode = inst_opcode(array);
        if (opcode != SpvOpTypeArray && opcode != SpvOpTypeRuntimeArray)
            return false;
        type = array[2];
        uint32_t stride = descriptor_count(m, type);
        uint32_t index;
        if (stride == 0)
            return false;
        if (module_constant(m, chain[i], &index)) {
            uint64_t first = source->first + (uint64_t)index * stride;
            if (first > UINT32_MAX / 4)
                return false;
            source->first = (uint32_t)first;
            continue;
        }
        const uint32_t *index_type = module_definition(m, module_type_of(m, chain[i]));
        if (inst_opcode(index_type) != SpvOpTypeInt || source->step_count == RECORD_STEPS)
            return false;
        source->steps[source->step_count].index = chain[i];
        source->steps[source->step_count].stride = stride;
        source->step_count++;
    }
    return true;
}

/* Adds the index of an element of an array to the source; false if it cannot be followed. */
static bool trace_extract(const struct module *m, const uint32_t *extract, struct record_source *source)
{
    uint32_t type = module_type_of(m, extract[3]);
    for (uint32_t i = 4; i < inst_length(extract); i++) {
        const uint32_t *array = module_definition(m, type);
        if (inst_opcode(array) != SpvOpTypeArray)
            return false;
        type = array[2];
        const uint32_t stride = descriptor_count(m, type);
        const uint64_t first = source->first + (uint64_t)extract[i] * stride;
        if (stride == 0 || first > UINT32_MAX / 4)
            return false;
        source->first = (uint32_t)first;
    }
    return true;
}

/* The type of a descriptor, from its own, or that of a pointer to it or to an array of it. */
static const uint32_t *descriptor_type(const struct module *m, uint32_t type)
{
    const uint32_t *inst = module_definition(m, type);
    for (uint32_t depth = 0; depth <= RECORD_STEPS; depth++) {
        uint32_t opcode = inst_opcode(inst);
        if (opcode == SpvOpTypePointer)
            inst = module_definition(m, inst[3]);
        else if (opcode == SpvOpTypeArray || opcode == SpvOpTypeRuntimeArray)
            inst = module_definition(m, inst[2]);
    }
    return inst;
}

/* The type of its pointer, or, where that has none, of its contents. */
static uint32_t type_of_variable(const struct module *m, uint32_t variable)
{
    const uint32_t *inst = module_definition(m, variable);
    return inst_opcode(inst) == OP_UNTYPED_VARIABLE ? (inst_length(inst) > 4 ? inst[4] : 0) : inst[1];
}

/* The resource of a variable, as mappings name it. */
static uint32_t resource_of(const struct module *m, uint32_t variable)
{
    const uint32_t *type = descriptor_type(m, type_of_variable(m, variable));
    switch (inst_opcode(type)) {
    case SpvOpTypeSampler:
        return SPIRV_RESOURCE_SAMPLER;
    case SpvOpTypeSampledImage:
        return SPIRV_RESOURCE_COMBINED;
    case SpvOpTypeImage:
        return type[IMAGE_SAMPLED] == IMAGE_IS_SAMPLED
                   ? SPIRV_RESOURCE_SAMPLED_IMAGE
                   : SPIRV_RESOURCE_READ_ONLY_IMAGE | SPIRV_RESOURCE_READ_WRITE_IMAGE;
    default:
        return 0;
    }
}

/* A binding that is mapped to heaps: the first mapping that has it counts. */
static enum record_origin trace_mapped(const struct module *m, const struct spirv_layout *layout, uint32_t id,
                                       struct record_source *source)
{
    const uint32_t set = module_id(m, id)->set - 1, binding = module_id(m, id)->binding - 1,
                   resource = resource_of(m, id);
    for (uint32_t i = 0; i < layout->mapping_count && module_search(m, 1); i++) {
        const struct spirv_mapping *mapping = &layout->mappings[i];
        if (mapping->set != set || binding < mapping->first_binding ||
            binding - mapping->first_binding >= mapping->binding_count || !(mapping->resources & resource))
            continue;
        if (!mapping->followed || layout->root_at == 0 ||
            source->first > UINT32_MAX / 4 - (binding - mapping->first_binding))
            return ORIGIN_NONE;
        source->mapping = mapping;
        source->first += binding - mapping->first_binding;
        source->embedded = true;
        return ORIGIN_HEAP;
    }
    return ORIGIN_NONE;
}

static enum record_origin trace_variable(const struct module *m, const struct spirv_layout *layout, uint32_t id,
                                         struct record_source *source)
{
    const struct id_entry *entry = module_id(m, id);
    if (entry->set == 0) /* whatever has a set has a binding; UINT32_MAX plus 1 is 0 */
        return ORIGIN_UNKNOWN;
    if (trace_is_in_heaps(layout))
        return trace_mapped(m, layout, id, source);
    const struct spirv_binding *binding = trace_binding(layout, entry->set - 1, entry->binding - 1);
    if (!binding || binding->first_record == SPIRV_NO_RECORD || !has_followed(layout, entry->set - 1) ||
        (source->step_count == 0 && source->first >= binding->count))
        return ORIGIN_NONE;
    const bool embedded = layout->sets[entry->set - 1].embedded;
    if (embedded && binding->count == 0)
        return ORIGIN_NONE;
    source->embedded = embedded;
    source->binding = binding;
    if (binding->split != 0) {
        source->first = source->first * SPIRV_RECORDS_OF_SPLIT + (uint32_t)source->half;
        for (uint32_t i = 0; i < source->step_count; i++)
            source->steps[i].stride *= SPIRV_RECORDS_OF_SPLIT;
    }
    source->split = binding->split != 0;
    source->set = entry->set - 1;
    source->first += binding->first_record;
    return ORIGIN_SET;
}

static enum record_half half_of(const struct module *m, uint32_t type)
{
    uint32_t opcode = inst_opcode(descriptor_type(m, type));
    return opcode == SpvOpTypeImage ? HALF_IMAGE : opcode == SpvOpTypeSampler ? HALF_SAMPLER : HALF_BOTH;
}

enum record_half trace_half(const struct module *m, uint32_t id)
{
    return half_of(m, module_type_of(m, id));
}

bool trace_is_half(const struct module *m, const struct record_source *source)
{
    return source->origin == ORIGIN_SET
               ? source->split && source->half != HALF_BOTH
               : source->origin == ORIGIN_PARAMETER && source->half != trace_half(m, source->parameter);
}

/*
 * An untyped pointer may lead into a heap or a binding, and chains count bytes in the one and elements in the other: so
 * only the descriptor exactly there can be followed. The load has its type.
 */
static enum record_origin trace_parameter(const struct module *m, uint32_t id, struct record_source *source)
{
    const bool untyped = module_opcode(m, module_type_of(m, id)) == OP_TYPE_UNTYPED_POINTER;
    source->declared = untyped ? source->half : trace_half(m, id);
    source->parameter = id;
    return untyped && (source->first != 0 || source->step_count != 0) ? ORIGIN_UNKNOWN : ORIGIN_PARAMETER;
}

void trace_descriptor(const struct module *m, const struct spirv_layout *layout, uint32_t id,
                      struct record_source *source)
{
    memset(source, 0, sizeof(*source));
    source->half = trace_half(m, id);
    for (uint32_t depth = 0; depth < DEEPEST_CHAIN; depth++) {
        const uint32_t *inst = module_definition(m, id);
        if (m->heaps && heap_of(m, id) != 0) {
            source->origin = heap_trace(m, layout, id, source);
            source->embedded = source->origin == ORIGIN_HEAP;
            return;
        }
        switch (inst_opcode(inst)) {
        case SpvOpVariable:
        case OP_UNTYPED_VARIABLE:
            source->declared = half_of(m, type_of_variable(m, id));
            source->origin = trace_variable(m, layout, id, source);
            return;
        case SpvOpFunctionParameter:
            source->origin = trace_parameter(m, id, source);
            return;
        case SpvOpAccessChain:
        case SpvOpInBoundsAccessChain:
        case OP_UNTYPED_ACCESS_CHAIN:
        case OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN:
            if (!trace_chain(m, inst, source))
                return;
            id = inst[opcode_chain_base(inst_opcode(inst))];
            break;
        case SpvOpCompositeExtract: /* out of an array that was loaded whole */
            if (!trace_extract(m, inst, source))
                return;
            id = inst[3];
            break;
        case SpvOpLoad:
        case SpvOpCopyObject:
        case SpvOpCopyLogical: /* of an array whose type is declared twice */
        case SpvOpSampledImage:
        case SpvOpImage:
            id = inst[3];
            break;
        default:
            return;
        }
    }
}

bool trace_same_source(const struct record_source *a, const struct record_source *b)
{
    bool same = a->origin == b->origin && a->half == b->half && a->first == b->first &&
                a->step_count == b->step_count && (!a->embedded || a->declared == b->declared) &&
                (a->origin == ORIGIN_PARAMETER ? a->parameter == b->parameter
                 : a->origin == ORIGIN_HEAP    ? a->base == b->base && a->mapping == b->mapping
                                               : a->set == b->set);
    for (uint32_t i = 0; same && i < a->step_count; i++)
        same = a->steps[i].index == b->steps[i].index && a->steps[i].stride == b->steps[i].stride &&
               a->steps[i].stride_id == b->steps[i].stride_id;
    return same;
}

/* The record of the whole descriptor, by its number among those of the set. */
static uint32_t whole_record(const struct record_source *source)
{
    return source->first - (source->split ? (uint32_t)source->half : 0);
}

void trace_take_whole(struct record_source *source)
{
    source->first = whole_record(source);
    source->half = HALF_BOTH;
}

/*
 * A texture and a sampler that are declared at one binding are image and sampler of a combined image sampler, whose own
 * record is complete.
 */
static bool same_descriptor(const struct module *m, const struct record_source *a, const struct record_source *b)
{
    bool same = a->origin == ORIGIN_SET && b->origin == ORIGIN_SET && a->set == b->set &&
                whole_record(a) == whole_record(b) && a->step_count == b->step_count;
    for (uint32_t i = 0; same && i < a->step_count; i++)
        same = a->steps[i].stride == b->steps[i].stride && values_equal(m, a->steps[i].index, b->steps[i].index);
    return same;
}

/* A combined image sampler where descriptors are in heaps: its image lies in one, its sampler in another. */
static uint32_t take_apart(const struct spirv_layout *layout, struct record_source sources[2])
{
    bool whole = sources[0].half == HALF_BOTH && trace_is_in_heaps(layout);
    if (!whole || (sources[0].origin != ORIGIN_HEAP && sources[0].origin != ORIGIN_PARAMETER))
        return 1;
    if (sources[0].origin == ORIGIN_HEAP && !sources[0].mapping) { /* no heap has such descriptors */
        sources[0].origin = ORIGIN_UNKNOWN;
        return 1;
    }
    sources[1] = sources[0];
    sources[0].half = HALF_IMAGE;
    sources[1].half = HALF_SAMPLER;
    return 2;
}

uint32_t trace_sampled_image(const struct module *m, const struct spirv_layout *layout, uint32_t id,
                             struct record_source sources[2])
{
    for (uint32_t depth = 0; depth < DEEPEST_CHAIN && module_opcode(m, id) == SpvOpCopyObject; depth++)
        id = module_definition(m, id)[3];
    const uint32_t *inst = module_definition(m, id);
    if (inst_opcode(inst) != SpvOpSampledImage) {
        trace_descriptor(m, layout, id, &sources[0]);
        return take_apart(layout, sources);
    }
    trace_descriptor(m, layout, inst[3], &sources[0]);
    trace_descriptor(m, layout, inst[4], &sources[1]);
    if (!same_descriptor(m, &sources[0], &sources[1]))
        return 2;
    trace_take_whole(&sources[0]);
    return 1;
}
