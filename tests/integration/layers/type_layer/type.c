/* SPDX-License-Identifier: MIT */
#include "type.h"

#include <stdlib.h>
#include <string.h>

#include "harness/device/one_device_layer.h"

LAYER_EXPORT struct type_control type_control;

static PFN_vkEnumerateDeviceExtensionProperties next_extensions; /* of every instance */

#define COMMANDS(ENTRY)                                                                                                \
    ENTRY(AllocateMemory)                                                                                              \
    ENTRY(CreateBuffer)                                                                                                \
    ENTRY(CreateDescriptorSetLayout)                                                                                   \
    ENTRY(CreateDescriptorPool)                                                                                        \
    ENTRY(CreateDescriptorUpdateTemplate)                                                                              \
    ENTRY(UpdateDescriptorSets)                                                                                        \
    ENTRY(CmdPushDescriptorSetKHR)
COMMANDS(NEXT_DECLARE)

static VkDescriptorType driver_type(VkDescriptorType type)
{
    return type == TYPE_UNKNOWN ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : type;
}

static void *duplicate(const void *from, size_t bytes)
{
    void *to = malloc(bytes + 1);
    if (!to)
        abort();
    return memcpy(to, from, bytes);
}

static VKAPI_ATTR VkResult VKAPI_CALL type_CreateDescriptorSetLayout(VkDevice device,
                                                                     const VkDescriptorSetLayoutCreateInfo *info,
                                                                     const VkAllocationCallbacks *callbacks,
                                                                     VkDescriptorSetLayout *layout)
{
    VkDescriptorSetLayoutCreateInfo below = *info;
    VkDescriptorSetLayoutBinding *bindings =
        info->bindingCount ? duplicate(info->pBindings, info->bindingCount * sizeof(*bindings)) : NULL;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        bindings[i].descriptorType = driver_type(bindings[i].descriptorType);
    below.pBindings = bindings;
    const VkResult result = NEXT(CreateDescriptorSetLayout)(device, &below, callbacks, layout);
    free(bindings);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL type_CreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo *info,
                                                                const VkAllocationCallbacks *callbacks,
                                                                VkDescriptorPool *pool)
{
    VkDescriptorPoolCreateInfo below = *info;
    VkDescriptorPoolSize *sizes = duplicate(info->pPoolSizes, info->poolSizeCount * sizeof(*sizes));
    for (uint32_t i = 0; i < info->poolSizeCount; i++)
        sizes[i].type = driver_type(sizes[i].type);
    below.pPoolSizes = sizes;
    const VkResult result = NEXT(CreateDescriptorPool)(device, &below, callbacks, pool);
    free(sizes);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
type_CreateDescriptorUpdateTemplate(VkDevice device, const VkDescriptorUpdateTemplateCreateInfo *info,
                                    const VkAllocationCallbacks *callbacks, VkDescriptorUpdateTemplate *made)
{
    VkDescriptorUpdateTemplateCreateInfo below = *info;
    const uint32_t count = info->descriptorUpdateEntryCount;
    VkDescriptorUpdateTemplateEntry *entries = duplicate(info->pDescriptorUpdateEntries, count * sizeof(*entries));
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].descriptorType == TYPE_UNKNOWN)
            atomic_fetch_add(&type_control.templates, 1);
        entries[i].descriptorType = driver_type(entries[i].descriptorType);
    }
    below.pDescriptorUpdateEntries = entries;
    const VkResult result = NEXT(CreateDescriptorUpdateTemplate)(device, &below, callbacks, made);
    free(entries);
    return result;
}

static void look_at_writes(uint32_t count, const VkWriteDescriptorSet *writes)
{
    for (uint32_t i = 0; i < count; i++) {
        if (writes[i].descriptorType == TYPE_UNKNOWN)
            atomic_fetch_add(&type_control.written, 1);
    }
}

static VKAPI_ATTR void VKAPI_CALL type_UpdateDescriptorSets(VkDevice device, uint32_t write_count,
                                                            const VkWriteDescriptorSet *writes, uint32_t copy_count,
                                                            const VkCopyDescriptorSet *copies)
{
    look_at_writes(write_count, writes);
    NEXT(UpdateDescriptorSets)(device, write_count, writes, copy_count, copies);
}

