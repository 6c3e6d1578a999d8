/* SPDX-License-Identifier: MIT */
/* vkUpdateDescriptorSets: whoever writes a descriptor writes its record, whoever copies one copies its record. */
#include "integration/shared/scene.h"
#include "integration_combined.h"
#include "integration_separate.h"

static const VkDescriptorSetLayoutBinding combined_bindings[] = {
    SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3), /* in no order, with holes at 1, 3 and 4 */
    SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
    SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
};

static const VkDescriptorSetLayoutBinding separate_bindings[] = {
    SCENE_BINDING(1, SAMPLED_IMAGE, 2),
    SCENE_BINDING(3, SAMPLER, 2),
    SCENE_BINDING(4, SAMPLER, 1),
};

/* Binding and element of each row of the shader with combined image samplers. */
static const struct {
    uint32_t binding, element;
} row_places[SCENE_ROWS] = {{0, 0}, {0, 1}, {2, 0}, {5, 0}, {5, 1}, {5, 2}};

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorSet set;
};

static void open_combined(struct fixture *f)
{
    scene_open(&f->scene, NULL);
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_combined), combined_bindings, 3, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

static void close_fixture(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static void write_row(struct fixture *f, VkDescriptorSet set, unsigned row, enum scene_sampler sampler,
                      enum scene_texture texture)
{
    scene_write(&f->scene, set, row_places[row].binding, row_places[row].element, SCENE_COMBINED, sampler, texture);
}

static void write_all(struct fixture *f, VkDescriptorSet set, enum scene_sampler sampler, enum scene_texture texture)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        write_row(f, set, row, sampler, texture);
}

static void draw(struct fixture *f, VkDescriptorSet set)
{
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &set);
}

static void update(struct fixture *f, const VkWriteDescriptorSet *write)
{
    vkUpdateDescriptorSets(f->scene.vk.device, 1, write, 0, NULL);
}

static void plain_samplers_draw_with_the_plain_pipeline(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    write_all(&f, f.set, SCENE_EDGE, SCENE_RAMP);
    write_row(&f, f.set, 3, SCENE_BORDER, SCENE_STEPS);
    write_row(&f, f.set, 5, SCENE_GL_EDGE, SCENE_STEPS);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 0);
    scene_expect_row(&f.scene, 0, SCENE_EDGE, SCENE_RAMP);
    scene_expect_row(&f.scene, 3, SCENE_BORDER, SCENE_STEPS);
    scene_expect_row(&f.scene, 5, SCENE_GL_EDGE, SCENE_STEPS);
    assert_int_equal(f.scene.pipelines[1] + f.scene.pipelines[2], 0);
    close_fixture(&f);
}

static void each_element_of_each_binding_has_its_own_record(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    for (unsigned clamped = 0; clamped < SCENE_ROWS; clamped++) {
        write_all(&f, f.set, SCENE_EDGE, SCENE_RAMP);
        write_row(&f, f.set, clamped, SCENE_CLAMP, SCENE_STEPS);
        draw(&f, f.set);
        scene_expect_tier(&f.scene, 1);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            if (row == clamped)
                scene_expect_row(&f.scene, row, SCENE_CLAMP, SCENE_STEPS);
            else
                scene_expect_row(&f.scene, row, SCENE_EDGE, SCENE_RAMP);
        }
    }
    close_fixture(&f);
}

static void a_mixed_filter_draws_with_the_filtering_pipeline(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    write_all(&f, f.set, SCENE_CLAMP, SCENE_RAMP);
    write_row(&f, f.set, 2, SCENE_MIXED, SCENE_STEPS);
    write_row(&f, f.set, 4, SCENE_MIRROR, SCENE_STEPS);
    write_row(&f, f.set, 5, SCENE_BORDER, SCENE_STEPS);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 2);
    scene_expect_row(&f.scene, 0, SCENE_CLAMP, SCENE_RAMP);
    scene_expect_row(&f.scene, 2, SCENE_MIXED, SCENE_STEPS);
    scene_expect_row(&f.scene, 4, SCENE_MIRROR, SCENE_STEPS);
    scene_expect_row(&f.scene, 5, SCENE_BORDER, SCENE_STEPS);
    close_fixture(&f);
}

