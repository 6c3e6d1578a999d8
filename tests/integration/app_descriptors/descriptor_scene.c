/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integration/app_descriptors/descriptor_scene.h"
#include "integration/shared/parts.h"

enum { TIERS = 3 };

static const enum scene_sampler rows[TIERS][SCENE_ROWS] = {
    {SCENE_EDGE, SCENE_BORDER, SCENE_BORDER, SCENE_EDGE, SCENE_EDGE, SCENE_BORDER},
    {SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR, SCENE_BORDER, SCENE_GL_EDGE, SCENE_CLAMP},
    {SCENE_EDGE, SCENE_MIXED, SCENE_CLAMP, SCENE_MIRROR, SCENE_MIXED, SCENE_BORDER}};

/* ---- The device ---- */

/* What every test enables. */
struct features {
    VkPhysicalDeviceFeatures2 first;
    VkPhysicalDeviceVulkan12Features twelve;
    VkPhysicalDeviceSynchronization2Features barriers;
};

static void fill_features(struct features *features, const void *next)
{
    *features = (struct features){.first = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                            .pNext = &features->twelve,
                                            .features = {.shaderSampledImageArrayDynamicIndexing = VK_TRUE}},
                                  .twelve = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                             .pNext = &features->barriers,
                                             .descriptorIndexing = VK_TRUE,
                                             .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
                                             .descriptorBindingPartiallyBound = VK_TRUE,
                                             .descriptorBindingVariableDescriptorCount = VK_TRUE,
                                             .runtimeDescriptorArray = VK_TRUE,
                                             .bufferDeviceAddress = VK_TRUE},
                                  .barriers = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
                                               .pNext = (void *)(uintptr_t)next,
                                               .synchronization2 = VK_TRUE}};
}

VkPhysicalDeviceDescriptorBufferPropertiesEXT descriptor_scene_driver(void)
{
    struct harness_vulkan vk;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    vkGetPhysicalDeviceProperties2(vk.physical, &properties);
    harness_vulkan_close(&vk);
    return sizes;
}

static unsigned least_tier(void)
{
    const char *least = getenv("CLAMPLER_TEST_LEAST_TIER");
    return least ? (unsigned)strtoul(least, NULL, 10) : 0;
}

/* The device gets settings of the environment, and another value for one of them. */
static void set_setting(const char *name, const char *value, char before[64])
{
    const char *has = getenv(name);
    snprintf(before, 64, "%s", has ? has : "");
    if (value)
        setenv(name, value, 1);
}

static void reset_setting(const char *name, const char *before)
{
    if (before[0])
        setenv(name, before, 1);
    else
        unsetenv(name);
}

static void open_device(struct descriptor_scene *f, const struct harness_vulkan_params *params, bool unmodified)
{
    if (f->native || unmodified) {
        harness_messages_reset();
        harness_vulkan_open(&f->scene.vk, params);
    } else {
        scene_open_device(&f->scene, params);
    }
}

void descriptor_scene_open(struct descriptor_scene *f, const struct descriptor_scene_params *given)
{
    char missing[64], fallback[64];
    const struct descriptor_scene_params params = given ? *given : (struct descriptor_scene_params){0};
    const char *layers = harness_test_layers("clampler:validation");
    struct features features;
    struct harness_vulkan_params vulkan = {.layers = params.alone ? harness_without_validation(layers) : layers,
                                           .device_extensions = params.extensions,
                                           .device_next = &features,
                                           .linking = params.linking,
                                           .sets = HARNESS_SETS_DESCRIPTOR_BUFFER};
    fill_features(&features, params.next);
    while (vulkan.device_extension_count < 4 && params.extensions[vulkan.device_extension_count])
        vulkan.device_extension_count++;
    *f = (struct descriptor_scene){.native = strcmp(layers, "none") == 0, .least = least_tier(), .tier = least_tier()};
    if (f->native)
        vulkan.layers = params.alone ? "none" : "validation";
    set_setting("VK_CLAMPLER_ASSUME_MISSING", params.missing, missing);
    set_setting("VK_CLAMPLER_LINEAR_FALLBACK", params.fallback, fallback);
    harness_vulkan_hold_driver();
    scene_skip_lacking(vulkan.layers, params.linking, HARNESS_SETS_DESCRIPTOR_BUFFER, params.extensions,
                       sizeof(params.extensions) / sizeof(params.extensions[0]));
    open_device(f, &vulkan, params.unmodified);
    reset_setting("VK_CLAMPLER_ASSUME_MISSING", missing);
    reset_setting("VK_CLAMPLER_LINEAR_FALLBACK", fallback);
    if (f->least)
        harness_messages_excuse(EXCUSE_FILTERS);
    scene_make(&f->scene, false);
    harness_descriptors_open(&f->descriptors, &f->scene.vk);
    harness_descriptor_buffer_create(&f->descriptors, &f->buffer, 0, DESCRIPTOR_SCENE_BYTES);
    memset(f->buffer.buffer.map, 0xff, DESCRIPTOR_SCENE_BYTES);
    f->buffer.used = 1; /* no set at the buffer's beginning */
}

