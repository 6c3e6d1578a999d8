/* SPDX-License-Identifier: MIT */
/* Paths on Linux, as glibc's dynamic linker, /proc and the XDG folders have them. */
#define _GNU_SOURCE /* dladdr1, program_invocation_name, newlocale */

#include "platform/paths.h"

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <link.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void path_of_program(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
}

const char *path_started_as(void)
{
    return program_invocation_name;
}

/* A program's own name is what it was started as, which says nothing of its folder if PATH was searched. */
bool path_of_own_folder(char folder[PATH_ROOM])
{
    static const char here;
    Dl_info own;
    const struct link_map *map = NULL;
    if (!dladdr1(&here, &own, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    const ssize_t length = map->l_name[0] ? snprintf(folder, PATH_ROOM, "%s", map->l_name)
                                          : readlink("/proc/self/exe", folder, PATH_ROOM - 1);
    if (length <= 0 || length >= PATH_ROOM)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (folder[0] != '/' || !slash)
        return false;
    slash[1] = '\0';
    return true;
}

bool path_of_vkconfigs_file(const struct environment *environment, const char *name, char *path, size_t size)
{
    const char *data = environment_value(environment, "XDG_DATA_HOME"), *home = environment_home(environment);
    int length = 0;
    if (data && *data)
        length = snprintf(path, size, "%s/vulkan/settings.d/%s", data, name);
    else if (home && *home)
        length = snprintf(path, size, "%s/.local/share/vulkan/settings.d/%s", home, name);
    return length > 0 && (size_t)length < size;
}

/* Which letters a range has, and what a character is, would be the program's locale's. */
bool path_matches(const char *pattern, const char *name)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(c);
    const bool matches = !fnmatch(pattern, name, 0);
    uselocale(before);
    if (c)
        freelocale(c);
    return matches;
}
