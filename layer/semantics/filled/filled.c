/* SPDX-License-Identifier: MIT */
/* Alpha states of subresources, and of recordings. */
#include "filled/filled.h"

enum { KIND_BITS = 8 };

size_t filled_bytes(uint32_t levels, uint32_t layers)
{
    return sizeof(struct filled) + (size_t)levels * layers * sizeof(uint64_t);
}

void filled_init(struct filled *filled, uint32_t levels, uint32_t layers)
{
    filled->levels = levels;
    filled->layers = layers;
}

static uint32_t end_of(uint32_t first, uint32_t count, uint32_t all)
{
    return first >= all ? first : count < all - first ? first + count : all;
}

/* True: this recording set the state. */
static bool is_own(uint64_t state_word, const struct filled_recording *recording)
{
    return state_word >> KIND_BITS == recording->number;
}

enum filled_state filled_state(const struct filled *filled, struct filled_range range,
                               const struct filled_recording *recording, uint32_t kind)
{
    const uint64_t one = recording->number << KIND_BITS | kind;
    enum filled_state state = FILLED_ONE;
    const uint32_t levels = filled ? end_of(range.level, range.level_count, filled->levels) : 0;
    const uint32_t layers = filled ? end_of(range.layer, range.layer_count, filled->layers) : 0;
    if (levels <= range.level || layers <= range.layer)
        return FILLED_UNKNOWN;
    for (uint32_t level = range.level; level < levels; level++) {
        for (uint32_t layer = range.layer; layer < layers; layer++) {
            const uint64_t state_word =
                atomic_load_explicit(&filled->words[(size_t)level * filled->layers + layer], memory_order_relaxed);
            if (is_own(state_word, recording) && state_word != one)
                return FILLED_DIRTY;
            if (state_word != one)
                state = FILLED_UNKNOWN;
        }
    }
    return state;
}

static void apply_to(_Atomic(uint64_t) *state_word, const struct filled_recording *recording, enum filled_effect effect,
                     uint32_t kind)
{
    const uint64_t dirty = recording->number << KIND_BITS;
    /* Another recording's state means "unknown" here, and may still hold for the other. */
    const uint64_t known = atomic_load_explicit(state_word, memory_order_relaxed);
    if (effect == FILLED_FILLS)
        atomic_store_explicit(state_word, dirty | kind, memory_order_relaxed);
    else if (!known || is_own(known, recording))
        atomic_store_explicit(state_word, effect == FILLED_DIRTIES ? dirty : 0, memory_order_relaxed);
}

void filled_apply(struct filled *filled, struct filled_range range, struct filled_recording *recording,
                  enum filled_effect effect, uint32_t kind)
{
    if (effect == FILLED_LEAVES)
        return;
    if (effect == FILLED_FILLS)
        recording->kinds |= UINT32_C(1) << kind;
    else
        recording->dirties = true;
    const uint32_t levels = filled ? end_of(range.level, range.level_count, filled->levels) : 0;
    const uint32_t layers = filled ? end_of(range.layer, range.layer_count, filled->layers) : 0;
    for (uint32_t level = range.level; level < levels; level++) {
        for (uint32_t layer = range.layer; layer < layers; layer++)
            apply_to(&filled->words[(size_t)level * filled->layers + layer], recording, effect, kind);
    }
}

void filled_begin(struct filled_recording *recording, uint64_t number)
{
    *recording = (struct filled_recording){.number = number};
}

void filled_forget(struct filled_recording *recording, uint64_t number)
{
    *recording = (struct filled_recording){.number = number, .dirties = true};
}

bool filled_execute(struct filled_recording *recording, const struct filled_recording *secondary)
{
    if (!secondary || secondary->dirties)
        return true;
    /* An image that is one of a kind here may have been filled as another kind in the secondary. */
    const uint32_t kinds = recording->kinds | secondary->kinds;
    const bool mixed = secondary->kinds && (kinds & (kinds - 1));
    recording->kinds = kinds;
    return mixed;
}
