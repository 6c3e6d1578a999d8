/* SPDX-License-Identifier: MIT */
/*
 * Equal: are two values of the program certain to be the same? Front-ends compute an index again each time they select
 * a descriptor by it, so that equal indices have different ids. Reads the module, writes nothing.
 */
#ifndef CLAMPLER_SPIRV_EQUAL_H
#define CLAMPLER_SPIRV_EQUAL_H

#include "spirv/module/module.h"

/* False: they may differ, or it cannot be known from a few instructions. */
bool values_equal(const struct module *m, uint32_t a, uint32_t b);

#endif
