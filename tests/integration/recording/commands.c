/* SPDX-License-Identifier: MIT */
/* Command buffers: what is bound decides the tier of each draw, however command buffers are recorded and used. */
#include <stdlib.h>

#include "harness/device/short.h"
#include "integration/shared/parts.h"
#include "integration_single.h"
#include "integration_two_sets.h"
#include "integration_units.h"

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorSet edge, clamp, mixed;
};

static VkDescriptorSet make_set(struct fixture *f, enum scene_sampler sampler, enum scene_texture texture)
{
    VkDescriptorSet set = harness_set(&f->scene.vk, f->program.set_layout);
    scene_write(&f->scene, set, 0, 0, SCENE_COMBINED, sampler, texture);
    return set;
}

static void open_fixture(struct fixture *f)
{
    scene_open(&f->scene, NULL);
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    f->edge = make_set(f, SCENE_EDGE, SCENE_STEPS);
    f->clamp = make_set(f, SCENE_CLAMP, SCENE_STEPS);
    f->mixed = make_set(f, SCENE_MIXED, SCENE_STEPS);
}

static void close_fixture(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static void bind_set(struct fixture *f, VkCommandBuffer commands, VkDescriptorSet set)
{
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &set, 0, NULL);
}

static void bind_pipeline(struct fixture *f, VkCommandBuffer commands)
{
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.pipeline);
}

static void expect_all_rows(struct fixture *f, enum scene_sampler sampler)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, sampler, SCENE_STEPS);
}

static void every_kind_of_draw_gets_its_tier(void **state)
{
    (void)state;
    struct fixture f;
    struct harness_buffer arguments, indices;
    static const uint16_t index_values[] = {0, 1, 2};
    static const VkDrawIndirectCommand draw = {3, 1, 0, 0};
    static const VkDrawIndexedIndirectCommand indexed = {3, 1, 0, 0, 0};
    struct {
        VkDrawIndirectCommand draw;
        VkDrawIndexedIndirectCommand indexed;
        uint32_t one;
    } values = {draw, indexed, 1};
    static const char *const extensions[] = {VK_EXT_MULTI_DRAW_EXTENSION_NAME};
    VkPhysicalDeviceMultiDrawFeaturesEXT multi = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT,
                                                  .multiDraw = VK_TRUE};
    VkPhysicalDeviceVulkan12Features counted = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &multi, .drawIndirectCount = VK_TRUE};
    scene_open(&f.scene, &(struct harness_vulkan_params){
                             .device_extensions = extensions, .device_extension_count = 1, .device_next = &counted});
    scene_program_create(&f.scene, &f.program, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    f.clamp = make_set(&f, SCENE_CLAMP, SCENE_STEPS);
    harness_buffer_create(&f.scene.vk, &arguments, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, sizeof(values), &values);
    harness_buffer_create(&f.scene.vk, &indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, sizeof(index_values), index_values);
    PFN_vkCmdDrawMultiEXT draw_multi = HARNESS_PROC(&f.scene.vk, vkCmdDrawMultiEXT);
    PFN_vkCmdDrawMultiIndexedEXT draw_multi_indexed = HARNESS_PROC(&f.scene.vk, vkCmdDrawMultiIndexedEXT);
    const VkDeviceSize at_indexed = sizeof(draw), at_one = sizeof(draw) + sizeof(indexed);
    for (unsigned kind = 0; kind < 8; kind++) {
        VkCommandBuffer commands = scene_begin(&f.scene);
        bind_pipeline(&f, commands);
        bind_set(&f, commands, f.clamp);
        vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
        switch (kind) {
        case 0:
            vkCmdDraw(commands, 3, 1, 0, 0);
            break;
        case 1:
            vkCmdDrawIndexed(commands, 3, 1, 0, 0, 0);
            break;
        case 2:
            vkCmdDrawIndirect(commands, arguments.buffer, 0, 1, sizeof(draw));
            break;
        case 3:
            vkCmdDrawIndexedIndirect(commands, arguments.buffer, at_indexed, 1, sizeof(indexed));
            break;
        case 4:
            vkCmdDrawIndirectCount(commands, arguments.buffer, 0, arguments.buffer, at_one, 1, sizeof(draw));
            break;
        case 5:
            vkCmdDrawIndexedIndirectCount(commands, arguments.buffer, at_indexed, arguments.buffer, at_one, 1,
                                          sizeof(indexed));
            break;
        case 6:
            draw_multi(commands, 1, &(VkMultiDrawInfoEXT){0, 3}, 1, 0, sizeof(VkMultiDrawInfoEXT));
            break;
        default:
            draw_multi_indexed(commands, 1, &(VkMultiDrawIndexedInfoEXT){0, 3, 0}, 1, 0,
                               sizeof(VkMultiDrawIndexedInfoEXT), NULL);
            break;
        }
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, 1);
        expect_all_rows(&f, SCENE_CLAMP);
    }
    harness_buffer_destroy(&f.scene.vk, &arguments);
    harness_buffer_destroy(&f.scene.vk, &indices);
    close_fixture(&f);
}

