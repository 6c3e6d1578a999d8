/* SPDX-License-Identifier: MIT */
/*
 * Descriptors, in each of the ways that a translator may choose. Sets live as long as their device: a program takes
 * those that the one before has left, with what is in them, and writes what differs.
 */
#include <stdlib.h>
#include <string.h>

#include "vulkan_voice.h"

static enum layout_kind kind_of(const struct lookup *l, enum random_form form)
{
    return l->texture && l->texture->target == RANDOM_BUFFER ? LAYOUT_TEXELS
           : form == FORM_SEPARATE                           ? LAYOUT_SEPARATE
           : form == FORM_ARRAY                              ? LAYOUT_ARRAY
                                                             : LAYOUT_COMBINED;
}

static VkDescriptorType type_of(enum layout_kind kind)
{
    return kind == LAYOUT_TEXELS     ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
           : kind == LAYOUT_SEPARATE ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
                                     : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

/* What templates read. */
struct written {
    union {
        VkDescriptorImageInfo image[ARRAY_ELEMENTS];
        VkBufferView texels;
    };
    VkDescriptorImageInfo sampler;
    VkDescriptorBufferInfo results;
};

static void make_template(struct voice_device *d, struct voice_layout *made)
{
    VkDescriptorUpdateTemplateEntry entries[] = {
        {0, 0, 1, type_of(made->kind), offsetof(struct written, image), 0},
        {2, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, offsetof(struct written, results), 0},
        {1, 0, 1, VK_DESCRIPTOR_TYPE_SAMPLER, offsetof(struct written, sampler), 0}};
    made->template = harness_template(&d->vk, made->set_layout, entries, made->kind == LAYOUT_SEPARATE ? 3 : 2);
}

/* ---- heaps ---- */

enum { RESOURCE_BYTES = 1 << 18, SAMPLER_BYTES = 1 << 17, PLACES = 7 /* the element of push constants */ };

void voice_sets_open(struct voice_device *d)
{
    struct harness_heaps *heaps = &d->heap.heaps;
    if (!voice_in_heaps(d))
        return;
    harness_heaps_open(heaps, &d->vk, true, RESOURCE_BYTES, SAMPLER_BYTES);
    const uint32_t image = harness_heap_stride(heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    const uint32_t sampler = harness_heap_stride(heaps, VK_DESCRIPTOR_TYPE_SAMPLER);
    const uint32_t buffer = harness_heap_stride(heaps, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    d->heap.resources = harness_heap_take(&heaps->resources, (VkDeviceSize)image * VOICE_SETS, image);
    d->heap.samplers = harness_heap_take(&heaps->samplers, (VkDeviceSize)sampler * VOICE_SETS, sampler);
    d->heap.results = harness_heap_take(&heaps->resources, buffer, buffer);
}

/* Images and samplers at places whose numbers are pushed; results always at the same one. */
static void map_bindings(struct voice_device *d, struct voice_layout *made)
{
    const struct harness_heaps *heaps = &d->heap.heaps;
    const VkSamplerCreateInfo *embedded = made->immutable ? harness_known_sampler_info(&d->vk, made->immutable) : NULL;
    const uint32_t image = harness_heap_stride(heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    const uint32_t sampler = harness_heap_stride(heaps, VK_DESCRIPTOR_TYPE_SAMPLER);
    const VkDescriptorSetAndBindingMappingEXT pushed = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
        .sourceData.pushIndex = {.heapOffset = d->heap.resources,
                                 .pushOffset = offsetof(struct voice_constants, resource),
                                 .heapIndexStride = image,
                                 .heapArrayStride = image,
                                 .pEmbeddedSampler = made->kind == LAYOUT_COMBINED ? embedded : NULL,
                                 .samplerHeapOffset = d->heap.samplers,
                                 .samplerPushOffset = offsetof(struct voice_constants, sampler),
                                 .samplerHeapIndexStride = sampler,
                                 .samplerHeapArrayStride = sampler}};
    made->mapping = (VkShaderDescriptorSetAndBindingMappingInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = made->kind == LAYOUT_SEPARATE ? 3 : 2,
        .pMappings = made->mappings};
    made->mappings[0] = pushed;
    made->mappings[1] = harness_heap_mapping(0, 2, 1, (struct harness_heap_place){d->heap.results, image},
                                             (struct harness_heap_place){0, 0});
    made->mappings[2] = pushed;
    made->mappings[2].firstBinding = 1;
    made->mappings[2].resourceMask = VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT;
    made->mappings[2].sourceData.pushIndex.heapOffset = d->heap.samplers;
    made->mappings[2].sourceData.pushIndex.pushOffset = offsetof(struct voice_constants, sampler);
    made->mappings[2].sourceData.pushIndex.heapIndexStride = sampler;
    made->mappings[2].sourceData.pushIndex.heapArrayStride = sampler;
    made->mappings[2].sourceData.pushIndex.pEmbeddedSampler = embedded;
}

struct harness_spirv voice_code(struct voice_device *d, const struct random_shader *shader)
{
    const struct harness_spirv code = {shader->words, shader->bytes};
    const bool looks = shader < random_helpers || shader >= random_helpers + RANDOM_HELPERS ||
                       shader == &random_helpers[HELPER_PAINT_LOOKUP] ||
                       shader == &random_helpers[HELPER_PAINT_LOOKUP_SEPARATE];
    const struct harness_heap_binding places[] = {
        {0, 0, d->heap.resources, d->heap.samplers, PLACES},
        {0, 1, 0, d->heap.samplers, PLACES},
        {0, 2, d->heap.results, 0, 0},
    };
    return d->vk.sets == HARNESS_SETS_HEAP_UNTYPED && looks
               ? harness_heap_shader(&d->heap.heaps, code, places, sizeof(places) / sizeof(places[0]))
               : code;
}

/* ---- layouts ---- */

static struct voice_layout *make_layout(struct voice_device *d, enum layout_kind kind, VkSampler immutable)
{
    struct voice_layout *made = harness_alloc(1, sizeof(*made));
    const bool apart = kind == LAYOUT_SEPARATE;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, type_of(kind), kind == LAYOUT_ARRAY ? ARRAY_ELEMENTS : 1, VK_SHADER_STAGE_ALL,
         immutable ? &made->immutable : NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL}};
    const VkDescriptorBindingFlags after = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT, flags[] = {after, 0, after};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo late = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = apart ? 3 : 2,
        .pBindingFlags = flags};
    const enum random_binding binding = d->opened.binding;
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = binding == BINDING_AFTER_BIND ? &late : NULL,
        .flags = binding == BINDING_AFTER_BIND ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                 : binding == BINDING_PUSH     ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR
                 : binding == BINDING_BUFFER   ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT
                                               : 0,
        .bindingCount = apart ? 3 : 2,
        .pBindings = bindings};
    made->kind = kind;
    made->immutable = immutable;
    made->next = d->layouts;
    d->layouts = made;
    if (voice_in_heaps(d)) {
        map_bindings(d, made);
        return made;
    }
    HARNESS_VK(vkCreateDescriptorSetLayout(d->vk.device, &info, NULL, &made->set_layout));
    made->pipeline_layout = harness_pipeline_layout(&d->vk, &made->set_layout, 1, sizeof(struct voice_constants));
    made->twin = harness_pipeline_layout(&d->vk, &made->set_layout, 1, sizeof(struct voice_constants));
    if (binding == BINDING_TEMPLATE)
        make_template(d, made);
    return made;
}

