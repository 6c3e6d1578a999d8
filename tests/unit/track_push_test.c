/* SPDX-License-Identifier: MIT */
/*
 * Pushes whose layout stands in the command's chain (layer/resources/layouts/dynamic_layout.c, push.c), above a driver
 * that notes what it gets: what the layer pushes by itself has a layout of the same content.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "push/push.h"
#include "commands/command_buffer.h"
#include "commands/ring.h"
#include "sampling/format.h"
#include "layouts/set_layout.h"
#include "objects/table.h"
#include "objects/track.h"
#include "shader_objects/shader_objects.h"
#include "system.h"

#define COMMANDS HANDLE(VkCommandBuffer, &command)

enum { SETS = 4, SET_LAYOUT = 50, OTHER_LAYOUT, FIRST_LAYOUT = 100 };

/* ---- A driver that notes what it gets ---- */

static struct {
    uintptr_t last_layout;
    int64_t layouts;          /* alive */
    VkResult layout_result;   /* of creating one */
    VkPipelineLayout pushed;  /* of the last push that the layer made */
    uint32_t binding, pushes; /* of it */
    uint32_t passed;          /* pushes of the program's own that came through */
    VkDescriptorSetLayout next_set_layout;
    uint32_t samplers_dropped;
    uint32_t template_set; /* of the last template */
    uint32_t sets_taken, sets_bound;
} driver;

static VKAPI_ATTR VkResult VKAPI_CALL take_set_layout(VkDevice handle, const VkDescriptorSetLayoutCreateInfo *info,
                                                      const VkAllocationCallbacks *callbacks,
                                                      VkDescriptorSetLayout *layout)
{
    (void)handle, (void)info, (void)callbacks;
    *layout = driver.next_set_layout;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_set_layout(VkDevice handle, VkDescriptorSetLayout layout,
                                                  const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)layout, (void)callbacks;
}

