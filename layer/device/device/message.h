/* SPDX-License-Identifier: MIT */
/* Messages of the layer, to the log and to the program's debug-utils messengers. */
#ifndef CLAMPLER_DEVICE_MESSAGE_H
#define CLAMPLER_DEVICE_MESSAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "platform/platform.h"
#include "settings/settings.h"

struct device;
struct instance;

/*
 * One message, to the log (by settings.log_level) and, for warnings and errors, to the program's debug-utils
 * messengers. `object` is 0 or the handle that the message is about, which is no device's. Thread-safe; may be called
 * from any hook.
 */
void message(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object, const char *format,
             ...) PRINTF_LIKE(5, 6);

/* An object of the program's that a message is about: its own handle. */
struct message_object {
    VkObjectType type;
    uint64_t handle; /* 0: none; it is left out */
};

enum { MESSAGE_OBJECTS = 4 }; /* of one message */

/* A list of them: ABOUT({type, handle}, ...) */
#define ABOUT(...)                                                                                                     \
    (const struct message_object[MESSAGE_OBJECTS + 1])                                                                 \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/*
 * The same about objects of a device: up to MESSAGE_OBJECTS, and one whose type is VK_OBJECT_TYPE_UNKNOWN ends the
 * list. NULL, or no object: it is about the device. The messengers get the objects with the names that the program gave
 * them (object_names.h), the log shows them behind the text.
 */
void message_about(const struct device *device, enum log_level level, const struct message_object *objects,
                   const char *format, ...) PRINTF_LIKE(4, 5);

/* A place in the code whose message is given once for each instance: static, and zero at first. */
struct message_place {
    _Atomic(uint32_t) number; /* among the places that gave a message; 0: none yet */
};

/* True: the first message of a place to an instance. Thread-safe, no lock. */
bool message_first(struct message_place *place, struct instance *instance);

/* message(), once for each instance and place. */
#define message_once(place, instance, ...)                                                                             \
    do {                                                                                                               \
        if (message_first((place), (instance)))                                                                        \
            message((instance), __VA_ARGS__);                                                                          \
    } while (0)

/* message_about(), once for each instance and place. */
#define message_about_once(place, device, ...)                                                                         \
    do {                                                                                                               \
        if (message_first((place), (device)->instance))                                                                \
            message_about((device), __VA_ARGS__);                                                                      \
    } while (0)

/* Before the first message, and after the last. The settings are read between the two steps of opening. */
void message_init(struct instance *instance);
void message_open_log(struct instance *instance);
void message_close(struct instance *instance);

#endif
