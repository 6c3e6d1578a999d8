/* SPDX-License-Identifier: MIT */
/*
 * The table of offers, how programs see them, and how they are taken out again. Pure: what a device lacks is asked in
 * lacking.c.
 */
#include "queries/offers.h"

#include <string.h>

#include "device/structure_chain.h"
#include "newer_vulkan.h"
#include "queries/queries.h"
#include "resolve/resolve.h"
#include "settings/settings.h"

enum { MEMBERS = 2 };

/* An extension that may be offered. Offsets of 0: there is none. */
struct offer_row {
    uint32_t offer;
    bool beside; /* of the offer's first extension, without which it is not offered */
    VkExtensionProperties extension;
    VkStructureType features; /* its own structure; 0: its feature is in Vulkan 1.2's alone */
    size_t members[MEMBERS];  /* in there */
    size_t in_core12;         /* in VkPhysicalDeviceVulkan12Features */
    VkStructureType properties;
};

#define CORE12 VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES

static const struct offer_row rows[OFFERED_EXTENSIONS] = {
    {.offer = OFFER_CUSTOM_BORDER_COLOR,
     .extension = {VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME, VK_EXT_CUSTOM_BORDER_COLOR_SPEC_VERSION},
     .features = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
     .members = {offsetof(VkPhysicalDeviceCustomBorderColorFeaturesEXT, customBorderColors),
                 offsetof(VkPhysicalDeviceCustomBorderColorFeaturesEXT, customBorderColorWithoutFormat)},
     .properties = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT},
    {.offer = OFFER_BORDER_COLOR_SWIZZLE,
     .extension = {VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME, VK_EXT_BORDER_COLOR_SWIZZLE_SPEC_VERSION},
     .features = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT,
     .members = {offsetof(VkPhysicalDeviceBorderColorSwizzleFeaturesEXT, borderColorSwizzle),
                 offsetof(VkPhysicalDeviceBorderColorSwizzleFeaturesEXT, borderColorSwizzleFromImage)}},
    {.offer = OFFER_MIRROR_CLAMP_TO_EDGE,
     .extension = {VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME,
                   VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_SPEC_VERSION},
     .in_core12 = offsetof(VkPhysicalDeviceVulkan12Features, samplerMirrorClampToEdge)},
    {.offer = OFFER_NON_SEAMLESS_CUBE,
     .extension = {VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME, VK_EXT_NON_SEAMLESS_CUBE_MAP_SPEC_VERSION},
     .features = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT,
     .members = {offsetof(VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT, nonSeamlessCubeMap)}},
    {.offer = OFFER_FILTER_MINMAX,
     .extension = {VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME, VK_EXT_SAMPLER_FILTER_MINMAX_SPEC_VERSION},
     .in_core12 = offsetof(VkPhysicalDeviceVulkan12Features, samplerFilterMinmax),
     .properties = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES},
    {.offer = OFFER_FILTER_CUBIC, .extension = {VK_EXT_FILTER_CUBIC_EXTENSION_NAME, VK_EXT_FILTER_CUBIC_SPEC_VERSION}},
    {.offer = OFFER_FILTER_CUBIC,
     .beside = true,
     .extension = {VK_IMG_FILTER_CUBIC_EXTENSION_NAME, VK_IMG_FILTER_CUBIC_SPEC_VERSION}},
    {.offer = OFFER_FILTER_CUBIC,
     .beside = true,
     .extension = {VK_QCOM_FILTER_CUBIC_WEIGHTS_EXTENSION_NAME, VK_QCOM_FILTER_CUBIC_WEIGHTS_SPEC_VERSION},
     .features = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUBIC_WEIGHTS_FEATURES_QCOM,
     .members = {offsetof(VkPhysicalDeviceCubicWeightsFeaturesQCOM, selectableCubicWeights)}},
};

static VkBool32 *flag_at(const void *structure, size_t at)
{
    return (VkBool32 *)(void *)((char *)(uintptr_t)structure + at);
}

static bool is_absent(const struct offers *offers, uint32_t row)
{
    return offers->absent >> row & 1;
}

uint32_t offers_unlisted(const VkExtensionProperties *list, uint32_t count)
{
    uint32_t unlisted = 0;
    for (uint32_t i = 0; i < OFFERED_EXTENSIONS; i++)
        unlisted |= extension_listed(list, count, rows[i].extension.extensionName) ? 0 : 1u << i;
    return unlisted;
}

