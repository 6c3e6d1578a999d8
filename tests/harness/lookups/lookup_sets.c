/* SPDX-License-Identifier: MIT */
/*
 * The descriptors of lookups, in sets of every kind.
 *
 *   plain        written before the set is bound
 *   after-bind   written when all is recorded; while it is recorded they are others, which ask for nothing
 *   mutable      written as a storage buffer first, then as what they are
 *   push         all of them pushed
 *   descriptor-buffer   as after-bind, but as bytes in a descriptor buffer
 *   heaps               the same in heaps (lookup_heaps.c)
 */
#include <string.h>

#include "harness/lookups/lookup_sets.h"

enum { DESCRIPTOR_BYTES = 1 << 16 }; /* of the buffer for both sets: descriptors have some hundred bytes at most */
enum {
    TEXTURE = LOOKUP_TEXTURE,
    INPUTS = LOOKUP_INPUTS,
    SAMPLER = LOOKUP_SAMPLER,
    RESULTS = LOOKUP_RESULTS,
    NEIGHBOUR = LOOKUP_NEIGHBOUR,
    BINDINGS = LOOKUP_BINDINGS,
};

static bool in_heaps(const struct lookup_vulkan *lookups)
{
    return harness_sets_are_heaps(lookups->vk->sets);
}

