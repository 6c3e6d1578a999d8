/* SPDX-License-Identifier: MIT */
/*
 * The hooks of commands that set dynamic state: each remembers the value if the layer may draw in this command buffer,
 * and calls the next layer. Macros write most of them from lists of the registry's (vulkan_commands.h). Before it goes
 * on after a draw of the layer, layer/recording/alpha has all of it set again here.
 */
#include "commands/dynamic_state.h"

#include <string.h>

#include "commands/command_buffer.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "objects/track.h"
#include "vulkan_commands.h"

_Static_assert(SCALARS <= 64, "a scalar is a bit of 64");

static struct dynamic_state *state_of(VkCommandBuffer handle)
{
    struct command *command = command_of(handle);
    return command ? command->dynamic : NULL;
}

/* ---- Memory ---- */

static const struct {
    size_t size;   /* of a value */
    uint32_t room; /* at first */
} array_types[DYNAMIC_ARRAYS] = {
#define STATE(NAME, TYPE) [VALUES_##NAME] = {sizeof(TYPE), 16},
    INDEXED_STATES(STATE)
#undef STATE
        [VALUES_WRITE_ENABLES] = {sizeof(VkBool32), 8},
    [VALUES_COVERAGES] = {sizeof(float), 16},
    [VALUES_SAMPLE_LOCATIONS] = {sizeof(VkSampleLocationEXT), 64},
    [VALUES_VERTEX_BINDINGS] = {sizeof(VkVertexInputBindingDescription2EXT), 32},
    [VALUES_VERTEX_ATTRIBUTES] = {sizeof(VkVertexInputAttributeDescription2EXT), 32},
    [VALUES_VERTEX_BUFFERS] = {sizeof(struct bound_vertices), 16},
    [VALUES_PALETTES] = {sizeof(struct shading_palette), 1}, /* few devices have any */
    [VALUES_PALETTE_ENTRIES] = {sizeof(VkShadingRatePaletteEntryNV), 1},
    [VALUES_SAMPLE_ORDERS] = {sizeof(VkCoarseSampleOrderCustomNV), 1},
    [VALUES_COARSE_LOCATIONS] = {sizeof(VkCoarseSampleLocationNV), 1},
};

static void free_values(struct track *track, enum dynamic_array which, const struct dynamic_values *array)
{
    object_free(track, NULL, array->values, array->room * array_types[which].size);
    object_free(track, NULL, array->set, array->room * sizeof(*array->set));
}

/* Grows the array; false, with nothing changed, if memory runs out. */
static bool grow(struct track *track, enum dynamic_array which, struct dynamic_values *array, uint32_t room)
{
    const size_t size = array_types[which].size;
    struct dynamic_values grown = {.values = object_alloc(track, NULL, room * size),
                                   .set = object_alloc(track, NULL, room * sizeof(*grown.set)),
                                   .room = room,
                                   .end = array->end};
    if (!grown.values || !grown.set) {
        free_values(track, which, &grown);
        return false;
    }
    if (array->room) {
        memcpy(grown.values, array->values, array->room * size);
        memcpy(grown.set, array->set, array->room * sizeof(*grown.set));
    }
    free_values(track, which, array);
    *array = grown;
    return true;
}

struct dynamic_values *dynamic_values(struct command *command, enum dynamic_array which, uint64_t end)
{
    struct dynamic_values *array = &command->dynamic->arrays[which];
    if (end <= array->room || (end <= UINT32_MAX && grow(command->track, which, array, (uint32_t)end)))
        return array;
    command->error = VK_ERROR_OUT_OF_HOST_MEMORY;
    return NULL;
}

/* The same for a command buffer that has such a state. */
static inline struct dynamic_values *values_of(VkCommandBuffer handle, struct dynamic_state *state,
                                               enum dynamic_array which, uint64_t end)
{
    struct dynamic_values *array = &state->arrays[which];
    return end <= array->room ? array : dynamic_values(command_of(handle), which, end);
}

/* All values at once, from the first on. False: no memory. */
static bool put_values(VkCommandBuffer handle, struct dynamic_state *state, enum dynamic_array which, uint32_t count,
                       const void *values)
{
    struct dynamic_values *array = values_of(handle, state, which, count);
    if (array && count)
        memcpy(array->values, values, count * array_types[which].size);
    return array;
}

