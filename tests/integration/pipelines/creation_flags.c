/* SPDX-License-Identifier: MIT */
/*
 * What a create-info says of the call that it stands in (its flags in both forms, feedback, caches of validation) holds
 * for everything that is made in that call, and for nothing that is made later. A layer below says what the driver is
 * asked, and remembers what was compiled as a cache on disk does (code_layer).
 */
#include <string.h>

#include "newer_vulkan.h"
#include "harness/drawing/passes.h"
#include "integration/layers/code_layer/code.h"
#include "integration/layers/faults.h"
#include "integration/shared/parts.h"
#include "integration_flags_compute.h"
#include "integration_flags_single.h"

enum {
    BEFORE = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
             VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    BEHIND = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
             VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
};
static const VkFlags64 captures = UINT64_C(0x80000000); /* VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR */
static const VkFlags64 only_cached = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
static const VkFlags64 early = VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;

static struct code_control *control;

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct parts parts;
};

static const VkDescriptorSetLayoutBinding bindings[] = {
    {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};

/* Without validation, which knows no wide flags (1.3.239). */
static void open_fixture(struct fixture *f, const char *tiers)
{
    static const char *const extensions[] = {VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME,
                                             VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                             VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT identifiers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT,
        .pNext = &libraries,
        .shaderModuleIdentifier = VK_TRUE};
    VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .pNext = &identifiers,
                                                 .pipelineCreationCacheControl = VK_TRUE,
                                                 .maintenance4 = VK_TRUE};
    memset(f, 0, sizeof(*f));
    scene_open_with_setting(&f->scene, "TIERS", tiers,
                            &(struct harness_vulkan_params){.layers = "clampler:" CODE_LAYER,
                                                            .device_extensions = extensions,
                                                            .device_extension_count = 3,
                                                            .device_next = &features});
    harness_one_set(&f->scene.vk, bindings, 2, &f->set_layout, &f->layout, &f->set);
    parts_open(&f->scene, &f->parts, HARNESS_SPIRV(integration_flags_single), f->layout);
}

static void close_fixture(struct fixture *f)
{
    parts_close(&f->scene, &f->parts);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
}

/* Flags for a create-info in one of the two forms; `wide` is chained in front of what it has. */
static void give_flags(VkGraphicsPipelineCreateInfo *info, VkFlags64 flags, bool is_wide,
                       VkPipelineCreateFlags2CreateInfoKHR *wide)
{
    *wide = (VkPipelineCreateFlags2CreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, .pNext = info->pNext, .flags = flags};
    if (is_wide)
        info->pNext = wide;
    /* What stands in the narrow form means nothing then. */
    info->flags = is_wide ? VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT : (VkPipelineCreateFlags)flags;
}

static VkResult create(struct fixture *f, uint32_t count, const VkGraphicsPipelineCreateInfo *infos,
                       VkPipeline *pipelines)
{
    return vkCreateGraphicsPipelines(f->scene.vk.device, VK_NULL_HANDLE, count, infos, NULL, pipelines);
}

static void expect_drawn(struct fixture *f, VkPipeline pipeline)
{
    scene_expect_drawn(&f->scene, pipeline, f->layout, f->set, SCENE_EDGE, 0);
    scene_expect_drawn(&f->scene, pipeline, f->layout, f->set, SCENE_CLAMP, 1);
    scene_expect_drawn(&f->scene, pipeline, f->layout, f->set, SCENE_MIXED, 2);
}

/* ---- Calls that must compile nothing ---- */

/*
 * The driver may compile nothing in such a call: neither the program's pipeline nor its tiers, which are made if they
 * are in a cache, and else when a draw needs them.
 */
