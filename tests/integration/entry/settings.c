/* SPDX-License-Identifier: MIT */
/* What settings do to programs that know nothing of the extension, and what they show of the layer's work. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/device/environment.h"
#include "integration/shared/scene.h"
#include "integration_single.h"
#include "unit/locale_of_user.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/clampler-inspect-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof(command), "/bin/rm -rf %s", folder);
    return system(command);
}

static void set_path(const char *variable, const char *name)
{
    char path[160];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    setenv(variable, path, 1);
}

/* A program without the extension draws through one of its samplers; the layer is there. */
static void draw_plain(struct scene *scene, enum scene_sampler sampler)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct scene_program program;
    memset(scene, 0, sizeof(*scene));
    harness_vulkan_hold_driver();
    harness_messages_reset();
    harness_vulkan_open(&scene->vk, &(struct harness_vulkan_params){.layers = "clampler:validation"});
    scene_make(scene, false);
    scene_program_create(scene, &program, HARNESS_SPIRV(integration_single), &binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene->vk, program.set_layout);
    scene_write(scene, set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
    scene_draw(scene, program.pipeline, program.layout, 1, &set);
    scene_program_destroy(scene, &program);
}

static void gl_clamp_takes_border_for_gls_clamp_and_keeps_its_colour(void **state)
{
    (void)state;
    struct scene scene;
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    draw_plain(&scene, SCENE_BORDER);
    scene_expect_tier(&scene, 1);
    scene_expect_row(&scene, 0, SCENE_CLAMP, SCENE_STEPS);
    scene_close(&scene);
    draw_plain(&scene, SCENE_EDGE); /* was not named */
    scene_expect_tier(&scene, 0);
    scene_expect_row(&scene, 0, SCENE_EDGE, SCENE_STEPS);
    scene_close(&scene);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
}

static void gl_clamp_takes_edge_for_gls_clamp_with_gls_default_border(void **state)
{
    (void)state;
    struct scene scene;
    setenv("VK_CLAMPLER_GL_CLAMP", "edge", 1);
    draw_plain(&scene, SCENE_EDGE);
    scene_expect_tier(&scene, 1);
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        /* Half of the outermost texel, half of a border of zero; inside as with any border. */
        const double s = ((double)x + 0.5) * 3.0 / SCENE_COLUMNS - 1.0;
        const double edge = scene_expected(SCENE_EDGE, SCENE_STEPS, x);
        const double wanted = s < 0.0 || s > 1.0 ? edge / 2.0 : scene_expected(SCENE_CLAMP, SCENE_STEPS, x);
        if (s > 0.125 && s < 0.875)
            assert_true(fabs(wanted - edge) < 1e-6);
        if (s < 0.0 || s > 1.0 || (s > 0.125 && s < 0.875))
            assert_true(fabs(scene.pixels[0][x][0] - wanted) < 1.5 / 255.0);
    }
    scene_close(&scene);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
}

static void gl_clamp_leaves_programs_alone_that_know_the_extension(void **state)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    (void)state;
    struct scene scene;
    struct scene_program program;
    scene_open_with_setting(&scene, "GL_CLAMP", "edge,border", NULL);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    scene_write(&scene, set, 0, 0, SCENE_COMBINED, SCENE_BORDER, SCENE_STEPS);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(&scene, 0);
    scene_expect_row(&scene, 0, SCENE_BORDER, SCENE_STEPS);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

static void a_vulkan_1_0_program_with_the_extension_for_queries_is_asked_by_its_names(void **state)
{
    (void)state;
    static const char *const extension = VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME;
    struct harness_vulkan vk;
    harness_messages_reset();
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler:validation",
                                                             .api_version = VK_API_VERSION_1_0,
                                                             .instance_extensions = &extension,
                                                             .instance_extension_count = 1});
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    assert_non_null(vk.counters);
    harness_vulkan_close(&vk);
    scene_expect_silence();
}

