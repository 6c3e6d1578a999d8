/* SPDX-License-Identifier: MIT */
/*
 * Descriptor indexing: sets that change after binding, that are partly bound, whose last binding has a variable count
 * (which the record binding pushes up by one), and arrays without a length.
 *
 * A driver that lacks the features is promised to have them by the fault layer. lavapipe of Mesa 22.3 works with what
 * it does not promise, but for non-uniform indices, whose test needs a driver that has them.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness/device/limits.h"
#include "integration/layers/faults.h"
#include "integration/shared/parts.h"
#include "integration_bindless.h"
#include "integration_bindless_nonuniform.h"
#include "integration_buffers.h"
#include "integration_integers.h"
#include "integration_separate.h"
#include "integration_single.h"

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorPool pool;
    bool promised; /* the driver has no idea of variable counts: sets are complete */
};

enum { TEXTURES = 24, BUFFERS = 16 }; /* upper bounds of the variable counts */

static bool driver_has_indexing(void)
{
    struct harness_vulkan vk;
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features};
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    vkGetPhysicalDeviceFeatures2(vk.physical, &query);
    harness_vulkan_close(&vk);
    return features.descriptorIndexing && features.shaderSampledImageArrayNonUniformIndexing &&
           features.descriptorBindingVariableDescriptorCount && features.runtimeDescriptorArray &&
           features.descriptorBindingPartiallyBound && features.descriptorBindingSampledImageUpdateAfterBind;
}

static void open_device(struct fixture *f, const char *layers, const char *missing)
{
    struct fault_control *control = faults_open();
    control->promise_indexing = f->promised = !driver_has_indexing();
    faults_arm(control, 0, VK_SUCCESS);
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .descriptorIndexing = VK_TRUE,
                                                 .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
                                                 .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,
                                                 .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,
                                                 .descriptorBindingPartiallyBound = VK_TRUE,
                                                 .descriptorBindingVariableDescriptorCount = VK_TRUE,
                                                 .runtimeDescriptorArray = VK_TRUE};
    const struct harness_vulkan_params params = {.layers = layers, .device_next = &features};
    if (missing)
        setenv("VK_CLAMPLER_ASSUME_MISSING", missing, 1);
    scene_open_device(&f->scene, &params);
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
}

static void create_program(struct fixture *f, struct harness_spirv fragment,
                           const VkDescriptorSetLayoutBinding *bindings, const VkDescriptorBindingFlags *flags,
                           uint32_t count)
{
    VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = count,
        .pBindingFlags = flags};
    VkDescriptorSetLayoutCreateFlags layout_flags = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (flags[i] & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)
            layout_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    }
    scene_program_create(&f->scene, &f->program, fragment, bindings, count, layout_flags, &binding_flags);

    const VkDescriptorPoolSize sizes[] = {{SCENE_COMBINED, 512},
                                          {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 8},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, 8},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64}};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .flags = layout_flags ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0,
                                       .maxSets = 16,
                                       .poolSizeCount = 4,
                                       .pPoolSizes = sizes};
    HARNESS_VK(vkCreateDescriptorPool(f->scene.vk.device, &pool, NULL, &f->pool));
}

static void open_above(struct fixture *f, const char *layers, const char *missing, struct harness_spirv fragment,
                       const VkDescriptorSetLayoutBinding *bindings, const VkDescriptorBindingFlags *flags,
                       uint32_t count)
{
    open_device(f, layers, missing);
    scene_make(&f->scene, true);
    create_program(f, fragment, bindings, flags, count);
}

/* Samplers with GL state are for the test to add. */
static void open_without_gl(struct fixture *f, struct harness_spirv fragment,
                            const VkDescriptorSetLayoutBinding *bindings, const VkDescriptorBindingFlags *flags,
                            uint32_t count)
{
    open_device(f, "clampler:validation:" FAULT_LAYER, NULL);
    scene_make(&f->scene, false);
    create_program(f, fragment, bindings, flags, count);
}

static void open_fixture(struct fixture *f, const char *missing, struct harness_spirv fragment,
                         const VkDescriptorSetLayoutBinding *bindings, const VkDescriptorBindingFlags *flags,
                         uint32_t count)
{
    open_above(f, "clampler:validation:" FAULT_LAYER, missing, fragment, bindings, flags, count);
}

