/* SPDX-License-Identifier: MIT */
#include "loader_fixture.h"

#include <stdio.h>
#include <string.h>

#include "harness/device/environment.h"

struct fixture_messages fixture_messages;

void fixture_clear_messages(void)
{
    memset(&fixture_messages, 0, sizeof(fixture_messages));
}

static VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                      VkDebugUtilsMessageTypeFlagsEXT types,
                                      const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity;
    (void)types;
    (void)user;
    /* The loader speaks through messengers as well, of what it finds on the disk. */
    if (data->pMessageIdName && !strcmp(data->pMessageIdName, "Loader Message"))
        return VK_FALSE;
    /* Validation above can be told of the extension's structures, but not of its name. */
    if (strstr(data->pMessage, "Device Extension " VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME " is not supported"))
        return VK_FALSE;
    fixture_messages.count++;
    snprintf(fixture_messages.last, sizeof(fixture_messages.last), "%s", data->pMessage);
    return VK_FALSE;
}

static const VkDebugUtilsMessengerCreateInfoEXT messenger_info = {
    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
    .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
    .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
    .pfnUserCallback = on_message,
};

/*
 * One instance without layers stays open for the whole process, so that the driver stays loaded: its globals keep
 * memory that the leak checker would otherwise take for lost.
 */
static void pin_driver(void)
{
    static VkInstance pinned;
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    uint32_t count;
    if (!pinned && vkCreateInstance(&info, NULL, &pinned) == VK_SUCCESS)
        vkEnumeratePhysicalDevices(pinned, &count, NULL);
}

VkResult fixture_open(struct fixture *fixture, uint32_t version, const char *const *layers, const void *next)
{
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    VkDebugUtilsMessengerCreateInfoEXT chained = messenger_info;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = version};
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = &chained,
        .pApplicationInfo = &application,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = extensions,
    };
    chained.pNext = next;
    harness_environment_vulkan();
    pin_driver();
    memset(fixture, 0, sizeof(*fixture));
    while (layers && layers[info.enabledLayerCount])
        info.enabledLayerCount++;
    VkResult result = vkCreateInstance(&info, NULL, &fixture->instance);
    if (result != VK_SUCCESS)
        return result;
    const PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(fixture->instance, "vkCreateDebugUtilsMessengerEXT");
    uint32_t count = 1;
    result = create(fixture->instance, &messenger_info, NULL, &fixture->messenger);
    if (result == VK_SUCCESS)
        result = vkEnumeratePhysicalDevices(fixture->instance, &count, &fixture->physical);
    return result == VK_INCOMPLETE ? VK_SUCCESS : result;
}

void fixture_close(struct fixture *fixture)
{
    const PFN_vkDestroyDebugUtilsMessengerEXT destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
        fixture->instance, "vkDestroyDebugUtilsMessengerEXT");
    destroy(fixture->instance, fixture->messenger, NULL);
    vkDestroyInstance(fixture->instance, NULL);
}

VkResult fixture_device(const struct fixture *fixture, const char *const *extensions, const void *next,
                        const VkAllocationCallbacks *allocator, VkDevice *device)
{
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = next,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .ppEnabledExtensionNames = extensions,
    };
    while (extensions && extensions[info.enabledExtensionCount])
        info.enabledExtensionCount++;
    *device = VK_NULL_HANDLE;
    return vkCreateDevice(fixture->physical, &info, allocator, device);
}
