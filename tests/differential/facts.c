/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "differential/standard.h"

/* The format feature alone is not enough: reduction modes come with Vulkan 1.2's feature, or with the extension. */
static bool has_reductions(const struct harness_vulkan *vk)
{
    VkPhysicalDeviceVulkan12Features vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &vulkan12};
    if (vk->properties.apiVersion >= VK_API_VERSION_1_2)
        vkGetPhysicalDeviceFeatures2(vk->physical, &features);
    return vulkan12.samplerFilterMinmax || harness_has_extension(vk, VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME);
}

void facts_read(struct facts *facts, const struct harness_vulkan *vk)
{
    bool mirror_extension = harness_has_extension(vk, VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME);
    const char *missing = getenv("VK_CLAMPLER_GL_SAMPLER_ASSUME_MISSING");
    *facts = (struct facts){.mirror_clamp_to_edge = vk->mirror_clamp_to_edge || mirror_extension,
                            .own_mirror = vk->mirror_clamp_to_edge,
                            .custom_border = vk->custom_border_color,
                            .border_swizzle = harness_has_extension(vk, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME),
                            .non_seamless = harness_has_extension(vk, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME),
                            .anisotropy = vk->anisotropy,
                            .cubic = harness_has_extension(vk, VK_EXT_FILTER_CUBIC_EXTENSION_NAME),
                            .gather_extended = vk->gather_extended,
                            .cube_array = vk->cube_array,
                            .min_lod = vk->min_lod,
                            .view_min_lod = vk->view_min_lod,
                            .bc = vk->bc,
                            .cpu = vk->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
                            .lod_bias = vk->properties.limits.maxSamplerLodBias,
                            .held_bias = missing && strstr(missing, "lod_bias")
                                             ? fminf(2, vk->properties.limits.maxSamplerLodBias)
                                             : vk->properties.limits.maxSamplerLodBias,
                            /* Drivers have 16 samplers a stage, Vulkan's minimum, or many. */
                            .decodes_blocks = strstr(vk->properties.deviceName, "SwiftShader") != NULL,
                            .blends_reductions = strstr(vk->properties.deviceName, "llvmpipe") != NULL,
                            .ends_by_plain_lookups = harness_ends_by_plain_lookups(vk),
                            .nearest_sampler = vk->properties.limits.maxPerStageDescriptorSamplers > 16};
    VkPhysicalDeviceCustomBorderColorPropertiesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &border};
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER semantics = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceProperties2 of_the_layer = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                                .pNext = &semantics};
    if (vk->custom_border_color)
        vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    if (vk->properties.apiVersion >= VK_API_VERSION_1_1)
        vkGetPhysicalDeviceProperties2(vk->physical, &of_the_layer);
    facts->most_bias = semantics.maxTextureLodBias > 0 ? semantics.maxTextureLodBias : 16; /* OpenGL's usual bound */
    const bool reductions = has_reductions(vk);
    facts->custom_borders = border.maxCustomBorderColorSamplers;
    for (int i = 0; i < LOOKUP_FORMATS; i++) {
        VkFormatProperties format;
        vkGetPhysicalDeviceFormatProperties(vk->physical, format_of((enum lookup_format)i)->vulkan, &format);
        facts->linear[i] = format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
        facts->minmax[i] =
            reductions && (format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT);
        facts->sampled[i] = format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
    }
}

bool facts_custom_color(const struct diff_case *one)
{
    static const float standard[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    for (int i = 0; i < 3; i++)
        if (memcmp(one->state.borderColor.float32, standard[i], sizeof(standard[i])) == 0)
            return false;
    return true;
}

bool facts_unfilterable(const struct facts *facts, const struct diff_case *one)
{
    return !case_is_integer(one) && !case_compares(one) && !facts->linear[one->texture.format] &&
           !facts_reduces_alone(facts, one);
}

bool facts_reduces_alone(const struct facts *facts, const struct diff_case *one)
{
    return one->state.reductionMode && !case_is_integer(one) && !case_compares(one) &&
           !facts->linear[one->texture.format] && facts->minmax[one->texture.format];
}

bool facts_incomplete(const struct diff_case *one)
{
    return one->incomplete && case_is_integer(one) && case_filters(one);
}

VkSamplerGLStateCreateInfoCLAMPLER facts_effective(const struct facts *facts, const struct diff_case *one)
{
    VkSamplerGLStateCreateInfoCLAMPLER state = one->state;
    bool integer = case_is_integer(one) && !facts_incomplete(one);
    if (!integer && !(facts_unfilterable(facts, one) && !one->shader_fallback))
        return state;
    state.magFilter = GL_NEAREST;
    state.minFilter = case_filter_mipmapped(state.minFilter) ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST;
    state.maxAnisotropy = 1;
    return state;
}

/*
 * Taps of cubes go through a sampler. A separate one of the program's keeps its linear filters, which no driver has of
 * integers, and its range, which may end between two levels that are to be blended, or above the level that gathers
 * read. One that compares does so whatever it reads.
 */
static bool taps_what_the_sampler_forbids(const struct diff_case *one)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    bool between = state->minFilter == GL_NEAREST_MIPMAP_LINEAR || state->minFilter == GL_LINEAR_MIPMAP_LINEAR;
    bool ranged = state->minLod > 0 || state->maxLod < 1000;
    return one->lookup.separate && case_is_cube(one) &&
           (facts_uncompared(one) || (case_is_integer(one) && case_filters(one)) ||
            (ranged && between && !case_gathers(one)));
}

