/* SPDX-License-Identifier: MIT */
/*
 * Filled: is alpha 1 in memory? For the recording of a command buffer, each subresource of an image is in one of three
 * alpha states:
 *
 *   one       the recording has made alpha 1 in all of it, and nothing that it recorded since has changed that
 *   dirty     the recording has written it, and knows nothing of alpha
 *   unknown   the recording has done neither: other commands may be executed before it, in any order,
 *             any number of times, or never
 *
 * One table has what changes a state (ways.h). A subresource stores one state, with the recording that set it last; to
 * all other recordings it is unknown. So any number of threads may record with one image at a time, without a lock: a
 * recording can lose a state, which costs a fill, and never takes another recording's state for its own.
 *
 * That alpha is 1 is a statement of bits. Formats whose texels have the same bits where alpha is 1 are of one kind
 * (blend_format_kind); what is filled as one kind is not filled as another.
 *
 * Pure: no Vulkan call, no global, no lock.
 */
#ifndef CLAMPLER_FILLED_FILLED_H
#define CLAMPLER_FILLED_FILLED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum filled_state { FILLED_UNKNOWN, FILLED_DIRTY, FILLED_ONE };

/* The effect of a command or an event on the subresources that it touches. */
enum filled_effect {
    FILLED_LEAVES,  /* alpha stays what it is */
    FILLED_DIRTIES, /* they become dirty */
    FILLED_FORGETS, /* they become unknown: something else may have written them */
    FILLED_FILLS,   /* they become one, of a kind */
};

enum { FILLED_KINDS = 32 }; /* kinds are from 1 to 31 */

/* Levels, and layers of an array or slices of a 3D image. Ends beyond the image's are its own. */
struct filled_range {
    uint32_t level, level_count, layer, layer_count;
};

/* The recording of a command buffer. All zero, it knows nothing and must not set anything. */
struct filled_recording {
    uint64_t number; /* unique among all recordings that set states of the same images; never 0 */
    bool dirties;    /* it has made something dirty or unknown */
    uint32_t kinds;  /* bit k: it has made something one of kind k */
};

/* The alpha states of an image. All zero: unknown to every recording. */
struct filled {
    uint32_t levels, layers;
    _Atomic(uint64_t) words[]; /* by level, then by layer: number of the recording << 8, and the kind; kind 0: dirty */
};

size_t filled_bytes(uint32_t levels, uint32_t layers);
void filled_init(struct filled *filled, uint32_t levels, uint32_t layers); /* of zeroed memory */

/* One where all of the range is of that kind; dirty where some of it is not one, and the recording knows why. */
enum filled_state filled_state(const struct filled *filled, struct filled_range range,
                               const struct filled_recording *recording, uint32_t kind);

/*
 * Applies the effect. `filled` NULL: an image without stored states; the recording still remembers that it had an
 * effect.
 */
void filled_apply(struct filled *filled, struct filled_range range, struct filled_recording *recording,
                  enum filled_effect effect, uint32_t kind);

/* vkBeginCommandBuffer. The number must be a new one. */
void filled_begin(struct filled_recording *recording, uint64_t number);

/* From here on everything is unknown. The number must be a new one. */
void filled_forget(struct filled_recording *recording, uint64_t number);

/*
 * vkCmdExecuteCommands of one secondary command buffer, in its present state; NULL: one that the layer does not know.
 * This is decided here, not while the secondary was recorded, because it may have been recorded before there was
 * anything to fill. True: `recording` must forget.
 */
bool filled_execute(struct filled_recording *recording, const struct filled_recording *secondary);

#endif
