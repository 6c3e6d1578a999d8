/* SPDX-License-Identifier: MIT */
/*
 * Entries of templates that the layer must not read, or cannot: those of immutable samplers, whose memory may hold
 * anything, and those of types that it does not know, which a layer below gives the driver (type_layer). In templates
 * of sets and of pushes, in both forms of these, and where a push set became a set. The whole table is gone through:
 * what is immutable, how the template is used, what is written beside it, again and again.
 */
#include <string.h>

#include "newer_vulkan.h"
#include "harness/resources/immutable_entries.h"
#include "integration/descriptors/every_type.h"
#include "integration/layers/faults.h"
#include "integration/layers/type_layer/type.h"
#include "integration_every_type.h"

/* An immutable sampler is one that asks for nothing, or one that the layer writes itself. */
enum immutable { WRITTEN, PLAIN, SPECIAL, IMMUTABLES };

enum way { SET, PUSHED, PUSHED_BY_STRUCTURE, CONVERTED, WAYS };

struct entries_case {
    enum immutable combined, separate;
    enum way way;
    bool unknown; /* the uniform buffer is of a type that the layer does not know */
};

static bool driver_survives[2]; /* immutable samplers' entries, in templates of sets and of pushes */

enum { BINDINGS = EVERY_TYPE_BINDINGS - 1, UNIFORM = 1, SEPARATE = 4, COMBINED = 0 };

struct fixture {
    struct scene scene;
    struct scene_program program;
    struct every_type every;
    struct type_control *types; /* NULL: no such layer below */
    struct entries_case of;
    VkDescriptorSet set;
    VkDescriptorUpdateTemplate update;
    unsigned char raw[EVERY_TYPE_RAW_BYTES];
};

/* ---- The device ---- */

static const char maintenance6[] = "VK_KHR_maintenance6";

static void open_device(struct fixture *f, enum way way, bool unknown)
{
    const char *extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, maintenance6};
    struct harness_features structures = {.sType = (VkStructureType)1000545000, .enabled = {VK_TRUE}};
    const bool structure = way == PUSHED_BY_STRUCTURE;
    /* Without the validation layer: that takes entries of immutable samplers for writes of those. */
    struct harness_vulkan_params params = {.layers = unknown ? "clampler:" TYPE_LAYER : "clampler",
                                           .device_extensions = extensions,
                                           .device_extension_count = structure ? 2 : 1,
                                           .device_next = structure ? &structures : NULL};
    memset(f, 0, sizeof(*f));
    if (structure)
        scene_skip_without(maintenance6);
    if (unknown) {
        static struct type_control *types;
        f->types = types = types ? types : test_layer_open("type", TYPE_CONTROL_SYMBOL);
    }
    if (way == CONVERTED)
        scene_open_with_setting(&f->scene, "ASSUME_MISSING", "push_slot", &params);
    else
        scene_open(&f->scene, &params);
    every_type_create(&f->scene, &f->every);
}

static void close_device(struct fixture *f)
{
    every_type_destroy(&f->scene, &f->every);
    scene_close(&f->scene);
}

/* ---- One case ---- */

/* What is immutable asks for nothing, or is the layer's to write. */
static const enum scene_sampler immutable_combined[IMMUTABLES] = {SCENE_NOTHING, SCENE_BORDER, SCENE_CLAMP},
                                immutable_separate[IMMUTABLES] = {SCENE_NOTHING, SCENE_EDGE, SCENE_MIRROR};

static void create_program(struct fixture *f)
{
    VkDescriptorSetLayoutBinding bindings[EVERY_TYPE_BINDINGS];
    every_type_bindings(bindings);
    if (f->of.combined != WRITTEN)
        bindings[COMBINED].pImmutableSamplers = &f->scene.samplers[immutable_combined[f->of.combined]];
    if (f->of.separate != WRITTEN)
        bindings[SEPARATE].pImmutableSamplers = &f->scene.samplers[immutable_separate[f->of.separate]];
    if (f->of.unknown)
        bindings[UNIFORM].descriptorType = TYPE_UNKNOWN;
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_every_type), bindings, BINDINGS,
                         f->of.way == SET ? 0 : (VkFlags)VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, NULL);
    if (f->of.way == SET)
        f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

