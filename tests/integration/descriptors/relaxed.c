/* SPDX-License-Identifier: MIT */
/*
 * Every flag that relaxes how descriptors are synchronised (descriptor_type/relaxed.h): two threads write different
 * descriptors of one set at the same time, by writes, templates and copies, again and again, while a third records
 * draws with the set, where sets with the flag may be bound. What is drawn then is what was written last, in the tier
 * that this needs. Run under a thread sanitizer, too.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "integration/layers/faults.h"
#include "integration/shared/scene.h"
#include "integration_relaxed_combined.h"
#include "integration_relaxed_separate.h"
#include "descriptor_type/relaxed.h"

enum { ROUNDS = 24, FLIPS = 24, WRITERS = 2, PLACES_MOST = 6, RECORDINGS = 3, BINDINGS_MOST = 3 };

/* ---- Cases: flags of bindings and of pools, and what sets have ---- */

struct flag {
    const char *name;
    VkFlags bit;
    unsigned relaxes;
    bool of_pool;
};

static const struct flag flags[] = {
#define BINDING_ROW(NAME, BIT, WHAT) {#NAME, (BIT), (WHAT), false},
#define POOL_ROW(NAME, BIT, WHAT) {#NAME, (BIT), (WHAT), true},
    RELAXED_BINDING_FLAGS(BINDING_ROW) RELAXED_POOL_FLAGS(POOL_ROW)};

/* A descriptor that a writer writes. */
struct place {
    uint32_t binding, element;
    VkDescriptorType type;
};

static const struct kind {
    const char *name;
    VkDescriptorSetLayoutBinding bindings[BINDINGS_MOST];
    struct place places[PLACES_MOST];
    uint32_t place_count, first; /* the second writer's first place */
} kinds[] = {
    {"combined",
     {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2), SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
      SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)},
     {{0, 0, SCENE_COMBINED},
      {0, 1, SCENE_COMBINED},
      {2, 0, SCENE_COMBINED},
      {5, 0, SCENE_COMBINED},
      {5, 1, SCENE_COMBINED},
      {5, 2, SCENE_COMBINED}},
     6,
     3},
    {"separate",
     {SCENE_BINDING(1, SAMPLED_IMAGE, 2), SCENE_BINDING(3, SAMPLER, 2), SCENE_BINDING(4, SAMPLER, 1)},
     {{1, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
      {3, 0, VK_DESCRIPTOR_TYPE_SAMPLER},
      {1, 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
      {3, 1, VK_DESCRIPTOR_TYPE_SAMPLER},
      {4, 0, VK_DESCRIPTOR_TYPE_SAMPLER}},
     5,
     2},
};
enum { COMBINED, SEPARATE, KINDS };

struct relaxed_case {
    const struct flag *flag;
    const struct kind *kind;
};

struct fixture {
    struct scene scene;
    struct scene_program program;
    const struct flag *flag;
    const struct kind *kind;
    VkDescriptorSetLayout written_layout; /* of the set that both write; with host-only pools not the program's */
    VkDescriptorPool pool;
    VkDescriptorSet written, drawn, sources[WRITERS]; /* `drawn` is `written` where that may be bound */
    VkDescriptorUpdateTemplate updates[PLACES_MOST];
    VkDescriptorImageInfo infos[PLACES_MOST]; /* that were written last */
    enum scene_sampler samplers[PLACES_MOST];
    enum scene_texture textures[PLACES_MOST];
};

/* ---- Objects ---- */

static const char mutable_types[] = "VK_EXT_mutable_descriptor_type";

static void open_device(struct fixture *f)
{
    VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT host_only = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
        .mutableDescriptorType = VK_TRUE};
    VkPhysicalDeviceVulkan12Features indexing = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = f->flag->of_pool ? &host_only : NULL,
                                                 .descriptorIndexing = VK_TRUE,
                                                 .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,
                                                 .descriptorBindingUpdateUnusedWhilePending = VK_TRUE};
    const char *const names[] = {mutable_types};
    struct fault_control *control = faults_open();
    if (f->flag->of_pool)
        scene_skip_without(mutable_types);
    control->promise_indexing = true;
    faults_arm(control, 0, VK_SUCCESS);
    scene_open(&f->scene, &(struct harness_vulkan_params){.layers = "clampler:" FAULT_LAYER,
                                                          .device_next = &indexing,
                                                          .device_extensions = names,
                                                          .device_extension_count = f->flag->of_pool ? 1 : 0});
}

static void create_pool(struct fixture *f)
{
    const VkDescriptorPoolSize sizes[] = {
        {SCENE_COMBINED, 32}, {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 16}, {VK_DESCRIPTOR_TYPE_SAMPLER, 16}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags = f->flag->of_pool ? f->flag->bit
                                                      : f->flag->bit & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT
                                                          ? (VkFlags)VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
                                                          : 0,
                                             .maxSets = 4,
                                             .poolSizeCount = 3,
                                             .pPoolSizes = sizes};
    HARNESS_VK(vkCreateDescriptorPool(f->scene.vk.device, &info, NULL, &f->pool));
}