static void a_plain_sampler_leaves_nothing_of_the_record_that_it_replaces(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    write_all(&f, f.set, SCENE_MIXED, SCENE_RAMP);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 2);
    write_all(&f, f.set, SCENE_CLAMP, SCENE_RAMP);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 1);
    write_all(&f, f.set, SCENE_EDGE, SCENE_RAMP);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 0);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, SCENE_EDGE, SCENE_RAMP);

    /* And within tier 1, for the pixels: a record that should be gone would still clamp. */
    write_row(&f, f.set, 0, SCENE_CLAMP, SCENE_RAMP);
    write_row(&f, f.set, 1, SCENE_CLAMP, SCENE_RAMP);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 1);
    write_row(&f, f.set, 1, SCENE_BORDER, SCENE_RAMP);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 0, SCENE_CLAMP, SCENE_RAMP);
    scene_expect_row(&f.scene, 1, SCENE_BORDER, SCENE_RAMP);
    assert_int_equal(f.scene.pipelines[0] + f.scene.pipelines[1] + f.scene.pipelines[2], 0);
    close_fixture(&f);
}

static void a_partial_write_of_an_array_changes_only_what_it_names(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    write_all(&f, f.set, SCENE_CLAMP, SCENE_RAMP);
    const VkDescriptorImageInfo infos[] = {scene_info(&f.scene, SCENE_MIRROR, SCENE_STEPS),
                                           scene_info(&f.scene, SCENE_EDGE, SCENE_STEPS)};
    update(&f, &(VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = f.set,
                                       .dstBinding = 5,
                                       .dstArrayElement = 1,
                                       .descriptorCount = 2,
                                       .descriptorType = SCENE_COMBINED,
                                       .pImageInfo = infos});
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 1);
    for (unsigned row = 0; row < 4; row++)
        scene_expect_row(&f.scene, row, SCENE_CLAMP, SCENE_RAMP);
    scene_expect_row(&f.scene, 4, SCENE_MIRROR, SCENE_STEPS);
    scene_expect_row(&f.scene, 5, SCENE_EDGE, SCENE_STEPS);
    close_fixture(&f);
}

static void a_write_runs_over_into_the_following_bindings_past_holes(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    write_all(&f, f.set, SCENE_EDGE, SCENE_RAMP);
    const VkDescriptorImageInfo infos[] = {
        scene_info(&f.scene, SCENE_CLAMP, SCENE_STEPS), scene_info(&f.scene, SCENE_MIRROR, SCENE_STEPS),
        scene_info(&f.scene, SCENE_BORDER, SCENE_STEPS), scene_info(&f.scene, SCENE_CLAMP, SCENE_RAMP)};
    update(&f, &(VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = f.set,
                                       .dstBinding = 0,
                                       .dstArrayElement = 1,
                                       .descriptorCount = 4,
                                       .descriptorType = SCENE_COMBINED,
                                       .pImageInfo = infos});
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 0, SCENE_EDGE, SCENE_RAMP);
    scene_expect_row(&f.scene, 1, SCENE_CLAMP, SCENE_STEPS);
    scene_expect_row(&f.scene, 2, SCENE_MIRROR, SCENE_STEPS);
    scene_expect_row(&f.scene, 3, SCENE_BORDER, SCENE_STEPS);
    scene_expect_row(&f.scene, 4, SCENE_CLAMP, SCENE_RAMP);
    scene_expect_row(&f.scene, 5, SCENE_EDGE, SCENE_RAMP);
    close_fixture(&f);
}

