/* SPDX-License-Identifier: MIT */
/* The hooks of pipeline binaries: made, named, written and read. */
#include "pipelines/pipeline_binary.h"

#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/structure_chain.h"
#include "hash.h"
#include "modules/code_key.h"
#include "modules/packed_code.h"
#include "modules/shader_module.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/pipelines.h"
#include "pipelines/tiers.h"

/* ---- Code ---- */

struct binary_code *binary_code_create(struct track *track, uint32_t count,
                                       const VkPipelineShaderStageCreateInfo *stages,
                                       struct shader_module *const *modules)
{
    struct binary_code *code = object_alloc(track, NULL, sizeof(*code) + count * sizeof(code->stages[0]));
    if (!code)
        return NULL;
    atomic_init(&code->references, 1);
    code->count = count;
    for (uint32_t i = 0; i < count; i++)
        code->stages[i] = (struct packed_stage){stages[i].stage, module_ref(modules[i])};
    return code;
}

struct binary_code *binary_code_ref(struct binary_code *code)
{
    if (code)
        reference_add(&code->references);
    return code;
}

void binary_code_unref(struct track *track, struct binary_code *code)
{
    if (!code || !reference_drop(&code->references))
        return;
    for (uint32_t i = 0; i < code->count; i++)
        module_unref(track, code->stages[i].module);
    object_free(track, NULL, code, sizeof(*code) + code->count * sizeof(code->stages[0]));
}

