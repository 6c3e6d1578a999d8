/* SPDX-License-Identifier: MIT */
/*
 * Ray tracing pipelines (VK_KHR_ray_tracing_pipeline): the ray generation, miss and closest hit shaders look textures
 * up as a compute shader does. Their tier is that of all that the program can ask for, from their creation on, because
 * the GPU chooses shaders by handles. Skipped where the driver lacks the extensions.
 */
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/scene.h"
#include "integration_rays_compute.h"
#include "integration_rays_generation.h"
#include "integration_rays_hit.h"
#include "integration_rays_miss.h"

enum { GENERATION, MISS, HIT, GROUPS };
enum { TEXELS = 4 };

/* How the pipeline comes about, and how its sets are bound. */
enum way { WHOLE, LIBRARIES, AFTER_BIND, PUSHED, WAYS };

/* How rays are traced. */
enum command { DIRECT, INDIRECT, INDIRECT_2, COMMANDS };

struct built {
    struct harness_buffer storage, scratch;
    VkAccelerationStructureKHR structure;
};

struct fixture {
    struct scene scene;
    enum way way;
    bool indirect_2;
    struct harness_image floats; /* of a format that the driver cannot filter, or so the layer believes */
    VkDescriptorSetLayout set_layouts[2];
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[2];
    struct harness_buffer pixels, triangle, instances;
    struct built bottom, top;
    VkPipeline pipeline, compute, libraries[2];
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR properties;
    struct harness_buffer table; /* of shader handles, one each in a region of its own */
    VkStridedDeviceAddressRegionKHR regions[GROUPS];
};

#define CALL(F, NAME) HARNESS_PROC(&(F)->scene.vk, vk##NAME)

static const char *const extensions[] = {
    VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,   VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
    VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
    VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,          VK_KHR_RAY_TRACING_MAINTENANCE_1_EXTENSION_NAME};
enum { EXTENSIONS = sizeof(extensions) / sizeof(extensions[0]) };

/* The number of extensions that the driver has, in the order of the list; all but the last are needed. */
static uint32_t extensions_of_driver(void)
{
    struct harness_vulkan vk;
    uint32_t count = 0;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    while (count < EXTENSIONS && harness_has_extension(&vk, extensions[count]))
        count++;
    harness_vulkan_close(&vk);
    return count;
}

/* ---- What rays meet: one triangle in the direction of z ---- */

static void build(struct fixture *f, VkAccelerationStructureTypeKHR type,
                  const VkAccelerationStructureGeometryKHR *geometry, struct built *built)
{
    struct harness_vulkan *vk = &f->scene.vk;
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
    CALL(f, GetAccelerationStructureBuildSizesKHR)
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
    HARNESS_VK(CALL(f, CreateAccelerationStructureKHR)(vk->device, &create, NULL, &built->structure));
    info.dstAccelerationStructure = built->structure;
    info.scratchData.deviceAddress = (harness_buffer_address(vk, &built->scratch) + 255) & ~(VkDeviceAddress)255;
    VkCommandBuffer commands = harness_begin(vk);
    CALL(f, CmdBuildAccelerationStructuresKHR)(commands, 1, &info, &ranges);
    harness_submit(vk, commands);
}

static void open_world(struct fixture *f)
{
    static const float corners[3][3] = {{-8, -8, 1}, {8, -8, 1}, {0, 8, 1}};
    struct harness_vulkan *vk = &f->scene.vk;
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    harness_buffer_create(vk, &f->triangle, usage, sizeof(corners), corners);
    const VkAccelerationStructureGeometryKHR triangles = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
        .geometry.triangles = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
                               .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                               .vertexData.deviceAddress = harness_buffer_address(vk, &f->triangle),
                               .vertexStride = sizeof(corners[0]),
                               .maxVertex = 2,
                               .indexType = VK_INDEX_TYPE_NONE_KHR},
        .flags = VK_GEOMETRY_OPAQUE_BIT_KHR};
    build(f, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, &triangles, &f->bottom);
    const VkAccelerationStructureDeviceAddressInfoKHR bottom = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = f->bottom.structure};
    const VkAccelerationStructureInstanceKHR instance = {
        .transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
        .mask = 0xff,
        .flags = VK_GEOMETRY_INSTANCE_TRIANGLE_FACING_CULL_DISABLE_BIT_KHR,
        .accelerationStructureReference = CALL(f, GetAccelerationStructureDeviceAddressKHR)(vk->device, &bottom)};
    harness_buffer_create(vk, &f->instances, usage, sizeof(instance), &instance);
    const VkAccelerationStructureGeometryKHR instances = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
        .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                               .data.deviceAddress = harness_buffer_address(vk, &f->instances)}};
    build(f, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, &instances, &f->top);
}

