/* SPDX-License-Identifier: MIT */
/*
 * Writes loads of records: by binding and element where the code names the descriptor, through an identity where it is
 * a parameter.
 */
#include "spirv/sites/records.h"

#include <spirv/unified1/spirv.h>
#include "record/record.h"
#include "spirv/embedded/embedded.h"
#include "spirv/embedded/identity.h"
#include "spirv/embedded/index.h"
#include "spirv/embedded/record_index.h"

#define VERSION_1_3 0x00010300u

/* A record is four uvec4. */
#define RECORD_QUARTERS_SHIFT 2u
#define RECORD_QUARTERS (1u << RECORD_QUARTERS_SHIFT)

_Static_assert(SPIRV_RECORDS_MOST < 1u << IDENTITY_SET_SHIFT, "identities have room for the record's index");

/*
 * layout(std140, set, binding) uniform Records { uvec4 v[4 * count]; } or
 * layout(std430, set, binding) readonly buffer Records { uvec4 v[]; }
 */
static const struct record_buffer *record_buffer(struct rewriter *r, uint32_t set)
{
    struct record_buffer *buffer = &r->records->buffers[set];
    if (buffer->variable != 0)
        return buffer;
    const struct spirv_set *layout = &r->layout->sets[set];
    /* StorageBuffer is core from 1.3 on; before, it was Uniform with BufferBlock. */
    bool modern = r->m->version >= VERSION_1_3;
    uint32_t storage = layout->storage && modern ? SpvStorageClassStorageBuffer : SpvStorageClassUniform;
    uint32_t uvec4 = type_vector(r, SCALAR_UINT, 4);
    uint32_t array;
    if (layout->storage) {
        array = TYPE(r, SpvOpTypeRuntimeArray, uvec4);
    } else {
        uint32_t length = constant_uint(r, RECORD_QUARTERS * layout->record_count);
        array = TYPE(r, SpvOpTypeArray, uvec4, length);
    }
    uint32_t block = TYPE(r, SpvOpTypeStruct, array);
    uint32_t pointer = TYPE(r, SpvOpTypePointer, storage, block);
    buffer->pointer = TYPE(r, SpvOpTypePointer, storage, uvec4);
    buffer->variable = new_id(r);
    write_to(r, &r->globals, SpvOpVariable, OPERANDS(pointer, buffer->variable, storage));
    write_name(r, buffer->variable, "clampler_records");

    struct words *to = &r->annotations;
    write_to(r, to, SpvOpDecorate, OPERANDS(array, SpvDecorationArrayStride, 16));
    write_to(r, to, SpvOpMemberDecorate, OPERANDS(block, 0, SpvDecorationOffset, 0));
    if (layout->storage)
        write_to(r, to, SpvOpMemberDecorate, OPERANDS(block, 0, SpvDecorationNonWritable));
    uint32_t kind = layout->storage && !modern ? SpvDecorationBufferBlock : SpvDecorationBlock;
    write_to(r, to, SpvOpDecorate, OPERANDS(block, kind));
    write_to(r, to, SpvOpDecorate, OPERANDS(buffer->variable, SpvDecorationDescriptorSet, set));
    write_to(r, to, SpvOpDecorate, OPERANDS(buffer->variable, SpvDecorationBinding, layout->record_binding));
    return buffer;
}

uint32_t record_parameter(struct rewriter *r, uint32_t parameter)
{
    struct id_entry *entry = module_id(r->m, parameter);
    if (entry->record_parameter == 0)
        entry->record_parameter = new_id(r);
    return entry->record_parameter;
}

/*
 * The identity of the record that a parameter leads to. Elements of an array of combined image samplers that may be
 * split lie three records apart, and the source may be the half of the image alone.
 */
static uint32_t identity_from_parameter(struct rewriter *r, const struct record_source *source)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t identity = record_parameter(r, source->parameter);
    uint32_t sum = dynamic_index(r, source, 1);
    uint32_t split = 0;
    bool half = trace_is_half(r->m, source);
    if (half || sum != 0 || source->first != 0) {
        uint32_t shift = constant_uint(r, IDENTITY_SPLIT_SHIFT);
        split = VALUE(r, SpvOpShiftRightLogical, uint_type, identity, shift);
    }
    if (sum != 0 || source->first != 0) {
        uint32_t index = sum != 0 ? add_constant(r, sum, source->first) : constant_uint(r, source->first);
        uint32_t more = constant_uint(r, SPIRV_RECORDS_OF_SPLIT - 1);
        uint32_t apart = VALUE(r, SpvOpIMul, uint_type, split, more);
        apart = add_constant(r, apart, 1);
        index = VALUE(r, SpvOpIMul, uint_type, index, apart);
        identity = VALUE(r, SpvOpIAdd, uint_type, identity, index);
    }
    return half ? VALUE(r, SpvOpIAdd, uint_type, identity, split) : identity;
}

