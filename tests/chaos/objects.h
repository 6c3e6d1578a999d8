/* SPDX-License-Identifier: MIT */
/*
 * Samplers, views, layouts, templates and pipelines, in the places of a store. Each function belongs to one thread at a
 * time for the store that it changes; the shared store is read by all threads of a device while none changes it.
 */
#ifndef CLAMPLER_CHAOS_OBJECTS_H
#define CLAMPLER_CHAOS_OBJECTS_H

#include "chaos/chaos.h"

enum object_kind {
    OBJECT_SAMPLER,
    OBJECT_VIEW,
    OBJECT_TEXEL_VIEW,
    OBJECT_LAYOUT,
    OBJECT_TEMPLATE,
    OBJECT_PIPELINE,
    OBJECT_KINDS
};

/* How many places a store has for it, and what life is at one. */
unsigned object_places(enum object_kind kind);
struct life *object_life(struct store *store, enum object_kind kind, unsigned place);

/* Makes one in a place where none lives. False where there is nothing to make it of. */
bool object_make(struct device *device, struct store *store, enum object_kind kind, unsigned place, struct dice *dice);

/* Destroys what lives there, or has been retired. Nothing may use it any more. */
void object_destroy(struct device *device, struct store *store, enum object_kind kind, unsigned place);

/* Samplers that are not in a store: immutable ones. */
void object_make_sampler(struct device *device, struct sampler *sampler, enum mood mood, struct dice *dice);

/* ---- Choosing: one that lives, in the actor's own store or the shared one; false if there is none ---- */

bool object_choose(struct actor *actor, enum object_kind kind, struct dice *dice, struct ref *ref);
bool object_choose_sampler(struct actor *actor, enum mood mood, struct dice *dice, struct ref *ref);

/* What the sampler and the views were made with; chains lead to them. Of texel buffers: the chain. */
VkSamplerCreateInfo object_sampler_info(const struct sampler *sampler);
VkImageViewCreateInfo object_view_info(const struct device *device, const struct view *view);
const void *object_texel_chain(const struct texel_view *view, VkBufferViewGLStateCreateInfoCLAMPLER *state);

/* What a reference says; NULL if it does not live any more. */
const struct sampler *object_sampler(const struct actor *actor, struct ref ref);
const struct view *object_view(const struct actor *actor, struct ref ref);
const struct texel_view *object_texel_view(const struct actor *actor, struct ref ref);

/* ---- Layouts (layouts of equal keys are identically defined) ---- */

/* A new layout; the caller destroys it. */
VkDescriptorSetLayout object_new_layout(struct device *device, struct key key);

/* That of set 0 beside sets of such keys. */
static inline VkDescriptorSetLayout object_results_layout(const struct device *device, const struct key keys[2])
{
    return keys[0].flavour == FLAVOUR_BUFFER ? device->placed_results_layout : device->results_layout;
}

/* A random key that the device has for one of the two sets. */
struct key object_choose_key(const struct device *device, unsigned set, struct dice *dice);

/* The same for sets in buffers or in heaps. */
struct key object_choose_placed_key(unsigned set, enum flavour flavour, struct dice *dice);

/* Of a mutable flavour: the binding takes images and texel buffers. */
bool object_is_mutable(struct key key, const struct shape_binding *binding);

/* Descriptors of a key that may not be written: bits. */
uint32_t object_unwritable(struct key key);

/*
 * A pipeline layout of an actor, made if it has none: which place. Those in `used` (bits) are left alone.
 */
unsigned object_pipeline_layout(struct actor *actor, const struct key keys[2], uint32_t used, struct dice *dice);

/* A new pipeline layout for results and sets of these keys; the set layouts are gone, but for validation layers. */
void object_new_pipeline_layout(struct device *device, const struct key keys[2], struct pipeline_layout *layout);
void object_destroy_pipeline_layout(struct device *device, struct pipeline_layout *layout);

/* ---- Pipelines (pipelines.c) ---- */

bool object_make_pipeline(struct device *device, struct pipeline *pipeline, struct dice *dice);
/* With descriptors in buffers or in heaps (placed.c). */
void object_make_placed_pipeline(struct device *device, struct pipeline *pipeline, enum flavour flavour,
                                 struct dice *dice);
/*
 * In a call with others, with flags of creation in either form; of binaries that the peer made, unless they are
 * refused, which only binaries for devices that are not active may be.
 */
void object_make_flagged_pipeline(struct actor *actor, struct pipeline *pipeline, struct dice *dice);
void object_make_binary_pipeline(struct actor *actor, struct pipeline *pipeline, struct dice *dice);
void object_destroy_pipeline(struct device *device, struct pipeline *pipeline);

#endif