static void expect_nothing_compiled(bool is_wide)
{
    struct fixture f;
    VkPipeline pipeline;
    VkPipelineCreateFlags2CreateInfoKHR wide;
    open_fixture(&f, "eager");
    for (unsigned round = 0; round < 2; round++) {
        VkGraphicsPipelineCreateInfo info = f.parts.info;
        give_flags(&info, round ? only_cached : 0, is_wide, &wide);
        const uint32_t before = atomic_load(&control->asked);
        scene_mark(&f.scene);
        HARNESS_VK(create(&f, 1, &info, &pipeline));
        scene_take(&f.scene);
        assert_int_equal(atomic_load(&control->asked), before + 4); /* with all tiers */
        for (uint32_t i = before; i < before + 4; i++)
            assert_int_equal(atomic_load(&control->flags[i]) & only_cached, round ? only_cached : 0);
        assert_int_equal(f.scene.pipelines[1], 1);
        assert_int_equal(f.scene.pipelines[2], 2);
        expect_drawn(&f, pipeline);
        vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    }
    close_fixture(&f);
}

static void calls_that_must_compile_nothing_do_not(void **state)
{
    (void)state;
    expect_nothing_compiled(false);
    expect_nothing_compiled(true);
}

/* Code of its own: what the plain pipeline is made of is compiled, and nothing of its tiers. */
static void tiers_that_are_in_no_cache_are_compiled_later(void **state)
{
    (void)state;
    struct fixture f;
    VkPipeline pipeline;
    for (unsigned eager = 0; eager < 2; eager++) {
        open_fixture(&f, eager ? "eager" : "lazy");
        const uint32_t before = atomic_load(&control->asked);
        const VkComputePipelineCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .flags = eager ? (VkPipelineCreateFlags)only_cached : 0,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = harness_module(&f.scene.vk, HARNESS_SPIRV(integration_flags_compute)),
                      .pName = "main"},
            .layout = f.layout};
        scene_mark(&f.scene);
        HARNESS_VK(vkCreateComputePipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
        scene_take(&f.scene);
        assert_int_equal(atomic_load(&control->asked), before + (eager ? 4 : 1));
        assert_int_equal(f.scene.pipelines[0], 1);
        assert_int_equal(f.scene.pipelines[1] + f.scene.pipelines[2], 0);
        vkDestroyShaderModule(f.scene.vk.device, info.stage.module, NULL);
        if (eager) {
            struct harness_buffer pixels;
            harness_buffer_create(&f.scene.vk, &pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f.scene.pixels),
                                  NULL);
            harness_write_buffer(&f.scene.vk, f.set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pixels.buffer);
            scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
            scene_dispatch(&f.scene, pipeline, f.layout, f.set, &pixels);
            scene_expect_tier(&f.scene, 1);
            assert_int_equal(f.scene.pipelines[1], 1);
            for (unsigned row = 0; row < SCENE_ROWS; row++)
                scene_expect_row(&f.scene, row, SCENE_CLAMP, SCENE_STEPS);
            harness_buffer_destroy(&f.scene.vk, &pixels);
        }
        vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
        close_fixture(&f);
    }
    assert_int_equal(harness_layer_messages(), 0);
}

/* ---- Some of a call's pipelines ---- */

/*
 * One of a call needs its code, so the other is made alone: it is derived from none of the call then, and the call's
 * other flags stay. Nothing is said of the creation of the first.
 */
