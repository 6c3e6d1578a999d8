/*
 * What was noted of descriptors names views and samplers that other threads may destroy (notes.c). Any thread.
 */
#ifndef CLAMPLER_SAMPLING_NOTES_H
#define CLAMPLER_SAMPLING_NOTES_H

#include "objects/track.h"

/*
 * Notes outlive the views and samplers that they name, which other threads may destroy. Whoever looks such an object up
 * and uses it does so between notes_follow_begin and notes_follow_end. Whoever destroys one calls notes_forgotten after
 * it has left its table, and before it is freed.
 */
void notes_follow_begin(struct track *track);
void notes_follow_end(struct track *track);
void notes_forgotten(struct track *track);

#endif
