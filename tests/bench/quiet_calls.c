/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "bench/quiet_calls.h"

const struct quiet_row quiet_rows[QUIET_CALLS] = {
    [QUIET_UNIFORM_BUFFER] = {"uniform_buffer", "write of a uniform buffer", 20},
    [QUIET_STORAGE_IMAGE] = {"storage_image", "write of a storage image", 20},
    [QUIET_TEXEL_BUFFER] = {"texel_buffer", "write of a uniform texel buffer, not emulated", 20},
    [QUIET_COMBINED] = {"combined", "write of a combined image sampler", 75},
    [QUIET_IMAGE] = {"image", "write of a sampled image", 84},
    [QUIET_SAMPLER] = {"sampler", "write of a sampler", 84},
    [QUIET_COMBINED_16] = {"combined_16", "write of 16 combined image samplers", 190},
    [QUIET_FOUR_WRITES] = {"four_writes", "four writes in a call: combined, image, sampler, uniform buffer", 280},
    [QUIET_TEMPLATE] = {"template", "template of a combined image sampler", 100},
    [QUIET_TEMPLATE_IMAGE] = {"template_image", "template of a sampled image", 100},
    [QUIET_TEMPLATE_BUFFER] = {"template_buffer", "template of a uniform buffer", 40},
    [QUIET_COPY] = {"copy", "copy of a combined image sampler", 114},
    [QUIET_COPY_BUFFER] = {"copy_buffer", "copy of a uniform buffer", 165},
    [QUIET_PUSH] = {"push", "push of a combined image sampler", 120},
    [QUIET_PUSH_TEMPLATE] = {"push_template", "push by a template of a combined image sampler", 120},
    [QUIET_OTHER_DEVICE] = {"other_device", "write of a uniform buffer, of a second device", 62},
};

/* ---- Objects ---- */

static const VkDescriptorSetLayoutBinding bindings[QUIET_BINDINGS] = {
    {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, QUIET_ARRAY, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    {1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    {2, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    {3, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    {4, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    {5, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
};
enum { COMBINED, IMAGE, SAMPLER, TEXEL_BUFFER, UNIFORM_BUFFER, STORAGE_IMAGE };

static void open_images(struct quiet *quiet)
{
    const VkDevice device = quiet->vk.device;
    harness_image_create(
        &quiet->vk, &quiet->image,
        &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_R8G8B8A8_UNORM,
                                       .width = 16,
                                       .height = 16,
                                       .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT},
        NULL);
    const VkImageViewCreateInfo view = harness_image_view_info(&quiet->image);
    for (uint32_t i = 0; i < QUIET_VIEWS; i++)
        HARNESS_VK(vkCreateImageView(device, &view, NULL, &quiet->views[i]));
    for (uint32_t i = 0; i < 2; i++)
        quiet->samplers[i] =
            harness_sampler(&quiet->vk, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                                               .magFilter = i ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                                                               .minFilter = i ? VK_FILTER_LINEAR : VK_FILTER_NEAREST});
}

static void open_buffers(struct quiet *quiet)
{
    enum { BYTES = 1024 };
    harness_buffer_create(&quiet->vk, &quiet->buffer,
                          VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, BYTES, NULL);
    const VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = quiet->buffer.buffer,
                                         .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                         .range = BYTES};
    for (uint32_t i = 0; i < QUIET_VIEWS; i++)
        HARNESS_VK(vkCreateBufferView(quiet->vk.device, &view, NULL, &quiet->buffer_views[i]));
}

static VkDescriptorUpdateTemplate template_of(const struct quiet *quiet, uint32_t binding, size_t stride)
{
    const VkDescriptorUpdateTemplateEntry entry = {binding, 0, 1, bindings[binding].descriptorType, 0, stride};
    return harness_template(&quiet->vk, quiet->layout, &entry, 1);
}

static void open_pushes(struct quiet *quiet)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                                    .bindingCount = 1,
                                                    .pBindings = &binding};
    HARNESS_VK(vkCreateDescriptorSetLayout(quiet->vk.device, &layout, NULL, &quiet->push_layout));
    quiet->pushed = harness_pipeline_layout(&quiet->vk, &quiet->push_layout, 1, 0);
    const VkDescriptorUpdateTemplateEntry entry = {
        0, 0, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0, sizeof(VkDescriptorImageInfo)};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .pipelineLayout = quiet->pushed};
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(quiet->vk.device, &info, NULL, &quiet->push));
}

