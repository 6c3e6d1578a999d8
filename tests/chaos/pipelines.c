/* SPDX-License-Identifier: MIT */
/* Pipelines of all kinds. Modules, layouts and libraries that they are made of are gone when they are there. */
#include <stdlib.h>
#include <string.h>

#include "chaos/objects.h"
#include "chaos/placed.h"

/* ---- What it is ---- */

enum look { LOOK_USUAL, LOOK_FETCH, LOOK_QUERY, LOOKS };

static enum look look_of(const struct program_shader *shader)
{
    return shader->operation == LOOKUP_FETCH       ? LOOK_FETCH
           : shader->operation == LOOKUP_QUERY_LOD ? LOOK_QUERY
                                                   : LOOK_USUAL;
}

/* By dice of its own: what came before does what it did. */
static enum look choose_look(const struct device *device, bool compute, struct dice aside)
{
    const bool has[LOOKS] = {true, device->fetches, device->queries && !compute};
    const enum look look = (enum look)dice_below(&aside, LOOKS);
    return has[look] && dice_one_in(&aside, 2) ? look : LOOK_USUAL;
}

static void find_shader(const struct device *device, struct program *program, const struct key keys[2], bool compute,
                        const struct dice *dice)
{
    const enum look look = choose_look(device, compute, dice_of(~dice->state));
    *program = (struct program){.keys = {keys[0], keys[1]}};
    for (unsigned i = 0; i < program_shader_count; i++) {
        const struct program_shader *shader = &program_shaders[i];
        if (shader->shapes[0] == keys[0].shape && shader->shapes[1] == keys[1].shape &&
            shader->dynamic == device->dynamic && shader->compute == compute && look_of(shader) == look)
            program->shader = (uint8_t)i;
    }
}

/* Keys for both sets, of which one may have nothing, and a shader for them. */
static void choose_program(const struct device *device, struct program *program, struct dice *dice)
{
    static const struct key none = {0};
    const unsigned left_out = dice_below(dice, 6);
    struct key keys[2];
    for (unsigned i = 0; i < 2; i++)
        keys[i] = left_out == i ? none : object_choose_key(device, i, dice);
    const bool compute = dice_one_in(dice, 2);
    find_shader(device, program, keys, compute, dice);
}

/* Where descriptors come from, in the forms that create-infos take it. It must not move. */
struct form {
    VkPipelineCreateFlags flags;
    VkShaderCreateFlagsEXT object_flags;
    const void *chain, *stage_chain;
    VkPipelineCreateFlags2CreateInfoKHR second;
    VkShaderDescriptorSetAndBindingMappingInfoEXT info;
    VkDescriptorSetAndBindingMappingEXT mappings[PLACED_MAPPINGS];
};

static void fill_form(const struct device *device, const struct program *program, struct form *form)
{
    *form = (struct form){.flags = program->keys[0].flavour == FLAVOUR_BUFFER
                                       ? (VkFlags)VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT
                                       : 0};
    if (program->keys[0].flavour != FLAVOUR_HEAP)
        return;
    form->second =
        (VkPipelineCreateFlags2CreateInfoKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                              .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    form->info = (VkShaderDescriptorSetAndBindingMappingInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = placed_mappings(device, program->keys, form->mappings),
        .pMappings = form->mappings};
    form->chain = &form->second;
    form->stage_chain = &form->info;
    form->object_flags = VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT;
}

static VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module, const void *chain)
{
    return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                             .pNext = chain,
                                             .stage = stage,
                                             .module = module,
                                             .pName = "main"};
}

/* ---- Compute ---- */

static void make_compute(struct device *device, struct pipeline *pipeline, const struct form *form,
                         VkPipelineLayout layout)
{
    const struct harness_spirv code = program_shaders[pipeline->program.shader].code;
    const VkShaderModule module = harness_module(&device->vk, code);
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .pNext = form->chain,
                                              .flags = form->flags,
                                              .stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, module, form->stage_chain),
                                              .layout = layout};
    HARNESS_VK(vkCreateComputePipelines(device->vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline->handle));
    vkDestroyShaderModule(device->vk.device, module, NULL);
}

/* ---- Shader objects ---- */

