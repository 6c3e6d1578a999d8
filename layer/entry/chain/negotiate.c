/* SPDX-License-Identifier: MIT */
/* The layer's interface with the loader, and look-up of entry points by name. */
#include <string.h>

#include "chain/chain.h"
#include "chain/entry_points.h"
#include "counters.h"
#include "device/device.h"
#include "device/instance.h"
#include "platform/platform.h"
#include "track/lifecycle.h"
#include "vulkan_commands.h"
#include "vulkan_wanted.h"

struct hook {
    const char *name;
    size_t length; /* compared first: most names differ there */
    PFN_vkVoidFunction function;
};

#define HOOK_AS(alias, name) {"vk" #alias, sizeof("vk" #alias) - 1, (PFN_vkVoidFunction)hook_##name},
#define HOOK(name) HOOK_AS(name, name)
#define HOOKS(name) HOOK(name) ALIASES_##name(HOOK_AS)

static const struct hook instance_hooks[] = {INSTANCE_HOOKS(HOOK)};
static const struct hook device_hooks[] = {DEVICE_HOOKS(HOOK)};

#define GROUP(LIST, CONDITION) static const struct hook hooks_of_##LIST[] = {LIST(HOOKS)};
HOOK_GROUPS(GROUP)
#undef GROUP

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static PFN_vkVoidFunction find_hook(const struct hook *hooks, size_t count, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < count; i++) {
        if (hooks[i].length == length && !memcmp(hooks[i].name, name, length))
            return hooks[i].function;
    }
    return NULL;
}

static VKAPI_ATTR void VKAPI_CALL get_counters(VkDevice handle, struct clampler_counters *counters)
{
    track_counters(device_of(handle)->track, counters);
}

static VKAPI_ATTR VkResult VKAPI_CALL get_pair_reason(VkDevice handle, VkSampler sampler, VkImageView view, char *text,
                                                      size_t size)
{
    return track_pair_reason(device_of(handle)->track, sampler, view, text, size);
}

