/* SPDX-License-Identifier: MIT */
/* Pipelines of all kinds. Modules, layouts and libraries that they are made of are gone when they are there. */
#include "chaos/objects.h"

/* ---- What it is ---- */

/* Keys for both sets, of which one may have nothing, and a shader for them. */
static void choose_program(const struct device *device, struct program *program, struct dice *dice)
{
    static const struct key none = {0};
    const unsigned left_out = dice_below(dice, 6);
    for (unsigned i = 0; i < 2; i++)
        program->keys[i] = left_out == i ? none : object_choose_key(device, i, dice);
    const bool compute = dice_one_in(dice, 2);
    for (unsigned i = 0; i < program_shader_count; i++) {
        const struct program_shader *shader = &program_shaders[i];
        if (shader->shapes[0] == program->keys[0].shape && shader->shapes[1] == program->keys[1].shape &&
            shader->dynamic == device->dynamic && shader->compute == compute)
            program->shader = (uint8_t)i;
    }
}

static VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module)
{
    return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                             .stage = stage,
                                             .module = module,
                                             .pName = "main"};
}

/* ---- Compute ---- */

static void make_compute(struct device *device, struct pipeline *pipeline, VkPipelineLayout layout)
{
    const struct harness_spirv code = program_shaders[pipeline->program.shader].code;
    const VkShaderModule module = harness_module(&device->vk, code);
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, module),
                                              .layout = layout};
    HARNESS_VK(vkCreateComputePipelines(device->vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline->handle));
    vkDestroyShaderModule(device->vk.device, module, NULL);
}

static void make_object(struct device *device, struct pipeline *pipeline)
{
    const struct harness_spirv code = program_shaders[pipeline->program.shader].code;
    VkDescriptorSetLayout layouts[3] = {device->results_layout, VK_NULL_HANDLE, VK_NULL_HANDLE};
    for (unsigned i = 0; i < 2; i++)
        layouts[i + 1] = object_new_layout(device, pipeline->program.keys[i]);
    const VkPushConstantRange push = {VK_SHADER_STAGE_ALL, 0, sizeof(struct pushed)};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = code.bytes,
                                        .pCode = code.words,
                                        .pName = "main",
                                        .setLayoutCount = 3,
                                        .pSetLayouts = layouts,
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &push};
    HARNESS_VK(HARNESS_PROC(&device->vk, vkCreateShadersEXT)(device->vk.device, 1, &info, NULL, &pipeline->shader));
    for (unsigned i = 0; i < 2; i++)
        vkDestroyDescriptorSetLayout(device->vk.device, layouts[i + 1], NULL);
}

/* ---- Graphics ---- */

/* All state but the shaders: eight by two pixels, which a triangle of half the viewport's size covers. */
struct state {
    VkPipelineVertexInputStateCreateInfo input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkViewport viewport;
    VkRect2D scissor;
    VkPipelineViewportStateCreateInfo viewports;
    VkPipelineRasterizationStateCreateInfo raster;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineColorBlendAttachmentState attachment;
    VkPipelineColorBlendStateCreateInfo blend;
};

static void fill_state(struct state *state)
{
    *state =
        (struct state){.input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO},
                       .assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
                       .viewport = {0, 0, 16, 4, 0, 1},
                       .scissor = {{0, 0}, {8, 2}},
                       .viewports = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                     .viewportCount = 1,
                                     .pViewports = &state->viewport,
                                     .scissorCount = 1,
                                     .pScissors = &state->scissor},
                       .raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
                       .samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                   .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT},
                       .attachment = {.colorWriteMask = 0xf},
                       .blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                 .attachmentCount = 1,
                                 .pAttachments = &state->attachment}};
}

static VkGraphicsPipelineCreateInfo whole_info(const struct device *device, const struct state *state,
                                               const VkPipelineShaderStageCreateInfo stages[2], VkPipelineLayout layout)
{
    return (VkGraphicsPipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                          .stageCount = 2,
                                          .pStages = stages,
                                          .pVertexInputState = &state->input,
                                          .pInputAssemblyState = &state->assembly,
                                          .pViewportState = &state->viewports,
                                          .pRasterizationState = &state->raster,
                                          .pMultisampleState = &state->samples,
                                          .pColorBlendState = &state->blend,
                                          .layout = layout,
                                          .renderPass = device->pass};
}