static VkShaderCreateInfoEXT object_info(const struct form *form, VkShaderStageFlagBits stage,
                                         const VkDescriptorSetLayout layouts[3], const VkPushConstantRange *push,
                                         struct harness_spirv code)
{
    const bool sets = !form->object_flags;
    return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .pNext = form->stage_chain,
                                   .flags = form->object_flags,
                                   .stage = stage,
                                   .nextStage = stage == VK_SHADER_STAGE_VERTEX_BIT ? VK_SHADER_STAGE_FRAGMENT_BIT : 0,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = code.bytes,
                                   .pCode = code.words,
                                   .pName = "main",
                                   .setLayoutCount = sets ? 3 : 0,
                                   .pSetLayouts = sets ? layouts : NULL,
                                   .pushConstantRangeCount = sets ? 1 : 0,
                                   .pPushConstantRanges = sets ? push : NULL};
}

static const VkPushConstantRange object_push = {VK_SHADER_STAGE_ALL, 0, sizeof(struct pushed)};

/* Layouts of a device; the caller destroys the last two. */
static void object_layouts(struct device *device, const struct pipeline *pipeline, const struct form *form,
                           VkDescriptorSetLayout layouts[3])
{
    layouts[0] = object_results_layout(device, pipeline->program.keys);
    for (unsigned i = 0; i < 2; i++)
        layouts[i + 1] = form->object_flags ? VK_NULL_HANDLE : object_new_layout(device, pipeline->program.keys[i]);
}

static void destroy_layouts(const struct device *device, const VkDescriptorSetLayout layouts[3])
{
    for (unsigned i = 0; i < 2; i++)
        vkDestroyDescriptorSetLayout(device->vk.device, layouts[i + 1], NULL);
}

/* Of compute, or of vertices and fragments: how many. */
static unsigned object_infos(const struct pipeline *pipeline, const struct form *form,
                             const VkDescriptorSetLayout layouts[3], bool linked, VkShaderCreateInfoEXT infos[2])
{
    const struct program_shader *shader = &program_shaders[pipeline->program.shader];
    if (shader->compute) {
        infos[0] = object_info(form, VK_SHADER_STAGE_COMPUTE_BIT, layouts, &object_push, shader->code);
        return 1;
    }
    infos[0] = object_info(form, VK_SHADER_STAGE_VERTEX_BIT, layouts, &object_push, harness_covering_triangle());
    infos[1] = object_info(form, VK_SHADER_STAGE_FRAGMENT_BIT, layouts, &object_push, shader->code);
    for (unsigned i = 0; i < 2; i++)
        infos[i].flags |= linked ? (VkFlags)VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0;
    return 2;
}

/* By one call, linked or not, or by two. */
static void make_objects(struct device *device, struct pipeline *pipeline, const struct form *form, struct dice *dice)
{
    const bool compute = program_shaders[pipeline->program.shader].compute, apart = !compute && dice_one_in(dice, 3),
               linked = !compute && !apart && dice_one_in(dice, 2);
    const PFN_vkCreateShadersEXT create = HARNESS_PROC(&device->vk, vkCreateShadersEXT);
    VkDescriptorSetLayout layouts[3];
    VkShaderCreateInfoEXT infos[2];
    object_layouts(device, pipeline, form, layouts);
    const unsigned count = object_infos(pipeline, form, layouts, linked, infos);
    for (unsigned i = 0; i < count; i += apart ? 1 : count)
        HARNESS_VK(create(device->vk.device, apart ? 1 : count, &infos[i], NULL, &pipeline->shaders[i]));
    destroy_layouts(device, layouts);
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

/* `chain` NULL: for the device's render pass. */
static VkGraphicsPipelineCreateInfo whole_info(const struct device *device, const struct state *state,
                                               const VkPipelineShaderStageCreateInfo stages[2], const void *chain,
                                               bool rendering, VkPipelineLayout layout)
{
    return (VkGraphicsPipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                          .pNext = chain,
                                          .stageCount = 2,
                                          .pStages = stages,
                                          .pVertexInputState = &state->input,
                                          .pInputAssemblyState = &state->assembly,
                                          .pViewportState = &state->viewports,
                                          .pRasterizationState = &state->raster,
                                          .pMultisampleState = &state->samples,
                                          .pColorBlendState = &state->blend,
                                          .layout = layout,
                                          .renderPass = rendering ? VK_NULL_HANDLE : device->pass};
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
            .pNext = (void *)(uintptr_t)whole->pNext,
            .flags = i ? (VkFlags)VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                             (VkFlags)VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
                       : (VkFlags)VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                             (VkFlags)VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT};
        VkGraphicsPipelineCreateInfo info = *whole;
        info.pNext = &part;
        info.flags = whole->flags | (VkFlags)VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
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
        .flags = whole->flags | (optimised ? (VkFlags)VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0),
        .layout = whole->layout};
    HARNESS_VK(vkCreateGraphicsPipelines(device->vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline->handle));
    for (unsigned i = 0; i < 2; i++) {
        if (device->keep_libraries)
            pipeline->libraries[i] = libraries[i];
        else
            vkDestroyPipeline(device->vk.device, libraries[i], NULL);
    }
}

