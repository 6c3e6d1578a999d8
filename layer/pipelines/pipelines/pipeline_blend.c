/* SPDX-License-Identifier: MIT */
/* Reads the blend state of pipelines, and changes it for variants for attachments without alpha. */
#include <stdlib.h>
#include <string.h>

#include "attachments/attachments.h"
#include "blend/blend.h"
#include "device/structure_chain.h"
#include "modules/shader_module.h"
#include "newer_vulkan.h"
#include "pipelines/graphics_state.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/tiers.h"

/* Stands for dynamic write masks: one with which shaders may write alpha. */
#define WHOLE                                                                                                          \
    (VkColorComponentFlags)(VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT |           \
                            VK_COLOR_COMPONENT_A_BIT)

/* ---- Reading a pipeline's state ---- */

static uint32_t dynamic_parts(const struct graphics_state *state)
{
    return (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) ? BLEND_EQUATION : 0u) |
           (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT) ? BLEND_WRITE_MASK : 0u) |
           (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) ? BLEND_ENABLE : 0u) |
           (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT) ? BLEND_LOGIC : 0u);
}

/* The states that the layer can set while recording. */
static uint32_t settable_parts(const struct device *device)
{
    return (device->caps.blend.equation ? BLEND_EQUATION : 0u) |
           (device->caps.blend.write_mask ? BLEND_WRITE_MASK : 0u) | (device->caps.blend.enable ? BLEND_ENABLE : 0u);
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
    return others && !track->device->caps.blend.independent ? 0 : keep;
}

/*
 * Whether some equation is an advanced operation, or may become one: it has one operation for all channels, and
 * vkCmdSetColorBlendEquationEXT does not take it, not even where blending is off. Dynamic equations are checked at
 * draws.
 */
static bool equations_fixed(const struct graphics_state *state, const struct pipeline_blend *blend)
{
    bool advanced = graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT);
    for (uint32_t i = 0; i < blend->count; i++)
        advanced |= blend_is_advanced(blend->states[i].colorBlendOp);
    return advanced && !(blend->dynamic & BLEND_EQUATION);
}

/* Finds the states that change for attachments without alpha, if alpha is kept on those in `keep`. */
static void find_changes(const struct track *track, const VkFormat *formats, uint32_t count, uint32_t keep,
                         struct pipeline_blend *blend)
{
    blend->keep = keep;
    blend->affected = blend->parts = blend->negative = 0;
    for (uint32_t i = 0; i < count; i++)
        blend->negative |= alpha_is_negative(track, blend_format(formats[i])) ? 1u << i : 0;
    if (blend->negative && !track->device->caps.blend.independent)
        blend->negative = UINT32_MAX; /* one state for all attachments */
    for (uint32_t i = 0; i < count; i++) {
        if (!alpha_possible(track, formats[i]))
            continue;
        const uint32_t changes = i < blend->count ? blend_changes(&blend->states[i], blend->dynamic, keep >> i & 1,
                                                                  blend->logic, blend->negative >> i & 1)
                                                  : 0;
        if (changes || (blend->dynamic & BLEND_PARTS))
            blend->affected |= 1u << i;
        blend->parts |= changes;
    }
}

/*
 * Records what the shader does for an attachment with the blend state `state`, but for dynamic state. False: with any
 * dynamic state it must not write alpha. `follow`: dynamic equations can be tracked.
 */
