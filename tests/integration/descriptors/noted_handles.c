/* SPDX-License-Identifier: MIT */
/*
 * Descriptors that ask for nothing beside those that do, while samplers and views come and go: what a handle came to is
 * forgotten with it, as the next object may have the same, and views that let ordinary samplers ask for something are
 * looked at for as long as they live.
 */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_noted_handles_single.h"

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

struct fixture {
    struct scene scene;
    struct scene_program program;
};

/*
 * The device begins without GL state. Without validation handles are the driver's, which come again; the validation
 * layer gives each object one of its own.
 */
static void open_fixture(struct fixture *f, bool validation)
{
    const char *layers = harness_test_layers("clampler:validation");
    scene_open_device(
        &f->scene, &(struct harness_vulkan_params){.layers = validation ? layers : harness_without_validation(layers),
                                                   .gl_image_view = true});
    scene_make(&f->scene, false);
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_noted_handles_single), &single_binding, 1, 0,
                         NULL);
}

static void close_fixture(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

static VkSampler make_sampler(struct fixture *f, enum scene_sampler kind)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl;
    const VkSamplerCreateInfo info = scene_sampler_info(kind, &gl);
    return harness_sampler(&f->scene.vk, &info);
}

/* A rectangle's coordinates are texels. */
static VkImageView make_view(struct fixture *f, enum scene_texture texture, bool rectangle)
{
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .target = TOKEN_TEXTURE_RECTANGLE};
    VkImageViewCreateInfo info = harness_image_view_info(&f->scene.textures[texture]);
    VkImageView view = VK_NULL_HANDLE;
    if (rectangle)
        info.pNext = &gl;
    HARNESS_VK(vkCreateImageView(f->scene.vk.device, &info, NULL, &view));
    return view;
}

static void write_set(struct fixture *f, VkDescriptorSet set, VkSampler sampler, VkImageView view)
{
    harness_write_image(&f->scene.vk, set, 0, 0, SCENE_COMBINED, sampler, view);
}

static void expect_drawn(struct fixture *f, VkDescriptorSet set, enum scene_sampler sampler, enum scene_texture texture)
{
    const bool gl = sampler == SCENE_CLAMP || sampler == SCENE_MIRROR;
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &set);
    scene_expect_tier(&f->scene, gl ? 1 : 0);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, sampler, texture);
}

/* The texture as a rectangle, to its edges: coordinates from -1 to 2 are within the first two texels. */
static void expect_rectangle(struct fixture *f, VkDescriptorSet set, enum scene_texture texture)
{
    static const float texels[SCENE_TEXTURES][3] = {[SCENE_RAMP] = {51, 102, 153}, [SCENE_STEPS] = {20, 180, 60}};
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &set);
    scene_expect_tier(&f->scene, 1);
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        const float at = fmaxf(((float)x + 0.5f) * 3 / SCENE_COLUMNS - 1.5f, 0);
        const float *from = &texels[texture][(int)at];
        const float expected = (from[0] + (from[1] - from[0]) * (at - floorf(at))) / 255;
        if (fabsf(f->scene.pixels[0][x][0] - expected) > 1.5f / 255)
            fail_msg("column %u is %g instead of %g", x, (double)f->scene.pixels[0][x][0], (double)expected);
    }
}

/* ---- Tests ---- */

static void handles_that_come_again_are_other_samplers_and_views(void **state)
{
    (void)state;
    enum { ROUNDS = 60 };
    static const enum scene_sampler kinds[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_BORDER, SCENE_MIRROR, SCENE_EDGE};
    struct fixture f;
    VkSampler samplers[ROUNDS];
    VkImageView views[ROUNDS];
    unsigned samplers_again = 0, views_again = 0;
    open_fixture(&f, false);
    VkDescriptorSet set = harness_set(&f.scene.vk, f.program.set_layout);
    for (unsigned i = 0; i < ROUNDS; i++) {
        const enum scene_sampler kind = kinds[i % 5];
        const enum scene_texture texture = i / 3 % 2 ? SCENE_STEPS : SCENE_RAMP;
        samplers[i] = make_sampler(&f, kind);
        views[i] = make_view(&f, texture, false);
        for (unsigned before = 0; before < i; before++) {
            samplers_again += samplers[before] == samplers[i];
            views_again += views[before] == views[i];
        }
        write_set(&f, set, samplers[i], views[i]);
        expect_drawn(&f, set, kind, texture);
        vkDestroySampler(f.scene.vk.device, samplers[i], NULL);
        vkDestroyImageView(f.scene.vk.device, views[i], NULL);
    }
    print_message("handles that came again: %u of samplers, %u of views\n", samplers_again, views_again);
    close_fixture(&f);
}

