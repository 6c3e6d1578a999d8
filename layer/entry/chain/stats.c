/* SPDX-License-Identifier: MIT */
/* The setting stats_file: a device's counters, as one line of JSON when it is destroyed. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "chain/chain.h"
#include "counters.h"
#include "device/message.h"
#include "platform/output.h"
#include "platform/threads.h"
#include "settings/settings.h"
#include "text/text.h"
#include "track/lifecycle.h"

static const struct {
    const char *name;
    size_t offset;
    size_t values; /* more than one: by tier, or by memory type */
} counters[] = {
#define ROW(NAME, ARRAY)                                                                                               \
    {#NAME, offsetof(struct clampler_counters, NAME), sizeof(((struct clampler_counters *)0)->NAME) / sizeof(uint64_t)},
#define TIME(NAME) ROW(NAME##_ms, )
    CLAMPLER_COUNTERS(ROW, ROW, TIME, ROW)
#undef TIME
#undef ROW
};

#define COUNTERS (sizeof(counters) / sizeof(*counters))

static void write_text(FILE *file, const char *key, const char *text)
{
    char escaped[2048];
    text_json(text, escaped, sizeof(escaped));
    fprintf(file, "\"%s\": \"%s\", ", key, escaped);
}

static void write_counters(FILE *file, struct device *device)
{
    struct clampler_counters read = {0};
    if (device->active)
        track_counters(device->track, &read);
    for (size_t i = 0; i < COUNTERS; i++) {
        const uint64_t *value = (const void *)((const char *)&read + counters[i].offset);
        size_t values = counters[i].values;
        if (values == VK_MAX_MEMORY_TYPES && device->memory.memoryTypeCount)
            values = device->memory.memoryTypeCount;
        fprintf(file, ", \"%s\": %s", counters[i].name, counters[i].values > 1 ? "[" : "");
        for (size_t j = 0; j < values; j++)
            fprintf(file, "%s%" PRIu64, j ? ", " : "", value[j]);
        fputs(counters[i].values > 1 ? "]" : "", file);
    }
}

/* One line, written by output_quietly(). */
struct stats {
    struct device *device;
    FILE *file;
    int error; /* 0: written */
};

static void write_stats(void *user)
{
    struct stats *stats = user;
    struct device *device = stats->device;
    FILE *file = stats->file;
    char changes[512];
    settings_changes(&device->instance->settings, changes, sizeof(changes));
    fputc('{', file);
    write_text(file, "version", CLAMPLER_VERSION);
    write_text(file, "program", settings_program());
    fprintf(file, "\"process\": %" PRIu32 ", ", thread_process());
    write_text(file, "device", device->properties.deviceName);
    write_text(file, "settings", changes);
    fprintf(file, "\"active\": %s", device->active ? "true" : "false");
    write_counters(file, device);
    fputs("}\n", file);
    stats->error = fclose(file) ? errno : 0;
}

void stats_write(struct device *device)
{
    const struct settings *settings = &device->instance->settings;
    if (!settings->stats_file[0])
        return;
    FILE *file = output_open(settings->stats_file, OUTPUT_APPEND);
    if (!file) {
        message_about(device, LOG_WARN, NULL, "stats_file: cannot open %s: %s", settings->stats_file,
                      output_reason(errno));
        return;
    }
    struct stats stats = {device, file, 0};
    output_quietly(write_stats, &stats);
    if (stats.error)
        message_about(device, LOG_WARN, NULL, "stats_file: cannot write to %s: %s", settings->stats_file,
                      output_reason(stats.error));
}
