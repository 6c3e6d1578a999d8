/* SPDX-License-Identifier: MIT */
#include "harness/drawing/rays.h"

#include <string.h>

const VkShaderStageFlagBits harness_rays_stages[RAYS_GROUPS] = {
    VK_SHADER_STAGE_RAYGEN_BIT_KHR, VK_SHADER_STAGE_MISS_BIT_KHR, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR};

const char *const harness_rays_extensions[HARNESS_RAYS_EXTENSIONS] = {
    VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
    VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME};

const void *harness_rays_features(void)
{
    static VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR, .rayTracingPipeline = VK_TRUE};
    static VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
        .pNext = &rays,
        .accelerationStructure = VK_TRUE};
    static const VkPhysicalDeviceVulkan12Features features = {.sType =
                                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                              .pNext = &structures,
                                                              .bufferDeviceAddress = VK_TRUE,
                                                              .descriptorIndexing = VK_TRUE};
    return &features;
}

const float harness_world_corners[3][3] = {{-8, -8, 1}, {8, -8, 1}, {0, 8, 1}};

#define CALL(NAME) HARNESS_PROC(vk, vk##NAME)

/* ---- What rays meet ---- */

static void build(struct harness_vulkan *vk, VkAccelerationStructureTypeKHR type,
                  const VkAccelerationStructureGeometryKHR *geometry, struct harness_structure *built)
{
    const uint32_t one = 1;
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = type,
        .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .geometryCount = 1,
        .pGeometries = geometry};
    const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = 1}, *ranges = &range;
    CALL(GetAccelerationStructureBuildSizesKHR)
    (vk->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, &one, &sizes);
    harness_buffer_create(vk, &built->storage,
                          VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizes.accelerationStructureSize, NULL);
    harness_buffer_create(vk, &built->scratch,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizes.buildScratchSize + 256, NULL);
    const VkAccelerationStructureCreateInfoKHR create = {.sType =
                                                             VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                         .buffer = built->storage.buffer,
                                                         .size = sizes.accelerationStructureSize,
                                                         .type = type};
    HARNESS_VK(CALL(CreateAccelerationStructureKHR)(vk->device, &create, NULL, &built->structure));
    info.dstAccelerationStructure = built->structure;
    info.scratchData.deviceAddress = (harness_buffer_address(vk, &built->scratch) + 255) & ~(VkDeviceAddress)255;
    VkCommandBuffer commands = harness_begin(vk);
    CALL(CmdBuildAccelerationStructuresKHR)(commands, 1, &info, &ranges);
    harness_submit(vk, commands);
}

void harness_world_create(struct harness_vulkan *vk, struct harness_world *world)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    harness_buffer_create(vk, &world->triangle, usage, sizeof(harness_world_corners), harness_world_corners);
    const VkAccelerationStructureGeometryKHR triangles = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
        .geometry.triangles = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
                               .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                               .vertexData.deviceAddress = harness_buffer_address(vk, &world->triangle),
                               .vertexStride = sizeof(harness_world_corners[0]),
                               .maxVertex = 2,
                               .indexType = VK_INDEX_TYPE_NONE_KHR},
        .flags = VK_GEOMETRY_OPAQUE_BIT_KHR};
    build(vk, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, &triangles, &world->bottom);
    const VkAccelerationStructureDeviceAddressInfoKHR bottom = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = world->bottom.structure};
    const VkAccelerationStructureInstanceKHR instance = {
        .transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
        .mask = 0xff,
        .flags = VK_GEOMETRY_INSTANCE_TRIANGLE_FACING_CULL_DISABLE_BIT_KHR,
        .accelerationStructureReference = CALL(GetAccelerationStructureDeviceAddressKHR)(vk->device, &bottom)};
    harness_buffer_create(vk, &world->instances, usage, sizeof(instance), &instance);
    const VkAccelerationStructureGeometryKHR instances = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
        .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                               .data.deviceAddress = harness_buffer_address(vk, &world->instances)}};
    build(vk, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, &instances, &world->top);
}

static void destroy_structure(struct harness_vulkan *vk, struct harness_structure *built)
{
    CALL(DestroyAccelerationStructureKHR)(vk->device, built->structure, NULL);
    harness_buffer_destroy(vk, &built->storage);
    harness_buffer_destroy(vk, &built->scratch);
}

void harness_world_destroy(struct harness_vulkan *vk, struct harness_world *world)
{
    destroy_structure(vk, &world->top);
    destroy_structure(vk, &world->bottom);
    harness_buffer_destroy(vk, &world->triangle);
    harness_buffer_destroy(vk, &world->instances);
}

/* ---- Pipelines ---- */

