/* SPDX-License-Identifier: MIT */
/*
 * Task and mesh stages that sample (VK_EXT_mesh_shader), drawn by every command that the driver has for them. Skipped
 * where the driver lacks the extension.
 */
#include <string.h>

#include "newer_vulkan.h"
#include "integration/shared/parts.h"
#include "integration_mesh_fragment.h"
#include "integration_mesh_lookup.h"
#include "integration_mesh_of_task.h"
#include "integration_task_lookup.h"

enum way { DIRECT, INDIRECT, INDIRECT_COUNT, INDIRECT_2, INDIRECT_COUNT_2, WAYS };

struct arguments {
    VkDrawMeshTasksIndirectCommandEXT draw;
    uint32_t count;
};

struct fixture {
    struct scene scene;
    struct parts parts;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    VkPipeline pipeline;
    struct harness_buffer arguments;
    VkDeviceAddress address;
    bool addresses; /* VK_KHR_device_address_commands is there */
};

#define CALL(F, NAME) HARNESS_PROC(&(F)->scene.vk, vk##NAME)

/* A pipeline of a mesh stage and, where that samples instead, of a task stage. */
static void open_fixture(struct fixture *f, bool task)
{
    static const char *const extensions[] = {VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                             VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME};
    static const struct arguments arguments = {{1, 1, 1}, 1};
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = SCENE_COMBINED,
                                                  .descriptorCount = 1,
                                                  .stageFlags = task ? VK_SHADER_STAGE_TASK_BIT_EXT
                                                                     : VK_SHADER_STAGE_MESH_BIT_EXT};
    VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR addresses = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
        .deviceAddressCommands = VK_TRUE};
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                  .taskShader = VK_TRUE,
                                                  .meshShader = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &mesh,
                                                 .bufferDeviceAddress = VK_TRUE,
                                                 .drawIndirectCount = VK_TRUE};
    VkPhysicalDeviceVulkan13Features latest = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &features, .maintenance4 = VK_TRUE};
    scene_skip_without(VK_EXT_MESH_SHADER_EXTENSION_NAME);
    f->addresses = harness_driver_has(VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME);
    mesh.pNext = f->addresses ? &addresses : NULL;
    scene_open(&f->scene, &(struct harness_vulkan_params){.device_extensions = extensions,
                                                          .device_extension_count = f->addresses ? 2 : 1,
                                                          .device_next = &latest});
    struct harness_vulkan *vk = &f->scene.vk;
    harness_one_set(vk, &binding, 1, &f->set_layout, &f->layout, &f->set);
    harness_buffer_create(vk, &f->arguments,
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizeof(arguments), &arguments);
    f->address = vkGetBufferDeviceAddress(
        vk->device, &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                 .buffer = f->arguments.buffer});
    parts_open(&f->scene, &f->parts, HARNESS_SPIRV(integration_mesh_fragment), f->layout);
    parts_set_vertex(&f->scene, &f->parts,
                     task ? HARNESS_SPIRV(integration_mesh_of_task) : HARNESS_SPIRV(integration_mesh_lookup));
    f->parts.stages[0].stage = VK_SHADER_STAGE_MESH_BIT_EXT;
    if (task)
        parts_add_stage(&f->scene, &f->parts, VK_SHADER_STAGE_TASK_BIT_EXT, HARNESS_SPIRV(integration_task_lookup));
    f->parts.viewport = (VkViewport){0, 0, SCENE_COLUMNS, SCENE_ROWS, 0, 1};
    f->parts.info.pVertexInputState = NULL;
    f->parts.info.pInputAssemblyState = NULL;
    f->pipeline = parts_create(&f->scene, &f->parts);
}

static void close_fixture(struct fixture *f)
{
    vkDestroyPipeline(f->scene.vk.device, f->pipeline, NULL);
    parts_close(&f->scene, &f->parts);
    harness_buffer_destroy(&f->scene.vk, &f->arguments);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
}

static void record(const struct fixture *f, VkCommandBuffer commands, enum way way)
{
    const VkDeviceSize count_at = offsetof(struct arguments, count);
    const VkStridedDeviceAddressRangeKHR draws = {f->address, sizeof(VkDrawMeshTasksIndirectCommandEXT),
                                                  sizeof(VkDrawMeshTasksIndirectCommandEXT)};
    const VkDrawIndirect2InfoKHR by_address = {
        .sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR, .addressRange = draws, .drawCount = 1};
    const VkDrawIndirectCount2InfoKHR counted = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR,
                                                 .addressRange = draws,
                                                 .countAddressRange = {f->address + count_at, sizeof(uint32_t)},
                                                 .maxDrawCount = 1};
    switch (way) {
    case DIRECT:
        CALL(f, CmdDrawMeshTasksEXT)(commands, 1, 1, 1);
        break;
    case INDIRECT:
        CALL(f, CmdDrawMeshTasksIndirectEXT)(commands, f->arguments.buffer, 0, 1, sizeof(struct arguments));
        break;
    case INDIRECT_COUNT:
        CALL(f, CmdDrawMeshTasksIndirectCountEXT)
        (commands, f->arguments.buffer, 0, f->arguments.buffer, count_at, 1, sizeof(struct arguments));
        break;
    case INDIRECT_2:
        CALL(f, CmdDrawMeshTasksIndirect2EXT)(commands, &by_address);
        break;
    default:
        CALL(f, CmdDrawMeshTasksIndirectCount2EXT)(commands, &counted);
    }
}

static void expect_points(struct fixture *f)
{
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIRROR, SCENE_BORDER, SCENE_MIXED};
    static const unsigned tiers[] = {0, 1, 1, 0, 2};
    for (unsigned way = 0; way < (f->addresses ? WAYS : INDIRECT_2); way++) {
        for (unsigned i = 0; i < 5; i++) {
            scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
            VkCommandBuffer commands = scene_begin(&f->scene);
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->pipeline);
            vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &f->set, 0, NULL);
            record(f, commands, (enum way)way);
            scene_end(&f->scene, commands);
            scene_expect_tier(&f->scene, tiers[i]);
            /* The lookup names level 0, where the sampler of mixed filters is nearest. */
            for (unsigned row = 0; row < SCENE_ROWS && samplers[i] != SCENE_MIXED; row++)
                scene_expect_row(&f->scene, row, samplers[i], SCENE_STEPS);
        }
    }
}

static void the_mesh_stage_clamps(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, false);
    expect_points(&f);
    close_fixture(&f);
}

static void the_task_stage_clamps(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, true);
    expect_points(&f);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mesh_stage_clamps),
        cmocka_unit_test(the_task_stage_clamps),
    };
    return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
