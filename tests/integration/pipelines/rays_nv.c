/* SPDX-License-Identifier: MIT */
/*
 * Ray tracing pipelines and acceleration structures of VK_NV_ray_tracing: what rays.c shows of the KHR form, through
 * NVIDIA's own shaders, handles and commands. Skipped where the driver lacks the extension.
 */
#include <string.h>

#include "integration/pipelines/rays_scene.h"
#include "integration_rays_nv_generation.h"
#include "integration_rays_nv_hit.h"
#include "integration_rays_nv_miss.h"

/* How the pipeline comes about, and how its sets are bound; deferred: its shaders are compiled one by one. */
enum way { WHOLE, DEFERRED, AFTER_BIND, PUSHED, WAYS };

/* An acceleration structure with its memory. */
struct structure {
    VkAccelerationStructureNV handle;
    VkDeviceMemory memory;
    struct harness_buffer scratch;
};

struct fixture {
    struct rays rays;
    struct harness_buffer triangle, instances, table;
    struct structure bottom, top;
    VkDeviceSize stride; /* of the table */
};

#define CALL(F, NAME) HARNESS_PROC(&(F)->rays.scene.vk, vk##NAME)

static const char *const extensions[] = {VK_NV_RAY_TRACING_EXTENSION_NAME, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
enum { EXTENSIONS = sizeof(extensions) / sizeof(extensions[0]) };

/* ---- What rays meet ---- */

static VkMemoryRequirements needs_of(struct fixture *f, const struct structure *structure,
                                     VkAccelerationStructureMemoryRequirementsTypeNV type)
{
    const VkAccelerationStructureMemoryRequirementsInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_INFO_NV,
        .type = type,
        .accelerationStructure = structure->handle};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    CALL(f, GetAccelerationStructureMemoryRequirementsNV)(f->rays.scene.vk.device, &info, &needs);
    return needs.memoryRequirements;
}

static void build(struct fixture *f, const VkAccelerationStructureInfoNV *info, VkBuffer instances,
                  struct structure *structure)
{
    struct harness_vulkan *vk = &f->rays.scene.vk;
    const VkAccelerationStructureCreateInfoNV create = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV, .info = *info};
    HARNESS_VK(CALL(f, CreateAccelerationStructureNV)(vk->device, &create, NULL, &structure->handle));
    const VkMemoryRequirements own =
        needs_of(f, structure, VK_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_TYPE_OBJECT_NV);
    const VkMemoryRequirements scratch =
        needs_of(f, structure, VK_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_TYPE_BUILD_SCRATCH_NV);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = own.size,
                                         .memoryTypeIndex = (uint32_t)__builtin_ctz(own.memoryTypeBits)};
    HARNESS_VK(vkAllocateMemory(vk->device, &memory, NULL, &structure->memory));
    const VkBindAccelerationStructureMemoryInfoNV bound = {
        .sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV,
        .accelerationStructure = structure->handle,
        .memory = structure->memory};
    HARNESS_VK(CALL(f, BindAccelerationStructureMemoryNV)(vk->device, 1, &bound));
    harness_buffer_create(vk, &structure->scratch, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV, scratch.size, NULL);
    VkCommandBuffer commands = harness_begin(vk);
    CALL(f, CmdBuildAccelerationStructureNV)
    (commands, info, instances, 0, VK_FALSE, structure->handle, VK_NULL_HANDLE, structure->scratch.buffer, 0);
    harness_submit(vk, commands);
}

