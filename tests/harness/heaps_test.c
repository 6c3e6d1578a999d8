/* SPDX-License-Identifier: MIT */
/*
 * Lookups of the driver alone are the same whether their descriptors are in sets or in heaps, through mappings and
 * through pointers, with pipelines and with shader objects. Skipped where the driver lacks descriptor heaps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/lookups/lookup.h"

enum { SIZE = 16, PIXELS = SIZE * SIZE };

static const struct lookup lookups[] = {
    {LOOKUP_2D, LOOKUP_IMPLICIT, LOOKUP_FLOAT, LOOKUP_FRAGMENT, .separate = false},
    {LOOKUP_2D, LOOKUP_IMPLICIT, LOOKUP_FLOAT, LOOKUP_FRAGMENT, .separate = true},
    {LOOKUP_2D, LOOKUP_LOD, LOOKUP_FLOAT, LOOKUP_VERTEX, .separate = false},
    {LOOKUP_2D, LOOKUP_GRAD, LOOKUP_FLOAT, LOOKUP_COMPUTE, .separate = true},
    {LOOKUP_2D, LOOKUP_GATHER, LOOKUP_FLOAT, LOOKUP_COMPUTE, .separate = false},
    {LOOKUP_2D, LOOKUP_OFFSET, LOOKUP_FLOAT, LOOKUP_FRAGMENT, .separate = true},
};
enum { COUNT = sizeof(lookups) / sizeof(lookups[0]) };

static void fill(struct lookup_input *inputs)
{
    for (int i = 0; i < PIXELS; i++)
        inputs[i] = (struct lookup_input){.p = {(float)(i % SIZE) / 5.0f - 1.0f, (float)(i / SIZE) / 7.0f - 0.8f, 0, 1},
                                          .extra = {1, 0.5f, 0, 0}};
}

/* All lookups on a device of one kind; `border`: a colour of the program's own. */
static void look_up(enum harness_sets sets, enum harness_linking linking, float (*results)[PIXELS * 4])
{
    static const uint8_t texels[(4 * 4 + 2 * 2 + 1) * 4] = {10,  20,  30,  40, 250, 240, 230, 220, 5,  90, 80, 70,
                                                            100, 110, 120, 1,  2,   3,   4,   5,   60, 61, 62, 63};
    struct harness_vulkan vk;
    struct lookup_vulkan on;
    struct harness_image image;
    struct lookup_input inputs[PIXELS];
    const VkSamplerGLStateCreateInfoCLAMPLER state = {.wrapS = GL_CLAMP_TO_BORDER,
                                                      .wrapT = GL_MIRRORED_REPEAT,
                                                      .minFilter = GL_LINEAR_MIPMAP_LINEAR,
                                                      .magFilter = GL_LINEAR,
                                                      .maxLod = 1000,
                                                      .borderColor = {.float32 = {0.25f, 0.5f, 0.125f, 1}}};
    harness_messages_reset();
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){
                                 .layers = "validation", .sampling_features = true, .linking = linking, .sets = sets});
    lookup_vulkan_open(&on, &vk, (struct lookup_grid){SIZE, SIZE});
    lookup_vulkan_image(
        &vk, &image,
        &(struct lookup_texture){
            .dimension = LOOKUP_2D, .format = LOOKUP_RGBA8, .width = 4, .height = 4, .levels = 3, .texels = texels});
    VkSampler sampler = lookup_vulkan_sampler(&vk, &state, LOOKUP_SAMPLER_NAIVE, false);
    fill(inputs);
    for (int i = 0; i < COUNT; i++)
        lookup_vulkan_run(&on, &lookups[i], image.view, sampler, inputs, results[i]);
    vkDestroySampler(vk.device, sampler, NULL);
    harness_image_destroy(&vk, &image);
    lookup_vulkan_close(&on);
    harness_vulkan_close(&vk);
    assert_int_equal(harness_messages(), 0);
}

static void compare(enum harness_sets sets, enum harness_linking linking)
{
    static float expected[COUNT][PIXELS * 4], found[COUNT][PIXELS * 4];
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    const char *lacks = harness_lacks(&vk, linking, sets);
    harness_vulkan_close(&vk);
    if (lacks) {
        print_message("the driver lacks %s\n", lacks);
        skip();
    }
    look_up(HARNESS_SETS_PLAIN, HARNESS_MONOLITHIC, expected);
    look_up(sets, linking, found);
    for (int i = 0; i < COUNT; i++) {
        bool varies = false;
        for (int k = 4; k < PIXELS * 4; k++)
            varies |= expected[i][k] != expected[i][k - 4];
        assert_true(varies);
        assert_memory_equal(found[i], expected[i], sizeof(found[i]));
    }
}

static void mapped_bindings(void **state)
{
    (void)state;
    compare(HARNESS_SETS_HEAP, HARNESS_MONOLITHIC);
}

static void mapped_bindings_of_linked_pipelines(void **state)
{
    (void)state;
    compare(HARNESS_SETS_HEAP, HARNESS_LIBRARY);
}

static void mapped_bindings_of_shader_objects(void **state)
{
    (void)state;
    compare(HARNESS_SETS_HEAP, HARNESS_OBJECTS);
}

static void pointers_into_heaps(void **state)
{
    (void)state;
    compare(HARNESS_SETS_HEAP_UNTYPED, HARNESS_MONOLITHIC);
}

static void pointers_into_heaps_in_shader_objects(void **state)
{
    (void)state;
    compare(HARNESS_SETS_HEAP_UNTYPED, HARNESS_OBJECTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapped_bindings),
        cmocka_unit_test(mapped_bindings_of_linked_pipelines),
        cmocka_unit_test(mapped_bindings_of_shader_objects),
        cmocka_unit_test(pointers_into_heaps),
        cmocka_unit_test(pointers_into_heaps_in_shader_objects),
    };
    return cmocka_run_group_tests_name("heaps", tests, NULL, NULL);
}
