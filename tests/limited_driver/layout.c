/* SPDX-License-Identifier: MIT */
/* Descriptor set layouts and pipeline layouts: how many descriptors they hold. */
#include <stdlib.h>
#include <string.h>

#include "layer.h"

/* What limits count, in the order of layer.h's ENFORCED_LIMITS: first in one stage, then in all. */
enum layout_count {
    STAGE_SAMPLERS,
    STAGE_UNIFORM_BUFFERS,
    STAGE_STORAGE_BUFFERS,
    STAGE_SAMPLED_IMAGES,
    STAGE_STORAGE_IMAGES,
    STAGE_INPUT_ATTACHMENTS,
    STAGE_RESOURCES,
    STAGE_COUNTS,
    SET_SAMPLERS = STAGE_COUNTS,
    SET_UNIFORM_BUFFERS,
    SET_UNIFORM_BUFFERS_DYNAMIC,
    SET_STORAGE_BUFFERS,
    SET_STORAGE_BUFFERS_DYNAMIC,
    SET_SAMPLED_IMAGES,
    SET_STORAGE_IMAGES,
    SET_INPUT_ATTACHMENTS,
    LAYOUT_COUNTS,
};

_Static_assert(ENFORCED_maxDescriptorSetInputAttachments - ENFORCED_maxPerStageDescriptorSamplers ==
                   SET_INPUT_ATTACHMENTS,
               "the limits stand in the order of enum layout_count");
_Static_assert(ENFORCED_maxDescriptorSetUpdateAfterBindInputAttachments -
                       ENFORCED_maxPerStageDescriptorUpdateAfterBindSamplers ==
                   SET_INPUT_ATTACHMENTS,
               "the limits after bind stand in the order of enum layout_count");

#define COUNT(name) (1u << (name))

/* The counts that a descriptor of a type goes into, but for STAGE_RESOURCES, which has all but plain samplers. */
static uint32_t counts_of(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        return COUNT(STAGE_SAMPLERS) | COUNT(SET_SAMPLERS);
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        return COUNT(STAGE_SAMPLERS) | COUNT(SET_SAMPLERS) | COUNT(STAGE_SAMPLED_IMAGES) | COUNT(SET_SAMPLED_IMAGES);
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return COUNT(STAGE_SAMPLED_IMAGES) | COUNT(SET_SAMPLED_IMAGES);
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return COUNT(STAGE_STORAGE_IMAGES) | COUNT(SET_STORAGE_IMAGES);
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return COUNT(STAGE_UNIFORM_BUFFERS) | COUNT(SET_UNIFORM_BUFFERS);
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
        return COUNT(STAGE_UNIFORM_BUFFERS) | COUNT(SET_UNIFORM_BUFFERS_DYNAMIC);
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return COUNT(STAGE_STORAGE_BUFFERS) | COUNT(SET_STORAGE_BUFFERS);
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        return COUNT(STAGE_STORAGE_BUFFERS) | COUNT(SET_STORAGE_BUFFERS_DYNAMIC);
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return COUNT(STAGE_INPUT_ATTACHMENTS) | COUNT(SET_INPUT_ATTACHMENTS);
    default:
        return 0;
    }
}

/* Inline uniform blocks count their bytes; they take one descriptor. */
static uint32_t descriptors_of(VkDescriptorType type, uint32_t count)
{
    return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK && count ? 1 : count;
}

static uint64_t total_of(const VkDescriptorSetLayoutCreateInfo *info)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        total += descriptors_of(info->pBindings[i].descriptorType, info->pBindings[i].descriptorCount);
    return total;
}

/* ---- Set layouts ---- */

static int by_number(const void *a, const void *b)
{
    uint32_t left = ((const struct binding *)a)->number, right = ((const struct binding *)b)->number;
    return (left > right) - (left < right);
}

static bool copy_immutable(const struct device *device, struct binding *binding,
                           const VkDescriptorSetLayoutBinding *from)
{
    if (!from->pImmutableSamplers || !from->descriptorCount ||
        (from->descriptorType != VK_DESCRIPTOR_TYPE_SAMPLER &&
         from->descriptorType != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER))
        return true;
    binding->immutable = malloc(from->descriptorCount * sizeof(VkSampler));
    binding->serials = malloc(from->descriptorCount * sizeof(*binding->serials));
    for (uint32_t i = 0; binding->immutable && binding->serials && i < from->descriptorCount; i++) {
        const struct object *sampler =
            object_find(&device->objects, VK_OBJECT_TYPE_SAMPLER, HANDLE(from->pImmutableSamplers[i]));
        binding->immutable[i] = from->pImmutableSamplers[i];
        binding->serials[i] = sampler ? sampler->serial : 0;
    }
    return binding->immutable && binding->serials;
}

