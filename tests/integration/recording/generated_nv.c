/* SPDX-License-Identifier: MIT */
/*
 * Commands that the device generates by NVIDIA's older extensions (VK_NV_device_generated_commands and …_compute):
 * draws of one pipeline and of its groups of shaders, its own and those of another pipeline, and dispatches of one
 * pipeline and of several by their addresses; with push constants, preprocessed or not. Skipped where the driver lacks
 * the extensions.
 */
#include <string.h>

#include "integration/recording/generated_memory.h"
#include "integration/recording/generated_scene.h"
#include "integration/recording/newer_generated_nv.h"
#include "integration/shared/parts.h"

enum { CHOICES = GENERATED_CHOICES };

/* What is run: what is bound; groups of it; groups, one of which is of another pipeline; pipelines by their addresses.
 */
enum what { DRAWS, GROUPS, REFERENCES, DISPATCHES, ADDRESSES, WHATS };

/* One sequence. */
struct sequence {
    union {
        VkBindShaderGroupIndirectCommandNV group;
        VkDeviceAddress pipeline;
    } chosen; /* nothing where nothing is chosen */
    uint32_t row;
    union {
        VkDispatchIndirectCommand dispatch;
        VkDrawIndirectCommand draw;
    } action;
};

struct fixture {
    struct generated common;
    bool preprocesses, has_addresses;
    VkPipeline pipelines[CHOICES];
    struct generated_memory metadata[CHOICES]; /* of compute pipelines: what the GPU needs to bind them */
    struct harness_buffer sequences;
    struct generated_memory memory;
    VkIndirectCommandsLayoutNV commands_layout;
};

#define CALL(F, NAME) HARNESS_PROC(&(F)->common.scene.vk, vk##NAME)

static const char *const extensions[] = {VK_NV_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME,
                                         VK_NV_DEVICE_GENERATED_COMMANDS_COMPUTE_EXTENSION_NAME};

static void open_device(struct fixture *f, bool plain)
{
    /* deviceGeneratedCompute and deviceGeneratedComputePipelines */
    struct harness_features compute = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_COMPUTE_FEATURES_NV, NULL, {VK_TRUE, VK_TRUE}};
    VkPhysicalDeviceDeviceGeneratedCommandsFeaturesNV generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_NV,
        .pNext = f->common.graphics ? NULL : &compute,
        .deviceGeneratedCommands = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &generated,
                                                 .bufferDeviceAddress = VK_TRUE};
    generated_open_device(&f->common, plain,
                          &(struct harness_vulkan_params){.device_extensions = extensions,
                                                          .device_extension_count = f->common.graphics ? 1 : 2,
                                                          .device_next = &features});
}

/* ---- What is run ---- */

/*
 * A pipeline of the shader with this number. Where something is chosen it is the first of its groups: GROUPS has the
 * other one as well, REFERENCES that of the pipeline `other` behind it.
 */
static VkPipeline graphics_pipeline(struct fixture *f, int number, uint32_t group_count, VkPipeline other)
{
    const int numbers[2] = {number, number + 1};
    const VkSpecializationInfo specializations[2] = {generated_number(&numbers[0]), generated_number(&numbers[1])};
    VkPipelineShaderStageCreateInfo stages[2][2];
    VkGraphicsShaderGroupCreateInfoNV groups[2];
    struct parts parts;
    parts_open(&f->common.scene, &parts, generated_fragment(), f->common.layout);
    parts.stages[1].pSpecializationInfo = &specializations[0];
    for (unsigned i = 0; i < 2; i++) {
        memcpy(stages[i], parts.stages, sizeof(stages[i]));
        stages[i][1].pSpecializationInfo = &specializations[i];
        groups[i] = (VkGraphicsShaderGroupCreateInfoNV){.sType = VK_STRUCTURE_TYPE_GRAPHICS_SHADER_GROUP_CREATE_INFO_NV,
                                                        .stageCount = 2,
                                                        .pStages = stages[i],
                                                        .pVertexInputState = &parts.input};
    }
    const VkGraphicsPipelineShaderGroupsCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV,
        .groupCount = group_count,
        .pGroups = groups,
        .pipelineCount = other ? 1 : 0,
        .pPipelines = &other};
    if (group_count) {
        parts.info.pNext = &info;
        parts.info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
    }
    VkPipeline pipeline = parts_create(&f->common.scene, &parts);
    parts_close(&f->common.scene, &parts);
    return pipeline;
}

