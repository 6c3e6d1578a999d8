/* SPDX-License-Identifier: MIT */
#include "harness/windows/posix.h"

#include <string.h>
#include <windows.h>

#include "harness/device/vulkan.h"

int setenv(const char *name, const char *value, int overwrite)
{
    if (!overwrite && GetEnvironmentVariableA(name, NULL, 0))
        return 0;
    return SetEnvironmentVariableA(name, value) ? 0 : -1;
}

int unsetenv(const char *name)
{
    return SetEnvironmentVariableA(name, NULL) || GetLastError() == ERROR_ENVVAR_NOT_FOUND ? 0 : -1;
}

/* Every value that was asked for, for good. */
struct value {
    struct value *next;
    char text[];
};

char *harness_getenv(const char *name)
{
    static struct value *values;
    const DWORD size = GetEnvironmentVariableA(name, NULL, 0);
    if (!size)
        return NULL;
    struct value *found = harness_alloc(1, sizeof(*found) + size);
    GetEnvironmentVariableA(name, found->text, size);
    for (struct value *value = values; value; value = value->next) {
        if (strcmp(value->text, found->text) == 0) {
            free(found);
            return value->text;
        }
    }
    found->next = values;
    values = found;
    return found->text;
}

char *strcasestr(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (; *text; text++)
        if (_strnicmp(text, part, length) == 0)
            return (char *)(size_t)text;
    return length ? NULL : (char *)(size_t)text;
}
