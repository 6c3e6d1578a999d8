/* SPDX-License-Identifier: MIT */
/* Shader objects: no pipeline that could be exchanged, so their tier is fixed. */
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "layouts/pipeline_layout.h"
#include "modules/shader_module.h"
#include "objects/track.h"
#include "pipelines/tiers.h"

static VkResult rewrite_object(struct track *track, VkShaderCreateInfoEXT *info, uint32_t **words)
{
    *words = NULL;
    if (info->codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT)
        return VK_SUCCESS; /* a binary comes from a shader that was rewritten when it was made */
    struct pipeline_layout *layout = pipeline_layout_create(track);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (layout && pipeline_layout_fill(track, info->setLayoutCount, info->pSetLayouts, layout)) {
        result = VK_SUCCESS;
        struct shader_module *module =
            layout->records ? module_create(track, info->pCode, info->codeSize / sizeof(uint32_t)) : NULL;
        size_t word_count;
        if (layout->records)
            result = module ? module_at_tier(track, module, layout, fixed_tier(track), words, &word_count)
                            : VK_ERROR_OUT_OF_HOST_MEMORY;
        if (module && module_takes_halves(module, layout))
            atomic_store(&track->halves, true);
        if (*words) {
            info->pCode = *words;
            info->codeSize = word_count * sizeof(uint32_t);
        }
        module_unref(track, module);
    }
    pipeline_layout_unref(track, layout);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateShadersEXT(VkDevice handle, uint32_t createInfoCount,
                                                     const VkShaderCreateInfoEXT *pCreateInfos,
                                                     const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders)
{
    struct device *device = device_of(handle);
    VkShaderCreateInfoEXT *infos = calloc(createInfoCount, sizeof(*infos));
    uint32_t **words = calloc(createInfoCount, sizeof(*words));
    VkResult result = infos && words ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    memset(pShaders, 0, createInfoCount * sizeof(*pShaders)); /* as for pipelines */
    for (uint32_t i = 0; i < createInfoCount && result == VK_SUCCESS; i++) {
        infos[i] = pCreateInfos[i];
        result = rewrite_object(device->track, &infos[i], &words[i]);
    }
    if (result == VK_SUCCESS)
        result = device->next.CreateShadersEXT(handle, createInfoCount, infos, pAllocator, pShaders);
    for (uint32_t i = 0; words && i < createInfoCount; i++)
        free(words[i]);
    free(words);
    free(infos);
    return result;
}
