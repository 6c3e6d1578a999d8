/* SPDX-License-Identifier: MIT */
/*
 * Guest state in, picture out: texture stages of NV2A as an emulator would draw them with the layer, each value
 * compared with the guest's own arithmetic (nv2a.h). The three that Vulkan lacks have to come out: ADDR_CLAMP_OGL,
 * borders that are texels, and formats that lack channels.
 *
 * With arguments, `nv2a_test PICTURE.png`, it draws instead: a column for each address mode, and for ADDR_CLAMP_OGL one
 * as emulators draw it without the layer, to the edge; a row for each filter and source of the border.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "guests/nv2a_vulkan.h"
#include "harness/images/png.h"
#include "harness/lookups/lookup.h"

enum { GRID = 32, MODES = NV2A_ADDR_CLAMP_OGL, FILTERS = NV2A_FILTER_TENT_TENT_LOD };

static struct {
    struct harness_vulkan vk;
    struct lookup_vulkan lookups;
    struct lookup_input inputs[GRID * GRID];
    float drawn[GRID * GRID * 4];
    uint64_t cases, values;
} test;

/* A stage as games leave it, with random texels; the caller frees its memory. */
static struct nv2a_stage make_stage(enum nv2a_color color, uint32_t axes, uint32_t log_size, uint32_t levels,
                                    bool texels, uint32_t seed)
{
    struct nv2a_stage stage = {
        .texaddress = NV2A_ADDR_WRAP * 0x10101u,
        .texctl0 = 0xfffu << NV2A_TEXCTL0_MAX_LOD_SHIFT,
        .texfilter = NV2A_FILTER_TENT_TENT_LOD << NV2A_TEXFILTER_MIN_SHIFT | NV2A_FILTER_TENT_LOD0
                                                                                 << NV2A_TEXFILTER_MAG_SHIFT,
        .texfmt = (texels ? 0 : NV2A_TEXFMT_BORDER_SOURCE_COLOR) | axes << NV2A_TEXFMT_DIMENSIONALITY_SHIFT |
                  (uint32_t)color << NV2A_TEXFMT_COLOR_SHIFT | levels << NV2A_TEXFMT_MIPMAP_LEVELS_SHIFT |
                  log_size << NV2A_TEXFMT_BASE_SIZE_U_SHIFT | log_size << NV2A_TEXFMT_BASE_SIZE_V_SHIFT,
        .bordercolor = 0xc0e02060,
        .shadowctl = 3,
    };
    if (axes == 3)
        stage.texfmt |= log_size << NV2A_TEXFMT_BASE_SIZE_P_SHIFT;
    const struct nv2a_shape shape = nv2a_shape_of(&stage);
    const size_t size = nv2a_memory_size(&shape);
    uint8_t *memory = malloc(size);
    assert_non_null(memory);
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525 + 1013904223;
        memory[i] = (uint8_t)(seed >> 24);
    }
    stage.memory = memory;
    return stage;
}

static void set_modes(struct nv2a_stage *stage, uint32_t u, uint32_t v, uint32_t p)
{
    stage->texaddress =
        u << NV2A_TEXADDRESS_ADDRU_SHIFT | v << NV2A_TEXADDRESS_ADDRV_SHIFT | p << NV2A_TEXADDRESS_ADDRP_SHIFT;
}

static void set_filters(struct nv2a_stage *stage, uint32_t min, uint32_t mag)
{
    stage->texfilter = (stage->texfilter & NV2A_TEXFILTER_LOD_BIAS_MASK) | min << NV2A_TEXFILTER_MIN_SHIFT |
                       mag << NV2A_TEXFILTER_MAG_SHIFT;
}

/* Levels of detail that are no tie between two levels, and that no version of OpenGL takes for magnification. */
static const float levels_of_detail[] = {0, 0.75f, 1, 1.75f, 2};

/* From -1.4 to 2.4 along each axis, off the middle between texels, where drivers may round. */
static void make_inputs(void)
{
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        const float s = -1.4f + 3.8f * ((float)(i % GRID) + 0.3127f) / GRID;
        const float t = -1.4f + 3.8f * ((float)(i / GRID) + 0.6181f) / GRID;
        test.inputs[i] = (struct lookup_input){
            .p = {s, t, -0.6f + 2.2f * (float)(i * 7 % 61) / 61.0f, 0},
            .extra = {levels_of_detail[i % 5], (float)(i * 11 % 73) / 60.0f - 0.1f, 0, 0},
        };
    }
}

