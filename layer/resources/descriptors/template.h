/* SPDX-License-Identifier: MIT */
/* Update templates (template.c). No state depends on a template after the program destroyed it. */
#ifndef CLAMPLER_DESCRIPTORS_TEMPLATE_H
#define CLAMPLER_DESCRIPTORS_TEMPLATE_H

#include "descriptors/descriptors.h"
#include "descriptors/pool.h"
#include "layouts/set_layout.h"
#include "objects/table.h"
#include "objects/track.h"

struct update_template {
    struct set_layout *layout;       /* referenced; NULL: without records or special bindings */
    bool push;                       /* for vkCmdPushDescriptorSetWithTemplate */
    VkPipelineBindPoint bind_point;  /* of a push template */
    VkDescriptorUpdateTemplate rest; /* the driver's, of entries that template_visit leaves out; or VK_NULL_HANDLE */
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

static inline struct update_template *template_find(struct track *track, VkDescriptorUpdateTemplate handle)
{
    return table_find(&track->descriptors->templates, HANDLE_KEY(handle));
}

#endif
