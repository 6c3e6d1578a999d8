/* SPDX-License-Identifier: MIT */
/*
 * Descriptor pools and sets. A pool owns the memory of its sets' records: an arena sized from its create-info, made
 * when the first set with records needs it, emptied with the pool and gone with it.
 */
#include <stdlib.h>
#include <string.h>

#include "descriptors/pool.h"
#include "descriptors/descriptors.h"
#include "descriptors/split.h"
#include "descriptors/update.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "layouts/set_layout.h"
#include "layouts/layouts.h"
#include "need/need.h"
#include "objects/memory.h"
#include "objects/pnext.h"
#include "descriptor_type/relaxed.h"
#include "objects/table.h"
#include "objects/track.h"
#include "objects/units.h"
#include "spirv/spirv.h"

struct arena {
    struct arena *next;
    struct memory_slice slice;
    struct units units;
    uint32_t unit_bytes;
};

/* ---- Pools ---- */

static bool holds_records(const struct device *device, const VkDescriptorPoolCreateInfo *info, uint32_t index)
{
    VkDescriptorType type = info->pPoolSizes[index].type;
    return type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT || type_has_records(device, type);
}

/* The most records of a pool size's descriptors, including records of split samplers. */
static uint32_t records_of(const VkDescriptorPoolSize *size)
{
    const uint32_t each = size->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? SPIRV_RECORDS_OF_SPLIT : 1;
    return size->descriptorCount > UINT32_MAX / each ? UINT32_MAX : size->descriptorCount * each;
}

static uint32_t add_saturated(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* May sets from it have a nearest sampler (layout_plan.c)? A mutable size without a list says nothing of its types. */
static bool may_have_nearest(const struct device *device, const VkDescriptorPoolCreateInfo *info)
{
    bool samplers = false;
    for (uint32_t i = 0; i < info->poolSizeCount; i++)
        samplers |=
            info->pPoolSizes[i].type == VK_DESCRIPTOR_TYPE_SAMPLER ||
            (info->pPoolSizes[i].type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && device->caps.texels_sampled) ||
            (info->pPoolSizes[i].type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT &&
             (!mutable_types(info->pNext, i) || mutable_holds_samplers(info->pNext, i)));
    return samplers;
}

/* The create-info of the driver's pool, and its memory. */
struct driver_pool {
    VkDescriptorPoolCreateInfo info;
    VkDescriptorPoolSize *sizes;
    VkMutableDescriptorTypeCreateInfoEXT types;
    VkMutableDescriptorTypeListEXT *type_lists;
    void *chain_memory;
};

static void driver_pool_finish(struct driver_pool *for_driver)
{
    free(for_driver->sizes);
    free(for_driver->type_lists);
    free(for_driver->chain_memory);
}

/*
 * The driver's pool also gets room for the layer's own descriptors: for each set one record buffer, and a nearest
 * sampler where sets can have one. The buffer may be of two types. The device's storage class is the
 * usual one; a set whose layout outgrows a uniform buffer has a storage buffer, and the pool's sizes cannot tell
 * whether there will be such sets. Where the sizes name nothing that has records, sets may have records all the same:
 * whether more can be allocated than the sizes name is then up to the driver (VK_KHR_maintenance1,
 * VK_NV_descriptor_pool_overallocation). False: out of memory.
 */
static bool add_sizes(const struct device *device, uint32_t records, struct driver_pool *for_driver)
{
    const VkFlags more_sets = 0x8, more_descriptors = 0x10; /* ALLOW_OVERALLOCATION_SETS_BIT_NV, …_POOLS_BIT_NV */
    const VkDescriptorPoolCreateInfo *info = &for_driver->info;
    VkDescriptorPoolSize *sizes = calloc(info->poolSizeCount + 3, sizeof(*sizes));
    if (!sizes)
        return false;
    uint32_t used = 0;
    for (; used < info->poolSizeCount; used++)
        sizes[used] = info->pPoolSizes[used];
    const bool samplers = device->track->layouts->nearest_sampler && (!records || may_have_nearest(device, info));
    if (info->maxSets && !device->caps.record_storage)
        sizes[used++] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, info->maxSets};
    if (info->maxSets)
        sizes[used++] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, info->maxSets};
    if (info->maxSets && samplers)
        sizes[used++] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_SAMPLER, info->maxSets};
    if (info->flags & more_sets) /* each set also has descriptors of the layer's */
        for_driver->info.flags |= more_descriptors;
    for_driver->sizes = sizes;
    for_driver->info.pPoolSizes = sizes;
    for_driver->info.poolSizeCount = used;
    return true;
}