/* An instance as the extension lays it out in memory: as VkAccelerationStructureInstanceKHR, with a handle in it. */
static void open_world(struct fixture *f)
{
    struct harness_vulkan *vk = &f->rays.scene.vk;
    harness_buffer_create(vk, &f->triangle, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV, sizeof(harness_world_corners),
                          harness_world_corners);
    const VkGeometryNV geometry = {.sType = VK_STRUCTURE_TYPE_GEOMETRY_NV,
                                   .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_NV,
                                   .geometry = {.triangles = {.sType = VK_STRUCTURE_TYPE_GEOMETRY_TRIANGLES_NV,
                                                              .vertexData = f->triangle.buffer,
                                                              .vertexCount = 3,
                                                              .vertexStride = sizeof(harness_world_corners[0]),
                                                              .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                                              .indexType = VK_INDEX_TYPE_NONE_NV},
                                                .aabbs = {.sType = VK_STRUCTURE_TYPE_GEOMETRY_AABB_NV}},
                                   .flags = VK_GEOMETRY_OPAQUE_BIT_NV};
    const VkAccelerationStructureInfoNV bottom = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
                                                  .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_NV,
                                                  .geometryCount = 1,
                                                  .pGeometries = &geometry};
    build(f, &bottom, VK_NULL_HANDLE, &f->bottom);
    VkAccelerationStructureInstanceKHR instance = {.transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
                                                   .mask = 0xff,
                                                   .flags = VK_GEOMETRY_INSTANCE_TRIANGLE_CULL_DISABLE_BIT_NV};
    HARNESS_VK(CALL(f, GetAccelerationStructureHandleNV)(vk->device, f->bottom.handle, sizeof(uint64_t),
                                                         &instance.accelerationStructureReference));
    harness_buffer_create(vk, &f->instances, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV, sizeof(instance), &instance);
    const VkAccelerationStructureInfoNV top = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_INFO_NV,
                                               .type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_NV,
                                               .instanceCount = 1};
    build(f, &top, f->instances.buffer, &f->top);
}

static void close_structure(struct fixture *f, struct structure *structure)
{
    CALL(f, DestroyAccelerationStructureNV)(f->rays.scene.vk.device, structure->handle, NULL);
    vkFreeMemory(f->rays.scene.vk.device, structure->memory, NULL);
    harness_buffer_destroy(&f->rays.scene.vk, &structure->scratch);
}

/* ---- The pipeline ---- */

/* Its modules are gone before deferred shaders are compiled. */
static void open_pipeline(struct fixture *f, bool deferred)
{
    struct harness_vulkan *vk = &f->rays.scene.vk;
    const struct harness_spirv code[RAYS_GROUPS] = {HARNESS_SPIRV(integration_rays_nv_generation),
                                                    HARNESS_SPIRV(integration_rays_nv_miss),
                                                    HARNESS_SPIRV(integration_rays_nv_hit)};
    VkPipelineShaderStageCreateInfo stages[RAYS_GROUPS];
    VkRayTracingShaderGroupCreateInfoNV groups[RAYS_GROUPS];
    for (unsigned i = 0; i < RAYS_GROUPS; i++) {
        stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = harness_rays_stages[i],
                                                      .module = harness_module(vk, code[i]),
                                                      .pName = "main"};
        groups[i] = (VkRayTracingShaderGroupCreateInfoNV){
            .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_NV,
            .type = i == RAYS_HIT ? VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_NV
                                  : VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_NV,
            .generalShader = i == RAYS_HIT ? VK_SHADER_UNUSED_NV : i,
            .closestHitShader = i == RAYS_HIT ? i : VK_SHADER_UNUSED_NV,
            .anyHitShader = VK_SHADER_UNUSED_NV,
            .intersectionShader = VK_SHADER_UNUSED_NV};
    }
    const VkRayTracingPipelineCreateInfoNV info = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_NV,
        .flags = deferred ? (VkPipelineCreateFlags)VK_PIPELINE_CREATE_DEFER_COMPILE_BIT_NV : 0,
        .stageCount = RAYS_GROUPS,
        .pStages = stages,
        .groupCount = RAYS_GROUPS,
        .pGroups = groups,
        .maxRecursionDepth = 1,
        .layout = f->rays.layout};
    HARNESS_VK(CALL(f, CreateRayTracingPipelinesNV)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &f->rays.pipeline));
    for (unsigned i = 0; i < RAYS_GROUPS; i++)
        vkDestroyShaderModule(vk->device, stages[i].module, NULL);
    for (uint32_t i = 0; i < RAYS_GROUPS && deferred; i++)
        HARNESS_VK(CALL(f, CompileDeferredNV)(vk->device, f->rays.pipeline, i));
}

