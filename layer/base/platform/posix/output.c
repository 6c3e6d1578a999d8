/* SPDX-License-Identifier: MIT */
/*
 * Linux: opens the files that settings name so that no other user can choose which file is written, and finds out
 * whether the process has a standard error.
 */
#define _GNU_SOURCE /* O_NOFOLLOW and its like, sigtimedwait */

#include "platform/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "platform/posix/descriptor.h"
#include "platform/posix/folder_of.h"

#define JOURNAL "/run/systemd/journal/stdout" /* what services of systemd have as standard error */

enum { MEMORY_DEVICES = 1 }; /* /dev/null and its like, by their major number */

struct output_folder {
    int descriptor;
};

/* ---- Files ---- */

/* Names that only the system makes: anybody may make files in some folders of /dev, and /proc leads anywhere. */
static bool is_systems_own(const char *path)
{
    static const char *const beginnings[] = {"/dev/fd/", "/dev/null", "/dev/std", "/dev/tty", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
        const size_t length = strlen(beginnings[i]);
        if (!strncmp(path, beginnings[i], length) && !strchr(path + length, '/'))
            return true;
    }
    return false;
}

static bool belongs_here(const struct stat *status, enum output_mode mode)
{
    if (mode == OUTPUT_REPLACE || S_ISREG(status->st_mode))
        return S_ISREG(status->st_mode);
    return !S_ISFIFO(status->st_mode) || status->st_uid == geteuid();
}

/*
 * Somebody may have put a pipe or a device where a file should be. Opening did not wait for a pipe's reader; writing
 * waits as usual.
 */
static int usual_only(int descriptor, enum output_mode mode)
{
    struct stat status;
    const int flags = descriptor < 0 ? -1 : fcntl(descriptor, F_GETFL);
    if (descriptor < 0)
        return descriptor;
    if (!fstat(descriptor, &status) && belongs_here(&status, mode) &&
        (!(flags & O_NONBLOCK) || !fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)))
        return descriptor;
    close(descriptor);
    errno = EEXIST;
    return -1;
}

static int open_at(int folder, const char *name, enum output_mode mode)
{
    const bool systems_own = mode == OUTPUT_APPEND && is_systems_own(name);
    /* Without O_NONBLOCK, opening a pipe waits for its reader. */
    const int how = systems_own ? 0 : O_NOFOLLOW | O_NONBLOCK;
    const int descriptor = descriptor_above_standard(
        openat(folder, name,
               O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | how | (mode == OUTPUT_APPEND ? O_APPEND : O_TRUNC), 0666));
    return systems_own ? descriptor : usual_only(descriptor, mode);
}

/* The same of a path, whose folders are looked at as well. */
static int open_path(const char *path, enum output_mode mode)
{
    char name[NAME_MAX + 1];
    if (mode == OUTPUT_APPEND && is_systems_own(path))
        return open_at(AT_FDCWD, path, mode);
    const int folder = folder_of(path, name);
    const int descriptor = folder < 0 ? -1 : open_at(folder, name, mode);
    const int error = errno;
    if (folder >= 0)
        close(folder);
    errno = error;
    return descriptor;
}

static FILE *as_file(int descriptor, enum output_mode mode)
{
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, mode == OUTPUT_APPEND ? "a" : "w");
    if (!file && descriptor >= 0)
        close(descriptor);
    return file;
}

FILE *output_open(const char *path, enum output_mode mode)
{
    return as_file(open_path(path, mode), mode);
}

FILE *output_open_in(const struct output_folder *folder, const char *name, enum output_mode mode)
{
    return as_file(open_at(folder->descriptor, name, mode), mode);
}

static int open_folder_at(int parent, const char *name)
{
    struct stat status;
    if (mkdirat(parent, name, 0777) && errno != EEXIST)
        return -1;
    const int folder = descriptor_above_standard(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder < 0 && errno == ENOTDIR && !fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) &&
        S_ISLNK(status.st_mode))
        errno = ELOOP; /* which of the two Linux says depends on its version */
    if (folder < 0 || (!fstat(folder, &status) && (status.st_uid == geteuid() || !status.st_uid)))
        return folder;
    close(folder);
    errno = EPERM;
    return -1;
}

