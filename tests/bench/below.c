/* SPDX-License-Identifier: MIT */
/* See below.h. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "bench/below.h"
#include "newer_vulkan.h"
#include "harness/device/test_layer.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- Instances and devices, by the loader's dispatch table that their handles point to ---- */

enum { ENTRIES = 64 };

struct entry {
    const void *key; /* NULL: free */
    /* What lies below; looked up at creation, since the loader answers later look-ups with the top of its chain. */
    PFN_vkGetInstanceProcAddr instance_proc;
    PFN_vkDestroyInstance destroy_instance;
    PFN_vkGetDeviceProcAddr device_proc;
    PFN_vkDestroyDevice destroy_device;
    PFN_vkCreateGraphicsPipelines create_graphics;
    PFN_vkCreateComputePipelines create_compute;
    bool null; /* draws, binds and writes return at once */
};

static struct entry entries[ENTRIES];
static pthread_mutex_t entries_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(uint64_t) pipelines;

static struct entry entry_of(const void *handle)
{
    struct entry found = {0};
    pthread_mutex_lock(&entries_lock);
    for (size_t i = 0; i < ENTRIES; i++)
        if (entries[i].key == *(const void *const *)handle)
            found = entries[i];
    pthread_mutex_unlock(&entries_lock);
    return found;
}

static bool entry_add(struct entry entry)
{
    bool added = false;
    pthread_mutex_lock(&entries_lock);
    for (size_t i = 0; i < ENTRIES && !added; i++) {
        if (!entries[i].key) {
            entries[i] = entry;
            added = true;
        }
    }
    pthread_mutex_unlock(&entries_lock);
    return added;
}

static void entry_remove(const void *key)
{
    pthread_mutex_lock(&entries_lock);
    for (size_t i = 0; i < ENTRIES; i++)
        if (entries[i].key == key)
            entries[i] = (struct entry){0};
    pthread_mutex_unlock(&entries_lock);
}

