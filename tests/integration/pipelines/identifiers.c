/* SPDX-License-Identifier: MIT */
/*
 * Stages that are only the identifier of a module (VK_EXT_shader_module_identifier): pipelines are made of the module
 * if the layer has seen it in this device, and then have tiers as others; else the program must come with the code.
 * lavapipe has no identifiers: a layer below gives them to it (code_layer), and remembers what was compiled as a cache
 * on disk does.
 */
#include <string.h>

#include "integration/layers/code_layer/code.h"
#include "integration/layers/faults.h"
#include "integration/shared/parts.h"
#include "integration_identifiers_compute.h"
#include "integration_identifiers_single.h"
#include "integration_identifiers_vertex.h"

#define CALL(F, NAME) HARNESS_PROC(&(F)->scene.vk, vk##NAME)

static struct code_control *control;

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct parts parts;
    VkShaderModuleIdentifierEXT identifiers[2]; /* vertex, fragment; or compute */
    VkPipelineShaderStageModuleIdentifierCreateInfoEXT chained[2];
};

static const VkDescriptorSetLayoutBinding bindings[] = {
    {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};

static const VkPipelineCreateFlags only_cached = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;

/* `fragment` is the code of the parts' second module. */
static void open_with(struct fixture *f, struct harness_spirv fragment)
{
    static const char *const extensions[] = {VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME,
                                             VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                             VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT identifiers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT,
        .pNext = &libraries,
        .shaderModuleIdentifier = VK_TRUE};
    VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .pNext = &identifiers,
                                                 .pipelineCreationCacheControl = VK_TRUE,
                                                 .maintenance4 = VK_TRUE};
    memset(f, 0, sizeof(*f));
    scene_open(&f->scene, &(struct harness_vulkan_params){.layers = "clampler:validation:" CODE_LAYER,
                                                          .device_extensions = extensions,
                                                          .device_extension_count = 3,
                                                          .device_next = &features});
    harness_one_set(&f->scene.vk, bindings, 2, &f->set_layout, &f->layout, &f->set);
    parts_open(&f->scene, &f->parts, fragment, f->layout);
}

static void open_fixture(struct fixture *f)
{
    open_with(f, HARNESS_SPIRV(integration_identifiers_single));
}

static void close_fixture(struct fixture *f)
{
    parts_close(&f->scene, &f->parts);
    harness_layouts_destroy(&f->scene.vk, f->layout, f->set_layout);
    scene_close(&f->scene);
}

/* ---- How a device comes to know modules ---- */

static void destroy_modules(struct fixture *f)
{
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyShaderModule(f->scene.vk.device, f->parts.stages[i].module, NULL);
        f->parts.stages[i].module = VK_NULL_HANDLE;
    }
}

/* The modules of the parts become identifiers, and are destroyed. */
static void identify(struct fixture *f)
{
    for (unsigned i = 0; i < 2; i++) {
        f->identifiers[i].sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT;
        CALL(f, GetShaderModuleIdentifierEXT)
        (f->scene.vk.device, f->parts.stages[i].module, &f->identifiers[i]);
    }
    destroy_modules(f);
}

static VkShaderModuleCreateInfo code_info(struct harness_spirv code)
{
    return (VkShaderModuleCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code.bytes, .pCode = code.words};
}

/* A graphics pipeline of the parts, so that the driver has its code. */
static void warm(struct fixture *f)
{
    vkDestroyPipeline(f->scene.vk.device, parts_create(&f->scene, &f->parts), NULL);
}

/* The stages of the parts have identifiers only. */
static void chain_identifiers(struct fixture *f)
{
    for (unsigned i = 0; i < 2; i++) {
        f->chained[i] = (VkPipelineShaderStageModuleIdentifierCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
            .identifierSize = f->identifiers[i].identifierSize,
            .pIdentifier = f->identifiers[i].identifier};
        f->parts.stages[i].pNext = &f->chained[i];
    }
    f->parts.info.flags |= only_cached;
}