/* What the device lacks for a case, or NULL. */
static const char *lacking(const struct facts *facts, const struct diff_case *one)
{
    const enum lookup_operation operation = one->lookup.operation;
    const enum format_class class = format_of(one->texture.format)->class;
    if (!facts->sampled[one->texture.format])
        return "the format cannot be sampled";
    if (class == FORMAT_COMPRESSED && !facts->bc)
        return "the device has no compressed formats";
    if (operation > LOOKUP_GATHER && !facts->gather_extended)
        return "the device has no gathers with offsets";
    if (lookup_has_min_lod(operation) && !facts->min_lod)
        return "the device has no least level of detail in shaders";
    if (one->view_least > 0 && !facts->view_min_lod)
        return "the device has no least levels of detail of views";
    if (one->lookup.dimension == LOOKUP_CUBE_ARRAY && !facts->cube_array)
        return "the device has no arrays of cubes";
    if (one->state.maxAnisotropy > 1 && !facts->anisotropy)
        return "the device has no anisotropic filter";
    if (one->state.maxAnisotropy > 1 && one->texture.contents != CONTENTS_LEVELS && !facts_probes(facts, one))
        return "values of an anisotropic filter of the driver's are known to nobody";
    if (!facts->nearest_sampler && taps_what_the_sampler_forbids(one))
        return "the device has no room for a sampler that reads texels of cubes";
    if (one->viewed && !facts->views && !facts->standard)
        return "the layer offers no view state";
    if (one->shader_fallback && facts->fallback_hides_sets)
        return "the layer hides the extension of these sets beside the setting";
    return NULL;
}

/* The program itself may not create such a sampler: it takes the layer's structure. */
static bool needs_structure(const struct facts *facts, const struct diff_case *one)
{
    const VkSamplerGLStateCreateInfoCLAMPLER *state = &one->state;
    float bias = state->lodBias + state->unitLodBias;
    /* Axes that the texture lacks are in the sampler all the same. */
    bool mirrors_to_edge = state->wrapS == GL_MIRROR_CLAMP_TO_EDGE || state->wrapT == GL_MIRROR_CLAMP_TO_EDGE ||
                           state->wrapR == GL_MIRROR_CLAMP_TO_EDGE;
    bool filters = case_filters(one) && (case_is_integer(one) || facts_unfilterable(facts, one));
    return (facts_custom_color(one) && !facts->custom_border) || (mirrors_to_edge && !facts->own_mirror) ||
           one->crowded || bias > facts->lod_bias || bias < -facts->lod_bias || (filters && !one->shader_fallback);
}

/* The layer offers filters; what its settings choose else has no word. */
static bool adapt_to_standard(const struct facts *facts, struct diff_case *one, const char **why)
{
    *why = standard_lacks(facts, one);
    one->form = LOOKUP_SAMPLER_STANDARD;
    one->shader_fallback = one->incomplete = false;
    return !*why;
}

bool facts_adapt(const struct facts *facts, struct diff_case *one, const char **why)
{
    if (facts->standard && !adapt_to_standard(facts, one, why))
        return false;
    *why = lacking(facts, one);
    if (*why)
        return false;
    if (one->form == LOOKUP_SAMPLER_PRIVATE && needs_structure(facts, one)) {
        if (one->lookup.dimension == LOOKUP_RECTANGLE && !one->viewed) {
            *why = "the program itself may not create such an unnormalised sampler";
            return false;
        }
        one->form = LOOKUP_SAMPLER_GL;
    }
    if (facts->ends_by_plain_lookups && facts_uncompared(one))
        *why = "the driver ends the process where code looks up without comparing through a sampler that compares";
    return !*why;
}
