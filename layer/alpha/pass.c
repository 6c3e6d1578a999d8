/* SPDX-License-Identifier: MIT */
/*
 * Which attachments are alpha-to-one, and the pass that is being recorded. What load operations store is chosen here:
 * clears write alpha 1, and contents that need not be loaded are cleared for the sake of their alpha.
 */
#include "alpha/pass.h"

#include <string.h>

#include "alpha/alpha.h"
#include "alpha/fill.h"
#include "attachments/attachments.h"
#include "attachments/render_pass.h"
#include "blend/blend.h"
#include "commands/command_buffer.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "gl/gl_tokens.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/format.h"
#include "sampling/image.h"
#include "vulkan_clampler.h"

/* VK_ATTACHMENT_LOAD_OP_NONE_EXT (VK_EXT_load_store_op_none): contents stay as they are. */
#define ATTACHMENT_LOAD_OP_NONE ((VkAttachmentLoadOp)1000400000)

/* ---- Views ---- */

bool attachment_view(struct track *track, struct image *image, VkFormat format, uint32_t base_format,
                     struct attachment_view *attachment)
{
    *attachment = (struct attachment_view){.image = image};
    if (!track->device->alpha_to_one)
        return false;
    const bool by_view = track->device->enabled.alphaToOneAttachments;
    attachment->format = blend_format(format);
    attachment->refused = by_view && base_format == TOKEN_ALPHA && !attachment->format;
    if (!attachment->format)
        return false;
    attachment->one = (by_view && blend_base_without_alpha(base_format)) || alpha_by_format(track, format) ||
                      (track->attachments->alpha_setting.swapchain && image && image->swapchain);
    if (attachment->one) {
        atomic_store(&track->attachments->alpha_seen, true);
        atomic_fetch_or_explicit(&track->attachments->formats_seen,
                                 UINT64_C(1) << blend_format_index(attachment->format), memory_order_relaxed);
    }
    if (image)
        atomic_store_explicit(attachment->one ? &image->alpha_views : &image->plain_views, true, memory_order_relaxed);
    return attachment->one;
}

/* ---- The mask ---- */

void pass_set_mask(struct command *command, uint32_t alpha_to_one, uint32_t used)
{
    static struct message_place said;
    bool disagree;
    command->pass.clears = alpha_to_one & used;
    const uint32_t mask = blend_mask(alpha_to_one, used, command->device->blend.independent, &disagree);
    if (disagree)
        message_about_once(
            &said, command->device, LOG_WARN, ABOUT({VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle)}),
            "a pass mixes attachments with and without alpha, but the device has no independent blending: "
            "blending reads the alpha that is in memory");
    uint32_t keep = 0;
    for (uint32_t i = 0; mask >> i; i++) {
        if ((mask >> i & 1) && alpha_keeps(command->track, command->pass.formats[i]))
            keep |= 1u << i;
    }
    if (!command->device->blend.independent && keep != mask)
        keep = 0; /* one state for all */
    if (mask != command->pass.mask || keep != command->pass.keep)
        command->points[POINT_GRAPHICS].dirty = BIND_CHANGED;
    command->pass.mask = mask;
    command->pass.keep = keep;
}

void pass_reset(struct command *command)
{
    command->pass = (struct pass_state){0};
}

/* The colour attachments of the subpass that is recorded. */
static void set_subpass(struct command *command)
{
    struct pass_state *state = &command->pass;
    uint32_t alpha_to_one = 0, used = 0;
    if (state->pass && state->subpass < state->pass->subpass_count) {
        const struct subpass_facts *subpass = &state->pass->subpasses[state->subpass];
        for (uint32_t i = 0; i < subpass->color_count; i++) {
            const uint32_t attachment = subpass->colors[i];
            if (attachment == VK_ATTACHMENT_UNUSED)
                continue;
            used |= 1u << i;
            if (attachment >= PASS_ATTACHMENTS || !(state->alpha >> attachment & 1))
                continue;
            alpha_to_one |= 1u << i;
            const uint32_t format = state->pass->attachments[attachment].with_alpha;
            state->formats[i] = format ? blend_format_at(format - 1) : NULL;
        }
    }
    pass_set_mask(command, alpha_to_one, used);
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
 * The attachments that the setting makes alpha-to-one, by their formats. *open: some other attachment may be
 * alpha-to-one, which only its view can tell.
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

void pass_inherit(struct command *command, const VkCommandBufferInheritanceInfo *info)
{
    struct track *track = command->track;
    const VkCommandBufferInheritanceGLStateCLAMPLER *given =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_STATE_CLAMPLER);
    const VkCommandBufferInheritanceRenderingInfo *rendering =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    const struct render_pass *pass = render_pass_find(track, info->renderPass);
    const struct framebuffer *framebuffer = table_find(&track->alpha->framebuffers, HANDLE_KEY(info->framebuffer));
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
        memcpy(formats, rendering->pColorAttachmentFormats, count * sizeof(*formats));
    }
    command->pass.remapped = pnext_find(info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR);
    const uint32_t by_format = mask_of_formats(track, formats, count, &used, &open);
    for (uint32_t i = 0; i < count; i++)
        command->pass.formats[i] = blend_format(formats[i]);
    if (given && command->device->enabled.alphaToOneAttachments) {
        pass_set_mask(command, given->alphaToOneMask, used);
    } else if (pass && framebuffer && framebuffer->count) {
        command->pass.pass = pass;
        command->pass.subpass = info->subpass;
        command->pass.alpha = framebuffer->alpha;
        set_subpass(command);
    } else {
        if (open)
            say_unknown(command);
        pass_set_mask(command, by_format, used);
    }
}

