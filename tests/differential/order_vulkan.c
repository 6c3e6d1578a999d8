/* SPDX-License-Identifier: MIT */
#include "differential/order_voices.h"

#include <string.h>

#include "order_lookup.h"
#include "order_lookup_integer.h"
#include "order_source_array.h"
#include "order_source_dual.h"
#include "order_source_integer.h"
#include "order_source_plain.h"
#include "order_source_plain2.h"
#include "order_source_plain3.h"
#include "order_source_scalar.h"
#include "order_source_split.h"
#include "order_source_three.h"

enum { MOST_DYNAMIC = 6 };

static struct harness_spirv shader_of(const struct order_draw *draw)
{
    if (order_is_integer(draw->attachments[0].kind))
        return HARNESS_SPIRV(order_source_integer);
    if (order_reads_second(draw))
        return HARNESS_SPIRV(order_source_dual);
    switch (draw->shape) {
    case ORDER_THREE:
        return HARNESS_SPIRV(order_source_three);
    case ORDER_SCALAR:
        return HARNESS_SPIRV(order_source_scalar);
    case ORDER_SPLIT:
        return HARNESS_SPIRV(order_source_split);
    case ORDER_ARRAY:
        return HARNESS_SPIRV(order_source_array);
    default:
        return draw->count == 1   ? HARNESS_SPIRV(order_source_plain)
               : draw->count == 2 ? HARNESS_SPIRV(order_source_plain2)
                                  : HARNESS_SPIRV(order_source_plain3);
    }
}

/* ---- Opening ---- */

static bool can_draw(struct order_vulkan *vulkan, enum order_kind kind)
{
    const struct order_info *info = order_info(kind);
    VkFormatProperties properties;
    VkImageFormatProperties image;
    const VkFormatFeatureFlags wanted =
        order_is_integer(kind) ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT : VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
    vkGetPhysicalDeviceFormatProperties(vulkan->vk.physical, info->format, &properties);
    return properties.optimalTilingFeatures & wanted &&
           vkGetPhysicalDeviceImageFormatProperties(vulkan->vk.physical, info->format, VK_IMAGE_TYPE_2D,
                                                    VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 0,
                                                    &image) == VK_SUCCESS &&
           image.sampleCounts & vulkan->ways.samples;
}

/* The layer has orders for whatever the driver renders to. */
static bool has_every_blend(struct order_vulkan *vulkan, enum order_kind kind)
{
    VkGLSamplerFormatPropertiesCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &gl};
    vkGetPhysicalDeviceFormatProperties2(vulkan->vk.physical, order_info(kind)->format, &properties);
    const VkGLFormatFeatureFlagsCLAMPLER features = gl.nativeFeatures | gl.emulatedFeatures;
    if (!(features & VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BIT_CLAMPLER))
        harness_fail("%s: the driver renders to the format, and the layer offers no order of its channels",
                     order_info(kind)->name);
    return features & VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BLEND_BIT_CLAMPLER;
}

static void write_set(struct order_vulkan *vulkan, struct order_target *target)
{
    const bool resolves = vulkan->ways.samples != VK_SAMPLE_COUNT_1_BIT;
    const VkDescriptorImageInfo image = {vulkan->sampler, resolves ? target->resolved.view : target->image.view,
                                         VK_IMAGE_LAYOUT_GENERAL};
    target->set = harness_set(&vulkan->vk, vulkan->set_layout);
    harness_write_images(&vulkan->vk, target->set, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, &image);
}

