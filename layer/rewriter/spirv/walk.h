/* SPDX-License-Identifier: MIT */
/* Walk: writes the module's functions anew. Each site is replaced by what its plan says. */
#ifndef CLAMPLER_SPIRV_WALK_H
#define CLAMPLER_SPIRV_WALK_H

#include "spirv/write/writer.h"

/* Fills r->body. Every site has its plan by then. */
void walk_functions(struct rewriter *r);

#endif
