/* SPDX-License-Identifier: MIT */
/* Immutable samplers: those that need anything become mutable below, and the layer writes them. */
#include <stdlib.h>

#include "integration/shared/scene.h"
#include "integration_combined.h"
#include "integration_separate.h"

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorSet set;
};

static void draw(struct fixture *f)
{
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &f->set);
}

static void finish(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static void open_separate(struct fixture *f, enum scene_sampler first, enum scene_sampler second,
                          enum scene_sampler last)
{
    scene_open(&f->scene, NULL);
    const VkSampler pair[] = {f->scene.samplers[first], f->scene.samplers[second]};
    VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(1, SAMPLED_IMAGE, 2), SCENE_BINDING(3, SAMPLER, 2),
                                               SCENE_BINDING(4, SAMPLER, 1)};
    bindings[1].pImmutableSamplers = pair;
    if (last != SCENE_NOTHING)
        bindings[2].pImmutableSamplers = &f->scene.samplers[last];
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_separate), bindings, 3, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
    scene_write(&f->scene, f->set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SCENE_EDGE, SCENE_RAMP);
    scene_write(&f->scene, f->set, 1, 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SCENE_EDGE, SCENE_STEPS);
}

static void expect_separate(struct fixture *f, enum scene_sampler first, enum scene_sampler second,
                            enum scene_sampler last)
{
    const enum scene_sampler samplers[] = {first, second, last};
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, samplers[row % 3], row < 3 ? SCENE_RAMP : SCENE_STEPS);
}

static void separate_immutable_samplers_need_no_write(void **state)
{
    (void)state;
    struct fixture f;
    open_separate(&f, SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    expect_separate(&f, SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR);
    finish(&f);
}

static void separate_immutable_samplers_stand_beside_written_ones(void **state)
{
    (void)state;
    struct fixture f;
    open_separate(&f, SCENE_BORDER, SCENE_CLAMP, SCENE_NOTHING);
    scene_write(&f.scene, f.set, 4, 0, VK_DESCRIPTOR_TYPE_SAMPLER, SCENE_EDGE, SCENE_RAMP);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    expect_separate(&f, SCENE_BORDER, SCENE_CLAMP, SCENE_EDGE);
    scene_write(&f.scene, f.set, 4, 0, VK_DESCRIPTOR_TYPE_SAMPLER, SCENE_MIXED, SCENE_RAMP);
    draw(&f);
    scene_expect_tier(&f.scene, 2);
    expect_separate(&f, SCENE_BORDER, SCENE_CLAMP, SCENE_MIXED);
    finish(&f);
}

static void plain_immutable_samplers_ask_for_nothing(void **state)
{
    (void)state;
    struct fixture f;
    open_separate(&f, SCENE_EDGE, SCENE_BORDER, SCENE_GL_EDGE);
    draw(&f);
    scene_expect_tier(&f.scene, 0);
    expect_separate(&f, SCENE_EDGE, SCENE_BORDER, SCENE_GL_EDGE);
    finish(&f);
}

/* Binding 0 has two immutable samplers, binding 2 none, binding 5 three. */
static void open_combined(struct fixture *f, const enum scene_sampler samplers[SCENE_ROWS])
{
    scene_open(&f->scene, NULL);
    VkSampler handles[SCENE_ROWS];
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        handles[row] = f->scene.samplers[samplers[row]];
    VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                               SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                               SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
    bindings[0].pImmutableSamplers = handles;
    bindings[2].pImmutableSamplers = handles + 3;
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_combined), bindings, 3, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

static void write_views(struct fixture *f, VkDescriptorSet set, uint32_t binding, uint32_t count, VkSampler ignored,
                        enum scene_texture texture)
{
    VkDescriptorImageInfo infos[3];
    for (uint32_t i = 0; i < count; i++)
        infos[i] =
            (VkDescriptorImageInfo){ignored, f->scene.textures[texture].view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    harness_write_images(&f->scene.vk, set, binding, SCENE_COMBINED, count, infos);
}

static void combined_immutable_samplers_win_over_what_a_write_names(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_EDGE,
                                                            SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    open_combined(&f, samplers);
    write_views(&f, f.set, 0, 2, VK_NULL_HANDLE, SCENE_RAMP);
    write_views(&f, f.set, 2, 1, f.scene.samplers[SCENE_EDGE], SCENE_STEPS);
    write_views(&f, f.set, 5, 3, f.scene.samplers[SCENE_EDGE], SCENE_STEPS); /* ignored, as Vulkan has it */
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, samplers[row], row < 2 ? SCENE_RAMP : SCENE_STEPS);
    finish(&f);
}

/* A write's sampler is ignored where samplers are immutable, and so is what it would have asked for. */
static void plain_immutable_samplers_win_over_what_a_write_names(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_BORDER, SCENE_EDGE,   SCENE_EDGE,
                                                            SCENE_EDGE,   SCENE_BORDER, SCENE_GL_EDGE};
    struct fixture f;
    open_combined(&f, samplers);
    write_views(&f, f.set, 0, 2, f.scene.samplers[SCENE_CLAMP], SCENE_RAMP);
    write_views(&f, f.set, 2, 1, f.scene.samplers[SCENE_EDGE], SCENE_STEPS);
    write_views(&f, f.set, 5, 3, f.scene.samplers[SCENE_MIXED], SCENE_STEPS);
    draw(&f);
    scene_expect_tier(&f.scene, 0);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, samplers[row], row < 2 ? SCENE_RAMP : SCENE_STEPS);
    write_views(&f, f.set, 2, 1, f.scene.samplers[SCENE_CLAMP], SCENE_STEPS); /* now records are read */
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, row == 2 ? SCENE_CLAMP : samplers[row], row < 2 ? SCENE_RAMP : SCENE_STEPS);
    finish(&f);
}

