#include "spirv/writer.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

bool words_enlarge(struct rewriter *r, struct words *words, uint32_t count)
{
    uint64_t capacity = (uint64_t)words->capacity * 2;
    if (capacity < (uint64_t)words->count + count + 256) {
        capacity = (uint64_t)words->count + count + 256;
    }
    uint32_t *data = NULL;
    if (capacity <= UINT32_MAX / sizeof(uint32_t)) {
        data = r->allocator->reallocate(r->allocator->user, words->data, (size_t)capacity * sizeof(uint32_t));
    }
    if (data == NULL) {
        r->out_of_memory = true;
        return false;
    }
    words->data = data;
    words->capacity = (uint32_t)capacity;
    return true;
}

void words_append(struct rewriter *r, struct words *words, const uint32_t *data, uint32_t count)
{
    uint32_t *place = count != 0 ? words_grow(r, words, count) : NULL;
    if (place != NULL) {
        memcpy(place, data, count * sizeof(uint32_t));
    }
}

static void reverse(uint32_t *first, uint32_t *end)
{
    while (first < end) {
        uint32_t word = *first;
        *first++ = *--end;
        *end = word;
    }
}

void words_move_back(struct words *words, uint32_t from, uint32_t to)
{
    uint32_t *data = words->data;
    reverse(data + to, data + from);
    reverse(data + from, data + words->count);
    reverse(data + to, data + words->count);
}

void words_drop(struct rewriter *r, struct words *words)
{
    if (words->data != NULL) {
        r->allocator->reallocate(r->allocator->user, words->data, 0);
    }
    memset(words, 0, sizeof(*words));
}

void write_to(struct rewriter *r, struct words *section, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    uint32_t *place = words_grow(r, section, count + 1);
    if (place != NULL) {
        place[0] = inst_word0(opcode, count + 1);
        memcpy(place + 1, operands, count * sizeof(uint32_t));
    }
}

uint32_t write_value(struct rewriter *r, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t id = new_id(r);
    uint32_t *place = words_grow(r, &r->body, count + 3);
    if (place != NULL) {
        place[0] = inst_word0(opcode, count + 3);
        place[1] = type;
        place[2] = id;
        memcpy(place + 3, operands, count * sizeof(uint32_t));
    }
    return id;
}

/* Constants are kept by type and bits; a vector's bits are those of its null, a bool's 0 or 1. */
static uint32_t kept_constant(struct rewriter *r, uint32_t opcode, uint32_t type, uint32_t bits)
{
    for (uint32_t i = 0; i < r->constants_kept; i++) {
        if (r->constants[i].type == type && r->constants[i].value == bits) {
            return r->constants[i].id;
        }
    }
    uint32_t id = new_id(r);
    const uint32_t operands[3] = {type, id, bits};
    write_to(r, &r->globals, opcode, operands, opcode == SpvOpConstant ? 3 : 2);
    if (r->constants_kept < CONSTANTS_KEPT) {
        r->constants[r->constants_kept].type = type;
        r->constants[r->constants_kept].value = bits;
        r->constants[r->constants_kept].id = id;
        r->constants_kept++;
    }
    return id;
}

uint32_t constant_of(struct rewriter *r, uint32_t type, uint32_t bits)
{
    return kept_constant(r, SpvOpConstant, type, bits);
}

uint32_t constant_uint(struct rewriter *r, uint32_t value)
{
    return constant_of(r, type_vector(r, SCALAR_UINT, 1), value);
}

uint32_t constant_int(struct rewriter *r, int32_t value)
{
    return constant_of(r, type_vector(r, SCALAR_INT, 1), (uint32_t)value);
}

uint32_t constant_float(struct rewriter *r, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return constant_of(r, type_vector(r, SCALAR_FLOAT, 1), bits);
}

uint32_t constant_bool(struct rewriter *r, bool value)
{
    return kept_constant(r, value ? SpvOpConstantTrue : SpvOpConstantFalse, type_bool(r), value);
}

uint32_t constant_null(struct rewriter *r, uint32_t type)
{
    return kept_constant(r, SpvOpConstantNull, type, 0);
}

void begin_block(struct rewriter *r, uint32_t label)
{
    WRITE(r, SpvOpLabel, label);
    r->label = label;
    r->block++;
}

void write_branch(struct rewriter *r, uint32_t label)
{
    WRITE(r, SpvOpBranch, label);
}

void write_selection(struct rewriter *r, uint32_t condition, uint32_t yes, uint32_t no, uint32_t merge)
{
    WRITE(r, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    WRITE(r, SpvOpBranchConditional, condition, yes, no);
}

void write_name(struct rewriter *r, uint32_t id, const char *name)
{
    uint32_t length = (uint32_t)strlen(name);
    uint32_t count = length / 4 + 1;
    uint32_t *place = words_grow(r, &r->names, count + 2);
    if (place != NULL) {
        place[0] = inst_word0(SpvOpName, count + 2);
        place[1] = id;
        place[count + 1] = 0;
        memcpy(place + 2, name, length);
    }
}

void decorate_like(struct rewriter *r, uint32_t id, uint32_t marks)
{
    if (marks & MARK_RELAXED) {
        write_to(r, &r->annotations, SpvOpDecorate, OPERANDS(id, SpvDecorationRelaxedPrecision));
    }
    if (marks & MARK_NON_UNIFORM) {
        write_to(r, &r->annotations, SpvOpDecorate, OPERANDS(id, SpvDecorationNonUniform));
    }
}

struct local_array local_array(struct rewriter *r, uint32_t type, uint32_t count)
{
    struct local_array array = {.variable = new_id(r), .element_type = type};
    uint32_t length = constant_uint(r, count);
    uint32_t whole = TYPE(r, SpvOpTypeArray, type, length);
    uint32_t pointer = TYPE(r, SpvOpTypePointer, SpvStorageClassFunction, whole);
    array.element = TYPE(r, SpvOpTypePointer, SpvStorageClassFunction, type);
    write_to(r, &r->variables, SpvOpVariable, OPERANDS(pointer, array.variable, SpvStorageClassFunction));
    return array;
}

void local_array_store(struct rewriter *r, const struct local_array *array, uint32_t index, uint32_t value)
{
    uint32_t place = VALUE(r, SpvOpAccessChain, array->element, array->variable, index);
    WRITE(r, SpvOpStore, place, value);
}

uint32_t local_array_load(struct rewriter *r, const struct local_array *array, uint32_t index)
{
    uint32_t place = VALUE(r, SpvOpAccessChain, array->element, array->variable, index);
    return VALUE(r, SpvOpLoad, array->element_type, place);
}
