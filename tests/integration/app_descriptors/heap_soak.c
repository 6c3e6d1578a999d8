/* SPDX-License-Identifier: MIT */
/*
 * A soak of descriptor heaps: descriptors are written one by one and several at once, copied by the host and by the GPU
 * and overwritten, images are destroyed and made anew, heaps too, and command buffers, which change heaps on their way,
 * are recorded anew or submitted again, all at random from one seed. A model on the host says which descriptor is of
 * what, and what every lookup must give. The shader's bindings are mapped to heaps by pushed indices.
 *
 * Its environment and what lookups must give: soak_model.h.
 */
#include <stdio.h>
#include <string.h>

#include "harness/resources/heap.h"
#include "integration/app_descriptors/soak_model.h"
#include "integration_heap_soak.h"

enum {
    TIERS = 3,
    IMAGES = 7,
    HEAPS = 2, /* of each kind */
    SETS = 5,  /* in each */
    DESCRIPTORS = SOAK_UNITS + SOAK_APART,
    STORED = 24, /* in the host's memory, of each kind */
    AT_ONCE = 4, /* at most, by one call */
    RECORDINGS = 4,
    COPIES = 6, /* at most, of a recording */
    HEAP_BYTES = 1 << 15,
    STRIDE_MOST = 512,
};

enum kind { RESOURCES, SAMPLERS, KINDS };

static const VkDescriptorType types[KINDS] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLER};

struct image {
    struct harness_image image;
    uint8_t texels[SOAK_TEXELS];
    uint32_t generation;
};

/* What the bytes of a descriptor are. Samplers stay, as they are no objects. Zero is nothing. */
struct content {
    bool written;
    struct soak_sampler sampler;
    unsigned image;
    uint32_t generation; /* of the image */
};

/* A descriptor: in which heap, in which of its sets, and which. */
struct place {
    unsigned heap, set, descriptor;
};

struct copy {
    enum kind kind;
    struct place from, to;
};

/* What a dispatch reads: of each kind a heap and a set there. */
struct dispatch {
    struct place of[KINDS];
};

struct recording {
    VkCommandBuffer commands;
    bool recorded;
    unsigned copy_count, dispatch_count;
    struct copy copies[COPIES];
    struct dispatch dispatches[SOAK_DISPATCHES];
};

/* What is pushed, before what the mappings read. */
struct pushed {
    int32_t number; /* the shader's */
    uint32_t sets[KINDS];
};

struct soak {
    struct scene scene;
    bool native;
    struct soak_random random;
    unsigned tier;
    uint32_t generations;
    VkPipeline pipeline;
    struct image images[IMAGES];
    struct harness_heaps heaps[HEAPS];
    VkDeviceSize first[KINDS], set_bytes[KINDS]; /* of sets in heaps */
    uint32_t stride[KINDS];
    struct content contents[KINDS][HEAPS][SETS][DESCRIPTORS];
    unsigned char stored[KINDS][STORED][STRIDE_MOST];
    struct content stored_contents[KINDS][STORED];
    struct recording recordings[RECORDINGS];
    struct harness_buffer results;
    uint64_t lookups, dispatches, changes;
};

static uint32_t below(struct soak *s, uint32_t bound)
{
    return soak_below(&s->random, bound);
}

static struct harness_heap *heap_of(struct soak *s, enum kind kind, unsigned heap)
{
    return kind == RESOURCES ? &s->heaps[heap].resources : &s->heaps[heap].samplers;
}

static VkDeviceSize offset_of(const struct soak *s, enum kind kind, const struct place *place)
{
    return s->first[kind] + place->set * s->set_bytes[kind] + place->descriptor * s->stride[kind];
}

static unsigned char *bytes_of(struct soak *s, enum kind kind, const struct place *place)
{
    return heap_of(s, kind, place->heap)->bytes + offset_of(s, kind, place);
}

static struct content *content_of(struct soak *s, enum kind kind, const struct place *place)
{
    return &s->contents[kind][place->heap][place->set][place->descriptor];
}

static bool lives(const struct soak *s, enum kind kind, const struct content *content)
{
    return content->written && (kind == SAMPLERS || s->images[content->image].generation == content->generation);
}

/* ---- What happens to descriptors ---- */

static struct place choose(struct soak *s)
{
    return (struct place){below(s, HEAPS), below(s, SETS), below(s, DESCRIPTORS)};
}

