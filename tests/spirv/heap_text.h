/* SPDX-License-Identifier: MIT */
/*
 * Assembly with the instructions of SPV_KHR_untyped_pointers and SPV_EXT_descriptor_heap, for assemblers that do not
 * know them yet.
 */
#ifndef CLAMPLER_TESTS_HEAP_TEXT_H
#define CLAMPLER_TESTS_HEAP_TEXT_H

#include "spirv_text.h"

/*
 * Like text_assemble(). Lines with a newer instruction or name hold ids, names and numbers alone, and do not follow an
 * instruction of any number of operands, such as OpTypeStruct.
 */
struct spirv_words heap_assemble(const char *text);

/* Does the validator know these instructions? */
bool heap_validator_knows(void);

/* Is the module valid? True where the validator cannot tell. */
bool heap_validate(const uint32_t *words, size_t count, const char *what);

#endif
