/* SPDX-License-Identifier: MIT */
/*
 * Linear blits that the layer filters leave everything as it was: what is bound, what is pushed, conditions, and
 * memory. On a driver without linear filters for 32-bit floats, with the validation layer above it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "integration/recording/blit_scene.h"
#include "integration/layers/faults.h"
#include "integration_blit.h"
#include "integration_single.h"

#define RULES "include no-linear-float32"
#define LAYERS "clampler:validation:limited"

static struct blits_one small_blit(void)
{
    struct blits_one b = {
        .name = "beside other state",
        .source = BLITS_IMAGE(2D, 1, 1, 9, 7, 1),
        .target = BLITS_IMAGE(2D, 1, 1, 21, 17, 1),
        .offsets = {{{8, 1, 0}, {1, 4, 1}}, {{3, 5, 0}, {16, 12, 1}}},
    };
    b.source.format = b.target.format = blit_format(VK_FORMAT_R32G32B32A32_SFLOAT);
    return b;
}

static void open_scene(struct scene *scene, const struct harness_vulkan_params *params, const char *layers)
{
    struct harness_vulkan_params full = params ? *params : (struct harness_vulkan_params){0};
    full.layers = layers;
    setenv("LIMITED_DRIVER_RULES", RULES, 1);
    scene_open_with_setting(scene, "LINEAR_FALLBACK", "shader", &full);
    unsetenv("LIMITED_DRIVER_RULES");
}

static uint64_t shader_blits(struct scene *scene)
{
    return harness_counters(&scene->vk).blits_shader;
}

/* ---- Compute: pipelines at a tier of the layer's, sets, dynamic offsets, push constants, pushed descriptors ---- */

enum { RESULTS = 8, OFFSET = 256 };

struct compute {
    VkDescriptorSetLayout image_layout, buffer_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorSet clamp, edge, buffer_set;
    struct harness_buffer results;
    bool push; /* the buffer is pushed */
};

static void open_compute(struct scene *scene, struct compute *c, bool push)
{
    struct harness_vulkan *vk = &scene->vk;
    const VkDescriptorSetLayoutBinding image = {.binding = 0,
                                                .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                .descriptorCount = 1,
                                                .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutBinding buffer = {.binding = 0,
                                                 .descriptorType = push ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                                                                        : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
                                                 .descriptorCount = 1,
                                                 .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = push ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0u,
        .bindingCount = 1,
        .pBindings = &buffer};
    c->push = push;
    c->image_layout = harness_set_layout(vk, &image, 1);
    HARNESS_VK(vkCreateDescriptorSetLayout(vk->device, &buffer_info, NULL, &c->buffer_layout));
    const VkDescriptorSetLayout layouts[] = {c->image_layout, c->buffer_layout};
    c->layout = harness_pipeline_layout(vk, layouts, 2, 8);
    c->pipeline = harness_compute_pipeline(vk, HARNESS_SPIRV(integration_blit), c->layout);
    c->clamp = harness_set(vk, c->image_layout);
    c->edge = harness_set(vk, c->image_layout);
    scene_write(scene, c->clamp, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    scene_write(scene, c->edge, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
    harness_buffer_create(vk, &c->results, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, OFFSET + RESULTS * 4 * sizeof(float),
                          NULL);
    if (push)
        return;
    c->buffer_set = harness_set(vk, c->buffer_layout);
    const VkDescriptorBufferInfo where = {c->results.buffer, 0, RESULTS * 4 * sizeof(float)};
    harness_write_buffers(vk, c->buffer_set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1, &where);
}

static void close_compute(struct scene *scene, struct compute *c)
{
    VkDevice device = scene->vk.device;
    vkDestroyPipeline(device, c->pipeline, NULL);
    vkDestroyPipelineLayout(device, c->layout, NULL);
    vkDestroyDescriptorSetLayout(device, c->image_layout, NULL);
    vkDestroyDescriptorSetLayout(device, c->buffer_layout, NULL);
    harness_buffer_destroy(&scene->vk, &c->results);
}

static void bind_compute(struct scene *scene, struct compute *c, VkCommandBuffer commands)
{
    const uint32_t offset = OFFSET;
    const VkDescriptorBufferInfo where = {c->results.buffer, OFFSET, RESULTS * 4 * sizeof(float)};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &where};
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 1, &c->clamp, 0, NULL);
    if (c->push) {
        PFN_vkCmdPushDescriptorSetKHR push = HARNESS_PROC(&scene->vk, vkCmdPushDescriptorSetKHR);
        push(commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 1, 1, &write);
    } else {
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 1, 1, &c->buffer_set, 1, &offset);
    }
}