static void create_template(struct fixture *f)
{
    VkDescriptorUpdateTemplateEntry entries[EVERY_TYPE_BINDINGS];
    every_type_raw(&f->scene, &f->every, SCENE_EDGE, SCENE_EDGE, entries, f->raw);
    if (f->of.unknown)
        entries[UNIFORM].descriptorType = TYPE_UNKNOWN;
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = BINDINGS,
        .pDescriptorUpdateEntries = entries,
        .templateType = f->of.way == SET ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET
                                         : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .descriptorSetLayout = f->program.set_layout,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .pipelineLayout = f->program.layout,
    };
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(f->scene.vk.device, &info, NULL, &f->update));
}

/* The memory of what is immutable holds nothing that could be read. */
static void fill_raw(struct fixture *f, enum scene_sampler combined, enum scene_sampler separate)
{
    static const VkSampler none = (VkSampler)(uintptr_t)0x7a7a7a7a7a7a7a78u;
    VkDescriptorUpdateTemplateEntry entries[EVERY_TYPE_BINDINGS];
    every_type_raw(&f->scene, &f->every, combined, separate, entries, f->raw);
    if (f->of.separate != WRITTEN)
        memset(f->raw + entries[SEPARATE].offset, 0x7a, sizeof(VkDescriptorImageInfo));
    if (f->of.combined != WRITTEN)
        memcpy(f->raw + entries[COMBINED].offset + offsetof(VkDescriptorImageInfo, sampler), &none, sizeof(none));
}

static void draw(struct fixture *f)
{
    const struct harness_vulkan *vk = &f->scene.vk;
    const VkPushDescriptorSetWithTemplateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO_KHR,
        .descriptorUpdateTemplate = f->update,
        .layout = f->program.layout,
        .pData = f->raw};
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.pipeline);
    if (f->of.way == SET)
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &f->set, 0, NULL);
    else if (f->of.way == PUSHED_BY_STRUCTURE)
        HARNESS_PROC(vk, vkCmdPushDescriptorSetWithTemplate2KHR)(commands, &info);
    else
        HARNESS_PROC(vk, vkCmdPushDescriptorSetWithTemplateKHR)(commands, f->update, f->program.layout, 0, f->raw);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f->scene, commands);
}

static unsigned tier_of(enum scene_sampler sampler)
{
    return sampler == SCENE_MIXED ? 2 : sampler == SCENE_CLAMP || sampler == SCENE_MIRROR;
}

static void update_and_expect(struct fixture *f, enum scene_sampler combined, enum scene_sampler separate)
{
    fill_raw(f, combined, separate);
    if (f->of.way == SET)
        vkUpdateDescriptorSetWithTemplate(f->scene.vk.device, f->set, f->update, f->raw);
    draw(f);
    if (f->of.combined != WRITTEN)
        combined = immutable_combined[f->of.combined];
    if (f->of.separate != WRITTEN)
        separate = immutable_separate[f->of.separate];
    const unsigned tiers[] = {tier_of(combined), tier_of(separate)};
    scene_expect_tier(&f->scene, tiers[0] > tiers[1] ? tiers[0] : tiers[1]);
    every_type_expect(&f->scene, combined, separate, false);
}

static void go_through(struct fixture *f, struct entries_case of)
{
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED, SCENE_BORDER, SCENE_MIRROR};
    enum { SAMPLERS = sizeof(samplers) / sizeof(samplers[0]) };
    f->of = of;
    create_program(f);
    create_template(f);
    for (unsigned i = 0; i < 2 * SAMPLERS; i++)
        update_and_expect(f, samplers[i % SAMPLERS], samplers[i / 2 % SAMPLERS]);
    vkDestroyDescriptorUpdateTemplate(f->scene.vk.device, f->update, NULL);
    if (of.way == SET)
        HARNESS_VK(vkFreeDescriptorSets(f->scene.vk.device, f->scene.vk.descriptors, 1, &f->set));
    scene_program_destroy(&f->scene, &f->program);
}

