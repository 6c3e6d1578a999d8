/* SPDX-License-Identifier: MIT */
/*
 * Descriptor writes: writing a descriptor writes its record. Allocates nothing; takes a lock only for new pairs of
 * sampler states and views, and where shaders split combined image samplers.
 */
#include <stdlib.h>
#include <string.h>

#include "descriptors/update.h"
#include "descriptors/split.h"
#include "descriptors/records.h"
#include "descriptors/save.h"
#include "descriptors/combination_cache.h"
#include "descriptors/pool.h"
#include "device/device.h"
#include "device/message.h"
#include "descriptor_type/descriptor_type.h"
#include "layouts/set_layout.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "record/layout.h"
#include "record/record.h"
#include "resolve/resolve.h"
#include "sampling/image.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"
#include "sampling/surplus.h"
#include "spirv/spirv.h"
#include "texel_buffers/buffer.h"

/* ---- One record ---- */

/* Inlined where descriptors are written: there, every nanosecond counts. */
#define HOT static inline __attribute__((always_inline))

/* The record of a descriptor, as the terms that it is made from. */
struct record_terms {
    const struct record *complete;       /* of an image or a sampler alone; NULL: the next two */
    const struct sampler_terms *sampler; /* combined with those of the view; NULL: a zero record */
    const struct view_terms *view;
    uint32_t needs; /* record_needs() of the record */
};

/* A sampler and a view in one descriptor. */
HOT void resolve_combined(struct track *track, struct sampler sampler, const struct view *view,
                          VkDescriptorImageInfo *for_driver, struct record_terms *terms)
{
    if (!sampler.state || (sampler.bits & SAMPLER_NEVER_EMULATED)) {
        if (!(sampler.bits & SAMPLER_OPAQUE))
            for_driver->imageView = view->driver[RESOLVE_VIEW_SAMPLED];
        else
            for_driver->imageView = view->gl ? view->driver[RESOLVE_VIEW_UNMAPPED] : view->handle;
        return;
    }
    const struct pair *pair = pair_of(track, sampler.state, view);
    for_driver->imageView = view->driver[pair->view];
    for_driver->sampler = pair_sampler(pair, sampler.state, for_driver->sampler);
    if (pair->nothing)
        return;
    terms->sampler = &pair->terms;
    terms->view = &view->terms;
    terms->needs = pair->needs | (resolve_terms_any(&pair->terms) ? view->terms_needs : 0u);
}

static __attribute__((noinline)) void say_opaque(const struct track *track, const VkDescriptorImageInfo *program)
{
    static struct message_place said;
    message_about_once(&said, track->device, LOG_WARN,
                       ABOUT({VK_OBJECT_TYPE_SAMPLER, HANDLE_KEY(program->sampler)},
                             {VK_OBJECT_TYPE_IMAGE_VIEW, HANDLE_KEY(program->imageView)}),
                       "a sampler that requires emulation is combined with a view whose texels only the driver can "
                       "address (subsampled, corner-sampled, or with a YCbCr conversion): it gets the driver's own "
                       "semantics");
}

HOT void resolve(struct track *track, VkDescriptorType type, const VkDescriptorImageInfo *program,
                 const struct immutable *immutable, bool fixed, VkDescriptorImageInfo *for_driver,
                 struct record_terms *terms)
{
    *for_driver = *program;
    *terms = (struct record_terms){0};
    if (type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) {
        const struct view *view = view_find(track, program->imageView);
        if (!view || view->opaque)
            return;
        terms->complete = &view->alone;
        terms->needs = view->alone_needs;
        for_driver->imageView = view->driver[RESOLVE_VIEW_SAMPLED];
        return;
    }
    struct sampler sampler = {NULL, SAMPLER_NEVER_EMULATED | SAMPLER_NOT_ALWAYS_EMULATED};
    if (!fixed)
        sampler = immutable ? immutable->sampler : sampler_find(track, program->sampler);
    if (immutable)
        for_driver->sampler = immutable->handle;
    if (type == VK_DESCRIPTOR_TYPE_SAMPLER) {
        if (sampler.state) {
            const struct pair *pair = pair_of(track, sampler.state, NULL);
            terms->complete = pair->nothing ? NULL : &pair->terms.record;
            terms->needs = pair->needs;
            for_driver->sampler = pair_sampler(pair, sampler.state, for_driver->sampler);
        }
        return;
    }
    if (!(sampler.bits & SAMPLER_NOT_ALWAYS_EMULATED) ||
        (atomic_load_explicit(&track->requires_emulation, memory_order_relaxed) & EMULATED_VIEWS)) {
        const struct view *view = view_find(track, program->imageView);
        if (view && !view->opaque)
            resolve_combined(track, sampler, view, for_driver, terms);
        else if (view && sampler.state && !(sampler.bits & SAMPLER_NEVER_EMULATED))
            say_opaque(track, program);
        if (is_surplus(sampler) && (!view || view->opaque))
            for_driver->sampler = sampler_unresolved(track, for_driver->sampler);
    }
}

