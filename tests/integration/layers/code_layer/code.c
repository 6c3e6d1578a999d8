/* SPDX-License-Identifier: MIT */
#include "code.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "newer_vulkan.h"
#include "harness/device/one_device_layer.h"

LAYER_EXPORT struct code_control code_control;

#define INSTANCE_COMMANDS(ENTRY)                                                                                       \
    ENTRY(EnumerateDeviceExtensionProperties)                                                                          \
    ENTRY(GetPhysicalDeviceFeatures2)
#define DEVICE_COMMANDS(ENTRY)                                                                                         \
    ENTRY(CreateShaderModule)                                                                                          \
    ENTRY(DestroyShaderModule)                                                                                         \
    ENTRY(CreateGraphicsPipelines)                                                                                     \
    ENTRY(CreateComputePipelines)
/* Answered where the driver has them. */
#define OPTIONAL_COMMANDS(ENTRY)                                                                                       \
    ENTRY(CreateShadersEXT)                                                                                            \
    ENTRY(CreateIndirectExecutionSetEXT)                                                                               \
    ENTRY(CreateIndirectCommandsLayoutEXT)
#define OWN_COMMANDS(ENTRY)                                                                                            \
    ENTRY(GetShaderModuleIdentifierEXT)                                                                                \
    ENTRY(GetShaderModuleCreateInfoIdentifierEXT)                                                                      \
    ENTRY(CreatePipelineBinariesKHR)                                                                                   \
    ENTRY(DestroyPipelineBinaryKHR)                                                                                    \
    ENTRY(GetPipelineKeyKHR)                                                                                           \
    ENTRY(GetPipelineBinaryDataKHR)                                                                                    \
    ENTRY(ReleaseCapturedPipelineDataKHR)                                                                              \
    ENTRY(CreateInstance)                                                                                              \
    ENTRY(CreateDevice)
INSTANCE_COMMANDS(NEXT_DECLARE)
DEVICE_COMMANDS(NEXT_DECLARE)
OPTIONAL_COMMANDS(NEXT_DECLARE)

static const void *find_structure(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *next = chain;
    while (next && next->sType != type)
        next = next->pNext;
    return next;
}

/* ---- Code, by its identifier ---- */

struct code {
    struct code *next;
    uint64_t hash;
    bool compiled;
    size_t size; /* bytes */
    uint32_t words[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct code *all_code; /* as long as the process lives */

static struct module {
    VkShaderModule handle;
    struct code *code;
} * modules;
static size_t module_count;

static struct code *code_by_hash(uint64_t hash)
{
    struct code *code = all_code;
    while (code && code->hash != hash)
        code = code->next;
    return code;
}

/* The caller holds the lock. */
static struct code *code_of(const VkShaderModuleCreateInfo *info)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < info->codeSize; i++)
        hash = (hash ^ ((const uint8_t *)info->pCode)[i]) * UINT64_C(0x100000001b3);
    struct code *code = code_by_hash(hash);
    if (code)
        return code;
    code = calloc(1, sizeof(*code) + info->codeSize);
    if (!code)
        abort();
    code->hash = hash;
    code->size = info->codeSize;
    memcpy(code->words, info->pCode, info->codeSize);
    code->next = all_code;
    all_code = code;
    return code;
}

