/* SPDX-License-Identifier: MIT */
/*
 * Objects that fill views with alpha 1. A pipeline and a render pass are made once for each format and sample count,
 * attachments and framebuffers once for each view, both when they are first needed. recording/alpha/fill.h records
 * fills.
 */
#include "attachments/fill_view.h"

#include "ahead/helper.h"
#include "attachments/attachment_view.h"
#include "attachments/attachments.h"
#include "blend/blend.h"
#include "fill_float.h"
#include "fill_sint.h"
#include "fill_uint.h"
#include "fill_vertex.h"
#include "layouts/pipeline_layout.h"
#include "objects/resource_flags.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/image.h"

/* ---- What fills a format ---- */

static VkResult create_pass(struct track *track, VkFormat format, VkSampleCountFlagBits samples, VkImageLayout layout,
                            VkRenderPass *pass)
{
    const struct device *device = track->device;
    const VkAttachmentDescription attachment = {.format = format,
                                                .samples = samples,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                .initialLayout = layout,
                                                .finalLayout = layout};
    const VkAttachmentReference reference = {0, layout};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &reference};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 1,
                                         .pAttachments = &attachment,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    return OR_NULL(device->next.CreateRenderPass(device->handle, &info, NULL, pass), pass);
}

static VkResult create_module(const struct device *device, const uint32_t *words, size_t bytes, VkShaderModule *module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = words};
    return OR_NULL(device->next.CreateShaderModule(device->handle, &info, NULL, module), module);
}

static VkResult create_modules(const struct device *device, enum blend_number number, VkShaderModule modules[2])
{
    static const struct {
        const uint32_t *words;
        size_t bytes;
    } fragments[] = {
        [BLEND_FLOAT] = {fill_float, sizeof(fill_float)},
        [BLEND_UINT] = {fill_uint, sizeof(fill_uint)},
        [BLEND_SINT] = {fill_sint, sizeof(fill_sint)},
    };
    VkResult result = create_module(device, fill_vertex, sizeof(fill_vertex), &modules[0]);
    if (result == VK_SUCCESS)
        result = create_module(device, fragments[number].words, fragments[number].bytes, &modules[1]);
    return result;
}

static VkResult create_pipeline(struct track *track, const struct blend_format *format, const VkShaderModule modules[2],
                                VkSampleCountFlagBits samples, struct fill_kind *kind)
{
    const struct device *device = track->device;
    const VkPipelineShaderStageCreateInfo stages[] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = modules[0],
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = modules[1],
         .pName = "main"},
    };
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = samples};
    const VkPipelineColorBlendAttachmentState attachment = blend_fill_state(format, alpha_keeps(track, format));
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                       .attachmentCount = 1,
                                                       .pAttachments = &attachment};
    static const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = 2,
                                                      .pDynamicStates = states};
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &format->format};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &multisample,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = &dynamic,
                                               .pNext = kind->pass ? NULL : &rendering,
                                               .layout = kind->layout,
                                               .renderPass = kind->pass};
    return OR_NULL(
        device->next.CreateGraphicsPipelines(device->handle, track->pipeline_cache, 1, &info, NULL, &kind->pipeline),
        &kind->pipeline);
}

static void destroy_kind(struct track *track, struct fill_kind *kind)
{
    const struct device *device = track->device;
    device->next.DestroyPipeline(device->handle, kind->pipeline, NULL);
    device->next.DestroyRenderPass(device->handle, kind->pass, NULL);
    if (kind->shared)
        device->next.DestroyRenderPass(device->handle, kind->shared, NULL);
    device->next.DestroyPipelineLayout(device->handle, kind->layout, NULL);
    object_free(track, NULL, kind, sizeof(*kind));
}

