/* SPDX-License-Identifier: MIT */
#include "integration/pipelines/unread_paths.h"

#include <string.h>

#include "integration/shared/parts.h"
#include "integration_unread_compute.h"
#include "integration_unread_fragment.h"
#include "integration_unread_generation.h"

const char *const unread_path_names[UNREAD_PATHS] = {
    [UNREAD_COMPUTE] = "a compute pipeline",
    [UNREAD_COMPUTE_INLINE] = "a compute pipeline, inline",
    [UNREAD_DRAW] = "a graphics pipeline",
    [UNREAD_DRAW_INLINE] = "a graphics pipeline, inline",
    [UNREAD_LIBRARY] = "a pipeline library",
    [UNREAD_LIBRARY_INLINE] = "a pipeline library, inline",
    [UNREAD_LIBRARY_OPTIMIZED] = "a pipeline library, optimized",
    [UNREAD_OBJECT] = "a compute shader object",
    [UNREAD_OBJECTS] = "shader objects",
    [UNREAD_OBJECTS_LINKED] = "linked shader objects",
    [UNREAD_RAYS] = "a ray tracing pipeline",
    [UNREAD_RAYS_INLINE] = "a ray tracing pipeline, inline",
    [UNREAD_RAYS_LIBRARY] = "a library of ray tracing pipelines",
    [UNREAD_GENERATED] = "an execution set of pipelines",
    [UNREAD_GENERATED_OBJECTS] = "an execution set of shader objects",
};

#define CALL(U, NAME) HARNESS_PROC(&(U)->scene.vk, vk##NAME)

/* ---- What a path is ---- */

static bool is_inline(enum unread_path path)
{
    return path == UNREAD_COMPUTE_INLINE || path == UNREAD_DRAW_INLINE || path == UNREAD_LIBRARY_INLINE ||
           path == UNREAD_RAYS_INLINE;
}

static bool is_rays(enum unread_path path)
{
    return path >= UNREAD_RAYS && path <= UNREAD_RAYS_LIBRARY;
}

static bool is_generated(enum unread_path path)
{
    return path >= UNREAD_GENERATED;
}

static bool is_object(enum unread_path path)
{
    return (path >= UNREAD_OBJECT && path <= UNREAD_OBJECTS_LINKED) || path == UNREAD_GENERATED_OBJECTS;
}

static bool is_library(enum unread_path path)
{
    return path >= UNREAD_LIBRARY && path <= UNREAD_LIBRARY_OPTIMIZED;
}

static VkShaderStageFlagBits stage_of(enum unread_path path)
{
    const bool draws = path == UNREAD_DRAW || path == UNREAD_DRAW_INLINE || is_library(path) ||
                       path == UNREAD_OBJECTS || path == UNREAD_OBJECTS_LINKED;
    return draws           ? VK_SHADER_STAGE_FRAGMENT_BIT
           : is_rays(path) ? VK_SHADER_STAGE_RAYGEN_BIT_KHR
                           : VK_SHADER_STAGE_COMPUTE_BIT;
}

struct harness_spirv unread_code(enum unread_path path)
{
    switch (stage_of(path)) {
    case VK_SHADER_STAGE_FRAGMENT_BIT:
        return HARNESS_SPIRV(integration_unread_fragment);
    case VK_SHADER_STAGE_RAYGEN_BIT_KHR:
        return HARNESS_SPIRV(integration_unread_generation);
    default:
        return HARNESS_SPIRV(integration_unread_compute);
    }
}

/* ---- The device ---- */

enum { EXTENSIONS_MOST = 8 };

/* The extensions of a path, into a list; returns how many. */
static uint32_t list_extensions(enum unread_path path, const char **names)
{
    uint32_t count = 0;
    if (is_library(path) || is_inline(path)) {
        names[count++] = VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME;
        names[count++] = VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME;
    }
    if (is_generated(path)) {
        names[count++] = VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME;
        names[count++] = VK_KHR_MAINTENANCE_5_EXTENSION_NAME;
    }
    if (is_object(path))
        names[count++] = VK_EXT_SHADER_OBJECT_EXTENSION_NAME;
    for (unsigned i = 0; is_rays(path) && i < HARNESS_RAYS_EXTENSIONS; i++) {
        if (!is_inline(path) || strcmp(harness_rays_extensions[i], VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME) != 0)
            names[count++] = harness_rays_extensions[i];
    }
    return count;
}

