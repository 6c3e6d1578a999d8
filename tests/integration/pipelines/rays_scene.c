/* SPDX-License-Identifier: MIT */
#include "integration/pipelines/rays_scene.h"

#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration_rays_compute.h"

enum { TEXELS = 4 };

uint32_t rays_extensions(const char *const *extensions, uint32_t count)
{
    struct harness_vulkan vk;
    uint32_t had = 0;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    while (had < count && harness_has_extension(&vk, extensions[had]))
        had++;
    harness_vulkan_close(&vk);
    return had;
}

/* ---- The scene ---- */

void rays_open(struct rays *rays, enum rays_sets kind, const struct harness_vulkan_params *params)
{
    static const float texels[TEXELS] = {20 / 255.0f, 180 / 255.0f, 60 / 255.0f, 240 / 255.0f};
    rays->kind = kind;
    if (params->gl_sampler) {
        setenv("VK_CLAMPLER_ASSUME_MISSING", "linear_float32", 1);
        scene_open(&rays->scene, params);
        unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    } else {
        scene_open_unmodified(&rays->scene, params);
    }
    harness_image_create(
        &rays->scene.vk, &rays->floats,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R32_SFLOAT, .width = TEXELS, .height = 1},
        texels);
}

static VkDescriptorSetLayout set_layout(struct rays *rays, const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
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
    HARNESS_VK(vkCreateDescriptorSetLayout(rays->scene.vk.device, &info, NULL, &layout));
    return layout;
}

static VkDescriptorSet new_set(struct rays *rays, VkDescriptorSetLayout layout)
{
    VkDescriptorSet set;
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = rays->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    HARNESS_VK(vkAllocateDescriptorSets(rays->scene.vk.device, &info, &set));
    return set;
}

void rays_open_sets(struct rays *rays, VkDescriptorType world, const void *structure)
{
    static const VkShaderStageFlags stages = RAYS_STAGES | VK_SHADER_STAGE_COMPUTE_BIT;
    static const VkDescriptorSetLayoutBinding lookup[] = {{0, SCENE_COMBINED, 1, stages, NULL},
                                                          {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, NULL}};
    const VkDescriptorSetLayoutBinding met = {0, world, 1, stages, NULL};
    const VkDescriptorPoolSize sizes[] = {{SCENE_COMBINED, 4}, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}, {world, 4}};
    struct harness_vulkan *vk = &rays->scene.vk;
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                                             .maxSets = 4,
                                             .poolSizeCount = 3,
                                             .pPoolSizes = sizes};
    rays->set_layouts[0] =
        set_layout(rays, lookup, 2,
                   rays->kind == RAYS_SETS_AFTER_BIND ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                   : rays->kind == RAYS_SETS_PUSHED   ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR
                                                      : 0);
    rays->set_layouts[1] = set_layout(rays, &met, 1, 0);
    rays->layout = harness_pipeline_layout(vk, rays->set_layouts, 2, 0);
    HARNESS_VK(vkCreateDescriptorPool(vk->device, &pool, NULL, &rays->pool));
    rays->sets[1] = new_set(rays, rays->set_layouts[1]);
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = structure,
                                        .dstSet = rays->sets[1],
                                        .descriptorCount = 1,
                                        .descriptorType = world};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
    harness_buffer_create(vk, &rays->pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(rays->scene.pixels), NULL);
    rays->compute = harness_compute_pipeline(vk, HARNESS_SPIRV(integration_rays_compute), rays->layout);
    if (rays->kind == RAYS_SETS_PUSHED)
        return;
    rays->sets[0] = new_set(rays, rays->set_layouts[0]);
    harness_write_buffer(vk, rays->sets[0], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, rays->pixels.buffer);
}

void rays_close(struct rays *rays)
{
    struct harness_vulkan *vk = &rays->scene.vk;
    vkDestroyPipeline(vk->device, rays->pipeline, NULL);
    vkDestroyPipeline(vk->device, rays->compute, NULL);
    harness_layouts_destroy(vk, rays->layout, rays->set_layouts[0]);
    vkDestroyDescriptorSetLayout(vk->device, rays->set_layouts[1], NULL);
    vkDestroyDescriptorPool(vk->device, rays->pool, NULL);
    harness_buffer_destroy(vk, &rays->pixels);
    harness_image_destroy(vk, &rays->floats);
    scene_close(&rays->scene);
}

/* ---- Lookups ---- */

static void write(struct rays *rays, VkSampler sampler, VkImageView view)
{
    harness_write_image(&rays->scene.vk, rays->sets[0], 0, 0, SCENE_COMBINED, sampler, view);
}

static void bind(struct rays *rays, VkCommandBuffer commands, VkPipelineBindPoint point, VkSampler sampler,
                 VkImageView view)
{
    if (rays->kind != RAYS_SETS_PUSHED) {
        vkCmdBindDescriptorSets(commands, point, rays->layout, 0, 2, rays->sets, 0, NULL);
        return;
    }
    const VkDescriptorImageInfo image = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorBufferInfo buffer = {rays->pixels.buffer, 0, VK_WHOLE_SIZE};
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
    HARNESS_PROC(&rays->scene.vk, vkCmdPushDescriptorSetKHR)(commands, point, rays->layout, 0, 2, writes);
    vkCmdBindDescriptorSets(commands, point, rays->layout, 1, 1, &rays->sets[1], 0, NULL);
}

