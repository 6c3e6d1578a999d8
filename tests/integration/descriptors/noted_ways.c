/* SPDX-License-Identifier: MIT */
#include "integration/descriptors/noted_ways.h"

#define IMAGE VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE

const char *const noted_way_names[NOTED_WAYS] = {
    "single", "array", "one call", "template", "templates", "copied at once", "copied singly", "chain", "pool reset"};

VkDescriptorImageInfo noted_image_info(const struct noted *n, unsigned i)
{
    return (VkDescriptorImageInfo){VK_NULL_HANDLE, n->scene.textures[noted_textures[i]].view,
                                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
}

static void copy(const struct noted *n, VkDescriptorSet from, VkDescriptorSet to, uint32_t first, uint32_t count)
{
    const VkCopyDescriptorSet info = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = from,
                                      .srcArrayElement = first,
                                      .dstSet = to,
                                      .dstArrayElement = first,
                                      .descriptorCount = count};
    vkUpdateDescriptorSets(n->scene.vk.device, 0, NULL, 1, &info);
}

VkDescriptorUpdateTemplate noted_template(const struct noted *n, VkDescriptorUpdateTemplateType type, uint32_t first,
                                          uint32_t count)
{
    const VkDescriptorUpdateTemplateEntry entry = {0, first, count, IMAGE, 0, sizeof(VkDescriptorImageInfo)};
    const VkDescriptorUpdateTemplateCreateInfo info = {.sType =
                                                           VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
                                                       .descriptorUpdateEntryCount = 1,
                                                       .pDescriptorUpdateEntries = &entry,
                                                       .templateType = type,
                                                       .descriptorSetLayout = n->images,
                                                       .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                                       .pipelineLayout = n->layout};
    VkDescriptorUpdateTemplate update;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(n->scene.vk.device, &info, NULL, &update));
    return update;
}

static void write_array(struct noted *n, VkDescriptorSet set, uint32_t writes)
{
    VkDescriptorImageInfo infos[NOTED_IMAGES];
    VkWriteDescriptorSet write[NOTED_IMAGES];
    for (uint32_t i = 0; i < NOTED_IMAGES; i++) {
        infos[i] = noted_image_info(n, i);
        write[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = set,
                                          .dstArrayElement = i,
                                          .descriptorCount = NOTED_IMAGES / writes,
                                          .descriptorType = IMAGE,
                                          .pImageInfo = &infos[i]};
    }
    vkUpdateDescriptorSets(n->scene.vk.device, writes, write, 0, NULL);
}

static void write_from_reset_pool(struct noted *n, VkDescriptorSet set)
{
    const VkDescriptorPoolSize sizes[] = {{IMAGE, NOTED_IMAGES}, {VK_DESCRIPTOR_TYPE_SAMPLER, NOTED_SAMPLERS}};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
    VkDescriptorPool pool;
    VkDescriptorSet other;
    HARNESS_VK(vkCreateDescriptorPool(n->scene.vk.device, &info, NULL, &pool));
    const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = pool,
                                                  .descriptorSetCount = 1,
                                                  .pSetLayouts = &n->images};
    HARNESS_VK(vkAllocateDescriptorSets(n->scene.vk.device, &allocate, &other));
    write_array(n, other, 1);
    copy(n, other, set, 0, NOTED_IMAGES);
    HARNESS_VK(vkResetDescriptorPool(n->scene.vk.device, pool, 0));
    vkDestroyDescriptorPool(n->scene.vk.device, pool, NULL);
}

