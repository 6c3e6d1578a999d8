/* SPDX-License-Identifier: MIT */
#include "failures/choosing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failures/chapters.h"
#include "harness/device/vulkan.h"

enum { KEYS = 1 << 18 };

static const char letters[] = WHAT_LETTERS;

/* ---- Choosing ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t key_of(const struct site *site)
{
    uint64_t hash = mix(site->what, site->hook);
    for (const char *at = site->name; *at; at++)
        hash = mix(hash, (uint64_t)*at);
    for (unsigned i = 0; i < 6; i++)
        hash = mix(hash, site->stack[i]);
    return hash ? hash : 1;
}

/* How often it was asked for before. */
static uint32_t times_seen(uint64_t key)
{
    static struct {
        uint64_t key;
        uint32_t times;
    } seen[KEYS];
    for (uint64_t i = key % KEYS;; i = (i + 1) % KEYS) {
        if (seen[i].key && seen[i].key != key)
            continue;
        seen[i].key = key;
        return seen[i].times++;
    }
}

static int by_key(const void *a, const void *b)
{
    const struct choice *left = a, *right = b;
    return left->key < right->key ? -1 : left->key > right->key;
}

static int by_place(const void *a, const void *b)
{
    const struct choice *left = a, *right = b;
    return left->chapter != right->chapter ? (left->chapter < right->chapter ? -1 : 1)
           : left->site != right->site     ? (left->site < right->site ? -1 : 1)
                                           : 0;
}

uint32_t choose(const struct choosing *how, struct choice **out)
{
    struct choice *chosen = NULL;
    uint32_t count = 0, room = 0;
    for (uint32_t i = 0; i < how->chapters; i++) {
        for (uint32_t j = 0; how->usable[i] && j < how->lists[i]->site_count; j++) {
            const struct site *site = &how->lists[i]->sites[j];
            if (!strchr(how->what, letters[site->what]))
                continue;
            const uint32_t times = site->what == CALL ? (uint32_t)__builtin_popcount(site->mask) : 1;
            how->counts->sites += times;
            const uint32_t before = times_seen(key_of(site));
            how->counts->places += before ? 0 : times;
            if (!how->every && before >= how->keep)
                continue;
            for (unsigned k = 0; k < FAILURES_CALL_RESULTS; k++) {
                if (site->what == CALL ? !(site->mask >> k & 1) : k > 0)
                    continue;
                if (count == room) {
                    room = room ? 2 * room : 4096;
                    chosen = realloc(chosen, room * sizeof(*chosen));
                    if (!chosen)
                        harness_fail("out of memory");
                }
                chosen[count++] =
                    (struct choice){i, j, (VkResult)failures_call_results[k], mix(mix(key_of(site), k), before)};
            }
        }
    }
    if (how->most && count > how->most) {
        qsort(chosen, count, sizeof(*chosen), by_key);
        count = how->most;
        qsort(chosen, count, sizeof(*chosen), by_place);
    }
    *out = chosen;
    return count;
}

/* ---- A scenario: the fewest chapters that meet every place and every hook that any of them meets ---- */

static bool *met; /* by place in the table of keys */

static uint32_t place_of(uint64_t key)
{
    static uint64_t keys[KEYS];
    uint32_t i = (uint32_t)(key % KEYS);
    while (keys[i] && keys[i] != key)
        i = (i + 1) % KEYS;
    keys[i] = key;
    return i;
}

/* How many places and hooks the chapter adds; `take`: they are met from here on. */
static uint32_t adds(const struct session *list, bool take)
{
    uint32_t count = 0;
    bool *own = harness_alloc(KEYS + HOOK_COUNT, sizeof(*own));
    for (uint32_t j = 0; j < list->site_count; j++) {
        const uint32_t place = place_of(key_of(&list->sites[j]));
        count += !met[place] && !own[place];
        own[place] = true;
    }
    for (uint32_t j = 0; j < HOOK_COUNT; j++) {
        count += list->touched[j] && !met[KEYS + j];
        own[KEYS + j] = list->touched[j] != 0;
    }
    for (uint32_t j = 0; take && j < KEYS + HOOK_COUNT; j++)
        met[j] |= own[j];
    free(own);
    return count;
}

