/* SPDX-License-Identifier: MIT */
/*
 * Reads a VkSamplerCreateInfo without GL structure into the canonical sampler state. Its address modes may be the
 * layer's own (vulkan_clampler.h), for programs that are not OpenGL.
 */
#include "resolve/resolve.h"

#include <string.h>

#include "newer_vulkan.h"
#include "resolve/border.h"
#include "resolve/wrap.h"
#include "vulkan_clampler.h"

static bool private_mode(VkSamplerAddressMode mode)
{
    return wrap_is_private(wrap_from_address_mode(mode));
}

bool resolve_has_private_modes(const VkSamplerCreateInfo *info)
{
    return private_mode(info->addressModeU) || private_mode(info->addressModeV) || private_mode(info->addressModeW);
}

static bool unknown_mode(VkSamplerAddressMode mode)
{
    return wrap_mode(wrap_from_address_mode(mode))->mode != mode;
}

bool resolve_has_unknown_modes(const VkSamplerCreateInfo *info)
{
    return unknown_mode(info->addressModeU) || unknown_mode(info->addressModeV) || unknown_mode(info->addressModeW);
}

void resolve_keep_unknown_modes(const VkSamplerCreateInfo *info, VkSamplerCreateInfo *for_driver)
{
    if (unknown_mode(info->addressModeU))
        for_driver->addressModeU = info->addressModeU;
    if (unknown_mode(info->addressModeV))
        for_driver->addressModeV = info->addressModeV;
    if (unknown_mode(info->addressModeW))
        for_driver->addressModeW = info->addressModeW;
}

static uint8_t filter_from_vk(VkFilter filter, const VkSamplerCubicWeightsCreateInfoQCOM *weights)
{
    if (filter == VK_FILTER_NEAREST)
        return 0;
    if (filter != VK_FILTER_CUBIC_EXT)
        return 1;
    const uint32_t kind = weights ? (uint32_t)weights->cubicWeights : 0;
    return (uint8_t)(SAMPLER_CUBIC + (kind < SAMPLER_CUBIC_WEIGHTS ? kind : 0));
}

static uint8_t reduction_from_vk(VkSamplerReductionMode mode)
{
    switch ((uint32_t)mode) {
    case VK_SAMPLER_REDUCTION_MODE_MIN:
    case VK_SAMPLER_REDUCTION_MODE_MAX:
        return (uint8_t)mode;
    case VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM:
        return SAMPLER_RANGE_CLAMP;
    default:
        return VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
    }
}

static float without_negative_zero(float value)
{
    return value == 0.0f ? 0.0f : value;
}

static void read_border(const VkSamplerCreateInfo *info, const VkSamplerCustomBorderColorCreateInfoEXT *custom,
                        struct sampler_state *state)
{
    static const VkClearColorValue float_black = {.float32 = {0, 0, 0, 1}};
    static const VkClearColorValue float_white = {.float32 = {1, 1, 1, 1}};
    static const VkClearColorValue int_black = {.uint32 = {0, 0, 0, 1}};
    static const VkClearColorValue int_white = {.uint32 = {1, 1, 1, 1}};
    static const VkClearColorValue zero = {.uint32 = {0, 0, 0, 0}};
    const VkClearColorValue *color = &zero;
    state->border_kind = SAMPLER_BORDER_FLOAT;
    switch ((uint32_t)info->borderColor) {
    case VK_BORDER_COLOR_INT_TRANSPARENT_BLACK:
        state->border_kind = SAMPLER_BORDER_INT;
        break;
    case VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK:
        color = &float_black;
        break;
    case VK_BORDER_COLOR_INT_OPAQUE_BLACK:
        state->border_kind = SAMPLER_BORDER_INT;
        color = &int_black;
        break;
    case VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE:
        color = &float_white;
        break;
    case VK_BORDER_COLOR_INT_OPAQUE_WHITE:
        state->border_kind = SAMPLER_BORDER_INT;
        color = &int_white;
        break;
    case VK_BORDER_COLOR_FLOAT_CUSTOM_EXT:
    case VK_BORDER_COLOR_INT_CUSTOM_EXT:
        if (info->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT)
            state->border_kind = SAMPLER_BORDER_INT;
        if (custom) {
            color = &custom->customBorderColor;
            state->border_format = (uint32_t)custom->format;
        }
        break;
    default:
        break;
    }
    memcpy(state->border, color, sizeof(state->border));
}

