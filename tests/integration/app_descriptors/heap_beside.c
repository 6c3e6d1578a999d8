/* SPDX-License-Identifier: MIT */
/*
 * Descriptor heaps on devices where the program also has descriptor sets, descriptor buffers and shader objects: what
 * goes down is valid, which the validation layer below tells. Commands of sets leave nothing of heaps and push data.
 */
#include <string.h>

#include "harness/drawing/shader_objects.h"
#include "integration/app_descriptors/heap_scene.h"
#include "integration_heap_beside.h"
#include "integration_heap_beside_pushed.h"

/* The shader's combined image sampler and results, at constant offsets. */
struct lookup {
    VkDescriptorSetAndBindingMappingEXT mappings[2];
    VkShaderDescriptorSetAndBindingMappingInfoEXT info;
};

static void make_lookup(struct heap_scene *f, struct lookup *l, unsigned tier)
{
    const uint32_t pixels = harness_heaps_take(&f->heaps, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1),
                   image = harness_heaps_take(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1),
                   sampler = harness_heaps_take(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLER, 1);
    heap_scene_put_pixels(f, pixels);
    heap_scene_put_texture(f, image, SCENE_RAMP);
    heap_scene_put_sampler(f, sampler, f->native ? SCENE_EDGE : SCENE_CLAMP);
    heap_scene_raise(f, f->native ? 0 : tier);
    l->mappings[0] =
        harness_heap_mapping(0, 0, 1, (struct harness_heap_place){image, 0}, (struct harness_heap_place){sampler, 0});
    l->mappings[1] =
        harness_heap_mapping(0, 1, 1, (struct harness_heap_place){pixels, 0}, (struct harness_heap_place){pixels, 0});
    l->info = (VkShaderDescriptorSetAndBindingMappingInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 2,
        .pMappings = l->mappings};
}

static void expect_all(const struct heap_scene *f)
{
    if (!f->native)
        scene_expect_tier(&f->scene, f->tier);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, f->native ? SCENE_EDGE : SCENE_CLAMP, SCENE_RAMP);
}

/* ---- Shader objects beside descriptor buffers ---- */

/* There the layer has push constants of its own in all layouts, and shaders of heaps must have none. */
static void shader_objects_of_heaps_have_no_layouts(void **state)
{
    static const char *const extensions[] = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                             VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME};
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT, .descriptorBuffer = VK_TRUE};
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {.sType =
                                                           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
                                                       .pNext = &buffers,
                                                       .shaderObject = VK_TRUE};
    struct heap_scene f;
    struct lookup l;
    struct harness_objects shader;
    VkDescriptorSetLayout placed;
    (void)state;
    scene_skip_without(extensions[0]);
    scene_skip_without(extensions[1]);
    heap_scene_open_with(&f, &objects, extensions, 2);
    struct harness_vulkan *vk = &f.scene.vk;
    const VkDescriptorSetLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                                    .bindingCount = 1,
                                                    .pBindings = &binding};
    HARNESS_VK(vkCreateDescriptorSetLayout(vk->device, &layout, NULL, &placed)); /* from here on, on lavapipe */
    make_lookup(&f, &l, 2);
    harness_objects_create(
        vk, &shader,
        &(struct harness_objects_params){.compute = HARNESS_SPIRV(integration_heap_beside), .mapping = &l.info});
    scene_mark(&f.scene);
    VkCommandBuffer commands = harness_begin(vk);
    harness_heaps_bind(&f.heaps, commands);
    harness_objects_bind(vk, &shader, &f.scene.target, commands);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(vk, commands);
    scene_take(&f.scene);
    memcpy(f.scene.pixels, f.pixels.map, sizeof(f.scene.pixels));
    expect_all(&f);
    harness_objects_destroy(vk, &shader);
    vkDestroyDescriptorSetLayout(vk->device, placed, NULL);
    heap_scene_close(&f);
}

/* ---- Sets in between ---- */

static void heaps_and_sets_take_turns_in_a_command_buffer(void **state)
{
    static const float one = 1;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkMemoryBarrier written = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT};
    struct heap_scene f;
    struct lookup l;
    (void)state;
    heap_scene_open(&f);
    struct harness_vulkan *vk = &f.scene.vk;
    make_lookup(&f, &l, 2);
    const VkDescriptorSetLayout set_layout = harness_set_layout(vk, bindings, 2);
    const VkPipelineLayout layout = harness_pipeline_layout(vk, &set_layout, 1, sizeof(one));
    const VkDescriptorSet set = harness_set(vk, set_layout);
    struct harness_vulkan plain = *vk; /* for pipelines of sets */
    plain.sets = HARNESS_SETS_PLAIN;
    const VkPipeline pipelines[2] = {
        heap_scene_pipeline(&f, VK_SHADER_STAGE_COMPUTE_BIT, HARNESS_SPIRV(integration_heap_beside_pushed), &l.info),
        harness_compute_pipeline(&plain, HARNESS_SPIRV(integration_heap_beside_pushed), layout)};
    const VkDescriptorBufferInfo pixels = {f.pixels.buffer, 0, VK_WHOLE_SIZE};
    harness_write_buffers(vk, set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, &pixels);
    scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    scene_mark(&f.scene);
    VkCommandBuffer commands = harness_begin(vk);
    for (unsigned i = 0; i < 5; i++) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[i % 2]);
        if (i % 2) {
            vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
            vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, sizeof(one), &one);
        } else {
            harness_heaps_bind(&f.heaps, commands); /* the same ones again */
            harness_heaps_push(&f.heaps, commands, 0, &one, sizeof(one));
        }
        vkCmdDispatch(commands, 1, 1, 1);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                             &written, 0, NULL, 0, NULL);
    }
    harness_submit(vk, commands);
    scene_take(&f.scene);
    memcpy(f.scene.pixels, f.pixels.map, sizeof(f.scene.pixels));
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, f.native ? SCENE_EDGE : SCENE_CLAMP, SCENE_RAMP);
    if (!f.native)
        assert_int_equal(f.scene.drew[f.tier], 3);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPipeline(vk->device, pipelines[i], NULL);
    harness_layouts_destroy(vk, layout, set_layout);
    heap_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shader_objects_of_heaps_have_no_layouts),
        cmocka_unit_test(heaps_and_sets_take_turns_in_a_command_buffer),
    };
    return cmocka_run_group_tests_name("heap_beside", tests, NULL, NULL);
}
