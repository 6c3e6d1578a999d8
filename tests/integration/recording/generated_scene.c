/* SPDX-License-Identifier: MIT */
#include "integration/recording/generated_scene.h"

#include <string.h>

#include "gl/gl_tokens.h"
#include "integration_generated_compute.h"
#include "integration_generated_fragment.h"

const char *generated_missing(const char *const *extensions, uint32_t count)
{
    struct harness_vulkan vk;
    const char *missing = NULL;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    for (uint32_t i = 0; i < count && !missing; i++)
        missing = harness_has_extension(&vk, extensions[i]) ? NULL : extensions[i];
    harness_vulkan_close(&vk);
    return missing;
}

/* ---- The scene ---- */

void generated_open_device(struct generated *generated, bool plain, const struct harness_vulkan_params *params)
{
    if (plain)
        scene_open_unmodified(&generated->scene, params);
    else
        scene_open(&generated->scene, params);
}

void generated_open(struct generated *generated)
{
    struct harness_vulkan *vk = &generated->scene.vk;
    generated->stages = generated->graphics ? VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT
                                            : (VkFlags)VK_SHADER_STAGE_COMPUTE_BIT;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, generated->stages, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, generated->stages, NULL}};
    const VkPushConstantRange range = {generated->stages, 0, sizeof(uint32_t)};
    generated->set_layout = harness_set_layout(vk, bindings, generated->graphics ? 1 : 2);
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &generated->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    HARNESS_VK(vkCreatePipelineLayout(vk->device, &layout, NULL, &generated->layout));
    generated->set = harness_set(vk, generated->set_layout);
    harness_buffer_create(vk, &generated->pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(generated->scene.pixels),
                          NULL);
    if (!generated->graphics)
        harness_write_buffer(vk, generated->set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, generated->pixels.buffer);
}

void generated_close(struct generated *generated)
{
    struct harness_vulkan *vk = &generated->scene.vk;
    harness_buffer_destroy(vk, &generated->pixels);
    harness_layouts_destroy(vk, generated->layout, generated->set_layout);
    scene_close(&generated->scene);
}

/* ---- Shaders ---- */

VkSpecializationInfo generated_number(const int *number)
{
    static const VkSpecializationMapEntry entry = {0, 0, sizeof(int)};
    return (VkSpecializationInfo){1, &entry, sizeof(int), number};
}

struct harness_spirv generated_fragment(void)
{
    return HARNESS_SPIRV(integration_generated_fragment);
}

struct harness_spirv generated_compute(void)
{
    return HARNESS_SPIRV(integration_generated_compute);
}

VkPipelineShaderStageCreateInfo generated_compute_stage(struct generated *generated,
                                                        const VkSpecializationInfo *specialization)
{
    return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                             .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                             .module = harness_module(&generated->scene.vk, generated_compute()),
                                             .pName = "main",
                                             .pSpecializationInfo = specialization};
}

/* ---- What is drawn ---- */

VkCommandBuffer generated_begin(struct generated *generated)
{
    VkCommandBuffer commands = harness_begin(&generated->scene.vk);
    if (generated->rendering)
        harness_target_begin_rendering(&generated->scene.target, commands);
    else if (generated->graphics)
        harness_target_begin(&generated->scene.target, commands);
    return commands;
}

void generated_end(struct generated *generated, VkCommandBuffer commands)
{
    struct scene *scene = &generated->scene;
    if (generated->rendering)
        harness_target_end_rendering(&scene->target, commands);
    else if (generated->graphics)
        harness_target_end(commands);
    harness_submit(&scene->vk, commands);
    scene_take(scene);
    if (generated->graphics)
        harness_target_read(&scene->vk, &scene->target, scene->pixels);
    else
        memcpy(scene->pixels, generated->pixels.map, sizeof(scene->pixels));
}

/* What was drawn before with another sampler must not matter. */
static void draw(struct generated *generated, VkSampler sampler)
{
    harness_write_image(&generated->scene.vk, generated->set, 0, 0, SCENE_COMBINED, sampler,
                        generated->scene.textures[SCENE_STEPS].view);
    memset(generated->pixels.map, 0xff, sizeof(generated->scene.pixels));
    scene_mark(&generated->scene);
    generated->draw(generated);
}

static void expect(const struct generated *generated, enum scene_sampler sampler)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        scene_expect_row(&generated->scene, row, sampler, SCENE_STEPS);
        assert_int_equal((int)generated->scene.pixels[row][0][1], generated->chooses ? row % GENERATED_CHOICES : 0);
    }
}

/* With linear magnification, which is what lookups of level 0 get: tier 1 would show the edge. */
static VkSampler mixed_sampler(struct generated *generated)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.minFilter = TOKEN_NEAREST;
    return harness_sampler(&generated->scene.vk, &info);
}

void generated_expect_records_followed(struct generated *generated)
{
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIRROR, SCENE_BORDER};
    for (unsigned i = 0; i < 4; i++) {
        draw(generated, generated->scene.samplers[samplers[i]]);
        scene_expect_tier(&generated->scene, 2);
        expect(generated, samplers[i]);
    }
    const VkSampler mixed = mixed_sampler(generated);
    draw(generated, mixed);
    expect(generated, SCENE_CLAMP);
    assert_int_equal(harness_layer_messages(), 0);
    vkDestroySampler(generated->scene.vk.device, mixed, NULL);
}

void generated_expect_own_code(struct generated *generated)
{
    draw(generated, generated->scene.samplers[SCENE_BORDER]);
    scene_expect_own_code(&generated->scene);
    expect(generated, SCENE_BORDER);
}