/* Where the driver reads what it must not, rows have immutable samplers in combined image samplers alone. */
static void go_through_all(enum way way, bool unknown)
{
    struct fixture f;
    const bool survives = driver_survives[way != SET];
    const unsigned separate = survives ? IMMUTABLES : 1, cases = IMMUTABLES * separate;
    if (!survives)
        print_message("%s: immutable SAMPLER bindings are left out here\n", HARNESS_READS_IMMUTABLE_ENTRIES);
    open_device(&f, way, unknown);
    for (unsigned i = 0; i < cases; i++)
        go_through(&f, (struct entries_case){i % IMMUTABLES, i / IMMUTABLES, way, unknown});
    assert_int_equal(harness_counters(&f.scene.vk).push_sets_converted, way == CONVERTED ? cases : 0);
    if (unknown) {
        assert_true(atomic_load(&f.types->templates) >= cases);
        assert_int_equal(atomic_load(&f.types->written), 0);
    }
    close_device(&f);
}

/* ---- Tests ---- */

#define FOR(NAME, WAY, UNKNOWN)                                                                                        \
    static void NAME(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        go_through_all(WAY, UNKNOWN);                                                                                  \
    }
FOR(templates_of_sets_read_nothing_for_immutable_samplers, SET, false)
FOR(templates_of_pushes_read_nothing_for_immutable_samplers, PUSHED, false)
FOR(templates_pushed_by_structures_read_nothing_for_immutable_samplers, PUSHED_BY_STRUCTURE, false)
FOR(templates_of_pushes_that_became_sets_read_nothing_for_immutable_samplers, CONVERTED, false)
FOR(entries_of_unknown_types_go_down_in_sets, SET, true)
FOR(entries_of_unknown_types_go_down_in_pushes, PUSHED, true)
FOR(entries_of_unknown_types_go_down_in_pushes_by_structures, PUSHED_BY_STRUCTURE, true)

/* What is pushed could not be kept: the set stays the driver's, and what was pushed arrives. */
static void a_push_set_with_an_unknown_type_stays_one(void **state)
{
    (void)state;
    struct fixture f;
    open_device(&f, CONVERTED, true);
    f.of = (struct entries_case){WRITTEN, WRITTEN, CONVERTED, true};
    create_program(&f);
    create_template(&f);
    for (unsigned i = 0; i < 3; i++) {
        fill_raw(&f, SCENE_EDGE, SCENE_BORDER);
        draw(&f);
        scene_expect_tier(&f.scene, 0);
        every_type_expect(&f.scene, SCENE_EDGE, SCENE_BORDER, false);
    }
    assert_int_equal(harness_counters(&f.scene.vk).push_sets_converted, 0);
    assert_int_equal(atomic_load(&f.types->written), 0);
    assert_int_equal(harness_layer_messages(), 1);
    assert_non_null(strstr(harness_layer_message(0), "no descriptor left for records"));
    harness_messages_reset();
    vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, f.update, NULL);
    scene_program_destroy(&f.scene, &f.program);
    close_device(&f);
}

int main(void)
{
    for (unsigned push = 0; push < 2; push++)
        driver_survives[push] = harness_survives_immutable_entries(push);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_of_sets_read_nothing_for_immutable_samplers),
        cmocka_unit_test(templates_of_pushes_read_nothing_for_immutable_samplers),
        cmocka_unit_test(templates_pushed_by_structures_read_nothing_for_immutable_samplers),
        cmocka_unit_test(templates_of_pushes_that_became_sets_read_nothing_for_immutable_samplers),
        cmocka_unit_test(entries_of_unknown_types_go_down_in_sets),
        cmocka_unit_test(entries_of_unknown_types_go_down_in_pushes),
        cmocka_unit_test(entries_of_unknown_types_go_down_in_pushes_by_structures),
        cmocka_unit_test(a_push_set_with_an_unknown_type_stays_one),
    };
    return cmocka_run_group_tests_name("template_entries", tests, NULL, NULL);
}
