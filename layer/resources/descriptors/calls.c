/* SPDX-License-Identifier: MIT */
/*
 * The ways of a call of vkUpdateDescriptorSets. Most calls only have to be saved, or affect no record at all; those
 * need few instructions (tests/bench/quiet_calls.c has bounds), no stack, and end in a tail call.
 */
#include <string.h>

#include "descriptors/pool.h"
#include "descriptors/records.h"
#include "descriptors/save.h"
#include "descriptors/update.h"
#include "device/device.h"
#include "layouts/set_layout.h"
#include "objects/table.h"
#include "objects/track.h"

/* The number of writes, from the first on, that need nothing but saving; they are saved. */
static uint32_t save_writes(struct track *track, uint32_t count, const VkWriteDescriptorSet *writes)
{
    const bool quiet = !atomic_load_explicit(&track->requires_emulation, memory_order_relaxed);
    struct set *set = NULL;
    uint32_t found = count; /* the write whose set this is */
    for (uint32_t i = 0; i < count; i++) {
        const VkWriteDescriptorSet *write = &writes[i];
        if (type_passes(track, write->descriptorType))
            continue;
        if (found == count || write->dstSet != writes[found].dstSet)
            set = set_find(track, write->dstSet);
        found = i;
        if (!(set && quiet && save_single(&set->records, write)) && !save_any_write(track, set, write))
            return i;
    }
    return count;
}

AS_CALLED void update_any(const struct device *device, uint32_t write_count, const VkWriteDescriptorSet *writes,
                          uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    struct track *track = device->track;
    if (write_count == 1 && !copy_count && atomic_load_explicit(&track->requires_emulation, memory_order_relaxed) &&
        write_emulated(device, writes))
        return;
    const uint32_t done = save_writes(track, write_count, writes);
    if (done == write_count && !copy_count)
        device->next.UpdateDescriptorSets(device->handle, write_count, writes, copy_count, copies);
    else
        update_sets(device, done, write_count, writes, copy_count, copies);
}

/* The next ones have the hook's parameters, which then stay in their registers. */

/* One copy that is not of a single saved write. */
AS_CALLED void update_other_copy(const struct device *device, const VkCopyDescriptorSet *copy)
{
    struct track *track = device->track;
    if (copy_passes(set_find(track, copy->srcSet), set_find(track, copy->dstSet), copy))
        device->next.UpdateDescriptorSets(device->handle, 0, NULL, 1, copy);
    else
        update_sets(device, 0, 0, NULL, 1, copy);
}

/* One copy of a single saved write, to a binding of this type. */
AT_ONCE void update_copied(const struct device *device, const VkCopyDescriptorSet *copy,
                           const VkDescriptorImageInfo *info, VkDescriptorType type)
{
    struct copied to;
    if (copied_find(device->track, copy->dstSet, &copy->dstBinding, &copy->dstArrayElement, &to) &&
        to.saved_as == type) {
        save_info(to.records, to.state, to.index, type, info);
        device->next.UpdateDescriptorSets(device->handle, 0, NULL, 1, copy);
    } else {
        update_other_copy(device, copy);
    }
}

