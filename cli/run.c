/* SPDX-License-Identifier: MIT */
/* clampler run: a program under the layer. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli.h"
#include "manifest.h"
#include "order.h"
#include "presets.h"
#include "settings/settings.h"
#include "text/text.h"
#include "vkconfig.h"
#include "vulkan.h"

enum { STATUS_NOT_STARTED = 127 };

/* The strongest source there is: a variable of the environment. False if this key may not have this value. */
static bool set(const char *key, const char *value)
{
    char variable[128] = "VK_CLAMPLER_GL_SAMPLER_", why[1024];
    if (!settings_check(key, value, why, sizeof(why))) {
        fprintf(stderr, "clampler run: setting %s\n", why);
        return false;
    }
    size_t length = strlen(variable);
    for (; *key && length < sizeof(variable) - 1; key++)
        variable[length++] = text_upper(*key);
    variable[length] = '\0';
    return !setenv(variable, value, 1);
}

static bool set_pair(const char *pair)
{
    char key[64];
    const char *equals = strchr(pair, '=');
    if (!equals || (size_t)(equals - pair) >= sizeof(key)) {
        fprintf(stderr, "clampler run: --set wants KEY=VALUE, not \"%s\"\n", pair);
        return false;
    }
    snprintf(key, sizeof(key), "%.*s", (int)(equals - pair), pair);
    return set(key, equals + 1);
}

static bool set_preset(const char *label)
{
    const char *before = "";
    bool found = false;
    for (const struct preset_value *value = preset_values; value->preset; value++) {
        if (strcasecmp(value->preset, label))
            continue;
        found = true;
        if (!set(value->key, value->value))
            return false;
    }
    if (found)
        return true;
    fprintf(stderr, "clampler run: there is no preset \"%s\" (there are:", label);
    for (const struct preset_value *value = preset_values; value->preset; value++) {
        if (strcmp(value->preset, before))
            fprintf(stderr, "%s \"%s\"", *before ? "," : "", value->preset);
        before = value->preset;
    }
    fprintf(stderr, ")\n");
    return false;
}

/* Where validation shall stand; NULL: nobody asks for it. */
static const char *validation;

static bool set_validation(const char *where)
{
    validation = where;
    if (!strcmp(where, "above") || !strcmp(where, "below"))
        return true;
    fprintf(stderr, "clampler run: --validation wants above or below, not \"%s\"\n", where);
    return false;
}

static bool place_validation(void)
{
    char why[512];
    struct vulkan vk;
    if (!validation)
        return true;
    if (!vulkan_open(&vk, NULL, why, sizeof(why))) {
        fprintf(stderr, "clampler run: %s\n", why);
        return false;
    }
    const bool placed = order_validation(&vk, !strcmp(validation, "above"), why, sizeof(why));
    if (!placed)
        fprintf(stderr, "clampler run: %s\n", why);
    vulkan_close(&vk);
    return placed;
}

/* A variable that turns an implicit installation off is not what was asked for here. */
static bool enable_layer(void)
{
    unsetenv("CLAMPLER_DISABLE");
    return manifest_offer_own() && manifest_put_first("VK_INSTANCE_LAYERS", MANIFEST_LAYER);
}

/* ---- What else has a say ---- */

/* A name without a folder is not a path here: the dynamic linker finds one library by it. */
static bool same_library(const struct manifest *a, const struct manifest *b)
{
    char first[PATH_MAX], second[PATH_MAX];
    if (!strchr(a->library, '/') || !strchr(b->library, '/'))
        return !strcmp(a->library, b->library);
    return realpath(a->library, first) && realpath(b->library, second) && !strcmp(first, second);
}

/* Which copy loaders take where several are found depends on their version. */
static void say_other_copies(const struct manifests *found, const struct manifest *own)
{
    for (unsigned i = 0; i < found->count; i++) {
        const struct manifest *one = &found->items[i];
        if (!one->problem[0] && !same_library(one, own)) {
            fprintf(stderr, "clampler run: another copy of the layer is installed, and loaders may take that one: %s\n",
                    one->library);
            return;
        }
    }
}

/* vkconfig's files are about paths: that of the layer that loaders take, and those of programs. */
static void say_vkconfig(const struct vkconfig_file *file, const struct manifest *own)
{
    char text[PATH_MAX + 200];
    const bool takes = file->effect == VKCONFIG_FREE || file->effect == VKCONFIG_NO_VARIABLE ||
                       (file->effect == VKCONFIG_ON && file->what[0]);
    struct manifest taken;
    if (file->unused[0] || (takes && manifest_read(file->what, &taken) && same_library(&taken, own)))
        return;
    vkconfig_say(file, text, sizeof(text));
    if (takes || file->effect == VKCONFIG_OFF || file->effect == VKCONFIG_LEFT_OUT ||
        file->effect == VKCONFIG_ELSEWHERE)
        fprintf(stderr, "clampler run: vkconfig's %s %s\n", file->path, text);
}

/* Says what keeps the program from this copy of the layer, or may do so. Nothing of it is changed: others chose it. */
static void say_obstacles(const char *program)
{
    char executable[PATH_MAX], why[512];
    struct manifests found;
    struct manifest own;
    struct vkconfig vkconfig;
    struct vulkan vk;
    if (!manifest_own(&own) || !vulkan_open(&vk, NULL, why, sizeof(why)))
        return;
    const uint32_t loader = vulkan_version(&vk);
    vulkan_close(&vk);
    if (!manifests_find(&found))
        return;
    vkconfig_executable(program, executable);
    vkconfig_read(&vkconfig, found.override, executable, loader);
    say_vkconfig(&vkconfig.settings, &own);
    say_vkconfig(&vkconfig.override, &own);
    if (!vkconfig_decides(&vkconfig))
        say_other_copies(&found, &own);
    manifests_free(&found);
}

/* ---- The command ---- */

/* Takes the options of one kind, --preset, --set or --validation; *next is the first argument that is none. False if
 * one is wrong. */
static bool take_options(int count, char **arguments, const char *kind, bool (*take)(const char *value), int *next)
{
    int i = 1;
    for (; i < count && arguments[i][0] == '-'; i += 2) {
        const char *option = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (!strcmp(option, "--")) {
            i++;
            break;
        }
        if (!value || (strcmp(option, "--set") && strcmp(option, "--preset") && strcmp(option, "--validation"))) {
            fprintf(stderr, "clampler run: \"%s\" is not known, or lacks a value\n", option);
            return false;
        }
        if (!strcmp(option, kind) && !take(value))
            return false;
    }
    *next = i;
    return true;
}

int run(int count, char **arguments)
{
    int i = 1;
    /* What is set by itself beats what a preset has, whatever stands first. */
    if (!take_options(count, arguments, "--preset", set_preset, &i) ||
        !take_options(count, arguments, "--set", set_pair, &i) ||
        !take_options(count, arguments, "--validation", set_validation, &i))
        return STATUS_USAGE;
    if (i >= count) {
        fprintf(stderr, "clampler run: no program (run [--set KEY=VALUE]... [--preset NAME] [--validation above|below] "
                        "[--] PROGRAM ...)\n");
        return STATUS_USAGE;
    }
    if (!enable_layer()) {
        fprintf(stderr, "clampler run: %s\n", strerror(errno));
        return 1;
    }
    if (!place_validation())
        return 1;
    say_obstacles(arguments[i]);
    execvp(arguments[i], arguments + i);
    fprintf(stderr, "clampler run: %s: %s\n", arguments[i], strerror(errno));
    return STATUS_NOT_STARTED;
}
