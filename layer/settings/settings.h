/*
 * Settings: what the user asks of the layer. Read once at vkCreateInstance from, strongest first: environment
 * (VK_CLAMPLER_GL_SAMPLER_<KEY>, short VK_CLAMPLER_<KEY>), vk_layer_settings.txt (clampler_gl_sampler.<key>; vkconfig's
 * place, VK_LAYER_SETTINGS_PATH, the working folder), VK_EXT_layer_settings in the program's vkCreateInstance.
 *
 * A line of the file with a program's name after the key (clampler_gl_sampler.<key>@<name> = value) holds only in that
 * program and there beats the line without a name, wherever it stands. The name is that of the executable without its
 * folder, or what the program was started as (Wine's programs), and may have the wildcards of fnmatch().
 *
 * A program that runs with more rights than its user (AT_SECURE: setuid, setgid, file capabilities) has its own
 * settings alone. No file and no variable is read there, and nothing is written to files, whoever asks for that.
 *
 * json/settings.json is the one list of settings, in vkconfig's form: the manifests contain it, and what parses them
 * is generated from it. Its keys are the members of `struct settings`, in any order.
 */
#ifndef CLAMPLER_SETTINGS_H
#define CLAMPLER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

/* The values of an enumerated setting stand in settings.json in the order of its enumerants here. */
enum log_level { LOG_OFF, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };
enum setting_tiers { TIERS_LAZY, TIERS_EAGER };
enum setting_form { FORM_AUTO, FORM_GPU, FORM_CPU };
enum setting_integer_linear { INTEGER_LINEAR_NEAREST, INTEGER_LINEAR_INCOMPLETE };
enum setting_border_color { BORDER_COLOR_AUTO, BORDER_COLOR_SHADER };
enum setting_linear_fallback { FALLBACK_AUTO, FALLBACK_NEAREST, FALLBACK_SHADER, FALLBACK_OFF };
enum setting_texel_buffers { TEXEL_BUFFERS_NATIVE, TEXEL_BUFFERS_EMULATE };
enum setting_alpha_write { ALPHA_WRITE_AUTO, ALPHA_WRITE_KEEP, ALPHA_WRITE_MASK };
enum setting_texel_path { TEXEL_PATHS_AUTO, TEXEL_PATHS_VIEWS, TEXEL_PATHS_ADDRESSES };

/* Capabilities that `assume_missing` can hide from the layer, so that it emulates what the driver has. */
enum assume_missing {
    MISSING_MIRROR_CLAMP_TO_EDGE = 1u << 0,
    MISSING_UNIFORM_RECORDS = 1u << 1, /* records go into storage buffers */
    MISSING_PUSH_SLOT = 1u << 2,       /* push sets become ordinary sets */
    MISSING_LINEAR_FLOAT32 = 1u << 3,  /* linear filters of formats of 32-bit floats */
    MISSING_LINEAR_ALL = 1u << 4,      /* linear filters of all formats */
    MISSING_RGB32_TEXEL_BUFFER = 1u << 5,
    MISSING_LARGE_TEXEL_BUFFER = 1u << 6, /* more than 65536 elements, the least that Vulkan allows */
    MISSING_SRGB_VIEWS = 1u << 7,         /* views of sRGB images without decoding */
    MISSING_CUSTOM_BORDER_COLOR = 1u << 8,
    MISSING_BORDER_COLOR_SWIZZLE = 1u << 9,
    MISSING_NON_SEAMLESS_CUBE = 1u << 10,
    MISSING_LOD_BIAS = 1u << 11,      /* biases of more than 2 levels */
    MISSING_DYNAMIC_BLEND = 1u << 12, /* VK_EXT_extended_dynamic_state3, for the layer's own use */
    MISSING_ALPHA_FILL = 1u << 13,    /* no capability: alpha is not filled with 1, so that blending must do without */
    MISSING_SUBGROUP_VOTE = 1u << 14, /* VK_EXT_shader_subgroup_vote, for the layer's own use */
    MISSING_GRADIENT_BRANCHES = 1u << 15, /* lookups with gradients that stand behind a branch */
};

