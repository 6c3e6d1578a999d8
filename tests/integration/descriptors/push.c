/* SPDX-License-Identifier: MIT */
/*
 * Push descriptors, with a slot to spare for the records and without one: there the set becomes an ordinary set below.
 * Every test that can runs both ways.
 */
#include <stdlib.h>
#include <string.h>

#include "integration/descriptors/every_type.h"
#include "integration/shared/parts.h"
#include "integration_combined.h"
#include "integration_every_type.h"
#include "integration_two_sets.h"

struct fixture {
    struct scene scene;
    struct scene_program program;
    PFN_vkCmdPushDescriptorSetKHR push;
    bool converted;
};

static const VkDescriptorSetLayoutBinding combined_bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                                                 SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                                                 SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
static const struct {
    uint32_t binding, element;
} row_places[SCENE_ROWS] = {{0, 0}, {0, 1}, {2, 0}, {5, 0}, {5, 1}, {5, 2}};

enum { PUSH_LAYOUT = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR };

static void open_device(struct fixture *f, bool converted)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    const struct harness_vulkan_params params = {.device_extensions = extensions, .device_extension_count = 1};
    if (converted)
        scene_open_with_setting(&f->scene, "ASSUME_MISSING", "push_slot", &params);
    else
        scene_open(&f->scene, &params);
    f->push = HARNESS_PROC(&f->scene.vk, vkCmdPushDescriptorSetKHR);
    f->converted = converted;
}

static void open_combined(struct fixture *f, bool converted)
{
    open_device(f, converted);
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_combined), combined_bindings, 3, PUSH_LAYOUT,
                         NULL);
    assert_int_equal(harness_counters(&f->scene.vk).push_sets_converted, converted ? 1 : 0);
}

static void finish(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static VkCommandBuffer begin(struct fixture *f)
{
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.pipeline);
    return commands;
}

/* `count` descriptors from a row's place on, running over into the following bindings. */
static void push_rows(struct fixture *f, VkCommandBuffer commands, unsigned first, uint32_t count,
                      enum scene_sampler sampler, enum scene_texture texture)
{
    VkDescriptorImageInfo infos[SCENE_ROWS + 1];
    for (uint32_t i = 0; i < count; i++)
        infos[i] = scene_info(&f->scene, sampler, texture);
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstBinding = row_places[first].binding,
                                  .dstArrayElement = row_places[first].element,
                                  .descriptorCount = count,
                                  .descriptorType = SCENE_COMBINED,
                                  .pImageInfo = infos};
    f->push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &write);
}

static void expect_rows(struct fixture *f, unsigned first, unsigned count, enum scene_sampler sampler,
                        enum scene_texture texture)
{
    for (unsigned row = first; row < first + count; row++)
        scene_expect_row(&f->scene, row, sampler, texture);
}

static void pushed_samplers_decide_the_tier(bool converted)
{
    struct fixture f;
    open_combined(&f, converted);
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED, SCENE_BORDER};
    static const unsigned tiers[] = {0, 1, 2, 0};
    for (unsigned i = 0; i < 4; i++) {
        VkCommandBuffer commands = begin(&f);
        push_rows(&f, commands, 0, SCENE_ROWS, samplers[i], SCENE_STEPS);
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, tiers[i]);
        expect_rows(&f, 0, SCENE_ROWS, samplers[i], SCENE_STEPS);
    }
    finish(&f);
}

/* Later pushes change only what they name, before and after draws, and before the pipeline is bound. */
static void pushes_add_up(bool converted)
{
    struct fixture f;
    open_combined(&f, converted);
    VkCommandBuffer commands = scene_begin(&f.scene);
    push_rows(&f, commands, 0, SCENE_ROWS, SCENE_EDGE, SCENE_RAMP);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    push_rows(&f, commands, 2, 1, SCENE_CLAMP, SCENE_STEPS);
    vkCmdDraw(commands, 3, 1, 0, 0);
    push_rows(&f, commands, 3, 3, SCENE_MIRROR, SCENE_STEPS);
    push_rows(&f, commands, 3, 1, SCENE_BORDER, SCENE_STEPS);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    assert_int_equal(f.scene.drew[0], 1);
    assert_int_equal(f.scene.drew[1], 3);
    expect_rows(&f, 0, 2, SCENE_EDGE, SCENE_RAMP);
    scene_expect_row(&f.scene, 2, SCENE_CLAMP, SCENE_STEPS);
    scene_expect_row(&f.scene, 3, SCENE_BORDER, SCENE_STEPS);
    expect_rows(&f, 4, 2, SCENE_MIRROR, SCENE_STEPS);
    finish(&f);
}

