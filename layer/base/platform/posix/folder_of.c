/* SPDX-License-Identifier: MIT */
/* Goes from folder to folder by descriptors, and follows links of the user and the system alone. */
#define _GNU_SOURCE /* O_PATH */

#include "platform/posix/folder_of.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/posix/descriptor.h"

enum { MOST_LINKS = 40 }; /* as Linux has it */

struct way {
    int folder; /* so far; -1: it leads nowhere */
    unsigned links;
    char rest[PATH_MAX]; /* what is still to go, with the name at its end */
};

static bool fail(struct way *way, int error)
{
    if (way->folder >= 0)
        close(way->folder);
    way->folder = -1;
    errno = error;
    return false;
}

static void enter(struct way *way, int folder)
{
    if (way->folder >= 0)
        close(way->folder);
    way->folder = folder;
}

/* Where a path begins. */
static void begin(struct way *way)
{
    enter(way, descriptor_above_standard(open(way->rest[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC)));
}

/* Puts what a link says in the place of its name; `after` is what stands behind that. */
static bool follow(struct way *way, int link, const char *after)
{
    char target[PATH_MAX], whole[2 * PATH_MAX];
    struct stat status;
    const ssize_t length = readlinkat(link, "", target, sizeof(target) - 1);
    if (length <= 0)
        return fail(way, length < 0 ? errno : ENOENT);
    target[length] = '\0';
    if (fstat(link, &status) || (status.st_uid != geteuid() && status.st_uid != 0) || ++way->links > MOST_LINKS)
        return fail(way, ELOOP);
    if (snprintf(whole, sizeof(whole), "%s/%s", target, after) >= (int)sizeof(way->rest))
        return fail(way, ENAMETOOLONG);
    strcpy(way->rest, whole);
    if (way->rest[0] == '/')
        begin(way);
    return way->folder >= 0;
}

/* One part of the path, which is no name at its end. */
static bool take_part(struct way *way, const char *part, const char *after)
{
    struct stat status;
    char rest[PATH_MAX];
    const int next = descriptor_above_standard(openat(way->folder, part, O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (next < 0)
        return fail(way, errno);
    if (!fstat(next, &status) && S_ISLNK(status.st_mode)) {
        const bool followed = follow(way, next, after);
        const int error = errno;
        close(next);
        errno = error;
        return followed;
    }
    enter(way, next);
    strcpy(rest, after);
    strcpy(way->rest, rest);
    return true;
}

int folder_of(const char *path, char name[NAME_MAX + 1])
{
    struct way way = {.folder = -1};
    if (strlen(path) >= sizeof(way.rest)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(way.rest, path);
    begin(&way);
    while (way.folder >= 0) {
        const char *part = way.rest + strspn(way.rest, "/");
        const size_t length = strcspn(part, "/");
        const char *after = part + length + strspn(part + length, "/");
        if (length > NAME_MAX || !length) {
            fail(&way, length ? ENAMETOOLONG : EISDIR);
            break;
        }
        memcpy(name, part, length);
        name[length] = '\0';
        if (!*after && part[length] == '/')
            fail(&way, EISDIR); /* a name with a slash behind it is a folder's */
        else if (!*after || !take_part(&way, name, after))
            break;
    }
    return way.folder;
}
