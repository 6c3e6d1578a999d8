/* SPDX-License-Identifier: MIT */
/* Writes and copies that are only saved, which is enough for most (records.h). */
#ifndef CLAMPLER_DESCRIPTORS_SAVE_H
#define CLAMPLER_DESCRIPTORS_SAVE_H

#include <string.h>

#include "descriptors/pool.h"
#include "descriptors/records.h"
#include "layouts/set_layout.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampler.h"
#include "spirv/spirv.h"

/* True: the driver does not know some sampler of the write, which must be resolved even in a set without records. */
bool write_has_surplus(const struct track *track, const VkWriteDescriptorSet *write);
static inline bool write_names_surplus(const struct track *track, const VkWriteDescriptorSet *write)
{
    return atomic_load_explicit(&track->device->surplus_handles, memory_order_relaxed) &&
           write_has_surplus(track, write);
}

/* True: none of these samplers requires emulation. Repeated samplers are looked up once. */
static inline bool samplers_are_native(struct track *track, bool alone, uint32_t count, const char *infos,
                                       size_t stride)
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
 * Saves a write within one binding, of images, samplers or both from the program's memory, if saving is enough and the
 * driver may get the write unchanged. False: nothing was done. For threads that may write the set.
 */
static inline bool records_save_write(struct track *track, struct records *records, const struct binding_brief *brief,
                                      uint32_t element, uint32_t count, VkDescriptorType type, const void *infos,
                                      size_t stride)
{
    const uint32_t first = brief->first_record + element;
    const bool combined = type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const uint64_t requires_emulation = atomic_load_explicit(&track->requires_emulation, memory_order_relaxed);
    VkDescriptorImageInfo *written = &records->store.written[first];
    if (records_are(records, combined ? RECORDS_SHARED | RECORDS_NEEDED : RECORDS_SHARED) || type != brief->saved_as ||
        requires_emulation & EMULATED_VIEWS || count > records->store.count || first > records->store.count - count)
        return false;
    if (requires_emulation && type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE &&
        !samplers_are_native(track, !combined, count, infos, stride))
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
 * True: a write of descriptors that require no emulation need only be saved: no other state depends on saved writes,
 * and no combined image sampler's record must become zero.
 */
static inline bool records_follow_saved_writes(const struct records *records, VkDescriptorType type)
{
    const uint32_t more = type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? RECORDS_NEEDED : 0;
    return !records_are(records, RECORDS_NOT_SAVED | RECORDS_SPLIT_WANTED | more);
}

/* True: an info of the binding's own type requires no emulation. */
static inline bool requires_nothing(struct track *track, VkDescriptorType type, const void *at)
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
    return sampler_is_native(sampler_find(track, info.sampler), type == VK_DESCRIPTOR_TYPE_SAMPLER);
}

