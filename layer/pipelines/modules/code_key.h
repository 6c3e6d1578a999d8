/* SPDX-License-Identifier: MIT */
/*
 * The key of a device's code: a hash of all properties that the layout of sets and the rewritten code depend on, beside
 * the driver and the program's create-infos. Code of one device is right on another one with the same key: binaries of
 * pipelines and of shader objects contain it, and keys of pipelines are made with it.
 */
#ifndef CLAMPLER_MODULES_CODE_KEY_H
#define CLAMPLER_MODULES_CODE_KEY_H

#include <stdint.h>

#include "objects/track.h"

/* Constant as long as the device lives, equal for equal devices, versions and settings, in every process. */
uint64_t code_key(const struct track *track);

#endif
