/* shaders/record.glsl says the same as layer/record.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "need/need.h"
#include "record.h"

struct constant {
    const char *name;
    uint32_t value;
};

static const struct constant constants[] = {
#define CONSTANT(name)                                                                                                 \
    {                                                                                                                  \
#name, (uint32_t)(name)                                                                                        \
    }
    CONSTANT(RECORD_WRAP_REPEAT),
    CONSTANT(RECORD_WRAP_MIRRORED_REPEAT),
    CONSTANT(RECORD_WRAP_CLAMP_TO_EDGE),
    CONSTANT(RECORD_WRAP_CLAMP_TO_BORDER),
    CONSTANT(RECORD_WRAP_MIRROR_CLAMP_TO_EDGE),
    CONSTANT(RECORD_WRAP_CLAMP),
    CONSTANT(RECORD_WRAP_MIRROR_CLAMP),
    CONSTANT(RECORD_WRAP_MIRROR_CLAMP_TO_BORDER),
    CONSTANT(RECORD_WRAP_MIRROR),
    CONSTANT(RECORD_WRAP_BORDER),
    CONSTANT(RECORD_WRAP_KIND),
    CONSTANT(RECORD_WRAP_S_SHIFT),
    CONSTANT(RECORD_WRAP_T_SHIFT),
    CONSTANT(RECORD_WRAP_R_SHIFT),
    CONSTANT(RECORD_WRAP_MASK),
    CONSTANT(RECORD_MAG_LINEAR),
    CONSTANT(RECORD_MIN_LINEAR),
    CONSTANT(RECORD_MIP_NEAREST),
    CONSTANT(RECORD_MIP_LINEAR),
    CONSTANT(RECORD_UNNORMALIZED),
    CONSTANT(RECORD_COORDS),
    CONSTANT(RECORD_FILTER),
    CONSTANT(RECORD_FILTER_IF_MIPS),
    CONSTANT(RECORD_FILTER_IF_OFFSET),
    CONSTANT(RECORD_COMPARE_SHIFT),
    CONSTANT(RECORD_COMPARE_MASK),
    CONSTANT(RECORD_LEVELS_SHIFT),
    CONSTANT(RECORD_LEVELS_MASK),
    CONSTANT(RECORD_FILTER_IF_GATHER),
    CONSTANT(RECORD_DEPTH_FIXED),
    CONSTANT(RECORD_RECTANGLE),
    CONSTANT(RECORD_BIAS),
    CONSTANT(RECORD_MORE_ALWAYS),
    CONSTANT(RECORD_MORE_BASE_LEVEL),
    CONSTANT(RECORD_MORE_FACES_ALONE),
    CONSTANT(RECORD_MORE_COMPARED_ZERO),
    CONSTANT(RECORD_MORE_COMPARED_ONE),
    CONSTANT(RECORD_NO_NEAR),
    CONSTANT(RECORD_NO_FAR),
    CONSTANT(RECORD_NO_SCALE),
    CONSTANT(RECORD_MIN_LOD_SHIFT),
    CONSTANT(RECORD_MAX_LOD_SHIFT),
    CONSTANT(RECORD_LOD_MASK),
    CONSTANT(RECORD_PAIR_BORDER),
    CONSTANT(RECORD_PAIR_BORDER_OTHER),
    CONSTANT(RECORD_PAIR_UNFILTERABLE),
    CONSTANT(RECORD_PAIR_TO_NEAREST),
    CONSTANT(RECORD_PAIR_NON_SEAMLESS),
    CONSTANT(RECORD_PAIR_SRGB_SKIP),
    CONSTANT(RECORD_PAIR_SRGB),
    CONSTANT(RECORD_PAIR_INCOMPLETE),
    CONSTANT(RECORD_SRGB_PLAIN_SHIFT),
    CONSTANT(RECORD_MORE_REDUCTION_SHIFT),
    CONSTANT(RECORD_MORE_REDUCTION_MASK),
    CONSTANT(RECORD_MORE_NO_MINMAX),
    CONSTANT(RECORD_MORE_REDUCES_FOR_GL),
    CONSTANT(RECORD_MORE_REDUCES_FOR_VULKAN),
    CONSTANT(RECORD_BORDER_ZERO),
    CONSTANT(RECORD_BORDER_ONE),
    CONSTANT(RECORD_BORDER_R),
    CONSTANT(RECORD_BORDER_G),
    CONSTANT(RECORD_BORDER_B),
    CONSTANT(RECORD_BORDER_A),
    CONSTANT(RECORD_BORDER_SELECTOR_MASK),
    CONSTANT(RECORD_BORDER_KIND_SHIFT),
    CONSTANT(RECORD_BORDER_KIND_MASK),
    CONSTANT(RECORD_BORDER_KIND_FLOAT),
    CONSTANT(RECORD_BORDER_KIND_UINT),
    CONSTANT(RECORD_BORDER_KIND_SINT),
    CONSTANT(RECORD_BORDER_ALPHA_IN_COLOR),
};
#define CONSTANT_COUNT (sizeof(constants) / sizeof(constants[0]))

static const struct constant texel_constants[] = {
    CONSTANT(RECORD_OTHER),
    CONSTANT(TEXEL_PATH_MASK),
    CONSTANT(TEXEL_PATH_NATIVE),
    CONSTANT(TEXEL_PATH_WORDS),
    CONSTANT(TEXEL_PATH_BLOCKS),
    CONSTANT(TEXEL_PATH_ADDRESS),
    CONSTANT(TEXEL_COMPONENTS_SHIFT),
    CONSTANT(TEXEL_COMPONENTS_MASK),
    CONSTANT(TEXEL_WIDTH_SHIFT),
    CONSTANT(TEXEL_WIDTH_MASK),
    CONSTANT(TEXEL_WIDTH_8),
    CONSTANT(TEXEL_WIDTH_16),
    CONSTANT(TEXEL_WIDTH_32),
    CONSTANT(TEXEL_WIDTH_PACKED),
    CONSTANT(TEXEL_TYPE_SHIFT),
    CONSTANT(TEXEL_TYPE_MASK),
    CONSTANT(TEXEL_TYPE_UNORM),
    CONSTANT(TEXEL_TYPE_SNORM),
    CONSTANT(TEXEL_TYPE_UINT),
    CONSTANT(TEXEL_TYPE_SINT),
    CONSTANT(TEXEL_TYPE_FLOAT),
    CONSTANT(TEXEL_SWIZZLE_SHIFT),
    CONSTANT(TEXEL_RGB),
};
#define TEXEL_CONSTANT_COUNT (sizeof(texel_constants) / sizeof(texel_constants[0]))

static void compare_constants(const char *path, const struct constant *expected, size_t count)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[256];
    size_t seen = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        char name[64];
        unsigned value;
        unsigned shift = 0;
        if (sscanf(line, "const uint %63s = %iu << %u", name, (int *)&value, &shift) < 2) {
            continue;
        }
        size_t i = 0;
        while (i < count && strcmp(expected[i].name, name) != 0) {
            i++;
        }
        if (i == count) {
            fail_msg("%s is not in record.h", name);
        }
        assert_int_equal(value << shift, expected[i].value);
        seen++;
    }
    fclose(file);
    assert_int_equal(seen, count);
}

static void record_glsl_mirrors_record_h(void **state)
{
    (void)state;
    compare_constants(SHADERS_FOLDER "/record.glsl", constants, CONSTANT_COUNT);
}

static void texel_buffer_glsl_mirrors_record_h(void **state)
{
    (void)state;
    compare_constants(SHADERS_FOLDER "/texel_buffer.glsl", texel_constants, TEXEL_CONSTANT_COUNT);
}

/* What each kind of record asks of the host. */
static void needs_are_those_of_the_records_kind(void **state)
{
    (void)state;
    static const uint32_t one_level = 1u << RECORD_LEVELS_SHIFT;
    static const uint32_t levels = 7u << RECORD_LEVELS_SHIFT;
    static const uint32_t minimum = 1u << RECORD_MORE_REDUCTION_SHIFT;
    static const uint32_t for_gl = RECORD_MORE_REDUCES_FOR_GL;
    static const uint32_t for_vulkan = RECORD_MORE_REDUCES_FOR_VULKAN;
    static const struct {
        uint32_t flags, lod, needs, depth_bias, more;
    } rows[] = {
        {0, 0, 0, 0, 0},
        /* Combined, or no matter which. */
        {RECORD_COORDS | one_level, 0, RECORD_NEED_COORDS, 0, 0},
        {RECORD_COORDS | levels, 0, RECORD_NEED_COORDS | RECORD_NEED_MIPS, 0, 0},
        {RECORD_RECTANGLE | one_level, 0, RECORD_NEED_COORDS, 0, 0},
        {RECORD_FILTER | one_level, RECORD_PAIR_NON_SEAMLESS | RECORD_PAIR_SRGB_SKIP | RECORD_PAIR_SRGB,
         RECORD_NEED_FILTER | RECORD_NEED_SRGB_SKIP | RECORD_NEED_SRGB, 0, 0},
        {RECORD_FILTER_IF_OFFSET | one_level, 0, RECORD_NEED_FILTER_IF_OFFSET, 0, 0},
        {RECORD_FILTER_IF_GATHER | RECORD_MAG_LINEAR | one_level, 0, RECORD_NEED_FILTER_IF_GATHER, 0, 0},
        {RECORD_BIAS | one_level, 0, RECORD_NEED_COORDS_IF_BIAS, 0, 0},
        {RECORD_DEPTH_FIXED | one_level, 0, RECORD_NEED_COORDS_IF_DREF, RECORD_DEPTH_PROMOTED | 1, 0},
        {RECORD_OTHER, 0, RECORD_NEED_TEXEL_BUFFER, 0, 0},
        {RECORD_OTHER | RECORD_OTHER_INPUT, 0, RECORD_NEED_INPUT, 0, 0},
        {RECORD_DEPTH_FIXED | one_level, 0, 0, 0, 0},
        /* Samplers alone. */
        {RECORD_FILTER_IF_MIPS, 0, RECORD_NEED_FILTER_IF_MIPS, 0, 0},
        {RECORD_MAG_LINEAR, 0, RECORD_NEED_LINEAR, 0, 0},
        {RECORD_MIN_LINEAR, 0, RECORD_NEED_LINEAR, 0, 0},
        {RECORD_MIP_LINEAR, 0, RECORD_NEED_LINEAR, 0, 0},
        {RECORD_MIP_NEAREST, 0, 0, 0, 0},
        {RECORD_MIN_LINEAR, 0, RECORD_NEED_REDUCTION, 0, minimum | for_gl},
        {RECORD_MIN_LINEAR | one_level, 0, RECORD_NEED_PAIR_REDUCTION, 0, minimum},
        {RECORD_WRAP_CLAMP_TO_BORDER, RECORD_PAIR_BORDER, RECORD_NEED_BORDER, 0, 0},
        {0, RECORD_PAIR_NON_SEAMLESS, RECORD_NEED_FILTER_IF_CUBE_GATHER, 0, 0},
        {RECORD_MIN_LINEAR, RECORD_PAIR_NON_SEAMLESS, RECORD_NEED_LINEAR | RECORD_NEED_FILTER_IF_CUBE, 0, 0},
        {0, RECORD_PAIR_SRGB_SKIP, RECORD_NEED_SRGB_SKIP, 0, 0},
        /* Images alone. */
        {one_level, 0, 0, 0, 0},
        {levels, 0, RECORD_NEED_MIPS, 0, 0},
        {one_level, RECORD_PAIR_BORDER_OTHER, RECORD_NEED_BORDER_OTHER, 0, 0},
        {one_level, RECORD_PAIR_UNFILTERABLE, RECORD_NEED_UNFILTERABLE | RECORD_NEED_NO_MINMAX, 0, 0},
        {one_level, RECORD_PAIR_UNFILTERABLE, RECORD_NEED_UNFILTERABLE, 0, for_gl | for_vulkan},
        {one_level, RECORD_PAIR_UNFILTERABLE | RECORD_PAIR_TO_NEAREST, RECORD_NEED_UNFILTERABLE | RECORD_NEED_NO_MINMAX,
         0, for_vulkan},
        {one_level, RECORD_PAIR_INCOMPLETE, RECORD_NEED_UNFILTERABLE | RECORD_NEED_NO_MINMAX, 0, for_vulkan},
        {one_level, 0, RECORD_NEED_NO_MINMAX, 0, RECORD_MORE_NO_MINMAX},
        {one_level, RECORD_PAIR_SRGB, RECORD_NEED_SRGB, 0, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct record record = {
            .flags = rows[i].flags, .depth_bias = rows[i].depth_bias, .lod = rows[i].lod, .more = rows[i].more};
        if (record_needs(&record) != rows[i].needs) {
            fail_msg("row %zu: needs 0x%x", i, record_needs(&record));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(record_glsl_mirrors_record_h),
                                       cmocka_unit_test(texel_buffer_glsl_mirrors_record_h),
                                       cmocka_unit_test(needs_are_those_of_the_records_kind)};
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
