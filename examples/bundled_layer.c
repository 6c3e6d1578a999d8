/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "bundled_layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool bundled_layer_show(void)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    if (length <= 0 || (size_t)length == sizeof(program) - 1)
        return false;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';

    char *folder = NULL;
    if (asprintf(&folder, "%s/layers", program) < 0)
        return false;
    if (access(folder, R_OK | X_OK) != 0) {
        free(folder);
        return false;
    }
    const char *before = getenv("VK_ADD_LAYER_PATH");
    char *path = NULL;
    const bool more = before && before[0];
    bool found = false;
    if (asprintf(&path, "%s%s%s", folder, more ? ":" : "", more ? before : "") >= 0) {
        found = setenv("VK_ADD_LAYER_PATH", path, 1) == 0;
        free(path);
    }
    free(folder);
    return found;
}
