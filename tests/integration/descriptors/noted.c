/* SPDX-License-Identifier: MIT */
/*
 * Images that were written, bound or pushed while the device had no GL state, and samplers with GL state that come
 * later: in other sets, in the same sets, in the midst of a command buffer, and from another thread.
 */
#include <pthread.h>
#include <string.h>

#include "integration/descriptors/noted_ways.h"

#define IMAGE VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE

static void images_meet_samplers_that_come_later(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * NOTED_WAYS; i++) {
        const bool together = i & 1, drawn = (i ^ i / 2) & 1; /* each with both, over the ways */
        struct noted n;
        noted_open(&n, &(struct noted_params){.together = together});
        VkDescriptorSet sets[2] = {harness_set(&n.scene.vk, n.images), VK_NULL_HANDLE};
        if (!together)
            sets[1] = harness_set(&n.scene.vk, n.samplers);
        print_message("%s%s%s\n", noted_way_names[i / 2], together ? ", together" : "", drawn ? ", drawn before" : "");
        noted_write_in(&n, sets[0], (enum noted_way)(i / 2));
        noted_samplers_come_later(&n, together, drawn, sets);
        noted_close(&n);
    }
}

/* Of three images, which were noted, one is written after the first GL state. */
static void written_images_stand_beside_noted_ones(void **state)
{
    (void)state;
    for (unsigned which = 0; which < NOTED_IMAGES; which++) {
        struct noted n;
        noted_open(&n, &(struct noted_params){0});
        VkDescriptorSet sets[2] = {harness_set(&n.scene.vk, n.images), harness_set(&n.scene.vk, n.samplers)};
        noted_write_images(&n, sets[0]);
        /* The other texture, which must not be seen. */
        harness_write_image(&n.scene.vk, sets[0], 0, which, IMAGE, VK_NULL_HANDLE,
                            n.scene.textures[noted_textures[which] == SCENE_RAMP ? SCENE_STEPS : SCENE_RAMP].view);
        noted_add_border(&n);
        noted_write_sampler(&n, sets[1], false, 0, n.border);
        noted_write_sampler(&n, sets[1], false, 1, n.scene.samplers[SCENE_EDGE]);
        harness_write_image(&n.scene.vk, sets[0], 0, which, IMAGE, VK_NULL_HANDLE,
                            n.scene.textures[noted_textures[which]].view);
        noted_draw(&n, false, sets);
        scene_expect_tier(&n.scene, 2);
        noted_expect_border(&n, 0);
        noted_expect(&n, 1, SCENE_EDGE);
        noted_close(&n);
    }
}

/* ---- Pushed ---- */

enum push_way { PUSH_ARRAY, PUSH_TEMPLATE, PUSHES };

static void push_images(const struct noted *n, VkCommandBuffer commands, enum push_way way,
                        VkDescriptorUpdateTemplate update, const VkDescriptorImageInfo *infos)
{
    const PFN_vkCmdPushDescriptorSetKHR push = HARNESS_PROC(&n->scene.vk, vkCmdPushDescriptorSetKHR);
    const PFN_vkCmdPushDescriptorSetWithTemplateKHR push_with =
        HARNESS_PROC(&n->scene.vk, vkCmdPushDescriptorSetWithTemplateKHR);
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .descriptorCount = NOTED_IMAGES,
                                        .descriptorType = IMAGE,
                                        .pImageInfo = infos};
    if (way == PUSH_ARRAY)
        push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n->layout, 0, 1, &write);
    else
        push_with(commands, update, n->layout, 0, infos);
}

