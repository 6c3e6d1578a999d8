/* SPDX-License-Identifier: MIT */
/* Held messages: deep copies in lists, one for each thread that holds messages, and one for each instance. */
#include "device/held.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/threads.h"
#include "text/text.h"

enum { LEFT_MOST = 256 }; /* of an instance: if the program makes no call for long, later ones are dropped */

struct held_message {
    struct held_message *next;
    struct instance *instance;
    const struct messenger *to; /* NULL: all of the instance */
    VkDebugUtilsMessageSeverityFlagBitsEXT severity;
    VkDebugUtilsMessageTypeFlagsEXT types;
    VkDebugUtilsMessengerCallbackDataEXT data;
    struct message_report report;
};

/* The key of a thread's held messages: thread-local words are few (tls_test.c). */
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool has_key;

static void make_key(void)
{
    has_key = pthread_key_create(&key, NULL) == 0;
}

/* NULL: this thread holds nothing. */
static struct held_messages *holding(void)
{
    pthread_once(&key_once, make_key);
    return has_key ? pthread_getspecific(key) : NULL;
}

static void hold_in(struct held_messages *held)
{
    if (has_key)
        (void)pthread_setspecific(key, held);
}

/* ---- Copies ---- */

/* Memory behind a `struct held_message`; NULL while it is counted what that takes. */
struct copies {
    char *memory;
    size_t used;
};