const struct voice_layout *voice_layout(struct voice_device *d, const struct lookup *l, enum random_form form)
{
    const enum layout_kind kind = kind_of(l, form);
    const bool embedded =
        d->opened.binding == BINDING_HEAP_EMBEDDED && (kind == LAYOUT_COMBINED || kind == LAYOUT_SEPARATE);
    const bool immutable =
        ((d->opened.binding == BINDING_IMMUTABLE && kind == LAYOUT_COMBINED) || embedded) && l->texture;
    VkSampler sampler = immutable ? voice_sampler(d, l) : VK_NULL_HANDLE;
    for (const struct voice_layout *have = d->layouts; have; have = have->next)
        if (have->kind == kind && have->immutable == sampler)
            return have;
    return make_layout(d, kind, sampler);
}

static void make_pool(struct voice_device *d)
{
    const uint32_t count = sizeof(d->sets) / sizeof(d->sets[0]);
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, ARRAY_ELEMENTS * count},
                                          {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, count},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, count},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, count},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count}};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags =
            VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT |
            (d->opened.binding == BINDING_AFTER_BIND ? (VkFlags)VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0),
        .maxSets = count,
        .poolSizeCount = sizeof(sizes) / sizeof(sizes[0]),
        .pPoolSizes = sizes};
    HARNESS_VK(vkCreateDescriptorPool(d->vk.device, &info, NULL, &d->pool));
}