/* ---- Render passes ---- */

/* Copies of what the program passed, with what the layer changes. */
struct pass_begin {
    VkRenderPassBeginInfo info;
    VkClearValue clears[PASS_ATTACHMENTS];
};

/* The attachments' views: of the framebuffer, or for an imageless one given here and put into `storage`. */
static struct view *const *bound_views(struct track *track, const VkRenderPassBeginInfo *info, struct view **storage,
                                       uint32_t *count, uint32_t *layers, uint64_t *alpha)
{
    const struct framebuffer *framebuffer = table_find(&track->alpha->framebuffers, HANDLE_KEY(info->framebuffer));
    const VkRenderPassAttachmentBeginInfo *given =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    *alpha = 0;
    *count = 0;
    *layers = framebuffer ? framebuffer->layers : 0;
    if (framebuffer && framebuffer->count) {
        *count = framebuffer->count < PASS_ATTACHMENTS ? framebuffer->count : PASS_ATTACHMENTS;
        *alpha = framebuffer->alpha;
        return framebuffer->views;
    }
    for (uint32_t i = 0; given && i < given->attachmentCount && i < PASS_ATTACHMENTS; i++) {
        storage[i] = view_find(track, given->pAttachments[i]);
        *count = i + 1;
        if (storage[i] && storage[i]->attachment.one)
            *alpha |= UINT64_C(1) << i;
    }
    return storage;
}

/* What the load operations of a pass write. */
struct pass_area {
    VkRect2D rect;
    uint32_t layers; /* the first ones; 0 where that is not known */
};

/* `views`: of multiview, 0 without. */
static struct pass_area pass_area(const VkRect2D *rect, uint32_t layers, uint32_t views)
{
    struct pass_area area = {*rect, views ? 0 : layers};
    for (; views & 1; views >>= 1)
        area.layers++;
    return area;
}

/* Whether an area is all of a view, so that clearing it leaves no other alpha. */
static bool covers(const struct pass_area *area, const struct attachment_view *attachment)
{
    const struct fill *fill = attachment->fill;
    const VkRect2D *rect = &area->rect;
    return fill && !rect->offset.x && !rect->offset.y && rect->extent.width >= fill->extent.width &&
           rect->extent.height >= fill->extent.height && area->layers >= fill->layer_count;
}

/* What is loaded has alpha 1 before the pass begins. */
static void load_alpha(struct command *command, struct view *view, VkImageLayout layout)
{
    if (!fill_needed(command, &view->attachment))
        return;
    fill_record(command, view->attachment.fill, layout);
    fill_done(command, &view->attachment);
}

/* A view with alpha of an image that is seen without as well. */
static void write_alpha(struct command *command, const struct attachment_view *attachment)
{
    if (attachment->format && !attachment->one && attachment->image &&
        atomic_load_explicit(&attachment->image->alpha_views, memory_order_relaxed))
        fill_dirty(command, attachment->image);
}

/*
 * Decides what is cleared and filled before the pass. What the pass does not store is undefined afterwards, and clears
 * leave alone what is outside of the area.
 */
