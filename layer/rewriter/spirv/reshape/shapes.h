/* SPDX-License-Identifier: MIT */
/*
 * Shapes: which values are pointers to what gets another type, and the types that they get.
 */
#ifndef CLAMPLER_SPIRV_SHAPES_H
#define CLAMPLER_SPIRV_SHAPES_H

#include "spirv/reshape/reshape.h"
#include "spirv/write/writer.h"

/*
 * A shape says what becomes of a type: SHAPE_NONE nothing; less than SHAPE_MEMBERS the innermost array has as many
 * times the elements; else the struct has further members, those of the variable with this number in the list.
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
    const char *unsupported; /* why the module cannot be reshaped; NULL: it can, as far as it was looked at */
};

/* The shape of what a value points to. */
uint32_t shape_of(struct shapes *s, uint32_t id);

/* A type in a shape: another one, or the same where the shape asks for nothing. Declares what is missing. */
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