static void write_samplers(struct soak *s, uint32_t count, struct content *contents[],
                           const VkHostAddressRangeEXT *ranges)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl[AT_ONCE];
    VkSamplerCreateInfo infos[AT_ONCE];
    for (uint32_t i = 0; i < count; i++) {
        *contents[i] = (struct content){.written = true, .sampler = soak_choose_sampler(&s->random, s->tier)};
        infos[i] = soak_sampler_info(&contents[i]->sampler, &gl[i]);
    }
    HARNESS_VK(s->heaps[0].write_samplers(s->scene.vk.device, count, infos, ranges));
}

static void write_images(struct soak *s, uint32_t count, struct content *contents[],
                         const VkHostAddressRangeEXT *ranges)
{
    VkImageViewCreateInfo views[AT_ONCE];
    VkImageDescriptorInfoEXT images[AT_ONCE];
    VkResourceDescriptorInfoEXT infos[AT_ONCE];
    for (uint32_t i = 0; i < count; i++) {
        const unsigned image = below(s, IMAGES);
        *contents[i] = (struct content){.written = true, .image = image, .generation = s->images[image].generation};
        views[i] = harness_image_view_info(&s->images[image].image);
        images[i] = (VkImageDescriptorInfoEXT){.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                               .pView = &views[i],
                                               .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        infos[i] = (VkResourceDescriptorInfoEXT){.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                                 .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                                 .data = {.pImage = &images[i]}};
    }
    HARNESS_VK(s->heaps[0].write_resources(s->scene.vk.device, count, infos, ranges));
}

static void write_descriptors(struct soak *s, enum kind kind, uint32_t count, struct content *contents[],
                              unsigned char *const bytes[])
{
    VkHostAddressRangeEXT ranges[AT_ONCE];
    for (uint32_t i = 0; i < count; i++)
        ranges[i] = (VkHostAddressRangeEXT){bytes[i], s->stride[kind]};
    if (kind == SAMPLERS)
        write_samplers(s, count, contents, ranges);
    else
        write_images(s, count, contents, ranges);
}

/* Into heaps, by one call. */
static void write_several(struct soak *s, enum kind kind)
{
    const uint32_t count = 1 + below(s, AT_ONCE);
    struct content *contents[AT_ONCE];
    unsigned char *bytes[AT_ONCE];
    struct place place = choose(s);
    for (uint32_t i = 0; i < count; i++) {
        contents[i] = content_of(s, kind, &place);
        bytes[i] = bytes_of(s, kind, &place);
        place.descriptor = (place.descriptor + 1) % DESCRIPTORS;
    }
    write_descriptors(s, kind, count, contents, bytes);
}

/* Into the host's memory, and out of it. */
static void store(struct soak *s, enum kind kind)
{
    const unsigned number = below(s, STORED);
    struct content *content = &s->stored_contents[kind][number];
    unsigned char *bytes = s->stored[kind][number];
    write_descriptors(s, kind, 1, &content, &bytes);
}

static void fetch(struct soak *s, enum kind kind)
{
    const unsigned number = below(s, STORED);
    const struct place place = choose(s);
    memcpy(bytes_of(s, kind, &place), s->stored[kind][number], s->stride[kind]);
    *content_of(s, kind, &place) = s->stored_contents[kind][number];
}

static void copy_by_host(struct soak *s, enum kind kind)
{
    const struct place from = choose(s), to = choose(s);
    memmove(bytes_of(s, kind, &to), bytes_of(s, kind, &from), s->stride[kind]);
    *content_of(s, kind, &to) = *content_of(s, kind, &from);
}

/* What is left is noise. */
static void spoil(struct soak *s, enum kind kind)
{
    const struct place place = choose(s);
    unsigned char *bytes = bytes_of(s, kind, &place);
    for (uint32_t i = 0; i < s->stride[kind]; i++)
        bytes[i] = (unsigned char)below(s, 256);
    *content_of(s, kind, &place) = (struct content){0};
}

static void make_image(struct soak *s, unsigned number)
{
    struct image *image = &s->images[number];
    if (image->generation)
        harness_image_destroy(&s->scene.vk, &image->image);
    soak_fill(&s->random, image->texels);
    harness_image_create(&s->scene.vk, &image->image,
                         &(struct harness_image_params){
                             .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UNORM, .width = SOAK_TEXELS},
                         image->texels);
    image->generation = ++s->generations;
}

/* The heaps of one number, with the results at the beginning of that of resources. */
static void make_heaps(struct soak *s, unsigned number)
{
    struct harness_heaps *heaps = &s->heaps[number];
    if (heaps->vk)
        harness_heaps_close(heaps);
    harness_heaps_open(heaps, &s->scene.vk, true, HEAP_BYTES, HEAP_BYTES);
    harness_heap_put_range(heaps, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                           harness_buffer_address(&s->scene.vk, &s->results), s->results.size, VK_FORMAT_UNDEFINED);
    for (unsigned kind = 0; kind < KINDS; kind++)
        memset(s->contents[kind][number], 0, sizeof(s->contents[kind][number]));
    for (unsigned i = 0; i < RECORDINGS; i++)
        s->recordings[i].recorded = false;
}

static void change_something(struct soak *s)
{
    const uint32_t what = below(s, 100);
    const enum kind kind = below(s, 2) ? RESOURCES : SAMPLERS;
    s->changes++;
    if (what < 40)
        write_several(s, kind);
    else if (what < 60)
        copy_by_host(s, kind);
    else if (what < 70)
        store(s, kind);
    else if (what < 82)
        fetch(s, kind);
    else if (what < 92)
        spoil(s, kind);
    else
        make_image(s, below(s, IMAGES));
}

/* ---- Commands ---- */

static void record_copies(struct soak *s, struct recording *recording)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    recording->copy_count = below(s, COPIES + 1);
    for (unsigned i = 0; i < recording->copy_count; i++) {
        struct copy *copy = &recording->copies[i];
        copy->kind = below(s, 2) ? RESOURCES : SAMPLERS;
        copy->from = choose(s);
        do
            copy->to = choose(s);
        while (memcmp(&copy->from, &copy->to, sizeof(copy->from)) == 0);
        const struct harness_heap *from = heap_of(s, copy->kind, copy->from.heap),
                                  *to = heap_of(s, copy->kind, copy->to.heap);
        const VkBufferCopy region = {
            .srcOffset = (VkDeviceSize)(bytes_of(s, copy->kind, &copy->from) - (unsigned char *)from->buffer.map),
            .dstOffset = (VkDeviceSize)(bytes_of(s, copy->kind, &copy->to) - (unsigned char *)to->buffer.map),
            .size = s->stride[copy->kind]};
        vkCmdCopyBuffer(recording->commands, from->buffer.buffer, to->buffer.buffer, 1, &region);
        vkCmdPipelineBarrier(recording->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                             &barrier, 0, NULL, 0, NULL);
    }
    harness_heaps_barrier(recording->commands);
}

