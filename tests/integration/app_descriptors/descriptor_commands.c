/* SPDX-License-Identifier: MIT */
/*
 * Descriptor buffers while commands are recorded: offsets that change, several sets and buffers, pushed descriptors
 * and ordinary sets beside them, compute beside graphics, secondary command buffers, and descriptors that the host or
 * the GPU copies when everything is recorded.
 */
#include <stdlib.h>
#include <string.h>

#include "integration/recording/blit_scene.h"
#include "integration/app_descriptors/descriptor_scene.h"
#include "integration/shared/parts.h"
#include "integration_descriptor_compute.h"
#include "integration_descriptor_single.h"
#include "integration_descriptor_two_sets.h"

enum { SETS = 6 };

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

static VkDescriptorSetLayout single_layout(const struct descriptor_scene *f)
{
    return harness_descriptor_layout(&f->descriptors, &single_binding, 1, 0, NULL);
}

/* One image in one set, drawn row by row. */
static void open_rows(struct descriptor_scene *f, struct descriptor_program *program,
                      const struct descriptor_scene_params *params)
{
    descriptor_scene_open(f, params);
    const VkDescriptorSetLayout layout = single_layout(f);
    descriptor_program_create_rows(f, program, HARNESS_SPIRV(integration_descriptor_single), &layout, 1, 0);
}

static void close_program(struct descriptor_scene *f, struct descriptor_program *program)
{
    descriptor_program_destroy(f, program);
    descriptor_scene_close(f);
}

/* Six sets of the program's first layout, with the samplers and textures of the rows. */
static void take_sets(struct descriptor_scene *f, const struct descriptor_program *program,
                      struct harness_descriptor_set sets[SETS])
{
    for (unsigned i = 0; i < SETS; i++)
        sets[i] = descriptor_scene_set(f, program, 0);
}

static void write_sets(struct descriptor_scene *f, const struct harness_descriptor_set sets[SETS],
                       const enum scene_sampler *rows)
{
    for (unsigned i = 0; i < SETS; i++)
        descriptor_scene_write(f, &sets[i], 0, 0, SCENE_COMBINED, rows[i], descriptor_scene_texture(i));
}

/* ---- Offsets ---- */

static void offsets_change_between_draws(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_descriptor_set sets[SETS];
    open_rows(&f, &program, NULL);
    take_sets(&f, &program, sets);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        descriptor_scene_raise(&f, tier);
        write_sets(&f, sets, descriptor_scene_rows(tier));
        VkCommandBuffer commands = descriptor_scene_begin(&f);
        descriptor_scene_bind(&f, &program, commands);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            descriptor_scene_offset(&f, &program, commands, 0, &sets[row]);
            descriptor_scene_draw_row(commands, row);
        }
        descriptor_scene_end(&f, commands);
        descriptor_scene_expect_rows(&f, descriptor_scene_rows(tier));
    }
    close_program(&f, &program);
}

/* More of them than any block of memory for the addresses of sets may hold. */
static void offsets_change_a_thousand_times(void **state)
{
    (void)state;
    enum { TIMES = 1000 };
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_descriptor_set sets[SETS];
    open_rows(&f, &program, NULL);
    take_sets(&f, &program, sets);
    descriptor_scene_raise(&f, descriptor_scene_tiers(&f));
    const enum scene_sampler *rows = descriptor_scene_rows(descriptor_scene_tiers(&f));
    write_sets(&f, sets, rows);
    for (unsigned again = 0; again < 3; again++) {
        VkCommandBuffer commands = descriptor_scene_begin(&f);
        descriptor_scene_bind(&f, &program, commands);
        for (unsigned i = 0; i < TIMES * SETS; i++) {
            const unsigned row = i < TIMES * SETS - SETS ? (i * 5 + again) % SETS : i % SETS;
            descriptor_scene_offset(&f, &program, commands, 0, &sets[row]);
            descriptor_scene_draw_row(commands, row);
        }
        descriptor_scene_end(&f, commands);
        descriptor_scene_expect_rows(&f, rows);
    }
    close_program(&f, &program);
}

