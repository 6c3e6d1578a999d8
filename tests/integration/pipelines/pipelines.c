/* SPDX-License-Identifier: MIT */
/* Tiers of pipelines: compiled later than the program's own, from inputs that may be gone by then. */
#include <stdlib.h>
#include <string.h>

#include "integration/shared/parts.h"
#include "integration_attribute.h"
#include "integration_solid.h"
#include "integration_single.h"
#include "integration_specialized.h"

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct parts parts;
};

static void open_fixture(struct fixture *f, const struct harness_vulkan_params *params, struct harness_spirv fragment)
{
    scene_open(&f->scene, params);
    harness_one_set(&f->scene.vk, &single_binding, 1, &f->set_layout, &f->layout, &f->set);
    parts_open(&f->scene, &f->parts, fragment, f->layout);
}

static void close_fixture(struct fixture *f)
{
    parts_close(&f->scene, &f->parts);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
}

static void destroy(struct fixture *f, VkPipeline pipeline)
{
    vkDestroyPipeline(f->scene.vk.device, pipeline, NULL);
}

static void tiers_are_compiled_when_first_needed_and_once(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_single));
    scene_mark(&f.scene);
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    scene_take(&f.scene);
    assert_int_equal(f.scene.pipelines[0], 1);
    assert_int_equal(f.scene.pipelines[1] + f.scene.pipelines[2], 0);
    for (unsigned round = 0; round < 3; round++) {
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_EDGE, 0);
        assert_int_equal(f.scene.pipelines[0] + f.scene.pipelines[1] + f.scene.pipelines[2], 0);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_CLAMP, 1);
        assert_int_equal(f.scene.pipelines[1], round == 0 ? 1 : 0);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
        assert_int_equal(f.scene.pipelines[2], round == 0 ? 1 : 0);
        assert_int_equal(f.scene.pipelines[0] + f.scene.pipelines[1], 0);
    }
    destroy(&f, pipeline);
    close_fixture(&f);
}

static void eager_tiers_are_compiled_at_creation(void **state)
{
    (void)state;
    struct fixture f;
    setenv("VK_CLAMPLER_TIERS", "eager", 1);
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_single));
    setenv("VK_CLAMPLER_TIERS", "lazy", 1);
    scene_mark(&f.scene);
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    scene_take(&f.scene);
    assert_int_equal(f.scene.pipelines[0], 1);
    assert_int_equal(f.scene.pipelines[1], 1);
    assert_int_equal(f.scene.pipelines[2], 2); /* for views of one level, and of several */
    scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_CLAMP, 1);
    scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
    assert_int_equal(f.scene.pipelines[0] + f.scene.pipelines[1] + f.scene.pipelines[2], 0);
    destroy(&f, pipeline);
    close_fixture(&f);
}

static void a_shader_that_samples_nothing_stays_plain(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_solid));
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_MIXED, SCENE_STEPS);
    scene_draw(&f.scene, pipeline, f.layout, 1, &f.set);
    scene_expect_tier(&f.scene, 0);
    assert_float_equal(f.scene.pixels[2][5][0], 5.5, 0);
    destroy(&f, pipeline);
    close_fixture(&f);
}

/*
 * Structures that this driver does not know: one that the registry knows, and lets be elsewhere or only with newer
 * headers, is kept for the tiers; only one that nobody knows fixes the tier. Validation says of all that they are
 * wrong.
 */
