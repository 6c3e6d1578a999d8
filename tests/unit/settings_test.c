/* SPDX-License-Identifier: MIT */
/* Settings: sources, their precedence, and what is said about bad ones (layer/base/settings). */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <errno.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <cmocka.h>

#include "locale_of_user.h"
#include "newer_vulkan.h"
#include "settings/settings.h"
#include "system.h"

#define OWN_NAME "settings_test" PROGRAM_SUFFIX

static struct {
    char root[128]; /* a folder of its own for each test, and the working folder */
    char reports[65536];
    int report_count; /* of warnings */
    int remark_count; /* of what is said at info */
    char source[320];
    struct settings settings;
} here;

static void note(void *user, enum log_level level, const char *text)
{
    (void)user;
    assert_true(level == LOG_WARN || level == LOG_INFO);
    strncat(here.reports, text, sizeof(here.reports) - strlen(here.reports) - 2);
    strcat(here.reports, "\n");
    *(level == LOG_WARN ? &here.report_count : &here.remark_count) += 1;
}

static void read_with(const void *chain)
{
    here.reports[0] = '\0';
    here.report_count = here.remark_count = 0;
    settings_read(&here.settings, chain, here.source, sizeof(here.source), note, NULL);
}

static void put_file(const char *path, const char *text)
{
    char whole[256];
    snprintf(whole, sizeof(whole), "%s/%s", here.root, path);
    for (char *slash = strchr(whole + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(whole, 0777);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void point_to(const char *variable, const char *path)
{
    char whole[256];
    snprintf(whole, sizeof(whole), "%s/%s", here.root, path);
    setenv(variable, whole, 1);
}

static int setup(void **state)
{
    (void)state;
    clearenv();
    strcpy(here.root, "/tmp/clampler-settings-XXXXXX");
    if (!mkdtemp_of(here.root, sizeof(here.root)) || chdir(here.root))
        return -1;
    point_to("HOME", "home");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    return remove_folder_of(here.root);
}

static void without_any_source_the_defaults_hold(void **state)
{
    (void)state;
    read_with(NULL);
    assert_int_equal(here.settings.log_level, LOG_WARN);
    assert_string_equal(here.settings.log_file, "");
    assert_int_equal(here.settings.tiers, TIERS_AHEAD);
    assert_int_equal(here.settings.form, FORM_AUTO);
    assert_int_equal(here.settings.linear_fallback, FALLBACK_AUTO);
    assert_int_equal(here.settings.assume_missing, 0);
    assert_false(here.settings.force_active);
    assert_int_equal(here.report_count, 0);
    assert_string_equal(here.source, "the defaults");
}

/* What vkconfig names in its documents, and the short form that manifests have as `env`; the strongest first. */
static const char *const prefixes[] = {"VK_CLAMPLER_GL_SAMPLER_", "VK_GL_SAMPLER_", "VK_CLAMPLER_", "VK_"};
enum { SPELLINGS = sizeof(prefixes) / sizeof(*prefixes) };

static void every_name_stands_for_its_enumerant(void **state)
{
    static const struct {
        const char *key, *value;
        size_t offset;
        uint32_t number;
    } cases[] = {
#define IS(key, member, value, number) {key, value, offsetof(struct settings, member), number}
        IS("LOG_LEVEL", log_level, "off", LOG_OFF),
        IS("LOG_LEVEL", log_level, "error", LOG_ERROR),
        IS("LOG_LEVEL", log_level, "warn", LOG_WARN),
        IS("LOG_LEVEL", log_level, "info", LOG_INFO),
        IS("LOG_LEVEL", log_level, "debug", LOG_DEBUG),
        IS("TIERS", tiers, "eager", TIERS_EAGER),
        IS("TIERS", tiers, "lazy", TIERS_LAZY),
        IS("TIERS", tiers, "ahead", TIERS_AHEAD),
        IS("FORM", form, "auto", FORM_AUTO),
        IS("FORM", form, "gpu", FORM_GPU),
        IS("FORM", form, "cpu", FORM_CPU),
        IS("LINEAR_FALLBACK", linear_fallback, "auto", FALLBACK_AUTO),
        IS("LINEAR_FALLBACK", linear_fallback, "nearest", FALLBACK_NEAREST),
        IS("LINEAR_FALLBACK", linear_fallback, "shader", FALLBACK_SHADER),
        IS("LINEAR_FALLBACK", linear_fallback, "off", FALLBACK_OFF),
        IS("ASSUME_MISSING", assume_missing, "mirror_clamp_to_edge", MISSING_MIRROR_CLAMP_TO_EDGE),
        IS("ASSUME_MISSING", assume_missing, "uniform_records", MISSING_UNIFORM_RECORDS),
        IS("ASSUME_MISSING", assume_missing, "push_slot", MISSING_PUSH_SLOT),
        IS("ASSUME_MISSING", assume_missing, "linear_float32", MISSING_LINEAR_FLOAT32),
        IS("ASSUME_MISSING", assume_missing, "linear_all", MISSING_LINEAR_ALL),
        IS("ASSUME_MISSING", assume_missing, "rgb32_texel_buffer", MISSING_RGB32_TEXEL_BUFFER),
        IS("ASSUME_MISSING", assume_missing, "large_texel_buffer", MISSING_LARGE_TEXEL_BUFFER),
        IS("ASSUME_MISSING", assume_missing, "srgb_views", MISSING_SRGB_VIEWS),
        IS("ASSUME_MISSING", assume_missing, "custom_border_color", MISSING_CUSTOM_BORDER_COLOR),
        IS("ASSUME_MISSING", assume_missing, "border_color_swizzle", MISSING_BORDER_COLOR_SWIZZLE),
        IS("ASSUME_MISSING", assume_missing, "non_seamless_cube", MISSING_NON_SEAMLESS_CUBE),
        IS("ASSUME_MISSING", assume_missing, "lod_bias", MISSING_LOD_BIAS),
        IS("ASSUME_MISSING", assume_missing, "samplers", MISSING_SAMPLERS),
        IS("ASSUME_MISSING", assume_missing, "pair_samplers", MISSING_PAIR_SAMPLERS),
        IS("ASSUME_MISSING", assume_missing, "dynamic_blend", MISSING_DYNAMIC_BLEND),
        IS("ASSUME_MISSING", assume_missing, "subgroup_vote", MISSING_SUBGROUP_VOTE),
        IS("ASSUME_MISSING", assume_missing, "alpha_fill", MISSING_ALPHA_FILL),
        IS("INTEGER_LINEAR", integer_linear, "nearest", INTEGER_LINEAR_NEAREST),
        IS("INTEGER_LINEAR", integer_linear, "incomplete", INTEGER_LINEAR_INCOMPLETE),
        IS("BORDER_COLOR", border_color, "auto", BORDER_COLOR_AUTO),
        IS("BORDER_COLOR", border_color, "shader", BORDER_COLOR_SHADER),
        IS("ANISOTROPY", anisotropy, "probes", ANISOTROPY_PROBES),
        IS("ANISOTROPY", anisotropy, "trilinear", ANISOTROPY_TRILINEAR),
        IS("TEXEL_BUFFERS", texel_buffers, "native", TEXEL_BUFFERS_NATIVE),
        IS("TEXEL_BUFFERS", texel_buffers, "emulate", TEXEL_BUFFERS_EMULATE),
        IS("ALPHA_WRITE", alpha_write, "auto", ALPHA_WRITE_AUTO),
        IS("ALPHA_WRITE", alpha_write, "keep", ALPHA_WRITE_KEEP),
        IS("ALPHA_WRITE", alpha_write, "mask", ALPHA_WRITE_MASK),
        IS("TEXEL_PATH", texel_path, "auto", TEXEL_PATHS_AUTO),
        IS("TEXEL_PATH", texel_path, "views", TEXEL_PATHS_VIEWS),
        IS("TEXEL_PATH", texel_path, "addresses", TEXEL_PATHS_ADDRESSES),
        IS("ASSUME_MISSING", assume_missing, " Push_Slot , uniform_records,",
           MISSING_PUSH_SLOT | MISSING_UNIFORM_RECORDS),
        IS("ASSUME_MISSING", assume_missing, "push_slot:uniform_records", MISSING_PUSH_SLOT | MISSING_UNIFORM_RECORDS),
        IS("ASSUME_MISSING", assume_missing, "", 0),
        IS("ASSUME_MISSING", assume_missing, "none", 0),
        IS("GL_CLAMP", gl_clamp, "edge", GL_CLAMP_FOR_EDGE),
        IS("GL_CLAMP", gl_clamp, "border", GL_CLAMP_FOR_BORDER),
        IS("GL_CLAMP", gl_clamp, "edge,border", GL_CLAMP_FOR_EDGE | GL_CLAMP_FOR_BORDER),
        IS("GL_CLAMP", gl_clamp, "edge:border", GL_CLAMP_FOR_EDGE | GL_CLAMP_FOR_BORDER),
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases) * SPELLINGS; i++) {
        const char *key = cases[i / SPELLINGS].key, *prefix = prefixes[i % SPELLINGS];
        char variable[128];
        uint32_t number;
        snprintf(variable, sizeof(variable), "%s%s", prefix, key);
        setenv(variable, cases[i / SPELLINGS].value, 1);
        read_with(NULL);
        unsetenv(variable);
        memcpy(&number, (const char *)&here.settings + cases[i / SPELLINGS].offset, sizeof(number));
        assert_int_equal(here.report_count, 0);
        assert_int_equal(number, cases[i / SPELLINGS].number);
    }
}

static void environment_beats_file_beats_program(void **state)
{
    const char *level = "off", *tiers = "eager", *form = "gpu";
    const VkLayerSettingEXT given[] = {
        {"VK_LAYER_CLAMPLER_gl_sampler", "log_level", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &level},
        {"VK_LAYER_CLAMPLER_gl_sampler", "tiers", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &tiers},
        {"VK_LAYER_CLAMPLER_gl_sampler", "form", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &form},
        {"VK_LAYER_KHRONOS_validation", "log_level", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &tiers},
    };
    const VkLayerSettingsCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, .settingCount = 4, .pSettings = given};
    const VkBaseInStructure before = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pNext = (const void *)&info};
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.tiers = lazy\nclampler_gl_sampler.form = cpu\n");
    setenv("VK_CLAMPLER_GL_SAMPLER_FORM", "auto", 1);
    read_with(&before);
    assert_int_equal(here.report_count, 0);
    assert_int_equal(here.settings.log_level, LOG_OFF); /* the program alone */
    assert_int_equal(here.settings.tiers, TIERS_LAZY);  /* the file over the program */
    assert_int_equal(here.settings.form, FORM_AUTO);    /* the environment over both */
    assert_string_equal(here.source, "the environment, ./vk_layer_settings.txt, the program (VK_EXT_layer_settings)");
}

