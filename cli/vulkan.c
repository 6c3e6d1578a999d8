/* SPDX-License-Identifier: MIT */
#include "vulkan.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const struct semantic semantics[] = {
    {VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER, "clamp", "GL_CLAMP"},
    {VK_GL_SEMANTIC_MIRROR_CLAMP_BIT_CLAMPLER, "mirror_clamp", "GL_MIRROR_CLAMP_EXT"},
    {VK_GL_SEMANTIC_MIRROR_CLAMP_TO_BORDER_BIT_CLAMPLER, "mirror_clamp_to_border", "GL_MIRROR_CLAMP_TO_BORDER_EXT"},
    {VK_GL_SEMANTIC_LINEAR_FILTER_BIT_CLAMPLER, "linear_filter", "linear filters on every sampled format"},
    {VK_GL_SEMANTIC_LINEAR_DEPTH_BIT_CLAMPLER, "linear_depth", "linear filters on depth without comparison"},
    {VK_GL_SEMANTIC_BORDER_COLOR_BIT_CLAMPLER, "border_color", "any border colour, any number of samplers"},
    {VK_GL_SEMANTIC_BORDER_SWIZZLE_BIT_CLAMPLER, "border_swizzle", "border colours follow the view's swizzle"},
    {VK_GL_SEMANTIC_NON_SEAMLESS_CUBE_BIT_CLAMPLER, "non_seamless_cube", "cubes filtered face by face"},
    {VK_GL_SEMANTIC_SRGB_DECODE_SKIP_BIT_CLAMPLER, "srgb_decode_skip", "GL_SKIP_DECODE_EXT"},
    {VK_GL_SEMANTIC_LOD_BIAS_BIT_CLAMPLER, "lod_bias", "biases beyond the device's limit"},
    {VK_GL_SEMANTIC_RECTANGLE_BIT_CLAMPLER, "rectangle", "texel coordinates without Vulkan's bans"},
    {VK_GL_SEMANTIC_ALPHA_TO_ONE_BIT_CLAMPLER, "alpha_to_one", "attachments without alpha on RGBA formats"},
    {VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER, "rgb32_texel_buffer", "96-bit texel buffers"},
    {VK_GL_SEMANTIC_LARGE_TEXEL_BUFFER_BIT_CLAMPLER, "large_texel_buffer", "texel buffers beyond the device's limit"},
    {VK_GL_SEMANTIC_LEGACY_TEXEL_BUFFER_BIT_CLAMPLER, "legacy_texel_buffer", "luminance, alpha, intensity buffers"},
    {VK_GL_SEMANTIC_CHANNEL_ORDER_BIT_CLAMPLER, "channel_order", "attachments in any order of channels"},
    {0, NULL, NULL},
};

const char *semantic_state(const struct device_facts *facts, VkFlags64 bit)
{
    if (facts->semantics.nativeSemantics & bit)
        return "native";
    return facts->semantics.emulatedSemantics & bit ? "emulated" : "unavailable";
}

/* ---- The loader ---- */

bool vulkan_open(struct vulkan *vk, const char *path, char *why, size_t size)
{
    memset(vk, 0, sizeof(*vk));
    vk->library = dlopen(path ? path : "libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!vk->library) {
        snprintf(why, size, "%s", dlerror());
        return false;
    }
    *(void **)&vk->get = dlsym(vk->library, "vkGetInstanceProcAddr");
    if (vk->get)
        return true;
    snprintf(why, size, "%s has no vkGetInstanceProcAddr", path ? path : "libvulkan.so.1");
    vulkan_close(vk);
    return false;
}

void vulkan_close(struct vulkan *vk)
{
    if (vk->library)
        dlclose(vk->library);
    vk->library = NULL;
}

/* An instance command, or NULL. */
static PFN_vkVoidFunction vulkan_command(const struct vulkan *vk, const char *name)
{
    return vk->get(vk->instance, name);
}

#define COMMAND(vk, name) PFN_##name name = (PFN_##name)vulkan_command((vk), #name)

/*
 * What loader, layers and drivers write while they run goes into a file in memory: layers such as validation's speak of
 * what is done here, which nobody asked about. Ends before this program writes anything itself.
 */
enum { STREAMS = 2 };
static const int streams[STREAMS] = {STDOUT_FILENO, STDERR_FILENO};