/*
 * One library of what stands before fragments, one of the rest. Both are gone once they are linked, but on lavapipe (22
 * and 26), which then draws nothing, or what another pipeline draws, or crashes.
 */
static void link_graphics(struct device *device, struct pipeline *pipeline, const VkGraphicsPipelineCreateInfo *whole,
                          bool optimised)
{
    VkPipeline libraries[2];
    for (unsigned i = 0; i < 2; i++) {
        const VkGraphicsPipelineLibraryCreateInfoEXT part = {
            .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
            .flags = i ? (VkFlags)VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                             (VkFlags)VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
                       : (VkFlags)VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                             (VkFlags)VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT};
        VkGraphicsPipelineCreateInfo info = *whole;
        info.pNext = &part;
        info.flags = (VkFlags)VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                     (optimised ? (VkFlags)VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT : 0);
        info.stageCount = 1;
        info.pStages = &whole->pStages[i];
        if (i)
            info.pVertexInputState = NULL, info.pInputAssemblyState = NULL, info.pViewportState = NULL,
            info.pRasterizationState = NULL;
        else
            info.pMultisampleState = NULL, info.pColorBlendState = NULL;
        HARNESS_VK(vkCreateGraphicsPipelines(device->vk.device, VK_NULL_HANDLE, 1, &info, NULL, &libraries[i]));
    }
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &linked,
        .flags = optimised ? (VkFlags)VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0,
        .layout = whole->layout};
    HARNESS_VK(vkCreateGraphicsPipelines(device->vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline->handle));
    for (unsigned i = 0; i < 2; i++) {
        if (device->keep_libraries)
            pipeline->libraries[i] = libraries[i];
        else
            vkDestroyPipeline(device->vk.device, libraries[i], NULL);
    }
}

static void make_graphics(struct device *device, struct pipeline *pipeline, VkPipelineLayout layout, struct dice *dice)
{
    const VkShaderModule modules[2] = {harness_module(&device->vk, harness_covering_triangle()),
                                       harness_module(&device->vk, program_shaders[pipeline->program.shader].code)};
    const VkPipelineShaderStageCreateInfo stages[2] = {stage_of(VK_SHADER_STAGE_VERTEX_BIT, modules[0]),
                                                       stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, modules[1])};
    struct state state;
    fill_state(&state);
    const VkGraphicsPipelineCreateInfo info = whole_info(device, &state, stages, layout);
    if (device->libraries && dice_one_in(dice, 2))
        link_graphics(device, pipeline, &info, dice_one_in(dice, 2));
    else
        HARNESS_VK(vkCreateGraphicsPipelines(device->vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline->handle));
    for (unsigned i = 0; i < 2; i++)
        vkDestroyShaderModule(device->vk.device, modules[i], NULL);
}

/* ---- All of them ---- */

bool object_make_pipeline(struct device *device, struct pipeline *pipeline, struct dice *dice)
{
    choose_program(device, &pipeline->program, dice);
    const bool compute = program_shaders[pipeline->program.shader].compute;
    pipeline->object = compute && device->objects && dice_one_in(dice, 2);
    if (pipeline->object) {
        make_object(device, pipeline);
        return true;
    }
    struct pipeline_layout layout;
    object_new_pipeline_layout(device, pipeline->program.keys, &layout);
    if (compute)
        make_compute(device, pipeline, layout.handle);
    else
        make_graphics(device, pipeline, layout.handle, dice);
    if (device->validated)
        pipeline->layout = layout;
    else
        object_destroy_pipeline_layout(device, &layout);
    return true;
}

void object_destroy_pipeline(struct device *device, struct pipeline *pipeline)
{
    if (pipeline->object)
        HARNESS_PROC(&device->vk, vkDestroyShaderEXT)(device->vk.device, pipeline->shader, NULL);
    else
        vkDestroyPipeline(device->vk.device, pipeline->handle, NULL);
    object_destroy_pipeline_layout(device, &pipeline->layout);
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyPipeline(device->vk.device, pipeline->libraries[i], NULL);
        pipeline->libraries[i] = VK_NULL_HANDLE;
    }
}