static void sets_may_be_bound_before_the_pipeline_and_stay_for_the_next(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    struct scene_program other;
    scene_program_create(&f.scene, &other, HARNESS_SPIRV(integration_single), &single_binding, 1, 0, NULL);
    VkCommandBuffer commands = scene_begin(&f.scene);
    bind_set(&f, commands, f.clamp);
    bind_pipeline(&f, commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, other.pipeline); /* the set stays bound */
    vkCmdDraw(commands, 3, 1, 0, 0);
    bind_set(&f, commands, f.edge);
    vkCmdDraw(commands, 3, 1, 0, 0);
    bind_pipeline(&f, commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
    bind_set(&f, commands, f.mixed);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    assert_int_equal(f.scene.drew[0], 2);
    assert_int_equal(f.scene.drew[1], 2);
    assert_int_equal(f.scene.drew[2], 1);
    expect_all_rows(&f, SCENE_MIXED);
    scene_program_destroy(&f.scene, &other);
    close_fixture(&f);
}

static void a_set_in_another_place_than_the_first_counts(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    const VkDescriptorSetLayout layouts[] = {f.program.set_layout, f.program.set_layout};
    VkPipelineLayout layout = harness_pipeline_layout(&f.scene.vk, layouts, 2, 0);
    VkPipeline pipeline = harness_graphics_pipeline(
        &f.scene.vk, &f.scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_two_sets), .layout = layout});
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    const VkDescriptorSet both[] = {f.edge, f.clamp};
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 2, both, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 1, 1, &f.edge, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 1, 1, &f.mixed, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    assert_int_equal(f.scene.drew[0], 1);
    assert_int_equal(f.scene.drew[1], 1);
    assert_int_equal(f.scene.drew[2], 1);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, row < 3 ? SCENE_EDGE : SCENE_MIXED, SCENE_STEPS);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    vkDestroyPipelineLayout(f.scene.vk.device, layout, NULL);
    close_fixture(&f);
}

static void secondary_command_buffers_choose_tiers_of_their_own(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    for (unsigned i = 0; i < 3; i++) {
        const VkDescriptorSet sets[] = {f.edge, f.clamp, f.mixed};
        static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED};
        VkCommandBuffer commands = scene_begin_for_secondaries(&f.scene);
        VkCommandBuffer secondary[2];
        for (unsigned s = 0; s < 2; s++) {
            secondary[s] = scene_secondary(&f.scene, 0);
            bind_pipeline(&f, secondary[s]);
            bind_set(&f, secondary[s], s ? sets[i] : f.edge);
            vkCmdDraw(secondary[s], 3, 1, 0, 0);
            HARNESS_VK(vkEndCommandBuffer(secondary[s]));
        }
        vkCmdExecuteCommands(commands, 2, secondary);
        scene_end(&f.scene, commands);
        assert_int_equal(f.scene.drew[i], i ? 1 : 2);
        expect_all_rows(&f, samplers[i]);
        vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 2, secondary);
    }
    close_fixture(&f);
}

