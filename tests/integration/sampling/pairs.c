/* SPDX-License-Identifier: MIT */
/*
 * Samplers with the views that they meet: shared driver samplers, twins of views, and the cache in between. Pixels say
 * that the right objects reached the driver, counters that it was done in the way it should.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integration/shared/scene.h"
#include "integration_channels.h"
#include "integration_channels_integer.h"
#include "integration_channels_separate.h"

#define GL_RED_TOKEN 0x1903u
#define GL_GREEN_TOKEN 0x1904u
#define GL_BLUE_TOKEN 0x1905u
#define GL_ALPHA_TOKEN 0x1906u
#define GL_ONE_TOKEN 1u
#define GL_LUMINANCE_ALPHA_TOKEN 0x190Au
#define GL_INTENSITY_TOKEN 0x8049u
#define GL_CLAMP_TO_EDGE_TOKEN 0x812Fu
#define GL_CLAMP_TO_BORDER_TOKEN 0x812Du
#define GL_NEAREST_TOKEN 0x2600u
#define GL_LINEAR_TOKEN 0x2601u
#define GL_SKIP_DECODE_TOKEN 0x8A4Au

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorSet set;
    PFN_clamplerGetPairReason reason;
};

static void open_with(struct fixture *f, const char *setting, const char *value, struct harness_spirv fragment,
                      bool separate)
{
    static const VkDescriptorSetLayoutBinding combined[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorSetLayoutBinding apart[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 1),
                                                         SCENE_BINDING(1, SAMPLER, 1)};
    const struct harness_vulkan_params params = {.gl_image_view = true,
                                                 .wanted_extension = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    if (setting)
        scene_open_with_setting(&f->scene, setting, value, &params);
    else
        scene_open(&f->scene, &params);
    scene_program_create(&f->scene, &f->program, fragment, separate ? apart : combined, separate ? 2 : 1, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
    f->reason = (PFN_clamplerGetPairReason)vkGetDeviceProcAddr(f->scene.vk.device, CLAMPLER_GET_PAIR_REASON);
    assert_non_null(f->reason);
}

static void open_fixture(struct fixture *f)
{
    open_with(f, NULL, NULL, HARNESS_SPIRV(integration_channels), false);
}

static void finish(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static VkSampler make_sampler(struct fixture *f, uint32_t wrap, uint32_t filter, const float border[4], uint32_t decode)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = wrap,
        .wrapT = GL_CLAMP_TO_EDGE_TOKEN,
        .minFilter = filter,
        .magFilter = filter,
        .maxLod = 1000,
        .srgbDecode = decode,
    };
    if (border)
        memcpy(gl.borderColor.float32, border, sizeof(gl.borderColor.float32));
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    return harness_sampler(&f->scene.vk, &info);
}

static void make_image(struct fixture *f, struct harness_image *image, VkFormat format, const void *texels,
                       const VkImageViewGLStateCreateInfoCLAMPLER *gl)
{
    harness_image_create(&f->scene.vk, image,
                         &(struct harness_image_params){
                             .type = VK_IMAGE_VIEW_TYPE_2D, .format = format, .width = 4, .height = 1, .view_next = gl},
                         texels);
}

static void draw_with(struct fixture *f, VkSampler sampler, VkImageView view)
{
    harness_write_image(&f->scene.vk, f->set, 0, 0, SCENE_COMBINED, sampler, view);
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &f->set);
}

/* Columns 0 and 7 lie outside the texture by more than a texel; 3 lies in it. */
enum { OUTSIDE = 0, INSIDE = 3 };

static void expect_color(const struct fixture *f, unsigned column, float r, float g, float b, float a)
{
    const float wanted[4] = {r, g, b, a};
    for (unsigned i = 0; i < 4; i++) {
        if (fabsf(f->scene.pixels[0][column][i] - wanted[i]) > 0.005f)
            print_error("column %u, channel %u: %f, not %f\n", column, i, (double)f->scene.pixels[0][column][i],
                        (double)wanted[i]);
        assert_true(fabsf(f->scene.pixels[0][column][i] - wanted[i]) <= 0.005f);
    }
}

/* ---- Views ---- */

static const uint8_t gray_and_alpha[] = {51, 204, 51, 204, 51, 204, 51, 204};
static const float odd_border[4] = {0.25f, 0.5f, 0.75f, 1.0f};

