/* SPDX-License-Identifier: MIT */
/*
 * Modules that the rewriter does not understand, under layouts whose bindings moved: a row for each of its refusals.
 * Their bindings are the driver's all the same and all other words are the program's; where that cannot be, there is no
 * module, and a message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/inst.h"
#include "spirv/module/module.h"
#include "spirv/write/rewriter.h"
#include "spirv/write/words.h"
#include "spirv/write/writer.h"
#include "spirv_text.h"

enum { LONGEST = 0xffff }; /* an instruction's words */

/* ---- A module that is damaged, and its layout ---- */

static const char base[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %in\n"
    "OpExecutionMode %main OriginUpperLeft\nOpName %a \"a\"\nOpName %b \"b\"\nOpName %z \"z\"\n"
    "OpDecorate %g Binding 1\n%g = OpDecorationGroup\nOpGroupDecorate %g %a %b\n"
    "OpDecorate %a DescriptorSet 0\nOpDecorate %b DescriptorSet 1\nOpDecorate %z DescriptorSet 0\n"
    "OpDecorate %z Binding 0\nOpDecorate %in Location 0\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n"
    "%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n%float_0 = OpConstant %float 0\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%p_sampled = OpTypePointer UniformConstant %t_sampled\n%p_in = OpTypePointer Input %v4float\n"
    "%in = OpVariable %p_in Input\n%a = OpVariable %p_sampled UniformConstant\n"
    "%b = OpVariable %p_sampled UniformConstant\n%z = OpVariable %p_sampled UniformConstant\n"
    "%main = OpFunction %void None %voids\n%first = OpLabel\n%c4 = OpLoad %v4float %in\n"
    "%c = OpVectorShuffle %v2float %c4 %c4 0 1\n%l = OpLoad %t_sampled %a\n"
    "%r = OpImageSampleExplicitLod %v4float %l %c Lod %float_0\n%call = OpFunctionCall %void %other\n"
    "OpReturn\nOpFunctionEnd\n"
    "%other = OpFunction %void None %voids\n%second = OpLabel\nOpReturn\nOpFunctionEnd\n";

/* What the bindings are with `moved`: of a group of two sets one target moves, so that each has its own. */
static const char *const expected[] = {"OpDecorate %a Binding 2", "OpDecorate %b Binding 1", "OpDecorate %z Binding 0"};

#define BINDING(NUMBER, BELOW, RECORD)                                                                                 \
    {                                                                                                                  \
        .binding = (NUMBER), .new_binding = (BELOW), .first_record = (RECORD), .count = 1                              \
    }

static const struct spirv_binding moved_first[] = {BINDING(0, 0, 0), BINDING(1, 2, 1)},
                                  moved_second[] = {BINDING(1, 1, 0)},
                                  still_first[] = {BINDING(0, 0, 0), BINDING(1, 1, 1)};
static const struct spirv_set moved_sets[] = {
    {.bindings = moved_first, .binding_count = 2, .record_binding = 1, .record_count = 2},
    {.bindings = moved_second, .binding_count = 1, .record_binding = 2, .record_count = 1}};
static const struct spirv_set still_sets[] = {
    {.bindings = still_first, .binding_count = 2, .record_binding = 2, .record_count = 2},
    {.bindings = moved_second, .binding_count = 1, .record_binding = 2, .record_count = 1}};
static const struct spirv_layout moved = {.sets = moved_sets, .set_count = 2},
                                 still = {.sets = still_sets, .set_count = 2};

static struct spirv_words assemble(void)
{
    struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, base);
    assert_non_null(words.words);
    assert_true(text_validate(TEXT_VULKAN_1_0, words.words, words.count, "base"));
    return words;
}

/* The offset of the instruction with this opcode, counted from 0. */
static size_t at_of(const struct spirv_words *w, uint32_t opcode, uint32_t which)
{
    for (size_t at = HEADER_WORDS; at < w->count; at += inst_length(w->words + at)) {
        if (inst_opcode(w->words + at) == opcode && which-- == 0)
            return at;
    }
    fail();
    return 0;
}