static void pipelines_that_are_made_alone_are_derived_from_none(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, "lazy");
    for (unsigned form = 0; form < 4; form++) {
        const bool is_wide = form & 1, returns = form & 2;
        static const uint8_t nobody[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        const VkPipelineShaderStageModuleIdentifierCreateInfoEXT identifier = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
            .identifierSize = sizeof(nobody),
            .pIdentifier = nobody};
        VkPipelineShaderStageCreateInfo stages[2] = {f.parts.stages[0], f.parts.stages[1]};
        VkPipelineCreationFeedback feedback, stage_feedback[2];
        memset(&feedback, 0xff, sizeof(feedback));
        memset(stage_feedback, 0xff, sizeof(stage_feedback));
        const VkPipelineCreationFeedbackCreateInfo reported = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
            .pPipelineCreationFeedback = &feedback,
            .pipelineStageCreationFeedbackCount = 2,
            .pPipelineStageCreationFeedbacks = stage_feedback};
        VkGraphicsPipelineCreateInfo infos[2] = {f.parts.info, f.parts.info};
        VkPipelineCreateFlags2CreateInfoKHR wide[2];
        VkPipeline pipelines[2];
        stages[1].module = VK_NULL_HANDLE;
        stages[1].pNext = &identifier;
        infos[0].pStages = stages;
        infos[0].pNext = &reported;
        give_flags(&infos[0], only_cached | VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT | (returns ? early : 0), is_wide,
                   &wide[0]);
        give_flags(&infos[1], VK_PIPELINE_CREATE_DERIVATIVE_BIT | VK_PIPELINE_CREATE_DISPATCH_BASE_BIT, is_wide,
                   &wide[1]);
        const uint32_t before = atomic_load(&control->asked);
        memset(pipelines, 0xee, sizeof(pipelines));
        assert_int_equal(create(&f, 2, infos, pipelines), VK_PIPELINE_COMPILE_REQUIRED);
        assert_true(pipelines[0] == VK_NULL_HANDLE);
        assert_int_equal(feedback.flags, 0);
        assert_int_equal(stage_feedback[0].flags | stage_feedback[1].flags, 0);
        assert_int_equal(atomic_load(&control->asked), before + !returns);
        assert_true(!pipelines[1] == returns);
        if (returns)
            continue;
        assert_int_equal(atomic_load(&control->flags[before]), VK_PIPELINE_CREATE_DISPATCH_BASE_BIT);
        assert_int_equal(wide[1].flags, VK_PIPELINE_CREATE_DERIVATIVE_BIT | VK_PIPELINE_CREATE_DISPATCH_BASE_BIT);
        expect_drawn(&f, pipelines[1]);
        vkDestroyPipeline(f.scene.vk.device, pipelines[1], NULL);
    }
    close_fixture(&f);
}

/* ---- What is compiled in the place of a link ---- */

/*
 * A pipeline that the GPU may select is compiled of its libraries' parts in the one tier that it has. That is still the
 * creation that the program asks for.
 */
static void links_that_are_compiled_as_one_keep_the_flags_of_their_call(void **state)
{
    (void)state;
    const VkFlags64 selected = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
    const VkFlags64 asked[] = {0, only_cached, only_cached | early, captures, captures | only_cached};
    struct fixture f;
    open_fixture(&f, "lazy");
    for (unsigned i = 0; i < 2 * sizeof(asked) / sizeof(asked[0]); i++) {
        const bool is_wide = i % 2;
        const VkFlags64 flags = selected | asked[i / 2];
        VkPipelineCreateFlags2CreateInfoKHR wide;
        VkPipeline libraries[2], pipeline = VK_NULL_HANDLE;
        if (!is_wide && (flags & captures))
            continue; /* it has no narrow form */
        for (unsigned behind = 0; behind < 2; behind++) {
            const VkGraphicsPipelineLibraryCreateInfoEXT brings = {
                .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
                .flags = behind ? BEHIND : BEFORE};
            VkGraphicsPipelineCreateInfo info = f.parts.info;
            info.pNext = &brings;
            info.stageCount = 1;
            info.pStages = &f.parts.stages[behind];
            /* Libraries need not have the form of the link. */
            give_flags(&info, selected | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, (is_wide + behind) % 2, &wide);
            HARNESS_VK(create(&f, 1, &info, &libraries[behind]));
        }
        const VkPipelineLibraryCreateInfoKHR linked = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
        VkGraphicsPipelineCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &linked, .layout = f.layout};
        give_flags(&info, flags, is_wide, &wide);
        const uint32_t before = atomic_load(&control->asked);
        /* The first has compiled it for those that may not. */
        HARNESS_VK(create(&f, 1, &info, &pipeline));
        assert_int_equal(atomic_load(&control->asked), before + 1);
        assert_int_equal(atomic_load(&control->stages[before]), 2);
        assert_int_equal(atomic_load(&control->flags[before]), flags);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
        vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
        for (unsigned behind = 0; behind < 2; behind++)
            vkDestroyPipeline(f.scene.vk.device, libraries[behind], NULL);
    }
    close_fixture(&f);
}

