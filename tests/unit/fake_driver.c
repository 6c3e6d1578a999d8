/* SPDX-License-Identifier: MIT */
#include "fake_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- In the place of layer/device/device ---- */

struct dispatch_map device_map;   /* empty */
struct known_device known_device; /* none: every device is found by device_of() */

struct subsystems subsystems;
struct track track = {.device = &device, SUBSYSTEMS_OF(subsystems)};

void fake_track_begin(void)
{
    memset(&subsystems, 0, sizeof(subsystems));
    track = (struct track){.device = &device, SUBSYSTEMS_OF(subsystems)};
}

struct device *device_of(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

struct format_features (*fake_features)(VkFormat format);

struct format_features device_format_features(const struct device *known, VkFormat format)
{
    (void)known;
    return fake_features ? fake_features(format) : (struct format_features){0};
}

PFN_vkGetPhysicalDeviceProperties2 instance_properties2(const struct instance *known, VkPhysicalDevice physical)
{
    (void)known, (void)physical;
    return NULL;
}

PFN_vkGetPhysicalDeviceMemoryProperties2 instance_memory2(const struct instance *known, VkPhysicalDevice physical)
{
    (void)known, (void)physical;
    return NULL;
}

void message_about(const struct device *about, enum log_level level, const struct message_object *objects,
                   const char *format, ...)
{
    (void)about, (void)level, (void)objects, (void)format;
}

void object_names_forget(struct object_names *names, VkObjectType type, uint64_t handle)
{
    (void)names, (void)type, (void)handle;
}

/* ---- Layouts, shader modules, samplers and pools ---- */

struct fake_driver fake_driver;

VKAPI_ATTR VkResult VKAPI_CALL fake_set_layout(VkDevice handle, const VkDescriptorSetLayoutCreateInfo *info,
                                               const VkAllocationCallbacks *callbacks, VkDescriptorSetLayout *layout)
{
    (void)handle, (void)callbacks;
    fake_driver.bindings = info->bindingCount;
    *layout = HANDLE(VkDescriptorSetLayout, fake_driver.last++);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL fake_set_layout_drop(VkDevice handle, VkDescriptorSetLayout layout,
                                                const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)layout, (void)callbacks;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_layout(VkDevice handle, const VkPipelineLayoutCreateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkPipelineLayout *layout)
{
    (void)handle, (void)info, (void)callbacks;
    *layout = HANDLE(VkPipelineLayout, fake_driver.last++);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL fake_layout_drop(VkDevice handle, VkPipelineLayout layout,
                                            const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)layout, (void)callbacks;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_module(VkDevice handle, const VkShaderModuleCreateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkShaderModule *module)
{
    (void)handle, (void)callbacks;
    fake_driver.code_size = info->codeSize;
    fake_driver.modules++;
    *module = HANDLE(VkShaderModule, fake_driver.last++);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL fake_module_drop(VkDevice handle, VkShaderModule module,
                                            const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    fake_driver.modules -= module ? 1 : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_sampler(VkDevice handle, const VkSamplerCreateInfo *info,
                                            const VkAllocationCallbacks *callbacks, VkSampler *sampler)
{
    (void)handle, (void)info, (void)callbacks;
    fake_driver.samplers++;
    *sampler = HANDLE(VkSampler, fake_driver.last++);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL fake_sampler_drop(VkDevice handle, VkSampler sampler, const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    fake_driver.samplers -= sampler ? 1 : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_pool(VkDevice handle, const VkDescriptorPoolCreateInfo *info,
                                         const VkAllocationCallbacks *callbacks, VkDescriptorPool *pool)
{
    (void)handle, (void)info, (void)callbacks;
    *pool = HANDLE(VkDescriptorPool, fake_driver.last++);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL fake_pool_drop(VkDevice handle, VkDescriptorPool pool,
                                          const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)pool, (void)callbacks;
}

/* ---- Buffers and memory ---- */

static _Alignas(4096) char blocks[MADE_BLOCKS][MADE_BLOCK_BYTES];

/* A handle is a place's number and one more. */
static struct {
    bool buffers[MADE_BLOCKS], memories[MADE_BLOCKS];
    VkDeviceMemory bound[MADE_BLOCKS]; /* by buffer */
} made;

void made_memory_open(struct device *known)
{
    memset(&made, 0, sizeof(made));
    known->memory.memoryTypeCount = 1;
    known->memory.memoryTypes[0].propertyFlags =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
}

static uintptr_t take(bool *taken)
{
    uintptr_t place = 0;
    while (place < MADE_BLOCKS && taken[place])
        place++;
    assert_true(place < MADE_BLOCKS);
    taken[place] = true;
    return place + 1;
}

static void drop(bool *taken, uintptr_t handle)
{
    if (!handle)
        return;
    assert_true(handle <= MADE_BLOCKS && taken[handle - 1]);
    taken[handle - 1] = false;
}

static char *block_of(VkDeviceMemory memory)
{
    assert_true((uintptr_t)memory <= MADE_BLOCKS && made.memories[(uintptr_t)memory - 1]);
    return blocks[(uintptr_t)memory - 1];
}

VKAPI_ATTR VkResult VKAPI_CALL made_buffer(VkDevice handle, const VkBufferCreateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkBuffer *buffer)
{
    (void)handle, (void)callbacks;
    assert_true(info->size <= MADE_BLOCK_BYTES);
    *buffer = (VkBuffer)take(made.buffers);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL made_buffer_drop(VkDevice handle, VkBuffer buffer, const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    drop(made.buffers, (uintptr_t)buffer);
}

VKAPI_ATTR void VKAPI_CALL made_buffer_needs(VkDevice handle, VkBuffer buffer, VkMemoryRequirements *needs)
{
    (void)handle, (void)buffer;
    *needs = (VkMemoryRequirements){MADE_BLOCK_BYTES, 1, 1};
}

VKAPI_ATTR VkResult VKAPI_CALL made_memory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory)
{
    (void)handle, (void)callbacks;
    assert_true(info->allocationSize <= MADE_BLOCK_BYTES);
    *memory = (VkDeviceMemory)take(made.memories);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL made_memory_drop(VkDevice handle, VkDeviceMemory memory,
                                            const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    drop(made.memories, (uintptr_t)memory);
}

VKAPI_ATTR VkResult VKAPI_CALL made_memory_bind(VkDevice handle, VkBuffer buffer, VkDeviceMemory memory,
                                                VkDeviceSize offset)
{
    (void)handle;
    assert_int_equal(offset, 0);
    made.bound[(uintptr_t)buffer - 1] = memory;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL made_memory_map(VkDevice handle, VkDeviceMemory memory, VkDeviceSize offset,
                                               VkDeviceSize size, VkMemoryMapFlags flags, void **mapped)
{
    (void)handle, (void)size, (void)flags;
    *mapped = block_of(memory) + offset;
    return VK_SUCCESS;
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL made_buffer_address(VkDevice handle, const VkBufferDeviceAddressInfo *info)
{
    (void)handle;
    return (VkDeviceAddress)(uintptr_t)block_of(made.bound[(uintptr_t)info->buffer - 1]);
}
