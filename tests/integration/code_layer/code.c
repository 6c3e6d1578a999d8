/* SPDX-License-Identifier: MIT */
#include "code.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

__attribute__((visibility("default"))) struct code_control code_control;

static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;
static VkInstance the_instance;

#define NEXT(NAME) next_##NAME
#define INSTANCE_COMMANDS(ENTRY)                                                                                       \
    ENTRY(EnumerateDeviceExtensionProperties)                                                                          \
    ENTRY(GetPhysicalDeviceFeatures2)
#define DEVICE_COMMANDS(ENTRY)                                                                                         \
    ENTRY(CreateShaderModule)                                                                                          \
    ENTRY(DestroyShaderModule)                                                                                         \
    ENTRY(CreateGraphicsPipelines)                                                                                     \
    ENTRY(CreateComputePipelines)
#define DECLARE(NAME) static PFN_vk##NAME NEXT(NAME);
INSTANCE_COMMANDS(DECLARE)
DEVICE_COMMANDS(DECLARE)

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

/* ---- Pipelines ---- */

enum { STAGES_MOST = 8 };

/* What the driver gets in the place of a pipeline's stages. */
struct making {
    uint32_t count;
    VkPipelineShaderStageCreateInfo stages[STAGES_MOST];
    struct code *code[STAGES_MOST];
    VkShaderModule modules[STAGES_MOST]; /* of identifiers */
    bool missing;                        /* some code was never compiled, or is not known */
};

static void open_making(VkDevice device, uint32_t count, const VkPipelineShaderStageCreateInfo *stages,
                        struct making *making)
{
    *making = (struct making){.count = count};
    for (uint32_t i = 0; i < count; i++) {
        const VkShaderModuleCreateInfo *inline_code =
            find_structure(stages[i].pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
        const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *identifier =
            find_structure(stages[i].pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
        making->stages[i] = stages[i];
        pthread_mutex_lock(&lock);
        if (stages[i].module) {
            making->code[i] = module_of(stages[i].module)->code;
        } else if (inline_code) {
            making->code[i] = code_of(inline_code);
        } else if (identifier && identifier->identifierSize == sizeof(uint64_t)) {
            uint64_t hash;
            memcpy(&hash, identifier->pIdentifier, sizeof(hash));
            making->code[i] = code_by_hash(hash);
            atomic_fetch_add(&code_control.identified, 1);
        }
        pthread_mutex_unlock(&lock);
        making->missing |= !making->code[i] || !making->code[i]->compiled;
        if (stages[i].module || inline_code || !making->code[i])
            continue;
        const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                               .codeSize = making->code[i]->size,
                                               .pCode = making->code[i]->words};
        if (NEXT(CreateShaderModule)(device, &info, NULL, &making->modules[i]) != VK_SUCCESS)
            abort();
        making->stages[i].module = making->modules[i];
        making->stages[i].pNext = NULL; /* tests chain nothing else to such stages */
    }
}

static void close_making(VkDevice device, struct making *making, bool made)
{
    for (uint32_t i = 0; i < making->count; i++) {
        if (making->modules[i])
            NEXT(DestroyShaderModule)(device, making->modules[i], NULL);
        if (made && making->code[i])
            making->code[i]->compiled = true;
    }
}

static const VkPipelineCreateFlags without_compiling =
    VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT | VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;

/* One loop for both kinds: the flags of each, its stages, and how it is made of others. */
#define CREATE_ALL(INFO_TYPE, FLAGS, STAGES, STAGE_COUNT, SET_STAGES, CREATE)                                          \
    VkResult result = VK_SUCCESS;                                                                                      \
    memset(pipelines, 0, count * sizeof(*pipelines));                                                                  \
    for (uint32_t i = 0; i < count; i++) {                                                                             \
        INFO_TYPE info = infos[i];                                                                                     \
        struct making making;                                                                                          \
        VkResult made = VK_PIPELINE_COMPILE_REQUIRED;                                                                  \
        open_making(device, STAGE_COUNT, STAGES, &making);                                                             \
        if (!(info.flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) || !making.missing) {             \
            info.flags &= ~without_compiling;                                                                          \
            SET_STAGES;                                                                                                \
            made = CREATE(device, cache, 1, &info, allocator, &pipelines[i]);                                          \
        }                                                                                                              \
        close_making(device, &making, made == VK_SUCCESS);                                                             \
        if (made < 0 || (made != VK_SUCCESS && result == VK_SUCCESS))                                                  \
            result = made;                                                                                             \
        if (made != VK_SUCCESS && (infos[i].flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT))                   \
            break;                                                                                                     \
    }                                                                                                                  \
    return result

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
                                                                   uint32_t count,
                                                                   const VkGraphicsPipelineCreateInfo *infos,
                                                                   const VkAllocationCallbacks *allocator,
                                                                   VkPipeline *pipelines)
{
    CREATE_ALL(VkGraphicsPipelineCreateInfo, info.flags, info.pStages, info.stageCount, info.pStages = making.stages,
               NEXT(CreateGraphicsPipelines));
}

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                                  uint32_t count,
                                                                  const VkComputePipelineCreateInfo *infos,
                                                                  const VkAllocationCallbacks *allocator,
                                                                  VkPipeline *pipelines)
{
    CREATE_ALL(VkComputePipelineCreateInfo, info.flags, &infos[i].stage, 1, info.stage = making.stages[0],
               NEXT(CreateComputePipelines));
}