/* ---- Objects that are named in chains ---- */

/* A cache of validation, a module with a name and a render pass that are gone when tiers are compiled. */
static void objects_in_chains_are_not_named_later(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, "lazy");
    VkAttachmentDescription attachment = {
        .format = VK_FORMAT_R8G8B8A8_UNORM, .samples = VK_SAMPLE_COUNT_1_BIT, .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    VkRenderPass pass = harness_pass(&f.scene.vk, &attachment, 1, &subpass, 1);
    const VkSubpassShadingPipelineCreateInfoHUAWEI shades = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_SHADING_PIPELINE_CREATE_INFO_HUAWEI, .renderPass = pass};
    const VkShaderModuleValidationCacheCreateInfoEXT validated = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT,
        .validationCache = (VkValidationCacheEXT)(uintptr_t)0x1234};
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .pNext = &validated,
                                           .codeSize = sizeof(integration_flags_compute),
                                           .pCode = integration_flags_compute};
    VkShaderModule module = harness_module(&f.scene.vk, HARNESS_SPIRV(integration_flags_compute));
    const VkDebugUtilsObjectNameInfoEXT name = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                                .pNext = &code,
                                                .objectType = VK_OBJECT_TYPE_SHADER_MODULE,
                                                .objectHandle = (uint64_t)module,
                                                .pObjectName = "compute"};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .pNext = &shades,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .pNext = &name,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .pName = "main"},
                                              .layout = f.layout};
    VkPipeline pipeline;
    const uint32_t before = atomic_load(&control->asked);
    HARNESS_VK(vkCreateComputePipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyRenderPass(f.scene.vk.device, pass, NULL);
    vkDestroyShaderModule(f.scene.vk.device, module, NULL);
    assert_int_equal(atomic_load(&control->validations[before]), 1); /* the program's own creation has all */
    assert_true(atomic_load(&control->named[before]) == (uint64_t)module);
    assert_true(atomic_load(&control->shaded[before]) == (uint64_t)pass);

    struct harness_buffer pixels;
    harness_buffer_create(&f.scene.vk, &pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f.scene.pixels), NULL);
    harness_write_buffer(&f.scene.vk, f.set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pixels.buffer);
    scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    scene_dispatch(&f.scene, pipeline, f.layout, f.set, &pixels);
    scene_expect_tier(&f.scene, 1);
    assert_int_equal(atomic_load(&control->asked), before + 2);
    assert_int_equal(atomic_load(&control->validations[before + 1]), 0);
    assert_true(atomic_load(&control->named[before + 1]) == 0);
    assert_true(atomic_load(&control->shaded[before + 1]) != 0); /* the layer's own, which lives */
    assert_true(atomic_load(&control->shaded[before + 1]) != (uint64_t)pass);
    harness_buffer_destroy(&f.scene.vk, &pixels);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

int main(void)
{
    control = test_layer_open("code", CODE_CONTROL_SYMBOL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_must_compile_nothing_do_not),
        cmocka_unit_test(tiers_that_are_in_no_cache_are_compiled_later),
        cmocka_unit_test(pipelines_that_are_made_alone_are_derived_from_none),
        cmocka_unit_test(links_that_are_compiled_as_one_keep_the_flags_of_their_call),
        cmocka_unit_test(objects_in_chains_are_not_named_later),
    };
    return cmocka_run_group_tests_name("creation_flags", tests, NULL, NULL);
}
