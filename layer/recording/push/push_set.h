/* SPDX-License-Identifier: MIT */
/*
 * Push sets that have no slot left for the record buffer (maxPushDescriptors counts it): the driver gets sets of a pool
 * instead. All pushed descriptors are saved, and the next draw gets a fresh set with all of them, from pools of the
 * command buffer.
 */
#ifndef CLAMPLER_PUSH_PUSH_SET_H
#define CLAMPLER_PUSH_PUSH_SET_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

struct command;
struct device;
struct push_state;
struct track;

/* For a state whose layout was converted: nothing is pushed yet. False: out of memory. */
bool push_sets_init(struct track *track, struct push_state *push);
/* Frees everything; for states that have nothing, too. */
void push_sets_finish(struct track *track, struct push_state *push);

/* The sets that were taken are not used any more; for states that have nothing, too. */
void push_sets_reset(const struct device *device, struct push_state *push);
/* Nothing is pushed any more; likewise. */
void push_sets_clear(struct push_state *push);

/* Saves the descriptors of a push, as the driver gets them. */
void push_sets_keep(struct track *track, struct push_state *push, const VkWriteDescriptorSet *write);

/* A fresh set with all that was pushed, for one draw; VK_NULL_HANDLE with command->error set. */
VkDescriptorSet push_sets_acquire(struct command *command, struct push_state *push);

#endif
