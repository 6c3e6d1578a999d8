/* SPDX-License-Identifier: MIT */
/*
 * privileged_probe: makes an instance and a device by Vulkan's loader, naming no layer, and says in one line whether it
 * has more rights than its user, whether the layer is in the process, whether it is active on the device, and how many
 * files and variables it has asked for. Those it counts itself: the C library's functions that take names of either are
 * here, and libraries find a program's before the C library's.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#define LIBRARY "VkLayer_clampler_gl_sampler"

static unsigned files, variables;

static bool is_layers(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) && info.dli_fname && strstr(info.dli_fname, LIBRARY);
}

/* ---- What the layer may ask for ---- */

#define COUNT(counter)                                                                                                 \
    do {                                                                                                               \
        if (is_layers(__builtin_return_address(0)))                                                                    \
            (counter)++;                                                                                               \
    } while (0)

/* The C library's, past these. */
#define FIND(pointer, name) (*(void **)&(pointer) = dlsym(RTLD_NEXT, name))

#define VISIBLE __attribute__((visibility("default")))

#define A_VARIABLE(function)                                                                                           \
    VISIBLE char *function(const char *name);                                                                          \
    VISIBLE char *function(const char *name)                                                                           \
    {                                                                                                                  \
        COUNT(variables);                                                                                              \
        char *(*next)(const char *);                                                                                   \
        FIND(next, #function);                                                                                         \
        return next(name);                                                                                             \
    }
A_VARIABLE(getenv)
A_VARIABLE(secure_getenv)

#define A_FILE(function)                                                                                               \
    VISIBLE int function(const char *path, int flags, ...)                                                             \
    {                                                                                                                  \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                  \
        va_end(rest);                                                                                                  \
        COUNT(files);                                                                                                  \
        int (*next)(const char *, int, ...);                                                                           \
        FIND(next, #function);                                                                                         \
        return next(path, flags, mode);                                                                                \
    }
A_FILE(open)
A_FILE(open64)

#define A_FILE_AT(function)                                                                                            \
    VISIBLE int function(int folder, const char *path, int flags, ...)                                                 \
    {                                                                                                                  \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                  \
        va_end(rest);                                                                                                  \
        COUNT(files);                                                                                                  \
        int (*next)(int, const char *, int, ...);                                                                      \
        FIND(next, #function);                                                                                         \
        return next(folder, path, flags, mode);                                                                        \
    }
A_FILE_AT(openat)
A_FILE_AT(openat64)

#define A_STREAM(function)                                                                                             \
    VISIBLE FILE *function(const char *path, const char *mode)                                                         \
    {                                                                                                                  \
        COUNT(files);                                                                                                  \
        FILE *(*next)(const char *, const char *);                                                                     \
        FIND(next, #function);                                                                                         \
        return next(path, mode);                                                                                       \
    }
A_STREAM(fopen)
A_STREAM(fopen64)

VISIBLE ssize_t readlink(const char *path, char *text, size_t size)
{
    COUNT(files);
    ssize_t (*next)(const char *, char *, size_t);
    FIND(next, "readlink");
    return next(path, text, size);
}

VISIBLE int access(const char *path, int mode)
{
    COUNT(files);
    int (*next)(const char *, int);
    FIND(next, "access");
    return next(path, mode);
}

VISIBLE int mkdir(const char *path, mode_t mode)
{
    COUNT(files);
    int (*next)(const char *, mode_t);
    FIND(next, "mkdir");
    return next(path, mode);
}

VISIBLE DIR *opendir(const char *path)
{
    COUNT(files);
    DIR *(*next)(const char *);
    FIND(next, "opendir");
    return next(path);
}

VISIBLE int stat(const char *restrict path, struct stat *restrict status)
{
    COUNT(files);
    int (*next)(const char *, struct stat *);
    FIND(next, "stat");
    return next(path, status);
}

VISIBLE int lstat(const char *restrict path, struct stat *restrict status)
{
    COUNT(files);
    int (*next)(const char *, struct stat *);
    FIND(next, "lstat");
    return next(path, status);
}

/* ---- The program ---- */

static int look_at(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    *(bool *)user |= strstr(info->dlpi_name, LIBRARY) != NULL;
    return 0;
}

static VkResult create_device(VkInstance instance, VkDevice *device)
{
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    VkPhysicalDevice physical;
    uint32_t count = 1;
    if (vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || !count)
        return VK_ERROR_INITIALIZATION_FAILED;
    return vkCreateDevice(physical, &info, NULL, device);
}

int main(void)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkInstance instance;
    VkDevice device;
    VkSampler sampler;
    bool loaded = false;
    if (vkCreateInstance(&info, NULL, &instance) != VK_SUCCESS || create_device(instance, &device) != VK_SUCCESS ||
        vkCreateSampler(device, &sampler_info, NULL, &sampler) != VK_SUCCESS) {
        fprintf(stderr, "privileged_probe: no device\n");
        return 2;
    }
    dl_iterate_phdr(look_at, &loaded);
    const PFN_vkVoidFunction hooked = vkGetDeviceProcAddr(device, "vkCreateSampler");
    const bool active = is_layers(*(void *const *)(const void *)&hooked);
    vkDestroySampler(device, sampler, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    printf("secure %d, loaded %d, active %d, files %u, variables %u\n", getauxval(AT_SECURE) != 0, loaded, active,
           files, variables);
    return 0;
}
