/* SPDX-License-Identifier: MIT */
/*
 * Guest state in, picture out: texture stages of NV2A as an emulator would draw them with the layer, each value
 * compared with the guest's own arithmetic (nv2a.h), which is compared with values by hand: what reads the registers
 * and the memory serves the picture and its judge alike. The three that Vulkan lacks have to come out: ADDR_CLAMP_OGL,
 * borders that are texels, and formats that lack channels.
 *
 * With arguments, `nv2a_test PICTURE.png`, it draws instead: a column for each address mode, and for ADDR_CLAMP_OGL one
 * as emulators draw it without the layer, to the edge; a row for each filter and source of the border.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "guests/fixture.h"
#include "guests/nv2a_vulkan.h"

enum { MODES = NVIDIA_CLAMP, FILTERS = NVIDIA_LINEAR_LINEAR };

/* ---- by hand ---- */

/* Each field beside others that are full. */
static void registers_by_hand(void **state)
{
    (void)state;
    const struct nv2a_stage stage = {
        .texaddress = 0x01121315, /* with WRAPU to WRAPQ */
        .texctl0 = 0x46029034,
        .texfilter = 0xf2c6fec0,
        .texfmt = 0x9534ba8a,
        .shadowctl = 0xfffffffe,
    };
    const struct nvidia_stage decoded = nv2a_decode(&stage);
    const struct nv2a_shape shape = nv2a_shape_of(&stage);
    assert_int_equal(decoded.address[0], NVIDIA_CLAMP);
    assert_int_equal(decoded.address[1], NVIDIA_CLAMP_TO_EDGE);
    assert_int_equal(decoded.address[2], NVIDIA_MIRROR);
    assert_int_equal(decoded.zfunc, 6);
    assert_true(decoded.min_lod == 1.5f && decoded.max_lod == 10.25f && decoded.lod_bias == -1.25f);
    assert_int_equal(decoded.min, NVIDIA_LINEAR_LINEAR);
    assert_int_equal(decoded.mag, NVIDIA_LINEAR);
    assert_int_equal(shape.color, 0x3a);
    assert_int_equal(decoded.axes, 2);
    assert_int_equal(decoded.levels, 4);
    assert_int_equal(decoded.size[0], 8);
    assert_int_equal(decoded.size[1], 32);
    assert_int_equal(decoded.size[2], 1);
    assert_false(decoded.depth);
    assert_int_equal(shape.margin, 0);
    assert_int_equal(nv2a_memory_size(&shape), 4 * (8 * 32 + 4 * 16 + 2 * 8 + 1 * 4));
}

/* The number of a texel in memory, of R5G6B5 whose words are their own numbers. */
static unsigned number_at(uint32_t texfmt, uint32_t level, int32_t u, int32_t v, int32_t p)
{
    uint8_t memory[4096];
    for (size_t i = 0; i < sizeof(memory); i++)
        memory[i] = (uint8_t)(i / 2 >> (i % 2 ? 8 : 0));
    const struct nv2a_stage stage = {.texfmt = texfmt, .memory = memory};
    const struct nv2a_shape shape = nv2a_shape_of(&stage);
    const struct nvidia_stage decoded = nv2a_decode(&stage);
    float rgba[4];
    assert_true(nv2a_memory_size(&shape) <= sizeof(memory));
    decoded.texel(&decoded, level, (const int32_t[]){u, v, p}, rgba);
    return (unsigned)(rgba[0] * 31 + 0.5f) << 11 | (unsigned)(rgba[1] * 63 + 0.5f) << 5 |
           (unsigned)(rgba[2] * 31 + 0.5f);
}

/* Little-endian words in Morton order, of axes that differ, and behind a border of four texels. */
static void memory_by_hand(void **state)
{
    (void)state;
    assert_int_equal(number_at(0x01320588, 0, 2, 0, 0), 4); /* 8 x 2, then 4 x 1 */
    assert_int_equal(number_at(0x01320588, 0, 5, 1, 0), 11);
    assert_int_equal(number_at(0x01320588, 1, 3, 0, 0), 16 + 3);
    assert_int_equal(number_at(0x312105c8, 0, 3, 1, 5), 47); /* 4 x 2 x 8 */
    assert_int_equal(number_at(0x312105c8, 0, 2, 1, 2), 26);
    assert_int_equal(number_at(0x03210580, 0, 0, 0, 0), 48); /* 4 x 8 in 16 x 16 */
    assert_int_equal(number_at(0x03210580, 0, -1, 0, 0), 37);
    assert_int_equal(number_at(0x03420580, 0, 15, 7, 0), 399); /* 16 x 8 in 32 x 16, then 16 x 8 */
    assert_int_equal(number_at(0x03420580, 1, 0, 0, 0), 512 + 48);
    assert_int_equal(number_at(0x03420580, 1, 0, -1, 0), 512 + 26);
}

