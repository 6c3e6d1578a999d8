/* SPDX-License-Identifier: MIT */
#include "differential/versions.h"

#include <stdio.h>
#include <string.h>

/* Versions have two parts that count. */
struct version {
    unsigned major, minor;
};

static bool is_before(struct version a, struct version b)
{
    return a.major < b.major || (a.major == b.major && a.minor < b.minor);
}

bool version_is_in(const char *version, const char *range)
{
    char name[16];
    struct version first, last, found;
    if (sscanf(range, "%15s %u.%u to %u.%u", name, &first.major, &first.minor, &last.major, &last.minor) != 5)
        return strstr(version, range) != NULL;
    const char *at = strstr(version, name);
    return at && sscanf(at + strlen(name), " %u.%u", &found.major, &found.minor) == 2 && !is_before(found, first) &&
           !is_before(last, found);
}