static void pushed_images_meet_samplers_that_come_later(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    const struct harness_vulkan_params device = {.device_extensions = extensions, .device_extension_count = 1};
    for (unsigned i = 0; i < 2 * PUSHES; i++) {
        const enum push_way way = (enum push_way)(i % PUSHES);
        const bool before = i >= PUSHES;
        struct noted n;
        VkDescriptorImageInfo infos[NOTED_IMAGES];
        scene_skip_without(extensions[0]);
        noted_open(&n, &(struct noted_params){.device = &device,
                                              .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                              .scissor = true});
        for (unsigned image = 0; image < NOTED_IMAGES; image++)
            infos[image] = noted_image_info(&n, image);
        VkDescriptorSet plain = harness_set(&n.scene.vk, n.samplers), set = harness_set(&n.scene.vk, n.samplers);
        for (uint32_t element = 0; element < NOTED_SAMPLERS; element++)
            noted_write_sampler(&n, plain, false, element, n.scene.samplers[SCENE_EDGE]);
        VkDescriptorUpdateTemplate update =
            noted_template(&n, VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR, 0, NOTED_IMAGES);
        VkCommandBuffer commands = scene_begin(&n.scene);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n.pipeline);
        /* Twice: what is pushed first, which is another image each, must not be seen. */
        const VkDescriptorImageInfo others[] = {infos[1], infos[0], infos[1]};
        push_images(&n, commands, way, update, others);
        push_images(&n, commands, way, update, infos);
        memset(infos, 0, sizeof(infos));
        if (before) {
            const VkRect2D above = {{0, 0}, {SCENE_COLUMNS, NOTED_IMAGES}};
            vkCmdSetScissor(commands, 0, 1, &above);
            vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n.layout, 1, 1, &plain, 0, NULL);
            vkCmdDraw(commands, 3, 1, 0, 0);
        }
        noted_add_border(&n);
        noted_write_sampler(&n, set, false, 0, n.scene.samplers[SCENE_EDGE]);
        noted_write_sampler(&n, set, false, 1, n.border);
        const VkRect2D rest = {{0, before ? NOTED_IMAGES : 0},
                               {SCENE_COLUMNS, before ? SCENE_ROWS - NOTED_IMAGES : SCENE_ROWS}};
        vkCmdSetScissor(commands, 0, 1, &rest);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n.layout, 1, 1, &set, 0, NULL);
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&n.scene, commands);
        assert_int_equal(n.scene.drew[0], before);
        assert_int_equal(n.scene.drew[1], 0);
        assert_int_equal(n.scene.drew[2], 1);
        noted_expect(&n, 0, SCENE_EDGE);
        noted_expect_border(&n, 1);
        vkDestroyDescriptorUpdateTemplate(n.scene.vk.device, update, NULL);
        noted_close(&n);
    }
}

/* ---- Sets with a variable count, and sets that may be written after they are bound ---- */

static VkPhysicalDeviceVulkan12Features indexing_features(void)
{
    struct harness_vulkan vk;
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features};
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    vkGetPhysicalDeviceFeatures2(vk.physical, &query);
    harness_vulkan_close(&vk);
    return features;
}

static void special_images_meet_samplers_that_come_later(VkDescriptorBindingFlags flags)
{
    const bool after_bind = flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
    const VkPhysicalDeviceVulkan12Features has = indexing_features();
    if (!has.descriptorIndexing || (after_bind ? !has.descriptorBindingSampledImageUpdateAfterBind
                                               : !has.descriptorBindingVariableDescriptorCount)) {
        print_message("the driver lacks descriptor indexing\n");
        skip();
    }
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .descriptorIndexing = VK_TRUE,
                                                 .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
                                                 .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,
                                                 .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,
                                                 .descriptorBindingPartiallyBound = VK_TRUE,
                                                 .descriptorBindingVariableDescriptorCount = VK_TRUE,
                                                 .runtimeDescriptorArray = VK_TRUE};
    for (unsigned drawn = 0; drawn < 2; drawn++) {
        const struct harness_vulkan_params device = {.device_next = &features};
        struct noted n;
        noted_open(&n, &(struct noted_params){
                           .device = &device,
                           .flags = after_bind ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0,
                           .binding_flags = flags});
        const VkDescriptorPoolSize size = {IMAGE, 2 * NOTED_IMAGES};
        const VkDescriptorPoolCreateInfo pool_info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
            .flags = after_bind ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0,
            .maxSets = 1,
            .poolSizeCount = 1,
            .pPoolSizes = &size};
        const uint32_t count = NOTED_IMAGES;
        const VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
            .descriptorSetCount = 1,
            .pDescriptorCounts = &count};
        VkDescriptorPool pool;
        HARNESS_VK(vkCreateDescriptorPool(n.scene.vk.device, &pool_info, NULL, &pool));
        const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                      .pNext = after_bind ? NULL : &counts,
                                                      .descriptorPool = pool,
                                                      .descriptorSetCount = 1,
                                                      .pSetLayouts = &n.images};
        VkDescriptorSet sets[2] = {VK_NULL_HANDLE, harness_set(&n.scene.vk, n.samplers)};
        HARNESS_VK(vkAllocateDescriptorSets(n.scene.vk.device, &allocate, &sets[0]));
        noted_write_images(&n, sets[0]);
        noted_write_sampler(&n, sets[1], false, 0, n.scene.samplers[SCENE_EDGE]);
        noted_write_sampler(&n, sets[1], false, 1, n.scene.samplers[SCENE_BORDER]);
        if (drawn) {
            noted_draw(&n, false, sets);
            scene_expect_tier(&n.scene, 0);
            noted_expect(&n, 1, SCENE_BORDER);
        }
        noted_add_border(&n);
        noted_write_sampler(&n, sets[1], false, 1, n.border);
        noted_draw(&n, false, sets);
        scene_expect_tier(&n.scene, 2);
        noted_expect(&n, 0, SCENE_EDGE);
        noted_expect_border(&n, 1);
        vkDestroyDescriptorPool(n.scene.vk.device, pool, NULL);
        noted_close(&n);
    }
}

