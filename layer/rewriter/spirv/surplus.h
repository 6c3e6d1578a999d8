/* SPDX-License-Identifier: MIT */
/*
 * Outputs of a fragment shader that nothing takes, but that may not be there: their variables become private ones.
 *
 *     %p = OpTypePointer Output %v4          %q = OpTypePointer Private %v4
 *     %a = OpVariable %p Output              %a = OpVariable %q Private
 *     %x = OpAccessChain %p_float %a %i      %x = OpAccessChain %q_float %a %i
 *
 * Loads, stores and copies stay as they are. A variable whose pointer goes elsewhere, to a function for example, must
 * stay an output.
 */
#ifndef CLAMPLER_SPIRV_SURPLUS_H
#define CLAMPLER_SPIRV_SURPLUS_H

#include "spirv/module/module.h"

enum { SURPLUS_MOST = 64, SURPLUS_TYPES = 32 };

struct surplus {
    uint32_t variables[SURPLUS_MOST];
    uint32_t count;
    uint32_t pointers[SURPLUS_TYPES]; /* types of pointers into them */
    uint32_t pointer_count;
};

/* Adds a variable; false: there are too many. */
bool surplus_add(struct surplus *surplus, uint32_t variable);

/* True: it is one of these variables, or a pointer into one. */
bool surplus_has(const struct module *m, const struct surplus *surplus, uint32_t id);

/*
 * True: the module has one entry point, and all that is done with these variables can be done with private ones. Adds
 * the types of pointers.
 */
bool surplus_may_go(const struct module *m, struct surplus *surplus);

/* True: an access chain into one of these variables. */
bool surplus_is_chain(const struct module *m, const struct surplus *surplus, const uint32_t *inst);

/* True: the decoration is an output's, and of one of these variables. */
bool surplus_drops(const struct surplus *surplus, const uint32_t *decorate);

#endif
