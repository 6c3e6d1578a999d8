/* SPDX-License-Identifier: MIT */
/*
 * Ray tracing pipelines (VK_KHR_ray_tracing_pipeline): the ray generation, miss and closest hit shaders look textures
 * up as a compute shader does. Their tier is that of all that the program can ask for, from their creation on, because
 * the GPU chooses shaders by handles. Skipped where the driver lacks the extensions.
 */
#include <string.h>

#include "integration/recording/generated_memory.h"
#include "integration/recording/newer_generated.h"
#include "integration/pipelines/rays_scene.h"
#include "integration_rays_generation.h"
#include "integration_rays_hit.h"
#include "integration_rays_miss.h"

/* How the pipeline comes about, and how its sets are bound. */
enum way { WHOLE, LIBRARIES, AFTER_BIND, PUSHED, WAYS };

/* How rays are traced. */
enum command { DIRECT, INDIRECT, INDIRECT_2, GENERATED, COMMANDS };

struct fixture {
    struct rays rays;
    enum way way;
    enum command command;
    bool has[COMMANDS];
    struct harness_world world;
    VkPipeline libraries[2];
    struct harness_rays_table table;
    struct harness_buffer arguments; /* of indirect commands */
    VkIndirectCommandsLayoutEXT commands_layout;
    struct generated_memory memory;
};

#define CALL(F, NAME) HARNESS_PROC(&(F)->rays.scene.vk, vk##NAME)

enum { NEEDED = 5, FOR_INDIRECT_2 = 6 };
static const char *const extensions[] = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                         VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                                         VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                                         VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                         VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                         VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME,
                                         VK_KHR_MAINTENANCE_5_EXTENSION_NAME,
                                         VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME};
enum { EXTENSIONS = sizeof(extensions) / sizeof(extensions[0]) };

/* ---- Pipelines ---- */

/* A pipeline, or a library, of `count` groups from `first` on. */
static VkPipeline make(struct fixture *f, unsigned first, unsigned count, VkPipelineCreateFlags flags,
                       const VkPipeline *libraries)
{
    const struct harness_rays_params params = {.code = {HARNESS_SPIRV(integration_rays_generation),
                                                        HARNESS_SPIRV(integration_rays_miss),
                                                        HARNESS_SPIRV(integration_rays_hit)},
                                               .first = first,
                                               .count = count,
                                               .flags = flags,
                                               .libraries = libraries,
                                               .layout = f->rays.layout};
    return harness_rays_pipeline(&f->rays.scene.vk, &params);
}

static void open_pipelines(struct fixture *f)
{
    if (f->way == LIBRARIES) {
        f->libraries[0] = make(f, RAYS_GENERATION, 1, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, NULL);
        f->libraries[1] = make(f, RAYS_MISS, 2, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, NULL);
        f->rays.pipeline = make(f, 0, 0, 0, f->libraries);
    } else {
        f->rays.pipeline = make(f, 0, RAYS_GROUPS, 0, NULL);
    }
    harness_rays_table_create(&f->rays.scene.vk, f->rays.pipeline, &f->table);
}

/* ---- Tracing ---- */

static void open_arguments(struct fixture *f)
{
    const VkStridedDeviceAddressRegionKHR *regions = f->table.regions;
    const VkTraceRaysIndirectCommand2KHR all = {.raygenShaderRecordAddress = regions[RAYS_GENERATION].deviceAddress,
                                                .raygenShaderRecordSize = regions[RAYS_GENERATION].size,
                                                .missShaderBindingTableAddress = regions[RAYS_MISS].deviceAddress,
                                                .missShaderBindingTableSize = regions[RAYS_MISS].size,
                                                .missShaderBindingTableStride = regions[RAYS_MISS].stride,
                                                .hitShaderBindingTableAddress = regions[RAYS_HIT].deviceAddress,
                                                .hitShaderBindingTableSize = regions[RAYS_HIT].size,
                                                .hitShaderBindingTableStride = regions[RAYS_HIT].stride,
                                                .width = SCENE_COLUMNS,
                                                .height = SCENE_ROWS,
                                                .depth = 1};
    harness_buffer_create(&f->rays.scene.vk, &f->arguments,
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, sizeof(all),
                          &all);
}

