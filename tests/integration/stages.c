/* SPDX-License-Identifier: MIT */
/* Every shader stage that samples, compute included, and pipelines that are put together from libraries. */
#include <string.h>

#include "integration/parts.h"
#include "integration_compute.h"
#include "integration_geometry.h"
#include "integration_looked_up.h"
#include "integration_points.h"
#include "integration_points_lookup.h"
#include "integration_single.h"
#include "integration_tess_control.h"
#include "integration_tess_evaluation.h"
#include "integration_vertex_plain.h"

enum { POINTS = SCENE_COLUMNS * SCENE_ROWS };

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct parts parts;
};

static void open_fixture(struct fixture *f, const struct harness_vulkan_params *params, struct harness_spirv fragment)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = SCENE_COMBINED, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS};
    scene_open(&f->scene, params);
    f->set_layout = harness_set_layout(&f->scene.vk, &binding, 1);
    f->layout = harness_pipeline_layout(&f->scene.vk, &f->set_layout, 1, 0);
    f->set = harness_set(&f->scene.vk, f->set_layout);
    parts_open(&f->scene, &f->parts, fragment, f->layout);
}

static void close_fixture(struct fixture *f)
{
    parts_close(&f->scene, &f->parts);
    vkDestroyPipelineLayout(f->scene.vk.device, f->layout, NULL);
    vkDestroyDescriptorSetLayout(f->scene.vk.device, f->set_layout, NULL);
    scene_close(&f->scene);
}

static void draw_points(struct fixture *f, VkPipeline pipeline)
{
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &f->set, 0, NULL);
    vkCmdDraw(commands, POINTS, 1, 0, 0);
    scene_end(&f->scene, commands);
}

/* Plain, clamped and plain again, each in its tier. */
static void expect_points(struct fixture *f, VkPipeline pipeline)
{
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIRROR, SCENE_BORDER};
    static const unsigned tiers[] = {0, 1, 1, 0};
    for (unsigned i = 0; i < 4; i++) {
        scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        draw_points(f, pipeline);
        scene_expect_tier(&f->scene, tiers[i]);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f->scene, row, samplers[i], SCENE_STEPS);
    }
}

static void open_points(struct fixture *f, const VkPhysicalDeviceFeatures *features, struct harness_spirv vertex)
{
    open_fixture(f, &(struct harness_vulkan_params){.features = features}, HARNESS_SPIRV(integration_looked_up));
    parts_set_vertex(&f->scene, &f->parts, vertex);
    f->parts.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    f->parts.viewport = (VkViewport){0, 0, SCENE_COLUMNS, SCENE_ROWS, 0, 1};
}

static void finish_points(struct fixture *f)
{
    VkPipeline pipeline = parts_create(&f->scene, &f->parts);
    expect_points(f, pipeline);
    vkDestroyPipeline(f->scene.vk.device, pipeline, NULL);
    close_fixture(f);
}

static void the_vertex_stage_clamps(void **state)
{
    (void)state;
    struct fixture f;
    open_points(&f, NULL, HARNESS_SPIRV(integration_points_lookup));
    finish_points(&f);
}

static void the_geometry_stage_clamps(void **state)
{
    (void)state;
    struct fixture f;
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    open_points(&f, &features, HARNESS_SPIRV(integration_points));
    parts_add_stage(&f.scene, &f.parts, VK_SHADER_STAGE_GEOMETRY_BIT, HARNESS_SPIRV(integration_geometry));
    finish_points(&f);
}

static void both_tessellation_stages_clamp(void **state)
{
    (void)state;
    struct fixture f;
    const VkPhysicalDeviceFeatures features = {.tessellationShader = VK_TRUE};
    VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 1};
    open_points(&f, &features, HARNESS_SPIRV(integration_points));
    f.parts.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    f.parts.info.pTessellationState = &tessellation;
    parts_add_stage(&f.scene, &f.parts, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                    HARNESS_SPIRV(integration_tess_control));
    parts_add_stage(&f.scene, &f.parts, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                    HARNESS_SPIRV(integration_tess_evaluation));
    finish_points(&f);
}