/*
 * Whether the driver itself can push to an array's second element: lavapipe of Mesa 22.3 takes every push for one that
 * starts at the first.
 */
static bool driver_pushes_to_elements(void)
{
    struct fixture f;
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    struct harness_vulkan *vk = &f.scene.vk;
    harness_vulkan_open(vk, &(struct harness_vulkan_params){
                                .layers = "none", .device_extensions = extensions, .device_extension_count = 1});
    scene_make(&f.scene, false);
    f.push = HARNESS_PROC(vk, vkCmdPushDescriptorSetKHR);
    scene_program_create(&f.scene, &f.program, HARNESS_SPIRV(integration_combined), combined_bindings, 3, PUSH_LAYOUT,
                         NULL);
    VkCommandBuffer commands = begin(&f);
    push_rows(&f, commands, 0, SCENE_ROWS, SCENE_EDGE, SCENE_RAMP);
    push_rows(&f, commands, 1, 1, SCENE_BORDER, SCENE_RAMP);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    bool works = f.scene.pixels[0][0][0] < 0.5f && f.scene.pixels[1][0][0] > 0.5f;
    finish(&f);
    return works;
}

static void pushes_to_elements_of_arrays_change_only_those(bool converted)
{
    struct fixture f;
    if (!converted && !driver_pushes_to_elements()) {
        print_message("the driver itself cannot push to an array's second element\n");
        skip();
    }
    open_combined(&f, converted);
    VkCommandBuffer commands = begin(&f);
    push_rows(&f, commands, 0, SCENE_ROWS, SCENE_EDGE, SCENE_RAMP);
    push_rows(&f, commands, 4, 1, SCENE_MIRROR, SCENE_STEPS);
    push_rows(&f, commands, 1, 2, SCENE_CLAMP, SCENE_STEPS); /* and on into the next binding */
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 0, SCENE_EDGE, SCENE_RAMP);
    expect_rows(&f, 1, 2, SCENE_CLAMP, SCENE_STEPS);
    scene_expect_row(&f.scene, 3, SCENE_EDGE, SCENE_RAMP);
    scene_expect_row(&f.scene, 4, SCENE_MIRROR, SCENE_STEPS);
    scene_expect_row(&f.scene, 5, SCENE_EDGE, SCENE_RAMP);
    finish(&f);
}

static VkPipeline pipeline_with_scissor(struct fixture *f)
{
    struct parts parts;
    parts_open(&f->scene, &parts, HARNESS_SPIRV(integration_combined), f->program.layout);
    parts_add_dynamic(&parts, VK_DYNAMIC_STATE_SCISSOR);
    VkPipeline pipeline = parts_create(&f->scene, &parts);
    parts_close(&f->scene, &parts);
    return pipeline;
}

/* Each draw sees the records of its own push: a draw fills one row, by the scissor. */
static void draws_of_one_command_buffer_see_their_own_push(bool converted)
{
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP, SCENE_EDGE,   SCENE_MIRROR,
                                                            SCENE_EDGE,  SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    open_combined(&f, converted);
    VkPipeline rows = pipeline_with_scissor(&f);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rows);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        const VkRect2D scissor = {{0, (int32_t)row}, {SCENE_COLUMNS, 1}};
        vkCmdSetScissor(commands, 0, 1, &scissor);
        push_rows(&f, commands, 0, SCENE_ROWS, samplers[row], row % 2 ? SCENE_STEPS : SCENE_RAMP);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    scene_end(&f.scene, commands);
    assert_int_equal(f.scene.drew[0], 3);
    assert_int_equal(f.scene.drew[1], 3);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, samplers[row], row % 2 ? SCENE_STEPS : SCENE_RAMP);
    vkDestroyPipeline(f.scene.vk.device, rows, NULL);
    finish(&f);
}