static void copy(struct fixture *f, VkDescriptorSet from, uint32_t from_binding, uint32_t from_element,
                 VkDescriptorSet to, uint32_t to_binding, uint32_t to_element, uint32_t count)
{
    VkCopyDescriptorSet info = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                .srcSet = from,
                                .srcBinding = from_binding,
                                .srcArrayElement = from_element,
                                .dstSet = to,
                                .dstBinding = to_binding,
                                .dstArrayElement = to_element,
                                .descriptorCount = count};
    vkUpdateDescriptorSets(f->scene.vk.device, 0, NULL, 1, &info);
}

static void a_copy_within_a_set_takes_the_record_along(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    write_all(&f, f.set, SCENE_EDGE, SCENE_RAMP);
    write_row(&f, f.set, 1, SCENE_CLAMP, SCENE_STEPS);
    copy(&f, f.set, 0, 1, f.set, 5, 2, 1); /* the clamp to the end */
    copy(&f, f.set, 0, 0, f.set, 0, 1, 1); /* and a plain one over where it was */
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 1, SCENE_EDGE, SCENE_RAMP);
    scene_expect_row(&f.scene, 5, SCENE_CLAMP, SCENE_STEPS);
    copy(&f, f.set, 0, 0, f.set, 5, 2, 1);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 0);
    scene_expect_row(&f.scene, 5, SCENE_EDGE, SCENE_RAMP);
    close_fixture(&f);
}

static void a_copy_between_sets_runs_over_into_the_following_bindings(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    VkDescriptorSet other = harness_set(&f.scene.vk, f.program.set_layout);
    write_all(&f, f.set, SCENE_EDGE, SCENE_RAMP);
    write_all(&f, other, SCENE_MIRROR, SCENE_STEPS);
    write_row(&f, f.set, 1, SCENE_CLAMP, SCENE_RAMP);
    write_row(&f, f.set, 2, SCENE_BORDER, SCENE_RAMP);
    write_row(&f, f.set, 3, SCENE_CLAMP, SCENE_STEPS);
    copy(&f, f.set, 0, 1, other, 2, 0, 3); /* rows 1, 2, 3 become rows 2, 3, 4 */
    draw(&f, other);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 0, SCENE_MIRROR, SCENE_STEPS);
    scene_expect_row(&f.scene, 1, SCENE_MIRROR, SCENE_STEPS);
    scene_expect_row(&f.scene, 2, SCENE_CLAMP, SCENE_RAMP);
    scene_expect_row(&f.scene, 3, SCENE_BORDER, SCENE_RAMP);
    scene_expect_row(&f.scene, 4, SCENE_CLAMP, SCENE_STEPS);
    scene_expect_row(&f.scene, 5, SCENE_MIRROR, SCENE_STEPS);
    close_fixture(&f);
}

static void writes_come_before_copies_of_the_same_call(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    write_all(&f, f.set, SCENE_EDGE, SCENE_RAMP);
    const VkDescriptorImageInfo info = scene_info(&f.scene, SCENE_CLAMP, SCENE_STEPS);
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = f.set,
                                  .dstBinding = 2,
                                  .descriptorCount = 1,
                                  .descriptorType = SCENE_COMBINED,
                                  .pImageInfo = &info};
    VkCopyDescriptorSet copied = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                  .srcSet = f.set,
                                  .srcBinding = 2,
                                  .dstSet = f.set,
                                  .dstBinding = 5,
                                  .descriptorCount = 1};
    vkUpdateDescriptorSets(f.scene.vk.device, 1, &write, 1, &copied);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 2, SCENE_CLAMP, SCENE_STEPS);
    scene_expect_row(&f.scene, 3, SCENE_CLAMP, SCENE_STEPS);
    close_fixture(&f);
}

static void open_separate(struct fixture *f)
{
    scene_open(&f->scene, NULL);
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_separate), separate_bindings, 3, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
    scene_write(&f->scene, f->set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SCENE_EDGE, SCENE_RAMP);
    scene_write(&f->scene, f->set, 1, 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SCENE_EDGE, SCENE_STEPS);
}