static VkResult create(struct fixture *f, VkPipeline *pipeline)
{
    return vkCreateGraphicsPipelines(f->scene.vk.device, VK_NULL_HANDLE, 1, &f->parts.info, NULL, pipeline);
}

/* ---- Drawing: each sampler in its tier, no tier compiled twice ---- */

static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED, SCENE_MIRROR, SCENE_BORDER};
static const unsigned tiers[] = {0, 1, 2, 1, 0};
enum { STEPS = sizeof(tiers) / sizeof(tiers[0]) };

static void expect_tiers(struct fixture *f, VkPipeline pipeline)
{
    uint64_t compiled = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        scene_draw(&f->scene, pipeline, f->layout, 1, &f->set);
        scene_expect_tier(&f->scene, tiers[i]);
        compiled += f->scene.pipelines[1] + f->scene.pipelines[2];
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&f->scene, row, samplers[i], SCENE_STEPS);
    }
    assert_int_equal(compiled, 2);
}

/* What is identified becomes a pipeline with tiers; identifiers and chains are overwritten before it draws. */
static void expect_made(struct fixture *f)
{
    VkPipeline pipeline = VK_NULL_HANDLE;
    chain_identifiers(f);
    HARNESS_VK(create(f, &pipeline));
    memset(f->identifiers, 0xee, sizeof(f->identifiers));
    memset(f->chained, 0xee, sizeof(f->chained));
    expect_tiers(f, pipeline);
    vkDestroyPipeline(f->scene.vk.device, pipeline, NULL);
}

static void modules_that_are_destroyed_are_known_by_their_identifiers(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    warm(&f);
    identify(&f);
    expect_made(&f);
    close_fixture(&f);
}

/* Programs keep identifiers on disk: nobody asks for them in a device that has the modules. */
static void modules_are_known_without_having_been_asked_for(void **state)
{
    (void)state;
    struct fixture first, f;
    open_fixture(&first);
    identify(&first);
    close_fixture(&first);
    open_fixture(&f);
    warm(&f);
    destroy_modules(&f);
    memcpy(f.identifiers, first.identifiers, sizeof(f.identifiers));
    expect_made(&f);
    close_fixture(&f);
}

static void code_is_known_that_was_only_asked_for_its_identifier(void **state)
{
    (void)state;
    const VkShaderModuleCreateInfo code[2] = {code_info(HARNESS_SPIRV(integration_identifiers_vertex)),
                                              code_info(HARNESS_SPIRV(integration_identifiers_single))};
    struct fixture first, f;
    open_fixture(&first);
    warm(&first);
    close_fixture(&first);
    open_with(&f, HARNESS_SPIRV(integration_identifiers_compute)); /* it never has a module of the fragment shader */
    destroy_modules(&f);
    for (unsigned i = 0; i < 2; i++) {
        f.identifiers[i].sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT;
        CALL(&f, GetShaderModuleCreateInfoIdentifierEXT)(f.scene.vk.device, &code[i], &f.identifiers[i]);
    }
    expect_made(&f);
    close_fixture(&f);
}

static void inline_code_is_known_by_its_identifier(void **state)
{
    (void)state;
    VkShaderModuleCreateInfo code[2] = {code_info(HARNESS_SPIRV(integration_identifiers_vertex)),
                                        code_info(HARNESS_SPIRV(integration_identifiers_single))};
    struct fixture first, f;
    open_fixture(&first);
    identify(&first);
    close_fixture(&first);
    open_with(&f, HARNESS_SPIRV(integration_identifiers_compute));
    destroy_modules(&f);
    memcpy(f.identifiers, first.identifiers, sizeof(f.identifiers));
    for (unsigned i = 0; i < 2; i++)
        f.parts.stages[i].pNext = &code[i];
    warm(&f);
    expect_made(&f);
    close_fixture(&f);
}

/* ---- Unknown ones ---- */