/* The texture and, separate, the sampler: what differs from lookup to lookup, and between the kinds of sets. */
static VkDescriptorType sampled_type(bool separate, uint32_t binding)
{
    return binding == SAMPLER ? VK_DESCRIPTOR_TYPE_SAMPLER
           : separate         ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
                              : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

/* ---- Layouts ---- */

/* What a layout or a pool is made of; `info` and its chain point into it. */
struct layout_parts {
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    VkDescriptorBindingFlags flags[BINDINGS];
    VkDescriptorType types[BINDINGS][2];
    VkMutableDescriptorTypeListEXT lists[BINDINGS];
    VkDescriptorSetLayoutBindingFlagsCreateInfo with_flags;
    VkMutableDescriptorTypeCreateInfoEXT with_types;
    VkDescriptorSetLayoutCreateInfo info;
};

/* `mutables`: bits of bindings that are mutable. */
static void describe_layout(struct layout_parts *parts, enum harness_sets kind, bool separate, uint32_t mutables)
{
    const VkDescriptorSetLayoutBinding bindings[BINDINGS] = {
        {TEXTURE, sampled_type(separate, TEXTURE), 1, VK_SHADER_STAGE_ALL, NULL},
        {INPUTS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
        {RESULTS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {NEIGHBOUR, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL},
        {SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL},
    };
    *parts =
        (struct layout_parts){.info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                       .bindingCount = separate ? BINDINGS : BINDINGS - 1,
                                       .pBindings = parts->bindings},
                              .with_flags = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
                                             .bindingCount = separate ? BINDINGS : BINDINGS - 1,
                                             .pBindingFlags = parts->flags},
                              .with_types = {.sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
                                             .mutableDescriptorTypeListCount = separate ? BINDINGS : BINDINGS - 1,
                                             .pMutableDescriptorTypeLists = parts->lists}};
    memcpy(parts->bindings, bindings, sizeof(bindings));
    for (uint32_t i = 0; i < BINDINGS; i++) {
        const uint32_t binding = bindings[i].binding;
        if (kind == HARNESS_SETS_AFTER_BIND && (binding == TEXTURE || binding == SAMPLER))
            parts->flags[i] = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
        if (!(mutables & 1u << binding))
            continue;
        parts->types[i][0] = bindings[i].descriptorType;
        parts->types[i][1] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        parts->lists[i] = (VkMutableDescriptorTypeListEXT){2, parts->types[i]};
        parts->bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
    }
    if (kind == HARNESS_SETS_AFTER_BIND) {
        parts->info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
        parts->info.pNext = &parts->with_flags;
    } else if (kind == HARNESS_SETS_MUTABLE) {
        parts->info.pNext = &parts->with_types;
    } else if (kind == HARNESS_SETS_PUSH) {
        parts->info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    } else if (kind == HARNESS_SETS_DESCRIPTOR_BUFFER) {
        parts->info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    }
}

/* Only images and buffers must share a mutable descriptor on every driver: what more may be mutable is asked. */
static uint32_t mutable_bindings(const struct lookup_vulkan *lookups, bool separate)
{
    const uint32_t wanted[] = {1u << TEXTURE | (separate ? 1u << SAMPLER : 0u), separate ? 1u << TEXTURE : 0u};
    if (lookups->vk->sets != HARNESS_SETS_MUTABLE)
        return 0;
    for (uint32_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        struct layout_parts parts;
        VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
        describe_layout(&parts, HARNESS_SETS_MUTABLE, separate, wanted[i]);
        vkGetDescriptorSetLayoutSupport(lookups->vk->device, &parts.info, &support);
        if (support.supported)
            return wanted[i];
    }
    harness_fail("no mutable descriptor takes %s", separate ? "sampled images and storage buffers" : "anything");
}

/* ---- Writes ---- */

static void write_image(struct lookup_vulkan *lookups, bool separate, uint32_t binding, VkDescriptorType type,
                        VkSampler sampler, VkImageView view)
{
    if (in_heaps(lookups))
        lookup_heaps_put_image(lookups, separate, binding, type, sampler, view);
    else if (lookups->vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER)
        harness_descriptor_put_image(&lookups->buffered[separate], binding, 0, type, sampler, view);
    else
        harness_write_image(lookups->vk, lookups->sets[separate], binding, 0, type, sampler, view);
}

/* A storage buffer. */
static void write_buffer(struct lookup_vulkan *lookups, bool separate, uint32_t binding,
                         const struct harness_buffer *buffer)
{
    const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    if (in_heaps(lookups))
        lookup_heaps_put_buffer(lookups, separate, binding, buffer);
    else if (lookups->vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER)
        harness_descriptor_put_range(&lookups->buffered[separate], binding, 0, type,
                                     harness_buffer_address(lookups->vk, buffer), buffer->size, VK_FORMAT_UNDEFINED);
    else
        harness_write_buffer(lookups->vk, lookups->sets[separate], binding, type, buffer->buffer);
}

/* ---- Sets ---- */

static VkDescriptorPool create_pool(struct harness_vulkan *vk)
{
    static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                             VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLER,
                                             VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_MUTABLE_EXT};
    enum { TYPES = sizeof(types) / sizeof(types[0]) };
    VkDescriptorPoolSize sizes[TYPES];
    const bool mutables = vk->sets == HARNESS_SETS_MUTABLE;
    for (uint32_t i = 0; i < TYPES; i++)
        sizes[i] = (VkDescriptorPoolSize){types[i], 8};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT |
                 (vk->sets == HARNESS_SETS_AFTER_BIND ? (VkFlags)VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0),
        .maxSets = 4,
        .poolSizeCount = mutables ? TYPES : TYPES - 1,
        .pPoolSizes = sizes};
    VkDescriptorPool pool;
    HARNESS_VK(vkCreateDescriptorPool(vk->device, &info, NULL, &pool));
    return pool;
}

static VkDescriptorSet allocate(struct lookup_vulkan *lookups, VkDescriptorSetLayout layout)
{
    VkDescriptorSet set;
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = lookups->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    HARNESS_VK(vkAllocateDescriptorSets(lookups->vk->device, &info, &set));
    return set;
}

static void create_spare(struct lookup_vulkan *lookups)
{
    const VkDescriptorSetLayoutBinding binding = {TEXTURE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                  VK_SHADER_STAGE_ALL, NULL};
    lookups->spare_layout = harness_set_layout(lookups->vk, &binding, 1);
    lookups->spare = harness_set(lookups->vk, lookups->spare_layout);
}

static void open_heaps(struct lookup_vulkan *lookups)
{
    lookup_heaps_open(lookups);
    for (int separate = 0; separate < 2; separate++) {
        write_buffer(lookups, separate, INPUTS, &lookups->inputs);
        write_buffer(lookups, separate, RESULTS, &lookups->results);
    }
    lookup_sets_write_neighbour(lookups);
}

