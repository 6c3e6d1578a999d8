/* SPDX-License-Identifier: MIT */
/*
 * Formats that the driver cannot filter, in programs that know nothing of the extension: the setting linear_fallback
 * alone decides, whichever way a sampler reaches the shader. So does the setting `offer` of borders and minima. And
 * what the log says of it, once for every pair.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "integration/shared/scene.h"
#include "integration_channels.h"
#include "integration_channels_rows.h"
#include "integration_channels_separate.h"
#include "limited_driver/limited_driver.h"

enum { TEXELS = 4 };
static const float texels[TEXELS] = {0.5f, 0.125f, 0.75f, 0.25f};

/* How sampler and image reach the shader. */
enum way {
    COMBINED,
    SEPARATE,
    IMMUTABLE,
    IMMUTABLE_SEPARATE,
    TEMPLATE,
    TEMPLATE_SEPARATE,
    COPIED,
    COPIED_SEPARATE,
    COPIED_IMMUTABLE,
    PUSHED,
    PUSHED_SEPARATE,
    WAYS
};

static bool is_separate(enum way way)
{
    return way == SEPARATE || way == IMMUTABLE_SEPARATE || way == TEMPLATE_SEPARATE || way == COPIED_SEPARATE ||
           way == PUSHED_SEPARATE;
}

static bool is_immutable(enum way way)
{
    return way == IMMUTABLE || way == IMMUTABLE_SEPARATE || way == COPIED_IMMUTABLE;
}

static bool is_copied(enum way way)
{
    return way == COPIED || way == COPIED_SEPARATE || way == COPIED_IMMUTABLE;
}

static bool is_pushed(enum way way)
{
    return way == PUSHED || way == PUSHED_SEPARATE;
}

/* The ways that the device has: pushing comes last. */
static int ways_of(const struct harness_vulkan *vk)
{
    return vk->has_wanted ? WAYS : PUSHED;
}

struct fixture {
    struct scene scene;
    struct harness_image image;
};

/* `fallback` NULL: no setting. force_active: the layer follows the device all the same, and must leave it alone. */
static void open_with(struct fixture *f, const char *fallback, VkFormat format)
{
    const VkPhysicalDeviceFeatures features = {.samplerAnisotropy = VK_TRUE};
    memset(f, 0, sizeof(*f));
    harness_vulkan_hold_driver();
    harness_messages_reset();
    setenv("VK_CLAMPLER_ASSUME_MISSING", "linear_float32", 1);
    setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1);
    if (fallback)
        setenv("VK_CLAMPLER_LINEAR_FALLBACK", fallback, 1);
    harness_vulkan_open(&f->scene.vk,
                        &(struct harness_vulkan_params){.layers = "clampler:validation",
                                                        .wanted_extension = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                                        .features = &features});
    unsetenv("VK_CLAMPLER_LINEAR_FALLBACK");
    unsetenv("VK_CLAMPLER_FORCE_ACTIVE");
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    assert_non_null(f->scene.vk.counters);
    scene_make(&f->scene, false);
    harness_image_create(
        &f->scene.vk, &f->image,
        &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D, .format = format, .width = TEXELS, .height = 1},
        texels);
}

static void open_uncompared(struct fixture *f, const char *fallback)
{
    open_with(f, fallback, VK_FORMAT_R32_SFLOAT);
}

static void close_plain(struct fixture *f)
{
    harness_image_destroy(&f->scene.vk, &f->image);
    scene_close(&f->scene);
}

/* ---- What must be seen: section "Texel Filtering" of Vulkan 1.3 ---- */

static double border = 1.0;

static double texel_of(VkSamplerAddressMode mode, int i)
{
    if (mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)
        return i < 0 || i >= TEXELS ? border : (double)texels[i];
    if (mode == VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE)
        return (double)texels[i < -TEXELS || i >= TEXELS ? TEXELS - 1 : i < 0 ? -1 - i : i];
    if (mode == VK_SAMPLER_ADDRESS_MODE_REPEAT)
        return (double)texels[((i % TEXELS) + TEXELS) % TEXELS];
    if (mode == VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT) {
        const int m = ((i % (2 * TEXELS)) + 2 * TEXELS) % (2 * TEXELS);
        return (double)texels[m < TEXELS ? m : 2 * TEXELS - 1 - m];
    }
    return (double)texels[i < 0 ? 0 : i >= TEXELS ? TEXELS - 1 : i];
}

enum filtered { NEAREST, LINEAR, LEAST, GREATEST };