static void chains_of_structures_that_the_registry_knows_have_tiers(void **state)
{
    (void)state;
    static const VkValidationFeatureDisableEXT disabled = VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT;
    for (unsigned kind = 0; kind < 3; kind++) {
        struct fixture f;
        open_fixture(&f, &(struct harness_vulkan_params){.layers = "clampler"}, HARNESS_SPIRV(integration_single));
        VkValidationFeaturesEXT checks = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                          .disabledValidationFeatureCount = 1,
                                          .pDisabledValidationFeatures = &disabled};
        struct {
            VkStructureType type;
            const void *next;
            uint32_t layers, unused;
        } layered = {(VkStructureType)1000611002, &checks, 2, 0}; /* of VK_VALVE_fragment_density_map_layered */
        VkBaseInStructure unknown = {.sType = (VkStructureType)1999999123, .pNext = (const void *)&checks};
        f.parts.stages[1].pNext = kind == 0 ? &checks : NULL;
        f.parts.raster.pNext = kind == 1 ? &layered : NULL;
        f.parts.info.pNext = kind == 1 ? (const void *)&layered : kind == 2 ? (const void *)&unknown : NULL;
        scene_mark(&f.scene);
        VkPipeline pipeline = parts_create(&f.scene, &f.parts);
        scene_take(&f.scene);
        assert_int_equal(f.scene.pipelines[0], kind < 2 ? 1 : 0);
        assert_int_equal(f.scene.pipelines[2], kind < 2 ? 0 : 1);
        f.parts.stages[1].pNext = f.parts.raster.pNext = f.parts.info.pNext = NULL;
        memset(&checks, 0xee, sizeof(checks));
        memset(&layered, 0xee, sizeof(layered));
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_EDGE, kind < 2 ? 0 : 2);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_CLAMP, kind < 2 ? 1 : 2);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
        destroy(&f, pipeline);
        close_fixture(&f);
    }
}

/* A pass that is compatible with the target's, to be destroyed. */
static VkRenderPass create_pass(struct fixture *f, bool second_generation)
{
    VkRenderPass pass;
    if (second_generation) {
        VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                               .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
        VkAttachmentReference2 reference = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                            .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                            .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
        VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &reference};
        const VkPipelineStageFlags stages =
            VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
        const VkAccessFlags access = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT;
        /* Dependencies count for compatibility: the same as the target's. */
        VkSubpassDependency2 dependencies[] = {
            {VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, NULL, VK_SUBPASS_EXTERNAL, 0, stages,
             VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, access, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0, 0},
            {VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, NULL, 0, VK_SUBPASS_EXTERNAL,
             VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
             VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, 0, 0},
        };
        VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = 2,
                                        .pDependencies = dependencies};
        HARNESS_VK(vkCreateRenderPass2(f->scene.vk.device, &info, NULL, &pass));
    } else {
        struct harness_target other;
        harness_target_create(&f->scene.vk, &other, VK_FORMAT_R32G32B32A32_SFLOAT, 1, 1);
        pass = other.pass;
        other.pass = VK_NULL_HANDLE;
        harness_target_destroy(&f->scene.vk, &other);
    }
    return pass;
}

/* Modules, both kinds of layout, render pass and cache are gone before a tier is first needed. */
static void tiers_outlive_everything_that_the_pipeline_was_made_of(void **state)
{
    (void)state;
    for (unsigned second_generation = 0; second_generation < 2; second_generation++) {
        struct fixture f;
        open_fixture(&f, NULL, HARNESS_SPIRV(integration_single));
        VkDevice device = f.scene.vk.device;
        VkDescriptorSetLayout set_layout = harness_set_layout(&f.scene.vk, &single_binding, 1);
        VkPipelineLayout layout = harness_pipeline_layout(&f.scene.vk, &set_layout, 1, 0);
        VkRenderPass pass = create_pass(&f, second_generation);
        VkPipelineCacheCreateInfo cache_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
        VkPipelineCache cache;
        HARNESS_VK(vkCreatePipelineCache(device, &cache_info, NULL, &cache));

        struct parts *parts = malloc(sizeof(*parts)); /* freed, so that a sanitizer sees who reads it later */
        assert_non_null(parts);
        parts_open(&f.scene, parts, HARNESS_SPIRV(integration_single), layout);
        parts->info.renderPass = pass;
        VkPipeline pipeline;
        HARNESS_VK(vkCreateGraphicsPipelines(device, cache, 1, &parts->info, NULL, &pipeline));
        parts_close(&f.scene, parts);
        free(parts);
        vkDestroyPipelineCache(device, cache, NULL);
        vkDestroyRenderPass(device, pass, NULL);
        vkDestroyPipelineLayout(device, layout, NULL);
        vkDestroyDescriptorSetLayout(device, set_layout, NULL);

        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_CLAMP, 1);
        assert_int_equal(f.scene.pipelines[1], 1);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_MIXED, 2);
        assert_int_equal(f.scene.pipelines[2], 1);
        scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_EDGE, 0);
        destroy(&f, pipeline);
        close_fixture(&f);
    }
}

