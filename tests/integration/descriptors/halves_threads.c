/* SPDX-License-Identifier: MIT */
/*
 * Records of the halves of combined image samplers while several threads have to do with one set: the first draw that
 * reads halves makes those of the whole set. Run under a thread sanitizer, too.
 */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "integration/layers/faults.h"
#include "integration/shared/scene.h"
#include "integration_halves_combined.h"
#include "integration_halves_swapped.h"

enum { UNUSED = 12, ROUNDS = 60 }; /* stages may have 16 samplers */

static const VkDescriptorSetLayoutBinding one[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};

/* The image of binding 1 is looked up with the sampler of binding 0, and nothing reads binding 2. */
static const VkDescriptorSetLayoutBinding three[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                     SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, 1),
                                                     SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, UNUSED)};

typedef float pixels[SCENE_ROWS][SCENE_COLUMNS][4];

/* What a combined image sampler of the two draws. */
static void draw_combined(struct scene *scene, enum scene_sampler sampler, enum scene_texture texture, pixels expected)
{
    struct scene_program combined;
    scene_program_create(scene, &combined, HARNESS_SPIRV(integration_halves_combined), one, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene->vk, combined.set_layout);
    scene_write(scene, set, 0, 0, SCENE_COMBINED, sampler, texture);
    scene_draw(scene, combined.pipeline, combined.layout, 1, &set);
    memcpy(expected, scene->pixels, sizeof(scene->pixels));
    scene_program_destroy(scene, &combined);
}

static void expect_pixels(const struct scene *scene, pixels expected)
{
    for (unsigned i = 0; i < SCENE_ROWS * SCENE_COLUMNS; i++) {
        const float a = expected[i / SCENE_COLUMNS][i % SCENE_COLUMNS][0];
        const float b = scene->pixels[i / SCENE_COLUMNS][i % SCENE_COLUMNS][0];
        if (fabsf(a - b) > 1.5f / 255.0f)
            fail_msg("row %u, column %u is %f, not %f", i / SCENE_COLUMNS, i % SCENE_COLUMNS, (double)b, (double)a);
    }
}

/* ---- Recording ---- */

struct recorder {
    struct scene *scene;
    const struct scene_program *program;
    VkDescriptorSet set;
    pthread_barrier_t *start;
    struct harness_vulkan vk; /* the scene's device with a command pool of the thread's own */
    VkCommandBuffer commands;
    pthread_t thread;
};

static void open_recorder(struct recorder *r, struct scene *scene, const struct scene_program *program,
                          pthread_barrier_t *start)
{
    *r = (struct recorder){.scene = scene, .program = program, .start = start, .vk = scene->vk};
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = scene->vk.family};
    HARNESS_VK(vkCreateCommandPool(r->vk.device, &info, NULL, &r->vk.pool));
}

/* A draw, between the passes' begin and end. */
static void *record(void *user)
{
    struct recorder *r = user;
    r->commands = harness_begin(&r->vk);
    harness_target_begin(&r->scene->target, r->commands);
    vkCmdBindPipeline(r->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, r->program->pipeline);
    vkCmdBindDescriptorSets(r->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, r->program->layout, 0, 1, &r->set, 0, NULL);
    pthread_barrier_wait(r->start);
    vkCmdDraw(r->commands, 3, 1, 0, 0);
    harness_target_end(r->commands);
    return NULL;
}

static void drop(struct recorder *r)
{
    HARNESS_VK(vkEndCommandBuffer(r->commands));
    vkFreeCommandBuffers(r->vk.device, r->vk.pool, 1, &r->commands);
}

static void execute(struct recorder *r)
{
    harness_submit(&r->vk, r->commands);
    harness_target_read(&r->vk, &r->scene->target, r->scene->pixels);
}

/* ---- While another thread destroys ---- */

/* Views and samplers that a set was written with, in a binding that no shader reads. */
struct unused {
    VkDevice device;
    VkImageView views[UNUSED];
    VkSampler samplers[UNUSED];
    pthread_barrier_t start;
};