static VKAPI_ATTR void VKAPI_CALL type_CmdPushDescriptorSetKHR(VkCommandBuffer commands, VkPipelineBindPoint bind_point,
                                                               VkPipelineLayout layout, uint32_t set, uint32_t count,
                                                               const VkWriteDescriptorSet *writes)
{
    look_at_writes(count, writes);
    NEXT(CmdPushDescriptorSetKHR)(commands, bind_point, layout, set, count, writes);
}

static VKAPI_ATTR VkResult VKAPI_CALL type_CreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                                        const VkAllocationCallbacks *callbacks, VkBuffer *buffer)
{
    VkBufferCreateInfo below = *info;
    if (info->sharingMode == VK_SHARING_MODE_CONCURRENT) {
        atomic_fetch_add(&type_control.concurrent, 1);
        atomic_store(&type_control.families, info->queueFamilyIndexCount);
        below.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    } else {
        atomic_fetch_add(&type_control.exclusive, 1);
    }
    return NEXT(CreateBuffer)(device, &below, callbacks, buffer);
}

static VKAPI_ATTR VkResult VKAPI_CALL type_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                          const VkAllocationCallbacks *callbacks,
                                                          VkDeviceMemory *memory)
{
    const VkResult result = NEXT(AllocateMemory)(device, info, callbacks, memory);
    const VkBaseInStructure *next = info->pNext;
    while (next && next->sType != VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT)
        next = next->pNext;
    const float priority = next ? ((const VkMemoryPriorityAllocateInfoEXT *)(const void *)next)->priority : 0;
    atomic_fetch_add(&type_control.allocations, 1);
    atomic_fetch_add(&type_control.refused, result != VK_SUCCESS);
    atomic_fetch_add(&type_control.highest, priority >= 1);
    atomic_fetch_add(&type_control.middling, next && priority >= 0.5f && priority <= 0.5f);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL
type_GetDescriptorSetLayoutHostMappingInfoVALVE(VkDevice device, const VkDescriptorSetBindingReferenceVALVE *reference,
                                                VkDescriptorSetLayoutHostMappingInfoVALVE *mapping)
{
    (void)device;
    mapping->descriptorOffset = reference->binding;
}

/* ---- Chain ---- */

static VKAPI_ATTR VkResult VKAPI_CALL type_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator, VkDevice *device)
{
    VkDeviceCreateInfo below = *info;
    if (below.queueCreateInfoCount > 1)
        below.queueCreateInfoCount = 1;
    const VkResult result = layer_create_device(physical, info, &below, allocator, device);
    if (result != VK_SUCCESS)
        return result;
    COMMANDS(NEXT_OF_DEVICE)
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL type_CreateInstance(const VkInstanceCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator, VkInstance *instance)
{
    const VkResult result = layer_create_instance(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    next_extensions =
        (PFN_vkEnumerateDeviceExtensionProperties)next_instance_proc(*instance, "vkEnumerateDeviceExtensionProperties");
    return result;
}

/* One more than the driver has, where a program asks what a device has. */
static VKAPI_ATTR VkResult VKAPI_CALL type_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
                                                                              const char *layer, uint32_t *count,
                                                                              VkExtensionProperties *list)
{
    static const VkExtensionProperties more = {VK_VALVE_DESCRIPTOR_SET_HOST_MAPPING_EXTENSION_NAME, 1};
    const uint32_t room = *count;
    VkResult result = next_extensions(physical, layer, count, list);
    if (!list)
        *count += 1;
    else if (result == VK_SUCCESS && *count < room)
        list[(*count)++] = more;
    else if (result == VK_SUCCESS)
        result = VK_INCOMPLETE;
    return result;
}

/* One is of an extension that the driver lacks. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL type_GetDeviceProcAddr(VkDevice device, const char *name)
{
    return strcmp(name, "vkGetDescriptorSetLayoutHostMappingInfoVALVE") ? layer_GetDeviceProcAddr(device, name)
                                                                        : find(name);
}

static PFN_vkVoidFunction find(const char *name)
{
    static const struct layer_command commands[] = {
#define COMMAND(NAME) LAYER_COMMAND("vk" #NAME, type_##NAME),
        COMMANDS(COMMAND) COMMAND(CreateInstance) COMMAND(CreateDevice) COMMAND(EnumerateDeviceExtensionProperties)
            COMMAND(GetDescriptorSetLayoutHostMappingInfoVALVE) LAYER_LOOK_UP(type_GetDeviceProcAddr)};
    return LAYER_COMMAND_FIND(commands, name);
}

LAYER_EXPORTS(type_GetDeviceProcAddr)
