/* SPDX-License-Identifier: MIT */
/* Paths on Windows, of modules and of the registry, with '/' or '\' between folders. */
#include "platform/paths.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include "platform/windows/wide.h"
#include "text/text.h"

#define SETTINGS_KEY L"SOFTWARE\\Khronos\\Vulkan\\Settings" /* where vkconfig names its file */

/* ---- Modules ---- */

/* NULL: that of the program. */
static bool path_of_module(HMODULE module, char *path, size_t size)
{
    wchar_t wide[PATH_ROOM];
    const DWORD length = GetModuleFileNameW(module, wide, PATH_ROOM);
    return length && length < PATH_ROOM && narrow_from(wide, path, size);
}

void path_of_program(char *path, size_t size)
{
    if (!path_of_module(NULL, path, size))
        path[0] = '\0';
}

static char started_as[PATH_ROOM];

static void find_program(void)
{
    path_of_program(started_as, sizeof(started_as));
}

/* Programs are known by their file alone: what a command line begins with is the starter's choice. */
const char *path_started_as(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_program);
    return started_as;
}

bool path_of_own_folder(char folder[PATH_ROOM])
{
    static const char here;
    HMODULE own;
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            (LPCWSTR)(const void *)&here, &own) ||
        !path_of_module(own, folder, PATH_ROOM))
        return false;
    char *separator = strrchr(folder, '\\'); /* paths of modules are whole */
    if (!separator)
        return false;
    separator[1] = '\0';
    return true;
}

/* ---- The registry ---- */

static bool is_file(const wchar_t *path)
{
    const DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

/* A value is a file's path, and 0 where the file counts. */
static bool find_in_hive(HKEY hive, char *path, size_t size)
{
    HKEY key;
    wchar_t wide[PATH_ROOM];
    bool found = false;
    if (RegOpenKeyExW(hive, SETTINGS_KEY, 0, KEY_READ, &key) != ERROR_SUCCESS)
        return false;
    for (DWORD i = 0; !found; i++) {
        DWORD length = PATH_ROOM, type, off = 1, bytes = sizeof(off);
        const LSTATUS status = RegEnumValueW(key, i, wide, &length, NULL, &type, (BYTE *)&off, &bytes);
        if (status != ERROR_SUCCESS && status != ERROR_MORE_DATA)
            break;
        found = status == ERROR_SUCCESS && type == REG_DWORD && !off && is_file(wide) && narrow_from(wide, path, size);
    }
    RegCloseKey(key);
    return found;
}

/* Keys of the user are not for privileged processes, which get no file at all. */
bool path_of_vkconfigs_file(const struct environment *environment, const char *name, char *path, size_t size)
{
    (void)environment;
    (void)name;
    return find_in_hive(HKEY_LOCAL_MACHINE, path, size) || find_in_hive(HKEY_CURRENT_USER, path, size);
}

/* ---- Names ---- */

static int folded(char c)
{
    return text_lower(c);
}

/* [abc], [a-z], [!a-z]: true if `c` fits; *pattern is left at what follows. A bracket that is not closed is itself. */
static bool fits_bracket(const char **pattern, char c)
{
    const char *at = *pattern + 1, *close;
    const bool other = *at == '!' || *at == '^';
    bool among = false;
    at += other;
    close = *at ? strchr(at + 1, ']') : NULL;
    if (!close) {
        ++*pattern;
        return c == '[';
    }
    while (at < close) {
        const bool range = at[1] == '-' && at + 2 < close;
        const int first = folded(at[0]), last = folded(at[range ? 2 : 0]);
        among |= first <= folded(c) && folded(c) <= last;
        at += range ? 3 : 1;
    }
    *pattern = close + 1;
    return c && among != other;
}

/* One character but for '*'. A backslash takes the next one as it is. */
static bool fits_one(const char **pattern, char c)
{
    if (**pattern == '[')
        return fits_bracket(pattern, c);
    if (**pattern == '?') {
        ++*pattern;
        return c != '\0';
    }
    if (**pattern == '\\' && (*pattern)[1])
        ++*pattern;
    const char wanted = *(*pattern)++;
    return c && folded(wanted) == folded(c);
}

bool path_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *resumed = NULL;
    while (*name || *pattern == '*') {
        const char *next = pattern;
        if (*pattern == '*') {
            star = ++pattern;
            resumed = name;
        } else if (*pattern && fits_one(&next, *name)) {
            pattern = next;
            name++;
        } else if (star && *resumed) {
            pattern = star;
            name = ++resumed;
        } else {
            return false;
        }
    }
    return !*pattern;
}
