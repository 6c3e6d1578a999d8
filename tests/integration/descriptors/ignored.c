/* SPDX-License-Identifier: MIT */
/*
 * What Vulkan ignores in writes, pushes and templates is not read: pointers that lead nowhere, members that hold
 * anything, and what is pushed for immutable samplers (sections "Descriptor Set Updates", "Push Descriptor Updates").
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "integration/descriptors/every_type.h"
#include "integration_every_type.h"

enum { PUSH_LAYOUT = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR };

enum { COMBINED = 0, SAMPLER = 4, BINDINGS = EVERY_TYPE_INLINE };

struct fixture {
    struct scene scene;
    struct scene_program program;
    struct every_type every;
    enum scene_sampler immutable; /* the separate sampler; SCENE_NOTHING: it is the program's to write */
    char *memory;                 /* a page, and one behind it that cannot be read */
    size_t page;
};

/* ---- What leads nowhere ---- */

#define WILD(TYPE) ((TYPE)(uintptr_t)UINT64_C(0x5a5a5a5a5a5a5a50))

static const void *nowhere(const struct fixture *f)
{
    return f->memory + f->page;
}

static void spoil_pointers(const struct fixture *f, VkWriteDescriptorSet *write)
{
    if (!write->pImageInfo)
        write->pImageInfo = nowhere(f);
    if (!write->pBufferInfo)
        write->pBufferInfo = nowhere(f);
    if (!write->pTexelBufferView)
        write->pTexelBufferView = nowhere(f);
}

static void spoil_members(VkDescriptorImageInfo *info, VkDescriptorType type, bool immutable)
{
    if (type == VK_DESCRIPTOR_TYPE_SAMPLER) {
        info->imageView = WILD(VkImageView);
        info->imageLayout = (VkImageLayout)0x5a5a5a5a;
    }
    if (immutable || (type != VK_DESCRIPTOR_TYPE_SAMPLER && type != SCENE_COMBINED))
        info->sampler = WILD(VkSampler);
}

static bool is_immutable(const struct fixture *f, uint32_t binding)
{
    return binding == COMBINED || (binding == SAMPLER && f->immutable != SCENE_NOTHING);
}

/* Writes that name nothing but what their types need. */
static void spoiled_writes(const struct fixture *f, struct every_type_infos *infos,
                           VkWriteDescriptorSet writes[EVERY_TYPE_BINDINGS])
{
    every_type_writes(&f->scene, &f->every, SCENE_EDGE, SCENE_EDGE, infos, writes);
    if (f->immutable == SCENE_NOTHING)
        infos->sampler.sampler = f->scene.samplers[SCENE_MIRROR];
    spoil_members(&infos->combined, SCENE_COMBINED, true);
    spoil_members(&infos->image, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, false);
    spoil_members(&infos->sampler, VK_DESCRIPTOR_TYPE_SAMPLER, is_immutable(f, SAMPLER));
    spoil_members(&infos->stored, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, false);
    for (unsigned i = 0; i < BINDINGS; i++)
        spoil_pointers(f, &writes[i]);
}

/*
 * The same as raw memory in the page. What stands for an immutable sampler would lie in the page behind it: its offset
 * leads there.
 */
