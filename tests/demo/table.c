/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/table.h"
#include "harness/text/json.h"
#include "harness/lookups/lookup_reference.h"

#define GRID 64u
#define SIZE 16u
#define LEVELS 5u

static const struct {
    uint32_t token;
    const char *name;
} wraps[TABLE_WRAPS] = {
    {GL_CLAMP, "CLAMP"},
    {GL_CLAMP_TO_EDGE, "CLAMP_TO_EDGE"},
    {GL_CLAMP_TO_BORDER, "CLAMP_TO_BORDER"},
    {GL_REPEAT, "REPEAT"},
    {GL_MIRRORED_REPEAT, "MIRRORED_REPEAT"},
    {GL_MIRROR_CLAMP_EXT, "MIRROR_CLAMP"},
    {GL_MIRROR_CLAMP_TO_EDGE, "MIRROR_CLAMP_TO_EDGE"},
    {GL_MIRROR_CLAMP_TO_BORDER_EXT, "MIRROR_CLAMP_TO_BORDER"},
};

static const struct {
    uint32_t min_filter, mag_filter;
    const char *name;
} filters[TABLE_FILTERS] = {
    {GL_NEAREST, GL_NEAREST, "NEAREST"},
    {GL_LINEAR, GL_LINEAR, "LINEAR"},
    {GL_NEAREST, GL_LINEAR, "MAG_LINEAR_MIN_NEAREST"},
    {GL_LINEAR, GL_NEAREST, "MAG_NEAREST_MIN_LINEAR"},
    {GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR, "LINEAR_MIPMAP_LINEAR"},
};

/* One side of the comparison: everything that lives as long as the table is measured. */
struct sides {
    struct lookup_texture texture;
    struct lookup_vulkan layered, plain;
    struct harness_image layered_image, plain_image;
    struct lookup_gl gl;
    GLuint gl_image;
    struct lookup_input *inputs;
    float *expected, *got;
    struct lookup_reference reference;
    struct reference_result *results;
};

/* Texels that are all different, and a little different from level to level. */
static void *create_texels(void)
{
    uint8_t *texels = harness_alloc((size_t)SIZE * SIZE * 2, 4), *texel = texels;
    for (uint32_t level = 0; level < LEVELS; level++) {
        for (uint32_t y = 0; y < SIZE >> level; y++) {
            for (uint32_t x = 0; x < SIZE >> level; x++, texel += 4) {
                texel[0] = (uint8_t)(60 + x * (144 >> (4 - level)));
                texel[1] = (uint8_t)(60 + y * (144 >> (4 - level)));
                texel[2] = (uint8_t)(90 + 30 * level);
                texel[3] = (uint8_t)(130 + (x ^ y) * 4);
            }
        }
    }
    return texels;
}

/* Coordinates that change by `texels` texels of level 0 from pixel to pixel; never on a texel's edge. */
static void fill_inputs(struct lookup_input *inputs, float texels)
{
    const float step = texels / (float)SIZE, start = -step * (float)GRID / 2 + 0.5f + 0.3f / (float)SIZE;
    for (uint32_t y = 0; y < GRID; y++)
        for (uint32_t x = 0; x < GRID; x++)
            inputs[y * GRID + x] = (struct lookup_input){.p = {start + (float)x * step, start + (float)y * step, 0, 0},
                                                         .dx = {step, 0, 0, 0},
                                                         .dy = {0, step, 0, 0}};
}

static double greatest_difference(const float *a, const float *b)
{
    double greatest = 0;
    for (size_t i = 0; i < (size_t)GRID * GRID * 4; i++)
        greatest = fmax(greatest, fabs((double)a[i] - (double)b[i]));
    return round(greatest * 25500) / 100;
}

static bool mirror_clamps(uint32_t wrap)
{
    return wrap == GL_MIRROR_CLAMP_EXT || wrap == GL_MIRROR_CLAMP_TO_BORDER_EXT;
}

/* What this cell is measured against. */
static void expect(struct sides *sides, const struct table_cell *cell, const struct lookup *lookup, GLuint sampler,
                   const VkSamplerGLStateCreateInfoCLAMPLER *state)
{
    const struct lookup_grid grid = {GRID, GRID};
    if (!cell->reference) {
        lookup_gl_run(&sides->gl, lookup, sides->gl_image, sampler, sides->inputs, sides->expected);
        return;
    }
    lookup_reference_run(&sides->reference, lookup, state, NULL, grid, sides->inputs, NULL, sides->results);
    for (size_t i = 0; i < (size_t)GRID * GRID; i++)
        memcpy(sides->expected + i * 4, sides->results[i].rgba.f, 4 * sizeof(float));
}

static void measure_cell(struct sides *sides, struct table_cell *cell, const VkSamplerGLStateCreateInfoCLAMPLER *state)
{
    static const float magnified = 0.5625f, minified = 2.0f;
    const struct lookup lookup = {LOOKUP_2D, LOOKUP_IMPLICIT, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE};
    VkSampler layered = lookup_vulkan_sampler(sides->layered.vk, state, LOOKUP_SAMPLER_GL, false);
    VkSampler plain = lookup_vulkan_sampler(sides->plain.vk, state, LOOKUP_SAMPLER_NAIVE, false);
    GLuint sampler = harness_gl_sampler(sides->gl.gl, state, HARNESS_GL_BORDER_FLOAT);
    for (int minify = 0; minify < 2; minify++) {
        fill_inputs(sides->inputs, minify ? minified : magnified);
        expect(sides, cell, &lookup, sampler, state);
        lookup_vulkan_run(&sides->layered, &lookup, sides->layered_image.view, layered, sides->inputs, sides->got);
        cell->with_layer = fmax(cell->with_layer, greatest_difference(sides->got, sides->expected));
        lookup_vulkan_run(&sides->plain, &lookup, sides->plain_image.view, plain, sides->inputs, sides->got);
        cell->without_layer = fmax(cell->without_layer, greatest_difference(sides->got, sides->expected));
    }
    vkDestroySampler(sides->layered.vk->device, layered, NULL);
    vkDestroySampler(sides->plain.vk->device, plain, NULL);
    sides->gl.gl->DeleteSamplers(1, &sampler);
}