AS_CALLED void update_copied_combined(const struct device *device, const VkCopyDescriptorSet *copy,
                                      const VkDescriptorImageInfo *info)
{
    update_copied(device, copy, info, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
}

AS_CALLED void update_copied_alone(const struct device *device, const VkCopyDescriptorSet *copy,
                                   const VkDescriptorImageInfo *info, VkDescriptorType type)
{
    update_copied(device, copy, info, type);
}

/* One copy. */
AS_CALLED void update_copy(const struct device *device, uint32_t write_count, const VkWriteDescriptorSet *writes,
                           uint32_t copy_count, const VkCopyDescriptorSet *copy)
{
    (void)write_count, (void)writes, (void)copy_count;
    struct copied from;
    if (copy->descriptorCount == 1 &&
        copied_find(device->track, copy->srcSet, &copy->srcBinding, &copy->srcArrayElement, &from)) {
        const VkDescriptorImageInfo *written = from.records->store.written;
        if (from.saved_as == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
            update_copied_combined(device, copy, &written[from.index]);
            return;
        }
        if (from.saved_as != VK_DESCRIPTOR_TYPE_MAX_ENUM) {
            update_copied_alone(device, copy, &written[from.index], from.saved_as);
            return;
        }
    }
    update_other_copy(device, copy);
}

/* One write of several descriptors of its binding, or of another type than the binding's own. */
AS_CALLED void update_array(const struct device *device, struct records *records, const VkWriteDescriptorSet *write,
                            const struct binding_brief *brief)
{
    const uint32_t first = brief->first_record + write->dstArrayElement;
    if (write->descriptorType == brief->saved_as && brief_has(brief, write->dstArrayElement, write->descriptorCount)) {
        memcpy(&records->store.written[first], write->pImageInfo,
               write->descriptorCount * sizeof(*records->store.written));
        if (write->descriptorType != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
            records_fall_back(records, first, write->descriptorCount);
        device->next.UpdateDescriptorSets(device->handle, 1, write, 0, NULL);
    } else {
        update_any(device, 1, write, 0, NULL);
    }
}

/* One write. Needs no stack, and ends in a tail call. */
AS_CALLED void update_one(const struct device *device, uint32_t write_count, const VkWriteDescriptorSet *write)
{
    struct track *track = device->track;
    if (!atomic_load_explicit(&track->requires_emulation, memory_order_relaxed)) {
        struct set *set = table_probe(&track->sets, HANDLE_KEY(write->dstSet));
        if (set) {
            struct records *records = &set->records;
            const uint32_t state = atomic_load_explicit(&records->state, memory_order_relaxed);
            if (is_at_once(records, state, write)) {
                const struct binding_brief *brief = &records->store.briefs[write->dstBinding];
                if (is_single(brief, write)) {
                    save_info(records, state, brief->first_record + write->dstArrayElement, write->descriptorType,
                              write->pImageInfo);
                    device->next.UpdateDescriptorSets(device->handle, write_count, write, 0, NULL);
                } else {
                    update_array(device, records, write, brief);
                }
                return;
            }
        }
    }
    update_any(device, write_count, write, 0, NULL);
}

AT_ONCE void update(const struct device *device, VkDevice handle, uint32_t write_count,
                    const VkWriteDescriptorSet *writes, uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    if (!((write_count ^ 1) | copy_count)) {
        if (type_passes(device->track, writes->descriptorType))
            device->next.UpdateDescriptorSets(handle, write_count, writes, copy_count, copies);
        else
            update_one(device, write_count, writes);
    } else if (!((copy_count ^ 1) | write_count)) {
        update_copy(device, write_count, writes, copy_count, copies);
    } else {
        update_any(device, write_count, writes, copy_count, copies);
    }
}

/* Of another device than the known one. */
AS_CALLED void update_other(VkDevice handle, uint32_t write_count, const VkWriteDescriptorSet *writes,
                            uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    update(device_of(handle), handle, write_count, writes, copy_count, copies);
}

/* Most calls are of one write that passes or only has to be saved. */
VKAPI_ATTR void VKAPI_CALL hook_UpdateDescriptorSets(VkDevice device, uint32_t descriptorWriteCount,
                                                     const VkWriteDescriptorSet *pDescriptorWrites,
                                                     uint32_t descriptorCopyCount,
                                                     const VkCopyDescriptorSet *pDescriptorCopies)
{
    if (device_is_known(device))
        update(known_device.device, device, descriptorWriteCount, pDescriptorWrites, descriptorCopyCount,
               pDescriptorCopies);
    else
        update_other(device, descriptorWriteCount, pDescriptorWrites, descriptorCopyCount, pDescriptorCopies);
}