struct dynamic_state *dynamic_state_create(struct track *track)
{
    struct dynamic_state *state = object_alloc(track, NULL, sizeof(*state));
    bool done = state;
    for (uint32_t i = 0; i < DYNAMIC_ARRAYS && done; i++)
        done = grow(track, i, &state->arrays[i], array_types[i].room);
    if (done)
        return state;
    dynamic_state_delete(track, state);
    return NULL;
}

void dynamic_state_delete(struct track *track, struct dynamic_state *state)
{
    for (uint32_t i = 0; i < DYNAMIC_ARRAYS && state; i++)
        free_values(track, i, &state->arrays[i]);
    object_free(track, NULL, state, sizeof(*state));
}

void dynamic_state_reset(struct dynamic_state *state)
{
    if (!state)
        return;
    struct dynamic_values arrays[DYNAMIC_ARRAYS];
    for (uint32_t i = 0; i < DYNAMIC_ARRAYS; i++) {
        arrays[i] = state->arrays[i];
        if (arrays[i].end)
            memset(arrays[i].set, 0, arrays[i].end * sizeof(*arrays[i].set));
        if ((i == VALUES_VERTEX_BUFFERS || i == VALUES_PALETTES) && arrays[i].end)
            memset(arrays[i].values, 0, arrays[i].end * array_types[i].size);
        arrays[i].end = 0;
    }
    memset(state, 0, sizeof(*state));
    memcpy(state->arrays, arrays, sizeof(arrays));
}

/* ---- One value ---- */

/* Which variant of a shader a draw has to attachments without alpha depends on it. */
static inline bool decides_variants(enum scalar_state state)
{
    return state == SCALAR_LogicOpEnableEXT || state == SCALAR_AlphaToCoverageEnableEXT ||
           state == SCALAR_AlphaToOneEnableEXT || state == SCALAR_CoverageModulationModeNV;
}

#define STATE(NAME, TYPE)                                                                                              \
    VKAPI_ATTR void VKAPI_CALL hook_CmdSet##NAME(VkCommandBuffer commandBuffer, TYPE value)                            \
    {                                                                                                                  \
        struct dynamic_state *state = state_of(commandBuffer);                                                         \
        if (state) {                                                                                                   \
            state->scalars |= UINT64_C(1) << SCALAR_##NAME;                                                            \
            state->scalar_##NAME = value;                                                                              \
            if (decides_variants(SCALAR_##NAME))                                                                       \
                blend_set_stale(command_of(commandBuffer));                                                            \
        }                                                                                                              \
        device_of(commandBuffer)->next.CmdSet##NAME(commandBuffer, value);                                             \
    }
SCALAR_STATES(STATE)
#undef STATE

/* ---- Several values ---- */

/* Values from an index on. */
#define STATE(NAME, TYPE)                                                                                              \
    VKAPI_ATTR void VKAPI_CALL hook_CmdSet##NAME(VkCommandBuffer commandBuffer, uint32_t first, uint32_t count,        \
                                                 const TYPE *values)                                                   \
    {                                                                                                                  \
        struct dynamic_state *state = state_of(commandBuffer);                                                         \
        struct dynamic_values *array =                                                                                 \
            state ? values_of(commandBuffer, state, VALUES_##NAME, (uint64_t)first + count) : NULL;                    \
        if (array && count) {                                                                                          \
            memcpy((TYPE *)array->values + first, values, count * sizeof(*values));                                    \
            memset(array->set + first, true, count * sizeof(*array->set));                                             \
            array->end = array->end > first + count ? array->end : first + count;                                      \
        }                                                                                                              \
        device_of(commandBuffer)->next.CmdSet##NAME(commandBuffer, first, count, values);                              \
    }
INDEXED_STATES(STATE)
#undef STATE

/* All values at once. */
#define COUNTED_STATE(NAME, TYPE, VALUES, COUNT)                                                                       \
    VKAPI_ATTR void VKAPI_CALL hook_CmdSet##NAME(VkCommandBuffer commandBuffer, uint32_t count, const TYPE *values)    \
    {                                                                                                                  \
        struct dynamic_state *state = state_of(commandBuffer);                                                         \
        if (state && put_values(commandBuffer, state, VALUES, count, values))                                          \
            state->COUNT = count;                                                                                      \
        device_of(commandBuffer)->next.CmdSet##NAME(commandBuffer, count, values);                                     \
    }
COUNTED_STATE(ViewportWithCount, VkViewport, VALUES_Viewport, viewport_count)
COUNTED_STATE(ScissorWithCount, VkRect2D, VALUES_Scissor, scissor_count)
COUNTED_STATE(ColorWriteEnableEXT, VkBool32, VALUES_WRITE_ENABLES, write_enable_count)
COUNTED_STATE(CoverageModulationTableNV, float, VALUES_COVERAGES, coverage_count)

VKAPI_ATTR void VKAPI_CALL hook_CmdSetDepthBias(PARAMETERS_CmdSetDepthBias)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state) {
        state->depth_bias_set = DEPTH_BIAS_PLAIN;
        state->depth_bias = (VkDepthBiasInfoEXT){VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT, NULL, depthBiasConstantFactor,
                                                 depthBiasClamp, depthBiasSlopeFactor};
    }
    device_of(commandBuffer)->next.CmdSetDepthBias(ARGUMENTS_CmdSetDepthBias);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetDepthBias2EXT(PARAMETERS_CmdSetDepthBias2EXT)
{
    struct dynamic_state *state = state_of(commandBuffer);
    const VkDepthBiasRepresentationInfoEXT *representation =
        pnext_find(pDepthBiasInfo->pNext, VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT);
    if (state) {
        state->depth_bias_set = representation ? DEPTH_BIAS_REPRESENTED : DEPTH_BIAS_2;
        state->depth_bias = *pDepthBiasInfo;
        state->depth_bias.pNext = NULL;
        if (representation)
            state->depth_bias_representation = *representation;
        state->depth_bias_representation.pNext = NULL;
    }
    device_of(commandBuffer)->next.CmdSetDepthBias2EXT(ARGUMENTS_CmdSetDepthBias2EXT);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetDepthClampRangeEXT(PARAMETERS_CmdSetDepthClampRangeEXT)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state) {
        state->depth_clamp_set = true;
        state->depth_clamp_mode = depthClampMode;
        if (depthClampMode == VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT) /* else it is ignored */
            state->depth_clamp_range = *pDepthClampRange;
    }
    device_of(commandBuffer)->next.CmdSetDepthClampRangeEXT(ARGUMENTS_CmdSetDepthClampRangeEXT);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetBlendConstants(PARAMETERS_CmdSetBlendConstants)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state) {
        state->blend_constants_set = true;
        memcpy(state->blend_constants, blendConstants, sizeof(state->blend_constants));
        blend_set_stale(command_of(commandBuffer));
    }
    device_of(commandBuffer)->next.CmdSetBlendConstants(ARGUMENTS_CmdSetBlendConstants);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetDepthBounds(PARAMETERS_CmdSetDepthBounds)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state) {
        state->depth_bounds_set = true;
        state->depth_bounds[0] = minDepthBounds;
        state->depth_bounds[1] = maxDepthBounds;
    }
    device_of(commandBuffer)->next.CmdSetDepthBounds(ARGUMENTS_CmdSetDepthBounds);
}