static VKAPI_ATTR void VKAPI_CALL drop_sampler(VkDevice handle, VkSampler sampler,
                                               const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)sampler, (void)callbacks;
    driver.samplers_dropped++;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_layout(VkDevice handle, const VkPipelineLayoutCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkPipelineLayout *layout)
{
    (void)handle, (void)callbacks;
    assert_null(info->pNext);
    if (driver.layout_result != VK_SUCCESS)
        return driver.layout_result;
    driver.layouts++;
    *layout = HANDLE(VkPipelineLayout, driver.last_layout++);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_layout(VkDevice handle, VkPipelineLayout layout,
                                              const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    driver.layouts -= layout ? 1 : 0;
}

static VKAPI_ATTR void VKAPI_CALL take_push(VkCommandBuffer commands, VkPipelineBindPoint point,
                                            VkPipelineLayout layout, uint32_t set, uint32_t count,
                                            const VkWriteDescriptorSet *writes)
{
    (void)commands, (void)set, (void)count;
    assert_int_equal(point, VK_PIPELINE_BIND_POINT_COMPUTE);
    driver.pushed = layout;
    driver.binding = writes->dstBinding;
    driver.pushes++;
}

static VKAPI_ATTR void VKAPI_CALL take_push2(VkCommandBuffer commands, const VkPushDescriptorSetInfoKHR *info)
{
    (void)commands;
    assert_true(!info->layout == !!info->pNext);
    driver.passed++;
}

static VKAPI_ATTR void VKAPI_CALL take_dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    (void)commands, (void)x, (void)y, (void)z;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_template(VkDevice handle, const VkDescriptorUpdateTemplateCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks,
                                                    VkDescriptorUpdateTemplate *made)
{
    (void)handle, (void)callbacks;
    driver.template_set = info->set;
    *made = HANDLE(VkDescriptorUpdateTemplate, 1);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_template(VkDevice handle, VkDescriptorUpdateTemplate made,
                                                const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    assert_true(made);
}

static VKAPI_ATTR VkResult VKAPI_CALL reset_pool(VkDevice handle, VkDescriptorPool pool,
                                                 VkDescriptorPoolResetFlags flags)
{
    (void)handle, (void)pool, (void)flags;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_set(VkDevice handle, const VkDescriptorSetAllocateInfo *info,
                                               VkDescriptorSet *set)
{
    (void)handle, (void)info;
    *set = HANDLE(VkDescriptorSet, 1 + driver.sets_taken++);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL take_writes(VkDevice handle, uint32_t count, const VkWriteDescriptorSet *writes,
                                              uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    (void)handle, (void)count, (void)writes, (void)copy_count, (void)copies;
}

static VKAPI_ATTR void VKAPI_CALL take_sets(VkCommandBuffer commands, VkPipelineBindPoint point,
                                            VkPipelineLayout layout, uint32_t first, uint32_t count,
                                            const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets)
{
    (void)commands, (void)point, (void)layout, (void)first, (void)offset_count, (void)offsets;
    assert_int_equal(count, 1);
    assert_true(sets[0] == HANDLE(VkDescriptorSet, driver.sets_taken));
    driver.sets_bound++;
}

static struct instance instance;
struct device device = {.instance = &instance,
                        .caps.max_push_descriptors = 32,
                        .caps.record_storage = true,
                        .next = {.CreateDescriptorSetLayout = take_set_layout,
                                 .DestroyDescriptorSetLayout = drop_set_layout,
                                 .DestroySampler = drop_sampler,
                                 .CreatePipelineLayout = take_layout,
                                 .DestroyPipelineLayout = drop_layout,
                                 MADE_MEMORY,
                                 .CmdPushDescriptorSetKHR = take_push,
                                 .CmdPushDescriptorSet2KHR = take_push2,
                                 .CmdDispatch = take_dispatch,
                                 .CreateDescriptorUpdateTemplate = take_template,
                                 .DestroyDescriptorUpdateTemplate = drop_template,
                                 .CreateDescriptorPool = fake_pool,
                                 .DestroyDescriptorPool = fake_pool_drop,
                                 .ResetDescriptorPool = reset_pool,
                                 .AllocateDescriptorSets = take_set,
                                 .UpdateDescriptorSets = take_writes,
                                 .CmdBindDescriptorSets = take_sets},
                        .track = &track};
static struct bound_set storage[POINT_COUNT * SETS];
static struct command command;

/*
 * A push layout of a texture and a sampler, which may be immutable, at a binding and the next; the record buffer's
 * comes behind them.
 */
static VkDescriptorSetLayout create_layout_of_sampler(uintptr_t number, uint32_t binding, const VkSampler *immutable)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL},
        {binding + 1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, immutable},
    };
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                                  .bindingCount = 2,
                                                  .pBindings = bindings};
    VkDescriptorSetLayout layout;
    driver.next_set_layout = HANDLE(VkDescriptorSetLayout, number);
    assert_int_equal(hook_CreateDescriptorSetLayout(NULL, &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

static VkDescriptorSetLayout create_set_layout(uintptr_t number, uint32_t binding)
{
    return create_layout_of_sampler(number, binding, NULL);
}

static int open_command(void **state)
{
    (void)state;
    memset(&driver, 0, sizeof(driver));
    fake_driver = (struct fake_driver){.last = 1};
    driver.last_layout = FIRST_LAYOUT;
    device.properties.limits.minStorageBufferOffsetAlignment = 16;
    made_memory_open(&device);
    fake_track_begin();
    command = (struct command){.device = &device, .track = &track, .set_limit = SETS, .set_storage = storage};
    for (uint32_t p = 0; p < POINT_COUNT; p++)
        command.points[p].sets = storage + p * SETS;
    atomic_store(&command.handle, COMMANDS);
    last_command = (struct last_command){COMMANDS, &command, atomic_load(&command_epoch)};
    return table_init(&subsystems.sampling.conversions) && holds_init(&subsystems.sampling.held_samplers) &&
                   table_init(&subsystems.layouts.kept) && table_init(&subsystems.sampling.samplers) &&
                   table_init(&subsystems.sampling.views) && table_init(&subsystems.layouts.set_layouts) &&
                   table_init(&subsystems.layouts.pipeline_layouts) && table_init(&subsystems.descriptors.templates) &&
                   memory_heap_init(&track.heap, false) &&
                   pthread_mutex_init(&subsystems.layouts.dynamic_lock, NULL) == 0
               ? 0
               : -1;
}

static int close_command(void **state)
{
    (void)state;
    push_reset(&command);
    push_finish(&command);
    ring_finish(&command);
    dynamic_layouts_finish(&track);
    memory_heap_finish(&device, &track.heap);
    table_finish(&subsystems.sampling.conversions);
    holds_finish(&subsystems.sampling.held_samplers);
    table_finish(&subsystems.layouts.kept);
    table_finish(&subsystems.sampling.samplers);
    table_finish(&subsystems.sampling.views);
    table_finish(&subsystems.layouts.set_layouts);
    table_finish(&subsystems.layouts.pipeline_layouts);
    table_finish(&subsystems.descriptors.templates);
    pthread_mutex_destroy(&subsystems.layouts.dynamic_lock);
    return driver.layouts == 0 ? 0 : -1;
}

static void push(VkDescriptorSetLayout set_layout, uint32_t binding)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    const VkDescriptorImageInfo image = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstBinding = binding,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                        .pImageInfo = &image};
    const VkPushDescriptorSetInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO_KHR,
                                             .pNext = &layout,
                                             .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                             .descriptorWriteCount = 1,
                                             .pDescriptorWrites = &write};
    hook_CmdPushDescriptorSet2KHR(COMMANDS, &info);
}