/* One sequence, of one token that has all that vkCmdTraceRaysIndirect2KHR reads. */
static void open_generated(struct fixture *f)
{
    struct harness_vulkan *vk = &f->rays.scene.vk;
    const VkIndirectCommandsLayoutTokenEXT token = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                    .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_TRACE_RAYS2_EXT};
    const VkIndirectCommandsLayoutCreateInfoEXT layout = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = RAYS_STAGES,
        .indirectStride = sizeof(VkTraceRaysIndirectCommand2KHR),
        .pipelineLayout = f->rays.layout,
        .tokenCount = 1,
        .pTokens = &token};
    HARNESS_VK(CALL(f, CreateIndirectCommandsLayoutEXT)(vk->device, &layout, NULL, &f->commands_layout));
    const VkGeneratedCommandsPipelineInfoEXT pipeline = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = f->rays.pipeline};
    const VkGeneratedCommandsMemoryRequirementsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = &pipeline,
        .indirectCommandsLayout = f->commands_layout,
        .maxSequenceCount = 1};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    CALL(f, GetGeneratedCommandsMemoryRequirementsEXT)(vk->device, &info, &needs);
    generated_memory_open(vk, &f->memory, &needs.memoryRequirements, GENERATED_PREPROCESS_EXT);
}

static void trace_generated(struct fixture *f, VkCommandBuffer commands)
{
    const VkGeneratedCommandsPipelineInfoEXT pipeline = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = f->rays.pipeline};
    const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                             .pNext = &pipeline,
                                             .shaderStages = RAYS_STAGES,
                                             .indirectCommandsLayout = f->commands_layout,
                                             .indirectAddress =
                                                 harness_buffer_address(&f->rays.scene.vk, &f->arguments),
                                             .indirectAddressSize = f->arguments.size,
                                             .preprocessAddress = f->memory.address,
                                             .preprocessSize = f->memory.size,
                                             .maxSequenceCount = 1};
    CALL(f, CmdExecuteGeneratedCommandsEXT)(commands, VK_FALSE, &info);
}

static void trace(struct rays *rays, VkCommandBuffer commands)
{
    static const VkStridedDeviceAddressRegionKHR none = {0};
    struct fixture *f = (struct fixture *)(void *)rays; /* its first member */
    const VkStridedDeviceAddressRegionKHR *regions = f->table.regions;
    const VkDeviceAddress arguments = harness_buffer_address(&rays->scene.vk, &f->arguments);
    switch (f->command) {
    case INDIRECT:
        CALL(f, CmdTraceRaysIndirectKHR)
        (commands, &regions[RAYS_GENERATION], &regions[RAYS_MISS], &regions[RAYS_HIT], &none,
         arguments + offsetof(VkTraceRaysIndirectCommand2KHR, width));
        break;
    case INDIRECT_2:
        CALL(f, CmdTraceRaysIndirect2KHR)(commands, arguments);
        break;
    case GENERATED:
        trace_generated(f, commands);
        break;
    default:
        harness_rays_trace(&rays->scene.vk, &f->table, commands, SCENE_COLUMNS, SCENE_ROWS);
    }
}

/* ---- The fixture ---- */

/* Which commands the driver has. */
static void find_commands(struct fixture *f, uint32_t extension_count)
{
    f->has[DIRECT] = f->has[INDIRECT] = true;
    f->has[INDIRECT_2] = extension_count >= FOR_INDIRECT_2;
    f->has[GENERATED] = extension_count == EXTENSIONS;
    VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &generated};
    if (!f->has[GENERATED])
        return;
    vkGetPhysicalDeviceProperties2(f->rays.scene.vk.physical, &properties);
    f->has[GENERATED] = (generated.supportedIndirectCommandsShaderStages & RAYS_STAGES) == RAYS_STAGES;
}