uint32_t offers_extensions(uint32_t offers)
{
    uint32_t extensions = 0;
    for (uint32_t i = 0; i < OFFERED_EXTENSIONS; i++)
        extensions |= offers & rows[i].offer ? 1u << i : 0;
    return extensions;
}

uint32_t offers_of_extensions(uint32_t extensions)
{
    uint32_t offers = 0;
    for (uint32_t i = 0; i < OFFERED_EXTENSIONS; i++)
        offers |= extensions >> i & 1 && !rows[i].beside ? rows[i].offer : 0;
    return offers;
}

bool offers_unknown_cubic(const struct offers *offers)
{
    return offers_of_extensions(offers->absent) & OFFER_FILTER_CUBIC;
}

/* ---- Queries ---- */

uint32_t offers_list(const struct offers *offers, VkExtensionProperties *list, uint32_t count)
{
    for (uint32_t i = 0; i < OFFERED_EXTENSIONS; i++) {
        if (is_absent(offers, i) && !extension_listed(list, count, rows[i].extension.extensionName))
            list[count++] = rows[i].extension;
    }
    return count;
}

/*
 * VkPhysicalDeviceSamplerFilterMinmaxProperties is Vulkan 1.2's as well, but a layer or driver of an older version does
 * not know it without the extension.
 */
void offers_cut(const struct offers *offers, void *head, struct offers_cut *cut)
{
    cut->count = 0;
    for (uint32_t i = 0; i < OFFERED_EXTENSIONS; i++) {
        if (!is_absent(offers, i))
            continue;
        if (rows[i].features)
            cut->cuts[cut->count++] = chain_cut(head, rows[i].features);
        if (rows[i].properties)
            cut->cuts[cut->count++] = chain_cut(head, rows[i].properties);
    }
}

void offers_restore(const struct offers_cut *cut)
{
    for (uint32_t i = cut->count; i > 0; i--)
        chain_restore(cut->cuts[i - 1]);
}

static void set_members(const struct offer_row *row, void *structure, VkBool32 value)
{
    for (int i = 0; i < MEMBERS && row->members[i]; i++)
        *flag_at(structure, row->members[i]) = value;
}

static void set_structure(const struct offers *offers, VkBaseOutStructure *node, VkBool32 value)
{
    for (uint32_t i = 0; i < OFFERED_EXTENSIONS; i++) {
        const struct offer_row *row = &rows[i];
        if (!(offers->offered & row->offer))
            continue;
        if (row->features && node->sType == row->features)
            set_members(row, node, value);
        if (row->in_core12 && node->sType == CORE12)
            *flag_at(node, row->in_core12) = value;
    }
}

void offers_show_features(const struct offers *offers, VkPhysicalDeviceFeatures *features, void *chain)
{
    if (offers->offered & OFFER_ANISOTROPY)
        features->samplerAnisotropy = VK_TRUE;
    for (VkBaseOutStructure *node = chain; offers->offered && node; node = node->pNext)
        set_structure(offers, node, VK_TRUE);
}

static uint32_t border_colors(uint32_t samplers)
{
    return samplers < OFFERED_BORDER_COLORS        ? OFFERED_BORDER_COLORS
           : samplers < OFFERED_BORDER_COLORS_MOST ? samplers
                                                   : OFFERED_BORDER_COLORS_MOST;
}

void offers_show_samplers(VkPhysicalDeviceLimits *limits)
{
    if (limits->maxSamplerAllocationCount < OFFERED_SAMPLERS)
        limits->maxSamplerAllocationCount = OFFERED_SAMPLERS;
}

void offers_show_properties(const struct offers *offers, VkPhysicalDeviceLimits *limits, void *chain)
{
    if (offers->offered & OFFER_ANISOTROPY && limits->maxSamplerAnisotropy < OFFERED_ANISOTROPY)
        limits->maxSamplerAnisotropy = OFFERED_ANISOTROPY;
    if (offers->offered & OFFER_SAMPLERS)
        offers_show_samplers(limits);
    if (offers->offered & OFFER_LOD_BIAS)
        limits->maxSamplerLodBias = resolve_most_lod_bias(limits->maxSamplerLodBias);
    for (VkBaseOutStructure *node = chain; offers->offered && node; node = node->pNext) {
        VkPhysicalDeviceCustomBorderColorPropertiesEXT *border = (void *)node;
        VkPhysicalDeviceSamplerFilterMinmaxProperties *minmax = (void *)node;
        VkPhysicalDeviceVulkan12Properties *core12 = (void *)node;
        if (offers->offered & OFFER_CUSTOM_BORDER_COLOR &&
            node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT &&
            (offers_of_extensions(offers->absent) & OFFER_CUSTOM_BORDER_COLOR ||
             border->maxCustomBorderColorSamplers < OFFERED_BORDER_COLORS)) {
            border->maxCustomBorderColorSamplers = border_colors(limits->maxSamplerAllocationCount);
        } else if (offers->offered & OFFER_FILTER_MINMAX &&
                   node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES) {
            minmax->filterMinmaxSingleComponentFormats = minmax->filterMinmaxImageComponentMapping = VK_TRUE;
        } else if (offers->offered & OFFER_FILTER_MINMAX &&
                   node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES) {
            core12->filterMinmaxSingleComponentFormats = core12->filterMinmaxImageComponentMapping = VK_TRUE;
        }
    }
}

