/* SPDX-License-Identifier: MIT */
/*
 * Update templates (template.c). The program may destroy its template after use; nothing outlives that here.
 */
#ifndef CLAMPLER_DESCRIPTORS_TEMPLATE_H
#define CLAMPLER_DESCRIPTORS_TEMPLATE_H

#include "descriptors/descriptors.h"
#include "descriptors/pool.h"
#include "layouts/set_layout.h"
#include "objects/table.h"
#include "objects/track.h"

struct update_template {
    struct set_layout *layout;       /* referenced; NULL: nothing of the layer's in it */
    bool push;                       /* for vkCmdPushDescriptorSetWithTemplate */
    VkPipelineBindPoint bind_point;  /* of a push template */
    VkDescriptorUpdateTemplate rest; /* the driver's, of entries that template_visit leaves out; or VK_NULL_HANDLE */
    uint32_t entry_count;
    VkDescriptorUpdateTemplateEntry entries[]; /* as the program gave them */
};

/*
 * Calls `visit` with a write (dstSet NULL) for each entry of the template, split so that its infos fit the stack; data
 * is the program's raw memory. Writes to bindings that stand have no infos, and nothing is read for them; templates of
 * sets have none. Entries of types whose infos the layer cannot say in a write (those of extensions that it does not
 * know) are left out: whoever sends writes in the place of the program's template sends `rest` as well.
 */
void template_visit(const struct update_template *update, const void *data,
                    void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user);

/* The same for entries of which there is more to do than to save what they write, which is done for the others. */
void template_write(struct track *track, struct records *records, const struct update_template *update,
                    const char *data, void (*visit)(const VkWriteDescriptorSet *write, void *user), void *user);

static inline struct update_template *template_find(struct track *track, VkDescriptorUpdateTemplate handle)
{
    return table_find(&track->descriptors->templates, HANDLE_KEY(handle));
}

#endif
