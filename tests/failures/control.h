/* SPDX-License-Identifier: MIT */
/*
 * What the three sides of the sweep share: the program (failures.c and its kin), a copy of the layer that is linked
 * with functions around each hook and each allocation of its own (generated failures_hooks.c, allocations.c), and a
 * layer below it that stands for the driver (below.c). The functions are the program's; both layers find them there
 * when they are loaded.
 *
 * Three kinds of things fail, each counted for itself from 1 on: allocations of the layer, calls of the layer into the
 * driver, and calls of the layer to the program's allocation callbacks.
 */
#ifndef CLAMPLER_FAILURES_CONTROL_H
#define CLAMPLER_FAILURES_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "failures_commands.h"

#define FAILURES_LAYER "VK_LAYER_CLAMPLER_TEST_failures"
#define FAILURES_RESULTS 12

/* Generated. */
struct failures_hook_facts {
    const char *name;
    bool returns_result;
    bool once;                         /* cannot be called again with the same arguments after it failed */
    int32_t results[FAILURES_RESULTS]; /* errors that the registry lists, ended by 0 */
};
extern const struct failures_hook_facts failures_hooks[HOOK_COUNT];

/* What calls below the layer fail with: no memory of the host's (0) and the device's (1), a lost device (2), others. */
extern const int32_t failures_call_results[FAILURES_CALL_RESULTS];

struct failures_kind_facts {
    const char *name, *destroy; /* NULL: goes with another object */
};
extern const struct failures_kind_facts failures_kinds[KIND_COUNT];

/* ---- From the copy of the layer ---- */

/* Around each hook. failures_leave: whether the program tries again. */
void failures_enter(enum failures_hook hook);
bool failures_leave(enum failures_hook hook, VkResult result);

/* What the program gets from a hook, and gives back. */
const VkAllocationCallbacks *failures_callbacks(const VkAllocationCallbacks *given);
void failures_program_made(enum failures_kind kind, uint64_t handle, uint64_t owner,
                           const VkAllocationCallbacks *callbacks);
const VkAllocationCallbacks *failures_program_gone(enum failures_kind kind, uint64_t handle,
                                                   const VkAllocationCallbacks *given);
void failures_program_is_gone(const VkAllocationCallbacks *callbacks);

/* After a call that makes several objects has failed: each is VK_NULL_HANDLE, or lives where pipelines and shaders may.
 */
void failures_check_outputs(enum failures_hook hook, enum failures_kind kind, uint32_t count, const void *outputs,
                            size_t size);
bool failures_object_lives(enum failures_kind kind, uint64_t handle);

/* Undefined contents. NULL: nothing. */
void failures_spoil(void *output, size_t size);

/* Whether this allocation, by the C library's function with that name, fails; what came of it, and what was freed. */
bool failures_allocation(const char *function);
void failures_took(void *memory, const char *function);
void failures_gave(void *memory);

/* The calling thread is one of the layer's own. */
void failures_worker(void);

/* ---- From the layer below ---- */

/* Whether this call fails. `mask`: the results that the registry lists for it, bit i for failures_call_results[i]. */
bool failures_call(const char *name, unsigned mask, VkResult *result);

/* The driver begins (1) and ends (-1) what may call the program's allocation callbacks. */
void failures_driver(int change);

void failures_object_made(enum failures_kind kind, uint64_t handle, uint64_t parent, const void *device,
                          const VkAllocationCallbacks *callbacks);
void failures_object_gone(enum failures_kind kind, uint64_t handle, const VkAllocationCallbacks *callbacks);
void failures_children_gone(uint64_t parent);

/* What a program that destroys its object past the layer would have given. */
const VkAllocationCallbacks *failures_unhooked(enum failures_kind kind, uint64_t handle,
                                               const VkAllocationCallbacks *given);
void failures_device_gone(const void *device);

/* Commands are not recorded; commands of the layer that the driver lacks are there all the same. */
bool failures_is_muted(void);
bool failures_promises(void);

#endif
