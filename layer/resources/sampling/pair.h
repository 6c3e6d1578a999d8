/* SPDX-License-Identifier: MIT */
/*
 * Pairs: a sampler state that was resolved with views of one key (pair.c). Owned by their state, constant; looked up
 * without a lock, made under pair_lock.
 */
#ifndef CLAMPLER_SAMPLING_PAIR_H
#define CLAMPLER_SAMPLING_PAIR_H

#include "record/record.h"
#include "objects/track.h"
#include "sampling/image.h"
#include "sampling/sampler.h"
#include "record_table/record_table.h"

struct shared_sampler;

/* A sampler state that was resolved with views of one key; constant. */
struct pair {
    struct pair *next; /* of the same state */
    uint64_t key;
    VkSampler sampler; /* shared by all samplers of the state; VK_NULL_HANDLE: the program's own */
    struct shared_sampler *shared;
    enum resolve_view view;
    bool without_border; /* the driver's limit of custom border colours was reached */
    bool common;         /* the driver's limit of samplers was: `sampler` is a common one (surplus.h) */
    bool nothing;        /* its records are zero */
    uint32_t needs;      /* RECORD_NEED_* of its records, but for MIPS, which views of one key may differ in */
    struct sampler_terms terms;
};

/* The shard that this thread counts in; 0: it has none yet. */
extern THREAD_LOCAL uint32_t own_shard;
uint32_t thread_shard_acquire(void);
static inline uint32_t thread_shard(void)
{
    return own_shard ? own_shard : thread_shard_acquire();
}

uint64_t new_serial(void);

/* `key`: of the state and the view, as pair_of has it. */
const struct pair *pair_look_up(struct track *track, struct sampler_state_object *state, const struct view *view,
                                uint64_t key);

/*
 * The pair of a state and a view; view NULL: of the state alone. Never NULL. It is valid at least until the thread's
 * next call. Takes a lock only for pairs that are new.
 */
static inline const struct pair *pair_of(struct track *track, struct sampler_state_object *state,
                                         const struct view *view)
{
    return pair_look_up(track, state, view, (uint64_t)state->id << 32 | (view ? view->key : 0));
}

/*
 * The pair of a state alone where its sampler is embedded in a layout: the driver's sampler has no custom border
 * colour, so the shader returns it. Never NULL, valid as long as that of pair_of.
 */
const struct pair *pair_embedded(struct track *track, struct sampler_state_object *state);

/*
 * One more reference to the common sampler of a state, with which it can be used whatever the view; NULL with *error
 * set.
 */
struct shared_sampler *common_acquire(struct track *track, const struct sampler_state *content, VkResult *error);
void common_release(struct track *track, struct shared_sampler *common);
VkSampler common_handle(const struct shared_sampler *common);

/* The sampler of a pair that the driver gets where the program's has this handle. */
static inline VkSampler pair_sampler(const struct pair *pair, const struct sampler_state_object *state,
                                     VkSampler program)
{
    return pair->sampler ? pair->sampler : state->common ? common_handle(state->common) : program;
}

/* True: the pair needs another sampler of the driver's than the program's own, or that has none. */
static inline bool pair_needs_sampler(const struct sampler_state_object *state, const struct resolve_result *result)
{
    return state->common || !result->program_suffices;
}

/* Of the content of a driver's sampler, by which pairs share them. */
uint64_t driver_sampler_hash(const struct driver_sampler *driver);

/* The create-info of the driver's sampler of a pair; NULL: the program's own is used. */
const struct driver_sampler *pair_driver(const struct pair *pair);

/* The record index of a state alone, whose sampler is embedded or in a heap (pair_embedded). */
uint32_t embedded_record_index(struct track *track, struct sampler_state_object *state, const struct pair *pair);

/*
 * The two records of a split combined image sampler: of its image and of its sampler as separate descriptors. The
 * driver's view and sampler were chosen for the two together, which these records take into account. If that sampler
 * differs from the state's sampler for all views, the shader filters, because it is wrong for other images. The image's
 * record describes that view: sRGB texels that are not decoded, depth in red. State and view may be NULL.
 */
void pair_split(struct track *track, struct sampler_state_object *state, const struct view *view, struct record *image,
                struct record *sampler);

/*
 * The record indices of application-managed descriptors: of a state and a view together, followed by those of either
 * alone (split), and of a state alone. They are acquired at the first call and live as long as the view, or the state.
 */
uint32_t pair_record_index(struct track *track, struct sampler_state_object *state, struct view *view,
                           const struct record *record);
uint32_t state_record_index(struct track *track, struct sampler_state_object *state, const struct pair *alone);
static inline uint32_t view_record_index(struct track *track, struct view *view)
{
    uint32_t record_index;
    return index_find(&view->record_indices, INDEX_ALONE, &record_index)
               ? record_index
               : index_add(track, &view->record_indices, INDEX_ALONE, &view->alone, 1);
}

/* Destroys the pairs of a state without references. */
void pairs_forget(struct track *track, struct sampler_state_object *state);

/* Acquires one of the driver's limited samplers with a custom border colour; false: none is left. */
bool border_slot_acquire(struct track *track);
void border_slot_release(struct track *track);

/* True: all words are zero. */
static inline bool record_is_zero(const struct record *record)
{
    static const struct record zero;
    return record->flags == 0 && memcmp(record, &zero, sizeof(zero)) == 0;
}

/* Implements CLAMPLER_GET_PAIR_REASON. Makes the pair if there is none yet. */
VkResult pair_reason(struct track *track, VkSampler sampler, VkImageView view, char *text, size_t size);

#endif
