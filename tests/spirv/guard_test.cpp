/* SPDX-License-Identifier: MIT */
/*
 * Sampler and image as descriptors of their own (lookup.c, guarded form): tier 2 does not execute a lookup whose record
 * filters. Shown by SPIRV-Tools' optimiser: every load of a record is replaced by a constant record, and no lookup is
 * left in the shader where that record filters, and no fetch where it does not.
 */
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <spirv-tools/optimizer.hpp>
#include <spirv/unified1/spirv.h>

extern "C" {
#define _Static_assert static_assert
#include <cmocka.h>

#include "auto_layout.h"
#include "record/record.h"
}

namespace
{
using words = std::vector<uint32_t>;

struct variant {
    const char *name;
    spirv_options options;
};

spirv_options options_of(spirv_form form, bool votes, bool extras)
{
    spirv_options options = {};
    options.tier = 2;
    options.form = form;
    options.votes = votes;
    options.extras = extras;
    return options;
}

const variant variants[] = {
    {"GPU form", options_of(SPIRV_FORM_GPU, false, false)},
    {"GPU form with votes", options_of(SPIRV_FORM_GPU, true, false)},
    {"GPU form with extras", options_of(SPIRV_FORM_GPU, false, true)},
    {"CPU form", options_of(SPIRV_FORM_CPU, false, false)},
    {"CPU form with extras", options_of(SPIRV_FORM_CPU, false, true)},
};

words read_words(const char *path)
{
    words result;
    uint32_t word;
    FILE *file = std::fopen(path, "rb");
    while (file != nullptr && std::fread(&word, sizeof(word), 1, file) == 1)
        result.push_back(word);
    if (file != nullptr)
        std::fclose(file);
    assert_true(result.size() > 5);
    return result;
}

words rewrite(const words &input, const spirv_options &options, unsigned layout_options = 0)
{
    static struct auto_layout layout;
    spirv_output output;
    auto_layout(input.data(), input.size(), layout_options, &layout);
    assert_int_equal(spirv_rewrite(input.data(), input.size(), &layout.layout, &options, nullptr, &output),
                     SPIRV_REWRITTEN);
    assert_string_equal(output.message, "");
    words result(output.words, output.words + output.word_count);
    std::free(output.words);
    return result;
}

/* Four words of the same meaning in every place: the image's part and the sampler's are ORed, and equal. */
struct constant_record {
    uint32_t quarter[4];
};

uint32_t opcode_of(uint32_t word)
{
    return word & 0xffffu;
}

bool is_named(const words &module, size_t at, const char *name)
{
    return opcode_of(module[at]) == SpvOpName && std::string(reinterpret_cast<const char *>(&module[at + 2])) == name;
}

/*
 * Every load of a quarter of a record becomes the constant, through the function that loads for parameters as well, and
 * so does what is ORed of two; *loads counts them.
 */
words with_record(const words &module, const constant_record &record, unsigned *loads)
{
    std::set<uint32_t> pointers, loaded;
    words result(module.begin(), module.begin() + 5);
    uint32_t first = module[3], vector = 0, scalar = 0, loader = 0;
    size_t functions = 0;
    result[3] += 5;
    *loads = 0;
    for (size_t at = 5; at < module.size(); at += module[at] >> 16) {
        const uint32_t opcode = opcode_of(module[at]);
        if (is_named(module, at, "clampler_records"))
            pointers.insert(module[at + 1]);
        if (is_named(module, at, "clampler_record_of"))
            loader = module[at + 1];
        if (opcode == SpvOpFunction && functions == 0)
            functions = result.size();
        if (opcode == SpvOpAccessChain && pointers.count(module[at + 3]) != 0)
            pointers.insert(module[at + 2]);
        const bool load = (opcode == SpvOpLoad && pointers.count(module[at + 3]) != 0) ||
                          (opcode == SpvOpFunctionCall && module[at + 3] == loader);
        if (load || (opcode == SpvOpBitwiseOr && loaded.count(module[at + 3]) != 0)) {
            vector = module[at + 1];
            loaded.insert(module[at + 2]);
            const uint32_t copy[] = {4u << 16 | SpvOpCopyObject, vector, module[at + 2], first + 4};
            result.insert(result.end(), copy, copy + 4);
            *loads += load;
        } else {
            result.insert(result.end(), &module[at], &module[at] + (module[at] >> 16));
        }
    }
    assert_int_not_equal(vector, 0);
    for (size_t at = 5; at < functions; at += result[at] >> 16) {
        if (opcode_of(result[at]) == SpvOpTypeVector && result[at + 1] == vector)
            scalar = result[at + 2];
    }
    words constants;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t constant[] = {4u << 16 | SpvOpConstant, scalar, first + i, record.quarter[i]};
        constants.insert(constants.end(), constant, constant + 4);
    }
    const uint32_t composite[] = {
        7u << 16 | SpvOpConstantComposite, vector, first + 4, first, first + 1, first + 2, first + 3};
    constants.insert(constants.end(), composite, composite + 7);
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(functions), constants.begin(), constants.end());
    return result;
}

