/* SPDX-License-Identifier: MIT */
/*
 * SPIRV-Tools: its validator and its disassembler, loaded at the first use. The layer links the C library and pthreads
 * only, and most users never need a C++ library in their process.
 *
 * Looked for, in this order: libSPIRV-Tools-shared.so where the system has one, then libclampler-spirv-tools.so, which
 * is built from the static library and lies in a folder `clampler` beside the layer.
 *
 * All functions are thread-safe.
 */
#ifndef CLAMPLER_SPIRV_TOOLS_H
#define CLAMPLER_SPIRV_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if the library is there. Loads it at the first call, for the whole life of the process. */
bool spirv_tools_found(void);

/* The places where it was looked for, in words, for messages that it is missing. A static string. */
const char *spirv_tools_searched(void);

/*
 * Whether the module is valid for a Vulkan version (VK_API_VERSION_1_x). Block layouts are judged as loosely as any
 * device may allow, so that what is refused is wrong everywhere. If it is not valid, `why` has the reason, cut to
 * `size` bytes. True, with an empty `why`, where the library is missing.
 */
bool spirv_tools_validate(const uint32_t *words, size_t word_count, uint32_t vulkan_version, char *why, size_t size);

/*
 * The module as assembly with names for ids, to free(); NULL where the library is missing, the module cannot be read
 * or memory ran out.
 */
char *spirv_tools_text(const uint32_t *words, size_t word_count, uint32_t vulkan_version);

#endif
