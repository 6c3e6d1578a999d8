/* SPDX-License-Identifier: MIT */
/*
 * Untyped access chains count bytes: each index takes its share by a stride or an offset, which a decoration has as a
 * literal or as a constant. For specialization constants the code adds the value, by id.
 */
#include "spirv/module/heap.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/opcodes.h"

#define DEEPEST_CHAIN 64u

uint32_t heap_of(const struct module *m, uint32_t pointer)
{
    for (uint32_t depth = 0; depth < DEEPEST_CHAIN; depth++) {
        const uint32_t *inst = module_definition(m, pointer);
        uint32_t opcode = inst_opcode(inst);
        if (opcode == SpvOpVariable || opcode == OP_UNTYPED_VARIABLE)
            return module_marks(m, pointer) & (MARK_RESOURCE_HEAP | MARK_SAMPLER_HEAP);
        if (opcode != SpvOpCopyObject && !opcode_is_untyped_chain(opcode))
            return 0;
        pointer = inst[opcode == SpvOpCopyObject ? 3 : opcode_chain_base(opcode)];
    }
    return 0;
}

/* ---- Sizes ---- */

uint32_t heap_size_shown(const struct module *m, const struct spirv_layout *layout, const uint32_t *inst)
{
    const uint32_t *type = module_definition(m, inst[1]);
    if (inst_opcode(type) != SpvOpTypeInt || (type[2] != 32 && type[2] != 64))
        return 0;
    switch (module_opcode(m, inst[3])) {
    case SpvOpTypeImage:
        return layout->heaps.image_size;
    case SpvOpTypeSampler:
        return layout->heaps.sampler_size;
    case OP_TYPE_BUFFER:
    case OP_TYPE_ACCELERATION_STRUCTURE:
        return layout->heaps.buffer_size;
    default:
        return 0;
    }
}

/* The constant's words in all: of 64 bits it has one more. */
static uint32_t constant_length(const struct module *m, const uint32_t *inst)
{
    return module_definition(m, inst[1])[2] == 64 ? 5 : 4;
}

/* The next such instruction from `at` on that becomes a constant, and its value; functions_at if there is none. */
static uint32_t next_size(const struct module *m, const struct spirv_layout *layout, uint32_t at, uint32_t *value)
{
    while (at < m->functions_at) {
        const uint32_t *inst = m->words + at;
        *value = inst_opcode(inst) == OP_CONSTANT_SIZE_OF ? heap_size_shown(m, layout, inst) : 0;
        if (*value != 0)
            break;
        at += inst_length(inst);
    }
    return at;
}

struct heap_sizes heap_sizes_plan(const struct module *m, const struct spirv_layout *layout)
{
    struct heap_sizes sizes = {0, 0};
    uint32_t value;
    for (uint32_t at = m->annotations_end; m->heaps && (at = next_size(m, layout, at, &value)) < m->functions_at;
         at += inst_length(m->words + at)) {
        sizes.count++;
        sizes.growth += constant_length(m, m->words + at) - inst_length(m->words + at);
    }
    return sizes;
}

static uint32_t *copy(uint32_t *to, const uint32_t *from, uint32_t count)
{
    if (count != 0)
        memcpy(to, from, count * sizeof(uint32_t));
    return to + count;
}

uint32_t *heap_sizes_write(const struct module *m, const struct spirv_layout *layout, uint32_t *to)
{
    uint32_t copied = m->annotations_end, value;
    for (uint32_t at = copied; m->heaps && (at = next_size(m, layout, at, &value)) < m->functions_at;) {
        const uint32_t *inst = m->words + at;
        uint32_t length = constant_length(m, inst);
        const uint32_t constant[5] = {inst_word0(SpvOpConstant, length), inst[1], inst[2], value, 0};
        to = copy(to, m->words + copied, at - copied);
        to = copy(to, constant, length);
        at += inst_length(inst);
        copied = at;
    }
    return copy(to, m->words + copied, m->functions_at - copied);
}

/* ---- The places of descriptors ---- */

/* A number of bytes, or the id of a constant that holds it. */
struct bytes {
    uint32_t value, id; /* id 0: the value is known */
};

/* The value of an integer that is known before anything is specialized. */
static bool known_value(const struct module *m, const struct spirv_layout *layout, uint32_t id, uint32_t *value)
{
    if (module_constant(m, id, value))
        return true;
    *value = module_opcode(m, id) == OP_CONSTANT_SIZE_OF ? heap_size_shown(m, layout, module_definition(m, id)) : 0;
    return *value != 0;
}

static bool is_integer(const struct module *m, uint32_t id)
{
    const uint32_t *type = module_definition(m, module_type_of(m, id));
    return inst_opcode(type) == SpvOpTypeInt && type[2] <= 64;
}

/* The value of a decoration: a literal, or by DECORATION_..._ID an integer constant. */
static bool decorated(const struct module *m, const struct spirv_layout *layout, bool by_id, uint32_t operand,
                      struct bytes *bytes)
{
    *bytes = (struct bytes){operand, 0};
    if (!by_id || known_value(m, layout, operand, &bytes->value))
        return true;
    bytes->id = operand;
    return is_integer(m, operand);
}

