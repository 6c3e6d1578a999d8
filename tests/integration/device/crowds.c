/* SPDX-License-Identifier: MIT */
/*
 * Eight threads and the layer's own, on one device whose driver lacks what samplers need and takes few samplers:
 * samplers that the driver has none for come and go, variants for orders of channels are compiled while their pipelines
 * are destroyed, caches are merged while pipelines are created with them, and the device is lost in the midst of it.
 * Run under a thread sanitizer, too.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gl/gl_tokens.h"
#include "harness/drawing/blending.h"
#include "integration/device/workers.h"
#include "integration/layers/faults.h"
#include "integration_crowds_single.h"

enum { ROUNDS = 8, HELD = 6, SIDE = 8 };

struct shared {
    struct scene scene;
    pthread_mutex_t queue; /* and what the harness submits by itself */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipelineCache caches[2];
    _Atomic(uint32_t) ended; /* threads, where one waits for the others */
};

static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

/* ---- A device ---- */

static void open_shared(struct shared *s, const char *layers)
{
    memset(s, 0, sizeof(*s));
    setenv("LIMITED_DRIVER_PROFILE", "bare-samplers:samplers-24", 1);
    setenv("VK_CLAMPLER_OFFER", "missing", 1);
    setenv("VK_CLAMPLER_TIERS", "ahead", 1);
    scene_open_device(&s->scene, &(struct harness_vulkan_params){.layers = layers,
                                                                 .sampling_features = true,
                                                                 .alpha_to_one = true,
                                                                 .gl_image_view = true,
                                                                 .filter_emulation = true});
    unsetenv("VK_CLAMPLER_TIERS");
    unsetenv("VK_CLAMPLER_OFFER");
    unsetenv("LIMITED_DRIVER_PROFILE");
    scene_make(&s->scene, true);
    assert_int_equal(pthread_mutex_init(&s->queue, NULL), 0);
    s->set_layout = harness_set_layout(&s->scene.vk, &binding, 1);
    s->layout = harness_pipeline_layout(&s->scene.vk, &s->set_layout, 1, 0);
    for (unsigned i = 0; i < 2; i++)
        HARNESS_VK(vkCreatePipelineCache(
            s->scene.vk.device, &(VkPipelineCacheCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO},
            NULL, &s->caches[i]));
}

static void close_shared(struct shared *s)
{
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPipelineCache(s->scene.vk.device, s->caches[i], NULL);
    harness_layouts_destroy(&s->scene.vk, s->layout, s->set_layout);
    pthread_mutex_destroy(&s->queue);
    scene_close(&s->scene);
}

/*
 * What workers have in hand lives on until they are done, also when `live_objects` were counted. They have the least
 * priority: on a busy machine they wait for minutes.
 */
static void settle(const struct scene *scene, uint64_t live_objects)
{
    for (unsigned i = 0; i < 60000 && harness_counters(&scene->vk).live_objects > live_objects; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    assert_true(harness_counters(&scene->vk).live_objects <= live_objects);
}

/* ---- Samplers ---- */

/* Some threads have equal states at a time, others states of their own. */
static VkSampler make_sampler(struct worker *t, unsigned number)
{
    const VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor.float32 = {(float)(t->index / 2 + number % 8 * 4) / 64, 0, 0, 1},
        .format = VK_FORMAT_R8_UNORM};
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info((enum scene_sampler)(number % SCENE_SAMPLERS), &gl);
    if (number % 3 == 0) {
        info = (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .pNext = &border,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE,
                                     .borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT};
    }
    return harness_sampler(&t->vk, &info);
}

static VkPipeline make_pipeline(struct worker *t, VkPipelineCache cache)
{
    return harness_graphics_pipeline(
        &t->vk, &t->target,
        &(struct harness_graphics_params){
            .fragment = HARNESS_SPIRV(integration_crowds_single), .layout = t->shared->layout, .cache = cache});
}

