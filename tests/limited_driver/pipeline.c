/* SPDX-License-Identifier: MIT */
/* Render passes, graphics pipelines, dynamic blend state, blits. */
#include <stdlib.h>
#include <string.h>

#include "layer.h"

/* ---- Render passes: the formats that blending meets ---- */

static void remember_pass(struct device *device, VkRenderPass pass, uint32_t count, struct subpass *subpasses)
{
    bool known = false;
    pthread_mutex_lock(&device->lock);
    struct object *object = object_add(&device->objects, VK_OBJECT_TYPE_RENDER_PASS, HANDLE(pass), &known);
    if (object && !known)
        object->render_pass = (struct render_pass){count, subpasses};
    else
        free(subpasses);
    pthread_mutex_unlock(&device->lock);
}

#define HOOK_CREATE_RENDER_PASS(VERSION)                                                                               \
    VKAPI_ATTR VkResult hook_CreateRenderPass##VERSION(VkDevice handle, const VkRenderPassCreateInfo##VERSION *info,   \
                                                       const VkAllocationCallbacks *allocator, VkRenderPass *result)   \
    {                                                                                                                  \
        struct device *device = device_of(handle);                                                                     \
        VkResult created = device->next.CreateRenderPass##VERSION(handle, info, allocator, result);                    \
        struct subpass *subpasses = created == VK_SUCCESS ? calloc(info->subpassCount, sizeof(*subpasses)) : NULL;     \
        if (!subpasses)                                                                                                \
            return created;                                                                                            \
        for (uint32_t s = 0; s < info->subpassCount; s++) {                                                            \
            const VkSubpassDescription##VERSION *from = &info->pSubpasses[s];                                          \
            for (uint32_t i = 0; i < from->colorAttachmentCount && i < RENDER_PASS_ATTACHMENTS; i++) {                 \
                uint32_t attachment = from->pColorAttachments[i].attachment;                                           \
                if (attachment != VK_ATTACHMENT_UNUSED)                                                                \
                    subpasses[s].formats[i] = info->pAttachments[attachment].format;                                   \
                subpasses[s].count = i + 1;                                                                            \
            }                                                                                                          \
        }                                                                                                              \
        remember_pass(device, *result, info->subpassCount, subpasses);                                                 \
        return created;                                                                                                \
    }
HOOK_CREATE_RENDER_PASS()
HOOK_CREATE_RENDER_PASS(2)

VKAPI_ATTR void hook_DestroyRenderPass(VkDevice handle, VkRenderPass pass, const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    object_remove(&device->objects, VK_OBJECT_TYPE_RENDER_PASS, HANDLE(pass));
    pthread_mutex_unlock(&device->lock);
    device->next.DestroyRenderPass(handle, pass, allocator);
}

/* ---- Layouts of pipelines ---- */

static void judge_immutable(struct device *device, VkSampler sampler, uint64_t serial, const char *command)
{
    const struct object *object = object_find(&device->objects, VK_OBJECT_TYPE_SAMPLER, HANDLE(sampler));
    if (!object || object->serial != serial)
        violation(device->instance, LIMITED_DRIVER_OBJECT, "VkSampler", command, "immutable in the pipeline's layout");
    else if (object->sampler.conversion && !object_find(&device->objects, VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION,
                                                        HANDLE(object->sampler.conversion)))
        violation(device->instance, LIMITED_DRIVER_OBJECT, "VkSamplerYcbcrConversion", command,
                  "of an immutable sampler in the pipeline's layout");
}

/* Drivers look at immutable samplers when they compile. */
static void judge_layout(struct device *device, VkPipelineLayout layout, const char *command)
{
    const struct object *object = object_find(&device->objects, VK_OBJECT_TYPE_PIPELINE_LAYOUT, HANDLE(layout));
    for (uint32_t i = 0; object && i < object->pipeline_layout.set_count; i++) {
        const struct set_layout *set = object->pipeline_layout.sets[i];
        for (uint32_t b = 0; set && b < set->binding_count; b++)
            for (uint32_t e = 0; set->bindings[b].immutable && e < set->bindings[b].count; e++)
                judge_immutable(device, set->bindings[b].immutable[e], set->bindings[b].serials[e], command);
    }
}

/* ---- Graphics pipelines ---- */

static const char *const create_command = "vkCreateGraphicsPipelines";

static bool is_dynamic(const VkGraphicsPipelineCreateInfo *info, VkDynamicState state)
{
    for (uint32_t i = 0; info->pDynamicState && i < info->pDynamicState->dynamicStateCount; i++)
        if (info->pDynamicState->pDynamicStates[i] == state)
            return true;
    return false;
}