static void base_formats_and_swizzles_reach_texels_and_borders(void **state)
{
    (void)state;
    static const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
        .baseFormat = GL_LUMINANCE_ALPHA_TOKEN,
        .swizzle = {GL_ALPHA_TOKEN, GL_BLUE_TOKEN, GL_ONE_TOKEN, GL_RED_TOKEN},
    };
    struct fixture f;
    struct harness_image image;
    open_fixture(&f);
    VkSampler sampler = make_sampler(&f, GL_CLAMP_TO_BORDER_TOKEN, GL_NEAREST_TOKEN, odd_border, 0);
    make_image(&f, &image, VK_FORMAT_R8G8_UNORM, gray_and_alpha, &gl);
    draw_with(&f, sampler, image.view);
    expect_color(&f, INSIDE, 0.8f, 0.2f, 1.0f, 0.2f);
    expect_color(&f, OUTSIDE, 1.0f, 0.25f, 1.0f, 0.25f);
    vkDestroySampler(f.scene.vk.device, sampler, NULL);
    harness_image_destroy(&f.scene.vk, &image);
    finish(&f);
}

/* Four times GL_ZERO: of texels and of the border, wherever the view goes. */
static void components_say_what_four_zeros_cannot(void **state)
{
    (void)state;
    static const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = GL_LUMINANCE_ALPHA_TOKEN};
    for (int separate = 0; separate < 2; separate++) {
        struct fixture f;
        struct harness_image image;
        VkImageView zeros;
        open_with(&f, NULL, NULL,
                  separate ? HARNESS_SPIRV(integration_channels_separate) : HARNESS_SPIRV(integration_channels),
                  separate);
        VkSampler sampler = make_sampler(&f, GL_CLAMP_TO_BORDER_TOKEN, GL_NEAREST_TOKEN, odd_border, 0);
        make_image(&f, &image, VK_FORMAT_R8G8_UNORM, gray_and_alpha, NULL);
        const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .pNext = &gl,
                                            .image = image.image,
                                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                            .format = VK_FORMAT_R8G8_UNORM,
                                            .components = {VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO,
                                                           VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO},
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        HARNESS_VK(vkCreateImageView(f.scene.vk.device, &info, NULL, &zeros));
        if (separate) {
            harness_write_image(&f.scene.vk, f.set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, zeros);
            harness_write_image(&f.scene.vk, f.set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
            scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &f.set);
        } else {
            draw_with(&f, sampler, zeros);
        }
        expect_color(&f, INSIDE, 0, 0, 0, 0);
        expect_color(&f, OUTSIDE, 0, 0, 0, 0);
        vkDestroyImageView(f.scene.vk.device, zeros, NULL);
        vkDestroySampler(f.scene.vk.device, sampler, NULL);
        harness_image_destroy(&f.scene.vk, &image);
        finish(&f);
    }
}

static void push_with(struct fixture *f, VkSampler sampler, VkImageView view, bool templated)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct scene_program program;
    VkDevice device = f->scene.vk.device;
    scene_program_create(&f->scene, &program, HARNESS_SPIRV(integration_channels), &binding, 1,
                         VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, NULL);
    const VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .descriptorCount = 1,
                                        .descriptorType = SCENE_COMBINED,
                                        .pImageInfo = &info};
    const VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 1, .descriptorType = SCENE_COMBINED};
    const VkDescriptorUpdateTemplateCreateInfo template_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .pipelineLayout = program.layout,
    };
    VkDescriptorUpdateTemplate update;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(device, &template_info, NULL, &update));
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.pipeline);
    const PFN_vkCmdPushDescriptorSetKHR push = HARNESS_PROC(&f->scene.vk, vkCmdPushDescriptorSetKHR);
    const PFN_vkCmdPushDescriptorSetWithTemplateKHR push_template =
        HARNESS_PROC(&f->scene.vk, vkCmdPushDescriptorSetWithTemplateKHR);
    if (templated)
        push_template(commands, update, program.layout, 0, &info);
    else
        push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.layout, 0, 1, &write);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f->scene, commands);
    vkDestroyDescriptorUpdateTemplate(device, update, NULL);
    scene_program_destroy(&f->scene, &program);
}

static void update_with_template(struct fixture *f, VkSampler sampler, VkImageView view)
{
    const VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 1, .descriptorType = SCENE_COMBINED};
    const VkDescriptorUpdateTemplateCreateInfo template_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = f->program.set_layout,
    };
    VkDescriptorUpdateTemplate update;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(f->scene.vk.device, &template_info, NULL, &update));
    vkUpdateDescriptorSetWithTemplate(f->scene.vk.device, f->set, update, &info);
    vkDestroyDescriptorUpdateTemplate(f->scene.vk.device, update, NULL);
}

