/* SPDX-License-Identifier: MIT */
#include "chaos/placed.h"

#include <string.h>

#include "chaos/commands.h"
#include "chaos/model.h"
#include "chaos/objects.h"
#include "chaos/sets.h"

enum {
    RESULTS = COMMANDS * DISPATCHES / 2, /* pairs of regions, each with a descriptor */
    BUFFER_BYTES = 1 << 16,
    SLOT_BYTES = 8192, /* of a set in a buffer, behind the results' */
    CHANGES = 4,       /* of one operation */
};

/* ---- Where descriptors are ---- */

static bool is_sampler(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER;
}

static unsigned first_of(enum flavour flavour)
{
    return SETS + (flavour == FLAVOUR_HEAP ? PLACED_SETS : 0);
}

static const struct set_bytes *heap_of(const struct device *device, VkDescriptorType type)
{
    return is_sampler(type) ? &device->heap_samplers : &device->heap_resources;
}

/* Offset of a descriptor of a set in the heap; the sampler of a combined one lies in the other heap. */
static uint32_t heap_offset(const struct device *device, unsigned place, unsigned descriptor, VkDescriptorType type)
{
    const struct set_bytes *where = heap_of(device, type);
    return where->first + (place - first_of(FLAVOUR_HEAP)) * where->set + descriptor * where->stride;
}

static VkDeviceSize slot_of(const struct device *device, unsigned place)
{
    const VkDeviceSize alignment = device->descriptors.properties.descriptorBufferOffsetAlignment;
    const unsigned number = (place - first_of(FLAVOUR_BUFFER)) / PLACED_BUFFERS;
    return ((VkDeviceSize)BUFFER_BYTES / 2 + number * (VkDeviceSize)SLOT_BYTES + alignment - 1) / alignment * alignment;
}

static unsigned buffer_of(unsigned place)
{
    return (place - first_of(FLAVOUR_BUFFER)) % PLACED_BUFFERS;
}

static struct harness_descriptor_set buffer_set(struct actor *actor, unsigned place)
{
    struct placed *placed = &actor->placed;
    const VkDeviceSize offset = slot_of(actor->device, place);
    return (struct harness_descriptor_set){.descriptors = placed->descriptors,
                                           .layout = placed->layouts[place - first_of(FLAVOUR_BUFFER)],
                                           .offset = offset,
                                           .bytes =
                                               (unsigned char *)placed->buffers[buffer_of(place)].buffer.map + offset};
}

/* The bytes of a descriptor; NULL if it has none in that heap. */
static unsigned char *bytes_of(struct actor *actor, unsigned place, unsigned descriptor, bool samplers, size_t *size)
{
    const struct set *set = &actor->sets[place];
    uint32_t element;
    const struct shape_binding *binding = shape_binding_of(shape_of(set->key.shape), descriptor, &element);
    const bool combined = binding->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    if (set->key.flavour == FLAVOUR_BUFFER) {
        const struct harness_descriptor_set where = buffer_set(actor, place);
        *size = harness_descriptor_size(where.descriptors, binding->type);
        return samplers ? NULL : harness_descriptor_at(&where, binding->number, element, *size);
    }
    const VkDescriptorType type = samplers ? VK_DESCRIPTOR_TYPE_SAMPLER : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    const struct harness_heap *heap = samplers ? &actor->placed.heaps.samplers : &actor->placed.heaps.resources;
    *size = heap_of(actor->device, type)->stride;
    return combined || is_sampler(binding->type) == samplers
               ? heap->bytes + heap_offset(actor->device, place, descriptor, type)
               : NULL;
}

/* ---- Devices ---- */

static uint32_t round_up(uint32_t size, uint32_t to)
{
    return (size + to - 1) / to * to;
}