/* With memory for what the GPU reads of it, which is that of the code that it will have. */
static VkPipeline compute_pipeline(struct fixture *f, int number, struct generated_memory *metadata)
{
    struct harness_vulkan *vk = &f->common.scene.vk;
    const VkSpecializationInfo specialization = generated_number(&number);
    VkComputePipelineIndirectBufferInfoNV buffer = {.sType =
                                                        VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_INDIRECT_BUFFER_INFO_NV};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .pNext = &buffer,
                                              .flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV,
                                              .stage = generated_compute_stage(&f->common, &specialization),
                                              .layout = f->common.layout};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    VkPipeline pipeline;
    CALL(f, GetPipelineIndirectMemoryRequirementsNV)(vk->device, &info, &needs);
    generated_memory_open(vk, metadata, &needs.memoryRequirements,
                          VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    buffer.deviceAddress = metadata->address;
    buffer.size = metadata->size;
    HARNESS_VK(vkCreateComputePipelines(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(vk->device, info.stage.module, NULL);
    VkCommandBuffer commands = harness_begin(vk);
    CALL(f, CmdUpdatePipelineIndirectBufferNV)(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    harness_submit(vk, commands);
    return pipeline;
}

/* The pipeline that is bound is the first. */
static void open_pipelines(struct fixture *f, enum what what)
{
    switch (what) {
    case DRAWS:
        f->pipelines[0] = graphics_pipeline(f, 0, 0, VK_NULL_HANDLE);
        break;
    case GROUPS:
        f->pipelines[0] = graphics_pipeline(f, 0, 2, VK_NULL_HANDLE);
        break;
    case REFERENCES:
        f->pipelines[1] = graphics_pipeline(f, 1, 1, VK_NULL_HANDLE);
        f->pipelines[0] = graphics_pipeline(f, 0, 1, f->pipelines[1]);
        break;
    default:
        for (int i = 0; i < (what == ADDRESSES ? CHOICES : 1); i++)
            f->pipelines[i] = compute_pipeline(f, i, &f->metadata[i]);
    }
}

/* ---- Sequences ---- */

static VkPipelineBindPoint point_of(const struct fixture *f)
{
    return f->common.graphics ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
}

static struct sequence sequence_of(const struct fixture *f, uint32_t row)
{
    struct sequence sequence = {.row = row};
    const VkPipelineIndirectDeviceAddressInfoNV info = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_INDIRECT_DEVICE_ADDRESS_INFO_NV,
                                                        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
                                                        .pipeline = f->pipelines[row % CHOICES]};
    if (f->common.graphics)
        sequence.action.draw = (VkDrawIndirectCommand){3, 1, 0, 0};
    else
        sequence.action.dispatch = (VkDispatchIndirectCommand){1, 1, 1};
    if (f->common.chooses && f->common.graphics)
        sequence.chosen.group.groupIndex = row % CHOICES;
    else if (f->common.chooses)
        sequence.chosen.pipeline = CALL(f, GetPipelineIndirectDeviceAddressNV)(f->common.scene.vk.device, &info);
    return sequence;
}

static void open_commands_layout(struct fixture *f)
{
    static const uint32_t stride = sizeof(struct sequence);
    const bool graphics = f->common.graphics;
    const VkIndirectCommandsLayoutTokenNV tokens[3] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
         .tokenType =
             graphics ? VK_INDIRECT_COMMANDS_TOKEN_TYPE_SHADER_GROUP_NV : VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV,
         .offset = offsetof(struct sequence, chosen)},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
         .tokenType = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV,
         .offset = offsetof(struct sequence, row),
         .pushconstantPipelineLayout = f->common.layout,
         .pushconstantShaderStageFlags = f->common.stages,
         .pushconstantSize = sizeof(uint32_t)},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
         .tokenType = graphics ? VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV : VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_NV,
         .offset = offsetof(struct sequence, action)},
    };
    const VkIndirectCommandsLayoutCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_NV,
        .flags = f->preprocesses ? VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_NV : 0u,
        .pipelineBindPoint = point_of(f),
        .tokenCount = f->common.chooses ? 3 : 2,
        .pTokens = f->common.chooses ? tokens : tokens + 1,
        .streamCount = 1,
        .pStreamStrides = &stride};
    struct sequence sequences[SCENE_ROWS];
    HARNESS_VK(CALL(f, CreateIndirectCommandsLayoutNV)(f->common.scene.vk.device, &info, NULL, &f->commands_layout));
    for (uint32_t row = 0; row < SCENE_ROWS; row++)
        sequences[row] = sequence_of(f, row);
    harness_buffer_create(&f->common.scene.vk, &f->sequences, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, sizeof(sequences),
                          sequences);
}

