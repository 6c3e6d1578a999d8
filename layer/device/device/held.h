/* SPDX-License-Identifier: MIT */
/*
 * The program's debug messengers and report callbacks, and what is said to them later. Vulkan calls them on the thread
 * of the call that a message comes of (VkDebugUtilsMessengerCreateInfoEXT, VkDebugReportCallbackCreateInfoEXT). So what
 * is said on a thread of the layer's waits for the program's thread that waits for it, or for the program's next call;
 * and what is said while a lock of the layer's is held waits until it is given back, because a callback may do
 * anything, such as to end the process. Messages of layers below and of drivers wait as well: what these get are
 * functions of the layer's in the place of the program's (layer/device/ahead/messengers.c).
 *
 * All of it for any thread.
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
    uint64_t number; /* later ones have higher numbers; those that come later stand in front */
    uint64_t handle;
    VkDebugUtilsMessageSeverityFlagsEXT severities;
    VkDebugUtilsMessageTypeFlagsEXT types;
    PFN_vkDebugUtilsMessengerCallbackEXT callback; /* NULL: a report callback */
    PFN_vkDebugReportCallbackEXT report;
    void *user;
};

/* What a report callback is called with. */
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
 * From here on what is said on this thread waits, and the thread is not cancelled (pthread_cancel): around locks under
 * which the layer calls down or says something. Behind the other it is said. Pairs may be in pairs.
 */
void messages_hold(struct held_messages *held);
void messages_release(struct held_messages *held);

/* The same on a thread of the layer's, before anything else; and whether this is one. */
void messages_hold_here(struct held_messages *held);
bool messages_on_layers_thread(void);

/* Says what waits there on this thread, or holds it there where this thread holds. */
void messages_deliver(struct held_messages *held);

/* The thread holds nothing any more, and what waited there waits in the second list, which is empty. */
void messages_take(struct held_messages *held, struct held_messages *to);

/* On a thread of the layer's: what waits there waits for the program's next call. */
void messages_leave(struct held_messages *held);

void messages_settle_now(struct instance *instance);

/* In a call of the program's: says what threads of the layer's have left. */
static inline void messages_settle(struct instance *instance)
{
    if (atomic_load_explicit(&instance->left_count, memory_order_relaxed))
        messages_settle_now(instance);
}

/* What nobody will hear any more. */
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