/* The layer's own function for a command on this device, or NULL. */
static PFN_vkVoidFunction hook_of(const struct device *device, const char *name)
{
    PFN_vkVoidFunction ours = find_hook(device_hooks, COUNT(device_hooks), name);
#define GROUP(LIST, CONDITION)                                                                                         \
    if (!ours && (CONDITION))                                                                                          \
        ours = find_hook(hooks_of_##LIST, COUNT(hooks_of_##LIST), name);
    HOOK_GROUPS(GROUP)
#undef GROUP
    return ours;
}

/* Commands of extensions that only the layer has enabled are NULL for the program ("vkGetDeviceProcAddr"). */
static bool is_the_layers_alone(const struct device *device, const char *name)
{
    for (size_t i = 0; device->caps.added_extensions && i < WANTED_COMMANDS; i++) {
        const struct wanted_command *command = &wanted_commands[i];
        if (!strcmp(command->name, name))
            return (command->wanted & ~device->caps.added_extensions) == 0 &&
                   (command->others & device->caps.other_extensions) == 0;
    }
    return false;
}

static bool is_offered(const struct device *device, const char *name)
{
    return device->caps.border_indices && find_hook(hooks_of_OFFERED_HOOKS, COUNT(hooks_of_OFFERED_HOOKS), name);
}

/* The command exists for the program. */
static bool exists(const struct device *device, const char *name, PFN_vkVoidFunction for_driver)
{
    return (for_driver && !is_the_layers_alone(device, name)) || is_offered(device, name);
}

static uint32_t count_hooks(const struct device *device, const struct hook *hooks, size_t count)
{
    uint32_t counted = 0;
    for (size_t i = 0; i < count; i++)
        counted += exists(device, hooks[i].name, device->next.GetDeviceProcAddr(device->handle, hooks[i].name));
    return counted;
}

uint32_t hooked_entry_points(const struct device *device)
{
    uint32_t count = COUNT(device_hooks);
#define GROUP(LIST, CONDITION)                                                                                         \
    if (CONDITION)                                                                                                     \
        count += count_hooks(device, hooks_of_##LIST, COUNT(hooks_of_##LIST));
    HOOK_GROUPS(GROUP)
#undef GROUP
    return count;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_GetDeviceProcAddr(VkDevice device, const char *pName)
{
    struct device *known = device ? device_of(device) : NULL;
    if (!known || !pName)
        return NULL;
    const PFN_vkVoidFunction for_driver = known->next.GetDeviceProcAddr(device, pName);
    const PFN_vkVoidFunction ours = hook_of(known, pName);
    if ((for_driver || ours) && !exists(known, pName, for_driver))
        return NULL;
    if (ours)
        return ours;
    if (known->active && !strcmp(pName, CLAMPLER_GET_COUNTERS))
        return (PFN_vkVoidFunction)get_counters;
    if (known->active && !strcmp(pName, CLAMPLER_GET_PAIR_REASON))
        return (PFN_vkVoidFunction)get_pair_reason;
    return for_driver;
}

/*
 * Of commands of devices only DEVICE_HOOKs are hooked here, and vkSetDebugUtilsObject{Name,Tag}EXT: the loader gets
 * the others from vkGetDeviceProcAddr, which knows the device.
 */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_GetInstanceProcAddr(VkInstance instance, const char *pName)
{
    if (!pName)
        return NULL;
    PFN_vkVoidFunction ours = find_hook(instance_hooks, COUNT(instance_hooks), pName);
    if (!ours)
        ours = find_hook(device_hooks, COUNT(device_hooks), pName);
    /* Without an instance, or with one that the loader has not finished yet, the next layer is unknown. */
    struct instance *known = instance ? instance_of(instance) : NULL;
    if (!known && !strcmp(pName, "vkEnumerateInstanceVersion"))
        return (PFN_vkVoidFunction)hook_EnumerateInstanceVersion;
    if (!known)
        return ours;
    /* Of an instance's extension: the loader fills its tables of devices by this function, not by the devices' own. */
    if (!ours && !strcmp(pName, "vkSetDebugUtilsObjectNameEXT"))
        ours = (PFN_vkVoidFunction)hook_SetDebugUtilsObjectNameEXT;
    if (!ours && !strcmp(pName, "vkSetDebugUtilsObjectTagEXT"))
        ours = (PFN_vkVoidFunction)hook_SetDebugUtilsObjectTagEXT;
    const PFN_vkVoidFunction for_driver = known->next.GetInstanceProcAddr(instance, pName);
    return for_driver && ours ? ours : for_driver;
}

/* Only for commands of physical devices that the loader itself does not know. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_physical_device_proc_addr(VkInstance instance, const char *pName)
{
    struct instance *known = instance ? instance_of(instance) : NULL;
    if (!known || !pName || !known->next_physical_device_proc_addr)
        return NULL;
    const PFN_vkVoidFunction for_driver = known->next_physical_device_proc_addr(instance, pName);
    const PFN_vkVoidFunction ours = find_hook(instance_hooks, COUNT(instance_hooks), pName);
    return for_driver && ours ? ours : for_driver;
}

EXPORTED_LAYER VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *pVersionStruct)
{
    if (!pVersionStruct || pVersionStruct->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (pVersionStruct->loaderLayerInterfaceVersion > CURRENT_LOADER_LAYER_INTERFACE_VERSION)
        pVersionStruct->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
    if (pVersionStruct->loaderLayerInterfaceVersion >= 2) {
        pVersionStruct->pfnGetInstanceProcAddr = hook_GetInstanceProcAddr;
        pVersionStruct->pfnGetDeviceProcAddr = hook_GetDeviceProcAddr;
        pVersionStruct->pfnGetPhysicalDeviceProcAddr = get_physical_device_proc_addr;
    }
    return VK_SUCCESS;
}