/* Offsets stay when another pipeline of a layout is bound that has the same sets up to there. */
static void offsets_stay_for_pipelines_of_compatible_layouts(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program one, two;
    descriptor_scene_open(&f, NULL);
    const VkDescriptorSetLayout layouts[3] = {single_layout(&f), single_layout(&f), single_layout(&f)};
    descriptor_program_create_rows(&f, &one, HARNESS_SPIRV(integration_descriptor_single), layouts, 1, 0);
    descriptor_program_create_rows(&f, &two, HARNESS_SPIRV(integration_descriptor_two_sets), layouts + 1, 2, 0);
    const struct harness_descriptor_set first = descriptor_scene_set(&f, &one, 0),
                                        second = descriptor_scene_set(&f, &two, 1);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        descriptor_scene_write(&f, &first, 0, 0, SCENE_COMBINED, rows[0], SCENE_RAMP);
        descriptor_scene_write(&f, &second, 0, 0, SCENE_COMBINED, rows[1], SCENE_STEPS);
        VkCommandBuffer commands = descriptor_scene_begin(&f);
        descriptor_scene_offset(&f, &one, commands, 0, &first); /* before any pipeline */
        descriptor_scene_bind(&f, &one, commands);
        descriptor_scene_draw_row(commands, 0);
        descriptor_scene_bind(&f, &two, commands);
        descriptor_scene_offset(&f, &two, commands, 1, &second);
        descriptor_scene_draw_row(commands, 1);
        descriptor_scene_draw_row(commands, 5);
        descriptor_scene_bind(&f, &one, commands);
        descriptor_scene_draw_row(commands, 2);
        descriptor_scene_end(&f, commands);
        descriptor_scene_expect_tier(&f);
        for (unsigned row = 0; row < 3; row++)
            scene_expect_row(&f.scene, row, rows[0], SCENE_RAMP);
        scene_expect_row(&f.scene, 5, rows[1], SCENE_STEPS);
    }
    descriptor_program_destroy(&f, &two);
    close_program(&f, &one);
}

/* ---- Several sets ---- */

static void open_two_sets(struct descriptor_scene *f, struct descriptor_program *program)
{
    descriptor_scene_open(f, NULL);
    const VkDescriptorSetLayout layouts[2] = {single_layout(f), single_layout(f)};
    descriptor_program_create(f, program, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_descriptor_two_sets),
                              layouts, 2, 0);
}

static void expect_two_sets(const struct descriptor_scene *f, enum scene_sampler zero, enum scene_sampler one)
{
    descriptor_scene_expect_tier(f);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, row < 3 ? zero : one, row < 3 ? SCENE_RAMP : SCENE_STEPS);
}

/* Both in one buffer, set by one command, and each in a buffer of its own, by two; buffers change their numbers. */
static void sets_lie_in_one_buffer_and_in_several(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_descriptor_buffer other;
    open_two_sets(&f, &program);
    harness_descriptor_buffer_create(&f.descriptors, &other, 0, 1 << 12);
    const struct harness_descriptor_set zero = descriptor_scene_set(&f, &program, 0),
                                        one = descriptor_scene_set(&f, &program, 1),
                                        elsewhere =
                                            harness_descriptor_set_take(&f.descriptors, &other, program.sets[1]);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        descriptor_scene_write(&f, &zero, 0, 0, SCENE_COMBINED, rows[0], SCENE_RAMP);
        descriptor_scene_write(&f, &one, 0, 0, SCENE_COMBINED, rows[1], SCENE_STEPS);
        descriptor_scene_write(&f, &elsewhere, 0, 0, SCENE_COMBINED, rows[2], SCENE_STEPS);
        for (unsigned way = 0; way < 3; way++) {
            const struct harness_descriptor_buffer *buffers[3][2] = {
                {&f.buffer, &f.buffer}, {&f.buffer, &other}, {&other, &f.buffer}};
            const uint32_t numbers[3][2] = {{0, 0}, {0, 1}, {1, 0}};
            const VkDeviceSize offsets[2] = {zero.offset, way ? elsewhere.offset : one.offset};
            VkCommandBuffer commands = descriptor_scene_begin(&f);
            if (way)
                harness_descriptor_buffers_bind(&f.descriptors, commands, buffers[way], 2);
            descriptor_scene_bind(&f, &program, commands);
            f.descriptors.set_offsets(commands, program.point, program.layout, 0, 2, numbers[way], offsets);
            vkCmdDraw(commands, 3, 1, 0, 0);
            descriptor_scene_end(&f, commands);
            expect_two_sets(&f, rows[0], rows[way ? 2 : 1]);
        }
    }
    harness_descriptor_buffer_destroy(&f.descriptors, &other);
    close_program(&f, &program);
}