static VkDescriptorSet allocate(struct fixture *f, uint32_t variable_count, uint32_t upper_bound)
{
    VkDescriptorSet set;
    VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = f->promised ? &upper_bound : &variable_count};
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .pNext = &counts,
                                        .descriptorPool = f->pool,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &f->program.set_layout};
    HARNESS_VK(vkAllocateDescriptorSets(f->scene.vk.device, &info, &set));
    return set;
}

static void close_fixture(struct fixture *f)
{
    vkDestroyDescriptorPool(f->scene.vk.device, f->pool, NULL);
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
    faults_open()->promise_indexing = false;
}

static void draw(struct fixture *f, VkDescriptorSet set)
{
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &set);
}

enum {
    VARIABLE = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT,
    AFTER_BIND = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT,
};

static const VkDescriptorSetLayoutBinding texture_bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                                SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, TEXTURES)};
static const VkDescriptorBindingFlags texture_flags[] = {0, VARIABLE};

static void complete(struct fixture *f, VkDescriptorSet set)
{
    for (unsigned i = SCENE_ROWS - 1; f->promised && i < TEXTURES; i++)
        scene_write(&f->scene, set, 1, i, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);
}

static void fill_rows(struct fixture *f, VkDescriptorSet set, const enum scene_sampler samplers[SCENE_ROWS])
{
    scene_write(&f->scene, set, 0, 0, SCENE_COMBINED, samplers[0], SCENE_RAMP);
    for (unsigned i = 0; i + 1 < SCENE_ROWS; i++)
        scene_write(&f->scene, set, 1, i, SCENE_COMBINED, samplers[i + 1], i % 2 ? SCENE_RAMP : SCENE_STEPS);
    complete(f, set);
}

static void expect_rows(struct fixture *f, const enum scene_sampler samplers[SCENE_ROWS])
{
    scene_expect_row(&f->scene, 0, samplers[0], SCENE_RAMP);
    for (unsigned i = 0; i + 1 < SCENE_ROWS; i++)
        scene_expect_row(&f->scene, i + 1, samplers[i + 1], i % 2 ? SCENE_RAMP : SCENE_STEPS);
}

static const enum scene_sampler plain_rows[] = {SCENE_EDGE, SCENE_BORDER, SCENE_EDGE,
                                                SCENE_EDGE, SCENE_EDGE,   SCENE_GL_EDGE};
static const enum scene_sampler clamp_rows[] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_CLAMP,
                                                SCENE_BORDER, SCENE_MIRROR, SCENE_EDGE};
static const enum scene_sampler mixed_rows[] = {SCENE_EDGE,   SCENE_MIXED, SCENE_CLAMP,
                                                SCENE_BORDER, SCENE_EDGE,  SCENE_MIXED};

/* The renumbered binding is drawn right in every tier, and sets of any count are. */
static void a_variable_count_binding_moves_up_for_the_records(const char *missing)
{
    struct fixture f;
    open_fixture(&f, missing, HARNESS_SPIRV(integration_bindless), texture_bindings, texture_flags, 2);
    static const enum scene_sampler *const rows[] = {plain_rows, clamp_rows, mixed_rows};
    static const uint32_t counts[] = {5, TEXTURES, 6};
    for (unsigned tier = 0; tier < 3; tier++) {
        VkDescriptorSet set = allocate(&f, counts[tier], TEXTURES);
        fill_rows(&f, set, rows[tier]);
        draw(&f, set);
        scene_expect_tier(&f.scene, tier);
        expect_rows(&f, rows[tier]);
    }
    close_fixture(&f);
}

static void a_variable_count_binding_moves_up_for_records_in_storage_buffers(void **state)
{
    (void)state;
    a_variable_count_binding_moves_up_for_the_records("uniform_records");
}

static void a_variable_count_binding_moves_up_for_records_of_the_devices_kind(void **state)
{
    (void)state;
    a_variable_count_binding_moves_up_for_the_records(NULL);
}

