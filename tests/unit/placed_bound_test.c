/* SPDX-License-Identifier: MIT */
/*
 * Roots of descriptor buffers and heaps (layer/recording/recording/bound.c), above a driver that notes what is
 * pushed: what stands in them, that none is written over while command buffers may hold it, and that nothing is pushed
 * twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "commands/command_buffer.h"
#include "commands/ring.h"
#include "newer_vulkan.h"
#include "objects/memory.h"
#include "fake_driver.h"
#include "recording/bound.h"
#include "record/root.h"
#include "record_table/record_table.h"

#define COMMANDS HANDLE(VkCommandBuffer, &command)

enum { SETS = 5, ROOT_AT = 248, HEAP_ROOT_AT = 120, PUSHED_MOST = 256 };

/* ---- A driver ---- */

static struct {
    unsigned char constants[PUSHED_MOST], data[PUSHED_MOST];
    uint32_t constant_calls, data_calls;
    VkShaderStageFlags stages; /* of the last push */
} driver;

static VKAPI_ATTR void VKAPI_CALL take_constants(VkCommandBuffer commands, VkPipelineLayout layout,
                                                 VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                                 const void *values)
{
    (void)commands, (void)layout;
    assert_true(offset + size <= PUSHED_MOST);
    memcpy(driver.constants + offset, values, size);
    driver.constant_calls++;
    driver.stages = stages;
}

