/* SPDX-License-Identifier: MIT */
/* Descriptors as they are written: where a sampler and a view meet, and which part of a buffer is bound. */
#include <stdlib.h>
#include <string.h>

#include "layer.h"

/* ---- Judging a descriptor; the lock is held ---- */

static uint32_t swizzled_channel(const struct sampler *sampler, VkComponentSwizzle swizzle, uint32_t own)
{
    switch (swizzle) {
    case VK_COMPONENT_SWIZZLE_ZERO:
        return 0;
    case VK_COMPONENT_SWIZZLE_ONE:
        return sampler->border_one;
    case VK_COMPONENT_SWIZZLE_IDENTITY:
        return sampler->border_color[own];
    default:
        return sampler->border_color[swizzle - VK_COMPONENT_SWIZZLE_R];
    }
}

/* Drivers without the feature swizzle the border or do not: nobody can tell where that comes to the same. */
static bool swizzle_shows(const struct sampler *sampler, const VkComponentMapping *mapping)
{
    const VkComponentSwizzle swizzles[4] = {mapping->r, mapping->g, mapping->b, mapping->a};
    for (uint32_t c = 0; c < 4; c++)
        if (swizzled_channel(sampler, swizzles[c], c) != sampler->border_color[c])
            return true;
    return false;
}

/* Whether a view's border is defined under a swizzle (VkPhysicalDeviceBorderColorSwizzleFeaturesEXT). */
static void judge_border(struct device *device, const struct sampler *sampler, const struct view *view,
                         const char *command)
{
    if (!sampler->border || !view->swizzled || !swizzle_shows(sampler, &view->components))
        return;
    use_feature(device, ENFORCED_borderColorSwizzle, command);
    if (!device->hidden[ENFORCED_borderColorSwizzle] && !sampler->border_mapping)
        use_feature(device, ENFORCED_borderColorSwizzleFromImage, command);
}

static void judge_pair(struct device *device, VkSampler sampler_handle, VkImageView view_handle, const char *command)
{
    const struct object *sampler = object_find(&device->objects, VK_OBJECT_TYPE_SAMPLER, HANDLE(sampler_handle));
    const struct object *view = object_find(&device->objects, VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE(view_handle));
    if (!sampler || !view)
        return;
    uint64_t needed = 0;
    if (sampler->sampler.linear)
        needed |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    if (sampler->sampler.cubic)
        needed |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT;
    if (sampler->sampler.minmax)
        needed |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
    if (sampler->sampler.compare)
        needed |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
    use_format(device, view->view.format, view->view.tiling, needed, command);
    judge_border(device, &sampler->sampler, &view->view, command);
}

static void judge_buffer(struct device *device, VkDescriptorType type, const VkDescriptorBufferInfo *info,
                         const char *command)
{
    bool uniform = type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    const struct object *buffer = object_find(&device->objects, VK_OBJECT_TYPE_BUFFER, HANDLE(info->buffer));
    if (!buffer)
        return;
    VkDeviceSize range = info->range == VK_WHOLE_SIZE ? buffer->buffer.size - info->offset : info->range;
    use_limit(device, uniform ? ENFORCED_maxUniformBufferRange : ENFORCED_maxStorageBufferRange, range, command);

    enum enforced_limit limit =
        uniform ? ENFORCED_minUniformBufferOffsetAlignment : ENFORCED_minStorageBufferOffsetAlignment;
    uint64_t alignment = device->limits[limit].set ? device->limits[limit].value.whole : 0;
    if (alignment && info->offset % alignment)
        violation(device->instance, LIMITED_DRIVER_LIMIT,
                  uniform ? "minUniformBufferOffsetAlignment" : "minStorageBufferOffsetAlignment", command,
                  "offset %llu is no multiple of %llu", (unsigned long long)info->offset,
                  (unsigned long long)alignment);
}

/* Goes from an array element to the one after it, over the end of a binding into the next (consecutive updates). */
struct cursor {
    const struct set_layout *layout;
    const struct binding *binding;
    uint32_t element;
};

static struct cursor cursor_at(const struct set_layout *layout, uint32_t number, uint32_t element)
{
    struct cursor cursor = {layout, layout ? set_layout_binding(layout, number) : NULL, element};
    const struct binding *end = layout ? layout->bindings + layout->binding_count : NULL;
    while (cursor.binding && cursor.binding < end && cursor.element >= cursor.binding->count) {
        cursor.element -= cursor.binding->count;
        cursor.binding++;
    }
    if (cursor.binding == end)
        cursor.binding = NULL;
    return cursor;
}

static VkSampler immutable_at(const struct set_layout *layout, uint32_t number, uint32_t element)
{
    struct cursor cursor = cursor_at(layout, number, element);
    return cursor.binding && cursor.binding->immutable ? cursor.binding->immutable[cursor.element] : VK_NULL_HANDLE;
}