uint32_t record_identity(struct rewriter *r, const struct record_source *source)
{
    uint32_t base = IDENTITY_NONE;
    uint32_t dynamic = 0;
    bool travels = source->origin == ORIGIN_PARAMETER && (module_marks(r->m, source->parameter) & MARK_TAKES_RECORD);
    if (trace_is_in_heaps(r->layout))
        return identity_in_heaps(r, source, travels ? record_parameter(r, source->parameter) : 0);
    if (travels)
        return identity_from_parameter(r, source);
    if (source->origin == ORIGIN_SET && source->set < IDENTITY_SETS && trace_has_records(r->layout, source->set) &&
        !(source->embedded && record_index_unreachable(r, source))) {
        r->records->buffers[source->set].by_parameter = true;
        if (source->embedded)
            identity_passed(r, source);
        base = (source->split ? 1u << IDENTITY_SPLIT_SHIFT : 0) | source->set << IDENTITY_SET_SHIFT | source->first;
        dynamic = dynamic_index(r, source, 1);
    }
    return dynamic == 0 ? constant_uint(r, base) : add_constant(r, dynamic, base);
}

static uint32_t load_element(struct rewriter *r, uint32_t set, uint32_t index)
{
    const struct record_buffer *buffer = record_buffer(r, set);
    uint32_t zero = constant_uint(r, 0);
    uint32_t pointer = VALUE(r, SpvOpAccessChain, buffer->pointer, buffer->variable, zero, index);
    uint32_t uvec4 = type_vector(r, SCALAR_UINT, 4);
    return VALUE(r, SpvOpLoad, uvec4, pointer);
}

/* The argument `quarter` of the record function; with embedded record indices also the parameter's enum record_half. */
static uint32_t load_by_identity(struct rewriter *r, const struct record_source *source, uint32_t identity,
                                 uint32_t quarter)
{
    uint32_t declared = r->layout->root_at != 0 ? source->declared : 0;
    uint32_t which = constant_uint(r, declared << RECORD_QUARTERS_SHIFT | quarter);
    if (r->records->function == 0) {
        r->records->function = new_id(r);
        write_name(r, r->records->function, "clampler_record_of");
    }
    uint32_t uvec4 = type_vector(r, SCALAR_UINT, 4);
    return CALL(r, uvec4, r->records->function, identity, which);
}

/* Index of a quarter of a record in its buffer. */
static uint32_t quarter_index(struct rewriter *r, const struct record_source *source, uint32_t quarter)
{
    uint32_t index = dynamic_index(r, source, 1);
    if (index == 0)
        return constant_uint(r, RECORD_QUARTERS * source->first + quarter);
    uint32_t shift = constant_uint(r, RECORD_QUARTERS_SHIFT);
    index = VALUE(r, SpvOpShiftLeftLogical, type_vector(r, SCALAR_UINT, 1), index, shift);
    return add_constant(r, index, RECORD_QUARTERS * source->first + quarter);
}

static uint32_t load_by_index(struct rewriter *r, uint32_t record_index, uint32_t quarter)
{
    uint32_t which = constant_uint(r, quarter);
    return record_load_by_index(r, record_index, which);
}

static uint32_t load_source(struct rewriter *r, const struct record_source *source, uint32_t quarter)
{
    if (source->origin == ORIGIN_PARAMETER)
        return load_by_identity(r, source, record_identity(r, source), quarter);
    if (source->embedded)
        return load_by_index(r, record_index_of(r, source), quarter);
    return load_element(r, source->set, quarter_index(r, source, quarter));
}

uint32_t record_place(struct rewriter *r, const struct record_source *source)
{
    if (source->embedded)
        return record_index_of(r, source);
    return source->origin == ORIGIN_PARAMETER ? record_identity(r, source) : quarter_index(r, source, 0);
}

bool record_place_is_constant(const struct record_source *source, uint32_t *place)
{
    *place = RECORD_QUARTERS * source->first;
    return source->origin == ORIGIN_SET && !source->embedded && source->step_count == 0;
}

uint32_t load_record_at(struct rewriter *r, const struct record_source *source, uint32_t place, uint32_t quarter)
{
    if (source->origin == ORIGIN_PARAMETER)
        return load_by_identity(r, source, place, quarter);
    if (source->embedded)
        return load_by_index(r, place, quarter);
    return load_element(r, source->set, add_constant(r, place, quarter));
}

uint32_t load_record(struct rewriter *r, const struct site_plan *plan)
{
    uint32_t record = load_source(r, &plan->sources[0], 0);
    if (plan->source_count > 1) {
        uint32_t other = load_source(r, &plan->sources[1], 0);
        record = VALUE(r, SpvOpBitwiseOr, type_vector(r, SCALAR_UINT, 4), record, other);
    }
    return record;
}

uint32_t load_quarter(struct rewriter *r, const struct site_plan *plan, uint32_t source, uint32_t quarter)
{
    return load_source(r, &plan->sources[source], quarter);
}

