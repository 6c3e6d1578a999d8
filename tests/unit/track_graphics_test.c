/* SPDX-License-Identifier: MIT */
/*
 * What the layer reads of a VkGraphicsPipelineCreateInfo (layer/pipelines/pipelines/graphics_state.c): every pointer
 * that Vulkan ignores leads nowhere here, and what is left is copied deeply, as saved create-infos are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "pipelines/graphics_state.h"
#include "attachments/render_pass.h"
#include "objects/track.h"
#include "track/subsystems.h"
#include "vulkan_copy.h"

#define HANDLE(TYPE, NUMBER) ((TYPE)(uintptr_t)(NUMBER))
#define NOWHERE ((const void *)(uintptr_t)0x10)
#define TYPED(NAME) .sType = VK_STRUCTURE_TYPE_##NAME

enum { PASS = 7, STATES = 16 };

static struct device device;
static struct subsystems subsystems;
static struct track track = {.device = &device, SUBSYSTEMS_OF(subsystems)};

/* A complete pipeline for one colour attachment, with dynamic rendering. It points within itself. */
struct parts {
    VkFormat format;
    VkPipelineRenderingCreateInfo rendering;
    VkPipelineShaderStageCreateInfo stages[2];
    VkPipelineVertexInputStateCreateInfo input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkViewport viewport;
    VkRect2D scissor;
    VkPipelineViewportStateCreateInfo viewports;
    VkPipelineRasterizationStateCreateInfo raster;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineColorBlendAttachmentState attachment;
    VkPipelineColorBlendStateCreateInfo blend;
    VkDynamicState dynamic[STATES];
    VkPipelineDynamicStateCreateInfo dynamics;
    VkGraphicsPipelineCreateInfo info;
};

