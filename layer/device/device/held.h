/* SPDX-License-Identifier: MIT */
/*
 * The program's debug messengers and report callbacks, and held messages to them. Vulkan requires that they are called
 * on the thread of the command that causes a message (VkDebugUtilsMessengerCreateInfoEXT,
 * VkDebugReportCallbackCreateInfoEXT). So a message on a thread of the layer's is held until the program's thread that
 * waits for it goes on, or until the program's next call. A message under a lock of the layer's is held until the lock
 * is released, because a callback may do anything, such as to end the process. Messages of next layers and of drivers
 * are held as well, because these get functions of the layer's in the place of the program's
 * (layer/device/ahead/messengers.c).
 *
 * Any thread may call these functions.
 */
#ifndef CLAMPLER_DEVICE_HELD_H
#define CLAMPLER_DEVICE_HELD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "device/instance.h"

/* A messenger or a report callback of the program's, in the instance's list until it is destroyed. */
struct messenger {
    struct messenger *next;
    struct instance *instance;
    uint64_t number; /* later ones have higher numbers, and are in front in the list */
    uint64_t handle;
    VkDebugUtilsMessageSeverityFlagsEXT severities;
    VkDebugUtilsMessageTypeFlagsEXT types;
    PFN_vkDebugUtilsMessengerCallbackEXT callback; /* NULL: a report callback */
    PFN_vkDebugReportCallbackEXT report;
    void *user;
};

/* The arguments of a report callback. */
struct message_report {
    VkDebugReportFlagsEXT flags;
    VkDebugReportObjectTypeEXT type;
    uint64_t object;
    size_t location;
    int32_t code;
    const char *prefix, *text;
};

/* ---- Waiting ---- */

/*
 * Between the two calls this thread's messages are held, and the thread is not cancelled (pthread_cancel): for locks
 * under which the layer calls the next layer or gives messages. The second call delivers them. Pairs may be nested.
 */
void messages_hold(struct held_messages *held);
void messages_release(struct held_messages *held);

/* The same on a thread of the layer's, as its first call; and whether this thread is one. */
void messages_hold_here(struct held_messages *held);
bool messages_on_layers_thread(void);

/* Delivers the held messages on this thread, or moves them to those that this thread holds already. */
void messages_deliver(struct held_messages *held);

/* Moves the thread's held messages to the second list, which is empty; the thread holds none afterwards. */
void messages_take(struct held_messages *held, struct held_messages *to);

/* On a thread of the layer's: leaves the messages for the program's next call. */
void messages_leave(struct held_messages *held);

void messages_report_left_now(struct instance *instance);

/* In a call of the program's: delivers the messages that threads of the layer's have left. */
static inline void messages_report_left(struct instance *instance)
{
    if (atomic_load_explicit(&instance->left_count, memory_order_relaxed))
        messages_report_left_now(instance);
}

/* Frees the messages that are left, without delivering them. */
void messages_drop(struct instance *instance);

/* ---- Saying; held where this thread holds ---- */

/* As a create-info describes it, of no instance and in no list. */
struct messenger messenger_from(const VkDebugUtilsMessengerCreateInfoEXT *info);

/* To one messenger, or report callback. */
VkBool32 messenger_call(const struct messenger *messenger, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                        VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data);
VkBool32 messenger_call_report(const struct messenger *messenger, const struct message_report *report);

/* To all messengers that want it. No lock is held while they are called. */
void messengers_report(struct instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                       const VkDebugUtilsMessengerCallbackDataEXT *data);

#endif
