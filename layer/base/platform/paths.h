/* SPDX-License-Identifier: MIT */
/* Paths of the program, of the library that this code is part of, and of the file that vkconfig writes. */
#ifndef CLAMPLER_PLATFORM_PATHS_H
#define CLAMPLER_PLATFORM_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/environment.h"

enum { PATH_ROOM = 4096 }; /* bytes; a longer path counts as missing */

/* The path of the program's executable, cut to `size` bytes; "" if it is not known. */
void path_of_program(char *path, size_t size);

/* The name that the program was started by, which need not be a path. Lives as long as the process. */
const char *path_started_as(void);

/*
 * The folder, with a separator at its end, of the object that this code is part of: the layer, or a program in the
 * folder for programs. False if the object was opened by a relative name: what lies in the working folder may be
 * anybody's.
 */
bool path_of_own_folder(char folder[PATH_ROOM]);

/*
 * The path of the settings that vkconfig writes for all layers. Linux: `name` in vulkan/settings.d of XDG_DATA_HOME or
 * of .local/share in the home folder. Windows: the file, of any name, that the registry names under
 * SOFTWARE\Khronos\Vulkan\Settings, of the machine first. False if there is no such path or it is longer than `size`.
 */
bool path_of_vkconfigs_file(const struct environment *environment, const char *name, char *path, size_t size);

/* Whether a file's name fits a pattern with the wildcards of fnmatch(); on Windows upper and lower case are equal. */
bool path_matches(const char *pattern, const char *name);

#endif
