/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "integration/app_descriptors/heap_scene.h"

enum { TIERS = 3 };

static const enum scene_sampler rows[TIERS][SCENE_ROWS] = {
    {SCENE_EDGE, SCENE_BORDER, SCENE_BORDER, SCENE_EDGE, SCENE_EDGE, SCENE_BORDER},
    {SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR, SCENE_BORDER, SCENE_GL_EDGE, SCENE_CLAMP},
    {SCENE_EDGE, SCENE_MIXED, SCENE_CLAMP, SCENE_MIRROR, SCENE_MIXED, SCENE_BORDER}};

/* ---- The device ---- */

VkPhysicalDeviceDescriptorHeapPropertiesEXT heap_scene_driver(void)
{
    struct harness_vulkan vk;
    VkPhysicalDeviceDescriptorHeapPropertiesEXT sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    vkGetPhysicalDeviceProperties2(vk.physical, &properties);
    harness_vulkan_close(&vk);
    return sizes;
}

static void open_scene(struct heap_scene *f, bool alone, void *features, const char *const *extensions, uint32_t count)
{
    static const char *const robustness[] = {VK_EXT_ROBUSTNESS_2_EXTENSION_NAME};
    const char *layers = harness_test_layers("clampler:validation");
    VkPhysicalDeviceRobustness2FeaturesEXT robust = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, .nullDescriptor = VK_TRUE};
    VkPhysicalDeviceVulkan13Features thirteen = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .pNext = alone ? &robust : features,
                                                 .synchronization2 = VK_TRUE};
    VkPhysicalDeviceVulkan12Features twelve = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                               .pNext = &thirteen,
                                               .descriptorIndexing = VK_TRUE,
                                               .shaderInt8 = VK_TRUE,
                                               .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
                                               .runtimeDescriptorArray = VK_TRUE,
                                               .scalarBlockLayout = VK_TRUE,
                                               .bufferDeviceAddress = VK_TRUE};
    const bool native = strcmp(layers, "none") == 0;
    struct harness_vulkan_params vulkan = {.layers = alone ? harness_without_validation(layers) : layers,
                                           .device_extensions = alone ? robustness : extensions,
                                           .device_extension_count = alone ? 1 : count,
                                           .device_next = &twelve,
                                           .sets = HARNESS_SETS_HEAP};
    harness_vulkan_hold_driver();
    scene_skip_lacking(layers, HARNESS_MONOLITHIC, HARNESS_SETS_HEAP, NULL, 0);
    *f = (struct heap_scene){.native = native};
    if (native) {
        vulkan.layers = alone ? "none" : "validation";
        harness_messages_reset();
        harness_vulkan_open(&f->scene.vk, &vulkan);
    } else {
        scene_open_device(&f->scene, &vulkan);
    }
    scene_make(&f->scene, false);
    harness_heaps_open(&f->heaps, &f->scene.vk, true, HEAP_SCENE_BYTES, HEAP_SCENE_BYTES);
    if (!f->native && f->heaps.properties.samplerDescriptorSize == heap_scene_driver().samplerDescriptorSize) {
        print_message("the layer leaves descriptor heaps alone\n");
        skip();
    }
    harness_buffer_create(&f->scene.vk, &f->pixels,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizeof(f->scene.pixels), NULL);
}

void heap_scene_open(struct heap_scene *f)
{
    open_scene(f, false, NULL, NULL, 0);
}

void heap_scene_open_with(struct heap_scene *f, void *features, const char *const *extensions, uint32_t count)
{
    open_scene(f, false, features, extensions, count);
}

void heap_scene_open_alone(struct heap_scene *f)
{
    open_scene(f, true, NULL, NULL, 0);
}

void heap_scene_close(struct heap_scene *f)
{
    harness_buffer_destroy(&f->scene.vk, &f->pixels);
    harness_heaps_close(&f->heaps);
    scene_close(&f->scene);
}

unsigned heap_scene_tiers(const struct heap_scene *f)
{
    return f->native ? 0 : TIERS - 1;
}

void heap_scene_raise(struct heap_scene *f, unsigned tier)
{
    static const enum scene_sampler added[TIERS] = {SCENE_GL_EDGE, SCENE_CLAMP, SCENE_MIXED};
    for (unsigned i = 0; i <= tier && !f->native; i++)
        heap_scene_put_sampler(f, harness_heaps_take(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLER, 1), added[i]);
    f->tier = tier > f->tier ? tier : f->tier;
}

const enum scene_sampler *heap_scene_rows(unsigned tier)
{
    return rows[tier];
}

enum scene_texture heap_scene_texture(unsigned row)
{
    return row % 2 ? SCENE_STEPS : SCENE_RAMP;
}

/* ---- Descriptors ---- */

void heap_scene_put_sampler(struct heap_scene *f, uint32_t offset, enum scene_sampler sampler)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    const VkSamplerCreateInfo info = scene_sampler_info(sampler, &gl);
    harness_heap_put_sampler(&f->heaps, offset, &info);
}

void heap_scene_put_texture(struct heap_scene *f, uint32_t offset, enum scene_texture texture)
{
    harness_heap_put_image(&f->heaps, offset, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &f->scene.textures[texture]);
}

void heap_scene_put_pixels(struct heap_scene *f, uint32_t offset)
{
    harness_heap_put_range(&f->heaps, offset, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                           harness_buffer_address(&f->scene.vk, &f->pixels), f->pixels.size, VK_FORMAT_UNDEFINED);
}

/* ---- Drawing ---- */

VkPipeline heap_scene_pipeline(struct heap_scene *f, VkShaderStageFlagBits stage, struct harness_spirv code,
                               const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping)
{
    if (stage == VK_SHADER_STAGE_COMPUTE_BIT)
        return harness_compute_pipeline_mapped(&f->scene.vk, code, mapping, NULL);
    return harness_graphics_pipeline(&f->scene.vk, &f->scene.target,
                                     &(struct harness_graphics_params){.fragment = code, .mapping = mapping});
}

void heap_scene_draw(struct heap_scene *f, VkPipeline pipeline, const void *data, size_t size)
{
    VkCommandBuffer commands = scene_begin(&f->scene);
    harness_heaps_bind(&f->heaps, commands);
    if (size != 0)
        harness_heaps_push(&f->heaps, commands, 0, data, size);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f->scene, commands);
}

void heap_scene_dispatch(struct heap_scene *f, VkPipeline pipeline, const void *data, size_t size)
{
    scene_mark(&f->scene);
    memset(f->pixels.map, 0, sizeof(f->scene.pixels));
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    harness_heaps_bind(&f->heaps, commands);
    if (size != 0)
        harness_heaps_push(&f->heaps, commands, 0, data, size);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&f->scene.vk, commands);
    scene_take(&f->scene);
    memcpy(f->scene.pixels, f->pixels.map, sizeof(f->scene.pixels));
}

void heap_scene_expect_rows_at(const struct heap_scene *f, const enum scene_sampler *samplers, const char *file,
                               int line)
{
    if (!f->native)
        scene_expect_tier_at(&f->scene, f->tier, file, line);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row_at(&f->scene, row, samplers[row], heap_scene_texture(row), file, line);
}