void lookup_sets_open(struct lookup_vulkan *lookups)
{
    struct harness_vulkan *vk = lookups->vk;
    if (in_heaps(lookups)) {
        open_heaps(lookups);
        return;
    }
    if (vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER) {
        harness_descriptors_open(&lookups->descriptors, vk);
        harness_descriptor_buffer_create(&lookups->descriptors, &lookups->buffer, 0, DESCRIPTOR_BYTES);
    } else if (vk->sets != HARNESS_SETS_PUSH) {
        lookups->pool = create_pool(vk);
    }
    for (uint32_t separate = 0; separate < 2; separate++) {
        struct layout_parts parts;
        lookups->mutables[separate] = mutable_bindings(lookups, separate);
        describe_layout(&parts, vk->sets, separate, lookups->mutables[separate]);
        HARNESS_VK(vkCreateDescriptorSetLayout(vk->device, &parts.info, NULL, &lookups->set_layouts[separate]));
        lookups->layouts[separate] = harness_pipeline_layout(vk, &lookups->set_layouts[separate], 1, LOOKUP_PUSH_BYTES);
        if (vk->sets == HARNESS_SETS_PUSH)
            continue;
        if (vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER)
            lookups->buffered[separate] =
                harness_descriptor_set_take(&lookups->descriptors, &lookups->buffer, lookups->set_layouts[separate]);
        else
            lookups->sets[separate] = allocate(lookups, lookups->set_layouts[separate]);
        write_buffer(lookups, separate, INPUTS, &lookups->inputs);
        write_buffer(lookups, separate, RESULTS, &lookups->results);
    }
    create_spare(lookups);
    lookup_sets_write_neighbour(lookups);
}

void lookup_sets_close(struct lookup_vulkan *lookups)
{
    VkDevice device = lookups->vk->device;
    if (in_heaps(lookups)) {
        lookup_heaps_close(lookups);
        return;
    }
    HARNESS_VK(vkFreeDescriptorSets(device, lookups->vk->descriptors, 1, &lookups->spare));
    vkDestroyDescriptorSetLayout(device, lookups->spare_layout, NULL);
    vkDestroyDescriptorPool(device, lookups->pool, NULL);
    if (lookups->vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER)
        harness_descriptor_buffer_destroy(&lookups->descriptors, &lookups->buffer);
    for (int i = 0; i < 2; i++) {
        vkDestroyPipelineLayout(device, lookups->layouts[i], NULL);
        vkDestroyDescriptorSetLayout(device, lookups->set_layouts[i], NULL);
    }
}

void lookup_sets_write_neighbour(struct lookup_vulkan *lookups)
{
    for (int i = 0; i < 2 && lookups->vk->sets != HARNESS_SETS_PUSH; i++)
        write_image(lookups, i, NEIGHBOUR, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                    lookups->neighbour_samplers[lookups->beside_filter], lookups->neighbour_image.view);
}

/* ---- Lookups ---- */

/* Written when all is recorded. */
static bool writes_late(const struct lookup_vulkan *lookups)
{
    return lookups->vk->sets == HARNESS_SETS_AFTER_BIND || lookups->vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER ||
           in_heaps(lookups);
}

