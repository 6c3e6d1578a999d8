/* SPDX-License-Identifier: MIT */
/*
 * Descriptor buffers: combined image samplers with YCbCr conversions, each of which may take several of the driver's
 * descriptors, beside those of samplers with OpenGL's modes, of which no conversion has any.
 */
#include <string.h>

#include "integration/shared/conversion.h"
#include "integration/app_descriptors/descriptor_scene.h"
#include "integration_descriptor_conversions.h"

/* An array of two of them, then one and three others. */
static void conversions_beside_other_samplers(void **state)
{
    (void)state;
    const VkPhysicalDeviceSamplerYcbcrConversionFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
        .samplerYcbcrConversion = VK_TRUE};
    struct descriptor_scene f;
    struct descriptor_program program;
    struct conversion c;
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.next = &features});
    if (!conversion_descriptors(&f.scene.vk)) {
        print_message("the driver has no images of two planes\n");
        descriptor_scene_close(&f);
        skip();
    }
    conversion_open(&f.scene.vk, &c, NULL);
    VkImageView view;
    const VkSampler sampler = harness_sampler(&f.scene.vk, &c.sampler_info), immutable[2] = {sampler, sampler};
    HARNESS_VK(vkCreateImageView(f.scene.vk.device, &c.view_info, NULL, &view));
    VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                               SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                               SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
    bindings[0].pImmutableSamplers = immutable;
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_conversions), bindings, 3);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const size_t size = c.descriptors * harness_descriptor_size(&f.descriptors, SCENE_COMBINED);
    const VkDescriptorImageInfo image = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                         .type = SCENE_COMBINED,
                                         .data.pCombinedImageSampler = &image};
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < 2; i++)
            f.descriptors.get(f.scene.vk.device, &info, size, harness_descriptor_at(&set, 0, i, size));
        for (unsigned row = 2; row < SCENE_ROWS; row++)
            descriptor_scene_write(&f, &set, row == 2 ? 2 : 5, row == 2 ? 0 : row - 3, SCENE_COMBINED, rows[row],
                                   descriptor_scene_texture(row));
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_tier(&f);
        for (unsigned row = 2; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, rows[row], descriptor_scene_texture(row));
        for (unsigned i = 0; i < 2 * SCENE_COLUMNS; i++)
            assert_float_equal(f.scene.pixels[i / SCENE_COLUMNS][i % SCENE_COLUMNS][0], CONVERSION_RED / 255.0f,
                               1.0f / 255.0f);
    }
    descriptor_program_destroy(&f, &program);
    vkDestroyImageView(f.scene.vk.device, view, NULL);
    vkDestroySampler(f.scene.vk.device, sampler, NULL);
    conversion_close(&f.scene.vk, &c);
    descriptor_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions_beside_other_samplers),
    };
    return cmocka_run_group_tests_name("descriptor_conversions", tests, NULL, NULL);
}
