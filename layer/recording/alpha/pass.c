/* SPDX-License-Identifier: MIT */
/* The pass that is being recorded, and its attachments without alpha. load.c has load and store operations. */
#include "alpha/pass.h"

#include <string.h>

#include "alpha/change.h"
#include "alpha/load.h"
#include "alpha/order.h"
#include "attachments/attachments.h"
#include "attachments/framebuffer.h"
#include "attachments/render_pass.h"
#include "blend/blend.h"
#include "blend/order.h"
#include "commands/command_buffer.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "objects/track.h"
#include "pipelines/pipeline_order.h"
#include "sampling/format.h"
#include "sampling/image.h"
#include "spirv/outputs.h"
#include "vulkan_clampler.h"

/* ---- The mask ---- */

void pass_set_mask(struct command *command, uint32_t without_alpha, uint32_t used)
{
    static struct message_place said;
    bool disagree;
    command->pass.clears = without_alpha & used;
    const uint32_t mask = blend_mask(without_alpha, used, command->device->caps.blend.independent, &disagree);
    if (disagree) {
        change_all(command, FILLED_MIXED_PASS);
        message_about_once(
            &said, command->device, LOG_WARN, ABOUT({VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle)}),
            "a pass mixes attachments with and without alpha, but the device has no independent blending: "
            "blending reads the alpha that is in memory");
    }
    uint32_t keep = 0, negative = 0;
    for (uint32_t i = 0; mask >> i; i++) {
        if ((mask >> i & 1) && alpha_keeps(command->track, command->pass.formats[i]))
            keep |= 1u << i;
        if ((mask >> i & 1) && alpha_is_negative(command->track, command->pass.formats[i]))
            negative |= 1u << i;
    }
    if (!command->device->caps.blend.independent && keep != mask)
        keep = 0; /* one state for all */
    if (!command->device->caps.blend.independent && negative)
        negative = UINT32_MAX;
    if (negative != command->pass.negative) {
        command->blend.stale = true;
        command->points[POINT_GRAPHICS].dirty = BIND_CHANGED;
    }
    if (mask != command->pass.mask || keep != command->pass.keep || negative != command->pass.negative)
        command->blend.solved_for = NULL;
    if (mask != command->pass.mask || keep != command->pass.keep)
        command->points[POINT_GRAPHICS].dirty = BIND_CHANGED;
    command->pass.mask = mask;
    command->pass.keep = keep;
    command->pass.negative = negative;
}

/* ---- The attachments of the pass ---- */

static void free_memory(struct command *command, struct pass_memory *memory)
{
    object_free(command->track, NULL, memory->targets, memory->capacity * sizeof(*memory->targets));
    object_free(command->track, NULL, memory->clears, memory->capacity * sizeof(*memory->clears));
}

static bool take_memory(struct command *command, uint32_t capacity)
{
    struct pass_memory memory = {
        .capacity = capacity,
        .targets = object_alloc(command->track, NULL, capacity * sizeof(*memory.targets)),
        .clears = object_alloc(command->track, NULL, capacity * sizeof(*memory.clears)),
    };
    struct pass_memory *replaced = memory.targets && memory.clears ? &command->pass_memory : &memory;
    const bool done = replaced != &memory;
    free_memory(command, replaced);
    if (done)
        command->pass_memory = memory;
    return done;
}

bool pass_init(struct command *command)
{
    enum { USUAL_ATTACHMENTS = 16 };
    return take_memory(command, USUAL_ATTACHMENTS);
}

void pass_finish(struct command *command)
{
    free_memory(command, &command->pass_memory);
}

void pass_reset(struct command *command)
{
    command->pass = (struct pass_state){0};
    command->orders = (struct order_pass){0};
}

/* Targets without views. False with command->error set where there is no memory. */
static bool open_targets(struct command *command, uint32_t count)
{
    if (count > command->pass_memory.capacity && !take_memory(command, count)) {
        command->error = VK_ERROR_OUT_OF_HOST_MEMORY;
        return false;
    }
    memset(command->pass_memory.targets, 0, count * sizeof(*command->pass_memory.targets));
    command->pass.target_count = count;
    return true;
}

