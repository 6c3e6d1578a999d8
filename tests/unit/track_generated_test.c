/* SPDX-License-Identifier: MIT */
/*
 * Commands that the device generates (layer/recording/recording/generated.c) and what they choose from
 * (layer/pipelines/pipelines/shader_groups.c), above a driver that notes what it gets: both extensions, also what no
 * driver at hand has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "commands/command_buffer.h"
#include "modules/shader_module.h"
#include "newer_vulkan.h"
#include "objects/track.h"
#include "pipelines/tiers.h"
#include "track_generated_code.h"

enum { OWN = 100 };

/* ---- A driver that notes what it gets ---- */

static struct {
    int64_t made;             /* pipelines alive */
    VkShaderModule stage;     /* of the last pipeline or question */
    VkShaderModule group;     /* of the last group of shaders in a pipeline */
    bool groups_lead;         /* the groups are the first structure of the chain, and the one behind is still there */
    VkPipeline bound;         /* in any command buffer */
    VkCommandBuffer bound_in; /* which */
    uint32_t bound_group;
    VkPipeline named; /* by a command or a question */
    VkShaderEXT named_shader;
    VkBool32 preprocessed;
    uint32_t executed;
    int64_t shaders; /* shader objects alive */
} driver;

static VKAPI_ATTR VkResult VKAPI_CALL take_compute(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                   const VkComputePipelineCreateInfo *infos,
                                                   const VkAllocationCallbacks *callbacks, VkPipeline *pipelines)
{
    (void)handle, (void)cache, (void)callbacks;
    assert_int_equal(count, 1);
    driver.stage = infos->stage.module;
    driver.made++;
    *pipelines = HANDLE(VkPipeline, fake_driver.last++);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_graphics(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                    const VkGraphicsPipelineCreateInfo *infos,
                                                    const VkAllocationCallbacks *callbacks, VkPipeline *pipelines)
{
    const VkGraphicsPipelineShaderGroupsCreateInfoNV *groups = infos->pNext;
    (void)handle, (void)cache, (void)callbacks;
    assert_int_equal(count, 1);
    assert_int_equal(groups->sType, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV);
    assert_int_equal(groups->groupCount, 2);
    const VkBaseInStructure *behind = groups->pNext;
    driver.groups_lead = behind && behind->sType == VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO && !behind->pNext;
    driver.stage = infos->pStages[0].module;
    driver.group = groups->pGroups[1].pStages[0].module;
    driver.made++;
    *pipelines = HANDLE(VkPipeline, fake_driver.last++);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_pipeline(VkDevice handle, VkPipeline pipeline,
                                                const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    driver.made -= pipeline ? 1 : 0;
}

static VKAPI_ATTR void VKAPI_CALL take_binding(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)point;
    driver.bound = pipeline;
    driver.bound_in = commands;
}

static VKAPI_ATTR void VKAPI_CALL take_group(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline,
                                             uint32_t group)
{
    take_binding(commands, point, pipeline);
    driver.bound_group = group;
}

static void note_chain(const void *chain)
{
    const VkGeneratedCommandsPipelineInfoEXT *pipeline = chain;
    if (!pipeline)
        return;
    assert_int_equal(pipeline->sType, VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT);
    driver.named = pipeline->pipeline;
    const VkGeneratedCommandsShaderInfoEXT *shaders = pipeline->pNext;
    if (!shaders)
        return;
    assert_int_equal(shaders->sType, VK_STRUCTURE_TYPE_GENERATED_COMMANDS_SHADER_INFO_EXT);
    driver.named_shader = shaders->pShaders[0];
    const VkBaseInStructure *behind = shaders->pNext;
    assert_int_equal(behind->sType, VK_STRUCTURE_TYPE_APPLICATION_INFO); /* what nobody knows stays */
}

static VKAPI_ATTR void VKAPI_CALL take_execution(VkCommandBuffer commands, VkBool32 preprocessed,
                                                 const VkGeneratedCommandsInfoEXT *info)
{
    (void)commands;
    assert_int_equal(info->maxSequenceCount, 7);
    note_chain(info->pNext);
    driver.preprocessed = preprocessed;
    driver.executed++;
}

static VKAPI_ATTR void VKAPI_CALL take_preprocessing(VkCommandBuffer commands, const VkGeneratedCommandsInfoEXT *info,
                                                     VkCommandBuffer state)
{
    (void)commands, (void)state;
    note_chain(info->pNext);
}

static VKAPI_ATTR void VKAPI_CALL take_question(VkDevice handle,
                                                const VkGeneratedCommandsMemoryRequirementsInfoEXT *info,
                                                VkMemoryRequirements2 *needs)
{
    (void)handle, (void)needs;
    note_chain(info->pNext);
}

static VKAPI_ATTR void VKAPI_CALL take_execution_nv(VkCommandBuffer commands, VkBool32 preprocessed,
                                                    const VkGeneratedCommandsInfoNV *info)
{
    (void)commands;
    driver.named = info->pipeline;
    driver.preprocessed = preprocessed;
    driver.executed++;
}

static VKAPI_ATTR void VKAPI_CALL take_preprocessing_nv(VkCommandBuffer commands, const VkGeneratedCommandsInfoNV *info)
{
    (void)commands;
    driver.named = info->pipeline;
}

static VKAPI_ATTR void VKAPI_CALL take_question_nv(VkDevice handle,
                                                   const VkGeneratedCommandsMemoryRequirementsInfoNV *info,
                                                   VkMemoryRequirements2 *needs)
{
    (void)handle, (void)needs;
    driver.named = info->pipeline;
}

static VKAPI_ATTR void VKAPI_CALL take_pipeline_question(VkDevice handle, const VkComputePipelineCreateInfo *info,
                                                         VkMemoryRequirements2 *needs)
{
    (void)handle, (void)needs;
    driver.stage = info->stage.module;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_shaders(VkDevice handle, uint32_t count, const VkShaderCreateInfoEXT *infos,
                                                   const VkAllocationCallbacks *callbacks, VkShaderEXT *shaders)
{
    (void)handle, (void)callbacks, (void)infos;
    for (uint32_t i = 0; i < count; i++)
        shaders[i] = HANDLE(VkShaderEXT, fake_driver.last++);
    driver.shaders += count;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL drop_shader(VkDevice handle, VkShaderEXT shader,
                                              const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)shader, (void)callbacks;
    driver.shaders--;
}

static struct instance instance;
struct device device = {
    .instance = &instance,
    .next = {FAKE_LAYOUTS_AND_MODULES, .CreateComputePipelines = take_compute, .CreateGraphicsPipelines = take_graphics,
             .DestroyPipeline = drop_pipeline, .CreateShadersEXT = take_shaders, .DestroyShaderEXT = drop_shader,
             .CmdBindPipeline = take_binding, .CmdBindPipelineShaderGroupNV = take_group,
             .CmdExecuteGeneratedCommandsEXT = take_execution, .CmdPreprocessGeneratedCommandsEXT = take_preprocessing,
             .GetGeneratedCommandsMemoryRequirementsEXT = take_question,
             .CmdExecuteGeneratedCommandsNV = take_execution_nv,
             .CmdPreprocessGeneratedCommandsNV = take_preprocessing_nv,
             .GetGeneratedCommandsMemoryRequirementsNV = take_question_nv,
             .GetPipelineIndirectMemoryRequirementsNV = take_pipeline_question},
    .caps.enabled.glSampler = VK_TRUE,
    .caps.record_storage = true,
    .track = &track};
static struct command command = {.device = &device, .track = &track};

/* ---- A layout with a texture, and a module that samples it ---- */

static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkComputePipelineCreateInfo compute;
static VkCommandBuffer commands;

static int open_track(void **state)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                      .flags = 0x80, /* INDIRECT_BINDABLE_BIT_NV */
                                                      .bindingCount = 2,
                                                      .pBindings = bindings};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout};
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(track_generated_code),
                                           .pCode = track_generated_code};
    (void)state;
    memset(&driver, 0, sizeof(driver));
    fake_driver = (struct fake_driver){.last = OWN};
    fake_track_begin();
    compute = (VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .pName = "main"}};
    if (!module_cache_init(&track) || !table_init(&subsystems.sampling.samplers) ||
        !table_init(&subsystems.layouts.set_layouts) || !table_init(&subsystems.layouts.pipeline_layouts) ||
        !table_init(&subsystems.modules.modules) || !table_init(&subsystems.pipelines.pipelines) ||
        !table_init(&subsystems.shader_objects.objects) || !table_init(&subsystems.attachments.render_passes) ||
        hook_CreateDescriptorSetLayout(NULL, &set_info, NULL, &set_layout) != VK_SUCCESS ||
        hook_CreatePipelineLayout(NULL, &info, NULL, &layout) != VK_SUCCESS ||
        hook_CreateShaderModule(NULL, &code, NULL, &compute.stage.module) != VK_SUCCESS)
        return -1;
    assert_int_equal(fake_driver.bindings, 3); /* with the records, though the GPU selects what reads them */
    compute.layout = layout;
    commands = HANDLE(VkCommandBuffer, &command);
    atomic_store(&command.handle, commands);
    last_command = (struct last_command){commands, &command, atomic_load(&command_epoch)};
    return 0;
}

