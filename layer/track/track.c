/* The tracker of one device: its tables, its memory, its end. */
#include "track/track.h"
#include "commands/command.h"
#include "layouts/layout.h"
#include "pipelines/module.h"
#include "sampling/format.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "objects/pnext.h"

/* ---- Host memory ---- */

void *object_alloc(struct track *track, const VkAllocationCallbacks *callbacks, size_t size)
{
    enum { ALIGNMENT = 16 };
    void *memory =
        callbacks ? callbacks->pfnAllocation(callbacks->pUserData, size, ALIGNMENT, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT)
                  : malloc(size);
    if (!memory)
        return NULL;
    memset(memory, 0, size);
    count(&track->counters.live_objects, 1);
    count(&track->counters.live_bytes, size);
    return memory;
}

void object_free(struct track *track, const VkAllocationCallbacks *callbacks, void *memory, size_t size)
{
    if (!memory)
        return;
    count(&track->counters.live_objects, (uint64_t)-1);
    count(&track->counters.live_bytes, (uint64_t)0 - size);
    if (callbacks)
        callbacks->pfnFree(callbacks->pUserData, memory);
    else
        free(memory);
}

/* ---- Bad input ---- */

VkResult refuse(struct track *track, const char *call, const char *why)
{
    message(track->device->instance, LOG_ERROR, VK_OBJECT_TYPE_DEVICE, HANDLE_KEY(track->device->handle), "%s: %s",
            call, why);
    return VK_ERROR_VALIDATION_FAILED_EXT;
}

VkResult refuse_misplaced(struct track *track, const char *call, const void *chain, VkStructureType belongs)
{
    const char *name = pnext_misplaced(chain, belongs);
    if (!name)
        return VK_SUCCESS;
    message(track->device->instance, LOG_ERROR, VK_OBJECT_TYPE_DEVICE, HANDLE_KEY(track->device->handle),
            "%s: %s does not belong in this chain", call, name);
    return VK_ERROR_VALIDATION_FAILED_EXT;
}

/* ---- Beginning and end ---- */

#define TABLES(TABLE)                                                                                                  \
    TABLE(samplers)                                                                                                    \
    TABLE(images)                                                                                                      \
    TABLE(buffers)                                                                                                     \
    TABLE(buffer_views)                                                                                                \
    TABLE(views)                                                                                                       \
    TABLE(set_layouts)                                                                                                 \
    TABLE(pipeline_layouts)                                                                                            \
    TABLE(pools)                                                                                                       \
    TABLE(sets)                                                                                                        \
    TABLE(templates)                                                                                                   \
    TABLE(modules)                                                                                                     \
    TABLE(render_passes)                                                                                               \
    TABLE(fills)                                                                                                       \
    TABLE(framebuffers)                                                                                                \
    TABLE(pipelines)                                                                                                   \
    TABLE(command_pools)                                                                                               \
    TABLE(commands)                                                                                                    \
    TABLE(swapchains)                                                                                                  \
    TABLE(formats)                                                                                                     \
    TABLE(pairs)

static bool init_locks(struct track *track)
{
    bool done = pthread_mutex_init(&track->command_lock, NULL) == 0 &&
                pthread_mutex_init(&track->fill_lock, NULL) == 0 &&
                pthread_mutex_init(&track->formats_lock, NULL) == 0 &&
                pthread_mutex_init(&track->dynamic_layout_lock, NULL) == 0 &&
                pthread_mutex_init(&track->pair_lock, NULL) == 0 && pthread_mutex_init(&track->note_lock, NULL) == 0 &&
                states_init(&track->states) && memory_heap_init(&track->heap, false) && blits_init(&track->blits);
    for (size_t i = 0; i < sizeof(track->tier_locks) / sizeof(track->tier_locks[0]); i++)
        done &= pthread_mutex_init(&track->tier_locks[i], NULL) == 0;
#define INIT(NAME) done &= table_init(&track->NAME);
    TABLES(INIT)
#undef INIT
    return done;
}

/* The extension says how many at once; without it there are none. */
static void read_border_limit(struct track *track)
{
    const struct device *device = track->device;
    track->caps_without_border = device->caps;
    track->caps_without_border.custom_border_color = false;
    VkPhysicalDeviceCustomBorderColorPropertiesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &border};
    const PFN_vkGetPhysicalDeviceProperties2 query = instance_properties2(device->instance, device->physical);
    if (device->caps.custom_border_color && query)
        query(device->physical, &properties);
    track->border_limit = border.maxCustomBorderColorSamplers;
}