void noted_write_in(struct noted *n, VkDescriptorSet set, enum noted_way way)
{
    VkDevice device = n->scene.vk.device;
    VkDescriptorSet others[2] = {harness_set(&n->scene.vk, n->images), harness_set(&n->scene.vk, n->images)};
    VkDescriptorImageInfo infos[NOTED_IMAGES];
    for (unsigned i = 0; i < NOTED_IMAGES; i++)
        infos[i] = noted_image_info(n, i);
    if (way == NOTED_WAY_SINGLE)
        noted_write_images(n, set);
    if (way == NOTED_WAY_ARRAY || way == NOTED_WAY_CALL)
        write_array(n, set, way == NOTED_WAY_ARRAY ? 1 : NOTED_IMAGES);
    for (uint32_t i = 0; i < (way == NOTED_WAY_TEMPLATE ? 1 : way == NOTED_WAY_TEMPLATES ? NOTED_IMAGES : 0); i++) {
        VkDescriptorUpdateTemplate update = noted_template(n, VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET, i,
                                                           way == NOTED_WAY_TEMPLATE ? NOTED_IMAGES : 1);
        vkUpdateDescriptorSetWithTemplate(device, set, update, &infos[i]);
        vkDestroyDescriptorUpdateTemplate(device, update, NULL);
    }
    if (way == NOTED_WAY_COPIED || way == NOTED_WAY_COPIED_SINGLY || way == NOTED_WAY_CHAIN)
        noted_write_images(n, others[0]);
    if (way == NOTED_WAY_COPIED)
        copy(n, others[0], set, 0, NOTED_IMAGES);
    for (uint32_t i = 0; way == NOTED_WAY_COPIED_SINGLY && i < NOTED_IMAGES; i++)
        copy(n, others[0], set, i, 1);
    if (way == NOTED_WAY_CHAIN) {
        copy(n, others[0], others[1], 0, NOTED_IMAGES);
        copy(n, others[1], set, 0, 1);
        copy(n, others[1], set, 1, NOTED_IMAGES - 1);
    }
    if (way == NOTED_WAY_RESET)
        write_from_reset_pool(n, set);
    HARNESS_VK(vkFreeDescriptorSets(device, n->scene.vk.descriptors, 2, others));
}

void noted_draw(struct noted *n, bool together, const VkDescriptorSet sets[2])
{
    scene_draw(&n->scene, n->pipeline, n->layout, together ? 1 : 2, sets);
}

/* Plain samplers, GL_CLAMP alone, and the odd border beside it, one after the other. `drawn`: the plain ones are. */
void noted_samplers_come_later(struct noted *n, bool together, bool drawn, const VkDescriptorSet sets[2])
{
    const VkDescriptorSet samplers = sets[together ? 0 : 1];
    noted_write_sampler(n, samplers, together, 0, n->scene.samplers[SCENE_EDGE]);
    noted_write_sampler(n, samplers, together, 1, n->scene.samplers[SCENE_BORDER]);
    if (drawn) {
        noted_draw(n, together, sets);
        scene_expect_own_code(&n->scene);
        noted_expect(n, 0, SCENE_EDGE);
        noted_expect(n, 1, SCENE_BORDER);
    }
    if (drawn) { /* else the border is the first that there is */
        scene_add_sampler(&n->scene, SCENE_CLAMP);
        noted_write_sampler(n, samplers, together, 1, n->scene.samplers[SCENE_CLAMP]);
        noted_draw(n, together, sets);
        scene_expect_tier(&n->scene, 1);
        noted_expect(n, 0, SCENE_EDGE);
        noted_expect(n, 1, SCENE_CLAMP);
    }
    noted_add_border(n);
    noted_write_sampler(n, samplers, together, 1, n->border);
    noted_draw(n, together, sets);
    scene_expect_tier(&n->scene, 2);
    noted_expect(n, 0, SCENE_EDGE);
    noted_expect_border(n, 1);
    noted_write_sampler(n, samplers, together, 0, n->border);
    noted_write_sampler(n, samplers, together, 1, n->scene.samplers[SCENE_EDGE]);
    noted_draw(n, together, sets);
    scene_expect_tier(&n->scene, 2);
    noted_expect_border(n, 0);
    noted_expect(n, 1, SCENE_EDGE);
    noted_write_sampler(n, samplers, together, 0, n->scene.samplers[SCENE_BORDER]);
    noted_draw(n, together, sets);
    scene_expect_tier(&n->scene, 0);
    noted_expect(n, 0, SCENE_BORDER);
}