void choose_scenario(const struct choosing *how)
{
    met = harness_alloc(KEYS + HOOK_COUNT, sizeof(*met));
    for (;;) {
        double best = 0;
        uint32_t chosen = how->chapters;
        for (uint32_t i = 0; i < how->chapters; i++) {
            if (!how->usable[i])
                continue;
            const double worth = adds(how->lists[i], false) / (how->lists[i]->seconds + 0.1);
            if (worth > best) {
                best = worth;
                chosen = i;
            }
        }
        if (chosen == how->chapters)
            return;
        const uint32_t added = adds(how->lists[chosen], true);
        printf("    \"%s\", /* %u */\n", chapter_at(chosen)->name, added);
        how->usable[chosen] = false;
    }
}

/* ---- Hooks ---- */

/* Hooks that are there only with an extension of the driver's, which this one may lack. */
static const struct {
    const char *hook, *extension;
} needs[] = {
    {"vkGetDescriptorEXT", "VK_EXT_descriptor_buffer"},
    {"vkCmdBindDescriptorBuffersEXT", "VK_EXT_descriptor_buffer"},
    {"vkCmdSetDescriptorBufferOffsetsEXT", "VK_EXT_descriptor_buffer"},
    {"vkCmdSetDescriptorBufferOffsets2EXT", "VK_EXT_descriptor_buffer"},
    {"vkCmdPushConstants", "VK_EXT_descriptor_buffer"},
    {"vkCmdPushConstants2KHR", "VK_EXT_descriptor_buffer"},
    {"vkWriteSamplerDescriptorsEXT", "VK_EXT_descriptor_heap"},
    {"vkWriteResourceDescriptorsEXT", "VK_EXT_descriptor_heap"},
    {"vkCmdBindSamplerHeapEXT", "VK_EXT_descriptor_heap"},
    {"vkCmdBindResourceHeapEXT", "VK_EXT_descriptor_heap"},
    {"vkCmdPushDataEXT", "VK_EXT_descriptor_heap"},
    {"vkGetPhysicalDeviceDescriptorSizeEXT", "VK_EXT_descriptor_heap"},
    /* No driver's extension: heaps are hidden beside `offer` on all drivers known (integration/entry/offers.c). */
    {"vkRegisterCustomBorderColorEXT", "heaps beside offered border colours"},
    {"vkUnregisterCustomBorderColorEXT", "heaps beside offered border colours"},
    /* No driver's extension: loader 1.4.363 frees memory of one object as another's when this is called again. */
    {"vkCreateDebugReportCallbackEXT", "VK_EXT_debug_report"},
    {"vkDestroyDebugReportCallbackEXT", "VK_EXT_debug_report"},
    {"vkCreateIndirectCommandsLayoutEXT", "VK_EXT_device_generated_commands"},
    {"vkCreateIndirectExecutionSetEXT", "VK_EXT_device_generated_commands"},
    {"vkGetDescriptorSetLayoutHostMappingInfoVALVE", "VK_VALVE_descriptor_set_host_mapping"},
    {"vkDebugMarkerSetObjectNameEXT", "VK_EXT_debug_marker"},
    {"vkDebugMarkerSetObjectTagEXT", "VK_EXT_debug_marker"},
    {"vkGetImageViewHandleNVX", "VK_NVX_image_view_handle"},
    {"vkGetImageViewHandle64NVX", "VK_NVX_image_view_handle"},
};

/* Asked in a process of its own: this one must not open the driver. */
static bool driver_has(const char *extension)
{
    int status = 0;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0)
        _exit(harness_driver_has(extension) ? 0 : 3);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static const char *reason_of(const char *hook)
{
    /* The loader asks for every name; the linker cannot put anything around them. */
    if (!strcmp(hook, "vkGetInstanceProcAddr") || !strcmp(hook, "vkGetDeviceProcAddr"))
        return "called with every device";
    for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
        if (!strcmp(needs[i].hook, hook))
            return driver_has(needs[i].extension) ? NULL : needs[i].extension;
    return NULL;
}

uint32_t untouched_hooks(const uint32_t *touched)
{
    uint32_t count = 0, excused = 0;
    for (unsigned i = 0; i < HOOK_COUNT; i++) {
        const char *reason = touched[i] ? NULL : reason_of(failures_hooks[i].name);
        if (touched[i])
            continue;
        if (reason) {
            excused++;
            continue;
        }
        printf("not touched: %s\n", failures_hooks[i].name);
        count++;
    }
    printf("%u of %d hooks touched, %u cannot be here\n", HOOK_COUNT - count - excused, HOOK_COUNT, excused);
    return count;
}
