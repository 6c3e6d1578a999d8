/* SPDX-License-Identifier: MIT */
/*
 * Collects the tests of the integration tests' files, whose main() has another name here (CMakeLists.txt), and runs
 * one of them as cmocka would. The linker leads calls of some functions here, which the files make for programs of
 * their own.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "failures/chapters.h"
#include "failures/scenario.h"
#include "failures/session.h"
#include "harness/device/vulkan.h"
#include "integration/layers/faults.h"

enum { CHAPTERS = 2048, LAYERS = 16, SKIPPED = 77 };

static struct {
    struct chapter chapter;
    struct CMUnitTest test;
    CMFixtureFunction set_up, tear_down;
} all[CHAPTERS];
static uint32_t count;
static const char *collecting;

#define CHAPTER(name) int chapter_##name(int argument_count, char **arguments);
#include "failures_chapters.h"
#undef CHAPTER

static bool is_among(const char *name, const char *const *names, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

int __real__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t number,
                                   CMFixtureFunction set_up, CMFixtureFunction tear_down);
int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t number,
                                   CMFixtureFunction set_up, CMFixtureFunction tear_down);

int __wrap__cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t number,
                                   CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    (void)name;
    for (size_t i = 0; i < number && count < CHAPTERS; i++, count++) {
        all[count].test = tests[i];
        all[count].set_up = set_up;
        all[count].tear_down = tear_down ? cmocka_tear_down : NULL; /* the file's own, not cmocka.h's around it */
        snprintf(all[count].chapter.name, sizeof(all[count].chapter.name), "%s.%s", collecting, tests[i].name);
        all[count].chapter.in_scenario =
            is_among(all[count].chapter.name, scenario, sizeof(scenario) / sizeof(*scenario));
        all[count].chapter.counting = is_among(all[count].chapter.name, counting, sizeof(counting) / sizeof(*counting));
    }
    return 0;
}

uint32_t chapters_collect(void)
{
    static char word[] = "failures";
    char *arguments[] = {word, NULL};
    faults_open(); /* once, before the processes part */
#define CHAPTER(name)                                                                                                  \
    collecting = #name;                                                                                                \
    chapter_##name(1, arguments);
#include "failures_chapters.h"
#undef CHAPTER
    return count;
}

const struct chapter *chapter_at(uint32_t index)
{
    return &all[index].chapter;
}

/* ---- Running ---- */

static struct {
    CMUnitTestFunction test;
    bool inside, skipped;
    struct sigaction before[5];
} run;

static const int signals[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};

/* cmocka would take a crash for a failed assertion. */
static void test_with_crashes(void **state)
{
    for (unsigned i = 0; i < 5; i++)
        sigaction(signals[i], &run.before[i], NULL);
    run.inside = true;
    run.test(state);
    run.inside = false;
}

int chapter_run(uint32_t index, bool *skipped)
{
    for (unsigned i = 0; i < 5; i++)
        sigaction(signals[i], NULL, &run.before[i]);
    run.test = all[index].test.test_func;
    run.skipped = false;
    struct CMUnitTest test = all[index].test;
    test.test_func = test_with_crashes;
    const int failed = __real__cmocka_run_group_tests("failures", &test, 1, all[index].set_up, all[index].tear_down);
    run.inside = false;
    *skipped = run.skipped;
    return failed;
}

void __wrap__skip(const char *file, int line);
void __real__skip(const char *file, int line);
void __wrap__skip(const char *file, int line)
{
    run.skipped = true;
    __real__skip(file, line);
}

void __wrap_exit(int status);
void __real_exit(int status);
void __wrap_exit(int status)
{
    if (!run.inside)
        __real_exit(status);
    run.inside = false;
    if (status == SKIPPED)
        __wrap__skip("exit", status);
    _fail("exit", status);
    abort();
}

/* ---- Instances and devices: their layers, and the program's allocation callbacks ---- */

static struct {
    const void *handle;
    const VkAllocationCallbacks *callbacks;
} owners[64];

static void remember(const void *handle, const VkAllocationCallbacks *callbacks)
{
    for (unsigned i = 0; callbacks && i < 64; i++) {
        if (owners[i].handle)
            continue;
        owners[i].handle = handle;
        owners[i].callbacks = callbacks;
        return;
    }
}

