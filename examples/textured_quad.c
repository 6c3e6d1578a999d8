/* SPDX-License-Identifier: MIT */
/*
 * A textured quad, drawn with OpenGL's state where the layer is there and with the nearest of Vulkan's where it is not:
 *
 *     textured_quad PICTURE.ppm
 *
 * The texture is GL_LUMINANCE8 with GL_CLAMP, linear filters and a white border. Needs Vulkan 1.3 and no window.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <vulkan/vulkan_clampler.h>

#include "bundled_layer.h"
#include "plumbing.h"

/* OpenGL's own numbers; programs that have GL's headers take them from there. */
enum { GL_LUMINANCE = 0x1909, GL_LUMINANCE8 = 0x8040, GL_LINEAR = 0x2601, GL_CLAMP = 0x2900, GL_TEXTURE_2D = 0x0de1 };
enum { SIZE = 128, TEXTURE_SIZE = 4 };

struct program {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    bool gl; /* the extension is there and enabled */
};

/* The bundled layer, else an installed one, else NULL. */
static const char *find_layer(void)
{
    VkLayerProperties layers[128];
    uint32_t count = 128;
    if (vkEnumerateInstanceLayerProperties(&count, layers) < 0)
        return NULL;
    const char *found = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(layers[i].layerName, BUNDLED_LAYER))
            return BUNDLED_LAYER;
        if (!strcmp(layers[i].layerName, LAYER))
            found = LAYER;
    }
    return found;
}

/* An older layer may know less than the header that the program was built with. */
static bool has_extension(VkPhysicalDevice physical, const char *name, uint32_t version)
{
    uint32_t count = 0;
    CHECK(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL));
    VkExtensionProperties *all = calloc(count + 1, sizeof(*all));
    check(all ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY, "calloc");
    bool found = false;
    CHECK(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all));
    for (uint32_t i = 0; i < count; i++)
        found = found || (!strcmp(all[i].extensionName, name) && all[i].specVersion >= version);
    free(all);
    return found;
}

/* The first device, its first queue family (which draws on all desktop drivers), and the extension if it is there. */
static void start(struct program *p)
{
    bundled_layer_show();
    const char *layer = find_layer(), *extension = VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &application,
                                     .enabledLayerCount = layer != NULL,
                                     .ppEnabledLayerNames = &layer};
    VkResult result = vkCreateInstance(&instance, NULL, &p->instance);
    if (result != VK_SUCCESS && instance.enabledLayerCount) { /* a manifest without its library */
        instance.enabledLayerCount = 0;
        result = vkCreateInstance(&instance, NULL, &p->instance);
    }
    check(result, "vkCreateInstance");
    uint32_t one = 1;
    if (vkEnumeratePhysicalDevices(p->instance, &one, &p->physical) < 0 || one == 0)
        check(VK_ERROR_INITIALIZATION_FAILED, "vkEnumeratePhysicalDevices");

    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = {.sType =
                                                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER};
    VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    if (has_extension(p->physical, extension, VK_CLAMPLER_GL_SAMPLER_SPEC_VERSION)) {
        VkPhysicalDeviceFeatures2 offered = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &gl};
        vkGetPhysicalDeviceFeatures2(p->physical, &offered);
        p->gl = gl.glSampler && gl.glImageView;
        gl.glBufferView = gl.alphaToOneAttachments = gl.linearFilterEmulation = VK_FALSE; /* not used here */
    }
    features.dynamicRendering = VK_TRUE;
    features.pNext = p->gl ? &gl : NULL;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = p->gl,
                                       .ppEnabledExtensionNames = &extension};
    CHECK(vkCreateDevice(p->physical, &device, NULL, &p->device));
    vkGetDeviceQueue(p->device, 0, 0, &p->queue);
}

/* GL state where the layer takes it. Plain structures stay behind it and are what a device without the layer gets. */
static VkSampler make_sampler(const struct program *p)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = GL_CLAMP,
                                                   .wrapT = GL_CLAMP,
                                                   .minFilter = GL_LINEAR,
                                                   .magFilter = GL_LINEAR,
                                                   .maxLod = 1000,
                                                   .borderColor = {.float32 = {1, 0, 0, 0}}, /* luminance is its red */
                                                   .cubeMapSeamless = VK_TRUE};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = p->gl ? &gl : NULL,
                                      .magFilter = VK_FILTER_LINEAR,
                                      .minFilter = VK_FILTER_LINEAR,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    VkSampler sampler;
    CHECK(vkCreateSampler(p->device, &info, NULL, &sampler));
    return sampler;
}

static VkImageView make_view(const struct program *p, VkImage image, VkFormat format, bool luminance)
{
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                         VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                     .target = GL_TEXTURE_2D,
                                                     .internalFormat = GL_LUMINANCE8,
                                                     .baseFormat = GL_LUMINANCE};
    VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = format,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    if (luminance && p->gl)
        info.pNext = &gl;
    else if (luminance)
        info.components = (VkComponentMapping){VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R,
                                               VK_COMPONENT_SWIZZLE_ONE};
    VkImageView view;
    CHECK(vkCreateImageView(p->device, &info, NULL, &view));
    return view;
}

/* A chequer of 1 and 1/5. */
static void fill_texture(uint8_t *texels)
{
    for (uint32_t i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE; i++)
        texels[i] = (i + i / TEXTURE_SIZE) % 2 ? 51 : 255;
}

static bool write_picture(const char *path, const uint8_t *pixels)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    fprintf(file, "P6\n%u %u\n255\n", SIZE, SIZE);
    for (size_t i = 0; i < SIZE * SIZE; i++)
        fwrite(pixels + 4 * i, 1, 3, file);
    const bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fputs("usage: textured_quad PICTURE.ppm\n", stderr);
        return 2;
    }
    struct program p = {0};
    start(&p);
    puts(p.gl ? "GL state: GL_CLAMP and GL_LUMINANCE" : "no " LAYER ": CLAMP_TO_EDGE and components");

    struct plumbing plumbing;
    uint8_t *shared = plumbing_make(&plumbing, p.physical, p.device, TEXTURE_SIZE, SIZE);
    fill_texture(shared);
    const VkSampler sampler = make_sampler(&p);
    const VkImageView texture = make_view(&p, plumbing.texture, VK_FORMAT_R8_UNORM, true);
    const VkImageView target = make_view(&p, plumbing.target, VK_FORMAT_R8G8B8A8_UNORM, false);
    plumbing_draw(&plumbing, p.queue, sampler, texture, target);
    const bool written = write_picture(arguments[1], shared);
    if (!written)
        perror(arguments[1]);

    plumbing_destroy(&plumbing);
    vkDestroyImageView(p.device, target, NULL);
    vkDestroyImageView(p.device, texture, NULL);
    vkDestroySampler(p.device, sampler, NULL);
    vkDestroyDevice(p.device, NULL);
    vkDestroyInstance(p.instance, NULL);
    return written ? 0 : 1;
}
