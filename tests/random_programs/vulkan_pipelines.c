/* SPDX-License-Identifier: MIT */
/* Pipelines and shader objects, made when a draw first needs them and kept as long as their layout. */
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "vulkan_voice.h"

static const VkFormat result_format = VK_FORMAT_R32G32B32A32_UINT;

VkRenderPass voice_render_pass(struct voice_device *d, const VkFormat *formats, uint32_t count)
{
    for (const struct voice_pass *p = d->passes; p; p = p->next)
        if (p->count == count && memcmp(p->formats, formats, count * sizeof(*formats)) == 0)
            return p->pass;
    struct voice_pass *made = harness_alloc(1, sizeof(*made));
    VkAttachmentDescription attachments[ATTACHMENTS];
    VkAttachmentReference references[ATTACHMENTS];
    for (uint32_t i = 0; i < count; i++) {
        made->formats[i] = formats[i];
        attachments[i] = harness_attachment(formats[i], VK_ATTACHMENT_LOAD_OP_LOAD);
        references[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_GENERAL};
    }
    const VkSubpassDescription subpass = {.colorAttachmentCount = count, .pColorAttachments = references};
    made->count = count;
    made->pass = harness_pass(&d->vk, attachments, count, &subpass, 1);
    made->next = d->passes;
    d->passes = made;
    return made->pass;
}

static const VkShaderStageFlagBits stages[RANDOM_STAGES] = {
    VK_SHADER_STAGE_FRAGMENT_BIT,
    VK_SHADER_STAGE_VERTEX_BIT,
    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
    VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
    VK_SHADER_STAGE_GEOMETRY_BIT,
    VK_SHADER_STAGE_COMPUTE_BIT,
};

static void drop_code(struct harness_spirv code, const struct random_shader *shader)
{
    if (code.words != shader->words)
        free((void *)(uintptr_t)code.words);
}

/* What shaders' bindings are mapped to, in heaps. */
static const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping_of(const struct voice_device *d,
                                                                       const struct voice_layout *layout)
{
    return d->vk.sets == HARNESS_SETS_HEAP ? &layout->mapping : NULL;
}

/* Every stage of a draw with that shader: how many. Vertex first, fragment second, as the harness links them. */
static uint32_t shaders_of(const struct random_shader *shader, const struct random_shader *all[5])
{
    const bool paints = shader >= random_helpers && shader < random_helpers + RANDOM_HELPERS;
    uint32_t count = 2;
    if (shader->stage == STAGE_FRAG) {
        all[0] = &random_helpers[HELPER_FULL_VERT];
        all[1] = shader;
        return count;
    }
    (void)paints;
    all[0] = shader->stage == STAGE_VERT ? shader : &random_helpers[HELPER_PASS_VERT];
    all[1] = &random_helpers[HELPER_FLAT_FRAG];
    if (shader->stage != STAGE_VERT)
        all[count++] = shader;
    if (shader->stage == STAGE_TESC)
        all[count++] = &random_helpers[HELPER_TESE_OF_TESC];
    if (shader->stage == STAGE_TESE)
        all[count++] = &random_helpers[HELPER_PASS_TESC];
    return count;
}