/* Every way in which a descriptor can be written gets the twin; copies carry it along. */
static void twins_go_wherever_descriptors_are_written(void **state)
{
    (void)state;
    static const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
        .baseFormat = GL_INTENSITY_TOKEN,
    };
    static const uint8_t texels[] = {51, 51, 51, 51};
    struct fixture f;
    struct harness_image image;
    open_fixture(&f);
    VkSampler sampler = make_sampler(&f, GL_CLAMP_TO_EDGE_TOKEN, GL_LINEAR_TOKEN, NULL, 0);
    make_image(&f, &image, VK_FORMAT_R8_UNORM, texels, &gl);
    for (unsigned way = 0; way < (f.scene.vk.has_wanted ? 5 : 3); way++) { /* the last two push */
        VkDescriptorSet other = VK_NULL_HANDLE;
        /* What was there before must not be what is seen. */
        harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, sampler, f.scene.textures[SCENE_RAMP].view);
        if (way == 0)
            harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, sampler, image.view);
        if (way == 1)
            update_with_template(&f, sampler, image.view);
        if (way == 2) {
            other = harness_set(&f.scene.vk, f.program.set_layout);
            harness_write_image(&f.scene.vk, other, 0, 0, SCENE_COMBINED, sampler, image.view);
            const VkCopyDescriptorSet copy = {
                .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = other, .dstSet = f.set, .descriptorCount = 1};
            vkUpdateDescriptorSets(f.scene.vk.device, 0, NULL, 1, &copy);
        }
        if (way < 3)
            scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &f.set);
        else
            push_with(&f, sampler, image.view, way == 4);
        expect_color(&f, INSIDE, 0.2f, 0.2f, 0.2f, 0.2f);
        scene_expect_tier(&f.scene, 0);
        if (other)
            HARNESS_VK(vkFreeDescriptorSets(f.scene.vk.device, f.scene.vk.descriptors, 1, &other));
    }
    vkDestroySampler(f.scene.vk.device, sampler, NULL);
    harness_image_destroy(&f.scene.vk, &image);
    finish(&f);
}

static void separate_images_get_their_twin(void **state)
{
    (void)state;
    static const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
        .baseFormat = GL_LUMINANCE_ALPHA_TOKEN,
    };
    struct fixture f;
    struct harness_image image;
    open_with(&f, NULL, NULL, HARNESS_SPIRV(integration_channels_separate), true);
    VkSampler sampler = make_sampler(&f, GL_CLAMP_TO_BORDER_TOKEN, GL_NEAREST_TOKEN, odd_border, 0);
    make_image(&f, &image, VK_FORMAT_R8G8_UNORM, gray_and_alpha, &gl);
    harness_write_image(&f.scene.vk, f.set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, image.view);
    harness_write_image(&f.scene.vk, f.set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
    scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &f.set);
    expect_color(&f, INSIDE, 0.2f, 0.2f, 0.2f, 0.8f);
    expect_color(&f, OUTSIDE, 0.25f, 0.25f, 0.25f, 1.0f);
    scene_expect_tier(&f.scene, 2);
    vkDestroySampler(f.scene.vk.device, sampler, NULL);
    harness_image_destroy(&f.scene.vk, &image);
    finish(&f);
}

/* ---- sRGB, integers, formats that cannot be filtered ---- */

static void skip_decoding(const char *missing, unsigned tier)
{
    static const uint8_t texels[16] = {128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128};
    struct fixture f;
    struct harness_image image;
    open_with(&f, missing ? "ASSUME_MISSING" : NULL, missing, HARNESS_SPIRV(integration_channels), false);
    VkSampler decode = make_sampler(&f, GL_CLAMP_TO_EDGE_TOKEN, GL_LINEAR_TOKEN, NULL, 0);
    VkSampler skip = make_sampler(&f, GL_CLAMP_TO_EDGE_TOKEN, GL_LINEAR_TOKEN, NULL, GL_SKIP_DECODE_TOKEN);
    make_image(&f, &image, VK_FORMAT_R8G8B8A8_SRGB, texels, NULL);
    draw_with(&f, decode, image.view);
    expect_color(&f, INSIDE, 0.2158f, 0.2158f, 0.2158f, 0.502f);
    scene_expect_tier(&f.scene, 0);
    draw_with(&f, skip, image.view);
    expect_color(&f, INSIDE, 0.502f, 0.502f, 0.502f, 0.502f);
    scene_expect_tier(&f.scene, tier);
    vkDestroySampler(f.scene.vk.device, decode, NULL);
    vkDestroySampler(f.scene.vk.device, skip, NULL);
    harness_image_destroy(&f.scene.vk, &image);
    finish(&f);
}