static bool variable_counts(void)
{
    struct harness_vulkan vk;
    VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features};
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    vkGetPhysicalDeviceFeatures2(vk.physical, &query);
    harness_vulkan_close(&vk);
    return features.descriptorBindingVariableDescriptorCount;
}

/*
 * Without the validation layer, which says what is wrong of the modules. Where the driver does not offer variable
 * counts, the layouts ask for them all the same, and sets have all: the layer moves the binding, and the driver sees
 * nothing else.
 */
static void open_device(struct unread *u, const char *const *extensions, uint32_t count)
{
    VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
        .graphicsPipelineLibrary = VK_TRUE};
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .shaderObject = VK_TRUE};
    struct harness_features maintenance5 = {(VkStructureType)1000470000, NULL, {VK_TRUE}};
    VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
        .pNext = &maintenance5,
        .deviceGeneratedCommands = VK_TRUE};
    VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
        .accelerationStructure = VK_TRUE};
    VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
        .pNext = &structures,
        .rayTracingPipeline = VK_TRUE};
    VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                   .dynamicRendering = VK_TRUE};
    const VkBool32 variable = variable_counts();
    VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .pNext = &features13,
                                                   .bufferDeviceAddress = VK_TRUE,
                                                   .descriptorIndexing = variable,
                                                   .descriptorBindingVariableDescriptorCount = variable};
    void **tail = &features13.pNext;
    if (is_library(u->path) || is_inline(u->path)) {
        *tail = &libraries;
        tail = &libraries.pNext;
    }
    if (is_object(u->path)) {
        *tail = &objects;
        tail = &objects.pNext;
    }
    if (is_generated(u->path))
        *tail = &generated;
    if (is_rays(u->path))
        *tail = &rays;
    scene_open(&u->scene, &(struct harness_vulkan_params){
                              .layers = "clampler",
                              .device_extensions = extensions,
                              .device_extension_count = count,
                              .device_next = &features12,
                              .sets = u->kind == UNREAD_PLACED ? HARNESS_SETS_DESCRIPTOR_BUFFER : HARNESS_SETS_PLAIN});
}

static void open_layouts(struct unread *u)
{
    static const VkDescriptorBindingFlags variable[2] = {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT};
    static const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
        {1, SCENE_COMBINED, 2, VK_SHADER_STAGE_ALL, NULL}};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 2,
        .pBindingFlags = variable};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = u->kind == UNREAD_MOVED ? &flags : NULL,
        .flags = u->kind == UNREAD_PLACED ? (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0,
        .bindingCount = 2,
        .pBindings = bindings};
    HARNESS_VK(vkCreateDescriptorSetLayout(u->scene.vk.device, &info, NULL, &u->set_layout));
    u->layout = harness_pipeline_layout(&u->scene.vk, &u->set_layout, 1, 0);
}

static void open_set(struct unread *u)
{
    static const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}, {SCENE_COMBINED, 2}};
    static const uint32_t all = 2;
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
    const VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &all};
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .pNext = u->kind == UNREAD_MOVED ? &counts : NULL,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &u->set_layout};
    HARNESS_VK(vkCreateDescriptorPool(u->scene.vk.device, &pool, NULL, &u->pool));
    info.descriptorPool = u->pool;
    HARNESS_VK(vkAllocateDescriptorSets(u->scene.vk.device, &info, &u->set));
    harness_buffer_create(&u->scene.vk, &u->pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(u->scene.pixels), NULL);
    harness_write_buffer(&u->scene.vk, u->set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, u->pixels.buffer);
    scene_write(&u->scene, u->set, 1, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);
}

