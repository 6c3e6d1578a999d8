/* SPDX-License-Identifier: MIT */
#include "fault.h"
#include "harness/device/one_device_layer.h"

#include <pthread.h>
#include <string.h>

LAYER_EXPORT struct fault_control fault_control;

static PFN_vkGetPhysicalDeviceFeatures2 next_features2;

/* True: this call is the one to fail. */
static bool fails(const char *name, VkResult *result)
{
    uint32_t number = atomic_fetch_add(&fault_control.calls, 1) + 1;
    uint32_t wanted = atomic_load(&fault_control.fail);
    if (!wanted || number != wanted)
        return false;
    atomic_fetch_add(&fault_control.failed, 1);
    fault_control.name = name;
    *result = (VkResult)atomic_load(&fault_control.result);
    return true;
}

/* ---- Commands that may fail: what a failure leaves in the output is undefined, so that nobody may believe it ---- */

enum { UNDEFINED_BYTE = 0xfb };

#define COMMANDS(CREATE, DESTROY, PLAIN)                                                                               \
    DESTROY(DestroySampler, VkSampler)                                                                                 \
    CREATE(CreateImage, (VkDevice d, const VkImageCreateInfo *i, const VkAllocationCallbacks *a, VkImage *o),          \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyImage, VkImage)                                                                                     \
    CREATE(CreateImageView,                                                                                            \
           (VkDevice d, const VkImageViewCreateInfo *i, const VkAllocationCallbacks *a, VkImageView *o), (d, i, a, o)) \
    DESTROY(DestroyImageView, VkImageView)                                                                             \
    CREATE(CreateDescriptorSetLayout,                                                                                  \
           (VkDevice d, const VkDescriptorSetLayoutCreateInfo *i, const VkAllocationCallbacks *a,                      \
            VkDescriptorSetLayout *o),                                                                                 \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyDescriptorSetLayout, VkDescriptorSetLayout)                                                         \
    CREATE(CreatePipelineLayout,                                                                                       \
           (VkDevice d, const VkPipelineLayoutCreateInfo *i, const VkAllocationCallbacks *a, VkPipelineLayout *o),     \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyPipelineLayout, VkPipelineLayout)                                                                   \
    CREATE(CreateDescriptorPool,                                                                                       \
           (VkDevice d, const VkDescriptorPoolCreateInfo *i, const VkAllocationCallbacks *a, VkDescriptorPool *o),     \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyDescriptorPool, VkDescriptorPool)                                                                   \
    CREATE(CreateDescriptorUpdateTemplate,                                                                             \
           (VkDevice d, const VkDescriptorUpdateTemplateCreateInfo *i, const VkAllocationCallbacks *a,                 \
            VkDescriptorUpdateTemplate *o),                                                                            \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyDescriptorUpdateTemplate, VkDescriptorUpdateTemplate)                                               \
    CREATE(CreateShaderModule,                                                                                         \
           (VkDevice d, const VkShaderModuleCreateInfo *i, const VkAllocationCallbacks *a, VkShaderModule *o),         \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyShaderModule, VkShaderModule)                                                                       \
    CREATE(CreateRenderPass,                                                                                           \
           (VkDevice d, const VkRenderPassCreateInfo *i, const VkAllocationCallbacks *a, VkRenderPass *o),             \
           (d, i, a, o))                                                                                               \
    CREATE(CreateRenderPass2,                                                                                          \
           (VkDevice d, const VkRenderPassCreateInfo2 *i, const VkAllocationCallbacks *a, VkRenderPass *o),            \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyRenderPass, VkRenderPass)                                                                           \
    CREATE(CreateFramebuffer,                                                                                          \
           (VkDevice d, const VkFramebufferCreateInfo *i, const VkAllocationCallbacks *a, VkFramebuffer *o),           \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyFramebuffer, VkFramebuffer)                                                                         \
    CREATE(CreatePipelineCache,                                                                                        \
           (VkDevice d, const VkPipelineCacheCreateInfo *i, const VkAllocationCallbacks *a, VkPipelineCache *o),       \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyPipelineCache, VkPipelineCache)                                                                     \
    CREATE(CreateBuffer, (VkDevice d, const VkBufferCreateInfo *i, const VkAllocationCallbacks *a, VkBuffer *o),       \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyBuffer, VkBuffer)                                                                                   \
    CREATE(AllocateMemory,                                                                                             \
           (VkDevice d, const VkMemoryAllocateInfo *i, const VkAllocationCallbacks *a, VkDeviceMemory *o),             \
           (d, i, a, o))                                                                                               \
    DESTROY(FreeMemory, VkDeviceMemory)                                                                                \
    CREATE(CreateCommandPool,                                                                                          \
           (VkDevice d, const VkCommandPoolCreateInfo *i, const VkAllocationCallbacks *a, VkCommandPool *o),           \
           (d, i, a, o))                                                                                               \
    DESTROY(DestroyCommandPool, VkCommandPool)                                                                         \
    PLAIN(AllocateDescriptorSets, (VkDevice d, const VkDescriptorSetAllocateInfo *i, VkDescriptorSet *o), (d, i, o))   \
    PLAIN(AllocateCommandBuffers, (VkDevice d, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *o), (d, i, o))   \
    PLAIN(BindBufferMemory, (VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize at), (d, b, m, at))                \
    PLAIN(MapMemory,                                                                                                   \
          (VkDevice d, VkDeviceMemory m, VkDeviceSize at, VkDeviceSize size, VkMemoryMapFlags flags, void **o),        \
          (d, m, at, size, flags, o))                                                                                  \
    PLAIN(BeginCommandBuffer, (VkCommandBuffer c, const VkCommandBufferBeginInfo *i), (c, i))                          \
    PLAIN(EndCommandBuffer, (VkCommandBuffer c), (c))