static void prepare_load(struct command *command, const struct pass_attachment *attachment, struct view *view,
                         const struct pass_area *area)
{
    const bool cleared = attachment->load != VK_ATTACHMENT_LOAD_OP_LOAD || pass_attachment_undefined(attachment);
    const bool stays =
        attachment->initial != VK_IMAGE_LAYOUT_UNDEFINED && attachment->initial != VK_IMAGE_LAYOUT_PREINITIALIZED;
    if (cleared && covers(area, &view->attachment) && attachment->load != ATTACHMENT_LOAD_OP_NONE)
        fill_done(command, &view->attachment);
    else if (stays && attachment->load != ATTACHMENT_LOAD_OP_NONE)
        load_alpha(command, view, attachment->initial);
    if (attachment->store == VK_ATTACHMENT_STORE_OP_DONT_CARE)
        fill_dirty(command, view->attachment.image);
}

/*
 * Changes what load operations do: clears write alpha 1, and contents that need not be loaded are cleared, under a
 * render pass that differs from the program's in nothing else. `layers` are the framebuffer's.
 */
static void prepare_loads(struct command *command, struct view *const *views, uint32_t count, uint32_t layers,
                          struct pass_begin *begin)
{
    const struct render_pass *pass = command->pass.pass;
    const uint32_t attachments = pass->attachment_count < PASS_ATTACHMENTS ? pass->attachment_count : PASS_ATTACHMENTS;
    VkRenderPassBeginInfo *info = &begin->info;
    const struct pass_area area = pass_area(&info->renderArea, layers, pass->views);
    uint32_t given = info->clearValueCount < PASS_ATTACHMENTS ? info->clearValueCount : PASS_ATTACHMENTS;
    uint64_t cleared = 0;
    for (uint32_t i = 0; i < count && i < attachments; i++) {
        const struct pass_attachment *attachment = &pass->attachments[i];
        if (!(command->pass.alpha >> i & 1))
            continue;
        if (pass_attachment_undefined(attachment) && pass->clearing)
            info->renderPass = pass->clearing;
        if (attachment->load == VK_ATTACHMENT_LOAD_OP_CLEAR || info->renderPass == pass->clearing)
            cleared |= UINT64_C(1) << i;
        prepare_load(command, attachment, views[i], &area);
    }
    if (!cleared)
        return;
    if (given)
        memcpy(begin->clears, info->pClearValues, given * sizeof(*begin->clears));
    if (info->renderPass == pass->clearing) {
        memset(begin->clears + given, 0, (PASS_ATTACHMENTS - given) * sizeof(*begin->clears));
        given = info->clearValueCount = attachments;
    }
    for (uint32_t i = 0; i < count && i < given; i++) {
        if (command->pass.alpha >> i & 1)
            blend_clear_alpha(views[i]->attachment.format, &begin->clears[i].color);
    }
    info->pClearValues = begin->clears;
}

/* Attachments with alpha resolve into one without: its alpha is filled when the pass has ended. */
static void remember_resolves(struct command *command, struct view *const *views, uint32_t count)
{
    struct pass_state *state = &command->pass;
    for (uint32_t s = 0; s < state->pass->subpass_count; s++) {
        const struct subpass_facts *subpass = &state->pass->subpasses[s];
        for (uint32_t i = 0; i < subpass->color_count; i++) {
            const uint32_t from = subpass->colors[i], to = subpass->resolves[i];
            if (to >= count || !views[to] || from >= PASS_ATTACHMENTS)
                continue;
            write_alpha(command, &views[to]->attachment);
            if (!views[to]->attachment.one || (state->alpha >> from & 1) || state->after_count == COLOR_ATTACHMENTS)
                continue;
            state->after[state->after_count].view = views[to];
            state->after[state->after_count++].layout = state->pass->attachments[to].final;
        }
    }
}

/* ALPHA in a red format: its alpha would be written to red, which no blend state does. */
static void refuse_attachment(struct command *command, const char *call)
{
    command->error =
        refuse_about(command->track, ABOUT({VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle)}), call,
                     "a view with the base format GL_ALPHA in a format without alpha is an attachment");
}