bool unread_open(struct unread *u, enum unread_path path, enum unread_layout layout)
{
    const char *extensions[EXTENSIONS_MOST];
    const uint32_t count = list_extensions(path, extensions);
    for (uint32_t i = 0; i < count; i++) {
        if (harness_driver_has(extensions[i]))
            continue;
        print_message("%s: the driver lacks %s\n", unread_path_names[path], extensions[i]);
        return false;
    }
    *u = (struct unread){.path = path, .kind = layout};
    open_device(u, extensions, count);
    open_layouts(u);
    if (layout != UNREAD_PLACED)
        open_set(u);
    return true;
}

void unread_close(struct unread *u)
{
    harness_layouts_destroy(&u->scene.vk, u->layout, u->set_layout);
    vkDestroyDescriptorPool(u->scene.vk.device, u->pool, NULL);
    if (u->kind != UNREAD_PLACED)
        harness_buffer_destroy(&u->scene.vk, &u->pixels);
    scene_close(&u->scene);
}

/* ---- Programs ---- */

/* Where a handle goes, which holds another: creations that fail must overwrite it (Vulkan 1.4, 3.7). */
static VkPipeline *into(VkPipeline *handle)
{
    *handle = (VkPipeline)UNREAD_NO_HANDLE;
    return handle;
}

/* The stage with the code; *inlined lives as long. Its module, if it has one, is the caller's. */
static VkPipelineShaderStageCreateInfo stage_with(struct unread *u, struct harness_spirv code,
                                                  VkShaderModuleCreateInfo *inlined)
{
    *inlined = (VkShaderModuleCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code.bytes, .pCode = code.words};
    return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                             .pNext = is_inline(u->path) ? inlined : NULL,
                                             .stage = stage_of(u->path),
                                             .module = is_inline(u->path) ? VK_NULL_HANDLE
                                                                          : harness_module(&u->scene.vk, code),
                                             .pName = "main"};
}

static VkPipelineCreateFlags placed_flag(const struct unread *u)
{
    return u->kind == UNREAD_PLACED ? (VkFlags)VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
}

static VkResult create_compute(struct unread *u, struct harness_spirv code)
{
    VkShaderModuleCreateInfo inlined;
    const VkPipelineCreateFlags2CreateInfoKHR flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
        .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT | placed_flag(u)};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .pNext = is_generated(u->path) ? &flags : NULL,
                                              .flags = placed_flag(u),
                                              .stage = stage_with(u, code, &inlined),
                                              .layout = u->layout};
    VkResult result = vkCreateComputePipelines(u->scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, into(&u->pipeline));
    vkDestroyShaderModule(u->scene.vk.device, info.stage.module, NULL);
    return result;
}

static VkResult create_graphics(struct unread *u, struct harness_spirv code)
{
    struct parts parts;
    VkShaderModuleCreateInfo inlined;
    VkGraphicsPipelineLibraryCreateInfoEXT brings = {.sType =
                                                         VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
    const VkPipelineCreateFlags retains =
        u->path == UNREAD_LIBRARY_OPTIMIZED ? VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT : 0u;
    VkResult result = VK_SUCCESS;
    parts_open(&u->scene, &parts, unread_code(u->path), u->layout);
    vkDestroyShaderModule(u->scene.vk.device, parts.stages[1].module, NULL);
    parts.stages[1] = stage_with(u, code, &inlined);
    parts.info.flags = placed_flag(u);
    if (!is_library(u->path))
        result =
            vkCreateGraphicsPipelines(u->scene.vk.device, VK_NULL_HANDLE, 1, &parts.info, NULL, into(&u->pipeline));
    for (unsigned i = 0; i < 2 && is_library(u->path) && result == VK_SUCCESS; i++) {
        brings.flags = i ? VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                               VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
                         : VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                               VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
        parts.info.pNext = &brings;
        parts.info.flags = placed_flag(u) | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | retains;
        parts.info.stageCount = 1;
        parts.info.pStages = &parts.stages[i];
        result =
            vkCreateGraphicsPipelines(u->scene.vk.device, VK_NULL_HANDLE, 1, &parts.info, NULL, into(&u->libraries[i]));
    }
    parts_close(&u->scene, &parts);
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = u->libraries};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &linked,
        .flags = placed_flag(u) | (retains ? (VkFlags)VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0),
        .layout = u->layout};
    if (is_library(u->path) && result == VK_SUCCESS)
        result = vkCreateGraphicsPipelines(u->scene.vk.device, VK_NULL_HANDLE, 1, &info, NULL, into(&u->pipeline));
    return result;
}