static void submit(struct rays *rays, VkCommandBuffer commands)
{
    memset(rays->pixels.map, 0xff, sizeof(rays->scene.pixels));
    harness_submit(&rays->scene.vk, commands);
    scene_take(&rays->scene);
    memcpy(rays->scene.pixels, rays->pixels.map, sizeof(rays->scene.pixels));
}

/* The pixels by rays in scene.pixels. With RAYS_SETS_AFTER_BIND the texture is written after its set was bound. */
static void look_up(struct rays *rays, VkSampler sampler, VkImageView view)
{
    if (rays->kind == RAYS_SETS_PLAIN)
        write(rays, sampler, view);
    scene_mark(&rays->scene);
    VkCommandBuffer commands = harness_begin(&rays->scene.vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, rays->pipeline);
    bind(rays, commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, sampler, view);
    rays->trace(rays, commands);
    if (rays->kind == RAYS_SETS_AFTER_BIND)
        write(rays, sampler, view);
    submit(rays, commands);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        assert_int_equal((int)rays->scene.pixels[row][0][1], row / 2); /* the stage that looked up */
}

/* The same lookups by a compute shader, whose tier follows what is bound, are what the rays found. */
static void expect_as_computed(struct rays *rays, VkSampler sampler, VkImageView view)
{
    float by_rays[SCENE_ROWS][SCENE_COLUMNS][4];
    memcpy(by_rays, rays->scene.pixels, sizeof(by_rays));
    VkCommandBuffer commands = harness_begin(&rays->scene.vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, rays->compute);
    bind(rays, commands, VK_PIPELINE_BIND_POINT_COMPUTE, sampler, view);
    vkCmdDispatch(commands, 1, 1, 1);
    submit(rays, commands);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        for (unsigned x = 0; x < SCENE_COLUMNS; x++)
            assert_float_equal(by_rays[row][x][0], rays->scene.pixels[row][x][0], 0.5f / 255.0f);
    }
}

static void expect_rows(const struct rays *rays, enum scene_sampler sampler)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&rays->scene, row, sampler, SCENE_STEPS);
}

/* A sampler of GL's with linear magnification, which is what lookups of level 0 get. */
static VkSampler sampler_of(struct rays *rays, uint32_t wrap, uint32_t min_filter)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.wrapS = wrap;
    gl.minFilter = min_filter;
    return harness_sampler(&rays->scene.vk, &info);
}

void rays_expect_records_followed(struct rays *rays)
{
    static const enum scene_sampler plain[] = {SCENE_EDGE, SCENE_BORDER, SCENE_CLAMP, SCENE_MIRROR};
    const VkImageView steps = rays->scene.textures[SCENE_STEPS].view;
    /* Tier 1 would show the edge: the filters want different ones. */
    const VkSampler mixed = sampler_of(rays, TOKEN_CLAMP, TOKEN_NEAREST);
    const VkSampler mirror = sampler_of(rays, TOKEN_MIRROR_CLAMP_TO_BORDER, TOKEN_LINEAR);
    for (unsigned i = 0; i < 4; i++) {
        look_up(rays, rays->scene.samplers[plain[i]], steps);
        scene_expect_tier(&rays->scene, 2);
        expect_rows(rays, plain[i]);
    }
    look_up(rays, mixed, steps);
    scene_expect_tier(&rays->scene, 2);
    expect_rows(rays, SCENE_CLAMP);
    expect_as_computed(rays, mixed, steps);
    look_up(rays, mirror, steps);
    expect_as_computed(rays, mirror, steps);
    /* The driver is told of no linear filter here: they are the shader's. */
    look_up(rays, rays->scene.samplers[SCENE_CLAMP], rays->floats.view);
    expect_rows(rays, SCENE_CLAMP);
    assert_int_equal(harness_layer_messages(), 0);
    vkDestroySampler(rays->scene.vk.device, mixed, NULL);
    vkDestroySampler(rays->scene.vk.device, mirror, NULL);
}

void rays_expect_one_pipeline(struct rays *rays)
{
    const struct clampler_counters before = harness_counters(&rays->scene.vk);
    for (unsigned sampler = 0; sampler < SCENE_SAMPLERS; sampler++)
        look_up(rays, rays->scene.samplers[sampler], rays->scene.textures[SCENE_RAMP].view);
    const struct clampler_counters after = harness_counters(&rays->scene.vk);
    for (unsigned tier = 0; tier < 3; tier++)
        assert_int_equal(after.pipelines[tier], before.pipelines[tier]);
    assert_int_equal(before.modules_rewritten, RAYS_GROUPS);
}

void rays_expect_own_code(struct rays *rays)
{
    look_up(rays, rays->scene.samplers[SCENE_BORDER], rays->scene.textures[SCENE_STEPS].view);
    scene_expect_own_code(&rays->scene);
    expect_rows(rays, SCENE_BORDER);
}