/* The distance of elements of an array, or of a pointer's type. */
static bool array_stride(const struct module *m, const struct spirv_layout *layout, uint32_t type, struct bytes *bytes)
{
    const uint32_t *inst = m->words + (type < m->bound ? module_id(m, type)->layout : 0);
    if (type >= m->bound || module_id(m, type)->layout == 0)
        return false;
    return (inst[2] == SpvDecorationArrayStride || inst[2] == DECORATION_ARRAY_STRIDE_ID) &&
           decorated(m, layout, inst[2] == DECORATION_ARRAY_STRIDE_ID, inst[3], bytes);
}

static bool member_offset(const struct module *m, const struct spirv_layout *layout, uint32_t type, uint32_t member,
                          struct bytes *bytes)
{
    uint32_t at = module_id(m, type)->layout;
    for (; at != 0 && at < m->annotations_end && module_search(m, 1); at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        bool by_id = inst_opcode(inst) == OP_MEMBER_DECORATE_ID;
        if ((by_id || inst_opcode(inst) == SpvOpMemberDecorate) && inst_length(inst) > 4 && inst[1] == type &&
            inst[2] == member && inst[3] == (by_id ? DECORATION_OFFSET_ID : (uint32_t)SpvDecorationOffset))
            return decorated(m, layout, by_id, inst[4], bytes);
    }
    return false;
}

static bool add_known(struct record_source *source, uint64_t bytes)
{
    bytes += source->first;
    source->first = (uint32_t)bytes;
    return bytes <= UINT32_MAX;
}

static bool add_step(struct record_source *source, uint32_t index, uint32_t stride, uint32_t stride_id)
{
    if (source->step_count == RECORD_STEPS)
        return false;
    source->steps[source->step_count].index = index;
    source->steps[source->step_count].stride = stride;
    source->steps[source->step_count].stride_id = stride_id;
    source->step_count++;
    return true;
}

/* Adds `index` times the bytes. */
static bool add_element(const struct module *m, const struct spirv_layout *layout, uint32_t index,
                        const struct bytes *bytes, struct record_source *source)
{
    uint32_t value;
    if (!is_integer(m, index))
        return false;
    if (!known_value(m, layout, index, &value))
        return add_step(source, index, bytes->value, bytes->id);
    if (bytes->id == 0)
        return add_known(source, (uint64_t)value * bytes->value);
    return value == 0 || add_step(source, bytes->id, value, 0);
}

/* Adds what the indices of an untyped chain take. */
static bool add_chain(const struct module *m, const struct spirv_layout *layout, const uint32_t *chain,
                      struct record_source *source)
{
    uint32_t type = chain[3], i = 5;
    struct bytes bytes;
    if (inst_opcode(chain) >= OP_UNTYPED_PTR_ACCESS_CHAIN) {
        if (!array_stride(m, layout, module_type_of(m, chain[4]), &bytes) ||
            !add_element(m, layout, chain[i++], &bytes, source))
            return false;
    }
    for (; i < inst_length(chain); i++) {
        const uint32_t *inst = module_definition(m, type);
        uint32_t opcode = inst_opcode(inst), member;
        if (opcode == SpvOpTypeArray || opcode == SpvOpTypeRuntimeArray) {
            if (!array_stride(m, layout, type, &bytes) || !add_element(m, layout, chain[i], &bytes, source))
                return false;
            type = inst[2];
        } else if (opcode == SpvOpTypeStruct) {
            if (!module_constant(m, chain[i], &member) || member >= inst_length(inst) - 2 ||
                !member_offset(m, layout, type, member, &bytes) ||
                !(bytes.id != 0 ? add_step(source, bytes.id, 1, 0) : add_known(source, bytes.value)))
                return false;
            type = inst[2 + member];
        } else {
            return false;
        }
    }
    return true;
}

enum record_origin heap_trace(const struct module *m, const struct spirv_layout *layout, uint32_t pointer,
                              struct record_source *source)
{
    bool samplers = heap_of(m, pointer) == MARK_SAMPLER_HEAP;
    const struct spirv_heaps *heaps = &layout->heaps;
    if (layout->root_at == 0 || heaps->image_size == 0)
        return ORIGIN_NONE;
    source->base = samplers ? heaps->sampler_base : heaps->image_base;
    source->first = samplers ? heaps->sampler_index_offset : heaps->image_index_offset;
    for (;;) {
        const uint32_t *inst = module_definition(m, pointer);
        uint32_t opcode = inst_opcode(inst);
        if (opcode == SpvOpVariable || opcode == OP_UNTYPED_VARIABLE)
            return ORIGIN_HEAP;
        if (opcode != SpvOpCopyObject && !add_chain(m, layout, inst, source))
            return ORIGIN_UNKNOWN;
        pointer = inst[opcode == SpvOpCopyObject ? 3 : opcode_chain_base(opcode)];
    }
}
