/* SPDX-License-Identifier: MIT */
/* Writes messages to the log and gives them to the program's debug-utils messengers. */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/held.h"
#include "device/instance.h"
#include "device/message.h"
#include "device/object_names.h"
#include "names/names.h"
#include "platform/output.h"
#include "text/text.h"

#define MESSAGE_ID_NAME "CLAMPLER"
#define MESSAGE_ID 1000999000

static const char *const level_names[] = {"off", "error", "warn", "info", "debug"};

static VkDebugUtilsMessageSeverityFlagBitsEXT severity_of(enum log_level level)
{
    switch (level) {
    case LOG_ERROR:
        return VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    case LOG_WARN:
        return VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
    case LOG_INFO:
        return VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
    default:
        return VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT;
    }
}

/* Messengers that are chained to VkInstanceCreateInfo get messages before there is an instance. */
static void report_to_creation_messengers(const void *chain, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    for (const VkBaseInStructure *node = chain; node; node = node->pNext) {
        if (node->sType == VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT) {
            const struct messenger messenger = messenger_from((const void *)node);
            if ((messenger.severities & severity) && (messenger.types & VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT))
                messenger.callback(severity, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, data, messenger.user);
        }
    }
}

/* The objects of a message with their names, which may be empty. */
struct subject {
    uint32_t count;
    struct message_object objects[MESSAGE_OBJECTS];
    char names[MESSAGE_OBJECTS][NAME_MOST];
};

static void report_to_messengers(struct instance *instance, enum log_level level, const struct subject *subject,
                                 const char *text)
{
    const VkDebugUtilsMessageSeverityFlagBitsEXT severity = severity_of(level);
    VkDebugUtilsObjectNameInfoEXT about[MESSAGE_OBJECTS];
    for (uint32_t i = 0; i < subject->count; i++) {
        about[i] = (VkDebugUtilsObjectNameInfoEXT){
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
            .objectType = subject->objects[i].type,
            .objectHandle = subject->objects[i].handle,
            .pObjectName = subject->names[i][0] ? subject->names[i] : NULL,
        };
    }
    const VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .pMessageIdName = MESSAGE_ID_NAME,
        .messageIdNumber = MESSAGE_ID,
        .pMessage = text,
        .objectCount = subject->count,
        .pObjects = subject->count ? about : NULL,
    };
    report_to_creation_messengers(instance->creating, severity, &data);
    messengers_report(instance, severity, &data);
}

static const char *type_word(VkObjectType type)
{
    switch ((uint32_t)type) { /* older headers lack some */
    case VK_OBJECT_TYPE_DEVICE:
        return "device";
    case VK_OBJECT_TYPE_COMMAND_BUFFER:
        return "command buffer";
    case VK_OBJECT_TYPE_BUFFER:
        return "buffer";
    case VK_OBJECT_TYPE_IMAGE:
        return "image";
    case VK_OBJECT_TYPE_IMAGE_VIEW:
        return "image view";
    case VK_OBJECT_TYPE_SHADER_MODULE:
        return "shader module";
    case VK_OBJECT_TYPE_PIPELINE:
        return "pipeline";
    case VK_OBJECT_TYPE_SAMPLER:
        return "sampler";
    case VK_OBJECT_TYPE_SHADER_EXT:
        return "shader object";
    default:
        return "object";
    }
}

enum { TEXT_SIZE = 1024, OBJECTS_SIZE = MESSAGE_OBJECTS * (NAME_MOST + 48) };

/* " [sampler "sky" 0x1234, image view 0x5678]"; nothing for the device alone, which every line is of, without a name.
 */
static void write_objects(const struct subject *subject, char text[OBJECTS_SIZE])
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < subject->count; i++) {
        const struct message_object *object = &subject->objects[i];
        char name[NAME_MOST];
        const bool named = text_show(subject->names[i], name, sizeof(name)) != 0;
        if (named || (object->type != VK_OBJECT_TYPE_DEVICE && object->type != VK_OBJECT_TYPE_PHYSICAL_DEVICE))
            used += (size_t)snprintf(text + used, OBJECTS_SIZE - used, "%s%s%s%s%s 0x%llx", used ? ", " : " [",
                                     type_word(object->type), named ? " \"" : "", name, named ? "\"" : "",
                                     (unsigned long long)object->handle);
    }
    if (used)
        snprintf(text + used, OBJECTS_SIZE - used, "]");
}

