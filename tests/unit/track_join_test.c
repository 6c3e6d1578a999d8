/* SPDX-License-Identifier: MIT */
/*
 * Pipelines that are linked from libraries (layer/pipelines/pipelines/linked_libraries.c), above a driver that notes
 * what it gets when a tier of them is compiled: what each library says of robustness holds for its part of the
 * pipeline.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "attachments/attachments.h"
#include "device/structure_chain.h"
#include "modules/shader_module.h"
#include "pipelines/tiers.h"
#include "objects/track.h"
#include "sampling/format.h"
#include "track_join_fragment.h"
#include "track_join_vertex.h"

#define TYPED(NAME) .sType = VK_STRUCTURE_TYPE_##NAME

enum {
    INPUT = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    BEFORE = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    FRAGMENT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    OUTPUT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
    VERTEX = 0, /* stages, as they arrive */
    PIXEL = 1,
    WHOLE = 2,
    /* Robustness of buffers, one letter each. */
    O = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT,
    D = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT,
    R = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT,
    S = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT,
    N = 100, /* no structure */
};

/* What a structure says of storage buffers, uniform buffers, vertex inputs and images. */
struct said {
    int storage, uniform, vertex, images;
};
#define NOTHING                                                                                                        \
    {                                                                                                                  \
        N, 0, 0, 0                                                                                                     \
    }
static const struct said nothing = NOTHING;

/* ---- A driver that notes what it gets ---- */

static struct {
    struct said said[3]; /* VERTEX, PIXEL, WHOLE */
    bool requires_size;  /* the fragment stage has another structure in its chain as well */
    bool renders;        /* and the whole its formats */
} driver;

static struct said read_chain(const void *chain)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT;
    const VkPipelineRobustnessCreateInfoEXT *said = pnext_find(chain, type);
    if (!said)
        return nothing;
    assert_null(pnext_find(said->pNext, type));
    return (struct said){(int)said->storageBuffers, (int)said->uniformBuffers, (int)said->vertexInputs,
                         (int)said->images};
}

static VKAPI_ATTR VkResult VKAPI_CALL take_pipeline(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                    const VkGraphicsPipelineCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks, VkPipeline *pipeline)
{
    (void)handle, (void)cache, (void)callbacks;
    assert_int_equal(count, 1);
    assert_true(info->stageCount <= 2);
    driver.said[VERTEX] = driver.said[PIXEL] = nothing;
    for (uint32_t i = 0; i < info->stageCount; i++) {
        const unsigned stage = info->pStages[i].stage == VK_SHADER_STAGE_VERTEX_BIT ? VERTEX : PIXEL;
        driver.said[stage] = read_chain(info->pStages[i].pNext);
        if (stage == PIXEL)
            driver.requires_size = pnext_find(
                info->pStages[i].pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    }
    driver.said[WHOLE] = read_chain(info->pNext);
    driver.renders = pnext_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    *pipeline = HANDLE(VkPipeline, fake_driver.last++);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_pipeline(VkDevice handle, VkPipeline pipeline,
                                                const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)pipeline, (void)callbacks;
}

static struct instance instance;
struct device device = {
    .instance = &instance,
    .next = {FAKE_LAYOUTS_AND_MODULES, .CreateGraphicsPipelines = take_pipeline, .DestroyPipeline = drop_pipeline},
    .caps.enabled.glSampler = VK_TRUE,
    .caps.record_storage = true,
    .track = &track};

/* ---- A layout with a texture, and two modules ---- */

static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkShaderModule modules[2];

static int open_track(void **state)
{
    static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                         VK_SHADER_STAGE_ALL, NULL};
    const VkDescriptorSetLayoutCreateInfo set_info = {TYPED(DESCRIPTOR_SET_LAYOUT_CREATE_INFO), .bindingCount = 1,
                                                      .pBindings = &binding};
    const VkPipelineLayoutCreateInfo info = {TYPED(PIPELINE_LAYOUT_CREATE_INFO), .setLayoutCount = 1,
                                             .pSetLayouts = &set_layout};
    const VkShaderModuleCreateInfo code[2] = {
        {TYPED(SHADER_MODULE_CREATE_INFO), .codeSize = sizeof(track_join_vertex), .pCode = track_join_vertex},
        {TYPED(SHADER_MODULE_CREATE_INFO), .codeSize = sizeof(track_join_fragment), .pCode = track_join_fragment}};
    (void)state;
    memset(&driver, 0, sizeof(driver));
    fake_driver = (struct fake_driver){.last = 10};
    fake_track_begin();
    bool made = module_cache_init(&track) && table_init(&subsystems.sampling.samplers) &&
                table_init(&subsystems.layouts.set_layouts) && table_init(&subsystems.layouts.pipeline_layouts) &&
                table_init(&subsystems.modules.modules) && pipelines_init(&track) &&
                table_init(&subsystems.attachments.render_passes) &&
                hook_CreateDescriptorSetLayout(NULL, &set_info, NULL, &set_layout) == VK_SUCCESS &&
                hook_CreatePipelineLayout(NULL, &info, NULL, &layout) == VK_SUCCESS;
    for (unsigned i = 0; i < 2; i++)
        made = made && hook_CreateShaderModule(NULL, &code[i], NULL, &modules[i]) == VK_SUCCESS;
    return made ? 0 : -1;
}