bool binary_code_chained(struct track *track, const void *chain, const struct binary_code **code)
{
    const VkPipelineBinaryInfoKHR *info = pnext_find(chain, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
    *code = NULL;
    for (uint32_t i = 0; info && i < info->binaryCount && !*code; i++)
        *code = table_find(&track->pipelines->binaries, HANDLE_KEY(info->pPipelineBinaries[i]));
    if (*code && !(*code)->count)
        *code = NULL;
    return info && info->binaryCount;
}

/* ---- Keys ---- */

static uint64_t hash_of_binary(const struct track *track, const struct binary_code *code)
{
    uint64_t hash = code_key(track);
    for (uint32_t i = 0; code && i < code->count; i++) {
        const struct shader_module *module = code->stages[i].module;
        const uint64_t content = module ? module->hash : 0;
        const uint32_t words[] = {(uint32_t)code->stages[i].stage, (uint32_t)content, (uint32_t)(content >> 32)};
        hash = hash_words(hash, words, sizeof(words) / sizeof(words[0]));
    }
    return hash;
}

/* Makes a key of the layer's own from the driver's. Different keys stay different. */
static void change_key(uint64_t hash, VkPipelineBinaryKeyKHR *key)
{
    for (uint32_t i = 0; i < key->keySize && i < VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR; i++) {
        hash = hash_words(hash, &i, 1);
        key->key[i] ^= (uint8_t)(hash >> 56);
    }
}

VKAPI_ATTR VkResult VKAPI_CALL hook_GetPipelineKeyKHR(VkDevice handle,
                                                      const VkPipelineCreateInfoKHR *pPipelineCreateInfo,
                                                      VkPipelineBinaryKeyKHR *pPipelineKey)
{
    struct device *device = device_of(handle);
    const VkResult result = device->next.GetPipelineKeyKHR(handle, pPipelineCreateInfo, pPipelineKey);
    if (result == VK_SUCCESS)
        change_key(code_key(device->track), pPipelineKey);
    return result;
}

/* ---- Data: in the payload, the driver's key is in front of the driver's data ---- */

struct driver_key {
    uint32_t size;
    uint32_t unused[3];
    uint8_t key[VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR];
};
_Static_assert(sizeof(struct driver_key) % 16 == 0, "the driver's data stay aligned");

VKAPI_ATTR VkResult VKAPI_CALL hook_GetPipelineBinaryDataKHR(VkDevice handle, const VkPipelineBinaryDataInfoKHR *pInfo,
                                                             VkPipelineBinaryKeyKHR *pPipelineBinaryKey,
                                                             size_t *pPipelineBinaryDataSize, void *pPipelineBinaryData)
{
    struct device *device = device_of(handle);
    const struct binary_code *code = table_find(&device->track->pipelines->binaries, HANDLE_KEY(pInfo->pipelineBinary));
    const size_t room = *pPipelineBinaryDataSize;
    size_t size = 0;
    VkResult result = device->next.GetPipelineBinaryDataKHR(handle, pInfo, pPipelineBinaryKey, &size, NULL);
    if (result != VK_SUCCESS)
        return result;
    struct driver_key key = {.size = pPipelineBinaryKey->keySize};
    memcpy(key.key, pPipelineBinaryKey->key, sizeof(key.key));
    const uint32_t stage_count = code ? code->count : 0;
    const struct packed_stage *stages = code ? code->stages : NULL;
    *pPipelineBinaryDataSize = packed_size(sizeof(key) + size, stages, stage_count);
    if (pPipelineBinaryData && room < *pPipelineBinaryDataSize)
        result = VK_ERROR_NOT_ENOUGH_SPACE_KHR;
    if (pPipelineBinaryData && result == VK_SUCCESS) {
        unsigned char *payload =
            packed_write(device->track, false, pPipelineBinaryData, sizeof(key) + size, stages, stage_count);
        memcpy(payload, &key, sizeof(key));
        result = device->next.GetPipelineBinaryDataKHR(handle, pInfo, pPipelineBinaryKey, &size, payload + sizeof(key));
    }
    change_key(hash_of_binary(device->track, code), pPipelineBinaryKey);
    return result;
}

/* ---- Making ---- */

/* The driver's keys and data, and the code behind each. */
struct unpacked {
    VkPipelineBinaryKeyKHR *keys;
    VkPipelineBinaryDataKHR *data;
    struct binary_code **codes;
    uint32_t count;
};

static void unpacked_close(struct track *track, struct unpacked *unpacked)
{
    for (uint32_t i = 0; unpacked->codes && i < unpacked->count; i++)
        binary_code_unref(track, unpacked->codes[i]);
    free(unpacked->keys);
    free(unpacked->data);
    free(unpacked->codes);
}

static VkResult unpack(struct track *track, const VkPipelineBinaryDataKHR *data, VkPipelineBinaryKeyKHR *key,
                       VkPipelineBinaryDataKHR *driver_data, struct binary_code **code)
{
    struct packed packed;
    struct driver_key driver_key;
    if (!packed_open(track, data->pData, data->dataSize, &packed) || !packed.same_code ||
        packed.payload_size < sizeof(driver_key))
        return VK_PIPELINE_BINARY_MISSING_KHR;
    memcpy(&driver_key, packed.payload, sizeof(driver_key));
    if (driver_key.size > sizeof(driver_key.key))
        return VK_PIPELINE_BINARY_MISSING_KHR;
    key->keySize = driver_key.size;
    memcpy(key->key, driver_key.key, sizeof(driver_key.key));
    driver_data->dataSize = packed.payload_size - sizeof(driver_key);
    driver_data->pData = (void *)(uintptr_t)(packed.payload + sizeof(driver_key));
    *code = object_alloc(track, NULL, sizeof(**code) + packed.stage_count * sizeof((*code)->stages[0]));
    if (!*code)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&(*code)->references, 1);
    (*code)->count = packed.stage_count;
    for (uint32_t i = 0; i < packed.stage_count; i++) {
        if (!packed_next(track, &packed, &(*code)->stages[i]))
            return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    return VK_SUCCESS;
}

/* VK_PIPELINE_BINARY_MISSING_KHR: some of them are not of this layer. */
static VkResult unpack_all(struct track *track, const VkPipelineBinaryKeysAndDataKHR *all, struct unpacked *unpacked)
{
    unpacked->count = all->binaryCount;
    unpacked->keys = calloc(all->binaryCount + 1, sizeof(*unpacked->keys));
    unpacked->data = calloc(all->binaryCount + 1, sizeof(*unpacked->data));
    unpacked->codes = calloc(all->binaryCount + 1, sizeof(*unpacked->codes));
    VkResult result = unpacked->keys && unpacked->data && unpacked->codes ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < all->binaryCount && result == VK_SUCCESS; i++) {
        unpacked->keys[i] = all->pPipelineBinaryKeys[i];
        result =
            unpack(track, &all->pPipelineBinaryData[i], &unpacked->keys[i], &unpacked->data[i], &unpacked->codes[i]);
    }
    return result;
}