static void *destroy_unused(void *user)
{
    struct unused *unused = user;
    pthread_barrier_wait(&unused->start);
    for (unsigned i = 0; i < UNUSED; i++) {
        vkDestroyImageView(unused->device, unused->views[i], NULL);
        vkDestroySampler(unused->device, unused->samplers[i], NULL);
    }
    return NULL;
}

/* Samplers of states that nobody else has, so that their states go with them. */
static void write_unused(struct scene *scene, struct unused *unused, VkDescriptorSet set)
{
    const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = scene->textures[SCENE_RAMP].image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = VK_FORMAT_R8_UNORM,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    for (unsigned i = 0; i < UNUSED; i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl;
        VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
        gl.borderColor.float32[0] = (float)(i + 1) / 64.0f;
        HARNESS_VK(vkCreateImageView(scene->vk.device, &view, NULL, &unused->views[i]));
        unused->samplers[i] = harness_sampler(&scene->vk, &info);
        harness_write_image(&scene->vk, set, 2, i, SCENE_COMBINED, unused->samplers[i], unused->views[i]);
    }
}

/*
 * The first draw that reads halves makes those of the whole set, while another thread destroys what the draw does not
 * use. The validation layers of some versions take that for a use.
 */
static void what_no_shader_reads_is_destroyed_while_halves_are_made(void **state)
{
    (void)state;
    struct scene scene;
    struct scene_program halves;
    struct recorder recorder;
    pixels expected;
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler"});
    draw_combined(&scene, SCENE_CLAMP, SCENE_RAMP, expected);
    scene_program_create(&scene, &halves, HARNESS_SPIRV(integration_halves_swapped), three, 3, 0, NULL);
    struct unused unused = {.device = scene.vk.device};
    assert_int_equal(pthread_barrier_init(&unused.start, NULL, 2), 0);
    open_recorder(&recorder, &scene, &halves, &unused.start);
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_t thread;
        recorder.set = harness_set(&scene.vk, halves.set_layout);
        scene_write(&scene, recorder.set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
        scene_write(&scene, recorder.set, 1, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);
        write_unused(&scene, &unused, recorder.set);
        assert_int_equal(pthread_create(&thread, NULL, destroy_unused, &unused), 0);
        record(&recorder);
        pthread_join(thread, NULL);
        drop(&recorder);
    }
    for (uint32_t i = 0; i < UNUSED; i++)
        scene_write(&scene, recorder.set, 2, i, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);
    scene_draw(&scene, halves.pipeline, halves.layout, 1, &recorder.set);
    assert_true(scene.drew[1] + scene.drew[2] == 1);
    expect_pixels(&scene, expected);
    pthread_barrier_destroy(&unused.start);
    vkDestroyCommandPool(scene.vk.device, recorder.vk.pool, NULL);
    scene_program_destroy(&scene, &halves);
    scene_close(&scene);
}

/* ---- While another thread records, and another writes ---- */

static VkDescriptorPool make_pool(struct scene *scene)
{
    const VkDescriptorPoolSize size = {SCENE_COMBINED, (2 + UNUSED) * ROUNDS};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT |
                                                      VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = ROUNDS,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    VkDescriptorPool pool;
    HARNESS_VK(vkCreateDescriptorPool(scene->vk.device, &info, NULL, &pool));
    return pool;
}

/* The two write what a shader reads in the order of the round; the last of them is what must be drawn. */
static void write_in_turn(struct scene *scene, VkDescriptorSet set, unsigned round)
{
    for (unsigned i = 0; i < 8; i++) {
        const enum scene_sampler sampler = i % 2 ? SCENE_EDGE : SCENE_MIRROR;
        scene_write(scene, set, (round + i) % 2, 0, SCENE_COMBINED, sampler, i % 4 < 2 ? SCENE_RAMP : SCENE_STEPS);
    }
    scene_write(scene, set, round % 2, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_RAMP);
    scene_write(scene, set, 1 - round % 2, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_RAMP);
}

