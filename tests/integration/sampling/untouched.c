/* SPDX-License-Identifier: MIT */
/*
 * Samplers that convert colours (YCbCr) or belong to subsampled images pass through: the driver gets the program's own
 * create-info and chain, whatever settings say, no record is written for them, and their lookups stay the driver's in
 * every tier. The drivers of the tests need not know such samplers, and get usual ones of the fault
 * layer: the layer must not look at more than that they are.
 * Of GL state, in turn, nothing that Vulkan has beside it reaches the driver.
 * And structures that nobody knows, which stay where they are, hide nothing of what a program has enabled behind them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/layers/faults.h"
#include "integration/shared/scene.h"
#include "integration_combined.h"
#include "integration_single.h"

/*
 * YCbCr by its chain, and by a chain behind another structure; the flags of VK_EXT_fragment_density_map, and of
 * VK_QCOM_image_processing, whose samplers are no usual ones either.
 */
enum kind { CONVERTED, CONVERTED_LAST, SUBSAMPLED, SUBSAMPLED_COARSE, PROCESSING, KINDS };

struct chain {
    VkSamplerYcbcrConversionInfo conversion;
    VkSamplerReductionModeCreateInfo reduction;
};

/* CLAMP_TO_EDGE, linear: what the settings gl_clamp and linear_fallback would act on. */
static VkSamplerCreateInfo info_of(enum kind kind, struct chain *chain)
{
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
    *chain = (struct chain){
        .conversion = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO},
        .reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, .pNext = &chain->conversion}};
    if (kind == CONVERTED)
        info.pNext = &chain->conversion;
    if (kind == CONVERTED_LAST)
        info.pNext = &chain->reduction;
    if (kind == SUBSAMPLED)
        info.flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT;
    if (kind == SUBSAMPLED_COARSE)
        info.flags = VK_SAMPLER_CREATE_SUBSAMPLED_COARSE_RECONSTRUCTION_BIT_EXT;
    if (kind == PROCESSING)
        info.flags = 0x10; /* VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM */
    return info;
}

static bool same_info(const VkSamplerCreateInfo *a, const VkSamplerCreateInfo *b)
{
    return a->pNext == b->pNext && a->flags == b->flags && a->magFilter == b->magFilter &&
           a->minFilter == b->minFilter && a->mipmapMode == b->mipmapMode && a->addressModeU == b->addressModeU &&
           a->addressModeV == b->addressModeV && a->addressModeW == b->addressModeW &&
           memcmp(&a->mipLodBias, &b->mipLodBias, sizeof(float)) == 0 && a->anisotropyEnable == b->anisotropyEnable &&
           a->compareEnable == b->compareEnable && memcmp(&a->minLod, &b->minLod, sizeof(float)) == 0 &&
           memcmp(&a->maxLod, &b->maxLod, sizeof(float)) == 0 && a->borderColor == b->borderColor &&
           a->unnormalizedCoordinates == b->unnormalizedCoordinates;
}

/* A program that knows nothing of the layer, under settings that act on every sampler of the usual kind. */
static void open_under_settings(struct scene *scene, const char *tiers)
{
    memset(scene, 0, sizeof(*scene));
    harness_vulkan_hold_driver();
    harness_messages_reset();
    setenv("VK_CLAMPLER_GL_CLAMP", "edge,border", 1);
    setenv("VK_CLAMPLER_LINEAR_FALLBACK", "shader", 1);
    setenv("VK_CLAMPLER_BORDER_COLOR", "shader", 1);
    setenv("VK_CLAMPLER_TIERS", tiers, 1);
    /* No validation: the driver offers neither kind. */
    harness_vulkan_open(&scene->vk, &(struct harness_vulkan_params){.layers = "clampler:" FAULT_LAYER});
    setenv("VK_CLAMPLER_TIERS", "lazy", 1);
    unsetenv("VK_CLAMPLER_BORDER_COLOR");
    unsetenv("VK_CLAMPLER_LINEAR_FALLBACK");
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    scene_make(scene, false);
}