static void make_graphics(struct device *device, struct pipeline *pipeline, const struct form *form,
                          VkPipelineLayout layout, struct dice *dice)
{
    static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .pNext = form->chain,
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &format};
    const VkShaderModule modules[2] = {harness_module(&device->vk, harness_covering_triangle()),
                                       harness_module(&device->vk, program_shaders[pipeline->program.shader].code)};
    const VkPipelineShaderStageCreateInfo stages[2] = {
        stage_of(VK_SHADER_STAGE_VERTEX_BIT, modules[0], NULL),
        stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, modules[1], form->stage_chain)};
    struct state state;
    fill_state(&state);
    VkGraphicsPipelineCreateInfo info =
        whole_info(device, &state, stages, pipeline->rendering ? &rendering : form->chain, pipeline->rendering, layout);
    info.flags = form->flags;
    if (device->libraries && !form->chain && dice_one_in(dice, 2))
        link_graphics(device, pipeline, &info, dice_one_in(dice, 2));
    else
        HARNESS_VK(vkCreateGraphicsPipelines(device->vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline->handle));
    for (unsigned i = 0; i < 2; i++)
        vkDestroyShaderModule(device->vk.device, modules[i], NULL);
}

/* ---- All of them ---- */

/* What it is, is chosen. */
static void make(struct device *device, struct pipeline *pipeline, struct dice *dice)
{
    const bool compute = program_shaders[pipeline->program.shader].compute;
    struct pipeline_layout layout = {.handle = VK_NULL_HANDLE};
    struct form form;
    fill_form(device, &pipeline->program, &form);
    if (pipeline->object) {
        make_objects(device, pipeline, &form, dice);
        return;
    }
    if (!form.chain)
        object_new_pipeline_layout(device, pipeline->program.keys, &layout);
    if (compute)
        make_compute(device, pipeline, &form, layout.handle);
    else
        make_graphics(device, pipeline, &form, layout.handle, dice);
    if (device->validated)
        pipeline->layout = layout;
    else
        object_destroy_pipeline_layout(device, &layout);
}

/* What came later has chances of its own: lists of before do what they did. */
bool object_make_pipeline(struct device *device, struct pipeline *pipeline, struct dice *dice)
{
    choose_program(device, &pipeline->program, dice);
    const bool compute = program_shaders[pipeline->program.shader].compute;
    struct dice aside = dice_of(dice->state);
    pipeline->object = compute && device->objects && dice_one_in(dice, 2);
    pipeline->rendering = !compute && device->graphics_objects && dice_one_in(&aside, 2);
    pipeline->object |= pipeline->rendering && dice_below(&aside, 4);
    make(device, pipeline, dice);
    return true;
}

void object_make_placed_pipeline(struct device *device, struct pipeline *pipeline, enum flavour flavour,
                                 struct dice *dice)
{
    struct key keys[2];
    const unsigned left_out = dice_below(dice, 6);
    for (unsigned i = 0; i < 2; i++)
        keys[i] =
            left_out == i ? (struct key){.flavour = (uint8_t)flavour} : object_choose_placed_key(i, flavour, dice);
    const bool compute = dice_one_in(dice, 2);
    find_shader(device, &pipeline->program, keys, compute, dice);
    pipeline->rendering = !compute && device->graphics_objects && dice_one_in(dice, 2);
    pipeline->object = device->objects && (compute ? dice_one_in(dice, 2) : pipeline->rendering && dice_below(dice, 4));
    make(device, pipeline, dice);
}

/* ---- Binaries of another device ---- */

/* The binaries of the same shaders, as the peer makes them; the caller frees them. */
static void make_binaries(struct device *peer, const struct pipeline *pipeline, const struct form *form, bool linked,
                          void *data[2], size_t sizes[2])
{
    const PFN_vkGetShaderBinaryDataEXT get = HARNESS_PROC(&peer->vk, vkGetShaderBinaryDataEXT);
    VkDescriptorSetLayout layouts[3];
    VkShaderCreateInfoEXT infos[2];
    VkShaderEXT shaders[2];
    object_layouts(peer, pipeline, form, layouts);
    const unsigned count = object_infos(pipeline, form, layouts, linked, infos);
    HARNESS_VK(HARNESS_PROC(&peer->vk, vkCreateShadersEXT)(peer->vk.device, count, infos, NULL, shaders));
    for (unsigned i = 0; i < count; i++) {
        HARNESS_VK(get(peer->vk.device, shaders[i], &sizes[i], NULL));
        data[i] = harness_alloc(sizes[i], 1);
        HARNESS_VK(get(peer->vk.device, shaders[i], &sizes[i], data[i]));
        HARNESS_PROC(&peer->vk, vkDestroyShaderEXT)(peer->vk.device, shaders[i], NULL);
    }
    destroy_layouts(peer, layouts);
}

