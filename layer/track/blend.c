/*
 * Blend state of pipelines and command buffers where attachments have no alpha. A mask of such attachments is known
 * when drawing: then what is dynamic is set, and what is static has been rewritten in a variant of the pipeline.
 *
 *   program's pipeline, mask 0 ─────────────────► as it is
 *   mask, device has dynamic blend state ───────► the one variant with dynamic state, set here before the draw
 *   mask, device has none ──────────────────────► a variant for that mask
 *   what the program itself sets while recording ► rewritten on the way down, and again where the mask changes
 */
#include <stdlib.h>
#include <string.h>

#include "track/track.h"

/* ---- Reading a pipeline's state ---- */

static bool is_dynamic(const VkGraphicsPipelineCreateInfo *info, VkDynamicState state)
{
    for (uint32_t i = 0; info->pDynamicState && i < info->pDynamicState->dynamicStateCount; i++) {
        if (info->pDynamicState->pDynamicStates[i] == state)
            return true;
    }
    return false;
}

/* Whether this create-info itself has the state of the fragment output interface, which blending is a part of. */
static bool has_output(const VkGraphicsPipelineCreateInfo *info)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT *parts =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    const VkPipelineLibraryCreateInfoKHR *libraries =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    if (parts)
        return parts->flags & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
    if (libraries && libraries->libraryCount)
        return false;
    return !info->pRasterizationState || !info->pRasterizationState->rasterizerDiscardEnable ||
           is_dynamic(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
}

/* The formats of the colour attachments that the pipeline is made for; returns how many. */
static uint32_t color_formats(const struct track *track, const VkGraphicsPipelineCreateInfo *info, VkFormat *formats)
{
    const VkPipelineRenderingCreateInfo *rendering =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    const struct render_pass *pass = table_find(&track->render_passes, HANDLE_KEY(info->renderPass));
    uint32_t count = 0;
    if (pass && info->subpass < pass->subpass_count) {
        const struct subpass_facts *subpass = &pass->subpasses[info->subpass];
        for (; count < subpass->color_count; count++)
            formats[count] = subpass->colors[count] < pass->attachment_count
                                 ? pass->attachments[subpass->colors[count]].format
                                 : VK_FORMAT_UNDEFINED;
    } else if (!info->renderPass && rendering) {
        for (; count < rendering->colorAttachmentCount && count < COLOR_ATTACHMENTS; count++)
            formats[count] = rendering->pColorAttachmentFormats[count];
    }
    return count;
}

static uint32_t dynamic_parts(const VkGraphicsPipelineCreateInfo *info)
{
    return (is_dynamic(info, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) ? BLEND_EQUATION : 0u) |
           (is_dynamic(info, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT) ? BLEND_WRITE_MASK : 0u);
}

void pipeline_blend_read(const struct track *track, const VkGraphicsPipelineCreateInfo *info,
                         struct pipeline_blend *blend)
{
    const struct device *device = track->device;
    VkFormat formats[COLOR_ATTACHMENTS];
    *blend = (struct pipeline_blend){0};
    if (!device->alpha_to_one || !has_output(info))
        return;
    const uint32_t count = color_formats(track, info, formats);
    const uint32_t all = BLEND_EQUATION | BLEND_WRITE_MASK, dynamic = dynamic_parts(info);
    const bool enable_dynamic = is_dynamic(info, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT);
    const VkPipelineColorBlendStateCreateInfo *state = count ? info->pColorBlendState : NULL;
    const bool logic = state && state->logicOpEnable && !is_dynamic(info, VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT);
    uint32_t affected = 0, parts = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!alpha_possible(track, formats[i]))
            continue;
        uint32_t changes = 0;
        /* All dynamic: pAttachments is ignored. */
        if (state && i < state->attachmentCount && !(dynamic == all && enable_dynamic)) {
            blend->states[i] = state->pAttachments[i];
            changes = blend_changes(&blend->states[i], enable_dynamic) & ~dynamic;
        }
        if (logic)
            changes &= ~(uint32_t)BLEND_EQUATION; /* blending is off where logic operations are on */
        if (changes || dynamic)
            affected |= 1u << i;
        parts |= changes;
    }
    if (!affected)
        return;
    blend->count = state && state->attachmentCount < COLOR_ATTACHMENTS ? state->attachmentCount : count;
    if (state && parts)
        memcpy(blend->states, state->pAttachments, blend->count * sizeof(*blend->states));
    blend->affected = affected;
    blend->parts = parts;
    blend->dynamic = dynamic;
    blend->layer_dynamic =
        parts & ((device->blend.equation ? BLEND_EQUATION : 0u) | (device->blend.write_mask ? BLEND_WRITE_MASK : 0u));
}

