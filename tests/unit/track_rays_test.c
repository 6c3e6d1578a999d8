/* SPDX-License-Identifier: MIT */
/*
 * Ray tracing pipelines of both kinds (layer/pipelines/creation/create_rays.c), above a driver that notes what it gets:
 * their code follows the records of their sets from the start.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fake_driver.h"
#include "commands/command_buffer.h"
#include "sampling/format.h"
#include "modules/shader_module.h"
#include "pipelines/tiers.h"
#include "objects/track.h"
#include "track_rays_code.h"

enum { PIPELINE = 13, OTHER, OWN = 100 };

/* ---- A driver that notes what it gets ---- */

static struct {
    VkShaderModule stage; /* of the pipeline that was asked for */
    VkPipeline written;   /* what a failing call left in the output: as it was, unless it is written */
    VkResult result;
    VkDeferredOperationKHR deferred;
    uint32_t traced;
} driver;

static VkResult make(const VkPipelineShaderStageCreateInfo *stage, VkPipeline *pipeline)
{
    driver.stage = stage->module;
    driver.written = *pipeline;
    if (driver.result == VK_SUCCESS)
        *pipeline = HANDLE(VkPipeline, PIPELINE);
    return driver.result;
}

static VKAPI_ATTR VkResult VKAPI_CALL take_nv(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                              const VkRayTracingPipelineCreateInfoNV *infos,
                                              const VkAllocationCallbacks *callbacks, VkPipeline *pipelines)
{
    (void)handle, (void)cache, (void)callbacks;
    assert_int_equal(count, 1);
    assert_int_equal(infos->maxRecursionDepth, 3);
    return make(infos->pStages, pipelines);
}

static VKAPI_ATTR VkResult VKAPI_CALL take_khr(VkDevice handle, VkDeferredOperationKHR deferred, VkPipelineCache cache,
                                               uint32_t count, const VkRayTracingPipelineCreateInfoKHR *infos,
                                               const VkAllocationCallbacks *callbacks, VkPipeline *pipelines)
{
    (void)handle, (void)cache, (void)callbacks;
    assert_int_equal(count, 1);
    driver.deferred = deferred;
    return make(infos->pStages, pipelines);
}

static VKAPI_ATTR void VKAPI_CALL drop_pipeline(VkDevice handle, VkPipeline pipeline,
                                                const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)pipeline, (void)callbacks;
}

static VKAPI_ATTR void VKAPI_CALL take_rays(VkCommandBuffer commands, VkBuffer raygen, VkDeviceSize raygen_offset,
                                            VkBuffer miss, VkDeviceSize miss_offset, VkDeviceSize miss_stride,
                                            VkBuffer hit, VkDeviceSize hit_offset, VkDeviceSize hit_stride,
                                            VkBuffer callable, VkDeviceSize callable_offset,
                                            VkDeviceSize callable_stride, uint32_t width, uint32_t height,
                                            uint32_t depth)
{
    (void)commands, (void)raygen, (void)raygen_offset, (void)miss, (void)miss_offset, (void)miss_stride, (void)hit;
    (void)hit_offset, (void)hit_stride, (void)callable, (void)callable_offset, (void)callable_stride;
    assert_int_equal(width * 100 + height * 10 + depth, 123);
    driver.traced++;
}

static struct instance instance;
struct device device = {.instance = &instance,
                        .next = {FAKE_LAYOUTS_AND_MODULES, .CreateRayTracingPipelinesNV = take_nv,
                                 .CreateRayTracingPipelinesKHR = take_khr, .DestroyPipeline = drop_pipeline,
                                 .CmdTraceRaysNV = take_rays},
                        .caps.enabled.glSampler = VK_TRUE,
                        .caps.record_storage = true,
                        .track = &track};
static struct command command = {.device = &device, .track = &track};

/* ---- A layout with a texture, and a module that samples it ---- */

static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkPipelineShaderStageCreateInfo stage;

