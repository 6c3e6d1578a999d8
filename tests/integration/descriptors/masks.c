/* SPDX-License-Identifier: MIT */
/*
 * Mask words (layer/base/record/record.h): shaders with many units move each lookup along the axes that its own
 * sampler saturates, after writes, copies and pushes. They read mask words as long as no unit has other bounds than
 * those of GL_CLAMP, and each unit's record else.
 */
#include <math.h>
#include <string.h>

#include "integration/shared/scene.h"
#include "integration_masks_block.h"
#include "integration_masks_blocks.h"

enum { UNITS = 24, FIRST = 16, ROUNDS = 3 };

/* What a unit has: the scene's sampler, or one with GL_CLAMP along t alone. */
enum kind { EDGE, CLAMP, GL_EDGE, CLAMP_T, KINDS, MIRROR };

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkSampler along_t;
    VkDescriptorSet set;
    enum kind kinds[UNITS];
    uint64_t masks; /* draws by mask words, before the last */
};

struct push {
    int32_t first;
    float t;
};

static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, FIRST),
                                                        SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, UNITS - FIRST)};

static void open_fixture(struct fixture *f, struct harness_spirv shader, VkDescriptorSetLayoutCreateFlags flags,
                         const struct harness_vulkan_params *params)
{
    memset(f, 0, sizeof(*f));
    /* Without a sampler that has other bounds: on such a device tier 1 is by masks. */
    scene_open_device(&f->scene, params);
    scene_make(&f->scene, false);
    scene_add_sampler(&f->scene, SCENE_GL_EDGE);
    scene_add_sampler(&f->scene, SCENE_CLAMP);
    const VkDescriptorSetLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .flags = flags,
                                                    .bindingCount = 2,
                                                    .pBindings = bindings};
    HARNESS_VK(vkCreateDescriptorSetLayout(f->scene.vk.device, &layout, NULL, &f->program.set_layout));
    f->program.layout = harness_pipeline_layout(&f->scene.vk, &f->program.set_layout, 1, sizeof(struct push));
    f->program.pipeline =
        harness_graphics_pipeline(&f->scene.vk, &f->scene.target,
                                  &(struct harness_graphics_params){.fragment = shader, .layout = f->program.layout});
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_CLAMP, &gl);
    gl.wrapT = gl.wrapS;
    gl.wrapS = gl.wrapR; /* CLAMP_TO_EDGE */
    f->along_t = harness_sampler(&f->scene.vk, &info);
    if (!flags)
        f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

static void close_fixture(struct fixture *f)
{
    vkDestroySampler(f->scene.vk.device, f->along_t, NULL);
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static VkDescriptorImageInfo info_of(const struct fixture *f, enum kind kind, uint32_t unit)
{
    static const enum scene_sampler samplers[] = {
        [EDGE] = SCENE_EDGE,     [CLAMP] = SCENE_CLAMP, [GL_EDGE] = SCENE_GL_EDGE,
        [CLAMP_T] = SCENE_CLAMP, [KINDS] = SCENE_EDGE,  [MIRROR] = SCENE_MIRROR};
    VkDescriptorImageInfo info = scene_info(&f->scene, samplers[kind], (enum scene_texture)(unit % 2));
    if (kind == CLAMP_T)
        info.sampler = f->along_t;
    return info;
}

static VkWriteDescriptorSet write_of(VkDescriptorSet set, uint32_t unit, const VkDescriptorImageInfo *info)
{
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = unit < FIRST ? 0 : 2,
                                  .dstArrayElement = unit % FIRST,
                                  .descriptorCount = 1,
                                  .descriptorType = SCENE_COMBINED,
                                  .pImageInfo = info};
}

static void write_unit(struct fixture *f, uint32_t unit, enum kind kind)
{
    const VkDescriptorImageInfo info = info_of(f, kind, unit);
    const VkWriteDescriptorSet write = write_of(f->set, unit, &info);
    f->kinds[unit] = kind;
    vkUpdateDescriptorSets(f->scene.vk.device, 1, &write, 0, NULL);
}

static double expected(enum kind kind, uint32_t unit, unsigned column, float t)
{
    const enum scene_texture texture = (enum scene_texture)(unit % 2);
    if (kind == CLAMP_T && t < 0) /* half the border, which is white */
        return 0.5 + 0.5 * (double)scene_expected(SCENE_EDGE, texture, column);
    const enum scene_sampler sampler = kind == CLAMP ? SCENE_CLAMP : kind == MIRROR ? SCENE_MIRROR : SCENE_EDGE;
    return (double)scene_expected(sampler, texture, column);
}

static void expect_shown(const struct fixture *f, struct push push)
{
    for (uint32_t row = 0; row < SCENE_ROWS; row++)
        for (unsigned column = 0; column < SCENE_COLUMNS; column++) {
            const uint32_t unit = (uint32_t)push.first + row;
            const double wanted = expected(f->kinds[unit], unit, column, push.t),
                         found = (double)f->scene.pixels[row][column][0];
            if (fabs(wanted - found) > 1.5 / 255.0)
                fail_msg("unit %u of kind %d, column %u, t = %g: %.4f, expected %.4f", unit, (int)f->kinds[unit],
                         column, (double)push.t, found, wanted);
        }
}