static int close_track(void **state)
{
    (void)state;
    hook_DestroyShaderModule(NULL, compute.stage.module, NULL);
    hook_DestroyPipelineLayout(NULL, layout, NULL);
    hook_DestroyDescriptorSetLayout(NULL, set_layout, NULL);
    lru_finish(&track, &subsystems.modules.cache);
    table_finish(&subsystems.sampling.samplers);
    table_finish(&subsystems.layouts.set_layouts);
    table_finish(&subsystems.layouts.pipeline_layouts);
    table_finish(&subsystems.modules.modules);
    table_finish(&subsystems.pipelines.pipelines);
    table_finish(&subsystems.shader_objects.objects);
    table_finish(&subsystems.attachments.render_passes);
    return fake_driver.modules == 0 && driver.made == 0 ? 0 : -1;
}

/* ---- Tests ---- */

/* A pipeline that draws exchange is named as what is bound for generated commands, in all that must mean the same. */
static void what_is_bound_is_named(void **state)
{
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkShaderEXT shader = HANDLE(VkShaderEXT, 5); /* nothing of the layer's in it */
    const VkBaseInStructure unknown = {VK_STRUCTURE_TYPE_APPLICATION_INFO, NULL};
    (void)state;
    assert_int_equal(hook_CreateComputePipelines(NULL, VK_NULL_HANDLE, 1, &compute, NULL, &pipeline), VK_SUCCESS);
    assert_ptr_equal(driver.stage, compute.stage.module); /* it is the plain one */
    VkGeneratedCommandsShaderInfoEXT shaders = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_SHADER_INFO_EXT,
                                                (void *)(uintptr_t)&unknown, 1, &shader};
    const VkGeneratedCommandsPipelineInfoEXT named = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, &shaders,
                                                      pipeline};
    const VkGeneratedCommandsMemoryRequirementsInfoEXT question = {
        VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT, .pNext = &named};
    const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                             .pNext = &named,
                                             .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                             .maxSequenceCount = 7};
    hook_GetGeneratedCommandsMemoryRequirementsEXT(NULL, &question, NULL);
    const VkPipeline for_driver = driver.named;
    assert_true(for_driver && for_driver != pipeline);
    assert_ptr_equal(driver.named_shader, shader);
    assert_true(driver.stage && driver.stage != compute.stage.module);
    for (unsigned preprocessed = 0; preprocessed < 2; preprocessed++) {
        hook_CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        driver.named = driver.bound = VK_NULL_HANDLE;
        if (preprocessed) {
            command.points[POINT_COMPUTE].driver.tier = 0; /* as after a plain draw */
            command.points[POINT_COMPUTE].driver.pipeline = pipeline;
            hook_CmdPreprocessGeneratedCommandsEXT(HANDLE(VkCommandBuffer, 8), &info, commands);
            assert_ptr_equal(driver.named, for_driver);
            assert_ptr_equal(driver.bound, for_driver);
            assert_ptr_equal(driver.bound_in, commands); /* the one that executes */
        }
        hook_CmdExecuteGeneratedCommandsEXT(commands, preprocessed, &info);
        assert_ptr_equal(driver.named, for_driver);
        assert_int_equal(driver.preprocessed, preprocessed);
        assert_int_equal(command.points[POINT_COMPUTE].driver.tier, TIER_FILTER_EXTRAS);
        assert_true(command.points[POINT_COMPUTE].dirty); /* the next dispatch chooses by records */
    }
    assert_int_equal(command.draws[TIER_FILTER_EXTRAS], 2);
    const VkGeneratedCommandsMemoryRequirementsInfoNV question_nv = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_NV,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipeline = pipeline};
    const VkGeneratedCommandsInfoNV info_nv = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_NV,
                                               .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
                                               .pipeline = pipeline};
    driver.named = VK_NULL_HANDLE;
    hook_GetGeneratedCommandsMemoryRequirementsNV(NULL, &question_nv, NULL);
    assert_ptr_equal(driver.named, for_driver);
    driver.named = VK_NULL_HANDLE;
    hook_CmdPreprocessGeneratedCommandsNV(commands, &info_nv);
    assert_ptr_equal(driver.named, for_driver);
    driver.named = VK_NULL_HANDLE;
    hook_CmdExecuteGeneratedCommandsNV(commands, VK_TRUE, &info_nv);
    assert_ptr_equal(driver.named, for_driver);
    assert_int_equal(driver.executed, 3);
    assert_int_equal(command.draws[TIER_FILTER_EXTRAS], 3);
    /* Nothing is bound nor named where the GPU binds pipelines by their addresses. */
    const VkGeneratedCommandsInfoNV by_address = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_NV,
                                                  .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE};
    command.points[POINT_COMPUTE] = (struct bind_point){0};
    hook_CmdExecuteGeneratedCommandsNV(commands, VK_FALSE, &by_address);
    assert_ptr_equal(driver.named, VK_NULL_HANDLE);
    assert_int_equal(driver.executed, 4);
    assert_int_equal(command.draws[TIER_FILTER_EXTRAS], 4);
    hook_DestroyPipeline(NULL, pipeline, NULL);
}

