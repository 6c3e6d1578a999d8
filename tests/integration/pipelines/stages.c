/* SPDX-License-Identifier: MIT */
/* Every shader stage that samples, compute included. */
#include <string.h>

#include "integration/shared/parts.h"
#include "integration_compute.h"
#include "integration_geometry.h"
#include "integration_looked_up.h"
#include "integration_points.h"
#include "integration_points_captured.h"
#include "integration_points_lookup.h"
#include "integration_single.h"
#include "integration_tess_control.h"
#include "integration_tess_evaluation.h"

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
    harness_one_set(&f->scene.vk, &binding, 1, &f->set_layout, &f->layout, &f->set);
    parts_open(&f->scene, &f->parts, fragment, f->layout);
}

static void close_fixture(struct fixture *f)
{
    parts_close(&f->scene, &f->parts);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
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
    harness_layouts_destroy(&f.scene.vk, layout, set_layout);
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
        harness_target_begin_rendering(&f.scene.target, commands);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.layout, 0, 1, &f.set, 0, NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
        harness_target_end_rendering(&f.scene.target, commands);
        harness_submit(&f.scene.vk, commands);
        scene_take(&f.scene);
        harness_target_read(&f.scene.vk, &f.scene.target, f.scene.pixels);
        scene_expect_tier(&f.scene, tier);
        scene_expect_row(&f.scene, 2, samplers[tier], SCENE_STEPS);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

/* ---- Transform feedback ---- */

struct capture {
    struct fixture f;
    struct harness_buffer buffer; /* a vec4 a point */
    VkPipeline pipeline;
    PFN_vkCmdBindTransformFeedbackBuffersEXT bind;
    PFN_vkCmdBeginTransformFeedbackEXT begin;
    PFN_vkCmdEndTransformFeedbackEXT end;
};

static void open_capture_with(struct capture *c, void *more)
{
    static const char *const extensions[] = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME};
    VkPhysicalDeviceTransformFeedbackFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .pNext = more,
        .transformFeedback = VK_TRUE};
    struct fixture *f = &c->f;
    open_fixture(f,
                 &(struct harness_vulkan_params){
                     .device_extensions = extensions, .device_extension_count = 1, .device_next = &features},
                 HARNESS_SPIRV(integration_looked_up));
    parts_set_vertex(&f->scene, &f->parts, HARNESS_SPIRV(integration_points_captured));
    f->parts.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    f->parts.viewport = (VkViewport){0, 0, SCENE_COLUMNS, SCENE_ROWS, 0, 1};
    c->pipeline = parts_create(&f->scene, &f->parts);
    harness_buffer_create(&f->scene.vk, &c->buffer, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, POINTS * 16,
                          NULL);
    c->bind = (PFN_vkCmdBindTransformFeedbackBuffersEXT)vkGetDeviceProcAddr(f->scene.vk.device,
                                                                            "vkCmdBindTransformFeedbackBuffersEXT");
    c->begin =
        (PFN_vkCmdBeginTransformFeedbackEXT)vkGetDeviceProcAddr(f->scene.vk.device, "vkCmdBeginTransformFeedbackEXT");
    c->end = (PFN_vkCmdEndTransformFeedbackEXT)vkGetDeviceProcAddr(f->scene.vk.device, "vkCmdEndTransformFeedbackEXT");
}

static void open_capture(struct capture *c)
{
    open_capture_with(c, NULL);
}

static void close_capture(struct capture *c)
{
    harness_buffer_destroy(&c->f.scene.vk, &c->buffer);
    vkDestroyPipeline(c->f.scene.vk.device, c->pipeline, NULL);
    close_fixture(&c->f);
}

/* Draws the points once with feedback; `late`: another set is bound while it is active. */
static void capture_points(struct capture *c, VkDescriptorSet first, VkDescriptorSet late)
{
    struct fixture *f = &c->f;
    const VkDeviceSize offset = 0, size = POINTS * 16;
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, c->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &first, 0, NULL);
    c->bind(commands, 0, 1, &c->buffer.buffer, &offset, &size);
    c->begin(commands, 0, 0, NULL, NULL);
    if (late)
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &late, 0, NULL);
    vkCmdDraw(commands, POINTS, 1, 0, 0);
    c->end(commands, 0, 0, NULL, NULL);
    scene_end(&f->scene, commands);
}

static void transform_feedback_captures_what_its_tier_looks_up(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED, SCENE_BORDER};
    static const unsigned tiers[] = {0, 1, 2, 0};
    struct capture c;
    open_capture(&c);
    for (unsigned i = 0; i < 4; i++) {
        scene_write(&c.f.scene, c.f.set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        memset(c.buffer.map, 0xee, POINTS * 16);
        capture_points(&c, c.f.set, VK_NULL_HANDLE);
        scene_expect_tier(&c.f.scene, tiers[i]);
        /* The lookup names level 0, where the sampler of mixed filters is nearest. */
        for (unsigned row = 0; row < SCENE_ROWS && samplers[i] != SCENE_MIXED; row++)
            scene_expect_row(&c.f.scene, row, samplers[i], SCENE_STEPS);
        assert_memory_equal(c.buffer.map, c.f.scene.pixels, POINTS * 16);
    }
    close_capture(&c);
}

