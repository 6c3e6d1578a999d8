/* SPDX-License-Identifier: MIT */
/*
 * Plan sites: plans each site before anything is written. A block that is split needs to be known before its
 * successors' OpPhi are written, and a parameter that takes a record before its function's calls are.
 */
#ifndef CLAMPLER_SPIRV_PLAN_SITES_H
#define CLAMPLER_SPIRV_PLAN_SITES_H

#include "spirv/write/writer.h"

/* Fills r->plans and the marks of blocks, parameters and functions; returns how many sites will be rewritten. */
uint32_t plan_sites(struct rewriter *r);

#endif
