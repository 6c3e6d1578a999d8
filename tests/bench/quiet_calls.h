/* SPDX-License-Identifier: MIT */
/*
 * Calls that write descriptors on a device that nobody asked for GL state, one kind a row: instructions_test.c counts
 * what the layer adds to each, and prints what it takes.
 */
#ifndef CLAMPLER_BENCH_QUIET_CALLS_H
#define CLAMPLER_BENCH_QUIET_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/resources/resources.h"

enum quiet_call {
    QUIET_UNIFORM_BUFFER,
    QUIET_STORAGE_IMAGE,
    QUIET_TEXEL_BUFFER,
    QUIET_COMBINED,
    QUIET_IMAGE,
    QUIET_SAMPLER,
    QUIET_COMBINED_16,
    QUIET_FOUR_WRITES,
    QUIET_TEMPLATE,
    QUIET_TEMPLATE_IMAGE,
    QUIET_TEMPLATE_BUFFER,
    QUIET_COPY,
    QUIET_COPY_BUFFER,
    QUIET_PUSH,
    QUIET_PUSH_TEMPLATE,
    QUIET_OTHER_DEVICE, /* QUIET_UNIFORM_BUFFER of a device that was made while another one lived */
    QUIET_CALLS,
};

struct quiet_row {
    const char *name; /* without blanks */
    const char *text; /* for people */
    uint32_t most;    /* instructions of the layer a call */
};
extern const struct quiet_row quiet_rows[QUIET_CALLS];

enum { QUIET_SETS = 32, QUIET_VIEWS = 32, QUIET_ARRAY = 16, QUIET_BINDINGS = 6 };

/* A device and what the calls name. One thread. */
struct quiet {
    struct harness_vulkan vk;
    VkDescriptorSetLayout layout, push_layout;
    VkPipelineLayout pushed;
    VkDescriptorSet sets[QUIET_SETS];
    VkSampler samplers[2];
    struct harness_image image;
    VkImageView views[QUIET_VIEWS];
    struct harness_buffer buffer;
    VkBufferView buffer_views[QUIET_VIEWS];
    VkDescriptorUpdateTemplate combined, sampled, uniform, push;
    VkCommandBuffer commands;
    PFN_vkUpdateDescriptorSets update;
    PFN_vkUpdateDescriptorSetWithTemplate update_with;
    PFN_vkCmdPushDescriptorSetKHR push_set;
    PFN_vkCmdPushDescriptorSetWithTemplateKHR push_set_with;
};

/* With the layer active, or without it. */
void quiet_open(struct quiet *quiet, bool layer);
void quiet_close(struct quiet *quiet);

/* The command buffer that pushes are recorded into; call `quiet_end` before the device is closed. */
void quiet_begin(struct quiet *quiet);
void quiet_end(struct quiet *quiet);

/* So many calls of one kind. */
void quiet_run(struct quiet *quiet, enum quiet_call call, uint32_t count);

#endif
