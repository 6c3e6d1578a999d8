/* SPDX-License-Identifier: MIT */
/*
 * Which of a pipeline's tiers vkCmdBindPipeline binds before a draw says what is needed, and what pools of command
 * buffers cost (layer/recording/commands/command_buffer.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>

#include "commands/command_buffer.h"
#include "recording/recording.h"
#include "sampling/format.h"
#include "pipelines/tiers.h"
#include "fake_driver.h"
#include "objects/track.h"

static VkPipeline bound; /* the driver's */

static VKAPI_ATTR void VKAPI_CALL take_bind(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)commands, (void)point;
    bound = pipeline;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice handle, const VkCommandPoolCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkCommandPool *pool)
{
    (void)handle, (void)info, (void)callbacks;
    *pool = HANDLE(VkCommandPool, 10);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_pool(VkDevice handle, VkCommandPool pool,
                                               const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)pool, (void)callbacks;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_commands(VkDevice handle, const VkCommandBufferAllocateInfo *info,
                                                        VkCommandBuffer *commands)
{
    (void)handle;
    for (uint32_t i = 0; i < info->commandBufferCount; i++)
        commands[i] = HANDLE(VkCommandBuffer, 1000 + 16 * i);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL free_commands(VkDevice handle, VkCommandPool pool, uint32_t count,
                                                const VkCommandBuffer *commands)
{
    (void)handle, (void)pool, (void)count, (void)commands;
}

static VKAPI_ATTR VkResult VKAPI_CALL end_commands(VkCommandBuffer commands)
{
    (void)commands;
    return VK_SUCCESS;
}

static struct instance instance;
struct device device = {.instance = &instance,
                        .next = {.CmdBindPipeline = take_bind,
                                 .EndCommandBuffer = end_commands,
                                 .CreateCommandPool = create_pool,
                                 .DestroyCommandPool = destroy_pool,
                                 .AllocateCommandBuffers = allocate_commands,
                                 .FreeCommandBuffers = free_commands},
                        .properties = {.limits = {.maxBoundDescriptorSets = 4}},
                        .track = &track};
static struct command command = {.device = &device, .track = &track};

/* Binds a pipeline with the tiers 0 to `most` after a draw of the tier `last`. */
static uint32_t bind_after(uint32_t last, uint32_t most, bool fixed)
{
    const VkCommandBuffer commands = HANDLE(VkCommandBuffer, &command);
    struct pipeline pipeline = {.handle = HANDLE(VkPipeline, 10), .follows = UINT32_MAX, .fixed = fixed};
    for (uint32_t tier = 0; tier <= most; tier++)
        atomic_init(&pipeline.tiers[tier].made, 10 + tier);
    assert_true(table_init(&subsystems.pipelines.pipelines));
    assert_true(table_insert(&subsystems.pipelines.pipelines, HANDLE_KEY(pipeline.handle), &pipeline));
    atomic_store(&command.handle, commands);
    last_command = (struct last_command){commands, &command, atomic_load(&command_epoch)};
    command.points[POINT_GRAPHICS].driver.tier = last;
    hook_CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.handle);
    table_finish(&subsystems.pipelines.pipelines);
    const uint32_t tier = command.points[POINT_GRAPHICS].driver.tier;
    assert_int_equal(HANDLE_KEY(bound), 10 + tier);
    return tier;
}

static void the_tier_of_the_last_draw_is_bound(void **state)
{
    (void)state;
    for (uint32_t last = 0; last <= TIER_FILTER_EXTRAS; last++)
        assert_int_equal(bind_after(last, TIER_FILTER_EXTRAS, false), last);
}

static void pipelines_without_extras_are_bound_in_their_filter(void **state)
{
    (void)state;
    assert_int_equal(bind_after(TIER_FILTER_EXTRAS, TIER_FILTER_TEXELS, false), TIER_FILTER_TEXELS);
    assert_int_equal(bind_after(TIER_FILTER_TEXELS, TIER_FILTER_LEVELS, false), TIER_FILTER_LEVELS);
    assert_int_equal(bind_after(TIER_FILTER_LEVELS, TIER_FILTER, false), TIER_FILTER);
    assert_int_equal(bind_after(TIER_FILTER_EXTRAS, TIER_FILTER, false), TIER_FILTER);
    assert_int_equal(bind_after(TIER_FILTER_EXTRAS, 1, false), 0);
}

static void what_was_never_compiled_is_bound_plain(void **state)
{
    (void)state;
    assert_int_equal(bind_after(TIER_FILTER, 1, false), 0);
    assert_int_equal(bind_after(TIER_FILTER_EXTRAS, 0, true), 0);
}

/* Draws need sets, memory and pipelines of the layer's, whose errors vkEndCommandBuffer returns as its own. */
static void errors_of_draws_become_those_of_the_command_buffer(void **state)
{
    static const struct {
        VkResult error, due;
    } rows[] = {{VK_SUCCESS, VK_SUCCESS},
                {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY},
                {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY},
                {VK_ERROR_VALIDATION_FAILED_EXT, VK_ERROR_VALIDATION_FAILED_EXT},
                {VK_ERROR_OUT_OF_POOL_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY},
                {VK_ERROR_FRAGMENTED_POOL, VK_ERROR_OUT_OF_DEVICE_MEMORY},
                {VK_ERROR_FRAGMENTATION, VK_ERROR_OUT_OF_DEVICE_MEMORY},
                {VK_ERROR_INVALID_SHADER_NV, VK_ERROR_UNKNOWN}};
    const VkCommandBuffer commands = HANDLE(VkCommandBuffer, &command);
    (void)state;
    atomic_store(&command.handle, commands);
    last_command = (struct last_command){commands, &command, atomic_load(&command_epoch)};
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        command.error = rows[i].error;
        assert_int_equal(hook_EndCommandBuffer(commands), rows[i].due);
    }
    command.error = VK_SUCCESS;
}

