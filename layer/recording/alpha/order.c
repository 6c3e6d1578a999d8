/* SPDX-License-Identifier: MIT */
/*
 * Draws to attachments whose channels are elsewhere (blend/order.h). A draw takes a variant whose fragment shader moves
 * its outputs, and sets what is dynamic in its pipeline's blend state. What cannot be expressed is refused:
 * vkEndCommandBuffer returns an error.
 */
#include "alpha/order.h"

#include <string.h>

#include "alpha/pass.h"
#include "blend/blend.h"
#include "commands/command_buffer.h"
#include "commands/dynamic_state.h"
#include "device/device.h"
#include "device/object_names.h"
#include "objects/track.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipeline_order.h"
#include "shader_objects/shader_objects.h"

void order_refuse(struct command *command, const char *call, const char *why)
{
    if (command->error != VK_SUCCESS)
        return;
    command->error =
        refuse_about(command->track, ABOUT({VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE_KEY(command->handle)}), call, why);
}

void order_set(struct command *command, const struct order_pass *orders)
{
    if (!order_pass_any(orders) && !order_pass_any(&command->orders))
        return;
    command->blend.solved_for = NULL;
    if (memcmp(orders, &command->orders, sizeof(*orders)) == 0)
        return;
    command->orders = *orders;
    command->blend.stale = true;
    command->points[POINT_GRAPHICS].dirty = BIND_CHANGED;
}

/* ---- Draws ---- */

static bool scalar_enabled(const struct dynamic_state *dynamic, uint32_t scalar, VkBool32 value)
{
    return (dynamic->scalars >> scalar & 1) && value;
}

#define ENABLED(DYNAMIC, NAME) scalar_enabled(DYNAMIC, SCALAR_##NAME, (DYNAMIC)->scalar_##NAME)

/* The parts of the driver's blend state that are set before draws. */
static uint32_t set_parts(const struct pipeline_blend *blend)
{
    return blend ? (blend->dynamic | (blend->passthrough_is_dynamic ? blend->layer_dynamic : 0)) & BLEND_PARTS
                 : (uint32_t)BLEND_PARTS;
}

/* `blend` NULL: shader objects, of which `object` is the fragment shader. */
static struct order_drawing drawing_of(const struct command *command, const struct pipeline_blend *blend,
                                       const void *object)
{
    const struct shader_object *shader = blend ? NULL : object;
    const struct dynamic_state *dynamic = command->dynamic;
    const uint32_t program = blend ? blend->dynamic : BLEND_PARTS | BLEND_LOGIC;
    struct order_drawing drawing;
    memset(&drawing, 0, sizeof(drawing));
    drawing.mask = command->pass.mask;
    drawing.keep = command->pass.keep;
    drawing.negative = command->pass.negative;
    drawing.dynamic = set_parts(blend);
    drawing.logic = program & BLEND_LOGIC ? ENABLED(dynamic, LogicOpEnableEXT) : blend->logic;
    drawing.coverage = !blend || blend->order_facts.coverage_dynamic ? ENABLED(dynamic, AlphaToCoverageEnableEXT)
                                                                     : blend->order_facts.coverage;
    /* Of attachments in their own order alphaToOneEnable is the driver's. */
    drawing.one = command->orders.moved && blend && !blend->order_facts.one_dynamic && blend->order_facts.one;
    drawing.numbers = blend                    ? blend->order_facts.numbers
                      : command->pass.numbered ? command->pass.numbers
                                               : order_numbers_own();
    drawing.reads_inputs = shader ? shader->module->facts.reads_inputs : blend->order_facts.reads_inputs;
    drawing.count = blend ? blend->count : 0;
    for (uint32_t i = 0; !blend && command->orders.used >> i; i++)
        drawing.count = i + 1;
    for (uint32_t i = 0; i < drawing.count; i++)
        drawing.states[i] = blend_wanted(command, blend, program, i);
    return drawing;
}

/* Reasons why no variant can be made, whatever is blended; or NULL. */
static const char *unlike(const struct command *command, const struct pipeline_blend *blend)
{
    const bool one_dynamic = !blend || blend->order_facts.one_dynamic;
    if (one_dynamic && command->orders.moved && ENABLED(command->dynamic, AlphaToOneEnableEXT))
        return "alphaToOneEnable is dynamic, and attachments have their channels in another order";
    return NULL;
}

/* Are equations of vkCmdSetColorBlendAdvancedEXT followed? `blend` NULL: by shader objects. */
static bool has_advanced(const struct pipeline_blend *blend)
{
    return !blend || blend->order_facts.advanced_dynamic;
}