static VKAPI_ATTR void VKAPI_CALL take_data(VkCommandBuffer commands, const VkPushDataInfoEXT *info)
{
    (void)commands;
    assert_true(info->offset + info->data.size <= PUSHED_MOST);
    memcpy(driver.data + info->offset, info->data.address, info->data.size);
    driver.data_calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_buffers(VkCommandBuffer commands, uint32_t count,
                                               const VkDescriptorBufferBindingInfoEXT *infos)
{
    (void)commands, (void)count, (void)infos;
}

static VKAPI_ATTR void VKAPI_CALL take_offsets(VkCommandBuffer commands, VkPipelineBindPoint point,
                                               VkPipelineLayout layout, uint32_t first, uint32_t count,
                                               const uint32_t *buffers, const VkDeviceSize *offsets)
{
    (void)commands, (void)point, (void)layout, (void)first, (void)count, (void)buffers, (void)offsets;
}

static VKAPI_ATTR void VKAPI_CALL take_heap(VkCommandBuffer commands, const VkBindHeapInfoEXT *info)
{
    (void)commands, (void)info;
}

static struct instance instance;
struct device device = {
    .instance = &instance,
    .caps.buffer_address = true,
    .caps.app_descriptors = {.buffers = true, .heaps = true, .root_at = ROOT_AT, .heap_root_at = HEAP_ROOT_AT},
    .next = {MADE_MEMORY, .CmdPushConstants = take_constants, .CmdPushDataEXT = take_data,
             .CmdBindDescriptorBuffersEXT = take_buffers, .CmdSetDescriptorBufferOffsetsEXT = take_offsets,
             .CmdBindSamplerHeapEXT = take_heap, .CmdBindResourceHeapEXT = take_heap},
    .track = &track};
static struct command command;

static int open_command(void **state)
{
    (void)state;
    memset(&driver, 0, sizeof(driver));
    made_memory_open(&device);
    fake_track_begin();
    command = (struct command){.device = &device, .track = &track, .set_limit = SETS};
    atomic_store(&command.handle, COMMANDS);
    last_command = (struct last_command){COMMANDS, &command, atomic_load(&command_epoch)};
    if (!record_table_init(&track) || !memory_heap_init(&track.heap, false) || !bound_init(&command))
        return -1;
    bound_reset(&command);
    return 0;
}

static int close_command(void **state)
{
    (void)state;
    bound_finish(&command);
    ring_finish(&command);
    record_table_finish(&track);
    memory_heap_finish(&device, &track.heap);
    return 0;
}

/* ---- What is pushed ---- */

static struct bind_point *point(uint32_t index)
{
    return &command.points[index];
}

static void settle(void)
{
    for (uint32_t p = 0; p < POINT_COUNT; p++)
        command.points[p].dirty = 0;
}

static void expect_dirty(uint32_t but)
{
    for (uint32_t p = 0; p < POINT_COUNT; p++)
        assert_int_equal(command.points[p].dirty, p == but ? 0 : BIND_CHANGED);
}

static const struct root *root_in(const unsigned char *pushed, uint32_t at)
{
    uint64_t address;
    memcpy(&address, pushed + at, sizeof(address));
    return (const struct root *)(uintptr_t)address;
}

static const struct root *flush_buffers(uint32_t index, uint32_t calls)
{
    const uint32_t before = driver.constant_calls;
    assert_true(bound_flush(&command, point(index), BINDING_BUFFERS));
    assert_int_equal(driver.constant_calls - before, calls);
    return root_in(driver.constants, ROOT_AT);
}

static const struct root *flush_heaps(uint32_t index, uint32_t calls)
{
    const uint32_t before = driver.data_calls;
    assert_true(bound_flush(&command, point(index), BINDING_HEAPS));
    assert_int_equal(driver.data_calls - before, calls);
    return root_in(driver.data, HEAP_ROOT_AT);
}

static void bind_buffers(VkDeviceAddress first, VkDeviceAddress second)
{
    const VkDescriptorBufferBindingInfoEXT infos[] = {{.address = first}, {.address = second}};
    hook_CmdBindDescriptorBuffersEXT(COMMANDS, 2, infos);
}

static void place_set(VkPipelineBindPoint at, uint32_t set, uint32_t buffer, VkDeviceSize offset)
{
    hook_CmdSetDescriptorBufferOffsetsEXT(COMMANDS, at, VK_NULL_HANDLE, set, 1, &buffer, &offset);
}

static void expect_root(const struct root *root, const uint64_t *bases, uint32_t count)
{
    assert_int_equal(root->table, record_table_address(track.record_table));
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(root->bases[i], bases[i]);
}

/* ---- Tests ---- */

static void a_root_has_the_address_of_each_set(void **state)
{
    (void)state;
    const uint64_t none = record_table_zeros(track.record_table);
    const uint64_t first[SETS] = {0x10040, none, none, none, 0x20080};
    const uint64_t second[SETS] = {0x10040, none, none, none, 0x20100};
    bind_buffers(0x10000, 0x20000);
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, 0, 0, 0x40);
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, SETS - 1, 1, 0x80);
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, SETS, 1, 0x80); /* a program's fault, which is nobody else's set */
    assert_int_equal(point(POINT_GRAPHICS)->dirty, 0);
    assert_int_equal(point(POINT_COMPUTE)->dirty, BIND_CHANGED);
    settle();
    const struct root *root = flush_buffers(POINT_COMPUTE, 1);
    expect_dirty(POINT_COMPUTE); /* push constants are everybody's */
    assert_int_equal(driver.stages, VK_SHADER_STAGE_ALL);
    expect_root(root, first, SETS);
    assert_ptr_equal(flush_buffers(POINT_COMPUTE, 0), root);
    settle();
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, SETS - 1, 1, 0x80); /* where it is */
    assert_int_equal(point(POINT_COMPUTE)->dirty, 0);
    assert_ptr_equal(flush_buffers(POINT_COMPUTE, 0), root);
    /* The next root is behind the first one, which draws that are recorded may read until the end. */
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, SETS - 1, 1, 0x100);
    assert_int_equal(point(POINT_COMPUTE)->dirty, BIND_CHANGED);
    const struct root *next = flush_buffers(POINT_COMPUTE, 1);
    expect_root(next, second, SETS);
    expect_root(root, first, SETS);
    /* Other bind points have roots of their own, and take turns in the push constants. */
    place_set(VK_PIPELINE_BIND_POINT_GRAPHICS, 0, 1, 0);
    const uint64_t third[SETS] = {0x20000, none, none, none, none};
    const struct root *graphics = flush_buffers(POINT_GRAPHICS, 1);
    expect_root(graphics, third, SETS);
    assert_ptr_equal(flush_buffers(POINT_COMPUTE, 1), next);
    assert_ptr_equal(flush_buffers(POINT_GRAPHICS, 1), graphics);
    expect_root(next, second, SETS);
    assert_int_equal(command.error, VK_SUCCESS);
}