static const VkAllocationCallbacks *forget(const void *handle)
{
    for (unsigned i = 0; handle && i < 64; i++) {
        if (owners[i].handle != handle)
            continue;
        owners[i].handle = NULL;
        return owners[i].callbacks;
    }
    return NULL;
}

VkResult __wrap_vkCreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *callbacks,
                                 VkInstance *instance);
VkResult __real_vkCreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *callbacks,
                                 VkInstance *instance);

/* Below Clampler stands the layer that makes calls fail; validation is in other tests. */
VkResult __wrap_vkCreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *callbacks,
                                 VkInstance *instance)
{
    const char *layers[LAYERS];
    const char *extensions[LAYERS * 4];
    VkInstanceCreateInfo changed = *info;
    bool clampler = false;
    changed.enabledLayerCount = 0;
    for (uint32_t i = 0; i < info->enabledLayerCount && changed.enabledLayerCount < LAYERS - 1; i++) {
        clampler |= !strcmp(info->ppEnabledLayerNames[i], "VK_LAYER_CLAMPLER_gl_sampler");
        if (strcmp(info->ppEnabledLayerNames[i], "VK_LAYER_KHRONOS_validation") != 0)
            layers[changed.enabledLayerCount++] = info->ppEnabledLayerNames[i];
    }
    if (clampler)
        layers[changed.enabledLayerCount++] = FAILURES_LAYER;
    changed.enabledExtensionCount = 0;
    for (uint32_t i = 0; i < info->enabledExtensionCount && changed.enabledExtensionCount < LAYERS * 4; i++)
        if (strcmp(info->ppEnabledExtensionNames[i], VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME) != 0)
            extensions[changed.enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
    changed.ppEnabledLayerNames = layers;
    changed.ppEnabledExtensionNames = extensions;
    const VkAllocationCallbacks *given = callbacks ? callbacks : callbacks_take();
    const VkResult result = __real_vkCreateInstance(&changed, given, instance);
    if (result == VK_SUCCESS)
        remember(*instance, given);
    return result;
}

void __wrap_vkDestroyInstance(VkInstance instance, const VkAllocationCallbacks *callbacks);
void __real_vkDestroyInstance(VkInstance instance, const VkAllocationCallbacks *callbacks);
void __wrap_vkDestroyInstance(VkInstance instance, const VkAllocationCallbacks *callbacks)
{
    const VkAllocationCallbacks *given = forget(instance);
    __real_vkDestroyInstance(instance, given ? given : callbacks);
    callbacks_done(given, "an instance");
}

VkResult __wrap_vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                               const VkAllocationCallbacks *callbacks, VkDevice *device);
VkResult __real_vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                               const VkAllocationCallbacks *callbacks, VkDevice *device);
VkResult __wrap_vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                               const VkAllocationCallbacks *callbacks, VkDevice *device)
{
    const VkAllocationCallbacks *given = callbacks ? callbacks : callbacks_take();
    const VkResult result = __real_vkCreateDevice(physical, info, given, device);
    if (result == VK_SUCCESS)
        remember(*device, given);
    else
        callbacks_done(given, "a device that was not made");
    return result;
}

void __wrap_vkDestroyDevice(VkDevice device, const VkAllocationCallbacks *callbacks);
void __real_vkDestroyDevice(VkDevice device, const VkAllocationCallbacks *callbacks);
void __wrap_vkDestroyDevice(VkDevice device, const VkAllocationCallbacks *callbacks)
{
    const VkAllocationCallbacks *given = forget(device);
    __real_vkDestroyDevice(device, given ? given : callbacks);
    callbacks_done(given, "a device");
}

void __wrap_harness_vulkan_hold_driver(void);
void __wrap_harness_vulkan_hold_driver(void)
{
    /* Each process opens few devices; and before they are forked none may be open. */
}

/* ---- Messages ---- */

static uint32_t messages;

VkBool32 VKAPI_CALL __wrap_harness_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data, void *user);
VkBool32 VKAPI_CALL __real_harness_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data, void *user);
VkBool32 VKAPI_CALL __wrap_harness_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    if (data->pMessageIdName && !strcmp(data->pMessageIdName, "CLAMPLER")) {
        messages++;
        fprintf(stderr, "layer: %s\n", data->pMessage);
    }
    return __real_harness_message(severity, types, data, user);
}

uint32_t chapter_messages(void)
{
    return messages;
}