static void lay_out_heaps(struct device *device)
{
    struct harness_heaps heaps;
    harness_heaps_open(&heaps, &device->vk, true, 256, 256);
    const uint32_t images = harness_heap_stride(&heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE),
                   samplers = harness_heap_stride(&heaps, VK_DESCRIPTOR_TYPE_SAMPLER);
    device->heap_results = harness_heap_stride(&heaps, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    device->heap_resources =
        (struct set_bytes){round_up(RESULTS * device->heap_results, images), images, (SHAPE_DESCRIPTORS + 1) * images};
    device->heap_samplers = (struct set_bytes){3 * samplers, samplers, (SHAPE_DESCRIPTORS + 2) * samplers};
    harness_heaps_close(&heaps);
}

void placed_open_device(struct device *device)
{
    if (device->buffers) {
        const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                      VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
        const struct key key = {.shape = SHAPE_COMBINED, .flavour = FLAVOUR_BUFFER};
        harness_descriptors_open(&device->descriptors, &device->vk);
        /* Before the first such layout, lavapipe's pipeline layouts are without the layer's push constants. */
        vkDestroyDescriptorSetLayout(device->vk.device, object_new_layout(device, key), NULL);
        device->placed_results_layout = harness_descriptor_layout(&device->descriptors, &binding, 1, 0, NULL);
    }
    if (device->heaps)
        lay_out_heaps(device);
    if (device->buffers || device->heaps)
        device->texels_address = harness_buffer_address(&device->vk, &device->texels);
}

void placed_close_device(struct device *device)
{
    vkDestroyDescriptorSetLayout(device->vk.device, device->placed_results_layout, NULL);
}

/* ---- Actors ---- */

/* Each pair of regions of the results has a descriptor: where it is in the first buffer. */
static VkDeviceSize results_slot(const struct device *device, unsigned pair)
{
    const VkDeviceSize alignment = device->descriptors.properties.descriptorBufferOffsetAlignment;
    return pair * ((1024 + alignment - 1) / alignment * alignment);
}

static void open_buffers(struct actor *actor)
{
    struct placed *placed = &actor->placed;
    const struct device *device = actor->device;
    const VkDeviceAddress results = harness_buffer_address(&device->vk, &actor->results);
    placed->descriptors = &actor->device->descriptors;
    for (unsigned i = 0; i < PLACED_BUFFERS; i++)
        harness_descriptor_buffer_create(placed->descriptors, &placed->buffers[i], 0, BUFFER_BYTES);
    for (unsigned i = 0; i < RESULTS; i++) {
        struct harness_descriptor_set set = {.descriptors = placed->descriptors,
                                             .layout = device->placed_results_layout,
                                             .bytes = (unsigned char *)placed->buffers[0].buffer.map +
                                                      results_slot(device, i)};
        harness_descriptor_put_range(&set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                     results + (VkDeviceSize)i * 2 * REGION_VECTORS * 16,
                                     (VkDeviceSize)2 * REGION_VECTORS * 16, VK_FORMAT_UNDEFINED);
    }
}

static void open_heaps(struct actor *actor)
{
    struct device *device = actor->device;
    struct harness_heaps *heaps = &actor->placed.heaps;
    const VkDeviceAddress results = harness_buffer_address(&device->vk, &actor->results);
    harness_heaps_open(heaps, &device->vk, true,
                       device->heap_resources.first + (VkDeviceSize)PLACED_SETS * device->heap_resources.set,
                       device->heap_samplers.first + (VkDeviceSize)PLACED_SETS * device->heap_samplers.set);
    for (unsigned i = 0; i < RESULTS; i++)
        harness_heap_put_range(heaps, i * device->heap_results, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               results + (VkDeviceSize)i * 2 * REGION_VECTORS * 16,
                               (VkDeviceSize)2 * REGION_VECTORS * 16, VK_FORMAT_UNDEFINED);
}

void placed_open(struct actor *actor)
{
    if (actor->device->buffers)
        open_buffers(actor);
    if (actor->device->heaps)
        open_heaps(actor);
}

static void close_buffers(struct actor *actor)
{
    for (unsigned i = 0; i < PLACED_BUFFERS; i++)
        harness_descriptor_buffer_destroy(actor->placed.descriptors, &actor->placed.buffers[i]);
}

void placed_close(struct actor *actor)
{
    if (actor->device->buffers)
        close_buffers(actor);
    if (actor->device->heaps)
        harness_heaps_close(&actor->placed.heaps);
    for (unsigned i = 0; i < PLACED_SETS; i++)
        vkDestroyDescriptorSetLayout(actor->device->vk.device, actor->placed.layouts[i], NULL);
}

bool placed_choose_flavour(const struct device *device, struct dice *dice, enum flavour *flavour)
{
    const bool heap = device->heaps && (!device->buffers || dice_one_in(dice, 2));
    *flavour = heap ? FLAVOUR_HEAP : FLAVOUR_BUFFER;
    return device->heaps || device->buffers;
}

/* ---- Writing ---- */

static void put_in_buffer(struct actor *actor, unsigned place, const struct shape_binding *binding, uint32_t element,
                          const struct content *content, const struct descriptor_info *info)
{
    const struct harness_descriptor_set where = buffer_set(actor, place);
    if (binding->type != VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER) {
        harness_descriptor_put_image(&where, binding->number, element, binding->type, info->image.sampler,
                                     info->image.imageView);
        return;
    }
    const struct texel_view *view = object_texel_view(actor, content->view);
    const struct texel_format *format = &texel_formats[view->kind];
    const size_t size = harness_descriptor_size(where.descriptors, binding->type);
    VkBufferViewGLStateCreateInfoCLAMPLER state;
    const VkDescriptorAddressInfoEXT about = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                              .pNext = (void *)(uintptr_t)object_texel_chain(view, &state),
                                              .address = actor->device->texels_address + view->offset,
                                              .range = (VkDeviceSize)view->count * format->size,
                                              .format = format->vulkan};
    const VkDescriptorGetInfoEXT get = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = binding->type, .data.pUniformTexelBuffer = &about};
    where.descriptors->get(actor->device->vk.device, &get, size,
                           harness_descriptor_at(&where, binding->number, element, size));
}