/*
 * Set 0 in a buffer, set 1 pushed, and pushed anew between draws. Without room for records what is pushed has the
 * driver's own semantics, and what is in the buffer still has GL's.
 */
static void push_beside_descriptor_buffers(const char *missing)
{
    const struct descriptor_scene_params params = {.extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME},
                                                   .missing = missing};
    struct descriptor_scene f;
    struct descriptor_program program;
    VkDescriptorSetLayout layouts[2];
    descriptor_scene_open(&f, &params);
    if (!f.descriptors.properties.bufferlessPushDescriptors) {
        print_message("pushed descriptors need a buffer\n");
        descriptor_scene_close(&f);
        skip();
    }
    layouts[0] = single_layout(&f);
    layouts[1] = harness_descriptor_layout(&f.descriptors, &single_binding, 1,
                                           VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, NULL);
    descriptor_program_create_rows(&f, &program, HARNESS_SPIRV(integration_descriptor_two_sets), layouts, 2, 0);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, rows[0], SCENE_RAMP);
        VkCommandBuffer commands = descriptor_scene_begin(&f);
        descriptor_scene_bind(&f, &program, commands);
        descriptor_scene_offset(&f, &program, commands, 0, &set);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            const VkDescriptorImageInfo info = scene_info(&f.scene, missing ? SCENE_EDGE : rows[row], SCENE_STEPS);
            const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                .descriptorCount = 1,
                                                .descriptorType = SCENE_COMBINED,
                                                .pImageInfo = &info};
            HARNESS_PROC(&f.scene.vk, vkCmdPushDescriptorSetKHR)
            (commands, program.point, program.layout, 1, 1, &write);
            descriptor_scene_draw_row(commands, row);
        }
        descriptor_scene_end(&f, commands);
        descriptor_scene_expect_tier(&f);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row,
                             row < 3   ? rows[0]
                             : missing ? SCENE_EDGE
                                       : rows[row],
                             row < 3 ? SCENE_RAMP : SCENE_STEPS);
    }
    close_program(&f, &program);
}

static void pushed_descriptors_beside_descriptor_buffers(void **state)
{
    (void)state;
    push_beside_descriptor_buffers(NULL);
}

static void pushed_descriptors_without_room_for_records(void **state)
{
    (void)state;
    push_beside_descriptor_buffers("push_slot");
}

/* Pipelines of ordinary sets on the same device, drawing in turn; their tiers are those of their sets. */
static void ordinary_sets_beside_descriptor_buffers(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_descriptor_set sets[SETS];
    struct parts parts;
    open_rows(&f, &program, NULL);
    take_sets(&f, &program, sets);
    struct harness_vulkan *vk = &f.scene.vk;
    const VkDescriptorSetLayout layout = harness_set_layout(vk, &single_binding, 1);
    const VkPipelineLayout ordinary = harness_pipeline_layout(vk, &layout, 1, 0);
    const VkDescriptorSet set = harness_set(vk, layout);
    parts_open(&f.scene, &parts, HARNESS_SPIRV(integration_descriptor_single), ordinary);
    parts_add_dynamic(&parts, VK_DYNAMIC_STATE_SCISSOR);
    const VkPipeline pipeline = parts_create(&f.scene, &parts);
    parts_close(&f.scene, &parts);
    scene_write(&f.scene, set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        write_sets(&f, sets, rows);
        VkCommandBuffer commands = descriptor_scene_begin(&f);
        for (unsigned row = 0; row < SCENE_ROWS; row += 2) {
            const struct harness_descriptor_buffer *buffers[] = {&f.buffer};
            harness_descriptor_buffers_bind(&f.descriptors, commands, buffers, 1); /* sets took their place */
            descriptor_scene_bind(&f, &program, commands);
            descriptor_scene_offset(&f, &program, commands, 0, &sets[row]);
            descriptor_scene_draw_row(commands, row);
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
            vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, ordinary, 0, 1, &set, 0, NULL);
            descriptor_scene_draw_row(commands, row + 1);
        }
        descriptor_scene_end(&f, commands);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, row % 2 ? SCENE_EDGE : rows[row], descriptor_scene_texture(row));
        if (f.native || f.least)
            continue; /* nothing is counted, or ordinary sets draw in that tier too */
        assert_int_equal(f.scene.drew[0], tier ? 3 : 6);
        assert_int_equal(f.scene.drew[tier], tier ? 3 : 6);
    }
    vkDestroyPipeline(vk->device, pipeline, NULL);
    harness_layouts_destroy(vk, ordinary, layout);
    close_program(&f, &program);
}

