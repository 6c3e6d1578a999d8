/* SPDX-License-Identifier: MIT */
/*
 * Dynamic state that the program sets (layer/recording/commands/dynamic_state.c), above a driver that notes what it
 * gets: after a draw of the layer's the driver is told all of it again, and nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "commands/dynamic_state.h"
#include "commands/command_buffer.h"
#include "sampling/format.h"
#include "objects/track.h"

#define COMMANDS HANDLE(VkCommandBuffer, &command)

enum { INDEX = 3, MANY = 1000 };

static uint32_t calls; /* that reached the driver */

/* ---- A driver that notes what it gets ---- */

#define STATE(NAME, TYPE)                                                                                              \
    static TYPE got_##NAME;                                                                                            \
    static VKAPI_ATTR void VKAPI_CALL take_##NAME(VkCommandBuffer commands, TYPE value)                                \
    {                                                                                                                  \
        (void)commands;                                                                                                \
        got_##NAME = value;                                                                                            \
        calls++;                                                                                                       \
    }
SCALAR_STATES(STATE)
#undef STATE

#define STATE(NAME, TYPE)                                                                                              \
    static TYPE got_##NAME[MANY + INDEX];                                                                              \
    static VKAPI_ATTR void VKAPI_CALL take_##NAME(VkCommandBuffer commands, uint32_t first, uint32_t count,            \
                                                  const TYPE *values)                                                  \
    {                                                                                                                  \
        (void)commands;                                                                                                \
        memcpy(got_##NAME + first, values, count * sizeof(*values));                                                   \
        calls++;                                                                                                       \
    }
INDEXED_STATES(STATE)
#undef STATE

enum { LOCATIONS, COVERAGES, VIEWPORTS, SCISSORS, WRITE_ENABLES, BINDINGS, ATTRIBUTES, MANY_ARRAYS };

static struct {
    VkDepthBiasInfoEXT bias;
    VkDepthBiasRepresentationInfoEXT representation;
    uint32_t plain_biases, locations;
    VkDepthClampRangeEXT range;
    VkDepthClampModeEXT clamp;
    VkSampleLocationEXT location[MANY];
    float coverages[MANY];
    VkViewport viewports[MANY];
    VkRect2D scissors[MANY];
    VkBool32 write_enables[MANY];
    VkVertexInputBindingDescription2EXT bindings[MANY];
    VkVertexInputAttributeDescription2EXT attributes[MANY];
    uint32_t counts[MANY_ARRAYS];
    VkFragmentShadingRateNV rate_enum;
    VkExtent2D rate;
} got;

static VKAPI_ATTR void VKAPI_CALL take_depth_bias(VkCommandBuffer commands, float constant, float clamp, float slope)
{
    (void)commands;
    got.bias = (VkDepthBiasInfoEXT){VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT, NULL, constant, clamp, slope};
    got.plain_biases++;
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_depth_bias2(VkCommandBuffer commands, const VkDepthBiasInfoEXT *info)
{
    (void)commands;
    got.bias = *info;
    memset(&got.representation, 0, sizeof(got.representation));
    if (info->pNext)
        got.representation = *(const VkDepthBiasRepresentationInfoEXT *)info->pNext;
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_clamp(VkCommandBuffer commands, VkDepthClampModeEXT mode,
                                             const VkDepthClampRangeEXT *range)
{
    (void)commands;
    got.clamp = mode;
    if (mode == VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT)
        got.range = *range;
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_locations(VkCommandBuffer commands, const VkSampleLocationsInfoEXT *info)
{
    (void)commands;
    memcpy(got.location, info->pSampleLocations, info->sampleLocationsCount * sizeof(*got.location));
    got.counts[LOCATIONS] = info->sampleLocationsCount;
    got.locations++;
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_coverages(VkCommandBuffer commands, uint32_t count, const float *values)
{
    (void)commands;
    memcpy(got.coverages, values, count * sizeof(*values));
    got.counts[COVERAGES] = count;
    calls++;
}

#define TAKE_COUNTED(NAME, TYPE, MEMBER, WHICH)                                                                        \
    static VKAPI_ATTR void VKAPI_CALL take_##MEMBER(VkCommandBuffer commands, uint32_t count, const TYPE *values)      \
    {                                                                                                                  \
        (void)commands;                                                                                                \
        memcpy(got.MEMBER, values, count * sizeof(*values));                                                           \
        got.counts[WHICH] = count;                                                                                     \
        calls++;                                                                                                       \
    }
TAKE_COUNTED(ViewportWithCount, VkViewport, viewports, VIEWPORTS)
TAKE_COUNTED(ScissorWithCount, VkRect2D, scissors, SCISSORS)
TAKE_COUNTED(ColorWriteEnableEXT, VkBool32, write_enables, WRITE_ENABLES)

static VKAPI_ATTR void VKAPI_CALL take_vertex_input(VkCommandBuffer commands, uint32_t binding_count,
                                                    const VkVertexInputBindingDescription2EXT *bindings,
                                                    uint32_t attribute_count,
                                                    const VkVertexInputAttributeDescription2EXT *attributes)
{
    (void)commands;
    memcpy(got.bindings, bindings, binding_count * sizeof(*bindings));
    if (attribute_count)
        memcpy(got.attributes, attributes, attribute_count * sizeof(*attributes));
    got.counts[BINDINGS] = binding_count;
    got.counts[ATTRIBUTES] = attribute_count;
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_rate(VkCommandBuffer commands, const VkExtent2D *rate,
                                            const VkFragmentShadingRateCombinerOpKHR ops[2])
{
    (void)commands, (void)ops;
    got.rate = *rate;
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_rate_enum(VkCommandBuffer commands, VkFragmentShadingRateNV rate,
                                                 const VkFragmentShadingRateCombinerOpKHR ops[2])
{
    (void)commands, (void)ops;
    got.rate_enum = rate;
    calls++;
}

/* What each face has, and what all share. */
static struct {
    uint32_t compare_masks[2], write_masks[2], references[2];
    VkStencilOp ops[2][3];
    VkCompareOp compares[2];
    float bounds[2], constants[4];
    VkSampleCountFlagBits samples;
    VkSampleMask masks[2];
    uint32_t factor;
    uint16_t pattern;
} plain;

#define TAKE_FACES(MEMBER)                                                                                             \
    static VKAPI_ATTR void VKAPI_CALL take_##MEMBER(VkCommandBuffer commands, VkStencilFaceFlags faces,                \
                                                    uint32_t value)                                                    \
    {                                                                                                                  \
        (void)commands;                                                                                                \
        for (uint32_t face = 0; face < 2; face++)                                                                      \
            if (faces & 1u << face)                                                                                    \
                plain.MEMBER[face] = value;                                                                            \
        calls++;                                                                                                       \
    }
TAKE_FACES(compare_masks)
TAKE_FACES(write_masks)
TAKE_FACES(references)

static VKAPI_ATTR void VKAPI_CALL take_ops(VkCommandBuffer commands, VkStencilFaceFlags faces, VkStencilOp fail,
                                           VkStencilOp pass, VkStencilOp depth_fail, VkCompareOp compare)
{
    (void)commands;
    for (uint32_t face = 0; face < 2; face++) {
        if (!(faces & 1u << face))
            continue;
        plain.ops[face][0] = fail, plain.ops[face][1] = pass, plain.ops[face][2] = depth_fail;
        plain.compares[face] = compare;
    }
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_bounds(VkCommandBuffer commands, float least, float most)
{
    (void)commands;
    plain.bounds[0] = least, plain.bounds[1] = most;
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_constants(VkCommandBuffer commands, const float constants[4])
{
    (void)commands;
    memcpy(plain.constants, constants, sizeof(plain.constants));
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_sample_mask(VkCommandBuffer commands, VkSampleCountFlagBits samples,
                                                   const VkSampleMask *masks)
{
    (void)commands;
    plain.samples = samples;
    memcpy(plain.masks, masks, (samples > VK_SAMPLE_COUNT_32_BIT ? 2 : 1) * sizeof(*masks));
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_stipple(VkCommandBuffer commands, uint32_t factor, uint16_t pattern)
{
    (void)commands;
    plain.factor = factor, plain.pattern = pattern;
    calls++;
}

/* What is bound by binding, and the stride that is set; UINT64_MAX: none. */
static struct vertices {
    VkBuffer buffer;
    VkDeviceSize offset, size, stride;
    VkDeviceAddress address;
} vertices[MANY];

static VKAPI_ATTR void VKAPI_CALL take_vertices(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                                const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    (void)commands;
    for (uint32_t i = 0; i < count; i++)
        vertices[first + i].buffer = buffers[i], vertices[first + i].offset = offsets[i];
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_vertices2(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                                 const VkBuffer *buffers, const VkDeviceSize *offsets,
                                                 const VkDeviceSize *sizes, const VkDeviceSize *strides)
{
    take_vertices(commands, first, count, buffers, offsets);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(!sizes || sizes[i] != VK_WHOLE_SIZE); /* which maintenance5 brought */
        vertices[first + i].size = sizes ? sizes[i] : VK_WHOLE_SIZE;
        vertices[first + i].stride = strides ? strides[i] : vertices[first + i].stride;
    }
}

static VKAPI_ATTR void VKAPI_CALL take_vertices3(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                                 const VkBindVertexBuffer3InfoKHR *infos)
{
    (void)commands;
    for (uint32_t i = 0; i < count; i++) {
        vertices[first + i].address = infos[i].addressRange.address;
        vertices[first + i].size = infos[i].addressRange.size;
        if (infos[i].setStride)
            vertices[first + i].stride = infos[i].addressRange.stride;
    }
    calls++;
}

/* ---- Shading rates ---- */

static struct {
    uint32_t entry_counts[MANY], order_count;
    VkShadingRatePaletteEntryNV entries[MANY][4];
    VkCoarseSampleOrderTypeNV type;
    VkCoarseSampleOrderCustomNV orders[2];
    VkCoarseSampleLocationNV locations[2][4];
} rates;

static VKAPI_ATTR void VKAPI_CALL take_palettes(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                                const VkShadingRatePaletteNV *palettes)
{
    (void)commands;
    for (uint32_t i = 0; i < count; i++) {
        rates.entry_counts[first + i] = palettes[i].shadingRatePaletteEntryCount;
        memcpy(rates.entries[first + i], palettes[i].pShadingRatePaletteEntries,
               palettes[i].shadingRatePaletteEntryCount * sizeof(**rates.entries));
    }
    calls++;
}

static VKAPI_ATTR void VKAPI_CALL take_order(VkCommandBuffer commands, VkCoarseSampleOrderTypeNV type, uint32_t count,
                                             const VkCoarseSampleOrderCustomNV *orders)
{
    (void)commands;
    rates.type = type;
    rates.order_count = count;
    for (uint32_t i = 0; i < count; i++) {
        rates.orders[i] = orders[i];
        memcpy(rates.locations[i], orders[i].pSampleLocations,
               orders[i].sampleLocationCount * sizeof(**rates.locations));
    }
    calls++;
}

static struct instance instance;
struct device device = {.instance = &instance,
                        .next =
                            {
#define STATE(NAME, TYPE) .CmdSet##NAME = take_##NAME,
                                SCALAR_STATES(STATE)
#undef STATE
#define STATE(NAME, TYPE) .CmdSet##NAME = take_##NAME,
                                    INDEXED_STATES(STATE)
#undef STATE
                                        .CmdSetDepthBias = take_depth_bias,
                                .CmdSetDepthBias2EXT = take_depth_bias2,
                                .CmdSetDepthClampRangeEXT = take_clamp,
                                .CmdSetSampleLocationsEXT = take_locations,
                                .CmdSetViewportWithCount = take_viewports,
                                .CmdSetScissorWithCount = take_scissors,
                                .CmdSetColorWriteEnableEXT = take_write_enables,
                                .CmdSetVertexInputEXT = take_vertex_input,
                                .CmdSetCoverageModulationTableNV = take_coverages,
                                .CmdSetStencilCompareMask = take_compare_masks,
                                .CmdSetStencilWriteMask = take_write_masks,
                                .CmdSetStencilReference = take_references,
                                .CmdSetStencilOp = take_ops,
                                .CmdSetDepthBounds = take_bounds,
                                .CmdSetBlendConstants = take_constants,
                                .CmdSetSampleMaskEXT = take_sample_mask,
                                .CmdSetLineStippleEXT = take_stipple,
                                .CmdSetFragmentShadingRateKHR = take_rate,
                                .CmdSetFragmentShadingRateEnumNV = take_rate_enum,
                                .CmdSetViewportShadingRatePaletteNV = take_palettes,
                                .CmdSetCoarseSampleOrderNV = take_order,
                                .CmdBindVertexBuffers = take_vertices,
                                .CmdBindVertexBuffers2 = take_vertices2,
                                .CmdBindVertexBuffers3KHR = take_vertices3,
                            },
                        .track = &track};
static struct command command = {.device = &device, .track = &track};

static int open_command(void **state)
{
    (void)state;
    atomic_store(&command.handle, COMMANDS);
    last_command = (struct last_command){COMMANDS, &command, atomic_load(&command_epoch)};
    command.dynamic = dynamic_state_create(&track);
    command.error = VK_SUCCESS;
    memset(&got, 0, sizeof(got));
    calls = 0;
    return command.dynamic ? 0 : -1;
}

static int close_command(void **state)
{
    (void)state;
    assert_int_equal(command.error, VK_SUCCESS);
    dynamic_state_delete(&track, command.dynamic);
    assert_int_equal(atomic_load(&track.counters.live_bytes), 0);
    return 0;
}

/* The driver forgets, and is told again: how many calls that takes. */
static uint32_t restored(void)
{
    memset(&got, 0, sizeof(got));
    calls = 0;
    dynamic_state_restore(&command);
    return calls;
}

/* ---- Tests ---- */

static void nothing_is_restored_that_was_not_set(void **state)
{
    (void)state;
    assert_int_equal(restored(), 0);
}

static void single_values_are_restored(void **state)
{
    (void)state;
#define STATE(NAME, TYPE)                                                                                              \
    hook_CmdSet##NAME(COMMANDS, (TYPE)(SCALAR_##NAME + 1));                                                            \
    assert_true(got_##NAME == (TYPE)(SCALAR_##NAME + 1));                                                              \
    got_##NAME = (TYPE)0;
    SCALAR_STATES(STATE)
#undef STATE
    assert_int_equal(calls, SCALARS);
    assert_int_equal(restored(), SCALARS);
#define STATE(NAME, TYPE) assert_true(got_##NAME == (TYPE)(SCALAR_##NAME + 1));
    SCALAR_STATES(STATE)
#undef STATE
}

static void values_of_viewports_and_rectangles_are_restored_one_by_one(void **state)
{
    (void)state;
#define STATE(NAME, TYPE)                                                                                              \
    do {                                                                                                               \
        TYPE values[2];                                                                                                \
        memset(values, 0x11, sizeof(values));                                                                          \
        hook_CmdSet##NAME(COMMANDS, INDEX, 2, values);                                                                 \
        assert_memory_equal(got_##NAME + INDEX, values, sizeof(values));                                               \
        memset(got_##NAME, 0, sizeof(got_##NAME));                                                                     \
        assert_int_equal(restored(), 2);                                                                               \
        assert_memory_equal(got_##NAME + INDEX, values, sizeof(values));                                               \
        dynamic_state_reset(command.dynamic);                                                                          \
    } while (0);
    INDEXED_STATES(STATE)
#undef STATE
}

/* Each face has values of its own; what was set of one alone is restored of it alone. */
static void values_of_faces_are_restored_face_by_face(void **state)
{
    (void)state;
    memset(&plain, 0, sizeof(plain));
    hook_CmdSetStencilCompareMask(COMMANDS, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
    hook_CmdSetStencilCompareMask(COMMANDS, VK_STENCIL_FACE_BACK_BIT, 2);
    hook_CmdSetStencilWriteMask(COMMANDS, VK_STENCIL_FACE_FRONT_BIT, 3);
    hook_CmdSetStencilReference(COMMANDS, VK_STENCIL_FACE_BACK_BIT, 4);
    hook_CmdSetStencilOp(COMMANDS, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_ZERO, VK_STENCIL_OP_REPLACE,
                         VK_STENCIL_OP_INVERT, VK_COMPARE_OP_LESS);
    hook_CmdSetStencilOp(COMMANDS, VK_STENCIL_FACE_BACK_BIT, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_INVERT,
                         VK_STENCIL_OP_ZERO, VK_COMPARE_OP_GREATER);
    assert_int_equal(calls, 6);
    for (int again = 0; again < 2; again++) { /* as the program said it, and as it is restored */
        const uint32_t masks[] = {1, 2}, writes[] = {3, 0}, references[] = {0, 4};
        const VkStencilOp ops[2][3] = {{VK_STENCIL_OP_ZERO, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_INVERT},
                                       {VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_INVERT, VK_STENCIL_OP_ZERO}};
        assert_memory_equal(plain.compare_masks, masks, sizeof(masks));
        assert_memory_equal(plain.write_masks, writes, sizeof(writes));
        assert_memory_equal(plain.references, references, sizeof(references));
        assert_memory_equal(plain.ops, ops, sizeof(ops));
        assert_int_equal(plain.compares[0], VK_COMPARE_OP_LESS);
        assert_int_equal(plain.compares[1], VK_COMPARE_OP_GREATER);
        memset(&plain, 0, sizeof(plain));
        assert_int_equal(restored(), 6);
    }
}

static void values_of_depth_blending_samples_and_lines_are_restored(void **state)
{
    (void)state;
    const float constants[4] = {1, 2, 3, 4};
    const VkSampleMask masks[2] = {5, 6};
    memset(&plain, 0, sizeof(plain));
    hook_CmdSetDepthBounds(COMMANDS, 0.25f, 0.75f);
    hook_CmdSetBlendConstants(COMMANDS, constants);
    hook_CmdSetSampleMaskEXT(COMMANDS, VK_SAMPLE_COUNT_64_BIT, masks);
    hook_CmdSetLineStippleEXT(COMMANDS, 7, 8);
    assert_int_equal(calls, 4);
    for (int again = 0; again < 2; again++) {
        assert_float_equal(plain.bounds[0], 0.25f, 0);
        assert_float_equal(plain.bounds[1], 0.75f, 0);
        assert_memory_equal(plain.constants, constants, sizeof(constants));
        assert_int_equal(plain.samples, VK_SAMPLE_COUNT_64_BIT);
        assert_memory_equal(plain.masks, masks, sizeof(masks));
        assert_int_equal(plain.factor, 7);
        assert_int_equal(plain.pattern, 8);
        memset(&plain, 0, sizeof(plain));
        assert_int_equal(restored(), 4);
    }
}

/* Both commands set one state: the last counts, with its representation. */
static void depth_bias_is_restored_as_it_was_set(void **state)
{
    (void)state;
    const VkDepthBiasRepresentationInfoEXT representation = {
        .sType = VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT,
        .depthBiasRepresentation = VK_DEPTH_BIAS_REPRESENTATION_FLOAT_EXT,
        .depthBiasExact = VK_TRUE};
    VkDepthBiasInfoEXT info = {VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT, &representation, 4, 5, 6};
    hook_CmdSetDepthBias(COMMANDS, 1, 2, 3);
    assert_int_equal(restored(), 1);
    assert_int_equal(got.plain_biases, 1);
    assert_float_equal(got.bias.depthBiasSlopeFactor, 3, 0);

    hook_CmdSetDepthBias2EXT(COMMANDS, &info);
    assert_int_equal(restored(), 1);
    assert_int_equal(got.plain_biases, 0);
    assert_float_equal(got.bias.depthBiasClamp, 5, 0);
    assert_int_equal(got.representation.depthBiasRepresentation, VK_DEPTH_BIAS_REPRESENTATION_FLOAT_EXT);
    assert_true(got.representation.depthBiasExact);

    info.pNext = NULL;
    hook_CmdSetDepthBias2EXT(COMMANDS, &info);
    assert_int_equal(restored(), 1);
    assert_null(got.bias.pNext);
}

static void sample_locations_and_coverage_are_restored(void **state)
{
    (void)state;
    VkSampleLocationEXT locations[2] = {{0.25f, 0.5f}, {0.75f, 0.125f}};
    const VkSampleLocationsInfoEXT info = {
        VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, NULL, VK_SAMPLE_COUNT_2_BIT, {1, 1}, 2, locations};
    const float coverages[2] = {0.5f, 1};
    hook_CmdSetSampleLocationsEXT(COMMANDS, &info);
    hook_CmdSetCoverageModulationTableNV(COMMANDS, 2, coverages);
    memset(locations, 0, sizeof(locations)); /* the program's own again */
    assert_int_equal(restored(), 2);
    assert_float_equal(got.location[1].x, 0.75f, 0);
    assert_float_equal(got.coverages[0], 0.5f, 0);
}

/* Numbers that only the device limits, and that no device has yet. */
static void any_number_of_values_is_restored(void **state)
{
    (void)state;
    static VkSampleLocationEXT locations[MANY];
    static float coverages[MANY];
    static VkViewport viewports[MANY];
    static VkRect2D scissors[MANY];
    static VkBool32 enables[MANY];
    static VkVertexInputBindingDescription2EXT bindings[MANY];
    static VkVertexInputAttributeDescription2EXT attributes[MANY];
    const VkSampleLocationsInfoEXT info = {
        VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, NULL, VK_SAMPLE_COUNT_64_BIT, {4, 4}, MANY, locations};
    for (uint32_t i = 0; i < MANY; i++) {
        locations[i].y = coverages[i] = viewports[i].width = (float)i;
        scissors[i].offset.x = (int32_t)i;
        enables[i] = i % 3 == 0;
        bindings[i].stride = attributes[i].offset = i;
    }
#define STATE(NAME, TYPE)                                                                                              \
    do {                                                                                                               \
        static TYPE values[MANY];                                                                                      \
        memset(values, 0x11, sizeof(values));                                                                          \
        hook_CmdSet##NAME(COMMANDS, INDEX, MANY, values);                                                              \
        memset(got_##NAME, 0, sizeof(got_##NAME));                                                                     \
        assert_int_equal(restored(), MANY);                                                                            \
        assert_memory_equal(got_##NAME + INDEX, values, sizeof(values));                                               \
        dynamic_state_reset(command.dynamic);                                                                          \
        assert_int_equal(restored(), 0);                                                                               \
    } while (0);
    INDEXED_STATES(STATE)
#undef STATE
    hook_CmdSetSampleLocationsEXT(COMMANDS, &info);
    hook_CmdSetCoverageModulationTableNV(COMMANDS, MANY, coverages);
    hook_CmdSetViewportWithCount(COMMANDS, MANY, viewports);
    hook_CmdSetScissorWithCount(COMMANDS, MANY, scissors);
    hook_CmdSetColorWriteEnableEXT(COMMANDS, MANY, enables);
    hook_CmdSetVertexInputEXT(COMMANDS, MANY, bindings, MANY, attributes);
    assert_int_equal(restored(), 6);
    for (unsigned i = 0; i < MANY_ARRAYS; i++)
        assert_int_equal(got.counts[i], MANY);
    assert_memory_equal(got.location, locations, sizeof(locations));
    assert_memory_equal(got.coverages, coverages, sizeof(coverages));
    assert_memory_equal(got.viewports, viewports, sizeof(viewports));
    assert_memory_equal(got.scissors, scissors, sizeof(scissors));
    assert_memory_equal(got.write_enables, enables, sizeof(enables));
    assert_memory_equal(got.bindings, bindings, sizeof(bindings));
    assert_memory_equal(got.attributes, attributes, sizeof(attributes));
}

static void depth_clamp_ranges_are_restored(void **state)
{
    (void)state;
    const VkDepthClampRangeEXT range = {0.25f, 0.5f};
    hook_CmdSetDepthClampRangeEXT(COMMANDS, VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT, &range);
    assert_int_equal(restored(), 1);
    assert_float_equal(got.range.maxDepthClamp, 0.5f, 0);
    hook_CmdSetDepthClampRangeEXT(COMMANDS, VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT, NULL);
    assert_int_equal(restored(), 1);
    assert_int_equal(got.clamp, VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT);
}

static void the_last_of_both_shading_rates_is_restored(void **state)
{
    (void)state;
    const VkFragmentShadingRateCombinerOpKHR ops[2] = {VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR};
    hook_CmdSetFragmentShadingRateKHR(COMMANDS, &(VkExtent2D){2, 1}, ops);
    hook_CmdSetFragmentShadingRateEnumNV(COMMANDS, VK_FRAGMENT_SHADING_RATE_2_INVOCATIONS_PER_PIXEL_NV, ops);
    assert_int_equal(restored(), 1);
    assert_int_equal(got.rate_enum, VK_FRAGMENT_SHADING_RATE_2_INVOCATIONS_PER_PIXEL_NV);
    hook_CmdSetFragmentShadingRateKHR(COMMANDS, &(VkExtent2D){2, 1}, ops);
    assert_int_equal(restored(), 1);
    assert_int_equal(got.rate.width, 2);
}

/* ---- Strides of vertex buffers ---- */

static void bind_vertices(uint32_t binding, uint64_t buffer, VkDeviceSize size, VkDeviceSize stride)
{
    const VkBuffer handle = HANDLE(VkBuffer, buffer);
    const VkDeviceSize offset = buffer * 16;
    hook_CmdBindVertexBuffers2(COMMANDS, binding, 1, &handle, &offset, size ? &size : NULL, stride ? &stride : NULL);
}

static void expect_vertices(uint32_t binding, uint64_t buffer, VkDeviceSize size, VkDeviceSize stride)
{
    assert_ptr_equal(vertices[binding].buffer, HANDLE(VkBuffer, buffer));
    assert_int_equal(vertices[binding].offset, buffer * 16);
    assert_int_equal(vertices[binding].size, size ? size : VK_WHOLE_SIZE);
    assert_int_equal(vertices[binding].stride, stride);
}

static uint32_t restored_vertices(void)
{
    memset(vertices, 0, sizeof(vertices));
    return restored();
}

/* Those that have one; buffers alone no pipeline disturbs. */
static void strides_are_bound_again_with_their_buffers(void **state)
{
    (void)state;
    const VkBuffer other = HANDLE(VkBuffer, 9);
    const VkDeviceSize offset = 144;
    bind_vertices(0, 1, 0, 0);
    bind_vertices(2, 2, 0, 8);
    bind_vertices(5, 3, 64, 12);
    assert_int_equal(restored_vertices(), 2);
    expect_vertices(2, 2, 0, 8);
    expect_vertices(5, 3, 64, 12);
    hook_CmdBindVertexBuffers(COMMANDS, 5, 1, &other, &offset); /* keeps the stride */
    bind_vertices(2, 4, 32, 0);                                 /* likewise */
    assert_int_equal(restored_vertices(), 2);
    expect_vertices(2, 4, 32, 8);
    expect_vertices(5, 9, 0, 12);
    dynamic_state_reset(command.dynamic);
    assert_int_equal(restored_vertices(), 0);
    hook_CmdBindVertexBuffers(COMMANDS, 5, 1, &other, &offset); /* which has none in this recording */
    assert_int_equal(restored_vertices(), 0);
}

static void strides_by_address_are_bound_again(void **state)
{
    (void)state;
    static const VkBaseInStructure more = {.sType = VK_STRUCTURE_TYPE_MAX_ENUM};
    VkBindVertexBuffer3InfoKHR infos[2] = {{.pNext = &more, .setStride = VK_TRUE, .addressRange = {4096, 256, 20}},
                                           {.addressRange = {8192, 128, 0}}};
    bind_vertices(2, 1, 0, 8);
    hook_CmdBindVertexBuffers3KHR(COMMANDS, 1, 2, infos);
    assert_int_equal(restored_vertices(), 2);
    assert_int_equal(vertices[1].address, 4096);
    assert_int_equal(vertices[1].size, 256);
    assert_int_equal(vertices[1].stride, 20);
    assert_int_equal(vertices[2].address, 8192);
    assert_int_equal(vertices[2].stride, 8);
    bind_vertices(1, 3, 0, 0);
    assert_int_equal(restored_vertices(), 2);
    expect_vertices(1, 3, 0, 20);
}

/* vkCmdSetVertexInputEXT sets them all; what is bound behind it comes behind it again. */
static void strides_that_vertex_input_took_the_place_of_stay_away(void **state)
{
    (void)state;
    const VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, .stride = 24};
    bind_vertices(0, 1, 0, 8);
    bind_vertices(1, 2, 0, 8);
    hook_CmdSetVertexInputEXT(COMMANDS, 1, &binding, 0, NULL);
    assert_int_equal(restored_vertices(), 1);
    assert_int_equal(got.bindings[0].stride, 24);
    bind_vertices(1, 2, 0, 16);
    assert_int_equal(restored_vertices(), 2);
    expect_vertices(1, 2, 0, 16);
}

static void any_number_of_strides_is_bound_again(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MANY; i++)
        bind_vertices(i, i + 1, 0, i + 1);
    assert_int_equal(restored_vertices(), MANY);
    for (uint32_t i = 0; i < MANY; i++)
        expect_vertices(i, i + 1, 0, i + 1);
}

static void set_palette(uint32_t viewport, uint32_t count, unsigned entry)
{
    VkShadingRatePaletteEntryNV entries[4];
    const VkShadingRatePaletteNV palette = {count, entries};
    for (uint32_t i = 0; i < count; i++)
        entries[i] = (VkShadingRatePaletteEntryNV)((entry + i) % 12);
    hook_CmdSetViewportShadingRatePaletteNV(COMMANDS, viewport, 1, &palette);
    memset(entries, 0xff, sizeof(entries)); /* the program's own again */
}

static void expect_palette(uint32_t viewport, uint32_t count, unsigned entry)
{
    assert_int_equal(rates.entry_counts[viewport], count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(rates.entries[viewport][i], (entry + i) % 12);
}

static uint32_t restored_rates(void)
{
    memset(&rates, 0, sizeof(rates));
    return restored();
}

static void palettes_of_shading_rates_are_restored(void **state)
{
    (void)state;
    for (int recording = 0; recording < 2; recording++) {
        set_palette(3, 2, 5);
        set_palette(0, 1, 7);
        assert_int_equal(restored_rates(), 2);
        expect_palette(3, 2, 5);
        expect_palette(0, 1, 7);
        set_palette(3, 4, 1); /* longer: it moves */
        set_palette(0, 1, 2);
        set_palette(3, 3, 6); /* and stays where it is */
        assert_int_equal(restored_rates(), 2);
        expect_palette(3, 3, 6);
        expect_palette(0, 1, 2);
        for (uint32_t i = 0; i < MANY; i++)
            set_palette(i, 1 + i % 4, i);
        const uint32_t taken = command.dynamic->palette_entries;
        for (uint32_t i = 0; i < MANY; i++)
            set_palette(i, 1 + i % 4, i + 1);
        assert_int_equal(command.dynamic->palette_entries, taken); /* again and again they take no more */
        assert_int_equal(restored_rates(), MANY);
        for (uint32_t i = 0; i < MANY; i++)
            expect_palette(i, 1 + i % 4, i + 1);
        dynamic_state_reset(command.dynamic);
        assert_int_equal(restored_rates(), 0);
    }
}

static void orders_of_coarse_samples_are_restored(void **state)
{
    (void)state;
    VkCoarseSampleLocationNV locations[2][4] = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}, {13, 14, 15}}};
    VkCoarseSampleOrderCustomNV orders[2] = {
        {VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X1_PIXELS_NV, 1, 2, locations[0]},
        {VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_1X2_PIXELS_NV, 2, 3, locations[1]}};
    hook_CmdSetCoarseSampleOrderNV(COMMANDS, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, 2, orders);
    memset(locations, 0, sizeof(locations));
    memset(orders, 0, sizeof(orders));
    assert_int_equal(restored_rates(), 1);
    assert_int_equal(rates.type, VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV);
    assert_int_equal(rates.order_count, 2);
    assert_int_equal(rates.orders[1].shadingRate, VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_1X2_PIXELS_NV);
    assert_int_equal(rates.orders[0].sampleLocationCount, 2);
    assert_int_equal(rates.locations[0][1].sample, 6);
    assert_int_equal(rates.locations[1][2].pixelX, 13);
    hook_CmdSetCoarseSampleOrderNV(COMMANDS, VK_COARSE_SAMPLE_ORDER_TYPE_PIXEL_MAJOR_NV, 0, NULL);
    assert_int_equal(restored_rates(), 1);
    assert_int_equal(rates.type, VK_COARSE_SAMPLE_ORDER_TYPE_PIXEL_MAJOR_NV);
    assert_int_equal(rates.order_count, 0);
    dynamic_state_reset(command.dynamic);
    assert_int_equal(restored_rates(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_restored_that_was_not_set, open_command, close_command),
        cmocka_unit_test_setup_teardown(single_values_are_restored, open_command, close_command),
        cmocka_unit_test_setup_teardown(values_of_viewports_and_rectangles_are_restored_one_by_one, open_command,
                                        close_command),
        cmocka_unit_test_setup_teardown(values_of_faces_are_restored_face_by_face, open_command, close_command),
        cmocka_unit_test_setup_teardown(values_of_depth_blending_samples_and_lines_are_restored, open_command,
                                        close_command),
        cmocka_unit_test_setup_teardown(depth_bias_is_restored_as_it_was_set, open_command, close_command),
        cmocka_unit_test_setup_teardown(sample_locations_and_coverage_are_restored, open_command, close_command),
        cmocka_unit_test_setup_teardown(any_number_of_values_is_restored, open_command, close_command),
        cmocka_unit_test_setup_teardown(depth_clamp_ranges_are_restored, open_command, close_command),
        cmocka_unit_test_setup_teardown(the_last_of_both_shading_rates_is_restored, open_command, close_command),
        cmocka_unit_test_setup_teardown(strides_are_bound_again_with_their_buffers, open_command, close_command),
        cmocka_unit_test_setup_teardown(strides_by_address_are_bound_again, open_command, close_command),
        cmocka_unit_test_setup_teardown(strides_that_vertex_input_took_the_place_of_stay_away, open_command,
                                        close_command),
        cmocka_unit_test_setup_teardown(any_number_of_strides_is_bound_again, open_command, close_command),
        cmocka_unit_test_setup_teardown(palettes_of_shading_rates_are_restored, open_command, close_command),
        cmocka_unit_test_setup_teardown(orders_of_coarse_samples_are_restored, open_command, close_command),
    };
    return cmocka_run_group_tests_name("track_dynamic", tests, NULL, NULL);
}