static void the_programs_values_may_have_any_fitting_type(void **state)
{
    const char *missing[] = {"push_slot", "uniform_records"};
    const VkBool32 on = VK_TRUE;
    const double number = 1.0;
    const VkLayerSettingEXT given[] = {
        {"VK_LAYER_CLAMPLER_gl_sampler", "assume_missing", VK_LAYER_SETTING_TYPE_STRING_EXT, 2, missing},
        {"VK_LAYER_CLAMPLER_gl_sampler", "force_active", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &on},
        {"VK_LAYER_CLAMPLER_gl_sampler", "tiers", VK_LAYER_SETTING_TYPE_FLOAT64_EXT, 1, &number},
        {"VK_LAYER_CLAMPLER_gl_sampler", "colour", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &on},
    };
    const VkLayerSettingsCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, .settingCount = 4, .pSettings = given};
    (void)state;
    read_with(&info);
    assert_int_equal(here.settings.assume_missing, MISSING_PUSH_SLOT | MISSING_UNIFORM_RECORDS);
    assert_true(here.settings.force_active);
    assert_int_equal(here.report_count, 2);
    assert_non_null(strstr(here.reports, "setting tiers: type 6"));
    assert_non_null(strstr(here.reports, "\"colour\""));
}

static void the_programs_numbers_are_read_as_text(void **state)
{
    static const int32_t for_driver = -5, one = 1;
    static const uint32_t most = UINT32_MAX, on = 1;
    const VkLayerSettingEXT given[] = {
        {"VK_LAYER_CLAMPLER_gl_sampler", "tiers", VK_LAYER_SETTING_TYPE_INT32_EXT, 1, &for_driver},
        {"VK_LAYER_CLAMPLER_gl_sampler", "form", VK_LAYER_SETTING_TYPE_UINT32_EXT, 1, &most},
        {"VK_LAYER_CLAMPLER_gl_sampler", "force_active", VK_LAYER_SETTING_TYPE_INT32_EXT, 1, &one},
        {"VK_LAYER_CLAMPLER_gl_sampler", "validate_rewrites", VK_LAYER_SETTING_TYPE_UINT32_EXT, 1, &on},
    };
    const VkLayerSettingsCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, .settingCount = 4, .pSettings = given};
    (void)state;
    read_with(&info);
    assert_int_equal(here.report_count, 2);
    assert_non_null(strstr(here.reports, "\"-5\""));
    assert_non_null(strstr(here.reports, "\"4294967295\""));
    assert_true(here.settings.force_active && here.settings.validate_rewrites);
}

