/* SPDX-License-Identifier: MIT */
/*
 * Which of a GL program's states the device has natively, which the layer emulates, and which are missing:
 *
 *     gl_states
 *
 * One line for each semantic of each device, and for some formats; without the layer, one line that says so, and
 * status 1.
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
    {VK_GL_SEMANTIC_CHANNEL_ORDER_BIT_CLAMPLER, "GL_ALPHA8 attachments"},
};

/* Formats that translators know as those that some driver lacks something of. */
static const struct {
    VkFormat format;
    const char *name;
} formats[] = {
    {VK_FORMAT_R32G32B32A32_SFLOAT, "GL_RGBA32F"},        {VK_FORMAT_R32G32B32_SFLOAT, "GL_RGB32F"},
    {VK_FORMAT_R16G16B16A16_SFLOAT, "GL_RGB16F in RGBA"}, {VK_FORMAT_R16_UNORM, "GL_R16"},
    {VK_FORMAT_D32_SFLOAT, "GL_DEPTH_COMPONENT32F"},
};

/* A translator needs no table of its own of what a format can do. */
static const char *how_of(const VkGLSamplerFormatPropertiesCLAMPLER *gl, VkGLFormatFeatureFlagsCLAMPLER bit)
{
    return gl->nativeFeatures & bit ? "native" : gl->emulatedFeatures & bit ? "emulated" : "missing";
}

static void print_formats(VkPhysicalDevice physical)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        VkGLSamplerFormatPropertiesCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER};
        VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &gl};
        vkGetPhysicalDeviceFormatProperties2(physical, formats[i].format, &properties);
        printf("  %s: linear filters %s, buffer textures %s, attachments without alpha %s\n", formats[i].name,
               how_of(&gl, VK_GL_FORMAT_FEATURE_LINEAR_FILTER_BIT_CLAMPLER),
               how_of(&gl, VK_GL_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT_CLAMPLER),
               how_of(&gl, VK_GL_FORMAT_FEATURE_ALPHA_TO_ONE_BIT_CLAMPLER));
    }
}

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
    print_formats(physical);
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
