/* SPDX-License-Identifier: MIT */
/*
 * Guest state in, picture out: texture units of RSX as an emulator would draw them with the layer, each value compared
 * with the guest's own arithmetic (rsx.h), which is compared with values by hand. All three address modes that Vulkan
 * lacks have to come out, borders of a colour and of texels, formats behind a crossbar, and comparisons.
 *
 * With arguments, `rsx_test PICTURE.png`, it draws instead: a column for each address mode; a row for each filter and
 * source of the border.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "guests/fixture.h"
#include "guests/rsx_vulkan.h"

enum { MODES = NVIDIA_MIRROR_ONCE_CLAMP, FILTERS = NVIDIA_LINEAR_LINEAR, SZ = 0, LN = RSX_FORMAT_LN };

/* ---- by hand ---- */

/* Each field beside others that are full. */
static void registers_by_hand(void **state)
{
    (void)state;
    const struct rsx_unit unit = {
        .format = 0x0003a52a,
        .address = 0x6f5837c5,
        .control0 = 0x8c052054,
        .filter = 0xb206bec0,
        .image_rect = 0x000c0006,
        .control3 = 0x00300040,
    };
    const struct nvidia_stage stage = rsx_decode(&unit);
    const struct rsx_shape shape = rsx_shape_of(&unit);
    assert_int_equal(stage.address[0], NVIDIA_CLAMP);
    assert_int_equal(stage.address[1], NVIDIA_MIRROR_ONCE_BORDER);
    assert_int_equal(stage.address[2], NVIDIA_MIRROR_ONCE_CLAMP);
    assert_int_equal(stage.zfunc, 6);
    assert_true(stage.min_lod == 1.5f && stage.max_lod == 10.25f && stage.lod_bias == -1.25f);
    assert_int_equal(stage.min, NVIDIA_LINEAR_LINEAR);
    assert_int_equal(stage.mag, NVIDIA_LINEAR);
    assert_int_equal(shape.color, RSX_A8R8G8B8);
    assert_int_equal(stage.axes, 2);
    assert_int_equal(stage.levels, 3);
    assert_int_equal(stage.size[0], 12);
    assert_int_equal(stage.size[1], 6);
    assert_int_equal(stage.size[2], 1);
    assert_false(stage.depth);
    assert_int_equal(shape.margin, 0);
    assert_int_equal(rsx_memory_size(&shape), 64 * (6 + 3 + 1));
}

/* Bias and bounds at the ends of their ranges. */
static void levels_of_detail_by_hand(void **state)
{
    (void)state;
    static const struct {
        uint32_t filter, control0;
        float bias, least, most;
    } cases[] = {
        {0x0fff, 0x7ff80000, 4095 / 256.0f, 4095 / 256.0f, 0},
        {0x1000, 0x0007ff80, -16, 0, 4095 / 256.0f},
        {0x1fff, 0x00080080, -1 / 256.0f, 1 / 256.0f, 1 / 256.0f},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct rsx_unit unit = {.filter = cases[i].filter, .control0 = cases[i].control0};
        const struct nvidia_stage stage = rsx_decode(&unit);
        assert_true(stage.lod_bias == cases[i].bias);
        assert_true(stage.min_lod == cases[i].least);
        assert_true(stage.max_lod == cases[i].most);
    }
}

