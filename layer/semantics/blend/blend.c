/* SPDX-License-Identifier: MIT */
/*
 * Computes the blend state of attachments without alpha from the program's. Pipelines call it at creation,
 * layer/recording/alpha before draws; formats are in format.c.
 */
#include "blend/blend.h"

VkBlendFactor blend_color_factor(VkBlendFactor factor, bool negative)
{
    switch (factor) {
    case VK_BLEND_FACTOR_DST_ALPHA:
        return VK_BLEND_FACTOR_ONE;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
        return VK_BLEND_FACTOR_ZERO;
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return negative ? factor : VK_BLEND_FACTOR_ZERO;
    default:
        return factor;
    }
}

bool blend_is_advanced(VkBlendOp op)
{
    return op >= VK_BLEND_OP_ZERO_EXT && op <= VK_BLEND_OP_BLUE_EXT;
}

VkColorBlendEquationEXT blend_equation_of(const VkPipelineColorBlendAttachmentState *state)
{
    return (VkColorBlendEquationEXT){
        .srcColorBlendFactor = state->srcColorBlendFactor,
        .dstColorBlendFactor = state->dstColorBlendFactor,
        .colorBlendOp = state->colorBlendOp,
        .srcAlphaBlendFactor = state->srcAlphaBlendFactor,
        .dstAlphaBlendFactor = state->dstAlphaBlendFactor,
        .alphaBlendOp = state->alphaBlendOp,
    };
}

void blend_set_equation(VkPipelineColorBlendAttachmentState *state, const VkColorBlendEquationEXT *equation)
{
    state->srcColorBlendFactor = equation->srcColorBlendFactor;
    state->dstColorBlendFactor = equation->dstColorBlendFactor;
    state->colorBlendOp = equation->colorBlendOp;
    state->srcAlphaBlendFactor = equation->srcAlphaBlendFactor;
    state->dstAlphaBlendFactor = equation->dstAlphaBlendFactor;
    state->alphaBlendOp = equation->alphaBlendOp;
}

/* ---- The state of an attachment ---- */

enum {
    RGB = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT,
    RGBA = RGB | VK_COLOR_COMPONENT_A_BIT
};

/* Minimum, maximum and the advanced operations know no factors. */
static bool has_factors(VkBlendOp op)
{
    return op == VK_BLEND_OP_ADD || op == VK_BLEND_OP_SUBTRACT || op == VK_BLEND_OP_REVERSE_SUBTRACT;
}

enum blend_source blend_source(const VkPipelineColorBlendAttachmentState *state, bool negative)
{
    if (!state->blendEnable)
        return BLEND_SOURCE_LEFT;
    if (!has_factors(state->colorBlendOp) || (state->colorWriteMask & RGB) != RGB ||
        blend_color_factor(state->dstColorBlendFactor, negative) != VK_BLEND_FACTOR_ZERO)
        return BLEND_SOURCE_NONE;
    switch (blend_color_factor(state->srcColorBlendFactor, negative)) {
    case VK_BLEND_FACTOR_DST_COLOR:
    case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE: /* of the program's alpha, and of what is there */
        return BLEND_SOURCE_NONE;
    case VK_BLEND_FACTOR_SRC_ALPHA:
        return BLEND_SOURCE_TIMES_ALPHA;
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
        return BLEND_SOURCE_TIMES_REST;
    default:
        return BLEND_SOURCE_LEFT;
    }
}

