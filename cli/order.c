/* SPDX-License-Identifier: MIT */
#include "order.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "manifest.h"
#include "stype_list.h"
#include "text/text.h"

enum { LIST_SIZE = 16384 };

#define GOES_BY_VARIABLE VK_MAKE_API_VERSION(0, 1, 3, 247) /* the first loader that does */

/* ---- The order in the variable ---- */

/* The two in their order, then whatever else is named there. */
static bool name_layers(const char *upper, const char *lower)
{
    char list[LIST_SIZE];
    size_t used = (size_t)snprintf(list, sizeof(list), "%s:%s", upper, lower);
    for (const char *at = manifest_variable("VK_INSTANCE_LAYERS", ""); *at;) {
        const size_t length = strcspn(at, ":");
        const bool is_upper = length == strlen(upper) && !strncmp(at, upper, length);
        const bool is_lower = length == strlen(lower) && !strncmp(at, lower, length);
        if (length && !is_upper && !is_lower && used < sizeof(list))
            used += (size_t)snprintf(list + used, sizeof(list) - used, ":%.*s", (int)length, at);
        at += length + (at[length] == ':');
    }
    return used < sizeof(list) && !setenv("VK_INSTANCE_LAYERS", list, 1);
}

/* ---- The order of manifests ---- */

