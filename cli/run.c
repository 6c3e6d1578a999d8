/* clampler run: a program under the layer. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli.h"
#include "manifest.h"
#include "presets.h"
#include "settings/settings.h"

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
        variable[length++] = (char)toupper((unsigned char)*key);
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

/* A variable that turns an implicit installation off is not what was asked for here. */
static bool enable_layer(void)
{
    unsetenv("CLAMPLER_DISABLE");
    return manifest_offer_own() && manifest_put_first("VK_INSTANCE_LAYERS", MANIFEST_LAYER);
}

int run(int count, char **arguments)
{
    int i = 1;
    for (; i < count && arguments[i][0] == '-'; i += 2) {
        const char *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (!strcmp(arguments[i], "--")) {
            i++;
            break;
        }
        const bool is_set = !strcmp(arguments[i], "--set"), is_preset = !strcmp(arguments[i], "--preset");
        if (!value || (!is_set && !is_preset)) {
            fprintf(stderr, "clampler run: \"%s\" is not known, or lacks a value\n", arguments[i]);
            return STATUS_USAGE;
        }
        if (is_set ? !set_pair(value) : !set_preset(value))
            return STATUS_USAGE;
    }
    if (i >= count) {
        fprintf(stderr, "clampler run: no program (run [--set KEY=VALUE]... [--preset NAME] [--] PROGRAM ...)\n");
        return STATUS_USAGE;
    }
    if (!enable_layer()) {
        fprintf(stderr, "clampler run: %s\n", strerror(errno));
        return 1;
    }
    execvp(arguments[i], arguments + i);
    fprintf(stderr, "clampler run: %s: %s\n", arguments[i], strerror(errno));
    return STATUS_NOT_STARTED;
}