/* Vulkan lets no write run over between bindings of different flags, so each names the moved binding itself. */
static void writes_copies_and_templates_reach_the_moved_binding(void **state)
{
    (void)state;
    struct fixture f;
    VkDescriptorImageInfo infos[SCENE_ROWS];
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_bindless), texture_bindings, texture_flags, 2);
    VkDescriptorSet written = allocate(&f, 5, TEXTURES), copied = allocate(&f, 8, TEXTURES),
                    templated = allocate(&f, 5, TEXTURES);
    complete(&f, written);
    complete(&f, copied);
    complete(&f, templated);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        infos[row] = scene_info(&f.scene, clamp_rows[row], row % 2 ? SCENE_STEPS : SCENE_RAMP);
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = written,
                                  .descriptorCount = 1,
                                  .descriptorType = SCENE_COMBINED,
                                  .pImageInfo = infos};
    vkUpdateDescriptorSets(f.scene.vk.device, 1, &write, 0, NULL);
    write.dstBinding = 1;
    write.descriptorCount = SCENE_ROWS - 1;
    write.pImageInfo = infos + 1;
    vkUpdateDescriptorSets(f.scene.vk.device, 1, &write, 0, NULL);
    draw(&f, written);
    scene_expect_tier(&f.scene, 1);
    expect_rows(&f, clamp_rows);

    const VkCopyDescriptorSet copies[] = {
        {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = written, .dstSet = copied, .descriptorCount = 1},
        {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
         .srcSet = written,
         .srcBinding = 1,
         .dstSet = copied,
         .dstBinding = 1,
         .descriptorCount = SCENE_ROWS - 1}};
    vkUpdateDescriptorSets(f.scene.vk.device, 0, NULL, 2, copies);
    draw(&f, copied);
    scene_expect_tier(&f.scene, 1);
    expect_rows(&f, clamp_rows);

    const VkDescriptorUpdateTemplateEntry entries[] = {
        {0, 0, 1, SCENE_COMBINED, 0, sizeof(infos[0])},
        {1, 0, SCENE_ROWS - 1, SCENE_COMBINED, sizeof(infos[0]), sizeof(infos[0])}};
    VkDescriptorUpdateTemplate update = harness_template(&f.scene.vk, f.program.set_layout, entries, 2);
    vkUpdateDescriptorSetWithTemplate(f.scene.vk.device, templated, update, infos);
    vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, update, NULL);
    draw(&f, templated);
    scene_expect_tier(&f.scene, 1);
    expect_rows(&f, clamp_rows);
    close_fixture(&f);
}

/* Descriptors that no shader reads need not be there, beside the immutable samplers that the layer writes itself. */
static void descriptors_may_be_missing_where_partly_bound(void **state)
{
    (void)state;
    struct fixture f;
    if (!driver_has_indexing()) {
        print_message("the driver needs every descriptor\n");
        skip();
    }
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_bindless), texture_bindings, texture_flags, 2);
    VkDescriptorSet set = allocate(&f, TEXTURES, TEXTURES);
    fill_rows(&f, set, clamp_rows); /* 19 of 24 stay empty */
    draw(&f, set);
    scene_expect_tier(&f.scene, 1);
    expect_rows(&f, clamp_rows);
    scene_write(&f.scene, set, 1, 20, SCENE_COMBINED, SCENE_MIXED, SCENE_RAMP); /* nobody looks at it */
    draw(&f, set);
    scene_expect_tier(&f.scene, 2);
    expect_rows(&f, clamp_rows);
    close_fixture(&f);
}

static void a_variable_count_of_storage_buffers_moves_up_too(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(3, STORAGE_BUFFER, BUFFERS),
                                                            SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorBindingFlags flags[] = {VARIABLE, 0};
    struct fixture f;
    struct harness_buffer buffers[BUFFERS];
    unsigned count = 4;
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_buffers), bindings, flags, 2);
    VkDescriptorSet set = allocate(&f, 4, BUFFERS);
    if (f.promised)
        count = BUFFERS;
    for (unsigned i = 0; i < count; i++) {
        const float value[4] = {(float)(i + 1)};
        harness_buffer_create(&f.scene.vk, &buffers[i], VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(value), value);
        VkDescriptorBufferInfo info = {buffers[i].buffer, 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = set,
                                      .dstBinding = 3,
                                      .dstArrayElement = i,
                                      .descriptorCount = 1,
                                      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      .pBufferInfo = &info};
        vkUpdateDescriptorSets(f.scene.vk.device, 1, &write, 0, NULL);
    }
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED};
    for (unsigned tier = 0; tier < 3; tier++) {
        scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, samplers[tier], SCENE_STEPS);
        draw(&f, set);
        scene_expect_tier(&f.scene, tier);
        scene_expect_row(&f.scene, 1, samplers[tier], SCENE_STEPS);
        for (unsigned i = 0; i < 4; i++)
            assert_float_equal(f.scene.pixels[i + 2][3][0], (float)(i + 1), 0);
    }
    for (unsigned i = 0; i < count; i++)
        harness_buffer_destroy(&f.scene.vk, &buffers[i]);
    close_fixture(&f);
}

