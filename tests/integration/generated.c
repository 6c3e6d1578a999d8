/* SPDX-License-Identifier: MIT */
/*
 * Commands that the device generates (VK_EXT_device_generated_commands): draws and dispatches of one pipeline or shader
 * object, and of execution sets of both, with push constants, preprocessed or not. Each sequence is a row of the
 * target. Skipped where the driver lacks the extension.
 */
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/newer_generated.h"
#include "integration/parts.h"
#include "integration/scene.h"
#include "integration_generated_compute.h"
#include "integration_generated_fragment.h"

enum { CHOICES = 2 };

/* What generated commands run: what is bound, or what they choose of a set; linked: that of libraries. */
enum what { PIPELINE, PIPELINES, LINKED, SHADER, SHADERS, WHATS };

/* One sequence; the first member is not there where nothing is chosen. */
struct sequence {
    uint32_t chosen[2];
    uint32_t row;
    union {
        VkDispatchIndirectCommand dispatch;
        VkDrawIndirectCommand draw;
    } action;
};

struct fixture {
    struct scene scene;
    bool graphics, chooses, objects;
    VkShaderStageFlags stages;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct harness_buffer pixels, sequences;
    VkBuffer scratch;
    VkDeviceMemory scratch_memory;
    VkDeviceAddress scratch_address;
    VkDeviceSize scratch_size;
    VkPipeline pipelines[CHOICES], libraries[CHOICES][2];
    VkShaderEXT shaders[CHOICES];
    VkIndirectExecutionSetEXT execution_set;
    VkIndirectCommandsLayoutEXT commands_layout;
};

#define CALL(F, NAME) HARNESS_PROC(&(F)->scene.vk, vk##NAME)

static const char *const extensions[] = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME,
                                         VK_KHR_MAINTENANCE_5_EXTENSION_NAME, VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                         VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                         VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
enum { EXTENSIONS = sizeof(extensions) / sizeof(extensions[0]) };

static const char *missing_extension(void)
{
    struct harness_vulkan vk;
    const char *missing = NULL;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    for (unsigned i = 0; i < EXTENSIONS && !missing; i++)
        missing = harness_has_extension(&vk, extensions[i]) ? NULL : extensions[i];
    harness_vulkan_close(&vk);
    return missing;
}

static void open_device(struct fixture *f, bool plain)
{
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {.sType =
                                                           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
                                                       .pNext = &libraries,
                                                       .shaderObject = VK_TRUE};
    struct {
        VkStructureType sType;
        void *pNext;
        VkBool32 maintenance5;
    } maintenance5 = {(VkStructureType)1000470000, &objects, VK_TRUE};
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
    const struct harness_vulkan_params params = {.layers = plain ? harness_test_layers("clampler:validation") : NULL,
                                                 .device_extensions = extensions,
                                                 .device_extension_count = EXTENSIONS,
                                                 .device_next = &features};
    if (plain)
        harness_vulkan_open(&f->scene.vk, &params);
    else
        scene_open_device(&f->scene, &params);
    assert_non_null(f->scene.vk.counters);
    scene_make(&f->scene, !plain);
}

/* ---- What is run ---- */

static VkSpecializationInfo number_of(const int *number)
{
    static const VkSpecializationMapEntry entry = {0, 0, sizeof(int)};
    return (VkSpecializationInfo){1, &entry, sizeof(int), number};
}