/* ---- Instance ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator, VkInstance *instance)
{
    PFN_vkGetInstanceProcAddr next;
    PFN_vkCreateInstance create;
    if (!layer_next_instance(info, &next, &create))
        return VK_ERROR_INITIALIZATION_FAILED;
    VkResult result = create(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    struct entry entry = {
        .key = *(void **)*instance,
        .instance_proc = next,
        .destroy_instance = (PFN_vkDestroyInstance)next(*instance, "vkDestroyInstance"),
    };
    if (!entry_add(entry)) {
        entry.destroy_instance(*instance, allocator);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance, const VkAllocationCallbacks *allocator)
{
    if (!instance)
        return;
    struct entry entry = entry_of(instance);
    entry_remove(entry.key);
    entry.destroy_instance(instance, allocator);
}

/* ---- Device ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_graphics(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                      const VkGraphicsPipelineCreateInfo *infos,
                                                      const VkAllocationCallbacks *allocator, VkPipeline *created)
{
    atomic_fetch_add_explicit(&pipelines, count, memory_order_relaxed);
    return entry_of(device).create_graphics(device, cache, count, infos, allocator, created);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_compute(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                     const VkComputePipelineCreateInfo *infos,
                                                     const VkAllocationCallbacks *allocator, VkPipeline *created)
{
    atomic_fetch_add_explicit(&pipelines, count, memory_order_relaxed);
    return entry_of(device).create_compute(device, cache, count, infos, allocator, created);
}

static VKAPI_ATTR uint64_t VKAPI_CALL pipeline_count(void)
{
    return atomic_load_explicit(&pipelines, memory_order_relaxed);
}

static VKAPI_ATTR void VKAPI_CALL null_draw(VkCommandBuffer commands, uint32_t vertices, uint32_t instances,
                                            uint32_t first_vertex, uint32_t first_instance)
{
    (void)commands, (void)vertices, (void)instances, (void)first_vertex, (void)first_instance;
}

static VKAPI_ATTR void VKAPI_CALL null_bind(VkCommandBuffer commands, VkPipelineBindPoint point,
                                            VkPipelineLayout layout, uint32_t first, uint32_t count,
                                            const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets)
{
    (void)commands, (void)point, (void)layout, (void)first, (void)count, (void)sets, (void)offset_count, (void)offsets;
}

static VKAPI_ATTR void VKAPI_CALL null_bind_pipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                                     VkPipeline pipeline)
{
    (void)commands, (void)point, (void)pipeline;
}

static VKAPI_ATTR void VKAPI_CALL null_bind_shaders(VkCommandBuffer commands, uint32_t count,
                                                    const VkShaderStageFlagBits *stages, const VkShaderEXT *shaders)
{
    (void)commands, (void)count, (void)stages, (void)shaders;
}

static VKAPI_ATTR void VKAPI_CALL null_update(VkDevice device, uint32_t write_count, const VkWriteDescriptorSet *writes,
                                              uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    (void)device, (void)write_count, (void)writes, (void)copy_count, (void)copies;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator, VkDevice *device)
{
    PFN_vkGetDeviceProcAddr next;
    PFN_vkCreateDevice create;
    if (!layer_next_device(info, VK_NULL_HANDLE, &next, &create))
        return VK_ERROR_INITIALIZATION_FAILED;
    VkResult result = create(physical, info, allocator, device);
    if (result != VK_SUCCESS)
        return result;
    struct entry entry = {
        .key = *(void **)*device,
        .device_proc = next,
        .destroy_device = (PFN_vkDestroyDevice)next(*device, "vkDestroyDevice"),
        .create_graphics = (PFN_vkCreateGraphicsPipelines)next(*device, "vkCreateGraphicsPipelines"),
        .create_compute = (PFN_vkCreateComputePipelines)next(*device, "vkCreateComputePipelines"),
        .null = getenv(BENCH_BELOW_NULL) != NULL,
    };
    if (!entry_add(entry)) {
        entry.destroy_device(*device, allocator);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks *allocator)
{
    if (!device)
        return;
    struct entry entry = entry_of(device);
    entry_remove(entry.key);
    entry.destroy_device(device, allocator);
}

/* ---- Look-up ---- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char *name);

static const struct layer_command device_hooks[] = {
    LAYER_COMMAND("vkGetDeviceProcAddr", get_device_proc),
    LAYER_COMMAND("vkDestroyDevice", destroy_device),
    LAYER_COMMAND("vkCreateGraphicsPipelines", create_graphics),
    LAYER_COMMAND("vkCreateComputePipelines", create_compute),
    LAYER_COMMAND(BENCH_BELOW_PIPELINES, pipeline_count),
};
static const struct layer_command null_hooks[] = {
    LAYER_COMMAND("vkCmdDraw", null_draw),
    LAYER_COMMAND("vkCmdBindDescriptorSets", null_bind),
    LAYER_COMMAND("vkCmdBindPipeline", null_bind_pipeline),
    LAYER_COMMAND("vkCmdBindShadersEXT", null_bind_shaders),
    LAYER_COMMAND("vkUpdateDescriptorSets", null_update),
};
static const struct layer_command instance_hooks[] = {
    LAYER_COMMAND("vkGetInstanceProcAddr", get_instance_proc),
    LAYER_COMMAND("vkCreateInstance", create_instance),
    LAYER_COMMAND("vkDestroyInstance", destroy_instance),
    LAYER_COMMAND("vkCreateDevice", create_device),
};

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name)
{
    struct entry entry = entry_of(device);
    PFN_vkVoidFunction found = LAYER_COMMAND_FIND(device_hooks, name);
    if (!found && entry.null)
        found = LAYER_COMMAND_FIND(null_hooks, name);
    if (!found && entry.device_proc)
        found = entry.device_proc(device, name);
    return found;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction found = LAYER_COMMAND_FIND(instance_hooks, name);
    if (!found)
        found = LAYER_COMMAND_FIND(device_hooks, name);
    if (found || !instance)
        return found;
    struct entry entry = entry_of(instance);
    return entry.instance_proc ? entry.instance_proc(instance, name) : NULL;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiate);

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiate)
{
    return layer_negotiate(negotiate, get_instance_proc, get_device_proc, NULL);
}
