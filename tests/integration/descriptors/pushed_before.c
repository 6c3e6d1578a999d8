/* SPDX-License-Identifier: MIT */
/*
 * A set that was pushed for one pipeline, and that no draw has read, when another pipeline or other shaders draw, whose
 * layout has an ordinary set in that place, or none: nothing of it goes down, as it would be pushed with a layout that
 * has no place for it, or that disturbs the sets that are bound. Validation below tells, on every driver.
 */
#include <string.h>

#include "newer_vulkan.h"
#include "harness/drawing/shader_objects.h"
#include "integration/shared/scene.h"
#include "integration_pushed_both.h"
#include "integration_pushed_first.h"
#include "integration_pushed_uniform.h"

enum { PUSH_LAYOUT = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR };

enum { ORDINARY, WIDE, PUSHED, SETS }; /* WIDE: two descriptors, so that the two layouts are compatible in nothing */

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout sets[SETS];
    VkPipelineLayout with_push, without; /* set 1 is pushed; it is an ordinary one */
    VkDescriptorSet set;                 /* number 0 of the second */
    VkPipeline both;                     /* of the first, which reads both */
};

static void make(struct fixture *f)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                            SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2)};
    struct harness_vulkan *vk = &f->scene.vk;
    for (unsigned i = 0; i < SETS; i++) {
        const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                      .flags = i == PUSHED ? PUSH_LAYOUT : 0,
                                                      .bindingCount = 1,
                                                      .pBindings = &bindings[i == WIDE]};
        HARNESS_VK(vkCreateDescriptorSetLayout(vk->device, &info, NULL, &f->sets[i]));
    }
    const VkDescriptorSetLayout ordinary[2] = {f->sets[ORDINARY], f->sets[ORDINARY]},
                                pushed[2] = {f->sets[WIDE], f->sets[PUSHED]};
    f->with_push = harness_pipeline_layout(vk, pushed, 2, 0);
    f->without = harness_pipeline_layout(vk, ordinary, 2, 0);
    f->set = harness_set(vk, f->sets[ORDINARY]);
    f->both = harness_graphics_pipeline(
        vk, &f->scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_pushed_both), .layout = f->with_push});
    scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_RAMP);
}

static void open_fixture(struct fixture *f)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    scene_open(&f->scene,
               &(struct harness_vulkan_params){.device_extensions = extensions, .device_extension_count = 1});
    make(f);
}

static void close_fixture(struct fixture *f)
{
    const VkDevice device = f->scene.vk.device;
    vkDestroyPipeline(device, f->both, NULL);
    vkDestroyPipelineLayout(device, f->with_push, NULL);
    vkDestroyPipelineLayout(device, f->without, NULL);
    for (unsigned i = 0; i < SETS; i++)
        vkDestroyDescriptorSetLayout(device, f->sets[i], NULL);
    scene_close(&f->scene);
}

/* For a pipeline that does not draw. */
static void push(struct fixture *f, VkCommandBuffer commands)
{
    const VkDescriptorImageInfo image = scene_info(&f->scene, SCENE_MIRROR, SCENE_STEPS);
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .descriptorCount = 1,
                                        .descriptorType = SCENE_COMBINED,
                                        .pImageInfo = &image};
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->both);
    HARNESS_PROC(&f->scene.vk, vkCmdPushDescriptorSetKHR)
    (commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->with_push, 1, 1, &write);
}

static void expect_rows(const struct fixture *f)
{
    scene_expect_tier(&f->scene, 1);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, SCENE_CLAMP, SCENE_RAMP);
}

static void the_next_pipeline_gets_nothing_of_a_push(void **state)
{
    struct fixture f = {.set = VK_NULL_HANDLE};
    (void)state;
    open_fixture(&f);
    const VkPipeline first = harness_graphics_pipeline(
        &f.scene.vk, &f.scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_pushed_first), .layout = f.without});
    const VkCommandBuffer commands = scene_begin(&f.scene);
    push(&f, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, first);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.without, 0, 1, &f.set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    expect_rows(&f);
    vkDestroyPipeline(f.scene.vk.device, first, NULL);
    close_fixture(&f);
}

