/* SPDX-License-Identifier: MIT */
/* What the setting `offer` adds to each device, and what the driver has of it. */
#ifndef CLAMPLER_CLI_OFFERED_H
#define CLAMPLER_CLI_OFFERED_H

#include <stdbool.h>
#include <stdint.h>

#include "vulkan.h"

/* In the order of the setting's words, without `missing`. */
enum { OFFERS = 11 };

struct offered {
    const char *state[OFFERS];  /* "native", "offered", "missing"; NULL: not known */
    const char *remark[OFFERS]; /* one line, "" for most: what is offered and not all that the name says, or why not */
};

/* What decides about remarks. */
struct offer_facts {
    bool addresses;        /* bufferDeviceAddress */
    bool protected_memory; /* protectedMemory */
};

/* The words of the setting. */
extern const char *const offer_names[OFFERS];

/* Whether this value of the setting (bits of enum setting_offer) asks for it. */
bool offer_is_asked(unsigned offer, uint32_t setting);

/* The remark on an offer, by its number, in this state. */
const char *offer_remark(unsigned offer, const char *state, const struct offer_facts *facts);

/*
 * Of each of the first `count` devices. Makes instances of its own with the open loader, in this process' environment,
 * which it changes meanwhile: one thread.
 */
void offered_find(const struct vulkan *vk, const struct device_facts *devices, unsigned count, struct offered *offered);

#endif