/* Two push layouts of one place, turn by turn: draws that are recorded keep what was pushed for them. */
static void two_layouts_take_turns_in_one_place(bool converted)
{
    static const VkDescriptorSetLayoutBinding wider_bindings[] = {
        SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2), SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
        SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3), SCENE_BINDING(6, COMBINED_IMAGE_SAMPLER, 1)};
    struct fixture f;
    open_combined(&f, converted);
    struct scene_program programs[2] = {f.program};
    scene_program_create(&f.scene, &programs[1], HARNESS_SPIRV(integration_combined), wider_bindings, 4, PUSH_LAYOUT,
                         NULL);
    VkPipeline rows[2];
    for (unsigned i = 0; i < 2; i++) {
        f.program = programs[i];
        rows[i] = pipeline_with_scissor(&f);
    }
    uint64_t live = 0;
    for (unsigned round = 0; round < 4; round++) {
        VkCommandBuffer commands = scene_begin(&f.scene);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            const VkRect2D scissor = {{0, (int32_t)row}, {SCENE_COLUMNS, 1}};
            f.program = programs[row % 2];
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rows[row % 2]);
            vkCmdSetScissor(commands, 0, 1, &scissor);
            push_rows(&f, commands, 0, SCENE_ROWS + row % 2, row < 3 ? SCENE_CLAMP : SCENE_MIRROR, SCENE_STEPS);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, 1);
        expect_rows(&f, 0, 3, SCENE_CLAMP, SCENE_STEPS);
        expect_rows(&f, 3, 3, SCENE_MIRROR, SCENE_STEPS);
        if (round)
            assert_int_equal(harness_counters(&f.scene.vk).live_bytes, live);
        live = harness_counters(&f.scene.vk).live_bytes;
    }
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPipeline(f.scene.vk.device, rows[i], NULL);
    scene_program_destroy(&f.scene, &programs[1]);
    f.program = programs[0];
    finish(&f);
}

static void a_push_runs_over_into_the_following_bindings(bool converted)
{
    struct fixture f;
    open_combined(&f, converted);
    VkCommandBuffer commands = begin(&f);
    push_rows(&f, commands, 0, SCENE_ROWS, SCENE_EDGE, SCENE_RAMP);
    push_rows(&f, commands, 0, 4, SCENE_CLAMP, SCENE_STEPS);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    scene_expect_tier(&f.scene, 1);
    expect_rows(&f, 0, 4, SCENE_CLAMP, SCENE_STEPS);
    expect_rows(&f, 4, 2, SCENE_EDGE, SCENE_RAMP);
    finish(&f);
}

static void pushes_work_in_secondary_command_buffers(bool converted)
{
    struct fixture f;
    open_combined(&f, converted);
    VkCommandBuffer commands = scene_begin_for_secondaries(&f.scene);
    VkCommandBuffer secondary = scene_secondary(&f.scene, 0);
    vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
    push_rows(&f, secondary, 0, SCENE_ROWS, SCENE_CLAMP, SCENE_STEPS);
    vkCmdDraw(secondary, 3, 1, 0, 0);
    HARNESS_VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(commands, 1, &secondary);
    scene_end(&f.scene, commands);
    scene_expect_tier(&f.scene, 1);
    expect_rows(&f, 0, SCENE_ROWS, SCENE_CLAMP, SCENE_STEPS);

    /* Reset and recorded again, the same memory serves, once each variant is compiled. */
    uint64_t live = 0;
    for (unsigned round = 0; round < 20; round++) {
        if (round == 2)
            live = harness_counters(&f.scene.vk).live_bytes;
        vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 1, &secondary);
        commands = scene_begin_for_secondaries(&f.scene);
        secondary = scene_secondary(&f.scene, 0);
        vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
        push_rows(&f, secondary, 0, SCENE_ROWS, round % 2 ? SCENE_MIRROR : SCENE_EDGE, SCENE_RAMP);
        vkCmdDraw(secondary, 3, 1, 0, 0);
        HARNESS_VK(vkEndCommandBuffer(secondary));
        vkCmdExecuteCommands(commands, 1, &secondary);
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, round % 2);
        expect_rows(&f, 0, SCENE_ROWS, round % 2 ? SCENE_MIRROR : SCENE_EDGE, SCENE_RAMP);
    }
    assert_true(harness_counters(&f.scene.vk).live_bytes <= live);
    vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 1, &secondary);
    finish(&f);
}

