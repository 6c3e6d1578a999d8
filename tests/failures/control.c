/* SPDX-License-Identifier: MIT */
/* Counts what may fail, lets the chosen one fail, and looks at what hooks return. */
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failures/session.h"
#include "harness/device/vulkan.h"

static struct session nothing;
struct session *session = &nothing;

static _Atomic bool armed, lost, promising, muted;

static _Thread_local struct {
    unsigned hooks; /* how many hooks of the layer are on the stack */
    int driver;     /* calls into the driver that may call back */
    unsigned hook;  /* the outermost */
    bool worker;
    bool failed_here; /* within the outermost hook */
} at = {.hook = HOOK_COUNT};

void session_begin(struct session *shared)
{
    session = shared;
}

void session_arm(bool arm)
{
    armed = arm;
    if (!arm)
        lost = false;
}

void session_promise(bool promise, bool mute)
{
    promising = promise;
    muted = mute;
}

bool failures_is_muted(void)
{
    return muted;
}

bool failures_promises(void)
{
    return promising;
}

void problem(const char *format, ...)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&lock);
    if (session->problem_count < PROBLEMS)
        vsnprintf(session->problems[session->problem_count], PROBLEM_SIZE, format, arguments);
    session->problem_count += session->problem_count < PROBLEMS;
    pthread_mutex_unlock(&lock);
    va_end(arguments);
}

unsigned session_hook(void)
{
    return at.hooks ? at.hook : HOOK_COUNT;
}

bool session_in_layer(void)
{
    return (at.hooks || at.worker) && !at.driver;
}

/* ---- Where in the layer ---- */

static bool is_layer(const Dl_info *info)
{
    return info->dli_fname && strstr(info->dli_fname, "libVkLayer_clampler_gl_sampler");
}

bool session_is_layer(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) && is_layer(&info);
}

static void note_stack(struct site *site)
{
    void *frames[40];
    const int count = backtrace(frames, 40);
    unsigned kept = 0;
    bool inside = false;
    for (int i = 0; i < count && kept < STACK; i++) {
        Dl_info info;
        const bool own = dladdr(frames[i], &info) && is_layer(&info);
        if (own)
            site->stack[kept++] = (uint32_t)((const char *)frames[i] - (const char *)info.dli_fbase);
        else if (inside)
            break;
        inside |= own;
    }
}

static void note_site(enum what what, uint32_t number, const char *name, unsigned mask)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (session->site_count < SITES_MAX) {
        struct site *site = &session->sites[session->site_count];
        *site = (struct site){.number = number, .what = (uint8_t)what, .mask = mask, .hook = (uint16_t)session_hook()};
        snprintf(site->name, sizeof(site->name), "%s", name);
        note_stack(site);
        session->site_count++;
    }
    pthread_mutex_unlock(&lock);
}

unsigned session_result_bit(VkResult result)
{
    for (unsigned i = 0; i < FAILURES_CALL_RESULTS; i++)
        if (failures_call_results[i] == (int32_t)result)
            return 1u << i;
    return 0;
}

bool session_fails(enum what what, const char *name, unsigned mask)
{
    if (!armed)
        return false;
    const uint32_t number = atomic_fetch_add(&session->numbers[what], 1) + 1;
    if (session->listing)
        note_site(what, number, name, mask);
    if (!session->fail || what != session->what || (what == CALL && !(mask & session_result_bit(session->code))))
        return false;
    const uint32_t candidate = atomic_fetch_add(&session->candidates, 1) + 1;
    if (candidate != session->fail && !(session->way == LASTING && candidate > session->fail))
        return false;
    at.failed_here = true;
    if (session->failed)
        return true;
    session->hook = session_hook();
    snprintf(session->name, sizeof(session->name), "%s", name);
    session->failed = true;
    return true;
}

bool failures_allocation(const char *function)
{
    return session_fails(ALLOCATION, function, 0);
}

void failures_worker(void)
{
    at.worker = true;
}

void failures_driver(int change)
{
    at.driver += change;
}

bool failures_call(const char *name, unsigned mask, VkResult *result)
{
    if (lost && (mask & 4)) {
        *result = VK_ERROR_DEVICE_LOST;
        return true;
    }
    if ((!at.hooks && !at.worker) || !session_fails(CALL, name, mask))
        return false;
    *result = session->code;
    lost = *result == VK_ERROR_DEVICE_LOST;
    return true;
}

/* ---- Hooks ---- */

void failures_enter(enum failures_hook hook)
{
    if (at.hooks++)
        return;
    at.hook = hook;
    at.failed_here = false;
    atomic_fetch_add(&session->touched[hook], 1);
}

/* Of some commands of extensions that are newer than the headers no results are listed. */
static bool is_listed(enum failures_hook hook, VkResult result)
{
    if (!failures_hooks[hook].results[0])
        return true;
    for (unsigned i = 0; i < FAILURES_RESULTS && failures_hooks[hook].results[i]; i++)
        if (failures_hooks[hook].results[i] == (int32_t)result)
            return true;
    return false;
}