static void make_graphics(struct voice_device *d, struct voice_pipeline *p, const struct random_shader *shader,
                          bool dynamic_blend)
{
    const struct random_shader *all[5];
    const uint32_t count = shaders_of(shader, all);
    const bool patches = shader->stage == STAGE_TESC || shader->stage == STAGE_TESE;
    VkPipelineShaderStageCreateInfo infos[5];
    VkShaderModule modules[5];
    for (uint32_t i = 0; i < count; i++) {
        const struct harness_spirv code = voice_code(d, all[i]);
        modules[i] = harness_module(&d->vk, code);
        drop_code(code, all[i]);
        infos[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .pNext = mapping_of(d, p->layout),
                                                     .stage = stages[all[i]->stage],
                                                     .module = modules[i],
                                                     .pName = "main"};
    }
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .colorAttachmentCount = p->count,
                                                     .pColorAttachmentFormats = p->formats};
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = patches                       ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                    : shader->stage == STAGE_FRAG ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                                  : VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    const VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 1};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {.sType =
                                                              VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                          .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                       .attachmentCount = p->count,
                                                       .pAttachments = p->blend};
    static const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT,
                                            VK_DYNAMIC_STATE_SCISSOR,
                                            VK_DYNAMIC_STATE_BLEND_CONSTANTS,
                                            VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                            VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                                            VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = dynamic_blend ? 6 : 3,
                                                      .pDynamicStates = states};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = p->pass ? NULL : &rendering,
        .flags = d->opened.binding == BINDING_BUFFER ? (VkFlags)VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0,
        .stageCount = count,
        .pStages = infos,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pTessellationState = patches ? &tessellation : NULL,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamic,
        .layout = p->layout->pipeline_layout,
        .renderPass = p->pass};
    if (count == 2 && voice_may_link(d)) /* libraries of the harness have no other stages */
        p->pipeline = harness_pipeline_of(&d->vk, &info, VK_NULL_HANDLE);
    else
        p->pipeline = harness_whole_pipeline(&d->vk, &info, VK_NULL_HANDLE);
    for (uint32_t i = 0; i < count; i++)
        vkDestroyShaderModule(d->vk.device, modules[i], NULL);
}

static void make_compute(struct voice_device *d, struct voice_pipeline *p, const struct random_shader *shader)
{
    const struct harness_spirv code = voice_code(d, shader);
    p->pipeline = voice_in_heaps(d) ? harness_compute_pipeline_mapped(&d->vk, code, mapping_of(d, p->layout), NULL)
                                    : harness_compute_pipeline(&d->vk, code, p->layout->pipeline_layout);
    drop_code(code, shader);
}

static void make_objects(struct voice_device *d, struct voice_pipeline *p, const struct random_shader *shader)
{
    const struct random_shader *all[5];
    const VkDescriptorSetLayout sets[] = {p->layout->set_layout, p->layout->second};
    struct harness_objects_params params = {.set_layouts = sets,
                                            .set_layout_count = voice_in_heaps(d)   ? 0
                                                                : p->layout->second ? 2
                                                                                    : 1,
                                            .push_bytes = voice_in_heaps(d) ? 0 : sizeof(struct voice_constants),
                                            .mapping = mapping_of(d, p->layout),
                                            .topology = shader->stage == STAGE_FRAG
                                                            ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                                            : VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                            .linked = shader->function % 2 == 0};
    if (shader->stage == STAGE_COMP) {
        params.compute = voice_code(d, shader);
    } else {
        shaders_of(shader, all);
        params.vertex = voice_code(d, all[0]);
        params.fragment = voice_code(d, all[1]);
    }
    harness_objects_create(&d->vk, &p->shaders, &params);
    if (shader->stage == STAGE_COMP) {
        drop_code(params.compute, shader);
    } else {
        drop_code(params.vertex, all[0]);
        drop_code(params.fragment, all[1]);
    }
}

/* The same pipeline, or a new one that is not made yet. */
static struct voice_pipeline *find(struct voice_device *d, const struct voice_pipeline *key, bool *made)
{
    for (struct voice_pipeline *p = d->pipelines; p; p = p->next)
        if (p->words == key->words && p->layout == key->layout && p->count == key->count && p->pass == key->pass &&
            memcmp(p->formats, key->formats, sizeof(p->formats)) == 0 &&
            memcmp(p->blend, key->blend, sizeof(p->blend)) == 0) {
            *made = false;
            return p;
        }
    struct voice_pipeline *p = harness_alloc(1, sizeof(*p));
    *p = *key;
    p->next = d->pipelines;
    d->pipelines = p;
    *made = true;
    return p;
}

/* Stages of a pipeline that was bound before: those that the device has are unbound. */
static void bind_no_others(struct voice_device *d)
{
    static const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_GEOMETRY_BIT,
                                                   VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                   VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT};
    static const VkShaderEXT none[3];
    if (random_drawable.stage[STAGE_GEOM])
        HARNESS_PROC(&d->vk, vkCmdBindShadersEXT)(d->commands, 1, stages, none);
    if (random_drawable.stage[STAGE_TESC])
        HARNESS_PROC(&d->vk, vkCmdBindShadersEXT)(d->commands, 2, stages + 1, none);
}

