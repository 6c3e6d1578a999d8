/*
 * Blend state of pipelines and command buffers where attachments have no alpha. A mask of such attachments is known
 * when drawing: then what is dynamic is set, and what is static has been rewritten in a variant of the pipeline.
 *
 *   program's pipeline, mask 0 ─────────────────► as it is
 *   mask, device has dynamic blend state ───────► the one variant with dynamic state, set here before the draw
 *   mask, device has none ──────────────────────► a variant for that mask
 *   what the program itself sets while recording ► goes down, and before the draw once more as the mask has it
 *
 * Enable, equation and write mask of an attachment make one decision (blend.h), so that all three are looked at
 * together, wherever they come from.
 */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/dynamic_state.h"
#include "objects/track.h"
#include "pipelines/graphics_state.h"

/* ---- Reading a pipeline's state ---- */

static uint32_t dynamic_parts(const struct graphics_state *state)
{
    return (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) ? BLEND_EQUATION : 0u) |
           (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT) ? BLEND_WRITE_MASK : 0u) |
           (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) ? BLEND_ENABLE : 0u) |
           (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT) ? BLEND_LOGIC : 0u);
}

/* What the layer can set while recording. */
static uint32_t settable_parts(const struct device *device)
{
    return (device->blend.equation ? BLEND_EQUATION : 0u) | (device->blend.write_mask ? BLEND_WRITE_MASK : 0u) |
           (device->blend.enable ? BLEND_ENABLE : 0u);
}

/* The attachments whose alpha may be kept by blending. */
static uint32_t kept_attachments(const struct track *track, const VkFormat *formats, uint32_t count)
{
    uint32_t keep = 0, others = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (alpha_keeps(track, blend_format(formats[i])))
            keep |= 1u << i;
        else if (formats[i] != VK_FORMAT_UNDEFINED)
            others |= 1u << i;
    }
    return others && !track->device->blend.independent ? 0 : keep;
}

/*
 * Whether some equation is an advanced operation, or may become one: it has one operation for all channels, and
 * vkCmdSetColorBlendEquationEXT does not take it, not even where blending is off. Equations that the program sets are
 * looked at when drawing.
 */
static bool equations_fixed(const struct graphics_state *state, const struct pipeline_blend *blend)
{
    bool advanced = graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT);
    for (uint32_t i = 0; i < blend->count; i++)
        advanced |= blend_is_advanced(blend->states[i].colorBlendOp);
    return advanced && !(blend->dynamic & BLEND_EQUATION);
}

/* What changes on attachments that may be alpha-to-one, if alpha is kept on those in `keep`. */
static void find_changes(const struct track *track, const VkFormat *formats, uint32_t count, uint32_t keep,
                         struct pipeline_blend *blend)
{
    blend->keep = keep;
    blend->affected = blend->parts = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!alpha_possible(track, formats[i]))
            continue;
        const uint32_t changes =
            i < blend->count ? blend_changes(&blend->states[i], blend->dynamic, keep >> i & 1, blend->logic) : 0;
        if (changes || (blend->dynamic & BLEND_PARTS))
            blend->affected |= 1u << i;
        blend->parts |= changes;
    }
}

void pipeline_blend_read(const struct track *track, const struct graphics_state *graphics, struct pipeline_blend *blend)
{
    const struct device *device = track->device;
    const VkFormat *formats = graphics->formats;
    *blend = (struct pipeline_blend){0};
    if (!device->alpha_to_one || !graphics->output)
        return;
    const uint32_t count = graphics->format_count;
    const VkPipelineColorBlendStateCreateInfo *state = count ? graphics->info.pColorBlendState : NULL;
    blend->independent = device->blend.independent;
    blend->dynamic = dynamic_parts(graphics);
    blend->logic = state && state->logicOpEnable && !(blend->dynamic & BLEND_LOGIC);
    blend->count = state ? state->attachmentCount : count;
    if (blend->count > COLOR_ATTACHMENTS)
        blend->count = COLOR_ATTACHMENTS;
    /* All dynamic: pAttachments is ignored. */
    if (state && blend->count && (blend->dynamic & BLEND_PARTS) != BLEND_PARTS)
        memcpy(blend->states, state->pAttachments, blend->count * sizeof(*blend->states));

    const bool fixed = equations_fixed(graphics, blend);
    const uint32_t settable = settable_parts(device) & ~(fixed ? BLEND_EQUATION : 0u);
    find_changes(track, formats, count, fixed ? 0 : kept_attachments(track, formats, count), blend);
    if (blend->parts & ~settable) {
        /*
         * Masking may need no variant of the pipeline for each mask. Where there must be one, its static state cannot
         * follow what the program sets later, and masking is what does not depend on it.
         */
        struct pipeline_blend masked = *blend;
        find_changes(track, formats, count, 0, &masked);
        if (!(masked.parts & ~settable) || masked.dynamic)
            *blend = masked;
    }
    if (!blend->affected)
        *blend = (struct pipeline_blend){0};
    blend->layer_dynamic = blend->parts & settable;
}

