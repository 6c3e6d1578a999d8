/* SPDX-License-Identifier: MIT */
/*
 * Commands that take device addresses in the place of buffers (VK_KHR_device_address_commands): draws and dispatches
 * among them choose tiers as their elders do, and transform feedback keeps its pipeline. Skipped where the driver lacks
 * the extension.
 */
#include <string.h>

#include "newer_vulkan.h"
#include "integration/shared/parts.h"
#include "integration_addresses_compute.h"
#include "integration_addresses_fragment.h"

enum { INDIRECT, INDEXED, INDIRECT_COUNT, INDEXED_COUNT, DISPATCH, WAYS };

/* What the commands read; offsets are into the one buffer. */
struct arguments {
    VkDrawIndirectCommand draw;
    uint32_t pad[4];
    VkDrawIndexedIndirectCommand indexed;
    uint32_t more[3];
    VkDispatchIndirectCommand dispatch;
    uint32_t count;
    uint16_t indices[4];
};

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet edge, clamp, mixed;
    VkPipeline graphics, compute;
    struct harness_buffer arguments, pixels;
    VkDeviceAddress address;
};

static void write_set(struct fixture *f, VkDescriptorSet *set, enum scene_sampler sampler)
{
    *set = harness_set(&f->scene.vk, f->set_layout);
    scene_write(&f->scene, *set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
    harness_write_buffer(&f->scene.vk, *set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, f->pixels.buffer);
}

static void open_fixture(struct fixture *f)
{
    static const char *const extensions[] = {VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME};
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    static const struct arguments arguments = {
        .draw = {3, 1, 0, 0}, .indexed = {3, 1, 0, 0, 0}, .dispatch = {1, 1, 1}, .count = 1, .indices = {0, 1, 2}};
    VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR commands = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
        .deviceAddressCommands = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &commands,
                                                 .bufferDeviceAddress = VK_TRUE,
                                                 .drawIndirectCount = VK_TRUE};
    scene_skip_without(VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME);
    scene_open(&f->scene, &(struct harness_vulkan_params){
                              .device_extensions = extensions, .device_extension_count = 1, .device_next = &features});
    struct harness_vulkan *vk = &f->scene.vk;
    f->set_layout = harness_set_layout(vk, bindings, 2);
    f->layout = harness_pipeline_layout(vk, &f->set_layout, 1, 0);
    harness_buffer_create(vk, &f->arguments,
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizeof(arguments), &arguments);
    harness_buffer_create(vk, &f->pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f->scene.pixels), NULL);
    f->address = vkGetBufferDeviceAddress(
        vk->device, &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                 .buffer = f->arguments.buffer});
    write_set(f, &f->edge, SCENE_EDGE);
    write_set(f, &f->clamp, SCENE_CLAMP);
    write_set(f, &f->mixed, SCENE_MIXED);
    f->graphics =
        harness_graphics_pipeline(vk, &f->scene.target,
                                  &(struct harness_graphics_params){
                                      .fragment = HARNESS_SPIRV(integration_addresses_fragment), .layout = f->layout});
    f->compute = harness_compute_pipeline(vk, HARNESS_SPIRV(integration_addresses_compute), f->layout);
}

static void close_fixture(struct fixture *f)
{
    harness_buffer_destroy(&f->scene.vk, &f->arguments);
    harness_buffer_destroy(&f->scene.vk, &f->pixels);
    vkDestroyPipeline(f->scene.vk.device, f->graphics, NULL);
    vkDestroyPipeline(f->scene.vk.device, f->compute, NULL);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
}

#define CALL(NAME) HARNESS_PROC(&f->scene.vk, vk##NAME)
#define RANGE(MEMBER)                                                                                                  \
    {                                                                                                                  \
        f->address + offsetof(struct arguments, MEMBER), sizeof(((struct arguments *)0)->MEMBER)                       \
    }
