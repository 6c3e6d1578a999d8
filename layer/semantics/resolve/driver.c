/* SPDX-License-Identifier: MIT */
/*
 * Builds the create-info of the driver's sampler from a pair whose filters, wrap modes, level of detail and border have
 * been decided. The last stage of a pair: it decides nothing about records.
 */
#include "resolve/pair.h"

#include <string.h>

#include "record/layout.h"
#include "resolve/wrap.h"

#define MOST_LOD 1000.0f /* VK_LOD_CLAMP_NONE */

static VkFilter vk_filter(uint8_t filter)
{
    return filter_is_cubic(filter) ? VK_FILTER_CUBIC_EXT : filter ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
}

static uint8_t driver_filter(const struct resolved_pair *pair, uint8_t filter)
{
    return pair->driver_nearest ? 0 : cubic_is_emulated(&pair->wanted, pair->caps) ? filter != 0 : filter;
}

static void set_filters(const struct resolved_pair *pair, VkSamplerCreateInfo *info)
{
    const struct sampler_state *wanted = &pair->wanted;
    bool nearest = pair->driver_nearest;
    /* The shader needs the filter that minifies at level 0 (record_mixes_at_base). */
    bool mixed = pair->filtered && !wanted->mag_linear != !wanted->min_linear;
    info->magFilter = vk_filter(driver_filter(pair, wanted->mag_linear));
    info->minFilter = vk_filter(driver_filter(pair, wanted->min_linear));
    info->mipmapMode =
        wanted->mip_mode == 2 && !nearest && !mixed ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
}

static void set_lod(const struct resolved_pair *pair, VkSamplerCreateInfo *info)
{
    const struct sampler_state *wanted = &pair->wanted;
    float limit = pair->caps->max_lod_bias, bias = resolve_bounded_lod_bias(wanted->lod_bias, limit);
    info->minLod = wanted->min_lod;
    info->maxLod = wanted->max_lod;
    info->mipLodBias = wanted->lod_bias;
    /* As the record has it (lod.c): where tier 2 looks up through this sampler, it takes the bias away again. */
    if (biases_as_gl(wanted, pair->caps) || (pair->caps->max_lod_bias_assumed && pair->filtered))
        info->mipLodBias = bias < -limit ? -limit : bias > limit ? limit : bias;
}

/*
 * A moved coordinate is looked up with the gradients of the one that was asked for. Where a driver ignores those under
 * anisotropy it would sample level 0 at every clamped border: the right level matters more than sharpness at a slant.
 * Anisotropy filters, so that formats that cannot be filtered have none.
 */
static void set_anisotropy(struct resolved_pair *pair, VkSamplerCreateInfo *info)
{
    const struct view_facts *view = pair->view;
    bool moves = pair->flags & (RECORD_COORDS | RECORD_BIAS);
    float asked = pair->wanted.max_anisotropy;
    bool on = asked != 0.0f;
    if (on && pair->caps->offered & RESOLVE_OFFER_ANISOTROPY && !pair->filtered) {
        on = false;
        pair_says(pair, WHY_ISOTROPIC_DEVICE);
    }
    if (on && pair->filtered) { /* tier 2 names levels, and may do so through this sampler */
        on = false;
        const bool probes = has_probes(&pair->wanted, pair->caps) && !is_cube(view);
        if (any_linear(&pair->wanted))
            pair_says(pair, probes ? WHY_PROBES : WHY_TRILINEAR);
    }
    if (on && moves && pair->caps->anisotropy_ignores_gradients) {
        on = false;
        pair_says(pair, WHY_ISOTROPIC_GRADIENTS);
    }
    if (on && view && !pair->compares && (pair->emulated || pair->driver_nearest) && (view->integer || !view->linear)) {
        on = false;
        if (!pair->filtered)
            pair_says(pair, WHY_ISOTROPIC_FORMAT);
    }
    info->anisotropyEnable = on;
    info->maxAnisotropy = on ? asked : 1.0f;
}

/*
 * Images of cubes cannot be fetched from: where tier 2 filters them its taps go through the sampler, one texel at a
 * time, at any level: a tap's level of detail is its level.
 */