/* Draws and dispatches of one command buffer have tiers of their own. */
static void compute_clamps_beside_a_plain_draw(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    /* What allows a layout to go before its pipelines are bound. */
    VkPhysicalDeviceMaintenance4Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
                                                     .maintenance4 = VK_TRUE};
    struct fixture f;
    struct harness_buffer pixels;
    open_fixture(&f, &(struct harness_vulkan_params){.device_next = &features}, HARNESS_SPIRV(integration_single));
    VkPipeline graphics = parts_create(&f.scene, &f.parts);
    VkDescriptorSetLayout set_layout = harness_set_layout(&f.scene.vk, bindings, 2);
    VkPipelineLayout layout = harness_pipeline_layout(&f.scene.vk, &set_layout, 1, 0);
    VkPipeline compute = harness_compute_pipeline(&f.scene.vk, HARNESS_SPIRV(integration_compute), layout);
    VkDescriptorSet set = harness_set(&f.scene.vk, set_layout);
    vkDestroyPipelineLayout(f.scene.vk.device, layout, NULL);
    layout = harness_pipeline_layout(&f.scene.vk, &set_layout, 1, 0);
    harness_buffer_create(&f.scene.vk, &pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f.scene.pixels), NULL);
    harness_write_buffer(&f.scene.vk, set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pixels.buffer);
    scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);

    static const enum scene_sampler samplers[] = {SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR};
    for (unsigned i = 0; i < 3; i++) {
        scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        memset(pixels.map, 0, sizeof(f.scene.pixels));
        scene_mark(&f.scene);
        VkCommandBuffer commands = harness_begin(&f.scene.vk);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, graphics);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &f.set, 0, NULL);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute);
        vkCmdDispatch(commands, 1, 1, 1);
        harness_target_begin(&f.scene.target, commands);
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&f.scene, commands);
        assert_int_equal(f.scene.drew[0], samplers[i] == SCENE_EDGE ? 2 : 1);
        assert_int_equal(f.scene.drew[1], samplers[i] == SCENE_EDGE ? 0 : 1);
        scene_expect_row(&f.scene, 4, SCENE_EDGE, SCENE_RAMP);
        memcpy(f.scene.pixels, pixels.map, sizeof(f.scene.pixels));
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, samplers[i], SCENE_STEPS);
    }
    harness_buffer_destroy(&f.scene.vk, &pixels);
    vkDestroyPipeline(f.scene.vk.device, compute, NULL);
    vkDestroyPipeline(f.scene.vk.device, graphics, NULL);
    vkDestroyPipelineLayout(f.scene.vk.device, layout, NULL);
    vkDestroyDescriptorSetLayout(f.scene.vk.device, set_layout, NULL);
    close_fixture(&f);
}

static void dynamic_rendering_has_tiers_without_a_render_pass(void **state)
{
    (void)state;
    struct fixture f;
    VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .dynamicRendering = VK_TRUE};
    open_fixture(&f, &(struct harness_vulkan_params){.device_next = &features}, HARNESS_SPIRV(integration_single));
    VkFormat format = VK_FORMAT_R32G32B32A32_SFLOAT;
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = 1,
                                               .pColorAttachmentFormats = &format};
    f.parts.info.pNext = &rendering;
    f.parts.info.renderPass = VK_NULL_HANDLE;
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    format = VK_FORMAT_UNDEFINED;
    memset(&rendering, 0xee, sizeof(rendering));

    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED};
    for (unsigned tier = 0; tier < 3; tier++) {
        scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, samplers[tier], SCENE_STEPS);
        scene_mark(&f.scene);
        VkCommandBuffer commands = harness_begin(&f.scene.vk);
        VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                        .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .image = f.scene.target.color.image,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                             0, 0, NULL, 0, NULL, 1, &barrier);
        VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                .imageView = f.scene.target.color.view,
                                                .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
        VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                .renderArea = f.parts.scissor,
                                .layerCount = 1,
                                .colorAttachmentCount = 1,
                                .pColorAttachments = &attachment};
        vkCmdBeginRendering(commands, &info);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &f.set, 0, NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
        vkCmdEndRendering(commands);
        harness_submit(&f.scene.vk, commands);
        scene_take(&f.scene);
        harness_image_read(&f.scene.vk, &f.scene.target.color, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0, 0,
                           f.scene.pixels);
        scene_expect_tier(&f.scene, tier);
        scene_expect_row(&f.scene, 2, samplers[tier], SCENE_STEPS);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

/* ---- Pipeline libraries ---- */

enum { LIBRARIES = 4 };

static const VkGraphicsPipelineLibraryFlagsEXT library_parts[LIBRARIES] = {
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};

