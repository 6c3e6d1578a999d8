/* SPDX-License-Identifier: MIT */
/*
 * A layer for scripts/suites/soak, above everything else: it slows a program down to CLAMPLER_WATCH_FPS frames a
 * second, and at presents, every CLAMPLER_WATCH_SECONDS, writes how many there were and what Clampler counted into
 * CLAMPLER_WATCH_FILE. It is also there where Clampler is not: then it only writes presents. No sampler is anisotropic:
 * lavapipe 22.3 by itself may work for minutes at one frame of SuperTuxKart otherwise. One device at a time.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "counters.h"
#include "harness/device/one_device_layer.h"

enum { NS_PER_S = 1000000000, PATH_MOST = 4000 };

static PFN_vkQueuePresentKHR next_present;
static PFN_vkDestroyDevice next_destroy;

/* What the program makes and destroys: of most kinds that Clampler follows. */
#define KINDS(KIND)                                                                                                    \
    KIND(Image, CreateInfo)                                                                                            \
    KIND(ImageView, CreateInfo)                                                                                        \
    KIND(Sampler, CreateInfo)                                                                                          \
    KIND(Buffer, CreateInfo)                                                                                           \
    KIND(BufferView, CreateInfo)                                                                                       \
    KIND(Framebuffer, CreateInfo)                                                                                      \
    KIND(RenderPass, CreateInfo)                                                                                       \
    KIND(ShaderModule, CreateInfo)                                                                                     \
    KIND(DescriptorSetLayout, CreateInfo)                                                                              \
    KIND(PipelineLayout, CreateInfo)                                                                                   \
    KIND(DescriptorPool, CreateInfo)                                                                                   \
    KIND(SwapchainKHR, CreateInfoKHR)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static VkDevice the_device;
static PFN_clamplerGetCounters get_counters; /* NULL: the layer is not there, or inert */
static uint64_t presents;
static _Atomic(int64_t) own_objects; /* made by the program and not destroyed */
static int64_t next_write;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

static double number_from(const char *variable, double otherwise)
{
    const char *text = getenv(variable);
    return text && atof(text) > 0 ? atof(text) : otherwise;
}

static void write_counters(FILE *file)
{
    struct clampler_counters c = {0};
    if (get_counters)
        get_counters(the_device, &c);
    fprintf(file, "presents %" PRIu64 "\nactive %d\nown_objects %" PRId64 "\n", presents, get_counters != NULL,
            atomic_load(&own_objects));
#define ROW(NAME) fprintf(file, #NAME " %" PRIu64 "\n", c.NAME);
#define ROWS(NAME)                                                                                                     \
    fprintf(file, #NAME "_0 %" PRIu64 "\n" #NAME "_1 %" PRIu64 "\n" #NAME "_2 %" PRIu64 "\n", c.NAME[0], c.NAME[1],    \
            c.NAME[2]);
    ROW(live_objects)
    ROW(live_bytes)
    ROWS(draws)
    ROWS(pipelines)
    ROW(modules_rewritten)
    ROW(driver_samplers)
    ROW(records_written)
    ROW(sets_uploaded)
    ROW(blend_variants)
    ROW(alpha_written)
    ROW(alpha_fills)
    ROW(compiled_ahead)
    ROW(compiled_at_draws)
    ROW(outgrown_submits)
}

/* Whole or not at all, for whoever reads it. The caller holds the lock. */
static void write_file(void)
{
    const char *path = getenv("CLAMPLER_WATCH_FILE");
    char other[PATH_MOST + 8];
    if (!path || strlen(path) > PATH_MOST)
        return;
    snprintf(other, sizeof(other), "%s.new", path);
    FILE *file = fopen(other, "w");
    if (!file)
        return;
    write_counters(file);
    if (fclose(file) == 0)
        rename(other, path);
}

static void slow_down(void)
{
    static int64_t due;
    const int64_t frame = (int64_t)(NS_PER_S / number_from("CLAMPLER_WATCH_FPS", 1000));
    const int64_t left = due - now();
    if (left > 0 && left <= frame) {
        const struct timespec time = {.tv_sec = left / NS_PER_S, .tv_nsec = left % NS_PER_S};
        nanosleep(&time, NULL);
    }
    due = now() + frame;
}

