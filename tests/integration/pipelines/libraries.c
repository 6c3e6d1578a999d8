/* SPDX-License-Identifier: MIT */
/*
 * Pipelines that are linked from libraries (VK_EXT_graphics_pipeline_library) draw in the tier that their records need,
 * as whole pipelines do: whatever the libraries are of, however they are linked, and when all that they were made from
 * is gone. Skipped where the driver has no libraries.
 */
#include <string.h>

#include "integration/shared/parts.h"
#include "integration_libraries_single.h"
#include "integration_libraries_vertex.h"

enum {
    INPUT = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    BEFORE = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    FRAGMENT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    OUTPUT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
    LIBRARIES_MOST = 4,
};

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct parts parts;
    VkPipelineShaderStageCreateInfo stages[LIBRARIES_MOST + 2][2]; /* of each creation */
    unsigned made;
    VkPipeline libraries[LIBRARIES_MOST];
    uint32_t library_count;
};

/* How libraries are made; all false and zero: from modules, with a render pass, to be linked fast. */
struct way {
    bool inline_code; /* the code stands in the stages' chains */
    bool optimized;   /* linked with LINK_TIME_OPTIMIZATION */
    bool rendering;   /* without a render pass: formats come with the fragment output alone */
    bool independent; /* the layouts of the two shader libraries lack the sets of the other */
    bool dynamic;     /* the viewport is dynamic before rasterization, and listed where it means nothing */
    bool robust;      /* each create-info asks for robustness of another kind */
    bool wiped;       /* create-infos are overwritten; without validation, which looks at them again (1.3.239) */
};

static VkPipelineLayout make_layout(const struct fixture *f, bool with_sets, bool independent)
{
    const VkDescriptorSetLayout none = VK_NULL_HANDLE;
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .flags =
                                                 independent ? VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT : 0,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = with_sets ? &f->set_layout : &none};
    VkPipelineLayout layout;
    HARNESS_VK(vkCreatePipelineLayout(f->scene.vk.device, &info, NULL, &layout));
    return layout;
}

static bool driver_has_libraries(void)
{
    struct harness_vulkan vk;
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features};
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    vkGetPhysicalDeviceFeatures2(vk.physical, &query);
    harness_vulkan_close(&vk);
    return features.graphicsPipelineLibrary;
}

static void open_fixture(struct fixture *f, const struct way *way)
{
    static const char *const extensions[] = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                             VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                                             VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME};
    VkPhysicalDevicePipelineRobustnessFeaturesEXT robustness_features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT, .pipelineRobustness = VK_TRUE};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .pNext = way->robust ? &robustness_features : NULL,
        .graphicsPipelineLibrary = VK_TRUE};
    VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .pNext = &library_features,
                                                 .dynamicRendering = VK_TRUE};
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = SCENE_COMBINED, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    memset(f, 0, sizeof(*f));
    scene_open(&f->scene, &(struct harness_vulkan_params){.layers = way->wiped ? "clampler" : NULL,
                                                          .device_extensions = extensions,
                                                          .device_extension_count = way->robust ? 3 : 2,
                                                          .device_next = &features});
    f->set_layout = harness_set_layout(&f->scene.vk, &binding, 1);
    f->layout = make_layout(f, true, way->independent);
    f->set = harness_set(&f->scene.vk, f->set_layout);
    parts_open(&f->scene, &f->parts, HARNESS_SPIRV(integration_libraries_single), f->layout);
}

/* Libraries live as long as what is linked from them (specification, section "Pipeline Libraries"). */
static void destroy_libraries(struct fixture *f)
{
    for (uint32_t i = 0; i < f->library_count; i++)
        vkDestroyPipeline(f->scene.vk.device, f->libraries[i], NULL);
    f->library_count = 0;
}

static void close_fixture(struct fixture *f)
{
    destroy_libraries(f);
    parts_close(&f->scene, &f->parts);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
}

/* ---- Making ---- */

/*
 * One create-info of some parts, linked with the libraries that there are if `link`; a library itself if `library`.
 * What it was made from is overwritten before it returns.
 */
