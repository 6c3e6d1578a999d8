/* SPDX-License-Identifier: MIT */
/*
 * Links functions of the GLSL library in shaders/, which the build compiles to SPIR-V words, into the module that is
 * written. Their ids are mapped to new ones, and they share types and constants with the module.
 */
#include "spirv/write/library.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

static uint32_t link_local(struct rewriter *r, uint32_t local);

/* A type or constant of the library in this module: the module's own where types must not be declared twice. */
static uint32_t link_global(struct rewriter *r, uint32_t local)
{
    const struct library_global *global = &shader_library.globals[local - 1];
    const uint32_t *words = shader_library.words + global->offset;
    const uint8_t *ids = shader_library.ids + global->offset;
    uint32_t opcode = inst_opcode(words);
    bool is_type = opcode >= SpvOpTypeVoid && opcode <= SpvOpTypeFunction;
    uint32_t linked[24];
    if (global->count > sizeof(linked) / sizeof(linked[0])) {
        return 0; /* the library has no such type; a table that has one fails every test */
    }
    uint32_t result = is_type ? 1 : 2;
    for (uint32_t i = 1; i < global->count; i++) {
        if (i != result)
            linked[i] = ids[i] ? link_local(r, words[i]) : words[i];
    }
    if (is_type)
        return declare_type(r, opcode, linked + 2, global->count - 2);
    if (opcode == SpvOpConstant)
        return constant_of(r, linked[1], words[3]);
    linked[2] = new_id(r);
    write_to(r, &r->globals, opcode, linked + 1, global->count - 1);
    return linked[2];
}

/* A local id that is seen for the first time. */
static uint32_t link_new(struct rewriter *r, uint32_t local)
{
    if (local == 0) {
        r->library->import = r->m->glsl_import != 0 ? r->m->glsl_import : new_id(r);
        return r->library->import;
    }
    if (local <= shader_library.global_count)
        return link_global(r, local);
    uint32_t id = new_id(r);
    write_name(r, id, shader_library.functions[local - 1 - shader_library.global_count].name);
    return id;
}

static uint32_t link_local(struct rewriter *r, uint32_t local)
{
    if (r->library->linked[local] == 0)
        r->library->linked[local] = link_new(r, local);
    return r->library->linked[local];
}

/* The body of a straight function, with the arguments in the place of its parameters. */
static uint32_t write_body(struct rewriter *r, const struct library_function *function, const uint32_t *arguments)
{
    enum { HEAD = 5, PARAMETER = 3, LABEL = 2, TAIL = 3 }; /* words of what stands around it */
    uint32_t count = function->parameter_count;
    uint32_t before = HEAD + PARAMETER * count + LABEL;
    uint32_t base = r->next_id;
    r->next_id += function->id_count;
    uint32_t from = r->body.count;
    const uint32_t *words = shader_library.words + function->offset;
    words_append(r, &r->body, words + before, function->count - before - TAIL);
    if (r->out_of_memory)
        return base;
    uint32_t *body = r->body.data + from;
    uint32_t returned = function->count - 2;
    uint32_t result = 0;
    for (uint32_t i = 0; i < function->inner_count; i++) {
        uint32_t at = shader_library.inner[function->inner_first + i];
        uint32_t id = words[at] < count ? arguments[words[at]] : base + words[at];
        if (at == returned)
            result = id;
        else if (at >= before)
            body[at - before] = id;
    }
    /* The body does not grow here: types and constants go elsewhere. */
    for (uint32_t i = 0; i < function->outer_count; i++) {
        uint32_t at = shader_library.outer[function->outer_first + i];
        if (at >= before) {
            uint32_t id = link_local(r, words[at]);
            if (at == returned)
                result = id;
            else
                body[at - before] = id;
        }
    }
    return result;
}

uint32_t library_call(struct rewriter *r, enum library_name name, const uint32_t *arguments, uint32_t count)
{
    const struct library_function *function = &shader_library.functions[name];
    if (function->straight && r->library->inlines)
        return write_body(r, function, arguments);
    uint32_t type = link_local(r, function->type);
    uint32_t called = link_local(r, shader_library.global_count + 1 + (uint32_t)name);
    return write_call(r, type, called, arguments, count);
}

static void write_function(struct rewriter *r, const struct library_function *function)
{
    uint32_t base = r->next_id;
    r->next_id += function->id_count;
    uint32_t *body = words_grow(r, &r->body, function->count);
    if (!body)
        return;
    memcpy(body, shader_library.words + function->offset, function->count * sizeof(uint32_t));
    const uint16_t *inner = shader_library.inner + function->inner_first;
    for (uint32_t i = 0; i < function->inner_count; i++)
        body[inner[i]] += base;
    /* The body does not grow here: types and constants go elsewhere. */
    const uint16_t *outer = shader_library.outer + function->outer_first;
    for (uint32_t i = 0; i < function->outer_count; i++)
        body[outer[i]] = link_local(r, body[outer[i]]);
}

void library_link(struct rewriter *r)
{
    uint32_t first = shader_library.global_count + 1;
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < shader_library.function_count; i++) {
            if (r->library->linked[first + i] != 0 && !r->library->written[i]) {
                r->library->written[i] = true;
                again = true;
                write_function(r, &shader_library.functions[i]);
            }
        }
    }
}