/* Zeroed. Its shards ask for more alignment than malloc gives. */
static struct track *track_alloc(void)
{
    const size_t alignment = _Alignof(struct track);
    _Static_assert(sizeof(struct track) % _Alignof(struct track) == 0, "as aligned_alloc wants it");
    struct track *track = aligned_alloc(alignment, sizeof(*track));
    if (track)
        memset(track, 0, sizeof(*track));
    return track;
}

/* What cubes are read with, texel by texel (layer/spirv/filter_tap.c). Without it they are read less well. */
static void create_nearest(struct track *track)
{
    const struct device *device = track->device;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .maxLod = VK_LOD_CLAMP_NONE};
    if (device->room_for_sampler)
        OR_NULL(device->next.CreateSampler(device->handle, &info, NULL, &track->nearest_sampler),
                &track->nearest_sampler);
}

VkResult track_create(struct device *device)
{
    struct track *track = track_alloc();
    if (!track)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    track->device = device;
    atomic_init(&track->serial, new_serial());
    track->module_cache = module_cache_create();
    if (!init_locks(track) || !track->module_cache) {
        free(track->module_cache);
        free(track);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    read_border_limit(track);
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    /* Compiling works without one. */
    OR_NULL(device->next.CreatePipelineCache(device->handle, &info, NULL, &track->pipeline_cache),
            &track->pipeline_cache);
    create_nearest(track);
    device->track = track;
    alpha_setting_read(track);
    alpha_formats_read(track);
    return VK_SUCCESS;
}

/*
 * The program has destroyed its objects by now, or leaks them in the driver as well; what it frees implicitly with
 * pools is gone with them.
 */
void track_destroy(struct device *device)
{
    struct track *track = device->track;
    if (!track)
        return;
    commands_finish(track);
    dynamic_layouts_finish(track);
    fill_finish(track);
    module_cache_destroy(track, track->module_cache);
    if (track->nearest_sampler)
        device->next.DestroySampler(device->handle, track->nearest_sampler, NULL);
    if (track->pipeline_cache)
        device->next.DestroyPipelineCache(device->handle, track->pipeline_cache, NULL);
    blits_finish(device, &track->blits);
    memory_heap_finish(device, &track->heap);
    formats_finish(track);
#define FINISH(NAME) table_finish(&track->NAME);
    TABLES(FINISH)
#undef FINISH
    for (size_t i = 0; i < sizeof(track->tier_locks) / sizeof(track->tier_locks[0]); i++)
        pthread_mutex_destroy(&track->tier_locks[i]);
    pthread_mutex_destroy(&track->command_lock);
    pthread_mutex_destroy(&track->fill_lock);
    pthread_mutex_destroy(&track->formats_lock);
    pthread_mutex_destroy(&track->dynamic_layout_lock);
    pthread_mutex_destroy(&track->pair_lock);
    pthread_mutex_destroy(&track->note_lock);
    states_finish(&track->states);
    device->track = NULL;
    free(track);
}

void track_counters(struct track *track, struct clampler_counters *counters)
{
    const struct counters *from = &track->counters;
#define READ(NAME) atomic_load_explicit(&from->NAME, memory_order_relaxed)
    *counters = (struct clampler_counters){
        .draws = {READ(draws[0]), READ(draws[1]), READ(draws[2])},
        .pipelines = {READ(pipelines[0]), READ(pipelines[1]), READ(pipelines[2])},
        .modules_rewritten = READ(modules_rewritten),
        .driver_samplers = READ(driver_samplers),
        .push_sets_converted = READ(push_sets_converted),
        .blits_nearest = READ(blits_nearest),
        .blits_shader = READ(blits_shader),
        .live_objects = READ(live_objects),
        .live_bytes = READ(live_bytes),
        .blend_variants = READ(blend_variants),
        .blend_updates = READ(blend_updates),
        .alpha_kept = READ(alpha_kept),
        .alpha_fills = READ(alpha_fills),
    };
#undef READ
    for (uint32_t i = 0; i < COUNT_SHARDS; i++) {
        const struct count_shard *shard = &track->shards[i];
        counters->records_written += atomic_load_explicit(&shard->records_written, memory_order_relaxed);
        for (uint32_t level = 0; level < 3; level++)
            counters->pair_hits[level] += atomic_load_explicit(&shard->pair_hits[level], memory_order_relaxed);
    }
}