static void put_texels_in_heap(struct actor *actor, uint32_t offset, const struct texel_view *view)
{
    const struct harness_heaps *heaps = &actor->placed.heaps;
    const struct texel_format *format = &texel_formats[view->kind];
    VkBufferViewGLStateCreateInfoCLAMPLER state;
    const VkTexelBufferDescriptorInfoEXT texels = {
        .sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
        .pNext = object_texel_chain(view, &state),
        .format = format->vulkan,
        .addressRange = {actor->device->texels_address + view->offset, (VkDeviceSize)view->count * format->size}};
    const VkResourceDescriptorInfoEXT info = {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                              .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                              .data.pTexelBuffer = &texels};
    const VkHostAddressRangeEXT range = {heaps->resources.bytes + offset, actor->device->heap_resources.stride};
    HARNESS_VK(heaps->write_resources(actor->device->vk.device, 1, &info, &range));
}

static void put_in_heaps(struct actor *actor, unsigned place, unsigned descriptor, const struct shape_binding *binding,
                         const struct content *content)
{
    const struct device *device = actor->device;
    const uint32_t resource = heap_offset(device, place, descriptor, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    if (binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER) {
        put_texels_in_heap(actor, resource, object_texel_view(actor, content->view));
        return;
    }
    if (!is_sampler(binding->type)) {
        const VkImageViewCreateInfo info = object_view_info(device, object_view(actor, content->view));
        harness_heap_put_view(&actor->placed.heaps, resource, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &info);
    }
    if (binding->type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) {
        const VkSamplerCreateInfo info = object_sampler_info(object_sampler(actor, content->sampler));
        harness_heap_put_sampler(&actor->placed.heaps,
                                 heap_offset(device, place, descriptor, VK_DESCRIPTOR_TYPE_SAMPLER), &info);
    }
}

/* False if there is nothing to write. Command buffers that read it are waited for first. */
static bool write_one(struct actor *actor, unsigned place, unsigned descriptor, struct dice *dice)
{
    struct set *set = &actor->sets[place];
    struct content content;
    struct descriptor_info info;
    uint32_t element;
    const struct shape_binding *binding = shape_binding_of(shape_of(set->key.shape), descriptor, &element);
    if (!content_choose(actor, set->key, descriptor, (enum mood)(place % MOODS), dice, &content, &info))
        return false;
    commands_let_go_of_set(actor, place, false, dice);
    if (set->key.flavour == FLAVOUR_HEAP)
        put_in_heaps(actor, place, descriptor, binding, &content);
    else
        put_in_buffer(actor, place, binding, element, &content, &info);
    set->contents.of[descriptor] = content;
    return true;
}

/* ---- Copying ---- */

static const struct harness_buffer *memory_of(const struct actor *actor, unsigned place, bool samplers)
{
    const struct placed *placed = &actor->placed;
    return actor->sets[place].key.flavour == FLAVOUR_BUFFER ? &placed->buffers[buffer_of(place)].buffer
           : samplers                                       ? &placed->heaps.samplers.buffer
                                                            : &placed->heaps.resources.buffer;
}

/* Commands of its own, which are done when it returns. */
static void copy_by_gpu(struct actor *actor, const struct harness_buffer *from, const struct harness_buffer *to,
                        const VkBufferCopy *region, bool heap)
{
    struct device *device = actor->device;
    VkCommandBuffer commands;
    VkFence fence;
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = actor->command_pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    HARNESS_VK(vkCreateFence(device->vk.device, &fence_info, NULL, &fence));
    HARNESS_VK(vkAllocateCommandBuffers(device->vk.device, &allocate, &commands));
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    vkCmdCopyBuffer(commands, from->buffer, to->buffer, 1, region);
    if (heap)
        harness_heaps_barrier(commands);
    else
        harness_descriptor_barrier(commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    pthread_mutex_lock(&device->queue);
    HARNESS_VK(vkQueueSubmit(device->vk.queue, 1, &submit, fence));
    pthread_mutex_unlock(&device->queue);
    HARNESS_VK(vkWaitForFences(device->vk.device, 1, &fence, VK_TRUE, UINT64_MAX));
    vkDestroyFence(device->vk.device, fence, NULL);
    vkFreeCommandBuffers(device->vk.device, actor->command_pool, 1, &commands);
}

/* Bytes of one descriptor to another one of its type: those of what has gone, or was never written, as well. */
static bool copy_one(struct actor *actor, unsigned from, unsigned to, struct dice *dice)
{
    const struct shape *shapes[2] = {shape_of(actor->sets[from].key.shape), shape_of(actor->sets[to].key.shape)};
    const unsigned first = dice_below(dice, shapes[0]->descriptor_count),
                   second = dice_below(dice, shapes[1]->descriptor_count);
    const bool gpu = dice_one_in(dice, 6);
    uint32_t element;
    if (shape_binding_of(shapes[0], first, &element)->type != shape_binding_of(shapes[1], second, &element)->type ||
        (from == to && first == second))
        return false;
    commands_let_go_of_set(actor, to, false, dice);
    for (unsigned samplers = 0; samplers < 2; samplers++) {
        size_t size;
        const unsigned char *source = bytes_of(actor, from, first, samplers, &size);
        unsigned char *target = bytes_of(actor, to, second, samplers, &size);
        if (!source || !target)
            continue;
        const struct harness_buffer *memory[2] = {memory_of(actor, from, samplers), memory_of(actor, to, samplers)};
        const VkBufferCopy region = {(VkDeviceSize)(source - (const unsigned char *)memory[0]->map),
                                     (VkDeviceSize)(target - (unsigned char *)memory[1]->map), size};
        if (gpu)
            copy_by_gpu(actor, memory[0], memory[1], &region, actor->sets[to].key.flavour == FLAVOUR_HEAP);
        else
            memcpy(target, source, size);
    }
    actor->sets[to].contents.of[second] = actor->sets[from].contents.of[first];
    return true;
}

/* ---- Sets ---- */

static void renew(struct actor *actor, unsigned place, struct key key, struct dice *dice)
{
    struct set *set = &actor->sets[place];
    if (set->lives)
        commands_let_go_of_set(actor, place, true, dice);
    if (key.flavour == FLAVOUR_BUFFER) {
        VkDescriptorSetLayout *layout = &actor->placed.layouts[place - first_of(FLAVOUR_BUFFER)];
        vkDestroyDescriptorSetLayout(actor->device->vk.device, *layout, NULL);
        *layout = object_new_layout(actor->device, key);
        VkDeviceSize size;
        actor->placed.descriptors->layout_size(actor->device->vk.device, *layout, &size);
        if (size > SLOT_BYTES)
            chaos_fail(actor, "a set takes %llu bytes", (unsigned long long)size);
    }
    set->lives = true;
    set->key = key;
    set->count = shape_of(key.shape)->descriptor_count;
    set->version++;
    set->contents = (struct contents){0};
}

struct key object_choose_placed_key(unsigned set, enum flavour flavour, struct dice *dice)
{
    static const enum shape_number shapes[2][3] = {{SHAPE_COMBINED, SHAPE_MIXED, SHAPE_COMBINED},
                                                   {SHAPE_SEPARATE, SHAPE_TEXELS, SHAPE_VARIABLE}};
    return (struct key){.shape = (uint8_t)shapes[set][dice_below(dice, 3)], .flavour = (uint8_t)flavour};
}

bool placed_renew_set(struct actor *actor, struct dice *dice)
{
    enum flavour flavour;
    if (!placed_choose_flavour(actor->device, dice, &flavour))
        return false;
    renew(actor, first_of(flavour) + dice_below(dice, PLACED_SETS),
          object_choose_placed_key(dice_below(dice, 2), flavour, dice), dice);
    return true;
}

bool placed_update(struct actor *actor, struct dice *dice)
{
    enum flavour flavour;
    bool any = false;
    if (!placed_choose_flavour(actor->device, dice, &flavour))
        return false;
    for (unsigned i = 1 + dice_below(dice, CHANGES); i; i--) {
        const unsigned from = first_of(flavour) + dice_below(dice, PLACED_SETS),
                       to = first_of(flavour) + dice_below(dice, PLACED_SETS);
        const bool writes = dice_one_in(dice, 2);
        if (!actor->sets[from].lives || !actor->sets[to].lives)
            continue;
        any |= writes ? write_one(actor, to, dice_below(dice, actor->sets[to].count), dice)
                      : copy_one(actor, from, to, dice);
    }
    return any;
}

bool placed_anew(struct actor *actor, struct dice *dice)
{
    enum flavour flavour;
    if (!placed_choose_flavour(actor->device, dice, &flavour))
        return false;
    for (unsigned place = first_of(flavour); place < first_of(flavour) + PLACED_SETS; place++)
        if (actor->sets[place].lives) {
            commands_let_go_of_set(actor, place, true, dice);
            actor->sets[place].lives = false;
        }
    if (flavour == FLAVOUR_HEAP) {
        harness_heaps_close(&actor->placed.heaps);
        open_heaps(actor);
    } else {
        close_buffers(actor);
        open_buffers(actor);
    }
    return true;
}

unsigned placed_set_of_key(struct actor *actor, struct key key, bool complete, struct dice *dice)
{
    const unsigned first = first_of((enum flavour)key.flavour), start = dice_below(dice, PLACED_SETS);
    unsigned place = first + start;
    for (unsigned i = 0; i < PLACED_SETS; i++)
        if (actor->sets[first + (start + i) % PLACED_SETS].lives &&
            key_equal(actor->sets[first + (start + i) % PLACED_SETS].key, key))
            place = first + (start + i) % PLACED_SETS;
    if (!actor->sets[place].lives || !key_equal(actor->sets[place].key, key))
        renew(actor, place, key, dice);
    for (unsigned i = 0; i < actor->sets[place].count && complete; i++)
        if (!content_lives(actor, key, i, &actor->sets[place].contents.of[i]) && !write_one(actor, place, i, dice))
            return ALL_SETS;
    return place;
}

/* ---- Mappings ---- */

static VkDescriptorSetAndBindingMappingEXT mapping_of(const struct device *device, unsigned set,
                                                      const struct shape_binding *binding, unsigned descriptor)
{
    const struct set_bytes *main = heap_of(device, binding->type), *samplers = &device->heap_samplers;
    const uint32_t pushed = (uint32_t)(offsetof(struct placed_push, sets) + set * sizeof(uint32_t));
    return (VkDescriptorSetAndBindingMappingEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .descriptorSet = set + 1,
        .firstBinding = binding->number,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
        .sourceData.pushIndex = {.heapOffset = main->first + descriptor * main->stride,
                                 .pushOffset = pushed,
                                 .heapIndexStride = main->set,
                                 .heapArrayStride = main->stride,
                                 .samplerHeapOffset = samplers->first + descriptor * samplers->stride,
                                 .samplerPushOffset = pushed,
                                 .samplerHeapIndexStride = samplers->set,
                                 .samplerHeapArrayStride = samplers->stride}};
}

uint32_t placed_mappings(const struct device *device, const struct key keys[2],
                         VkDescriptorSetAndBindingMappingEXT mappings[PLACED_MAPPINGS])
{
    uint32_t count = 0;
    mappings[count++] = (VkDescriptorSetAndBindingMappingEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
        .sourceData.pushIndex = {.pushOffset = offsetof(struct placed_push, results),
                                 .heapIndexStride = device->heap_results,
                                 .heapArrayStride = device->heap_results}};
    for (unsigned set = 0; set < 2; set++) {
        const struct shape *shape = shape_of(keys[set].shape);
        for (unsigned i = 0, first = 0; i < shape->binding_count; first += shape->bindings[i++].count)
            mappings[count++] = mapping_of(device, set, &shape->bindings[i], first);
    }
    return count;
}

/* ---- Binding ---- */

void placed_bind_buffers(const struct actor *actor, VkCommandBuffer commands, VkPipelineBindPoint point,
                         VkPipelineLayout layout, const struct dispatch *dispatch, bool again)
{
    const struct harness_descriptor_buffer *buffers[PLACED_BUFFERS] = {&actor->placed.buffers[0],
                                                                       &actor->placed.buffers[1]};
    const struct harness_descriptors *descriptors = actor->placed.descriptors;
    if (again)
        harness_descriptor_buffers_bind(descriptors, commands, buffers, PLACED_BUFFERS);
    for (unsigned i = 0; i < 2; i++) {
        const struct bound *bound = &dispatch->sets[i];
        if (bound->any)
            harness_descriptor_offset(descriptors, commands, point, layout, i + 1, buffer_of(bound->set),
                                      slot_of(actor->device, bound->set));
    }
    harness_descriptor_offset(descriptors, commands, point, layout, 0, 0,
                              results_slot(actor->device, dispatch->region / 2));
}

void placed_bind_heaps(const struct actor *actor, VkCommandBuffer commands, const struct dispatch *dispatch, bool again)
{
    struct placed_push push = {.pushed = dispatch->pushed, .results = dispatch->region / 2};
    for (unsigned i = 0; i < 2; i++)
        push.sets[i] = dispatch->sets[i].any ? dispatch->sets[i].set - first_of(FLAVOUR_HEAP) : 0;
    if (again)
        harness_heaps_bind(&actor->placed.heaps, commands);
    harness_heaps_push(&actor->placed.heaps, commands, 0, &push, sizeof(push));
}
