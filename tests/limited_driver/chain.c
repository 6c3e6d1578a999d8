/* SPDX-License-Identifier: MIT */
/*
 * The loader's side of the layer: negotiation, the instance and the device, look-up of entry points. What is hidden is
 * judged elsewhere, but for what vkCreateDevice asks for.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"

#define EXPORT __attribute__((visibility("default")))

enum { PATH_BYTES = 4096 };

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct instance *instances;
static struct device *devices;

/* Dispatchable objects of one instance, or of one device, begin with the same pointer to the loader's table. */
static void *key_of(const void *dispatchable)
{
    return *(void *const *)dispatchable;
}

struct instance *instance_of(const void *dispatchable)
{
    pthread_mutex_lock(&list_lock);
    struct instance *instance = instances;
    while (instance && key_of(instance->handle) != key_of(dispatchable))
        instance = instance->next_instance;
    pthread_mutex_unlock(&list_lock);
    return instance;
}

struct device *device_of(const void *dispatchable)
{
    pthread_mutex_lock(&list_lock);
    struct device *device = devices;
    while (device && key_of(device->handle) != key_of(dispatchable))
        device = device->next_device;
    pthread_mutex_unlock(&list_lock);
    return device;
}

/* ---- The profile ---- */

/* The folder of profiles: `profiles` beside the shared object, so that a build folder can be moved. */
static void profile_folder(char folder[PATH_BYTES])
{
    Dl_info info;
    const char *slash = NULL;
    if (dladdr((void *)(uintptr_t)&profile_folder, &info) && info.dli_fname)
        slash = strrchr(info.dli_fname, '/');
    if (slash)
        snprintf(folder, PATH_BYTES, "%.*s/profiles", (int)(slash - info.dli_fname), info.dli_fname);
    else
        snprintf(folder, PATH_BYTES, "profiles");
}

/* LIMITED_DRIVER_PROFILE, names or paths with ':' between them, then LIMITED_DRIVER_RULES. */
static bool load_profile(struct profile *profile)
{
    char folder[PATH_BYTES];
    profile_folder(folder);
    const char *names = getenv("LIMITED_DRIVER_PROFILE");
    while (names && *names) {
        char name[PATH_BYTES];
        size_t length = strcspn(names, ":");
        snprintf(name, sizeof(name), "%.*s", (int)length, names);
        if (name[0] && !profile_load(profile, name, folder))
            return false;
        names += length + (names[length] == ':');
    }
    const char *rules = getenv("LIMITED_DRIVER_RULES");
    if (rules && !profile_parse(profile, rules, "LIMITED_DRIVER_RULES", folder))
        return false;
    profile_finish(profile);
    return true;
}

/* ---- Instance ---- */

static VkLayerInstanceCreateInfo *instance_link(const VkInstanceCreateInfo *info)
{
    VkBaseInStructure *structure = (VkBaseInStructure *)(uintptr_t)info->pNext;
    while (structure && (structure->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                         ((VkLayerInstanceCreateInfo *)structure)->function != VK_LAYER_LINK_INFO))
        structure = (VkBaseInStructure *)(uintptr_t)structure->pNext;
    return (VkLayerInstanceCreateInfo *)structure;
}

static void instance_free(struct instance *instance)
{
    violations_close(&instance->violations);
    profile_destroy(instance->profile);
    free(instance);
}