/* All of the kind, or nothing; in no table yet. */
static VkResult create_kind(struct track *track, const struct blend_format *format, VkSampleCountFlagBits samples,
                            struct fill_kind **out)
{
    const struct device *device = track->device;
    VkShaderModule modules[2] = {VK_NULL_HANDLE};
    struct fill_kind *kind = object_alloc(track, NULL, sizeof(*kind));
    VkResult result = kind ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS)
        result = layer_layout_create(track, VK_SHADER_STAGE_ALL_GRAPHICS, &kind->layout);
    if (result == VK_SUCCESS && !device->caps.dynamic_rendering)
        result = create_pass(track, format->format, samples, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, &kind->pass);
    if (result == VK_SUCCESS && kind->pass && device->caps.shared_presentable)
        result = create_pass(track, format->format, samples, VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR, &kind->shared);
    if (result == VK_SUCCESS)
        result = create_modules(device, format->number, modules);
    if (result == VK_SUCCESS)
        result = create_pipeline(track, format, modules, samples, kind);
    for (uint32_t i = 0; i < 2; i++)
        device->next.DestroyShaderModule(device->handle, modules[i], NULL);
    if (result != VK_SUCCESS && kind)
        destroy_kind(track, kind);
    else
        *out = kind;
    return result;
}

struct making {
    struct track *track;
    const struct blend_format *format;
    VkSampleCountFlagBits samples;
    struct fill_kind *kind;
    VkResult result;
};

static void run_making(void *user)
{
    struct making *making = user;
    making->result = create_kind(making->track, making->format, making->samples, &making->kind);
}

/* Inserts a kind, and returns it, or the one that another thread has inserted first; NULL: out of memory. */
static const struct fill_kind *keep_kind(struct track *track, uint64_t key, struct fill_kind *made)
{
    pthread_mutex_lock(&track->attachments->fill_lock);
    const struct fill_kind *found = table_find(&track->attachments->fills, key);
    if (!found && table_insert(&track->attachments->fills, key, made))
        found = made;
    pthread_mutex_unlock(&track->attachments->fill_lock);
    if (found != made)
        destroy_kind(track, made);
    return found;
}

static VkResult find_kind(struct track *track, const struct blend_format *format, VkSampleCountFlagBits samples,
                          const struct fill_kind **kind)
{
    const uint64_t key = (uint64_t)format->format << 8 | (uint64_t)samples;
    *kind = table_find(&track->attachments->fills, key);
    if (*kind)
        return VK_SUCCESS;
    struct making making = {track, format, samples, NULL, VK_SUCCESS};
    helper_run(track, run_making, &making); /* views are created on stacks without room for a compiler */
    if (making.result == VK_SUCCESS)
        *kind = keep_kind(track, key, making.kind);
    return making.result != VK_SUCCESS ? result_within(making.result)
           : *kind                     ? VK_SUCCESS
                                       : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void destroy_visited(void *value, void *user)
{
    destroy_kind(user, value);
}

void fill_finish(struct track *track)
{
    table_visit(&track->attachments->fills, destroy_visited, track);
}

/* ---- What fills a view ---- */

/*
 * A view that can be an attachment: it has one level, and the usage. Loading a subsampled one would take texels of
 * another density.
 */
static bool can_be_attachment(const VkImageViewCreateInfo *info, const struct image *image)
{
    const VkImageSubresourceRange *range = &info->subresourceRange;
    const uint32_t levels =
        range->levelCount == VK_REMAINING_MIP_LEVELS ? image->levels - range->baseMipLevel : range->levelCount;
    return (image_view_usage(info, image->usage) & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT) && levels == 1 &&
           !(image->flags & VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT) && range->aspectMask == VK_IMAGE_ASPECT_COLOR_BIT;
}

/* A view of one layer of what the view shows, as an attachment. */
static VkImageViewCreateInfo layer_info(const VkImageViewCreateInfo *info)
{
    const bool flat = info->viewType == VK_IMAGE_VIEW_TYPE_1D || info->viewType == VK_IMAGE_VIEW_TYPE_1D_ARRAY;
    VkImageViewCreateInfo layer = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                   .image = info->image,
                                   .viewType = flat ? VK_IMAGE_VIEW_TYPE_1D : VK_IMAGE_VIEW_TYPE_2D,
                                   .format = info->format,
                                   .subresourceRange = info->subresourceRange};
    layer.subresourceRange.layerCount = 1;
    return layer;
}

