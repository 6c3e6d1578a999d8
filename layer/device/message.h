/* SPDX-License-Identifier: MIT */
/* What the layer says: to the log, and to the program's debug-utils messengers. */
#ifndef CLAMPLER_DEVICE_MESSAGE_H
#define CLAMPLER_DEVICE_MESSAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "platform/platform.h"
#include "settings/settings.h"

struct instance;

/*
 * One message, to the log (by settings.log_level) and, for warnings and errors, to the program's debug-utils
 * messengers. `object` is 0 or the handle that the message is about. Thread-safe; may be called from any hook.
 */
void message(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object, const char *format,
             ...) PRINTF_LIKE(5, 6);

/* A place that says something once for each instance: static, and zero at first. */
struct message_place {
    _Atomic(uint32_t) number; /* among those that have said something; 0: none yet */
};

/* Whether a place says it for the first time to an instance. Thread-safe, no lock. */
bool message_first(struct message_place *place, struct instance *instance);

/* message(), once for each instance and place. */
#define message_once(place, instance, ...)                                                                             \
    do {                                                                                                               \
        if (message_first((place), (instance)))                                                                        \
            message((instance), __VA_ARGS__);                                                                          \
    } while (0)

/* Before the first message, and after the last. The settings are read between the two steps of opening. */
void message_init(struct instance *instance);
void message_open_log(struct instance *instance);
void message_close(struct instance *instance);

#endif