static void close_built(struct fixture *f, struct built *built)
{
    CALL(f, DestroyAccelerationStructureKHR)(f->scene.vk.device, built->structure, NULL);
    harness_buffer_destroy(&f->scene.vk, &built->storage);
    harness_buffer_destroy(&f->scene.vk, &built->scratch);
}

/* ---- Sets ---- */

static VkDescriptorSetLayout set_layout(struct fixture *f, const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
                                        VkDescriptorSetLayoutCreateFlags flags)
{
    static const VkDescriptorBindingFlags after[2] = {VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT,
                                                      VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = count,
        .pBindingFlags = after};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT ? &binding_flags : NULL,
        .flags = flags,
        .bindingCount = count,
        .pBindings = bindings};
    VkDescriptorSetLayout layout;
    HARNESS_VK(vkCreateDescriptorSetLayout(f->scene.vk.device, &info, NULL, &layout));
    return layout;
}

static VkDescriptorSet new_set(struct fixture *f, VkDescriptorSetLayout layout)
{
    VkDescriptorSet set;
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = f->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    HARNESS_VK(vkAllocateDescriptorSets(f->scene.vk.device, &info, &set));
    return set;
}

static void open_sets(struct fixture *f)
{
    static const VkShaderStageFlags stages = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                                             VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_COMPUTE_BIT;
    static const VkDescriptorSetLayoutBinding lookup[] = {{0, SCENE_COMBINED, 1, stages, NULL},
                                                          {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, NULL}};
    static const VkDescriptorSetLayoutBinding world = {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, stages,
                                                       NULL};
    static const VkDescriptorPoolSize sizes[] = {{SCENE_COMBINED, 4},
                                                 {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4},
                                                 {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 4}};
    struct harness_vulkan *vk = &f->scene.vk;
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                                             .maxSets = 4,
                                             .poolSizeCount = 3,
                                             .pPoolSizes = sizes};
    f->set_layouts[0] = set_layout(f, lookup, 2,
                                   f->way == AFTER_BIND ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                                   : f->way == PUSHED   ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR
                                                        : 0);
    f->set_layouts[1] = set_layout(f, &world, 1, 0);
    f->layout = harness_pipeline_layout(vk, f->set_layouts, 2, 0);
    HARNESS_VK(vkCreateDescriptorPool(vk->device, &pool, NULL, &f->pool));
    f->sets[1] = new_set(f, f->set_layouts[1]);
    const VkWriteDescriptorSetAccelerationStructureKHR structure = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &f->top.structure};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = &structure,
                                        .dstSet = f->sets[1],
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
    harness_buffer_create(vk, &f->pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(f->scene.pixels), NULL);
    if (f->way == PUSHED)
        return;
    f->sets[0] = new_set(f, f->set_layouts[0]);
    harness_write_buffer(vk, f->sets[0], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, f->pixels.buffer);
}

/* ---- Pipelines ---- */

static const VkShaderStageFlagBits stage_of[GROUPS] = {VK_SHADER_STAGE_RAYGEN_BIT_KHR, VK_SHADER_STAGE_MISS_BIT_KHR,
                                                       VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR};