static double expected(VkSamplerAddressMode mode, enum filtered filtered, unsigned column)
{
    const double u = (((double)column + 0.5) * 3.0 / SCENE_COLUMNS - 1.0) * TEXELS;
    if (filtered == NEAREST)
        return texel_of(mode, (int)floor(u));
    const double base = floor(u - 0.5), weight = u - 0.5 - base;
    const double first = texel_of(mode, (int)base), second = texel_of(mode, (int)base + 1);
    return filtered == LEAST      ? fmin(first, second)
           : filtered == GREATEST ? fmax(first, second)
                                  : first * (1 - weight) + second * weight;
}

/* ---- Drawing ---- */

static void write_set(struct fixture *f, const struct scene_program *program, VkDescriptorSet set, enum way way,
                      VkSampler sampler)
{
    const VkDescriptorImageInfo info = {sampler, f->image.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorUpdateTemplateEntry entries[] = {
        {.descriptorCount = 1, .descriptorType = is_separate(way) ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : SCENE_COMBINED},
        {.dstBinding = 1, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER}};
    const VkDescriptorUpdateTemplateCreateInfo template_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = is_separate(way) ? 2 : 1,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = program->set_layout,
    };
    if (way == TEMPLATE || way == TEMPLATE_SEPARATE) {
        VkDescriptorUpdateTemplate update;
        HARNESS_VK(vkCreateDescriptorUpdateTemplate(f->scene.vk.device, &template_info, NULL, &update));
        vkUpdateDescriptorSetWithTemplate(f->scene.vk.device, set, update, &info);
        vkDestroyDescriptorUpdateTemplate(f->scene.vk.device, update, NULL);
        return;
    }
    harness_write_image(&f->scene.vk, set, 0, 0, entries[0].descriptorType, sampler, f->image.view);
    if (way == SEPARATE || way == COPIED_SEPARATE)
        harness_write_image(&f->scene.vk, set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
}

/* Written elsewhere first. Immutable samplers stay where they are. */
static void copy_set(struct fixture *f, const struct scene_program *program, VkDescriptorSet set, enum way way,
                     VkSampler sampler)
{
    VkDescriptorSet from = harness_set(&f->scene.vk, program->set_layout);
    VkCopyDescriptorSet copies[2];
    write_set(f, program, from, way, sampler);
    for (uint32_t i = 0; i < 2; i++)
        copies[i] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                          .srcSet = from,
                                          .srcBinding = i,
                                          .dstSet = set,
                                          .dstBinding = i,
                                          .descriptorCount = 1};
    vkUpdateDescriptorSets(f->scene.vk.device, 0, NULL, is_separate(way) ? 2 : 1, copies);
    HARNESS_VK(vkFreeDescriptorSets(f->scene.vk.device, f->scene.vk.descriptors, 1, &from));
}

static void push_and_draw(struct fixture *f, const struct scene_program *program, enum way way, VkSampler sampler)
{
    const VkDescriptorImageInfo info = {sampler, f->image.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet writes[2] = {
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .descriptorCount = 1,
         .descriptorType = is_separate(way) ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : SCENE_COMBINED,
         .pImageInfo = &info},
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstBinding = 1,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
         .pImageInfo = &info}};
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program->pipeline);
    HARNESS_PROC(&f->scene.vk, vkCmdPushDescriptorSetKHR)
    (commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program->layout, 0, is_separate(way) ? 2 : 1, writes);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f->scene, commands);
}

static void draw(struct fixture *f, enum way way, VkSampler sampler)
{
    VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                               SCENE_BINDING(1, SAMPLER, 1)};
    struct scene_program program;
    if (is_separate(way))
        bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    if (is_immutable(way))
        bindings[is_separate(way)].pImmutableSamplers = &sampler;
    scene_program_create(
        &f->scene, &program,
        is_separate(way) ? HARNESS_SPIRV(integration_channels_separate) : HARNESS_SPIRV(integration_channels), bindings,
        is_separate(way) ? 2 : 1,
        is_pushed(way) ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : (VkDescriptorSetLayoutCreateFlags)0,
        NULL);
    if (is_pushed(way)) {
        push_and_draw(f, &program, way, sampler);
    } else {
        VkDescriptorSet set = harness_set(&f->scene.vk, program.set_layout);
        (is_copied(way) ? copy_set : write_set)(f, &program, set, way, sampler);
        scene_draw(&f->scene, program.pipeline, program.layout, 1, &set);
        HARNESS_VK(vkFreeDescriptorSets(f->scene.vk.device, f->scene.vk.descriptors, 1, &set));
    }
    scene_program_destroy(&f->scene, &program);
}