/* ---- Compute beside graphics ---- */

struct compute {
    struct descriptor_program program;
    struct harness_descriptor_set set;
    struct harness_buffer pixels;
};

static void open_compute(struct descriptor_scene *f, struct compute *compute)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f->descriptors, bindings, 2, 0, NULL);
    descriptor_program_create(f, &compute->program, VK_SHADER_STAGE_COMPUTE_BIT,
                              HARNESS_SPIRV(integration_descriptor_compute), &layout, 1, 0);
    compute->set = descriptor_scene_set(f, &compute->program, 0);
    harness_buffer_create(&f->scene.vk, &compute->pixels,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizeof(f->scene.pixels), NULL);
    harness_descriptor_put_range(&compute->set, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                 harness_buffer_address(&f->scene.vk, &compute->pixels), compute->pixels.size,
                                 VK_FORMAT_UNDEFINED);
}

static void close_compute(struct descriptor_scene *f, struct compute *compute)
{
    harness_buffer_destroy(&f->scene.vk, &compute->pixels);
    descriptor_program_destroy(f, &compute->program);
}

/* Between dispatches that write the same pixels. */
static void compute_barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0,
                         NULL);
}

/* Everything is bound and set for both before anything is drawn; the layer may blit in between, and then once more. */
static void draw_and_dispatch(struct descriptor_scene *f, const struct descriptor_program *program,
                              const struct harness_descriptor_set *set, const struct compute *compute,
                              struct blits_one *blit)
{
    const struct harness_descriptor_buffer *buffers[] = {&f->buffer};
    memset(compute->pixels.map, 0, sizeof(f->scene.pixels));
    scene_mark(&f->scene);
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    harness_descriptor_buffers_bind(&f->descriptors, commands, buffers, 1);
    descriptor_scene_bind(f, program, commands);
    descriptor_scene_offset(f, program, commands, 0, set);
    descriptor_scene_bind(f, &compute->program, commands);
    descriptor_scene_offset(f, &compute->program, commands, 0, &compute->set);
    for (unsigned i = 0; i < 2; i++) {
        if (blit && i)
            blits_record(commands, blit);
        vkCmdDispatch(commands, 1, 1, 1);
        compute_barrier(commands);
    }
    harness_target_begin(&f->scene.target, commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
    descriptor_scene_end(f, commands);
}

static void expect_both(struct descriptor_scene *f, const struct compute *compute, enum scene_sampler drawn,
                        enum scene_sampler dispatched)
{
    descriptor_scene_expect_all(f, drawn, SCENE_RAMP);
    if (!f->native)
        assert_int_equal(f->scene.drew[f->tier], 3);
    memcpy(f->scene.pixels, compute->pixels.map, sizeof(f->scene.pixels));
    descriptor_scene_expect_all(f, dispatched, SCENE_STEPS);
}

static void compute_and_graphics_have_offsets_of_their_own(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    struct compute compute;
    descriptor_scene_open(&f, NULL);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_single), &single_binding, 1);
    open_compute(&f, &compute);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, rows[0], SCENE_RAMP);
        descriptor_scene_write(&f, &compute.set, 0, 0, SCENE_COMBINED, rows[2], SCENE_STEPS);
        draw_and_dispatch(&f, &program, &set, &compute, NULL);
        expect_both(&f, &compute, rows[0], rows[2]);
    }
    close_compute(&f, &compute);
    close_program(&f, &program);
}