static bool remember_source(struct pipeline_blend *blend, uint32_t i, bool follow)
{
    VkPipelineColorBlendAttachmentState state = blend->states[i];
    const bool off = blend->dynamic & BLEND_ENABLE || !state.blendEnable;
    if (blend->dynamic & BLEND_ENABLE)
        state.blendEnable = VK_TRUE;
    if (blend->dynamic & BLEND_WRITE_MASK)
        state.colorWriteMask = WHOLE;
    if (state.blendEnable && (blend->dynamic & BLEND_EQUATION)) {
        blend->multiplied |= follow ? 1u << i : 0;
        return follow || off;
    }
    const enum blend_source source = blend_source(&state, blend->negative >> i & 1);
    const bool times = source == BLEND_SOURCE_TIMES_ALPHA || source == BLEND_SOURCE_TIMES_REST;
    blend->multiplied |= times ? 1u << i : 0;
    if (!(blend->dynamic & BLEND_ENABLE)) {
        blend->written.times_alpha |= source == BLEND_SOURCE_TIMES_ALPHA ? 1u << i : 0;
        blend->written.times_rest |= source == BLEND_SOURCE_TIMES_REST ? 1u << i : 0;
    }
    return source != BLEND_SOURCE_NONE || off;
}

/*
 * Finds the attachments whose alpha a shader may write: blending does not always read the destination, and colours can
 * be multiplied by the program's alpha first. The shader is checked when the pipeline is complete. `follow`: see
 * remember_source().
 */
static void find_written(const struct track *track, const VkFormat *formats, uint32_t count, bool follow,
                         struct pipeline_blend *blend)
{
    const uint64_t seen = atomic_load_explicit(&track->attachments->formats_seen, memory_order_relaxed);
    blend->written = (struct written_alpha){.all = 0};
    blend->integers = blend->multiplied = 0;
    blend->at_once = !(blend->dynamic & (BLEND_ENABLE | BLEND_EQUATION));
    if (!blend->independent || blend->logic)
        return;
    for (uint32_t i = 0; i < count && i < blend->count; i++) {
        const struct blend_format *format = blend_format(formats[i]);
        if (!(blend->affected >> i & 1) || !alpha_writes(track, format) || !remember_source(blend, i, follow))
            continue;
        blend->written.all |= 1u << i;
        blend->integers |= format->number == BLEND_FLOAT ? 0 : 1u << i;
        blend->at_once &= seen >> blend_format_index(format) & 1;
    }
}

/* True: multisample state uses the shader's alpha for coverage. */
static bool reads_alpha(const VkPipelineMultisampleStateCreateInfo *samples)
{
    const VkBaseInStructure *next = samples ? samples->pNext : NULL;
    while (next && next->sType == VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT)
        next = next->pNext;
    return next || (samples && samples->alphaToCoverageEnable);
}

static bool lists(const VkPipelineDynamicStateCreateInfo *dynamic, VkDynamicState state)
{
    for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++) {
        if (dynamic->pDynamicStates[i] == state)
            return true;
    }
    return false;
}

void pipeline_blend_confirm(const struct saved_info *saved_info, struct pipeline_blend *blend)
{
    const struct shader_module *fragment = NULL;
    struct spirv_alpha_one alpha_one = {.locations = blend->written.all, .integers = blend->integers};
    bool excluded = false, replaced = false;
    for (uint32_t i = 0; i < saved_info->count && blend->written.all; i++) {
        const VkGraphicsPipelineCreateInfo *info = saved_info->parts[i]->graphics;
        if (!info)
            continue;
        blend->coverage |= lists(info->pDynamicState, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT);
        excluded |= reads_alpha(info->pMultisampleState) ||
                    lists(info->pDynamicState, VK_DYNAMIC_STATE_COVERAGE_MODULATION_MODE_NV) ||
                    lists(info->pDynamicState, VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV) ||
                    pnext_find(info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR);
        replaced |= (info->pMultisampleState && info->pMultisampleState->alphaToOneEnable) ||
                    lists(info->pDynamicState, VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT);
        for (uint32_t j = 0; j < saved_info->parts[i]->stage_count; j++) {
            if (info->pStages[j].stage != VK_SHADER_STAGE_FRAGMENT_BIT)
                continue;
            fragment = saved_info->parts[i]->modules[j];
            alpha_one.entry = info->pStages[j].pName;
        }
    }
    blend->at_once &= !blend->coverage;
    if (!fragment || excluded) {
        blend->written = (struct written_alpha){.all = 0};
        return;
    }
    blend->written.all = module_finds_alpha_one(fragment, &alpha_one);
    alpha_one.locations = alpha_one.times_alpha = blend->multiplied & blend->written.all;
    blend->multiplied = alpha_one.locations && !replaced ? module_finds_alpha_one(fragment, &alpha_one) : 0;
    blend->written.all &= ~(blend->written.times_alpha | blend->written.times_rest) | blend->multiplied;
    blend->written.times_alpha &= blend->written.all;
    blend->written.times_rest &= blend->written.all;
}