/* Whether a pipeline or library defines a part of the state; what it does not define must not be looked at. */
static bool defines(const VkGraphicsPipelineCreateInfo *info, VkGraphicsPipelineLibraryFlagsEXT part)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT *library =
        chained(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    const VkPipelineLibraryCreateInfoKHR *linked =
        chained(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    if (library)
        return (library->flags & part) != 0;
    return !linked || linked->libraryCount == 0;
}

static bool rasterizes(const VkGraphicsPipelineCreateInfo *info)
{
    if (is_dynamic(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE) ||
        !defines(info, VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT))
        return true;
    return info->pRasterizationState && !info->pRasterizationState->rasterizerDiscardEnable;
}

/* The formats of the colour attachments of what defines its outputs; none if they are unknown. */
static struct subpass attachments_of(struct device *device, const VkGraphicsPipelineCreateInfo *info)
{
    struct subpass subpass = {0};
    const struct object *pass = object_find(&device->objects, VK_OBJECT_TYPE_RENDER_PASS, HANDLE(info->renderPass));
    const VkPipelineRenderingCreateInfo *rendering =
        chained(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    if (pass && info->subpass < pass->render_pass.subpass_count) {
        subpass = pass->render_pass.subpasses[info->subpass];
    } else if (!info->renderPass && rendering) {
        for (uint32_t i = 0; i < rendering->colorAttachmentCount && i < RENDER_PASS_ATTACHMENTS; i++)
            subpass.formats[subpass.count++] = rendering->pColorAttachmentFormats[i];
    }
    return subpass;
}

static bool is_second_source(VkBlendFactor factor)
{
    return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

static void judge_attachment(struct device *device, const VkPipelineColorBlendAttachmentState *state, VkFormat format)
{
    if (!state->blendEnable || format == VK_FORMAT_UNDEFINED)
        return;
    use_format(device, format, VK_IMAGE_TILING_OPTIMAL, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT, create_command);
    if (is_second_source(state->srcColorBlendFactor) || is_second_source(state->dstColorBlendFactor) ||
        is_second_source(state->srcAlphaBlendFactor) || is_second_source(state->dstAlphaBlendFactor))
        use_feature(device, ENFORCED_dualSrcBlend, create_command);
}

static void judge_blend(struct device *device, const VkGraphicsPipelineCreateInfo *info)
{
    if (!defines(info, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) || !rasterizes(info))
        return;
    struct subpass subpass = attachments_of(device, info);
    const VkPipelineColorBlendStateCreateInfo *blend = info->pColorBlendState;
    if (subpass.count == 0 || !blend)
        return;
    if (blend->logicOpEnable)
        use_feature(device, ENFORCED_logicOp, create_command);
    if (!blend->pAttachments || is_dynamic(info, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT))
        return;
    bool differ = false;
    for (uint32_t i = 0; i < blend->attachmentCount && i < subpass.count; i++) {
        judge_attachment(device, &blend->pAttachments[i], subpass.formats[i]);
        differ |= memcmp(&blend->pAttachments[i], &blend->pAttachments[0], sizeof(blend->pAttachments[0])) != 0;
    }
    if (differ)
        use_feature(device, ENFORCED_independentBlend, create_command);
}

static void judge_dynamic_state(struct device *device, const VkGraphicsPipelineCreateInfo *info)
{
    static const struct {
        VkDynamicState state;
        enum enforced_feature feature;
    } rows[] = {
        {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, ENFORCED_extendedDynamicState3ColorBlendEnable},
        {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, ENFORCED_extendedDynamicState3ColorBlendEquation},
        {VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT, ENFORCED_extendedDynamicState3ColorBlendAdvanced},
        {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, ENFORCED_extendedDynamicState3ColorWriteMask},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (is_dynamic(info, rows[i].state))
            use_feature(device, rows[i].feature, create_command);
}

/* Without vertex shaders the input is ignored; a library of the input alone is for pipelines that have one. */
static bool reads_vertices(const VkGraphicsPipelineCreateInfo *info)
{
    if (!defines(info, VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT))
        return false;
    bool vertex = !defines(info, VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT);
    for (uint32_t i = 0; !vertex && i < info->stageCount; i++)
        vertex = info->pStages[i].stage == VK_SHADER_STAGE_VERTEX_BIT;
    return vertex;
}

static void judge_vertex_input(struct device *device, const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineVertexInputStateCreateInfo *input = info->pVertexInputState;
    if (!reads_vertices(info) || is_dynamic(info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT) || !input)
        return;
    for (uint32_t i = 0; i < input->vertexAttributeDescriptionCount; i++) {
        VkFormat format = input->pVertexAttributeDescriptions[i].format;
        uint64_t hidden = profile_hidden_format_features(device->profile, format, PROFILE_BUFFER);
        if (hidden & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT)
            violation(device->instance, LIMITED_DRIVER_FORMAT, "VERTEX_BUFFER", create_command, "format %d",
                      (int)format);
    }
}

/* Libraries without shaders have none. */
static bool has_layout(const VkGraphicsPipelineCreateInfo *info)
{
    return !chained(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT) ||
           defines(info, VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
                             VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT);
}

VKAPI_ATTR VkResult hook_CreateGraphicsPipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                 const VkGraphicsPipelineCreateInfo *infos,
                                                 const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    for (uint32_t i = 0; i < count; i++) {
        judge_dynamic_state(device, &infos[i]);
        judge_vertex_input(device, &infos[i]);
        judge_blend(device, &infos[i]);
        if (has_layout(&infos[i]))
            judge_layout(device, infos[i].layout, create_command);
    }
    pthread_mutex_unlock(&device->lock);
    return device->next.CreateGraphicsPipelines(handle, cache, count, infos, allocator, pipelines);
}

VKAPI_ATTR VkResult hook_CreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                const VkComputePipelineCreateInfo *infos,
                                                const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    for (uint32_t i = 0; i < count; i++)
        judge_layout(device, infos[i].layout, "vkCreateComputePipelines");
    pthread_mutex_unlock(&device->lock);
    return device->next.CreateComputePipelines(handle, cache, count, infos, allocator, pipelines);
}

/* ---- Dynamic blend state ---- */

VKAPI_ATTR void hook_CmdSetColorBlendEnableEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                               const VkBool32 *enables)
{
    struct device *device = device_of(commands);
    use_feature(device, ENFORCED_extendedDynamicState3ColorBlendEnable, "vkCmdSetColorBlendEnableEXT");
    device->next.CmdSetColorBlendEnableEXT(commands, first, count, enables);
}

VKAPI_ATTR void hook_CmdSetColorBlendEquationEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                                 const VkColorBlendEquationEXT *equations)
{
    struct device *device = device_of(commands);
    use_feature(device, ENFORCED_extendedDynamicState3ColorBlendEquation, "vkCmdSetColorBlendEquationEXT");
    device->next.CmdSetColorBlendEquationEXT(commands, first, count, equations);
}