VkPipeline harness_rays_pipeline(struct harness_vulkan *vk, const struct harness_rays_params *params)
{
    VkPipelineShaderStageCreateInfo stages[RAYS_GROUPS];
    VkRayTracingShaderGroupCreateInfoKHR groups[RAYS_GROUPS];
    for (unsigned i = 0; i < params->count; i++) {
        const unsigned group = params->first + i;
        const bool hit = group == RAYS_HIT;
        stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = harness_rays_stages[group],
                                                      .module = harness_module(vk, params->code[group]),
                                                      .pName = "main"};
        groups[i] = (VkRayTracingShaderGroupCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
            .type = hit ? VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR
                        : VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
            .generalShader = hit ? VK_SHADER_UNUSED_KHR : i,
            .closestHitShader = hit ? i : VK_SHADER_UNUSED_KHR,
            .anyHitShader = VK_SHADER_UNUSED_KHR,
            .intersectionShader = VK_SHADER_UNUSED_KHR};
    }
    const VkPipelineLibraryCreateInfoKHR linked = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                                   .libraryCount = 2,
                                                   .pLibraries = params->libraries};
    const VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR,
        .maxPipelineRayPayloadSize = 2 * sizeof(float),
        .maxPipelineRayHitAttributeSize = 2 * sizeof(float)};
    const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                    .flags = params->flags,
                                                    .stageCount = params->count,
                                                    .pStages = stages,
                                                    .groupCount = params->count,
                                                    .pGroups = groups,
                                                    .maxPipelineRayRecursionDepth = 1,
                                                    .pLibraryInfo = params->libraries ? &linked : NULL,
                                                    .pLibraryInterface =
                                                        params->flags || params->libraries ? &interface : NULL,
                                                    .layout = params->layout};
    VkDeferredOperationKHR deferred;
    VkPipeline pipeline = VK_NULL_HANDLE;
    HARNESS_VK(CALL(CreateDeferredOperationKHR)(vk->device, NULL, &deferred));
    VkResult result =
        CALL(CreateRayTracingPipelinesKHR)(vk->device, deferred, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    while (result == VK_OPERATION_DEFERRED_KHR || result == VK_THREAD_IDLE_KHR || result == VK_THREAD_DONE_KHR)
        result = CALL(DeferredOperationJoinKHR)(vk->device, deferred);
    if (result != VK_OPERATION_NOT_DEFERRED_KHR)
        HARNESS_VK(result);
    CALL(DestroyDeferredOperationKHR)(vk->device, deferred, NULL);
    for (unsigned i = 0; i < params->count; i++)
        vkDestroyShaderModule(vk->device, stages[i].module, NULL);
    return pipeline;
}

static VkDeviceSize aligned(VkDeviceSize size, uint32_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

void harness_rays_table_create(struct harness_vulkan *vk, VkPipeline pipeline, struct harness_rays_table *table)
{
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &rays};
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    const uint32_t handle = rays.shaderGroupHandleSize, base = rays.shaderGroupBaseAlignment;
    const VkDeviceSize stride = aligned(aligned(handle, rays.shaderGroupHandleAlignment), base);
    unsigned char handles[RAYS_GROUPS * 256];
    if (RAYS_GROUPS * handle > sizeof(handles))
        harness_fail("handles of %u bytes", handle);
    HARNESS_VK(
        CALL(GetRayTracingShaderGroupHandlesKHR)(vk->device, pipeline, 0, RAYS_GROUPS, RAYS_GROUPS * handle, handles));
    harness_buffer_create(vk, &table->buffer,
                          VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          (RAYS_GROUPS + 1) * stride, NULL);
    const VkDeviceAddress address = harness_buffer_address(vk, &table->buffer), first = aligned(address, base);
    for (unsigned i = 0; i < RAYS_GROUPS; i++) {
        table->regions[i] = (VkStridedDeviceAddressRegionKHR){first + i * stride, stride, stride};
        memcpy((unsigned char *)table->buffer.map + (first - address) + i * stride, handles + i * handle, handle);
    }
}

void harness_rays_table_destroy(struct harness_vulkan *vk, struct harness_rays_table *table)
{
    harness_buffer_destroy(vk, &table->buffer);
}

void harness_rays_trace(const struct harness_vulkan *vk, const struct harness_rays_table *table,
                        VkCommandBuffer commands, uint32_t width, uint32_t height)
{
    static const VkStridedDeviceAddressRegionKHR none = {0};
    CALL(CmdTraceRaysKHR)
    (commands, &table->regions[RAYS_GENERATION], &table->regions[RAYS_MISS], &table->regions[RAYS_HIT], &none, width,
     height, 1);
}