static void stats_file_gets_a_line_for_every_device(void **state)
{
    (void)state;
    struct scene scene;
    static char windows[] = "Z:\\games\\Old Game.exe"; /* as Wine starts it */
    char text[4096] = "", path[160], *before = program_invocation_name;
    set_path("VK_CLAMPLER_STATS_FILE", "stats.json");
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    draw_plain(&scene, SCENE_BORDER);
    scene_close(&scene);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    program_invocation_name = windows;
    harness_vulkan_open(&scene.vk, &(struct harness_vulkan_params){.layers = "clampler"});
    harness_vulkan_close(&scene.vk);
    program_invocation_name = before;
    unsetenv("VK_CLAMPLER_STATS_FILE");

    snprintf(path, sizeof(path), "%s/stats.json", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof(text), file));
    assert_non_null(strstr(text, "\"program\": \"integration_settings\""));
    assert_non_null(strstr(text, "\"active\": true, \"draws\": [0, 1, 0]"));
    assert_non_null(strstr(text, "gl_clamp=border"));
    assert_non_null(fgets(text, sizeof(text), file));
    assert_non_null(strstr(text, "\"program\": \"Old Game.exe\""));
    assert_non_null(strstr(text, "\"active\": false, \"draws\": [0, 0, 0]"));
    assert_null(fgets(text, sizeof(text), file));
    fclose(file);
}

/* What the variables and the program's name have may be anything: JSON is UTF-8 (RFC 8259, 8.1), and so are messages.
 */
static void outside_text_is_utf_8_in_messages_and_stats(void **state)
{
    (void)state;
    static char name[] = "caf\351 \"1\"\033[2J";
    char text[4096] = "", path[160], *before = program_invocation_name;
    struct scene scene;
    memset(&scene, 0, sizeof(scene));
    harness_messages_reset();
    set_path("VK_CLAMPLER_STATS_FILE", "outside.json");
    setenv("VK_CLAMPLER_ALPHA_TO_ONE", "caf\351", 1); /* any text is allowed there */
    setenv("VK_CLAMPLER_TIERS", "\377\nclampler: error: forged", 1);
    program_invocation_name = name;
    harness_vulkan_open(&scene.vk, &(struct harness_vulkan_params){.layers = "clampler"});
    harness_vulkan_close(&scene.vk);
    program_invocation_name = before;
    unsetenv("VK_CLAMPLER_STATS_FILE");
    unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");
    unsetenv("VK_CLAMPLER_TIERS");

    assert_true(harness_layer_messages() >= 1); /* each was looked at by the harness */
    assert_non_null(strstr(harness_layer_message(0), "\"??clampler: error: forged\" in VK_CLAMPLER_TIERS"));
    snprintf(path, sizeof(path), "%s/outside.json", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof(text), file));
    fclose(file);
    assert_non_null(strstr(text, "\"program\": \"caf\357\277\275 \\\"1\\\"\\u001b[2J\""));
    assert_non_null(strstr(text, "alpha_to_one=caf\357\277\275"));
    for (const char *at = text; *at; at++)
        assert_false(*at == '\351' || *at == '\377');
}

/* In every locale that a program can take (unit/locales_test.sh): ASCII, and numbers with a point. */
static void the_log_has_numbers_with_a_point(void **state)
{
    (void)state;
    struct scene scene;
    char line[1024], path[160];
    unsigned numbers = 0;
    set_path("VK_CLAMPLER_LOG_FILE", "log.txt");
    setenv("VK_CLAMPLER_LOG_LEVEL", "info", 1);
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    draw_plain(&scene, SCENE_BORDER);
    scene_expect_tier(&scene, 1);
    scene_close(&scene);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    unsetenv("VK_CLAMPLER_LOG_LEVEL");
    unsetenv("VK_CLAMPLER_LOG_FILE");

    snprintf(path, sizeof(path), "%s/log.txt", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        for (const char *at = line; *at; at++)
            assert_true((unsigned char)*at < 127);
        for (const char *unit = strstr(line, " ms "); unit; unit = strstr(unit + 1, " ms ")) {
            const char *number = unit;
            while (number[-1] != ' ')
                number--;
            assert_int_equal(strspn(number, ".0123456789"), unit - number);
            numbers++;
        }
    }
    fclose(file);
    assert_true(numbers > 0);
}