/* Results 0 and 1, and channels that change places: the words that RetroArch's OpenGL has for BGRA8 and ALPHA8. */
static void crossbar_by_hand(void **state)
{
    (void)state;
    static const struct {
        uint32_t control1;
        enum rsx_source argb[4];
    } cases[] = {
        {RSX_CONTROL1_IDENTITY, {RSX_IS_A, RSX_IS_R, RSX_IS_G, RSX_IS_B}},
        {0xaa1b, {RSX_IS_B, RSX_IS_G, RSX_IS_R, RSX_IS_A}},
        {0x02f7, {RSX_IS_B, RSX_IS_ZERO, RSX_IS_ZERO, RSX_IS_ZERO}},
        {0x890c, {RSX_IS_ONE, RSX_IS_B, RSX_IS_ZERO, RSX_IS_A}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct rsx_unit unit = {.control1 = 0x10000 | cases[i].control1};
        for (unsigned channel = 0; channel < 4; channel++)
            assert_int_equal(rsx_crossbar(&unit, (enum rsx_channel)channel), cases[i].argb[channel]);
    }
}

/* Big-endian words, in Morton order behind a border of four, and in rows behind a border of one. */
static void memory_by_hand(void **state)
{
    (void)state;
    uint8_t memory[1024];
    for (size_t i = 0; i < sizeof(memory); i++)
        memory[i] = (uint8_t)(i / 2 >> (i % 2 ? 0 : 8)); /* each word of 16 bits is its own number */
    struct rsx_unit unit = {.format = 0x00028422, .image_rect = 0x00080008, .memory = memory}; /* R5G6B5 */
    struct rsx_shape shape = rsx_shape_of(&unit);
    assert_int_equal(shape.margin, 4);
    assert_int_equal(rsx_memory_size(&shape), 2 * (16 * 16 + 16 * 16)); /* 12 x 12 to 16 x 16 */
    assert_int_equal(rsx_texel_word(&unit, &shape, 0, (const int32_t[]){0, 0, 0}), 48);
    assert_int_equal(rsx_texel_word(&unit, &shape, 0, (const int32_t[]){-1, 0, 0}), 37);
    assert_int_equal(rsx_texel_word(&unit, &shape, 0, (const int32_t[]){8, 3, 0}), 122);
    assert_int_equal(rsx_texel_word(&unit, &shape, 1, (const int32_t[]){0, -1, 0}), 256 + 26);
    unit.format |= LN;
    unit.control3 = 24;
    shape = rsx_shape_of(&unit);
    assert_int_equal(shape.margin, 1);
    assert_int_equal(rsx_memory_size(&shape), 24 * (10 + 6));
    assert_int_equal(rsx_texel_word(&unit, &shape, 0, (const int32_t[]){-1, -1, 0}), 0);
    assert_int_equal(rsx_texel_word(&unit, &shape, 0, (const int32_t[]){3, 2, 0}), 3 * 12 + 4);
    assert_int_equal(rsx_texel_word(&unit, &shape, 1, (const int32_t[]){4, 4, 0}), 15 * 12 + 5);
    /* Axes that differ, without a border: 8 x 2, then 4 x 1; 4 x 2 x 8. */
    unit = (struct rsx_unit){.format = 0x00028428, .image_rect = 0x00080002, .memory = memory};
    shape = rsx_shape_of(&unit);
    assert_int_equal(rsx_texel_word(&unit, &shape, 0, (const int32_t[]){5, 1, 0}), 11);
    assert_int_equal(rsx_texel_word(&unit, &shape, 1, (const int32_t[]){3, 0, 0}), 16 + 3);
    unit = (struct rsx_unit){
        .format = 0x00018438, .image_rect = 0x00040002, .control3 = 8 << RSX_CONTROL3_DEPTH_SHIFT, .memory = memory};
    shape = rsx_shape_of(&unit);
    assert_int_equal(rsx_texel_word(&unit, &shape, 0, (const int32_t[]){3, 1, 5}), 47);
    assert_int_equal(rsx_texel_word(&unit, &shape, 0, (const int32_t[]){2, 1, 2}), 26);
    unit.format |= LN;
    unit.control3 |= 8; /* as in slices of two rows */
    shape = rsx_shape_of(&unit);
    assert_int_equal(rsx_texel_word(&unit, &shape, 0, (const int32_t[]){3, 1, 5}), 5 * 8 + 4 + 3);
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
        {0x81, 0x33000000, {0.2f, 0.2f, 0.2f, 1}, {R, R, R, 255}},
        {0x82, 0xaa9f0000, {10 / 31.0f, 20 / 31.0f, 1, 1}, {R, G, B, A}},
        {0x82, 0x7fe00000, {1, 1, 0, 0}, {R, G, B, A}},
        {0x83, 0xc3690000, {0.2f, 0.4f, 0.6f, 0.8f}, {R, G, B, A}},
        {0x84, 0x555f0000, {10 / 31.0f, 42 / 63.0f, 1, 1}, {R, G, B, 255}},
        {0x85, 0xcc336699, {0.2f, 0.4f, 0.6f, 0.8f}, {R, G, B, A}},
        {0x8b, 0xcc330000, {0.2f, 0.8f, 0.2f, 0.8f}, {R, G, R, G}},
        {0x92, 0x66660000, {0.4f, 0.4f, 0.4f, 0.4f}, {R, R, R, R}},
        {0x9d, 0x2a9f0000, {10 / 31.0f, 20 / 31.0f, 1, 1}, {R, G, B, 255}},
        {0x9e, 0x00336699, {0.2f, 0.4f, 0.6f, 1}, {R, G, B, 255}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uint8_t memory[4];
        for (unsigned byte = 0; byte < 4; byte++)
            memory[byte] = (uint8_t)(cases[i].word >> (24 - 8 * byte));
        const struct rsx_unit unit = {.format = 0x00010028 | cases[i].color << 8,
                                      .control1 = RSX_CONTROL1_IDENTITY,
                                      .image_rect = 0x00010001,
                                      .border_color = 0xc0e02060,
                                      .memory = memory};
        const struct nvidia_stage stage = rsx_decode(&unit);
        float texel[4], border[4];
        assert_int_equal(stage.depth, cases[i].color == 0x92);
        stage.texel(&stage, 0, (const int32_t[]){0, 0, 0}, texel);
        stage.texel(&stage, 0, (const int32_t[]){0, 1, 0}, border);
        for (unsigned c = 0; c < 4; c++) {
            assert_float_equal(texel[c], cases[i].texel[c], 1e-6f);
            assert_float_equal(border[c], (float)cases[i].border[c] / 255.0f, 1e-6f);
        }
    }
}

static float lookup_one(const struct rsx_unit *unit, float s, float r)
{
    float rgba[4];
    const struct nvidia_stage stage = rsx_decode(unit);
    nvidia_lookup(&stage, (const float[]){s, 0, 0}, r, 0, rgba);
    return rgba[0];
}

/* A texture of two texels, 0 and 1, with a border of 3/5. */
static void address_modes_by_hand(void **state)
{
    (void)state;
    static const float coordinates[] = {-1.5f, -0.5f, 0, 0.5f, 1, 1.5f};
    static const float linear[MODES + 1][6] = {
        [NVIDIA_WRAP] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f},
        [NVIDIA_MIRROR] = {0.5f, 0.5f, 0, 0.5f, 1, 0.5f},
        [NVIDIA_CLAMP_TO_EDGE] = {0, 0, 0, 0.5f, 1, 1},
        [NVIDIA_BORDER] = {0.6f, 0.6f, 0.3f, 0.5f, 0.8f, 0.6f},
        [NVIDIA_CLAMP] = {0.3f, 0.3f, 0.3f, 0.5f, 0.8f, 0.8f},
        [NVIDIA_MIRROR_ONCE_CLAMP_TO_EDGE] = {1, 0.5f, 0, 0.5f, 1, 1},
        [NVIDIA_MIRROR_ONCE_BORDER] = {0.6f, 0.5f, 0, 0.5f, 0.8f, 0.6f},
        [NVIDIA_MIRROR_ONCE_CLAMP] = {0.8f, 0.5f, 0, 0.5f, 0.8f, 0.8f},
    };
    static const float nearest[MODES + 1][2] = {
        /* of the first coordinate and the last */
        [NVIDIA_WRAP] = {1, 1},
        [NVIDIA_MIRROR] = {1, 0},
        [NVIDIA_CLAMP_TO_EDGE] = {0, 1},
        [NVIDIA_BORDER] = {0.6f, 0.6f},
        [NVIDIA_CLAMP] = {0, 1},
        [NVIDIA_MIRROR_ONCE_CLAMP_TO_EDGE] = {1, 1},
        [NVIDIA_MIRROR_ONCE_BORDER] = {0.6f, 0.6f},
        [NVIDIA_MIRROR_ONCE_CLAMP] = {1, 1},
    };
    static const uint8_t memory[] = {0, 255};
    struct rsx_unit unit = {.format = 0x00018118, /* B8 */
                            .control1 = RSX_CONTROL1_IDENTITY,
                            .image_rect = 0x00020001,
                            .border_color = 0x00990000,
                            .memory = memory};
    for (uint32_t mode = 1; mode <= MODES; mode++) {
        unit.address = mode;
        for (size_t i = 0; i < 6; i++) {
            unit.filter = NVIDIA_LINEAR << RSX_FILTER_MAG_SHIFT;
            assert_float_equal(lookup_one(&unit, coordinates[i], 0), linear[mode][i], 1e-6f);
            unit.filter = NVIDIA_NEAREST << RSX_FILTER_MAG_SHIFT;
            if (i % 5 == 0)
                assert_float_equal(lookup_one(&unit, coordinates[i], 0), nearest[mode][i / 5], 1e-6f);
        }
    }
}