/* Of the sets that are kept the last one is new. */
static uint32_t free_slot(const struct voice_device *d)
{
    uint32_t slot = 0;
    for (uint32_t i = 0; i + 1 < d->set_count; i++)
        if (d->sets[i].slot == slot) {
            slot++;
            i = UINT32_MAX; /* from the first one again */
        }
    return slot;
}

/* A set of the layout that this program has not used, or the one that holds just this. */
static struct voice_set *take_set(struct voice_device *d, const struct voice_layout *layout, VkSampler sampler,
                                  VkImageView view, VkBufferView texels)
{
    struct voice_set *free_one = NULL;
    for (uint32_t i = 0; i < d->set_count; i++) {
        struct voice_set *s = &d->sets[i];
        if (s->layout != layout)
            continue;
        if (s->used && s->sampler == sampler && s->view == view && s->buffer_view == texels)
            return s;
        if (!s->used && !free_one)
            free_one = s;
    }
    if (!free_one) {
        if (d->set_count == sizeof(d->sets) / sizeof(d->sets[0]))
            harness_fail("more sets than a voice keeps");
        free_one = &d->sets[d->set_count++];
        *free_one = (struct voice_set){.layout = layout};
        if (voice_in_heaps(d)) {
            free_one->slot = free_slot(d);
        } else if (d->opened.binding == BINDING_BUFFER) {
            free_one->placed = harness_descriptor_set_take(&d->descriptors, &d->descriptor_buffer, layout->set_layout);
        } else {
            if (!d->pool)
                make_pool(d);
            const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                      .descriptorPool = d->pool,
                                                      .descriptorSetCount = 1,
                                                      .pSetLayouts = &layout->set_layout};
            HARNESS_VK(vkAllocateDescriptorSets(d->vk.device, &info, &free_one->set));
        }
    }
    voice_counts.sets_anew += free_one->written && !d->native;
    free_one->used = true;
    free_one->written = free_one->begun = false;
    free_one->sampler = sampler;
    free_one->view = view;
    free_one->buffer_view = texels;
    return free_one;
}

/* All writes of a set, `set` null for pushed ones: how many. */
static uint32_t writes_of(struct voice_device *d, const struct voice_set *s, struct written *w,
                          VkWriteDescriptorSet *writes)
{
    const enum layout_kind kind = s->layout->kind;
    uint32_t count = 0;
    *w =
        (struct written){.sampler = {.sampler = s->sampler}, .results = {d->computed_results.buffer, 0, VK_WHOLE_SIZE}};
    if (kind == LAYOUT_TEXELS)
        w->texels = s->buffer_view;
    else
        w->image[0] =
            (VkDescriptorImageInfo){kind == LAYOUT_COMBINED && !s->layout->immutable ? s->sampler : VK_NULL_HANDLE,
                                    s->view, VK_IMAGE_LAYOUT_GENERAL};
    for (uint32_t i = 0; kind == LAYOUT_ARRAY && i < ARRAY_ELEMENTS; i++)
        w->image[i] =
            (VkDescriptorImageInfo){i + 1 < ARRAY_ELEMENTS ? s->other : s->sampler, s->view, VK_IMAGE_LAYOUT_GENERAL};
    writes[count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                             .dstSet = s->set,
                                             .descriptorCount = kind == LAYOUT_ARRAY ? ARRAY_ELEMENTS : 1,
                                             .descriptorType = type_of(kind),
                                             .pImageInfo = kind == LAYOUT_TEXELS ? NULL : w->image,
                                             .pTexelBufferView = kind == LAYOUT_TEXELS ? &w->texels : NULL};
    writes[count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                             .dstSet = s->set,
                                             .dstBinding = 2,
                                             .descriptorCount = 1,
                                             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                             .pBufferInfo = &w->results};
    if (kind == LAYOUT_SEPARATE)
        writes[count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                 .dstSet = s->set,
                                                 .dstBinding = 1,
                                                 .descriptorCount = 1,
                                                 .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                                 .pImageInfo = &w->sampler};
    return count;
}

