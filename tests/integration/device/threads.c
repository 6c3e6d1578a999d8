/* SPDX-License-Identifier: MIT */
/*
 * Eight threads that share a device: each records, updates sets of its own, and creates and destroys objects; they
 * share pipelines, whose tiers they all need first at the same time. Run with tiers=ahead, too, where workers compete
 * with them, and both under a thread sanitizer.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "integration/device/workers.h"
#include "integration/shared/parts.h"
#include "integration_single.h"

enum { ROUNDS = 24, SETS = 4 };

struct shared {
    struct scene scene;
    pthread_mutex_t queue; /* also for what the harness submits */
    pthread_barrier_t start;
    VkDescriptorSetLayout set_layout, push_layout;
    VkPipelineLayout layout, pushed_layout;
    VkPipeline pipeline, pushed; /* drawn with by all */
    VkDescriptorUpdateTemplate update;
    PFN_vkCmdPushDescriptorSetKHR push;
    bool own_pipelines;
};

static const enum scene_sampler kinds[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED, SCENE_BORDER, SCENE_MIRROR};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

/* ---- What the threads share ---- */

static VkPipeline make_pipeline(struct scene *scene, VkPipelineLayout layout)
{
    struct parts parts;
    parts_open(scene, &parts, HARNESS_SPIRV(integration_single), layout);
    VkPipeline pipeline = parts_create(scene, &parts);
    parts_close(scene, &parts);
    return pipeline;
}

/* As many command buffers as there can be at once, so that what the layer keeps of them does not grow later. */
static void warm_command_buffers(struct scene *scene)
{
    VkCommandBuffer commands[2 * WORKERS];
    harness_commands(&scene->vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2 * WORKERS, commands);
    vkFreeCommandBuffers(scene->vk.device, scene->vk.pool, 2 * WORKERS, commands);
}

static void open_shared(struct shared *s)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    memset(s, 0, sizeof(*s));
    scene_open(&s->scene,
               &(struct harness_vulkan_params){.device_extensions = extensions, .device_extension_count = 1});
    assert_int_equal(pthread_mutex_init(&s->queue, NULL), 0);
    assert_int_equal(pthread_barrier_init(&s->start, NULL, WORKERS), 0);
    s->set_layout = harness_set_layout(&s->scene.vk, &binding, 1);
    VkDescriptorSetLayoutCreateInfo push = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
    HARNESS_VK(vkCreateDescriptorSetLayout(s->scene.vk.device, &push, NULL, &s->push_layout));
    s->layout = harness_pipeline_layout(&s->scene.vk, &s->set_layout, 1, 0);
    s->pushed_layout = harness_pipeline_layout(&s->scene.vk, &s->push_layout, 1, 0);
    s->pipeline = make_pipeline(&s->scene, s->layout);
    s->pushed = make_pipeline(&s->scene, s->pushed_layout);
    const VkDescriptorUpdateTemplateEntry entry = {0, 0, 1, SCENE_COMBINED, 0, sizeof(VkDescriptorImageInfo)};
    s->update = harness_template(&s->scene.vk, s->set_layout, &entry, 1);
    s->push = HARNESS_PROC(&s->scene.vk, vkCmdPushDescriptorSetKHR);
    warm_command_buffers(&s->scene);
}

static void close_shared(struct shared *s)
{
    VkDevice device = s->scene.vk.device;
    vkDestroyDescriptorUpdateTemplate(device, s->update, NULL);
    vkDestroyPipeline(device, s->pipeline, NULL);
    vkDestroyPipeline(device, s->pushed, NULL);
    vkDestroyPipelineLayout(device, s->layout, NULL);
    vkDestroyPipelineLayout(device, s->pushed_layout, NULL);
    vkDestroyDescriptorSetLayout(device, s->set_layout, NULL);
    vkDestroyDescriptorSetLayout(device, s->push_layout, NULL);
    pthread_barrier_destroy(&s->start);
    pthread_mutex_destroy(&s->queue);
    scene_close(&s->scene);
}

/* ---- One thread ---- */

static VkSampler make_sampler(struct worker *t, enum scene_sampler kind)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(kind, &gl);
    return harness_sampler(&t->vk, &info);
}

static VkImageView make_view(struct worker *t, enum scene_texture texture)
{
    VkImageView view;
    VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = t->shared->scene.textures[texture].image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = VK_FORMAT_R8_UNORM,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HARNESS_VK(vkCreateImageView(t->vk.device, &info, NULL, &view));
    return view;
}

