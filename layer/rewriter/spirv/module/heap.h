/* SPDX-License-Identifier: MIT */
/*
 * Heap: the descriptors that a module loads from descriptor heaps by untyped pointers (SPV_EXT_descriptor_heap), their
 * places, and the sizes of descriptors that the module queries.
 */
#ifndef CLAMPLER_SPIRV_HEAP_H
#define CLAMPLER_SPIRV_HEAP_H

#include "spirv/module/trace.h"

/* The heap of a pointer: MARK_RESOURCE_HEAP, MARK_SAMPLER_HEAP, or 0 for neither. */
uint32_t heap_of(const struct module *m, uint32_t pointer);

/* Adds the place of the record index of such a pointer's descriptor to the source, and returns its origin. */
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