static void the_variable_that_is_nearest_to_the_layers_name_wins(void **state)
{
    static const struct {
        const char *name;
        enum setting_form form;
    } values[SPELLINGS] = {{"gpu", FORM_GPU}, {"cpu", FORM_CPU}, {"gpu", FORM_GPU}, {"cpu", FORM_CPU}};
    char variable[128];
    (void)state;
    for (size_t i = SPELLINGS; i-- > 0;) {
        snprintf(variable, sizeof(variable), "%sFORM", prefixes[i]);
        setenv(variable, values[i].name, 1);
        read_with(NULL);
        assert_int_equal(here.report_count, 0);
        assert_int_equal(here.settings.form, values[i].form);
    }
}

static void a_variable_that_layers_share_may_mean_nothing_here(void **state)
{
    (void)state;
    setenv("VK_LOG_LEVEL", "chatty", 1);
    setenv("VK_TIERS", "", 1);
    setenv("VK_COLOUR", "red", 1);
    read_with(NULL);
    assert_int_equal(here.report_count, 0);
    assert_int_equal(here.remark_count, 1);
    assert_non_null(strstr(here.reports, "\"chatty\" in VK_LOG_LEVEL means nothing to this layer"));
    assert_int_equal(here.settings.log_level, LOG_WARN);
    assert_int_equal(here.settings.tiers, TIERS_AHEAD);
    assert_string_equal(here.source, "the defaults");
}

