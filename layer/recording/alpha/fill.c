/* SPDX-License-Identifier: MIT */
/*
 * Draws alpha 1 into views. A fill is recorded outside of passes, and restores the program's bindings and state.
 * change.h decides when one is needed.
 */
#include "alpha/fill.h"

#include "alpha/pass.h"
#include "attachments/fill_view.h"
#include "commands/command_buffer.h"
#include "commands/dynamic_state.h"
#include "objects/track.h"

void fill_move(const struct command *command, VkImage image, const VkImageSubresourceRange *range, VkImageLayout before,
               VkImageLayout after)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = all,
                                          .dstAccessMask = all,
                                          .oldLayout = before,
                                          .newLayout = after,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image,
                                          .subresourceRange = *range};
    command->device->next.CmdPipelineBarrier(command->handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* Restores the program's bindings and state, but for those that every draw sets. */
static void restore(struct command *command)
{
    struct bind_point *point = &command->points[POINT_GRAPHICS];
    dynamic_state_restore(command);
    blend_restore(command);
    if (point->driver.group)
        command->device->next.CmdBindPipelineShaderGroupNV(command->handle, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                                           point->driver.pipeline, point->driver.group - 1);
    else if (point->driver.pipeline)
        command->device->next.CmdBindPipeline(command->handle, VK_PIPELINE_BIND_POINT_GRAPHICS, point->driver.pipeline);
    if (point->shaders)
        shaders_rebind(command, point_stages(POINT_GRAPHICS));
    point->dirty = BIND_CHANGED;
}

/*
 * Images in VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR stay in it, because Vulkan allows no transition from it (VkImageLayout).
 */
static VkImageLayout layout_between(VkImageLayout before, VkImageLayout after)
{
    return before == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR && after == before ? before
                                                                           : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
}

static void begin_layer(const struct command *command, const struct fill *fill, const struct fill_layer *layer,
                        VkImageLayout layout)
{
    const bool shared = layout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR && fill->kind->shared;
    const VkRect2D area = {{0, 0}, fill->extent};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = shared ? fill->kind->shared : fill->kind->pass,
                                         .framebuffer = layer->framebuffer,
                                         .renderArea = area};
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = layer->view,
                                             .imageLayout = layout,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                             .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = area,
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &color};
    if (fill->kind->pass)
        command->device->next.CmdBeginRenderPass(command->handle, &begin, VK_SUBPASS_CONTENTS_INLINE);
    else
        command->device->next.CmdBeginRendering(command->handle, &rendering);
}

static void end_layer(const struct command *command, const struct fill *fill)
{
    if (fill->kind->pass)
        command->device->next.CmdEndRenderPass(command->handle);
    else
        command->device->next.CmdEndRendering(command->handle);
}

void fill_record(struct command *command, struct fill *fill, VkImageLayout before, VkImageLayout after)
{
    const struct device *device = command->device;
    const struct fill_layer *layers = NULL;
    const VkResult result = fill->layer_count ? fill_layers(command->track, fill, &layers) : VK_SUCCESS;
    if (result != VK_SUCCESS) {
        command->error = result;
        return;
    }
    const VkImageLayout between = layout_between(before, after);
    const VkRect2D area = {{0, 0}, fill->extent};
    const VkViewport viewport = {0, 0, (float)fill->extent.width, (float)fill->extent.height, 0, 1};
    condition_suspend(command);
    fill_move(command, fill->view.image, &fill->range, before, between);
    for (uint32_t i = 0; i < fill->layer_count; i++) {
        begin_layer(command, fill, &layers[i], between);
        device->next.CmdBindPipeline(command->handle, VK_PIPELINE_BIND_POINT_GRAPHICS, fill->kind->pipeline);
        device->next.CmdSetViewport(command->handle, 0, 1, &viewport);
        device->next.CmdSetScissor(command->handle, 0, 1, &area);
        device->next.CmdDraw(command->handle, 3, 1, 0, 0);
        end_layer(command, fill);
    }
    fill_move(command, fill->view.image, &fill->range, between, after);
    restore(command);
    condition_resume(command);
    count(&command->track->counters.alpha_fills, 1);
}