static const VkRenderPassBeginInfo *begin_pass(struct command *command, const VkRenderPassBeginInfo *info,
                                               struct pass_begin *begin)
{
    if (!command)
        return info;
    struct track *track = command->track;
    struct view *storage[PASS_ATTACHMENTS];
    uint32_t count, layers;
    uint64_t alpha;
    struct view *const *views = bound_views(track, info, storage, &count, &layers, &alpha);
    const struct render_pass *pass = render_pass_find(track, info->renderPass);
    command->pass =
        (struct pass_state){.pass = pass, .alpha = alpha, .mask = command->pass.mask, .keep = command->pass.keep};
    for (uint32_t i = 0; i < count; i++) {
        if (!views[i])
            continue;
        if (views[i]->attachment.refused) /* of an imageless framebuffer; others were refused when they were made */
            refuse_attachment(command, "vkCmdBeginRenderPass");
        write_alpha(command, &views[i]->attachment);
    }
    if (pass && alpha) {
        begin->info = *info;
        prepare_loads(command, views, count, layers, begin);
        remember_resolves(command, views, count);
        info = &begin->info;
    }
    set_subpass(command);
    return info;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginRenderPass(VkCommandBuffer commandBuffer,
                                                   const VkRenderPassBeginInfo *pRenderPassBegin,
                                                   VkSubpassContents contents)
{
    struct pass_begin begin;
    const VkRenderPassBeginInfo *info = begin_pass(command_of(commandBuffer), pRenderPassBegin, &begin);
    device_of(commandBuffer)->next.CmdBeginRenderPass(commandBuffer, info, contents);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdBeginRenderPass2(VkCommandBuffer commandBuffer,
                                                    const VkRenderPassBeginInfo *pRenderPassBegin,
                                                    const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    struct pass_begin begin;
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
    for (uint32_t i = 0; i < command->pass.after_count; i++) {
        struct attachment_view *attachment = &command->pass.after[i].view->attachment;
        if (attachment->fill)
            fill_record(command, attachment->fill, command->pass.after[i].layout);
    }
    command->pass = (struct pass_state){.mask = command->pass.mask, .keep = command->pass.keep};
    pass_set_mask(command, 0, 0);
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

/* One colour attachment of a rendering; returns whether it is alpha-to-one. */
static bool begin_color(struct command *command, const VkRenderingInfo *info, uint32_t index,
                        VkRenderingAttachmentInfo *color)
{
    struct pass_state *state = &command->pass;
    if (!color->imageView)
        return false; /* all else is ignored */
    struct view *view = view_find(command->track, color->imageView);
    struct view *target =
        color->resolveMode != VK_RESOLVE_MODE_NONE ? view_find(command->track, color->resolveImageView) : NULL;
    if (target && target->attachment.one && !(view && view->attachment.one)) {
        state->after[state->after_count].view = target;
        state->after[state->after_count++].layout = color->resolveImageLayout;
    }
    if (target)
        write_alpha(command, &target->attachment);
    if (!view)
        return false;
    if (view->attachment.refused)
        refuse_attachment(command, "vkCmdBeginRendering");
    write_alpha(command, &view->attachment);
    if (!view->attachment.one)
        return false;
    state->formats[index] = view->attachment.format;
    if (color->loadOp == VK_ATTACHMENT_LOAD_OP_DONT_CARE)
        color->loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    blend_clear_alpha(view->attachment.format, &color->clearValue.color);
    if (info->flags & VK_RENDERING_RESUMING_BIT)
        return true; /* nothing is loaded */
    const struct pass_attachment attachment = {
        .load = color->loadOp, .store = color->storeOp, .initial = color->imageLayout};
    const struct pass_area area = pass_area(&info->renderArea, info->layerCount, info->viewMask);
    prepare_load(command, &attachment, view, &area);
    return true;
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
    uint32_t used = 0, alpha_to_one = 0;
    command->pass = (struct pass_state){.mask = command->pass.mask, .keep = command->pass.keep};
    const uint32_t count = info->colorAttachmentCount <= COLOR_ATTACHMENTS ? info->colorAttachmentCount : 0;
    for (uint32_t i = 0; i < count; i++) {
        begin->colors[i] = info->pColorAttachments[i];
        used |= begin->colors[i].imageView ? 1u << i : 0;
        if (begin_color(command, info, i, &begin->colors[i]))
            alpha_to_one |= 1u << i;
    }
    if (info->flags & VK_RENDERING_SUSPENDING_BIT)
        command->pass.after_count = 0; /* resolved at the end of the last part */
    pass_set_mask(command, alpha_to_one, used);
    if (!alpha_to_one)
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

/* What outputs go to is asked of shader objects alone; the chain of a pipeline has it. */
VKAPI_ATTR void VKAPI_CALL hook_CmdSetRenderingAttachmentLocationsKHR(
    VkCommandBuffer commandBuffer, const VkRenderingAttachmentLocationInfoKHR *pLocationInfo)
{
    struct command *command = command_of(commandBuffer);
    if (command) {
        command->pass.remapped = true;
        blend_set_stale(command);
    }
    device_of(commandBuffer)->next.CmdSetRenderingAttachmentLocationsKHR(commandBuffer, pLocationInfo);
}
