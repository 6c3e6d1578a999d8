/* SPDX-License-Identifier: MIT */
/*
 * Reshape: changes the types of variables to those of the driver's layout, in every tier: arrays of descriptors whose
 * bindings have several of the driver's for each of the program's, and push constants with a member of the layer's
 * behind the program's own. Works on whole modules, also after a rewrite.
 */
#ifndef CLAMPLER_SPIRV_RESHAPE_H
#define CLAMPLER_SPIRV_RESHAPE_H

#include "spirv/write/words.h"

/*
 * A member to be added to the struct of a variable, behind those that it has; type RESHAPE_KEEPS: there is none, and
 * the variable stays as it is.
 */
struct reshape_member {
    uint32_t variable, type, offset;
};

#define RESHAPE_KEEPS 0u

/* The words of one: members are handed on as words. */
#define RESHAPE_MEMBER_WORDS (sizeof(struct reshape_member) / sizeof(uint32_t))

/* True: the layout has bindings that need other types. */
bool reshape_needed(const struct spirv_layout *layout);

/*
 * `words` is a module whose Binding decorations are the driver's (renumber.h). SPIRV_UNCHANGED if it fits the layout;
 * SPIRV_UNSUPPORTED, with a message, if it cannot be changed to fit.
 */
enum spirv_result reshape(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                          const struct words *members, const struct spirv_allocator *allocator,
                          struct spirv_output *output);

#endif