/* A pipeline, or a library, of `count` groups from `first` on. Its modules are gone when it returns. */
static VkPipeline make(struct fixture *f, unsigned first, unsigned count, VkPipelineCreateFlags flags,
                       const VkPipeline *libraries)
{
    const struct harness_spirv code[GROUPS] = {HARNESS_SPIRV(integration_rays_generation),
                                               HARNESS_SPIRV(integration_rays_miss),
                                               HARNESS_SPIRV(integration_rays_hit)};
    VkPipelineShaderStageCreateInfo stages[GROUPS];
    VkRayTracingShaderGroupCreateInfoKHR groups[GROUPS];
    for (unsigned i = 0; i < count; i++) {
        const bool hit = first + i == HIT;
        stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = stage_of[first + i],
                                                      .module = harness_module(&f->scene.vk, code[first + i]),
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
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
    const VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR,
        .maxPipelineRayPayloadSize = 2 * sizeof(float),
        .maxPipelineRayHitAttributeSize = 2 * sizeof(float)};
    const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                    .flags = flags,
                                                    .stageCount = count,
                                                    .pStages = stages,
                                                    .groupCount = count,
                                                    .pGroups = groups,
                                                    .maxPipelineRayRecursionDepth = 1,
                                                    .pLibraryInfo = libraries ? &linked : NULL,
                                                    .pLibraryInterface = flags || libraries ? &interface : NULL,
                                                    .layout = f->layout};
    VkDeferredOperationKHR deferred;
    VkPipeline pipeline = VK_NULL_HANDLE;
    HARNESS_VK(CALL(f, CreateDeferredOperationKHR)(f->scene.vk.device, NULL, &deferred));
    VkResult result =
        CALL(f, CreateRayTracingPipelinesKHR)(f->scene.vk.device, deferred, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    while (result == VK_OPERATION_DEFERRED_KHR || result == VK_THREAD_IDLE_KHR || result == VK_THREAD_DONE_KHR)
        result = CALL(f, DeferredOperationJoinKHR)(f->scene.vk.device, deferred);
    assert_true(result == VK_SUCCESS || result == VK_OPERATION_NOT_DEFERRED_KHR);
    CALL(f, DestroyDeferredOperationKHR)(f->scene.vk.device, deferred, NULL);
    for (unsigned i = 0; i < count; i++)
        vkDestroyShaderModule(f->scene.vk.device, stages[i].module, NULL);
    return pipeline;
}

static VkDeviceSize aligned(VkDeviceSize size, uint32_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

static void open_table(struct fixture *f)
{
    struct harness_vulkan *vk = &f->scene.vk;
    const uint32_t handle = f->properties.shaderGroupHandleSize, base = f->properties.shaderGroupBaseAlignment;
    const VkDeviceSize stride = aligned(aligned(handle, f->properties.shaderGroupHandleAlignment), base);
    unsigned char handles[GROUPS * 256];
    assert_true(GROUPS * handle <= sizeof(handles));
    HARNESS_VK(
        CALL(f, GetRayTracingShaderGroupHandlesKHR)(vk->device, f->pipeline, 0, GROUPS, GROUPS * handle, handles));
    harness_buffer_create(vk, &f->table,
                          VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          (GROUPS + 1) * stride, NULL);
    const VkDeviceAddress address = harness_buffer_address(vk, &f->table), first = aligned(address, base);
    for (unsigned i = 0; i < GROUPS; i++) {
        f->regions[i] = (VkStridedDeviceAddressRegionKHR){first + i * stride, stride, stride};
        memcpy((unsigned char *)f->table.map + (first - address) + i * stride, handles + i * handle, handle);
    }
}

static void open_pipelines(struct fixture *f)
{
    struct harness_vulkan *vk = &f->scene.vk;
    if (f->way == LIBRARIES) {
        f->libraries[0] = make(f, GENERATION, 1, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, NULL);
        f->libraries[1] = make(f, MISS, 2, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, NULL);
        f->pipeline = make(f, 0, 0, 0, f->libraries);
    } else {
        f->pipeline = make(f, 0, GROUPS, 0, NULL);
    }
    f->compute = harness_compute_pipeline(vk, HARNESS_SPIRV(integration_rays_compute), f->layout);
    open_table(f);
}

/* ---- The fixture ---- */

static void open_device(struct fixture *f, enum way way, struct harness_vulkan_params *params)
{
    const uint32_t count = extensions_of_driver();
    if (count < EXTENSIONS - 1) {
        print_message("the driver lacks %s\n", extensions[count]);
        skip();
    }
    memset(f, 0, sizeof(*f));
    f->way = way;
    f->indirect_2 = count == EXTENSIONS;
    VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR more = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR,
        .rayTracingMaintenance1 = VK_TRUE,
        .rayTracingPipelineTraceRaysIndirect2 = VK_TRUE};
    VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
        .pNext = f->indirect_2 ? &more : NULL,
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
    params->device_extensions = extensions;
    params->device_extension_count = count;
    params->device_next = &features;
    if (params->gl_sampler)
        scene_open_device(&f->scene, params);
    else
        harness_vulkan_open(&f->scene.vk, params);
    assert_non_null(f->scene.vk.counters);
    scene_make(&f->scene, params->gl_sampler);
    f->properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR;
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &f->properties};
    vkGetPhysicalDeviceProperties2(f->scene.vk.physical, &properties);
    open_world(f);
    open_sets(f);
    open_pipelines(f);
}

