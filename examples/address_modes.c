/* SPDX-License-Identifier: MIT */
/*
 * The address modes of consoles' GPUs: exact where the layer is there, else the nearest that Vulkan has:
 *
 *     address_modes                             # what every value of every guest becomes
 *     address_modes GUEST U V PICTURE.ppm       # a quad whose sampler has the guest's values U and V
 *
 * GUEST is gcm, nv2a, maxwell, latte, xenos, gcn or gxm. What an emulator takes over is between the two lines of
 * dashes. Needs Vulkan 1.3 and no window.
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

/* ---- The integration: names in AMD's order, which CLAMP_X of R600 and GCN has, and the order of the others ---- */
enum wrap { WRAP, MIRROR, EDGE, MIRROR_EDGE, HALF_BORDER, MIRROR_HALF_BORDER, BORDER, MIRROR_BORDER };
static const uint8_t amd[] = {WRAP, MIRROR, EDGE, MIRROR_EDGE, HALF_BORDER, MIRROR_HALF_BORDER, BORDER, MIRROR_BORDER};
static const uint8_t nvidia[] = {WRAP,        MIRROR,      EDGE,          BORDER,
                                 HALF_BORDER, MIRROR_EDGE, MIRROR_BORDER, MIRROR_HALF_BORDER};
static const uint8_t gxm[] = {WRAP, MIRROR, EDGE, MIRROR_EDGE, WRAP, BORDER, EDGE, HALF_BORDER};

/* Without the layer: what moves the fewest texels. MIRROR_CLAMP_TO_EDGE needs the feature samplerMirrorClampToEdge. */
static const VkSamplerAddressMode nearest[] = {
    VK_SAMPLER_ADDRESS_MODE_REPEAT,          VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
    VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,   VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE,
    VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,   VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE,
    VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE};

static VkSamplerAddressMode address_mode(bool gl_sampler, enum wrap wrap)
{
    if (gl_sampler && wrap == HALF_BORDER)
        return VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER;
    if (gl_sampler && wrap == MIRROR_HALF_BORDER)
        return VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER;
    if (gl_sampler && wrap == MIRROR_BORDER)
        return VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_TO_BORDER_CLAMPLER;
    return nearest[wrap];
}
/* ---- The sampler's own border colour is the border of the three modes; nothing else changes ---- */

enum { SIZE = 128, TEXTURE_SIZE = 4 };

/* The guests: the value of the first mode, how many there are, and their order. */
static const struct guest {
    const char *name;
    uint32_t first, count;
    const uint8_t *order;
} guests[] = {
    {"gcm", 1, 8, nvidia},     /* PlayStation 3, CELL_GCM_TEXTURE_WRAP .. MIRROR_ONCE_CLAMP */
    {"nv2a", 1, 5, nvidia},    /* Xbox, NV_PGRAPH_TEXADDRESS0_ADDRU_WRAP .. CLAMP_OGL */
    {"maxwell", 0, 8, nvidia}, /* Switch, the sampler's WrapMode */
    {"latte", 0, 8, amd},      /* Wii U, CLAMP_X of SQ_TEX_SAMPLER_WORD0 */
    {"xenos", 0, 8, amd},      /* Xbox 360, ClampMode of texture fetches */
    {"gcn", 0, 8, amd},        /* PlayStation 4, CLAMP_X of samplers */
    {"gxm", 0, 8, gxm},        /* Vita, SCE_GXM_TEXTURE_ADDR_REPEAT .. CLAMP_HALF_BORDER */
};

struct program {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    bool gl_sampler; /* the extension is there, and the feature enabled */
};

static const char *name_of(VkSamplerAddressMode mode)
{
    switch ((int)mode) {
    case VK_SAMPLER_ADDRESS_MODE_REPEAT:
        return "REPEAT";
    case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
        return "MIRRORED_REPEAT";
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE:
        return "CLAMP_TO_EDGE";
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
        return "CLAMP_TO_BORDER";
    case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE:
        return "MIRROR_CLAMP_TO_EDGE";
    case VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER:
        return "GL_CLAMP";
    case VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER:
        return "GL_MIRROR_CLAMP";
    default:
        return "GL_MIRROR_CLAMP_TO_BORDER";
    }
}

static void print_table(void)
{
    for (size_t i = 0; i < sizeof(guests) / sizeof(guests[0]); i++)
        for (uint32_t mode = 0; mode < guests[i].count; mode++) {
            const enum wrap wrap = (enum wrap)guests[i].order[mode];
            printf("%s %u: %s, without the layer %s\n", guests[i].name, guests[i].first + mode,
                   name_of(address_mode(true, wrap)), name_of(address_mode(false, wrap)));
        }
}