static VkSampler linear_sampler(struct fixture *f, VkSamplerAddressMode mode, float anisotropy)
{
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
    info.addressModeU = mode;
    info.anisotropyEnable = anisotropy > 1;
    info.maxAnisotropy = anisotropy;
    return harness_sampler(&f->scene.vk, &info);
}

static void expect(const struct fixture *f, VkSamplerAddressMode mode, enum filtered filtered, enum way way)
{
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        const double wanted = expected(mode, filtered, x), found = (double)f->scene.pixels[0][x][0];
        if (fabs(wanted - found) > 4.0 / 256)
            print_error("way %d, address mode %d, column %u: %.4f, not %.4f\n", (int)way, (int)mode, x, found, wanted);
        assert_true(fabs(wanted - found) <= 4.0 / 256);
    }
}

/* Every way and mode under a setting; the tier that must draw where descriptors are combined. */
static void draw_every_way(const char *fallback, enum filtered filtered, unsigned tier)
{
    static const VkSamplerAddressMode modes[] = {
        VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
    struct fixture f;
    open_uncompared(&f, fallback);
    for (int way = 0; way < ways_of(&f.scene.vk); way++)
        for (unsigned mode = 0; mode < 4; mode++) {
            VkSampler sampler = linear_sampler(&f, modes[mode], 1);
            draw(&f, (enum way)way, sampler);
            expect(&f, modes[mode], filtered, (enum way)way);
            if (!is_separate((enum way)way))
                scene_expect_tier(&f.scene, tier);
            vkDestroySampler(f.scene.vk.device, sampler, NULL);
        }
    close_plain(&f);
}

static void without_the_setting_the_driver_decides(void **state)
{
    (void)state;
    draw_every_way(NULL, LINEAR, 0);
    draw_every_way("off", LINEAR, 0);
}

static void nearest_is_nearest_in_every_way(void **state)
{
    (void)state;
    draw_every_way("nearest", NEAREST, 0);
}

static void the_shader_filters_in_every_way(void **state)
{
    (void)state;
    draw_every_way("shader", LINEAR, 2);
}

/* ---- What is offered ---- */

static void open_offered(struct fixture *f)
{
    static const char *const extension = VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME;
    static const VkPhysicalDeviceCustomBorderColorFeaturesEXT colors = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
        .customBorderColors = VK_TRUE,
        .customBorderColorWithoutFormat = VK_TRUE};
    static const VkPhysicalDeviceVulkan12Features core12 = {.sType =
                                                                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                            .pNext = (void *)(uintptr_t)&colors,
                                                            .samplerMirrorClampToEdge = VK_TRUE,
                                                            .samplerFilterMinmax = VK_TRUE};
    memset(f, 0, sizeof(*f));
    harness_messages_reset();
    setenv("VK_CLAMPLER_OFFER", "missing", 1);
    setenv("LIMITED_DRIVER_PROFILE", "bare-samplers", 1);
    harness_vulkan_open(&f->scene.vk,
                        &(struct harness_vulkan_params){.layers = "clampler:validation:limited",
                                                        .wanted_extension = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                                        .device_extensions = &extension,
                                                        .device_extension_count = 1,
                                                        .device_next = &core12});
    unsetenv("LIMITED_DRIVER_PROFILE");
    unsetenv("VK_CLAMPLER_OFFER");
    assert_non_null(f->scene.vk.counters);
    scene_make(&f->scene, false);
    harness_image_create(
        &f->scene.vk, &f->image,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R32_SFLOAT, .width = TEXELS, .height = 1},
        texels);
}

