/* SPDX-License-Identifier: MIT */
/*
 * A soak of descriptor buffers: descriptors are written, copied by the host and by the GPU and overwritten, samplers
 * and views are destroyed and made anew, buffers too, and command buffers are recorded anew or submitted again, all at
 * random from one seed. A model on the host says which descriptor holds what, and what every lookup must give.
 * Its environment and what lookups must give: soak_model.h.
 */
#include <stdio.h>
#include <string.h>

#include "integration/app_descriptors/descriptor_scene.h"
#include "integration/app_descriptors/soak_model.h"
#include "integration_descriptor_soak.h"

enum {
    IMAGES = 5,
    SAMPLERS = 20, /* alive at once */
    VIEWS = 9,
    BUFFERS = 2,
    SETS = 5, /* in each buffer */
    DESCRIPTORS = SOAK_UNITS + 2 * SOAK_APART,
    STORED = 24, /* combined image samplers in the host's memory */
    RECORDINGS = 4,
    COPIES = 6, /* at most, of a recording */
};

static const VkDescriptorType types[3] = {SCENE_COMBINED, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLER};

/* ---- The model ---- */

struct sampler {
    VkSampler handle;
    struct soak_sampler is;
    uint32_t generation; /* 0: never made */
};

struct view {
    VkImageView handle;
    unsigned image;
    uint32_t generation;
};

/* What the bytes of a descriptor are: of which sampler and view, each as it was then. Zero is nothing. */
struct content {
    unsigned sampler, view;
    uint32_t sampler_generation, view_generation; /* 0: none */
};

struct copy {
    unsigned from[3], to[3]; /* buffer, set and descriptor */
};

struct recording {
    VkCommandBuffer commands;
    bool recorded;
    unsigned copy_count, dispatch_count;
    struct copy copies[COPIES];
    unsigned dispatches[SOAK_DISPATCHES][2]; /* buffer and set */
};

struct soak {
    struct descriptor_scene f;
    struct descriptor_program program;
    struct soak_random random;
    unsigned phase; /* the tier that samplers may ask for */
    uint32_t generations;
    struct harness_image images[IMAGES];
    uint8_t texels[IMAGES][SOAK_TEXELS];
    struct sampler samplers[SAMPLERS];
    struct view views[VIEWS];
    struct harness_descriptor_buffer buffers[BUFFERS];
    struct harness_descriptor_set sets[BUFFERS][SETS];
    struct content contents[BUFFERS][SETS][DESCRIPTORS];
    struct harness_descriptor_buffer stored; /* the host's memory, in its mapped bytes */
    struct content stored_contents[STORED];
    struct recording recordings[RECORDINGS];
    struct harness_buffer results;
    uint64_t lookups, dispatches;
};

static uint32_t below(struct soak *s, uint32_t bound)
{
    return soak_below(&s->random, bound);
}

static VkDescriptorType type_of(unsigned descriptor)
{
    return types[descriptor < SOAK_UNITS ? 0 : descriptor < SOAK_UNITS + SOAK_APART ? 1 : 2];
}

static unsigned char *bytes_of(struct soak *s, const unsigned place[3])
{
    const unsigned d = place[2];
    const uint32_t binding = d < SOAK_UNITS ? 0 : d < SOAK_UNITS + SOAK_APART ? 1 : 2;
    return harness_descriptor_at(&s->sets[place[0]][place[1]], binding,
                                 d < SOAK_UNITS ? d : (d - SOAK_UNITS) % SOAK_APART,
                                 harness_descriptor_size(&s->f.descriptors, type_of(d)));
}

static bool lives(const struct soak *s, const struct content *content, VkDescriptorType type)
{
    const bool sampler =
        content->sampler_generation && s->samplers[content->sampler].generation == content->sampler_generation;
    const bool view = content->view_generation && s->views[content->view].generation == content->view_generation;
    return (sampler || type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) && (view || type == VK_DESCRIPTOR_TYPE_SAMPLER);
}

/* ---- Samplers and views ---- */

static void make_sampler(struct soak *s, unsigned number)
{
    struct sampler *sampler = &s->samplers[number];
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    vkDestroySampler(s->f.scene.vk.device, sampler->handle, NULL);
    sampler->is = soak_choose_sampler(&s->random, s->phase);
    const VkSamplerCreateInfo info = soak_sampler_info(&sampler->is, &gl);
    sampler->generation = ++s->generations;
    sampler->handle = harness_sampler(&s->f.scene.vk, &info);
}

static void make_view(struct soak *s, unsigned number)
{
    struct view *view = &s->views[number];
    vkDestroyImageView(s->f.scene.vk.device, view->handle, NULL);
    view->image = below(s, IMAGES);
    view->generation = ++s->generations;
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = s->images[view->image].image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = VK_FORMAT_R8_UNORM,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HARNESS_VK(vkCreateImageView(s->f.scene.vk.device, &info, NULL, &view->handle));
}

