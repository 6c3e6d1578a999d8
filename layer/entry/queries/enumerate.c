/* SPDX-License-Identifier: MIT */
/*
 * Enumerations of layers and extensions.
 *
 * The extension is listed once with every loader: some loaders add the manifest's device_extensions to the driver's
 * list, others leave that to the layer.
 */
#include <stdlib.h>
#include <string.h>

#include "device/instance.h"
#include "queries/queries.h"
#include "vulkan_clampler.h"

#define LAYER_NAME "VK_LAYER_CLAMPLER_gl_sampler"
#define LAYER_DESCRIPTION "OpenGL's sampler semantics for Vulkan programs"

/* As in the manifests: the newest core version whose commands pass through or are hooked. */
#define LAYER_API_VERSION VK_MAKE_API_VERSION(0, 1, 4, 304)
#define LAYER_IMPLEMENTATION_VERSION 1

static const VkExtensionProperties gl_sampler = {
    .extensionName = VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME,
    .specVersion = VK_CLAMPLER_GL_SAMPLER_SPEC_VERSION,
};

static const VkExtensionProperties layer_settings = {
    .extensionName = VK_EXT_LAYER_SETTINGS_EXTENSION_NAME,
    .specVersion = 2,
};

static const VkLayerProperties layer = {
    .layerName = LAYER_NAME,
    .specVersion = LAYER_API_VERSION,
    .implementationVersion = LAYER_IMPLEMENTATION_VERSION,
    .description = LAYER_DESCRIPTION,
};

/* The two-call idiom of Vulkan's enumerations. */
static VkResult answer(const void *items, uint32_t available, size_t size, uint32_t *count, void *out)
{
    if (!out) {
        *count = available;
        return VK_SUCCESS;
    }
    if (*count > available)
        *count = available;
    if (*count)
        memcpy(out, items, *count * size);
    return *count < available ? VK_INCOMPLETE : VK_SUCCESS;
}

bool extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(list[i].extensionName, name))
            return true;
    }
    return false;
}

/*
 * The list may grow between two calls, so an incomplete list is enumerated again, at most LIST_TRIES times: some layers
 * always return VK_INCOMPLETE. Then the last list counts.
 */
enum { LIST_TRIES = 8 };

VkResult device_extensions(const struct instance *instance, VkPhysicalDevice physical, uint32_t *count,
                           VkExtensionProperties **list)
{
    const PFN_vkEnumerateDeviceExtensionProperties enumerate = instance->next.EnumerateDeviceExtensionProperties;
    VkResult result = VK_INCOMPLETE;
    *list = NULL;
    for (unsigned tries = 0; result == VK_INCOMPLETE && tries < LIST_TRIES; tries++) {
        free(*list);
        *list = NULL;
        result = enumerate(physical, NULL, count, NULL);
        if (result != VK_SUCCESS)
            return result;
        const uint32_t room = *count;
        *list = calloc((size_t)room + 1 + OFFERED_EXTENSIONS, sizeof(**list));
        if (!*list)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        result = enumerate(physical, NULL, count, *list);
        if (*count > room) /* at most, even if the next layer says more */
            *count = room;
    }
    if (result == VK_INCOMPLETE)
        result = VK_SUCCESS;
    if (result != VK_SUCCESS) {
        free(*list);
        *list = NULL;
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_EnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice,
                                                                       const char *pLayerName, uint32_t *pPropertyCount,
                                                                       VkExtensionProperties *pProperties)
{
    if (pLayerName && !strcmp(pLayerName, LAYER_NAME))
        return answer(&gl_sampler, 1, sizeof(gl_sampler), pPropertyCount, pProperties);
    struct instance *instance = instance_of(physicalDevice);
    if (pLayerName && pLayerName[0]) /* loaders take an empty name for none */
        return instance->next.EnumerateDeviceExtensionProperties(physicalDevice, pLayerName, pPropertyCount,
                                                                 pProperties);
    VkExtensionProperties *list;
    uint32_t count;
    VkResult result = device_extensions(instance, physicalDevice, &count, &list);
    if (result != VK_SUCCESS)
        return result;
    if (!extension_listed(list, count, gl_sampler.extensionName))
        list[count++] = gl_sampler;
    const struct offers offers = offers_of(instance, physicalDevice);
    if (offers.result != VK_SUCCESS) {
        free(list);
        return offers.result;
    }
    count = offers_list(&offers, list, count);
    count = opaque_hide_extensions(instance, physicalDevice, list, count);
    result = answer(list, count, sizeof(*list), pPropertyCount, pProperties);
    free(list);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_EnumerateInstanceExtensionProperties(const char *pLayerName,
                                                                         uint32_t *pPropertyCount,
                                                                         VkExtensionProperties *pProperties)
{
    if (pLayerName && !strcmp(pLayerName, LAYER_NAME))
        return answer(&layer_settings, 1, sizeof(layer_settings), pPropertyCount, pProperties);
    return VK_ERROR_LAYER_NOT_PRESENT;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_EnumerateInstanceVersion(uint32_t *pApiVersion)
{
    *pApiVersion = LAYER_API_VERSION;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_EnumerateInstanceLayerProperties(uint32_t *pPropertyCount,
                                                                     VkLayerProperties *pProperties)
{
    return answer(&layer, 1, sizeof(layer), pPropertyCount, pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_EnumerateDeviceLayerProperties(VkPhysicalDevice physicalDevice,
                                                                   uint32_t *pPropertyCount,
                                                                   VkLayerProperties *pProperties)
{
    (void)physicalDevice;
    return answer(&layer, 1, sizeof(layer), pPropertyCount, pProperties);
}
