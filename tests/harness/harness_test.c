/* SPDX-License-Identifier: MIT */
/* The instruments themselves: if these lie, every other test does. */
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <cmocka.h>

#include "harness/opengl/gl.h"
#include "harness/text/json.h"
#include "harness/drawing/pipeline.h"
#include "harness/images/png.h"
#include "test_solid.h"

static void uploaded_levels_and_layers_read_back_unchanged(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct harness_image image;
    harness_messages_reset();
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "validation", .sync_validation = true});
    struct harness_image_params params = {.type = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                          .format = VK_FORMAT_R8_UNORM,
                                          .width = 5,
                                          .height = 3,
                                          .layers = 3,
                                          .levels = 3};
    uint8_t texels[(15 + 2 + 1) * 3], back[15];
    assert_int_equal(harness_image_size(&params), sizeof(texels));
    for (size_t i = 0; i < sizeof(texels); i++)
        texels[i] = (uint8_t)(i * 7 + 1);
    harness_image_create(&vk, &image, &params, texels);
    harness_image_read(&vk, &image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, 0, 2, back);
    assert_memory_equal(back, texels + 30, 15);
    harness_image_read(&vk, &image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, 1, 1, back);
    assert_memory_equal(back, texels + 45 + 2, 2);
    harness_image_read(&vk, &image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, 2, 2, back);
    assert_memory_equal(back, texels + 45 + 6 + 2, 1);
    harness_image_destroy(&vk, &image);
    harness_vulkan_close(&vk);
    assert_int_equal(harness_messages(), 0);
}

static void a_draw_covers_every_pixel_of_the_target(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct harness_target target;
    float pixels[7 * 5 * 4];
    harness_messages_reset();
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "validation", .sync_validation = true});
    harness_target_create(&vk, &target, VK_FORMAT_R32G32B32A32_SFLOAT, 7, 5);
    VkPipelineLayout layout = harness_pipeline_layout(&vk, NULL, 0, 0);
    VkPipeline pipeline = harness_graphics_pipeline(
        &vk, &target, &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(test_solid), .layout = layout});
    VkCommandBuffer commands = harness_begin(&vk);
    harness_target_begin(&target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
    harness_submit(&vk, commands);
    harness_target_read(&vk, &target, pixels);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 7; x++) {
            const float *pixel = pixels + (y * 7 + x) * 4;
            assert_float_equal(pixel[0], (float)x + 0.5f, 0);
            assert_float_equal(pixel[1], (float)y + 0.5f, 0);
            assert_float_equal(pixel[2], -2.0, 0);
            assert_float_equal(pixel[3], 1.0, 0);
        }
    }
    vkDestroyPipeline(vk.device, pipeline, NULL);
    vkDestroyPipelineLayout(vk.device, layout, NULL);
    harness_target_destroy(&vk, &target);
    harness_vulkan_close(&vk);
    assert_int_equal(harness_messages(), 0);
}

static void a_mistake_is_counted_by_the_validation_layer(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    harness_messages_reset();
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "validation"});
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .unnormalizedCoordinates = VK_TRUE,
                                .addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT};
    puts("(one message of the validation layer is expected here)");
    VkSampler sampler = harness_sampler(&vk, &info);
    assert_true(harness_messages() > 0);
    vkDestroySampler(vk.device, sampler, NULL);
    harness_vulkan_close(&vk);
    harness_messages_reset();
    assert_int_equal(harness_messages(), 0);
}

