/* SPDX-License-Identifier: MIT */
/* Update templates: records follow descriptors out of the program's raw memory. */
#include <string.h>

#include "integration/descriptors/every_type.h"
#include "integration_combined.h"
#include "integration_every_type_inline.h"

struct fixture {
    struct scene scene;
    struct scene_program program;
    struct every_type every;
    VkDescriptorSet set;
};

static VkDescriptorUpdateTemplate create_template(struct fixture *f, uint32_t count,
                                                  const VkDescriptorUpdateTemplateEntry *entries)
{
    VkDescriptorUpdateTemplate update;
    update = harness_template(&f->scene.vk, f->program.set_layout, entries, count);
    return update;
}

static void draw(struct fixture *f)
{
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &f->set);
}

/* `immutable` of SCENE_NOTHING: the separate sampler is the program's to write, like everything else. */
static void open_every_type(struct fixture *f, enum scene_sampler immutable)
{
    VkDescriptorSetLayoutBinding bindings[EVERY_TYPE_BINDINGS];
    VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                 .inlineUniformBlock = VK_TRUE};
    scene_open(&f->scene, &(struct harness_vulkan_params){.device_next = &features});
    every_type_create(&f->scene, &f->every);
    every_type_bindings(bindings);
    if (immutable != SCENE_NOTHING)
        bindings[4].pImmutableSamplers = &f->scene.samplers[immutable];
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_every_type_inline), bindings,
                         EVERY_TYPE_BINDINGS, 0, NULL);

    /* A pool of its own: the harness's has no inline uniform blocks. */
    VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = 4};
    VkDescriptorPoolSize sizes[EVERY_TYPE_BINDINGS];
    for (unsigned i = 0; i < EVERY_TYPE_BINDINGS; i++)
        sizes[i] = (VkDescriptorPoolSize){bindings[i].descriptorType, bindings[i].descriptorCount * 4};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .pNext = &blocks,
                                       .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                       .maxSets = 4,
                                       .poolSizeCount = EVERY_TYPE_BINDINGS,
                                       .pPoolSizes = sizes};
    vkDestroyDescriptorPool(f->scene.vk.device, f->scene.vk.descriptors, NULL);
    HARNESS_VK(vkCreateDescriptorPool(f->scene.vk.device, &pool, NULL, &f->scene.vk.descriptors));
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

static void close_every_type(struct fixture *f)
{
    every_type_destroy(&f->scene, &f->every);
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static void a_template_of_every_type_reads_odd_offsets_and_strides(void **state)
{
    (void)state;
    struct fixture f;
    unsigned char raw[EVERY_TYPE_RAW_BYTES];
    VkDescriptorUpdateTemplateEntry entries[EVERY_TYPE_BINDINGS];
    open_every_type(&f, SCENE_NOTHING);
    every_type_raw(&f.scene, &f.every, SCENE_CLAMP, SCENE_MIRROR, entries, raw);
    VkDescriptorUpdateTemplate update = create_template(&f, EVERY_TYPE_BINDINGS, entries);
    vkUpdateDescriptorSetWithTemplate(f.scene.vk.device, f.set, update, raw);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    every_type_expect(&f.scene, SCENE_CLAMP, SCENE_MIRROR, true);

    every_type_raw(&f.scene, &f.every, SCENE_EDGE, SCENE_BORDER, entries, raw);
    vkUpdateDescriptorSetWithTemplate(f.scene.vk.device, f.set, update, raw);
    draw(&f);
    scene_expect_tier(&f.scene, 0);
    every_type_expect(&f.scene, SCENE_EDGE, SCENE_BORDER, true);

    every_type_raw(&f.scene, &f.every, SCENE_MIXED, SCENE_CLAMP, entries, raw);
    vkUpdateDescriptorSetWithTemplate(f.scene.vk.device, f.set, update, raw);
    vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, update, NULL);
    memset(raw, 0, sizeof(raw));
    draw(&f);
    scene_expect_tier(&f.scene, 2);
    every_type_expect(&f.scene, SCENE_MIXED, SCENE_CLAMP, true);
    close_every_type(&f);
}