static int open_folder(const char *path)
{
    char whole[PATH_MAX], name[NAME_MAX + 1];
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') /* which would lead through a link */
        length--;
    if (length >= sizeof(whole)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(whole, path, length);
    whole[length] = '\0';
    if (!strcmp(whole, "/"))
        return open_folder_at(AT_FDCWD, whole);
    const int parent = folder_of(whole, name);
    const int folder = parent < 0 ? -1 : open_folder_at(parent, name), error = errno;
    if (parent >= 0)
        close(parent);
    errno = error;
    return folder;
}

struct output_folder *output_open_folder(const char *path)
{
    const int descriptor = open_folder(path);
    struct output_folder *folder = descriptor < 0 ? NULL : malloc(sizeof(*folder));
    if (folder)
        folder->descriptor = descriptor;
    else if (descriptor >= 0)
        close(descriptor);
    return folder;
}

void output_close_folder(struct output_folder *folder)
{
    close(folder->descriptor);
    free(folder);
}

const char *output_reason(int error)
{
    if (error == ELOOP)
        return "it is a symbolic link, or behind one of somebody else's, and these are not followed";
    /* In English: the program's locale may have another character set than UTF-8. That of C needs no memory. */
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const char *reason = c ? strerror_l(error, c) : "it failed";
    if (c)
        freelocale(c);
    return reason;
}

bool output_is_refused_link(const char *path)
{
    struct stat status;
    char name[NAME_MAX + 1];
    if (is_systems_own(path))
        return false;
    const int folder = folder_of(path, name);
    if (folder < 0)
        return errno == ELOOP;
    const bool link = !fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) && S_ISLNK(status.st_mode);
    close(folder);
    return link;
}

/* ---- Writing ---- */

/*
 * Is the signal pending for the thread itself? sigpending() adds those of the process; /proc has the thread's alone.
 * Where /proc cannot be read, all count as the thread's.
 */
static bool pends_here(int signal)
{
    unsigned long long own = ~0ull;
    char line[128];
    sigset_t all;
    if (sigpending(&all) || sigismember(&all, signal) != 1)
        return false;
    FILE *status = fopen("/proc/thread-self/status", "re");
    while (status && fgets(line, sizeof(line), status) && sscanf(line, "SigPnd: %llx", &own) != 1)
        ;
    if (status)
        fclose(status);
    return own >> (signal - 1) & 1;
}

/* Consumes a signal that writing has raised: it is the thread's, which sigtimedwait() takes before the process's. */
static void take_back(int signal)
{
    const struct timespec now = {.tv_sec = 0};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    while (sigtimedwait(&set, NULL, &now) < 0 && errno == EINTR)
        ;
}

void output_quietly(void (*work)(void *user), void *user)
{
    static const int raised[] = {SIGPIPE, SIGXFSZ};
    enum { RAISED = sizeof(raised) / sizeof(raised[0]) };
    const int error = errno;
    bool pended[RAISED];
    sigset_t quiet, before;
    int cancelled;
    sigemptyset(&quiet);
    sigaddset(&quiet,
              SIGTTOU); /* of background jobs: if it is blocked the kernel does not raise it, and the line is written */
    for (size_t i = 0; i < RAISED; i++)
        sigaddset(&quiet, raised[i]);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
    pthread_sigmask(SIG_BLOCK, &quiet, &before);
    for (size_t i = 0; i < RAISED; i++)
        pended[i] = pends_here(raised[i]);
    work(user);
    for (size_t i = 0; i < RAISED; i++) {
        if (!pended[i] && pends_here(raised[i]))
            take_back(raised[i]);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancelled, NULL);
    errno = error;
}

/* Which file a descriptor is of, however it was opened. */
struct identity {
    dev_t device;
    ino_t node;
};

