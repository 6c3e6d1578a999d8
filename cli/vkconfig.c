/* SPDX-License-Identifier: MIT */
#include "vkconfig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vulkan_core.h>

#include "json.h"
#include "manifest.h"

#define SETTINGS_FILE "/vulkan/loader_settings.d/vk_loader_settings.json"
#define DISABLING "DISABLE_VK_LAYER_LUNARG_override"
enum { READS_SETTINGS = VK_MAKE_API_VERSION(0, 1, 3, 256) }; /* the first loader that does */

/* ---- For which programs ---- */

static bool is_program(const char *key, const char *program)
{
    const char *name = strrchr(key, '/');
    return !strcmp(key, program) || (!strchr(program, '/') && name && !strcmp(name + 1, program));
}

void vkconfig_executable(const char *program, char path[PATH_MAX])
{
    char tried[PATH_MAX];
    if (strchr(program, '/') && realpath(program, path))
        return;
    for (const char *at = strchr(program, '/') ? NULL : getenv("PATH"); at && *at;) {
        const size_t length = strcspn(at, ":");
        if (snprintf(tried, sizeof(tried), "%.*s/%s", (int)length, at, program) < (int)sizeof(tried) &&
            !access(tried, X_OK) && realpath(tried, path))
            return;
        at += length + (at[length] == ':');
    }
    snprintf(path, PATH_MAX, "%s", program);
}

/* Whether a list of executables has the program; a list that is not there has all. */
static bool is_for(const struct json *list, const char *program)
{
    for (const struct json *key = list ? list->first : NULL; key; key = key->next) {
        if (key->text && is_program(key->text, program))
            return true;
    }
    return !list;
}

static bool has(const struct json *list, const char *text)
{
    for (const struct json *one = list ? list->first : NULL; one; one = one->next) {
        if (one->text && !strcmp(one->text, text))
            return true;
    }
    return false;
}

static struct json *read_json(const char *path)
{
    char why[200];
    char *text = manifest_read_file(path);
    struct json *json = text ? json_read(text, why, sizeof(why)) : NULL;
    free(text);
    return json;
}

/* ---- Version 3 ---- */

/* Looks below every folder of a list with ':' between; false if the file is in none. */
static bool find_below(char path[PATH_MAX], const char *list, const char *between)
{
    for (const char *at = list; at && *at;) {
        const size_t length = strcspn(at, ":");
        if (length && snprintf(path, PATH_MAX, "%.*s%s" SETTINGS_FILE, (int)length, at, between) < PATH_MAX &&
            !access(path, F_OK))
            return true;
        at += length + (at[length] == ':');
    }
    path[0] = '\0';
    return false;
}

static bool find_settings(char path[PATH_MAX])
{
    const char *config = manifest_variable("XDG_CONFIG_HOME", NULL), *data = manifest_variable("XDG_DATA_HOME", NULL);
    const char *home = secure_getenv("HOME");
    return find_below(path, config, "") || find_below(path, data, "") ||
           (!config && find_below(path, home, "/.config")) || (!data && find_below(path, home, "/.local/share")) ||
           find_below(path, manifest_variable("XDG_CONFIG_DIRS", "/etc/xdg"), "") ||
           find_below(path, "/usr/local/etc:/etc", "") ||
           find_below(path, manifest_variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share"), "");
}

/* The first settings that name the program, else the first that name none; NULL if there are neither. */
static const struct json *settings_for(const struct json *file, const char *program)
{
    const struct json *array = json_member(file, "settings_array"), *one = json_member(file, "settings");
    const struct json *global = array ? NULL : one;
    for (const struct json *settings = array ? array->first : NULL; settings; settings = settings->next) {
        const struct json *keys = json_member(settings, "app_keys");
        if (keys && is_for(keys, program))
            return settings;
        if (!keys && !global)
            global = settings;
    }
    return global && is_for(json_member(global, "app_keys"), program) ? global : NULL;
}

static enum vkconfig_effect effect_of(const struct json *layer)
{
    const struct json *implicit = json_member(layer, "treat_as_implicit_manifest");
    const char *control = json_text(layer, "control", "auto");
    if (!strcmp(control, "on"))
        return VKCONFIG_ON;
    return implicit && implicit->text && !strcmp(implicit->text, "true") ? VKCONFIG_FREE : VKCONFIG_NO_VARIABLE;
}

/* What is off is so by its name; all else that is listed counts if its manifest is there. */
static void read_layers(struct vkconfig_file *file, const struct json *layers)
{
    bool others = false;
    for (const struct json *layer = layers->first; layer; layer = layer->next) {
        const char *control = json_text(layer, "control", ""), *path = json_text(layer, "path", "");
        others |= !strcmp(control, "unordered_layer_location");
        if (strcmp(json_text(layer, "name", ""), MANIFEST_LAYER))
            continue;
        snprintf(file->what, sizeof(file->what), "%s", path);
        if (!strcmp(control, "off")) {
            file->effect = VKCONFIG_OFF;
            return;
        }
        if (!access(path, R_OK)) {
            file->effect = effect_of(layer);
            return;
        }
    }
    file->effect = others ? VKCONFIG_NOTHING : VKCONFIG_LEFT_OUT;
}

static void read_settings(struct vkconfig_file *file, const char *program, uint32_t loader)
{
    if (!find_settings(file->path))
        return;
    struct json *json = read_json(file->path);
    const struct json *settings = settings_for(json, program), *layers = json_member(settings, "layers");
    if (loader < READS_SETTINGS)
        snprintf(file->unused, sizeof(file->unused), "loaders before 1.3.256 do not read it");
    else if (!json)
        snprintf(file->unused, sizeof(file->unused), "it is not JSON");
    else if (!settings)
        snprintf(file->unused, sizeof(file->unused), "it is for other programs");
    else if (layers)
        read_layers(file, layers);
    json_free(json);
}

/* ---- Version 2 ---- */

static void join(const struct json *list, char *text, size_t size)
{
    size_t used = 0;
    for (const struct json *one = list->first; one && used < size; one = one->next)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ":" : "", one->text ? one->text : "");
}

