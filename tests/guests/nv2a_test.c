/* SPDX-License-Identifier: MIT */
/*
 * Guest state in, picture out: texture stages of NV2A as an emulator would draw them with the layer, each value
 * compared with the guest's own arithmetic (nv2a.h). The three that Vulkan lacks have to come out: ADDR_CLAMP_OGL,
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

/* A stage as games leave it, with random texels; the caller frees its memory. */
static struct nv2a_stage make_stage(enum nv2a_color color, uint32_t axes, uint32_t log_size, uint32_t levels,
                                    bool texels, uint32_t seed)
{
    struct nv2a_stage stage = {
        .texaddress = NVIDIA_WRAP * 0x10101u,
        .texctl0 = 0xfffu << NV2A_TEXCTL0_MAX_LOD_SHIFT,
        .texfilter = NVIDIA_LINEAR_LINEAR << NV2A_TEXFILTER_MIN_SHIFT | NVIDIA_LINEAR << NV2A_TEXFILTER_MAG_SHIFT,
        .texfmt = (texels ? 0 : NV2A_TEXFMT_BORDER_SOURCE_COLOR) | axes << NV2A_TEXFMT_DIMENSIONALITY_SHIFT |
                  (uint32_t)color << NV2A_TEXFMT_COLOR_SHIFT | levels << NV2A_TEXFMT_MIPMAP_LEVELS_SHIFT |
                  log_size << NV2A_TEXFMT_BASE_SIZE_U_SHIFT | log_size << NV2A_TEXFMT_BASE_SIZE_V_SHIFT,
        .bordercolor = 0xc0e02060,
        .shadowctl = 3,
    };
    if (axes == 3)
        stage.texfmt |= log_size << NV2A_TEXFMT_BASE_SIZE_P_SHIFT;
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
                const unsigned tier = check(&stage, NVIDIA_WORDS_OPENGL, separate);
                if (clamp && (is_tent(min) || is_tent(mag)))
                    assert_int_not_equal(tier, 0);
                if (guest.vk.custom_border_color)
                    check(&stage, NVIDIA_WORDS_ADDRESS_MODES, separate);
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
