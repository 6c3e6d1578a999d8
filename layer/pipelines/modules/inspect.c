/* SPDX-License-Identifier: MIT */
/* The settings dump_dir and validate_rewrites: dumps and validates rewritten modules. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/message.h"
#include "layouts/pipeline_layout.h"
#include "need/need.h"
#include "objects/track.h"
#include "modules/shader_module.h"
#include "platform/output.h"
#include "spirv/spirv.h"
#include "spirv_tools/spirv_tools.h"

/* Why a rewrite was done, for the reader of a dump. */
struct reason {
    const struct shader_module *module;
    const struct pipeline_layout *layout;
    uint32_t tier;
    const struct spirv_output *output;
};

static bool needs_library(struct device *device, const char *setting)
{
    static struct message_place said;
    if (spirv_tools_found())
        return true;
    message_about_once(
        &said, device, LOG_WARN, NULL,
        "%s: SPIRV-Tools is not there (looked for: %s): modules are not validated, dumps have no assembly", setting,
        spirv_tools_searched());
    return false;
}

/* ---- Dumps ---- */

/* One file, written by output_quietly(). */
struct content {
    FILE *file;
    const void *data; /* bytes, or the reason */
    size_t size;
    int error; /* 0: written */
};

static void write_bytes(void *user)
{
    struct content *content = user;
    if (fwrite(content->data, 1, content->size, content->file) != content->size)
        content->error = errno;
    if (fclose(content->file) && !content->error)
        content->error = errno;
}

/* False: `write` or opening failed, errno says how. */
static bool write_file(const struct output_folder *folder, const char *name, void (*write)(void *user),
                       const void *data, size_t size)
{
    struct content content = {output_open_in(folder, name, OUTPUT_REPLACE), data, size, 0};
    if (!content.file)
        return false;
    output_quietly(write, &content);
    if (content.error)
        errno = content.error;
    return !content.error;
}

static bool dump_module(struct device *device, const struct output_folder *folder, const char *stem,
                        const uint32_t *words, size_t word_count)
{
    char name[80];
    snprintf(name, sizeof(name), "%s.spv", stem);
    if (!write_file(folder, name, write_bytes, words, word_count * sizeof(*words)))
        return false;
    if (!needs_library(device, "dump_dir"))
        return true;
    char *text = spirv_tools_text(words, word_count, device->caps.api_version);
    snprintf(name, sizeof(name), "%s.spvasm", stem);
    const bool written = !text || write_file(folder, name, write_bytes, text, strlen(text));
    free(text);
    return written;
}

static void write_reason(void *user)
{
    struct content *content = user;
    const struct reason *reason = content->data;
    FILE *file = content->file;
    fprintf(file, "module %016llx, %zu words, becomes %zu words at tier %u: %u lookups rewritten\n",
            (unsigned long long)reason->module->hash, reason->module->word_count, reason->output->word_count,
            (unsigned)tier_reported(reason->tier), (unsigned)reason->output->rewritten_lookups);
    fprintf(file, "%s\n",
            reason->tier == 0   ? "tier 0: binding numbers moved, nothing else"
            : reason->tier == 1 ? "tier 1: a bound record requires coordinates to be moved"
                                : "tier 2: a bound record requires filtering in the shader");
    for (uint32_t i = 0; i < reason->layout->set_count; i++) {
        const struct spirv_set *set = &reason->layout->spirv_sets[i];
        if (set->record_binding != SPIRV_NO_RECORD)
            fprintf(file, "set %u: %u records in a %s buffer at binding %u\n", (unsigned)i, (unsigned)set->record_count,
                    set->storage ? "storage" : "uniform", (unsigned)set->record_binding);
        for (uint32_t j = 0; j < set->binding_count; j++) {
            if (set->bindings[j].new_binding != set->bindings[j].binding)
                fprintf(file, "set %u: binding %u moves to %u\n", (unsigned)i, (unsigned)set->bindings[j].binding,
                        (unsigned)set->bindings[j].new_binding);
        }
    }
    if (reason->output->message[0])
        fprintf(file, "%s\n", reason->output->message);
    content->error = fclose(file) ? errno : 0;
}

static bool dump_reason(const struct output_folder *folder, const char *stem, const struct reason *reason)
{
    char name[80];
    snprintf(name, sizeof(name), "%s.txt", stem);
    return write_file(folder, name, write_reason, reason, 0);
}

/*
 * Layouts differ, so a module may be rewritten in several ways at one tier: so names of files contain a hash of the
 * content.
 */
static bool dump_into(struct device *device, const struct output_folder *folder, const struct reason *reason)
{
    const struct spirv_output *output = reason->output;
    char before[40], after[60];
    snprintf(before, sizeof(before), "%016llx.before", (unsigned long long)reason->module->hash);
    snprintf(after, sizeof(after), "%016llx.tier%u.%08llx", (unsigned long long)reason->module->hash,
             (unsigned)tier_reported(reason->tier),
             (unsigned long long)(module_hash(output->words, output->word_count) & UINT32_MAX));
    return dump_module(device, folder, before, reason->module->words, reason->module->word_count) &&
           dump_module(device, folder, after, output->words, output->word_count) && dump_reason(folder, after, reason);
}

static void dump(struct device *device, const struct reason *reason)
{
    static struct message_place said;
    const char *path = device->instance->settings.dump_dir;
    struct output_folder *folder = output_open_folder(path);
    if (!folder || !dump_into(device, folder, reason))
        message_about_once(&said, device, LOG_WARN, NULL, "dump_dir: cannot write to %s: %s", path,
                           output_reason(errno));
    if (folder)
        output_close_folder(folder);
}

/* ---- Validation ---- */

static bool validate(struct device *device, const struct reason *reason)
{
    char why[400], own[400];
    const struct shader_module *module = reason->module;
    const struct spirv_output *output = reason->output;
    if (!needs_library(device, "validate_rewrites") ||
        spirv_tools_validate(output->words, output->word_count, device->caps.api_version, why, sizeof(why)))
        return true;
    const bool was_valid =
        spirv_tools_validate(module->words, module->word_count, device->caps.api_version, own, sizeof(own));
    message_about(device, LOG_ERROR, ABOUT_MODULE(module),
                  "validate_rewrites: shader module %016llx rewritten for tier %u is not valid and not used: %s%s%s",
                  (unsigned long long)module->hash, (unsigned)tier_reported(reason->tier), why,
                  was_valid ? "" : "; nor is the program's own module: ", was_valid ? "" : own);
    return false;
}

bool inspect_rewrite(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                     uint32_t tier, const struct spirv_output *output)
{
    const struct settings *settings = &track->device->instance->settings;
    const struct reason reason = {module, layout, tier, output};
    if (settings->dump_dir[0])
        dump(track->device, &reason);
    return !settings->validate_rewrites || validate(track->device, &reason);
}