static bool has_manifest(const struct json *folders)
{
    char path[PATH_MAX];
    for (const struct json *one = folders->first; one; one = one->next) {
        if (one->text && snprintf(path, sizeof(path), "%s/" MANIFEST_FILE, one->text) < (int)sizeof(path) &&
            !access(path, R_OK))
            return true;
    }
    return false;
}

static void read_override(struct vkconfig_file *file, const char *path, const char *program)
{
    snprintf(file->path, sizeof(file->path), "%s", path);
    if (!*path)
        return;
    struct json *json = read_json(path);
    const struct json *layer = json_member(json, "layer"), *folders = json_member(layer, "override_paths");
    if (manifest_variable(DISABLING, NULL)) {
        snprintf(file->unused, sizeof(file->unused), DISABLING " is set");
    } else if (!is_for(json_member(layer, "app_keys"), program)) {
        snprintf(file->unused, sizeof(file->unused), "it is for other programs");
    } else if (has(json_member(layer, "blacklisted_layers"), MANIFEST_LAYER)) {
        file->effect = VKCONFIG_OFF;
    } else if (has(json_member(layer, "component_layers"), MANIFEST_LAYER)) {
        file->effect = VKCONFIG_ON;
    } else if (folders && folders->first && !has_manifest(folders)) {
        file->effect = VKCONFIG_ELSEWHERE;
        join(folders, file->what, sizeof(file->what));
    }
    json_free(json);
}

/* ---- Both ---- */

void vkconfig_read(struct vkconfig *found, const char *override, const char *program, uint32_t loader)
{
    memset(found, 0, sizeof(*found));
    read_settings(&found->settings, program, loader);
    read_override(&found->override, override, program);
}

static bool decides(const struct vkconfig_file *file)
{
    return file->effect == VKCONFIG_ON || file->effect == VKCONFIG_OFF || file->effect == VKCONFIG_LEFT_OUT;
}

const struct vkconfig_file *vkconfig_decides(const struct vkconfig *found)
{
    const bool listed = found->settings.effect == VKCONFIG_FREE || found->settings.effect == VKCONFIG_NO_VARIABLE;
    if (decides(&found->settings) || listed)
        return listed ? NULL : &found->settings;
    return decides(&found->override) ? &found->override : NULL;
}

void vkconfig_say(const struct vkconfig_file *file, char *text, size_t size)
{
    const char *what = file->what;
    if (file->unused[0]) {
        snprintf(text, size, "has no say: %s", file->unused);
        return;
    }
    switch (file->effect) {
    case VKCONFIG_FREE:
        snprintf(text, size, "leaves the layer to variables and programs, by %s", what);
        return;
    case VKCONFIG_NO_VARIABLE:
        snprintf(text, size, "has loaders take %s, an explicit manifest: CLAMPLER_ENABLE does nothing", what);
        return;
    case VKCONFIG_ON:
        snprintf(text, size, "turns the layer on%s%s", *what ? ", by " : "", what);
        return;
    case VKCONFIG_OFF:
        snprintf(text, size, "turns the layer off");
        return;
    case VKCONFIG_LEFT_OUT:
        snprintf(text, size, "has loaders look at the layers alone that it lists, and this one is not among them%s%s%s",
                 *what ? " (it lists " : "", what, *what ? ", which is not there)" : "");
        return;
    case VKCONFIG_ELSEWHERE:
        snprintf(text, size, "has loaders look for explicit layers in %s alone", what);
        return;
    default:
        snprintf(text, size, "says nothing of the layer%s%s%s", *what ? " (it lists " : "", what,
                 *what ? ", which is not there)" : "");
    }
}
