/*
 * The linked library: the GLSL of shaders/ as relocatable functions. Tables are read-only and made at build time by
 * scripts/generate_shader_library.py, which describes their form.
 */
#ifndef CLAMPLER_SPIRV_LIBRARY_H
#define CLAMPLER_SPIRV_LIBRARY_H

#include <stdint.h>

#include "library_table.h"

struct rewriter;

struct library_global {
    uint32_t offset; /* in words */
    uint32_t count;
};

struct library_function {
    const char *name;
    uint32_t offset;
    uint32_t count;
    uint32_t type;  /* local id of the return type */
    uint32_t inner; /* ids defined inside, local ids first_inner .. first_inner + inner - 1 */
    uint32_t parameters;
};

struct library_table {
    const uint32_t *words;
    const uint8_t *ids;                       /* 1 where the word is an id */
    const struct library_global *globals;     /* local ids 1 .. global_count */
    const struct library_function *functions; /* local ids global_count + 1 .. first_inner - 1 */
    uint32_t global_count;
    uint32_t function_count;
    uint32_t first_inner;
};

extern const struct library_table library_normal;
extern const struct library_table library_faulty; /* with the faults of enum spirv_fault */

/* Writes a call into the current block and returns its result. `arguments` must match the GLSL function's parameters.
 */
uint32_t library_call(struct rewriter *r, enum library_name name, const uint32_t *arguments, uint32_t count);

/* Writes every function that was called, and those that they call, behind the module's last function. */
void library_link(struct rewriter *r);

#endif
