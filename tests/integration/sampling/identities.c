/* SPDX-License-Identifier: MIT */
/*
 * Handles that come back. A driver may give a new sampler or view the handle of one that is gone, and what the layer
 * remembers, in each of its three levels, must then be the new one's. Thousands of handles must differ all the same.
 */
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_single.h"

enum {
    LINEAR = TOKEN_LINEAR,
    NEAREST = TOKEN_NEAREST,
    CLAMP = TOKEN_CLAMP,
    CLAMP_TO_EDGE = TOKEN_CLAMP_TO_EDGE,
    CLAMP_TO_BORDER = TOKEN_CLAMP_TO_BORDER,
};

enum { TEXELS = 4, ROUNDS = 300, REMEMBERED = 64 };

struct fixture {
    struct scene scene;
    struct scene_program program;
    VkDescriptorSet set;
    struct harness_image red, deep; /* R8_UNORM and R32_SFLOAT: unfilterable where linear_float32 is assumed missing */
};

static const uint8_t bytes[TEXELS] = {20, 180, 60, 240};
static const float floats[TEXELS] = {2, 0.25f, 0.75f, 4};

static void open_fixture(struct fixture *f, const char *layers, const char *missing)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    scene_open_with_setting(
        &f->scene, "ASSUME_MISSING", missing,
        &(struct harness_vulkan_params){.layers = layers, .gl_image_view = true, .filter_emulation = true});
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(integration_single), &binding, 1, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
    const struct harness_image_params params = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8_UNORM, .width = TEXELS, .height = 1};
    harness_image_create(&f->scene.vk, &f->red, &params, bytes);
    struct harness_image_params wide = params;
    wide.format = VK_FORMAT_R32_SFLOAT;
    harness_image_create(&f->scene.vk, &f->deep, &wide, floats);
}

static void close_fixture(struct fixture *f)
{
    harness_image_destroy(&f->scene.vk, &f->red);
    harness_image_destroy(&f->scene.vk, &f->deep);
    scene_program_destroy(&f->scene, &f->program);
    scene_close(&f->scene);
}

/* ---- What must be seen ---- */

struct state {
    uint32_t wrap, filter;
    float border;
    bool deep;     /* samples the float texture */
    bool swizzled; /* red shows 1 */
};

static double texel_of(const struct state *state, int index)
{
    if (index >= 0 && index < TEXELS)
        return state->deep ? (double)floats[index] : bytes[index] / 255.0;
    if (state->wrap == CLAMP_TO_EDGE)
        return texel_of(state, index < 0 ? 0 : TEXELS - 1);
    return (double)state->border;
}

/* Section 8.14.2 of OpenGL 4.6 compatibility. */
static double expected(const struct state *state, unsigned column)
{
    double u = (((double)column + 0.5) * 3.0 / SCENE_COLUMNS - 1.0) * TEXELS;
    if (state->swizzled)
        return 1.0;
    if (state->wrap == CLAMP)
        u = fmin(fmax(u, 0.0), TEXELS);
    if (state->filter == NEAREST) {
        int index = (int)floor(u);
        if (state->wrap == CLAMP && index == TEXELS)
            index = TEXELS - 1;
        return texel_of(state, index);
    }
    const double base = floor(u - 0.5), weight = u - 0.5 - base;
    return texel_of(state, (int)base) * (1 - weight) + texel_of(state, (int)base + 1) * weight;
}

static void expect(const struct fixture *f, const struct state *state, unsigned round)
{
    for (unsigned x = 0; x < SCENE_COLUMNS; x++) {
        const double wanted = expected(state, x), found = (double)f->scene.pixels[0][x][0];
        if (fabs(wanted - found) > 4.0 / 256)
            print_error("round %u, column %u: %.4f, not %.4f (wrap 0x%04X, filter 0x%04X%s%s)\n", round, x, found,
                        wanted, state->wrap, state->filter, state->deep ? ", floats" : "",
                        state->swizzled ? ", swizzled" : "");
        assert_true(fabs(wanted - found) <= 4.0 / 256);
    }
}

/* ---- Handles that come back ---- */

static VkSampler make_sampler(struct fixture *f, const struct state *state)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = state->wrap,
                                                   .wrapT = CLAMP_TO_EDGE,
                                                   .minFilter = state->filter,
                                                   .magFilter = state->filter,
                                                   .maxLod = 1000,
                                                   .borderColor = {.float32 = {state->border, 0, 0, 1}}};
    return harness_sampler(&f->scene.vk,
                           &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl});
}

static VkImageView make_view(struct fixture *f, const struct state *state)
{
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .swizzle = {1, 1, 1, 1}}; /* GL_ONE */
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = state->swizzled ? &gl : NULL,
                                        .image = state->deep ? f->deep.image : f->red.image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = state->deep ? VK_FORMAT_R32_SFLOAT : VK_FORMAT_R8_UNORM,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    VkImageView view;
    HARNESS_VK(vkCreateImageView(f->scene.vk.device, &info, NULL, &view));
    return view;
}

