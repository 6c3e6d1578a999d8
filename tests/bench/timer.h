/* SPDX-License-Identifier: MIT */
/*
 * What recorded work takes: by timestamps of the GPU where there are some, else the processor's time. A timer belongs
 * to one side.
 */
#ifndef CLAMPLER_BENCH_TIMER_H
#define CLAMPLER_BENCH_TIMER_H

#include "bench/pairs.h"
#include "bench/side.h"

struct timer {
    VkQueryPool queries; /* two timestamps; VK_NULL_HANDLE: the processor's time is taken */
    double tick;         /* nanoseconds */
    uint64_t ticks_mask; /* valid bits */
    enum bench_clock clock;
};

void timer_open(struct timer *timer, const struct harness_vulkan *vk);
void timer_close(struct timer *timer, const struct harness_vulkan *vk);

/* Recorded around the work. */
void timer_start(const struct timer *timer, VkCommandBuffer commands);
void timer_stop(const struct timer *timer, VkCommandBuffer commands);

/* Submits the side's commands; milliseconds. */
double timer_run(const struct timer *timer, struct side *side);

/* What it takes, in words. */
const char *timer_name(const struct timer *timer);

#endif