static void opengl_draws_into_a_float_target(void **state)
{
    (void)state;
    struct harness_gl gl;
    struct harness_gl_target target;
    char why[200];
    float pixels[6 * 4 * 4];
    if (!harness_gl_open(&gl, why, sizeof(why))) {
        print_message("no OpenGL here: %s\n", why);
        skip();
    }
    GLuint program = harness_gl_program(
        &gl,
        "#version 130\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); "
        "}\n",
        "#version 130\nvoid main() { gl_FragColor = vec4(gl_FragCoord.xy, ALPHA, 1.5); }\n", "#define ALPHA -2.0\n");
    harness_gl_target_create(&gl, &target, GL_RGBA32F, 6, 4);
    harness_gl_target_begin(&gl, &target);
    gl.UseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    harness_gl_target_read(&target, GL_RGBA, GL_FLOAT, pixels);
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 6; x++) {
            const float *pixel = pixels + (y * 6 + x) * 4;
            assert_float_equal(pixel[0], (float)x + 0.5f, 0);
            assert_float_equal(pixel[1], (float)y + 0.5f, 0);
            assert_float_equal(pixel[2], -2.0, 0);
            assert_float_equal(pixel[3], 1.5, 0);
        }
    }
    harness_gl_target_destroy(&gl, &target);
    gl.DeleteProgram(program);
    harness_gl_close(&gl);
}

/*
 * A process of its own, not a fork of this one: drivers have threads, which a fork leaves behind and the end of the
 * process waits for.
 */
static char lose_context[] = "lose-context";

static int check_without_context(void)
{
    struct harness_gl gl;
    char why[200];
    if (!harness_gl_open(&gl, why, sizeof(why)) ||
        !eglMakeCurrent(gl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT))
        return 2;
    harness_gl_check("no context");
    return 0;
}

/* Without a context OpenGL does nothing and reports no error: that must end the process, and can be mended. */
static void a_lost_context_is_noticed_and_comes_back(void **state)
{
    (void)state;
    struct harness_gl gl;
    struct harness_gl_target target;
    char why[200];
    float pixel[4] = {0};
    int status = 0;
    if (!harness_gl_open(&gl, why, sizeof(why))) {
        print_message("no OpenGL here: %s\n", why);
        skip();
    }
    harness_gl_target_create(&gl, &target, GL_RGBA32F, 1, 1);
    assert_true(eglMakeCurrent(gl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    char *const arguments[] = {"harness_test", lose_context, NULL};
    pid_t child;
    assert_int_equal(posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    harness_gl_target_begin(&gl, &target);
    glClearColor(1, 2, 3, 4);
    glClear(GL_COLOR_BUFFER_BIT);
    harness_gl_target_read(&target, GL_RGBA, GL_FLOAT, pixel);
    assert_float_equal(pixel[3], 4.0f, 0);
    harness_gl_target_destroy(&gl, &target);
    harness_gl_close(&gl);
}

static char open_lacking[] = "open-lacking";

/* Asks for logicOp and swapchains; `rules`: what the limited driver hides. */
static int open_what_is_lacking(const char *rules)
{
    static const VkPhysicalDeviceFeatures features = {.logicOp = VK_TRUE};
    static const VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .imagelessFramebuffer = VK_TRUE};
    static const char *const extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    struct harness_vulkan vk;
    setenv("LIMITED_DRIVER_RULES", rules, 1);
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler:limited",
                                                             .gl_sampler = true,
                                                             .device_next = &features12,
                                                             .features = &features,
                                                             .device_extensions = extensions,
                                                             .device_extension_count = 1});
    harness_vulkan_close(&vk);
    return 0;
}