/* A set layout and a set of a uniform buffer: no pipeline of it is the layer's. */
struct uniform {
    struct harness_buffer buffer;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    VkPipeline pipeline;
};

static void make_uniform(struct fixture *f, struct uniform *u, const float value[4])
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, UNIFORM_BUFFER, 1);
    struct harness_vulkan *vk = &f->scene.vk;
    harness_buffer_create(vk, &u->buffer, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 4 * sizeof(*value), value);
    harness_one_set(vk, &binding, 1, &u->set_layout, &u->layout, &u->set);
    u->pipeline = harness_graphics_pipeline(
        vk, &f->scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_pushed_uniform), .layout = u->layout});
    const VkDescriptorBufferInfo buffer = {u->buffer.buffer, 0, VK_WHOLE_SIZE};
    harness_write_buffers(vk, u->set, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, &buffer);
}

static void a_pipeline_that_samples_nothing_keeps_its_sets(void **state)
{
    static const float value[4] = {0.25f, 0.5f, 0.75f, 1};
    struct fixture f = {.set = VK_NULL_HANDLE};
    struct uniform u = {.set = VK_NULL_HANDLE};
    (void)state;
    open_fixture(&f);
    make_uniform(&f, &u, value);
    const VkCommandBuffer commands = scene_begin(&f.scene);
    push(&f, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, u.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, u.layout, 0, 1, &u.set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        for (unsigned i = 0; i < SCENE_COLUMNS; i++)
            assert_memory_equal(f.scene.pixels[row][i], value, sizeof(value));
    const VkDevice device = f.scene.vk.device;
    vkDestroyPipeline(device, u.pipeline, NULL);
    vkDestroyPipelineLayout(device, u.layout, NULL);
    vkDestroyDescriptorSetLayout(device, u.set_layout, NULL);
    harness_buffer_destroy(&f.scene.vk, &u.buffer);
    close_fixture(&f);
}

static void the_next_shader_objects_get_nothing_of_a_push(void **state)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                             VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    VkPhysicalDeviceVulkan13Features rendering = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                  .dynamicRendering = VK_TRUE};
    const VkPhysicalDeviceShaderObjectFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .pNext = &rendering,
        .shaderObject = VK_TRUE};
    struct fixture f = {.set = VK_NULL_HANDLE};
    struct harness_objects objects;
    (void)state;
    scene_skip_without(VK_EXT_SHADER_OBJECT_EXTENSION_NAME);
    scene_open(&f.scene, &(struct harness_vulkan_params){
                             .device_extensions = extensions, .device_extension_count = 2, .device_next = &features});
    make(&f);
    const VkDescriptorSetLayout ordinary[2] = {f.sets[ORDINARY], f.sets[ORDINARY]};
    harness_objects_create(&f.scene.vk, &objects,
                           &(struct harness_objects_params){.fragment = HARNESS_SPIRV(integration_pushed_first),
                                                            .set_layouts = ordinary,
                                                            .set_layout_count = 2});
    scene_mark(&f.scene);
    const VkCommandBuffer commands = harness_begin(&f.scene.vk);
    push(&f, commands);
    harness_target_begin_rendering(&f.scene.target, commands);
    harness_objects_bind(&f.scene.vk, &objects, &f.scene.target, commands);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.without, 0, 1, &f.set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end_rendering(&f.scene.target, commands);
    harness_submit(&f.scene.vk, commands);
    scene_take(&f.scene);
    harness_target_read(&f.scene.vk, &f.scene.target, f.scene.pixels);
    expect_rows(&f);
    harness_objects_destroy(&f.scene.vk, &objects);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_pipeline_gets_nothing_of_a_push),
        cmocka_unit_test(a_pipeline_that_samples_nothing_keeps_its_sets),
        cmocka_unit_test(the_next_shader_objects_get_nothing_of_a_push),
    };
    return cmocka_run_group_tests_name("pushed_before", tests, NULL, NULL);
}