void pipeline_blend_read(const struct track *track, const struct graphics_state *graphics, struct pipeline_blend *blend)
{
    const struct device *device = track->device;
    const VkFormat *formats = graphics->formats;
    *blend = (struct pipeline_blend){0};
    if (!device->caps.rgbx_attachments || !graphics->output)
        return;
    const uint32_t count = graphics->format_count;
    const VkPipelineColorBlendStateCreateInfo *state = count ? graphics->info.pColorBlendState : NULL;
    blend->independent = device->caps.blend.independent;
    blend->dynamic = dynamic_parts(graphics);
    blend->logic = state && state->logicOpEnable && !(blend->dynamic & BLEND_LOGIC);
    /* All dynamic: attachmentCount and pAttachments are ignored. */
    const bool given = state && (blend->dynamic & BLEND_PARTS) != BLEND_PARTS;
    blend->count = given ? state->attachmentCount : count;
    if (blend->count > COLOR_ATTACHMENTS)
        blend->count = COLOR_ATTACHMENTS;
    if (given && blend->count)
        memcpy(blend->states, state->pAttachments, blend->count * sizeof(*blend->states));

    const bool fixed = equations_fixed(graphics, blend);
    const uint32_t settable = settable_parts(device) & ~(fixed ? BLEND_EQUATION : 0u);
    find_changes(track, formats, count, fixed ? 0 : kept_attachments(track, formats, count), blend);
    if (blend->parts & ~settable) {
        /*
         * Masking may be possible with dynamic state alone, without a variant for each mask. Where variants are needed
         * all the same, their static state cannot follow what the program sets later, and masking does not depend on
         * that.
         */
        struct pipeline_blend masked = *blend;
        find_changes(track, formats, count, 0, &masked);
        if (!(masked.parts & ~settable) || masked.dynamic)
            *blend = masked;
    }
    blend->orders = device->caps.enabled.alphaToOneAttachments && count;
    if (!blend->affected && !blend->orders)
        *blend = (struct pipeline_blend){0};
    else if (!blend->affected)
        blend->keep = blend->negative = blend->parts = 0;
    find_written(track, formats, count, !graphics_state_is_dynamic(graphics, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT),
                 blend);
    blend->layer_dynamic = blend->parts & settable;
}

/* ---- Orders of channels ---- */

