/* Immutable samplers: those that need anything become mutable below, and the layer writes them. */
#include "integration/scene.h"
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
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = binding,
                                  .descriptorCount = count,
                                  .descriptorType = SCENE_COMBINED,
                                  .pImageInfo = infos};
    vkUpdateDescriptorSets(f->scene.vk.device, 1, &write, 0, NULL);
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
    VkDescriptorSetLayout twin = harness_set_layout(&f.scene.vk, bindings, 3);
    VkDescriptorSet set = harness_set(&f.scene.vk, twin);
    write_views(&f, set, 0, 2, VK_NULL_HANDLE, SCENE_STEPS);
    write_views(&f, set, 2, 1, f.scene.samplers[SCENE_EDGE], SCENE_STEPS);
    write_views(&f, set, 5, 3, VK_NULL_HANDLE, SCENE_STEPS);
    vkDestroyDescriptorSetLayout(f.scene.vk.device, twin, NULL);
    f.set = set;
    draw(&f);
    scene_expect_tier(&f.scene, 1);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, samplers[row], SCENE_STEPS);
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
    };
    return cmocka_run_group_tests_name("immutable", tests, NULL, NULL);
}