/* ---- What the driver is said to have ---- */

static VKAPI_ATTR VkResult VKAPI_CALL code_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
                                                                              const char *layer, uint32_t *count,
                                                                              VkExtensionProperties *properties)
{
    static const VkExtensionProperties added = {VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME, 1};
    const uint32_t room = *count;
    if (layer && strcmp(layer, CODE_LAYER) != 0)
        return NEXT(EnumerateDeviceExtensionProperties)(physical, layer, count, properties);
    if (properties)
        *count = room ? room - 1 : 0;
    VkResult result = NEXT(EnumerateDeviceExtensionProperties)(physical, NULL, count, properties);
    if (result != VK_SUCCESS || (properties && !room))
        return result == VK_SUCCESS ? VK_INCOMPLETE : result;
    if (properties)
        properties[*count] = added;
    ++*count;
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
}

/* ---- Chain ---- */

/* Takes the structure out of a chain, and puts it back where `taken` is one. The chain is a copy of the layers above.
 */
static VkBaseOutStructure *exchange(const void *chain, VkStructureType type, VkBaseOutStructure **before,
                                    VkBaseOutStructure *taken)
{
    if (taken) {
        (*before)->pNext = taken;
        return NULL;
    }
    for (*before = (void *)(uintptr_t)chain; *before && (*before)->pNext; *before = (*before)->pNext) {
        taken = (*before)->pNext;
        if (taken->sType == type) {
            (*before)->pNext = taken->pNext;
            return taken;
        }
    }
    return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *given,
                                                        const VkAllocationCallbacks *allocator, VkDevice *device)
{
    VkDeviceCreateInfo info = *given;
    VkLayerDeviceCreateInfo *link = (void *)(uintptr_t)info.pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO))
        link = (void *)(uintptr_t)link->pNext;
    const char **names = calloc(info.enabledExtensionCount + 1, sizeof(*names));
    if (!link || !names)
        return VK_ERROR_INITIALIZATION_FAILED;
    next_device_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(the_instance, "vkCreateDevice");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    /* What was promised is not asked of the driver. The loader's structure is in front of the program's. */
    VkBaseOutStructure *before;
    const VkStructureType promised = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT;
    VkBaseOutStructure *taken = exchange(info.pNext, promised, &before, NULL);
    info.enabledExtensionCount = 0;
    info.ppEnabledExtensionNames = names;
    for (uint32_t i = 0; i < given->enabledExtensionCount; i++) {
        if (strcmp(given->ppEnabledExtensionNames[i], VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME) != 0)
            names[info.enabledExtensionCount++] = given->ppEnabledExtensionNames[i];
    }
    VkResult result = create(physical, &info, allocator, device);
    if (taken)
        exchange(NULL, promised, &before, taken);
    free(names);
    if (result != VK_SUCCESS)
        return result;
#define LOAD(NAME) NEXT(NAME) = (PFN_vk##NAME)next_device_proc(*device, "vk" #NAME);
    DEVICE_COMMANDS(LOAD)
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL code_CreateInstance(const VkInstanceCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator, VkInstance *instance)
{
    VkLayerInstanceCreateInfo *link = (void *)(uintptr_t)info->pNext;
    while (link &&
           (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO))
        link = (void *)(uintptr_t)link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    next_instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)next_instance_proc(NULL, "vkCreateInstance");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = create(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    the_instance = *instance;
#define LOAD_INSTANCE(NAME) NEXT(NAME) = (PFN_vk##NAME)next_instance_proc(*instance, "vk" #NAME);
    INSTANCE_COMMANDS(LOAD_INSTANCE)
    return VK_SUCCESS;
}

static PFN_vkVoidFunction find(const char *name);

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL code_GetDeviceProcAddr(VkDevice device, const char *name)
{
    PFN_vkVoidFunction own = find(name);
    return own ? own : next_device_proc(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL code_GetInstanceProcAddr(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction own = find(name);
    return own || !instance || !next_instance_proc ? own : next_instance_proc(instance, name);
}

static PFN_vkVoidFunction find(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } commands[] = {
#define ENTRY(NAME) {"vk" #NAME, (PFN_vkVoidFunction)code_##NAME},
        INSTANCE_COMMANDS(ENTRY) DEVICE_COMMANDS(ENTRY) ENTRY(GetShaderModuleIdentifierEXT)
            ENTRY(GetShaderModuleCreateInfoIdentifierEXT) ENTRY(CreateInstance) ENTRY(CreateDevice)
                ENTRY(GetInstanceProcAddr) ENTRY(GetDeviceProcAddr){
                    "vkGetPhysicalDeviceFeatures2KHR", (PFN_vkVoidFunction)code_GetPhysicalDeviceFeatures2},
    };
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (!strcmp(commands[i].name, name))
            return commands[i].function;
    }
    return NULL;
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiate)
{
    if (negotiate->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    negotiate->loaderLayerInterfaceVersion = 2;
    negotiate->pfnGetInstanceProcAddr = code_GetInstanceProcAddr;
    negotiate->pfnGetDeviceProcAddr = code_GetDeviceProcAddr;
    negotiate->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
