/* SPDX-License-Identifier: MIT */
#include "harness/resources/heap_shader.h"

#include <stdlib.h>
#include <string.h>

#include "spirv/module/inst.h"

/* SPIR-V's numbers. */
enum {
    OP_NAME = 5,
    OP_EXTENSION = 10,
    OP_ENTRY_POINT = 15,
    OP_CAPABILITY = 17,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_IMAGE = 25,
    OP_TYPE_SAMPLER = 26,
    OP_TYPE_SAMPLED_IMAGE = 27,
    OP_TYPE_RUNTIME_ARRAY = 29,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_FUNCTION_CALL = 57,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_ARRAY_LENGTH = 68,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_COPY_OBJECT = 83,
    OP_SAMPLED_IMAGE = 86,
    OP_CONVERT_F_TO_U = 109,
    OP_I_ADD = 128,
    OP_DECORATE_ID = 332,
    OP_TYPE_UNTYPED_POINTER = 4417,
    OP_UNTYPED_VARIABLE = 4418,
    OP_UNTYPED_ACCESS_CHAIN = 4419,
    OP_TYPE_BUFFER = 5115,
    OP_BUFFER_POINTER = 5119,
    OP_CONSTANT_SIZE_OF = 5129,
    DECORATION_BLOCK = 2,
    DECORATION_BUFFER_BLOCK = 3,
    DECORATION_BUILT_IN = 11,
    DECORATION_BINDING = 33,
    DECORATION_DESCRIPTOR_SET = 34,
    DECORATION_OFFSET = 35,
    DECORATION_ARRAY_STRIDE_ID = 5124,
    CAPABILITY_UNTYPED_POINTERS = 4473,
    CAPABILITY_DESCRIPTOR_HEAP = 5128,
    BUILT_IN_SAMPLER_HEAP = 5122,
    BUILT_IN_RESOURCE_HEAP = 5123,
    STORAGE_UNIFORM_CONSTANT = 0,
    STORAGE_UNIFORM = 2,
    STORAGE_PUSH_CONSTANT = 9,
    STORAGE_BUFFER = 12,
    VERSION_1_3 = 0x00010300,
    VERSION_1_4 = 0x00010400,
};

struct words {
    uint32_t *data;
    size_t count, capacity;
};

/* A variable that goes. */
struct variable {
    uint32_t id, pointer_type, type; /* of what it points to */
    uint32_t set, binding;           /* + 1; 0: none */
    const struct harness_heap_binding *place;
    /* Types and constants of the ways into the heaps: the resource's and the sampler's. */
    struct {
        uint32_t base, index, loaded;
    } resource, sampler;
};

struct conversion {
    const struct harness_heaps *heaps;
    struct harness_spirv code;
    size_t count;             /* words of code */
    const uint32_t **defined; /* for each id the instruction that defines it; NULL: none */
    struct variable *variables;
    uint32_t variable_count;
    bool buffer_blocks; /* storage buffers are Uniform and BufferBlock */
    uint32_t next_id;
    uint32_t uint_type, float_type, sampler_type, pointer, resources, samplers;
    uint32_t constants;         /* the variable of push constants */
    uint32_t number, places[4]; /* pointer to a float of them; the constant 0, the element's number, 2 and 3 */
    struct words out, annotations, globals;
};

static void add(struct words *to, const uint32_t *words, size_t count)
{
    if (to->capacity - to->count < count) {
        to->capacity = 2 * (to->capacity + count) + 64;
        to->data = realloc(to->data, to->capacity * sizeof(uint32_t));
        if (!to->data)
            harness_fail("no memory for a shader");
    }
    memcpy(to->data + to->count, words, count * sizeof(uint32_t));
    to->count += count;
}

#define COUNT(...) (sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* One instruction: opcode, then its words. */
#define ADD(to, opcode, ...)                                                                                           \
    add((to), (const uint32_t[]){inst_word0((opcode), 1 + (uint32_t)COUNT(__VA_ARGS__)), __VA_ARGS__},                 \
        1 + COUNT(__VA_ARGS__))