static void pushes_by_template_decide_the_tier(bool converted)
{
    struct fixture f;
    enum { STRIDE = sizeof(VkDescriptorImageInfo) + 9, OFFSET = 5 };
    unsigned char raw[OFFSET + STRIDE * SCENE_ROWS];
    open_combined(&f, converted);
    const VkDescriptorUpdateTemplateEntry entries[] = {
        {0, 0, 2, SCENE_COMBINED, OFFSET, STRIDE},
        {2, 0, 1, SCENE_COMBINED, OFFSET + 2 * STRIDE, STRIDE},
        {5, 0, 3, SCENE_COMBINED, OFFSET + 3 * STRIDE, STRIDE},
    };
    VkDescriptorUpdateTemplateCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
                                                 .descriptorUpdateEntryCount = 3,
                                                 .pDescriptorUpdateEntries = entries,
                                                 .templateType =
                                                     VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
                                                 .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                                 .pipelineLayout = f.program.layout,
                                                 .set = 0};
    VkDescriptorUpdateTemplate update;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(f.scene.vk.device, &info, NULL, &update));
    PFN_vkCmdPushDescriptorSetWithTemplateKHR push = HARNESS_PROC(&f.scene.vk, vkCmdPushDescriptorSetWithTemplateKHR);
    static const enum scene_sampler samplers[] = {SCENE_CLAMP, SCENE_EDGE, SCENE_MIXED};
    static const unsigned tiers[] = {1, 0, 2};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            VkDescriptorImageInfo image = scene_info(&f.scene, samplers[i], row % 2 ? SCENE_RAMP : SCENE_STEPS);
            memcpy(raw + OFFSET + row * STRIDE, &image, sizeof(image));
        }
        VkCommandBuffer commands = begin(&f);
        push(commands, update, f.program.layout, 0, raw);
        memset(raw, 0, sizeof(raw));
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, tiers[i]);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, samplers[i], row % 2 ? SCENE_RAMP : SCENE_STEPS);
    }
    vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, update, NULL);
    finish(&f);
}

/* Set 1 is pushed, set 0 is an ordinary one; either may be the one that needs something. */
static void pushed_and_ordinary_sets_stand_together(bool converted)
{
    struct fixture f;
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    open_device(&f, converted);
    VkDescriptorSetLayout layouts[2];
    for (unsigned i = 0; i < 2; i++) {
        VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .flags = i ? PUSH_LAYOUT : 0,
                                                .bindingCount = 1,
                                                .pBindings = &binding};
        HARNESS_VK(vkCreateDescriptorSetLayout(f.scene.vk.device, &info, NULL, &layouts[i]));
    }
    VkPipelineLayout layout = harness_pipeline_layout(&f.scene.vk, layouts, 2, 0);
    VkPipeline pipeline = harness_graphics_pipeline(
        &f.scene.vk, &f.scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_two_sets), .layout = layout});
    VkDescriptorSet set = harness_set(&f.scene.vk, layouts[0]);
    static const enum scene_sampler pairs[][2] = {
        {SCENE_EDGE, SCENE_CLAMP}, {SCENE_CLAMP, SCENE_EDGE}, {SCENE_EDGE, SCENE_EDGE}, {SCENE_MIRROR, SCENE_CLAMP}};
    static const unsigned tiers[] = {1, 1, 0, 1};
    for (unsigned i = 0; i < 4; i++) {
        const VkDescriptorImageInfo image = scene_info(&f.scene, pairs[i][1], SCENE_STEPS);
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .descriptorCount = 1,
                                            .descriptorType = SCENE_COMBINED,
                                            .pImageInfo = &image};
        scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, pairs[i][0], SCENE_RAMP);
        VkCommandBuffer commands = scene_begin(&f.scene);
        if (i % 2)
            f.push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 1, 1, &write);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        if (i % 2 == 0)
            f.push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 1, 1, &write);
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, tiers[i]);
        expect_rows(&f, 0, 3, pairs[i][0], SCENE_RAMP);
        expect_rows(&f, 3, 3, pairs[i][1], SCENE_STEPS);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    vkDestroyPipelineLayout(f.scene.vk.device, layout, NULL);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyDescriptorSetLayout(f.scene.vk.device, layouts[i], NULL);
    scene_close(&f.scene);
}

