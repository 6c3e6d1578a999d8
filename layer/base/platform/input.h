/* SPDX-License-Identifier: MIT */
/* Files that are read for the user: plain files alone, whatever somebody has put in their place. Thread-safe. */
#ifndef CLAMPLER_PLATFORM_INPUT_H
#define CLAMPLER_PLATFORM_INPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Opens a file of at most `most` bytes to read, without waiting for anybody; NULL if there is none. A pipe or a device
 * has no end, or none that comes soon: *refused says that there is something that is no plain file, or is longer.
 * Folders are as good as nothing. What is judged is what was opened, so that nobody can exchange it in between. Not
 * inherited by programs that this one starts.
 */
FILE *input_open(const char *path, long most, bool *refused);

#endif
