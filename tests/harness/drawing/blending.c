/* SPDX-License-Identifier: MIT */
#include "harness/drawing/passes.h"
#include "harness/drawing/blending.h"

#include <string.h>

/* ---- Images ---- */

static void to_general(struct harness_vulkan *vk, const struct harness_image *image)
{
    VkCommandBuffer commands = harness_begin(vk);
    VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &barrier);
    harness_submit(vk, commands);
}

static VkImageViewGLChannelOrderCreateInfoCLAMPLER order_of(VkComponentMapping channels)
{
    return (VkImageViewGLChannelOrderCreateInfoCLAMPLER){
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER, .channels = channels};
}

static bool has_order(const VkImageViewGLChannelOrderCreateInfoCLAMPLER *order)
{
    return order->channels.r || order->channels.g || order->channels.b || order->channels.a; /* IDENTITY is 0 */
}

void blending_image_create(struct harness_vulkan *vk, struct harness_image *image,
                           const struct blending_image_params *params, const void *texels)
{
    const VkImageViewGLChannelOrderCreateInfoCLAMPLER order = order_of(params->channels);
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                         VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                     .pNext = has_order(&order) ? &order : NULL,
                                                     .baseFormat = params->base_format};
    const struct harness_image_params made = {
        .type = params->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
        .format = params->format,
        .width = params->width,
        .height = params->height,
        .layers = params->layers,
        .flags = params->flags,
        .samples = params->samples,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | params->usage,
        .view_next = params->base_format ? &gl : NULL,
    };
    harness_image_create(vk, image, &made, texels);
    image->params.view_next = NULL;
    to_general(vk, image);
}

VkImageView blending_view(struct harness_vulkan *vk, const struct harness_image *image, uint32_t base_format)
{
    return blending_view_in_order(vk, image, base_format, (VkComponentMapping){.r = VK_COMPONENT_SWIZZLE_IDENTITY});
}

VkImageView blending_view_in_order(struct harness_vulkan *vk, const struct harness_image *image, uint32_t base_format,
                                   VkComponentMapping channels)
{
    const VkImageViewGLChannelOrderCreateInfoCLAMPLER order = order_of(channels);
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                         VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                     .pNext = has_order(&order) ? &order : NULL,
                                                     .baseFormat = base_format};
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = base_format ? &gl : NULL,
        .image = image->image,
        .viewType = image->params.type,
        .format = image->params.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS}};
    VkImageView view;
    HARNESS_VK(vkCreateImageView(vk->device, &info, NULL, &view));
    return view;
}

void blending_image_read(struct harness_vulkan *vk, const struct harness_image *image, void *pixels)
{
    harness_image_read(vk, image, VK_IMAGE_LAYOUT_GENERAL, 0, 0, pixels);
}

/* ---- Passes ---- */

static VkSampleCountFlagBits samples_of(const struct blending_pass_params *params)
{
    return params->samples ? params->samples : VK_SAMPLE_COUNT_1_BIT;
}

static const VkPipelineStageFlags all_stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                  inner_stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
static const VkAccessFlags all_access = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                           inner_access = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;