static void *copy_bytes(struct copies *copies, const void *from, size_t size)
{
    void *to = copies->memory ? copies->memory + copies->used : NULL;
    if (to && size)
        memcpy(to, from, size);
    copies->used += (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
    return to;
}

static const char *copy_text(struct copies *copies, const char *text)
{
    return text ? copy_bytes(copies, text, strlen(text) + 1) : NULL;
}

static const VkDebugUtilsLabelEXT *copy_labels(struct copies *copies, const VkDebugUtilsLabelEXT *from, uint32_t count)
{
    VkDebugUtilsLabelEXT *labels = copy_bytes(copies, from, count * sizeof(*from));
    for (uint32_t i = 0; i < count; i++) {
        const char *name = copy_text(copies, from[i].pLabelName);
        if (labels) {
            labels[i].pLabelName = name;
            labels[i].pNext = NULL;
        }
    }
    return labels;
}

static const VkDebugUtilsObjectNameInfoEXT *copy_objects(struct copies *copies,
                                                         const VkDebugUtilsObjectNameInfoEXT *from, uint32_t count)
{
    VkDebugUtilsObjectNameInfoEXT *objects = copy_bytes(copies, from, count * sizeof(*from));
    for (uint32_t i = 0; i < count; i++) {
        const char *name = copy_text(copies, from[i].pObjectName);
        if (objects) {
            objects[i].pObjectName = name;
            objects[i].pNext = NULL;
        }
    }
    return objects;
}

/* Of chains the one structure that Vulkan has for them: others are left out. */
static const void *copy_chain(struct copies *copies, const void *chain)
{
#ifdef VK_EXT_device_address_binding_report
    for (const VkBaseInStructure *node = chain; node; node = node->pNext) {
        if (node->sType != VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT)
            continue;
        VkDeviceAddressBindingCallbackDataEXT *binding =
            copy_bytes(copies, node, sizeof(VkDeviceAddressBindingCallbackDataEXT));
        if (binding)
            binding->pNext = NULL;
        return binding;
    }
#else
    (void)copies, (void)chain;
#endif
    return NULL;
}

/* The same steps to count and to copy. */
static void copy_texts(struct copies *copies, const struct held_message *from, struct held_message *to)
{
    const VkDebugUtilsMessengerCallbackDataEXT *data = &from->data;
    to->data.pNext = copy_chain(copies, data->pNext);
    to->data.pMessageIdName = copy_text(copies, data->pMessageIdName);
    to->data.pMessage = copy_text(copies, data->pMessage);
    to->data.pQueueLabels = copy_labels(copies, data->pQueueLabels, data->queueLabelCount);
    to->data.pCmdBufLabels = copy_labels(copies, data->pCmdBufLabels, data->cmdBufLabelCount);
    to->data.pObjects = copy_objects(copies, data->pObjects, data->objectCount);
    to->report.prefix = copy_text(copies, from->report.prefix);
    to->report.text = copy_text(copies, from->report.text);
}

/* ---- Where memory runs out ---- */

/* Static memory for a few messages with their texts cut, so that a program that is out of memory gets the reason. */
enum { SPARE = 4, SPARE_TEXT = 1024, SPARE_NAME = 64 };

static struct spare {
    struct held_message message;
    atomic_bool taken;
    char name[SPARE_NAME], text[SPARE_TEXT];
} spares[SPARE];

static struct held_message *hold_spare(const struct held_message *message)
{
    const char *text = message->data.pMessage ? message->data.pMessage : message->report.text;
    for (unsigned i = 0; i < SPARE; i++) {
        struct spare *spare = &spares[i];
        if (atomic_exchange_explicit(&spare->taken, true, memory_order_acquire))
            continue;
        const char *name = message->data.pMessageIdName ? message->data.pMessageIdName : message->report.prefix;
        snprintf(spare->name, sizeof(spare->name), "%s", name ? name : "");
        snprintf(spare->text, sizeof(spare->text), "%s", text ? text : "");
        text_cut(spare->name);
        text_cut(spare->text);
        spare->message = (struct held_message){
            .instance = message->instance,
            .to = message->to,
            .severity = message->severity,
            .types = message->types,
            .data = {.sType = message->data.sType,
                     .flags = message->data.flags,
                     .pMessageIdName = spare->name,
                     .messageIdNumber = message->data.messageIdNumber,
                     .pMessage = spare->text},
            .report = message->report,
        };
        spare->message.report.prefix = spare->name;
        spare->message.report.text = spare->text;
        return &spare->message;
    }
    return NULL;
}

static void held_free(struct held_message *held)
{
    for (unsigned i = 0; i < SPARE; i++) {
        if (held == &spares[i].message) {
            atomic_store_explicit(&spares[i].taken, false, memory_order_release);
            return;
        }
    }
    free(held);
}

static void append(struct held_messages *list, struct held_message *held)
{
    held->next = NULL;
    *(list->last ? &list->last->next : &list->first) = held;
    list->last = held;
}

static void hold(const struct held_message *message)
{
    struct held_message *held, counted = *message;
    struct copies copies = {NULL, 0};
    copy_texts(&copies, message, &counted);
    const size_t head = (sizeof(*held) + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
    held = malloc(head + copies.used);
    if (held) {
        *held = *message;
        copies = (struct copies){(char *)held + head, 0};
        copy_texts(&copies, message, held);
    } else {
        held = hold_spare(message);
    }
    if (held)
        append(holding(), held);
}

/* ---- Saying ---- */

struct messenger messenger_from(const VkDebugUtilsMessengerCreateInfoEXT *info)
{
    return (struct messenger){
        .severities = info->messageSeverity,
        .types = info->messageType,
        .callback = info->pfnUserCallback,
        .user = info->pUserData,
    };
}

static bool wants(const struct messenger *messenger, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                  VkDebugUtilsMessageTypeFlagsEXT types)
{
    return messenger->callback && (messenger->severities & severity) && (messenger->types & types);
}

/* The newest of those that are older than a number, as a copy; false: there is none. */
static bool next_messenger(struct instance *instance, struct messenger *messenger)
{
    pthread_mutex_lock(&instance->messenger_lock);
    const struct messenger *found = instance->messengers;
    while (found && found->number >= messenger->number)
        found = found->next;
    if (found)
        *messenger = *found;
    pthread_mutex_unlock(&instance->messenger_lock);
    return found != NULL;
}

static void report_all(struct instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                       VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    struct messenger messenger = {.number = UINT64_MAX};
    while (next_messenger(instance, &messenger)) {
        if (wants(&messenger, severity, types))
            messenger.callback(severity, types, data, messenger.user);
    }
}

VkBool32 messenger_call(const struct messenger *messenger, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                        VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    if (!holding())
        return messenger->callback(severity, types, data, messenger->user);
    hold(&(struct held_message){
        .instance = messenger->instance, .to = messenger, .severity = severity, .types = types, .data = *data});
    return VK_FALSE;
}

static VkBool32 call_report(const struct messenger *messenger, const struct message_report *report)
{
    return messenger->report(report->flags, report->type, report->object, report->location, report->code,
                             report->prefix, report->text, messenger->user);
}

VkBool32 messenger_call_report(const struct messenger *messenger, const struct message_report *report)
{
    if (!holding())
        return call_report(messenger, report);
    hold(&(struct held_message){.instance = messenger->instance, .to = messenger, .report = *report});
    return VK_FALSE;
}

void messengers_report(struct instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                       const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    const VkDebugUtilsMessageTypeFlagsEXT types = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
    messages_report_left(instance);
    if (holding())
        hold(&(struct held_message){.instance = instance, .severity = severity, .types = types, .data = *data});
    else
        report_all(instance, severity, types, data);
}

static void deliver(const struct held_message *held)
{
    if (!held->to)
        report_all(held->instance, held->severity, held->types, &held->data);
    else if (held->to->callback)
        held->to->callback(held->severity, held->types, &held->data, held->to->user);
    else
        call_report(held->to, &held->report);
}

static struct held_message *take_first(struct held_messages *list)
{
    struct held_message *held = list->first;
    if (held && !(list->first = held->next))
        list->last = NULL;
    return held;
}

/* ---- Waiting ---- */

void messages_hold(struct held_messages *held)
{
    *held = (struct held_messages){.cancel = thread_uncancelled()};
    if (!holding())
        hold_in(held);
}

void messages_hold_here(struct held_messages *held)
{
    messages_hold(held);
    held->layers = true;
}

bool messages_on_layers_thread(void)
{
    const struct held_messages *own = holding();
    return own && own->layers;
}

void messages_release(struct held_messages *held)
{
    if (holding() == held) {
        hold_in(NULL);
        messages_deliver(held);
    }
    thread_cancelled_again(held->cancel);
}

void messages_take(struct held_messages *held, struct held_messages *to)
{
    if (holding() == held)
        hold_in(NULL);
    *to = *held;
    thread_cancelled_again(held->cancel);
}

void messages_deliver(struct held_messages *held)
{
    for (struct held_message *first; (first = take_first(held));) {
        if (holding()) {
            append(holding(), first);
            continue;
        }
        deliver(first);
        held_free(first);
    }
}

void messages_leave(struct held_messages *held)
{
    for (struct held_message *first; (first = take_first(held));) {
        struct instance *instance = first->instance;
        pthread_mutex_lock(&instance->messenger_lock);
        const bool kept = atomic_load_explicit(&instance->left_count, memory_order_relaxed) < LEFT_MOST;
        if (kept) {
            append(&instance->left, first);
            atomic_fetch_add_explicit(&instance->left_count, 1, memory_order_relaxed);
        }
        pthread_mutex_unlock(&instance->messenger_lock);
        if (!kept)
            held_free(first);
    }
}

static struct held_messages take_left(struct instance *instance)
{
    pthread_mutex_lock(&instance->messenger_lock);
    const struct held_messages left = instance->left;
    instance->left = (struct held_messages){.first = NULL};
    atomic_store_explicit(&instance->left_count, 0, memory_order_relaxed);
    pthread_mutex_unlock(&instance->messenger_lock);
    return left;
}

void messages_report_left_now(struct instance *instance)
{
    if (holding())
        return;
    struct held_messages left = take_left(instance);
    messages_deliver(&left);
}

void messages_drop(struct instance *instance)
{
    struct held_messages left = take_left(instance);
    for (struct held_message *first; (first = take_first(&left));)
        held_free(first);
}
