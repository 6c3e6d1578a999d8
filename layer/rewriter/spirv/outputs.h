/* SPDX-License-Identifier: MIT */
/*
 * Outputs and input attachments of a fragment shader whose channels are kept elsewhere, in a variant of it:
 *
 *     main'() { main(); color = moved(color) * factors(color, second); second = ...(color, second); }
 *     read(input) -> moved(read(input))
 *
 * All in numbers, so that programs can be compared and hashed; all zero: nothing changes.
 */
#ifndef CLAMPLER_SPIRV_OUTPUTS_H
#define CLAMPLER_SPIRV_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spirv/spirv.h"

/* The number that is put into a channel. */
enum spirv_select {
    SPIRV_SELECT_LEFT, /* what is there */
    SPIRV_SELECT_R,    /* the program's red, and so on. A channel that the program does not write is 0, alpha 1 */
    SPIRV_SELECT_G,
    SPIRV_SELECT_B,
    SPIRV_SELECT_A,
    SPIRV_SELECT_ZERO,
    SPIRV_SELECT_ONE,
};

/* A number that the program's outputs of one location make: what a channel is multiplied by, or a second source's. */
enum spirv_term {
    SPIRV_TERM_NONE, /* of a factor: 1; of the second source: what is there */
    SPIRV_TERM_ZERO,
    SPIRV_TERM_ONE,
    SPIRV_TERM_SOURCE,                                /* and three more: red, green, blue, alpha */
    SPIRV_TERM_REST = SPIRV_TERM_SOURCE + 4,          /* likewise: 1 - that */
    SPIRV_TERM_SECOND = SPIRV_TERM_REST + 4,          /* likewise, of the program's second source */
    SPIRV_TERM_SECOND_REST = SPIRV_TERM_SECOND + 4,   /* likewise: 1 - that */
    SPIRV_TERM_MIN_ZERO = SPIRV_TERM_SECOND_REST + 4, /* min(alpha, 0) */
    SPIRV_TERM_MIN_ONE,                               /* min(alpha, 1) */
    SPIRV_TERMS,
};

/* The range that blending clamps sources and factors to: products are made of clamped numbers. */
enum spirv_clamp { SPIRV_CLAMP_NONE, SPIRV_CLAMP_UNORM, SPIRV_CLAMP_SNORM };

/* One location. Channels are those of the attachment's format. Made with the functions below. */
struct spirv_moves {
    uint32_t channels; /* enum spirv_select: 3 bits a channel; enum spirv_clamp: bits 12 and 13 */
    uint32_t factors;  /* enum spirv_term: 5 bits a channel */
    uint32_t second;   /* likewise */
};

static inline enum spirv_select spirv_moves_select(const struct spirv_moves *moves, uint32_t channel)
{
    return (enum spirv_select)(moves->channels >> 3 * channel & 7);
}

static inline enum spirv_clamp spirv_moves_clamp(const struct spirv_moves *moves)
{
    return (enum spirv_clamp)(moves->channels >> 12 & 3);
}

static inline enum spirv_term spirv_moves_factor(const struct spirv_moves *moves, uint32_t channel)
{
    return (enum spirv_term)(moves->factors >> 5 * channel & 31);
}

static inline enum spirv_term spirv_moves_second(const struct spirv_moves *moves, uint32_t channel)
{
    return (enum spirv_term)(moves->second >> 5 * channel & 31);
}

/* Whether outputs change at all, and whether by more than moves. */
static inline bool spirv_moves_any(const struct spirv_moves *moves)
{
    return moves->channels || moves->factors || moves->second;
}

static inline bool spirv_moves_products(const struct spirv_moves *moves)
{
    return moves->factors || moves->second;
}

enum { SPIRV_LOCATIONS = 8, SPIRV_INPUTS = 8 };

struct spirv_outputs {
    const char *entry; /* the shader's name in the module */
    uint32_t integers; /* bit i: location i is an attachment of integers */
    /* Where one has a second source no other location has an attachment: the shader then writes none. */
    struct spirv_moves locations[SPIRV_LOCATIONS];
    /*
     * By InputAttachmentIndex: where each channel of what is read comes from, enum spirv_select, 3 bits a channel; 0:
     * as it is.
     */
    uint32_t inputs[SPIRV_INPUTS];
};

/*
 * The locations, bit i, and inputs, bit 16 + i, that spirv_write_outputs() can change as `wanted` says; those that
 * `wanted` leaves as they are and those that the shader does not have are among them, because there is nothing to do.
 * *why (may be NULL) is a static string for the first that cannot be, NULL if all can. 0 if memory ran out.
 */
#define SPIRV_OUTPUTS_ALL 0x00ff00ffu
uint32_t spirv_find_outputs(const uint32_t *words, size_t word_count, const struct spirv_outputs *wanted,
                            const struct spirv_allocator *allocator, const char **why);

/*
 * Writes the shader that does so; all of it was found before. `*output` is overwritten; no lookups are counted. What
 * the shader does not have is left out.
 */
enum spirv_result spirv_write_outputs(const uint32_t *words, size_t word_count, const struct spirv_outputs *wanted,
                                      const struct spirv_allocator *allocator, struct spirv_output *output);

#endif