/* Shaders of that layout, which take what was pushed. */
static void bind(VkDescriptorSetLayout set_layout)
{
    static struct set_layout *sets[1];
    static struct pipeline_layout layout = {.set_count = 1, .sets = sets, .records = true};
    static struct shader_object object = {.layout = &layout};
    sets[0] = table_find(&subsystems.layouts.set_layouts, HANDLE_KEY(set_layout));
    command.shaders[0] = (struct bound_shader){.stage = VK_SHADER_STAGE_COMPUTE_BIT, .object = &object};
    command.shader_count = 1;
    command.points[point_of(VK_PIPELINE_BIND_POINT_COMPUTE)].shaders = true;
}

/* ---- Tests ---- */

/* The bind points that one push for all stages was taken for, on a queue that can do so much. */
static uint32_t points_of_all_stages(VkQueueFlags queue)
{
    struct command_pool pool = {.queue_flags = queue};
    const VkDescriptorSetLayout set_layout = create_set_layout(SET_LAYOUT, 0);
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout};
    VkPipelineLayout layout;
    assert_int_equal(hook_CreatePipelineLayout(NULL, &layout_info, NULL, &layout), VK_SUCCESS);
    command.pool = &pool;
    const VkPushDescriptorSetInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO_KHR, .stageFlags = VK_SHADER_STAGE_ALL, .layout = layout};
    hook_CmdPushDescriptorSet2KHR(COMMANDS, &info);
    uint32_t points = 0;
    for (const struct push_state *push = command.push_states; push; push = push->next)
        points |= 1u << push->point;
    command.pool = NULL;
    push_reset(&command);
    push_finish(&command);
    hook_DestroyPipelineLayout(NULL, layout, NULL);
    hook_DestroyDescriptorSetLayout(NULL, set_layout, NULL);
    return points;
}

static void never(void)
{
    fail();
}

/* VK_SHADER_STAGE_ALL has stages of all bind points: nothing is pushed where the device or the queue lacks them. */
static void stages_push_to_the_bind_points_that_are_there(void **state)
{
    (void)state;
    const uint32_t graphics = 1u << POINT_GRAPHICS, compute = 1u << POINT_COMPUTE, rays = 1u << POINT_RAY_TRACING,
                   shading = 1u << POINT_SUBPASS_SHADING;
    const VkQueueFlags all = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
    assert_int_equal(points_of_all_stages(VK_QUEUE_COMPUTE_BIT), compute);
    assert_int_equal(points_of_all_stages(VK_QUEUE_GRAPHICS_BIT), graphics);
    assert_int_equal(points_of_all_stages(all), graphics | compute);
    device.next.CmdTraceRaysNV = (PFN_vkCmdTraceRaysNV)never;
    assert_int_equal(points_of_all_stages(all), graphics | compute | rays);
    device.next.CmdTraceRaysNV = NULL;
    device.next.CmdTraceRaysKHR = (PFN_vkCmdTraceRaysKHR)never;
    assert_int_equal(points_of_all_stages(all), graphics | compute | rays);
    assert_int_equal(points_of_all_stages(VK_QUEUE_GRAPHICS_BIT), graphics);
    device.next.CmdTraceRaysKHR = NULL;
    device.next.CmdSubpassShadingHUAWEI = (PFN_vkCmdSubpassShadingHUAWEI)never;
    assert_int_equal(points_of_all_stages(VK_QUEUE_GRAPHICS_BIT), graphics | shading);
    device.next.CmdSubpassShadingHUAWEI = NULL;
    assert_int_equal(driver.passed, 7);
}