static void open_sides(struct sides *sides, struct harness_gl *gl, struct harness_vulkan *layered,
                       struct harness_vulkan *plain)
{
    const struct lookup_grid grid = {GRID, GRID};
    const size_t count = (size_t)GRID * GRID;
    *sides = (struct sides){.texture = {.dimension = LOOKUP_2D,
                                        .format = LOOKUP_RGBA8,
                                        .width = SIZE,
                                        .height = SIZE,
                                        .levels = LEVELS,
                                        .texels = create_texels()}};
    lookup_vulkan_open(&sides->layered, layered, grid);
    lookup_vulkan_open(&sides->plain, plain, grid);
    lookup_gl_open(&sides->gl, gl, grid);
    lookup_vulkan_image(layered, &sides->layered_image, &sides->texture);
    lookup_vulkan_image(plain, &sides->plain_image, &sides->texture);
    sides->gl_image = lookup_gl_image(gl, &sides->texture, 0);
    sides->inputs = harness_alloc(count, sizeof(*sides->inputs));
    sides->expected = harness_alloc(count, 4 * sizeof(float));
    sides->got = harness_alloc(count, 4 * sizeof(float));
    sides->results = harness_alloc(count, sizeof(*sides->results));
    lookup_reference_open(&sides->reference, &sides->texture);
}

static void close_sides(struct sides *sides)
{
    harness_image_destroy(sides->layered.vk, &sides->layered_image);
    harness_image_destroy(sides->plain.vk, &sides->plain_image);
    glDeleteTextures(1, &sides->gl_image);
    lookup_vulkan_close(&sides->layered);
    lookup_vulkan_close(&sides->plain);
    lookup_gl_close(&sides->gl);
    free((void *)(uintptr_t)sides->texture.texels);
    free(sides->inputs);
    free(sides->expected);
    free(sides->got);
    free(sides->results);
    lookup_reference_close(&sides->reference);
}

void table_measure(struct table *table, struct harness_gl *gl, struct harness_vulkan *layered,
                   struct harness_vulkan *plain)
{
    struct sides sides;
    open_sides(&sides, gl, layered, plain);
    for (size_t i = 0; i < TABLE_CELLS; i++) {
        uint32_t wrap = wraps[i / TABLE_FILTERS].token;
        struct table_cell *cell = &table->cells[i];
        VkSamplerGLStateCreateInfoCLAMPLER state = {.wrapS = wrap,
                                                    .wrapT = wrap,
                                                    .wrapR = GL_REPEAT,
                                                    .minFilter = filters[i % TABLE_FILTERS].min_filter,
                                                    .magFilter = filters[i % TABLE_FILTERS].mag_filter,
                                                    .minLod = -1000,
                                                    .maxLod = 1000,
                                                    .borderColor = {.float32 = {1.0f, 0.5f, 0.0f, 0.25f}}};
        *cell = (struct table_cell){.wrap = wraps[i / TABLE_FILTERS].name,
                                    .filter = filters[i % TABLE_FILTERS].name,
                                    .reference = mirror_clamps(wrap) && (gl->mesa_software || !gl->mirror_clamp)};
        measure_cell(&sides, cell, &state);
    }
    close_sides(&sides);
}

void table_print(const struct table *table)
{
    bool marked = false;
    puts("Greatest difference to OpenGL in 1/255\n");
    printf("%-24s", "");
    for (size_t filter = 0; filter < TABLE_FILTERS; filter++)
        printf(" %22s", filters[filter].name);
    printf("\n%-24s", "");
    for (size_t filter = 0; filter < TABLE_FILTERS; filter++)
        printf(" %22s", "with | without");
    putchar('\n');
    for (size_t row = 0; row < TABLE_WRAPS; row++) {
        const struct table_cell *cells = &table->cells[row * TABLE_FILTERS];
        printf("%-23s%c", cells->wrap, cells->reference ? '*' : ' ');
        for (size_t filter = 0; filter < TABLE_FILTERS; filter++)
            printf(" %12.2f | %7.2f", cells[filter].with_layer, cells[filter].without_layer);
        putchar('\n');
        marked |= cells->reference;
    }
    if (marked)
        puts(
            "\n* against the reference sampler: this OpenGL leaves out the lower bound of the mirror modes, which the\n"
            "  specification (EXT_texture_mirror_clamp) has");
}

void table_write(const struct table *table, const char *path)
{
    struct harness_json json;
    harness_json_open(&json, path);
    harness_json_array(&json, NULL);
    for (size_t i = 0; i < TABLE_CELLS; i++) {
        harness_json_object(&json, NULL);
        harness_json_string(&json, "wrap", table->cells[i].wrap);
        harness_json_string(&json, "filter", table->cells[i].filter);
        harness_json_number(&json, "with_layer", table->cells[i].with_layer);
        harness_json_number(&json, "without_layer", table->cells[i].without_layer);
        harness_json_string(&json, "against", table->cells[i].reference ? "reference" : "opengl");
        harness_json_end(&json);
    }
    harness_json_end(&json);
    harness_json_close(&json);
}