VKAPI_ATTR void hook_CmdSetColorBlendAdvancedEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                                 const VkColorBlendAdvancedEXT *equations)
{
    struct device *device = device_of(commands);
    use_feature(device, ENFORCED_extendedDynamicState3ColorBlendAdvanced, "vkCmdSetColorBlendAdvancedEXT");
    device->next.CmdSetColorBlendAdvancedEXT(commands, first, count, equations);
}

VKAPI_ATTR void hook_CmdSetColorWriteMaskEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                             const VkColorComponentFlags *masks)
{
    struct device *device = device_of(commands);
    use_feature(device, ENFORCED_extendedDynamicState3ColorWriteMask, "vkCmdSetColorWriteMaskEXT");
    device->next.CmdSetColorWriteMaskEXT(commands, first, count, masks);
}

/* ---- Blits ---- */

static void judge_blit(struct device *device, VkImage source, VkImage target, VkFilter filter, const char *command)
{
    pthread_mutex_lock(&device->lock);
    const struct object *from = object_find(&device->objects, VK_OBJECT_TYPE_IMAGE, HANDLE(source));
    const struct object *to = object_find(&device->objects, VK_OBJECT_TYPE_IMAGE, HANDLE(target));
    uint64_t needed = VK_FORMAT_FEATURE_BLIT_SRC_BIT;
    if (filter == VK_FILTER_LINEAR)
        needed |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    if (from)
        use_format(device, from->image.format, from->image.tiling, needed, command);
    if (to)
        use_format(device, to->image.format, to->image.tiling, VK_FORMAT_FEATURE_BLIT_DST_BIT, command);
    pthread_mutex_unlock(&device->lock);
}

VKAPI_ATTR void hook_CmdBlitImage(VkCommandBuffer commands, VkImage source, VkImageLayout source_layout, VkImage target,
                                  VkImageLayout target_layout, uint32_t count, const VkImageBlit *regions,
                                  VkFilter filter)
{
    struct device *device = device_of(commands);
    judge_blit(device, source, target, filter, "vkCmdBlitImage");
    device->next.CmdBlitImage(commands, source, source_layout, target, target_layout, count, regions, filter);
}

VKAPI_ATTR void hook_CmdBlitImage2(VkCommandBuffer commands, const VkBlitImageInfo2 *info)
{
    struct device *device = device_of(commands);
    judge_blit(device, info->srcImage, info->dstImage, info->filter, "vkCmdBlitImage2");
    device->next.CmdBlitImage2(commands, info);
}
