/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/below.h"
#include "bench/side.h"
#include "bench_textured.h"
#include "bench_textured_blocks.h"
#include "gl/gl_tokens.h"

enum {
    TEXTURE_SIZE = 1024,
    TEXTURE_LEVELS = 11,
    GL_CLAMP = TOKEN_CLAMP,
    GL_NEAREST = TOKEN_NEAREST,
    GL_LINEAR = TOKEN_LINEAR,
    GL_LINEAR_MIPMAP_LINEAR = TOKEN_LINEAR_MIPMAP_LINEAR
};

static void open_device(struct side *side, enum side_layers layers, const struct harness_vulkan_params *more)
{
    static const char *const names[] = {
        [SIDE_PLAIN] = NULL,
        [SIDE_INERT] = "clampler",
        [SIDE_ACTIVE] = "clampler",
        [SIDE_NULL] = BENCH_BELOW_LAYER,
        [SIDE_ACTIVE_NULL] = "clampler:" BENCH_BELOW_LAYER,
        [SIDE_COUNTED] = BENCH_BELOW_LAYER,
        [SIDE_ACTIVE_COUNTED] = "clampler:" BENCH_BELOW_LAYER,
    };
    side->active = layers == SIDE_ACTIVE || layers == SIDE_ACTIVE_NULL || layers == SIDE_ACTIVE_COUNTED;
    struct harness_vulkan_params params = *more;
    params.layers = names[layers];
    params.gl_sampler = side->active;
    if (layers == SIDE_NULL || layers == SIDE_ACTIVE_NULL)
        setenv(BENCH_BELOW_NULL, "1", 1);
    harness_vulkan_open(&side->vk, &params);
    unsetenv(BENCH_BELOW_NULL);
    if ((side->vk.counters != NULL) != side->active)
        harness_fail("the layer is %s where it should be %s", side->active ? "inert" : "active",
                     side->active ? "active" : "inert or absent");
    side->draw = HARNESS_PROC(&side->vk, vkCmdDraw);
    side->bind = HARNESS_PROC(&side->vk, vkCmdBindDescriptorSets);
    side->bind_pipeline = HARNESS_PROC(&side->vk, vkCmdBindPipeline);
    side->bind_shaders = params.linking == HARNESS_OBJECTS ? HARNESS_PROC(&side->vk, vkCmdBindShadersEXT) : NULL;
    side->update = HARNESS_PROC(&side->vk, vkUpdateDescriptorSets);
}

static void create_textures(struct side *side)
{
    const struct harness_image_params params = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                                .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                .width = TEXTURE_SIZE,
                                                .height = TEXTURE_SIZE,
                                                .depth = 1,
                                                .layers = 1,
                                                .levels = TEXTURE_LEVELS};
    size_t size = harness_image_size(&params);
    uint8_t *texels = harness_alloc(size, 1);
    uint32_t state = 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        texels[i] = (uint8_t)(state >> 24);
    }
    for (uint32_t i = 0; i < SIDE_TEXTURES; i++)
        harness_image_create(&side->vk, &side->textures[i], &params, texels);
    free(texels);
}

void side_describe_clamp(const struct side *side, bool nearest, struct side_sampler *sampler)
{
    sampler->gl = (VkSamplerGLStateCreateInfoCLAMPLER){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = GL_CLAMP,
        .wrapT = GL_CLAMP,
        .wrapR = GL_CLAMP,
        .minFilter = GL_LINEAR_MIPMAP_LINEAR,
        .magFilter = nearest ? GL_NEAREST : GL_LINEAR,
        .maxLod = 1000,
    };
    sampler->info = (VkSamplerCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .pNext = side->active ? &sampler->gl : NULL,
        .minFilter = VK_FILTER_LINEAR,
        .magFilter = VK_FILTER_LINEAR,
        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
        .maxLod = VK_LOD_CLAMP_NONE,
    };
}

