/* SPDX-License-Identifier: MIT */
/*
 * Blend state of pipelines and command buffers where attachments have no alpha. Draws know the mask of such
 * attachments: they set dynamic state for it, and bind a variant of the pipeline whose static state was rewritten for
 * it.
 *
 *   program's pipeline, mask 0 ─────────────────► as it is
 *   mask, device has dynamic blend state ───────► the one variant with dynamic state, set here before the draw
 *   mask, device has none ──────────────────────► a variant for that mask
 *   states that the program sets while recording ► passed on, and set once more before the draw for the mask
 *   shader objects ─────────────────────────────► the same; a variant of the fragment shader where that writes alpha
 *
 * Enable, equation and write mask of an attachment are decided together (blend.h), so all three are read together, from
 * the pipeline and from dynamic state.
 */
#include <stdlib.h>
#include <string.h>

#include "alpha/change.h"
#include "alpha/order.h"
#include "alpha/pass.h"
#include "attachments/attachments.h"
#include "blend/blend.h"
#include "commands/command_buffer.h"
#include "commands/dynamic_state.h"
#include "device/device.h"
#include "objects/track.h"
#include "pipelines/graphics_state.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipeline_order.h"

/* ---- Setting dynamic state ---- */

/* Calls the next layer for the attachments `first` to `first + count - 1`. */
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

/* The program's state of an attachment: that of its pipeline, and dynamic state as the program has set it. */
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

VkPipelineColorBlendAttachmentState blend_wanted(const struct command *command, const struct pipeline_blend *blend,
                                                 uint32_t dynamic, uint32_t attachment)
{
    return wanted(&command->blend, blend, dynamic, attachment);
}

void blend_set_states(const struct command *command, uint32_t part, uint32_t set,
                      const VkPipelineColorBlendAttachmentState *states)
{
    set_runs(command, (enum blend_part)part, set, states);
}

/* The blend state of a draw. */
struct drawing {
    const struct pipeline_blend *blend; /* NULL: shader objects, or a pipeline that the layer does not know */
    uint32_t program;                   /* BLEND_* that the program sets while recording */
    uint32_t layer;                     /* those that the layer sets for it */
    uint32_t attachments, keep;         /* without alpha, and of those the ones whose alpha is kept by blending */
    uint32_t written;                   /* likewise those whose alpha the bound shader writes */
    bool logic;
    uint32_t key; /* the inputs of the states but for the pipeline, packed; 0: the program's own states */
};

static bool logic_enabled(const struct command *command)
{
    const struct dynamic_state *dynamic = command->dynamic;
    return dynamic && (dynamic->scalars >> SCALAR_LogicOpEnableEXT & 1) && dynamic->scalar_LogicOpEnableEXT;
}

/* True as well where it is not known. */
static bool coverage_enabled(const struct command *command)
{
    const struct dynamic_state *dynamic = command->dynamic;
    return !dynamic || !(dynamic->scalars >> SCALAR_AlphaToCoverageEnableEXT & 1) ||
           dynamic->scalar_AlphaToCoverageEnableEXT;
}

/*
 * Decides by the program's dynamic state which of written->all shaders write; those in `multiplied` can multiply. State
 * that the program has not set does not matter: drawing with it is not valid.
 */
static void follow_dynamic(const struct command *command, const struct pipeline_blend *blend, uint32_t dynamic,
                           uint32_t multiplied, struct written_alpha *written)
{
    const struct command_blend *state = &command->blend;
    for (uint32_t i = 0; written->all >> i; i++) {
        const uint32_t bit = 1u << i;
        const VkPipelineColorBlendAttachmentState now = wanted(state, blend, dynamic, i);
        const bool unknown = ((dynamic & BLEND_ENABLE) && !(state->enables_set & bit)) ||
                             (now.blendEnable && (dynamic & BLEND_EQUATION) && !(state->equations_set & bit));
        const enum blend_source source =
            unknown ? BLEND_SOURCE_NONE : blend_source(&now, command->pass.negative >> i & 1);
        const bool times = source == BLEND_SOURCE_TIMES_ALPHA || source == BLEND_SOURCE_TIMES_REST;
        written->times_alpha &= ~bit;
        written->times_rest &= ~bit;
        if (source == BLEND_SOURCE_NONE || (times && !(multiplied & bit)))
            written->all &= ~bit;
        else if (times)
            *(source == BLEND_SOURCE_TIMES_ALPHA ? &written->times_alpha : &written->times_rest) |= bit;
    }
}

uint32_t blend_key(const struct command *command, const struct pipeline_blend *blend)
{
    struct written_alpha written = blend->written;
    written.all &= command->pass.mask;
    if (written.all &&
        (((blend->dynamic & BLEND_LOGIC) && logic_enabled(command)) || (blend->coverage && coverage_enabled(command))))
        written.all = 0;
    if (written.all && (blend->dynamic & BLEND_PARTS))
        follow_dynamic(command, blend, blend->dynamic, blend->multiplied, &written);
    return pipeline_blend_key(blend, command->pass.mask, written);
}

