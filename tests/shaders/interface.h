/* SPDX-License-Identifier: MIT */
/*
 * What the outside sees of a SPIR-V module, as sorted lines of text, so that a rewritten module can be compared with
 * the program's. It reads words by itself, without the rewriter's reader, and numbers no ids: equal interfaces give
 * equal lines whatever ids were given.
 */
#ifndef SHADERS_INTERFACE_H
#define SHADERS_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spirv/spirv.h"

struct interface {
    char **lines;
    size_t count, room;
};

/*
 * Entry points with the inputs and outputs that they name (types, every decoration), execution modes, specialization
 * constants with their defaults, capabilities, extensions, the memory model, every member of push constants, and every
 * other variable of the module. `layout` (NULL: none) is where the driver has the bindings of the program: descriptors
 * are described as they are there. Only modules that are valid. False if memory ran out; free it in any case.
 */
bool interface_read(struct interface *interface, const uint32_t *words, size_t word_count,
                    const struct spirv_layout *layout);
void interface_free(struct interface *interface);

/*
 * Has `after`, the module as it was rewritten for `layout`, all that `before` has (read with that layout), and nothing
 * more but what the layer adds: its records and nearest samplers where the layout has them, its root behind the
 * program's push constants, memory by address, votes of subgroups? `difference` names the first line that is not so.
 */
bool interface_kept(const struct interface *before, const struct interface *after, const struct spirv_layout *layout,
                    char *difference, size_t size);

#endif