/* A list of types for every size, the layer's own with none, where the program chained such lists. */
static bool add_type_lists(const VkDescriptorPoolCreateInfo *info, struct driver_pool *for_driver)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT};
    if (!pnext_find(info->pNext, replaced[0]))
        return true;
    const uint32_t count = for_driver->info.poolSizeCount;
    void *rest;
    for_driver->type_lists = calloc(count + 1, sizeof(*for_driver->type_lists));
    if (!for_driver->type_lists || !pnext_copy_without(info->pNext, replaced, 1, &rest, &for_driver->chain_memory))
        return false;
    for (uint32_t i = 0; i < info->poolSizeCount; i++) {
        const VkMutableDescriptorTypeListEXT *list = mutable_types(info->pNext, i);
        if (list)
            for_driver->type_lists[i] = *list;
    }
    for_driver->types = (VkMutableDescriptorTypeCreateInfoEXT){.sType = replaced[0],
                                                               .pNext = rest,
                                                               .mutableDescriptorTypeListCount = count,
                                                               .pMutableDescriptorTypeLists = for_driver->type_lists};
    for_driver->info.pNext = &for_driver->types;
    return true;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateDescriptorPool(VkDevice handle, const VkDescriptorPoolCreateInfo *pCreateInfo,
                                                         const VkAllocationCallbacks *pAllocator,
                                                         VkDescriptorPool *pDescriptorPool)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    uint32_t records = 0;
    for (uint32_t i = 0; i < pCreateInfo->poolSizeCount; i++) {
        if (holds_records(device, pCreateInfo, i))
            records = add_saturated(records, records_of(&pCreateInfo->pPoolSizes[i]));
    }
    struct driver_pool for_driver = {.info = *pCreateInfo};
    struct pool *pool = object_alloc(track, pAllocator, sizeof(*pool));
    VkDescriptorPool created = VK_NULL_HANDLE;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (pool && add_sizes(device, records, &for_driver) && add_type_lists(pCreateInfo, &for_driver)) {
        callbacks_keep(&pool->callbacks, pAllocator);
        pool->record_capacity = records;
        pool->max_sets = pCreateInfo->maxSets;
        pool->flags = pCreateInfo->flags;
        result = device->next.CreateDescriptorPool(handle, &for_driver.info, pAllocator, &created);
    }
    if (result == VK_SUCCESS && !table_insert(&track->descriptors->pools, HANDLE_KEY(created), pool)) {
        device->next.DestroyDescriptorPool(handle, created, pAllocator);
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    driver_pool_finish(&for_driver);
    if (result != VK_SUCCESS) {
        object_free(track, pAllocator, pool, sizeof(*pool));
        return result;
    }
    *pDescriptorPool = created;
    return VK_SUCCESS;
}

/* ---- Arenas ---- */

static uint32_t unit_bytes(const struct device *device)
{
    const VkPhysicalDeviceLimits *limits = &device->properties.limits;
    VkDeviceSize unit = sizeof(struct record);
    if (limits->minStorageBufferOffsetAlignment > unit)
        unit = limits->minStorageBufferOffsetAlignment;
    if (!device->caps.record_storage && limits->minUniformBufferOffsetAlignment > unit)
        unit = limits->minUniformBufferOffsetAlignment;
    return (uint32_t)unit; /* both are powers of two of at most 256 */
}