static void the_driver_gets_the_programs_own_create_info(void **state)
{
    (void)state;
    struct fault_control *control = faults_open();
    struct scene scene;
    char text[320];
    open_under_settings(&scene, "lazy");
    PFN_clamplerGetPairReason reason =
        (PFN_clamplerGetPairReason)vkGetDeviceProcAddr(scene.vk.device, CLAMPLER_GET_PAIR_REASON);
    assert_non_null(reason);
    for (int kind = 0; kind < KINDS; kind++) {
        struct chain chain;
        const VkSamplerCreateInfo info = info_of((enum kind)kind, &chain);
        struct clampler_counters before = harness_counters(&scene.vk);
        VkSampler sampler = harness_sampler(&scene.vk, &info);
        assert_true(same_info(&control->sampler, &info));
        assert_int_equal(reason(scene.vk.device, sampler, VK_NULL_HANDLE, text, sizeof(text)), VK_SUCCESS);
        assert_non_null(strstr(text, "untouched"));
        vkDestroySampler(scene.vk.device, sampler, NULL);
        assert_int_equal(harness_counters(&scene.vk).live_bytes, before.live_bytes);
        assert_int_equal(harness_counters(&scene.vk).live_objects, before.live_objects);
    }
    /* What else the settings make of such a create-info: the test can see a difference. */
    const VkSamplerCreateInfo usual = scene_sampler_info(SCENE_EDGE, NULL);
    VkSampler sampler = harness_sampler(&scene.vk, &usual);
    assert_false(same_info(&control->sampler, &usual));
    vkDestroySampler(scene.vk.device, sampler, NULL);
    scene_close(&scene);
}

/* Written, or immutable in the layout: alone in tier 0, and beside a sampler that asks for tier 1. */
static void lookups_through_them_stay_the_drivers(void **state)
{
    (void)state;
    faults_open();
    struct scene scene;
    open_under_settings(&scene, "lazy");
    for (int kind = 0; kind < KINDS; kind++)
        for (int immutable = 0; immutable < 2; immutable++)
            for (unsigned tier = 0; tier < 2; tier++) {
                struct chain chain;
                struct scene_program program;
                const VkSamplerCreateInfo info = info_of((enum kind)kind, &chain);
                VkSampler sampler = harness_sampler(&scene.vk, &info);
                const VkSampler three[3] = {sampler, sampler, sampler};
                VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                                           SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                                           SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
                bindings[0].pImmutableSamplers = immutable ? three : NULL;
                bindings[2].pImmutableSamplers = immutable ? three : NULL;
                scene_program_create(&scene, &program, HARNESS_SPIRV(integration_combined), bindings, 3, 0, NULL);
                VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
                for (uint32_t row = 0; row < SCENE_ROWS; row++) {
                    static const uint32_t places[SCENE_ROWS][2] = {{0, 0}, {0, 1}, {2, 0}, {5, 0}, {5, 1}, {5, 2}};
                    /* The one that the settings act on is CLAMP_TO_BORDER with a white border: GL_CLAMP's. */
                    harness_write_image(&scene.vk, set, places[row][0], places[row][1], SCENE_COMBINED,
                                        tier && row == 2 ? scene.samplers[SCENE_BORDER] : sampler,
                                        scene.textures[SCENE_STEPS].view);
                }
                scene_draw(&scene, program.pipeline, program.layout, 1, &set);
                scene_expect_tier(&scene, tier ? 1 : 0);
                for (unsigned row = 0; row < SCENE_ROWS; row++)
                    scene_expect_row(&scene, row, tier && row == 2 ? SCENE_CLAMP : SCENE_EDGE, SCENE_STEPS);
                HARNESS_VK(vkFreeDescriptorSets(scene.vk.device, scene.vk.descriptors, 1, &set));
                scene_program_destroy(&scene, &program);
                vkDestroySampler(scene.vk.device, sampler, NULL);
            }
    scene_close(&scene);
}