static void add_extension(struct words *to, const char *name)
{
    uint32_t words[16] = {0};
    const uint32_t count = 1 + (uint32_t)strlen(name) / 4 + 1;
    words[0] = inst_word0(OP_EXTENSION, count);
    memcpy(words + 1, name, strlen(name));
    add(to, words, count);
}

static struct variable *variable_of(struct conversion *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->variable_count; i++)
        if (c->variables[i].id == id)
            return &c->variables[i];
    return NULL;
}

/* ---- What there is ---- */

static bool has_result(uint32_t opcode, uint32_t *place)
{
    *place = opcode >= OP_TYPE_INT - 2 && opcode <= OP_TYPE_POINTER + 1 ? 1 : 2;
    return *place == 1 || (opcode >= OP_CONSTANT - 2 && opcode <= OP_VARIABLE && opcode != OP_FUNCTION + 2);
}

static void decorate(struct conversion *c, const uint32_t *inst)
{
    c->buffer_blocks |= inst[2] == DECORATION_BUFFER_BLOCK;
    if (inst[2] != DECORATION_BINDING && inst[2] != DECORATION_DESCRIPTOR_SET)
        return;
    struct variable *variable = variable_of(c, inst[1]);
    if (!variable) {
        variable = &c->variables[c->variable_count++];
        *variable = (struct variable){.id = inst[1]};
    }
    *(inst[2] == DECORATION_BINDING ? &variable->binding : &variable->set) = inst[3] + 1;
}

static void look(struct conversion *c, const struct harness_heap_binding *bindings, uint32_t count)
{
    const uint32_t *words = c->code.words;
    for (size_t at = HEADER_WORDS; at < c->count && inst_opcode(words + at) != OP_FUNCTION;
         at += inst_length(words + at)) {
        const uint32_t *inst = words + at;
        uint32_t place;
        if (inst_opcode(inst) == OP_DECORATE)
            decorate(c, inst);
        if (has_result(inst_opcode(inst), &place))
            c->defined[inst[place]] = inst;
        if (inst_opcode(inst) == OP_TYPE_INT && inst[2] == 32 && inst[3] == 0)
            c->uint_type = inst[1];
        if (inst_opcode(inst) == OP_TYPE_FLOAT && inst[2] == 32)
            c->float_type = inst[1];
        if (inst_opcode(inst) == OP_TYPE_SAMPLER)
            c->sampler_type = inst[1];
        if (inst_opcode(inst) == OP_VARIABLE && inst[3] == STORAGE_PUSH_CONSTANT)
            c->constants = inst[2];
    }
    for (uint32_t i = 0; i < c->variable_count; i++) {
        struct variable *variable = &c->variables[i];
        for (uint32_t k = 0; k < count; k++)
            if (bindings[k].set + 1 == variable->set && bindings[k].binding + 1 == variable->binding)
                variable->place = &bindings[k];
        if (!variable->place)
            harness_fail("no place in a heap for binding %u of set %u", variable->binding - 1, variable->set - 1);
        variable->pointer_type = c->defined[variable->id][1];
        variable->type = c->defined[variable->pointer_type][3];
    }
}

/* ---- New types, constants and variables ---- */

static uint32_t new_constant(struct conversion *c, uint32_t value)
{
    ADD(&c->globals, OP_CONSTANT, c->uint_type, c->next_id, value);
    return c->next_id++;
}

/* An array whose stride is the size of its elements; returns it. */
static uint32_t new_array(struct conversion *c, uint32_t element)
{
    const uint32_t size = c->next_id++, array = c->next_id++;
    ADD(&c->globals, OP_CONSTANT_SIZE_OF, c->uint_type, size, element);
    ADD(&c->globals, OP_TYPE_RUNTIME_ARRAY, array, element);
    ADD(&c->annotations, OP_DECORATE_ID, array, DECORATION_ARRAY_STRIDE_ID, size);
    return array;
}

