/* SPDX-License-Identifier: MIT */
/*
 * Commands that the device generates (VK_EXT_device_generated_commands): draws and dispatches of one pipeline or shader
 * object, and of execution sets of both, with push constants, preprocessed or not. Skipped where the driver lacks the
 * extension.
 */
#include <string.h>

#include "harness/drawing/shader_objects.h"
#include "integration/recording/generated_memory.h"
#include "integration/recording/generated_scene.h"
#include "integration/recording/newer_generated.h"
#include "integration/shared/parts.h"

enum { CHOICES = GENERATED_CHOICES };

/* What generated commands run: what is bound, or what they choose of a set; linked: that of libraries. */
enum what { PIPELINE, PIPELINES, LINKED, SHADER, SHADERS, WHATS };

/* One sequence; the first member is not there where nothing is chosen. Of shader objects, each stage's is chosen. */
struct sequence {
    uint32_t chosen[2];
    uint32_t row;
    union {
        VkDispatchIndirectCommand dispatch;
        VkDrawIndirectCommand draw;
    } action;
};

struct fixture {
    struct generated common;
    bool objects, preprocesses;
    struct harness_buffer sequences;
    struct generated_memory memory;
    VkPipeline pipelines[CHOICES], libraries[CHOICES][2];
    VkShaderEXT vertex, shaders[CHOICES]; /* the first for draws of the others */
    VkIndirectExecutionSetEXT execution_set;
    VkIndirectCommandsLayoutEXT commands_layout;
};

#define CALL(F, NAME) HARNESS_PROC(&(F)->common.scene.vk, vk##NAME)

static const char *const extensions[] = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME,
                                         VK_KHR_MAINTENANCE_5_EXTENSION_NAME, VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                         VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                         VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
enum { EXTENSIONS = sizeof(extensions) / sizeof(extensions[0]) };

static void open_device(struct fixture *f, bool plain)
{
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {.sType =
                                                           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
                                                       .pNext = &libraries,
                                                       .shaderObject = VK_TRUE};
    struct harness_features maintenance5 = {(VkStructureType)1000470000, &objects, {VK_TRUE}};
    VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
        .pNext = &maintenance5,
        .deviceGeneratedCommands = VK_TRUE};
    VkPhysicalDeviceVulkan13Features rendering = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                  .pNext = &generated,
                                                  .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &rendering,
                                                 .bufferDeviceAddress = VK_TRUE};
    generated_open_device(&f->common, plain,
                          &(struct harness_vulkan_params){.device_extensions = extensions,
                                                          .device_extension_count = EXTENSIONS,
                                                          .device_next = &features});
}

/* ---- What is run ---- */