/* A folder of the user's own for them; false with errno. */
static bool make_folder(char folder[PATH_MAX])
{
    const char *base = manifest_variable("XDG_RUNTIME_DIR", manifest_variable("XDG_CACHE_HOME", NULL));
    const char *home = manifest_variable("HOME", NULL);
    if (!base && !home) {
        errno = ENOENT;
        return false;
    }
    if (!base) {
        snprintf(folder, PATH_MAX, "%s/.cache", home);
        if (mkdir(folder, 0700) && errno != EEXIST)
            return false;
    }
    if (snprintf(folder, PATH_MAX, "%s%s/clampler", base ? base : home, base ? "" : "/.cache") >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    return !mkdir(folder, 0700) || errno == EEXIST;
}

/* The manifest with its library's whole path, which does not depend on where it stands. */
static bool put_text(FILE *file, const struct manifest *manifest)
{
    static const char member[] = "\"library_path\"";
    char library[6 * PATH_MAX];
    char *text = manifest_read_file(manifest->path);
    char *value = text ? strstr(text, member) : NULL;
    char *begin = value ? strchr(value + sizeof(member) - 1, '"') : NULL, *end = begin ? strchr(begin + 1, '"') : NULL;
    bool put = end != NULL;
    text_json(manifest->library, library, sizeof(library));
    put = put && fprintf(file, "%.*s\"%s\"%s", (int)(begin - text), text, library, end + 1) > 0;
    free(text);
    return put;
}

/* Another program may be reading the one that is there. */
static bool put_manifest(const char *folder, const struct manifest *manifest)
{
    char path[PATH_MAX + 64], before[PATH_MAX + 80];
    const char *name = strrchr(manifest->path, '/');
    if (mkdir(folder, 0700) && errno != EEXIST)
        return false;
    snprintf(path, sizeof(path), "%s%s", folder, name ? name : "/layer.json");
    if (snprintf(before, sizeof(before), "%s.%ld", path, (long)getpid()) >= (int)sizeof(before))
        return false;
    FILE *file = fopen(before, "we");
    if (!file)
        return false;
    const bool put = put_text(file, manifest);
    return !fclose(file) && put && !rename(before, path);
}

/* All folders that the loader looks into for explicit layers, then `last`. */
static bool name_folders(const char *searched, const char *last)
{
    static const char kind[] = "explicit: ";
    char list[LIST_SIZE];
    size_t used = 0;
    for (const char *line = searched; *line && used < sizeof(list);) {
        const size_t length = strcspn(line, "\n");
        if (!strncmp(line, kind, sizeof(kind) - 1))
            used += (size_t)snprintf(list + used, sizeof(list) - used, "%.*s:", (int)(length - (sizeof(kind) - 1)),
                                     line + sizeof(kind) - 1);
        line += length + (line[length] == '\n');
    }
    if (used < sizeof(list))
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s", last);
    return used < sizeof(list) && !setenv("VK_LAYER_PATH", list, 1);
}

static bool place_manifests(const struct manifest *upper, const struct manifest *lower, const char *searched)
{
    char folder[PATH_MAX], first[PATH_MAX + 32], second[PATH_MAX + 32], both[2 * PATH_MAX + 80];
    /* Of their own for each order, since programs of both may start at once. */
    const char *which = strcmp(upper->path, lower->path) > 0 ? "1" : "2";
    if (!make_folder(folder))
        return false;
    snprintf(first, sizeof(first), "%s/upper-%s", folder, which);
    snprintf(second, sizeof(second), "%s/lower-%s", folder, which);
    snprintf(both, sizeof(both), "%s:%s", first, second);
    return put_manifest(first, upper) && put_manifest(second, lower) && name_folders(searched, both);
}

/* ---- Validation ---- */

/* Newer ones keep what they do not know to themselves, whatever they are told of it. */
static void warn_above(const struct vulkan *vk)
{
    VkLayerProperties found;
    if (vulkan_find_layer(vk, ORDER_VALIDATION, &found) && found.specVersion >= VK_MAKE_API_VERSION(0, 1, 4, 0))
        fprintf(stderr,
                "clampler run: validation %u.%u.%u drops the extension's structures where it stands above the layer: "
                "below it is for programs that chain them\n",
                VK_API_VERSION_MAJOR(found.specVersion), VK_API_VERSION_MINOR(found.specVersion),
                VK_API_VERSION_PATCH(found.specVersion));
}

static bool has_manifest(const struct manifests *found)
{
    return found->count && !found->items[0].problem[0];
}

bool order_validation(const struct vulkan *vk, bool above, char *why, size_t size)
{
    struct manifests validation;
    struct manifest own;
    char stypes[STYPE_LIST_SIZE];
    stype_list(stypes);
    if (!manifests_find_layer(&validation, ORDER_VALIDATION)) {
        snprintf(why, size, "out of memory");
        return false;
    }
    bool done = has_manifest(&validation) && manifest_own(&own);
    if (!done) {
        snprintf(why, size, "--validation: %s is not found (Debian: package vulkan-validationlayers)",
                 has_manifest(&validation) ? "the layer's own manifest" : ORDER_VALIDATION);
    } else {
        const struct manifest *other = &validation.items[0];
        done = name_layers(above ? ORDER_VALIDATION : MANIFEST_LAYER, above ? MANIFEST_LAYER : ORDER_VALIDATION) &&
               (!above || !setenv("VK_LAYER_CUSTOM_STYPE_LIST", stypes, 0));
        if (done && vulkan_version(vk) < GOES_BY_VARIABLE)
            done = place_manifests(above ? other : &own, above ? &own : other, validation.searched);
        if (!done)
            snprintf(why, size, "--validation: %s", strerror(errno));
        else if (above)
            warn_above(vk);
    }
    manifests_free(&validation);
    return done;
}

/* ---- What the loader says ---- */

void order_ask(void)
{
    setenv("VK_LOADER_DEBUG", "error,warn,layer", 1);
}

void order_read(const char *said, char *names, size_t size)
{
    static const char head[] = "vkCreateInstance layer callstack setup to:", layer[] = "VK_LAYER_";
    size_t used = 0;
    names[0] = '\0';
    const char *line = strstr(said, head);
    for (line = line ? line + sizeof(head) : ""; *line;) {
        const size_t length = strcspn(line, "\n");
        const char *at = line, *end = line + length;
        while (at < end && (*at == ' ' || !strncmp(at, "LAYER:", 6) || !strncmp(at, "[Vulkan Loader]", 15)))
            at += *at == ' ' ? 1 : *at == 'L' ? 6 : 15;
        if (end - at > 8 && (!strncmp(at, "<Driver", 7) || !strncmp(at, "<Device", 7)))
            return;
        if (end - at > (ptrdiff_t)sizeof(layer) && !strncmp(at, layer, sizeof(layer) - 1) && used < size)
            used +=
                (size_t)snprintf(names + used, size - used, "%s%.*s", used ? ", " : "", (int)strcspn(at, " \n"), at);
        line = end + (*end == '\n');
    }
}
