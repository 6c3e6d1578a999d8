/* SPDX-License-Identifier: MIT */
/* The way to a file, as POSIX alone has it: by descriptors, so that nobody can exchange a part of it meanwhile. */
#ifndef CLAMPLER_PLATFORM_POSIX_FOLDER_OF_H
#define CLAMPLER_PLATFORM_POSIX_FOLDER_OF_H

#include <limits.h>

/*
 * The descriptor of the folder that a path leads to, good for openat() and its like alone, and the name there; -1 with
 * errno. A symbolic link on the way counts where it is the user's or the system's, as where its folder may be written
 * to by anybody the kernel would have it (fs.protected_symlinks, which need not be on): else ELOOP. The name itself is
 * not looked at. Thread-safe; the caller closes the descriptor.
 */
int folder_of(const char *path, char name[NAME_MAX + 1]);

#endif