/* ---- Making variants ---- */

struct changed_state {
    VkPipelineDynamicStateCreateInfo dynamic;
    VkPipelineColorBlendStateCreateInfo blend;
    VkPipelineColorBlendAttachmentState attachments[COLOR_ATTACHMENTS];
    VkDynamicState states[];
};

bool pipeline_blend_apply(const struct pipeline_blend *blend, uint32_t mask, VkGraphicsPipelineCreateInfo *info,
                          void **memory)
{
    const uint32_t given = info->pDynamicState ? info->pDynamicState->dynamicStateCount : 0;
    struct changed_state *changed = calloc(1, sizeof(*changed) + (given + 2) * sizeof(*changed->states));
    *memory = changed;
    if (!changed)
        return false;
    if (blend->layer_dynamic) {
        uint32_t count = given;
        changed->dynamic =
            info->pDynamicState
                ? *info->pDynamicState
                : (VkPipelineDynamicStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
        if (given)
            memcpy(changed->states, info->pDynamicState->pDynamicStates, given * sizeof(*changed->states));
        if (blend->layer_dynamic & BLEND_EQUATION)
            changed->states[count++] = VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT;
        if (blend->layer_dynamic & BLEND_WRITE_MASK)
            changed->states[count++] = VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT;
        changed->dynamic.dynamicStateCount = count;
        changed->dynamic.pDynamicStates = changed->states;
        info->pDynamicState = &changed->dynamic;
    }
    if (blend->parts & ~blend->layer_dynamic) {
        changed->blend = *info->pColorBlendState;
        blend_states(blend->states, blend->count, mask & blend->affected, changed->attachments);
        changed->blend.pAttachments = changed->attachments;
        info->pColorBlendState = &changed->blend;
    }
    return true;
}

/* ---- Setting what is dynamic ---- */

static void set_states(struct command *command, const struct pipeline_blend *blend, uint32_t mask)
{
    const struct device *device = command->device;
    VkColorBlendEquationEXT equations[COLOR_ATTACHMENTS];
    VkColorComponentFlags masks[COLOR_ATTACHMENTS];
    for (uint32_t i = 0; i < blend->count; i++) {
        const bool one = mask >> i & 1;
        equations[i] = blend_equation_of(&blend->states[i]);
        if (one)
            equations[i] = blend_equation(&equations[i]);
        masks[i] = one ? blend_write_mask(blend->states[i].colorWriteMask) : blend->states[i].colorWriteMask;
    }
    if (blend->layer_dynamic & BLEND_EQUATION)
        device->next.CmdSetColorBlendEquationEXT(command->handle, 0, blend->count, equations);
    if (blend->layer_dynamic & BLEND_WRITE_MASK)
        device->next.CmdSetColorWriteMaskEXT(command->handle, 0, blend->count, masks);
}

static void hand_down_equations(struct command *command, uint32_t first, uint32_t count)
{
    const struct command_blend *state = &command->blend;
    VkColorBlendEquationEXT equations[COLOR_ATTACHMENTS];
    for (uint32_t i = first; i < first + count; i++)
        equations[i] = command->pass.mask >> i & 1 ? blend_equation(&state->equations[i]) : state->equations[i];
    command->device->next.CmdSetColorBlendEquationEXT(command->handle, first, count, equations + first);
}

static void hand_down_masks(struct command *command, uint32_t first, uint32_t count)
{
    const struct command_blend *state = &command->blend;
    VkColorComponentFlags masks[COLOR_ATTACHMENTS];
    for (uint32_t i = first; i < first + count; i++)
        masks[i] = command->pass.mask >> i & 1 ? blend_write_mask(state->masks[i]) : state->masks[i];
    command->device->next.CmdSetColorWriteMaskEXT(command->handle, first, count, masks + first);
}

/* The runs of attachments whose bits are in `set`. */
static void hand_down_runs(struct command *command, uint32_t set,
                           void (*hand_down)(struct command *, uint32_t, uint32_t))
{
    for (uint32_t first = 0; first < COLOR_ATTACHMENTS;) {
        uint32_t end = first;
        while (end < COLOR_ATTACHMENTS && (set >> end & 1))
            end++;
        if (end > first)
            hand_down(command, first, end - first);
        first = end + 1;
    }
}

void blend_flush(struct command *command, const struct bind_point *point)
{
    struct command_blend *state = &command->blend;
    const struct pipeline *pipeline = point->pipeline;
    const uint32_t mask = command->pass.mask;
    uint32_t program = point->shaders ? BLEND_EQUATION | BLEND_WRITE_MASK : 0;
    bool updated = false;
    if (pipeline) {
        const struct pipeline_blend *blend = &pipeline->blend;
        program = blend->dynamic;
        if ((blend->own || point->key) && blend->layer_dynamic && (state->rebound || state->emitted_mask != mask)) {
            set_states(command, blend, mask);
            state->rebound = false;
            state->emitted_mask = mask;
            updated = true;
        }
    }
    if (program && state->program_mask != mask) {
        if (program & BLEND_EQUATION)
            hand_down_runs(command, state->equations_set, hand_down_equations);
        if (program & BLEND_WRITE_MASK)
            hand_down_runs(command, state->masks_set, hand_down_masks);
        state->program_mask = mask;
        updated = true;
    }
    if (updated)
        count(&command->track->counters.blend_updates, 1);
}

/* ---- What the program sets itself ---- */

static uint32_t bits(uint32_t first, uint32_t count)
{
    return (uint32_t)(((UINT64_C(1) << count) - 1) << first);
}

/* A call for attachments that the layer follows; others go down as they are. */
static struct command *follows(VkCommandBuffer handle, uint32_t first, uint32_t count)
{
    return first < COLOR_ATTACHMENTS && count <= COLOR_ATTACHMENTS - first ? command_of(handle) : NULL;
}

/* Other attachments may have been set for another mask: the next draw sees to them. */
static void note_mask(struct command *command)
{
    if (command->blend.program_mask != command->pass.mask)
        command->points[POINT_GRAPHICS].dirty = true;
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetColorBlendEquationEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment,
                                                            uint32_t attachmentCount,
                                                            const VkColorBlendEquationEXT *pColorBlendEquations)
{
    struct command *command = follows(commandBuffer, firstAttachment, attachmentCount);
    if (!command) {
        device_of(commandBuffer)
            ->next.CmdSetColorBlendEquationEXT(commandBuffer, firstAttachment, attachmentCount, pColorBlendEquations);
        return;
    }
    memcpy(command->blend.equations + firstAttachment, pColorBlendEquations,
           attachmentCount * sizeof(*pColorBlendEquations));
    command->blend.equations_set |= bits(firstAttachment, attachmentCount);
    hand_down_equations(command, firstAttachment, attachmentCount);
    note_mask(command);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetColorWriteMaskEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment,
                                                        uint32_t attachmentCount,
                                                        const VkColorComponentFlags *pColorWriteMasks)
{
    struct command *command = follows(commandBuffer, firstAttachment, attachmentCount);
    if (!command) {
        device_of(commandBuffer)
            ->next.CmdSetColorWriteMaskEXT(commandBuffer, firstAttachment, attachmentCount, pColorWriteMasks);
        return;
    }
    memcpy(command->blend.masks + firstAttachment, pColorWriteMasks, attachmentCount * sizeof(*pColorWriteMasks));
    command->blend.masks_set |= bits(firstAttachment, attachmentCount);
    hand_down_masks(command, firstAttachment, attachmentCount);
    note_mask(command);
}

/* An advanced equation takes the place of the one that was set. Nothing in it is alpha's. */
VKAPI_ATTR void VKAPI_CALL hook_CmdSetColorBlendAdvancedEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment,
                                                            uint32_t attachmentCount,
                                                            const VkColorBlendAdvancedEXT *pColorBlendAdvanced)
{
    struct command *command = follows(commandBuffer, firstAttachment, attachmentCount);
    if (command)
        command->blend.equations_set &= ~bits(firstAttachment, attachmentCount);
    device_of(commandBuffer)
        ->next.CmdSetColorBlendAdvancedEXT(commandBuffer, firstAttachment, attachmentCount, pColorBlendAdvanced);
}