static VkCommandBuffer record(struct worker *t, VkPipeline pipeline, VkDescriptorSet set)
{
    VkCommandBuffer commands = harness_begin(&t->vk);
    harness_target_begin(&t->target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, t->shared->layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    return commands;
}

static VkResult submit(struct worker *t, VkCommandBuffer commands)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    pthread_mutex_lock(&t->shared->queue);
    VkResult result = vkQueueSubmit(t->vk.queue, 1, &info, VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        result = vkQueueWaitIdle(t->vk.queue);
    pthread_mutex_unlock(&t->shared->queue);
    return result;
}

/* Rows show what a sampler of a scene's kind shows. */
static unsigned wrong_pixels(struct worker *t, enum scene_sampler kind)
{
    unsigned wrong = 0;
    pthread_mutex_lock(&t->shared->queue);
    harness_target_read(&t->vk, &t->target, t->pixels);
    pthread_mutex_unlock(&t->shared->queue);
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        const float difference = t->pixels[0][x][0] - scene_expected(kind, SCENE_STEPS, x);
        wrong += !(difference <= 1.5f / 255 && difference >= -1.5f / 255);
    }
    return wrong;
}

static void *hold_samplers(void *user)
{
    struct worker *t = user;
    VkPipeline pipeline = make_pipeline(t, VK_NULL_HANDLE);
    for (unsigned round = 0; round < ROUNDS; round++) {
        VkSampler samplers[HELD];
        VkDescriptorSet set = harness_set(&t->vk, t->shared->set_layout);
        for (unsigned i = 0; i < HELD; i++)
            samplers[i] = make_sampler(t, round + i);
        for (unsigned i = 0; i < HELD; i++) {
            harness_write_image(&t->vk, set, 0, 0, SCENE_COMBINED, samplers[i],
                                t->shared->scene.textures[SCENE_STEPS].view);
            if ((round + i) % 3 != 1 || i % 2)
                continue;
            VkCommandBuffer commands = record(t, pipeline, set);
            HARNESS_VK(submit(t, commands));
            t->wrong += wrong_pixels(t, (enum scene_sampler)((round + i) % SCENE_SAMPLERS));
            vkFreeCommandBuffers(t->vk.device, t->vk.pool, 1, &commands);
        }
        HARNESS_VK(vkFreeDescriptorSets(t->vk.device, t->vk.descriptors, 1, &set));
        for (unsigned i = 0; i < HELD; i++)
            vkDestroySampler(t->vk.device, samplers[i], NULL);
    }
    vkDestroyPipeline(t->vk.device, pipeline, NULL);
    return NULL;
}

static void surplus_samplers_come_and_go_on_all_threads(void **state)
{
    (void)state;
    static struct shared s;
    open_shared(&s, "clampler:limited");
    workers_run(&s.scene, &s, HELD, hold_samplers);
    const struct clampler_counters first = harness_counters(&s.scene.vk);
    workers_run(&s.scene, &s, HELD, hold_samplers);
    settle(&s.scene, first.live_objects);
    const struct clampler_counters second = harness_counters(&s.scene.vk);
    print_message("%u surplus samplers, %u pairs with common ones\n", (unsigned)second.samplers_surplus,
                  (unsigned)second.pairs_common);
    assert_true(second.samplers_surplus > first.samplers_surplus);
    assert_true(second.pairs_common > 0);
    assert_true(second.draws[2] > 0);
    close_shared(&s);
}

/* ---- Orders of channels ---- */

static const struct blending_image_params turned_image = {
    .format = VK_FORMAT_R8G8B8A8_UNORM,
    .width = SIDE,
    .height = SIDE,
    .base_format = TOKEN_RGBA,
    .channels = {VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R}};

/*
 * Pipelines for a pass whose attachment is turned, which workers compile tiers of. One draws, by a variant of tier 2
 * that the draw compiles; the others go meanwhile.
 */
