/* SPDX-License-Identifier: MIT */
/*
 * Platform: the one folder in which POSIX and Windows differ. Each header is one subject, with a source of the same
 * name in posix/ and in windows/; no other code of the layer depends on the system. This header has the attributes that
 * compilers for the two spell differently.
 */
#ifndef CLAMPLER_PLATFORM_H
#define CLAMPLER_PLATFORM_H

/* Of a printf-like function: its format is argument `at`, and the format's arguments begin at `first`. */
#ifdef _WIN32
#define PRINTF_LIKE(at, first) __attribute__((format(gnu_printf, at, first)))
#else
#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))
#endif

/* Of the one function that the loader looks for. On Windows layer/entry/chain/exports.def names it. */
#ifdef _WIN32
#define EXPORTED_LAYER
#else
#define EXPORTED_LAYER __attribute__((visibility("default")))
#endif

#endif