/* Equations that no structure of the drawing has: vkCmdSetColorBlendAdvancedEXT's. */
static const char *unlike_equations(const struct command *command, const struct pipeline_blend *blend,
                                    const struct order_drawing *drawing)
{
    const uint32_t set = command->blend.advanced_set & command->orders.moved;
    for (uint32_t i = 0; has_advanced(blend) && i < drawing->count; i++) {
        if ((set >> i & 1) && drawing->states[i].blendEnable && drawing->states[i].colorWriteMask && !drawing->logic)
            return "advanced blend operations read all channels, and some are kept elsewhere";
    }
    return NULL;
}

/*
 * The key for what is bound and set now; 0: the program's own does, or the draw is refused. `object`: the pipeline or
 * the fragment shader; `draws`: false where the program only binds it, and may set more before it draws.
 */
static uint32_t solve(struct command *command, const struct pipeline_blend *blend, const void *object, bool draws)
{
    struct command_blend *state = &command->blend;
    const char *why = unlike(command, blend);
    if (!why && state->solved_for == object)
        return state->solved.key;
    const struct order_drawing drawing = drawing_of(command, blend, object);
    if (!why)
        why = unlike_equations(command, blend, &drawing);
    const bool solved = !why && order_pass_solve(command->track, &command->orders, &drawing, &state->solved, &why);
    state->solved_for = solved ? object : NULL;
    if (solved)
        return state->solved.key;
    if (draws && why)
        order_refuse(command, "a draw", why);
    else if (draws)
        command->error = VK_ERROR_OUT_OF_HOST_MEMORY;
    return 0;
}

uint32_t order_pipeline_key(struct command *command, const struct pipeline *pipeline, bool draws)
{
    const uint32_t key = pipeline->blend.orders ? solve(command, &pipeline->blend, pipeline, draws) : 0;
    if (draws)
        command->blend.order_active = key != 0;
    if (!key || pipeline->saved_info.whole)
        return key;
    if (draws)
        order_refuse(
            command, "a draw",
            "a pipeline that cannot be compiled again draws to attachments whose channels are in another order");
    return 0;
}

uint32_t order_shader_key(struct command *command, const struct shader_object *object)
{
    const uint32_t key = solve(command, NULL, object, true);
    const struct order_variant *variant = order_variant_find(command->track, key);
    command->blend.order_active = key != 0;
    if (!variant || !order_variant_moves(variant))
        return 0;
    if (!object->fixed && !object->linked)
        return key;
    order_refuse(
        command, "a draw",
        "a shader object that is linked, or that the device selects, draws to attachments whose channels are in "
        "another order");
    return 0;
}

/* ---- Dynamic state ---- */

/* The driver's constants for the program's; `own`: those themselves. */
static void set_constants(struct command *command, bool own)
{
    const struct dynamic_state *dynamic = command->dynamic;
    float constants[4];
    if (!dynamic->blend_constants_set)
        return;
    if (own)
        memcpy(constants, dynamic->blend_constants, sizeof(constants));
    else
        order_solved_constants(command->blend.solved.constants, dynamic->blend_constants, constants);
    command->device->next.CmdSetBlendConstants(command->handle, constants);
    command->blend.constants_moved = !own;
}

void order_leave(struct command *command, const struct bind_point *point)
{
    const struct pipeline *pipeline = point->pipeline;
    command->blend.order_active = false;
    if (command->blend.constants_moved && (!pipeline || pipeline->blend.order_facts.constants_dynamic))
        set_constants(command, true);
}

bool order_flush(struct command *command, const struct bind_point *point)
{
    struct command_blend *state = &command->blend;
    const struct pipeline_blend *blend = point->pipeline ? &point->pipeline->blend : NULL;
    if (!state->order_active)
        return false;
    count(&command->track->counters.ordered_draws, 1);
    if (!state->stale && memcmp(&state->set, &state->solved, sizeof(state->set)) == 0)
        return true;
    const uint32_t parts = set_parts(blend), all = (1u << state->solved.count) - 1;
    for (uint32_t part = BLEND_EQUATION; part & BLEND_PARTS; part <<= 1) {
        /* Where they count, advanced equations are those of attachments in their own order. */
        const uint32_t stay = part == BLEND_EQUATION && has_advanced(blend) ? state->advanced_set : 0;
        if (parts & part)
            blend_set_states(command, part, all & ~stay, state->solved.states);
    }
    if (parts)
        state->program_key = state->layer_key = UINT32_MAX; /* the program's are set again after the pass */
    const bool constants = !blend || blend->order_facts.constants_dynamic;
    if (constants && (state->solved.constants_move || state->constants_moved))
        set_constants(command, !state->solved.constants_move);
    state->set = state->solved;
    state->stale = false;
    count(&command->track->counters.blend_updates, 1);
    return true;
}
