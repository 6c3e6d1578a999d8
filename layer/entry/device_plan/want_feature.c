/* SPDX-License-Identifier: MIT */
/* Features that the layer enables for itself wherever the driver has them: one table, and one way to enable each. */
#include "device/instance.h"
#include "device_plan/device_plan.h"

enum { MEMBERS = 3 };
#define NOT_CORE UINT32_MAX

struct feature_row {
    VkStructureType type; /* its own structure */
    enum wanted_extension extension;
    uint32_t core;       /* the version of Vulkan that has it without the extension */
    VkStructureType all; /* that version's structure, which must not stand beside the feature's own; 0: none */
    size_t in_all;       /* where the first member is in there */
    bool useless;        /* without the first member */
    struct {
        size_t feature, fact; /* in its own structure, and in the plan: what is in force. Feature 0: no more */
    } members[MEMBERS];
};

#define MEMBER(STRUCTURE, FEATURE, FACT)                                                                               \
    {                                                                                                                  \
        offsetof(STRUCTURE, FEATURE), offsetof(struct device_plan, caps.FACT)                                          \
    }
#define TYPE(NAME) VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##NAME

static const struct feature_row rows[FEATURE_KINDS] = {
    [FEATURE_PRIVATE_DATA] = {TYPE(PRIVATE_DATA_FEATURES),
                              WANTED_EXT_PRIVATE_DATA,
                              VK_API_VERSION_1_3,
                              TYPE(VULKAN_1_3_FEATURES),
                              offsetof(VkPhysicalDeviceVulkan13Features, privateData),
                              true,
                              {MEMBER(VkPhysicalDevicePrivateDataFeatures, privateData, private_data)}},
    [FEATURE_ADDRESS] = {TYPE(BUFFER_DEVICE_ADDRESS_FEATURES),
                         WANTED_KHR_BUFFER_DEVICE_ADDRESS,
                         VK_API_VERSION_1_2,
                         TYPE(VULKAN_1_2_FEATURES),
                         offsetof(VkPhysicalDeviceVulkan12Features, bufferDeviceAddress),
                         true,
                         {MEMBER(VkPhysicalDeviceBufferDeviceAddressFeatures, bufferDeviceAddress, buffer_address)}},
    [FEATURE_BORDER_COLOR] = {TYPE(CUSTOM_BORDER_COLOR_FEATURES_EXT), WANTED_EXT_CUSTOM_BORDER_COLOR, NOT_CORE,
                              .useless = true,
                              .members = {MEMBER(VkPhysicalDeviceCustomBorderColorFeaturesEXT, customBorderColors,
                                                 resolve.custom_border_color),
                                          MEMBER(VkPhysicalDeviceCustomBorderColorFeaturesEXT,
                                                 customBorderColorWithoutFormat,
                                                 resolve.custom_border_color_without_format)}},
    [FEATURE_BORDER_SWIZZLE] = {TYPE(BORDER_COLOR_SWIZZLE_FEATURES_EXT), WANTED_EXT_BORDER_COLOR_SWIZZLE, NOT_CORE,
                                .useless = true,
                                .members = {MEMBER(VkPhysicalDeviceBorderColorSwizzleFeaturesEXT, borderColorSwizzle,
                                                   resolve.border_swizzle),
                                            MEMBER(VkPhysicalDeviceBorderColorSwizzleFeaturesEXT,
                                                   borderColorSwizzleFromImage, resolve.border_swizzle_from_image)}},
    [FEATURE_CUBE_FACES] = {TYPE(NON_SEAMLESS_CUBE_MAP_FEATURES_EXT), WANTED_EXT_NON_SEAMLESS_CUBE_MAP, NOT_CORE,
                            .useless = true,
                            .members = {MEMBER(VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT, nonSeamlessCubeMap,
                                               resolve.non_seamless_cube)}},
    [FEATURE_DYNAMIC_BLEND] = {TYPE(EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT), WANTED_EXT_EXTENDED_DYNAMIC_STATE_3,
                               NOT_CORE,
                               .members = {MEMBER(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
                                                  extendedDynamicState3ColorBlendEquation, blend.equation),
                                           MEMBER(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
                                                  extendedDynamicState3ColorWriteMask, blend.write_mask),
                                           MEMBER(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,
                                                  extendedDynamicState3ColorBlendEnable, blend.enable)}},
};

static VkBool32 *feature_at(const void *structure, size_t at)
{
    return (VkBool32 *)(void *)((char *)(uintptr_t)structure + at);
}

/* Enables what the driver has in a structure that may be changed. */
static void enable(const struct feature_row *row, const void *found, void *structure)
{
    for (int i = 0; i < MEMBERS && row->members[i].feature; i++)
        *feature_at(structure, row->members[i].feature) |= *feature_at(found, row->members[i].feature);
}

/* Features that the chain enables count as enabled. */
static bool read_facts(struct device_plan *plan, const struct feature_row *row)
{
    const void *given = device_plan_chained(plan, row->type),
               *all = row->all ? device_plan_chained(plan, row->all) : NULL;
    const bool first = (all && *feature_at(all, row->in_all)) || (given && *feature_at(given, row->members[0].feature));
    if (row->useless && !first)
        return false;
    for (int i = 0; i < MEMBERS && row->members[i].feature; i++)
        *((bool *)plan + row->members[i].fact) = i ? given && *feature_at(given, row->members[i].feature) : first;
    return true;
}

bool want_feature(struct device_plan *plan, const struct device *device, enum feature_kind kind)
{
    const struct feature_row *row = &rows[kind];
    const PFN_vkGetPhysicalDeviceFeatures2 query = instance_features2(device->instance, device->physical);
    const bool core = instance_version_with(device->instance, &device->properties) >= row->core;
    union feature_structure found = {.base.sType = row->type}, *own = &plan->features[kind];
    VkPhysicalDeviceFeatures2 features = {.sType = TYPE(FEATURES_2), .pNext = &found};
    if (!query || (!core && !device_plan_available(plan, row->extension)))
        return false;
    query(device->physical, &features);
    if (row->useless && !*feature_at(&found, row->members[0].feature))
        return false;

    void *all = row->all ? device_plan_copied(plan, row->all) : NULL, *program = device_plan_copied(plan, row->type);
    if (all) {
        *feature_at(all, row->in_all) = VK_TRUE;
    } else if (program) {
        enable(row, &found, program);
    } else if (!device_plan_chained(plan, row->type) && !(row->all && device_plan_chained(plan, row->all))) {
        own->base.sType = row->type;
        enable(row, &found, own);
        device_plan_prepend(plan, own);
    }
    if (!read_facts(plan, row))
        return false;
    if (!core)
        device_plan_add(plan, row->extension);
    return true;
}