static void fill_instance_dispatch(struct instance *instance, PFN_vkGetInstanceProcAddr get)
{
#define FILL(name) instance->next.name = (PFN_vk##name)get(instance->handle, "vk" #name);
#define FILL_ALIAS(alias, name)                                                                                        \
    if (!instance->next.name)                                                                                          \
        instance->next.name = (PFN_vk##name)get(instance->handle, "vk" #alias);
    INSTANCE_HOOKS(FILL, FILL_ALIAS)
    instance->next.GetInstanceProcAddr = get;
}

VKAPI_ATTR VkResult hook_CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator,
                                        VkInstance *result)
{
    VkLayerInstanceCreateInfo *link = instance_link(info);
    if (!link || !link->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_GetPhysicalDeviceProcAddr get_physical = link->u.pLayerInfo->pfnNextGetPhysicalDeviceProcAddr;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;

    struct instance *instance = calloc(1, sizeof(*instance));
    if (!instance)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    violations_open(&instance->violations);
    instance->profile = profile_create();
    if (!instance->profile || !load_profile(instance->profile)) {
        /* A profile with a mistake hides too little: tests under it would prove nothing. */
        fprintf(stderr, "limited driver: %s\n", instance->profile ? profile_error(instance->profile) : "out of memory");
        instance_free(instance);
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult created = create(info, allocator, result);
    if (created != VK_SUCCESS) {
        instance_free(instance);
        return created;
    }
    instance->handle = *result;
    instance->next_physical = get_physical;
    fill_instance_dispatch(instance, get);
    pthread_mutex_lock(&list_lock);
    instance->next_instance = instances;
    instances = instance;
    pthread_mutex_unlock(&list_lock);
    return VK_SUCCESS;
}

VKAPI_ATTR void hook_DestroyInstance(VkInstance handle, const VkAllocationCallbacks *allocator)
{
    if (!handle)
        return;
    struct instance *instance = instance_of(handle);
    pthread_mutex_lock(&list_lock);
    struct instance **link = &instances;
    while (*link != instance)
        link = &(*link)->next_instance;
    *link = instance->next_instance;
    pthread_mutex_unlock(&list_lock);
    instance->next.DestroyInstance(handle, allocator);
    instance_free(instance);
}

/* ---- Device ---- */

static VkLayerDeviceCreateInfo *device_link(const VkDeviceCreateInfo *info)
{
    VkBaseInStructure *structure = (VkBaseInStructure *)(uintptr_t)info->pNext;
    while (structure && (structure->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                         ((VkLayerDeviceCreateInfo *)structure)->function != VK_LAYER_LINK_INFO))
        structure = (VkBaseInStructure *)(uintptr_t)structure->pNext;
    return (VkLayerDeviceCreateInfo *)structure;
}

static bool hidden_features(struct instance *instance, uint32_t structure, const void *data)
{
    const char *name = profile_hidden_feature_in(instance->profile, structure, data);
    if (name)
        violation(instance, LIMITED_DRIVER_FEATURE, name, "vkCreateDevice", "enabled in %s",
                  registry_structures[structure].name);
    return name != NULL;
}

/* What a driver without these things answers. */
static VkResult judge_device(struct instance *instance, const VkDeviceCreateInfo *info)
{
    VkResult result = VK_SUCCESS;
    if (info->pEnabledFeatures && hidden_features(instance, REGISTRY_FEATURES, info->pEnabledFeatures))
        result = VK_ERROR_FEATURE_NOT_PRESENT;
    for (const VkBaseInStructure *next = info->pNext; next; next = next->pNext) {
        uint32_t structure = profile_structure(next->sType);
        const void *data = next;
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
            structure = REGISTRY_FEATURES;
            data = &((const VkPhysicalDeviceFeatures2 *)next)->features;
        }
        if (structure != UINT32_MAX && hidden_features(instance, structure, data))
            result = VK_ERROR_FEATURE_NOT_PRESENT;
    }
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        const char *name = info->ppEnabledExtensionNames[i];
        if (profile_hides_extension(instance->profile, name)) {
            violation(instance, LIMITED_DRIVER_EXTENSION, name, "vkCreateDevice", "enabled");
            result = VK_ERROR_EXTENSION_NOT_PRESENT;
        }
    }
    return result;
}

static void fill_device(struct device *device, PFN_vkGetDeviceProcAddr get)
{
#define FILL_DEVICE(name) device->next.name = (PFN_vk##name)get(device->handle, "vk" #name);
#define FILL_DEVICE_ALIAS(alias, name)                                                                                 \
    if (!device->next.name)                                                                                            \
        device->next.name = (PFN_vk##name)get(device->handle, "vk" #alias);
    DEVICE_HOOKS(FILL_DEVICE, FILL_DEVICE_ALIAS)
    device->next.GetDeviceProcAddr = get;

#define SET_LIMIT(name)                                                                                                \
    device->limits[ENFORCED_##name].set = profile_limit(device->profile, #name, &device->limits[ENFORCED_##name].value);
    ENFORCED_LIMITS(SET_LIMIT)
#define SET_FEATURE(name) device->hidden[ENFORCED_##name] = profile_hides_feature(device->profile, #name);
    ENFORCED_FEATURES(SET_FEATURE)
    /* The extension without its feature is enough below Vulkan 1.2, and as good as the feature above. */
    if (!profile_hides_extension(device->profile, VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME))
        device->hidden[ENFORCED_samplerMirrorClampToEdge] = false;
}

VKAPI_ATTR VkResult hook_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                      const VkAllocationCallbacks *allocator, VkDevice *result)
{
    struct instance *instance = instance_of(physical);
    VkLayerDeviceCreateInfo *link = device_link(info);
    if (!link || !link->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    VkResult judged = judge_device(instance, info);
    if (judged != VK_SUCCESS)
        return judged;
    PFN_vkGetInstanceProcAddr get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)get_instance(instance->handle, "vkCreateDevice");
    struct device *device = create ? calloc(1, sizeof(*device)) : NULL;
    if (!device)
        return create ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult created = create(physical, info, allocator, result);
    if (created != VK_SUCCESS) {
        free(device);
        return created;
    }
    device->handle = *result;
    device->instance = instance;
    device->physical = physical;
    device->profile = instance->profile;
    pthread_mutex_init(&device->lock, NULL);
    fill_device(device, get);
    pthread_mutex_lock(&list_lock);
    device->next_device = devices;
    devices = device;
    pthread_mutex_unlock(&list_lock);
    return VK_SUCCESS;
}

VKAPI_ATTR void hook_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator)
{
    if (!handle)
        return;
    struct device *device = device_of(handle);
    pthread_mutex_lock(&list_lock);
    struct device **link = &devices;
    while (*link != device)
        link = &(*link)->next_device;
    *link = device->next_device;
    pthread_mutex_unlock(&list_lock);
    device->next.DestroyDevice(handle, allocator);
    object_clear(&device->objects);
    pthread_mutex_destroy(&device->lock);
    free(device);
}

