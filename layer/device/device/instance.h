/* SPDX-License-Identifier: MIT */
/* One instance, and the next layer's queries of it. layer/entry/chain makes and destroys it. */
#ifndef CLAMPLER_DEVICE_INSTANCE_H
#define CLAMPLER_DEVICE_INSTANCE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "settings/settings.h"
#include "vulkan_dispatch.h" /* generated: struct instance_dispatch, struct device_dispatch, prototypes of all hook_* */

/* Held messages, in their order (held.h). All zero: none. */
struct held_messages {
    struct held_message *first, *last;
    int cancel;  /* the thread's cancel state before */
    bool layers; /* that thread is one of the layer's */
};

/* The program's allocation callbacks, and what the next layer has in their place (ahead/program_allocator.h). */
struct program_allocator {
    VkAllocationCallbacks program, driver; /* all zero: there are none */
};

struct instance {
    VkInstance handle;
    struct instance_dispatch next; /* the next layer's entry points; a member is NULL where there is none */
    uint32_t api_version;          /* what the program asked for, at least 1.0 */
    struct program_allocator allocator;
    bool debug_utils;          /* the program enabled VK_EXT_debug_utils */
    bool queries2;             /* the program enabled VK_KHR_get_physical_device_properties2 */
    struct settings settings;  /* read once, at instance creation */
    char settings_source[320]; /* where they came from, in words */
    struct output_log *log;    /* where messages go; NULL: standard error */
    const void *creating;      /* chain of the VkInstanceCreateInfo, during vkCreateInstance only: its messengers */
    pthread_mutex_t messenger_lock; /* for the next three; nothing is called while it is locked */
    struct messenger *messengers;   /* the program's messengers and report callbacks (held.h) */
    uint64_t messenger_number;      /* of the newest */
    struct held_messages left;      /* messages that the layer's threads have left for them (held.h) */
    _Atomic(uint32_t) left_count;
    _Atomic(uint64_t) said[2]; /* bits of the places whose message was given (message_first) */
    struct instance_offer {
        _Atomic(VkPhysicalDevice) physical;
        _Atomic(uint32_t) offered, absent; /* OFFERS_KNOWN is set once the others are (queries/offers.h) */
    } offers[16]; /* what the layer offers on the first physical devices that were asked about */
    PFN_GetPhysicalDeviceProcAddr next_physical_device_proc_addr; /* NULL: the next layer has none */
};

/* The instance that a VkInstance or VkPhysicalDevice belongs to; NULL for handles that are not finished. No lock. */
struct instance *instance_of(const void *dispatchable);

/* Lets instance_of() find it; its handle is set. False if memory ran out. */
bool instance_publish(struct instance *instance);

/* Ends that and returns the instance, or NULL. No thread may look the handle up at the same time. */
struct instance *instance_withdraw(VkInstance handle);

/* The lower of what the program asked for and what the device has, without variant and patch. */
uint32_t instance_version_with(const struct instance *instance, const VkPhysicalDeviceProperties *properties);

/*
 * The next layer's …2 queries, or NULL where the program enabled neither Vulkan 1.1 nor the extension, or the device is
 * 1.0.
 */
PFN_vkGetPhysicalDeviceFeatures2 instance_features2(const struct instance *instance, VkPhysicalDevice physical);
PFN_vkGetPhysicalDeviceProperties2 instance_properties2(const struct instance *instance, VkPhysicalDevice physical);
PFN_vkGetPhysicalDeviceMemoryProperties2 instance_memory2(const struct instance *instance, VkPhysicalDevice physical);

#endif
