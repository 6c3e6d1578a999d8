/* SPDX-License-Identifier: MIT */
/*
 * The program's allocation callbacks, which check how they are used: each object of the program's has some of its own,
 * and memory is freed through those that it was taken from; alignments and scopes are those that Vulkan has; what the
 * layer took for an object is gone with it.
 */
#include <stdlib.h>
#include <string.h>

#include "failures/session.h"

enum { OWNERS = 8192, MAGIC = 0x51ab1e5, GONE = 0x60e };

struct owner {
    VkAllocationCallbacks callbacks;
    _Atomic uint32_t live_of_layer, live;
};
static struct owner owners[OWNERS];
static _Atomic uint32_t taken;

struct header {
    void *block;
    struct owner *owner;
    size_t size, alignment;
    uint32_t magic;
    bool of_layer;
};

/* And not from the driver, for which the layer may call. */
static bool is_from_layer(const void *address)
{
    return session_in_layer() && session_is_layer(address);
}

static bool is_right_scope(VkSystemAllocationScope scope)
{
    if (scope == VK_SYSTEM_ALLOCATION_SCOPE_COMMAND)
        return true;
    switch (session_hook()) {
    case HOOK_CreateInstance:
        return scope == VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE;
    case HOOK_CreateDevice:
        return scope == VK_SYSTEM_ALLOCATION_SCOPE_DEVICE;
    default:
        return scope == VK_SYSTEM_ALLOCATION_SCOPE_OBJECT || scope == VK_SYSTEM_ALLOCATION_SCOPE_CACHE;
    }
}

static void *take(struct owner *owner, size_t size, size_t alignment, bool of_layer)
{
    const size_t room = sizeof(struct header) + (alignment < 16 ? 16 : alignment);
    char *block = malloc(size + 2 * room);
    if (!block)
        return NULL;
    uintptr_t address = (uintptr_t)block + room;
    address = (address + alignment - 1) / alignment * alignment;
    struct header *header = (struct header *)(address / 16 * 16) - 1;
    *header = (struct header){block, owner, size, alignment, MAGIC, of_layer};
    owner->live++;
    owner->live_of_layer += header->of_layer;
    return (void *)address;
}

static struct header *header_of(void *memory)
{
    return (struct header *)((uintptr_t)memory / 16 * 16) - 1;
}

static void *take_checked(struct owner *owner, size_t size, size_t alignment, VkSystemAllocationScope scope,
                          bool of_layer)
{
    if (!alignment || (alignment & (alignment - 1)))
        problem("an allocation callback is called with alignment %zu", alignment);
    if (of_layer && !is_right_scope(scope))
        problem("%s: an allocation callback is called with scope %d",
                session_hook() < HOOK_COUNT ? failures_hooks[session_hook()].name : "a worker", (int)scope);
    if (of_layer && session_fails(CALLBACK, "pfnAllocation", 0))
        return NULL;
    return take(owner, size, alignment ? alignment : 1, of_layer);
}

static VKAPI_ATTR void *VKAPI_CALL allocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    return take_checked(user, size, alignment, scope, is_from_layer(__builtin_return_address(0)));
}

static VKAPI_ATTR void VKAPI_CALL give(void *user, void *memory)
{
    struct owner *owner = user;
    if (!memory)
        return;
    struct header *header = header_of(memory);
    if (header->magic != MAGIC) { /* loaders do so with memory of messengers */
        if (is_from_layer(__builtin_return_address(0)) || header->magic == GONE)
            problem("pfnFree is called with what pfnAllocation has not given, or what was freed before");
        return;
    }
    /* What drivers do with the callbacks of two objects that both have been given is theirs. */
    if (header->owner != owner && (header->of_layer || is_from_layer(__builtin_return_address(0))))
        problem("pfnFree of one object is called with memory of another one");
    header->owner->live--;
    header->owner->live_of_layer -= header->of_layer;
    header->magic = GONE;
    free(header->block);
}

static VKAPI_ATTR void *VKAPI_CALL reallocate(void *user, void *memory, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    const bool of_layer = is_from_layer(__builtin_return_address(0));
    if (!memory)
        return take_checked(user, size, alignment, scope, of_layer);
    if (!size) {
        give(user, memory);
        return NULL;
    }
    struct header *header = header_of(memory);
    if (header->magic != MAGIC || header->alignment != alignment)
        problem("pfnReallocation is called with what pfnAllocation has not given, or another alignment");
    void *grown = take_checked(user, size, alignment, scope, of_layer);
    if (grown) {
        memcpy(grown, memory, header->size < size ? header->size : size);
        give(user, memory);
    }
    return grown;
}

const VkAllocationCallbacks *callbacks_take(void)
{
    const uint32_t index = atomic_fetch_add(&taken, 1);
    if (!session->callbacks || index >= OWNERS)
        return NULL;
    owners[index].callbacks = (VkAllocationCallbacks){
        .pUserData = &owners[index], .pfnAllocation = allocate, .pfnReallocation = reallocate, .pfnFree = give};
    return &owners[index].callbacks;
}

const VkAllocationCallbacks *failures_callbacks(const VkAllocationCallbacks *given)
{
    return given || !session->callbacks ? given : callbacks_take();
}

bool callbacks_match(const VkAllocationCallbacks *a, const VkAllocationCallbacks *b)
{
    return a == b ||
           (a && b && a->pUserData == b->pUserData && a->pfnFree == b->pfnFree && a->pfnAllocation == b->pfnAllocation);
}

void callbacks_done(const VkAllocationCallbacks *callbacks, const char *what)
{
    if (!callbacks || callbacks->pfnFree != give)
        return;
    const struct owner *owner = callbacks->pUserData;
    if (owner->live_of_layer)
        problem("%s is gone, and %u allocations of the layer through its callbacks are not", what,
                (unsigned)owner->live_of_layer);
}