/* Heaps are bound when others are than those that a dispatch reads. */
static void record_dispatch(struct soak *s, struct recording *recording, unsigned number)
{
    struct dispatch *dispatch = &recording->dispatches[number];
    struct pushed pushed = {.number = (int32_t)number};
    bool bound = number != 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const unsigned heap = below(s, HEAPS);
        dispatch->of[kind] = (struct place){.heap = heap, .set = below(s, SETS)};
        pushed.sets[kind] = dispatch->of[kind].set;
        bound &= number != 0 && recording->dispatches[number - 1].of[kind].heap == heap;
    }
    if (!bound) {
        struct harness_heaps heaps = s->heaps[dispatch->of[RESOURCES].heap];
        heaps.samplers = s->heaps[dispatch->of[SAMPLERS].heap].samplers;
        harness_heaps_bind(&heaps, recording->commands);
    }
    harness_heaps_push(&s->heaps[0], recording->commands, 0, &pushed, sizeof(pushed));
    vkCmdDispatch(recording->commands, 1, 1, 1);
}

static void record(struct soak *s, struct recording *recording)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    HARNESS_VK(vkBeginCommandBuffer(recording->commands, &begin));
    record_copies(s, recording);
    vkCmdBindPipeline(recording->commands, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
    recording->dispatch_count = 1 + below(s, SOAK_DISPATCHES);
    for (unsigned i = 0; i < recording->dispatch_count; i++)
        record_dispatch(s, recording, i);
    HARNESS_VK(vkEndCommandBuffer(recording->commands));
    recording->recorded = true;
    s->dispatches += recording->dispatch_count;
}

static const struct content *looked_up(const struct soak *s, const struct dispatch *dispatch, enum kind kind,
                                       unsigned lookup)
{
    const struct place *of = &dispatch->of[kind];
    return &s->contents[kind][of->heap][of->set][kind == RESOURCES ? soak_image_of(lookup) : soak_sampler_of(lookup)];
}

/* Which lookups have descriptors that may be read. */
static uint32_t mask_of(const struct soak *s, const struct dispatch *dispatch)
{
    uint32_t mask = 0;
    for (unsigned one = 0; one < SOAK_LOOKUPS; one++) {
        const bool live = lives(s, RESOURCES, looked_up(s, dispatch, RESOURCES, one)) &&
                          lives(s, SAMPLERS, looked_up(s, dispatch, SAMPLERS, one));
        mask |= (uint32_t)live << one;
    }
    return mask;
}

