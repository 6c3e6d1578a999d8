/* SPDX-License-Identifier: MIT */
/*
 * The dynamic state that the program has set in a command buffer, saved so that the layer can draw (fill.c) and restore
 * it. Blend state of attachments is in struct command_blend.
 */
#ifndef CLAMPLER_COMMANDS_DYNAMIC_STATE_H
#define CLAMPLER_COMMANDS_DYNAMIC_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "newer_vulkan.h"
#include "vulkan_commands.h" /* SCALAR_STATES, INDEXED_STATES */

struct command;
struct track;

enum scalar_state {
#define STATE(NAME, TYPE) SCALAR_##NAME,
    SCALAR_STATES(STATE)
#undef STATE
        SCALARS
};

enum dynamic_array {
#define STATE(NAME, TYPE) VALUES_##NAME,
    INDEXED_STATES(STATE)
#undef STATE
        VALUES_WRITE_ENABLES,
    VALUES_COVERAGES,
    VALUES_SAMPLE_LOCATIONS,
    VALUES_VERTEX_BINDINGS,
    VALUES_VERTEX_ATTRIBUTES,
    VALUES_VERTEX_BUFFERS,
    VALUES_PALETTES,
    VALUES_PALETTE_ENTRIES,
    VALUES_SAMPLE_ORDERS,
    VALUES_COARSE_LOCATIONS,
    DYNAMIC_ARRAYS
};

/* Values of one state. The array grows when a call sets more than before, up to the device's limit. */
struct dynamic_values {
    void *values; /* of the array's type */
    bool *set;    /* those that were set one by one */
    uint32_t room;
    uint32_t end; /* behind the last one that was set one by one */
};

/* The buffer of a vertex binding, and its stride. */
struct bound_vertices {
    bool by_address, strided;
    VkBuffer buffer;
    VkDeviceSize offset, size, stride;
    VkBindVertexBuffer3InfoKHR info; /* by_address */
};

/* The palette of a viewport: `count` of the entries from `first` on, where it has room for `room`. */
struct shading_palette {
    uint32_t first, count, room;
};

struct dynamic_state {
    struct dynamic_values arrays[DYNAMIC_ARRAYS];
    uint64_t scalars; /* bit SCALAR_<name>: it was set */
#define STATE(NAME, TYPE) TYPE scalar_##NAME;
    SCALAR_STATES(STATE)
#undef STATE
    uint32_t viewport_count, scissor_count; /* by …WithCount; 0: not set */
    bool blend_constants_set, depth_bounds_set, line_stipple_set, shading_rate_set, shading_rate_enum_set,
        sample_mask_set, depth_clamp_set, sample_locations_set;
    enum { DEPTH_BIAS_UNSET, DEPTH_BIAS_PLAIN, DEPTH_BIAS_2, DEPTH_BIAS_REPRESENTED } depth_bias_set; /* how */
    VkDepthBiasInfoEXT depth_bias; /* without a chain */
    VkDepthBiasRepresentationInfoEXT depth_bias_representation;
    float blend_constants[4], depth_bounds[2];
    VkDepthClampModeEXT depth_clamp_mode;
    VkDepthClampRangeEXT depth_clamp_range;
    VkSampleLocationsInfoEXT sample_locations_info; /* of the array */
    uint32_t coverage_count;                        /* 0: not set */
    VkStencilFaceFlags compare_masks_set, write_masks_set, references_set, stencil_ops_set;
    uint32_t compare_masks[2], write_masks[2], references[2]; /* front, back */
    struct {
        VkStencilOp fail, pass, depth_fail;
        VkCompareOp compare;
    } stencil_ops[2];
    uint32_t line_stipple_factor;
    uint16_t line_stipple_pattern;
    VkExtent2D shading_rate;
    VkFragmentShadingRateNV shading_rate_enum;
    VkFragmentShadingRateCombinerOpKHR shading_rate_ops[2]; /* of either */
    VkSampleCountFlagBits sample_mask_count;
    VkSampleMask sample_mask[2]; /* VK_SAMPLE_COUNT_64_BIT is the most */
    uint32_t write_enable_count; /* 0: not set */
    bool vertex_input_set;
    uint32_t vertex_binding_count, vertex_attribute_count;
    uint32_t palette_entries; /* that palettes have taken */
    bool sample_order_set;
    VkCoarseSampleOrderTypeNV sample_order_type;
    uint32_t sample_order_count; /* of the array, whose locations are in the one behind it */
};

/* With arrays of the usual sizes. NULL: out of memory. */
struct dynamic_state *dynamic_state_create(struct track *track);
void dynamic_state_delete(struct track *track, struct dynamic_state *state); /* may be NULL */

/* The array if `end` values have room in it; else NULL, and the command buffer has failed. */
struct dynamic_values *dynamic_values(struct command *command, enum dynamic_array which, uint64_t end);

/* vkCmdSetVertexInputEXT sets all strides. _restore binds buffers with strides again (vertex_buffers.c). */
void vertex_buffers_forget_strides(struct dynamic_state *state);
void vertex_buffers_restore(struct command *command);

/* Palettes of shading rates and orders of coarse samples (shading_rates.c). */
void shading_rates_restore(struct command *command);

/* Nothing is set: after vkBeginCommandBuffer, resets and vkCmdExecuteCommands. */
void dynamic_state_reset(struct dynamic_state *state);

/*
 * Sets all of it again in the next layer. The caller binds pipelines afterwards, because their static state replaces
 * dynamic state.
 */
void dynamic_state_restore(struct command *command);

#endif
