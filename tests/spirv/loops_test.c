/* SPDX-License-Identifier: MIT */
/*
 * Loops of filters. Derivatives, and lookups that take their own, stand in none of them, and those of lookups side by
 * side stand in front of all. For CPU drivers each loop that is not in another one must hold one: LLVM's time doubles
 * with every loop of llvmpipe's that stands behind another by itself (layer/rewriter/spirv/lookup/filter.c).
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

#define IMAGES 16u

struct text {
    char data[65536];
    size_t length;
};

#define ADD(text, ...)                                                                                                 \
    ((text)->length +=                                                                                                 \
     (size_t)snprintf((text)->data + (text)->length, sizeof((text)->data) - (text)->length, __VA_ARGS__))

static const char head[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %in %out\n"
    "OpExecutionMode %main OriginUpperLeft\nOpDecorate %in Location 0\nOpDecorate %out Location 0\n";
static const char types[] =
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n"
    "%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%p_sampled = OpTypePointer UniformConstant %t_sampled\n%p_in = OpTypePointer Input %v2float\n"
    "%p_out = OpTypePointer Output %v4float\n%in = OpVariable %p_in Input\n%out = OpVariable %p_out Output\n";

/*
 * What a module has: `blocks` of `lookups` each, all of different images, in a function that main calls `calls` times.
 * `dependent`: a block has as many lookups once more, at a coordinate that its first lookup gives.
 */
struct shape {
    unsigned blocks, lookups, calls;
    bool dependent;
    unsigned relaxed; /* how many of a block's lookups have relaxed precision, the first ones */
};

static void add_block(struct text *t, unsigned block, unsigned lookups, bool dependent)
{
    const unsigned all = dependent ? 2 * lookups : lookups;
    ADD(t, "%%b%u = OpLabel\n", block);
    for (unsigned i = 0; i < all; i++) {
        unsigned image = (block * lookups + i) % IMAGES;
        if (i == lookups)
            ADD(t, "%%c%u = OpVectorShuffle %%v2float %%r%u_0 %%r%u_0 0 1\n", block, block, block);
        ADD(t, "%%l%u_%u = OpLoad %%t_sampled %%t%u\n", block, i, image);
        ADD(t, "%%r%u_%u = OpImageSampleImplicitLod %%v4float %%l%u_%u ", block, i, block, i);
        if (i < lookups)
            ADD(t, "%%c\n");
        else
            ADD(t, "%%c%u\n", block);
    }
    for (unsigned i = 0; i < all; i++)
        ADD(t, "OpStore %%out %%r%u_%u\n", block, i);
    ADD(t, "OpBranch %%b%u\n", block + 1);
}

static struct spirv_words module_of(const struct shape *shape)
{
    static struct text t;
    t.length = 0;
    ADD(&t, "%s", head);
    for (unsigned i = 0; i < IMAGES; i++)
        ADD(&t, "OpDecorate %%t%u DescriptorSet 0\nOpDecorate %%t%u Binding %u\n", i, i, i);
    for (unsigned i = 0; i < shape->blocks * shape->relaxed; i++)
        ADD(&t, "OpDecorate %%r%u_%u RelaxedPrecision\n", i / shape->relaxed, i % shape->relaxed);
    ADD(&t, "%s", types);
    for (unsigned i = 0; i < IMAGES; i++)
        ADD(&t, "%%t%u = OpVariable %%p_sampled UniformConstant\n", i);
    ADD(&t, "%%f = OpFunction %%void None %%voids\n%%begin = OpLabel\n%%c = OpLoad %%v2float %%in\n"
            "OpBranch %%b0\n");
    for (unsigned i = 0; i < shape->blocks; i++)
        add_block(&t, i, shape->lookups, shape->dependent);
    ADD(&t, "%%b%u = OpLabel\nOpReturn\nOpFunctionEnd\n%%main = OpFunction %%void None %%voids\n%%first = OpLabel\n",
        shape->blocks);
    for (unsigned i = 0; i < shape->calls; i++)
        ADD(&t, "%%call%u = OpFunctionCall %%void %%f\n", i);
    ADD(&t, "OpReturn\nOpFunctionEnd\n");
    assert_true(t.length < sizeof(t.data));
    struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, t.data);
    assert_non_null(words.words);
    return words;
}