static void insert(struct spirv_words *w, size_t at, const uint32_t *inst, size_t count)
{
    w->words = realloc(w->words, (w->count + count) * sizeof(*w->words));
    assert_non_null(w->words);
    memmove(w->words + at + count, w->words + at, (w->count - at) * sizeof(*w->words));
    memcpy(w->words + at, inst, count * sizeof(*inst));
    w->count += count;
}
#define INSERT(W, AT, ...)                                                                                             \
    insert((W), (AT), (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void cut(struct spirv_words *w, size_t at)
{
    const size_t count = inst_length(w->words + at);
    memmove(w->words + at, w->words + at + count, (w->count - at - count) * sizeof(*w->words));
    w->count -= count;
}

/* ---- What is refused ---- */

static void bound_of_more(struct spirv_words *w)
{
    w->words[HEADER_BOUND] = MODULE_GREATEST_BOUND + 1;
}

static void bound_of_all(struct spirv_words *w)
{
    w->words[HEADER_BOUND] = UINT32_MAX;
}

static void out_of_section(struct spirv_words *w)
{
    INSERT(w, at_of(w, SpvOpDecorate, 0), INST_WORD0(SpvOpDecorate, 3), 1, SpvDecorationRelaxedPrecision,
           INST_WORD0(SpvOpCapability, 2), SpvCapabilityMatrix);
}

static void decorated_beyond(struct spirv_words *w)
{
    INSERT(w, at_of(w, SpvOpDecorate, 0), INST_WORD0(SpvOpDecorate, 3), 1u << 20, SpvDecorationRelaxedPrecision);
}

static void grouped_beyond(struct spirv_words *w)
{
    INSERT(w, at_of(w, SpvOpTypeVoid, 0), INST_WORD0(SpvOpGroupDecorate, 3),
           w->words[at_of(w, SpvOpDecorationGroup, 0) + 1], 1u << 20);
}

static void without_capability(struct spirv_words *w)
{
    while (inst_opcode(w->words + HEADER_WORDS) != SpvOpName)
        cut(w, HEADER_WORDS);
    while (inst_opcode(w->words + HEADER_WORDS) == SpvOpName)
        cut(w, HEADER_WORDS);
}

static void function_in_function(struct spirv_words *w)
{
    cut(w, at_of(w, SpvOpFunctionEnd, 0));
}

static void parameter_outside(struct spirv_words *w)
{
    INSERT(w, at_of(w, SpvOpReturn, 0), INST_WORD0(SpvOpFunctionParameter, 3), 1, w->words[HEADER_BOUND]++);
}

static void end_in_block(struct spirv_words *w)
{
    cut(w, at_of(w, SpvOpReturn, 1));
}

static void label_in_block(struct spirv_words *w)
{
    INSERT(w, at_of(w, SpvOpReturn, 0), INST_WORD0(SpvOpLabel, 2), w->words[HEADER_BOUND]++);
}

static void call_outside(struct spirv_words *w)
{
    const size_t at = at_of(w, SpvOpFunctionCall, 0);
    INSERT(w, w->count, INST_WORD0(SpvOpFunctionCall, 4), w->words[at + 1], w->words[HEADER_BOUND]++, w->words[at + 3]);
}

static void call_beyond(struct spirv_words *w)
{
    w->words[at_of(w, SpvOpFunctionCall, 0) + 3] = 1u << 20;
}

static void call_of_type(struct spirv_words *w)
{
    const size_t at = at_of(w, SpvOpFunctionCall, 0);
    w->words[at + 3] = w->words[at + 1];
}

static void merge_outside(struct spirv_words *w)
{
    INSERT(w, w->count, INST_WORD0(SpvOpLoopMerge, 4), 1, 2, SpvLoopControlMaskNone);
}

static void result_beyond(struct spirv_words *w)
{
    w->words[at_of(w, SpvOpVectorShuffle, 0) + 2] = 1u << 20;
}

static void result_twice(struct spirv_words *w)
{
    w->words[at_of(w, SpvOpVectorShuffle, 0) + 2] = w->words[at_of(w, SpvOpLoad, 0) + 2];
}

static void lookup_outside(struct spirv_words *w)
{
    const size_t at = at_of(w, SpvOpImageSampleExplicitLod, 0), count = inst_length(w->words + at);
    uint32_t copy[16];
    memcpy(copy, w->words + at, count * sizeof(*copy));
    copy[2] = w->words[HEADER_BOUND]++;
    insert(w, w->count, copy, count);
}

static void branch_outside(struct spirv_words *w)
{
    INSERT(w, w->count, INST_WORD0(SpvOpReturn, 1));
}

static void function_without_end(struct spirv_words *w)
{
    cut(w, at_of(w, SpvOpFunctionEnd, 1));
}

/* An annotation of tomorrow, which ends what is known of annotations: decorations stand behind it. */
static void unknown_annotation(struct spirv_words *w)
{
    INSERT(w, at_of(w, SpvOpDecorate, 0), INST_WORD0(0xfff0, 3), 1, 33);
    w->words[HEADER_BOUND] = MODULE_GREATEST_BOUND + 1;
}

static const struct {
    void (*damage)(struct spirv_words *words);
    const char *message;
} rows[] = {
    {bound_of_more, "unreasonable size or bound"},
    {bound_of_all, "unreasonable size or bound"},
    {out_of_section, "instruction out of its section"},
    {decorated_beyond, "id beyond the bound"},
    {grouped_beyond, "id beyond the bound"},
    {without_capability, "no capability"},
    {function_in_function, "function inside a function"},
    {parameter_outside, "parameter outside a function's head"},
    {end_in_block, "function ends in a block"},
    {label_in_block, "label outside a function or inside a block"},
    {call_outside, "call outside a block"},
    {call_beyond, "call of an id beyond the bound"},
    {call_of_type, "call of something that is no function"},
    {merge_outside, "loop merge outside a block"},
    {result_beyond, "id beyond the bound"},
    {result_twice, "id defined twice"},
    {lookup_outside, "lookup outside a block"},
    {branch_outside, "branch outside a block"},
    {function_without_end, "function without an end"},
    {unknown_annotation, "unreasonable size or bound"},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Binding decorations of a target, and their number; UINT32_MAX: it has none, or several. */
static uint32_t binding_of(const uint32_t *words, size_t count, uint32_t target)
{
    uint32_t number = UINT32_MAX, found = 0;
    for (size_t at = HEADER_WORDS; at < count; at += inst_length(words + at)) {
        const uint32_t *inst = words + at;
        if (inst_opcode(inst) == SpvOpDecorate && inst[1] == target && inst[2] == SpvDecorationBinding) {
            number = inst[3];
            found++;
        }
    }
    return found == 1 ? number : UINT32_MAX;
}

static bool is_binding(const uint32_t *inst)
{
    return inst_opcode(inst) == SpvOpDecorate && inst[2] == SpvDecorationBinding;
}

/* All instructions but decorations with bindings are the same, one by one. */
static void expect_the_rest_untouched(const struct spirv_words *in, const struct spirv_output *out)
{
    size_t a = HEADER_WORDS, b = HEADER_WORDS;
    assert_memory_equal(in->words, out->words, HEADER_WORDS * sizeof(*in->words));
    for (;;) {
        while (a < in->count && is_binding(in->words + a))
            a += inst_length(in->words + a);
        while (b < out->word_count && is_binding(out->words + b))
            b += inst_length(out->words + b);
        if (a >= in->count || b >= out->word_count)
            break;
        assert_int_equal(in->words[a], out->words[b]);
        assert_memory_equal(in->words + a, out->words + b, inst_length(in->words + a) * sizeof(*in->words));
        a += inst_length(in->words + a);
        b += inst_length(out->words + b);
    }
    assert_true(a == in->count && b == out->word_count);
}

/* The base's variables. */
struct variables {
    uint32_t a, b, z;
};

static struct variables variables_of(const struct spirv_words *w)
{
    const size_t grouped = at_of(w, SpvOpGroupDecorate, 0);
    return (struct variables){w->words[grouped + 2], w->words[grouped + 3], w->words[at_of(w, SpvOpDecorate, 4) + 1]};
}

/* With `moved`; and all else is untouched. */
static void expect_bindings(const struct variables *v, const struct spirv_words *words,
                            const struct spirv_output *output)
{
    assert_int_equal(binding_of(output->words, output->word_count, v->a), 2);
    assert_int_equal(binding_of(output->words, output->word_count, v->b), 1);
    assert_int_equal(binding_of(output->words, output->word_count, v->z), 0);
    expect_the_rest_untouched(words, output);
}

static void bindings_of_what_is_refused_are_the_drivers(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        struct spirv_words words = assemble();
        const struct variables variables = variables_of(&words);
        rows[i].damage(&words);
        for (uint32_t tier = 0; tier <= 2; tier++) {
            const struct spirv_options options = {.tier = tier};
            struct spirv_output output;
            const enum spirv_result result = spirv_rewrite(words.words, words.count, &moved, &options, NULL, &output);
            if (result != SPIRV_REWRITTEN || !strstr(output.message, rows[i].message))
                print_error("row %u in tier %u: %d, \"%s\"\n", (unsigned)i, tier, (int)result, output.message);
            assert_int_equal(result, SPIRV_REWRITTEN);
            assert_non_null(strstr(output.message, rows[i].message));
            assert_non_null(strstr(output.message, "left alone"));
            assert_int_equal(output.rewritten_lookups, 0);
            expect_bindings(&variables, &words, &output);
            free(output.words);
            /* Where nothing moves the program's own words do. */
            assert_int_equal(spirv_rewrite(words.words, words.count, &still, &options, NULL, &output),
                             tier ? SPIRV_MALFORMED : SPIRV_UNCHANGED);
            assert_null(output.words);
        }
        free(words.words);
    }
}

/* ---- What takes more than it may ---- */

/* No id is left: a name stands near each that may have been looked for. */
static void ids_used_up(struct spirv_words *w)
{
    enum { APART = 64, NAME_WORDS = 3 };
    const size_t names = MODULE_GREATEST_BOUND / APART;
    uint32_t *all = malloc(names * NAME_WORDS * sizeof(*all));
    assert_non_null(all);
    for (uint32_t i = 0; i < names; i++) {
        const uint32_t name[NAME_WORDS] = {INST_WORD0(SpvOpName, NAME_WORDS), (i + 1) * APART, 0x6e};
        memcpy(all + (size_t)i * NAME_WORDS, name, sizeof(name));
    }
    insert(w, at_of(w, SpvOpName, 0), all, names * NAME_WORDS);
    free(all);
    w->words[HEADER_BOUND] = MODULE_GREATEST_BOUND;
}

/* The instruction that lists variables from SPIR-V 1.4 on is as long as one can be. */
static void interface_full(struct spirv_words *w)
{
    static uint32_t more[LONGEST];
    const size_t at = at_of(w, SpvOpEntryPoint, 0);
    const uint32_t length = inst_length(w->words + at), variable = w->words[at + length - 1];
    for (uint32_t i = length; i < LONGEST; i++)
        more[i] = variable;
    insert(w, at + length, more + length, LONGEST - length);
    w->words[at] = INST_WORD0(SpvOpEntryPoint, LONGEST);
    w->words[HEADER_VERSION] = 0x10500;
}

static const struct {
    void (*grow)(struct spirv_words *words);
    const char *message;
} exceeding[] = {
    {ids_used_up, "takes more ids than a module of its size may"},
    {interface_full, "takes more variables of entry points than a module of its size may"},
};

/* Lookups are left alone in tiers 1 and 2; bindings are the driver's in all. */
static void bindings_of_what_takes_more_than_it_may_are_the_drivers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(exceeding) / sizeof(exceeding[0]); i++) {
        struct spirv_words words = assemble();
        const struct variables variables = variables_of(&words);
        exceeding[i].grow(&words);
        for (uint32_t tier = 0; tier <= 2; tier++) {
            const struct spirv_options options = {.tier = tier};
            struct spirv_output output;
            assert_int_equal(spirv_rewrite(words.words, words.count, &moved, &options, NULL, &output), SPIRV_REWRITTEN);
            expect_bindings(&variables, &words, &output);
            if (tier == 0)
                assert_string_equal(output.message, "");
            else
                assert_non_null(strstr(output.message, exceeding[i].message));
            assert_int_equal(output.rewritten_lookups, 0);
            free(output.words);
            assert_int_equal(spirv_rewrite(words.words, words.count, &still, &options, NULL, &output), SPIRV_UNCHANGED);
            assert_int_equal(output.message[0] != '\0', tier != 0);
            assert_null(output.words);
        }
        free(words.words);
    }
}

