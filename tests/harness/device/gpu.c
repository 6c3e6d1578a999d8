/* SPDX-License-Identifier: MIT */
/* Which device tests take: the same on Linux and Windows. */
#include <stdlib.h>

#include "harness/device/environment.h"

uint32_t harness_environment_gpu(void)
{
    const char *number = getenv("CLAMPLER_TEST_GPU");
    return number ? (uint32_t)strtoul(number, NULL, 10) : 0;
}