VkDescriptorSetLayout descriptor_scene_open_mutable(struct descriptor_scene *f, uint32_t descriptors)
{
    static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLER};
    static const VkMutableDescriptorTypeListEXT list = {2, types};
    static const VkMutableDescriptorTypeCreateInfoEXT lists = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
        .mutableDescriptorTypeListCount = 1,
        .pMutableDescriptorTypeLists = &list};
    const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, MUTABLE_EXT, descriptors);
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = &lists,
                                                  .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                                  .bindingCount = 1,
                                                  .pBindings = &binding};
    const VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT,
        .mutableDescriptorType = VK_TRUE};
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    descriptor_scene_open(f, &(struct descriptor_scene_params){
                                 .extensions = {VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME}, .next = &features});
    vkGetDescriptorSetLayoutSupport(f->scene.vk.device, &info, &support);
    if (!support.supported) {
        print_message("the driver's mutable descriptors are no samplers\n");
        descriptor_scene_close(f);
        skip();
    }
    return harness_descriptor_layout(&f->descriptors, &binding, 1, 0, &lists);
}

size_t descriptor_scene_mutable_stride(const struct descriptor_scene *f)
{
    const size_t image = harness_descriptor_size(&f->descriptors, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE),
                 sampler = harness_descriptor_size(&f->descriptors, VK_DESCRIPTOR_TYPE_SAMPLER);
    return image > sampler ? image : sampler;
}

void descriptor_scene_close(struct descriptor_scene *f)
{
    harness_descriptor_buffer_destroy(&f->descriptors, &f->buffer);
    scene_close(&f->scene);
    harness_messages_excuse(EXCUSE_NOTHING);
}

unsigned descriptor_scene_tiers(const struct descriptor_scene *f)
{
    return f->native ? 0 : TIERS - 1;
}

void descriptor_scene_raise(struct descriptor_scene *f, unsigned tier)
{
    static const enum scene_sampler added[TIERS][2] = {
        {SCENE_GL_EDGE, SCENE_GL_EDGE}, {SCENE_CLAMP, SCENE_MIRROR}, {SCENE_MIXED, SCENE_MIXED}};
    for (unsigned i = 0; i < 2 * (tier + 1) && !f->native; i++) {
        const enum scene_sampler sampler = added[i / 2][i % 2];
        if (!f->scene.samplers[sampler])
            scene_add_sampler(&f->scene, sampler);
    }
    f->tier = tier > f->tier ? tier : f->tier;
}

const enum scene_sampler *descriptor_scene_rows(unsigned tier)
{
    return rows[tier];
}

enum scene_texture descriptor_scene_texture(unsigned row)
{
    return row % 2 ? SCENE_STEPS : SCENE_RAMP;
}

/* ---- Programs ---- */

static void create_objects(struct descriptor_scene *f, struct descriptor_program *program, struct harness_spirv code,
                           uint32_t push_bytes)
{
    struct harness_objects_params params = {
        .set_layouts = program->sets, .set_layout_count = program->set_count, .push_bytes = push_bytes, .linked = true};
    *(program->point == VK_PIPELINE_BIND_POINT_COMPUTE ? &params.compute : &params.fragment) = code;
    program->objects = harness_alloc(1, sizeof(*program->objects));
    harness_objects_create(&f->scene.vk, program->objects, &params);
}

void descriptor_program_create(struct descriptor_scene *f, struct descriptor_program *program,
                               VkShaderStageFlagBits stage, struct harness_spirv code,
                               const VkDescriptorSetLayout *sets, uint32_t set_count, uint32_t push_bytes)
{
    const bool compute = stage == VK_SHADER_STAGE_COMPUTE_BIT;
    struct harness_vulkan *vk = &f->scene.vk;
    *program = (struct descriptor_program){
        .set_count = set_count, .point = compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS};
    memcpy(program->sets, sets, set_count * sizeof(*sets));
    program->layout = harness_pipeline_layout(vk, sets, set_count, push_bytes);
    if (vk->linking == HARNESS_OBJECTS)
        create_objects(f, program, code, push_bytes);
    else if (compute)
        program->pipeline = harness_compute_pipeline(vk, code, program->layout);
    else
        program->pipeline = harness_graphics_pipeline(
            vk, &f->scene.target, &(struct harness_graphics_params){.fragment = code, .layout = program->layout});
}

void descriptor_program_create_rows(struct descriptor_scene *f, struct descriptor_program *program,
                                    struct harness_spirv code, const VkDescriptorSetLayout *sets, uint32_t set_count,
                                    uint32_t push_bytes)
{
    struct parts parts;
    *program = (struct descriptor_program){.set_count = set_count, .point = VK_PIPELINE_BIND_POINT_GRAPHICS};
    memcpy(program->sets, sets, set_count * sizeof(*sets));
    program->layout = harness_pipeline_layout(&f->scene.vk, sets, set_count, push_bytes);
    parts_open(&f->scene, &parts, code, program->layout);
    parts.info.flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    parts_add_dynamic(&parts, VK_DYNAMIC_STATE_SCISSOR);
    program->pipeline = parts_create(&f->scene, &parts);
    parts_close(&f->scene, &parts);
}