void object_make_binary_pipeline(struct actor *actor, struct pipeline *pipeline, struct dice *dice)
{
    struct device *device = actor->device;
    void *data[2] = {NULL, NULL};
    size_t sizes[2];
    VkDescriptorSetLayout layouts[3];
    VkShaderCreateInfoEXT infos[2];
    struct form form;
    choose_program(device, &pipeline->program, dice);
    if (!device->graphics_objects)
        find_shader(device, &pipeline->program, (struct key[2]){pipeline->program.keys[0], pipeline->program.keys[1]},
                    true, dice);
    const bool compute = program_shaders[pipeline->program.shader].compute, linked = !compute && dice_one_in(dice, 2);
    pipeline->object = true;
    pipeline->rendering = !compute;
    fill_form(device, &pipeline->program, &form);
    make_binaries(device->peer, pipeline, &form, linked, data, sizes);
    object_layouts(device, pipeline, &form, layouts);
    const unsigned count = object_infos(pipeline, &form, layouts, linked, infos);
    for (unsigned i = 0; i < count; i++) {
        infos[i].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
        infos[i].codeSize = sizes[i];
        infos[i].pCode = data[i];
    }
    const VkResult result =
        HARNESS_PROC(&device->vk, vkCreateShadersEXT)(device->vk.device, count, infos, NULL, pipeline->shaders);
    if (result != VK_SUCCESS)
        chaos_fail(actor, "binaries of a device with the same shaderBinaryUUID are refused: %d", result);
    actor->binaries += count;
    destroy_layouts(device, layouts);
    for (unsigned i = 0; i < count; i++)
        free(data[i]);
}

/* ---- Flags of creation ---- */

enum { CALL_MOST = 3 };

/* Pipelines of one call: the same program with other flags, in one form or the other. It must not move. */
struct flagged {
    unsigned count;
    VkFlags flags[CALL_MOST];
    int32_t base[CALL_MOST]; /* of derivatives; -1: none */
    VkPipelineCreateFlags2CreateInfoKHR wide[CALL_MOST];
    VkPipeline made[CALL_MOST];
    VkResult result;
};

/* Derivatives are of those that are compiled whatever there is in caches. */
static void choose_flags(const struct device *device, struct flagged *call, struct dice *dice)
{
    *call = (struct flagged){.count = 1 + dice_below(dice, CALL_MOST)};
    for (unsigned i = 0; i < call->count; i++) {
        VkFlags flags = dice_one_in(dice, 2) ? (VkFlags)VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT : 0;
        const unsigned base = dice_below(dice, CALL_MOST);
        call->base[i] = -1;
        if (dice_one_in(dice, 3))
            flags |= VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
        if (dice_one_in(dice, 3))
            flags |= VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
        if (device->statistics && dice_one_in(dice, 3))
            flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
        if (device->statistics && dice_one_in(dice, 3))
            flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
        if (base < i && (call->flags[base] & VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT) &&
            !(call->flags[base] & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT)) {
            flags |= VK_PIPELINE_CREATE_DERIVATIVE_BIT;
            call->base[i] = (int32_t)base;
        }
        call->flags[i] = flags;
        if (device->flags2 && dice_one_in(dice, 2))
            call->wide[i] = (VkPipelineCreateFlags2CreateInfoKHR){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR, .flags = flags};
        memset(&call->made[i], 0x7a, sizeof(call->made[i]));
    }
}

static void call_compute(struct device *device, const struct program *program, VkPipelineLayout layout,
                         struct flagged *call)
{
    const VkShaderModule module = harness_module(&device->vk, program_shaders[program->shader].code);
    VkComputePipelineCreateInfo infos[CALL_MOST];
    for (unsigned i = 0; i < call->count; i++) {
        const bool wide = call->wide[i].sType != 0;
        infos[i] = (VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                                 .pNext = wide ? &call->wide[i] : NULL,
                                                 .flags = wide ? 0 : call->flags[i],
                                                 .stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, module, NULL),
                                                 .layout = layout,
                                                 .basePipelineIndex = call->base[i]};
    }
    call->result = vkCreateComputePipelines(device->vk.device, VK_NULL_HANDLE, call->count, infos, NULL, call->made);
    vkDestroyShaderModule(device->vk.device, module, NULL);
}