static int open_track(void **state)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout};
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(track_rays_code),
                                           .pCode = track_rays_code};
    (void)state;
    memset(&driver, 0, sizeof(driver));
    fake_driver = (struct fake_driver){.last = OWN};
    fake_track_begin();
    stage = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                              .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                              .pName = "main"};
    return module_cache_init(&track) && table_init(&subsystems.sampling.samplers) &&
                   table_init(&subsystems.layouts.set_layouts) && table_init(&subsystems.layouts.pipeline_layouts) &&
                   table_init(&subsystems.modules.modules) && table_init(&subsystems.pipelines.pipelines) &&
                   hook_CreateDescriptorSetLayout(NULL, &set_info, NULL, &set_layout) == VK_SUCCESS &&
                   hook_CreatePipelineLayout(NULL, &info, NULL, &layout) == VK_SUCCESS &&
                   hook_CreateShaderModule(NULL, &code, NULL, &stage.module) == VK_SUCCESS
               ? 0
               : -1;
}

static int close_track(void **state)
{
    (void)state;
    hook_DestroyShaderModule(NULL, stage.module, NULL);
    hook_DestroyPipelineLayout(NULL, layout, NULL);
    hook_DestroyDescriptorSetLayout(NULL, set_layout, NULL);
    lru_finish(&track, &subsystems.modules.cache);
    table_finish(&subsystems.sampling.samplers);
    table_finish(&subsystems.layouts.set_layouts);
    table_finish(&subsystems.layouts.pipeline_layouts);
    table_finish(&subsystems.modules.modules);
    table_finish(&subsystems.pipelines.pipelines);
    return fake_driver.modules == 0 ? 0 : -1;
}

static VkResult create(bool nv, VkDeferredOperationKHR deferred, VkPipeline *pipeline)
{
    const VkRayTracingPipelineCreateInfoNV nv_info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_NV,
                                                      .stageCount = 1,
                                                      .pStages = &stage,
                                                      .maxRecursionDepth = 3,
                                                      .layout = layout};
    const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                    .stageCount = 1,
                                                    .pStages = &stage,
                                                    .layout = layout};
    return nv ? hook_CreateRayTracingPipelinesNV(NULL, VK_NULL_HANDLE, 1, &nv_info, NULL, pipeline)
              : hook_CreateRayTracingPipelinesKHR(NULL, deferred, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
}

/* ---- Tests ---- */

static void both_kinds_get_code_that_follows_records(void **state)
{
    (void)state;
    for (unsigned nv = 0; nv < 2; nv++) {
        VkPipeline pipeline = VK_NULL_HANDLE;
        assert_int_equal(create(nv, VK_NULL_HANDLE, &pipeline), VK_SUCCESS);
        assert_true(driver.stage != VK_NULL_HANDLE && driver.stage != stage.module);
        assert_true(fake_driver.code_size > sizeof(track_rays_code));
        assert_int_equal(fake_driver.modules, 1); /* the program's: the layer's is gone */
        const struct pipeline *known = pipeline_find(&track, pipeline);
        assert_non_null(known);
        assert_true(known->fixed && known->follows);
        assert_int_equal(known->fixed_tier, TIER_FILTER_EXTRAS);
        assert_int_equal(track.counters.pipelines[2], nv + 1);
        hook_DestroyPipeline(NULL, pipeline, NULL);
    }
}

