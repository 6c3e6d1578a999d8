/* SPDX-License-Identifier: MIT */
/* Shapes: finds pointers whose pointee gets another type, and the new types. */
#ifndef CLAMPLER_SPIRV_SHAPES_H
#define CLAMPLER_SPIRV_SHAPES_H

#include "spirv/reshape/reshape.h"
#include "spirv/write/writer.h"

/*
 * A shape is a change of a type: SHAPE_NONE: none; less than SHAPE_MEMBERS the innermost array has as many times the
 * elements; else the struct has further members, those of the variable with this number in the list.
 */
#define SHAPE_NONE 0u
#define SHAPE_MEMBERS 0x80000000u

/* A type in a shape. */
struct clone {
    uint32_t type, shape, id;
    uint32_t next; /* index + 1 of another one of the type */
};

struct shapes {
    struct rewriter r;           /* over the module that is reshaped; its body is that of the functions */
    struct words declarations;   /* the module's own types, constants and variables, with new ones between them */
    struct words *into;          /* where types go that are declared now */
    uint32_t at;                 /* offset of the instruction that is being written */
    const struct words *members; /* struct reshape_member */
    struct words clones;         /* struct clone; the ids' entries say which, and which shape they have */
    uint32_t depth;              /* of the types that are being declared */
    bool changed;
    const char *unsupported; /* the reason why the module cannot be reshaped; NULL: none found so far */
};

/* The shape of a value's pointee. */
uint32_t shape_of(struct shapes *s, uint32_t id);

/* The type in a shape: another one, or the same with SHAPE_NONE. Declares missing types. */
uint32_t shape_type(struct shapes *s, uint32_t type, uint32_t shape);

/*
 * How the indices of an access chain select among descriptors: they walk down arrays that lie within each other, as
 * many as `dimensions`. Chains of untyped pointers say themselves what they walk down.
 */
struct shape_chain {
    uint32_t base, first_index; /* places in the instruction; base 0: it is no chain that can be followed */
    uint32_t dimensions, indices;
};

struct shape_chain shape_chain(const struct shapes *s, const uint32_t *inst);

/* Gives the first reason. */
void shape_refuse(struct shapes *s, const char *why);

#endif
