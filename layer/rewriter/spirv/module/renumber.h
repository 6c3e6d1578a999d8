/* SPDX-License-Identifier: MIT */
/*
 * Renumber: Binding decorations as the driver's layout has them. A group of decorations may stand for variables of
 * several sets: then each of them gets a decoration of its own in the place of the group's.
 */
#ifndef CLAMPLER_SPIRV_RENUMBER_H
#define CLAMPLER_SPIRV_RENUMBER_H

#include "spirv/module/module.h"

struct renumbering {
    bool any;        /* some number changes */
    uint32_t behind; /* words that come behind the module's annotations */
};

/* Plans the changes; called once for a module, before renumber_write(). */
struct renumbering renumber_plan(struct module *m, const struct spirv_layout *layout);

/* Changes `annotations`, a copy of the words from names_end on, and writes `behind` words to `behind`. */
void renumber_write(const struct module *m, const struct spirv_layout *layout, uint32_t *annotations, uint32_t *behind);

#endif