static void images_of_a_variable_count_meet_samplers_that_come_later(void **state)
{
    (void)state;
    special_images_meet_samplers_that_come_later(VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT);
}

static void images_of_sets_that_change_later_meet_samplers_that_come_later(void **state)
{
    (void)state;
    special_images_meet_samplers_that_come_later(VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT);
}

/* ---- In the midst of a command buffer ---- */

struct midst {
    struct noted n;
    VkDescriptorSet images, plain, samplers;
    pthread_barrier_t recorded, written; /* between two threads */
};

static void open_midst(struct midst *m, VkShaderStageFlags stages)
{
    memset(m, 0, sizeof(*m));
    noted_open(&m->n, &(struct noted_params){.scissor = true, .stages = stages});
    m->images = harness_set(&m->n.scene.vk, m->n.images);
    m->plain = harness_set(&m->n.scene.vk, m->n.samplers);
    m->samplers = harness_set(&m->n.scene.vk, m->n.samplers);
    noted_write_images(&m->n, m->images);
    for (uint32_t i = 0; i < NOTED_SAMPLERS; i++)
        noted_write_sampler(&m->n, m->plain, false, i, m->n.scene.samplers[SCENE_EDGE]);
}

/* What comes while the command buffer is recorded. */
static void bring_gl(struct midst *m)
{
    noted_add_border(&m->n);
    noted_write_sampler(&m->n, m->samplers, false, 0, m->n.scene.samplers[SCENE_BORDER]);
    noted_write_sampler(&m->n, m->samplers, false, 1, m->n.border);
}

static void bring_gl_and_wait(struct midst *m)
{
    pthread_barrier_wait(&m->recorded);
    pthread_barrier_wait(&m->written);
}

static void *bring_gl_from_a_thread(void *user)
{
    struct midst *m = user;
    pthread_barrier_wait(&m->recorded);
    bring_gl(m);
    pthread_barrier_wait(&m->written);
    return NULL;
}

/* The upper half with plain samplers, the lower with what `bring` writes; only the samplers are bound anew. */
static void record_halves(struct midst *m, VkCommandBuffer commands, void (*bring)(struct midst *m))
{
    const struct noted *n = &m->n;
    const VkDescriptorSet sets[] = {m->images, m->plain};
    const VkRect2D halves[] = {{{0, 0}, {SCENE_COLUMNS, NOTED_IMAGES}},
                               {{0, NOTED_IMAGES}, {SCENE_COLUMNS, SCENE_ROWS - NOTED_IMAGES}}};
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n->layout, 0, 2, sets, 0, NULL);
    vkCmdSetScissor(commands, 0, 1, &halves[0]);
    vkCmdDraw(commands, 3, 1, 0, 0);
    bring(m);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n->layout, 1, 1, &m->samplers, 0, NULL);
    vkCmdSetScissor(commands, 0, 1, &halves[1]);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

static void expect_halves(const struct midst *m)
{
    assert_int_equal(m->n.scene.drew[0], 1);
    assert_int_equal(m->n.scene.drew[1], 0);
    assert_int_equal(m->n.scene.drew[2], 1);
    noted_expect(&m->n, 0, SCENE_EDGE);
    noted_expect_border(&m->n, 1);
}