/* ---- The plan of a device ---- */

static bool names(const VkDeviceCreateInfo *info, const char *extension)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (!strcmp(info->ppEnabledExtensionNames[i], extension))
            return true;
    }
    return false;
}

static bool asks_for(const struct offer_row *row, const VkDeviceCreateInfo *program)
{
    const void *own = row->features ? pnext_find(program->pNext, row->features) : NULL;
    const void *core12 = row->in_core12 ? pnext_find(program->pNext, CORE12) : NULL;
    bool asked = core12 && *flag_at(core12, row->in_core12);
    for (int i = 0; i < MEMBERS && row->members[i]; i++)
        asked |= own && *flag_at(own, row->members[i]);
    /* An extension without a structure is enabled by its name. */
    return asked || (!row->features && names(program, row->extension.extensionName));
}

uint32_t offers_asked(const struct offers *offers, const VkDeviceCreateInfo *program)
{
    const VkPhysicalDeviceFeatures2 *all = pnext_find(program->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    const VkPhysicalDeviceFeatures *core = all ? &all->features : program->pEnabledFeatures;
    uint32_t asked =
        OFFER_LINEAR_FILTER | OFFER_TEXEL_BUFFERS | OFFER_LOD_BIAS | OFFER_SAMPLERS; /* which no name enables */
    if (core && core->samplerAnisotropy)
        asked |= OFFER_ANISOTROPY;
    for (uint32_t i = 0; i < OFFERED_EXTENSIONS; i++)
        asked |= asks_for(&rows[i], program) ? rows[i].offer : 0;
    return asked & offers->offered;
}

bool offers_border_commands(const struct offers *offers, const VkDeviceCreateInfo *program)
{
    return offers->offered & OFFER_CUSTOM_BORDER_COLOR && names(program, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
}

bool offers_names(const struct offers *offers, const char *extension)
{
    for (uint32_t i = 0; i < OFFERED_EXTENSIONS; i++) {
        if (is_absent(offers, i) && !strcmp(extension, rows[i].extension.extensionName))
            return true;
    }
    return false;
}

bool offers_structure(const struct offers *offers, VkStructureType type)
{
    for (uint32_t i = 0; i < OFFERED_EXTENSIONS; i++) {
        if (is_absent(offers, i) && rows[i].features && type == rows[i].features)
            return true;
    }
    return false;
}

void offers_clear(const struct offers *offers, void *structure)
{
    VkPhysicalDeviceFeatures2 *all = structure;
    if (offers->offered & OFFER_ANISOTROPY && all->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
        all->features.samplerAnisotropy = VK_FALSE;
    set_structure(offers, structure, VK_FALSE);
}

uint32_t offers_resolve(uint32_t offers)
{
    static const struct {
        uint32_t offer, resolve;
    } pairs[] = {
        {OFFER_CUSTOM_BORDER_COLOR, RESOLVE_OFFER_BORDER_COLOR},
        {OFFER_BORDER_COLOR_SWIZZLE, RESOLVE_OFFER_BORDER_SWIZZLE},
        {OFFER_MIRROR_CLAMP_TO_EDGE, RESOLVE_OFFER_MIRROR_CLAMP},
        {OFFER_NON_SEAMLESS_CUBE, RESOLVE_OFFER_CUBE_FACES},
        {OFFER_FILTER_MINMAX, RESOLVE_OFFER_MINMAX},
        {OFFER_ANISOTROPY, RESOLVE_OFFER_ANISOTROPY},
        {OFFER_LOD_BIAS, RESOLVE_OFFER_LOD_BIAS},
        {OFFER_FILTER_CUBIC, RESOLVE_OFFER_CUBIC},
    };
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        found |= offers & pairs[i].offer ? pairs[i].resolve : 0;
    return found;
}
