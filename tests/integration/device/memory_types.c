/* SPDX-License-Identifier: MIT */
/*
 * Memory of the layer's own where the best type of memory is full: on a driver whose window of the GPU's memory is
 * small (tests/limited_driver, profile small-window), as on GPUs without a resizable BAR. What the program allocates
 * fills it; then sets, pushed descriptors, the table of records and filtered blits take other memory, and are right.
 * When there is room again, the best type is taken again.
 */
#include <stdlib.h>
#include <string.h>

#include "integration/recording/blit_scene.h"
#include "integration/app_descriptors/descriptor_scene.h"
#include "integration/layers/faults.h"
#include "integration/shared/scene.h"
#include "integration/layers/type_layer/type.h"
#include "integration_memory_combined.h"

enum { PIECE = 64 * 1024, PIECES_MOST = 4096, SETS = 64, COMMANDS = 40, DESCRIPTORS = 8 * 1024 };

/* ---- The window ---- */

struct window {
    uint32_t type;  /* of memory; the last */
    uint32_t other; /* the first that the host sees */
    uint32_t count;
    VkDeviceMemory pieces[PIECES_MOST];
};

static void open_window(struct window *window, const struct harness_vulkan *vk)
{
    const VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(vk->physical, &memory);
    window->type = memory.memoryTypeCount - 1;
    window->other = 0;
    window->count = 0;
    while ((memory.memoryTypes[window->other].propertyFlags & seen) != seen)
        window->other++;
    assert_true(window->other < window->type);
    assert_int_equal(memory.memoryTypes[window->type].propertyFlags, seen | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

static void fill(struct window *window, const struct harness_vulkan *vk)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = PIECE, .memoryTypeIndex = window->type};
    VkResult result = VK_SUCCESS;
    while (result == VK_SUCCESS && window->count < PIECES_MOST) {
        result = vkAllocateMemory(vk->device, &info, NULL, &window->pieces[window->count]);
        window->count += result == VK_SUCCESS;
    }
    assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void empty(struct window *window, const struct harness_vulkan *vk)
{
    while (window->count)
        vkFreeMemory(vk->device, window->pieces[--window->count], NULL);
}

/* Blocks that the layer took since `before`, of a type. */
static uint64_t blocks_since(const struct harness_vulkan *vk, const struct clampler_counters *before, uint32_t type)
{
    return harness_counters(vk).memory_blocks[type] - before->memory_blocks[type];
}

static void expect_others(const struct harness_vulkan *vk, const struct clampler_counters *before,
                          const struct window *window)
{
    assert_int_equal(blocks_since(vk, before, window->type), 0);
    assert_true(blocks_since(vk, before, window->other) > 0);
    assert_int_equal(harness_counters(vk).memory_fallbacks - before->memory_fallbacks,
                     blocks_since(vk, before, window->other));
}

/* ---- What arrives below the layer ---- */

static struct type_control *below(void)
{
    static struct type_control *control;
    if (!control)
        control = test_layer_open("type", TYPE_CONTROL_SYMBOL);
    return control;
}

struct asked {
    uint32_t allocations, refused, highest, middling;
};

static struct asked asked_since(const struct asked *before)
{
    const struct type_control *control = below();
    return (struct asked){
        atomic_load(&control->allocations) - before->allocations, atomic_load(&control->refused) - before->refused,
        atomic_load(&control->highest) - before->highest, atomic_load(&control->middling) - before->middling};
}

/* ---- Sets and pushed descriptors ---- */

static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                                        SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                                        SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};

static void open_small(struct scene *scene, const struct harness_vulkan_params *params)
{
    struct harness_vulkan_params full = *params;
    full.layers = "clampler:" TYPE_LAYER ":validation:limited";
    below();
    setenv("LIMITED_DRIVER_PROFILE", "small-window", 1);
    scene_open(scene, &full);
    unsetenv("LIMITED_DRIVER_PROFILE");
}