static void srgb_textures_can_be_sampled_without_decoding(void **state)
{
    (void)state;
    skip_decoding(NULL, 0);
    skip_decoding("srgb_views", 2);
}

/*
 * Views of another format than their image's: without decoding they have their own. Where the program lists the formats
 * of views, and that is none of them, the shader encodes.
 */
static void views_of_other_formats_are_sampled_without_decoding(void **state)
{
    (void)state;
    static const uint8_t texels[16] = {128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128};
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB,
                                       VK_FORMAT_B8G8R8A8_UNORM};
    static const struct {
        uint32_t listed; /* of the formats; 0: there is no list */
        unsigned tier;
    } rows[] = {{0, 0}, {3, 2}, {4, 0}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                                  .viewFormatCount = rows[i].listed,
                                                  .pViewFormats = formats};
        struct fixture f;
        struct harness_image image;
        open_fixture(&f);
        VkSampler skip = make_sampler(&f, GL_CLAMP_TO_EDGE_TOKEN, GL_LINEAR_TOKEN, NULL, GL_SKIP_DECODE_TOKEN);
        harness_image_create(&f.scene.vk, &image,
                             &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                            .format = VK_FORMAT_R8G8B8A8_SRGB,
                                                            .width = 4,
                                                            .height = 1,
                                                            .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
                                                            .image_next = rows[i].listed ? &list : NULL},
                             texels);
        VkImageViewCreateInfo info = harness_image_view_info(&image);
        VkImageView view;
        info.format = VK_FORMAT_B8G8R8A8_SRGB;
        HARNESS_VK(vkCreateImageView(f.scene.vk.device, &info, NULL, &view));
        draw_with(&f, skip, view);
        expect_color(&f, INSIDE, 0.502f, 0.502f, 0.502f, 0.502f);
        scene_expect_tier(&f.scene, rows[i].tier);
        vkDestroyImageView(f.scene.vk.device, view, NULL);
        vkDestroySampler(f.scene.vk.device, skip, NULL);
        harness_image_destroy(&f.scene.vk, &image);
        finish(&f);
    }
}

/* Alpha that is kept in a channel which the driver decodes: it comes out as it was stored, too. */
static void alpha_in_decoded_channels_is_stored_alpha(void **state)
{
    (void)state;
    /* A block of one colour: 16, 32, 16 of 31, 63, 31. */
    static const uint8_t bytes[] = {204, 204, 204, 204}, block[] = {0x10, 0x84, 0x10, 0x84, 0, 0, 0, 0};
    static const struct {
        VkFormat format;
        uint32_t base;
        const uint8_t *texels;
        float gray, alpha;
    } rows[] = {
        {VK_FORMAT_R8_SRGB, GL_ALPHA_TOKEN, bytes, 0.0f, 0.8f},
        {VK_FORMAT_R8G8_SRGB, GL_LUMINANCE_ALPHA_TOKEN, gray_and_alpha, 0.2f, 0.8f},
        {VK_FORMAT_BC1_RGB_SRGB_BLOCK, GL_ALPHA_TOKEN, block, 0.0f, 132.0f / 255.0f},
    };
    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        const bool separate = i % 2;
        const VkImageViewGLStateCreateInfoCLAMPLER gl = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = rows[i / 2].base};
        VkFormatProperties properties;
        struct fixture f;
        struct harness_image image;
        open_with(&f, "ASSUME_MISSING", "srgb_views",
                  separate ? HARNESS_SPIRV(integration_channels_separate) : HARNESS_SPIRV(integration_channels),
                  separate);
        vkGetPhysicalDeviceFormatProperties(f.scene.vk.physical, rows[i / 2].format, &properties);
        if (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) {
            VkSampler skip = make_sampler(&f, GL_CLAMP_TO_EDGE_TOKEN, GL_NEAREST_TOKEN, NULL, GL_SKIP_DECODE_TOKEN);
            make_image(&f, &image, rows[i / 2].format, rows[i / 2].texels, &gl);
            if (separate) {
                harness_write_image(&f.scene.vk, f.set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE,
                                    image.view);
                harness_write_image(&f.scene.vk, f.set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, skip, VK_NULL_HANDLE);
                scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &f.set);
            } else {
                draw_with(&f, skip, image.view);
            }
            expect_color(&f, INSIDE, rows[i / 2].gray, rows[i / 2].gray, rows[i / 2].gray, rows[i / 2].alpha);
            scene_expect_tier(&f.scene, 2);
            vkDestroySampler(f.scene.vk.device, skip, NULL);
            harness_image_destroy(&f.scene.vk, &image);
        }
        finish(&f);
    }
}