static void fill(struct parts *p)
{
    *p = (struct parts){.format = VK_FORMAT_R8G8B8A8_UNORM};
    p->rendering = (VkPipelineRenderingCreateInfo){TYPED(PIPELINE_RENDERING_CREATE_INFO), .colorAttachmentCount = 1,
                                                   .pColorAttachmentFormats = &p->format};
    for (uint32_t i = 0; i < 2; i++)
        p->stages[i] = (VkPipelineShaderStageCreateInfo){
            TYPED(PIPELINE_SHADER_STAGE_CREATE_INFO),
            .stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT, .pName = "main"};
    p->input = (VkPipelineVertexInputStateCreateInfo){TYPED(PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO)};
    p->assembly = (VkPipelineInputAssemblyStateCreateInfo){TYPED(PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO)};
    p->viewports =
        (VkPipelineViewportStateCreateInfo){TYPED(PIPELINE_VIEWPORT_STATE_CREATE_INFO), .viewportCount = 1,
                                            .pViewports = &p->viewport, .scissorCount = 1, .pScissors = &p->scissor};
    p->raster = (VkPipelineRasterizationStateCreateInfo){TYPED(PIPELINE_RASTERIZATION_STATE_CREATE_INFO)};
    p->samples = (VkPipelineMultisampleStateCreateInfo){TYPED(PIPELINE_MULTISAMPLE_STATE_CREATE_INFO),
                                                        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    p->blend = (VkPipelineColorBlendStateCreateInfo){TYPED(PIPELINE_COLOR_BLEND_STATE_CREATE_INFO),
                                                     .attachmentCount = 1, .pAttachments = &p->attachment};
    p->dynamics =
        (VkPipelineDynamicStateCreateInfo){TYPED(PIPELINE_DYNAMIC_STATE_CREATE_INFO), .pDynamicStates = p->dynamic};
    p->info = (VkGraphicsPipelineCreateInfo){TYPED(GRAPHICS_PIPELINE_CREATE_INFO),
                                             .pNext = &p->rendering,
                                             .stageCount = 2,
                                             .pStages = p->stages,
                                             .pVertexInputState = &p->input,
                                             .pInputAssemblyState = &p->assembly,
                                             .pTessellationState = NOWHERE,
                                             .pViewportState = &p->viewports,
                                             .pRasterizationState = &p->raster,
                                             .pMultisampleState = &p->samples,
                                             .pDepthStencilState = NOWHERE,
                                             .pColorBlendState = &p->blend,
                                             .pDynamicState = &p->dynamics,
                                             .layout = HANDLE(VkPipelineLayout, 5)};
}

static void make_dynamic(struct parts *p, VkDynamicState state)
{
    p->dynamic[p->dynamics.dynamicStateCount++] = state;
}

/* A deep copy of what is left, to free(); *state is closed by the caller. */
static VkGraphicsPipelineCreateInfo *copied(const struct parts *p, struct graphics_state *state)
{
    enum copy_result result;
    assert_true(graphics_state_open(&track, &p->info, state));
    VkGraphicsPipelineCreateInfo *copy = copy_VkGraphicsPipelineCreateInfo(&state->info, &result);
    assert_int_equal(result, COPY_OK);
    assert_non_null(copy);
    return copy;
}

static void expect_copied(const struct parts *p)
{
    struct graphics_state state;
    free(copied(p, &state));
    graphics_state_close(&state);
}

/* A pass of one subpass in the table; remove_pass takes it out. */
static struct render_pass *add_pass(bool color, bool depth)
{
    static struct pass_attachment attachment = {.format = VK_FORMAT_R8G8B8A8_UNORM};
    struct render_pass *pass = calloc(1, sizeof(*pass) + sizeof(pass->subpasses[0]));
    assert_non_null(pass);
    pass->subpass_count = 1;
    pass->attachment_count = 1;
    pass->attachments = &attachment;
    pass->subpasses[0] = (struct subpass_facts){.color = color, .depth = depth, .color_count = 1};
    assert_true(table_init(&subsystems.attachments.render_passes));
    assert_true(table_insert(&subsystems.attachments.render_passes, PASS, pass));
    return pass;
}

static void remove_pass(struct render_pass *pass)
{
    table_finish(&subsystems.attachments.render_passes);
    free(pass);
}

/* ---- Tests ---- */

static void what_counts_is_left(void **state)
{
    (void)state;
    struct parts p;
    struct graphics_state read;
    const VkPipelineTessellationStateCreateInfo tessellation = {TYPED(PIPELINE_TESSELLATION_STATE_CREATE_INFO),
                                                                .patchControlPoints = 3};
    const VkPipelineDepthStencilStateCreateInfo depth = {TYPED(PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO),
                                                         .depthTestEnable = VK_TRUE};
    const VkSampleMask mask = 0x55;
    fill(&p);
    p.stages[1].stage = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    p.info.pTessellationState = &tessellation;
    p.info.pDepthStencilState = &depth;
    p.rendering.depthAttachmentFormat = VK_FORMAT_D32_SFLOAT;
    p.samples.pSampleMask = &mask;
    VkGraphicsPipelineCreateInfo *copy = copied(&p, &read);
    const VkPipelineRenderingCreateInfo *rendering = copy->pNext;
    assert_int_equal(copy->stageCount, 2);
    assert_non_null(copy->pVertexInputState);
    assert_non_null(copy->pInputAssemblyState);
    assert_int_equal(copy->pTessellationState->patchControlPoints, 3);
    assert_non_null(copy->pViewportState->pViewports);
    assert_non_null(copy->pViewportState->pScissors);
    assert_int_equal(copy->pMultisampleState->pSampleMask[0], 0x55);
    assert_true(copy->pDepthStencilState->depthTestEnable);
    assert_int_equal(copy->pColorBlendState->attachmentCount, 1);
    assert_int_equal(rendering->pColorAttachmentFormats[0], VK_FORMAT_R8G8B8A8_UNORM);
    assert_int_equal(rendering->depthAttachmentFormat, VK_FORMAT_D32_SFLOAT);
    assert_true(read.output && read.color && read.depth && !read.linked);
    assert_int_equal(read.format_count, 1);
    assert_int_equal(read.formats[0], VK_FORMAT_R8G8B8A8_UNORM);
    free(copy);
    graphics_state_close(&read);
}

static void formats_beside_a_render_pass_are_ignored(void **state)
{
    (void)state;
    struct parts p;
    struct graphics_state read;
    const VkAttachmentSampleCountInfoAMD counts = {TYPED(ATTACHMENT_SAMPLE_COUNT_INFO_AMD), .colorAttachmentCount = 3,
                                                   .pColorAttachmentSamples = NOWHERE};
    fill(&p);
    struct render_pass *pass = add_pass(true, false);
    p.info.renderPass = HANDLE(VkRenderPass, PASS);
    p.rendering.pNext = &counts;
    p.rendering.viewMask = 3;
    p.rendering.pColorAttachmentFormats = NOWHERE;
    VkGraphicsPipelineCreateInfo *copy = copied(&p, &read);
    const VkPipelineRenderingCreateInfo *rendering = copy->pNext;
    assert_int_equal(rendering->colorAttachmentCount, 0);
    assert_null(rendering->pColorAttachmentFormats);
    assert_ptr_equal(read.pass, pass);
    assert_int_equal(read.formats[0], VK_FORMAT_R8G8B8A8_UNORM); /* the pass's */
    assert_non_null(copy->pColorBlendState);
    assert_null(copy->pDepthStencilState);
    assert_int_equal(p.rendering.colorAttachmentCount, 1); /* the program's own is as it was */
    free(copy);
    graphics_state_close(&read);
    remove_pass(pass);
}

static void attachments_that_are_not_used_have_no_state(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const VkPipelineDepthStencilStateCreateInfo depth = {TYPED(PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO)};
        struct parts p;
        struct graphics_state read;
        fill(&p);
        struct render_pass *pass = add_pass(i & 1, i & 2);
        p.info.renderPass = HANDLE(VkRenderPass, PASS);
        p.info.pColorBlendState = i & 1 ? &p.blend : NOWHERE;
        p.info.pDepthStencilState = i & 2 ? &depth : NOWHERE;
        VkGraphicsPipelineCreateInfo *copy = copied(&p, &read);
        assert_int_equal(copy->pColorBlendState != NULL, i & 1);
        assert_int_equal(copy->pDepthStencilState != NULL, i >> 1);
        free(copy);
        graphics_state_close(&read);
        remove_pass(pass);
    }
    struct parts p;
    fill(&p);
    p.format = VK_FORMAT_UNDEFINED;
    p.info.pColorBlendState = NOWHERE;
    expect_copied(&p);
    p.info.pNext = NULL; /* no formats at all */
    expect_copied(&p);
}

