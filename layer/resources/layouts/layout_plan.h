/* SPDX-License-Identifier: MIT */
/*
 * What the driver's set layout will be for a create-info of the program's (layout_plan.c). Used while a layout is made
 * or asked for, by the thread that does so.
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

/* The flags of the program's bindings, one for each; NULL: it says none, or none for these. */
const VkDescriptorBindingFlags *layout_binding_flags(const VkDescriptorSetLayoutCreateInfo *info);

/*
 * Fills *plan, to be finished whatever becomes of it. With plan->layout NULL the program's create-info serves as it is.
 * VK_ERROR_OUT_OF_HOST_MEMORY leaves nothing to finish.
 */
VkResult layout_plan_open(struct track *track, const VkDescriptorSetLayoutCreateInfo *info, struct layout_plan *plan);
void layout_plan_finish(struct track *track, struct layout_plan *plan);

#endif
