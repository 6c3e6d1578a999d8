/* SPDX-License-Identifier: MIT */
/*
 * Binaries of shader objects. The driver's binary of the plain shader is all that there would be without the layer, but
 * no tier could be made from it. So what the program gets has the SPIR-V behind it. Programs keep binaries on disk by
 * shaderBinaryUUID, which is another one under the layer (layer/queries/limits.c).
 */
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "modules/shader_module.h"
#include "objects/track.h"
#include "shader_objects/shader_objects.h"

/* In front of the driver's binary, which must be aligned to 16 bytes (VUID-VkShaderCreateInfoEXT-pCode-08492). */
struct container {
    char magic[16];
    uint64_t binary_size; /* bytes; then the SPIR-V, from the next multiple of 4 */
    uint64_t word_count;
};
_Static_assert(sizeof(struct container) % 16 == 0, "the driver's binary stays aligned");

static const char magic[16] = "CLAMPLER " CLAMPLER_VERSION;

static size_t words_at(size_t binary_size)
{
    return sizeof(struct container) + ((binary_size + 3) & ~(size_t)3);
}

VkResult shader_binary_open(struct track *track, VkShaderCreateInfoEXT *info, struct shader_module **module)
{
    struct container head;
    if (info->codeSize < sizeof(head))
        return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
    memcpy(&head, info->pCode, sizeof(head));
    const size_t room = info->codeSize - sizeof(head);
    if (memcmp(head.magic, magic, sizeof(magic)) != 0 || head.binary_size > room ||
        head.word_count > room / sizeof(uint32_t) ||
        words_at(head.binary_size) + head.word_count * sizeof(uint32_t) > info->codeSize)
        return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
    const unsigned char *bytes = info->pCode;
    *module =
        module_create(track, (const uint32_t *)(const void *)(bytes + words_at(head.binary_size)), head.word_count);
    info->pCode = bytes + sizeof(head);
    info->codeSize = head.binary_size;
    return *module ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult write_binary(struct device *device, const struct shader_object *object, size_t *size, void *data)
{
    const size_t room = *size;
    size_t binary_size = 0;
    VkResult result = device->next.GetShaderBinaryDataEXT(device->handle, object->handle, &binary_size, NULL);
    const size_t whole = words_at(binary_size) + object->module->word_count * sizeof(uint32_t);
    if (result != VK_SUCCESS || !data || room < whole) {
        *size = data && result == VK_SUCCESS ? 0 : whole;
        return result == VK_SUCCESS && data ? VK_INCOMPLETE : result;
    }
    struct container head = {.binary_size = binary_size, .word_count = object->module->word_count};
    memcpy(head.magic, magic, sizeof(magic));
    memcpy(data, &head, sizeof(head));
    result = device->next.GetShaderBinaryDataEXT(device->handle, object->handle, &binary_size,
                                                 (unsigned char *)data + sizeof(head));
    memcpy((unsigned char *)data + words_at(head.binary_size), object->module->words,
           object->module->word_count * sizeof(uint32_t));
    *size = whole;
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_GetShaderBinaryDataEXT(VkDevice handle, VkShaderEXT shader, size_t *pDataSize,
                                                           void *pData)
{
    struct device *device = device_of(handle);
    const struct shader_object *object = shader_object_find(device->track, shader);
    return object ? write_binary(device, object, pDataSize, pData)
                  : device->next.GetShaderBinaryDataEXT(handle, shader, pDataSize, pData);
}