/* ---- What happens to descriptors ---- */

static void choose(struct soak *s, unsigned place[3])
{
    place[0] = below(s, BUFFERS);
    place[1] = below(s, SETS);
    place[2] = below(s, DESCRIPTORS);
}

/* Another place for descriptors of the same type. */
static void choose_like(struct soak *s, const unsigned place[3], unsigned other[3])
{
    const unsigned first = place[2] < SOAK_UNITS                ? 0
                           : place[2] < SOAK_UNITS + SOAK_APART ? SOAK_UNITS
                                                                : SOAK_UNITS + SOAK_APART;
    choose(s, other);
    other[2] = first + below(s, first ? SOAK_APART : SOAK_UNITS);
}

static struct content *content_of(struct soak *s, const unsigned place[3])
{
    return &s->contents[place[0]][place[1]][place[2]];
}

static struct content write_bytes(struct soak *s, VkDescriptorType type, void *bytes)
{
    const unsigned sampler = below(s, SAMPLERS), view = below(s, VIEWS);
    harness_descriptor_image(&s->f.descriptors, type, s->samplers[sampler].handle, s->views[view].handle, bytes);
    return (struct content){sampler, view, s->samplers[sampler].generation, s->views[view].generation};
}

static void write_descriptor(struct soak *s)
{
    unsigned place[3];
    choose(s, place);
    *content_of(s, place) = write_bytes(s, type_of(place[2]), bytes_of(s, place));
}

static void copy_descriptor(struct soak *s)
{
    unsigned from[3], to[3];
    choose(s, from);
    choose_like(s, from, to);
    memmove(bytes_of(s, to), bytes_of(s, from), harness_descriptor_size(&s->f.descriptors, type_of(from[2])));
    *content_of(s, to) = *content_of(s, from);
}

/* Into the host's memory, and out of it. */
static void store_descriptor(struct soak *s)
{
    const unsigned number = below(s, STORED);
    const size_t size = harness_descriptor_size(&s->f.descriptors, SCENE_COMBINED);
    s->stored_contents[number] = write_bytes(s, SCENE_COMBINED, (unsigned char *)s->stored.buffer.map + number * size);
}

static void fetch_descriptor(struct soak *s)
{
    const unsigned number = below(s, STORED);
    const size_t size = harness_descriptor_size(&s->f.descriptors, SCENE_COMBINED);
    unsigned place[3];
    choose(s, place);
    place[2] = below(s, SOAK_UNITS);
    memcpy(bytes_of(s, place), (unsigned char *)s->stored.buffer.map + number * size, size);
    *content_of(s, place) = s->stored_contents[number];
}

/* What is left is noise. */
static void spoil_descriptor(struct soak *s)
{
    unsigned place[3];
    choose(s, place);
    unsigned char *bytes = bytes_of(s, place);
    for (size_t i = 0; i < harness_descriptor_size(&s->f.descriptors, type_of(place[2])); i++)
        bytes[i] = (unsigned char)below(s, 256);
    *content_of(s, place) = (struct content){0};
}

static void make_buffer(struct soak *s, unsigned number)
{
    struct harness_descriptor_buffer *buffer = &s->buffers[number];
    if (buffer->address)
        harness_descriptor_buffer_destroy(&s->f.descriptors, buffer);
    harness_descriptor_buffer_create(&s->f.descriptors, buffer, 0, 1 << 18);
    memset(buffer->buffer.map, 0xff, 1 << 16);
    memset(s->contents[number], 0, sizeof(s->contents[number]));
    buffer->used = 1 + below(s, 500);
    for (unsigned i = 0; i < SETS; i++) {
        s->sets[number][i] = harness_descriptor_set_take(&s->f.descriptors, buffer, s->program.sets[0]);
        harness_descriptor_put_range(&s->sets[number][i], SOAK_BINDING_RESULTS, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                     harness_buffer_address(&s->f.scene.vk, &s->results), s->results.size,
                                     VK_FORMAT_UNDEFINED);
    }
    for (unsigned i = 0; i < RECORDINGS; i++)
        s->recordings[i].recorded = false;
}

