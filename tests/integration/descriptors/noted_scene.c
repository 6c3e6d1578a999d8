/* SPDX-License-Identifier: MIT */
#include "integration/descriptors/noted_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/parts.h"
#include "integration_noted.h"
#include "integration_noted_compute.h"
#include "integration_noted_together.h"

const enum scene_texture noted_textures[NOTED_IMAGES] = {SCENE_RAMP, SCENE_STEPS, SCENE_RAMP};
static const float odd_border[4] = {0.25f, 0.5f, 0.75f, 1.0f};

static VkDescriptorSetLayout make_images_layout(struct noted *n, const struct noted_params *params,
                                                VkShaderStageFlags stages)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, NOTED_IMAGES, stages, NULL},
        {1, VK_DESCRIPTOR_TYPE_SAMPLER, NOTED_SAMPLERS, stages, NULL},
    };
    const uint32_t count = params->together ? 2 : 1;
    VkDescriptorBindingFlags each[2] = {0};
    each[count - 1] = params->binding_flags;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = count,
        .pBindingFlags = each};
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = params->binding_flags ? &flags : NULL,
                                                  .flags = params->flags,
                                                  .bindingCount = count,
                                                  .pBindings = bindings};
    VkDescriptorSetLayout layout;
    HARNESS_VK(vkCreateDescriptorSetLayout(n->scene.vk.device, &info, NULL, &layout));
    return layout;
}

static VkPipeline make_pipeline(struct noted *n, VkPipelineLayout layout, bool together, bool scissor)
{
    struct parts parts;
    parts_open(&n->scene, &parts,
               together ? HARNESS_SPIRV(integration_noted_together) : HARNESS_SPIRV(integration_noted), layout);
    if (scissor)
        parts_add_dynamic(&parts, VK_DYNAMIC_STATE_SCISSOR);
    VkPipeline pipeline = parts_create(&n->scene, &parts);
    parts_close(&n->scene, &parts);
    return pipeline;
}

VkPipeline noted_pipeline(struct noted *n, VkPipelineLayout layout, bool together)
{
    return make_pipeline(n, layout, together, false);
}

void noted_open(struct noted *n, const struct noted_params *params)
{
    const VkShaderStageFlags stages = params->stages ? params->stages : VK_SHADER_STAGE_FRAGMENT_BIT;
    const bool compute = stages == VK_SHADER_STAGE_COMPUTE_BIT;
    const VkDescriptorSetLayoutBinding samplers[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLER, NOTED_SAMPLERS, stages, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, NULL},
    };
    memset(n, 0, sizeof(*n));
    setenv("VK_CLAMPLER_ASSUME_MISSING", "custom_border_color", 1);
    scene_open_device(&n->scene, params->device);
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    scene_make(&n->scene, false);
    n->images = make_images_layout(n, params, stages);
    n->samplers = harness_set_layout(&n->scene.vk, samplers, compute ? 2 : 1);
    const VkDescriptorSetLayout layouts[] = {n->images, n->samplers};
    n->layout = harness_pipeline_layout(&n->scene.vk, layouts, params->together ? 1 : 2, 0);
    n->pipeline = compute ? harness_compute_pipeline(&n->scene.vk, HARNESS_SPIRV(integration_noted_compute), n->layout)
                          : make_pipeline(n, n->layout, params->together, params->scissor);
}

void noted_close(struct noted *n)
{
    VkDevice device = n->scene.vk.device;
    vkDestroyPipeline(device, n->pipeline, NULL);
    vkDestroyPipelineLayout(device, n->layout, NULL);
    vkDestroyDescriptorSetLayout(device, n->images, NULL);
    vkDestroyDescriptorSetLayout(device, n->samplers, NULL);
    vkDestroySampler(device, n->border, NULL);
    scene_close(&n->scene);
}

void noted_add_border(struct noted *n)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                             .wrapS = TOKEN_CLAMP_TO_BORDER,
                                             .wrapT = TOKEN_CLAMP_TO_EDGE,
                                             .wrapR = TOKEN_CLAMP_TO_EDGE,
                                             .minFilter = TOKEN_NEAREST,
                                             .magFilter = TOKEN_NEAREST,
                                             .maxLod = 1000.0f};
    memcpy(gl.borderColor.float32, odd_border, sizeof(odd_border));
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    n->border = harness_sampler(&n->scene.vk, &info);
}

void noted_write_images(struct noted *n, VkDescriptorSet set)
{
    for (uint32_t i = 0; i < NOTED_IMAGES; i++)
        harness_write_image(&n->scene.vk, set, 0, i, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE,
                            n->scene.textures[noted_textures[i]].view);
}

void noted_write_sampler(struct noted *n, VkDescriptorSet set, bool together, uint32_t element, VkSampler sampler)
{
    harness_write_image(&n->scene.vk, set, together ? 1 : 0, element, VK_DESCRIPTOR_TYPE_SAMPLER, sampler,
                        VK_NULL_HANDLE);
}

void noted_expect_at(const struct noted *n, unsigned element, enum scene_sampler sampler, const char *file, int line)
{
    for (unsigned i = 0; i < NOTED_IMAGES; i++)
        scene_expect_row_at(&n->scene, element * NOTED_IMAGES + i, sampler, noted_textures[i], file, line);
}

/* Columns 3 and 4 hit texels 1 and 2; all others lie outside. */
void noted_expect_border_row_at(const struct noted *n, unsigned row, enum scene_texture texture, const char *file,
                                int line)
{
    static const uint8_t texels[SCENE_TEXTURES][2] = {[SCENE_RAMP] = {102, 153}, [SCENE_STEPS] = {180, 60}};
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        const bool inside = x == 3 || x == 4;
        const float red = inside ? (float)texels[texture][x - 3] / 255.0f : odd_border[0];
        const float wanted[4] = {red, 0, 0, 1};
        for (unsigned c = 0; c < 4; c++) {
            const float found = n->scene.pixels[row][x][c];
            if (fabsf(found - wanted[c]) <= 0.005f)
                continue;
            print_error("%s:%d: row %u, column %u, channel %u is %f, not %f\n", file, line, row, x, c, (double)found,
                        (double)wanted[c]);
            _fail(file, line);
        }
    }
}

void noted_expect_border_at(const struct noted *n, unsigned element, const char *file, int line)
{
    for (unsigned i = 0; i < NOTED_IMAGES; i++)
        noted_expect_border_row_at(n, element * NOTED_IMAGES + i, noted_textures[i], file, line);
}