static VkPipeline make(struct fixture *f, const struct way *way, VkFlags brings, bool library, bool link)
{
    VkShaderModuleCreateInfo code[2] = {{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .codeSize = sizeof(integration_libraries_vertex),
                                         .pCode = integration_libraries_vertex},
                                        {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .codeSize = sizeof(integration_libraries_single),
                                         .pCode = integration_libraries_single}};
    VkFormat format = VK_FORMAT_R32G32B32A32_SFLOAT;
    const bool output = brings & OUTPUT;
    VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = output ? 1 : 0,
                                               .pColorAttachmentFormats = output ? &format : NULL};
    VkGraphicsPipelineLibraryCreateInfoEXT part = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
                                                   .flags = brings};
    VkPipelineLibraryCreateInfoKHR linked = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                             .libraryCount = f->library_count,
                                             .pLibraries = f->libraries};
    static const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_BLEND_CONSTANTS};
    VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                .dynamicStateCount = brings & OUTPUT ? 2 : 1,
                                                .pDynamicStates = states};
    VkPipelineRobustnessCreateInfoEXT robustness = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
        .storageBuffers = f->made % 2 ? VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT
                                      : VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT,
        .uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT,
        .vertexInputs = brings & INPUT ? VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT
                                       : VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT,
        .images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT_EXT};
    static const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    VkPipelineShaderStageCreateInfo *stages = f->stages[f->made++];
    VkPipelineViewportStateCreateInfo viewports = f->parts.viewports;
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    VkPipelineLayout layout = make_layout(f, !way->independent || !library || (brings & FRAGMENT), way->independent);
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (library)
        info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
    if (!library && way->optimized)
        info.flags = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
    for (unsigned i = 0; i < 2; i++) {
        if (!(brings & (i ? FRAGMENT : BEFORE)))
            continue;
        stages[info.stageCount] = f->parts.stages[i];
        if (way->inline_code) {
            stages[info.stageCount].pNext = &code[i];
            stages[info.stageCount].module = VK_NULL_HANDLE;
        }
        info.stageCount++;
    }
    info.pStages = info.stageCount ? stages : NULL;
    info.pVertexInputState = brings & INPUT ? &f->parts.input : NULL;
    info.pInputAssemblyState = brings & INPUT ? &f->parts.assembly : NULL;
    info.pViewportState = brings & BEFORE ? &viewports : NULL;
    info.pRasterizationState = brings & BEFORE ? &f->parts.raster : NULL;
    info.pMultisampleState = brings & (FRAGMENT | OUTPUT) ? &f->parts.samples : NULL;
    if (way->rendering && (brings & FRAGMENT))
        info.pDepthStencilState = &depth;
    info.pColorBlendState = brings & OUTPUT ? &f->parts.blend : NULL;
    info.pDynamicState = way->dynamic && brings ? &dynamic : NULL;
    if (way->dynamic)
        viewports.pViewports = NULL;
    if (!library || (brings & (BEFORE | FRAGMENT)))
        info.layout = layout;
    if (!way->rendering && (brings & (BEFORE | FRAGMENT | OUTPUT)))
        info.renderPass = f->scene.target.pass;
    if (way->rendering && (brings & (BEFORE | FRAGMENT | OUTPUT)))
        info.pNext = &rendering;
    if (way->robust) {
        robustness.pNext = info.pNext;
        info.pNext = &robustness;
    }
    if (brings) {
        part.pNext = (void *)(uintptr_t)info.pNext;
        info.pNext = &part;
    }
    if (link) {
        linked.pNext = info.pNext;
        info.pNext = &linked;
    }
    HARNESS_VK(vkCreateGraphicsPipelines(f->scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyPipelineLayout(f->scene.vk.device, layout, NULL);
    if (way->wiped) {
        memset(&rendering, 0xee, sizeof(rendering));
        memset(&viewports, 0xee, sizeof(viewports));
        memset(&robustness, 0xee, sizeof(robustness));
        memset(&code, 0xee, sizeof(code));
        memset(stages, 0xee, sizeof(f->stages[0]));
        memset(&info, 0xee, sizeof(info));
    }
    return pipeline;
}

static void add_library(struct fixture *f, const struct way *way, VkFlags brings)
{
    f->libraries[f->library_count] = make(f, way, brings, true, false);
    f->library_count++;
}

/* ---- Drawing ---- */

static void draw(struct fixture *f, const struct way *way, VkPipeline pipeline)
{
    scene_mark(&f->scene);
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    if (way->rendering)
        harness_target_begin_rendering(&f->scene.target, commands);
    else
        harness_target_begin(&f->scene.target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (way->dynamic)
        vkCmdSetViewport(commands, 0, 1, &f->parts.viewport);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &f->set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    if (way->rendering)
        harness_target_end_rendering(&f->scene.target, commands);
    else
        harness_target_end(commands);
    harness_submit(&f->scene.vk, commands);
    scene_take(&f->scene);
    harness_target_read(&f->scene.vk, &f->scene.target, f->scene.pixels);
}

/* Each sampler in its tier; no more is compiled than each tier once. */
static void expect_tiers(struct fixture *f, const struct way *way, VkPipeline pipeline)
{
    static const struct {
        enum scene_sampler sampler;
        unsigned tier;
    } steps[] = {{SCENE_EDGE, 0},  {SCENE_CLAMP, 1}, {SCENE_MIXED, 2}, {SCENE_MIRROR, 1},
                 {SCENE_MIXED, 2}, {SCENE_EDGE, 0},  {SCENE_BORDER, 0}};
    uint64_t compiled = 0;
    for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, steps[i].sampler, SCENE_STEPS);
        draw(f, way, pipeline);
        scene_expect_tier(&f->scene, steps[i].tier);
        compiled += f->scene.pipelines[1] + f->scene.pipelines[2];
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f->scene, row, steps[i].sampler, SCENE_STEPS);
    }
    assert_int_equal(compiled, 2);
}

