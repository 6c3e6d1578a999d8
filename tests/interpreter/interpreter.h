/* SPDX-License-Identifier: MIT */
/*
 * A small interpreter of SPIR-V: one invocation of an entry point, with inputs, buffers and images whose contents are
 * made of where they are, so that two modules with the same interface can be compared. Lookups are smooth functions of
 * image, sampler, coordinate, offset and level; derivatives are a share of the value, and a lookup with an implicit
 * level is one with the gradients of its coordinate. It knows 32-bit numbers and what shaders commonly do, and says so
 * where it meets anything else.
 */
#ifndef TESTS_INTERPRETER_H
#define TESTS_INTERPRETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTERPRETER_MOST_WORDS 65536u /* of values and variables */
#define INTERPRETER_MOST_STEPS 40000u /* instructions */

/* Is the variable at this binding a buffer of zeros? */
typedef bool (*interpreter_zero)(const void *user, uint32_t set, uint32_t binding);

struct interpreter {
    const uint32_t *words;
    size_t word_count;
    uint32_t bound;
    interpreter_zero zero;
    const void *user;
    uint32_t *definition;                          /* of each id: offset of its instruction; 0: none */
    uint32_t *size;                                /* of types: words; of values: words */
    uint32_t **value;                              /* of values; of variables: what they hold */
    uint32_t *set, *binding, *location, *built_in; /* of variables, + 1 */
    uint32_t *function_end;                        /* of functions */
    uint32_t *memory;
    uint32_t used, steps, glsl;
    uint32_t lookups; /* executed */
    uint32_t writes;  /* of images, as a hash */
    bool killed;
    const char *stuck; /* what it does not know; NULL: the entry point ran to its end */
};

/* Reads the module and runs its first entry point. interpreter_free() frees it in every case. */
void interpreter_run(struct interpreter *in, const uint32_t *words, size_t word_count, interpreter_zero zero,
                     const void *user);
void interpreter_free(struct interpreter *in);

/*
 * Have two runs, that came to their ends, left the same in the first one's outputs, buffers and images? `difference`
 * says what is not, cut to `size`.
 */
bool interpreter_same(const struct interpreter *a, const struct interpreter *b, char *difference, size_t size);

/* ---- For its own files ---- */

static inline const uint32_t *in_definition(const struct interpreter *in, uint32_t id)
{
    static const uint32_t none[8] = {0};
    return id < in->bound && in->definition[id] ? in->words + in->definition[id] : none;
}

static inline uint32_t in_opcode(const struct interpreter *in, uint32_t id)
{
    return in_definition(in, id)[0] & 0xffffu;
}

static inline float in_float(uint32_t bits)
{
    union {
        uint32_t u;
        float f;
    } both = {bits};
    return both.f;
}

static inline uint32_t in_bits(float value)
{
    union {
        float f;
        uint32_t u;
    } both = {value};
    return both.u;
}

void in_stuck(struct interpreter *in, const char *why);
uint32_t in_hash(uint32_t a, uint32_t b);
const uint32_t *in_value(struct interpreter *in, uint32_t id); /* never NULL: of what has none, zeros */
uint32_t in_size(struct interpreter *in, uint32_t id);         /* words of a value */
uint32_t in_type(const struct interpreter *in, uint32_t id);   /* of a value */

/* `to` has room for the result. False: it is no such instruction. */
bool in_arithmetic(struct interpreter *in, const uint32_t *inst, uint32_t *to, uint32_t size);
bool in_extended(struct interpreter *in, const uint32_t *inst, uint32_t *to, uint32_t size);
bool in_image(struct interpreter *in, const uint32_t *inst, uint32_t *to, uint32_t size);

#endif