static VkPipeline compute_pipeline(struct fixture *f, int number)
{
    const VkSpecializationInfo specialization = number_of(&number);
    const VkPipelineCreateFlags2CreateInfoKHR flags = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                       .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = f->chooses ? &flags : NULL,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = harness_module(&f->scene.vk, HARNESS_SPIRV(integration_generated_compute)),
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = f->layout};
    VkPipeline pipeline;
    HARNESS_VK(vkCreateComputePipelines(f->scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(f->scene.vk.device, info.stage.module, NULL);
    return pipeline;
}

/* A whole pipeline; with `libraries`, linked from two: one of what is before rasterization, and one of the rest. */
static VkPipeline graphics_pipeline(struct fixture *f, int number, VkPipeline *libraries)
{
    const VkSpecializationInfo specialization = number_of(&number);
    struct parts parts;
    VkGraphicsPipelineLibraryCreateInfoEXT brings = {.sType =
                                                         VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
    VkPipelineCreateFlags2CreateInfoKHR flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                 .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    VkPipeline pipeline = VK_NULL_HANDLE;
    parts_open(&f->scene, &parts, HARNESS_SPIRV(integration_generated_fragment), f->layout);
    parts.stages[1].pSpecializationInfo = &specialization;
    parts.info.pNext = f->chooses ? &flags : NULL;
    if (!libraries)
        pipeline = parts_create(&f->scene, &parts);
    for (unsigned i = 0; i < 2 && libraries; i++) {
        flags.pNext = &brings;
        flags.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
        brings.flags = i ? VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                               VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
                         : VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                               VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
        parts.info.stageCount = 1;
        parts.info.pStages = &parts.stages[i];
        libraries[i] = parts_create(&f->scene, &parts);
    }
    parts_close(&f->scene, &parts);
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &flags, .layout = f->layout};
    flags.flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
    flags.pNext = (void *)(uintptr_t)&linked;
    if (libraries)
        HARNESS_VK(vkCreateGraphicsPipelines(f->scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    return pipeline;
}

static VkShaderEXT compute_shader(struct fixture *f, int number)
{
    const VkSpecializationInfo specialization = number_of(&number);
    const VkPushConstantRange range = {f->stages, 0, sizeof(uint32_t)};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .flags = f->chooses ? VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT : 0u,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = sizeof(integration_generated_compute),
                                        .pCode = integration_generated_compute,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &f->set_layout,
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &range,
                                        .pSpecializationInfo = &specialization};
    VkShaderEXT shader;
    HARNESS_VK(CALL(f, CreateShadersEXT)(f->scene.vk.device, 1, &info, NULL, &shader));
    return shader;
}

static void open_choices(struct fixture *f, enum what what)
{
    for (int i = 0; i < (f->chooses ? CHOICES : 1); i++) {
        if (f->objects)
            f->shaders[i] = compute_shader(f, i);
        else
            f->pipelines[i] =
                f->graphics ? graphics_pipeline(f, i, what == LINKED ? f->libraries[i] : NULL) : compute_pipeline(f, i);
    }
}

/* The set is made with the first, and written with the other. */
static void open_execution_set(struct fixture *f)
{
    const VkIndirectExecutionSetShaderLayoutInfoEXT layout = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT,
        .setLayoutCount = 1,
        .pSetLayouts = &f->set_layout};
    const VkPushConstantRange range = {f->stages, 0, sizeof(uint32_t)};
    const VkIndirectExecutionSetShaderInfoEXT shaders = {.sType =
                                                             VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT,
                                                         .shaderCount = 1,
                                                         .pInitialShaders = f->shaders,
                                                         .pSetLayoutInfos = &layout,
                                                         .maxShaderCount = CHOICES,
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
    HARNESS_VK(CALL(f, CreateIndirectExecutionSetEXT)(f->scene.vk.device, &info, NULL, &f->execution_set));
    const VkWriteIndirectExecutionSetShaderEXT shader = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_SHADER_EXT, .index = 1, .shader = f->shaders[1]};
    const VkWriteIndirectExecutionSetPipelineEXT pipeline = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT, .index = 1, .pipeline = f->pipelines[1]};
    if (f->objects)
        CALL(f, UpdateIndirectExecutionSetShaderEXT)(f->scene.vk.device, f->execution_set, 1, &shader);
    else
        CALL(f, UpdateIndirectExecutionSetPipelineEXT)(f->scene.vk.device, f->execution_set, 1, &pipeline);
}

/* ---- Sequences ---- */