static bool came_back(uint64_t handles[REMEMBERED], unsigned round, uint64_t handle)
{
    bool known = false;
    for (unsigned i = 0; i < REMEMBERED; i++)
        known |= handles[i] == handle;
    handles[round % REMEMBERED] = handle;
    return known;
}

static struct state random_state(uint32_t *random)
{
    static const uint32_t wraps[] = {CLAMP, CLAMP_TO_EDGE, CLAMP_TO_BORDER};
    *random = *random * 1664525u + 1013904223u;
    return (struct state){.wrap = wraps[(*random >> 8) % 3],
                          .filter = *random >> 12 & 1 ? LINEAR : NEAREST,
                          .border = (float)(*random >> 16 & 7) / 7.0f,
                          .deep = *random >> 20 & 1,
                          .swizzled = (*random >> 24 & 3) == 0};
}

/*
 * Every round destroys a sampler, or a view, or both, and makes new ones, other ones, which most drivers give the same
 * handles, unless they are told to keep them apart. What was written before must not be what is drawn.
 */
static void draw_with_what_comes_and_goes(const char *layers)
{
    struct fixture f;
    uint64_t samplers[REMEMBERED] = {0}, views[REMEMBERED] = {0};
    unsigned old_samplers = 0, old_views = 0;
    uint32_t random = 7;
    open_fixture(&f, layers, "linear_float32");
    struct state now = random_state(&random);
    VkSampler sampler = make_sampler(&f, &now);
    VkImageView view = make_view(&f, &now);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct state next = random_state(&random);
        if (round % 3 != 1) {
            vkDestroySampler(f.scene.vk.device, sampler, NULL);
            now.wrap = next.wrap, now.filter = next.filter, now.border = next.border;
            sampler = make_sampler(&f, &now);
            old_samplers += came_back(samplers, round, (uint64_t)sampler);
        }
        if (round % 3 != 2) {
            vkDestroyImageView(f.scene.vk.device, view, NULL);
            now.deep = next.deep, now.swizzled = next.swizzled;
            view = make_view(&f, &now);
            old_views += came_back(views, round, (uint64_t)view);
        }
        harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, sampler, view);
        scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &f.set);
        expect(&f, &now, round);
    }
    print_message("%u of %d samplers and %u views had a handle that was another's before\n", old_samplers, ROUNDS,
                  old_views);
    vkDestroySampler(f.scene.vk.device, sampler, NULL);
    vkDestroyImageView(f.scene.vk.device, view, NULL);
    close_fixture(&f);
}

static void handles_that_come_back_are_what_they_are_now(void **state)
{
    (void)state;
    draw_with_what_comes_and_goes("clampler"); /* the validation layer gives every object a handle of its own */
    draw_with_what_comes_and_goes(NULL);
}

/* ---- Many handles ---- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Equal states, one identity, thousands of handles: none twice, as programs keep them in tables of their own. */
static void equal_samplers_have_handles_of_their_own(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, NULL, "");
    const uint32_t allowed = f.scene.vk.properties.limits.maxSamplerAllocationCount;
    const uint32_t count = allowed < 10000 + 100 ? allowed - 100 : 10000;
    const struct state same = {.wrap = CLAMP, .filter = LINEAR, .border = 0.5f};
    VkSampler *samplers = harness_alloc(count, sizeof(*samplers));
    uint64_t *handles = harness_alloc(count, sizeof(*handles));
    for (uint32_t i = 0; i < count; i++) {
        samplers[i] = make_sampler(&f, &same);
        handles[i] = (uint64_t)samplers[i];
    }
    qsort(handles, count, sizeof(*handles), by_value);
    for (uint32_t i = 0; i + 1 < count; i++)
        assert_true(handles[i] != handles[i + 1]);
    for (uint32_t i = 0; i < count; i++)
        vkDestroySampler(f.scene.vk.device, samplers[i], NULL);
    free(samplers);
    free(handles);
    close_fixture(&f);
}