void voice_use(struct voice_device *d, const struct random_shader *shader, const struct voice_layout *layout)
{
    const bool compute = shader->stage == STAGE_COMP;
    const bool objects = d->opened.pipelines == PIPELINES_OBJECTS && !d->manner.render_pass &&
                         (compute || shader->stage == STAGE_FRAG || shader->stage == STAGE_VERT);
    struct voice_pipeline key;
    bool made;
    memset(&key, 0, sizeof(key));
    key.words = shader->words;
    key.layout = layout;
    key.objects = objects;
    key.compute = compute;
    if (!compute) {
        key.formats[0] = result_format;
        key.count = 1;
        key.blend[0].colorWriteMask = 15;
        key.pass = d->manner.render_pass ? voice_render_pass(d, &result_format, 1) : VK_NULL_HANDLE;
    }
    struct voice_pipeline *p = find(d, &key, &made);
    voice_counts.rebound += p == d->used && d->rebound && !d->native;
    d->used = p;
    if (made && objects)
        make_objects(d, p, shader);
    else if (made && compute)
        make_compute(d, p, shader);
    else if (made)
        make_graphics(d, p, shader, false);
    d->objects_bound = objects;
    if (objects) {
        const struct harness_target size = {.width = SIDE, .height = SIDE};
        harness_objects_bind(&d->vk, &p->shaders, &size, d->commands);
        if (!compute)
            bind_no_others(d);
    } else {
        vkCmdBindPipeline(d->commands, compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS,
                          p->pipeline);
    }
}

static VkBlendFactor factor_of(uint32_t factor)
{
    switch (factor) {
    case GL_ONE:
        return VK_BLEND_FACTOR_ONE;
    case GL_SRC_COLOR:
        return VK_BLEND_FACTOR_SRC_COLOR;
    case GL_ONE_MINUS_SRC_COLOR:
        return VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR;
    case GL_DST_COLOR:
        return VK_BLEND_FACTOR_DST_COLOR;
    case GL_ONE_MINUS_DST_COLOR:
        return VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR;
    case GL_SRC_ALPHA:
        return VK_BLEND_FACTOR_SRC_ALPHA;
    case GL_ONE_MINUS_SRC_ALPHA:
        return VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    case GL_DST_ALPHA:
        return VK_BLEND_FACTOR_DST_ALPHA;
    case GL_ONE_MINUS_DST_ALPHA:
        return VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA;
    case GL_CONSTANT_COLOR:
        return VK_BLEND_FACTOR_CONSTANT_COLOR;
    case GL_ONE_MINUS_CONSTANT_COLOR:
        return VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR;
    case GL_CONSTANT_ALPHA:
        return VK_BLEND_FACTOR_CONSTANT_ALPHA;
    case GL_ONE_MINUS_CONSTANT_ALPHA:
        return VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA;
    case GL_SRC_ALPHA_SATURATE:
        return VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
    default:
        return VK_BLEND_FACTOR_ZERO;
    }
}

static VkBlendOp equation_of(uint32_t equation)
{
    switch (equation) {
    case GL_FUNC_SUBTRACT:
        return VK_BLEND_OP_SUBTRACT;
    case GL_FUNC_REVERSE_SUBTRACT:
        return VK_BLEND_OP_REVERSE_SUBTRACT;
    case GL_MIN:
        return VK_BLEND_OP_MIN;
    case GL_MAX:
        return VK_BLEND_OP_MAX;
    default:
        return VK_BLEND_OP_ADD;
    }
}