static unsigned files_ending_in(const char *ending)
{
    unsigned found = 0;
    char path[160];
    snprintf(path, sizeof(path), "%s/dump", folder);
    DIR *listing = opendir(path);
    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        const size_t length = strlen(entry->d_name), end = strlen(ending);
        found += length > end && !strcmp(entry->d_name + length - end, ending);
    }
    closedir(listing);
    return found;
}

static void dump_dir_gets_modules_before_and_after_with_the_reason(void **state)
{
    (void)state;
    struct scene scene;
    set_path("VK_CLAMPLER_DUMP_DIR", "dump");
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    draw_plain(&scene, SCENE_BORDER);
    scene_close(&scene);
    assert_int_equal(harness_layer_messages(), 0);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    unsetenv("VK_CLAMPLER_DUMP_DIR");
    assert_int_equal(files_ending_in(".before.spv"), 1);
    assert_int_equal(files_ending_in(".before.spvasm"), 1);
    assert_int_equal(files_ending_in(".spv"), 2);
    assert_int_equal(files_ending_in(".spvasm"), 2);
    assert_int_equal(files_ending_in(".txt"), 1);
}

/* Puts a link to the file `victim` in the place of the dump that ends so. */
static void plant_link(const char *ending)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/dump", folder);
    DIR *listing = opendir(path);
    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        if (!strstr(entry->d_name, ending))
            continue;
        snprintf(path, sizeof(path), "%s/dump/%s", folder, entry->d_name);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(symlink("../victim", path), 0);
    }
    closedir(listing);
}

/* Names of dumps follow from modules, so whoever may write to the folder can tell them before. */
static void links_among_the_dumps_are_not_followed(void **state)
{
    (void)state;
    struct scene scene;
    char path[160];
    set_path("VK_CLAMPLER_DUMP_DIR", "dump");
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    draw_plain(&scene, SCENE_BORDER);
    scene_close(&scene);
    plant_link(".before.spv");
    draw_plain(&scene, SCENE_BORDER);
    assert_int_equal(harness_counters(&scene.vk).modules_rewritten, 1);
    scene_close(&scene);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    unsetenv("VK_CLAMPLER_DUMP_DIR");
    snprintf(path, sizeof(path), "%s/victim", folder);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(harness_layer_messages(), 1);
    assert_non_null(strstr(harness_layer_message(0), "symbolic link"));
    snprintf(path, sizeof(path), "/bin/rm -r %s/dump", folder);
    assert_int_equal(system(path), 0);
}

static void links_to_folders_get_no_dumps(void **state)
{
    (void)state;
    struct scene scene;
    char path[160];
    snprintf(path, sizeof(path), "%s/elsewhere", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(path, sizeof(path), "%s/dump", folder);
    assert_int_equal(symlink("elsewhere", path), 0);
    set_path("VK_CLAMPLER_DUMP_DIR", "dump");
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    draw_plain(&scene, SCENE_BORDER);
    assert_int_equal(harness_counters(&scene.vk).modules_rewritten, 1);
    scene_close(&scene);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    unsetenv("VK_CLAMPLER_DUMP_DIR");
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof(path), "%s/elsewhere", folder);
    assert_int_equal(rmdir(path), 0); /* it is empty */
    assert_int_equal(harness_layer_messages(), 1);
    assert_non_null(strstr(harness_layer_message(0), "symbolic link"));
}

/* How many dumped modules have that instruction. */
static unsigned files_with(const char *instruction)
{
    static char text[1 << 18];
    unsigned found = 0;
    char path[512];
    snprintf(path, sizeof(path), "%s/dump", folder);
    DIR *listing = opendir(path);
    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        if (!strstr(entry->d_name, ".spvasm"))
            continue;
        snprintf(path, sizeof(path), "%s/dump/%s", folder, entry->d_name);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
        fclose(file);
        found += strstr(text, instruction) != NULL;
    }
    closedir(listing);
    return found;
}

