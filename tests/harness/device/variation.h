/* SPDX-License-Identifier: MIT */
/*
 * A test program that ctest runs once more with other variables (*_gpu_form, *_surplus, *_validated_above) must run in
 * another way. Where one ends well and a variable that it was started with reached no device, or reached one and
 * nothing came of it, its status is 1 all the same.
 *
 * Looked at are CLAMPLER_TEST_LAYERS, and the layer's settings: what the layer itself writes of each device
 * (stats_file) says which of them it read, and a counter says that what they are about was done. What is done by one is
 * in variation.c.
 */
#ifndef CLAMPLER_HARNESS_VARIATION_H
#define CLAMPLER_HARNESS_VARIATION_H

/* A device was opened with these layers, as struct harness_vulkan_params has them. One thread. */
void harness_variation_device(const char *layers);

#endif
