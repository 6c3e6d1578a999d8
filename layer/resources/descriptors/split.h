/* SPDX-License-Identifier: MIT */
/*
 * Records of split combined image samplers, for shaders that take them apart (split.c).
 */
#ifndef CLAMPLER_DESCRIPTORS_SPLIT_H
#define CLAMPLER_DESCRIPTORS_SPLIT_H

#include "descriptors/records.h"
#include "objects/track.h"

/*
 * Some shaders put the image of one combined image sampler together with a sampler from elsewhere, or the other way
 * round. The records of combined image samplers do not help there: they say what image and sampler need together. So
 * the buffer has room behind each for two more records, those of image and sampler as descriptors of their own. The
 * first draw that reads them has them filled.
 */

/*
 * True: saved writes must update the records of split samplers. split_may_follow() is cheap, and may be true without
 * need. split_follow() is for the thread that has just saved a write (records.h: SHARED).
 */
static inline bool split_may_follow(const struct records *records, const struct set_layout *layout)
{
    return records_are(records, RECORDS_SHARED | RECORDS_SPLIT_WANTED) && layout->split;
}

static inline bool split_follow(struct records *records, const struct set_layout *layout)
{
    return split_may_follow(records, layout) && (records_written(records) & RECORDS_SPLIT_WANTED);
}

/* Makes the records of split samplers of some elements from their saved writes. Locks. */
void split_put(struct track *track, struct records *records, const struct binding *binding, uint32_t element,
               uint32_t count);

/* The same for all descriptors of one write. */
void split_put_written(struct track *track, struct records *records, const struct set_layout *layout,
                       const VkWriteDescriptorSet *write);

/* The same for all writes of a call, in sets with such records. */
void split_put_writes(struct track *track, uint32_t write_count, const VkWriteDescriptorSet *writes);

/* The needs of all split descriptors. Makes their records if they do not exist yet. */
uint32_t split_needed(struct track *track, struct records *records, const struct set_layout *layout);

/*
 * Copies a set's records to new memory for `places` records, behind mask words where the layout has some; records of
 * split samplers are zero if they were not made.
 * Other threads may write the records meanwhile.
 */
void split_copy(struct track *track, struct records *records, const struct set_layout *layout, uint32_t place_count,
                struct record *memory);

#endif