static void derivatives_outlive_their_base(void **state)
{
    (void)state;
    struct fixture f;
    VkPipeline base, made[2];
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_single));
    f.parts.info.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
    base = parts_create(&f.scene, &f.parts);
    VkGraphicsPipelineCreateInfo infos[2] = {f.parts.info, f.parts.info};
    infos[0].flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT | VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
    infos[0].basePipelineHandle = base;
    infos[0].basePipelineIndex = -1;
    infos[1].flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT;
    infos[1].basePipelineIndex = 0;
    HARNESS_VK(vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 2, infos, NULL, made));
    destroy(&f, base);
    scene_expect_drawn(&f.scene, made[1], f.layout, f.set, SCENE_CLAMP, 1);
    scene_expect_drawn(&f.scene, made[0], f.layout, f.set, SCENE_MIXED, 2);
    destroy(&f, made[0]);
    scene_expect_drawn(&f.scene, made[1], f.layout, f.set, SCENE_EDGE, 0);
    destroy(&f, made[1]);
    close_fixture(&f);
}

static void vertex_input_state_is_kept_for_later_tiers(void **state)
{
    (void)state;
    static const float corners[] = {9, 9, -1, -1, 9, 9, 1, -1, 9, 9, -1, 1};
    struct fixture f;
    struct harness_buffer vertices;
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_single));
    harness_buffer_create(&f.scene.vk, &vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, sizeof(corners), corners);
    VkVertexInputBindingDescription binding = {1, 4 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attribute = {2, 1, VK_FORMAT_R32G32_SFLOAT, 2 * sizeof(float)};
    parts_set_vertex(&f.scene, &f.parts, HARNESS_SPIRV(integration_attribute));
    f.parts.input.vertexBindingDescriptionCount = 1;
    f.parts.input.pVertexBindingDescriptions = &binding;
    f.parts.input.vertexAttributeDescriptionCount = 1;
    f.parts.input.pVertexAttributeDescriptions = &attribute;
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    memset(&binding, 0xee, sizeof(binding));
    memset(&attribute, 0xee, sizeof(attribute));
    scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_RAMP);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(commands, 1, 1, &vertices.buffer, &(VkDeviceSize){0});
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &f.set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    scene_expect_tier(&f.scene, 1);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, SCENE_CLAMP, SCENE_RAMP);
    harness_buffer_destroy(&f.scene.vk, &vertices);
    destroy(&f, pipeline);
    close_fixture(&f);
}

