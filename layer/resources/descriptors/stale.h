/* SPDX-License-Identifier: MIT */
/*
 * Records that are behind what is written, on the host and in the GPU's memory. (stale.c)
 *
 * Most writes are of descriptors that ask for nothing, or for nothing that anybody reads yet. Those only save what was
 * written: the records of combined image samplers stay zero, and those of images and samplers of their own are made of
 * the saved write when somebody asks for them.
 *
 * The records of a set get to memory that the GPU reads when a draw first follows them. Until then writes of
 * descriptors change the host's copy only, because every line that goes to a GPU's own memory takes longer than all
 * else that a write does.
 */
#ifndef CLAMPLER_DESCRIPTORS_STALE_H
#define CLAMPLER_DESCRIPTORS_STALE_H

#include <string.h>

#include "descriptors/split.h"
#include "descriptors/pool.h"
#include "device/held.h"
#include "layouts/set_layout.h"
#include "objects/bitmap.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampler.h"
#include "spirv/spirv.h"

/*
 * What threads that may record with a set do with its records takes turns: making those that are stale, uploading them,
 * and making those of split samplers. Notes are followed within (sampling/saved_writes.h), not around. Turns of
 * different sets are no matter to each other, but where their locks are the same by chance.
 */
void records_turn_begin(struct track *track, const struct records *records, struct held_messages *held);
void records_turn_end(struct track *track, const struct records *records, struct held_messages *held);

/* Makes the stale records, and no others. Locks if there are any; for who may write the set or record with it. */
void records_flush_element(struct track *track, struct records *records, const struct set_layout *layout);

static inline bool records_are_stale(const struct records *records)
{
    return atomic_load_explicit(&records->any_stale, memory_order_acquire);
}

static inline void records_flush(struct track *track, struct records *records, const struct set_layout *layout)
{
    if (records_are_stale(records))
        records_flush_element(track, records, layout);
}

/* The records of descriptors that were just saved are stale. For the one thread that may write the set. */
static inline void records_fall_back(struct records *records, uint32_t first, uint32_t count)
{
    if (count == 1)
        bitmap_mark(&records->stale, first);
    else
        bitmap_mark_run(&records->stale, first, count);
    atomic_store_explicit(&records->any_stale, true, memory_order_relaxed);
}

/* Does none of these samplers require emulation? Programs write runs of one sampler. */
static inline bool samplers_are_even(struct track *track, bool alone, uint32_t count, const char *infos, size_t stride)
{
    VkSampler last = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < count; i++) {
        VkDescriptorImageInfo info;
        memcpy(&info, infos + i * stride, sizeof(info));
        if (info.sampler == last)
            continue;
        if (!sampler_is_native(sampler_find(track, info.sampler), alone))
            return false;
        last = info.sampler;
    }
    return true;
}

/*
 * A write within one binding, of images, samplers or both from the program's memory: saves it if that is all that has
 * to be done, and the driver may get it as it is. False: nothing was done. For who may write the set.
 */
static inline bool records_save_write(struct track *track, struct records *records, const struct binding_brief *brief,
                                      uint32_t element, uint32_t count, VkDescriptorType type, const void *infos,
                                      size_t stride)
{
    const uint32_t first = brief->first_record + element;
    const bool combined = type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const uint64_t requires_emulation = atomic_load_explicit(&track->requires_emulation, memory_order_relaxed);
    VkDescriptorImageInfo *written = &records->written[first];
    if (records->by_threads || type != brief->saved_as || requires_emulation & EMULATED_VIEWS ||
        count > records->count || first > records->count - count ||
        (combined && atomic_load_explicit(&records->any_needs, memory_order_relaxed)))
        return false;
    if (requires_emulation && type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE &&
        !samplers_are_even(track, !combined, count, infos, stride))
        return false;
    if (stride == sizeof(*written)) {
        memcpy(written, infos, count * sizeof(*written));
    } else {
        for (uint32_t i = 0; i < count; i++)
            memcpy(&written[i], (const char *)infos + i * stride, sizeof(*written));
    }
    if (!combined)
        records_fall_back(records, first, count);
    return true;
}

/*
 * Where a write of descriptors that ask for nothing may come to no more than a saved write: nothing else follows saved
 * writes, and no combined image sampler's record has to become zero.
 */
static inline bool records_follow_saved_writes(const struct records *records, VkDescriptorType type)
{
    return records->notes && !atomic_load_explicit(&records->split_wanted, memory_order_relaxed) &&
           (type != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ||
            !atomic_load_explicit(&records->any_needs, memory_order_relaxed));
}

/* Does one info of a binding's own type ask for nothing, as is seen at once? */
static inline bool requires_nothing(const struct track *track, VkDescriptorType type, const void *at)
{
    const uint64_t requires_emulation = atomic_load_explicit(&track->requires_emulation, memory_order_relaxed);
    if (!requires_emulation)
        return true;
    if (requires_emulation & EMULATED_VIEWS)
        return false;
    if (type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE)
        return true;
    VkDescriptorImageInfo info;
    memcpy(&info, at, sizeof(info));
    return sampler_is_native(sampler_glance(track, info.sampler), type == VK_DESCRIPTOR_TYPE_SAMPLER);
}