static void make_tapped(VkSamplerCreateInfo *info)
{
    info->magFilter = VK_FILTER_NEAREST;
    info->minFilter = VK_FILTER_NEAREST;
    info->mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
    info->addressModeU = info->addressModeV = info->addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    info->borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    info->anisotropyEnable = VK_FALSE;
    info->maxAnisotropy = 1.0f;
    info->mipLodBias = 0.0f;
    info->minLod = 0.0f;
    info->maxLod = MOST_LOD;
}

/*
 * One sampler for all pairs that compare alike: tier 2 fetches their texels, or takes them from cubes one at a time. An
 * incomplete view shows the same through any sampler.
 */
static void make_common(struct driver_sampler *driver)
{
    const struct driver_sampler known = *driver;
    memset(driver, 0, sizeof(*driver));
    driver->info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    driver->info.compareEnable = known.info.compareEnable;
    driver->info.compareOp = known.info.compareOp;
    make_tapped(&driver->info);
}

static VkSamplerReductionMode vk_reduction(uint8_t reduction)
{
    return reduction == SAMPLER_RANGE_CLAMP ? VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM
                                            : (VkSamplerReductionMode)reduction;
}

void driver_on_view(struct resolved_pair *pair, struct driver_sampler *driver)
{
    const struct sampler_state *wanted = &pair->wanted;
    VkSamplerCreateInfo *info = &driver->info;
    info->sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    info->flags = wanted->create_flags;
    if (wanted->gl && !wanted->seamless && pair->caps->non_seamless_cube)
        info->flags |= VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
    if (pair->caps->offered & RESOLVE_OFFER_CUBE_FACES)
        info->flags &= ~(VkSamplerCreateFlags)VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
    set_filters(pair, info);
    info->addressModeU = wrap_mode(pair->driver_wrap[0])->mode;
    info->addressModeV = wrap_mode(pair->driver_wrap[1])->mode;
    info->addressModeW = wrap_mode(pair->driver_wrap[2])->mode;
    info->compareEnable = wanted->compare != 0;
    info->compareOp = wanted->compare ? (VkCompareOp)(wanted->compare - 1) : VK_COMPARE_OP_NEVER;
    info->unnormalizedCoordinates = wanted->unnormalized;
    set_anisotropy(pair, info);
    set_lod(pair, info);
    bool tapped = pair->filtered && is_cube(pair->view);
    bool reduces = (!pair->filtered || (pair->reduces_alone && !tapped)) &&
                   (!reduces_as_gl(wanted, pair->caps) || pair->caps->sampler_filter_minmax);
    driver->reduction = reduces ? vk_reduction(wanted->reduction) : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
    const uint8_t cubic = wanted->mag_linear > wanted->min_linear ? wanted->mag_linear : wanted->min_linear;
    if (filter_is_cubic(driver_filter(pair, cubic)))
        driver->cubic_weights = cubic - SAMPLER_CUBIC;
    if (tapped)
        make_tapped(info);
    if (pair->caps->samplers_full)
        make_common(driver);
}

const VkSamplerCreateInfo *resolve_driver_info(const struct driver_sampler *driver, struct driver_sampler_chain *chain)
{
    chain->info = driver->info;
    const void **next = &chain->info.pNext;
    *next = NULL;
    if (driver->reduction != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE) {
        chain->reduction = (VkSamplerReductionModeCreateInfo){
            .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, .reductionMode = driver->reduction};
        *next = &chain->reduction;
        next = &chain->reduction.pNext;
    }
    if (driver->custom_border) {
        chain->border = (VkSamplerCustomBorderColorCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
            .customBorderColor = driver->border,
            .format = driver->border_format};
        *next = &chain->border;
        next = &chain->border.pNext;
    }
    if (driver->border_mapping) {
        chain->mapping = (VkSamplerBorderColorComponentMappingCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT,
            .components = driver->mapping,
            .srgb = driver->border_srgb};
        *next = &chain->mapping;
        next = &chain->mapping.pNext;
    }
    if (driver->cubic_weights) {
        chain->weights =
            (VkSamplerCubicWeightsCreateInfoQCOM){.sType = VK_STRUCTURE_TYPE_SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM,
                                                  .cubicWeights = (VkCubicFilterWeightsQCOM)driver->cubic_weights};
        *next = &chain->weights;
    }
    return &chain->info;
}
