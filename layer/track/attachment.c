/*
 * Which attachments are alpha-to-one, and the pass that is being recorded. What load operations store is chosen here:
 * clears write alpha 1, and contents that need not be loaded are cleared for the sake of their alpha.
 */
#include "track/attachment.h"

#include <string.h>

#include "track/track.h"

/* ---- Views ---- */

static void bad_name(struct track *track, const char *name, size_t length)
{
    message(track->device->instance, LOG_WARN, VK_OBJECT_TYPE_DEVICE, HANDLE_KEY(track->device->handle),
            "setting alpha_to_one: \"%.*s\" is neither a VkFormat with alpha nor the word swapchain", (int)length,
            name);
}

void alpha_setting_read(struct track *track)
{
    static const char blanks[] = " \t";
    for (const char *at = track->device->instance->settings.alpha_to_one; *at;) {
        size_t length = strcspn(at, ",");
        const char *next = at + length + (at[length] == ',');
        size_t skip = strspn(at, blanks);
        const char *name = at + (skip < length ? skip : length);
        length -= (size_t)(name - at);
        while (length && strchr(blanks, name[length - 1]))
            length--;
        const struct blend_format *format = blend_format_named(name, (uint32_t)length);
        if (format)
            track->alpha_setting.formats |= UINT64_C(1) << blend_format_index(format);
        else if (length == 9 && !strncmp(name, "swapchain", length))
            track->alpha_setting.swapchain = true;
        else if (length)
            bad_name(track, name, length);
        at = next;
    }
}

bool alpha_by_format(const struct track *track, VkFormat format)
{
    const struct blend_format *known = track->alpha_setting.formats ? blend_format(format) : NULL;
    return known && (track->alpha_setting.formats >> blend_format_index(known) & 1);
}

bool alpha_possible(const struct track *track, VkFormat format)
{
    if (!track->device->alpha_to_one)
        return false;
    return track->device->enabled.alphaToOneAttachments || track->alpha_setting.swapchain
               ? blend_format(format) != NULL
               : alpha_by_format(track, format);
}

enum { GL_ALPHA_BASE = 0x1906 };

bool attachment_view(struct track *track, struct image *image, VkFormat format, uint32_t base_format,
                     struct attachment_view *attachment)
{
    *attachment = (struct attachment_view){.image = image};
    if (!track->device->alpha_to_one)
        return false;
    const bool by_view = track->device->enabled.alphaToOneAttachments;
    attachment->format = blend_format(format);
    attachment->refused = by_view && base_format == GL_ALPHA_BASE && !attachment->format;
    if (!attachment->format)
        return false;
    attachment->one = (by_view && blend_base_without_alpha(base_format)) || alpha_by_format(track, format) ||
                      (track->alpha_setting.swapchain && image && image->swapchain);
    if (attachment->one)
        atomic_store(&track->alpha_seen, true);
    if (image)
        atomic_store_explicit(attachment->one ? &image->alpha_views : &image->plain_views, true, memory_order_relaxed);
    return attachment->one;
}

/* ---- The mask ---- */

void pass_set_mask(struct command *command, uint32_t alpha_to_one, uint32_t used)
{
    static bool said;
    bool disagree;
    command->pass.clears = alpha_to_one & used;
    const uint32_t mask = blend_mask(alpha_to_one, used, command->device->blend.independent, &disagree);
    if (disagree)
        message_once(&said, command->device->instance, LOG_WARN, VK_OBJECT_TYPE_DEVICE,
                     HANDLE_KEY(command->device->handle),
                     "a pass mixes attachments with and without alpha, but the device has no independent blending: "
                     "blending reads the alpha that is in memory");
    if (mask != command->pass.mask)
        command->points[POINT_GRAPHICS].dirty = true;
    command->pass.mask = mask;
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
            state->formats[i] = blend_format(state->pass->attachments[attachment].format);
        }
    }
    pass_set_mask(command, alpha_to_one, used);
}

/* ---- Inheritance ---- */

static void say_unknown(struct command *command)
{
    static bool said;
    message_once(&said, command->device->instance, LOG_WARN, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle),
                 "a secondary command buffer does not say which attachments have no alpha (neither a framebuffer nor "
                 "VkCommandBufferInheritanceGLStateCLAMPLER): all count as having one");
}

/* What the setting says of a list of formats; *open: some may be alpha-to-one for all that is known. */
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
    const struct framebuffer *framebuffer = table_find(&track->framebuffers, HANDLE_KEY(info->framebuffer));
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

