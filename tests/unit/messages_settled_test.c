/* SPDX-License-Identifier: MIT */
/*
 * What the layer's threads had to say waits for the program's next call (layer/device/device/held.h): of the calls that
 * tell it, each does, in front of everything else.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ahead/ahead.h"
#include "device/instance.h"
#include "fake_driver.h"
#include "recording/recording.h"
#include "track/lifecycle.h"

static struct instance instance = {.messenger_lock = PTHREAD_MUTEX_INITIALIZER};
static uint32_t asked; /* calls that reached the driver */

static void expect_told(void)
{
    assert_int_equal(atomic_load(&instance.left_count), 0);
    asked++;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_begin(VkCommandBuffer commands, const VkCommandBufferBeginInfo *info)
{
    (void)commands, (void)info;
    expect_told();
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_end(VkCommandBuffer commands)
{
    (void)commands;
    expect_told();
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_submit(VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
                                                  VkFence fence)
{
    (void)queue, (void)count, (void)submits, (void)fence;
    expect_told();
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_submit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits,
                                                   VkFence fence)
{
    (void)queue, (void)count, (void)submits, (void)fence;
    expect_told();
    return VK_SUCCESS;
}

struct device device = {.instance = &instance,
                        .next = {.BeginCommandBuffer = take_begin,
                                 .EndCommandBuffer = take_end,
                                 .QueueSubmit = take_submit,
                                 .QueueSubmit2 = take_submit2},
                        .track = &track};

static void leave_message(void)
{
    atomic_store(&instance.left_count, 1); /* which tells that there is one */
}

static void each_call_tells_what_was_left(void **state)
{
    (void)state;
    const VkCommandBuffer commands = HANDLE(VkCommandBuffer, 16);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    assert_true(table_init(&subsystems.commands.buffers));
    leave_message();
    assert_int_equal(hook_BeginCommandBuffer(commands, &begin), VK_SUCCESS);
    leave_message();
    assert_int_equal(hook_EndCommandBuffer(commands), VK_SUCCESS);
    leave_message();
    assert_int_equal(hook_QueueSubmit(HANDLE(VkQueue, 1), 0, NULL, VK_NULL_HANDLE), VK_SUCCESS);
    leave_message();
    assert_int_equal(hook_QueueSubmit2(HANDLE(VkQueue, 1), 0, NULL, VK_NULL_HANDLE), VK_SUCCESS);
    assert_int_equal(asked, 4);
    leave_message();
    device.track = NULL;
    track_quiet(&device);
    expect_told();
    table_finish(&subsystems.commands.buffers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_call_tells_what_was_left)};
    return cmocka_run_group_tests_name("messages_settled", tests, NULL, NULL);
}
