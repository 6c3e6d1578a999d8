/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V as text, through SPIRV-Tools: assembling, disassembling and validating in tests.
 */
#ifndef CLAMPLER_TESTS_SPIRV_TEXT_H
#define CLAMPLER_TESTS_SPIRV_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libspirv.h defines a variable, so that only one C file can include it. */
enum text_environment {
    TEXT_VULKAN_1_0,
    TEXT_VULKAN_1_1,
    TEXT_VULKAN_1_1_SPIRV_1_4,
    TEXT_VULKAN_1_2,
    TEXT_VULKAN_1_3,
    TEXT_ENVIRONMENT_COUNT
};

struct spirv_words {
    uint32_t *words; /* malloc'ed */
    size_t count;
};

/* Assembles; on an error prints it and returns no words. */
struct spirv_words text_assemble(enum text_environment environment, const char *text);

/* Is the module valid for the environment? Prints what is wrong, after `what`. */
bool text_validate(enum text_environment environment, const uint32_t *words, size_t count, const char *what);

/* Disassembly with friendly names, malloc'ed; NULL if the words do not parse. */
char *text_disassemble(const uint32_t *words, size_t count);

/*
 * The part of a rewritten module that a reader wants to see, malloc'ed: the program's functions as they are now and the
 * types, constants, variables, names and decorations that they refer to. Linked functions are left to their GLSL.
 */
char *text_essence(const uint32_t *words, size_t count);

#endif