void side_describe_plain(uint32_t i, struct side_sampler *sampler)
{
    static const VkSamplerAddressMode modes[] = {VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                                 VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                                 VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
    sampler->info = (VkSamplerCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .minFilter = VK_FILTER_LINEAR,
        .magFilter = i & 4 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
        .addressModeU = modes[i & 3],
        .addressModeV = modes[i & 3],
        .addressModeW = modes[i & 3],
        .maxLod = VK_LOD_CLAMP_NONE,
    };
}

static VkSampler plain_sampler(struct side *side, uint32_t i)
{
    struct side_sampler sampler;
    side_describe_plain(i, &sampler);
    return harness_sampler(&side->vk, &sampler.info);
}

void side_create_clamps(struct side *side, bool nearest)
{
    struct side_sampler sampler;
    side_describe_clamp(side, nearest, &sampler);
    for (uint32_t i = 0; i < SIDE_UNITS; i++)
        (nearest ? side->mixtures : side->clamps)[i] = harness_sampler(&side->vk, &sampler.info);
}

static VkDescriptorSet create_set(struct side *side, const VkSampler samplers[SIDE_UNITS])
{
    VkDescriptorSet set = harness_set(&side->vk, side->set_layout);
    for (uint32_t i = 0; i < SIDE_UNITS; i++)
        harness_write_image(&side->vk, set, i, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, samplers[i],
                            side->textures[i % SIDE_TEXTURES].view);
    return set;
}

static void create_sets(struct side *side)
{
    VkDescriptorSetLayoutBinding bindings[SIDE_UNITS];
    for (uint32_t i = 0; i < SIDE_UNITS; i++)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL};
    side->set_layout = harness_set_layout(&side->vk, bindings, SIDE_UNITS);
    side->layout = harness_pipeline_layout(&side->vk, &side->set_layout, 1, SIDE_PUSH_BYTES);
    for (uint32_t s = 0; s < SIDE_SETS; s++) {
        VkSampler samplers[SIDE_UNITS];
        for (uint32_t i = 0; i < SIDE_UNITS; i++)
            samplers[i] = side->samplers[(s + i) % SIDE_SAMPLERS];
        side->sets[s] = create_set(side, samplers);
    }
}

static void create_gl_sets(struct side *side)
{
    side_create_clamps(side, false);
    side_create_clamps(side, true);
    side->clamped = create_set(side, side->clamps);
    side->filtered = create_set(side, side->mixtures);
}

/* The side's own, of the kind that it was opened for. */
static void create_pipeline(struct side *side)
{
    if (side->vk.linking != HARNESS_OBJECTS) {
        side->pipeline = side_new_pipeline(side);
        return;
    }
    harness_objects_create(&side->vk, &side->objects,
                           &(struct harness_objects_params){.fragment = HARNESS_SPIRV(bench_textured),
                                                            .set_layouts = &side->set_layout,
                                                            .set_layout_count = 1,
                                                            .push_bytes = SIDE_PUSH_BYTES,
                                                            .linked = true});
}

static void destroy_pipeline(struct side *side)
{
    harness_graphics_pipeline_destroy(&side->vk, side->pipeline);
    harness_objects_destroy(&side->vk, &side->objects);
    side->pipeline = VK_NULL_HANDLE;
}

void side_open(struct side *side, enum side_layers layers, uint32_t width, uint32_t height)
{
    side_open_kind(side, layers, HARNESS_MONOLITHIC, width, height);
}

void side_open_kind(struct side *side, enum side_layers layers, enum harness_linking kind, uint32_t width,
                    uint32_t height)
{
    side_open_device(side, layers, &(struct harness_vulkan_params){.linking = kind}, width, height);
}

static void open_side(struct side *side, enum side_layers layers, const struct harness_vulkan_params *more, bool gl,
                      uint32_t width, uint32_t height)
{
    memset(side, 0, sizeof(*side));
    open_device(side, layers, more);
    harness_target_create(&side->vk, &side->target, VK_FORMAT_R8G8B8A8_UNORM, width, height);
    create_textures(side);
    for (uint32_t i = 0; i < SIDE_SAMPLERS; i++)
        side->samplers[i] = plain_sampler(side, i);
    if (side->vk.sets == HARNESS_SETS_PLAIN) {
        create_sets(side);
        if (gl)
            create_gl_sets(side);
        create_pipeline(side);
    }
    harness_commands(&side->vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1, &side->commands);
}

void side_open_device(struct side *side, enum side_layers layers, const struct harness_vulkan_params *more,
                      uint32_t width, uint32_t height)
{
    open_side(side, layers, more, true, width, height);
}

void side_open_without_gl(struct side *side, enum side_layers layers, const struct harness_vulkan_params *more,
                          uint32_t width, uint32_t height)
{
    open_side(side, layers, more, false, width, height);
}

