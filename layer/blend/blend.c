#include "blend/blend.h"

VkBlendFactor blend_color_factor(VkBlendFactor factor)
{
    switch (factor) {
    case VK_BLEND_FACTOR_DST_ALPHA:
        return VK_BLEND_FACTOR_ONE;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return VK_BLEND_FACTOR_ZERO;
    default:
        return factor;
    }
}

VkBlendFactor blend_alpha_factor(VkBlendFactor factor)
{
    switch (factor) {
    case VK_BLEND_FACTOR_DST_ALPHA:
    case VK_BLEND_FACTOR_DST_COLOR: /* of the alpha channel: its alpha */
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return VK_BLEND_FACTOR_ONE;
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
    case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
        return VK_BLEND_FACTOR_ZERO;
    default:
        return factor;
    }
}

bool blend_is_advanced(VkBlendOp op)
{
    return op >= VK_BLEND_OP_ZERO_EXT && op <= VK_BLEND_OP_BLUE_EXT;
}

VkColorBlendEquationEXT blend_equation(const VkColorBlendEquationEXT *equation)
{
    VkColorBlendEquationEXT result = *equation;
    if (blend_is_advanced(equation->colorBlendOp))
        return result;
    result.srcColorBlendFactor = blend_color_factor(equation->srcColorBlendFactor);
    result.dstColorBlendFactor = blend_color_factor(equation->dstColorBlendFactor);
    result.srcAlphaBlendFactor = blend_alpha_factor(equation->srcAlphaBlendFactor);
    result.dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
    return result;
}

VkColorComponentFlags blend_write_mask(VkColorComponentFlags mask)
{
    return mask & ~(VkColorComponentFlags)VK_COLOR_COMPONENT_A_BIT;
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

uint32_t blend_changes(const VkPipelineColorBlendAttachmentState *state, bool enable_dynamic)
{
    uint32_t changes = 0;
    if (state->colorWriteMask & VK_COLOR_COMPONENT_A_BIT)
        changes |= BLEND_WRITE_MASK;
    /* Alpha is not written, so that its own factors do not make a difference. */
    bool factors = state->colorBlendOp == VK_BLEND_OP_ADD || state->colorBlendOp == VK_BLEND_OP_SUBTRACT ||
                   state->colorBlendOp == VK_BLEND_OP_REVERSE_SUBTRACT;
    if ((state->blendEnable || enable_dynamic) && factors &&
        (blend_color_factor(state->srcColorBlendFactor) != state->srcColorBlendFactor ||
         blend_color_factor(state->dstColorBlendFactor) != state->dstColorBlendFactor))
        changes |= BLEND_EQUATION;
    return changes;
}

void blend_states(const VkPipelineColorBlendAttachmentState *from, uint32_t count, uint32_t mask,
                  VkPipelineColorBlendAttachmentState *to)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i] = from[i];
        if (i >= 32 || !(mask & 1u << i))
            continue;
        const VkColorBlendEquationEXT before = blend_equation_of(&from[i]), equation = blend_equation(&before);
        to[i].srcColorBlendFactor = equation.srcColorBlendFactor;
        to[i].dstColorBlendFactor = equation.dstColorBlendFactor;
        to[i].srcAlphaBlendFactor = equation.srcAlphaBlendFactor;
        to[i].dstAlphaBlendFactor = equation.dstAlphaBlendFactor;
        to[i].colorWriteMask = blend_write_mask(from[i].colorWriteMask);
    }
}

uint32_t blend_mask(uint32_t alpha_to_one, uint32_t used, bool independent, bool *disagree)
{
    alpha_to_one &= used;
    *disagree = !independent && alpha_to_one && alpha_to_one != used;
    return *disagree ? 0 : alpha_to_one;
}
