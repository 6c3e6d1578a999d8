/* SPDX-License-Identifier: MIT */
/*
 * Descriptor copies: copying a descriptor copies its record. Allocates nothing; takes a lock only where shaders split
 * combined image samplers and where samplers are immutable.
 *
 * Copies do not change immutable samplers (section "Descriptor Set Layout": updates of combined image samplers with
 * immutable samplers do not modify the samplers). Where the layer made them mutable, and where the source's sampler has
 * another driver view than the target's, the driver gets a write of the view that was written to the source, instead of
 * a copy.
 */
#include <string.h>

#include "descriptors/split.h"
#include "descriptors/records.h"
#include "descriptors/save.h"
#include "descriptors/pool.h"
#include "descriptors/update.h"
#include "device/held.h"
#include "layouts/set_layout.h"
#include "objects/track.h"
#include "sampling/image.h"
#include "sampling/saved_writes.h"
#include "spirv/spirv.h"

/* The part of a copy that is within one binding of the source and one of the target. NULL: the set is not tracked. */
struct piece {
    const struct binding *in, *out;
    uint32_t in_element, out_element;
    uint32_t count;
};

/* The iteration over a copy's pieces. */
struct copying {
    const struct set *from, *to;
    VkWriteDescriptorSet source, target; /* either side as a write there */
    struct write_run in, out;
    uint32_t done;
};

static struct copying copying_begin(const struct set *from, const struct set *to, const VkCopyDescriptorSet *copy)
{
    return (struct copying){
        .from = from,
        .to = to,
        .source = {.dstBinding = copy->srcBinding,
                   .dstArrayElement = copy->srcArrayElement,
                   .descriptorCount = copy->descriptorCount},
        .target = {.dstBinding = copy->dstBinding,
                   .dstArrayElement = copy->dstArrayElement,
                   .descriptorCount = copy->descriptorCount},
    };
}

/* Advances `run` to the one with that descriptor. A set that is not tracked is one run. */
static bool reach(const struct set *set, const VkWriteDescriptorSet *side, struct write_run *run, uint32_t number)
{
    if (!set)
        *run = (struct write_run){.element = side->dstArrayElement, .count = side->descriptorCount};
    return number < run->first + run->count || (set && write_next_run(set->layout, side, run));
}

static bool copying_next(struct copying *copying, struct piece *piece)
{
    if (copying->done >= copying->source.descriptorCount ||
        !reach(copying->from, &copying->source, &copying->in, copying->done) ||
        !reach(copying->to, &copying->target, &copying->out, copying->done))
        return false;
    uint32_t in_left = copying->in.first + copying->in.count - copying->done;
    uint32_t out_left = copying->out.first + copying->out.count - copying->done;
    *piece = (struct piece){
        .in = copying->in.binding,
        .out = copying->out.binding,
        .in_element = copying->in.element + (copying->done - copying->in.first),
        .out_element = copying->out.element + (copying->done - copying->out.first),
        .count = in_left < out_left ? in_left : out_left,
    };
    copying->done += piece->count;
    return true;
}

/* True: the piece must not change its target's samplers, which are immutable. */
static bool keeps_samplers(const struct piece *piece)
{
    return piece->in && piece->in->first_record != SPIRV_NO_RECORD && piece->out &&
           piece->out->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER &&
           piece->out->first_record != SPIRV_NO_RECORD && (piece->out->immutable || piece->out->immutable_native);
}

/*
 * The image written to the `i`th descriptor of the source. False: none, or its view was destroyed: the copy's result is
 * undefined then. Call between saved_writes_begin and saved_writes_end.
 */
static bool image_of(struct track *track, const struct copying *copying, const struct piece *piece, uint32_t i,
                     VkDescriptorImageInfo *info)
{
    const uint32_t index = piece->in->first_record + piece->in_element + i;
    if (index >= copying->from->records.store.count)
        return false;
    *info = written_read(&copying->from->records.store.written[index]);
    info->sampler = VK_NULL_HANDLE;
    return info->imageLayout != NOT_WRITTEN && (!info->imageView || view_find(track, info->imageView));
}