/* One descriptor; `data` is a VkDescriptorImageInfo, a VkDescriptorBufferInfo or, for others, not looked at. */
static void judge_descriptor(struct device *device, const struct set_layout *layout, uint32_t binding, uint32_t element,
                             VkDescriptorType type, const void *data, const char *command)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: {
        VkDescriptorImageInfo info;
        memcpy(&info, data, sizeof(info));
        VkSampler immutable = immutable_at(layout, binding, element);
        judge_pair(device, immutable ? immutable : info.sampler, info.imageView, command);
        break;
    }
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC: {
        VkDescriptorBufferInfo info;
        memcpy(&info, data, sizeof(info));
        judge_buffer(device, type, &info, command);
        break;
    }
    default:
        break;
    }
}

static void judge_write(struct device *device, const struct set_layout *layout, const VkWriteDescriptorSet *write,
                        const char *command)
{
    bool image = write->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    bool buffer = write->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                  write->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
                  write->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
                  write->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    for (uint32_t i = 0; (image || buffer) && i < write->descriptorCount; i++)
        judge_descriptor(device, layout, write->dstBinding, write->dstArrayElement + i, write->descriptorType,
                         image ? (const void *)&write->pImageInfo[i] : (const void *)&write->pBufferInfo[i], command);
}

static void judge_template(struct device *device, const struct set_layout *layout, const struct template *template,
                           const void *data, const char *command)
{
    for (uint32_t e = 0; e < template->entry_count; e++) {
        const VkDescriptorUpdateTemplateEntry *entry = &template->entries[e];
        for (uint32_t i = 0; i < entry->descriptorCount; i++)
            judge_descriptor(device, layout, entry->dstBinding, entry->dstArrayElement + i, entry->descriptorType,
                             (const char *)data + entry->offset + i * entry->stride, command);
    }
}

/* The layout of a set, or of set number `set` of a pipeline layout; NULL: unknown. */
static const struct set_layout *layout_of(struct device *device, VkDescriptorSet set)
{
    const struct object *object = object_find(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_SET, HANDLE(set));
    return object ? object->set.layout : NULL;
}

static const struct set_layout *pushed_layout(struct device *device, VkPipelineLayout layout, uint32_t set)
{
    const struct object *object = object_find(&device->objects, VK_OBJECT_TYPE_PIPELINE_LAYOUT, HANDLE(layout));
    return object && set < object->pipeline_layout.set_count ? object->pipeline_layout.sets[set] : NULL;
}

/* ---- Sets ---- */

VKAPI_ATTR VkResult hook_AllocateDescriptorSets(VkDevice handle, const VkDescriptorSetAllocateInfo *info,
                                                VkDescriptorSet *sets)
{
    struct device *device = device_of(handle);
    VkResult result = device->next.AllocateDescriptorSets(handle, info, sets);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&device->lock);
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        bool known;
        const struct object *layout =
            object_find(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, HANDLE(info->pSetLayouts[i]));
        struct object *object = object_add(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_SET, HANDLE(sets[i]), &known);
        if (!object || known)
            continue;
        object->set = (struct set){layout ? layout->set_layout : NULL, info->descriptorPool};
        if (object->set.layout)
            object->set.layout->references++;
    }
    pthread_mutex_unlock(&device->lock);
    return result;
}

VKAPI_ATTR VkResult hook_FreeDescriptorSets(VkDevice handle, VkDescriptorPool pool, uint32_t count,
                                            const VkDescriptorSet *sets)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    for (uint32_t i = 0; i < count; i++)
        object_remove(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_SET, HANDLE(sets[i]));
    pthread_mutex_unlock(&device->lock);
    return device->next.FreeDescriptorSets(handle, pool, count, sets);
}

static void forget_pool(struct device *device, VkDescriptorPool pool)
{
    pthread_mutex_lock(&device->lock);
    object_remove_sets(&device->objects, pool);
    pthread_mutex_unlock(&device->lock);
}

VKAPI_ATTR VkResult hook_ResetDescriptorPool(VkDevice handle, VkDescriptorPool pool, VkDescriptorPoolResetFlags flags)
{
    struct device *device = device_of(handle);
    forget_pool(device, pool);
    return device->next.ResetDescriptorPool(handle, pool, flags);
}

VKAPI_ATTR void hook_DestroyDescriptorPool(VkDevice handle, VkDescriptorPool pool,
                                           const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    forget_pool(device, pool);
    device->next.DestroyDescriptorPool(handle, pool, allocator);
}

VKAPI_ATTR void hook_UpdateDescriptorSets(VkDevice handle, uint32_t write_count, const VkWriteDescriptorSet *writes,
                                          uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    for (uint32_t i = 0; i < write_count; i++)
        judge_write(device, layout_of(device, writes[i].dstSet), &writes[i], "vkUpdateDescriptorSets");
    pthread_mutex_unlock(&device->lock);
    device->next.UpdateDescriptorSets(handle, write_count, writes, copy_count, copies);
}