static int status_of(char *const *arguments, char *printed, size_t size)
{
    int ends[2], status = 0;
    pid_t child;
    posix_spawn_file_actions_t actions;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    assert_int_equal(posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    FILE *out = fdopen(ends[0], "r");
    assert_non_null(out);
    printed[fread(printed, 1, size - 1, out)] = '\0';
    fclose(out);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What the driver lacks, the limited one included, skips a test by its name; nothing else does. */
static void what_the_driver_lacks_skips_a_test(void **state)
{
    (void)state;
    static char none[] = "hide feature alphaToOne", feature[] = "hide feature logicOp",
                structure[] = "hide feature imagelessFramebuffer", extension[] = "hide extension VK_KHR_swapchain";
    static const struct {
        char *rules;
        int status;
        const char *printed;
    } rows[] = {{none, 0, ""},
                {feature, 77, "skipped: the driver lacks logicOp\n"},
                {structure, 77, "skipped: the driver lacks imagelessFramebuffer\n"},
                {extension, 77, "skipped: the driver lacks VK_KHR_swapchain\n"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *const arguments[] = {(char[]){"harness_test"}, open_lacking, rows[i].rules, NULL};
        char printed[512];
        const int status = status_of(arguments, printed, sizeof(printed));
        /* A driver that lacks logicOp itself skips all the same. */
        if (i == 0 && status == 77 && strcmp(printed, rows[1].printed) == 0)
            continue;
        assert_int_equal(status, rows[i].status);
        if (i == 0 || strcmp(printed, rows[1].printed) != 0)
            assert_string_equal(printed, rows[i].printed);
    }
}

static char make_mistake[] = "make-mistake";

static VkSampler mistaken_sampler(struct harness_vulkan *vk)
{
    return harness_sampler(vk, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                                      .unnormalizedCoordinates = VK_TRUE,
                                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT});
}

static int make_the_mistake(const char *way)
{
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "validation"});
    VkSampler sampler = VK_NULL_HANDLE;
    if (strcmp(way, "none") != 0 && strcmp(way, "late") != 0)
        sampler = mistaken_sampler(&vk);
    if (strcmp(way, "read") == 0 || strcmp(way, "late") == 0)
        (void)harness_messages();
    if (strcmp(way, "reset") == 0)
        harness_messages_reset();
    if (strcmp(way, "provoked") == 0)
        harness_messages_provoked();
    if (strcmp(way, "late") == 0) /* what is left when the device goes */
        (void)harness_sampler(&vk, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO});
    vkDestroySampler(vk.device, sampler, NULL);
    harness_vulkan_close(&vk);
    return 0;
}

/* Whatever a program's own assertions look at: what validation says fails it, unless it was asked for. */
static void messages_that_nobody_counts_fail_the_program(void **state)
{
    (void)state;
    static const struct {
        char way[12];
        int status;
    } rows[] = {{"none", 0}, {"unread", 1}, {"read", 0}, {"reset", 1}, {"late", 1}, {"provoked", 0}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char way[12], printed[512];
        memcpy(way, rows[i].way, sizeof(way));
        char *const arguments[] = {(char[]){"harness_test"}, make_mistake, way, NULL};
        print_message("(a mistake, %s)\n", way);
        assert_int_equal(status_of(arguments, printed, sizeof(printed)), rows[i].status);
    }
}

/* A variation that does nothing fails the program that it is one of. */
static void variables_that_nothing_comes_of_fail_the_program(void **state)
{
    (void)state;
    static char silent[] = "none", hides[] = "hide feature alphaToOne";
    char *const without[] = {(char[]){"harness_test"}, make_mistake, silent, NULL};
    char *const with[] = {(char[]){"harness_test"}, open_lacking, hides, NULL};
    const struct {
        const char *name, *value;
        char *const *arguments; /* a device without the layer, or one with it that draws nothing */
        int status;
    } rows[] = {
        {"CLAMPLER_TEST_LAYERS", "validation", without, 0}, {"CLAMPLER_TEST_LAYERS", "validation:clampler", without, 1},
        {"CLAMPLER_TEST_LAYERS", "none", without, 0},       {"CLAMPLER_TEST_LAYERS", "none", with, 1},
        {"VK_CLAMPLER_ANISOTROPY", "trilinear", with, 0},   {"VK_CLAMPLER_ANISOTROPY", "trilinear", without, 1},
        {"VK_CLAMPLER_ANISOTROPY", "nothing", with, 1},     {"VK_CLAMPLER_GL_SAMPLER_FORM", "gpu", without, 1},
        {"VK_CLAMPLER_GL_SAMPLER_FORM", "gpu", with, 1}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char printed[512];
        print_message("(%s=%s)\n", rows[i].name, rows[i].value);
        setenv(rows[i].name, rows[i].value, 1);
        const int status = status_of(rows[i].arguments, printed, sizeof(printed));
        unsetenv(rows[i].name);
        if (status != 77) /* a driver that lacks what the device asks for */
            assert_int_equal(status, rows[i].status);
    }
}