static void identifiers_of_no_known_module_need_the_code(void **state)
{
    (void)state;
    struct fixture first, f;
    VkPipeline pipelines[2];
    open_fixture(&first);
    warm(&first); /* the driver knows them, the layer does not */
    identify(&first);
    close_fixture(&first);
    open_fixture(&f);
    VkGraphicsPipelineCreateInfo infos[2] = {f.parts.info, f.parts.info};
    VkPipelineShaderStageCreateInfo own[2] = {f.parts.stages[0], f.parts.stages[1]};
    memcpy(f.identifiers, first.identifiers, sizeof(f.identifiers));
    f.identifiers[1].identifier[0] ^= 1; /* of none at all */
    chain_identifiers(&f);
    for (unsigned i = 0; i < 2; i++)
        f.parts.stages[i].module = VK_NULL_HANDLE;
    infos[0].flags = only_cached;
    infos[1].pStages = own;
    const uint32_t before = atomic_load(&control->identified);

    /* One that cannot be made does not keep the other from being made, unless the program wants it so. */
    memset(pipelines, 0xee, sizeof(pipelines));
    assert_int_equal(vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 2, infos, NULL, pipelines),
                     VK_PIPELINE_COMPILE_REQUIRED);
    assert_true(pipelines[0] == VK_NULL_HANDLE);
    assert_true(pipelines[1] != VK_NULL_HANDLE);
    expect_tiers(&f, pipelines[1]);
    vkDestroyPipeline(f.scene.vk.device, pipelines[1], NULL);

    infos[0].flags |= VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
    memset(pipelines, 0xee, sizeof(pipelines));
    assert_int_equal(vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 2, infos, NULL, pipelines),
                     VK_PIPELINE_COMPILE_REQUIRED);
    assert_true(pipelines[0] == VK_NULL_HANDLE);
    assert_true(pipelines[1] == VK_NULL_HANDLE);
    assert_int_equal(atomic_load(&control->identified), before);
    f.parts.stages[0] = own[0];
    f.parts.stages[1] = own[1];
    close_fixture(&f);
}

/* Where nothing of the layer's is in a pipeline, its identifiers are the driver's alone. */
static void identifiers_under_other_layouts_are_the_drivers(void **state)
{
    (void)state;
    struct fixture first, f;
    VkPipeline pipeline;
    const VkShaderModuleCreateInfo code = code_info(HARNESS_SPIRV(integration_identifiers_vertex));
    VkShaderModuleIdentifierEXT identifier = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
    open_fixture(&first);
    CALL(&first, GetShaderModuleCreateInfoIdentifierEXT)(first.scene.vk.device, &code, &identifier);
    close_fixture(&first);
    open_fixture(&f);
    VkPipelineShaderStageModuleIdentifierCreateInfoEXT chained = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
        .identifierSize = identifier.identifierSize,
        .pIdentifier = identifier.identifier};
    VkPipelineLayout empty = harness_pipeline_layout(&f.scene.vk, NULL, 0, 0);
    VkPipelineRasterizationStateCreateInfo raster = f.parts.raster;
    VkGraphicsPipelineCreateInfo info = f.parts.info;
    VkPipelineShaderStageCreateInfo stage = f.parts.stages[0];
    raster.rasterizerDiscardEnable = VK_TRUE;
    info.stageCount = 1;
    info.pStages = &stage;
    info.pRasterizationState = &raster;
    info.layout = empty;
    HARNESS_VK(vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    stage.module = VK_NULL_HANDLE;
    stage.pNext = &chained;
    info.flags = only_cached;
    const uint32_t before = atomic_load(&control->identified);
    HARNESS_VK(vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    assert_int_equal(atomic_load(&control->identified), before + 1);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    vkDestroyPipelineLayout(f.scene.vk.device, empty, NULL);
    close_fixture(&f);
}

/* ---- Libraries and compute ---- */

enum {
    BEFORE = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
             VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    BEHIND = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
             VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
};

/* Half of the parts as a library. */
static VkResult create_half(struct fixture *f, bool behind, VkPipeline *library)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT brings = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = behind ? BEHIND : BEFORE};
    VkGraphicsPipelineCreateInfo info = f->parts.info;
    info.pNext = &brings;
    info.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.stageCount = 1;
    info.pStages = &f->parts.stages[behind];
    return vkCreateGraphicsPipelines(f->scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, library);
}