static void write_samplers(struct fixture *f, enum scene_sampler first, enum scene_sampler second,
                           enum scene_sampler last)
{
    scene_write(&f->scene, f->set, 3, 0, VK_DESCRIPTOR_TYPE_SAMPLER, first, SCENE_RAMP);
    scene_write(&f->scene, f->set, 3, 1, VK_DESCRIPTOR_TYPE_SAMPLER, second, SCENE_RAMP);
    scene_write(&f->scene, f->set, 4, 0, VK_DESCRIPTOR_TYPE_SAMPLER, last, SCENE_RAMP);
}

static void expect_samplers(struct fixture *f, enum scene_sampler first, enum scene_sampler second,
                            enum scene_sampler last)
{
    const enum scene_sampler samplers[] = {first, second, last};
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, samplers[row % 3], row < 3 ? SCENE_RAMP : SCENE_STEPS);
}

static void separate_samplers_bring_their_record_to_every_image(void **state)
{
    (void)state;
    struct fixture f;
    open_separate(&f);
    write_samplers(&f, SCENE_EDGE, SCENE_BORDER, SCENE_GL_EDGE);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 0);
    expect_samplers(&f, SCENE_EDGE, SCENE_BORDER, SCENE_GL_EDGE);
    write_samplers(&f, SCENE_CLAMP, SCENE_BORDER, SCENE_MIRROR);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 1);
    expect_samplers(&f, SCENE_CLAMP, SCENE_BORDER, SCENE_MIRROR);
    write_samplers(&f, SCENE_EDGE, SCENE_MIXED, SCENE_CLAMP);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 2);
    expect_samplers(&f, SCENE_EDGE, SCENE_MIXED, SCENE_CLAMP);
    write_samplers(&f, SCENE_EDGE, SCENE_BORDER, SCENE_EDGE);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 0);
    expect_samplers(&f, SCENE_EDGE, SCENE_BORDER, SCENE_EDGE);
    close_fixture(&f);
}

static void an_exchanged_image_keeps_the_samplers_that_it_meets(void **state)
{
    (void)state;
    /* A copy exchanges the image under samplers that stay. */
    struct fixture f;
    open_separate(&f);
    write_samplers(&f, SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR);
    copy(&f, f.set, 1, 1, f.set, 1, 0, 1);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 0, SCENE_CLAMP, SCENE_STEPS);
    scene_expect_row(&f.scene, 1, SCENE_EDGE, SCENE_STEPS);
    scene_expect_row(&f.scene, 2, SCENE_MIRROR, SCENE_STEPS);
    scene_expect_row(&f.scene, 3, SCENE_CLAMP, SCENE_STEPS);
    close_fixture(&f);
}

static void sets_keep_their_records_while_others_are_freed_and_allocated(void **state)
{
    (void)state;
    struct fixture f;
    enum { SETS = 12 };
    VkDescriptorSet sets[SETS];
    open_combined(&f);
    for (unsigned i = 0; i < SETS; i++) {
        sets[i] = harness_set(&f.scene.vk, f.program.set_layout);
        write_all(&f, sets[i], i % 2 ? SCENE_CLAMP : SCENE_EDGE, SCENE_RAMP);
    }
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = round; i < SETS; i += 3) {
            HARNESS_VK(vkFreeDescriptorSets(f.scene.vk.device, f.scene.vk.descriptors, 1, &sets[i]));
            sets[i] = harness_set(&f.scene.vk, f.program.set_layout);
            write_all(&f, sets[i], i % 2 ? SCENE_MIRROR : SCENE_EDGE, SCENE_STEPS);
        }
        for (unsigned i = 0; i < SETS; i++) {
            bool renewed = i % 3 <= round;
            draw(&f, sets[i]);
            scene_expect_tier(&f.scene, i % 2);
            for (unsigned row = 0; row < SCENE_ROWS; row++)
                scene_expect_row(&f.scene, row,
                                 i % 2 == 0 ? SCENE_EDGE
                                 : renewed  ? SCENE_MIRROR
                                            : SCENE_CLAMP,
                                 renewed ? SCENE_STEPS : SCENE_RAMP);
        }
    }
    close_fixture(&f);
}

