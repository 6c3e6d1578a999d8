/* SPDX-License-Identifier: MIT */
#include "integration/descriptors/every_type.h"

#include <string.h>

static const float uniform_value = 0.125f, storage_value = 0.375f, texel_value = 0.625f, stored_value = 0.875f,
                   inline_value = 0.5f;

static void clear_stored(struct scene *scene, struct every_type *every)
{
    VkCommandBuffer commands = harness_begin(&scene->vk);
    const VkClearColorValue value = {.float32 = {stored_value, 0, 0, 0}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
    vkCmdClearColorImage(commands, every->stored.image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
    harness_submit(&scene->vk, commands);
}

void every_type_create(struct scene *scene, struct every_type *every)
{
    const float uniform[4] = {uniform_value}, storage[4] = {storage_value}, texels[4] = {texel_value};
    harness_buffer_create(&scene->vk, &every->uniform, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, sizeof(uniform), uniform);
    harness_buffer_create(&scene->vk, &every->storage, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(storage), storage);
    harness_buffer_create(&scene->vk, &every->texels, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, sizeof(texels), texels);
    VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = every->texels.buffer,
                                   .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                   .range = VK_WHOLE_SIZE};
    HARNESS_VK(vkCreateBufferView(scene->vk.device, &view, NULL, &every->texel_view));
    harness_image_create(
        &scene->vk, &every->stored,
        &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                       .width = 1,
                                       .height = 1,
                                       .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
        NULL);
    clear_stored(scene, every);
    every->inline_value = inline_value;
}

void every_type_destroy(struct scene *scene, struct every_type *every)
{
    harness_image_destroy(&scene->vk, &every->stored);
    vkDestroyBufferView(scene->vk.device, every->texel_view, NULL);
    harness_buffer_destroy(&scene->vk, &every->texels);
    harness_buffer_destroy(&scene->vk, &every->storage);
    harness_buffer_destroy(&scene->vk, &every->uniform);
}

void every_type_bindings(VkDescriptorSetLayoutBinding bindings[EVERY_TYPE_BINDINGS])
{
    const VkDescriptorSetLayoutBinding all[EVERY_TYPE_BINDINGS] = {
        SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
        SCENE_BINDING(1, UNIFORM_BUFFER, 1),
        SCENE_BINDING(2, STORAGE_BUFFER, 1),
        SCENE_BINDING(3, SAMPLED_IMAGE, 1),
        SCENE_BINDING(4, SAMPLER, 1),
        SCENE_BINDING(5, UNIFORM_TEXEL_BUFFER, 1),
        SCENE_BINDING(6, STORAGE_IMAGE, 1),
        SCENE_BINDING(7, INLINE_UNIFORM_BLOCK, sizeof(float)),
    };
    memcpy(bindings, all, sizeof(all));
}

void every_type_writes(const struct scene *scene, const struct every_type *every, enum scene_sampler combined,
                       enum scene_sampler separate, struct every_type_infos *infos,
                       VkWriteDescriptorSet writes[EVERY_TYPE_BINDINGS])
{
    VkDescriptorSetLayoutBinding bindings[EVERY_TYPE_BINDINGS];
    every_type_bindings(bindings);
    *infos = (struct every_type_infos){
        .combined = scene_info(scene, combined, SCENE_RAMP),
        .image = {VK_NULL_HANDLE, scene->textures[SCENE_STEPS].view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
        .sampler = {scene->samplers[separate], VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED},
        .stored = {VK_NULL_HANDLE, every->stored.view, VK_IMAGE_LAYOUT_GENERAL},
        .uniform = {every->uniform.buffer, 0, VK_WHOLE_SIZE},
        .storage = {every->storage.buffer, 0, VK_WHOLE_SIZE},
        .block = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
                  .dataSize = sizeof(float),
                  .pData = &every->inline_value},
    };
    for (unsigned i = 0; i < EVERY_TYPE_BINDINGS; i++)
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstBinding = i,
                                           .descriptorCount = bindings[i].descriptorCount,
                                           .descriptorType = bindings[i].descriptorType};
    writes[0].pImageInfo = &infos->combined;
    writes[1].pBufferInfo = &infos->uniform;
    writes[2].pBufferInfo = &infos->storage;
    writes[3].pImageInfo = &infos->image;
    writes[4].pImageInfo = &infos->sampler;
    writes[5].pTexelBufferView = &every->texel_view;
    writes[6].pImageInfo = &infos->stored;
    writes[7].pNext = &infos->block;
}

void every_type_raw(const struct scene *scene, const struct every_type *every, enum scene_sampler combined,
                    enum scene_sampler separate, VkDescriptorUpdateTemplateEntry entries[EVERY_TYPE_BINDINGS],
                    unsigned char raw[EVERY_TYPE_RAW_BYTES])
{
    struct every_type_infos infos;
    VkWriteDescriptorSet writes[EVERY_TYPE_BINDINGS];
    every_type_writes(scene, every, combined, separate, &infos, writes);
    const struct {
        const void *info;
        size_t size;
    } pieces[EVERY_TYPE_BINDINGS] = {
        {&infos.combined, sizeof(infos.combined)}, {&infos.uniform, sizeof(infos.uniform)},
        {&infos.storage, sizeof(infos.storage)},   {&infos.image, sizeof(infos.image)},
        {&infos.sampler, sizeof(infos.sampler)},   {&every->texel_view, sizeof(every->texel_view)},
        {&infos.stored, sizeof(infos.stored)},     {&every->inline_value, sizeof(every->inline_value)},
    };
    size_t at = 3;
    memset(raw, 0xa5, EVERY_TYPE_RAW_BYTES);
    for (unsigned i = 0; i < EVERY_TYPE_BINDINGS; i++) {
        memcpy(raw + at, pieces[i].info, pieces[i].size);
        entries[i] = (VkDescriptorUpdateTemplateEntry){.dstBinding = i,
                                                       .descriptorCount = writes[i].descriptorCount,
                                                       .descriptorType = writes[i].descriptorType,
                                                       .offset = at,
                                                       .stride = pieces[i].size + 5};
        at += pieces[i].size + 7;
    }
}

static void expect_constant(const struct scene *scene, unsigned row, float value)
{
    for (unsigned x = 0; x < SCENE_COLUMNS; x++)
        assert_float_equal(scene->pixels[row][x][0], value, 0.0);
}

void every_type_expect(const struct scene *scene, enum scene_sampler combined, enum scene_sampler separate,
                       bool inline_block)
{
    scene_expect_row(scene, 0, combined, SCENE_RAMP);
    scene_expect_row(scene, 1, separate, SCENE_STEPS);
    expect_constant(scene, 2, uniform_value + (inline_block ? inline_value : 0.0f));
    expect_constant(scene, 3, storage_value);
    expect_constant(scene, 4, texel_value);
    expect_constant(scene, 5, stored_value);
}
