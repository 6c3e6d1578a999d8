/* SPDX-License-Identifier: MIT */
/*
 * The key of a device's code: a number that says all that decides how its sets are laid out and what its shaders are
 * rewritten to, beside the driver and the create-infos of the program's. Code of one device is right on another if both
 * have the same: binaries of pipelines and of shader objects carry it, and keys of pipelines are made with it.
 */
#ifndef CLAMPLER_MODULES_CODE_KEY_H
#define CLAMPLER_MODULES_CODE_KEY_H

#include <stdint.h>

#include "objects/track.h"

/* Constant as long as the device lives, equal for equal devices, versions and settings, in every process. */
uint64_t code_key(const struct track *track);

#endif