static void change_something(struct soak *s)
{
    const unsigned what = below(s, 100);
    if (what < 40)
        write_descriptor(s);
    else if (what < 60)
        copy_descriptor(s);
    else if (what < 68)
        store_descriptor(s);
    else if (what < 80)
        fetch_descriptor(s);
    else if (what < 88)
        spoil_descriptor(s);
    else if (what < 95)
        make_sampler(s, below(s, SAMPLERS));
    else
        make_view(s, below(s, VIEWS));
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
        const struct harness_descriptor_buffer *buffers[2];
        VkBufferCopy region = {0};
        choose(s, copy->from);
        do
            choose_like(s, copy->from, copy->to);
        while (memcmp(copy->from, copy->to, sizeof(copy->from)) == 0);
        for (unsigned side = 0; side < 2; side++) {
            const unsigned *place = side ? copy->to : copy->from;
            buffers[side] = &s->buffers[place[0]];
            *(side ? &region.dstOffset : &region.srcOffset) =
                (VkDeviceSize)(bytes_of(s, place) - (unsigned char *)buffers[side]->buffer.map);
        }
        region.size = harness_descriptor_size(&s->f.descriptors, type_of(copy->from[2]));
        vkCmdCopyBuffer(recording->commands, buffers[0]->buffer.buffer, buffers[1]->buffer.buffer, 1, &region);
        vkCmdPipelineBarrier(recording->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                             &barrier, 0, NULL, 0, NULL);
    }
    harness_descriptor_barrier(recording->commands);
}

static void record(struct soak *s, struct recording *recording)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const struct harness_descriptor_buffer *buffers[] = {&s->buffers[0], &s->buffers[1]};
    HARNESS_VK(vkBeginCommandBuffer(recording->commands, &begin));
    record_copies(s, recording);
    harness_descriptor_buffers_bind(&s->f.descriptors, recording->commands, buffers, BUFFERS);
    descriptor_scene_bind(&s->f, &s->program, recording->commands);
    recording->dispatch_count = 1 + below(s, SOAK_DISPATCHES);
    for (unsigned i = 0; i < recording->dispatch_count; i++) {
        const int32_t number = (int32_t)i;
        unsigned *which = recording->dispatches[i];
        which[0] = below(s, BUFFERS);
        which[1] = below(s, SETS);
        harness_descriptor_offset(&s->f.descriptors, recording->commands, s->program.point, s->program.layout, 0,
                                  which[0], s->sets[which[0]][which[1]].offset);
        vkCmdPushConstants(recording->commands, s->program.layout, VK_SHADER_STAGE_ALL, 0, sizeof(number), &number);
        vkCmdDispatch(recording->commands, 1, 1, 1);
    }
    HARNESS_VK(vkEndCommandBuffer(recording->commands));
    recording->recorded = true;
    s->dispatches += recording->dispatch_count;
}

/* Where a lookup's sampler is among a set's descriptors: behind the images apart. */
static unsigned sampler_at(unsigned lookup)
{
    const unsigned number = soak_sampler_of(lookup);
    return number < SOAK_UNITS ? number : number + SOAK_APART;
}

/* Which lookups of a set have descriptors that may be read. */
static uint32_t mask_of(const struct soak *s, const unsigned which[2])
{
    const struct content *contents = s->contents[which[0]][which[1]];
    uint32_t mask = 0;
    for (unsigned one = 0; one < SOAK_LOOKUPS; one++) {
        const struct content *image = &contents[soak_image_of(one)], *how = &contents[sampler_at(one)];
        const bool live = one < SOAK_UNITS ? lives(s, image, SCENE_COMBINED)
                                           : lives(s, image, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) &&
                                                 lives(s, how, VK_DESCRIPTOR_TYPE_SAMPLER);
        mask |= (uint32_t)live << one;
    }
    return mask;
}

static void check(struct soak *s, const unsigned which[2], uint32_t mask, const float *seen)
{
    const struct content *contents = s->contents[which[0]][which[1]];
    for (unsigned i = 0; i < SOAK_GROUP; i++) {
        const unsigned one = i / SCENE_COLUMNS;
        char where[96];
        if (!(mask >> one & 1))
            continue;
        snprintf(where, sizeof(where), "after %llu lookups: buffer %u, set %u, lookup %u",
                 (unsigned long long)s->lookups++, which[0], which[1], one);
        soak_expect(&s->samplers[contents[sampler_at(one)].sampler].is,
                    s->texels[s->views[contents[soak_image_of(one)].view].image], i % SCENE_COLUMNS, seen[i], where);
    }
}

static void submit(struct soak *s, struct recording *recording)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &recording->commands};
    uint32_t *masks = s->results.map;
    const float *seen = (const float *)(masks + SOAK_MASK_WORDS);
    for (unsigned i = 0; i < recording->copy_count; i++)
        *content_of(s, recording->copies[i].to) = *content_of(s, recording->copies[i].from);
    for (unsigned i = 0; i < recording->dispatch_count; i++)
        masks[i] = mask_of(s, recording->dispatches[i]);
    HARNESS_VK(vkQueueSubmit(s->f.scene.vk.queue, 1, &info, VK_NULL_HANDLE));
    HARNESS_VK(vkQueueWaitIdle(s->f.scene.vk.queue));
    for (unsigned i = 0; i < recording->dispatch_count; i++)
        check(s, recording->dispatches[i], masks[i], seen + i * SOAK_GROUP);
}