/* ---- Records ---- */

/*
 * The sampler that was written, or the layout's immutable one. VK_NULL_HANDLE for immutable samplers that require no
 * emulation.
 */
static VkSampler sampler_of(const struct piece *piece, uint32_t i, const VkDescriptorImageInfo *written)
{
    if (piece->in && piece->in->immutable)
        return piece->in->immutable[piece->in_element + i].handle;
    return piece->in && piece->in->immutable_native ? VK_NULL_HANDLE : written->sampler;
}

/* Copies the source's saved write to the target. */
static void copy_saved_write(const struct copying *copying, struct set *to, const struct piece *piece, uint32_t i)
{
    const uint32_t target = piece->out->first_record + piece->out_element + i;
    VkDescriptorImageInfo from = {.imageLayout = NOT_WRITTEN};
    if (piece->in && piece->in->first_record != SPIRV_NO_RECORD) {
        const uint32_t source = piece->in->first_record + piece->in_element + i;
        if (source < copying->from->records.store.count)
            from = written_read(&copying->from->records.store.written[source]);
    }
    from.sampler = sampler_of(piece, i, &from);
    if (target < to->records.store.count)
        written_put(&to->records.store.written[target], &from);
}

static struct record record_of(struct track *track, const struct copying *copying, const struct piece *piece,
                               uint32_t i)
{
    static const struct record zero;
    struct record record = zero;
    VkDescriptorImageInfo info, for_driver;
    if (keeps_samplers(piece)) {
        struct held_messages held;
        saved_writes_begin(track, &held);
        if (image_of(track, copying, piece, i, &info))
            descriptor_resolve(track, piece->out->type, &info, &piece->out->immutable[piece->out_element + i], false,
                               &for_driver, &record);
        saved_writes_end(track, &held);
        return record;
    }
    if (!piece->in || piece->in->first_record == SPIRV_NO_RECORD || piece->in->immutable_native)
        return zero;
    const uint32_t source = piece->in->first_record + piece->in_element + i;
    return source < copying->from->records.store.count ? copying->from->records.store.shadow[source] : zero;
}

/* Call after all writes were saved. */
static void copy_split(struct track *track, const struct set *from, struct set *to, const VkCopyDescriptorSet *copy)
{
    struct copying copying = copying_begin(from, to, copy);
    struct piece piece;
    while (copying_next(&copying, &piece))
        split_put(track, &to->records, piece.out, piece.out_element, piece.count);
}

/* Copies within one binding on either side, where copying the saved writes is enough. False: nothing was done. */
static bool copy_saved_writes(struct track *track, const struct set *from, struct set *to,
                              const VkCopyDescriptorSet *copy)
{
    const uint32_t count = copy->descriptorCount;
    const struct binding_brief *in = from
                                         ? records_brief(&from->records, copy->srcBinding, copy->srcArrayElement, count)
                                         : NULL,
                               *out = to ? records_brief(&to->records, copy->dstBinding, copy->dstArrayElement, count)
                                         : NULL;
    if (!in || !out || in->saved_as == VK_DESCRIPTOR_TYPE_MAX_ENUM || in->saved_as != out->saved_as ||
        records_are(&from->records, RECORDS_SHARED) || records_are(&to->records, RECORDS_SHARED))
        return false;
    const uint32_t source = in->first_record + copy->srcArrayElement,
                   target = out->first_record + copy->dstArrayElement;
    if (source + count > from->records.store.count || target + count > to->records.store.count)
        return false;
    memmove(&to->records.store.written[target], &from->records.store.written[source],
            count * sizeof(VkDescriptorImageInfo));
    if (in->saved_as != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
        records_fall_back(&to->records, target, count);
        return true;
    }
    const bool needed = records_are(&from->records, RECORDS_NEEDED) || records_are(&to->records, RECORDS_NEEDED);
    const struct binding *binding = needed ? set_layout_binding(to->layout, copy->dstBinding) : NULL;
    for (uint32_t i = 0; needed && i < count; i++)
        records_put_copy(track, &to->records, binding, copy->dstArrayElement + i, &from->records, source + i);
    return true;
}