/* There, of one descriptor that asks for nothing. */
static inline void save_one(struct records *records, uint32_t index, VkDescriptorType type, const void *info)
{
    memcpy(&records->written[index], info, sizeof(*records->written));
    if (type != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
        records_fall_back(records, index, 1);
}

/* The binding of that number if a write of so many elements is within it, else NULL. */
static inline const struct binding_brief *records_brief(const struct records *records, uint32_t binding,
                                                        uint32_t element, uint32_t count)
{
    const struct binding_brief *brief = binding < records->brief_count ? &records->briefs[binding] : NULL;
    return brief && brief_has(brief, element, count) ? brief : NULL;
}

/* As records_save_write; true as well where there are no records to write. */
static inline bool records_save_one_write(struct track *track, struct records *records,
                                          const VkWriteDescriptorSet *write)
{
    const struct binding_brief *brief =
        records_brief(records, write->dstBinding, write->dstArrayElement, write->descriptorCount);
    return brief && (brief->first_record == SPIRV_NO_RECORD ||
                     records_save_write(track, records, brief, write->dstArrayElement, write->descriptorCount,
                                        write->descriptorType, write->pImageInfo, sizeof(*write->pImageInfo)));
}

/* ---- Calls of one write or copy ---- */

/* One descriptor that asks for nothing, or a descriptor without a record. False: it may be another one. */
static inline __attribute__((always_inline)) bool save_at_once(struct track *track, const VkWriteDescriptorSet *write)
{
    struct set *set = table_glance(&track->sets, HANDLE_KEY(write->dstSet));
    if (!set || write->descriptorCount != 1)
        return false;
    const struct binding_brief *brief = records_brief(&set->records, write->dstBinding, write->dstArrayElement, 1);
    if (!brief || brief->first_record == SPIRV_NO_RECORD)
        return brief && !set->records.special;
    if (!records_follow_saved_writes(&set->records, write->descriptorType) ||
        write->descriptorType != brief->saved_as || !requires_nothing(track, write->descriptorType, write->pImageInfo))
        return false;
    save_one(&set->records, brief->first_record + write->dstArrayElement, write->descriptorType, write->pImageInfo);
    return true;
}

/* The same of one copy. */
static inline __attribute__((always_inline)) bool save_copy_at_once(struct track *track,
                                                                    const VkCopyDescriptorSet *copy)
{
    const struct set *from = table_glance(&track->sets, HANDLE_KEY(copy->srcSet));
    struct set *to = table_glance(&track->sets, HANDLE_KEY(copy->dstSet));
    if (!from || !to || copy->descriptorCount != 1)
        return false;
    const struct binding_brief *in = records_brief(&from->records, copy->srcBinding, copy->srcArrayElement, 1),
                               *out = records_brief(&to->records, copy->dstBinding, copy->dstArrayElement, 1);
    if (!in || !out || in->saved_as == VK_DESCRIPTOR_TYPE_MAX_ENUM || in->saved_as != out->saved_as ||
        !records_follow_saved_writes(&from->records, in->saved_as) ||
        !records_follow_saved_writes(&to->records, out->saved_as))
        return false;
    save_one(&to->records, out->first_record + copy->dstArrayElement, out->saved_as,
             &from->records.written[in->first_record + copy->srcArrayElement]);
    return true;
}

/* ---- On their way to the GPU ---- */

/* Must a draw that follows records call set_send? */
static inline bool records_not_uploaded(const struct records *records)
{
    return records->gpu && (atomic_load_explicit(&records->uploaded, memory_order_acquire) != UPLOADED_ALL ||
                            records_are_stale(records));
}

/*
 * For the thread that has just changed the shadow of a set that other threads may write or send at the same time, and
 * that was not uploaded: must it write to the GPU's memory itself? If a thread is uploading, waits until that is done.
 * Either set_send sees the shadow, or this thread sees set_send, because both change the same word.
 */
bool records_were_uploaded(struct track *track, struct records *records);

/* Notes that a record of the shadow is newer than the GPU's, or writes it there. */
static inline void record_changed(struct track *track, struct records *records, const struct binding *binding,
                                  uint32_t element, uint32_t index)
{
    const uint32_t uploaded = atomic_load_explicit(&records->uploaded, memory_order_acquire);
    if (records->by_threads) {
        if (uploaded == UPLOADED_ALL || records_were_uploaded(track, records))
            records->gpu[binding_place(binding, element)] = records->shadow[index];
        return;
    }
    if (uploaded == UPLOADED_NOTHING)
        return;
    bitmap_mark(&records->not_uploaded, index);
    if (uploaded == UPLOADED_ALL)
        atomic_store_explicit(&records->uploaded, UPLOADED_SOME, memory_order_relaxed);
}

/* Before a draw that follows the set's records. Locks; any thread that may record with the set. */
void set_send(struct track *track, struct set *set);

#endif