/* ---- Making variants ---- */

static const struct {
    uint32_t part;
    VkDynamicState state;
} dynamic_states[] = {
    {BLEND_EQUATION, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {BLEND_WRITE_MASK, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT},
    {BLEND_ENABLE, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT},
};
enum { DYNAMIC_STATES = sizeof(dynamic_states) / sizeof(dynamic_states[0]) };

struct changed_state {
    VkPipelineDynamicStateCreateInfo dynamic;
    VkPipelineColorBlendStateCreateInfo blend;
    VkPipelineColorBlendAttachmentState attachments[COLOR_ATTACHMENTS];
    VkDynamicState states[];
};

/* The attachments whose states change: without independent blending those that are not used follow the others. */
static uint32_t changed_attachments(const struct pipeline_blend *blend, uint32_t mask)
{
    mask &= blend->affected;
    return mask && !blend->independent ? UINT32_MAX : mask;
}

static bool keeps(const struct pipeline_blend *blend, uint32_t attachment)
{
    return blend->independent ? blend->keep >> attachment & 1 : blend->keep != 0;
}

bool pipeline_blend_apply(const struct pipeline_blend *blend, uint32_t mask, VkGraphicsPipelineCreateInfo *info,
                          void **memory)
{
    const uint32_t given = info->pDynamicState ? info->pDynamicState->dynamicStateCount : 0;
    struct changed_state *changed = calloc(1, sizeof(*changed) + (given + DYNAMIC_STATES) * sizeof(*changed->states));
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
        for (uint32_t i = 0; i < DYNAMIC_STATES; i++) {
            if (blend->layer_dynamic & dynamic_states[i].part)
                changed->states[count++] = dynamic_states[i].state;
        }
        changed->dynamic.dynamicStateCount = count;
        changed->dynamic.pDynamicStates = changed->states;
        info->pDynamicState = &changed->dynamic;
    }
    if (blend->parts & ~blend->layer_dynamic) {
        const uint32_t attachments = changed_attachments(blend, mask);
        changed->blend = *info->pColorBlendState;
        for (uint32_t i = 0; i < blend->count; i++) {
            VkPipelineColorBlendAttachmentState *state = &changed->attachments[i];
            *state = blend->states[i];
            if (blend->dynamic & BLEND_ENABLE)
                state->blendEnable = VK_TRUE; /* not read by the driver, and perhaps later */
            if (attachments >> i & 1)
                *state = blend_state(state, keeps(blend, i), blend->logic);
        }
        changed->blend.pAttachments = changed->attachments;
        info->pColorBlendState = &changed->blend;
    }
    return true;
}

/* ---- Setting what is dynamic ---- */

/* Calls below for the attachments `first` to `first + count - 1`. */
static void set_part(const struct command *command, enum blend_part part, uint32_t first, uint32_t count,
                     const VkPipelineColorBlendAttachmentState *states)
{
    const struct device_dispatch *next = &command->device->next;
    VkColorBlendEquationEXT equations[COLOR_ATTACHMENTS];
    VkColorComponentFlags masks[COLOR_ATTACHMENTS];
    VkBool32 enables[COLOR_ATTACHMENTS];
    switch (part) {
    case BLEND_EQUATION:
        for (uint32_t i = 0; i < count; i++)
            equations[i] = blend_equation_of(&states[first + i]);
        next->CmdSetColorBlendEquationEXT(command->handle, first, count, equations);
        break;
    case BLEND_WRITE_MASK:
        for (uint32_t i = 0; i < count; i++)
            masks[i] = states[first + i].colorWriteMask;
        next->CmdSetColorWriteMaskEXT(command->handle, first, count, masks);
        break;
    default:
        for (uint32_t i = 0; i < count; i++)
            enables[i] = states[first + i].blendEnable;
        next->CmdSetColorBlendEnableEXT(command->handle, first, count, enables);
        break;
    }
}