/* A pool that needs more than one block of the layer's. */
static VkDescriptorPool large_pool(struct scene *scene)
{
    const VkDescriptorPoolSize size = {SCENE_COMBINED, DESCRIPTORS};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = SETS,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    VkDescriptorPool pool;
    HARNESS_VK(vkCreateDescriptorPool(scene->vk.device, &info, NULL, &pool));
    return pool;
}

static VkDescriptorSet set_of(struct scene *scene, const struct scene_program *program, VkDescriptorPool pool)
{
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &program->set_layout};
    VkDescriptorSet set;
    HARNESS_VK(vkAllocateDescriptorSets(scene->vk.device, &info, &set));
    return set;
}

static void expect_set(struct scene *scene, const struct scene_program *program, VkDescriptorSet set)
{
    static const struct {
        uint32_t binding, element;
    } places[SCENE_ROWS] = {{0, 0}, {0, 1}, {2, 0}, {5, 0}, {5, 1}, {5, 2}};
    for (unsigned i = 0; i < SCENE_ROWS; i++)
        scene_write(scene, set, places[i].binding, places[i].element, SCENE_COMBINED, i % 2 ? SCENE_CLAMP : SCENE_EDGE,
                    SCENE_RAMP);
    scene_draw(scene, program->pipeline, program->layout, 1, &set);
    scene_expect_tier(scene, 1);
    for (unsigned i = 0; i < SCENE_ROWS; i++)
        scene_expect_row(scene, i, i % 2 ? SCENE_CLAMP : SCENE_EDGE, SCENE_RAMP);
}

/* Pools one after the other until the layer takes memory of the window again. */
static void expect_window_again(struct scene *scene, const struct scene_program *program, const struct window *window)
{
    enum { POOLS_MOST = 100 };
    const struct clampler_counters before = harness_counters(&scene->vk);
    VkDescriptorPool pools[POOLS_MOST];
    unsigned count = 0;
    while (count < POOLS_MOST && !blocks_since(&scene->vk, &before, window->type)) {
        pools[count] = large_pool(scene);
        expect_set(scene, program, set_of(scene, program, pools[count++]));
    }
    assert_true(blocks_since(&scene->vk, &before, window->type) >= 1); /* more where one failed (tests/failures) */
    while (count)
        vkDestroyDescriptorPool(scene->vk.device, pools[--count], NULL);
}

/*
 * While the layer took so many blocks: with priorities it asked for the highest, for records; with a budget it asked
 * for nothing of the window, of which the driver would say only that it has none left.
 */
static void expect_asked(const struct asked *asked, uint64_t blocks, const char *extension)
{
    const bool priority = extension && strcmp(extension, VK_EXT_MEMORY_PRIORITY_EXTENSION_NAME) == 0,
               budget = extension && strcmp(extension, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME) == 0;
    assert_true(blocks > 0 && asked->allocations >= blocks);
    assert_int_equal(asked->highest, priority ? blocks + asked->refused : 0);
    assert_int_equal(asked->middling, 0);
    if (budget)
        assert_int_equal(asked->refused, 0);
    else
        assert_true(asked->refused > 0);
}

static void sets_go_on_where_the_window_is_full(const struct harness_vulkan_params *params)
{
    static const struct asked none;
    struct scene scene;
    struct scene_program program;
    static struct window window;
    VkDescriptorPool pools[4];
    open_small(&scene, params);
    open_window(&window, &scene.vk);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_memory_combined), bindings, 3, 0, NULL);
    fill(&window, &scene.vk);
    const struct clampler_counters before = harness_counters(&scene.vk);
    const struct asked start = asked_since(&none);
    for (unsigned i = 0; i < 4; i++) {
        pools[i] = large_pool(&scene);
        expect_set(&scene, &program, set_of(&scene, &program, pools[i]));
    }
    expect_others(&scene.vk, &before, &window);
    const struct asked asked = asked_since(&start);
    expect_asked(&asked, blocks_since(&scene.vk, &before, window.other),
                 params->device_extension_count ? params->device_extensions[0] : NULL);
    empty(&window, &scene.vk);
    expect_window_again(&scene, &program, &window);
    for (unsigned i = 0; i < 4; i++)
        vkDestroyDescriptorPool(scene.vk.device, pools[i], NULL);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