/* A depth of 2/5 before an r of 1/5, 2/5 and 3/5, in the order of CELL_GCM_TEXTURE_ZFUNC_NEVER to ALWAYS. */
static void comparisons_by_hand(void **state)
{
    (void)state;
    static const float results[8][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1},
                                        {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}};
    static const uint8_t memory[] = {0x66, 0x66};
    for (uint32_t zfunc = 0; zfunc < 8; zfunc++) {
        const struct rsx_unit unit = {.format = 0x00019218,
                                      .address = zfunc << RSX_ADDRESS_ZFUNC_SHIFT | NVIDIA_WRAP,
                                      .control1 = RSX_CONTROL1_IDENTITY,
                                      .filter = NVIDIA_NEAREST << RSX_FILTER_MAG_SHIFT,
                                      .image_rect = 0x00010001,
                                      .memory = memory};
        for (unsigned i = 0; i < 3; i++)
            assert_true(lookup_one(&unit, 0.5f, (float)(0x3333 * (i + 1)) / 65535.0f) == results[zfunc][i]);
    }
}

/* ---- drawn ---- */

enum border { COLOR, TEXELS };

/* A unit as games leave it, with random texels; the caller frees its memory. */
static struct rsx_unit make_unit(enum rsx_color color, uint32_t order, uint32_t axes, uint32_t width, uint32_t height,
                                 uint32_t levels, enum border border, uint32_t seed)
{
    struct rsx_unit unit = {
        .format = 1 | (border == COLOR ? RSX_FORMAT_BORDER_COLOR : 0) | axes << RSX_FORMAT_DIMENSION_SHIFT |
                  (uint32_t)color << RSX_FORMAT_COLOR_SHIFT | order | levels << RSX_FORMAT_MIPMAP_SHIFT,
        .address = NVIDIA_WRAP * 0x10101u | 3u << RSX_ADDRESS_ZFUNC_SHIFT,
        .control0 = RSX_CONTROL0_ENABLE | 0xfffu << RSX_CONTROL0_MAX_LOD_SHIFT,
        .control1 = RSX_CONTROL1_IDENTITY,
        .filter = NVIDIA_LINEAR_LINEAR << RSX_FILTER_MIN_SHIFT | NVIDIA_LINEAR << RSX_FILTER_MAG_SHIFT,
        .image_rect = width << RSX_IMAGE_RECT_WIDTH_SHIFT | height,
        .control3 = (axes == 3 ? height << RSX_CONTROL3_DEPTH_SHIFT : 0) | (order == LN ? 4 * width + 24 : 0),
        .border_color = 0xc0e02060,
    };
    const struct rsx_shape shape = rsx_shape_of(&unit);
    unit.memory = guest_memory(rsx_memory_size(&shape), seed);
    return unit;
}