/* Not inlined: this is for pairs that are not in the cache. */
static __attribute__((noinline)) void resolve_combination(struct track *track, VkDescriptorType type,
                                                          const VkDescriptorImageInfo *program,
                                                          const struct immutable *immutable, bool fixed,
                                                          struct combination *combination)
{
    static const struct record zero;
    struct record_terms terms;
    VkDescriptorImageInfo for_driver;
    resolve(track, type, program, immutable, fixed, &for_driver, &terms);
    if (terms.sampler)
        resolve_combine(terms.sampler, terms.view, &combination->record);
    else
        combination->record = terms.complete ? *terms.complete : zero;
    combination->sampler = for_driver.sampler;
    combination->view = for_driver.imageView;
    combination->zero = !terms.sampler && !terms.complete;
    combination->needs = combination->zero ? 0 : terms.needs;
    combination->slot = NULL;
}

/*
 * True: the combination may be cached. False for destroyed handles, which saved writes may still name: the driver may
 * reuse such a handle without another destruction, which would leave the cache's entry valid. Call before resolving, so
 * that a later destruction makes the entry invalid.
 */
static bool is_kept(struct track *track, const VkDescriptorImageInfo *program, const struct immutable *immutable,
                    bool alone)
{
    return (immutable || table_find(&track->sampling->samplers, HANDLE_KEY(program->sampler))) &&
           (alone || !program->imageView || view_find(track, program->imageView));
}

/* Finds a descriptor's combination, in the cache or by resolving. Programs write the same few pairs again and again. */
HOT void find_combination(struct track *track, VkDescriptorType type, const VkDescriptorImageInfo *program,
                          const struct immutable *immutable, bool fixed, struct combination *combination)
{
    if (type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || fixed) {
        resolve_combination(track, type, program, immutable, fixed, combination);
        return;
    }
    const bool alone = type == VK_DESCRIPTOR_TYPE_SAMPLER;
    struct descriptor_key key;
    combination_key(track, immutable ? immutable->handle : program->sampler,
                    alone ? COMBINATION_ALONE : HANDLE_KEY(program->imageView), &key);
    if (combination_find(&key, combination)) {
        count_in_shard(&track->shards[thread_shard()].pair_hits[0]);
    } else {
        const bool kept = is_kept(track, program, immutable, alone);
        resolve_combination(track, type, program, immutable, fixed, combination);
        if (kept)
            combination_insert(&key, combination);
    }
    if (alone)
        combination->view = program->imageView;
}

HOT bool combination_differs(const struct combination *combination, const VkDescriptorImageInfo *program,
                             VkDescriptorImageInfo *for_driver)
{
    *for_driver = (VkDescriptorImageInfo){combination->sampler, combination->view, program->imageLayout};
    return combination->sampler != program->sampler || combination->view != program->imageView;
}

bool descriptor_resolve(struct track *track, VkDescriptorType type, const VkDescriptorImageInfo *program,
                        const struct immutable *immutable, bool fixed, VkDescriptorImageInfo *for_driver,
                        struct record *record)
{
    struct combination combination;
    find_combination(track, type, program, immutable, fixed, &combination);
    if (record)
        record_copy_shared(record, combination_record(&combination));
    if (record && !combination_holds(&combination)) {
        resolve_combination(track, type, program, immutable, fixed, &combination);
        *record = combination.record;
    }
    return combination_differs(&combination, program, for_driver);
}

/* Bit of descriptor_needs.record: the record is not zero. */
#define RECORD_THERE (1u << 31)
_Static_assert(RECORD_NEED_KINDS <= 31, "there is a bit left");