static void records_are_pushed_with_a_layout_of_the_same_content(void **state)
{
    (void)state;
    const VkDescriptorSetLayout layout = create_set_layout(SET_LAYOUT, 3);
    for (uint32_t i = 0; i < 2; i++) {
        push(layout, 3);
        bind(layout);
        assert_int_equal(driver.passed, i + 1); /* as the program made it */
        hook_CmdDispatch(COMMANDS, 1, 1, 1);
        command.points[point_of(VK_PIPELINE_BIND_POINT_COMPUTE)].dirty = BIND_CHANGED; /* by something else */
        hook_CmdDispatch(COMMANDS, 1, 1, 1);
        assert_int_equal(driver.pushes, i + 1);
        assert_non_null(driver.pushed);
        assert_int_not_equal(driver.binding, 3); /* the records beside it */
        assert_int_equal(driver.layouts, 2);     /* one, with its duplicate */
    }
    assert_int_equal(command.error, VK_SUCCESS);
    assert_non_null(pipeline_layout_find(&track, driver.pushed));
    hook_DestroyDescriptorSetLayout(NULL, layout, NULL);
}

static unsigned push_states(void)
{
    unsigned found = 0;
    for (const struct push_state *state = command.push_states; state; state = state->next)
        found++;
    return found;
}

/* A buffer that is recorded and reset for ever, each time with other layouts, has no more states than it uses. */
static void states_of_layouts_without_pushes_are_forgotten(void **state)
{
    (void)state;
    const VkDescriptorSetLayout layouts[] = {create_set_layout(SET_LAYOUT, 3), create_set_layout(OTHER_LAYOUT, 4)};
    push(layouts[0], 3);
    push(layouts[1], 4);
    assert_int_equal(push_states(), 2);
    push_reset(&command);
    assert_int_equal(push_states(), 2); /* both were pushed to in that recording */
    push(layouts[1], 4);
    push_reset(&command);
    assert_int_equal(push_states(), 1); /* the other's layout may be gone */
    push_reset(&command);
    assert_int_equal(push_states(), 1); /* nothing was recorded in between, which says nothing */
    const int64_t objects = (int64_t)atomic_load(&track.counters.live_objects);
    for (unsigned i = 0; i < 20; i++) {
        push(layouts[i & 1], 3 + (i & 1));
        assert_true(push_states() <= 2);
        push_reset(&command);
        assert_int_equal(push_states(), 1);
        assert_int_equal(atomic_load(&track.counters.live_objects), objects);
    }
    for (uint32_t i = 0; i < 2; i++)
        hook_DestroyDescriptorSetLayout(NULL, layouts[i], NULL);
}

static void other_contents_are_other_layouts(void **state)
{
    (void)state;
    const VkDescriptorSetLayout layouts[] = {create_set_layout(SET_LAYOUT, 3), create_set_layout(OTHER_LAYOUT, 4)};
    VkPipelineLayout pushed[2];
    for (uint32_t i = 0; i < 2; i++) {
        push(layouts[i], 3 + i);
        bind(layouts[i]);
        hook_CmdDispatch(COMMANDS, 1, 1, 1);
        pushed[i] = driver.pushed;
    }
    assert_true(pushed[0] != pushed[1]);
    for (uint32_t i = 0; i < 2; i++)
        hook_DestroyDescriptorSetLayout(NULL, layouts[i], NULL);
}

