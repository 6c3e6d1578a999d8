/* SPDX-License-Identifier: MIT */
/*
 * Descriptor writes and copies, and the records that go with them (update.c, copy.c). Called by whoever may
 * write the set.
 */
#ifndef CLAMPLER_DESCRIPTORS_UPDATE_H
#define CLAMPLER_DESCRIPTORS_UPDATE_H

#include "descriptors/pool.h"
#include "objects/track.h"
#include "sampling/image.h"
#include "sampling/pair.h"

/*
 * What a descriptor of an image, a sampler or both becomes: its record, and what the driver gets in the place of
 * *program. `immutable` replaces the sampler if not NULL; `fixed`: the driver's layout has the sampler, a plain one, so
 * that it does not matter which *program names. Unknown handles give a zero record and stay as they are. `record`
 * may be NULL. True if *below differs from *program.
 */
bool descriptor_resolve(struct track *track, VkDescriptorType type, const VkDescriptorImageInfo *program,
                        const struct immutable *immutable, bool fixed, VkDescriptorImageInfo *for_driver,
                        struct record *record);

/* Puts the record of a binding's element in its place: shadow, GPU memory and needs. */
void records_put(struct track *track, struct records *records, const struct binding *binding, uint32_t element,
                 const struct record *record);

/* The same with a record of another set that is not stale, by its index there. */
void records_put_copy(struct track *track, struct records *to, const struct binding *binding, uint32_t element,
                      const struct records *from, uint32_t index);

/*
 * Puts the records of everything that one write names; runs on into following bindings as the write does. True if the
 * driver must get something else than what the write names: see driver_write.
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
 * Calls `emit` with writes as the driver gets them: binding numbers of the driver's layout, one binding a write, the
 * samplers and views that serve what the program's stand for, the layer's samplers in place of immutable ones. No
 * allocation, whatever the size.
 */
void driver_write(struct track *track, const struct set_layout *layout, const VkWriteDescriptorSet *write,
                  void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user);

/*
 * One write to a set: its records, and what the driver gets. Nothing follows its saved writes: see split_follow.
 */
void set_write(struct track *track, struct set *set, const VkWriteDescriptorSet *write);

/*
 * Immutable samplers of SAMPLER bindings stand in a set whatever is written to it: where the layer made them mutable,
 * it writes them itself. Puts their records, unless `records` is NULL, and calls `emit`, unless it is NULL, with a
 * write to `set` for each. `variable_count`: descriptors of the binding that has a variable count, if there is one.
 */
void write_standing(struct track *track, struct records *records, const struct set_layout *layout,
                    uint32_t variable_count, VkDescriptorSet set,
                    void (*emit)(const VkWriteDescriptorSet *write, void *user), void *user);

/* A write to a set as `emit` of driver_write; `user` is the device. */
void emit_update(const VkWriteDescriptorSet *write, void *user);

/* ---- Copies (copy.c) ---- */

/* True: the driver cannot get these copies as they are; what was written before them must have gone down. */
bool copies_are_special(struct track *track, uint32_t count, const VkCopyDescriptorSet *copies);

/* Copies the records, and, where they are special, what the driver has. */
void copies_take(struct track *track, bool special, uint32_t count, const VkCopyDescriptorSet *copies);

#endif