static void sets_are_allocated_where_the_window_is_full(void **state)
{
    (void)state;
    sets_go_on_where_the_window_is_full(&(struct harness_vulkan_params){0});
}

/* The budget says that the window is full, and when there is room again. */
static void sets_are_allocated_where_the_budget_is_spent(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME};
    scene_skip_without(extensions[0]);
    sets_go_on_where_the_window_is_full(
        &(struct harness_vulkan_params){.device_extensions = extensions, .device_extension_count = 1});
}

/* Priorities are asked for where the program enabled them; validation is below. */
static void sets_are_allocated_with_priorities(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_EXT_MEMORY_PRIORITY_EXTENSION_NAME};
    VkPhysicalDeviceMemoryPriorityFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PRIORITY_FEATURES_EXT, .memoryPriority = VK_TRUE};
    scene_skip_without(extensions[0]);
    sets_go_on_where_the_window_is_full(&(struct harness_vulkan_params){
        .device_extensions = extensions, .device_extension_count = 1, .device_next = &features});
}

/* Each command buffer has memory of its own for what is pushed. */
static void command_buffers_end_where_the_window_is_full(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    struct scene scene;
    struct scene_program program;
    static struct window window;
    VkCommandBuffer commands[COMMANDS];
    open_small(&scene, &(struct harness_vulkan_params){.device_extensions = extensions, .device_extension_count = 1});
    open_window(&window, &scene.vk);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_memory_combined), bindings, 3,
                         VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, NULL);
    fill(&window, &scene.vk);
    const struct clampler_counters before = harness_counters(&scene.vk);
    VkDescriptorImageInfo infos[SCENE_ROWS];
    for (unsigned i = 0; i < SCENE_ROWS; i++)
        infos[i] = scene_info(&scene, SCENE_CLAMP, SCENE_STEPS);
    VkWriteDescriptorSet writes[3];
    for (unsigned i = 0; i < 3; i++)
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstBinding = bindings[i].binding,
                                           .descriptorCount = bindings[i].descriptorCount,
                                           .descriptorType = SCENE_COMBINED,
                                           .pImageInfo = infos};
    for (unsigned i = 0; i < COMMANDS; i++) {
        commands[i] = scene_begin(&scene);
        vkCmdBindPipeline(commands[i], VK_PIPELINE_BIND_POINT_GRAPHICS, program.pipeline);
        HARNESS_PROC(&scene.vk, vkCmdPushDescriptorSetKHR)
        (commands[i], VK_PIPELINE_BIND_POINT_GRAPHICS, program.layout, 0, 3, writes);
        vkCmdDraw(commands[i], 3, 1, 0, 0);
        if (i + 1 == COMMANDS)
            break;
        harness_target_end(commands[i]);
        HARNESS_VK(vkEndCommandBuffer(commands[i]));
    }
    scene_end(&scene, commands[COMMANDS - 1]);
    for (unsigned i = 0; i < SCENE_ROWS; i++)
        scene_expect_row(&scene, i, SCENE_CLAMP, SCENE_STEPS);
    expect_others(&scene.vk, &before, &window);
    vkFreeCommandBuffers(scene.vk.device, scene.vk.pool, COMMANDS - 1, commands);
    empty(&window, &scene.vk);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

/* ---- Records by number ---- */

