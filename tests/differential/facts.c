#include <math.h>
#include <string.h>

#include "differential/facts.h"

static const VkFormat formats[] = {
    [LOOKUP_RGBA8] = VK_FORMAT_R8G8B8A8_UNORM,  [LOOKUP_RGBA32F] = VK_FORMAT_R32G32B32A32_SFLOAT,
    [LOOKUP_RGBA8UI] = VK_FORMAT_R8G8B8A8_UINT, [LOOKUP_DEPTH32F] = VK_FORMAT_D32_SFLOAT,
    [LOOKUP_DEPTH16] = VK_FORMAT_D16_UNORM,
};

void facts_read(struct facts *facts, const struct harness_vulkan *vk)
{
    bool mirror_extension = harness_has_extension(vk, VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME);
    *facts = (struct facts){.mirror_clamp_to_edge = vk->mirror_clamp_to_edge || mirror_extension,
                            .own_mirror = vk->mirror_clamp_to_edge,
                            .custom_border = vk->custom_border_color,
                            .anisotropy = vk->anisotropy,
                            .gather_extended = vk->gather_extended,
                            .cpu = vk->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
                            .lod_bias = vk->properties.limits.maxSamplerLodBias};
    VkPhysicalDeviceCustomBorderColorPropertiesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &border};
    if (vk->custom_border_color)
        vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    facts->custom_borders = border.maxCustomBorderColorSamplers;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        VkFormatProperties format;
        vkGetPhysicalDeviceFormatProperties(vk->physical, formats[i], &format);
        facts->linear[i] = format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
        facts->sampled[i] = format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
    }
}

bool facts_custom_color(const struct diff_case *one)
{
    static const float standard[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    for (int i = 0; i < 3; i++)
        if (memcmp(one->state.borderColor.float32, standard[i], sizeof standard[i]) == 0)
            return false;
    return true;
}

/* Filters in the shader for such formats, or the fall to nearest, join when the layer has them. */
static bool filters_unfilterable(const struct facts *facts, const struct diff_case *one)
{
    bool filters = case_filter_linear(one->state.magFilter) || case_filter_linear(one->state.minFilter) ||
                   one->state.minFilter == GL_NEAREST_MIPMAP_LINEAR;
    return filters && one->lookup.kind != LOOKUP_UINT && !case_compares(one) && !facts->linear[one->texture.format];
}

bool facts_adapt(const struct facts *facts, struct diff_case *one, const char **why)
{
    float bias = one->state.lodBias + one->state.unitLodBias;
    *why = NULL;
    if (!facts->sampled[one->texture.format])
        *why = "the format cannot be sampled";
    else if (one->lookup.operation > LOOKUP_GATHER && !facts->gather_extended)
        *why = "the device has no gathers with offsets";
    else if (bias > facts->lod_bias || bias < -facts->lod_bias)
        *why = "the bias is beyond the device's limit, which the layer does not make up for yet";
    else if (one->state.maxAnisotropy > 1 && !facts->anisotropy)
        *why = "the device has no anisotropic filter";
    else if (filters_unfilterable(facts, one))
        *why = "the format cannot be filtered, which the layer does not make up for yet";
    if (*why)
        return false;
    /* Axes that the texture lacks are in the sampler all the same. */
    bool mirrors_to_edge = one->state.wrapS == GL_MIRROR_CLAMP_TO_EDGE || one->state.wrapT == GL_MIRROR_CLAMP_TO_EDGE ||
                           one->state.wrapR == GL_MIRROR_CLAMP_TO_EDGE;
    bool needs_structure =
        (facts_custom_color(one) && !facts->custom_border) || (mirrors_to_edge && !facts->own_mirror) || one->crowded;
    if (one->form != LOOKUP_SAMPLER_PRIVATE || !needs_structure)
        return true;
    if (one->lookup.dimension == LOOKUP_RECTANGLE && facts_custom_color(one)) {
        *why = "the program itself may not create such an unnormalised sampler";
        return false;
    }
    one->form = LOOKUP_SAMPLER_GL;
    return true;
}

/* ---- Tiers ---- */

/* A sampler as the layer must see it: filters after the view had its say, levels after the range had. */
struct acting {
    bool mag_linear, min_linear;
    bool one_level; /* known to sample only the base level */
    bool separate;
};

static struct acting acting_of(const struct diff_case *one)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    bool gl = one->form == LOOKUP_SAMPLER_GL;
    struct acting acting = {case_filter_linear(state->magFilter), case_filter_linear(state->minFilter), false,
                            one->lookup.separate};
    bool mipmapped = case_filter_mipmapped(state->minFilter) && one->lookup.dimension != LOOKUP_RECTANGLE;
    bool between = state->minFilter == GL_NEAREST_MIPMAP_LINEAR || state->minFilter == GL_LINEAR_MIPMAP_LINEAR;
    float low = fminf(state->minLod, state->maxLod), high = fmaxf(state->minLod, state->maxLod);
    if (gl && high <= 0) {
        acting.min_linear = acting.mag_linear;
        mipmapped &= state->maxAnisotropy > 1;
    } else if (gl && low > 0) {
        acting.mag_linear = acting.min_linear;
    }
    if (one->lookup.dimension == LOOKUP_RECTANGLE)
        acting.min_linear = acting.mag_linear;
    acting.one_level = !mipmapped || (between ? high <= 0 : high < 0.5f);
    return acting;
}

