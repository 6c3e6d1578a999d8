/* SPDX-License-Identifier: MIT */
/*
 * A translator with eight units, each of which has GL_CLAMP or GL_REPEAT: all combinations are drawn once. Either it
 * makes a pipeline for each combination, whose shader saturates the coordinates of units with GL_CLAMP, as zink does;
 * or it makes one, and hands the samplers' state to the layer. Both draw the same pictures.
 *
 * Processor time of all threads, because software renderers compile on theirs and the layer on its own.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/below.h"
#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench_eight.h"
#include "harness/drawing/pipeline.h"
#include "harness/resources/resources.h"

enum {
    UNITS = 8,
    COMBINATIONS = 1 << UNITS,
    SIZE = 32,
    TEXTURE_SIZE = 16,
    PIXEL_BYTES = 4,
    PICTURE_BYTES = SIZE * SIZE * PIXEL_BYTES
};

struct translator {
    bool with;   /* the layer */
    bool levels; /* the texture has mip levels, which samplers blend; else one, and filters are GL_LINEAR */
    struct harness_vulkan vk;
    struct harness_target target;
    struct harness_image texture;
    VkSampler samplers[2]; /* GL_REPEAT, GL_CLAMP */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    VkPipeline pipelines[COMBINATIONS];
    uint8_t *pictures; /* of all combinations */
};

/* Of one translator. */
struct result {
    double first, all; /* seconds until the first combination is drawn, and until all are */
    uint64_t pipelines, tier1;
};

static VkSampler sampler(struct translator *translator, bool clamp)
{
    /* With half a border the linear filter of saturated coordinates gives what GL_CLAMP does. */
    const VkSamplerAddressMode mode = !clamp             ? VK_SAMPLER_ADDRESS_MODE_REPEAT
                                      : translator->with ? VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER
                                                         : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    const bool levels = translator->levels;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .minFilter = VK_FILTER_LINEAR,
                                      .magFilter = VK_FILTER_LINEAR,
                                      .mipmapMode =
                                          levels ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                      .addressModeU = mode,
                                      .addressModeV = mode,
                                      .addressModeW = mode,
                                      .maxLod = levels ? VK_LOD_CLAMP_NONE : 0.25f,
                                      .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK};
    return harness_sampler(&translator->vk, &info);
}

static void open_translator(struct translator *translator, bool with, bool levels)
{
    const struct harness_image_params params = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                                .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                .width = TEXTURE_SIZE,
                                                .height = TEXTURE_SIZE,
                                                .depth = 1,
                                                .layers = 1,
                                                .levels = levels ? 5 : 1};
    uint8_t texels[2 * TEXTURE_SIZE * TEXTURE_SIZE * PIXEL_BYTES]; /* of all levels */
    VkDescriptorSetLayoutBinding bindings[UNITS];
    struct harness_vulkan *vk = &translator->vk;
    memset(translator, 0, sizeof(*translator));
    translator->with = with;
    translator->levels = levels;
    harness_vulkan_open(
        vk, &(struct harness_vulkan_params){.layers = with ? "clampler:" BENCH_BELOW_LAYER : BENCH_BELOW_LAYER,
                                            .gl_sampler = with});
    harness_target_create(vk, &translator->target, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
    for (uint32_t i = 0; i < sizeof(texels); i++)
        texels[i] = (uint8_t)(i * 37u);
    harness_image_create(vk, &translator->texture, &params, texels);
    for (uint32_t i = 0; i < UNITS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                     VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    translator->set_layout = harness_set_layout(vk, bindings, UNITS);
    translator->layout = harness_pipeline_layout(vk, &translator->set_layout, 1, 0);
    translator->set = harness_set(vk, translator->set_layout);
    translator->pictures = harness_alloc(COMBINATIONS, PICTURE_BYTES);
}

static void close_translator(struct translator *translator)
{
    struct harness_vulkan *vk = &translator->vk;
    for (uint32_t i = 0; i < COMBINATIONS; i++)
        harness_graphics_pipeline_destroy(vk, translator->pipelines[i]);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroySampler(vk->device, translator->samplers[i], NULL);
    harness_layouts_destroy(vk, translator->layout, translator->set_layout);
    harness_image_destroy(vk, &translator->texture);
    harness_target_destroy(vk, &translator->target);
    harness_vulkan_close(vk);
}

/* The pipeline for the combination; with the layer all take the first. */
static VkPipeline pipeline_for(struct translator *translator, uint32_t clamps)
{
    const uint32_t variant = translator->with ? 0 : clamps;
    const VkSpecializationMapEntry entry = {0, 0, sizeof(variant)};
    const VkSpecializationInfo specialization = {1, &entry, sizeof(variant), &variant};
    if (!translator->pipelines[variant])
        translator->pipelines[variant] =
            harness_graphics_pipeline(&translator->vk, &translator->target,
                                      &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(bench_eight),
                                                                        .specialization = &specialization,
                                                                        .layout = translator->layout});
    return translator->pipelines[variant];
}