/* Sets of layouts whose descriptors may be written after they are bound. */
static VkDescriptorSetLayout open_layout(struct capture *c, VkDescriptorPool *pool, VkDescriptorSet *set)
{
    const struct harness_vulkan *vk = &c->f.scene.vk;
    static const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = SCENE_COMBINED, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS};
    static const VkDescriptorBindingFlags after_bind = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
    static const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 1,
        .pBindingFlags = &after_bind};
    const VkDescriptorSetLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                         .pNext = &flags,
                                                         .flags =
                                                             VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
                                                         .bindingCount = 1,
                                                         .pBindings = &binding};
    const VkDescriptorPoolSize size = {SCENE_COMBINED, 1};
    const VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    VkDescriptorSetLayout layout;
    HARNESS_VK(vkCreateDescriptorSetLayout(vk->device, &layout_info, NULL, &layout));
    HARNESS_VK(vkCreateDescriptorPool(vk->device, &pool_info, NULL, pool));
    const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = *pool,
                                                  .descriptorSetCount = 1,
                                                  .pSetLayouts = &layout};
    HARNESS_VK(vkAllocateDescriptorSets(vk->device, &allocate, set));
    return layout;
}

/*
 * What such a set needs decides again when feedback ends: the draw behind it has the tier that the draw within it had
 * to do without.
 */
static void the_tier_of_sets_written_after_binding_comes_back_behind_feedback(void **state)
{
    (void)state;
    VkPhysicalDeviceDescriptorIndexingFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
        .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE};
    const VkDeviceSize offset = 0, size = POINTS * 16;
    struct capture c;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    open_capture_with(&c, &features);
    struct scene *scene = &c.f.scene;
    VkDescriptorSetLayout set_layout = open_layout(&c, &pool, &set);
    VkPipelineLayout layout = harness_pipeline_layout(&scene->vk, &set_layout, 1, 0);
    c.f.parts.info.layout = layout;
    VkPipeline pipeline = parts_create(scene, &c.f.parts);
    scene_write(scene, set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);

    VkCommandBuffer commands = scene_begin(scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    c.bind(commands, 0, 1, &c.buffer.buffer, &offset, &size);
    c.begin(commands, 0, 0, NULL, NULL);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, POINTS, 1, 0, 0);
    c.end(commands, 0, 0, NULL, NULL);
    vkCmdDraw(commands, POINTS, 1, 0, 0);
    scene_end(scene, commands);
    assert_int_equal(scene->drew[0], 1);
    assert_int_equal(scene->drew[2], 1); /* what any sampler of the scene's may ask */
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(scene, row, SCENE_CLAMP, SCENE_STEPS);
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    vkDestroyPipelineLayout(scene->vk.device, layout, NULL);
    vkDestroyDescriptorPool(scene->vk.device, pool, NULL);
    vkDestroyDescriptorSetLayout(scene->vk.device, set_layout, NULL);
    close_capture(&c);
}

/* A set that needs more is drawn as it was before; one that needs less follows its records. */
static void the_tier_stays_while_feedback_is_active(void **state)
{
    (void)state;
    struct capture c;
    open_capture(&c);
    VkDescriptorSet other = harness_set(&c.f.scene.vk, c.f.set_layout);
    scene_write(&c.f.scene, c.f.set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    scene_write(&c.f.scene, other, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    capture_points(&c, c.f.set, other);
    scene_expect_tier(&c.f.scene, 1);
    scene_expect_row(&c.f.scene, 0, SCENE_EDGE, SCENE_STEPS);
    assert_memory_equal(c.buffer.map, c.f.scene.pixels, POINTS * 16);
    capture_points(&c, other, c.f.set);
    scene_expect_tier(&c.f.scene, 0);
    capture_points(&c, c.f.set, VK_NULL_HANDLE);
    scene_expect_tier(&c.f.scene, 1);
    scene_expect_row(&c.f.scene, 0, SCENE_CLAMP, SCENE_STEPS);
    close_capture(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vertex_stage_clamps),
        cmocka_unit_test(the_geometry_stage_clamps),
        cmocka_unit_test(both_tessellation_stages_clamp),
        cmocka_unit_test(compute_clamps_beside_a_plain_draw),
        cmocka_unit_test(dynamic_rendering_has_tiers_without_a_render_pass),
        cmocka_unit_test(transform_feedback_captures_what_its_tier_looks_up),
        cmocka_unit_test(the_tier_of_sets_written_after_binding_comes_back_behind_feedback),
        cmocka_unit_test(the_tier_stays_while_feedback_is_active),
    };
    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