static VkPipeline compute_pipeline(struct fixture *f, int number)
{
    const VkSpecializationInfo specialization = generated_number(&number);
    const VkPipelineCreateFlags2CreateInfoKHR flags = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                       .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .pNext = f->common.chooses ? &flags : NULL,
                                              .stage = generated_compute_stage(&f->common, &specialization),
                                              .layout = f->common.layout};
    VkPipeline pipeline;
    HARNESS_VK(vkCreateComputePipelines(f->common.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(f->common.scene.vk.device, info.stage.module, NULL);
    return pipeline;
}

/* A whole pipeline; with `libraries`, linked from two: one of what is before rasterization, and one of the rest. */
static VkPipeline graphics_pipeline(struct fixture *f, int number, VkPipeline *libraries)
{
    const VkSpecializationInfo specialization = generated_number(&number);
    struct parts parts;
    VkGraphicsPipelineLibraryCreateInfoEXT brings = {.sType =
                                                         VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
    VkPipelineCreateFlags2CreateInfoKHR flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                 .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    VkPipeline pipeline = VK_NULL_HANDLE;
    parts_open(&f->common.scene, &parts, generated_fragment(), f->common.layout);
    parts.stages[1].pSpecializationInfo = &specialization;
    parts.info.pNext = f->common.chooses ? &flags : NULL;
    if (!libraries)
        pipeline = parts_create(&f->common.scene, &parts);
    for (unsigned i = 0; i < 2 && libraries; i++) {
        flags.pNext = &brings;
        flags.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
        brings.flags = i ? VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                               VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
                         : VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                               VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
        parts.info.stageCount = 1;
        parts.info.pStages = &parts.stages[i];
        libraries[i] = parts_create(&f->common.scene, &parts);
    }
    parts_close(&f->common.scene, &parts);
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &flags, .layout = f->common.layout};
    flags.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
    flags.pNext = (void *)(uintptr_t)&linked;
    if (libraries)
        HARNESS_VK(vkCreateGraphicsPipelines(f->common.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    return pipeline;
}

/* A shader object of one of the stages; its number is that of a choice. */
static VkShaderEXT shader(struct fixture *f, VkShaderStageFlagBits stage, int number)
{
    const bool vertex = stage == VK_SHADER_STAGE_VERTEX_BIT;
    const struct harness_spirv code = vertex                                  ? harness_covering_triangle()
                                      : stage == VK_SHADER_STAGE_FRAGMENT_BIT ? generated_fragment()
                                                                              : generated_compute();
    const VkSpecializationInfo specialization = generated_number(&number);
    const VkPushConstantRange range = {f->common.stages, 0, sizeof(uint32_t)};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .flags = f->common.chooses ? VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT : 0u,
                                        .stage = stage,
                                        .nextStage = vertex ? (VkFlags)VK_SHADER_STAGE_FRAGMENT_BIT : 0,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = code.bytes,
                                        .pCode = code.words,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &f->common.set_layout,
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &range,
                                        .pSpecializationInfo = vertex ? NULL : &specialization};
    VkShaderEXT shader;
    HARNESS_VK(CALL(f, CreateShadersEXT)(f->common.scene.vk.device, 1, &info, NULL, &shader));
    return shader;
}

static void open_choices(struct fixture *f, enum what what)
{
    if (f->objects && f->common.graphics)
        f->vertex = shader(f, VK_SHADER_STAGE_VERTEX_BIT, 0);
    for (int i = 0; i < (f->common.chooses ? CHOICES : 1); i++) {
        if (f->objects)
            f->shaders[i] =
                shader(f, f->common.graphics ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_COMPUTE_BIT, i);
        else
            f->pipelines[i] = f->common.graphics ? graphics_pipeline(f, i, what == LINKED ? f->libraries[i] : NULL)
                                                 : compute_pipeline(f, i);
    }
}

/* The shader objects that are bound, in the order of their stages: an execution set begins with them. */
static uint32_t bound_shaders(const struct fixture *f, VkShaderEXT *bound)
{
    const uint32_t first = f->common.graphics;
    bound[0] = f->vertex;
    bound[first] = f->shaders[0];
    return first + 1;
}

/* The set is made with the first, and written with the other. */
static void open_execution_set(struct fixture *f)
{
    VkShaderEXT bound[2];
    const uint32_t count = bound_shaders(f, bound);
    const VkIndirectExecutionSetShaderLayoutInfoEXT layout = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT,
        .setLayoutCount = 1,
        .pSetLayouts = &f->common.set_layout};
    const VkIndirectExecutionSetShaderLayoutInfoEXT layouts[2] = {layout, layout};
    const VkPushConstantRange range = {f->common.stages, 0, sizeof(uint32_t)};
    const VkIndirectExecutionSetShaderInfoEXT shaders = {.sType =
                                                             VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT,
                                                         .shaderCount = count,
                                                         .pInitialShaders = bound,
                                                         .pSetLayoutInfos = layouts,
                                                         .maxShaderCount = count + CHOICES - 1,
                                                         .pushConstantRangeCount = 1,
                                                         .pPushConstantRanges = &range};
    const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = f->pipelines[0],
        .maxPipelineCount = CHOICES};
    VkIndirectExecutionSetCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
                                                .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
                                                .info.pPipelineInfo = &pipelines};
    if (f->objects) {
        info.type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT;
        info.info.pShaderInfo = &shaders;
    }
    HARNESS_VK(CALL(f, CreateIndirectExecutionSetEXT)(f->common.scene.vk.device, &info, NULL, &f->execution_set));
    const VkWriteIndirectExecutionSetShaderEXT shader = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_SHADER_EXT, .index = count, .shader = f->shaders[1]};
    const VkWriteIndirectExecutionSetPipelineEXT pipeline = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT, .index = 1, .pipeline = f->pipelines[1]};
    if (f->objects)
        CALL(f, UpdateIndirectExecutionSetShaderEXT)(f->common.scene.vk.device, f->execution_set, 1, &shader);
    else
        CALL(f, UpdateIndirectExecutionSetPipelineEXT)(f->common.scene.vk.device, f->execution_set, 1, &pipeline);
}