/* The coordinate of column `column` stays pushed until the next one. */
static void push_column(struct compute *c, VkCommandBuffer commands, unsigned column)
{
    const float at = ((float)column + 0.5f) * 3.0f / SCENE_COLUMNS - 1.0f;
    vkCmdPushConstants(commands, c->layout, VK_SHADER_STAGE_ALL, 0, sizeof(at), &at);
}

static void push_index(struct compute *c, VkCommandBuffer commands, uint32_t index)
{
    vkCmdPushConstants(commands, c->layout, VK_SHADER_STAGE_ALL, 4, sizeof(index), &index);
}

static void expect_result(struct compute *c, uint32_t index, enum scene_sampler sampler, unsigned column)
{
    const float *result = (const float *)((const char *)c->results.map + OFFSET) + 4 * index;
    float wanted = scene_expected(sampler, SCENE_STEPS, column);
    if (result[3] != 1.0f || result[2] != (float)index || result[0] > wanted + 0.01f || result[0] < wanted - 0.01f) {
        print_error("result %u is %.4f %.4f %.4f %.4f, expected %.4f\n", index, result[0], result[1], result[2],
                    result[3], wanted);
        fail();
    }
}

static void bound_compute_state_stays(bool push)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    struct scene scene;
    struct compute c;
    struct blits_one b = small_blit();
    open_scene(&scene, &(struct harness_vulkan_params){.device_extensions = extensions, .device_extension_count = 1},
               LAYERS);
    open_compute(&scene, &c, push);
    blits_prepare(&scene.vk, &b);
    scene_mark(&scene);
    VkCommandBuffer commands = harness_begin(&scene.vk);
    bind_compute(&scene, &c, commands);
    push_column(&c, commands, 7);
    push_index(&c, commands, 0);
    blits_record(commands, &b); /* before anything of it was used */
    vkCmdDispatch(commands, 1, 1, 1);
    push_index(&c, commands, 1);
    blits_record(commands, &b); /* the pipeline is at tier 1 now, and nothing is bound again */
    vkCmdDispatch(commands, 1, 1, 1);
    push_index(&c, commands, 2);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, c.layout, 0, 1, &c.edge, 0, NULL);
    blits_record(commands, &b); /* a set whose tier no dispatch has chosen yet */
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&scene.vk, commands);
    scene_take(&scene);
    assert_int_equal(shader_blits(&scene), 3);
    assert_int_equal(scene.drew[0], 1);
    assert_int_equal(scene.drew[1], 2);
    expect_result(&c, 0, SCENE_CLAMP, 7);
    expect_result(&c, 1, SCENE_CLAMP, 7);
    expect_result(&c, 2, SCENE_EDGE, 7);
    blits_check(&scene.vk, &b, 0);
    blits_discard(&scene.vk, &b);
    close_compute(&scene, &c);
    scene_close(&scene);
}

static void bound_compute_sets_and_push_constants_stay(void **state)
{
    (void)state;
    bound_compute_state_stays(false);
}

static void pushed_compute_descriptors_stay(void **state)
{
    (void)state;
    bound_compute_state_stays(true);
}

/* ---- Graphics ---- */

