/* SPDX-License-Identifier: MIT */
/*
 * Classify: whether a sampler state requires emulation never, with some views, or always; by rules, without a view.
 *
 *                      every view that does not       every view that does
 *                      require emulation itself       (integers, swizzles, no linear filters, rectangles ...)
 *   NEVER              native                         native
 *   WITH_SOME_VIEWS    native                         some ask for something
 *   ALWAYS             some ask for something         -
 *
 * A pair is native if the driver gets the program's own sampler and view, and its record is zero. So while no live view
 * requires emulation, writing a descriptor with a state that is not ALWAYS resolves nothing.
 *
 * Two kinds of pairs count as native whatever resolve_decide makes of them. Samplers and views of Vulkan alone that
 * compare depth which the view's mapping does not show are passed to the driver (docs/semantics.md). A sampler of
 * Vulkan alone names the format of its custom border colour wherever one must be named, as Vulkan has it.
 */
#ifndef CLAMPLER_RESOLVE_CLASSIFY_H
#define CLAMPLER_RESOLVE_CLASSIFY_H

#include "resolve/resolve.h"
#include "view_facts/view_facts.h"

enum sampler_emulation { SAMPLER_EMULATED_NEVER, SAMPLER_EMULATED_WITH_SOME_VIEWS, SAMPLER_EMULATED_ALWAYS };

/* As resolve_decide has it of all views of such a device (tests/unit/resolve_classify_test.c). */
enum sampler_emulation sampler_state_classify(const struct sampler_state *state, const struct resolve_caps *caps);

/* True: in a SAMPLER descriptor the driver gets the program's own sampler (resolve_decide without a view). */
bool sampler_state_is_native_alone(const struct sampler_state *state, const struct resolve_caps *caps);

/* True: with this view states that are not ALWAYS may require emulation. */
bool view_facts_require_emulation(const struct view_facts *view);

#endif
