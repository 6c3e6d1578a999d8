/* SPDX-License-Identifier: MIT */
/* What the setting `offer` adds to each device, and what the driver has of it. */
#ifndef CLAMPLER_CLI_OFFERED_H
#define CLAMPLER_CLI_OFFERED_H

#include <stdbool.h>
#include <stdint.h>

#include "vulkan.h"

/* In the order of the setting's words, without `missing`. */
enum { OFFERS = 10 };

struct offered {
    const char *state[OFFERS]; /* "native", "offered", "missing"; NULL: not known */
};

/* The words of the setting. */
extern const char *const offer_names[OFFERS];

/* Whether this value of the setting (bits of enum setting_offer) asks for it. */
bool offer_is_asked(unsigned offer, uint32_t setting);

/* One line about an offer in this state, "" for most: what is offered and not all that the name says, or why not. */
const char *offer_remark(unsigned offer, const char *state);

/*
 * Of each of the first `count` devices. Makes instances of its own with the open loader, in this process' environment,
 * which it changes meanwhile: one thread.
 */
void offered_find(const struct vulkan *vk, const struct device_facts *devices, unsigned count, struct offered *offered);

#endif