VkPipelineColorBlendAttachmentState blend_state(const VkPipelineColorBlendAttachmentState *state, enum blend_way way,
                                                bool logic, bool negative)
{
    VkPipelineColorBlendAttachmentState result = *state;
    const bool advanced = state->blendEnable && blend_is_advanced(state->colorBlendOp);
    if (state->blendEnable && has_factors(state->colorBlendOp)) {
        result.srcColorBlendFactor = blend_color_factor(state->srcColorBlendFactor, negative);
        result.dstColorBlendFactor = blend_color_factor(state->dstColorBlendFactor, negative);
    }
    const enum blend_source source = blend_source(state, negative);
    if (way == BLEND_MASKED || (way == BLEND_WRITTEN && source == BLEND_SOURCE_NONE) || logic || advanced ||
        (state->colorWriteMask & RGB) != RGB) {
        result.colorWriteMask &= RGB;
        return result;
    }
    result.colorWriteMask |= VK_COLOR_COMPONENT_A_BIT;
    if (way == BLEND_WRITTEN && !state->blendEnable)
        return result;
    if (way == BLEND_WRITTEN) {
        if (source != BLEND_SOURCE_LEFT)
            result.srcColorBlendFactor = VK_BLEND_FACTOR_ONE;
        result.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
        result.dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
        result.alphaBlendOp = VK_BLEND_OP_ADD;
        return result;
    }
    if (!state->blendEnable) {
        result.blendEnable = VK_TRUE;
        result.srcColorBlendFactor = VK_BLEND_FACTOR_ONE;
        result.dstColorBlendFactor = VK_BLEND_FACTOR_ZERO;
        result.colorBlendOp = VK_BLEND_OP_ADD;
    }
    result.srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
    result.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    result.alphaBlendOp = VK_BLEND_OP_ADD;
    return result;
}

static bool same_equation(const VkPipelineColorBlendAttachmentState *a, const VkPipelineColorBlendAttachmentState *b)
{
    return a->srcColorBlendFactor == b->srcColorBlendFactor && a->dstColorBlendFactor == b->dstColorBlendFactor &&
           a->colorBlendOp == b->colorBlendOp && a->srcAlphaBlendFactor == b->srcAlphaBlendFactor &&
           a->dstAlphaBlendFactor == b->dstAlphaBlendFactor && a->alphaBlendOp == b->alphaBlendOp;
}

static uint32_t differences(const VkPipelineColorBlendAttachmentState *state, bool keep, bool logic, bool negative)
{
    const VkPipelineColorBlendAttachmentState changed =
        blend_state(state, keep ? BLEND_KEPT : BLEND_MASKED, logic, negative);
    return (same_equation(&changed, state) ? 0u : BLEND_EQUATION) |
           (changed.colorWriteMask == state->colorWriteMask ? 0u : BLEND_WRITE_MASK) |
           (!changed.blendEnable == !state->blendEnable ? 0u : BLEND_ENABLE);
}

uint32_t blend_changes(const VkPipelineColorBlendAttachmentState *state, uint32_t dynamic, bool keep, bool logic,
                       bool negative)
{
    /* Bits of `at`: the values of dynamic state that lead to different ways. */
    enum { ENABLED = 1, PARTIAL = 2, ADVANCED = 4, LOGIC = 8, COMBINATIONS = 16 };
    uint32_t changes = 0;
    for (uint32_t at = 0; at < COMBINATIONS; at++) {
        VkPipelineColorBlendAttachmentState one = *state;
        if (dynamic & BLEND_ENABLE)
            one.blendEnable = at & ENABLED ? VK_TRUE : VK_FALSE;
        if (dynamic & BLEND_WRITE_MASK)
            one.colorWriteMask = at & PARTIAL ? VK_COLOR_COMPONENT_R_BIT : RGBA;
        if (dynamic & BLEND_EQUATION)
            one.colorBlendOp = at & ADVANCED ? VK_BLEND_OP_SRC_OVER_EXT : VK_BLEND_OP_ADD;
        changes |= differences(&one, keep, dynamic & BLEND_LOGIC ? (at & LOGIC) != 0 : logic, negative);
    }
    return changes & ~dynamic & BLEND_PARTS;
}

uint32_t blend_mask(uint32_t without_alpha, uint32_t used, bool independent, bool *disagree)
{
    without_alpha &= used;
    *disagree = !independent && without_alpha && without_alpha != used;
    return *disagree ? 0 : without_alpha;
}