/* ---- Orders of channels ---- */

/* Colour attachment i of what is drawn to. */
static void add_order(struct order_pass *orders, uint32_t i, const struct view *view)
{
    orders->used |= 1u << i;
    if (!view)
        return;
    orders->formats[i] = view->facts.format;
    orders->orders[i] = view->attachment.order;
    orders->moved |= view->attachment.order ? 1u << i : 0;
}

static void add_input(struct command *command, struct order_pass *orders, uint32_t index, uint32_t order)
{
    const struct channel_order read = order_of_key(order);
    if (!order)
        return;
    if (index >= SPIRV_INPUTS) {
        order_refuse(command, "vkCmdBeginRenderPass",
                     "an input attachment behind the eighth has its channels in another order");
        return;
    }
    orders->inputs[index] = order_input(&read);
    orders->inputs_moved |= orders->inputs[index] != 0;
}

static uint32_t order_of(const struct command *command, uint32_t attachment)
{
    const struct view *view = pass_view(command, attachment);
    return view ? view->attachment.order : 0;
}

/* A resolve copies channels as they are. */
static void check_resolve(struct command *command, const char *call, uint32_t from, uint32_t to)
{
    if (from != to)
        order_refuse(command, call, "a resolve attachment has its channels in another order than what is resolved");
}

static void check_resolves(struct command *command, const struct subpass_facts *subpass)
{
    for (uint32_t i = 0; i < subpass->color_count; i++) {
        if (pass_view(command, subpass->colors[i]) && pass_view(command, subpass->resolves[i]))
            check_resolve(command, "vkCmdBeginRenderPass", order_of(command, subpass->colors[i]),
                          order_of(command, subpass->resolves[i]));
    }
}

/* The colour attachments of the subpass that is recorded. */
static void set_subpass(struct command *command)
{
    struct pass_state *state = &command->pass;
    uint32_t without_alpha = 0, used = 0;
    struct order_pass orders;
    memset(&orders, 0, sizeof(orders));
    if (state->pass && state->subpass < state->pass->subpass_count) {
        const struct subpass_facts *subpass = &state->pass->subpasses[state->subpass];
        for (uint32_t i = 0; i < subpass->color_count; i++) {
            const uint32_t attachment = subpass->colors[i];
            if (attachment == VK_ATTACHMENT_UNUSED)
                continue;
            used |= 1u << i;
            add_order(&orders, i, pass_view(command, attachment));
            if (!pass_view_is_one(command, attachment))
                continue;
            without_alpha |= 1u << i;
            const uint32_t format = state->pass->attachments[attachment].with_alpha;
            state->formats[i] = format ? blend_format_at(format - 1) : NULL;
        }
        for (uint32_t i = 0; i < subpass->input_count; i++)
            add_input(command, &orders, i, order_of(command, subpass->inputs[i]));
        check_resolves(command, subpass);
    }
    pass_set_mask(command, without_alpha, used);
    order_set(command, &orders);
}

/* ---- Inheritance ---- */

static void say_unknown(struct command *command)
{
    static struct message_place said;
    message_about_once(
        &said, command->device, LOG_WARN, ABOUT({VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle)}),
        "a secondary command buffer does not say which attachments have no alpha (neither a framebuffer nor "
        "VkCommandBufferInheritanceGLStateCLAMPLER): all count as having one");
}

/*
 * The attachments that the setting makes without alpha, by their formats. *open: another attachment may have no alpha,
 * depending on its view.
 */
static uint32_t mask_of_formats(const struct track *track, const VkFormat *formats, uint32_t count, uint32_t *used,
                                bool *open)
{
    uint32_t mask = 0;
    *used = 0;
    for (uint32_t i = 0; i < count && i < COLOR_ATTACHMENTS; i++) {
        if (formats[i] == VK_FORMAT_UNDEFINED)
            continue;
        *used |= 1u << i;
        if (alpha_by_format(track, formats[i]))
            mask |= 1u << i;
        else
            *open |= alpha_possible(track, formats[i]);
    }
    return mask;
}

