/* SPDX-License-Identifier: MIT */
/*
 * Settings of the user. Read once at vkCreateInstance from, strongest first: environment (VK_CLAMPLER_GL_SAMPLER_<KEY>,
 * VK_GL_SAMPLER_<KEY>, VK_CLAMPLER_<KEY>, VK_<KEY>), vk_layer_settings.txt (clampler_gl_sampler.<key>; vkconfig's
 * place, VK_LAYER_SETTINGS_PATH, the working folder), VK_EXT_layer_settings in the program's vkCreateInstance. The
 * variables are those of Vulkan-Utility-Libraries, whose layers share VK_<KEY>, and a short one of this project's.
 * Lists have commas or colons between their words.
 *
 * A line of the file with a program's name after the key (clampler_gl_sampler.<key>@<name> = value) holds only in that
 * program and there beats the line without a name, wherever it stands. The name is that of the executable without its
 * folder, or what the program was started as (Wine's programs), and may have the wildcards of fnmatch().
 *
 * A program that runs with more rights than its user (AT_SECURE: setuid, setgid, file capabilities) has its own
 * settings alone. No file and no variable is read there, and nothing is written to files, even if the program's own
 * settings say so.
 *
 * json/settings.json is the one list of settings, in vkconfig's form. The manifests contain it. The parser's table and
 * settings_values.h are generated from it: `struct settings`, whose members are its keys, and the enumerations of their
 * values. In paths "~/..." is below HOME.
 */
#ifndef CLAMPLER_SETTINGS_H
#define CLAMPLER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "hash.h"
#include "settings_values.h"

/* Called for each thing that is wrong with the settings. */
typedef void (*settings_report)(void *user, enum log_level level, const char *text);

/*
 * Overwrites *settings: defaults, then every source. `chain` is the pNext of the program's VkInstanceCreateInfo.
 * Unknown keys and bad values are reported with the list of allowed ones, and skipped. `source` receives the sources
 * that gave a value, in words, cut to `source_size` bytes. A NULL `report` reports nothing.
 *
 * Reads the environment and at most one file; no thread may change the environment meanwhile.
 */
void settings_read(struct settings *settings, const void *chain, char *source, size_t source_size,
                   settings_report report, void *user);

/*
 * Reads the settings that settings_read() would read in another program with this environment, without its
 * VkLayerSettingsCreateInfoEXT. `program` selects the rules by program, an executable's name or path; NULL: the running
 * program.
 */
void settings_read_for(struct settings *settings, const char *program, char *source, size_t source_size,
                       settings_report report, void *user);

/*
 * The name that the running program was started by (argv[0]), without its folder, also one with backslashes: rules by
 * program match this name besides its executable's. Valid as long as the process.
 */
const char *settings_program(void);

/* True if a setting makes devices active that did not enable the extension. */
bool settings_activate(const struct settings *settings);

/*
 * A hash of the settings that layouts and rewritten code depend on. Records, tiers that are compiled later, and
 * messages do not depend on them.
 */
static inline uint64_t settings_of_code(const struct settings *settings)
{
    const uint32_t words[] = {
        settings_activate(settings),
        settings->gl_clamp,
        settings->alpha_to_one[0] != 0,
        (uint32_t)settings->texel_buffers,
        (uint32_t)settings->texel_path,
        (uint32_t)settings->form,
        (uint32_t)settings->linear_fallback,
        settings->assume_missing,
        settings->offer,
    };
    return hash_words(sizeof(words), words, sizeof(words) / sizeof(words[0]));
}

/* Called for each setting: its value as it would be written in a file, and which source gave it. */
typedef void (*settings_item)(void *user, const char *key, const char *value, const char *where);

/*
 * Reads like settings_read(), for `program` (see settings_read_for()), and says where each value came from ("the
 * defaults" included). False if memory ran out; nothing is reported then.
 */
bool settings_explain(const void *chain, const char *program, settings_item item, void *user);

/*
 * The settings that are not at their defaults, as "key=value key=value", cut to `size` bytes; "" if there are none.
 */
void settings_changes(const struct settings *settings, char *text, size_t size);

/*
 * True if this key may have this value; else false, with why, and what is allowed, in `why` (cut to `size` bytes).
 */
bool settings_check(const char *key, const char *value, char *why, size_t size);

#endif
