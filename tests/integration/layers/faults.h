/* SPDX-License-Identifier: MIT */
/* The test's side of the fault layer (fault_layer/fault.h), and of others that stand beside it. */
#ifndef CLAMPLER_INTEGRATION_FAULTS_H
#define CLAMPLER_INTEGRATION_FAULTS_H

#include "integration/layers/fault_layer/fault.h"

/*
 * Finds the layer in the folder NAME_layer beside the test's executable, tells the loader where it is, and gives its
 * object with that name, which lives as long as the process. Call it once, before the first instance. Never NULL.
 */
void *test_layer_open(const char *name, const char *symbol);

/*
 * Finds the layer beside the test's executable, tells the loader where it is, and gives its control, which lives as
 * long as the process. Call it before the first instance. Never NULL.
 */
struct fault_control *faults_open(void);

/* The call with this number, counted from now, fails; 0: none does. */
void faults_arm(struct fault_control *control, uint32_t number, VkResult result);

#endif