#define STRIDED(MEMBER)                                                                                                \
    {                                                                                                                  \
        f->address + offsetof(struct arguments, MEMBER), sizeof(((struct arguments *)0)->MEMBER),                      \
            sizeof(((struct arguments *)0)->MEMBER)                                                                    \
    }

static void record(struct fixture *f, VkCommandBuffer commands, unsigned way)
{
    const VkDrawIndirect2InfoKHR draw = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR,
                                         .addressRange = STRIDED(draw),
                                         .drawCount = 1},
                                 indexed = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR,
                                            .addressRange = STRIDED(indexed),
                                            .drawCount = 1};
    const VkDrawIndirectCount2InfoKHR counted = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR,
                                                 .addressRange = STRIDED(draw),
                                                 .countAddressRange = RANGE(count),
                                                 .maxDrawCount = 1},
                                      indexed_counted = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR,
                                                         .addressRange = STRIDED(indexed),
                                                         .countAddressRange = RANGE(count),
                                                         .maxDrawCount = 1};
    const VkDispatchIndirect2InfoKHR dispatch = {.sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
                                                 .addressRange = RANGE(dispatch)};
    switch (way) {
    case INDIRECT:
        CALL(CmdDrawIndirect2KHR)(commands, &draw);
        break;
    case INDEXED:
        CALL(CmdDrawIndexedIndirect2KHR)(commands, &indexed);
        break;
    case INDIRECT_COUNT:
        CALL(CmdDrawIndirectCount2KHR)(commands, &counted);
        break;
    case INDEXED_COUNT:
        CALL(CmdDrawIndexedIndirectCount2KHR)(commands, &indexed_counted);
        break;
    default:
        CALL(CmdDispatchIndirect2KHR)(commands, &dispatch);
    }
}

/* One draw or dispatch with each set; the target shows the last one. */
static void run(struct fixture *f, unsigned way, const VkDescriptorSet *sets, unsigned set_count)
{
    const VkPipelineBindPoint point =
        way == DISPATCH ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
    scene_mark(&f->scene);
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    if (way != DISPATCH)
        harness_target_begin(&f->scene.target, commands);
    vkCmdBindPipeline(commands, point, way == DISPATCH ? f->compute : f->graphics);
    vkCmdBindIndexBuffer(commands, f->arguments.buffer, offsetof(struct arguments, indices), VK_INDEX_TYPE_UINT16);
    for (unsigned i = 0; i < set_count; i++) {
        vkCmdBindDescriptorSets(commands, point, f->layout, 0, 1, &sets[i], 0, NULL);
        record(f, commands, way);
    }
    if (way != DISPATCH) {
        scene_end(&f->scene, commands);
        return;
    }
    harness_submit(&f->scene.vk, commands);
    scene_take(&f->scene);
    memcpy(f->scene.pixels, f->pixels.map, sizeof(f->scene.pixels));
}

static void they_choose_tiers_as_their_elders_do(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    for (unsigned way = 0; way < WAYS; way++) {
        run(&f, way, &f.edge, 1);
        scene_expect_tier(&f.scene, 0);
        scene_expect_row(&f.scene, 2, SCENE_EDGE, SCENE_STEPS);
        run(&f, way, &f.clamp, 1);
        scene_expect_tier(&f.scene, 1);
        scene_expect_row(&f.scene, 2, SCENE_CLAMP, SCENE_STEPS);
        const VkDescriptorSet all[] = {f.edge, f.mixed, f.clamp};
        if (way == DISPATCH)
            continue; /* they write the same buffer */
        run(&f, way, all, 3);
        for (unsigned tier = 0; tier < 3; tier++)
            assert_int_equal(f.scene.drew[tier], 1);
        scene_expect_row(&f.scene, 2, SCENE_CLAMP, SCENE_STEPS);
    }
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_choose_tiers_as_their_elders_do),
    };
    return cmocka_run_group_tests_name("addresses", tests, NULL, NULL);
}