/* Bytes of the pool's next arena: what its sizes can need at most, or what this one set needs if that is more. */
static uint32_t arena_bytes(const struct device *device, const struct pool *pool, uint32_t wanted)
{
    uint64_t unit = unit_bytes(device);
    const uint64_t each = sizeof(struct record_masks) + unit - 1; /* of a set, beside its records */
    uint64_t bytes = (uint64_t)pool->record_capacity * sizeof(struct record) + pool->max_sets * each;
    const uint64_t most = 1u << 24;   /* very large pools grow by arenas of this size */
    const uint64_t least = 16 * 1024; /* those whose sizes say little of their sets, by this one */
    if (bytes > most)
        bytes = most;
    if (pool->arenas && bytes < least)
        bytes = least;
    return bytes > wanted ? (uint32_t)bytes : wanted;
}

static VkResult add_arena(struct track *track, struct pool *pool, uint32_t wanted)
{
    struct arena *arena = object_alloc(track, callbacks_of(&pool->callbacks), sizeof(*arena));
    if (!arena)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    arena->unit_bytes = unit_bytes(track->device);
    VkResult result =
        memory_acquire(track->device, &track->heap, arena_bytes(track->device, pool, wanted), &arena->slice);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY) /* what this one set needs may still be there */
        result = memory_acquire(track->device, &track->heap, wanted, &arena->slice);
    if (result == VK_SUCCESS && !units_init(&arena->units, arena->slice.size / arena->unit_bytes)) {
        memory_release(track->device, &track->heap, &arena->slice);
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS) {
        object_free(track, callbacks_of(&pool->callbacks), arena, sizeof(*arena));
        return result;
    }
    arena->next = pool->arenas;
    pool->arenas = arena;
    return VK_SUCCESS;
}

static bool take_units(struct arena *arena, uint32_t bytes, struct set *set)
{
    uint32_t run = (bytes + arena->unit_bytes - 1) / arena->unit_bytes;
    set->first_unit = units_acquire(&arena->units, run);
    if (set->first_unit == UNITS_NONE)
        return false;
    set->arena = arena;
    set->unit_count = run;
    set->records.upload.gpu =
        (struct record *)(void *)((char *)arena->slice.mapped + (size_t)set->first_unit * arena->unit_bytes);
    return true;
}

static VkResult take_record_memory(struct track *track, struct pool *pool, struct set *set)
{
    uint32_t bytes = set->place_count * (uint32_t)sizeof(struct record);
    for (struct arena *arena = pool->arenas; arena; arena = arena->next) {
        if (take_units(arena, bytes, set))
            return VK_SUCCESS;
    }
    VkResult result = add_arena(track, pool, bytes);
    if (result == VK_SUCCESS)
        take_units(pool->arenas, bytes, set);
    return result;
}

/* ---- Sets ---- */

static size_t set_bytes(uint32_t record_count)
{
    return sizeof(struct set) + shadow_bytes(record_count);
}

/* Removes a set that the driver has freed or never created. */
static void set_free(struct track *track, struct set *set)
{
    if (set->previous)
        set->previous->next = set->next;
    else if (set->pool->sets == set)
        set->pool->sets = set->next;
    if (set->next)
        set->next->previous = set->previous;
    if (set->arena)
        units_release(&set->arena->units, set->first_unit, set->unit_count);
    set_layout_unref(track, set->layout);
    object_free(track, callbacks_of(&set->pool->callbacks), set, set_bytes(set->records.store.count));
}

/* Descriptors that a set gets of the variable-count binding; 0 if its layout has none. */
static uint32_t set_variable_count(const struct set_layout *layout, const VkDescriptorSetAllocateInfo *info,
                                   uint32_t index)
{
    const VkDescriptorSetVariableDescriptorCountAllocateInfo *counts =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
    if (layout->variable == UINT32_MAX || !counts || index >= counts->descriptorSetCount)
        return 0;
    uint32_t most = layout->bindings[layout->variable].count;
    return counts->pDescriptorCounts[index] < most ? counts->pDescriptorCounts[index] : most;
}

/*
 * Records of a set. A binding of a variable count has as many as this set gets. In a uniform buffer it has as many as
 * the layout allows: the array in the shader has one length for all sets.
 */