static void open_fixture(struct fixture *f, enum way way, struct harness_vulkan_params params)
{
    static const float texels[TEXELS] = {20 / 255.0f, 180 / 255.0f, 60 / 255.0f, 240 / 255.0f};
    params.gl_sampler = true;
    setenv("VK_CLAMPLER_ASSUME_MISSING", "linear_float32", 1);
    open_device(f, way, &params);
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    harness_image_create(
        &f->scene.vk, &f->floats,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R32_SFLOAT, .width = TEXELS, .height = 1},
        texels);
}

static void close_fixture(struct fixture *f)
{
    struct harness_vulkan *vk = &f->scene.vk;
    vkDestroyPipeline(vk->device, f->pipeline, NULL);
    vkDestroyPipeline(vk->device, f->libraries[0], NULL);
    vkDestroyPipeline(vk->device, f->libraries[1], NULL);
    vkDestroyPipeline(vk->device, f->compute, NULL);
    vkDestroyPipelineLayout(vk->device, f->layout, NULL);
    vkDestroyDescriptorSetLayout(vk->device, f->set_layouts[0], NULL);
    vkDestroyDescriptorSetLayout(vk->device, f->set_layouts[1], NULL);
    vkDestroyDescriptorPool(vk->device, f->pool, NULL);
    close_built(f, &f->top);
    close_built(f, &f->bottom);
    harness_buffer_destroy(vk, &f->pixels);
    harness_buffer_destroy(vk, &f->triangle);
    harness_buffer_destroy(vk, &f->instances);
    harness_buffer_destroy(vk, &f->table);
    harness_image_destroy(vk, &f->floats);
    scene_close(&f->scene);
}

/* ---- Lookups ---- */

static void write(struct fixture *f, VkSampler sampler, VkImageView view)
{
    harness_write_image(&f->scene.vk, f->sets[0], 0, 0, SCENE_COMBINED, sampler, view);
}

static void bind(struct fixture *f, VkCommandBuffer commands, VkPipelineBindPoint point, VkSampler sampler,
                 VkImageView view)
{
    if (f->way != PUSHED) {
        vkCmdBindDescriptorSets(commands, point, f->layout, 0, 2, f->sets, 0, NULL);
        return;
    }
    const VkDescriptorImageInfo image = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorBufferInfo buffer = {f->pixels.buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet writes[2] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                             .dstBinding = 0,
                                             .descriptorCount = 1,
                                             .descriptorType = SCENE_COMBINED,
                                             .pImageInfo = &image},
                                            {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                             .dstBinding = 1,
                                             .descriptorCount = 1,
                                             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                             .pBufferInfo = &buffer}};
    CALL(f, CmdPushDescriptorSetKHR)(commands, point, f->layout, 0, 2, writes);
    vkCmdBindDescriptorSets(commands, point, f->layout, 1, 1, &f->sets[1], 0, NULL);
}

