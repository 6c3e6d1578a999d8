/* SPDX-License-Identifier: MIT */
/*
 * Bindings: Binding decorations as the driver's layout has them, in modules that cannot be indexed, because of
 * instructions that nobody here knows or of a bound beyond all bounds. Looks at decorations alone, and leaves all other
 * words as they are. renumber.h does the same in modules that were indexed.
 */
#ifndef CLAMPLER_SPIRV_BINDINGS_H
#define CLAMPLER_SPIRV_BINDINGS_H

#include "spirv/spirv.h"

/*
 * The words parse (spirv_scan). SPIRV_UNCHANGED: they are as the layout asks; SPIRV_UNSUPPORTED: a binding that the
 * module uses asks for more than another number, or the result would be too long. Writes no message.
 */
enum spirv_result bindings_renumber(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                    const struct spirv_allocator *allocator, struct spirv_output *output);

#endif