static void specialization_constants_stay_alive_in_every_tier(void **state)
{
    (void)state;
    struct fixture f;
    struct values {
        int32_t padding, shown;
        float added;
        VkBool32 looks_up;
    } *values = malloc(sizeof(*values));
    const VkSpecializationMapEntry entries[] = {{7, offsetof(struct values, added), sizeof(float)},
                                                {3, offsetof(struct values, shown), sizeof(int32_t)},
                                                {8, offsetof(struct values, looks_up), sizeof(VkBool32)}};
    assert_non_null(values);
    *values = (struct values){0, 2, 4.0f, VK_TRUE};
    VkSpecializationInfo info = {3, entries, sizeof(*values), values};
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_specialized));
    f.parts.stages[1].pSpecializationInfo = &info;
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    free(values);
    memset(&info, 0xee, sizeof(info));
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED};
    for (unsigned tier = 0; tier < 3; tier++) {
        scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, samplers[tier], SCENE_RAMP);
        scene_draw(&f.scene, pipeline, f.layout, 1, &f.set);
        scene_expect_tier(&f.scene, tier);
        for (unsigned x = 0; x < SCENE_COLUMNS; x++)
            f.scene.pixels[2][x][0] -= 4.0f;
        scene_expect_row(&f.scene, 2, samplers[tier], SCENE_RAMP);
        scene_expect_row(&f.scene, 1, SCENE_NOTHING, SCENE_RAMP);
        scene_expect_row(&f.scene, 5, SCENE_NOTHING, SCENE_RAMP);
    }
    destroy(&f, pipeline);
    close_fixture(&f);
}

/* Dynamic state that was set before the tier changed counts afterwards: the scissor lets one row through. */
static void dynamic_state_survives_the_change_of_tiers(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_single));
    parts_add_dynamic(&f.parts, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
    parts_add_dynamic(&f.parts, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT);
    parts_add_dynamic(&f.parts, VK_DYNAMIC_STATE_CULL_MODE);
    parts_add_dynamic(&f.parts, VK_DYNAMIC_STATE_FRONT_FACE);
    parts_add_dynamic(&f.parts, VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY);
    parts_add_dynamic(&f.parts, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
    f.parts.viewports.viewportCount = 0;
    f.parts.viewports.scissorCount = 0;
    f.parts.raster.rasterizerDiscardEnable = VK_TRUE; /* dynamic: without meaning, and must not count as set */
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    VkDescriptorSet clamp = harness_set(&f.scene.vk, f.set_layout), mixed = harness_set(&f.scene.vk, f.set_layout);
    scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);
    scene_write(&f.scene, clamp, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    scene_write(&f.scene, mixed, 0, 0, SCENE_COMBINED, SCENE_MIXED, SCENE_RAMP);
    const VkDescriptorSet sets[] = {f.set, clamp, mixed, f.set, clamp};

    VkCommandBuffer commands = scene_begin(&f.scene);
    VkRect2D scissor = {{0, 0}, {SCENE_COLUMNS, 1}};
    vkCmdSetViewportWithCount(commands, 1, &f.parts.viewport);
    vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
    vkCmdSetFrontFace(commands, VK_FRONT_FACE_CLOCKWISE);
    vkCmdSetPrimitiveTopology(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vkCmdSetRasterizerDiscardEnable(commands, VK_FALSE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    for (unsigned i = 0; i < 5; i++) {
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &sets[i], 0, NULL);
        scissor.offset.y = (int32_t)i;
        vkCmdSetScissorWithCount(commands, 1, &scissor);
        if (i == 1) /* and one change of tier right after the state was set, with a draw of nothing in between */
            vkCmdDraw(commands, 0, 1, 0, 0);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    vkCmdSetRasterizerDiscardEnable(commands, VK_TRUE);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &mixed, 0, NULL);
    scissor.offset.y = 5;
    vkCmdSetScissorWithCount(commands, 1, &scissor);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    assert_int_equal(f.scene.drew[0], 2);
    assert_int_equal(f.scene.drew[1], 3);
    assert_int_equal(f.scene.drew[2], 2);
    scene_expect_row(&f.scene, 0, SCENE_EDGE, SCENE_RAMP);
    scene_expect_row(&f.scene, 1, SCENE_CLAMP, SCENE_STEPS);
    scene_expect_row(&f.scene, 2, SCENE_MIXED, SCENE_RAMP);
    scene_expect_row(&f.scene, 3, SCENE_EDGE, SCENE_RAMP);
    scene_expect_row(&f.scene, 4, SCENE_CLAMP, SCENE_STEPS);
    scene_expect_row(&f.scene, 5, SCENE_NOTHING, SCENE_RAMP);
    destroy(&f, pipeline);
    close_fixture(&f);
}

/* State that Vulkan ignores may come with pointers that lead nowhere. */
static void pointers_that_vulkan_ignores_are_not_followed(void **state)
{
    (void)state;
    struct fixture f;
    const void *nowhere = (const void *)(uintptr_t)0x10;
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_single));
    parts_add_dynamic(&f.parts, VK_DYNAMIC_STATE_VIEWPORT);
    parts_add_dynamic(&f.parts, VK_DYNAMIC_STATE_SCISSOR);
    f.parts.viewports.pViewports = nowhere;
    f.parts.viewports.pScissors = nowhere;
    f.parts.info.pTessellationState = nowhere;
    f.parts.info.pDepthStencilState = nowhere;
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdSetViewport(commands, 0, 1, &f.parts.viewport);
    vkCmdSetScissor(commands, 0, 1, &f.parts.scissor);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &f.set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 3, SCENE_CLAMP, SCENE_STEPS);
    destroy(&f, pipeline);
    close_fixture(&f);
}

