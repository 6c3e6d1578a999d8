/* SPDX-License-Identifier: MIT */
/*
 * Assemble: the new module, from the program's words and the sections that were written.
 */
#ifndef CLAMPLER_SPIRV_ASSEMBLE_H
#define CLAMPLER_SPIRV_ASSEMBLE_H

#include "spirv/write/writer.h"

/* Puts the sections together. */
enum spirv_result assemble(struct rewriter *r, struct spirv_output *output);

/*
 * Tier 0, and modules that use no descriptor with a record: at most Binding decorations and sizes of descriptors
 * change.
 */
enum spirv_result assemble_renumbered(struct module *m, const struct spirv_layout *layout,
                                      const struct spirv_allocator *allocator, struct spirv_output *output);

#endif
