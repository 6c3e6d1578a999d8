/* SPDX-License-Identifier: MIT */
#include "integration/attachments/alpha_scene.h"

#include <stdlib.h>
#include <string.h>

#include "integration_blend_1.h"

#define F(NAME) VK_BLEND_FACTOR_##NAME

const VkPipelineColorBlendAttachmentState alpha_reads_alpha = {
    VK_TRUE, F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA), VK_BLEND_OP_ADD, F(DST_ALPHA), F(ONE), VK_BLEND_OP_ADD, ALPHA_RGBA};
const VkPipelineColorBlendAttachmentState alpha_saturates = {
    VK_TRUE, F(SRC_ALPHA_SATURATE), F(DST_COLOR), VK_BLEND_OP_ADD, F(ZERO), F(ONE), VK_BLEND_OP_ADD, ALPHA_RGBA};
const VkPipelineColorBlendAttachmentState alpha_replaces = {.colorWriteMask = ALPHA_RGBA};

void alpha_open_with(struct alpha_scene *scene, struct harness_vulkan_params params)
{
    harness_messages_reset();
    if (!params.layers)
        params.layers = harness_test_layers("clampler:validation");
    harness_vulkan_open(&scene->vk, &params);
    scene->layout = harness_pipeline_layout(&scene->vk, NULL, 0, 0);
    scene->dynamic = harness_has_extension(&scene->vk, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME);
}

/* `first` is chained in front of the features; its pNext is set. */
static void open_features(struct alpha_scene *scene, VkBaseOutStructure *first, const char *extension)
{
    static const VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
    static const VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = (void *)(uintptr_t)&features13,
        .imagelessFramebuffer = VK_TRUE};
    static const VkPhysicalDeviceVulkan11Features features11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .pNext = (void *)(uintptr_t)&features12,
        .multiview = VK_TRUE};
    static const VkPhysicalDeviceFeatures core = {.independentBlend = VK_TRUE}, wanted = {.logicOp = VK_TRUE};
    if (first)
        first->pNext = (VkBaseOutStructure *)(uintptr_t)&features11;
    alpha_open_with(scene, (struct harness_vulkan_params){.gl_sampler = true,
                                                          .alpha_to_one = true,
                                                          .device_next = first ? (const void *)first : &features11,
                                                          .device_extensions = &extension,
                                                          .device_extension_count = first ? 1 : 0,
                                                          .features = &core,
                                                          .wanted = &wanted});
}

void alpha_open(struct alpha_scene *scene)
{
    open_features(scene, NULL, NULL);
}

void alpha_open_dynamic(struct alpha_scene *scene)
{
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3ColorBlendEnable = VK_TRUE,
        .extendedDynamicState3ColorBlendEquation = VK_TRUE,
        .extendedDynamicState3ColorWriteMask = VK_TRUE};
    alpha_open(scene);
    if (!scene->dynamic)
        return;
    alpha_close(scene);
    open_features(scene, (VkBaseOutStructure *)&dynamic, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME);
}

void alpha_open_extension(struct alpha_scene *scene, const char *extension, uint32_t since, void *feature)
{
    const char *const extensions[] = {extension};
    const char *layers = harness_test_layers("clampler:validation");
    const VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = feature, .dynamicRendering = VK_TRUE};
    if (!harness_driver_has(extension)) {
        print_message("the driver lacks %s\n", extension);
        skip();
    }
    if (!harness_validation_is(since)) {
        if (harness_validation_above(layers)) {
            print_message("the validation layer is older than %s\n", extension);
            skip();
        }
        layers = harness_without_validation(layers);
    }
    alpha_open_with(scene, (struct harness_vulkan_params){.layers = layers,
                                                          .gl_sampler = true,
                                                          .alpha_to_one = true,
                                                          .device_extensions = extensions,
                                                          .device_extension_count = 1,
                                                          .device_next = &features});
}

void alpha_close(struct alpha_scene *scene)
{
    vkDestroyPipelineLayout(scene->vk.device, scene->layout, NULL);
    harness_vulkan_close(&scene->vk);
    assert_int_equal(harness_messages(), 0);
}