void descriptor_program_of(struct descriptor_scene *f, struct descriptor_program *program, struct harness_spirv code,
                           const VkDescriptorSetLayoutBinding *bindings, uint32_t count)
{
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f->descriptors, bindings, count, 0, NULL);
    descriptor_program_create(f, program, VK_SHADER_STAGE_FRAGMENT_BIT, code, &layout, 1, 0);
}

void descriptor_program_destroy(struct descriptor_scene *f, struct descriptor_program *program)
{
    struct harness_vulkan *vk = &f->scene.vk;
    if (program->objects)
        harness_objects_destroy(vk, program->objects);
    free(program->objects);
    harness_graphics_pipeline_destroy(vk, program->pipeline);
    vkDestroyPipelineLayout(vk->device, program->layout, NULL);
    for (uint32_t i = 0; i < program->set_count; i++)
        vkDestroyDescriptorSetLayout(vk->device, program->sets[i], NULL);
    *program = (struct descriptor_program){0};
}

/* ---- Descriptors ---- */

struct harness_descriptor_set descriptor_scene_set(struct descriptor_scene *f, const struct descriptor_program *program,
                                                   uint32_t number)
{
    return harness_descriptor_set_take(&f->descriptors, &f->buffer, program->sets[number]);
}

void descriptor_scene_write(struct descriptor_scene *f, const struct harness_descriptor_set *set, uint32_t binding,
                            uint32_t element, VkDescriptorType type, enum scene_sampler sampler,
                            enum scene_texture texture)
{
    harness_descriptor_put_image(set, binding, element, type, f->scene.samplers[sampler],
                                 f->scene.textures[texture].view);
}

/* ---- Drawing ---- */

VkCommandBuffer descriptor_scene_begin(struct descriptor_scene *f)
{
    const struct harness_descriptor_buffer *buffers[] = {&f->buffer};
    scene_mark(&f->scene);
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    if (f->scene.vk.linking == HARNESS_OBJECTS)
        harness_target_begin_rendering(&f->scene.target, commands);
    else
        harness_target_begin(&f->scene.target, commands);
    harness_descriptor_buffers_bind(&f->descriptors, commands, buffers, 1);
    return commands;
}

void descriptor_scene_end(struct descriptor_scene *f, VkCommandBuffer commands)
{
    if (f->scene.vk.linking == HARNESS_OBJECTS)
        harness_target_end_rendering(&f->scene.target, commands);
    else
        harness_target_end(commands);
    harness_submit(&f->scene.vk, commands);
    scene_take(&f->scene);
    harness_target_read(&f->scene.vk, &f->scene.target, f->scene.pixels);
}

void descriptor_scene_bind(struct descriptor_scene *f, const struct descriptor_program *program,
                           VkCommandBuffer commands)
{
    if (program->objects)
        harness_objects_bind(&f->scene.vk, program->objects, &f->scene.target, commands);
    else
        vkCmdBindPipeline(commands, program->point, program->pipeline);
}

void descriptor_scene_offset(struct descriptor_scene *f, const struct descriptor_program *program,
                             VkCommandBuffer commands, uint32_t number, const struct harness_descriptor_set *set)
{
    harness_descriptor_offset(&f->descriptors, commands, program->point, program->layout, number, 0, set->offset);
}

void descriptor_scene_draw_row(VkCommandBuffer commands, unsigned row)
{
    const VkRect2D scissor = {{0, (int32_t)row}, {SCENE_COLUMNS, 1}};
    vkCmdSetScissor(commands, 0, 1, &scissor);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

void descriptor_scene_draw(struct descriptor_scene *f, const struct descriptor_program *program,
                           const struct harness_descriptor_set *set)
{
    VkCommandBuffer commands = descriptor_scene_begin(f);
    descriptor_scene_bind(f, program, commands);
    descriptor_scene_offset(f, program, commands, 0, set);
    vkCmdDraw(commands, 3, 1, 0, 0);
    descriptor_scene_end(f, commands);
}

/* ---- What must hold ---- */

void descriptor_scene_expect_tier_at(const struct descriptor_scene *f, const char *file, int line)
{
    if (!f->native)
        scene_expect_tier_at(&f->scene, f->tier, file, line);
}

void descriptor_scene_expect_rows_at(const struct descriptor_scene *f, const enum scene_sampler *samplers,
                                     const char *file, int line)
{
    descriptor_scene_expect_tier_at(f, file, line);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row_at(&f->scene, row, samplers[row], descriptor_scene_texture(row), file, line);
}

void descriptor_scene_expect_all_at(const struct descriptor_scene *f, enum scene_sampler sampler,
                                    enum scene_texture texture, const char *file, int line)
{
    descriptor_scene_expect_tier_at(f, file, line);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row_at(&f->scene, row, sampler, texture, file, line);
}