static struct order_numbers *numbers_of(struct command *command)
{
    if (!command->pass.numbered)
        command->pass.numbers = order_numbers_own();
    command->pass.numbered = true;
    return &command->pass.numbers;
}

/* The order of an input attachment: by the framebuffer, where it is known, else as a colour attachment's. */
static uint32_t inherited_input(const struct subpass_facts *subpass, const struct framebuffer *framebuffer,
                                const struct order_pass *orders, uint32_t attachment)
{
    if (framebuffer && attachment < framebuffer->count)
        return framebuffer->views[attachment] ? framebuffer->views[attachment]->attachment.order : 0;
    for (uint32_t i = 0; i < subpass->color_count && attachment != VK_ATTACHMENT_UNUSED; i++) {
        if (subpass->colors[i] == attachment)
            return orders->orders[i];
    }
    return 0;
}

/* `subpass`: NULL in dynamic rendering, where input attachment i is colour attachment i. */
static void inherit_channels(struct command *command, const VkCommandBufferInheritanceGLChannelOrderCLAMPLER *channels,
                             const VkFormat *formats, uint32_t count, uint32_t used,
                             const struct subpass_facts *subpass, const struct framebuffer *framebuffer)
{
    uint32_t without_alpha = 0;
    struct order_pass orders;
    memset(&orders, 0, sizeof(orders));
    orders.used = used;
    for (uint32_t i = 0; i < count; i++) {
        struct channel_order order;
        const char *why;
        if (!(used >> i & 1))
            continue;
        orders.formats[i] = formats[i];
        const VkGLAttachmentChannelsCLAMPLER *given =
            i < channels->colorAttachmentCount ? &channels->pColorAttachments[i] : NULL;
        if (!given)
            continue;
        if (order_make(given->baseFormat, &given->channels, formats[i], true, &order, &why) != ORDER_MADE)
            order_refuse(command, "vkBeginCommandBuffer", why);
        if (!order_is_natural(&order)) {
            orders.orders[i] = order_key(&order);
            orders.moved |= 1u << i;
        } else if (given->baseFormat && order.at[3] == ORDER_ONE && blend_format(formats[i])) {
            without_alpha |= 1u << i;
        }
    }
    orders.local = !subpass;
    for (uint32_t i = 0; subpass && i < subpass->input_count; i++)
        add_input(command, &orders, i, inherited_input(subpass, framebuffer, &orders, subpass->inputs[i]));
    pass_set_mask(command, without_alpha, used);
    order_set(command, &orders);
}

void pass_inherit(struct command *command, const VkCommandBufferInheritanceInfo *info)
{
    struct track *track = command->track;
    const VkCommandBufferInheritanceGLStateCLAMPLER *given =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER);
    const VkCommandBufferInheritanceRenderingInfo *rendering =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    const struct render_pass *pass = render_pass_find(track, info->renderPass);
    const struct framebuffer *framebuffer = framebuffer_find(track, info->framebuffer);
    VkFormat formats[COLOR_ATTACHMENTS] = {VK_FORMAT_UNDEFINED};
    uint32_t count = 0, used;
    bool open = false;
    if (pass && info->subpass < pass->subpass_count) {
        const struct subpass_facts *subpass = &pass->subpasses[info->subpass];
        count = subpass->color_count;
        for (uint32_t i = 0; i < count; i++) {
            if (subpass->colors[i] < pass->attachment_count)
                formats[i] = pass->attachments[subpass->colors[i]].format;
        }
    } else if (!info->renderPass && rendering) {
        count =
            rendering->colorAttachmentCount < COLOR_ATTACHMENTS ? rendering->colorAttachmentCount : COLOR_ATTACHMENTS;
        if (count)
            memcpy(formats, rendering->pColorAttachmentFormats, count * sizeof(*formats));
    }
    const VkCommandBufferInheritanceGLChannelOrderCLAMPLER *channels =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER);
    command->pass.remapped = pnext_find(info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR);
    order_numbers_chained(info->pNext, numbers_of(command));
    const uint32_t by_format = mask_of_formats(track, formats, count, &used, &open);
    for (uint32_t i = 0; i < count; i++)
        command->pass.formats[i] = blend_format(formats[i]);
    if (channels && command->device->caps.enabled.alphaToOneAttachments) {
        inherit_channels(command, channels, formats, count, used,
                         pass && info->subpass < pass->subpass_count ? &pass->subpasses[info->subpass] : NULL,
                         framebuffer);
    } else if (given && command->device->caps.enabled.alphaToOneAttachments) {
        pass_set_mask(command, given->alphaToOneMask, used);
    } else if (pass && framebuffer && framebuffer->count) {
        command->pass.pass = pass;
        command->pass.subpass = info->subpass;
        if (open_targets(command, framebuffer->count)) {
            for (uint32_t i = 0; i < framebuffer->count; i++)
                command->pass_memory.targets[i].view = framebuffer->views[i];
        }
        set_subpass(command);
    } else {
        if (open) {
            change_all(command, FILLED_UNKNOWING_PASS);
            say_unknown(command);
        }
        pass_set_mask(command, by_format, used);
    }
}

