/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/device/needs.h"
#include "harness/device/vulkan.h"
#include "limited_driver/registry.h"

enum { SKIPPED = 77 };

/* Of programs of cmocka (tests/cmocka/cmocka.h); NULL in others. */
extern int cmocka_skipped __attribute__((weak)), cmocka_running __attribute__((weak));
extern void (*cmocka_settings)(int give_back) __attribute__((weak));
void _skip(const char *file, int line) __attribute__((weak));

static bool has_extension(const VkExtensionProperties *extensions, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(extensions[i].extensionName, name) == 0)
            return true;
    return false;
}

static const char *missing_extension(VkPhysicalDevice physical, const VkDeviceCreateInfo *info)
{
    uint32_t count = 0;
    const char *missing = NULL;
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL));
    VkExtensionProperties *extensions = harness_alloc(count, sizeof(*extensions));
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, extensions));
    for (uint32_t i = 0; i < info->enabledExtensionCount && !missing; i++)
        if (strcmp(info->ppEnabledExtensionNames[i], VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME) != 0 &&
            !has_extension(extensions, count, info->ppEnabledExtensionNames[i]))
            missing = info->ppEnabledExtensionNames[i];
    free(extensions);
    return missing;
}

/* The first feature that is on in one structure and off in another one of the same type. */
static const char *missing_member(const struct registry_structure *structure, const void *wanted, const void *has)
{
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct registry_member *member = &registry_members[structure->first + i];
        VkBool32 on[2];
        memcpy(&on[0], (const char *)wanted + member->offset, sizeof(on[0]));
        memcpy(&on[1], (const char *)has + member->offset, sizeof(on[1]));
        if (on[0] && !on[1])
            return member->name;
    }
    return NULL;
}

static const struct registry_structure *structure_of(VkStructureType type)
{
    for (uint32_t i = 0; i < registry_structure_count; i++)
        if (registry_structures[i].feature && registry_structures[i].type == type)
            return &registry_structures[i];
    return NULL;
}

static const char *missing_in(VkPhysicalDevice physical, const VkBaseInStructure *wanted)
{
    const struct registry_structure *structure = structure_of(wanted->sType);
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    if (!structure || !structure->count)
        return NULL;
    const struct registry_member *last = &registry_members[structure->first + structure->count - 1];
    VkBaseOutStructure *has = harness_alloc(last->offset + last->size + sizeof(*has), 1);
    has->sType = wanted->sType;
    features.pNext = has;
    vkGetPhysicalDeviceFeatures2(physical, &features);
    const char *missing = missing_member(structure, wanted, has);
    free(has);
    return missing;
}

const char *harness_missing(VkPhysicalDevice physical, const VkDeviceCreateInfo *info)
{
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceFeatures has;
    const VkPhysicalDeviceFeatures *wanted = info->pEnabledFeatures;
    const char *missing = missing_extension(physical, info);
    vkGetPhysicalDeviceProperties(physical, &properties);
    vkGetPhysicalDeviceFeatures(physical, &has);
    for (const VkBaseInStructure *next = info->pNext; next && !missing; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
            wanted = &((const VkPhysicalDeviceFeatures2 *)next)->features;
        else if (properties.apiVersion >= VK_API_VERSION_1_1)
            missing = missing_in(physical, next);
    }
    if (wanted && !missing)
        missing = missing_member(&registry_structures[REGISTRY_FEATURES], wanted, &has);
    return missing;
}

void harness_lacking(const char *format, ...)
{
    va_list arguments;
    fputs("skipped: the driver lacks ", stdout);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    puts("");
    fflush(stdout);
    if (_skip && &cmocka_running && cmocka_running) {
        cmocka_skipped++;
        if (cmocka_settings)
            cmocka_settings(1);
        _skip(__FILE__, __LINE__);
    }
    exit(SKIPPED);
}