static VKAPI_ATTR VkResult VKAPI_CALL watch_QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info)
{
    const VkResult result = next_present(queue, info);
    pthread_mutex_lock(&lock);
    presents++;
    if (the_device && now() >= next_write) {
        next_write = now() + (int64_t)(number_from("CLAMPLER_WATCH_SECONDS", 1) * NS_PER_S);
        write_file();
    }
    pthread_mutex_unlock(&lock);
    slow_down();
    return result;
}

#define INFO_SwapchainKHR VkSwapchainCreateInfoKHR
#define DEFINE(NAME, INFO)                                                                                             \
    static PFN_vkCreate##NAME next_Create##NAME;                                                                       \
    static PFN_vkDestroy##NAME next_Destroy##NAME;                                                                     \
    static VKAPI_ATTR VkResult VKAPI_CALL watch_Create##NAME(VkDevice device, const INFO_OF(NAME, INFO) * given,       \
                                                             const VkAllocationCallbacks *callbacks, Vk##NAME *made)   \
    {                                                                                                                  \
        INFO_OF(NAME, INFO) info = *given;                                                                             \
        _Generic(&info, VkSamplerCreateInfo * : make_isotropic, default : leave)(&info);                               \
        const VkResult result = next_Create##NAME(device, &info, callbacks, made);                                     \
        atomic_fetch_add(&own_objects, result == VK_SUCCESS);                                                          \
        return result;                                                                                                 \
    }                                                                                                                  \
    static VKAPI_ATTR void VKAPI_CALL watch_Destroy##NAME(VkDevice device, Vk##NAME object,                            \
                                                          const VkAllocationCallbacks *callbacks)                      \
    {                                                                                                                  \
        atomic_fetch_sub(&own_objects, object != VK_NULL_HANDLE);                                                      \
        next_Destroy##NAME(device, object, callbacks);                                                                 \
    }
#define INFO_OF(NAME, INFO) INFO_##INFO(NAME)
#define INFO_CreateInfo(NAME) Vk##NAME##CreateInfo
#define INFO_CreateInfoKHR(NAME) INFO_##NAME

static void make_isotropic(VkSamplerCreateInfo *info)
{
    info->anisotropyEnable = VK_FALSE;
}

static void leave(const void *info)
{
    (void)info;
}

KINDS(DEFINE)

static VKAPI_ATTR void VKAPI_CALL watch_DestroyDevice(VkDevice device, const VkAllocationCallbacks *callbacks)
{
    pthread_mutex_lock(&lock);
    if (device && device == the_device) {
        the_device = NULL;
        get_counters = NULL;
    }
    pthread_mutex_unlock(&lock);
    next_destroy(device, callbacks);
}

static VKAPI_ATTR VkResult VKAPI_CALL watch_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                         const VkAllocationCallbacks *callbacks, VkDevice *device)
{
    const VkResult result = layer_create_device(physical, info, info, callbacks, device);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    the_device = *device;
    next_present = (PFN_vkQueuePresentKHR)next_device_proc(*device, "vkQueuePresentKHR");
#define LOAD(NAME, INFO)                                                                                               \
    next_Create##NAME = (PFN_vkCreate##NAME)next_device_proc(*device, "vkCreate" #NAME);                               \
    next_Destroy##NAME = (PFN_vkDestroy##NAME)next_device_proc(*device, "vkDestroy" #NAME);
    KINDS(LOAD)
    next_destroy = (PFN_vkDestroyDevice)next_device_proc(*device, "vkDestroyDevice");
    get_counters = (PFN_clamplerGetCounters)next_device_proc(*device, CLAMPLER_GET_COUNTERS);
    pthread_mutex_unlock(&lock);
    return VK_SUCCESS;
}

static PFN_vkVoidFunction find(const char *name)
{
    static const struct layer_command commands[] = {
#define ENTRY(NAME) LAYER_COMMAND("vk" #NAME, watch_##NAME)
        LAYER_COMMAND("vkCreateInstance", layer_create_instance),
        LAYER_LOOK_UP(layer_GetDeviceProcAddr),
        ENTRY(CreateDevice),
        ENTRY(DestroyDevice),
        ENTRY(QueuePresentKHR),
#define ENTRIES(NAME, INFO) ENTRY(Create##NAME), ENTRY(Destroy##NAME),
        KINDS(ENTRIES)};
    return LAYER_COMMAND_FIND(commands, name);
}

LAYER_EXPORTS(layer_GetDeviceProcAddr)