static void bound_graphics_state_stays(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct scene scene;
    struct scene_program program;
    struct blits_one b = small_blit();
    open_scene(&scene, NULL, LAYERS);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    scene_write(&scene, set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    blits_prepare(&scene.vk, &b);
    scene_mark(&scene);
    VkCommandBuffer commands = harness_begin(&scene.vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.layout, 0, 1, &set, 0, NULL);
    blits_record(commands, &b);
    harness_target_begin(&scene.target, commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&scene, commands);
    scene_expect_tier(&scene, 1);
    assert_int_equal(shader_blits(&scene), 1);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&scene, row, SCENE_CLAMP, SCENE_STEPS);
    blits_check(&scene.vk, &b, 0);
    blits_discard(&scene.vk, &b);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

/* ---- Conditional rendering: blits do not obey it, dispatches do ---- */

static VkCommandBuffer begin_secondary(struct harness_vulkan *vk, VkBool32 conditional)
{
    VkCommandBuffer commands;
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT condition = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
        .conditionalRenderingEnable = conditional};
    const VkCommandBufferInheritanceInfo inherited = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                      .pNext = conditional ? &condition : NULL};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                            .pInheritanceInfo = &inherited};
    harness_commands(vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &commands);
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

static void conditions_hold_for_dispatches_only(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME};
    VkPhysicalDeviceConditionalRenderingFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, .conditionalRendering = VK_TRUE};
    static const uint32_t zero = 0;
    struct scene scene;
    struct compute c;
    struct harness_buffer condition;
    struct blits_one b = small_blit();
    open_scene(&scene,
               &(struct harness_vulkan_params){
                   .device_extensions = extensions, .device_extension_count = 1, .device_next = &features},
               LAYERS);
    open_compute(&scene, &c, false);
    harness_buffer_create(&scene.vk, &condition, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, sizeof(zero), &zero);
    const VkConditionalRenderingBeginInfoEXT begin = {.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                      .buffer = condition.buffer};
    blits_prepare(&scene.vk, &b);
    VkCommandBuffer commands = harness_begin(&scene.vk);
    bind_compute(&scene, &c, commands);
    push_column(&c, commands, 7);
    push_index(&c, commands, 0);
    HARNESS_PROC(&scene.vk, vkCmdBeginConditionalRenderingEXT)(commands, &begin);
    blits_record(commands, &b);
    vkCmdDispatch(commands, 1, 1, 1);
    HARNESS_PROC(&scene.vk, vkCmdEndConditionalRenderingEXT)(commands);
    push_index(&c, commands, 1);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&scene.vk, commands);
    assert_int_equal(shader_blits(&scene), 1);
    blits_check(&scene.vk, &b, 0);
    assert_true(((const float *)((const char *)c.results.map + OFFSET))[3] == 0.0f);
    expect_result(&c, 1, SCENE_CLAMP, 7);

    blits_discard(&scene.vk, &b);
    harness_buffer_destroy(&scene.vk, &condition);
    close_compute(&scene, &c);
    scene_close(&scene);
}

/*
 * What a secondary command buffer inherits, it cannot end. Without validation: the driver of the tests does not inherit
 * conditions, so the structure is out of place.
 */
static void inherited_conditions_make_them_nearest(void **state)
{
    (void)state;
    struct scene scene;
    struct blits_one b = small_blit();
    open_scene(&scene, NULL, "clampler:limited");
    blits_prepare(&scene.vk, &b);
    VkCommandBuffer secondary = begin_secondary(&scene.vk, VK_TRUE);
    blits_record(secondary, &b);
    HARNESS_VK(vkEndCommandBuffer(secondary));
    assert_int_equal(shader_blits(&scene), 0);
    assert_int_equal(harness_counters(&scene.vk).blits_nearest, 1);
    vkFreeCommandBuffers(scene.vk.device, scene.vk.pool, 1, &secondary);
    blits_discard(&scene.vk, &b);
    scene_close(&scene);
}

/* Where the texels of corner-sampled images are, the layer's filter does not know. Without validation: no driver has
 * any. */
static void corner_sampled_images_make_them_nearest(void **state)
{
    (void)state;
    for (unsigned corner = 0; corner < 2; corner++) {
        struct scene scene;
        struct blits_one b = small_blit();
        b.source.flags = corner ? VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV : 0;
        open_scene(&scene, NULL, "clampler:limited");
        blits_prepare(&scene.vk, &b);
        VkCommandBuffer commands = harness_begin(&scene.vk);
        blits_record(commands, &b);
        harness_submit(&scene.vk, commands);
        assert_int_equal(shader_blits(&scene), !corner);
        assert_int_equal(harness_counters(&scene.vk).blits_nearest, corner);
        blits_discard(&scene.vk, &b);
        scene_close(&scene);
    }
}