/* Binds a set that may change later, draws, and writes the descriptor before the draw or after it. */
static void draw_after_bind(struct fixture *f, VkDescriptorSet set, enum scene_sampler sampler, bool late)
{
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &set, 0, NULL);
    if (!late)
        scene_write(&f->scene, set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
    vkCmdDraw(commands, 3, 1, 0, 0);
    if (late)
        scene_write(&f->scene, set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
    scene_end(&f->scene, commands);
}

static void expect_all_rows(const struct fixture *f, enum scene_sampler sampler)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, sampler, SCENE_STEPS);
}

/* The highest tier that a sampler of the device may ask for, with any of its views: none until there is one. */
static void sets_that_change_after_binding_get_the_tier_of_the_mark(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorBindingFlags flags[] = {AFTER_BIND};
    static const struct {
        enum scene_sampler added; /* SCENE_NOTHING: none */
        unsigned tier;
    } steps[] = {{SCENE_NOTHING, 0}, {SCENE_GL_EDGE, 0}, {SCENE_CLAMP, 1}, {SCENE_MIRROR, 1}, {SCENE_MIXED, 2}};
    struct fixture f;
    open_without_gl(&f, HARNESS_SPIRV(integration_single), bindings, flags, 1);
    const struct clampler_counters made = harness_counters(&f.scene.vk);
    assert_int_equal(made.pipelines[0], 1);
    assert_int_equal(made.pipelines[1] + made.pipelines[2], 0);
    VkDescriptorSet set = allocate(&f, 1, 1);
    for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (steps[i].added != SCENE_NOTHING)
            scene_add_sampler(&f.scene, steps[i].added);
        /* Whatever is written, and when. */
        for (unsigned sampler = 0; sampler < SCENE_MIXED; sampler++) {
            for (unsigned late = 0; late < 2 && f.scene.samplers[sampler]; late++) {
                draw_after_bind(&f, set, (enum scene_sampler)sampler, late);
                scene_expect_tier(&f.scene, steps[i].tier);
                expect_all_rows(&f, (enum scene_sampler)sampler);
            }
        }
    }
    assert_int_equal(harness_counters(&f.scene.vk).outgrown_submits, 0);
    close_fixture(&f);
}

/* Draws that were recorded are too early to follow: it is said. Those after it follow, whether or not anything is
 * bound. */
static void a_mark_that_rises_reaches_the_draws_after_it(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorBindingFlags flags[] = {AFTER_BIND};
    struct fixture f;
    open_without_gl(&f, HARNESS_SPIRV(integration_single), bindings, flags, 1);
    VkDescriptorSet set = allocate(&f, 1, 1);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.layout, 0, 1, &set, 0, NULL);
    scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    for (unsigned i = 0; i < 3; i++)
        vkCmdDraw(commands, 3, 1, 0, 0);
    scene_add_sampler(&f.scene, SCENE_CLAMP);
    for (unsigned i = 0; i < 2; i++)
        vkCmdDraw(commands, 3, 1, 0, 0);
    scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    scene_end(&f.scene, commands);
    assert_int_equal(f.scene.drew[0], 3);
    assert_int_equal(f.scene.drew[1], 2);
    expect_all_rows(&f, SCENE_CLAMP); /* the last draw covers the others */
    assert_int_equal(harness_counters(&f.scene.vk).outgrown_submits, 1);
    draw_after_bind(&f, set, SCENE_CLAMP, false);
    scene_expect_tier(&f.scene, 1);
    assert_int_equal(harness_counters(&f.scene.vk).outgrown_submits, 1);
    close_fixture(&f);
}

/*
 * Linear filters see nothing of views of integers, which takes tier 2. A shader without lookups of integers may read no
 * such view: views that other shaders read change nothing for its draws.
 */
