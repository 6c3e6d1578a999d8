/* SPDX-License-Identifier: MIT */
/*
 * Which of a GL program's states the device has natively, which the layer emulates, and which are missing:
 *
 *     gl_states
 *
 * One line for each semantic of each device; without the layer, one line that says so, and status 1.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <vulkan/vulkan_clampler.h>

#include "bundled_layer.h"

static const struct {
    VkGLSemanticFlagsCLAMPLER bit;
    const char *name;
} states[] = {
    {VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER, "GL_CLAMP"},
    {VK_GL_SEMANTIC_MIRROR_CLAMP_BIT_CLAMPLER, "GL_MIRROR_CLAMP_EXT"},
    {VK_GL_SEMANTIC_MIRROR_CLAMP_TO_BORDER_BIT_CLAMPLER, "GL_MIRROR_CLAMP_TO_BORDER_EXT"},
    {VK_GL_SEMANTIC_LINEAR_FILTER_BIT_CLAMPLER, "GL_LINEAR of every format"},
    {VK_GL_SEMANTIC_LINEAR_DEPTH_BIT_CLAMPLER, "GL_LINEAR of depth"},
    {VK_GL_SEMANTIC_BORDER_COLOR_BIT_CLAMPLER, "GL_TEXTURE_BORDER_COLOR"},
    {VK_GL_SEMANTIC_BORDER_SWIZZLE_BIT_CLAMPLER, "border colours with GL_TEXTURE_SWIZZLE_RGBA"},
    {VK_GL_SEMANTIC_NON_SEAMLESS_CUBE_BIT_CLAMPLER, "cubes without GL_TEXTURE_CUBE_MAP_SEAMLESS"},
    {VK_GL_SEMANTIC_SRGB_DECODE_SKIP_BIT_CLAMPLER, "GL_SKIP_DECODE_EXT"},
    {VK_GL_SEMANTIC_LOD_BIAS_BIT_CLAMPLER, "GL_TEXTURE_LOD_BIAS"},
    {VK_GL_SEMANTIC_RECTANGLE_BIT_CLAMPLER, "GL_TEXTURE_RECTANGLE"},
    {VK_GL_SEMANTIC_ALPHA_TO_ONE_BIT_CLAMPLER, "GL_RGB attachments"},
    {VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER, "GL_RGB32F buffer textures"},
    {VK_GL_SEMANTIC_LARGE_TEXEL_BUFFER_BIT_CLAMPLER, "large buffer textures"},
    {VK_GL_SEMANTIC_LEGACY_TEXEL_BUFFER_BIT_CLAMPLER, "GL_LUMINANCE8 buffer textures"},
};

static void print_device(VkPhysicalDevice physical)
{
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceProperties2 device = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &gl};
    vkGetPhysicalDeviceProperties2(physical, &device);
    printf("%s\n", device.properties.deviceName);
    for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
        const char *how = gl.nativeSemantics & states[i].bit     ? "native"
                          : gl.emulatedSemantics & states[i].bit ? "emulated"
                                                                 : "missing";
        printf("  %-8s  %s\n", how, states[i].name);
    }
    printf("  %.0f levels of bias, buffer textures of %llu texels\n", gl.maxTextureLodBias,
           (unsigned long long)gl.maxTexelBufferElements);
}

int main(void)
{
    const char *layer = bundled_layer_show() ? BUNDLED_LAYER : LAYER;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = 1,
                                       .ppEnabledLayerNames = &layer};
    VkInstance instance;
    VkResult result = vkCreateInstance(&info, NULL, &instance);
    if (result != VK_SUCCESS) {
        fprintf(stderr, "gl_states: %s\n",
                result == VK_ERROR_LAYER_NOT_PRESENT ? "no " LAYER : "no instance of Vulkan");
        return 1;
    }
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    result = vkEnumeratePhysicalDevices(instance, &count, devices);
    for (uint32_t i = 0; result >= 0 && i < count; i++)
        print_device(devices[i]);
    vkDestroyInstance(instance, NULL);
    return result >= 0 && count ? 0 : 1;
}
