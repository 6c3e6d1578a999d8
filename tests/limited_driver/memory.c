/* SPDX-License-Identifier: MIT */
/*
 * Device memory. With the rule `window BYTES` what the host sees of the GPU's own memory is a small window, as on GPUs
 * without a resizable BAR: the driver's types that the host sees are of the system, and one more type, the last, is of
 * a heap of so many bytes, near the GPU and seen by the host. Behind both is the same memory of the driver's.
 */
#include <string.h>

#include "layer.h"

/* The window as the device has it. */
struct window {
    uint32_t type, heap; /* the added ones */
    uint32_t below;      /* the driver's type that serves it */
    VkDeviceSize bytes;
    uint32_t seen; /* the driver's types that could serve it: bits */
};

enum { SEEN = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT };

/* What the driver's memory becomes. False: there is no window. */
static bool window_add(const struct instance *instance, VkPhysicalDeviceMemoryProperties *memory, struct window *window)
{
    *window = (struct window){
        .type = memory->memoryTypeCount, .heap = memory->memoryHeapCount, .bytes = profile_window(instance->profile)};
    if (!window->bytes || window->type == VK_MAX_MEMORY_TYPES || window->heap == VK_MAX_MEMORY_HEAPS)
        return false;
    VkMemoryHeapFlags local[VK_MAX_MEMORY_HEAPS] = {0};
    for (uint32_t i = window->type; i-- > 0;) {
        VkMemoryType *type = &memory->memoryTypes[i];
        if ((type->propertyFlags & SEEN) == SEEN) {
            window->seen |= 1u << i;
            window->below = i;
        }
        if (type->propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
            type->propertyFlags &= ~(VkFlags)VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        if (type->propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
            local[type->heapIndex] = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
    }
    for (uint32_t i = 0; i < memory->memoryHeapCount; i++)
        memory->memoryHeaps[i].flags &= ~(VkFlags)VK_MEMORY_HEAP_DEVICE_LOCAL_BIT | local[i];
    memory->memoryTypes[memory->memoryTypeCount++] =
        (VkMemoryType){SEEN | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, window->heap};
    memory->memoryHeaps[memory->memoryHeapCount++] = (VkMemoryHeap){window->bytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    return window->seen != 0;
}

static bool window_of(const struct device *device, struct window *window)
{
    VkPhysicalDeviceMemoryProperties memory;
    device->instance->next.GetPhysicalDeviceMemoryProperties(device->physical, &memory);
    return window_add(device->instance, &memory, window);
}

VKAPI_ATTR void hook_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice physical,
                                                       VkPhysicalDeviceMemoryProperties *properties)
{
    struct instance *instance = instance_of(physical);
    struct window window;
    instance->next.GetPhysicalDeviceMemoryProperties(physical, properties);
    VkPhysicalDeviceMemoryProperties reduced = *properties;
    if (window_add(instance, &reduced, &window))
        *properties = reduced;
}

VKAPI_ATTR void hook_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physical,
                                                        VkPhysicalDeviceMemoryProperties2 *properties)
{
    struct instance *instance = instance_of(physical);
    struct window window;
    instance->next.GetPhysicalDeviceMemoryProperties2(physical, properties);
    VkPhysicalDeviceMemoryProperties reduced = properties->memoryProperties;
    if (!window_add(instance, &reduced, &window))
        return;
    properties->memoryProperties = reduced;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget =
        (void *)(uintptr_t)chained(properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
    if (budget) {
        budget->heapBudget[window.heap] = window.bytes;
        budget->heapUsage[window.heap] = atomic_load(&instance->window_used);
    }
}

/* ---- Allocations ---- */

/* Takes bytes of the window. False: they are not there. */
static bool window_take(struct instance *instance, const struct window *window, VkDeviceSize bytes)
{
    uint64_t used = atomic_load(&instance->window_used);
    do {
        if (bytes > window->bytes || used > window->bytes - bytes)
            return false;
    } while (!atomic_compare_exchange_weak(&instance->window_used, &used, used + bytes));
    return true;
}

VKAPI_ATTR VkResult hook_AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                        const VkAllocationCallbacks *allocator, VkDeviceMemory *memory)
{
    struct device *device = device_of(handle);
    struct window window;
    VkMemoryAllocateInfo below = *info;
    const bool inside = window_of(device, &window) && info->memoryTypeIndex == window.type;
    if (inside && !window_take(device->instance, &window, info->allocationSize))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (inside)
        below.memoryTypeIndex = window.below;
    VkResult result = device->next.AllocateMemory(handle, &below, allocator, memory);
    if (result != VK_SUCCESS && inside)
        atomic_fetch_sub(&device->instance->window_used, info->allocationSize);
    if (result == VK_SUCCESS) {
        bool known;
        pthread_mutex_lock(&device->lock);
        use_limit(device, ENFORCED_maxMemoryAllocationCount, ++device->memory_count, "vkAllocateMemory");
        struct object *object =
            inside ? object_add(&device->objects, VK_OBJECT_TYPE_DEVICE_MEMORY, HANDLE(*memory), &known) : NULL;
        if (object)
            object->window_bytes = info->allocationSize;
        pthread_mutex_unlock(&device->lock);
    }
    return result;
}

VKAPI_ATTR void hook_FreeMemory(VkDevice handle, VkDeviceMemory memory, const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    if (memory) {
        pthread_mutex_lock(&device->lock);
        const struct object *object = object_find(&device->objects, VK_OBJECT_TYPE_DEVICE_MEMORY, HANDLE(memory));
        if (object)
            atomic_fetch_sub(&device->instance->window_used, object->window_bytes);
        object_remove(&device->objects, VK_OBJECT_TYPE_DEVICE_MEMORY, HANDLE(memory));
        device->memory_count--;
        pthread_mutex_unlock(&device->lock);
    }
    device->next.FreeMemory(handle, memory, allocator);
}

/* ---- Requirements: what the driver's types allow, the window allows ---- */

static void add_window(const struct device *device, VkMemoryRequirements *requirements)
{
    struct window window;
    if (window_of(device, &window) && (requirements->memoryTypeBits & window.seen))
        requirements->memoryTypeBits |= 1u << window.type;
}

VKAPI_ATTR void hook_GetBufferMemoryRequirements(VkDevice handle, VkBuffer buffer, VkMemoryRequirements *requirements)
{
    struct device *device = device_of(handle);
    device->next.GetBufferMemoryRequirements(handle, buffer, requirements);
    add_window(device, requirements);
}

VKAPI_ATTR void hook_GetImageMemoryRequirements(VkDevice handle, VkImage image, VkMemoryRequirements *requirements)
{
    struct device *device = device_of(handle);
    device->next.GetImageMemoryRequirements(handle, image, requirements);
    add_window(device, requirements);
}

VKAPI_ATTR void hook_GetBufferMemoryRequirements2(VkDevice handle, const VkBufferMemoryRequirementsInfo2 *info,
                                                  VkMemoryRequirements2 *requirements)
{
    struct device *device = device_of(handle);
    device->next.GetBufferMemoryRequirements2(handle, info, requirements);
    add_window(device, &requirements->memoryRequirements);
}

VKAPI_ATTR void hook_GetImageMemoryRequirements2(VkDevice handle, const VkImageMemoryRequirementsInfo2 *info,
                                                 VkMemoryRequirements2 *requirements)
{
    struct device *device = device_of(handle);
    device->next.GetImageMemoryRequirements2(handle, info, requirements);
    add_window(device, &requirements->memoryRequirements);
}

VKAPI_ATTR void hook_GetDeviceBufferMemoryRequirements(VkDevice handle, const VkDeviceBufferMemoryRequirements *info,
                                                       VkMemoryRequirements2 *requirements)
{
    struct device *device = device_of(handle);
    device->next.GetDeviceBufferMemoryRequirements(handle, info, requirements);
    add_window(device, &requirements->memoryRequirements);
}

VKAPI_ATTR void hook_GetDeviceImageMemoryRequirements(VkDevice handle, const VkDeviceImageMemoryRequirements *info,
                                                      VkMemoryRequirements2 *requirements)
{
    struct device *device = device_of(handle);
    device->next.GetDeviceImageMemoryRequirements(handle, info, requirements);
    add_window(device, &requirements->memoryRequirements);
}