static bool identify(int descriptor, struct identity *identity)
{
    struct stat status;
    if (fstat(descriptor, &status))
        return false;
    *identity = (struct identity){status.st_dev, status.st_ino};
    return true;
}

static bool is_still(int descriptor, const struct identity *identity)
{
    struct identity now;
    return identify(descriptor, &now) && now.device == identity->device && now.node == identity->node;
}

struct lines {
    int descriptor;
    const char *text;
};

static void write_lines(void *user)
{
    const struct lines *lines = user;
    const char *text = lines->text;
    size_t left = strlen(text);
    while (left) {
        const ssize_t written = write(lines->descriptor, text, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        text += written;
        left -= (size_t)written;
    }
}

struct output_log {
    int descriptor;
    struct identity file;
};

struct output_log *output_open_log(const char *path)
{
    const int descriptor = open_path(path, OUTPUT_APPEND);
    struct output_log *log = descriptor < 0 ? NULL : malloc(sizeof(*log));
    if (log && identify(descriptor, &log->file)) {
        log->descriptor = descriptor;
        return log;
    }
    const int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    free(log);
    errno = error;
    return NULL;
}

void output_log_line(const struct output_log *log, const char *text)
{
    if (is_still(log->descriptor, &log->file))
        output_quietly(write_lines, &(struct lines){log->descriptor, text});
}

void output_close_log(struct output_log *log)
{
    if (log && is_still(log->descriptor, &log->file))
        close(log->descriptor);
    free(log);
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

/*
 * Files that are written as standard error are opened for writing alone, as shells and service managers do, or stand
 * under number 1 as well. Others are the program's, which opened them when the number was free.
 */
static bool is_log_file(const struct stat *error, int mode)
{
    struct stat output;
    return (mode & O_ACCMODE) == O_WRONLY ||
           (!fstat(STDOUT_FILENO, &output) && output.st_dev == error->st_dev && output.st_ino == error->st_ino);
}

static bool is_standard_error(void)
{
    struct stat status;
    const int flags = fcntl(STDERR_FILENO, F_GETFD), mode = fcntl(STDERR_FILENO, F_GETFL);
    /* An inherited descriptor has outlived an exec, unlike those of libraries, which are closed on exec. */
    if (flags < 0 || (flags & FD_CLOEXEC) || (mode & O_ACCMODE) == O_RDONLY || fstat(STDERR_FILENO, &status))
        return false;
    if (S_ISSOCK(status.st_mode))
        return is_log_socket();
    if (S_ISCHR(status.st_mode))
        return isatty(STDERR_FILENO) || major(status.st_rdev) == MEMORY_DEVICES;
    return S_ISFIFO(status.st_mode) || (S_ISREG(status.st_mode) && is_log_file(&status, mode));
}

/* The file that had descriptor 2 first; read without a lock: threads that come first together see the same. */
enum { ERROR_UNKNOWN, ERROR_MISSING, ERROR_KNOWN };
static _Atomic(int) seen;
static struct {
    _Atomic(uint64_t) device, node;
} first;

bool output_has_standard_error(void)
{
    struct identity identity;
    const int known = atomic_load_explicit(&seen, memory_order_acquire);
    if (known == ERROR_MISSING)
        return false;
    if (is_standard_error() && identify(STDERR_FILENO, &identity)) {
        if (known == ERROR_KNOWN && identity.device == atomic_load_explicit(&first.device, memory_order_relaxed) &&
            identity.node == atomic_load_explicit(&first.node, memory_order_relaxed))
            return true;
        if (known == ERROR_UNKNOWN) {
            atomic_store_explicit(&first.device, identity.device, memory_order_relaxed);
            atomic_store_explicit(&first.node, identity.node, memory_order_relaxed);
            atomic_store_explicit(&seen, ERROR_KNOWN, memory_order_release);
            return true;
        }
    }
    atomic_store_explicit(&seen, ERROR_MISSING, memory_order_release);
    return false;
}

void output_standard_error(const char *text)
{
    if (output_has_standard_error())
        output_quietly(write_lines, &(struct lines){STDERR_FILENO, text});
}