/* Address modes of plain VkSamplerCreateInfos that `gl_clamp` takes for GL_CLAMP. */
enum setting_gl_clamp {
    GL_CLAMP_FOR_EDGE = 1u << 0,   /* CLAMP_TO_EDGE */
    GL_CLAMP_FOR_BORDER = 1u << 1, /* CLAMP_TO_BORDER */
};

struct settings {
    enum log_level log_level; /* log_level = off, error, warn (default), info, debug */
    char log_file[256];       /* log_file = path ("~/..." is below HOME, here and below); empty: standard error */
    enum setting_tiers
        tiers; /* tiers = lazy (default), eager: compile tiers 1 and 2 at pipeline creation, without extras */
    enum setting_form form;                       /* form = auto (default), gpu, cpu: which shape of rewritten lookup */
    enum setting_linear_fallback linear_fallback; /* linear_fallback = auto (default), nearest, shader, off: linear
                                                     filters of formats that lack them (chain.h: device) */
    enum setting_integer_linear integer_linear; /* integer_linear = nearest (default), incomplete: integer textures that
                                                   GL samplers filter linearly */
    enum setting_border_color border_color;     /* border_color = auto (default), shader: who places border colours that
                                                   are not Vulkan's standard ones */
    uint32_t assume_missing; /* assume_missing = comma-separated names: bits of enum assume_missing */
    uint32_t fault;          /* fault = none (default) or a name of enum spirv_fault: planted, for tests of tests */
    uint32_t gl_clamp;       /* gl_clamp = comma-separated names: bits of enum setting_gl_clamp */
    char dump_dir[256];      /* dump_dir = folder for rewritten modules, before and after; empty: none */
    bool validate_rewrites;  /* validate_rewrites = false (default), true: SPIRV-Tools judges every rewritten module */
    char stats_file[256];    /* stats_file = path; one JSON object a line for every device, at its end; empty: none */
    bool expose_opaque_descriptors; /* ... = false (default), true: list descriptor buffers although a setting is active
                                     */
    char alpha_to_one[512];         /* alpha_to_one = comma-separated names of VkFormats with alpha, and "swapchain" */
    enum setting_alpha_write alpha_write; /* alpha_write = auto (default), keep, mask: how draws leave alpha at 1 */
    bool force_active; /* force_active = false (default), true: active without the extension, for measuring */
    enum setting_texel_buffers texel_buffers; /* texel_buffers = native (default), emulate: for programs that do not
                                                 know the extension too */
    enum setting_texel_path texel_path;       /* texel_path = auto (default), views, addresses: to emulated texels */
};

/* Called for each thing that is wrong with the settings. */
typedef void (*settings_report)(void *user, enum log_level level, const char *text);

/*
 * Overwrites *settings: defaults, then every source. `chain` is the pNext of the program's VkInstanceCreateInfo. What
 * is unknown or has a bad value is reported with the list of what is allowed, and skipped. `source` receives in words
 * which sources had a say, cut to `source_size` bytes. A NULL `report` reports nothing.
 *
 * Reads the environment and at most one file; the caller sees to it that nobody changes the environment meanwhile.
 */
void settings_read(struct settings *settings, const void *chain, char *source, size_t source_size,
                   settings_report report, void *user);

/*
 * What the running program was started as, without its folder, which Windows programs part with backslashes: the name
 * that rules by program know it by besides its executable's. Lives as long as the process.
 */
const char *settings_program(void);

/* True if a setting asks for something from programs that know nothing of the extension: their devices are active. */
bool settings_activate(const struct settings *settings);

/* Called for each setting: its value as it would be written in a file, and which source gave it. */
typedef void (*settings_item)(void *user, const char *key, const char *value, const char *where);

/*
 * Reads like settings_read() and tells where each value came from ("the defaults" included). False if memory ran out;
 * nothing is told then.
 */
bool settings_explain(const void *chain, settings_item item, void *user);

/*
 * The settings that are not at their defaults, as "key=value key=value", cut to `size` bytes; "" if there are none.
 */
void settings_changes(const struct settings *settings, char *text, size_t size);

/*
 * True if this key may have this value; else false, with why, and what is allowed, in `why` (cut to `size` bytes).
 */
bool settings_check(const char *key, const char *value, char *why, size_t size);

#endif
