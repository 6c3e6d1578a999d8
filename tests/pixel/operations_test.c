/* SPDX-License-Identifier: MIT */
/* Every GLSL lookup, through combined and separate samplers, in every stage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pixel/pixel.h"

static struct pixel pixel;
static const uint32_t size[3] = {16, 8, 5};

/* Wrap modes and filters that reach each tier, and one that the driver does alone. */
static const uint32_t states[][3] = {
    {GL_CLAMP_TO_BORDER, GL_LINEAR, GL_LINEAR},
    {GL_CLAMP, GL_LINEAR, GL_LINEAR},
    {GL_CLAMP, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR},
    {GL_CLAMP, GL_NEAREST, GL_LINEAR},
    {GL_MIRROR_CLAMP_EXT, GL_LINEAR, GL_LINEAR},
    {GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR},
};
#define STATES (sizeof(states) / sizeof(states[0]))

static bool implicit(enum lookup_operation operation)
{
    return operation == LOOKUP_IMPLICIT || operation == LOOKUP_BIAS || operation == LOOKUP_PROJ ||
           operation == LOOKUP_OFFSET || operation == LOOKUP_BIAS_OFFSET || operation == LOOKUP_PROJ_OFFSET;
}

static uint32_t check_states(struct pixel_case *test)
{
    uint32_t failures = 0;
    for (size_t i = 0; i < STATES; i++) {
        test->state = pixel_state(states[i][0], states[i][1], states[i][2]);
        if (test->lookup.kind == LOOKUP_SHADOW) {
            test->state.compareMode = GL_COMPARE_REF_TO_TEXTURE;
            test->state.compareFunc = GL_LESS;
            test->state.borderColor = (VkClearColorValue){.float32 = {1, 1, 1, 1}};
        }
        /* The structure and the private modes in turn: each operation meets both, each state too. */
        test->form = (i + (size_t)test->lookup.operation) % 2 ? LOOKUP_SAMPLER_PRIVATE : LOOKUP_SAMPLER_GL;
        failures += !pixel_check(&pixel, test);
    }
    return failures;
}

static uint32_t check_operation(struct pixel_case *test)
{
    const bool extended =
        test->lookup.operation == LOOKUP_GATHER_OFFSET || test->lookup.operation == LOOKUP_GATHER_OFFSETS;
    uint32_t failures = 0;
    if (!lookup_exists(&test->lookup) || (extended && !pixel.vk.gather_extended))
        return 0;
    if (!implicit(test->lookup.operation)) {
        pixel_scatter(&pixel, test->texture, &test->lookup);
        return check_states(test);
    }
    /* Magnified, and minified to level 1 and a bit. */
    pixel_affine(&pixel, test->texture, &test->lookup, 0.4f, 1, 0, 0.4f);
    failures += check_states(test);
    pixel_affine(&pixel, test->texture, &test->lookup, 2.0f, 1, 0, 0.4f);
    return failures + check_states(test);
}

static uint32_t check_all(enum lookup_kind kind, enum lookup_stage stage, bool separate)
{
    const enum lookup_format format = kind == LOOKUP_SHADOW ? LOOKUP_DEPTH32F : LOOKUP_RGBA8;
    uint32_t failures = 0;
    for (int dimension = LOOKUP_1D; dimension <= LOOKUP_3D; dimension++) {
        struct pixel_texture texture;
        if (kind == LOOKUP_SHADOW && dimension == LOOKUP_3D)
            continue;
        pixel_texture_create(&pixel, &texture, (enum lookup_dimension)dimension, format, size, 0);
        for (int operation = 0; operation < LOOKUP_OPERATIONS; operation++) {
            if (lookup_has_min_lod((enum lookup_operation)operation) || operation == LOOKUP_QUERY_LOD ||
                operation == LOOKUP_FETCH)
                continue; /* the differential suite has those */
            struct pixel_case test = {.name = "operation",
                                      .lookup = {(enum lookup_dimension)dimension, (enum lookup_operation)operation,
                                                 kind, stage, separate, 0},
                                      .texture = &texture,
                                      .tier = -1};
            failures += check_operation(&test);
        }
        pixel_texture_destroy(&pixel, &texture);
    }
    return failures;
}

static void combined_samplers_in_fragment_shaders(void **state)
{
    (void)state;
    assert_int_equal(check_all(LOOKUP_FLOAT, LOOKUP_FRAGMENT, false), 0);
}

static void separate_samplers_in_fragment_shaders(void **state)
{
    (void)state;
    assert_int_equal(check_all(LOOKUP_FLOAT, LOOKUP_FRAGMENT, true), 0);
}

static void combined_samplers_in_vertex_shaders(void **state)
{
    (void)state;
    assert_int_equal(check_all(LOOKUP_FLOAT, LOOKUP_VERTEX, false), 0);
}

static void combined_samplers_in_compute_shaders(void **state)
{
    (void)state;
    assert_int_equal(check_all(LOOKUP_FLOAT, LOOKUP_COMPUTE, false), 0);
}

static void separate_samplers_in_compute_shaders(void **state)
{
    (void)state;
    assert_int_equal(check_all(LOOKUP_FLOAT, LOOKUP_COMPUTE, true), 0);
}

static void shadow_samplers_in_fragment_shaders(void **state)
{
    (void)state;
    assert_int_equal(check_all(LOOKUP_SHADOW, LOOKUP_FRAGMENT, false), 0);
}

static void separate_shadow_samplers_in_compute_shaders(void **state)
{
    (void)state;
    assert_int_equal(check_all(LOOKUP_SHADOW, LOOKUP_COMPUTE, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combined_samplers_in_fragment_shaders),
        cmocka_unit_test(separate_samplers_in_fragment_shaders),
        cmocka_unit_test(combined_samplers_in_vertex_shaders),
        cmocka_unit_test(combined_samplers_in_compute_shaders),
        cmocka_unit_test(separate_samplers_in_compute_shaders),
        cmocka_unit_test(shadow_samplers_in_fragment_shaders),
        cmocka_unit_test(separate_shadow_samplers_in_compute_shaders),
    };
    return PIXEL_RUN("operations", tests, &pixel, 32, false);
}