static void a_copy_between_sets_leaves_immutable_samplers_right(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_EDGE,
                                                            SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    open_combined(&f, samplers);
    VkDescriptorSet other = harness_set(&f.scene.vk, f.program.set_layout);
    write_views(&f, other, 0, 2, VK_NULL_HANDLE, SCENE_RAMP);
    write_views(&f, other, 2, 1, f.scene.samplers[SCENE_CLAMP], SCENE_STEPS);
    write_views(&f, other, 5, 3, VK_NULL_HANDLE, SCENE_STEPS);
    const VkCopyDescriptorSet copies[] = {
        {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = other, .dstSet = f.set, .descriptorCount = 2},
        {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
         .srcSet = other,
         .srcBinding = 2,
         .dstSet = f.set,
         .dstBinding = 2,
         .descriptorCount = 1},
        {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
         .srcSet = other,
         .srcBinding = 5,
         .dstSet = f.set,
         .dstBinding = 5,
         .descriptorCount = 3}};
    vkUpdateDescriptorSets(f.scene.vk.device, 0, NULL, 3, copies);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, row == 2 ? SCENE_CLAMP : samplers[row], row < 2 ? SCENE_RAMP : SCENE_STEPS);
    finish(&f);
}

static void two_layouts_of_the_same_create_info_are_compatible(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_EDGE,
                                                            SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    open_combined(&f, samplers);
    VkSampler handles[SCENE_ROWS];
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        handles[row] = f.scene.samplers[samplers[row]];
    VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3),
                                               SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                               SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1)};
    bindings[0].pImmutableSamplers = handles + 3;
    bindings[1].pImmutableSamplers = handles;
    VkDescriptorSetLayout auxiliary = harness_set_layout(&f.scene.vk, bindings, 3);
    VkDescriptorSet set = harness_set(&f.scene.vk, auxiliary);
    write_views(&f, set, 0, 2, VK_NULL_HANDLE, SCENE_STEPS);
    write_views(&f, set, 2, 1, f.scene.samplers[SCENE_EDGE], SCENE_STEPS);
    write_views(&f, set, 5, 3, VK_NULL_HANDLE, SCENE_STEPS);
    vkDestroyDescriptorSetLayout(f.scene.vk.device, auxiliary, NULL);
    f.set = set;
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, samplers[row], SCENE_STEPS);
    finish(&f);
}