static void check(struct soak *s, const struct dispatch *dispatch, uint32_t mask, const float *seen)
{
    for (unsigned i = 0; i < SOAK_GROUP; i++) {
        const unsigned one = i / SCENE_COLUMNS;
        char where[96];
        if (!(mask >> one & 1))
            continue;
        snprintf(where, sizeof(where), "after %llu lookups: heaps %u and %u, sets %u and %u, lookup %u",
                 (unsigned long long)s->lookups++, dispatch->of[RESOURCES].heap, dispatch->of[SAMPLERS].heap,
                 dispatch->of[RESOURCES].set, dispatch->of[SAMPLERS].set, one);
        soak_expect(&looked_up(s, dispatch, SAMPLERS, one)->sampler,
                    s->images[looked_up(s, dispatch, RESOURCES, one)->image].texels, i % SCENE_COLUMNS, seen[i], where);
    }
}

static void submit(struct soak *s, struct recording *recording)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &recording->commands};
    uint32_t *masks = s->results.map;
    const float *seen = (const float *)(masks + SOAK_MASK_WORDS);
    for (unsigned i = 0; i < recording->copy_count; i++) {
        const struct copy *copy = &recording->copies[i];
        *content_of(s, copy->kind, &copy->to) = *content_of(s, copy->kind, &copy->from);
    }
    for (unsigned i = 0; i < recording->dispatch_count; i++)
        masks[i] = mask_of(s, &recording->dispatches[i]);
    HARNESS_VK(vkQueueSubmit(s->scene.vk.queue, 1, &info, VK_NULL_HANDLE));
    HARNESS_VK(vkQueueWaitIdle(s->scene.vk.queue));
    for (unsigned i = 0; i < recording->dispatch_count; i++)
        check(s, &recording->dispatches[i], masks[i], seen + i * SOAK_GROUP);
}

/* ---- The soak ---- */

static void open_device(struct soak *s)
{
    const char *layers = harness_test_layers("clampler:validation");
    VkPhysicalDeviceVulkan13Features thirteen = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .synchronization2 = VK_TRUE};
    VkPhysicalDeviceVulkan12Features twelve = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                               .pNext = &thirteen,
                                               .descriptorIndexing = VK_TRUE,
                                               .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
                                               .bufferDeviceAddress = VK_TRUE};
    struct harness_vulkan_params params = {.layers = layers, .device_next = &twelve, .sets = HARNESS_SETS_HEAP};
    harness_vulkan_hold_driver();
    scene_skip_lacking(layers, HARNESS_MONOLITHIC, HARNESS_SETS_HEAP, NULL, 0);
    s->native = strcmp(layers, "none") == 0;
    if (s->native) {
        params.layers = "validation";
        harness_messages_reset();
        harness_vulkan_open(&s->scene.vk, &params);
    } else {
        scene_open_device(&s->scene, &params);
    }
    scene_make(&s->scene, false);
}

/* A binding of the shader at a descriptor of the pushed set. */
static VkDescriptorSetAndBindingMappingEXT mapping_of(const struct soak *s, uint32_t binding, unsigned descriptor)
{
    VkDeviceSize at[KINDS];
    for (unsigned kind = 0; kind < KINDS; kind++)
        at[kind] = s->first[kind] + descriptor * s->stride[kind];
    const enum kind main = binding == SOAK_BINDING_SAMPLERS ? SAMPLERS : RESOURCES;
    return (VkDescriptorSetAndBindingMappingEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .firstBinding = binding,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
        .sourceData.pushIndex = {.heapOffset = (uint32_t)at[main],
                                 .pushOffset = (uint32_t)(offsetof(struct pushed, sets) + main * sizeof(uint32_t)),
                                 .heapIndexStride = (uint32_t)s->set_bytes[main],
                                 .heapArrayStride = s->stride[main],
                                 .samplerHeapOffset = (uint32_t)at[SAMPLERS],
                                 .samplerPushOffset =
                                     (uint32_t)(offsetof(struct pushed, sets) + SAMPLERS * sizeof(uint32_t)),
                                 .samplerHeapIndexStride = (uint32_t)s->set_bytes[SAMPLERS],
                                 .samplerHeapArrayStride = s->stride[SAMPLERS]}};
}