static void declare_resource(struct conversion *c, struct variable *variable, uint32_t type, VkDescriptorType kind)
{
    const uint32_t stride = harness_heap_stride(c->heaps, kind);
    if (variable->place->resource % stride != 0)
        harness_fail("byte %u is no multiple of a descriptor's %u", variable->place->resource, stride);
    variable->resource.loaded = type;
    variable->resource.base = new_array(c, type);
    variable->resource.index = new_constant(c, variable->place->resource / stride);
}

static void declare_sampler(struct conversion *c, struct variable *variable)
{
    if (c->sampler_type == 0) {
        c->sampler_type = c->next_id++;
        ADD(&c->globals, OP_TYPE_SAMPLER, c->sampler_type);
    }
    variable->sampler.loaded = c->sampler_type;
    if (variable->place->pushed) {
        const uint32_t stride = harness_heap_stride(c->heaps, VK_DESCRIPTOR_TYPE_SAMPLER);
        variable->sampler.base = new_array(c, c->sampler_type);
        variable->sampler.index = new_constant(c, variable->place->sampler / stride);
        return;
    }
    variable->sampler.base = c->next_id++;
    ADD(&c->globals, OP_TYPE_STRUCT, variable->sampler.base, c->sampler_type);
    ADD(&c->annotations, OP_MEMBER_DECORATE, variable->sampler.base, 0, DECORATION_OFFSET, variable->place->sampler);
    variable->sampler.index = new_constant(c, 0);
}

static uint32_t declare_heap(struct conversion *c, uint32_t built_in)
{
    const uint32_t heap = c->next_id++;
    ADD(&c->globals, OP_UNTYPED_VARIABLE, c->pointer, heap, STORAGE_UNIFORM_CONSTANT);
    ADD(&c->annotations, OP_DECORATE, heap, DECORATION_BUILT_IN, built_in);
    return heap;
}

/* What the ways to pushed numbers of places are made of; all bindings have theirs in one element. */
static void declare_pushed(struct conversion *c, uint32_t element)
{
    if (c->constants == 0 || c->float_type == 0)
        harness_fail("places are pushed to a shader without push constants");
    c->number = c->next_id++;
    ADD(&c->globals, OP_TYPE_POINTER, c->number, STORAGE_PUSH_CONSTANT, c->float_type);
    const uint32_t places[] = {0, element, 2, 3};
    for (int i = 0; i < 4; i++)
        c->places[i] = new_constant(c, places[i]);
}