static void open_target(struct order_vulkan *vulkan, enum order_kind kind)
{
    const struct order_info *info = order_info(kind);
    struct order_target *target = &vulkan->targets[kind];
    struct blending_image_params params = {.format = info->format,
                                           .width = ORDER_SIZE,
                                           .height = ORDER_SIZE,
                                           .base_format = info->base,
                                           .samples = vulkan->ways.samples,
                                           .channels = info->channels};
    struct order_pixels texels;
    target->drawable = can_draw(vulkan, kind);
    if (!target->drawable)
        return;
    target->every_blend = has_every_blend(vulkan, kind);
    order_texels(kind, &texels);
    harness_buffer_create(&vulkan->vk, &target->upload, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                          ORDER_PIXELS * info->texel_size, &texels);
    blending_image_create(&vulkan->vk, &target->image, &params, NULL);
    params.samples = VK_SAMPLE_COUNT_1_BIT;
    if (vulkan->ways.samples != VK_SAMPLE_COUNT_1_BIT)
        blending_image_create(&vulkan->vk, &target->resolved, &params, NULL);
    write_set(vulkan, target);
}

static void open_device(struct order_vulkan *vulkan, const char *layers)
{
    static const char *const extensions[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};
    static const VkPhysicalDeviceFeatures features = {.independentBlend = VK_TRUE},
                                          wanted = {.dualSrcBlend = VK_TRUE, .logicOp = VK_TRUE};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
        .extendedDynamicState3ColorBlendEnable = VK_TRUE,
        .extendedDynamicState3ColorBlendEquation = VK_TRUE,
        .extendedDynamicState3ColorWriteMask = VK_TRUE};
    VkPhysicalDeviceDynamicRenderingFeatures rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceImagelessFramebufferFeatures imageless = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES, .imagelessFramebuffer = VK_TRUE};
    const struct order_ways *ways = &vulkan->ways;
    /* The harness asks for dynamic rendering with shader objects itself. */
    void *next = ways->style == BLENDING_IMAGELESS                                     ? (void *)&imageless
                 : ways->style == BLENDING_DYNAMIC && ways->linking != HARNESS_OBJECTS ? (void *)&rendering
                                                                                       : NULL;
    if (ways->dynamic) {
        dynamic.pNext = next;
        next = &dynamic;
    }
    harness_vulkan_open(&vulkan->vk, &(struct harness_vulkan_params){.layers = layers,
                                                                     .gl_sampler = true,
                                                                     .alpha_to_one = true,
                                                                     .features = &features,
                                                                     .wanted = &wanted,
                                                                     .device_next = next,
                                                                     .device_extensions = extensions,
                                                                     .device_extension_count = ways->dynamic,
                                                                     .linking = ways->linking});
}

static void open_lookups(struct order_vulkan *vulkan)
{
    struct harness_vulkan *vk = &vulkan->vk;
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                         .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                         .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    vulkan->set_layout = harness_set_layout(vk, &binding, 1);
    vulkan->lookup_layout = harness_pipeline_layout(vk, &vulkan->set_layout, 1, 0);
    vulkan->sampler = harness_sampler(vk, &sampler);
    harness_target_create(vk, &vulkan->looked, VK_FORMAT_R32G32B32A32_SFLOAT, ORDER_SIZE, ORDER_SIZE);
    for (unsigned i = 0; i < 2; i++)
        vulkan->lookups[i] = harness_graphics_pipeline(
            vk, &vulkan->looked,
            &(struct harness_graphics_params){.fragment =
                                                  i ? HARNESS_SPIRV(order_lookup_integer) : HARNESS_SPIRV(order_lookup),
                                              .layout = vulkan->lookup_layout});
}

void order_vulkan_open(struct order_vulkan *vulkan, const char *layers, const struct order_ways *ways)
{
    *vulkan = (struct order_vulkan){.ways = *ways};
    open_device(vulkan, layers);
    open_lookups(vulkan);
    vulkan->layout = harness_pipeline_layout(&vulkan->vk, NULL, 0, 0);
    harness_buffer_create(&vulkan->vk, &vulkan->readback, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                          ORDER_ATTACHMENTS * sizeof(struct order_drawn), NULL);
    for (enum order_kind kind = 0; kind < ORDER_KINDS; kind++)
        open_target(vulkan, kind);
}