static VkComponentSwizzle without_identity(VkComponentSwizzle component, uint32_t place)
{
    return component == VK_COMPONENT_SWIZZLE_IDENTITY ? (VkComponentSwizzle)(VK_COMPONENT_SWIZZLE_R + place)
                                                      : component;
}

static void read_mapping(const VkSamplerBorderColorComponentMappingCreateInfoEXT *mapping, struct sampler_state *state)
{
    const VkComponentMapping *from = &mapping->components;
    state->border_mapping = SAMPLER_MAPPING_NAMED | (mapping->srgb ? SAMPLER_MAPPING_SRGB : 0u);
    state->border_components[0] = (uint8_t)(without_identity(from->r, 0) | without_identity(from->g, 1) << 4);
    state->border_components[1] = (uint8_t)(without_identity(from->b, 2) | without_identity(from->a, 3) << 4);
}

void resolve_chain(const void *chained, struct sampler_chain *chain)
{
    const uint32_t first = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
                   last = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_GL_CHANNEL_ORDER_CLAMPLER;
    *chain = (struct sampler_chain){0};
    for (const VkBaseInStructure *next = chained; next; next = next->pNext) {
        const void *structure = next;
        switch ((uint32_t)next->sType) {
        case VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER:
            chain->gl = structure;
            break;
        case VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO:
            chain->reduction = structure;
            break;
        case VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT:
            chain->border = structure;
            break;
        case VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT:
            chain->mapping = structure;
            break;
        case VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT:
            chain->border_index = true;
            chain->others = true;
            break;
        case VK_STRUCTURE_TYPE_SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM:
            chain->weights = structure;
            break;
        case VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO:
            chain->conversion = structure;
            chain->others = true;
            break;
        default:
            chain->misplaced |= (uint32_t)next->sType - first <= last - first;
            chain->others = true;
        }
    }
}

/*
 * One name for states that choose the same texels. A level of detail of 0 and below magnifies, anything above minifies
 * ("Texel Filtering"). With one filter and the nearest level a greatest level of detail of 1/4 names level 0 as 0 does,
 * and llvmpipe 22.3 chooses no level then where a view has but one. Texel coordinates require 0, anisotropy has a level
 * of detail of its own, and a cubic filter takes tier 2 whichever of the two it is.
 */
static void fold_lod_range(struct sampler_state *state)
{
    if (sampler_is_cubic(state))
        return;
    if (state->max_lod <= 0.0f)
        state->min_linear = state->mag_linear;
    else if (state->min_lod > 0.0f)
        state->mag_linear = state->min_linear;
    if (state->mip_mode != 1 || state->max_lod > 0.0f || state->unnormalized || state->max_anisotropy != 0.0f)
        return;
    state->min_lod = 0.0f;
    state->max_lod = LOD_BASE_LEVEL_MAX;
}

void resolve_vk_state(const VkSamplerCreateInfo *info, const struct sampler_chain *chain, struct sampler_state *state)
{
    memset(state, 0, sizeof(*state));
    state->reduction = chain->reduction ? reduction_from_vk(chain->reduction->reductionMode) : 0;
    state->wrap[0] = wrap_from_address_mode(info->addressModeU);
    state->wrap[1] = wrap_from_address_mode(info->addressModeV);
    state->wrap[2] = wrap_from_address_mode(info->addressModeW);
    state->mag_linear = filter_from_vk(info->magFilter, chain->weights);
    state->min_linear = filter_from_vk(info->minFilter, chain->weights);
    state->mip_mode = info->mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR ? 2 : 1;
    state->compare = info->compareEnable ? (uint8_t)(info->compareOp + 1) : 0;
    state->unnormalized = info->unnormalizedCoordinates ? 1 : 0;
    state->seamless = !(info->flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT);
    state->create_flags = info->flags;
    state->lod_bias = without_negative_zero(info->mipLodBias);
    state->min_lod = without_negative_zero(info->minLod);
    state->max_lod = without_negative_zero(info->maxLod);
    state->max_anisotropy = info->anisotropyEnable ? info->maxAnisotropy : 0.0f;
    if (wrap_any_private(state)) /* others are the driver's */
        fold_lod_range(state);
    if (border_is_reachable(state))
        read_border(info, chain->border, state);
    if (border_is_reachable(state) && chain->mapping)
        read_mapping(chain->mapping, state);
}