static int close_track(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        hook_DestroyShaderModule(NULL, modules[i], NULL);
    hook_DestroyPipelineLayout(NULL, layout, NULL);
    hook_DestroyDescriptorSetLayout(NULL, set_layout, NULL);
    lru_finish(&track, &subsystems.modules.cache);
    table_finish(&subsystems.sampling.samplers);
    table_finish(&subsystems.layouts.set_layouts);
    table_finish(&subsystems.layouts.pipeline_layouts);
    table_finish(&subsystems.modules.modules);
    pipelines_finish(&track);
    table_finish(&subsystems.attachments.render_passes);
    return 0;
}

/* ---- Making ---- */

static VkPipelineRobustnessCreateInfoEXT robustness(struct said said, const void *next)
{
    return (VkPipelineRobustnessCreateInfoEXT){
        TYPED(PIPELINE_ROBUSTNESS_CREATE_INFO_EXT),
        .pNext = next,
        .storageBuffers = (VkPipelineRobustnessBufferBehaviorEXT)said.storage,
        .uniformBuffers = (VkPipelineRobustnessBufferBehaviorEXT)said.uniform,
        .vertexInputs = (VkPipelineRobustnessBufferBehaviorEXT)said.vertex,
        .images = (VkPipelineRobustnessImageBehaviorEXT)said.images,
    };
}