/* ---- Sequences ---- */

static void open_commands_layout(struct fixture *f)
{
    const VkIndirectCommandsExecutionSetTokenEXT set = {f->objects
                                                            ? VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT
                                                            : VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
                                                        f->common.stages};
    const VkIndirectCommandsPushConstantTokenEXT row = {{f->common.stages, 0, sizeof(uint32_t)}};
    const VkIndirectCommandsLayoutTokenEXT tokens[3] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
         .data.pExecutionSet = &set,
         .offset = offsetof(struct sequence, chosen)},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
         .data.pPushConstant = &row,
         .offset = offsetof(struct sequence, row)},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = f->common.graphics ? VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT
                                    : VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
         .offset = offsetof(struct sequence, action)},
    };
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .flags = f->preprocesses ? VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT : 0u,
        .shaderStages = f->common.stages,
        .indirectStride = sizeof(struct sequence),
        .pipelineLayout = f->common.layout,
        .tokenCount = f->common.chooses ? 3 : 2,
        .pTokens = f->common.chooses ? tokens : tokens + 1};
    struct sequence sequences[SCENE_ROWS];
    HARNESS_VK(CALL(f, CreateIndirectCommandsLayoutEXT)(f->common.scene.vk.device, &info, NULL, &f->commands_layout));
    for (uint32_t row_index = 0; row_index < SCENE_ROWS; row_index++) {
        struct sequence *sequence = &sequences[row_index];
        *sequence = (struct sequence){.row = row_index};
        if (f->objects && f->common.graphics)
            sequence->chosen[1] = 1 + row_index % CHOICES; /* behind the vertex shader */
        else
            sequence->chosen[0] = row_index % CHOICES;
        if (f->common.graphics)
            sequence->action.draw = (VkDrawIndirectCommand){3, 1, 0, 0};
        else
            sequence->action.dispatch = (VkDispatchIndirectCommand){1, 1, 1};
    }
    harness_buffer_create(&f->common.scene.vk, &f->sequences,
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizeof(sequences), sequences);
}

/* What is bound instead of being chosen, for the chains of the extension's structures. */
struct named {
    VkGeneratedCommandsPipelineInfoEXT pipeline;
    VkGeneratedCommandsShaderInfoEXT shaders;
    VkShaderEXT bound[2];
};

static const void *name_bound(const struct fixture *f, struct named *named)
{
    *named = (struct named){.pipeline = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, NULL, f->pipelines[0]},
                            .shaders = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_SHADER_INFO_EXT, NULL, 0, named->bound}};
    named->shaders.shaderCount = bound_shaders(f, named->bound);
    return f->common.chooses ? NULL : f->objects ? (const void *)&named->shaders : &named->pipeline;
}

static void open_memory(struct fixture *f)
{
    struct named named;
    const VkGeneratedCommandsMemoryRequirementsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = name_bound(f, &named),
        .indirectExecutionSet = f->execution_set,
        .indirectCommandsLayout = f->commands_layout,
        .maxSequenceCount = SCENE_ROWS};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    CALL(f, GetGeneratedCommandsMemoryRequirementsEXT)(f->common.scene.vk.device, &info, &needs);
    generated_memory_open(&f->common.scene.vk, &f->memory, &needs.memoryRequirements, GENERATED_PREPROCESS_EXT);
}

