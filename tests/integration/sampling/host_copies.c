/* SPDX-License-Identifier: MIT */
/*
 * Textures that the host fills without a command buffer (VK_EXT_host_image_copy): lookups have their tiers, and what
 * the host reads back is what it wrote. Skipped where the driver lacks the extension.
 */
#include <string.h>

#include "newer_vulkan.h"
#include "integration/shared/host_copy.h"
#include "integration/shared/scene.h"
#include "integration_host_copies.h"

enum { TEXELS = 4 };

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorSet set;
};

static void open_fixture(struct fixture *f)
{
    static const char *const extensions[] = {HOST_COPY_EXTENSION};
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    struct harness_features features = {.sType = HOST_COPY_FEATURES, .enabled = {VK_TRUE}};
    scene_skip_without(HOST_COPY_EXTENSION);
    scene_open(&f->scene,
               &(struct harness_vulkan_params){.layers = harness_validation_is(HOST_COPY_SINCE) ? NULL : "clampler",
                                               .device_extensions = extensions,
                                               .device_extension_count = 1,
                                               .device_next = &features});
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_host_copies), bindings, 1, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

/* An image of the scene's texture's shape, in GENERAL without any queue's work; and back again. */
static void copy_from_host(struct fixture *f, struct harness_image *image, const float *texels)
{
    float found[TEXELS] = {0};
    const VkExtent3D extent = {TEXELS, 1, 1};
    host_copy_create(&f->scene.vk, image, VK_FORMAT_R32_SFLOAT, extent);
    host_copy_to_image(&f->scene.vk, image->image, extent, texels);
    host_copy_from_image(&f->scene.vk, image->image, extent, found);
    assert_memory_equal(found, texels, sizeof(found));
}

static void what_the_host_copied_is_looked_up_in_every_tier(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED, SCENE_MIRROR, SCENE_BORDER};
    static const unsigned tiers[] = {0, 1, 2, 1, 0};
    static const float texels[TEXELS] = {0.125f, 0.5f, 0.25f, 0.75f};
    struct fixture f;
    struct harness_image copied, uploaded;
    open_fixture(&f);
    copy_from_host(&f, &copied, texels);
    harness_image_create(
        &f.scene.vk, &uploaded,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R32_SFLOAT, .width = TEXELS, .height = 1},
        texels);
    for (unsigned i = 0; i < sizeof(tiers) / sizeof(tiers[0]); i++) {
        float expected[SCENE_ROWS][SCENE_COLUMNS][4];
        for (unsigned by_host = 0; by_host < 2; by_host++) {
            const VkDescriptorImageInfo image = {f.scene.samplers[samplers[i]], by_host ? copied.view : uploaded.view,
                                                 by_host ? VK_IMAGE_LAYOUT_GENERAL
                                                         : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
            harness_write_images(&f.scene.vk, f.set, 0, SCENE_COMBINED, 1, &image);
            scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &f.set);
            scene_expect_tier(&f.scene, tiers[i]);
            if (by_host)
                assert_memory_equal(f.scene.pixels, expected, sizeof(expected));
            else
                memcpy(expected, f.scene.pixels, sizeof(expected));
        }
    }
    harness_image_destroy(&f.scene.vk, &uploaded);
    harness_image_destroy(&f.scene.vk, &copied);
    scene_program_destroy(&f.scene, &f.program);
    scene_close(&f.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_host_copied_is_looked_up_in_every_tier),
    };
    return cmocka_run_group_tests_name("host_copies", tests, NULL, NULL);
}