static void allocate(struct fixture *f, VkDescriptorPool pool, uint32_t count, VkDescriptorSet *sets)
{
    VkDescriptorSetLayout layouts[32];
    for (uint32_t i = 0; i < count; i++)
        layouts[i] = f->program.set_layout;
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = pool,
                                        .descriptorSetCount = count,
                                        .pSetLayouts = layouts};
    HARNESS_VK(vkAllocateDescriptorSets(f->scene.vk.device, &info, sets));
}

static VkDescriptorPool create_pool_of(struct fixture *f, uint32_t sets, VkDescriptorPoolCreateFlags flags,
                                       const VkDescriptorPoolSize *size)
{
    VkDescriptorPool pool;
    VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .flags = flags,
                                       .maxSets = sets,
                                       .poolSizeCount = size ? 1 : 0,
                                       .pPoolSizes = size};
    HARNESS_VK(vkCreateDescriptorPool(f->scene.vk.device, &info, NULL, &pool));
    return pool;
}

static VkDescriptorPool create_pool(struct fixture *f, uint32_t sets, VkDescriptorPoolCreateFlags flags)
{
    const VkDescriptorPoolSize size = {SCENE_COMBINED, sets * SCENE_ROWS};
    return create_pool_of(f, sets, flags, &size);
}

/* Many cycles of each way to get rid of sets; what the layer holds comes back to where it was. */
static void freed_reset_and_destroyed_pools_leave_nothing_behind(void **state)
{
    (void)state;
    struct fixture f;
    enum { SETS = 24, CYCLES = 30 };
    VkDescriptorSet sets[SETS];
    open_combined(&f);
    for (unsigned way = 0; way < 3; way++) {
        VkDescriptorPool pool = create_pool(&f, SETS, VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT);
        struct clampler_counters first = {.live_objects = 0};
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            allocate(&f, pool, SETS, sets);
            for (unsigned i = 0; i < SETS; i++)
                write_all(&f, sets[i], cycle % 2 ? SCENE_CLAMP : SCENE_EDGE, SCENE_RAMP);
            draw(&f, sets[cycle % SETS]);
            scene_expect_tier(&f.scene, cycle % 2);
            scene_expect_row(&f.scene, 5, cycle % 2 ? SCENE_CLAMP : SCENE_EDGE, SCENE_RAMP);
            if (way == 0) {
                HARNESS_VK(vkFreeDescriptorSets(f.scene.vk.device, pool, SETS, sets));
            } else if (way == 1) {
                HARNESS_VK(vkResetDescriptorPool(f.scene.vk.device, pool, 0));
            } else {
                vkDestroyDescriptorPool(f.scene.vk.device, pool, NULL);
                pool = create_pool(&f, SETS, cycle % 2 ? VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT : 0);
            }
            struct clampler_counters now = harness_counters(&f.scene.vk);
            if (cycle == 1) /* tier 1 is compiled by now */
                first = now;
            if (cycle > 1) {
                assert_int_equal(now.live_objects, first.live_objects);
                assert_int_equal(now.live_bytes, first.live_bytes);
            }
        }
        vkDestroyDescriptorPool(f.scene.vk.device, pool, NULL);
    }
    close_fixture(&f);
}

static void a_pool_gives_as_many_sets_as_it_promised(void **state)
{
    (void)state;
    struct fixture f;
    enum { SETS = 20 };
    VkDescriptorSet sets[SETS];
    open_combined(&f);
    VkDescriptorPool pool = create_pool(&f, SETS, 0);
    for (unsigned i = 0; i < SETS; i++) {
        allocate(&f, pool, 1, &sets[i]);
        write_all(&f, sets[i], SCENE_CLAMP, SCENE_STEPS);
    }
    draw(&f, sets[SETS - 1]);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 0, SCENE_CLAMP, SCENE_STEPS);
    vkDestroyDescriptorPool(f.scene.vk.device, pool, NULL);
    close_fixture(&f);
}