/* Searches that go over all mappings of a layout to heaps, for each descriptor, end: lookups are left alone, and told.
 */
static void searches_that_take_more_than_they_may_end(void **state)
{
    (void)state;
    static const uint32_t counts[] = {16, 1u << 21};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct spirv_words words = assemble();
        struct spirv_mapping *mappings = calloc(counts[i], sizeof(*mappings));
        assert_non_null(mappings);
        for (uint32_t j = 0; j < counts[i]; j++)
            mappings[j] = (struct spirv_mapping){.set = 7, .binding_count = 1, .resources = ~0u};
        const struct spirv_layout layout = {.mappings = mappings, .mapping_count = counts[i], .root_at = 16};
        for (uint32_t tier = 0; tier <= 2; tier++) {
            struct spirv_output output;
            assert_int_equal(
                spirv_rewrite(words.words, words.count, &layout, &(struct spirv_options){.tier = tier}, NULL, &output),
                SPIRV_UNCHANGED);
            if (tier == 0 || i == 0)
                assert_string_equal(output.message, "");
            else
                assert_non_null(strstr(output.message, "takes more steps than a module of its size may"));
        }
        free(mappings);
        free(words.words);
    }
}

/* Groups with many numbers for many targets, in a module that is not understood: there is none for the layout. */
static void numbers_that_take_more_words_than_they_may_are_unsupported(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    struct spirv_words words = assemble();
    const size_t grouped = at_of(&words, SpvOpGroupDecorate, 0);
    const uint32_t group = words.words[grouped + 1], a = words.words[grouped + 2], b = words.words[grouped + 3];
    uint32_t targets[2 + MANY] = {INST_WORD0(SpvOpGroupDecorate, 2 + MANY), group}, record_indices[MANY][4];
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t number[4] = {INST_WORD0(SpvOpDecorate, 4), group, SpvDecorationBinding, 1};
        targets[2 + i] = i % 2 ? b : a;
        memcpy(record_indices[i], number, sizeof(number));
    }
    insert(&words, grouped, targets, 2 + MANY);
    insert(&words, at_of(&words, SpvOpDecorate, 0), record_indices[0], (size_t)MANY * 4);
    words.words[HEADER_BOUND] = MODULE_GREATEST_BOUND + 1;
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(words.words, words.count, &moved, &(struct spirv_options){.tier = 1}, NULL, &output),
                     SPIRV_UNSUPPORTED);
    assert_null(output.words);
    assert_non_null(strstr(output.message, "unreasonable size or bound"));
    free(words.words);
}