/* Also with an immutable clamp, which is never pushed. */
static void every_type_is_pushed(bool converted)
{
    for (unsigned immutable = 0; immutable < 2; immutable++) {
        struct fixture f;
        struct every_type every;
        struct every_type_infos infos;
        VkWriteDescriptorSet writes[EVERY_TYPE_BINDINGS];
        VkDescriptorSetLayoutBinding bindings[EVERY_TYPE_BINDINGS];
        open_device(&f, converted);
        every_type_create(&f.scene, &every);
        every_type_bindings(bindings);
        if (immutable)
            bindings[4].pImmutableSamplers = &f.scene.samplers[SCENE_MIRROR];
        scene_program_create(&f.scene, &f.program, HARNESS_SPIRV(integration_every_type), bindings, EVERY_TYPE_INLINE,
                             PUSH_LAYOUT, NULL);
        every_type_writes(&f.scene, &every, SCENE_CLAMP, SCENE_MIRROR, &infos, writes);
        VkCommandBuffer commands = begin(&f);
        if (immutable) { /* in two pushes, without binding 4 */
            f.push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.layout, 0, 4, writes);
            f.push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.layout, 0, 2, writes + 5);
        } else {
            f.push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.layout, 0, EVERY_TYPE_INLINE, writes);
        }
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, 1);
        every_type_expect(&f.scene, SCENE_CLAMP, SCENE_MIRROR, false);
        every_type_destroy(&f.scene, &every);
        finish(&f);
    }
}

static void a_push_set_may_use_every_push_descriptor_that_there_is(void **state)
{
    (void)state;
    struct fixture f;
    VkDescriptorImageInfo infos[256];
    VkDescriptorSetLayoutBinding bindings[3];
    open_device(&f, false);
    VkPhysicalDevicePushDescriptorPropertiesKHR limit = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limit};
    vkGetPhysicalDeviceProperties2(f.scene.vk.physical, &properties);
    uint32_t most = limit.maxPushDescriptors, samplers = f.scene.vk.properties.limits.maxPerStageDescriptorSamplers;
    if (most > 256 || most > samplers) {
        print_message("maxPushDescriptors is %u, maxPerStageDescriptorSamplers %u\n", most, samplers);
        scene_close(&f.scene);
        skip();
    }
    memcpy(bindings, combined_bindings, sizeof(bindings));
    bindings[2].descriptorCount = most - 3;
    scene_program_create(&f.scene, &f.program, HARNESS_SPIRV(integration_combined), bindings, 3, PUSH_LAYOUT, NULL);
    assert_int_equal(harness_counters(&f.scene.vk).push_sets_converted, 1);
    for (uint32_t i = 0; i < most; i++)
        infos[i] = scene_info(&f.scene, i == 4 ? SCENE_CLAMP : SCENE_EDGE, i % 2 ? SCENE_RAMP : SCENE_STEPS);
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .descriptorCount = most,
                                  .descriptorType = SCENE_COMBINED,
                                  .pImageInfo = infos};
    for (unsigned round = 0; round < 3; round++) { /* more draws than one pool of sets holds */
        VkCommandBuffer commands = begin(&f);
        for (unsigned i = 0; i < 40; i++) {
            f.push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.layout, 0, 1, &write);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, 1);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, row == 4 ? SCENE_CLAMP : SCENE_EDGE, row % 2 ? SCENE_RAMP : SCENE_STEPS);
    }
    finish(&f);
}