static VkGeneratedCommandsInfoEXT generated_info(struct fixture *f, struct named *named)
{
    return (VkGeneratedCommandsInfoEXT){.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                        .pNext = name_bound(f, named),
                                        .shaderStages = f->common.stages,
                                        .indirectExecutionSet = f->execution_set,
                                        .indirectCommandsLayout = f->commands_layout,
                                        .indirectAddress = harness_buffer_address(&f->common.scene.vk, &f->sequences),
                                        .indirectAddressSize = f->sequences.size,
                                        .preprocessAddress = f->memory.address,
                                        .preprocessSize = f->memory.size,
                                        .maxSequenceCount = SCENE_ROWS};
}

/* ---- Drawing ---- */

static void bind(const struct fixture *f, VkCommandBuffer commands)
{
    static const VkShaderStageFlagBits graphics[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
    static const VkShaderStageFlagBits compute = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkPipelineBindPoint point =
        f->common.graphics ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
    VkShaderEXT bound[2];
    const uint32_t count = bound_shaders(f, bound);
    if (f->objects)
        CALL(f, CmdBindShadersEXT)(commands, count, f->common.graphics ? graphics : &compute, bound);
    else
        vkCmdBindPipeline(commands, point, f->pipelines[0]);
    if (f->objects && f->common.graphics)
        harness_objects_set_state(&f->common.scene.vk, &f->common.scene.target, 2, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                  commands);
    vkCmdBindDescriptorSets(commands, point, f->common.layout, 0, 1, &f->common.set, 0, NULL);
}

static void draw(struct generated *generated)
{
    struct fixture *f = (struct fixture *)(void *)generated; /* its first member */
    struct harness_vulkan *vk = &generated->scene.vk;
    struct named named;
    const VkGeneratedCommandsInfoEXT info = generated_info(f, &named);
    VkCommandBuffer before = f->preprocesses ? harness_begin(vk) : VK_NULL_HANDLE;
    VkCommandBuffer commands = generated_begin(generated);
    bind(f, commands);
    if (f->preprocesses) {
        const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                         .srcAccessMask = 1u << 18, /* COMMAND_PREPROCESS_WRITE */
                                         .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
        CALL(f, CmdPreprocessGeneratedCommandsEXT)(before, &info, commands);
        vkCmdPipelineBarrier(before, 1u << 17 /* COMMAND_PREPROCESS */, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1,
                             &barrier, 0, NULL, 0, NULL);
        harness_submit(vk, before);
    }
    CALL(f, CmdExecuteGeneratedCommandsEXT)(commands, f->preprocesses, &info);
    generated_end(generated, commands);
}

/* A dispatch of the program's own behind generated ones takes the tier that its records need. */
static void expect_plain_dispatches_behind(struct fixture *f)
{
    const uint32_t row = 0;
    struct named named;
    const VkGeneratedCommandsInfoEXT info = generated_info(f, &named);
    scene_write(&f->common.scene, f->common.set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    scene_mark(&f->common.scene);
    VkCommandBuffer commands = harness_begin(&f->common.scene.vk);
    bind(f, commands);
    CALL(f, CmdExecuteGeneratedCommandsEXT)(commands, VK_FALSE, &info);
    vkCmdPushConstants(commands, f->common.layout, f->common.stages, 0, sizeof(row), &row);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&f->common.scene.vk, commands);
    scene_take(&f->common.scene);
    assert_int_equal(f->common.scene.drew[0], 1);
    assert_int_equal(f->common.scene.drew[2], 1);
}

/* ---- The fixture ---- */

/* False, with the reason, where the driver's generated commands lack it. */
static bool is_there(const struct fixture *f)
{
    VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &generated};
    vkGetPhysicalDeviceProperties2(f->common.scene.vk.physical, &properties);
    const VkShaderStageFlags stages = !f->common.chooses ? generated.supportedIndirectCommandsShaderStages
                                      : f->objects       ? generated.supportedIndirectCommandsShaderStagesShaderBinding
                                                   : generated.supportedIndirectCommandsShaderStagesPipelineBinding;
    if ((stages & f->common.stages) == f->common.stages)
        return true;
    print_message("the driver lacks generated %s of %s%s\n", f->common.graphics ? "draws" : "dispatches",
                  f->common.chooses ? "chosen " : "", f->objects ? "shader objects" : "pipelines");
    return false;
}