static void put(struct voice_device *d, const struct voice_set *s, uint32_t binding, VkDescriptorType type,
                VkDescriptorGetInfoEXT *info)
{
    const size_t size = harness_descriptor_size(&d->descriptors, type);
    info->sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT;
    info->type = type;
    d->descriptors.get(d->vk.device, info, size, harness_descriptor_at(&s->placed, binding, 0, size));
}

/* What a descriptor of a texel buffer says. */
struct texels {
    VkBufferViewGLStateCreateInfoCLAMPLER state;
    const void *next; /* the state, where the device has such */
    VkFormat format;
    VkDeviceAddress address;
    VkDeviceSize size;
};

static void describe_texels(const struct voice_device *d, const struct voice_set *s, struct texels *texels)
{
    const struct format *f = d->machine.textures[s->texture].format;
    const struct harness_buffer *buffer = &d->textures[s->texture].buffer;
    *texels = (struct texels){
        .state = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .internalFormat = f->internal},
        .next = d->standard ? NULL : &texels->state,
        .format = f->vulkan,
        .address = harness_buffer_address(&d->vk, buffer),
        .size = buffer->size};
}

static void place(struct voice_device *d, const struct voice_set *s)
{
    const enum layout_kind kind = s->layout->kind;
    const VkDescriptorImageInfo image = {s->sampler, s->view, VK_IMAGE_LAYOUT_GENERAL};
    VkDescriptorGetInfoEXT info = {.data.pCombinedImageSampler = &image};
    if (kind == LAYOUT_TEXELS) {
        struct texels texels;
        describe_texels(d, s, &texels);
        const VkDescriptorAddressInfoEXT about = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                                  .pNext = (void *)(uintptr_t)texels.next,
                                                  .address = texels.address,
                                                  .range = texels.size,
                                                  .format = texels.format};
        info.data.pUniformTexelBuffer = &about;
        put(d, s, 0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, &info);
    } else {
        put(d, s, 0, type_of(kind), &info);
    }
    if (kind == LAYOUT_SEPARATE) {
        info.data.pSampler = &s->sampler;
        put(d, s, 1, VK_DESCRIPTOR_TYPE_SAMPLER, &info);
    }
    const VkDescriptorAddressInfoEXT results = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                                .address = harness_buffer_address(&d->vk, &d->computed_results),
                                                .range = d->computed_results.size};
    info.data.pStorageBuffer = &results;
    put(d, s, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &info);
}

/* The same in heaps. */
static void put_in_heaps(struct voice_device *d, struct voice_set *s)
{
    const struct harness_heaps *heaps = &d->heap.heaps;
    const enum layout_kind kind = s->layout->kind;
    const uint32_t offset = d->heap.resources + s->slot * harness_heap_stride(heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    if (kind == LAYOUT_TEXELS) {
        struct texels texels;
        describe_texels(d, s, &texels);
        const VkTexelBufferDescriptorInfoEXT about = {.sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
                                                      .pNext = texels.next,
                                                      .format = texels.format,
                                                      .addressRange = {texels.address, texels.size}};
        harness_heap_put_resource(heaps, offset, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                  (VkResourceDescriptorDataEXT){.pTexelBuffer = &about});
    } else {
        const VkImageDescriptorInfoEXT image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                                .pView = harness_known_view_info(&d->vk, s->view),
                                                .layout = VK_IMAGE_LAYOUT_GENERAL};
        harness_heap_put_resource(heaps, offset, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                  (VkResourceDescriptorDataEXT){.pImage = &image});
        if (!s->layout->immutable)
            harness_heap_put_known_sampler(
                heaps, d->heap.samplers + s->slot * harness_heap_stride(heaps, VK_DESCRIPTOR_TYPE_SAMPLER), s->sampler);
    }
    harness_heap_put_range(heaps, d->heap.results, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                           harness_buffer_address(&d->vk, &d->computed_results), d->computed_results.size,
                           VK_FORMAT_UNDEFINED);
    s->written = true;
}