/* A colour of its own, minima, or the mirror mode: in immutable samplers, templates, copies and pushed sets, too. */
static void what_is_offered_is_there_in_every_way(void **state)
{
    (void)state;
    static const VkSamplerAddressMode modes[] = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                                 VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE,
                                                 VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
    static const enum filtered filters[] = {LINEAR, LINEAR, LEAST};
    struct fixture f;
    open_offered(&f);
    border = 0.375;
    for (int way = 0; way < ways_of(&f.scene.vk); way++)
        for (int i = 0; i < 3; i++) {
            const VkSamplerCustomBorderColorCreateInfoEXT color = {
                .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
                .customBorderColor.float32 = {0.375f, 0.375f, 0.375f, 1}};
            const VkSamplerReductionModeCreateInfo least = {.sType =
                                                                VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                            .pNext = &color,
                                                            .reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN};
            VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
            info.pNext = filters[i] == LEAST ? (const void *)&least : &color;
            info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
            info.addressModeU = modes[i];
            VkSampler sampler = harness_sampler(&f.scene.vk, &info);
            /* Only the shader knows that a linear sampler and a format without such filters never meet. */
            harness_messages_excuse(is_separate((enum way)way) ? EXCUSE_FILTERS : EXCUSE_NOTHING);
            draw(&f, (enum way)way, sampler);
            harness_messages_excuse(EXCUSE_NOTHING);
            expect(&f, modes[i], filters[i], (enum way)way);
            if (!is_separate((enum way)way))
                scene_expect_tier(&f.scene, 2);
            vkDestroySampler(f.scene.vk.device, sampler, NULL);
        }
    border = 1.0;
    const PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(f.scene.vk.device, "vkGetViolationsLIMITED");
    assert_non_null(get);
    assert_int_equal(get(f.scene.vk.device, 0, NULL), 0);
    close_plain(&f);
}

/* ---- Weights ---- */

/* An image with all levels, in which every texel is `value`, filtered trilinearly at many fractions of texels. */
static void draw_alike(struct fixture *f, uint32_t width, uint32_t height, float value)
{
    enum { MOST_TEXELS = 4096 };
    static float alike[MOST_TEXELS];
    const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    struct harness_image_params params = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R32_SFLOAT, .width = width, .height = height, .levels = 1};
    for (uint32_t side = width > height ? width : height; side > 1; side /= 2)
        params.levels++;
    assert_true(2 * width * height <= MOST_TEXELS);
    for (unsigned i = 0; i < MOST_TEXELS; i++)
        alike[i] = value;
    struct harness_image image;
    harness_image_create(&f->scene.vk, &image, &params, alike);
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
    info.addressModeU = info.addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    info.maxLod = VK_LOD_CLAMP_NONE;
    VkSampler sampler = harness_sampler(&f->scene.vk, &info);
    struct scene_program program;
    scene_program_create(&f->scene, &program, HARNESS_SPIRV(integration_channels_rows), bindings, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&f->scene.vk, program.set_layout);
    harness_write_image(&f->scene.vk, set, 0, 0, SCENE_COMBINED, sampler, image.view);
    scene_draw(&f->scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(&f->scene, 2);
    for (unsigned y = 0; y < SCENE_ROWS; y++)
        for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
            if (f->scene.pixels[y][x][0] != value)
                print_error("%u x %u texels, pixel %u, %u: %.9g, not %g\n", width, height, x, y,
                            (double)f->scene.pixels[y][x][0], (double)value);
            assert_true(f->scene.pixels[y][x][0] == value);
        }
    HARNESS_VK(vkFreeDescriptorSets(f->scene.vk.device, f->scene.vk.descriptors, 1, &set));
    scene_program_destroy(&f->scene, &program);
    vkDestroySampler(f->scene.vk.device, sampler, NULL);
    harness_image_destroy(&f->scene.vk, &image);
}

/* What is in the range of a normalised format stays there, and alpha that is 1 everywhere is 1. */
static void texels_that_are_all_one_come_out_as_one(void **state)
{
    (void)state;
    struct fixture f;
    open_uncompared(&f, "shader");
    for (uint32_t side = 3; side <= 40; side += 3) {
        draw_alike(&f, side, 43 - side, 1.0f);
        draw_alike(&f, side, 43 - side, -1.0f);
    }
    close_plain(&f);
}

/* ---- Minima and maxima ---- */

static VkSampler reducing_sampler(struct fixture *f, VkSamplerReductionMode mode)
{
    const VkSamplerReductionModeCreateInfo reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                        .reductionMode = mode};
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
    info.pNext = &reduction;
    return harness_sampler(&f->scene.vk, &info);
}

static bool has_minima(struct fixture *f, VkFormat format)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(f->scene.vk.physical, format, &properties);
    return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
}

/*
 * Minima and maxima need VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT alone. lavapipe has it for depth, which it
 * does not filter linearly; of R32_SFLOAT the layer is told so.
 */