/* The runs of attachments whose bits are in `set`. */
static void set_runs(const struct command *command, enum blend_part part, uint32_t set,
                     const VkPipelineColorBlendAttachmentState *states)
{
    for (uint32_t first = 0; first < COLOR_ATTACHMENTS && set >> first;) {
        uint32_t end = first;
        while (end < COLOR_ATTACHMENTS && (set >> end & 1))
            end++;
        if (end > first)
            set_part(command, part, first, end - first, states);
        first = end + 1;
    }
}

/* What the program wants of an attachment: the state of its pipeline, but for what is dynamic there and was set. */
static VkPipelineColorBlendAttachmentState wanted(const struct command_blend *state, const struct pipeline_blend *blend,
                                                  uint32_t dynamic, uint32_t attachment)
{
    VkPipelineColorBlendAttachmentState result = {.blendEnable = VK_FALSE};
    if (blend)
        result = blend->states[attachment];
    if (dynamic & BLEND_ENABLE && state->enables_set >> attachment & 1)
        result.blendEnable = state->enables[attachment];
    if (dynamic & BLEND_WRITE_MASK && state->masks_set >> attachment & 1)
        result.colorWriteMask = state->masks[attachment];
    if (dynamic & BLEND_EQUATION && state->equations_set >> attachment & 1)
        blend_set_equation(&result, &state->equations[attachment]);
    return result;
}

/* What a draw makes of blend state. */
struct drawing {
    const struct pipeline_blend *blend; /* NULL: shader objects, or a pipeline that the layer does not know */
    uint32_t program;                   /* BLEND_* that the program sets while recording */
    uint32_t layer;                     /* those that the layer sets for it */
    uint32_t attachments, keep;         /* alpha-to-one, and of those the ones whose alpha is kept by blending */
    bool logic;
    uint32_t key; /* of all that decides what is set, but for the pipeline; 0: what the program wants itself */
};

static bool logic_enabled(const struct command *command)
{
    const struct dynamic_state *dynamic = command->dynamic;
    return dynamic && (dynamic->scalars >> SCALAR_LogicOpEnableEXT & 1) && dynamic->scalar_LogicOpEnableEXT;
}

static struct drawing drawing_of(const struct command *command, const struct bind_point *point)
{
    const struct pipeline_blend *blend = point->pipeline ? &point->pipeline->blend : NULL;
    struct drawing drawing = {.blend = blend, .attachments = command->pass.mask, .keep = command->pass.keep};
    if (blend) {
        drawing.program = blend->dynamic;
        drawing.layer = blend->own || point->key ? blend->layer_dynamic : 0;
        drawing.attachments = changed_attachments(blend, command->pass.mask);
        drawing.keep = blend->independent || !blend->keep ? blend->keep : UINT32_MAX;
        drawing.logic = blend->logic;
    } else if (point->shaders) {
        drawing.program = BLEND_PARTS | BLEND_LOGIC;
        if (!command->device->blend.independent && drawing.attachments)
            drawing.attachments = UINT32_MAX, drawing.keep = drawing.keep ? UINT32_MAX : 0;
    } else {
        drawing.attachments = 0;
    }
    drawing.attachments &= (1u << COLOR_ATTACHMENTS) - 1;
    if (drawing.program & BLEND_EQUATION)
        drawing.keep &= ~command->blend.advanced_set;
    if (drawing.program & BLEND_LOGIC)
        drawing.logic = logic_enabled(command);
    drawing.keep &= drawing.attachments;
    if (drawing.attachments)
        drawing.key = drawing.attachments | drawing.keep << COLOR_ATTACHMENTS | (drawing.logic ? 1u << 31 : 0);
    return drawing;
}

/* What the program set, as it did. */
static void set_as_program(struct command *command)
{
    struct command_blend *state = &command->blend;
    VkPipelineColorBlendAttachmentState states[COLOR_ATTACHMENTS];
    for (uint32_t i = 0; i < COLOR_ATTACHMENTS; i++)
        states[i] = wanted(state, NULL, BLEND_PARTS, i);
    set_runs(command, BLEND_EQUATION, state->equations_set, states);
    set_runs(command, BLEND_WRITE_MASK, state->masks_set, states);
    set_runs(command, BLEND_ENABLE, state->enables_set, states);
    state->program_key = 0;
}

