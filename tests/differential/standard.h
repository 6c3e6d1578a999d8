/* SPDX-License-Identifier: MIT */
/*
 * The same semantics in the words of Vulkan's standard extensions, on a device that has these from the layer's setting
 * `offer`: which cases can be said so, what is said, and which tier must draw it.
 */
#ifndef CLAMPLER_DIFFERENTIAL_STANDARD_H
#define CLAMPLER_DIFFERENTIAL_STANDARD_H

#include "differential/facts.h"

/* Reads what the device below the layer has, and the layer's above it has not from there. */
void standard_read_offers(struct facts *facts, const struct facts *below);

/* Why Vulkan has no word for the case, or NULL. */
const char *standard_lacks(const struct facts *facts, const struct diff_case *one);

/* The view's mapping: GL's base format and swizzle as one. */
VkComponentMapping standard_mapping(const struct diff_case *one);

/* The border in the format's channels. Every other case names its format, and likewise its mapping. */
struct lookup_border standard_border(const struct facts *facts, const struct diff_case *one);

/* Is it certain that tier 2 filters the case anisotropically? */
bool standard_probes(const struct facts *facts, const struct diff_case *one);

/* The tier that must draw it; a range as facts_tiers has one. */
struct tier_range standard_tiers(const struct facts *facts, const struct diff_case *one);

#endif