static uint32_t occurrences(const char *text, const char *what)
{
    uint32_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

enum { LINE_BYTES = 4096 };

/* The line that begins there. Returns what is behind it, or NULL where there is none. */
static const char *read_line(const char *text, char line[LINE_BYTES])
{
    const size_t length = strcspn(text, "\n");
    if (!*text)
        return NULL;
    assert_true(length < LINE_BYTES);
    memcpy(line, text, length);
    line[length] = '\0';
    return text + length + (text[length] == '\n');
}

/* Loops that begin before another one has ended that began before them. */
static uint32_t inner_loops(const char *text)
{
    char line[LINE_BYTES], ends[64][32];
    uint32_t open = 0, count = 0;
    for (const char *at = text; (at = read_line(at, line)) != NULL;) {
        char name[32];
        if (sscanf(line, " %31s = OpLabel", name) == 1 && open != 0 && strcmp(name, ends[open - 1]) == 0)
            open--;
        if (sscanf(line, " OpLoopMerge %31s", name) == 1) {
            assert_true(open < 64);
            count += open != 0;
            strcpy(ends[open++], name);
        }
    }
    assert_int_equal(open, 0);
    return count;
}

/* Does the instruction of this line take derivatives, or need them? */
static bool derives(const char *line)
{
    return strstr(line, "= OpDPd") || strstr(line, "= OpFwidth");
}

static bool needs_derivatives(const char *line)
{
    return derives(line) || strstr(line, "ImplicitLod ");
}

/* Derivatives of the rewritten module, and where they are. */
struct derivatives {
    uint32_t count;          /* taken */
    uint32_t behind, inside; /* taken or needed: behind the first loop of their function, in a loop */
};

static struct derivatives derivatives_of(const char *text)
{
    struct derivatives found = {0};
    char line[LINE_BYTES], ends[64][32];
    uint32_t open = 0;
    bool any = false;
    for (const char *at = text; (at = read_line(at, line)) != NULL;) {
        char name[32];
        if (strstr(line, "= OpFunction "))
            any = false;
        if (sscanf(line, " %31s = OpLabel", name) == 1 && open != 0 && strcmp(name, ends[open - 1]) == 0)
            open--;
        if (sscanf(line, " OpLoopMerge %31s", name) == 1) {
            assert_true(open < 64);
            strcpy(ends[open++], name);
            any = true;
        }
        found.count += derives(line);
        found.behind += needs_derivatives(line) && any;
        found.inside += needs_derivatives(line) && open != 0;
    }
    return found;
}

/* Decorated instructions of that kind. */
static uint32_t relaxed(const char *text, const char *instruction)
{
    uint32_t count = 0;
    char line[LINE_BYTES], name[32], decoration[64], definition[64];
    for (const char *at = text; (at = read_line(at, line)) != NULL;) {
        if (sscanf(line, " OpDecorate %31s", name) != 1)
            continue;
        snprintf(decoration, sizeof(decoration), "OpDecorate %s RelaxedPrecision", name);
        if (strcmp(strstr(line, "OpDecorate"), decoration) != 0)
            continue;
        snprintf(definition, sizeof(definition), "%s = %s", name, instruction);
        count += strstr(text, definition) != NULL;
    }
    return count;
}

/* Loops and fetches of the rewritten module. */
struct written {
    uint32_t loops, inner_loops, fetches;
    uint32_t relaxed; /* fetches, and lookups at moved coordinates */
    struct derivatives derivatives;
};

static struct written rewrite_by(struct shape shape, const struct spirv_options *options)
{
    static struct auto_layout layout;
    const enum text_environment environment = options->votes ? TEXT_VULKAN_1_1 : TEXT_VULKAN_1_0;
    struct spirv_words input = module_of(&shape);
    struct spirv_output output;
    auto_layout(input.words, input.count, 0, &layout);
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, options, NULL, &output), SPIRV_REWRITTEN);
    assert_int_equal(output.rewritten_lookups, shape.blocks * shape.lookups * (shape.dependent ? 2 : 1));
    assert_true(text_validate(environment, output.words, output.word_count, "output"));
    char *text = text_disassemble(output.words, output.word_count);
    assert_non_null(text);
    struct written written = {occurrences(text, "OpLoopMerge"), inner_loops(text), occurrences(text, "OpImageFetch"),
                              relaxed(text, "OpImageFetch") + relaxed(text, "OpImageSampleExplicitLod"),
                              derivatives_of(text)};
    assert_int_equal(written.derivatives.inside, 0);
    free(text);
    free(output.words);
    free(input.words);
    return written;
}

static struct written rewrite(struct shape shape, enum spirv_form form)
{
    return rewrite_by(shape, &(struct spirv_options){.tier = 2, .form = form});
}