static void set_for(struct command *command, const struct drawing *drawing, bool layer, bool program)
{
    const struct command_blend *state = &command->blend;
    const uint32_t given[] = {state->equations_set, state->masks_set, state->enables_set};
    const uint32_t all = drawing->blend ? (1u << drawing->blend->count) - 1 : 0;
    VkPipelineColorBlendAttachmentState states[COLOR_ATTACHMENTS];
    uint32_t set = all | drawing->keep; /* the attachments that something is set for */
    for (uint32_t i = 0; i < DYNAMIC_STATES && program; i++)
        set |= given[i];
    for (uint32_t i = 0; set >> i; i++) {
        states[i] = wanted(state, drawing->blend, drawing->program, i);
        if (drawing->attachments >> i & 1)
            states[i] = blend_state(&states[i], drawing->keep >> i & 1, drawing->logic);
    }
    for (uint32_t i = 0; i < DYNAMIC_STATES; i++) {
        const enum blend_part part = dynamic_states[i].part;
        if (layer && (drawing->layer & part))
            set_runs(command, part, all, states);
        /* Where blending is off the program need not have set its equation. */
        else if (program && (drawing->program & part))
            set_runs(command, part, given[i] | drawing->keep, states);
    }
}

void blend_flush(struct command *command, const struct bind_point *point)
{
    struct command_blend *state = &command->blend;
    const struct drawing drawing = drawing_of(command, point);
    const bool layer = drawing.layer && (state->stale || state->layer_key != drawing.key);
    const bool program =
        (drawing.program & BLEND_PARTS) && drawing.key && (state->stale || state->program_key != drawing.key);
    const bool back = state->program_key && !drawing.key;
    if (!layer && !program && !back)
        return;
    if (back)
        set_as_program(command);
    set_for(command, &drawing, layer, program);
    if (layer)
        state->layer_key = drawing.key;
    if (program)
        state->program_key = drawing.key;
    state->stale = false;
    count(&command->track->counters.blend_updates, 1);
    if (drawing.keep)
        count(&command->track->counters.alpha_kept, 1);
}

void blend_reset(struct command *command)
{
    struct command_blend *state = &command->blend;
    state->stale = true;
    state->layer_key = state->program_key = 0;
    state->enables_set = state->masks_set = state->equations_set = state->advanced_set = 0;
}

void blend_restore(struct command *command)
{
    const struct command_blend *state = &command->blend;
    set_as_program(command);
    for (uint32_t i = 0; i < COLOR_ATTACHMENTS; i++) {
        if (state->advanced_set >> i & 1)
            command->device->next.CmdSetColorBlendAdvancedEXT(command->handle, i, 1, &state->advanced[i]);
    }
    command->blend.stale = true;
}

/* ---- What the program sets itself ---- */

void blend_note(struct command *command)
{
    if (!command || !(command->pass.mask || command->blend.program_key))
        return;
    command->blend.stale = true;
    command->points[POINT_GRAPHICS].dirty = true;
}

static uint32_t bits(uint32_t first, uint32_t count)
{
    return (uint32_t)(((UINT64_C(1) << count) - 1) << first);
}

/* A call for attachments that the layer follows; others go down as they are. */
static struct command *follows(VkCommandBuffer handle, uint32_t first, uint32_t count)
{
    return first < COLOR_ATTACHMENTS && count <= COLOR_ATTACHMENTS - first ? command_of(handle) : NULL;
}

/* hook_CmdSet<name>: goes down as it is, so that draws which the layer does not know have it; its own set it anew. */
#define ATTACHMENT_STATE(NAME, TYPE, VALUES, REPLACED)                                                                 \
    VKAPI_ATTR void VKAPI_CALL hook_CmdSet##NAME(VkCommandBuffer commandBuffer, uint32_t firstAttachment,              \
                                                 uint32_t attachmentCount, const TYPE *values)                         \
    {                                                                                                                  \
        struct command *command = follows(commandBuffer, firstAttachment, attachmentCount);                            \
        if (command) {                                                                                                 \
            memcpy(command->blend.VALUES + firstAttachment, values, attachmentCount * sizeof(*values));                \
            command->blend.REPLACED##_set &= ~bits(firstAttachment, attachmentCount);                                  \
            command->blend.VALUES##_set |= bits(firstAttachment, attachmentCount);                                     \
            blend_note(command);                                                                                       \
        }                                                                                                              \
        device_of(commandBuffer)->next.CmdSet##NAME(commandBuffer, firstAttachment, attachmentCount, values);          \
    }
ATTACHMENT_STATE(ColorBlendEnableEXT, VkBool32, enables, enables)
ATTACHMENT_STATE(ColorWriteMaskEXT, VkColorComponentFlags, masks, masks)
ATTACHMENT_STATE(ColorBlendEquationEXT, VkColorBlendEquationEXT, equations, advanced)
ATTACHMENT_STATE(ColorBlendAdvancedEXT, VkColorBlendAdvancedEXT, advanced, equations)
