/* SPDX-License-Identifier: MIT */
/*
 * Attachments without alpha on drivers that lack a part of what the layer uses for them: formats that cannot be
 * blended, single parts of dynamic blend state, independent blending. The limited driver sees to it that what is
 * missing is not used.
 */
#include <stdlib.h>
#include <string.h>

#include "integration/attachments/alpha_scene.h"
#include "integration_limits_2.h"
#include "limited_driver/limited_driver.h"

static void limits_open(struct alpha_scene *scene, const char *rules)
{
    setenv("LIMITED_DRIVER_RULES", rules, 1);
    setenv("VK_CLAMPLER_ALPHA_WRITE", "keep", 1);
    alpha_open_with(scene, (struct harness_vulkan_params){
                               .layers = "clampler:validation:limited", .gl_sampler = true, .alpha_to_one = true});
    unsetenv("VK_CLAMPLER_ALPHA_WRITE");
    unsetenv("LIMITED_DRIVER_RULES");
}

static void limits_close(struct alpha_scene *scene)
{
    PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(scene->vk.device, "vkGetViolationsLIMITED");
    assert_non_null(get);
    assert_int_equal(get(scene->vk.device, 0, NULL), 0);
    alpha_close(scene);
}

/* Draws with a state, and compares with the driver's own blending; what the layer counted meanwhile. */
static struct clampler_counters check(struct alpha_scene *scene, const VkPipelineColorBlendAttachmentState *state)
{
    alpha_pixels expected, found;
    alpha_native(scene, state, expected);
    const struct clampler_counters before = harness_counters(&scene->vk);
    alpha_drawn(scene, GL_RGB_BASE, false, state, found);
    struct clampler_counters after = harness_counters(&scene->vk);
    alpha_expect_colors(found, expected);
    alpha_expect_alpha(found, 255);
    after.blend_variants -= before.blend_variants;
    after.blend_updates -= before.blend_updates;
    after.alpha_kept -= before.alpha_kept;
    return after;
}

/* Whether images of linear tiling may be attachments; SwiftShader has none. */
static bool draws_to_linear(const struct alpha_scene *scene)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(scene->vk.physical, ALPHA_FORMAT, &properties);
    return properties.linearTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
}

static void formats_that_cannot_be_blended_are_masked(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "hide format VK_FORMAT_R8G8B8A8_UNORM image COLOR_ATTACHMENT_BLEND",
        "hide format VK_FORMAT_R8G8B8A8_UNORM optimal COLOR_ATTACHMENT_BLEND",
        "hide format VK_FORMAT_R8G8B8A8_UNORM linear COLOR_ATTACHMENT_BLEND",
        ("hide format VK_FORMAT_R8G8B8A8_UNORM image COLOR_ATTACHMENT_BLEND; hide extension "
         "VK_EXT_extended_dynamic_state3 ?VK_EXT_shader_object"),
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        struct alpha_scene scene;
        limits_open(&scene, rules[i]);
        if (i == 2 && !draws_to_linear(&scene)) { /* then nobody can draw to such images, blended or not */
            limits_close(&scene);
            continue;
        }
        const struct clampler_counters counters = check(&scene, &alpha_replaces);
        assert_int_equal(counters.alpha_kept, 0);
        assert_true(counters.blend_updates + counters.blend_variants > 0);
        limits_close(&scene);
    }
}