static void trace(struct fixture *f, VkCommandBuffer commands, enum command command, struct harness_buffer *arguments)
{
    static const VkStridedDeviceAddressRegionKHR none = {0};
    const VkTraceRaysIndirectCommandKHR size = {SCENE_COLUMNS, SCENE_ROWS, 1};
    const VkTraceRaysIndirectCommand2KHR all = {.raygenShaderRecordAddress = f->regions[GENERATION].deviceAddress,
                                                .raygenShaderRecordSize = f->regions[GENERATION].size,
                                                .missShaderBindingTableAddress = f->regions[MISS].deviceAddress,
                                                .missShaderBindingTableSize = f->regions[MISS].size,
                                                .missShaderBindingTableStride = f->regions[MISS].stride,
                                                .hitShaderBindingTableAddress = f->regions[HIT].deviceAddress,
                                                .hitShaderBindingTableSize = f->regions[HIT].size,
                                                .hitShaderBindingTableStride = f->regions[HIT].stride,
                                                .width = SCENE_COLUMNS,
                                                .height = SCENE_ROWS,
                                                .depth = 1};
    if (command == DIRECT) {
        CALL(f, CmdTraceRaysKHR)
        (commands, &f->regions[GENERATION], &f->regions[MISS], &f->regions[HIT], &none, SCENE_COLUMNS, SCENE_ROWS, 1);
        return;
    }
    harness_buffer_create(&f->scene.vk, arguments,
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, sizeof(all),
                          NULL);
    memcpy(arguments->map, command == INDIRECT ? (const void *)&size : &all,
           command == INDIRECT ? sizeof(size) : sizeof(all));
    const VkDeviceAddress address = harness_buffer_address(&f->scene.vk, arguments);
    if (command == INDIRECT)
        CALL(f, CmdTraceRaysIndirectKHR)
    (commands, &f->regions[GENERATION], &f->regions[MISS], &f->regions[HIT], &none, address);
    else CALL(f, CmdTraceRaysIndirect2KHR)(commands, address);
}

static void submit(struct fixture *f, VkCommandBuffer commands)
{
    memset(f->pixels.map, 0xff, sizeof(f->scene.pixels));
    harness_submit(&f->scene.vk, commands);
    scene_take(&f->scene);
    memcpy(f->scene.pixels, f->pixels.map, sizeof(f->scene.pixels));
}

/* The pixels by rays in scene.pixels. With AFTER_BIND the texture is written after its set was bound. */
static void look_up(struct fixture *f, enum command command, VkSampler sampler, VkImageView view)
{
    struct harness_buffer arguments = {.buffer = VK_NULL_HANDLE};
    if (f->way == WHOLE || f->way == LIBRARIES)
        write(f, sampler, view);
    scene_mark(&f->scene);
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, f->pipeline);
    bind(f, commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, sampler, view);
    trace(f, commands, command, &arguments);
    if (f->way == AFTER_BIND)
        write(f, sampler, view);
    submit(f, commands);
    if (arguments.buffer)
        harness_buffer_destroy(&f->scene.vk, &arguments);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        assert_int_equal((int)f->scene.pixels[row][0][1], row / 2); /* the stage that looked up */
}

/* The same lookups by a compute shader, whose tier follows what is bound, are bit by bit what the rays found. */
static void expect_as_computed(struct fixture *f, VkSampler sampler, VkImageView view)
{
    float by_rays[SCENE_ROWS][SCENE_COLUMNS][4];
    memcpy(by_rays, f->scene.pixels, sizeof(by_rays));
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f->compute);
    bind(f, commands, VK_PIPELINE_BIND_POINT_COMPUTE, sampler, view);
    vkCmdDispatch(commands, 1, 1, 1);
    submit(f, commands);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        for (unsigned x = 0; x < SCENE_COLUMNS; x++)
            assert_float_equal(by_rays[row][x][0], f->scene.pixels[row][x][0], 0.5f / 255.0f);
    }
}

/* A sampler of GL's with linear magnification, which is what lookups of level 0 get. */
static VkSampler sampler_of(struct fixture *f, uint32_t wrap, uint32_t min_filter)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.wrapS = wrap;
    gl.minFilter = min_filter;
    return harness_sampler(&f->scene.vk, &info);
}

