/* SPDX-License-Identifier: MIT */
/*
 * The one folder in which POSIX and Windows differ. A header here is one subject, with a source of the same name in
 * posix/ and in windows/; nothing else in the layer asks for which system it is built. This header has what compilers
 * for the two call differently.
 */
#ifndef CLAMPLER_PLATFORM_H
#define CLAMPLER_PLATFORM_H

/* Of a function whose arguments from `first` on are what the format in argument `at` asks for, as C11 has formats. */
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