enum { MOVES = 1, FILTERS = 2, FILTERS_IF_MIPS = 4, GATHERS = 8, READS_BORDER = 16 };

static unsigned axis_needs(uint32_t wrap, const struct acting *acting, bool mirror_native)
{
    bool mixed = acting->mag_linear != acting->min_linear, nearest = !acting->mag_linear && !acting->min_linear;
    switch (wrap) {
    case GL_CLAMP:
        return nearest ? GATHERS : mixed ? MOVES | FILTERS : MOVES | READS_BORDER;
    case GL_MIRROR_CLAMP_EXT:
        return nearest ? GATHERS | (mirror_native ? 0u : MOVES)
               : mixed ? MOVES | FILTERS
                       : MOVES | FILTERS_IF_MIPS | READS_BORDER;
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return MOVES | READS_BORDER | (acting->min_linear ? FILTERS_IF_MIPS : 0u);
    case GL_MIRROR_CLAMP_TO_EDGE:
        return mirror_native ? 0 : MOVES;
    case GL_CLAMP_TO_BORDER:
        return READS_BORDER;
    default:
        return 0;
    }
}

int facts_tier(const struct facts *facts, const struct diff_case *one)
{
    const uint32_t wraps[3] = {one->state.wrapS, one->state.wrapT, one->state.wrapR};
    const struct acting acting = acting_of(one);
    bool mirror_native = facts->mirror_clamp_to_edge && one->lookup.dimension != LOOKUP_RECTANGLE;
    /* A separate sampler does not know its image: all of its axes count. */
    int axes = acting.separate ? 3 : case_axes(one);
    unsigned needs = 0;
    for (int axis = 0; axis < axes; axis++) {
        unsigned all = axis_needs(wraps[axis], &acting, mirror_native);
        needs |= axis < 2 ? all : all & ~(unsigned)GATHERS; /* only two-dimensional images can be gathered from */
    }
    bool custom = facts->custom_border && !(one->crowded && facts->custom_borders <= CASE_CROWD);
    bool lacks_border = one->form == LOOKUP_SAMPLER_GL && one->lookup.kind != LOOKUP_UINT && !custom &&
                        facts_custom_color(one) && (needs & READS_BORDER);
    bool levels = case_level_count(one) > 1 && one->lookup.dimension != LOOKUP_RECTANGLE;
    bool one_level = acting.one_level || !levels;
    /* Offsets are known to the sampler alone, too. */
    bool offset = case_has_offset(one) && (needs & MOVES) && !(acting.separate ? acting.one_level : one_level);
    if (acting.separate && (needs & FILTERS_IF_MIPS) && !acting.one_level)
        offset = false;
    if (lacks_border || (needs & FILTERS) || ((needs & FILTERS_IF_MIPS) && !one_level) || offset)
        return 2;
    if ((needs & GATHERS) && case_gathers(one))
        return 2;
    return needs & MOVES ? 1 : 0;
}