/*
 * A set may hold more than its pool's sizes name, if the driver has it (vkAllocateDescriptorSets under Vulkan 1.1): its
 * samplers are followed all the same.
 */
static void sets_are_followed_whatever_the_sizes_of_their_pool_name(void **state)
{
    (void)state;
    static const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}, {SCENE_COMBINED, 1}};
    static const VkDescriptorPoolSize *const named[] = {&sizes[0], &sizes[1], NULL};
    enum { SETS = 20 };
    struct fixture f;
    open_combined(&f);
    harness_messages_excuse(EXCUSE_POOLS);
    for (unsigned i = 0; i < 3; i++) {
        VkDescriptorPool pool = create_pool_of(&f, SETS, 0, named[i]);
        for (unsigned s = 0; s < SETS; s++) {
            const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                      .descriptorPool = pool,
                                                      .descriptorSetCount = 1,
                                                      .pSetLayouts = &f.program.set_layout};
            VkDescriptorSet set;
            const VkResult result = vkAllocateDescriptorSets(f.scene.vk.device, &info, &set);
            if (result == VK_ERROR_OUT_OF_POOL_MEMORY) {
                print_message("pool %u: the driver gives %u sets\n", i, s);
                break;
            }
            assert_int_equal(result, VK_SUCCESS);
            write_all(&f, set, s % 2 ? SCENE_CLAMP : SCENE_MIXED, SCENE_STEPS);
            draw(&f, set);
            scene_expect_tier(&f.scene, s % 2 ? 1 : 2);
            for (unsigned row = 0; row < SCENE_ROWS; row++)
                scene_expect_row(&f.scene, row, s % 2 ? SCENE_CLAMP : SCENE_MIXED, SCENE_STEPS);
        }
        vkDestroyDescriptorPool(f.scene.vk.device, pool, NULL);
    }
    harness_messages_excuse(EXCUSE_NOTHING);
    close_fixture(&f);
}

static uint64_t sent(const struct fixture *f)
{
    return harness_counters(&f->scene.vk).sets_uploaded;
}

/* What the GPU does not read does not get to it; what it reads is the newest. */
static void records_get_to_the_gpu_when_a_draw_follows_them(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    write_all(&f, f.set, SCENE_EDGE, SCENE_RAMP);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 0);
    write_row(&f, f.set, 3, SCENE_CLAMP, SCENE_RAMP);
    assert_int_equal(sent(&f), 0);
    for (unsigned i = 0; i < 3; i++) {
        draw(&f, f.set);
        scene_expect_row(&f.scene, 3, SCENE_CLAMP, SCENE_RAMP);
        assert_int_equal(sent(&f), 1);
    }
    write_row(&f, f.set, 4, SCENE_MIRROR, SCENE_STEPS);
    write_row(&f, f.set, 1, SCENE_CLAMP, SCENE_STEPS);
    assert_int_equal(sent(&f), 1);
    draw(&f, f.set);
    assert_int_equal(sent(&f), 2);
    scene_expect_row(&f.scene, 1, SCENE_CLAMP, SCENE_STEPS);
    scene_expect_row(&f.scene, 2, SCENE_EDGE, SCENE_RAMP);
    scene_expect_row(&f.scene, 3, SCENE_CLAMP, SCENE_RAMP);
    scene_expect_row(&f.scene, 4, SCENE_MIRROR, SCENE_STEPS);
    write_all(&f, f.set, SCENE_EDGE, SCENE_STEPS);
    draw(&f, f.set);
    scene_expect_tier(&f.scene, 0);
    assert_int_equal(sent(&f), 2);
    write_row(&f, f.set, 0, SCENE_CLAMP, SCENE_RAMP);
    draw(&f, f.set);
    assert_int_equal(sent(&f), 3);
    scene_expect_row(&f.scene, 0, SCENE_CLAMP, SCENE_RAMP);
    for (unsigned row = 1; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, SCENE_EDGE, SCENE_STEPS);
    close_fixture(&f);
}