void quiet_open(struct quiet *quiet, bool layer)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    memset(quiet, 0, sizeof(*quiet));
    harness_vulkan_open(&quiet->vk, &(struct harness_vulkan_params){.layers = layer ? "clampler" : NULL,
                                                                    .gl_sampler = layer,
                                                                    .device_extensions = extensions,
                                                                    .device_extension_count = 1});
    open_images(quiet);
    open_buffers(quiet);
    quiet->layout = harness_set_layout(&quiet->vk, bindings, QUIET_BINDINGS);
    quiet->combined = template_of(quiet, COMBINED, sizeof(VkDescriptorImageInfo));
    quiet->sampled = template_of(quiet, IMAGE, sizeof(VkDescriptorImageInfo));
    quiet->uniform = template_of(quiet, UNIFORM_BUFFER, sizeof(VkDescriptorBufferInfo));
    open_pushes(quiet);
    quiet->update = HARNESS_PROC(&quiet->vk, vkUpdateDescriptorSets);
    quiet->update_with = HARNESS_PROC(&quiet->vk, vkUpdateDescriptorSetWithTemplate);
    quiet->push_set = HARNESS_PROC(&quiet->vk, vkCmdPushDescriptorSetKHR);
    quiet->push_set_with = HARNESS_PROC(&quiet->vk, vkCmdPushDescriptorSetWithTemplateKHR);
    for (uint32_t i = 0; i < QUIET_SETS; i++)
        quiet->sets[i] = harness_set(&quiet->vk, quiet->layout);
    for (enum quiet_call call = 0; call <= QUIET_COMBINED_16; call++)
        quiet_run(quiet, call, QUIET_SETS);
}

void quiet_close(struct quiet *quiet)
{
    const VkDevice device = quiet->vk.device;
    const VkDescriptorUpdateTemplate templates[] = {quiet->combined, quiet->sampled, quiet->uniform, quiet->push};
    for (uint32_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++)
        vkDestroyDescriptorUpdateTemplate(device, templates[i], NULL);
    vkDestroyPipelineLayout(device, quiet->pushed, NULL);
    vkDestroyDescriptorSetLayout(device, quiet->push_layout, NULL);
    vkDestroyDescriptorSetLayout(device, quiet->layout, NULL);
    for (uint32_t i = 0; i < QUIET_VIEWS; i++) {
        vkDestroyImageView(device, quiet->views[i], NULL);
        vkDestroyBufferView(device, quiet->buffer_views[i], NULL);
    }
    vkDestroySampler(device, quiet->samplers[0], NULL);
    vkDestroySampler(device, quiet->samplers[1], NULL);
    harness_image_destroy(&quiet->vk, &quiet->image);
    harness_buffer_destroy(&quiet->vk, &quiet->buffer);
    harness_vulkan_close(&quiet->vk);
}

void quiet_begin(struct quiet *quiet)
{
    quiet->commands = harness_begin(&quiet->vk);
}

void quiet_end(struct quiet *quiet)
{
    harness_submit(&quiet->vk, quiet->commands);
}

/* ---- Calls ---- */

static VkDescriptorImageInfo info_of(const struct quiet *quiet, uint32_t i)
{
    return (VkDescriptorImageInfo){quiet->samplers[i & 1], quiet->views[i % QUIET_VIEWS], VK_IMAGE_LAYOUT_GENERAL};
}

static VkWriteDescriptorSet write_of(const struct quiet *quiet, uint32_t i, uint32_t binding, uint32_t count,
                                     const VkDescriptorImageInfo *image, const VkDescriptorBufferInfo *buffer)
{
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = quiet->sets[i % QUIET_SETS],
                                  .dstBinding = binding,
                                  .descriptorCount = count,
                                  .descriptorType = bindings[binding].descriptorType,
                                  .pImageInfo = image,
                                  .pBufferInfo = buffer,
                                  .pTexelBufferView = &quiet->buffer_views[i % QUIET_VIEWS]};
}