/* True: state after the fragment shader may read its alpha. */
static bool alpha_is_read(const struct command *command)
{
    const struct dynamic_state *dynamic = command->dynamic;
    const bool modulated = (dynamic->scalars >> SCALAR_CoverageModulationModeNV & 1) &&
                           dynamic->scalar_CoverageModulationModeNV != VK_COVERAGE_MODULATION_MODE_NONE_NV;
    return logic_enabled(command) || coverage_enabled(command) || modulated;
}

uint32_t blend_shader_key(const struct command *command, const struct writable_alpha *writable)
{
    const struct pass_state *pass = &command->pass;
    const struct dynamic_state *dynamic = command->dynamic;
    struct written_alpha written = {.all = 0};
    if (!command->device->caps.blend.independent || pass->remapped || alpha_is_read(command))
        return 0;
    for (uint32_t i = 0; pass->mask >> i; i++) {
        const struct blend_format *format = pass->formats[i];
        if ((pass->mask >> i & 1) && alpha_writes(command->track, format))
            written.all |= (format->number == BLEND_FLOAT ? writable->floats : writable->integers) & 1u << i;
    }
    const bool replaced = (dynamic->scalars >> SCALAR_AlphaToOneEnableEXT & 1) && dynamic->scalar_AlphaToOneEnableEXT;
    if (written.all)
        follow_dynamic(command, NULL, BLEND_PARTS, replaced ? 0 : writable->multiplied, &written);
    return written_alpha_key(written);
}

