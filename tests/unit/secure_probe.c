/* SPDX-License-Identifier: MIT */
/*
 * secure_probe LAYER [FILE]
 *
 * Opens the layer by its path above Vulkan's loader, which finds no layers by variables in programs that run with more
 * rights than their user, and creates and destroys an instance and a device through it. The program itself asks for
 * statistics in FILE. Prints 1 if it runs with more rights than its user, 0 if not; 2 as its status says that nothing
 * could be tried.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "newer_vulkan.h"

enum { NOTHING_TRIED = 2 };

/*
 * Below the layer: the loader as a program calls it, without the link that the layer has used. Other layers of the
 * machine would take it for theirs.
 */
static VkResult VKAPI_CALL create_instance_below(const VkInstanceCreateInfo *info,
                                                 const VkAllocationCallbacks *allocator, VkInstance *instance)
{
    VkInstanceCreateInfo unlinked = *info;
    unlinked.pNext = ((const VkBaseInStructure *)info->pNext)->pNext;
    return vkCreateInstance(&unlinked, allocator, instance);
}

static PFN_vkVoidFunction VKAPI_CALL get_below(VkInstance instance, const char *name)
{
    return strcmp(name, "vkCreateInstance") == 0 ? (PFN_vkVoidFunction)create_instance_below
                                                 : vkGetInstanceProcAddr(instance, name);
}

static PFN_vkGetInstanceProcAddr open_layer(const char *path)
{
    VkNegotiateLayerInterface negotiated = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                            .loaderLayerInterfaceVersion = 2};
    PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate = NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library)
        *(void **)&negotiate = dlsym(library, "vkNegotiateLoaderLayerInterfaceVersion");
    return negotiate && negotiate(&negotiated) == VK_SUCCESS ? negotiated.pfnGetInstanceProcAddr : NULL;
}

static VkResult create_instance(PFN_vkGetInstanceProcAddr get, const char *stats_file, VkInstance *instance)
{
    const VkLayerSettingEXT stats = {"VK_LAYER_CLAMPLER_gl_sampler", "stats_file", VK_LAYER_SETTING_TYPE_STRING_EXT, 1,
                                     &stats_file};
    const VkLayerSettingsCreateInfoEXT settings = {.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
                                                   .settingCount = stats_file ? 1 : 0,
                                                   .pSettings = &stats};
    VkLayerInstanceLink for_driver = {.pfnNextGetInstanceProcAddr = get_below};
    const VkLayerInstanceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                            .pNext = &settings,
                                            .function = VK_LAYER_LINK_INFO,
                                            .u.pLayerInfo = &for_driver};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &link};
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    return create ? create(&info, NULL, instance) : VK_ERROR_INITIALIZATION_FAILED;
}

static VkResult create_device(PFN_vkGetInstanceProcAddr get, VkInstance instance, VkDevice *device)
{
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkLayerDeviceLink for_driver = {.pfnNextGetInstanceProcAddr = vkGetInstanceProcAddr,
                                    .pfnNextGetDeviceProcAddr = vkGetDeviceProcAddr};
    const VkLayerDeviceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                          .function = VK_LAYER_LINK_INFO,
                                          .u.pLayerInfo = &for_driver};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &link,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    const PFN_vkCreateDevice create = (PFN_vkCreateDevice)get(instance, "vkCreateDevice");
    VkPhysicalDevice physical;
    uint32_t count = 1;
    if (!create || vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || !count)
        return VK_ERROR_INITIALIZATION_FAILED;
    return create(physical, &info, NULL, device);
}

int main(int count, char **arguments)
{
    VkInstance instance;
    VkDevice device;
    const PFN_vkGetInstanceProcAddr get = count > 1 ? open_layer(arguments[1]) : NULL;
    if (!get) {
        fprintf(stderr, "secure_probe: no layer: %s\n", dlerror());
        return NOTHING_TRIED;
    }
    if (create_instance(get, count > 2 ? arguments[2] : NULL, &instance) != VK_SUCCESS) {
        fprintf(stderr, "secure_probe: no instance\n");
        return NOTHING_TRIED;
    }
    if (create_device(get, instance, &device) != VK_SUCCESS) {
        fprintf(stderr, "secure_probe: no device\n");
        return NOTHING_TRIED;
    }
    ((PFN_vkDestroyDevice)get(instance, "vkDestroyDevice"))(device, NULL);
    ((PFN_vkDestroyInstance)get(instance, "vkDestroyInstance"))(instance, NULL);
    printf("%d\n", getauxval(AT_SECURE) != 0);
    return 0;
}
