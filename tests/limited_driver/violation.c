/* SPDX-License-Identifier: MIT */
/* Violations: the list of an instance, and what becomes of an entry (LIMITED_DRIVER_LOG, LIMITED_DRIVER_ABORT). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"

enum { KEPT_MAX = 1024, PRINTED_MAX = 50 };

void violations_open(struct violations *violations)
{
    memset(violations, 0, sizeof(*violations));
    pthread_mutex_init(&violations->lock, NULL);
    violations->list = calloc(KEPT_MAX, sizeof(*violations->list));
}

void violations_close(struct violations *violations)
{
    if (violations->total)
        fprintf(stderr, "limited driver: %u violations\n", violations->total);
    free(violations->list);
    pthread_mutex_destroy(&violations->lock);
}

uint32_t violations_read(struct violations *violations, uint32_t capacity, struct limited_driver_violation *out)
{
    pthread_mutex_lock(&violations->lock);
    uint32_t total = violations->total;
    uint32_t count = capacity < violations->kept ? capacity : violations->kept;
    if (count)
        memcpy(out, violations->list, count * sizeof(*out));
    pthread_mutex_unlock(&violations->lock);
    return total;
}

static const char *kind_name(enum limited_driver_kind kind)
{
    static const char *const names[] = {"hidden extension", "hidden feature", "hidden format", "hidden limit",
                                        "destroyed object"};
    return names[kind];
}

static void append_to_log(const char *line)
{
    const char *path = getenv("LIMITED_DRIVER_LOG");
    FILE *file = path && path[0] ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fputs(line, file);
    fclose(file);
}

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

void violation(struct instance *instance, enum limited_driver_kind kind, const char *name, const char *command,
               const char *format, ...)
{
    struct violations *violations = &instance->violations;
    struct limited_driver_violation entry = {.kind = kind};
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(entry.text, sizeof(entry.text), format, arguments);
    va_end(arguments);
    copy_text(entry.name, sizeof(entry.name), name);
    copy_text(entry.command, sizeof(entry.command), command);
    snprintf(line, sizeof(line), "limited driver: %s: %s %s: %s\n", entry.command, kind_name(kind), entry.name,
             entry.text);

    pthread_mutex_lock(&violations->lock);
    if (violations->list && violations->kept < KEPT_MAX)
        violations->list[violations->kept++] = entry;
    if (violations->total++ < PRINTED_MAX)
        fputs(line, stderr);
    append_to_log(line);
    pthread_mutex_unlock(&violations->lock);

    const char *fatal = getenv("LIMITED_DRIVER_ABORT");
    if (fatal && strcmp(fatal, "1") == 0)
        abort();
}

/* ---- Judging a use ---- */

void use_feature(struct device *device, enum enforced_feature feature, const char *command)
{
#define NAME(name) #name,
    static const char *const names[] = {ENFORCED_FEATURES(NAME)};
    if (device->hidden[feature])
        violation(device->instance, LIMITED_DRIVER_FEATURE, names[feature], command, "used");
}

static const char *const limit_names[] = {ENFORCED_LIMITS(NAME)};
#undef NAME

void use_limit(struct device *device, enum enforced_limit limit, uint64_t count, const char *command)
{
    if (device->limits[limit].set && count > device->limits[limit].value.whole)
        violation(device->instance, LIMITED_DRIVER_LIMIT, limit_names[limit], command, "%llu used, the limit is %llu",
                  (unsigned long long)count, (unsigned long long)device->limits[limit].value.whole);
}

enum profile_tiling profile_tiling(VkImageTiling tiling)
{
    return tiling == VK_IMAGE_TILING_LINEAR ? PROFILE_LINEAR : PROFILE_OPTIMAL;
}

static const char *format_name(VkFormat format)
{
    for (uint32_t i = 0; i < registry_format_count; i++)
        if (registry_formats[i].value == (uint64_t)format)
            return registry_formats[i].name;
    return "a format without a name";
}

void use_format(struct device *device, VkFormat format, VkImageTiling tiling, uint64_t needed, const char *command)
{
    uint64_t missing = needed & profile_hidden_format_features(device->profile, format, profile_tiling(tiling));
    for (uint32_t i = 0; missing && i < registry_format_feature_count; i++)
        if (missing & registry_format_features[i].value)
            violation(device->instance, LIMITED_DRIVER_FORMAT, registry_format_features[i].name, command,
                      "%s with %s tiling", format_name(format),
                      tiling == VK_IMAGE_TILING_LINEAR ? "linear" : "optimal");
}

uint64_t format_features_of_usage(VkImageUsageFlags usage)
{
    static const struct {
        VkImageUsageFlags usage;
        VkFormatFeatureFlags feature;
    } rows[] = {
        {VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT},
        {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT},
        {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT},
        {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT},
        {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT},
        {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_TRANSFER_DST_BIT},
    };
    uint64_t features = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (usage & rows[i].usage)
            features |= rows[i].feature;
    return features;
}

const void *chained(const void *next, VkStructureType type)
{
    const VkBaseInStructure *structure = next;
    while (structure && structure->sType != type)
        structure = structure->pNext;
    return structure;
}
