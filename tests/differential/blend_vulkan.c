/* SPDX-License-Identifier: MIT */
#include "differential/blend_voices.h"

#include <string.h>

#include "blend_source_dual.h"
#include "blend_source_integer.h"
#include "blend_source_plain.h"
#include "blend_source_special.h"
#include "gl/gl_tokens.h"

enum { GL_BASE_RGB = TOKEN_RGB, GL_BASE_RGBA = TOKEN_RGBA };

static struct harness_spirv shader_of(const struct blend_draw *draw)
{
    if (draw->family == BLEND_UINT8)
        return HARNESS_SPIRV(blend_source_integer);
    if (draw->family == BLEND_SPECIAL16)
        return HARNESS_SPIRV(blend_source_special);
    return blend_reads_second(draw) ? HARNESS_SPIRV(blend_source_dual) : HARNESS_SPIRV(blend_source_plain);
}

static bool can_draw(struct harness_vulkan *vk, enum blend_family family)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(vk->physical, blend_family(family)->format, &properties);
    const VkFormatFeatureFlags wanted =
        family == BLEND_UINT8 ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT : VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
    return properties.optimalTilingFeatures & wanted;
}

static void open_target(struct blend_vulkan *vulkan, enum blend_family family, bool alpha, bool native)
{
    struct harness_vulkan *vk = &vulkan->vk;
    const VkFormat format = blend_family(family)->format;
    struct harness_image *image = &vulkan->targets[family][alpha].image;
    blending_image_create(vk, image,
                          &(struct blending_image_params){.format = format,
                                                          .width = BLEND_SIZE,
                                                          .height = BLEND_SIZE,
                                                          .base_format = native  ? 0
                                                                         : alpha ? (uint32_t)GL_BASE_RGBA
                                                                                 : (uint32_t)GL_BASE_RGB},
                          NULL);
    struct blending_pass_params params = {.style = BLENDING_PASS,
                                          .count = 1,
                                          .views = {image->view},
                                          .formats = {format},
                                          .width = BLEND_SIZE,
                                          .height = BLEND_SIZE,
                                          .load = VK_ATTACHMENT_LOAD_OP_LOAD};
    blending_pass_create(vk, &vulkan->targets[family][alpha].load, &params);
    params.load = VK_ATTACHMENT_LOAD_OP_CLEAR;
    blending_pass_create(vk, &vulkan->targets[family][alpha].clear, &params);
    vulkan->targets[family][alpha].replace =
        blend_vulkan_pipeline(vulkan, &(struct blend_draw){.family = family, .mask = 0xf});
}

void blend_vulkan_open(struct blend_vulkan *vulkan, const char *layers)
{
    struct harness_vulkan *vk = &vulkan->vk;
    static const VkPhysicalDeviceFeatures features = {.independentBlend = VK_TRUE},
                                          wanted = {.dualSrcBlend = VK_TRUE, .logicOp = VK_TRUE};
    *vulkan = (struct blend_vulkan){.layout = VK_NULL_HANDLE};
    harness_vulkan_open(
        vk,
        &(struct harness_vulkan_params){
            .layers = layers, .gl_sampler = layers, .alpha_to_one = layers, .features = &features, .wanted = &wanted});
    vulkan->layout = harness_pipeline_layout(vk, NULL, 0, 0);
    harness_buffer_create(vk, &vulkan->readback, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 2 * sizeof(struct blend_pixels),
                          NULL);
    for (enum blend_family family = BLEND_UNORM8; family < BLEND_FAMILIES; family++) {
        struct blend_pixels texels;
        vulkan->drawable[family] = can_draw(vk, family);
        if (!vulkan->drawable[family])
            continue;
        blend_texels(family, &texels);
        harness_buffer_create(vk, &vulkan->upload[family], VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                              BLEND_PIXELS * blend_family(family)->texel_size, &texels);
        open_target(vulkan, family, false, !layers);
        open_target(vulkan, family, true, !layers);
    }
}

void blend_vulkan_close(struct blend_vulkan *vulkan)
{
    struct harness_vulkan *vk = &vulkan->vk;
    for (enum blend_family family = BLEND_UNORM8; family < BLEND_FAMILIES; family++) {
        for (unsigned alpha = 0; alpha < 2 && vulkan->drawable[family]; alpha++) {
            vkDestroyPipeline(vk->device, vulkan->targets[family][alpha].replace, NULL);
            blending_pass_destroy(vk, &vulkan->targets[family][alpha].load);
            blending_pass_destroy(vk, &vulkan->targets[family][alpha].clear);
            harness_image_destroy(vk, &vulkan->targets[family][alpha].image);
        }
        if (vulkan->drawable[family])
            harness_buffer_destroy(vk, &vulkan->upload[family]);
    }
    harness_buffer_destroy(vk, &vulkan->readback);
    vkDestroyPipelineLayout(vk->device, vulkan->layout, NULL);
    harness_vulkan_close(vk);
}