/* Where all of a shader's samplers are immutable ones of these kinds, it has no other tiers: the rest is not legal. */
static void shaders_of_immutable_ones_are_not_rewritten(void **state)
{
    (void)state;
    faults_open();
    struct scene scene;
    open_under_settings(&scene, "eager");
    for (int kind = 0; kind <= KINDS; kind++) {
        struct chain chain;
        struct scene_program program;
        const VkSamplerCreateInfo info =
            kind < KINDS ? info_of((enum kind)kind, &chain) : scene_sampler_info(SCENE_EDGE, NULL);
        VkSampler sampler = harness_sampler(&scene.vk, &info);
        const VkSampler three[3] = {sampler, sampler, sampler};
        VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                                   SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                                   SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
        for (int i = 0; i < 3; i++)
            bindings[i].pImmutableSamplers = three;
        struct clampler_counters before = harness_counters(&scene.vk);
        scene_program_create(&scene, &program, HARNESS_SPIRV(integration_combined), bindings, 3, 0, NULL);
        struct clampler_counters after = harness_counters(&scene.vk);
        assert_int_equal(after.modules_rewritten > before.modules_rewritten, kind == KINDS); /* the usual kind is */
        assert_int_equal(after.pipelines[1] > before.pipelines[1], kind == KINDS);
        scene_program_destroy(&scene, &program);
        vkDestroySampler(scene.vk.device, sampler, NULL);
    }
    scene_close(&scene);
}

/* ---- Beside others ---- */

static bool said(const char *words)
{
    for (uint32_t i = 0; i < harness_layer_messages(); i++) {
        if (strstr(harness_layer_message(i), words))
            return true;
    }
    return false;
}

/* Two immutable samplers in an array: the layout is made, or refused with a message, by both commands alike. */
static void expect_array(struct harness_vulkan *vk, VkSampler first, VkSampler second, VkResult expected,
                         const char *message)
{
    const VkSampler samplers[] = {first, second};
    VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2);
    binding.pImmutableSamplers = samplers;
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    const VkDescriptorSetLayout untouched = (VkDescriptorSetLayout)(uintptr_t)0x5eed;
    VkDescriptorSetLayout layout = untouched;
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    harness_messages_reset();
    vkGetDescriptorSetLayoutSupport(vk->device, &info, &support);
    assert_int_equal(support.supported, expected == VK_SUCCESS);
    assert_int_equal(vkCreateDescriptorSetLayout(vk->device, &info, NULL, &layout), expected);
    assert_int_equal(layout == untouched, expected != VK_SUCCESS);
    assert_int_equal(said("an array of immutable samplers"), message != NULL);
    if (message)
        assert_true(said(message));
    if (layout != untouched)
        vkDestroyDescriptorSetLayout(vk->device, layout, NULL);
}

/* In one array of immutable samplers they have none beside them that ask for something. */
static void arrays_of_them_and_of_gl_samplers_are_refused(void **state)
{
    (void)state;
    faults_open();
    struct scene scene;
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler:" FAULT_LAYER});
    for (int kind = 0; kind < KINDS; kind++) {
        struct chain chain;
        const VkSamplerCreateInfo info = info_of((enum kind)kind, &chain);
        VkSamplerCreateInfo private_mode = scene_sampler_info(SCENE_EDGE, NULL);
        private_mode.addressModeU = VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER;
        VkSampler sampler = harness_sampler(&scene.vk, &info), mode = harness_sampler(&scene.vk, &private_mode);
        expect_array(&scene.vk, sampler, scene.samplers[SCENE_CLAMP], VK_ERROR_VALIDATION_FAILED_EXT,
                     "vkCreateDescriptorSetLayout");
        expect_array(&scene.vk, mode, sampler, VK_ERROR_VALIDATION_FAILED_EXT, "vkCreateDescriptorSetLayout");
        expect_array(&scene.vk, sampler, sampler, VK_SUCCESS, NULL);
        expect_array(&scene.vk, sampler, scene.samplers[SCENE_EDGE], VK_SUCCESS, NULL);
        expect_array(&scene.vk, mode, scene.samplers[SCENE_CLAMP], VK_SUCCESS, NULL);
        vkDestroySampler(scene.vk.device, mode, NULL);
        vkDestroySampler(scene.vk.device, sampler, NULL);
    }
    scene_close(&scene);
    /* What settings ask for is none of the program's doing. */
    struct chain chain;
    const VkSamplerCreateInfo info = info_of(CONVERTED, &chain);
    open_under_settings(&scene, "lazy");
    VkSampler sampler = harness_sampler(&scene.vk, &info);
    expect_array(&scene.vk, sampler, scene.samplers[SCENE_BORDER], VK_SUCCESS, "the driver's own semantics");
    vkDestroySampler(scene.vk.device, sampler, NULL);
    scene_close(&scene);
}