/* `needs`: with RECORD_THERE; 0: the record is zero. True if a record was written. */
HOT bool put_record(struct track *track, struct records *records, const struct binding *binding, uint32_t element,
                    const void *record, uint32_t needs)
{
    const uint32_t index = binding->first_record + element;
    uint32_t *known = &records->store.each[index].record;
    if (!(needs | *known))
        return false;
    if (*known != needs)
        needs_change_in(&records->store.needs, records_are(records, RECORDS_SHARED), binding->binding,
                        *known & ~RECORD_THERE, needs & ~RECORD_THERE);
    *known = needs;
    if (binding->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER &&
        !records_are(records, RECORDS_SHARED | RECORDS_NEEDED))
        records_become(records, RECORDS_NEEDED, 0);
    record_copy_shared(&records->store.shadow[index], record);
    if (records->upload.gpu)
        record_changed(track, records, binding, element, index);
    return true;
}

static void count_records(struct track *track, uint32_t records)
{
    if (records)
        add_in_shard(&track->shards[thread_shard()].records_written, records);
}

void records_put(struct track *track, struct records *records, const struct binding *binding, uint32_t element,
                 const struct record *record)
{
    if (element < records->store.count && binding->first_record < records->store.count - element)
        count_records(track, put_record(track, records, binding, element, record,
                                        record_is_zero(record) ? 0 : record_needs(record) | RECORD_THERE));
}

void records_put_copy(struct track *track, struct records *to, const struct binding *binding, uint32_t element,
                      const struct records *from, uint32_t index)
{
    count_records(track,
                  put_record(track, to, binding, element, &from->store.shadow[index], from->store.each[index].record));
}

/* ---- Writes ---- */

bool write_next_run(const struct set_layout *layout, const VkWriteDescriptorSet *write, struct write_run *run)
{
    uint32_t first = run->first + run->count;
    if (!run->binding) {
        run->binding = set_layout_binding(layout, write->dstBinding);
        run->element = write->dstArrayElement;
    } else {
        run->element += run->count;
    }
    if (first >= write->descriptorCount || !run->binding)
        return false;
    const struct binding *end = layout->bindings + layout->binding_count;
    while (run->element >= run->binding->count) {
        run->element -= run->binding->count;
        if (++run->binding == end)
            return false;
    }
    run->first = first;
    run->count = run->binding->count - run->element;
    if (run->count > write->descriptorCount - first)
        run->count = write->descriptorCount - first;
    return true;
}

/* True: a type of sampled images, samplers, or both. */
static bool is_image_type(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ||
           type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
}

static __attribute__((noinline)) void put_anew(struct track *track, struct records *records,
                                               const struct binding *binding, uint32_t element, VkDescriptorType type,
                                               const VkDescriptorImageInfo *info)
{
    struct combination combination;
    resolve_combination(track, type, info, binding->immutable ? &binding->immutable[element] : NULL,
                        binding->immutable_native, &combination);
    put_record(track, records, binding, element, &combination.record,
               combination.zero ? 0 : combination.needs | RECORD_THERE);
}

/*
 * Records of images within one binding, and what the driver gets for them: `below` has room for as many as there are,
 * or is NULL. True if that is something else than what the program wrote.
 */
static bool write_image_records(struct track *track, struct records *records, const struct binding *binding,
                                uint32_t element, uint32_t count, VkDescriptorType type,
                                const VkDescriptorImageInfo *infos, VkDescriptorImageInfo *for_driver)
{
    bool differs = false;
    uint32_t put = 0;
    for (uint32_t i = 0; i < count && binding->first_record + element + i < records->store.count; i++) {
        struct combination combination;
        VkDescriptorImageInfo one;
        find_combination(track, type, &infos[i], binding->immutable ? &binding->immutable[element + i] : NULL,
                         binding->immutable_native, &combination);
        differs |= combination_differs(&combination, &infos[i], for_driver ? &for_driver[i] : &one);
        written_put(&records->store.written[binding->first_record + element + i], &infos[i]);
        put += put_record(track, records, binding, element + i, combination_record(&combination),
                          combination.zero ? 0 : combination.needs | RECORD_THERE);
        if (!combination_holds(&combination)) /* another thread replaced the entry meanwhile */
            put_anew(track, records, binding, element + i, type, &infos[i]);
    }
    count_records(track, put);
    return differs;
}