/* What is written for a section, and for an instruction. */
static void sections_and_instructions_have_an_end(void **state)
{
    (void)state;
    static const uint32_t operands[LONGEST];
    for (uint32_t i = 0; i < 2; i++) {
        struct rewriter r = {.allocator = &module_c_allocator, .most_words = i ? 1u << 20 : 1000};
        struct words section = {0};
        const uint32_t most = i ? LONGEST - 1 : 999;
        write_to(&r, &section, SpvOpTypeStruct, operands, most);
        assert_null(r.exceeds);
        assert_int_equal(section.count, most + 1);
        if (i)
            section.count = 0;
        write_to(&r, &section, SpvOpTypeStruct, operands, i ? most + 1 : 400);
        assert_string_equal(r.exceeds, i ? "words in an instruction" : "words");
        assert_true(r.out_of_memory);
        words_drop(&r, &section);
    }
}

/* Annotations that no list has yet hide nothing of what stands behind them: lookups are followed, and bindings move. */
static void what_stands_behind_newer_annotations_is_read(void **state)
{
    (void)state;
    for (uint32_t many = 1; many <= 3; many++) {
        struct spirv_words words = assemble();
        const struct variables variables = variables_of(&words);
        for (uint32_t i = 0; i < many; i++)
            INSERT(&words, at_of(&words, SpvOpDecorate, i), INST_WORD0(0xfff0, 3), 1, 33);
        for (uint32_t tier = 0; tier <= 2; tier++) {
            const struct spirv_options options = {.tier = tier};
            struct spirv_output output;
            assert_int_equal(spirv_rewrite(words.words, words.count, &moved, &options, NULL, &output), SPIRV_REWRITTEN);
            assert_string_equal(output.message, "");
            assert_int_equal(output.rewritten_lookups, tier != 0);
            assert_int_equal(binding_of(output.words, output.word_count, variables.a), 2);
            assert_int_equal(binding_of(output.words, output.word_count, variables.b), 1);
            assert_int_equal(binding_of(output.words, output.word_count, variables.z), 0);
            free(output.words);
        }
        free(words.words);
    }
}

