/* SPDX-License-Identifier: MIT */
/* The compiled lookups: made by compile_lookups.py, used by lookup_vulkan.c and lookup_gl.c. */
#ifndef CLAMPLER_HARNESS_LOOKUP_TABLE_H
#define CLAMPLER_HARNESS_LOOKUP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/lookups/lookup.h"

struct lookup_module {
    enum lookup_dimension dimension;
    enum lookup_operation operation;
    enum lookup_kind kind;
    enum lookup_stage stage;
    bool separate;
    uint32_t component;
    enum lookup_company company;
    const uint32_t *words;
    size_t bytes;
    const char *sampler_type; /* GLSL's type of the combined sampler, as Vulkan names it */
    const char *expression;   /* what LOOKUP is in shaders/tests/lookup.glsl for OpenGL */
};

extern const struct lookup_module lookup_modules[];
extern const size_t lookup_module_count;

/* NULL where GLSL has no such lookup or the tests compile none. */
const struct lookup_module *lookup_find(const struct lookup *lookup);

#endif