/*
 * Formats for dynamic rendering count without a render pass, and where fragments are made. The layer is alone here:
 * validation layers of 2023 follow the pointers.
 */
static void formats_that_vulkan_ignores_are_not_followed(void **state)
{
    (void)state;
    struct fixture f;
    const VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                       .dynamicRendering = VK_TRUE};
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = (const void *)(uintptr_t)0x10};
    open_fixture(&f, &(struct harness_vulkan_params){.layers = "clampler", .device_next = &features},
                 HARNESS_SPIRV(integration_single));
    f.parts.info.pNext = &rendering;
    VkPipeline beside_pass = parts_create(&f.scene, &f.parts);
    f.parts.info.renderPass = VK_NULL_HANDLE;
    f.parts.raster.rasterizerDiscardEnable = VK_TRUE;
    VkPipeline discarding = parts_create(&f.scene, &f.parts);
    scene_expect_drawn(&f.scene, beside_pass, f.layout, f.set, SCENE_CLAMP, 1);
    scene_expect_drawn(&f.scene, beside_pass, f.layout, f.set, SCENE_MIXED, 2);
    destroy(&f, beside_pass);
    destroy(&f, discarding);
    close_fixture(&f);
}

static void creation_feedback_is_written_at_creation_only(void **state)
{
    (void)state;
    struct fixture f;
    VkPipelineCreationFeedback whole = {0}, stages[2] = {{0}};
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_single));
    VkPipelineCreationFeedbackCreateInfo feedback = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
                                                     .pPipelineCreationFeedback = &whole,
                                                     .pipelineStageCreationFeedbackCount = 2,
                                                     .pPipelineStageCreationFeedbacks = stages};
    f.parts.info.pNext = &feedback;
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    assert_true(whole.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
    memset(&whole, 0x5a, sizeof(whole));
    memset(stages, 0x5a, sizeof(stages));
    scene_expect_drawn(&f.scene, pipeline, f.layout, f.set, SCENE_CLAMP, 1);
    for (size_t i = 0; i < sizeof(whole); i++)
        assert_int_equal(((unsigned char *)&whole)[i], 0x5a);
    for (size_t i = 0; i < sizeof(stages); i++)
        assert_int_equal(((unsigned char *)stages)[i], 0x5a);
    destroy(&f, pipeline);
    close_fixture(&f);
}

