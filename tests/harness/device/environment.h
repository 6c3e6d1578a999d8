/* SPDX-License-Identifier: MIT */
/*
 * What the Vulkan loader and Mesa read from the environment, set where the user set nothing. Called before the first
 * Vulkan and EGL call of the process, from one thread; further calls change nothing.
 */
#ifndef CLAMPLER_HARNESS_ENVIRONMENT_H
#define CLAMPLER_HARNESS_ENVIRONMENT_H

#include <stdint.h>

/* Is the test compiled with an address or a thread sanitizer? */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HARNESS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HARNESS_SANITIZED 1
#endif
#endif
#ifndef HARNESS_SANITIZED
#define HARNESS_SANITIZED 0
#endif

/* Layer folders, driver, the sizes of the extension's structures for a validation layer above Clampler, tiers=lazy. */
void harness_environment_vulkan(void);

/* From here on a skipped test of cmocka's leaves no setting of Clampler's or the limited driver's to the next ones. */
void harness_environment_watch(void);

/*
 * Instances get the layer with a planted fault (tests/faults) from here on; NULL: they get the layer as it is again.
 * Environment CLAMPLER_TEST_FAULT plants one for the whole process.
 */
void harness_environment_plant(const char *fault);

/* Mesa's software renderer, unless an NVIDIA device is there or the user chose. */
void harness_environment_gl(void);

/*
 * Which of the driver's devices Vulkan and OpenGL are opened on: CLAMPLER_TEST_GPU, a number from 0 as the drivers
 * enumerate them; unset: 0.
 */
uint32_t harness_environment_gpu(void);

/*
 * With a sanitizer: keeps every library that is loaded now loaded for good, so that leaks and races in code that has
 * been unloaded still have names. Does nothing otherwise.
 */
void harness_environment_pin_libraries(void);

#endif