static void views_of_integers_concern_lookups_of_integers_alone(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorBindingFlags flags[] = {AFTER_BIND};
    static const struct harness_image_params integers = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UINT, .width = 1, .height = 1};
    static const uint8_t texel = 51;
    struct fixture f, other;
    struct harness_image image;
    open_without_gl(&f, HARNESS_SPIRV(integration_single), bindings, flags, 1);
    other = f;
    scene_program_create(&f.scene, &other.program, HARNESS_SPIRV(integration_integers), bindings, 1,
                         VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
                         &(VkDescriptorSetLayoutBindingFlagsCreateInfo){
                             .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
                             .bindingCount = 1,
                             .pBindingFlags = flags});
    VkDescriptorSet set = allocate(&f, 1, 1), other_set = allocate(&other, 1, 1);
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
    VkSampler nearest;
    info.magFilter = info.minFilter = VK_FILTER_NEAREST;
    HARNESS_VK(vkCreateSampler(f.scene.vk.device, &info, NULL, &nearest));
    scene_add_sampler(&f.scene, SCENE_CLAMP);
    draw_after_bind(&f, set, SCENE_CLAMP, false);
    scene_expect_tier(&f.scene, 1);
    harness_image_create(&f.scene.vk, &image, &integers, &texel);
    harness_write_image(&f.scene.vk, other_set, 0, 0, SCENE_COMBINED, nearest, image.view);
    for (unsigned i = 0; i < 2; i++) {
        draw_after_bind(&f, set, SCENE_CLAMP, i);
        scene_expect_tier(&f.scene, 1);
        expect_all_rows(&f, SCENE_CLAMP);
        scene_draw(&f.scene, other.program.pipeline, other.program.layout, 1, &other_set);
        scene_expect_tier(&f.scene, 2);
        for (unsigned pixel = 0; pixel < SCENE_ROWS * SCENE_COLUMNS; pixel++)
            assert_float_equal(f.scene.pixels[pixel / SCENE_COLUMNS][pixel % SCENE_COLUMNS][0], texel / 255.0f, 1e-3f);
    }
    assert_int_equal(harness_counters(&f.scene.vk).outgrown_submits, 0);
    vkDestroySampler(f.scene.vk.device, nearest, NULL);
    harness_image_destroy(&f.scene.vk, &image);
    scene_program_destroy(&f.scene, &other.program);
    close_fixture(&f);
}

struct writer {
    struct fixture *fixture;
    VkDescriptorSet set;
    unsigned first; /* elements first, first + 2, ... are this thread's */
};

static void *write_in_turn(void *user)
{
    const struct writer *writer = user;
    for (unsigned round = 0; round < 200; round++) {
        const enum scene_sampler *samplers = round % 2 ? clamp_rows : plain_rows;
        for (unsigned i = writer->first; i + 1 < SCENE_ROWS; i += 2)
            scene_write(&writer->fixture->scene, writer->set, 1, i, SCENE_COMBINED, samplers[i + 1],
                        i % 2 ? SCENE_RAMP : SCENE_STEPS);
    }
    return NULL;
}

/* Descriptors of one set that may change after binding need no lock of the program's, and may be bound meanwhile. */
static void threads_write_different_descriptors_of_one_set(void **state)
{
    (void)state;
    static const VkDescriptorBindingFlags flags[] = {AFTER_BIND, AFTER_BIND | VARIABLE};
    struct fixture f;
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_bindless), texture_bindings, flags, 2);
    VkDescriptorSet set = allocate(&f, SCENE_ROWS - 1, TEXTURES);
    fill_rows(&f, set, plain_rows);
    scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, clamp_rows[0], SCENE_RAMP);
    pthread_t threads[2];
    struct writer writers[2] = {{&f, set, 0}, {&f, set, 1}};
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_in_turn, &writers[i]), 0);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    scene_end(&f.scene, commands);
    expect_rows(&f, clamp_rows);
    close_fixture(&f);
}

