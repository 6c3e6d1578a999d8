/* SPDX-License-Identifier: MIT */
/*
 * What was noted of descriptors names views and samplers that other threads may destroy (notes.c). Any thread.
 */
#ifndef CLAMPLER_SAMPLING_NOTES_H
#define CLAMPLER_SAMPLING_NOTES_H

#include "objects/track.h"

/*
 * Notes outlive the views and samplers that they name, which other threads may destroy. Looking such an object up and
 * using it happens between notes_follow_begin and notes_follow_end. Destroying one calls notes_forgotten, after the
 * object has left its table and before it is freed.
 */
void notes_follow_begin(struct track *track);
void notes_follow_end(struct track *track);
void notes_forgotten(struct track *track);

#endif
