/*
 * Walk: writes the module's functions anew, with what the plans say in the place of each site.
 */
#ifndef CLAMPLER_SPIRV_WALK_H
#define CLAMPLER_SPIRV_WALK_H

#include "spirv/write/writer.h"

/* Fills r->body. Every site has its plan by then. */
void walk_functions(struct rewriter *r);

#endif