/* ---- Copies from layouts without immutable samplers ---- */

/*
 * A set with five samplers in binding 1 after one in binding 0, none of them immutable, from a pool of its own: what it
 * is written with is in row 0, and rows 1 to 5.
 */
struct source {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

static void source_open(struct fixture *f, struct source *source)
{
    const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                     SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, SCENE_ROWS - 1)};
    const VkDescriptorPoolSize size = {SCENE_COMBINED, SCENE_ROWS};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    source->layout = harness_set_layout(&f->scene.vk, bindings, 2);
    HARNESS_VK(vkCreateDescriptorPool(f->scene.vk.device, &pool, NULL, &source->pool));
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = source->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &source->layout};
    HARNESS_VK(vkAllocateDescriptorSets(f->scene.vk.device, &info, &source->set));
}

static void source_close(struct fixture *f, struct source *source)
{
    vkDestroyDescriptorPool(f->scene.vk.device, source->pool, NULL);
    vkDestroyDescriptorSetLayout(f->scene.vk.device, source->layout, NULL);
}

static enum scene_texture texture_of(unsigned row)
{
    return row % 2 ? SCENE_RAMP : SCENE_STEPS;
}

static void source_write(struct fixture *f, const struct source *source, enum scene_sampler sampler)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_write(&f->scene, source->set, row != 0, row ? row - 1 : 0, SCENE_COMBINED, sampler, texture_of(row));
}

#define COPY(from, from_binding, from_element, to, to_binding, to_element, count)                                      \
    {                                                                                                                  \
        .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = (from), .srcBinding = (from_binding),                \
        .srcArrayElement = (from_element), .dstSet = (to), .dstBinding = (to_binding),                                 \
        .dstArrayElement = (to_element), .descriptorCount = (count)                                                    \
    }

/* All six rows, binding by binding; the source runs over from its first binding into its second. */
static void copy_rows(struct fixture *f, const struct source *source)
{
    const VkCopyDescriptorSet copies[] = {COPY(source->set, 0, 0, f->set, 0, 0, 2),
                                          COPY(source->set, 1, 1, f->set, 2, 0, 1),
                                          COPY(source->set, 1, 2, f->set, 5, 0, 3)};
    vkUpdateDescriptorSets(f->scene.vk.device, 0, NULL, 3, copies);
}

static void expect_rows(struct fixture *f, const enum scene_sampler samplers[SCENE_ROWS])
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, samplers[row], texture_of(row));
}

/*
 * Rows 0, 1, 3, 4, 5 have immutable samplers, which a copy leaves alone, whatever the source has there; row 2 gets the
 * source's.
 */
static void copy_over(const enum scene_sampler samplers[SCENE_ROWS], enum scene_sampler in_source, uint32_t tier)
{
    struct fixture f;
    struct source source;
    open_combined(&f, samplers);
    source_open(&f, &source);
    source_write(&f, &source, in_source);
    scene_write(&f.scene, source.set, 1, 1, SCENE_COMBINED, samplers[2], texture_of(2));
    copy_rows(&f, &source);
    draw(&f);
    scene_expect_tier(&f.scene, tier);
    expect_rows(&f, samplers);
    source_close(&f, &source);
    finish(&f);
}

static void a_copy_leaves_immutable_samplers_as_they_are(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_BORDER,
                                                            SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    copy_over(samplers, SCENE_MIXED, 1); /* which would need tier 2 */
}

/* What the source would have needed does not come along either. */
static void a_copy_leaves_plain_immutable_samplers_as_they_are(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_BORDER, SCENE_EDGE,   SCENE_EDGE,
                                                            SCENE_EDGE,   SCENE_BORDER, SCENE_GL_EDGE};
    copy_over(samplers, SCENE_CLAMP, 0);
}

