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

/* True: a quick look shows that an info of the binding's own type requires no emulation. */
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

/* ---- Calls of one write or copy ---- */

/*
 * Saves a write of one descriptor that requires no emulation, or has no record. False: nothing was done; the write may
 * be one of another kind.
 */
static inline __attribute__((always_inline)) bool save_at_once(struct track *track, const VkWriteDescriptorSet *write)
{
    struct set *set = table_glance(&track->sets, HANDLE_KEY(write->dstSet));
    if (!set || write->descriptorCount != 1)
        return false;
    const struct binding_brief *brief = records_brief(&set->records, write->dstBinding, write->dstArrayElement, 1);
    if (!brief || brief->first_record == SPIRV_NO_RECORD)
        return brief && !records_are(&set->records, RECORDS_SPECIAL);
    if (!records_follow_saved_writes(&set->records, write->descriptorType) ||
        write->descriptorType != brief->saved_as || !requires_nothing(track, write->descriptorType, write->pImageInfo))
        return false;
    save_one(&set->records, brief->first_record + write->dstArrayElement, write->descriptorType, write->pImageInfo);
    return true;
}

/* The same for one copy. */
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
             &from->records.store.written[in->first_record + copy->srcArrayElement]);
    return true;
}

#endif