static void lists_of_words_have_commas_or_colons_between(void **state)
{
    (void)state;
    setenv("VK_CLAMPLER_ALPHA_TO_ONE", "swapchain:R8G8B8A8_UNORM,B8G8R8A8_UNORM", 1);
    setenv("VK_CLAMPLER_LOG_FILE", "/a:b/c,d", 1);
    read_with(NULL);
    assert_string_equal(here.settings.alpha_to_one, "swapchain,R8G8B8A8_UNORM,B8G8R8A8_UNORM");
    assert_string_equal(here.settings.log_file, "/a:b/c,d");
}

static void the_file_is_found_in_vkconfigs_place_first_then_by_variable_then_here(void **state)
{
    static const char line[] = "clampler_gl_sampler.log_file = ";
    char text[128];
    (void)state;
#define PUT(path)                                                                                                      \
    do {                                                                                                               \
        snprintf(text, sizeof(text), "%s%s\n", line, path);                                                            \
        put_file(path, text);                                                                                          \
    } while (0)
    PUT("vk_layer_settings.txt");
    read_with(NULL);
    assert_string_equal(here.settings.log_file, "vk_layer_settings.txt");

    PUT("named/vk_layer_settings.txt");
    PUT("named/own.conf");
    point_to("VK_LAYER_SETTINGS_PATH", "named");
    read_with(NULL);
    assert_string_equal(here.settings.log_file, "named/vk_layer_settings.txt");
    point_to("VK_LAYER_SETTINGS_PATH", "named/own.conf");
    read_with(NULL);
    assert_string_equal(here.settings.log_file, "named/own.conf");

#ifndef _WIN32 /* there the registry names vkconfig's place: windows_test.c */
    PUT("home/.local/share/vulkan/settings.d/vk_layer_settings.txt");
    read_with(NULL);
    assert_string_equal(here.settings.log_file, "home/.local/share/vulkan/settings.d/vk_layer_settings.txt");

    PUT("data/vulkan/settings.d/vk_layer_settings.txt");
    point_to("XDG_DATA_HOME", "data");
    read_with(NULL);
    assert_string_equal(here.settings.log_file, "data/vulkan/settings.d/vk_layer_settings.txt");
    assert_non_null(strstr(here.source, "data/vulkan/settings.d/vk_layer_settings.txt"));
#endif
}

static void what_is_no_file_or_too_long_is_not_read(void **state)
{
    char path[256];
    (void)state;
    snprintf(path, sizeof(path), "%s/vk_layer_settings.txt", here.root);
#ifndef _WIN32
    assert_int_equal(mkfifo(path, 0600), 0);
    read_with(NULL); /* does not wait for somebody who writes to it */
    assert_int_equal(here.report_count, 1);
    assert_non_null(strstr(here.reports, "vk_layer_settings.txt is not read"));
    assert_int_equal(unlink(path), 0);
#endif

    put_file("vk_layer_settings.txt", "clampler_gl_sampler.tiers = eager\n");
    assert_int_equal(truncate(path, (1 << 20) + 1), 0);
    read_with(NULL);
    assert_int_equal(here.report_count, 1);
    assert_int_not_equal(here.settings.tiers, TIERS_EAGER);
    assert_int_equal(truncate(path, 1 << 20), 0);
    read_with(NULL);
    assert_int_equal(here.report_count, 0);
    assert_int_equal(here.settings.tiers, TIERS_EAGER);
}

static void files_may_have_comments_blanks_and_other_layers_settings(void **state)
{
    (void)state;
    put_file("vk_layer_settings.txt", "# clampler_gl_sampler.form = cpu\n\n"
                                      "khronos_validation.log_level = nothing of ours\n"
                                      "   clampler_gl_sampler.tiers\t=  EAGER   # at once\n"
                                      "clampler_gl_sampler.force_active=TRUE");
    read_with(NULL);
    assert_int_equal(here.report_count, 0);
    assert_int_equal(here.settings.form, FORM_AUTO);
    assert_int_equal(here.settings.tiers, TIERS_EAGER);
    assert_true(here.settings.force_active);
}

