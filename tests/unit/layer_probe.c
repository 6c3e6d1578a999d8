/* SPDX-License-Identifier: MIT */
/*
 * layer_probe [enable-all | named | settings | enable-settings | connected | extensions]
 *
 * Prints how often the first physical device lists VK_CLAMPLER_gl_sampler in an instance without layers of the
 * program's own: 0 where the loader loaded no layer, 1 where it loaded ours. Leaves the environment as it is.
 *
 * The instance enables every instance extension that the loader lists (enable-all), or names the layer (named), or
 * chains a setting that the layer does not know (settings), or does that and enables VK_EXT_layer_settings
 * (enable-settings). As connected, the program has no standard error but a server's socket in its place, as vkcube does
 * under a session without one, chains such a setting as well, and prints how many bytes the server got. With extensions
 * it prints the names of all that the device lists instead.
 */
#define _GNU_SOURCE /* accept4 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include "newer_vulkan.h"
#include "vulkan_clampler.h"

enum { MOST = 1024 };

static const char *const *every_extension(uint32_t *count)
{
    static VkExtensionProperties list[MOST];
    static const char *names[MOST];
    *count = MOST;
    if (vkEnumerateInstanceExtensionProperties(NULL, count, list) != VK_SUCCESS)
        *count = 0;
    for (uint32_t i = 0; i < *count; i++)
        names[i] = list[i].extensionName;
    return names;
}

/* How often the first device lists the extension; -1 if there is no device. Prints them all, or none. */
static int listed(VkInstance instance, bool all)
{
    static VkExtensionProperties list[MOST];
    uint32_t devices = 1, count = MOST;
    VkPhysicalDevice physical;
    int found = 0;
    if (vkEnumeratePhysicalDevices(instance, &devices, &physical) < 0 || !devices ||
        vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list) != VK_SUCCESS)
        return -1;
    for (uint32_t i = 0; i < count && all; i++)
        printf("%s\n", list[i].extensionName);
    for (uint32_t i = 0; i < count; i++)
        found += !strcmp(list[i].extensionName, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME);
    return found;
}

/* The server's end of a connection that takes the number of standard error; -1 if there is none. */
static int connect_as_standard_error(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int server = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "layer_probe-%ld", (long)getpid());
    if (bind(server, (const struct sockaddr *)&address, sizeof(address)) || listen(server, 1))
        return -1;
    close(STDERR_FILENO);
    const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client != STDERR_FILENO || connect(client, (const struct sockaddr *)&address, sizeof(address)))
        return -1;
    return accept4(server, NULL, NULL, SOCK_NONBLOCK);
}

int main(int count, char **arguments)
{
    static const VkBool32 on = VK_TRUE;
    static const char *const layer = "VK_LAYER_CLAMPLER_gl_sampler";
    static const char *const settings_extension = VK_EXT_LAYER_SETTINGS_EXTENSION_NAME;
    const char *mode = count > 1 ? arguments[1] : "";
    const VkLayerSettingEXT unknown = {layer, "from_the_program", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &on};
    const VkLayerSettingsCreateInfoEXT settings = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, .settingCount = 1, .pSettings = &unknown};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    VkInstance instance;
    const bool connected = !strcmp(mode, "connected");
    const int server = connected ? connect_as_standard_error() : -1;
    if (!strcmp(mode, "enable-all"))
        info.ppEnabledExtensionNames = every_extension(&info.enabledExtensionCount);
    if (!strcmp(mode, "named")) {
        info.ppEnabledLayerNames = &layer;
        info.enabledLayerCount = 1;
    }
    if (connected || strstr(mode, "settings"))
        info.pNext = &settings;
    if (!strcmp(mode, "enable-settings")) {
        info.ppEnabledExtensionNames = &settings_extension;
        info.enabledExtensionCount = 1;
    }
    const VkResult result = vkCreateInstance(&info, NULL, &instance);
    if (result != VK_SUCCESS) {
        fprintf(stderr, "vkCreateInstance: %d\n", (int)result);
        return EXIT_FAILURE;
    }
    const bool all = !strcmp(mode, "extensions");
    const int found = listed(instance, all);
    if (!all)
        printf("%d\n", found);
    vkDestroyInstance(instance, NULL);
    if (connected) {
        char text[4096];
        const ssize_t length = recv(server, text, sizeof(text), 0);
        printf("%ld bytes\n", server < 0 ? -1L : length < 0 ? 0L : (long)length);
    }
    return found < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
