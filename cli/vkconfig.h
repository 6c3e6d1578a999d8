/* SPDX-License-Identifier: MIT */
/*
 * What Vulkan Configurator has loaders do to the layer in one program: the file of version 2, a manifest of a layer
 * that stands for its configuration (VkLayer_override.json), and that of version 3 (vk_loader_settings.json). Follows
 * the loader's documents "Loader and Layer Interface" and "Loader Settings File".
 */
#ifndef CLAMPLER_CLI_VKCONFIG_H
#define CLAMPLER_CLI_VKCONFIG_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vkconfig_effect {
    VKCONFIG_NOTHING,     /* on the layer */
    VKCONFIG_FREE,        /* left to variables and programs */
    VKCONFIG_NO_VARIABLE, /* the same, but loaders take an explicit manifest, which CLAMPLER_ENABLE does not turn on */
    VKCONFIG_ON,          /* in every program */
    VKCONFIG_OFF,         /* in every program */
    VKCONFIG_LEFT_OUT,    /* loaders look at no layers but those that the file lists, and it does not list this one */
    VKCONFIG_ELSEWHERE,   /* explicit layers are looked for in other folders alone */
};

struct vkconfig_file {
    char path[PATH_MAX]; /* "": there is none */
    char unused[128];    /* why it does not hold for this program, "" if it does */
    enum vkconfig_effect effect;
    char what[PATH_MAX]; /* the manifest that loaders take; ELSEWHERE: the folders */
};

struct vkconfig {
    struct vkconfig_file settings, override; /* of version 3 and 2; the first beats the second */
};

/*
 * Reads both files as a loader of this version does (VK_MAKE_API_VERSION) for a program: the path of its executable, or
 * its name alone, which then stands for every executable of that name. `override` is the manifest of version 2, "" if
 * there is none.
 */
void vkconfig_read(struct vkconfig *found, const char *override, const char *program, uint32_t loader);

/* The executable that a shell would start as `program`, or that name itself if there is none. */
void vkconfig_executable(const char *program, char path[PATH_MAX]);

/* The file that decides by itself whether the layer is loaded (ON, OFF, LEFT_OUT); NULL if none does. */
const struct vkconfig_file *vkconfig_decides(const struct vkconfig *found);

/* What the file has loaders do, as the rest of a sentence that begins with its path; cut to `size` bytes. */
void vkconfig_say(const struct vkconfig_file *file, char *text, size_t size);

#endif