/* A linear blit that the layer filters by a dispatch of its own leaves buffers and offsets as they are. */
static void blits_of_the_layer_leave_offsets_as_they_are(void **state)
{
    (void)state;
    struct blits_one blit = {
        .name = "beside descriptor buffers",
        .source = BLITS_IMAGE(2D, 1, 1, 9, 7, 1),
        .target = BLITS_IMAGE(2D, 1, 1, 21, 17, 1),
        .offsets = {{{8, 1, 0}, {1, 4, 1}}, {{3, 5, 0}, {16, 12, 1}}},
    };
    struct descriptor_scene f;
    struct descriptor_program program;
    struct compute compute;
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.missing = "linear_float32", .fallback = "shader"});
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_single), &single_binding, 1);
    open_compute(&f, &compute);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    blit.source.format = blit.target.format = blit_format(VK_FORMAT_R32G32B32A32_SFLOAT);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        const uint64_t before = harness_counters(&f.scene.vk).blits_shader;
        descriptor_scene_raise(&f, tier);
        descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, rows[0], SCENE_RAMP);
        descriptor_scene_write(&f, &compute.set, 0, 0, SCENE_COMBINED, rows[2], SCENE_STEPS);
        blits_prepare(&f.scene.vk, &blit);
        draw_and_dispatch(&f, &program, &set, &compute, &blit);
        expect_both(&f, &compute, rows[0], rows[2]);
        blits_check(&f.scene.vk, &blit, 0.02);
        blits_discard(&f.scene.vk, &blit);
        if (!f.native)
            assert_int_equal(harness_counters(&f.scene.vk).blits_shader, before + 1);
    }
    close_compute(&f, &compute);
    close_program(&f, &program);
}

/* ---- Command buffers ---- */

static void secondary_command_buffers_set_offsets_of_their_own(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_descriptor_set sets[SETS];
    open_rows(&f, &program, NULL);
    take_sets(&f, &program, sets);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const struct harness_descriptor_buffer *buffers[] = {&f.buffer};
        VkCommandBuffer secondaries[2];
        descriptor_scene_raise(&f, tier);
        write_sets(&f, sets, descriptor_scene_rows(tier));
        VkCommandBuffer commands = scene_begin_for_secondaries(&f.scene);
        for (unsigned i = 0; i < 2; i++) {
            secondaries[i] = scene_secondary(&f.scene, 0);
            harness_descriptor_buffers_bind(&f.descriptors, secondaries[i], buffers, 1);
            descriptor_scene_bind(&f, &program, secondaries[i]);
            for (unsigned row = i * 3; row < i * 3 + 3; row++) {
                descriptor_scene_offset(&f, &program, secondaries[i], 0, &sets[row]);
                descriptor_scene_draw_row(secondaries[i], row);
            }
            HARNESS_VK(vkEndCommandBuffer(secondaries[i]));
        }
        vkCmdExecuteCommands(commands, 2, secondaries);
        descriptor_scene_end(&f, commands);
        descriptor_scene_expect_rows(&f, descriptor_scene_rows(tier));
        vkFreeCommandBuffers(f.scene.vk.device, f.scene.vk.pool, 2, secondaries);
    }
    close_program(&f, &program);
}

/* Descriptors are copied by the host when all is recorded, and between submissions of one command buffer. */
static void the_host_copies_descriptors_after_recording(void **state)
{
    (void)state;
    enum { STORED = 4 };
    struct descriptor_scene f;
    struct descriptor_program program;
    open_rows(&f, &program, NULL);
    struct harness_vulkan *vk = &f.scene.vk;
    const size_t size = harness_descriptor_size(&f.descriptors, SCENE_COMBINED);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    unsigned char *stored = harness_alloc(STORED, size); /* descriptors in the host's memory */
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const struct harness_descriptor_buffer *buffers[] = {&f.buffer};
    VkCommandBuffer commands;
    harness_commands(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1, &commands);
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < STORED; i++)
            harness_descriptor_image(&f.descriptors, SCENE_COMBINED, f.scene.samplers[rows[i]],
                                     f.scene.textures[descriptor_scene_texture(i)].view, stored + i * size);
        scene_mark(&f.scene);
        HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
        harness_target_begin(&f.scene.target, commands);
        harness_descriptor_buffers_bind(&f.descriptors, commands, buffers, 1);
        descriptor_scene_bind(&f, &program, commands);
        descriptor_scene_offset(&f, &program, commands, 0, &set);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            descriptor_scene_draw_row(commands, row);
        harness_target_end(commands);
        HARNESS_VK(vkEndCommandBuffer(commands));
        scene_take(&f.scene);
        for (unsigned i = 0; i < 2 * STORED; i++) {
            memcpy(harness_descriptor_at(&set, 0, 0, size), stored + i % STORED * size, size);
            HARNESS_VK(vkQueueSubmit(vk->queue, 1, &submit, VK_NULL_HANDLE));
            HARNESS_VK(vkQueueWaitIdle(vk->queue));
            harness_target_read(vk, &f.scene.target, f.scene.pixels);
            descriptor_scene_expect_all(&f, rows[i % STORED], descriptor_scene_texture(i % STORED));
        }
    }
    vkFreeCommandBuffers(vk->device, vk->pool, 1, &commands);
    free(stored);
    close_program(&f, &program);
}

