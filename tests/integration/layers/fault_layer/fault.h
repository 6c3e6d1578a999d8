/* SPDX-License-Identifier: MIT */
/*
 * The fault layer: loaded nearest the driver, it makes one chosen call fail as a driver out of memory would, counts
 * what the driver holds, notes what its samplers are made from, and can promise descriptor indexing and inherited
 * conditions for a driver that merely works with them.
 *
 * The test opens the same shared object (faults.h) and writes to its one
 * struct fault_control. Only one thread may call Vulkan while a fault is armed. Any may while the device is lost.
 */
#ifndef CLAMPLER_INTEGRATION_FAULT_H
#define CLAMPLER_INTEGRATION_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#define FAULT_LAYER "VK_LAYER_CLAMPLER_TEST_fault"
#define FAULT_CONTROL_SYMBOL "fault_control"

struct fault_control {
    _Atomic(uint32_t) calls;  /* calls that could fail, since the test set it to 0 */
    _Atomic(uint32_t) fail;   /* the number of the call that fails, from 1 on; 0: none */
    _Atomic(int32_t) result;  /* its VkResult */
    _Atomic(uint32_t) failed; /* calls that were made to fail */
    _Atomic(int64_t) objects; /* objects that the driver has made and not destroyed, sets and command buffers not among
                                 them */
    _Atomic(bool) lost;       /* submissions, waits and queries of fences return VK_ERROR_DEVICE_LOST */
    const char *name;         /* of the call that failed last */
    VkSamplerCreateInfo
        sampler;            /* what the driver made its last sampler from; the chain lives as long as the caller's */
    uint32_t sampler_chain; /* how many structures were chained to it */
    bool promise_indexing;  /* set before vkCreateInstance: every feature of descriptor indexing is promised */
    bool promise_inherited; /* likewise inheritedConditionalRendering */
};

#endif
