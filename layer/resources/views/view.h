/* SPDX-License-Identifier: MIT */
/*
 * Image views that are no objects, for descriptors in heaps. Views that are objects are in sampling/image.h, made and
 * destroyed by view.c. Used by one thread, while a descriptor is written.
 */
#ifndef CLAMPLER_VIEWS_VIEW_H
#define CLAMPLER_VIEWS_VIEW_H

#include "objects/track.h"
#include "sampling/image.h"

struct view_description {
    struct view view;             /* facts and records; no handles */
    struct image *image;          /* NULL: unknown */
    bool sampled;                 /* it has a record */
    VkImageViewCreateInfo driver; /* the driver's, for sampling */
    VkImageViewUsageCreateInfo usage;
    void *memory;
};

/*
 * Reads a create-info. VK_ERROR_VALIDATION_FAILED_EXT, with a message, where what is chained is refused. It must not
 * move; finish it whatever is returned.
 */
VkResult view_describe(struct track *track, const VkImageViewCreateInfo *info, struct view_description *description);
void view_description_finish(struct view_description *description);

/* The key of a view's facts: equal facts but for sizes, equal keys. False: out of memory. Any thread. */
struct view_facts;
bool view_key(struct track *track, const struct view_facts *facts, uint32_t *key);

#endif