static const struct view *const *bound_views(struct track *track, const VkRenderPassBeginInfo *info,
                                             const struct view **storage, uint32_t *count, uint64_t *alpha)
{
    const struct framebuffer *framebuffer = table_find(&track->framebuffers, HANDLE_KEY(info->framebuffer));
    const VkRenderPassAttachmentBeginInfo *given =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    *alpha = 0;
    *count = 0;
    if (framebuffer && framebuffer->count) {
        *count = framebuffer->count;
        *alpha = framebuffer->alpha;
        return (const struct view *const *)framebuffer->views;
    }
    for (uint32_t i = 0; given && i < given->attachmentCount && i < PASS_ATTACHMENTS; i++) {
        storage[i] = view_find(track, given->pAttachments[i]);
        *count = i + 1;
        if (storage[i] && storage[i]->attachment.one)
            *alpha |= UINT64_C(1) << i;
    }
    return storage;
}

/* Clears write alpha 1; what need not be loaded is cleared, under a render pass that is the same but for that. */
static void prepare_loads(const struct render_pass *pass, const struct view *const *views, uint32_t count,
                          uint64_t alpha, struct pass_begin *begin)
{
    VkRenderPassBeginInfo *info = &begin->info;
    uint32_t given = info->clearValueCount < PASS_ATTACHMENTS ? info->clearValueCount : PASS_ATTACHMENTS;
    bool clears = false, dont_care = false;
    for (uint32_t i = 0; i < count && i < pass->attachment_count; i++) {
        if (!(alpha >> i & 1))
            continue;
        clears |= pass->attachments[i].load == VK_ATTACHMENT_LOAD_OP_CLEAR;
        dont_care |= pass->attachments[i].load == VK_ATTACHMENT_LOAD_OP_DONT_CARE && pass->clearing;
    }
    if ((!clears && !dont_care) || info->clearValueCount > PASS_ATTACHMENTS)
        return;
    memset(begin->clears, 0, sizeof(begin->clears));
    memcpy(begin->clears, info->pClearValues, given * sizeof(*begin->clears));
    for (uint32_t i = 0; i < count && i < PASS_ATTACHMENTS; i++) {
        if (alpha >> i & 1)
            blend_clear_alpha(views[i]->attachment.format, &begin->clears[i].color);
    }
    info->pClearValues = begin->clears;
    if (dont_care) {
        info->renderPass = pass->clearing;
        info->clearValueCount = pass->attachment_count < PASS_ATTACHMENTS ? pass->attachment_count : PASS_ATTACHMENTS;
    }
}

static const VkRenderPassBeginInfo *begin_pass(struct command *command, const VkRenderPassBeginInfo *info,
                                               struct pass_begin *begin)
{
    if (!command)
        return info;
    struct track *track = command->track;
    const struct render_pass *pass = render_pass_find(track, info->renderPass);
    const struct view *storage[PASS_ATTACHMENTS];
    uint32_t count;
    uint64_t alpha;
    const struct view *const *views = bound_views(track, info, storage, &count, &alpha);
    command->pass = (struct pass_state){.pass = pass, .alpha = alpha, .mask = command->pass.mask};
    set_subpass(command);
    if (!pass || !alpha)
        return info;
    begin->info = *info;
    prepare_loads(pass, views, count, alpha, begin);
    return &begin->info;
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

static void end_pass(struct command *command)
{
    if (!command)
        return;
    const uint32_t mask = command->pass.mask;
    command->pass = (struct pass_state){.mask = mask};
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

/* ALPHA in a red format: its alpha would be written to red, which no blend state does. */
static void refuse_attachment(struct command *command)
{
    command->error = refuse(command->track, "vkCmdBeginRendering",
                            "a view with the base format GL_ALPHA in a format without alpha is an attachment");
}

/*
 * Suspended and resumed parts of one rendering get the same changes, as they must; what resumes loads nothing. Blend
 * state goes by the attachment's index, so that remapped locations change nothing here.
 */
static const VkRenderingInfo *begin_rendering(struct command *command, const VkRenderingInfo *info,
                                              struct rendering *begin)
{
    if (!command)
        return info;
    uint32_t used = 0, alpha_to_one = 0;
    const uint32_t count = info->colorAttachmentCount;
    command->pass = (struct pass_state){.mask = command->pass.mask};
    const bool fits = count <= COLOR_ATTACHMENTS;
    for (uint32_t i = 0; i < count && fits; i++) {
        begin->colors[i] = info->pColorAttachments[i];
        VkRenderingAttachmentInfo *color = &begin->colors[i];
        const struct view *view = view_find(command->track, color->imageView);
        if (view && view->attachment.refused)
            refuse_attachment(command);
        used |= color->imageView ? 1u << i : 0;
        if (!view || !view->attachment.one)
            continue;
        alpha_to_one |= 1u << i;
        command->pass.formats[i] = view->attachment.format;
        if (color->loadOp == VK_ATTACHMENT_LOAD_OP_DONT_CARE)
            color->loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        blend_clear_alpha(view->attachment.format, &color->clearValue.color);
    }
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
