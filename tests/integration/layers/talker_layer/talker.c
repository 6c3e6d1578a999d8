/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "talker.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/device/one_device_layer.h"

LAYER_EXPORT struct talker_control talker_control;

static pthread_t creator; /* whose thread it came on */

#define INSTANCE_COMMANDS(ENTRY)                                                                                       \
    ENTRY(CreateDebugUtilsMessengerEXT)                                                                                \
    ENTRY(DestroyDebugUtilsMessengerEXT)                                                                               \
    ENTRY(CreateDebugReportCallbackEXT)                                                                                \
    ENTRY(DestroyDebugReportCallbackEXT)
#define DEVICE_COMMANDS(ENTRY)                                                                                         \
    ENTRY(CreateGraphicsPipelines)                                                                                     \
    ENTRY(CreateComputePipelines)                                                                                      \
    ENTRY(DestroyPipeline)
#define OWN_COMMANDS(ENTRY)                                                                                            \
    ENTRY(CreateInstance)                                                                                              \
    ENTRY(CreateDevice)
INSTANCE_COMMANDS(NEXT_DECLARE)
DEVICE_COMMANDS(NEXT_DECLARE)

/* ---- Who is talked to: tests create them before anything is compiled ---- */

enum { LISTENERS = 4 };
static struct listener {
    VkDebugUtilsMessengerEXT messenger; /* one of the two */
    VkDebugReportCallbackEXT callback;
    VkDebugUtilsMessengerCreateInfoEXT utils;
    VkDebugReportCallbackCreateInfoEXT report;
} listeners[LISTENERS];

static struct listener *free_listener(void)
{
    for (unsigned i = 0; i < LISTENERS; i++) {
        if (!listeners[i].messenger && !listeners[i].callback)
            return &listeners[i];
    }
    abort();
}

static VKAPI_ATTR VkResult VKAPI_CALL
talker_CreateDebugUtilsMessengerEXT(VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT *info,
                                    const VkAllocationCallbacks *allocator, VkDebugUtilsMessengerEXT *messenger)
{
    const VkResult result = NEXT(CreateDebugUtilsMessengerEXT)(instance, info, allocator, messenger);
    if (result == VK_SUCCESS)
        *free_listener() = (struct listener){.messenger = *messenger, .utils = *info};
    return result;
}

static void ends_alone(void)
{
    if (atomic_load(&talker_control.compiling))
        _exit(TALKER_BESIDE);
}