static void rasterizer_discard_ignores_what_fragments_have(void **state)
{
    (void)state;
    struct parts p;
    struct graphics_state read;
    fill(&p);
    p.raster.rasterizerDiscardEnable = VK_TRUE;
    p.rendering.viewMask = 5;
    p.rendering.pColorAttachmentFormats = NOWHERE;
    p.info.pViewportState = NOWHERE;
    p.info.pMultisampleState = NOWHERE;
    p.info.pColorBlendState = NOWHERE;
    VkGraphicsPipelineCreateInfo *copy = copied(&p, &read);
    assert_int_equal(((const VkPipelineRenderingCreateInfo *)copy->pNext)->viewMask, 5);
    assert_false(read.output);
    assert_int_equal(read.format_count, 0);
    free(copy);
    graphics_state_close(&read);

    fill(&p);
    p.raster.rasterizerDiscardEnable = VK_TRUE; /* without meaning where it is dynamic */
    make_dynamic(&p, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
    copy = copied(&p, &read);
    assert_true(read.output);
    assert_non_null(copy->pColorBlendState);
    assert_non_null(copy->pViewportState);
    free(copy);
    graphics_state_close(&read);
}

static void mesh_shaders_take_no_vertex_input(void **state)
{
    (void)state;
    static const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_MESH_BIT_NV,
                                                   VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI};
    for (unsigned i = 0; i < 2; i++) {
        struct parts p;
        fill(&p);
        p.stages[0].stage = stages[i];
        p.info.pVertexInputState = NOWHERE;
        p.info.pInputAssemblyState = NOWHERE;
        expect_copied(&p);
    }
}

