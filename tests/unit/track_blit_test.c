/* SPDX-License-Identifier: MIT */
/* The pure parts of blits: where components lie in texels, and which texels a blit reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blits/blit.h"

/* ---- Texels ---- */

static void expect_layout(VkFormat format, unsigned bytes, enum texel_kind kind, const uint8_t bits[4],
                          const uint8_t shift[4])
{
    const struct texel_layout *layout = texel_layout_of(format);
    assert_non_null(layout);
    assert_int_equal(layout->bytes, bytes);
    assert_int_equal(layout->kind, kind);
    for (unsigned c = 0; c < 4; c++) {
        assert_int_equal(layout->bits[c], bits[c]);
        if (bits[c])
            assert_int_equal(layout->shift[c], shift[c]);
    }
}

#define LAYOUT(FORMAT, BYTES, KIND, ...) expect_layout(VK_FORMAT_##FORMAT, BYTES, TEXEL_##KIND, __VA_ARGS__)
#define FOUR(A, B, C, D) ((const uint8_t[4]){A, B, C, D})

/* Unpacked formats name their components from the lowest byte up, packed ones from the highest bit down. */
static void components_lie_where_the_specification_says(void **state)
{
    (void)state;
    LAYOUT(R8_UNORM, 1, UNORM, FOUR(8, 0, 0, 0), FOUR(0, 0, 0, 0));
    LAYOUT(R8G8B8A8_SRGB, 4, SRGB, FOUR(8, 8, 8, 8), FOUR(0, 8, 16, 24));
    LAYOUT(B8G8R8_SNORM, 3, SNORM, FOUR(8, 8, 8, 0), FOUR(16, 8, 0, 0));
    LAYOUT(A8B8G8R8_UNORM_PACK32, 4, UNORM, FOUR(8, 8, 8, 8), FOUR(0, 8, 16, 24));
    LAYOUT(R4G4_UNORM_PACK8, 1, UNORM, FOUR(4, 4, 0, 0), FOUR(4, 0, 0, 0));
    LAYOUT(R5G6B5_UNORM_PACK16, 2, UNORM, FOUR(5, 6, 5, 0), FOUR(11, 5, 0, 0));
    LAYOUT(R5G5B5A1_UNORM_PACK16, 2, UNORM, FOUR(5, 5, 5, 1), FOUR(11, 6, 1, 0));
    LAYOUT(A4R4G4B4_UNORM_PACK16, 2, UNORM, FOUR(4, 4, 4, 4), FOUR(8, 4, 0, 12));
    LAYOUT(A2R10G10B10_SSCALED_PACK32, 4, SSCALED, FOUR(10, 10, 10, 2), FOUR(20, 10, 0, 30));
    LAYOUT(R16G16B16_USCALED, 6, USCALED, FOUR(16, 16, 16, 0), FOUR(0, 16, 32, 0));
    LAYOUT(R16G16B16A16_SFLOAT, 8, FLOAT, FOUR(16, 16, 16, 16), FOUR(0, 16, 32, 48));
    LAYOUT(R32G32B32_SFLOAT, 12, FLOAT, FOUR(32, 32, 32, 0), FOUR(0, 32, 64, 0));
    LAYOUT(B10G11R11_UFLOAT_PACK32, 4, FLOAT, FOUR(11, 11, 10, 0), FOUR(0, 11, 22, 0));
    LAYOUT(E5B9G9R9_UFLOAT_PACK32, 4, SHARED_EXPONENT, FOUR(9, 9, 9, 0), FOUR(0, 9, 18, 0));
}

static void what_has_no_such_components_has_no_layout(void **state)
{
    (void)state;
    static const VkFormat formats[] = {
        VK_FORMAT_UNDEFINED,
        VK_FORMAT_R8_UINT,
        VK_FORMAT_R32G32B32A32_SINT,
        VK_FORMAT_R64_SFLOAT,
        VK_FORMAT_D16_UNORM,
        VK_FORMAT_D32_SFLOAT,
        VK_FORMAT_D24_UNORM_S8_UINT,
        VK_FORMAT_X8_D24_UNORM_PACK32,
        VK_FORMAT_S8_UINT,
        VK_FORMAT_BC1_RGB_UNORM_BLOCK,
        VK_FORMAT_BC6H_SFLOAT_BLOCK,
        VK_FORMAT_ASTC_4x4_SRGB_BLOCK,
        VK_FORMAT_G8B8G8R8_422_UNORM,
        VK_FORMAT_G8_B8R8_2PLANE_444_UNORM,
        VK_FORMAT_R10X6_UNORM_PACK16,
        (VkFormat)123456789,
    };
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        assert_null(texel_layout_of(formats[i]));
}

