#define _GNU_SOURCE /* O_NOFOLLOW and its like */

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#define JOURNAL "/run/systemd/journal/stdout" /* what services of systemd have as standard error */

enum { MEMORY_DEVICES = 1 }; /* /dev/null and its like, by their major number */

/* ---- Files ---- */

static bool is_systems_own(const char *path)
{
    return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* A descriptor above the first three in the place of one among them. */
static int above_standard(int descriptor)
{
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), error = errno;
    close(descriptor);
    errno = error;
    return moved;
}

/* Somebody may have put a pipe or a device where a file should be. */
static int plain_only(int descriptor)
{
    struct stat status;
    if (descriptor < 0 || (!fstat(descriptor, &status) && S_ISREG(status.st_mode)))
        return descriptor;
    close(descriptor);
    errno = EEXIST;
    return -1;
}

FILE *output_open(const char *path, enum output_mode mode)
{
    const int follow = is_systems_own(path) ? 0 : O_NOFOLLOW;
    /* Without O_NONBLOCK, opening a pipe waits for its reader. */
    const int how = mode == OUTPUT_APPEND ? O_APPEND : O_TRUNC | O_NONBLOCK;
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | follow | how, 0666);
    if (mode == OUTPUT_REPLACE)
        descriptor = plain_only(descriptor);
    descriptor = above_standard(descriptor);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, mode == OUTPUT_APPEND ? "a" : "w");
    if (!file && descriptor >= 0)
        close(descriptor);
    return file;
}

const char *output_reason(int error)
{
    return error == ELOOP ? "it is a symbolic link, and these are not followed" : strerror(error);
}

bool output_is_refused_link(const char *path)
{
    struct stat status;
    return !is_systems_own(path) && !lstat(path, &status) && S_ISLNK(status.st_mode);
}

/* ---- Standard error ---- */

/* A pair of sockets or the journal's; all others that have a name are servers that the program talks to. */
static bool is_log_socket(void)
{
    struct sockaddr_un peer;
    socklen_t length = sizeof(peer);
    memset(&peer, 0, sizeof(peer));
    if (getpeername(STDERR_FILENO, (struct sockaddr *)&peer, &length) || peer.sun_family != AF_UNIX)
        return false;
    if (length <= offsetof(struct sockaddr_un, sun_path))
        return true;
    return !strncmp(peer.sun_path, JOURNAL, sizeof(peer.sun_path));
}

static bool is_standard_error(void)
{
    struct stat status;
    const int flags = fcntl(STDERR_FILENO, F_GETFD), mode = fcntl(STDERR_FILENO, F_GETFL);
    /* What was inherited has outlived an exec, which libraries keep their descriptors from. */
    if (flags < 0 || (flags & FD_CLOEXEC) || (mode & O_ACCMODE) == O_RDONLY || fstat(STDERR_FILENO, &status))
        return false;
    if (S_ISSOCK(status.st_mode))
        return is_log_socket();
    if (S_ISCHR(status.st_mode))
        return isatty(STDERR_FILENO) || major(status.st_rdev) == MEMORY_DEVICES;
    return S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode);
}

bool output_has_standard_error(void)
{
    static bool missing;
    if (!__atomic_load_n(&missing, __ATOMIC_RELAXED) && !is_standard_error())
        __atomic_store_n(&missing, true, __ATOMIC_RELAXED);
    return !__atomic_load_n(&missing, __ATOMIC_RELAXED);
}

void output_standard_error(const char *text)
{
    size_t left = strlen(text);
    if (!output_has_standard_error())
        return;
    while (left) {
        const ssize_t written = write(STDERR_FILENO, text, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        text += written;
        left -= (size_t)written;
    }
}