/* ---- Templates ---- */

VKAPI_ATTR VkResult hook_CreateDescriptorUpdateTemplate(VkDevice handle,
                                                        const VkDescriptorUpdateTemplateCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkDescriptorUpdateTemplate *result)
{
    struct device *device = device_of(handle);
    VkResult created = device->next.CreateDescriptorUpdateTemplate(handle, info, allocator, result);
    if (created != VK_SUCCESS)
        return created;
    bool known;
    pthread_mutex_lock(&device->lock);
    struct object *object =
        object_add(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE, HANDLE(*result), &known);
    if (object && !known) {
        size_t bytes = info->descriptorUpdateEntryCount * sizeof(*info->pDescriptorUpdateEntries);
        object->template.entries = malloc(bytes ? bytes : 1);
        if (object->template.entries) {
            memcpy(object->template.entries, info->pDescriptorUpdateEntries, bytes);
            object->template.entry_count = info->descriptorUpdateEntryCount;
        }
    }
    pthread_mutex_unlock(&device->lock);
    return created;
}

VKAPI_ATTR void hook_DestroyDescriptorUpdateTemplate(VkDevice handle, VkDescriptorUpdateTemplate template,
                                                     const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    object_remove(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE, HANDLE(template));
    pthread_mutex_unlock(&device->lock);
    device->next.DestroyDescriptorUpdateTemplate(handle, template, allocator);
}

VKAPI_ATTR void hook_UpdateDescriptorSetWithTemplate(VkDevice handle, VkDescriptorSet set,
                                                     VkDescriptorUpdateTemplate template, const void *data)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    const struct object *object =
        object_find(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE, HANDLE(template));
    if (object)
        judge_template(device, layout_of(device, set), &object->template, data, "vkUpdateDescriptorSetWithTemplate");
    pthread_mutex_unlock(&device->lock);
    device->next.UpdateDescriptorSetWithTemplate(handle, set, template, data);
}

/* ---- Push descriptors ---- */

static void judge_push(struct device *device, VkPipelineLayout layout, uint32_t set, uint32_t count,
                       const VkWriteDescriptorSet *writes, const char *command)
{
    pthread_mutex_lock(&device->lock);
    for (uint32_t i = 0; i < count; i++)
        judge_write(device, pushed_layout(device, layout, set), &writes[i], command);
    pthread_mutex_unlock(&device->lock);
}

static void judge_push_template(struct device *device, VkDescriptorUpdateTemplate template, VkPipelineLayout layout,
                                uint32_t set, const void *data, const char *command)
{
    pthread_mutex_lock(&device->lock);
    const struct object *object =
        object_find(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE, HANDLE(template));
    if (object)
        judge_template(device, pushed_layout(device, layout, set), &object->template, data, command);
    pthread_mutex_unlock(&device->lock);
}

VKAPI_ATTR void hook_CmdPushDescriptorSetKHR(VkCommandBuffer commands, VkPipelineBindPoint point,
                                             VkPipelineLayout layout, uint32_t set, uint32_t count,
                                             const VkWriteDescriptorSet *writes)
{
    struct device *device = device_of(commands);
    judge_push(device, layout, set, count, writes, "vkCmdPushDescriptorSetKHR");
    device->next.CmdPushDescriptorSetKHR(commands, point, layout, set, count, writes);
}

VKAPI_ATTR void hook_CmdPushDescriptorSet2KHR(VkCommandBuffer commands, const VkPushDescriptorSetInfoKHR *info)
{
    struct device *device = device_of(commands);
    judge_push(device, info->layout, info->set, info->descriptorWriteCount, info->pDescriptorWrites,
               "vkCmdPushDescriptorSet2KHR");
    device->next.CmdPushDescriptorSet2KHR(commands, info);
}

VKAPI_ATTR void hook_CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer commands, VkDescriptorUpdateTemplate template,
                                                         VkPipelineLayout layout, uint32_t set, const void *data)
{
    struct device *device = device_of(commands);
    judge_push_template(device, template, layout, set, data, "vkCmdPushDescriptorSetWithTemplateKHR");
    device->next.CmdPushDescriptorSetWithTemplateKHR(commands, template, layout, set, data);
}

VKAPI_ATTR void hook_CmdPushDescriptorSetWithTemplate2KHR(VkCommandBuffer commands,
                                                          const VkPushDescriptorSetWithTemplateInfoKHR *info)
{
    struct device *device = device_of(commands);
    judge_push_template(device, info->descriptorUpdateTemplate, info->layout, info->set, info->pData,
                        "vkCmdPushDescriptorSetWithTemplate2KHR");
    device->next.CmdPushDescriptorSetWithTemplate2KHR(commands, info);
}
