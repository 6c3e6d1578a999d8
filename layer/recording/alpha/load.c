/* SPDX-License-Identifier: MIT */
/*
 * Load operations, resolves and store operations of passes. The table of passes (filled/ways.h) has their effects on
 * alpha. By it the pass begins with other clear values, or with the prepared render pass of attachments without alpha.
 *
 *   begin of a pass:  fill what the table says ──► begin, with clears of alpha 1 ──► alpha states by the table
 *   end of a pass:    fill what was resolved from attachments with alpha
 */
#include "alpha/load.h"

#include <string.h>

#include "alpha/change.h"
#include "alpha/fill.h"
#include "alpha/pass.h"
#include "attachments/attachments.h"
#include "attachments/fill_view.h"
#include "attachments/render_pass.h"
#include "blend/blend.h"
#include "blend/order.h"
#include "commands/command_buffer.h"
#include "device/structure_chain.h"
#include "filled/filled.h"
#include "filled/ways.h"
#include "sampling/image.h"

/* VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM, newer than some headers: each view has an area of its own. */
#define PER_VIEW_AREAS ((VkStructureType)1000510001)

/* ---- The area of a pass ---- */

/* The area that the load operations of a pass write. */
struct pass_area {
    VkRect2D rect;
    const VkDeviceGroupRenderPassBeginInfo *group; /* NULL: one device, or all of them */
    uint32_t layers;                               /* the first ones; 0 where that is not known */
};

/* `chain`: of the command that begins the pass. `views`: of multiview, 0 without. */
static struct pass_area pass_area(const VkRect2D *rect, const void *chain, uint32_t layers, uint32_t views)
{
    struct pass_area area = {*rect, pnext_find(chain, VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO),
                             views || pnext_find(chain, PER_VIEW_AREAS) ? 0 : layers};
    for (; (views & 1) && !pnext_find(chain, PER_VIEW_AREAS); views >>= 1)
        area.layers++;
    return area;
}

static bool rect_covers(const VkRect2D *rect, const struct fill *fill)
{
    return !rect->offset.x && !rect->offset.y && rect->extent.width >= fill->extent.width &&
           rect->extent.height >= fill->extent.height;
}

/*
 * True: the area is all of the view, so that a clear sets alpha everywhere. Areas of the devices of a group take the
 * place of the common one, which drivers of single devices may take all the same.
 */
static bool covers(const struct pass_area *area, const struct attachment_view *attachment)
{
    const struct fill *fill = attachment->fill;
    bool all = fill && area->layers >= fill->layer_count && rect_covers(&area->rect, fill);
    for (uint32_t i = 0; all && area->group && i < area->group->deviceRenderAreaCount; i++)
        all = rect_covers(&area->group->pDeviceRenderAreas[i], fill);
    return all;
}

/* ---- One attachment ---- */

/* An inherited condition cannot be suspended: the fill may not be drawn. */
static void fill_now(struct command *command, const struct attachment_view *attachment, VkImageLayout before,
                     VkImageLayout after)
{
    fill_record(command, attachment->fill, before, after);
    change_view(command, attachment, filled_effect(command->inherits_condition ? FILLED_GATED_FILL : FILLED_FILL));
}

/* The attachment is in the layout `from`, which is not the pass's initial layout if the pass is the prepared one. */
static void load(struct command *command, const struct attachment_view *attachment, const struct filled_load *key,
                 VkImageLayout initial, VkImageLayout from)
{
    const struct filled_loaded loaded = filled_load(key);
    enum filled_effect after = loaded.after;
    if (loaded.before == FILLED_FILLS && change_needs_fill(command, attachment)) {
        fill_now(command, attachment, initial, from);
        if (after == FILLED_FILLS)
            after = FILLED_LEAVES; /* as it is now */
    } else if (from != initial) {
        fill_move(command, attachment->handle, &attachment->shown, initial, from);
    }
    change_view(command, attachment, after);
}

/* True: the target must be filled at the end of the pass. */
static bool resolve(struct command *command, const struct pass_area *area, bool alpha_one,
                    const struct attachment_view *target, VkAttachmentStoreOp store)
{
    const struct filled_resolve key = {.fills = target->one,
                                       .alpha_one = alpha_one,
                                       .covered = covers(area, target),
                                       .fillable = target->fill != NULL,
                                       .store = store};
    const struct filled_resolved resolved = filled_resolve(&key);
    change_view(command, target, resolved.begin);
    return resolved.end == FILLED_FILLS;
}

/* ---- Render passes ---- */

/* Attachments with alpha resolve into one without: its alpha is filled when the pass has ended. */
static void load_resolves(struct command *command, const struct pass_area *area)
{
    const struct render_pass *pass = command->pass.pass;
    for (uint32_t s = 0; s < pass->subpass_count; s++) {
        const struct subpass_facts *subpass = &pass->subpasses[s];
        for (uint32_t i = 0; i < subpass->color_count; i++) {
            const uint32_t from = subpass->colors[i], to = subpass->resolves[i];
            const struct view *view = to < pass->attachment_count ? pass_view(command, to) : NULL;
            if (!view || from == VK_ATTACHMENT_UNUSED)
                continue;
            struct pass_target *target = &command->pass_memory.targets[to];
            target->resolved |=
                resolve(command, area, pass_view_is_one(command, from), &view->attachment, pass->attachments[to].store);
            target->layout = pass->attachments[to].final;
        }
    }
}