static VKAPI_ATTR void VKAPI_CALL talker_DestroyDebugUtilsMessengerEXT(VkInstance instance,
                                                                       VkDebugUtilsMessengerEXT messenger,
                                                                       const VkAllocationCallbacks *allocator)
{
    ends_alone();
    for (unsigned i = 0; i < LISTENERS; i++) {
        if (messenger && listeners[i].messenger == messenger)
            listeners[i] = (struct listener){.messenger = VK_NULL_HANDLE};
    }
    NEXT(DestroyDebugUtilsMessengerEXT)(instance, messenger, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL
talker_CreateDebugReportCallbackEXT(VkInstance instance, const VkDebugReportCallbackCreateInfoEXT *info,
                                    const VkAllocationCallbacks *allocator, VkDebugReportCallbackEXT *callback)
{
    const VkResult result = NEXT(CreateDebugReportCallbackEXT)(instance, info, allocator, callback);
    if (result == VK_SUCCESS)
        *free_listener() = (struct listener){.callback = *callback, .report = *info};
    return result;
}

static VKAPI_ATTR void VKAPI_CALL talker_DestroyDebugReportCallbackEXT(VkInstance instance,
                                                                       VkDebugReportCallbackEXT callback,
                                                                       const VkAllocationCallbacks *allocator)
{
    ends_alone();
    for (unsigned i = 0; i < LISTENERS; i++) {
        if (callback && listeners[i].callback == callback)
            listeners[i] = (struct listener){.messenger = VK_NULL_HANDLE};
    }
    NEXT(DestroyDebugReportCallbackEXT)(instance, callback, allocator);
}

/* Compilers leave out memset() of what nobody reads any more. */
static void spoil(volatile char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = i + 1 < count ? '?' : '\0';
}

static void talk(void)
{
    /* All of it is gone when this returns, as with drivers. */
    char text[64], name[16] = "tables";
    snprintf(text, sizeof(text), "%s", TALKER_TEXT);
    const VkDebugUtilsObjectNameInfoEXT object = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                                  .objectType = VK_OBJECT_TYPE_INSTANCE,
                                                  .objectHandle = (uint64_t)(uintptr_t)the_instance,
                                                  .pObjectName = name};
    const VkDebugUtilsMessengerCallbackDataEXT data = {.sType =
                                                           VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
                                                       .pMessageIdName = name,
                                                       .pMessage = text,
                                                       .objectCount = 1,
                                                       .pObjects = &object};
    for (unsigned i = 0; i < LISTENERS; i++) {
        const struct listener *listener = &listeners[i];
        if (listener->messenger && (listener->utils.messageSeverity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT)) {
            atomic_fetch_add(&talker_control.said, 1);
            listener->utils.pfnUserCallback(VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                                            VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data,
                                            listener->utils.pUserData);
        }
        if (listener->callback && (listener->report.flags & VK_DEBUG_REPORT_INFORMATION_BIT_EXT)) {
            atomic_fetch_add(&talker_control.said, 1);
            listener->report.pfnCallback(VK_DEBUG_REPORT_INFORMATION_BIT_EXT, VK_DEBUG_REPORT_OBJECT_TYPE_INSTANCE_EXT,
                                         object.objectHandle, 1, 2, name, text, listener->report.pUserData);
        }
    }
    spoil(text, sizeof(text));
    spoil(name, sizeof(name));
}

/* ---- The compiler ---- */

static atomic_bool gone;

static void destroy_tables(void)
{
    atomic_store(&gone, true);
}

static void use_tables(void)
{
    const bool may = !atomic_load(&talker_control.others_only) || !pthread_equal(pthread_self(), creator);
    if (may && !atomic_exchange(&talker_control.made, true))
        atexit(destroy_tables);
    if (atomic_load(&gone))
        _exit(TALKER_LATE);
}

static void compile(void)
{
    atomic_fetch_add(&talker_control.compiling, 1);
    use_tables();
    talk();
    for (uint32_t i = 0; i < atomic_load(&talker_control.milliseconds); i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
        use_tables();
    }
    atomic_fetch_add(&talker_control.compiled, 1);
}

static VKAPI_ATTR VkResult VKAPI_CALL talker_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
                                                                     uint32_t count,
                                                                     const VkGraphicsPipelineCreateInfo *infos,
                                                                     const VkAllocationCallbacks *allocator,
                                                                     VkPipeline *pipelines)
{
    compile();
    const VkResult result = NEXT(CreateGraphicsPipelines)(device, cache, count, infos, allocator, pipelines);
    atomic_fetch_sub(&talker_control.compiling, 1);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL talker_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                                    uint32_t count,
                                                                    const VkComputePipelineCreateInfo *infos,
                                                                    const VkAllocationCallbacks *allocator,
                                                                    VkPipeline *pipelines)
{
    compile();
    const VkResult result = NEXT(CreateComputePipelines)(device, cache, count, infos, allocator, pipelines);
    atomic_fetch_sub(&talker_control.compiling, 1);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL talker_DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                                         const VkAllocationCallbacks *allocator)
{
    if (pipeline && atomic_load(&talker_control.destruction))
        talk();
    NEXT(DestroyPipeline)(device, pipeline, allocator);
}

/* ---- Chain ---- */

static VKAPI_ATTR VkResult VKAPI_CALL talker_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator, VkDevice *device)
{
    const VkResult result = layer_create_device(physical, info, info, allocator, device);
    if (result != VK_SUCCESS)
        return result;
    DEVICE_COMMANDS(NEXT_OF_DEVICE)
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL talker_CreateInstance(const VkInstanceCreateInfo *info,
                                                            const VkAllocationCallbacks *allocator,
                                                            VkInstance *instance)
{
    const VkResult result = layer_create_instance(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    creator = pthread_self();
    INSTANCE_COMMANDS(NEXT_OF_INSTANCE)
    return VK_SUCCESS;
}

static PFN_vkVoidFunction find(const char *name)
{
    static const struct layer_command commands[] = {
#define ENTRY(NAME) LAYER_COMMAND("vk" #NAME, talker_##NAME),
        INSTANCE_COMMANDS(ENTRY) DEVICE_COMMANDS(ENTRY) OWN_COMMANDS(ENTRY) LAYER_LOOK_UP(layer_GetDeviceProcAddr)};
    return LAYER_COMMAND_FIND(commands, name);
}

LAYER_EXPORTS(layer_GetDeviceProcAddr)