VkPipelineLayout voice_some_layout(const struct voice_device *d, const struct voice_layout *layout)
{
    voice_counts.twins += d->draws % 2 && !d->native;
    return d->draws % 2 ? layout->twin : layout->pipeline_layout;
}

/* Does the draw show something else than the one before, whose pipeline may be the same? */
static void note_bound(struct voice_device *d, const struct voice_set *now)
{
    const struct voice_set *last = &d->shown;
    d->rebound = last->sampler != now->sampler || last->view != now->view || last->buffer_view != now->buffer_view;
    d->shown = (struct voice_set){.sampler = now->sampler, .view = now->view, .buffer_view = now->buffer_view};
}

void voice_push(struct voice_device *d, const struct voice_layout *layout, const void *parameters)
{
    struct voice_constants constants = {
        .resource = d->slot, .sampler = d->slot, .resource_number = (float)d->slot, .sampler_number = (float)d->slot};
    memcpy(constants.parameters, parameters, sizeof(constants.parameters));
    if (voice_in_heaps(d))
        harness_heaps_push(&d->heap.heaps, d->commands, 0, &constants, sizeof(constants));
    else
        vkCmdPushConstants(d->commands, voice_some_layout(d, layout), VK_SHADER_STAGE_ALL, 0, sizeof(constants),
                           &constants);
}

static void write_set(struct voice_device *d, struct voice_set *s)
{
    struct written w;
    VkWriteDescriptorSet writes[3];
    const uint32_t count = writes_of(d, s, &w, writes);
    if (d->opened.binding == BINDING_TEMPLATE)
        vkUpdateDescriptorSetWithTemplate(d->vk.device, s->set, s->layout->template, &w);
    else
        vkUpdateDescriptorSets(d->vk.device, count, writes, 0, NULL);
    s->written = true;
}

void voice_bind(struct voice_device *d, const struct lookup *l, const struct voice_layout *layout,
                VkPipelineBindPoint point)
{
    const bool texels = layout->kind == LAYOUT_TEXELS;
    d->shared_bound.layout = NULL;
    VkSampler sampler = texels ? VK_NULL_HANDLE : voice_sampler(d, l);
    VkImageView view = texels ? VK_NULL_HANDLE : voice_view(d, l);
    VkBufferView buffer = texels ? voice_buffer_view(d, l->texture_slot) : VK_NULL_HANDLE;
    if (d->opened.binding == BINDING_PUSH) {
        const struct voice_set pushed = {.layout = layout, .sampler = sampler, .view = view, .buffer_view = buffer};
        note_bound(d, &pushed);
        struct written w;
        VkWriteDescriptorSet writes[3];
        const uint32_t count = writes_of(d, &pushed, &w, writes);
        HARNESS_PROC(&d->vk, vkCmdPushDescriptorSetKHR)
        (d->commands, point, voice_some_layout(d, layout), 0, count, writes);
        return;
    }
    struct voice_set *set = take_set(d, layout, sampler, view, buffer);
    set->texture = l->texture_slot;
    note_bound(d, set);
    set->other = layout->kind == LAYOUT_ARRAY ? voice_nearest_sampler(d, l) : VK_NULL_HANDLE;
    if (voice_in_heaps(d)) {
        if (!set->written && (d->opened.binding != BINDING_HEAP || texels))
            put_in_heaps(d, set);
        d->slot = set->slot;
        harness_heaps_bind(&d->heap.heaps, d->commands);
        return;
    }
    if (d->opened.binding == BINDING_BUFFER) {
        const struct harness_descriptor_buffer *const buffers[] = {&d->descriptor_buffer};
        if (!set->written)
            place(d, set);
        set->written = true;
        harness_descriptor_buffers_bind(&d->descriptors, d->commands, buffers, 1);
        harness_descriptor_offset(&d->descriptors, d->commands, point, voice_some_layout(d, layout), 0, 0,
                                  set->placed.offset);
        return;
    }
    if (!set->written && d->opened.binding != BINDING_AFTER_BIND)
        write_set(d, set);
    /* Storage buffers are not written late: a set's first write brings them. */
    if (!set->begun && d->opened.binding == BINDING_AFTER_BIND) {
        struct written w;
        VkWriteDescriptorSet writes[3];
        writes_of(d, set, &w, writes);
        vkUpdateDescriptorSets(d->vk.device, 1, &writes[1], 0, NULL);
        set->begun = true;
    }
    vkCmdBindDescriptorSets(d->commands, point, voice_some_layout(d, layout), 0, 1, &set->set, 0, NULL);
}