static void integers(const char *setting, float red, float alpha)
{
    static const uint8_t texels[16] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    struct fixture f;
    struct harness_image image;
    open_with(&f, setting ? "INTEGER_LINEAR" : NULL, setting, HARNESS_SPIRV(integration_channels_integer), false);
    VkSampler sampler = make_sampler(&f, GL_CLAMP_TO_EDGE_TOKEN, GL_LINEAR_TOKEN, NULL, 0);
    make_image(&f, &image, VK_FORMAT_R8G8B8A8_UINT, texels, NULL);
    draw_with(&f, sampler, image.view);
    expect_color(&f, INSIDE, red, red, red, alpha);
    scene_expect_tier(&f.scene, 0);
    assert_int_equal(harness_counters(&f.scene.vk).driver_samplers, 1);
    vkDestroySampler(f.scene.vk.device, sampler, NULL);
    harness_image_destroy(&f.scene.vk, &image);
    finish(&f);
}

static void integer_textures_under_a_linear_filter_follow_the_setting(void **state)
{
    (void)state;
    integers(NULL, 7, 7);
    integers("incomplete", 0, 1);
}

static void formats_without_linear_filters_fall_back_to_nearest(void **state)
{
    (void)state;
    static const float texels[] = {0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1};
    struct fixture f;
    struct harness_image image;
    open_with(&f, "ASSUME_MISSING", "linear_float32", HARNESS_SPIRV(integration_channels), false);
    VkSampler sampler = make_sampler(&f, GL_CLAMP_TO_EDGE_TOKEN, GL_LINEAR_TOKEN, NULL, 0);
    make_image(&f, &image, VK_FORMAT_R32G32B32A32_SFLOAT, texels, NULL);
    struct clampler_counters before = harness_counters(&f.scene.vk);
    draw_with(&f, sampler, image.view);
    scene_expect_tier(&f.scene, 0);
    for (unsigned column = 0; column < SCENE_COLUMNS; column++) {
        float red = f.scene.pixels[0][column][0];
        assert_true(red == 0.0f || red == 1.0f);
    }
    assert_int_equal(harness_counters(&f.scene.vk).driver_samplers, before.driver_samplers + 1);
    char text[320];
    assert_int_equal(f.reason(f.scene.vk.device, sampler, image.view, text, sizeof(text)), VK_SUCCESS);
    assert_non_null(strstr(text, "nearest"));
    vkDestroySampler(f.scene.vk.device, sampler, NULL);
    harness_image_destroy(&f.scene.vk, &image);
    finish(&f);
}

/* ---- Identities ---- */

static void equal_samplers_share_what_the_driver_has(void **state)
{
    (void)state;
    static const uint8_t texels[16] = {0};
    struct fixture f;
    struct harness_image image;
    open_fixture(&f);
    /* As many as the driver has for a program (sampling/surplus.h), but for those of the fixture. */
    const uint32_t allowed = f.scene.vk.properties.limits.maxSamplerAllocationCount / 8 * 7;
    const uint32_t count = allowed < 10000 + 100 ? allowed - 100 : 10000;
    make_image(&f, &image, VK_FORMAT_R8G8B8A8_UNORM, texels, NULL);
    VkSampler *samplers = harness_alloc(count, sizeof(*samplers));
    struct clampler_counters before = harness_counters(&f.scene.vk);
    for (uint32_t i = 0; i < count; i++)
        samplers[i] = make_sampler(&f, GL_CLAMP_TO_BORDER_TOKEN, GL_LINEAR_TOKEN, odd_border, 0);
    struct clampler_counters made = harness_counters(&f.scene.vk);
    assert_int_equal(made.driver_samplers, before.driver_samplers);
    assert_true(made.live_bytes - before.live_bytes <= 64 * count);
    for (uint32_t i = 0; i < count; i++)
        harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, samplers[i], image.view);
    struct clampler_counters written = harness_counters(&f.scene.vk);
    assert_int_equal(written.driver_samplers, made.driver_samplers + 1);
    /* All but the last go, and what they shared stays for it. */
    for (uint32_t i = 0; i + 1 < count; i++) {
        assert_true(samplers[i] != samplers[i + 1]);
        vkDestroySampler(f.scene.vk.device, samplers[i], NULL);
    }
    scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &f.set);
    expect_color(&f, OUTSIDE, odd_border[0], odd_border[1], odd_border[2], odd_border[3]);
    scene_expect_tier(&f.scene, 0);
    vkDestroySampler(f.scene.vk.device, samplers[count - 1], NULL);
    struct clampler_counters after = harness_counters(&f.scene.vk);
    assert_int_equal(after.live_bytes, before.live_bytes);
    assert_int_equal(after.live_objects, before.live_objects);
    free(samplers);
    harness_image_destroy(&f.scene.vk, &image);
    finish(&f);
}