/* A handle a group, each where a table may begin. */
static void open_table(struct fixture *f)
{
    struct harness_vulkan *vk = &f->rays.scene.vk;
    VkPhysicalDeviceRayTracingPropertiesNV rays = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PROPERTIES_NV};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &rays};
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    const uint32_t handle = rays.shaderGroupHandleSize, base = rays.shaderGroupBaseAlignment;
    unsigned char handles[RAYS_GROUPS * 256];
    assert_true(RAYS_GROUPS * handle <= sizeof(handles));
    HARNESS_VK(CALL(f, GetRayTracingShaderGroupHandlesNV)(vk->device, f->rays.pipeline, 0, RAYS_GROUPS,
                                                          RAYS_GROUPS * handle, handles));
    f->stride = (handle + base - 1) / base * base;
    harness_buffer_create(vk, &f->table, VK_BUFFER_USAGE_RAY_TRACING_BIT_NV, RAYS_GROUPS * f->stride, NULL);
    for (unsigned i = 0; i < RAYS_GROUPS; i++)
        memcpy((unsigned char *)f->table.map + i * f->stride, handles + i * handle, handle);
}

static void trace(struct rays *rays, VkCommandBuffer commands)
{
    const struct fixture *f = (const struct fixture *)(const void *)rays; /* its first member */
    const VkBuffer table = f->table.buffer;
    CALL(f, CmdTraceRaysNV)
    (commands, table, RAYS_GENERATION * f->stride, table, RAYS_MISS * f->stride, f->stride, table, RAYS_HIT * f->stride,
     f->stride, VK_NULL_HANDLE, 0, 0, SCENE_COLUMNS, SCENE_ROWS, 1);
}

/* ---- The fixture ---- */

static void open_fixture(struct fixture *f, enum way way, struct harness_vulkan_params params)
{
    const uint32_t count = rays_extensions(extensions, EXTENSIONS);
    if (count < EXTENSIONS) {
        print_message("the driver lacks %s\n", extensions[count]);
        skip();
    }
    memset(f, 0, sizeof(*f));
    f->rays.trace = trace;
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .descriptorIndexing = VK_TRUE,
                                                 .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,
                                                 .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE};
    params.device_extensions = extensions;
    params.device_extension_count = EXTENSIONS;
    params.device_next = &features;
    rays_open(&f->rays,
              way == AFTER_BIND ? RAYS_SETS_AFTER_BIND
              : way == PUSHED   ? RAYS_SETS_PUSHED
                                : RAYS_SETS_PLAIN,
              &params);
    open_world(f);
    const VkWriteDescriptorSetAccelerationStructureNV structure = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &f->top.handle};
    rays_open_sets(&f->rays, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV, &structure);
    open_pipeline(f, way == DEFERRED);
    open_table(f);
}

static void close_fixture(struct fixture *f)
{
    struct harness_vulkan *vk = &f->rays.scene.vk;
    close_structure(f, &f->top);
    close_structure(f, &f->bottom);
    harness_buffer_destroy(vk, &f->triangle);
    harness_buffer_destroy(vk, &f->instances);
    harness_buffer_destroy(vk, &f->table);
    rays_close(&f->rays);
}

static void all_stages_follow_records(void **state)
{
    (void)state;
    for (unsigned way = 0; way < WAYS; way++) {
        struct fixture f;
        open_fixture(&f, (enum way)way, (struct harness_vulkan_params){.gl_sampler = true, .filter_emulation = true});
        assert_int_equal(harness_counters(&f.rays.scene.vk).pipelines[2], 1);
        rays_expect_records_followed(&f.rays);
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
    return cmocka_run_group_tests_name("rays_nv", tests, NULL, NULL);
}
