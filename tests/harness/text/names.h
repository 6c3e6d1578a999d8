/* SPDX-License-Identifier: MIT */
/*
 * Words for people: what GL tokens and the tests' own enumerants are called in reports. Strings are static; that of a
 * number lives until the next.
 */
#ifndef CLAMPLER_HARNESS_NAMES_H
#define CLAMPLER_HARNESS_NAMES_H

#include "harness/lookups/lookup.h"

const char *name_of_wrap(uint32_t wrap);
const char *name_of_filter(uint32_t filter);
const char *name_of_dimension(enum lookup_dimension dimension);
const char *name_of_operation(enum lookup_operation operation);

/* A token of view state: base formats, swizzles, depth modes, sized formats of the tests; "0x…" for others. */
const char *name_of_token(uint32_t token);

#endif