static void set_modes(struct rsx_unit *unit, uint32_t s, uint32_t t, uint32_t r)
{
    unit->address = (unit->address & RSX_ADDRESS_MASK << RSX_ADDRESS_ZFUNC_SHIFT) | s << RSX_ADDRESS_WRAP_S_SHIFT |
                    t << RSX_ADDRESS_WRAP_T_SHIFT | r << RSX_ADDRESS_WRAP_R_SHIFT;
}

static void set_filters(struct rsx_unit *unit, uint32_t min, uint32_t mag)
{
    unit->filter =
        (unit->filter & RSX_FILTER_LOD_BIAS_MASK) | min << RSX_FILTER_MIN_SHIFT | mag << RSX_FILTER_MAG_SHIFT;
}

/* The tier that drew. */
static unsigned check(const struct rsx_unit *unit, enum nvidia_words words, bool separate)
{
    const struct nvidia_stage stage = rsx_decode(unit);
    const struct nvidia_host host = rsx_host(unit);
    return guest_check(&stage, &host, words, separate);
}

static bool is_linear(uint32_t filter)
{
    return filter % 2 == 0;
}

static bool has_everything(void)
{
    return guest.vk.custom_border_color && guest.vk.mirror_clamp_to_edge;
}

/* What the layer has to do: 0 nothing, 1 move coordinates, 2 filter. The least that it takes, or all that it takes. */
static void check_tier(const struct nvidia_stage *stage, unsigned tier)
{
    const bool min = is_linear(stage->min), mag = is_linear(stage->mag);
    bool half = false, border = false;
    for (uint32_t axis = 0; axis < stage->axes; axis++) {
        half |= stage->address[axis] == NVIDIA_CLAMP || stage->address[axis] == NVIDIA_MIRROR_ONCE_CLAMP;
        border |= stage->address[axis] == NVIDIA_MIRROR_ONCE_BORDER;
    }
    half = half && (min || mag); /* with nearest filters they are the driver's edge modes */
    if (half && min != mag)
        assert_int_equal(tier, 2);
    else if (half || border)
        assert_int_not_equal(tier, 0);
    else if (has_everything())
        assert_int_equal(tier, 0);
    if (has_everything() && ((half && stage->min == NVIDIA_LINEAR && mag) || (!half && border && !min && !mag)))
        assert_int_equal(tier, 1);
}