words optimized(const words &module)
{
    words result;
    spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_5);
    optimizer.SetMessageConsumer([](spv_message_level_t, const char *, const spv_position_t &, const char *text) {
        std::fprintf(stderr, "%s\n", text);
    });
    optimizer.RegisterPass(spvtools::CreateInlineExhaustivePass())
        .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
        .RegisterPass(spvtools::CreateSSARewritePass())
        .RegisterPass(spvtools::CreateCCPPass())
        .RegisterPass(spvtools::CreateDeadBranchElimPass())
        .RegisterPass(spvtools::CreateAggressiveDCEPass());
    assert_true(optimizer.Run(module.data(), module.size(), &result));
    return result;
}

struct lookups {
    unsigned implicit, gradients, levels, gathers, fetches;

    unsigned all() const
    {
        return implicit + gradients + levels + gathers;
    }
};

lookups lookups_of(const words &module)
{
    lookups found = {};
    for (size_t at = 5; at < module.size(); at += module[at] >> 16) {
        uint32_t opcode = opcode_of(module[at]);
        if (opcode >= SpvOpImageSparseSampleImplicitLod && opcode <= SpvOpImageSparseDrefGather)
            opcode = opcode - SpvOpImageSparseSampleImplicitLod + SpvOpImageSampleImplicitLod;
        const bool sample = opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageSampleProjDrefExplicitLod;
        const bool is_explicit = sample && (opcode - SpvOpImageSampleImplicitLod) % 2 == 1;
        const bool compares = sample && ((opcode - SpvOpImageSampleImplicitLod) & 2) != 0;
        const size_t mask = at + (compares ? 6 : 5);
        found.implicit += sample && !is_explicit;
        found.gradients += is_explicit && (module[mask] & SpvImageOperandsGradMask) != 0;
        found.levels += is_explicit && (module[mask] & SpvImageOperandsLodMask) != 0;
        found.gathers += opcode == SpvOpImageGather || opcode == SpvOpImageDrefGather;
        found.fetches += opcode == SpvOpImageFetch;
    }
    return found;
}

lookups found_with(const words &rewritten, const constant_record &record)
{
    unsigned loads = 0;
    const words constant = with_record(rewritten, record, &loads);
    assert_true(loads != 0);
    return lookups_of(optimized(constant));
}

const uint32_t two_levels = 2u << RECORD_LEVELS_SHIFT, size = 8u << 16 | 8u, layers = 1;
const uint32_t linear = RECORD_MAG_LINEAR | RECORD_MIN_LINEAR | RECORD_MIP_LINEAR;
const constant_record filtering[] = {
    {{two_levels | linear, size, layers, RECORD_PAIR_UNFILTERABLE}},
    {{two_levels | linear | RECORD_COORDS, size, layers, RECORD_PAIR_UNFILTERABLE | RECORD_PAIR_TO_NEAREST}},
    {{two_levels, size, layers, RECORD_PAIR_BORDER | RECORD_PAIR_BORDER_OTHER}},
};
/* The last one moves coordinates. */
const constant_record not_filtering[] = {
    {{0, 0, 0, 0}},
    {{two_levels | linear | RECORD_COORDS, size, layers, 0}},
    {{two_levels, size, layers, RECORD_PAIR_UNFILTERABLE}},
};