/* In one of three ways: a write, a template, or a write to another set and a copy. */
static void fill_set(struct worker *t, VkDescriptorSet set, unsigned way, VkSampler sampler, VkImageView view)
{
    const VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    if (way == 0) {
        harness_write_image(&t->vk, set, 0, 0, SCENE_COMBINED, sampler, view);
    } else if (way == 1) {
        vkUpdateDescriptorSetWithTemplate(t->vk.device, set, t->shared->update, &info);
    } else {
        VkDescriptorSet other = harness_set(&t->vk, t->shared->set_layout);
        VkCopyDescriptorSet copy = {
            .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = other, .dstSet = set, .descriptorCount = 1};
        harness_write_image(&t->vk, other, 0, 0, SCENE_COMBINED, sampler, view);
        vkUpdateDescriptorSets(t->vk.device, 0, NULL, 1, &copy);
        HARNESS_VK(vkFreeDescriptorSets(t->vk.device, t->vk.descriptors, 1, &other));
    }
}

static void draw(struct worker *t, VkPipeline pipeline, VkDescriptorSet set, VkSampler sampler, VkImageView view)
{
    struct shared *s = t->shared;
    VkCommandBuffer commands = harness_begin(&t->vk);
    harness_target_begin(&t->target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline ? pipeline : s->pushed);
    if (pipeline) {
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &set, 0, NULL);
    } else {
        const VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .descriptorCount = 1,
                                            .descriptorType = SCENE_COMBINED,
                                            .pImageInfo = &info};
        s->push(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pushed_layout, 0, 1, &write);
    }
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    pthread_mutex_lock(&s->queue);
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    HARNESS_VK(vkQueueSubmit(t->vk.queue, 1, &info, VK_NULL_HANDLE));
    HARNESS_VK(vkQueueWaitIdle(t->vk.queue));
    harness_target_read(&t->vk, &t->target, t->pixels);
    pthread_mutex_unlock(&s->queue);
    vkFreeCommandBuffers(t->vk.device, t->vk.pool, 1, &commands);
}

static unsigned wrong_pixels(const struct worker *t, enum scene_sampler kind, enum scene_texture texture)
{
    unsigned wrong = 0;
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        for (unsigned x = 0; x < SCENE_COLUMNS; x++)
            wrong += !(fabsf(t->pixels[row][x][0] - scene_expected(kind, texture, x)) <= 1.5f / 255.0f);
    }
    return wrong;
}

/* Objects that nothing draws with: layouts, modules, passes, pools. */
static void churn(struct worker *t)
{
    VkDescriptorSetLayout layouts[2] = {harness_set_layout(&t->vk, &binding, 1),
                                        harness_set_layout(&t->vk, &binding, 1)};
    VkPipelineLayout layout = harness_pipeline_layout(&t->vk, layouts, 2, 0);
    VkShaderModule module = harness_module(&t->vk, HARNESS_SPIRV(integration_single));
    VkDescriptorPoolSize size = {SCENE_COMBINED, 4};
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 4, .poolSizeCount = 1, .pPoolSizes = &size};
    VkDescriptorPool pool;
    VkDescriptorSet sets[2];
    HARNESS_VK(vkCreateDescriptorPool(t->vk.device, &info, NULL, &pool));
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool,
                                            .descriptorSetCount = 2,
                                            .pSetLayouts = layouts};
    HARNESS_VK(vkAllocateDescriptorSets(t->vk.device, &allocate, sets));
    HARNESS_VK(vkResetDescriptorPool(t->vk.device, pool, 0));
    vkDestroyDescriptorPool(t->vk.device, pool, NULL);
    vkDestroyShaderModule(t->vk.device, module, NULL);
    vkDestroyPipelineLayout(t->vk.device, layout, NULL);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyDescriptorSetLayout(t->vk.device, layouts[i], NULL);
}

