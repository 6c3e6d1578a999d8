/* SPDX-License-Identifier: MIT */
/* The table of formats from Vulkan's registry, and what sampling knows of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "format/format.h"
#include "format/range.h"
#include "vulkan_formats.h"

#define R FORMAT_R
#define RG (FORMAT_R | FORMAT_G)
#define RGB (FORMAT_R | FORMAT_G | FORMAT_B)
#define RGBA (FORMAT_R | FORMAT_G | FORMAT_B | FORMAT_A)

static void every_format_finds_its_row(void **state)
{
    (void)state;
    assert_int_equal(vulkan_formats[0].format, VK_FORMAT_UNDEFINED);
    for (uint32_t i = 0; i < VULKAN_FORMATS; i++) {
        assert_ptr_equal(vulkan_format(vulkan_formats[i].format), &vulkan_formats[i]);
        assert_true(i == 0 || vulkan_formats[i].format > vulkan_formats[i - 1].format);
    }
    assert_ptr_equal(vulkan_format(VK_FORMAT_MAX_ENUM), &vulkan_formats[0]);
    assert_ptr_equal(vulkan_format((VkFormat)999999999), &vulkan_formats[0]);
}

static void known_formats_have_numbers_of_their_own(void **state)
{
    (void)state;
    uint32_t last = 0;
    for (uint32_t i = 0; i < VULKAN_FORMATS; i++) {
        const VkFormat format = vulkan_formats[i].format;
        const uint32_t index = format_index(format);
        assert_int_equal(index != 0, format_info(format).is_known);
        assert_true(index == 0 || index == last + 1);
        last = index ? index : last;
    }
    assert_true(last >= 200 && last < FORMAT_COUNT);
}

static void formats_are_what_their_names_say(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        uint32_t bits;
        enum view_range range;
    } rows[] = {
        {VK_FORMAT_R8_UNORM, R, VIEW_RANGE_UNORM},
        {VK_FORMAT_R8G8_SSCALED, RG, VIEW_RANGE_NONE},
        {VK_FORMAT_R8G8B8A8_SRGB, RGBA | FORMAT_SRGB, VIEW_RANGE_UNORM},
        {VK_FORMAT_A2B10G10R10_UINT_PACK32, RGBA | FORMAT_INTEGER, VIEW_RANGE_UINT10},
        {VK_FORMAT_R16G16B16_SINT, RGB | FORMAT_INTEGER, VIEW_RANGE_SINT16},
        {VK_FORMAT_R16_SFLOAT, R, VIEW_RANGE_HALF},
        {VK_FORMAT_R64G64_UINT, RG | FORMAT_INTEGER, VIEW_RANGE_UINT32},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32, RGB, VIEW_RANGE_UF11},
        {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, RGB, VIEW_RANGE_E5B9},
        {VK_FORMAT_X8_D24_UNORM_PACK32, R | FORMAT_DEPTH, VIEW_RANGE_UNORM},
        {VK_FORMAT_S8_UINT, R | FORMAT_STENCIL, VIEW_RANGE_UINT8},
        {VK_FORMAT_D32_SFLOAT_S8_UINT, R | FORMAT_DEPTH | FORMAT_STENCIL, VIEW_RANGE_NONE},
        {VK_FORMAT_BC4_SNORM_BLOCK, R, VIEW_RANGE_SNORM},
        {VK_FORMAT_BC6H_UFLOAT_BLOCK, RGB, VIEW_RANGE_UHALF},
        {VK_FORMAT_BC6H_SFLOAT_BLOCK, RGB, VIEW_RANGE_HALF},
        {VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK, RGB | FORMAT_SRGB, VIEW_RANGE_UNORM},
        {VK_FORMAT_ASTC_5x4_SFLOAT_BLOCK, RGBA, VIEW_RANGE_HALF},
        {VK_FORMAT_R10X6_UNORM_PACK16, R, VIEW_RANGE_UNORM},
        {VK_FORMAT_R12X4G12X4_UNORM_2PACK16, RG, VIEW_RANGE_UNORM},
        {VK_FORMAT_R10X6G10X6B10X6A10X6_UNORM_4PACK16, RGBA, VIEW_RANGE_UNORM},
        {(VkFormat)1000470000 /* A1B5G5R5_UNORM_PACK16 */, RGBA, VIEW_RANGE_UNORM},
        {(VkFormat)1000470001 /* A8_UNORM */, FORMAT_A, VIEW_RANGE_UNORM},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct format_info info = format_info(rows[i].format);
        assert_true(info.is_known);
        assert_int_equal(info.bits, rows[i].bits);
        assert_int_equal(info.range, rows[i].range);
    }
}

static void planes_are_not_known(void **state)
{
    (void)state;
    static const VkFormat formats[] = {VK_FORMAT_UNDEFINED, VK_FORMAT_G8B8G8R8_422_UNORM,
                                       VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                       VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16};
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        const struct format_info info = format_info(formats[i]);
        assert_false(info.is_known);
        assert_int_equal(info.bits, RGBA);
        assert_int_equal(info.range, VIEW_RANGE_NONE);
    }
}

static void srgb_formats_have_a_twin_that_is_not_decoded(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < VULKAN_FORMATS; i++) {
        const VkFormat format = vulkan_formats[i].format, unorm = format_unorm(format);
        const struct format_info info = format_info(format), auxiliary = format_info(unorm);
        assert_int_equal(unorm != VK_FORMAT_UNDEFINED, info.is_known && (info.bits & FORMAT_SRGB) != 0);
        if (unorm != VK_FORMAT_UNDEFINED)
            assert_int_equal(auxiliary.bits, info.bits & ~(uint32_t)FORMAT_SRGB);
    }
}

static void blocks_and_planes_have_sizes(void **state)
{
    (void)state;
    const struct vulkan_format *astc = vulkan_format(VK_FORMAT_ASTC_10x6_SRGB_BLOCK);
    const struct vulkan_format *planes = vulkan_format(VK_FORMAT_G16_B16R16_2PLANE_422_UNORM);
    assert_true(astc->compressed && astc->block[0] == 10 && astc->block[1] == 6 && astc->bytes == 16);
    assert_true(planes->divisor[0] == 2 && planes->divisor[1] == 1 && !planes->compressed);
    assert_string_equal(planes->name, "G16_B16R16_2PLANE_422_UNORM");
}

static void components_lie_in_the_order_of_the_name(void **state)
{
    (void)state;
    static const uint8_t shifts[4] = {1, 6, 11, 0};
    const struct texel_layout *layout = texel_layout_of(VK_FORMAT_B5G5R5A1_UNORM_PACK16);
    assert_non_null(layout);
    assert_memory_equal(layout->shift, shifts, sizeof(shifts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_finds_its_row),
        cmocka_unit_test(known_formats_have_numbers_of_their_own),
        cmocka_unit_test(formats_are_what_their_names_say),
        cmocka_unit_test(planes_are_not_known),
        cmocka_unit_test(srgb_formats_have_a_twin_that_is_not_decoded),
        cmocka_unit_test(blocks_and_planes_have_sizes),
        cmocka_unit_test(components_lie_in_the_order_of_the_name),
    };
    return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