static struct set_layout *copy_layout(const struct device *device, const VkDescriptorSetLayoutCreateInfo *info)
{
    struct set_layout *layout = calloc(1, sizeof(*layout));
    if (!layout)
        return NULL;
    layout->references = 1;
    layout->flags = info->flags;
    layout->bindings = calloc(info->bindingCount ? info->bindingCount : 1, sizeof(*layout->bindings));
    bool good = layout->bindings != NULL;
    for (uint32_t i = 0; good && i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *from = &info->pBindings[i];
        layout->bindings[i] =
            (struct binding){from->binding, from->descriptorType, from->descriptorCount, from->stageFlags, NULL, NULL};
        layout->binding_count++;
        good = copy_immutable(device, &layout->bindings[i], from);
    }
    if (!good) {
        set_layout_release(layout);
        return NULL;
    }
    qsort(layout->bindings, layout->binding_count, sizeof(*layout->bindings), by_number);
    return layout;
}

static bool is_push(const VkDescriptorSetLayoutCreateInfo *info)
{
    return (info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR) != 0;
}

VKAPI_ATTR VkResult hook_CreateDescriptorSetLayout(VkDevice handle, const VkDescriptorSetLayoutCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkDescriptorSetLayout *result)
{
    struct device *device = device_of(handle);
    const char *command = "vkCreateDescriptorSetLayout";
    use_limit(device, is_push(info) ? ENFORCED_maxPushDescriptors : ENFORCED_maxPerSetDescriptors, total_of(info),
              command);
    VkResult created = device->next.CreateDescriptorSetLayout(handle, info, allocator, result);
    if (created != VK_SUCCESS)
        return created;
    bool known;
    pthread_mutex_lock(&device->lock);
    struct object *object = object_add(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, HANDLE(*result), &known);
    if (object && !known)
        object->set_layout = copy_layout(device, info);
    pthread_mutex_unlock(&device->lock);
    return created;
}

VKAPI_ATTR void hook_DestroyDescriptorSetLayout(VkDevice handle, VkDescriptorSetLayout layout,
                                                const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    object_remove(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, HANDLE(layout));
    pthread_mutex_unlock(&device->lock);
    device->next.DestroyDescriptorSetLayout(handle, layout, allocator);
}

VKAPI_ATTR void hook_GetDescriptorSetLayoutSupport(VkDevice handle, const VkDescriptorSetLayoutCreateInfo *info,
                                                   VkDescriptorSetLayoutSupport *support)
{
    struct device *device = device_of(handle);
    device->next.GetDescriptorSetLayoutSupport(handle, info, support);
    enum enforced_limit limit = is_push(info) ? ENFORCED_maxPushDescriptors : ENFORCED_maxPerSetDescriptors;
    /* Layouts up to maxPerSetDescriptors are always supported; a poorer driver supports none above. */
    if (device->limits[limit].set && total_of(info) > device->limits[limit].value.whole)
        support->supported = VK_FALSE;
}

/* ---- Pipeline layouts ---- */

static void add(uint64_t counts[LAYOUT_COUNTS], const struct binding *binding, uint32_t first, uint32_t end)
{
    uint32_t kinds = counts_of(binding->type), count = descriptors_of(binding->type, binding->count);
    for (uint32_t i = first; i < end; i++)
        if (kinds & COUNT(i))
            counts[i] += count;
    if (first <= STAGE_RESOURCES && STAGE_RESOURCES < end && kinds && binding->type != VK_DESCRIPTOR_TYPE_SAMPLER)
        counts[STAGE_RESOURCES] += count;
}