/* A texel of each format by its number, and the border's colour A8R8G8B8 c0e02060 as the format shows it. */
static void formats_by_hand(void **state)
{
    (void)state;
    enum { A = 0xc0, R = 0xe0, G = 0x20, B = 0x60 };
    static const struct {
        uint32_t color, word;
        float texel[4];
        int border[4];
    } cases[] = {
        {0x00, 0x33, {0.2f, 0.2f, 0.2f, 1}, {R, R, R, 255}},
        {0x01, 0x33, {0.2f, 0.2f, 0.2f, 0.2f}, {R, R, R, R}},
        {0x02, 0xaa9f, {10 / 31.0f, 20 / 31.0f, 1, 1}, {R, G, B, A}},
        {0x02, 0x7fe0, {1, 1, 0, 0}, {R, G, B, A}},
        {0x03, 0x2a9f, {10 / 31.0f, 20 / 31.0f, 1, 1}, {R, G, B, 255}},
        {0x04, 0xc369, {0.2f, 0.4f, 0.6f, 0.8f}, {R, G, B, A}},
        {0x05, 0x555f, {10 / 31.0f, 42 / 63.0f, 1, 1}, {R, G, B, 255}},
        {0x06, 0xcc336699, {0.2f, 0.4f, 0.6f, 0.8f}, {R, G, B, A}},
        {0x07, 0xcc336699, {0.2f, 0.4f, 0.6f, 1}, {R, G, B, 255}},
        {0x19, 0x33, {1, 1, 1, 0.2f}, {255, 255, 255, A}},
        {0x1a, 0xcc33, {0.2f, 0.2f, 0.2f, 0.8f}, {R, R, R, A}},
        {0x28, 0xcc33, {0.2f, 0.8f, 0.2f, 0.8f}, {B, G, B, G}},
        {0x3a, 0xcc996633, {0.2f, 0.4f, 0.6f, 0.8f}, {R, G, B, A}},
        {0x2c, 0x6666, {0.4f}, {R}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uint8_t memory[4];
        for (unsigned byte = 0; byte < 4; byte++)
            memory[byte] = (uint8_t)(cases[i].word >> 8 * byte);
        const struct nv2a_stage stage = {
            .texfmt = 0x00010088 | cases[i].color << 8, .bordercolor = 0xc0e02060, .memory = memory};
        const struct nvidia_stage decoded = nv2a_decode(&stage);
        float texel[4], border[4];
        assert_int_equal(decoded.depth, cases[i].color == 0x2c);
        decoded.texel(&decoded, 0, (const int32_t[]){0, 0, 0}, texel);
        decoded.texel(&decoded, 0, (const int32_t[]){0, 1, 0}, border);
        for (unsigned c = 0; c < (decoded.depth ? 1 : 4); c++) {
            assert_float_equal(texel[c], cases[i].texel[c], 1e-6f);
            assert_float_equal(border[c], (float)cases[i].border[c] / 255.0f, 1e-6f);
        }
    }
}

/* ---- drawn ---- */

/*
 * A stage as games leave it, with random texels; the caller frees its memory. Without border texels its axes differ:
 * twice as long as high, and of four slices.
 */
static struct nv2a_stage make_stage(enum nv2a_color color, uint32_t axes, uint32_t log_size, uint32_t levels,
                                    bool texels, uint32_t seed)
{
    struct nv2a_stage stage = {
        .texaddress = NVIDIA_WRAP * 0x10101u,
        .texctl0 = 0xfffu << NV2A_TEXCTL0_MAX_LOD_SHIFT,
        .texfilter = NVIDIA_LINEAR_LINEAR << NV2A_TEXFILTER_MIN_SHIFT | NVIDIA_LINEAR << NV2A_TEXFILTER_MAG_SHIFT,
        .texfmt = (texels ? 0 : NV2A_TEXFMT_BORDER_SOURCE_COLOR) | axes << NV2A_TEXFMT_DIMENSIONALITY_SHIFT |
                  (uint32_t)color << NV2A_TEXFMT_COLOR_SHIFT | levels << NV2A_TEXFMT_MIPMAP_LEVELS_SHIFT |
                  log_size << NV2A_TEXFMT_BASE_SIZE_U_SHIFT |
                  (texels ? log_size : log_size - 1) << NV2A_TEXFMT_BASE_SIZE_V_SHIFT,
        .bordercolor = 0xc0e02060,
        .shadowctl = 3,
    };
    if (axes == 3)
        stage.texfmt |= (texels ? log_size : 2) << NV2A_TEXFMT_BASE_SIZE_P_SHIFT;
    const struct nv2a_shape shape = nv2a_shape_of(&stage);
    stage.memory = guest_memory(nv2a_memory_size(&shape), seed);
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

/* The tier that drew. */
static unsigned check(const struct nv2a_stage *stage, enum nvidia_words words, bool separate)
{
    const struct nvidia_stage decoded = nv2a_decode(stage);
    const struct nvidia_host host = nv2a_host(stage);
    return guest_check(&decoded, &host, words, separate);
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
                const bool clamp = u == NVIDIA_CLAMP || v == NVIDIA_CLAMP;
                const bool separate = (u + min) % 2;
                set_modes(&stage, u, v, NVIDIA_WRAP);
                set_filters(&stage, min, mag);
                for (enum nvidia_words words = NVIDIA_WORDS_OPENGL; words <= NVIDIA_WORDS_ADDRESS_MODES; words++) {
                    if (words == NVIDIA_WORDS_ADDRESS_MODES && !guest.vk.custom_border_color)
                        continue;
                    const unsigned tier = check(&stage, words, separate);
                    if (clamp && (is_tent(min) || is_tent(mag)))
                        assert_int_not_equal(tier, 0);
                }
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
            set_modes(&stage, u, 1 + (u + (uint32_t)i) % MODES, NVIDIA_WRAP);
            check(&stage, NVIDIA_WORDS_OPENGL, false);
            check(&stage, NVIDIA_WORDS_OPENGL, true);
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
                    assert_int_equal(check(&stage, NVIDIA_WORDS_OPENGL, v % 2), 2);
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
            check(&stage, NVIDIA_WORDS_OPENGL, u % 2);
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
                set_modes(&stage, u, 1 + (u + zfunc) % MODES, NVIDIA_WRAP);
                set_filters(&stage, 1 + (u + zfunc) % FILTERS, 1 + zfunc % 2);
                check(&stage, NVIDIA_WORDS_OPENGL, false);
                check(&stage, NVIDIA_WORDS_OPENGL, true);
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
    set_modes(&stage, NVIDIA_CLAMP, NVIDIA_BORDER, NVIDIA_WRAP);
    for (int32_t bias = -2; bias <= 2; bias++) {
        for (uint32_t least = 0; least < 2; least++) {
            for (uint32_t most = 1; most < 3; most++) {
                const uint32_t bits = (uint32_t)(bias * (int32_t)NV2A_LOD_ONE) & NV2A_TEXFILTER_LOD_BIAS_MASK;
                stage.texfilter = (stage.texfilter & ~NV2A_TEXFILTER_LOD_BIAS_MASK) | bits;
                stage.texctl0 = least * NV2A_LOD_ONE << NV2A_TEXCTL0_MIN_LOD_SHIFT | most * NV2A_LOD_ONE
                                                                                         << NV2A_TEXCTL0_MAX_LOD_SHIFT;
                for (uint32_t min = 1; min <= FILTERS; min++) {
                    set_filters(&stage, min, 1 + min % 2);
                    check(&stage, NVIDIA_WORDS_OPENGL, min % 2);
                }
            }
        }
    }
    free((void *)stage.memory);
}

/* A column for each address mode and one for the edge, a row for each filter and source of the border. */
static void tile(const struct guest_picture *picture, uint32_t column, uint32_t row)
{
    struct nv2a_stage stage = make_stage(NV2A_SZ_A8R8G8B8, 2, 3, 1, row >= 2, 3);
    const uint32_t mode = column < MODES ? column + 1 : NVIDIA_CLAMP_TO_EDGE;
    set_filters(&stage, NVIDIA_LINEAR - row % 2, NVIDIA_LINEAR - row % 2);
    set_modes(&stage, mode, mode, NVIDIA_WRAP);
    const struct nvidia_stage decoded = nv2a_decode(&stage);
    const struct nvidia_host host = nv2a_host(&stage);
    guest_paint(picture, column, row, &decoded, &host);
    free((void *)stage.memory);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_by_hand),
        cmocka_unit_test(memory_by_hand),
        cmocka_unit_test(formats_by_hand),
        cmocka_unit_test(every_mode_and_filter),
        cmocka_unit_test(every_format),
        cmocka_unit_test(borders_that_are_texels),
        cmocka_unit_test(volumes),
        cmocka_unit_test(shadow_maps),
        cmocka_unit_test(levels),
    };
    if (argc > 1) {
        guest_picture(argv[1], MODES + 1, 4, tile);
        return 0;
    }
    const char *filter = getenv("CLAMPLER_TEST_FILTER");
    if (filter)
        cmocka_set_test_filter(filter);
    return cmocka_run_group_tests_name("nv2a", tests, guest_open, guest_close);
}