static int open_device(void **state)
{
    (void)state;
    harness_messages_reset();
    harness_messages_excuse(EXCUSE_FILTERS); /* of a border colour beside a format that separate samplers do not name */
    const char *layers = getenv("CLAMPLER_TEST_LAYERS");
    harness_vulkan_open(&test.vk, &(struct harness_vulkan_params){.layers = layers ? layers : "clampler:validation",
                                                                  .gl_sampler = true,
                                                                  .gl_image_view = true,
                                                                  .sampling_features = true});
    lookup_vulkan_open(&test.lookups, &test.vk, (struct lookup_grid){GRID, GRID});
    make_inputs();
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    lookup_vulkan_close(&test.lookups);
    harness_vulkan_close(&test.vk);
    printf("%llu stages, %llu values\n", (unsigned long long)test.cases, (unsigned long long)test.values);
    return (int)harness_messages();
}

static void draw(const struct nv2a_stage *stage, enum nv2a_words words, bool separate)
{
    const struct nv2a_shape shape = nv2a_shape_of(stage);
    const struct lookup lookup = {.dimension = shape.axes == 3   ? LOOKUP_3D
                                               : shape.axes == 2 ? LOOKUP_2D
                                                                 : LOOKUP_1D,
                                  .operation = LOOKUP_LOD,
                                  .kind = shape.depth ? LOOKUP_SHADOW : LOOKUP_FLOAT,
                                  .separate = separate};
    struct nv2a_texture texture;
    nv2a_texture_create(&test.vk, &texture, stage, words);
    lookup_vulkan_run(&test.lookups, &lookup, texture.image.view, texture.sampler, test.inputs, test.drawn);
    nv2a_texture_destroy(&test.vk, &texture);
}

/* The tier that drew, as well. */
static unsigned check(const struct nv2a_stage *stage, enum nv2a_words words, bool separate)
{
    const struct nv2a_shape shape = nv2a_shape_of(stage);
    const struct clampler_counters before = harness_counters(&test.vk);
    draw(stage, words, separate);
    const struct clampler_counters after = harness_counters(&test.vk);
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        const struct lookup_input *input = &test.inputs[i];
        float expected[4];
        nv2a_lookup(stage, input->p, input->extra[1], input->extra[0], expected);
        for (unsigned c = 0; c < (shape.depth ? 1 : 4); c++) {
            const float got = test.drawn[4 * i + c];
            /* Weights have 8 bits along each axis, and between levels. */
            if (fabsf(got - expected[c]) < 4.0f / 255.0f)
                continue;
            print_error(
                "format %#x, %u axes, address %#x, filter %#x, %s, %s, at %g %g %g, level %g: channel %u is %g, "
                "not %g\n",
                shape.color, shape.axes, stage->texaddress, stage->texfilter,
                shape.margin ? "border texels" : "border colour", separate ? "separate" : "combined",
                (double)input->p[0], (double)input->p[1], (double)input->p[2], (double)input->extra[0], c, (double)got,
                (double)expected[c]);
            fail();
        }
    }
    test.cases++;
    test.values += GRID * GRID;
    for (unsigned tier = 0; tier < 3; tier++)
        if (after.draws[tier] > before.draws[tier])
            return tier;
    fail_msg("nothing was drawn");
    return 0;
}

static bool is_tent(uint32_t filter)
{
    return filter % 2 == 0;
}

/* Every address mode beside every other, every filter, in both words and both kinds of descriptor. */
static void every_mode_and_filter(void **state)
{
    (void)state;
    struct nv2a_stage stage = make_stage(NV2A_SZ_A8R8G8B8, 2, 3, 3, false, 1);
    for (uint32_t u = 1; u <= MODES; u++) {
        for (uint32_t v = 1; v <= MODES; v++) {
            for (uint32_t min = 1; min <= FILTERS; min++) {
                const uint32_t mag = 1 + (u + v + min) % 2;
                const bool clamp = u == NV2A_ADDR_CLAMP_OGL || v == NV2A_ADDR_CLAMP_OGL;
                const bool separate = (u + min) % 2;
                set_modes(&stage, u, v, NV2A_ADDR_WRAP);
                set_filters(&stage, min, mag);
                const unsigned tier = check(&stage, NV2A_WORDS_OPENGL, separate);
                if (clamp && (is_tent(min) || is_tent(mag)))
                    assert_int_not_equal(tier, 0);
                assert_true(nv2a_has_address_modes(&stage));
                if (test.vk.custom_border_color)
                    check(&stage, NV2A_WORDS_ADDRESS_MODES, separate);
            }
        }
    }
    free((void *)stage.memory);
}

