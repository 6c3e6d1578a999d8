/* SPDX-License-Identifier: MIT */
/*
 * Duplicates of set layouts, for shader objects (kept_layout.c): they name set layouts, and their tiers are made when
 * the program may have destroyed them. Only on devices with shader objects. Counted; any thread.
 */
#ifndef CLAMPLER_LAYOUTS_KEPT_LAYOUT_H
#define CLAMPLER_LAYOUTS_KEPT_LAYOUT_H

#include <stdatomic.h>

#include "objects/track.h"

struct kept_layout {
    atomic_uint references; /* the program's own layout has one */
    VkDescriptorSetLayout duplicate;
};

/* Makes the duplicate of a layout that the driver has made from `below`. */
VkResult layout_keep(struct track *track, VkDescriptorSetLayout layout, const VkDescriptorSetLayoutCreateInfo *below);
/* The program destroys its layout. */
void layout_let_go(struct track *track, VkDescriptorSetLayout layout);

/* The duplicate with one more reference; NULL: there is none. */
struct kept_layout *kept_layout_ref(struct track *track, VkDescriptorSetLayout layout);
void kept_layout_unref(struct track *track, struct kept_layout *kept); /* NULL is nothing */

#endif
