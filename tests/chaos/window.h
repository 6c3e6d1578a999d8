/* SPDX-License-Identifier: MIT */
/*
 * A small window of the GPU's memory (tests/limited_driver, profile small-window), which the program fills and empties
 * as it goes: while it is full, the layer has to take other memory for its records.
 */
#ifndef CLAMPLER_CHAOS_WINDOW_H
#define CLAMPLER_CHAOS_WINDOW_H

#include "chaos/chaos.h"

/* Finds the window, where the limited driver is below, and fills it at once if so asked. */
void window_open(struct device *device, bool full);
void window_close(struct device *device);

/* Fills the window, or gives back some of what fills it. False: there is none. While no other thread runs. */
bool window_change(struct device *device, struct dice *dice);

#endif
