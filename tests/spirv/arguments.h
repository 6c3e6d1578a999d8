/* SPDX-License-Identifier: MIT */
/*
 * No argument of the layer's own functions (their names begin with "clampler_") is of relaxed precision. SPIR-V allows
 * it, but NVIDIA's compiler fails: "NVVM compilation failed", VK_ERROR_UNKNOWN. And the layer computes in 32 bits.
 */
#ifndef CLAMPLER_TESTS_ARGUMENTS_H
#define CLAMPLER_TESTS_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first argument of relaxed precision; 0: there is none. The module is valid, or was not judged. */
uint32_t arguments_find_relaxed(const uint32_t *words, size_t word_count);

#endif
