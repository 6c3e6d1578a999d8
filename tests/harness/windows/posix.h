/* SPDX-License-Identifier: MIT */
/*
 * What the tests and the harness ask of POSIX and MinGW-w64 lacks. In front of each of their sources on Windows
 * (tests/harness/CMakeLists.txt).
 */
#ifndef CLAMPLER_HARNESS_WINDOWS_POSIX_H
#define CLAMPLER_HARNESS_WINDOWS_POSIX_H

#include <stdlib.h>

/*
 * Variables are the system's, which the loader and the layer read; the C library's copy does not follow them. What
 * getenv() returns stays: Windows' own moves all values where one is set.
 */
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
char *harness_getenv(const char *name);
#define getenv harness_getenv

char *strcasestr(const char *text, const char *part);

#endif
