/* SPDX-License-Identifier: MIT */
/* Compute pipelines, and the memory of those that generated commands bind by address. */
#include "creation/creation.h"
#include "device/device.h"
#include "layouts/pipeline_layout.h"
#include "objects/track.h"
#include "pipelines/pipelines.h"
#include "pipelines/tiers.h"

static VkResult open_compute(struct track *track, void *for_driver, struct creation *creation)
{
    VkComputePipelineCreateInfo *info = for_driver;
    VkResult result =
        creation_open(track, pipeline_layout_find(track, info->layout), info, 1, &info->stage, false, creation);
    if (result != VK_SUCCESS || !creation->pipeline)
        return result;
    struct pipeline *pipeline = creation->pipeline;
    if (creation->flags & (creation_unexchangeable | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR))
        pipeline->fixed = true;
    if (!pipeline->fixed)
        result = saved_info_compute(track, info, &creation->stages, creation->layout, &pipeline->saved_info);
    const VkPipelineShaderStageCreateInfo *stage = &info->stage;
    result = creation_finish(track, creation, result, &stage);
    if (stage != &info->stage)
        info->stage = *stage;
    return result;
}

static VkResult create_compute(const struct creation_call *call, const void *infos)
{
    return call->device->next.CreateComputePipelines(call->device->handle, call->cache, call->count, infos,
                                                     call->callbacks, call->pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateComputePipelines(VkDevice handle, VkPipelineCache pipelineCache,
                                                           uint32_t createInfoCount,
                                                           const VkComputePipelineCreateInfo *pCreateInfos,
                                                           const VkAllocationCallbacks *pAllocator,
                                                           VkPipeline *pPipelines)
{
    static const struct creation_kind kind = {sizeof(*pCreateInfos), open_compute, create_compute};
    return creation_run(&kind, &(struct creation_call){device_of(handle), pipelineCache, createInfoCount, pCreateInfos,
                                                       pAllocator, pPipelines});
}

/* The requirements of a pipeline that is created later, with the code that it will have. */
VKAPI_ATTR void VKAPI_CALL hook_GetPipelineIndirectMemoryRequirementsNV(VkDevice handle,
                                                                        const VkComputePipelineCreateInfo *pCreateInfo,
                                                                        VkMemoryRequirements2 *pMemoryRequirements)
{
    struct device *device = device_of(handle);
    VkComputePipelineCreateInfo info = *pCreateInfo;
    struct creation creation = {0};
    if (open_compute(device->track, &info, &creation) != VK_SUCCESS)
        info = *pCreateInfo;
    device->next.GetPipelineIndirectMemoryRequirementsNV(handle, &info, pMemoryRequirements);
    creation_close(device->track, &creation);
}