/* What the GPU finds by an address is of the code that it will run; the question is asked of the same. */
/* Shader objects of the layer's are named as those of the tier that is bound, all others as they are. */
static void shader_objects_are_named_by_the_drivers_handles(void **state)
{
    const VkShaderCreateInfoEXT code = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = sizeof(track_generated_code),
                                        .pCode = track_generated_code,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &set_layout};
    const VkBaseInStructure unknown = {VK_STRUCTURE_TYPE_APPLICATION_INFO, NULL};
    VkShaderEXT shaders[2];
    (void)state;
    assert_int_equal(hook_CreateShadersEXT(NULL, 1, &code, NULL, &shaders[0]), VK_SUCCESS);
    shaders[1] = HANDLE(VkShaderEXT, 5); /* nothing of the layer's in it */
    assert_int_equal(driver.shaders, 1);
    for (uint32_t first = 0; first < 2; first++) {
        const VkShaderEXT order[] = {shaders[first], shaders[!first]};
        VkGeneratedCommandsShaderInfoEXT named = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_SHADER_INFO_EXT,
                                                  (void *)(uintptr_t)&unknown, 2, order};
        const VkGeneratedCommandsPipelineInfoEXT pipeline = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT,
                                                             &named, VK_NULL_HANDLE};
        const VkGeneratedCommandsMemoryRequirementsInfoEXT question = {
            VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT, .pNext = &pipeline};
        driver.named_shader = VK_NULL_HANDLE;
        hook_GetGeneratedCommandsMemoryRequirementsEXT(NULL, &question, NULL);
        assert_int_equal(driver.shaders, 2);     /* the tier's, made once */
        assert_ptr_equal(named.pShaders, order); /* the program's structure stays */
        assert_ptr_equal(order[0], shaders[first]);
        if (first)
            assert_ptr_equal(driver.named_shader, shaders[1]);
        else
            assert_true(driver.named_shader && driver.named_shader != shaders[0] && driver.named_shader != shaders[1]);
    }
    hook_DestroyShaderEXT(NULL, shaders[0], NULL);
    assert_int_equal(driver.shaders, 0);
}