static VkShaderCreateInfoEXT object_info(const struct unread *u, VkShaderStageFlagBits stage, struct harness_spirv code)
{
    const VkShaderCreateFlagsEXT flags = u->path == UNREAD_OBJECTS_LINKED ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT
                                         : u->path == UNREAD_GENERATED_OBJECTS
                                             ? (VkFlags)VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT
                                             : 0u;
    return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .flags = flags,
                                   .stage = stage,
                                   .nextStage = stage == VK_SHADER_STAGE_VERTEX_BIT ? VK_SHADER_STAGE_FRAGMENT_BIT : 0,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = code.bytes,
                                   .pCode = code.words,
                                   .pName = "main",
                                   .setLayoutCount = 1,
                                   .pSetLayouts = &u->set_layout};
}

/* The first shader is that of the path; a vertex shader is the other. */
static VkResult create_objects(struct unread *u, struct harness_spirv code)
{
    const VkShaderStageFlagBits stage = stage_of(u->path);
    const VkShaderCreateInfoEXT infos[2] = {object_info(u, stage, code),
                                            object_info(u, VK_SHADER_STAGE_VERTEX_BIT, harness_covering_triangle())};
    const uint32_t count = stage == VK_SHADER_STAGE_COMPUTE_BIT ? 1 : 2;
    u->shaders[0] = (VkShaderEXT)UNREAD_NO_HANDLE;
    return CALL(u, CreateShadersEXT)(u->scene.vk.device, count, infos, NULL, u->shaders);
}

/* Three groups of the one shader, so that the harness's table fits. */
static VkResult create_rays(struct unread *u, struct harness_spirv code)
{
    const bool library = u->path == UNREAD_RAYS_LIBRARY;
    VkShaderModuleCreateInfo inlined;
    VkRayTracingShaderGroupCreateInfoKHR groups[RAYS_GROUPS];
    for (unsigned i = 0; i < RAYS_GROUPS; i++)
        groups[i] =
            (VkRayTracingShaderGroupCreateInfoKHR){.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
                                                   .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
                                                   .closestHitShader = VK_SHADER_UNUSED_KHR,
                                                   .anyHitShader = VK_SHADER_UNUSED_KHR,
                                                   .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkPipelineShaderStageCreateInfo stage = stage_with(u, code, &inlined);
    const VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR};
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 1, .pLibraries = u->libraries};
    VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                              .flags = placed_flag(u) |
                                                       (library ? (VkFlags)VK_PIPELINE_CREATE_LIBRARY_BIT_KHR : 0),
                                              .stageCount = 1,
                                              .pStages = &stage,
                                              .groupCount = RAYS_GROUPS,
                                              .pGroups = groups,
                                              .pLibraryInterface = library ? &interface : NULL,
                                              .layout = u->layout};
    VkResult result = CALL(u, CreateRayTracingPipelinesKHR)(u->scene.vk.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                            &info, NULL, into(library ? u->libraries : &u->pipeline));
    vkDestroyShaderModule(u->scene.vk.device, stage.module, NULL);
    info.flags = placed_flag(u);
    info.stageCount = info.groupCount = 0;
    info.pLibraryInfo = &linked;
    if (library && result == VK_SUCCESS)
        result = CALL(u, CreateRayTracingPipelinesKHR)(u->scene.vk.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info,
                                                       NULL, into(&u->pipeline));
    return result;
}