static void copy_by_piece(struct track *track, struct set *from, struct set *to, const VkCopyDescriptorSet *copy)
{
    struct copying copying = copying_begin(from, to, copy);
    struct piece piece;
    if (from)
        records_flush(track, &from->records, from->layout);
    while (to && copying_next(&copying, &piece)) {
        for (uint32_t i = 0; piece.out->first_record != SPIRV_NO_RECORD && i < piece.count; i++) {
            if (!piece.out->immutable_native) {
                const struct record record = record_of(track, &copying, &piece, i);
                records_put(track, &to->records, piece.out, piece.out_element + i, &record);
            }
            copy_saved_write(&copying, to, &piece, i);
        }
    }
}

static void copy_records(struct track *track, struct set *from, struct set *to, const VkCopyDescriptorSet *copy)
{
    if (!copy_saved_writes(track, from, to, copy))
        copy_by_piece(track, from, to, copy);
    if (to && split_follow(&to->records, to->layout))
        copy_split(track, from, to, copy);
}

/* ---- The driver's copies ---- */

static bool copy_is_special(const struct set *from, const struct set *to)
{
    return (from && (from->layout->renumbered || from->layout->driver_immutable)) ||
           (to && (to->layout->renumbered || to->layout->driver_immutable || to->layout->immutable_combined));
}

static void write_images(struct track *track, const struct copying *copying, const struct piece *piece)
{
    for (uint32_t i = 0; i < piece->count; i++) {
        VkDescriptorImageInfo info;
        const VkWriteDescriptorSet write = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = copying->to->handle,
            .dstBinding = piece->out->binding,
            .dstArrayElement = piece->out_element + i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
            .pImageInfo = &info,
        };
        struct held_messages held;
        saved_writes_begin(track, &held);
        if (image_of(track, copying, piece, i, &info))
            driver_write(track, copying->to->layout, &write, emit_update, track->device);
        saved_writes_end(track, &held);
    }
}

static void copy_in_driver(struct track *track, const struct set *from, const struct set *to,
                           const VkCopyDescriptorSet *copy)
{
    const struct device *device = track->device;
    struct copying copying = copying_begin(from, to, copy);
    struct piece piece;
    while (copying_next(&copying, &piece)) {
        VkCopyDescriptorSet for_driver = *copy;
        if (keeps_samplers(&piece)) {
            write_images(track, &copying, &piece);
            continue;
        }
        for_driver.srcBinding = from ? piece.in->new_binding : copy->srcBinding;
        for_driver.srcArrayElement = piece.in_element;
        for_driver.dstBinding = to ? piece.out->new_binding : copy->dstBinding;
        for_driver.dstArrayElement = piece.out_element;
        for_driver.descriptorCount = piece.count;
        device->next.UpdateDescriptorSets(device->handle, 0, NULL, 1, &for_driver);
    }
}

/* ---- Calls ---- */

bool copies_are_special(struct track *track, uint32_t count, const VkCopyDescriptorSet *copies)
{
    bool special = false;
    for (uint32_t i = 0; i < count; i++)
        special |= copy_is_special(set_find(track, copies[i].srcSet), set_find(track, copies[i].dstSet));
    return special;
}

void copies_take(struct track *track, bool special, uint32_t count, const VkCopyDescriptorSet *copies)
{
    for (uint32_t i = 0; i < count; i++) {
        struct set *from = set_find(track, copies[i].srcSet), *to = set_find(track, copies[i].dstSet);
        copy_records(track, from, to, &copies[i]);
        if (special)
            copy_in_driver(track, from, to, &copies[i]);
    }
}