void side_close(struct side *side)
{
    VkDevice device = side->vk.device;
    HARNESS_VK(vkDeviceWaitIdle(device));
    vkFreeCommandBuffers(device, side->vk.pool, 1, &side->commands);
    destroy_pipeline(side);
    vkDestroyPipelineLayout(device, side->layout, NULL);
    vkDestroyDescriptorSetLayout(device, side->set_layout, NULL);
    for (uint32_t i = 0; i < SIDE_UNITS; i++)
        vkDestroySampler(device, side->clamps[i], NULL);
    for (uint32_t i = 0; i < SIDE_UNITS; i++)
        vkDestroySampler(device, side->mixtures[i], NULL);
    for (uint32_t i = 0; i < SIDE_SAMPLERS; i++)
        vkDestroySampler(device, side->samplers[i], NULL);
    for (uint32_t i = 0; i < SIDE_TEXTURES; i++)
        harness_image_destroy(&side->vk, &side->textures[i]);
    harness_target_destroy(&side->vk, &side->target);
    harness_vulkan_close(&side->vk);
}

void side_resize(struct side *side, uint32_t width, uint32_t height)
{
    HARNESS_VK(vkDeviceWaitIdle(side->vk.device));
    harness_target_destroy(&side->vk, &side->target);
    harness_target_create(&side->vk, &side->target, VK_FORMAT_R8G8B8A8_UNORM, width, height);
    destroy_pipeline(side);
    create_pipeline(side);
}

/* A number between 1/2 and 1 that no earlier call gave; drivers' caches on disk make those of other runs matter too. */
static float new_seed(void)
{
    static uint32_t count;
    if (!count)
        count = (uint32_t)time(NULL) << 11;
    uint32_t bits = 0x3f000000u | (count++ & 0x7fffffu);
    float seed;
    memcpy(&seed, &bits, sizeof(seed));
    return seed;
}

VkPipeline side_new_pipeline(struct side *side)
{
    static const float seed_in_shader = 0.73125f;
    uint32_t words[2048], sought;
    const struct harness_spirv shader =
        side->in_blocks ? HARNESS_SPIRV(bench_textured_blocks) : HARNESS_SPIRV(bench_textured);
    float seed = new_seed();
    uint32_t found = 0;
    memcpy(&sought, &seed_in_shader, sizeof(sought));
    if (shader.bytes > sizeof(words))
        harness_fail("textured.frag has %zu bytes", shader.bytes);
    memcpy(words, shader.words, shader.bytes);
    for (size_t i = 0; i < shader.bytes / sizeof(words[0]); i++) {
        if (words[i] == sought) {
            memcpy(&words[i], &seed, sizeof(seed));
            found++;
        }
    }
    if (found != 1)
        harness_fail("textured.frag has %u constants that could be its SEED", found);
    const struct harness_graphics_params params = {
        .fragment = {words, shader.bytes}, .layout = side->layout, .mapping = side->mapping};
    return harness_graphics_pipeline(&side->vk, &side->target, &params);
}

void side_begin_pass(struct side *side, VkPipeline pipeline, struct side_placement placement)
{
    const float push[4] = {placement.span / (float)side->target.width,
                           (placement.span + side->more_down) / (float)side->target.height, -placement.margin,
                           -placement.margin};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    HARNESS_VK(vkBeginCommandBuffer(side->commands, &begin));
    if (side->vk.linking == HARNESS_OBJECTS) {
        harness_target_begin_rendering(&side->target, side->commands);
        harness_objects_bind(&side->vk, &side->objects, &side->target, side->commands);
    } else {
        harness_target_begin(&side->target, side->commands);
        vkCmdBindPipeline(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    }
    if (!side->heaps) {
        vkCmdPushConstants(side->commands, side->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
        return;
    }
    harness_heaps_bind(side->heaps, side->commands);
    harness_heaps_push(side->heaps, side->commands, 0, push, sizeof(push));
}

void side_begin(struct side *side, VkPipeline pipeline, VkDescriptorSet set, struct side_placement placement)
{
    side_begin_pass(side, pipeline, placement);
    side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, side->layout, 0, 1, &set, 0, NULL);
}

void side_end(struct side *side)
{
    if (side->vk.linking == HARNESS_OBJECTS)
        harness_target_end_rendering(&side->target, side->commands);
    else
        harness_target_end(side->commands);
    HARNESS_VK(vkEndCommandBuffer(side->commands));
}

void side_submit(struct side *side)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &side->commands};
    HARNESS_VK(vkQueueSubmit(side->vk.queue, 1, &info, VK_NULL_HANDLE));
    HARNESS_VK(vkQueueWaitIdle(side->vk.queue));
}