static void call_graphics(struct device *device, const struct pipeline *pipeline, VkPipelineLayout layout,
                          struct flagged *call)
{
    static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    VkPipelineRenderingCreateInfo rendering[CALL_MOST];
    VkGraphicsPipelineCreateInfo infos[CALL_MOST];
    struct state state;
    const VkShaderModule modules[2] = {harness_module(&device->vk, harness_covering_triangle()),
                                       harness_module(&device->vk, program_shaders[pipeline->program.shader].code)};
    const VkPipelineShaderStageCreateInfo stages[2] = {stage_of(VK_SHADER_STAGE_VERTEX_BIT, modules[0], NULL),
                                                       stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, modules[1], NULL)};
    fill_state(&state);
    for (unsigned i = 0; i < call->count; i++) {
        const bool wide = call->wide[i].sType != 0;
        const void *chain = wide ? &call->wide[i] : NULL;
        rendering[i] = (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                       .pNext = chain,
                                                       .colorAttachmentCount = 1,
                                                       .pColorAttachmentFormats = &format};
        infos[i] = whole_info(device, &state, stages, pipeline->rendering ? &rendering[i] : chain, pipeline->rendering,
                              layout);
        infos[i].flags = wide ? 0 : call->flags[i];
        infos[i].basePipelineIndex = call->base[i];
    }
    call->result = vkCreateGraphicsPipelines(device->vk.device, VK_NULL_HANDLE, call->count, infos, NULL, call->made);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyShaderModule(device->vk.device, modules[i], NULL);
}

/* Which pipelines there may be, and must be, by their flags. */
static void expect_call(struct actor *actor, const struct flagged *call)
{
    bool ended = false, lacks = false;
    for (unsigned i = 0; i < call->count; i++) {
        const bool there = call->made[i] != VK_NULL_HANDLE;
        const bool may_lack = call->flags[i] & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
        if (ended == there && (ended || !may_lack))
            chaos_fail(actor, "pipeline %u of %u with flags %x is%s made", i, call->count, call->flags[i],
                       there ? "" : " not");
        lacks |= !there;
        ended |= !there && (call->flags[i] & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT);
        actor->compile_required += !there;
    }
    if (call->result != (lacks ? VK_PIPELINE_COMPILE_REQUIRED : VK_SUCCESS))
        chaos_fail(actor, "a call of %u pipelines, of which some are%s there, returns %d", call->count,
                   lacks ? " not" : "", call->result);
}

void object_make_flagged_pipeline(struct actor *actor, struct pipeline *pipeline, struct dice *dice)
{
    struct device *device = actor->device;
    struct pipeline_layout layout = {.handle = VK_NULL_HANDLE};
    struct flagged call;
    choose_program(device, &pipeline->program, dice);
    const bool compute = program_shaders[pipeline->program.shader].compute;
    pipeline->object = false;
    pipeline->rendering = !compute && device->graphics_objects && dice_one_in(dice, 2);
    choose_flags(device, &call, dice);
    object_new_pipeline_layout(device, pipeline->program.keys, &layout);
    if (compute)
        call_compute(device, &pipeline->program, layout.handle, &call);
    else
        call_graphics(device, pipeline, layout.handle, &call);
    expect_call(actor, &call);
    pipeline->handle = VK_NULL_HANDLE;
    for (unsigned i = 0; i < call.count; i++) {
        if (!call.made[i])
            continue;
        vkDestroyPipeline(device->vk.device, pipeline->handle, NULL);
        pipeline->handle = call.made[i];
    }
    if (!pipeline->handle) { /* nobody had compiled it */
        object_destroy_pipeline_layout(device, &layout);
        make(device, pipeline, dice);
    } else if (device->validated) {
        pipeline->layout = layout;
    } else {
        object_destroy_pipeline_layout(device, &layout);
    }
}

void object_destroy_pipeline(struct device *device, struct pipeline *pipeline)
{
    for (unsigned i = 0; i < 2 && pipeline->object; i++)
        HARNESS_PROC(&device->vk, vkDestroyShaderEXT)(device->vk.device, pipeline->shaders[i], NULL);
    vkDestroyPipeline(device->vk.device, pipeline->handle, NULL);
    object_destroy_pipeline_layout(device, &pipeline->layout);
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyPipeline(device->vk.device, pipeline->libraries[i], NULL);
        pipeline->libraries[i] = VK_NULL_HANDLE;
        pipeline->shaders[i] = VK_NULL_HANDLE;
    }
    pipeline->handle = VK_NULL_HANDLE;
}