static void draw(struct translator *translator, uint32_t clamps)
{
    const VkPipeline pipeline = pipeline_for(translator, clamps);
    for (uint32_t i = 0; i < UNITS; i++)
        harness_write_image(&translator->vk, translator->set, i, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                            translator->samplers[clamps >> i & 1], translator->texture.view);
    VkCommandBuffer commands = harness_begin(&translator->vk);
    harness_target_begin(&translator->target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, translator->layout, 0, 1, &translator->set, 0,
                            NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
    harness_submit(&translator->vk, commands);
}

/* What compiles a shader again for each combination of sampler states: lavapipe before Mesa 23.3. */
static void choose_bound(const struct harness_vulkan *vk)
{
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &driver};
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    const bool llvmpipe = driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
    if (llvmpipe && properties.properties.driverVersion >= VK_MAKE_API_VERSION(0, 24, 0, 0))
        figure_bound_set("combinations.cpu_ratio", 0.2);
    else if (!llvmpipe)
        figure_bound_set("combinations.cpu_ratio", 0.5);
}

/* All combinations of the first `count`, those with the most clamps first: the first picture has GL_CLAMP. */
static struct result translate(struct translator *translator, bool with, bool levels, uint32_t count)
{
    open_translator(translator, with, levels);
    const PFN_benchBelowPipelines pipelines =
        (PFN_benchBelowPipelines)harness_proc(&translator->vk, BENCH_BELOW_PIPELINES);
    const uint64_t before = pipelines();
    const double start = bench_now(BENCH_PROCESS);
    struct result result = {0};
    for (uint32_t i = 0; i < 2; i++)
        translator->samplers[i] = sampler(translator, i == 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t clamps = COMBINATIONS - 1 - i;
        draw(translator, clamps);
        if (!i)
            result.first = (bench_now(BENCH_PROCESS) - start) / 1e9;
        harness_target_read(&translator->vk, &translator->target, translator->pictures + i * PICTURE_BYTES);
    }
    result.all = (bench_now(BENCH_PROCESS) - start) / 1e9;
    result.pipelines = pipelines() - before;
    choose_bound(&translator->vk);
    if (with)
        result.tier1 = harness_counters(&translator->vk).draws[1];
    close_translator(translator);
    return result;
}

/* Both compute the coordinate from the same interpolation, and filter with the driver's weights. */
static void compare_pictures(const struct translator *own, const struct translator *layer, uint32_t count)
{
    enum { OFF = 1 };
    for (uint32_t i = 0; i < count * PICTURE_BYTES; i++)
        if (abs(own->pictures[i] - layer->pictures[i]) > OFF)
            harness_fail("combination %u: pixel %u is %u with a variant of its own, %u with the layer",
                         i / PICTURE_BYTES, i % PICTURE_BYTES / PIXEL_BYTES, own->pictures[i], layer->pictures[i]);
}

/* One way and the other, of `count` combinations. */
static void translate_both(struct result results[2], bool levels, uint32_t count)
{
    static struct translator own, layer;
    results[0] = translate(&own, false, levels, count);
    results[1] = translate(&layer, true, levels, count);
    if (!results[1].tier1)
        harness_fail("no combination was drawn at tier 1");
    if (results[0].pipelines != count)
        harness_fail("%llu pipelines for %u variants", (unsigned long long)results[0].pipelines, count);
    /* Beyond an edge the saturated coordinate has no derivatives, and the variant of its own a sharper level. */
    if (!levels)
        compare_pictures(&own, &layer, count);
    free(own.pictures);
    free(layer.pictures);
}

void bench_combinations(const struct bench_options *options)
{
    const uint32_t count = bench_count(options, COMBINATIONS, 32, 2), fewer = bench_count(options, 32, 16, 2);
    struct result one[2], levels[2];
    translate_both(one, false, count);
    translate_both(levels, true, fewer);
    figure_set("combinations.pipelines", (double)one[1].pipelines,
               "for %u combinations, seen below the layer; %llu without", count, (unsigned long long)one[0].pipelines);
    figure_set("combinations.cpu_ratio", one[1].all / one[0].all, "%.2f / %.2f s of all threads for %u combinations",
               one[1].all, one[0].all, count);
    figure_set("combinations.levels_ratio", levels[1].all / levels[0].all,
               "%.2f / %.2f s of all threads for %u combinations, textures with levels", levels[1].all, levels[0].all,
               fewer);
    figure_set("combinations.first_ratio", one[1].first / one[0].first,
               "%.0f / %.0f ms of all threads to the first frame", one[1].first * 1e3, one[0].first * 1e3);
}