static struct drawing drawing_of(const struct command *command, const struct bind_point *point)
{
    const struct pipeline_blend *blend = point->pipeline ? &point->pipeline->blend : NULL;
    struct drawing drawing = {.blend = blend, .attachments = command->pass.mask, .keep = command->pass.keep};
    if (blend) {
        drawing.program = blend->dynamic;
        drawing.layer = blend->passthrough_is_dynamic || point->driver.key ? blend->layer_dynamic : 0;
        drawing.attachments = pipeline_blend_changed(blend, command->pass.mask);
        drawing.written = pipeline_blend_written(point->driver.key).all & command->pass.mask;
        drawing.keep = blend->independent || !blend->keep ? blend->keep : UINT32_MAX;
        drawing.logic = blend->logic;
    } else if (point->shaders) {
        drawing.program = BLEND_PARTS | BLEND_LOGIC;
        drawing.written = pipeline_blend_written(point->driver.key).all & command->pass.mask;
        if (!command->device->caps.blend.independent && drawing.attachments)
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
    _Static_assert(3 * COLOR_ATTACHMENTS < 31, "keys have three bits an attachment, and one for logic operations");
    if (drawing.attachments)
        drawing.key = drawing.attachments | drawing.keep << COLOR_ATTACHMENTS |
                      drawing.written << 2 * COLOR_ATTACHMENTS | (drawing.logic ? 1u << 31 : 0);
    return drawing;
}

/* Sets the program's own values of these parts again. */
static void set_as_program(struct command *command, uint32_t parts)
{
    struct command_blend *state = &command->blend;
    VkPipelineColorBlendAttachmentState states[COLOR_ATTACHMENTS];
    for (uint32_t i = 0; i < COLOR_ATTACHMENTS; i++)
        states[i] = wanted(state, NULL, BLEND_PARTS, i);
    if (parts & BLEND_EQUATION)
        set_runs(command, BLEND_EQUATION, state->equations_set, states);
    if (parts & BLEND_WRITE_MASK)
        set_runs(command, BLEND_WRITE_MASK, state->masks_set, states);
    if (parts & BLEND_ENABLE)
        set_runs(command, BLEND_ENABLE, state->enables_set, states);
    state->program_key = 0;
}

static enum blend_way way_of(const struct drawing *drawing, uint32_t attachment)
{
    return drawing->written >> attachment & 1 ? BLEND_WRITTEN
           : drawing->keep >> attachment & 1  ? BLEND_KEPT
                                              : BLEND_MASKED;
}

static void set_for(struct command *command, const struct drawing *drawing, bool layer, bool program)
{
    const struct command_blend *state = &command->blend;
    static const enum blend_part parts[] = {BLEND_EQUATION, BLEND_WRITE_MASK, BLEND_ENABLE};
    enum { PARTS = sizeof(parts) / sizeof(parts[0]) };
    const uint32_t given[PARTS] = {state->equations_set, state->masks_set, state->enables_set};
    const uint32_t all = drawing->blend ? (1u << drawing->blend->count) - 1 : 0;
    VkPipelineColorBlendAttachmentState states[COLOR_ATTACHMENTS];
    uint32_t set = all | drawing->keep; /* the attachments whose state is set */
    for (uint32_t i = 0; i < PARTS && program; i++)
        set |= given[i];
    for (uint32_t i = 0; set >> i; i++) {
        states[i] = wanted(state, drawing->blend, drawing->program, i);
        if (drawing->attachments >> i & 1)
            states[i] = blend_state(&states[i], way_of(drawing, i), drawing->logic, command->pass.negative >> i & 1);
    }
    for (uint32_t i = 0; i < PARTS; i++) {
        const enum blend_part part = parts[i];
        if (layer && (drawing->layer & part))
            set_runs(command, part, all, states);
        /* Where blending is off the program need not have set its equation. */
        else if (program && (drawing->program & part))
            set_runs(command, part, given[i] | drawing->keep, states);
    }
}

/* Whether the draw writes the program's alpha to attachments without: its state is left alone. */
static bool is_unchanged(const struct command *command, const struct bind_point *point)
{
    const struct pipeline_blend *blend = point->pipeline ? &point->pipeline->blend : NULL;
    return blend && blend->unchanged && (blend->affected & command->pass.mask);
}

void blend_flush(struct command *command, const struct bind_point *point)
{
    if (is_unchanged(command, point))
        change_all(command, FILLED_UNCHANGED_DRAW);
    if (order_pass_any(&command->orders) && order_flush(command, point))
        return;
    order_leave(command, point);
    struct command_blend *state = &command->blend;
    const struct drawing drawing = drawing_of(command, point);
    const bool layer = drawing.layer && (state->stale || state->layer_key != drawing.key);
    const bool program =
        (drawing.program & BLEND_PARTS) && drawing.key && (state->stale || state->program_key != drawing.key);
    /* State that is static in the pipeline must not be set; the program sets it again behind such a pipeline. */
    const bool back = (drawing.program & BLEND_PARTS) && state->program_key && !drawing.key;
    if (!layer && !program && !back)
        return;
    if (back)
        set_as_program(command, drawing.program);
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
    state->solved_for = NULL;
    state->order_active = state->constants_moved = false;
    state->enables_set = state->masks_set = state->equations_set = state->advanced_set = 0;
}

void blend_restore(struct command *command)
{
    const struct command_blend *state = &command->blend;
    set_as_program(command, BLEND_PARTS);
    for (uint32_t i = 0; i < COLOR_ATTACHMENTS; i++) {
        if (state->advanced_set >> i & 1)
            command->device->next.CmdSetColorBlendAdvancedEXT(command->handle, i, 1, &state->advanced[i]);
    }
    command->blend.stale = true;
}

/* ---- State that the program sets ---- */

static uint32_t bits(uint32_t first, uint32_t count)
{
    return (uint32_t)(((UINT64_C(1) << count) - 1) << first);
}

/* The command buffer, if the call is for attachments that the layer follows; NULL: only pass it on. */
static struct command *follows(VkCommandBuffer handle, uint32_t first, uint32_t count)
{
    return first < COLOR_ATTACHMENTS && count <= COLOR_ATTACHMENTS - first ? command_of(handle) : NULL;
}

/*
 * hook_CmdSet<name>: passes the call on, for draws of commands that the layer does not hook; hooked draws set it again.
 */
#define ATTACHMENT_STATE(NAME, TYPE, VALUES, REPLACED)                                                                 \
    VKAPI_ATTR void VKAPI_CALL hook_CmdSet##NAME(VkCommandBuffer commandBuffer, uint32_t firstAttachment,              \
                                                 uint32_t attachmentCount, const TYPE *values)                         \
    {                                                                                                                  \
        struct command *command = follows(commandBuffer, firstAttachment, attachmentCount);                            \
        if (command) {                                                                                                 \
            memcpy(command->blend.VALUES + firstAttachment, values, attachmentCount * sizeof(*values));                \
            command->blend.REPLACED##_set &= ~bits(firstAttachment, attachmentCount);                                  \
            command->blend.VALUES##_set |= bits(firstAttachment, attachmentCount);                                     \
            blend_set_stale(command);                                                                                  \
        }                                                                                                              \
        device_of(commandBuffer)->next.CmdSet##NAME(commandBuffer, firstAttachment, attachmentCount, values);          \
    }
ATTACHMENT_STATE(ColorBlendEnableEXT, VkBool32, enables, enables)
ATTACHMENT_STATE(ColorWriteMaskEXT, VkColorComponentFlags, masks, masks)
ATTACHMENT_STATE(ColorBlendEquationEXT, VkColorBlendEquationEXT, equations, advanced)
ATTACHMENT_STATE(ColorBlendAdvancedEXT, VkColorBlendAdvancedEXT, advanced, equations)