static void gl_state_comes_while_a_command_buffer_is_recorded(void **state)
{
    (void)state;
    struct midst m;
    open_midst(&m, VK_SHADER_STAGE_FRAGMENT_BIT);
    VkCommandBuffer commands = scene_begin(&m.n.scene);
    record_halves(&m, commands, bring_gl);
    scene_end(&m.n.scene, commands);
    expect_halves(&m);
    noted_close(&m.n);
}

static void gl_state_comes_while_a_secondary_command_buffer_is_recorded(void **state)
{
    (void)state;
    struct midst m;
    open_midst(&m, VK_SHADER_STAGE_FRAGMENT_BIT);
    VkCommandBuffer commands = scene_begin_for_secondaries(&m.n.scene);
    VkCommandBuffer secondary = scene_secondary(&m.n.scene, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    record_halves(&m, secondary, bring_gl);
    HARNESS_VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(commands, 1, &secondary);
    scene_end(&m.n.scene, commands);
    expect_halves(&m);
    vkFreeCommandBuffers(m.n.scene.vk.device, m.n.scene.vk.pool, 1, &secondary);
    noted_close(&m.n);
}

static void gl_state_comes_from_another_thread(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct midst m;
        pthread_t thread;
        open_midst(&m, VK_SHADER_STAGE_FRAGMENT_BIT);
        assert_int_equal(pthread_barrier_init(&m.recorded, NULL, 2), 0);
        assert_int_equal(pthread_barrier_init(&m.written, NULL, 2), 0);
        assert_int_equal(pthread_create(&thread, NULL, bring_gl_from_a_thread, &m), 0);
        VkCommandBuffer commands = scene_begin(&m.n.scene);
        record_halves(&m, commands, bring_gl_and_wait);
        pthread_join(thread, NULL);
        scene_end(&m.n.scene, commands);
        expect_halves(&m);
        pthread_barrier_destroy(&m.recorded);
        pthread_barrier_destroy(&m.written);
        noted_close(&m.n);
    }
}

static void gl_state_comes_between_dispatches(void **state)
{
    (void)state;
    struct midst m;
    struct harness_buffer pixels[2];
    open_midst(&m, VK_SHADER_STAGE_COMPUTE_BIT);
    struct scene *scene = &m.n.scene;
    const VkDescriptorSet sets[] = {m.images, m.plain};
    for (unsigned i = 0; i < 2; i++) {
        harness_buffer_create(&scene->vk, &pixels[i], VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(scene->pixels), NULL);
        harness_write_buffer(&scene->vk, i ? m.samplers : m.plain, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                             pixels[i].buffer);
    }
    scene_mark(scene);
    VkCommandBuffer commands = harness_begin(&scene->vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, m.n.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, m.n.layout, 0, 2, sets, 0, NULL);
    vkCmdDispatch(commands, 1, 1, 1);
    bring_gl(&m);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, m.n.layout, 1, 1, &m.samplers, 0, NULL);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&scene->vk, commands);
    scene_take(scene);
    assert_int_equal(scene->drew[0], 1);
    assert_int_equal(scene->drew[2], 1);
    memcpy(scene->pixels, pixels[0].map, sizeof(scene->pixels));
    noted_expect(&m.n, 0, SCENE_EDGE);
    noted_expect(&m.n, 1, SCENE_EDGE);
    memcpy(scene->pixels, pixels[1].map, sizeof(scene->pixels));
    noted_expect(&m.n, 0, SCENE_BORDER);
    noted_expect_border(&m.n, 1);
    for (unsigned i = 0; i < 2; i++)
        harness_buffer_destroy(&scene->vk, &pixels[i]);
    noted_close(&m.n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_meet_samplers_that_come_later),
        cmocka_unit_test(written_images_stand_beside_noted_ones),
        cmocka_unit_test(pushed_images_meet_samplers_that_come_later),
        cmocka_unit_test(images_of_a_variable_count_meet_samplers_that_come_later),
        cmocka_unit_test(images_of_sets_that_change_later_meet_samplers_that_come_later),
        cmocka_unit_test(gl_state_comes_while_a_command_buffer_is_recorded),
        cmocka_unit_test(gl_state_comes_while_a_secondary_command_buffer_is_recorded),
        cmocka_unit_test(gl_state_comes_from_another_thread),
        cmocka_unit_test(gl_state_comes_between_dispatches),
    };
    return cmocka_run_group_tests_name("noted", tests, NULL, NULL);
}
