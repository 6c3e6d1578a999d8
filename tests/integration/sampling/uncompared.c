/* SPDX-License-Identifier: MIT */
/*
 * Separate samplers that compare: OpenGL compares depth alone (section 8.23.1), so that a lookup of a colour through
 * one returns the colour, in tier 2. Shadow lookups stay in the tier that they have, whatever else the set and the
 * shader have: which bindings are looked up without comparing decides.
 */
#include <math.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_uncompared_ordinary.h"
#include "integration_uncompared_ordinary_passed.h"
#include "integration_uncompared_plain.h"
#include "integration_uncompared_plain_passed.h"
#include "integration_uncompared_split.h"

enum { TEXELS = 4 };

static const float depths[TEXELS] = {0.25f, 0.75f, 0.125f, 1.0f};
static const uint8_t colours[TEXELS][4] = {
    {51, 102, 204, 255}, {255, 0, 51, 255}, {0, 153, 255, 255}, {102, 51, 0, 255}};

struct fixture {
    struct scene scene;
    struct harness_image depth, colour;
    VkSampler comparing, ordinary;
};

/* The other one is nearest: a linear one would need tier 2 beside depth that the driver cannot filter. */
static VkSampler make_sampler(struct fixture *f, bool compares)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP_TO_EDGE,
                                                   .wrapT = TOKEN_CLAMP_TO_EDGE,
                                                   .wrapR = TOKEN_CLAMP_TO_EDGE,
                                                   .minFilter = compares ? TOKEN_LINEAR : TOKEN_NEAREST,
                                                   .magFilter = compares ? TOKEN_LINEAR : TOKEN_NEAREST,
                                                   .maxLod = 1000,
                                                   .compareMode = compares ? TOKEN_COMPARE_REF_TO_TEXTURE : 0,
                                                   .compareFunc = compares ? TOKEN_NEVER + 1 : 0};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    return harness_sampler(&f->scene.vk, &info);
}

/* `plain`: for code that looks up without comparing through a sampler that compares. */
static void open_fixture(struct fixture *f, const struct harness_vulkan_params *params, bool plain)
{
    scene_open(&f->scene, params);
    if (plain && harness_ends_by_plain_lookups(&f->scene.vk)) {
        scene_close(&f->scene);
        print_message("skipped: this driver's compiler ends the process (docs/limits.md)\n");
        skip();
    }
    const struct harness_image_params image = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_D32_SFLOAT, .width = TEXELS, .height = 1};
    struct harness_image_params colour = image;
    colour.format = VK_FORMAT_R8G8B8A8_UNORM;
    harness_image_create(&f->scene.vk, &f->depth, &image, depths);
    harness_image_create(&f->scene.vk, &f->colour, &colour, colours);
    f->comparing = make_sampler(f, true);
    f->ordinary = make_sampler(f, false);
}

static void finish(struct fixture *f)
{
    vkDestroySampler(f->scene.vk.device, f->comparing, NULL);
    vkDestroySampler(f->scene.vk.device, f->ordinary, NULL);
    harness_image_destroy(&f->scene.vk, &f->depth);
    harness_image_destroy(&f->scene.vk, &f->colour);
    scene_close(&f->scene);
}

static const VkDescriptorSetLayoutBinding bindings[] = {
    SCENE_BINDING(0, SAMPLED_IMAGE, 1), SCENE_BINDING(1, SAMPLER, 1), SCENE_BINDING(2, SAMPLED_IMAGE, 1),
    SCENE_BINDING(3, SAMPLER, 1)};

