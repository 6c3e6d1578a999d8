/* SPDX-License-Identifier: MIT */
/* Ray tracing pipelines: the GPU picks shaders itself, so the tier is fixed. */
#include "creation/creation.h"
#include "device/device.h"
#include "layouts/pipeline_layout.h"
#include "objects/track.h"
#include "spirv/spirv.h"

/* `*stages` is replaced where the pipeline gets other code than the program's. */
static VkResult open_rays(struct track *track, VkPipelineLayout layout, const void *info, uint32_t stage_count,
                          const VkPipelineShaderStageCreateInfo **stages, bool libraries, struct creation *creation)
{
    VkResult result =
        creation_open(track, pipeline_layout_find(track, layout), info, stage_count, *stages, false, creation);
    if (result != VK_SUCCESS || !creation->pipeline)
        return result;
    if (libraries) {
        creation->pipeline->follows = UINT32_MAX;
        creation->pipeline->pairing.splits = atomic_load(&track->split);
        spirv_pairing_unknown(&creation->pipeline->pairing);
    }
    creation->pipeline->fixed = true;
    return creation_finish(track, creation, VK_SUCCESS, stages);
}

static VkResult open_rays_khr(struct track *track, void *for_driver, struct creation *creation)
{
    VkRayTracingPipelineCreateInfoKHR *info = for_driver;
    const bool libraries = info->pLibraryInfo && info->pLibraryInfo->libraryCount > 0;
    return open_rays(track, info->layout, info, info->stageCount, &info->pStages, libraries, creation);
}

static VkResult create_rays_khr(const struct creation_call *call, const void *infos)
{
    return call->device->next.CreateRayTracingPipelinesKHR(call->device->handle, VK_NULL_HANDLE, call->cache,
                                                           call->count, infos, call->callbacks, call->pipelines);
}

/*
 * Never deferred: the rewritten modules live only during this call. The specification lets an implementation do so and
 * return VK_OPERATION_NOT_DEFERRED_KHR.
 */
VKAPI_ATTR VkResult VKAPI_CALL hook_CreateRayTracingPipelinesKHR(
    VkDevice handle, VkDeferredOperationKHR deferredOperation, VkPipelineCache pipelineCache, uint32_t createInfoCount,
    const VkRayTracingPipelineCreateInfoKHR *pCreateInfos, const VkAllocationCallbacks *pAllocator,
    VkPipeline *pPipelines)
{
    static const struct creation_kind kind = {sizeof(*pCreateInfos), open_rays_khr, create_rays_khr};
    const VkResult result =
        creation_run(&kind, &(struct creation_call){device_of(handle), pipelineCache, createInfoCount, pCreateInfos,
                                                    pAllocator, pPipelines});
    return result == VK_SUCCESS && deferredOperation ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}

static VkResult open_rays_nv(struct track *track, void *for_driver, struct creation *creation)
{
    VkRayTracingPipelineCreateInfoNV *info = for_driver;
    return open_rays(track, info->layout, info, info->stageCount, &info->pStages, false, creation);
}

static VkResult create_rays_nv(const struct creation_call *call, const void *infos)
{
    return call->device->next.CreateRayTracingPipelinesNV(call->device->handle, call->cache, call->count, infos,
                                                          call->callbacks, call->pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateRayTracingPipelinesNV(VkDevice handle, VkPipelineCache pipelineCache,
                                                                uint32_t createInfoCount,
                                                                const VkRayTracingPipelineCreateInfoNV *pCreateInfos,
                                                                const VkAllocationCallbacks *pAllocator,
                                                                VkPipeline *pPipelines)
{
    static const struct creation_kind kind = {sizeof(*pCreateInfos), open_rays_nv, create_rays_nv};
    return creation_run(&kind, &(struct creation_call){device_of(handle), pipelineCache, createInfoCount, pCreateInfos,
                                                       pAllocator, pPipelines});
}