static void create_pass(struct harness_vulkan *vk, struct blending_pass *pass)
{
    const struct blending_pass_params *params = &pass->params;
    VkAttachmentDescription attachments[2 * BLENDING_ATTACHMENTS] = {0};
    VkAttachmentReference references[BLENDING_ATTACHMENTS], resolves[BLENDING_ATTACHMENTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < params->count; i++) {
        references[i] = (VkAttachmentReference){VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_GENERAL};
        if (!params->views[i])
            continue;
        references[i].attachment = count;
        attachments[count] = harness_attachment(params->formats[i], params->load);
        attachments[count++].samples = samples_of(params);
    }
    for (uint32_t i = 0; i < params->count; i++) {
        resolves[i] = (VkAttachmentReference){VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_GENERAL};
        if (!params->resolves[i])
            continue;
        resolves[i].attachment = count;
        attachments[count++] = harness_attachment(params->formats[i], VK_ATTACHMENT_LOAD_OP_DONT_CARE);
    }
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .colorAttachmentCount = params->count,
                                          .pColorAttachments = references,
                                          .pResolveAttachments = params->resolves[0] ? resolves : NULL};
    const VkSubpassDependency dependencies[] = {
        {VK_SUBPASS_EXTERNAL, 0, all_stages, inner_stages, all_access, inner_access, 0},
        {0, VK_SUBPASS_EXTERNAL, inner_stages, all_stages, inner_access, all_access, 0}};
    const VkRenderPassMultiviewCreateInfo multiview = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
                                                       .subpassCount = 1,
                                                       .pViewMasks = &params->view_mask};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .pNext = params->view_mask ? &multiview : NULL,
                                         .attachmentCount = count,
                                         .pAttachments = attachments,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass,
                                         .dependencyCount = 2,
                                         .pDependencies = dependencies};
    HARNESS_VK(vkCreateRenderPass(vk->device, &info, NULL, &pass->pass));
}

static VkAttachmentDescription2 attachment2(VkFormat format, VkSampleCountFlagBits samples, VkAttachmentLoadOp load)
{
    return (VkAttachmentDescription2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                      .format = format,
                                      .samples = samples,
                                      .loadOp = load,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                      .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                      .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                      .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                      .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
}

static void create_pass2(struct harness_vulkan *vk, struct blending_pass *pass)
{
    const struct blending_pass_params *params = &pass->params;
    VkAttachmentDescription2 attachments[2 * BLENDING_ATTACHMENTS];
    VkAttachmentReference2 references[BLENDING_ATTACHMENTS], resolves[BLENDING_ATTACHMENTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < params->count; i++) {
        references[i] = (VkAttachmentReference2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                                 .attachment = VK_ATTACHMENT_UNUSED,
                                                 .layout = VK_IMAGE_LAYOUT_GENERAL,
                                                 .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
        if (!params->views[i])
            continue;
        references[i].attachment = count;
        attachments[count++] = attachment2(params->formats[i], samples_of(params), params->load);
    }
    for (uint32_t i = 0; i < params->count; i++) {
        resolves[i] = (VkAttachmentReference2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                               .attachment = VK_ATTACHMENT_UNUSED,
                                               .layout = VK_IMAGE_LAYOUT_GENERAL,
                                               .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
        if (!params->resolves[i])
            continue;
        resolves[i].attachment = count;
        attachments[count++] = attachment2(params->formats[i], VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
    }
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                           .viewMask = params->view_mask,
                                           .colorAttachmentCount = params->count,
                                           .pColorAttachments = references,
                                           .pResolveAttachments = params->resolves[0] ? resolves : NULL};
    const VkSubpassDependency2 dependencies[] = {{.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                                  .srcSubpass = VK_SUBPASS_EXTERNAL,
                                                  .srcStageMask = all_stages,
                                                  .dstStageMask = inner_stages,
                                                  .srcAccessMask = all_access,
                                                  .dstAccessMask = inner_access},
                                                 {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                                  .dstSubpass = VK_SUBPASS_EXTERNAL,
                                                  .srcStageMask = inner_stages,
                                                  .dstStageMask = all_stages,
                                                  .srcAccessMask = inner_access,
                                                  .dstAccessMask = all_access}};
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .attachmentCount = count,
                                          .pAttachments = attachments,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass,
                                          .dependencyCount = 2,
                                          .pDependencies = dependencies};
    HARNESS_VK(vkCreateRenderPass2(vk->device, &info, NULL, &pass->pass));
}

/* In the order of the pass's attachments: those that are drawn to, then those that are resolved to. */
static uint32_t used_views(const struct blending_pass_params *params, VkImageView *views)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < params->count; i++) {
        if (params->views[i])
            views[count++] = params->views[i];
    }
    for (uint32_t i = 0; i < params->count; i++) {
        if (params->resolves[i])
            views[count++] = params->resolves[i];
    }
    return count;
}