/* The ring of records of one command buffer grows and comes back with the command buffer. */
static void many_pushes_are_forgotten_with_their_command_buffer(bool converted)
{
    struct fixture f;
    open_combined(&f, converted);
    uint64_t live = 0;
    for (unsigned round = 0; round < 4; round++) {
        VkCommandBuffer commands = begin(&f);
        push_rows(&f, commands, 0, SCENE_ROWS, SCENE_EDGE, SCENE_STEPS);
        for (unsigned i = 0; i < 500; i++) {
            push_rows(&f, commands, i % 2 ? 2 : 3, 1, SCENE_CLAMP, i % 2 ? SCENE_STEPS : SCENE_RAMP);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        scene_end(&f.scene, commands);
        scene_expect_tier(&f.scene, 1);
        scene_expect_row(&f.scene, 1, SCENE_EDGE, SCENE_STEPS);
        scene_expect_row(&f.scene, 2, SCENE_CLAMP, SCENE_STEPS);
        scene_expect_row(&f.scene, 3, SCENE_CLAMP, SCENE_RAMP);
        uint64_t now = harness_counters(&f.scene.vk).live_bytes;
        if (round == 0)
            live = now;
        assert_int_equal(now, live);
    }
    finish(&f);
}

/* The same command buffer begun again and again: what it pushed before is forgotten, and its memory used again. */
static void a_command_buffer_begun_again_uses_its_memory_again(bool converted)
{
    struct fixture f;
    VkCommandBuffer commands;
    uint64_t live = 0;
    open_combined(&f, converted);
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    harness_commands(&f.scene.vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1, &commands);
    for (unsigned round = 0; round < 12; round++) {
        if (round % 3 == 2)
            HARNESS_VK(vkResetCommandBuffer(commands, 0));
        scene_mark(&f.scene);
        HARNESS_VK(vkBeginCommandBuffer(commands, &info));
        harness_target_begin(&f.scene.target, commands);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
        push_rows(&f, commands, 0, SCENE_ROWS, round % 2 ? SCENE_CLAMP : SCENE_EDGE, SCENE_STEPS);
        for (unsigned i = 0; i < 300; i++) {
            push_rows(&f, commands, 2, 1, SCENE_MIRROR, i % 2 ? SCENE_RAMP : SCENE_STEPS);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        harness_target_end(commands);
        HARNESS_VK(vkEndCommandBuffer(commands));
        VkSubmitInfo submit = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
        HARNESS_VK(vkQueueSubmit(f.scene.vk.queue, 1, &submit, VK_NULL_HANDLE));
        HARNESS_VK(vkQueueWaitIdle(f.scene.vk.queue));
        scene_take(&f.scene);
        harness_target_read(&f.scene.vk, &f.scene.target, f.scene.pixels);
        scene_expect_tier(&f.scene, 1);
        scene_expect_row(&f.scene, 0, round % 2 ? SCENE_CLAMP : SCENE_EDGE, SCENE_STEPS);
        scene_expect_row(&f.scene, 2, SCENE_MIRROR, SCENE_RAMP);
        uint64_t now = harness_counters(&f.scene.vk).live_bytes;
        if (round == 0)
            live = now;
        assert_int_equal(now, live);
    }
    vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 1, &commands);
    finish(&f);
}

#define BOTH_WAYS(name)                                                                                                \
    static void name##_with_a_slot(void **state)                                                                       \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        name(false);                                                                                                   \
    }                                                                                                                  \
    static void name##_without_a_slot(void **state)                                                                    \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        name(true);                                                                                                    \
    }
#define TEST_BOTH_WAYS(name) cmocka_unit_test(name##_with_a_slot), cmocka_unit_test(name##_without_a_slot)

BOTH_WAYS(pushed_samplers_decide_the_tier)
BOTH_WAYS(pushes_add_up)
BOTH_WAYS(pushes_to_elements_of_arrays_change_only_those)
BOTH_WAYS(draws_of_one_command_buffer_see_their_own_push)
BOTH_WAYS(two_layouts_take_turns_in_one_place)
BOTH_WAYS(a_push_runs_over_into_the_following_bindings)
BOTH_WAYS(pushes_work_in_secondary_command_buffers)
BOTH_WAYS(pushes_by_template_decide_the_tier)
BOTH_WAYS(pushed_and_ordinary_sets_stand_together)
BOTH_WAYS(every_type_is_pushed)
BOTH_WAYS(many_pushes_are_forgotten_with_their_command_buffer)
BOTH_WAYS(a_command_buffer_begun_again_uses_its_memory_again)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_BOTH_WAYS(pushed_samplers_decide_the_tier),
        TEST_BOTH_WAYS(pushes_add_up),
        TEST_BOTH_WAYS(pushes_to_elements_of_arrays_change_only_those),
        TEST_BOTH_WAYS(draws_of_one_command_buffer_see_their_own_push),
        TEST_BOTH_WAYS(two_layouts_take_turns_in_one_place),
        TEST_BOTH_WAYS(a_push_runs_over_into_the_following_bindings),
        TEST_BOTH_WAYS(pushes_work_in_secondary_command_buffers),
        TEST_BOTH_WAYS(pushes_by_template_decide_the_tier),
        TEST_BOTH_WAYS(pushed_and_ordinary_sets_stand_together),
        TEST_BOTH_WAYS(every_type_is_pushed),
        TEST_BOTH_WAYS(many_pushes_are_forgotten_with_their_command_buffer),
        TEST_BOTH_WAYS(a_command_buffer_begun_again_uses_its_memory_again),
        cmocka_unit_test(a_push_set_may_use_every_push_descriptor_that_there_is),
    };
    return cmocka_run_group_tests_name("push", tests, NULL, NULL);
}