static void draw_turned(struct worker *t, const struct blending_pass *pass, const struct harness_image *image,
                        VkDescriptorSet set, unsigned round)
{
    enum { PIPELINES = 4 };
    const VkClearColorValue clear = {.float32 = {0, 0.2f, 0.4f, 0.6f}};
    struct blending_pipeline_params params = {.fragment = HARNESS_SPIRV(integration_crowds_single),
                                              .layout = t->shared->layout,
                                              .states = {{.colorWriteMask = round % 2 ? 0xf : 0x9}}};
    VkPipeline pipelines[PIPELINES];
    uint8_t pixels[SIDE * SIDE * 4];
    for (unsigned i = 0; i < PIPELINES; i++)
        pipelines[i] = blending_pipeline(&t->vk, pass, &params);
    for (unsigned i = 1; i < PIPELINES; i++)
        vkDestroyPipeline(t->vk.device, pipelines[i], NULL);
    VkCommandBuffer commands = harness_begin(&t->vk);
    blending_pass_begin(pass, commands, &clear, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, t->shared->layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(pass, commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    HARNESS_VK(submit(t, commands));
    pthread_mutex_lock(&t->shared->queue);
    blending_image_read(&t->vk, image, pixels);
    pthread_mutex_unlock(&t->shared->queue);
    vkFreeCommandBuffers(t->vk.device, t->vk.pool, 1, &commands);
    /* Alpha is 1 and kept in red. What is green is kept in blue: 0 in the texture, or what it was cleared to. */
    t->wrong += pixels[0] != 255 || pixels[2] != (round % 2 ? 0 : 51);
    vkDestroyPipeline(t->vk.device, pipelines[0], NULL);
}

static void *turn_attachments(void *user)
{
    struct worker *t = user;
    struct harness_image image;
    struct blending_pass pass;
    pthread_mutex_lock(&t->shared->queue);
    blending_image_create(&t->vk, &image, &turned_image, NULL);
    pthread_mutex_unlock(&t->shared->queue);
    blending_pass_create(&t->vk, &pass,
                         &(struct blending_pass_params){.style = BLENDING_PASS,
                                                        .count = 1,
                                                        .views = {image.view},
                                                        .formats = {turned_image.format},
                                                        .width = SIDE,
                                                        .height = SIDE,
                                                        .load = VK_ATTACHMENT_LOAD_OP_CLEAR});
    VkDescriptorSet set = harness_set(&t->vk, t->shared->set_layout);
    harness_write_image(&t->vk, set, 0, 0, SCENE_COMBINED, t->shared->scene.samplers[SCENE_MIXED],
                        t->shared->scene.textures[SCENE_STEPS].view);
    for (unsigned round = 0; round < ROUNDS; round++)
        draw_turned(t, &pass, &image, set, round);
    HARNESS_VK(vkFreeDescriptorSets(t->vk.device, t->vk.descriptors, 1, &set));
    blending_pass_destroy(&t->vk, &pass);
    harness_image_destroy(&t->vk, &image);
    return NULL;
}

static void variants_for_orders_are_compiled_while_pipelines_go(void **state)
{
    (void)state;
    static struct shared s;
    open_shared(&s, "clampler:limited");
    VkPipeline stays = harness_graphics_pipeline(
        &s.scene.vk, &s.scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_crowds_single), .layout = s.layout});
    workers_run(&s.scene, &s, HELD, turn_attachments);
    const struct clampler_counters first = harness_counters(&s.scene.vk);
    workers_run(&s.scene, &s, HELD, turn_attachments);
    settle(&s.scene, first.live_objects);
    const struct clampler_counters second = harness_counters(&s.scene.vk);
    print_message("%u variants moved outputs; %u tiers and variants compiled ahead, %u at draws\n",
                  (unsigned)second.outputs_moved, (unsigned)second.compiled_ahead, (unsigned)second.compiled_at_draws);
    assert_true(second.outputs_moved > 0);
    for (unsigned i = 0; i < 6000 && !harness_counters(&s.scene.vk).compiled_ahead; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    assert_true(harness_counters(&s.scene.vk).compiled_ahead > 0);
    vkDestroyPipeline(s.scene.vk.device, stays, NULL);
    assert_true(second.ordered_draws >= 2 * WORKERS * ROUNDS);
    close_shared(&s);
}

/* ---- Caches ---- */

/* Pipelines go into a cache that others are merged from at the time. */
static void *fill_cache(void *user)
{
    struct worker *t = user;
    struct shared *s = t->shared;
    VkDescriptorSet set = harness_set(&t->vk, s->set_layout);
    harness_write_image(&t->vk, set, 0, 0, SCENE_COMBINED, s->scene.samplers[SCENE_MIXED],
                        s->scene.textures[SCENE_STEPS].view);
    for (unsigned round = 0; round < 2 * ROUNDS; round++) {
        VkPipeline pipeline = make_pipeline(t, s->caches[0]);
        if (round % 4 == t->index % 4) {
            VkCommandBuffer commands = record(t, pipeline, set);
            HARNESS_VK(submit(t, commands));
            t->wrong += wrong_pixels(t, SCENE_MIXED);
            vkFreeCommandBuffers(t->vk.device, t->vk.pool, 1, &commands);
        }
        vkDestroyPipeline(t->vk.device, pipeline, NULL);
    }
    HARNESS_VK(vkFreeDescriptorSets(t->vk.device, t->vk.descriptors, 1, &set));
    return NULL;
}

static void *merge_or_fill(void *user)
{
    struct worker *t = user;
    struct shared *s = t->shared;
    if (t->index) {
        fill_cache(t);
        atomic_fetch_add(&s->ended, 1);
        return NULL;
    }
    while (atomic_load(&s->ended) < WORKERS - 1) {
        size_t size = 0;
        HARNESS_VK(vkMergePipelineCaches(t->vk.device, s->caches[1], 1, &s->caches[0]));
        HARNESS_VK(vkGetPipelineCacheData(t->vk.device, s->caches[0], &size, NULL));
        t->wrong += size == 0;
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
    }
    return NULL;
}

static void caches_are_merged_while_pipelines_are_created_with_them(void **state)
{
    (void)state;
    static struct shared s;
    open_shared(&s, "clampler:limited");
    workers_run(&s.scene, &s, HELD, merge_or_fill);
    const struct clampler_counters counters = harness_counters(&s.scene.vk);
    assert_true(counters.compiled_ahead + counters.compiled_at_draws > 0);
    assert_true(counters.draws[2] > 0);
    close_shared(&s);
}

/* ---- A device that is lost ---- */

/* Until it is lost, by one of the threads after some draws of each; then all that there is goes. */
static void *draw_until_lost(void *user)
{
    struct worker *t = user;
    struct shared *s = t->shared;
    VkDescriptorSet set = harness_set(&t->vk, s->set_layout);
    for (unsigned round = 0; !t->lost && round < 1000; round++) {
        VkSampler samplers[HELD];
        for (unsigned i = 0; i < HELD; i++)
            samplers[i] = make_sampler(t, round + i);
        VkPipeline pipeline = make_pipeline(t, s->caches[round % 2]);
        harness_write_image(&t->vk, set, 0, 0, SCENE_COMBINED, samplers[round % HELD],
                            s->scene.textures[SCENE_STEPS].view);
        VkCommandBuffer commands = record(t, pipeline, set);
        const VkResult result = submit(t, commands);
        t->lost = result == VK_ERROR_DEVICE_LOST;
        t->wrong += result != VK_SUCCESS && !t->lost;
        if (atomic_fetch_add(&s->ended, 1) == 4 * WORKERS)
            atomic_store(&faults_open()->lost, true);
        vkFreeCommandBuffers(t->vk.device, t->vk.pool, 1, &commands);
        vkDestroyPipeline(t->vk.device, pipeline, NULL);
        for (unsigned i = 0; i < HELD; i++)
            vkDestroySampler(t->vk.device, samplers[i], NULL);
    }
    HARNESS_VK(vkFreeDescriptorSets(t->vk.device, t->vk.descriptors, 1, &set));
    return NULL;
}

static void a_device_is_lost_while_workers_compile_for_it(void **state)
{
    (void)state;
    static struct shared s;
    struct fault_control *control = faults_open();
    for (unsigned round = 0; round < 3; round++) {
        atomic_store(&control->objects, 0);
        open_shared(&s, "clampler:limited:" FAULT_LAYER);
        assert_int_equal(workers_run(&s.scene, &s, HELD, draw_until_lost), WORKERS);
        assert_int_equal(vkDeviceWaitIdle(s.scene.vk.device), VK_ERROR_DEVICE_LOST);
        const struct clampler_counters counters = harness_counters(&s.scene.vk);
        assert_true(counters.samplers_surplus > 0);
        assert_true(counters.compiled_ahead + counters.compiled_at_draws > 0);
        atomic_store(&control->lost, false); /* the harness waits for the device */
        close_shared(&s);
        assert_int_equal(atomic_load(&control->objects), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surplus_samplers_come_and_go_on_all_threads),
        cmocka_unit_test(variants_for_orders_are_compiled_while_pipelines_go),
        cmocka_unit_test(caches_are_merged_while_pipelines_are_created_with_them),
        cmocka_unit_test(a_device_is_lost_while_workers_compile_for_it),
    };
    return cmocka_run_group_tests_name("crowds", tests, NULL, NULL);
}
