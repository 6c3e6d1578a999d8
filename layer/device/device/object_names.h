/* SPDX-License-Identifier: MIT */
/*
 * Names that the program gave to a device's objects by vkSetDebugUtilsObjectNameEXT, of types that messages may be
 * about. Names are looked up only for messages that are given; destroying an object reads one word. Thread-safe.
 */
#ifndef CLAMPLER_DEVICE_OBJECT_NAMES_H
#define CLAMPLER_DEVICE_OBJECT_NAMES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "names/names.h"

struct object_names {
    _Atomic(bool) any;    /* some object was given a name */
    pthread_mutex_t lock; /* for the table */
    struct names names;
};

/*
 * The key of an object in the table. Programs cast handles to integers as they like, so that of a dispatchable object
 * may come with the sign of its pointer where pointers have 32 bits.
 */
static inline uint64_t object_names_key(VkObjectType type, uint64_t handle)
{
    const bool dispatchable = type == VK_OBJECT_TYPE_DEVICE || type == VK_OBJECT_TYPE_COMMAND_BUFFER;
    return dispatchable ? (uint64_t)(uintptr_t)handle : handle;
}

/* False: the mutex cannot be made. */
bool object_names_init(struct object_names *names);
void object_names_finish(struct object_names *names);

/* The object's name, or an empty text. */
void object_names_copy(struct object_names *names, VkObjectType type, uint64_t handle, char name[NAME_MOST]);

/* Forgets the name. Called through object_gone(). */
void object_names_forget(struct object_names *names, VkObjectType type, uint64_t handle);

/* The program destroys an object. Before the driver does, which may give the handle to another one at once. */
static inline void object_gone(struct object_names *names, VkObjectType type, uint64_t handle)
{
    if (atomic_load_explicit(&names->any, memory_order_relaxed))
        object_names_forget(names, type, handle);
}

#endif
