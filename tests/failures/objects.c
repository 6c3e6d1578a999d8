/* SPDX-License-Identifier: MIT */
/* What the driver has made and not destroyed, and which of it is the program's own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failures/session.h"

enum { OBJECTS = 1 << 15, BUCKETS = 1 << 14, NONE = 0 };

static struct {
    pthread_mutex_t lock;
    struct object objects[OBJECTS]; /* the first is never used */
    uint32_t buckets[BUCKETS], used, free, serial, live;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .used = 1};

static uint32_t *bucket_of(enum failures_kind kind, uint64_t handle)
{
    const uint64_t mixed = (handle ^ (uint64_t)kind << 50) * 0x9e3779b97f4a7c15u;
    return &all.buckets[mixed >> 50];
}

static struct object *find(enum failures_kind kind, uint64_t handle)
{
    for (uint32_t i = *bucket_of(kind, handle); i != NONE; i = all.objects[i].next)
        if (all.objects[i].handle == handle && all.objects[i].kind == kind)
            return &all.objects[i];
    return NULL;
}

static struct object *add(enum failures_kind kind, uint64_t handle)
{
    uint32_t index = all.free;
    if (index != NONE)
        all.free = all.objects[index].next;
    else if (all.used < OBJECTS)
        index = all.used++;
    else
        abort();
    uint32_t *bucket = bucket_of(kind, handle);
    all.objects[index] = (struct object){.handle = handle,
                                         .kind = (uint16_t)kind,
                                         .serial = ++all.serial,
                                         .next = *bucket,
                                         .references = 1,
                                         .live = true};
    *bucket = index;
    all.live++;
    return &all.objects[index];
}

static void drop(struct object *object)
{
    const uint32_t index = (uint32_t)(object - all.objects);
    uint32_t *link = bucket_of(object->kind, object->handle);
    while (*link != index)
        link = &all.objects[*link].next;
    *link = object->next;
    object->live = false;
    object->next = all.free;
    all.free = index;
    all.live--;
}

static bool is_nested(enum failures_kind kind)
{
    return kind == KIND_VkDescriptorSet || kind == KIND_VkCommandBuffer;
}

/* ---- The driver ---- */

void failures_object_made(enum failures_kind kind, uint64_t handle, uint64_t parent, const void *device,
                          const VkAllocationCallbacks *callbacks)
{
    const bool of_program = session_hook() == HOOK_COUNT && !session_in_layer();
    pthread_mutex_lock(&all.lock);
    struct object *object = find(kind, handle);
    if (object)
        object->references++;
    else
        object = add(kind, handle);
    object->parent = parent;
    object->device = device;
    object->below = callbacks;
    object->of_program |= of_program;
    pthread_mutex_unlock(&all.lock);
}

void failures_object_gone(enum failures_kind kind, uint64_t handle, const VkAllocationCallbacks *callbacks)
{
    if (!handle)
        return;
    pthread_mutex_lock(&all.lock);
    struct object *object = find(kind, handle);
    if (!object) {
        problem("%s %#llx is destroyed, which the driver has not made, or has destroyed before",
                failures_kinds[kind].name, (unsigned long long)handle);
    } else {
        if (!is_nested(kind) && !callbacks_match(object->below, callbacks))
            problem("%s is destroyed with other allocation callbacks than it was created with",
                    failures_kinds[kind].name);
        if (--object->references == 0)
            drop(object);
    }
    pthread_mutex_unlock(&all.lock);
}

void failures_children_gone(uint64_t parent)
{
    if (!parent)
        return;
    pthread_mutex_lock(&all.lock);
    for (uint32_t i = 1; i < all.used; i++)
        if (all.objects[i].live && all.objects[i].parent == parent && is_nested(all.objects[i].kind))
            drop(&all.objects[i]);
    pthread_mutex_unlock(&all.lock);
}

void failures_device_gone(const void *device)
{
    char text[PROBLEM_SIZE / 2] = "";
    size_t used = 0;
    uint32_t left = 0;
    pthread_mutex_lock(&all.lock);
    for (uint32_t i = 1; i < all.used; i++) {
        struct object *object = &all.objects[i];
        if (!object->live || object->device != device)
            continue;
        if (!object->of_program && !is_nested(object->kind)) {
            left++;
            if (used + 40 < sizeof(text))
                used += (size_t)snprintf(text + used, sizeof(text) - used, " %s", failures_kinds[object->kind].name);
        }
        drop(object);
    }
    pthread_mutex_unlock(&all.lock);
    if (left)
        problem("%u objects of the layer's own outlive the device:%s", left, text);
}

bool failures_object_lives(enum failures_kind kind, uint64_t handle)
{
    pthread_mutex_lock(&all.lock);
    const bool lives = find(kind, handle) != NULL;
    pthread_mutex_unlock(&all.lock);
    return lives;
}

uint32_t objects_live(void)
{
    return all.live;
}

/* ---- The program ---- */

/* Of instances and devices the driver gets functions of the layer's, where the program gave some. */
static bool driver_got(enum failures_kind kind, const VkAllocationCallbacks *below, const VkAllocationCallbacks *given)
{
    return kind == KIND_VkInstance || kind == KIND_VkDevice ? !below == !given : callbacks_match(below, given);
}