struct listening {
    int file, before[STREAMS];
};

static struct listening listen_begin(void)
{
    struct listening listening = {memfd_create("said", MFD_CLOEXEC), {-1, -1}};
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < STREAMS && listening.file >= 0; i++) {
        listening.before[i] = dup(streams[i]);
        if (listening.before[i] >= 0)
            dup2(listening.file, streams[i]);
    }
    return listening;
}

/* `text` receives what was written, cut to `size` bytes; NULL: nobody wants to know. */
static void listen_end(struct listening listening, char *text, size_t size)
{
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < STREAMS; i++) {
        if (listening.before[i] < 0)
            continue;
        dup2(listening.before[i], streams[i]);
        close(listening.before[i]);
    }
    if (text) {
        const ssize_t length = listening.file < 0 ? 0 : pread(listening.file, text, size - 1, 0);
        text[length > 0 ? length : 0] = '\0';
    }
    if (listening.file >= 0)
        close(listening.file);
}

uint32_t vulkan_version(const struct vulkan *vk)
{
    PFN_vkEnumerateInstanceVersion enumerate =
        (PFN_vkEnumerateInstanceVersion)vk->get(NULL, "vkEnumerateInstanceVersion");
    uint32_t version = VK_API_VERSION_1_0;
    const struct listening listening = listen_begin();
    if (enumerate)
        enumerate(&version);
    listen_end(listening, NULL, 0);
    return version;
}

bool vulkan_find_layer(const struct vulkan *vk, const char *layer, VkLayerProperties *properties)
{
    PFN_vkEnumerateInstanceLayerProperties enumerate =
        (PFN_vkEnumerateInstanceLayerProperties)vk->get(NULL, "vkEnumerateInstanceLayerProperties");
    VkLayerProperties list[128];
    uint32_t count = 128;
    const struct listening listening = listen_begin();
    if (!enumerate || enumerate(&count, list) < 0)
        count = 0;
    listen_end(listening, NULL, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].layerName, layer))
            continue;
        if (properties)
            *properties = list[i];
        return true;
    }
    return false;
}

static const VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "clampler", .apiVersion = VK_API_VERSION_1_3};

VkResult vulkan_start(struct vulkan *vk, const char *layer)
{
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)vk->get(NULL, "vkCreateInstance");
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = layer ? 1 : 0,
                                       .ppEnabledLayerNames = &layer};
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;
    const struct listening listening = listen_begin();
    const VkResult result = create(&info, NULL, &vk->instance);
    listen_end(listening, vk->said, sizeof(vk->said));
    if (result != VK_SUCCESS)
        vk->instance = NULL;
    return result;
}

/* Whether an instance with these extensions can be made; it is destroyed again. */
static VkResult try_extensions(const struct vulkan *vk, const char *const *names, uint32_t count)
{
    struct vulkan one = {.get = vk->get};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = count,
                                       .ppEnabledExtensionNames = names};
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)vk->get(NULL, "vkCreateInstance");
    const struct listening listening = listen_begin();
    const VkResult result = create ? create(&info, NULL, &one.instance) : VK_ERROR_INITIALIZATION_FAILED;
    listen_end(listening, NULL, 0);
    if (result == VK_SUCCESS)
        vulkan_stop(&one);
    return result;
}

bool vulkan_takes_every_extension(const struct vulkan *vk, char refused[VK_MAX_EXTENSION_NAME_SIZE])
{
    enum { MOST = 256 };
    PFN_vkEnumerateInstanceExtensionProperties enumerate =
        (PFN_vkEnumerateInstanceExtensionProperties)vk->get(NULL, "vkEnumerateInstanceExtensionProperties");
    VkExtensionProperties list[MOST];
    const char *names[MOST];
    uint32_t count = MOST;
    refused[0] = '\0';
    const struct listening listening = listen_begin();
    const bool listed = enumerate && enumerate(NULL, &count, list) >= 0;
    listen_end(listening, NULL, 0);
    if (!listed)
        return true;
    for (uint32_t i = 0; i < count; i++)
        names[i] = list[i].extensionName;
    if (try_extensions(vk, names, count) != VK_ERROR_EXTENSION_NOT_PRESENT)
        return true;
    for (uint32_t i = 0; i < count && !refused[0]; i++) {
        if (try_extensions(vk, &names[i], 1) == VK_ERROR_EXTENSION_NOT_PRESENT)
            snprintf(refused, VK_MAX_EXTENSION_NAME_SIZE, "%s", names[i]);
    }
    return false;
}