/* A variable count of immutable samplers, copied to while the set is bound, from a set that has its own samplers. */
static void a_copy_after_binding_leaves_immutable_samplers_as_they_are(void **state)
{
    (void)state;
    static const VkDescriptorBindingFlags flags[] = {AFTER_BIND, AFTER_BIND | VARIABLE};
    static const enum scene_sampler rows[SCENE_ROWS] = {SCENE_EDGE,    SCENE_EDGE,  SCENE_BORDER,
                                                        SCENE_GL_EDGE, SCENE_CLAMP, SCENE_MIRROR};
    struct fixture f;
    VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                               SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, SCENE_ROWS - 1)};
    bindings[1].pImmutableSamplers = &f.scene.samplers[SCENE_EDGE]; /* and the next ones, as in `rows` */
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_bindless), bindings, flags, 2);
    VkDescriptorSet set = allocate(&f, SCENE_ROWS - 1, SCENE_ROWS - 1);
    bindings[1].pImmutableSamplers = NULL;
    VkDescriptorSetLayout layout = harness_set_layout(&f.scene.vk, bindings, 2);
    VkDescriptorSet source = harness_set(&f.scene.vk, layout);
    for (unsigned i = 0; i + 1 < SCENE_ROWS; i++)
        scene_write(&f.scene, source, 1, i, SCENE_COMBINED, i % 3 ? SCENE_CLAMP : SCENE_EDGE,
                    i % 2 ? SCENE_RAMP : SCENE_STEPS);
    scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.layout, 0, 1, &set, 0, NULL);
    const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = source,
                                      .srcBinding = 1,
                                      .dstSet = set,
                                      .dstBinding = 1,
                                      .descriptorCount = SCENE_ROWS - 1};
    vkUpdateDescriptorSets(f.scene.vk.device, 0, NULL, 1, &copy);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    scene_expect_tier(&f.scene, 2); /* the mark's: the scene has a sampler of mixed filters */
    expect_rows(&f, rows);
    vkDestroyDescriptorSetLayout(f.scene.vk.device, layout, NULL);
    close_fixture(&f);
}

static VkDescriptorSet write_pairs(struct fixture *f)
{
    VkDescriptorSet set;
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = f->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &f->program.set_layout};
    HARNESS_VK(vkAllocateDescriptorSets(f->scene.vk.device, &info, &set));
    scene_write(&f->scene, set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SCENE_EDGE, SCENE_RAMP);
    scene_write(&f->scene, set, 1, 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SCENE_EDGE, SCENE_STEPS);
    scene_write(&f->scene, set, 3, 0, VK_DESCRIPTOR_TYPE_SAMPLER, SCENE_GL_EDGE, SCENE_RAMP);
    scene_write(&f->scene, set, 3, 1, VK_DESCRIPTOR_TYPE_SAMPLER, SCENE_CLAMP, SCENE_RAMP);
    scene_write(&f->scene, set, 4, 0, VK_DESCRIPTOR_TYPE_SAMPLER, SCENE_MIRROR, SCENE_RAMP);
    return set;
}

/* Two images and three samplers that filter, on a driver that filters no such image. */
static void draw_pairs(bool after_bind, const char *form, float pixels[SCENE_ROWS][SCENE_COLUMNS][4])
{
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(1, SAMPLED_IMAGE, 2),
                                                            SCENE_BINDING(3, SAMPLER, 2), SCENE_BINDING(4, SAMPLER, 1)};
    const VkDescriptorBindingFlags flag = after_bind ? AFTER_BIND : 0;
    const VkDescriptorBindingFlags flags[] = {flag, flag, flag};
    struct fixture f;
    setenv("LIMITED_DRIVER_RULES", "hide format VK_FORMAT_R8_UNORM image SAMPLED_IMAGE_FILTER_LINEAR", 1);
    setenv("VK_CLAMPLER_FORM", form, 1);
    harness_messages_excuse(EXCUSE_FILTERS); /* validation does not look who is on which side of a branch */
    open_above(&f, "clampler:validation:limited:" FAULT_LAYER, NULL, HARNESS_SPIRV(integration_separate), bindings,
               flags, 3);
    unsetenv("VK_CLAMPLER_FORM");
    unsetenv("LIMITED_DRIVER_RULES");
    draw(&f, write_pairs(&f));
    scene_expect_tier(&f.scene, 2);
    memcpy(pixels, f.scene.pixels, sizeof(f.scene.pixels));
    close_fixture(&f);
    harness_messages_excuse(EXCUSE_NOTHING);
}

/* Whether the records are known when a draw is recorded or not: the driver's sampler would filter them here. */
static void images_without_linear_filters_are_nearest_after_binding_too(void **state)
{
    (void)state;
    static const char *const forms[] = {"gpu", "cpu"};
    for (unsigned i = 0; i < 2; i++) {
        static float fixed[SCENE_ROWS][SCENE_COLUMNS][4], chosen[SCENE_ROWS][SCENE_COLUMNS][4];
        draw_pairs(true, forms[i], fixed);
        draw_pairs(false, forms[i], chosen);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            unsigned other = 0; /* than linear filters would give */
            for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
                static const enum scene_sampler samplers[] = {SCENE_GL_EDGE, SCENE_CLAMP, SCENE_MIRROR};
                const float linear = scene_expected(samplers[row % 3], row < 3 ? SCENE_RAMP : SCENE_STEPS, x);
                assert_float_equal(fixed[row][x][0], chosen[row][x][0], 1e-6);
                other += fabsf(fixed[row][x][0] - linear) > 1e-2f;
            }
            assert_true(other != 0);
        }
    }
}