/* What another command than the hook's own ends with may become what any command has (result_within in track.h). */
static bool is_due(enum failures_hook hook, VkResult result, VkResult asked)
{
    const bool own = !strcmp(failures_hooks[hook].name, session->name);
    return result == asked || (!own && session_result_bit(asked) > 4 &&
                               (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_UNKNOWN));
}

bool failures_leave(enum failures_hook hook, VkResult result)
{
    if (--at.hooks)
        return false;
    at.hook = HOOK_COUNT;
    const bool here = at.failed_here;
    at.failed_here = false;
    /* Pipelines of code that was forgotten: the program comes with the code. */
    session->reported |= session->failed && result == VK_PIPELINE_COMPILE_REQUIRED;
    if (result >= 0 || !armed || !session->failed)
        return false;
    /* Bad input is refused whatever memory there is: what ran out was that of the message, which has a spare one. */
    if (session->what == ALLOCATION && result == VK_ERROR_VALIDATION_FAILED_EXT)
        return false;
    const VkResult asked = session->what == CALL ? session->code : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!is_listed(hook, result) && !(result == VK_ERROR_DEVICE_LOST && lost) &&
        !(result == VK_ERROR_UNKNOWN && is_due(hook, result, asked)))
        problem("%s returned %s (%d), which the registry does not list for it", failures_hooks[hook].name,
                harness_result_name(result), (int)result);
    const bool first = !session->came_out;
    if (first) {
        session->came_out = true;
        session->came_hook = hook;
        session->came_result = result;
        if (here && !is_due(hook, result, asked))
            problem("%s returned %s where %s was due", failures_hooks[hook].name, harness_result_name(result),
                    harness_result_name(asked));
    }
    if (!first || !here || session->way != AGAIN || failures_hooks[hook].once || result == VK_ERROR_DEVICE_LOST)
        return false;
    session->again = true;
    return true;
}

void failures_spoil(void *output, size_t size)
{
    if (output)
        memset(output, 0xcd, size);
}

void failures_check_outputs(enum failures_hook hook, enum failures_kind kind, uint32_t count, const void *outputs,
                            size_t size)
{
    const bool all = kind == KIND_VkDescriptorSet || kind == KIND_VkCommandBuffer;
    for (uint32_t i = 0; outputs && i < count; i++) {
        uint64_t handle = 0;
        memcpy(&handle, (const char *)outputs + i * size, size);
        if (handle && (all || !failures_object_lives(kind, handle)))
            problem("%s failed and left output %u at %#llx, not VK_NULL_HANDLE", failures_hooks[hook].name, i,
                    (unsigned long long)handle);
    }
}

/* ---- What the layer has allocated ---- */

enum { LIVE = 1 << 16 };

static struct {
    pthread_mutex_t lock;
    struct {
        void *memory;
        void *frames[STACK];
    } slots[LIVE];
    uint32_t count;
} live = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint32_t slot_of(const void *memory)
{
    return (uint32_t)((uintptr_t)memory >> 4) * 2654435761u % LIVE;
}

void failures_took(void *memory, const char *function)
{
    (void)function;
    if (!memory)
        return;
    pthread_mutex_lock(&live.lock);
    for (uint32_t i = slot_of(memory), tries = 0; tries < LIVE; i = (i + 1) % LIVE, tries++) {
        if (live.slots[i].memory && live.slots[i].memory != (void *)&live)
            continue;
        live.slots[i].memory = memory;
        memset(live.slots[i].frames, 0, sizeof(live.slots[i].frames));
        if (session->fail)
            backtrace(live.slots[i].frames, STACK);
        live.count++;
        break;
    }
    pthread_mutex_unlock(&live.lock);
}

void failures_gave(void *memory)
{
    if (!memory)
        return;
    pthread_mutex_lock(&live.lock);
    for (uint32_t i = slot_of(memory), tries = 0; tries < LIVE && live.slots[i].memory; i = (i + 1) % LIVE, tries++) {
        if (live.slots[i].memory != memory)
            continue;
        live.slots[i].memory = (void *)&live; /* was used: searches go on behind it */
        live.count--;
        break;
    }
    pthread_mutex_unlock(&live.lock);
}

uint32_t layer_allocations(void)
{
    pthread_mutex_lock(&live.lock);
    const uint32_t count = live.count;
    pthread_mutex_unlock(&live.lock);
    return count;
}

void layer_allocations_print(uint32_t most)
{
    for (uint32_t i = 0; i < LIVE && most; i++) {
        if (!live.slots[i].memory || live.slots[i].memory == (void *)&live || !live.slots[i].frames[0])
            continue;
        fprintf(stderr, "left:");
        for (unsigned j = 2; j < STACK && live.slots[i].frames[j]; j++) {
            Dl_info info;
            if (dladdr(live.slots[i].frames[j], &info) && info.dli_fname && is_layer(&info))
                fprintf(stderr, " %#lx",
                        (unsigned long)((const char *)live.slots[i].frames[j] - (const char *)info.dli_fbase));
        }
        fputc('\n', stderr);
        most--;
    }
}
