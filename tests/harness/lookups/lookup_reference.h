/* SPDX-License-Identifier: MIT */
/*
 * The lookups of lookup.h on the reference sampler (tests/reference): what the specification says must come out.
 */
#ifndef CLAMPLER_HARNESS_LOOKUP_REFERENCE_H
#define CLAMPLER_HARNESS_LOOKUP_REFERENCE_H

#include "harness/lookups/lookup.h"
#include "reference/reference.h"

struct lookup_reference {
    enum lookup_format format;
    struct reference_texture texture;
    float most_bias; /* bound of the sum of all biases; 0: the reference sampler's own */
    /* Owned: all levels and layers, decoded; sRGB formats once more without, formats with a stencil their stencil. */
    union reference_color *texels, *other;
};

/* Decodes the texels; `texture` is needed no longer. */
void lookup_reference_open(struct lookup_reference *reference, const struct lookup_texture *texture);
void lookup_reference_close(struct lookup_reference *reference);

/*
 * Evaluates every input of the grid. Comparison results are in channel 0 alone, unless the lookup gathers. `view` may
 * be NULL: a texture in its own base format; `precision` likewise: reference_hardware. The border colour is clamped to
 * the range of the format, or of the view's internalFormat.
 */
void lookup_reference_run(const struct lookup_reference *reference, const struct lookup *lookup,
                          const VkSamplerGLStateCreateInfoCLAMPLER *state,
                          const VkImageViewGLStateCreateInfoCLAMPLER *view, struct lookup_grid grid,
                          const struct lookup_input *inputs, const struct reference_precision *precision,
                          struct reference_result *results);

/* The channels of a result that mean something: bit 0 is red. */
uint32_t lookup_reference_channels(const struct lookup *lookup);

#endif