/*
 * Every address mode along s with every filter in turn, beside others along t, in both words and both kinds of
 * descriptor.
 */
static void every_mode_and_filter(void **state)
{
    (void)state;
    struct rsx_unit unit = make_unit(RSX_A8R8G8B8, SZ, 2, 8, 8, 3, COLOR, 1);
    unsigned tiers[3] = {0};
    for (uint32_t s = 1; s <= MODES; s++) {
        for (uint32_t i = 0; i < 4; i++) {
            const bool vulkans = i % 2 && guest.vk.custom_border_color;
            set_modes(&unit, s, 1 + (s + 2 * i) % MODES, NVIDIA_WRAP);
            set_filters(&unit, 1 + (s / 2 + i) % FILTERS, 1 + (s + i) % 2);
            const struct nvidia_stage stage = rsx_decode(&unit);
            const unsigned tier =
                check(&unit, vulkans ? NVIDIA_WORDS_ADDRESS_MODES : NVIDIA_WORDS_OPENGL, (s + i / 2) % 2);
            check_tier(&stage, tier);
            tiers[tier]++;
        }
    }
    assert_true(tiers[2]);
    assert_true(tiers[1] || !has_everything()); /* a driver that lacks borders has them in tier 2 */
    free((void *)unit.memory);
}

