/* SPDX-License-Identifier: MIT */
/*
 * Records of split combined image samplers. Few shaders split them. So descriptor writes do nothing for them until a
 * draw uses such a shader: the draw makes the records of all descriptors of its sets, and from then on each write
 * updates them.
 */
#include <string.h>

#include "descriptors/split.h"
#include "descriptors/records.h"
#include "descriptors/pool.h"
#include "descriptors/update.h"
#include "device/held.h"
#include "layouts/set_layout.h"
#include "need/need.h"
#include "objects/track.h"
#include "record/record.h"
#include "sampling/image.h"
#include "sampling/saved_writes.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"
#include "spirv/spirv.h"

struct split_records {
    struct record image, sampler;
    uint32_t needs;
};

static struct sampler sampler_of(struct track *track, const struct binding *binding, uint32_t element,
                                 VkSampler written)
{
    if (binding->immutable)
        return binding->immutable[element].sampler;
    return binding->immutable_native ? (struct sampler){NULL, SAMPLER_NEVER_EMULATED} : sampler_find(track, written);
}

/* Call between saved_writes_begin and saved_writes_end. */
static struct split_records split_of(struct track *track, const struct binding *binding, uint32_t element,
                                     VkDescriptorImageInfo info)
{
    struct split_records split;
    const bool written = info.imageLayout != NOT_WRITTEN;
    const struct view *view = written && info.imageView ? view_find(track, info.imageView) : NULL;
    const struct sampler sampler = written ? sampler_of(track, binding, element, info.sampler) : (struct sampler){0};
    pair_split(track, sampler.state, view, &split.image, &split.sampler);
    split.needs = record_needs(&split.image) | record_needs(&split.sampler);
    return split;
}

/* ---- Sets; in a turn (records.h), and between saved_writes_begin and saved_writes_end ---- */

static void put(struct track *track, struct records *records, const struct binding *binding, uint32_t element)
{
    const uint32_t index = binding->first_record + element;
    uint32_t *known = &records->store.each[index].split;
    const struct split_records split = split_of(track, binding, element, written_read(&records->store.written[index]));
    needs_change_in(&records->split_needs, false, binding->binding, *known, split.needs);
    *known = split.needs;
    if (!records->upload.gpu)
        return; /* split_copy() makes them when the records are uploaded */
    struct record *place = records->upload.gpu + binding_place(binding, element);
    place[HALF_IMAGE] = split.image;
    place[HALF_SAMPLER] = split.sampler;
}

static void put_some(struct track *track, struct records *records, const struct binding *binding, uint32_t element,
                     uint32_t count)
{
    for (uint32_t i = 0; binding->split && i < count && binding->first_record + element + i < records->store.count; i++)
        put(track, records, binding, element + i);
}

/* ---- Sets ---- */

void split_put(struct track *track, struct records *records, const struct binding *binding, uint32_t element,
               uint32_t count)
{
    if (!binding->split)
        return;
    struct held_messages turn, saved;
    records_turn_begin(track, records, &turn);
    saved_writes_begin(track, &saved);
    put_some(track, records, binding, element, count);
    saved_writes_end(track, &saved);
    records_turn_end(track, records, &turn);
}

void split_put_written(struct track *track, struct records *records, const struct set_layout *layout,
                       const VkWriteDescriptorSet *write)
{
    struct write_run run = {0};
    while (run.first + run.count < write->descriptorCount && write_next_run(layout, write, &run))
        split_put(track, records, run.binding, run.element, run.count);
}

/* Tests consecutive writes to the same set only once for split samplers. */
void split_put_writes(struct track *track, uint32_t write_count, const VkWriteDescriptorSet *writes)
{
    for (uint32_t i = 0, next; i < write_count; i = next) {
        struct set *set = set_find(track, writes[i].dstSet);
        const bool follow = set && split_follow(&set->records, set->layout);
        for (next = i; next < write_count && writes[next].dstSet == writes[i].dstSet; next++) {
            if (follow)
                split_put_written(track, &set->records, set->layout, &writes[next]);
        }
    }
}

