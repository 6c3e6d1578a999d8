/* SPDX-License-Identifier: MIT */
// compile_modules: compiles many GLSL shaders to SPIR-V in one process, as `glslangValidator -V` does one by one. A
// process for each of the lookups that the tests make would take two minutes.
//
//   compile_modules SOURCE LIST FOLDER
//
// A line of LIST is a stage (vert, frag, comp) and what is defined, each behind a tab: NAME=TEXT, or NAME. The module
// of the line with number N, from 0, is for Vulkan 1.0 and becomes FOLDER/N.spv.
//
//   compile_modules --headers LIST
//
// A line of LIST is a source, a stage, what it is compiled for (vulkan1.2), a name, a file, and what is defined, each
// behind a tab. The file defines `const uint32_t NAME[]`. One that would be the same again is left alone, so that what
// includes it is not compiled once more.
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct target {
    glslang::EShTargetClientVersion client;
    glslang::EShTargetLanguageVersion language;
};

static const std::map<std::string, EShLanguage> stages = {
    {"vert", EShLangVertex},      {"tesc", EShLangTessControl}, {"tese", EShLangTessEvaluation},
    {"geom", EShLangGeometry},    {"frag", EShLangFragment},    {"comp", EShLangCompute},
    {"rgen", EShLangRayGen},      {"rint", EShLangIntersect},   {"rahit", EShLangAnyHit},
    {"rchit", EShLangClosestHit}, {"rmiss", EShLangMiss},       {"rcall", EShLangCallable},
    {"task", EShLangTask},        {"mesh", EShLangMesh},
};

static const std::map<std::string, target> targets = {
    {"vulkan1.0", {glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0}},
    {"vulkan1.1", {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3}},
    {"vulkan1.2", {glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5}},
    {"vulkan1.3", {glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6}},
};

static bool compile(const std::string &text, const std::string &stage_name, const std::string &target_name,
                    const std::string *definitions, size_t count, std::vector<uint32_t> &words)
{
    const auto stage = stages.find(stage_name);
    const auto wanted = targets.find(target_name);
    if (stage == stages.end() || wanted == targets.end()) {
        fprintf(stderr, "no stage %s, or nothing is compiled for %s\n", stage_name.c_str(), target_name.c_str());
        return false;
    }
    std::string preamble;
    for (size_t i = 0; i < count; i++) {
        const size_t equals = definitions[i].find('=');
        preamble += "#define " + definitions[i].substr(0, equals);
        preamble += equals == std::string::npos ? " \n" : " " + definitions[i].substr(equals + 1) + "\n";
    }
    const EShMessages messages = EShMessages(EShMsgSpvRules | EShMsgVulkanRules);
    const char *strings = text.c_str();
    glslang::TShader shader(stage->second);
    glslang::TProgram program;
    shader.setStrings(&strings, 1);
    shader.setPreamble(preamble.c_str());
    shader.setEnvInput(glslang::EShSourceGlsl, stage->second, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, wanted->second.client);
    shader.setEnvTarget(glslang::EShTargetSpv, wanted->second.language);
    bool compiled = shader.parse(GetDefaultResources(), 100, false, messages);
    if (compiled) {
        program.addShader(&shader);
        compiled = program.link(messages);
    }
    if (compiled)
        glslang::GlslangToSpv(*program.getIntermediate(stage->second), words);
    else
        fprintf(stderr, "%s%s", shader.getInfoLog(), program.getInfoLog());
    return compiled && !words.empty();
}

static std::vector<std::string> split(const std::string &line)
{
    std::istringstream parts(line);
    std::vector<std::string> found;
    for (std::string part; std::getline(parts, part, '\t');)
        found.push_back(part);
    return found;
}

static bool read(const std::string &path, std::string &text)
{
    std::ifstream file(path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    return bool(file);
}

static bool write_header(const std::string &path, const std::string &name, const std::vector<uint32_t> &words)
{
    std::string text = "#pragma once\nconst uint32_t " + name + "[] = {", before;
    for (size_t i = 0; i < words.size(); i++) {
        char word[16];
        snprintf(word, sizeof(word), "%s0x%08x,", i % 8 ? "" : "\n\t", words[i]);
        text += word;
    }
    text += "\n};\n";
    if (read(path, before) && before == text)
        return true;
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    return bool(file);
}

enum { SOURCE, STAGE, TARGET, NAME, HEADER, DEFINITIONS };

static bool one_header(const std::string &line)
{
    const std::vector<std::string> parts = split(line);
    std::string text;
    std::vector<uint32_t> words;
    return parts.size() >= DEFINITIONS && read(parts[SOURCE], text) &&
           compile(text, parts[STAGE], parts[TARGET], parts.data() + DEFINITIONS, parts.size() - DEFINITIONS, words) &&
           write_header(parts[HEADER], parts[NAME], words);
}

static bool one_module(const std::string &text, const std::string &line, const std::string &path)
{
    const std::vector<std::string> parts = split(line);
    std::vector<uint32_t> words;
    if (parts.empty() || !compile(text, parts[0], "vulkan1.0", parts.data() + 1, parts.size() - 1, words))
        return false;
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(words.data()), std::streamsize(words.size() * sizeof(words[0])));
    file.close();
    return bool(file);
}

int main(int argc, char **argv)
{
    const bool headers = argc == 3 && !strcmp(argv[1], "--headers");
    if (argc != 4 && !headers) {
        fprintf(stderr, "usage: compile_modules SOURCE LIST FOLDER\n       compile_modules --headers LIST\n");
        return 2;
    }
    std::ifstream list(argv[2]);
    std::string text, line;
    bool good = list && (headers || read(argv[1], text));
    glslang::InitializeProcess();
    for (unsigned number = 0; good && std::getline(list, line); number++) {
        good = headers ? one_header(line)
                       : one_module(text, line, std::string(argv[3]) + "/" + std::to_string(number) + ".spv");
        if (!good)
            fprintf(stderr, "%s\n", line.c_str());
    }
    glslang::FinalizeProcess();
    if (!good)
        fprintf(stderr, "compile_modules: not all modules of %s could be compiled\n", argv[2]);
    return good ? 0 : 1;
}
