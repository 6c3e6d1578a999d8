/* SPDX-License-Identifier: MIT */
/*
 * Programs that were compiled with the header of any published version of the extension, under today's layer: what
 * their bytes meant then they mean now. Where two versions contradict each other the first one's meaning holds, and
 * what both have in common (docs/VK_CLAMPLER_gl_sampler.adoc, issues 3 and 6).
 */
#include <math.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_published.h"
#include "integration_published_separate.h"
#include "published/published.h"

static const struct published_program *const programs[] = {&published_1, &published_2, &published_3,
                                                           &published_4, &published_5, &published_today};
#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

static void structures_and_values_are_those_of_all_versions(void **state)
{
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++) {
        const struct published_program *program = programs[p];
        assert_int_equal(program->version, p + 1);
        assert_int_equal(program->size_count, published_today.size_count);
        assert_int_equal(program->value_count, published_today.value_count);
        for (size_t i = 0; i < program->size_count; i++) {
            assert_string_equal(program->sizes[i].name, published_today.sizes[i].name);
            assert_int_equal(program->sizes[i].offset, published_today.sizes[i].offset);
            assert_int_equal(program->sizes[i].size, published_today.sizes[i].size);
        }
        for (size_t i = 0; i < program->value_count; i++)
            assert_true(program->values[i].value == published_today.values[i].value);
    }
}

#define DEPTH 0.25f
#define ZERO VK_COMPONENT_SWIZZLE_ZERO
#define RED VK_COMPONENT_SWIZZLE_R
#define SAME VK_COMPONENT_SWIZZLE_IDENTITY

/* The reference is 0.5, so that the result of a comparison is 0. Its constants are other than that where it matters. */
static const struct row {
    struct published_view view;
    float seen[4], compared;
    uint32_t first; /* version that gives the row this meaning */
} rows[] = {
    {{0, {0}, {SAME, SAME, SAME, SAME}}, {DEPTH, 0, 0, 1}, 0, 1},
    {{TOKEN_LUMINANCE, {0}, {SAME, SAME, SAME, SAME}}, {DEPTH, DEPTH, DEPTH, 1}, 0, 1},
    {{TOKEN_INTENSITY, {0}, {SAME, SAME, SAME, SAME}}, {DEPTH, DEPTH, DEPTH, DEPTH}, 0, 1},
    {{TOKEN_ALPHA, {0}, {SAME, SAME, SAME, SAME}}, {0, 0, 0, DEPTH}, 0, 1},
    /* A translator's own mapping of the depth mode, which it leaves there. */
    {{TOKEN_ALPHA, {0}, {ZERO, ZERO, ZERO, RED}}, {0, 0, 0, DEPTH}, 0, 1},
    {{TOKEN_LUMINANCE, {0}, {RED, RED, RED, VK_COMPONENT_SWIZZLE_ONE}}, {DEPTH, DEPTH, DEPTH, 1}, 0, 1},
    {{TOKEN_INTENSITY, {TOKEN_ALPHA, TOKEN_ONE, TOKEN_ZERO, TOKEN_RED}, {RED, RED, RED, RED}},
     {DEPTH, 1, 0, DEPTH},
     0,
     1},
    {{TOKEN_LUMINANCE, {TOKEN_ALPHA, TOKEN_RED, TOKEN_RED, TOKEN_RED}, {SAME, SAME, SAME, SAME}},
     {1, DEPTH, DEPTH, DEPTH},
     1,
     1},
    {{0, {TOKEN_ONE, TOKEN_RED, TOKEN_RED, TOKEN_RED}, {SAME, SAME, SAME, SAME}}, {1, DEPTH, DEPTH, DEPTH}, 1, 1},
    /* Four times GL_ZERO, which version 1 could not say. */
    {{TOKEN_INTENSITY, {0}, {ZERO, ZERO, ZERO, ZERO}}, {0, 0, 0, 0}, 0, 2},
};

struct fixture {
    struct scene scene;
    struct harness_image image;
    struct scene_program program;
    VkDescriptorSet set;
    bool separate;
};

