/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include "demo/scene.h"
#include "scene_frag.h"
#include "scene_vert.h"

static VkPipeline create_pipeline(struct harness_vulkan *vk, const struct harness_target *target,
                                  VkPipelineLayout layout)
{
    static const VkVertexInputBindingDescription binding = {0, sizeof(struct scene_vertex),
                                                            VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct scene_vertex, position)},
        {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct scene_vertex, coordinate)},
        {2, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct scene_vertex, shade)},
    };
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                        .vertexBindingDescriptionCount = 1,
                                                        .pVertexBindingDescriptions = &binding,
                                                        .vertexAttributeDescriptionCount = 3,
                                                        .pVertexAttributeDescriptions = attributes};
    return harness_graphics_pipeline(vk, target,
                                     &(struct harness_graphics_params){.vertex = HARNESS_SPIRV(scene_vert),
                                                                       .fragment = HARNESS_SPIRV(scene_frag),
                                                                       .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                                       .input = &input,
                                                                       .layout = layout});
}

void scene_draw_vulkan(struct harness_vulkan *vk, const struct scene *scene, enum lookup_sampler_form form,
                       uint32_t width, uint32_t height, uint8_t *pixels)
{
    struct harness_target target;
    struct harness_image images[SCENE_TEXTURES];
    struct harness_buffer vertices;
    VkSampler samplers[SCENE_OBJECTS];
    VkDescriptorSet sets[SCENE_OBJECTS];
    const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const VkDescriptorSetLayoutBinding binding = {0, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    VkDescriptorSetLayout set_layout = harness_set_layout(vk, &binding, 1);
    VkPipelineLayout layout = harness_pipeline_layout(vk, &set_layout, 1, 0);

    harness_target_create(vk, &target, VK_FORMAT_R8G8B8A8_UNORM, width, height);
    VkPipeline pipeline = create_pipeline(vk, &target, layout);
    for (uint32_t i = 0; i < scene->texture_count; i++)
        lookup_vulkan_image(vk, &images[i], &scene->textures[i]);
    harness_buffer_create(vk, &vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, sizeof(scene->objects), NULL);
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const struct scene_object *object = &scene->objects[i];
        memcpy((struct scene_vertex *)vertices.map + (size_t)i * 4, object->corners, sizeof(object->corners));
        samplers[i] = lookup_vulkan_sampler(vk, &object->sampler, form, false);
        sets[i] = harness_set(vk, set_layout);
        harness_write_image(vk, sets[i], 0, 0, type, samplers[i], images[object->texture].view);
    }

    VkCommandBuffer commands = harness_begin(vk);
    const VkDeviceSize offset = 0;
    harness_target_begin(&target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &offset);
    for (uint32_t i = 0; i < scene->object_count; i++) {
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &sets[i], 0, NULL);
        vkCmdDraw(commands, 4, 1, i * 4, 0);
    }
    harness_target_end(commands);
    harness_submit(vk, commands);
    harness_target_read(vk, &target, pixels);

    for (uint32_t i = 0; i < scene->object_count; i++)
        vkDestroySampler(vk->device, samplers[i], NULL);
    HARNESS_VK(vkFreeDescriptorSets(vk->device, vk->descriptors, scene->object_count, sets));
    harness_buffer_destroy(vk, &vertices);
    for (uint32_t i = 0; i < scene->texture_count; i++)
        harness_image_destroy(vk, &images[i]);
    vkDestroyPipeline(vk->device, pipeline, NULL);
    harness_target_destroy(vk, &target);
    vkDestroyPipelineLayout(vk->device, layout, NULL);
    vkDestroyDescriptorSetLayout(vk->device, set_layout, NULL);
}