/* Parts of dynamic blend state, one by one: the rest is a variant, or there is a way without. */
static void parts_of_dynamic_state_are_enough(void **state)
{
    (void)state;
    static const VkPipelineColorBlendAttachmentState replaces_colors = {.colorWriteMask = ALPHA_RGB},
                                                     red = {.colorWriteMask =
                                                                VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_A_BIT};
    static const VkPipelineColorBlendAttachmentState *const states[] = {&alpha_reads_alpha, &alpha_saturates,
                                                                        &alpha_replaces, &replaces_colors, &red};
    static const char *const parts[] = {"extendedDynamicState3ColorBlendEnable",
                                        "extendedDynamicState3ColorBlendEquation",
                                        "extendedDynamicState3ColorWriteMask"};
    enum { ALL = 7, EXTENSION = ALL + 1 };
    for (unsigned hidden = 0; hidden <= EXTENSION; hidden++) {
        char rules[512] = "";
        struct alpha_scene scene;
        if (hidden == EXTENSION)
            strcat(rules, "hide extension VK_EXT_extended_dynamic_state3 ?VK_EXT_shader_object");
        for (unsigned i = 0; i < 3 && hidden < EXTENSION; i++) {
            if (hidden >> i & 1) {
                strcat(rules, "hide feature ");
                strcat(rules, parts[i]);
                strcat(rules, ";");
            }
        }
        limits_open(&scene, rules[0] ? rules : "hide feature extendedDynamicState3PolygonMode");
        if (hidden == EXTENSION)
            assert_false(scene.dynamic);
        for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
            const struct clampler_counters counters = check(&scene, states[i]);
            if (!scene.dynamic) /* what neither blends nor writes alpha needs none */
                assert_int_equal(counters.blend_variants > 0, states[i] != &replaces_colors);
            else if (hidden == 0)
                assert_int_equal(counters.blend_variants, 0);
            else if (hidden == 1 && states[i] == &alpha_replaces) /* only masks: that needs no variant */
                assert_true(counters.blend_variants == 0 && counters.alpha_kept == 0);
        }
        limits_close(&scene);
    }
}

/* Two attachments without alpha, of which only one can keep it by blending, need one state. */
static void without_independent_blending_attachments_have_one_state(void **state)
{
    (void)state;
    static const VkFormat formats[2] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT};
    static const char *const rules[] = {
        "hide feature independentBlend",
        "hide feature independentBlend; hide extension VK_EXT_extended_dynamic_state3 ?VK_EXT_shader_object"};
    for (unsigned r = 0; r < 2; r++) {
        for (unsigned used = 1; used <= 2; used++) {
            struct alpha_scene scene;
            struct harness_image images[2];
            struct blending_pass pass;
            alpha_pixels expected, found;
            uint8_t zeros[ALPHA_PIXELS * 8] = {0};
            limits_open(&scene, rules[r]);
            alpha_native(&scene, &alpha_reads_alpha, expected);
            alpha_target(&scene, &images[0], GL_RGB_BASE, false);
            blending_image_create(
                &scene.vk, &images[1],
                &(struct blending_image_params){
                    .format = formats[1], .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = GL_RGB_BASE},
                zeros);
            struct blending_pass_params params = alpha_pass(BLENDING_PASS, images[0].view, VK_ATTACHMENT_LOAD_OP_LOAD);
            params.count = 2;
            params.views[1] = used > 1 ? images[1].view : VK_NULL_HANDLE;
            params.formats[1] = formats[1];
            blending_pass_create(&scene.vk, &pass, &params);
            VkPipeline pipeline =
                blending_pipeline(&scene.vk, &pass,
                                  &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_limits_2),
                                                                     .layout = scene.layout,
                                                                     .states = {alpha_reads_alpha, alpha_reads_alpha}});
            blending_draw(&scene.vk, &pass, NULL, pipeline);
            blending_image_read(&scene.vk, &images[0], found);
            alpha_expect_colors(found, expected);
            alpha_expect_alpha(found, 255);
            const struct clampler_counters counters = harness_counters(&scene.vk);
            assert_true(counters.blend_updates + counters.blend_variants > 0);
            if (used > 1)
                assert_int_equal(counters.alpha_kept, 0);
            vkDestroyPipeline(scene.vk.device, pipeline, NULL);
            blending_pass_destroy(&scene.vk, &pass);
            for (unsigned i = 0; i < 2; i++)
                harness_image_destroy(&scene.vk, &images[i]);
            limits_close(&scene);
        }
    }
}

