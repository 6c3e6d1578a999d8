/* SPDX-License-Identifier: MIT */
/* Two instances more, one without the layer and one with a setting that makes it active, and what the first has alone.
 */
#include "hidden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manifest.h"

enum { DEVICES = 16 };

/* ---- The environment, as it is put back ---- */

struct variable {
    const char *name;
    char *before; /* NULL: it was not set */
};

static void put(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static struct variable set(const char *name, const char *value)
{
    const char *before = getenv(name);
    const struct variable variable = {name, before ? strdup(before) : NULL};
    put(name, value);
    return variable;
}

static void put_back(struct variable *variables, unsigned count)
{
    while (count-- > 0) {
        put(variables[count].name, variables[count].before);
        free(variables[count].before);
    }
}

/* Layers by name, without this one. */
static struct variable leave_out_of(const char *name)
{
    char rest[4096] = "";
    size_t used = 0;
    for (const char *at = getenv(name); at && *at; at += strspn(at, ":,")) {
        const size_t length = strcspn(at, ":,");
        const bool own = length == strlen(MANIFEST_LAYER) && !strncmp(at, MANIFEST_LAYER, length);
        if (!own && used + length + 2 < sizeof(rest))
            used += (size_t)snprintf(rest + used, sizeof(rest) - used, "%s%.*s", used ? ":" : "", (int)length, at);
        at += length;
    }
    return set(name, used ? rest : NULL);
}

/* ---- Lists ---- */

struct list {
    VkExtensionProperties *items;
    uint32_t count;
};

static bool has(const struct list *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (!strcmp(list->items[i].extensionName, name))
            return true;
    }
    return false;
}

/* Of the same devices, in the same order; empty ones where there is no such instance. */
static void read_lists(const struct vulkan *vk, const char *layer, const struct device_facts *devices, unsigned count,
                       struct list *lists)
{
    struct vulkan *other = malloc(sizeof(*other));
    struct device_facts found[DEVICES];
    memset(lists, 0, count * sizeof(*lists));
    if (!other)
        return;
    *other = *vk;
    if (vulkan_start(other, layer) == VK_SUCCESS) {
        const unsigned there = vulkan_devices(other, found, DEVICES);
        for (unsigned i = 0; i < count && i < there; i++) {
            if (!strcmp(found[i].properties.deviceName, devices[i].properties.deviceName))
                lists[i].items = vulkan_extensions(other, found[i].handle, &lists[i].count);
        }
        vulkan_stop(other);
    }
    free(other);
}

void hidden_find(const struct vulkan *vk, const struct device_facts *devices, unsigned count, struct hidden *hidden)
{
    struct list with[DEVICES], without[DEVICES];
    struct variable active = set("VK_CLAMPLER_FORCE_ACTIVE", "true");
    read_lists(vk, MANIFEST_LAYER, devices, count, with);
    put_back(&active, 1);
    struct variable left_out[] = {
        leave_out_of("VK_INSTANCE_LAYERS"),
        leave_out_of("VK_LOADER_LAYERS_ENABLE"),
        set("CLAMPLER_ENABLE", NULL),
        set("CLAMPLER_DISABLE", "1"),
    };
    read_lists(vk, NULL, devices, count, without);
    put_back(left_out, sizeof(left_out) / sizeof(*left_out));
    for (unsigned i = 0; i < count; i++) {
        hidden[i].count = 0;
        for (uint32_t e = 0; with[i].items && e < without[i].count; e++) {
            const char *name = without[i].items[e].extensionName;
            if (!has(&with[i], name) && hidden[i].count < sizeof(hidden->names) / sizeof(*hidden->names))
                snprintf(hidden[i].names[hidden[i].count++], sizeof(*hidden->names), "%s", name);
        }
        free(with[i].items);
        free(without[i].items);
    }
}
