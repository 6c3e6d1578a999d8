/* SPDX-License-Identifier: MIT */
/*
 * Tests set variables of the environment for the devices that they open. A test that is skipped in between leaves them
 * to the tests behind it, so each skip (tests/cmocka/cmocka.h) gives back what the group of tests has begun with.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/device/environment.h"
#include "harness/device/vulkan.h"

extern char **environ;

/* Of programs of cmocka; NULL in others. */
extern void (*cmocka_settings)(int give_back) __attribute__((weak));

enum { SETTINGS_MAX = 64 };

static struct {
    char *entries[SETTINGS_MAX]; /* "NAME=value" */
    unsigned count;
} begun_with;

static bool is_setting(const char *entry)
{
    return strncmp(entry, "VK_CLAMPLER_", 12) == 0 || strncmp(entry, "LIMITED_DRIVER_", 15) == 0;
}

static void note(void)
{
    while (begun_with.count)
        free(begun_with.entries[--begun_with.count]);
    for (char **entry = environ; *entry; entry++) {
        if (!is_setting(*entry))
            continue;
        if (begun_with.count == SETTINGS_MAX)
            harness_fail("more than %d settings in the environment", SETTINGS_MAX);
        begun_with.entries[begun_with.count++] = strcpy(harness_alloc(strlen(*entry) + 1, 1), *entry);
    }
}

/* Sets `entry`, or unsets it. */
static void change(const char *entry, bool set)
{
    const size_t length = strcspn(entry, "=");
    char *name = harness_alloc(length + 1, 1);
    memcpy(name, entry, length);
    if (set)
        setenv(name, entry + length + 1, 1);
    else
        unsetenv(name);
    free(name);
}

static void give_back(void)
{
    for (char **entry = environ; *entry;) {
        if (is_setting(*entry)) {
            change(*entry, false);
            entry = environ; /* which has moved */
        } else {
            entry++;
        }
    }
    for (unsigned i = 0; i < begun_with.count; i++)
        change(begun_with.entries[i], true);
    harness_environment_vulkan();
}

static void settings(int back)
{
    if (back)
        give_back();
    else
        note();
}

void harness_environment_watch(void)
{
    if (&cmocka_settings)
        cmocka_settings = settings;
}