static void write(struct lookup_vulkan *lookups, bool separate, VkImageView view, VkSampler sampler)
{
    write_image(lookups, separate, TEXTURE, sampled_type(separate, TEXTURE), separate ? VK_NULL_HANDLE : sampler, view);
    if (separate)
        write_image(lookups, separate, SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
}

void lookup_sets_prepare(struct lookup_vulkan *lookups, const struct lookup_sampled *sampled)
{
    const bool separate = sampled->separate;
    if (lookups->vk->sets == HARNESS_SETS_PUSH)
        return;
    if (writes_late(lookups)) {
        write(lookups, separate, lookups->neighbour_image.view, lookups->neighbour_samplers[0]);
        return;
    }
    for (uint32_t binding = TEXTURE; binding < BINDINGS; binding++)
        if (lookups->mutables[separate] & 1u << binding)
            write_buffer(lookups, separate, binding, &lookups->inputs);
    write(lookups, separate, sampled->view, sampled->sampler);
}

static void bind_buffer(const struct lookup_vulkan *lookups, bool separate, VkCommandBuffer commands,
                        VkPipelineBindPoint point)
{
    const struct harness_descriptor_buffer *buffers[] = {&lookups->buffer};
    harness_descriptor_buffers_bind(&lookups->descriptors, commands, buffers, 1);
    harness_descriptor_offset(&lookups->descriptors, commands, point, lookups->layouts[separate], 0, 0,
                              lookups->buffered[separate].offset);
}

static void push(struct lookup_vulkan *lookups, const struct lookup_sampled *sampled, VkCommandBuffer commands,
                 VkPipelineBindPoint point)
{
    const bool separate = sampled->separate;
    const VkImageLayout readable = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const VkDescriptorImageInfo texture = {separate ? VK_NULL_HANDLE : sampled->sampler, sampled->view, readable};
    const VkDescriptorImageInfo sampler = {.sampler = sampled->sampler};
    const VkDescriptorImageInfo neighbour = {lookups->neighbour_samplers[lookups->beside_filter],
                                             lookups->neighbour_image.view, readable};
    const VkDescriptorBufferInfo inputs = {lookups->inputs.buffer, 0, VK_WHOLE_SIZE};
    const VkDescriptorBufferInfo results = {lookups->results.buffer, 0, VK_WHOLE_SIZE};
#define WRITE(BINDING, TYPE, ...)                                                                                      \
    {                                                                                                                  \
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = (BINDING), .descriptorCount = 1,                \
        .descriptorType = (TYPE), __VA_ARGS__                                                                          \
    }
    const VkWriteDescriptorSet writes[BINDINGS] = {
        WRITE(TEXTURE, sampled_type(separate, TEXTURE), .pImageInfo = &texture),
        WRITE(INPUTS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &inputs),
        WRITE(RESULTS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &results),
        WRITE(NEIGHBOUR, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .pImageInfo = &neighbour),
        WRITE(SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLER, .pImageInfo = &sampler)};
#undef WRITE
    HARNESS_PROC(lookups->vk, vkCmdPushDescriptorSetKHR)
    (commands, point, lookups->layouts[separate], 0, separate ? BINDINGS : BINDINGS - 1, writes);
}

void lookup_sets_bind(struct lookup_vulkan *lookups, const struct lookup_sampled *sampled, VkCommandBuffer commands,
                      VkPipelineBindPoint point)
{
    if (lookups->vk->sets == HARNESS_SETS_PUSH)
        push(lookups, sampled, commands, point);
    else if (in_heaps(lookups))
        harness_heaps_bind(&lookups->heaps.heaps, commands);
    else if (lookups->vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER)
        bind_buffer(lookups, sampled->separate, commands, point);
    else
        vkCmdBindDescriptorSets(commands, point, lookups->layouts[sampled->separate], 0, 1,
                                &lookups->sets[sampled->separate], 0, NULL);
}

void lookup_sets_settle(struct lookup_vulkan *lookups, const struct lookup_sampled *sampled)
{
    if (writes_late(lookups))
        write(lookups, sampled->separate, sampled->view, sampled->sampler);
}

void lookup_vulkan_write_spare(struct lookup_vulkan *lookups, VkImageView view, VkSampler sampler)
{
    if (in_heaps(lookups)) {
        lookup_heaps_put_spare(lookups, view, sampler);
        return;
    }
    if (lookups->vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER) { /* behind the sets */
        harness_descriptor_image(&lookups->descriptors, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sampler, view,
                                 (char *)lookups->buffer.buffer.map + lookups->buffer.used);
        return;
    }
    harness_write_image(lookups->vk, lookups->spare, TEXTURE, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sampler,
                        view);
}

void lookup_sets_push(const struct lookup_vulkan *lookups, bool separate, VkCommandBuffer commands, const void *data,
                      uint32_t size)
{
    if (in_heaps(lookups))
        harness_heaps_push(&lookups->heaps.heaps, commands, 0, data, size);
    else
        vkCmdPushConstants(commands, lookups->layouts[separate], VK_SHADER_STAGE_ALL, 0, size, data);
}
