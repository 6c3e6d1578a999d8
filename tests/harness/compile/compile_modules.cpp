/* SPDX-License-Identifier: MIT */
// compile_modules: compiles many GLSL shaders to SPIR-V for Vulkan 1.0 in one process, as `glslangValidator -V` does
// one by one. A process for each of the lookups that the tests make would take two minutes.
//
//   compile_modules SOURCE LIST FOLDER
//
// A line of LIST is a stage (vert, frag, comp) and what is defined, each behind a tab: NAME=TEXT, or NAME. The module
// of the line with number N, from 0, becomes FOLDER/N.spv.
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

static bool compile(const std::string &text, const std::string &line, std::vector<uint32_t> &words)
{
    std::istringstream parts(line);
    std::string stage_name, definition, preamble;
    std::getline(parts, stage_name, '\t');
    while (std::getline(parts, definition, '\t')) {
        const size_t equals = definition.find('=');
        preamble += "#define " + definition.substr(0, equals);
        preamble += equals == std::string::npos ? " 1\n" : " " + definition.substr(equals + 1) + "\n";
    }
    const EShLanguage stage = stage_name == "vert"   ? EShLangVertex
                              : stage_name == "frag" ? EShLangFragment
                                                     : EShLangCompute;
    const EShMessages messages = EShMessages(EShMsgSpvRules | EShMsgVulkanRules);
    const char *strings = text.c_str();
    glslang::TShader shader(stage);
    glslang::TProgram program;
    shader.setStrings(&strings, 1);
    shader.setPreamble(preamble.c_str());
    shader.setEnvInput(glslang::EShSourceGlsl, stage, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_0);
    shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_0);
    bool compiled = shader.parse(GetDefaultResources(), 100, false, messages);
    if (compiled) {
        program.addShader(&shader);
        compiled = program.link(messages);
    }
    if (compiled)
        glslang::GlslangToSpv(*program.getIntermediate(stage), words);
    else
        fprintf(stderr, "%s\n%s%s", line.c_str(), shader.getInfoLog(), program.getInfoLog());
    return compiled && !words.empty();
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: compile_modules SOURCE LIST FOLDER\n");
        return 2;
    }
    std::ifstream source(argv[1]), list(argv[2]);
    const std::string text((std::istreambuf_iterator<char>(source)), std::istreambuf_iterator<char>());
    bool good = source && list;
    glslang::InitializeProcess();
    std::string line;
    for (unsigned number = 0; good && std::getline(list, line); number++) {
        std::vector<uint32_t> words;
        good = compile(text, line, words);
        std::ofstream file(std::string(argv[3]) + "/" + std::to_string(number) + ".spv", std::ios::binary);
        file.write(reinterpret_cast<const char *>(words.data()), std::streamsize(words.size() * sizeof(words[0])));
        good = good && file.good();
    }
    glslang::FinalizeProcess();
    if (!good)
        fprintf(stderr, "compile_modules: not all modules of %s could be compiled\n", argv[2]);
    return good ? 0 : 1;
}