static void all_stages_follow_records(void **state)
{
    (void)state;
    for (unsigned way = 0; way < WAYS; way++) {
        struct fixture f;
        open_fixture(&f, (enum way)way, (struct harness_vulkan_params){.filter_emulation = true});
        const uint64_t made = harness_counters(&f.scene.vk).pipelines[2];
        assert_int_equal(made, way == LIBRARIES ? 3 : 1);
        VkImageView steps = f.scene.textures[SCENE_STEPS].view;
        /* Tier 1 would show the edge: the filters want different ones. */
        const VkSampler mixed = sampler_of(&f, TOKEN_CLAMP, TOKEN_NEAREST);
        const VkSampler mirror = sampler_of(&f, TOKEN_MIRROR_CLAMP_TO_BORDER, TOKEN_LINEAR);
        for (unsigned command = 0; command < COMMANDS; command++) {
            static const enum scene_sampler plain[] = {SCENE_EDGE, SCENE_BORDER, SCENE_CLAMP, SCENE_MIRROR};
            if (command == INDIRECT_2 && !f.indirect_2)
                continue;
            for (unsigned i = 0; i < 4; i++) {
                look_up(&f, (enum command)command, f.scene.samplers[plain[i]], steps);
                scene_expect_tier(&f.scene, 2);
                for (unsigned row = 0; row < SCENE_ROWS; row++)
                    scene_expect_row(&f.scene, row, plain[i], SCENE_STEPS);
            }
            look_up(&f, (enum command)command, mixed, steps);
            scene_expect_tier(&f.scene, 2);
            for (unsigned row = 0; row < SCENE_ROWS; row++)
                scene_expect_row(&f.scene, row, SCENE_CLAMP, SCENE_STEPS);
            expect_as_computed(&f, mixed, steps);
            look_up(&f, (enum command)command, mirror, steps);
            expect_as_computed(&f, mirror, steps);
            /* The driver is told of no linear filter here: they are the shader's. */
            look_up(&f, (enum command)command, f.scene.samplers[SCENE_CLAMP], f.floats.view);
            for (unsigned row = 0; row < SCENE_ROWS; row++)
                scene_expect_row(&f.scene, row, SCENE_CLAMP, SCENE_STEPS);
        }
        assert_int_equal(harness_layer_messages(), 0);
        vkDestroySampler(f.scene.vk.device, mixed, NULL);
        vkDestroySampler(f.scene.vk.device, mirror, NULL);
        close_fixture(&f);
    }
}

/* Handles are those of the pipeline that the program binds; the layer never makes another one. */
static void one_pipeline_stands_behind_the_handle(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, WHOLE, (struct harness_vulkan_params){0});
    const struct clampler_counters before = harness_counters(&f.scene.vk);
    for (unsigned sampler = 0; sampler < SCENE_SAMPLERS; sampler++)
        look_up(&f, DIRECT, f.scene.samplers[sampler], f.scene.textures[SCENE_RAMP].view);
    const struct clampler_counters after = harness_counters(&f.scene.vk);
    for (unsigned tier = 0; tier < 3; tier++)
        assert_int_equal(after.pipelines[tier], before.pipelines[tier]);
    assert_int_equal(before.modules_rewritten, GROUPS);
    close_fixture(&f);
}

/* Where the program can ask for nothing, its code goes down as it is. */
static void devices_without_state_keep_their_code(void **state)
{
    (void)state;
    struct fixture f;
    setenv("VK_CLAMPLER_FORCE_ACTIVE", "true", 1);
    struct harness_vulkan_params params = {.layers = harness_test_layers("clampler:validation")};
    open_device(&f, WHOLE, &params);
    unsetenv("VK_CLAMPLER_FORCE_ACTIVE");
    look_up(&f, DIRECT, f.scene.samplers[SCENE_BORDER], f.scene.textures[SCENE_STEPS].view);
    scene_expect_tier(&f.scene, 0);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, SCENE_BORDER, SCENE_STEPS);
    const struct clampler_counters counters = harness_counters(&f.scene.vk);
    assert_int_equal(counters.modules_rewritten, 0);
    assert_int_equal(counters.pipelines[1] + counters.pipelines[2], 0);
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