/* ---- Synchronisation: programs that name blits, and nothing else, in their barriers ---- */

enum { CHAIN_LEVELS = 6, CHAIN_SIZE = 48 };

static void blit_barrier(VkCommandBuffer commands, const struct blits_image *image, uint32_t level,
                         VkImageLayout before, VkImageLayout after)
{
    const bool first = before == VK_IMAGE_LAYOUT_UNDEFINED;
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = first ? VK_PIPELINE_STAGE_2_NONE : VK_PIPELINE_STAGE_2_BLIT_BIT,
        .srcAccessMask = first ? VK_ACCESS_2_NONE : VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_BLIT_BIT,
        .dstAccessMask = after == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL ? VK_ACCESS_2_TRANSFER_READ_BIT
                                                                       : VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .oldLayout = before,
        .newLayout = after,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1},
    };
    vkCmdPipelineBarrier2(commands, &(VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                                        .imageMemoryBarrierCount = 1,
                                                        .pImageMemoryBarriers = &barrier});
}

/* Every level from the one above it, as programs make their mipmaps, in one command buffer. */
static void chains_of_levels_need_no_other_barriers(void **state)
{
    (void)state;
    VkPhysicalDeviceSynchronization2Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, .synchronization2 = VK_TRUE};
    struct blits_fixture f;
    blits_open(&f, RULES, "shader", true, &(struct harness_vulkan_params){.device_next = &features});
    struct blits_one first = small_blit();
    struct blits_image chain = BLITS_IMAGE(2D, CHAIN_LEVELS, 1, CHAIN_SIZE, CHAIN_SIZE, 1);
    first.target.format = chain.format = first.source.format;
    blits_prepare(&f.vk, &first);
    blits_make_image(&f.vk, &chain);

    /* Level 0 of the chain is blitted from another image, so that all of its levels are. */
    struct blits_one step = {.source = first.source, .target = chain, .offsets = first.offsets};
    VkCommandBuffer commands = harness_begin(&f.vk);
    for (uint32_t level = 0; level < CHAIN_LEVELS; level++) {
        int32_t size = CHAIN_SIZE >> level;
        blit_barrier(commands, &chain, level, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        step.target_level = level;
        memcpy(step.offsets.target, (int32_t[2][3]){{0, 0, 0}, {size, size, 1}}, sizeof(step.offsets.target));
        blits_record(commands, &step);
        blit_barrier(commands, &chain, level, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                     VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        step.source = chain;
        step.source_level = level;
        memcpy(step.offsets.source, step.offsets.target, sizeof(step.offsets.source));
    }
    harness_submit(&f.vk, commands);

    struct blit_texture above = first.source_texels, here;
    struct blit_offsets offsets = first.offsets;
    for (uint32_t level = 0; level < CHAIN_LEVELS; level++) {
        struct harness_buffer out;
        VkBufferImageCopy copy = blits_whole_level(&chain, level);
        here = blits_make_texture(&chain, level);
        harness_buffer_create(&f.vk, &out, VK_BUFFER_USAGE_TRANSFER_DST_BIT, blits_texture_bytes(&here), NULL);
        commands = harness_begin(&f.vk);
        vkCmdCopyImageToBuffer(commands, chain.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, out.buffer, 1, &copy);
        harness_submit(&f.vk, commands);
        memcpy(here.texels, out.map, blits_texture_bytes(&here));
        harness_buffer_destroy(&f.vk, &out);
        memcpy(offsets.target, (int32_t[2][3]){{0, 0, 0}, {here.size[0], here.size[1], 1}}, sizeof(offsets.target));
        for (int32_t i = 0; i < here.size[0] * here.size[1]; i++) {
            double expected[4], found;
            unsigned channel;
            const int32_t at[3] = {i % here.size[0], i / here.size[0], 0};
            blit_expected(&above, &offsets, at, false, expected);
            assert_true(
                blit_agrees(here.format, here.texels + (size_t)i * here.format->bytes, expected, 0, &channel, &found));
        }
        if (level > 0)
            free(above.texels);
        above = here;
        memcpy(offsets.source, offsets.target, sizeof(offsets.source));
    }
    free(above.texels);
    blits_expect(&f, 0, CHAIN_LEVELS);
    blits_destroy_image(&f.vk, &chain);
    blits_discard(&f.vk, &first);
    blits_close(&f);
}

/* ---- Command buffers ---- */

static void secondary_command_buffers_blit_and_can_be_used_again(void **state)
{
    (void)state;
    struct scene scene;
    struct blits_one b = small_blit();
    open_scene(&scene, NULL, LAYERS);
    blits_prepare(&scene.vk, &b);
    VkCommandBuffer secondary = begin_secondary(&scene.vk, VK_FALSE);
    blits_record(secondary, &b);
    HARNESS_VK(vkEndCommandBuffer(secondary));
    for (unsigned i = 0; i < 2; i++) {
        const VkCommandBuffer both[] = {secondary, secondary};
        VkCommandBuffer commands = harness_begin(&scene.vk);
        vkCmdExecuteCommands(commands, 1, &both[0]);
        blits_change_layout(commands, &b.target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                            VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        vkCmdExecuteCommands(commands, 1, &both[1]);
        harness_submit(&scene.vk, commands);
        blits_check(&scene.vk, &b, 0);
    }
    assert_int_equal(shader_blits(&scene), 1);
    vkFreeCommandBuffers(scene.vk.device, scene.vk.pool, 1, &secondary);
    blits_discard(&scene.vk, &b);
    scene_close(&scene);
}

/* Recorded again and again, memory does not grow; freed, it is gone; without blits, a second recording gives it back.
 */
static void memory_goes_with_the_command_buffer(void **state)
{
    (void)state;
    struct scene scene;
    struct blits_one b = small_blit();
    open_scene(&scene, NULL, LAYERS);
    blits_prepare(&scene.vk, &b);
    struct clampler_counters most = {.live_bytes = 0}, before, now;
    const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = scene.vk.pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    HARNESS_VK(vkAllocateCommandBuffers(scene.vk.device, &info, &commands));
    /* What the device has from its first blit on stays. */
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    blits_record(commands, &b);
    HARNESS_VK(vkEndCommandBuffer(commands));
    vkFreeCommandBuffers(scene.vk.device, scene.vk.pool, 1, &commands);
    before = harness_counters(&scene.vk);
    HARNESS_VK(vkAllocateCommandBuffers(scene.vk.device, &info, &commands));
    for (unsigned i = 0; i < 20; i++) {
        HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
        for (unsigned j = 0; j < 10; j++)
            blits_record(commands, &b);
        HARNESS_VK(vkEndCommandBuffer(commands));
        now = harness_counters(&scene.vk);
        if (i == 0)
            most = now;
        assert_int_equal(now.live_bytes, most.live_bytes);
    }
    assert_true(most.live_bytes > before.live_bytes);
    for (unsigned i = 0; i < 3; i++) {
        HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
        HARNESS_VK(vkEndCommandBuffer(commands));
    }
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    blits_record(commands, &b);
    HARNESS_VK(vkEndCommandBuffer(commands));
    vkFreeCommandBuffers(scene.vk.device, scene.vk.pool, 1, &commands);
    assert_int_equal(harness_counters(&scene.vk).live_objects, before.live_objects);
    blits_discard(&scene.vk, &b);
    scene_close(&scene);
}

/* The first blits of a device, from several threads at once. */
struct blitting {
    struct scene *scene;
    struct blits_one blit;
    VkCommandPool pool;
    VkCommandBuffer commands;
    pthread_t thread;
};

static void *record_blits(void *user)
{
    struct blitting *t = user;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    HARNESS_VK(vkBeginCommandBuffer(t->commands, &begin));
    for (unsigned i = 0; i < 50; i++)
        blits_record(t->commands, &t->blit);
    HARNESS_VK(vkEndCommandBuffer(t->commands));
    return NULL;
}

static void threads_record_blits_at_once(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct scene scene;
    struct blitting threads[THREADS];
    VkCommandBuffer all[THREADS];
    open_scene(&scene, NULL, LAYERS);
    for (unsigned i = 0; i < THREADS; i++) {
        struct blitting *t = &threads[i];
        const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                              .queueFamilyIndex = scene.vk.family};
        *t = (struct blitting){.scene = &scene, .blit = small_blit()};
        blits_prepare(&scene.vk, &t->blit);
        HARNESS_VK(vkCreateCommandPool(scene.vk.device, &pool, NULL, &t->pool));
        const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = t->pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
        HARNESS_VK(vkAllocateCommandBuffers(scene.vk.device, &info, &t->commands));
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i].thread, NULL, record_blits, &threads[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
        all[i] = threads[i].commands;
    }
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = THREADS, .pCommandBuffers = all};
    HARNESS_VK(vkQueueSubmit(scene.vk.queue, 1, &submit, VK_NULL_HANDLE));
    HARNESS_VK(vkQueueWaitIdle(scene.vk.queue));
    assert_int_equal(shader_blits(&scene), THREADS * 50);
    for (unsigned i = 0; i < THREADS; i++) {
        blits_check(&scene.vk, &threads[i].blit, 0);
        blits_discard(&scene.vk, &threads[i].blit);
        vkDestroyCommandPool(scene.vk.device, threads[i].pool, NULL);
    }
    scene_close(&scene);
}