/* Gives binaries of the driver's their code; `codes` NULL: that of the pipeline. */
static VkResult adopt_all(struct track *track, struct binary_code *const *codes, struct binary_code *of_pipeline,
                          const VkPipelineBinaryHandlesInfoKHR *binaries)
{
    for (uint32_t i = 0; binaries->pPipelineBinaries && i < binaries->pipelineBinaryCount; i++) {
        struct binary_code *code = codes ? codes[i] : of_pipeline;
        const VkPipelineBinaryKHR handle = binaries->pPipelineBinaries[i];
        if (!handle || !code)
            continue;
        if (!table_insert(&track->pipelines->binaries, HANDLE_KEY(handle), binary_code_ref(code))) {
            binary_code_unref(track, code);
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    return VK_SUCCESS;
}

static void destroy_all(struct device *device, const VkAllocationCallbacks *callbacks,
                        VkPipelineBinaryHandlesInfoKHR *binaries)
{
    for (uint32_t i = 0; binaries->pPipelineBinaries && i < binaries->pipelineBinaryCount; i++) {
        hook_DestroyPipelineBinaryKHR(device->handle, binaries->pPipelineBinaries[i], callbacks);
        binaries->pPipelineBinaries[i] = VK_NULL_HANDLE;
    }
}

static VkResult create_binaries(struct device *device, const VkPipelineBinaryCreateInfoKHR *info,
                                const VkAllocationCallbacks *callbacks, struct unpacked *unpacked,
                                VkPipelineBinaryHandlesInfoKHR *binaries)
{
    struct track *track = device->track;
    VkPipelineBinaryCreateInfoKHR for_driver = *info;
    VkPipelineBinaryKeysAndDataKHR all;
    VkResult result = VK_SUCCESS;
    if (info->pKeysAndDataInfo) {
        result = unpack_all(track, info->pKeysAndDataInfo, unpacked);
        all = (VkPipelineBinaryKeysAndDataKHR){unpacked->count, unpacked->keys, unpacked->data};
        for_driver.pKeysAndDataInfo = &all;
    } else if (info->pPipelineCreateInfo) {
        result =
            VK_PIPELINE_BINARY_MISSING_KHR; /* the driver's cache contains only pipelines with the layer's layouts */
    }
    if (result != VK_SUCCESS)
        return result;
    result = device->next.CreatePipelineBinariesKHR(device->handle, &for_driver, callbacks, binaries);
    if (result < 0 || result == VK_PIPELINE_BINARY_MISSING_KHR)
        return result;
    const struct pipeline *pipeline = info->pipeline ? pipeline_find(track, info->pipeline) : NULL;
    const VkResult adopted = adopt_all(track, unpacked->codes, pipeline ? pipeline->code : NULL, binaries);
    if (adopted != VK_SUCCESS)
        destroy_all(device, callbacks, binaries);
    return adopted == VK_SUCCESS ? result : adopted;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreatePipelineBinariesKHR(VkDevice handle,
                                                              const VkPipelineBinaryCreateInfoKHR *pCreateInfo,
                                                              const VkAllocationCallbacks *pAllocator,
                                                              VkPipelineBinaryHandlesInfoKHR *pBinaries)
{
    struct device *device = device_of(handle);
    struct unpacked unpacked = {.count = 0};
    /* A failed call may not write all handles, and an old value must not be taken for a binary. */
    if (pBinaries->pPipelineBinaries)
        memset(pBinaries->pPipelineBinaries, 0, pBinaries->pipelineBinaryCount * sizeof(*pBinaries->pPipelineBinaries));
    const VkResult result = create_binaries(device, pCreateInfo, pAllocator, &unpacked, pBinaries);
    unpacked_close(device->track, &unpacked);
    return result;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyPipelineBinaryKHR(VkDevice handle, VkPipelineBinaryKHR pipelineBinary,
                                                         const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    binary_code_unref(device->track, table_remove(&device->track->pipelines->binaries, HANDLE_KEY(pipelineBinary)));
    device->next.DestroyPipelineBinaryKHR(handle, pipelineBinary, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_ReleaseCapturedPipelineDataKHR(VkDevice handle,
                                                                   const VkReleaseCapturedPipelineDataInfoKHR *pInfo,
                                                                   const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct pipeline *pipeline = pipeline_find(device->track, pInfo->pipeline);
    if (pipeline) {
        binary_code_unref(device->track, pipeline->code);
        pipeline->code = NULL;
    }
    return device->next.ReleaseCapturedPipelineDataKHR(handle, pInfo, pAllocator);
}
