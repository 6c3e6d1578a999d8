/* SPDX-License-Identifier: MIT */
#include "guests/fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/images/png.h"

enum { GRID = GUEST_GRID, TILE = 4 * GRID, GAP = 4 };

struct guest_fixture guest;

/* Levels of detail that are no tie between two levels, and that no version of OpenGL takes for magnification. */
static const float levels_of_detail[] = {0, 0.75f, 1, 1.75f, 2};

/* From -1.4 to 2.4 along each axis, off the middle between texels, where drivers may round. */
static void make_inputs(void)
{
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        const float s = -1.4f + 3.8f * ((float)(i % GRID) + 0.3127f) / GRID;
        const float t = -1.4f + 3.8f * ((float)(i / GRID) + 0.6181f) / GRID;
        guest.inputs[i] = (struct lookup_input){
            .p = {s, t, -0.6f + 2.2f * (float)(i * 7 % 61) / 61.0f, 0},
            .extra = {levels_of_detail[i % 5], (float)(i * 11 % 73) / 60.0f - 0.1f, 0, 0},
        };
    }
}

int guest_open(void **state)
{
    (void)state;
    harness_messages_reset();
    harness_messages_excuse(EXCUSE_FILTERS); /* of a border colour beside a format that separate samplers do not name */
    const char *layers = getenv("CLAMPLER_TEST_LAYERS");
    harness_vulkan_open(&guest.vk, &(struct harness_vulkan_params){.layers = layers ? layers : "clampler:validation",
                                                                   .gl_sampler = true,
                                                                   .gl_image_view = true,
                                                                   .sampling_features = true});
    /* The profile's driver has to stand below: one that lacks nothing would give the same values. */
    if (layers && strstr(layers, "limited") && guest.vk.custom_border_color)
        harness_fail("the limited driver lacks nothing: is LIMITED_DRIVER_PROFILE set?");
    lookup_vulkan_open(&guest.lookups, &guest.vk, (struct lookup_grid){GRID, GRID});
    make_inputs();
    return 0;
}

int guest_close(void **state)
{
    (void)state;
    lookup_vulkan_close(&guest.lookups);
    harness_vulkan_close(&guest.vk);
    printf("%llu stages, %llu values\n", (unsigned long long)guest.stages, (unsigned long long)guest.values);
    return (int)harness_messages();
}

uint8_t *guest_memory(size_t size, uint32_t seed)
{
    uint8_t *memory = malloc(size);
    assert_non_null(memory);
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525 + 1013904223;
        memory[i] = (uint8_t)(seed >> 24);
    }
    return memory;
}

static void draw(const struct nvidia_stage *stage, const struct nvidia_host *host, enum nvidia_words words,
                 bool separate)
{
    const struct lookup lookup = {.dimension = stage->axes == 3   ? LOOKUP_3D
                                               : stage->axes == 2 ? LOOKUP_2D
                                                                  : LOOKUP_1D,
                                  .operation = LOOKUP_LOD,
                                  .kind = stage->depth ? LOOKUP_SHADOW : LOOKUP_FLOAT,
                                  .separate = separate};
    struct nvidia_texture texture;
    memset(guest.drawn, 0xff, sizeof(guest.drawn)); /* no number: what is left of it fails */
    nvidia_texture_create(&guest.vk, &texture, stage, host, words);
    lookup_vulkan_run(&guest.lookups, &lookup, texture.image.view, texture.sampler, guest.inputs, guest.drawn);
    nvidia_texture_destroy(&guest.vk, &texture);
}

unsigned guest_check(const struct nvidia_stage *stage, const struct nvidia_host *host, enum nvidia_words words,
                     bool separate)
{
    assert_true(host->plain || words == NVIDIA_WORDS_OPENGL);
    const struct clampler_counters before = harness_counters(&guest.vk);
    draw(stage, host, words, separate);
    const struct clampler_counters after = harness_counters(&guest.vk);
    free(host->texels);
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        const struct lookup_input *input = &guest.inputs[i];
        float expected[4];
        nvidia_lookup(stage, input->p, input->extra[1], input->extra[0], expected);
        for (unsigned c = 0; c < (stage->depth ? 1 : 4); c++) {
            const float got = guest.drawn[4 * i + c];
            /* Weights have 8 bits along each axis, and between levels. */
            if (fabsf(got - expected[c]) < 4.0f / 255.0f)
                continue;
            print_error(
                "VkFormat %d, %u axes, addresses %d %d %d, filters %d %d, %s, %s, %s, at %g %g %g, level %g: "
                "channel %u is %g, not %g\n",
                host->format, stage->axes, stage->address[0], stage->address[1], stage->address[2], stage->min,
                stage->mag, host->margin ? "border texels" : "border colour", separate ? "separate" : "combined",
                words == NVIDIA_WORDS_OPENGL ? "in OpenGL's words" : "in Vulkan's words", (double)input->p[0],
                (double)input->p[1], (double)input->p[2], (double)input->extra[0], c, (double)got, (double)expected[c]);
            fail();
        }
    }
    guest.stages++;
    guest.values += GRID * GRID;
    for (unsigned tier = 0; tier < 3; tier++)
        if (after.draws[tier] > before.draws[tier])
            return tier;
    fail_msg("nothing was drawn");
    return 0;
}

static uint32_t extent_of(uint32_t tiles)
{
    return tiles * (TILE + GAP) + GAP;
}

void guest_paint(const struct guest_picture *picture, uint32_t column, uint32_t row, const struct nvidia_stage *stage,
                 const struct nvidia_host *host)
{
    const uint32_t width = extent_of(picture->columns);
    for (uint32_t part = 0; part < 16; part++) {
        const uint32_t x = part % 4 * GRID, y = part / 4 * GRID;
        for (uint32_t i = 0; i < GRID * GRID; i++)
            guest.inputs[i] = (struct lookup_input){.p = {-0.5f + 2.0f * ((float)(x + i % GRID) + 0.5f) / TILE,
                                                          -0.5f + 2.0f * ((float)(y + i / GRID) + 0.5f) / TILE, 0, 0}};
        draw(stage, host, NVIDIA_WORDS_OPENGL, false);
        for (uint32_t i = 0; i < GRID * GRID; i++)
            for (unsigned c = 0; c < 3; c++)
                picture->pixels[((GAP + row * (TILE + GAP) + y + i / GRID) * width + GAP + column * (TILE + GAP) + x +
                                 i % GRID) *
                                    4 +
                                c] = (uint8_t)(guest.drawn[4 * i + c] * 255.0f + 0.5f);
    }
    free(host->texels);
}

void guest_picture(const char *path, uint32_t columns, uint32_t rows,
                   void (*tile)(const struct guest_picture *picture, uint32_t column, uint32_t row))
{
    const size_t size = (size_t)extent_of(columns) * extent_of(rows) * 4;
    const struct guest_picture picture = {columns, rows, malloc(size)};
    if (!picture.pixels)
        abort();
    memset(picture.pixels, 0xff, size);
    guest_open(NULL);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++)
            tile(&picture, column, row);
    guest_close(NULL);
    harness_png_write(path, picture.pixels, extent_of(columns), extent_of(rows));
    free(picture.pixels);
}