static void three_levels_answer_for_pairs(void **state)
{
    (void)state;
    static const uint8_t texels[16] = {0};
    struct fixture f;
    struct harness_image color, integer;
    open_fixture(&f);
    make_image(&f, &color, VK_FORMAT_R8G8B8A8_UNORM, texels, NULL);
    make_image(&f, &integer, VK_FORMAT_R16G16B16A16_SFLOAT, NULL, NULL);
    /* Of one state, so that handles which were not met have pairs that were. */
    VkSampler samplers[2];
    for (unsigned i = 0; i < 2; i++)
        samplers[i] = make_sampler(&f, GL_CLAMP_TO_BORDER_TOKEN, GL_LINEAR_TOKEN, odd_border, 0);
    static const struct {
        unsigned sampler;
        bool second;
        uint64_t hits[3];
    } steps[] = {{0, false, {0, 0, 1}}, {0, false, {1, 0, 0}}, {0, true, {0, 0, 1}},
                 {1, false, {0, 1, 0}}, {1, true, {0, 1, 0}},  {0, false, {1, 0, 0}}};
    for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        struct clampler_counters before = harness_counters(&f.scene.vk);
        harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, samplers[steps[i].sampler],
                            steps[i].second ? integer.view : color.view);
        struct clampler_counters now = harness_counters(&f.scene.vk);
        for (unsigned level = 0; level < 3; level++)
            assert_int_equal(now.pair_hits[level] - before.pair_hits[level], steps[i].hits[level]);
    }
    for (unsigned i = 0; i < 2; i++)
        vkDestroySampler(f.scene.vk.device, samplers[i], NULL);
    harness_image_destroy(&f.scene.vk, &color);
    harness_image_destroy(&f.scene.vk, &integer);
    finish(&f);
}

static void reasons_are_given_in_words(void **state)
{
    (void)state;
    struct fixture f;
    char text[320];
    open_fixture(&f);
    const VkImageView view = f.scene.textures[SCENE_RAMP].view;
    VkDevice device = f.scene.vk.device;
    assert_int_equal(f.reason(device, f.scene.samplers[SCENE_GL_EDGE], view, text, sizeof(text)), VK_SUCCESS);
    assert_string_equal(text, "native");
    assert_int_equal(f.reason(device, f.scene.samplers[SCENE_CLAMP], view, text, sizeof(text)), VK_SUCCESS);
    assert_non_null(strstr(text, "CLAMP"));
    assert_int_equal(f.reason(device, f.scene.samplers[SCENE_CLAMP], VK_NULL_HANDLE, text, sizeof(text)), VK_SUCCESS);
    assert_non_null(strstr(text, "CLAMP"));
    assert_int_equal(f.reason(device, VK_NULL_HANDLE, view, text, sizeof(text)), VK_ERROR_UNKNOWN);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_formats_and_swizzles_reach_texels_and_borders),
        cmocka_unit_test(components_say_what_four_zeros_cannot),
        cmocka_unit_test(twins_go_wherever_descriptors_are_written),
        cmocka_unit_test(separate_images_get_their_twin),
        cmocka_unit_test(srgb_textures_can_be_sampled_without_decoding),
        cmocka_unit_test(views_of_other_formats_are_sampled_without_decoding),
        cmocka_unit_test(alpha_in_decoded_channels_is_stored_alpha),
        cmocka_unit_test(integer_textures_under_a_linear_filter_follow_the_setting),
        cmocka_unit_test(formats_without_linear_filters_fall_back_to_nearest),
        cmocka_unit_test(equal_samplers_share_what_the_driver_has),
        cmocka_unit_test(three_levels_answer_for_pairs),
        cmocka_unit_test(reasons_are_given_in_words),
    };
    return cmocka_run_group_tests_name("pairs", tests, NULL, NULL);
}