bool alpha_is_written(void)
{
    const char *setting = getenv("VK_CLAMPLER_ALPHA_WRITE");
    return !setting || strcmp(setting, "mask") != 0;
}

/* ---- Targets: colour noise, with garbage or 1 in alpha ---- */

void alpha_noise(alpha_pixels texels, bool ones)
{
    uint32_t state = 1;
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        for (unsigned c = 0; c < 4; c++) {
            state = state * 1664525u + 1013904223u;
            texels[i][c] = (uint8_t)(state >> 24);
        }
        if (ones)
            texels[i][3] = 255;
    }
}

void alpha_target(struct alpha_scene *scene, struct harness_image *image, uint32_t base_format, bool ones)
{
    alpha_pixels texels;
    alpha_noise(texels, ones);
    blending_image_create(
        &scene->vk, image,
        &(struct blending_image_params){
            .format = ALPHA_FORMAT, .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = base_format},
        texels);
}

struct blending_pass_params alpha_pass(enum blending_style style, VkImageView view, VkAttachmentLoadOp load)
{
    return (struct blending_pass_params){.style = style,
                                         .count = 1,
                                         .views = {view},
                                         .formats = {ALPHA_FORMAT},
                                         .width = ALPHA_SIZE,
                                         .height = ALPHA_SIZE,
                                         .load = load};
}

VkPipeline alpha_pipeline(struct alpha_scene *scene, const struct blending_pass *pass,
                          const VkPipelineColorBlendAttachmentState *state)
{
    return blending_pipeline(&scene->vk, pass,
                             &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_1),
                                                                .layout = scene->layout,
                                                                .states = {*state}});
}

void alpha_attach(struct alpha_scene *scene, struct harness_image *image, struct blending_pass *pass,
                  enum blending_style style, uint32_t base_format, bool ones, VkAttachmentLoadOp load)
{
    alpha_target(scene, image, base_format, ones);
    const struct blending_pass_params params = alpha_pass(style, image->view, load);
    blending_pass_create(&scene->vk, pass, &params);
}

void alpha_detach(struct alpha_scene *scene, struct harness_image *image, struct blending_pass *pass)
{
    blending_pass_destroy(&scene->vk, pass);
    harness_image_destroy(&scene->vk, image);
}

void alpha_drawn(struct alpha_scene *scene, uint32_t base_format, bool ones,
                 const VkPipelineColorBlendAttachmentState *state, alpha_pixels pixels)
{
    struct harness_image image;
    struct blending_pass pass;
    alpha_target(scene, &image, base_format, ones);
    const struct blending_pass_params params = alpha_pass(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&scene->vk, &pass, &params);
    VkPipeline pipeline = alpha_pipeline(scene, &pass, state);
    blending_draw(&scene->vk, &pass, NULL, pipeline);
    blending_image_read(&scene->vk, &image, pixels);
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    blending_pass_destroy(&scene->vk, &pass);
    harness_image_destroy(&scene->vk, &image);
}

void alpha_native(struct alpha_scene *scene, const VkPipelineColorBlendAttachmentState *state, alpha_pixels pixels)
{
    VkPipelineColorBlendAttachmentState control = *state;
    control.colorWriteMask &= ALPHA_RGB;
    alpha_drawn(scene, 0, true, &control, pixels);
}

void alpha_expect_colors_at(alpha_pixels found, alpha_pixels expected, const char *file, int line)
{
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        if (memcmp(found[i], expected[i], 3) == 0)
            continue;
        print_error("%s:%d: pixel %u,%u is %u %u %u, not %u %u %u\n", file, line, i % ALPHA_SIZE, i / ALPHA_SIZE,
                    found[i][0], found[i][1], found[i][2], expected[i][0], expected[i][1], expected[i][2]);
        _fail(file, line);
    }
}

void alpha_expect_alpha_at(alpha_pixels found, uint8_t alpha, const char *file, int line)
{
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        if (found[i][3] == alpha)
            continue;
        print_error("%s:%d: alpha of pixel %u,%u is %u, not %u\n", file, line, i % ALPHA_SIZE, i / ALPHA_SIZE,
                    found[i][3], alpha);
        _fail(file, line);
    }
}