static void bad_values_are_reported_with_what_is_allowed_and_skipped(void **state)
{
    char longer[400];
    (void)state;
    memset(longer, 'x', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.tiers = sometimes\n"
                                      "clampler_gl_sampler.force_active = perhaps\n"
                                      "clampler_gl_sampler.assume_missing = push_slot, hope\n"
                                      "clampler_gl_sampler.form\n");
    setenv("VK_CLAMPLER_LOG_FILE", longer, 1);
    read_with(NULL);
    assert_int_equal(here.settings.tiers, TIERS_AHEAD);
    assert_false(here.settings.force_active);
    assert_int_equal(here.settings.assume_missing, 0);
    assert_string_equal(here.settings.log_file, "");
    assert_int_equal(here.report_count, 5);
    assert_non_null(
        strstr(here.reports, "\"sometimes\" in ./vk_layer_settings.txt is not allowed (allowed: ahead, lazy, eager)"));
    assert_non_null(strstr(here.reports, "(allowed: true, false)"));
    assert_non_null(
        strstr(here.reports, "(allowed: mirror_clamp_to_edge, uniform_records, push_slot, linear_float32, "));
    assert_non_null(strstr(here.reports, "form in ./vk_layer_settings.txt has no value"));
    assert_non_null(strstr(here.reports, "up to 255 characters"));
    assert_string_equal(here.source, "the defaults");
}

static void unknown_keys_are_reported_with_the_known_ones(void **state)
{
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.teirs = eager\n");
    setenv("VK_CLAMPLER_GL_SAMPLER_COLOUR", "1", 1);
    setenv("VK_CLAMPLER_SHAPE", "1", 1);
    read_with(NULL);
    assert_int_equal(here.report_count, 3);
    assert_non_null(strstr(here.reports, "\"teirs\" in ./vk_layer_settings.txt is not known (known: log_level"));
    assert_non_null(strstr(here.reports, "\"colour\" in VK_CLAMPLER_GL_SAMPLER_COLOUR"));
    assert_non_null(strstr(here.reports, "\"shape\" in VK_CLAMPLER_SHAPE"));
    for (const char *const *key = (const char *const[]){"log_level", "gl_clamp", "stats_file", "force_active", NULL};
         *key; key++)
        assert_non_null(strstr(strstr(here.reports, "(known: "), *key));
}

/* A byte that is no UTF-8. Windows' variables are UTF-16, and there bytes become characters of some code page. */
#ifdef _WIN32
#define NO_UTF8 "?"
#else
#define NO_UTF8 "\xff"
#endif

/* Whatever comes from outside: one line each, UTF-8, cut between characters. */
static void what_comes_from_outside_is_shown_in_one_line(void **state)
{
    char why[64], longest[1200];
    (void)state;
    setenv("VK_CLAMPLER_TIERS", "\x1b[31m\nclampler: error: forged" NO_UTF8 "\"", 1);
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.\x07\"caf\xe9 = 1\n"
                                      "clampler_gl_sampler.form@\x1b[2J = round\n");
    read_with(NULL);
    assert_int_equal(here.report_count, 3);
    assert_non_null(strstr(here.reports, "\"?[31m?clampler: error: forged?'\" in VK_CLAMPLER_TIERS is not allowed"));
    assert_non_null(strstr(here.reports, "setting \"?'caf?\" in ./vk_layer_settings.txt is not known"));
    assert_non_null(strstr(here.reports, "\"round\" in ./vk_layer_settings.txt (for ?[2J) is not allowed"));

    put_file("vk_layer_settings.txt", "");
    for (size_t length = 1000; length < 1004; length++) { /* of two one ends inside of a character of two bytes */
        memset(longest, 'x', sizeof(longest));
        for (size_t i = length; i + 2 < sizeof(longest); i += 2)
            memcpy(longest + i, "\xc3\xa9", 3);
        setenv("VK_CLAMPLER_TIERS", longest + 500, 1);
        read_with(NULL);
        assert_null(strchr(here.reports, '?'));
    }
    assert_false(settings_check("tiers", "\x1b\"", why, sizeof(why)));
    assert_non_null(strstr(why, "tiers: \"?'\" is not allowed"));
}

static void many_troubles_are_a_few_lines_and_a_count(void **state)
{
    enum { KEYS = 34485 };
    static char text[(KEYS + 20) * 30];
    size_t used = 0;
    (void)state;
    for (unsigned i = 0; i < KEYS; i++)
        used += (size_t)sprintf(text + used, "clampler_gl_sampler.x%u=1\n", i);
    for (unsigned i = 0; i < 6; i++)
        used += (size_t)sprintf(text + used, "clampler_gl_sampler.tiers=%u\nclampler_gl_sampler.form\n", i);
    sprintf(text + used, "clampler_gl_sampler.gl_clamp = edge\n"); /* is read all the same */
    put_file("vk_layer_settings.txt", text);
    read_with(NULL);
    assert_int_equal(here.report_count, 15);
    assert_int_equal(here.settings.gl_clamp, GL_CLAMP_FOR_EDGE);
    assert_non_null(strstr(here.reports, "\"x3\" in"));
    assert_null(strstr(here.reports, "\"x4\" in"));
    assert_non_null(strstr(here.reports, "settings: 34481 more keys are not known"));
    assert_non_null(strstr(here.reports, "settings: 2 more values are not allowed"));
    assert_non_null(strstr(here.reports, "settings: 2 more keys have no value"));
}

