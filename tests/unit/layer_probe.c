/*
 * Prints how often the first physical device lists VK_CLAMPLER_gl_sampler in an instance without layers of the
 * program's own: 0 where the loader loaded no layer, 1 where it loaded ours. Leaves the environment as it is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "vulkan_clampler.h"

int main(void)
{
    static VkExtensionProperties list[1024];
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    VkInstance instance;
    VkPhysicalDevice physical;
    uint32_t devices = 1, count = 1024;
    int listed = 0;
    if (vkCreateInstance(&info, NULL, &instance) != VK_SUCCESS ||
        vkEnumeratePhysicalDevices(instance, &devices, &physical) < 0 || !devices ||
        vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list) != VK_SUCCESS)
        return EXIT_FAILURE;
    for (uint32_t i = 0; i < count; i++)
        listed += !strcmp(list[i].extensionName, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME);
    printf("%d\n", listed);
    vkDestroyInstance(instance, NULL);
    return EXIT_SUCCESS;
}
