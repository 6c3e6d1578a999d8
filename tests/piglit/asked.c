/* SPDX-License-Identifier: MIT */
/*
 * A layer for scripts/suites/piglit, above everything else: what a program asked Vulkan for. At the end of the process
 * it adds a line to the file CLAMPLER_ASKED_FILE, `libraries N linked N whole N shaders N borders N sets N bytes N`:
 * graphics pipelines that are libraries, those that are linked from libraries and all others, shader objects, samplers
 * with a border colour of their own, descriptor sets that are bound, and descriptors that are got as bytes.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "newer_vulkan.h"
#include "harness/device/one_device_layer.h"

static PFN_vkCreateGraphicsPipelines next_pipelines;
static PFN_vkCreateShadersEXT next_shaders;
static PFN_vkCreateSampler next_sampler;
static PFN_vkCmdBindDescriptorSets next_bind;
static PFN_vkGetDescriptorEXT next_descriptor;
static atomic_uint devices, libraries, linked, whole, shaders, borders, sets, bytes;

static bool has_libraries(const VkGraphicsPipelineCreateInfo *info)
{
    const VkBaseInStructure *next = info->pNext;
    while (next && next->sType != VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR)
        next = next->pNext;
    return next && ((const VkPipelineLibraryCreateInfoKHR *)next)->libraryCount;
}

static VKAPI_ATTR VkResult VKAPI_CALL asked_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
                                                                    uint32_t count,
                                                                    const VkGraphicsPipelineCreateInfo *infos,
                                                                    const VkAllocationCallbacks *callbacks,
                                                                    VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++) {
        const bool library = infos[i].flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
        atomic_fetch_add(library ? &libraries : has_libraries(&infos[i]) ? &linked : &whole, 1);
    }
    return next_pipelines(device, cache, count, infos, callbacks, pipelines);
}

static VKAPI_ATTR VkResult VKAPI_CALL asked_CreateShadersEXT(VkDevice device, uint32_t count,
                                                             const VkShaderCreateInfoEXT *infos,
                                                             const VkAllocationCallbacks *callbacks,
                                                             VkShaderEXT *objects)
{
    atomic_fetch_add(&shaders, count);
    return next_shaders(device, count, infos, callbacks, objects);
}

static VKAPI_ATTR VkResult VKAPI_CALL asked_CreateSampler(VkDevice device, const VkSamplerCreateInfo *info,
                                                          const VkAllocationCallbacks *callbacks, VkSampler *sampler)
{
    const bool own =
        info->borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || info->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
    atomic_fetch_add(&borders, own);
    return next_sampler(device, info, callbacks, sampler);
}

static VKAPI_ATTR void VKAPI_CALL asked_CmdBindDescriptorSets(VkCommandBuffer command, VkPipelineBindPoint point,
                                                              VkPipelineLayout layout, uint32_t first, uint32_t count,
                                                              const VkDescriptorSet *bound, uint32_t offset_count,
                                                              const uint32_t *offsets)
{
    atomic_fetch_add(&sets, count);
    next_bind(command, point, layout, first, count, bound, offset_count, offsets);
}

static VKAPI_ATTR void VKAPI_CALL asked_GetDescriptorEXT(VkDevice device, const VkDescriptorGetInfoEXT *info,
                                                         size_t size, void *descriptor)
{
    atomic_fetch_add(&bytes, 1);
    next_descriptor(device, info, size, descriptor);
}

static VKAPI_ATTR VkResult VKAPI_CALL asked_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                         const VkAllocationCallbacks *callbacks, VkDevice *device)
{
    const VkResult result = layer_create_device(physical, info, info, callbacks, device);
    if (result != VK_SUCCESS)
        return result;
    next_pipelines = (PFN_vkCreateGraphicsPipelines)next_device_proc(*device, "vkCreateGraphicsPipelines");
    next_shaders = (PFN_vkCreateShadersEXT)next_device_proc(*device, "vkCreateShadersEXT");
    next_sampler = (PFN_vkCreateSampler)next_device_proc(*device, "vkCreateSampler");
    next_bind = (PFN_vkCmdBindDescriptorSets)next_device_proc(*device, "vkCmdBindDescriptorSets");
    next_descriptor = (PFN_vkGetDescriptorEXT)next_device_proc(*device, "vkGetDescriptorEXT");
    atomic_fetch_add(&devices, 1);
    return VK_SUCCESS;
}

__attribute__((destructor)) static void write_line(void)
{
    const char *path = getenv("CLAMPLER_ASKED_FILE");
    FILE *file = path && atomic_load(&devices) ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "libraries %u linked %u whole %u shaders %u borders %u sets %u bytes %u\n", atomic_load(&libraries),
            atomic_load(&linked), atomic_load(&whole), atomic_load(&shaders), atomic_load(&borders), atomic_load(&sets),
            atomic_load(&bytes));
    fclose(file);
}

static PFN_vkVoidFunction find(const char *name)
{
    static const struct layer_command commands[] = {
        LAYER_COMMAND("vkCreateInstance", layer_create_instance),
        LAYER_LOOK_UP(layer_GetDeviceProcAddr),
        LAYER_COMMAND("vkCreateDevice", asked_CreateDevice),
        LAYER_COMMAND("vkCreateGraphicsPipelines", asked_CreateGraphicsPipelines),
        LAYER_COMMAND("vkCreateShadersEXT", asked_CreateShadersEXT),
        LAYER_COMMAND("vkCreateSampler", asked_CreateSampler),
        LAYER_COMMAND("vkCmdBindDescriptorSets", asked_CmdBindDescriptorSets),
        LAYER_COMMAND("vkGetDescriptorEXT", asked_GetDescriptorEXT),
    };
    return LAYER_COMMAND_FIND(commands, name);
}

LAYER_EXPORTS(layer_GetDeviceProcAddr)