/* What asks for more than other numbers: arrays of several of the driver's descriptors, sizes of descriptors. */
static void what_bindings_alone_do_not_serve_is_unsupported(void **state)
{
    (void)state;
    struct spirv_binding scaled[2] = {BINDING(0, 0, SPIRV_NO_RECORD), BINDING(1, 1, SPIRV_NO_RECORD)};
    const struct spirv_set sets[] = {{.bindings = scaled, .binding_count = 2, .record_binding = SPIRV_NO_RECORD},
                                     moved_sets[1]};
    const struct spirv_layout layout = {.sets = sets, .set_count = 2};
    for (size_t i = 0; i < ROWS; i++) {
        for (uint32_t used = 0; used < 2; used++) {
            struct spirv_words words = assemble();
            struct spirv_output output;
            rows[i].damage(&words);
            scaled[0].binding = scaled[0].new_binding = used ? 0 : 7; /* 7: the module has no such binding */
            scaled[0].scale = 2;
            scaled[0].count = 4;
            if (!used) { /* in order */
                scaled[0] = scaled[1];
                scaled[1] = (struct spirv_binding){.binding = 7, .new_binding = 7, .count = 4, .scale = 2};
            }
            assert_int_equal(
                spirv_rewrite(words.words, words.count, &layout, &(struct spirv_options){.tier = 1}, NULL, &output),
                used ? SPIRV_UNSUPPORTED : SPIRV_MALFORMED);
            assert_null(output.words);
            assert_true(output.word_count == 0 && output.rewritten_lookups == 0 && output.rewritten_reads == 0);
            assert_non_null(strstr(output.message, rows[i].message));
            /* One descriptor of the driver's for each of an array, or several for one: numbers are all there is to it.
             */
            for (uint32_t array = 0; array < 2 && used; array++) {
                scaled[0].count = array ? 4 : 1;
                scaled[0].scale = array ? 1 : 2;
                assert_int_equal(
                    spirv_rewrite(words.words, words.count, &layout, &(struct spirv_options){.tier = 1}, NULL, &output),
                    SPIRV_MALFORMED);
            }
            free(words.words);
            scaled[0] = (struct spirv_binding)BINDING(0, 0, SPIRV_NO_RECORD);
            scaled[1] = (struct spirv_binding)BINDING(1, 1, SPIRV_NO_RECORD);
        }
    }
}