static uint32_t set_record_count(const struct set_layout *layout, uint32_t variable_count)
{
    if (layout->variable == UINT32_MAX || !layout->storage)
        return layout->record_count;
    const struct binding *variable = &layout->bindings[layout->variable];
    if (variable->first_record == SPIRV_NO_RECORD)
        return layout->record_count;
    return variable->first_record + variable_count;
}

/* The same in the buffer. */
static uint32_t set_place_count(const struct set_layout *layout, uint32_t variable_count)
{
    if (layout->variable == UINT32_MAX || !layout->storage)
        return layout->place_count;
    const struct binding *variable = &layout->bindings[layout->variable];
    if (variable->first_record == SPIRV_NO_RECORD)
        return layout->place_count;
    uint32_t places = binding_place(variable, variable_count);
    return places ? places : 1; /* a buffer range cannot be empty */
}

static VkResult set_create(struct track *track, struct pool *pool, struct set_layout *layout, uint32_t variable_count,
                           struct set **out)
{
    uint32_t record_count = set_record_count(layout, variable_count);
    struct set *set = object_alloc(track, callbacks_of(&pool->callbacks), set_bytes(record_count));
    if (!set)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    set->pool = pool;
    set->layout = set_layout_ref(layout);
    set->place_count = set_place_count(layout, variable_count);
    records_place(&set->records, layout, set->shadow, record_count);
    records_become(&set->records,
                   records_mode(layout->relaxed | relaxed_by_pool(pool->flags), layout_is_special(layout),
                                layout->immutable_combined),
                   0);
    if (layout_is_special(layout) || layout->mutable_records)
        atomic_store_explicit(&track->passing, 0, memory_order_relaxed);
    /* Whoever writes a shared set uploads its record alone, so draws do not read mask words. */
    if (layout->masks && records_are(&set->records, RECORDS_SHARED))
        needs_change(&set->records.store.needs, true, 0, RECORD_NEED_BOUNDS);
    if (records_are(&set->records, RECORDS_OPEN))
        atomic_store_explicit(&track->open_sets, true, memory_order_relaxed);
    set->variable_count = variable_count;
    set->next = pool->sets;
    if (set->next)
        set->next->previous = set;
    pool->sets = set;
    const bool bound = !(pool->flags & VK_DESCRIPTOR_POOL_CREATE_HOST_ONLY_BIT_EXT);
    VkResult result = bound ? take_record_memory(track, pool, set) : VK_SUCCESS;
    if (result != VK_SUCCESS) {
        set_free(track, set);
        return result;
    }
    *out = set;
    return VK_SUCCESS;
}

static void write_record_descriptor(struct track *track, const struct set *set)
{
    const VkDescriptorBufferInfo info = {
        .buffer = set->arena->slice.buffer,
        .offset = set->arena->slice.offset + (VkDeviceSize)set->first_unit * set->arena->unit_bytes,
        .range = set->place_count * sizeof(struct record),
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set->handle,
        .dstBinding = set->layout->record_binding,
        .descriptorCount = 1,
        .descriptorType = set->layout->storage ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .pBufferInfo = &info,
    };
    emit_update(&write, track->device);
}

/* Sets that are made in one call, before the driver has made its own; on the stack for the usual few. */
static VkResult sets_create(struct track *track, struct pool *pool, const VkDescriptorSetAllocateInfo *info,
                            struct set **sets)
{
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        struct set_layout *layout = set_layout_find(track, info->pSetLayouts[i]);
        VkResult result = VK_SUCCESS;
        sets[i] = NULL;
        if (layout)
            result = set_create(track, pool, layout, set_variable_count(layout, info, i), &sets[i]);
        if (result != VK_SUCCESS) {
            while (i-- > 0) {
                if (sets[i])
                    set_free(track, sets[i]);
            }
            return result;
        }
    }
    return VK_SUCCESS;
}