static size_t heap(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Heap that 10,000 samplers of one state take, the driver's own part included; without validation. */
static double bytes_of_a_sampler(const char *layers, uint32_t *made)
{
    const struct state same = {.wrap = CLAMP, .filter = LINEAR, .border = 0.5f};
    const VkSamplerCreateInfo plain = scene_sampler_info(SCENE_EDGE, NULL);
    struct fixture f = {0};
    const bool layered = layers != NULL;
    harness_vulkan_open(&f.scene.vk, &(struct harness_vulkan_params){.layers = layers, .gl_sampler = layered});
    const uint32_t allowed = f.scene.vk.properties.limits.maxSamplerAllocationCount;
    const uint32_t count = allowed < 10000 + 100 ? allowed - 100 : 10000;
    VkSampler *samplers = harness_alloc(count, sizeof(*samplers));
    samplers[0] = layered ? make_sampler(&f, &same) : harness_sampler(&f.scene.vk, &plain);
    const size_t before = heap();
    for (uint32_t i = 1; i < count; i++)
        samplers[i] = layered ? make_sampler(&f, &same) : harness_sampler(&f.scene.vk, &plain);
    const size_t after = heap();
    for (uint32_t i = 0; i < count; i++)
        vkDestroySampler(f.scene.vk.device, samplers[i], NULL);
    free(samplers);
    harness_vulkan_close(&f.scene.vk);
    *made = count;
    return (double)(after - before) / count;
}

/*
 * What the layer keeps of a sampler is a slot of a table (objects/table.c) that doubles as it fills up, and whose
 * outgrown arrays stay: 52 bytes of each of 10,000, and 67 of each of 3,900, which is all that SwiftShader allows.
 */
static double bytes_of_slots(uint32_t count)
{
    enum { SLOT = 16, FIRST = 256, SPARSE = 4096 };
    uint32_t slots = FIRST;
    while ((uint64_t)count * 8 > (uint64_t)slots * (slots <= SPARSE ? 2 : 5))
        slots *= 2;
    return 2.0 * SLOT * slots / count;
}

static void many_equal_samplers_take_little_memory(void **state)
{
    (void)state;
    uint32_t count = 0;
    harness_vulkan_hold_driver();
    const double plain = bytes_of_a_sampler(NULL, &count), layered = bytes_of_a_sampler("clampler", &count);
    print_message("each of %u samplers takes %.1f bytes of heap, %.1f with the layer, of which slots are %.1f\n", count,
                  plain, layered, bytes_of_slots(count));
    assert_true(layered - plain <= bytes_of_slots(count) + 1);
}

/* What the driver has for a state and a class of views is made once, and again once all who shared it are gone. */
static void what_was_shared_goes_with_the_last_sampler(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, NULL, "linear_float32");
    const struct state one = {.wrap = CLAMP_TO_BORDER, .filter = LINEAR, .border = 3.0f / 7};
    for (unsigned round = 0; round < 3; round++) {
        struct clampler_counters before = harness_counters(&f.scene.vk);
        VkSampler first = make_sampler(&f, &one), second = make_sampler(&f, &one);
        harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, first, f.red.view);
        harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, second, f.red.view);
        struct clampler_counters made = harness_counters(&f.scene.vk);
        assert_int_equal(made.driver_samplers, before.driver_samplers + 1);
        vkDestroySampler(f.scene.vk.device, first, NULL);
        scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &f.set);
        expect(&f, &one, round);
        VkSampler third = make_sampler(&f, &one);
        harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, third, f.red.view);
        assert_int_equal(harness_counters(&f.scene.vk).driver_samplers, made.driver_samplers);
        vkDestroySampler(f.scene.vk.device, second, NULL);
        vkDestroySampler(f.scene.vk.device, third, NULL);
    }
    close_fixture(&f);
}

/* Drivers take few border colours: pairs that need the same sampler have one, whatever states and views they are of. */
static void pairs_that_need_the_same_share_it(void **state)
{
    (void)state;
    static const uint8_t gray[4 * TEXELS] = {0};
    struct fixture f;
    struct harness_image color;
    open_fixture(&f, NULL, "");
    const struct harness_image_params params = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = TEXELS, .height = 1};
    harness_image_create(&f.scene.vk, &color, &params, gray);
    struct state one = {.wrap = CLAMP_TO_BORDER, .filter = LINEAR, .border = 3.0f / 7};
    struct clampler_counters before = harness_counters(&f.scene.vk);
    VkSampler sampler = make_sampler(&f, &one);
    harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, sampler, color.view);
    harness_write_image(&f.scene.vk, f.set, 0, 0, SCENE_COMBINED, sampler, f.red.view);
    assert_int_equal(harness_counters(&f.scene.vk).driver_samplers, before.driver_samplers + 1);
    scene_draw(&f.scene, f.program.pipeline, f.program.layout, 1, &f.set);
    expect(&f, &one, 0);
    vkDestroySampler(f.scene.vk.device, sampler, NULL);
    harness_image_destroy(&f.scene.vk, &color);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_that_come_back_are_what_they_are_now),
        cmocka_unit_test(equal_samplers_have_handles_of_their_own),
        cmocka_unit_test(many_equal_samplers_take_little_memory),
        cmocka_unit_test(what_was_shared_goes_with_the_last_sampler),
        cmocka_unit_test(pairs_that_need_the_same_share_it),
    };
    return cmocka_run_group_tests_name("identities", tests, NULL, NULL);
}