/* Words of which nobody can tell where instructions begin: there is no module, in any tier. */
static void what_does_not_parse_stays_malformed(void **state)
{
    (void)state;
    struct spirv_words words = assemble();
    for (uint32_t tier = 0; tier <= 2; tier++) {
        const struct spirv_options options = {.tier = tier};
        struct spirv_output output;
        for (size_t count = words.count - 1; count > words.count - 4; count--) {
            if (spirv_scan(words.words, count, &(struct spirv_facts){0}) != SPIRV_MALFORMED)
                continue; /* it ends behind an instruction */
            assert_int_equal(spirv_rewrite(words.words, count, &moved, &options, NULL, &output), SPIRV_MALFORMED);
            assert_string_not_equal(output.message, "");
            assert_null(output.words);
        }
        const size_t at = at_of(&words, SpvOpDecorate, 0);
        const uint32_t word = words.words[at];
        words.words[at] = INST_WORD0(SpvOpDecorate, 0);
        assert_int_equal(spirv_rewrite(words.words, words.count, &moved, &options, NULL, &output), SPIRV_MALFORMED);
        assert_null(output.words);
        words.words[at] = word;
    }
    free(words.words);
}

/* ---- Bounds of many ids ---- */

struct counted {
    size_t now, most, fails_at, calls;
};

static void *reallocate(void *user, void *memory, size_t size)
{
    struct counted *counted = user;
    size_t *block = memory ? (size_t *)memory - 2 : NULL;
    counted->now -= block ? block[0] : 0;
    if (size == 0 || ++counted->calls == counted->fails_at) {
        if (size == 0)
            free(block);
        else
            counted->now += block ? block[0] : 0;
        return NULL;
    }
    block = realloc(block, size + 2 * sizeof(*block));
    assert_non_null(block);
    block[0] = size;
    counted->now += size;
    counted->most = counted->most > counted->now ? counted->most : counted->now;
    return block + 2;
}