/* The flag is the program's wish for its own creation; the driver may have the pipeline in a cache, or not. */
static void a_pipeline_that_may_not_compile_is_refused_or_works(void **state)
{
    (void)state;
    struct fixture f;
    VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .pipelineCreationCacheControl = VK_TRUE};
    open_fixture(&f, &(struct harness_vulkan_params){.device_next = &features}, HARNESS_SPIRV(integration_single));
    VkPipeline pipelines[3];
    VkGraphicsPipelineCreateInfo infos[3] = {f.parts.info, f.parts.info, f.parts.info};
    infos[1].flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    uint64_t live = harness_counters(&f.scene.vk).live_objects;
    VkResult result = vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 3, infos, NULL, pipelines);
    if (result == VK_PIPELINE_COMPILE_REQUIRED)
        assert_null(pipelines[1]);
    else
        assert_int_equal(result, VK_SUCCESS);
    for (unsigned i = 0; i < 3; i++) {
        if (!pipelines[i])
            continue;
        scene_expect_drawn(&f.scene, pipelines[i], f.layout, f.set, SCENE_CLAMP,
                           1); /* the flag does not count for tiers */
        scene_expect_drawn(&f.scene, pipelines[i], f.layout, f.set, SCENE_EDGE, 0);
        destroy(&f, pipelines[i]);
    }
    assert_non_null(pipelines[0]);
    assert_non_null(pipelines[2]);

    /* With early return, nothing is made after the one that failed. */
    infos[0].flags =
        VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT | VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
    result = vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 3, infos, NULL, pipelines);
    if (result == VK_PIPELINE_COMPILE_REQUIRED)
        assert_null(pipelines[0]);
    for (unsigned i = 0; i < 3; i++)
        destroy(&f, pipelines[i]);
    /* What is kept of rewritten modules stays; it is one entry a tier at most. */
    assert_true(harness_counters(&f.scene.vk).live_objects <= live + 8);
    close_fixture(&f);
}

static void many_pipelines_come_and_go_without_a_trace(void **state)
{
    (void)state;
    struct fixture f;
    struct clampler_counters first = {.live_objects = 0};
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_single));
    for (unsigned round = 0; round < 8; round++) {
        VkPipeline pipelines[4];
        for (unsigned i = 0; i < 4; i++)
            pipelines[i] = parts_create(&f.scene, &f.parts);
        scene_expect_drawn(&f.scene, pipelines[round % 4], f.layout, f.set, SCENE_CLAMP, 1);
        scene_expect_drawn(&f.scene, pipelines[(round + 1) % 4], f.layout, f.set, SCENE_MIXED, 2);
        for (unsigned i = 0; i < 4; i++)
            destroy(&f, pipelines[i]);
        struct clampler_counters now = harness_counters(&f.scene.vk);
        if (round == 0)
            first = now;
        assert_int_equal(now.live_objects, first.live_objects);
        assert_int_equal(now.live_bytes, first.live_bytes);
        assert_int_equal(now.modules_rewritten, first.modules_rewritten); /* the cache has them */
    }
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiers_are_compiled_when_first_needed_and_once),
        cmocka_unit_test(eager_tiers_are_compiled_at_creation),
        cmocka_unit_test(a_shader_that_samples_nothing_stays_plain),
        cmocka_unit_test(chains_of_structures_that_the_registry_knows_have_tiers),
        cmocka_unit_test(tiers_outlive_everything_that_the_pipeline_was_made_of),
        cmocka_unit_test(derivatives_outlive_their_base),
        cmocka_unit_test(vertex_input_state_is_kept_for_later_tiers),
        cmocka_unit_test(specialization_constants_stay_alive_in_every_tier),
        cmocka_unit_test(dynamic_state_survives_the_change_of_tiers),
        cmocka_unit_test(pointers_that_vulkan_ignores_are_not_followed),
        cmocka_unit_test(formats_that_vulkan_ignores_are_not_followed),
        cmocka_unit_test(creation_feedback_is_written_at_creation_only),
        cmocka_unit_test(a_pipeline_that_may_not_compile_is_refused_or_works),
        cmocka_unit_test(many_pipelines_come_and_go_without_a_trace),
    };
    return cmocka_run_group_tests_name("pipelines", tests, NULL, NULL);
}