static void rules_for_one_program_hold_in_it_alone_and_beat_the_others(void **state)
{
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.tiers@" OWN_NAME " = eager\n"
                                      "clampler_gl_sampler.tiers = lazy\n"
                                      "clampler_gl_sampler.gl_clamp @ another game.exe = edge\n"
                                      "clampler_gl_sampler.form@settings_* = gpu\n"
                                      "clampler_gl_sampler.dump_dir = /folder@home\n");
    read_with(NULL);
    assert_int_equal(here.report_count, 0);
    assert_int_equal(here.settings.tiers, TIERS_EAGER);
    assert_int_equal(here.settings.form, FORM_GPU);
    assert_int_equal(here.settings.gl_clamp, 0);
    assert_string_equal(here.settings.dump_dir, "/folder@home");
    assert_string_equal(here.source, "./vk_layer_settings.txt");

    setenv("VK_CLAMPLER_TIERS", "lazy", 1); /* the environment beats rules as well */
    read_with(NULL);
    assert_int_equal(here.settings.tiers, TIERS_LAZY);
}

#ifndef _WIN32
/* In a process of its own: what rules by program give it. */
static int read_as_started(void)
{
    settings_read(&here.settings, NULL, here.source, sizeof(here.source), NULL, NULL);
    return 100 + (here.settings.tiers == TIERS_EAGER ? 1 : 0) + (here.settings.form == FORM_GPU ? 2 : 0) +
           (here.settings.gl_clamp ? 4 : 0);
}

/* Launchers start programs through links: rules for either name hold, for the link's and for the executable's. */
static void a_program_that_is_started_through_a_link_goes_by_both_names(void **state)
{
    char link[160], own[512];
    int status;
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.tiers@the game = eager\n"
                                      "clampler_gl_sampler.form@" OWN_NAME " = gpu\n"
                                      "clampler_gl_sampler.gl_clamp@another = edge\n");
    const ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    assert_true(length > 0);
    own[length] = 0;
    snprintf(link, sizeof(link), "%s/the game", here.root);
    assert_int_equal(symlink(own, link), 0);
    for (unsigned linked = 0; linked < 2; linked++) {
        const pid_t child = fork();
        if (!child) {
            execl(linked ? link : own, linked ? link : own, "--read", NULL);
            _exit(1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 100 + 2 + (linked ? 1 : 0));
    }
}
#endif

static void rules_of_other_programs_are_checked_for_their_keys_and_values(void **state)
{
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.teirs@another = eager\n"
                                      "clampler_gl_sampler.form@another = round\n"
                                      "clampler_gl_sampler.gl_clamp@another = edge\n"
                                      "clampler_gl_sampler.tiers@" OWN_NAME " = sometimes\n");
    read_with(NULL);
    assert_int_equal(here.report_count, 3);
    assert_int_equal(here.settings.gl_clamp, 0);
    assert_non_null(strstr(here.reports, "\"round\" in ./vk_layer_settings.txt (for another) is not allowed (allowed: "
                                         "auto, gpu, cpu)"));
    assert_non_null(strstr(here.reports, "\"teirs\" in ./vk_layer_settings.txt is not known"));
    assert_non_null(strstr(here.reports, "\"sometimes\" in ./vk_layer_settings.txt (for " OWN_NAME ")"));
}

#ifndef _WIN32
/* Wine starts its own loader with the path that Windows has. */
static void a_windows_program_goes_by_its_own_name(void **state)
{
    static char windows[] = "C:\\Games\\Old Game\\Game.exe";
    char *before = program_invocation_name;
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.form@Game*.exe = gpu\n");
    program_invocation_name = windows;
    read_with(NULL);
    assert_string_equal(settings_program(), "Game.exe");
    program_invocation_name = before;
    assert_int_equal(here.settings.form, FORM_GPU);
    assert_string_equal(settings_program(), OWN_NAME);
}
#else
static void names_of_programs_are_the_same_in_any_case(void **state)
{
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.form@SETTINGS_*.EXE = gpu\n");
    read_with(NULL);
    assert_int_equal(here.settings.form, FORM_GPU);
    assert_string_equal(settings_program(), OWN_NAME);
}
#endif

