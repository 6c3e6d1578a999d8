/* SPDX-License-Identifier: MIT */
/*
 * Binaries of shader objects. The driver's binary of the plain shader is all that there would be without the layer, but
 * no tier could be made from it. So what the program gets has the SPIR-V behind it. Programs keep binaries on disk by
 * shaderBinaryUUID, which is another one under the layer (layer/queries/limits.c).
 */
#include "device/device.h"
#include "modules/packed_code.h"
#include "modules/shader_module.h"
#include "objects/track.h"
#include "shader_objects/shader_objects.h"

VkResult shader_binary_open(struct track *track, VkShaderCreateInfoEXT *info, struct shader_module **module)
{
    struct packed packed;
    struct packed_stage stage;
    if (!packed_open(info->pCode, info->codeSize, &packed) || packed.stage_count != 1)
        return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
    if (!packed_next(track, &packed, &stage))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!stage.module)
        return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
    *module = stage.module;
    info->pCode = packed.payload;
    info->codeSize = packed.payload_size;
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
    return device->next.GetShaderBinaryDataEXT(device->handle, object->handle, &binary_size,
                                               packed_write(data, binary_size, &stage, 1));
}

VKAPI_ATTR VkResult VKAPI_CALL hook_GetShaderBinaryDataEXT(VkDevice handle, VkShaderEXT shader, size_t *pDataSize,
                                                           void *pData)
{
    struct device *device = device_of(handle);
    const struct shader_object *object = shader_object_find(device->track, shader);
    return object && object->packs ? write_binary(device, object, pDataSize, pData)
                                   : device->next.GetShaderBinaryDataEXT(handle, shader, pDataSize, pData);
}
