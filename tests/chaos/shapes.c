/* SPDX-License-Identifier: MIT */
#include "chaos/shapes.h"

/* The build writes both headers (CMakeLists.txt). */
#include "chaos_shaders.h"

#define COMBINED VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
#define SAMPLER VK_DESCRIPTOR_TYPE_SAMPLER
#define IMAGE VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
#define TEXELS VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER

static const struct shape shapes[SHAPES] = {
    [SHAPE_NONE] = {.name = "none"},
    [SHAPE_COMBINED] = {"combined",
                        2,
                        5,
                        5,
                        {{0, 4, COMBINED, false, false}, {2, 1, COMBINED, false, false}},
                        {{{0, 4, 0}, {0, 4, 0}},
                         {{0, 4, 1}, {0, 4, 1}},
                         {{0, 4, 2}, {0, 4, 2}},
                         {{0, 4, 3}, {0, 4, 3}},
                         {{4, 1, 0}, {4, 1, 0}}}},
    [SHAPE_MIXED] = {"mixed",
                     4,
                     4,
                     5,
                     {{0, 2, COMBINED, false, false},
                      {1, 1, SAMPLER, false, false},
                      {2, 1, IMAGE, false, false},
                      {5, 1, TEXELS, false, false}},
                     {{{0, 2, 0}, {0, 2, 0}}, {{0, 2, 1}, {0, 2, 1}}, {{3, 1, 0}, {2, 1, 0}}, {{4, 1, 0}, {0, 0, 0}}}},
    [SHAPE_IMMUTABLE] = {"immutable",
                         3,
                         3,
                         4,
                         {{0, 2, COMBINED, true, false}, {1, 1, SAMPLER, true, false}, {2, 1, IMAGE, false, false}},
                         {{{0, 2, 0}, {0, 2, 0}}, {{0, 2, 1}, {0, 2, 1}}, {{3, 1, 0}, {2, 1, 0}}}},
    [SHAPE_SEPARATE] =
        {"separate",
         2,
         4,
         4,
         {{0, 2, IMAGE, false, false}, {1, 2, SAMPLER, false, false}},
         {{{0, 2, 0}, {2, 2, 0}}, {{0, 2, 1}, {2, 2, 0}}, {{0, 2, 0}, {2, 2, 1}}, {{0, 2, 1}, {2, 2, 1}}}},
    [SHAPE_TEXELS] = {"texels",
                      2,
                      3,
                      3,
                      {{0, 2, TEXELS, false, false}, {3, 1, TEXELS, false, false}},
                      {{{0, 2, 0}, {0, 0, 0}}, {{0, 2, 1}, {0, 0, 0}}, {{2, 1, 0}, {0, 0, 0}}}},
    [SHAPE_VARIABLE] = {"variable",
                        2,
                        5,
                        5,
                        {{0, 1, COMBINED, false, false}, {1, 4, COMBINED, false, true}},
                        {{{0, 1, 0}, {0, 1, 0}},
                         {{1, 4, 0}, {1, 4, 0}},
                         {{1, 4, 1}, {1, 4, 1}},
                         {{1, 4, 2}, {1, 4, 2}},
                         {{1, 4, 3}, {1, 4, 3}}}},
};

const struct shape *shape_of(unsigned number)
{
    return &shapes[number];
}

const struct shape_binding *shape_binding_of(const struct shape *shape, unsigned descriptor, uint32_t *element)
{
    const struct shape_binding *binding = shape->bindings;
    while (descriptor >= binding->count)
        descriptor -= binding++->count;
    *element = descriptor;
    return binding;
}

const struct program_shader program_shaders[] = {
#include "chaos_shader_table.h"
};
const unsigned program_shader_count = sizeof(program_shaders) / sizeof(program_shaders[0]);
