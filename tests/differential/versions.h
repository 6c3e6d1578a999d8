/* SPDX-License-Identifier: MIT */
/* Versions of drivers, as tables of deviations name them. */
#ifndef CLAMPLER_DIFFERENTIAL_VERSIONS_H
#define CLAMPLER_DIFFERENTIAL_VERSIONS_H

#include <stdbool.h>

/*
 * Whether what a driver says of itself ("4.5 (Compatibility Profile) Mesa 22.3.6") is in a range: "Mesa 22.3" is every
 * 22.3, "Mesa 22.3 to 26.2" those from 22.3 to every 26.2, "580.159" what has that in it.
 */
bool version_is_in(const char *version, const char *range);

#endif