static void spoiled_raw(const struct fixture *f, VkDescriptorUpdateTemplateEntry entries[EVERY_TYPE_BINDINGS])
{
    unsigned char raw[EVERY_TYPE_RAW_BYTES];
    every_type_raw(&f->scene, &f->every, SCENE_EDGE, SCENE_MIRROR, entries, raw);
    for (unsigned i = 0; i < BINDINGS; i++) {
        VkDescriptorImageInfo info;
        const VkDescriptorType type = entries[i].descriptorType;
        if (type != SCENE_COMBINED && type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE && type != VK_DESCRIPTOR_TYPE_SAMPLER &&
            type != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
            continue;
        memcpy(&info, raw + entries[i].offset, sizeof(info));
        spoil_members(&info, type, is_immutable(f, i));
        memcpy(raw + entries[i].offset, &info, sizeof(info));
    }
    memcpy(f->memory, raw, sizeof(raw));
    if (f->immutable != SCENE_NOTHING)
        entries[SAMPLER].offset = f->page;
}

/* ---- The program ---- */

/* The combined sampler is immutable always: a clamp that the layer writes itself. */
static void open_fixture(struct fixture *f, enum scene_sampler immutable, bool pushed, bool converted)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    const struct harness_vulkan_params params = {.device_extensions = extensions, .device_extension_count = pushed};
    VkDescriptorSetLayoutBinding bindings[EVERY_TYPE_BINDINGS];
    if (converted)
        scene_open_with_setting(&f->scene, "ASSUME_MISSING", "push_slot", &params);
    else
        scene_open(&f->scene, &params);
    f->immutable = immutable;
    f->page = (size_t)sysconf(_SC_PAGESIZE);
    f->memory = mmap(NULL, 2 * f->page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(f->memory, MAP_FAILED);
    assert_int_equal(mprotect(f->memory + f->page, f->page, PROT_NONE), 0);
    every_type_create(&f->scene, &f->every);
    every_type_bindings(bindings);
    bindings[COMBINED].pImmutableSamplers = &f->scene.samplers[SCENE_CLAMP];
    if (immutable != SCENE_NOTHING)
        bindings[SAMPLER].pImmutableSamplers = &f->scene.samplers[immutable];
    for (unsigned i = 0; i < BINDINGS; i++) { /* immutable samplers of other types are ignored, too */
        if (i != COMBINED && i != SAMPLER)
            bindings[i].pImmutableSamplers = nowhere(f);
    }
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_every_type), bindings, BINDINGS,
                         pushed ? PUSH_LAYOUT : 0, NULL);
    assert_int_equal(harness_counters(&f->scene.vk).push_sets_converted, pushed && converted ? 1 : 0);
}

static void close_fixture(struct fixture *f)
{
    every_type_destroy(&f->scene, &f->every);
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
    munmap(f->memory, 2 * f->page);
}

static void expect(const struct fixture *f)
{
    scene_expect_tier(&f->scene, 1);
    every_type_expect(&f->scene, SCENE_CLAMP, f->immutable == SCENE_NOTHING ? SCENE_MIRROR : f->immutable, false);
}

static VkDescriptorUpdateTemplate create_template(const struct fixture *f, uint32_t count, bool pushed,
                                                  const VkDescriptorUpdateTemplateEntry *entries)
{
    /* What the type of template does not need is ignored here, too. */
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = count,
        .pDescriptorUpdateEntries = entries,
        .templateType = pushed ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR
                               : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = pushed ? WILD(VkDescriptorSetLayout) : f->program.set_layout,
        .pipelineBindPoint = pushed ? VK_PIPELINE_BIND_POINT_GRAPHICS : (VkPipelineBindPoint)0x5a5a5a5a,
        .pipelineLayout = pushed ? f->program.layout : WILD(VkPipelineLayout),
        .set = pushed ? 0 : 0x5a5a5a5a};
    VkDescriptorUpdateTemplate update;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(f->scene.vk.device, &info, NULL, &update));
    return update;
}

/* Leaves the immutable sampler of its own out, which sets do not let a program write. */
static uint32_t leave_out_immutable(const struct fixture *f, VkDescriptorUpdateTemplateEntry *entries,
                                    VkWriteDescriptorSet *writes)
{
    if (f->immutable == SCENE_NOTHING)
        return BINDINGS;
    const unsigned after = BINDINGS - SAMPLER - 1;
    if (entries)
        memmove(entries + SAMPLER, entries + SAMPLER + 1, after * sizeof(*entries));
    if (writes)
        memmove(writes + SAMPLER, writes + SAMPLER + 1, after * sizeof(*writes));
    return BINDINGS - 1;
}

/* ---- Sets ---- */

static void writes_read_only_what_their_types_need(void **state)
{
    (void)state;
    static const enum scene_sampler immutable[] = {SCENE_NOTHING, SCENE_MIRROR, SCENE_EDGE};
    for (unsigned i = 0; i < 3; i++) {
        struct fixture f;
        struct every_type_infos infos;
        VkWriteDescriptorSet writes[EVERY_TYPE_BINDINGS];
        open_fixture(&f, immutable[i], false, false);
        VkDescriptorSet set = harness_set(&f.scene.vk, f.program.set_layout);
        spoiled_writes(&f, &infos, writes);
        const uint32_t count = leave_out_immutable(&f, NULL, writes);
        for (uint32_t w = 0; w < count; w++)
            writes[w].dstSet = set;
        vkUpdateDescriptorSets(f.scene.vk.device, count, writes, 0, NULL);
        scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &set);
        expect(&f);
        close_fixture(&f);
    }
}

