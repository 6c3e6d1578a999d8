/* SPDX-License-Identifier: MIT */
/*
 * Secondary command buffers that execute others (VK_EXT_nested_command_buffer), and subpasses with draws beside them:
 * each draw has its tier, and what is bound behind them is bound anew. Skipped where the driver lacks the extension.
 */
#include <string.h>

#include "integration/shared/scene.h"
#include "integration_nested.h"

#define NESTED_EXTENSION "VK_EXT_nested_command_buffer"
#define INLINE_AND_SECONDARY ((VkSubpassContents)1000451000)

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorSet edge, clamp, mixed;
};

static VkDescriptorSet write_set(struct fixture *f, enum scene_sampler sampler)
{
    VkDescriptorSet set = harness_set(&f->scene.vk, f->program.set_layout);
    scene_write(&f->scene, set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
    return set;
}

static void open_fixture(struct fixture *f)
{
    static const char *const extensions[] = {NESTED_EXTENSION};
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    struct harness_features features = {.sType = (VkStructureType)1000451000, .enabled = {VK_TRUE, VK_TRUE, VK_TRUE}};
    scene_skip_without(NESTED_EXTENSION);
    scene_open(&f->scene, &(struct harness_vulkan_params){
                              .device_extensions = extensions, .device_extension_count = 1, .device_next = &features});
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_nested), bindings, 1, 0, NULL);
    f->edge = write_set(f, SCENE_EDGE);
    f->clamp = write_set(f, SCENE_CLAMP);
    f->mixed = write_set(f, SCENE_MIXED);
}

static void close_fixture(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static void draw(const struct fixture *f, VkCommandBuffer commands, VkDescriptorSet set)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

/* The innermost draws with two samplers; what executes it draws before and after. The last draw covers the others. */
static void every_level_chooses_its_tiers(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    VkCommandBuffer innermost = scene_secondary(&f.scene, 0);
    draw(&f, innermost, f.clamp);
    draw(&f, innermost, f.mixed);
    HARNESS_VK(vkEndCommandBuffer(innermost));
    assert_int_equal(harness_counters(&f.scene.vk).draws[1], 1);
    VkCommandBuffer middle = scene_secondary(&f.scene, 0);
    draw(&f, middle, f.mixed);
    vkCmdExecuteCommands(middle, 1, &innermost);
    draw(&f, middle, f.edge);
    draw(&f, middle, f.clamp);
    HARNESS_VK(vkEndCommandBuffer(middle));
    VkCommandBuffer commands = scene_begin_for_secondaries(&f.scene);
    vkCmdExecuteCommands(commands, 1, &middle);
    scene_end(&f.scene, commands);
    const struct clampler_counters now = harness_counters(&f.scene.vk);
    assert_int_equal(now.draws[0], 1);
    assert_int_equal(now.draws[1], 2);
    assert_int_equal(now.draws[2], 2);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, SCENE_CLAMP, SCENE_STEPS);
    vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 1, &middle);
    vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 1, &innermost);
    close_fixture(&f);
}

/* Within one subpass, with nothing bound again but what is undefined. */
static void draws_stand_beside_executed_command_buffers(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    for (unsigned last = 0; last < 2; last++) {
        const VkDescriptorSet sets[2] = {f.edge, f.clamp};
        VkCommandBuffer secondary = scene_secondary(&f.scene, 0);
        draw(&f, secondary, sets[!last]);
        HARNESS_VK(vkEndCommandBuffer(secondary));
        const VkClearValue clear = {.color = {.float32 = {0, 0, 0, 0}}};
        const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                            .renderPass = f.scene.target.pass,
                                            .framebuffer = f.scene.target.framebuffer,
                                            .renderArea = {{0, 0}, {SCENE_COLUMNS, SCENE_ROWS}},
                                            .clearValueCount = 1,
                                            .pClearValues = &clear};
        scene_mark(&f.scene);
        VkCommandBuffer commands = harness_begin(&f.scene.vk);
        vkCmdBeginRenderPass(commands, &info, INLINE_AND_SECONDARY);
        draw(&f, commands, sets[!last]);
        vkCmdExecuteCommands(commands, 1, &secondary);
        draw(&f, commands, sets[last]);
        scene_end(&f.scene, commands);
        assert_int_equal(f.scene.drew[0], 1); /* the secondary's was counted when it ended */
        assert_int_equal(f.scene.drew[1], 1);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, last ? SCENE_CLAMP : SCENE_EDGE, SCENE_STEPS);
        vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 1, &secondary);
    }
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_chooses_its_tiers),
        cmocka_unit_test(draws_stand_beside_executed_command_buffers),
    };
    return cmocka_run_group_tests_name("nested", tests, NULL, NULL);
}