static void filters_in_blocks_of_their_own_have_a_loop_in_a_loop(void **state)
{
    (void)state;
    struct written written = rewrite((struct shape){.blocks = 20, .lookups = 1, .calls = 3}, SPIRV_FORM_CPU);
    assert_int_equal(written.loops, 2 * 20);
    assert_int_equal(written.inner_loops, 20);
    assert_int_equal(written.fetches, 20);
}

static void filters_of_a_batch_with_one_lookup_an_image_have_a_loop_in_a_loop(void **state)
{
    (void)state;
    struct written written = rewrite((struct shape){.blocks = 3, .lookups = 4, .calls = 1}, SPIRV_FORM_CPU);
    assert_int_equal(written.loops, 3 * 4 * 2);
    assert_int_equal(written.inner_loops, 3 * 4);
    assert_int_equal(written.fetches, 3 * 4);
}

static void batches_have_theirs_in_the_loop_over_lookups(void **state)
{
    (void)state;
    struct written written = rewrite((struct shape){.blocks = 1, .lookups = 2 * IMAGES, .calls = 1}, SPIRV_FORM_CPU);
    assert_int_equal(written.loops, 2 * IMAGES);
    assert_int_equal(written.inner_loops, IMAGES);
    assert_int_equal(written.fetches, IMAGES);
}

/* A lookup of a batch that waits for nothing but an earlier batch is in it like the others. */
static void what_read_a_batch_is_in_the_next(void **state)
{
    (void)state;
    const struct shape shape = {.blocks = 1, .lookups = 2 * IMAGES, .calls = 1, .dependent = true};
    struct written written = rewrite(shape, SPIRV_FORM_CPU);
    assert_int_equal(written.loops, 2 * 2 * IMAGES);
    assert_int_equal(written.inner_loops, 2 * IMAGES);
    assert_int_equal(written.fetches, 2 * IMAGES);
}

static void gpus_have_one_loop_a_filter(void **state)
{
    (void)state;
    struct written written = rewrite((struct shape){.blocks = 20, .lookups = 1, .calls = 1}, SPIRV_FORM_GPU);
    assert_int_equal(written.loops, 20);
    assert_int_equal(written.inner_loops, 0);
}

/* A batch of 1, of one image each, of two lookups an image, and as many as there may be in one; and blocks of these. */
static void derivatives_stand_in_front_of_loops(void **state)
{
    (void)state;
    static const unsigned lookups[] = {1, 4, 2 * IMAGES};
    for (unsigned i = 0; i < 3 * 2 * 2 * 2 * 2 * SPIRV_FILTER_COUNT; i++) {
        const struct spirv_options options = {.tier = 1 + i / 3 % 2,
                                              .form = i / 6 % 2 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU,
                                              .votes = i / 12 % 2,
                                              .extras = i / 24 % 2,
                                              .filter = i / 24 % 2 ? SPIRV_FILTER_TEXELS
                                                                   : (enum spirv_filter)(i / 48 % SPIRV_FILTER_COUNT)};
        const struct written one =
            rewrite_by((struct shape){.blocks = 1, .lookups = lookups[i % 3], .calls = 1}, &options);
        assert_true(one.derivatives.count >= 2 * lookups[i % 3]);
        assert_int_equal(one.derivatives.behind, 0);
        rewrite_by((struct shape){.blocks = 3, .lookups = lookups[i % 3], .calls = 1}, &options); /* inside: none */
    }
}

/* The driver's own lookups, which they share, may be less precise if all of them may, whichever comes first. Texels are
 * not. */
static void shared_code_is_as_precise_as_the_most_precise_lookup(void **state)
{
    (void)state;
    for (int form = 0; form < 2; form++) {
        for (unsigned i = 0; i <= 2; i++) {
            const struct shape shape = {.blocks = 1, .lookups = 2 * IMAGES, .calls = 1, .relaxed = i * IMAGES};
            const struct written written = rewrite(shape, form ? SPIRV_FORM_CPU : SPIRV_FORM_GPU);
            assert_int_equal(written.relaxed, i == 2 ? IMAGES : 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_in_blocks_of_their_own_have_a_loop_in_a_loop),
        cmocka_unit_test(filters_of_a_batch_with_one_lookup_an_image_have_a_loop_in_a_loop),
        cmocka_unit_test(batches_have_theirs_in_the_loop_over_lookups),
        cmocka_unit_test(what_read_a_batch_is_in_the_next),
        cmocka_unit_test(gpus_have_one_loop_a_filter),
        cmocka_unit_test(derivatives_stand_in_front_of_loops),
        cmocka_unit_test(shared_code_is_as_precise_as_the_most_precise_lookup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