static VkPipelineColorBlendAttachmentState blend_of(const struct blend_state *b, enum sample_type type)
{
    return (VkPipelineColorBlendAttachmentState){.blendEnable = b->on && type == SAMPLE_FLOAT,
                                                 .srcColorBlendFactor = factor_of(b->source),
                                                 .dstColorBlendFactor = factor_of(b->destination),
                                                 .colorBlendOp = equation_of(b->equation),
                                                 .srcAlphaBlendFactor = factor_of(b->source_alpha),
                                                 .dstAlphaBlendFactor = factor_of(b->destination_alpha),
                                                 .alphaBlendOp = equation_of(b->equation_alpha),
                                                 .colorWriteMask = b->mask & 15};
}

static void set_dynamic(struct voice_device *d, const VkPipelineColorBlendAttachmentState *blend, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const VkColorBlendEquationEXT equation = {blend[i].srcColorBlendFactor, blend[i].dstColorBlendFactor,
                                                  blend[i].colorBlendOp,        blend[i].srcAlphaBlendFactor,
                                                  blend[i].dstAlphaBlendFactor, blend[i].alphaBlendOp};
        HARNESS_PROC(&d->vk, vkCmdSetColorBlendEnableEXT)(d->commands, i, 1, &blend[i].blendEnable);
        HARNESS_PROC(&d->vk, vkCmdSetColorBlendEquationEXT)(d->commands, i, 1, &equation);
        HARNESS_PROC(&d->vk, vkCmdSetColorWriteMaskEXT)(d->commands, i, 1, &blend[i].colorWriteMask);
    }
}

void voice_use_painter(struct voice_device *d, bool looks, bool apart, const struct voice_layout *layout)
{
    static const enum random_helper painters[] = {HELPER_PAINT_FLOAT, HELPER_PAINT_INT, HELPER_PAINT_UINT};
    const struct machine *m = &d->machine;
    const enum sample_type type = m->textures[m->attachments[0].texture].format->sample;
    const struct random_shader *shader =
        &random_helpers[looks ? (apart ? HELPER_PAINT_LOOKUP_SEPARATE : HELPER_PAINT_LOOKUP) : painters[type]];
    const bool dynamic = d->opened.pipelines == PIPELINES_DYNAMIC;
    VkPipelineColorBlendAttachmentState blend[ATTACHMENTS];
    struct voice_pipeline key;
    bool made;
    memset(&key, 0, sizeof(key));
    key.words = shader->words;
    key.layout = layout;
    key.count = (uint32_t)m->attachment_count;
    for (uint32_t i = 0; i < key.count; i++) {
        key.formats[i] = m->textures[m->attachments[i].texture].format->vulkan;
        const struct blend_state own = machine_blend(m, (int)i);
        blend[i] = blend_of(&own, type);
        if (!dynamic)
            key.blend[i] = blend[i];
    }
    key.pass = d->manner.render_pass ? voice_render_pass(d, key.formats, key.count) : VK_NULL_HANDLE;
    struct voice_pipeline *p = find(d, &key, &made);
    if (made)
        make_graphics(d, p, shader, dynamic);
    vkCmdBindPipeline(d->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p->pipeline);
    d->objects_bound = false;
    if (dynamic)
        set_dynamic(d, blend, key.count);
}

static void destroy(struct voice_device *d, struct voice_pipeline *p)
{
    if (p->objects)
        harness_objects_destroy(&d->vk, &p->shaders);
    else
        harness_graphics_pipeline_destroy(&d->vk, p->pipeline);
    free(p);
}

void voice_pipelines_end(struct voice_device *d)
{
    for (struct voice_pipeline **place = &d->pipelines; *place;) {
        struct voice_pipeline *p = *place;
        if (!p->layout->immutable) {
            place = &p->next;
            continue;
        }
        *place = p->next;
        destroy(d, p);
    }
    voice_sets_begin(d);
}

void voice_pipelines_close(struct voice_device *d)
{
    voice_pipelines_end(d);
    while (d->pipelines) {
        struct voice_pipeline *next = d->pipelines->next;
        destroy(d, d->pipelines);
        d->pipelines = next;
    }
    while (d->passes) {
        struct voice_pass *next = d->passes->next;
        vkDestroyRenderPass(d->vk.device, d->passes->pass, NULL);
        free(d->passes);
        d->passes = next;
    }
    voice_sets_close(d);
}
