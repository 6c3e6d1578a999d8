/* SPDX-License-Identifier: MIT */
/*
 * The linked library: the GLSL of shaders/ as relocatable functions. Tables are read-only and made at build time by
 * scripts/generate/generate_shader_library.py, which describes their form.
 */
#ifndef CLAMPLER_SPIRV_LIBRARY_H
#define CLAMPLER_SPIRV_LIBRARY_H

#include "library_table.h"
#include "spirv/write/writer.h"

struct library_global {
    uint32_t offset; /* in words */
    uint32_t count;
};

struct library_function {
    const char *name;
    uint32_t offset;
    uint32_t count;
    uint32_t type;     /* local id of the return type */
    uint32_t id_count; /* ids of its own, numbered from 0 in its words: those of parameters, the label, values */
    uint32_t parameter_count;
    bool straight;        /* one block */
    uint32_t inner_first; /* where in the function's words its own ids stand: part of the table's `inner` */
    uint32_t inner_count;
    uint32_t outer_first; /* and where local ids stand: part of `outer` */
    uint32_t outer_count;
};

struct library_table {
    const uint32_t *words;
    const uint8_t *ids;    /* for types and constants: 1 where the word is a local id */
    const uint16_t *inner; /* offsets from a function's first word */
    const uint16_t *outer;
    const struct library_global *globals;     /* local ids 1 .. global_count */
    const struct library_function *functions; /* the local ids behind those */
    uint32_t global_count;
    uint32_t function_count;
};

extern const struct library_table shader_library;

/* The part of the library that is linked into the module. */
struct library {
    uint32_t import;                      /* GLSL.std.450 as used by the library, 0: not needed yet */
    bool inlines;                         /* functions are written inline at their calls */
    uint32_t linked[LIBRARY_LOCAL_COUNT]; /* local id -> id in this module, 0: not yet */
    bool written[LIBRARY_FUNCTION_COUNT]; /* function has been written */
};

/*
 * Writes a call, or the inlined function, into the current block, and returns its result. `arguments` must match the
 * GLSL function's parameters.
 */
uint32_t library_call(struct rewriter *r, enum library_name name, const uint32_t *arguments, uint32_t count);

/* Writes every function that was called, and those that they call, behind the module's last function. */
void library_link(struct rewriter *r);

#endif
