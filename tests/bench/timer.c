/* SPDX-License-Identifier: MIT */
#include "bench/timer.h"

void timer_open(struct timer *timer, const struct harness_vulkan *vk)
{
    const bool cpu = vk->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    *timer = (struct timer){.clock = cpu ? BENCH_PROCESS : BENCH_WALL};
    vkGetPhysicalDeviceQueueFamilyProperties(vk->physical, &count, families);
    uint32_t bits = vk->family < count ? families[vk->family].timestampValidBits : 0;
    if (cpu || !bits)
        return;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
    HARNESS_VK(vkCreateQueryPool(vk->device, &info, NULL, &timer->queries));
    timer->tick = (double)vk->properties.limits.timestampPeriod;
    timer->ticks_mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

void timer_close(struct timer *timer, const struct harness_vulkan *vk)
{
    vkDestroyQueryPool(vk->device, timer->queries, NULL);
}

void timer_start(const struct timer *timer, VkCommandBuffer commands)
{
    if (timer->queries)
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, timer->queries, 0);
}

void timer_stop(const struct timer *timer, VkCommandBuffer commands)
{
    if (timer->queries)
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timer->queries, 1);
}

static void reset_queries(const struct timer *timer, struct harness_vulkan *vk)
{
    VkCommandBuffer commands = harness_begin(vk);
    vkCmdResetQueryPool(commands, timer->queries, 0, 2);
    harness_submit(vk, commands);
}

double timer_run(const struct timer *timer, struct side *side)
{
    if (timer->queries)
        reset_queries(timer, &side->vk);
    double start = bench_now(timer->clock);
    side_submit(side);
    double end = bench_now(timer->clock);
    if (!timer->queries)
        return (end - start) / 1e6;
    uint64_t ticks[2];
    HARNESS_VK(vkGetQueryPoolResults(side->vk.device, timer->queries, 0, 2, sizeof(ticks), ticks, sizeof(ticks[0]),
                                     VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    return (double)((ticks[1] - ticks[0]) & timer->ticks_mask) * timer->tick / 1e6;
}

const char *timer_name(const struct timer *timer)
{
    return timer->queries ? "GPU time" : timer->clock == BENCH_PROCESS ? "CPU time" : "wall time";
}