/* The four libraries; their code is inline, without module objects, if asked for. */
static void create_libraries(struct fixture *f, bool inline_code, VkPipeline libraries[LIBRARIES])
{
    const VkShaderModuleCreateInfo code[2] = {{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                               .codeSize = sizeof(integration_vertex_plain),
                                               .pCode = integration_vertex_plain},
                                              {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                               .codeSize = sizeof(integration_single),
                                               .pCode = integration_single}};
    for (unsigned i = 0; i < LIBRARIES; i++) {
        VkGraphicsPipelineLibraryCreateInfoEXT part = {
            .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = library_parts[i]};
        bool shader = i == 1 || i == 2;
        VkPipelineShaderStageCreateInfo stage = f->parts.stages[i == 2];
        if (inline_code && shader) {
            stage.pNext = &code[i - 1];
            stage.module = VK_NULL_HANDLE;
        }
        VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .pNext = &part,
                                             .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                                                      VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT,
                                             .stageCount = shader ? 1 : 0,
                                             .pStages = shader ? &stage : NULL};
        if (i == 0) {
            info.pVertexInputState = &f->parts.input;
            info.pInputAssemblyState = &f->parts.assembly;
        }
        if (i == 1) {
            info.pViewportState = &f->parts.viewports;
            info.pRasterizationState = &f->parts.raster;
        }
        if (shader)
            info.layout = f->layout;
        if (i >= 2)
            info.pMultisampleState = &f->parts.samples;
        if (i == 3)
            info.pColorBlendState = &f->parts.blend;
        if (i)
            info.renderPass = f->scene.target.pass;
        HARNESS_VK(vkCreateGraphicsPipelines(f->scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &libraries[i]));
    }
}

static void linked_pipelines_clamp_in_their_fixed_tier(bool inline_code)
{
    static const char *const extensions[] = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                             VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    struct fixture f;
    VkPipeline libraries[LIBRARIES], pipeline;
    open_fixture(&f,
                 &(struct harness_vulkan_params){
                     .device_extensions = extensions, .device_extension_count = 2, .device_next = &features},
                 HARNESS_SPIRV(integration_single));
    create_libraries(&f, inline_code, libraries);
    parts_close(&f.scene, &f.parts); /* modules may be gone when libraries are linked */
    VkPipelineLibraryCreateInfoKHR linked = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                             .libraryCount = LIBRARIES,
                                             .pLibraries = libraries};
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &linked, .layout = f.layout};
    HARNESS_VK(vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    static const enum scene_sampler samplers[] = {SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR, SCENE_BORDER};
    for (unsigned i = 0; i < 4; i++) {
        scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        scene_draw(&f.scene, pipeline, f.layout, 1, &f.set);
        scene_expect_tier(&f.scene, 1);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, samplers[i], SCENE_STEPS);
        assert_int_equal(f.scene.pipelines[0] + f.scene.pipelines[1] + f.scene.pipelines[2], 0);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    for (unsigned i = 0; i < LIBRARIES; i++)
        vkDestroyPipeline(f.scene.vk.device, libraries[i], NULL);
    close_fixture(&f);
}

static void pipelines_linked_from_libraries_clamp(void **state)
{
    (void)state;
    linked_pipelines_clamp_in_their_fixed_tier(false);
}

static void pipelines_linked_from_libraries_with_inline_code_clamp(void **state)
{
    (void)state;
    linked_pipelines_clamp_in_their_fixed_tier(true);
}

/* With the library extension a whole pipeline may have inline code, too: its tiers come later, when the code is gone.
 */
static void inline_code_is_kept_for_later_tiers(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                             VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    struct fixture f;
    uint32_t words[sizeof(integration_single) / sizeof(uint32_t)];
    open_fixture(&f,
                 &(struct harness_vulkan_params){
                     .device_extensions = extensions, .device_extension_count = 2, .device_next = &features},
                 HARNESS_SPIRV(integration_single));
    memcpy(words, integration_single, sizeof(words));
    VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof(words), .pCode = words};
    VkPipelineShaderStageCreateInfo stages[2] = {f.parts.stages[0], f.parts.stages[1]};
    stages[1].module = VK_NULL_HANDLE;
    stages[1].pNext = &code;
    f.parts.info.pStages = stages;
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    memset(words, 0, sizeof(words));
    memset(&code, 0xee, sizeof(code));
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED};
    for (unsigned tier = 0; tier < 3; tier++) {
        scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, samplers[tier], SCENE_STEPS);
        scene_draw(&f.scene, pipeline, f.layout, 1, &f.set);
        scene_expect_tier(&f.scene, tier);
        scene_expect_row(&f.scene, 1, samplers[tier], SCENE_STEPS);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vertex_stage_clamps),
        cmocka_unit_test(the_geometry_stage_clamps),
        cmocka_unit_test(both_tessellation_stages_clamp),
        cmocka_unit_test(compute_clamps_beside_a_plain_draw),
        cmocka_unit_test(dynamic_rendering_has_tiers_without_a_render_pass),
        cmocka_unit_test(pipelines_linked_from_libraries_clamp),
        cmocka_unit_test(pipelines_linked_from_libraries_with_inline_code_clamp),
        cmocka_unit_test(inline_code_is_kept_for_later_tiers),
    };
    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
