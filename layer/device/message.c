/* SPDX-License-Identifier: MIT */
/*
 * Writes messages to the log and gives them to the program's debug-utils messengers. The hooks that create and destroy
 * those are here, so that the layer can call them itself.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/allocate.h"
#include "device/device.h"
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

/*
 * A messenger of the program. The layer calls it directly: the loader holds its own lock during vkCreateDevice and the
 * enumerations, and takes it again in vkSubmitDebugUtilsMessageEXT.
 */
struct messenger {
    struct messenger *next;
    VkDebugUtilsMessengerEXT handle;
    VkDebugUtilsMessageSeverityFlagsEXT severities;
    VkDebugUtilsMessageTypeFlagsEXT types;
    PFN_vkDebugUtilsMessengerCallbackEXT callback;
    void *user;
};

static struct messenger messenger_from(const VkDebugUtilsMessengerCreateInfoEXT *info)
{
    return (struct messenger){
        .severities = info->messageSeverity,
        .types = info->messageType,
        .callback = info->pfnUserCallback,
        .user = info->pUserData,
    };
}

static void tell(const struct messenger *messenger, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                 const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    const VkDebugUtilsMessageTypeFlagsEXT type = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
    if ((messenger->severities & severity) && (messenger->types & type))
        messenger->callback(severity, type, data, messenger->user);
}

/* Messengers that are chained to VkInstanceCreateInfo hear what is said while there is no instance yet. */
static void tell_creation_messengers(const void *chain, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                     const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    for (const VkBaseInStructure *node = chain; node; node = node->pNext) {
        if (node->sType == VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT) {
            const struct messenger messenger = messenger_from((const void *)node);
            tell(&messenger, severity, data);
        }
    }
}

/* What a message is about, with the names of the objects: empty texts where they have none. */
struct subject {
    uint32_t count;
    struct message_object objects[MESSAGE_OBJECTS];
    char names[MESSAGE_OBJECTS][NAME_MOST];
};

static void tell_messengers(struct instance *instance, enum log_level level, const struct subject *subject,
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
    tell_creation_messengers(instance->creating, severity, &data);
    pthread_mutex_lock(&instance->messenger_lock);
    for (const struct messenger *messenger = instance->messengers; messenger; messenger = messenger->next)
        tell(messenger, severity, &data);
    pthread_mutex_unlock(&instance->messenger_lock);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateDebugUtilsMessengerEXT(VkInstance instance,
                                                                 const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
                                                                 const VkAllocationCallbacks *pAllocator,
                                                                 VkDebugUtilsMessengerEXT *pMessenger)
{
    struct instance *known = instance_of(instance);
    struct messenger *messenger = allocate(pAllocator, sizeof(*messenger), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!messenger)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = known->next.CreateDebugUtilsMessengerEXT(instance, pCreateInfo, pAllocator, pMessenger);
    if (result != VK_SUCCESS) {
        release(pAllocator, messenger);
        return result;
    }
    *messenger = messenger_from(pCreateInfo);
    messenger->handle = *pMessenger;
    pthread_mutex_lock(&known->messenger_lock);
    messenger->next = known->messengers;
    known->messengers = messenger;
    pthread_mutex_unlock(&known->messenger_lock);
    return VK_SUCCESS;
}

static struct messenger *take_messenger(struct instance *instance, VkDebugUtilsMessengerEXT handle)
{
    struct messenger **link = &instance->messengers, *found;
    pthread_mutex_lock(&instance->messenger_lock);
    while (*link && (*link)->handle != handle)
        link = &(*link)->next;
    found = *link;
    if (found)
        *link = found->next;
    pthread_mutex_unlock(&instance->messenger_lock);
    return found;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT messenger,
                                                              const VkAllocationCallbacks *pAllocator)
{
    struct instance *known = instance_of(instance);
    if (messenger)
        release(pAllocator, take_messenger(known, messenger));
    known->next.DestroyDebugUtilsMessengerEXT(instance, messenger, pAllocator);
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

/* One call, so that lines of several threads stay whole. */
static void write_line(const struct instance *instance, enum log_level level, const struct subject *subject,
                       const char *text)
{
    char line[TEXT_SIZE + OBJECTS_SIZE + 32], objects[OBJECTS_SIZE];
    write_objects(subject, objects);
    snprintf(line, sizeof(line), "clampler: %s: %s%s\n", level_names[level], text, objects);
    if (instance && instance->log)
        output_log_line(instance->log, line);
    else
        output_standard_error(line);
}

static bool is_heard(const struct instance *instance, enum log_level level)
{
    return level <= LOG_WARN || (instance && level <= instance->settings.log_level);
}

static void say(struct instance *instance, enum log_level level, const struct subject *subject, const char *format,
                va_list arguments)
{
    const enum log_level wanted = instance ? instance->settings.log_level : LOG_WARN;
    char text[TEXT_SIZE];
    vsnprintf(text, sizeof(text), format, arguments);
    text_clean(text);
    if (level <= wanted)
        write_line(instance, level, subject, text);
    if (instance && level <= LOG_WARN)
        tell_messengers(instance, level, subject, text);
}

void message(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object, const char *format,
             ...)
{
    const struct subject subject = {.count = object ? 1 : 0, .objects = {{type, object}}};
    va_list arguments;
    if (!is_heard(instance, level))
        return;
    va_start(arguments, format);
    say(instance, level, &subject, format, arguments);
    va_end(arguments);
}

void message_about(const struct device *device, enum log_level level, const struct message_object *objects,
                   const char *format, ...)
{
    struct object_names *names = (struct object_names *)(uintptr_t)&device->names;
    struct subject subject = {.count = 0};
    va_list arguments;
    if (!is_heard(device->instance, level))
        return;
    for (uint32_t i = 0; objects && i < MESSAGE_OBJECTS && objects[i].type != VK_OBJECT_TYPE_UNKNOWN; i++) {
        if (objects[i].handle)
            subject.objects[subject.count++] = objects[i];
    }
    if (!subject.count)
        subject.objects[subject.count++] =
            (struct message_object){VK_OBJECT_TYPE_DEVICE, (uint64_t)(uintptr_t)device->handle};
    for (uint32_t i = 0; i < subject.count; i++)
        object_names_copy(names, subject.objects[i].type, subject.objects[i].handle, subject.names[i]);
    va_start(arguments, format);
    say(device->instance, level, &subject, format, arguments);
    va_end(arguments);
}

void message_init(struct instance *instance)
{
    pthread_mutex_init(&instance->messenger_lock, NULL);
    output_has_standard_error(); /* looked at before the program opens more files */
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
    output_close_log(instance->log);
    pthread_mutex_destroy(&instance->messenger_lock);
}
