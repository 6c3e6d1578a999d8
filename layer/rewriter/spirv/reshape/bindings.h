/* SPDX-License-Identifier: MIT */
/*
 * Bindings: changes Binding decorations to the driver's layout in modules that cannot be indexed, because of unknown
 * instructions or too great a bound. Reads decorations alone, and copies all other words. renumber.h does the same in
 * indexed modules.
 */
#ifndef CLAMPLER_SPIRV_BINDINGS_H
#define CLAMPLER_SPIRV_BINDINGS_H

#include "spirv/spirv.h"

/*
 * The words parse (spirv_scan). SPIRV_UNCHANGED: they fit the layout; SPIRV_UNSUPPORTED: a binding that the module uses
 * needs more than another number, or the result would be too long. Writes no message.
 */
enum spirv_result bindings_renumber(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                    const struct spirv_allocator *allocator, struct spirv_output *output);

#endif