static struct module *module_of(VkShaderModule handle)
{
    for (size_t i = 0; i < module_count; i++) {
        if (modules[i].handle == handle)
            return &modules[i];
    }
    return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                              const VkAllocationCallbacks *allocator,
                                                              VkShaderModule *module)
{
    VkResult result = NEXT(CreateShaderModule)(device, info, allocator, module);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    struct module *slot = module_of(VK_NULL_HANDLE);
    if (!slot) {
        modules = realloc(modules, (module_count + 1) * sizeof(*modules));
        slot = &modules[module_count++];
    }
    *slot = (struct module){*module, code_of(info)};
    pthread_mutex_unlock(&lock);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL code_DestroyShaderModule(VkDevice device, VkShaderModule handle,
                                                           const VkAllocationCallbacks *allocator)
{
    pthread_mutex_lock(&lock);
    struct module *module = handle ? module_of(handle) : NULL;
    if (module)
        *module = (struct module){VK_NULL_HANDLE, NULL};
    pthread_mutex_unlock(&lock);
    NEXT(DestroyShaderModule)(device, handle, allocator);
}

static void write_identifier(const struct code *code, VkShaderModuleIdentifierEXT *identifier)
{
    identifier->identifierSize = sizeof(code->hash);
    memcpy(identifier->identifier, &code->hash, sizeof(code->hash));
}

static VKAPI_ATTR void VKAPI_CALL code_GetShaderModuleIdentifierEXT(VkDevice device, VkShaderModule handle,
                                                                    VkShaderModuleIdentifierEXT *identifier)
{
    (void)device;
    pthread_mutex_lock(&lock);
    write_identifier(module_of(handle)->code, identifier);
    pthread_mutex_unlock(&lock);
}

static VKAPI_ATTR void VKAPI_CALL code_GetShaderModuleCreateInfoIdentifierEXT(VkDevice device,
                                                                              const VkShaderModuleCreateInfo *info,
                                                                              VkShaderModuleIdentifierEXT *identifier)
{
    (void)device;
    pthread_mutex_lock(&lock);
    write_identifier(code_of(info), identifier);
    pthread_mutex_unlock(&lock);
}

/* ---- Binaries: the code of one stage each, behind a word that says so ---- */

struct binary {
    VkShaderStageFlagBits stage;
    struct code *code;
};

struct binary_head {
    char magic[8];
    uint32_t stage;
    uint32_t unused;
};
static const char binary_magic[8] = "CODEBIN";

enum { STAGES_MOST = 8 };

/* Pipelines that binaries may be made of. */
static struct captured {
    VkPipeline handle;
    uint32_t count;
    struct binary binaries[STAGES_MOST];
} * captured;
static size_t captured_count;

static struct binary *binary_of(VkPipelineBinaryKHR handle)
{
    return (struct binary *)(uintptr_t)handle;
}

static VkPipelineBinaryKHR new_binary(VkShaderStageFlagBits stage, struct code *code)
{
    struct binary *binary = calloc(1, sizeof(*binary));
    if (!binary)
        abort();
    *binary = (struct binary){stage, code};
    return (VkPipelineBinaryKHR)(uintptr_t)binary;
}

static void write_key(uint64_t hash, uint32_t stage, VkPipelineBinaryKeyKHR *key)
{
    memset(key->key, 0, sizeof(key->key));
    key->keySize = sizeof(hash) + sizeof(stage);
    memcpy(key->key, &hash, sizeof(hash));
    memcpy(key->key + sizeof(hash), &stage, sizeof(stage));
}

/* One whose key is not that of what it holds is of somebody else. */
static VkResult read_binary(const VkPipelineBinaryKeyKHR *given, const VkPipelineBinaryDataKHR *data,
                            VkPipelineBinaryKHR *handle)
{
    struct binary_head head;
    VkPipelineBinaryKeyKHR key;
    if (data->dataSize < sizeof(head))
        return VK_ERROR_INITIALIZATION_FAILED;
    memcpy(&head, data->pData, sizeof(head));
    const size_t size = data->dataSize - sizeof(head);
    uint32_t *words = malloc(size + 1);
    if (!words)
        abort();
    memcpy(words, (const char *)data->pData + sizeof(head), size);
    const VkShaderModuleCreateInfo info = {.codeSize = size, .pCode = words};
    struct code *code = code_of(&info);
    free(words);
    write_key(code->hash, head.stage, &key);
    if (memcmp(head.magic, binary_magic, sizeof(binary_magic)) != 0 || given->keySize != key.keySize ||
        memcmp(given->key, key.key, key.keySize) != 0)
        return VK_ERROR_INITIALIZATION_FAILED;
    *handle = new_binary((VkShaderStageFlagBits)head.stage, code);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL code_CreatePipelineBinariesKHR(VkDevice device,
                                                                     const VkPipelineBinaryCreateInfoKHR *info,
                                                                     const VkAllocationCallbacks *allocator,
                                                                     VkPipelineBinaryHandlesInfoKHR *binaries)
{
    (void)device, (void)allocator;
    const VkPipelineBinaryKeysAndDataKHR *all = info->pKeysAndDataInfo;
    const struct captured *from = NULL;
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < captured_count && info->pipeline; i++) {
        if (captured[i].handle == info->pipeline)
            from = &captured[i];
    }
    if (!all && !from)
        result = VK_PIPELINE_BINARY_MISSING_KHR;
    const uint32_t count = all ? all->binaryCount : from ? from->count : 0;
    for (uint32_t i = 0; binaries->pPipelineBinaries && i < count && result == VK_SUCCESS; i++) {
        if (i >= binaries->pipelineBinaryCount)
            result = VK_INCOMPLETE;
        else if (all)
            result = read_binary(&all->pPipelineBinaryKeys[i], &all->pPipelineBinaryData[i],
                                 &binaries->pPipelineBinaries[i]);
        else
            binaries->pPipelineBinaries[i] = new_binary(from->binaries[i].stage, from->binaries[i].code);
    }
    if (!binaries->pPipelineBinaries || binaries->pipelineBinaryCount > count)
        binaries->pipelineBinaryCount = count;
    pthread_mutex_unlock(&lock);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL code_DestroyPipelineBinaryKHR(VkDevice device, VkPipelineBinaryKHR binary,
                                                                const VkAllocationCallbacks *allocator)
{
    (void)device, (void)allocator;
    free(binary_of(binary));
}

static VKAPI_ATTR VkResult VKAPI_CALL code_GetPipelineBinaryDataKHR(VkDevice device,
                                                                    const VkPipelineBinaryDataInfoKHR *info,
                                                                    VkPipelineBinaryKeyKHR *key, size_t *size,
                                                                    void *data)
{
    (void)device;
    const struct binary *binary = binary_of(info->pipelineBinary);
    struct binary_head head = {.stage = (uint32_t)binary->stage};
    const size_t room = *size;
    memcpy(head.magic, binary_magic, sizeof(head.magic));
    write_key(binary->code->hash, head.stage, key);
    *size = sizeof(head) + binary->code->size;
    if (!data)
        return VK_SUCCESS;
    if (room < *size)
        return VK_ERROR_NOT_ENOUGH_SPACE_KHR;
    memcpy(data, &head, sizeof(head));
    memcpy((char *)data + sizeof(head), binary->code->words, binary->code->size);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL code_ReleaseCapturedPipelineDataKHR(VkDevice device,
                                                                          const VkReleaseCapturedPipelineDataInfoKHR *i,
                                                                          const VkAllocationCallbacks *allocator)
{
    (void)device, (void)i, (void)allocator;
    return VK_SUCCESS;
}

/* ---- Pipelines ---- */

/* What the driver gets in the place of a pipeline's stages. */
struct making {
    uint32_t count;
    VkPipelineShaderStageCreateInfo stages[STAGES_MOST];
    struct code *code[STAGES_MOST];
    VkShaderModule modules[STAGES_MOST]; /* of what has none of the program's */
    bool missing;                        /* some code was never compiled, or is not known */
    VkResult result;                     /* of making modules */
};

/* The code of one stage; true: the driver needs a module in the place of the program's stage. */
static bool find_code(const VkPipelineShaderStageCreateInfo *stage, const VkPipelineBinaryInfoKHR *binaries,
                      struct code **code)
{
    const VkShaderModuleCreateInfo *inline_code =
        find_structure(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *identifier =
        find_structure(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    if (binaries && binaries->binaryCount) {
        for (uint32_t i = 0; i < binaries->binaryCount; i++) {
            if (binary_of(binaries->pPipelineBinaries[i])->stage == stage->stage)
                *code = binary_of(binaries->pPipelineBinaries[i])->code;
        }
        atomic_fetch_add(&code_control.from_binaries, *code ? 1 : 0);
        return *code;
    }
    if (stage->module) {
        *code = module_of(stage->module)->code;
        return false;
    }
    if (inline_code) {
        *code = code_of(inline_code);
        return false;
    }
    if (identifier && identifier->identifierSize == sizeof(uint64_t)) {
        uint64_t hash;
        memcpy(&hash, identifier->pIdentifier, sizeof(hash));
        *code = code_by_hash(hash);
        atomic_fetch_add(&code_control.identified, 1);
    }
    return *code;
}

static void open_making(VkDevice device, const void *chain, uint32_t count,
                        const VkPipelineShaderStageCreateInfo *stages, struct making *making)
{
    const VkPipelineBinaryInfoKHR *binaries = find_structure(chain, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
    *making = (struct making){.count = count};
    for (uint32_t i = 0; i < count; i++) {
        making->stages[i] = stages[i];
        pthread_mutex_lock(&lock);
        const bool needs_module = find_code(&stages[i], binaries, &making->code[i]);
        pthread_mutex_unlock(&lock);
        making->missing |= !making->code[i] || !making->code[i]->compiled;
        if (!needs_module)
            continue;
        const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                               .codeSize = making->code[i]->size,
                                               .pCode = making->code[i]->words};
        making->result = NEXT(CreateShaderModule)(device, &info, NULL, &making->modules[i]);
        if (making->result != VK_SUCCESS) {
            making->modules[i] = VK_NULL_HANDLE;
            return;
        }
        making->stages[i].module = making->modules[i];
        making->stages[i].pNext = NULL; /* tests chain nothing else to such stages */
    }
}

/* `pipeline` is what the driver made of it, or VK_NULL_HANDLE; `chain` that of the create-info. */
static void close_making(VkDevice device, struct making *making, const void *chain, VkPipeline pipeline)
{
    const VkPipelineCreateFlags2CreateInfoKHR *flags =
        find_structure(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    for (uint32_t i = 0; i < making->count; i++) {
        if (making->modules[i])
            NEXT(DestroyShaderModule)(device, making->modules[i], NULL);
        if (pipeline && making->code[i])
            making->code[i]->compiled = true;
    }
    if (!pipeline || !flags || !(flags->flags & UINT64_C(0x80000000))) /* ..._CAPTURE_DATA_BIT_KHR */
        return;
    pthread_mutex_lock(&lock);
    captured = realloc(captured, (captured_count + 1) * sizeof(*captured));
    struct captured *new = &captured[captured_count++];
    *new = (struct captured){pipeline, making->count, {{0}}};
    for (uint32_t i = 0; i < making->count; i++)
        new->binaries[i] = (struct binary){making->stages[i].stage, making->code[i]};
    pthread_mutex_unlock(&lock);
}

static uint64_t flags_of(VkPipelineCreateFlags narrow, const void *chain)
{
    const VkPipelineCreateFlags2CreateInfoKHR *wide =
        find_structure(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    return wide ? wide->flags : narrow;
}

static void note_asked(uint64_t flags, const void *chain, uint32_t count, const VkPipelineShaderStageCreateInfo *stages)
{
    const uint32_t at = atomic_fetch_add(&code_control.asked, 1);
    const VkSubpassShadingPipelineCreateInfoHUAWEI *shaded =
        find_structure(chain, VK_STRUCTURE_TYPE_SUBPASS_SHADING_PIPELINE_CREATE_INFO_HUAWEI);
    uint32_t validations = 0;
    uint64_t named = 0;
    for (uint32_t i = 0; i < count; i++) {
        const VkDebugUtilsObjectNameInfoEXT *name =
            find_structure(stages[i].pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
        named = name ? name->objectHandle : named;
        validations +=
            find_structure(stages[i].pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT) != NULL;
    }
    if (at >= CODE_ASKED)
        abort();
    atomic_store(&code_control.flags[at], flags);
    atomic_store(&code_control.stages[at], count);
    atomic_store(&code_control.validations[at], validations);
    atomic_store(&code_control.named[at], named);
    atomic_store(&code_control.shaded[at], shaded ? (uint64_t)shaded->renderPass : 0);
}

/* Without what the driver does not know: tests have it in front of the chain. */
static const void *without_ours(const void *chain)
{
    const VkBaseInStructure *next = chain;
    while (next && (next->sType == VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR ||
                    next->sType == VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR ||
                    next->sType == VK_STRUCTURE_TYPE_SUBPASS_SHADING_PIPELINE_CREATE_INFO_HUAWEI))
        next = next->pNext;
    return next;
}

/* Of flags, in either form, what the driver gets: what it knows, less what is done here. */
static const uint64_t driver_flags = 0x7fffffff & ~(uint64_t)(VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
                                                              VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT |
                                                              VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV);

/* One loop for both kinds: their stages, and how they are made of others. */
#define CREATE_ALL(INFO_TYPE, STAGES, STAGE_COUNT, SET_STAGES, CREATE)                                                 \
    VkResult result = VK_SUCCESS;                                                                                      \
    atomic_store(&code_control.cache, (uint64_t)cache);                                                                \
    memset(pipelines, 0, count * sizeof(*pipelines));                                                                  \
    for (uint32_t i = 0; i < count; i++) {                                                                             \
        INFO_TYPE info = infos[i];                                                                                     \
        struct making making;                                                                                          \
        VkResult made = VK_PIPELINE_COMPILE_REQUIRED;                                                                  \
        const uint64_t flags = flags_of(info.flags, info.pNext);                                                       \
        note_asked(flags, info.pNext, STAGE_COUNT, STAGES);                                                            \
        open_making(device, info.pNext, STAGE_COUNT, STAGES, &making);                                                 \
        if (making.result != VK_SUCCESS) {                                                                             \
            made = making.result;                                                                                      \
        } else if (!(flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) || !making.missing) {           \
            info.flags = (VkPipelineCreateFlags)(flags & driver_flags);                                                \
            info.pNext = without_ours(info.pNext);                                                                     \
            SET_STAGES;                                                                                                \
            made = CREATE(device, cache, 1, &info, allocator, &pipelines[i]);                                          \
        }                                                                                                              \
        close_making(device, &making, infos[i].pNext, made == VK_SUCCESS ? pipelines[i] : VK_NULL_HANDLE);             \
        if (made < 0 || (made != VK_SUCCESS && result == VK_SUCCESS))                                                  \
            result = made;                                                                                             \
        if (made != VK_SUCCESS && (flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT))                            \
            break;                                                                                                     \
    }                                                                                                                  \
    return result

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
                                                                   uint32_t count,
                                                                   const VkGraphicsPipelineCreateInfo *infos,
                                                                   const VkAllocationCallbacks *allocator,
                                                                   VkPipeline *pipelines)
{
    CREATE_ALL(VkGraphicsPipelineCreateInfo, info.pStages, info.stageCount, info.pStages = making.stages,
               NEXT(CreateGraphicsPipelines));
}

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                                  uint32_t count,
                                                                  const VkComputePipelineCreateInfo *infos,
                                                                  const VkAllocationCallbacks *allocator,
                                                                  VkPipeline *pipelines)
{
    CREATE_ALL(VkComputePipelineCreateInfo, &infos[i].stage, 1, info.stage = making.stages[0],
               NEXT(CreateComputePipelines));
}

static uint32_t pushed_bytes(uint32_t count, const VkPushConstantRange *ranges)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes = ranges[i].offset + ranges[i].size > bytes ? ranges[i].offset + ranges[i].size : bytes;
    return bytes;
}

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateShadersEXT(VkDevice device, uint32_t count,
                                                            const VkShaderCreateInfoEXT *infos,
                                                            const VkAllocationCallbacks *allocator,
                                                            VkShaderEXT *shaders)
{
    for (uint32_t i = 0; i < count; i++)
        atomic_fetch_add(
            infos[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT ? &code_control.linked : &code_control.unlinked, 1);
    if (count)
        atomic_store(&code_control.pushed,
                     pushed_bytes(infos[count - 1].pushConstantRangeCount, infos[count - 1].pPushConstantRanges));
    return NEXT(CreateShadersEXT)(device, count, infos, allocator, shaders);
}

static VKAPI_ATTR VkResult VKAPI_CALL
code_CreateIndirectExecutionSetEXT(VkDevice device, const VkIndirectExecutionSetCreateInfoEXT *info,
                                   const VkAllocationCallbacks *allocator, VkIndirectExecutionSetEXT *set)
{
    if (info->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT)
        atomic_store(&code_control.set_pushed, pushed_bytes(info->info.pShaderInfo->pushConstantRangeCount,
                                                            info->info.pShaderInfo->pPushConstantRanges));
    return NEXT(CreateIndirectExecutionSetEXT)(device, info, allocator, set);
}

static VKAPI_ATTR VkResult VKAPI_CALL
code_CreateIndirectCommandsLayoutEXT(VkDevice device, const VkIndirectCommandsLayoutCreateInfoEXT *info,
                                     const VkAllocationCallbacks *allocator, VkIndirectCommandsLayoutEXT *layout)
{
    const VkPipelineLayoutCreateInfo *chained =
        find_structure(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    atomic_store(&code_control.layout_pushed,
                 chained ? pushed_bytes(chained->pushConstantRangeCount, chained->pPushConstantRanges) : 0);
    return NEXT(CreateIndirectCommandsLayoutEXT)(device, info, allocator, layout);
}

/* The device's own key, or that of a pipeline: what its stages are made of. */
static VKAPI_ATTR VkResult VKAPI_CALL code_GetPipelineKeyKHR(VkDevice device, const VkPipelineCreateInfoKHR *info,
                                                             VkPipelineBinaryKeyKHR *key)
{
    (void)device;
    const VkGraphicsPipelineCreateInfo *graphics =
        info ? find_structure(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO) : NULL;
    const VkComputePipelineCreateInfo *compute =
        info ? find_structure(info->pNext, VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO) : NULL;
    const VkPipelineShaderStageCreateInfo *stages = graphics ? graphics->pStages : compute ? &compute->stage : NULL;
    const uint32_t count = graphics ? graphics->stageCount : compute ? 1 : 0;
    uint64_t hash = 7;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count; i++) {
        struct code *code = NULL;
        find_code(&stages[i], NULL, &code);
        hash = hash * 31 + (code ? code->hash : 0);
    }
    pthread_mutex_unlock(&lock);
    write_key(hash, count, key);
    return VK_SUCCESS;
}

/* ---- What the driver is said to have ---- */

static const VkExtensionProperties added[] = {{VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME, 1},
                                              {VK_KHR_PIPELINE_BINARY_EXTENSION_NAME, 1}};
enum { ADDED = sizeof(added) / sizeof(added[0]) };

static bool is_added(const char *name)
{
    for (unsigned i = 0; i < ADDED; i++) {
        if (!strcmp(name, added[i].extensionName))
            return true;
    }
    return false;
}

static VKAPI_ATTR VkResult VKAPI_CALL code_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
                                                                              const char *layer, uint32_t *count,
                                                                              VkExtensionProperties *properties)
{
    const uint32_t room = *count;
    if (layer && strcmp(layer, CODE_LAYER) != 0)
        return NEXT(EnumerateDeviceExtensionProperties)(physical, layer, count, properties);
    if (properties)
        *count = room > ADDED ? room - ADDED : 0;
    VkResult result = NEXT(EnumerateDeviceExtensionProperties)(physical, NULL, count, properties);
    if (result != VK_SUCCESS || (properties && room < ADDED))
        return result == VK_SUCCESS ? VK_INCOMPLETE : result;
    if (properties)
        memcpy(properties + *count, added, sizeof(added));
    *count += ADDED;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL code_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical,
                                                                  VkPhysicalDeviceFeatures2 *features)
{
    NEXT(GetPhysicalDeviceFeatures2)(physical, features);
    VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT *identifiers = (void *)(uintptr_t)find_structure(
        features->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT);
    if (identifiers)
        identifiers->shaderModuleIdentifier = VK_TRUE;
    VkPhysicalDevicePipelineBinaryFeaturesKHR *binaries = (void *)(uintptr_t)find_structure(
        features->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR);
    if (binaries)
        binaries->pipelineBinaries = VK_TRUE;
}

/* ---- Chain ---- */

/* Takes structures out of a chain behind its first. It is a copy of the layers above, or the test's. */
static void take_out(const void *chain, VkStructureType type)
{
    for (VkBaseOutStructure *s = (void *)(uintptr_t)chain; s->pNext; s = s->pNext) {
        if (s->pNext->sType != type)
            continue;
        s->pNext = s->pNext->pNext;
        return;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *given,
                                                        const VkAllocationCallbacks *allocator, VkDevice *device)
{
    VkDeviceCreateInfo info = *given;
    const char **names = calloc(info.enabledExtensionCount + 1, sizeof(*names));
    if (!names)
        return VK_ERROR_INITIALIZATION_FAILED;
    /* What was promised is not asked of the driver. The loader's structure is in front of the program's. */
    take_out(info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT);
    take_out(info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR);
    info.enabledExtensionCount = 0;
    info.ppEnabledExtensionNames = names;
    for (uint32_t i = 0; i < given->enabledExtensionCount; i++) {
        if (!is_added(given->ppEnabledExtensionNames[i]))
            names[info.enabledExtensionCount++] = given->ppEnabledExtensionNames[i];
    }
    VkResult result = layer_create_device(physical, given, &info, allocator, device);
    free(names);
    if (result != VK_SUCCESS)
        return result;
    DEVICE_COMMANDS(NEXT_OF_DEVICE)
    OPTIONAL_COMMANDS(NEXT_OF_DEVICE)
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateInstance(const VkInstanceCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator, VkInstance *instance)
{
    const VkResult result = layer_create_instance(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    INSTANCE_COMMANDS(NEXT_OF_INSTANCE)
    return VK_SUCCESS;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL code_GetDeviceProcAddr(VkDevice device, const char *name)
{
    PFN_vkVoidFunction own = find(name);
#define HAS(NAME)                                                                                                      \
    if (!strcmp(name, "vk" #NAME) && !NEXT(NAME))                                                                      \
        return NULL;
    OPTIONAL_COMMANDS(HAS)
    return own ? own : next_device_proc(device, name);
}

static PFN_vkVoidFunction find(const char *name)
{
    static const struct layer_command commands[] = {
#define ENTRY(NAME) LAYER_COMMAND("vk" #NAME, code_##NAME),
        INSTANCE_COMMANDS(ENTRY) DEVICE_COMMANDS(ENTRY) OPTIONAL_COMMANDS(ENTRY) OWN_COMMANDS(ENTRY)
            LAYER_COMMAND("vkGetPhysicalDeviceFeatures2KHR", code_GetPhysicalDeviceFeatures2),
        LAYER_LOOK_UP(code_GetDeviceProcAddr),
    };
    return LAYER_COMMAND_FIND(commands, name);
}

LAYER_EXPORTS(code_GetDeviceProcAddr)
