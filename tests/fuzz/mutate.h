/* SPDX-License-Identifier: MIT */
/*
 * Changes to modules that have a chance to stay valid SPIR-V, so that fuzzing reaches what lies behind the parser.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Makes a few random changes to the `count` words of a module in place; `capacity` words are there. Returns the new
 * count. Words that are no module are changed too, without understanding.
 */
size_t mutate_module(uint32_t *words, size_t count, size_t capacity, uint64_t *random);

#endif
