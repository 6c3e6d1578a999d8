/* SPDX-License-Identifier: MIT */
/*
 * Every allocation that the layer makes while it creates instances, devices and lists fails once: the call says so, and
 * nothing stays behind. The C library's allocator is replaced by one that knows who asks; no sanitizer beside it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>

#include "counters.h"
#include "loader_fixture.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

enum { LIVE_MAX = 4096 };

static struct {
    _Atomic uintptr_t live[LIVE_MAX]; /* what the layer holds */
    atomic_int until_failure;         /* layer allocations that still succeed; negative: all do */
    atomic_bool watching;
    uintptr_t first, last; /* addresses of the layer's code */
} memory;

/* Finds the layer's code from one of its functions. */
static void watch(void *function)
{
    Dl_info info;
    assert_true(dladdr(function, &info));
    assert_non_null(strstr(info.dli_fname, "VkLayer_clampler"));
    memory.first = (uintptr_t)info.dli_fbase;
    memory.last = memory.first + (64u << 20);
    memory.until_failure = -1;
    memory.watching = true;
}

/* A module's mapping ends before the next one begins: dladdr tells whose an address near it is. */
static bool from_layer(void *caller)
{
    static _Thread_local bool asking;
    Dl_info info;
    const uintptr_t address = (uintptr_t)caller;
    if (!memory.watching || asking || address < memory.first || address >= memory.last)
        return false;
    asking = true;
    const bool found = dladdr(caller, &info) && (uintptr_t)info.dli_fbase == memory.first;
    asking = false;
    return found;
}

static bool fails(void)
{
    return memory.until_failure >= 0 && atomic_fetch_sub(&memory.until_failure, 1) == 0;
}

static void *note(void *block)
{
    for (size_t i = 0; block && i < LIVE_MAX; i++) {
        uintptr_t none = 0;
        if (atomic_compare_exchange_strong(&memory.live[i], &none, (uintptr_t)block))
            break;
    }
    return block;
}

static void forget(uintptr_t block)
{
    for (size_t i = 0; block && i < LIVE_MAX; i++) {
        uintptr_t same = block;
        if (atomic_compare_exchange_strong(&memory.live[i], &same, 0))
            break;
    }
}

static int held_by_layer(void)
{
    int count = 0;
    for (size_t i = 0; i < LIVE_MAX; i++)
        count += memory.live[i] != 0;
    return count;
}

void *malloc(size_t size)
{
    if (!from_layer(__builtin_return_address(0)))
        return __libc_malloc(size);
    return fails() ? NULL : note(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    if (!from_layer(__builtin_return_address(0)))
        return __libc_calloc(count, size);
    return fails() ? NULL : note(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
    if (!from_layer(__builtin_return_address(0)))
        return __libc_realloc(block, size);
    const uintptr_t old = (uintptr_t)block;
    if (size && fails())
        return NULL;
    void *grown = __libc_realloc(block, size);
    if (grown || !size)
        forget(old);
    return note(grown);
}

void free(void *block)
{
    if (memory.watching)
        forget((uintptr_t)block);
    __libc_free(block);
}

/* ---- The sweeps ---- */

static const char *const layers[] = {CLAMPLER, NULL};
static const char *const extension[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME, NULL};
static VkPhysicalDeviceVulkan12Features program_features = {.sType =
                                                                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
static const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl_sampler = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
    .pNext = &program_features,
    .glSampler = VK_TRUE};

/* Opened first and kept, so that the layer stays where it is. */
static struct fixture kept;

static int setup(void **state)
{
    VkDevice device;
    (void)state;
    if (fixture_open(&kept, VK_API_VERSION_1_3, layers, NULL) != VK_SUCCESS ||
        fixture_device(&kept, extension, &gl_sampler, NULL, &device) != VK_SUCCESS)
        return -1;
    watch((void *)(uintptr_t)vkGetDeviceProcAddr(device, CLAMPLER_GET_COUNTERS));
    vkDestroyDevice(device, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    memory.watching = false;
    fixture_close(&kept);
    return 0;
}

/* Calls `attempt` with the first allocation failing, then the second, until none is left to fail. */
static void sweep(VkResult (*attempt)(void))
{
    const int before = held_by_layer();
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    int failures = 0;
    for (int limit = 0; limit < 1000 && result != VK_SUCCESS; limit++) {
        memory.until_failure = limit;
        result = attempt();
        memory.until_failure = -1;
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(held_by_layer(), before);
        failures += result != VK_SUCCESS;
    }
    assert_int_equal(result, VK_SUCCESS);
    assert_true(failures > 0);
}

static VkResult attempt_device(void)
{
    VkDevice device;
    const VkResult result = fixture_device(&kept, extension, &gl_sampler, NULL, &device);
    if (result == VK_SUCCESS)
        vkDestroyDevice(device, NULL);
    return result;
}

static VkResult attempt_instance(void)
{
    struct fixture fixture;
    const VkResult result = fixture_open(&fixture, VK_API_VERSION_1_3, layers, NULL);
    if (fixture.instance && fixture.messenger)
        fixture_close(&fixture);
    else if (fixture.instance)
        vkDestroyInstance(fixture.instance, NULL);
    return result;
}

static VkResult attempt_list(void)
{
    uint32_t count;
    return vkEnumerateDeviceExtensionProperties(kept.physical, NULL, &count, NULL);
}

static void creating_a_device_survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep(attempt_device);
}

static void creating_an_instance_survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep(attempt_instance);
}

static void listing_extensions_survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep(attempt_list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_a_device_survives_every_failed_allocation),
        cmocka_unit_test(creating_an_instance_survives_every_failed_allocation),
        cmocka_unit_test(listing_extensions_survives_every_failed_allocation),
    };
    /* An implicit layer of Mesa's that does not look at the results of enumerations. */
    setenv("NODEVICE_SELECT", "1", 1);
    return cmocka_run_group_tests(tests, setup, teardown);
}
