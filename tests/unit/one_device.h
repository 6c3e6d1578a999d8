/* SPDX-License-Identifier: MIT */
/*
 * What stands in for layer/device/device in tests of single subsystems that know one device, which each test fills in:
 * whatever is dispatched is its, and nobody listens to messages.
 */
#ifndef CLAMPLER_TESTS_ONE_DEVICE_H
#define CLAMPLER_TESTS_ONE_DEVICE_H

#include "objects/track.h"

extern struct device device;

#endif