void pipeline_order_confirm(const struct saved_info *saved_info, bool reads_inputs, struct pipeline_blend *blend)
{
    struct pipeline_order_facts *facts = &blend->order_facts;
    *facts = (struct pipeline_order_facts){.numbers = order_numbers_own(), .reads_inputs = reads_inputs};
    for (uint32_t i = 0; i < saved_info->count && blend->orders; i++) {
        const VkGraphicsPipelineCreateInfo *info = saved_info->parts[i]->graphics;
        if (!info)
            continue;
        facts->coverage_dynamic |= lists(info->pDynamicState, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT);
        facts->one_dynamic |= lists(info->pDynamicState, VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT);
        facts->constants_dynamic |= lists(info->pDynamicState, VK_DYNAMIC_STATE_BLEND_CONSTANTS);
        facts->advanced_dynamic |= lists(info->pDynamicState, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT);
        facts->coverage |= reads_alpha(info->pMultisampleState);
        facts->one |= info->pMultisampleState && info->pMultisampleState->alphaToOneEnable;
        order_numbers_chained(info->pNext, &facts->numbers);
    }
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

uint32_t pipeline_blend_changed(const struct pipeline_blend *blend, uint32_t mask)
{
    mask &= blend->affected;
    return mask && !blend->independent ? UINT32_MAX : mask;
}

static enum blend_way way_of(const struct pipeline_blend *blend, uint32_t key, uint32_t attachment)
{
    if (pipeline_blend_written(key).all >> attachment & 1)
        return BLEND_WRITTEN;
    const bool keeps = blend->independent ? blend->keep >> attachment & 1 : blend->keep != 0;
    return keeps ? BLEND_KEPT : BLEND_MASKED;
}

/* An equation that does not read the destination. */
static const VkColorBlendEquationEXT replacing = {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD,
                                                  VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD};

bool pipeline_blend_apply(const struct pipeline_blend *blend, uint32_t key, VkGraphicsPipelineCreateInfo *info,
                          void **memory)
{
    const uint32_t mask = pipeline_blend_mask(key), written = pipeline_blend_written(key).all;
    const uint32_t given = info->pDynamicState ? info->pDynamicState->dynamicStateCount : 0;
    struct changed_state *changed = calloc(1, sizeof(*changed) + (given + DYNAMIC_STATES) * sizeof(*changed->states));
    *memory = changed;
    if (!changed)
        return false;
    if (blend->layer_dynamic && !blend->passthrough_is_dynamic) { /* else the saved create-info has them */
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
    /* Shaders that write alpha need equations that let it through, whether or not other variants have the program's. */
    if (info->pColorBlendState && (written || (blend->parts & ~blend->layer_dynamic))) {
        const uint32_t attachments = pipeline_blend_changed(blend, mask);
        changed->blend = *info->pColorBlendState;
        for (uint32_t i = 0; i < blend->count; i++) {
            VkPipelineColorBlendAttachmentState *state = &changed->attachments[i];
            *state = blend->states[i];
            /*
             * The driver ignores dynamic members. Where the shader writes alpha they must not prevent that in
             * blend_state().
             */
            if ((written >> i & 1) && (blend->dynamic & BLEND_EQUATION))
                blend_set_equation(state, &replacing);
            if ((written >> i & 1) && (blend->dynamic & BLEND_WRITE_MASK))
                state->colorWriteMask = WHOLE;
            if (blend->dynamic & BLEND_ENABLE) {
                state->blendEnable = VK_TRUE;
                state->blendEnable =
                    !(written >> i & 1) || blend_source(state, blend->negative >> i & 1) != BLEND_SOURCE_NONE;
            }
            if (attachments >> i & 1)
                *state = blend_state(state, way_of(blend, key, i), blend->logic, blend->negative >> i & 1);
        }
        changed->blend.pAttachments = changed->attachments;
        info->pColorBlendState = &changed->blend;
    }
    return true;
}

/* The states of a variant for orders of channels. */
struct ordered_state {
    VkPipelineColorBlendStateCreateInfo blend;
    VkPipelineMultisampleStateCreateInfo samples;
};

bool pipeline_order_apply(const struct order_variant *variant, VkGraphicsPipelineCreateInfo *info, void **memory)
{
    struct ordered_state *ordered = calloc(1, sizeof(*ordered));
    *memory = ordered;
    if (!ordered)
        return false;
    if (info->pColorBlendState) {
        ordered->blend = *info->pColorBlendState;
        ordered->blend.attachmentCount = variant->count;
        ordered->blend.pAttachments = variant->states;
        if (variant->constants_move)
            order_solved_constants(variant->constants, info->pColorBlendState->blendConstants,
                                   ordered->blend.blendConstants);
        info->pColorBlendState = &ordered->blend;
    }
    if (info->pMultisampleState && variant->one_off) {
        ordered->samples = *info->pMultisampleState;
        ordered->samples.alphaToOneEnable = VK_FALSE;
        info->pMultisampleState = &ordered->samples;
    }
    return true;
}