static void make_pipeline(struct soak *s)
{
    const VkDescriptorSetAndBindingMappingEXT mappings[] = {
        mapping_of(s, 0, 0), mapping_of(s, SOAK_BINDING_IMAGES, SOAK_UNITS),
        mapping_of(s, SOAK_BINDING_SAMPLERS, SOAK_UNITS),
        harness_heap_mapping(0, SOAK_BINDING_RESULTS, 1, (struct harness_heap_place){0},
                             (struct harness_heap_place){0})};
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = sizeof(mappings) / sizeof(mappings[0]),
        .pMappings = mappings};
    s->pipeline = harness_compute_pipeline_mapped(&s->scene.vk, HARNESS_SPIRV(integration_heap_soak), &mapping, NULL);
}

/* Sets lie behind one another, and behind the results, with room between them. */
static void lay_out(struct soak *s)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        s->stride[kind] = harness_heap_stride(&s->heaps[0], types[kind]);
        assert_true(s->stride[kind] <= STRIDE_MOST);
        s->first[kind] = 4 * (VkDeviceSize)s->stride[kind];
        s->set_bytes[kind] = (VkDeviceSize)(DESCRIPTORS + 3) * s->stride[kind];
        assert_true(s->first[kind] >= harness_heap_stride(&s->heaps[0], VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
        assert_true(s->first[kind] + SETS * s->set_bytes[kind] <= HEAP_BYTES);
    }
}

static void open_soak(struct soak *s)
{
    struct harness_vulkan *vk = &s->scene.vk;
    s->random = soak_seed();
    open_device(s);
    harness_buffer_create(vk, &s->results,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          SOAK_RESULT_BYTES, NULL);
    for (unsigned i = 0; i < RECORDINGS; i++) {
        harness_commands(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1, &s->recordings[i].commands);
    }
    for (unsigned i = 0; i < IMAGES; i++)
        make_image(s, i);
    for (unsigned i = 0; i < HEAPS; i++)
        make_heaps(s, i);
    lay_out(s);
    make_pipeline(s);
}

static void close_soak(struct soak *s)
{
    struct harness_vulkan *vk = &s->scene.vk;
    for (unsigned i = 0; i < RECORDINGS; i++)
        vkFreeCommandBuffers(vk->device, vk->pool, 1, &s->recordings[i].commands);
    for (unsigned i = 0; i < HEAPS; i++)
        harness_heaps_close(&s->heaps[i]);
    for (unsigned i = 0; i < IMAGES; i++)
        harness_image_destroy(vk, &s->images[i].image);
    vkDestroyPipeline(vk->device, s->pipeline, NULL);
    harness_buffer_destroy(vk, &s->results);
    scene_close(&s->scene);
}

/* The mark rises: a sampler of the tier is written into bytes that nobody reads. */
static void raise_mark(struct soak *s, unsigned tier)
{
    static const enum scene_sampler asking[TIERS] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED};
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    const VkSamplerCreateInfo info = scene_sampler_info(asking[tier], &gl);
    harness_heap_put_sampler(&s->heaps[0], 0, &info);
    s->tier = tier;
    for (unsigned i = 0; i < RECORDINGS; i++)
        s->recordings[i].recorded = false; /* what was recorded is outgrown */
}

/* Lookups until there are enough of them, all in the tier that samplers ask for from here on. */
static void soak_tier(struct soak *s, unsigned tier)
{
    raise_mark(s, tier);
    scene_mark(&s->scene);
    s->lookups = s->dispatches = s->changes = 0;
    while (s->lookups < soak_wanted()) {
        struct recording *recording = &s->recordings[below(s, RECORDINGS)];
        if (below(s, 100) == 0)
            make_heaps(s, below(s, HEAPS));
        if (!recording->recorded || below(s, 3) == 0)
            record(s, recording);
        for (unsigned changes = below(s, 40); changes; changes--)
            change_something(s);
        submit(s, recording);
    }
    scene_take(&s->scene);
    print_message("tier %u: %llu lookups, %llu dispatches, %llu changes, %u images\n", tier,
                  (unsigned long long)s->lookups, (unsigned long long)s->dispatches, (unsigned long long)s->changes,
                  s->generations);
    if (s->native)
        return;
    scene_expect_tier(&s->scene, tier);
    assert_int_equal(s->scene.drew[tier], s->dispatches);
}

static void descriptors_hold_what_was_written_and_copied(void **state)
{
    (void)state;
    static struct soak s;
    open_soak(&s);
    for (unsigned tier = 0; tier < (s.native ? 1 : TIERS); tier++)
        soak_tier(&s, tier);
    close_soak(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_hold_what_was_written_and_copied),
    };
    return cmocka_run_group_tests_name("heap_soak", tests, NULL, NULL);
}