static void create_framebuffer(struct harness_vulkan *vk, struct blending_pass *pass)
{
    const struct blending_pass_params *params = &pass->params;
    const bool imageless = params->style == BLENDING_IMAGELESS;
    VkImageView views[2 * BLENDING_ATTACHMENTS];
    VkFramebufferAttachmentImageInfo images[BLENDING_ATTACHMENTS];
    const uint32_t count = used_views(params, views);
    for (uint32_t i = 0, at = 0; i < params->count; i++) {
        if (!params->views[i])
            continue;
        images[at++] = (VkFramebufferAttachmentImageInfo){
            .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                     VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | params->image_usage,
            .width = params->width,
            .height = params->height,
            .layerCount = params->image_layers ? params->image_layers : 1,
            .viewFormatCount = 1,
            .pViewFormats = &params->formats[i]};
    }
    const VkFramebufferAttachmentsCreateInfo attachments = {.sType =
                                                                VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
                                                            .attachmentImageInfoCount = count,
                                                            .pAttachmentImageInfos = images};
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .pNext = imageless ? &attachments : NULL,
                                          .flags = imageless ? VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT : 0,
                                          .renderPass = pass->pass,
                                          .attachmentCount = count,
                                          .pAttachments = imageless ? NULL : views,
                                          .width = params->width,
                                          .height = params->height,
                                          .layers = 1};
    HARNESS_VK(vkCreateFramebuffer(vk->device, &info, NULL, &pass->framebuffer));
}

void blending_pass_create(struct harness_vulkan *vk, struct blending_pass *pass,
                          const struct blending_pass_params *params)
{
    *pass = (struct blending_pass){.params = *params};
    if (params->style == BLENDING_DYNAMIC)
        return;
    if (params->style == BLENDING_PASS2)
        create_pass2(vk, pass);
    else
        create_pass(vk, pass);
    create_framebuffer(vk, pass);
}

void blending_pass_destroy(struct harness_vulkan *vk, struct blending_pass *pass)
{
    vkDestroyFramebuffer(vk->device, pass->framebuffer, NULL);
    vkDestroyRenderPass(vk->device, pass->pass, NULL);
    *pass = (struct blending_pass){0};
}

static VkResolveModeFlagBits resolve_mode(VkFormat format)
{
    const bool integer = format == VK_FORMAT_R8G8B8A8_UINT || format == VK_FORMAT_R8_UINT;
    return integer ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_AVERAGE_BIT;
}

static void begin_rendering(const struct blending_pass_params *params, VkCommandBuffer commands,
                            const VkClearColorValue *clears, VkSubpassContents contents)
{
    VkRenderingAttachmentInfo colors[BLENDING_ATTACHMENTS];
    for (uint32_t i = 0; i < params->count; i++) {
        colors[i] = (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                .imageView = params->views[i],
                                                .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                .loadOp = params->load,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
        if (params->resolves[i]) {
            colors[i].resolveMode = resolve_mode(params->formats[i]);
            colors[i].resolveImageView = params->resolves[i];
            colors[i].resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
        }
        if (clears)
            colors[i].clearValue.color = clears[i];
    }
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .flags = contents == VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                                               ? (VkRenderingFlags)VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT
                                               : 0,
                                  .renderArea = {{0, 0}, {params->width, params->height}},
                                  .layerCount = 1,
                                  .viewMask = params->view_mask,
                                  .colorAttachmentCount = params->count,
                                  .pColorAttachments = colors};
    vkCmdBeginRendering(commands, &info);
}

