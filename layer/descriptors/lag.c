/* SPDX-License-Identifier: MIT */
/*
 * Makes records of what was noted. Views and samplers that are gone by then, or whose handles have come again, make no
 * difference: nobody may use such a descriptor.
 */
#include "descriptors/lag.h"
#include "descriptors/update.h"
#include "layouts/set_layout.h"
#include "sampling/notes.h"
#include "spirv/spirv.h"

/* Under the lock. */
static void catch_up(struct track *track, struct records *records, const struct binding *binding)
{
    const uint32_t first = binding->first_record;
    for (uint32_t i = first < records->lag_first ? records->lag_first - first : 0;
         i < binding->count && first + i < records->lag_end; i++) {
        const VkDescriptorImageInfo *written = &records->written[first + i];
        VkDescriptorImageInfo below;
        struct record record = {0};
        if (written->imageLayout != NOT_WRITTEN)
            descriptor_resolve(track, binding->type, written, NULL, false, &below, &record);
        records_put(track, records, binding, i, &record);
    }
}

void records_catch_up(struct track *track, struct records *records, const struct set_layout *layout)
{
    notes_follow_begin(track);
    for (uint32_t b = 0; records_lag(records) && b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        const VkDescriptorType noted_as = layout->briefs[binding->binding].noted_as;
        if (noted_as == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || noted_as == VK_DESCRIPTOR_TYPE_SAMPLER)
            catch_up(track, records, binding);
    }
    atomic_store_explicit(&records->lags, false, memory_order_release);
    notes_follow_end(track);
}