/*
 * True: some attachment without alpha must be cleared where the program's pass does not clear, or cannot be filled in
 * its layout.
 */
static bool takes_prepared(const struct command *command, uint32_t count)
{
    const struct render_pass *pass = command->pass.pass;
    for (uint32_t i = 0; i < count && pass->prepared; i++) {
        const struct pass_attachment *attachment = &pass->attachments[i];
        if (pass_view_is_one(command, i) &&
            (pass_attachment_undefined(attachment) || pass_attachment_moved(attachment)))
            return true;
    }
    return false;
}

/* The attachment's layout before the pass: GENERAL if the prepared pass moved it. */
static VkImageLayout layout_of(const struct command *command, const struct pass_attachment *attachment, bool prepared)
{
    return prepared && pass_attachment_moved(attachment) && alpha_possible(command->track, attachment->format)
               ? VK_IMAGE_LAYOUT_GENERAL
               : attachment->initial;
}

static void change_clear(const struct attachment_view *attachment, VkClearColorValue *color)
{
    const struct channel_order order = order_of_key(attachment->order);
    if (attachment->one)
        blend_clear_alpha(attachment->format, color);
    if (attachment->order)
        order_clear_value(&order, color);
}

/* The program's clear values, with alpha 1 and with channels in their places. In the prepared pass, of all attachments.
 */
static void change_clears(struct command *command, uint32_t count, bool prepared, VkRenderPassBeginInfo *info)
{
    VkClearValue *clears = command->pass_memory.clears;
    uint32_t given = info->clearValueCount < count ? info->clearValueCount : count;
    if (given)
        memcpy(clears, info->pClearValues, given * sizeof(*clears));
    if (prepared) {
        memset(clears + given, 0, (count - given) * sizeof(*clears));
        given = count;
    }
    for (uint32_t i = 0; i < given; i++) {
        if (pass_view(command, i))
            change_clear(&pass_view(command, i)->attachment, &clears[i].color);
    }
    info->clearValueCount = given;
    info->pClearValues = clears;
}

const VkRenderPassBeginInfo *load_pass(struct command *command, uint32_t layers, const VkRenderPassBeginInfo *info,
                                       VkRenderPassBeginInfo *begin)
{
    const struct render_pass *pass = command->pass.pass;
    const uint32_t count =
        command->pass.target_count < pass->attachment_count ? command->pass.target_count : pass->attachment_count;
    const struct pass_area area = pass_area(&info->renderArea, info->pNext, layers, pass->views);
    const bool prepared = takes_prepared(command, count);
    bool cleared = prepared;
    for (uint32_t i = 0; i < count; i++) {
        const struct pass_attachment *attachment = &pass->attachments[i];
        const struct view *view = pass_view(command, i);
        if (!view)
            continue;
        const struct filled_load key = {.fills = view->attachment.one,
                                        .used = attachment->used,
                                        .covered = covers(&area, &view->attachment),
                                        .fillable = view->attachment.fill != NULL,
                                        .load = attachment->load,
                                        .layout = filled_layout(attachment->initial),
                                        .store = attachment->store};
        load(command, &view->attachment, &key, attachment->initial, layout_of(command, attachment, prepared));
        cleared |= (view->attachment.one || view->attachment.order) && attachment->load == VK_ATTACHMENT_LOAD_OP_CLEAR;
    }
    load_resolves(command, &area);
    if (!cleared)
        return info;
    *begin = *info;
    if (prepared)
        begin->renderPass = pass->prepared;
    change_clears(command, count, prepared, begin);
    return begin;
}

/* ---- Dynamic rendering ---- */

void load_color(struct command *command, const VkRenderingInfo *info, uint32_t index, struct view *view,
                struct view *target, VkRenderingAttachmentInfo *color)
{
    const struct attachment_view *attachment = &view->attachment;
    const struct pass_area area = pass_area(&info->renderArea, info->pNext, info->layerCount, info->viewMask);
    if (attachment->one) {
        if (color->loadOp == VK_ATTACHMENT_LOAD_OP_DONT_CARE)
            color->loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    }
    change_clear(attachment, &color->clearValue.color);
    const struct filled_load key = {.fills = attachment->one,
                                    .used = true,
                                    .covered = covers(&area, attachment),
                                    .fillable = attachment->fill != NULL,
                                    .resumed = info->flags & VK_RENDERING_RESUMING_BIT,
                                    .load = color->loadOp,
                                    .layout = FILLED_LAYOUT_KEPT,
                                    .store = color->storeOp};
    load(command, attachment, &key, color->imageLayout, color->imageLayout);
    if (!target)
        return;
    /* Custom resolves may not write all of their target, whose contents are undefined before. */
    const bool drawn = color->resolveMode == RESOLVE_MODE_CUSTOM;
    const bool resolved =
        resolve(command, &area, attachment->one && !drawn, &target->attachment, VK_ATTACHMENT_STORE_OP_STORE);
    command->pass_memory.targets[index] = (struct pass_target){
        .view = target, .layout = color->resolveImageLayout, .resolved = resolved, .drawn = drawn ? target : NULL};
}

void load_end(struct command *command)
{
    for (uint32_t i = 0; i < command->pass.target_count; i++) {
        const struct pass_target *target = &command->pass_memory.targets[i];
        if (target->resolved)
            fill_now(command, &target->view->attachment, target->layout, target->layout);
    }
}