/* ---- Look-up ---- */

static VKAPI_ATTR uint32_t VKAPI_CALL get_violations(VkDevice device, uint32_t capacity,
                                                     struct limited_driver_violation *violations)
{
    return violations_read(&device_of(device)->instance->violations, capacity, violations);
}

static VKAPI_ATTR uint32_t VKAPI_CALL get_physical_violations(VkPhysicalDevice physical, uint32_t capacity,
                                                              struct limited_driver_violation *violations)
{
    return violations_read(&instance_of(physical)->violations, capacity, violations);
}

#define COMPARE(name)                                                                                                  \
    if (!strcmp(command, "vk" #name))                                                                                  \
        return (PFN_vkVoidFunction)hook_##name;
#define COMPARE_ALIAS(alias, name)                                                                                     \
    if (!strcmp(command, "vk" #alias))                                                                                 \
        return (PFN_vkVoidFunction)hook_##name;

static PFN_vkVoidFunction instance_hook(const char *command)
{
    INSTANCE_HOOKS(COMPARE, COMPARE_ALIAS)
    return NULL;
}

static PFN_vkVoidFunction device_hook(const char *command)
{
    DEVICE_HOOKS(COMPARE, COMPARE_ALIAS)
    if (!strcmp(command, "vkGetViolationsLIMITED"))
        return (PFN_vkVoidFunction)get_violations;
    return NULL;
}

VKAPI_ATTR PFN_vkVoidFunction hook_GetDeviceProcAddr(VkDevice handle, const char *command)
{
    struct device *device = device_of(handle);
    if (!strcmp(command, "vkGetViolationsLIMITED"))
        return device_hook(command);
    if (profile_hides_command(device->profile, command))
        return NULL;
    PFN_vkVoidFunction below = device->next.GetDeviceProcAddr(handle, command);
    PFN_vkVoidFunction hook = below ? device_hook(command) : NULL;
    return hook ? hook : below;
}

VKAPI_ATTR PFN_vkVoidFunction hook_GetInstanceProcAddr(VkInstance handle, const char *command)
{
    if (!handle)
        return !strcmp(command, "vkCreateInstance") || !strcmp(command, "vkGetInstanceProcAddr")
                   ? instance_hook(command)
                   : NULL;
    struct instance *instance = instance_of(handle);
    if (!strcmp(command, "vkGetViolationsLIMITED"))
        return device_hook(command);
    if (!strcmp(command, "vkGetPhysicalDeviceViolationsLIMITED"))
        return (PFN_vkVoidFunction)get_physical_violations;
    PFN_vkVoidFunction hook = instance_hook(command);
    if (!hook)
        hook = device_hook(command);
    if (!instance)
        return hook;
    PFN_vkVoidFunction below = instance->next.GetInstanceProcAddr(handle, command);
    return below && hook ? hook : below;
}

/* The loader asks here for commands that it does not know and that take a physical device. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_physical_device_proc(VkInstance handle, const char *command)
{
    if (!strcmp(command, "vkGetPhysicalDeviceViolationsLIMITED"))
        return (PFN_vkVoidFunction)get_physical_violations;
    struct instance *instance = handle ? instance_of(handle) : NULL;
    PFN_vkVoidFunction below = instance && instance->next_physical ? instance->next_physical(handle, command) : NULL;
    PFN_vkVoidFunction hook = below ? instance_hook(command) : NULL;
    return hook ? hook : below;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    if (!interface || interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
        interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (interface->loaderLayerInterfaceVersion > 2)
        interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = hook_GetInstanceProcAddr;
    interface->pfnGetDeviceProcAddr = hook_GetDeviceProcAddr;
    interface->pfnGetPhysicalDeviceProcAddr = get_physical_device_proc;
    return VK_SUCCESS;
}
