/* SPDX-License-Identifier: MIT */
/*
 * The layer below Clampler, nearest the driver: each call of a device goes through failures_below.c, which makes chosen
 * ones fail and notes what is made and destroyed. Here is its place in the chain.
 */
#include "failures/below.h"
#include "harness/device/test_layer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

enum { DEVICES = 32, INSTANCES = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct below_device {
    _Atomic(const void *) key; /* NULL: free */
    VkDevice handle;
    struct device_dispatch next;
};
static struct below_device devices[DEVICES];

struct below_instance {
    _Atomic(const void *) key;
    VkInstance handle;
    PFN_vkGetInstanceProcAddr get;
    PFN_vkDestroyInstance destroy;
    PFN_vkEnumerateDeviceExtensionProperties extensions;
    PFN_vkCreateDebugUtilsMessengerEXT messenger;
};
static struct below_instance instances[INSTANCES];

static const void *key_of(const void *dispatchable)
{
    return *(const void *const *)dispatchable;
}

static struct below_device *device_of(const void *dispatchable)
{
    for (unsigned i = 0; i < DEVICES; i++)
        if (atomic_load(&devices[i].key) == key_of(dispatchable))
            return &devices[i];
    abort();
}

static struct below_instance *instance_of(const void *dispatchable)
{
    for (unsigned i = 0; i < INSTANCES; i++)
        if (atomic_load(&instances[i].key) == key_of(dispatchable))
            return &instances[i];
    return NULL;
}

struct device_dispatch *next_of(const void *dispatchable)
{
    return &device_of(dispatchable)->next;
}

/* No address, so that no driver has such a handle. */
static const uint64_t FAKE = 0xfa4e000000000000u;

void fake_handle(void *output, size_t size)
{
    static _Atomic uint64_t made;
    const uint64_t handle = FAKE + atomic_fetch_add(&made, 64) + 64;
    memcpy(output, &handle, size);
}

bool is_fake(uint64_t handle)
{
    return (handle & FAKE) == FAKE;
}

VkResult fake_images(uint32_t *count, VkImage *images)
{
    *count = images && *count < 2 ? *count : 2;
    for (uint32_t i = 0; images && i < *count; i++)
        fake_handle(&images[i], sizeof(images[i]));
    return VK_SUCCESS;
}

/* ---- Devices ---- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name);

static VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks *callbacks)
{
    if (!device)
        return;
    struct below_device *below = device_of(device);
    failures_device_gone(device);
    failures_object_gone(KIND_VkDevice, (uint64_t)(uintptr_t)device, callbacks);
    atomic_store(&below->key, NULL);
    failures_driver(1);
    below->next.DestroyDevice(device, callbacks);
    failures_driver(-1);
}

static PFN_vkVoidFunction own_command(const char *name, bool *hooked, size_t *offset)
{
    for (size_t i = 0; i < below_command_count; i++) {
        if (!strcmp(below_commands[i].name, name)) {
            *hooked = below_commands[i].hooked;
            *offset = below_commands[i].offset;
            return below_commands[i].function;
        }
    }
    return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name)
{
    struct below_device *below = device_of(device);
    bool hooked = false;
    size_t offset = 0;
    if (!strcmp(name, "vkDestroyDevice"))
        return (PFN_vkVoidFunction)destroy_device;
    if (!strcmp(name, "vkGetDeviceProcAddr"))
        return (PFN_vkVoidFunction)get_device_proc;
    const PFN_vkVoidFunction own = own_command(name, &hooked, &offset);
    const PFN_vkVoidFunction next = below->next.GetDeviceProcAddr(device, name);
    return own && (next || (hooked && failures_promises())) ? own : next;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks, VkDevice *device)
{
    struct below_instance *instance = instance_of(physical);
    PFN_vkGetDeviceProcAddr get;
    PFN_vkCreateDevice create;
    if (!instance || !layer_next_device(info, instance->handle, &get, &create))
        return VK_ERROR_INITIALIZATION_FAILED;
    VkResult result;
    if (failures_call("vkCreateDevice", 7, &result))
        return result;
    failures_driver(1);
    result = create(physical, info, callbacks, device);
    failures_driver(-1);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    struct below_device *below = NULL;
    for (unsigned i = 0; i < DEVICES && !below; i++)
        if (!atomic_load(&devices[i].key))
            below = &devices[i];
    if (!below)
        abort();
    below->handle = *device;
    device_dispatch_load(&below->next, *device, get);
    atomic_store(&below->key, key_of(*device));
    pthread_mutex_unlock(&lock);
    failures_object_made(KIND_VkDevice, (uint64_t)(uintptr_t)*device, 0, NULL, callbacks);
    return VK_SUCCESS;
}

/* ---- Instances ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *callbacks, VkInstance *instance)
{
    PFN_vkGetInstanceProcAddr get;
    PFN_vkCreateInstance create;
    if (!layer_next_instance(info, &get, &create))
        return VK_ERROR_INITIALIZATION_FAILED;
    VkResult result;
    if (failures_call("vkCreateInstance", 3, &result))
        return result;
    failures_driver(1);
    result = create(info, callbacks, instance);
    failures_driver(-1);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    struct below_instance *below = NULL;
    for (unsigned i = 0; i < INSTANCES && !below; i++)
        if (!atomic_load(&instances[i].key))
            below = &instances[i];
    if (!below)
        abort();
    *below = (struct below_instance){
        .handle = *instance,
        .get = get,
        .destroy = (PFN_vkDestroyInstance)get(*instance, "vkDestroyInstance"),
        .extensions = (PFN_vkEnumerateDeviceExtensionProperties)get(*instance, "vkEnumerateDeviceExtensionProperties"),
        .messenger = (PFN_vkCreateDebugUtilsMessengerEXT)get(*instance, "vkCreateDebugUtilsMessengerEXT")};
    atomic_store(&below->key, key_of(*instance));
    pthread_mutex_unlock(&lock);
    failures_object_made(KIND_VkInstance, (uint64_t)(uintptr_t)*instance, 0, NULL, callbacks);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance, const VkAllocationCallbacks *callbacks)
{
    struct below_instance *below = instance ? instance_of(instance) : NULL;
    if (!below)
        return;
    failures_object_gone(KIND_VkInstance, (uint64_t)(uintptr_t)instance, callbacks);
    const PFN_vkDestroyInstance destroy = below->destroy;
    atomic_store(&below->key, NULL);
    failures_driver(1);
    destroy(instance, callbacks);
    failures_driver(-1);
}

static VKAPI_ATTR VkResult VKAPI_CALL list_extensions(VkPhysicalDevice physical, const char *layer, uint32_t *count,
                                                      VkExtensionProperties *properties)
{
    VkResult result;
    if (layer && !strcmp(layer, FAILURES_LAYER)) {
        *count = 0;
        return VK_SUCCESS;
    }
    if (failures_call("vkEnumerateDeviceExtensionProperties", 3, &result))
        return result;
    failures_driver(1);
    result = instance_of(physical)->extensions(physical, layer, count, properties);
    failures_driver(-1);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_messenger(VkInstance instance,
                                                       const VkDebugUtilsMessengerCreateInfoEXT *info,
                                                       const VkAllocationCallbacks *callbacks,
                                                       VkDebugUtilsMessengerEXT *messenger)
{
    VkResult result;
    if (failures_call("vkCreateDebugUtilsMessengerEXT", 1, &result)) {
        failures_spoil(messenger, sizeof(*messenger));
        return result;
    }
    failures_driver(1);
    result = instance_of(instance)->messenger(instance, info, callbacks, messenger);
    failures_driver(-1);
    return result;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char *name)
{
    static const struct layer_command commands[] = {
        LAYER_COMMAND("vkGetInstanceProcAddr", get_instance_proc),
        LAYER_COMMAND("vkCreateInstance", create_instance),
        LAYER_COMMAND("vkDestroyInstance", destroy_instance),
        LAYER_COMMAND("vkCreateDevice", create_device),
        LAYER_COMMAND("vkGetDeviceProcAddr", get_device_proc),
        LAYER_COMMAND("vkEnumerateDeviceExtensionProperties", list_extensions),
        LAYER_COMMAND("vkCreateDebugUtilsMessengerEXT", create_messenger),
    };
    struct below_instance *below = instance ? instance_of(instance) : NULL;
    const PFN_vkVoidFunction own = LAYER_COMMAND_FIND(commands, name);
    const PFN_vkVoidFunction next = below ? below->get(instance, name) : NULL;
    return own && (next || !below) ? own : next;
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiate)
{
    return layer_negotiate(negotiate, get_instance_proc, get_device_proc, NULL);
}
