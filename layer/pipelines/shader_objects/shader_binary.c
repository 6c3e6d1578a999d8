/* SPDX-License-Identifier: MIT */
/*
 * Binaries of shader objects. The driver's binary has the passthrough shader, from which no tier could be made. So the
 * program's binary also has the SPIR-V. Programs keep binaries on disk by shaderBinaryUUID, which differs under the
 * layer (layer/entry/queries/limits.c). All devices with the same UUID accept a binary, whatever their features: if
 * their sets are laid out differently, the shader is compiled from the SPIR-V (specification, section "Binary Shader
 * Compatibility").
 */
#include "device/device.h"
#include "modules/packed_code.h"
#include "modules/shader_module.h"
#include "objects/track.h"
#include "shader_objects/shader_objects.h"

void shader_code_of_module(const struct shader_module *module, VkShaderCreateInfoEXT *info)
{
    info->codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
    info->pCode = module->words;
    info->codeSize = module->word_count * sizeof(uint32_t);
}

VkResult shader_binary_open(struct track *track, VkShaderCreateInfoEXT *info, bool rooted,
                            struct shader_module **module)
{
    struct packed packed;
    struct packed_stage stage;
    *module = NULL;
    if (!packed_open(track, info->pCode, info->codeSize, &packed) || packed.stage_count != 1)
        return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
    if (!packed_next(track, &packed, &stage))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!stage.module || stage.stage != info->stage) {
        module_unref(track, stage.module);
        return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
    }
    *module = stage.module;
    if (packed.same_code && packed.rooted == rooted) {
        info->pCode = packed.payload;
        info->codeSize = packed.payload_size;
    } else {
        shader_code_of_module(stage.module, info);
    }
    return VK_SUCCESS;
}

static VkResult write_binary(struct device *device, const struct shader_object *object, size_t *size, void *data)
{
    const struct packed_stage stage = {object->info.stage, object->module};
    const size_t room = *size;
    size_t binary_size = 0;
    VkResult result = device->next.GetShaderBinaryDataEXT(device->handle, object->handle, &binary_size, NULL);
    const size_t whole = packed_size(binary_size, &stage, 1);
    if (result != VK_SUCCESS || !data || room < whole) {
        *size = data && result == VK_SUCCESS ? 0 : whole;
        return result == VK_SUCCESS && data ? VK_INCOMPLETE : result;
    }
    *size = whole;
    return device->next.GetShaderBinaryDataEXT(
        device->handle, object->handle, &binary_size,
        packed_write(device->track, object->rooted, data, binary_size, &stage, 1));
}

VKAPI_ATTR VkResult VKAPI_CALL hook_GetShaderBinaryDataEXT(VkDevice handle, VkShaderEXT shader, size_t *pDataSize,
                                                           void *pData)
{
    struct device *device = device_of(handle);
    const struct shader_object *object = shader_object_find(device->track, shader);
    return object ? write_binary(device, object, pDataSize, pData)
                  : device->next.GetShaderBinaryDataEXT(handle, shader, pDataSize, pData);
}