/* The layer writes such sets piece by piece itself: no kind of descriptor may get lost on that way. */
static void a_template_of_every_type_beside_an_immutable_clamp_loses_nothing(void **state)
{
    (void)state;
    struct fixture f;
    unsigned char raw[EVERY_TYPE_RAW_BYTES];
    VkDescriptorUpdateTemplateEntry entries[EVERY_TYPE_BINDINGS];
    open_every_type(&f, SCENE_CLAMP);
    every_type_raw(&f.scene, &f.every, SCENE_EDGE, SCENE_EDGE, entries, raw);
    memmove(&entries[4], &entries[5], 3 * sizeof(entries[0])); /* the immutable one is not the program's to write */
    VkDescriptorUpdateTemplate update = create_template(&f, EVERY_TYPE_BINDINGS - 1, entries);
    vkUpdateDescriptorSetWithTemplate(f.scene.vk.device, f.set, update, raw);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    every_type_expect(&f.scene, SCENE_EDGE, SCENE_CLAMP, true);
    vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, update, NULL);
    close_every_type(&f);
}

static void writes_of_every_type_beside_an_immutable_clamp_lose_nothing(void **state)
{
    (void)state;
    struct fixture f;
    struct every_type_infos infos;
    VkWriteDescriptorSet writes[EVERY_TYPE_BINDINGS];
    open_every_type(&f, SCENE_MIRROR);
    every_type_writes(&f.scene, &f.every, SCENE_CLAMP, SCENE_EDGE, &infos, writes);
    for (unsigned i = 0; i < EVERY_TYPE_BINDINGS; i++)
        writes[i].dstSet = f.set;
    memmove(&writes[4], &writes[5], 3 * sizeof(writes[0]));
    vkUpdateDescriptorSets(f.scene.vk.device, EVERY_TYPE_BINDINGS - 1, writes, 0, NULL);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    every_type_expect(&f.scene, SCENE_CLAMP, SCENE_MIRROR, true);
    close_every_type(&f);
}

static void an_entry_of_a_template_runs_over_into_the_following_bindings(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                                            SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                                            SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
    enum { STRIDE = sizeof(VkDescriptorImageInfo) * 2 + 1, OFFSET = 11 };
    static const enum scene_sampler samplers[] = {SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    unsigned char raw[OFFSET + STRIDE * 5];
    /*
     * Without the validation layer: 1.3.239 takes the length of an entry's first binding for that of every binding that
     * it runs over into, and crashes.
     */
    scene_open(&f.scene, &(struct harness_vulkan_params){.layers = "clampler"});
    scene_program_create(&f.scene, &f.program, HARNESS_SPIRV(integration_combined), bindings, 3, 0, NULL);
    f.set = harness_set(&f.scene.vk, f.program.set_layout);
    scene_write(&f.scene, f.set, 0, 0, SCENE_COMBINED, SCENE_MIRROR, SCENE_STEPS);
    for (unsigned i = 0; i < 5; i++) {
        VkDescriptorImageInfo info = scene_info(&f.scene, samplers[i], i % 2 ? SCENE_RAMP : SCENE_STEPS);
        memcpy(raw + OFFSET + STRIDE * i, &info, sizeof(info));
    }
    const VkDescriptorUpdateTemplateEntry entry = {.dstBinding = 0,
                                                   .dstArrayElement = 1,
                                                   .descriptorCount = 5,
                                                   .descriptorType = SCENE_COMBINED,
                                                   .offset = OFFSET,
                                                   .stride = STRIDE};
    VkDescriptorUpdateTemplate update = create_template(&f, 1, &entry);
    vkUpdateDescriptorSetWithTemplate(f.scene.vk.device, f.set, update, raw);
    vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, update, NULL);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 0, SCENE_MIRROR, SCENE_STEPS);
    for (unsigned i = 0; i < 5; i++)
        scene_expect_row(&f.scene, i + 1, samplers[i], i % 2 ? SCENE_RAMP : SCENE_STEPS);
    scene_program_destroy(&f.scene, &f.program);
    scene_close(&f.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_template_of_every_type_reads_odd_offsets_and_strides),
        cmocka_unit_test(a_template_of_every_type_beside_an_immutable_clamp_loses_nothing),
        cmocka_unit_test(writes_of_every_type_beside_an_immutable_clamp_lose_nothing),
        cmocka_unit_test(an_entry_of_a_template_runs_over_into_the_following_bindings),
    };
    return cmocka_run_group_tests_name("templates", tests, NULL, NULL);
}