/* The other way: a binding without immutable samplers gets the source's immutable one. */
static void a_copy_takes_an_immutable_sampler_into_a_mutable_binding(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_EDGE,
                                                            SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    open_combined(&f, samplers);
    write_views(&f, f.set, 0, 2, VK_NULL_HANDLE, SCENE_RAMP);
    write_views(&f, f.set, 2, 1, f.scene.samplers[SCENE_EDGE], SCENE_RAMP);
    write_views(&f, f.set, 5, 3, VK_NULL_HANDLE, SCENE_STEPS);
    const VkCopyDescriptorSet copied = COPY(f.set, 5, 0, f.set, 2, 0, 1);
    vkUpdateDescriptorSets(f.scene.vk.device, 0, NULL, 1, &copied);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 2, SCENE_MIRROR, SCENE_STEPS);
    finish(&f);
}

/* Bindings 0, 2 and 5 are immutable all of them: one copy fills them from two bindings of other sizes. */
static void a_copy_runs_over_into_immutable_bindings(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_MIRROR,
                                                            SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    struct source source;
    VkSampler handles[SCENE_ROWS];
    scene_open(&f.scene, NULL);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        handles[row] = f.scene.samplers[samplers[row]];
    VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                               SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                               SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
    for (unsigned i = 0, row = 0; i < 3; row += bindings[i++].descriptorCount)
        bindings[i].pImmutableSamplers = handles + row;
    scene_program_create(&f.scene, &f.program, HARNESS_SPIRV(integration_combined), bindings, 3, 0, NULL);
    f.set = harness_set(&f.scene.vk, f.program.set_layout);
    source_open(&f, &source);
    source_write(&f, &source, SCENE_MIXED);
    const VkCopyDescriptorSet copied = COPY(source.set, 0, 0, f.set, 0, 0, SCENE_ROWS);
    vkUpdateDescriptorSets(f.scene.vk.device, 0, NULL, 1, &copied);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    expect_rows(&f, samplers);
    source_close(&f, &source);
    finish(&f);
}

/* A write, and copies that read what the ones before them wrote and what later ones write over. */
static void copies_of_one_call_happen_in_their_order(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_EDGE,
                                                            SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    struct source source;
    open_combined(&f, samplers);
    source_open(&f, &source);
    source_write(&f, &source, SCENE_MIXED);
    copy_rows(&f, &source);
    const VkDescriptorImageInfo info = scene_info(&f.scene, SCENE_MIRROR, SCENE_RAMP);
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = source.set,
                                        .dstBinding = 1,
                                        .descriptorCount = 1,
                                        .descriptorType = SCENE_COMBINED,
                                        .pImageInfo = &info};
    const VkCopyDescriptorSet copies[] = {
        COPY(source.set, 1, 0, f.set, 0, 0, 1), /* RAMP, to CLAMP in row 0 */
        COPY(source.set, 0, 0, source.set, 1, 0, 1),
        COPY(source.set, 1, 0, f.set, 5, 1, 1), /* STEPS, to BORDER in row 4 */
        COPY(f.set, 0, 0, f.set, 5, 2, 1),      /* RAMP, to CLAMP in row 5 */
        COPY(f.set, 5, 1, f.set, 2, 0, 1),      /* with its sampler, to row 2 */
        COPY(f.set, 5, 2, f.set, 5, 1, 1),      /* RAMP, to BORDER in row 4 */
    };
    vkUpdateDescriptorSets(f.scene.vk.device, 1, &write, 6, copies);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    scene_expect_row(&f.scene, 0, SCENE_CLAMP, SCENE_RAMP);
    scene_expect_row(&f.scene, 1, SCENE_EDGE, texture_of(1));
    scene_expect_row(&f.scene, 2, SCENE_BORDER, SCENE_STEPS);
    scene_expect_row(&f.scene, 3, SCENE_MIRROR, texture_of(3));
    scene_expect_row(&f.scene, 4, SCENE_BORDER, SCENE_RAMP);
    scene_expect_row(&f.scene, 5, SCENE_CLAMP, SCENE_RAMP);
    source_close(&f, &source);
    finish(&f);
}