static void dynamic_state_is_ignored(void **state)
{
    (void)state;
    static const VkDynamicState all[] = {
        VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,       VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
        VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,     VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
        VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
        VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,   VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT,
        VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV,   VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV,
        VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV,  VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV,
        VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV,    VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV,
        VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT,
    };
    const VkPipelineViewportDepthClampControlCreateInfoEXT clamp = {
        TYPED(PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT),
        .depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT, .pDepthClampRange = NOWHERE};
    const VkPipelineViewportCoarseSampleOrderStateCreateInfoNV order = {
        TYPED(PIPELINE_VIEWPORT_COARSE_SAMPLE_ORDER_STATE_CREATE_INFO_NV), .pNext = &clamp,
        .sampleOrderType = VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV, .customSampleOrderCount = 1,
        .pCustomSampleOrders = NOWHERE};
    const VkPipelineViewportSwizzleStateCreateInfoNV swizzles = {TYPED(PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV),
                                                                 .pNext = &order, .viewportCount = 1,
                                                                 .pViewportSwizzles = NOWHERE};
    const VkPipelineViewportExclusiveScissorStateCreateInfoNV exclusive = {
        TYPED(PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV), .pNext = &swizzles, .exclusiveScissorCount = 1,
        .pExclusiveScissors = NOWHERE};
    const VkPipelineViewportShadingRateImageStateCreateInfoNV rates = {
        TYPED(PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV), .pNext = &exclusive,
        .shadingRateImageEnable = VK_TRUE, .viewportCount = 1, .pShadingRatePalettes = NOWHERE};
    const VkPipelineViewportWScalingStateCreateInfoNV scaling = {
        TYPED(PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV), .pNext = &rates, .viewportWScalingEnable = VK_TRUE,
        .viewportCount = 1, .pViewportWScalings = NOWHERE};
    const VkPipelineCoverageModulationStateCreateInfoNV modulation = {
        TYPED(PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV), .coverageModulationTableEnable = VK_TRUE,
        .coverageModulationTableCount = 1, .pCoverageModulationTable = NOWHERE};
    const VkPipelineDiscardRectangleStateCreateInfoEXT rectangles = {
        TYPED(PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT), .discardRectangleCount = 2,
        .pDiscardRectangles = NOWHERE};
    _Static_assert(sizeof(all) / sizeof(all[0]) <= STATES, "room");
    struct parts p;
    struct graphics_state read;
    fill(&p);
    for (uint32_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        make_dynamic(&p, all[i]);
    p.rendering.pNext = &rectangles;
    p.viewports.pNext = &scaling;
    p.viewports.pViewports = NOWHERE;
    p.viewports.pScissors = NOWHERE;
    p.samples.pNext = &modulation;
    p.samples.pSampleMask = NOWHERE;
    p.blend.pAttachments = NOWHERE;
    p.info.pVertexInputState = NOWHERE;
    VkGraphicsPipelineCreateInfo *copy = copied(&p, &read);
    const VkPipelineRenderingCreateInfo *rendering = copy->pNext;
    const VkPipelineDiscardRectangleStateCreateInfoEXT *kept = rendering->pNext;
    assert_int_equal(kept->discardRectangleCount, 2); /* counts are static */
    assert_int_equal(copy->pViewportState->viewportCount, 1);
    assert_null(copy->pMultisampleState->pSampleMask);
    free(copy);
    graphics_state_close(&read);
}

static void what_is_switched_off_is_ignored(void **state)
{
    (void)state;
    const VkPipelineCoverageModulationStateCreateInfoNV modulation = {
        TYPED(PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV), .coverageModulationTableCount = 1,
        .pCoverageModulationTable = NOWHERE};
    const VkPipelineSampleLocationsStateCreateInfoEXT locations = {
        TYPED(PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT), .pNext = &modulation,
        .sampleLocationsInfo = {TYPED(SAMPLE_LOCATIONS_INFO_EXT), .sampleLocationsCount = 4,
                                .pSampleLocations = NOWHERE}};
    struct parts p;
    fill(&p);
    p.samples.pNext = &locations;
    expect_copied(&p);

    const VkSampleLocationEXT location = {0.25f, 0.75f};
    VkPipelineSampleLocationsStateCreateInfoEXT read_locations = locations;
    read_locations.pNext = NULL;
    read_locations.sampleLocationsInfo.sampleLocationsCount = 1;
    read_locations.sampleLocationsInfo.pSampleLocations = &location;
    p.samples.pNext = &read_locations;
    make_dynamic(&p, VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT); /* they may be switched on */
    struct graphics_state read;
    VkGraphicsPipelineCreateInfo *copy = copied(&p, &read);
    const VkPipelineSampleLocationsStateCreateInfoEXT *kept = copy->pMultisampleState->pNext;
    assert_float_equal(kept->sampleLocationsInfo.pSampleLocations[0].y, 0.75f, 0);
    free(copy);
    graphics_state_close(&read);
}

static void clamp_ranges_count_where_the_mode_asks_for_them(void **state)
{
    (void)state;
    const VkDepthClampRangeEXT range = {0.25f, 0.75f};
    VkPipelineViewportDepthClampControlCreateInfoEXT clamp = {
        TYPED(PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT),
        .depthClampMode = VK_DEPTH_CLAMP_MODE_VIEWPORT_RANGE_EXT, .pDepthClampRange = NOWHERE};
    struct parts p;
    struct graphics_state read;
    fill(&p);
    p.viewports.pNext = &clamp;
    expect_copied(&p);

    clamp.depthClampMode = VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT;
    clamp.pDepthClampRange = &range;
    VkGraphicsPipelineCreateInfo *copy = copied(&p, &read);
    const VkPipelineViewportDepthClampControlCreateInfoEXT *kept = copy->pViewportState->pNext;
    assert_float_equal(kept->pDepthClampRange->maxDepthClamp, 0.75f, 0);
    free(copy);
    graphics_state_close(&read);
}

/* Three dynamic states leave the attachments the operations of VK_EXT_blend_operation_advanced. */
static void attachments_with_advanced_operations_count(void **state)
{
    (void)state;
    struct parts p;
    struct graphics_state read;
    fill(&p);
    p.attachment.colorBlendOp = VK_BLEND_OP_MULTIPLY_EXT;
    make_dynamic(&p, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT);
    make_dynamic(&p, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT);
    make_dynamic(&p, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT);
    device.caps.coherent_advanced_blend = true;
    VkGraphicsPipelineCreateInfo *copy = copied(&p, &read);
    assert_int_equal(copy->pColorBlendState->pAttachments[0].colorBlendOp, VK_BLEND_OP_MULTIPLY_EXT);
    free(copy);
    graphics_state_close(&read);

    p.blend.pAttachments = NOWHERE;
    make_dynamic(&p, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT);
    expect_copied(&p);
    device.caps.coherent_advanced_blend = false;
    p.dynamics.dynamicStateCount--;
    expect_copied(&p);
}

/* Libraries: what belongs to parts that a create-info does not describe. */
static void other_parts_of_libraries_are_ignored(void **state)
{
    (void)state;
    static const struct {
        VkGraphicsPipelineLibraryFlagsEXT part;
        bool stages, input, viewports, raster, samples, depth, blend;
    } cases[] = {
        {VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, .input = true},
        {VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT, .stages = true, .viewports = true,
         .raster = true},
        {VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT, .stages = true, .samples = true, .depth = true},
        {VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT, .samples = true, .blend = true},
        {0},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkPipelineDepthStencilStateCreateInfo depth = {TYPED(PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO)};
        struct parts p;
        struct graphics_state read;
        fill(&p);
        const VkGraphicsPipelineLibraryCreateInfoEXT library = {TYPED(GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT),
                                                                .pNext = &p.rendering, .flags = cases[i].part};
        p.info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
        p.info.pNext = cases[i].part ? (const void *)&library : &p.rendering;
        p.info.pStages = cases[i].stages ? p.stages : NOWHERE;
        p.info.pVertexInputState = cases[i].input ? &p.input : NOWHERE;
        p.info.pInputAssemblyState = cases[i].input ? &p.assembly : NOWHERE;
        p.info.pViewportState = cases[i].viewports ? &p.viewports : NOWHERE;
        p.info.pRasterizationState = cases[i].raster ? &p.raster : NOWHERE;
        p.info.pMultisampleState = cases[i].samples ? &p.samples : NOWHERE;
        p.info.pDepthStencilState = cases[i].depth ? &depth : NOWHERE;
        p.info.pColorBlendState = cases[i].blend ? &p.blend : NOWHERE;
        if (!cases[i].blend)
            p.rendering.pColorAttachmentFormats = NOWHERE;
        VkGraphicsPipelineCreateInfo *copy = copied(&p, &read);
        assert_int_equal(copy->pStages != NULL, cases[i].stages);
        assert_int_equal(copy->layout != VK_NULL_HANDLE, cases[i].stages);
        assert_int_equal(copy->pVertexInputState != NULL, cases[i].input);
        assert_int_equal(copy->pViewportState != NULL, cases[i].viewports);
        assert_int_equal(copy->pRasterizationState != NULL, cases[i].raster);
        assert_int_equal(copy->pMultisampleState != NULL, cases[i].samples);
        assert_int_equal(copy->pDepthStencilState != NULL, cases[i].depth);
        assert_int_equal(copy->pColorBlendState != NULL, cases[i].blend);
        assert_int_equal(read.output, cases[i].blend);
        free(copy);
        graphics_state_close(&read);
    }
}

static void linked_pipelines_describe_nothing_themselves(void **state)
{
    (void)state;
    const VkPipeline parts[] = {HANDLE(VkPipeline, 1)};
    const VkPipelineLibraryCreateInfoKHR libraries = {TYPED(PIPELINE_LIBRARY_CREATE_INFO_KHR), .libraryCount = 1,
                                                      .pLibraries = parts};
    struct graphics_state read;
    struct parts p = {.info = {TYPED(GRAPHICS_PIPELINE_CREATE_INFO), .pNext = &libraries, .stageCount = 2,
                               .pStages = NOWHERE, .pVertexInputState = NOWHERE, .pInputAssemblyState = NOWHERE,
                               .pTessellationState = NOWHERE, .pViewportState = NOWHERE, .pRasterizationState = NOWHERE,
                               .pMultisampleState = NOWHERE, .pDepthStencilState = NOWHERE, .pColorBlendState = NOWHERE,
                               .layout = HANDLE(VkPipelineLayout, 5)}};
    free(copied(&p, &read));
    assert_true(read.linked);
    assert_int_equal(read.info.stageCount, 0);
    assert_non_null(read.info.layout);
    graphics_state_close(&read);
}

/* Nothing is written to structures behind one that the layer does not know: they stay the program's. */
static void chains_behind_unknown_structures_stay(void **state)
{
    (void)state;
    struct parts p;
    struct graphics_state read;
    fill(&p);
    struct render_pass *pass = add_pass(true, false);
    const VkBaseInStructure unknown = {.sType = (VkStructureType)0x7ffffff0, .pNext = (const void *)&p.rendering};
    p.info.pNext = &unknown;
    p.info.renderPass = HANDLE(VkRenderPass, PASS);
    p.rendering.pColorAttachmentFormats = NOWHERE;
    assert_true(graphics_state_open(&track, &p.info, &read));
    enum copy_result result;
    assert_null(copy_VkGraphicsPipelineCreateInfo(&read.info, &result));
    assert_int_equal(result, COPY_UNKNOWN_STRUCTURE);
    assert_int_equal(p.rendering.colorAttachmentCount, 1);
    graphics_state_close(&read);
    remove_pass(pass);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_counts_is_left),
        cmocka_unit_test(formats_beside_a_render_pass_are_ignored),
        cmocka_unit_test(attachments_that_are_not_used_have_no_state),
        cmocka_unit_test(rasterizer_discard_ignores_what_fragments_have),
        cmocka_unit_test(mesh_shaders_take_no_vertex_input),
        cmocka_unit_test(dynamic_state_is_ignored),
        cmocka_unit_test(what_is_switched_off_is_ignored),
        cmocka_unit_test(clamp_ranges_count_where_the_mode_asks_for_them),
        cmocka_unit_test(attachments_with_advanced_operations_count),
        cmocka_unit_test(other_parts_of_libraries_are_ignored),
        cmocka_unit_test(linked_pipelines_describe_nothing_themselves),
        cmocka_unit_test(chains_behind_unknown_structures_stay),
    };
    return cmocka_run_group_tests_name("track_graphics", tests, NULL, NULL);
}