static void compute_pipelines_that_the_gpu_finds(void **state)
{
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkComputePipelineCreateInfo info = compute;
    (void)state;
    info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
    hook_GetPipelineIndirectMemoryRequirementsNV(NULL, &info, NULL);
    assert_true(driver.stage && driver.stage != info.stage.module);
    assert_int_equal(fake_driver.modules, 1); /* the program's: the layer's is gone */
    driver.stage = VK_NULL_HANDLE;
    assert_int_equal(hook_CreateComputePipelines(NULL, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), VK_SUCCESS);
    assert_true(driver.stage && driver.stage != info.stage.module);
    const struct pipeline *known = pipeline_find(&track, pipeline);
    assert_true(known && known->fixed && known->handle == pipeline);
    assert_int_equal(known->fixed_tier, TIER_FILTER_EXTRAS);
    hook_DestroyPipeline(NULL, pipeline, NULL);
}

static void groups_of_shaders_follow_records(void **state)
{
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkPipelineShaderStageCreateInfo stage = compute.stage;
    stage.stage = VK_SHADER_STAGE_VERTEX_BIT;
    const VkGraphicsShaderGroupCreateInfoNV groups[2] = {
        {.sType = VK_STRUCTURE_TYPE_GRAPHICS_SHADER_GROUP_CREATE_INFO_NV, .stageCount = 1, .pStages = &stage},
        {.sType = VK_STRUCTURE_TYPE_GRAPHICS_SHADER_GROUP_CREATE_INFO_NV, .stageCount = 1, .pStages = &stage}};
    const VkGraphicsPipelineShaderGroupsCreateInfoNV all = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV, .groupCount = 2, .pGroups = groups};
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .pNext = &all};
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .rasterizerDiscardEnable = VK_TRUE};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV,
                                               .stageCount = 1,
                                               .pStages = &stage,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pRasterizationState = &raster,
                                               .layout = layout};
    (void)state;
    assert_int_equal(hook_CreateGraphicsPipelines(NULL, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), VK_SUCCESS);
    assert_true(driver.stage && driver.stage != stage.module);
    assert_true(driver.group && driver.group != stage.module);
    assert_true(driver.groups_lead);
    assert_int_equal(fake_driver.modules, 1);
    hook_CmdBindPipelineShaderGroupNV(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline, 1);
    assert_ptr_equal(driver.bound, pipeline);
    assert_int_equal(driver.bound_group, 1);
    assert_int_equal(command.points[POINT_GRAPHICS].driver.tier, TIER_FILTER_EXTRAS);
    assert_ptr_equal(command.points[POINT_GRAPHICS].pipeline, pipeline_find(&track, pipeline));
    hook_DestroyPipeline(NULL, pipeline, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_bound_is_named),
        cmocka_unit_test(shader_objects_are_named_by_the_drivers_handles),
        cmocka_unit_test(compute_pipelines_that_the_gpu_finds),
        cmocka_unit_test(groups_of_shaders_follow_records),
    };
    return cmocka_run_group_tests_name("track_generated", tests, open_track, close_track);
}
