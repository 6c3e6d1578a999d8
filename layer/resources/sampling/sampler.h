/* SPDX-License-Identifier: MIT */
/*
 * Samplers of the program, and sampler states as identities (sampler.c, sampler_state.c). Looked up without a lock;
 * states are counted under the lock of `struct states`.
 */
#ifndef CLAMPLER_SAMPLING_SAMPLER_H
#define CLAMPLER_SAMPLING_SAMPLER_H

#include "newer_vulkan.h"
#include "objects/table.h"
#include "objects/track.h"
#include "record_table/record_table.h"
#include "resolve/classify.h"
#include "sampling/sampling.h"

struct shared_sampler;

/* A sampler state that some sampler or set layout has. All but the list of pairs is constant. */
struct sampler_state_object {
    struct sampler_state_object *next; /* in its bucket; under the states' lock, as the references are */
    uint32_t references;
    uint32_t id;  /* unique while a thread may have it cached, never 0 */
    uint64_t key; /* in lists of record indices: the same for equal states later, and practically unique */
    enum sampler_emulation emulation;
    bool native_alone;             /* in a SAMPLER descriptor the driver gets the program's own sampler */
    struct shared_sampler *common; /* of samplers without one of the driver's (surplus.h); else NULL */
    struct sampler_state state;
    _Atomic(uint64_t) sampler;                   /* the newest of the program's with this state, or 0: for messages */
    struct pair *pairs;                          /* under pair_lock */
    struct sampler_state_object *next_of_device; /* among those that the device keeps; under the states' lock */
    bool of_device;
    struct index_list record_indices; /* INDEX_ALONE: of its record alone, in application-managed descriptors */
};

bool sampler_states_init(struct states *states);
void sampler_states_finish(struct states *states);

/* Releases the states of sampler_state_of_device(), before the device's memory is freed. */
void sampler_states_release(struct track *track);

/*
 * The object of this content with one more reference; NULL: out of memory. `common`: NULL, or a reference of the
 * caller's, which the object has from then on, also where there is no memory (surplus.h).
 */
struct sampler_state_object *sampler_state_intern(struct track *track, const struct sampler_state *content,
                                                  struct shared_sampler *common);
void sampler_state_ref(struct track *track, struct sampler_state_object *state); /* one more reference; NULL: nothing */
void sampler_state_unref(struct track *track, struct sampler_state_object *state);

/* ---- Samplers ---- */

/* A program's sampler, which is not an object but packed into the table of samplers. */
struct sampler {
    struct sampler_state_object *state; /* NULL: unknown, or opaque */
    uint32_t bits;
};

enum {
    SAMPLER_NEVER_EMULATED = 1u << 0,      /* as its state is */
    SAMPLER_NOT_ALWAYS_EMULATED = 1u << 1, /* as its state is */
    SAMPLER_BORDER_SLOT = 1u << 2,         /* the program's own custom border colour, which the driver counts */
    SAMPLER_BITS = 7,
    SAMPLER_OPAQUE =
        1u << 3, /* YCbCr conversion or subsampled: is not changed. Packed: NEVER_EMULATED without a state */
};

static inline struct sampler sampler_unpack(const void *value)
{
    const uintptr_t packed = (uintptr_t)value;
    const struct sampler sampler = {(struct sampler_state_object *)(packed & ~(uintptr_t)SAMPLER_BITS),
                                    (uint32_t)(packed & SAMPLER_BITS)};
    return packed && !sampler.state ? (struct sampler){NULL, SAMPLER_OPAQUE | (sampler.bits & SAMPLER_BORDER_SLOT)}
                                    : sampler;
}

static inline struct sampler sampler_find(struct track *track, VkSampler handle)
{
    return sampler_unpack(table_find(&track->sampling->samplers, HANDLE_KEY(handle)));
}

/*
 * True: with views that do not require emulation the record is zero and the driver gets the program's sampler. `alone`:
 * in a SAMPLER descriptor, else in a combined one.
 */
static inline bool sampler_is_native(struct sampler sampler, bool alone)
{
    return (sampler.bits & SAMPLER_NOT_ALWAYS_EMULATED) && (!alone || (sampler.state && sampler.state->native_alone));
}

/* A sampler whose destruction is delayed, with its YCbCr conversion. */
struct held_sampler {
    VkSampler sampler;
    VkSamplerYcbcrConversion conversion; /* VK_NULL_HANDLE: it has none */
    bool border_slot;                    /* SAMPLER_BORDER_SLOT of the sampler */
};

/*
 * Holds an immutable sampler of the program's own: pipelines may be compiled with its layout after the program destroys
 * it, and drivers read it then. Samplers with callbacks of the program's cannot be held (samplers_wait). False: out of
 * memory, and nothing is held.
 */
bool sampler_hold(struct track *track, VkSampler sampler, struct held_sampler *held);
void sampler_release(struct track *track, const struct held_sampler *held);
/* The same of a sampler that is no object: its conversion alone, if it has one. */
bool sampler_hold_bare(struct track *track, const VkSamplerCreateInfo *info, struct held_sampler *held);

static inline bool samplers_wait(const struct track *track)
{
    return !atomic_load_explicit(&track->sampling->foreign, memory_order_relaxed);
}

/* At the end of the device. */
void conversions_finish(struct track *track);

/* A sampler that is no object, as the driver gets it. It must not move. */
struct bare_sampler {
    const VkSamplerCreateInfo *driver; /* the program's, or one of the next two */
    VkSamplerCreateInfo clamped;
    struct driver_sampler_chain chain;
    VkSamplerCustomBorderColorIndexCreateInfoEXT index; /* of its border colour; in the chain where there is one */
    VkSamplerYcbcrConversionInfo conversion;            /* likewise */
    uint32_t record_index;                              /* of its record */
    bool opaque; /* it has no record, and is not changed but for what the layer offers */
};

/*
 * `embedded`: in code, where samplers have no custom border colours; else in a heap, by vkWriteSamplerDescriptorsEXT.
 * VK_ERROR_VALIDATION_FAILED_EXT, with a message, where what is chained is refused; VK_ERROR_OUT_OF_HOST_MEMORY.
 */
VkResult sampler_make_bare(struct track *track, const VkSamplerCreateInfo *info, bool embedded,
                           struct bare_sampler *bare);

/* At the end of the device: border colours that bare samplers have registered. */
void bare_borders_finish(struct track *track);

/* The state of that content, which stays until the device goes: for samplers that are no objects. NULL: no memory. */
struct sampler_state_object *sampler_state_of_device(struct track *track, const struct sampler_state *content);

#endif