/* The front face is the first bit of VkStencilFaceFlags, the back face the second. */
#define FACE_STATE(NAME, VALUES)                                                                                       \
    VKAPI_ATTR void VKAPI_CALL hook_CmdSet##NAME(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask,           \
                                                 uint32_t value)                                                       \
    {                                                                                                                  \
        struct dynamic_state *state = state_of(commandBuffer);                                                         \
        for (uint32_t face = 0; state && face < 2; face++) {                                                           \
            if (faceMask & 1u << face)                                                                                 \
                state->VALUES[face] = value;                                                                           \
        }                                                                                                              \
        if (state)                                                                                                     \
            state->VALUES##_set |= faceMask;                                                                           \
        device_of(commandBuffer)->next.CmdSet##NAME(commandBuffer, faceMask, value);                                   \
    }
FACE_STATE(StencilCompareMask, compare_masks)
FACE_STATE(StencilWriteMask, write_masks)
FACE_STATE(StencilReference, references)

VKAPI_ATTR void VKAPI_CALL hook_CmdSetStencilOp(PARAMETERS_CmdSetStencilOp)
{
    struct dynamic_state *state = state_of(commandBuffer);
    for (uint32_t face = 0; state && face < 2; face++) {
        if (!(faceMask & 1u << face))
            continue;
        state->stencil_ops_set |= 1u << face;
        state->stencil_ops[face].fail = failOp;
        state->stencil_ops[face].pass = passOp;
        state->stencil_ops[face].depth_fail = depthFailOp;
        state->stencil_ops[face].compare = compareOp;
    }
    device_of(commandBuffer)->next.CmdSetStencilOp(ARGUMENTS_CmdSetStencilOp);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetSampleMaskEXT(PARAMETERS_CmdSetSampleMaskEXT)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state) {
        state->sample_mask_set = true;
        state->sample_mask_count = samples;
        memcpy(state->sample_mask, pSampleMask, (samples > VK_SAMPLE_COUNT_32_BIT ? 2 : 1) * sizeof(*pSampleMask));
    }
    device_of(commandBuffer)->next.CmdSetSampleMaskEXT(ARGUMENTS_CmdSetSampleMaskEXT);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetSampleLocationsEXT(PARAMETERS_CmdSetSampleLocationsEXT)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state && put_values(commandBuffer, state, VALUES_SAMPLE_LOCATIONS, pSampleLocationsInfo->sampleLocationsCount,
                            pSampleLocationsInfo->pSampleLocations)) {
        state->sample_locations_set = true;
        state->sample_locations_info = *pSampleLocationsInfo;
        state->sample_locations_info.pNext = NULL;
    }
    device_of(commandBuffer)->next.CmdSetSampleLocationsEXT(ARGUMENTS_CmdSetSampleLocationsEXT);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetLineStippleEXT(PARAMETERS_CmdSetLineStippleEXT)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state) {
        state->line_stipple_set = true;
        state->line_stipple_factor = lineStippleFactor;
        state->line_stipple_pattern = lineStipplePattern;
    }
    device_of(commandBuffer)->next.CmdSetLineStippleEXT(ARGUMENTS_CmdSetLineStippleEXT);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetVertexInputEXT(PARAMETERS_CmdSetVertexInputEXT)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state &&
        put_values(commandBuffer, state, VALUES_VERTEX_BINDINGS, vertexBindingDescriptionCount,
                   pVertexBindingDescriptions) &&
        put_values(commandBuffer, state, VALUES_VERTEX_ATTRIBUTES, vertexAttributeDescriptionCount,
                   pVertexAttributeDescriptions)) {
        vertex_buffers_forget_strides(state);
        state->vertex_input_set = true;
        state->vertex_binding_count = vertexBindingDescriptionCount;
        state->vertex_attribute_count = vertexAttributeDescriptionCount;
    }
    device_of(commandBuffer)->next.CmdSetVertexInputEXT(ARGUMENTS_CmdSetVertexInputEXT);
}

