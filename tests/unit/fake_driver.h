/* SPDX-License-Identifier: MIT */
/*
 * The driver below tests of single subsystems, and what stands in for layer/device/device and for the tracker there:
 * one device, which each test fills in, and its subsystems. Whatever is dispatched is its, and nobody listens to
 * messages. One thread.
 */
#ifndef CLAMPLER_TESTS_FAKE_DRIVER_H
#define CLAMPLER_TESTS_FAKE_DRIVER_H

#include "device/device.h"
#include "objects/track.h"
#include "track/subsystems.h"

extern struct device device; /* with .track = &track */

/* The device's; each test begins the subsystems that it needs, and finishes them. */
extern struct subsystems subsystems;
extern struct track track;

/* Before each test where one leaves something behind: as in a new device, no subsystem has begun. */
void fake_track_begin(void);

/* What the device can do with a format; NULL: nothing. */
extern struct format_features (*fake_features)(VkFormat format);

#define HANDLE(TYPE, NUMBER) ((TYPE)(uintptr_t)(NUMBER))

/* ---- Layouts, shader modules, samplers and pools ---- */

extern struct fake_driver {
    uintptr_t last;    /* the next handle; each test says with which they begin */
    uint32_t bindings; /* of the last set layout */
    size_t code_size;  /* of the last module */
    int64_t modules;   /* alive */
    int64_t samplers;  /* alive */
} fake_driver;

/* In the initializer of the test's dispatch. */
#define FAKE_LAYOUTS_AND_MODULES                                                                                       \
    .CreateDescriptorSetLayout = fake_set_layout, .DestroyDescriptorSetLayout = fake_set_layout_drop,                  \
    .CreatePipelineLayout = fake_layout, .DestroyPipelineLayout = fake_layout_drop, .CreateShaderModule = fake_module, \
    .DestroyShaderModule = fake_module_drop

VKAPI_ATTR VkResult VKAPI_CALL fake_set_layout(VkDevice handle, const VkDescriptorSetLayoutCreateInfo *info,
                                               const VkAllocationCallbacks *callbacks, VkDescriptorSetLayout *layout);
VKAPI_ATTR void VKAPI_CALL fake_set_layout_drop(VkDevice handle, VkDescriptorSetLayout layout,
                                                const VkAllocationCallbacks *callbacks);
VKAPI_ATTR VkResult VKAPI_CALL fake_layout(VkDevice handle, const VkPipelineLayoutCreateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkPipelineLayout *layout);
VKAPI_ATTR void VKAPI_CALL fake_layout_drop(VkDevice handle, VkPipelineLayout layout,
                                            const VkAllocationCallbacks *callbacks);
VKAPI_ATTR VkResult VKAPI_CALL fake_module(VkDevice handle, const VkShaderModuleCreateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkShaderModule *module);
VKAPI_ATTR void VKAPI_CALL fake_module_drop(VkDevice handle, VkShaderModule module,
                                            const VkAllocationCallbacks *callbacks);

VKAPI_ATTR VkResult VKAPI_CALL fake_sampler(VkDevice handle, const VkSamplerCreateInfo *info,
                                            const VkAllocationCallbacks *callbacks, VkSampler *sampler);
VKAPI_ATTR void VKAPI_CALL fake_sampler_drop(VkDevice handle, VkSampler sampler,
                                             const VkAllocationCallbacks *callbacks);
VKAPI_ATTR VkResult VKAPI_CALL fake_pool(VkDevice handle, const VkDescriptorPoolCreateInfo *info,
                                         const VkAllocationCallbacks *callbacks, VkDescriptorPool *pool);
VKAPI_ATTR void VKAPI_CALL fake_pool_drop(VkDevice handle, VkDescriptorPool pool,
                                          const VkAllocationCallbacks *callbacks);

/* ---- Buffers and memory: a few blocks of the host's, buffers at their beginning; addresses are the host's ---- */

enum { MADE_BLOCKS = 4, MADE_BLOCK_BYTES = 1 << 22 };

/* All blocks are free, and the device has one type of memory, which the host sees. Before each test. */
void made_memory_open(struct device *known);

/* In the initializer of the test's dispatch. */
#define MADE_MEMORY                                                                                                    \
    .CreateBuffer = made_buffer, .DestroyBuffer = made_buffer_drop, .GetBufferMemoryRequirements = made_buffer_needs,  \
    .AllocateMemory = made_memory, .FreeMemory = made_memory_drop, .BindBufferMemory = made_memory_bind,               \
    .MapMemory = made_memory_map, .GetBufferDeviceAddress = made_buffer_address

VKAPI_ATTR VkResult VKAPI_CALL made_buffer(VkDevice handle, const VkBufferCreateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkBuffer *buffer);
VKAPI_ATTR void VKAPI_CALL made_buffer_drop(VkDevice handle, VkBuffer buffer, const VkAllocationCallbacks *callbacks);
VKAPI_ATTR void VKAPI_CALL made_buffer_needs(VkDevice handle, VkBuffer buffer, VkMemoryRequirements *needs);
VKAPI_ATTR VkResult VKAPI_CALL made_memory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory);
VKAPI_ATTR void VKAPI_CALL made_memory_drop(VkDevice handle, VkDeviceMemory memory,
                                            const VkAllocationCallbacks *callbacks);
VKAPI_ATTR VkResult VKAPI_CALL made_memory_bind(VkDevice handle, VkBuffer buffer, VkDeviceMemory memory,
                                                VkDeviceSize offset);
VKAPI_ATTR VkResult VKAPI_CALL made_memory_map(VkDevice handle, VkDeviceMemory memory, VkDeviceSize offset,
                                               VkDeviceSize size, VkMemoryMapFlags flags, void **mapped);
VKAPI_ATTR VkDeviceAddress VKAPI_CALL made_buffer_address(VkDevice handle, const VkBufferDeviceAddressInfo *info);

#endif