static void open_fixture(struct fixture *f, enum way way, struct harness_vulkan_params params)
{
    const uint32_t count = rays_extensions(extensions, EXTENSIONS);
    if (count < NEEDED) {
        print_message("the driver lacks %s\n", extensions[count]);
        skip();
    }
    memset(f, 0, sizeof(*f));
    f->way = way;
    f->rays.trace = trace;
    VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
        .deviceGeneratedCommands = VK_TRUE};
    struct harness_features maintenance5 = {(VkStructureType)1000470000, &generated, {VK_TRUE}};
    VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR more = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR,
        .pNext = count == EXTENSIONS ? &maintenance5 : NULL,
        .rayTracingMaintenance1 = VK_TRUE,
        .rayTracingPipelineTraceRaysIndirect2 = VK_TRUE};
    VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
        .pNext = count >= FOR_INDIRECT_2 ? &more : NULL,
        .rayTracingPipeline = VK_TRUE,
        .rayTracingPipelineTraceRaysIndirect = VK_TRUE};
    VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
        .pNext = &rays,
        .accelerationStructure = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &structures,
                                                 .bufferDeviceAddress = VK_TRUE,
                                                 .descriptorIndexing = VK_TRUE,
                                                 .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,
                                                 .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE};
    params.device_extensions = extensions;
    params.device_extension_count = count == EXTENSIONS ? count : count < FOR_INDIRECT_2 ? count : FOR_INDIRECT_2;
    params.device_next = &features;
    rays_open(&f->rays,
              way == AFTER_BIND ? RAYS_SETS_AFTER_BIND
              : way == PUSHED   ? RAYS_SETS_PUSHED
                                : RAYS_SETS_PLAIN,
              &params);
    find_commands(f, count);
    harness_world_create(&f->rays.scene.vk, &f->world);
    const VkWriteDescriptorSetAccelerationStructureKHR structure = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &f->world.top.structure};
    rays_open_sets(&f->rays, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, &structure);
    open_pipelines(f);
    open_arguments(f);
    if (f->has[GENERATED])
        open_generated(f);
}

static void close_fixture(struct fixture *f)
{
    struct harness_vulkan *vk = &f->rays.scene.vk;
    if (f->has[GENERATED])
        CALL(f, DestroyIndirectCommandsLayoutEXT)(vk->device, f->commands_layout, NULL);
    generated_memory_close(vk, &f->memory);
    vkDestroyPipeline(vk->device, f->libraries[0], NULL);
    vkDestroyPipeline(vk->device, f->libraries[1], NULL);
    harness_world_destroy(vk, &f->world);
    harness_rays_table_destroy(vk, &f->table);
    harness_buffer_destroy(vk, &f->arguments);
    rays_close(&f->rays);
}

static void all_stages_follow_records(void **state)
{
    (void)state;
    for (unsigned way = 0; way < WAYS; way++) {
        struct fixture f;
        open_fixture(&f, (enum way)way, (struct harness_vulkan_params){.gl_sampler = true, .filter_emulation = true});
        const uint64_t made = harness_counters(&f.rays.scene.vk).pipelines[2];
        assert_int_equal(made, way == LIBRARIES ? 3 : 1);
        for (unsigned command = 0; command < COMMANDS; command++) {
            f.command = (enum command)command;
            if (f.has[command])
                rays_expect_records_followed(&f.rays);
            else
                print_message("the driver lacks %s\n", command == GENERATED ? "generated commands that trace rays"
                                                                            : "vkCmdTraceRaysIndirect2KHR");
        }
        close_fixture(&f);
    }
}

static void one_pipeline_stands_behind_the_handle(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, WHOLE, (struct harness_vulkan_params){.gl_sampler = true});
    rays_expect_one_pipeline(&f.rays);
    close_fixture(&f);
}

static void devices_without_state_keep_their_code(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, WHOLE, (struct harness_vulkan_params){0});
    rays_expect_own_code(&f.rays);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_stages_follow_records),
        cmocka_unit_test(one_pipeline_stands_behind_the_handle),
        cmocka_unit_test(devices_without_state_keep_their_code),
    };
    return cmocka_run_group_tests_name("rays", tests, NULL, NULL);
}
