/* SPDX-License-Identifier: MIT */
/*
 * Surplus samplers: those of the program beyond the number that the driver takes (surplus.c). They have handles of the
 * layer's own, and no sampler of the driver's: each pair of theirs has one, which it shares with all that need the
 * same. Once the driver takes no more for pairs either, they have a common sampler, and tier 2 filters.
 *
 * The driver's number is divided in three:
 *
 *   program's own, 7/8    then its samplers are surplus
 *   pairs, 1/8            then they have common samplers; also samplers of the program that cannot be surplus
 *   common, 10            one for each comparison, one for none, and the nearest sampler of layouts
 *
 * Any thread.
 */
#ifndef CLAMPLER_SAMPLING_SURPLUS_H
#define CLAMPLER_SAMPLING_SURPLUS_H

#include "objects/track.h"
#include "sampling/sampler.h"
#include "sampling/sampler_request.h"

/* The uses of a sampler of the driver's. */
enum sampler_use {
    SAMPLER_OF_PROGRAM,  /* may be surplus */
    SAMPLER_NOT_SURPLUS, /* likewise, but only the driver can have it */
    SAMPLER_OF_PAIR,
    SAMPLER_COMMON,
};

void driver_samplers_init(struct track *track);

/* Counts one more sampler of the driver's; false: it takes no more for this use. Released when it is destroyed. */
bool driver_sampler_acquire(struct track *track, enum sampler_use use);
void driver_sampler_release(struct track *track, enum sampler_use use);

enum sampler_use sampler_use_of(const struct sampler_request *request);

/*
 * Creates a surplus sampler. VK_ERROR_TOO_MANY_OBJECTS with a message where it cannot be one, where there are as many
 * as the layer counts, or where the driver takes no common one; VK_ERROR_OUT_OF_HOST_MEMORY or another result of the
 * driver's. Nothing is left then.
 */
VkResult surplus_create(struct track *track, const struct sampler_request *request, VkSampler *handle);
void surplus_release(struct track *track, VkSampler handle); /* it is gone from the table */

/* Private data of surplus samplers (surplus_objects.c). */
bool private_data_init(struct private_data *data);
void private_data_finish(struct private_data *data);
void private_data_forget(struct track *track, uint64_t sampler);

static inline bool is_surplus(struct sampler sampler)
{
    return sampler.state && sampler.state->common;
}

/*
 * The handle that the driver gets where nothing is resolved: the program's, or for a surplus sampler that of its state
 * alone, whose record no shader follows there. VK_NULL_HANDLE for one that is gone.
 */
VkSampler sampler_unresolved(struct track *track, VkSampler handle);

#endif