/* They are followed as others are: the same code, but for the new ids, and memory by the module's words. */
static void any_bound_of_the_universal_limits_is_followed(void **state)
{
    (void)state;
    static const uint32_t bounds[] = {1000, 300000, 3000000, MODULE_GREATEST_BOUND - 100, MODULE_GREATEST_BOUND};
    for (uint32_t tier = 1; tier <= 2; tier++) {
        const struct spirv_options options = {.tier = tier};
        size_t words_of_first = 0, most_of_first = 0;
        for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
            struct spirv_words words = assemble();
            struct counted counted = {0};
            const struct spirv_allocator allocator = {reallocate, &counted};
            struct spirv_output output;
            words.words[HEADER_BOUND] = bounds[i];
            assert_int_equal(spirv_rewrite(words.words, words.count, &moved, &options, &allocator, &output),
                             SPIRV_REWRITTEN);
            assert_string_equal(output.message, "");
            assert_int_equal(output.rewritten_lookups, 1);
            assert_true(output.words[HEADER_BOUND] <= MODULE_GREATEST_BOUND);
            assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "output"));
            words_of_first = i ? words_of_first : output.word_count;
            most_of_first = i ? most_of_first : counted.most;
            assert_int_equal(output.word_count, words_of_first);
            assert_true(counted.most <= most_of_first + (1 << 20)); /* a pointer for each page of ids */
            reallocate(&counted, output.words, 0);
            assert_int_equal(counted.now, 0);
            free(words.words);
        }
    }
}

static void memory_that_runs_out_leaves_nothing(void **state)
{
    (void)state;
    static void (*const damages[])(struct spirv_words *) = {bound_of_more, label_in_block};
    for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        enum spirv_result result = SPIRV_OUT_OF_MEMORY;
        for (size_t fails_at = 1; result == SPIRV_OUT_OF_MEMORY; fails_at++) {
            struct spirv_words words = assemble();
            struct counted counted = {.fails_at = fails_at};
            const struct spirv_allocator allocator = {reallocate, &counted};
            struct spirv_output output;
            damages[i](&words);
            result = spirv_rewrite(words.words, words.count, &moved, &(struct spirv_options){.tier = 1}, &allocator,
                                   &output);
            assert_true(result == SPIRV_OUT_OF_MEMORY || result == SPIRV_REWRITTEN);
            if (output.words)
                reallocate(&counted, output.words, 0);
            assert_int_equal(counted.now, 0);
            free(words.words);
        }
    }
}

/* The fast way, by the index, and this one agree. */
static void both_ways_number_alike(void **state)
{
    (void)state;
    struct spirv_words words = assemble(), damaged = assemble();
    struct spirv_output by_index, by_words;
    bound_of_more(&damaged);
    assert_int_equal(spirv_rewrite(words.words, words.count, &moved, &(struct spirv_options){0}, NULL, &by_index),
                     SPIRV_REWRITTEN);
    assert_int_equal(spirv_rewrite(damaged.words, damaged.count, &moved, &(struct spirv_options){0}, NULL, &by_words),
                     SPIRV_REWRITTEN);
    by_words.words[HEADER_BOUND] = by_index.words[HEADER_BOUND];
    for (unsigned i = 0; i < 2; i++) {
        const struct spirv_output *output = i ? &by_words : &by_index;
        char *text = text_disassemble(output->words, output->word_count);
        assert_true(text_validate(TEXT_VULKAN_1_0, output->words, output->word_count, "output"));
        for (size_t j = 0; j < sizeof(expected) / sizeof(expected[0]); j++)
            assert_non_null(strstr(text, expected[j]));
        free(text);
    }
    free(by_index.words);
    free(by_words.words);
    free(words.words);
    free(damaged.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bindings_of_what_is_refused_are_the_drivers),
        cmocka_unit_test(what_bindings_alone_do_not_serve_is_unsupported),
        cmocka_unit_test(bindings_of_what_takes_more_than_it_may_are_the_drivers),
        cmocka_unit_test(searches_that_take_more_than_they_may_end),
        cmocka_unit_test(numbers_that_take_more_words_than_they_may_are_unsupported),
        cmocka_unit_test(sections_and_instructions_have_an_end),
        cmocka_unit_test(what_stands_behind_newer_annotations_is_read),
        cmocka_unit_test(what_does_not_parse_stays_malformed),
        cmocka_unit_test(any_bound_of_the_universal_limits_is_followed),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing),
        cmocka_unit_test(both_ways_number_alike),
    };
    return cmocka_run_group_tests_name("unread", tests, NULL, NULL);
}
