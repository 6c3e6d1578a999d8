/* SPDX-License-Identifier: MIT */
/*
 * Compiled shaders (shaders/, for every target environment, with and without debug information) in every tier and form:
 * each result is valid, rewriting twice gives the same bytes, and nothing that can be rewritten is left alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "auto_layout.h"
#include "spirv_text.h"

struct shader {
    const char *path;
    const char *name;
    enum text_environment environment;
};

static const struct shader shaders[] = {
#include "shader_list.h"
};
#define SHADER_COUNT (sizeof(shaders) / sizeof(shaders[0]))

static const struct {
    struct spirv_options options;
    unsigned layout;
} variants[] = {
    {{.tier = 0}, AUTO_LAYOUT_RENUMBER},
    {{.tier = 1}, 0},
    {{.tier = 1}, AUTO_LAYOUT_STORAGE},
    {{.tier = 1, .votes = true, .rectangles = true}, 0},
    {{.tier = 1, .form = SPIRV_FORM_CPU}, AUTO_LAYOUT_RENUMBER},
    {{.tier = 1, .votes = true}, 0},
    {{.tier = 1, .form = SPIRV_FORM_CPU}, AUTO_LAYOUT_STORAGE},
    {{.tier = 1, .masks = true}, AUTO_LAYOUT_MASKS},
    {{.tier = 1, .masks = true, .votes = true, .rectangles = true, .max_lod_bias = 4.0f},
     AUTO_LAYOUT_MASKS | AUTO_LAYOUT_HALVES},
    {{.tier = 1, .masks = true, .form = SPIRV_FORM_CPU},
     AUTO_LAYOUT_MASKS | AUTO_LAYOUT_STORAGE | AUTO_LAYOUT_RENUMBER},
    {{.tier = 2, .extras = true}, AUTO_LAYOUT_RENUMBER | AUTO_LAYOUT_STORAGE},
    {{.tier = 2}, AUTO_LAYOUT_NEAREST},
    {{.tier = 2, .extras = true, .rectangles = true}, AUTO_LAYOUT_HALVES},
    {{.tier = 2, .extras = true, .rectangles = true, .texels_sampled = true}, AUTO_LAYOUT_NEAREST},
    {{.tier = 2, .extras = true, .rectangles = true, .form = SPIRV_FORM_CPU}, AUTO_LAYOUT_STORAGE},
    {{.tier = 1}, AUTO_LAYOUT_HALVES},
    {{.tier = 1, .form = SPIRV_FORM_CPU}, AUTO_LAYOUT_HALVES | AUTO_LAYOUT_STORAGE | AUTO_LAYOUT_RENUMBER},
    {{.tier = 2}, AUTO_LAYOUT_HALVES | AUTO_LAYOUT_STORAGE},
    {{.tier = 2, .extras = true, .form = SPIRV_FORM_CPU}, AUTO_LAYOUT_HALVES},
    {{.tier = 2, .form = SPIRV_FORM_CPU, .rectangles = true}, 0},
    {{.tier = 2, .filter = SPIRV_FILTER_LEVELS}, AUTO_LAYOUT_HALVES},
    {{.tier = 2, .filter = SPIRV_FILTER_LEVEL}, AUTO_LAYOUT_STORAGE},
    {{.tier = 2, .filter = SPIRV_FILTER_LEVELS, .form = SPIRV_FORM_CPU}, AUTO_LAYOUT_STORAGE},
    {{.tier = 2, .filter = SPIRV_FILTER_LEVEL, .form = SPIRV_FORM_CPU, .rectangles = true}, 0},
    {{.tier = 2, .filter = SPIRV_FILTER_PROBES}, AUTO_LAYOUT_STORAGE},
    {{.tier = 2, .filter = SPIRV_FILTER_PROBES, .form = SPIRV_FORM_CPU, .rectangles = true}, AUTO_LAYOUT_HALVES},
};

static struct spirv_words read_words(const char *path)
{
    static uint32_t buffer[1 << 18];
    struct spirv_words result = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file) {
        result.count = fread(buffer, sizeof(uint32_t), sizeof(buffer) / sizeof(buffer[0]), file);
        fclose(file);
        result.words = malloc(result.count * sizeof(uint32_t));
    }
    if (result.words)
        memcpy(result.words, buffer, result.count * sizeof(uint32_t));
    return result;
}

static void rewrites_to_valid_modules(void **state)
{
    const struct shader *shader = *state;
    struct spirv_words input = read_words(shader->path);
    assert_non_null(input.words);
    assert_true(text_validate(shader->environment, input.words, input.count, shader->name));
    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        static struct auto_layout layout;
        auto_layout(input.words, input.count, variants[i].layout, &layout);
        struct spirv_output first;
        struct spirv_output second;
        assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &variants[i].options, NULL, &first),
                         SPIRV_REWRITTEN);
        assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &variants[i].options, NULL, &second),
                         SPIRV_REWRITTEN);
        assert_true(text_validate(shader->environment, first.words, first.word_count, shader->name));
        assert_string_equal(first.message, "");
        assert_int_equal(first.word_count, second.word_count);
        assert_memory_equal(first.words, second.words, first.word_count * sizeof(uint32_t));
        assert_true(variants[i].options.tier == 0 || first.rewritten_lookups > 0);
        free(first.words);
        free(second.words);
    }
    free(input.words);
}

int main(void)
{
    static struct CMUnitTest tests[SHADER_COUNT];
    static char names[SHADER_COUNT][96];
    for (size_t i = 0; i < SHADER_COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "%s_rewrites_to_valid_modules", shaders[i].name);
        tests[i] = (struct CMUnitTest){names[i], rewrites_to_valid_modules, NULL, NULL, (void *)(uintptr_t)&shaders[i]};
    }
    return cmocka_run_group_tests_name("shaders", tests, NULL, NULL);
}