/* A library of some parts, with what it says of robustness, and what its vertex stage says of itself. */
static VkPipeline library(VkFlags brings, struct said said, struct said vertex)
{
    static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    static const VkPipelineVertexInputStateCreateInfo input = {TYPED(PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO)};
    static const VkPipelineInputAssemblyStateCreateInfo assembly = {TYPED(PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO)};
    static const VkViewport viewport;
    static const VkRect2D scissor;
    static const VkPipelineViewportStateCreateInfo viewports = {TYPED(PIPELINE_VIEWPORT_STATE_CREATE_INFO),
                                                                .viewportCount = 1, .pViewports = &viewport,
                                                                .scissorCount = 1, .pScissors = &scissor};
    static const VkPipelineRasterizationStateCreateInfo raster = {TYPED(PIPELINE_RASTERIZATION_STATE_CREATE_INFO)};
    static const VkPipelineMultisampleStateCreateInfo samples = {TYPED(PIPELINE_MULTISAMPLE_STATE_CREATE_INFO),
                                                                 .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    static const VkPipelineDepthStencilStateCreateInfo depth = {TYPED(PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO)};
    static const VkPipelineColorBlendAttachmentState attachment;
    static const VkPipelineColorBlendStateCreateInfo blend = {TYPED(PIPELINE_COLOR_BLEND_STATE_CREATE_INFO),
                                                              .attachmentCount = 1, .pAttachments = &attachment};
    static const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        TYPED(PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO), .requiredSubgroupSize = 32};
    const VkPipelineRobustnessCreateInfoEXT of_vertex = robustness(vertex, NULL);
    const VkPipelineShaderStageCreateInfo stages[2] = {
        {TYPED(PIPELINE_SHADER_STAGE_CREATE_INFO), .pNext = vertex.storage == N ? NULL : &of_vertex,
         .stage = VK_SHADER_STAGE_VERTEX_BIT, .module = modules[0], .pName = "main"},
        {TYPED(PIPELINE_SHADER_STAGE_CREATE_INFO), .pNext = &size, .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = modules[1], .pName = "main"}};
    const VkPipelineRenderingCreateInfo rendering = {TYPED(PIPELINE_RENDERING_CREATE_INFO), .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &format};
    const VkPipelineRobustnessCreateInfoEXT robust = robustness(said, &rendering);
    const VkGraphicsPipelineLibraryCreateInfoEXT part = {
        TYPED(GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT),
        .pNext = said.storage == N ? (void *)(uintptr_t)&rendering : (void *)(uintptr_t)&robust, .flags = brings};
    const VkGraphicsPipelineCreateInfo info = {TYPED(GRAPHICS_PIPELINE_CREATE_INFO),
                                               .pNext = &part,
                                               .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
                                               .stageCount = (brings & BEFORE ? 1 : 0) + (brings & FRAGMENT ? 1 : 0),
                                               .pStages = brings & BEFORE ? stages : stages + 1,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewports,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pDepthStencilState = &depth,
                                               .pColorBlendState = &blend,
                                               .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    assert_int_equal(hook_CreateGraphicsPipelines(NULL, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), VK_SUCCESS);
    return pipeline;
}

/* A pipeline linked from libraries, compiled in tier 1; what the link says of robustness is said of nothing. */
static void compile_linked(const VkPipeline *libraries, uint32_t count)
{
    VkResult error;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkPipelineRobustnessCreateInfoEXT robust = robustness((struct said){D, D, D, D}, NULL);
    const VkPipelineLibraryCreateInfoKHR linked = {TYPED(PIPELINE_LIBRARY_CREATE_INFO_KHR), .pNext = &robust,
                                                   .libraryCount = count, .pLibraries = libraries};
    const VkGraphicsPipelineCreateInfo info = {TYPED(GRAPHICS_PIPELINE_CREATE_INFO), .pNext = &linked,
                                               .layout = layout};
    assert_int_equal(hook_CreateGraphicsPipelines(NULL, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), VK_SUCCESS);
    struct pipeline *known = pipeline_find(&track, pipeline);
    assert_non_null(known);
    assert_true(known->follows && !known->fixed);
    assert_true(pipeline_tier(&track, known, 1, 0, TIER_AT_DRAW, &error) != VK_NULL_HANDLE);
    hook_DestroyPipeline(NULL, pipeline, NULL);
}

static void expect_said(unsigned where, struct said expected)
{
    assert_int_equal(driver.said[where].storage, expected.storage);
    assert_int_equal(driver.said[where].uniform, expected.uniform);
    assert_int_equal(driver.said[where].vertex, expected.vertex);
    assert_int_equal(driver.said[where].images, expected.images);
}

/* ---- Tests ---- */

static void robustness_is_that_of_its_part(void **state)
{
    static const struct {
        struct said input, before, fragment, output; /* of the libraries */
        struct said stage;                           /* of the vertex stage itself */
        struct said vertex, pixel, whole;            /* what a tier has */
    } rows[] = {
        /* Nobody says anything. */
        {NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING},
        /* One of the shaders' parts alone: nothing for the other, whichever comes first. */
        {NOTHING, {S, R, D, R}, NOTHING, NOTHING, NOTHING, {S, R, D, R}, NOTHING, NOTHING},
        {NOTHING, NOTHING, {R, S, O, D}, NOTHING, NOTHING, NOTHING, {R, S, O, D}, NOTHING},
        /* Both, each its own. */
        {NOTHING, {S, R, D, R}, {D, D, D, D}, NOTHING, NOTHING, {S, R, D, R}, {D, D, D, D}, NOTHING},
        /* Of the vertex input's part only vertex inputs count, of the output's nothing. */
        {{S, S, R, S}, NOTHING, NOTHING, {S, S, S, S}, NOTHING, NOTHING, NOTHING, {O, O, R, O}},
        /* They are no shader's to say, but where the part of vertex inputs has nothing to say. */
        {{S, S, R, S}, {R, D, O, D}, {D, R, D, R}, NOTHING, NOTHING, {R, D, R, D}, {D, R, R, R}, {O, O, R, O}},
        {{S, S, O, S}, {R, D, S, D}, NOTHING, NOTHING, NOTHING, {R, D, S, D}, NOTHING, {O, O, O, O}},
        /* A stage that says something itself. */
        {{S, S, R, S}, {R, D, O, D}, {D, D, O, D}, NOTHING, {D, S, D, R}, {D, S, D, R}, {D, D, R, D}, {O, O, R, O}},
        {NOTHING, NOTHING, {D, R, D, R}, NOTHING, {D, S, D, R}, {D, S, D, R}, {D, R, D, R}, NOTHING},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const VkPipeline libraries[] = {
            library(INPUT, rows[i].input, nothing), library(BEFORE, rows[i].before, rows[i].stage),
            library(FRAGMENT, rows[i].fragment, nothing), library(OUTPUT, rows[i].output, nothing)};
        const VkPipeline reversed[] = {libraries[3], libraries[2], libraries[1], libraries[0]};
        for (unsigned order = 0; order < 2; order++) {
            compile_linked(order ? reversed : libraries, 4);
            expect_said(VERTEX, rows[i].vertex);
            expect_said(PIXEL, rows[i].pixel);
            expect_said(WHOLE, rows[i].whole);
            assert_true(driver.requires_size && driver.renders);
        }
        for (unsigned j = 0; j < 4; j++)
            hook_DestroyPipeline(NULL, libraries[j], NULL);
    }
}

/* Vertex input and vertex shader described at once, as whole pipelines have them. */
static void robustness_is_that_of_several_parts(void **state)
{
    (void)state;
    const VkPipeline libraries[] = {library(INPUT | BEFORE, (struct said){S, R, D, R}, nothing),
                                    library(FRAGMENT | OUTPUT, (struct said){D, D, S, D}, nothing)};
    compile_linked(libraries, 2);
    expect_said(VERTEX, (struct said){S, R, D, R});
    expect_said(PIXEL, (struct said){D, D, D, D});
    expect_said(WHOLE, (struct said){O, O, D, O});
    for (unsigned i = 0; i < 2; i++)
        hook_DestroyPipeline(NULL, libraries[i], NULL);
}

/* All parts at once: each of two stages keeps what it has in its chain, and gives it back (unit/leaks_test.py). */
static void stages_of_one_library_keep_their_chains(void **state)
{
    (void)state;
    const VkPipeline all = library(INPUT | BEFORE | FRAGMENT | OUTPUT, nothing, (struct said){S, R, D, R});
    compile_linked(&all, 1);
    expect_said(VERTEX, (struct said){S, R, D, R});
    expect_said(PIXEL, nothing);
    assert_true(driver.requires_size && driver.renders);
    hook_DestroyPipeline(NULL, all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robustness_is_that_of_its_part),
        cmocka_unit_test(robustness_is_that_of_several_parts),
        cmocka_unit_test(stages_of_one_library_keep_their_chains),
    };
    return cmocka_run_group_tests_name("track_join", tests, open_track, close_track);
}