VKAPI_ATTR void VKAPI_CALL hook_CmdSetFragmentShadingRateKHR(PARAMETERS_CmdSetFragmentShadingRateKHR)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state) {
        state->shading_rate_set = true;
        state->shading_rate_enum_set = false;
        state->shading_rate = *pFragmentSize;
        memcpy(state->shading_rate_ops, combinerOps, sizeof(state->shading_rate_ops));
    }
    device_of(commandBuffer)->next.CmdSetFragmentShadingRateKHR(ARGUMENTS_CmdSetFragmentShadingRateKHR);
}

/* The same state by another name: the last of both counts. */
VKAPI_ATTR void VKAPI_CALL hook_CmdSetFragmentShadingRateEnumNV(PARAMETERS_CmdSetFragmentShadingRateEnumNV)
{
    struct dynamic_state *state = state_of(commandBuffer);
    if (state) {
        state->shading_rate_enum_set = true;
        state->shading_rate_set = false;
        state->shading_rate_enum = shadingRate;
        memcpy(state->shading_rate_ops, combinerOps, sizeof(state->shading_rate_ops));
    }
    device_of(commandBuffer)->next.CmdSetFragmentShadingRateEnumNV(ARGUMENTS_CmdSetFragmentShadingRateEnumNV);
}

/* ---- Putting it back ---- */