static void a_tilde_stands_for_the_home_folder_in_paths_alone(void **state)
{
    char wanted[256];
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.log_file = ~/game.log\n"
                                      "clampler_gl_sampler.dump_dir = ~\n"
                                      "clampler_gl_sampler.stats_file = ~other/stats\n"
                                      "clampler_gl_sampler.alpha_to_one = ~/format\n");
    read_with(NULL);
    assert_int_equal(here.report_count, 0);
    snprintf(wanted, sizeof(wanted), "%s/home/game.log", here.root);
    assert_string_equal(here.settings.log_file, wanted);
    snprintf(wanted, sizeof(wanted), "%s/home", here.root);
    assert_string_equal(here.settings.dump_dir, wanted);
    assert_string_equal(here.settings.stats_file, "~other/stats");
    assert_string_equal(here.settings.alpha_to_one, "~/format");

    unsetenv("HOME");
    read_with(NULL);
    assert_string_equal(here.settings.log_file, "");
    assert_int_equal(here.report_count, 2);
    assert_non_null(strstr(here.reports, "\"~/game.log\" in ./vk_layer_settings.txt is not allowed (allowed: up to 255 "
                                         "characters, \"~/\" only where HOME is set)"));
}

/* The system's word on programs with more rights than their user; secure_test.sh has a real one of Linux. */
static bool privileged;

#ifdef _WIN32
/* Wine's word is always that its processes are an administrator's. */
static BOOL WINAPI word_on_token(HANDLE token, TOKEN_INFORMATION_CLASS which, void *about, DWORD size, DWORD *used)
{
    static SID level = {SID_REVISION, 1, {SECURITY_MANDATORY_LABEL_AUTHORITY}, {0}};
    (void)token;
    if (which != TokenIntegrityLevel || size < sizeof(TOKEN_MANDATORY_LABEL))
        return FALSE;
    level.SubAuthority[0] = privileged ? SECURITY_MANDATORY_HIGH_RID : SECURITY_MANDATORY_MEDIUM_RID;
    *(TOKEN_MANDATORY_LABEL *)about = (TOKEN_MANDATORY_LABEL){{&level, SE_GROUP_INTEGRITY}};
    *used = sizeof(TOKEN_MANDATORY_LABEL);
    return TRUE;
}
BOOL(WINAPI *__wrap___imp_GetTokenInformation)
(HANDLE, TOKEN_INFORMATION_CLASS, void *, DWORD, DWORD *) = word_on_token;
#else
unsigned long __real_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type);
unsigned long __wrap_getauxval(unsigned long type)
{
    return type == AT_SECURE ? privileged : __real_getauxval(type);
}
#endif

static void privileged_programs_have_their_own_settings_alone_and_write_nothing(void **state)
{
    const char *eager = "eager", *path = "/tmp/clampler-of-the-program";
    const VkLayerSettingEXT given[] = {
        {"VK_LAYER_CLAMPLER_gl_sampler", "tiers", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &eager},
        {"VK_LAYER_CLAMPLER_gl_sampler", "log_file", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &path},
        {"VK_LAYER_CLAMPLER_gl_sampler", "stats_file", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &path},
        {"VK_LAYER_CLAMPLER_gl_sampler", "dump_dir", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &path},
    };
    const VkLayerSettingsCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, .settingCount = 4, .pSettings = given};
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.form = cpu\n");
    put_file("home/.local/share/vulkan/settings.d/vk_layer_settings.txt", "clampler_gl_sampler.form = gpu\n");
    setenv("VK_CLAMPLER_LINEAR_FALLBACK", "shader", 1);
    privileged = true;
    read_with(&info);
    privileged = false;
    assert_int_equal(here.settings.tiers, TIERS_EAGER);
    assert_int_equal(here.settings.form, FORM_AUTO);
    assert_int_equal(here.settings.linear_fallback, FALLBACK_AUTO);
    assert_string_equal(here.settings.log_file, "");
    assert_string_equal(here.settings.stats_file, "");
    assert_string_equal(here.settings.dump_dir, "");
    assert_string_equal(here.source, "the program (VK_EXT_layer_settings)");
    assert_int_equal(here.report_count, 3);
    assert_non_null(
        strstr(here.reports, "setting dump_dir: nothing is written in a program that runs with more rights"));
}

struct reported {
    char tiers[128], form[128], log_level[128];
};

static void report(void *user, const char *key, const char *value, const char *where)
{
    struct reported *reported = user;
    char *text = !strcmp(key, "tiers")       ? reported->tiers
                 : !strcmp(key, "form")      ? reported->form
                 : !strcmp(key, "log_level") ? reported->log_level
                                             : NULL;
    if (text)
        snprintf(text, sizeof(reported->tiers), "%s from %s", value, where);
}