VkResult unread_create(struct unread *u, struct harness_spirv code)
{
    if (is_object(u->path))
        return create_objects(u, code);
    if (is_rays(u->path))
        return create_rays(u, code);
    return stage_of(u->path) == VK_SHADER_STAGE_COMPUTE_BIT ? create_compute(u, code) : create_graphics(u, code);
}

void unread_destroy(struct unread *u)
{
    vkDestroyPipeline(u->scene.vk.device, u->pipeline, NULL);
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyPipeline(u->scene.vk.device, u->libraries[i], NULL);
        if (is_object(u->path))
            CALL(u, DestroyShaderEXT)(u->scene.vk.device, u->shaders[i], NULL);
        u->libraries[i] = VK_NULL_HANDLE;
        u->shaders[i] = VK_NULL_HANDLE;
    }
    u->pipeline = VK_NULL_HANDLE;
}

/* ---- Drawing ---- */

static VkPipelineBindPoint point_of(const struct unread *u)
{
    return is_rays(u->path)                                   ? VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR
           : stage_of(u->path) == VK_SHADER_STAGE_COMPUTE_BIT ? VK_PIPELINE_BIND_POINT_COMPUTE
                                                              : VK_PIPELINE_BIND_POINT_GRAPHICS;
}

static void bind(struct unread *u, VkCommandBuffer commands)
{
    static const VkShaderStageFlagBits compute = VK_SHADER_STAGE_COMPUTE_BIT;
    static const VkShaderStageFlagBits graphics[2] = {VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_VERTEX_BIT};
    const bool computes = point_of(u) == VK_PIPELINE_BIND_POINT_COMPUTE;
    if (!is_object(u->path)) {
        vkCmdBindPipeline(commands, point_of(u), u->pipeline);
    } else {
        CALL(u, CmdBindShadersEXT)(commands, computes ? 1 : 2, computes ? &compute : graphics, u->shaders);
        if (!computes)
            harness_objects_set_state(&u->scene.vk, &u->scene.target, 2, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, commands);
    }
    vkCmdBindDescriptorSets(commands, point_of(u), u->layout, 0, 1, &u->set, 0, NULL);
}

static void draw(struct unread *u)
{
    VkCommandBuffer commands;
    if (!is_object(u->path)) {
        commands = scene_begin(&u->scene);
        bind(u, commands);
        vkCmdDraw(commands, 3, 1, 0, 0);
        scene_end(&u->scene, commands);
        return;
    }
    scene_mark(&u->scene);
    commands = harness_begin(&u->scene.vk);
    harness_target_begin_rendering(&u->scene.target, commands);
    bind(u, commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end_rendering(&u->scene.target, commands);
    harness_submit(&u->scene.vk, commands);
    scene_take(&u->scene);
    harness_target_read(&u->scene.vk, &u->scene.target, u->scene.pixels);
}

/* One dispatch of the first of an execution set. */
struct sequence {
    uint32_t chosen;
    VkDispatchIndirectCommand dispatch;
};

struct generated_parts {
    struct harness_buffer sequence;
    struct generated_memory memory;
    VkIndirectExecutionSetEXT set;
    VkIndirectCommandsLayoutEXT layout;
};

static void open_generated(struct unread *u, struct generated_parts *g)
{
    const bool objects = is_object(u->path);
    const VkIndirectExecutionSetInfoTypeEXT type = objects ? VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT
                                                           : VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT;
    const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = u->pipeline,
        .maxPipelineCount = 1};
    const VkIndirectExecutionSetShaderLayoutInfoEXT sets = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT,
        .setLayoutCount = 1,
        .pSetLayouts = &u->set_layout};
    const VkIndirectExecutionSetShaderInfoEXT shaders = {.sType =
                                                             VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT,
                                                         .shaderCount = 1,
                                                         .pInitialShaders = u->shaders,
                                                         .pSetLayoutInfos = &sets,
                                                         .maxShaderCount = 1};
    VkIndirectExecutionSetCreateInfoEXT set = {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
                                               .type = type,
                                               .info.pPipelineInfo = &pipelines};
    if (objects)
        set.info.pShaderInfo = &shaders;
    HARNESS_VK(CALL(u, CreateIndirectExecutionSetEXT)(u->scene.vk.device, &set, NULL, &g->set));
    const VkIndirectCommandsExecutionSetTokenEXT chosen = {type, VK_SHADER_STAGE_COMPUTE_BIT};
    const VkIndirectCommandsLayoutTokenEXT tokens[2] = {{.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
                                                         .data.pExecutionSet = &chosen,
                                                         .offset = offsetof(struct sequence, chosen)},
                                                        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
                                                         .offset = offsetof(struct sequence, dispatch)}};
    const VkIndirectCommandsLayoutCreateInfoEXT layout = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = sizeof(struct sequence),
        .pipelineLayout = u->layout,
        .tokenCount = 2,
        .pTokens = tokens};
    HARNESS_VK(CALL(u, CreateIndirectCommandsLayoutEXT)(u->scene.vk.device, &layout, NULL, &g->layout));
    const struct sequence sequence = {0, {1, 1, 1}};
    harness_buffer_create(&u->scene.vk, &g->sequence,
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizeof(sequence), &sequence);
    const VkGeneratedCommandsMemoryRequirementsInfoEXT wanted = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .indirectExecutionSet = g->set,
        .indirectCommandsLayout = g->layout,
        .maxSequenceCount = 1};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    CALL(u, GetGeneratedCommandsMemoryRequirementsEXT)(u->scene.vk.device, &wanted, &needs);
    generated_memory_open(&u->scene.vk, &g->memory, &needs.memoryRequirements, GENERATED_PREPROCESS_EXT);
}