static void non_uniform_indices_read_the_record_of_their_own_descriptor(void **state)
{
    (void)state;
    struct fixture f;
    if (!driver_has_indexing()) {
        print_message("the driver has no non-uniform indexing\n");
        skip();
    }
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_bindless_nonuniform), texture_bindings, texture_flags, 2);
    static const enum scene_sampler *const rows[] = {plain_rows, clamp_rows, mixed_rows};
    for (unsigned tier = 0; tier < 3; tier++) {
        VkDescriptorSet set = allocate(&f, 6, TEXTURES);
        scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, rows[tier][0], SCENE_RAMP);
        for (unsigned i = 0; i < SCENE_ROWS; i++)
            scene_write(&f.scene, set, 1, i, SCENE_COMBINED, rows[tier][i], i % 2 ? SCENE_STEPS : SCENE_RAMP);
        draw(&f, set);
        scene_expect_tier(&f.scene, tier);
        expect_rows(&f, rows[tier]);
    }
    close_fixture(&f);
}

/* What the layer adds is in what the layer answers: the greatest counts that it says are supported can be made. */
static void layout_support_counts_the_record_binding(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, NULL, HARNESS_SPIRV(integration_bindless), texture_bindings, texture_flags, 2);
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER asks = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceMaintenance3Properties limit = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
                                                    .pNext = &asks};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limit};
    vkGetPhysicalDeviceProperties2(f.scene.vk.physical, &properties);
    VkDescriptorSetVariableDescriptorCountLayoutSupport most = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT};
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT, .pNext = &most};
    VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = texture_flags};
    VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .pNext = &flags,
                                            .bindingCount = 2,
                                            .pBindings = texture_bindings};
    vkGetDescriptorSetLayoutSupport(f.scene.vk.device, &info, &support);
    assert_true(support.supported);
    /* No more than the other limits on sets and stages allow. */
    const VkPhysicalDeviceLimits *limits = &properties.properties.limits;
    const uint32_t bounds[] = {limits->maxDescriptorSetSamplers, limits->maxDescriptorSetSampledImages,
                               limits->maxPerStageDescriptorSamplers, limits->maxPerStageDescriptorSampledImages,
                               limits->maxPerStageResources};
    uint32_t count = limit.maxPerSetDescriptors;
    for (unsigned i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
        count = count < bounds[i] ? count : bounds[i];
    VkDescriptorSetLayoutBinding whole = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, count);
    info.pNext = NULL;
    info.bindingCount = 1;
    info.pBindings = &whole;
    support.pNext = NULL;
    vkGetDescriptorSetLayoutSupport(f.scene.vk.device, &info, &support);
    assert_true(support.supported);
    close_fixture(&f);
}