static void every_value_can_be_told_with_its_source(void **state)
{
    struct reported reported = {.tiers = ""};
    char text[256];
    (void)state;
    put_file("vk_layer_settings.txt",
             "clampler_gl_sampler.tiers@" OWN_NAME " = eager\nclampler_gl_sampler.form = cpu\n");
    setenv("VK_CLAMPLER_FORM", "gpu", 1);
    assert_true(settings_explain(NULL, NULL, report, &reported));
    assert_string_equal(reported.tiers, "eager from ./vk_layer_settings.txt (for " OWN_NAME ")");
    assert_string_equal(reported.form, "gpu from VK_CLAMPLER_FORM");
    assert_string_equal(reported.log_level, "warn from the defaults");
    read_with(NULL);
    settings_changes(&here.settings, text, sizeof(text));
    assert_string_equal(text, "tiers=eager form=gpu");
}

static void what_another_program_gets_can_be_told(void **state)
{
    struct reported reported = {.tiers = ""};
    (void)state;
    put_file("vk_layer_settings.txt", "clampler_gl_sampler.tiers@" OWN_NAME " = eager\n"
                                      "clampler_gl_sampler.tiers@oldgame* = lazy\n"
                                      "clampler_gl_sampler.form@Game.exe = cpu\n");
    assert_true(settings_explain(NULL, "/opt/games/oldgame.x86_64", report, &reported));
    assert_string_equal(reported.tiers, "lazy from ./vk_layer_settings.txt (for oldgame*)");
    assert_string_equal(reported.form, "auto from the defaults");
    settings_read_for(&here.settings, "C:\\Games\\Game.exe", here.source, sizeof(here.source), note, NULL);
    assert_int_equal(here.settings.form, FORM_CPU);
    assert_int_equal(here.settings.tiers, TIERS_AHEAD);
}

static void values_can_be_checked_alone(void **state)
{
    char why[512];
    (void)state;
    assert_true(settings_check("tiers", "eager", why, sizeof(why)));
    assert_true(settings_check("gl_clamp", "edge,border", why, sizeof(why)));
    assert_false(settings_check("tiers", "sometimes", why, sizeof(why)));
    assert_string_equal(why, "tiers: \"sometimes\" is not allowed (allowed: ahead, lazy, eager)");
    assert_false(settings_check("teirs", "lazy", why, sizeof(why)));
    assert_non_null(strstr(why, "\"teirs\" is not known (known: log_level"));
}

static void only_settings_for_unmodified_programs_make_their_devices_active(void **state)
{
    (void)state;
    setenv("VK_CLAMPLER_TIERS", "eager", 1);
    setenv("VK_CLAMPLER_DUMP_DIR", "/tmp/nowhere", 1);
    setenv("VK_CLAMPLER_VALIDATE_REWRITES", "true", 1);
    read_with(NULL);
    assert_false(settings_activate(&here.settings));
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    read_with(NULL);
    assert_true(settings_activate(&here.settings));
}

int main(int count, char **arguments)
{
#ifndef _WIN32
    if (count > 1 && !strcmp(arguments[1], "--read"))
        return read_as_started();
#else
    (void)count, (void)arguments;
#endif
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(without_any_source_the_defaults_hold),
        CASE(every_name_stands_for_its_enumerant),
        CASE(environment_beats_file_beats_program),
        CASE(the_programs_values_may_have_any_fitting_type),
        CASE(the_programs_numbers_are_read_as_text),
        CASE(the_variable_that_is_nearest_to_the_layers_name_wins),
        CASE(a_variable_that_layers_share_may_mean_nothing_here),
        CASE(lists_of_words_have_commas_or_colons_between),
        CASE(the_file_is_found_in_vkconfigs_place_first_then_by_variable_then_here),
        CASE(what_is_no_file_or_too_long_is_not_read),
        CASE(files_may_have_comments_blanks_and_other_layers_settings),
        CASE(bad_values_are_reported_with_what_is_allowed_and_skipped),
        CASE(unknown_keys_are_reported_with_the_known_ones),
        CASE(what_comes_from_outside_is_shown_in_one_line),
        CASE(many_troubles_are_a_few_lines_and_a_count),
        CASE(rules_for_one_program_hold_in_it_alone_and_beat_the_others),
        CASE(rules_of_other_programs_are_checked_for_their_keys_and_values),
#ifndef _WIN32
        CASE(a_program_that_is_started_through_a_link_goes_by_both_names),
        CASE(a_windows_program_goes_by_its_own_name),
#else
        CASE(names_of_programs_are_the_same_in_any_case),
#endif
        CASE(a_tilde_stands_for_the_home_folder_in_paths_alone),
        CASE(privileged_programs_have_their_own_settings_alone_and_write_nothing),
        CASE(every_value_can_be_told_with_its_source),
        CASE(what_another_program_gets_can_be_told),
        CASE(values_can_be_checked_alone),
        CASE(only_settings_for_unmodified_programs_make_their_devices_active),
    };
    locale_of_user();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
