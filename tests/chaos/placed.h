/* SPDX-License-Identifier: MIT */
/*
 * Sets whose descriptors are bytes: in descriptor buffers (FLAVOUR_BUFFER) and in heaps that bindings are mapped to
 * (FLAVOUR_HEAP). They stand behind an actor's other sets, are always there, and are of another shape when a program
 * needs one. What is read is what they hold when a command buffer is submitted. Every function belongs to the actor's
 * thread.
 */
#ifndef CLAMPLER_CHAOS_PLACED_H
#define CLAMPLER_CHAOS_PLACED_H

#include "chaos/chaos.h"

/* What is pushed where descriptors are in heaps: the shader's own, and the numbers of sets, which mappings read. */
struct placed_push {
    struct pushed pushed;
    uint32_t sets[2], results;
};

/* Before actors are: layouts, and where in the heaps sets lie. */
void placed_open_device(struct device *device);
void placed_close_device(struct device *device);

void placed_open(struct actor *actor);
void placed_close(struct actor *actor);

/* A kind that the device has; false if it has none. */
bool placed_choose_flavour(const struct device *device, struct dice *dice, enum flavour *flavour);

/* Another shape for a set; writes and copies, by the host and by the GPU; other buffers or heaps. */
bool placed_renew_set(struct actor *actor, struct dice *dice);
bool placed_update(struct actor *actor, struct dice *dice);
bool placed_anew(struct actor *actor, struct dice *dice);

/* A set of that key, whose descriptors have all been written if `complete`; ALL_SETS if that cannot be. */
unsigned placed_set_of_key(struct actor *actor, struct key key, bool complete, struct dice *dice);

/* Bindings of both sets and of the results, mapped to heaps: how many. */
enum { PLACED_MAPPINGS = 1 + 2 * SHAPE_BINDINGS };
uint32_t placed_mappings(const struct device *device, const struct key keys[2],
                         VkDescriptorSetAndBindingMappingEXT mappings[PLACED_MAPPINGS]);

/* Binds what the dispatch reads. `again`: what is bound in the command buffer may be something else. */
void placed_bind_buffers(const struct actor *actor, VkCommandBuffer commands, VkPipelineBindPoint point,
                         VkPipelineLayout layout, const struct dispatch *dispatch, bool again);
void placed_bind_heaps(const struct actor *actor, VkCommandBuffer commands, const struct dispatch *dispatch,
                       bool again);

#endif