void voice_sets_write_late(struct voice_device *d)
{
    voice_together_write_late(d);
    for (uint32_t i = 0; i < d->set_count && d->opened.binding == BINDING_HEAP; i++)
        if (d->sets[i].used && !d->sets[i].written) {
            put_in_heaps(d, &d->sets[i]);
            voice_counts.late += !d->native;
        }
    if (d->opened.binding != BINDING_AFTER_BIND)
        return;
    for (uint32_t i = 0; i < d->set_count; i++) {
        struct voice_set *s = &d->sets[i];
        struct written w;
        VkWriteDescriptorSet writes[3];
        if (!s->used)
            continue;
        const uint32_t count = writes_of(d, s, &w, writes);
        vkUpdateDescriptorSets(d->vk.device, 1, &writes[0], 0, NULL);
        if (count == 3)
            vkUpdateDescriptorSets(d->vk.device, 1, &writes[2], 0, NULL);
        voice_counts.late += !d->native;
        s->written = true;
    }
}

/* Layouts with a program's samplers, and their sets, end with it. */
static void drop_immutable(struct voice_device *d)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->set_count; i++) {
        if (d->sets[i].layout->immutable && !voice_in_heaps(d))
            vkFreeDescriptorSets(d->vk.device, d->pool, 1, &d->sets[i].set);
        else if (!d->sets[i].layout->immutable)
            d->sets[kept++] = d->sets[i];
    }
    d->set_count = kept;
    for (struct voice_layout **place_of = &d->layouts; *place_of;) {
        struct voice_layout *l = *place_of;
        if (!l->immutable) {
            place_of = &l->next;
            continue;
        }
        *place_of = l->next;
        vkDestroyPipelineLayout(d->vk.device, l->twin, NULL);
        harness_layouts_destroy(&d->vk, l->pipeline_layout, l->set_layout);
        free(l);
    }
}

void voice_sets_again(struct voice_device *d)
{
    for (uint32_t i = 0; i < d->set_count; i++)
        d->sets[i].used = false;
}

void voice_sets_begin(struct voice_device *d)
{
    drop_immutable(d);
    voice_sets_again(d);
    voice_together_again(d, true);
    while (d->samplers) {
        struct voice_sampler *next = d->samplers->next;
        d->gone[d->gone_count++ % VOICE_SETS] = d->samplers->sampler;
        free(d->samplers);
        d->samplers = next;
    }
}

void voice_sets_close(struct voice_device *d)
{
    voice_sets_begin(d);
    while (d->layouts) {
        struct voice_layout *next = d->layouts->next;
        if (d->layouts->template)
            vkDestroyDescriptorUpdateTemplate(d->vk.device, d->layouts->template, NULL);
        vkDestroyPipelineLayout(d->vk.device, d->layouts->twin, NULL);
        vkDestroyDescriptorSetLayout(d->vk.device, d->layouts->second, NULL);
        harness_layouts_destroy(&d->vk, d->layouts->pipeline_layout, d->layouts->set_layout);
        free(d->layouts);
        d->layouts = next;
    }
    vkDestroyDescriptorPool(d->vk.device, d->pool, NULL);
    voice_together_close(d);
    if (d->opened.binding == BINDING_BUFFER)
        harness_descriptor_buffer_destroy(&d->descriptors, &d->descriptor_buffer);
    if (voice_in_heaps(d))
        harness_heaps_close(&d->heap.heaps);
}