static char leave_settings[] = "leave-settings";

static void a_test_that_lacks_something(void **state)
{
    (void)state;
    setenv("VK_CLAMPLER_TIERS", "ahead", 1);
    unsetenv("LIMITED_DRIVER_RULES");
    harness_lacking("this");
}

static void a_test_that_skips(void **state)
{
    (void)state;
    setenv("VK_CLAMPLER_GL_CLAMP", "border", 1);
    skip();
}

static void a_test_behind_them(void **state)
{
    (void)state;
    assert_null(getenv("VK_CLAMPLER_GL_CLAMP"));
    assert_string_equal(getenv("VK_CLAMPLER_TIERS"), "lazy");
    assert_string_equal(getenv("LIMITED_DRIVER_RULES"), "none");
}

static int run_tests_that_skip(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_test_that_lacks_something),
                                       cmocka_unit_test(a_test_that_skips), cmocka_unit_test(a_test_behind_them)};
    setenv("LIMITED_DRIVER_RULES", "none", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static void skipped_tests_leave_no_settings(void **state)
{
    (void)state;
    char *const arguments[] = {(char[]){"harness_test"}, leave_settings, NULL};
    char printed[512];
    assert_int_equal(status_of(arguments, printed, sizeof(printed)), 0);
}

static void png_files_keep_every_pixel(void **state)
{
    (void)state;
    char path[] = "/tmp/clampler-harness-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    uint8_t pixels[3 * 2 * 4];
    uint32_t width, height;
    for (size_t i = 0; i < sizeof(pixels); i++)
        pixels[i] = i % 4 == 3 ? 255 : (uint8_t)(i * 11);
    harness_png_write(path, pixels, 3, 2);
    uint8_t *back = harness_png_read(path, &width, &height);
    assert_int_equal(width, 3);
    assert_int_equal(height, 2);
    assert_memory_equal(back, pixels, sizeof(pixels));
    free(back);
    unlink(path);
}

static void json_files_are_well_formed(void **state)
{
    (void)state;
    char path[] = "/tmp/clampler-harness-XXXXXX", text[256] = "";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    struct harness_json json;
    harness_json_open(&json, path);
    harness_json_array(&json, NULL);
    harness_json_object(&json, NULL);
    harness_json_string(&json, "a", "\"\\\n");
    harness_json_number(&json, "b", 0.25);
    harness_json_end(&json);
    harness_json_object(&json, NULL);
    harness_json_end(&json);
    harness_json_integer(&json, NULL, -3);
    harness_json_bool(&json, NULL, true);
    harness_json_end(&json);
    harness_json_close(&json);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    fclose(file);
    unlink(path);
    assert_string_equal(text,
                        "[\n  {\n    \"a\": \"\\\"\\\\\\u000a\",\n    \"b\": 0.25\n  },\n  {},\n  -3,\n  true\n]\n");
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], lose_context) == 0)
        return check_without_context();
    if (count == 3 && strcmp(arguments[1], open_lacking) == 0)
        return open_what_is_lacking(arguments[2]);
    if (count == 3 && strcmp(arguments[1], make_mistake) == 0)
        return make_the_mistake(arguments[2]);
    if (count == 2 && strcmp(arguments[1], leave_settings) == 0)
        return run_tests_that_skip();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uploaded_levels_and_layers_read_back_unchanged),
        cmocka_unit_test(a_draw_covers_every_pixel_of_the_target),
        cmocka_unit_test(a_mistake_is_counted_by_the_validation_layer),
        cmocka_unit_test(opengl_draws_into_a_float_target),
        cmocka_unit_test(a_lost_context_is_noticed_and_comes_back),
        cmocka_unit_test(what_the_driver_lacks_skips_a_test),
        cmocka_unit_test(messages_that_nobody_counts_fail_the_program),
        cmocka_unit_test(variables_that_nothing_comes_of_fail_the_program),
        cmocka_unit_test(skipped_tests_leave_no_settings),
        cmocka_unit_test(png_files_keep_every_pixel),
        cmocka_unit_test(json_files_are_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