void failures_program_made(enum failures_kind kind, uint64_t handle, uint64_t owner,
                           const VkAllocationCallbacks *callbacks)
{
    if (!handle)
        return;
    pthread_mutex_lock(&all.lock);
    struct object *object = find(kind, handle);
    if (!object) { /* not the driver's: only the layer knows it */
        object = add(kind, handle);
        object->below = callbacks;
        object->device = (const void *)(uintptr_t)owner;
        object->references = is_nested(kind) ? 1 : 0;
    } else if (!is_nested(kind) && !driver_got(kind, object->below, callbacks)) {
        problem("the driver got other allocation callbacks for %s than the program gave", failures_kinds[kind].name);
    }
    object->of_program = true;
    object->owner = owner;
    object->program = callbacks;
    pthread_mutex_unlock(&all.lock);
}

const VkAllocationCallbacks *failures_program_gone(enum failures_kind kind, uint64_t handle,
                                                   const VkAllocationCallbacks *given)
{
    pthread_mutex_lock(&all.lock);
    struct object *object = handle ? find(kind, handle) : NULL;
    const VkAllocationCallbacks *callbacks = object && object->program ? object->program : given;
    if (object && object->references == 0)
        drop(object);
    else if (object && !is_nested(kind))
        object->of_program =
            false; /* the driver may keep it until nothing is compiled with it: not the program's to destroy */
    pthread_mutex_unlock(&all.lock);
    return callbacks;
}

const VkAllocationCallbacks *failures_unhooked(enum failures_kind kind, uint64_t handle,
                                               const VkAllocationCallbacks *given)
{
    if (given || !handle || session_hook() != HOOK_COUNT)
        return given;
    pthread_mutex_lock(&all.lock);
    const struct object *object = find(kind, handle);
    const VkAllocationCallbacks *callbacks = object ? object->program : NULL;
    pthread_mutex_unlock(&all.lock);
    return callbacks;
}

/* Objects that one call has made have the same callbacks: the last one takes everything along. */
void failures_program_is_gone(const VkAllocationCallbacks *callbacks)
{
    bool others = false;
    pthread_mutex_lock(&all.lock);
    for (uint32_t i = 1; callbacks && i < all.used; i++)
        others |= all.objects[i].live && all.objects[i].program == callbacks;
    pthread_mutex_unlock(&all.lock);
    if (!others)
        callbacks_done(callbacks, "an object");
}

/* ---- Cleaning up ---- */

typedef VKAPI_ATTR void(VKAPI_PTR *destroy_function)(VkDevice device, uint64_t handle,
                                                     const VkAllocationCallbacks *callbacks);

static int by_serial(const void *a, const void *b)
{
    const struct object *left = a, *right = b;
    return left->serial < right->serial ? 1 : left->serial > right->serial ? -1 : 0;
}

static void destroy(const struct object *object)
{
    const VkDevice device = (VkDevice)(uintptr_t)object->device;
    const char *name = failures_kinds[object->kind].destroy;
    destroy_function call = name && device ? (destroy_function)(void (*)(void))vkGetDeviceProcAddr(device, name) : NULL;
    if (call)
        call(device, object->handle, object->program ? object->program : object->below);
}

void objects_clean_up(void)
{
    struct object *left = calloc(OBJECTS, sizeof(*left));
    uint32_t count = 0;
    if (!left)
        abort();
    pthread_mutex_lock(&all.lock);
    for (uint32_t i = 1; i < all.used; i++)
        if (all.objects[i].live && all.objects[i].of_program)
            left[count++] = all.objects[i];
    pthread_mutex_unlock(&all.lock);
    qsort(left, count, sizeof(*left), by_serial);
    for (uint32_t i = 0; i < count; i++)
        if (left[i].kind == KIND_VkDevice)
            vkDeviceWaitIdle((VkDevice)(uintptr_t)left[i].handle);
    for (uint32_t i = 0; i < count; i++)
        if (left[i].kind != KIND_VkDevice && left[i].kind != KIND_VkInstance && !is_nested(left[i].kind) &&
            left[i].kind != KIND_VkDebugUtilsMessengerEXT)
            destroy(&left[i]);
    for (uint32_t i = 0; i < count; i++)
        if (left[i].kind == KIND_VkDevice)
            vkDestroyDevice((VkDevice)(uintptr_t)left[i].handle, NULL);
    for (uint32_t i = 0; i < count; i++) {
        if (left[i].kind != KIND_VkDebugUtilsMessengerEXT)
            continue;
        const VkInstance instance = (VkInstance)(uintptr_t)left[i].owner;
        const PFN_vkDestroyDebugUtilsMessengerEXT call =
            (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT");
        call(instance, (VkDebugUtilsMessengerEXT)(uintptr_t)left[i].handle, NULL);
    }
    for (uint32_t i = 0; i < count; i++)
        if (left[i].kind == KIND_VkInstance)
            vkDestroyInstance((VkInstance)(uintptr_t)left[i].handle, NULL);
    free(left);
}