/* After the driver has made the sets: finds them by handle and fills what is the layer's in them. */
static VkResult sets_adopt(struct track *track, uint32_t set_count, struct set **sets, const VkDescriptorSet *handles)
{
    for (uint32_t i = 0; i < set_count; i++) {
        if (!sets[i])
            continue;
        sets[i]->handle = handles[i];
        if (!table_insert(&track->sets, HANDLE_KEY(handles[i]), sets[i])) {
            while (i-- > 0) {
                if (sets[i])
                    table_remove(&track->sets, HANDLE_KEY(handles[i]));
            }
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        }
        if (sets[i]->arena)
            write_record_descriptor(track, sets[i]);
        write_standing(track, &sets[i]->records, sets[i]->layout, sets[i]->variable_count, handles[i], emit_update,
                       track->device);
    }
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_AllocateDescriptorSets(VkDevice handle, const VkDescriptorSetAllocateInfo *pInfo,
                                                           VkDescriptorSet *pSets)
{
    enum { ON_STACK = 16 };
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct pool *pool = table_find(&track->descriptors->pools, HANDLE_KEY(pInfo->descriptorPool));
    if (!pool)
        return device->next.AllocateDescriptorSets(handle, pInfo, pSets);

    struct set *few[ON_STACK];
    struct set **sets = few;
    if (pInfo->descriptorSetCount > ON_STACK)
        sets = malloc(pInfo->descriptorSetCount * sizeof(*sets));
    VkResult result = sets ? sets_create(track, pool, pInfo, sets) : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        memset(pSets, 0, pInfo->descriptorSetCount * sizeof(*pSets));
        goto done;
    }
    result = device->next.AllocateDescriptorSets(handle, pInfo, pSets);
    if (result == VK_SUCCESS) {
        result = sets_adopt(track, pInfo->descriptorSetCount, sets, pSets);
        if (result != VK_SUCCESS && (pool->flags & VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT))
            device->next.FreeDescriptorSets(handle, pInfo->descriptorPool, pInfo->descriptorSetCount, pSets);
    }
    if (result != VK_SUCCESS) {
        for (uint32_t i = 0; i < pInfo->descriptorSetCount; i++) {
            if (sets[i])
                set_free(track, sets[i]);
            pSets[i] = VK_NULL_HANDLE;
        }
    }
done:
    if (sets != few)
        free(sets);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_FreeDescriptorSets(VkDevice handle, VkDescriptorPool descriptorPool,
                                                       uint32_t descriptorSetCount, const VkDescriptorSet *pSets)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    for (uint32_t i = 0; i < descriptorSetCount; i++) {
        struct set *set = table_remove(&track->sets, HANDLE_KEY(pSets[i]));
        if (set)
            set_free(track, set);
    }
    return device->next.FreeDescriptorSets(handle, descriptorPool, descriptorSetCount, pSets);
}

static void forget_sets(struct track *track, struct pool *pool)
{
    while (pool->sets) {
        struct set *set = pool->sets;
        table_remove(&track->sets, HANDLE_KEY(set->handle));
        set_free(track, set);
    }
}

VKAPI_ATTR VkResult VKAPI_CALL hook_ResetDescriptorPool(VkDevice handle, VkDescriptorPool descriptorPool,
                                                        VkDescriptorPoolResetFlags flags)
{
    struct device *device = device_of(handle);
    struct pool *pool = table_find(&device->track->descriptors->pools, HANDLE_KEY(descriptorPool));
    if (pool)
        forget_sets(device->track, pool);
    return device->next.ResetDescriptorPool(handle, descriptorPool, flags);
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyDescriptorPool(VkDevice handle, VkDescriptorPool descriptorPool,
                                                      const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct pool *pool = table_remove(&track->descriptors->pools, HANDLE_KEY(descriptorPool));
    if (pool) {
        forget_sets(track, pool);
        while (pool->arenas) {
            struct arena *arena = pool->arenas;
            pool->arenas = arena->next;
            memory_release(device, &track->heap, &arena->slice);
            units_finish(&arena->units);
            object_free(track, callbacks_of(&pool->callbacks), arena, sizeof(*arena));
        }
    }
    device->next.DestroyDescriptorPool(handle, descriptorPool, pAllocator);
    object_free(track, pAllocator, pool, sizeof(*pool));
}
