/* SPDX-License-Identifier: MIT */
/*
 * Writer: values, blocks, names and arrays of the module that is being written.
 */
#ifndef CLAMPLER_SPIRV_WRITER_H
#define CLAMPLER_SPIRV_WRITER_H

#include "spirv/write/constants.h"
#include "spirv/write/types.h"
#include "spirv/write/words.h"

/* Writes a value into the current block and returns its id. */
uint32_t write_value(struct rewriter *r, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count);
#define VALUE(r, opcode, type, ...) write_value(r, opcode, type, OPERANDS(__VA_ARGS__))

/*
 * Calls a function of the rewriter's own. Arguments with RelaxedPrecision are converted to full precision: NVIDIA's
 * compiler else finds 16 bits where the function takes 32, and fails.
 */
uint32_t write_call(struct rewriter *r, uint32_t type, uint32_t function, const uint32_t *arguments, uint32_t count);
#define CALL(r, type, function, ...) write_call(r, type, function, OPERANDS(__VA_ARGS__))

/* Control flow. */
void begin_block(struct rewriter *r, uint32_t label);
void write_branch(struct rewriter *r, uint32_t label);
void write_selection(struct rewriter *r, uint32_t condition, uint32_t yes, uint32_t no, uint32_t merge);

/* An array in the memory of the function that is being written. Only where r->no_variables does not forbid it. */
struct local_array {
    uint32_t variable;
    uint32_t element; /* type of a pointer to an element */
    uint32_t element_type;
};

struct local_array local_array(struct rewriter *r, uint32_t type, uint32_t count);
void local_array_store(struct rewriter *r, const struct local_array *array, uint32_t index, uint32_t value);
uint32_t local_array_load(struct rewriter *r, const struct local_array *array, uint32_t index);

void write_name(struct rewriter *r, uint32_t id, const char *name);

/*
 * Gives `id` the decorations RelaxedPrecision and NonUniform as far as `marks` has them. What code of the layer's works
 * on is in 32 bits (`marks & MARK_NON_UNIFORM`): NVIDIA's compiler fails where a value of relaxed precision is an
 * argument.
 */
void decorate_like(struct rewriter *r, uint32_t id, uint32_t marks);

#endif