static void templates_read_only_what_their_types_need(void **state)
{
    (void)state;
    static const enum scene_sampler immutable[] = {SCENE_NOTHING, SCENE_MIRROR, SCENE_EDGE};
    for (unsigned i = 0; i < 3; i++) {
        struct fixture f;
        VkDescriptorUpdateTemplateEntry entries[EVERY_TYPE_BINDINGS + 1];
        open_fixture(&f, immutable[i], false, false);
        VkDescriptorSet set = harness_set(&f.scene.vk, f.program.set_layout);
        spoiled_raw(&f, entries);
        uint32_t count = leave_out_immutable(&f, entries, NULL);
        entries[count++] = (VkDescriptorUpdateTemplateEntry){
            .dstBinding = 0, .descriptorType = SCENE_COMBINED, .offset = f.page}; /* of no descriptors */
        VkDescriptorUpdateTemplate update = create_template(&f, count, false, entries);
        vkUpdateDescriptorSetWithTemplate(f.scene.vk.device, set, update, f.memory);
        vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, update, NULL);
        scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &set);
        expect(&f);
        close_fixture(&f);
    }
}

/* ---- Push sets ---- */

static void push_all(bool converted, enum scene_sampler immutable)
{
    struct fixture f;
    struct every_type_infos infos;
    VkWriteDescriptorSet writes[EVERY_TYPE_BINDINGS];
    open_fixture(&f, immutable, true, converted);
    spoiled_writes(&f, &infos, writes);
    for (unsigned i = 0; i < BINDINGS; i++)
        writes[i].dstSet = WILD(VkDescriptorSet);
    if (immutable != SCENE_NOTHING)
        writes[SAMPLER].pImageInfo = nowhere(&f);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
    HARNESS_PROC(&f.scene.vk, vkCmdPushDescriptorSetKHR)
    (commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.layout, 0, BINDINGS, writes);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    expect(&f);
    close_fixture(&f);
}

static void push_all_by_template(bool converted, enum scene_sampler immutable)
{
    struct fixture f;
    VkDescriptorUpdateTemplateEntry entries[EVERY_TYPE_BINDINGS];
    open_fixture(&f, immutable, true, converted);
    spoiled_raw(&f, entries);
    VkDescriptorUpdateTemplate update = create_template(&f, BINDINGS, true, entries);
    VkCommandBuffer commands = scene_begin(&f.scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f.program.pipeline);
    HARNESS_PROC(&f.scene.vk, vkCmdPushDescriptorSetWithTemplateKHR)
    (commands, update, f.program.layout, 0, f.memory);
    vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, update, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f.scene, commands);
    expect(&f);
    close_fixture(&f);
}

#define TESTS_OF_PUSHES(NAME, CONVERTED, IMMUTABLE)                                                                    \
    static void pushes_read_only_what_their_types_need_##NAME(void **state)                                            \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        push_all(CONVERTED, IMMUTABLE);                                                                                \
    }                                                                                                                  \
    static void templates_of_pushes_read_only_what_their_types_need_##NAME(void **state)                               \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        push_all_by_template(CONVERTED, IMMUTABLE);                                                                    \
    }
#define TEST_PUSHES(NAME)                                                                                              \
    cmocka_unit_test(pushes_read_only_what_their_types_need_##NAME),                                                   \
        cmocka_unit_test(templates_of_pushes_read_only_what_their_types_need_##NAME)

TESTS_OF_PUSHES(with_a_slot, false, SCENE_NOTHING)
TESTS_OF_PUSHES(without_a_slot, true, SCENE_NOTHING)
TESTS_OF_PUSHES(beside_an_immutable_sampler, false, SCENE_MIRROR)
TESTS_OF_PUSHES(beside_an_immutable_sampler_without_a_slot, true, SCENE_MIRROR)
TESTS_OF_PUSHES(beside_a_plain_immutable_sampler, false, SCENE_EDGE)
TESTS_OF_PUSHES(beside_a_plain_immutable_sampler_without_a_slot, true, SCENE_EDGE)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_read_only_what_their_types_need),
        cmocka_unit_test(templates_read_only_what_their_types_need),
        TEST_PUSHES(with_a_slot),
        TEST_PUSHES(without_a_slot),
        TEST_PUSHES(beside_an_immutable_sampler),
        TEST_PUSHES(beside_an_immutable_sampler_without_a_slot),
        TEST_PUSHES(beside_a_plain_immutable_sampler),
        TEST_PUSHES(beside_a_plain_immutable_sampler_without_a_slot),
    };
    return cmocka_run_group_tests_name("ignored", tests, NULL, NULL);
}