#define DECLARE_CREATE(NAME, PARAMETERS, ARGUMENTS) static PFN_vk##NAME NEXT(NAME);
#define DECLARE_DESTROY(NAME, TYPE) static PFN_vk##NAME NEXT(NAME);
COMMANDS(DECLARE_CREATE, DECLARE_DESTROY, DECLARE_CREATE)

#define DEFINE_CREATE(NAME, PARAMETERS, ARGUMENTS)                                                                     \
    static VKAPI_ATTR VkResult VKAPI_CALL fault_##NAME PARAMETERS                                                      \
    {                                                                                                                  \
        VkResult result;                                                                                               \
        if (fails("vk" #NAME, &result)) {                                                                              \
            memset(o, UNDEFINED_BYTE, sizeof(*o));                                                                     \
            return result;                                                                                             \
        }                                                                                                              \
        result = NEXT(NAME) ARGUMENTS;                                                                                 \
        if (result == VK_SUCCESS)                                                                                      \
            atomic_fetch_add(&fault_control.objects, 1);                                                               \
        return result;                                                                                                 \
    }
#define DEFINE_DESTROY(NAME, TYPE)                                                                                     \
    static VKAPI_ATTR void VKAPI_CALL fault_##NAME(VkDevice d, TYPE object, const VkAllocationCallbacks *a)            \
    {                                                                                                                  \
        if (object)                                                                                                    \
            atomic_fetch_sub(&fault_control.objects, 1);                                                               \
        NEXT(NAME)(d, object, a);                                                                                      \
    }
#define DEFINE_PLAIN(NAME, PARAMETERS, ARGUMENTS)                                                                      \
    static VKAPI_ATTR VkResult VKAPI_CALL fault_##NAME PARAMETERS                                                      \
    {                                                                                                                  \
        VkResult result;                                                                                               \
        return fails("vk" #NAME, &result) ? result : NEXT(NAME) ARGUMENTS;                                             \
    }
COMMANDS(DEFINE_CREATE, DEFINE_DESTROY, DEFINE_PLAIN)

/*
 * ---- Samplers: what they are made from is noted ----
 *
 * Tests make up conversions of YCbCr, which the driver would follow, and flags that it need not know: it gets a usual
 * sampler in their place.
 */

static PFN_vkCreateSampler next_CreateSampler;

static VKAPI_ATTR VkResult VKAPI_CALL fault_CreateSampler(VkDevice device, const VkSamplerCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator, VkSampler *sampler)
{
    VkResult result;
    if (fails("vkCreateSampler", &result)) {
        memset(sampler, UNDEFINED_BYTE, sizeof(*sampler));
        return result;
    }
    uint32_t chain = 0;
    bool usual = !info->flags;
    for (const VkBaseInStructure *next = info->pNext; next; next = next->pNext) {
        chain++;
        usual &= next->sType != VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO;
    }
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* samplers are created on several threads */
    pthread_mutex_lock(&lock);
    fault_control.sampler = *info;
    fault_control.sampler_chain = chain;
    pthread_mutex_unlock(&lock);
    VkSamplerCreateInfo plain = *info;
    plain.flags = 0;
    plain.pNext = NULL;
    result = next_CreateSampler(device, usual ? info : &plain, allocator, sampler);
    if (result == VK_SUCCESS)
        atomic_fetch_add(&fault_control.objects, 1);
    return result;
}

/* ---- Pipelines: an array of them, none of which is made or written when the call fails ---- */

static PFN_vkCreateGraphicsPipelines next_CreateGraphicsPipelines;
static PFN_vkCreateComputePipelines next_CreateComputePipelines;
static PFN_vkDestroyPipeline next_DestroyPipeline;

static VkResult made_pipelines(VkResult result, uint32_t count, const VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++)
        atomic_fetch_add(&fault_control.objects, pipelines[i] ? 1 : 0);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
                                                                    uint32_t count,
                                                                    const VkGraphicsPipelineCreateInfo *infos,
                                                                    const VkAllocationCallbacks *allocator,
                                                                    VkPipeline *pipelines)
{
    VkResult result;
    if (fails("vkCreateGraphicsPipelines", &result))
        return result;
    result = next_CreateGraphicsPipelines(device, cache, count, infos, allocator, pipelines);
    return made_pipelines(result, count, pipelines);
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                                   uint32_t count,
                                                                   const VkComputePipelineCreateInfo *infos,
                                                                   const VkAllocationCallbacks *allocator,
                                                                   VkPipeline *pipelines)
{
    VkResult result;
    if (fails("vkCreateComputePipelines", &result))
        return result;
    result = next_CreateComputePipelines(device, cache, count, infos, allocator, pipelines);
    return made_pipelines(result, count, pipelines);
}

static VKAPI_ATTR void VKAPI_CALL fault_DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                                        const VkAllocationCallbacks *allocator)
{
    if (pipeline)
        atomic_fetch_sub(&fault_control.objects, 1);
    next_DestroyPipeline(device, pipeline, allocator);
}