/* Saves the write of one descriptor for which both are true. */
static inline void save_one(struct records *records, uint32_t index, VkDescriptorType type, const void *info)
{
    memcpy(&records->store.written[index], info, sizeof(*records->store.written));
    if (type != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
        records_fall_back(records, index, 1);
}

/* The binding, if it has all these elements, else NULL. */
static inline const struct binding_brief *records_brief(const struct records *records, uint32_t binding,
                                                        uint32_t element, uint32_t count)
{
    const struct binding_brief *brief = binding < records->store.brief_count ? &records->store.briefs[binding] : NULL;
    return brief && brief_has(brief, element, count) ? brief : NULL;
}

/* As records_save_write(); also true if the binding has no records. */
static inline bool records_save_one_write(struct track *track, struct records *records,
                                          const VkWriteDescriptorSet *write)
{
    const struct binding_brief *brief =
        records_brief(records, write->dstBinding, write->dstArrayElement, write->descriptorCount);
    return brief && (brief->first_record == SPIRV_NO_RECORD ||
                     records_save_write(track, records, brief, write->dstArrayElement, write->descriptorCount,
                                        write->descriptorType, write->pImageInfo, sizeof(*write->pImageInfo)));
}

/* ---- Writes and copies that need nothing but saving ---- */

#define AT_ONCE static inline __attribute__((always_inline))

/* A function whose parameters the compiler must leave as they are: they stay in the registers of the hook's. */
#ifdef __clang__
#define AS_CALLED static __attribute__((noinline))
#else
#define AS_CALLED static __attribute__((noinline, noclone))
#endif

/*
 * True: writes of this type affect no record of the device and reach the driver as they are, whatever their set is. So
 * is each type without records, until a set is made whose layout is special or has mutable descriptors with records.
 */
AT_ONCE bool type_passes(const struct track *track, VkDescriptorType type)
{
    /* Types from 32 on have no records: whatever bit stands for them is right, if none stands while sets are special.
     */
    return atomic_load_explicit(&track->passing, memory_order_relaxed) >> ((uint32_t)type % 32) & 1;
}

/* State in which saving the write of a single descriptor may not be enough, or takes longer (template.h, too). */
#define RECORDS_NOT_AT_ONCE (RECORDS_NOT_SAVED | RECORDS_SPLIT_WANTED | RECORDS_NEEDED | RECORDS_LARGE)

/*
 * True: while no object of the device requires emulation, a write of some of its binding's descriptors only has to be
 * saved to records of this state.
 */
AT_ONCE bool is_at_once(const struct records *records, uint32_t state, const VkWriteDescriptorSet *write)
{
    return !(state & RECORDS_NOT_AT_ONCE) && write->dstBinding < records->store.brief_count;
}

/* True: the write is of one descriptor of that binding, and of its own type. */
_Static_assert(offsetof(VkWriteDescriptorSet, descriptorType) ==
                       offsetof(VkWriteDescriptorSet, descriptorCount) + sizeof(uint32_t) &&
                   offsetof(struct binding_brief, saved_as) == offsetof(struct binding_brief, one) + sizeof(uint32_t),
               "one comparison of both");
AT_ONCE bool is_single(const struct binding_brief *brief, const VkWriteDescriptorSet *write)
{
    return !memcmp((const char *)write + offsetof(VkWriteDescriptorSet, descriptorCount),
                   (const char *)brief + offsetof(struct binding_brief, one), 2 * sizeof(uint32_t)) &&
           write->dstArrayElement < brief->count;
}

/* Saves one descriptor of its binding's type to records of this state. */
AT_ONCE void save_info(struct records *records, uint32_t state, uint32_t index, VkDescriptorType type,
                       const VkDescriptorImageInfo *info)
{
    memcpy(&records->store.written[index], info, sizeof(*info));
    if (type != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
        records->store.stale.blocks |= UINT64_C(1) << index; /* not RECORDS_LARGE */
        atomic_store_explicit(&records->state, state | RECORDS_STALE, memory_order_release);
    }
}

/* All that for one write. False: nothing was done. */
AT_ONCE bool save_single(struct records *records, const VkWriteDescriptorSet *write)
{
    const uint32_t state = atomic_load_explicit(&records->state, memory_order_relaxed);
    if (!is_at_once(records, state, write))
        return false;
    const struct binding_brief *brief = &records->store.briefs[write->dstBinding];
    if (!is_single(brief, write))
        return false;
    save_info(records, state, brief->first_record + write->dstArrayElement, write->descriptorType, write->pImageInfo);
    return true;
}

/*
 * Saves a write of any kind, if that is enough; also true if it has nothing to be saved. False: nothing was done.
 * `set`: that of the write, or NULL.
 */
static inline bool save_any_write(struct track *track, struct set *set, const VkWriteDescriptorSet *write)
{
    if (!set || type_passes(track, write->descriptorType))
        return !write_names_surplus(track, write);
    if (!records_are(&set->records, RECORDS_NOT_SAVED | RECORDS_SPLIT_WANTED))
        return records_save_one_write(track, &set->records, write);
    const struct binding_brief *brief =
        records_brief(&set->records, write->dstBinding, write->dstArrayElement, write->descriptorCount);
    return brief && brief->first_record == SPIRV_NO_RECORD && !records_are(&set->records, RECORDS_SPECIAL);
}

/*
 * The descriptor that a copy names, while its saved write is all that has to be copied. False: it must be looked at
 * more closely.
 */
struct copied {
    struct records *records;
    uint32_t state, index;
    VkDescriptorType saved_as;
};

AT_ONCE bool copied_find(const struct track *track, VkDescriptorSet handle, const uint32_t *number,
                         const uint32_t *element, struct copied *copied)
{
    struct set *set = table_probe(&track->sets, HANDLE_KEY(handle));
    if (!set)
        return false;
    const uint32_t state = atomic_load_explicit(&set->records.state, memory_order_relaxed);
    if (state & RECORDS_NOT_AT_ONCE || *number >= set->records.store.brief_count)
        return false;
    const struct binding_brief *brief = &set->records.store.briefs[*number];
    if (*element >= brief->count)
        return false;
    *copied = (struct copied){&set->records, state, brief->first_record + *element, brief->saved_as};
    return true;
}

/* True: neither end of a copy has records, and the driver may get it unchanged. */
static inline bool copy_passes(const struct set *from, const struct set *to, const VkCopyDescriptorSet *copy)
{
    if (!from || !to)
        return !from && !to;
    const struct binding_brief *in =
        records_brief(&from->records, copy->srcBinding, copy->srcArrayElement, copy->descriptorCount);
    const struct binding_brief *out =
        records_brief(&to->records, copy->dstBinding, copy->dstArrayElement, copy->descriptorCount);
    return in && out && in->first_record == SPIRV_NO_RECORD && out->first_record == SPIRV_NO_RECORD &&
           !records_are(&from->records, RECORDS_SPECIAL) && !records_are(&to->records, RECORDS_SPECIAL);
}

#endif