void vulkan_stop(struct vulkan *vk)
{
    COMMAND(vk, vkDestroyInstance);
    const struct listening listening = listen_begin();
    if (vk->instance && vkDestroyInstance)
        vkDestroyInstance(vk->instance, NULL);
    listen_end(listening, NULL, 0);
    vk->instance = NULL;
}

bool vulkan_loaded(const char *library, char path[PATH_MAX])
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t size = 0;
    bool found = false;
    while (maps && !found && getline(&line, &size, maps) > 0) {
        char *file = strchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        const size_t length = file ? strlen(file) : 0, end = strlen(library);
        found = length > end && !strcmp(file + length - end, library) && file[length - end - 1] == '/';
        if (found && snprintf(path, PATH_MAX, "%s", file) >= PATH_MAX)
            path[0] = '\0';
    }
    free(line);
    if (maps)
        fclose(maps);
    return found;
}

/* ---- Devices ---- */

VkExtensionProperties *vulkan_extensions(const struct vulkan *vk, VkPhysicalDevice device, uint32_t *count)
{
    COMMAND(vk, vkEnumerateDeviceExtensionProperties);
    *count = 0;
    if (!vkEnumerateDeviceExtensionProperties ||
        vkEnumerateDeviceExtensionProperties(device, NULL, count, NULL) != VK_SUCCESS)
        return NULL;
    VkExtensionProperties *list = calloc((size_t)*count + 1, sizeof(*list));
    if (list && vkEnumerateDeviceExtensionProperties(device, NULL, count, list) >= 0)
        return list;
    *count = 0;
    free(list);
    return NULL;
}

static bool lists_extension(const struct vulkan *vk, VkPhysicalDevice device)
{
    uint32_t count;
    bool found = false;
    VkExtensionProperties *list = vulkan_extensions(vk, device, &count);
    for (uint32_t i = 0; i < count; i++)
        found |= !strcmp(list[i].extensionName, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME);
    free(list);
    return found;
}

static void read_device(const struct vulkan *vk, struct device_facts *facts)
{
    COMMAND(vk, vkGetPhysicalDeviceProperties);
    COMMAND(vk, vkGetPhysicalDeviceProperties2);
    vkGetPhysicalDeviceProperties(facts->handle, &facts->properties);
    facts->extension = lists_extension(vk, facts->handle);
    if (!facts->extension || !vkGetPhysicalDeviceProperties2)
        return;
    facts->semantics.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER;
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &facts->semantics};
    vkGetPhysicalDeviceProperties2(facts->handle, &properties);
}

unsigned vulkan_devices(const struct vulkan *vk, struct device_facts *devices, unsigned most)
{
    COMMAND(vk, vkEnumeratePhysicalDevices);
    VkPhysicalDevice handles[64];
    uint32_t count = most < 64 ? most : 64;
    const struct listening listening = listen_begin();
    if (!vkEnumeratePhysicalDevices || vkEnumeratePhysicalDevices(vk->instance, &count, handles) < 0)
        count = 0;
    memset(devices, 0, count * sizeof(*devices));
    for (uint32_t i = 0; i < count; i++) {
        devices[i].handle = handles[i];
        read_device(vk, &devices[i]);
    }
    listen_end(listening, NULL, 0);
    return count;
}

VkFormatProperties vulkan_format_properties(const struct vulkan *vk, const struct device_facts *facts, VkFormat format,
                                            VkGLSamplerFormatPropertiesCLAMPLER *gl)
{
    COMMAND(vk, vkGetPhysicalDeviceFormatProperties2);
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = gl};
    *gl = (VkGLSamplerFormatPropertiesCLAMPLER){.sType = VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER};
    const struct listening listening = listen_begin();
    vkGetPhysicalDeviceFormatProperties2(facts->handle, format, &properties);
    listen_end(listening, NULL, 0);
    return properties.formatProperties;
}

const char *vulkan_result(VkResult result)
{
    switch (result) {
    case VK_SUCCESS:
        return "VK_SUCCESS";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "VK_ERROR_INCOMPATIBLE_DRIVER";
    default:
        return "an error";
    }
}
