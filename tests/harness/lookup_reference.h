/*
 * The lookups of lookup.h on the reference sampler (tests/reference): what the specification says must come out.
 */
#ifndef CLAMPLER_HARNESS_LOOKUP_REFERENCE_H
#define CLAMPLER_HARNESS_LOOKUP_REFERENCE_H

#include "harness/lookup.h"
#include "reference/reference.h"

struct lookup_reference {
    struct reference_texture texture;
    union reference_color *texels; /* owned: all levels and layers, decoded */
};

/* Decodes the texels; `texture` is needed no longer. Cubes are not modelled. */
void lookup_reference_open(struct lookup_reference *reference, const struct lookup_texture *texture);
void lookup_reference_close(struct lookup_reference *reference);

/*
 * Evaluates every input of the grid. Comparison results are in channel 0 alone, unless the lookup gathers. `precision`
 * may be NULL: reference_hardware.
 */
void lookup_reference_run(const struct lookup_reference *reference, const struct lookup *lookup,
                          const VkSamplerGLStateCreateInfoCLAMPLER *state, struct lookup_grid grid,
                          const struct lookup_input *inputs, const struct reference_precision *precision,
                          struct reference_result *results);

/* The channels of a result that mean something: bit 0 is red. */
uint32_t lookup_reference_channels(const struct lookup *lookup);

#endif