/* ---- A device that is lost: nothing gets to the queue any more, which drivers wait for when the device is destroyed.
 * ---- */

#define LOST(NAME, PARAMETERS, ARGUMENTS)                                                                              \
    static PFN_vk##NAME NEXT(NAME);                                                                                    \
    static VKAPI_ATTR VkResult VKAPI_CALL fault_##NAME PARAMETERS                                                      \
    {                                                                                                                  \
        return atomic_load(&fault_control.lost) ? VK_ERROR_DEVICE_LOST : NEXT(NAME) ARGUMENTS;                         \
    }
LOST(QueueSubmit, (VkQueue q, uint32_t count, const VkSubmitInfo *i, VkFence f), (q, count, i, f))
LOST(QueueSubmit2, (VkQueue q, uint32_t count, const VkSubmitInfo2 *i, VkFence f), (q, count, i, f))
LOST(QueueWaitIdle, (VkQueue q), (q))
LOST(DeviceWaitIdle, (VkDevice d), (d))
LOST(GetFenceStatus, (VkDevice d, VkFence f), (d, f))
LOST(WaitForFences, (VkDevice d, uint32_t count, const VkFence *f, VkBool32 all, uint64_t timeout),
     (d, count, f, all, timeout))

/* ---- What is promised ---- */

/* All VkBool32 of descriptor indexing stand in one row, in both structures. */
static void set_indexing(VkBool32 *first, const VkBool32 *last, VkBool32 value)
{
    for (; first <= last; first++)
        *first = value;
}

