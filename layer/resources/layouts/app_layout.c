/* SPDX-License-Identifier: MIT */
/*
 * Set layouts of application-managed descriptors. Programs place descriptors by the sizes that they see, one behind the
 * other, so that the driver's binding has `scale` descriptors for each of the program's; binding offsets and the
 * layout's size are the driver's own. Embedded samplers are not scaled: there is one in a binding, and no memory.
 */
#include "layouts/app_layout.h"

#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/message.h"
#include "objects/pnext.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "objects/track.h"
#include "record_table/record_table.h"
#include "device/instance.h"
#include "device/app_descriptors.h"
#include "spirv/spirv.h"

/* A size that descriptors have one behind the other: of the driver's, and as the program sees them. */
struct stride {
    VkDeviceSize driver, program;
};

static VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes_of(const struct device *device)
{
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
    instance_properties2(device->instance, device->physical)(device->physical, &all);
    return sizes;
}

/* The larger of the sizes that a type may have: this does not depend on whether robustBufferAccess is enabled. */
static VkDeviceSize larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The sizes of types without a record index, which a mutable binding may have beside others. */
static VkDeviceSize other_size(const VkPhysicalDeviceDescriptorBufferPropertiesEXT *sizes, VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return sizes->storageImageDescriptorSize;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return larger(sizes->storageTexelBufferDescriptorSize, sizes->robustStorageTexelBufferDescriptorSize);
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return larger(sizes->uniformBufferDescriptorSize, sizes->robustUniformBufferDescriptorSize);
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return larger(sizes->storageBufferDescriptorSize, sizes->robustStorageBufferDescriptorSize);
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
        return sizes->accelerationStructureDescriptorSize;
    default:
        return 0;
    }
}

static void grow(struct stride *stride, VkDeviceSize driver, VkDeviceSize program)
{
    stride->driver = driver > stride->driver ? driver : stride->driver;
    stride->program = program > stride->program ? program : stride->program;
}

/* A mutable descriptor is as large as the largest of its types. */
static struct stride mutable_stride(const struct device *device, const VkMutableDescriptorTypeListEXT *list)
{
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = sizes_of(device);
    struct stride stride = {0};
    for (uint32_t i = 0; i < list->descriptorTypeCount; i++) {
        const enum app_descriptor_kind kind = app_descriptor_kind_of(list->pDescriptorTypes[i]);
        const struct app_descriptor_size *size = &device->caps.app_descriptors.sizes[kind];
        if (kind == APP_DESCRIPTOR_KINDS) {
            const VkDeviceSize other = other_size(&sizes, list->pDescriptorTypes[i]);
            grow(&stride, other, other);
        } else {
            grow(&stride, size->size, (VkDeviceSize)size->size * size->scale);
        }
    }
    return stride;
}

static bool is_embedded(const VkDescriptorSetLayoutCreateInfo *info)
{
    return info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT;
}

static const VkMutableDescriptorTypeListEXT *list_of(const VkDescriptorSetLayoutCreateInfo *info, uint32_t index)
{
    return info->pBindings[index].descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_EXT ? mutable_types(info->pNext, index)
                                                                                   : NULL;
}

bool app_binding_scales(const struct device *device, const VkDescriptorSetLayoutCreateInfo *info, uint32_t index)
{
    const VkDescriptorSetLayoutBinding *binding = &info->pBindings[index];
    const VkMutableDescriptorTypeListEXT *list = list_of(info, index);
    const enum app_descriptor_kind kind = app_descriptor_kind_of(binding->descriptorType);
    if (is_embedded(info) || !binding->descriptorCount)
        return false;
    if (list) {
        const struct stride stride = mutable_stride(device, list);
        return stride.program != stride.driver;
    }
    return kind != APP_DESCRIPTOR_KINDS && device->caps.app_descriptors.sizes[kind].scale > 1;
}

