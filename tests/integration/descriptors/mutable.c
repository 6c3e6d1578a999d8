/* SPDX-License-Identifier: MIT */
/*
 * Mutable descriptors (VK_EXT_mutable_descriptor_type) in a binding of variable count, as translators of Direct3D 12
 * have their heaps: the types that a descriptor may have follow the binding below, and its record the type that it has.
 */
#include <stdlib.h>

#include "integration/shared/parts.h"
#include "integration_mutable.h"

enum { HEAP = 3 /* binding */, DESCRIPTORS = 12 /* of the heap */ };

static const VkDescriptorType heap_types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorSetLayout host_layout; /* the same, for sets that only the host sees */
    VkDescriptorPool pool, host_pool;
};

static VkDescriptorPool create_pool(const struct fixture *f, VkDescriptorPoolCreateFlags flags)
{
    static const VkMutableDescriptorTypeListEXT lists[] = {{0, NULL}, {2, heap_types}};
    static const VkMutableDescriptorTypeCreateInfoEXT types = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 2,
        .pMutableDescriptorTypeLists = lists};
    static const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLER, 8}, {VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 64}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .pNext = &types,
                                             .flags = flags,
                                             .maxSets = 4,
                                             .poolSizeCount = 2,
                                             .pPoolSizes = sizes};
    VkDescriptorPool pool;
    HARNESS_VK(vkCreateDescriptorPool(f->scene.vk.device, &info, NULL, &pool));
    return pool;
}

static void open_fixture(struct fixture *f)
{
    static const char *const extensions[] = {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME};
    VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
        .mutableDescriptorType = VK_TRUE};
    VkPhysicalDeviceVulkan12Features indexing = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &features,
                                                 .descriptorIndexing = VK_TRUE,
                                                 .descriptorBindingPartiallyBound = VK_TRUE,
                                                 .descriptorBindingVariableDescriptorCount = VK_TRUE,
                                                 .runtimeDescriptorArray = VK_TRUE};
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(HEAP, MUTABLE_EXT, DESCRIPTORS),
                                                            SCENE_BINDING(0, SAMPLER, 2)};
    static const VkDescriptorBindingFlags binding_flags[] = {
        VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT, 0};
    static const VkMutableDescriptorTypeListEXT list = {2, heap_types}; /* of the first binding; the other needs none */
    static const VkMutableDescriptorTypeCreateInfoEXT types = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 1,
        .pMutableDescriptorTypeLists = &list};
    static const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .pNext = &types,
        .bindingCount = 2,
        .pBindingFlags = binding_flags};
    const VkDescriptorSetLayoutCreateInfo host = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &flags,
                                                  .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_EXT,
                                                  .bindingCount = 2,
                                                  .pBindings = bindings};
    scene_open(&f->scene, &(struct harness_vulkan_params){
                              .device_extensions = extensions, .device_extension_count = 1, .device_next = &indexing});
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_mutable), bindings, 2, 0, &flags);
    HARNESS_VK(vkCreateDescriptorSetLayout(f->scene.vk.device, &host, NULL, &f->host_layout));
    f->pool = create_pool(f, 0);
    f->host_pool = create_pool(f, VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT);
}

static void close_fixture(struct fixture *f)
{
    vkDestroyDescriptorPool(f->scene.vk.device, f->pool, NULL);
    vkDestroyDescriptorPool(f->scene.vk.device, f->host_pool, NULL);
    vkDestroyDescriptorSetLayout(f->scene.vk.device, f->host_layout, NULL);
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static VkDescriptorSet allocate(const struct fixture *f, VkDescriptorPool pool, VkDescriptorSetLayout layout)
{
    static const uint32_t count = DESCRIPTORS;
    const VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &count};
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .pNext = &counts,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    VkDescriptorSet set;
    HARNESS_VK(vkAllocateDescriptorSets(f->scene.vk.device, &info, &set));
    return set;
}

/* Images by turns, which the samplers of binding 0 meet by turns. */
static void write_images(struct fixture *f, VkDescriptorSet set, unsigned first, enum scene_texture texture)
{
    for (unsigned i = first; i < SCENE_ROWS; i += 2)
        scene_write(&f->scene, set, HEAP, i, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SCENE_EDGE, texture);
}

static void write_samplers(struct fixture *f, VkDescriptorSet set, enum scene_sampler first, enum scene_sampler second)
{
    scene_write(&f->scene, set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLER, first, SCENE_RAMP);
    scene_write(&f->scene, set, 0, 1, VK_DESCRIPTOR_TYPE_SAMPLER, second, SCENE_RAMP);
}