/* Bound state is undefined after vkCmdExecuteCommands: what is bound again must not be taken for what was before. */
static void a_primary_binds_anew_after_executing_secondaries(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    VkCommandBuffer secondary = scene_secondary(&f.scene, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    bind_pipeline(&f, secondary);
    bind_set(&f, secondary, f.clamp);
    vkCmdDraw(secondary, 3, 1, 0, 0);
    HARNESS_VK(vkEndCommandBuffer(secondary));
    scene_mark(&f.scene);
    VkCommandBuffer commands = scene_begin_for_secondaries(&f.scene);
    vkCmdExecuteCommands(commands, 1, &secondary);
    harness_target_end(commands);
    harness_target_begin(&f.scene.target, commands);
    bind_pipeline(&f, commands);
    bind_set(&f, commands, f.edge);
    vkCmdDraw(commands, 3, 1, 0, 0);
    bind_set(&f, commands, f.clamp);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    assert_int_equal(f.scene.drew[0], 1);
    assert_int_equal(f.scene.drew[1], 1);
    expect_all_rows(&f, SCENE_CLAMP);
    vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 1, &secondary);
    close_fixture(&f);
}

static void recorded_command_buffers_may_be_submitted_again_and_at_once(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    VkCommandBuffer commands;
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
    harness_commands(&f.scene.vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1, &commands);
    scene_mark(&f.scene);
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    harness_target_begin(&f.scene.target, commands);
    bind_pipeline(&f, commands);
    bind_set(&f, commands, f.clamp);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    scene_take(&f.scene);
    scene_expect_tier(&f.scene, 1);
    const VkCommandBuffer twice[] = {commands, commands};
    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 2, .pCommandBuffers = twice};
    for (unsigned i = 0; i < 3; i++) {
        HARNESS_VK(vkQueueSubmit(f.scene.vk.queue, 1, &submit, VK_NULL_HANDLE));
        HARNESS_VK(vkQueueWaitIdle(f.scene.vk.queue));
        harness_target_read(&f.scene.vk, &f.scene.target, f.scene.pixels);
        expect_all_rows(&f, SCENE_CLAMP);
    }

    /* The same command buffer, begun again (which resets it), forgets what was bound. */
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    scene_mark(&f.scene);
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    harness_target_begin(&f.scene.target, commands);
    bind_set(&f, commands, f.edge);
    bind_pipeline(&f, commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands); /* frees it */
    scene_expect_tier(&f.scene, 0);
    expect_all_rows(&f, SCENE_EDGE);
    close_fixture(&f);
}

static void command_pools_reset_and_destroyed_leave_nothing_behind(void **state)
{
    (void)state;
    struct fixture f;
    enum { BUFFERS = 16 };
    open_fixture(&f);
    struct clampler_counters first = {.live_objects = 0};
    for (unsigned round = 0; round < 10; round++) {
        VkCommandPool pool;
        VkCommandBuffer commands[BUFFERS];
        VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = f.scene.vk.family};
        HARNESS_VK(vkCreateCommandPool(f.scene.vk.device, &info, NULL, &pool));
        VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = BUFFERS};
        HARNESS_VK(vkAllocateCommandBuffers(f.scene.vk.device, &allocate, commands));
        for (unsigned i = 0; i < BUFFERS; i++) {
            VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
            HARNESS_VK(vkBeginCommandBuffer(commands[i], &begin));
            harness_target_begin(&f.scene.target, commands[i]);
            bind_pipeline(&f, commands[i]);
            bind_set(&f, commands[i], i % 2 ? f.clamp : f.edge);
            vkCmdDraw(commands[i], 3, 1, 0, 0);
            if (i % 4 == 3)
                continue; /* reset or destroyed while recording */
            harness_target_end(commands[i]);
            HARNESS_VK(vkEndCommandBuffer(commands[i]));
        }
        if (round % 2)
            HARNESS_VK(vkResetCommandPool(f.scene.vk.device, pool, 0));
        vkFreeCommandBuffers(f.scene.vk.device, pool, BUFFERS / 2, commands);
        vkDestroyCommandPool(f.scene.vk.device, pool, NULL);
        struct clampler_counters now = harness_counters(&f.scene.vk);
        if (round == 0)
            first = now;
        assert_int_equal(now.live_objects, first.live_objects);
        assert_int_equal(now.live_bytes, first.live_bytes);
    }
    close_fixture(&f);
}