/* The driver's immutable samplers for a binding of `scale` of its descriptors for each of the program's. */
static VkResult scale_immutable(const struct track *track, const VkDescriptorSetLayoutBinding *from, struct binding *to)
{
    const size_t count = (size_t)from->descriptorCount * to->scale;
    to->driver = malloc(count * sizeof(*to->driver));
    for (size_t i = 0; to->driver && i < count; i++)
        to->driver[i] = to->nearest && i % to->scale == to->nearest ? track->layouts->nearest_sampler
                                                                    : from->pImmutableSamplers[i / to->scale];
    return to->driver ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult embed(struct track *track, const VkDescriptorSetLayoutBinding *from, struct binding *to)
{
    to->driver = malloc(from->descriptorCount * sizeof(*to->driver));
    to->record_indices = calloc(from->descriptorCount, sizeof(*to->record_indices));
    if (!to->driver || !to->record_indices)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < from->descriptorCount; i++) {
        const struct sampler sampler = sampler_find(track, from->pImmutableSamplers[i]);
        to->driver[i] = from->pImmutableSamplers[i];
        if (!sampler.state)
            continue;
        const struct pair *pair = pair_embedded(track, sampler.state);
        to->driver[i] = pair_sampler(pair, sampler.state, to->driver[i]);
        to->record_indices[i] = record_table_acquire(track, &pair->terms.record, 1);
    }
    return VK_SUCCESS;
}

/* The offset of the record index behind the driver's bytes, by the type that shaders declare there. */
static void remember_bindings(const struct device *device, const VkMutableDescriptorTypeListEXT *list,
                              struct binding *binding)
{
    const struct app_descriptor_size *sizes = device->caps.app_descriptors.sizes;
    const enum app_descriptor_kind kind = app_descriptor_kind_of(binding->type);
    for (uint32_t half = 0; !list && half < HALF_KINDS; half++)
        binding->index_offset_of_half[half] = kind == APP_DESCRIPTOR_KINDS ? 0 : sizes[kind].index_offset;
    if (!list)
        return;
    binding->index_offset_of_half[HALF_BOTH] = sizes[APP_COMBINED].index_offset;
    binding->index_offset_of_half[HALF_IMAGE] = sizes[APP_IMAGE].index_offset;
    binding->index_offset_of_half[HALF_SAMPLER] = sizes[APP_SAMPLER].index_offset;
}

/*
 * Which of the driver's descriptors, that are so far apart, has the bytes of a nearest sampler behind those of a
 * sampler of the program's; 0: none.
 */
static uint32_t nearest_of(const struct track *track, const struct binding *binding, VkDeviceSize apart)
{
    const struct app_descriptor_size *size = &track->device->caps.app_descriptors.sizes[APP_SAMPLER];
    return track->layouts->nearest_bytes && binding->scale > 1 && apart < size->index_offset && apart % size->size == 0;
}

static VkResult refuse_types(struct track *track)
{
    return refuse(track, "vkCreateDescriptorSetLayout",
                  "the sizes of the types of a mutable binding in a descriptor buffer leave no room for record "
                  "indices: add storage images to its types, or leave out those that are sampled");
}

/*
 * Texel buffers and input attachments of a mutable binding are declared as images, so that their record indices must be
 * at the offset of images'.
 */
static bool types_agree(const struct device *device, const VkMutableDescriptorTypeListEXT *list)
{
    for (uint32_t i = 0; i < list->descriptorTypeCount; i++) {
        const enum app_descriptor_kind kind = app_descriptor_kind_of(list->pDescriptorTypes[i]);
        if ((kind == APP_TEXEL_BUFFER || kind == APP_INPUT) &&
            device->caps.app_descriptors.sizes[kind].size != device->caps.app_descriptors.sizes[APP_IMAGE].size)
            return false;
    }
    return true;
}