static void close_passes(struct order_vulkan *vulkan)
{
    if (vulkan->count) {
        blending_pass_destroy(&vulkan->vk, &vulkan->load);
        blending_pass_destroy(&vulkan->vk, &vulkan->clear);
    }
    vulkan->count = 0;
}

void order_vulkan_close(struct order_vulkan *vulkan)
{
    struct harness_vulkan *vk = &vulkan->vk;
    close_passes(vulkan);
    for (enum order_kind kind = 0; kind < ORDER_KINDS; kind++) {
        struct order_target *target = &vulkan->targets[kind];
        if (!target->drawable)
            continue;
        harness_image_destroy(vk, &target->image);
        if (target->resolved.image)
            harness_image_destroy(vk, &target->resolved);
        harness_buffer_destroy(vk, &target->upload);
    }
    for (unsigned i = 0; i < 2; i++)
        harness_graphics_pipeline_destroy(vk, vulkan->lookups[i]);
    harness_target_destroy(vk, &vulkan->looked);
    vkDestroySampler(vk->device, vulkan->sampler, NULL);
    harness_layouts_destroy(vk, vulkan->lookup_layout, vulkan->set_layout);
    harness_buffer_destroy(vk, &vulkan->readback);
    vkDestroyPipelineLayout(vk->device, vulkan->layout, NULL);
    harness_vulkan_close(vk);
}

const char *order_vulkan_lacks(const struct order_vulkan *vulkan, const struct order_case *one)
{
    const struct order_draw *draw = &one->draw;
    const bool samples = vulkan->ways.samples != VK_SAMPLE_COUNT_1_BIT;
    for (uint32_t i = 0; i < draw->count; i++) {
        if (!vulkan->targets[draw->attachments[i].kind].drawable)
            return "the format as an attachment";
        if (samples && order_is_integer(draw->attachments[i].kind))
            return "resolves of integers";
    }
    if (samples && one->contents == ORDER_UPLOADED)
        return "copies to samples";
    if (draw->logic && !vulkan->vk.features.logicOp)
        return "logicOp";
    return order_reads_second(draw) && !vulkan->vk.features.dualSrcBlend ? "dualSrcBlend" : NULL;
}

/* ---- Drawing ---- */

static void open_passes(struct order_vulkan *vulkan, const struct order_draw *draw)
{
    struct blending_pass_params params = {.style = vulkan->ways.style,
                                          .count = draw->count,
                                          .width = ORDER_SIZE,
                                          .height = ORDER_SIZE,
                                          .load = VK_ATTACHMENT_LOAD_OP_LOAD,
                                          .samples = vulkan->ways.samples};
    bool same = vulkan->count == draw->count;
    for (uint32_t i = 0; i < draw->count; i++) {
        const enum order_kind kind = draw->attachments[i].kind;
        same = same && vulkan->kinds[i] == kind;
        params.views[i] = vulkan->targets[kind].image.view;
        params.resolves[i] = vulkan->targets[kind].resolved.view;
        params.formats[i] = order_info(kind)->format;
    }
    if (same)
        return;
    close_passes(vulkan);
    blending_pass_create(&vulkan->vk, &vulkan->load, &params);
    params.load = VK_ATTACHMENT_LOAD_OP_CLEAR;
    blending_pass_create(&vulkan->vk, &vulkan->clear, &params);
    vulkan->count = draw->count;
    for (uint32_t i = 0; i < draw->count; i++)
        vulkan->kinds[i] = draw->attachments[i].kind;
}

/* Parts of blend state that are dynamic. */
enum { DYNAMIC_CONSTANTS = 1, DYNAMIC_BLENDING = 2, DYNAMIC_MASK = 4, DYNAMIC_ALL = 7 };

