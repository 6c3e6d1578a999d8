/* SPDX-License-Identifier: MIT */
/* Index: the element of an array of descriptors that a source selects, as a value of the code that is being written. */
#ifndef CLAMPLER_SPIRV_INDEX_H
#define CLAMPLER_SPIRV_INDEX_H

#include "spirv/module/trace.h"
#include "spirv/write/writer.h"

/*
 * The sum of index * stride over the source's steps, counted in units of as many records (all strides are multiples of
 * that); 0 if there are no steps.
 */
uint32_t dynamic_index(struct rewriter *r, const struct record_source *source, uint32_t unit);

uint32_t add_constant(struct rewriter *r, uint32_t value, uint32_t constant);

#endif
