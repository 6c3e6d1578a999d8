/* SPDX-License-Identifier: MIT */
/*
 * The tracker of one device: makes the subsystems with the device and frees them with it, in the order of one list.
 * Subsystems without state are not in the list.
 */
#include <stdlib.h>
#include <string.h>

#include "ahead/ahead.h"
#include "attachments/attachments.h"
#include "counters.h"
#include "device/held.h"
#include "layouts/layouts.h"
#include "objects/memory.h"
#include "objects/track.h"
#include "platform/aligned.h"
#include "record_table/record_table.h"
#include "recording/recording.h"
#include "sampling/pair.h"
#include "sampling/sampling.h"
#include "shader_objects/shader_objects.h"
#include "track/lifecycle.h"
#include "track/subsystems.h"

struct tracker {
    struct track track;
    struct subsystems subsystems;
};

static const struct subsystem {
    bool (*init)(struct track *track);   /* of zeroed state; false: out of memory */
    void (*finish)(struct track *track); /* in the order of the list, before the driver's device goes */
} list[] = {
    {ahead_init, ahead_finish}, /* first: its threads use all of the others */
    {commands_init, commands_finish},
    {attachments_init, attachments_finish},
    {layouts_init, layouts_finish},
    {modules_init, modules_finish},
    {pipelines_init, pipelines_finish},
    {shader_objects_init, shader_objects_finish},
    {blits_init, blits_finish},
    {descriptors_init, descriptors_finish},
    {texel_buffers_init, texel_buffers_finish},
    {sampling_init, sampling_finish},
    {record_table_init, record_table_finish},
};
enum { NS_PER_MS = 1000 * 1000 };
enum { SUBSYSTEMS = sizeof(list) / sizeof(list[0]) };

/* Its shards need stricter alignment than malloc()'s. */
static struct track *track_alloc(struct device *device)
{
    const size_t alignment = _Alignof(struct tracker);
    _Static_assert(sizeof(struct tracker) % _Alignof(struct tracker) == 0, "as aligned_acquire wants it");
    struct tracker *tracker = aligned_acquire(alignment, sizeof(*tracker));
    if (!tracker)
        return NULL;
    memset(tracker, 0, sizeof(*tracker));
    struct track *track = &tracker->track;
    *track = (struct track){.device = device, SUBSYSTEMS_OF(tracker->subsystems)};
    atomic_init(&track->serial, new_serial());
    return track;
}

/* The first `count` subsystems. */
static void finish_subsystems(struct track *track, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list[i].finish(track);
}

/* All subsystems are ready; nothing was recorded. */
static void track_free(struct track *track)
{
    struct device *device = track->device;
    finish_subsystems(track, SUBSYSTEMS);
    if (track->pipeline_cache)
        device->next.DestroyPipelineCache(device->handle, track->pipeline_cache, NULL);
    memory_heap_finish(device, &track->heap);
    device->track = NULL;
    aligned_release(track);
}

VkResult track_create(struct device *device)
{
    struct track *track = track_alloc(device);
    size_t ready = 0;
    if (!track || !memory_heap_init(&track->heap, false)) {
        aligned_release(track);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    while (ready < SUBSYSTEMS && list[ready].init(track))
        ready++;
    if (ready < SUBSYSTEMS) {
        finish_subsystems(track, ready);
        memory_heap_finish(device, &track->heap);
        aligned_release(track);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    /* Compiling works without one. */
    OR_NULL(device->next.CreatePipelineCache(device->handle, &info, NULL, &track->pipeline_cache),
            &track->pipeline_cache);
    sampling_read_limits(track);
    const VkResult result = layouts_open(track);
    if (result != VK_SUCCESS) {
        track_free(track);
        return result;
    }
    device->track = track;
    attachments_open(track);
    return VK_SUCCESS;
}

void track_quiet(struct device *device)
{
    if (device->track)
        ahead_stop(device->track);
    messages_report_left(device->instance);
}

/*
 * The program has destroyed its objects by now, or leaks them in the driver as well; sets and command buffers were
 * freed with their pools.
 */
void track_destroy(struct device *device)
{
    struct track *track = device->track;
    if (!track)
        return;
    recording_finish(track); /* a floor above those of the list; no thread reads what it frees any more */
    track_free(track);
}

static void count_memory(const struct memory_heap *heap, struct clampler_counters *counters)
{
    for (uint32_t i = 0; i < VK_MAX_MEMORY_TYPES; i++)
        counters->memory_blocks[i] += atomic_load_explicit(&heap->types[i].blocks, memory_order_relaxed);
    counters->memory_fallbacks += atomic_load_explicit(&heap->fallbacks, memory_order_relaxed);
}

/* One counter, of one value or several. */
static void add_values(void *to, const void *from, size_t size)
{
    uint64_t *sums = to;
    const _Atomic(uint64_t) *values = from;
    for (size_t i = 0; i < size / sizeof(*sums); i++)
        sums[i] += atomic_load_explicit(&values[i], memory_order_relaxed);
}

void track_counters(struct track *track, struct clampler_counters *counters)
{
    const struct counters *own = &track->counters;
    *counters = (struct clampler_counters){0};
#define COUNT(NAME, ARRAY) add_values(&counters->NAME, &own->NAME, sizeof(counters->NAME));
#define TIME(NAME) counters->NAME##_ms = atomic_load_explicit(&own->NAME##_ns, memory_order_relaxed) / NS_PER_MS;
#define HOT(NAME, ARRAY)                                                                                               \
    for (uint32_t i = 0; i < COUNT_SHARDS; i++)                                                                        \
        add_values(&counters->NAME, &track->shards[i].NAME, sizeof(counters->NAME));
#define MEMORY(NAME, ARRAY) /* below */
    CLAMPLER_COUNTERS(COUNT, HOT, TIME, MEMORY)
#undef COUNT
#undef TIME
#undef HOT
#undef MEMORY
    count_memory(&track->heap, counters);
    count_memory(&track->blits->heap, counters);
}

VkResult track_pair_reason(struct track *track, VkSampler sampler, VkImageView view, char *text, size_t size)
{
    return pair_reason(track, sampler, view, text, size);
}