/*
 * Rebinding compiles nothing: 10,000 draws that rebind clamping and plain samplers among eight units at random, in a
 * fixed sequence. The expectation of the last draw of each command buffer is checked as well.
 */
static void ten_thousand_draws_that_rebind_compile_nothing(void **state)
{
    (void)state;
    enum { UNITS = 8, SETS = 64, DRAWS = 10000, SHORT = 1000, A_BUFFER = 500 };
    const unsigned draws = harness_short() ? SHORT : DRAWS;
    static const VkDescriptorSetLayoutBinding units = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, UNITS);
    static const enum scene_sampler choices[] = {SCENE_EDGE,  SCENE_EDGE,   SCENE_EDGE,   SCENE_BORDER,
                                                 SCENE_CLAMP, SCENE_MIRROR, SCENE_GL_EDGE};
    struct fixture f;
    VkDescriptorSet sets[SETS];
    enum scene_sampler bound[SETS][UNITS];
    uint64_t random = 88172645463325252u, drew[3] = {0, 0, 0};
    scene_open(&f.scene, NULL);
    scene_program_create(&f.scene, &f.program, HARNESS_SPIRV(integration_units), &units, 1, 0, NULL);
    struct clampler_counters warm = {.live_objects = 0};
    for (unsigned drawn = 0; drawn < draws; drawn += A_BUFFER) {
        for (unsigned s = 0; s < SETS; s++) {
            if (drawn == 0)
                sets[s] = harness_set(&f.scene.vk, f.program.set_layout);
            for (unsigned unit = 0; unit < UNITS; unit++) {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                bound[s][unit] = s % 3 == 0 ? SCENE_EDGE : choices[random % 7]; /* some sets ask for nothing */
                scene_write(&f.scene, sets[s], 0, unit, SCENE_COMBINED, bound[s][unit], SCENE_STEPS);
            }
        }
        VkCommandBuffer commands = scene_begin(&f.scene);
        unsigned last = 0;
        bind_pipeline(&f, commands);
        for (unsigned i = 0; i < A_BUFFER; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            last = (unsigned)(random >> 33) % SETS;
            bind_set(&f, commands, sets[last]);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        scene_end(&f.scene, commands);
        for (unsigned row = 0; row < 4; row++)
            scene_expect_row(&f.scene, row, bound[last][row], SCENE_STEPS);
        for (unsigned tier = 0; tier < 3; tier++)
            drew[tier] += f.scene.drew[tier];
        struct clampler_counters now = harness_counters(&f.scene.vk);
        if (drawn == 0)
            warm = now;
        for (unsigned tier = 0; tier < 3; tier++)
            assert_int_equal(now.pipelines[tier], warm.pipelines[tier]);
        assert_int_equal(now.driver_samplers, warm.driver_samplers);
    }
    assert_int_equal(drew[0] + drew[1] + drew[2], draws);
    assert_true(drew[0] > draws / 10 && drew[1] > draws / 10);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_draw_gets_its_tier),
        cmocka_unit_test(sets_may_be_bound_before_the_pipeline_and_stay_for_the_next),
        cmocka_unit_test(a_set_in_another_place_than_the_first_counts),
        cmocka_unit_test(secondary_command_buffers_choose_tiers_of_their_own),
        cmocka_unit_test(a_primary_binds_anew_after_executing_secondaries),
        cmocka_unit_test(recorded_command_buffers_may_be_submitted_again_and_at_once),
        cmocka_unit_test(command_pools_reset_and_destroyed_leave_nothing_behind),
        cmocka_unit_test(ten_thousand_draws_that_rebind_compile_nothing),
    };
    return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