static void close_generated(struct unread *u, struct generated_parts *g)
{
    CALL(u, DestroyIndirectCommandsLayoutEXT)(u->scene.vk.device, g->layout, NULL);
    CALL(u, DestroyIndirectExecutionSetEXT)(u->scene.vk.device, g->set, NULL);
    generated_memory_close(&u->scene.vk, &g->memory);
    harness_buffer_destroy(&u->scene.vk, &g->sequence);
}

/* What writes the buffer. */
static void dispatch(struct unread *u)
{
    struct generated_parts g = {.set = VK_NULL_HANDLE};
    struct harness_rays_table table;
    memset(u->pixels.map, 0, sizeof(u->scene.pixels));
    if (is_generated(u->path))
        open_generated(u, &g);
    if (is_rays(u->path))
        harness_rays_table_create(&u->scene.vk, u->pipeline, &table);
    scene_mark(&u->scene);
    VkCommandBuffer commands = harness_begin(&u->scene.vk);
    bind(u, commands);
    if (is_generated(u->path)) {
        const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                                 .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                                 .indirectExecutionSet = g.set,
                                                 .indirectCommandsLayout = g.layout,
                                                 .indirectAddress = harness_buffer_address(&u->scene.vk, &g.sequence),
                                                 .indirectAddressSize = g.sequence.size,
                                                 .preprocessAddress = g.memory.address,
                                                 .preprocessSize = g.memory.size,
                                                 .maxSequenceCount = 1};
        CALL(u, CmdExecuteGeneratedCommandsEXT)(commands, VK_FALSE, &info);
    } else if (is_rays(u->path)) {
        harness_rays_trace(&u->scene.vk, &table, commands, SCENE_COLUMNS, SCENE_ROWS);
    } else {
        vkCmdDispatch(commands, 1, 1, 1);
    }
    harness_submit(&u->scene.vk, commands);
    scene_take(&u->scene);
    memcpy(u->scene.pixels, u->pixels.map, sizeof(u->scene.pixels));
    if (is_rays(u->path))
        harness_rays_table_destroy(&u->scene.vk, &table);
    if (is_generated(u->path))
        close_generated(u, &g);
}

void unread_draw(struct unread *u, enum scene_sampler sampler)
{
    scene_write(&u->scene, u->set, 1, 1, SCENE_COMBINED, sampler, SCENE_STEPS);
    if (point_of(u) == VK_PIPELINE_BIND_POINT_GRAPHICS)
        draw(u);
    else
        dispatch(u);
}