/* ---- Pools ---- */

enum { COMMANDS = 20000 };

static VkCommandBuffer commands_of_pool[COMMANDS];

static VkCommandPool open_pool(void)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool pool;
    assert_true(table_init(&subsystems.commands.pools) && table_init(&subsystems.commands.buffers));
    assert_int_equal(hook_CreateCommandPool(NULL, &info, NULL, &pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = COMMANDS};
    assert_int_equal(hook_AllocateCommandBuffers(NULL, &allocate, commands_of_pool), VK_SUCCESS);
    assert_int_equal(subsystems.commands.buffers.live, COMMANDS);
    return pool;
}

static void close_pool(VkCommandPool pool)
{
    hook_DestroyCommandPool(NULL, pool, NULL);
    assert_int_equal(subsystems.commands.buffers.live, 0);
    recording_finish(&track);
    table_finish(&subsystems.commands.pools);
    table_finish(&subsystems.commands.buffers);
}

/* Seconds of this process that it takes to free them one by one. */
static double free_all(bool oldest_first)
{
    const VkCommandPool pool = open_pool();
    const clock_t start = clock();
    for (uint32_t i = 0; i < COMMANDS; i++)
        hook_FreeCommandBuffers(NULL, pool, 1, &commands_of_pool[oldest_first ? i : COMMANDS - 1 - i]);
    const clock_t end = clock();
    assert_int_equal(subsystems.commands.buffers.live, 0);
    close_pool(pool);
    return (double)(end - start) / CLOCKS_PER_SEC;
}

/* In the order of a list, or against it: a pool that is walked for each of them takes 100 times as long one way. */
static void command_buffers_are_freed_in_any_order_at_one_price(void **state)
{
    (void)state;
    const double one_way = free_all(false), other_way = free_all(true);
    assert_true(other_way < 10 * one_way + 0.05);
    assert_true(one_way < 10 * other_way + 0.05);
}

static void pools_keep_what_is_not_freed(void **state)
{
    (void)state;
    const VkCommandPool pool = open_pool();
    const uint32_t freed[] = {0, COMMANDS - 1, 1, COMMANDS / 2, COMMANDS / 2 + 1, COMMANDS - 2};
    for (uint32_t i = 0; i < sizeof(freed) / sizeof(freed[0]); i++)
        hook_FreeCommandBuffers(NULL, pool, 1, &commands_of_pool[freed[i]]);
    const uint32_t left = COMMANDS - (uint32_t)(sizeof(freed) / sizeof(freed[0]));
    assert_int_equal(subsystems.commands.buffers.live, left);
    const struct command_pool *known = table_find(&subsystems.commands.pools, HANDLE_KEY(pool));
    const struct command *previous = NULL;
    uint32_t count = 0;
    for (const struct command *at = known->commands; at; previous = at, at = at->next, count++)
        assert_ptr_equal(at->previous, previous);
    assert_int_equal(count, left);
    close_pool(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tier_of_the_last_draw_is_bound),
        cmocka_unit_test(pipelines_without_extras_are_bound_in_their_filter),
        cmocka_unit_test(what_was_never_compiled_is_bound_plain),
        cmocka_unit_test(errors_of_draws_become_those_of_the_command_buffer),
        cmocka_unit_test(command_buffers_are_freed_in_any_order_at_one_price),
        cmocka_unit_test(pools_keep_what_is_not_freed),
    };
    return cmocka_run_group_tests_name("track_command", tests, NULL, NULL);
}