static void libraries_are_made_of_identifiers(void **state)
{
    (void)state;
    struct fixture f;
    VkPipeline halves[2], pipeline;
    open_fixture(&f);
    warm(&f);
    identify(&f);
    chain_identifiers(&f);
    for (unsigned i = 0; i < 2; i++)
        HARNESS_VK(create_half(&f, i, &halves[i]));
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = halves};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &linked, .layout = f.layout};
    HARNESS_VK(vkCreateGraphicsPipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    expect_tiers(&f, pipeline);
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPipeline(f.scene.vk.device, halves[i], NULL);
    f.identifiers[1].identifier[0] ^= 1;
    assert_int_equal(create_half(&f, true, &halves[1]), VK_PIPELINE_COMPILE_REQUIRED);
    assert_true(halves[1] == VK_NULL_HANDLE);
    close_fixture(&f);
}

static void compute_pipelines_are_made_of_identifiers(void **state)
{
    (void)state;
    struct fixture f;
    struct harness_buffer pixels;
    open_fixture(&f);
    harness_buffer_create(&f.scene.vk, &pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f.scene.pixels), NULL);
    harness_write_buffer(&f.scene.vk, f.set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pixels.buffer);
    VkShaderModule module = harness_module(&f.scene.vk, HARNESS_SPIRV(integration_identifiers_compute));
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .module = module,
                                                  .pName = "main"},
                                        .layout = f.layout};
    VkPipeline pipeline;
    HARNESS_VK(vkCreateComputePipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    VkShaderModuleIdentifierEXT identifier = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
    CALL(&f, GetShaderModuleIdentifierEXT)(f.scene.vk.device, module, &identifier);
    vkDestroyShaderModule(f.scene.vk.device, module, NULL);
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT chained = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
        .identifierSize = identifier.identifierSize,
        .pIdentifier = identifier.identifier};
    info.stage.module = VK_NULL_HANDLE;
    info.stage.pNext = &chained;
    info.flags = only_cached;
    HARNESS_VK(vkCreateComputePipelines(f.scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    for (unsigned i = 0; i < STEPS; i++) {
        scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        scene_dispatch(&f.scene, pipeline, f.layout, f.set, &pixels);
        scene_expect_tier(&f.scene, tiers[i]);
        /* The lookup names level 0, where the sampler of mixed filters is nearest. */
        for (unsigned row = 0; row < SCENE_ROWS && samplers[i] != SCENE_MIXED; row++)
            scene_expect_row(&f.scene, row, samplers[i], SCENE_STEPS);
    }
    vkDestroyPipeline(f.scene.vk.device, pipeline, NULL);
    harness_buffer_destroy(&f.scene.vk, &pixels);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_that_are_destroyed_are_known_by_their_identifiers),
        cmocka_unit_test(modules_are_known_without_having_been_asked_for),
        cmocka_unit_test(code_is_known_that_was_only_asked_for_its_identifier),
        cmocka_unit_test(inline_code_is_known_by_its_identifier),
        cmocka_unit_test(identifiers_of_no_known_module_need_the_code),
        cmocka_unit_test(identifiers_under_other_layouts_are_the_drivers),
        cmocka_unit_test(libraries_are_made_of_identifiers),
        cmocka_unit_test(compute_pipelines_are_made_of_identifiers),
    };
    control = test_layer_open("code", CODE_CONTROL_SYMBOL);
    return cmocka_run_group_tests_name("identifiers", tests, NULL, NULL);
}