/* Samplers and views that are no plain Vulkan can come from the program or from a setting; else the code stays. */
static void only_what_can_be_asked_for_is_followed(void **state)
{
    static const struct {
        VkBool32 gl_sampler, gl_image_view;
        uint32_t gl_clamp;
        uint8_t fallback;
        bool texel_buffers;
        uint32_t tier;
    } rows[] = {
        {0, 0, 0, 0, false, 0},
        {0, 0, 0, 0, true, 0}, /* the shader reads none */
        {1, 0, 0, 0, false, TIER_FILTER_EXTRAS},
        {0, 1, 0, 0, false, TIER_FILTER_EXTRAS},
        {0, 0, GL_CLAMP_FOR_EDGE, 0, false, TIER_FILTER_EXTRAS},
        {0, 0, 0, RESOLVE_FALLBACK_NEAREST, false, TIER_FILTER_EXTRAS},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        VkPipeline pipeline = VK_NULL_HANDLE;
        device.caps.enabled.glSampler = rows[i].gl_sampler;
        device.caps.enabled.glImageView = rows[i].gl_image_view;
        instance.settings.gl_clamp = rows[i].gl_clamp;
        device.caps.resolve.vk_fallback = rows[i].fallback;
        device.caps.texel_buffers = rows[i].texel_buffers;
        assert_int_equal(create(i & 1, VK_NULL_HANDLE, &pipeline), VK_SUCCESS);
        assert_int_equal(pipeline_find(&track, pipeline)->fixed_tier, rows[i].tier);
        assert_int_equal(driver.stage != stage.module, rows[i].tier != 0);
        hook_DestroyPipeline(NULL, pipeline, NULL);
    }
    device.caps.enabled = (VkPhysicalDeviceGLSamplerFeaturesCLAMPLER){.glSampler = VK_TRUE};
    instance.settings.gl_clamp = 0;
    device.caps.resolve.vk_fallback = RESOLVE_FALLBACK_OFF;
    device.caps.texel_buffers = false;
}

static void creations_are_not_deferred(void **state)
{
    (void)state;
    VkPipeline pipeline = VK_NULL_HANDLE;
    assert_int_equal(create(false, HANDLE(VkDeferredOperationKHR, 5), &pipeline), VK_OPERATION_NOT_DEFERRED_KHR);
    assert_null(driver.deferred);
    hook_DestroyPipeline(NULL, pipeline, NULL);
}

/* What a failing call leaves as it was is not taken for a pipeline. */
static void failures_make_nothing(void **state)
{
    (void)state;
    driver.result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (unsigned nv = 0; nv < 2; nv++) {
        VkPipeline pipeline = HANDLE(VkPipeline, OTHER);
        assert_int_equal(create(nv, HANDLE(VkDeferredOperationKHR, 5), &pipeline), VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_null(driver.written);
        assert_null(pipeline);
        assert_null(pipeline_find(&track, HANDLE(VkPipeline, OTHER)));
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL refuse_module(VkDevice handle, const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks, VkShaderModule *module)
{
    (void)handle, (void)info, (void)callbacks, (void)module;
    return VK_ERROR_INVALID_SHADER_NV;
}

/* A result of vkCreateShaderModule that commands for rays do not have. */
static void refused_code_fails_in_the_commands_own_words(void **state)
{
    (void)state;
    lru_finish(&track, &subsystems.modules.cache);
    assert_true(module_cache_init(&track));
    device.next.CreateShaderModule = refuse_module;
    for (unsigned nv = 0; nv < 2; nv++) {
        VkPipeline pipeline = HANDLE(VkPipeline, OTHER);
        assert_int_equal(create(nv, VK_NULL_HANDLE, &pipeline), VK_ERROR_UNKNOWN);
        assert_null(pipeline);
    }
    device.next.CreateShaderModule = fake_module;
}

static void rays_of_both_kinds_are_draws(void **state)
{
    (void)state;
    const VkCommandBuffer commands = HANDLE(VkCommandBuffer, &command);
    atomic_store(&command.handle, commands);
    last_command = (struct last_command){commands, &command, atomic_load(&command_epoch)};
    command.points[POINT_RAY_TRACING] = (struct bind_point){.driver.tier = 1, .dirty = true};
    hook_CmdTraceRaysNV(commands, VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0, 0, VK_NULL_HANDLE, 0, 0, VK_NULL_HANDLE, 0, 0,
                        1, 2, 3);
    assert_int_equal(driver.traced, 1);
    assert_int_equal(command.draws[1], 1);
    assert_false(command.points[POINT_RAY_TRACING].dirty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds_get_code_that_follows_records),
        cmocka_unit_test(only_what_can_be_asked_for_is_followed),
        cmocka_unit_test(creations_are_not_deferred),
        cmocka_unit_test(failures_make_nothing),
        cmocka_unit_test(refused_code_fails_in_the_commands_own_words),
        cmocka_unit_test(rays_of_both_kinds_are_draws),
    };
    return cmocka_run_group_tests_name("track_rays", tests, open_track, close_track);
}