static const enum nv2a_color colors[] = {
    NV2A_SZ_Y8,       NV2A_SZ_AY8,      NV2A_SZ_A1R5G5B5, NV2A_SZ_X1R5G5B5, NV2A_SZ_A4R4G4B4, NV2A_SZ_R5G6B5,
    NV2A_SZ_A8R8G8B8, NV2A_SZ_X8R8G8B8, NV2A_SZ_A8,       NV2A_SZ_A8Y8,     NV2A_SZ_G8B8,     NV2A_SZ_A8B8G8R8,
};

/* Formats that lack channels, or have them elsewhere, inside and in the border. */
static void every_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(colors) / sizeof(*colors); i++) {
        struct nv2a_stage stage = make_stage(colors[i], 2, 3, 3, false, (uint32_t)i + 7);
        for (uint32_t u = 1; u <= MODES; u++) {
            set_modes(&stage, u, 1 + (u + (uint32_t)i) % MODES, NV2A_ADDR_WRAP);
            check(&stage, NV2A_WORDS_OPENGL, false);
            check(&stage, NV2A_WORDS_OPENGL, true);
        }
        free((void *)stage.memory);
    }
}

/* TEXFMT_BORDER_SOURCE_TEXTURE: what lies around the texture is read, in tier 2. */
static void borders_that_are_texels(void **state)
{
    (void)state;
    for (uint32_t axes = 2; axes <= 3; axes++) {
        for (size_t i = 0; i < sizeof(colors) / sizeof(*colors); i++) {
            const bool all = colors[i] == NV2A_SZ_A8R8G8B8 && axes == 2;
            struct nv2a_stage stage = make_stage(colors[i], axes, axes == 2 ? 5 : 4, axes == 2 ? 3 : 2, true, 99);
            for (uint32_t u = 1; u <= MODES; u++) {
                for (uint32_t v = 1; v <= (all ? (uint32_t)MODES : 1u); v++) {
                    set_modes(&stage, u, all ? v : 1 + (u + 1) % MODES, 1 + (u + 3) % MODES);
                    set_filters(&stage, 1 + (u + v) % FILTERS, 1 + u % 2);
                    assert_int_equal(check(&stage, NV2A_WORDS_OPENGL, v % 2), 2);
                }
            }
            free((void *)stage.memory);
        }
    }
}

/* Textures of three axes. */
static void volumes(void **state)
{
    (void)state;
    struct nv2a_stage stage = make_stage(NV2A_SZ_A8B8G8R8, 3, 3, 3, false, 5);
    for (uint32_t p = 1; p <= MODES; p++) {
        for (uint32_t u = 1; u <= MODES; u++) {
            set_modes(&stage, u, 1 + (u + p) % MODES, p);
            check(&stage, NV2A_WORDS_OPENGL, u % 2);
        }
    }
    free((void *)stage.memory);
}

/* Shadow maps: every comparison, with borders of both sources. */
static void shadow_maps(void **state)
{
    (void)state;
    for (unsigned texels = 0; texels < 2; texels++) {
        struct nv2a_stage stage = make_stage(NV2A_SZ_DEPTH_Y16_FIXED, 2, texels ? 5 : 3, 3, texels, 31);
        for (uint32_t zfunc = 0; zfunc < 8; zfunc++) {
            for (uint32_t u = 1; u <= MODES; u++) {
                stage.shadowctl = zfunc;
                set_modes(&stage, u, 1 + (u + zfunc) % MODES, NV2A_ADDR_WRAP);
                set_filters(&stage, 1 + (u + zfunc) % FILTERS, 1 + zfunc % 2);
                check(&stage, NV2A_WORDS_OPENGL, false);
                check(&stage, NV2A_WORDS_OPENGL, true);
            }
        }
        free((void *)stage.memory);
    }
}