void what_filters_is_not_looked_up(void **)
{
    const words input = read_words(PAIRS_SPIRV);
    const lookups program = lookups_of(input);
    for (const variant &variant : variants) {
        const words rewritten = rewrite(input, variant.options);
        for (const constant_record &record : filtering) {
            const lookups found = found_with(rewritten, record);
            if (found.all() != 0)
                std::fprintf(stderr, "%s: %u lookups are left\n", variant.name, found.all());
            assert_int_equal(found.all(), 0);
            assert_true(found.fetches != 0);
        }
        for (const constant_record &record : not_filtering) {
            const lookups found = found_with(rewritten, record);
            if (found.fetches != 0)
                std::fprintf(stderr, "%s: %u fetches are left\n", variant.name, found.fetches);
            assert_int_equal(found.fetches, 0);
            assert_true(found.all() >= program.all());
        }
    }
}

/* Derivatives are those of the program's own block: behind a branch that pixels may take apart there are none. */
void what_pixels_look_up_apart_has_gradients(void **)
{
    const words input = read_words(APART_SPIRV);
    const lookups program = lookups_of(input);
    assert_true(program.implicit != 0);
    for (const variant &variant : variants) {
        const lookups found = found_with(rewrite(input, variant.options), not_filtering[0]);
        assert_int_equal(found.implicit, 0);
        assert_true(found.gradients >= program.implicit);
        assert_int_equal(found_with(rewrite(input, variant.options), filtering[0]).all(), 0);
    }
}

/* The residency of what is fetched is that of the texels. */
void sparse_images_are_fetched_with_their_residency(void **)
{
    const words input = read_words(SPARSE_SPIRV);
    const lookups program = lookups_of(input);
    assert_int_equal(program.all(), 5);
    for (const variant &variant : variants) {
        const words rewritten = rewrite(input, variant.options);
        const lookups found = found_with(rewritten, filtering[0]);
        assert_int_equal(found.all(), 0);
        assert_true(found.fetches >= program.all());
        assert_int_equal(found_with(rewritten, not_filtering[0]).fetches, 0);
    }
}

/* Texels of cubes cannot be fetched: they are sampled at the centre, at a given level, or gathered. */
void cubes_are_looked_up_texel_by_texel(void **)
{
    const words input = read_words(CUBES_SPIRV);
    for (const variant &variant : variants) {
        const lookups found = found_with(rewrite(input, variant.options), filtering[0]);
        assert_int_equal(found.implicit + found.gradients, 0);
        assert_true(found.levels != 0);
        assert_true(found.gathers == 0 || lookups_of(input).gathers != 0);
    }
}
/* Samplers that lookups go through other than the layer's own. */
unsigned other_samplers_of(const words &module)
{
    std::set<uint32_t> variables, loads, others;
    unsigned count = 0;
    for (size_t at = 5; at < module.size(); at += module[at] >> 16) {
        const uint32_t opcode = opcode_of(module[at]);
        if (is_named(module, at, "clampler_nearest"))
            variables.insert(module[at + 1]);
        if (opcode == SpvOpLoad && variables.count(module[at + 3]) != 0)
            loads.insert(module[at + 2]);
        if (opcode == SpvOpSampledImage && loads.count(module[at + 4]) == 0)
            others.insert(module[at + 2]);
        if (opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageSampleProjDrefExplicitLod)
            count += others.count(module[at + 3]) != 0;
    }
    return count;
}

/* ... by a sampler with nearest filters, where sets have one. */
void cubes_are_looked_up_by_a_nearest_sampler(void **)
{
    const words input = read_words(CUBES_SPIRV);
    for (const variant &variant : variants) {
        unsigned loads = 0;
        const words rewritten = rewrite(input, variant.options, AUTO_LAYOUT_NEAREST);
        const words filtered = optimized(with_record(rewritten, filtering[0], &loads));
        assert_true(lookups_of(filtered).levels != 0);
        assert_int_equal(other_samplers_of(filtered), 0);
        assert_true(other_samplers_of(optimized(with_record(rewritten, not_filtering[0], &loads))) != 0);
    }
}
} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(what_filters_is_not_looked_up),
        cmocka_unit_test(what_pixels_look_up_apart_has_gradients),
        cmocka_unit_test(sparse_images_are_fetched_with_their_residency),
        cmocka_unit_test(cubes_are_looked_up_texel_by_texel),
        cmocka_unit_test(cubes_are_looked_up_by_a_nearest_sampler),
    };
    return cmocka_run_group_tests_name("guard", tests, nullptr, nullptr);
}