static void what_is_not_bound_lies_nowhere(void **state)
{
    (void)state;
    const uint64_t none = record_table_zeros(track.record_table);
    uint64_t expected[SETS] = {none, none, none, none, none};
    bind_buffers(0x10000, 0x20000);
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, 1, 1, 4);
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, 2, 2, 4); /* two are bound */
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, 3, 1, 6); /* no word begins there */
    expected[1] = 0x20004;
    expected[3] = 0x20004;
    expect_root(flush_buffers(POINT_COMPUTE, 1), expected, SETS);
    bound_reset(&command);
    expected[1] = expected[3] = none;
    expect_root(flush_buffers(POINT_COMPUTE, 1), expected, SETS);
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, 1, 0, 4); /* nor is any buffer */
    expect_root(flush_buffers(POINT_COMPUTE, 0), expected, SETS);
    /* Sets beyond the last one are no other bind point's. */
    const uint32_t both[2] = {0, 1};
    const VkDeviceSize offsets[2] = {0, 0};
    bind_buffers(0x10000, 0x20000);
    hook_CmdSetDescriptorBufferOffsetsEXT(COMMANDS, VK_PIPELINE_BIND_POINT_COMPUTE, VK_NULL_HANDLE, SETS - 1, 2, both,
                                          offsets);
    expect_root(flush_buffers(POINT_RAY_TRACING, 1), expected, SETS);
    expected[SETS - 1] = 0x10000;
    expect_root(flush_buffers(POINT_COMPUTE, 1), expected, SETS);
}

static void heaps(VkDeviceAddress resources, VkDeviceSize resource_bytes, VkDeviceAddress samplers,
                  VkDeviceSize sampler_bytes)
{
    const VkBindHeapInfoEXT resource = {.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
                                        .heapRange = {resources, resource_bytes}};
    const VkBindHeapInfoEXT sampler = {.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
                                       .heapRange = {samplers, sampler_bytes}};
    hook_CmdBindResourceHeapEXT(COMMANDS, &resource);
    hook_CmdBindSamplerHeapEXT(COMMANDS, &sampler);
}

static void a_root_of_heaps_has_their_addresses_and_lengths(void **state)
{
    (void)state;
    const uint64_t none = record_table_zeros(track.record_table);
    const uint64_t unbound[ROOT_HEAPS] = {none, none, 0, 0};
    const uint64_t first[ROOT_HEAPS] = {0x10000, 0x20000, 0x400, 3};
    const uint64_t second[ROOT_HEAPS] = {0x10000, 0x20000, 0x400, UINT32_MAX};
    const struct root *nothing = flush_heaps(POINT_COMPUTE, 2); /* zeros in front of it, and the root */
    expect_root(nothing, unbound, ROOT_HEAPS);
    heaps(0x10000, 0x1000, 0x20000, 15);
    expect_dirty(POINT_COUNT);
    settle();
    const struct root *root = flush_heaps(POINT_COMPUTE, 2);
    expect_dirty(POINT_COMPUTE);
    expect_root(root, first, ROOT_HEAPS);
    expect_root(nothing, unbound, ROOT_HEAPS);
    assert_ptr_equal(flush_heaps(POINT_COMPUTE, 0), root);
    assert_ptr_equal(flush_heaps(POINT_GRAPHICS, 0), root); /* all bind points have one */
    /* A heap that is bound as it is leaves what was pushed behind, but not the root itself. */
    heaps(0x10000, 0x1000, 0x20000, 15);
    assert_ptr_equal(flush_heaps(POINT_COMPUTE, 2), root);
    heaps(0x10000, 0x1000, 0x20000, UINT64_C(1) << 40); /* longer than words can be counted */
    expect_root(flush_heaps(POINT_COMPUTE, 2), second, ROOT_HEAPS);
    expect_root(root, first, ROOT_HEAPS);
}

/* Zeros are pushed once, where the program has pushed nothing. */
static void push_data_in_front_of_the_root_is_the_programs(void **state)
{
    (void)state;
    unsigned char own[12];
    memset(own, 0x77, sizeof(own));
    memset(driver.data, 0xee, sizeof(driver.data));
    heaps(0x10000, 0x1000, 0x20000, 16);
    const VkPushDataInfoEXT push = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .offset = 16, .data = {own, sizeof(own)}};
    hook_CmdPushDataEXT(COMMANDS, &push);
    flush_heaps(POINT_COMPUTE, 3); /* in front of it, behind it, and the root */
    for (uint32_t i = 0; i < HEAP_ROOT_AT; i++)
        assert_int_equal(driver.data[i], i >= 16 && i < 28 ? 0x77 : 0);
    hook_CmdPushDataEXT(COMMANDS, &push); /* which leaves the root where it is */
    flush_heaps(POINT_COMPUTE, 0);
    heaps(0x30000, 0x1000, 0x20000, 16);
    flush_heaps(POINT_COMPUTE, 3);
}