/* ---- Failures ---- */

/* Each call of the driver that the first blit of a device makes fails once; the next recording works. */
static void what_fails_is_told_at_the_end(void **state)
{
    (void)state;
    struct fault_control *control = faults_open();
    uint32_t failures = 0, served = 0;
    for (uint32_t number = 1;; number++) {
        struct scene scene;
        struct blits_one b = small_blit();
        faults_arm(control, 0, VK_SUCCESS);
        open_scene(&scene, NULL, LAYERS ":" FAULT_LAYER);
        blits_prepare(&scene.vk, &b);
        VkCommandBuffer commands = harness_begin(&scene.vk);
        faults_arm(control, number, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        blits_record(commands, &b);
        const bool struck = atomic_load(&control->failed) != 0;
        faults_arm(control, 0, VK_SUCCESS);
        VkResult result = harness_try_submit(&scene.vk, commands);
        /* A block of memory that the driver refuses may be had smaller, or of another type. */
        const bool failed = struck && result != VK_SUCCESS;
        assert_int_equal(result, failed ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS);
        served += struck && !failed ? 1 : 0;
        assert_int_equal(shader_blits(&scene), failed ? 0 : 1);
        if (failed) {
            failures++;
            commands = harness_begin(&scene.vk);
            blits_record(commands, &b);
            harness_submit(&scene.vk, commands);
        }
        blits_check(&scene.vk, &b, 0);
        blits_discard(&scene.vk, &b);
        scene_close(&scene);
        assert_int_equal(atomic_load(&control->objects), 0);
        if (!struck)
            break;
    }
    assert_true(served <= 7); /* to create, allocate, map and bind two blocks, one of them not mapped */
    assert_true(failures + served >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_compute_sets_and_push_constants_stay),
        cmocka_unit_test(pushed_compute_descriptors_stay),
        cmocka_unit_test(bound_graphics_state_stays),
        cmocka_unit_test(conditions_hold_for_dispatches_only),
        cmocka_unit_test(inherited_conditions_make_them_nearest),
        cmocka_unit_test(corner_sampled_images_make_them_nearest),
        cmocka_unit_test(chains_of_levels_need_no_other_barriers),
        cmocka_unit_test(secondary_command_buffers_blit_and_can_be_used_again),
        cmocka_unit_test(memory_goes_with_the_command_buffer),
        cmocka_unit_test(threads_record_blits_at_once),
        cmocka_unit_test(what_fails_is_told_at_the_end),
    };
    faults_open();
    harness_vulkan_hold_driver();
    return cmocka_run_group_tests_name("blit state", tests, NULL, NULL);
}