static void *run(void *user)
{
    struct worker *t = user;
    struct shared *s = t->shared;
    pthread_barrier_wait(&s->start);
    for (unsigned round = 0; round < ROUNDS; round++) {
        enum scene_sampler kind = kinds[(t->index + round) % KINDS];
        enum scene_texture texture = round % 2 ? SCENE_STEPS : SCENE_RAMP;
        VkSampler sampler = make_sampler(t, kind);
        VkImageView view = make_view(t, texture);
        VkDescriptorSet set = harness_set(&t->vk, s->set_layout);
        fill_set(t, set, (t->index + round) % 3, sampler, view);
        bool own = s->own_pipelines && round % 6 == t->index % 6, pushed = round % 4 == 3;
        VkPipeline pipeline = own ? make_pipeline(&s->scene, s->layout) : pushed ? VK_NULL_HANDLE : s->pipeline;
        draw(t, pipeline, set, sampler, view);
        t->wrong += wrong_pixels(t, kind, texture);
        churn(t);
        if (own)
            vkDestroyPipeline(t->vk.device, pipeline, NULL);
        HARNESS_VK(vkFreeDescriptorSets(t->vk.device, t->vk.descriptors, 1, &set));
        vkDestroyImageView(t->vk.device, view, NULL);
        vkDestroySampler(t->vk.device, sampler, NULL);
    }
    return NULL;
}

/* Command buffers come and go without anything else that would bring the threads into step. */
static void *record_only(void *user)
{
    struct worker *t = user;
    struct shared *s = t->shared;
    pthread_barrier_wait(&s->start);
    for (unsigned round = 0; round < 20 * ROUNDS; round++) {
        VkCommandBuffer commands[3];
        VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = t->vk.pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1 + round % 3};
        VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        HARNESS_VK(vkAllocateCommandBuffers(t->vk.device, &info, commands));
        for (unsigned i = 0; i < info.commandBufferCount; i++) {
            HARNESS_VK(vkBeginCommandBuffer(commands[i], &begin));
            vkCmdBindPipeline(commands[i], VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
            HARNESS_VK(vkEndCommandBuffer(commands[i]));
        }
        vkFreeCommandBuffers(t->vk.device, t->vk.pool, info.commandBufferCount, commands);
    }
    return NULL;
}

static bool ahead(void)
{
    const char *tiers = getenv("VK_CLAMPLER_TIERS");
    return tiers && !strcmp(tiers, "ahead");
}

/* Pipelines that a worker has in hand live on until it is done. */
static void settle(const struct scene *scene, uint64_t live_objects)
{
    for (unsigned i = 0; ahead() && i < 6000 && harness_counters(&scene->vk).live_objects > live_objects; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
}

static void eight_threads_record_update_create_and_destroy_at_once(void **state)
{
    (void)state;
    static struct shared s;
    open_shared(&s);
    s.own_pipelines = true;
    scene_mark(&s.scene);
    workers_run(&s.scene, &s, SETS, run);
    scene_take(&s.scene);
    assert_int_equal(s.scene.drew[0] + s.scene.drew[1] + s.scene.drew[2], WORKERS * ROUNDS);
    assert_true(s.scene.drew[0] > 0 && s.scene.drew[1] > 0 && s.scene.drew[2] > 0);
    struct clampler_counters first = harness_counters(&s.scene.vk);
    workers_run(&s.scene, &s, SETS, run);
    settle(&s.scene, first.live_objects);
    struct clampler_counters second = harness_counters(&s.scene.vk);
    assert_true(ahead() || second.live_objects == first.live_objects);
    assert_true(ahead() || second.live_bytes == first.live_bytes);
    assert_true(second.live_objects <= first.live_objects && second.live_bytes <= first.live_bytes);
    close_shared(&s);
}

/* All threads need both tiers of the shared pipelines at the start; each is compiled once all the same. */
static void a_tier_that_all_threads_need_is_compiled_once(void **state)
{
    (void)state;
    static struct shared s;
    for (unsigned i = 0; i < 3; i++) {
        open_shared(&s);
        scene_mark(&s.scene);
        workers_run(&s.scene, &s, SETS, run);
        scene_take(&s.scene);
        const struct clampler_counters counters = harness_counters(&s.scene.vk);
        assert_int_equal(s.scene.pipelines[0], 0);
        assert_int_equal(counters.pipelines[1], 2); /* since the device was made */
        assert_int_equal(counters.pipelines[2], 2);
        assert_int_equal(counters.compiled_ahead + counters.compiled_at_draws, 4);
        close_shared(&s);
    }
}

static void command_buffers_change_hands_between_threads(void **state)
{
    (void)state;
    static struct shared s;
    open_shared(&s);
    workers_run(&s.scene, &s, SETS, record_only);
    close_shared(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_threads_record_update_create_and_destroy_at_once),
        cmocka_unit_test(a_tier_that_all_threads_need_is_compiled_once),
        cmocka_unit_test(command_buffers_change_hands_between_threads),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
