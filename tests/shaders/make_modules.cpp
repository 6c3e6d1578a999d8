/* SPDX-License-Identifier: MIT */
// make_modules: the part of scripts/suites/shaders that makes SPIR-V of texts and of other SPIR-V. It reads requests,
// each a line of fields with tabs between them and then as many bytes as the last field says:
//
//     assemble MINOR BYTES                          a text for spirv-as, of SPIR-V 1.MINOR
//     compile LANGUAGE STAGE DEBUG NAME FOLDER BYTES
//                                                   a text for glslang: glsl or hlsl; plain, lines or scopes (as -g and
//                                                   -gVS); what it includes is in FOLDER, which may be empty
//     optimise RECIPE BYTES                         a module for spirv-opt: performance, size, legalization
//
// and answers each with a word and as many words as that says, the module; 0 where there is none. It ends with its
// input, or with status 2 at what is no request. Tools that crash take it with them: whoever asked starts another one.
#include "compiler.hpp"

#include <cstring>
#include <iostream>
#include <map>
#include <sstream>

using Fields = std::vector<std::string>;

static Fields fields_of(const std::string &line)
{
    Fields fields;
    std::istringstream rest(line);
    for (std::string field; std::getline(rest, field, '\t');)
        fields.push_back(field);
    return fields;
}

static Words assemble(const Fields &fields, const std::string &text)
{
    static const spv_target_env environments[] = {SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2,
                                                  SPV_ENV_UNIVERSAL_1_3, SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5,
                                                  SPV_ENV_UNIVERSAL_1_6};
    std::string log;
    return assemble(text, environments[std::stoul(fields.at(1)) % std::size(environments)], log);
}

static Words compile(const Fields &fields, const std::string &text)
{
    static const std::map<std::string, pack_variant> variants = {
        {"plain", PACK_PLAIN}, {"lines", PACK_DEBUG}, {"scopes", PACK_DEBUG_VS}};
    Source source;
    std::string log;
    source.text = text;
    source.origin = fields.at(1) == "hlsl" ? PACK_HLSL : PACK_GLSL;
    source.stage = fields.at(2);
    source.name = fields.at(4);
    source.folder = fields.at(5);
    return is_stage(source.stage) ? compile(source, targets[3], variants.at(fields.at(3)), log) : Words();
}

static Words optimise(const Fields &fields, const std::string &bytes)
{
    static const std::map<std::string, Recipe> recipes = {
        {"performance", Recipe::performance}, {"size", Recipe::size}, {"legalization", Recipe::legalization}};
    Words words(bytes.size() / sizeof(uint32_t));
    memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
    return optimized(words, SPV_ENV_UNIVERSAL_1_6, recipes.at(fields.at(1)));
}

static void answer(const Words &words)
{
    const uint32_t count = uint32_t(words.size());
    std::cout.write(reinterpret_cast<const char *>(&count), sizeof(count));
    std::cout.write(reinterpret_cast<const char *>(words.data()), std::streamsize(count * sizeof(uint32_t)));
    std::cout.flush();
}

int main()
{
    static const std::map<std::string, Words (*)(const Fields &, const std::string &)> kinds = {
        {"assemble", assemble}, {"compile", compile}, {"optimise", optimise}};
    int status = 0;
    glslang::InitializeProcess();
    try {
        for (std::string line; std::getline(std::cin, line);) {
            const Fields fields = fields_of(line);
            std::string bytes(std::stoul(fields.at(fields.size() - 1)), '\0');
            if (!std::cin.read(bytes.data(), std::streamsize(bytes.size())))
                throw std::out_of_range("a request ends early");
            answer(kinds.at(fields.at(0))(fields, bytes));
        }
    } catch (const std::exception &error) {
        std::cerr << "make_modules: " << error.what() << "\n";
        status = 2;
    }
    glslang::FinalizeProcess();
    return status;
}