static bool write_other_records(struct track *track, struct records *records, const VkWriteDescriptorSet *write,
                                const struct write_run *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        struct record record = {0}; /* what a mutable descriptor of another type gets */
        if (write->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER) {
            const struct buffer_view *view = buffer_view_find(track, write->pTexelBufferView[run->first + i]);
            if (view)
                record = view->record;
        } else if (write->descriptorType == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT) {
            const struct view *view = view_find(track, write->pImageInfo[run->first + i].imageView);
            if (view && view->rgbx_attachment)
                record.flags = RECORD_OTHER | RECORD_OTHER_INPUT;
        }
        records_put(track, records, run->binding, run->element + i, &record);
    }
    return false;
}

static bool write_records(struct track *track, struct records *records, const VkWriteDescriptorSet *write,
                          const struct write_run *run)
{
    if (run->binding->first_record == SPIRV_NO_RECORD || binding_stands(run->binding))
        return false;
    if (!is_image_type(write->descriptorType))
        return write_other_records(track, records, write, run);
    return write_image_records(track, records, run->binding, run->element, run->count, write->descriptorType,
                               write->pImageInfo + run->first, NULL);
}

bool records_write(struct track *track, struct records *records, const struct set_layout *layout,
                   const VkWriteDescriptorSet *write)
{
    struct write_run run = {0};
    bool differs = false;
    while (run.first + run.count < write->descriptorCount && write_next_run(layout, write, &run))
        differs |= write_records(track, records, write, &run);
    return differs;
}

/*
 * Emits a write within one binding, with what the driver gets. Where samplers are immutable the driver ignores the one
 * in an info; a valid handle stands there nevertheless.
 */
static void emit_images(struct track *track, const struct write_run *run, VkWriteDescriptorSet write,
                        void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user)
{
    VkDescriptorImageInfo infos[WRITE_CHUNK] = {{0}};
    const VkDescriptorImageInfo *program = write.pImageInfo;
    const bool stands = binding_stands(run->binding);
    for (uint32_t done = 0; done < run->count; done += write.descriptorCount) {
        write.descriptorCount = run->count - done < WRITE_CHUNK ? run->count - done : WRITE_CHUNK;
        write.dstArrayElement = run->element + done;
        write.pImageInfo = infos;
        for (uint32_t i = 0; !stands && i < write.descriptorCount; i++) {
            const struct binding *binding = run->binding;
            struct combination combination;
            find_combination(track, write.descriptorType, &program[done + i],
                             binding->immutable ? &binding->immutable[run->element + done + i] : NULL,
                             binding->immutable_native, &combination);
            combination_differs(&combination, &program[done + i], &infos[i]);
        }
        emit(&write, user);
    }
}

/* The part of a write that is in a run. */
static VkWriteDescriptorSet piece_of(const VkWriteDescriptorSet *write, const struct write_run *run)
{
    VkWriteDescriptorSet piece = *write;
    piece.dstBinding = run->binding->new_binding;
    piece.dstArrayElement = run->element;
    piece.descriptorCount = run->count;
    switch (descriptor_type_infos(write->descriptorType)) {
    case INFO_IMAGES:
        if (!binding_stands(run->binding))
            piece.pImageInfo += run->first;
        break;
    case INFO_BUFFERS:
        piece.pBufferInfo += run->first;
        break;
    case INFO_TEXEL_BUFFERS:
        piece.pTexelBufferView += run->first;
        break;
    case INFO_CHAINED: /* stays one: only a binding of a variable count moves, and no write runs over into one */
        piece.descriptorCount = write->descriptorCount;
        break;
    }
    return piece;
}

void driver_write(struct track *track, const struct set_layout *layout, const VkWriteDescriptorSet *write,
                  void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user)
{
    struct write_run run = {0};
    while (write_next_run(layout, write, &run)) {
        const bool stands = binding_stands(run.binding);
        const VkWriteDescriptorSet piece = piece_of(write, &run);
        if (stands && run.binding->immutable)
            continue; /* the layer writes it */
        if (stands || (is_image_type(write->descriptorType) && run.binding->first_record != SPIRV_NO_RECORD))
            emit_images(track, &run, piece, emit, user);
        else
            emit(&piece, user);
        if (descriptor_type_infos(write->descriptorType) == INFO_CHAINED)
            break;
    }
}

