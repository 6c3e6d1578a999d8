/* SPDX-License-Identifier: MIT */
/* Text between UTF-8, which the layer has everywhere, and UTF-16, which Windows has. Thread-safe. */
#ifndef CLAMPLER_PLATFORM_WINDOWS_WIDE_H
#define CLAMPLER_PLATFORM_WINDOWS_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/*
 * `size` is that of the result with the zero at its end. Text that is no UTF-8 is taken to be of the system's code
 * page, as programs that know nothing of UTF-8 have it. False: it does not fit, or cannot be said in the other form.
 */
bool wide_from(const char *text, wchar_t *wide, size_t size);
bool narrow_from(const wchar_t *wide, char *text, size_t size);

#endif