/* Nor have their images views with GL state, and no record says how to sample them. */
static void images_whose_texels_only_the_driver_finds(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    static const VkImageCreateFlags flags[] = {VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT,
                                               VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV, 0};
    static const uint8_t texels[4 * 2] = {20, 180, 60, 240, 20, 180, 60, 240};
    faults_open();
    for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        struct scene scene;
        struct scene_program program;
        struct harness_image image;
        /* No validation: the driver offers neither. */
        scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler:" FAULT_LAYER, .gl_image_view = true});
        scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
        harness_image_create(&scene.vk, &image,
                             &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                            .format = VK_FORMAT_R8_UNORM,
                                                            .width = 4,
                                                            .height = 2,
                                                            .flags = flags[i]},
                             texels);
        const VkImageViewGLStateCreateInfoCLAMPLER gl = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = TOKEN_RED};
        VkImageViewCreateInfo info = harness_image_view_info(&image);
        VkImageView view = VK_NULL_HANDLE;
        info.pNext = &gl;
        harness_messages_reset();
        const VkResult result = vkCreateImageView(scene.vk.device, &info, NULL, &view);
        assert_int_equal(result, flags[i] ? VK_ERROR_VALIDATION_FAILED_EXT : VK_SUCCESS);
        assert_int_equal(said("exclude each other"), flags[i] != 0);
        if (result == VK_SUCCESS)
            vkDestroyImageView(scene.vk.device, view, NULL);
        VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
        harness_messages_reset();
        harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, scene.samplers[SCENE_CLAMP], image.view);
        scene_draw(&scene, program.pipeline, program.layout, 1, &set);
        scene_expect_tier(&scene, flags[i] ? 0 : 1);
        if (flags[i])
            assert_true(said("whose texels only the driver can"));
        harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, scene.samplers[SCENE_EDGE], image.view);
        scene_draw(&scene, program.pipeline, program.layout, 1, &set);
        scene_expect_tier(&scene, 0);
        if (!flags[i]) /* a driver that knows such images has their texels elsewhere */
            scene_expect_row(&scene, 0, SCENE_EDGE, SCENE_STEPS);
        harness_image_destroy(&scene.vk, &image);
        scene_program_destroy(&scene, &program);
        scene_close(&scene);
    }
}

/* What Vulkan has for the same things may stand beside the structure: it does not count, nor reach the driver. */
static void gl_state_wins_over_vulkans_structures_beside_it(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct fault_control *control = faults_open();
    struct scene scene;
    struct scene_program program;
    /* Below only: the program has enabled none of what the structures belong to, which does not matter here. */
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler:validation:" FAULT_LAYER});
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    const VkSamplerReductionModeCreateInfo reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                        .reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN};
    const VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .pNext = &reduction,
        .customBorderColor = {.float32 = {0.25f, 0, 0, 1}},
        .format = VK_FORMAT_R8_UNORM};
    const VkSamplerBorderColorComponentMappingCreateInfoEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT,
        .pNext = &color,
        .components = {VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO,
                       VK_COMPONENT_SWIZZLE_ZERO}};
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.pNext = &mapping;
    info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    VkSampler sampler = harness_sampler(&scene.vk, &info);
    assert_int_equal(control->sampler_chain, 0);
    assert_int_equal(control->sampler.borderColor, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
    harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, sampler, scene.textures[SCENE_STEPS].view);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(&scene, 1);
    scene_expect_row(&scene, 0, SCENE_CLAMP, SCENE_STEPS);
    vkDestroySampler(scene.vk.device, sampler, NULL);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