uint32_t record_mask_bit(const struct site_plan *plan)
{
    const struct record_source *source = &plan->sources[0];
    if (plan->source_count != 1 || source->origin != ORIGIN_SET || source->embedded || source->step_count != 0 ||
        source->half != HALF_BOTH || source->binding->mask_bit == 0)
        return RECORD_MASK_BITS;
    const uint32_t element =
        (source->first - source->binding->first_record) / (source->split ? SPIRV_RECORDS_OF_SPLIT : 1);
    const uint32_t first = source->binding->mask_bit - 1;
    return element < RECORD_MASK_BITS - first ? first + element : RECORD_MASK_BITS;
}

void record_masks_load(struct rewriter *r, uint32_t first_site, uint32_t end)
{
    for (uint32_t i = 0; i < r->layout->set_count; i++)
        r->records->buffers[i].masks = 0;
    for (uint32_t i = first_site; i < r->m->site_count && r->m->sites[i].offset < end; i++) {
        const struct site_plan *plan = &r->plans->list[i];
        if (plan->form != SITE_ALONE && plan->masked && record_masks_of(r, plan) == 0)
            r->records->buffers[plan->sources[0].set].masks =
                load_element(r, plan->sources[0].set, constant_uint(r, 0));
    }
}

uint32_t record_masks_of(const struct rewriter *r, const struct site_plan *plan)
{
    return r->records->buffers[plan->sources[0].set].masks;
}

bool plan_same_records(const struct site_plan *a, const struct site_plan *b)
{
    bool same = a->source_count == b->source_count;
    for (uint32_t i = 0; same && i < a->source_count; i++)
        same = trace_same_source(&a->sources[i], &b->sources[i]);
    return same;
}

/*
 * Splits the argument of load_by_identity() for embedded record indices: the quarter, and the parameter's enum
 * record_half.
 */
static uint32_t take_declared(struct rewriter *r, uint32_t *quarter)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t shift = constant_uint(r, RECORD_QUARTERS_SHIFT);
    uint32_t mask = constant_uint(r, RECORD_QUARTERS - 1);
    uint32_t declared = VALUE(r, SpvOpShiftRightLogical, uint_type, *quarter, shift);
    *quarter = VALUE(r, SpvOpBitwiseAnd, uint_type, *quarter, mask);
    return declared;
}

/*
 * uvec4 record_of(uint identity, uint quarter): for each set whose records are passed by identity the record is loaded
 * at the identity's index if the set is its own, at 0 if not, and then selected. No branch: there are few such sets.
 * Records with embedded record indices are loaded by record index, which is 0 for other sets, and record 0 is zeros.
 */
void write_record_function(struct rewriter *r)
{
    if (r->records->function == 0)
        return;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t uvec4 = type_vector(r, SCALAR_UINT, 4);
    uint32_t bools = TYPE(r, SpvOpTypeVector, type_bool(r), 4);
    uint32_t type = TYPE(r, SpvOpTypeFunction, uvec4, uint_type, uint_type);
    uint32_t identity = new_id(r);
    uint32_t quarter = new_id(r);
    WRITE(r, SpvOpFunction, uvec4, r->records->function, SpvFunctionControlMaskNone, type);
    WRITE(r, SpvOpFunctionParameter, uint_type, identity);
    WRITE(r, SpvOpFunctionParameter, uint_type, quarter);
    begin_block(r, new_id(r));
    uint32_t zero = constant_uint(r, 0);
    uint32_t two = constant_uint(r, RECORD_QUARTERS_SHIFT);
    uint32_t shift = constant_uint(r, IDENTITY_SET_SHIFT);
    uint32_t mask = constant_uint(r, (1u << IDENTITY_SET_SHIFT) - 1);
    uint32_t sets = constant_uint(r, IDENTITY_SETS);
    uint32_t set = VALUE(r, SpvOpShiftRightLogical, uint_type, identity, shift);
    set = VALUE(r, SpvOpBitwiseAnd, uint_type, set, sets);
    uint32_t index = VALUE(r, SpvOpBitwiseAnd, uint_type, identity, mask);
    uint32_t declared = r->layout->root_at != 0 ? take_declared(r, &quarter) : 0;
    index = VALUE(r, SpvOpShiftLeftLogical, uint_type, index, two);
    index = VALUE(r, SpvOpBitwiseOr, uint_type, index, quarter);
    uint32_t record = constant_null(r, uvec4);
    if (r->embedded->passed.count != 0 || r->embedded->passes_bytes)
        record = record_load_by_index(r, identity_record_index(r, identity, declared), quarter);
    for (uint32_t i = 0; i < r->layout->set_count; i++) {
        if (!r->records->buffers[i].by_parameter || r->layout->sets[i].embedded)
            continue;
        uint32_t record_index = constant_uint(r, i);
        uint32_t own = VALUE(r, SpvOpIEqual, type_bool(r), set, record_index);
        uint32_t safe = VALUE(r, SpvOpSelect, uint_type, own, index, zero);
        uint32_t loaded = load_element(r, i, safe);
        uint32_t owns = VALUE(r, SpvOpCompositeConstruct, bools, own, own, own, own);
        record = VALUE(r, SpvOpSelect, uvec4, owns, loaded, record);
    }
    WRITE(r, SpvOpReturnValue, record);
    write_to(r, &r->body, SpvOpFunctionEnd, module_no_instruction, 0);
}
