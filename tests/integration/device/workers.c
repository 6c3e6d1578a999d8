/* SPDX-License-Identifier: MIT */
#include "integration/device/workers.h"

static void open_worker(struct worker *w, const struct scene *scene, uint32_t sets)
{
    const VkCommandPoolCreateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                              .queueFamilyIndex = scene->vk.family};
    const VkDescriptorPoolSize size = {SCENE_COMBINED, sets};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = sets,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    w->vk = scene->vk;
    HARNESS_VK(vkCreateCommandPool(w->vk.device, &commands, NULL, &w->vk.pool));
    HARNESS_VK(vkCreateDescriptorPool(w->vk.device, &pool, NULL, &w->vk.descriptors));
    harness_target_create(&w->vk, &w->target, VK_FORMAT_R32G32B32A32_SFLOAT, SCENE_COLUMNS, SCENE_ROWS);
}

static void close_worker(struct worker *w)
{
    harness_target_destroy(&w->vk, &w->target);
    vkDestroyDescriptorPool(w->vk.device, w->vk.descriptors, NULL);
    vkDestroyCommandPool(w->vk.device, w->vk.pool, NULL);
}

unsigned workers_run(const struct scene *scene, struct shared *shared, uint32_t sets, void *(*body)(void *worker))
{
    static struct worker workers[WORKERS];
    unsigned wrong = 0, lost = 0;
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){.shared = shared, .index = i};
        open_worker(&workers[i], scene, sets);
    }
    for (unsigned i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&workers[i].handle, NULL, body, &workers[i]), 0);
    for (unsigned i = 0; i < WORKERS; i++) {
        assert_int_equal(pthread_join(workers[i].handle, NULL), 0);
        wrong += workers[i].wrong;
        lost += workers[i].lost;
    }
    for (unsigned i = 0; i < WORKERS; i++)
        close_worker(&workers[i]);
    assert_int_equal(wrong, 0);
    return lost;
}
