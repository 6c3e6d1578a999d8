/* SPDX-License-Identifier: MIT */
/* Shared libraries: opens them and finds their functions. Thread-safe. */
#ifndef CLAMPLER_PLATFORM_LIBRARY_H
#define CLAMPLER_PLATFORM_LIBRARY_H

/*
 * Opens a library by its path, or by its name alone where the system keeps libraries; on Windows that is the system's
 * folder and the program's, never the working folder. NULL if it cannot be opened.
 */
void *library_open(const char *path);
void library_close(void *library);

/*
 * Keeps the object that this code is part of as long as the process: not every system frees the thread-local variables
 * of an unloaded library. On POSIX the linker has said so (-z nodelete).
 */
void library_keep_own(void);

/* The function of this name, or NULL. */
void *library_function(void *library, const char *name);

#endif
