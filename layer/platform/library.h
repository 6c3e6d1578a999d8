/* SPDX-License-Identifier: MIT */
/* Libraries that are opened when somebody asks for what is in them. Thread-safe. */
#ifndef CLAMPLER_PLATFORM_LIBRARY_H
#define CLAMPLER_PLATFORM_LIBRARY_H

/*
 * Opens a library by its path, or by its name alone where the system keeps libraries; on Windows that is the system's
 * folder and the program's, never the working folder. NULL if it cannot be opened.
 */
void *library_open(const char *path);
void library_close(void *library);

/* The function of this name, or NULL. */
void *library_function(void *library, const char *name);

#endif