/*
 * Buffers for the text of a message. Not on the stack, because programs may record on small stacks. Where memory runs
 * out, one thread at a time has the spare one.
 */
struct saying {
    struct subject subject;
    char text[TEXT_SIZE], objects[OBJECTS_SIZE], line[TEXT_SIZE + OBJECTS_SIZE + 32];
};

static struct saying spare;
static atomic_flag spare_taken = ATOMIC_FLAG_INIT;

static struct saying *saying_acquire(void)
{
    struct saying *saying = calloc(1, sizeof(*saying));
    if (saying || atomic_flag_test_and_set(&spare_taken))
        return saying;
    spare.subject.count = 0;
    return &spare;
}

static void saying_release(struct saying *saying)
{
    if (saying != &spare)
        free(saying);
    else
        atomic_flag_clear(&spare_taken);
}

/* One call, so that lines of several threads stay whole. */
static void write_line(const struct instance *instance, enum log_level level, struct saying *saying)
{
    write_objects(&saying->subject, saying->objects);
    snprintf(saying->line, sizeof(saying->line), "clampler: %s: %s%s\n", level_names[level], saying->text,
             saying->objects);
    if (instance && instance->log)
        output_log_line(instance->log, saying->line);
    else
        output_standard_error(saying->line);
}

static bool is_heard(const struct instance *instance, enum log_level level)
{
    return level <= LOG_WARN || (instance && level <= instance->settings.log_level);
}

static void say(struct instance *instance, enum log_level level, struct saying *saying, const char *format,
                va_list arguments)
{
    const enum log_level wanted = instance ? instance->settings.log_level : LOG_WARN;
    vsnprintf(saying->text, sizeof(saying->text), format, arguments);
    text_clean(saying->text);
    if (level <= wanted)
        write_line(instance, level, saying);
    if (instance && level <= LOG_WARN)
        report_to_messengers(instance, level, &saying->subject, saying->text);
}

void message(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object, const char *format,
             ...)
{
    va_list arguments;
    struct saying *saying = is_heard(instance, level) ? saying_acquire() : NULL;
    if (!saying)
        return;
    if (object)
        saying->subject.objects[saying->subject.count++] = (struct message_object){type, object};
    va_start(arguments, format);
    say(instance, level, saying, format, arguments);
    va_end(arguments);
    saying_release(saying);
}

void message_about(const struct device *device, enum log_level level, const struct message_object *objects,
                   const char *format, ...)
{
    struct object_names *names = (struct object_names *)(uintptr_t)&device->names;
    va_list arguments;
    struct saying *saying = is_heard(device->instance, level) ? saying_acquire() : NULL;
    if (!saying)
        return;
    struct subject *subject = &saying->subject;
    for (uint32_t i = 0; objects && i < MESSAGE_OBJECTS && objects[i].type != VK_OBJECT_TYPE_UNKNOWN; i++) {
        if (objects[i].handle)
            subject->objects[subject->count++] = objects[i];
    }
    if (!subject->count)
        subject->objects[subject->count++] =
            (struct message_object){VK_OBJECT_TYPE_DEVICE, (uint64_t)(uintptr_t)device->handle};
    for (uint32_t i = 0; i < subject->count; i++)
        object_names_copy(names, subject->objects[i].type, subject->objects[i].handle, subject->names[i]);
    va_start(arguments, format);
    say(device->instance, level, saying, format, arguments);
    va_end(arguments);
    saying_release(saying);
}

void message_init(struct instance *instance)
{
    pthread_mutex_init(&instance->messenger_lock, NULL);
    output_has_standard_error(); /* decided before the program opens more files */
}

void message_open_log(struct instance *instance)
{
    if (!instance->settings.log_file[0])
        return;
    instance->log = output_open_log(instance->settings.log_file);
    if (!instance->log)
        message(instance, LOG_WARN, VK_OBJECT_TYPE_UNKNOWN, 0,
                "log_file: cannot open %s: %s; the log is on standard error", instance->settings.log_file,
                output_reason(errno));
}

void message_close(struct instance *instance)
{
    messages_drop(instance);
    output_close_log(instance->log);
    pthread_mutex_destroy(&instance->messenger_lock);
}