/* None where the GPU binds pipelines by their addresses. */
static VkPipeline named(const struct fixture *f)
{
    return f->has_addresses ? VK_NULL_HANDLE : f->pipelines[0];
}

static void open_memory(struct fixture *f)
{
    const VkGeneratedCommandsMemoryRequirementsInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_NV,
        .pipelineBindPoint = point_of(f),
        .pipeline = named(f),
        .indirectCommandsLayout = f->commands_layout,
        .maxSequencesCount = SCENE_ROWS};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    CALL(f, GetGeneratedCommandsMemoryRequirementsNV)(f->common.scene.vk.device, &info, &needs);
    generated_memory_open(&f->common.scene.vk, &f->memory, &needs.memoryRequirements, GENERATED_PREPROCESS_NV);
}

/* ---- Drawing ---- */

static void bind(const struct fixture *f, VkCommandBuffer commands)
{
    if (named(f))
        vkCmdBindPipeline(commands, point_of(f), named(f));
    vkCmdBindDescriptorSets(commands, point_of(f), f->common.layout, 0, 1, &f->common.set, 0, NULL);
}

static VkGeneratedCommandsInfoNV generated_info(const struct fixture *f, const VkIndirectCommandsStreamNV *stream)
{
    return (VkGeneratedCommandsInfoNV){.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_NV,
                                       .pipelineBindPoint = point_of(f),
                                       .pipeline = named(f),
                                       .indirectCommandsLayout = f->commands_layout,
                                       .streamCount = 1,
                                       .pStreams = stream,
                                       .sequencesCount = SCENE_ROWS,
                                       .preprocessBuffer = f->memory.buffer,
                                       .preprocessOffset = f->memory.offset,
                                       .preprocessSize = f->memory.size};
}

/* Preprocessing is recorded with all bound that is bound in the pass. */
static void draw(struct generated *generated)
{
    const struct fixture *f = (const struct fixture *)(const void *)generated; /* its first member */
    struct harness_vulkan *vk = &generated->scene.vk;
    const VkIndirectCommandsStreamNV stream = {f->sequences.buffer, 0};
    const VkGeneratedCommandsInfoNV info = generated_info(f, &stream);
    if (f->preprocesses) {
        const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                         .srcAccessMask = VK_ACCESS_COMMAND_PREPROCESS_WRITE_BIT_NV,
                                         .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
        VkCommandBuffer before = harness_begin(vk);
        bind(f, before);
        CALL(f, CmdPreprocessGeneratedCommandsNV)(before, &info);
        vkCmdPipelineBarrier(before, VK_PIPELINE_STAGE_COMMAND_PREPROCESS_BIT_NV, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                             0, 1, &barrier, 0, NULL, 0, NULL);
        harness_submit(vk, before);
    }
    VkCommandBuffer commands = generated_begin(generated);
    bind(f, commands);
    CALL(f, CmdExecuteGeneratedCommandsNV)(commands, f->preprocesses, &info);
    generated_end(generated, commands);
}

