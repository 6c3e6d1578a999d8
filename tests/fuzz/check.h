/* SPDX-License-Identifier: MIT */
/*
 * What must hold of scan and rewrite for any input at all. Shared by the libFuzzer harness and the program that replays
 * findings without it.
 */
#ifndef FUZZ_CHECK_H
#define FUZZ_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "target.h"

/*
 * An input is CHECK_OPTION_BYTES bytes of options, then the module's words:
 *   byte 0: tier in bits 0..1, CPU form 2, storage records 3, renumbering 4, twisted layout 5, limit of biases 6
 *   byte 1: seed of the layout's twists; another limit of samplers without GL state 6
 *   byte 2: if not 0, the allocation with this number fails
 *   byte 3: descriptors that carry the numbers of their records 0, several of the driver's for each 1, in heaps 2,
 *           gradients in front 3, ways to texels 4..6, nearest samplers 7
 */
#define CHECK_OPTION_BYTES 4u

#define CHECK_TWIST 0x20u

/* How deep the inputs of this process came. */
struct check_counts {
    unsigned inputs;
    unsigned rewritten; /* the first rewrite gave a module */
    unsigned judged;    /* SPIRV-Tools was asked about the input */
    unsigned valid;     /* and called it valid, so that the result had to be */
    unsigned run;       /* before and after the rewrite, to their ends, with lookups and with records of zeros */
};

struct check_counts check_counts(void);

/* Was the input that was checked last judged, and valid? */
int check_good(void);

/* Aborts, with the reason on stderr, if a promise of spirv.h is broken. Any size, any alignment; one thread at a time.
 */
void check_input(const uint8_t *data, size_t size, enum fuzz_depth depth);

#endif