/* False: nothing is open, because the driver lacks it. */
static bool open_fixture(struct fixture *f, enum what what, bool graphics, bool preprocesses, bool plain)
{
    const char *missing = generated_missing(extensions, EXTENSIONS);
    if (missing) {
        print_message("the driver lacks %s\n", missing);
        skip();
    }
    memset(f, 0, sizeof(*f));
    f->common.graphics = graphics;
    f->common.chooses = what == PIPELINES || what == LINKED || what == SHADERS;
    f->objects = what == SHADER || what == SHADERS;
    f->preprocesses = preprocesses;
    f->common.rendering = graphics && f->objects;
    f->common.draw = draw;
    open_device(f, plain);
    generated_open(&f->common);
    if (!is_there(f)) {
        generated_close(&f->common);
        return false;
    }
    open_choices(f, what);
    if (f->common.chooses)
        open_execution_set(f);
    open_commands_layout(f);
    open_memory(f);
    return true;
}

static void close_fixture(struct fixture *f)
{
    struct harness_vulkan *vk = &f->common.scene.vk;
    CALL(f, DestroyIndirectCommandsLayoutEXT)(vk->device, f->commands_layout, NULL);
    CALL(f, DestroyIndirectExecutionSetEXT)(vk->device, f->execution_set, NULL);
    for (unsigned i = 0; i < CHOICES; i++) {
        vkDestroyPipeline(vk->device, f->pipelines[i], NULL);
        vkDestroyPipeline(vk->device, f->libraries[i][0], NULL);
        vkDestroyPipeline(vk->device, f->libraries[i][1], NULL);
        CALL(f, DestroyShaderEXT)(vk->device, f->shaders[i], NULL);
    }
    CALL(f, DestroyShaderEXT)(vk->device, f->vertex, NULL);
    generated_memory_close(vk, &f->memory);
    harness_buffer_destroy(vk, &f->sequences);
    generated_close(&f->common);
}

static void follow_records(bool graphics)
{
    for (unsigned what = 0; what < WHATS; what++) {
        if (!graphics && what == LINKED)
            continue; /* there are no libraries of compute pipelines */
        for (unsigned preprocesses = 0; preprocesses < 2; preprocesses++) {
            struct fixture f;
            if (!open_fixture(&f, (enum what)what, graphics, preprocesses, false))
                continue;
            generated_expect_records_followed(&f.common);
            if (!graphics && !f.common.chooses && !preprocesses)
                expect_plain_dispatches_behind(&f);
            /* The GPU's choices are of the program's own handles: nothing was made beside them. */
            const struct clampler_counters counters = harness_counters(&f.common.scene.vk);
            assert_int_equal(counters.pipelines[2], f.common.chooses ? CHOICES : 1);
            assert_int_equal(counters.pipelines[1], 0);
            close_fixture(&f);
        }
    }
}

static void dispatches_follow_records(void **state)
{
    (void)state;
    follow_records(false);
}

static void draws_follow_records(void **state)
{
    (void)state;
    follow_records(true);
}

static void devices_without_state_keep_their_code(void **state)
{
    (void)state;
    for (unsigned what = 0; what < WHATS; what++) {
        struct fixture f;
        if (!open_fixture(&f, (enum what)what, what == LINKED, false, true))
            continue;
        generated_expect_own_code(&f.common);
        close_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dispatches_follow_records),
        cmocka_unit_test(draws_follow_records),
        cmocka_unit_test(devices_without_state_keep_their_code),
    };
    return cmocka_run_group_tests_name("generated", tests, NULL, NULL);
}