static uint32_t list_dynamic(uint32_t parts, VkDynamicState *states)
{
    uint32_t count = 0;
    if (parts & DYNAMIC_CONSTANTS)
        states[count++] = VK_DYNAMIC_STATE_BLEND_CONSTANTS;
    if (parts & DYNAMIC_BLENDING) {
        states[count++] = VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT;
        states[count++] = VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT;
    }
    if (parts & DYNAMIC_MASK)
        states[count++] = VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT;
    return count;
}

static void set_dynamic(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw,
                        uint32_t parts)
{
    VkBool32 enables[ORDER_ATTACHMENTS];
    VkColorBlendEquationEXT equations[ORDER_ATTACHMENTS];
    VkColorComponentFlags masks[ORDER_ATTACHMENTS];
    for (uint32_t i = 0; i < draw->count; i++) {
        const VkPipelineColorBlendAttachmentState *blend = &draw->attachments[i].blend;
        enables[i] = blend->blendEnable;
        masks[i] = blend->colorWriteMask;
        equations[i] =
            (VkColorBlendEquationEXT){blend->srcColorBlendFactor, blend->dstColorBlendFactor, blend->colorBlendOp,
                                      blend->srcAlphaBlendFactor, blend->dstAlphaBlendFactor, blend->alphaBlendOp};
    }
    if (parts & DYNAMIC_CONSTANTS)
        vkCmdSetBlendConstants(commands, order_constants);
    if (parts & DYNAMIC_BLENDING) {
        HARNESS_PROC(&vulkan->vk, vkCmdSetColorBlendEnableEXT)(commands, 0, draw->count, enables);
        HARNESS_PROC(&vulkan->vk, vkCmdSetColorBlendEquationEXT)(commands, 0, draw->count, equations);
    }
    if (parts & DYNAMIC_MASK)
        HARNESS_PROC(&vulkan->vk, vkCmdSetColorWriteMaskEXT)(commands, 0, draw->count, masks);
}

/* What draws: a pipeline, or shader objects. */
struct drawer {
    const struct order_draw *draw;
    VkPipeline pipeline;
    struct harness_objects objects;
    uint32_t parts;
};

/* Where a part is dynamic, the pipeline has something else. */
static void open_drawer(struct order_vulkan *vulkan, const struct order_draw *draw, uint32_t turn,
                        struct drawer *drawer)
{
    const bool objects = vulkan->ways.linking == HARNESS_OBJECTS;
    VkDynamicState states[MOST_DYNAMIC];
    *drawer = (struct drawer){.draw = draw,
                              .parts = objects                ? DYNAMIC_ALL
                                       : vulkan->ways.dynamic ? turn % DYNAMIC_ALL + 1
                                                              : 0};
    if (objects) {
        harness_objects_create(
            &vulkan->vk, &drawer->objects,
            &(struct harness_objects_params){.fragment = shader_of(draw)}); /* linked ones are refused */
        return;
    }
    struct blending_pipeline_params params = {.fragment = shader_of(draw),
                                              .layout = vulkan->layout,
                                              .logic = draw->logic,
                                              .logic_op = draw->logic_op,
                                              .dynamic = states,
                                              .dynamic_count = list_dynamic(drawer->parts, states)};
    for (uint32_t i = 0; i < draw->count; i++) {
        params.states[i] = draw->attachments[i].blend;
        if (drawer->parts & DYNAMIC_MASK)
            params.states[i].colorWriteMask = 0x6;
        if (drawer->parts & DYNAMIC_BLENDING)
            params.states[i].blendEnable = !params.states[i].blendEnable && !order_is_integer(vulkan->kinds[i]);
    }
    if (!(drawer->parts & DYNAMIC_CONSTANTS))
        memcpy(params.constants, order_constants, sizeof(params.constants));
    drawer->pipeline = blending_pipeline(&vulkan->vk, &vulkan->load, &params);
}