/* Every way to ask shows the same limits, below the driver's by what records take. */
static void lowered_limits_agree_with_each_other(void **state)
{
    (void)state;
    struct harness_vulkan plain, layered;
    harness_vulkan_open(&plain, &(struct harness_vulkan_params){.layers = "none"});
    setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1); /* else those who do not ask see the driver's */
    harness_vulkan_open(&layered, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = true});
    unsetenv("VK_CLAMPLER_FORCE_ACTIVE");
    VkPhysicalDeviceVulkan11Properties eleven[2];
    VkPhysicalDeviceVulkan12Properties twelve[2];
    VkPhysicalDeviceMaintenance3Properties three[2];
    VkPhysicalDeviceProperties first[2];
    VkPhysicalDeviceLimits second[2];
    const struct harness_vulkan *devices[2] = {&plain, &layered};
    for (unsigned i = 0; i < 2; i++) {
        three[i] = (VkPhysicalDeviceMaintenance3Properties){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
        eleven[i] =
            (VkPhysicalDeviceVulkan11Properties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
        twelve[i] = (VkPhysicalDeviceVulkan12Properties){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, .pNext = &eleven[i]};
        VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &twelve[i]};
        VkPhysicalDeviceProperties2 small = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &three[i]};
        vkGetPhysicalDeviceProperties2(devices[i]->physical, &all);
        vkGetPhysicalDeviceProperties2(devices[i]->physical, &small);
        vkGetPhysicalDeviceProperties(devices[i]->physical, &first[i]);
        second[i] = all.properties.limits;
    }
    assert_true(harness_same_limits(&first[1].limits, &second[1]));
    uint32_t sets = first[0].limits.maxBoundDescriptorSets;
    const bool uniform =
        first[1].limits.maxPerStageDescriptorUniformBuffers != first[0].limits.maxPerStageDescriptorUniformBuffers;
    assert_int_equal(first[1].limits.maxPerStageDescriptorStorageBuffers,
                     first[0].limits.maxPerStageDescriptorStorageBuffers - sets);
    if (uniform)
        assert_int_equal(first[1].limits.maxPerStageDescriptorUniformBuffers,
                         first[0].limits.maxPerStageDescriptorUniformBuffers - sets);
    assert_int_equal(first[1].limits.maxBoundDescriptorSets, sets);
    assert_true(first[1].limits.maxPerStageDescriptorUniformBuffers >= 12);
    assert_true(first[1].limits.maxPerStageDescriptorStorageBuffers >= 4);
    /* A set may also have a sampler of the layer's, where Vulkan's minimum is left without it. */
    const bool sampler = first[0].limits.maxPerStageDescriptorSamplers >= 16 + sets;
    assert_int_equal(first[1].limits.maxPerStageDescriptorSamplers,
                     first[0].limits.maxPerStageDescriptorSamplers - (sampler ? sets : 0));
    const uint32_t bound = twelve[0].maxPerStageDescriptorUpdateAfterBindSamplers;
    assert_int_equal(twelve[1].maxPerStageDescriptorUpdateAfterBindSamplers,
                     sampler && bound >= 500000 + sets ? bound - sets : bound);
    assert_true(first[1].limits.maxDescriptorSetSamplers >= 96);
    /* No set is promised more descriptors than records can be reached: 64 bytes in a buffer each, and 24 bits. */
    const uint32_t reached = first[0].limits.maxStorageBufferRange / 64;
    uint32_t per_set = three[0].maxPerSetDescriptors - (sampler ? 2 : 1);
    if (per_set < 1024) /* which Vulkan requires */
        per_set = three[0].maxPerSetDescriptors < 1024 ? three[0].maxPerSetDescriptors : 1024;
    per_set = per_set < reached ? per_set : reached;
    assert_int_equal(three[1].maxPerSetDescriptors, per_set < 0xffffff ? per_set : 0xffffff);
    assert_int_equal(eleven[1].maxPerSetDescriptors, three[1].maxPerSetDescriptors);
    const uint32_t resources = twelve[0].maxPerStageUpdateAfterBindResources;
    assert_int_equal(twelve[1].maxPerStageUpdateAfterBindResources,
                     resources >= 500000 + sets ? resources - sets : resources);
    harness_vulkan_close(&layered);
    harness_vulkan_close(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variable_count_binding_moves_up_for_records_of_the_devices_kind),
        cmocka_unit_test(a_variable_count_binding_moves_up_for_records_in_storage_buffers),
        cmocka_unit_test(writes_copies_and_templates_reach_the_moved_binding),
        cmocka_unit_test(descriptors_may_be_missing_where_partly_bound),
        cmocka_unit_test(a_variable_count_of_storage_buffers_moves_up_too),
        cmocka_unit_test(sets_that_change_after_binding_get_the_tier_of_the_mark),
        cmocka_unit_test(a_mark_that_rises_reaches_the_draws_after_it),
        cmocka_unit_test(views_of_integers_concern_lookups_of_integers_alone),
        cmocka_unit_test(threads_write_different_descriptors_of_one_set),
        cmocka_unit_test(a_copy_after_binding_leaves_immutable_samplers_as_they_are),
        cmocka_unit_test(images_without_linear_filters_are_nearest_after_binding_too),
        cmocka_unit_test(non_uniform_indices_read_the_record_of_their_own_descriptor),
        cmocka_unit_test(layout_support_counts_the_record_binding),
        cmocka_unit_test(lowered_limits_agree_with_each_other),
    };
    return cmocka_run_group_tests_name("bindless", tests, NULL, NULL);
}