/* ---- The soak ---- */

static void open_soak(struct soak *s)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, SOAK_UNITS, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {SOAK_BINDING_IMAGES, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SOAK_APART, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {SOAK_BINDING_SAMPLERS, VK_DESCRIPTOR_TYPE_SAMPLER, SOAK_APART, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {SOAK_BINDING_RESULTS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    struct descriptor_scene *f = &s->f;
    s->random = soak_seed();
    descriptor_scene_open(f, NULL);
    struct harness_vulkan *vk = &f->scene.vk;
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f->descriptors, bindings, 4, 0, NULL);
    descriptor_program_create(f, &s->program, VK_SHADER_STAGE_COMPUTE_BIT, HARNESS_SPIRV(integration_descriptor_soak),
                              &layout, 1, sizeof(int32_t));
    harness_buffer_create(vk, &s->results,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          SOAK_RESULT_BYTES, NULL);
    harness_descriptor_buffer_create(&f->descriptors, &s->stored, 0, 1 << 16);
    for (unsigned i = 0; i < IMAGES; i++) {
        soak_fill(&s->random, s->texels[i]);
        harness_image_create(vk, &s->images[i],
                             &(struct harness_image_params){
                                 .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UNORM, .width = SOAK_TEXELS},
                             s->texels[i]);
    }
    for (unsigned i = 0; i < RECORDINGS; i++) {
        harness_commands(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1, &s->recordings[i].commands);
    }
    for (unsigned i = 0; i < VIEWS; i++)
        make_view(s, i);
    for (unsigned i = 0; i < SAMPLERS; i++)
        make_sampler(s, i);
    for (unsigned i = 0; i < BUFFERS; i++)
        make_buffer(s, i);
}

static void close_soak(struct soak *s)
{
    struct harness_vulkan *vk = &s->f.scene.vk;
    for (unsigned i = 0; i < RECORDINGS; i++)
        vkFreeCommandBuffers(vk->device, vk->pool, 1, &s->recordings[i].commands);
    for (unsigned i = 0; i < BUFFERS; i++)
        harness_descriptor_buffer_destroy(&s->f.descriptors, &s->buffers[i]);
    harness_descriptor_buffer_destroy(&s->f.descriptors, &s->stored);
    for (unsigned i = 0; i < SAMPLERS; i++)
        vkDestroySampler(vk->device, s->samplers[i].handle, NULL);
    for (unsigned i = 0; i < VIEWS; i++)
        vkDestroyImageView(vk->device, s->views[i].handle, NULL);
    for (unsigned i = 0; i < IMAGES; i++)
        harness_image_destroy(vk, &s->images[i]);
    harness_buffer_destroy(vk, &s->results);
    descriptor_program_destroy(&s->f, &s->program);
    descriptor_scene_close(&s->f);
}

/* Lookups until there are enough of them, all in the tier that samplers ask for from here on. */
static void soak_tier(struct soak *s, unsigned tier, uint64_t lookups)
{
    s->phase = tier;
    descriptor_scene_raise(&s->f, tier);
    for (unsigned i = 0; i < RECORDINGS; i++)
        s->recordings[i].recorded = false; /* what was recorded is outgrown */
    scene_mark(&s->f.scene);
    s->lookups = s->dispatches = 0;
    while (s->lookups < lookups) {
        struct recording *recording = &s->recordings[below(s, RECORDINGS)];
        if (below(s, 200) == 0)
            make_buffer(s, below(s, BUFFERS));
        if (!recording->recorded || below(s, 3) == 0)
            record(s, recording);
        for (unsigned changes = below(s, 40); changes; changes--)
            change_something(s);
        submit(s, recording);
    }
    scene_take(&s->f.scene);
    print_message("tier %u: %llu lookups, %llu dispatches, %u samplers and views\n", tier,
                  (unsigned long long)s->lookups, (unsigned long long)s->dispatches, s->generations);
    descriptor_scene_expect_tier(&s->f);
    if (!s->f.native)
        assert_int_equal(s->f.scene.drew[s->f.tier], s->dispatches);
}

static void descriptors_hold_what_was_written_and_copied(void **state)
{
    (void)state;
    static struct soak s;
    open_soak(&s);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&s.f); tier++)
        soak_tier(&s, tier, soak_wanted());
    close_soak(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_hold_what_was_written_and_copied),
    };
    return cmocka_run_group_tests_name("descriptor_soak", tests, NULL, NULL);
}