/*
 * Makes the records of all descriptors. A thread that calls this while another one makes them waits, so that no draw is
 * recorded before they exist. Other threads may write the set meanwhile.
 */
static void put_all(struct track *track, struct records *records, const struct set_layout *layout)
{
    struct held_messages turn, saved;
    records_turn_begin(track, records, &turn);
    saved_writes_begin(track, &saved);
    if (!records_are(records, RECORDS_SPLIT_MADE)) {
        records_announce(records, RECORDS_SPLIT_WANTED);
        for (uint32_t b = 0; b < layout->binding_count; b++)
            put_some(track, records, &layout->bindings[b], 0, layout->bindings[b].count);
        records_become(records, RECORDS_SPLIT_MADE, 0);
    }
    saved_writes_end(track, &saved);
    records_turn_end(track, records, &turn);
}

uint32_t split_needed(struct track *track, struct records *records, const struct set_layout *layout)
{
    if (!(atomic_load_explicit(&records->state, memory_order_acquire) & RECORDS_SPLIT_MADE))
        put_all(track, records, layout);
    return atomic_load_explicit(&records->split_needs.any, memory_order_relaxed);
}

/* ---- Memory ---- */

/* A record of the shadow. If several threads may write it, it is read word by word. */
static struct record shadow_of(const struct records *records, uint32_t index)
{
    struct record record;
    if (!records_are(records, RECORDS_SHARED))
        return records->store.shadow[index];
    record_copy_shared(&record, &records->store.shadow[index]);
    return record;
}

static struct record_masks masks_of(const struct records *records, const struct set_layout *layout)
{
    struct record_masks masks = {0};
    for (uint32_t b = 0; b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        for (uint32_t i = 0; i < binding_bits(binding) && binding->first_record + i < records->store.count; i++) {
            const struct record record = shadow_of(records, binding->first_record + i);
            record_masks_put(&masks, binding->first_bit + i, &record);
        }
    }
    return masks;
}

/* Writes all memory in ascending order, which is fastest in uncached memory. */
static void copy_all(struct records *records, const struct set_layout *layout, uint32_t place_count,
                     struct record *memory)
{
    static const struct record zero;
    uint32_t place = 0;
    if (layout->masks && place_count) {
        records->upload.masks = masks_of(records, layout);
        memcpy(&memory[place++], &records->upload.masks, sizeof(zero));
    }
    for (uint32_t b = 0; b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        if (binding->first_record == SPIRV_NO_RECORD)
            continue;
        while (place < binding->first_place && place < place_count)
            memory[place++] = zero;
        const uint32_t end = binding_place(binding, binding->count), step = binding->split ? SPIRV_RECORDS_OF_SPLIT : 1;
        for (; place < end && place < place_count; place++) {
            const uint32_t at = place - binding->first_place, index = binding->first_record + at / step;
            memory[place] = at % step == HALF_BOTH && index < records->store.count ? shadow_of(records, index) : zero;
        }
    }
    while (place < place_count)
        memory[place++] = zero;
}

static void copy_split(struct track *track, const struct records *records, const struct binding *binding,
                       struct record *place)
{
    for (uint32_t i = 0; i < binding->count && binding->first_record + i < records->store.count;
         i++, place += SPIRV_RECORDS_OF_SPLIT) {
        const struct split_records split =
            split_of(track, binding, i, written_read(&records->store.written[binding->first_record + i]));
        place[HALF_IMAGE] = split.image;
        place[HALF_SAMPLER] = split.sampler;
    }
}

void split_copy(struct track *track, struct records *records, const struct set_layout *layout, uint32_t place_count,
                struct record *memory)
{
    copy_all(records, layout, place_count, memory);
    if (!layout->split || !records_are(records, RECORDS_SPLIT_WANTED))
        return;
    struct held_messages held;
    saved_writes_begin(track, &held);
    for (uint32_t b = 0; b < layout->binding_count; b++) {
        if (layout->bindings[b].split)
            copy_split(track, records, &layout->bindings[b], memory + layout->bindings[b].first_place);
    }
    saved_writes_end(track, &held);
}