/* Searches wait for nobody, and meet only layouts that still can be named. */
static void known_layouts_are_found_without_the_lock(void **state)
{
    (void)state;
    enum { SECONDS = 10 };
    const VkDescriptorSetLayout layouts[] = {create_set_layout(SET_LAYOUT, 3), create_set_layout(OTHER_LAYOUT, 4)};
    push(layouts[0], 3);
    push(layouts[1], 4);
    pthread_mutex_lock(&subsystems.layouts.dynamic_lock);
    alarm(SECONDS); /* ends a test that waits */
    push(layouts[0], 3);
    push(layouts[1], 4);
    alarm(0);
    pthread_mutex_unlock(&subsystems.layouts.dynamic_lock);
    hook_DestroyDescriptorSetLayout(NULL, layouts[1], NULL);
    assert_non_null(atomic_load(&subsystems.layouts.dynamic));
    assert_non_null(subsystems.layouts.retired_dynamic);
    hook_DestroyDescriptorSetLayout(NULL, layouts[0], NULL);
    assert_null(atomic_load(&subsystems.layouts.dynamic));
}

/* Shaders of another layout, or none that the layer knows, take nothing: what was pushed for others stays. */
static void what_others_pushed_is_not_pushed_again(void **state)
{
    (void)state;
    const VkDescriptorSetLayout layouts[] = {create_set_layout(SET_LAYOUT, 3), create_set_layout(OTHER_LAYOUT, 4)};
    push(layouts[0], 3);
    hook_CmdDispatch(COMMANDS, 1, 1, 1);
    assert_int_equal(driver.pushes, 0);
    bind(VK_NULL_HANDLE);
    hook_CmdDispatch(COMMANDS, 1, 1, 1);
    assert_int_equal(driver.pushes, 0);
    bind(layouts[0]);
    command.points[point_of(VK_PIPELINE_BIND_POINT_COMPUTE)].dirty = BIND_CHANGED;
    hook_CmdDispatch(COMMANDS, 1, 1, 1);
    assert_int_equal(driver.pushes, 1);
    for (uint32_t i = 0; i < 2; i++)
        hook_DestroyDescriptorSetLayout(NULL, layouts[i], NULL);
}

/* A set layout's handle may come again for another one. */
static void handles_that_come_again_are_others(void **state)
{
    (void)state;
    VkPipelineLayout pushed[2];
    for (uint32_t i = 0; i < 2; i++) {
        const VkDescriptorSetLayout layout = create_set_layout(SET_LAYOUT, 3 + i);
        push(layout, 3 + i);
        bind(layout);
        hook_CmdDispatch(COMMANDS, 1, 1, 1);
        pushed[i] = driver.pushed;
        hook_DestroyDescriptorSetLayout(NULL, layout, NULL);
    }
    assert_true(pushed[0] != pushed[1]);
}

/* What was pushed stays where the layouts are the same, samplers that the driver has in them included. */
static void immutable_samplers_tell_layouts_apart(void **state)
{
    (void)state;
    const VkSampler samplers[] = {HANDLE(VkSampler, 1), HANDLE(VkSampler, 2)};
    const VkSampler *const immutable[] = {&samplers[0], &samplers[0], &samplers[1], NULL};
    const struct push_state *pushed[4];
    VkDescriptorSetLayout layouts[4];
    for (uint32_t i = 0; i < 4; i++) {
        layouts[i] = create_layout_of_sampler(SET_LAYOUT + i, 3, immutable[i]);
        push(layouts[i], 3);
        pushed[i] = command.points[point_of(VK_PIPELINE_BIND_POINT_COMPUTE)].sets[0].push;
    }
    assert_ptr_equal(pushed[1], pushed[0]);
    assert_ptr_not_equal(pushed[2], pushed[1]);
    assert_ptr_not_equal(pushed[3], pushed[2]);
    assert_ptr_not_equal(pushed[3], pushed[0]);
    for (uint32_t i = 0; i < 4; i++)
        hook_DestroyDescriptorSetLayout(NULL, layouts[i], NULL);
}