/* The guest's value in decimal digits; false if it has none of that number. */
static bool read_wrap(const char *guest, const char *value, enum wrap *wrap)
{
    char *end;
    const unsigned long number = strtoul(value, &end, 10);
    for (size_t i = 0; i < sizeof(guests) / sizeof(guests[0]); i++)
        if (!strcmp(guests[i].name, guest) && end != value && !*end && number >= guests[i].first &&
            number - guests[i].first < guests[i].count) {
            *wrap = (enum wrap)guests[i].order[number - guests[i].first];
            return true;
        }
    return false;
}

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

static bool has_extension(VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    CHECK(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL));
    VkExtensionProperties *all = calloc(count + 1, sizeof(*all));
    check(all ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY, "calloc");
    bool found = false;
    CHECK(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all));
    for (uint32_t i = 0; i < count; i++)
        found = found || !strcmp(all[i].extensionName, name);
    free(all);
    return found;
}

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
    if (has_extension(p->physical, extension)) {
        VkPhysicalDeviceFeatures2 offered = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &gl};
        vkGetPhysicalDeviceFeatures2(p->physical, &offered);
        p->gl_sampler = gl.glSampler;
        gl.glImageView = gl.glBufferView = gl.alphaToOneAttachments = gl.linearFilterEmulation = VK_FALSE;
    }
    /* A device without samplerMirrorClampToEdge is refused here; an emulator would repeat mirrored instead. */
    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .pNext = p->gl_sampler ? &gl : NULL,
                                            .samplerMirrorClampToEdge = VK_TRUE};
    VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &v12, .dynamicRendering = VK_TRUE};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &v13,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = p->gl_sampler,
                                       .ppEnabledExtensionNames = &extension};
    CHECK(vkCreateDevice(p->physical, &device, NULL, &p->device));
    vkGetDeviceQueue(p->device, 0, 0, &p->queue);
}

static VkSampler make_sampler(const struct program *p, enum wrap u, enum wrap v)
{
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = VK_FILTER_LINEAR,
                                      .minFilter = VK_FILTER_LINEAR,
                                      .addressModeU = address_mode(p->gl_sampler, u),
                                      .addressModeV = address_mode(p->gl_sampler, v),
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
    VkSampler sampler;
    CHECK(vkCreateSampler(p->device, &info, NULL, &sampler));
    printf("%s: %s, %s\n", p->gl_sampler ? "the layer" : "no " LAYER, name_of(info.addressModeU),
           name_of(info.addressModeV));
    return sampler;
}

static VkImageView make_view(const struct program *p, VkImage image, VkFormat format, VkComponentMapping components)
{
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = format,
                                        .components = components,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    VkImageView view;
    CHECK(vkCreateImageView(p->device, &info, NULL, &view));
    return view;
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
    enum wrap u = WRAP, v = WRAP;
    if (count == 1) {
        print_table();
        return 0;
    }
    if (count != 5 || !read_wrap(arguments[1], arguments[2], &u) || !read_wrap(arguments[1], arguments[3], &v)) {
        fputs("usage: address_modes [GUEST U V PICTURE.ppm], with values that address_modes alone prints\n", stderr);
        return 2;
    }
    struct program p = {0};
    start(&p);
    struct plumbing plumbing;
    uint8_t *shared = plumbing_make(&plumbing, p.physical, p.device, TEXTURE_SIZE, SIZE);
    for (uint32_t i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE; i++) /* no texel is like another: 0, 12 .. 180 */
        shared[i] = (uint8_t)(12 * i);
    const VkSampler sampler = make_sampler(&p, u, v);
    const VkImageView texture = make_view(
        &p, plumbing.texture, VK_FORMAT_R8_UNORM,
        (VkComponentMapping){.g = VK_COMPONENT_SWIZZLE_R, .b = VK_COMPONENT_SWIZZLE_R, .a = VK_COMPONENT_SWIZZLE_ONE});
    const VkImageView target = make_view(&p, plumbing.target, VK_FORMAT_R8G8B8A8_UNORM, (VkComponentMapping){0});
    plumbing_draw(&plumbing, p.queue, sampler, texture, target);
    const bool written = write_picture(arguments[4], shared);
    if (!written)
        perror(arguments[4]);

    plumbing_destroy(&plumbing);
    vkDestroyImageView(p.device, target, NULL);
    vkDestroyImageView(p.device, texture, NULL);
    vkDestroySampler(p.device, sampler, NULL);
    vkDestroyDevice(p.device, NULL);
    vkDestroyInstance(p.instance, NULL);
    return written ? 0 : 1;
}
