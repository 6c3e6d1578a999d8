/* shaders/record.glsl says the same as layer/record.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record.h"

static const struct {
    const char *name;
    uint32_t value;
} constants[] = {
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
};
#define CONSTANT_COUNT (sizeof(constants) / sizeof(constants[0]))

static void record_glsl_mirrors_record_h(void **state)
{
    (void)state;
    FILE *file = fopen(SHADERS_FOLDER "/record.glsl", "r");
    assert_non_null(file);
    char line[256];
    size_t seen = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        char name[64];
        unsigned value;
        unsigned shift = 0;
        if (sscanf(line, "const uint %63s = %uu << %u", name, &value, &shift) < 2) {
            continue;
        }
        size_t i = 0;
        while (i < CONSTANT_COUNT && strcmp(constants[i].name, name) != 0) {
            i++;
        }
        if (i == CONSTANT_COUNT) {
            fail_msg("%s is not in record.h", name);
        }
        assert_int_equal(value << shift, constants[i].value);
        seen++;
    }
    fclose(file);
    assert_int_equal(seen, CONSTANT_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(record_glsl_mirrors_record_h)};
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