/* A swizzle of a view with GL state replaces components, for the view that is sampled and the program's own. */
static void swizzles_of_gl_views_replace_components(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct scene scene;
    struct scene_program program;
    scene_open(&scene, &(struct harness_vulkan_params){.gl_image_view = true});
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    for (unsigned swizzled = 0; swizzled < 2; swizzled++) {
        const VkImageViewGLStateCreateInfoCLAMPLER gl = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
            .swizzle = {TOKEN_RED, swizzled ? 0 : TOKEN_GREEN, swizzled ? 0 : TOKEN_BLUE,
                        swizzled ? 0 : TOKEN_ALPHA}}; /* GL_RED, then zeros or the identity */
        const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .pNext = &gl,
                                            .image = scene.textures[SCENE_STEPS].image,
                                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                            .format = VK_FORMAT_R8_UNORM,
                                            .components = {.r = VK_COMPONENT_SWIZZLE_ONE},
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        VkImageView view;
        HARNESS_VK(vkCreateImageView(scene.vk.device, &info, NULL, &view));
        harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, scene.samplers[SCENE_EDGE], view);
        scene_draw(&scene, program.pipeline, program.layout, 1, &set);
        scene_expect_row(&scene, 0, SCENE_EDGE, SCENE_STEPS);
        vkDestroyImageView(scene.vk.device, view, NULL);
    }
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

/* ---- Structures that nobody knows ---- */

/* GL_MIRROR_CLAMP_TO_EDGE by what the device has for it: the pixels are the same. */
static void expect_mirrored(const void *device_next, unsigned tier)
{
    static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct scene scene;
    struct scene_program program;
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_MIRROR, &gl);
    /* No validation, which would not let pass what it does not know. */
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler", .device_next = device_next});
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    gl.wrapS = gl.wrapT = gl.wrapR = TOKEN_MIRROR_CLAMP_TO_EDGE;
    VkSampler sampler = harness_sampler(&scene.vk, &info);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, sampler, scene.textures[SCENE_STEPS].view);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(&scene, tier);
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        static const float steps[] = {20, 180, 60, 240};
        const float u =
            fminf(fmaxf(fabsf((((float)x + 0.5f) * 3.0f / SCENE_COLUMNS - 1.0f) * 4.0f), 0.5f), 3.5f) - 0.5f;
        const unsigned first = u < 2.0f ? (unsigned)u : 2;
        const float expected = (steps[first] + (steps[first + 1] - steps[first]) * (u - (float)first)) / 255.0f;
        assert_true(fabsf(scene.pixels[0][x][0] - expected) <= 1.5f / 255.0f);
    }
    vkDestroySampler(scene.vk.device, sampler, NULL);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

static void structures_that_nobody_knows_hide_nothing(void **state)
{
    (void)state;
    for (VkBool32 on = VK_FALSE; on <= VK_TRUE; on++) {
        VkPhysicalDeviceVulkan12Features core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .samplerMirrorClampToEdge = on};
        const VkBaseInStructure before = {.sType = (VkStructureType)1999999123, .pNext = (const void *)&core12};
        const VkBaseInStructure after = {.sType = (VkStructureType)1999999123};
        const VkPhysicalDeviceSynchronization2Features other = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, .pNext = (void *)(uintptr_t)&before};
        expect_mirrored(&other, on ? 0 : 1);
        core12.pNext = (void *)(uintptr_t)&after; /* before it: the layer enables what it wants */
        expect_mirrored(&core12, 0);
    }
    const VkBaseInStructure alone = {.sType = (VkStructureType)1999999123};
    expect_mirrored(&alone, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gl_state_wins_over_vulkans_structures_beside_it),
        cmocka_unit_test(swizzles_of_gl_views_replace_components),
        cmocka_unit_test(shaders_of_immutable_ones_are_not_rewritten),
        cmocka_unit_test(arrays_of_them_and_of_gl_samplers_are_refused),
        cmocka_unit_test(images_whose_texels_only_the_driver_finds),
        cmocka_unit_test(the_driver_gets_the_programs_own_create_info),
        cmocka_unit_test(lookups_through_them_stay_the_drivers),
        cmocka_unit_test(structures_that_nobody_knows_hide_nothing),
    };
    return cmocka_run_group_tests_name("untouched", tests, NULL, NULL);
}