/* Components neither overlap nor leave the texel, and none crosses a word: shaders read them that way. */
static void components_of_every_format_fit(void **state)
{
    (void)state;
    unsigned formats = 0;
    for (int format = 0; format < 200; format++) {
        const struct texel_layout *layout = texel_layout_of((VkFormat)format);
        unsigned char used[128] = {0};
        if (!layout)
            continue;
        formats++;
        assert_true(layout->bytes <= 16);
        for (unsigned c = 0; c < 4; c++) {
            assert_true(layout->shift[c] + layout->bits[c] <= 8 * layout->bytes);
            assert_true(!layout->bits[c] || layout->shift[c] / 32 == (layout->shift[c] + layout->bits[c] - 1) / 32);
            for (unsigned bit = 0; bit < layout->bits[c]; bit++)
                assert_int_equal(used[layout->shift[c] + bit]++, 0);
        }
    }
    assert_true(formats >= 75);
}

/* ---- Coordinates ---- */

static uint32_t random_state = 1;

static int32_t random_below(uint32_t bound)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int32_t)((uint64_t)(random_state >> 8) * bound >> 24);
}

static struct blit_axis random_axis(uint32_t largest)
{
    struct blit_axis axis = {.size = 1 + random_below(largest)};
    do {
        axis.source[0] = random_below((uint32_t)axis.size + 1);
        axis.source[1] = random_below((uint32_t)axis.size + 1);
        axis.target[0] = random_below(largest);
        axis.target[1] = random_below(largest);
    } while (axis.target[0] == axis.target[1]);
    return axis;
}

/* Against the formula in 80 bits, which is exact for these sizes up to the last comparison. */
static void the_lower_texel_is_that_of_the_specification(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        const struct blit_axis axis = random_axis(i % 2 ? 40 : 32768);
        const int32_t low = axis.target[0] < axis.target[1] ? axis.target[0] : axis.target[1];
        const int32_t high = axis.target[0] < axis.target[1] ? axis.target[1] : axis.target[0];
        const int32_t x = low + random_below((uint32_t)(high - low));
        const int32_t texel = blit_lower_texel(&axis, x);
        const long double u = ((long double)x + 0.5L - axis.target[0]) * (axis.source[1] - axis.source[0]) /
                                  (axis.target[1] - axis.target[0]) +
                              axis.source[0] - 0.5L;
        assert_true(texel <= u + 1e-9L);
        assert_true(u < texel + 1 + 1e-9L);
    }
}

static void the_range_holds_every_texel_that_is_read(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        const struct blit_axis axis = random_axis(48);
        const int32_t first = axis.target[0] < axis.target[1] ? axis.target[0] : axis.target[1];
        const int32_t all = axis.target[0] < axis.target[1] ? axis.target[1] - first : axis.target[0] - first;
        const int32_t from = first + random_below((uint32_t)all),
                      count = 1 + random_below((uint32_t)(first + all - from));
        int32_t low, texels, lowest = axis.size, highest = -1;
        for (int32_t x = from; x < from + count; x++) {
            for (int32_t upper = 0; upper < 2; upper++) {
                int32_t texel = blit_lower_texel(&axis, x) + upper;
                texel = texel < 0 ? 0 : texel >= axis.size ? axis.size - 1 : texel;
                lowest = texel < lowest ? texel : lowest;
                highest = texel > highest ? texel : highest;
            }
        }
        blit_source_range(&axis, from, count, &low, &texels);
        assert_int_equal(low, lowest);
        assert_int_equal(low + texels - 1, highest);
        assert_true(blit_range_bound(&axis, count) >= (uint64_t)texels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_lie_where_the_specification_says),
        cmocka_unit_test(what_has_no_such_components_has_no_layout),
        cmocka_unit_test(components_of_every_format_fit),
        cmocka_unit_test(the_lower_texel_is_that_of_the_specification),
        cmocka_unit_test(the_range_holds_every_texel_that_is_read),
    };
    return cmocka_run_group_tests_name("blits", tests, NULL, NULL);
}