static void open_commands_layout(struct fixture *f, bool preprocesses)
{
    const VkIndirectCommandsExecutionSetTokenEXT set = {f->objects
                                                            ? VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT
                                                            : VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
                                                        f->stages};
    const VkIndirectCommandsPushConstantTokenEXT row = {{f->stages, 0, sizeof(uint32_t)}};
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
         .type = f->graphics ? VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT : VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
         .offset = offsetof(struct sequence, action)},
    };
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .flags = preprocesses ? VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT : 0u,
        .shaderStages = f->stages,
        .indirectStride = sizeof(struct sequence),
        .pipelineLayout = f->layout,
        .tokenCount = f->chooses ? 3 : 2,
        .pTokens = f->chooses ? tokens : tokens + 1};
    struct sequence sequences[SCENE_ROWS];
    HARNESS_VK(CALL(f, CreateIndirectCommandsLayoutEXT)(f->scene.vk.device, &info, NULL, &f->commands_layout));
    for (uint32_t row_index = 0; row_index < SCENE_ROWS; row_index++) {
        struct sequence *sequence = &sequences[row_index];
        *sequence = (struct sequence){.chosen = {row_index % CHOICES}, .row = row_index};
        if (f->graphics)
            sequence->action.draw = (VkDrawIndirectCommand){3, 1, 0, 0};
        else
            sequence->action.dispatch = (VkDispatchIndirectCommand){1, 1, 1};
    }
    harness_buffer_create(&f->scene.vk, &f->sequences,
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizeof(sequences), sequences);
}

/* What is bound instead of being chosen, for the chains of the extension's structures. */
struct named {
    VkGeneratedCommandsPipelineInfoEXT pipeline;
    VkGeneratedCommandsShaderInfoEXT shaders;
};

static const void *name_bound(const struct fixture *f, struct named *named)
{
    *named = (struct named){{VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, NULL, f->pipelines[0]},
                            {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_SHADER_INFO_EXT, NULL, 1, f->shaders}};
    return f->chooses ? NULL : f->objects ? (const void *)&named->shaders : &named->pipeline;
}

static void open_scratch(struct fixture *f)
{
    struct harness_vulkan *vk = &f->scene.vk;
    struct named named;
    const VkGeneratedCommandsMemoryRequirementsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = name_bound(f, &named),
        .indirectExecutionSet = f->execution_set,
        .indirectCommandsLayout = f->commands_layout,
        .maxSequenceCount = SCENE_ROWS};
    VkMemoryRequirements2 generated = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    CALL(f, GetGeneratedCommandsMemoryRequirementsEXT)(vk->device, &info, &generated);
    f->scratch_size = generated.memoryRequirements.size;
    if (!f->scratch_size)
        return;
    const VkBufferUsageFlags2CreateInfoKHR usage = {.sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR,
                                                    .usage = 0x80000000u /* PREPROCESS_BUFFER_BIT_EXT */ |
                                                             VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    const VkBufferCreateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &usage, .size = f->scratch_size + 256};
    HARNESS_VK(vkCreateBuffer(vk->device, &buffer, NULL, &f->scratch));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(vk->device, f->scratch, &needs);
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = needs.size,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits & generated.memoryRequirements.memoryTypeBits)};
    HARNESS_VK(vkAllocateMemory(vk->device, &memory, NULL, &f->scratch_memory));
    HARNESS_VK(vkBindBufferMemory(vk->device, f->scratch, f->scratch_memory, 0));
    const VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                               .buffer = f->scratch};
    const VkDeviceSize alignment = generated.memoryRequirements.alignment ? generated.memoryRequirements.alignment : 1;
    f->scratch_address = (vkGetBufferDeviceAddress(vk->device, &address) + alignment - 1) / alignment * alignment;
}

/* ---- The fixture ---- */

static void open_fixture(struct fixture *f, enum what what, bool graphics, bool preprocesses, bool plain)
{
    const char *missing = missing_extension();
    if (missing) {
        print_message("the driver lacks %s\n", missing);
        skip();
    }
    memset(f, 0, sizeof(*f));
    f->graphics = graphics;
    f->chooses = what == PIPELINES || what == LINKED || what == SHADERS;
    f->objects = what == SHADER || what == SHADERS;
    f->stages =
        graphics ? VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT : (VkFlags)VK_SHADER_STAGE_COMPUTE_BIT;
    open_device(f, plain);
    struct harness_vulkan *vk = &f->scene.vk;
    const VkDescriptorSetLayoutBinding bindings[] = {{0, SCENE_COMBINED, 1, f->stages, NULL},
                                                     {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, f->stages, NULL}};
    const VkPushConstantRange range = {f->stages, 0, sizeof(uint32_t)};
    f->set_layout = harness_set_layout(vk, bindings, graphics ? 1 : 2);
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &f->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    HARNESS_VK(vkCreatePipelineLayout(vk->device, &layout, NULL, &f->layout));
    f->set = harness_set(vk, f->set_layout);
    harness_buffer_create(vk, &f->pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f->scene.pixels), NULL);
    if (!graphics)
        harness_write_buffer(vk, f->set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, f->pixels.buffer);
    open_choices(f, what);
    if (f->chooses)
        open_execution_set(f);
    open_commands_layout(f, preprocesses);
    open_scratch(f);
}

