/* SPDX-License-Identifier: MIT */
/* Opens regular files to read, on POSIX: without waiting, and judged by their descriptors. */
#define _GNU_SOURCE /* O_CLOEXEC */

#include "platform/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/posix/descriptor.h"

FILE *input_open(const char *path, long most, bool *refused)
{
    struct stat status;
    const int file = descriptor_above_standard(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    *refused = false;
    if (file < 0)
        return NULL;
    FILE *opened = NULL;
    const bool known = fstat(file, &status) == 0;
    if (known && S_ISREG(status.st_mode) && status.st_size <= most)
        opened = fdopen(file, "r");
    else
        *refused = known && !S_ISDIR(status.st_mode);
    if (!opened)
        close(file);
    return opened;
}