static void reduce_every_way(const char *fallback, VkFormat format)
{
    static const enum filtered filtered[] = {LEAST, GREATEST};
    struct fixture f;
    open_with(&f, fallback, format);
    harness_messages_excuse(EXCUSE_FILTERS); /* older validation layers believe that they need linear filters */
    for (int way = 0; way < ways_of(&f.scene.vk) && has_minima(&f, format); way++)
        for (unsigned i = 0; i < 2; i++) {
            VkSampler sampler = reducing_sampler(&f, i ? VK_SAMPLER_REDUCTION_MODE_MAX : VK_SAMPLER_REDUCTION_MODE_MIN);
            draw(&f, (enum way)way, sampler);
            expect(&f, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, filtered[i], (enum way)way);
            if (!is_separate((enum way)way))
                scene_expect_tier(&f.scene, 0);
            vkDestroySampler(f.scene.vk.device, sampler, NULL);
        }
    close_plain(&f);
    harness_messages_excuse(EXCUSE_NOTHING);
}

static void minima_and_maxima_need_no_linear_filters(void **state)
{
    (void)state;
    static const char *const fallbacks[] = {NULL, "nearest", "shader"};
    for (unsigned i = 0; i < 3; i++) {
        reduce_every_way(fallbacks[i], VK_FORMAT_R32_SFLOAT);
        reduce_every_way(fallbacks[i], VK_FORMAT_D32_SFLOAT);
    }
}

/* ---- The log ---- */

static char path[64];

static unsigned lines_with(const char *first, const char *second)
{
    char line[1024];
    unsigned count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file))
        count += strstr(line, first) && strstr(line, second);
    fclose(file);
    return count;
}

/* log_level=info: a line for each pair of state and class of views, however often the two meet; the same by call. */
static void the_log_says_why_once_for_each_pair(void **state)
{
    (void)state;
    struct fixture f;
    char text[320];
    strcpy(path, "/tmp/clampler-log-XXXXXX");
    const int made = mkstemp(path);
    assert_true(made >= 0);
    close(made);
    setenv("VK_CLAMPLER_LOG_LEVEL", "info", 1);
    setenv("VK_CLAMPLER_LOG_FILE", path, 1);
    open_uncompared(&f, "shader");
    unsetenv("VK_CLAMPLER_LOG_FILE");
    unsetenv("VK_CLAMPLER_LOG_LEVEL");
    PFN_clamplerGetPairReason reason =
        (PFN_clamplerGetPairReason)vkGetDeviceProcAddr(f.scene.vk.device, CLAMPLER_GET_PAIR_REASON);
    assert_non_null(reason);
    VkSampler plain = linear_sampler(&f, VK_SAMPLER_ADDRESS_MODE_REPEAT, 1);
    VkSampler slanted = linear_sampler(&f, VK_SAMPLER_ADDRESS_MODE_REPEAT, 8);
    static const char shader[] = "filtered in the shader: the view's format cannot be filtered",
                      probes[] = "anisotropic in the shader, by probes";
    for (unsigned round = 0; round < 3; round++) {
        draw(&f, COMBINED, plain);
        draw(&f, COMBINED, slanted);
    }
    assert_int_equal(lines_with("sampler state", shader), 2);
    assert_int_equal(lines_with(shader, probes), 1);
    assert_int_equal(reason(f.scene.vk.device, plain, f.image.view, text, sizeof(text)), VK_SUCCESS);
    assert_non_null(strstr(text, shader));
    assert_null(strstr(text, probes));
    assert_int_equal(lines_with("sampler state", text), 2);
    assert_int_equal(reason(f.scene.vk.device, slanted, f.image.view, text, sizeof(text)), VK_SUCCESS);
    assert_non_null(strstr(text, probes));
    assert_int_equal(lines_with("sampler state", text), 1);
    assert_null(strchr(text, '\n'));
    /* With another view the same state is native, which the log says, too. */
    assert_int_equal(reason(f.scene.vk.device, plain, f.scene.textures[SCENE_RAMP].view, text, sizeof(text)),
                     VK_SUCCESS);
    assert_string_equal(text, "native");
    vkDestroySampler(f.scene.vk.device, plain, NULL);
    vkDestroySampler(f.scene.vk.device, slanted, NULL);
    close_plain(&f);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_setting_the_driver_decides),
        cmocka_unit_test(nearest_is_nearest_in_every_way),
        cmocka_unit_test(the_shader_filters_in_every_way),
        cmocka_unit_test(what_is_offered_is_there_in_every_way),
        cmocka_unit_test(texels_that_are_all_one_come_out_as_one),
        cmocka_unit_test(minima_and_maxima_need_no_linear_filters),
        cmocka_unit_test(the_log_says_why_once_for_each_pair),
    };
    return cmocka_run_group_tests_name("fallback", tests, NULL, NULL);
}
