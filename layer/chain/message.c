#include <stdarg.h>
#include <string.h>

#include "private.h"

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

/* Messengers that are chained to VkInstanceCreateInfo hear what is said while there is no instance yet. */
static void tell_creation_messengers(const struct instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                     const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    for (const VkBaseInStructure *node = instance->creating; node; node = node->pNext) {
        if (node->sType != VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT)
            continue;
        const VkDebugUtilsMessengerCreateInfoEXT *messenger = (const void *)node;
        if ((messenger->messageSeverity & severity) && (messenger->messageType & types))
            messenger->pfnUserCallback(severity, types, data, messenger->pUserData);
    }
}

static void tell_messengers(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object,
                            const char *text)
{
    const VkDebugUtilsMessageSeverityFlagBitsEXT severity = severity_of(level);
    const VkDebugUtilsMessageTypeFlagsEXT types = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
    const VkDebugUtilsObjectNameInfoEXT about = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = object,
    };
    const VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .pMessageIdName = MESSAGE_ID_NAME,
        .messageIdNumber = MESSAGE_ID,
        .pMessage = text,
        .objectCount = object ? 1 : 0,
        .pObjects = object ? &about : NULL,
    };
    if (instance->creating)
        tell_creation_messengers(instance, severity, types, &data);
    else if (instance->debug_utils && instance->next.SubmitDebugUtilsMessageEXT)
        instance->next.SubmitDebugUtilsMessageEXT(instance->handle, severity, types, &data);
}

void message(struct instance *instance, enum log_level level, VkObjectType type, uint64_t object, const char *format,
             ...)
{
    const enum log_level wanted = instance ? instance->settings.log_level : LOG_WARN;
    char text[1024];
    va_list arguments;

    if (level > wanted && level > LOG_WARN)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);

    /* One call, so that lines of several threads stay whole. */
    if (level <= wanted)
        fprintf(instance && instance->log ? instance->log : stderr, "clampler: %s: %s\n", level_names[level], text);
    if (instance && level <= LOG_WARN)
        tell_messengers(instance, level, type, object, text);
}

void message_open(struct instance *instance)
{
    if (!instance->settings.log_file[0])
        return;
    instance->log = fopen(instance->settings.log_file, "ae");
    if (instance->log)
        setvbuf(instance->log, NULL, _IOLBF, BUFSIZ);
    else
        message(instance, LOG_WARN, VK_OBJECT_TYPE_UNKNOWN, 0, "log_file: cannot open %s; the log is on standard error",
                instance->settings.log_file);
}

void message_close(struct instance *instance)
{
    if (instance->log)
        fclose(instance->log);
    instance->log = NULL;
}