static void close_drawer(struct order_vulkan *vulkan, struct drawer *drawer)
{
    if (vulkan->ways.linking == HARNESS_OBJECTS)
        harness_objects_destroy(&vulkan->vk, &drawer->objects);
    else
        harness_graphics_pipeline_destroy(&vulkan->vk, drawer->pipeline);
}

static void bind_objects(struct order_vulkan *vulkan, VkCommandBuffer commands, struct drawer *drawer)
{
    const struct harness_target size = {.width = ORDER_SIZE, .height = ORDER_SIZE};
    const VkSampleMask mask = 0xf;
    harness_objects_bind(&vulkan->vk, &drawer->objects, &size, commands);
    HARNESS_PROC(&vulkan->vk, vkCmdSetRasterizationSamplesEXT)(commands, vulkan->ways.samples);
    HARNESS_PROC(&vulkan->vk, vkCmdSetSampleMaskEXT)(commands, vulkan->ways.samples, &mask);
    if (!vulkan->vk.features.logicOp)
        return;
    HARNESS_PROC(&vulkan->vk, vkCmdSetLogicOpEnableEXT)(commands, drawer->draw->logic);
    HARNESS_PROC(&vulkan->vk, vkCmdSetLogicOpEXT)(commands, drawer->draw->logic_op);
}

static void draw_once(struct order_vulkan *vulkan, VkCommandBuffer commands, struct drawer *drawer)
{
    blending_pass_begin(&vulkan->load, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    if (vulkan->ways.linking == HARNESS_OBJECTS)
        bind_objects(vulkan, commands, drawer);
    else
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, drawer->pipeline);
    set_dynamic(vulkan, commands, drawer->draw, drawer->parts);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&vulkan->load, commands);
}

static VkClearColorValue clear_value(enum order_kind kind)
{
    VkClearColorValue color;
    if (order_is_integer(kind))
        memcpy(color.uint32, order_clear_integers, sizeof(color.uint32));
    else
        memcpy(color.float32, order_clear_color, sizeof(color.float32));
    return color;
}

static void clear_in_pass(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw)
{
    const VkClearRect rect = {{{0, 0}, {ORDER_SIZE, ORDER_SIZE}}, 0, 1};
    blending_pass_begin(&vulkan->load, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < draw->count; i++) {
        const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, i, {clear_value(draw->attachments[i].kind)}};
        vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
    }
    blending_pass_end(&vulkan->load, commands);
}

static void clear_images(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw)
{
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    for (uint32_t i = 0; i < draw->count; i++) {
        const enum order_kind kind = draw->attachments[i].kind;
        const VkClearColorValue color = clear_value(kind);
        vkCmdClearColorImage(commands, vulkan->targets[kind].image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    }
    harness_barrier(commands);
    if (vulkan->ways.samples == VK_SAMPLE_COUNT_1_BIT)
        return;
    blending_pass_begin(&vulkan->load, commands, NULL, VK_SUBPASS_CONTENTS_INLINE); /* resolves */
    blending_pass_end(&vulkan->load, commands);
}

static void upload(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_draw *draw)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {ORDER_SIZE, ORDER_SIZE, 1}};
    for (uint32_t i = 0; i < draw->count && vulkan->ways.samples == VK_SAMPLE_COUNT_1_BIT; i++) {
        const struct order_target *target = &vulkan->targets[draw->attachments[i].kind];
        vkCmdCopyBufferToImage(commands, target->upload.buffer, target->image.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                               &region);
    }
    harness_barrier(commands);
}

static const struct harness_image *shown(const struct order_vulkan *vulkan, enum order_kind kind)
{
    const struct order_target *target = &vulkan->targets[kind];
    return vulkan->ways.samples == VK_SAMPLE_COUNT_1_BIT ? &target->image : &target->resolved;
}

/* In the buffer that is read back. */
#define PLACE(attachment, member) ((attachment) * sizeof(struct order_drawn) + offsetof(struct order_drawn, member))

