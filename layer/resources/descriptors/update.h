/* SPDX-License-Identifier: MIT */
/* Descriptor writes and copies, and their records (update.c, copy.c). For threads that may write the set. */
#ifndef CLAMPLER_DESCRIPTORS_UPDATE_H
#define CLAMPLER_DESCRIPTORS_UPDATE_H

#include "descriptors/pool.h"
#include "objects/track.h"
#include "sampling/image.h"
#include "sampling/pair.h"

/*
 * Resolves a descriptor of an image, a sampler or both: its record, and the driver's info *for_driver in the place of
 * *program. `immutable` replaces the sampler if not NULL. `fixed`: the driver's layout has an immutable sampler that
 * requires no emulation, so that the one in *program is ignored. Unknown handles give a zero record and are not
 * changed. `record` may be NULL. True if *for_driver differs from *program.
 */
bool descriptor_resolve(struct track *track, VkDescriptorType type, const VkDescriptorImageInfo *program,
                        const struct immutable *immutable, bool fixed, VkDescriptorImageInfo *for_driver,
                        struct record *record);

/* Writes the record of a binding's element: shadow, GPU memory and needs. */
void records_put(struct track *track, struct records *records, const struct binding *binding, uint32_t element,
                 const struct record *record);

/* The same with a record of another set that is not stale, by its index there. */
void records_put_copy(struct track *track, struct records *to, const struct binding *binding, uint32_t element,
                      const struct records *from, uint32_t index);

/*
 * Writes the records of all descriptors of one write, which may continue into following bindings. True if the write
 * must be changed for the driver (driver_write).
 */
bool records_write(struct track *track, struct records *records, const struct set_layout *layout,
                   const VkWriteDescriptorSet *write);

/* A piece of a write within one binding. */
struct write_run {
    const struct binding *binding;
    uint32_t element; /* first array element in the binding */
    uint32_t first;   /* first info of the write */
    uint32_t count;
};

/* The next piece; starts with *run all zero, false after the last. */
bool write_next_run(const struct set_layout *layout, const VkWriteDescriptorSet *write, struct write_run *run);

enum { WRITE_CHUNK = 32 }; /* infos that are copied to the stack at a time */

/*
 * Calls `emit` with the driver's writes: binding numbers of the driver's layout, one binding a write, the driver's
 * samplers and views in place of the program's, the layer's samplers in place of immutable ones. Allocates nothing,
 * whatever the size.
 */
void driver_write(struct track *track, const struct set_layout *layout, const VkWriteDescriptorSet *write,
                  void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user);

/*
 * Writes one write to a set: its records, and the driver's descriptors. The caller must update the records of split
 * samplers (split_follow).
 */
void set_write(struct track *track, struct set *set, const VkWriteDescriptorSet *write);

/*
 * Writes the immutable samplers of SAMPLER bindings ("standing" ones), which are in a set without being written; where
 * the layer made them mutable, it must write them itself. Writes their records, unless `records` is NULL, and calls
 * `emit`, unless it is NULL, with a write to `set` for each. `variable_count`: descriptors of the variable-count
 * binding, if there is one.
 */
void write_standing(struct track *track, struct records *records, const struct set_layout *layout,
                    uint32_t variable_count, VkDescriptorSet set,
                    void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user);

/* A write to a set as `emit` of driver_write; `user` is the device. */
void emit_update(const VkWriteDescriptorSet *write, void *user);

/* Emits a write to a set without records, with samplers that the driver knows. Allocates. */
void write_unresolved(struct track *track, const VkWriteDescriptorSet *write,
                      void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user);

/* ---- Calls (calls.c) ---- */

/* vkUpdateDescriptorSets in general. The first `done` writes were saved. */
void update_sets(const struct device *device, uint32_t done, uint32_t write_count, const VkWriteDescriptorSet *writes,
                 uint32_t copy_count, const VkCopyDescriptorSet *copies);

/* A call of one write that requires emulation. False: nothing was done; it may be a call of another kind. */
bool write_emulated(const struct device *device, const VkWriteDescriptorSet *write);

/* ---- Copies (copy.c) ---- */

/* True: these copies must be changed for the driver; the caller must pass all earlier writes to the driver first. */
bool copies_are_special(struct track *track, uint32_t count, const VkCopyDescriptorSet *copies);

/* Copies the records, and, if special, the driver's descriptors. */
void copies_take(struct track *track, bool special, uint32_t count, const VkCopyDescriptorSet *copies);

#endif