/* Biases and bounds of levels of detail. */
static void levels(void **state)
{
    (void)state;
    struct nv2a_stage stage = make_stage(NV2A_SZ_A8R8G8B8, 2, 3, 4, false, 17);
    set_modes(&stage, NV2A_ADDR_CLAMP_OGL, NV2A_ADDR_BORDER, NV2A_ADDR_WRAP);
    for (int32_t bias = -2; bias <= 2; bias++) {
        for (uint32_t least = 0; least < 2; least++) {
            for (uint32_t most = 1; most < 3; most++) {
                const uint32_t bits = (uint32_t)(bias * (int32_t)NV2A_LOD_ONE) & NV2A_TEXFILTER_LOD_BIAS_MASK;
                stage.texfilter = (stage.texfilter & ~NV2A_TEXFILTER_LOD_BIAS_MASK) | bits;
                stage.texctl0 = least * NV2A_LOD_ONE << NV2A_TEXCTL0_MIN_LOD_SHIFT | most * NV2A_LOD_ONE
                                                                                         << NV2A_TEXCTL0_MAX_LOD_SHIFT;
                for (uint32_t min = 1; min <= FILTERS; min++) {
                    set_filters(&stage, min, 1 + min % 2);
                    check(&stage, NV2A_WORDS_OPENGL, min % 2);
                }
            }
        }
    }
    free((void *)stage.memory);
}

/* ---- the picture ---- */

enum { TILE = 4 * GRID, COLUMNS = MODES + 1, ROWS = 4, GAP = 4 };

static void paint(uint8_t *pixels, uint32_t column, uint32_t row, const struct nv2a_stage *stage)
{
    const uint32_t width = COLUMNS * (TILE + GAP) + GAP;
    for (uint32_t part = 0; part < 16; part++) {
        const uint32_t x = part % 4 * GRID, y = part / 4 * GRID;
        for (uint32_t i = 0; i < GRID * GRID; i++)
            test.inputs[i] = (struct lookup_input){.p = {-0.5f + 2.0f * ((float)(x + i % GRID) + 0.5f) / TILE,
                                                         -0.5f + 2.0f * ((float)(y + i / GRID) + 0.5f) / TILE, 0, 0}};
        draw(stage, NV2A_WORDS_OPENGL, false);
        for (uint32_t i = 0; i < GRID * GRID; i++)
            for (unsigned c = 0; c < 3; c++)
                pixels[((GAP + row * (TILE + GAP) + y + i / GRID) * width + GAP + column * (TILE + GAP) + x +
                        i % GRID) *
                           4 +
                       c] = (uint8_t)(test.drawn[4 * i + c] * 255.0f + 0.5f);
    }
}

static void make_picture(const char *path)
{
    const uint32_t width = COLUMNS * (TILE + GAP) + GAP, height = ROWS * (TILE + GAP) + GAP;
    uint8_t *pixels = malloc((size_t)width * height * 4);
    if (!pixels)
        abort();
    memset(pixels, 0xff, (size_t)width * height * 4);
    open_device(NULL);
    for (uint32_t row = 0; row < ROWS; row++) {
        struct nv2a_stage stage = make_stage(NV2A_SZ_A8R8G8B8, 2, 3, 1, row >= 2, 3);
        set_filters(&stage, NV2A_FILTER_TENT_LOD0 - row % 2, NV2A_FILTER_TENT_LOD0 - row % 2);
        for (uint32_t column = 0; column < COLUMNS; column++) {
            const uint32_t mode = column < MODES ? column + 1 : NV2A_ADDR_CLAMP_TO_EDGE;
            set_modes(&stage, mode, mode, NV2A_ADDR_WRAP);
            paint(pixels, column, row, &stage);
        }
        free((void *)stage.memory);
    }
    close_device(NULL);
    harness_png_write(path, pixels, width, height);
    free(pixels);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_and_filter),
        cmocka_unit_test(every_format),
        cmocka_unit_test(borders_that_are_texels),
        cmocka_unit_test(volumes),
        cmocka_unit_test(shadow_maps),
        cmocka_unit_test(levels),
    };
    if (argc > 1) {
        make_picture(argv[1]);
        return 0;
    }
    const char *filter = getenv("CLAMPLER_TEST_FILTER");
    if (filter)
        cmocka_set_test_filter(filter);
    return cmocka_run_group_tests_name("nv2a", tests, open_device, close_device);
}