/* Every mode along each axis of lines, of rows of any length, and of volumes. */
static void every_axis(void **state)
{
    (void)state;
    struct rsx_unit units[] = {
        make_unit(RSX_A8R8G8B8, LN, 1, 8, 1, 3, COLOR, 5),
        make_unit(RSX_A8R8G8B8, LN, 2, 12, 6, 3, COLOR, 6),
        make_unit(RSX_A8R8G8B8, SZ, 3, 8, 8, 3, COLOR, 7),
    };
    for (uint32_t axes = 1; axes <= 3; axes++) {
        struct rsx_unit *unit = &units[axes - 1];
        for (uint32_t mode = 1; mode <= MODES; mode++) {
            set_modes(unit, 1 + mode % MODES, axes > 1 ? 1 + (mode + axes) % MODES : NVIDIA_WRAP,
                      axes > 2 ? mode : NVIDIA_WRAP);
            set_filters(unit, 1 + (mode + axes) % FILTERS, 1 + (mode + axes / 2) % 2);
            const struct nvidia_stage stage = rsx_decode(unit);
            check_tier(&stage, check(unit, NVIDIA_WORDS_OPENGL, mode % 2));
        }
        free((void *)unit->memory);
    }
}

static const enum rsx_color colors[] = {
    RSX_B8, RSX_A1R5G5B5, RSX_A4R4G4B4, RSX_R5G6B5, RSX_A8R8G8B8, RSX_G8B8, RSX_D1R5G5B5, RSX_D8R8G8B8,
};
enum { COLORS = sizeof(colors) / sizeof(*colors) };

/* A8R8G8B8 as RetroArch has it for OpenGL's BGRA8, RGBX8 and ALPHA8, and with results from everywhere. */
static const uint32_t crossbars[] = {RSX_CONTROL1_IDENTITY, 0xaa1b, 0xa993, 0x02f7, 0x890c, 0xaa55};
enum { CROSSBARS = sizeof(crossbars) / sizeof(*crossbars) };

/* Formats that lack channels behind crossbars, inside and in the border, with the modes whose borders are colours. */
static void every_format_and_crossbar(void **state)
{
    (void)state;
    static const uint32_t modes[] = {NVIDIA_BORDER, NVIDIA_CLAMP, NVIDIA_MIRROR_ONCE_BORDER, NVIDIA_MIRROR_ONCE_CLAMP};
    for (uint32_t i = 0; i < COLORS; i++) {
        struct rsx_unit unit = make_unit(colors[i], i % 2 ? LN : SZ, 2, 8, 8, 3, COLOR, i + 7);
        for (uint32_t j = i % 2; j < CROSSBARS; j += 2) {
            unit.control1 = crossbars[j];
            set_modes(&unit, modes[(i + j) % 4], modes[j / 2], NVIDIA_WRAP);
            check(&unit, NVIDIA_WORDS_OPENGL, i / 2 % 2);
        }
        free((void *)unit.memory);
    }
}

/* CELL_GCM_TEXTURE_BORDER_TEXTURE: what lies around the texture is read, in tier 2. */
static void borders_that_are_texels(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COLORS; i++) {
        struct rsx_unit unit = make_unit(colors[i], i % 2 ? LN : SZ, 2, 16, 8, 3, TEXELS, 99);
        unit.control1 = crossbars[i % CROSSBARS];
        for (uint32_t s = 1 + i % 4; s <= MODES; s += 4) {
            set_modes(&unit, s, 1 + (s + i / 2) % MODES, NVIDIA_WRAP);
            set_filters(&unit, 1 + (s + i) % FILTERS, 1 + s / 2 % 2);
            assert_int_equal(check(&unit, NVIDIA_WORDS_OPENGL, s > 4), 2);
        }
        free((void *)unit.memory);
    }
}