static void views_that_ask_by_themselves_come_and_go(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, true);
    const VkSampler edge = f.scene.samplers[SCENE_EDGE];
    VkImageView ramp = make_view(&f, SCENE_RAMP, false), steps = make_view(&f, SCENE_STEPS, false);
    VkDescriptorSet early = harness_set(&f.scene.vk, f.program.set_layout);
    VkDescriptorSet set = harness_set(&f.scene.vk, f.program.set_layout);
    write_set(&f, early, edge, ramp);
    expect_drawn(&f, early, SCENE_EDGE, SCENE_RAMP);
    for (unsigned round = 0; round < 4; round++) {
        const enum scene_texture texture = round % 2 ? SCENE_STEPS : SCENE_RAMP;
        VkImageView rectangle = make_view(&f, texture, true);
        write_set(&f, set, edge, rectangle);
        expect_rectangle(&f, set, texture);
        expect_drawn(&f, early, SCENE_EDGE, SCENE_RAMP);
        write_set(&f, set, edge, steps);
        expect_drawn(&f, set, SCENE_EDGE, SCENE_STEPS);
        write_set(&f, set, edge, rectangle);
        expect_rectangle(&f, set, texture);
        vkDestroyImageView(f.scene.vk.device, rectangle, NULL);
        write_set(&f, set, edge, ramp); /* nothing odd lives, and the record must be zero again */
        expect_drawn(&f, set, SCENE_EDGE, SCENE_RAMP);
    }
    vkDestroyImageView(f.scene.vk.device, ramp, NULL);
    vkDestroyImageView(f.scene.vk.device, steps, NULL);
    close_fixture(&f);
}

struct writer {
    struct fixture *f;
    VkDescriptorSet set;
    VkSampler samplers[3];
    VkImageView views[3];
    unsigned seed;
};
static const enum scene_sampler writer_kinds[3] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIRROR};

/* Writes at random, and at last sampler `seed` % 3 with the ramp. */
static void *write_at_random(void *data)
{
    struct writer *w = data;
    unsigned random = w->seed;
    for (unsigned i = 0; i < 400; i++) {
        random = random * 1664525 + 1013904223;
        const unsigned chosen = random >> 24;
        const unsigned sampler = chosen % 3, view = chosen / 3 % 3;
        if (i % 16 == 15) { /* nobody's descriptor is read while it is replaced */
            vkDestroySampler(w->f->scene.vk.device, w->samplers[sampler], NULL);
            w->samplers[sampler] = make_sampler(w->f, writer_kinds[sampler]);
            vkDestroyImageView(w->f->scene.vk.device, w->views[view], NULL);
            w->views[view] = make_view(w->f, view == 1 ? SCENE_STEPS : SCENE_RAMP, view == 2);
        }
        write_set(w->f, w->set, w->samplers[sampler], w->views[view]);
    }
    write_set(w->f, w->set, w->samplers[w->seed % 3], w->views[0]);
    return NULL;
}

static void threads_write_while_samplers_and_views_come_and_go(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct fixture f;
    struct writer writers[THREADS];
    pthread_t threads[THREADS];
    open_fixture(&f, true);
    for (unsigned i = 0; i < THREADS; i++) {
        writers[i] = (struct writer){.f = &f, .seed = i};
        writers[i].set = harness_set(&f.scene.vk, f.program.set_layout);
        for (unsigned k = 0; k < 3; k++) {
            writers[i].samplers[k] = make_sampler(&f, writer_kinds[k]);
            writers[i].views[k] = make_view(&f, k == 1 ? SCENE_STEPS : SCENE_RAMP, k == 2);
        }
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_at_random, &writers[i]), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        expect_drawn(&f, writers[i].set, writer_kinds[i % 3], SCENE_RAMP);
        for (unsigned k = 0; k < 3; k++) {
            vkDestroySampler(f.scene.vk.device, writers[i].samplers[k], NULL);
            vkDestroyImageView(f.scene.vk.device, writers[i].views[k], NULL);
        }
    }
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_that_come_again_are_other_samplers_and_views),
        cmocka_unit_test(views_that_ask_by_themselves_come_and_go),
        cmocka_unit_test(threads_write_while_samplers_and_views_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