VkResult fill_create(struct track *track, const VkImageViewCreateInfo *info, struct image *image,
                     const struct blend_format *format, VkExtent2D extent, struct fill **out)
{
    const VkImageSubresourceRange *range = &info->subresourceRange;
    *out = NULL;
    if (!image || !can_be_attachment(info, image) ||
        (track->device->instance->settings.assume_missing & MISSING_ALPHA_FILL))
        return VK_SUCCESS;
    const struct fill_kind *kind;
    VkResult result = find_kind(track, format, image->samples, &kind);
    if (result != VK_SUCCESS)
        return result;
    const uint32_t all =
        image->type == VK_IMAGE_TYPE_3D ? level_size(image->extent.depth, range->baseMipLevel) : image->layers;
    const uint32_t count = info->viewType == VK_IMAGE_VIEW_TYPE_3D          ? 0
                           : range->layerCount == VK_REMAINING_ARRAY_LAYERS ? all - range->baseArrayLayer
                                                                            : range->layerCount;
    struct fill *fill = attachment_watch(track, image) ? object_alloc(track, NULL, sizeof(*fill)) : NULL;
    if (!fill)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    fill->kind = kind;
    fill->view = layer_info(info);
    fill->range = attachment_shown(track, image, info);
    fill->extent = extent;
    fill->layer_count = count;
    fill->takes_usage = view_takes_usage(track->device, info);
    *out = fill;
    return VK_SUCCESS;
}

static void destroy_layers(struct track *track, const struct fill *fill, struct fill_layer *layers)
{
    const struct device *device = track->device;
    for (uint32_t i = 0; layers && i < fill->layer_count; i++) {
        if (layers[i].framebuffer)
            device->next.DestroyFramebuffer(device->handle, layers[i].framebuffer, NULL);
        if (layers[i].view)
            device->next.DestroyImageView(device->handle, layers[i].view, NULL);
    }
    object_free(track, NULL, layers, fill->layer_count * sizeof(*layers));
}

void fill_destroy(struct track *track, struct fill *fill)
{
    if (!fill)
        return;
    destroy_layers(track, fill, atomic_load_explicit(&fill->layers, memory_order_acquire));
    object_free(track, NULL, fill, sizeof(*fill));
}

/* ---- Its layers ---- */

static VkResult create_layer(const struct device *device, const struct fill *fill, uint32_t index,
                             struct fill_layer *layer)
{
    const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    VkImageViewCreateInfo info = fill->view;
    VkImageView view;
    VkFramebuffer framebuffer;
    info.pNext = fill->takes_usage ? &usage : NULL;
    info.subresourceRange.baseArrayLayer += index;
    VkResult result = device->next.CreateImageView(device->handle, &info, NULL, &view);
    if (result != VK_SUCCESS)
        return result;
    layer->view = view;
    const VkFramebufferCreateInfo framebuffer_info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                      .renderPass = fill->kind->pass,
                                                      .attachmentCount = 1,
                                                      .pAttachments = &layer->view,
                                                      .width = fill->extent.width,
                                                      .height = fill->extent.height,
                                                      .layers = 1};
    if (!fill->kind->pass)
        return VK_SUCCESS;
    result = device->next.CreateFramebuffer(device->handle, &framebuffer_info, NULL, &framebuffer);
    if (result == VK_SUCCESS)
        layer->framebuffer = framebuffer;
    return result;
}

/* All of them, or nothing. */
static VkResult create_layers(struct track *track, const struct fill *fill, struct fill_layer **out)
{
    struct fill_layer *layers = object_alloc(track, NULL, fill->layer_count * sizeof(*layers));
    VkResult result = layers ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < fill->layer_count && result == VK_SUCCESS; i++)
        result = create_layer(track->device, fill, i, &layers[i]);
    if (result != VK_SUCCESS && layers)
        destroy_layers(track, fill, layers);
    else
        *out = layers;
    return result;
}

/* Most views are sampled only, or cleared whenever they are rendered to: layers are made when they are needed. */
VkResult fill_layers(struct track *track, struct fill *fill, const struct fill_layer **layers)
{
    struct fill_layer *found = atomic_load_explicit(&fill->layers, memory_order_acquire);
    struct fill_layer *made = NULL;
    const VkResult result = found ? VK_SUCCESS : create_layers(track, fill, &made);
    if (made && atomic_compare_exchange_strong_explicit(&fill->layers, &found, made, memory_order_acq_rel,
                                                        memory_order_acquire))
        found = made;
    else if (made) /* another thread was faster */
        destroy_layers(track, fill, made);
    *layers = found;
    return result;
}