/* Shadow maps: every comparison, every mode, borders of both sources. */
static void shadow_maps(void **state)
{
    (void)state;
    for (enum border border = COLOR; border <= TEXELS; border++) {
        struct rsx_unit unit = make_unit(RSX_DEPTH16, SZ, 2, 8, 8, 3, border, 31);
        for (uint32_t zfunc = 0; zfunc < 8; zfunc++) {
            unit.address = zfunc << RSX_ADDRESS_ZFUNC_SHIFT;
            set_modes(&unit, 1 + zfunc, 1 + (3 * zfunc + 4 * border) % MODES, NVIDIA_WRAP);
            set_filters(&unit, 1 + (zfunc + border) % FILTERS, 1 + zfunc % 2);
            check(&unit, NVIDIA_WORDS_OPENGL, zfunc / 2 % 2);
        }
        free((void *)unit.memory);
    }
}

/* Biases and bounds of levels of detail. */
static void levels(void **state)
{
    (void)state;
    struct rsx_unit unit = make_unit(RSX_A8R8G8B8, SZ, 2, 8, 8, 4, COLOR, 17);
    set_modes(&unit, NVIDIA_MIRROR_ONCE_CLAMP, NVIDIA_MIRROR_ONCE_BORDER, NVIDIA_WRAP);
    for (int32_t bias = -1; bias <= 1; bias++) {
        for (uint32_t least = 0; least < 2; least++) {
            unit.filter = (uint32_t)(bias * (int32_t)RSX_LOD_ONE) & RSX_FILTER_LOD_BIAS_MASK;
            unit.control0 = RSX_CONTROL0_ENABLE | least * RSX_LOD_ONE << RSX_CONTROL0_MIN_LOD_SHIFT |
                            (1 + least) * RSX_LOD_ONE << RSX_CONTROL0_MAX_LOD_SHIFT;
            for (uint32_t min = 1 + least; min <= FILTERS; min += 2) {
                set_filters(&unit, min, 1 + min / 2 % 2);
                check(&unit, NVIDIA_WORDS_OPENGL, min > 2);
            }
        }
    }
    free((void *)unit.memory);
}

/* A column for each address mode, a row for each filter and source of the border. */
static void tile(const struct guest_picture *picture, uint32_t column, uint32_t row)
{
    struct rsx_unit unit = make_unit(RSX_A8R8G8B8, SZ, 2, 8, 8, 1, row < 2 ? COLOR : TEXELS, 3);
    set_filters(&unit, NVIDIA_LINEAR - row % 2, NVIDIA_LINEAR - row % 2);
    set_modes(&unit, column + 1, column + 1, NVIDIA_WRAP);
    const struct nvidia_stage stage = rsx_decode(&unit);
    const struct nvidia_host host = rsx_host(&unit);
    guest_paint(picture, column, row, &stage, &host);
    free((void *)unit.memory);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_by_hand),
        cmocka_unit_test(levels_of_detail_by_hand),
        cmocka_unit_test(crossbar_by_hand),
        cmocka_unit_test(memory_by_hand),
        cmocka_unit_test(formats_by_hand),
        cmocka_unit_test(address_modes_by_hand),
        cmocka_unit_test(comparisons_by_hand),
        cmocka_unit_test(every_mode_and_filter),
        cmocka_unit_test(every_axis),
        cmocka_unit_test(every_format_and_crossbar),
        cmocka_unit_test(borders_that_are_texels),
        cmocka_unit_test(shadow_maps),
        cmocka_unit_test(levels),
    };
    if (argc > 1) {
        guest_picture(argv[1], MODES, 4, tile);
        return 0;
    }
    const char *filter = getenv("CLAMPLER_TEST_FILTER");
    if (filter)
        cmocka_set_test_filter(filter);
    return cmocka_run_group_tests_name("rsx", tests, guest_open, guest_close);
}