/* What the program pushed at the root's place comes back for draws that read no records, and goes for those that do. */
static void what_the_program_pushed_behind_the_root_is_restored(void **state)
{
    (void)state;
    const uint32_t values[4] = {0x11111111, 0x22222222, 0x33333333, 0x44444444};
    const uint32_t expected[2] = {0x33333333, 0x44444444};
    bound_restore(&command);
    assert_int_equal(driver.constant_calls + driver.data_calls, 0);
    bind_buffers(0x10000, 0x20000);
    place_set(VK_PIPELINE_BIND_POINT_COMPUTE, 0, 0, 0);
    const struct root *root = flush_buffers(POINT_COMPUTE, 1);
    bound_restore(&command); /* nothing was pushed there */
    assert_ptr_equal(flush_buffers(POINT_COMPUTE, 0), root);
    hook_CmdPushConstants(COMMANDS, VK_NULL_HANDLE, VK_SHADER_STAGE_COMPUTE_BIT, 0, ROOT_AT - 232, values);
    assert_ptr_equal(flush_buffers(POINT_COMPUTE, 0), root); /* in front of it */
    settle();
    hook_CmdPushConstants(COMMANDS, VK_NULL_HANDLE, VK_SHADER_STAGE_COMPUTE_BIT, ROOT_AT - 8, sizeof(values), values);
    assert_int_equal(driver.stages, VK_SHADER_STAGE_ALL); /* one range for all */
    expect_dirty(POINT_COUNT);
    assert_ptr_equal(flush_buffers(POINT_COMPUTE, 1), root);
    const uint32_t calls = driver.constant_calls;
    settle();
    bound_restore(&command);
    expect_dirty(POINT_COUNT);
    assert_int_equal(driver.constant_calls, calls + 1);
    assert_memory_equal(driver.constants + ROOT_AT, expected, sizeof(expected));
    bound_restore(&command); /* it is there */
    assert_int_equal(driver.constant_calls, calls + 1);
    assert_ptr_equal(flush_buffers(POINT_COMPUTE, 1), root);
    bound_reset(&command); /* another recording has pushed nothing */
    bound_restore(&command);
    assert_int_equal(driver.constant_calls, calls + 2);

    heaps(0x10000, 0x1000, 0x20000, 16);
    const struct root *of_heaps = flush_heaps(POINT_COMPUTE, 2);
    const VkPushDataInfoEXT push = {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
                                    .offset = HEAP_ROOT_AT - 4,
                                    .data = {values + 1, 3 * sizeof(values[0])}};
    hook_CmdPushDataEXT(COMMANDS, &push);
    assert_ptr_equal(flush_heaps(POINT_COMPUTE, 1), of_heaps);
    bound_restore(&command);
    assert_memory_equal(driver.data + HEAP_ROOT_AT, expected, sizeof(expected));
    assert_ptr_equal(flush_heaps(POINT_COMPUTE, 1), of_heaps);
    /* Push constants leave nothing of push data, and the other way round. */
    hook_CmdPushConstants(COMMANDS, VK_NULL_HANDLE, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, values);
    assert_ptr_equal(flush_heaps(POINT_COMPUTE, 1), of_heaps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_root_has_the_address_of_each_set, open_command, close_command),
        cmocka_unit_test_setup_teardown(what_is_not_bound_lies_nowhere, open_command, close_command),
        cmocka_unit_test_setup_teardown(a_root_of_heaps_has_their_addresses_and_lengths, open_command, close_command),
        cmocka_unit_test_setup_teardown(push_data_in_front_of_the_root_is_the_programs, open_command, close_command),
        cmocka_unit_test_setup_teardown(what_the_program_pushed_behind_the_root_is_restored, open_command,
                                        close_command),
    };
    return cmocka_run_group_tests_name("placed_bound", tests, NULL, NULL);
}
