/* SPDX-License-Identifier: MIT */
/* Reads files for the user: regular files alone, whatever somebody has put in their place. Thread-safe. */
#ifndef CLAMPLER_PLATFORM_INPUT_H
#define CLAMPLER_PLATFORM_INPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Opens a file of at most `most` bytes to read, without blocking; NULL if there is none. *refused: the name is that of
 * a pipe or a device, which may have no end, or of a longer file. Folders count as missing. The open file is judged,
 * not its name, so that nobody can exchange it in between. Not inherited by programs that this one starts.
 */
FILE *input_open(const char *path, long most, bool *refused);

#endif
