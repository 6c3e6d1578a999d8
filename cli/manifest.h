/* SPDX-License-Identifier: MIT */
/*
 * The layer's manifests: where the loader looks for them, and what is wrong with those that are there. Follows the
 * loader's document "Loader and Layer Interface", section "Layer Discovery".
 */
#ifndef CLAMPLER_CLI_MANIFEST_H
#define CLAMPLER_CLI_MANIFEST_H

#include <limits.h>
#include <stdbool.h>

#define MANIFEST_LAYER "VK_LAYER_CLAMPLER_gl_sampler"
#define MANIFEST_FILE "VkLayer_CLAMPLER_gl_sampler.json"

struct manifest {
    char path[PATH_MAX];
    bool implicit;
    bool hidden;                  /* the one beside this program, in a folder that the loader does not look into */
    char library[PATH_MAX];       /* absolute, or a name that the dynamic linker searches for; "" if there is none */
    char enable[64];              /* implicit: the variable that turns it on, "" if it is on unless disabled */
    char enable_value[64];        /* its value */
    char disable[64];             /* the variable that turns it off */
    char problem[PATH_MAX + 256]; /* what is wrong with it, in one line; "" if nothing is */
    bool crashes;                 /* its library would end any program that opens it */
    char extensions[512];         /* instance extensions that it lists, with a blank before and after each */
};

/* Folders that a variable names and that do not exist, and manifests that were found, in the loader's order. */
struct manifests {
    const char *layer;      /* the name of the one that is looked for */
    struct manifest *items; /* one memory block */
    unsigned count;
    char searched[8192];         /* all folders that were looked into, one a line */
    char missing[1024];          /* folders named by a variable that are not there: "VARIABLE: folder", one a line */
    char override[PATH_MAX * 2]; /* what Vulkan Configurator 2 has written, the first of them; "" if there is none */
};

/*
 * Looks into every folder that the loader would in this environment. The explicit manifest beside this program comes
 * last, as a hidden one, if it is not among them. False if memory ran out.
 */
bool manifests_find(struct manifests *found);

/* The same for another layer, whose manifests are judged by their names alone. */
bool manifests_find_layer(struct manifests *found, const char *layer);
void manifests_free(struct manifests *found);

/*
 * Lets the loader find the layer that this program belongs to, of the build folder or of the installation that it is
 * part of, before any other, by the environment of this process. False if memory ran out; true where there is none.
 */
bool manifest_offer_own(void);

/* One manifest, an explicit one unless its path says otherwise; false if it is not this layer's. */
bool manifest_read(const char *path, struct manifest *manifest);

/* The layer that this program belongs to, by its explicit manifest; false if there is none. */
bool manifest_own(struct manifest *own);

/* The whole file with an end of 0, to free(); NULL if it cannot be read. */
char *manifest_read_file(const char *path);

/* A variable's value, `otherwise` where it is empty or the process has more rights than its user. */
const char *manifest_variable(const char *variable, const char *otherwise);

/* Puts `item` in front of the list (':' between) in a variable, unless it is there. False if memory ran out. */
bool manifest_put_first(const char *variable, const char *item);

/* Whether the manifest lists an instance extension. */
bool manifest_lists(const struct manifest *manifest, const char *extension);

/*
 * Opens the library as the loader would and looks for its entry point, in a process of its own: libraries share what
 * room there is for thread-local words, so that one says nothing about another, and one that crashes ends nobody else.
 * manifest->problem says what stands in the way. To be called before Vulkan is loaded.
 */
void manifest_try_library(struct manifest *manifest);

#endif