/* Writes what no shader reads. */
static void write_beside(struct scene *scene, VkDescriptorSet set, unsigned round)
{
    for (unsigned i = 0; i < UNUSED; i++)
        scene_write(scene, set, 2, (round + i) % UNUSED, SCENE_COMBINED, i % 2 ? SCENE_EDGE : SCENE_CLAMP, SCENE_RAMP);
}

/*
 * Two threads record draws with a set whose halves nobody has made, and a third writes descriptors of it: what is
 * drawn, where commands see what is written after they were recorded, else others.
 */
static void write_while_two_record(VkDescriptorBindingFlags flag, bool seen)
{
    const VkDescriptorBindingFlags flags[] = {flag, flag, flag};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 3,
        .pBindingFlags = flags};
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .descriptorIndexing = VK_TRUE,
                                                 .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,
                                                 .descriptorBindingUpdateUnusedWhilePending = VK_TRUE};
    struct fault_control *control = faults_open();
    struct scene scene;
    struct scene_program halves;
    struct recorder recorders[2];
    pixels expected;
    pthread_barrier_t start;
    control->promise_indexing = true;
    faults_arm(control, 0, VK_SUCCESS);
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler:" FAULT_LAYER, .device_next = &features});
    draw_combined(&scene, SCENE_CLAMP, SCENE_RAMP, expected);
    scene_program_create(&scene, &halves, HARNESS_SPIRV(integration_halves_swapped), three, 3,
                         seen ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0,
                         &binding_flags);
    VkDescriptorPool pool = make_pool(&scene), kept = scene.vk.descriptors;
    assert_int_equal(pthread_barrier_init(&start, NULL, 3), 0);
    for (unsigned i = 0; i < 2; i++)
        open_recorder(&recorders[i], &scene, &halves, &start);
    for (unsigned round = 0; round < ROUNDS; round++) {
        scene.vk.descriptors = pool;
        VkDescriptorSet set = harness_set(&scene.vk, halves.set_layout);
        scene.vk.descriptors = kept;
        for (uint32_t i = 0; i < UNUSED + 2; i++)
            scene_write(&scene, set, i < 2 ? i : 2, i < 2 ? 0 : i - 2, SCENE_COMBINED,
                        seen ? SCENE_MIRROR : SCENE_CLAMP, seen ? SCENE_STEPS : SCENE_RAMP);
        for (unsigned i = 0; i < 2; i++) {
            recorders[i].set = set;
            assert_int_equal(pthread_create(&recorders[i].thread, NULL, record, &recorders[i]), 0);
        }
        pthread_barrier_wait(&start);
        (seen ? write_in_turn : write_beside)(&scene, set, round);
        for (unsigned i = 0; i < 2; i++)
            pthread_join(recorders[i].thread, NULL);
        for (unsigned i = 0; i < 2; i++) {
            scene_mark(&scene);
            execute(&recorders[i]);
            scene_take(&scene);
            if (seen)
                scene_expect_tier(&scene, 2); /* the mark's: the scene has a sampler of mixed filters */
            else
                assert_int_equal(scene.drew[1] + scene.drew[2], 1);
            expect_pixels(&scene, expected);
        }
    }
    for (unsigned i = 0; i < 2; i++)
        vkDestroyCommandPool(scene.vk.device, recorders[i].vk.pool, NULL);
    pthread_barrier_destroy(&start);
    vkDestroyDescriptorPool(scene.vk.device, pool, NULL);
    scene_program_destroy(&scene, &halves);
    scene_close(&scene);
    control->promise_indexing = false;
}

static void a_set_is_written_while_two_threads_make_its_halves(void **state)
{
    (void)state;
    write_while_two_record(VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT, true);
}

static void what_no_shader_reads_is_written_while_two_threads_make_halves(void **state)
{
    (void)state;
    write_while_two_record(VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_shader_reads_is_destroyed_while_halves_are_made),
        cmocka_unit_test(a_set_is_written_while_two_threads_make_its_halves),
        cmocka_unit_test(what_no_shader_reads_is_written_while_two_threads_make_halves),
    };
    return cmocka_run_group_tests_name("halves_threads", tests, NULL, NULL);
}