/* `pushed`: these two instead of the set. */
static void draw(struct fixture *f, struct push push, const VkWriteDescriptorSet *pushed)
{
    f->masks = harness_counters(&f->scene.vk).draws_masks;
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.pipeline);
    if (pushed)
        HARNESS_PROC(&f->scene.vk, vkCmdPushDescriptorSetKHR)
    (commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 2, pushed);
    else vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &f->set, 0, NULL);
    vkCmdPushConstants(commands, f->program.layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f->scene, commands);
}

/* Draws all units, inside the textures along t and outside. Are the draws by mask words? */
static void expect_all(struct fixture *f, bool by_masks, const VkWriteDescriptorSet *pushed)
{
    for (uint32_t i = 0; i < 2 * UNITS / SCENE_ROWS; i++) {
        const struct push push = {(int32_t)(i / 2 * SCENE_ROWS), i % 2 ? -3.0f : 0.5f};
        draw(f, push, pushed);
        scene_expect_tier(&f->scene, 1);
        assert_int_equal(harness_counters(&f->scene.vk).draws_masks - f->masks, by_masks);
        expect_shown(f, push);
    }
}

static enum kind next_kind(void)
{
    static uint32_t random = 1;
    random = random * 1664525u + 1013904223u;
    return (enum kind)((random >> 16) % KINDS);
}

static void many_units(struct harness_spirv shader)
{
    struct fixture f;
    open_fixture(&f, shader, 0, NULL);
    for (uint32_t i = 0; i < UNITS; i++)
        write_unit(&f, i, next_kind());
    write_unit(&f, 3, CLAMP);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        expect_all(&f, true, NULL);
        for (uint32_t i = 0; i < 4; i++)
            write_unit(&f, 4 + (round * 7 + i * 5) % (UNITS - 4), next_kind());
    }
    /* Another bound: all by their records, and from then on, so that the device has one variant of tier 1. */
    scene_add_sampler(&f.scene, SCENE_MIRROR);
    write_unit(&f, 11, MIRROR);
    expect_all(&f, false, NULL);
    write_unit(&f, 11, CLAMP);
    expect_all(&f, false, NULL);
    close_fixture(&f);
}

static void many_units_move_along_their_own_axes(void **state)
{
    (void)state;
    many_units(HARNESS_SPIRV(integration_masks_block));
}

static void many_units_in_their_own_blocks_do(void **state)
{
    (void)state;
    many_units(HARNESS_SPIRV(integration_masks_blocks));
}

static void bits_are_copied_with_descriptors(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, HARNESS_SPIRV(integration_masks_block), 0, NULL);
    for (uint32_t i = 0; i < UNITS; i++)
        write_unit(&f, i, next_kind());
    write_unit(&f, 0, CLAMP);
    expect_all(&f, true, NULL);
    const VkDescriptorSet from = f.set;
    f.set = harness_set(&f.scene.vk, f.program.set_layout);
    for (uint32_t i = 0; i < UNITS; i++) { /* each to another unit, but of the same texture */
        const uint32_t source = (i + 2) % UNITS;
        const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                          .srcSet = from,
                                          .srcBinding = source < FIRST ? 0 : 2,
                                          .srcArrayElement = source % FIRST,
                                          .dstSet = f.set,
                                          .dstBinding = i < FIRST ? 0 : 2,
                                          .dstArrayElement = i % FIRST,
                                          .descriptorCount = 1};
        vkUpdateDescriptorSets(f.scene.vk.device, 0, NULL, 1, &copy);
    }
    enum kind kinds[UNITS];
    memcpy(kinds, f.kinds, sizeof(kinds));
    for (uint32_t i = 0; i < UNITS; i++)
        f.kinds[i] = kinds[(i + 2) % UNITS];
    expect_all(&f, true, NULL);
    close_fixture(&f);
}

static void pushed_units_have_bits(void **state)
{
    (void)state;
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    struct fixture f;
    VkDescriptorImageInfo infos[UNITS];
    scene_skip_without(extensions[0]);
    open_fixture(&f, HARNESS_SPIRV(integration_masks_block), VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                 &(struct harness_vulkan_params){.device_extensions = extensions, .device_extension_count = 1});
    for (uint32_t round = 0; round < 2; round++) {
        if (round == 1)
            scene_add_sampler(&f.scene, SCENE_MIRROR);
        for (uint32_t i = 0; i < UNITS; i++) {
            f.kinds[i] = i == 0 ? CLAMP : i == 5 && round == 1 ? MIRROR : next_kind();
            infos[i] = info_of(&f, f.kinds[i], i);
        }
        /* Whole bindings: lavapipe of Mesa 22.3 takes every push for one that begins at element 0. */
        VkWriteDescriptorSet writes[] = {write_of(VK_NULL_HANDLE, 0, infos),
                                         write_of(VK_NULL_HANDLE, FIRST, infos + FIRST)};
        writes[0].descriptorCount = FIRST;
        writes[1].descriptorCount = UNITS - FIRST;
        expect_all(&f, round == 0, writes);
    }
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_units_move_along_their_own_axes),
        cmocka_unit_test(many_units_in_their_own_blocks_do),
        cmocka_unit_test(bits_are_copied_with_descriptors),
        cmocka_unit_test(pushed_units_have_bits),
    };
    return cmocka_run_group_tests_name("masks", tests, NULL, NULL);
}
