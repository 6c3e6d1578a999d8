/* SPDX-License-Identifier: MIT */
/*
 * Nearest: the sampler of the layer's that reads texels of cubes, which cannot be fetched, and of all images where the
 * driver's fetches are wrong. Sets with records have one beside them. In heaps it is embedded. In descriptor buffers it
 * stands behind each of the program's samplers, as another element of the same binding.
 */
#ifndef CLAMPLER_SPIRV_NEAREST_H
#define CLAMPLER_SPIRV_NEAREST_H

#include "spirv/sites/plan.h"
#include "spirv/write/writer.h"

#define NEAREST_MOST 8u

/* The variable that it is loaded from. */
struct nearest_place {
    uint32_t variable; /* id */
    uint32_t pointer;  /* of an array: the type of a pointer to an element; 0: it is no array */
    uint32_t index;    /* then: a value of the block that asked */
    bool non_uniform;  /* and that may differ between invocations */
};

/* Several, where a function gets samplers of several bindings. */
struct nearest {
    uint32_t count; /* 0: there is none */
    struct nearest_place places[NEAREST_MOST];
    uint32_t selector; /* of several: uint, the index of the place */
};

/* The nearest sampler for a site's sampler; declares missing variables. */
struct nearest nearest_sampler(struct rewriter *r, const struct site_plan *plan);

/* The sampler, as a value of the current block. */
uint32_t nearest_load(struct rewriter *r, const struct nearest_place *place);

/* How many variables there are, for interfaces of entry points; they are written to `to` if not NULL. */
uint32_t nearest_interface(const struct rewriter *r, uint32_t *to);

#endif