void blending_pass_begin(const struct blending_pass *pass, VkCommandBuffer commands, const VkClearColorValue *clears,
                         VkSubpassContents contents)
{
    const struct blending_pass_params *params = &pass->params;
    if (params->style == BLENDING_DYNAMIC) {
        begin_rendering(params, commands, clears, contents);
        return;
    }
    VkClearValue values[BLENDING_ATTACHMENTS];
    VkImageView views[2 * BLENDING_ATTACHMENTS];
    const uint32_t count = used_views(params, views);
    for (uint32_t i = 0, at = 0; clears && i < params->count; i++) {
        if (params->views[i])
            values[at++].color = clears[i];
    }
    const VkRenderPassAttachmentBeginInfo given = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO, .attachmentCount = count, .pAttachments = views};
    const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .pNext = params->style == BLENDING_IMAGELESS ? &given : NULL,
                                        .renderPass = pass->pass,
                                        .framebuffer = pass->framebuffer,
                                        .renderArea = {{0, 0}, {params->width, params->height}},
                                        .clearValueCount = clears ? count : 0,
                                        .pClearValues = clears ? values : NULL};
    if (params->style == BLENDING_PASS2) {
        const VkSubpassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, .contents = contents};
        vkCmdBeginRenderPass2(commands, &info, &begin);
    } else {
        vkCmdBeginRenderPass(commands, &info, contents);
    }
}

void blending_pass_end(const struct blending_pass *pass, VkCommandBuffer commands)
{
    const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    if (pass->params.style == BLENDING_DYNAMIC)
        vkCmdEndRendering(commands);
    else if (pass->params.style == BLENDING_PASS2)
        vkCmdEndRenderPass2(commands, &end);
    else
        vkCmdEndRenderPass(commands);
}

/* ---- Pipelines ---- */

VkPipeline blending_pipeline(struct harness_vulkan *vk, const struct blending_pass *pass,
                             const struct blending_pipeline_params *params)
{
    const struct blending_pass_params *target = &pass->params;
    VkShaderModule vertex = harness_module(vk, params->vertex.words ? params->vertex : harness_covering_triangle());
    VkShaderModule fragment = harness_module(vk, params->fragment);
    const VkPipelineShaderStageCreateInfo stages[] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = vertex,
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = fragment,
         .pName = "main"},
    };
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport viewport = {0, 0, (float)target->width * 2, (float)target->height * 2, 0, 1};
    const VkRect2D scissor = {{0, 0}, {target->width, target->height}};
    const VkPipelineViewportStateCreateInfo viewports = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                         .viewportCount = 1,
                                                         .pViewports = &viewport,
                                                         .scissorCount = 1,
                                                         .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {.sType =
                                                              VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                          .rasterizationSamples = samples_of(target),
                                                          .alphaToCoverageEnable = params->alpha_to_coverage,
                                                          .alphaToOneEnable = params->alpha_to_one};
    VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                 .pNext = params->blend_next,
                                                 .logicOpEnable = params->logic,
                                                 .logicOp = params->logic_op,
                                                 .attachmentCount = params->uncounted ? 0 : target->count,
                                                 .pAttachments = params->uncounted ? NULL : params->states};
    memcpy(blend.blendConstants, params->constants, sizeof(blend.blendConstants));
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = params->dynamic_count,
                                                      .pDynamicStates = params->dynamic};
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .pNext = params->next,
                                                     .viewMask = target->view_mask,
                                                     .colorAttachmentCount = target->count,
                                                     .pColorAttachmentFormats = target->formats};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = target->style == BLENDING_DYNAMIC ? &rendering : NULL,
                                               .flags = params->flags,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewports,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = params->dynamic_count ? &dynamic : NULL,
                                               .layout = params->layout,
                                               .renderPass = pass->pass,
                                               .subpass = params->subpass};
    const VkPipeline pipeline = harness_pipeline_of(vk, &info, VK_NULL_HANDLE);
    vkDestroyShaderModule(vk->device, vertex, NULL);
    vkDestroyShaderModule(vk->device, fragment, NULL);
    return pipeline;
}

void blending_draw(struct harness_vulkan *vk, const struct blending_pass *pass, const VkClearColorValue *clears,
                   VkPipeline pipeline)
{
    VkCommandBuffer commands = harness_begin(vk);
    blending_pass_begin(pass, commands, clears, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(pass, commands);
    harness_submit(vk, commands);
}
