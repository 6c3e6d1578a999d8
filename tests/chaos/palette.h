/* SPDX-License-Identifier: MIT */
/* What the samplers, images and views of a device are mostly like (struct palette). */
#ifndef CLAMPLER_CHAOS_PALETTE_H
#define CLAMPLER_CHAOS_PALETTE_H

#include "chaos/chaos.h"

/* Before any sampler, image or view is made. */
void palette_choose(struct device *device, struct dice *dice);

/* Another state than the palette has, without its border colour. */
void palette_choose_state(const struct device *device, VkSamplerGLStateCreateInfoCLAMPLER *state, enum mood mood,
                          struct dice *dice);

#endif
