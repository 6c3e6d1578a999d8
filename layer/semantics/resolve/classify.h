/* SPDX-License-Identifier: MIT */
/*
 * Classify: with which views a sampler state requires emulation, by rules and without one view at hand.
 *
 *                      every view that does not       every view that does
 *                      require emulation itself       (integers, swizzles, no linear filters, rectangles ...)
 *   NEVER              native                         native
 *   WITH_SOME_VIEWS    native                         some ask for something
 *   ALWAYS             some ask for something         -
 *
 * Native is a pair for which the program's own sampler and view serve, and whose record is zero. So whoever writes
 * a descriptor with a state that is not ALWAYS, while no view alive requires emulation, resolves nothing.
 *
 * Two kinds of pairs count as native whatever resolve_decide makes of them. Samplers and views of Vulkan alone that
 * compare depth which the view's mapping does not show are the driver's business (docs/semantics.md). A sampler of
 * Vulkan alone names the format of its custom border colour wherever one must be named, as Vulkan has it.
 */
#ifndef CLAMPLER_RESOLVE_CLASSIFY_H
#define CLAMPLER_RESOLVE_CLASSIFY_H

#include "resolve/resolve.h"
#include "view_facts/view_facts.h"

enum sampler_emulation { SAMPLER_EMULATED_NEVER, SAMPLER_EMULATED_WITH_SOME_VIEWS, SAMPLER_EMULATED_ALWAYS };

/* As resolve_decide has it of all views of such a device (tests/unit/resolve_classify_test.c). */
enum sampler_emulation sampler_state_classify(const struct sampler_state *state, const struct resolve_caps *caps);

/* In a descriptor of its own the program's sampler goes to the driver as it is: resolve_decide without a view. */
bool sampler_state_is_native_alone(const struct sampler_state *state, const struct resolve_caps *caps);

/* Views with which states that are not emulated ALWAYS may ask for something. */
bool view_facts_require_emulation(const struct view_facts *view);

#endif