/* The same by the program's own draws, which choose the groups. */
static void draw_groups(struct generated *generated)
{
    const struct fixture *f = (const struct fixture *)(const void *)generated;
    VkCommandBuffer commands = generated_begin(generated);
    bind(f, commands);
    for (uint32_t row = 0; row < SCENE_ROWS; row++) {
        CALL(f, CmdBindPipelineShaderGroupNV)
        (commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->pipelines[0], row % CHOICES);
        vkCmdPushConstants(commands, generated->layout, generated->stages, 0, sizeof(row), &row);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    generated_end(generated, commands);
}

/* A draw of the program's own behind generated ones takes the tier that its records need. */
static void expect_plain_draws_behind(struct fixture *f)
{
    struct scene *scene = &f->common.scene;
    const VkIndirectCommandsStreamNV stream = {f->sequences.buffer, 0};
    const VkGeneratedCommandsInfoNV info = generated_info(f, &stream);
    const uint32_t row = 0;
    scene_write(scene, f->common.set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    scene_mark(scene);
    VkCommandBuffer commands = generated_begin(&f->common);
    bind(f, commands);
    CALL(f, CmdExecuteGeneratedCommandsNV)(commands, VK_FALSE, &info);
    vkCmdPushConstants(commands, f->common.layout, f->common.stages, 0, sizeof(row), &row);
    vkCmdDraw(commands, 3, 1, 0, 0);
    generated_end(&f->common, commands);
    assert_int_equal(scene->drew[0], 1);
    assert_int_equal(scene->drew[2], 1);
    for (unsigned i = 0; i < SCENE_ROWS; i++)
        scene_expect_row(scene, i, SCENE_EDGE, SCENE_STEPS);
}

/* ---- The fixture ---- */

static void open_fixture(struct fixture *f, enum what what, bool preprocesses, bool plain)
{
    const bool graphics = what < DISPATCHES;
    const char *missing = generated_missing(extensions, graphics ? 1 : 2);
    if (missing) {
        print_message("the driver lacks %s\n", missing);
        skip();
    }
    memset(f, 0, sizeof(*f));
    f->common.graphics = graphics;
    f->common.chooses = what != DRAWS && what != DISPATCHES;
    f->has_addresses = what == ADDRESSES;
    f->preprocesses = preprocesses;
    f->common.draw = draw;
    open_device(f, plain);
    generated_open(&f->common);
    open_pipelines(f, what);
    open_commands_layout(f);
    open_memory(f);
}

static void close_fixture(struct fixture *f)
{
    struct harness_vulkan *vk = &f->common.scene.vk;
    CALL(f, DestroyIndirectCommandsLayoutNV)(vk->device, f->commands_layout, NULL);
    for (unsigned i = 0; i < CHOICES; i++) {
        vkDestroyPipeline(vk->device, f->pipelines[i], NULL);
        generated_memory_close(vk, &f->metadata[i]);
    }
    generated_memory_close(vk, &f->memory);
    harness_buffer_destroy(vk, &f->sequences);
    generated_close(&f->common);
}

static void follow_records(enum what what)
{
    for (unsigned preprocesses = 0; preprocesses < 2; preprocesses++) {
        struct fixture f;
        open_fixture(&f, what, preprocesses, false);
        generated_expect_records_followed(&f.common);
        if (what == GROUPS || what == REFERENCES) {
            f.common.draw = draw_groups;
            generated_expect_records_followed(&f.common);
        }
        if (what == DRAWS && !preprocesses)
            expect_plain_draws_behind(&f);
        /* The GPU's choices are of the program's own handles: nothing was made beside them. */
        const struct clampler_counters counters = harness_counters(&f.common.scene.vk);
        assert_int_equal(counters.pipelines[2], what == REFERENCES || what == ADDRESSES ? 2 : 1);
        assert_int_equal(counters.pipelines[1], 0);
        close_fixture(&f);
    }
}

static void draws_follow_records(void **state)
{
    (void)state;
    follow_records(DRAWS);
}

static void groups_follow_records(void **state)
{
    (void)state;
    follow_records(GROUPS);
}

static void groups_of_other_pipelines_follow_records(void **state)
{
    (void)state;
    follow_records(REFERENCES);
}

static void dispatches_follow_records(void **state)
{
    (void)state;
    follow_records(DISPATCHES);
}

static void pipelines_at_addresses_follow_records(void **state)
{
    (void)state;
    follow_records(ADDRESSES);
}

static void devices_without_state_keep_their_code(void **state)
{
    (void)state;
    for (unsigned what = 0; what < WHATS; what++) {
        struct fixture f;
        open_fixture(&f, (enum what)what, false, true);
        generated_expect_own_code(&f.common);
        close_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_follow_records),
        cmocka_unit_test(groups_follow_records),
        cmocka_unit_test(groups_of_other_pipelines_follow_records),
        cmocka_unit_test(dispatches_follow_records),
        cmocka_unit_test(pipelines_at_addresses_follow_records),
        cmocka_unit_test(devices_without_state_keep_their_code),
    };
    return cmocka_run_group_tests_name("generated_nv", tests, NULL, NULL);
}