static VkDescriptorSet set_of_pool(struct fixture *f)
{
    const VkDescriptorPool kept = f->scene.vk.descriptors;
    f->scene.vk.descriptors = f->pool;
    const VkDescriptorSet set = harness_set(&f->scene.vk, f->written_layout);
    f->scene.vk.descriptors = kept;
    return set;
}

static void create_template(struct fixture *f, uint32_t number)
{
    const struct place *place = &f->kind->places[number];
    const VkDescriptorUpdateTemplateEntry entry = {.dstBinding = place->binding,
                                                   .dstArrayElement = place->element,
                                                   .descriptorCount = 1,
                                                   .descriptorType = place->type};
    f->updates[number] = harness_template(&f->scene.vk, f->written_layout, &entry, 1);
}

static void open_fixture(struct fixture *f, const struct relaxed_case *of)
{
    memset(f, 0, sizeof(*f));
    f->flag = of->flag;
    f->kind = of->kind;
    open_device(f);
    const VkFlags bit = f->flag->of_pool ? 0 : f->flag->bit;
    const VkDescriptorBindingFlags each[BINDINGS_MOST] = {bit, bit, bit};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = BINDINGS_MOST,
        .pBindingFlags = each};
    scene_program_create(&f->scene, &f->program,
                         f->kind == &kinds[COMBINED] ? HARNESS_SPIRV(integration_relaxed_combined)
                                                     : HARNESS_SPIRV(integration_relaxed_separate),
                         f->kind->bindings, BINDINGS_MOST,
                         bit & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT
                             ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                             : 0,
                         bit ? &binding_flags : NULL);
    f->written_layout = f->program.set_layout;
    create_pool(f);
    f->written = set_of_pool(f);
    f->drawn = f->flag->of_pool ? harness_set(&f->scene.vk, f->program.set_layout) : f->written;
    for (uint32_t i = 0; i < WRITERS; i++)
        f->sources[i] = set_of_pool(f);
    for (uint32_t i = 0; i < f->kind->place_count; i++)
        create_template(f, i);
}

static void close_fixture(struct fixture *f)
{
    for (uint32_t i = 0; i < f->kind->place_count; i++)
        vkDestroyDescriptorUpdateTemplate(f->scene.vk.device, f->updates[i], NULL);
    if (f->flag->of_pool)
        HARNESS_VK(vkFreeDescriptorSets(f->scene.vk.device, f->scene.vk.descriptors, 1, &f->drawn));
    vkDestroyDescriptorPool(f->scene.vk.device, f->pool, NULL);
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
    faults_open()->promise_indexing = false;
}

/* ---- Threads ---- */

struct writer {
    struct fixture *f;
    unsigned number, round;
    pthread_barrier_t *start;
    pthread_t thread;
};

static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_MIXED, SCENE_CLAMP, SCENE_EDGE, SCENE_BORDER};
enum { SAMPLERS = sizeof(samplers) / sizeof(samplers[0]) };

/* One descriptor, in one of three ways: a write, a template, a write to a set of the writer's own and a copy. */
static void write_place(struct fixture *f, unsigned writer, uint32_t number, unsigned way)
{
    const struct place *place = &f->kind->places[number];
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = way == 2 ? f->sources[writer] : f->written,
                                  .dstBinding = place->binding,
                                  .dstArrayElement = place->element,
                                  .descriptorCount = 1,
                                  .descriptorType = place->type,
                                  .pImageInfo = &f->infos[number]};
    const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = f->sources[writer],
                                      .srcBinding = place->binding,
                                      .srcArrayElement = place->element,
                                      .dstSet = f->written,
                                      .dstBinding = place->binding,
                                      .dstArrayElement = place->element,
                                      .descriptorCount = 1};
    if (way == 1)
        vkUpdateDescriptorSetWithTemplate(f->scene.vk.device, f->written, f->updates[number], &f->infos[number]);
    else
        vkUpdateDescriptorSets(f->scene.vk.device, 1, &write, 0, NULL);
    if (way == 2)
        vkUpdateDescriptorSets(f->scene.vk.device, 0, NULL, 1, &copy);
}

static void write_all(struct fixture *f, unsigned writer, unsigned round, unsigned flip)
{
    const uint32_t end = writer ? f->kind->place_count : f->kind->first;
    for (uint32_t i = writer ? f->kind->first : 0; i < end; i++) {
        f->samplers[i] = samplers[(round + flip + i * writer) % SAMPLERS];
        f->textures[i] = (round + flip + i) % 2 ? SCENE_RAMP : SCENE_STEPS;
        f->infos[i] = scene_info(&f->scene, f->samplers[i], f->textures[i]);
        write_place(f, writer, i, (flip + i) % 3);
    }
}

static void *run_writer(void *user)
{
    struct writer *w = user;
    pthread_barrier_wait(w->start);
    for (unsigned flip = 0; flip < FLIPS; flip++)
        write_all(w->f, w->number, w->round, flip);
    return NULL;
}

