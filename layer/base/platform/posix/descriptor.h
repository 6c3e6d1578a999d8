/* SPDX-License-Identifier: MIT */
/* Numbers of files that are not those of standard streams, which a program may have closed. */
#ifndef CLAMPLER_PLATFORM_POSIX_DESCRIPTOR_H
#define CLAMPLER_PLATFORM_POSIX_DESCRIPTOR_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/*
 * A descriptor above the first three in the place of one among them, -1 with errno where there is none left; others as
 * they are. To be called with what open() returns, at once: until it is moved, what the program's threads write to a
 * standard stream would go there.
 */
static inline int descriptor_above_standard(int descriptor)
{
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), error = errno;
    close(descriptor);
    errno = error;
    return moved;
}

#endif
