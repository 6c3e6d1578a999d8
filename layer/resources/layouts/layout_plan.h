/* SPDX-License-Identifier: MIT */
/*
 * Plans the driver's set layout for a create-info of the program's (layout_plan.c). Called by the thread that makes a
 * layout or queries its support.
 */
#ifndef CLAMPLER_LAYOUTS_LAYOUT_PLAN_H
#define CLAMPLER_LAYOUTS_LAYOUT_PLAN_H

#include "layouts/set_layout.h"

struct layout_plan {
    VkDescriptorSetLayoutCreateInfo info; /* for the driver */
    VkDescriptorSetLayoutBindingFlagsCreateInfo flags;
    VkMutableDescriptorTypeCreateInfoEXT types;
    VkDescriptorSetLayoutBinding *bindings;
    VkDescriptorBindingFlags *binding_flags;
    VkMutableDescriptorTypeListEXT *type_lists;
    void *chain_memory;
    struct set_layout *layout; /* NULL: nothing to change */
};

/* The flags of the program's bindings, one for each; NULL: none are given. */
const VkDescriptorBindingFlags *layout_binding_flags(const VkDescriptorSetLayoutCreateInfo *info);

/*
 * Fills *plan, which the caller must finish in any case. With plan->layout NULL the program's create-info is used.
 * VK_ERROR_OUT_OF_HOST_MEMORY leaves nothing to finish.
 */
VkResult layout_plan_open(struct track *track, const VkDescriptorSetLayoutCreateInfo *info, struct layout_plan *plan);
void layout_plan_finish(struct track *track, struct layout_plan *plan);

#endif