static void close_fixture(struct fixture *f)
{
    struct harness_vulkan *vk = &f->scene.vk;
    CALL(f, DestroyIndirectCommandsLayoutEXT)(vk->device, f->commands_layout, NULL);
    CALL(f, DestroyIndirectExecutionSetEXT)(vk->device, f->execution_set, NULL);
    for (unsigned i = 0; i < CHOICES; i++) {
        vkDestroyPipeline(vk->device, f->pipelines[i], NULL);
        vkDestroyPipeline(vk->device, f->libraries[i][0], NULL);
        vkDestroyPipeline(vk->device, f->libraries[i][1], NULL);
        CALL(f, DestroyShaderEXT)(vk->device, f->shaders[i], NULL);
    }
    vkDestroyBuffer(vk->device, f->scratch, NULL);
    vkFreeMemory(vk->device, f->scratch_memory, NULL);
    harness_buffer_destroy(vk, &f->pixels);
    harness_buffer_destroy(vk, &f->sequences);
    vkDestroyPipelineLayout(vk->device, f->layout, NULL);
    vkDestroyDescriptorSetLayout(vk->device, f->set_layout, NULL);
    scene_close(&f->scene);
}

/* ---- Drawing ---- */

static void bind(const struct fixture *f, VkCommandBuffer commands)
{
    static const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkPipelineBindPoint point = f->graphics ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
    if (f->objects)
        CALL(f, CmdBindShadersEXT)(commands, 1, &stage, f->shaders);
    else
        vkCmdBindPipeline(commands, point, f->pipelines[0]);
    vkCmdBindDescriptorSets(commands, point, f->layout, 0, 1, &f->set, 0, NULL);
}

/* The pixels of all rows in scene.pixels. What was drawn before with another sampler must not matter. */
static void draw(struct fixture *f, bool preprocesses, VkSampler sampler)
{
    struct harness_vulkan *vk = &f->scene.vk;
    struct named named;
    const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                             .pNext = name_bound(f, &named),
                                             .shaderStages = f->stages,
                                             .indirectExecutionSet = f->execution_set,
                                             .indirectCommandsLayout = f->commands_layout,
                                             .indirectAddress = harness_buffer_address(vk, &f->sequences),
                                             .indirectAddressSize = f->sequences.size,
                                             .preprocessAddress = f->scratch_address,
                                             .preprocessSize = f->scratch_size,
                                             .maxSequenceCount = SCENE_ROWS};
    harness_write_image(vk, f->set, 0, 0, SCENE_COMBINED, sampler, f->scene.textures[SCENE_STEPS].view);
    memset(f->pixels.map, 0xff, sizeof(f->scene.pixels));
    VkCommandBuffer before = preprocesses ? harness_begin(vk) : VK_NULL_HANDLE;
    VkCommandBuffer commands = f->graphics ? scene_begin(&f->scene) : harness_begin(vk);
    scene_mark(&f->scene);
    bind(f, commands);
    if (preprocesses) {
        const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                         .srcAccessMask = 1u << 18, /* COMMAND_PREPROCESS_WRITE */
                                         .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
        CALL(f, CmdPreprocessGeneratedCommandsEXT)(before, &info, commands);
        vkCmdPipelineBarrier(before, 1u << 17 /* COMMAND_PREPROCESS */, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1,
                             &barrier, 0, NULL, 0, NULL);
        harness_submit(vk, before);
    }
    CALL(f, CmdExecuteGeneratedCommandsEXT)(commands, preprocesses, &info);
    if (f->graphics) {
        scene_end(&f->scene, commands);
        return;
    }
    harness_submit(vk, commands);
    scene_take(&f->scene);
    memcpy(f->scene.pixels, f->pixels.map, sizeof(f->scene.pixels));
}