static void open_fixture(struct fixture *f, bool separate)
{
    static const float texels[16] = {DEPTH, DEPTH, DEPTH, DEPTH, DEPTH, DEPTH, DEPTH, DEPTH,
                                     DEPTH, DEPTH, DEPTH, DEPTH, DEPTH, DEPTH, DEPTH, DEPTH};
    static const VkDescriptorSetLayoutBinding combined[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                            SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorSetLayoutBinding apart[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 1),
                                                         SCENE_BINDING(1, SAMPLER, 1), SCENE_BINDING(2, SAMPLER, 1)};
    memset(f, 0, sizeof(*f));
    f->separate = separate;
    scene_open(&f->scene, &(struct harness_vulkan_params){.gl_image_view = true});
    harness_image_create(&f->scene.vk, &f->image,
                         &(struct harness_image_params){
                             .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_D32_SFLOAT, .width = 4, .height = 4},
                         texels);
    scene_program_create(&f->scene, &f->program,
                         separate ? HARNESS_SPIRV(integration_published_separate)
                                  : HARNESS_SPIRV(integration_published),
                         separate ? apart : combined, separate ? 3 : 2, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

static void close_fixture(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    harness_image_destroy(&f->scene.vk, &f->image);
    scene_close(&f->scene);
}

static void expect(const struct fixture *f, const struct published_program *program, size_t row)
{
    for (unsigned channel = 0; channel < 4; channel++) {
        const float drawn = f->scene.pixels[0][0][channel];
        if (fabsf(drawn - rows[row].seen[channel]) > 1e-5f)
            fail_msg("version %u, row %zu, channel %u: %g, not %g", program->version, row, channel, (double)drawn,
                     (double)rows[row].seen[channel]);
    }
    /* Both results, by two references: constants are the same in both. */
    for (unsigned column = 0; column < 2; column++) {
        const float drawn = f->scene.pixels[1][column][0];
        const bool constant = rows[row].compared != 0 || rows[row].first == 2;
        const float right = constant ? rows[row].compared : column == 0 ? 1.0f : 0.0f;
        if (fabsf(drawn - right) > 1e-5f)
            fail_msg("version %u, row %zu, comparison %u: %g, not %g", program->version, row, column, (double)drawn,
                     (double)right);
    }
}

static void draw_row(struct fixture *f, const struct published_program *program, size_t row)
{
    struct harness_vulkan *vk = &f->scene.vk;
    VkSampler samplers[2];
    VkImageView view;
    HARNESS_VK(program->make_view(vk->device, f->image.image, VK_FORMAT_D32_SFLOAT, &rows[row].view, &view));
    for (uint32_t i = 0; i < 2; i++)
        HARNESS_VK(program->make_sampler(vk->device, i, &samplers[i]));
    if (f->separate)
        harness_write_image(vk, f->set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, view);
    for (uint32_t i = 0; i < 2; i++) {
        if (f->separate)
            harness_write_image(vk, f->set, 1 + i, 0, VK_DESCRIPTOR_TYPE_SAMPLER, samplers[i], VK_NULL_HANDLE);
        else
            harness_write_image(vk, f->set, i, 0, SCENE_COMBINED, samplers[i], view);
    }
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &f->set);
    expect(f, program, row);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroySampler(vk->device, samplers[i], NULL);
    vkDestroyImageView(vk->device, view, NULL);
}

static void draw_all(bool separate)
{
    struct fixture f;
    open_fixture(&f, separate);
    for (size_t p = 0; p < PROGRAMS; p++)
        for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++)
            draw_row(&f, programs[p], row);
    close_fixture(&f);
}

static void views_mean_what_they_meant(void **state)
{
    (void)state;
    draw_all(false);
}

static void views_mean_what_they_meant_in_descriptors_of_their_own(void **state)
{
    (void)state;
    draw_all(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_and_values_are_those_of_all_versions),
        cmocka_unit_test(views_mean_what_they_meant),
        cmocka_unit_test(views_mean_what_they_meant_in_descriptors_of_their_own),
    };
    return cmocka_run_group_tests_name("published", tests, NULL, NULL);
}