/* An image is written to a descriptor, destroyed, and the descriptor copied. */
static void copy_what_is_gone(struct fixture *f, const struct source *source)
{
    static const float texels[4][4];
    struct harness_image gone;
    const struct harness_image_params params = {.format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                                .width = 4,
                                                .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    harness_image_create(&f->scene.vk, &gone, &params, texels);
    harness_write_image(&f->scene.vk, source->set, 1, 4, SCENE_COMBINED, f->scene.samplers[SCENE_EDGE], gone.view);
    harness_image_destroy(&f->scene.vk, &gone);
    const VkCopyDescriptorSet late = COPY(source->set, 1, 4, f->set, 5, 2, 1);
    vkUpdateDescriptorSets(f->scene.vk.device, 0, NULL, 1, &late);
}

/* What is copied then is undefined, and nothing that is gone must reach the driver. */
static void copies_of_what_was_never_written_or_is_gone_do_no_harm(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_EDGE,
                                                            SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    struct source source;
    open_combined(&f, samplers);
    source_open(&f, &source);
    if (!getenv("CLAMPLER_TEST_LAYERS")) { /* the validation layer above (1.3.239) dies of it */
        const VkCopyDescriptorSet never = COPY(source.set, 0, 0, f.set, 0, 0, 2);
        vkUpdateDescriptorSets(f.scene.vk.device, 0, NULL, 1, &never);
        copy_what_is_gone(&f, &source);
    }
    source_write(&f, &source, SCENE_EDGE);
    copy_rows(&f, &source);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    expect_rows(&f, samplers);
    source_close(&f, &source);
    finish(&f);
}

static void a_template_writes_what_is_copied(void **state)
{
    (void)state;
    static const enum scene_sampler samplers[SCENE_ROWS] = {SCENE_CLAMP,  SCENE_EDGE,   SCENE_BORDER,
                                                            SCENE_MIRROR, SCENE_BORDER, SCENE_CLAMP};
    struct fixture f;
    struct source source;
    VkDescriptorUpdateTemplate update;
    open_combined(&f, samplers);
    source_open(&f, &source);
    const VkDescriptorUpdateTemplateEntry entries[] = {{.descriptorCount = 1, .descriptorType = SCENE_COMBINED},
                                                       {.dstBinding = 1,
                                                        .descriptorCount = SCENE_ROWS - 1,
                                                        .descriptorType = SCENE_COMBINED,
                                                        .offset = sizeof(VkDescriptorImageInfo),
                                                        .stride = sizeof(VkDescriptorImageInfo)}};
    VkDescriptorImageInfo rows[SCENE_ROWS];
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        rows[row] = scene_info(&f.scene, SCENE_BORDER, texture_of(row));
    update = harness_template(&f.scene.vk, source.layout, entries, 2);
    vkUpdateDescriptorSetWithTemplate(f.scene.vk.device, source.set, update, rows);
    vkDestroyDescriptorUpdateTemplate(f.scene.vk.device, update, NULL);
    copy_rows(&f, &source);
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    expect_rows(&f, samplers);
    source_close(&f, &source);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_immutable_samplers_need_no_write),
        cmocka_unit_test(separate_immutable_samplers_stand_beside_written_ones),
        cmocka_unit_test(plain_immutable_samplers_ask_for_nothing),
        cmocka_unit_test(combined_immutable_samplers_win_over_what_a_write_names),
        cmocka_unit_test(plain_immutable_samplers_win_over_what_a_write_names),
        cmocka_unit_test(a_copy_between_sets_leaves_immutable_samplers_right),
        cmocka_unit_test(two_layouts_of_the_same_create_info_are_compatible),
        cmocka_unit_test(a_copy_leaves_immutable_samplers_as_they_are),
        cmocka_unit_test(a_copy_leaves_plain_immutable_samplers_as_they_are),
        cmocka_unit_test(a_copy_takes_an_immutable_sampler_into_a_mutable_binding),
        cmocka_unit_test(a_copy_runs_over_into_immutable_bindings),
        cmocka_unit_test(copies_of_one_call_happen_in_their_order),
        cmocka_unit_test(copies_of_what_was_never_written_or_is_gone_do_no_harm),
        cmocka_unit_test(a_template_writes_what_is_copied),
    };
    return cmocka_run_group_tests_name("immutable", tests, NULL, NULL);
}