/* ---- Render passes ---- */

/*
 * The attachments' views become the targets: those of the framebuffer, or, for an imageless one, those given here.
 * `layers`: of the framebuffer.
 */
static void bind_views(struct command *command, const VkRenderPassBeginInfo *info, uint32_t *layers)
{
    struct track *track = command->track;
    const struct framebuffer *framebuffer = framebuffer_find(track, info->framebuffer);
    const VkRenderPassAttachmentBeginInfo *given =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    const bool imageless = !framebuffer || !framebuffer->count;
    const uint32_t count = !imageless ? framebuffer->count : given ? given->attachmentCount : 0;
    *layers = framebuffer ? framebuffer->layers : 0;
    if (!open_targets(command, count))
        return;
    for (uint32_t i = 0; i < count; i++)
        command->pass_memory.targets[i].view =
            imageless ? view_find(track, given->pAttachments[i]) : framebuffer->views[i];
}

static const VkRenderPassBeginInfo *begin_pass(struct command *command, const VkRenderPassBeginInfo *info,
                                               VkRenderPassBeginInfo *begin)
{
    if (!command)
        return info;
    uint32_t layers;
    const struct render_pass *pass = render_pass_find(command->track, info->renderPass);
    command->pass = (struct pass_state){
        .pass = pass, .mask = command->pass.mask, .keep = command->pass.keep, .negative = command->pass.negative};
    bind_views(command, info, &layers);
    if (pass)
        info = load_pass(command, layers, info, begin);
    set_subpass(command);
    return info;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginRenderPass(VkCommandBuffer commandBuffer,
                                                   const VkRenderPassBeginInfo *pRenderPassBegin,
                                                   VkSubpassContents contents)
{
    VkRenderPassBeginInfo begin;
    const VkRenderPassBeginInfo *info = begin_pass(command_of(commandBuffer), pRenderPassBegin, &begin);
    device_of(commandBuffer)->next.CmdBeginRenderPass(commandBuffer, info, contents);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginRenderPass2(VkCommandBuffer commandBuffer,
                                                    const VkRenderPassBeginInfo *pRenderPassBegin,
                                                    const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    VkRenderPassBeginInfo begin;
    const VkRenderPassBeginInfo *info = begin_pass(command_of(commandBuffer), pRenderPassBegin, &begin);
    device_of(commandBuffer)->next.CmdBeginRenderPass2(commandBuffer, info, pSubpassBeginInfo);
}

static void next_subpass(struct command *command)
{
    if (!command)
        return;
    command->pass.subpass++;
    set_subpass(command);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdNextSubpass(VkCommandBuffer commandBuffer, VkSubpassContents contents)
{
    next_subpass(command_of(commandBuffer));
    device_of(commandBuffer)->next.CmdNextSubpass(commandBuffer, contents);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdNextSubpass2(VkCommandBuffer commandBuffer,
                                                const VkSubpassBeginInfo *pSubpassBeginInfo,
                                                const VkSubpassEndInfo *pSubpassEndInfo)
{
    next_subpass(command_of(commandBuffer));
    device_of(commandBuffer)->next.CmdNextSubpass2(commandBuffer, pSubpassBeginInfo, pSubpassEndInfo);
}

/* After the driver's command: nothing is being rendered any more. */
static void end_pass(struct command *command)
{
    if (!command)
        return;
    load_end(command);
    command->pass =
        (struct pass_state){.mask = command->pass.mask, .keep = command->pass.keep, .negative = command->pass.negative};
    pass_set_mask(command, 0, 0);
    order_set(command, &(struct order_pass){.used = 0});
}

VKAPI_ATTR void VKAPI_CALL hook_CmdEndRenderPass(VkCommandBuffer commandBuffer)
{
    device_of(commandBuffer)->next.CmdEndRenderPass(commandBuffer);
    end_pass(command_of(commandBuffer));
}

VKAPI_ATTR void VKAPI_CALL hook_CmdEndRenderPass2(VkCommandBuffer commandBuffer,
                                                  const VkSubpassEndInfo *pSubpassEndInfo)
{
    device_of(commandBuffer)->next.CmdEndRenderPass2(commandBuffer, pSubpassEndInfo);
    end_pass(command_of(commandBuffer));
}

/* ---- Dynamic rendering ---- */

struct rendering {
    VkRenderingInfo info;
    VkRenderingAttachmentInfo colors[COLOR_ATTACHMENTS];
};

/* One colour attachment of a rendering; returns whether it has no alpha. */
static bool begin_color(struct command *command, const VkRenderingInfo *info, uint32_t index,
                        VkRenderingAttachmentInfo *color)
{
    struct pass_state *state = &command->pass;
    if (!color->imageView)
        return false; /* all else is ignored */
    struct view *view = view_find(command->track, color->imageView);
    struct view *target =
        color->resolveMode != VK_RESOLVE_MODE_NONE ? view_find(command->track, color->resolveImageView) : NULL;
    if (!view)
        return false;
    if (target && color->resolveMode != RESOLVE_MODE_CUSTOM)
        check_resolve(command, "vkCmdBeginRendering", view->attachment.order, target->attachment.order);
    load_color(command, info, index, view, target, color);
    if (view->attachment.one)
        state->formats[index] = view->attachment.format;
    return view->attachment.one;
}

/*
 * Suspended and resumed parts of one rendering get the same changes, as they must. Blend state goes by the attachment's
 * index, so that remapped locations change nothing here.
 */
static const VkRenderingInfo *begin_rendering(struct command *command, const VkRenderingInfo *info,
                                              struct rendering *begin)
{
    if (!command)
        return info;
    uint32_t used = 0, without_alpha = 0;
    struct order_pass orders;
    memset(&orders, 0, sizeof(orders));
    command->pass =
        (struct pass_state){.mask = command->pass.mask, .keep = command->pass.keep, .negative = command->pass.negative};
    const uint32_t count = info->colorAttachmentCount <= COLOR_ATTACHMENTS ? info->colorAttachmentCount : 0;
    if (!open_targets(command, count))
        return info;
    for (uint32_t i = 0; i < count; i++) {
        begin->colors[i] = info->pColorAttachments[i];
        used |= begin->colors[i].imageView ? 1u << i : 0;
        if (begin_color(command, info, i, &begin->colors[i]))
            without_alpha |= 1u << i;
        const struct view *view =
            begin->colors[i].imageView ? view_find(command->track, begin->colors[i].imageView) : NULL;
        if (begin->colors[i].imageView)
            add_order(&orders, i, view);
    }
    for (uint32_t i = 0; (info->flags & VK_RENDERING_SUSPENDING_BIT) && i < count; i++)
        command->pass_memory.targets[i].resolved = false; /* it is at the end of the last part */
    orders.local = true;
    pass_set_mask(command, without_alpha, used);
    order_set(command, &orders);
    if (!without_alpha && !orders.moved)
        return info;
    begin->info = *info;
    begin->info.pColorAttachments = begin->colors;
    return &begin->info;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginRendering(VkCommandBuffer commandBuffer, const VkRenderingInfo *pRenderingInfo)
{
    struct rendering begin;
    const VkRenderingInfo *info = begin_rendering(command_of(commandBuffer), pRenderingInfo, &begin);
    device_of(commandBuffer)->next.CmdBeginRendering(commandBuffer, info);
}

/* From here on draws write the resolve targets, which a secondary command buffer does not know. */
VKAPI_ATTR void VKAPI_CALL hook_CmdBeginCustomResolveEXT(VkCommandBuffer commandBuffer,
                                                         const VkBeginCustomResolveInfoEXT *pBeginCustomResolveInfo)
{
    struct command *command = command_of(commandBuffer);
    device_of(commandBuffer)->next.CmdBeginCustomResolveEXT(commandBuffer, pBeginCustomResolveInfo);
    if (!command || !command->pass.target_count)
        return;
    uint32_t used = 0, without_alpha = 0;
    struct order_pass orders;
    memset(&orders, 0, sizeof(orders));
    orders.local = true;
    for (uint32_t i = 0; i < command->pass.target_count && i < COLOR_ATTACHMENTS; i++) {
        const struct view *view = command->pass_memory.targets[i].drawn;
        if (view)
            add_order(&orders, i, view);
        command->pass.formats[i] = view && view->attachment.one ? view->attachment.format : NULL;
        used |= view ? 1u << i : 0;
        without_alpha |= view && view->attachment.one ? 1u << i : 0;
    }
    pass_set_mask(command, without_alpha, used);
    order_set(command, &orders);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdEndRendering(VkCommandBuffer commandBuffer)
{
    device_of(commandBuffer)->next.CmdEndRendering(commandBuffer);
    end_pass(command_of(commandBuffer));
}

VKAPI_ATTR void VKAPI_CALL hook_CmdEndRendering2EXT(VkCommandBuffer commandBuffer,
                                                    const VkRenderingEndInfoEXT *pRenderingEndInfo)
{
    device_of(commandBuffer)->next.CmdEndRendering2EXT(commandBuffer, pRenderingEndInfo);
    end_pass(command_of(commandBuffer));
}

/*
 * Output i of a fragment shader is not attachment i then, so that a shader object gets no variant that writes alpha
 * (blend_shader_key). Pipelines have the mapping in their chain.
 */
VKAPI_ATTR void VKAPI_CALL hook_CmdSetRenderingAttachmentLocationsKHR(
    VkCommandBuffer commandBuffer, const VkRenderingAttachmentLocationInfoKHR *pLocationInfo)
{
    struct command *command = command_of(commandBuffer);
    if (command) {
        command->pass.remapped = true;
        order_numbers_read(pLocationInfo->pColorAttachmentLocations, pLocationInfo->colorAttachmentCount,
                           numbers_of(command)->locations);
        blend_set_stale(command);
    }
    device_of(commandBuffer)->next.CmdSetRenderingAttachmentLocationsKHR(commandBuffer, pLocationInfo);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetRenderingInputAttachmentIndicesKHR(
    VkCommandBuffer commandBuffer, const VkRenderingInputAttachmentIndexInfoKHR *pInputAttachmentIndexInfo)
{
    struct command *command = command_of(commandBuffer);
    if (command) {
        order_numbers_read(pInputAttachmentIndexInfo->pColorAttachmentInputIndices,
                           pInputAttachmentIndexInfo->colorAttachmentCount, numbers_of(command)->inputs);
        blend_set_stale(command);
    }
    device_of(commandBuffer)->next.CmdSetRenderingInputAttachmentIndicesKHR(commandBuffer, pInputAttachmentIndexInfo);
}
