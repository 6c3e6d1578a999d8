/* SPDX-License-Identifier: MIT */
/*
 * Libraries whose layouts differ, in a program that can place descriptors but has no set layout of such descriptors
 * yet. lavapipe adds up the push constants of the layouts, so until then the layer adds none of its own.
 */
#include <math.h>
#include <stdlib.h>

#include "integration/app_descriptors/descriptor_scene.h"
#include "integration_descriptor_libraries_pushed.h"
#include "integration_descriptor_libraries_single.h"

enum { SIZE = 128 };

/* A pipeline that draws what is pushed, linked from libraries whose layouts have the same push constants. */
struct pushing {
    struct harness_target target;
    VkPipelineLayout layouts[2];
    VkPipeline pipeline;
};

static void open_pushing(struct descriptor_scene *f, struct pushing *p)
{
    struct harness_vulkan *vk = &f->scene.vk;
    const VkPushConstantRange range = {VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4 * sizeof(float)};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    harness_target_create(vk, &p->target, VK_FORMAT_B8G8R8A8_UNORM, SIZE, SIZE);
    for (unsigned i = 0; i < 2; i++)
        HARNESS_VK(vkCreatePipelineLayout(vk->device, &info, NULL, &p->layouts[i]));
    p->pipeline = harness_graphics_pipeline(
        vk, &p->target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_descriptor_libraries_pushed),
                                          .layout = p->layouts[0],
                                          .vertex_layout = p->layouts[1]});
}

static void close_pushing(struct descriptor_scene *f, struct pushing *p)
{
    harness_graphics_pipeline_destroy(&f->scene.vk, p->pipeline);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPipelineLayout(f->scene.vk.device, p->layouts[i], NULL);
    harness_target_destroy(&f->scene.vk, &p->target);
}

static void expect_pushed(struct descriptor_scene *f, const struct pushing *p, float blue)
{
    const float color[4] = {0.25f, 0.5f, blue, 1};
    const int expected[4] = {(int)lroundf(blue * 255), 128, 64, 255};
    uint8_t pixels[SIZE * SIZE][4];
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    harness_target_begin(&p->target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p->pipeline);
    vkCmdPushConstants(commands, p->layouts[0], VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(color), color);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
    harness_submit(&f->scene.vk, commands);
    harness_target_read(&f->scene.vk, &p->target, pixels);
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        for (unsigned c = 0; c < 4; c++)
            assert_true(abs(pixels[i][c] - expected[c]) <= 1);
    }
}

/* Draws from a descriptor buffer in every tier. */
static void expect_placed(struct descriptor_scene *f)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    struct descriptor_program program;
    descriptor_program_of(f, &program, HARNESS_SPIRV(integration_descriptor_libraries_single), &binding, 1);
    const struct harness_descriptor_set set = descriptor_scene_set(f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(f, tier);
        for (unsigned row = 0; row < SCENE_ROWS; row++) {
            descriptor_scene_write(f, &set, 0, 0, SCENE_COMBINED, rows[row], descriptor_scene_texture(row));
            descriptor_scene_draw(f, &program, &set);
            descriptor_scene_expect_all(f, rows[row], descriptor_scene_texture(row));
        }
    }
    descriptor_program_destroy(f, &program);
}

static void layouts_of_libraries_differ_before_and_behind_placed_descriptors(void **state)
{
    (void)state;
    static const enum harness_linking ways[] = {HARNESS_FAST_LINKED, HARNESS_LIBRARY};
    for (unsigned i = 0; i < 2; i++) {
        struct descriptor_scene f;
        struct pushing before;
        descriptor_scene_open(&f, &(struct descriptor_scene_params){.linking = ways[i]});
        open_pushing(&f, &before);
        expect_pushed(&f, &before, 0.75f);
        expect_placed(&f);
        expect_pushed(&f, &before, 0.125f);
        close_pushing(&f, &before);
        descriptor_scene_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_of_libraries_differ_before_and_behind_placed_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
