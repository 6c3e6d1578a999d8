/* SPDX-License-Identifier: MIT */
/*
 * A layer for the benchmark, loaded below Clampler (or alone, for the other side of a pair). It counts the pipelines
 * that reach the driver, whoever asked for them; and where the environment variable BENCH_BELOW_NULL is set when the
 * device is created, vkCmdDraw, vkCmdBindDescriptorSets and vkUpdateDescriptorSets return at once, so that the time of
 * such a call is that of the layers above alone.
 */
#ifndef CLAMPLER_BENCH_BELOW_H
#define CLAMPLER_BENCH_BELOW_H

#include <stdint.h>

#include <vulkan/vulkan_core.h>

#define BENCH_BELOW_LAYER "VK_LAYER_CLAMPLER_BENCH_below"
#define BENCH_BELOW_NULL "BENCH_BELOW_NULL"

/*
 * Through vkGetDeviceProcAddr: pipelines created by all devices of the process under this layer. Thread-safe. Loaders
 * hand on only names that begin with vk.
 */
#define BENCH_BELOW_PIPELINES "vkGetPipelinesBENCH"
typedef uint64_t(VKAPI_PTR *PFN_benchBelowPipelines)(void);

#endif