static void records_are_numbered_where_the_window_is_full(void **state)
{
    (void)state;
    static const struct {
        uint32_t binding, element;
    } places[SCENE_ROWS] = {{0, 0}, {0, 1}, {2, 0}, {5, 0}, {5, 1}, {5, 2}};
    struct descriptor_scene f;
    struct descriptor_program program;
    static struct window window;
    setenv("CLAMPLER_TEST_LAYERS", "clampler:validation:limited", 1);
    setenv("LIMITED_DRIVER_PROFILE", "small-window", 1);
    descriptor_scene_open(&f, NULL);
    unsetenv("LIMITED_DRIVER_PROFILE");
    unsetenv("CLAMPLER_TEST_LAYERS");
    open_window(&window, &f.scene.vk);
    fill(&window, &f.scene.vk);
    const struct clampler_counters before = harness_counters(&f.scene.vk);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_memory_combined), bindings, 3);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            descriptor_scene_write(&f, &set, places[row].binding, places[row].element, SCENE_COMBINED, rows[row],
                                   descriptor_scene_texture(row));
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_rows(&f, rows);
    }
    expect_others(&f.scene.vk, &before, &window);
    empty(&window, &f.scene.vk);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* ---- Blits ---- */

static void blits_are_filtered_where_the_window_is_full(void **state)
{
    (void)state;
    static const struct asked none;
    static const char *const extensions[] = {VK_EXT_MEMORY_PRIORITY_EXTENSION_NAME};
    VkPhysicalDeviceMemoryPriorityFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PRIORITY_FEATURES_EXT, .memoryPriority = VK_TRUE};
    struct blits_fixture f;
    static struct window window;
    below();
    const bool priority = harness_driver_has(extensions[0]);
    const struct asked start = asked_since(&none);
    blits_open(&f, "window 4194304; hide format * image SAMPLED_IMAGE_FILTER_LINEAR", "shader", false,
               &(struct harness_vulkan_params){.layers = "clampler:" TYPE_LAYER ":validation:limited",
                                               .device_extensions = extensions,
                                               .device_extension_count = priority ? 1 : 0,
                                               .device_next = priority ? &features : NULL});
    open_window(&window, &f.vk);
    for (unsigned i = 0; i < 2; i++) {
        const struct blit_format *format = blit_format(VK_FORMAT_R8G8B8A8_UNORM);
        struct blits_one blit = {.name = "larger",
                                 .source = BLITS_IMAGE(2D, 1, 1, 7, 5, 1),
                                 .target = BLITS_IMAGE(2D, 1, 1, 16, 11, 1),
                                 .offsets = {{{0, 0, 0}, {7, 5, 1}}, {{0, 0, 0}, {16, 11, 1}}}};
        blit.source.format = blit.target.format = format;
        const struct clampler_counters before = harness_counters(&f.vk);
        blits_prepare(&f.vk, &blit);
        if (i == 0)
            fill(&window, &f.vk);
        VkCommandBuffer commands = harness_begin(&f.vk);
        blits_record(commands, &blit);
        harness_submit(&f.vk, commands);
        blits_check(&f.vk, &blit, 0);
        blits_discard(&f.vk, &blit);
        blits_expect(&f, 0, 1);
        if (i == 0)
            expect_others(&f.vk, &before, &window);
    }
    const struct asked asked = asked_since(&start);
    assert_int_equal(asked.middling > 0, priority); /* scratch memory's */
    empty(&window, &f.vk);
    blits_close(&f);
}

int main(void)
{
    (void)below(); /* before all, for those who run the tests one by one: the loader is told where it is */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_allocated_where_the_window_is_full),
        cmocka_unit_test(sets_are_allocated_where_the_budget_is_spent),
        cmocka_unit_test(sets_are_allocated_with_priorities),
        cmocka_unit_test(command_buffers_end_where_the_window_is_full),
        cmocka_unit_test(records_are_numbered_where_the_window_is_full),
        cmocka_unit_test(blits_are_filtered_where_the_window_is_full),
    };
    return cmocka_run_group_tests_name("memory_types", tests, NULL, NULL);
}