const char *blend_vulkan_lacks(const struct blend_vulkan *vulkan, const struct blend_draw *draw)
{
    if (draw->logic && !vulkan->vk.features.logicOp)
        return "logicOp";
    return blend_reads_second(draw) && !vulkan->vk.features.dualSrcBlend ? "dualSrcBlend" : NULL;
}

VkPipeline blend_vulkan_pipeline(struct blend_vulkan *vulkan, const struct blend_draw *draw)
{
    struct blending_pipeline_params params = {.fragment = shader_of(draw),
                                              .layout = vulkan->layout,
                                              .logic = draw->logic,
                                              .logic_op = draw->logic_op,
                                              .states = {{draw->blends, draw->source, draw->destination, draw->op,
                                                          draw->destination, draw->source, draw->op, draw->mask}}};
    memcpy(params.constants, blend_constants, sizeof(params.constants));
    return blending_pipeline(&vulkan->vk, &vulkan->targets[draw->family][0].load, &params);
}

static void wait_for_all(VkCommandBuffer commands)
{
    harness_barrier(commands);
}

static void draw_with(const struct blending_pass *pass, VkCommandBuffer commands, const VkClearColorValue *color,
                      VkPipeline pipeline)
{
    blending_pass_begin(pass, commands, color, VK_SUBPASS_CONTENTS_INLINE);
    if (pipeline) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    blending_pass_end(pass, commands);
}

static void copy_out(struct blend_vulkan *vulkan, VkCommandBuffer commands, VkImage image, VkDeviceSize offset)
{
    const VkBufferImageCopy region = {.bufferOffset = offset,
                                      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {BLEND_SIZE, BLEND_SIZE, 1}};
    wait_for_all(commands);
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, vulkan->readback.buffer, 1, &region);
    wait_for_all(commands);
}

void blend_vulkan_draw(struct blend_vulkan *vulkan, const struct blend_case *one, VkPipeline pipeline,
                       struct blend_pixels *before, struct blend_pixels *after)
{
    struct harness_vulkan *vk = &vulkan->vk;
    const enum blend_family family = one->draw.family;
    const VkImage image = vulkan->targets[family][one->alpha].image.image;
    const struct blending_pass *load = &vulkan->targets[family][one->alpha].load,
                               *clear = &vulkan->targets[family][one->alpha].clear;
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {BLEND_SIZE, BLEND_SIZE, 1}};
    VkClearColorValue color;
    if (family == BLEND_UINT8)
        memcpy(color.uint32, blend_clear_integers, sizeof(color.uint32));
    else
        memcpy(color.float32, blend_clear_color, sizeof(color.float32));
    VkCommandBuffer commands = harness_begin(vk);
    if (one->contents != BLEND_CLEARED) /* noise below what is drawn, as well */
        vkCmdCopyBufferToImage(commands, vulkan->upload[family].buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    wait_for_all(commands);
    if (one->contents == BLEND_CLEARED)
        draw_with(clear, commands, &color, VK_NULL_HANDLE);
    else if (one->contents == BLEND_DRAWN)
        draw_with(load, commands, NULL, vulkan->targets[family][one->alpha].replace);
    copy_out(vulkan, commands, image, 0);
    draw_with(load, commands, NULL, pipeline);
    copy_out(vulkan, commands, image, sizeof(*before));
    harness_submit(vk, commands);
    memcpy(before, vulkan->readback.map, sizeof(*before));
    memcpy(after, (const char *)vulkan->readback.map + sizeof(*before), sizeof(*after));
}

void blend_vulkan_control(struct blend_vulkan *native, const struct blend_case *one, const struct blend_pixels *before,
                          struct blend_pixels *after)
{
    struct harness_vulkan *vk = &native->vk;
    const enum blend_family family = one->draw.family;
    const VkDeviceSize bytes = BLEND_PIXELS * blend_family(family)->texel_size;
    const VkImage image = native->targets[family][one->alpha].image.image;
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {BLEND_SIZE, BLEND_SIZE, 1}};
    struct blend_pixels memory = *before;
    struct blend_draw draw = one->draw;
    struct harness_buffer upload;
    if (!one->alpha) {
        blend_set_alpha_one(family, &memory);
        draw.mask &= ~(VkColorComponentFlags)VK_COLOR_COMPONENT_A_BIT;
    }
    VkPipeline pipeline = blend_vulkan_pipeline(native, &draw);
    harness_buffer_create(vk, &upload, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, bytes, &memory);
    VkCommandBuffer commands = harness_begin(vk);
    vkCmdCopyBufferToImage(commands, upload.buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    wait_for_all(commands);
    draw_with(&native->targets[family][one->alpha].load, commands, NULL, pipeline);
    copy_out(native, commands, image, 0);
    harness_submit(vk, commands);
    memcpy(after, native->readback.map, sizeof(*after));
    harness_buffer_destroy(vk, &upload);
    vkDestroyPipeline(vk->device, pipeline, NULL);
}