static void write_sampler(struct fixture *f, VkDescriptorSet set, uint32_t binding, VkSampler sampler)
{
    harness_write_image(&f->scene.vk, set, binding, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
}

static void write_set_with(struct fixture *f, VkDescriptorSet set, VkSampler first, VkSampler second)
{
    harness_write_image(&f->scene.vk, set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, f->depth.view);
    harness_write_image(&f->scene.vk, set, 2, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, f->colour.view);
    write_sampler(f, set, 1, first);
    write_sampler(f, set, 3, second);
}

static void write_set(struct fixture *f, VkDescriptorSet set)
{
    write_set_with(f, set, f->comparing, f->ordinary);
}

/* The colour, and in alpha whether one half is less than the depth. */
static void expect_pixels(const struct fixture *f)
{
    for (unsigned texel = 0; texel < TEXELS; texel++) {
        const float *pixel = f->scene.pixels[0][texel];
        for (unsigned channel = 0; channel < 3; channel++) {
            const float wanted = (float)colours[texel][channel] / 255;
            if (fabsf(pixel[channel] - wanted) > 0.005f)
                fail_msg("texel %u, channel %u: %g, not %g", texel, channel, (double)pixel[channel], (double)wanted);
        }
        assert_float_equal(pixel[3], depths[texel] > 0.5f ? 1 : 0, 0);
    }
}

static void draw(struct fixture *f, const struct scene_program *program, VkDescriptorSet set, unsigned tier)
{
    scene_draw(&f->scene, program->pipeline, program->layout, 1, &set);
    expect_pixels(f);
    scene_expect_tier(&f->scene, tier);
}

static void shadow_lookups_keep_their_tier(void **state)
{
    (void)state;
    struct fixture f;
    struct scene_program direct, passed;
    open_fixture(&f, NULL, false);
    scene_program_create(&f.scene, &direct, HARNESS_SPIRV(integration_uncompared_ordinary), bindings, 4, 0, NULL);
    scene_program_create(&f.scene, &passed, HARNESS_SPIRV(integration_uncompared_ordinary_passed), bindings, 4, 0,
                         NULL);
    VkDescriptorSet set = harness_set(&f.scene.vk, direct.set_layout);
    write_set(&f, set);
    draw(&f, &direct, set, 0);
    draw(&f, &passed, set, 0);
    scene_expect_own_code(&f.scene);
    scene_program_destroy(&f.scene, &direct);
    scene_program_destroy(&f.scene, &passed);
    finish(&f);
}

static void colours_are_not_compared(void **state)
{
    (void)state;
    struct fixture f;
    struct scene_program direct, passed;
    open_fixture(&f, NULL, true);
    scene_program_create(&f.scene, &direct, HARNESS_SPIRV(integration_uncompared_plain), bindings, 4, 0, NULL);
    scene_program_create(&f.scene, &passed, HARNESS_SPIRV(integration_uncompared_plain_passed), bindings, 4, 0, NULL);
    VkDescriptorSet set = harness_set(&f.scene.vk, direct.set_layout);
    write_set(&f, set);
    draw(&f, &direct, set, 2);
    draw(&f, &passed, set, 2);
    scene_program_destroy(&f.scene, &direct);
    scene_program_destroy(&f.scene, &passed);
    finish(&f);
}

/* One set: the pipeline decides, and then what is written to which binding. */
static void bindings_decide_the_tier(void **state)
{
    (void)state;
    struct fixture f;
    struct scene_program plain, ordinary;
    open_fixture(&f, NULL, true);
    scene_program_create(&f.scene, &plain, HARNESS_SPIRV(integration_uncompared_plain), bindings, 4, 0, NULL);
    scene_program_create(&f.scene, &ordinary, HARNESS_SPIRV(integration_uncompared_ordinary), bindings, 4, 0, NULL);
    VkDescriptorSet set = harness_set(&f.scene.vk, plain.set_layout);
    write_set(&f, set);
    draw(&f, &ordinary, set, 0);
    draw(&f, &plain, set, 2);
    draw(&f, &ordinary, set, 0);
    write_sampler(&f, set, 3, f.comparing);
    draw(&f, &ordinary, set, 2);
    write_sampler(&f, set, 3, f.ordinary);
    VkDescriptorSet other = harness_set(&f.scene.vk, plain.set_layout);
    /* The second is one that this pipeline does not look up through. A binding that had one that compares keeps
     * counting. */
    write_set_with(&f, other, f.ordinary, f.comparing);
    scene_draw(&f.scene, plain.pipeline, plain.layout, 1, &other);
    scene_expect_tier(&f.scene, 0);
    scene_program_destroy(&f.scene, &plain);
    scene_program_destroy(&f.scene, &ordinary);
    finish(&f);
}

/* Sets whose needs are the same, of other bindings, bound one after the other in one command buffer. */
static void sets_of_equal_needs_differ_by_binding(void **state)
{
    (void)state;
    struct fixture f;
    struct scene_program program;
    VkDescriptorSet sets[2];
    open_fixture(&f, NULL, true);
    scene_program_create(&f.scene, &program, HARNESS_SPIRV(integration_uncompared_ordinary), bindings, 4, 0, NULL);
    for (unsigned i = 0; i < 2; i++) {
        sets[i] = harness_set(&f.scene.vk, program.set_layout);
        write_set(&f, sets[i]);
    }
    write_sampler(&f, sets[1], 1, f.ordinary);
    write_sampler(&f, sets[1], 3, f.comparing);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.pipeline);
    for (unsigned i = 0; i < 3; i++) {
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.layout, 0, 1, &sets[i % 2], 0, NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    scene_end(&f.scene, commands);
    expect_pixels(&f);
    assert_int_equal(f.scene.drew[0], 2);
    assert_int_equal(f.scene.drew[2], 1);
    scene_program_destroy(&f.scene, &program);
    finish(&f);
}

static void halves_of_combined_samplers_do_not_compare_colours(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding split[] = {
        SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1), SCENE_BINDING(2, SAMPLED_IMAGE, 1), SCENE_BINDING(3, SAMPLER, 1)};
    struct fixture f;
    struct scene_program program;
    open_fixture(&f, NULL, true);
    scene_program_create(&f.scene, &program, HARNESS_SPIRV(integration_uncompared_split), split, 3, 0, NULL);
    VkDescriptorSet set = harness_set(&f.scene.vk, program.set_layout);
    harness_write_image(&f.scene.vk, set, 0, 0, SCENE_COMBINED, f.comparing, f.depth.view);
    harness_write_image(&f.scene.vk, set, 2, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, f.colour.view);
    write_sampler(&f, set, 3, f.ordinary);
    draw(&f, &program, set, 2);
    scene_program_destroy(&f.scene, &program);
    finish(&f);
}

