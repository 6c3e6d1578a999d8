/* SPDX-License-Identifier: MIT */
/* Update templates (template.c). No state depends on a template after the program destroyed it. */
#ifndef CLAMPLER_DESCRIPTORS_TEMPLATE_H
#define CLAMPLER_DESCRIPTORS_TEMPLATE_H

#include <string.h>

#include "descriptors/descriptors.h"
#include "descriptors/pool.h"
#include "descriptors/records.h"
#include "descriptors/save.h"
#include "layouts/set_layout.h"
#include "objects/table.h"
#include "objects/track.h"

/* Infos of images, samplers or both that are saved one after the other. */
struct template_run {
    size_t offset, stride; /* of the program's memory */
    uint32_t first_record;
    uint32_t count; /* not 0 */
    VkDescriptorType type;
};

struct update_template {
    struct set_layout *layout;       /* referenced; NULL: without records or special bindings */
    bool push;                       /* for vkCmdPushDescriptorSetWithTemplate */
    VkPipelineBindPoint bind_point;  /* of a push template */
    VkDescriptorUpdateTemplate rest; /* the driver's, of entries that template_visit leaves out; or VK_NULL_HANDLE */
    /*
     * The work of an update while nothing requires emulation: entries are written one by one, or nothing is done
     * because they affect no record, or the runs are saved, which may be a single descriptor. Runs end before
     * record_end, and make the records of `stale` stale, if there are at most 64.
     */
    enum { TEMPLATE_WRITTEN, TEMPLATE_PASSES, TEMPLATE_SAVES_ONE, TEMPLATE_SAVES_RUNS } how;
    uint32_t run_count, record_end;
    uint64_t stale;
    bool samplers;             /* some entry is of samplers, and the layer has nothing in the layout */
    size_t offset;             /* of the single descriptor */
    struct template_run *runs; /* behind the entries */
    uint32_t entry_count;
    VkDescriptorUpdateTemplateEntry entries[]; /* as the program gave them */
};

/*
 * Calls `visit` with a write (dstSet NULL) for each entry of the template, split so that its infos fit the stack; data
 * is the program's raw memory. Writes to bindings that stand have no infos, and nothing is read for them; templates of
 * sets have none. Entries of types that the layer cannot express as a write (of unknown extensions) are left out: a
 * caller that replaces the program's template by writes must also update by `rest`.
 */
void template_visit(const struct update_template *update, const void *data,
                    void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user);

/* The same, but only for entries for which saving is not enough; the others are saved. */
void template_write(struct track *track, struct records *records, const struct update_template *update,
                    const char *data, void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user);

/*
 * True: the layer has nothing in the template's layout, but the driver may not know some sampler in its data, so that
 * it is replaced by writes (write_unresolved).
 */
static inline bool template_resolves(const struct track *track, const struct update_template *update)
{
    return update->samplers && atomic_load_explicit(&track->device->surplus_handles, memory_order_relaxed);
}

/* True: saving the template's runs is enough for these records, if they require no emulation. */
static inline bool template_is_saved(const struct update_template *update, const struct records *records)
{
    return update->how != TEMPLATE_WRITTEN && update->record_end <= records->store.count &&
           records_follow_saved_writes(records, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
}

AT_ONCE void save_run(struct records *records, const struct template_run *run, const char *data)
{
    VkDescriptorImageInfo *to = &records->store.written[run->first_record];
    data += run->offset;
    for (uint32_t i = 0; i < run->count; i++, data += run->stride)
        memcpy(&to[i], data, sizeof(*to));
}

/* Saves them. */
static inline void template_save(const struct update_template *update, struct records *records, const char *data)
{
    for (const struct template_run *run = update->runs, *end = run + update->run_count; run != end; run++) {
        save_run(records, run, data);
        if (run->type != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
            records_fall_back(records, run->first_record, run->count);
    }
}

/*
 * Both in one, for templates that save, while no object of the device requires emulation; `one`: TEMPLATE_SAVES_ONE.
 * False: nothing was done; the records may be of another kind.
 */
AT_ONCE bool template_save_at_once(const struct update_template *update, bool one, struct records *records,
                                   const char *data)
{
    const uint32_t state = atomic_load_explicit(&records->state, memory_order_relaxed);
    if (state & RECORDS_NOT_AT_ONCE || update->record_end > records->store.count)
        return false;
    if (one)
        memcpy(&records->store.written[update->record_end - 1], data + update->offset, sizeof(*records->store.written));
    for (uint32_t i = 0; !one && i < update->run_count; i++)
        save_run(records, &update->runs[i], data);
    if (update->stale) {
        records->store.stale.blocks |= update->stale;
        atomic_store_explicit(&records->state, state | RECORDS_STALE, memory_order_release);
    }
    return true;
}

static inline struct update_template *template_find(struct track *track, VkDescriptorUpdateTemplate handle)
{
    return table_find(&track->descriptors->templates, HANDLE_KEY(handle));
}

#endif