/* Nothing is compiled with the layouts that are made here, though they stay until the device goes. */
static void layouts_of_pushes_hold_no_immutable_samplers(void **state)
{
    (void)state;
    const VkSampler sampler = HANDLE(VkSampler, 1);
    const VkDescriptorSetLayout layout = create_layout_of_sampler(SET_LAYOUT, 3, &sampler);
    push(layout, 3);
    bind(layout);
    hook_CmdDispatch(COMMANDS, 1, 1, 1);
    assert_int_equal(driver.pushes, 1);
    hook_DestroyDescriptorSetLayout(NULL, layout, NULL);
    hook_DestroySampler(NULL, sampler, NULL);
    assert_int_equal(driver.samplers_dropped, 1);
}

/* Nor is it looked whether what is pushed for them are samplers of the layer's own handles. */
static void what_is_pushed_for_immutable_samplers_is_unread(void **state)
{
    (void)state;
    const VkSampler sampler = HANDLE(VkSampler, 1);
    const VkDescriptorSetLayout set_layout = create_layout_of_sampler(SET_LAYOUT, 3, &sampler);
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout};
    VkPipelineLayout layout;
    assert_int_equal(hook_CreatePipelineLayout(NULL, &info, NULL, &layout), VK_SUCCESS);
    atomic_store(&device.surplus_handles, 1);
    const VkDescriptorImageInfo *const ignored[] = {NULL, HANDLE(const VkDescriptorImageInfo *, 16)};
    for (uint32_t i = 0; i < 2; i++) {
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstBinding = 4,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                            .pImageInfo = ignored[i]};
        const VkPushDescriptorSetInfoKHR push2 = {.sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO_KHR,
                                                  .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .layout = layout,
                                                  .descriptorWriteCount = 1,
                                                  .pDescriptorWrites = &write};
        hook_CmdPushDescriptorSetKHR(COMMANDS, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &write);
        hook_CmdPushDescriptorSet2KHR(COMMANDS, &push2);
        assert_int_equal(driver.pushes, i + 1);
        assert_int_equal(driver.passed, i + 1);
        assert_int_equal(driver.binding, 4);
    }
    atomic_store(&device.surplus_handles, 0);
    hook_DestroyPipelineLayout(NULL, layout, NULL);
    hook_DestroyDescriptorSetLayout(NULL, set_layout, NULL);
}

static void what_is_not_the_layers_needs_no_layout(void **state)
{
    (void)state;
    push(HANDLE(VkDescriptorSetLayout, 99), 0);
    hook_CmdDispatch(COMMANDS, 1, 1, 1);
    assert_int_equal(driver.passed, 1);
    assert_int_equal(driver.layouts + driver.pushes, 0);
}

/* Without a descriptor for the records, each draw that finds something new pushed gets a set of its own. */
static void sets_are_taken_for_what_is_new(void **state)
{
    (void)state;
    device.caps.max_push_descriptors = 2;
    const VkDescriptorSetLayout layout = create_set_layout(SET_LAYOUT, 3);
    for (uint32_t i = 0; i < 2; i++) {
        push(layout, 3);
        bind(layout);
        hook_CmdDispatch(COMMANDS, 1, 1, 1);
        command.points[point_of(VK_PIPELINE_BIND_POINT_COMPUTE)].dirty = BIND_CHANGED; /* by something else */
        hook_CmdDispatch(COMMANDS, 1, 1, 1);
        assert_int_equal(driver.sets_taken, i + 1);
        assert_int_equal(driver.sets_bound, i + 1);
    }
    assert_int_equal(driver.pushes, 0);
    assert_int_equal(command.error, VK_SUCCESS);
    hook_DestroyDescriptorSetLayout(NULL, layout, NULL);
    device.caps.max_push_descriptors = 32;
}

