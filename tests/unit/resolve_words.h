/* SPDX-License-Identifier: MIT */
/*
 * Words for what resolve takes and gives, so that its truth table can be read: sampler states, views and devices as a
 * few words each, results as a line of text. The words are listed in resolve_words.c.
 */
#ifndef CLAMPLER_RESOLVE_WORDS_H
#define CLAMPLER_RESOLVE_WORDS_H

#include "resolve/resolve.h"
#include "resolve_pair.h"

struct words_pair {
    struct resolve_caps caps;
    struct sampler_state state;
    struct view_facts view;
    bool alone; /* the sampler without a view */
};

/* Reads three lists of words; a word that is not known, or a state or view that is refused, fails the test. */
void words_read(const char *state, const char *view, const char *caps, struct words_pair *pair);

/* "LINEAR LINEAR LINEAR REPEAT", then what is not the default. "own" where the program's own handle serves. */
void words_of_driver(const struct resolved *result, char *text, size_t size);

/* "1 COORDS IF_OFFSET": tier and what the record asks of the shader, then the driver's view if it is not SAMPLED. */
void words_of_asks(const struct resolved *result, char *text, size_t size);

/* "1 0 0 1", or "#7 0 0 1" for integers. */
void words_of_border(const uint32_t border[4], bool integer, char *text, size_t size);

#endif