static void declare(struct conversion *c)
{
    const uint32_t buffer = c->next_id++;
    if (c->uint_type == 0) {
        c->uint_type = c->next_id++;
        ADD(&c->globals, OP_TYPE_INT, c->uint_type, 32, 0);
    }
    c->pointer = c->next_id++;
    ADD(&c->globals, OP_TYPE_UNTYPED_POINTER, c->pointer, STORAGE_UNIFORM_CONSTANT);
    ADD(&c->globals, OP_TYPE_BUFFER, buffer, STORAGE_BUFFER);
    c->resources = declare_heap(c, BUILT_IN_RESOURCE_HEAP);
    c->samplers = declare_heap(c, BUILT_IN_SAMPLER_HEAP);
    for (uint32_t i = 0; i < c->variable_count; i++) {
        struct variable *variable = &c->variables[i];
        const uint32_t *type = c->defined[variable->type];
        if (variable->place->pushed && c->number == 0)
            declare_pushed(c, variable->place->pushed);
        switch (inst_opcode(type)) {
        case OP_TYPE_IMAGE:
            declare_resource(c, variable, variable->type, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
            break;
        case OP_TYPE_SAMPLED_IMAGE:
            declare_resource(c, variable, type[2], VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
            declare_sampler(c, variable);
            break;
        case OP_TYPE_SAMPLER:
            declare_sampler(c, variable);
            break;
        case OP_TYPE_STRUCT:
            declare_resource(c, variable, buffer, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
            break;
        default:
            harness_fail("a descriptor of type %u", inst_opcode(type));
        }
    }
}

/* ---- Code ---- */

static uint32_t add_pointer(struct conversion *c, uint32_t heap, uint32_t base, uint32_t index)
{
    ADD(&c->out, OP_UNTYPED_ACCESS_CHAIN, c->pointer, c->next_id, base, heap, index);
    return c->next_id++;
}

/* The number of an element, with what is pushed. */
static uint32_t add_index(struct conversion *c, const struct variable *variable, bool sampler)
{
    const uint32_t index = sampler ? variable->sampler.index : variable->resource.index;
    if (variable->place->pushed == 0)
        return index;
    const uint32_t at = c->next_id++, number = c->next_id++, whole = c->next_id++, sum = c->next_id++;
    ADD(&c->out, OP_ACCESS_CHAIN, c->number, at, c->constants, c->places[0], c->places[1], c->places[sampler ? 3 : 2]);
    ADD(&c->out, OP_LOAD, c->float_type, number, at);
    ADD(&c->out, OP_CONVERT_F_TO_U, c->uint_type, whole, number);
    ADD(&c->out, OP_I_ADD, c->uint_type, sum, index, whole);
    return sum;
}

static void add_load(struct conversion *c, const struct variable *variable, bool sampler, uint32_t result)
{
    const uint32_t heap = sampler ? c->samplers : c->resources;
    const uint32_t base = sampler ? variable->sampler.base : variable->resource.base;
    const uint32_t pointer = add_pointer(c, heap, base, add_index(c, variable, sampler));
    ADD(&c->out, OP_LOAD, sampler ? variable->sampler.loaded : variable->resource.loaded, result, pointer);
}

/* OpLoad of a whole descriptor. */
static void convert_load(struct conversion *c, const struct variable *variable, const uint32_t *inst)
{
    if (inst_opcode(c->defined[variable->type]) != OP_TYPE_SAMPLED_IMAGE) {
        add_load(c, variable, inst_opcode(c->defined[variable->type]) == OP_TYPE_SAMPLER, inst[2]);
        return;
    }
    const uint32_t image = c->next_id++, sampler = c->next_id++;
    add_load(c, variable, false, image);
    add_load(c, variable, true, sampler);
    ADD(&c->out, OP_SAMPLED_IMAGE, inst[1], inst[2], image, sampler);
}

/* A chain into a buffer, or the length of its array. */
static void convert_use(struct conversion *c, const struct variable *variable, const uint32_t *inst)
{
    if (inst_opcode(c->defined[variable->type]) != OP_TYPE_STRUCT)
        harness_fail("an array of descriptors in a shader that is converted for heaps");
    const uint32_t at = add_pointer(c, c->resources, variable->resource.base, add_index(c, variable, false));
    const uint32_t pointer = c->next_id++;
    ADD(&c->out, OP_BUFFER_POINTER, variable->pointer_type, pointer, at);
    const size_t begins = c->out.count;
    add(&c->out, inst, inst_length(inst));
    c->out.data[begins + 3] = pointer;
}

static void convert_code(struct conversion *c, const uint32_t *inst)
{
    struct variable *variable = inst_length(inst) > 3 ? variable_of(c, inst[3]) : NULL;
    switch (inst_opcode(inst)) {
    case OP_LOAD:
        if (variable)
            convert_load(c, variable, inst);
        break;
    case OP_ACCESS_CHAIN:
    case OP_IN_BOUNDS_ACCESS_CHAIN:
    case OP_ARRAY_LENGTH:
        if (variable)
            convert_use(c, variable, inst);
        break;
    case OP_COPY_OBJECT:
    case OP_FUNCTION_CALL:
        for (uint32_t i = 3; i < inst_length(inst); i++)
            if (variable_of(c, inst[i]))
                harness_fail("a descriptor is passed on in a shader that is converted for heaps");
        variable = NULL;
        break;
    default:
        variable = NULL;
        break;
    }
    if (!variable)
        add(&c->out, inst, inst_length(inst));
}

/* From SPIR-V 1.4 on the interface has all variables. */
static void convert_entry_point(struct conversion *c, const uint32_t *inst)
{
    const bool all = c->code.words[HEADER_VERSION] >= VERSION_1_4;
    const size_t begins = c->out.count;
    for (uint32_t i = 0; i < inst_length(inst); i++)
        if (i < 3 || !variable_of(c, inst[i]))
            add(&c->out, inst + i, 1);
    if (all)
        add(&c->out, (const uint32_t[]){c->resources, c->samplers}, 2);
    c->out.data[begins] = inst_word0(OP_ENTRY_POINT, (uint32_t)(c->out.count - begins));
}

/* What stands in front of functions. */
static void convert_declaration(struct conversion *c, const uint32_t *inst)
{
    const uint32_t opcode = inst_opcode(inst);
    const bool about = opcode == OP_NAME || opcode == OP_DECORATE || opcode == OP_DECORATE_ID;
    if ((about && variable_of(c, inst[1])) || (opcode == OP_VARIABLE && variable_of(c, inst[2])))
        return;
    if (opcode == OP_ENTRY_POINT) {
        convert_entry_point(c, inst);
        return;
    }
    const size_t begins = c->out.count;
    add(&c->out, inst, inst_length(inst));
    if (opcode == OP_DECORATE && inst[2] == DECORATION_BUFFER_BLOCK)
        c->out.data[begins + 2] = DECORATION_BLOCK;
    if (opcode == OP_TYPE_POINTER && inst[2] == STORAGE_UNIFORM && c->buffer_blocks)
        c->out.data[begins + 2] = STORAGE_BUFFER;
}

/* Do types, constants and variables begin here? What older SPIR-V has in front of them has the lowest numbers. */
static bool begins_types(uint32_t opcode)
{
    return opcode >= OP_TYPE_INT - 2 && opcode <= OP_VARIABLE;
}

static void write_all(struct conversion *c)
{
    const uint32_t *words = c->code.words;
    uint32_t previous = OP_CAPABILITY;
    bool types = false, functions = false;
    add(&c->out, words, HEADER_WORDS);
    for (size_t at = HEADER_WORDS; at < c->count; at += inst_length(words + at)) {
        const uint32_t *inst = words + at;
        const uint32_t opcode = inst_opcode(inst);
        if (previous == OP_CAPABILITY && opcode != OP_CAPABILITY) {
            ADD(&c->out, OP_CAPABILITY, CAPABILITY_UNTYPED_POINTERS);
            ADD(&c->out, OP_CAPABILITY, CAPABILITY_DESCRIPTOR_HEAP);
            add_extension(&c->out, "SPV_KHR_untyped_pointers");
            add_extension(&c->out, "SPV_EXT_descriptor_heap");
        }
        previous = opcode;
        if (!types && begins_types(opcode)) {
            types = true;
            add(&c->out, c->annotations.data, c->annotations.count);
        }
        if (opcode == OP_FUNCTION && !functions) {
            functions = true;
            add(&c->out, c->globals.data, c->globals.count);
        }
        if (functions)
            convert_code(c, inst);
        else
            convert_declaration(c, inst);
    }
    c->out.data[HEADER_BOUND] = c->next_id;
    if (c->out.data[HEADER_VERSION] < VERSION_1_3)
        c->out.data[HEADER_VERSION] = VERSION_1_3;
}

struct harness_spirv harness_heap_shader(const struct harness_heaps *heaps, struct harness_spirv code,
                                         const struct harness_heap_binding *bindings, uint32_t count)
{
    struct conversion c = {
        .heaps = heaps, .code = code, .count = code.bytes / sizeof(uint32_t), .next_id = code.words[HEADER_BOUND]};
    c.defined = harness_alloc(c.next_id, sizeof(*c.defined));
    c.variables = harness_alloc(c.next_id, sizeof(*c.variables));
    look(&c, bindings, count);
    declare(&c);
    write_all(&c);
    free(c.defined);
    free(c.variables);
    free(c.annotations.data);
    free(c.globals.data);
    return (struct harness_spirv){c.out.data, c.out.count * sizeof(uint32_t)};
}