/* Templates name a set of a pipeline layout: one that the layer does not know, or that has not so many sets. */
static void templates_of_sets_that_are_not_there_go_down_as_they_are(void **state)
{
    (void)state;
    const VkDescriptorSetLayout set_layout = create_set_layout(SET_LAYOUT, 3);
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout};
    VkPipelineLayout known;
    assert_int_equal(hook_CreatePipelineLayout(NULL, &info, NULL, &known), VK_SUCCESS);
    const VkPipelineLayout layouts[] = {known, known, HANDLE(VkPipelineLayout, 1)};
    for (uint32_t i = 0; i < 3; i++) {
        const VkDescriptorUpdateTemplateEntry entry = {
            .dstBinding = 3, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
        const VkDescriptorUpdateTemplateCreateInfo wanted = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
            .descriptorUpdateEntryCount = 1,
            .pDescriptorUpdateEntries = &entry,
            .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
            .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
            .pipelineLayout = layouts[i],
            .set = i};
        VkDescriptorUpdateTemplate made;
        driver.template_set = UINT32_MAX;
        assert_int_equal(hook_CreateDescriptorUpdateTemplate(NULL, &wanted, NULL, &made), VK_SUCCESS);
        assert_int_equal(driver.template_set, i);
        hook_DestroyDescriptorUpdateTemplate(NULL, made, NULL);
    }
    hook_DestroyPipelineLayout(NULL, known, NULL);
    hook_DestroyDescriptorSetLayout(NULL, set_layout, NULL);
}

/* Push constants need no sets, and layouts without any name no array of them. */
static void layouts_without_sets_are_told_apart_by_their_constants(void **state)
{
    (void)state;
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    const VkPipelineLayoutCreateInfo infos[] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO},
                                                {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                 .pushConstantRangeCount = 1,
                                                 .pPushConstantRanges = &range}};
    VkPipelineLayout made[2][2];
    VkResult error = VK_SUCCESS;
    for (unsigned i = 0; i < 4; i++)
        made[i / 2][i % 2] = dynamic_layout(&track, VK_NULL_HANDLE, &infos[i % 2], DYNAMIC_LAYOUT_ANY, &error);
    assert_int_equal(error, VK_SUCCESS);
    assert_memory_equal(made[0], made[1], sizeof(made[0]));
    assert_true(made[0][0] && made[0][1] && made[0][0] != made[0][1]);
}

static void memory_that_runs_out_is_told_at_the_end(void **state)
{
    (void)state;
    const VkDescriptorSetLayout layout = create_set_layout(SET_LAYOUT, 3);
    driver.layout_result = VK_ERROR_OUT_OF_HOST_MEMORY;
    push(layout, 3);
    assert_int_equal(command.error, VK_ERROR_OUT_OF_HOST_MEMORY);
    hook_DestroyDescriptorSetLayout(NULL, layout, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(records_are_pushed_with_a_layout_of_the_same_content, open_command,
                                        close_command),
        cmocka_unit_test_setup_teardown(stages_push_to_the_bind_points_that_are_there, open_command, close_command),
        cmocka_unit_test_setup_teardown(states_of_layouts_without_pushes_are_forgotten, open_command, close_command),
        cmocka_unit_test_setup_teardown(other_contents_are_other_layouts, open_command, close_command),
        cmocka_unit_test_setup_teardown(known_layouts_are_found_without_the_lock, open_command, close_command),
        cmocka_unit_test_setup_teardown(what_others_pushed_is_not_pushed_again, open_command, close_command),
        cmocka_unit_test_setup_teardown(handles_that_come_again_are_others, open_command, close_command),
        cmocka_unit_test_setup_teardown(immutable_samplers_tell_layouts_apart, open_command, close_command),
        cmocka_unit_test_setup_teardown(layouts_of_pushes_hold_no_immutable_samplers, open_command, close_command),
        cmocka_unit_test_setup_teardown(what_is_pushed_for_immutable_samplers_is_unread, open_command, close_command),
        cmocka_unit_test_setup_teardown(what_is_not_the_layers_needs_no_layout, open_command, close_command),
        cmocka_unit_test_setup_teardown(sets_are_taken_for_what_is_new, open_command, close_command),
        cmocka_unit_test_setup_teardown(templates_of_sets_that_are_not_there_go_down_as_they_are, open_command,
                                        close_command),
        cmocka_unit_test_setup_teardown(layouts_without_sets_are_told_apart_by_their_constants, open_command,
                                        close_command),
        cmocka_unit_test_setup_teardown(memory_that_runs_out_is_told_at_the_end, open_command, close_command),
    };
    return cmocka_run_group_tests_name("track_push", tests, NULL, NULL);
}