static void write_one(const struct quiet *quiet, uint32_t i, uint32_t binding, uint32_t count)
{
    const VkDescriptorBufferInfo buffer = {quiet->buffer.buffer, 0, 64};
    VkDescriptorImageInfo images[QUIET_ARRAY];
    for (uint32_t k = 0; k < count; k++)
        images[k] = info_of(quiet, i + k);
    const VkWriteDescriptorSet write = write_of(quiet, i, binding, count, images, &buffer);
    quiet->update(quiet->vk.device, 1, &write, 0, NULL);
}

static void write_four(const struct quiet *quiet, uint32_t i)
{
    const VkDescriptorBufferInfo buffer = {quiet->buffer.buffer, 0, 64};
    const VkDescriptorImageInfo image = info_of(quiet, i);
    const VkWriteDescriptorSet writes[] = {
        write_of(quiet, i, COMBINED, 1, &image, NULL),
        write_of(quiet, i, IMAGE, 1, &image, NULL),
        write_of(quiet, i, SAMPLER, 1, &image, NULL),
        write_of(quiet, i, UNIFORM_BUFFER, 1, NULL, &buffer),
    };
    quiet->update(quiet->vk.device, 4, writes, 0, NULL);
}

static void copy_one(const struct quiet *quiet, uint32_t i, uint32_t binding)
{
    const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = quiet->sets[i % QUIET_SETS],
                                      .srcBinding = binding,
                                      .dstSet = quiet->sets[(i + 1) % QUIET_SETS],
                                      .dstBinding = binding,
                                      .descriptorCount = 1};
    quiet->update(quiet->vk.device, 0, NULL, 1, &copy);
}

static void push_one(const struct quiet *quiet, uint32_t i)
{
    const VkDescriptorImageInfo image = info_of(quiet, i);
    VkWriteDescriptorSet write = write_of(quiet, i, COMBINED, 1, &image, NULL);
    write.dstSet = VK_NULL_HANDLE;
    quiet->push_set(quiet->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, quiet->pushed, 0, 1, &write);
}

static void run_one(const struct quiet *quiet, enum quiet_call call, uint32_t i)
{
    static const uint32_t written[] = {
        [QUIET_UNIFORM_BUFFER] = UNIFORM_BUFFER,
        [QUIET_STORAGE_IMAGE] = STORAGE_IMAGE,
        [QUIET_TEXEL_BUFFER] = TEXEL_BUFFER,
        [QUIET_COMBINED] = COMBINED,
        [QUIET_IMAGE] = IMAGE,
        [QUIET_SAMPLER] = SAMPLER,
        [QUIET_COMBINED_16] = COMBINED,
    };
    const VkDescriptorSet set = quiet->sets[i % QUIET_SETS];
    const VkDescriptorImageInfo image = info_of(quiet, i);
    const VkDescriptorBufferInfo buffer = {quiet->buffer.buffer, 0, 64};
    switch (call) {
    case QUIET_FOUR_WRITES:
        write_four(quiet, i);
        break;
    case QUIET_TEMPLATE:
        quiet->update_with(quiet->vk.device, set, quiet->combined, &image);
        break;
    case QUIET_TEMPLATE_IMAGE:
        quiet->update_with(quiet->vk.device, set, quiet->sampled, &image);
        break;
    case QUIET_TEMPLATE_BUFFER:
        quiet->update_with(quiet->vk.device, set, quiet->uniform, &buffer);
        break;
    case QUIET_COPY:
    case QUIET_COPY_BUFFER:
        copy_one(quiet, i, call == QUIET_COPY ? COMBINED : UNIFORM_BUFFER);
        break;
    case QUIET_PUSH:
        push_one(quiet, i);
        break;
    case QUIET_PUSH_TEMPLATE:
        quiet->push_set_with(quiet->commands, quiet->push, quiet->pushed, 0, &image);
        break;
    case QUIET_OTHER_DEVICE:
        write_one(quiet, i, UNIFORM_BUFFER, 1);
        break;
    default:
        write_one(quiet, i, written[call], call == QUIET_COMBINED_16 ? QUIET_ARRAY : 1);
    }
}

void quiet_run(struct quiet *quiet, enum quiet_call call, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        run_one(quiet, call, i);
}
