/* SPDX-License-Identifier: MIT */
#include "chaos/draws.h"

#include <string.h>

#include "harness/drawing/shader_objects.h"

VkPipelineBindPoint draw_point(const struct dispatch *dispatch)
{
    return program_shaders[dispatch->program.shader].compute ? VK_PIPELINE_BIND_POINT_COMPUTE
                                                             : VK_PIPELINE_BIND_POINT_GRAPHICS;
}

const struct pipeline *draw_pipeline(const struct actor *actor, const struct dispatch *dispatch)
{
    const struct store *store = dispatch->pipeline.shared ? &actor->device->shared : &actor->own;
    return &store->pipelines[dispatch->pipeline.index];
}

/* With objects all state that pipelines have; a pipeline that is bound later brings its own. */
void draw_bind_pipeline(const struct recorder *r, VkPipelineBindPoint point, const struct dispatch *dispatch)
{
    static const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT},
                                       compute = VK_SHADER_STAGE_COMPUTE_BIT;
    static const struct harness_target target = {.width = 8, .height = 2};
    const struct pipeline *pipeline = draw_pipeline(r->actor, dispatch);
    const struct harness_vulkan *vk = &r->actor->device->vk;
    if (!pipeline->object) {
        vkCmdBindPipeline(r->handle, point, pipeline->handle);
        return;
    }
    const bool draws = point == VK_PIPELINE_BIND_POINT_GRAPHICS;
    HARNESS_PROC(vk, vkCmdBindShadersEXT)(r->handle, draws ? 2 : 1, draws ? stages : &compute, pipeline->shaders);
    if (draws)
        harness_objects_set_state(vk, &target, 2, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, r->handle);
}

static void begin_rendering(const struct recorder *r, VkRenderingFlags flags, VkCommandBuffer commands)
{
    const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                  .imageView = r->actor->device->target.view,
                                                  .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .flags = flags,
                                  .renderArea = {{0, 0}, {8, 2}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &attachment};
    vkCmdBeginRendering(commands, &info);
}

void draw_work(const struct recorder *r, VkPipelineBindPoint point, bool rendering)
{
    if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
        vkCmdDispatch(r->handle, 1, 1, 1);
        return;
    }
    if (rendering && !r->secondary) {
        begin_rendering(r, 0, r->handle);
        vkCmdDraw(r->handle, 3, 1, 0, 0);
        vkCmdEndRendering(r->handle);
        return;
    }
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = r->actor->device->pass,
                                         .framebuffer = r->actor->device->framebuffer,
                                         .renderArea = {{0, 0}, {8, 2}}};
    if (!r->secondary)
        vkCmdBeginRenderPass(r->handle, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdDraw(r->handle, 3, 1, 0, 0);
    if (!r->secondary)
        vkCmdEndRenderPass(r->handle);
}

/* ---- Secondary command buffers ---- */

void draw_begin_secondary(const struct recorder *r)
{
    const bool draws = r->point == VK_PIPELINE_BIND_POINT_GRAPHICS;
    static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const bool pass = draws && !r->rendering;
    const VkCommandBufferInheritanceInfo inherited = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                      .pNext = draws && r->rendering ? &rendering : NULL,
                                                      .renderPass = pass ? r->actor->device->pass : VK_NULL_HANDLE,
                                                      .framebuffer =
                                                          pass ? r->actor->device->framebuffer : VK_NULL_HANDLE};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags =
                                                draws ? (VkFlags)VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT : 0,
                                            .pInheritanceInfo = &inherited};
    HARNESS_VK(vkBeginCommandBuffer(r->handle, &begin));
}

void draw_execute_secondary(const struct recorder *r)
{
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = r->actor->device->pass,
                                         .framebuffer = r->actor->device->framebuffer,
                                         .renderArea = {{0, 0}, {8, 2}}};
    const bool draws = r->point == VK_PIPELINE_BIND_POINT_GRAPHICS;
    HARNESS_VK(vkEndCommandBuffer(r->handle));
    if (draws && r->rendering)
        begin_rendering(r, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT, r->commands->handle);
    else if (draws)
        vkCmdBeginRenderPass(r->commands->handle, &begin, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(r->commands->handle, 1, &r->handle);
    if (draws && r->rendering)
        vkCmdEndRendering(r->commands->handle);
    else if (draws)
        vkCmdEndRenderPass(r->commands->handle);
    memset(r->commands->bound, 0, sizeof(r->commands->bound));
    r->commands->placed = 0;
}