/* The GPU copies them from another buffer in the same command buffer, and within the buffer. */
static void the_gpu_copies_descriptors(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_descriptor_set sets[SETS];
    struct harness_descriptor_buffer other;
    open_rows(&f, &program, NULL);
    take_sets(&f, &program, sets);
    const size_t size = harness_descriptor_size(&f.descriptors, SCENE_COMBINED);
    harness_descriptor_buffer_create(&f.descriptors, &other, 0, SETS * size);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const struct harness_descriptor_buffer *buffers[] = {&f.buffer};
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        VkBufferCopy regions[SETS / 2], within[SETS / 2];
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < SETS; i++) { /* odd ones are in the buffer already, at places of others */
            unsigned char *bytes = i % 2 ? sets[i - 1].bytes : (unsigned char *)other.buffer.map + i * size;
            VkDeviceSize binding;
            f.descriptors.binding_offset(f.scene.vk.device, program.sets[0], 0, &binding);
            harness_descriptor_image(&f.descriptors, SCENE_COMBINED, f.scene.samplers[rows[i]],
                                     f.scene.textures[descriptor_scene_texture(i)].view,
                                     i % 2 ? bytes + binding : bytes);
            *(i % 2 ? &within[i / 2] : &regions[i / 2]) =
                (VkBufferCopy){i % 2 ? sets[i - 1].offset + binding : i * size, sets[i].offset + binding, size};
        }
        scene_mark(&f.scene);
        VkCommandBuffer commands = harness_begin(&f.scene.vk);
        const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                         .srcAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                         .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
        vkCmdCopyBuffer(commands, f.buffer.buffer.buffer, f.buffer.buffer.buffer, SETS / 2, within);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                             0, NULL, 0, NULL);
        vkCmdCopyBuffer(commands, other.buffer.buffer, f.buffer.buffer.buffer, SETS / 2, regions);
        harness_descriptor_barrier(commands);
        harness_target_begin(&f.scene.target, commands);
        harness_descriptor_buffers_bind(&f.descriptors, commands, buffers, 1);
        descriptor_scene_bind(&f, &program, commands);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            descriptor_scene_offset(&f, &program, commands, 0, &sets[row]);
            descriptor_scene_draw_row(commands, row);
        }
        descriptor_scene_end(&f, commands);
        descriptor_scene_expect_rows(&f, rows);
    }
    harness_descriptor_buffer_destroy(&f.descriptors, &other);
    close_program(&f, &program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_change_between_draws),
        cmocka_unit_test(offsets_change_a_thousand_times),
        cmocka_unit_test(offsets_stay_for_pipelines_of_compatible_layouts),
        cmocka_unit_test(sets_lie_in_one_buffer_and_in_several),
        cmocka_unit_test(pushed_descriptors_without_room_for_records),
        cmocka_unit_test(pushed_descriptors_beside_descriptor_buffers),
        cmocka_unit_test(ordinary_sets_beside_descriptor_buffers),
        cmocka_unit_test(compute_and_graphics_have_offsets_of_their_own),
        cmocka_unit_test(blits_of_the_layer_leave_offsets_as_they_are),
        cmocka_unit_test(secondary_command_buffers_set_offsets_of_their_own),
        cmocka_unit_test(the_host_copies_descriptors_after_recording),
        cmocka_unit_test(the_gpu_copies_descriptors),
    };
    return cmocka_run_group_tests_name("descriptor_commands", tests, NULL, NULL);
}