static void restore_indexed(const struct device *device, VkCommandBuffer handle, const struct dynamic_state *state)
{
#define STATE(NAME, TYPE)                                                                                              \
    for (uint32_t i = 0; i < state->arrays[VALUES_##NAME].end; i++) {                                                  \
        if (state->arrays[VALUES_##NAME].set[i])                                                                       \
            device->next.CmdSet##NAME(handle, i, 1, (const TYPE *)state->arrays[VALUES_##NAME].values + i);            \
    }
    INDEXED_STATES(STATE)
#undef STATE
    if (state->viewport_count)
        device->next.CmdSetViewportWithCount(handle, state->viewport_count, state->arrays[VALUES_Viewport].values);
    if (state->scissor_count)
        device->next.CmdSetScissorWithCount(handle, state->scissor_count, state->arrays[VALUES_Scissor].values);
}

static void restore_stencil(const struct device *device, VkCommandBuffer handle, const struct dynamic_state *state)
{
    for (uint32_t face = 0; face < 2; face++) {
        const VkStencilFaceFlags bit = 1u << face;
        if (state->compare_masks_set & bit)
            device->next.CmdSetStencilCompareMask(handle, bit, state->compare_masks[face]);
        if (state->write_masks_set & bit)
            device->next.CmdSetStencilWriteMask(handle, bit, state->write_masks[face]);
        if (state->references_set & bit)
            device->next.CmdSetStencilReference(handle, bit, state->references[face]);
        if (state->stencil_ops_set & bit)
            device->next.CmdSetStencilOp(handle, bit, state->stencil_ops[face].fail, state->stencil_ops[face].pass,
                                         state->stencil_ops[face].depth_fail, state->stencil_ops[face].compare);
    }
}

static void restore_depth(const struct device *device, VkCommandBuffer handle, const struct dynamic_state *state)
{
    VkDepthBiasInfoEXT bias = state->depth_bias;
    if (state->depth_bias_set == DEPTH_BIAS_PLAIN)
        device->next.CmdSetDepthBias(handle, bias.depthBiasConstantFactor, bias.depthBiasClamp,
                                     bias.depthBiasSlopeFactor);
    if (state->depth_bias_set == DEPTH_BIAS_REPRESENTED)
        bias.pNext = &state->depth_bias_representation;
    if (state->depth_bias_set == DEPTH_BIAS_2 || state->depth_bias_set == DEPTH_BIAS_REPRESENTED)
        device->next.CmdSetDepthBias2EXT(handle, &bias);
    if (state->depth_bounds_set)
        device->next.CmdSetDepthBounds(handle, state->depth_bounds[0], state->depth_bounds[1]);
    if (state->depth_clamp_set)
        device->next.CmdSetDepthClampRangeEXT(handle, state->depth_clamp_mode, &state->depth_clamp_range);
}

static void restore_samples(const struct device *device, VkCommandBuffer handle, const struct dynamic_state *state)
{
    VkSampleLocationsInfoEXT locations = state->sample_locations_info;
    locations.pSampleLocations = state->arrays[VALUES_SAMPLE_LOCATIONS].values;
    if (state->sample_mask_set)
        device->next.CmdSetSampleMaskEXT(handle, state->sample_mask_count, state->sample_mask);
    if (state->sample_locations_set)
        device->next.CmdSetSampleLocationsEXT(handle, &locations);
    if (state->coverage_count)
        device->next.CmdSetCoverageModulationTableNV(handle, state->coverage_count,
                                                     state->arrays[VALUES_COVERAGES].values);
}

static void restore_others(const struct device *device, VkCommandBuffer handle, const struct dynamic_state *state)
{
    if (state->blend_constants_set)
        device->next.CmdSetBlendConstants(handle, state->blend_constants);
    if (state->line_stipple_set)
        device->next.CmdSetLineStippleEXT(handle, state->line_stipple_factor, state->line_stipple_pattern);
    if (state->shading_rate_set)
        device->next.CmdSetFragmentShadingRateKHR(handle, &state->shading_rate, state->shading_rate_ops);
    if (state->shading_rate_enum_set)
        device->next.CmdSetFragmentShadingRateEnumNV(handle, state->shading_rate_enum, state->shading_rate_ops);
    if (state->write_enable_count)
        device->next.CmdSetColorWriteEnableEXT(handle, state->write_enable_count,
                                               state->arrays[VALUES_WRITE_ENABLES].values);
    if (state->vertex_input_set)
        device->next.CmdSetVertexInputEXT(handle, state->vertex_binding_count,
                                          state->arrays[VALUES_VERTEX_BINDINGS].values, state->vertex_attribute_count,
                                          state->arrays[VALUES_VERTEX_ATTRIBUTES].values);
}

void dynamic_state_restore(struct command *command)
{
    const struct device *device = command->device;
    const struct dynamic_state *state = command->dynamic;
    if (!state)
        return;
#define STATE(NAME, TYPE)                                                                                              \
    if (state->scalars & UINT64_C(1) << SCALAR_##NAME)                                                                 \
        device->next.CmdSet##NAME(command->handle, state->scalar_##NAME);
    SCALAR_STATES(STATE)
#undef STATE
    restore_indexed(device, command->handle, state);
    restore_depth(device, command->handle, state);
    restore_samples(device, command->handle, state);
    restore_stencil(device, command->handle, state);
    restore_others(device, command->handle, state);
    shading_rates_restore(command);
    vertex_buffers_restore(command); /* behind the vertex input, whose strides are older */
}