void write_standing(struct track *track, struct records *records, const struct set_layout *layout,
                    uint32_t variable_count, VkDescriptorSet set,
                    void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user)
{
    static const VkDescriptorImageInfo nothing;
    for (uint32_t b = 0; layout->driver_immutable && b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        if (!binding->immutable || binding->type != VK_DESCRIPTOR_TYPE_SAMPLER)
            continue;
        const uint32_t descriptors = b == layout->variable ? variable_count : binding->count;
        for (uint32_t i = 0; i < descriptors; i++) {
            struct record record;
            VkDescriptorImageInfo info;
            descriptor_resolve(track, binding->type, &nothing, &binding->immutable[i], false, &info, &record);
            if (records)
                records_put(track, records, binding, i, &record);
            const VkWriteDescriptorSet write = {
                .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                .dstSet = set,
                .dstBinding = binding->new_binding,
                .dstArrayElement = i,
                .descriptorCount = 1,
                .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                .pImageInfo = &info,
            };
            if (emit)
                emit(&write, user);
        }
    }
}

void emit_update(const VkWriteDescriptorSet *write, void *user)
{
    const struct device *device = user;
    device->next.UpdateDescriptorSets(device->handle, 1, write, 0, NULL);
}

/* ---- Writes without records ---- */

bool write_has_surplus(const struct track *track, const VkWriteDescriptorSet *write)
{
    bool any = false;
    if (write->descriptorType != VK_DESCRIPTOR_TYPE_SAMPLER &&
        write->descriptorType != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
        return false;
    /* NULL: pushed for immutable samplers of a layout that the layer has nothing in. */
    for (uint32_t i = 0; write->pImageInfo && i < write->descriptorCount; i++)
        any |= device_has_surplus(track->device, HANDLE_KEY(write->pImageInfo[i].sampler));
    return any;
}

void write_unresolved(struct track *track, const VkWriteDescriptorSet *write,
                      void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user)
{
    static struct message_place said;
    VkDescriptorImageInfo *infos = malloc(write->descriptorCount * sizeof(*infos));
    VkWriteDescriptorSet for_driver = *write;
    message_about_once(&said, track->device, LOG_WARN, NULL,
                       "a sampler beyond the driver's number is written to a set without records: lookups through it "
                       "get the driver's own semantics, or none");
    for (uint32_t i = 0; infos && i < write->descriptorCount; i++) {
        infos[i] = write->pImageInfo[i];
        infos[i].sampler = sampler_unresolved(track, infos[i].sampler);
    }
    for_driver.pImageInfo = infos;
    if (infos)
        emit(&for_driver, user);
    else
        message_about(track->device, LOG_ERROR, NULL,
                      "out of memory: a write of samplers beyond the driver's number is lost");
    free(infos);
}

/* ---- vkUpdateDescriptorSets ---- */

/* The writes of a call. Those before `passed` were passed to the driver. */
struct pending_writes {
    const struct device *device;
    const VkWriteDescriptorSet *writes;
    uint32_t passed;
};

/* Passes the writes before `end` to the driver unchanged. */
static void pass_writes(struct pending_writes *pending, uint32_t end)
{
    const struct device *device = pending->device;
    if (end > pending->passed)
        device->next.UpdateDescriptorSets(device->handle, end - pending->passed, &pending->writes[pending->passed], 0,
                                          NULL);
    pending->passed = end;
}

/*
 * Puts the records of a write. `infos` has room for WRITE_CHUNK. What the driver must get is then the write as it is
 * (WRITE_SAME), the write with these infos, or what driver_write emits.
 */
enum write_becomes { WRITE_SAME, WRITE_INFOS, WRITE_PIECES };
static enum write_becomes put_write(struct track *track, struct set *set, const VkWriteDescriptorSet *write,
                                    VkDescriptorImageInfo *infos)
{
    const struct binding *binding = set_layout_binding(set->layout, write->dstBinding);
    const struct binding_brief *brief =
        records_brief(&set->records, write->dstBinding, write->dstArrayElement, write->descriptorCount);
    if (records_are(&set->records, RECORDS_SPECIAL) || !brief || write->descriptorCount > WRITE_CHUNK ||
        !is_image_type(write->descriptorType) || binding->first_record == SPIRV_NO_RECORD || binding_stands(binding))
        return records_write(track, &set->records, set->layout, write) || records_are(&set->records, RECORDS_SPECIAL)
                   ? WRITE_PIECES
                   : WRITE_SAME;
    return write_image_records(track, &set->records, binding, write->dstArrayElement, write->descriptorCount,
                               write->descriptorType, write->pImageInfo, infos)
               ? WRITE_INFOS
               : WRITE_SAME;
}

void set_write(struct track *track, struct set *set, const VkWriteDescriptorSet *write)
{
    VkDescriptorImageInfo infos[WRITE_CHUNK];
    VkWriteDescriptorSet for_driver = *write;
    switch (put_write(track, set, write, infos)) {
    case WRITE_PIECES:
        driver_write(track, set->layout, write, emit_update, track->device);
        return;
    case WRITE_INFOS:
        for_driver.pImageInfo = infos;
        __attribute__((fallthrough));
    default:
        emit_update(&for_driver, track->device);
    }
}

/* One write for which saving is not enough. If it must be changed for the driver, calls the driver at once. */
static void write_one(struct track *track, struct set *set, struct pending_writes *pending, uint32_t index)
{
    const VkWriteDescriptorSet *write = &pending->writes[index];
    VkDescriptorImageInfo infos[WRITE_CHUNK];
    VkWriteDescriptorSet for_driver;
    switch (put_write(track, set, write, infos)) {
    case WRITE_PIECES:
        pass_writes(pending, index);
        driver_write(track, set->layout, write, emit_update, track->device);
        break;
    case WRITE_INFOS:
        pass_writes(pending, index);
        for_driver = *write;
        for_driver.pImageInfo = infos;
        emit_update(&for_driver, track->device);
        break;
    default:
        return;
    }
    pending->passed = index + 1;
}

void update_sets(const struct device *device, uint32_t done, uint32_t descriptorWriteCount,
                 const VkWriteDescriptorSet *pDescriptorWrites, uint32_t descriptorCopyCount,
                 const VkCopyDescriptorSet *pDescriptorCopies)
{
    struct track *track = device->track;
    struct pending_writes pending = {device, pDescriptorWrites, 0};
    bool split = false;
    struct set *set = NULL;
    for (uint32_t i = done; i < descriptorWriteCount; i++) {
        /* Consecutive writes usually have the same set. */
        if (i == done || pDescriptorWrites[i].dstSet != pDescriptorWrites[i - 1].dstSet) {
            set = set_find(track, pDescriptorWrites[i].dstSet);
            split |= set && split_may_follow(&set->records, set->layout);
        }
        if (set && (records_are(&set->records, RECORDS_SPECIAL) ||
                    !records_save_one_write(track, &set->records, &pDescriptorWrites[i])))
            write_one(track, set, &pending, i);
        else if (!set && write_names_surplus(track, &pDescriptorWrites[i])) {
            pass_writes(&pending, i);
            write_unresolved(track, &pDescriptorWrites[i], emit_update, track->device);
            pending.passed = i + 1;
        }
    }
    if (split)
        split_put_writes(track, descriptorWriteCount, pDescriptorWrites);
    const bool special = descriptorCopyCount && copies_are_special(track, descriptorCopyCount, pDescriptorCopies);
    if (special)
        pass_writes(&pending, descriptorWriteCount);
    if (descriptorCopyCount)
        copies_take(track, special, descriptorCopyCount, pDescriptorCopies);
    if (!special && (pending.passed < descriptorWriteCount || descriptorCopyCount))
        device->next.UpdateDescriptorSets(device->handle, descriptorWriteCount - pending.passed,
                                          &pDescriptorWrites[pending.passed], descriptorCopyCount, pDescriptorCopies);
}

bool write_emulated(const struct device *device, const VkWriteDescriptorSet *write)
{
    struct track *track = device->track;
    struct set *set = set_find(track, write->dstSet);
    if (!set || records_are(&set->records, RECORDS_NOT_SAVED | RECORDS_SPLIT_WANTED))
        return false;
    if (records_save_one_write(track, &set->records, write))
        emit_update(write, track->device);
    else
        set_write(track, set, write);
    return true;
}
