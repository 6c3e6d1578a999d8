/* SPDX-License-Identifier: MIT */
/*
 * What no driver here has, by a layer below that makes it up (type_layer): queues of several families, sets that the
 * host writes in place, sets that are bound by stage.
 */
#include <string.h>

#include "integration/layers/faults.h"
#include "integration/shared/scene.h"
#include "integration/layers/type_layer/type.h"
#include "integration_odd_single.h"

static struct type_control *open_scene(struct scene *scene)
{
    static struct type_control *control;
    if (!control)
        control = test_layer_open("type", TYPE_CONTROL_SYMBOL);
    scene_open(scene, &(struct harness_vulkan_params){.layers = "clampler:" TYPE_LAYER});
    return control;
}

static const VkDescriptorSetLayoutBinding single = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

/* ---- Families ---- */

/* A device of the scene's, with queues of so many families. */
static VkDevice device_of_families(const struct scene *scene, uint32_t count)
{
    static const char *const extensions[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME};
    const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER, .glSampler = VK_TRUE};
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queues[3];
    for (uint32_t i = 0; i < 3; i++)
        queues[i] = (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueFamilyIndex = i,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = count,
                                     .pQueueCreateInfos = queues,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = extensions};
    VkDevice device;
    HARNESS_VK(vkCreateDevice(scene->vk.physical, &info, NULL, &device));
    return device;
}

/* Memory for records is taken: by the first set. */
static void allocate_a_set(VkDevice device)
{
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &single};
    const VkDescriptorPoolSize size = {SCENE_COMBINED, 1};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    HARNESS_VK(vkCreateDescriptorSetLayout(device, &layout_info, NULL, &layout));
    HARNESS_VK(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    HARNESS_VK(vkAllocateDescriptorSets(device, &info, &set));
    vkDestroyDescriptorPool(device, pool, NULL);
    vkDestroyDescriptorSetLayout(device, layout, NULL);
}

static void records_are_shared_by_the_families_of_all_queues(void **state)
{
    (void)state;
    struct scene scene;
    struct type_control *control = open_scene(&scene);
    for (uint32_t count = 1; count <= 3; count++) {
        VkDevice device = device_of_families(&scene, count);
        atomic_store(&control->exclusive, 0);
        atomic_store(&control->concurrent, 0);
        allocate_a_set(device);
        assert_int_equal(atomic_load(&control->exclusive), count == 1);
        assert_int_equal(atomic_load(&control->concurrent), count > 1);
        if (count > 1)
            assert_int_equal(atomic_load(&control->families), count);
        vkDestroyDevice(device, NULL);
    }
    scene_close(&scene);
}

/* ---- Sets that the host writes in place ---- */

static void host_mappings_are_of_the_bindings_that_the_driver_has(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, UNIFORM_BUFFER, 1),
                                                            SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, 4)};
    static const VkDescriptorBindingFlags flags[] = {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &binding_flags,
                                                  .bindingCount = 2,
                                                  .pBindings = bindings};
    struct scene scene;
    VkDescriptorSetLayout layout;
    open_scene(&scene);
    PFN_vkGetDescriptorSetLayoutHostMappingInfoVALVE get =
        HARNESS_PROC(&scene.vk, vkGetDescriptorSetLayoutHostMappingInfoVALVE);
    HARNESS_VK(vkCreateDescriptorSetLayout(scene.vk.device, &info, NULL, &layout));
    const uint32_t behind = strstr(scene.vk.properties.deviceName, "SwiftShader") ? 3 : 2;
    for (uint32_t i = 0; i < 2; i++) {
        const VkDescriptorSetBindingReferenceVALVE reference = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_BINDING_REFERENCE_VALVE,
            .descriptorSetLayout = layout,
            .binding = i};
        VkDescriptorSetLayoutHostMappingInfoVALVE mapping = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_HOST_MAPPING_INFO_VALVE};
        get(scene.vk.device, &reference, &mapping);
        /* The buffer of records has number 1, and the nearest sampler that SwiftShader needs number 2. */
        assert_int_equal(mapping.descriptorOffset, i == 1 ? behind : 0);
    }
    vkDestroyDescriptorSetLayout(scene.vk.device, layout, NULL);
    scene_close(&scene);
}

/* ---- Sets by stage ---- */

/* Lavapipe does not mind a flag that it does not know. */
static void sets_that_are_bound_by_stage_are_the_drivers(void **state)
{
    (void)state;
    const VkFlags by_stage = 0x40; /* VK_DESCRIPTOR_SET_LAYOUT_CREATE_PER_STAGE_BIT_NV */
    struct scene scene;
    struct scene_program program;
    open_scene(&scene);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_odd_single), &single, 1, by_stage, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    scene_write(&scene, set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    scene_expect_own_code(&scene);
    assert_int_equal(harness_layer_messages(), 1);
    assert_non_null(strstr(harness_layer_message(0), "bound by stage"));
    harness_messages_reset();
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_shared_by_the_families_of_all_queues),
        cmocka_unit_test(host_mappings_are_of_the_bindings_that_the_driver_has),
        cmocka_unit_test(sets_that_are_bound_by_stage_are_the_drivers),
    };
    return cmocka_run_group_tests_name("odd_devices", tests, NULL, NULL);
}