static VkResult fill_binding(struct track *track, const VkDescriptorSetLayoutCreateInfo *info, uint32_t index,
                             struct binding *binding)
{
    const struct device *device = track->device;
    const VkDescriptorSetLayoutBinding *from = &info->pBindings[index];
    const VkMutableDescriptorTypeListEXT *list = list_of(info, index);
    const enum app_descriptor_kind kind = app_descriptor_kind_of(from->descriptorType);
    const bool samplers = from->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                          from->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    remember_bindings(device, list, binding);
    if (is_embedded(info))
        return samplers && from->pImmutableSamplers ? embed(track, from, binding) : VK_SUCCESS;
    if (!list && (kind == APP_DESCRIPTOR_KINDS || !app_binding_scales(device, info, index)))
        return VK_SUCCESS;
    if (list) {
        const struct stride stride = mutable_stride(device, list);
        if (stride.program == stride.driver) { /* numbers fit between the types */
            binding->stride = (uint32_t)stride.program;
            return VK_SUCCESS;
        }
        if (stride.program % stride.driver || !types_agree(device, list))
            return refuse_types(track);
        binding->scale = (uint32_t)(stride.program / stride.driver);
        binding->stride = (uint32_t)stride.program;
        if (mutable_holds_samplers(info->pNext, index))
            binding->nearest = nearest_of(track, binding, stride.driver);
    } else {
        const struct app_descriptor_size *size = &device->caps.app_descriptors.sizes[kind];
        binding->scale = size->scale;
        binding->stride = size->size * size->scale;
        if (kind == APP_SAMPLER)
            binding->nearest = nearest_of(track, binding, size->size);
    }
    return samplers && from->pImmutableSamplers && !binding->immutable ? scale_immutable(track, from, binding)
                                                                       : VK_SUCCESS;
}

static bool holds_inputs(const VkDescriptorSetLayoutCreateInfo *info, uint32_t index)
{
    const VkMutableDescriptorTypeListEXT *list = list_of(info, index);
    bool any = info->pBindings[index].descriptorType == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    for (uint32_t i = 0; list && i < list->descriptorTypeCount; i++)
        any |= list->pDescriptorTypes[i] == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    return any;
}

/*
 * The program's element i is the driver's element scale * i, but what a driver takes for its input attachment by
 * InputAttachmentIndex is the index of the array and the element. No decoration says otherwise.
 */
static void say_inputs(const struct track *track)
{
    static struct message_place said;
    message_about_once(&said, track->device, LOG_WARN, NULL,
                       "a descriptor set layout has an array of input attachments in a descriptor buffer: drivers that "
                       "find them by InputAttachmentIndex, as many of tiling GPUs do, read others than the program's");
}

VkResult app_layout_fill(struct track *track, const VkDescriptorSetLayoutCreateInfo *info, struct set_layout *layout)
{
    VkResult result = record_table_open(track);
    layout->embedded = is_embedded(info);
    for (uint32_t i = 0; i < info->bindingCount && result == VK_SUCCESS; i++) {
        if (!info->pBindings[i].descriptorCount)
            continue;
        /* Its bindings are the table's own here, and not yet anybody else's. */
        struct binding *binding = (struct binding *)(uintptr_t)set_layout_binding(layout, info->pBindings[i].binding);
        result = fill_binding(track, info, i, binding);
        const bool longer = binding->scale > 1 && binding->count > 1;
        layout->renumbered |= longer;
        if (longer && holds_inputs(info, i))
            say_inputs(track);
    }
    return result;
}

void app_binding_driver(const struct binding *binding, VkDescriptorSetLayoutBinding *for_driver)
{
    if (binding->scale > 1)
        for_driver->descriptorCount *= binding->scale;
    if (binding->driver)
        for_driver->pImmutableSamplers = binding->driver;
}

void app_layout_made(struct track *track, VkDescriptorSetLayout made, struct set_layout *layout)
{
    const struct device *device = track->device;
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct binding *binding = &layout->bindings[i];
        struct spirv_embedded *embedded = &layout->spirv_bindings[i].embedded;
        VkDeviceSize offset = 0;
        if (!layout->embedded)
            device->next.GetDescriptorSetLayoutBindingOffsetEXT(device->handle, made, binding->new_binding, &offset);
        for (uint32_t half = 0; half < HALF_KINDS; half++)
            embedded->offset[half] = (uint32_t)offset + binding->index_offset_of_half[half];
        embedded->record_indices = binding->record_indices;
        embedded->stride = binding->stride;
        layout->spirv_bindings[i].nearest = binding->nearest;
    }
}

void app_binding_finish(struct track *track, const struct binding *binding)
{
    for (uint32_t i = 0; binding->record_indices && i < binding->count; i++)
        record_table_release(track, binding->record_indices[i]);
    free(binding->record_indices);
    free(binding->driver);
}