/* A set of the same needs takes the place of one that was sent, between two draws. */
static void sets_that_follow_each_other_are_sent_each(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    VkDescriptorSet other = harness_set(&f.scene.vk, f.program.set_layout);
    write_all(&f, f.set, SCENE_CLAMP, SCENE_RAMP);
    write_all(&f, other, SCENE_CLAMP, SCENE_STEPS);
    write_row(&f, other, 2, SCENE_MIRROR, SCENE_STEPS);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
    for (unsigned i = 0; i < 2; i++) {
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.layout, 0, 1, i ? &other : &f.set,
                                0, NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    scene_end(&f.scene, commands);
    scene_expect_tier(&f.scene, 1);
    assert_int_equal(sent(&f), 2);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, row == 2 ? SCENE_MIRROR : SCENE_CLAMP, SCENE_STEPS);
    close_fixture(&f);
}

/* The memory of a set that is gone has its records still; those of a new set are there all the same, zero ones too. */
static void memory_that_is_used_again_has_nothing_of_before(void **state)
{
    (void)state;
    struct fixture f;
    open_combined(&f);
    const VkDescriptorPoolSize size = {SCENE_COMBINED, SCENE_ROWS};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    VkDescriptorPool pool;
    HARNESS_VK(vkCreateDescriptorPool(f.scene.vk.device, &info, NULL, &pool));
    const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = pool,
                                                  .descriptorSetCount = 1,
                                                  .pSetLayouts = &f.program.set_layout};
    for (unsigned clamped = 0; clamped < SCENE_ROWS; clamped++) {
        VkDescriptorSet set;
        HARNESS_VK(vkAllocateDescriptorSets(f.scene.vk.device, &allocate, &set));
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            write_row(&f, set, row, row == clamped ? SCENE_CLAMP : SCENE_BORDER, SCENE_STEPS);
        draw(&f, set);
        scene_expect_tier(&f.scene, 1);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, row == clamped ? SCENE_CLAMP : SCENE_BORDER, SCENE_STEPS);
        HARNESS_VK(vkResetDescriptorPool(f.scene.vk.device, pool, 0));
    }
    vkDestroyDescriptorPool(f.scene.vk.device, pool, NULL);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_get_to_the_gpu_when_a_draw_follows_them),
        cmocka_unit_test(sets_that_follow_each_other_are_sent_each),
        cmocka_unit_test(memory_that_is_used_again_has_nothing_of_before),
        cmocka_unit_test(plain_samplers_draw_with_the_plain_pipeline),
        cmocka_unit_test(each_element_of_each_binding_has_its_own_record),
        cmocka_unit_test(a_mixed_filter_draws_with_the_filtering_pipeline),
        cmocka_unit_test(a_plain_sampler_leaves_nothing_of_the_record_that_it_replaces),
        cmocka_unit_test(a_partial_write_of_an_array_changes_only_what_it_names),
        cmocka_unit_test(a_write_runs_over_into_the_following_bindings_past_holes),
        cmocka_unit_test(a_copy_within_a_set_takes_the_record_along),
        cmocka_unit_test(a_copy_between_sets_runs_over_into_the_following_bindings),
        cmocka_unit_test(writes_come_before_copies_of_the_same_call),
        cmocka_unit_test(separate_samplers_bring_their_record_to_every_image),
        cmocka_unit_test(an_exchanged_image_keeps_the_samplers_that_it_meets),
        cmocka_unit_test(sets_keep_their_records_while_others_are_freed_and_allocated),
        cmocka_unit_test(freed_reset_and_destroyed_pools_leave_nothing_behind),
        cmocka_unit_test(a_pool_gives_as_many_sets_as_it_promised),
        cmocka_unit_test(sets_are_followed_whatever_the_sizes_of_their_pool_name),
    };
    return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