/* The greatest count of each kind in one stage, and the sum over all stages. */
static void count_descriptors(const struct pipeline_layout *layout, bool after_bind, uint64_t greatest[LAYOUT_COUNTS])
{
    memset(greatest, 0, LAYOUT_COUNTS * sizeof(*greatest));
    for (uint32_t stage = 0; stage < 32; stage++) {
        uint64_t counts[LAYOUT_COUNTS] = {0};
        for (uint32_t s = 0; s < layout->set_count; s++) {
            const struct set_layout *set = layout->sets[s];
            /* Sets that change after binding do not count against the limits of those that do not (03016 to 03021). */
            if (!set || (!after_bind && (set->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT) != 0))
                continue;
            for (uint32_t b = 0; b < set->binding_count; b++) {
                if (set->bindings[b].stages & (1u << stage))
                    add(counts, &set->bindings[b], 0, STAGE_COUNTS);
                add(counts, &set->bindings[b], STAGE_COUNTS, LAYOUT_COUNTS);
            }
        }
        for (uint32_t i = 0; i < LAYOUT_COUNTS; i++)
            greatest[i] = counts[i] > greatest[i] ? counts[i] : greatest[i];
    }
}

static void judge_pipeline_layout(struct device *device, const VkPipelineLayoutCreateInfo *info,
                                  const struct pipeline_layout *layout)
{
    const char *command = "vkCreatePipelineLayout";
    uint64_t counts[LAYOUT_COUNTS];
    use_limit(device, ENFORCED_maxBoundDescriptorSets, info->setLayoutCount, command);
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++)
        use_limit(device, ENFORCED_maxPushConstantsSize,
                  (uint64_t)info->pPushConstantRanges[i].offset + info->pPushConstantRanges[i].size, command);
    count_descriptors(layout, false, counts);
    for (uint32_t i = 0; i < LAYOUT_COUNTS; i++)
        use_limit(device, ENFORCED_maxPerStageDescriptorSamplers + i, counts[i], command);
    count_descriptors(layout, true, counts);
    for (uint32_t i = 0; i < LAYOUT_COUNTS; i++)
        use_limit(device, ENFORCED_maxPerStageDescriptorUpdateAfterBindSamplers + i, counts[i], command);
}

/* The set layouts, each with a reference; false without memory. Call with the lock held. */
static bool collect_sets(struct device *device, const VkPipelineLayoutCreateInfo *info, struct pipeline_layout *layout)
{
    layout->sets = calloc(info->setLayoutCount ? info->setLayoutCount : 1, sizeof(struct set_layout *));
    if (!layout->sets)
        return false;
    layout->set_count = info->setLayoutCount;
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        const struct object *object =
            object_find(&device->objects, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, HANDLE(info->pSetLayouts[i]));
        if (object && object->set_layout) {
            layout->sets[i] = object->set_layout;
            layout->sets[i]->references++;
        }
    }
    return true;
}

static void release_sets(struct pipeline_layout *layout)
{
    for (uint32_t i = 0; i < layout->set_count; i++)
        set_layout_release(layout->sets[i]);
    free(layout->sets);
}

VKAPI_ATTR VkResult hook_CreatePipelineLayout(VkDevice handle, const VkPipelineLayoutCreateInfo *info,
                                              const VkAllocationCallbacks *allocator, VkPipelineLayout *result)
{
    struct device *device = device_of(handle);
    struct pipeline_layout layout = {0};
    pthread_mutex_lock(&device->lock);
    bool collected = collect_sets(device, info, &layout);
    if (collected)
        judge_pipeline_layout(device, info, &layout);
    pthread_mutex_unlock(&device->lock);

    VkResult created = device->next.CreatePipelineLayout(handle, info, allocator, result);
    pthread_mutex_lock(&device->lock);
    bool known = false;
    struct object *object = NULL;
    if (created == VK_SUCCESS && collected)
        object = object_add(&device->objects, VK_OBJECT_TYPE_PIPELINE_LAYOUT, HANDLE(*result), &known);
    if (object && !known)
        object->pipeline_layout = layout;
    else
        release_sets(&layout);
    pthread_mutex_unlock(&device->lock);
    return created;
}

VKAPI_ATTR void hook_DestroyPipelineLayout(VkDevice handle, VkPipelineLayout layout,
                                           const VkAllocationCallbacks *allocator)
{
    struct device *device = device_of(handle);
    pthread_mutex_lock(&device->lock);
    object_remove(&device->objects, VK_OBJECT_TYPE_PIPELINE_LAYOUT, HANDLE(layout));
    pthread_mutex_unlock(&device->lock);
    device->next.DestroyPipelineLayout(handle, layout, allocator);
}