static void expect(const struct fixture *f, enum scene_sampler sampler)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        scene_expect_row(&f->scene, row, sampler, SCENE_STEPS);
        assert_int_equal((int)f->scene.pixels[row][0][1], f->chooses ? row % CHOICES : 0);
    }
}

/* With linear magnification, which is what lookups of level 0 get: tier 1 would show the edge. */
static VkSampler mixed_sampler(struct fixture *f)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.minFilter = TOKEN_NEAREST;
    return harness_sampler(&f->scene.vk, &info);
}

/* A dispatch of the program's own behind generated ones takes the tier that its records need. */
static void expect_plain_dispatches_behind(struct fixture *f)
{
    const uint32_t row = 0;
    struct named named;
    const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                             .pNext = name_bound(f, &named),
                                             .shaderStages = f->stages,
                                             .indirectCommandsLayout = f->commands_layout,
                                             .indirectAddress = harness_buffer_address(&f->scene.vk, &f->sequences),
                                             .indirectAddressSize = f->sequences.size,
                                             .preprocessAddress = f->scratch_address,
                                             .preprocessSize = f->scratch_size,
                                             .maxSequenceCount = SCENE_ROWS};
    scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    scene_mark(&f->scene);
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    bind(f, commands);
    CALL(f, CmdExecuteGeneratedCommandsEXT)(commands, VK_FALSE, &info);
    vkCmdPushConstants(commands, f->layout, f->stages, 0, sizeof(row), &row);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&f->scene.vk, commands);
    scene_take(&f->scene);
    assert_int_equal(f->scene.drew[0], 1);
    assert_int_equal(f->scene.drew[2], 1);
}

static void follow_records(bool graphics)
{
    for (unsigned what = 0; what < WHATS; what++) {
        if (graphics ? what >= SHADER : what == LINKED)
            continue; /* as for compute; there are no libraries of compute pipelines */
        for (unsigned preprocesses = 0; preprocesses < 2; preprocesses++) {
            static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIRROR, SCENE_BORDER};
            struct fixture f;
            open_fixture(&f, (enum what)what, graphics, preprocesses, false);
            for (unsigned i = 0; i < 4; i++) {
                draw(&f, preprocesses, f.scene.samplers[samplers[i]]);
                scene_expect_tier(&f.scene, 2);
                expect(&f, samplers[i]);
            }
            const VkSampler mixed = mixed_sampler(&f);
            draw(&f, preprocesses, mixed);
            expect(&f, SCENE_CLAMP);
            if (!graphics && !f.chooses && !preprocesses)
                expect_plain_dispatches_behind(&f);
            /* The GPU's choices are of the program's own handles: nothing was made beside them. */
            const struct clampler_counters counters = harness_counters(&f.scene.vk);
            assert_int_equal(counters.pipelines[2], f.chooses ? CHOICES : 1);
            assert_int_equal(counters.pipelines[1], 0);
            assert_int_equal(harness_layer_messages(), 0);
            vkDestroySampler(f.scene.vk.device, mixed, NULL);
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

/* Where the program can ask for nothing, its code goes down as it is. */
static void devices_without_state_keep_their_code(void **state)
{
    (void)state;
    for (unsigned what = 0; what < WHATS; what++) {
        struct fixture f;
        setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1);
        open_fixture(&f, (enum what)what, what == LINKED, false, true);
        unsetenv("VK_CLAMPLER_FORCE_ACTIVE");
        draw(&f, false, f.scene.samplers[SCENE_BORDER]);
        scene_expect_tier(&f.scene, 0);
        expect(&f, SCENE_BORDER);
        const struct clampler_counters counters = harness_counters(&f.scene.vk);
        assert_int_equal(counters.modules_rewritten, 0);
        assert_int_equal(counters.pipelines[1] + counters.pipelines[2], 0);
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