/* RAMP through the first sampler and STEPS through the second. */
static void expect_drawn(struct fixture *f, VkDescriptorSet set, enum scene_sampler first, enum scene_sampler second,
                         unsigned tier)
{
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &set);
    scene_expect_tier(&f->scene, tier);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, row % 2 ? second : first, row % 2 ? SCENE_STEPS : SCENE_RAMP);
}

static void images_of_a_mutable_binding_meet_their_samplers_in_every_tier(void **state)
{
    (void)state;
    struct fixture f;
    scene_skip_without(VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME);
    open_fixture(&f);
    VkDescriptorSet set = allocate(&f, f.pool, f.program.set_layout);
    static const enum scene_sampler samplers[][2] = {{SCENE_EDGE, SCENE_BORDER},
                                                     {SCENE_CLAMP, SCENE_EDGE},
                                                     {SCENE_BORDER, SCENE_MIXED},
                                                     {SCENE_GL_EDGE, SCENE_EDGE}};
    static const unsigned tiers[] = {0, 1, 2, 0};
    write_images(&f, set, 0, SCENE_RAMP);
    write_images(&f, set, 1, SCENE_STEPS);
    for (unsigned i = 0; i < 4; i++) {
        write_samplers(&f, set, samplers[i][0], samplers[i][1]);
        expect_drawn(&f, set, samplers[i][0], samplers[i][1], tiers[i]);
    }
    close_fixture(&f);
}

static void descriptors_may_change_their_type_and_back(void **state)
{
    (void)state;
    struct fixture f;
    struct harness_buffer buffer;
    scene_skip_without(VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME);
    open_fixture(&f);
    harness_buffer_create(&f.scene.vk, &buffer, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 64, NULL);
    VkDescriptorSet set = allocate(&f, f.pool, f.program.set_layout);
    write_samplers(&f, set, SCENE_MIXED, SCENE_CLAMP);
    for (unsigned round = 0; round < 2; round++) {
        VkDescriptorBufferInfo infos[DESCRIPTORS];
        for (unsigned i = 0; i < DESCRIPTORS; i++)
            infos[i] = (VkDescriptorBufferInfo){buffer.buffer, 0, VK_WHOLE_SIZE};
        harness_write_buffers(&f.scene.vk, set, HEAP, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, DESCRIPTORS, infos);
        write_images(&f, set, 0, SCENE_RAMP);
        write_images(&f, set, 1, SCENE_STEPS);
        expect_drawn(&f, set, SCENE_MIXED, SCENE_CLAMP, 2);
    }
    harness_buffer_destroy(&f.scene.vk, &buffer);
    close_fixture(&f);
}

/* Direct3D 12's way to fill a heap: descriptors are written to a set that only the host sees, and copied. */
static void descriptors_come_by_copies_from_sets_of_the_host(void **state)
{
    (void)state;
    struct fixture f;
    scene_skip_without(VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME);
    open_fixture(&f);
    VkDescriptorSet set = allocate(&f, f.pool, f.program.set_layout), source = allocate(&f, f.host_pool, f.host_layout);
    write_images(&f, set, 0, SCENE_RAMP);
    write_images(&f, set, 1, SCENE_RAMP);
    write_samplers(&f, set, SCENE_EDGE, SCENE_EDGE);
    write_images(&f, source, 1, SCENE_STEPS);
    write_samplers(&f, source, SCENE_CLAMP, SCENE_MIXED);
    VkCopyDescriptorSet copies[1 + SCENE_ROWS / 2] = {
        {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = source, .dstSet = set, .descriptorCount = 2}};
    for (uint32_t i = 0; i < SCENE_ROWS / 2; i++)
        copies[1 + i] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                              .srcSet = source,
                                              .srcBinding = HEAP,
                                              .srcArrayElement = 2 * i + 1,
                                              .dstSet = set,
                                              .dstBinding = HEAP,
                                              .dstArrayElement = 2 * i + 1,
                                              .descriptorCount = 1};
    vkUpdateDescriptorSets(f.scene.vk.device, 0, NULL, 1 + SCENE_ROWS / 2, copies);
    expect_drawn(&f, set, SCENE_CLAMP, SCENE_MIXED, 2);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_of_a_mutable_binding_meet_their_samplers_in_every_tier),
        cmocka_unit_test(descriptors_may_change_their_type_and_back),
        cmocka_unit_test(descriptors_come_by_copies_from_sets_of_the_host),
    };
    return cmocka_run_group_tests_name("mutable", tests, NULL, NULL);
}
