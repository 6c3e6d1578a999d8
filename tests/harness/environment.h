/* SPDX-License-Identifier: MIT */
/*
 * What the Vulkan loader and Mesa read from the environment, set where the user set nothing. Called before the first
 * Vulkan and EGL call of the process, from one thread; further calls change nothing.
 */
#ifndef CLAMPLER_HARNESS_ENVIRONMENT_H
#define CLAMPLER_HARNESS_ENVIRONMENT_H

/* Layer folders, driver, the sizes of the extension's structures for a validation layer above Clampler, tiers=lazy. */
void harness_environment_vulkan(void);

/* Mesa's software renderer, unless an NVIDIA device is there or the user chose. */
void harness_environment_gl(void);

/*
 * With a sanitizer: keeps every library that is loaded now loaded for good, so that leaks and races in code that has
 * been unloaded still have names. Does nothing otherwise.
 */
void harness_environment_pin_libraries(void);

#endif