static void pushed_samplers_do_not_compare_colours(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    const struct harness_vulkan_params params = {.device_extensions = extensions, .device_extension_count = 1};
    struct fixture f;
    struct scene_program plain, ordinary;
    open_fixture(&f, &params, true);
    PFN_vkCmdPushDescriptorSetKHR push = HARNESS_PROC(&f.scene.vk, vkCmdPushDescriptorSetKHR);
    scene_program_create(&f.scene, &plain, HARNESS_SPIRV(integration_uncompared_plain), bindings, 4,
                         VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, NULL);
    scene_program_create(&f.scene, &ordinary, HARNESS_SPIRV(integration_uncompared_ordinary), bindings, 4,
                         VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, NULL);
    const VkDescriptorImageInfo infos[4] = {{VK_NULL_HANDLE, f.depth.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
                                            {.sampler = f.comparing},
                                            {VK_NULL_HANDLE, f.colour.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
                                            {.sampler = f.ordinary}};
    VkWriteDescriptorSet writes[4];
    for (uint32_t i = 0; i < 4; i++)
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = bindings[i].descriptorType,
                                           .pImageInfo = &infos[i]};
    for (unsigned i = 0; i < 2; i++) {
        const struct scene_program *program = i ? &plain : &ordinary;
        VkCommandBuffer commands = scene_begin(&f.scene);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program->pipeline);
        push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program->layout, 0, 4, writes);
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&f.scene, commands);
        expect_pixels(&f);
        scene_expect_tier(&f.scene, i ? 2u : 0u);
    }
    scene_program_destroy(&f.scene, &plain);
    scene_program_destroy(&f.scene, &ordinary);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shadow_lookups_keep_their_tier),
        cmocka_unit_test(colours_are_not_compared),
        cmocka_unit_test(bindings_decide_the_tier),
        cmocka_unit_test(sets_of_equal_needs_differ_by_binding),
        cmocka_unit_test(halves_of_combined_samplers_do_not_compare_colours),
        cmocka_unit_test(pushed_samplers_do_not_compare_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
