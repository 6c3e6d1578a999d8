/* SPDX-License-Identifier: MIT */
/*
 * Uniform: is a value certain to be the same for all pixels of a quad? For modules that use descriptor heaps, where
 * NonUniform decorations are not required. Reads the module, writes nothing.
 */
#ifndef CLAMPLER_SPIRV_UNIFORM_H
#define CLAMPLER_SPIRV_UNIFORM_H

#include "spirv/module/module.h"

/* False: it may differ, or it cannot be known from a few instructions. */
bool value_is_uniform(const struct module *m, uint32_t id);

#endif