static void copy_out(struct order_vulkan *vulkan, VkCommandBuffer commands, VkImage image, VkImageLayout layout,
                     VkDeviceSize offset)
{
    const VkBufferImageCopy region = {.bufferOffset = offset,
                                      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {ORDER_SIZE, ORDER_SIZE, 1}};
    harness_barrier(commands);
    vkCmdCopyImageToBuffer(commands, image, layout, vulkan->readback.buffer, 1, &region);
    harness_barrier(commands);
}

static void look_up(struct order_vulkan *vulkan, VkCommandBuffer commands, enum order_kind kind)
{
    harness_target_begin(&vulkan->looked, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, vulkan->lookups[order_is_integer(kind)]);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, vulkan->lookup_layout, 0, 1,
                            &vulkan->targets[kind].set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
}

static void put_contents(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_case *one,
                         struct drawer *replace)
{
    VkClearColorValue colors[ORDER_ATTACHMENTS];
    upload(vulkan, commands, &one->draw); /* noise below what is drawn, as well */
    switch (one->contents) {
    case ORDER_LOAD_CLEARED:
        for (uint32_t i = 0; i < one->draw.count; i++)
            colors[i] = clear_value(one->draw.attachments[i].kind);
        blending_pass_begin(&vulkan->clear, commands, colors, VK_SUBPASS_CONTENTS_INLINE);
        blending_pass_end(&vulkan->clear, commands);
        break;
    case ORDER_ATTACHMENTS_CLEARED:
        clear_in_pass(vulkan, commands, &one->draw);
        break;
    case ORDER_IMAGE_CLEARED:
        clear_images(vulkan, commands, &one->draw);
        break;
    case ORDER_DRAWN:
        draw_once(vulkan, commands, replace);
        break;
    default:
        break;
    }
}

static void record(struct order_vulkan *vulkan, VkCommandBuffer commands, const struct order_case *one,
                   struct drawer *replace, struct drawer *drawer)
{
    put_contents(vulkan, commands, one, replace);
    for (uint32_t i = 0; i < one->draw.count; i++)
        copy_out(vulkan, commands, shown(vulkan, one->draw.attachments[i].kind)->image, VK_IMAGE_LAYOUT_GENERAL,
                 PLACE(i, before));
    draw_once(vulkan, commands, drawer);
    for (uint32_t i = 0; i < one->draw.count; i++) {
        copy_out(vulkan, commands, shown(vulkan, one->draw.attachments[i].kind)->image, VK_IMAGE_LAYOUT_GENERAL,
                 PLACE(i, after));
        look_up(vulkan, commands, one->draw.attachments[i].kind);
        copy_out(vulkan, commands, vulkan->looked.color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, PLACE(i, looked));
    }
}

void order_vulkan_draw(struct order_vulkan *vulkan, const struct order_case *one, uint32_t turn,
                       struct order_vulkan_drawn *drawn)
{
    struct order_draw plain = one->draw;
    struct drawer replace = {0}, drawer;
    plain.logic = false;
    plain.shape = ORDER_VECTOR;
    for (uint32_t i = 0; i < plain.count; i++)
        plain.attachments[i].blend = (VkPipelineColorBlendAttachmentState){.colorWriteMask = 0xf};
    open_passes(vulkan, &one->draw);
    if (one->contents == ORDER_DRAWN)
        open_drawer(vulkan, &plain, turn, &replace);
    open_drawer(vulkan, &one->draw, turn, &drawer);
    VkCommandBuffer commands = harness_begin(&vulkan->vk);
    record(vulkan, commands, one, &replace, &drawer);
    drawn->result = harness_try_submit(&vulkan->vk, commands);
    memcpy(drawn->attachments, vulkan->readback.map, sizeof(drawn->attachments));
    close_drawer(vulkan, &drawer);
    if (one->contents == ORDER_DRAWN)
        close_drawer(vulkan, &replace);
}