/* Whether fragment shaders have votes; SwiftShader has none. */
static bool driver_votes(void)
{
    struct harness_vulkan vk;
    VkPhysicalDeviceSubgroupProperties subgroups = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &subgroups};
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    const bool extension = harness_has_extension(&vk, VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME);
    vkGetPhysicalDeviceProperties2(vk.physical, &properties);
    harness_vulkan_close(&vk);
    return extension && (subgroups.supportedOperations & VK_SUBGROUP_FEATURE_VOTE_BIT);
}

/* What is drawn is the same with votes and without. */
static void the_gpu_form_votes_unless_that_is_assumed_missing(void **state)
{
    (void)state;
    if (!driver_votes())
        harness_lacking("votes of subgroups (%s)", VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME);
    set_path("VK_CLAMPLER_DUMP_DIR", "dump");
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    setenv("VK_CLAMPLER_FORM", "gpu", 1);
    for (unsigned votes = 0; votes < 2; votes++) {
        struct scene scene;
        setenv("VK_CLAMPLER_ASSUME_MISSING", votes ? "" : "subgroup_vote", 1);
        draw_plain(&scene, SCENE_BORDER);
        scene_expect_tier(&scene, 1);
        scene_expect_row(&scene, 0, SCENE_CLAMP, SCENE_STEPS);
        scene_close(&scene);
        assert_int_equal(files_with("OpSubgroupAnyKHR"), votes);
    }
    assert_int_equal(harness_layer_messages(), 0);
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    unsetenv("VK_CLAMPLER_FORM");
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    unsetenv("VK_CLAMPLER_DUMP_DIR");
}

static void validated_rewrites_are_used(void **state)
{
    (void)state;
    struct scene scene;
    setenv("VK_CLAMPLER_VALIDATE_REWRITES", "true", 1);
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    draw_plain(&scene, SCENE_BORDER);
    scene_expect_row(&scene, 0, SCENE_CLAMP, SCENE_STEPS);
    assert_int_equal(harness_counters(&scene.vk).modules_rewritten, 1);
    scene_close(&scene);
    assert_int_equal(harness_layer_messages(), 0);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    unsetenv("VK_CLAMPLER_VALIDATE_REWRITES");
}

static void rewrites_that_are_not_valid_are_not_used_and_that_is_said(void **state)
{
    (void)state;
    struct scene scene;
    setenv("VK_CLAMPLER_VALIDATE_REWRITES", "true", 1);
    harness_environment_plant("invalid_module");
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    draw_plain(&scene, SCENE_BORDER);
    assert_int_equal(harness_counters(&scene.vk).modules_rewritten, 0);
    assert_int_equal(harness_layer_messages(), 1);
    assert_non_null(strstr(harness_layer_message(0), "is not valid and not used"));
    scene_close(&scene);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    harness_environment_plant(NULL);
    unsetenv("VK_CLAMPLER_VALIDATE_REWRITES");
}

/* settings [TESTS]: those that have the pattern. */
int main(int argc, char **argv)
{
    locale_of_user();
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gl_clamp_takes_border_for_gls_clamp_and_keeps_its_colour),
        cmocka_unit_test(gl_clamp_takes_edge_for_gls_clamp_with_gls_default_border),
        cmocka_unit_test(gl_clamp_leaves_programs_alone_that_know_the_extension),
        cmocka_unit_test(a_vulkan_1_0_program_with_the_extension_for_queries_is_asked_by_its_names),
        cmocka_unit_test(stats_file_gets_a_line_for_every_device),
        cmocka_unit_test(outside_text_is_utf_8_in_messages_and_stats),
        cmocka_unit_test(the_log_has_numbers_with_a_point),
        cmocka_unit_test(dump_dir_gets_modules_before_and_after_with_the_reason),
        cmocka_unit_test(links_among_the_dumps_are_not_followed),
        cmocka_unit_test(links_to_folders_get_no_dumps),
        cmocka_unit_test(the_gpu_form_votes_unless_that_is_assumed_missing),
        cmocka_unit_test(validated_rewrites_are_used),
        cmocka_unit_test(rewrites_that_are_not_valid_are_not_used_and_that_is_said),
    };
    return cmocka_run_group_tests_name("settings", tests, make_folder, remove_folder);
}