/* What a program's version of Vulkan lacks must not be used, whatever the driver's version is. */
static void programs_of_every_version_are_filled(void **state)
{
    (void)state;
    for (uint32_t minor = 0; minor < 4; minor++) {
        struct alpha_scene scene;
        alpha_pixels found;
        setenv("VK_CLAMPLER_ALPHA_TO_ONE", "R8G8B8A8_UNORM", 1);
        alpha_open_with(&scene, (struct harness_vulkan_params){.api_version = VK_MAKE_API_VERSION(0, 1, minor, 0)});
        unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");
        alpha_drawn(&scene, 0, false, &alpha_reads_alpha, found);
        alpha_expect_alpha(found, 255);
        assert_int_equal(harness_counters(&scene.vk).alpha_fills, 1);
        alpha_close(&scene);
    }
}

/*
 * A pipeline that cannot be compiled again, because the registry did not have what it chains, and whose blend state
 * cannot be dynamic, writes the program's alpha: the next pass that loads is filled, in the same command buffer too.
 */
static void what_writes_alpha_all_the_same_is_filled_again(void **state)
{
    (void)state;
    static const VkBaseInStructure unknown = {.sType = (VkStructureType)1000999999};
    static const VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
    static const VkClearColorValue black = {.float32 = {0}};
    for (unsigned unknowing = 0; unknowing < 2; unknowing++) {
        struct alpha_scene scene;
        struct harness_image image;
        struct blending_pass clears, loads;
        alpha_pixels found;
        setenv("LIMITED_DRIVER_RULES", "hide extension VK_EXT_extended_dynamic_state3 ?VK_EXT_shader_object", 1);
        /* No validation, which knows no such structure. */
        alpha_open_with(&scene, (struct harness_vulkan_params){.layers = "clampler:limited",
                                                               .gl_sampler = true,
                                                               .alpha_to_one = true,
                                                               .device_next = &features});
        unsetenv("LIMITED_DRIVER_RULES");
        alpha_target(&scene, &image, GL_RGB_BASE, false);
        const struct blending_pass_params params[2] = {
            alpha_pass(BLENDING_DYNAMIC, image.view, VK_ATTACHMENT_LOAD_OP_CLEAR),
            alpha_pass(BLENDING_DYNAMIC, image.view, VK_ATTACHMENT_LOAD_OP_LOAD)};
        blending_pass_create(&scene.vk, &clears, &params[0]);
        blending_pass_create(&scene.vk, &loads, &params[1]);
        VkPipeline pipeline =
            blending_pipeline(&scene.vk, &clears,
                              &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_limits_2),
                                                                 .layout = scene.layout,
                                                                 .states = {alpha_replaces},
                                                                 .next = unknowing ? &unknown : NULL});
        VkCommandBuffer commands = harness_begin(&scene.vk);
        blending_pass_begin(&clears, commands, &black, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdDraw(commands, 3, 1, 0, 0);
        blending_pass_end(&clears, commands);
        const uint64_t before = harness_counters(&scene.vk).alpha_fills;
        blending_pass_begin(&loads, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        blending_pass_end(&loads, commands);
        assert_int_equal(harness_counters(&scene.vk).alpha_fills - before, unknowing);
        harness_submit(&scene.vk, commands);
        blending_image_read(&scene.vk, &image, found);
        alpha_expect_alpha(found, 255);
        vkDestroyPipeline(scene.vk.device, pipeline, NULL);
        blending_pass_destroy(&scene.vk, &loads);
        alpha_detach(&scene, &image, &clears);
        limits_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_that_cannot_be_blended_are_masked),
        cmocka_unit_test(parts_of_dynamic_state_are_enough),
        cmocka_unit_test(without_independent_blending_attachments_have_one_state),
        cmocka_unit_test(programs_of_every_version_are_filled),
        cmocka_unit_test(what_writes_alpha_all_the_same_is_filled_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
