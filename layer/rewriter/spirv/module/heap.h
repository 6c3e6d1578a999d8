/* SPDX-License-Identifier: MIT */
/*
 * Heap: what a module takes out of descriptor heaps by untyped pointers (SPV_EXT_descriptor_heap), where it lies, and
 * the sizes of descriptors that it asks for.
 */
#ifndef CLAMPLER_SPIRV_HEAP_H
#define CLAMPLER_SPIRV_HEAP_H

#include "spirv/module/trace.h"

/* Which heap a pointer leads into: MARK_RESOURCE_HEAP, MARK_SAMPLER_HEAP, or 0 for neither. */
uint32_t heap_of(const struct module *m, uint32_t pointer);

/* Adds to the source where the number of the descriptor lies that such a pointer leads to, and returns its origin. */
enum record_origin heap_trace(const struct module *m, const struct spirv_layout *layout, uint32_t pointer,
                              struct record_source *source);

/* The value that an OpConstantSizeOfEXT becomes; 0: it stays as it is. */
uint32_t heap_size_shown(const struct module *m, const struct spirv_layout *layout, const uint32_t *inst);

/* How many of those instructions become constants, and how many words these have more. */
struct heap_sizes {
    uint32_t count, growth;
};

struct heap_sizes heap_sizes_plan(const struct module *m, const struct spirv_layout *layout);

/* Writes the module's words from annotations_end to functions_at with those constants; returns where they end. */
uint32_t *heap_sizes_write(const struct module *m, const struct spirv_layout *layout, uint32_t *to);

#endif