/* Draws that are recorded and not submitted. */
static void *run_recorder(void *user)
{
    struct writer *w = user;
    const struct fixture *f = w->f;
    struct harness_vulkan vk = f->scene.vk;
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = vk.family};
    HARNESS_VK(vkCreateCommandPool(vk.device, &info, NULL, &vk.pool));
    pthread_barrier_wait(w->start);
    for (unsigned i = 0; i < RECORDINGS && !f->flag->of_pool; i++) {
        VkCommandBuffer commands = harness_begin(&vk);
        harness_target_begin(&f->scene.target, commands);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.pipeline);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &f->written, 0,
                                NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
        harness_target_end(commands);
        HARNESS_VK(vkEndCommandBuffer(commands));
        vkFreeCommandBuffers(vk.device, vk.pool, 1, &commands);
    }
    vkDestroyCommandPool(vk.device, vk.pool, NULL);
    return NULL;
}

static void run_threads(struct fixture *f, unsigned round)
{
    struct writer threads[WRITERS + 1];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, WRITERS + 1), 0);
    for (unsigned i = 0; i <= WRITERS; i++) {
        threads[i] = (struct writer){f, i, round, &start, 0};
        assert_int_equal(pthread_create(&threads[i].thread, NULL, i < WRITERS ? run_writer : run_recorder, &threads[i]),
                         0);
    }
    for (unsigned i = 0; i <= WRITERS; i++)
        pthread_join(threads[i].thread, NULL);
    pthread_barrier_destroy(&start);
}

/* ---- What is drawn ---- */

static void copy_to_drawn(struct fixture *f)
{
    for (uint32_t i = 0; i < f->kind->place_count; i++) {
        const struct place *place = &f->kind->places[i];
        const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                          .srcSet = f->written,
                                          .srcBinding = place->binding,
                                          .srcArrayElement = place->element,
                                          .dstSet = f->drawn,
                                          .dstBinding = place->binding,
                                          .dstArrayElement = place->element,
                                          .descriptorCount = 1};
        vkUpdateDescriptorSets(f->scene.vk.device, 0, NULL, 1, &copy);
    }
}

static unsigned tier_of(enum scene_sampler sampler)
{
    return sampler == SCENE_MIXED ? 2 : sampler == SCENE_CLAMP || sampler == SCENE_MIRROR;
}

/* Sets that are open when commands are recorded are drawn in the tier of the device's mark. */
static void draw_and_expect(struct fixture *f)
{
    unsigned tier = f->flag->relaxes & RELAXED_OPEN ? 2 : 0;
    if (f->flag->of_pool)
        copy_to_drawn(f);
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &f->drawn);
    for (uint32_t i = 0; i < f->kind->place_count; i++) {
        const bool sampler = f->kind->places[i].type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
        tier = sampler && tier_of(f->samplers[i]) > tier ? tier_of(f->samplers[i]) : tier;
    }
    scene_expect_tier(&f->scene, tier);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        const unsigned image = f->kind == &kinds[COMBINED] ? row : row / 3 * 2;
        const unsigned sampler = f->kind == &kinds[COMBINED] ? row : (const unsigned[]){1, 3, 4}[row % 3];
        scene_expect_row(&f->scene, row, f->samplers[sampler], f->textures[image]);
    }
}

static void two_threads_write_one_set(void **state)
{
    struct fixture f;
    open_fixture(&f, *state);
    for (unsigned round = 0; round < ROUNDS; round++) {
        run_threads(&f, round);
        draw_and_expect(&f);
    }
    /* What the set needs is counted, and nothing got lost: it needs nothing any more. */
    for (uint32_t i = 0; i < f.kind->place_count; i++) {
        f.samplers[i] = SCENE_EDGE;
        f.infos[i] = scene_info(&f.scene, SCENE_EDGE, f.textures[i]);
        write_place(&f, 0, i, 0);
    }
    draw_and_expect(&f);
    close_fixture(&f);
}

int main(void)
{
    enum { FLAGS = sizeof(flags) / sizeof(flags[0]) };
    static struct relaxed_case cases[FLAGS * KINDS];
    static char names[FLAGS * KINDS][128];
    struct CMUnitTest tests[FLAGS * KINDS];
    size_t count = 0;
    for (size_t i = 0; i < FLAGS * KINDS; i++) {
        const struct flag *flag = &flags[i / KINDS];
        if (!(flag->relaxes & RELAXED_THREADS))
            continue;
        cases[count] = (struct relaxed_case){flag, &kinds[i % KINDS]};
        snprintf(names[count], sizeof(names[count]), "two_threads_write_one_set: %s, %s", flag->name,
                 kinds[i % KINDS].name);
        tests[count] = (struct CMUnitTest){names[count], two_threads_write_one_set, NULL, NULL, (void *)&cases[count]};
        count++;
    }
    return _cmocka_run_group_tests("relaxed", tests, count, NULL, NULL);
}
