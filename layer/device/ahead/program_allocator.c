/* SPDX-License-Identifier: MIT */
/* Calls the program's allocation functions, on a helper's thread through the thread that waits. */
#include "ahead/program_allocator.h"

#include "ahead/helper.h"

/* A call of any of the five. */
struct call {
    const VkAllocationCallbacks *program;
    void *memory; /* that there is, and the result */
    size_t size, alignment;
    VkInternalAllocationType type;
    VkSystemAllocationScope scope;
};

static void run_allocation(void *user)
{
    struct call *c = user;
    c->memory = c->program->pfnAllocation(c->program->pUserData, c->size, c->alignment, c->scope);
}

static void run_reallocation(void *user)
{
    struct call *c = user;
    c->memory = c->program->pfnReallocation(c->program->pUserData, c->memory, c->size, c->alignment, c->scope);
}

static void run_free(void *user)
{
    const struct call *c = user;
    c->program->pfnFree(c->program->pUserData, c->memory);
}

static void run_internal_allocation(void *user)
{
    const struct call *c = user;
    c->program->pfnInternalAllocation(c->program->pUserData, c->size, c->type, c->scope);
}

static void run_internal_free(void *user)
{
    const struct call *c = user;
    c->program->pfnInternalFree(c->program->pUserData, c->size, c->type, c->scope);
}

/* Not inlined: its copy of the call must not be a local of the functions behind it, which end in tail calls. */
__attribute__((noinline)) static void *ask(void (*run)(void *user), struct call call)
{
    helper_request(run, &call);
    return call.memory;
}

/*
 * On every thread but a helper's the program's function is a tail call, so that a program that looks up its caller
 * finds the driver.
 */
static VKAPI_ATTR void *VKAPI_CALL allocation(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    const VkAllocationCallbacks *program = user;
    if (!helper_is_here())
        return program->pfnAllocation(program->pUserData, size, alignment, scope);
    return ask(run_allocation, (struct call){.program = user, .size = size, .alignment = alignment, .scope = scope});
}

static VKAPI_ATTR void *VKAPI_CALL reallocation(void *user, void *original, size_t size, size_t alignment,
                                                VkSystemAllocationScope scope)
{
    const VkAllocationCallbacks *program = user;
    if (!helper_is_here())
        return program->pfnReallocation(program->pUserData, original, size, alignment, scope);
    return ask(run_reallocation, (struct call){
                                     .program = user,
                                     .memory = original,
                                     .size = size,
                                     .alignment = alignment,
                                     .scope = scope,
                                 });
}

static VKAPI_ATTR void VKAPI_CALL free_memory(void *user, void *memory)
{
    const VkAllocationCallbacks *program = user;
    if (helper_is_here())
        ask(run_free, (struct call){.program = user, .memory = memory});
    else
        program->pfnFree(program->pUserData, memory);
}

static VKAPI_ATTR void VKAPI_CALL internal_allocation(void *user, size_t size, VkInternalAllocationType type,
                                                      VkSystemAllocationScope scope)
{
    const VkAllocationCallbacks *program = user;
    if (helper_is_here())
        ask(run_internal_allocation, (struct call){.program = user, .size = size, .type = type, .scope = scope});
    else
        program->pfnInternalAllocation(program->pUserData, size, type, scope);
}

static VKAPI_ATTR void VKAPI_CALL internal_free(void *user, size_t size, VkInternalAllocationType type,
                                                VkSystemAllocationScope scope)
{
    const VkAllocationCallbacks *program = user;
    if (helper_is_here())
        ask(run_internal_free, (struct call){.program = user, .size = size, .type = type, .scope = scope});
    else
        program->pfnInternalFree(program->pUserData, size, type, scope);
}

const VkAllocationCallbacks *program_allocator_init(struct program_allocator *allocator,
                                                    const VkAllocationCallbacks *program)
{
    if (!program)
        return NULL;
    allocator->program = *program;
    allocator->driver = (VkAllocationCallbacks){
        .pUserData = &allocator->program,
        .pfnAllocation = allocation,
        .pfnReallocation = reallocation,
        .pfnFree = free_memory,
        .pfnInternalAllocation = program->pfnInternalAllocation ? internal_allocation : NULL,
        .pfnInternalFree = program->pfnInternalFree ? internal_free : NULL,
    };
    return &allocator->driver;
}
