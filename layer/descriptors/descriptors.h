/*
 * Descriptor pools and sets, the records beside descriptors, and every way in which those are written.
 *
 *   pool.h       pools, sets and the memory of their records (pool.c)
 *   update.h     writes and copies (update.c, copy.c)
 *   template.h   update templates (template.c)
 *   halves.h     records of the halves of combined image samplers (halves.c)
 *   push_set.h   push descriptors (push.c, push_set.c)
 */
#ifndef CLAMPLER_DESCRIPTORS_DESCRIPTORS_H
#define CLAMPLER_DESCRIPTORS_DESCRIPTORS_H

#include "objects/table.h"
#include "objects/track.h"

/* The room's state of one device. */
struct descriptors {
    struct table pools, templates; /* the sets are in struct track */
};

/* False: out of memory. */
bool descriptors_init(struct track *track);
void descriptors_finish(struct track *track);

#endif