/* Libraries of these parts, linked; with `own` parts in the create-info of the link. */
static void expect_linked(const struct way *way, const VkFlags *brings, unsigned count, VkFlags own)
{
    struct fixture f;
    if (!driver_has_libraries()) {
        print_message("the driver has no pipeline libraries\n");
        skip();
    }
    open_fixture(&f, way);
    for (unsigned i = 0; i < count; i++)
        add_library(&f, way, brings[i]);
    VkPipeline pipeline = make(&f, way, own, false, true);
    VkViewport viewport = f.parts.viewport;
    parts_close(&f.scene, &f.parts);
    f.parts.viewport = viewport;
    expect_tiers(&f, way, pipeline);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

static const VkFlags one_each[] = {INPUT, BEFORE, FRAGMENT, OUTPUT};

static void libraries_of_one_part_each_are_linked(void **state)
{
    (void)state;
    expect_linked(&(struct way){0}, one_each, 4, 0);
    expect_linked(&(struct way){.wiped = true}, one_each, 4, 0);
}

static void libraries_are_linked_with_optimization(void **state)
{
    (void)state;
    expect_linked(&(struct way){.optimized = true}, one_each, 4, 0);
}

static void libraries_with_inline_code_are_linked(void **state)
{
    (void)state;
    expect_linked(&(struct way){.inline_code = true}, one_each, 4, 0);
    expect_linked(&(struct way){.inline_code = true, .rendering = true, .dynamic = true, .wiped = true}, one_each, 4,
                  0);
}

static void libraries_without_a_render_pass_are_linked(void **state)
{
    (void)state;
    expect_linked(&(struct way){.rendering = true}, one_each, 4, 0);
}

static void libraries_with_independent_sets_are_linked(void **state)
{
    (void)state;
    expect_linked(&(struct way){.independent = true}, one_each, 4, 0);
}

static void dynamic_states_are_those_of_their_part(void **state)
{
    (void)state;
    expect_linked(&(struct way){.dynamic = true}, one_each, 4, 0);
}

static void libraries_differ_in_robustness(void **state)
{
    (void)state;
    static const VkFlags interfaces[] = {INPUT, OUTPUT};
    scene_skip_without(VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME);
    expect_linked(&(struct way){.robust = true}, one_each, 4, 0);
    expect_linked(&(struct way){.robust = true, .inline_code = true, .rendering = true, .wiped = true}, one_each, 4, 0);
    expect_linked(&(struct way){.robust = true}, interfaces, 2, BEFORE | FRAGMENT);
}

static void libraries_of_several_parts_are_linked(void **state)
{
    (void)state;
    static const VkFlags halves[] = {INPUT | BEFORE, FRAGMENT | OUTPUT};
    static const VkFlags around[] = {INPUT | OUTPUT, BEFORE | FRAGMENT};
    expect_linked(&(struct way){0}, halves, 2, 0);
    expect_linked(&(struct way){.inline_code = true, .rendering = true}, around, 2, 0);
}

static void a_link_may_describe_parts_itself(void **state)
{
    (void)state;
    static const VkFlags shaders[] = {BEFORE, FRAGMENT};
    static const VkFlags interfaces[] = {INPUT, OUTPUT};
    expect_linked(&(struct way){0}, shaders, 2, INPUT | OUTPUT);
    expect_linked(&(struct way){.inline_code = true}, interfaces, 2, BEFORE | FRAGMENT);
}

/* A library that is linked from two, then linked with two more. */
static void libraries_of_libraries_are_linked(void **state)
{
    (void)state;
    static const struct way way = {.wiped = true};
    struct fixture f;
    if (!driver_has_libraries())
        skip();
    open_fixture(&f, &way);
    add_library(&f, &way, BEFORE);
    add_library(&f, &way, FRAGMENT);
    VkPipeline shaders[2] = {f.libraries[0], f.libraries[1]};
    f.libraries[0] = make(&f, &way, 0, true, true);
    f.library_count = 1;
    add_library(&f, &way, INPUT);
    add_library(&f, &way, OUTPUT);
    VkPipeline pipeline = make(&f, &way, 0, false, true);
    expect_tiers(&f, &way, pipeline);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    destroy_libraries(&f);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPipeline(f.scene.vk.device, shaders[i], NULL);
    close_fixture(&f);
}

/* With the library extension a whole pipeline may have inline code, too: its tiers come later, when the code is gone.
 */
static void inline_code_is_kept_for_later_tiers(void **state)
{
    (void)state;
    static const struct way way = {.inline_code = true};
    struct fixture f;
    if (!driver_has_libraries())
        skip();
    open_fixture(&f, &way);
    uint32_t words[sizeof(integration_libraries_single) / sizeof(uint32_t)];
    memcpy(words, integration_libraries_single, sizeof(words));
    VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof(words), .pCode = words};
    VkPipelineShaderStageCreateInfo stages[2] = {f.parts.stages[0], f.parts.stages[1]};
    stages[1].module = VK_NULL_HANDLE;
    stages[1].pNext = &code;
    f.parts.info.pStages = stages;
    VkPipeline pipeline = parts_create(&f.scene, &f.parts);
    memset(words, 0, sizeof(words));
    memset(&code, 0xee, sizeof(code));
    expect_tiers(&f, &way, pipeline);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_of_one_part_each_are_linked),
        cmocka_unit_test(libraries_are_linked_with_optimization),
        cmocka_unit_test(libraries_with_inline_code_are_linked),
        cmocka_unit_test(libraries_without_a_render_pass_are_linked),
        cmocka_unit_test(libraries_with_independent_sets_are_linked),
        cmocka_unit_test(dynamic_states_are_those_of_their_part),
        cmocka_unit_test(libraries_differ_in_robustness),
        cmocka_unit_test(libraries_of_several_parts_are_linked),
        cmocka_unit_test(a_link_may_describe_parts_itself),
        cmocka_unit_test(libraries_of_libraries_are_linked),
        cmocka_unit_test(inline_code_is_kept_for_later_tiers),
    };
    return cmocka_run_group_tests_name("libraries", tests, NULL, NULL);
}