static void set_features(VkBaseOutStructure *chain, VkBool32 value)
{
    for (; chain; chain = chain->pNext) {
        if (fault_control.promise_inherited &&
            chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT)
            ((VkPhysicalDeviceConditionalRenderingFeaturesEXT *)(void *)chain)->inheritedConditionalRendering = value;
        if (!fault_control.promise_indexing)
            continue;
        if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
            VkPhysicalDeviceVulkan12Features *f = (void *)chain;
            f->descriptorIndexing = value;
            set_indexing(&f->shaderInputAttachmentArrayDynamicIndexing, &f->runtimeDescriptorArray, value);
        } else if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES) {
            VkPhysicalDeviceDescriptorIndexingFeatures *f = (void *)chain;
            set_indexing(&f->shaderInputAttachmentArrayDynamicIndexing, &f->runtimeDescriptorArray, value);
        }
    }
}

static VKAPI_ATTR void VKAPI_CALL fault_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical,
                                                                   VkPhysicalDeviceFeatures2 *features)
{
    next_features2(physical, features);
    set_features(features->pNext, VK_TRUE);
}

/* ---- Chain ---- */

static VKAPI_ATTR VkResult VKAPI_CALL fault_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                         const VkAllocationCallbacks *allocator, VkDevice *device)
{
    VkResult result;
    if (fails("vkCreateDevice", &result))
        return result;
    /* What was promised is not asked of the driver. The structures are copies of the layers above. */
    set_features((VkBaseOutStructure *)(uintptr_t)info->pNext, VK_FALSE);
    result = layer_create_device(physical, info, info, allocator, device);
    if (result != VK_SUCCESS)
        return result;
#define LOAD(NAME, ...) NEXT_OF_DEVICE(NAME)
    COMMANDS(LOAD, LOAD, LOAD)
    LOAD(CreateSampler, 0)
    LOAD(CreateGraphicsPipelines, 0)
    LOAD(CreateComputePipelines, 0)
    LOAD(DestroyPipeline, 0)
    LOAD(QueueSubmit, 0)
    LOAD(QueueSubmit2, 0)
    LOAD(QueueWaitIdle, 0)
    LOAD(DeviceWaitIdle, 0)
    LOAD(GetFenceStatus, 0)
    LOAD(WaitForFences, 0)
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL fault_CreateInstance(const VkInstanceCreateInfo *info,
                                                           const VkAllocationCallbacks *allocator, VkInstance *instance)
{
    const VkResult result = layer_create_instance(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    /* Now or never: once the loader is done with the instance, its own look-up begins at the top of the chain. */
    next_features2 = (PFN_vkGetPhysicalDeviceFeatures2)next_instance_proc(*instance, "vkGetPhysicalDeviceFeatures2");
    return VK_SUCCESS;
}

static PFN_vkVoidFunction find(const char *name)
{
    static const struct layer_command commands[] = {
#define ENTRY(NAME, ...) LAYER_COMMAND("vk" #NAME, fault_##NAME),
        COMMANDS(ENTRY, ENTRY, ENTRY) ENTRY(CreateSampler, 0) ENTRY(CreateGraphicsPipelines, 0)
            ENTRY(CreateComputePipelines, 0) ENTRY(DestroyPipeline, 0) ENTRY(QueueSubmit, 0) ENTRY(QueueSubmit2, 0)
                ENTRY(QueueWaitIdle, 0) ENTRY(DeviceWaitIdle, 0) ENTRY(GetFenceStatus, 0) ENTRY(WaitForFences, 0)
                    ENTRY(CreateInstance, 0) ENTRY(CreateDevice, 0) ENTRY(GetPhysicalDeviceFeatures2, 0)
                        LAYER_LOOK_UP(layer_GetDeviceProcAddr),
        LAYER_COMMAND("vkGetPhysicalDeviceFeatures2KHR", fault_GetPhysicalDeviceFeatures2),
    };
    return LAYER_COMMAND_FIND(commands, name);
}

LAYER_EXPORTS(layer_GetDeviceProcAddr)
